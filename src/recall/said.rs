//! One index of everything said: passages of about three messages with their day and place, beside the
//! summaries, on disk.
//!
//! A document is an effort, a stretch of ambient talk, a note or a large text; its passages and its summary
//! are indexed one by one and never change. [`Index::add`] adds what was just said, in time that does not grow
//! with the history, and it is found from then on. A query ranks the documents, and names the passages in each
//! that match best.
//!
//! The index is derived. It holds no text: whoever asks reads a passage where it was said. On disk it is a log
//! of what was added (`said.log`) and, made from it now and then, the blocks that make looking fast
//! (`said.blocks`). What is broken or missing is made anew from the log, and what the log lacks is told by
//! [`Index::messages`], so that it can be added again.

mod bits;
mod blocks;
mod chance;
mod code;
mod days;
mod error;
mod few;
mod german;
mod hit;
mod later;
mod log;
mod met;
mod misspelt;
mod pairs;
mod passages;
mod postings;
mod query;
mod rank;
mod record;
mod related;
mod romance;
mod score;
mod shortened;
mod slots;
mod stretches;
mod sums;
mod table;
#[cfg(test)]
mod tests;
mod view;
mod vocabulary;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub use super::terms::Heard;
pub use error::Problem;
pub use hit::{Hit, Passage};
pub use jiff::civil::Date;
pub use rank::Weights;
pub use record::Place;
pub use related::AsTyped;

use days::Day;
use log::Log;
use postings::Postings;
use record::Record;
use score::Scores;
use table::Table;
use vocabulary::Vocabulary;

/// The log's file.
const LOG: &str = "said.log";

/// What a document stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The effort of this id.
    Effort(String),
    /// What was said outside of efforts.
    Ambient,
    /// The note of this number.
    Note(u64),
    /// The large text under this key.
    Text(String),
}

impl fmt::Display for Source {
    /// As results name it: an effort's id, `ambient`, `n3`, `ref:key`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Effort(id) => f.write_str(id),
            Self::Ambient => f.write_str("ambient"),
            Self::Note(number) => write!(f, "n{number}"),
            Self::Text(key) => write!(f, "ref:{key}"),
        }
    }
}

/// Something that was said.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// To what it belongs.
    pub source: &'a Source,
    /// The turn that it was said in.
    pub turn: u64,
    /// The day, if it is known.
    pub day: Option<Date>,
}

/// Everything said in a session, to be found again.
#[derive(Debug)]
pub struct Index {
    directory: PathBuf,
    log: Log,
    vocabulary: Vocabulary,
    table: Table,
    postings: Postings,
    /// Room for the scores of a query.
    scores: Mutex<Scores>,
    /// A record of the log turned out to be broken.
    damaged: AtomicBool,
}

impl Index {
    /// Opens the index in a directory, which is made if it is missing. Whatever stands there, the index
    /// answers: what is broken is left out, and where it cannot be written, it goes on in this process only.
    /// `id` is a number that no earlier index had.
    pub fn open(directory: &Path, id: u64) -> (Self, Option<Problem>) {
        // If this fails, opening the log says why. A session that was cleared away meanwhile is not made again.
        let _ = log::make_directory(directory);
        let (log, problem) = Log::open(&directory.join(LOG), id);
        let mut index = Self::empty(directory, log);
        let read_upto = blocks::read(&mut index).unwrap_or(log::START);
        let broken = index.replay(read_upto);
        (index, problem.or(broken))
    }

    /// An index of this process only.
    pub fn in_memory() -> Self {
        Self::empty(Path::new(""), Log::in_memory(0))
    }

    fn empty(directory: &Path, log: Log) -> Self {
        Self {
            directory: directory.to_owned(),
            log,
            vocabulary: Vocabulary::default(),
            table: Table::default(),
            postings: Postings::default(),
            scores: Mutex::default(),
            damaged: AtomicBool::new(false),
        }
    }

    /// Whether a part of the log turned out to be broken that was whole when the blocks were made. Then
    /// [`Index::clear`] and adding everything again mends it.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Opens the index in a directory as [`Index::open`] does, and writes nothing to it: what is added is found in
    /// this process only.
    pub fn look(directory: &Path, id: u64) -> Self {
        let log = Log::open_to_read(&directory.join(LOG), id);
        let mut index = Self::empty(directory, log);
        let read_upto = blocks::read(&mut index).unwrap_or(log::START);
        index.replay(read_upto);
        index
    }

