//! What language a message is in, and what its words ask for: what has been, what belongs to people, advice.
//!
//! A language is told by the words of its grammar. They stand everywhere in what was said and call for nothing; without
//! them a question in any other language than English would seem to have something in common with all of it.

mod order;
mod particular;
mod past;
mod plan;
mod request;
mod tables;
mod verb;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use super::everyday::{is_common, per_thousand};
use super::forms::form;
use super::terms;
use crate::memory::is_stop_word;
pub use tables::{EVERYDAYS, GRAMMARS};
use tables::{TABLES, Table};

/// Words that are looked up in it.
pub(super) type Set = HashSet<String, FixedState>;

/// A message as words without case and accents, and their language.
#[derive(Debug)]
pub(super) struct Wording {
    words: Vec<String>,
    language: &'static Language,
}

/// A table as it was read.
#[derive(Debug)]
struct Language {
    everyday: Set,
    own: Set,
    own_phrases: Vec<Vec<String>>,
    past: Set,
    told: Set,
    asking: Set,
    measuring: (Set, Set),
    before_asking: Set,
    asking_by_accent: Vec<&'static str>,
    inverted: Vec<(Set, Set)>,
    exclaiming: Vec<Vec<String>>,
    indirect: Vec<Vec<String>>,
    relative: Set,
    wishes: Vec<Vec<String>>,
    tasks: Set,
    pointing: Set,
    naming: Set,
    definite: Set,
    advice: Vec<Vec<String>>,
    any: Vec<Vec<String>>,
    whole: Set,
    polite: Vec<Vec<String>>,
    has_capital_nouns: bool,
    /// Its place among all of them.
    nth: usize,
}

/// All languages, and of each word of grammar the ones that it belongs to, a bit each.
#[derive(Debug)]
struct Languages {
    all: Vec<Language>,
    grammar: HashMap<String, u32, FixedState>,
    /// The words with which a question, a wish or a task begins in any of them.
    first: Set,
    /// Those that may stand before such a word.
    before_asking: Set,
}

/// Words before the one that a question begins with at most.
const MOST_BEFORE_ASKING: usize = 2;

/// Words behind those that exclaim at most: "what a day".
const MOST_EXCLAIMED: usize = 2;

/// Words behind a definite article that are still what it stands for: "the old clock".
const BEHIND_ARTICLE: usize = 2;

impl Wording {
    /// Of a message.
    pub(super) fn of(message: &str) -> Self {
        let words = terms::words(message);
        let language = language_of(&words);
        Self { words, language }
    }

    /// Whether it is about what has been, or about what belongs to people: only what was said can tell.
    pub(super) fn is_about_past(&self) -> bool {
        let Language { past, told, .. } = self.language;
        let is_past = || [past, told].into_iter().any(|some| holds(&self.words, some));
        !self.asks_advice() && (self.is_own() || is_past())
    }

    /// Whether somebody speaks of themselves in it, or of what has been for them.
    pub(super) fn is_personal(&self) -> bool {
        self.is_own() || holds(&self.words, &self.language.past)
    }

    /// Whether it is about what belongs to people or was done together.
    pub(super) fn is_own(&self) -> bool {
        holds(&self.words, &self.language.own) || self.says_own_phrase()
    }

    fn says_own_phrase(&self) -> bool {
        // What somebody has to do is advice.
        let is_duty = |rest: &[String]| rest.first().is_some_and(|next| next == "to");
        self.language.own_phrases.iter().any(|phrase| {
            let mut places = self.words.windows(phrase.len()).enumerate();
            places.any(|(at, some)| some == phrase && !is_duty(&self.words[at + phrase.len()..]))
        })
    }

    /// Whether one of its words stands for what was just spoken of.
    pub(super) fn points_back(&self) -> bool {
        holds(&self.words, &self.language.pointing)
    }

    /// Whether it names nothing, and asks what something is called or was: "¿Cómo se llamaba?"
    pub(super) fn names_nothing(&self) -> bool {
        self.named() == 0 && holds(&self.words, &self.language.naming)
    }

    /// Whether it has few words: a longer message says itself what it is about.
    pub(super) fn is_short(&self) -> bool {
        const MOST: usize = 9;
        self.words.len() <= MOST
    }

    /// Whether it asks how something is done, and not for what has been.
    pub(super) fn asks_advice(&self) -> bool {
        let Language { own, told, advice, polite, .. } = self.language;
        let asks_for_nothing_else = |rest: &[String]| !holds(rest, own) && !holds(rest, told);
        self.behind(advice).is_some() || self.behind(polite).is_some_and(asks_for_nothing_else)
    }

    /// Whether it begins as a question that asks politely.
    pub(super) fn begins_politely(&self) -> bool {
        self.behind(&self.language.polite).is_some()
    }

