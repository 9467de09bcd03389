//! The bill: what the requests took is kept with the session and told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::driver::Driver;
use super::meter::Metered;
use super::notice::Notice;
use super::op::Returned;
use super::turn::Progress;
use crate::bill::{Bill, CacheKind, Counted, Kept, Paid, Prices, Purpose, Retold, Said, TurnBill};
use crate::config::Settings;
use crate::memory::{EffortId, Layer, Layers, Rules, Tokens, Turn};
use crate::providers;
use crate::store::{BilledTurn, PaidRequest, StoredBill};
use crate::tools::{self, Gives};

/// A prompt may be smaller, as its server counts, than ours says, by one in so many tokens.
const COUNTS_OFF: u64 = 16;

/// What was paid so far, with the prices in force.
#[derive(Debug, Clone, PartialEq)]
pub struct BillView {
    /// The sums.
    pub bill: Bill,
    /// What the tokens cost.
    pub prices: Prices,
    /// The last turn that counted in this run.
    pub last: Option<BilledTurn>,
}

/// A bill that goes on, with what is needed to end a turn.
#[derive(Debug, Default)]
pub(super) struct Running {
    pub(super) bill: Bill,
    /// The last turn that counted in this run.
    counted: Option<BilledTurn>,
    /// What the last request of the chat took.
    pub(super) last: Option<Paid>,
    /// A request of the chat was read since the last turn ended, well or not.
    has_asked: bool,
    /// What the server said that it read from its cache for the first request of the turn under way.
    found: Option<u64>,
    /// It should have read some: the cache of the others would have been empty as well.
    missed: bool,
    /// It read what had been sent before, after whatever pause: the cache of the others would have been full as well.
    kept: bool,
    /// Messages of the last request of the chat.
    messages: u64,
    /// Efforts whose compression led to nothing.
    refused: BTreeSet<EffortId>,
    /// What the turn under way took in another program, if it is told again.
    pub(super) retold: Option<Retold>,
    /// What tools returned in it.
    pub(super) returned: Vec<Returned>,
    /// The prices at which a session was replayed, until a model of a server answers in it: the built-in one has none.
    prices: Option<Prices>,
}

impl From<StoredBill> for Running {
    fn from(stored: StoredBill) -> Self {
        let refused = stored.refused.into_keys().collect();
        Self { bill: stored.bill, refused, prices: stored.prices, ..Self::default() }
    }
}

impl Running {
    /// Takes a request of the chat to a model of whose cache so much is known.
    fn take(&mut self, over: &Metered, least: u64) {
        (self.last, self.messages, self.has_asked) = (Some(over.paid), over.messages, true);
        let missed = self.bill.look(&over.model, least, &over.looked);
        if self.found.is_none() {
            (self.missed, self.kept) = (missed, over.has_kept());
        }
        self.found.get_or_insert(over.looked.read);
    }
}

impl Driver {
    /// Tells the meter of the request that goes out next.
    pub(super) fn expect_request(&mut self, cost: Tokens) {
        self.settle_requests(self.memory.current_turn());
        if !self.model.info().offline {
            self.running.prices = None;
        }
        let lifetime = self.settings.cache_lifetime().as_secs();
        let prices = self.prices();
        self.meter.expect(cost.0, prices.cache, lifetime);
        self.meter.expect_least(self.least(&prices));
    }

    /// The next turn is told again.
    pub(super) fn expect_retold(&mut self, turn: Retold) {
        if turn.cold {
            self.meter.forget();
        }
        self.running.retold = Some(turn);
    }

    pub(super) fn prices(&self) -> Prices {
        if let Some(replayed) = &self.running.prices {
            return self.settings.prices(replayed.clone());
        }
        let model = self.model.info();
        prices_for(&self.settings, &model.provider, &model.name, self.running.bill.kept())
    }

    /// Tokens from which on the cache of the model keeps the beginning of a prompt, as far as that is known.
    fn least(&self, prices: &Prices) -> u64 {
        self.running.bill.least().of(&self.model.info().name, prices.least)
    }

    /// Memory learns from how many tokens on the model's cache keeps the window, as far as that is known by now, and what a
    /// token from there costs, where some requests come too late for it.
    pub(super) fn fit_cache(&mut self) {
        let prices = self.prices();
        let kept = self.running.bill.surely_kept(&self.model.info().name, prices.least);
        let kept = if prices.cache == CacheKind::None { 0 } else { kept + kept / COUNTS_OFF };
        let late = self.running.bill.least().late_percent();
        let read = prices.cached * (100 - late) as f64 + late as f64;
        self.settings.fit_cache(kept, read.round() as u64);
        let Rules { cache_least, cached_percent, .. } = self.settings.rules();
        let rules = Rules { cache_least, cached_percent, ..*self.memory.rules() };
        if rules != *self.memory.rules() {
            // Rules that hold do so with any cache.
            let _ = self.memory.set_rules(rules);
        }
    }

