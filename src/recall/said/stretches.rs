//! What of a query in a script without spaces a passage holds: neighbouring characters that stand side by side in both make one
//! word, which tells more than each two of them.

use std::ops::Range;
use std::sync::Arc;

use super::query::Term;
use crate::letters::{Telling, is_unspaced, telling_in};

/// A word of a query that a passage holds.
#[derive(Debug)]
pub(super) struct Held {
    /// As typed.
    pub(super) word: Arc<str>,
    pub(super) is_telling: bool,
    /// It is telling and stands in little of what was said.
    pub(super) is_rare: bool,
    /// It may be a word, and stands in much of what was said.
    pub(super) is_common: bool,
}

/// Whether a term is of a script without spaces.
pub(super) fn is_part(term: &Term) -> bool {
    term.text.starts_with(is_unspaced)
}

/// The characters of some runs that terms hold which stand in a passage, as long as they may be a word; what tells most and
/// is rarest first. `terms` are the rarest first; it is said of how many passages some are rare.
pub(super) fn held(
    runs: &[String],
    terms: &[&Term],
    alive: u32,
    is_rare: impl Fn(u32) -> bool,
) -> Vec<Held> {
    let mut found: Vec<(Telling, usize, Held)> = Vec::new();
    let all =
        runs.iter().flat_map(|run| stretches(run, terms).into_iter().map(move |at| (run, at)));
    for (run, at) in all {
        let (says, stretch) = (telling_in(run, &at), &run[at]);
        let is_known = || found.iter().any(|(.., known)| *known.word == *stretch);
        if says == Telling::Nothing || is_known() {
            continue;
        }
        let own = || terms.iter().filter(|term| stretch.contains(&term.text));
        let rank = terms.iter().position(|term| stretch.contains(&term.text)).unwrap_or_default();
        let is_telling = says == Telling::Much;
        // Two that stand side by side seldom stand anywhere together by chance.
        let shares = own().map(|term| f64::from(term.passages) / f64::from(alive.max(1)));
        let is_rare = is_rare((shares.product::<f64>() * f64::from(alive)) as u32);
        let held = Held {
            word: stretch.into(),
            is_telling,
            is_rare: is_telling && is_rare,
            is_common: !is_telling && !is_rare,
        };
        found.push((says, rank, held));
    }
    found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    found.into_iter().map(|(.., held)| held).collect()
}

/// Where the longest parts of a run are of which each two neighbouring characters are one of some terms, and single characters
/// that are.
fn stretches(run: &str, terms: &[&Term]) -> Vec<Range<usize>> {
    let is_held = |part: &str| terms.iter().any(|term| term.text == part);
    let places: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    let (mut stretches, mut first) = (Vec::new(), 0);
    for last in 0..places.len() - 1 {
        let goes_on = last + 2 < places.len() && is_held(&run[places[last]..places[last + 2]]);
        if goes_on {
            continue;
        }
        let stretch = places[first]..places[last + 1];
        if last > first || is_held(&run[stretch.clone()]) {
            stretches.push(stretch);
        }
        first = last + 1;
    }
    stretches
}
