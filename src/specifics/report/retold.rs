//! Amounts that a summary tells in a form of its own: with the unit in a name (`readTimeoutMs: 3000`), in brackets (`fees
//! (EUR): 150, 210`) or behind a list only (`80/120/300 ms`), or in a word (`x342`, `threefold`, `q8h`).

use std::borrow::Cow;

use super::setting::in_words;
use super::text::is_letter;
use crate::specifics::number::figure_word;
use crate::specifics::unit;

/// Signs around a word that are none of it.
const MARKS: [char; 16] =
    ['(', ')', '[', ']', '{', '}', ',', ';', ':', '.', '!', '?', '`', '"', '\'', '*'];

/// Units that names end with, in small letters, and as people write them behind a figure. `pool_min` is no time.
const NAMED: [(&str, &str); 39] = [
    ("ms", "ms"),
    ("msec", "ms"),
    ("millis", "ms"),
    ("milliseconds", "ms"),
    ("micros", "µs"),
    ("ns", "ns"),
    ("nanos", "ns"),
    ("s", "s"),
    ("sec", "s"),
    ("secs", "s"),
    ("seconds", "s"),
    ("sekunden", "s"),
    ("secondes", "s"),
    ("segundos", "s"),
    ("mins", "min"),
    ("minutes", "min"),
    ("minuten", "min"),
    ("hours", "h"),
    ("stunden", "h"),
    ("days", "days"),
    ("tage", "days"),
    ("weeks", "weeks"),
    ("bytes", "bytes"),
    ("kb", "kB"),
    ("mb", "MB"),
    ("gb", "GB"),
    ("tb", "TB"),
    ("kib", "KiB"),
    ("mib", "MiB"),
    ("gib", "GiB"),
    ("pct", "%"),
    ("percent", "%"),
    ("eur", "EUR"),
    ("usd", "USD"),
    ("gbp", "GBP"),
    ("chf", "CHF"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("px", "px"),
];

/// What may stand between a name and its value.
const LINKS: [&str; 12] =
    [": ", ":", " = ", "=", " is ", " to ", " of ", " at ", " was ", " from ", " -> ", " "];

/// A text with such amounts behind it, each on a line of its own with its unit.
pub(super) fn in_units(text: &str) -> Cow<'_, str> {
    let mut told = Vec::new();
    for line in text.lines().filter(|line| line.contains(|c: char| c.is_alphanumeric())) {
        named(line, &mut told);
        bracketed(line, &mut told);
        listed(line, &mut told);
        let words: Vec<&str> = line.split_whitespace().collect();
        told.extend((0..words.len()).filter_map(|nth| in_a_word(&words, nth)));
    }
    if told.is_empty() {
        return text.into();
    }
    format!("{text}\n{}", told.join(".\n")).into()
}

/// The figure with which a text begins, if it has no unit.
fn leading_figure(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['"', '\'', '`']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && !".,_".contains(c));
    let figure = rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', ',', '_']);
    let behind = &rest[figure.len()..];
    let is_whole = figure.starts_with(|c: char| c.is_ascii_digit())
        && !behind.starts_with(|c: char| is_letter(c) || "%-–/:€$".contains(c));
    is_whole.then_some(figure)
}

/// The figures of names that end with their unit: `read timeout 3000 ms` of `readTimeoutMs: 3000`.
fn named(line: &str, told: &mut Vec<String>) {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut at = 0;
    while let Some(start) = line[at..].find(|c: char| c.is_ascii_alphabetic()).map(|far| at + far) {
        let end = line[start..].find(|c| !is_of_name(c)).map_or(line.len(), |far| start + far);
        at = end;
        let Some(words) = in_words(&line[start..end]) else { continue };
        let Some((what, last)) = words.trim().rsplit_once(' ') else { continue };
        let Some((_, unit)) = NAMED.iter().find(|(name, _)| *name == last) else { continue };
        let rest = line[end..].trim_start_matches(['"', '\'', '`']);
        let value = LINKS.iter().find_map(|link| rest.strip_prefix(link));
        if let Some(figure) = value.and_then(leading_figure) {
            told.push(format!("{what} {} {unit}", figure.replace('_', "")));
        }
    }
}

/// The figures behind a unit in brackets, or behind `in` and a unit: `timeout (ms): 25000`, `latency in ms: 80, 120`.
fn bracketed(line: &str, told: &mut Vec<String>) {
    const OPENINGS: [&str; 3] = [" (", " [", " in "];
    for opening in OPENINGS {
        for (at, _) in line.match_indices(opening) {
            let rest = &line[at + opening.len()..];
            let end = rest.find([')', ']', ':', '=', ' ']).unwrap_or(rest.len());
            let (unit, behind) = rest.split_at(end);
            let is_unit = unit::canonical(unit).is_some() && unit != "in";
            let closed = behind.strip_prefix([')', ']']);
            let behind = match closed {
                Some(behind) if opening != " in " => behind.trim_start_matches([':', '=', ' ']),
                None if opening == " in " => match behind.trim_start().strip_prefix([':', '=']) {
                    Some(behind) => behind.trim_start(),
                    None => continue,
                },
                _ => continue,
            };
            if is_unit {
                let lead = last_words(&line[..at]);
                told.extend(figures(behind).map(|figure| format!("{lead} {figure} {unit}")));
            }
        }
    }
}

/// The last words of a text, up to a sign.
fn last_words(text: &str) -> &str {
    const MOST: usize = 3;
    let clause = text.rsplit([',', ';', ':', '.', '(', '|']).next().unwrap_or_default();
    let start = clause.rmatch_indices(' ').nth(MOST - 1).map_or(0, |(at, _)| at);
    clause[start..].trim()
}

