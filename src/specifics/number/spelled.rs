//! Numbers in words: `twenty-one files` is `21 files`, `one and a half hours` is `1.5 hours`.

use super::NUMBER_WORDS;
use crate::specifics::unit;

/// Words behind which "one" stands for something.
const POINTERS: [&str; 8] = ["another", "each", "every", "old", "new", "that", "this", "which"];

/// A word with what stands behind it up to the next one.
struct Piece<'t> {
    word: &'t str,
    lower: String,
    gap: &'t str,
}

/// A text with figures for its number words.
pub(in crate::specifics) fn in_figures(text: &str) -> String {
    let pieces: Vec<Piece<'_>> = pieces(text);
    let mut out = String::with_capacity(text.len());
    let mut nth = 0;
    while let Some(piece) = pieces.get(nth) {
        // "That one" counts nothing.
        let pointed =
            nth > 0 && piece.lower == "one" && POINTERS.contains(&&*pieces[nth - 1].lower);
        let (value, taken) = number(&pieces[nth..]).filter(|_| !pointed).unwrap_or((0.0, 0));
        if taken == 0 {
            out.extend([piece.word, piece.gap]);
            nth += 1;
        } else {
            out.push_str(&value.to_string());
            nth += taken;
            out.push_str(pieces[nth - 1].gap);
        }
    }
    out
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | '\'' | '’');
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let word = rest[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
        let next = rest[end..].find(inside).map_or(rest.len(), |at| end + at);
        found.push(Piece { word, lower: word.to_lowercase(), gap: &rest[word.len()..next] });
        rest = &rest[next..];
    }
    found
}

/// The number that the first pieces say, and how many they are.
fn number(pieces: &[Piece<'_>]) -> Option<(f64, usize)> {
    let said = |nth: usize| pieces.get(nth).map(|piece| piece.lower.as_str());
    let joined = |nth: usize| pieces.get(nth).is_some_and(|piece| matches!(piece.gap, " " | "-"));
    let follow = |from: usize, words: &[&str]| {
        let each = words.iter().enumerate();
        each.clone().all(|(nth, word)| said(from + nth) == Some(*word))
            && (from.saturating_sub(1)..from + words.len() - 1).all(joined)
    };
    let article = |nth: usize| matches!(said(nth), Some("a" | "an")) && joined(nth);
    match said(0)? {
        "half" if joined(0) && article(1) => return Some((0.5, 2)),
        "a" if follow(1, &["quarter", "of"]) && joined(0) && article(3) => return Some((0.25, 4)),
        "three" if follow(1, &["quarters", "of"]) && article(3) => return Some((0.75, 4)),
        "a" | "an" if joined(0) => {
            let size = |word| size(word).map(|size| (size, 2));
            return said(1)
                .and_then(size)
                .or_else(|| said(1).filter(|word| unit::is_worded(word)).map(|_| (1.0, 1)));
        }
        _ => {}
    }
    let (value, taken) = cardinal(pieces)?;
    if joined(taken - 1) && follow(taken, &["and", "a", "half"]) {
        return Some((value + 0.5, taken + 3));
    }
    let spelled = pieces[..taken].iter().any(|piece| piece.word.starts_with(char::is_alphabetic));
    spelled.then_some((value, taken))
}

/// A whole number of words such as "two hundred and fifty", or a figure.
fn cardinal(pieces: &[Piece<'_>]) -> Option<(f64, usize)> {
    let first = pieces.first()?;
    let Some(mut sum) = word(&first.lower) else {
        return first.lower.parse().ok().map(|value| (value, 1));
    };
    let (mut last, mut taken, mut whole) = (sum, 1, 0.0);
    while let (Some(before), Some(piece)) = (pieces.get(taken - 1), pieces.get(taken)) {
        let and = piece.lower == "and" && last >= 100.0 && piece.gap == " ";
        let next = if and { pieces.get(taken + 1) } else { Some(piece) };
        let Some(next) = next.filter(|_| matches!(before.gap, " " | "-")) else { break };
        if let Some(size) = size(&next.lower).filter(|_| !and) {
            sum *= size;
            last = size;
            if size >= 1_000.0 {
                whole += sum;
                sum = 0.0;
            }
        } else if let Some(value) = word(&next.lower).filter(|&value| fits_behind(last, value)) {
            sum += value;
            last = value;
        } else {
            break;
        }
        taken += 1 + usize::from(and);
    }
    Some((whole + sum, taken))
}

/// Whether a number word goes on with a number: "five" behind "twenty" or "hundred".
fn fits_behind(last: f64, value: f64) -> bool {
    value < 10.0 && (20.0..100.0).contains(&last) || last >= 100.0 && value < last
}

fn word(word: &str) -> Option<f64> {
    // An Italian two is far more often an English date.
    let known = NUMBER_WORDS.iter().find(|(known, _)| *known == word && word != "due");
    known.map(|(_, value)| f64::from(*value))
}

fn size(word: &str) -> Option<f64> {
    Some(match word {
        "dozen" => 12.0,
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_words_are_figures_and_other_words_stay() {
        for (text, expected) in [
            ("twelve errors, twenty-one files.", "12 errors, 21 files."),
            ("two hundred and fifty of them", "250 of them"),
            ("one and a half hours", "1.5 hours"),
            ("3 and a half hours", "3.5 hours"),
            ("half an hour, half a kilo", "0.5 hour, 0.5 kilo"),
            ("a quarter of an hour", "0.25 hour"),
            ("a dozen eggs, two dozen", "12 eggs, 24"),
            ("three thousand five hundred", "3500"),
            ("two, three and four", "2, 3 and 4"),
            ("after a week, in a file", "after 1 week, in a file"),
            ("due on Monday at 10.5", "due on Monday at 10.5"),
            ("Three. Two", "3. 2"),
            ("one", "1"),
            ("half", "half"),
            ("", ""),
        ] {
            assert_eq!(in_figures(text), expected);
        }
    }
}
