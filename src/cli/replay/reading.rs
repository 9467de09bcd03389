//! Finding what is to be replayed, and reading it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::left_out::LeftOut;
use super::spans;
use super::twins::Twins;
use crate::cli::input::{Spooled, Watched, is_standard_input, named, session};
use crate::cli::places;
use crate::cli::progress::Progress;
use crate::cli::{Error, Host, ReplayArguments, Streams};
use crate::counted::{counted, grouped};
use crate::memory::{CountTokens, Tokens};
use crate::read::{self, Bytes, Event, Format, Outcome, Reader, Tally, Used};
use crate::replay::{Conversation, Held, Loss, Losses, Part, Rows, Texts, Turns};

/// The files that are meant, each once, in the order in which they were named, and those of a folder in the order in which
/// they were written; a folder that cannot be read is told.
pub(super) fn found(
    replay: &ReplayArguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut closed) = (Vec::new(), Vec::new());
    // Whoever names several means all of them; one alone is told where it is read.
    let is_missing = |path: &&PathBuf| !is_standard_input(path) && !path.exists();
    if (replay.paths.len() > 1 || replay.from.is_some())
        && let Some(path) = replay.paths.iter().find(is_missing)
    {
        return Err(Error::Failed(format!(
            "there is no {}, so nothing was replayed; leave it out, or see what there is: `ebbtide replay --from NAME --list`",
            named(path)
        )));
    }
    for path in &replay.paths {
        if path.is_dir() && !is_standard_input(path) {
            let below = places::files_and_closed(path);
            files.extend(by_time(below.0));
            closed.extend(below.1);
        } else {
            files.push(path.clone());
        }
    }
    if let Some(origin) = replay.from {
        files.extend(by_time(places::files_of(origin, replay.project.as_deref(), host)));
    }
    let since = replay.since.and_then(|days| {
        SystemTime::now().checked_sub(Duration::from_secs(days.saturating_mul(86_400)))
    });
    let before = files.len();
    files.retain(|file| {
        since.is_none_or(|since| places::written(file).is_none_or(|at| at >= since))
    });
    if files.is_empty() {
        return Err(Error::Failed(nothing_found(replay, before, host)));
    }
    closed.sort_by(|one: &(PathBuf, io::Error), other| one.0.cmp(&other.0));
    for (folder, reason) in closed {
        streams.tell(format_args!("left out {}: it cannot be read: {reason}", named(&folder)));
    }
    let mut known = HashSet::new();
    files.retain(|file| known.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    Ok(files)
}

/// Files in the order in which they were written.
fn by_time(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.sort_by_cached_key(|file| (places::written(file), file.clone()));
    files
}

