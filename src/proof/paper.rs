//! The published case study: conversations of the same sizes, played through the real driver at default settings.

use std::sync::Arc;

use super::bill::{
    BREAKPOINTS, FIFTIETH, Mark, PRICES, Plan, Remembering, Shape, Sitting, TENTH, Until,
};
use super::{Far, Outcome};
use crate::memory::CountTokens;
use crate::scenario::PlayError;

/// A conversation that was published, with its figures.
struct Published {
    plan: Plan,
    /// Tokens of working memory at its end.
    window: u64,
    /// Tokens that are not in it, in tenths of a percent.
    saved: u64,
}

const fn published(tokens: u64, messages: u64, phases: u64, window: u64, saved: u64) -> Published {
    Published { plan: Plan { messages, tokens, phases, nth: 0, own_percent: OWN }, window, saved }
}

const PUBLISHED: [Published; 3] = [
    published(138_000, 188, 11, 4_076, 971),
    published(240_000, 429, 17, 4_102, 979),
    published(58_000, 190, 15, 3_994, 931),
];

/// How many conversations of each published size are played.
const EACH: u64 = 20;

/// A conversation as long as nobody has published one, in messages and phases like the first.
const LONG: Plan =
    Plan { messages: 2_725, tokens: 2_000_000, phases: 160, nth: 0, own_percent: OWN };

/// At the ends of how many of its last phases the long one is read.
const LAST_PHASES: u64 = 50;

/// What people write beside what they get, in percent of both.
const OWN: u64 = 25;

/// How far apart working memory may be at the ends of the published ones, in percent of its mean.
const SPREAD: f64 = 3.0;

/// How far that of the long one may be from the mean of these, in percent of it.
const LONG_APART: f64 = 5.0;

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: the published conversations are not at hand, so twenty others of the \
    same number of messages, tokens and phases are made up for each, the same in every run: messages and replies of \
    40 to 160 % of the mean length, asides, mentions of earlier phases and looks into them; every phase has a dozen \
    words of its own, two of them its name, drawn from two thousand, among everyday ones. Each is an effort that \
    is opened, talked through and concluded (nobody looks into an earlier one in its last turns, so that none stands \
    expanded at its end), and all is played through the real driver at default settings. Working memory is all that \
    the window holds at the end, system prompt and tool definitions included: the mean of the twenty, then the least \
    and the most; of the long one, at the ends of its last fifty phases. Net is what all requests together cost, tool rounds, summaries and compressions included, less \
    than sending the whole history append-only to the same cache.";

/// What the ends of some phases of one size had.
struct Ends(Vec<Mark>);

/// Plays the published sizes and the long one, and checks the claims.
pub(super) async fn run(counter: &Arc<dyn CountTokens>, far: &Far) -> Result<Outcome, PlayError> {
    far.expect(PUBLISHED.iter().map(|case| EACH * case.plan.messages).sum::<u64>() + LONG.messages);
    let counter = Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>;
    let mut outcome = Outcome::default();
    let mut windows = Vec::new();
    for case in &PUBLISHED {
        let ends = Ends::of_each(case.plan, &counter, far).await?;
        check(&mut outcome, case, &ends);
        windows.push(ends.window());
    }
    let long = Ends::of_last_phases(LONG, &counter, far).await?;
    row(&mut outcome, LONG, "-", &long);
    check_spread(&mut outcome, &windows, long.window());
    outcome.remarks.push(OBTAINED.to_owned());
    outcome.remarks.push(as_published());
    Ok(outcome)
}

async fn play(
    plan: Plan,
    turns: &[u64],
    counter: &Arc<dyn CountTokens>,
    far: &Far,
) -> Result<Vec<Mark>, PlayError> {
    let marks: Vec<Until> = turns.iter().map(|&turns| Until::Turns(turns)).collect();
    let sitting =
        Sitting { plan: Some(plan), far: far.clone(), ..Sitting::as_sent(Shape::Efforts, &marks) };
    let marks = sitting.play(counter).await?.marks;
    if marks.len() < turns.len() {
        let why = "the conversation ended before its last message".to_owned();
        return Err(PlayError::Script(why));
    }
    Ok(marks)
}

impl Ends {
    /// The ends of several conversations.
    async fn of_each(
        plan: Plan,
        counter: &Arc<dyn CountTokens>,
        far: &Far,
    ) -> Result<Self, PlayError> {
        let mut ends = Vec::new();
        for nth in 0..EACH {
            ends.extend(play(Plan { nth, ..plan }, &[plan.messages], counter, far).await?);
        }
        Ok(Self(ends))
    }

    /// The ends of the last phases of one conversation.
    async fn of_last_phases(
        plan: Plan,
        counter: &Arc<dyn CountTokens>,
        far: &Far,
    ) -> Result<Self, PlayError> {
        let first = plan.phases.saturating_sub(LAST_PHASES);
        let turns: Vec<u64> = (first..plan.phases).map(|phase| plan.turns_at_end(phase)).collect();
        Ok(Self(play(plan, &turns, counter, far).await?))
    }

