//! What requests cost, as the programs wrote it down: each of them more than once, in copies of whole
//! conversations too, so that plain sums are two to ninety times too high. Where one line is damaged, the others speak
//! for it, so that a damaged log never tells more requests than the whole one, and a figure of it is another only where
//! nothing else tells it.

mod reply;
mod thread;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Moment;
use super::value::hash;
use reply::Reply;
pub(super) use thread::{Step, Thread};

/// What one request cost, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// When it was answered.
    pub at: Moment,
    /// Read from the cache.
    pub read: u64,
    /// Written to the cache.
    pub written: u64,
    /// Read without a cache.
    pub uncached: u64,
    /// Answered, thinking included.
    pub output: u64,
}

/// More tokens than any model takes in one request, and than any answers with: a log that tells more is damaged. A digit
/// that changed within this is as good as any other, where a request is told once.
const MOST_PROMPT: u64 = 1 << 24;
const MOST_OUTPUT: u64 = 1_000_000;

impl Used {
    fn is_possible(&self) -> bool {
        self.prompt() <= MOST_PROMPT && self.output <= MOST_OUTPUT
    }

    /// Tokens of the prompt: how full the window was.
    pub fn prompt(&self) -> u64 {
        self.read.saturating_add(self.written).saturating_add(self.uncached)
    }

    /// Whether nothing was sent and nothing came.
    pub(super) fn is_nothing(&self) -> bool {
        self.prompt() == 0 && self.output == 0
    }

    /// What was sent, by how.
    fn parts(&self) -> [u64; 3] {
        [self.read, self.written, self.uncached]
    }

    /// Whether this is the same request as another one that nothing ties to it: it was sent at the same millisecond, and
    /// had the same prompt. Moments of whole seconds tell nothing.
    fn is_again(&self, other: &Self) -> bool {
        let is_exact = self.at.is_some_and(|at| at % 1_000 != 0);
        is_exact && self.at == other.at && self.parts() == other.parts()
    }
}

/// What a line tells of whose it is. What it does not tell is empty.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Line<'a> {
    /// The message that it is a part of.
    pub message: &'a str,
    /// The request that brought the message.
    pub request: &'a str,
    /// The line itself.
    pub own: &'a str,
    /// It tells of a reply beside the conversation, where those of the conversation itself are told again.
    pub aside: bool,
    /// The reply whose line stands before it with nothing between them.
    pub behind: Option<Place>,
}

impl Line<'_> {
    fn is_named(&self) -> bool {
        !self.message.is_empty() || !self.request.is_empty()
    }

    fn is_named_twice(&self) -> bool {
        !self.message.is_empty() && !self.request.is_empty()
    }
}

/// A reply of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(u32);

/// What requests cost, each once, and what was said, each once.
#[derive(Debug, Default)]
pub struct Ledger {
    replies: Vec<Reply>,
    /// Where what is named by a message, by a request or by both stands.
    places: BTreeMap<u64, u32>,
    threads: Vec<Thread>,
    /// Files that were begun.
    files: u32,
    /// The reply that the last line told of.
    last: Option<u32>,
    said: Said,
    left_out: LeftOut,
}

/// How many messages of the conversation under way another file told: they are left out. The most that there can be if it
/// is all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut(Arc<AtomicU64>);

