//! Commands: shell lines in code, behind a prompt, on a line of their own, or in the middle of a sentence.

mod asking;
mod lines;
mod looking;
mod words;

use std::ops::Range;

use super::Kind;
use super::code::{self, Code};
use super::pattern::Pattern;
use super::scan::{Scan, word_before};
use super::token::{DOT, SLASH, Token};

use looking::only_looks;
use words::{EVERYDAY, PROGRAMS, SHELLS, STOPPERS, SUBCOMMANDS, VERBS};

pub(super) use asking::only_asks;
pub(super) use lines::{joined, length as length_of_lines, lines as lines_of};
pub(super) use looking::{changes_nothing, only_shows};

/// Words that a command in running text has at most.
const MOST_WORDS: usize = 14;

/// A shell's prompt at the start of a line.
static PROMPT: Pattern = Pattern::new(|| {
    r"^\s*(?:[\w.-]+@[\w.-]+:?[^\s$#]*[$#]|PS(?:\s[A-Z]:[^>\n]*)?>|[A-Z]:\\[^>\n]*>|\$|%|❯|➜)\s+(\S.*?)\s*$".into()
});

/// A statement for a database.
static STATEMENT: Pattern = Pattern::new(|| {
    r"^(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|ALTER|CREATE|DROP|TRUNCATE|GRANT|REVOKE|VACUUM|ANALYZE|EXPLAIN|REINDEX|SHOW|SET)\s+\S".into()
});

/// `NAME=value` in front of a command.
static ASSIGNMENT: Pattern = Pattern::new(|| r"^[A-Za-z_]\w*=\S*$".into());

/// What a command is given in the lines behind it: not `<<<`, nor `1<<20`.
static HEREDOC: Pattern = Pattern::new(|| r#"(?:^|[^<\w])<<-?\x20?['"\\]?[A-Za-z_]"#.into());

/// Takes the commands of a message.
pub(super) fn find(scan: &mut Scan<'_>, code: &[Code]) {
    let text = scan.text;
    for span in code {
        match &span.fence {
            Some(language) => of_block(scan, &span.place, language),
            None => of_span(scan, &span.place),
        }
    }
    let (mut at, mut taken) = (0, 0);
    let mut tokens = scan.tokens;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let count = tokens.partition_point(|token| token.place.start() < next);
        let (words, rest) = tokens.split_at(count);
        // What belongs to a command of the lines before is looked at with that.
        if at >= taken && code::at(code, at).is_none_or(|span| span.fence.is_none()) {
            taken = of_line(scan, at..next, words, code);
        }
        (at, tokens) = (next, rest);
    }
}

/// In a block of a shell's language every line is a command, unless some stand behind a prompt: then
/// those are, and the others are what they printed.
fn of_block(scan: &mut Scan<'_>, place: &Range<usize>, language: &str) {
    let text = scan.text;
    let block = &text[place.clone()];
    let prompted =
        block.lines().any(|line| may_begin_with_prompt(line.trim_start()) && PROMPT.is_in(line));
    let is_shell = SHELLS.holds(language);
    let mut at = place.start;
    let mut open: Option<usize> = None;
    for line in block.split_inclusive('\n') {
        let start = open.take().unwrap_or(at);
        let taken = if start < at {
            Some(start..at + line.trim_end().len())
        } else if prompted {
            behind_prompt(line).map(|inner| at + inner.start..at + inner.end)
        } else {
            let bare = line.trim();
            let is_one = if is_shell {
                !bare.is_empty() && !bare.starts_with('#')
            } else if language.is_empty() || language == "text" {
                is_whole_command(bare)
            } else {
                false
            };
            is_one.then(|| inside(at, line))
        };
        if let Some(found) = taken {
            if line.trim_end().ends_with('\\') {
                open = Some(found.start);
            } else {
                take(scan, found);
            }
        }
        at += line.len();
    }
}

/// An inline span, if it reads like something one would type.
fn of_span(scan: &mut Scan<'_>, place: &Range<usize>) {
    let inner = &scan.text[place.clone()];
    let bare = inner.trim().trim_start_matches("$ ");
    let start = place.start + (inner.len() - inner.trim_start().trim_start_matches("$ ").len());
    let lead = word_before(scan.text, place.start).to_lowercase();
    let told = VERBS.holds(&lead) || matches!(lead.as_str(), "then" | "or" | "also" | "instead");
    if !bare.is_empty() && (STATEMENT.is_in(bare) || reads_like_command(bare, told)) {
        take(scan, start..start + bare.len());
    }
}