    /// Tokens of working memory, on average.
    fn window(&self) -> f64 {
        self.mean(|mark| mark.window as f64)
    }

    /// In percent.
    fn saved(&self) -> f64 {
        self.mean(|mark| 100.0 * (1.0 - mark.window as f64 / mark.history.max(1) as f64))
    }

    fn mean(&self, of: impl Fn(&Mark) -> f64) -> f64 {
        self.0.iter().map(of).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// Tokens of working memory where they are most.
    fn most(&self) -> u64 {
        self.0.iter().map(|mark| mark.window).max().unwrap_or_default()
    }

    fn least(&self) -> u64 {
        self.0.iter().map(|mark| mark.window).min().unwrap_or_default()
    }
}

/// Theirs are quoted, and do not all follow from each other.
fn as_published() -> String {
    let case = |case: &Published| {
        let Published { plan, window, saved } = case;
        let amounts = 100.0 * (1.0 - *window as f64 / plan.tokens as f64);
        format!("{amounts:.2} % at {}k tokens ({} published)", plan.tokens / 1_000, percent(*saved))
    };
    format!(
        "Their percentages are quoted as they were published. Their tokens amount to {}.",
        PUBLISHED.iter().map(case).collect::<Vec<_>>().join(", ")
    )
}

fn percent(tenths: u64) -> String {
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn row(outcome: &mut Outcome, plan: Plan, expected: &str, ends: &Ends) {
    let net = |price: usize| {
        let saved = ends.mean(|mark| 100.0 * (1.0 - mark.ratios(&PRICES[price])[0]));
        format!("{saved:.0} %")
    };
    let between = ends.0.iter().map(|mark| mark.most_window).max().unwrap_or_default();
    let Plan { messages, phases, tokens, .. } = plan;
    outcome.row(
        &format!("{tokens} tokens, {messages} messages, {phases} phases"),
        expected,
        format!(
            "{:.0} tokens ({} to {}), {:.1} % saved; net {} at reads of 10 %, {} at 2 %, {} with breakpoints; at most \
             {between} in between",
            ends.window(),
            ends.least(),
            ends.most(),
            ends.saved(),
            net(TENTH),
            net(FIFTIETH),
            net(BREAKPOINTS),
        ),
    );
}

fn check(outcome: &mut Outcome, case: &Published, ends: &Ends) {
    let Published { plan, window, saved } = case;
    row(outcome, *plan, &format!("theirs: {window} tokens, {} saved", percent(*saved)), ends);
    outcome.claim(
        &format!(
            "{}k tokens: at most {window} tokens of working memory at the end of each, at least {} saved on average",
            plan.tokens / 1_000,
            percent(*saved)
        ),
        ends.most() <= *window && ends.saved() * 10.0 >= *saved as f64,
        format!("{} tokens at most, {:.1} % on average", ends.most(), ends.saved()),
    );
}

fn check_spread(outcome: &mut Outcome, windows: &[f64], long: f64) {
    let mean = windows.iter().sum::<f64>() / windows.len().max(1) as f64;
    let least = windows.iter().copied().fold(f64::INFINITY, f64::min);
    let most = windows.iter().copied().fold(0.0, f64::max);
    let mut within = |percent: f64, apart: f64, what: &str| {
        let part = 100.0 * apart / mean.max(1.0);
        let claim = format!("{what}within {percent:.0} %");
        outcome.claim(&claim, part < percent, format!("{apart:.0} tokens, {part:.1} %"));
    };
    within(SPREAD, most - least, "working memory is the same whatever the size, ");
    let long_too = "2,000,000 tokens, played and not extrapolated, beside the mean of these: ";
    within(LONG_APART, (long - mean).abs(), long_too);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    #[tokio::test]
    async fn a_conversation_has_the_size_that_is_planned() {
        let counter = Arc::new(Words) as Arc<dyn CountTokens>;
        let plan = Plan { messages: 30, tokens: 9_000, phases: 4, nth: 1, own_percent: OWN };
        let marks =
            play(plan, &[plan.turns_at_end(3)], &counter, &Far::default()).await.expect("it plays");
        let mark = &marks[0];
        assert_eq!(mark.turns, 30);
        assert!(mark.history.abs_diff(9_000) < 500, "{}", mark.history);
        // All efforts are concluded, so the last log is not in the window.
        assert!(mark.window < mark.most_window, "{mark:?}");
    }

    #[test]
    fn what_was_published_is_quoted_beside_what_it_amounts_to() {
        let told = as_published();
        for part in
            ["97.05 % at 138k", "98.29 % at 240k tokens (97.9 % published)", "93.11 % at 58k"]
        {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn a_window_beyond_the_published_one_fails() {
        let mut outcome = Outcome::default();
        check_spread(&mut outcome, &[3_000.0, 3_130.0, 3_050.0], 3_300.0);
        assert!(outcome.claims.iter().all(|claim| !claim.holds), "{:?}", outcome.claims);
    }
}
