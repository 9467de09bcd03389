//! Whether a summary holds a name of a person, a product, a place or a firm.

use super::super::form::{FIRMS, initials};
use super::super::log::Log;
use super::super::name::{holds_firm, holds_owner, holds_surname, plain};
use super::super::text::{holds_word, is_letter, words};
use super::{Held, LONG_WORD};
use crate::specifics::Specific;
use crate::specifics::words::Words;

/// A street as others write it.
fn same_street(said: &str) -> Vec<String> {
    const WRITTEN: [&str; 3] = ["straße", "strasse", "str."];
    let known = WRITTEN.iter().find(|known| said.contains(**known));
    let others = |known: &&str| WRITTEN.iter().map(|other| said.replace(*known, other)).collect();
    known.map(others).unwrap_or_default()
}

/// From where to where, in small letters: `Nantes-Palermo`. Of short parts a name may be made.
fn from_to(said: &str) -> Option<[String; 2]> {
    const LONG: usize = 5;
    let (from, to) = said.split_once('-')?;
    let is_place = |part: &str| {
        part.len() >= LONG
            && part.starts_with(char::is_uppercase)
            && part.chars().all(char::is_alphabetic)
    };
    (is_place(from) && is_place(to)).then(|| [from.to_lowercase(), to.to_lowercase()])
}

/// Words in front of a name, in small letters.
static TITLES: Words = Words::new(
    "dr dr. frau herr herrn madame miss monsieur mr mr. mrs mrs. ms ms. prof prof. señor señora",
);

/// The capitals with which a German noun begins, which tell of what sort a thing is: `XPS` of `XPS-Dämmung`.
fn capitals(name: &str) -> Option<&str> {
    let (capitals, noun) = name.split_once('-')?;
    let is_noun = noun.starts_with(char::is_uppercase)
        && noun.len() > LONG_WORD
        && noun.chars().skip(1).all(char::is_lowercase);
    (is_noun && capitals.len() >= LONG_WORD && capitals.chars().all(char::is_uppercase))
        .then_some(capitals)
}

impl Held {
    /// A name: of a person, a product, a place or a firm.
    pub(super) fn tells_name(&self, one: &Specific, said: &str, key: &str, log: &Log<'_>) -> bool {
        self.says(said)
            || self.holds_name(key, one, log)
            || self.says_other_name(key)
            || self.says_with_version(key, log)
            || initials(&one.text).is_some_and(|letters| self.says_in_full(&letters))
            || same_street(said).iter().any(|street| self.says(street))
            || from_to(&one.text).is_some_and(|both| both.iter().all(|place| self.says(place)))
            || plain(said).is_some_and(|ways| {
                ways.into_iter().any(|text| self.holds(&Specific { text, ..one.clone() }, log))
            })
    }

    /// Whether it names a product with its version joined to it: `Python3.12`, `TLSv1.3`. A figure alone is one of what the
    /// log says with it: `iOS18`.
    fn says_with_version(&self, name: &str, log: &Log<'_>) -> bool {
        let is_it = |at: usize| {
            let rest = &self.text[at + name.len()..];
            let version = rest.strip_prefix('v').unwrap_or(rest);
            let end = version.find(|c: char| !c.is_ascii_digit() && c != '.');
            let (figure, behind) = version.split_at(end.unwrap_or(version.len()));
            !self.text[..at].ends_with(is_letter)
                && figure.starts_with(|c: char| c.is_ascii_digit())
                && (version.len() < rest.len()
                    || figure.trim_end_matches('.').contains('.')
                    || log.has_version(name, figure.trim_end_matches('.')))
                && !behind.starts_with(|c: char| is_letter(c) || c == '-')
        };
        name.len() > 2
            && name.chars().all(char::is_alphabetic)
            && self.text.match_indices(name).any(|(at, _)| is_it(at))
    }

    /// Whether it holds both of what a firm, or two people, are called by, with another word between them or apart.
    fn says_both(&self, key: &str) -> bool {
        let written = [" and ", " und ", " et ", "/", " + "];
        written.iter().any(|and| self.says(&key.replace(" & ", and)))
            || key.split(" & ").all(|name| self.says(name))
    }

    /// Whether long words that begin with some letters follow each other, the last of them a plural.
    fn says_in_full(&self, letters: &str) -> bool {
        let words: Vec<&str> = words(&self.text).collect();
        words.windows(letters.len()).any(|full| {
            let begins =
                |(word, letter): (&&str, char)| word.starts_with(letter) && word.len() > LONG_WORD;
            full.iter().zip(letters.chars()).all(begins)
                && full.last().is_some_and(|last| last.ends_with('s'))
        })
    }

    /// A person by the last name alone, if nobody else of the log has it; what has more words without the first one, which
    /// may be that of the sentence.
    fn holds_name(&self, key: &str, one: &Specific, log: &Log<'_>) -> bool {
        let last = key.rsplit_once(' ').map(|(_, last)| last);
        let rest = key.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains(' '));
        // What says of what sort a company is: `Brightwell Ltd`.
        let firm = last.filter(|last| FIRMS.contains(last)).and(key.rsplit_once(' '));
        last.is_some_and(|last| {
            !key.contains(" & ")
                && log.is_sole(last)
                && holds_surname(&self.said, last)
                && !log.names_before(last, one)
        }) || firm.is_some_and(|(firm, _)| self.says(firm) || holds_firm(&self.said, firm))
            || self.says(key)
            || !key.contains(' ') && holds_owner(&self.said, key)
            || key.contains(" & ") && self.says_both(key)
            || key
                .strip_suffix('.')
                .and_then(|key| key.rsplit_once(' '))
                .is_some_and(|(first, letter)| letter.len() == 1 && self.says(first))
            || key.contains('–') && key.split('–').all(|part| self.says(part))
            || rest.is_some_and(|rest| self.says(rest))
            || rest.zip(last).is_some_and(|(_, last)| {
                // Without a name in the middle: `Squire Vane`.
                let mut names = key.split(' ').skip_while(|word| TITLES.holds(word));
                let first = names.next().unwrap_or_default();
                first != last && log.is_sole(last) && self.says(&format!("{first} {last}"))
            })
            || capitals(&one.text).is_some_and(|capitals| {
                holds_word(&self.said, capitals, |_, after| !after.starts_with('-'))
            })
    }
}
