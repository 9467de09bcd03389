//! Storing items: streamed, checked to be text, and in place only when complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use super::super::stop::StopFlag;
use super::{PadError, Scratchpad, bare, check_key, item_fields};
use crate::memory::{CountTokens, ScratchItem, Tokens};
use crate::store::disk::appender::Appender;
use crate::store::disk::new_file::{NewFile, Readers};
use crate::store::disk::{self, Disk, files};

/// Bytes that are copied at a time.
const BLOCK: usize = 256 * 1024;

/// Bytes that are written before they are synced.
const SYNCED_BYTES: usize = 8 * 1024 * 1024;

/// A file of up to this size that is kept already, word for word, is not kept again.
const REUSED_BYTES: u64 = 4 * 1024 * 1024;

/// Up to this size tokens are counted; above it they are estimated from samples.
const COUNTED_BYTES: u64 = 512 * 1024;

/// Samples for an estimate, and the bytes of each.
const SAMPLES: u64 = 16;
const SAMPLE_BYTES: u64 = 4 * 1024;

/// What a text is stored as.
#[derive(Debug, Clone, Copy)]
pub struct Label<'a> {
    /// Under which key.
    pub key: &'a str,
    /// What it is, in a few words.
    pub description: &'a str,
    /// How errors name it.
    pub what: &'a str,
}

impl Scratchpad {
    /// Stores a text under a key.
    ///
    /// # Errors
    /// A key that is bad or taken; content that is empty or no text; a disk that is full or not
    /// writable. Nothing is stored then.
    pub fn save(
        &mut self,
        Label { key, description, what }: Label<'_>,
        source: impl Read,
        counter: &dyn CountTokens,
    ) -> Result<ScratchItem, PadError> {
        let key = bare(key).to_owned();
        check_key(&key)?;
        let path = self.path(&key);
        if self.items.iter().any(|item| *item.key == *key) || path.exists() {
            return Err(PadError::Taken(key));
        }
        disk::create_dir_for_good(&self.dir).map_err(write_error(&self.dir))?;
        let part = self.dir.join(format!("{key}.part"));
        let stored = stream(source, &part, what, &self.disk).and_then(|(bytes, lines)| {
            let named = fs::rename(&part, &path).and_then(|()| self.disk.sync_names(&self.dir));
            named.map_err(write_error(&path))?;
            let mut item = ScratchItem {
                key: key.into(),
                description: Self::described(description).into(),
                bytes,
                lines,
                chunks: Self::chunks(bytes),
                tokens: Tokens(0),
                exact: bytes <= COUNTED_BYTES,
            };
            item.tokens = self.tokens(&item, counter)?;
            Ok(item)
        });
        let item = stored.inspect_err(|_| {
            // Best effort: the disk may be full. What it did not confirm, or does not give back, is not stored.
            let _ = fs::remove_file(&part);
            let _ = fs::remove_file(&path);
        })?;
        self.items.push(item.clone());
        self.index_item(&item);
        Ok(item)
    }

    /// Stores a text under a key, unless somebody asks for the end before all of it is stored.
    ///
    /// # Errors
    /// As [`Scratchpad::save`], and when it was stopped.
    pub fn save_unless(
        &mut self,
        stop: &StopFlag,
        label: Label<'_>,
        source: impl Read,
        counter: &dyn CountTokens,
    ) -> Result<ScratchItem, PadError> {
        let saved = self.save(label, stop.reading(source), counter);
        if saved.is_err() && stop.is_stopped() {
            return Err(PadError::Stopped(label.what.to_owned()));
        }
        saved
    }

    /// Stores a file under a key made from its name; what is kept already is not kept twice.
    ///
    /// # Errors
    /// As [`Scratchpad::save_unless`], and when the file cannot be read or may never end, as a pipe.
    pub fn attach(
        &mut self,
        file: &Path,
        counter: &dyn CountTokens,
        stop: &StopFlag,
    ) -> Result<ScratchItem, PadError> {
        let path = file.to_owned();
        let opened = stop.leaving(move || open_source(&path));
        let name = files::name_of(file);
        let Ok(opened) = opened else { return Err(PadError::Stopped(name)) };
        let (source, small) = opened?;
        if let Some(item) = small.and_then(|text| self.same_text(&text)) {
            return Ok(item.clone());
        }
        self.save_source(stop, &name, source, counter)
    }

    /// Stores what a source holds that may keep its reader waiting for ever: once the end is asked for, the
    /// source is left behind, and nothing else with it.
    pub(super) fn save_source(
        &mut self,
        stop: &StopFlag,
        name: &str,
        source: impl Read + Send + 'static,
        counter: &dyn CountTokens,
    ) -> Result<ScratchItem, PadError> {
        let label = Label { key: &self.free_key(name), description: name, what: name };
        self.save_unless(stop, label, stop.reading_apart(source), counter)
    }