/// The figures of a list with which a text begins: `150, 210 and 35`.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    const BETWEEN: [&str; 8] = [", ", " / ", "/", " and ", " und ", " et ", " y ", "; "];
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let from = rest.take()?;
        let digits = from.find(|c: char| !c.is_ascii_digit() && !".,".contains(c));
        let figure = from[..digits.unwrap_or(from.len())].trim_end_matches(['.', ',']);
        let behind = &from[figure.len()..];
        let is_figure = figure.starts_with(|c: char| c.is_ascii_digit())
            && !behind.starts_with(|c: char| is_letter(c) || "%-–:€$".contains(c));
        rest = BETWEEN.iter().find_map(|between| behind.strip_prefix(between));
        is_figure.then_some(figure)
    })
}

/// Each figure of a list between slashes whose last one has a unit: `80/120/300 ms`.
fn listed(line: &str, told: &mut Vec<String>) {
    const FEWEST: usize = 3;
    let words: Vec<&str> = line.split_whitespace().collect();
    for (nth, word) in words.iter().enumerate() {
        let bare = word.trim_start_matches(MARKS);
        let end = bare.find(|c: char| !c.is_ascii_digit() && !"/.,".contains(c));
        let (list, behind) = bare.split_at(end.unwrap_or(bare.len()));
        let parts: Vec<&str> = list.split('/').collect();
        let next = if behind.is_empty() { words.get(nth + 1).copied() } else { Some(behind) };
        let unit = next.unwrap_or_default().trim_matches(MARKS);
        let is_list = parts.len() >= FEWEST && parts.iter().all(|part| !part.is_empty());
        if is_list && unit::canonical(unit).is_some() {
            told.extend(parts.iter().map(|part| format!("{part} {unit}")));
        }
    }
}

/// What a word tells by itself, or with the one in front of it.
fn in_a_word(words: &[&str], nth: usize) -> Option<String> {
    let word = words[nth].trim_matches(MARKS);
    let before = nth.checked_sub(1).map(|before| words[before]);
    let is_figure = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    // `x342`; a factor stands behind another figure.
    if let Some(times) = word.strip_prefix(['x', '×']).filter(|times| is_figure(times)) {
        let is_factor = before.is_some_and(|one| one.ends_with(|c: char| c.is_ascii_digit()));
        return (!is_factor).then(|| format!("{times} times"));
    }
    // `q8h` on a prescription.
    if let Some(hours) = word.strip_prefix('q').and_then(|rest| rest.strip_suffix('h')) {
        return is_figure(hours).then(|| format!("every {hours} hours"));
    }
    if let Some(many) = word.strip_suffix("fold").map(|many| many.trim_end_matches('-')) {
        let lower = many.to_lowercase();
        let factor = figure_word(&lower).or_else(|| many.parse().ok())?;
        return Some(format!("factor {factor}"));
    }
    // `67 y`: in Spanish something follows it.
    if word == "y" && ends_clause(words, nth) {
        return before.filter(|figure| is_figure(figure)).map(|years| format!("{years} years"));
    }
    share(words, nth)
}

/// A share with which a clause ends: `three quarters`, `half`.
fn share(words: &[&str], nth: usize) -> Option<String> {
    const OTHERS: [&str; 10] =
        ["a", "and", "first", "in", "last", "next", "one", "other", "second", "the"];
    if !ends_clause(words, nth) {
        return None;
    }
    let before = nth.checked_sub(1).map(|before| words[before].to_lowercase());
    let before = before.as_deref().unwrap_or_default().trim_start_matches(MARKS);
    let percent = match (before, words[nth].trim_matches(MARKS)) {
        ("two", "thirds") => 67,
        ("three", "quarters") => 75,
        (before, "half") if !OTHERS.contains(&before) => 50,
        _ => return None,
    };
    Some(format!("{percent} %"))
}

/// Whether a clause ends behind a word.
fn ends_clause(words: &[&str], nth: usize) -> bool {
    nth + 1 == words.len() || words[nth].ends_with([',', '.', ';', ')', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_with_their_units() {
        for (text, told) in [
            ("connectTimeoutMs: 3000", "connect timeout 3000 ms"),
            ("`READ_TIMEOUT_SECONDS`=25, more", "read timeout 25 s"),
            ("\"limit_mb\": \"10\"", "limit 10 MB"),
            ("the timeout (ms): 25000", "the timeout 25000 ms"),
            ("fees (EUR): 150, 210", "fees 150 EUR.\nfees 210 EUR"),
            ("Latency in ms: 80, 9", "Latency 80 ms.\nLatency 9 ms"),
            ("80/120/300 ms", "80 ms.\n120 ms.\n300 ms"),
            ("19/20/8.1 %", "19 %.\n20 %.\n8.1 %"),
            ("it failed x342.", "342 times"),
            ("4.5 g q8h", "every 8 hours"),
            ("a threefold rise", "factor 3"),
            ("median 67 y.", "67 years"),
            ("it is three quarters.", "75 %"),
        ] {
            assert_eq!(in_units(text), format!("{text}\n{told}"), "{text}");
        }
        for text in [
            "items: 3000",
            "pool_min: 5",
            "params: 7",
            "5 y 6 años",
            "2 x 342",
            "1/2/2026 at noon",
            "the first half.",
            "three quarters of an hour",
            "a hold of 3",
            "é (ms) é",
            "readTimeoutMs: 30s",
        ] {
            assert_eq!(in_units(text), text);
        }
    }
}
