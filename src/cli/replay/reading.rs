//! Reading what is to be replayed.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::left_out::LeftOut;
use super::spans;
use super::twins::Twins;
use crate::cli::input::{Spooled, Watched, is_standard_input, named, session};
use crate::cli::places;
use crate::cli::progress::Progress;
use crate::cli::{Error, Streams};
use crate::counted::{counted, grouped};
use crate::memory::{CountTokens, Tokens};
use crate::read::{self, Bytes, Event, Format, Outcome, Reader, Tally, Used};
use crate::replay::{Conversation, Held, Loss, Losses, Part, Rows, Texts, Turns};

/// What was read of all files.
pub(super) struct Read {
    pub(super) conversation: Arc<Conversation>,
    /// What each mark's compaction lost, and the file that tells of it, if that was asked for.
    pub(super) losses: Vec<(Loss, PathBuf)>,
    pub(super) recorded: Rows<Used>,
    /// The files and what became of their records.
    pub(super) told: Value,
}

/// Reads conversations one after the other.
pub(super) struct Reading<'a> {
    /// Counts tokens.
    pub(super) counter: &'a Arc<dyn CountTokens>,
    /// Whether to find out what compactions lost.
    pub(super) with_losses: bool,
    /// Whether what is held by reference is there to be read, for a session that stays.
    pub(super) with_texts: bool,
    /// What was named on the command line: it is read, whoever's it is.
    pub(super) named: &'a [PathBuf],
    /// What came through the standard input, if that was named.
    pub(super) spooled: Option<Spooled>,
}

impl Reading<'_> {
    /// Reads the files; those beside a conversation count for what they cost alone. One of many that is no
    /// conversation is told and left out. A result is held by reference from so many tokens on as the `limit` says.
    pub(super) fn read(
        &self,
        files: &[PathBuf],
        limit: Tokens,
        streams: &mut Streams<'_>,
    ) -> Result<Read, Error> {
        let mut readings = Readings::of(self, files, limit)?;
        for (nth, file) in self.longest_first(files) {
            readings.take(nth, file, streams)?;
        }
        readings.settle(streams)
    }

    /// Whether a file was named, and not as one of all that stand together in a folder of Claude Code's.
    fn is_named(&self, file: &Path) -> bool {
        self.named.iter().any(|named| named == file)
            && (self.named.len() == 1 || !places::is_placed_aside(file))
    }

    /// The files with their places. The longest one comes first: of a conversation and a copy that breaks off, the whole one
    /// is told as one, and nothing of the copy. What begins as a copy of another one comes behind that and all that do not,
    /// however long it is: its own are the last words of it.
    fn longest_first<'f>(&self, files: &'f [PathBuf]) -> Vec<(usize, &'f PathBuf)> {
        let mut all: Vec<_> = files.iter().enumerate().collect();
        if all.len() > 1 {
            let forks: Vec<_> = files.iter().map(|file| places::fork(file)).collect();
            let parents = forks.iter().flatten().map(|(id, parent)| (&**id, parent.as_deref()));
            let parents: HashMap<&str, Option<&str>> = parents.collect();
            all.sort_by_cached_key(|(nth, file)| {
                let parent = forks[*nth].as_ref().and_then(|(_, parent)| parent.as_deref());
                (generations(parent, &parents), std::cmp::Reverse(self.length(file)))
            });
        }
        all
    }

    /// The bytes that are read of a file: all of them twice.
    fn length(&self, file: &Path) -> u64 {
        let length = match &self.spooled {
            Some(spooled) if is_standard_input(file) => spooled.length(),
            _ => std::fs::metadata(file).map_or(0, |known| known.len()),
        };
        2 * length
    }
}

/// What is read of the files, as it comes.
struct Readings<'a> {
    reading: &'a Reading<'a>,
    files: &'a [PathBuf],
    limit: Tokens,
    reader: Reader,
    tally: Tally,
    texts: Texts,
    held: Held,
    /// The conversations, each with the place of its file and what its compactions lost.
    each: Vec<(usize, Part, Vec<Loss>)>,
    twins: Twins,
    /// What their programs call them beside them.
    names: places::Names,
    course: RefCell<Course>,
    /// How many files were read, and how many of subagents.
    read: usize,
    asides: u64,
    /// How many have each form.
    forms: BTreeMap<&'static str, u64>,
    unknown: LeftOut,
    others: LeftOut,
    /// Where files are damaged.
    damaged: Vec<Value>,
}

impl<'a> Readings<'a> {
    fn of(reading: &'a Reading<'a>, files: &'a [PathBuf], limit: Tokens) -> Result<Self, Error> {
        let texts = Texts::new().map_err(|reason| failed(&reason))?;
        let held = if reading.with_texts { Held::with_texts() } else { Ok(Held::default()) };
        let of = files.iter().map(|file| reading.length(file)).sum();
        Ok(Self {
            reading,
            files,
            limit,
            reader: if files.len() == 1 { Reader::of_one() } else { Reader::default() },
            tally: Tally::default(),
            texts,
            held: held.map_err(|reason| failed(&reason))?,
            each: Vec::new(),
            twins: Twins::among(files),
            names: places::Names::default(),
            course: RefCell::new(Course::new(of)),
            read: 0,
            asides: 0,
            forms: BTreeMap::new(),
            unknown: LeftOut::default(),
            others: LeftOut::default(),
            damaged: Vec::new(),
        })
    }