    /// Keeps what requests took that are over by now. A disk that refuses costs the record of them only.
    pub(super) fn settle_requests(&mut self, turn: Turn) {
        self.settle(turn, |paid| paid);
    }

    /// The same, where what the last of the chat took is told otherwise.
    fn settle(&mut self, turn: Turn, told: impl FnOnce(Paid) -> Paid) {
        let is_chat = |purpose| matches!(purpose, Purpose::Chat | Purpose::ToolRound);
        let mut over = self.meter.take();
        if self.model.info().offline {
            // There is no server whose silence tells that it has no cache.
            for over in &mut over {
                over.looked.expected.get_or_insert(0);
            }
        }
        if let Some(last) = over.iter_mut().rfind(|over| is_chat(over.purpose)) {
            last.paid = told(last.paid);
        }
        let least = self.prices().least;
        let requests: Vec<PaidRequest> = over
            .into_iter()
            .map(|over| {
                self.running.bill.record(over.purpose, over.paid);
                if providers::keeps_hour(&over.model) {
                    self.running.bill.keep(over.kept);
                }
                if is_chat(over.purpose) {
                    self.running.take(&over, least);
                }
                PaidRequest {
                    at: over.at,
                    turn,
                    purpose: over.purpose,
                    model: over.model,
                    paid: over.paid,
                    is_cut: over.is_cut,
                }
            })
            .collect();
        if requests.is_empty() {
            return;
        }
        if let Err(error) = self.store.keep_paid(&requests) {
            tracing::warn!("what requests took was not kept: {error}");
        }
    }

    /// What requests took that a person asked for between two turns is kept and told at once.
    pub(super) fn bill_by_hand(&mut self) {
        let before = self.running.bill.all();
        self.settle_requests(self.memory.turn());
        if self.running.bill.all() != before {
            self.show_bill();
        }
    }

    /// A turn begins: what was paid by now is not its own.
    pub(super) fn begin_bill(&mut self, turn: Turn) {
        self.settle_requests(turn);
        (self.running.found, self.running.missed, self.running.kept) = (None, false, false);
        self.running.bill.begin_turn();
    }

    /// A turn is about to count: the others pay for it. Returns the bill as it was, for one that does not after all.
    pub(super) fn bill_turn(&mut self, turn: Turn, reply: &str, progress: &Progress) -> Bill {
        let retold = self.running.retold.take();
        let replied = self.memory.count(reply).0;
        let by_reference = self.by_reference(progress);
        let prices = self.prices();
        let cache = (prices.cache, self.least(&prices));
        let told = |paid| retold.map_or(paid, |it| it.paid(replied, by_reference, paid, cache));
        self.settle(turn, told);
        // What its requests took was paid, whatever becomes of it.
        let before = self.running.bill.clone();
        let said = self.said(reply, progress);
        let said = match retold {
            Some(it) => it.said(said.whole()),
            None => self.as_told(said, progress),
        };
        if let Some(copied) = retold.and_then(|it| it.begins) {
            self.running.bill.begin_anew(copied);
        }
        let counted = self.running.bill.end_turn(&said);
        self.running.has_asked = false;
        self.keep_bill(turn, Some(counted));
        before
    }

    /// The turn counts, with what was paid at its end. Returns what it took.
    pub(super) fn close_bill(&mut self, turn: Turn) -> TurnBill {
        self.settle_requests(turn);
        if let Some(amended) = self.running.bill.amend_turn() {
            self.keep_bill(turn, Some(amended));
        }
        self.show_bill();
        self.running.bill.recent().last().copied().unwrap_or_default()
    }

    /// A turn did not count; what it took was paid all the same, by the others too.
    pub(super) fn bill_stopped(&mut self, turn: Turn, progress: &Progress) {
        self.settle_requests(turn);
        self.running.retold = None;
        self.running.returned.clear();
        if std::mem::take(&mut self.running.has_asked) {
            let said = self.said("", progress);
            let said = self.as_told(said, progress);
            self.running.bill.stop_turn(&said);
        }
        self.keep_bill(turn, None);
        self.show_bill();
    }

    fn said(&self, reply: &str, progress: &Progress) -> Said {
        let count = |text: &str| self.memory.count(text).0;
        let gives_text =
            |name: &str| tools::find(name).is_some_and(|tool| tool.gives == Gives::Text);
        let read = progress.calls.iter().filter(|call| gives_text(&call.name));
        let reply = count(reply);
        let Running { missed, kept, .. } = &*self.running;
        let cold = *missed || self.meter.is_cold() && !kept;
        let prices = self.prices();
        Said {
            user: count(&progress.typed),
            looked_up: read.map(|call| count(&call.result.to_string())).sum(),
            reply,
            output: self.running.last.map_or(0, |last| last.output),
            fixed: fixed(&progress.sent()).0,
            cold,
            found: self.running.found.filter(|_| cold).unwrap_or(0),
            cache: prices.cache,
            least: self.least(&prices),
            same: None,
            part: None,
        }
    }

