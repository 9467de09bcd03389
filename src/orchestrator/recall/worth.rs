//! What is worth recalling for a message, of what the search found: the same for a turn and for whoever only looks at
//! what would be sent.

use std::borrow::Cow;
use std::sync::Arc;

use super::near::Near;
use super::replies::with_short_replies;
use super::texts::{Chosen, Texts, Told, effort_of, name_of};
use crate::memory::{Memory, Recalled, RecalledKind, Status, Tokens, without_labels};
use crate::recall::said::{AsTyped, Hit, Passage, Place, Source};
use crate::recall::{
    MOST_MEANT, Worth, asks, asks_for_end, asks_or_states, behind, excerpt, in_order, is_long,
    is_meant, plans, tells, without_courtesy, worth_recalling,
};

/// Bytes of a passage that is recalled; of a longer one the part that matches. The first ones for a question are given more
/// room, and that of others that are not there, up to a bound.
const MOST_BYTES: usize = 700;
const LONGEST_BYTES: usize = 1_400;
const FEWER_BYTES: usize = 260;
const FIRST: usize = 3;

/// The same for what tells something: it is told anyway, and whoever hears it needs to know of whom or what it is.
const BYTES_FOR_STATEMENT: usize = 300;

/// Bytes that a token of what is recalled hardly ever has: what does not fit anyway need not be read.
const MOST_BYTES_OF_TOKEN: usize = 10;

/// Words of the message that are named as what matched.
const NAMED: usize = 2;

/// A match that scores less than this part of the best one is not meant where the best one is in the window.
const NEARLY: f64 = 0.8;

/// Passages of the log in the window match as well as the best one from this part of its score on: the answer may stand in any
/// of them.
const AS_WELL: f64 = 0.9;

/// What else was found is comparable with the best one from this part of its score on: it may say more by a word of its own.
const COMPARABLE: f64 = 0.6;

/// Less than one of so many messages of an effort is little of it.
const LITTLE: u64 = 2;

/// Efforts that count as mentioned because something of them was recalled.
const MENTIONED: usize = 2;

/// What would be recalled for a message.
#[derive(Debug, Default)]
pub struct Recallable {
    /// What its words call for, best first.
    pub found: Vec<Recalled>,
    /// What it means could call for more, where texts are compared by their meaning.
    pub may_be_meant: bool,
}

/// What a message is about, as it was said: the message itself, or behind the exchange before it, with which it goes on
/// then.
pub(super) fn what_it_is_about(memory: &Memory, message: &Arc<str>) -> (Arc<str>, bool) {
    let said = without_labels(message);
    let before = memory.last_exchange();
    let before: Vec<Arc<str>> = before.iter().map(|one| without_labels(&one.content)).collect();
    let (about, goes_on) = what_is_asked(&said, before.iter().map(|text| &**text));
    (if *about == *said { said } else { about.into() }, goes_on)
}

/// The same of texts without labels.
pub(super) fn what_is_asked<'a>(
    said: &'a str,
    before: impl IntoIterator<Item = &'a str>,
) -> (Cow<'a, str>, bool) {
    let asked = without_courtesy(said);
    match behind(&asked, before) {
        Some(both) => (both.into(), true),
        None => (asked, false),
    }
}

/// Whether a message may call for anything that was said: within an effort a long one that asks nothing does not, as it
/// brings what it is about along.
pub(super) fn calls(memory: &Memory, message: &str) -> bool {
    memory.active().is_none() || !is_long(message) || asks(message)
}

