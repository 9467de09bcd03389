//! Where sentences end: at their marks, but not behind an abbreviation, an ordinal or the number of a list.

use super::phrases::Marks;

/// A sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// As typed, without the space around it.
    pub(super) text: &'a str,
    /// It ends with a question mark.
    pub(super) asks: bool,
}

/// Bytes of a sentence beyond which it is cut at its semicolons, too.
const LONG: usize = 240;

/// The sentences of a text. A full stop ends one only before white space, so that `config.yaml` and
/// `3.5` stay whole.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let whole = divided(text, false).into_iter();
    let parts = whole.flat_map(|one| if one.len() > LONG { divided(one, true) } else { vec![one] });
    parts.filter_map(Sentence::of).collect()
}

/// The same, and what stands between semicolons: each may ask for something of its own.
pub(super) fn clauses(text: &str) -> Vec<Sentence<'_>> {
    divided(text, true).into_iter().filter_map(Sentence::of).collect()
}

impl<'a> Sentence<'a> {
    /// A text, if it says anything.
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let says = text.chars().any(char::is_alphanumeric);
        says.then(|| Self { text, asks: text.ends_with(['?', '？']) })
    }
}

/// A text from one end of a sentence to the next.
fn divided(text: &str, at_semicolons: bool) -> Vec<&str> {
    let (mut found, mut start, mut looked) = (Vec::new(), 0, 0);
    let next = |from: usize| {
        let rest = text.as_bytes().get(from..)?;
        Some(from + rest.iter().position(|&byte| MAY_END[usize::from(byte)])?)
    };
    while let Some(at) = next(looked) {
        looked = at + 1;
        let mut chars = text[at..].chars();
        let mark = chars.next();
        let behind = chars.as_str();
        let is_last = !behind.starts_with(|c: char| !c.is_whitespace());
        let ends = match mark {
            Some('\n' | '。' | '！' | '？') => true,
            Some('!' | '?') => is_last,
            Some(';') => is_last && at_semicolons,
            Some('.') => is_last && ends_one(&text[start..at], behind),
            _ => false,
        };
        if ends {
            let end = text.len() - behind.len();
            found.push(&text[start..end]);
            start = end;
        }
    }
    found.push(&text[start..]);
    found
}

/// For each byte whether it is a mark, or the first one of a mark, that ends sentences.
static MAY_END: [bool; 256] = {
    let (mut may_end, mut byte) = ([false; 256], 0);
    while byte < 256 {
        may_end[byte] = matches!(byte as u8, b'\n' | b'.' | b'!' | b'?' | b';' | 0xe3 | 0xef);
        byte += 1;
    }
    may_end
};

/// Something always follows on these: titles, and what leads to an example, a rough number or a name. Sorted, as are
/// the others.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "approx", "aprox", "bijv", "bspw", "bzgl", "bzw", "ca", "cf", "circa", "d.h", "dott", "dr",
    "dra", "e.g", "ej", "evtl", "exkl", "f.eks", "fr", "ggf", "hr", "i.d.r", "i.e", "inkl", "lt",
    "mind", "mlle", "mme", "mr", "mrs", "ms", "np", "p.ej", "p.ex", "prof", "resp", "sig", "sog",
    "sr", "sra", "st", "t.ex", "tj", "u.a", "ul", "v.a", "vgl", "vs", "z.b", "zzgl",
];

/// These are short for something only before a figure: months, and what is numbered.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "abr", "abs", "ago", "agos", "apr", "art", "aug", "avr", "cap", "ch", "chap", "dec", "dez",
    "dic", "déc", "ene", "ext", "feb", "febr", "fig", "fév", "févr", "gen", "giu", "jan", "janv",
    "juil", "jul", "jun", "kap", "lug", "mag", "mai", "mar", "max", "min", "mrz", "mär", "no",
    "nov", "nr", "num", "núm", "oct", "okt", "ott", "p", "pag", "par", "pos", "pp", "pág", "sec",
    "sep", "sept", "set", "tel", "tél", "vol",
];

/// These may end a sentence; where a small letter follows, they do not.
#[rustfmt::skip]
const MIDDLE: &[&str] = &[
    "bd", "co", "dept", "ecc", "etc", "ex", "ext", "geb", "hrs", "inc", "incl", "jr", "ltd", "max",
    "min", "mio", "mrd", "sek", "std", "tel", "usf", "usw",
];

/// What may begin like one of any of them.
const SHORT: Marks = Marks::of(LEADING).and(Marks::of(NUMBERED)).and(Marks::of(MIDDLE));

/// Small words before an ordinal, in languages that write one with a full stop: `am 3. Februar`, `im 2. Stock`.
#[rustfmt::skip]
const BEFORE_ORDINALS: &[&str] = &[
    "ab", "am", "beim", "das", "dem", "den", "der", "des", "det", "die", "im", "jede", "jeden", "jeder", "jedes", "vom",
    "zum", "zur",
];

/// How the months begin in these languages.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "jan", "jän", "feb", "mär", "mar", "apr", "mai", "maj", "jun", "jul", "aug", "sep", "okt", "oct", "nov", "dez", "dec",
];

