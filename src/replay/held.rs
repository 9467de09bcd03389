//! Texts that a conversation holds by reference: each is on the scratchpad from its turn on, as in a live chat. Of a session
//! that goes in the end only their sizes are known.

use std::io;

use super::texts::Texts;
use crate::memory::Tokens;
use crate::orchestrator::Returned;

/// Characters of a text's name that are in its key: with the turn and a number it is no longer than keys are.
const NAMED: usize = 16;

/// The texts that are held while a conversation is read.
#[derive(Debug, Default)]
pub struct Held {
    /// What they say, in a file of their own, if that is of use.
    texts: Option<Texts>,
    all: Vec<One>,
}

/// One of them.
#[derive(Debug)]
struct One {
    /// Where what its turn says begins; once the turns have their numbers, the number.
    turn: u64,
    /// What returned it, or what it is called.
    name: Box<str>,
    place: u64,
    bytes: u64,
    tokens: u32,
}

impl Held {
    /// With what they say, for a session that stays.
    ///
    /// # Errors
    /// As [`Texts::new`].
    pub fn with_texts() -> io::Result<Self> {
        Ok(Self { texts: Some(Texts::new()?), all: Vec::new() })
    }

    /// Adds a text of so many tokens that is held in the turn whose words begin at a place.
    pub(super) fn add(&mut self, turn: u64, name: &str, text: &str, tokens: u32) {
        let place = self.texts.as_mut().map_or(0, |texts| {
            let place = texts.end();
            texts.add(text.as_bytes());
            place
        });
        let bytes = text.len() as u64;
        self.all.push(One { turn, name: name.into(), place, bytes, tokens });
    }

    /// The same once so many turns have their numbers, by where the words of each begin: those of turns that were left out
    /// are gone.
    ///
    /// # Errors
    /// The turns cannot be read, or the texts not be written.
    pub(super) fn placed(
        mut self,
        turns: usize,
        begins: impl Fn(usize) -> io::Result<u64>,
    ) -> io::Result<Self> {
        self.all.sort_by_key(|one| one.turn);
        let mut placed = Vec::with_capacity(self.all.len());
        let turns = if self.all.is_empty() { 0 } else { turns };
        for turn in 0..turns {
            let place = begins(turn)?;
            let from = self.all.partition_point(|one| one.turn < place);
            let of_turn = self.all[from..].iter_mut().take_while(|one| one.turn == place);
            placed.extend(of_turn.map(|one| One {
                turn: turn as u64,
                name: std::mem::take(&mut one.name),
                ..*one
            }));
        }
        Ok(Self { texts: self.texts.map(Texts::settle).transpose()?, all: placed })
    }

    /// Those of a turn, from 0.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn of(&self, turn: usize) -> io::Result<Vec<Returned>> {
        let from = self.all.partition_point(|one| one.turn < turn as u64);
        let of_turn = self.all[from..].iter().take_while(|one| one.turn == turn as u64);
        of_turn.enumerate().map(|(nth, one)| self.returned(nth, one)).collect()
    }

    fn returned(&self, nth: usize, one: &One) -> io::Result<Returned> {
        let One { turn, name, place, bytes, tokens } = one;
        let (short, turn): (String, _) = (name.chars().take(NAMED).collect(), turn + 1);
        let behind = if nth == 0 { String::new() } else { format!(" {}", nth + 1) };
        let text = self.texts.as_ref().map(|texts| texts.text(*place, *bytes as usize));
        Ok(Returned {
            name: format!("{short} turn {turn}{behind}"),
            description: format!("{name}, of turn {turn}"),
            // A zero would make it no text.
            text: text.transpose()?.map(|text| text.replace('\0', "\u{fffd}")),
            bytes: *bytes,
            tokens: Tokens((*tokens).into()),
        })
    }
}