/// Whether a span in backticks is a command; `told` if a word like "run" stands in front of it.
fn reads_like_command(span: &str, told: bool) -> bool {
    let words: Vec<&str> = skip_prefix(span).collect();
    let Some(program) = words.first() else { return false };
    let known = is_program(program);
    match words.len() {
        1 => known && (told || span.contains(' ')) || is_script(program) && told,
        _ if known => true,
        _ if is_script(program) => !is_told_of(words[1]),
        _ if matches!(*program, "error" | "failed" | "fatal" | "warning") => false,
        _ => is_plain_word(program) && (told || words.iter().skip(1).any(|word| is_flag(word))),
    }
}

/// Whether a word says something of what stands in front of it: `deploy.sh is broken`.
fn is_told_of(word: &str) -> bool {
    STOPPERS.hold_lower(word) || matches!(word, "failed" | "has" | "is" | "not" | "was")
}

/// One line outside of blocks: behind a prompt, a command alone, or commands within a sentence. Returns where a command ends
/// that goes on behind it.
fn of_line(scan: &mut Scan<'_>, place: Range<usize>, words: &[Token], code: &[Code]) -> usize {
    let (at, line) = (place.start, &scan.text[place.clone()]);
    // The head of a diff is what a program wrote.
    let is_head = || line.trim_start().starts_with("diff --git ");
    let is_whole = || !is_head() && is_whole_command(line.trim());
    if let Some(inner) = behind_prompt(line).or_else(|| is_whole().then(|| inside(0, line))) {
        let end = at + lines::length(&scan.text[at..]);
        if end > place.end {
            take(scan, at + inner.start..at + scan.text[at..end].trim_end().len());
        } else {
            take(scan, at + inner.start..at + inner.end);
        }
        return end;
    }
    if !is_head() {
        in_line(scan, words, code);
    }
    place.end
}

/// Commands within the sentences of a line.
fn in_line(scan: &mut Scan<'_>, words: &[Token], code: &[Code]) {
    let mut nth = 0;
    while nth < words.len() {
        let first = words[nth].place.range();
        let taken = in_sentence(scan.text, &words[nth..]);
        let free = taken > 0 && scan.is_free(&first) && code::at(code, first.start).is_none();
        if free {
            let last = words[nth + taken - 1].place.range();
            if let Some(end) = end_of(scan.text, first.start..last.end) {
                take(scan, first.start..end);
            }
        }
        nth += if free { taken } else { 1 };
    }
}

/// Where a command in a sentence ends, without the signs of that; `None` if a quotation mark is open there: then its end is
/// not known.
fn end_of(text: &str, place: Range<usize>) -> Option<usize> {
    let whole = &text[place.clone()];
    let bare = whole.trim_end_matches(END_SIGNS);
    let Some((at, mark)) = open_quote(bare) else { return Some(place.start + bare.len()) };
    let lead = bare[..at].trim_end();
    let is_given = bare[..at].ends_with('=') || lead.rsplit(' ').next().is_some_and(is_flag);
    let inner = text[place.start + at + 1..].lines().next().unwrap_or_default();
    let word = inner.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_open = || !is_given && !closes(inner, mark);
    // An apostrophe in front of a word is that of one with which the sentence goes on: `'cause it broke`.
    if mark == '\'' && lead.contains(' ') && (SHORTENED.contains(&word) || is_open()) {
        return Some(place.start + lead.trim_end_matches(END_SIGNS).len());
    }
    whole[bare.len()..].find(mark).map(|at| place.start + bare.len() + at + 1)
}

/// Whether a quotation ends in the rest of a line.
fn closes(rest: &str, mark: char) -> bool {
    rest.match_indices(mark).any(|(at, _)| {
        !rest[..at].ends_with(char::is_whitespace)
            && !rest[at + mark.len_utf8()..].starts_with(char::is_alphanumeric)
    })
}

/// Words that have an apostrophe for their beginning.
const SHORTENED: [&str; 8] = ["bout", "cause", "coz", "cuz", "em", "round", "til", "till"];

/// The quotation mark that is open at the end of some words, and where it is. Within a word it may be an apostrophe.
fn open_quote(words: &str) -> Option<(usize, char)> {
    let (mut open, mut before) = (None, ' ');
    for (at, sign) in words.char_indices() {
        let is_inner = || {
            let next = words[at + 1..].chars().next();
            before.is_alphanumeric() && next.is_some_and(char::is_alphanumeric)
        };
        match open {
            None if matches!(sign, '"' | '\'') && !before.is_alphanumeric() => {
                open = Some((at, sign));
            }
            Some((_, mark)) if mark == sign && !is_inner() => open = None,
            _ => {}
        }
        before = sign;
    }
    open
}

