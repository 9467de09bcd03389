//! From a terminal's bytes to events: keys, the mouse, and pastes between their marks.
//!
//! What stands between the marks of a paste is text, whatever keys its bytes would be elsewhere, a mark of the end
//! with another one behind it included. The end may never come, though, because a terminal or a line between broke
//! off: after a pause, or at a Ctrl+C by itself, the paste is taken as ended. If the rest of it comes after all,
//! the mark behind it says so, because nothing else brings one.

use std::time::Duration;

use crossterm::event::{Event, KeyCode};
use terminput_crossterm::to_crossterm;

use crate::tui::input::MOST_PASTED;

/// What a terminal sends before a paste.
const BEGIN: &[u8] = b"\x1b[200~";

/// What it sends behind it.
const END: &[u8] = b"\x1b[201~";

const ESC: u8 = b'\x1b';

/// Ctrl+C as terminals send it, with and without the sequences of the keyboard protocol.
const INTERRUPTS: [&[u8]; 2] = [b"\x03", b"\x1b[99;5u"];

/// How long nothing comes within a paste before it is taken as ended.
const PASTE_PAUSE: Duration = Duration::from_millis(400);

/// How long the rest of a key's bytes may take.
const KEY_PAUSE: Duration = Duration::from_millis(50);

/// Bytes that no key has more of.
const LONGEST_KEY: usize = 64;

/// Bytes go in as they are read, events come out.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The beginning of a key or of a mark.
    bytes: Vec<u8>,
    /// The paste that has not ended yet, and one byte more than is taken of one that is too long.
    pasted: Option<Vec<u8>>,
}

impl Decoder {
    /// Takes what was read at once.
    pub(super) fn take(&mut self, read: &[u8]) -> Vec<Event> {
        let mut out = Vec::new();
        if INTERRUPTS.contains(&read) {
            out.extend(self.release());
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
        let key = (!self.bytes.is_empty()).then_some(KEY_PAUSE);
        self.pasted.is_some().then_some(PASTE_PAUSE).or(key)
    }

    /// What has begun, now that nothing more comes.
    pub(super) fn release(&mut self) -> Option<Event> {
        let rest = std::mem::take(&mut self.bytes);
        if self.pasted.is_some() { self.end_paste() } else { alone(&rest) }
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
    while let Some((count, event)) = key(&bytes[at..]) {
        // The first byte of a key's sequence may be the last one of a read.
        if bytes[at..] == [ESC] && at > 0 {
            break;
        }
        out.extend(event);
        at += count;
    }
    at
}

/// The first key: how many bytes it has and what it means, if it means anything. `None` if it is not whole.
fn key(bytes: &[u8]) -> Option<(usize, Option<Event>)> {
    if bytes.starts_with(&[ESC, ESC]) {
        return Some((1, alone(&[ESC])));
    }
    let most = bytes.len().min(LONGEST_KEY);
    // Esc by itself is a key only if nothing follows.
    let least = if bytes.len() > 1 && bytes[0] == ESC { 2 } else { 1 };
    for count in least..=most {
        match parse(&bytes[..count]) {
            Ok(Some(event)) => return Some((count, to_crossterm(event).ok())),
            Ok(None) => {}
            Err(_) => return Some((count, None)),
        }
    }
    (most == LONGEST_KEY).then_some((LONGEST_KEY, None))
}

/// The parser subtracts one from a place of the mouse, which is never 0 where a terminal says it.
fn parse(bytes: &[u8]) -> std::io::Result<Option<terminput::Event>> {
    let nowhere = |part: &[u8]| !part.is_empty() && part.iter().all(|digit| *digit == b'0');
    let mouse = bytes.starts_with(b"\x1b[") && matches!(bytes.last(), Some(b'M' | b'm'));
    if mouse && bytes[2..bytes.len() - 1].split(|byte| *byte == b';').skip(1).any(nowhere) {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    terminput::Event::parse_from(bytes)
}

/// What the beginning of a key means when nothing follows.
fn alone(bytes: &[u8]) -> Option<Event> {
    (bytes == [ESC]).then(|| Event::Key(KeyCode::Esc.into()))
}

#[cfg(test)]
mod tests;