impl LeftOut {
    pub(super) fn set(&self, messages: u64) {
        self.0.store(messages, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Which messages were said, of those with a name of their own: copies of a conversation say them again. A number each,
/// however long they are.
#[derive(Debug, Default)]
pub(super) struct Said {
    numbers: HashSet<u64>,
    /// Nothing is read that could be a copy.
    is_alone: bool,
}

impl Said {
    /// The number of a message.
    pub(super) fn number(name: &str) -> u64 {
        hash(name)
    }

    pub(super) fn holds(&self, number: u64) -> bool {
        self.numbers.contains(&number)
    }

    /// Whether nothing is remembered.
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    pub(super) fn add(&mut self, number: u64) {
        if !self.is_alone {
            self.numbers.insert(number);
        }
    }
}

impl Ledger {
    /// One for a single file, of which nothing is said again elsewhere.
    pub(super) fn of_one() -> Self {
        Self { said: Said { is_alone: true, ..Said::default() }, ..Self::default() }
    }

    /// Which messages were said in what was read so far.
    pub(super) fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    /// What of the conversation under way is left out.
    pub(super) fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    /// Another file begins, which may hold copies of what the others told.
    pub(super) fn begin(&mut self) {
        self.files += 1;
    }

    /// Takes a line of a reply, and tells where that stands.
    pub(super) fn reply(&mut self, line: &Line<'_>, used: &Used) -> Option<Place> {
        if used.is_nothing() {
            return None;
        }
        let key = |kind: u8, name: &str| (!name.is_empty()).then(|| hash((kind, name)));
        let message = key(0, line.message).or_else(|| key(1, line.own));
        let request = key(2, line.request);
        let both = message.zip(request).map(hash);
        let known = self.place(line, [message, request, both], used);
        self.join(line, known, used);
        let copy = 2 * self.files + u32::from(line.aside);
        let place = known.unwrap_or_else(|| {
            self.replies.push(Reply::new(request, copy, used));
            self.replies.len() as u32 - 1
        });
        let is_behind = self.last.replace(place) == Some(place);
        if known.is_some() {
            self.replies[place as usize].take(copy, is_behind, used);
        }
        if !line.aside {
            self.replies[place as usize].comes_from(request);
        }
        for name in [message, request].into_iter().flatten() {
            self.places.entry(name).or_insert(place);
        }
        // A message with several requests is found by either of them.
        if let Some(both) =
            both.filter(|_| message.and_then(|name| self.places.get(&name)) != Some(&place))
        {
            self.places.insert(both, place);
        }
        Some(Place(place))
    }

    /// A line without a name that is known, behind one that was not: both are of one reply, whose first line is damaged in
    /// another file.
    fn join(&mut self, line: &Line<'_>, known: Option<u32>, used: &Used) {
        if let (Some(known), Some(Place(behind))) = (known, line.behind) {
            let reply = &mut self.replies[behind as usize];
            reply.is_again |= behind != known && !line.is_named() && reply.tells(used);
        }
    }

    /// The reply that a line belongs to, if that is known. A message and its request name it. One of both may be told
    /// otherwise by a damaged line, and by those that are told again beside the conversation, whose prompt is the same.
    fn place(&self, line: &Line<'_>, names: [Option<u64>; 3], used: &Used) -> Option<u32> {
        let [message, request, both] = names.map(|name| self.places.get(&name?).copied());
        let tells = |place: &u32| self.replies[*place as usize].tells(used);
        match (message, request) {
            (Some(message), Some(request)) if message == request => Some(message),
            _ if both.is_some() => both,
            (_, Some(request)) if line.message.is_empty() || tells(&request) => Some(request),
            (Some(message), _) => {
                let reply = &self.replies[message as usize];
                (reply.may_be_of(names[1], line.aside) || tells(&message)).then_some(message)
            }
            (None, Some(_)) => None,
            // Of two names one is right, however damaged the other one is: this is another reply.
            (None, None) if line.is_named_twice() => None,
            (None, None) => {
                let behind = line.behind.map(|behind| behind.0);
                behind.filter(|behind| !line.is_named() || tells(behind))
            }
        }
    }

    /// A conversation with running totals.
    pub(super) fn thread(&mut self, thread: Thread) {
        if !thread.steps.is_empty() {
            self.threads.push(thread);
        }
    }

    /// Tells each request, the oldest first; those without a time in front. Those that are told with more tokens than any
    /// model takes are left out; returns how many they are.
    pub fn each_request(&self, take: impl FnMut(Used)) -> usize {
        let mut steps = Vec::new();
        thread::own(&self.threads, |used| steps.push(used));
        // There may be as many as turns, so that they are put in order by their numbers.
        let replies = self.replies.len();
        let used = |number: u32| match (number as usize).checked_sub(replies) {
            None => self.replies[number as usize].used(),
            Some(step) => steps[step],
        };
        let mut order = self.own_replies();
        order.extend((0..steps.len()).map(|step| (replies + step) as u32));
        let told = order.len();
        order.retain(|number| used(*number).is_possible());
        let impossible = told - order.len();
        order.sort_by_key(|number| used(*number).at);
        order.into_iter().map(used).for_each(take);
        impossible
    }

    /// All of them, and how many are left out.
    #[cfg(test)]
    pub(super) fn requests(&self) -> (Vec<Used>, usize) {
        let mut all = Vec::new();
        let impossible = self.each_request(|used| all.push(used));
        (all, impossible)
    }

    /// The replies that are not told again by others, in the order in which they were told.
    fn own_replies(&self) -> Vec<u32> {
        let used = |number: u32| self.replies[number as usize].used();
        let own = (0..).zip(&self.replies).filter(|(_, reply)| !reply.is_again);
        let mut numbers: Vec<u32> = own.map(|(number, _)| number).collect();
        numbers.sort_by_key(|number| {
            let used = used(*number);
            (used.at, used.parts(), Reverse(used.output))
        });
        numbers.dedup_by(|again, first| used(*again).is_again(&used(*first)));
        numbers.sort_unstable();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_model_takes_is_told_and_not_counted() {
        let mut ledger = Ledger::default();
        let used = |read, output| Used { read, output, ..Used::default() };
        let mut tell = |message: &str, used| {
            ledger.reply(&Line { message, ..Line::default() }, &used);
            ledger.requests()
        };
        let told = [(21_000, 300), (99_021_000, 300), (u64::MAX, 1), (21_000, 9_000_000)];
        let last = told.map(|(read, output)| tell(&format!("{read} {output}"), used(read, output)));
        assert_eq!(last[3], (vec![used(21_000, 300)], 3));
        // What is told of the same reply in possible figures counts.
        let last = [305, 2_000_000, 310].map(|output| tell("21000 9000000", used(21_000, output)));
        let mut requests = last[2].0.clone();
        requests.sort_by_key(|used| used.output);
        assert_eq!((requests, last[2].1), (vec![used(21_000, 300), used(21_000, 310)], 2));
    }
}