/// Whether a full stop between two texts, the latter of which begins with white space or is empty, ends a sentence.
fn ends_one(before: &str, behind: &str) -> bool {
    let line = behind.split('\n').next().unwrap_or_default();
    let next =
        line.trim_start_matches(|sign: char| sign.is_whitespace() || "*_`(\"'„“«[".contains(sign));
    let Some(sign) = next.chars().next() else { return true };
    let token = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    // A full stop that stands alone, as in `COPY . .`, is a name.
    if token.is_empty() {
        return false;
    }
    let word = token.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let is_first = before.trim_start().len() == token.len();
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (None, _) => true,
        (Some(digit), _) if digit.is_ascii_digit() => {
            !(is_first && is_number(word)
                || is_ordinal(&before[..before.len() - token.len()], word, next))
        }
        (Some(_), None) => {
            let others = before[..before.len() - token.len()].trim_end().ends_with('.');
            !(is_first || others || is_initial(next) || goes_on(sign))
        }
        _ => !is_abbreviation(word, sign),
    }
}

/// Whether a sentence does not begin with a sign.
fn goes_on(sign: char) -> bool {
    sign.is_lowercase() || sign.is_ascii_digit()
}

/// Whether a text begins with a letter and a full stop.
fn is_initial(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(char::is_alphabetic) && signs.next() == Some('.')
}

/// Whether a number is one of days, floors or items: no year and no price.
fn is_number(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ordinal(before: &str, word: &str, next: &str) -> bool {
    let said = before.split_whitespace().next_back().unwrap_or_default();
    let leads = || BEFORE_ORDINALS.iter().any(|lead| said.eq_ignore_ascii_case(lead));
    let lowered: String = next.chars().take(3).flat_map(char::to_lowercase).collect();
    is_number(word)
        && (next.starts_with(char::is_lowercase) || leads() || MONTHS.contains(&&*lowered))
}

/// Whether a word before a full stop is short for another one, with what stands behind it.
fn is_abbreviation(word: &str, next: char) -> bool {
    let has_inner = || word.bytes().any(|byte| byte == b'.');
    let is_street = || next.is_ascii_digit() && word.ends_with("str");
    if !SHORT.may_hold(word) && !has_inner() {
        return is_street();
    }
    let lowered = word.to_lowercase();
    let is_one = |known: &[&str]| known.binary_search(&&*lowered).is_ok();
    is_one(LEADING)
        || next.is_ascii_digit() && (is_one(NUMBERED) || is_street())
        || goes_on(next) && (is_one(MIDDLE) || is_of_initials(word))
}

/// Whether a word is made of beginnings of words: `p.m`, `U.S`.
fn is_of_initials(word: &str) -> bool {
    let is_short = |part: &str| (1..=3).contains(&part.chars().count());
    word.contains('.') && word.split('.').all(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        sentences(text).iter().map(|one| one.text).collect()
    }

    #[test]
    fn abbreviations_are_sorted_for_the_binary_search() {
        for known in [LEADING, NUMBERED, MIDDLE] {
            assert!(known.is_sorted(), "{known:?}");
            assert!(known.iter().all(|word| SHORT.may_hold(word)));
        }
    }

    #[test]
    fn sentences_end_at_their_marks_and_not_inside_names_and_numbers() {
        let all = found("See config.yaml: 3.5 s. Really?\nYes");
        assert_eq!(all, ["See config.yaml: 3.5 s.", "Really?", "Yes"]);
    }

    #[test]
    fn no_sentence_ends_behind_an_abbreviation_an_ordinal_or_a_number_of_a_list() {
        for text in [
            "Die Mitteilung kam am 3. Februar.",
            "wegen der Preiserhöhung vom 3. Februar zum nächstmöglichen Termin",
            "Wir wohnen im 2. Stock",
            "Das Fest ist 24. December 2026",
            "Det er på 3. sal",
            "so **Mar. 19-20**, or Apr. 2-3",
            "Lindenstr. 8, 50674 Köln",
            "The slow steps are `COPY . .`, `RUN npm install`",
            "The farm house *Kaupen No. 6* has one room",
            "Es kostet ca. 20 Euro, z. B. im Baumarkt, bzw. online",
            "Use a spare server, e.g. the large one, i.e. not this",
            "Escalation after 15 min. to Maria K. (ext. 4417)",
            "Dr. Smith and Mrs. Jones meet Sr. Pérez, p. ej. hoy",
            "At 9 p.m. the train leaves",
            "1. Install it with apt",
            "B. The second way",
            "Er heißt J. R. R. Tolkien und schreibt u. a. Gedichte, z. B. Balladen",
            "Nüsse, Milch usw. lieber weglassen",
            "Das geht seit Oktober; der Vermieter darf nur noch mitreden",
        ] {
            assert_eq!(found(text), [text]);
        }
    }

    #[test]
    fn others_do() {
        for (text, ends) in [
            ("It costs 31. Then we talk.", "31."),
            ("No. We take the train.", "No."),
            ("We take plan B. Go on.", "B."),
            ("It was in Mar. The price fell.", "Mar."),
            ("Nuts, milk etc. They stay out.", "etc."),
            ("It takes 15 min. Then stir.", "min."),
            ("It began in 2024. In May it ended.", "2024."),
            ("We leave at 9 p.m. Bring tea.", "p.m."),
            ("Well... Not yet.", "..."),
        ] {
            let all = found(text);
            assert!(all.len() == 2 && all[0].ends_with(ends), "{all:?}");
        }
    }

    #[test]
    fn semicolons_end_what_asks_for_something_and_part_what_is_long() {
        let text = "That is done; let's plan the trip";
        let all: Vec<&str> = clauses(text).iter().map(|one| one.text).collect();
        assert_eq!(all, ["That is done;", "let's plan the trip"]);
        assert_eq!(found(text), [text]);
        let long = format!("{}; {}", "one ".repeat(40).trim(), "two ".repeat(40).trim());
        assert_eq!(found(&long).len(), 2);
    }
}
