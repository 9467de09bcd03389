//! Tells a paste from typing on terminals that do not mark pastes: keys that arrive together.
//!
//! Keys that are ready at the same moment form a batch. A person types one key at a time, so a batch of
//! several letters with a line end among them is a paste. It is held until nothing more follows, because a
//! long paste arrives in pieces. A single key is never held.

use std::mem;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::time::Instant;

/// Keys at once, one of them Enter, that nobody types.
const FEWEST: usize = 3;

/// Keys at once that nobody types, whatever they are.
const MANY: usize = 512;

/// How long the next piece of a paste may take.
const NEXT_PIECE: Duration = Duration::from_millis(30);

/// What the keyboard says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// One event.
    Event(Event),
    /// Keys of a paste that the terminal did not mark.
    Burst(Vec<KeyEvent>),
}

/// Batches go in, events and pastes come out.
#[derive(Debug, Default)]
pub struct Bursts {
    held: Vec<KeyEvent>,
    until: Option<Instant>,
}

impl Bursts {
    /// Takes what was ready at once; returns what is known now.
    pub fn take(&mut self, batch: Vec<Event>, now: Instant) -> Vec<Typed> {
        let mut out = Vec::new();
        let mut run = Vec::new();
        for event in batch {
            if let Some(key) = text_key(&event) {
                run.push(key);
            } else {
                self.end_run(mem::take(&mut run), &mut out);
                out.extend(self.release());
                out.push(Typed::Event(event));
            }
        }
        self.end_run(run, &mut out);
        self.until = (!self.held.is_empty()).then(|| now + NEXT_PIECE);
        out
    }

    /// Until when more of a paste is waited for.
    pub fn deadline(&self) -> Option<Instant> {
        self.until
    }

    /// The paste that was held.
    pub fn release(&mut self) -> Option<Typed> {
        self.until = None;
        (!self.held.is_empty()).then(|| Typed::Burst(mem::take(&mut self.held)))
    }

    fn end_run(&mut self, run: Vec<KeyEvent>, out: &mut Vec<Typed>) {
        if self.held.is_empty() && !is_paste(&run) {
            out.extend(run.into_iter().map(|key| Typed::Event(Event::Key(key))));
        } else {
            self.held.extend(run);
        }
    }
}

fn is_paste(run: &[KeyEvent]) -> bool {
    let is_enter = |key: &KeyEvent| key.code == KeyCode::Enter;
    run.len() >= MANY
        || (run.len() >= FEWEST && run.iter().any(is_enter) && !run.iter().all(is_enter))
}

/// A key that stands for a character of a text.
fn text_key(event: &Event) -> Option<KeyEvent> {
    let Event::Key(key) = event else { return None };
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    let line_end = key.code == KeyCode::Char('j') && key.modifiers == KeyModifiers::CONTROL;
    let is_text = match key.code {
        KeyCode::Char(_) | KeyCode::Tab => plain,
        KeyCode::Enter => key.modifiers.is_empty(),
        _ => false,
    };
    let key = if line_end { KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE) } else { *key };
    (key.kind == KeyEventKind::Press && (is_text || line_end)).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        let key = |letter| match letter {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        let event = |letter| Event::Key(KeyEvent::new(key(letter), KeyModifiers::NONE));
        text.chars().map(event).collect()
    }

    /// What came out, a paste in brackets.
    fn shown(typed: &[Typed]) -> String {
        let letter = |key: &KeyEvent| match key.code {
            KeyCode::Char(letter) => letter,
            KeyCode::Enter => '\n',
            _ => '^',
        };
        let one = |typed: &Typed| match typed {
            Typed::Event(Event::Key(key)) => letter(key).to_string(),
            Typed::Burst(keys) => format!("[{}]", keys.iter().map(letter).collect::<String>()),
            Typed::Event(_) => "?".to_owned(),
        };
        typed.iter().map(one).collect()
    }

    #[test]
    fn single_keys_and_words_without_a_line_end_pass_at_once() {
        let now = Instant::now();
        let mut bursts = Bursts::default();
        for text in ["a", "\n", "k\n", "several letters", "\n\n\n\n"] {
            assert_eq!(shown(&bursts.take(events(text), now)), text);
            assert_eq!(bursts.deadline(), None);
        }
    }

    #[test]
    fn a_line_end_among_letters_makes_a_paste_that_waits_for_its_next_piece() {
        let now = Instant::now();
        let mut bursts = Bursts::default();
        assert_eq!(shown(&bursts.take(events("ab\ncd"), now)), "");
        assert_eq!(bursts.deadline(), Some(now + NEXT_PIECE));
        let later = now + Duration::from_millis(20);
        assert_eq!(shown(&bursts.take(events("\n"), later)), "");
        assert_eq!(bursts.deadline(), Some(later + NEXT_PIECE));
        assert_eq!(shown(bursts.release().as_slice()), "[ab\ncd\n]");
        assert_eq!((bursts.release(), bursts.deadline()), (None, None));
        assert_eq!(shown(&bursts.take(events("\n"), later)), "\n");
    }

    #[test]
    fn another_key_ends_the_paste_before_it() {
        let mut bursts = Bursts::default();
        let out = bursts.take(events("x\u{1b}one\ntwo\u{1b}y"), Instant::now());
        assert_eq!(shown(&out), "x^[one\ntwo]^y");
        assert_eq!(bursts.deadline(), None);
    }

    #[test]
    fn a_long_piece_without_a_line_end_is_the_beginning_of_a_paste() {
        let now = Instant::now();
        let mut bursts = Bursts::default();
        assert_eq!(shown(&bursts.take(events(&"x".repeat(MANY)), now)), "");
        assert_eq!(shown(&bursts.take(events("\ny"), now)), "");
        assert_eq!(shown(bursts.release().as_slice()).len(), MANY + 4);
    }

    #[test]
    fn a_bare_line_feed_is_a_line_end_and_marked_pastes_pass() {
        let mut batch = events("ab");
        let feed = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL);
        batch.push(Event::Key(feed));
        batch.push(Event::Paste("p".into()));
        let out = Bursts::default().take(batch, Instant::now());
        assert_eq!(shown(&out), "[ab\n]?");
    }
}
