//! The running bill: what was paid by purpose, beside what others would have paid.

use std::collections::VecDeque;

use super::{
    Baselines, Counted, Kept, Least, Looked, Other, Paid, Prices, Purpose, Said, Scale, Sum,
};

/// Turns from which the trend is told.
pub const RECENT_TURNS: usize = 10;

/// What one turn took, and what was paid for memory since the turn before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnBill {
    /// All requests.
    pub own: Paid,
    /// How many they were; 0 if an older program did not say.
    pub requests: u64,
    /// Requests of the turn itself, where others belong to it only because nothing else counted: what turns took that were
    /// stopped before it, and work by hand.
    pub alone: Option<Sum>,
    /// What append-only full history with the same cache would have paid.
    pub full: Paid,
    /// Tokens by which the history grew.
    pub growth: u64,
}

impl TurnBill {
    /// What the turn itself took, and with how many requests.
    pub fn of_turn(&self) -> (Paid, u64) {
        self.alone.map_or((self.own, self.requests), |alone| (alone.paid, alone.requests))
    }
}

/// The sums of a bill as plain numbers, in the order of their names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// By purpose (see [`Sum::figures`]).
    pub sums: [[u64; 6]; 4],
    /// What [`Baselines`] have paid, in their order (see [`Other::figures`]).
    pub others: [[u64; 10]; 3],
    /// How often the compacting one compacted.
    pub compactions: u64,
    /// Turns that counted.
    pub turns: u64,
    /// How the server counts (see [`Scale::figures`]).
    pub scale: [[u64; 3]; 4],
    /// From how many tokens on its cache keeps something (see [`Least::figures`]).
    pub least: [u64; 8],
    /// Tokens written to be kept for minutes, and for an hour.
    pub kept: [u64; 2],
}

/// What has been paid so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bill {
    sums: [Sum; 4],
    baselines: Baselines,
    turns: u64,
    /// What was paid since the last turn that counted ended.
    open: Sum,
    /// What of it was paid before the turn under way began.
    earlier: Sum,
    /// What append-only full history had paid by then.
    full_before: Paid,
    /// The last turns, oldest first.
    recent: VecDeque<TurnBill>,
    scale: Scale,
    least: Least,
    kept: Kept,
}

impl Bill {
    /// A bill that goes on from its sums and its last turns, oldest first.
    pub fn restored(figures: &Figures, recent: impl IntoIterator<Item = TurnBill>) -> Self {
        let [with_cache, without_cache, compacting] = figures.others.map(Into::into);
        let compactions = figures.compactions;
        let mut bill = Self {
            sums: figures.sums.map(Into::into),
            baselines: Baselines { with_cache, without_cache, compacting, compactions },
            turns: figures.turns,
            kept: Kept { minutes: figures.kept[0], hour: figures.kept[1] },
            ..Self::default()
        };
        bill.full_before = bill.baselines.with_cache.paid();
        recent.into_iter().for_each(|turn| bill.remember(turn));
        bill
    }

    /// The bill with what was learned of the model that answered last.
    #[must_use]
    pub fn answered_by(mut self, model: &str, figures: &Figures) -> Self {
        if figures.scale != Scale::default().figures() {
            self.scale = Scale::restored(model.to_owned(), figures.scale);
        }
        if figures.least != Least::default().figures() {
            self.least = Least::restored(model.to_owned(), figures.least);
        }
        self
    }

    /// The bill with what has been paid since the last turn that counted, and what full history has paid by its end.
    #[must_use]
    pub fn with_open(self, open: Sum, full_before: Paid) -> Self {
        Self { open, full_before, ..self }
    }

    /// The sums.
    pub fn figures(&self) -> Figures {
        let Baselines { with_cache, without_cache, compacting, compactions } = &self.baselines;
        Figures {
            sums: self.sums.map(|sum| sum.figures()),
            others: [with_cache, without_cache, compacting].map(Other::figures),
            compactions: *compactions,
            turns: self.turns,
            scale: self.scale.figures(),
            least: self.least.figures(),
            kept: [self.kept.minutes, self.kept.hour],
        }
    }

    /// What a turn said, in the tokens of the model's server, which has counted a prompt of it.
    pub fn in_its_tokens(&mut self, said: Said, model: &str, counted: Counted) -> Said {
        self.scale.learn(model, counted);
        self.scale.of(said, counted)
    }

