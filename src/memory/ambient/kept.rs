//! What stays although it has gathered, because the cache of the model keeps nothing that is smaller.
//!
//! A window below that least is paid in full with each message, and a history beyond it is not. So where that has soon cost
//! less, the window grows to twice the least, and a tide leaves the least of it.

use super::super::{Memory, Tokens};
use super::NextTide;

/// Turns within which it must have paid that the window grew: nobody knows how long a talk goes on.
const PAYS_WITHIN: u64 = 100;

/// A window that has grown goes on as long as it costs no more than this part of the usual one beyond that.
const DEARER_BY: u64 = 8;

/// Tides of more exchanges than so many are reckoned as with so many.
const MOST_RECKONED: u64 = 1_000;

/// What a window costs, turn by turn, if the talk goes on as it did. All in tokens.
struct Talk {
    /// What an exchange adds.
    growth: u64,
    /// What the window holds behind a tide, as usual.
    usual: u64,
    /// Exchanges that gather before a tide.
    tide: u64,
    /// The least that the cache keeps, and what is read of it costs, in hundredths of what is paid in full.
    least: u64,
    percent: u64,
}

impl Talk {
    /// What a turn pays with the usual window, on the average: what is smaller than the least in full, and all of it behind a
    /// tide.
    fn usual_paid(&self) -> u64 {
        let turns = self.tide.saturating_add(1).min(MOST_RECKONED);
        let paid = (0..turns).map(|turn| {
            let window = self.usual.saturating_add(self.growth.saturating_mul(turn));
            if turn == 0 || window < self.least { window } else { self.cached(window) }
        });
        paid.fold(0, u64::saturating_add) / turns
    }

    /// What it pays with one that grows from the least to twice as much: in full behind a tide, which comes when it has
    /// doubled.
    fn grown_paid(&self) -> u64 {
        let kept = self.cached(self.least);
        kept.saturating_add(kept / 2).saturating_add(self.growth)
    }

    fn cached(&self, window: u64) -> u64 {
        window.saturating_mul(self.percent) / 100
    }

    /// Whether a larger window has soon cost less: until it has grown, it is paid in full.
    fn soon_pays(&self, usual: u64, grown: u64) -> bool {
        let Some(saved) = usual.checked_sub(grown).filter(|saved| *saved > 0) else {
            return false;
        };
        let turns = self.least.saturating_sub(self.usual) / self.growth;
        let dearer = self.usual.midpoint(self.least).saturating_sub(usual);
        turns.saturating_add(turns.saturating_mul(dearer) / saved) <= PAYS_WITHIN
    }
}

impl Memory {
    /// Whether a tide comes with the end of this turn.
    pub(super) fn tide_is_due(&self) -> bool {
        let pays = |least| self.ambient.tokens_of(self.leaving_at_tide()) >= least;
        self.ambient.is_full() && self.grows_to().is_none_or(pays)
    }

    /// The oldest messages that the next tide takes: those that have gathered, but for the newest of them without which the
    /// cache would keep nothing, where it pays to keep these.
    pub(super) fn leaving_at_tide(&self) -> usize {
        let gathered = self.ambient.gathered();
        let Some(least) = self.grows_to() else { return gathered };
        let may_leave = self.staying().saturating_sub(least);
        // Whole exchanges.
        self.ambient.within(may_leave).min(gathered) / 2 * 2
    }

    /// What the window keeps with a tide, in tokens, where that is more than the last few exchanges and soon costs less. A
    /// window that has grown goes on, but where that became dearer: what was said last is now longer and now shorter.
    pub(super) fn grows_to(&self) -> Option<Tokens> {
        let least = Some(self.rules.cache_least).filter(|least| *least > Tokens(0))?;
        if self.rules.tide() == 0 || least.0.saturating_mul(2) > self.rules.soft_line().0 {
            return None;
        }
        let talk = self.talk(least.0);
        let (usual, grown) = (talk.usual_paid(), talk.grown_paid());
        let has_grown = self.ambient.gathered() > self.ambient.tide + 2;
        let pays = if has_grown {
            grown <= usual.saturating_add(usual / DEARER_BY)
        } else {
            talk.usual < least.0 && talk.soon_pays(usual, grown)
        };
        pays.then_some(least)
    }