    /// Writes an item's text into a new file.
    ///
    /// # Errors
    /// An unknown key, a file that exists, or one that cannot be written; no part of it is left then.
    pub fn copy_out(&self, key: &str, target: &Path) -> Result<u64, PadError> {
        let path = self.path(&self.item(key)?.key);
        if target.is_dir() {
            return Err(PadError::Directory(target.to_owned()));
        }
        let mut source = File::open(&path).map_err(|source| PadError::Read { path, source })?;
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => PadError::Exists(target.to_owned()),
            _ => write_error(target)(source),
        };
        let new = NewFile::begin(target, Readers::Owner).map_err(failed)?;
        let copied = new.writer().and_then(|mut copy| io::copy(&mut source, &mut copy));
        let bytes = copied.map_err(failed)?;
        new.publish().map(|()| bytes).map_err(failed)
    }

    fn tokens(&self, item: &ScratchItem, counter: &dyn CountTokens) -> Result<Tokens, PadError> {
        if item.exact {
            return Ok(counter.count(&self.text(item, 0, item.bytes)?));
        }
        let step = item.bytes / SAMPLES;
        let samples = (0..SAMPLES).map(|nth| self.text(item, nth * step, SAMPLE_BYTES));
        let (mut bytes, mut tokens) = (0, 0);
        for sample in samples {
            let sample = sample?;
            bytes += sample.len() as u64;
            tokens += counter.count(&sample).0;
        }
        Ok(Tokens(item.bytes.saturating_mul(tokens) / bytes.max(1)))
    }

    /// The index is derived: a line that cannot be written is made anew when the session is opened.
    pub(super) fn index_item(&mut self, item: &ScratchItem) {
        if self.index.is_none() {
            self.index =
                Appender::open(&self.dir.join("index.jsonl"), &self.disk, &mut Vec::new()).ok();
        }
        let line = format!("{}\n", item_fields(item));
        if let Some(index) = &mut self.index
            && let Err(error) = index.append(line.as_bytes())
        {
            tracing::warn!("the scratchpad's index is behind: {error}");
        }
    }
}

/// Opens a file to be stored, with its text if it is small: whoever has kept the same needs no copy.
fn open_source(file: &Path) -> Result<(File, Option<String>), PadError> {
    let read_error = |source| PadError::Read { path: file.to_owned(), source };
    let data = fs::metadata(file).map_err(read_error)?;
    if data.is_dir() {
        return Err(PadError::Directory(file.to_owned()));
    }
    if !data.is_file() || is_log_of_system(file) {
        return Err(PadError::NoFile(file.to_owned()));
    }
    let source = File::open(file).map_err(read_error)?;
    // A file of the system may have no length, and its text can be read once only.
    if data.len() == 0 || data.len() > REUSED_BYTES {
        return Ok((source, None));
    }
    Ok((source, fs::read_to_string(file).ok()))
}

/// Whether a file is one of those that pass for ordinary ones and go on for ever, as a pipe does.
fn is_log_of_system(file: &Path) -> bool {
    fs::canonicalize(file).is_ok_and(|path| {
        let is_trace = path.starts_with("/sys/kernel") && path.ends_with("trace_pipe");
        is_trace || path == Path::new("/proc/kmsg")
    })
}

/// Copies a source that must be text, and returns its bytes and lines. A large one is synced on the way, so
/// that no sync takes long.
fn stream(
    mut source: impl Read,
    part: &Path,
    what: &str,
    disk: &Disk,
) -> Result<(u64, u64), PadError> {
    let file = files::create(part).map_err(write_error(part))?;
    let mut file = BufWriter::with_capacity(BLOCK, file);
    let mut buffer = vec![0; BLOCK];
    let (mut held, mut bytes, mut ends, mut unsynced) = (0, 0_u64, 0_u64, 0);
    let mut last = b'\n';
    loop {
        let read = match source.read(&mut buffer[held..]) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(PadError::Read { path: what.into(), source }),
        };
        let filled = held + read;
        let whole = check_text(&buffer[..filled], read == 0, bytes, what)?;
        file.write_all(&buffer[..whole]).map_err(write_error(part))?;
        bytes += whole as u64;
        unsynced += whole;
        if unsynced > SYNCED_BYTES {
            synced(&mut file, part, disk)?;
            unsynced = 0;
        }
        ends += buffer[..whole].iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
        last = buffer[..whole].last().copied().unwrap_or(last);
        buffer.copy_within(whole..filled, 0);
        held = filled - whole;
        if read == 0 {
            break;
        }
    }
    if bytes == 0 {
        return Err(PadError::Empty(what.to_owned()));
    }
    synced(&mut file, part, disk)?;
    Ok((bytes, ends + u64::from(last != b'\n')))
}

#[cfg_attr(test, track_caller)]
fn synced(file: &mut BufWriter<File>, part: &Path, disk: &Disk) -> Result<(), PadError> {
    file.flush().map_err(write_error(part))?;
    disk.sync(file.get_ref(), part).map_err(write_error(part))
}

/// How many of the bytes are whole characters; the rest of the last one is still to come unless this is
/// the end.
fn check_text(bytes: &[u8], at_end: bool, before: u64, what: &str) -> Result<usize, PadError> {
    let binary =
        |at: usize, why| PadError::Binary { what: what.to_owned(), at: before + at as u64, why };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(binary(at, "zero"));
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(bytes.len()),
        Err(error) if error.error_len().is_none() && !at_end => Ok(error.valid_up_to()),
        Err(error) => Err(binary(error.valid_up_to(), "no UTF-8")),
    }
}

fn write_error(path: &Path) -> impl Fn(io::Error) -> PadError + '_ {
    |source| PadError::Write { path: path.to_owned(), source }
}
