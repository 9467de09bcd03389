//! What is packed: a Zstandard file, and the conversations in a ZIP archive. Both are unpacked as they are read.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::{Bytes, Error};

/// Bytes that are unpacked at once.
const ROOM: usize = 1 << 18;

/// Largest window of Zstandard in bytes; the usual ones have eight megabytes at most.
const WINDOW: u64 = 32 << 20;

/// What unpacks to more bytes than this, and to so many times its own size, is no export.
const LARGE: u64 = if cfg!(test) { 1 << 20 } else { 1 << 30 };
const TIMES: u64 = 100;

/// Whether what unpacks to so much can be no export.
fn is_bomb(packed: u64, unpacked: u64) -> bool {
    unpacked > LARGE && unpacked / TIMES > packed
}

/// Names of an archive's members that are told.
const NAMED: usize = 8;

/// How something is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Zip,
    Zstandard,
}

/// How something is packed, by its first bytes; `None` if it is not.
pub(super) fn packing(source: &dyn Bytes) -> io::Result<Option<Packing>> {
    let mut head = Vec::new();
    source.open()?.take(4).read_to_end(&mut head)?;
    Ok(match head[..] {
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => Some(Packing::Zip),
        // Some programs that pack begin with a frame to be skipped.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Packing::Zstandard),
        _ => None,
    })
}

/// Something from its first byte on, unpacked if it is Zstandard.
///
/// # Errors
/// It cannot be opened.
pub fn unpacked(source: &dyn Bytes) -> io::Result<Box<dyn BufRead + '_>> {
    if packing(source)? != Some(Packing::Zstandard) {
        return source.open();
    }
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(WINDOW);
    let source = Counted { inner: source.open()?, bytes: 0 };
    let inner = Frames { source, decoder, unpacked: 0 };
    let whole = Whole { inner, packing: Packing::Zstandard };
    Ok(Box::new(BufReader::with_capacity(ROOM, whole)))
}

/// All frames of a Zstandard file, one after the other: what was packed in parts is one text.
struct Frames<'a> {
    source: Counted<'a>,
    decoder: FrameDecoder,
    unpacked: u64,
}

/// What is read, and how many bytes of it were taken.
struct Counted<'a> {
    inner: Box<dyn BufRead + 'a>,
    bytes: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(room)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.inner.consume(bytes);
    }
}

impl Frames<'_> {
    /// Begins the next frame that holds something; whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        use FrameDecoderError::ReadFrameHeaderError as Header;
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(Header(ReadFrameHeaderError::SkipFrame { length, .. })) => self.skip(length)?,
                Err(reason) => return Err(io::Error::other(reason)),
            }
        }
        Ok(false)
    }

    fn skip(&mut self, length: u32) -> io::Result<()> {
        let mut rest = (&mut self.source).take(length.into());
        let skipped = io::copy(&mut rest, &mut io::sink())?;
        if skipped < length.into() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let step = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, step).map_err(io::Error::other)?;
            } else if !self.begin()? {
                return Ok(0);
            }
        }
        let read = self.decoder.read(room)?;
        self.unpacked += read as u64;
        if is_bomb(self.source.bytes, self.unpacked) {
            let why = "it unpacks to more than a hundred times its size: that is no log";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        Ok(read)
    }
}

/// A Zstandard file as what it unpacks to.
pub(super) struct Unpacked<'a>(pub(super) &'a dyn Bytes);

impl Bytes for Unpacked<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        unpacked(self.0)
    }
}

/// Says at the end of what is unpacked whether it is what was packed.
struct Checked<R> {
    inner: R,
    sum: Crc,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(room)?;
        self.sum.update(&room[..read]);
        let is_end = read == 0 && !room.is_empty();
        if is_end && self.sum.sum() != self.expected {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(read)
    }
}

/// Says of what breaks off that it does.
struct Whole<R> {
    inner: R,
    packing: Packing,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.inner.read(room).map_err(|reason| match reason.kind() {
            io::ErrorKind::FileTooLarge => reason,
            _ => self.packing.broken(reason),
        })
    }
}

