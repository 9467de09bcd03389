//! Names with their values: `MAX_RETRIES=5`, `--jobs 4`, `react@18.2.0`.

mod besides;

use super::text::{holds_word, is_letter};
use crate::specifics::code::is_of_code;
use crate::specifics::{unit, worth};

/// How far behind its name a value may stand, in bytes: `MAX_RETRIES is set to 5`.
const REACH: usize = 40;

/// Ways to say that something is so, and that it is not.
const SWITCHES: [&[&str]; 2] =
    [&["1", "true", "on", "yes", "enabled"], &["0", "false", "off", "no", "disabled"]];

/// What in front of a name says that it was made so, or not.
const SWITCHED: [&[&str]; 2] = [
    &["added", "adds", "enabled", "enables", "set", "turned on", "with"],
    &["disabled", "disables", "turned off", "without"],
];

/// What stands between a name and its value.
const LINKS: [&str; 11] =
    ["=", ": ", " at ", " auf ", " en ", " is ", " of ", " to ", " was ", " a ", " à "];

/// The name and the value of a setting.
pub(super) fn parts(said: &str) -> Option<(&str, &str)> {
    let flag = || said.split_once(' ').filter(|_| said.starts_with('-'));
    let version = |at: &usize| said[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let package = || said.rfind('@').filter(version).map(|at| (&said[..at], &said[at + 1..]));
    let linked = || LINKS.iter().find_map(|link| said.split_once(link));
    let coded = || said.split_once(' ').filter(|(name, value)| is_coded(name, value));
    let (name, value) = linked().or_else(flag).or_else(package).or_else(coded)?;
    let (name, value) = (name.trim_end(), value.trim_start());
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

/// Whether a value is the figure that stands right behind a name in code: `targetSdk 35`.
fn is_coded(name: &str, value: &str) -> bool {
    let name = name.trim_matches('`');
    // `p. 114` is a page.
    let is_name = name.starts_with(char::is_lowercase) && !name.ends_with('.') && is_of_code(name);
    is_name && value.parse::<f64>().is_ok()
}

/// A name in code as the words that it is made of: `learning_rate`, `targetSdk`. `None` if that is one word.
pub(super) fn in_words(name: &str) -> Option<String> {
    let mut words = String::with_capacity(name.len() + 4);
    let mut small = false;
    for sign in name.chars() {
        let joint = matches!(sign, '_' | '-');
        if joint || small && sign.is_uppercase() {
            words.push(' ');
        }
        if !joint {
            words.extend(sign.to_lowercase());
        }
        small = sign.is_lowercase();
    }
    let plain = words.chars().all(|c| c.is_alphanumeric() || c == ' ');
    (plain && words.trim().contains(' ')).then_some(words)
}

/// The name and the figure of a setting that has a name in code or one of one letter: `batchSize: 8000`, `n was 212`.
pub(super) fn figure(said: &str) -> Option<(String, f64)> {
    let (name, value) = parts(said)?;
    let name = name.trim_matches('`');
    let figure = value.parse().ok()?;
    let named = name.starts_with(char::is_alphabetic);
    let is_given = || said.contains('=') && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (named && (name.len() == 1 || is_of_code(name) || is_given()))
        .then(|| (in_words(name).unwrap_or(name.to_lowercase()), figure))
}

/// What is bound by which figure: `GQ >= 20`.
pub(super) fn bound(said: &str) -> Option<(&str, f64)> {
    let sign = [" >= ", " <= ", " ≥ ", " ≤ "].into_iter().find(|sign| said.contains(sign))?;
    let (name, figure) = said.split_once(sign)?;
    // `Node must be`
    let name = name.split(' ').next().unwrap_or(name);
    Some((name, figure.parse().ok()?))
}

/// Whether a text says the value of a setting behind its name, or behind the words of its name. Takes small letters.
pub(super) fn is_told(text: &str, said: &str) -> bool {
    let Some((name, value)) = parts(said) else { return false };
    let name = name.trim_matches('`').trim_start_matches('-');
    let (name, value) = (name.to_lowercase(), value.to_lowercase());
    // What it is after a change: `false -> true`.
    let value = value.rsplit("-> ").next().unwrap_or_default();
    let value = value.trim_matches(['"', '\'', '`']);
    // `waiting=133` is `133 waiting`.
    let is_figure = value.starts_with(|c: char| c.is_ascii_digit());
    if is_figure && holds_word(text, &format!("{value} {name}"), |_, _| true) {
        return true;
    }
    let words = parts(said).and_then(|(name, _)| in_words(name.trim_start_matches('-')));
    [Some(name), words].into_iter().flatten().any(|name| is_value_of(text, &name, value))
}

/// Whether a text that names a setting in code says each time right behind the name that it is another figure: then one
/// further away is not its value. Takes small letters.
pub(super) fn is_other(text: &str, said: &str, may_hold: impl Fn(&str) -> bool) -> bool {
    let Some((name, value)) = parts(said) else { return false };
    let is_flag = name.starts_with('-');
    let name = name.trim_matches('`').trim_start_matches('-');
    let Some(figure) = bare_figure(value).filter(|_| is_flag || is_of_code(name)) else {
        return false;
    };
    let names = [Some(name.to_lowercase()), in_words(name)];
    let names = names.iter().flatten().filter(|name| may_hold(name)).flat_map(|name| {
        let is_whole = |at: usize| {
            !text[..at].ends_with(is_letter) && !text[at + name.len()..].starts_with(is_letter)
        };
        let found = text.match_indices(name.as_str()).filter(move |(at, _)| is_whole(*at));
        found.map(|(at, name)| &text[at + name.len()..])
    });
    let mut names = names.peekable();
    #[allow(clippy::float_cmp, reason = "the same figure is read in the same way")]
    let is_another = |rest: &str| {
        own_figure(rest).is_some_and(|own| own != figure) && !besides::tells(rest, figure)
    };
    names.peek().is_some() && names.all(is_another)
}

/// A figure that has no unit.
fn bare_figure(value: &str) -> Option<f64> {
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_');
    let is_bare = value.starts_with(|c: char| c.is_ascii_digit()) && value.chars().all(is_sign);
    worth::of(&value.replace('_', "")).filter(|_| is_bare)
}

/// The figure without a unit that stands right behind a name, if nothing behind it tells of another one that it was or
/// became: `=6`, `: 30`, ` 8`.
fn own_figure(rest: &str) -> Option<f64> {
    const MARKS: [char; 4] = ['`', '"', '\'', '*'];
    const LEADS: [&str; 15] = [
        "at",
        "bumped",
        "changed",
        "decreased",
        "increased",
        "is",
        "lowered",
        "now",
        "of",
        "raised",
        "reduced",
        "set",
        "stays",
        "to",
        "was",
    ];
    const CHANGES: [&str; 12] = [
        "->",
        "→",
        "..",
        "from",
        "instead",
        "not",
        "now",
        "or",
        "previous",
        "previously",
        "then",
        "was",
    ];
    let mut rest = rest.trim_start_matches(MARKS);
    // `is raised to 8`
    while let Some((word, behind)) = rest.strip_prefix(' ').and_then(|rest| rest.split_once(' ')) {
        if !LEADS.contains(&word) {
            break;
        }
        rest = &rest[rest.len() - behind.len() - 1..];
    }
    let signs = rest.trim_start_matches([' ', '=', ':']);
    if signs.len() == rest.len() || rest.len() - signs.len() > " = ".len() {
        return None;
    }
    let value = signs.trim_start_matches(MARKS);
    let end = value.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '_'));
    let (figure, behind) = value.split_at(end.unwrap_or(value.len()));
    let figure = bare_figure(figure.trim_end_matches(['.', ',']))?;
    let behind = behind.trim_start_matches(MARKS);
    let end = (REACH.min(behind.len())..=behind.len()).find(|&end| behind.is_char_boundary(end));
    let near = behind[..end.unwrap_or(behind.len())].split(['\n', ';']).next().unwrap_or_default();
    let mut words = near.split([' ', '(', ')', ',']).filter(|word| !word.is_empty());
    let changes = |word: &str| CHANGES.contains(&word) || word.contains(['→', '>']);
    let first = words.clone().next().unwrap_or_default().trim_end_matches(['.', ':', '`', '*']);
    // `in` is no inch here.
    let is_measured = near.starts_with(' ')
        && first != "in"
        && (unit::canonical(first).is_some() || worth::magnitude(first, false).is_some());
    let is_apart = !near.starts_with(|c: char| is_letter(c) || "%-–/:+".contains(c));
    let goes_on = first == "to" || near.starts_with(" -") || near.starts_with(" –");
    (is_apart && !is_measured && !goes_on && !words.any(changes)).then_some(figure)
}

