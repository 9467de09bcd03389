//! A compiled pattern that goes through a text forwards alone.
//!
//! The library finds where a match ends and then goes back to where it begins, for which it compiles the pattern
//! backwards, too. Where most texts are a few words, it is quicker to try each place where a match may begin: one that
//! begins there is known from its end, and the states that the automaton gets into are far fewer.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use regex_automata::hybrid::BuildError;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::start;
use regex_automata::{Anchored, Input};

/// An automaton, and what it has learnt of texts, which takes longer than to search many of them.
pub(super) struct Forward {
    dfa: DFA,
    learnt: Mutex<Learnt>,
}

/// What the automaton of a pattern knows so far.
struct Learnt {
    cache: Cache,
    opens: Opens,
}

/// Whether a match may begin with a byte, for each of [`BEFORE`].
type Opens = [[Open; 256]; BEFORE.len()];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Unknown,
    Yes,
    No,
}

/// What may stand before a match: nothing, a word, or anything else.
const BEFORE: [Option<u8>; 3] = [None, Some(b'a'), Some(b' ')];

/// Which of them each byte is.
static KINDS: [u8; 256] = {
    let (mut kinds, mut byte) = ([2; 256], 0_u8);
    while byte < 0x80 {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            kinds[byte as usize] = 1;
        }
        byte += 1;
    }
    kinds
};

/// Which of them stands before a place.
fn before(text: &[u8], at: usize) -> usize {
    at.checked_sub(1).map_or(0, |at| KINDS[usize::from(text[at])].into())
}

/// The next place from one on where a match may begin.
fn next_open(opens: &Opens, text: &[u8], place: Range<usize>) -> Option<usize> {
    let mut left = before(text, place.start);
    let at = text[place.clone()].iter().position(|&byte| {
        let open = opens[left][usize::from(byte)];
        left = KINDS[usize::from(byte)].into();
        open != Open::No
    });
    Some(place.start + at?)
}

impl Forward {
    /// Of the source of a regular expression in which no border of a word is that of other letters than those of ASCII, and
    /// which begins nowhere because a line does.
    pub(super) fn of(source: &str) -> Result<Self, Box<BuildError>> {
        let dfa = DFA::builder()
            .thompson(thompson::Config::new().which_captures(WhichCaptures::None))
            .build(source)?;
        let learnt =
            Learnt { cache: dfa.create_cache(), opens: [[Open::Unknown; 256]; BEFORE.len()] };
        Ok(Self { learnt: Mutex::new(learnt), dfa })
    }

    /// Its searches of a text; other threads wait for their end.
    pub(super) fn search(&self) -> Search<'_> {
        let learnt = self.learnt.lock().unwrap_or_else(|poisoned| {
            let mut learnt = PoisonError::into_inner(poisoned);
            // What a search left that came to grief is unknown.
            self.dfa.reset_cache(&mut learnt.cache);
            self.learnt.clear_poison();
            learnt
        });
        Search { dfa: &self.dfa, learnt }
    }
}

#[cfg(test)]
impl Forward {
    /// The most bytes that it has learnt once it looked for all matches in some texts.
    pub(super) fn learns_of(&self, texts: &[&str]) -> usize {
        let mut search = self.search();
        let mut most = 0;
        for text in texts {
            let mut at = 0;
            while let Some(end) = search.certain_in(text, at..text.len()) {
                at = end;
            }
            most = most.max(search.learnt.cache.memory_usage());
        }
        most
    }
}

/// Some searches, one after the other.
pub(super) struct Search<'a> {
    dfa: &'a DFA,
    learnt: MutexGuard<'a, Learnt>,
}

