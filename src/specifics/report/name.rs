//! Whether a text names a person by the last name.

use super::text::is_letter;
use crate::specifics::name::is_given;
use crate::specifics::words::Words;

/// Words in front of a name that are none themselves; what people do may begin a sentence.
static TITLES: Words = Words::new(
    "Architect Attorney Chef Coach Colleague Doctor Dr Frau Guide Herr Herrn Judge Landlady Landlord Mechanic Mr Mrs Ms \
     Nurse Prof Sir Trainer Vet",
);

/// What words end with that say what people do, of so many letters at least: `Auditor`, `Steuerberaterin`.
const DOERS: [&str; 8] = ["ant", "ent", "er", "erin", "eur", "ist", "or", "orin"];
const SHORTEST_DOER: usize = 6;

/// First words of firms that are those of many.
static OF_FIRMS: Words = Words::new(
    "Advanced Allgemeine Alpha American Associated Atlantic Best Blue British Capital Central City Clear Cloud Data Deutsche \
     Digital Eastern European Express First French General German Global Golden Grand Great Green Group Grupo International \
     Italian Modern National Network North Northern Nueva Open Pacific Premier Prime Public Royal Service Smart South Southern \
     Spanish Standard Studio Summit Swiss System Systems Tech Technology Union United Universal Western White World",
);

/// Last words of names that many places and things share.
static SHARED: Words = Words::new(
    "academy airport allee analytics arena avenue bakery bank bar bay beach board bridge brewery bureau café castle center centre \
     church clinic club college company council court data farm field gallery garden gardens gate group hall harbour hill \
     hospital hotel house inn institute island lake lane library lodge market mill museum office park partners pharmacy place \
     platz plaza port queen restaurant river road school shop square station store straße street studio systems team theatre \
     tower trust union university valley view village weg",
);

/// Words with a capital in front of a name that are none: those with which sentences begin.
static BEGINNINGS: Words = Words::new(
    "After And As Ask Because Before But Dann Die For From Für If Mit Now Only Or Since So Tell That The Then There To Und Until Wenn \
     When Where While Who With",
);

/// The shortest first word by which a firm is called, in letters.
const TELLING: usize = 5;

/// The shortest last name that stands for a person.
const SHORTEST: usize = 3;

/// Whether a text says a last name, and not as that of somebody else. Takes the name in small letters.
pub(super) fn holds_surname(text: &str, last: &str) -> bool {
    let mut before = "";
    let mut found = false;
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| !is_letter(c) && c != '-');
        let name = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let is_name = name.starts_with(char::is_uppercase) && name.to_lowercase() == last;
        let lead = before.trim_start_matches(|c: char| !is_letter(c));
        let is_near = before.ends_with(is_letter) && !word.starts_with('(');
        let is_doer = TITLES.holds(lead) || is_doer(lead) && !SHARED.holds(last);
        // `above 2,000 EUR Lindqvist signs`
        let is_code = lead.len() > 1 && lead.chars().all(char::is_uppercase);
        let is_first = lead.starts_with(char::is_uppercase) && !is_code && !BEGINNINGS.holds(lead);
        let is_other = is_near && is_first && !is_doer;
        found |= is_name && last.len() >= SHORTEST && !is_other;
        before = word;
    }
    found
}

/// Whether a word with a capital says what somebody does, and is no first name.
fn is_doer(word: &str) -> bool {
    let is_one = DOERS.iter().any(|ending| word.ends_with(ending));
    word.chars().count() >= SHORTEST_DOER && is_one && !is_given(word)
}

/// Whether a text calls a firm by the first word of its name, if that tells it from others. Takes the name in small letters
/// without what says of what sort the firm is.
pub(super) fn holds_firm(text: &str, firm: &str) -> bool {
    let first = firm.split([' ', ',']).next().unwrap_or_default();
    let words = || text.split(|c: char| !is_letter(c) && c != '-');
    first.chars().count() >= TELLING
        && words().any(|word| {
            let is_it = word.starts_with(char::is_uppercase) && word.to_lowercase() == first;
            is_it && !is_given(word) && !OF_FIRMS.holds(word)
        })
}

/// Letters that are not on each keyboard, what they are without their marks, and what stands for them.
const MARKED: [(&str, &str, &str); 19] = [
    ("ä", "a", "ae"),
    ("ö", "o", "oe"),
    ("ü", "u", "ue"),
    ("ø", "o", "oe"),
    ("å", "a", "aa"),
    ("ß", "ss", "ss"),
    ("æ", "ae", "ae"),
    ("áàâãăą", "a", "a"),
    ("çćč", "c", "c"),
    ("ďđ", "d", "d"),
    ("éèêëěę", "e", "e"),
    ("íìîïı", "i", "i"),
    ("łľ", "l", "l"),
    ("ñńň", "n", "n"),
    ("óòôõő", "o", "o"),
    ("úùûůű", "u", "u"),
    ("śšşș", "s", "s"),
    ("ý", "y", "y"),
    ("źżž", "z", "z"),
];

/// A name in small letters as people write it who lack its letters, in both ways: `muller` and `mueller` for `müller`. `None`
/// if it has none of them.
pub(super) fn plain(name: &str) -> Option<[String; 2]> {
    let written = |way: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let mut plain = String::with_capacity(name.len());
        for letter in name.chars() {
            match MARKED.iter().find(|(marked, ..)| marked.contains(letter)) {
                Some(marked) => plain.push_str(way(marked)),
                None => plain.push(letter),
            }
        }
        plain
    };
    let ways = [written(|marked| marked.1), written(|marked| marked.2)];
    (ways[0] != name).then_some(ways)
}

/// Whether a text in its own letters says that something is somebody's, as German does: `Timos Auto`.
pub(super) fn holds_owner(text: &str, name: &str) -> bool {
    let mut words = text.split(' ').peekable();
    let mut found = false;
    while let Some(word) = words.next() {
        let bare = word.trim_start_matches(|c: char| !is_letter(c));
        let is_owner = bare.strip_suffix('s').is_some_and(|owner| owner.to_lowercase() == name);
        // `Jens Auer` is another one.
        let owns = words.peek().is_some_and(|next| next.starts_with(char::is_uppercase));
        found |= is_owner && owns && bare.starts_with(char::is_uppercase) && !is_given(bare);
    }
    found
}
