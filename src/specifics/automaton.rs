//! A compiled regular expression that all threads use together.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use regex_automata::meta::{BuildError, Builder, Cache, Regex};
use regex_automata::util::captures::Captures;
use regex_automata::{Anchored, Input};

/// A compiled form of a pattern. What it learns of texts, which takes longer than to search many of them, is shared by all
/// threads: the library keeps it for each thread apart.
pub(super) struct Automaton {
    regex: Regex,
    learnt: Mutex<Cache>,
}

impl Automaton {
    /// Of the source of a regular expression, unless it is none.
    pub(super) fn of(source: &str) -> Result<Self, Box<BuildError>> {
        // To look for what all matches have in them takes a third of the time to compile, and few of these have anything.
        let regex =
            Builder::new().configure(Regex::config().auto_prefilter(false)).build(source)?;
        Ok(Self { learnt: Mutex::new(regex.create_cache()), regex })
    }

    /// What it has learnt; none while another thread uses that.
    fn learnt(&self) -> Option<MutexGuard<'_, Cache>> {
        match self.learnt.try_lock() {
            Ok(learnt) => Some(learnt),
            Err(TryLockError::Poisoned(poisoned)) => {
                let mut learnt = PoisonError::into_inner(poisoned);
                // What a search left that came to grief is unknown.
                learnt.reset(&self.regex);
                self.learnt.clear_poison();
                Some(learnt)
            }
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The first match from a place on.
    pub(super) fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Match<'t>> {
        self.find_by(text, &Input::new(text).span(at..text.len()))
    }

    /// What a search finds.
    pub(super) fn find_by<'t>(&self, text: &'t str, input: &Input<'_>) -> Option<Match<'t>> {
        let found = match self.learnt() {
            Some(mut learnt) => self.regex.search_with(&mut learnt, input),
            None => self.regex.search(input),
        };
        Some(Match::new(text, &found?.range()))
    }

    /// The first match from a place on, with its groups.
    pub(super) fn groups_at<'t>(&self, text: &'t str, at: usize) -> Option<Groups<'t>> {
        self.groups_by(text, &Input::new(text).span(at..text.len()))
    }

    /// The groups of a match of which the place is known.
    pub(super) fn groups_in<'t>(&self, text: &'t str, place: Range<usize>) -> Option<Groups<'t>> {
        if self.regex.captures_len() == 1 {
            return Some(Groups { text, whole: place, found: None });
        }
        self.groups_by(text, &Input::new(text).span(place).anchored(Anchored::Yes))
    }

    /// What a search with groups finds.
    pub(super) fn groups_by<'t>(&self, text: &'t str, input: &Input<'_>) -> Option<Groups<'t>> {
        let mut found = self.regex.create_captures();
        match self.learnt() {
            Some(mut learnt) => self.regex.search_captures_with(&mut learnt, input, &mut found),
            None => self.regex.search_captures(input, &mut found),
        }
        let whole = found.get_match()?.range();
        Some(Groups { text, whole, found: Some(found) })
    }

    /// Where from a place on it is certain that there is a match.
    pub(super) fn certain_at(&self, text: &str, at: usize) -> Option<usize> {
        let input = Input::new(text).span(at..text.len()).earliest(true);
        let found = match self.learnt() {
            Some(mut learnt) => self.regex.search_half_with(&mut learnt, &input),
            None => self.regex.search_half(&input),
        };
        Some(found?.offset())
    }

    /// Whether there is a match.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.certain_at(text, 0).is_some()
    }
}

/// A place in a text where a pattern, or a group of it, matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Match<'t> {
    pub(super) fn new(text: &'t str, place: &Range<usize>) -> Self {
        Self { text, start: place.start, end: place.end }
    }

    /// From its first byte on.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// To the byte behind its last.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Both.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What stands there.
    pub(super) fn as_str(&self) -> &'t str {
        &self.text[self.range()]
    }
}

/// A match with its groups.
#[derive(Debug)]
pub(super) struct Groups<'t> {
    text: &'t str,
    whole: Range<usize>,
    /// None if all that matched is the only one.
    found: Option<Captures>,
}

impl<'t> Groups<'t> {
    /// All that matched.
    pub(super) fn whole(&self) -> Match<'t> {
        Match::new(self.text, &self.whole)
    }

    /// A group by its number; 0 is all that matched.
    pub(super) fn get(&self, nth: usize) -> Option<Match<'t>> {
        if nth == 0 {
            return Some(self.whole());
        }
        Some(Match::new(self.text, &self.found.as_ref()?.get_group(nth)?.range()))
    }

    /// A group by its name.
    pub(super) fn name(&self, name: &str) -> Option<Match<'t>> {
        Some(Match::new(self.text, &self.found.as_ref()?.get_group_by_name(name)?.range()))
    }

    /// How many groups there are, all that matched among them.
    pub(super) fn len(&self) -> usize {
        self.found.as_ref().map_or(1, Captures::group_len)
    }
}
