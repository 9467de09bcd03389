//! What a topic is called: the words that its turns have again and again and others hardly have, those that the person said
//! before all. Words of every day name none.

use std::io;
use std::ops::Range;

use super::plain::{Languages, OWN, spoken};
use super::{Readable, Said, Table, Word};

/// How much more a turn says for a word that the person said in it.
const BY_PERSON: f64 = 2.0;

/// The same of one that the person said where the topic begins: there it is said what it is about.
const AT_BEGINNING: f64 = 2.0;

/// How much of what it says a word counts for that nobody but tools said in a turn.
const BY_TOOLS: f64 = 0.25;

/// A word that has fewer of its turns in the topic, in percent, does not tell it from others, if there are any.
const OWN_TURNS: f64 = 50.0;

/// What is known of a word in some turns.
#[derive(Debug, Clone, Copy, Default)]
struct Had {
    turns: u32,
    weight: f64,
}

impl Said {
    /// The stems that tell some turns best from all the others, so many at most.
    ///
    /// # Errors
    /// The words cannot be read.
    pub(in crate::replay) fn telling(
        &self,
        turns: Range<usize>,
        most: usize,
    ) -> io::Result<Vec<String>> {
        let mut had: Table<u32, Had> = Table::default();
        for turn in turns.clone() {
            for Word { number, weight, is_by_person, is_of_tools } in self.turn(turn)? {
                let begins = if turn == turns.start { AT_BEGINNING } else { 0.0 };
                let by_person = if is_by_person { BY_PERSON + begins } else { 0.0 };
                let word = had.entry(number).or_default();
                word.turns += 1;
                word.weight += if is_of_tools { BY_TOOLS * weight } else { weight } + by_person;
            }
        }
        let languages = self.spoken(&had);
        let is_all = turns.len() == self.turns.len();
        let (mut telling, mut others) = (Vec::new(), Vec::new());
        for (number, had) in &had {
            let Some(stem) = self.readable(*number) else { continue };
            let own = f64::from(had.turns) / f64::from(self.stems.in_turns[*number as usize]);
            let tells = is_all || 100.0 * own >= OWN_TURNS;
            let kind =
                if tells && stem.plain & languages == 0 { &mut telling } else { &mut others };
            kind.push((had.weight * own, stem));
        }
        // Only a topic that has no others is named by words of every day.
        self.best(if telling.is_empty() { others } else { telling }, most)
    }

    /// The texts of the best of some stems, so many at most: of those that are as good the first by letter.
    fn best(&self, mut stems: Vec<(f64, &Readable)>, most: usize) -> io::Result<Vec<String>> {
        stems.sort_by(|one, other| other.0.total_cmp(&one.0));
        let least = stems.get(most.saturating_sub(1)).map_or(f64::MIN, |(score, _)| *score);
        let candidates = stems.into_iter().take_while(|(score, _)| *score >= least);
        let text = |(score, stem): (f64, &Readable)| {
            Ok((score, self.texts.text(stem.place, stem.length.into())?))
        };
        let mut best: Vec<(f64, String)> = candidates.map(text).collect::<io::Result<_>>()?;
        best.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        Ok(best.into_iter().take(most).map(|(_, text)| text).collect())
    }

    fn readable(&self, number: u32) -> Option<&Readable> {
        let all = &self.stems.readable;
        all.binary_search_by_key(&number, |stem| stem.number).ok().map(|at| &all[at])
    }

