//! Whether something may have become another one: who is named, and what tells of a change.

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

/// Words by which a question asks for how something is by now, or how it ended, or beginnings of such, in some languages
/// that people ask in.
const NEWEST: &str = "\
    anymore currently end ended eventual final latest newest now nowadays these ultimate updated \
    aktuell endgültig ende inzwischen jetzt letztendlich letztlich mittlerweile schließlich unterm \
    actual ahora final último última actuel désormais finale maintenant";

/// Whether a question asks for how something is by now, or how it ended.
pub fn asks_for_newest(question: &str) -> bool {
    has_word(question, NEWEST)
}

/// Whether a word of a text begins like one of some.
fn has_word(text: &str, some: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| some.split(' ').any(|one| word.starts_with(one)))
}

/// Those of them that ask how it ended, and no more than that.
const END: &str =
    "end ended eventual final ultimate ende endgültig letztendlich letztlich schließlich unterm";

/// Whether a question asks how something ended.
pub fn asks_for_end(question: &str) -> bool {
    has_word(question, END)
}

/// Whether a message begins by saying yes to the one before it, and so says little without that.
pub fn accepts(message: &str) -> bool {
    let words = message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words = words.map(str::to_lowercase);
    words.next().is_some_and(|first| {
        YES.split(' ').any(|yes| yes == first)
            || first == "de" && words.next().is_some_and(|next| next == "acuerdo")
    })
}

/// The names in a text: its words with a capital that not everybody uses every day, each with its term.
pub fn names_in(text: &str) -> impl Iterator<Item = (&str, String)> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let names = words.filter(|word| word.starts_with(char::is_uppercase));
    names.filter_map(|word| Some((word, telling(&word.to_lowercase())?)))
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
    fn a_name_is_a_word_with_a_capital_that_nobody_uses_every_day() {
        let said = "user: I'll buy the bike from Ansgar. And then?\nassistant: Ansgar's, then.";
        let names: Vec<(&str, String)> = names_in(said).collect();
        assert!(
            names.iter().all(|(name, term)| *name == "Ansgar" && term == "ansgar"),
            "{names:?}"
        );
        assert_eq!(names.len(), 2);
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

    #[test]
    fn who_asks_for_how_it_is_by_now_or_ended_asks_for_the_newest() {
        for newest in [
            "what size did we get in the end?",
            "Who is the carer now?",
            "Wer pflegt sie jetzt?",
            "¿Dónde dormimos al final?",
        ] {
            assert!(asks_for_newest(newest), "{newest}");
        }
        assert!(!asks_for_newest("What did the steel cost?") && !asks_for_newest(""));
        assert!(asks_for_end("how did it end?") && !asks_for_end("who is the carer now?"));
    }
}
