//! From a terminal's bytes to events: keys, the mouse, and pastes between their marks.
//!
//! What stands between the marks of a paste is text, whatever keys its bytes would be elsewhere, a mark of the end
//! with another one behind it included. The end may never come, though, because a terminal or a line between broke
//! off: after a pause, or at a key that comes by itself, the paste is taken as given up. If the rest of it comes
//! after all, it is told by its mark, and before that by coming in pieces that nobody types.

use std::mem;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use terminput_crossterm::to_crossterm;

use self::frame::{ESC, frame};
use crate::tui::input::MOST_PASTED;

mod frame;

/// What a terminal sends before a paste.
const BEGIN: &[u8] = b"\x1b[200~";

/// What it sends behind it.
const END: &[u8] = b"\x1b[201~";

/// How long nothing comes within a paste before it is given up.
const PASTE_PAUSE: Duration = Duration::from_secs(1);

/// How long the rest of a key may take whose first byte is Esc, which is a key as well.
const ESC_PAUSE: Duration = Duration::from_millis(25);

/// How long the rest may take of what has begun beyond doubt: a slow line hands it over late, and its bytes
/// are no letters.
const KEY_PAUSE: Duration = Duration::from_secs(1);

/// Bytes go in as they are read, events come out.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The beginning of a key or of a mark.
    bytes: Vec<u8>,
    /// The paste that has not ended yet, and one byte more than is taken of one that is too long.
    pasted: Option<Vec<u8>>,
    /// Whether the end of the last paste has not come, and nothing was typed since.
    given_up: bool,
}

impl Decoder {
    /// Takes what was read at once.
    pub(super) fn take(&mut self, read: &[u8]) -> Vec<Event> {
        let mut out = Vec::new();
        if self.pasted.is_some() && is_key_by_itself(read) {
            out.extend(self.release());
        }
        if mem::take(&mut self.given_up) && is_piece(read) {
            self.pasted = Some(Vec::new());
        }
        self.bytes.extend_from_slice(read);
        loop {
            let begin = find(&self.bytes, BEGIN);
            let end = find(&self.bytes, END);
            match (begin, end) {
                (Some(begin), _) if self.pasted.is_none() && end.is_none_or(|end| begin < end) => {
                    let before: Vec<u8> = self.bytes.drain(..begin + BEGIN.len()).collect();
                    let keys = &before[..begin];
                    let whole = keys_of(keys, &mut out);
                    out.extend(alone(&keys[whole..]));
                    self.pasted = Some(Vec::new());
                }
                (_, Some(first)) => {
                    let end = last_end(&self.bytes, first);
                    self.paste(end);
                    self.bytes.drain(..END.len());
                    out.extend(self.end_paste());
                }
                (_, None) => break,
            }
        }
        if self.pasted.is_some() {
            self.paste(self.bytes.len() - begun(&self.bytes, END));
        } else {
            let whole = keys_of(&self.bytes, &mut out);
            self.bytes.drain(..whole);
        }
        out
    }

    /// How long to wait for more of what has begun.
    pub(super) fn wait(&self) -> Option<Duration> {
        match (&self.pasted, &self.bytes[..]) {
            (Some(_), _) => Some(PASTE_PAUSE),
            (None, []) => None,
            (None, [ESC]) => Some(ESC_PAUSE),
            (None, _) => Some(KEY_PAUSE),
        }
    }

    /// What has begun, now that nothing more comes.
    pub(super) fn release(&mut self) -> Vec<Event> {
        let rest = mem::take(&mut self.bytes);
        let mut out = Vec::new();
        if let Some(pasted) = &mut self.pasted {
            // Half a character waits for the rest of the paste.
            let half = half_a_character(pasted);
            self.bytes = pasted.split_off(pasted.len() - half);
            out.extend(self.end_paste());
            self.given_up = true;
        }
        out.extend(alone(&rest));
        out
    }

    /// Moves bytes to the paste.
    fn paste(&mut self, count: usize) {
        let pasted = self.pasted.get_or_insert_default();
        let room = (MOST_PASTED + 1).saturating_sub(pasted.len());
        pasted.extend(self.bytes.drain(..count).take(room));
    }

    fn end_paste(&mut self) -> Option<Event> {
        let pasted = self.pasted.take().filter(|pasted| !pasted.is_empty())?;
        Some(Event::Paste(String::from_utf8_lossy(&pasted).into_owned()))
    }
}

/// Whether a read is what a key sends that stands for no text: Ctrl+C, Backspace, an arrow, the mouse. Esc by
/// itself may be the beginning of a mark.
fn is_key_by_itself(read: &[u8]) -> bool {
    let control = |byte: &u8| byte.is_ascii_control() && !b"\t\r\n\x1b".contains(byte);
    let sequence = read.len() > 2 && read[0] == ESC && frame(read) == Some(read.len());
    read.iter().all(control) || (sequence && read != BEGIN && read != END)
}

