//! Hits and misses, with how sure one can be of them, and what they cost.

use super::expect::{Expect, Seen};
use super::known::Known;
use crate::bill::{Prices, Sum};
use crate::counted::counted;
use crate::llm::ModelInfo;
use crate::orchestrator::TurnReport;
use crate::proof::{Outcome, spent};

/// The share of turns that must be as expected, in percent: where something is to be done, and where nothing is.
const ENOUGH: [u64; 2] = [80, 90];

/// Characters of a message that the table shows.
const SHOWN: usize = 60;

/// A turn that was taken.
#[derive(Debug)]
pub(super) struct Turned {
    pub(super) user: String,
    pub(super) expected: Expect,
    /// Else what happened instead.
    pub(super) verdict: Result<(), String>,
    /// How it ended.
    pub(super) end: End,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// In order.
    Well,
    /// It did not end.
    Failed,
    /// In order, but the server had failed at what was asked for: it tells nothing of the model.
    LeftOut,
}

impl Turned {
    /// A turn that ended, and whether it did what is expected.
    pub(super) fn judged(
        user: String,
        expected: Expect,
        known: &mut Known,
        report: &TurnReport,
    ) -> Self {
        let seen = Seen::of(&user, report);
        let verdict = expected.judge(known, &seen);
        let unmade = verdict.is_err().then(|| expected.unmade(known, &seen)).flatten();
        let (verdict, end) = match unmade {
            Some(why) => (Err(format!("left out: {why}")), End::LeftOut),
            None => (verdict, End::Well),
        };
        Self { user, expected, verdict, end }
    }

    /// A turn that did not end, and why.
    pub(super) fn failed(user: String, expected: Expect, why: &str) -> Self {
        let verdict = Err(format!("the turn failed: {why}"));
        Self { user, expected, verdict, end: End::Failed }
    }
}

/// All turns so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Each with its run, counted from 1, and its conversation.
    turns: Vec<(usize, String, Turned)>,
    /// What all requests took, those for summaries and of turns that failed included.
    paid: Sum,
    /// A turn that is not among them failed, and nothing was said after it.
    is_stopped: bool,
}

/// What the intervals do not know.
const DEPENDENT: &str = "The intervals take turns as independent, which those of one conversation are not: they are \
    narrower than they should be.";

/// Hits of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rate {
    hits: u64,
    of: u64,
}

impl Rate {
    fn percent(self) -> f64 {
        100.0 * self.hits as f64 / self.of.max(1) as f64
    }

    /// Wilson's interval: where the share lies with a probability of 95 %, in percent.
    fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        if self.of == 0 {
            return (0.0, 100.0);
        }
        let (of, share) = (self.of as f64, self.percent() / 100.0);
        let middle = share + Z * Z / (2.0 * of);
        let reach = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
        let whole = 1.0 + Z * Z / of;
        (100.0 * (middle - reach).max(0.0) / whole, 100.0 * ((middle + reach) / whole).min(1.0))
    }

    fn told(self) -> String {
        let (least, most) = self.interval();
        let Self { hits, of } = self;
        if of == 0 {
            return "none was said".to_owned();
        }
        // A share that is not whole is told so that it is not taken for the one that is enough.
        let decimals = usize::from((hits * 100) % of > 0);
        let percent = self.percent();
        format!("{hits} of {of}: {percent:.decimals$} %, 95 % interval {least:.0} to {most:.0} %")
    }
}

impl Tally {
    pub(super) fn add(&mut self, run: usize, conversation: &str, turned: Vec<Turned>, paid: Sum) {
        self.paid += paid;
        let named = turned.into_iter().map(|turned| (run + 1, conversation.to_owned(), turned));
        self.turns.extend(named);
    }

    /// A turn failed that ends it all.
    pub(super) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Whether no turn ended.
    pub(super) fn is_empty(&self) -> bool {
        self.turns.iter().all(|(_, _, turned)| turned.end == End::Failed)
    }

    /// Whether anything was paid.
    pub(super) fn has_paid(&self) -> bool {
        self.paid.requests > 0
    }

    fn rate(&self, of: impl Fn(&Expect) -> bool) -> Rate {
        let counts = |turned: &Turned| turned.end != End::LeftOut && of(&turned.expected);
        let all = || self.turns.iter().filter(|(_, _, turned)| counts(turned));
        let hits = all().filter(|(_, _, turned)| turned.verdict.is_ok()).count();
        Rate { hits: hits as u64, of: all().count() as u64 }
    }

    /// The table: a row for each kind, then one for each miss.
    pub(super) fn outcome(&self, model: &ModelInfo, prices: &Prices) -> Outcome {
        let mut outcome = Outcome::default();
        for word in Expect::WORDS {
            let rate = self.rate(|expected| expected.word() == word);
            outcome.row(word, &rate.of.to_string(), rate.told());
        }
        for (run, conversation, turned) in &self.turns {
            if let Err(instead) = &turned.verdict {
                let step = format!("run {run}, {conversation}: {}", cut(&turned.user));
                outcome.row(&step, &turned.expected.told(), instead.clone());
            }
        }
        self.claim(&mut outcome, model.offline);
        outcome.remarks.push(self.costs(model, prices));
        outcome.remarks.extend(self.failures());
        outcome.remarks.extend(self.left_out());
        outcome.remarks.push(DEPENDENT.to_owned());
        outcome
    }