    /// A model's server, of whose cache so much is known, has answered a request of the chat. Returns whether its cache was
    /// cold, for everybody.
    pub fn look(&mut self, model: &str, told: u64, looked: &Looked) -> bool {
        self.least.learn(model, told, looked)
    }

    /// From how many tokens on the cache of the model that answered last keeps the beginning of a prompt.
    pub fn least(&self) -> &Least {
        &self.least
    }

    /// The least that a model's cache keeps, in tokens as we count them, of which its provider tells so much; 0 where
    /// nobody knows that it keeps anything.
    pub fn surely_kept(&self, model: &str, told: u64) -> u64 {
        (self.least.sure(model, told) as f64 / self.scale.ratio(model)).ceil() as u64
    }

    /// Adds a request.
    pub fn record(&mut self, purpose: Purpose, paid: Paid) {
        self.sums[purpose as usize].add(paid);
        self.open.add(paid);
    }

    /// A server has told how long it keeps what it has written to its cache.
    pub fn keep(&mut self, kept: Kept) {
        self.kept += kept;
    }

    /// How long what was written is kept, as far as that was told.
    pub fn kept(&self) -> Kept {
        self.kept
    }

    /// A turn begins: what was paid by now is not its own.
    pub fn begin_turn(&mut self) {
        self.earlier = self.open;
    }

    /// Whether the turn under way took one request in all.
    pub fn has_asked_once(&self) -> bool {
        self.open.requests == self.earlier.requests + 1
    }

    /// Another conversation begins: nobody sends what was said before it, but for so many tokens that it goes on from.
    pub fn begin_anew(&mut self, copied: u64) {
        self.baselines.begin_anew(copied);
    }

    /// A turn ended well: the others pay for it. Returns what it took, with what turns took that were stopped
    /// before it.
    pub fn end_turn(&mut self, said: &Said) -> TurnBill {
        self.baselines.turn(said);
        let paid = self.baselines.with_cache.paid();
        let full = paid.since(&self.full_before);
        self.full_before = paid;
        let (open, earlier) = (std::mem::take(&mut self.open), std::mem::take(&mut self.earlier));
        let alone = (earlier != Sum::default()).then(|| open.since(&earlier));
        let Sum { requests, paid: own, .. } = open;
        let turn = TurnBill { own, requests, alone, full, growth: said.growth() };
        self.turns = self.turns.saturating_add(1);
        self.remember(turn);
        turn
    }

    /// A turn was stopped or failed after a request of it was read: the others pay for that request too.
    pub fn stop_turn(&mut self, said: &Said) {
        self.baselines.stopped(said);
        self.earlier = Sum::default();
    }

    /// What was paid since the last turn ended belongs to it still. Returns what it took, if that is more now.
    pub fn amend_turn(&mut self) -> Option<TurnBill> {
        let open = std::mem::take(&mut self.open);
        let last = self.recent.back_mut().filter(|_| open != Sum::default())?;
        last.own += open.paid;
        last.requests = last.requests.saturating_add(open.requests);
        if let Some(alone) = &mut last.alone {
            *alone += open;
        }
        Some(*last)
    }

    fn remember(&mut self, turn: TurnBill) {
        self.recent.push_back(turn);
        if self.recent.len() > RECENT_TURNS {
            self.recent.pop_front();
        }
    }

    /// The requests of one purpose.
    pub fn of(&self, purpose: Purpose) -> &Sum {
        &self.sums[purpose as usize]
    }

    /// All requests together.
    pub fn all(&self) -> Sum {
        let mut all = Sum::default();
        self.sums.iter().for_each(|sum| all += *sum);
        all
    }

    /// What was paid since the last turn that counted ended: the next one will tell it as its own.
    pub fn open(&self) -> Sum {
        self.open
    }

    /// What full history and its kin have paid.
    pub fn baselines(&self) -> &Baselines {
        &self.baselines
    }

    /// Turns that counted.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The last turns, oldest first.
    pub fn recent(&self) -> impl ExactSizeIterator<Item = &TurnBill> {
        self.recent.iter()
    }

    /// What memory has saved so far against full history with the same cache, in tokens of plain input;
    /// negative if it has cost more. Its own requests are in it.
    pub fn net(&self, prices: &Prices) -> f64 {
        prices.cost(&self.baselines.with_cache.paid()) - prices.cost(&self.all().paid)
    }
}
