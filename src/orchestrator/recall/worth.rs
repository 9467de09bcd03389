//! What is worth recalling for a message, of what the search found: the same for a turn and for whoever only looks at
//! what would be sent.

use std::sync::Arc;

use super::texts::{Texts, Told, effort_of, name_of};
use crate::memory::{Memory, Recalled, RecalledKind, Tokens};
use crate::recall::said::{Hit, Passage, Place, asked_for};
use crate::recall::{
    MOST_MEANT, asks, behind, excerpt, in_order, is_meant, tells, worth_recalling,
};

/// Bytes of a passage that is recalled; of a longer one the part that matches. The first ones for a question are given
/// more room.
const MOST_BYTES: usize = 700;
const FEWER_BYTES: usize = 260;
const FIRST: usize = 3;

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

/// Whether a message may call for anything that was said: within an effort only a question does.
pub(super) fn calls(memory: &Memory, message: &str) -> bool {
    memory.active().is_none() || asks(message)
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
        if worth.most == 0 || self.is_answered(hits) {
            return Vec::new();
        }
        let first = if asks(message) { FIRST } else { 0 };
        let is_wanted = |one: &Passage| worth.fits(message, one) || is_meant(message, one);
        let (mut mentioned, mut meant) = (0, 0);
        let mut found = Vec::new();
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
        }
        found
    }

    /// Whether the log that the talk is about answers already: it stands in the window and nothing matches nearly as well.
    fn is_answered(&self, hits: &[Hit]) -> bool {
        let Some(best) = hits.first() else { return true };
        let is_active = effort_of(&best.source)
            .is_some_and(|id| self.memory.active().is_some_and(|active| active.id == id));
        let is_clear = hits.get(1).is_none_or(|next| next.score < best.score * NEARLY);
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
