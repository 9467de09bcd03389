//! Whether a text holds a command, in whatever order its words stand there.

mod core;
mod effect;

use std::collections::BTreeSet;

use super::form::is_digits;
use super::text;
use crate::memory::stem;
use crate::specifics::command::is_program;

/// Words in front of a command that do not change what it does.
const PREFIXES: [&str; 3] = ["sudo", "time", "$"];

/// Words of a text that may stand between those of a command, at most: further flags.
const MOST_BETWEEN: usize = 3;

/// Whether a text, which is there in small letters too and as its statements, holds a command, or all that it does if that is
/// not the whole line.
pub(super) fn tells_command(text: &str, lower: &str, statements: &[String], command: &str) -> bool {
    let tells = |command: &str| {
        holds_command(text, command)
            || says_command(lower, command)
            || effect::is_told(statements, &command.to_lowercase())
    };
    // A word alone may be any: `make`.
    let is_word = |core: &String| core.bytes().all(|byte| byte.is_ascii_alphabetic());
    let tells_core =
        |core: &String| tells(core) && (!is_word(core) || text.contains(&format!("`{core}`")));
    tells(command) || {
        let cores = core::cores(command);
        !cores.is_empty() && cores.iter().all(tells_core)
    }
}

/// Whether a text holds a command: its program, and near behind it each of its other words.
fn holds_command(text: &str, command: &str) -> bool {
    let wanted: Vec<&str> = words(command).skip_while(|word| PREFIXES.contains(word)).collect();
    let Some(program) = wanted.first() else { return false };
    let said: Vec<&str> = words(text).collect();
    // An option of the shell by its name: `set -o pipefail`.
    if let ["set", "-o", option] = wanted[..] {
        return said.iter().any(|said| said.split('/').any(|said| said == option));
    }
    let begins = |first: &str, wanted: &[&str], alone: bool| {
        let begins = said.iter().enumerate().filter(|(_, word)| **word == first);
        // Behind another program it is that one's.
        let is_free = |at: usize| !alone || at == 0 || !is_program(said[at - 1]);
        begins.filter(|(at, _)| is_free(*at)).any(|(at, _)| are_near(&said[at..], wanted))
    };
    begins(program, &wanted, false)
        || is_told_without_program(&wanted) && begins(wanted[1], &wanted[1..], true)
}

/// Whether the words of a command stand at the beginning of others, in any order.
fn are_near(from: &[&str], wanted: &[&str]) -> bool {
    let near = &from[..from.len().min(wanted.len() + MOST_BETWEEN)];
    let mut left = near.to_vec();
    wanted.iter().all(|word| {
        let at = left.iter().position(|said| is_same(said, word));
        at.map(|at| left.swap_remove(at)).is_some() || is_in_words(near, word)
    })
}

/// Whether a long flag is told by its words: `dry run` for `--dry-run`, and `link mode` for `--link`.
fn is_in_words(near: &[&str], flag: &str) -> bool {
    let parts: Vec<&str> =
        flag.strip_prefix("--").map_or(Vec::new(), |name| name.split('-').collect());
    let is_part = |(said, part): (&&str, &&str)| said.eq_ignore_ascii_case(part);
    let is_kind = |word: &&&str| matches!(**word, "flag" | "mode" | "option");
    if let [name] = parts[..] {
        return near.windows(2).any(|said| said[0] == name && is_kind(&&said[1]));
    }
    parts.len() > 1 && near.windows(parts.len()).any(|said| said.iter().zip(&parts).all(is_part))
}

/// Whether a command says so much by its verb and its flags that people leave its program out: `sweep --older-than 168h`.
fn is_told_without_program(wanted: &[&str]) -> bool {
    let [_, verb, rest @ ..] = wanted else { return false };
    let is_verb = verb.len() > 2 && verb.bytes().all(|byte| byte.is_ascii_lowercase());
    is_verb && rest.len() > 1 && rest.iter().any(|word| word.starts_with("--"))
}

