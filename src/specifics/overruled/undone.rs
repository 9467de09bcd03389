//! What undoes a decision: `Forget that, we use Valkey`, `Actually, no: we go with green instead`.

use crate::specifics::words::Words;

/// How somebody begins who undoes what was just decided.
const UNDOES: [&str; 16] = [
    "actually no",
    "changed my mind",
    "doch nicht",
    "forget it",
    "forget that",
    "i changed my mind",
    "never mind",
    "no wait",
    "on second thought",
    "on second thoughts",
    "oublie ça",
    "scratch that",
    "strike that",
    "vergiss das",
    "vergiss es",
    "wait no",
];

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
    let behind = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
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
    if let Some(rest) = behind_undoing(&lower) {
        return settles(&mut words(rest));
    }
    // The first sentence alone says it: `Sorry, we use green instead.`
    let sentence = lower.split(". ").next().unwrap_or_default();
    TURNS.hold_lower(first)
        && INSTEAD.iter().any(|instead| sentence.contains(instead))
        && settles(&mut words(sentence).skip(1))
}

/// What stands behind the clauses of a text in small letters that undo something.
fn behind_undoing(lower: &str) -> Option<&str> {
    const CLAUSES: usize = 2;
    let signs = [',', ':', ';', '.', '!', '—', '–'];
    let ends = lower.match_indices(signs).map(|(at, _)| at).take(CLAUSES);
    ends.into_iter().find_map(|end| {
        let said = words(&lower[..end]).collect::<Vec<_>>().join(" ");
        UNDOES.contains(&said.as_str()).then(|| &lower[end..])
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn may_begin(first: &str) -> bool {
    static FIRST: Words =
        Words::new("changed doch forget i never on oublie scratch strike vergiss");
    FIRST.hold_lower(first) || TURNS.hold_lower(first)
}
