//! One line that is looked through for secrets, word by word.

use std::ops::Range;

use super::flag::{self, Manner};
use super::name::{Guards, guards};
use super::value::{self, is_count, is_mixed, stands_for_one};
use super::{known, said, url};
use crate::chunk::beginning;
use crate::specifics::command::is_program;
use crate::specifics::words::Words;

/// Signs that end a value which a shell reads.
const ENDS: [char; 5] = ['&', ';', '|', '<', '>'];

/// Words that begin the next command.
const NEXT: [&str; 4] = ["|", "&&", "||", ";"];

/// Names of headers that hold a secret.
static HEADERS: Words = Words::new("authorization cookie proxy-authorization set-cookie");

/// What stands in front of the secret in such a header.
static SCHEMES: Words = Words::new("apikey basic bearer digest token");

/// Words behind a flag in a sentence of it.
static TOLD: Words = Words::new(
    "a and argument as but flag flags for from if in instead into is option or parameter so that the then to was when which with",
);

/// The shortest token in bytes that no header tells.
const SHORTEST_TOKEN: usize = 12;

/// The shortest one behind a colon that nothing quotes: what is shorter may be its type, `u64`.
const SHORTEST_APART: usize = 6;

/// Words between a program and its flag, at most: no line takes longer than it is long.
const MOST_WORDS: usize = 48;

/// A line and its words.
pub(super) struct Line<'t> {
    text: &'t str,
    end: usize,
    words: Vec<Range<usize>>,
}

impl<'t> Line<'t> {
    /// The line at a place of a text.
    pub(super) fn of(text: &'t str, place: Range<usize>) -> Self {
        let line = &text[place.clone()];
        let begin = line.as_ptr() as usize;
        let at = |word: &str| place.start + (word.as_ptr() as usize - begin);
        let words = line.split_whitespace().map(|word| at(word)..at(word) + word.len());
        Self { text, end: place.start + line.trim_end().len(), words: words.collect() }
    }

    /// Adds the places of its secrets.
    pub(super) fn look(&self, found: &mut Vec<Range<usize>>) {
        for (nth, place) in self.words.iter().enumerate() {
            let word = &self.text[place.clone()];
            let signs = signs_of(word);
            let has = |sign: u8| signs & sign > 0;
            if has(COLON) && has(SLASH) && url::find(word, place.start, found) {
                continue;
            }
            if has(DIGIT) {
                known::find(word, place.start, found);
            }
            if has(COLON | EQUALS) {
                self.find_given(nth, found);
            }
            if has(UNDERSCORE) {
                self.find_behind_name(nth, found);
            }
            if word.starts_with('-') {
                self.find_behind_flag(nth, found);
            }
            if has(COLON) || said::may_be_noun(word) {
                self.find_in_header(nth, found);
                self.find_said(nth, found);
            }
        }
    }

    /// Adds what a sentence says: `the password is hunter2`.
    fn find_said(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let Some(value) = said::value_of(|more| self.word(nth + more)) else { return };
        let place = self.words[nth + value].clone();
        let said = &self.text[place.clone()];
        let bare = said::bare(said);
        let start = place.start + (bare.as_ptr() as usize - said.as_ptr() as usize);
        found.push(start..start + bare.len());
    }

    /// The program to which a word belongs, and whether that logs in somewhere.
    fn program(&self, nth: usize) -> (&'t str, bool) {
        let (mut program, mut logs_in) = ("", false);
        let from = nth.saturating_sub(MOST_WORDS);
        let before = self.words[from..nth].iter().map(|place| &self.text[place.clone()]);
        for word in before {
            if NEXT.contains(&word) {
                (program, logs_in) = ("", false);
            }
            let name = said::bare(word).rsplit('/').next().unwrap_or_default();
            // The one that asks for a password may stand behind another: `docker exec db mysql`, `sshpass -p secret ssh`.
            if flag::takes(name) || is_program(name) && matches!(program, "" | "sshpass") {
                program = name;
            }
            logs_in |= word == "login" && flag::logs_in(program);
        }
        (program, logs_in)
    }

