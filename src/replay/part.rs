//! What was read of one source: its turns, each as a row of numbers, and what the log says between them.

use std::collections::BTreeMap;

use super::copied::Copied;
use crate::bill::Tools;
use crate::read::{Compaction, Moment};

/// Bytes of a turn in the file.
pub(super) const ROW: usize = 60;

/// One turn: where among the texts it stands, how long it is, and what of it tools said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// Where what the person said begins; what the model said follows on it.
    pub(super) place: u64,
    /// Bytes of what the person said.
    pub(super) user: u32,
    /// Bytes of what the model said, with its calls and their short results on lines of their own.
    pub(super) reply: u32,
    /// What tools had to do with it.
    pub(super) tools: Tools,
    /// Tokens of it that stand for what is held by reference.
    pub(super) pointers: u32,
    /// How often the model went on behind results of tools: each is one more request.
    pub(super) rounds: u32,
    /// Where among the texts stands what these sent.
    pub(super) requests: u64,
    /// When the person spoke, and when anybody said something in it last.
    pub(super) at: Moment,
    pub(super) last: Moment,
}

/// In place of a moment that is not known, in milliseconds since 1970.
const UNKNOWN: i64 = i64::MIN;

impl Turn {
    pub(super) fn bytes(self) -> [u8; ROW] {
        let Self { place, user, reply, tools, pointers, rounds, requests, at, last } = self;
        let Tools { held, own, cut } = tools;
        let mut bytes = [0; ROW];
        bytes[..8].copy_from_slice(&place.to_le_bytes());
        bytes[8..16].copy_from_slice(&at.unwrap_or(UNKNOWN).to_le_bytes());
        bytes[16..24].copy_from_slice(&requests.to_le_bytes());
        bytes[24..32].copy_from_slice(&last.unwrap_or(UNKNOWN).to_le_bytes());
        let numbers = [user, reply, held, own, cut, rounds, pointers];
        for (bytes, number) in bytes[32..].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(super) fn of(bytes: [u8; ROW]) -> Self {
        let long = |at: usize| bytes[at..].first_chunk().copied().unwrap_or_default();
        let word = |nth: usize| {
            let bytes = bytes[32 + 4 * nth..].first_chunk().copied();
            bytes.map_or(0, u32::from_le_bytes)
        };
        let [user, reply, held, own, cut, rounds, pointers] = std::array::from_fn(word);
        let place = u64::from_le_bytes(long(0));
        let moment = |at| Some(i64::from_le_bytes(long(at))).filter(|at| *at != UNKNOWN);
        let (at, last) = (moment(8), moment(24));
        let requests = u64::from_le_bytes(long(16));
        let tools = Tools { held, own, cut };
        Self { place, user, reply, tools, pointers, rounds, requests, at, last }
    }
}

/// What the log itself says of a change of topic before a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Border {
    /// Another conversation begins.
    Conversation {
        /// Its title, which may be empty.
        title: String,
        /// What it goes on from, and that another conversation told: it is a fork of that.
        copied: Copied,
    },
    /// The person goes on in another branch of the repository.
    Branch,
    /// Nobody said anything for a long time.
    Pause,
}

impl Border {
    /// Where another conversation begins, the tokens that it goes on from.
    pub(super) fn copied(&self) -> Option<Copied> {
        match self {
            Self::Conversation { copied, .. } => Some(*copied),
            Self::Branch | Self::Pause => None,
        }
    }
}

/// Where the other program compacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The turn before which it did, from 0; that of another conversation, or none, if it did so in or behind the last one.
    pub turn: usize,
    /// It did so in the conversation of the turn before that one.
    pub is_behind: bool,
    /// The request of the turn before which it did, from 0: behind the first one it did so within the turn.
    pub request: u32,
    /// What it says of it.
    pub compaction: Compaction,
    /// Tokens of what stayed in its window beside the summary, word for word.
    pub kept: u64,
}

/// What was read of one source.
#[derive(Debug, Default)]
pub struct Part {
    /// When it began.
    pub at: Moment,
    pub(super) turns: Vec<Turn>,
    pub(super) borders: BTreeMap<usize, Border>,
    /// The topics that the program itself tells, by their first turns; empty for small talk.
    pub(super) topics: BTreeMap<usize, String>,
    pub(super) marks: Vec<Mark>,
    /// The first turn of each conversation, ascending, with its moment.
    pub(super) begun: Vec<(usize, Moment)>,
}

impl Part {
    /// How many turns it has.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nobody says anything in it.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// How often the other program compacted in it.
    pub fn compactions(&self) -> usize {
        self.marks.len()
    }

