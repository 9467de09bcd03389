//! Which of what was found is worth a place for its meaning, beside what is for its words.

use super::asking::asks;
use super::call::is_called_for;
use super::choose::{self, Worth, is_about_past, most_for};
use super::said::{Hit, Passage};

/// Passages without a word of the message that are recalled, because they mean the same.
pub const MOST_MEANT: usize = 2;

/// Passages in all for a question that means something, and within an effort: those that share words, too.
const MOST: usize = 6;
const MOST_WITHIN_EFFORT: usize = 3;

/// What may be recalled for a message, by its words or its meaning; nothing where neither calls for any.
pub fn worth_recalling(message: &str, hits: &[Hit], is_within_effort: bool) -> Worth {
    let by_words = choose::worth_recalling(message, hits, is_within_effort);
    let mut passages = hits.iter().flat_map(|hit| &hit.passages);
    if !passages.any(|passage| is_meant(message, passage)) {
        return by_words;
    }
    let most = if is_within_effort { MOST_WITHIN_EFFORT } else { MOST };
    Worth { most: by_words.most.max(most.min(most_for(message))), ..by_words }
}

/// Whether comparing texts by their meaning can change what is recalled for a message: something is called for by
/// words, or it asks about the past with more than one word that is no mere grammar.
pub fn may_be_meant(message: &str, hits: &[Hit]) -> bool {
    let asks_about_past = || asks(message) && is_about_past(message);
    is_called_for(message, hits) || (asks_about_past() && super::terms::terms(message).len() > 1)
}

/// Whether a question about the past means a passage although it need not share a word with it: it is nearer in
/// meaning than chance brings about. Other questions are near to much that was said, and mean nothing of it.
pub fn is_meant(message: &str, passage: &Passage) -> bool {
    const COINCIDENCE: f64 = 0.1;
    let is_near = passage.meaning.is_some_and(|chance| chance < COINCIDENCE);
    is_near && asks(message) && is_about_past(message)
}

/// Whether anything of what was found matches better than chance, by its words or its meaning.
pub fn is_match(hits: &[Hit]) -> bool {
    const COINCIDENCE: f64 = 0.5;
    let is_near = |one: &Passage| one.meaning.is_some_and(|chance| chance < COINCIDENCE);
    choose::is_match(hits) || hits.iter().flat_map(|hit| &hit.passages).any(is_near)
}

/// The passages of the hits in the order in which they deserve a place, by words and meaning; behind them what is
/// meant of hits that match too little beside the best one.
pub fn in_order<'a>(message: &str, hits: &'a [Hit]) -> Vec<(&'a Hit, &'a Passage)> {
    let mut order = choose::in_order(hits);
    let is_left_out = |hit: &&Hit| !order.iter().any(|(known, _)| std::ptr::eq(*known, *hit));
    let meant = |hit: &'a Hit| {
        let passage = hit.passages.iter().find(|passage| is_meant(message, passage))?;
        Some((hit, passage))
    };
    let left_out: Vec<_> = hits.iter().filter(is_left_out).filter_map(meant).collect();
    order.extend(left_out);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::meaning::by_meaning;
    use crate::recall::said::Source;

    #[test]
    fn a_long_message_gets_no_more_for_its_meaning_than_for_its_words() {
        let passages = vec![by_meaning(1.0, 0.01)];
        let source = Source::Effort("a".to_owned());
        let hits = [Hit { source, score: 1.0, chance: 0.01, passages, later: Vec::new() }];
        let question = "Why were people thrown out?";
        let long = format!("{} {question}", "We stood there for a while. ".repeat(10));
        let most =
            |message| [false, true].map(|within| worth_recalling(message, &hits, within).most);
        assert_eq!(most(question), [MOST, MOST_WITHIN_EFFORT]);
        assert_eq!(most(&long), [2, 2]);
    }
}
