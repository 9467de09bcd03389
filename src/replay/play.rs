//! Plays the turns through the real driver and takes down what came of it.

use std::path::Path;
use std::sync::Arc;

use super::ahead::Ahead;
use super::conversation::Conversation;
use super::part::{Border, Mark};
use super::phases::Phase;
use super::rounds::{self, ReadAgain};
use super::rows::{Row, Rows};
use super::staging::{self, Replaying, Unread, staged};
use crate::bill::{
    Baselines, COMPACTED_TO, COMPACTION_WRITES, CacheKind, Other, Paid, Prices, Retold, Said,
};
use crate::config::{Settings, Source};
use crate::llm::Model;
use crate::llm::scripted::Scripted;
use crate::memory::tight;
use crate::memory::{
    Change, ChangeKind, CountTokens, EffortId, Faults, ItemView, Layer, Layers, MemoryView, Tokens,
    WordsAhead,
};
use crate::orchestrator::{Op, TurnReport, Unwatched};
use crate::scenario::{PlayError, Player};
use crate::store;

/// The longest time for which a cache can be set to keep what it holds, in seconds.
const ALWAYS: &str = "31536000";

/// A conversation that can be played, as often as one likes.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What is said in it.
    pub conversation: Arc<Conversation>,
    /// Its topics.
    pub phases: Arc<[Phase]>,
}

impl Replay {
    /// How many turns belong to no topic.
    pub fn turns_without_topic(&self) -> u64 {
        let with: usize = self.phases.iter().map(|phase| phase.to - phase.from).sum();
        (self.conversation.len() - with) as u64
    }
}

/// After a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// The turn, from 1.
    pub turn: u64,
    /// Tokens of all that was said, in all conversations up to here.
    pub full_history: u64,
    /// Tokens of the window that the next turn begins with.
    pub window: u64,
    /// Summaries in it.
    pub warm: u64,
    /// Summaries that left it.
    pub evicted: u64,
    /// Tokens that had been said when the conversation under way began, without those that it goes on from.
    pub began: u64,
}

impl Step {
    /// Tokens of the full history of the conversation under way: nobody sends one conversation with another.
    pub fn under_way(self) -> u64 {
        self.full_history - self.began
    }
}

impl Row for Step {
    fn numbers(self) -> [u64; 6] {
        [self.turn, self.full_history, self.window, self.warm, self.evicted, self.began]
    }

    fn of([turn, full_history, window, warm, evicted, began]: [u64; 6]) -> Self {
        Self { turn, full_history, window, warm, evicted, began }
    }
}

/// A topic that was concluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseRow {
    /// Its name in the session.
    pub name: EffortId,
    /// Turns that it took, from 1, the last one included.
    pub turns: (u64, u64),
    /// Tokens of its log.
    pub raw: u64,
    /// Tokens of its summary.
    pub summary: u64,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replayed {
    /// Turn by turn.
    pub steps: Rows<Step>,
    /// Behind the last turn, once the last topic is concluded, if it lasted to the end: nothing is said there.
    pub concluded: Option<Step>,
    /// The topics in the order in which they were concluded.
    pub phases: Vec<PhaseRow>,
    /// The window at the end.
    pub end: Layers,
    /// Tokens of the largest request of the chat, with what a message recalled and the message itself.
    pub largest_request: u64,
    /// What all requests took, those of memory included.
    pub own: Paid,
    /// Tokens of texts held by reference; each counts as read once, in its turn, without a cache.
    pub by_reference: u64,
    /// What others would have paid, who keep those in the history, and begin a new one with each conversation.
    pub others: Baselines,
    /// What the program itself would have paid that compacted where the log says so.
    pub then: Other,
    /// How often it did.
    pub compacted: u64,
    /// What was read again by requests behind the first of each turn; not in what was paid above.
    pub again: ReadAgain,
    /// Tokens of all that was said.
    pub said: u64,
    /// How much of that was said before the last conversation.
    pub began: u64,
    /// How many conversations it was said in.
    pub conversations: u64,
    /// The most tokens that a message recalled; none if recall was off.
    pub recall: Tokens,
    /// How often something was needed and not in the window.
    pub faults: Faults,
}

impl Replayed {
    /// What it cost, in tokens that cost as much as one of input.
    pub fn cost(&self, prices: &Prices) -> f64 {
        prices.cost(&self.own) + self.by_reference as f64
    }

    /// The part of all that was said that is not in the window at the end.
    pub fn saved(&self) -> f64 {
        saved_of(self.end.total().0, self.said)
    }

    /// After the last turn, and once the last topic is concluded behind it.
    pub fn ends(&self) -> impl Iterator<Item = Step> {
        self.steps.last().into_iter().chain(self.concluded)
    }

    /// Whether messages recalled what was said, as they do in a chat.
    pub fn is_recall_on(&self) -> bool {
        self.recall > Tokens(0)
    }

    /// What stands after a turn.
    fn step(&self, turn: u64, view: &MemoryView) -> Step {
        Step {
            turn,
            full_history: self.said,
            window: view.layers.total().0,
            warm: view.warm.len() as u64,
            evicted: view.manifest.evicted as u64,
            began: self.began,
        }
    }