    /// Its conversations, a part each, with the moment at which each began: an export often has the newest one first, and
    /// where it is divided into files, those of one moment in several. One that does not tell when began with the one before.
    pub fn conversations(self) -> Vec<Self> {
        // Where nobody tells when, there is no other order.
        if self.begun.len() < 2 || self.begun.iter().all(|one| one.1.is_none()) {
            return vec![self];
        }
        let ends = self.begun.iter().skip(1).map(|one| one.0).chain([self.turns.len()]);
        let mut at = self.begun.iter().find_map(|one| one.1);
        let each = self.begun.iter().zip(ends).map(|(&(from, began), to)| {
            at = began.or(at);
            self.conversation(from, to, at)
        });
        each.collect()
    }

    fn conversation(&self, from: usize, to: usize, at: Moment) -> Self {
        let mut borders: BTreeMap<_, _> =
            self.borders.range(from..to).map(|(turn, one)| (turn - from, one.clone())).collect();
        borders.entry(0).or_insert_with(|| Border::Conversation {
            title: String::new(),
            copied: Copied::default(),
        });
        let topics = self.topics.range(from..to).map(|(turn, one)| (turn - from, one.clone()));
        let is_last = to == self.turns.len();
        let own = |mark: &&Mark| {
            if mark.is_behind {
                from < mark.turn && mark.turn <= to
            } else {
                from <= mark.turn && (mark.turn < to || is_last)
            }
        };
        let marks = self.marks.iter().filter(own);
        Self {
            at,
            turns: self.turns[from..to].to_vec(),
            borders,
            topics: topics.collect(),
            marks: marks.map(|mark| Mark { turn: mark.turn - from, ..mark.clone() }).collect(),
            begun: vec![(0, at)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Compaction;

    fn turn(place: u64) -> Turn {
        let tools = Tools { held: 7, own: u32::MAX, cut: 9 };
        let at = (place != 5).then_some(-7);
        let (pointers, rounds, requests) = (11, 3, 1 << 40);
        Turn {
            place,
            user: 3,
            reply: 1 << 20,
            tools,
            pointers,
            rounds,
            requests,
            at,
            last: Some(1 << 50),
        }
    }

    #[test]
    fn a_turn_comes_back_from_its_bytes() {
        for place in [0, 5, 1 << 33, u64::MAX] {
            assert_eq!(Turn::of(turn(place).bytes()), turn(place));
        }
    }

    #[test]
    fn what_tools_wrote_is_told_from_what_the_model_did() {
        let tools = Tools { held: 0, own: 40, cut: 5 };
        assert_eq!(tools.divided(100), (45, 60));
        assert_eq!(tools.divided(30), (35, 0));
        assert_eq!(Tools::default().divided(100), (100, 0));
    }

    #[test]
    fn each_conversation_is_a_part_with_its_moment_and_what_stands_between_its_turns() {
        let named =
            |name: &str| Border::Conversation { title: name.to_owned(), copied: Copied::default() };
        let borders = [(0, named("new")), (2, named("old")), (3, Border::Pause)];
        let parts = |begun: &[(usize, Moment)]| {
            let mark = |turn| Mark {
                turn,
                is_behind: turn != 0,
                request: 0,
                compaction: Compaction::default(),
                kept: 0,
            };
            let part = Part {
                turns: (0..5).map(turn).collect(),
                borders: borders.clone().into(),
                topics: [(1, "a".to_owned()), (4, "b".to_owned())].into(),
                marks: [1, 2, 5].map(mark).into(),
                begun: begun.to_vec(),
                ..Part::default()
            };
            part.conversations()
        };
        let told = |part: &Part| {
            let places: Vec<u64> = part.turns.iter().map(|turn| turn.place).collect();
            (part.at, places, part.marks.iter().map(|mark| mark.turn).collect::<Vec<_>>())
        };
        let [new, old] = &parts(&[(0, Some(90)), (2, Some(10))])[..] else { panic!("two") };
        assert_eq!(told(new), (Some(90), vec![0, 1], vec![1, 2]));
        assert_eq!(told(old), (Some(10), vec![2, 3, 4], vec![3]));
        assert_eq!(old.borders, [(0, named("old")), (1, Border::Pause)].into());
        assert_eq!((&new.topics[&1], &old.topics[&2]), (&"a".to_owned(), &"b".to_owned()));
        let moments =
            |begun: &[(usize, Moment)]| parts(begun).iter().map(|part| part.at).collect::<Vec<_>>();
        assert_eq!(moments(&[(0, Some(9)), (2, None)]), [Some(9), Some(9)]);
        assert_eq!(moments(&[(0, None), (2, Some(4)), (3, None)]), [Some(4); 3]);
        assert_eq!(parts(&[(0, None), (2, None)]).len(), 1);
        assert_eq!(parts(&[(0, Some(9))]).len(), 1);
        assert_eq!(parts(&[]).len(), 1);
    }
}
