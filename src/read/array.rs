//! The elements of one long JSON array, one at a time: exports of hundreds of megabytes stand on one line. Where one of
//! them is damaged, reading goes on at the next one that is none of its parts.

use std::io::{self, BufRead};

use serde::de::IgnoredAny;

use super::gap::Gap;
use super::lines::first_sign;
use super::splitter::{Found, Splitter};
use super::{Bytes, Tally};

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of those that the array is of.
    One,
    /// Another value.
    Other,
    /// No value.
    Damaged,
}

/// What is looked for in an array.
pub(super) struct Wanted<'a> {
    /// Whether some bytes are an element of it: what stands in a damaged one is not.
    pub is_one: &'a dyn Fn(&[u8]) -> bool,
    /// What a damaged element counts as.
    pub damaged: &'static str,
    /// What another value counts as.
    pub other: &'static str,
}

/// What an object around an array calls it; other arrays may stand before it.
pub(super) const LIST: &[u8] = b"\"conversations\"";

/// Damaged elements behind which the next one is looked for: each may cost the reading of as much as is looked at of one.
const MOST_SEARCHES: usize = 100;

/// Places that are told.
const MOST_GAPS: usize = 100;

/// Tells of each element of the array that begins with the next bracket. What is damaged is counted and its place kept in
/// the tally, and so is where the array breaks off.
pub(super) fn each(
    source: &dyn Bytes,
    tally: &mut Tally,
    wanted: &Wanted<'_>,
    take: impl FnMut(&[u8], &mut Tally) -> Kind,
) -> io::Result<()> {
    let mut bytes = source.open()?;
    // The array is the whole, or stands behind one key of an object: `{"conversations": [`.
    let head = bytes.fill_buf()?;
    let named = head.windows(LIST.len()).position(|window| window == LIST);
    let is_object = first_sign(head) == Some(b'{');
    let before = named.filter(|_| is_object).unwrap_or(0);
    bytes.consume(before);
    let before = before + bytes.skip_until(b'[')?;
    let rest = Rest { bytes, back: Vec::new(), at: 0, offset: before as u64 };
    let elements = Elements { rest, splitter: Splitter::new(), is_object, searches: 0, open: None };
    elements.each(tally, wanted, take)
}

/// Bytes of which some can be given back.
struct Rest<'a> {
    bytes: Box<dyn BufRead + 'a>,
    /// What was given back, of which so much was taken again.
    back: Vec<u8>,
    at: usize,
    /// So many bytes stand before what comes next.
    offset: u64,
}

impl Rest<'_> {
    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.at < self.back.len() { Ok(&self.back[self.at..]) } else { self.bytes.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        self.offset += count as u64;
        if self.at < self.back.len() {
            self.at += count;
        } else {
            self.back = Vec::new();
            self.at = 0;
            self.bytes.consume(count);
        }
    }

    /// Gives back what was taken last.
    fn give_back(&mut self, taken: &[u8]) {
        self.offset -= taken.len() as u64;
        if self.at >= taken.len() {
            self.at -= taken.len();
        } else {
            self.back = [taken, &self.back[self.at..]].concat();
            self.at = 0;
        }
    }

    /// The next byte that is not blank; those before it are taken.
    fn next_sign(&mut self) -> io::Result<Option<u8>> {
        loop {
            let chunk = self.fill()?;
            let Some(blank) = chunk.iter().position(|byte| !byte.is_ascii_whitespace()) else {
                match chunk.len() {
                    0 => return Ok(None),
                    blank => self.consume(blank),
                }
                continue;
            };
            let sign = chunk[blank];
            if blank > 0 {
                self.consume(blank);
            }
            return Ok(Some(sign));
        }
    }
}

/// How an element ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// With a byte behind it, which another element follows.
    Border(u8),
    /// With the array.
    Array(u8),
    /// With the file.
    File,
    /// It did not within what is looked at, and is damaged there.
    Nowhere,
}

