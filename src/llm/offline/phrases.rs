//! Phrases that rules look for in words.

/// Phrases of rules. Most words begin none of them, which their marks tell.
pub(super) struct Phrases {
    all: &'static [&'static str],
    begin: Marks,
}

impl Phrases {
    /// These phrases, in lower case and without contractions.
    pub(super) const fn of(all: &'static [&'static str]) -> Self {
        Self { all, begin: Marks::of(all) }
    }

    /// What follows the longest of them that the words begin with.
    pub(super) fn after<'a, W: AsRef<str>>(&self, words: &'a [W]) -> Option<&'a [W]> {
        let may_begin = self.begin.may_hold(words.first()?.as_ref());
        may_begin.then(|| after_any(words, self.all)).flatten()
    }

    /// Whether one of them is all of the words.
    pub(super) fn are_all_of<W: AsRef<str>>(&self, words: &[W]) -> bool {
        self.after(words).is_some_and(<[W]>::is_empty)
    }

    /// Whether a word begins one of them.
    pub(super) fn begin_with(&self, word: &str) -> bool {
        let is_it = |phrase: &&str| phrase.split(' ').next() == Some(word);
        self.begin.may_hold(word) && self.all.iter().any(is_it)
    }

    /// Whether a word, in whatever case, may begin one of them: always if it does, seldom if not.
    pub(super) fn may_begin_with(&self, word: &str) -> bool {
        self.begin.may_hold(word)
    }

    /// Whether one of them stands anywhere in the words.
    pub(super) fn stand_in(&self, words: &[impl AsRef<str>]) -> bool {
        (0..words.len()).any(|start| self.after(&words[start..]).is_some())
    }
}

/// What is noted of the words that begin phrases, a bit for each.
#[derive(Clone, Copy)]
pub(super) struct Marks([u64; 8]);

impl Marks {
    /// Of no words.
    pub(super) const NONE: Self = Self([0; 8]);

    /// Of the first words of some phrases.
    pub(super) const fn of(phrases: &[&str]) -> Self {
        let (mut marks, mut at) = (Self::NONE, 0);
        while at < phrases.len() {
            marks = marks.with(phrases[at]);
            at += 1;
        }
        marks
    }

    /// Where a word of at least one letter is noted: its length and its ends, in lower case.
    const fn place(word: &[u8], length: usize) -> usize {
        let (first, last) = (word[0].to_ascii_lowercase(), word[length - 1].to_ascii_lowercase());
        (first as usize * 61 + last as usize * 17 + length * 5) % 512
    }

    /// With the first word of a phrase.
    pub(super) const fn with(mut self, phrase: &str) -> Self {
        let phrase = phrase.as_bytes();
        let mut length = 1;
        while length < phrase.len() && phrase[length] != b' ' {
            length += 1;
        }
        let place = Self::place(phrase, length);
        self.0[place / 64] |= 1 << (place % 64);
        self
    }

    /// With those of others.
    pub(super) const fn and(mut self, other: Self) -> Self {
        let mut at = 0;
        while at < self.0.len() {
            self.0[at] |= other.0[at];
            at += 1;
        }
        self
    }

    /// Whether it may be one of them: always if it is, seldom if not.
    pub(super) fn may_hold(&self, word: &str) -> bool {
        let word = word.as_bytes();
        !word.is_empty() && {
            let place = Self::place(word, word.len());
            self.0[place / 64] >> (place % 64) & 1 == 1
        }
    }
}

/// What follows a phrase, if the words begin with it.
pub(super) fn after<'a, W: AsRef<str>>(words: &'a [W], phrase: &str) -> Option<&'a [W]> {
    // Told by the first letter mostly, before anything is split.
    let first = words.first()?.as_ref().as_bytes().first();
    (first == phrase.as_bytes().first()).then_some(())?;
    phrase.split(' ').try_fold(words, |rest, wanted| {
        let (word, rest) = rest.split_first()?;
        (word.as_ref() == wanted).then_some(rest)
    })
}

/// What follows the longest of some phrases that the words begin with.
pub(super) fn after_any<'a, W: AsRef<str>>(words: &'a [W], phrases: &[&str]) -> Option<&'a [W]> {
    let found = phrases.iter().filter_map(|phrase| after(words, phrase));
    found.min_by_key(|rest| rest.len())
}

/// Whether any of some phrases stands in the words.
pub(super) fn contains_any(words: &[String], phrases: &[&str]) -> bool {
    (0..words.len()).any(|start| after_any(&words[start..], phrases).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: Phrases = Phrases::of(&["go", "go on", "pick up", "a", "über"]);

    fn rest(words: &[&'static str]) -> Option<Vec<&'static str>> {
        SOME.after(words).map(<[_]>::to_vec)
    }

    #[test]
    fn the_longest_phrase_counts_wherever_it_is_looked_for() {
        assert_eq!(rest(&["go", "on", "then"]), Some(vec!["then"]));
        assert_eq!(rest(&["go", "then"]), Some(vec!["then"]));
        assert_eq!(rest(&["über"]), Some(vec![]));
        for none in [&[][..], &["gone"], &["pick"], &["then", "go"], &[""]] {
            assert_eq!(rest(none), None, "{none:?}");
        }
        assert!(SOME.stand_in(&["to", "pick", "up"]) && !SOME.stand_in(&["to", "pick"]));
        assert!(SOME.are_all_of(&["pick", "up"]) && !SOME.are_all_of(&["pick", "up", "now"]));
        assert!(SOME.begin_with("pick") && !SOME.begin_with("up"));
    }
}
