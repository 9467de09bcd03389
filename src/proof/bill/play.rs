//! Plays a made-up conversation through the driver and reads its bill at some places.

use std::fmt;
use std::sync::Arc;

use super::floor::Floor;
use super::meter::{Ledger, Meter, Placement, Sent};
use super::parts::Parts;
use super::price::{OUTPUT, PRICES, Price};
use super::talk::{Plan, Shape, Talk};
use crate::bill::{Bill, Prices};
use crate::config::{Settings, Source};
use crate::llm::scripted::Scripted;
use crate::memory::CountTokens;
use crate::orchestrator::Op;
use crate::proof::Far;
use crate::scenario::{Play, PlayError, Player};
use crate::store;

/// Tokens of a turn of a usual length.
const TURN: u64 = 500;

/// How far a conversation is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// So many turns.
    Turns(u64),
    /// A history of so many tokens.
    Tokens(u64),
}

/// A conversation to be played.
#[derive(Debug, Clone)]
pub struct Sitting<'a> {
    /// What kind it is.
    pub shape: Shape,
    /// How long messages and replies are, in percent of the usual.
    pub length: usize,
    /// How many messages it has and how they are divided; `None` for one without an end.
    pub plan: Option<Plan>,
    /// Where the bill is read, ascending; the last one ends it.
    pub marks: &'a [Until],
    /// Settings that differ from the defaults, by their names.
    pub settings: Vec<(String, String)>,
    /// Tokens below which the caches keep nothing; 0 where they keep whatever is sent.
    pub least: u64,
    /// Where the memory block counts as standing.
    pub placement: Placement,
    /// Hears how far it is.
    pub far: Far,
}

/// A conversation that was played.
#[derive(Debug)]
pub struct Billed {
    /// What had been paid at each of its marks.
    pub marks: Vec<Mark>,
    /// Every request.
    pub sent: Vec<Sent>,
    /// Of what their tokens were.
    pub parts: Parts,
}

/// What had been paid at one place.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The place.
    pub until: Until,
    /// Turns so far.
    pub turns: u64,
    /// Tokens of all that was said.
    pub history: u64,
    /// Tokens of all that the window holds then, system prompt and tools included.
    pub window: u64,
    /// The most that it held at the end of a turn so far.
    pub most_window: u64,
    bills: [Bill; 2],
    floor: Floor,
    /// Tokens of answers that only memory needs: calls, summaries, steps of compressions.
    pub extra: u64,
    /// Tokens of messages that are held by reference: each counts as read once, as in a replay.
    pub held: u64,
    /// For each of [`PRICES`] the history up to which sending all of it had been the cheaper one.
    pub cheaper_up_to: [u64; PRICES.len()],
}

impl Mark {
    fn read(
        (ledger, floor): (&Ledger, &Floor),
        until: Until,
        replies: u64,
        cheaper_up_to: [u64; PRICES.len()],
    ) -> Self {
        let bills = ledger.bills.clone();
        let (turns, history) = (bills[0].turns(), bills[0].baselines().with_cache.history);
        let extra = ledger.output.saturating_sub(replies);
        let (window, most_window, floor, held) = (0, 0, floor.clone(), ledger.held);
        Self {
            until,
            turns,
            history,
            window,
            most_window,
            bills,
            floor,
            extra,
            held,
            cheaper_up_to,
        }
    }

    /// What memory cost relative to append-only full history with the same cache, to that without a cache,
    /// and to one that compacts at times.
    pub fn ratios(&self, price: &Price) -> [f64; 3] {
        let bill = &self.bills[price.kind];
        let own = price.cost(&bill.all().paid) + self.extra as f64 * OUTPUT + self.held as f64;
        let others = bill.baselines();
        let others = [&others.with_cache, &others.without_cache, &others.compacting];
        others.map(|other| own / price.cost(&other.paid()).max(1.0))
    }

    /// The least that any memory by the seeds' rules could cost, relative to append-only history with the same cache: what
    /// is open stands raw in the window, everything is read anew once, and nothing is recalled or sent beside it.
    pub fn floor(&self, price: &Price) -> f64 {
        let others = self.bills[price.kind].baselines();
        self.floor.cost(price) / price.cost(&others.with_cache.paid()).max(1.0)
    }

    /// The share of all prompt tokens that was an unchanged beginning, in percent.
    pub fn unchanged_percent(&self) -> f64 {
        100.0 * self.bills[0].all().paid.share_read()
    }

    /// Requests so far.
    pub fn requests(&self) -> u64 {
        self.bills[0].all().requests
    }

    /// The requests by purpose.
    pub fn own(&self) -> &Bill {
        &self.bills[0]
    }
}