    fn word(&self, nth: usize) -> Option<&'t str> {
        self.words.get(nth).map(|place| &self.text[place.clone()])
    }

    /// Adds what is given to a name: `PGPASSWORD=hunter2`, `"password": "hunter2"`, `X-Api-Key: abc`.
    fn find_given(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let place = self.words[nth].clone();
        let word = &self.text[place.clone()];
        for (at, sign) in word.match_indices(['=', ':']) {
            let (lead, behind) = (&word[..at], &word[at + sign.len()..]);
            // `secret::Secret`
            if lead.ends_with(sign) || behind.starts_with(sign) {
                continue;
            }
            let is_apart = lead.is_empty() && behind.is_empty() && nth > 0;
            let lead = if is_apart { self.word(nth - 1).unwrap_or_default() } else { lead };
            let name = name_of(lead);
            let Some(guards) = guards(name) else { continue };
            let next = self.words.get(nth + 1).map(|next| next.start);
            let start = if behind.is_empty() { next } else { Some(place.start + at + 1) };
            let Some(start) = start else { continue };
            let is_glued = sign == "=" && !behind.is_empty();
            let ends: &[char] = if sign == "=" { &ENDS } else { &[] };
            let (given, quoted) = value::at(self.text, start..self.end, ends);
            let value = &self.text[given.clone()];
            // `Pass: 12, fail: 3` says how many.
            let is_long = guards == Guards::Password || value.len() >= SHORTEST_APART;
            let is_mixed =
                is_long && is_mixed(value) && !value::is_named(value) && !value::is_type(value);
            // Code says `credentials: "include"`, and data `"secret": "abc"`.
            let is_code = quoted && sign == ":" && !lead.ends_with(['"', '\'']);
            let is_word = is_code && guards != Guards::Password && value::is_word(value);
            let is_set = is_glued || quoted && !is_word || is_mixed && name.len() > "pass".len();
            if is_set && value != name && !stands_for_one(value) && is_one(guards, value) {
                found.push(given);
            }
        }
    }

    /// Adds what stands behind the name of a setting: `aws_secret_access_key wJalrXUtnFEMI/K7MDENG`.
    fn find_behind_name(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let word = self.word(nth).unwrap_or_default();
        let is_setting = word.contains('_') && name_of(word) == word;
        if is_setting
            && guards(word).is_some()
            && let Some(next) = self.words.get(nth + 1)
        {
            let (place, _) = value::at(self.text, next.start..self.end, &ENDS);
            let value = &self.text[place.clone()];
            let is_long = value.len() > SHORTEST_TOKEN && value::has_both(value);
            if is_long && !value::is_named(value) && !stands_for_one(value) {
                found.push(place);
            }
        }
    }

    /// Adds what stands behind a flag: `--token abc`, `mysql -pabc`.
    fn find_behind_flag(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let place = self.words[nth].clone();
        let word = &self.text[place.clone()];
        let guards = word.strip_prefix("--").and_then(guards);
        if guards.is_none() && !flag::may_be_one(word) {
            return;
        }
        let (program, logs_in) = self.program(nth);
        let next = self.words.get(nth + 1).map(|next| next.start);
        if let Some(guards) = guards
            && let Some(next) = next
        {
            let (place, quoted) = value::at(self.text, next..self.end, &ENDS);
            let value = &self.text[place.clone()];
            let is_set =
                quoted || is_mixed(value) || !program.is_empty() && !TOLD.hold_lower(value);
            if is_set && !value.starts_with('-') && !stands_for_one(value) && is_one(guards, value)
            {
                found.push(place);
            }
            return;
        }
        let Some(taker) = flag::taker(program, logs_in, word) else { return };
        let glued = word.len() > taker.flag.len();
        let start = match (glued, next) {
            (true, _) => place.start + taker.flag.len(),
            (false, Some(next)) if taker.manner != Manner::Glued => next,
            _ => return,
        };
        let start = start + usize::from(self.text[start..].starts_with('='));
        let (mut place, _) = value::at(self.text, start..self.end, &ENDS);
        if taker.manner == Manner::BehindUser {
            let Some(colon) = self.text[place.clone()].find(':') else { return };
            place.start += colon + 1;
        }
        let value = &self.text[place.clone()];
        if !value.starts_with('-') && !stands_for_one(value) {
            found.push(place);
        }
    }

    /// Adds what a header holds: `Authorization: Bearer abc`, and a token that says so itself.
    fn find_in_header(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let word = &self.text[self.words[nth].clone()];
        let name = name_of(word.trim_end_matches(':'));
        let is_header = word.ends_with(':') && HEADERS.hold_lower(name);
        let is_bearer = !is_header && name.eq_ignore_ascii_case("bearer");
        if !is_header && !is_bearer {
            return;
        }
        let has_scheme = self.word(nth + 1).is_some_and(|next| SCHEMES.hold_lower(next));
        let behind = nth + 1 + usize::from(is_header && has_scheme);
        let Some(next) = self.words.get(behind) else { return };
        let (mut place, _) = value::at(self.text, next.start..self.end, &[]);
        if is_header && name.to_ascii_lowercase().ends_with("cookie") {
            let rest = &self.text[place.start..self.end];
            let rest = beginning(rest, value::LONGEST);
            place.end = place.start + rest.find(['"', '\'']).unwrap_or(rest.len());
        }
        let value = &self.text[place.clone()];
        let is_long = value.len() >= SHORTEST_TOKEN && value::has_both(value);
        let is_set = is_long || is_header && (has_scheme || value.contains('='));
        if is_set && !stands_for_one(value) {
            found.push(place);
        }
    }
}

/// The signs by which it is told what a word may hold.
const COLON: u8 = 1;
const EQUALS: u8 = 2;
const SLASH: u8 = 4;
const UNDERSCORE: u8 = 8;
const DIGIT: u8 = 16;

/// Which of those a word has.
fn signs_of(word: &str) -> u8 {
    let sign = |byte: u8| match byte {
        b':' => COLON,
        b'=' => EQUALS,
        b'/' => SLASH,
        b'_' => UNDERSCORE,
        b'0'..=b'9' => DIGIT,
        _ => 0,
    };
    word.bytes().fold(0, |signs, byte| signs | sign(byte))
}

/// Whether a value is one that is guarded: a number may be how many there are.
fn is_one(guards: Guards, value: &str) -> bool {
    guards == Guards::Password && value.len() > 2 || !is_count(value)
}

/// The name that ends a part of a word: `password` of `{"password"`.
fn name_of(lead: &str) -> &str {
    let bare = lead.trim_end_matches(['"', '\'', '`', '*', '\\']);
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    bare.rsplit(|c| !is_of_name(c)).next().unwrap_or_default()
}
