//! A conversation as turns, with what its log says between them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use super::held::Held;
use super::part::{Border, Mark, Part, ROW, Turn};
use super::rounds::{SENT, Sent};
use super::texts::Texts;
use crate::bill::Tools;
use crate::orchestrator::Returned;
use crate::read::Moment;
use crate::specifics::Finds;

/// A conversation as turns. What was said in them is in a file, and in another one where.
#[derive(Debug)]
pub struct Conversation {
    texts: Texts,
    turns: Texts,
    count: usize,
    unanswered: u64,
    bytes: u64,
    /// By their turns, ascending.
    borders: Box<[(u32, Border)]>,
    topics: BTreeMap<usize, String>,
    marks: Vec<Mark>,
    /// What is known of its messages before they are said.
    finds: Arc<Finds>,
    /// What is held by reference.
    held: Held,
}

impl Conversation {
    /// One of several parts, whose texts these are, in their order.
    ///
    /// # Errors
    /// Not all that was said could be written to the file.
    pub fn of(texts: Texts, parts: impl IntoIterator<Item = Part>) -> io::Result<Self> {
        let (mut turns, mut count, mut unanswered, mut bytes) = (Texts::new()?, 0, 0, 0);
        let (mut borders, mut topics, mut marks) = (Vec::new(), BTreeMap::new(), Vec::new());
        for part in parts {
            topics.extend(part.topics.into_iter().map(|(at, topic)| (at + count, topic)));
            borders
                .extend(part.borders.into_iter().map(|(at, border)| ((at + count) as u32, border)));
            marks.extend(
                part.marks.into_iter().map(|mark| Mark { turn: mark.turn + count, ..mark }),
            );
            for turn in part.turns {
                turns.add(&turn.bytes());
                count += 1;
                unanswered += u64::from(turn.reply == 0);
                bytes += u64::from(turn.user) + u64::from(turn.reply);
            }
        }
        let (texts, turns, finds) = (texts.settle()?, turns.settle()?, Arc::default());
        let borders = borders.into();
        let held = Held::default();
        Ok(Self { texts, turns, count, unanswered, bytes, borders, topics, marks, finds, held })
    }

    /// The conversation with what is held by reference in its turns.
    ///
    /// # Errors
    /// It could not be written, or the turns not be read.
    pub fn holding(self, held: Held) -> io::Result<Self> {
        let held = held.placed(self.len(), |turn| self.place(turn))?;
        Ok(Self { held, ..self })
    }

