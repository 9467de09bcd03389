//! What the person said of late: Codex leaves it in the window when it compacts by itself.

use std::collections::VecDeque;

use crate::chunk::beginning;
use crate::read::{Event, Moment, Speaker};

/// Bytes of the person's newest messages that stay when Codex compacts, where its line does not tell what stayed: 20,000
/// tokens, of which it takes four bytes for one (`build_compacted_history` in its `compact.rs`).
const STAY: usize = 80_000;

/// Bytes that are handed on for all compactions of a rollout together: one may consist of nothing else.
const MOST_HANDED_ON: usize = 8 << 20;

/// The person's newest messages, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Asked {
    messages: VecDeque<String>,
    bytes: usize,
    handed_on: usize,
}

impl Asked {
    /// The person says something.
    pub(super) fn add(&mut self, text: &str) {
        self.bytes += text.len();
        self.messages.push_back(text.to_owned());
        // Of the oldest one there may be a part.
        while let Some(oldest) = self.messages.front().filter(|one| self.bytes - one.len() >= STAY)
        {
            self.bytes -= oldest.len();
            self.messages.pop_front();
        }
    }

    /// What of it stays in the window.
    pub(super) fn stays(&mut self, at: Moment) -> Vec<Event> {
        self.handed_on += self.bytes.min(STAY);
        if self.handed_on > MOST_HANDED_ON {
            return Vec::new();
        }
        let said = |text| Event::Said { by: Speaker::Person, text, at };
        let too_many = self.bytes.saturating_sub(STAY);
        let whole = self.messages.iter().enumerate().map(|(nth, text)| match nth {
            0 if too_many > 0 => without_middle(text, text.len().saturating_sub(too_many)),
            _ => text.clone(),
        });
        whole.map(said).collect()
    }
}

/// About so many bytes of a text: as much of its beginning as of its end.
fn without_middle(text: &str, most: usize) -> String {
    let begin = beginning(text, most / 2);
    let end = (text.len() - most / 2..=text.len()).find(|at| text.is_char_boundary(*at));
    format!("{begin}…{}", &text[end.unwrap_or(text.len())..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_messages_stay_and_of_the_oldest_one_its_ends() {
        let mut asked = Asked::default();
        for (letter, count) in [("á", 30_000), ("é", 25_000), ("x", 20_000)] {
            asked.add(&letter.repeat(count));
        }
        let stays = asked.stays(None);
        let texts: Vec<&str> = stays.iter().filter_map(Event::text).collect();
        assert_eq!(texts[1..], ["é".repeat(25_000), "x".repeat(20_000)]);
        assert_eq!(texts[0], format!("{}…{}", "á".repeat(2_500), "á".repeat(2_500)));
        asked.add(&"y".repeat(90_000));
        assert_eq!(asked.messages.len(), 1);
        assert!(Asked::default().stays(None).is_empty());
        let handed_on = (0..1_000).filter(|_| !asked.stays(None).is_empty()).count();
        assert!(handed_on < 110, "{handed_on} times as much as ever stays");
    }
}
