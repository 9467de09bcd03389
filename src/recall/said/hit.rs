//! What a query means: a document, and its passages.

use std::ops::Range;
use std::sync::Arc;

use super::{Date, Place, Source};

/// A document that a query means.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// What it is.
    pub source: Source,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// How many documents would match as well by chance; much below 1, it stands out.
    pub chance: f64,
    /// Its passages that match best, the best first.
    pub passages: Vec<Passage>,
    /// What was said behind the best ones and shares with them a word that not everybody uses every day, the newest first; of
    /// the first hits for a question alone. Its words are the rarest first; telling are those of them that the query asks
    /// for.
    pub later: Vec<(Source, Passage)>,
}

/// A passage that a query means.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Where it stands.
    pub place: Place,
    /// The turn in which it was said.
    pub turn: u64,
    /// The day, if it is known.
    pub day: Option<Date>,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// The words of the query that it holds, as typed, the most telling first, and the day if the query speaks of it.
    pub words: Vec<Arc<str>>,
    /// How many of them are no everyday words of English.
    pub telling: usize,
    /// How many of these stand in little of what was said.
    pub rare: usize,
    /// How many words it holds that mean nearly the same as a telling one of the query, and stand in little of what was said.
    pub near: usize,
    /// How many are words of every day that were said here far more often than anywhere: what people speak of.
    pub topics: usize,
    /// How many are words of every day that were seldom said.
    pub seldom: usize,
    /// How many pairs of its words stand side by side here and hardly anywhere else.
    pub pairs: usize,
    /// How many of them are numbers of one or two digits, which stand everywhere.
    pub numbers: usize,
    /// How many of them are words of grammar of the query's language, which stand everywhere too.
    pub grammar: usize,
    /// The query speaks of its day.
    pub is_of_day: bool,
    /// The first of its telling words is a name there: written with a capital within a sentence. `false` where nobody looked.
    pub is_of_name: bool,
    /// How many texts would be as near to the query in meaning by chance; `None` where that was not compared.
    pub meaning: Option<f64>,
}

impl Passage {
    /// One at a place of which nothing matches.
    pub fn at(place: Place) -> Self {
        Self {
            place,
            turn: 0,
            day: None,
            score: 0.0,
            words: Vec::new(),
            telling: 0,
            rare: 0,
            near: 0,
            topics: 0,
            seldom: 0,
            pairs: 0,
            numbers: 0,
            grammar: 0,
            is_of_day: false,
            is_of_name: false,
            meaning: None,
        }
    }

    /// How many words of the query it holds that say something, numbers of one or two digits aside.
    pub fn shared(&self) -> usize {
        self.words.len() - self.numbers - self.grammar
    }

    /// Whether it holds any word of the query, numbers of one or two digits aside.
    pub fn holds_any(&self) -> bool {
        self.words.len() > self.numbers
    }
}

impl Hit {
    /// Whether it matches better than chance would bring about.
    pub fn stands_out(&self) -> bool {
        const COINCIDENCE: f64 = 0.5;
        self.chance < COINCIDENCE
    }

    /// Whether a passage shares a word with the query that is no everyday word of English, or is of a day that it
    /// speaks of.
    pub fn is_telling(&self) -> bool {
        self.passages.iter().any(|passage| passage.telling > 0 || passage.is_of_day)
    }
}

/// A document that comes into question.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) document: u32,
    pub(super) score: f64,
    /// Those of its passages that match best, once that is known.
    pub(super) matching: Vec<u32>,
    /// Where it is told which pairs of the query stand in them, ascending, as often as they do.
    pub(super) beside: Range<usize>,
    /// Those passages in which a pair stands that hardly any other holds, each as often as there are such.
    pub(super) paired: Vec<u32>,
}

impl Looked {
    pub(super) fn new((document, score): (u32, f64)) -> Self {
        Self { document, score, matching: Vec::new(), beside: 0..0, paired: Vec::new() }
    }
}
