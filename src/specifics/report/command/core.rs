//! What a command line does, without what says only where it runs, for how long, and what of it is seen.

use crate::specifics::command::{changes_nothing, is_assignment};

/// Words in front of a program that do not change what it does.
const WRAPPERS: [&str; 9] =
    ["$", "env", "exec", "ionice", "nice", "nohup", "sudo", "time", "timeout"];

/// Those of them that are given flags and a figure of their own: `timeout -k 5 60`.
const TIMED: [&str; 3] = ["ionice", "nice", "timeout"];

/// Programs that only prepare what runs behind them, or keep what it shows.
const PREPARES: [&str; 10] =
    [".", "export", "mkdir", "popd", "pushd", "set", "source", "tee", "test", "wait"];

/// The parts of a command line that do something, bare: `cargo test` of `cd api && timeout 60 cargo test 2>&1 | tail -5`.
/// None if that is the whole line, or if nothing in it does.
pub(super) fn cores(command: &str) -> Vec<String> {
    let told = parts(command).into_iter().filter(|words| !prepares(words));
    let cores: Vec<String> = told.map(|words| words.join(" ")).collect();
    let is_whole = matches!(&cores[..], [core] if core == command);
    if is_whole { Vec::new() } else { cores }
}

/// The words of each part of a command line, without what stands in front of its program and where its output goes.
fn parts(command: &str) -> Vec<Vec<&str>> {
    let mut parts = vec![Vec::new()];
    let (mut quote, mut is_target) = (None, false);
    for word in command.split_whitespace() {
        let is_quoted = quote.is_some();
        quote = quote_behind(quote, word);
        let bare = if quote.is_none() { word.trim_end_matches(';') } else { word };
        let target = target(bare).filter(|_| !is_quoted);
        let is_sign = !is_quoted && matches!(bare, "" | "&" | "&&" | "|" | "|&" | "||");
        if !is_sign && target.is_none() && !is_target {
            parts.last_mut().into_iter().for_each(|part| part.push(bare));
        }
        is_target = target == Some("");
        if is_sign || bare.len() < word.len() {
            parts.push(Vec::new());
        }
    }
    parts.into_iter().map(unwrapped).filter(|part| !part.is_empty()).collect()
}

/// The quotation mark that is open behind a word, if one is.
fn quote_behind(open: Option<char>, word: &str) -> Option<char> {
    word.chars().filter(|sign| matches!(sign, '\'' | '"')).fold(open, |open, sign| match open {
        None => Some(sign),
        Some(mark) => (mark != sign).then_some(mark),
    })
}

/// Where a word says that output goes or input comes from, empty if the next word says it: `2>&1`, `>`.
fn target(word: &str) -> Option<&str> {
    let sign = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    sign.starts_with(['>', '<']).then(|| sign.trim_start_matches(['>', '<', '&', '|']))
}

/// The words of a part from its program on.
fn unwrapped(words: Vec<&str>) -> Vec<&str> {
    let mut is_timed = false;
    let is_given = |word: &str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let is_in_front = |word: &&str| {
        let is_one = WRAPPERS.contains(word) || is_assignment(word) || is_timed && is_given(word);
        is_timed |= TIMED.contains(word);
        is_one
    };
    words.into_iter().skip_while(is_in_front).collect()
}

/// Whether a part only shows something, or prepares what another one does.
fn prepares(words: &[&str]) -> bool {
    let is_one = words.first().is_some_and(|program| PREPARES.contains(program));
    is_one || words.starts_with(&["git", "add"]) || changes_nothing(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_does_is_told_without_what_is_around_it() {
        for (line, bare) in [
            ("cargo test --workspace 2>&1 | tail -20", &["cargo test --workspace"][..]),
            ("cd /srv/shop && cargo test -p billing", &["cargo test -p billing"]),
            ("timeout -k 5 60 cargo run -- --port 80", &["cargo run -- --port 80"]),
            ("npm test > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt", &["npm test"]),
            ("A=1 nice -n 5 npm run e2e | tee log; echo $?", &["npm run e2e"]),
            ("git add -A && git commit -m 'a && b; c'", &["git commit -m 'a && b; c'"]),
            ("make all && make install;", &["make all", "make install"]),
            (
                "psql -c \"delete from a where b > 5\" >/dev/null",
                &["psql -c \"delete from a where b > 5\""],
            ),
            ("cat a.txt | grep b > c.txt", &[]),
            ("make all", &[]),
            ("> ; && '", &["'"]),
            ("", &[]),
        ] {
            assert_eq!(cores(line), bare, "{line}");
        }
    }
}
