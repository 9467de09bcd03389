//! What a record of the log says.

use std::ops::Range;

use super::code::{self, Reader};
use super::days::Day;
use super::vocabulary::Vocabulary;
use crate::varint;

/// Where a passage stands in what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// It is the summary.
    Summary,
    /// These messages, counted from 0; of a long one, these bytes.
    Messages {
        /// The messages.
        range: Range<u32>,
        /// The part of a single message, in bytes; all of it if there is none.
        part: Option<Range<u32>>,
    },
}

/// A passage, as it is indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) document: u32,
    /// Where the document is new.
    pub(super) key: Option<String>,
    pub(super) place: Place,
    pub(super) turn: u64,
    pub(super) day: Day,
    /// Terms in order, as numbers of the vocabulary.
    pub(super) terms: Vec<u32>,
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Record {
    Passage(Passage),
    /// A document lost passages, and has so many messages left.
    Forget {
        document: u32,
        messages: u32,
        passages: Vec<u32>,
    },
}

impl Record {
    /// The bytes of a record. Terms from the number `known` on are new and go with it.
    pub(super) fn write(&self, vocabulary: &Vocabulary, known: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Passage(passage) => {
                // Most terms take two bytes.
                bytes.reserve(64 + 2 * passage.terms.len());
                bytes.push(u8::from(passage.key.is_some()));
                passage.write(&mut bytes, vocabulary, known);
            }
            Self::Forget { document, messages, passages } => {
                bytes.push(2);
                let head = [*document, *messages, passages.len() as u32];
                let numbers = head.iter().chain(passages);
                numbers.for_each(|&number| varint::put(&mut bytes, u64::from(number)));
            }
        }
        bytes
    }

    /// Reads what [`Record::write`] wrote; new terms join the vocabulary if it is given, as on a replay.
    pub(super) fn read(bytes: &[u8], vocabulary: Option<&mut Vocabulary>) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let mut reader = Reader(rest);
        let document = reader.small()?;
        match kind {
            0 | 1 => {
                Passage::read(document, *kind == 1, &mut reader, vocabulary).map(Self::Passage)
            }
            2 => {
                let messages = reader.small()?;
                let passages = list(&mut reader)?;
                Some(Self::Forget { document, messages, passages })
            }
            _ => None,
        }
    }
}

impl Passage {
    fn write(&self, bytes: &mut Vec<u8>, vocabulary: &Vocabulary, known: usize) {
        let mut put = |number: u32| varint::put(bytes, u64::from(number));
        put(self.document);
        match &self.place {
            Place::Summary => put(0),
            Place::Messages { range, part } => {
                put(range.end - range.start);
                put(range.start);
                let part = part.clone().unwrap_or(0..0);
                put(part.end - part.start);
                put(part.start);
            }
        }
        put(self.day.0);
        varint::put(bytes, self.turn);
        if let Some(key) = &self.key {
            code::put_text(bytes, key);
        }
        varint::put(bytes, (vocabulary.len() - known) as u64);
        for number in known..vocabulary.len() {
            code::put_text(bytes, &vocabulary.text(number as u32));
        }
        varint::put(bytes, self.terms.len() as u64);
        self.terms.iter().for_each(|&term| varint::put(bytes, u64::from(term)));
    }

    fn read(
        document: u32,
        is_new: bool,
        reader: &mut Reader,
        mut vocabulary: Option<&mut Vocabulary>,
    ) -> Option<Self> {
        let (place, day, turn) = head(reader)?;
        let key = if is_new { Some(reader.text()?.to_owned()) } else { None };
        for _ in 0..reader.small()? {
            let term = reader.text()?;
            if let Some(vocabulary) = vocabulary.as_deref_mut() {
                vocabulary.intern(term);
            }
        }
        let terms = list(reader)?;
        Some(Self { document, key, place, turn, day, terms })
    }
}

fn head(reader: &mut Reader) -> Option<(Place, Day, u64)> {
    let place = match reader.small()? {
        0 => Place::Summary,
        count => {
            let start = reader.small()?;
            let (length, from) = (reader.small()?, reader.small()?);
            let part = (length > 0).then_some(from..from.checked_add(length)?);
            Place::Messages { range: start..start.checked_add(count)?, part }
        }
    };
    Some((place, Day(reader.small()?), reader.number()?))
}

/// A passage that is looked at where it stands.
#[derive(Debug)]
pub(super) struct Look<'a> {
    pub(super) place: Place,
    pub(super) turn: u64,
    pub(super) day: Day,
    /// Its terms in order, as they are written.
    pub(super) terms: &'a [u8],
}

impl<'a> Look<'a> {
    /// The passage that [`Record::write`] wrote.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first().filter(|(kind, _)| **kind < 2)?;
        let mut reader = Reader(rest);
        reader.small()?;
        let (place, day, turn) = head(&mut reader)?;
        if *kind == 1 {
            reader.pass_text()?;
        }
        for _ in 0..reader.small()? {
            reader.pass_text()?;
        }
        // So many; nothing comes behind them.
        reader.small()?;
        Some(Self { place, turn, day, terms: reader.0 })
    }

    /// Its terms in order, as numbers of the vocabulary.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + use<'a> {
        let mut reader = Reader(self.terms);
        std::iter::from_fn(move || reader.small())
    }
}

fn list(reader: &mut Reader) -> Option<Vec<u32>> {
    (0..reader.small()?).map(|_| reader.small()).collect()
}