impl fmt::Display for Until {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(turns) => write!(out, "{turns} turns"),
            Self::Tokens(tokens) => write!(out, "{}k tokens", tokens / 1_000),
        }
    }
}

impl Until {
    fn is_reached(self, turns: u64, history: u64) -> bool {
        match self {
            Self::Turns(most) => turns >= most,
            Self::Tokens(most) => history >= most,
        }
    }

    /// How much work that is, in turns of a usual length, as far as so many turns of so many tokens in all go.
    fn work(self, turns: u64, history: u64) -> u64 {
        match self {
            Self::Turns(most) => turns.min(most),
            Self::Tokens(most) => history.min(most) / TURN,
        }
    }
}

impl<'a> Sitting<'a> {
    /// A conversation under the default settings.
    pub fn as_sent(shape: Shape, marks: &'a [Until]) -> Self {
        Self {
            shape,
            length: 100,
            plan: None,
            marks,
            settings: vec![],
            least: 0,
            placement: Placement::AsSent,
            far: Far::default(),
        }
    }

    /// A conversation with the memory block in front of the logs, and an ambient window that slides by one
    /// exchange a turn.
    pub fn in_front(shape: Shape, marks: &'a [Until]) -> Self {
        let settings = vec![("seeds".to_owned(), "true".to_owned())];
        Self { settings, placement: Placement::InFront, ..Self::as_sent(shape, marks) }
    }

    /// How much work it is to play it, in turns of a usual length.
    pub(in crate::proof) fn work(&self) -> u64 {
        self.marks.last().map_or(0, |until| until.work(u64::MAX, u64::MAX))
    }

    /// Plays it.
    ///
    /// # Errors
    /// Fails when a setting is wrong, the session cannot be written or a turn fails.
    pub async fn play(&self, counter: &Arc<dyn CountTokens>) -> Result<Billed, PlayError> {
        let script = Scripted::new();
        let meter =
            Meter::new(script.clone(), self.placement, Arc::clone(counter)).from(self.least);
        let model = Arc::new(meter.clone());
        let mut talk = Talk::new(self.shape, self.length);
        if let Some(plan) = self.plan {
            talk = talk.planned(plan, Arc::clone(counter));
        }
        let (setup, settings) = (&store::Setup::default(), self.settings()?);
        let play = Play::recited(setup, script, model, settings, Arc::clone(counter));
        let mut player = Player::begin(play, talk)?;
        let marks = self.marks_of(&mut player, &meter).await;
        player.finish().await;
        let mut ledger = meter.ledger();
        let (sent, parts) = (std::mem::take(&mut ledger.sent), std::mem::take(&mut ledger.parts));
        Ok(Billed { marks: marks?, sent, parts })
    }

    async fn marks_of(&self, player: &mut Player, meter: &Meter) -> Result<Vec<Mark>, PlayError> {
        let (mut marks, mut replies, mut most_window) = (Vec::new(), 0, 0);
        let limit = self.settings()?.input_limit();
        let (mut cheaper, mut floor, mut done) = ([0; PRICES.len()], Floor::default(), 0);
        while let Some(until) = self.marks.get(marks.len()) {
            let Some(user) = player.prepare_turn() else { break };
            player.handle().send(Op::Send(user.clone()));
            let report = player.await_report().await?;
            let mut ledger = meter.ledger();
            let window = report.memory.layers.total().0;
            most_window = window.max(most_window);
            let took = ledger.end_turn(&user, &report.reply, limit);
            replies += took.said[1];
            floor.end_turn(&took, &report);
            ledger.parts.end_turn(&report.changes);
            let mark = Mark::read((&ledger, &floor), *until, replies, cheaper);
            for (price, upto) in PRICES.iter().zip(&mut cheaper) {
                if mark.ratios(price)[0] > 1.0 {
                    *upto = mark.history;
                }
            }
            let work = self.marks.last().map_or(0, |last| last.work(mark.turns, mark.history));
            self.far.add(work - done);
            done = work;
            if until.is_reached(mark.turns, mark.history) {
                marks.push(Mark { window, most_window, cheaper_up_to: cheaper, ..mark });
            }
        }
        Ok(marks)
    }

    fn settings(&self) -> Result<Settings, PlayError> {
        let source = || Source::Scenario { file: "proof bill".to_owned(), line: None };
        // What a cut of power would leave is nothing that is billed.
        let durability = ("durability".to_owned(), "process".to_owned());
        let own = self.settings.iter().chain([&durability]);
        let mut settings = Settings::default();
        settings.set_all(own.map(|(key, value)| (key.clone(), value.clone(), source())))?;
        if self.least > 0 {
            settings.set_prices(&Prices::default().from(self.least), &source())?;
        }
        Ok(settings)
    }
}
