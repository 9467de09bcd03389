//! Slice 4 at scale: what the window holds and a turn costs as the session grows.

use std::sync::Arc;

use super::Outcome;
use crate::memory::{CountTokens, Frame, Rules};
use crate::scale::{self, Measure};

/// Efforts of the sessions that are measured.
const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// How far the largest session may be from that of a hundred efforts, in percent.
const APART: f64 = 5.0;

/// The same for the time of a turn. Only a growth counts, and only one that noise does not explain.
const SLOWER: f64 = 5.0;

/// The least share of turns, in percent, whose first request holds the summary of what they are about.
/// It is low: a topic that comes up anew is not there yet, and among a hundred thousand efforts most
/// mentions are too common to mean one of them. Without the weights of words it is 26 to 33 %.
const GIVEN: f64 = 35.0;

/// Rounds in which time is taken: a busy machine may spoil one, but does not make a slow turn fast.
const ROUNDS: usize = 5;

/// Grows sessions to a hundred thousand efforts and measures them side by side.
pub(super) fn to_a_hundred_thousand(counter: &Arc<dyn CountTokens>) -> Outcome {
    grown(&SIZES, counter)
}

/// The same for any sizes, ascending; the second and the last one are compared.
pub(super) fn grown(sizes: &[usize], counter: &Arc<dyn CountTokens>) -> Outcome {
    let frame = Frame {
        system_prompt: crate::prompt::system().into(),
        tools: crate::tools::definitions().to_string().into(),
    };
    let mut outcome = Outcome::default();
    match scale::measure(sizes, Rules::default(), &frame, ROUNDS, counter) {
        Ok(measures) => check(&mut outcome, &measures),
        Err(rejected) => outcome.claim("the sessions grow", false, rejected.to_string()),
    }
    outcome
}

fn check(outcome: &mut Outcome, measures: &[Measure]) {
    for measure in measures {
        outcome.row(
            &format!("{} efforts", measure.efforts),
            &format!(
                "plain rule: {:.0} summaries, {:.0} tokens",
                measure.plain_summaries, measure.plain_tokens
            ),
            format!(
                "{:.1} summaries ({} at most), {:.0} tokens, {:.0} us a turn; given {:.1} %, given or \
                 found {:.1} %",
                measure.summaries,
                measure.most_summaries,
                measure.tokens,
                measure.micros,
                measure.given_percent,
                measure.found_percent
            ),
        );
    }
    let (Some(small), Some(large)) = (measures.get(1), measures.last()) else { return };
    let apart = |large: f64, small: f64| 100.0 * (large / small.max(1e-9) - 1.0);
    let tokens = apart(large.tokens, small.tokens);
    outcome.claim(
        &format!(
            "the window of {} efforts is within {APART} % of that of {}",
            large.efforts, small.efforts
        ),
        tokens.abs() <= APART,
        format!("{:.0} and {:.0} tokens, {tokens:+.1} %", large.tokens, small.tokens),
    );
    let time = apart(large.micros, small.micros);
    outcome.claim(
        &format!("the time of a turn is at most {SLOWER} % longer"),
        time <= SLOWER,
        format!("median {:.1} and {:.1} us, {time:+.1} %", large.micros, small.micros),
    );
    let most = measures.iter().map(|measure| measure.most_summaries).max().unwrap_or_default();
    outcome.claim(
        "fewer than 20 summaries are in the window",
        most < 20,
        format!("{most} at most"),
    );
    let given = measures.iter().map(|measure| measure.given_percent).fold(100.0, f64::min);
    outcome.claim(
        &format!("the summary of what a message is about was given with it in {GIVEN} % of the turns"),
        given >= GIVEN,
        format!(
            "at least {given:.1} % of the turns, of which {} % go on with the topic of the last one",
            scale::STAYS_PERCENT
        ),
    );
    let found = measures.iter().map(|measure| measure.found_percent).fold(100.0, f64::min);
    outcome.claim(
        "the effort that is talked about is there or found by search",
        found >= 95.0,
        format!("at least {found:.1} % of the turns"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    #[test]
    fn the_table_has_a_row_for_each_size_and_the_claims_hold() {
        let outcome = grown(&[10, 100, 2_000], &(Arc::new(Words) as Arc<dyn CountTokens>));
        assert_eq!(outcome.rows.len(), 3);
        // A turn that became shorter does not contradict it.
        assert_eq!(outcome.claims[1].text, "the time of a turn is at most 5 % longer");
        // Time is for a release build on a quiet machine; here it is only printed.
        let failed = outcome.claims.iter().filter(|claim| !claim.holds);
        let failed: Vec<_> = failed.filter(|claim| !claim.text.contains("time")).collect();
        assert!(failed.is_empty(), "{failed:?}");
    }
}
