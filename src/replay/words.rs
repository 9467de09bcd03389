//! The words of each turn, as numbers in a file: what finding the topics of a conversation looks at, however long it is.

mod content;
mod cues;
mod phrases;
mod plain;
mod titles;
mod topics;

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::sync::mpsc;
use std::thread;

use super::conversation::Conversation;
use super::markup::{self, By};
use super::texts::Texts;
use crate::letters::is_part_of_word;
use crate::memory::numbers::Numbers;
use crate::memory::stem;

pub(super) use content::{around, content};
use cues::turns_away;
use phrases::{may_be_of_one, without_phrases};
use plain::{Languages, plain_in};
pub(super) use topics::{Said as OfTurn, borders};

/// Bytes of a reply whose words count. A long text counts like a short one.
const LONGEST_REPLY: usize = 4_000;

/// Stems that are known at once at most; beyond it those that one turn alone has said are forgotten, and count as new
/// where they are said again.
const MOST_STEMS: usize = 1_800_000;

/// Turns whose words are read before they are numbered: so few, as each may be long.
const AHEAD: usize = 8;

/// Words whose stems are known at most.
const MOST_WORDS: usize = 1 << 16;

/// Bytes of a word and how often it stands in a turn, in the file.
const ROW: usize = 8;

/// Bits for how often a word stands in a turn. One bit behind them is for whether nobody but tools said it, and those behind
/// that for how often the person did.
const COUNT: u32 = 16;
const MOST_COUNTED: usize = (1 << COUNT) - 1;
const MOST_BY_PERSON: usize = MOST_COUNTED >> 1;
const OF_TOOLS: usize = 1 << COUNT;

/// Who said a word, in so many bits behind its number.
const BY: u32 = 2;
const PERSON: u64 = 0;
const MODEL: u64 = 1;
const TOOL: u64 = 2;

/// A stem of a turn.
#[derive(Debug, Clone, Copy)]
struct Word {
    number: u32,
    /// How much it says there.
    weight: f64,
    is_by_person: bool,
    /// Nobody but tools said it.
    is_of_tools: bool,
}

/// What is known of each hash or number.
pub(super) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// Spreads hashes, which are spread already, and numbers.
#[derive(Debug, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Stems as numbers, in the order in which they were first said.
#[derive(Debug, Default)]
struct Stems {
    /// By a stem's hash.
    numbers: Numbers,
    /// By the hash of a word that was said, to be stemmed once.
    of_words: Table<u64, u32>,
    /// How many turns have each, by number.
    in_turns: Vec<u32>,
    /// Those that can stand in a name, ascending.
    readable: Vec<Readable>,
}

/// A stem that can stand in a name.
#[derive(Debug)]
struct Readable {
    number: u32,
    /// In which languages it is of every day.
    plain: Languages,
    /// Bytes of its text, and where that begins.
    length: u8,
    place: u64,
}

impl Stems {
    /// The number of the stem of a word that has a hash.
    fn number(&mut self, word: &str, word_hash: u64, texts: &mut Texts) -> u32 {
        // Most that hold a digit are said once, and are quickly stemmed.
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return self.of_stem(&stem(word), texts);
        }
        if let Some(number) = self.of_words.get(&word_hash) {
            return *number;
        }
        let number = self.of_stem(&stem(word), texts);
        if self.of_words.len() >= MOST_WORDS {
            self.of_words.clear();
        }
        self.of_words.insert(word_hash, number);
        number
    }

    fn of_stem(&mut self, stem: &str, texts: &mut Texts) -> u32 {
        let next = self.in_turns.len() as u32;
        let hash = hash(stem);
        let number = self.numbers.number(hash, next);
        if number == next {
            self.in_turns.push(0);
            if let Some(length) = readable_length(stem) {
                let (place, plain) = (texts.end(), plain_in(hash));
                texts.add(stem.as_bytes());
                self.readable.push(Readable { number, plain, length, place });
            }
        }
        number
    }

    /// Between two turns: forgets what was said in one turn alone if there are too many.
    fn forget(&mut self, most: usize) {
        if self.numbers.count() > most {
            self.of_words.clear();
            self.numbers.retain(|number| self.in_turns[number as usize] > 1);
        }
    }
}

