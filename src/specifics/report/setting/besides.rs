//! A figure of a setting behind another one, for another time or place: `POOL_SIZE: 10 in staging, 20 in production`.

use super::bare_figure;

/// How far behind the name it may stand, in bytes.
const REACH: usize = 60;

/// What stands in front of it.
const FRONT: [&str; 10] = ["/", "and", "now", "or", "then", "to", "use", "used", "uses", "using"];

/// What may stand behind it. A noun makes it something else: `5 files`.
const BEHIND: [&str; 24] = [
    "after",
    "and",
    "as",
    "at",
    "before",
    "but",
    "by",
    "during",
    "elsewhere",
    "everywhere",
    "for",
    "from",
    "if",
    "in",
    "instead",
    "now",
    "on",
    "or",
    "otherwise",
    "since",
    "today",
    "until",
    "when",
    "with",
];

/// Whether the text behind the name of a setting tells a figure further on, in the same clause or the next one. Takes small
/// letters.
pub(super) fn tells(rest: &str, figure: f64) -> bool {
    let words: Vec<&str> = near(rest).split(' ').filter(|word| !word.is_empty()).collect();
    (1..words.len()).any(|nth| {
        // What is told of another name is another figure.
        let is_same =
            |word: &&str| !word.contains(['=', '_']) && !word.starts_with("--") && *word != "the";
        is_figure(words[nth], figure)
            && words[1..nth].iter().all(is_same)
            && is_led(words[nth - 1], words[nth])
            && is_bare(words[nth], words.get(nth + 1))
    })
}

/// The clause behind a name and the next one.
fn near(rest: &str) -> &str {
    let end = (REACH.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end));
    let near = &rest[..end.unwrap_or(rest.len())];
    let near = near.split('\n').next().unwrap_or_default();
    let near = near.split(". ").next().unwrap_or_default();
    let second = near.match_indices(';').nth(1).map_or(near.len(), |(at, _)| at);
    &near[..second]
}

/// A word without the signs around it.
fn core(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, '(' | ')' | '/' | ',' | ';' | '.' | '`' | '"' | '*'))
}

#[allow(clippy::float_cmp, reason = "the same figure is read in the same way")]
fn is_figure(word: &str, figure: f64) -> bool {
    bare_figure(core(word)).is_some_and(|own| own == figure)
}

fn is_led(before: &str, word: &str) -> bool {
    word.starts_with(['(', '/'])
        || before.ends_with(',')
        || FRONT.contains(&core(before))
        || before == "/"
}

fn is_bare(word: &str, next: Option<&&str>) -> bool {
    word.ends_with([',', ')', '.', ';'])
        || next.is_none_or(|next| {
            next.starts_with(['(', '/', ';'])
                || BEHIND.contains(&core(next))
                || core(next).ends_with("ly")
        })
}
