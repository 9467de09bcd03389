//! What an answer says another value of: `the frontend` of `Actually the frontend needs 21 days of logs`.

use crate::memory::stem;
use crate::specifics::words::Words;

/// Words in front of what something is said of.
static ARTICLES: Words =
    Words::new("das der die el het la las le les los our the unser unsere your");

/// Words that say how much somebody or something has, in front of a value.
static HAVING: Words = Words::new(
    "braucht cost costs cuesta coûte dauert dura gets has have kostet last lasts must need needs require requires runs take takes \
     use uses",
);

/// Words that say what or when something is. What is said of may be the same by another name.
static BEING: Words = Words::new("are c'est est is ist should sind stay stays was were will");

/// Words in front of those that name nothing, or only a value.
static OTHERS: Words = Words::new(
    "actual actually agreed all amount anything better both correct current date day das everything es figure final he her his i \
     instead it its latest limit mine my new no not number old one ones or our proper rather real right said same she sorry that \
     the their then there these they this those time to total updated value wait we what which who wrong you your",
);

/// Words between what is said of and a verb.
static BETWEEN: Words = Words::new("also just now only still");

/// Words of what is said of behind an article, at most.
const MOST_WORDS: usize = 4;

/// What is said of in a sentence with a value, in the form for comparing.
pub(super) struct Subjects {
    /// What has so much, or for what that is: another one has another value.
    holders: Vec<String>,
    /// What is so: it may be what an earlier sentence said without naming it.
    named: Vec<String>,
}

/// What is said of in a sentence with a value: the nouns in front of a verb, and that for which it is. None if it is said of
/// what was spoken of anyway.
pub(super) fn of(said: &str) -> Subjects {
    let value = said.find(|c: char| c.is_ascii_digit()).unwrap_or(said.len());
    let lead: Vec<String> = words(&said[..value]).collect();
    let (has, before) = before_verb(&lead).unwrap_or_default();
    let (mut holders, named) = if has { (before, Vec::new()) } else { (Vec::new(), before) };
    holders.extend(purpose(&lead));
    let behind: Vec<String> = words(&said[value..]).take(MOST_WORDS + 1).collect();
    holders.extend(purpose(&behind));
    Subjects { holders: stems(holders), named: stems(named) }
}

/// Whether the first verb of some words says how much something has, and the words for that in front of it. Somebody who
/// tells it, as `my boss` does, is not meant.
fn before_verb(lead: &[String]) -> Option<(bool, Vec<String>)> {
    let verb = lead.iter().skip(1).position(|word| HAVING.holds(word) || BEING.holds(word))? + 1;
    let is_between = |word: &String| BETWEEN.holds(word) || word.ends_with("ly");
    let end = lead[..verb].iter().rposition(|word| !is_between(word))? + 1;
    let near = &lead[end.saturating_sub(MOST_WORDS + 1)..end];
    let begin = near.iter().rposition(|word| ARTICLES.holds(word) || word == "my");
    let named = match begin {
        Some(begin) if near[begin] == "my" => &[],
        Some(begin) => &near[begin + 1..],
        None => &lead[end - 1..end],
    };
    let is_none = named.last().is_none_or(|last| OTHERS.holds(last));
    let named = if is_none { Vec::new() } else { named.to_vec() };
    Some((HAVING.holds(&lead[verb]), named))
}

/// What something is for: `21 days for the logs`.
fn purpose(words: &[String]) -> Option<String> {
    let mut found = words
        .windows(3)
        .filter(|said| matches!(&*said[0], "for" | "für" | "pour") && ARTICLES.holds(&said[1]));
    found.next().map(|said| said[2].clone())
}

fn stems(words: Vec<String>) -> Vec<String> {
    let is_telling = |word: &String| !OTHERS.holds(word) && word.len() > 2;
    words.into_iter().filter(is_telling).map(|word| stem(&word)).collect()
}

impl Subjects {
    /// Whether one of them stands right in front of a value, each time.
    pub(super) fn lead_to(&self, text: &str, value: &str) -> bool {
        let mut found = text.match_indices(value).peekable();
        found.peek().is_some()
            && found.all(|(at, _)| {
                let word = words(&text[..at]).last().unwrap_or_default();
                let is_near = text[..at].ends_with([' ', ':', '=']);
                is_near
                    && (self.named.contains(&stem(&word)) || self.holders.contains(&stem(&word)))
            })
    }

    /// Whether the sentence of a text in which a value stands speaks of one of them, if there are any.
    pub(super) fn are_shared(&self, text: &str, value: &str) -> bool {
        if self.holders.is_empty() && self.named.is_empty() {
            return true;
        }
        let is_any = |word: String| {
            let word = stem(&word);
            self.holders.contains(&word) || self.named.contains(&word)
        };
        let is_of = |sentence: &str| {
            words(sentence).any(is_any) || self.holders.is_empty() && !names_own(sentence, value)
        };
        let mut sentences =
            text.split(['\n', '?', '!', ';']).flat_map(|line| line.split(". ")).peekable();
        let holding: Vec<&str> =
            sentences.by_ref().filter(|sentence| sentence.contains(value)).collect();
        // Over several lines it is found in none.
        if holding.is_empty() { is_of(text) } else { holding.into_iter().any(is_of) }
    }
}

/// Whether a sentence names what it says a value of.
fn names_own(sentence: &str, value: &str) -> bool {
    let lead = sentence.split(value).next().unwrap_or_default();
    let lead: Vec<String> = words(lead).collect();
    before_verb(&lead).is_some_and(|(_, named)| !named.is_empty())
}

/// The words of a text in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '\''));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