    /// Whether it wishes for something that need not be theirs, and that nothing that was said could tell: "Tell me a joke."
    pub(super) fn asks_for_any(&self) -> bool {
        /// Words of courtesy before that.
        const MOST_BEFORE: usize = 2;
        let Language { any, whole, told, .. } = self.language;
        let begins = |phrase: &Vec<String>| {
            let mut places = self.words.windows(phrase.len()).take(MOST_BEFORE + 1);
            places.any(|some| some == phrase)
        };
        any.iter().any(begins)
            && !self.is_own()
            && !self.is_definite()
            && !holds(&self.words, whole)
            && !holds(&self.words, told)
    }

    /// The words behind one of some phrases that it begins with.
    fn behind(&self, phrases: &[Vec<String>]) -> Option<&[String]> {
        let Language { past, told, .. } = self.language;
        let fits = |(word, of): (&String, &String)| match of.as_str() {
            "*" => !told.contains(word) && !past.contains(word),
            of => word == of,
        };
        let begins = |phrase: &&Vec<String>| {
            self.words.len() >= phrase.len() && self.words.iter().zip(*phrase).all(fits)
        };
        self.words.get(phrases.iter().find(begins)?.len()..)
    }

    /// Whether it begins like a question.
    pub(super) fn begins_like_question(&self) -> bool {
        let asking = self.asking();
        // "Was für ein Auto hat er" asks.
        let exclaims = || {
            let mut phrases = self.language.exclaiming.iter();
            phrases.any(|phrase| {
                asking.starts_with(phrase) && asking.len() <= phrase.len() + MOST_EXCLAIMED
            })
        };
        asking.first().is_some_and(|word| self.is_asking(word)) && !exclaims()
    }

    /// Whether it begins as only a question does, however long it is: "what were", "when did". "When the ..." may be a sentence.
    pub(super) fn inverts(&self) -> bool {
        let is_verb = |word| self.is_asking(word) || self.language.told.contains(word);
        matches!(self.asking(), [first, next, ..] if self.is_asking(first) && is_verb(next))
            || self.begins_with_verb()
            || self.begins_with_joined_verb()
    }

    /// Whether a verb stands before its subject there: "did you".
    pub(super) fn begins_with_verb(&self) -> bool {
        let [first, next, ..] = self.asking() else { return false };
        let mut inverted = self.language.inverted.iter();
        inverted.any(|(verbs, subjects)| verbs.contains(first) && subjects.contains(next))
    }

    /// Whether it is one word, and none that may stand before a question.
    pub(super) fn is_one_word(&self) -> bool {
        matches!(&*self.words, [word] if !self.language.before_asking.contains(word))
    }

    /// Whether it begins, as it was typed, with a word that an accent makes one that asks: "por qué". Such a word and one more
    /// exclaim: "qué bien".
    pub(super) fn asks_by_accent(&self, clause: &str) -> bool {
        let Language { asking_by_accent, before_asking, .. } = self.language;
        let words =
            clause.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let words: Vec<String> =
            words.take(MOST_BEFORE_ASKING + 3).map(str::to_lowercase).collect();
        let before = words.iter().take_while(|word| before_asking.contains(*word)).count();
        let asking = words.get(before..).unwrap_or_default();
        let exclaims = || before == 0 && asking.len() < 3 && asking[0] == "qué";
        let is_known = || {
            let mut phrases = self.language.exclaiming.iter();
            phrases.any(|phrase| self.words.starts_with(phrase))
        };
        asking.first().is_some_and(|word| asking_by_accent.contains(&word.as_str()))
            && !exclaims()
            && !is_known()
    }

    /// A part of the message, in its language.
    pub(super) fn of_part(&self, part: &str) -> Self {
        Self { words: terms::words(part), language: self.language }
    }

    /// Whether it begins like a part that tells more of what stands before it: ", which was late".
    pub(super) fn begins_like_relative(&self) -> bool {
        self.asking().first().is_some_and(|word| self.language.relative.contains(word))
    }

    fn is_asking(&self, word: &String) -> bool {
        [self.language, &languages().all[0]].iter().any(|of| of.asking.contains(word))
    }

    /// Its words from that on with which a question would begin.
    fn asking(&self) -> &[String] {
        let is_before = |word: &&String| self.language.before_asking.contains(*word);
        let before = self.words.iter().take(MOST_BEFORE_ASKING).take_while(is_before).count();
        &self.words[before..]
    }

    /// Whether a question stands within a sentence of it: "they want to know when".
    pub(super) fn asks_indirectly(&self) -> bool {
        let asks = |phrase: &Vec<String>| {
            let mut places = self.words.windows(phrase.len() + 1);
            places.any(|some| some.starts_with(phrase) && self.is_asking(&some[phrase.len()]))
        };
        self.language.indirect.iter().any(asks)
    }

