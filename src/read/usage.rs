//! What requests cost, as the programs wrote it down: each of them more than once, in copies of whole
//! conversations too, so that plain sums are two to ninety times too high.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Moment;
use super::value::hash;

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
}

/// A reply, as its lines tell of it.
#[derive(Debug)]
struct Reply {
    request: Option<u64>,
    /// It was told of beside the conversation, where replies of the conversation itself are told again.
    aside: bool,
    at: Moment,
    /// The most that a line says of its answer.
    output: u32,
    /// What was read from the cache, written to it and read without it, and how many lines say so.
    prompt: Prompt,
    /// The same of lines that say otherwise.
    others: Vec<Prompt>,
}

/// More tokens than fit are more than any model takes.
type Prompt = ([u32; 3], u32);

fn prompt(used: &Used) -> [u32; 3] {
    [used.read, used.written, used.uncached].map(small)
}

fn small(tokens: u64) -> u32 {
    tokens.try_into().unwrap_or(u32::MAX)
}

impl Reply {
    fn new(request: Option<u64>, aside: bool, used: &Used) -> Self {
        let (prompt, others) = (([0; 3], 0), Vec::new());
        let mut reply = Self { request, aside, at: used.at, output: 0, prompt, others };
        reply.take(used);
        reply
    }

    /// Whether a line told of this very prompt: then the other request is a damaged one.
    fn tells(&self, used: &Used) -> bool {
        let prompt = prompt(used);
        self.prompts().any(|(known, _)| *known == prompt)
    }

    /// What the lines tell of the prompt, if any of them does.
    fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        std::iter::once(&self.prompt).chain(&self.others).filter(|(_, lines)| *lines > 0)
    }

    /// Later lines know more of the answer, but not those of a copy that breaks off, or written again with nothing in it.
    /// One that no model can have given stands as long as nothing else is told.
    fn take(&mut self, used: &Used) {
        self.at = self.at.or(used.at);
        let known = |output: u32| (output > 0, u64::from(output) <= MOST_OUTPUT, output);
        self.output =
            [self.output, small(used.output)].into_iter().max_by_key(|of| known(*of)).unwrap_or(0);
        if used.prompt() == 0 {
            return;
        }
        let prompt = prompt(used);
        if self.prompt.1 == 0 {
            self.prompt.0 = prompt;
        }
        let mut known = std::iter::once(&mut self.prompt).chain(&mut self.others);
        match known.find(|(known, _)| *known == prompt) {
            Some((_, lines)) => *lines = lines.saturating_add(1),
            None => self.others.push((prompt, 1)),
        }
    }

    /// The prompt is the one that most lines tell, and of as many the smaller one: a damaged line does not speak for the
    /// others.
    fn used(&self) -> Used {
        let sum = |prompt: &[u32; 3]| prompt.iter().copied().map(u64::from).sum::<u64>();
        let most =
            self.prompts().max_by_key(|(prompt, lines)| (*lines, std::cmp::Reverse(sum(prompt))));
        let [read, written, uncached] = most.map_or([0; 3], |(prompt, _)| prompt.map(u64::from));
        Used { at: self.at, read, written, uncached, output: self.output.into() }
    }
}

/// A conversation whose lines tell running totals.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// What it is called.
    pub id: String,
    /// Those that it may begin with a copy of.
    pub parents: BTreeSet<String>,
    /// The total after each request, and what that request added.
    pub steps: Vec<(u64, Used)>,
}

/// What requests cost, each once, and what was said, each once.
#[derive(Debug, Default)]
pub struct Ledger {
    replies: BTreeMap<u64, Vec<Reply>>,
    /// The message that each request brought.
    messages: HashMap<u64, u64>,
    threads: Vec<Thread>,
    said: Said,
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

    /// A line of a reply: the same one if message and request are, as far as both are told. A message that nobody has heard
    /// of is the one that its request brought.
    pub(super) fn reply(&mut self, message: &str, request: Option<&str>, aside: bool, used: &Used) {
        if used.is_nothing() {
            return;
        }
        let request = request.map(hash);
        let mut message = hash(message);
        if let Some(request) = request {
            let known = *self.messages.entry(request).or_insert(message);
            message = if self.replies.contains_key(&message) { message } else { known };
        }
        // Nearly every message has one.
        let replies = self.replies.entry(message).or_insert_with(|| Vec::with_capacity(1));
        let same = |known: &&mut Reply| {
            let told = known.request.is_none() || request.is_none() || known.request == request;
            told || known.aside != aside || known.tells(used)
        };
        match replies.iter_mut().find(same) {
            Some(known) => {
                known.take(used);
                if known.aside && !aside {
                    (known.aside, known.request) = (false, request);
                }
            }
            None => replies.push(Reply::new(request, aside, used)),
        }
    }

    /// A conversation with running totals.
    pub(super) fn thread(&mut self, thread: Thread) {
        if !thread.steps.is_empty() {
            self.threads.push(thread);
        }
    }

    /// All requests, the oldest first; those without a time in front. What no model can have taken is left out.
    pub fn requests(&self) -> Vec<Used> {
        let mut all = Vec::with_capacity(self.told().filter(Used::is_possible).count());
        all.extend(self.told().filter(Used::is_possible));
        all.sort_by_key(|used| used.at);
        all
    }

    /// How many requests are told with more tokens than any model takes.
    pub fn impossible(&self) -> usize {
        self.told().filter(|used| !used.is_possible()).count()
    }

    fn told(&self) -> impl Iterator<Item = Used> + '_ {
        let replies = self.replies.values().flatten().map(Reply::used);
        let own = self.threads.iter().enumerate().flat_map(|(at, thread)| {
            let copied = self.copied(at, thread);
            thread.steps[copied..].iter().map(|(_, used)| *used)
        });
        replies.chain(own)
    }

    /// How many of a thread's first steps are a copy of another one's: a parent's, or those of the same thread
    /// in a file that was read before.
    fn copied(&self, at: usize, thread: &Thread) -> usize {
        let shared = |other: &Thread| {
            let same = |(one, other): &(&(u64, Used), &(u64, Used))| one.0 == other.0;
            thread.steps.iter().zip(&other.steps).take_while(same).count()
        };
        let others = self.threads.iter().enumerate().filter(|(place, other)| {
            *place != at
                && (thread.parents.contains(&other.id) && !other.parents.contains(&thread.id)
                    || other.id == thread.id && *place < at)
        });
        others.map(|(_, other)| shared(other)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_model_takes_is_told_and_not_counted() {
        let mut ledger = Ledger::default();
        let used = |read, output| Used { read, output, ..Used::default() };
        let told = [(21_000, 300), (99_021_000, 300), (u64::MAX, 1), (21_000, 9_000_000)];
        for (nth, (read, output)) in told.into_iter().enumerate() {
            ledger.reply(&format!("m{nth}"), None, false, &used(read, output));
        }
        assert_eq!((ledger.requests(), ledger.impossible()), (vec![used(21_000, 300)], 3));
        // What is told of the same reply in possible figures counts.
        for output in [310, 2_000_000, 305] {
            ledger.reply("m3", None, false, &used(21_000, output));
        }
        let known = vec![used(21_000, 300), used(21_000, 310)];
        let mut requests = ledger.requests();
        requests.sort_by_key(|used| used.output);
        assert_eq!((requests, ledger.impossible()), (known, 2));
    }
}
