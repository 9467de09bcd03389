//! How people say that something else comes now: evidence of a border that no other word is.

/// What they begin with, word for word, in the languages whose everyday words are known.
const CUES: &[&str] = &[
    "other thing",
    "another thing",
    "different thing",
    "something else",
    "something different",
    "something completely different",
    "new topic",
    "next topic",
    "other topic",
    "another topic",
    "different topic",
    "new subject",
    "another subject",
    "different subject",
    "different question",
    "unrelated",
    "another note",
    "different note",
    "changing topics",
    "changing the subject",
    "change of topic",
    "change of subject",
    "switching topics",
    "switching gears",
    "andere sache",
    "was anderes",
    "etwas anderes",
    "was ganz anderes",
    "etwas ganz anderes",
    "neues thema",
    "nächstes thema",
    "anderes thema",
    "andere baustelle",
    "themenwechsel",
    "thema gewechselt",
    "otra cosa",
    "otro tema",
    "otro asunto",
    "nuevo tema",
    "tema nuevo",
    "cambiando de tema",
    "cambio de tema",
    "autre chose",
    "autre sujet",
    "nouveau sujet",
    "changeons de sujet",
    "changement de sujet",
    "rien à voir",
    "altra cosa",
    "altro argomento",
    "cambiando argomento",
];

/// Characters of a message in which a cue has to end: "ok thanks, and now to something completely different: ..."
const LOOKED_AT: usize = 100;

/// Clauses of a message that may hold one.
const CLAUSES: usize = 3;

/// Whether a message begins by saying that something else comes: with a clause that ends in a cue, and does not ask for
/// something else.
pub(super) fn turns_away(message: &str) -> bool {
    let first: String = message.chars().take(LOOKED_AT).flat_map(char::to_lowercase).collect();
    let clauses = first.split_inclusive([',', '.', ':', ';', '!', '?', '-', '–', '—', '\n']);
    clauses.take(CLAUSES).any(|clause| {
        let ends = clause.chars().next_back();
        let said = clause.trim_end_matches(|c: char| !c.is_alphanumeric());
        // Without an end it is cut, or all that was said.
        ends.is_some_and(|end| !end.is_alphanumeric() && end != '?')
            && CUES.iter().any(|cue| ends_with(said, cue))
    })
}

/// Whether a clause ends with whole words.
fn ends_with(clause: &str, words: &str) -> bool {
    let before = clause.strip_suffix(words);
    before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_says_that_something_else_comes_turns_away() {
        for said in [
            "Other thing: my bike has a flat tyre, 28 inch. What tube?",
            "ok thanks. completely unrelated, but which oven do I buy?",
            "Mal was ganz anderes: wann blüht der Flieder?",
            "Cambiando de tema, ¿qué vino va con el pulpo?",
            "Rien à voir : où se garer à Lyon ?",
        ] {
            assert!(turns_away(said), "{said}");
        }
        for said in [
            "Is there something else that I need?",
            "Does the tyre come with another thing than a tube?",
            "something else",
            "And the ceiling?",
            "Die Sache ist die, dass es tropft.",
            "",
            "?",
        ] {
            assert!(!turns_away(said), "{said}");
        }
    }
}