    /// Whether it begins like a wish or a task that needs what a question does.
    pub(super) fn begins_like_task(&self) -> bool {
        let begins = |phrase: &Vec<String>| self.words.starts_with(phrase);
        let is_task = |first| self.language.tasks.contains(first);
        self.language.wishes.iter().any(begins) || self.words.first().is_some_and(is_task)
    }

    /// Whether a capital behind the beginning of a sentence makes a name.
    pub(super) fn names_by_capital(&self) -> bool {
        !self.language.has_capital_nouns
    }

    /// Whether its language makes one word of several: `Zahnarzttermin`.
    pub(super) fn joins_words(&self) -> bool {
        self.language.has_capital_nouns
    }

    /// Whether it is of a language that came of Latin, in which one word has many endings.
    pub(super) fn is_romance(&self) -> bool {
        const ROMANCE: [usize; 2] = [2, 3];
        ROMANCE.contains(&self.language.nth)
    }

    /// Whether the words of its language lose their endings when they are compared: then a word is found again in
    /// another form.
    pub(super) fn knows_endings(&self) -> bool {
        self.language.nth == 0
    }

    /// How many different terms it holds that may say something about a topic.
    pub(super) fn named(&self) -> usize {
        let named = self.words.iter().filter(|word| !self.is_grammar(word));
        named.flat_map(|word| terms::terms(word)).collect::<HashSet<_>>().len()
    }

    /// The terms of those of its words that say nothing about a topic, and are not left out of everything anyway.
    pub(super) fn grammar(&self) -> Set {
        let known = self.words.iter().filter(|word| self.is_grammar(word));
        known.chain(self.measures()).flat_map(|word| terms::terms(word)).collect()
    }

    /// Its words that name the kind of an answer alone, however seldom they were said: "how long", "what day".
    fn measures(&self) -> impl Iterator<Item = &String> {
        let both = self.words.iter().zip(self.words.iter().skip(1));
        let (asking, measuring) = &self.language.measuring;
        let measures = |(before, word): &(&String, &String)| {
            asking.contains(*before) && measuring.contains(*word)
        };
        both.filter(measures).map(|(_, word)| word)
    }

    fn is_grammar(&self, word: &str) -> bool {
        let is_one = |word: &str| {
            let bits = languages().grammar.get(word).copied().unwrap_or(0);
            bits & (1 << self.language.nth) != 0
        };
        // "n'est" is two words of grammar, and "l'inspection" one and what it names.
        is_one(word) || (word.contains('\'') && word.split('\'').all(is_one))
    }

    /// The terms of those of its words that everybody uses every day in its language; those of English are known anyway.
    pub(super) fn everyday(&self) -> Set {
        let known = self.words.iter().filter(|word| self.is_everyday(word));
        known.flat_map(|word| terms::terms(word)).collect()
    }

    fn is_everyday(&self, word: &str) -> bool {
        let bare = word.split_once('\'').map_or(word, |(_, bare)| bare);
        self.language.everyday.contains(bare)
    }

    /// Whether it speaks of something as both sides know it.
    pub(super) fn is_definite(&self) -> bool {
        holds(&self.words, &self.language.definite)
    }

    /// The terms that are no words of every day, and whether each is said of something that both sides know.
    pub(super) fn telling(&self) -> Vec<(String, bool)> {
        let mut telling: Vec<(String, bool)> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let Some(term) =
                terms::telling(word).filter(|_| !self.is_grammar(word) && !self.is_everyday(word))
            else {
                continue;
            };
            let before = &self.words[at.saturating_sub(BEHIND_ARTICLE)..at];
            let definite = &self.language.definite;
            let is_known = definite.is_empty() || before.iter().any(|word| definite.contains(word));
            match telling.iter_mut().find(|(known, _)| *known == term) {
                Some((_, known)) => *known |= is_known,
                None => telling.push((term, is_known)),
            }
        }
        telling
    }
}

fn holds(words: &[String], some: &Set) -> bool {
    words.iter().any(|word| some.contains(word))
}

