//! Texts that a conversation holds by reference, for a session of it that stays: there they are on the scratchpad, as in a
//! live chat.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::texts::Texts;
use super::turns::Conversation;
use crate::memory::CountTokens;
use crate::scenario::PlayError;
use crate::store::{Durability, PadError, Scratchpad, Store};

/// Characters of a text's name that are in its key; the turn follows.
const NAMED: usize = 28;

/// The texts that were held while a conversation was read, in a file of their own.
#[derive(Debug)]
pub struct Held {
    texts: Texts,
    all: Vec<One>,
}

/// One of them.
#[derive(Debug)]
struct One {
    /// Where what its turn says begins: turns get their numbers last.
    turn: u64,
    /// What returned it, or what it is called.
    name: Box<str>,
    place: u64,
    bytes: usize,
}

impl Held {
    /// Begins without any.
    ///
    /// # Errors
    /// As [`Texts::new`].
    pub fn new() -> io::Result<Self> {
        Ok(Self { texts: Texts::new()?, all: Vec::new() })
    }

    /// Adds a text that is held in the turn whose words begin at a place.
    pub(super) fn add(&mut self, turn: u64, name: &str, text: &str) {
        let (place, bytes) = (self.texts.end(), text.len());
        self.texts.add(text.as_bytes());
        self.all.push(One { turn, name: name.into(), place, bytes });
    }

    /// Puts them on the scratchpad of the session in a directory, which nobody else has open, in the order in which they
    /// were held; the same text is there once.
    ///
    /// # Errors
    /// They cannot be read, or not be written there.
    pub fn keep(
        self,
        conversation: &Conversation,
        session: &Path,
        counter: &dyn CountTokens,
    ) -> Result<(), PlayError> {
        if self.all.is_empty() {
            return Ok(());
        }
        let texts = self.texts.settle().map_err(|reason| unread(&reason))?;
        let mut of_turns: HashMap<u64, Vec<One>> = HashMap::new();
        for one in self.all {
            of_turns.entry(one.turn).or_default().push(one);
        }
        let mut store = Store::open(session)?.store;
        // The whole session is put in place, or not, as one.
        store.set_durability(Durability::Process);
        for turn in 0..conversation.len() {
            let place = conversation.place(turn).map_err(|reason| unread(&reason))?;
            for one in of_turns.remove(&place).unwrap_or_default() {
                let text = texts.text(one.place, one.bytes).map_err(|reason| unread(&reason))?;
                save(store.scratchpad_mut(), &one.name, turn + 1, &text, counter)
                    .map_err(|reason| PlayError::Script(reason.to_string()))?;
            }
        }
        Ok(())
    }
}

fn save(
    pad: &mut Scratchpad,
    name: &str,
    turn: usize,
    text: &str,
    counter: &dyn CountTokens,
) -> Result<(), PadError> {
    if pad.same_text(text).is_some() {
        return Ok(());
    }
    let short: String = name.chars().take(NAMED).collect();
    let key = pad.free_key(&format!("{short} turn {turn}"));
    let description = format!("{name}, of turn {turn}");
    pad.save(&key, &description, name, text.as_bytes(), counter).map(|_| ())
}

fn unread(reason: &io::Error) -> PlayError {
    PlayError::Script(reason.to_string())
}