/// Why there is no file.
fn nothing_found(replay: &ReplayArguments, before: usize, host: &Host) -> String {
    let mut places: Vec<String> = replay.paths.iter().map(|path| named(path)).collect();
    places.extend(replay.from.map(|origin| places::told(&places::homes_of(origin, host))));
    let place = places.join(" and ");
    if let (Some(days), true) = (replay.since, before > 0) {
        let (files, days) = (counted(before as u64, "file"), counted(days, "day"));
        return format!(
            "no conversation was found in {place} that was written in the last {days} (--since), of {files} in all"
        );
    }
    let about = replay.project.as_ref();
    let about = about.map_or_else(String::new, |about| format!(" about {}", named(about)));
    let why = replay.paths.iter().find_map(|path| places::why_nothing(path));
    let why = match why {
        Some(why) => format!("; {why}"),
        None if replay.from.is_some() => {
            "; if they are kept elsewhere, name the folder: `ebbtide replay PATH`".to_owned()
        }
        None => String::new(),
    };
    format!("no conversation was found{about} in {place}{why}")
}

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
        let mut reader = if files.len() == 1 { Reader::of_one() } else { Reader::default() };
        let mut tally = Tally::default();
        let mut texts = Texts::new().map_err(|reason| failed(&reason))?;
        let held = if self.with_texts { Held::with_texts() } else { Ok(Held::default()) };
        let mut held = held.map_err(|reason| failed(&reason))?;
        let mut each: Vec<(usize, Part, Vec<Loss>)> = Vec::new();
        let mut twins = Twins::among(files);
        let course = RefCell::new(Course::new(files.iter().map(|file| self.length(file)).sum()));
        let (mut read_files, mut asides) = (0, 0);
        let (mut unknown, mut others) = (LeftOut::default(), LeftOut::default());
        let mut forms: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (nth, file) in self.longest_first(files) {
            // A session is more than the file that it is found by.
            let content = if places::is_session(file) { None } else { twins.content(file) };
            if twins.leaves_out(file, content, streams) {
                course.borrow_mut().end(self.length(file));
                continue;
            }
            let seen = |bytes| course.borrow_mut().seen(bytes, &mut std::io::stderr());
            let spooled = self.spooled.as_ref().filter(|_| is_standard_input(file));
            let watched = Watched { path: file, spooled, seen: &seen };
            let own = places::is_session(file).then(|| session(file)).transpose();
            let source: &dyn Bytes = match &own {
                Ok(Some(own)) => own,
                _ => &watched,
            };
            let is_aside = !self.is_named(file) && places::is_aside(file);
            let read = match &own {
                Err(reason) => Err(io::Error::new(reason.kind(), reason.to_string()).into()),
                // A subagent's window is another one.
                Ok(_) if is_aside => reader.read_usage(source).map(|_| None),
                Ok(_) => {
                    let texts = (&mut texts, &mut held);
                    self.read_one(&mut reader, source, limit, texts).map(Some)
                }
            };
            course.borrow_mut().end(self.length(file));
            match read {
                Ok(None) => asides += 1,
                Ok(Some((part, losses, read))) => {
                    tally.add(&read.tally);
                    *forms.entry(read.format.row().name).or_default() += 1;
                    read_files += 1;
                    twins.is_read(file, content);
                    add_conversations(&mut each, nth, part, losses);
                }
                Err(error) if files.len() == 1 => {
                    let list = match &error {
                        read::Error::Io(reason) if reason.kind() == io::ErrorKind::NotFound => LIST,
                        _ => "",
                    };
                    return Err(Error::Failed(format!("{}: {error}{list}", named(file))));
                }
                Err(read::Error::Unknown) => {
                    unknown.name(file, "its form is not known", streams);
                }
                Err(error) => others.name(file, error, streams),
            }
        }
        unknown.tell_others(" of no known form", streams);
        others.tell_others(" that cannot be replayed", streams);
        twins.tell_others(streams);
        each.sort_by_key(|(nth, part, _)| (part.at, *nth));
        let (of, unknown) = (files.len(), !unknown.is_empty());
        let heard = Heard { files: read_files, of, asides, unknown, forms };
        heard.tell(&tally, streams);
        let mut told = heard.as_json(&tally);
        let lengths = each.iter().map(|(nth, part, _)| (*nth, part.len()));
        told["turns"] = spans::told(&spans::of(lengths), files, streams);
        let recorded = recorded(&reader, streams);
        drop(reader);
        let (parts, losses): (Vec<_>, Vec<_>) =
            each.into_iter().map(|(nth, part, losses)| (part, beside(losses, &files[nth]))).unzip();
        let conversation = Conversation::of(texts, parts).and_then(|all| all.holding(held));
        let conversation = Arc::new(conversation.map_err(|reason| failed(&reason))?);
        if conversation.is_empty() {
            return Err(Error::Failed("nobody says anything in what was read".to_owned()));
        }
        Ok(Read { conversation, losses: losses.concat(), recorded, told })
    }

    /// Whether a file was named, and not as one of all that stand together in a folder of Claude Code's.
    fn is_named(&self, file: &PathBuf) -> bool {
        self.named.contains(file) && (self.named.len() == 1 || !places::is_placed_aside(file))
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

    fn read_one(
        &self,
        reader: &mut Reader,
        source: &dyn Bytes,
        limit: Tokens,
        (texts, held): (&mut Texts, &mut Held),
    ) -> Result<(Part, Vec<Loss>, Outcome), read::Error> {
        let turns = Turns::new(&**self.counter, limit.0, texts).holding(held);
        let mut losses = Losses::default();
        let (part, outcome) = turns.take_all(|take| {
            let mut see = |event: Event| {
                if self.with_losses {
                    losses.take(&event);
                }
                take(event);
            };
            reader.read(source, &mut see)
        });
        Ok((part, losses.found().to_vec(), outcome?))
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
            let (of, are) =
                if self.asides == 1 { ("a subagent", "is") } else { ("subagents", "are") };
            let files = counted(self.asides, "file");
            streams.tell(format_args!(
                "{files} of {of} {are} left out; what their requests cost is counted"
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

    fn seen(&mut self, bytes: u64, err: &mut dyn Write) {
        self.done += bytes;
        if let Some(left) = self.progress.left(self.done, self.of) {
            // Who does not listen misses nothing else.
            let _ = writeln!(err, "{}, {left:.0} s left", self.told());
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
            course.seen(bytes, &mut Vec::new());
            assert_eq!(course.told(), format!("read {told} of 4 MB"));
        }
    }
}
