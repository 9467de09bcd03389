//! Tells a paste from typing on terminals that do not mark pastes: keys that arrive together.
//!
//! Keys that are ready at the same moment form a batch. A person types one key at a time, but a slow line hands
//! over in one batch what was typed meanwhile, Enter at its end included. So what tells a paste is a line end
//! or a tab with more text behind it, or more text than anyone types in a moment. A batch that may still become one is
//! held until nothing more follows, because a long paste arrives in pieces. A single key is never held.

use std::mem;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tokio::time::Instant;

/// Keys at once that nobody types, if one of them is Enter. A line that is held up for ten seconds hands over
/// fewer.
const FEW: usize = 200;

/// Keys at once that nobody types, whatever they are.
const MANY: usize = 512;

/// Keys at once, one of them Enter or Tab; of fewer it is not asked whether they are a paste.
const FEWEST: usize = 3;

/// Keys that are held at most; more of the same paste becomes another one.
const MOST_HELD: usize = 1024 * 1024;

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
    /// Takes what was ready at once, or nothing because nothing came; returns what is known now.
    pub fn take(&mut self, batch: Vec<Event>, now: Instant) -> Vec<Typed> {
        if batch.is_empty() {
            let over = self.until.is_some_and(|until| until <= now);
            return if over { self.release() } else { Vec::new() };
        }
        let mut out = Vec::new();
        let mut run = Vec::new();
        if self.until.is_some_and(|until| until < now) && !is_paste(&self.held) {
            out.extend(self.release());
        }
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

    /// What was held, now that nothing more follows: a paste, or keys that were typed after all.
    fn release(&mut self) -> Vec<Typed> {
        self.until = None;
        let held = mem::take(&mut self.held);
        if is_paste(&held) { vec![Typed::Burst(held)] } else { typed(held).collect() }
    }

    fn end_run(&mut self, run: Vec<KeyEvent>, out: &mut Vec<Typed>) {
        if self.held.is_empty() && !may_become_paste(&run) {
            out.extend(typed(run));
        } else {
            self.held.extend(run);
        }
        if self.held.len() >= MOST_HELD {
            out.extend(self.release());
        }
    }
}

fn typed(keys: Vec<KeyEvent>) -> impl Iterator<Item = Typed> {
    keys.into_iter().map(|key| Typed::Event(Event::Key(key)))
}

/// Whether keys that came at once are the beginning of a paste, if more follows.
fn may_become_paste(run: &[KeyEvent]) -> bool {
    let parts = |key: &KeyEvent| ends_line(key) || is_tab(key);
    run.len() >= MANY || (run.len() >= FEWEST && run.iter().any(parts) && !run.iter().all(parts))
}

/// Whether all of them are a paste.
fn is_paste(keys: &[KeyEvent]) -> bool {
    let text = keys.iter().rposition(|key| !ends_line(key)).map_or(0, |last| last + 1);
    let several_lines = keys[..text].iter().any(ends_line);
    several_lines
        || has_columns(keys)
        || keys.len() >= MANY
        || (keys.len() > FEW && keys.iter().any(ends_line))
}

/// Whether there is text behind a tab. Taken as keys, it would run as commands where Tab has led.
fn has_columns(keys: &[KeyEvent]) -> bool {
    let first = keys.iter().position(is_tab).filter(|_| keys.len() >= FEWEST);
    let is_text = |key: &KeyEvent| matches!(key.code, KeyCode::Char(_)) && !is_line_feed(key);
    first.is_some_and(|tab| keys[tab..].iter().any(is_text))
}

fn is_tab(key: &KeyEvent) -> bool {
    key.code == KeyCode::Tab
}

/// Whether a key ends a line in a pasted text. Typed, a line feed is Ctrl+J and means what it is bound to.
pub(super) fn ends_line(key: &KeyEvent) -> bool {
    key.code == KeyCode::Enter || is_line_feed(key)
}

fn is_line_feed(key: &KeyEvent) -> bool {
    key.code == KeyCode::Char('j') && key.modifiers == KeyModifiers::CONTROL
}

