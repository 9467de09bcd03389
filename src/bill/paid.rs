//! The tokens of a request, by what they cost, and what the request was for.

use std::ops::AddAssign;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The first request of a turn.
    Chat,
    /// A later one of the same turn, with the results of calls.
    ToolRound,
    /// The summary of a log.
    Summary,
    /// A step of a compression.
    Compression,
}

impl Purpose {
    /// All of them, in the order of a bill.
    pub const ALL: [Self; 4] = [Self::Chat, Self::ToolRound, Self::Summary, Self::Compression];

    /// The word for it in files and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::ToolRound => "tool_round",
            Self::Summary => "summary",
            Self::Compression => "compression",
        }
    }

    /// What a word of a file means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == word)
    }
}

/// The tokens of one request or of several. Each token of a prompt is in exactly one of the first three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Paid {
    /// Prompt tokens read from the server's cache.
    pub read: u64,
    /// Prompt tokens written to a cache that charges for it.
    pub written: u64,
    /// Prompt tokens at the full price.
    pub uncached: u64,
    /// Tokens of the answer, reasoning included.
    pub output: u64,
    /// Some of it is an estimate, because the server did not say.
    pub estimated: bool,
}

impl Paid {
    /// What was paid beyond what was paid before.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            read: self.read.saturating_sub(before.read),
            written: self.written.saturating_sub(before.written),
            uncached: self.uncached.saturating_sub(before.uncached),
            output: self.output.saturating_sub(before.output),
            estimated: self.estimated,
        }
    }

    /// What a server reports: of `prompt` tokens so many came from its cache and so many were written to it.
    /// More than the whole prompt counts as all of it.
    pub fn reported(prompt: u64, cached: u64, written: u64, output: u64) -> Self {
        let read = cached.min(prompt);
        let written = written.min(prompt - read);
        Self { read, written, uncached: prompt - read - written, output, estimated: false }
    }

    /// Tokens of the prompt.
    pub fn prompt(&self) -> u64 {
        self.read.saturating_add(self.written).saturating_add(self.uncached)
    }

    /// The share of the prompt that came from the cache, 0 to 1.
    pub fn share_read(&self) -> f64 {
        self.read as f64 / self.prompt().max(1) as f64
    }

    /// An estimated prompt stretched to the tokens that the server counted.
    #[must_use]
    pub fn scaled_to(self, prompt: u64) -> Self {
        let (own, part) = (u128::from(self.prompt()), |tokens: u64| u128::from(tokens));
        if own == 0 {
            return Self { uncached: prompt, ..self };
        }
        let scale = |tokens| (part(tokens) * u128::from(prompt) / own) as u64;
        let (read, written) = (scale(self.read), scale(self.written));
        Self { read, written, uncached: prompt - read - written, ..self }
    }

    /// What is paid to a server that counts `theirs` where we count `ours`.
    #[must_use]
    pub fn part_of(self, theirs: u64, ours: u64) -> Self {
        let (theirs, ours) = (u128::from(theirs), u128::from(ours.max(1)));
        let prompt = (u128::from(self.prompt()) * theirs + ours / 2) / ours;
        self.scaled_to(u64::try_from(prompt).unwrap_or(u64::MAX))
    }

    /// What is paid of a prompt that has so many tokens in all: what was neither read nor written makes the difference.
    #[must_use]
    pub fn of_prompt(self, prompt: u64) -> Self {
        let read = self.read.min(prompt);
        let written = self.written.min(prompt - read);
        Self { read, written, uncached: prompt - read - written, ..self }
    }
}

impl AddAssign for Paid {
    fn add_assign(&mut self, other: Self) {
        self.read = self.read.saturating_add(other.read);
        self.written = self.written.saturating_add(other.written);
        self.uncached = self.uncached.saturating_add(other.uncached);
        self.output = self.output.saturating_add(other.output);
        self.estimated = self.estimated || other.estimated;
    }
}

/// The requests of one purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many.
    pub requests: u64,
    /// Of how many the tokens are an estimate.
    pub estimates: u64,
    /// Their tokens.
    pub paid: Paid,
}

impl Sum {
    /// Adds a request.
    pub fn add(&mut self, paid: Paid) {
        self.requests = self.requests.saturating_add(1);
        self.estimates = self.estimates.saturating_add(paid.estimated.into());
        self.paid += paid;
    }

    /// What came since it was so much.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let (now, before) = (self.figures(), before.figures());
        std::array::from_fn::<u64, 6, _>(|at| now[at].saturating_sub(before[at])).into()
    }

    /// Requests, estimates, read, written, uncached, output.
    pub fn figures(&self) -> [u64; 6] {
        let Paid { read, written, uncached, output, .. } = self.paid;
        [self.requests, self.estimates, read, written, uncached, output]
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.estimates = self.estimates.saturating_add(other.estimates);
        self.paid += other.paid;
    }
}

impl From<[u64; 6]> for Sum {
    fn from([requests, estimates, read, written, uncached, output]: [u64; 6]) -> Self {
        let paid = Paid { read, written, uncached, output, estimated: estimates > 0 };
        Self { requests, estimates, paid }
    }
}
