//! Whole numbers in words: `two hundred and fifty`, `vingt et un`, `vierundzwanzig`.

use super::{Piece, figure_word};
use crate::specifics::unit;

/// Number words that mean something else wherever no unit is behind them: `once a day`, `it is due`, `3 sept`.
const UNSURE: [&str; 6] = ["cent", "due", "once", "otto", "sei", "sept"];

/// The number that the first words say, and how many they are; a figure is one, too.
pub(super) fn read(pieces: &[Piece<'_>]) -> Option<(f64, usize)> {
    let first = pieces.first()?;
    let Some(mut sum) = word(pieces, 0).or_else(|| one_thousand(pieces)) else {
        return first.lower.parse().ok().map(|value| (value, 1));
    };
    let (mut last, mut taken, mut whole) = (sum, 1, 0.0);
    while let (Some(before), Some(piece)) = (pieces.get(taken - 1), pieces.get(taken)) {
        let and = is_link(&piece.lower, last) && piece.gap == " ";
        let at = taken + usize::from(and);
        let Some(next) = pieces.get(at).filter(|_| matches!(before.gap, " " | "-")) else { break };
        let thousand = || is_thousand(&next.lower).then_some(1e3);
        if let Some(size) = size(&next.lower).or_else(thousand).filter(|_| !and) {
            sum *= size;
            last = size;
            if size >= 1_000.0 {
                whole += sum;
                sum = 0.0;
            }
        } else if let Some(value) = linked_one(&next.lower, and)
            .or_else(|| word(pieces, at))
            .filter(|&value| fits_behind(last, value))
        {
            sum += value;
            last = value;
        } else {
            break;
        }
        taken = at + 1;
    }
    Some((whole + sum, taken))
}

/// Whether a word links the parts of a number: `hundred and five`, `treinta y cinco`.
fn is_link(word: &str, last: f64) -> bool {
    word == "and" && last >= 100.0 || matches!(word, "et" | "y") && (20.0..100.0).contains(&last)
}

/// One behind a link: `vingt et un`.
fn linked_one(word: &str, linked: bool) -> Option<f64> {
    (linked && matches!(word, "un" | "une" | "uno")).then_some(1.0)
}

/// Whether a number word goes on with a number: "five" behind "twenty" or "hundred", "dix" behind "soixante".
fn fits_behind(last: f64, value: f64) -> bool {
    let tens = value < 10.0 && (20.0..100.0).contains(&last);
    tens || value < 20.0 && (60.0..70.0).contains(&last) || last >= 100.0 && value < last
}

/// The number that a word is.
fn word(pieces: &[Piece<'_>], at: usize) -> Option<f64> {
    let word = pieces.get(at)?.lower.as_str();
    let is_sure = || pieces.get(at + 1).is_some_and(|next| unit::is_worded(&next.lower));
    let known = figure_word(word).filter(|_| !UNSURE.contains(&word) || is_sure());
    known.or_else(|| compound(word)).map(f64::from)
}

/// One word of several numbers: `vierundzwanzig`, `veinticuatro`, `dreihundertfünf`.
fn compound(word: &str) -> Option<u32> {
    if let Some(many) = many_in_german(word) {
        return Some(many);
    }
    if let Some((ones, tens)) = word.split_once("und") {
        let ones = if ones == "ein" { Some(1) } else { figure_word(ones) };
        let (ones, tens) = (ones.filter(|&ones| ones < 10)?, figure_word(tens)?);
        return (20..100).contains(&tens).then_some(tens + ones);
    }
    let ones = word.strip_prefix("veinti").or_else(|| word.strip_prefix("venti"))?;
    figure_word(ones).filter(|&ones| ones < 10).map(|ones| 20 + ones)
}

/// Hundreds and thousands of German, which are one word with what stands around them; alone they may be any number.
fn many_in_german(word: &str) -> Option<u32> {
    // Longer ones are no numbers, and would be looked into part by part.
    const LONGEST: usize = 80;
    if word.len() > LONGEST {
        return None;
    }
    let (name, size) = if word.contains("tausend") { ("tausend", 1_000) } else { ("hundert", 100) };
    let (before, behind) = word.split_once(name)?;
    let part = |part: &str| match part {
        "ein" => Some(1),
        part => figure_word(part).or_else(|| compound(part)).filter(|&part| part < size),
    };
    let times = if before.is_empty() { 1 } else { part(before)? };
    let rest = if behind.is_empty() { 0 } else { part(behind)? };
    (word != name).then_some(times * size + rest)
}

/// Whether a word is the thousand of another language; in English one of them is a short mile.
fn is_thousand(word: &str) -> bool {
    matches!(word, "duizend" | "mil" | "mila" | "mille" | "tausend")
}

/// A thousand by itself, where a unit of money or measure follows: `mil euros`.
fn one_thousand(pieces: &[Piece<'_>]) -> Option<f64> {
    let [thousand, next, ..] = pieces else { return None };
    let measured = || thousand.gap == " " && !unit::measures(&next.lower).is_empty();
    // `mille` and `mil` are names as well.
    (is_thousand(&thousand.lower) && next.lower.len() > 1 && measured()).then_some(1e3)
}

/// How many times as much a word makes of the number before it.
pub(super) fn size(word: &str) -> Option<f64> {
    Some(match word {
        "dozen" => 12.0,
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        _ => return None,
    })
}