    /// The least that the cache keeps, while more exchanges stay for it than usual.
    pub(in crate::memory) fn kept_for_cache(&self) -> Option<Tokens> {
        self.grows_to().filter(|_| self.ambient.is_full())
    }

    /// The talk as it was at the last tide: what stayed then is the oldest that is there, so that nothing is decided
    /// otherwise before the next one because somebody says more or less.
    fn talk(&self, least: u64) -> Talk {
        let stayed = self.ambient.window.min(self.ambient.tail.len());
        let exchanges = (stayed / 2).max(1) as u64;
        let growth = (self.ambient.tokens_of(stayed).0 / exchanges).max(1);
        let stays = growth.saturating_mul(self.rules.ambient_window as u64);
        Talk {
            growth,
            usual: self.frame_layers.total().0.saturating_add(stays),
            tide: self.rules.tide() as u64,
            least,
            percent: self.rules.cached_percent,
        }
    }

    /// What is in front of the window whatever is concluded or collapses.
    fn staying(&self) -> Tokens {
        self.frame_layers.total() + self.ambient.tail_tokens()
    }

    /// The tide that comes when the window has grown to twice the least that the cache keeps.
    pub(super) fn next_held_tide(&self, least: Tokens) -> NextTide {
        let exchanges = (self.ambient.tail.len() / 2).max(1) as u64;
        let growth = (self.ambient.tail_tokens().0 / exchanges).max(1);
        let missing = Tokens(least.0.saturating_mul(2)).saturating_sub(self.staying());
        // As many exchanges as with any tide have gathered by then.
        let turns = missing.0.div_ceil(growth).max(self.turns_until_full());
        let taken = self.ambient.within(least);
        let tokens = self.ambient.tokens_of(taken);
        let unsaid = least.saturating_sub(tokens).0 / growth;
        let exchanges = taken / 2 + unsaid.min(turns) as usize;
        NextTide { turns, exchanges, tokens, waits: !self.open.is_empty() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{Change, Exchange, Frame, Rules};

    /// Tokens of an exchange here.
    const EXCHANGE: u64 = 4;

    const LEAST: Tokens = Tokens(100);

    fn rules() -> Rules {
        let cache_least = LEAST;
        Rules {
            ambient_window: 3,
            ambient_tide: 4,
            cache_least,
            cached_percent: 5,
            ..Rules::default()
        }
    }

    fn memory(rules: Rules) -> Memory {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        Memory::new(rules, frame, Arc::new(Words))
    }

    fn say(memory: &mut Memory) -> Vec<Change> {
        memory.begin_turn();
        memory.end_turn(&Exchange { user: "how are you".into(), assistant: "fine".into() }).changes
    }

    #[test]
    fn the_window_grows_to_twice_what_the_cache_keeps_and_comes_back_to_it() {
        let mut memory = memory(rules());
        let (mut tides, mut told) = (0, None);
        for turn in 1..200 {
            let changes = say(&mut memory);
            let (stays, next) = (memory.staying(), memory.next_tide().unwrap());
            assert!(stays >= LEAST || tides == 0, "turn {turn}: {stays}");
            let is_held = memory.ambient_messages() > 14;
            assert_eq!(memory.view().kept_for_cache, Some(LEAST).filter(|_| is_held));
            assert!(stays < Tokens(2 * LEAST.0 + EXCHANGE), "turn {turn}: {stays}");
            if let Some(was) = told {
                let comes = usize::from(was == 1);
                assert_eq!(changes.len(), comes, "turn {turn}: it was foretold");
            }
            for change in changes {
                tides += 1;
                assert!(change.before >= change.after + LEAST, "{change:?}");
                let cause = "tide: 25 exchanges beyond the last 24, which the cache keeps";
                assert_eq!(change.cause, cause);
            }
            told = Some(next.turns).filter(|_| turn > 3);
        }
        assert_eq!(tides, 7);
    }

    #[test]
    fn no_tide_is_foretold_before_as_many_exchanges_have_gathered_as_one_takes() {
        let mut memory = memory(Rules { ambient_tide: 10, ..rules() });
        for left in (1..=14).rev() {
            memory.begin_turn();
            let said =
                Exchange { user: "how are you".into(), assistant: "fine ".repeat(20).into() };
            let changes = memory.end_turn(&said).changes;
            assert_eq!(changes.len(), usize::from(left == 1), "{left}");
            let told = memory.next_tide().unwrap().turns;
            assert!(left == 1 || left > 10 || told == left - 1, "{left}: {told}");
        }
    }

    #[test]
    fn the_next_tide_tells_what_it_takes() {
        let mut memory = memory(rules());
        let mut next = memory.next_tide().unwrap();
        let mut changes = Vec::new();
        while changes.is_empty() {
            next = memory.next_tide().unwrap();
            changes = say(&mut memory);
        }
        assert!(changes[0].cause.starts_with(&format!("tide: {} exchanges", next.exchanges)));
        let after = memory.layers().total();
        assert_eq!(changes[0].before, after + next.tokens);
    }

    #[test]
    fn where_it_costs_more_or_there_is_no_room_the_window_stays_as_it_would() {
        let usual = Rules { cache_least: Tokens(0), ..rules() };
        let held = |rules: Rules| {
            let mut memory = memory(rules);
            (0..60).map(|_| (say(&mut memory), memory.ambient_messages()).1).collect::<Vec<_>>()
        };
        let expected = held(usual);
        for other in [
            // What is read of the larger one costs more than the smaller one in full.
            Rules { cached_percent: 25, ..rules() },
            // The smaller one is kept as well.
            Rules { cache_least: Tokens(16), ..rules() },
            // The larger one would cross the soft line.
            Rules { token_budget: Tokens(220), ..rules() },
        ] {
            assert_eq!(held(other), expected, "{other:?}");
        }
        assert_ne!(held(rules()), expected);
        let seeds = Rules { seeds: true, ..rules() };
        assert_eq!(held(seeds), held(Rules { seeds: true, ..usual }));
        let sliding = Rules { ambient_tide: 0, ..rules() };
        assert_eq!(held(sliding), held(Rules { ambient_tide: 0, ..usual }));
    }

    #[test]
    fn a_cold_cache_leaves_what_it_keeps() {
        let mut memory = memory(rules());
        for _ in 0..40 {
            say(&mut memory);
        }
        memory.begin_turn();
        let change = memory.ebb_while_cold().unwrap();
        let cause =
            "tide: 16 exchanges beyond the last 24, which the cache keeps, and the cache was cold";
        assert_eq!((&*change.cause, memory.ambient_messages()), (cause, 48));
        assert_eq!(memory.ebb_while_cold(), None, "there is nothing left to leave");
    }

    #[test]
    fn the_window_does_not_set_out_for_what_it_will_not_reach_soon() {
        let longest = |least| {
            let cache_least = Tokens(least);
            let mut memory = memory(Rules { cache_least, token_budget: Tokens(9_000), ..rules() });
            let held = (0..200).map(|_| (say(&mut memory), memory.ambient_messages() / 2).1);
            held.max().unwrap()
        };
        // In a hundred turns it has four hundred tokens.
        assert_eq!((longest(100), longest(150), longest(400)), (48, 7, 7));
    }

    #[test]
    fn messages_now_longer_and_now_shorter_do_not_change_what_was_foretold() {
        let prompt = "word ".repeat(140);
        for least in [180, 182, 184, 186, 188] {
            let rules = Rules {
                ambient_window: 10,
                ambient_tide: 12,
                cache_least: Tokens(least),
                cached_percent: 25,
                ..Rules::default()
            };
            let frame = Frame { system_prompt: prompt.as_str().into(), tools: "[]".into() };
            let mut memory = Memory::new(rules, frame, Arc::new(Words));
            let (mut told, mut wrong, mut tides) = (vec![], 0, 0);
            for turn in 0..300_u64 {
                // The last ten exchanges have now more and now less than the cache keeps behind the prompt.
                let words = 1 + (turn * turn + turn / 7) % 5;
                memory.begin_turn();
                let assistant = "ok ".repeat(words as usize).into();
                let user = "hi".into();
                let changes = memory.end_turn(&Exchange { user, assistant }).changes;
                if !changes.is_empty() {
                    tides += 1;
                    let early = |&&(of, _): &&(u64, u64)| of + 6 >= turn;
                    wrong += told
                        .iter()
                        .filter(early)
                        .filter(|(of, in_turns)| turn.abs_diff(of + in_turns) > 2)
                        .count();
                    told.clear();
                }
                told.extend(memory.next_tide().map(|next| (turn, next.turns)));
            }
            assert!(tides > 5 && wrong < 8, "{least}: {wrong} of {tides}");
        }
    }
}