/// Bytes of a stem that can stand in a name.
fn readable_length(stem: &str) -> Option<u8> {
    let is_readable = stem.len() > 2 && stem.chars().all(|c| is_part_of_word(c) && !c.is_numeric());
    u8::try_from(stem.len()).ok().filter(|_| is_readable)
}

/// FNV-1a: so long a hash is hardly ever that of two words.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The words of a turn as they are said, one behind the other. Another thread reads them than the one that numbers them.
#[derive(Debug, Default)]
struct Spoken {
    text: String,
    /// Where each ends, and its hash.
    words: Vec<(usize, u64)>,
    /// How many of them, the first ones, the person said, and how many the person and the model.
    by_person: usize,
    by_both: usize,
    /// The person began by saying that something else comes.
    turns_away: bool,
}

impl Spoken {
    fn of(talk: &Conversation, turn: usize) -> io::Result<Self> {
        let (user, reply) = (talk.user(turn)?, talk.reply_begins(turn, LONGEST_REPLY)?);
        let mut spoken = Self { turns_away: turns_away(&user), ..Self::default() };
        spoken.add_all(&user);
        spoken.by_person = spoken.words.len();
        let pieces: Vec<_> = markup::said(&reply).collect();
        let mut add_those = |of: By| {
            pieces.iter().filter(|(by, _)| *by == of).for_each(|(_, piece)| spoken.add_all(piece));
            spoken.words.len()
        };
        let by_both = add_those(By::Model);
        add_those(By::Tool);
        Ok(Self { by_both, ..spoken })
    }

    /// Adds the words of a text that may say what it is about.
    fn add_all(&mut self, text: &str) {
        let before = (self.text.len(), self.words.len());
        let mut is_plain = true;
        for word in content(text) {
            is_plain &= !may_be_of_one(&word);
            self.add(&word);
        }
        if let Cow::Owned(rest) = without_phrases(if is_plain { "" } else { text }) {
            self.text.truncate(before.0);
            self.words.truncate(before.1);
            content(&rest).for_each(|word| self.add(&word));
        }
    }

    /// Who said a word, by its place among them.
    fn by(&self, nth: usize) -> u64 {
        match nth {
            nth if nth < self.by_person => PERSON,
            nth if nth < self.by_both => MODEL,
            _ => TOOL,
        }
    }

    fn add(&mut self, word: &str) {
        self.text.push_str(word);
        self.words.push((self.text.len(), hash(word)));
    }

    /// Each word with its hash.
    fn each(&self) -> impl Iterator<Item = (&str, u64)> {
        let starts = std::iter::once(0).chain(self.words.iter().map(|(end, _)| *end));
        starts.zip(&self.words).map(|(start, (end, hash))| (&self.text[start..*end], *hash))
    }
}

/// The words of all turns.
#[derive(Debug)]
pub(super) struct Said {
    /// The stems that can stand in a name, and the list of each turn.
    texts: Texts,
    stems: Stems,
    turns: Vec<Listed>,
}

/// The list of a turn.
#[derive(Debug)]
struct Listed {
    /// Where it begins, and how many words it has.
    place: u64,
    count: u32,
    turns_away: bool,
}

impl Said {
    /// Takes them from a conversation; `looked` hears of every turn.
    ///
    /// # Errors
    /// It cannot be read, or its words cannot be written.
    pub(super) fn of(talk: &Conversation, looked: &mut dyn FnMut(usize)) -> io::Result<Self> {
        Self::within(talk, MOST_STEMS, looked)
    }

