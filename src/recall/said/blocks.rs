//! The second file of the index: tables and postings up to a place in the log. Replaced whole.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::code::{self, Reader};
use super::log::Pieces;
use super::postings::Postings;
use super::table::Table;
use super::vocabulary::Vocabulary;
use super::{Index, log};

/// The file's name.
pub(super) const NAME: &str = "said.blocks";

/// Its first bytes; the number of the form is the last of them. Then come the length of the tables, a sum
/// over them and one over the blocks, eight bytes each; the tables; the blocks.
const MAGIC: &[u8; 8] = b"ebbsaib1";
const HEAD: usize = 32;

/// Takes in what the file holds and says how far in the log it goes; `None`, and nothing is taken in, if
/// there is none, or it is broken, or of another log.
pub(super) fn read(index: &mut Index) -> Option<u64> {
    let path = index.directory.join(NAME);
    let length = fs::metadata(&path).ok()?.len();
    let file = Pieces::new(File::open(&path).ok()?);
    let head = file.read(0, HEAD).ok()?;
    (head.get(..8)? == MAGIC).then_some(())?;
    let number = |at: usize| Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
    let (tables, sum, sum_of_blocks) = (number(8)?, number(16)?, number(24)?);
    let start = tables.checked_add(HEAD as u64).filter(|start| *start <= length)?;
    let bytes = file.read(HEAD as u64, usize::try_from(tables).ok()?).ok()?;
    (code::hash(index.log.id, &bytes) == sum).then_some(())?;
    let mut reader = Reader(&bytes);
    let upto = reader.number().filter(|upto| (log::START..=index.log.written()).contains(upto))?;
    let vocabulary = Vocabulary::read(&mut reader)?;
    let table = Table::read(&mut reader)?;
    let postings = Postings::read(&mut reader)?.in_file(file, start, length)?;
    (sum_up(&path, start, postings.lengths()).ok()? == sum_of_blocks).then_some(())?;
    (index.vocabulary, index.table, index.postings) = (vocabulary, table, postings);
    Some(upto)
}

/// Writes the file anew and goes on with it. Everything must be in the log's file. It ends early, and nothing has
/// changed, once it is not to go on; says whether it was written.
pub(super) fn write(index: &mut Index, goes_on: impl Fn() -> bool) -> io::Result<bool> {
    let path = index.directory.join(NAME);
    let temporary = index.directory.join("said.blocks.tmp");
    let mut tables = Vec::new();
    code::put(&mut tables, index.log.written());
    index.vocabulary.write(&mut tables);
    index.table.write(&mut tables);
    index.postings.write(&mut tables);
    let _ = fs::remove_file(&temporary);
    let mut file = BufWriter::new(log::private().open(&temporary)?);
    file.write_all(&[0; HEAD])?;
    file.write_all(&tables)?;
    let mut sum_of_blocks = 0;
    let mut block = Vec::new();
    let is_whole = index.postings.blocks(|in_file, since| {
        block.clear();
        block.extend_from_slice(in_file);
        block.extend_from_slice(since);
        sum_of_blocks = code::hash(sum_of_blocks, &block);
        file.write_all(&block)?;
        Ok(goes_on())
    })?;
    if !is_whole {
        fs::remove_file(&temporary)?;
        return Ok(false);
    }
    let sum = code::hash(index.log.id, &tables);
    let numbers = [tables.len() as u64, sum, sum_of_blocks].map(u64::to_le_bytes);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&[&MAGIC[..], numbers.as_flattened()].concat())?;
    file.into_inner()?;
    fs::rename(&temporary, &path)?;
    let file = File::open(&path)?;
    let (start, length) = ((HEAD + tables.len()) as u64, file.metadata()?.len());
    if index.postings.go_on_in(Pieces::new(file), start, length) {
        return Ok(true);
    }
    Err(io::Error::other("it was changed while it was written"))
}

fn sum_up(path: &Path, start: u64, lengths: impl Iterator<Item = usize>) -> io::Result<u64> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    file.seek(SeekFrom::Start(start))?;
    let mut block = Vec::new();
    let mut sum = 0;
    for length in lengths {
        block.resize(length, 0);
        file.read_exact(&mut block)?;
        sum = code::hash(sum, &block);
    }
    Ok(sum)
}
