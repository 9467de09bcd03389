//! What lets somebody in for a while: the cookie of a session, `sid=8f14e45f`, and a code that is taken once, `the 2FA
//! code is 839201`.

use std::ops::{Range, RangeInclusive};

use super::{ENDS, Line, name_of};
use crate::specifics::secret::said::bare;
use crate::specifics::secret::value::{self, has_both, is_named, is_random, stands_for_one};
use crate::specifics::words::Words;

/// Names of the cookies of sessions.
static SESSIONS: Words = Words::new(
    "asp.net_sessionid connect.sid jsessionid phpsessid sess sessid session session_id session-id sessionid sid",
);

/// Codes that are taken once, by their names.
static ONCE: Words = Words::new(
    "2fa 2fa-code einmalcode einmalkennwort einmalpasswort mfa mfa-code one-time-code otp otp-code totp totp-code",
);

/// What stands in front of a code by which it is such a one.
static OF_CODE: Words = Words::new(
    "2-factor 2fa auth authentication authenticator backup factor login mfa one-time onetime otp recovery security sign-in sms time \
     totp two-factor verification",
);

/// What such a one is, behind those.
static CODES: Words = Words::new("code codes kode passcode password pin token");

/// Words between it and what it is.
static LINKS: Words = Words::new("= : es est is ist lautet now was");

/// Words behind it with which it is said what it is.
static IS: Words = Words::new("als as comme est is ist was");

/// Words behind which it is said of what it is.
static OF: Words = Words::new("for für from of on pour to vom von zum");

/// Words that say of what it is, at most.
const MOST_OF: usize = 4;

/// Digits of one, and of one that only stands beside its name: a shorter one may be a year.
const DIGITS: RangeInclusive<usize> = 4..=10;
const DIGITS_BESIDE: usize = 6;

impl Line<'_> {
    /// Adds what is given to the name of a session: `sid=8f14e45fceea167a`.
    pub(super) fn find_of_session(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        const SHORTEST: usize = 16;
        const FEWEST_LETTERS: usize = 4;
        let place = self.words[nth].clone();
        let word = &self.text[place.clone()];
        for (at, _) in word.match_indices('=') {
            if !SESSIONS.hold_lower(name_of(&word[..at])) {
                continue;
            }
            let (place, _) = value::at(self.text, place.start + at + 1..self.end, &ENDS);
            let value = &self.text[place.clone()];
            let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
            let is_secret = || {
                is_random(value) || has_both(value) && !is_named(value) && self.tells_cookie(nth)
            };
            let is_long = value.len() >= SHORTEST && letters >= FEWEST_LETTERS;
            if is_long && is_secret() && !stands_for_one(value) {
                found.push(place);
            }
        }
    }

    /// Whether a word near another one says that it is about a cookie.
    fn tells_cookie(&self, nth: usize) -> bool {
        const NEAR: usize = 6;
        let near = nth.saturating_sub(NEAR)..=nth;
        near.filter_map(|nth| self.word(nth)).any(|word| word.to_lowercase().contains("cookie"))
    }

    /// Adds a word of digits that is a code which is taken once.
    pub(super) fn find_code(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let mut place = self.bare(nth);
        let mut last = nth;
        if let Some(next) = self.goes_on_in_digits(nth) {
            (place.end, last) = (next, nth + 1);
        }
        let code = &self.text[place.clone()];
        let is_of_code = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b' ');
        let digits = code.bytes().filter(u8::is_ascii_digit).count();
        if code.bytes().all(is_of_code)
            && DIGITS.contains(&digits)
            && (self.is_code_before(nth, digits) || self.is_code_behind(last))
        {
            found.push(place);
        }
    }

    /// Where the second half of a code ends that is written as two: `839 201`.
    fn goes_on_in_digits(&self, nth: usize) -> Option<usize> {
        const HALF: usize = 3;
        let is_half =
            |word: &str| word.len() == HALF && word.bytes().all(|byte| byte.is_ascii_digit());
        let next = self.word(nth + 1).map(|_| self.bare(nth + 1))?;
        (self.word(nth).is_some_and(is_half) && is_half(&self.text[next.clone()]))
            .then_some(next.end)
    }

    /// Whether the words in front of some digits call them a code.
    fn is_code_before(&self, nth: usize, digits: usize) -> bool {
        const FURTHEST: usize = 3;
        let before = |less: usize| nth.checked_sub(less).and_then(|at| self.word(at));
        let links = |word: &str| LINKS.hold_lower(word);
        let mut at = 1;
        while at < FURTHEST && before(at).is_some_and(links) {
            at += 1;
        }
        let is_linked = at > 1 || before(at).is_some_and(|word| word.ends_with([':', '=']));
        let is_one = |at: usize| self.is_code(nth.checked_sub(at));
        let is_far = |more: &usize| {
            before(at + more - 1).is_some_and(|word| OF.hold_lower(word)) && is_one(at + more)
        };
        if is_one(at) {
            return is_linked || digits >= DIGITS_BESIDE;
        }
        is_linked && (1..=MOST_OF).any(|more| is_far(&more))
    }

    /// Whether those behind them do: `839201 is your verification code`.
    fn is_code_behind(&self, nth: usize) -> bool {
        const MOST: usize = 4;
        let is_said = self.word(nth + 1).is_some_and(|word| IS.hold_lower(word));
        is_said && (nth + 2..=nth + 1 + MOST).any(|at| self.is_code(Some(at)))
    }

    /// Whether a word is what such a code is called, with the word in front of it.
    fn is_code(&self, nth: Option<usize>) -> bool {
        let word = |nth: usize| self.word(nth).map(bare).unwrap_or_default();
        nth.is_some_and(|nth| {
            let of = || nth.checked_sub(1).map(word).unwrap_or_default();
            ONCE.hold_lower(word(nth)) || CODES.hold_lower(word(nth)) && OF_CODE.hold_lower(of())
        })
    }
}
