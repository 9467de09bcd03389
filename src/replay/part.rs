//! What was read of one source: its turns, each as a row of numbers, and what the log says between them.

use std::collections::BTreeMap;

use super::turns::{Border, Mark};
use crate::read::Moment;

/// Bytes of a turn in the file.
pub(super) const ROW: usize = 28;

/// What tools had to do with a turn, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tools {
    /// Of results that are held by reference instead.
    pub held: u32,
    /// Of what the model said and called itself, where results may stand among it; 0 where no tool was called.
    pub own: u32,
    /// Of arguments that were cut off.
    pub cut: u32,
}

impl Tools {
    /// The tokens that the model wrote, of a reply with so many, and those that stand in it and that tools wrote.
    pub fn divided(self, reply: u64) -> (u64, u64) {
        let own = if self.own == 0 { reply } else { reply.min(self.own.into()) };
        (own + u64::from(self.cut), reply - own)
    }
}

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
}

impl Turn {
    pub(super) fn bytes(self) -> [u8; ROW] {
        let Self { place, user, reply, tools: Tools { held, own, cut } } = self;
        let mut bytes = [0; ROW];
        bytes[..8].copy_from_slice(&place.to_le_bytes());
        let numbers = [user, reply, held, own, cut];
        for (bytes, number) in bytes[8..].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(super) fn of(bytes: [u8; ROW]) -> Self {
        let word = |at: usize| {
            let bytes = bytes[4 * at..].first_chunk().copied();
            bytes.map_or(0, u32::from_le_bytes)
        };
        let [low, high, user, reply, held, own, cut] = std::array::from_fn(word);
        let place = u64::from(high) << 32 | u64::from(low);
        Self { place, user, reply, tools: Tools { held, own, cut } }
    }
}

/// What was read of one source.
#[derive(Debug, Default)]
pub struct Part {
    /// When it began.
    pub at: Moment,
    pub(super) turns: Vec<Turn>,
    pub(super) borders: BTreeMap<usize, Border>,
    pub(super) marks: Vec<Mark>,
}

impl Part {
    /// Puts its conversations in the order in which they began, as far as all tell when: an export often has the newest
    /// one first. `begun` holds the first turn of each, ascending, with its moment.
    pub(super) fn put_in_order(&mut self, begun: &[(usize, Moment)]) {
        let at = |one: &(usize, Moment)| one.1;
        if begun.iter().any(|one| at(one).is_none()) || begun.is_sorted_by_key(at) {
            return;
        }
        let ends = begun.iter().skip(1).map(|one| one.0).chain([self.turns.len()]);
        let mut order: Vec<_> = begun.iter().zip(ends).collect();
        order.sort_by_key(|(one, _)| at(one));
        let before = std::mem::take(self);
        self.at = at(order[0].0);
        for &(&(from, _), to) in &order {
            let first = self.turns.len();
            let moved = |turn: usize| turn - from + first;
            self.turns.extend_from_slice(&before.turns[from..to]);
            self.borders.entry(first).or_insert_with(|| Border::Conversation(String::new()));
            let borders = before.borders.range(from..to);
            self.borders.extend(borders.map(|(turn, border)| (moved(*turn), border.clone())));
            let is_last = to == before.turns.len();
            let marks = before.marks.iter();
            let own = marks.filter(|mark| from <= mark.turn && (mark.turn < to || is_last));
            self.marks.extend(own.map(|mark| Mark { turn: moved(mark.turn), ..mark.clone() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(place: u64) -> Turn {
        let tools = Tools { held: 7, own: u32::MAX, cut: 9 };
        Turn { place, user: 3, reply: 1 << 20, tools }
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
    fn conversations_stand_in_the_order_in_which_they_began() {
        let named = |name: &str| Border::Conversation(name.to_owned());
        let borders = [(0, named("new")), (2, named("old")), (3, Border::Pause)];
        let part = |begun: &[(usize, Moment)]| {
            let turns = (0..5).map(turn).collect();
            let mut part = Part { turns, borders: borders.clone().into(), ..Part::default() };
            part.put_in_order(begun);
            let places: Vec<u64> = part.turns.iter().map(|turn| turn.place).collect();
            (places, part.borders.into_iter().collect::<Vec<_>>())
        };
        let sorted = [(0, named("old")), (1, Border::Pause), (3, named("new"))];
        assert_eq!(part(&[(0, Some(90)), (2, Some(10))]), (vec![2, 3, 4, 0, 1], sorted.into()));
        for begun in [&[(0, Some(1)), (2, Some(1))][..], &[(0, Some(9)), (2, None)], &[]] {
            assert_eq!(part(begun), ((0..5).collect(), borders.clone().into()), "{begun:?}");
        }
    }
}