/// Words behind which a noun stands.
const ARTICLES: [&str; 8] = ["a", "das", "der", "die", "our", "the", "this", "your"];

/// Signs that end a sentence or a clause behind a word.
const END_SIGNS: [char; 9] = ['.', ',', ';', ':', '!', '?', ')', '"', '”'];

/// How many words from the first on are a command in the middle of a sentence; 0 if it is none.
fn in_sentence(text: &str, words: &[Token]) -> usize {
    let word = |nth: usize| &text[words[nth].place.range()];
    let program = word(0);
    let (known, script) = (is_program(program), words[0].has(SLASH | DOT) && is_script(program));
    if !(known || script) {
        return 0;
    }
    let told = VERBS.hold_lower(word_before(text, words[0].place.start()));
    if !(told || known && !EVERYDAY.holds(program)) {
        return 0;
    }
    // A program's name may stand for what it says: `the terraform plan wants to destroy it`.
    let is_noun = ARTICLES.contains(&&*word_before(text, words[0].place.start()).to_lowercase());
    if words.get(1).is_some_and(|next| is_before_day(program, &text[next.place.range()])) {
        return 0;
    }
    let script = script && told;
    let (mut taken, mut sure) = (1, script);
    while taken < words.len().min(MOST_WORDS) {
        let whole = word(taken);
        let bare = whole.trim_end_matches(END_SIGNS);
        // What stands in quotation marks is a part of it, whatever words it has.
        if let Some(closed) = quoted(text, words, taken) {
            (taken, sure) = (closed, true);
            let last = word(closed - 1);
            if last.ends_with(END_SIGNS) && !last.ends_with(['"', '\'']) {
                break;
            }
            continue;
        }
        if bare.is_empty() || STOPPERS.hold_lower(bare) || is_opening(whole) {
            break;
        }
        let telling = is_flag(bare) || is_pathlike(bare);
        sure |= telling
            || taken == 1 && !is_noun && SUBCOMMANDS.holds(bare) && !EVERYDAY.holds(program);
        taken += 1;
        if bare.len() < whole.len() {
            break;
        }
    }
    if sure { taken } else { 0 }
}

/// Whether what is named like a program is a word in front of a day, or of any figure: `date 2026/03/14`, `du 4/4/2027`.
fn is_before_day(program: &str, next: &str) -> bool {
    match program {
        "date" => is_day(next),
        "du" => next.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    }
}

/// Whether a word is a day in figures.
fn is_day(word: &str) -> bool {
    let bare = word.trim_end_matches(END_SIGNS);
    !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit() || b"/.-".contains(&byte))
}

/// How many words there are up to the end of a quotation that begins with one of them behind a program: `"totals and not
/// slow"`.
fn quoted(text: &str, words: &[Token], nth: usize) -> Option<usize> {
    let word = |nth: usize| &text[words[nth].place.range()];
    let mark = word(nth).chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    if nth < 2 || !is_flag(word(nth - 1)) {
        return None;
    }
    let ends = |nth: usize, word: &str| {
        let inner = if nth == 0 { &word[mark.len_utf8()..] } else { word };
        let end = inner.rfind(mark)?;
        inner[end + 1..].chars().all(|c| END_SIGNS.contains(&c)).then_some(())
    };
    let most = words.len().min(nth + MOST_WORDS);
    (nth..most).find(|&at| ends(at - nth, word(at)).is_some()).map(|at| at + 1)
}

/// A line that is nothing but a command.
fn is_whole_command(line: &str) -> bool {
    let mut words = skip_prefix(line);
    let Some(program) = words.next().filter(|word| is_program(word) || is_script(word)) else {
        return false;
    };
    if words.clone().next().is_some_and(|next| is_before_day(program, next)) {
        return false;
    }
    if line.ends_with(['.', ':', '?', '!', ',']) && !line.ends_with("..") && !line.ends_with(" .") {
        return false;
    }
    let rest: Vec<&str> = words.collect();
    let script = is_script(program);
    let prose = rest.iter().any(|word| STOPPERS.hold_lower(word));
    let telling = rest.iter().any(|word| is_flag(word) || is_pathlike(word));
    let sub = rest.first().is_some_and(|word| SUBCOMMANDS.holds(word));
    let everyday = EVERYDAY.holds(program);
    // A comma ends a clause.
    let prose = prose || everyday && rest.iter().any(|word| word.ends_with(','));
    !prose && rest.len() < 2 * MOST_WORDS && (telling || sub && !everyday || script)
}

/// The words of a line behind `sudo` and assignments.
fn skip_prefix(line: &str) -> impl Iterator<Item = &str> + Clone {
    let prefix = |word: &&str| {
        is_assignment(word) || matches!(*word, "sudo" | "time" | "nohup" | "env" | "exec" | "doas")
    };
    line.split_whitespace().skip_while(prefix)
}