/// The elements of an array as they come.
struct Elements<'a> {
    rest: Rest<'a>,
    splitter: Splitter,
    /// The array stands in an object, of which more may come behind it.
    is_object: bool,
    searches: usize,
    /// The damage that is not passed yet.
    open: Option<Gap>,
}

impl Elements<'_> {
    fn each(
        mut self,
        tally: &mut Tally,
        wanted: &Wanted<'_>,
        mut take: impl FnMut(&[u8], &mut Tally) -> Kind,
    ) -> io::Result<()> {
        loop {
            self.splitter.begin();
            let from = self.rest.offset;
            let ended = self.next()?;
            let kind = self.kind(ended, tally, &mut take);
            match kind {
                Some(Kind::One) => self.close(from, tally, true),
                Some(Kind::Other) if self.open.is_none() => {
                    tally.read_one();
                    tally.skip(wanted.other);
                }
                Some(Kind::Damaged) => {
                    self.damaged(from, tally, wanted);
                    if self.go_back(ended, wanted) {
                        continue;
                    }
                }
                _ => {}
            }
            match ended {
                Ended::Border(_) | Ended::Nowhere => {}
                Ended::File => {
                    self.breaks_off(tally);
                    return Ok(());
                }
                Ended::Array(_) if self.is_over(tally)? => return Ok(()),
                Ended::Array(_) => {
                    // A bracket where none belongs.
                    let at = self.rest.offset;
                    self.open.get_or_insert_with(|| gap(at, at));
                }
            }
        }
    }

    /// Reads an element up to its end.
    fn next(&mut self) -> io::Result<Ended> {
        loop {
            let (splitter, chunk) = (&mut self.splitter, self.rest.fill()?);
            if chunk.is_empty() {
                return Ok(Ended::File);
            }
            let was_too_long = splitter.too_long;
            let (mut at, mut found) = (0, None);
            while found.is_none() {
                at += splitter.skip_in_string(&chunk[at..]);
                let Some(&byte) = chunk.get(at) else { break };
                at += 1;
                found = match splitter.take(byte) {
                    Found::Nothing => None,
                    Found::Element => Some(Ended::Border(byte)),
                    Found::End => Some(Ended::Array(byte)),
                };
            }
            self.rest.consume(at);
            if let Some(ended) = found {
                return Ok(ended);
            }
            // Damage may have hidden its end, which nobody should look for as far as the file goes.
            if self.splitter.too_long && !was_too_long && !is_begun(&self.splitter.item) {
                return Ok(Ended::Nowhere);
            }
        }
    }

    /// What the element is, once it is taken; `None` if there is none, or one that is too long.
    fn kind(
        &self,
        ended: Ended,
        tally: &mut Tally,
        take: &mut impl FnMut(&[u8], &mut Tally) -> Kind,
    ) -> Option<Kind> {
        let Splitter { item, too_long, .. } = &self.splitter;
        if item.trim_ascii().is_empty() {
            return None;
        }
        if ended == Ended::Nowhere || *too_long && ended == Ended::File && !is_begun(item) {
            return Some(Kind::Damaged);
        }
        tally.read_one();
        if *too_long {
            tally.skip("element over 64 MiB");
            return None;
        }
        let kind = take(item, tally);
        if kind != Kind::One {
            tally.holds_others();
        }
        Some(kind)
    }

    /// An element that begins there is damaged.
    fn damaged(&mut self, from: u64, tally: &mut Tally, wanted: &Wanted<'_>) {
        if self.open.is_some() {
            return;
        }
        tally.read_one();
        tally.skip(wanted.damaged);
        let item = &self.splitter.item;
        let blank = item.len() - item.trim_ascii_start().len();
        let at = fault(item).unwrap_or(blank);
        self.open = Some(gap(from + at as u64, from + blank as u64));
    }

    /// Goes back to the first element that stands in what was taken for one; `false` if there is none, or where it was
    /// looked for too often.
    fn go_back(&mut self, ended: Ended, wanted: &Wanted<'_>) -> bool {
        self.searches += 1;
        if self.searches > MOST_SEARCHES {
            return false;
        }
        let mut item = std::mem::take(&mut self.splitter.item);
        if self.splitter.too_long && ended != Ended::Nowhere {
            return false;
        }
        let found = next_one(&item, ended == Ended::File, wanted.is_one);
        if let Some(at) = found {
            item.extend(match ended {
                Ended::Border(byte) | Ended::Array(byte) => Some(byte),
                Ended::File | Ended::Nowhere => None,
            });
            self.rest.give_back(&item[at..]);
        }
        found.is_some()
    }

    /// Whether the array is over: nothing stands behind it, or what belongs to the object around it.
    fn is_over(&mut self, tally: &mut Tally) -> io::Result<bool> {
        let end = self.rest.offset;
        let is_over = match self.rest.next_sign()? {
            None => true,
            Some(b',' | b'}') => self.is_object && self.open.is_none(),
            Some(_) => false,
        };
        if is_over {
            self.close(end, tally, true);
        }
        Ok(is_over)
    }

    /// The file ends before the array.
    fn breaks_off(&mut self, tally: &mut Tally) {
        let end = self.rest.offset;
        self.open.get_or_insert_with(|| gap(end, end));
        self.close(end, tally, false);
    }

    /// What could not be read ends there.
    fn close(&mut self, to: u64, tally: &mut Tally, read_on: bool) {
        if let Some(gap) = self.open.take().filter(|_| tally.gaps.len() < MOST_GAPS) {
            tally.gaps.push(Gap { at: gap.at.min(to), to, read_on, ..gap });
        }
    }
}