/// Whether the last words of a text deny what comes.
fn is_denied(lead: &str) -> bool {
    let last = lead.split(' ').rev().filter(|word| !word.is_empty()).take(2);
    last.into_iter().any(|word| matches!(word, "never" | "no" | "not") || word.ends_with("n't"))
}

fn is_value_of(text: &str, name: &str, value: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let rest = &text[at + name.len()..];
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c));
        let end = (REACH.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end));
        let behind = &rest[..end.unwrap_or(rest.len())];
        let clause = behind.split([';', '\n']).next().unwrap_or_default();
        let clause = clause.split(". ").next().unwrap_or_default();
        let says = |value: &str| holds_word(clause, value, |_, _| true);
        // `prevent_destroy is set` says that it is, `set to` says what to.
        let is_on = || {
            SWITCHES[0].contains(&value)
                && value.parse::<f64>().is_err()
                && says("set")
                && !says("not")
                && !behind.contains("set to")
                && !behind.contains("n't")
        };
        let before = text[..at].trim_end_matches([' ', '`', '"']);
        let is_switched = || {
            let is_behind = |word: &&str| {
                let lead = before.strip_suffix(*word);
                lead.is_some_and(|lead| lead.is_empty() || lead.ends_with(' ') && !is_denied(lead))
            };
            let is_word = value.parse::<f64>().is_err() && !behind.trim_start().starts_with("to ");
            // `with it disabled` says that behind it.
            let is_other = || {
                let others = SWITCHES.iter().filter(|all| !all.contains(&value));
                others.flat_map(|all| all.iter()).any(|other| says(other))
            };
            is_word
                && !is_other()
                && SWITCHED
                    .iter()
                    .zip(SWITCHES)
                    .any(|(words, values)| values.contains(&value) && words.iter().any(is_behind))
        };
        let is_besides = || bare_figure(value).is_some_and(|figure| besides::tells(rest, figure));
        !goes_on
            && (says(value)
                || is_besides()
                || is_switched()
                || is_on()
                || SWITCHES
                    .iter()
                    .any(|all| all.contains(&value) && all.iter().any(|one| says(one))))
    })
}
