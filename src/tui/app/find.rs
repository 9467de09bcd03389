//! Finding words in the conversation.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::chat::Finding;
use super::{App, Focus};
use crate::tui::keymap::KeyAction;
use crate::tui::text;

impl App {
    pub(super) fn open_find(&mut self) {
        if self.chat.finding.is_none() {
            self.transcript.leave();
            self.chat.finding = Some(Finding::default());
        }
    }

    pub(super) fn find_key(&mut self, action: Option<KeyAction>, event: KeyEvent) {
        let Some(finding) = &mut self.chat.finding else { return };
        let letter = match event.code {
            KeyCode::Char(letter) => Some(letter).filter(|_| is_typed(event.modifiers)),
            _ => None,
        };
        if let Some(letter) = letter.filter(|_| !(finding.stepping && action.is_some())) {
            return self.find_text(letter.encode_utf8(&mut [0; 4]));
        }
        match action {
            Some(KeyAction::Older) => self.step_match(true),
            Some(KeyAction::Newer) => self.step_match(false),
            Some(KeyAction::Edit) => {
                let kept = finding.query.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
                finding.query.truncate(kept);
                self.find_text("");
            }
            Some(KeyAction::DeleteToStart) => {
                finding.query.clear();
                self.find_text("");
            }
            Some(KeyAction::Chat) => {
                self.chat.finding = None;
                self.focus = Focus::Chat;
                self.transcript.choose_match();
                self.transcript.end_find();
            }
            Some(KeyAction::Cancel) => {
                self.chat.finding = None;
                self.transcript.end_find();
            }
            _ => {}
        }
    }

    /// Adds to the words and looks for them at once.
    pub(super) fn find_text(&mut self, more: &str) {
        let Some(finding) = &mut self.chat.finding else { return };
        finding.stepping = false;
        finding.query.push_str(&text::clean(more).replace('\n', " "));
        self.transcript.find(&finding.query);
        self.transcript.search_on();
    }

    fn step_match(&mut self, older: bool) {
        if let Some(finding) = &mut self.chat.finding {
            finding.stepping = true;
            self.transcript.step_match(older);
        }
    }
}

/// Whether a letter with these modifiers was typed to be written.
fn is_typed(modifiers: KeyModifiers) -> bool {
    !modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
}