fn gap(at: u64, from: u64) -> Gap {
    Gap { member: String::new(), at, from, to: from, read_on: false }
}

/// Where a text stops being a value; `None` if it is one.
fn fault(text: &[u8]) -> Option<usize> {
    let reason = serde_json::from_slice::<IgnoredAny>(text).err()?;
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(reason.line().saturating_sub(1));
    Some((lines.map(<[u8]>::len).sum::<usize>() + reason.column()).min(text.len()))
}

/// Whether nothing is wrong with a value but that its end is missing.
fn is_begun(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).map_or_else(|reason| reason.is_eof(), |_| true)
}

/// Where the first object stands in a damaged element that is one of those that are looked for, and stands beside others as
/// they do: behind a comma, and before further ones up to the end. What stands in an array within the element
/// was said by nobody. Objects in strings are none: each quote in them has a sign before it. One whose end does not stand there
/// may be one, if there is more to come.
fn next_one(item: &[u8], is_last: bool, is_one: &dyn Fn(&[u8]) -> bool) -> Option<usize> {
    let mut from = item.len() - item.trim_ascii_start().len() + 1;
    loop {
        let at = from + item.get(from..)?.iter().position(|byte| *byte == b'{')?;
        from = at + 1;
        if !item[..at].trim_ascii_end().ends_with(b",") {
            continue;
        }
        let mut values =
            serde_json::Deserializer::from_slice(&item[at..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let length = values.byte_offset();
                if is_in_row(&item[at + length..]) && is_one(&item[at..at + length]) {
                    return Some(at);
                }
                // Whatever stands in a value that is whole is a part of it.
                from = at + length;
            }
            Some(Err(reason)) if reason.is_eof() && !is_last => return Some(at),
            _ => {}
        }
    }
}

/// Whether objects go on behind one, each behind a comma, up to the end of what there is or to one that is damaged: those of an
/// array within something else end before.
fn is_in_row(behind: &[u8]) -> bool {
    let mut rest = behind.trim_ascii_start();
    loop {
        match rest.first() {
            None => return true,
            Some(b',') => {}
            // The end of the array, and of the object around it.
            Some(b']') => {
                let behind = rest[1..].trim_ascii();
                return matches!(behind, b"" | b"}");
            }
            Some(_) => return false,
        }
        let mut values = serde_json::Deserializer::from_slice(&rest[1..]).into_iter::<IgnoredAny>();
        if !matches!(values.next(), Some(Ok(_))) {
            return true;
        }
        let length = values.byte_offset();
        rest = rest[1 + length..].trim_ascii_start();
    }
}
