//! Whether something may have become another one: who is named, and what tells of a change.

use super::language::Wording;
use super::terms::telling;

/// Words that tell that something is otherwise than it was, or beginnings of such, in some languages that people chat in.
const CHANGES: &str = "\
    actual anymore cancel chang correct delay finally instead later longer mov new now postpon rather \
    resched scrap switch turns wrong abgesagt doch geändert jetzt korrektur mehr neu nun statt \
    stattdessen umgezogen verlegt verschoben wechsel ahora aplaz cambi corrección final nuev vez ya \
    annul désormais finalement maintenant plutôt report";

/// Words with which somebody says yes to what was said before, in some languages that people chat in.
const YES: &str = "\
    agreed alright deal exactly fine good great indeed ok okay perfect right sure true yeah yep yes \
    abgemacht einverstanden genau gut ja passt richtig stimmt acuerdo claro sí vale bien exact oui \
    parfait sì";

/// Whether a message begins by saying yes to the one before it, and so says little without that.
pub fn accepts(message: &str) -> bool {
    let lower = message.trim_start().to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|first| {
        YES.split(' ').any(|yes| yes == first) || first == "de" && words.next() == Some("acuerdo")
    })
}

/// The names in a text, as said and each once: words with a capital that nobody uses every day, and that are none of
/// grammar, as many are with which a sentence begins.
pub fn names_in(text: &str) -> Vec<String> {
    let wording = Wording::of(text);
    let (grammar, everyday) = (wording.grammar(), wording.everyday());
    let is_name = |word: &str| {
        telling(&word.to_lowercase())
            .is_some_and(|term| !grammar.contains(&term) && !everyday.contains(&term))
    };
    let mut names: Vec<String> = Vec::new();
    for line in text.lines() {
        // Who said it is no name.
        let said = line.split_once(": ").filter(|(who, _)| !who.contains(' '));
        let words = said.map_or(line, |(_, said)| said).split(|c: char| !c.is_alphanumeric());
        for word in words.filter(|word| word.starts_with(char::is_uppercase) && word.len() > 2) {
            if names.iter().all(|name| name != word) && is_name(word) {
                names.push(word.to_owned());
            }
        }
    }
    names
}

/// Whether a text tells that something is otherwise than it was, or a figure: that may be another one now.
pub fn tells_of_change(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    lower.contains(|c: char| c.is_ascii_digit())
        || words.any(|word| CHANGES.split(' ').any(|change| word.starts_with(change)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_with_a_capital_that_nobody_uses_every_day() {
        let said = "user: I'll buy the bike from Ansgar, a Cube Kathmandu, 900 euros.\nassistant: Ansgar's, then.";
        assert_eq!(names_in(said), ["Ansgar", "Cube", "Kathmandu"]);
        assert_eq!(names_in("user: We go on. And then?"), Vec::<String>::new());
    }

    #[test]
    fn a_change_is_told_by_a_figure_or_by_words_for_it() {
        for (said, tells) in [
            ("Ansgar wants 1,050 after all.", true),
            ("Mia came home: they go to Rügen instead.", true),
            ("Die Feier ist doch im Garten.", true),
            ("Ansgar is a nice man.", false),
        ] {
            assert_eq!(tells_of_change(said), tells, "{said}");
        }
    }
}
