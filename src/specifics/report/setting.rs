//! Names with their values: `MAX_RETRIES=5`, `--jobs 4`, `react@18.2.0`.

use super::text::holds_word;

/// How far behind its name a value may stand, in bytes: `MAX_RETRIES is set to 5`.
const REACH: usize = 40;

/// Ways to say that something is so, and that it is not.
const SWITCHES: [&[&str]; 2] =
    [&["1", "true", "on", "yes", "enabled"], &["0", "false", "off", "no", "disabled"]];

/// The name and the value of a setting.
pub(super) fn parts(said: &str) -> Option<(&str, &str)> {
    let flag = || said.split_once(' ').filter(|_| said.starts_with('-'));
    let version = |at: &usize| said[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let package = || said.rfind('@').filter(version).map(|at| (&said[..at], &said[at + 1..]));
    let (name, value) = said.split_once('=').or_else(flag).or_else(package)?;
    let (name, value) = (name.trim_end(), value.trim_start());
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

/// Whether a text says the value of a setting behind its name. Takes small letters.
pub(super) fn is_told(text: &str, said: &str) -> bool {
    let Some((name, value)) = parts(said) else { return false };
    let value = value.trim_matches(['"', '\'']);
    text.match_indices(name).any(|(at, _)| {
        let rest = &text[at + name.len()..];
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c));
        let end = (REACH.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end));
        let behind = &rest[..end.unwrap_or(rest.len())];
        let clause = behind.split([';', '\n']).next().unwrap_or_default();
        let clause = clause.split(". ").next().unwrap_or_default();
        let says = |value: &str| holds_word(clause, value, |_, _| true);
        !goes_on
            && (says(value)
                || SWITCHES
                    .iter()
                    .any(|all| all.contains(&value) && all.iter().any(|one| says(one))))
    })
}
