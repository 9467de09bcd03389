//! What three others would have paid for the same turns: each sends the whole conversation, one request a turn,
//! to the same server, with the same pauses.

use super::{CacheKind, Paid};

/// Tokens of a prompt beyond which the compacting one compacts.
pub const COMPACTS_AT: u64 = 160_000;

/// Tokens that it makes of its history then: a summary and what it reads again beside it, such as the files at work.
pub const COMPACTED_TO: u64 = 12_000;

/// Tokens of a summary that the model writes when it compacts, in the answer of one more request: summaries as programs
/// ask for them have two or three pages, and nobody has reason to count more against them.
pub const COMPACTION_WRITES: u64 = 3_000;

/// What a turn said, in tokens. Only this is history; what the program itself adds is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// The user's message as typed.
    pub user: u64,
    /// Texts that were really read for the model: results of tools, parts of attached files.
    pub looked_up: u64,
    /// The reply, as it stands in the history.
    pub reply: u64,
    /// The answer that held it as it is paid for, reasoning included.
    pub output: u64,
    /// System prompt and tools, which everybody pays for.
    pub fixed: u64,
    /// The pause before it was longer than a cache keeps what it holds.
    pub cold: bool,
    /// Tokens of its first request that the server read from its cache all the same, where that was cold: what another
    /// session had sent. The others begin with the same, so that they would have got it too.
    pub found: u64,
    /// How the server's cache works.
    pub cache: CacheKind,
    /// Tokens from which on it keeps the beginning of a prompt.
    pub least: u64,
    /// What the only request of the turn took, if it sent just what everybody would have sent: nothing that was said was
    /// away from it, and nothing else was in it.
    pub same: Option<Paid>,
    /// The server counted a part of what was sent: so many of so many tokens. Of what others send it would count no more.
    pub part: Option<[u64; 2]>,
}

impl Said {
    /// Tokens by which the history grew.
    pub fn growth(&self) -> u64 {
        self.asked().saturating_add(self.reply)
    }

    fn asked(&self) -> u64 {
        self.user.saturating_add(self.looked_up)
    }

    /// Several requests of a turn as one, with what all of them said.
    pub fn together(requests: &[Self]) -> Self {
        let first = requests.first().copied().unwrap_or_default();
        let sum = |of: fn(&Self) -> u64| requests.iter().map(of).fold(0, u64::saturating_add);
        Self {
            user: sum(|one| one.user),
            looked_up: sum(|one| one.looked_up),
            reply: sum(|one| one.reply),
            output: sum(|one| one.output),
            same: None,
            ..first
        }
    }

    /// What a prompt takes, as the server counts it.
    fn counted(&self, paid: Paid) -> Paid {
        self.part.map_or(paid, |[theirs, ours]| paid.part_of(theirs, ours))
    }

    /// What was said, with an answer that holds the whole reply at least.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { output: self.output.max(self.reply), ..self }
    }
}

/// Whether who compacts at a threshold does so before a turn.
fn is_due(history: u64, turn: &Said) -> bool {
    let prompt = history.saturating_add(turn.asked()).saturating_add(turn.fixed);
    prompt > COMPACTS_AT && history > COMPACTED_TO
}

/// One of the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Other {
    /// What it paid for what was said.
    pub said: Paid,
    /// What it paid for system prompt and tools.
    pub shared: Paid,
    /// Tokens of its history.
    pub history: u64,
    /// Those of them that its last request sent.
    sent: u64,
    /// It has sent a request.
    has_asked: bool,
}

impl Other {
    /// All that it paid.
    pub fn paid(&self) -> Paid {
        let mut all = self.said;
        all += self.shared;
        all
    }

    /// A turn, of which a history keeps what was said only if it counts.
    fn turn(&mut self, turn: &Said, counts: bool) {
        let before = self.history;
        if let Some(paid) = turn.same {
            self.ask_the_same(turn, paid);
            if turn.part.is_some() {
                // A part of it is all that was counted, and not all that there is.
                self.history = before.saturating_add(turn.asked());
                self.sent = self.history;
            }
        } else {
            self.history = before.saturating_add(turn.asked());
            self.ask(turn, turn.output, self.has_asked && !turn.cold);
        }
        if counts {
            self.history = self.history.saturating_add(turn.reply);
        } else {
            (self.history, self.sent) = (before, before);
        }
    }

    /// Sends the whole history, of which a warm cache holds what was sent before.
    fn ask(&mut self, turn: &Said, output: u64, is_warm: bool) {
        // Of what is shorter its cache keeps nothing.
        let is_kept = |history: u64| turn.fixed.saturating_add(history) >= turn.least;
        let (reads, writes) = (is_kept(self.sent.min(self.history)), is_kept(self.history));
        let part = |tokens: u64, kept: u64, found: u64| {
            let read = match turn.cache {
                CacheKind::None => 0,
                _ if is_warm && reads => kept.min(tokens),
                _ if is_warm => 0,
                _ => found.min(tokens),
            };
            let is_written = writes && turn.cache == CacheKind::Breakpoints;
            let written = if is_written { tokens } else { 0 };
            Paid::reported(tokens, read, written, 0)
        };
        let behind = turn.found.saturating_sub(turn.fixed);
        let said = part(self.history, self.sent, behind);
        self.said += Paid { output, ..turn.counted(said) };
        self.shared += turn.counted(part(turn.fixed, turn.fixed, turn.found));
        self.sent = self.history;
        self.has_asked = true;
    }