    /// The languages in which words are plain, of turns that have these.
    fn spoken(&self, had: &Table<u32, Had>) -> Languages {
        let (mut words, mut plain) = (0, [0; OWN]);
        for (number, had) in had {
            let turns = had.turns as usize;
            words += turns;
            let bits = self.readable(*number).map_or(0, |stem| stem.plain);
            for (nth, count) in plain.iter_mut().enumerate() {
                *count += if bits >> (nth + 1) & 1 == 1 { turns } else { 0 };
            }
        }
        spoken(words, plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words as Counted;
    use crate::read::{Event, Speaker};
    use crate::replay::conversation::Conversation;
    use crate::replay::{Texts, Turns};

    /// The words that name the first and the second half of some turns.
    fn names(said: &[(&str, &str)]) -> [Vec<String>; 2] {
        let mut texts = Texts::new().unwrap();
        let mut turns = Turns::new(&Counted, 500, &mut texts);
        for (user, reply) in said {
            for (by, text) in [(Speaker::Person, user), (Speaker::Model, reply)] {
                turns.take(Event::Said { by, text: (*text).to_owned(), at: None });
            }
        }
        let part = turns.finish();
        let talk = Conversation::of(texts, [part]).unwrap();
        let (said, half) = (Said::of(&talk, &mut |_| ()).unwrap(), said.len() / 2);
        [0..half, half..2 * half].map(|turns| said.telling(turns, 3).unwrap())
    }

    #[test]
    fn a_topic_is_named_by_what_the_person_speaks_of_and_not_by_what_stands_beside_figures() {
        let [bread, taxes] = names(&[
            (
                "My sourdough is flat after twelve hours at 24 degrees",
                "Give the sourdough four hours more.",
            ),
            ("Is the sourdough ready?", "Wait for hours until it has doubled, at 24 degrees."),
            ("Which flour for the crust?", "Rye flour, for hours at 26 degrees."),
            ("How is the crust made?", "Steam the crust for minutes."),
            (
                "When is the tax return due?",
                "It costs 50 euros a month; the return goes to the office.",
            ),
            ("Which receipts does the tax office want?", "All receipts above 50 euros."),
            ("And the tax of last year?", "For that year it was 300 euros."),
            ("Are receipts kept?", "For months, 24 at least."),
        ]);
        assert!(bread[..2].contains(&"sourdough".to_owned()), "{bread:?}");
        assert!(
            taxes.contains(&"tax".to_owned()) && taxes.contains(&"receipt".to_owned()),
            "{taxes:?}"
        );
    }

    #[test]
    fn tools_their_results_and_fixed_phrases_name_no_topic_that_has_words_of_its_own() {
        let said = |nth: usize, about: &str| {
            let user = format!("The {about} number {nth}, please take it into account.");
            let called = "[Edit {\"file_path\":\"/home/ann/proj/src/pay/mod.rs\"}]";
            let returned = "[Edit: edited mod.rs in\nthe module; exit code 100]";
            (user, format!("Noted.\n\n{called}\n\n{returned}\n\nThe {about} is done."))
        };
        let said: Vec<_> =
            (0..8).map(|nth| said(nth, if nth < 4 { "refund" } else { "gateway" })).collect();
        let said: Vec<_> = said.iter().map(|(user, reply)| (&**user, &**reply)).collect();
        let named = names(&said);
        assert_eq!([&*named[0][0], &*named[1][0]], ["refund", "gateway"], "{named:?}");
        let harness = ["account", "exit", "code", "bash"];
        assert!(!named.concat().iter().any(|name| harness.contains(&&**name)), "{named:?}");
    }

    #[test]
    fn words_of_every_day_name_no_topic_in_whatever_language() {
        let [solar, gym] = names(&[
            ("Was kostet einem Mieter ein Wechselrichter?", "Rund 300 Euro mit einem Kabel."),
            ("Und der Wechselrichter mit einem Akku?", "Mehr, weiter mit einem Kabel."),
            ("Wird der Wechselrichter warm?", "Nein, weiter nicht."),
            ("Para qué sirve más agua en la caldera", "La caldera necesita más agua para el vaso."),
            ("Pero la caldera pierde más", "Para eso, más presión."),
            ("Para la caldera, cuánto más", "Más para la caldera."),
        ]);
        let plain = ["einem", "para", "más", "cuánto", "euro", "weiter", "rund"];
        assert!(
            solar[0].starts_with("wechselricht") && gym[0].starts_with("caldera"),
            "{solar:?} {gym:?}"
        );
        let all = || solar.iter().chain(&gym);
        assert!(!all().any(|name| plain.contains(&&**name)), "{solar:?} {gym:?}");
    }
}