    fn within(talk: &Conversation, most: usize, looked: &mut dyn FnMut(usize)) -> io::Result<Self> {
        let (mut texts, mut stems) = (Texts::new()?, Stems::default());
        let (mut turns, mut numbers) = (Vec::with_capacity(talk.len()), Vec::new());
        thread::scope(|scope| {
            let (told, heard) = mpsc::sync_channel(AHEAD);
            let read = move || {
                // Nobody listens any more once something went wrong.
                (0..talk.len())
                    .map(|turn| Spoken::of(talk, turn))
                    .try_for_each(|said| told.send(said))
            };
            thread::Builder::new().spawn_scoped(scope, read)?;
            for (turn, spoken) in heard.into_iter().enumerate() {
                numbers.clear();
                let spoken = spoken?;
                // What the person said comes first of the same, and what tools did last.
                numbers.extend(spoken.each().enumerate().map(|(nth, (word, hash))| {
                    let number = u64::from(stems.number(word, hash, &mut texts));
                    number << BY | spoken.by(nth)
                }));
                numbers.sort_unstable();
                let (place, mut count) = (texts.end(), 0);
                for same in numbers.chunk_by(|one, other| one >> BY == other >> BY) {
                    let number = (same[0] >> BY) as u32;
                    let counts = counts(same);
                    texts.add(&number.to_le_bytes());
                    texts.add(&counts.to_le_bytes());
                    stems.in_turns[number as usize] += 1;
                    count += 1;
                }
                turns.push(Listed { place, count, turns_away: spoken.turns_away });
                stems.forget(most);
                looked(turn);
            }
            io::Result::Ok(())
        })?;
        // What only gives numbers is not needed any more.
        (stems.numbers, stems.of_words) = (Numbers::default(), Table::default());
        Ok(Self { texts: texts.settle()?, stems, turns })
    }

    /// The words of a turn, ascending.
    fn turn(&self, turn: usize) -> io::Result<Vec<Word>> {
        let Listed { place, count, .. } = self.turns[turn];
        let bytes = self.texts.read(place, count as usize * ROW)?;
        let four =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        let row = |row: &[u8]| {
            let (number, counts) = (four(&row[..4]), four(&row[4..]));
            let weight = times(counts & MOST_COUNTED as u32);
            let is_of_tools = counts & OF_TOOLS as u32 > 0;
            Word { number, weight, is_by_person: counts >> (COUNT + 1) > 0, is_of_tools }
        };
        Ok(bytes.chunks_exact(ROW).map(row).collect())
    }

    /// The words of a turn, each once.
    ///
    /// # Errors
    /// The words cannot be read.
    pub(super) fn different(&self, turn: usize) -> io::Result<OfTurn> {
        let all = self.turn(turn)?;
        let by_person = all.iter().filter(|word| word.is_by_person).count();
        let turns_away = self.turns[turn].turns_away;
        Ok(OfTurn { words: all.iter().map(|word| word.number).collect(), by_person, turns_away })
    }
}

/// How often the same word stands in a turn, and by whom it is said there.
fn counts(same: &[u64]) -> u32 {
    let by = |one: &u64| one & ((1 << BY) - 1);
    let by_person = same.partition_point(|one| by(one) == PERSON).min(MOST_BY_PERSON);
    let of_tools = if same.first().is_some_and(|one| by(one) == TOOL) { OF_TOOLS } else { 0 };
    (by_person << (COUNT + 1) | of_tools | same.len().min(MOST_COUNTED)) as u32
}

/// What a word says that stands in a turn so many times.
fn times(count: u32) -> f64 {
    if count == 1 { 1.0 } else { 1.0 + f64::from(count).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words as Counted;
    use crate::read::{Event, Speaker};
    use crate::replay::Turns;

    #[test]
    fn what_one_turn_alone_said_is_forgotten_first_and_tells_as_much_as_before() {
        let mut texts = Texts::new().unwrap();
        let mut turns = Turns::new(&Counted, 500, &mut texts);
        for nth in 0..40 {
            let topic = if nth < 20 { "harbour" } else { "parser" };
            let text = format!("How does the {topic} go on, {nth}x{nth}x and {nth}y{nth}y?");
            turns.take(Event::Said { by: Speaker::Person, text, at: None });
            let text = format!("The {topic} does step {nth}z{nth}z.");
            turns.take(Event::Said { by: Speaker::Model, text, at: None });
        }
        let part = turns.finish();
        let talk = Conversation::of(texts, [part]).unwrap();
        let (all, few) =
            (Said::of(&talk, &mut |_| ()).unwrap(), Said::within(&talk, 12, &mut |_| ()).unwrap());
        for turns in [0..20, 20..40] {
            let telling = all.telling(turns.clone(), 1).unwrap();
            assert!(!telling.is_empty());
            assert_eq!(few.telling(turns, 1).unwrap(), telling);
        }
        let counts = |said: &Said| -> Vec<usize> {
            (0..40).map(|turn| said.different(turn).unwrap().words.len()).collect()
        };
        assert_eq!(counts(&few), counts(&all));
    }
}