/// Whether a sentence of a text in small letters says a command in words: `Jellyfin is stopped via systemctl`. One of fewer
/// than three words, or with a flag or a path, is not told so. What it is done to may stand for its program, if that has a
/// number: `worker-19 cordoned`.
fn says_command(text: &str, command: &str) -> bool {
    const FEWEST: usize = 3;
    let wanted: Vec<&str> = words(command).skip_while(|word| PREFIXES.contains(word)).collect();
    if let [program, verb, thing] = wanted[..]
        && [program, verb].iter().all(is_plain)
        && (is_numbered(thing) || is_service(program, thing))
    {
        let does = |sentence: &str| text::words(sentence).any(|word| stem(word) == stem(verb));
        return text.split(['.', ';']).any(|sentence| {
            sentence.split(' ').any(|word| bare(word) == thing)
                && does(sentence)
                && !sentence.split(' ').any(denies)
        });
    }
    if wanted.len() < FEWEST || !wanted.iter().all(is_plain) {
        return false;
    }
    text.split(['.', ';']).filter(|sentence| sentence.contains(wanted[0])).any(|sentence| {
        let said: BTreeSet<String> = whole_words(sentence).map(stem).collect();
        !sentence.split(' ').any(denies) && wanted.iter().all(|word| said.contains(&stem(word)))
    })
}

/// The words of a sentence, those that a sign joins as one: `build:prod`.
fn whole_words(sentence: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| !text::is_letter(c) && !matches!(c, ':' | '-' | '.' | '@');
    sentence.split(apart).map(bare).filter(|word| !word.is_empty())
}

/// Whether a word says that something was not done.
fn denies(word: &str) -> bool {
    matches!(word, "fails" | "failed" | "never" | "no" | "not" | "without") || word.ends_with("n't")
}

/// Whether a word is a service that a program manages, and says by itself what is done to it: `systemctl stop keepalived`.
fn is_service(program: &str, thing: &str) -> bool {
    const MANAGERS: [&str; 4] = ["docker", "podman", "service", "systemctl"];
    const TELLING: usize = 6;
    MANAGERS.contains(&program) && thing.len() > TELLING && is_plain(&thing)
}

fn is_plain(word: &&str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether a name has a number behind a hyphen, as hosts have.
fn is_numbered(name: &str) -> bool {
    let both = name.rsplit_once('-');
    both.is_some_and(|(head, number)| {
        let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        head.bytes().all(is_name) && is_digits(number)
    })
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether two words of a command are one, as a flag that is written short and long is.
fn is_same(said: &str, word: &str) -> bool {
    let short_of = |short: &str, long: &str| {
        let letter = short.strip_prefix('-').filter(|letter| letter.len() == 1);
        letter.zip(long.strip_prefix("--")).is_some_and(|(letter, name)| name.starts_with(letter))
    };
    said == word || short_of(said, word) || short_of(word, said)
}

/// The words of a command; a flag and its value are two, however they are joined.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .flat_map(|word| {
            let bare = word.trim_end_matches(['`', '"', '\'', ',', ';', ')', ']', '”', '.', ':']);
            let word = if bare.is_empty() { word } else { bare };
            let word = word.trim_start_matches(['`', '"', '\'', '(', '[', '“']);
            let flag = word.split_once('=').filter(|_| word.starts_with("--"));
            let (first, second) = flag.map_or((word, ""), |(name, value)| (name, value));
            [first, second]
        })
        .map(|word| word.trim_start_matches("./").trim_matches(['"', '\'']))
        .flat_map(|word| match word {
            // What is another name for the same.
            "docker-compose" => ["docker", "compose"],
            "python3" => ["python", ""],
            "pip3" => ["pip", ""],
            word => [word, ""],
        })
        .filter(|word| !word.is_empty() && *word != "\\")
}
