//! What stands for a concluded effort, in memory as long as somebody may soon want it, and then on a shelf: a session of a
//! hundred thousand efforts shows a few hundred of them.

use std::fmt;
use std::sync::Arc;

/// Where texts stand that memory itself need not hold.
pub trait Shelf: Send + Sync {
    /// Takes a text and says where it stands; `None` where it cannot be taken.
    fn put(&self, text: &str) -> Option<u64>;

    /// The text of so many bytes that stands at a place; empty where it cannot be read.
    fn get(&self, place: u64, bytes: usize) -> Arc<str>;
}

/// One that is shared by all that stands on it; boxed, so that each of very many holds one word and not two.
pub(super) type Shared = Arc<Box<dyn Shelf>>;

/// Bits of a place, and of a length behind it.
const PLACE_BITS: u32 = 40;
const LENGTH_BITS: u32 = u64::BITS - PLACE_BITS;

/// The words of a summary.
#[derive(Clone)]
pub(super) struct Summary(Held);

#[derive(Clone)]
enum Held {
    Here(Arc<str>),
    /// With the length in the high bits and the place in the low ones: there are very many of these.
    Away(Shared, u64),
}

impl Summary {
    /// The words.
    pub(super) fn text(&self) -> Arc<str> {
        match &self.0 {
            Held::Here(text) => Arc::clone(text),
            Held::Away(away, at) => {
                away.get(at & ((1 << PLACE_BITS) - 1), (at >> PLACE_BITS) as usize)
            }
        }
    }

    /// Puts the words on a shelf, if it takes them.
    pub(super) fn put_away(&mut self, away: &Shared) {
        let Held::Here(text) = &self.0 else { return };
        let length = text.len() as u64;
        if length >> LENGTH_BITS > 0 {
            return;
        }
        let place = away.put(text).filter(|place| place >> PLACE_BITS == 0);
        if let Some(place) = place {
            self.0 = Held::Away(Arc::clone(away), length << PLACE_BITS | place);
        }
    }

    /// Takes the words back into memory.
    pub(super) fn take_back(&mut self) {
        if matches!(self.0, Held::Away(..)) {
            *self = self.text().into();
        }
    }
}

impl From<Arc<str>> for Summary {
    fn from(text: Arc<str>) -> Self {
        Self(Held::Here(text))
    }
}

impl fmt::Debug for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.text())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{EffortId, Exchange, Frame, MOST_LISTED, Memory, Rules};

    /// Texts one behind the other, as many as there is room for.
    #[derive(Clone, Default)]
    struct Room(Arc<Mutex<String>>, usize);

    impl Shelf for Room {
        fn put(&self, text: &str) -> Option<u64> {
            let mut all = self.0.lock().unwrap();
            let place = all.len();
            (place + text.len() <= self.1).then(|| all.push_str(text))?;
            Some(place as u64)
        }

        fn get(&self, place: u64, bytes: usize) -> Arc<str> {
            self.0.lock().unwrap()[place as usize..][..bytes].into()
        }
    }

    fn words(nth: usize) -> String {
        format!("Topic{nth} ended with {nth}a{nth}, {nth}b{nth} and {nth}c{nth} on the list.")
    }

    fn memory(room: Option<Room>, efforts: usize) -> Memory {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let rules = Rules { summary_eviction_threshold: 1, ..Rules::default() };
        let mut memory = Memory::new(rules, frame, Arc::new(Words));
        if let Some(room) = room {
            memory.put_away_on(Box::new(room));
        }
        for nth in 0..efforts {
            memory.begin_turn();
            memory.open(&format!("topic{nth}")).unwrap();
            let source = memory.close_source(None, Some(&"much was said ".repeat(20))).unwrap();
            memory.conclude(&source, &words(nth)).unwrap();
            memory.end_turn(&Exchange { user: "so".into(), assistant: "well".into() });
        }
        memory
    }

    fn here(memory: &Memory) -> usize {
        let is_here = |one: &&Summary| matches!(one.0, Held::Here(_));
        memory.efforts.iter().filter_map(|effort| effort.summary.as_ref()).filter(is_here).count()
    }

    #[test]
    fn what_left_long_ago_is_on_the_shelf_and_memory_does_the_same_with_it() {
        let many = 2 * MOST_LISTED;
        let room = Room(Arc::default(), usize::MAX);
        let (mut with, mut without) = (memory(Some(room.clone()), many), memory(None, many));
        assert_eq!(here(&without), many);
        assert!(here(&with) <= MOST_LISTED + 2, "{}", here(&with));
        assert!(room.0.lock().unwrap().starts_with(&words(0)));
        for nth in 0..many {
            let effort = with.effort(&EffortId::stored(&format!("topic{nth}"))).unwrap();
            assert_eq!(effort.summary().as_deref(), Some(&*words(nth)));
        }
        let each = |memory: &mut Memory| {
            memory.begin_turn();
            let said = Exchange { user: "topic3: 3a3?".into(), assistant: "3b3".into() };
            let changes = memory.end_turn(&said).changes;
            let edited = memory.edit_summary("topic4", "Other words.", "edited").unwrap();
            let undone = memory.take_back(&edited, "undone", Vec::new()).unwrap();
            let reopened = memory.reopen("topic5", Vec::new()).unwrap();
            (changes, edited, undone, reopened, format!("{:?}", memory.window().items))
        };
        assert_eq!(each(&mut with), each(&mut without));
        let back = with.effort(&EffortId::stored("topic3")).unwrap();
        assert!(matches!(back.summary, Some(Summary(Held::Here(_)))), "it is in the window again");
    }

    #[test]
    fn what_the_shelf_does_not_take_stays_in_memory() {
        let (few, many) = (20, 2 * MOST_LISTED);
        let memory = memory(Some(Room(Arc::default(), few * words(0).len())), many);
        assert!((1..=few).contains(&(many - here(&memory))), "{}", here(&memory));
        for nth in 0..many {
            let effort = memory.effort(&EffortId::stored(&format!("topic{nth}"))).unwrap();
            assert_eq!(effort.summary().as_deref(), Some(&*words(nth)));
        }
    }
}