/// Whether a read is text that nobody types at once: the rest of a paste that was given up.
fn is_piece(read: &[u8]) -> bool {
    !read.starts_with(&[ESC])
        && !is_key_by_itself(read)
        && frame(read).is_some_and(|first| first < read.len())
}

/// How many bytes at the end are the beginning of a character.
fn half_a_character(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    (1..=tail.len())
        .find(|&count| {
            let last = &tail[tail.len() - count..];
            last[0] >= 0xc0 && frame(last).is_none()
        })
        .unwrap_or(0)
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}

/// The last mark of an end before another paste begins: the ones before it are text.
fn last_end(bytes: &[u8], first: usize) -> usize {
    let rest = &bytes[first..];
    let rest = &rest[..find(rest, BEGIN).unwrap_or(rest.len())];
    let last = rest.windows(END.len()).rposition(|window| window == END);
    first + last.unwrap_or(0)
}

/// How many bytes at the end are the beginning of a mark.
fn begun(bytes: &[u8], mark: &[u8]) -> usize {
    let most = bytes.len().min(mark.len() - 1);
    (1..=most).rev().find(|&count| bytes.ends_with(&mark[..count])).unwrap_or(0)
}

/// Decodes the keys that are whole and returns how many bytes they are.
fn keys_of(bytes: &[u8], out: &mut Vec<Event>) -> usize {
    let mut at = 0;
    while let Some(count) = frame(&bytes[at..]) {
        out.extend(key(&bytes[at..at + count]));
        at += count;
    }
    at
}

/// What a whole key means, if it means anything.
fn key(bytes: &[u8]) -> Option<Event> {
    if bytes == [ESC] {
        return alone(bytes);
    }
    let is_answer = matches!(bytes, [ESC, b']' | b'P', _, ..] | [ESC, b'_', b'G', _, ..]);
    if is_answer || is_position(bytes) || is_nowhere(bytes) {
        return None;
    }
    let other = other_key(bytes);
    let event = terminput::Event::parse_from(other.as_deref().unwrap_or(bytes)).ok()??;
    if is_of_desktop(&event) {
        return None;
    }
    to_crossterm(event).ok()
}

/// A key with modifiers as xterm tells it, `ESC [ 27 ; MODIFIERS ; CODE ~`, in the form that newer terminals have.
fn other_key(bytes: &[u8]) -> Option<Vec<u8>> {
    let told = bytes.strip_prefix(b"\x1b[27;")?.strip_suffix(b"~")?;
    let mut parts = told.split(|byte| *byte == b';');
    let (modifiers, code) = (parts.next()?, parts.next()?);
    parts.next().is_none().then(|| [b"\x1b[", code, b";", modifiers, b"u"].concat())
}

/// Whether a key is held with one that belongs to the desktop: its letter is no text.
fn is_of_desktop(event: &terminput::Event) -> bool {
    use terminput::KeyModifiers;
    let desktop = KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META;
    matches!(event, terminput::Event::Key(key) if key.modifiers.intersects(desktop))
}

/// Whether it tells where the cursor is, in answer to a program before this one. F3 with Shift, Alt or Ctrl has
/// the form of the first cells.
fn is_position(bytes: &[u8]) -> bool {
    let Some(place) = bytes.strip_prefix(b"\x1b[").and_then(|rest| rest.strip_suffix(b"R")) else {
        return false;
    };
    !matches!(place, [] | [b'1', b';', b'2'..=b'8'])
}

/// Whether the mouse is said to be at a place that there is not: the parser subtracts one from it.
fn is_nowhere(bytes: &[u8]) -> bool {
    let is_place = |part: &[u8]| {
        part.iter().all(u8::is_ascii_digit) && part.iter().any(|digit| *digit != b'0')
    };
    match bytes {
        [ESC, b'[', b'M', _, column, row] => *column <= b' ' || *row <= b' ',
        [ESC, b'[', what @ .., b'M' | b'm'] => {
            !what.split(|byte| *byte == b';').skip(1).all(is_place)
        }
        _ => false,
    }
}

/// What the beginning of a key means when nothing follows.
fn alone(bytes: &[u8]) -> Option<Event> {
    match bytes {
        [ESC] => Some(Event::Key(KeyCode::Esc.into())),
        [ESC, letter] => {
            let letter = KeyCode::Char(char::from(*letter));
            Some(Event::Key(KeyEvent::new(letter, KeyModifiers::ALT)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
