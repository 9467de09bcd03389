//! What an answer says another value of: `the frontend` of `Actually the frontend needs 21 days of logs`.

use crate::memory::stem;
use crate::specifics::words::Words;

/// Words in front of what something is said of.
static ARTICLES: Words =
    Words::new("das der die el het la las le les los my our the unser unsere your");

/// Words that say how much somebody or something has, in front of a value.
static VERBS: Words = Words::new(
    "are braucht cost costs cuesta coûte dauert dura est gets has have is ist kostet last lasts must need needs require requires \
     runs should sind stay stays take takes use uses was were will",
);

/// Words in front of those that name nothing, or only a value.
static OTHERS: Words = Words::new(
    "actually all amount anything better both correct date day das everything es figure he her his i instead it its limit mine my \
     new no not number old one ones or our rather real right same she sorry that the their then there these they this those time \
     total value wait we what which who you your",
);

/// What is said of in a sentence with a value, in the form for comparing: the nouns in front of that behind an article or before
/// a verb, and that for which it is. None if it is said of what was spoken of anyway.
pub(super) fn of(said: &str) -> Vec<String> {
    let value = said.find(|c: char| c.is_ascii_digit()).unwrap_or(said.len());
    let lead: Vec<String> = words(&said[..value]).collect();
    let mut subjects = Vec::new();
    for pair in lead.windows(2) {
        if ARTICLES.holds(&pair[0]) {
            subjects.push(&pair[1]);
        }
        if VERBS.holds(&pair[1]) {
            subjects.push(&pair[0]);
            break;
        }
    }
    let behind = behind(&said[value..]);
    let subjects = subjects.into_iter().chain(&behind);
    let named = subjects.filter(|word| !OTHERS.holds(word) && !VERBS.holds(word));
    named.filter(|word| word.len() > 2).map(|word| stem(word)).collect()
}

/// What a value is for, right behind it: `21 days for the logs`.
fn behind(rest: &str) -> Option<String> {
    const WORDS: usize = 4;
    let behind: Vec<String> = words(rest).take(WORDS + 1).collect();
    let at =
        behind.iter().take(WORDS - 1).position(|word| matches!(&**word, "for" | "für" | "pour"))?;
    let named = ARTICLES.holds(behind.get(at + 1)?).then(|| behind.get(at + 2));
    named.flatten().cloned()
}

/// Whether the sentence of a text in which a value stands speaks of one of some subjects, if there are any.
pub(super) fn is_shared(subjects: &[String], text: &str, value: &str) -> bool {
    if subjects.is_empty() {
        return true;
    }
    let mut sentences =
        text.split(['\n', '?', '!', ';']).flat_map(|line| line.split(". ")).peekable();
    let is_of = |sentence: &str| words(sentence).any(|word| subjects.contains(&stem(&word)));
    let holding: Vec<&str> =
        sentences.by_ref().filter(|sentence| sentence.contains(value)).collect();
    // Over several lines it is found in none.
    if holding.is_empty() { is_of(text) } else { holding.into_iter().any(is_of) }
}

/// The words of a text in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '\''));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