    /// What is held by reference in a turn, from 0.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn held(&self, turn: usize) -> io::Result<Vec<Returned>> {
        self.held.of(turn)
    }

    /// What is known of its messages before they are said.
    pub(super) fn finds(&self) -> Arc<Finds> {
        Arc::clone(&self.finds)
    }

    /// How many turns it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// How many of its turns have no reply.
    pub fn unanswered(&self) -> u64 {
        self.unanswered
    }

    /// Whether nobody says anything.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of all that is said.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where the other program compacted.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// What the log says of the topic before a turn.
    pub fn border(&self, turn: usize) -> Option<&Border> {
        let found = self.borders.binary_search_by_key(&turn, |(at, _)| *at as usize);
        found.ok().map(|found| &self.borders[found].1)
    }

    /// The topic that the program itself tells from a turn on; empty for small talk.
    pub(super) fn topic(&self, turn: usize) -> Option<&str> {
        self.topics.get(&turn).map(String::as_str)
    }

    /// The turns before which the log says something of the topic, ascending.
    pub(super) fn borders(&self) -> impl Iterator<Item = usize> {
        let own = self.borders.iter().map(|(at, _)| *at as usize);
        own.chain(self.topics.keys().copied()).collect::<BTreeSet<_>>().into_iter()
    }

    /// What tools had to do with a turn.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn tools(&self, turn: usize) -> io::Result<Tools> {
        self.turn(turn).map(|turn| turn.tools)
    }

    /// Milliseconds between what was said last before a turn, from 0, and what the person says in it, if both are known.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn pause(&self, turn: usize) -> io::Result<Option<u64>> {
        let Some(before) = turn.checked_sub(1) else { return Ok(None) };
        let (last, at) = (self.turn(before)?.last, self.turn(turn)?.at);
        let passed = last.zip(at).map(|(last, at)| at.saturating_sub(last));
        Ok(passed.and_then(|passed| u64::try_from(passed).ok()))
    }

    /// Tokens of a turn, from 0, that stand for what is held by reference.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn pointers(&self, turn: usize) -> io::Result<u64> {
        self.turn(turn).map(|turn| turn.pointers.into())
    }

    /// What the requests of a turn, from 0, sent of its reply, but for the first one: the model went on behind results of
    /// tools.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn sent(&self, turn: usize) -> io::Result<Vec<Sent>> {
        let Turn { requests, rounds, .. } = self.turn(turn)?;
        let bytes = self.texts.read(requests, rounds as usize * SENT)?;
        Ok(bytes.as_chunks().0.iter().copied().map(Sent::of).collect())
    }

    /// What the person said in a turn, from 0.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn user(&self, turn: usize) -> io::Result<String> {
        let turn = self.turn(turn)?;
        self.texts.text(turn.place, turn.user as usize)
    }

    /// What the model said, with its calls and their short results on lines of their own.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn reply(&self, turn: usize) -> io::Result<String> {
        let turn = self.turn(turn)?;
        self.texts.text(turn.place + u64::from(turn.user), turn.reply as usize)
    }

    /// What the person and the model said, and when, read at once.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn said(&self, turn: usize) -> io::Result<((String, String), Moment)> {
        let at = self.turn(turn)?.at;
        Ok((self.both(turn)?, at))
    }

    /// What the person and the model said, read at once.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn both(&self, turn: usize) -> io::Result<(String, String)> {
        let Turn { place, user, reply, .. } = self.turn(turn)?;
        let mut said = self.texts.text(place, user as usize + reply as usize)?;
        // Both were added as whole texts, so that a character begins there.
        let reply = said.split_off(user as usize);
        Ok((said, reply))
    }

    /// The first words of what the model said, in no more than so many bytes.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn reply_begins(&self, turn: usize, most: usize) -> io::Result<String> {
        let place = self.turn(turn)?;
        let length = most.min(place.reply as usize);
        let bytes = self.texts.read(place.place + u64::from(place.user), length)?;
        let whole = bytes.len() == place.reply as usize;
        Ok(if whole { String::from_utf8_lossy(&bytes).into_owned() } else { whole_words(&bytes) })
    }

    /// Where among all texts what is said in a turn begins.
    fn place(&self, turn: usize) -> io::Result<u64> {
        let turn = self.turn(turn)?;
        // Of a turn without a word nothing begins anywhere.
        Ok(if turn.user == 0 && turn.reply == 0 { u64::MAX } else { turn.place })
    }

    fn turn(&self, turn: usize) -> io::Result<Turn> {
        let bytes = self.turns.read((turn * ROW) as u64, ROW)?;
        let missing =
            || io::Error::new(io::ErrorKind::NotFound, format!("there is no turn {turn}"));
        bytes.first_chunk().map(|bytes| Turn::of(*bytes)).ok_or_else(missing)
    }
}

/// Bytes of the longest word that is not cut.
const LONGEST_WORD: usize = 100;

/// The beginning of a text without its last word, which may be cut: half of it would be a word that nobody said. Where no
/// white space is near, as in a language without any, only half a character goes.
fn whole_words(bytes: &[u8]) -> String {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let space = text.rfind(char::is_whitespace);
    let space = space.filter(|space| text.len() - space <= LONGEST_WORD);
    text[..space.unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_cut_is_left_out() {
        assert_eq!(whole_words(b"about the zebraf"), "about the");
        assert_eq!(whole_words(&"Kräne an der Straße".as_bytes()[..20]), "Kräne an der");
        let chinese = "没有空格的文字";
        assert_eq!(whole_words(&chinese.as_bytes()[..10]), "没有空");
        let long = "x".repeat(200);
        assert_eq!(whole_words(format!("a {long}").as_bytes()).len(), 202);
    }
}
