//! What undoes a decision: `Forget that, we use Valkey`, `Actually, no: we go with green instead`.

mod named;

use crate::specifics::words::Words;
pub(super) use named::{Refused, is_refused, refused};

/// How somebody begins who undoes what was just decided, and whether it does so if it is all that is said: `never mind` alone
/// mostly means something else.
const UNDOES: [(&str, bool); 31] = [
    ("actually no", false),
    ("changed my mind", true),
    ("changed our mind", true),
    ("disregard that", true),
    ("ditch that", true),
    ("doch nicht", false),
    ("drop that", true),
    ("forget about it", false),
    ("forget about that", true),
    ("forget it", false),
    ("forget that", true),
    ("forget this", false),
    ("i changed my mind", true),
    ("i've changed my mind", true),
    ("laisse tomber", true),
    ("never mind", false),
    ("no wait", false),
    ("on second thought", false),
    ("on second thoughts", false),
    ("oublie ça", true),
    ("scrap it", true),
    ("scrap that", true),
    ("scratch that", true),
    ("streich das", true),
    ("strike that", true),
    ("vergiss das", true),
    ("vergiss es", false),
    ("wait no", false),
    ("we changed our mind", true),
    ("we've changed our mind", true),
    ("wir haben es uns anders überlegt", true),
];

/// Words around that, which say nothing else.
static AROUND: Words =
    Words::new("actually ah bitte doch hm hmm no nein non oh ok okay please sorry wait well");

/// How somebody begins who does so if it is said instead of what.
static TURNS: Words = Words::new("actually but correction nee nein no non rather sorry wait");

/// How it is said.
const INSTEAD: [&str; 6] =
    ["instead", "stattdessen", "rather than", "statt", "plutôt", "en su lugar"];

/// With what a sentence begins, or the rest of one, that says what is done.
static SETTLES: Words = Words::new(
    "go i'll keep let's lass make move nehmen nimm nimmt nous on pick stick switch take use we we'll wir",
);

/// Words within which that is said.
const WORDS: usize = 4;

/// Bytes of the beginning of a sentence that are looked at.
const BEGINNING: usize = 120;

/// Whether what stands behind a decision, or what is answered to it, undoes it and says what holds.
pub(super) fn is_undone(behind: &str) -> bool {
    if only_undoes(behind) {
        return true;
    }
    let Some(behind) = own_words(behind) else { return false };
    let end = behind.find(['\n', '?']).unwrap_or(behind.len()).min(BEGINNING);
    let end = (end..=behind.len()).find(|end| behind.is_char_boundary(*end));
    let said = &behind[..end.unwrap_or(behind.len())];
    let first = said.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if !may_begin(first) {
        return false;
    }
    let lower = said.to_lowercase().replace('’', "'");
    let settles =
        |words: &mut dyn Iterator<Item = &str>| words.take(WORDS).any(|word| SETTLES.holds(word));
    if let Some((clause, rest)) = behind_undoing(&lower) {
        // Behind a changed mind its new choice alone is enough.
        let is_choice = || {
            let new = said.get(said.len().saturating_sub(rest.len())..).unwrap_or_default();
            clause.contains("chang") && is_name(new)
        };
        return settles(&mut words(rest)) || is_choice();
    }
    // The first sentence alone says it: `Sorry, we use green instead.`
    let sentence = lower.split(". ").next().unwrap_or_default();
    TURNS.hold_lower(first)
        && INSTEAD.iter().any(|instead| sentence.contains(instead))
        && settles(&mut words(sentence).skip(1))
}

/// Whether a text says nothing but that something does not hold: `Hmm, scrap that.`
pub(in crate::specifics) fn only_undoes(text: &str) -> bool {
    const LONGEST: usize = 48;
    if text.trim().len() > LONGEST || text.contains('?') || own_words(text).is_none() {
        return false;
    }
    let lower = text.to_lowercase().replace('’', "'");
    let mut said: Vec<&str> = words(&lower).skip_while(|word| AROUND.holds(word)).collect();
    while said.pop_if(|word| AROUND.holds(word)).is_some() {}
    let said = said.join(" ");
    UNDOES.iter().any(|(undoes, alone)| *alone && *undoes == said)
}

/// A text from its first word on, if it does not begin with words of somebody else: in quotation marks, or behind a `>`.
fn own_words(text: &str) -> Option<&str> {
    let said = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let signs = text[..text.len() - said.len()].trim_end();
    (!signs.ends_with(['"', '“', '„', '«', '>'])).then_some(said)
}

/// Whether a sentence says in its first words what is done.
pub(super) fn settles(sentence: &str) -> bool {
    words(sentence).take(WORDS).any(|word| SETTLES.hold_lower(word))
}

/// Whether a text is nothing but the name of something: `Redis 7.2`.
fn is_name(text: &str) -> bool {
    const MOST: usize = 3;
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let first = bare.split(' ').next().unwrap_or_default();
    // `gRPC` is one, too.
    first.contains(char::is_uppercase) && bare.split(' ').count() <= MOST
}

/// The clause of a text in small letters that undoes something, and what stands behind it.
fn behind_undoing(lower: &str) -> Option<(&str, &str)> {
    const CLAUSES: usize = 2;
    let signs = [',', ':', ';', '.', '!', '—', '–'];
    let ends = lower.match_indices(signs).map(|(at, _)| at).take(CLAUSES);
    ends.into_iter().find_map(|end| {
        let said = words(&lower[..end]).collect::<Vec<_>>().join(" ");
        let undoes = UNDOES.iter().any(|(undoes, _)| *undoes == said);
        undoes.then(|| lower.split_at(end))
    })
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn may_begin(first: &str) -> bool {
    static FIRST: Words = Words::new(
        "changed disregard ditch doch drop forget i laisse never on oublie scrap scratch streich strike vergiss we wir",
    );
    FIRST.hold_lower(first) || TURNS.hold_lower(first)
}