impl Texts<'_> {
    /// The exchange that a message goes on with matches itself best, which tells nothing of what is not in the window.
    pub(super) fn leave_out_what_is_there(&self, hits: &mut Vec<Hit>) {
        for hit in hits.iter_mut() {
            let Hit { source, passages, .. } = hit;
            passages.retain(|passage| !self.in_window(source, passage));
        }
        hits.retain(|hit| !hit.passages.is_empty());
    }

    /// What is recalled of the hits for a message, best first.
    pub(super) fn worth_recalling(&self, message: &str, hits: &[Hit]) -> Vec<Recalled> {
        let worth = worth_recalling(message, hits, self.memory.active().is_some());
        let chosen = self.chosen(message, hits, worth);
        if chosen.is_empty() {
            return Vec::new();
        }
        let is_question = asks(message);
        let takes_room = is_question || asks_or_states(message);
        // A long message brings what it is about along.
        let is_short = !is_long(message);
        let shared =
            if is_short { MOST_BYTES * FIRST / chosen.len().min(FIRST) } else { MOST_BYTES };
        let first = match (is_question, takes_room) {
            (true, _) => shared.min(LONGEST_BYTES),
            (false, true) => BYTES_FOR_STATEMENT,
            (false, false) => FEWER_BYTES,
        };
        // What is so anywhere is told by what was said of it, if by anything.
        let takes_near = (is_question || plans(message)) && is_short && !worth.is_of_any;
        let mut near = Near::new(*self, message, &chosen);
        let asked = AsTyped::new(message);
        let mut found = Vec::with_capacity(chosen.len());
        for (nth, one) in chosen.iter().enumerate() {
            let most = if nth < FIRST { first } else { FEWER_BYTES };
            let words = &one.passage.words;
            // Of the best one any word may be meant.
            let text = match nth {
                0 => excerpt(&one.told.text, words, most),
                _ => excerpt_of(&one.told, words, most),
            };
            let text = if takes_near { near.around(nth, text) } else { text };
            if !text.is_empty() {
                found.push(recalled(&asked, one, text));
            }
        }
        found
    }

    /// How many bytes may be recalled where a token has so many.
    pub(super) fn room(&self, of_token: usize) -> usize {
        self.memory.rules().recall().0 as usize * of_token
    }

    fn chosen<'a>(&self, message: &str, hits: &'a [Hit], worth: Worth) -> Vec<Chosen<'a>> {
        if worth.most == 0 || self.is_answered(message, hits) {
            return Vec::new();
        }
        let is_wanted = |one: &Passage| worth.fits(message, one) || is_meant(message, one);
        let (mut mentioned, mut meant) = (0, 0);
        let mut chosen: Vec<Chosen> = Vec::new();
        for (hit, passage) in in_order(message, hits) {
            if chosen.len() >= worth.most || bytes(&chosen) > self.room(MOST_BYTES_OF_TOKEN) {
                break;
            }
            let is_told_better = || chosen.iter().any(|one| *one.source == hit.source);
            if !is_wanted(passage)
                || self.in_window(&hit.source, passage)
                || (passage.place == Place::Summary && is_told_better())
            {
                continue;
            }
            let told = self.of(&hit.source, passage);
            let Some(told) = told.filter(|told| tells(&told.text)) else { continue };
            meant += usize::from(!passage.holds_any());
            if !passage.holds_any() && meant > MOST_MEANT {
                continue;
            }
            let mentions = mentioned < MENTIONED
                && !worth.may_be_else
                && (chosen.is_empty() || hit.stands_out());
            mentioned += usize::from(mentions);
            let passage = Cow::Borrowed(passage);
            chosen.push(Chosen { source: &hit.source, passage, told, mentions });
        }
        if asks(message) {
            self.add_summary(message, hits, &mut chosen);
        }
        chosen
    }

    /// Adds the summary of the effort that a question means most, if something was chosen of it and that is little of all: it
    /// tells in a few words how that ended. Who asks for just that gets the end of its log with it, or alone.
    fn add_summary<'a>(&self, message: &str, hits: &'a [Hit], chosen: &mut Vec<Chosen<'a>>) {
        let best = hits.first().and_then(|hit| Some((&hit.source, hit.passages.first()?)));
        let Some((source, best)) = best else { return };
        let of_it = chosen.iter().filter(|one| one.source == source);
        // With the summary itself nothing is missing.
        let messages = of_it.map(|one| match &one.passage.place {
            Place::Messages { range, .. } => Some(u64::from(range.end - range.start)),
            Place::Summary => None,
        });
        let told: u64 = messages.sum::<Option<u64>>().unwrap_or_default();
        let all =
            effort_of(source).and_then(|id| self.memory.effort(&id)).map(|it| it.raw_messages);
        let passage = Passage { place: Place::Summary, ..best.clone() };
        let is_little = told > 0 && all.is_some_and(|all| told < all / LITTLE);
        if !is_little {
            return;
        }
        let is_there = self.in_window(source, &passage);
        let told = self.of(source, &passage).filter(|told| !is_there && tells(&told.text));
        // Where the window holds it, what the effort ended with may be missing still.
        let wants_end = || asks_for_end(message) && self.is_over(source);
        let told = told.or_else(|| wants_end().then(Told::default));
        let passage = Cow::Owned(passage);
        chosen.extend(told.map(|told| Chosen { source, passage, told, mentions: false }));
    }

    /// Whether a source is an effort that was concluded.
    fn is_over(&self, source: &Source) -> bool {
        let effort = effort_of(source).and_then(|id| self.memory.effort(&id));
        effort.is_some_and(|effort| effort.status == Status::Concluded)
    }

    /// Whether the log that the talk is about answers already: all that matches best stands in the window and nothing else
    /// matches nearly as well. What asks nothing is about it even so.
    fn is_answered(&self, message: &str, hits: &[Hit]) -> bool {
        let Some(best) = hits.first() else { return true };
        let is_active = effort_of(&best.source)
            .is_some_and(|id| self.memory.active().is_some_and(|active| active.id == id));
        let is_next = |next: &Hit| next.score >= best.score * NEARLY && asks_or_states(message);
        let is_clear = !hits.get(1).is_some_and(is_next);
        let Some(most) = best.passages.first().map(|passage| passage.score) else { return false };
        let mut matching = best.passages.iter().filter(|one| one.score >= most * AS_WELL);
        is_active
            && is_clear
            && matching.all(|passage| self.in_window(&best.source, passage))
            && !(asks_or_states(message) && says_more(&hits[1..], best))
    }
}

