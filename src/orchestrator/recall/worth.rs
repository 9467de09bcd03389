//! What is worth recalling for a message, of what the search found: the same for a turn and for whoever only looks at
//! what would be sent.

use std::sync::Arc;

use super::texts::{Texts, Told, effort_of, name_of};
use super::wanted::told;
use crate::memory::{EffortId, Memory, Recalled, RecalledKind, Role, Tokens};
use crate::recall::said::{Hit, Passage, Place, Source, asked_for};
use crate::recall::{
    MOST_MEANT, asks, behind, excerpt, in_order, is_meant, tells, worth_recalling,
};

/// Bytes of a passage that is recalled; of a longer one the part that matches. The first ones for a question are given
/// more room.
const MOST_BYTES: usize = 700;
const FEWER_BYTES: usize = 260;
const FIRST: usize = 3;

/// Of so many passages for a question, what the user said right behind them is told too: what a topic is called is said
/// once, and corrected or settled in words that no question holds. Exchanges that are looked at, bytes of each.
const FOLLOWED: usize = 2;
const LATER: u64 = 2;
const LATER_BYTES: usize = 200;

/// Words of the message that are named as what matched.
const NAMED: usize = 2;

/// A match that scores less than this part of the best one is not meant where the best one is in the window.
const NEARLY: f64 = 0.8;

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

/// What a message is about: the message itself, or behind the exchange before it, with which it goes on then.
pub(super) fn what_it_is_about(memory: &Memory, message: &Arc<str>) -> (Arc<str>, bool) {
    let before = memory.last_exchange();
    match behind(message, before.iter().map(|message| &*message.content)) {
        Some(both) => (both.into(), true),
        None => (Arc::clone(message), false),
    }
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
        if worth.most == 0 || self.is_answered(message, hits) {
            return Vec::new();
        }
        let first = if asks(message) { FIRST } else { 0 };
        let is_wanted = |one: &Passage| worth.fits(message, one) || is_meant(message, one);
        let (mut mentioned, mut meant) = (0, 0);
        let mut found = Vec::new();
        let mut places = Vec::new();
        for (hit, passage) in in_order(message, hits, worth) {
            if found.len() >= worth.most {
                break;
            }
            if !is_wanted(passage) || self.in_window(&hit.source, passage) {
                continue;
            }
            let told = self.of(&hit.source, passage);
            let Some(told) = told.filter(|told| tells(&told.text)) else { continue };
            meant += usize::from(!passage.holds_any());
            if !passage.holds_any() && meant > MOST_MEANT {
                continue;
            }
            let counts = mentioned < MENTIONED && (found.is_empty() || hit.stands_out());
            mentioned += usize::from(counts);
            let is_first = found.len() < first;
            let most_bytes = if is_first { MOST_BYTES } else { FEWER_BYTES };
            let text = excerpt(&told.text, &passage.words, most_bytes);
            found.push(recalled(message, (hit, passage), Told { text, ..told }, counts));
            places.push((hit, passage));
        }
        if first > 0 {
            self.tell_what_followed(&mut found, &places);
        }
        found
    }

    /// Adds to the first passages what the user said right behind them, unless the window holds it or it is recalled itself.
    fn tell_what_followed(&self, found: &mut [Recalled], places: &[(&Hit, &Passage)]) {
        for nth in 0..found.len().min(FOLLOWED) {
            for line in self.said_behind(places, nth) {
                let text = &found[nth].text;
                found[nth].text = format!("{text}\n{line}").into();
            }
        }
    }

    /// What the user said right behind one of some passages, a line for each message.
    fn said_behind(&self, places: &[(&Hit, &Passage)], nth: usize) -> Vec<String> {
        let (hit, passage) = places[nth];
        let Place::Messages { range, .. } = &passage.place else { return Vec::new() };
        let log = match &hit.source {
            Source::Ambient => None,
            Source::Effort(id) => Some(EffortId::stored(id)),
            Source::Note(_) | Source::Text(_) => return Vec::new(),
        };
        let is_recalled = |number: u64| {
            places.iter().any(|(other, passage)| {
                let Place::Messages { range, .. } = &passage.place else { return false };
                other.source == hit.source
                    && (range.start.into()..range.end.into()).contains(&number)
            })
        };
        let end = u64::from(range.end);
        let behind = (end..).zip(self.messages(&hit.source, end..end + 2 * LATER));
        behind
            .filter(|(_, message)| message.role == Role::User)
            .filter(|(number, _)| !is_recalled(*number))
            .filter(|(number, _)| !self.memory.holds_messages(log.as_ref(), *number..number + 1))
            .map(|(_, message)| {
                told(message.role, &excerpt(&message.text, &passage.words, LATER_BYTES))
            })
            .filter(|line| tells(line))
            .collect()
    }

    /// Whether the log that the talk is about answers already: it stands in the window and nothing matches nearly as well. What
    /// asks nothing is about it even so.
    fn is_answered(&self, message: &str, hits: &[Hit]) -> bool {
        let Some(best) = hits.first() else { return true };
        let is_active = effort_of(&best.source)
            .is_some_and(|id| self.memory.active().is_some_and(|active| active.id == id));
        let is_next = |next: &Hit| next.score >= best.score * NEARLY && asks(message);
        let is_clear = !hits.get(1).is_some_and(is_next);
        let is_there =
            best.passages.first().is_some_and(|passage| self.in_window(&best.source, passage));
        is_active && is_clear && is_there
    }
}

fn recalled(
    message: &str,
    (hit, passage): (&Hit, &Passage),
    told: Told,
    mentions: bool,
) -> Recalled {
    let kind = match passage.place {
        Place::Summary => RecalledKind::Summary,
        Place::Messages { .. } => RecalledKind::Passage,
    };
    Recalled {
        id: name_of(&hit.source),
        effort: effort_of(&hit.source),
        kind,
        turn: told.turn,
        day: told.day,
        cause: cause(message, passage),
        text: told.text.into(),
        tokens: Tokens(0),
        mentions,
    }
}

/// The words of the message that brought a passage, those that were said: one that means nearly the same may stand there.
fn cause(message: &str, passage: &Passage) -> String {
    let mut named: Vec<String> = Vec::with_capacity(NAMED);
    for word in &passage.words {
        let asked = asked_for(message, word).unwrap_or_else(|| word.to_string());
        if !named.contains(&asked) {
            named.push(asked);
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
