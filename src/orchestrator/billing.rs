//! The bill: what the requests took is kept with the session and told.

use std::sync::Arc;

use super::driver::Driver;
use super::notice::Notice;
use super::turn::Progress;
use crate::bill::{Bill, Paid, Prices, Purpose, Said};
use crate::config::Settings;
use crate::memory::{Layer, Layers, Tokens, Turn};
use crate::providers;
use crate::store::{PaidRequest, StoredBill};

/// What was paid so far, with the prices in force.
#[derive(Debug, Clone, PartialEq)]
pub struct BillView {
    /// The sums.
    pub bill: Bill,
    /// What the tokens cost.
    pub prices: Prices,
}

/// A bill that goes on, with what is needed to end a turn.
#[derive(Debug, Default)]
pub(super) struct Running {
    pub(super) bill: Bill,
    /// What the last request of the chat took.
    pub(super) last: Option<Paid>,
}

impl From<StoredBill> for Running {
    fn from(stored: StoredBill) -> Self {
        Self { bill: stored.bill, last: None }
    }
}

/// The tools whose results are texts that were never said.
const READING: [&str; 2] = ["scratchpad_read_chunk", "scratchpad_search"];

impl Driver {
    /// Tells the meter of the request that goes out next.
    pub(super) fn expect_request(&mut self, cost: Tokens) {
        self.settle_requests(self.memory.current_turn());
        let lifetime = self.settings.cache_lifetime().as_secs();
        self.meter.expect(cost.0, self.prices().cache, lifetime);
    }

    fn prices(&self) -> Prices {
        let model = self.model.info();
        prices_of(&self.settings, &model.provider, &model.name)
    }

    /// Keeps what requests took that are over by now. A disk that refuses costs the record of them only.
    pub(super) fn settle_requests(&mut self, turn: Turn) {
        let requests: Vec<PaidRequest> = self
            .meter
            .take()
            .into_iter()
            .map(|over| {
                self.running.bill.record(over.purpose, over.paid);
                if matches!(over.purpose, Purpose::Chat | Purpose::ToolRound) {
                    self.running.last = Some(over.paid);
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

    /// A turn counts: the others pay for it. Returns what it took.
    pub(super) fn bill_turn(&mut self, turn: Turn, reply: &str, progress: &Progress) -> Paid {
        self.settle_requests(turn);
        let count = |text: &str| self.memory.count(text).0;
        let read = progress.calls.iter().filter(|call| READING.contains(&&*call.name));
        let reply = count(reply);
        let said = Said {
            user: count(&progress.typed),
            looked_up: read.map(|call| count(&call.result.to_string())).sum(),
            reply,
            // The words of all rounds would have been said without tools too.
            output: self.running.last.map_or(0, |last| last.output).max(reply),
            fixed: fixed(&progress.sent()).0,
            cold: self.meter.is_cold(),
            cache: self.prices().cache,
        };
        let counted = self.running.bill.end_turn(&said);
        if let Err(error) = self.store.keep_bill(turn, &self.running.bill, Some(counted)) {
            tracing::warn!("the bill of the turn was not kept: {error}");
        }
        self.show_bill();
        counted.own
    }

    /// A turn did not count; what it took was paid all the same.
    pub(super) fn bill_stopped(&mut self, turn: Turn) {
        self.settle_requests(turn);
        if let Err(error) = self.store.keep_bill(turn, &self.running.bill, None) {
            tracing::warn!("the bill of the turn was not kept: {error}");
        }
        self.show_bill();
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
        let (reader, notices) = (self.store.reader(), self.notices.clone());
        tokio::task::spawn_blocking(move || {
            let notice = match reader.billed_turns() {
                Ok(turns) => Notice::BilledTurns(Arc::new(turns)),
                Err(error) => Notice::problem(error.to_string(), "The bill's file is as it was."),
            };
            // A client that has gone needs no answer.
            let _ = notices.send(notice);
        });
    }

    /// Tells the bill as it is now.
    pub(super) fn show_bill(&self) {
        let view = BillView { bill: self.running.bill.clone(), prices: self.prices() };
        self.notify(Notice::Bill(Arc::new(view)));
    }
}

/// The prices that are set, and where none are, those that are known of a model, by the names of its provider
/// and its own.
pub fn prices_of(settings: &Settings, provider: &str, model: &str) -> Prices {
    settings.prices(providers::prices(provider, model).unwrap_or_default())
}

/// What both sides pay for.
fn fixed(layers: &Layers) -> Tokens {
    layers.of(Layer::System) + layers.of(Layer::Tools)
}
