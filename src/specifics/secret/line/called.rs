//! Secrets that are called one in their clause and are as good as random, slashes and other signs included: `the secret
//! access key for the bucket is kD8s/Vn3mXw7+Rt==`.

use std::ops::Range;

use super::Line;
use crate::specifics::secret::name::parts_of;
use crate::specifics::secret::random::is_random_key;
use crate::specifics::secret::said::bare;
use crate::specifics::words::Words;

/// What is called so is one.
static NOUNS: Words = Words::new(
    "apikey clave clé credential creds geheimnis kennwort key passcode passphrase passwd password passwort pat psk pwd schlüssel \
     secret token",
);

/// Words in front of it by which it is one that anybody may know.
static KNOWN: Words = Words::new(
    "cache composite foreign idempotency index lookup map object partition primary public row sort unique",
);

/// Words behind it that go on to say what it is: another noun would be what it is the secret of, as in `the token address`.
static GOES_ON: Words = Words::new(
    "= : also and are as at be below changed currently de del es est et for from für has he here here's i in is ist it lautet now \
     of on or our por pour rotated set she that the these they this to today un und used von was we were which will with you",
);

/// Words behind a value with which it is said what that is.
static IS: Words = Words::new("als as comme est is ist war was");

/// Words of a clause that are looked at.
const MOST: usize = 14;

impl<'t> Line<'t> {
    /// Adds those in a word.
    pub(super) fn find_called(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        for place in values(self.text, self.words[nth].clone()) {
            let is_called = || {
                is_called(&self.clause_before(nth, place.start))
                    || is_called(&self.clause_behind(nth, place.end))
            };
            if is_random_key(&self.text[place.clone()]) && is_called() {
                found.push(place);
            }
        }
    }

    /// The words of a clause in front of a place in a word, the nearest one first.
    fn clause_before(&self, nth: usize, at: usize) -> Vec<&'t str> {
        let own = &self.text[self.words[nth].start..at];
        let own = Some(own).filter(|own| own.contains(char::is_alphanumeric));
        let others = (0..nth).rev().filter_map(|nth| self.word(nth));
        let mut words: Vec<&str> = own.into_iter().collect();
        words.extend(others.take_while(|word| !ends_clause(word)).take(MOST));
        if !words.iter().any(|word| word.contains(char::is_alphanumeric)) {
            words = self.lead_above(nth);
        }
        words
    }

    /// Those of the line above that leads what stands alone in its own.
    fn lead_above(&self, nth: usize) -> Vec<&'t str> {
        const FENCE: &str = "```";
        if nth > 1 {
            return Vec::new();
        }
        let before = self.text[..self.words[0].start].lines().rev();
        let mut above = before.map(str::trim).filter(|line| !line.is_empty());
        let lead = above.find(|line| !line.starts_with(FENCE)).filter(|line| line.ends_with(':'));
        let words = lead.unwrap_or_default().split_whitespace().rev();
        words.take_while(|word| !ends_clause(word)).take(MOST).collect()
    }

    /// The words of a clause behind a place in a word that say what that is, in their order turned round.
    fn clause_behind(&self, nth: usize, at: usize) -> Vec<&'t str> {
        let next = self.word(nth + 1).unwrap_or_default();
        let is_said = IS.hold_lower(next) || next.starts_with('(');
        if !is_said || self.text[at..self.words[nth].end].contains([',', ';', '.', '!']) {
            return Vec::new();
        }
        let mut words = Vec::new();
        for word in (nth + 1..self.words.len()).filter_map(|nth| self.word(nth)).take(MOST) {
            words.push(word);
            if ends_clause(word) || word.ends_with(')') {
                break;
            }
        }
        words.reverse();
        words
    }
}

/// The places in a word that may hold a value: `abc` of `{"key":"abc"}` and of `key=abc,`.
fn values(text: &str, word: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_of_value = |c: char| c.is_ascii_alphanumeric() || "/+_-.~=".contains(c);
    let mut at = word.start;
    text[word].split_inclusive(move |c| !is_of_value(c)).map(move |piece| {
        let run = piece.trim_end_matches(|c| !is_of_value(c)).trim_end_matches('.');
        let name = run.trim_end_matches('=').rfind('=').map_or(0, |sign| sign + 1);
        let place = at + name..at + run.len();
        at += piece.len();
        place
    })
}

/// Whether some words of one clause, those that are nearest to a value first, call that a secret.
fn is_called(words: &[&str]) -> bool {
    let is_one = |(nth, word): (usize, &&str)| {
        let goes_on = || {
            nth.checked_sub(1).is_none_or(|next| {
                GOES_ON.hold_lower(bare(words[next])) || GOES_ON.holds(words[next])
            })
        };
        is_noun(word, words.get(nth + 1)) && (word.ends_with([':', '=', ')', ',']) || goes_on())
    };
    words.iter().enumerate().any(is_one)
}

/// Whether a word, or the last part of a name, is what a secret is called.
fn is_noun(word: &str, before: Option<&&str>) -> bool {
    let is = |word: &str| NOUNS.hold_lower(word) || NOUNS.hold_lower(word.trim_end_matches('s'));
    let name = word.trim_matches(|c: char| !c.is_alphanumeric());
    if is(name) {
        return !before.is_some_and(|before| KNOWN.hold_lower(bare(before)));
    }
    let parts = parts_of(name);
    matches!(&parts[..], [.., of, last] if is(last) && !KNOWN.holds(of))
}

/// Whether a clause ends with a word; in a list of secrets none does.
fn ends_clause(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', '`', '*', '”', ')']);
    let listed = || word.strip_suffix(',').is_some_and(is_random_key);
    word.ends_with(['.', ';', '!', '?', ',']) && !listed()
}