impl Packing {
    /// What kept something from being unpacked, in words for people.
    fn broken(self, reason: io::Error) -> io::Error {
        // What the disk says is no fault of what it holds.
        if reason.raw_os_error().is_some() {
            return reason;
        }
        let why = match self {
            Self::Zip => {
                "the ZIP archive is damaged, breaks off or is one of several parts; download it again, or unpack it and \
                 name the folder that comes of it"
            }
            Self::Zstandard => "the Zstandard data is damaged or breaks off; copy the file again",
        };
        io::Error::new(io::ErrorKind::InvalidData, why)
    }
}

/// Files of conversations with their names, or why one cannot be read.
type Members<'a> = Vec<(String, Result<Member<'a>, Error>)>;

/// A file of conversations in an archive.
pub(super) struct Member<'a> {
    archive: &'a dyn Bytes,
    start: u64,
    packed: u64,
    size: u64,
    /// The checksum of what it unpacks to, as the archive tells it.
    sum: u32,
    is_deflated: bool,
}

impl Bytes for Member<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        let mut archive = self.archive.seekable()?;
        archive.seek(SeekFrom::Start(self.start))?;
        let packed = BufReader::with_capacity(ROOM, archive.take(self.packed));
        let inner: Box<dyn Read + '_> =
            if self.is_deflated { Box::new(DeflateDecoder::new(packed)) } else { Box::new(packed) };
        // Whatever stands behind the size that the archive tells is none of it.
        let inner = Checked { inner: inner.take(self.size), sum: Crc::new(), expected: self.sum };
        let whole = Whole { inner, packing: Packing::Zip };
        Ok(Box::new(BufReader::with_capacity(ROOM, whole)))
    }
}

/// The files of conversations in an archive, in the order of their names.
///
/// # Errors
/// It is damaged, or holds none.
pub(super) fn members(archive: &dyn Bytes) -> Result<Members<'_>, Error> {
    let damaged = |reason| {
        let reason = if let ZipError::Io(reason) = reason { reason } else { reason.into() };
        Error::from(Packing::Zip.broken(reason))
    };
    let seekable = BufReader::with_capacity(ROOM, archive.seekable()?);
    let mut zip = ZipArchive::new(seekable).map_err(damaged)?;
    let (mut members, mut others) = (Vec::new(), Vec::new());
    for at in 0..zip.len() {
        let name = zip.name_for_index(at).transpose().map_err(damaged)?.unwrap_or_default();
        let name = name.into_owned();
        if is_conversations(&name) {
            let file = zip.by_index_raw(at).map_err(damaged);
            let member = file.and_then(|file| member(archive, &name, &file));
            members.push((name, member));
        } else {
            others.push(name);
        }
    }
    if members.is_empty() {
        others.truncate(NAMED);
        let others = if others.is_empty() { "nothing".to_owned() } else { others.join(", ") };
        return Err(Error::NoMember(others));
    }
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(members)
}

fn member<'a, R: Read>(
    archive: &'a dyn Bytes,
    name: &str,
    file: &ZipFile<'_, R>,
) -> Result<Member<'a>, Error> {
    let why = |why: &str| Error::Archive { name: name.to_owned(), why: why.to_owned() };
    if file.encrypted() {
        return Err(why("is encrypted; unpack it with its password first"));
    }
    let is_deflated = match file.compression() {
        CompressionMethod::Stored => false,
        CompressionMethod::Deflated => true,
        _ => return Err(why("is packed in a way that is not read; unpack the archive first")),
    };
    let (packed, size) = (file.compressed_size(), file.size());
    if is_bomb(packed, size) {
        return Err(why("unpacks to more than a hundred times its size: that is no export"));
    }
    let start = file
        .data_start()
        .ok_or_else(|| why("is not where the archive says; download the archive again"))?;
    Ok(Member { archive, start, packed, size, sum: file.crc32(), is_deflated })
}

/// Whether a member is what ChatGPT and Claude.ai call their conversations.
fn is_conversations(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    file.strip_suffix(".json").is_some_and(|stem| stem.starts_with("conversations"))
}
