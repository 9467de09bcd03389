//! The published case study: conversations of the same sizes, played through the real driver at default settings.

use std::sync::Arc;

use super::Outcome;
use super::bill::{
    BREAKPOINTS, FIFTIETH, Mark, PRICES, Plan, Remembering, Shape, Sitting, TENTH, Until,
};
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
    Published { plan: Plan { messages, tokens, phases }, window, saved }
}

const PUBLISHED: [Published; 3] = [
    published(138_000, 188, 11, 4_076, 971),
    published(240_000, 429, 17, 4_102, 979),
    published(58_000, 190, 15, 3_994, 931),
];

/// A conversation as long as nobody has published one, in messages and phases like the first.
const LONG: Plan = Plan { messages: 2_725, tokens: 2_000_000, phases: 160 };

/// How far apart working memory may be at the ends of the published ones, and how far that of the long one may be from
/// their mean, in percent.
const SPREAD: f64 = 3.0;
const LONG_APART: f64 = 5.0;

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: the published conversations are not at hand, so others of the same \
    number of messages, tokens and phases are made up, the same in every run: messages and replies of 40 to 160 % of \
    the mean length, asides, mentions of earlier phases and looks into them. Every phase is an effort that is \
    opened, talked through and concluded, and all is played through the real driver at default settings. Working \
    memory is all that the window holds at the end, system prompt and tool definitions included. Net is what \
    all requests together cost, tool rounds, summaries and compressions included, less than sending the whole \
    history append-only to the same cache.";

/// Plays the published sizes and the long one, and checks the claims.
pub(super) async fn run(counter: &Arc<dyn CountTokens>) -> Result<Outcome, PlayError> {
    let counter = Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>;
    let mut outcome = Outcome::default();
    let mut windows = Vec::new();
    for case in &PUBLISHED {
        let mark = play(case.plan, &counter).await?;
        check(&mut outcome, case, &mark);
        windows.push(mark.window as f64);
    }
    let long = play(LONG, &counter).await?;
    row(&mut outcome, LONG, "-", &long);
    check_spread(&mut outcome, &windows, long.window as f64);
    outcome.remarks.push(OBTAINED.to_owned());
    Ok(outcome)
}

async fn play(plan: Plan, counter: &Arc<dyn CountTokens>) -> Result<Mark, PlayError> {
    let marks = [Until::Turns(plan.messages)];
    let sitting = Sitting { plan: Some(plan), ..Sitting::as_sent(Shape::Efforts, &marks) };
    let marks = sitting.play(counter).await?.marks;
    let short = || PlayError::Script("the conversation ended before its last message".to_owned());
    marks.into_iter().next().ok_or_else(short)
}

/// In tenths of a percent, rounded.
fn saved(mark: &Mark) -> u64 {
    let left = 1.0 - mark.window as f64 / mark.history.max(1) as f64;
    (left * 1_000.0).round() as u64
}

fn percent(tenths: u64) -> String {
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn row(outcome: &mut Outcome, plan: Plan, expected: &str, mark: &Mark) {
    let net = |price: usize| format!("{:.0} %", 100.0 * (1.0 - mark.ratios(&PRICES[price])[0]));
    let Plan { messages, phases, .. } = plan;
    outcome.row(
        &format!("{} tokens, {messages} messages, {phases} phases", mark.history),
        expected,
        format!(
            "{} tokens, {} saved; net {} at reads of 10 %, {} at 2 %, {} with breakpoints; at most {} in between",
            mark.window,
            percent(saved(mark)),
            net(TENTH),
            net(FIFTIETH),
            net(BREAKPOINTS),
            mark.most_window
        ),
    );
}

fn check(outcome: &mut Outcome, case: &Published, mark: &Mark) {
    let Published { plan, window, saved: theirs } = case;
    row(outcome, *plan, &format!("theirs: {window} tokens, {} saved", percent(*theirs)), mark);
    let ours = saved(mark);
    outcome.claim(
        &format!(
            "{}k tokens: at most {window} tokens of working memory at the end, at least {} saved",
            plan.tokens / 1_000,
            percent(*theirs)
        ),
        mark.window <= *window && ours >= *theirs,
        format!("{} tokens, {}", mark.window, percent(ours)),
    );
}

fn check_spread(outcome: &mut Outcome, windows: &[f64], long: f64) {
    let mean = windows.iter().sum::<f64>() / windows.len().max(1) as f64;
    let least = windows.iter().copied().fold(f64::INFINITY, f64::min);
    let most = windows.iter().copied().fold(0.0, f64::max);
    let spread = 100.0 * (most - least) / mean.max(1.0);
    outcome.claim(
        &format!("working memory is within {SPREAD:.0} % whatever the size"),
        spread < SPREAD,
        format!("{spread:.1} %"),
    );
    let apart = 100.0 * (long - mean).abs() / mean.max(1.0);
    outcome.claim(
        &format!(
            "2,000,000 tokens, played and not extrapolated: within {LONG_APART:.0} % of these"
        ),
        apart <= LONG_APART,
        format!("{long:.0} tokens, {apart:.1} % from their mean"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    #[tokio::test]
    async fn a_conversation_has_the_size_that_is_planned() {
        let counter = Arc::new(Words) as Arc<dyn CountTokens>;
        let plan = Plan { messages: 30, tokens: 9_000, phases: 4 };
        let mark = play(plan, &counter).await.expect("it plays");
        assert_eq!(mark.turns, 30);
        assert!(mark.history.abs_diff(9_000) < 500, "{}", mark.history);
        // All efforts are concluded, so the last log is not in the window.
        assert!(mark.window < mark.most_window, "{mark:?}");
    }

    #[test]
    fn a_window_beyond_the_published_one_fails() {
        let mut outcome = Outcome::default();
        check_spread(&mut outcome, &[3_000.0, 3_100.0, 3_050.0], 3_400.0);
        assert!(outcome.claims.iter().all(|claim| !claim.holds), "{:?}", outcome.claims);
    }
}