impl Search<'_> {
    /// Where within a place it is certain that there is a match.
    pub(super) fn certain_in(&mut self, text: &str, place: Range<usize>) -> Option<usize> {
        self.end_of(&Input::new(&text[..place.end]).span(place).earliest(true))
    }

    /// The first match within a place.
    pub(super) fn find_in(&mut self, text: &str, place: Range<usize>) -> Option<Range<usize>> {
        self.first_in(text, place, false)
    }

    /// Whether there is a match within a place, as [`Search::find_in`] tells it.
    pub(super) fn is_in(&mut self, text: &str, place: Range<usize>) -> bool {
        self.first_in(text, place, true).is_some()
    }

    /// Whether a text begins with a match.
    pub(super) fn begins(&mut self, text: &str) -> bool {
        self.end_of(&Input::new(text).anchored(Anchored::Yes).earliest(true)).is_some()
    }

    /// Where the first match begins within a place, and where it ends, or is certain at the earliest.
    fn first_in(
        &mut self,
        text: &str,
        place: Range<usize>,
        earliest: bool,
    ) -> Option<Range<usize>> {
        let input = Input::new(&text[..place.end]).anchored(Anchored::Yes).earliest(earliest);
        let (bytes, mut from) = (text.as_bytes(), place.start);
        while let Some(start) = next_open(&self.learnt.opens, bytes, from..place.end) {
            if self.may_open(bytes, start)
                && let Some(end) = self.end_of(&input.clone().span(start..place.end))
            {
                return Some(start..end);
            }
            from = start + 1;
        }
        None
    }

    /// The end of what is searched for. No search fails: nothing makes these automata give up.
    fn end_of(&mut self, input: &Input<'_>) -> Option<usize> {
        let found = self.dfa.try_search_fwd(&mut self.learnt.cache, input);
        Some(found.ok()??.offset())
    }

    /// Whether a match may begin at a place that is not known to be none. If that cannot be told it may.
    fn may_open(&mut self, text: &[u8], at: usize) -> bool {
        let (before, byte) = (before(text, at), text[at]);
        if self.learnt.opens[before][usize::from(byte)] != Open::Unknown {
            return true;
        }
        let begin = start::Config::new().look_behind(BEFORE[before]).anchored(Anchored::Yes);
        let cache = &mut self.learnt.cache;
        let next = match self.dfa.start_state(cache, &begin) {
            Ok(start) => self.dfa.next_state(cache, start, byte).ok(),
            Err(_) => None,
        };
        let opens = next.is_none_or(|state| !state.is_dead());
        self.learnt.opens[before][usize::from(byte)] = if opens { Open::Yes } else { Open::No };
        opens
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use regex_automata::meta::Regex;

    use super::*;

    const SOURCES: [&str; 6] = [
        r"(?-u:\b)a+b|(?-u:\b)ab+c",
        r"ab|a|[^ab ]b",
        r"^a.|b(?-u:\b)",
        r"--a[ab]*|\$b",
        r"(?i)(?-u:\b)(?:a b|b) a(?-u:\b)",
        "“[^”]+”|é",
    ];

    /// Each as the library has it beside its own form, which learns from text to text.
    static BOTH: LazyLock<Vec<(Regex, Forward)>> = LazyLock::new(|| {
        let both = |source| (Regex::new(source).unwrap(), Forward::of(source).unwrap());
        SOURCES.into_iter().map(both).collect()
    });

    proptest! {
        #[test]
        fn what_is_found_is_what_the_library_finds(text in "[abc “”é$-]{0,24}", from in 0usize..24) {
            let from = from.min(text.len());
            prop_assume!(text.is_char_boundary(from));
            for (regex, forward) in BOTH.iter() {
                let mut search = forward.search();
                let mut at = from;
                while let Some(found) = regex.find(Input::new(&text).span(at..text.len())) {
                    prop_assert_eq!(search.find_in(&text, at..text.len()), Some(found.range()));
                    prop_assert!(search.is_in(&text, at..text.len()));
                    let certain = search.certain_in(&text, at..text.len());
                    prop_assert!(certain.is_some_and(|end| end > at && end <= found.end()));
                    at = found.end();
                }
                prop_assert_eq!(search.find_in(&text, at..text.len()), None);
                prop_assert!(!search.is_in(&text, at..text.len()));
                prop_assert_eq!(search.certain_in(&text, at..text.len()), None);
            }
        }
    }
}