    /// Reads a file, which is that of this place among all; one of many that cannot be read is told.
    fn take(&mut self, nth: usize, file: &Path, streams: &mut Streams<'_>) -> Result<(), Error> {
        // A session is more than the file that it is found by.
        let content = if places::is_session(file) { None } else { self.twins.content(file) };
        let length = self.reading.length(file);
        if self.twins.leaves_out(file, content, streams) {
            self.course.get_mut().end(length);
            return Ok(());
        }
        let read = self.read(file, streams);
        self.course.get_mut().end(length);
        match read {
            Ok(None) => self.asides += 1,
            Ok(Some((part, losses, mut read))) => {
                self.tell_damage(file, &mut read.tally, streams);
                self.tally.add(&read.tally);
                *self.forms.entry(read.format.row().name).or_default() += 1;
                self.read += 1;
                self.twins.is_read(file, content);
                add_conversations(&mut self.each, nth, part, losses);
            }
            Err(error) if self.files.len() == 1 => {
                let list = match &error {
                    read::Error::Io(reason) if reason.kind() == io::ErrorKind::NotFound => LIST,
                    _ => "",
                };
                return Err(Error::unread(&error, format!("{}: {error}{list}", named(file))));
            }
            Err(read::Error::Unknown) => {
                self.unknown.name(file, "its form is not known", streams);
            }
            Err(error) => self.others.name(file, error, streams),
        }
        Ok(())
    }

    /// Tells where a file is damaged.
    fn tell_damage(&mut self, file: &Path, tally: &mut Tally, streams: &mut Streams<'_>) {
        for gap in tally.told_gaps() {
            streams.tell(format_args!("{}: {gap}", named(file)));
        }
        for gap in std::mem::take(&mut tally.gaps) {
            self.damaged.push(json!({
                "file": file.display().to_string(), "member": gap.member, "at": gap.at,
                "from": gap.from, "to": gap.to, "read_on": gap.read_on,
            }));
        }
    }

    /// What a file holds; `None` of one that counts for what it cost alone.
    fn read(
        &mut self,
        file: &Path,
        streams: &mut Streams<'_>,
    ) -> Result<Option<(Part, Vec<Loss>, Outcome)>, read::Error> {
        let own = places::is_session(file).then(|| session(file)).transpose();
        let own = own.map_err(|reason| io::Error::new(reason.kind(), reason.to_string()))?;
        let (course, streams) = (&self.course, RefCell::new(streams));
        let seen = |bytes| course.borrow_mut().seen(bytes, &mut streams.borrow_mut());
        let spooled = self.reading.spooled.as_ref().filter(|_| is_standard_input(file));
        let watched = Watched { path: file, spooled, seen: &seen };
        let source: &dyn Bytes = match &own {
            Some(own) => own,
            None => &watched,
        };
        if !self.reading.is_named(file) && places::is_aside(file) {
            // A subagent's window is another one.
            return self.reader.read_usage(source).map(|_| None);
        }
        let name = self.names.of(file);
        let counter = &**self.reading.counter;
        let turns = Turns::new(counter, self.limit.0, &mut self.texts).holding(&mut self.held);
        let mut losses = Losses::default();
        let (part, outcome) = turns.take_all(|take| {
            let mut see = |mut event: Event| {
                if let (Event::Begins { title, .. }, Some(name)) = (&mut event, &name) {
                    title.clone_from(name);
                }
                if self.reading.with_losses {
                    losses.take(&event);
                }
                take(event);
            };
            self.reader.read(source, &mut see)
        });
        Ok(Some((part, losses.found().to_vec(), outcome?)))
    }

    /// All that was read, once what is to be said of it is told.
    fn settle(mut self, streams: &mut Streams<'_>) -> Result<Read, Error> {
        self.unknown.tell_others(" of no known form", streams);
        self.others.tell_others(" that cannot be replayed", streams);
        self.twins.tell_others(streams);
        self.each.sort_by_key(|(nth, part, _)| (part.at, *nth));
        let (files, of, unknown) = (self.read, self.files.len(), !self.unknown.is_empty());
        let heard = Heard { files, of, asides: self.asides, unknown, forms: self.forms };
        heard.tell(&self.tally, streams);
        let mut told = heard.as_json(&self.tally);
        let lengths = self.each.iter().map(|(nth, part, _)| (*nth, part.len()));
        told["damaged"] = Value::from(std::mem::take(&mut self.damaged));
        told["turns"] = spans::told(&spans::of(lengths), self.files, streams);
        let recorded = recorded(&self.reader, streams);
        drop(self.reader);
        let (parts, losses): (Vec<_>, Vec<_>) = self
            .each
            .into_iter()
            .map(|(nth, part, losses)| (part, beside(losses, &self.files[nth])))
            .unzip();
        let conversation = Conversation::of(self.texts, parts);
        let conversation = conversation.and_then(|all| all.holding(self.held));
        let conversation = Arc::new(conversation.map_err(|reason| failed(&reason))?);
        if conversation.is_empty() {
            return Err(Error::Failed("nobody says anything in what was read".to_owned()));
        }
        Ok(Read { conversation, losses: losses.concat(), recorded, told })
    }
}