    /// What was said in a turn, in tokens as its server counts them.
    fn as_told(&mut self, said: Said, progress: &Progress) -> Said {
        let sent = progress.answered.layers.total().0;
        let last = self.running.last;
        // Of the same words everybody pays the same.
        let whole = self.memory.full_history().tokens + Tokens(said.user);
        let is_only = progress.calls.is_empty() && self.running.bill.has_asked_once();
        let same = last.filter(|_| is_only && whole == Tokens(sent));
        let said = match last {
            // Of a part nobody learns how the whole is counted.
            Some(last) if progress.answered.cut().is_some() => {
                let part = [last.prompt(), sent];
                Said { part: Some(part).filter(|_| last.prompt() < sent), ..said }
            }
            Some(last) => {
                let words = sent.saturating_sub(said.fixed);
                let (fixed, messages) = (said.fixed, self.running.messages);
                let counted = Counted { fixed, words, messages, theirs: last.prompt() };
                self.running.bill.in_its_tokens(said, &self.model.info().name, counted)
            }
            None => said,
        };
        let said = Said { same, ..said };
        // The words of all rounds would have been said without tools too.
        if progress.calls.is_empty() && said.output > 0 { said } else { said.whole() }
    }

    /// The tokens of the user's message, if it is so long that it is held by reference.
    fn by_reference(&self, progress: &Progress) -> u64 {
        let typed = self.memory.count(&progress.typed);
        if typed > self.settings.input_limit() { typed.0 } else { 0 }
    }

    fn keep_bill(&mut self, turn: Turn, counted: Option<TurnBill>) {
        self.running.counted = match counted {
            Some(bill) => Some(BilledTurn { turn, bill }),
            // The turn did not count after all.
            None => self.running.counted.take_if(|last| last.turn < turn),
        };
        if let Err(error) = self.store.keep_bill(turn, &self.running.bill, counted) {
            tracing::warn!("the bill of the turn was not kept: {error}");
        }
    }

    /// A compression of so many tokens led to nothing; so does the same in another run, where it need not be paid
    /// for again. With none, one came to something.
    pub(super) fn keep_refused(&mut self, id: &EffortId, tokens: Tokens) {
        let refused = &mut self.running.refused;
        if tokens.0 > 0 {
            refused.insert(id.clone());
        } else if !refused.remove(id) {
            return;
        }
        if let Err(error) = self.store.keep_refused(id, tokens) {
            tracing::warn!("that a compression led to nothing was not kept: {error}");
        }
    }

    /// Keeps what is over and what a cache holds, because the session is closed.
    pub(super) fn leave_bill(&mut self) {
        self.settle_requests(self.memory.turn());
        let Some((at, sent)) = self.meter.last_sent() else { return };
        if let Err(error) = self.store.keep_sent(&at, &sent) {
            tracing::warn!("what the cache holds was not kept: {error}");
        }
    }

    /// Reads what each turn took beside the chat.
    pub(super) fn read_bill(&self) {
        let (reader, upto) = (self.store.reader(), self.memory.turn());
        self.notices.answer_beside(move || match reader.billed_turns(upto) {
            Ok(turns) => [Notice::BilledTurns(Arc::new(turns))],
            Err(error) => [Notice::problem(error.to_string(), "The bill's file is as it was.")],
        });
    }

    /// Tells the bill as it is now.
    pub(super) fn show_bill(&self) {
        if !self.is_watched {
            return;
        }
        let Running { bill, counted, .. } = &*self.running;
        let view = BillView { bill: bill.clone(), prices: self.prices(), last: *counted };
        self.notify(Notice::Bill(Arc::new(view)));
    }
}

/// The prices that are set, and where none are, those that are known of a model, by the names of its provider
/// and its own.
pub fn prices_of(settings: &Settings, provider: &str, model: &str) -> Prices {
    prices_for(settings, provider, model, Kept::default())
}

/// The prices of a model, as [`prices_of`] has them, where a bill tells how long what was written to a cache is kept.
pub fn prices_for(settings: &Settings, provider: &str, model: &str, kept: Kept) -> Prices {
    let usual = providers::prices(provider, model).unwrap_or_default();
    let is_asked = settings.keeps_hour();
    settings.prices(providers::prices_by_the_hour(model, usual, is_asked, kept))
}

/// What both sides pay for.
fn fixed(layers: &Layers) -> Tokens {
    layers.of(Layer::System) + layers.of(Layer::Tools)
}