    /// Sends the request that was sent, and so pays what it took: nobody saves or loses by another count of the same words.
    fn ask_the_same(&mut self, turn: &Said, paid: Paid) {
        let paid = if turn.cache == CacheKind::None {
            Paid { read: 0, written: 0, uncached: paid.prompt(), ..paid }
        } else {
            paid
        };
        let fixed = turn.counted(Paid { uncached: turn.fixed, ..Paid::default() }).prompt();
        let fixed = fixed.min(paid.prompt());
        let shared = Paid::reported(fixed, paid.read, paid.written, 0);
        self.shared += shared;
        self.said += Paid { estimated: false, ..paid.since(&shared) };
        self.history = paid.prompt() - fixed;
        self.sent = self.history;
        self.has_asked = true;
    }

    /// Requests that are told as one, parted where it would have compacted between them.
    fn parts(&self, requests: &[Said]) -> Vec<Said> {
        let (mut history, mut from, mut parts) = (self.history, 0, Vec::new());
        for (nth, one) in requests.iter().enumerate() {
            if is_due(history, one) {
                parts.extend((nth > from).then(|| Said::together(&requests[from..nth])));
                (from, history) = (nth, COMPACTED_TO);
            }
            history = history.saturating_add(one.growth());
        }
        parts.push(Said::together(&requests[from..]));
        parts
    }

    /// The same, after making a summary of the history where it has become too long.
    fn turn_compacting(&mut self, turn: &Said, counts: bool) -> bool {
        let is_due = is_due(self.history, turn);
        let mut turn = *turn;
        if is_due {
            turn.same = None;
            self.compact(&mut turn, COMPACTION_WRITES, COMPACTED_TO - COMPACTION_WRITES);
        }
        self.turn(&turn, counts);
        is_due
    }

    /// Makes summaries of the history, with what is the same in each request as in a turn: of each the tokens, and those
    /// of what stays beside it. What is sent after them is sent at once.
    pub fn compacted(
        &mut self,
        turn: &Said,
        summaries: impl IntoIterator<Item = (u64, u64)>,
    ) -> Said {
        let mut turn = *turn;
        for (summary, kept) in summaries {
            self.compact(&mut turn, summary, kept);
        }
        turn
    }

    /// A turn that counts, after making such summaries.
    pub fn turn_compacted(&mut self, turn: &Said, summaries: impl IntoIterator<Item = (u64, u64)>) {
        let turn = self.compacted(turn, summaries);
        self.turn(&turn, true);
    }

    /// Makes a summary of the history with a request of its own.
    fn compact(&mut self, turn: &mut Said, summary: u64, kept: u64) {
        self.ask(turn, summary, self.has_asked && !turn.cold);
        (self.history, self.sent) = (summary.saturating_add(kept), 0);
        // It has just asked.
        turn.cold = false;
    }

    /// Another conversation begins: nobody sends what was said before it, but for so many tokens that it goes on from. What
    /// is the same in each stays in a cache, those among it.
    pub fn begin_anew(&mut self, copied: u64) {
        (self.history, self.sent) = (copied, copied);
    }

    /// Of what was said: read, written, uncached, output; the same of what is shared; the history and how
    /// much of it was sent.
    pub fn figures(&self) -> [u64; 10] {
        let [said, shared] = [self.said, self.shared];
        [
            said.read,
            said.written,
            said.uncached,
            said.output,
            shared.read,
            shared.written,
            shared.uncached,
            shared.output,
            self.history,
            self.sent,
        ]
    }
}

impl From<[u64; 10]> for Other {
    fn from(figures: [u64; 10]) -> Self {
        let paid = |at: usize| {
            let [read, written, uncached, output] = std::array::from_fn(|nth| figures[at + nth]);
            Paid { read, written, uncached, output, estimated: false }
        };
        let [history, sent] = [figures[8], figures[9]];
        let has_asked = figures.iter().any(|figure| *figure > 0);
        Self { said: paid(0), shared: paid(4), history, sent, has_asked }
    }
}

/// The three others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Baselines {
    /// Sends all that was said, append-only, to the same cache.
    pub with_cache: Other,
    /// Sends as much, to a server that keeps nothing.
    pub without_cache: Other,
    /// Sends it to the same cache, but goes on with [`COMPACTED_TO`] tokens of its history whenever its prompt would have
    /// more than [`COMPACTS_AT`]; it writes [`COMPACTION_WRITES`] of them.
    pub compacting: Other,
    /// How often it did.
    pub compactions: u64,
}

impl Baselines {
    /// Goes along with a turn.
    pub fn turn(&mut self, said: &Said) {
        self.go_along(said, true);
    }

    /// Goes along with a turn of several requests, each with what is new in it. They are told as one, but for who compacts:
    /// it may have to within the turn.
    pub fn turn_of(&mut self, requests: &[Said]) {
        let [whole] = [requests].map(Said::together);
        self.with_cache.turn(&whole, true);
        self.without_cache.turn(&Said { cache: CacheKind::None, ..whole }, true);
        for part in self.compacting.parts(requests) {
            self.compactions += u64::from(self.compacting.turn_compacting(&part, true));
        }
    }

    /// Goes along with a turn that was stopped or failed: they too paid for its request.
    pub fn stopped(&mut self, said: &Said) {
        self.go_along(said, false);
    }

    /// Another conversation begins, with so many tokens that it goes on from.
    pub fn begin_anew(&mut self, copied: u64) {
        for one in [&mut self.with_cache, &mut self.without_cache, &mut self.compacting] {
            one.begin_anew(copied);
        }
    }

    fn go_along(&mut self, said: &Said, counts: bool) {
        self.with_cache.turn(said, counts);
        self.without_cache.turn(&Said { cache: CacheKind::None, ..*said }, counts);
        // What has compacted sends less.
        let same = said.same.filter(|_| self.compactions == 0);
        let said = &Said { same, ..*said };
        self.compactions += u64::from(self.compacting.turn_compacting(said, counts));
    }
}
