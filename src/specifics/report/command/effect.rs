//! Whether a text tells what a command did, with all that it did it to: `Renamed a.rs to b.rs` for `mv a.rs b.rs`.

use super::super::text::{holds_word, is_letter};
use super::denies;

/// Programs that do something once, the flags that do not change what that is, and the words for it.
const DEEDS: [(&str, &str, &[&str]); 6] = [
    ("cp", "aprv", &["copied", "copy"]),
    ("git push", "u", &["pushed", "push"]),
    ("git mv", "v", &["renamed", "moved"]),
    ("mkdir", "pv", &["created", "made"]),
    ("mv", "fv", &["renamed", "moved"]),
    ("rm", "frv", &["removed", "deleted", "dropped"]),
];

/// The message of a commit.
fn message(command: &str) -> Option<&str> {
    const COMMITS: [&str; 3] = ["git commit -m ", "git commit -am ", "git commit -a -m "];
    let rest = COMMITS.iter().find_map(|commit| command.strip_prefix(commit))?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let message = rest.strip_prefix(mark)?.strip_suffix(mark)?;
    (message.contains(' ') && !message.contains(mark)).then_some(message)
}

/// Whether a sentence of a text does. Takes small letters.
pub(super) fn is_told(text: &str, command: &str) -> bool {
    if let Some(message) = message(command) {
        let mut found = text.match_indices(message);
        return found.any(|(at, _)| {
            let lead = text[..at].rsplit(". ").next().unwrap_or_default();
            lead.contains("commit") && !lead.split(' ').any(denies)
        });
    }
    let deed = DEEDS.iter().find_map(|(program, flags, done)| {
        let rest = command.strip_prefix(program)?.strip_prefix(' ')?;
        Some((operands(rest, flags)?, done))
    });
    let Some((operands, done)) = deed.filter(|(operands, _)| !operands.is_empty()) else {
        return false;
    };
    text.split(". ").flat_map(|part| part.split("; ")).any(|sentence| {
        let is_done = |verb: &&str| holds_word(sentence, verb, |_, _| true);
        done.iter().any(is_done)
            && !sentence.split(' ').any(denies)
            && are_in_order(sentence, &operands)
    })
}

/// What is done something to, in its order; `None` if a flag or a sign makes more of the command.
fn operands<'c>(rest: &'c str, flags: &str) -> Option<Vec<&'c str>> {
    let mut operands = Vec::new();
    for word in rest.split(' ').filter(|word| !word.is_empty()) {
        if let Some(flag) = word.strip_prefix('-') {
            if flag.is_empty() || !flag.chars().all(|c| flags.contains(c)) {
                return None;
            }
        } else if word.contains(['*', '?', '$', '|', '&', ';', '>', '<', '"', '\'', '`', '{', ':'])
        {
            return None;
        } else {
            operands.push(word.trim_start_matches("./").trim_end_matches('/'));
        }
    }
    Some(operands)
}

/// Whether a sentence names some operands one behind the other, each whole.
fn are_in_order(sentence: &str, operands: &[&str]) -> bool {
    let mut rest = sentence;
    operands.iter().all(|operand| {
        let end = rest.match_indices(operand).find_map(|(at, found)| {
            let end = at + found.len();
            let goes_on = rest[end..].strip_prefix(['-', '.']);
            let is_whole = !rest[..at].ends_with(|c: char| is_letter(c) || ".-".contains(c))
                && !rest[end..].starts_with(is_letter)
                && !goes_on.is_some_and(|next| next.starts_with(is_letter));
            is_whole.then_some(end)
        });
        end.inspect(|&end| rest = &rest[end..]).is_some()
    })
}