/// Whether a word gives a value to a variable: `NODE_ENV=test`.
pub(super) fn is_assignment(word: &str) -> bool {
    word.contains('=') && ASSIGNMENT.is_in(word)
}

/// Where a line's command stands behind its prompt.
fn behind_prompt(line: &str) -> Option<Range<usize>> {
    if !may_begin_with_prompt(line.trim_start()) {
        return None;
    }
    let inner = PROMPT.parts(line)?.get(1)?;
    let percent = line.trim_start().starts_with('%');
    let amount = inner.as_str().starts_with(|c: char| c.is_ascii_digit());
    (!percent && !amount || is_whole_command(inner.as_str())).then(|| inner.range())
}

/// Whether a line may begin with a prompt, by its first signs.
fn may_begin_with_prompt(line: &str) -> bool {
    let drive = || line.as_bytes().get(1..3) == Some(br":\".as_slice());
    let host = || line.split_whitespace().next().is_some_and(|word| word.contains('@'));
    line.starts_with(['$', '%', '❯', '➜']) || line.starts_with("PS") || drive() || host()
}

/// The place of a line without the white space around it.
fn inside(at: usize, line: &str) -> Range<usize> {
    let start = at + (line.len() - line.trim_start().len());
    start..start + line.trim().len()
}

/// Takes a command, unless it is known or nothing but an address.
fn take(scan: &mut Scan<'_>, place: Range<usize>) {
    let known = scan.kind_at(place.start) == Some(Kind::Command);
    let address = place.clone().all(|at| scan.kind_at(at) == Some(Kind::Url));
    let command = &scan.text[place.clone()];
    // What it is given stands in the lines behind it: whoever pastes the first one waits for ever.
    if HEREDOC.is_in(command) {
        return;
    }
    if only_looks(command) {
        block_how(scan, &place);
    } else if !known && !address && !is_release(command) {
        scan.claim(place, Kind::Command);
    }
}

/// Sees to it that nobody takes how much a command shows for a detail: `-n`, `40,71p`.
fn block_how(scan: &mut Scan<'_>, place: &Range<usize>) {
    let text = scan.text;
    let mut at = place.start;
    for word in text[place.clone()].split(' ') {
        let is_part = || {
            let lines = word.trim_matches(['\'', '"']).strip_suffix('p');
            lines.is_some_and(|lines| {
                lines.bytes().all(|b| b.is_ascii_digit() || b",$".contains(&b))
            })
        };
        let is_flag = || {
            let flag = word.trim_start_matches('-');
            flag.len() < word.len()
                && flag.bytes().all(|b| b.is_ascii_alphanumeric() || b",-".contains(&b))
        };
        if is_flag() || is_part() {
            scan.block(at..at + word.len(), Kind::Command);
        }
        at += word.len() + 1;
    }
}

/// Whether it is a program with its version, and nothing that somebody types: `php 8.2`.
fn is_release(command: &str) -> bool {
    /// Of an address there are more.
    const MOST_POINTS: usize = 2;
    let version = command.split_once(' ').filter(|(program, _)| *program != "sleep");
    version.is_some_and(|(_, version)| {
        (1..=MOST_POINTS).contains(&version.matches('.').count())
            && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// Whether a word is a program that people type.
pub(super) fn is_program(word: &str) -> bool {
    PROGRAMS.holds(word)
}

/// A program by its path or by its ending.
fn is_script(word: &str) -> bool {
    let ending = [".sh", ".ps1", ".bat", ".cmd"].iter().any(|ending| word.ends_with(ending));
    let path = word.starts_with("./") || word.starts_with("../") || word.starts_with("bin/");
    (ending || path) && word.len() > 3
}

fn is_plain_word(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_ascii_lowercase())
        && letters.all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn is_flag(word: &str) -> bool {
    let bare = word.trim_start_matches('-');
    let dashes = word.len() - bare.len();
    let letter = bare.starts_with(|c: char| c.is_ascii_alphabetic());
    (1..=2).contains(&dashes) && letter || word == "--" || word == "|" || word == "&&"
}

fn is_pathlike(word: &str) -> bool {
    let signs = ['/', '\\', '=', '*', '@', '$', '~'];
    word.contains(signs)
        || word == "."
        || word.trim_matches('.').contains('.') && !word.ends_with('.')
}

fn is_opening(word: &str) -> bool {
    word.starts_with(['(', '—', '–', '“', '`'])
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&PROMPT, &STATEMENT, &ASSIGNMENT, &HEREDOC];