    /// The turns that failed, the one that ended it all too.
    fn failures(&self) -> Option<String> {
        let failed = self.ended(End::Failed);
        let told = counted(failed, "turn");
        match (failed, self.is_stopped) {
            (0, false) => None,
            (0, true) => Some("One turn failed, which ended it all: it is not counted.".to_owned()),
            (_, false) => Some(format!("Of these, {told} failed: such a one counts as a miss.")),
            (_, true) => Some(format!(
                "Of these, {told} failed: such a one counts as a miss. One more failed, which ended it all: it is not counted."
            )),
        }
    }

    fn ended(&self, end: End) -> u64 {
        self.turns.iter().filter(|(_, _, turned)| turned.end == end).count() as u64
    }

    /// The turns that tell nothing of the model.
    fn left_out(&self) -> Option<String> {
        let left_out = self.ended(End::LeftOut);
        let (are, they) = if left_out == 1 { ("is", "it tells") } else { ("are", "they tell") };
        (left_out > 0).then(|| {
            format!(
                "Of these, {} {are} left out of the figures, as the server failed at a summary: {they} nothing of the model.",
                counted(left_out, "turn")
            )
        })
    }

    fn claim(&self, outcome: &mut Outcome, offline: bool) {
        let rates = [
            self.rate(|expected| *expected != Expect::Silent),
            self.rate(|expected| *expected == Expect::Silent),
        ];
        if offline {
            let text = "the path runs; the built-in model follows patterns and understands no language, so its \
                        figures mean nothing about a real model";
            let [acts, silent] = rates.map(Rate::told);
            return outcome.claim(text, true, format!("acts {acts}; silent {silent}"));
        }
        let texts = [
            "it acts where a person would expect it",
            "it leaves memory alone where nothing is to be done",
        ];
        for ((text, rate), enough) in texts.into_iter().zip(rates).zip(ENOUGH) {
            let text = format!("{text}, in at least {enough} % of the turns");
            outcome.claim(&text, rate.percent() >= enough as f64, rate.told());
        }
    }

    /// Who answered, and what it took.
    pub(super) fn costs(&self, model: &ModelInfo, prices: &Prices) -> String {
        format!(
            "{} of {}: {}, {}.",
            model.name,
            model.provider,
            counted(self.turns.len() as u64, "turn"),
            spent::told(&self.paid, prices)
        )
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bill::Paid;

    #[test]
    fn an_interval_is_wilsons() {
        let near = |rate: Rate, (least, most): (f64, f64)| {
            let (from, to) = rate.interval();
            assert!((from - least).abs() < 0.1 && (to - most).abs() < 0.1, "{from} {to}");
        };
        near(Rate { hits: 8, of: 10 }, (49.0, 94.3));
        near(Rate { hits: 10, of: 10 }, (72.2, 100.0));
        near(Rate { hits: 0, of: 10 }, (0.0, 27.8));
        near(Rate { hits: 0, of: 0 }, (0.0, 100.0));
        assert_eq!(Rate { hits: 0, of: 0 }.told(), "none was said");
        assert!(Rate { hits: 35, of: 39 }.told().starts_with("35 of 39: 89.7 %, "));
    }

    #[test]
    fn misses_are_told_one_by_one_and_fail_their_claim() {
        let turned = |expected: &str, verdict: Result<(), &str>| Turned {
            user: "Please ".repeat(20),
            expected: Expect::try_from(expected.to_owned()).expect("expected"),
            verdict: verdict.map_err(str::to_owned),
            end: End::Well,
        };
        let mut tally = Tally::default();
        let mut paid = Sum::default();
        (0..4).for_each(|_| paid.add(Paid::reported(500, 200, 0, 25)));
        let turns = vec![turned("silent", Ok(())), turned("open a", Err("nothing"))];
        tally.add(0, "talk", turns, paid);
        let model = ModelInfo {
            name: "m".to_owned(),
            provider: "here".to_owned(),
            context_window: None,
            offline: false,
        };
        let outcome = tally.outcome(&model, &Prices::default());
        assert_eq!(outcome.rows.len(), Expect::WORDS.len() + 1);
        let miss = &outcome.rows[Expect::WORDS.len()];
        assert!(miss.step.starts_with("run 1, talk: Please") && miss.step.ends_with("..."));
        assert_eq!((miss.expected.as_str(), miss.measured.as_str()), ("open a", "nothing"));
        assert_eq!(
            outcome.claims.iter().map(|claim| claim.holds).collect::<Vec<_>>(),
            [false, true]
        );
        let costs = "m of here: 2 turns, 4 requests that were answered, 2,000 tokens of prompts, of which 800 from its cache, and 100 of \
                     answers, as the server counted them; as much as 1,680 tokens of plain input (from cache 0.1 times, output 4 times).";
        assert_eq!(outcome.remarks, [costs, DEPENDENT]);
    }
}
