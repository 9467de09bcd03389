//! The second file of the index: all that follows from the log up to a place in it. Replaced whole.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::code::Reader;
use super::log::Pieces;
use super::postings::Postings;
use super::sums::{Summed, sum_of};
use super::table::Table;
use super::vocabulary::Vocabulary;
use super::{Index, log};

/// The file's name.
pub(super) const NAME: &str = "said.blocks";

/// Its first bytes; the number of the form is the last of them. Then come a sum over all that follows the head and where
/// the terms, the rows and the blocks begin, eight bytes each; the tables, the terms, the rows, the blocks.
const MAGIC: &[u8; 8] = b"ebbsaib2";
const HEAD: u64 = 40;

/// Where the parts of the file begin, and its end.
struct Places {
    terms: u64,
    rows: u64,
    blocks: u64,
    end: u64,
}

/// Takes in what the file holds and says how far in the log it goes; `None`, and nothing is taken in, if
/// there is none, or it is broken, or of another log.
pub(super) fn read(index: &mut Index) -> Option<u64> {
    let path = index.directory.join(NAME);
    let places = check(&path, index.log.id)?;
    let open = || File::open(&path).ok().map(Pieces::new);
    let tables = open()?.read(HEAD, (places.terms - HEAD) as usize).ok()?;
    let mut reader = Reader(&tables);
    let upto = reader.number().filter(|upto| (log::START..=index.log.written()).contains(upto))?;
    let count = reader.small()? as usize;
    let table = Table::read(&mut reader)?;
    let length = places.rows - places.terms;
    let vocabulary = Vocabulary::read(open()?, places.terms, length, count)?;
    let postings = Postings::in_file(open()?, places.rows, places.blocks, places.end)?;
    (index.vocabulary, index.table, index.postings) = (vocabulary, table, postings);
    Some(upto)
}

/// The places in a whole file of the log of this number.
fn check(path: &Path, id: u64) -> Option<Places> {
    let mut file = File::open(path).ok()?;
    let end = file.metadata().ok()?.len();
    let head = Pieces::new(file.try_clone().ok()?).read(0, HEAD as usize).ok()?;
    let numbers: Vec<u64> = head.as_chunks().0.iter().copied().map(u64::from_le_bytes).collect();
    let [magic, sum, terms, rows, blocks] = numbers[..] else { return None };
    (magic == u64::from_le_bytes(*MAGIC)).then_some(())?;
    [HEAD, terms, rows, blocks, end].is_sorted().then_some(())?;
    (sum_of(&mut file, HEAD, id).ok()? == sum).then_some(Places { terms, rows, blocks, end })
}

/// Writes the file anew and goes on with it. Everything must be in the log's file. It ends early, and nothing has
/// changed, once it is not to go on; says whether it was written.
pub(super) fn write(index: &mut Index, goes_on: impl Fn() -> bool) -> io::Result<bool> {
    let path = index.directory.join(NAME);
    let temporary = index.directory.join("said.blocks.tmp");
    let _ = fs::remove_file(&temporary);
    let mut file = log::private().open(&temporary)?;
    file.write_all(&[0; HEAD as usize])?;
    let mut to = Summed::behind(file, HEAD, index.log.id);
    to.add_number(index.log.written())?;
    to.add_number(index.vocabulary.len() as u64)?;
    index.table.write(&mut to)?;
    let terms = to.length();
    let groups = index.vocabulary.write(&mut to)?;
    let rows = to.length();
    index.postings.write_rows(&mut to)?;
    let blocks = to.length();
    if !index.postings.write_blocks(&mut to, goes_on)? {
        fs::remove_file(&temporary)?;
        return Ok(false);
    }
    let end = to.length();
    let (mut file, sum) = to.end()?;
    file.seek(SeekFrom::Start(0))?;
    let numbers = [sum, terms, rows, blocks].map(u64::to_le_bytes);
    file.write_all(&[&MAGIC[..], numbers.as_flattened()].concat())?;
    fs::rename(&temporary, &path)?;
    let open = || File::open(&path).map(Pieces::new);
    let Some(postings) = Postings::in_file(open()?, rows, blocks, end) else {
        return Err(io::Error::other("it was changed while it was written"));
    };
    index.vocabulary.go_on_in(open()?, terms, rows - terms, groups);
    index.postings = postings;
    Ok(true)
}