/// The language that has most of the words as its grammar, or has most of them for every day where none is of any grammar:
/// "gute Nacht". English where none has more of them than it.
fn language_of(words: &[String]) -> &'static Language {
    let Languages { all, grammar, .. } = languages();
    let mut counts = vec![0_usize; all.len()];
    // "l'appartement" is an article and a noun.
    counts[0] += words.iter().filter(|word| terms::is_contraction(word)).count();
    for word in words.iter().flat_map(|word| terms::joined_words(word)) {
        let bits = grammar.get(word).copied().unwrap_or(0);
        counts[0] += usize::from(is_stop_word(word));
        let others = counts.iter_mut().enumerate().skip(1);
        others.for_each(|(nth, count)| *count += usize::from(bits & (1 << nth) != 0));
    }
    // A single letter is never compared, and so is none of the words that English leaves out; elsewhere it is of grammar.
    let articles = words.iter().filter(|word| *word == "a").count();
    let is_english = |word: &String| is_common(per_thousand(&form(word)));
    if articles > 0 && (counts[0] > 0 || words.iter().any(is_english)) {
        counts[0] += articles;
    }
    if counts.iter().all(|count| *count == 0) {
        let of_every_day =
            |of: &Language| words.iter().filter(|word| of.everyday.contains(*word)).count();
        counts = all.iter().map(of_every_day).collect();
    }
    let mut best = 0;
    for (nth, count) in counts.iter().enumerate() {
        if *count > counts[best] {
            best = nth;
        }
    }
    &all[best]
}

fn languages() -> &'static Languages {
    static LANGUAGES: OnceLock<Languages> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let mut grammar = HashMap::default();
        for (nth, table) in TABLES.iter().enumerate() {
            for word in terms::words(table.grammar) {
                *grammar.entry(word).or_default() |= 1 << nth;
            }
        }
        let all = TABLES.iter().enumerate().map(|(nth, table)| Language::read(table, nth));
        let all: Vec<Language> = all.collect();
        let first = all.iter().flat_map(Language::first_words).cloned();
        let by_accent =
            all.iter().flat_map(|of| &of.asking_by_accent).flat_map(|word| terms::words(word));
        let first = first.chain(by_accent).collect();
        let before_asking = all.iter().flat_map(|of| &of.before_asking).cloned().collect();
        Languages { all, grammar, first, before_asking }
    })
}

/// Whether a message begins with a word that a question, a wish or a task begins with in some language: most do not, and
/// need not be read to their ends.
pub(super) fn may_ask(message: &str) -> bool {
    let Languages { first, before_asking, .. } = languages();
    let words = message.split_whitespace().flat_map(terms::words);
    let mut beginning = words.take(MOST_BEFORE_ASKING + 1);
    let word = beginning.find(|word| first.contains(word) || !before_asking.contains(word));
    word.is_some_and(|word| first.contains(&word))
}

/// Whether a term is that of a word of grammar or of every day in any language but English, of which others tell.
pub(super) fn is_of_grammar(term: &str) -> bool {
    static TERMS: OnceLock<Set> = OnceLock::new();
    let terms = TERMS.get_or_init(|| {
        let words = TABLES.iter().flat_map(|table| [table.grammar, table.everyday]);
        words.flat_map(terms::terms).collect()
    });
    terms.contains(term)
}

/// Whether a text begins with a word that a question, a wish or a task begins with in some language.
pub(super) fn begins_to_ask(text: &str) -> bool {
    let first = text.split_whitespace().flat_map(terms::words).next();
    first.is_some_and(|word| languages().first.contains(&word))
}

impl Language {
    fn first_words(&self) -> impl Iterator<Item = &String> {
        let of_wishes = self.wishes.iter().filter_map(|phrase| phrase.first());
        let of_verbs = self.inverted.iter().flat_map(|(verbs, _)| verbs);
        self.asking.iter().chain(&self.tasks).chain(of_wishes).chain(of_verbs)
    }

    fn read(table: &Table, nth: usize) -> Self {
        let set = |words| terms::words(words).into_iter().collect();
        let folded =
            |word: &str| if word == "*" { vec![word.to_owned()] } else { terms::words(word) };
        let phrase = |phrase: &&str| phrase.split_whitespace().flat_map(folded).collect();
        Self {
            everyday: set(table.everyday),
            own: set(table.own),
            own_phrases: table.own_phrases.iter().map(phrase).collect(),
            wishes: table.wishes.iter().map(phrase).collect(),
            tasks: set(table.tasks),
            pointing: set(table.pointing),
            naming: set(table.naming),
            past: set(table.past),
            told: set(table.told),
            asking: set(table.asking),
            measuring: (set(table.measuring.0), set(table.measuring.1)),
            before_asking: set(table.before_asking),
            asking_by_accent: table.asking_by_accent.split_whitespace().collect(),
            inverted: table
                .inverted
                .iter()
                .map(|(verbs, subjects)| (set(verbs), set(subjects)))
                .collect(),
            exclaiming: table.exclaiming.iter().map(phrase).collect(),
            indirect: table.indirect.iter().map(phrase).collect(),
            relative: set(table.relative),
            definite: set(table.definite),
            advice: table.advice.iter().map(phrase).collect(),
            any: table.any.iter().map(phrase).collect(),
            whole: set(table.whole),
            polite: table.polite.iter().map(phrase).collect(),
            has_capital_nouns: table.has_capital_nouns,
            nth,
        }
    }
}

#[cfg(test)]
mod tests;