/// A key that stands for a character of a text.
fn text_key(event: &Event) -> Option<KeyEvent> {
    let Event::Key(key) = event else { return None };
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    let is_text = match key.code {
        KeyCode::Char(_) | KeyCode::Tab => plain,
        KeyCode::Enter => key.modifiers.is_empty(),
        _ => false,
    };
    (key.kind == KeyEventKind::Press && (is_text || is_line_feed(key))).then_some(*key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        let key = |letter| match letter {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            '\t' => KeyCode::Tab,
            '~' => KeyCode::Char('j'),
            letter => KeyCode::Char(letter),
        };
        let held = |letter| if letter == '~' { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
        let event = |letter| Event::Key(KeyEvent::new(key(letter), held(letter)));
        text.chars().map(event).collect()
    }

    /// What came out, a paste in brackets.
    fn shown(typed: &[Typed]) -> String {
        let letter = |key: &KeyEvent| match key.code {
            _ if is_line_feed(key) => '~',
            KeyCode::Char(letter) => letter,
            KeyCode::Enter => '\n',
            KeyCode::Tab => '\t',
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
        let typed = ["a", "\n", "k\n", "several letters", "\n\n\n\n", "~", "~~", "a~"];
        for text in typed.into_iter().chain(["\t", "\tk", "k\t", "\t\t\t\n"]) {
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
        assert_eq!(shown(&bursts.release()), "[ab\ncd\n]");
        assert_eq!((bursts.release(), bursts.deadline()), (vec![], None));
        assert_eq!(shown(&bursts.take(events("\n"), later)), "\n");
    }

    #[test]
    fn a_paste_is_over_when_nothing_came_in_time() {
        let now = Instant::now();
        let mut bursts = Bursts::default();
        bursts.take(events("ab\ncd"), now);
        assert_eq!(shown(&bursts.take(Vec::new(), now)), "");
        assert_eq!(shown(&bursts.take(Vec::new(), now + NEXT_PIECE)), "[ab\ncd]");
    }

    #[test]
    fn lines_that_are_typed_one_after_the_other_are_not_a_paste() {
        let mut now = Instant::now();
        let mut bursts = Bursts::default();
        for key in "one\ntwo\n".chars() {
            now += Duration::from_millis(20);
            assert_eq!(shown(&bursts.take(events(&key.to_string()), now)), key.to_string());
        }
    }

    #[test]
    fn a_flood_is_handed_over_in_pieces() {
        let mut bursts = Bursts::default();
        let piece = "x".repeat(16 * 1024) + "\n";
        let out: Vec<Typed> =
            (0..64).flat_map(|_| bursts.take(events(&piece), Instant::now())).collect();
        assert_eq!(out.len(), 1);
        assert!(matches!(&out[0], Typed::Burst(keys) if keys.len() >= MOST_HELD));
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
        assert_eq!(shown(&bursts.release()).len(), MANY + 4);
    }

    #[test]
    fn one_line_with_enter_at_its_end_was_typed_if_nothing_follows() {
        let now = Instant::now();
        for text in ["yes\n", "yes\n\n", "on a slow line~", &("x".repeat(FEW - 1) + "\n")] {
            let mut bursts = Bursts::default();
            assert_eq!(shown(&bursts.take(events(text), now)), "");
            assert_eq!(bursts.deadline(), Some(now + NEXT_PIECE));
            assert_eq!(shown(&bursts.release()), text);
            bursts.take(events(text), now);
            bursts.take(events("more"), now);
            assert_eq!(shown(&bursts.release()), format!("[{text}more]"));
            bursts.take(events(text), now);
            let late = now + NEXT_PIECE + Duration::from_millis(1);
            assert_eq!(shown(&bursts.take(events("more"), late)), format!("{text}more"));
        }
        let mut bursts = Bursts::default();
        assert_eq!(shown(&bursts.take(events("yes\n\u{1b}"), now)), "yes\n^");
        bursts.take(events(&("x".repeat(FEW) + "\n")), now);
        assert_eq!(shown(&bursts.release()).len(), FEW + 3, "nobody types that much in a moment");
    }

    #[test]
    fn a_tab_with_text_behind_it_makes_a_paste() {
        let now = Instant::now();
        for (pieces, expected) in [
            (&["name\tcount"][..], "[name\tcount]"),
            (&["\tindented"], "[\tindented]"),
            (&["name\t", "count"], "[name\tcount]"),
            (&["/exp\t"], "/exp\t"),
            (&["tea\t\n"], "tea\t\n"),
        ] {
            let mut bursts = Bursts::default();
            for piece in pieces {
                assert_eq!(shown(&bursts.take(events(piece), now)), "", "{pieces:?}");
            }
            assert_eq!(shown(&bursts.release()), expected);
        }
    }

    #[test]
    fn a_line_feed_is_a_line_end_in_a_paste_and_marked_pastes_pass() {
        let mut batch = events("ab~c");
        batch.push(Event::Paste("p".into()));
        let out = Bursts::default().take(batch, Instant::now());
        assert_eq!(shown(&out), "[ab~c]?");
    }
}