    /// Begins anew, with nothing. `id` is a number that no earlier index had.
    pub fn clear(self, id: u64) -> (Self, Option<Problem>) {
        let directory = self.directory.clone();
        if self.log.may_write() {
            drop(self);
            for name in [LOG, blocks::NAME] {
                // What stays is as broken as it was.
                let _ = std::fs::remove_file(directory.join(name));
            }
            return Self::open(&directory, id);
        }
        let log = Log::in_memory(id);
        (Self::empty(&directory, log), None)
    }

    /// How many messages of a source are indexed; the next one has this number.
    pub fn messages(&self, source: &Source) -> u32 {
        match source {
            Source::Ambient => self.table.ambient(),
            _ => self
                .table
                .number(&passages::key(source))
                .map_or(0, |number| self.table.messages(number)),
        }
    }

    /// Number of documents and of passages, those that were replaced or forgotten included.
    pub fn size(&self) -> (usize, usize) {
        (self.table.documents(), self.table.passages())
    }

    /// Indexes messages, the first of which has the number `first` in its source. Those that are indexed
    /// already are passed over.
    pub fn add(&mut self, said: Said, first: u32, messages: &[&str]) {
        let known = self.messages(said.source).saturating_sub(first) as usize;
        let new = messages.get(known..).unwrap_or_default();
        for piece in passages::cut(first + known as u32, new) {
            let key = match said.source {
                Source::Ambient => {
                    passages::ambient_key(passages::ambient_block(piece.range.start))
                }
                source => passages::key(source),
            };
            let place = Place::Messages { range: piece.range, part: piece.part };
            self.add_passage(key, place, said, &piece.text);
        }
    }

    /// Indexes a summary, in place of the one before; of one that is longer than any should be, its beginning.
    pub fn add_summary(&mut self, said: Said, summary: &str) {
        let begins = passages::of_summary(summary);
        self.add_passage(passages::key(said.source), Place::Summary, said, begins);
    }

    /// Whether a source has a summary.
    pub fn has_summary(&self, source: &Source) -> bool {
        let number = self.table.number(&passages::key(source));
        number.and_then(|number| self.table.summary(number)).is_some()
    }

    /// Whether the summary of a source has the words of a text.
    pub fn holds_summary(&self, source: &Source, text: &str) -> bool {
        let number = self.table.number(&passages::key(source));
        let summary = number.and_then(|number| self.table.summary(number));
        let Some(passage) = summary.and_then(|summary| self.passage(summary)) else { return false };
        let known = |term: &String| self.vocabulary.number(term);
        let terms = super::terms::terms(passages::of_summary(text));
        let terms: Option<Vec<u32>> = terms.iter().map(known).collect();
        terms.is_some_and(|terms| terms == passage.terms)
    }

    /// Forgets the messages of a source from one on, because they were taken back.
    pub fn forget(&mut self, source: &Source, from: u32) {
        let keys = match source {
            Source::Ambient => {
                let last = passages::ambient_block(self.table.ambient());
                (passages::ambient_block(from)..=last).map(passages::ambient_key).collect()
            }
            _ => vec![passages::key(source)],
        };
        for document in keys.iter().filter_map(|key| self.table.number(key)).collect::<Vec<_>>() {
            let is_late =
                |&passage: &u32| self.first_message(passage).is_some_and(|one| one >= from);
            let passages = self.table.of(document).filter(is_late).collect();
            let messages = self.table.messages(document).min(from);
            self.put(&Record::Forget { document, messages, passages }, self.vocabulary.len());
        }
    }

    /// Forgets a summary, if there is one, because its effort was reopened.
    pub fn forget_summary(&mut self, source: &Source) {
        let Some(document) = self.table.number(&passages::key(source)) else { return };
        let Some(summary) = self.table.summary(document) else { return };
        let (messages, passages) = (self.table.messages(document), vec![summary]);
        self.put(&Record::Forget { document, messages, passages }, self.vocabulary.len());
    }

    /// Writes what was added since the last call: a single write, not synced, since all of it can be made
    /// anew.
    ///
    /// # Errors
    /// When the file cannot be written; what was added is found all the same, and written next time.
    pub fn save(&mut self) -> Result<(), Problem> {
        let path = self.directory.join(LOG);
        self.log.write().map_err(|source| Problem::NotSaved { path, source })
    }

