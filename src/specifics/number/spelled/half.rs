//! Halves in words: `half an hour`, `eine halbe Stunde`, `una hora y media`.

use super::{From, Said, figure_word, share};

/// What adds half of one to the number or the unit in front of it.
const MORE: [&[&str]; 7] = [
    &["and", "a", "half"],
    &["et", "demi"],
    &["et", "demie"],
    &["y", "media"],
    &["y", "medio"],
    &["e", "mezza"],
    &["e", "mezzo"],
];

/// What says half of a unit behind it.
const HALVES: [&[&str]; 12] = [
    &["half"],
    &["eine", "halbe"],
    &["einer", "halben"],
    &["einen", "halben"],
    &["halbe"],
    &["halben"],
    &["media"],
    &["medio"],
    &["une", "demi"],
    &["un", "demi"],
    &["mezza"],
    &["mezzo"],
];

/// How many words add half of one, from one on.
pub(super) fn more(from: From<'_, '_>, at: usize) -> Option<usize> {
    MORE.iter().find(|words| from.follow(at, words)).map(|words| words.len())
}

/// Halves and quarters of one, and one with a half.
pub(super) fn read(from: From<'_, '_>) -> Option<Said> {
    let article = |nth: usize| matches!(from.word(nth), Some("a" | "an")) && from.joined(nth);
    match from.word(0)? {
        "half" if from.joined(0) && article(1) => return Some(Said::of(0.5, 2)),
        "a" if from.word(2) == Some("of") && from.joined(0) && from.joined(1) && article(3) => {
            return Some(Said::of(1.0 / from.word(1).and_then(share::part)?, 4));
        }
        // `every quarter of a minute`, `a quarter second`
        "quarter"
            if EVERY.contains(&from.before)
                && (from.follow(1, &["of", "a"]) || from.follow(1, &["of", "an"])) =>
        {
            return Some(Said::of(0.25, 3));
        }
        "a" if from.word(1) == Some("quarter") && from.joined(0) && is_short_unit(from) => {
            return Some(Said::of(0.25, 2));
        }
        "three" if from.follow(1, &["quarters", "of"]) && article(3) => {
            return Some(Said::of(0.75, 4));
        }
        "anderthalb" | "anderhalve" => return Some(Said::of(1.5, 1)),
        "viertelstunde" => return Some(Said { text: "0.25 Stunden".to_owned(), taken: 1 }),
        "dreiviertelstunde" => return Some(Said { text: "0.75 Stunden".to_owned(), taken: 1 }),
        // By itself `half second` may be one that comes second.
        "half" if EVERY.contains(&from.before) && from.follow(1, &["second"]) => {
            return Some(Said::of(0.5, 1));
        }
        "a" | "one" if from.word(1) == Some("fortnight") => {
            return Some(Said { text: "14 days".to_owned(), taken: 2 });
        }
        "un" if QUARTERS.iter().any(|words| from.follow(1, words)) => {
            return Some(Said { text: "0.25 hours".to_owned(), taken: 4 });
        }
        word if word.ends_with("einhalb") => return with_half(word),
        _ => {}
    }
    let half = HALVES.iter().find(|words| from.follow(0, words) && from.is_unit(words.len()));
    half.map(|words| Said::of(0.5, words.len()))
}

/// What says a quarter of an hour behind its article.
const QUARTERS: [&[&str]; 3] =
    [&["quart", "d'heure"], &["cuarto", "de", "hora"], &["quarto", "d'ora"]];

/// Words in front of how often something happens.
const EVERY: [&str; 2] = ["each", "every"];

/// Whether a unit of which people tell a quarter stands behind two words; `a quarter year` may be three months, too.
fn is_short_unit(from: From<'_, '_>) -> bool {
    const UNITS: [&str; 4] = ["hour", "mile", "minute", "second"];
    from.joined(1) && from.word(2).is_some_and(|unit| UNITS.contains(&unit))
}

/// A number with a half in one word: `zweieinhalb`.
fn with_half(word: &str) -> Option<Said> {
    let whole = word.strip_suffix("einhalb")?;
    let whole = if whole == "ein" { Some(1) } else { figure_word(whole) };
    whole.map(|whole| Said::of(f64::from(whole) + 0.5, 1))
}
