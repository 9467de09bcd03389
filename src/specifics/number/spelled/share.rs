//! Shares in words, which are told in per cent as well: `one fifth of the users`, `die Hälfte der Nutzer`.

use super::cardinal;
use super::{From, Said};

/// What a whole is divided by.
const PARTS: &[(&str, f64)] = &[
    ("half", 2.0),
    ("third", 3.0),
    ("thirds", 3.0),
    ("quarter", 4.0),
    ("quarters", 4.0),
    ("fifth", 5.0),
    ("fifths", 5.0),
    ("eighth", 8.0),
    ("eighths", 8.0),
    ("tenth", 10.0),
    ("tenths", 10.0),
    ("twentieth", 20.0),
    ("twentieths", 20.0),
    ("hundredth", 100.0),
    ("hälfte", 2.0),
    ("drittel", 3.0),
    ("viertel", 4.0),
    ("fünftel", 5.0),
    ("zehntel", 10.0),
    ("zwanzigstel", 20.0),
    ("moitié", 2.0),
    ("tiers", 3.0),
    ("quart", 4.0),
    ("quarts", 4.0),
    ("cinquième", 5.0),
    ("dixième", 10.0),
    ("vingtième", 20.0),
    ("mitad", 2.0),
    ("tercio", 3.0),
    ("tercios", 3.0),
    ("cuarto", 4.0),
    ("cuartos", 4.0),
    ("quinto", 5.0),
    ("metà", 2.0),
];

/// Articles of a share beyond those that stand for one.
const ARTICLES: [&str; 3] = ["der", "die", "la"];

/// Words that lead from a share to its whole.
const OF: [&str; 9] = ["aller", "de", "degli", "dei", "del", "der", "des", "du", "of"];

/// Words behind which a share needs no whole: `under a quarter`.
const LIMITS: [&str; 7] = ["above", "below", "by", "exceeds", "over", "than", "under"];

/// The same where a clause ends behind the share: `nearly a fifth`.
const ABOUT: [&str; 7] = ["about", "almost", "around", "least", "most", "nearly", "roughly"];

/// Words with which another clause begins behind it.
const CLAUSES: [&str; 9] =
    ["after", "and", "but", "compared", "or", "since", "when", "while", "with"];

/// What a whole is divided by where a word names one of its parts.
pub(super) fn part(word: &str) -> Option<f64> {
    PARTS.iter().find(|(known, _)| *known == word).map(|(_, under)| *under)
}

/// The share that the first words say, in per cent.
pub(super) fn read(from: From<'_, '_>) -> Option<Said> {
    if let Some(said) = one_in(from) {
        return Some(said);
    }
    let (over, taken) = numerator(from)?;
    let name = from.word(taken)?;
    let under = part(name)?;
    let of = from.word(taken + 1).filter(|_| from.joined(taken));
    let whole = of.is_some_and(|of| OF.contains(&of))
        || name == "half" && matches!(of, Some("all" | "our" | "the" | "their"));
    // Half of an hour is an amount, and no share.
    let unit = matches!(from.word(taken + 2), Some("a" | "an")) || from.is_unit(taken + 2);
    let is_next = |word: &str| !from.joined(taken) || CLAUSES.contains(&word);
    let is_last = from.word(taken + 1).is_none_or(is_next);
    let is_amount = name == "half" && (from.is_article(taken + 1) || from.is_unit(taken + 1));
    // `one quarter` may be three months, and so may more of them.
    let is_one = from.word(0) == Some("one") && name != "quarter" && is_last;
    let are_parts = over > 1.0 && name.ends_with("ths") && !from.is_unit(taken + 1);
    // `a tenth` may be the one behind the ninth.
    let is_small = from.is_article(0) && under >= 20.0 && name.ends_with("th") && is_last;
    let limit = LIMITS.contains(&from.before) && of != Some("of") && !is_amount
        || ABOUT.contains(&from.before) && is_last
        || is_one
        || are_parts
        || is_small;
    let percent = (100.0 * over / under).round();
    let told = (whole && !unit || limit) && percent <= 100.0;
    told.then(|| Said { text: format!("{percent} %"), taken: taken + 1 })
}

/// One of so many: `one in forty` are 2.5 %.
fn one_in(from: From<'_, '_>) -> Option<Said> {
    const FEWEST: f64 = 3.0;
    const MOST: f64 = 1_000.0;
    if from.word(0) != Some("one") || !from.follow(1, &["in"]) || !from.joined(1) {
        return None;
    }
    let (many, taken) = cardinal::read(&from.pieces[2..])?;
    let is_unit = from.is_unit(2 + taken);
    // As of other shares, whole per cents where there are many.
    let percent = match 100.0 / many {
        large @ 10.0.. => large.round(),
        small => (small * 100.0).round() / 100.0,
    };
    ((FEWEST..=MOST).contains(&many) && !is_unit)
        .then(|| Said { text: format!("{percent} %"), taken: 2 + taken })
}

/// How many parts there are, and the words that say it: an article is one, and `half` needs none.
fn numerator(from: From<'_, '_>) -> Option<(f64, usize)> {
    let first = from.word(0)?;
    if first == "half" {
        return Some((1.0, 0));
    }
    if from.is_article(0) || ARTICLES.contains(&first) && from.joined(0) {
        return Some((1.0, 1));
    }
    cardinal::read(from.pieces).filter(|(_, taken)| from.joined(taken - 1))
}
