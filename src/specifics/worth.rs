//! What figures are worth.

use crate::lines::one_line;

/// How many times as much a word makes of a figure.
pub(super) fn magnitude(word: &str, priced: bool) -> Option<f64> {
    Some(match word {
        "k" | "K" | "thousand" | "Tausend" | "Tsd" | "Tsd." | "mila" => 1e3,
        "m" if priced => 1e6,
        "M" | "million" | "millions" | "Millionen" | "millones" | "Mio" | "Mio." | "mn" => 1e6,
        "trillion" => 1e12,
        "bn" | "billion" | "Mrd" | "Mrd." | "Milliarden" | "milliards" => 1e9,
        "B" if priced => 1e9,
        "dozen" => 12.0,
        "hundred" => 1e2,
        _ => return None,
    })
}

/// The value of a figure in any of the usual ways to write one; `None` for fractions.
pub(super) fn of(figure: &str) -> Option<f64> {
    if figure.contains(['/', '½', '¼', '¾', '⅓', '⅔', '⅛', '⅜', '⅝', '⅞']) {
        return None;
    }
    let plain: String =
        figure.chars().filter(|c| !matches!(c, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')).collect();
    let decimal = match (plain.rfind('.'), plain.rfind(',')) {
        (Some(point), Some(comma)) => Some(point.max(comma)),
        (Some(at), None) | (None, Some(at)) => {
            let grouped = plain.len() - at == 4 && !plain.starts_with('0');
            let several = plain.matches(['.', ',']).count() > 1;
            (!grouped && !several).then_some(at)
        }
        (None, None) => None,
    };
    let digits: String = plain
        .char_indices()
        .filter_map(
            |(at, c)| if Some(at) == decimal { Some('.') } else { c.is_ascii_digit().then_some(c) },
        )
        .collect();
    digits.parse().ok()
}

/// A figure with signs for its fractions as sums of plain ones.
pub(super) fn vulgar(figure: &str) -> String {
    let signs = [
        ("½", "1/2"),
        ("¼", "1/4"),
        ("¾", "3/4"),
        ("⅓", "1/3"),
        ("⅔", "2/3"),
        ("⅛", "1/8"),
        ("⅜", "3/8"),
        ("⅝", "5/8"),
        ("⅞", "7/8"),
    ];
    let spaced = signs
        .iter()
        .fold(figure.to_owned(), |text, (sign, plain)| text.replace(sign, &format!(" {plain}")));
    one_line(&spaced).replace(' ', "+")
}
