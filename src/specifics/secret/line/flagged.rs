//! Secrets behind flags: `--token abc`, `mysql -pabc`.

use std::ops::Range;

use super::{ENDS, Line, MOST_WORDS, NEXT, is_one};
use crate::specifics::command::is_program;
use crate::specifics::secret::flag::{self, Does, Manner};
use crate::specifics::secret::name::{Guards, guards};
use crate::specifics::secret::reference::is_reference;
use crate::specifics::secret::said;
use crate::specifics::secret::value::{self, is_mixed, stands_for_one};
use crate::specifics::words::Words;

/// Words behind a flag in a sentence of it.
static TOLD: Words = Words::new(
    "a and argument as but flag flags for from if in instead into is option or parameter so that the then to was when which with",
);

impl<'t> Line<'t> {
    /// Adds what stands behind a flag: `--token abc`, `mysql -pabc`.
    pub(super) fn find_behind_flag(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let word = self.word(nth).unwrap_or_default();
        let guarded = word.strip_prefix("--").and_then(guards);
        if let Some(guarded) = guarded
            && self.words.len() > nth + 1
        {
            self.find_behind_name_of_flag(nth, guarded, found);
        } else if guarded.is_some() || flag::may_be_one(word) {
            self.find_behind_flag_of_program(nth, found);
        }
    }

    /// Adds what stands behind a flag that says what that is.
    fn find_behind_name_of_flag(&self, nth: usize, guards: Guards, found: &mut Vec<Range<usize>>) {
        let name = self.word(nth).unwrap_or_default();
        let (place, quoted) = value::at(self.text, self.words[nth + 1].start..self.end, &ENDS);
        let value = &self.text[place.clone()];
        let is_set = || {
            quoted || is_mixed(value) || !self.program(nth).0.is_empty() && !TOLD.hold_lower(value)
        };
        let is_none = value.starts_with('-')
            || stands_for_one(value)
            || !is_one(guards, value)
            || is_reference(name, value, quoted);
        if !is_none && is_set() {
            found.push(place);
        }
    }

    /// Adds what stands behind a flag that says so only as that of a program.
    fn find_behind_flag_of_program(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let place = self.words[nth].clone();
        let word = &self.text[place.clone()];
        let next = self.words.get(nth + 1).map(|next| next.start);
        let (program, does) = self.program(nth);
        let Some((length, manner)) = flag::taken(program, does, word) else { return };
        let glued = word.len() > length;
        let start = match (glued, next) {
            (true, _) if manner == Manner::Apart => return,
            (true, _) => place.start + length,
            (false, Some(next)) if manner != Manner::Glued => next,
            _ => return,
        };
        let start = start + usize::from(self.text[start..].starts_with('='));
        let (mut place, _) = value::at(self.text, start..self.end, &ENDS);
        if let Manner::Behind(sign) = manner {
            let given = &self.text[place.clone()];
            let Some(at) = given.find(sign).filter(|_| !stands_for_one(given)) else { return };
            place.start += at + sign.len_utf8();
        }
        let value = &self.text[place.clone()];
        if !value.starts_with('-') && !stands_for_one(value) {
            found.push(place);
        }
    }

    /// The program to which a word belongs, and what that does.
    fn program(&self, nth: usize) -> (&'t str, Does) {
        let (mut program, mut does, mut last) = ("", Does::Other, "");
        let from = nth.saturating_sub(MOST_WORDS);
        let before = self.words[from..nth].iter().map(|place| &self.text[place.clone()]);
        for word in before {
            if NEXT.contains(&word) {
                (program, does) = ("", Does::Other);
            }
            let name = said::bare(word).rsplit('/').next().unwrap_or_default();
            // The one that asks for a password may stand behind another: `docker exec db mysql`, `sshpass -p secret ssh`.
            if flag::takes(name) || is_program(name) && matches!(program, "" | "sshpass") {
                program = name;
            }
            if does == Does::Other {
                does = flag::done_by(program, [last, word]);
            }
            last = word;
        }
        (program, does)
    }
}