    /// Takes down what memory did in a turn, and where the last topic is concluded behind them, and what that took.
    fn take(&mut self, changes: &[Change], view: &MemoryView, paid: Paid) {
        self.end = view.layers;
        self.faults = view.metrics.faults;
        self.own += paid;
        let concluded = changes.iter().filter(|change| change.kind == ChangeKind::EffortConcluded);
        for item in concluded.filter_map(|change| item(view, change.effort()?.as_str())) {
            let row = PhaseRow {
                name: item.id.clone(),
                turns: (0, 0),
                raw: item.raw_tokens.map_or(0, |tokens| tokens.0),
                summary: item.whole.0,
            };
            tight::push(&mut self.phases, row);
        }
    }
}

/// The part of so many tokens that a window does not hold; below 0 if it holds more.
pub(super) fn saved_of(window: u64, said: u64) -> f64 {
    1.0 - window as f64 / said.max(1) as f64
}

fn item<'a>(view: &'a MemoryView, id: &str) -> Option<&'a ItemView> {
    let all = view.warm.iter().chain(&view.expanded).chain(&view.manifest.recent);
    all.into_iter().find(|item| item.id.as_str() == id)
}

/// What it is played with.
pub struct With {
    /// The settings.
    pub settings: Settings,
    /// Counts tokens.
    pub counter: Arc<dyn CountTokens>,
    /// Writes the summaries.
    pub summaries: Arc<dyn Model>,
    /// The prices of the bill.
    pub prices: Prices,
}

impl Replay {
    /// Plays it, in a session that stays if a directory is named; `told` hears how many turns of how many are done.
    ///
    /// # Errors
    /// A setting makes no sense, the session cannot be written, or a turn fails.
    pub async fn play(
        &self,
        with: With,
        directory: Option<&Path>,
        told: &mut dyn FnMut(usize, usize),
    ) -> Result<Replayed, PlayError> {
        let unread = Unread::default();
        let turns =
            staged(Arc::clone(&self.conversation), Arc::clone(&self.phases), unread.clone());
        let finds = self.conversation.finds();
        // Where somebody watches, a topic's end is no hurry.
        let looked_for = directory.is_none().then(|| Arc::clone(&finds));
        let words = Arc::new(WordsAhead::default());
        let ahead = Ahead {
            counter: Arc::clone(&with.counter),
            summaries: looked_for.is_some().then(|| Arc::clone(&with.summaries)),
            words: looked_for.is_some().then(|| Arc::clone(&words)),
            finds: looked_for,
        };
        let (turns, beside) = ahead.of(turns).map_err(|reason| {
            PlayError::Script(format!("the system starts no more threads: {reason}"))
        })?;
        let lasts = staging::lasts(self.conversation.len(), &self.phases);
        let scripted = Scripted::new();
        let model = Arc::new(Replaying { script: scripted.clone(), summaries: with.summaries });
        let recall = with.settings.rules().recall();
        let billing = Billing {
            conversation: &self.conversation,
            counter: Arc::clone(&with.counter),
            limit: with.settings.input_limit(),
            budget: with.settings.rules().limit(),
            cache: with.prices.cache,
        };
        let (mut settings, counter) = (with.settings, with.counter);
        settings.set_prices(&with.prices, &Source::Flag("replay"))?;
        if !settings.cache_lifetime().is_zero() {
            // Nobody pauses here, however long the play takes.
            settings.set("cache_lifetime", ALWAYS, Source::Flag("replay"))?;
        }
        let empty = store::Setup::default();
        let mut player = if directory.is_some() {
            Player::watched(directory, &empty, turns, scripted, model, settings, counter)
        } else {
            let unwatched = Unwatched { finds, words, beside };
            Player::unwatched(&empty, turns, scripted, model, settings, counter, unwatched)
        }?;
        let mut replayed = Replayed { recall, ..Replayed::default() };
        let ended = billing.play_turns(&mut player, &mut replayed, lasts, told).await;
        player.finish().await;
        ended?;
        unread.told()?;
        if let Some(directory) = directory {
            store::keep_prices(directory, &with.prices)?;
        }
        replayed.place(&self.phases);
        Ok(replayed)
    }
}

/// Says what a turn of the conversation cost whom.
struct Billing<'a> {
    conversation: &'a Conversation,
    counter: Arc<dyn CountTokens>,
    /// Tokens of a message beyond which it is held by reference.
    limit: Tokens,
    /// The most tokens that a window has.
    budget: Tokens,
    cache: CacheKind,
}

