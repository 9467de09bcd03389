//! The form under which a word is compared: without the endings of grammar, and in English also what no ending tells, and
//! numbers.

use crate::letters;
use crate::memory::stem;

/// Forms without a rule, each with the form under which it is compared. Sorted, for binary search.
const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"),
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("best", "good"),
    ("better", "good"),
    ("bit", "bite"),
    ("bitten", "bite"),
    ("bled", "bleed"),
    ("blew", "blow"),
    ("blown", "blow"),
    ("bought", "buy"),
    ("bred", "breed"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("burnt", "burn"),
    ("came", "come"),
    ("caught", "catch"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("crept", "creep"),
    ("dealt", "deal"),
    ("drank", "drink"),
    ("drawn", "draw"),
    ("dreamt", "dream"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("drunk", "drink"),
    ("dug", "dig"),
    ("eaten", "eat"),
    ("fallen", "fall"),
    ("fed", "feed"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("fewer", "few"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("forgave", "forgive"),
    ("forgiven", "forgive"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("fought", "fight"),
    ("found", "find"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("geese", "goose"),
    ("given", "give"),
    ("gone", "go"),
    ("gotten", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hid", "hide"),
    ("hidden", "hide"),
    ("hung", "hang"),
    ("kept", "keep"),
    ("knew", "know"),
    ("knives", "knife"),
    ("known", "know"),
    ("laid", "lay"),
    ("leapt", "leap"),
    ("learnt", "learn"),
    ("leaves", "leaf"),
    ("led", "lead"),
    ("lent", "lend"),
    ("lit", "light"),
    ("lives", "live"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("mice", "mouse"),
    ("mistaken", "mistake"),
    ("mistook", "mistake"),
    ("paid", "pay"),
    ("people", "person"),
    ("ran", "run"),
    ("rang", "ring"),
    ("ridden", "ride"),
    ("risen", "rise"),
    ("rode", "ride"),
    ("rose", "rise"),
    ("rung", "ring"),
    ("said", "say"),
    ("sang", "sing"),
    ("sank", "sink"),
    ("sat", "sit"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shaken", "shake"),
    ("shelves", "shelf"),
    ("shone", "shine"),
    ("shook", "shake"),
    ("shot", "shoot"),
    ("shown", "show"),
    ("shrank", "shrink"),
    ("slept", "sleep"),
    ("slid", "slide"),
    ("sold", "sell"),
    ("sought", "seek"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("spun", "spin"),
    ("stole", "steal"),
    ("stolen", "steal"),
    ("stood", "stand"),
    ("stuck", "stick"),
    ("sung", "sing"),
    ("sunk", "sink"),
    ("swam", "swim"),
    ("swept", "sweep"),
    ("swore", "swear"),
    ("sworn", "swear"),
    ("swum", "swim"),
    ("taken", "take"),
    ("taught", "teach"),
    ("teeth", "tooth"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("tore", "tear"),
    ("torn", "tear"),
    ("understood", "understand"),
    ("went", "go"),
    ("wives", "wife"),
    ("woke", "wake"),
    ("woken", "wake"),
    ("women", "woman"),
    ("won", "win"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("worse", "bad"),
    ("worst", "bad"),
    ("wove", "weave"),
    ("woven", "weave"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Numbers as words. Sorted, for binary search.
const NUMBERS: &[(&str, &str)] = &[
    ("dozen", "12"),
    ("eight", "8"),
    ("eighteen", "18"),
    ("eighth", "8"),
    ("eighty", "80"),
    ("eleven", "11"),
    ("eleventh", "11"),
    ("fifteen", "15"),
    ("fifth", "5"),
    ("fifty", "50"),
    ("first", "1"),
    ("five", "5"),
    ("forty", "40"),
    ("four", "4"),
    ("fourteen", "14"),
    ("fourth", "4"),
    ("hundred", "100"),
    ("nine", "9"),
    ("nineteen", "19"),
    ("ninety", "90"),
    ("ninth", "9"),
    ("one", "1"),
    ("seven", "7"),
    ("seventeen", "17"),
    ("seventh", "7"),
    ("seventy", "70"),
    ("six", "6"),
    ("sixteen", "16"),
    ("sixth", "6"),
    ("sixty", "60"),
    ("ten", "10"),
    ("tenth", "10"),
    ("third", "3"),
    ("thirteen", "13"),
    ("thirty", "30"),
    ("thousand", "1000"),
    ("three", "3"),
    ("twelfth", "12"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("twice", "2"),
    ("two", "2"),
];

/// The form under which a word without a rule is compared, or the digits of a number word.
pub(super) fn regular(word: &str) -> Option<&'static str> {
    let of = |table: &'static [(&str, &str)]| {
        let at = table.binary_search_by_key(&word, |(form, _)| form).ok()?;
        Some(table[at].1)
    };
    of(NUMBERS).or_else(|| of(IRREGULAR))
}

/// Whether a word is a number in digits.
pub(super) fn is_number(term: &str) -> bool {
    term.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is a number of one or two digits: of clocks, counts and lists.
pub(super) fn is_small_number(term: &str) -> bool {
    term.len() <= 2 && is_number(term)
}

/// Whether a word is a number that stands for one thing: of an order, a ticket, a telephone; no year and hardly a price.
pub(super) fn is_long_number(term: &str) -> bool {
    term.len() >= 5 && is_number(term)
}

/// The form under which a lower-case word is compared.
pub(super) fn form(word: &str) -> String {
    let first = word.chars().next();
    // No form without a rule begins with a digit.
    if first.is_some_and(|first| first.is_ascii_digit()) {
        return ordinal(word).map_or_else(|| stem(word), str::to_owned);
    }
    if let Some(regular) = regular(word) {
        return stem(regular);
    }
    match first {
        Some('\u{400}'..='\u{6ff}') => letters::without_endings(word).to_owned(),
        _ => stem(word),
    }
}

/// `8` of `8th`.
fn ordinal(word: &str) -> Option<&str> {
    let number = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_for_the_binary_search() {
        assert!(IRREGULAR.is_sorted() && NUMBERS.is_sorted());
    }
}
