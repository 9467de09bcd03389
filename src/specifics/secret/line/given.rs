//! Secrets that are given to a name: `PGPASSWORD=hunter2`, `"password": "hunter2"`.

use std::ops::Range;

use super::{ENDS, Line, SHORTEST_TOKEN, is_one, name_of};
use crate::specifics::secret::name::{Guards, guards};
use crate::specifics::secret::value::{self, is_mixed, stands_for_one};
use crate::specifics::secret::{plain, reference};
use crate::specifics::words::Words;

/// The shortest one behind a colon that nothing quotes: what is shorter may be its type, `u64`.
const SHORTEST_APART: usize = 6;

/// The length of a password behind a name that may be that of a result.
const LONG: usize = 8;

/// Words behind a value with which it is said where it stands.
static WHERE: Words = Words::new("dans im in on");

/// What stands in front of a token and is none.
static SCHEMES: Words = Words::new("access basic bearer digest refresh token");

/// What is given to a name.
struct Given<'t> {
    name: &'t str,
    guards: Guards,
    value: &'t str,
    /// The sign between both.
    sign: &'t str,
    /// Whether no space is between both.
    is_glued: bool,
    /// Whether the value stands in quotation marks, and the name does.
    quoted: bool,
    is_key: bool,
}

impl Given<'_> {
    /// Whether it is a secret by its form.
    fn is_secret(&self) -> bool {
        self.is_set() && self.may_be_one() && is_one(self.guards, self.value)
    }

    /// Whether it is one if it is all that is said: `password: geheim`.
    fn may_be_plain(&self) -> bool {
        self.guards == Guards::Password
            && !self.is_short()
            && plain::is_password(self.value, false)
            && self.may_be_one()
    }

    fn may_be_one(&self) -> bool {
        self.value != self.name
            && !stands_for_one(self.value)
            && (self.quoted || !value::is_of_code(self.value))
            && !reference::is_reference(self.name, self.value, self.quoted)
    }

    /// `Pass: 12, fail: 3` says how many.
    fn is_short(&self) -> bool {
        self.name.len() <= "pass".len()
    }

    fn is_set(&self) -> bool {
        let Self { name, guards, value, .. } = *self;
        let is_password = guards == Guards::Password;
        let is_long = is_password || value.len() >= SHORTEST_APART;
        let is_mixed = is_long
            && is_mixed(value)
            && !value::is_named(value)
            && !value::is_type(value)
            && (is_password || !reference::is_called_like(name, value));
        // The results of tests are in capitals: `PASS: TestLogin2`.
        let is_strong = || value::has_both(value) && value.len() >= LONG && name.starts_with('p');
        // Code says `credentials: "include"`, and data `"secret": "abc"`.
        let is_code = self.quoted && self.sign == ":" && !self.is_key;
        let is_word =
            !is_password && (is_code && value::is_word(value) || SCHEMES.hold_lower(value));
        (self.is_glued || self.quoted) && !is_word || is_mixed && (!self.is_short() || is_strong())
    }
}

impl Line<'_> {
    /// Adds what is given to a name: `PGPASSWORD=hunter2`, `"password": "hunter2"`, `X-Api-Key: abc`.
    pub(super) fn find_given(&self, nth: usize, found: &mut Vec<Range<usize>>) {
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
            let of_role = || self.is_id_of_role(name).then_some(Guards::Password);
            let Some(guards) = guards(name).or_else(of_role) else { continue };
            let next = self.words.get(nth + 1).map(|next| next.start);
            let start = if behind.is_empty() { next } else { Some(place.start + at + 1) };
            let Some(start) = start else { continue };
            let is_glued = sign == "=" && !behind.is_empty();
            let ends: &[char] = if sign == "=" { &ENDS } else { &[] };
            let (place, quoted) = value::at(self.text, start..self.end, ends);
            let is_key = lead.ends_with(['"', '\'']);
            let value = &self.text[place.clone()];
            let given = Given { name, guards, value, sign, is_glued, quoted, is_key };
            let is_it =
                given.is_secret() || given.may_be_plain() && self.ends_line_at(place.end, sign);
            if is_it && !reference::is_flag(self.flag_of(nth)) {
                found.push(place);
            }
        }
    }

    /// Whether a name is that of the secret with which a role logs in to Vault: elsewhere it is the name of a secret.
    fn is_id_of_role(&self, name: &str) -> bool {
        let is_of_role = |place: &Range<usize>| {
            let word = &self.text[place.clone()];
            word.contains("approle") || word.contains("role_id")
        };
        name.eq_ignore_ascii_case("secret_id") && self.words.iter().any(is_of_role)
    }

    /// The flag to which a word belongs.
    fn flag_of(&self, nth: usize) -> &str {
        let word = self.word(nth).unwrap_or_default();
        let before = || nth.checked_sub(1).and_then(|before| self.word(before));
        if word.starts_with('-') { word } else { before().unwrap_or_default() }
    }

    /// Whether nothing goes on behind a value that says something of it, but for where it is.
    fn ends_line_at(&self, end: usize, sign: &str) -> bool {
        let rest = &self.text[end..self.end];
        let next = rest.split_whitespace().next().unwrap_or_default();
        plain::ends_in_front(rest) || sign == "=" && WHERE.hold_lower(next)
    }

    /// Adds what stands behind the name of a setting: `aws_secret_access_key wJalrXUtnFEMI/K7MDENG`.
    pub(super) fn find_behind_name(&self, nth: usize, found: &mut Vec<Range<usize>>) {
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
}