    /// Writes what was added to an index that was only looked at. Nothing is written if it has changed since, or if it
    /// cannot be written.
    pub fn keep(&mut self) {
        if self.log.end() == self.log.written() {
            return;
        }
        // If this fails, nothing can be written.
        let _ = log::make_directory(&self.directory);
        if self.log.take_over(&self.directory.join(LOG)) {
            // What could not be written is made anew the next time.
            let _ = self.save().and_then(|()| self.tidy(|| true));
            self.log.let_go();
        }
    }

    /// Bytes of memory that wait to be written.
    pub fn unsaved(&self) -> u64 {
        self.log.end() - self.log.written()
    }

    /// Those of the terms and blocks that are in no file.
    pub fn held(&self) -> u64 {
        self.postings.in_memory() + self.vocabulary.in_memory()
    }

    /// Whether so much was added that making the blocks anew pays.
    pub fn is_untidy(&self) -> bool {
        self.postings.is_untidy() && self.log.may_write()
    }

    /// Makes the blocks anew if enough was added for it to pay, in time that grows with the index; for quiet
    /// moments. It ends early, and nothing has changed, once `goes_on` says no. Says whether it did.
    ///
    /// # Errors
    /// When the file cannot be written; the index goes on with the old one.
    pub fn tidy(&mut self, goes_on: impl Fn() -> bool) -> Result<bool, Problem> {
        if !self.is_untidy() {
            return Ok(false);
        }
        self.save()?;
        let path = self.directory.join(blocks::NAME);
        blocks::write(self, goes_on).map_err(|source| Problem::NotSaved { path, source })
    }

    /// Writes all that is held to the files, if they can be written.
    ///
    /// # Errors
    /// As [`Index::tidy`].
    pub fn put_away(&mut self) -> Result<(), Problem> {
        self.save()?;
        if !self.log.may_write() {
            return Ok(());
        }
        let path = self.directory.join(blocks::NAME);
        let written = blocks::write(self, || true);
        written.map(|_| ()).map_err(|source| Problem::NotSaved { path, source })
    }

    fn add_passage(&mut self, key: String, place: Place, said: Said, text: &str) {
        let known = self.vocabulary.len();
        let terms = self.vocabulary.intern_all(text);
        let number = self.table.number(&key);
        let document = number.unwrap_or(self.table.documents() as u32);
        let key = number.is_none().then_some(key);
        let (turn, day) = (said.turn, Day::of(said.day));
        let passage = record::Passage { document, key, place, turn, day, terms };
        self.put(&Record::Passage(passage), known);
    }

    fn put(&mut self, record: &Record, known: usize) {
        let at = self.log.add(&record.write(&self.vocabulary, known));
        // It fits: it was made from what there is.
        let _ = apply(&mut self.table, &mut self.postings, at, record);
    }

    fn first_message(&self, passage: u32) -> Option<u32> {
        match self.passage(passage)?.place {
            Place::Summary => None,
            Place::Messages { range, .. } => Some(range.start),
        }
    }

    /// A passage as it was added.
    fn passage(&self, number: u32) -> Option<record::Passage> {
        let at = self.table.record(number)?;
        let record = self.log.content(at).and_then(|content| Record::read(&content, None));
        if let Some(Record::Passage(passage)) = record {
            return Some(passage);
        }
        self.tell_damage();
        None
    }

    /// A record is not what was written.
    fn tell_damage(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    /// Reads the log from a place on.
    fn replay(&mut self, from: u64) -> Option<Problem> {
        let length = self.log.written();
        let Self { log, vocabulary, table, postings, .. } = self;
        log.replay(from, |at, bytes| {
            let record = Record::read(bytes, Some(&mut *vocabulary))?;
            let known = vocabulary.len() as u32;
            let is_known = |terms: &[u32]| terms.iter().all(|&term| term < known);
            if let Record::Passage(passage) = &record {
                is_known(&passage.terms).then_some(())?;
            }
            apply(table, postings, at, &record)
        });
        let path = self.directory.join(LOG);
        (self.log.written() < length).then_some(Problem::Torn { path })
    }
}

fn apply(table: &mut Table, postings: &mut Postings, at: u64, record: &Record) -> Option<()> {
    match record {
        Record::Passage(passage) => {
            let number = table.add(passage, at)?;
            postings.add(number, &passage.terms);
            Some(())
        }
        Record::Forget { document, messages, passages } => {
            table.forget(*document, *messages, passages)
        }
    }
}