/// Whether a passage of some hits that are comparable with another one holds a telling word of the message that none of its
/// passages does.
fn says_more(hits: &[Hit], than: &Hit) -> bool {
    let comparable = hits.iter().filter(|hit| hit.score >= than.score * COMPARABLE);
    let is_new = |word: &&Arc<str>| !than.passages.iter().any(|one| one.words.contains(word));
    let telling = |one: &Passage| one.words.iter().take(one.telling).any(|word| is_new(&word));
    comparable.flat_map(|hit| &hit.passages).any(telling)
}

/// A part of a passage of at most so many bytes, in which no reply takes more room than it is worth.
pub(super) fn excerpt_of(told: &Told, words: &[Arc<str>], most: usize) -> String {
    excerpt(&with_short_replies(told, words), words, most)
}

/// How many bytes of some passages are recalled, about.
fn bytes(chosen: &[Chosen]) -> usize {
    chosen.iter().map(|one| one.told.text.len().min(MOST_BYTES)).sum()
}

fn recalled(asked: &AsTyped, one: &Chosen, text: String) -> Recalled {
    let Chosen { source, passage, told, mentions } = one;
    let kind = match passage.place {
        Place::Summary => RecalledKind::Summary,
        Place::Messages { .. } => RecalledKind::Passage,
    };
    Recalled {
        id: name_of(source),
        effort: effort_of(source),
        kind,
        turn: told.turn,
        day: told.day.clone(),
        cause: cause(asked, passage),
        text: text.into(),
        tokens: Tokens(0),
        mentions: *mentions,
    }
}

/// The words of the message that brought a passage, those that were said: one that means nearly the same may stand there.
fn cause(asked: &AsTyped, passage: &Passage) -> String {
    let mut named: Vec<String> = Vec::with_capacity(NAMED);
    for word in &passage.words {
        let word = asked.word_for(word).unwrap_or_else(|| word.to_string());
        if !named.contains(&word) {
            named.push(word);
        }
        if named.len() == NAMED {
            break;
        }
    }
    if named.is_empty() {
        return "its meaning".to_owned();
    }
    named.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(words: &[&str], telling: usize) -> Hit {
        let words = words.iter().map(|word| (*word).into()).collect();
        let passage = Passage { words, telling, ..Passage::at(Place::Summary) };
        let (source, passages) = (Source::Ambient, vec![passage]);
        Hit { source, score: 1.0, chance: 0.01, passages, later: Vec::new() }
    }

    #[test]
    fn what_holds_another_telling_word_says_more() {
        let active = hit(&["poles", "days"], 1);
        assert!(says_more(&[hit(&["firmware", "poles"], 2)], &active));
        assert!(!says_more(&[hit(&["poles"], 1)], &active));
        assert!(!says_more(&[hit(&["poles", "draw"], 1)], &active), "a word of every day");
    }
}