impl Billing<'_> {
    async fn play_turns(
        &self,
        player: &mut Player,
        replayed: &mut Replayed,
        lasts: bool,
        told: &mut dyn FnMut(usize, usize),
    ) -> Result<(), PlayError> {
        let turns = self.conversation.len();
        let count = turns + usize::from(lasts);
        let mut last = Said::default();
        for at in 0.. {
            let Some(user) = player.prepare_turn() else { break };
            player.handle().send(Op::Send(user.clone()));
            let report = player.await_report().await?;
            replayed.take(&report.changes, &report.memory, report.bill.own);
            let asked = report.sent.total().max(report.answered.total()).0;
            replayed.largest_request = replayed.largest_request.max(asked);
            last = self.bill(at, &user, &report, replayed)?;
            let step = replayed.step(report.turn.0, &report.memory);
            replayed.steps.push(step);
            told(at + 1, count);
        }
        // Behind the last turn the last topic is concluded, which costs this memory alone.
        if lasts && replayed.steps.len() == turns {
            let end = player.conclude().await?;
            replayed.take(&end.changes, &end.memory, end.paid);
            replayed.concluded = Some(replayed.step(turns as u64, &end.memory));
            told(count, count);
        }
        // In the last turn, or behind it.
        let history = replayed.then.history;
        let summaries = self.summaries(self.conversation.len(), history, |_| true);
        replayed.compacted += summaries.len() as u64;
        replayed.then.compacted(&last, summaries);
        Ok(())
    }

    /// What others would have paid for a turn.
    fn bill(
        &self,
        at: usize,
        user: &str,
        report: &TurnReport,
        replayed: &mut Replayed,
    ) -> Result<Said, PlayError> {
        let unread = |reason: std::io::Error| PlayError::Script(reason.to_string());
        let tools = self.conversation.tools(at).map_err(unread)?;
        let rounds = self.conversation.rounds(at).map_err(unread)?;
        let user = self.counter.count(user);
        let by_reference = u64::from(tools.held) + if user > self.limit { user.0 } else { 0 };
        // It is told apart from what the requests took.
        replayed.by_reference += by_reference;
        replayed.own.uncached = replayed.own.uncached.saturating_sub(by_reference);
        let copied = self.conversation.border(at).and_then(Border::copied);
        let begins = copied.map(|copied| copied.all);
        let fixed = report.sent.of(Layer::System) + report.sent.of(Layer::Tools);
        let reply = self.counter.count(&report.reply).0;
        let plain =
            Said { user: user.0, reply, fixed: fixed.0, cache: self.cache, ..Said::default() };
        let said = Retold { tools, begins }.said(plain);
        if at == 0 || begins.is_some() {
            let behind = self.summaries(at, replayed.then.history, |mark| mark.is_behind);
            replayed.compacted += behind.len() as u64;
            replayed.then.compacted(&said, behind);
            let copied = copied.unwrap_or_default();
            replayed.others.begin_anew(copied.all);
            replayed.then.begin_anew(copied.in_window);
            replayed.began = replayed.said.saturating_sub(copied.all);
            replayed.conversations += 1;
        }
        replayed.said += said.growth();
        replayed.others.turn(&said);
        let history = replayed.then.history;
        let summaries = self.summaries(at, history, |mark| !(begins.is_some() && mark.is_behind));
        replayed.compacted += summaries.len() as u64;
        replayed.then.turn_compacted(&said, summaries);
        let turn = rounds::Turn {
            rounds,
            said: &said,
            reply,
            bytes: report.reply.len(),
            window: report.sent.total(),
            limit: self.budget,
        };
        let others = &replayed.others;
        replayed.again.turn(&turn, [&others.with_cache, &others.compacting, &replayed.then]);
        Ok(said)
    }
}

impl Billing<'_> {
    /// The summaries that the program made before a turn of a history of so many tokens, of those that count.
    fn summaries(
        &self,
        at: usize,
        history: u64,
        counts: impl Fn(&Mark) -> bool,
    ) -> Vec<(u64, u64)> {
        let marks = self.conversation.marks();
        let from = marks.partition_point(|mark| mark.turn < at);
        let made = marks[from..].iter().take_while(|mark| mark.turn == at);
        made.filter(|mark| counts(mark)).map(|mark| self.summary(mark, history)).collect()
    }

    /// Tokens of a summary that the program itself made, and of what stayed beside it. Where the log does not hold it, what
    /// stayed in all stands for both, with a system prompt and tools among that, but no more than the history had, and of
    /// that no more was written than is usual.
    fn summary(&self, mark: &Mark, history: u64) -> (u64, u64) {
        let one = &mark.compaction;
        if let Some(text) = &one.summary {
            return (self.counter.count(text).0, mark.kept);
        }
        let in_all = one.after.unwrap_or(COMPACTED_TO).min(COMPACTED_TO).min(history);
        let written = in_all.saturating_sub(mark.kept).min(COMPACTION_WRITES);
        (written, in_all.max(mark.kept) - written)
    }
}

impl Replayed {
    /// The topics were concluded in the order in which they began.
    fn place(&mut self, phases: &[Phase]) {
        let mut phases = phases.iter();
        for row in &mut self.phases {
            let is_it = |phase: &&Phase| EffortId::from_name(&phase.name).as_ref() == Ok(&row.name);
            if let Some(phase) = phases.find(is_it) {
                row.turns = (phase.from as u64 + 1, phase.to as u64);
            }
        }
    }
}