/// How many conversations one goes on from, each from the next, of which the first is its parent.
fn generations<'a>(parent: Option<&'a str>, parents: &HashMap<&'a str, Option<&'a str>>) -> usize {
    let next = |id: &&'a str| parents.get(id).copied().flatten();
    // In a circle none is the first.
    std::iter::successors(parent, next).take(parents.len() + 1).count()
}

/// What helps who names a file that is not there.
const LIST: &str = ", or see what there is: `ebbtide replay --from NAME --list`";

/// Losses, each with the file that tells of it.
fn beside(losses: Vec<Loss>, file: &Path) -> Vec<(Loss, PathBuf)> {
    losses.into_iter().map(|loss| (loss, file.to_owned())).collect()
}

/// Adds the conversations of a file, each with the losses of its own compactions: those of all files are put in the order
/// in which they began, however they were packed.
fn add_conversations(
    each: &mut Vec<(usize, Part, Vec<Loss>)>,
    nth: usize,
    part: Part,
    losses: Vec<Loss>,
) {
    let mut losses = losses.into_iter();
    for part in part.conversations() {
        let own = losses.by_ref().take(part.compactions()).collect();
        each.push((nth, part, own));
    }
}

/// What became of the files.
struct Heard {
    files: usize,
    of: usize,
    /// Those of subagents.
    asides: u64,
    /// Some are of no known form.
    unknown: bool,
    /// How many have each form.
    forms: BTreeMap<&'static str, u64>,
}

impl Heard {
    fn tell(&self, tally: &Tally, streams: &mut Streams<'_>) {
        let (files, of) = (grouped(self.files as u64), counted(self.of as u64, "file"));
        let forms = read_as(&self.forms);
        streams.tell(format_args!("{files} of {of}: {tally}{forms}"));
        if self.unknown {
            streams.tell(format_args!("known are: {}", Format::names()));
        }
        if self.asides > 0 {
            let (of, are, their) = if self.asides == 1 {
                ("a subagent", "is", "its")
            } else {
                ("subagents", "are", "their")
            };
            let files = counted(self.asides, "file");
            streams.tell(format_args!(
                "{files} of {of} {are} left out; what {their} requests cost is counted"
            ));
        }
    }

    fn as_json(&self, tally: &Tally) -> Value {
        json!({
            "files": self.files, "of": self.of, "of_subagents": self.asides, "forms": self.forms,
            "read": tally.read, "used": tally.used(), "skipped": tally.skipped,
        })
    }
}

/// `; read as a Codex rollout`, and of several forms how many files each has.
fn read_as(forms: &BTreeMap<&'static str, u64>) -> String {
    let one = |(name, files): (&&str, &u64)| match forms.len() {
        1 => (*name).to_owned(),
        _ => format!("{name} ({})", grouped(*files)),
    };
    let all: Vec<String> = forms.iter().map(one).collect();
    if all.is_empty() { String::new() } else { format!("; read as {}", all.join(", ")) }
}

/// How far reading has come. Most logs are read twice.
struct Course {
    progress: Progress,
    done: u64,
    /// What is done when the file ends that is read.
    ended: u64,
    of: u64,
}

impl Course {
    fn new(of: u64) -> Self {
        Self { progress: Progress::start(), done: 0, ended: 0, of }
    }

    fn seen(&mut self, bytes: u64, streams: &mut Streams<'_>) {
        self.done += bytes;
        if let Some(left) = self.progress.left(self.done, self.of) {
            streams.tell(format_args!("{}, {left:.0} s left", self.told()));
        }
    }

    /// How much of all is read: short files are read three times.
    fn told(&self) -> String {
        let [done, of] = [self.done.min(self.of), self.of].map(|bytes| grouped(bytes / 2_000_000));
        format!("read {done} of {of} MB")
    }

    fn end(&mut self, length: u64) {
        self.ended += length;
        self.done = self.ended;
    }
}

/// What was said cannot be kept or read.
pub(super) fn failed(reason: &io::Error) -> Error {
    Error::Failed(reason.to_string())
}

/// What the requests took that the logs tell of.
fn recorded(reader: &Reader, streams: &mut Streams<'_>) -> Rows<Used> {
    let mut recorded = Rows::default();
    let impossible = reader.ledger().each_request(|used| recorded.push(used));
    if impossible > 0 {
        streams.tell(format_args!(
            "not counted, as told with more tokens than any model takes: {}",
            counted(impossible as u64, "request")
        ));
    }
    recorded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_there_is() {
        let mut course = Course::new(8_000_000);
        for (bytes, told) in [(4_000_000, 2), (4_000_000, 4), (2_000_000, 4)] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            course.seen(bytes, &mut Streams { out: &mut out, err: &mut err });
            assert_eq!(course.told(), format!("read {told} of 4 MB"));
        }
    }
}
