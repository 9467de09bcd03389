//! Files and directories: absolute, from home, relative with a slash, Windows, and bare file names.

mod endings;

use std::ops::Range;

use super::Kind;
use super::code::{self, Code};
use super::pattern::Pattern;
use super::scan::{Scan, before, word_before};
use super::token::{DOT, SLASH, Token};
use super::words::Words;

use endings::{DIRECTORIES, DOTFILES, ENDINGS, FILES, LIBRARIES, MEDIA, OBJECTS};

/// The longest word that is looked at, in bytes.
const LONGEST: usize = 300;

/// A Windows path; a directory's name may hold spaces if a backslash follows it.
static WINDOWS: Pattern = Pattern::new(|| {
    let inner = r#"[^\\/:*?"<>|\s`]+(?:\x20[^\\/:*?"<>|\s`]+){0,3}"#;
    let last = r#"[^\\/:*?"<>|\s`,;()]*"#;
    format!(r"(?:\b[A-Za-z]:\\|\\\\[\w.-]+\\|%[A-Za-z_]+%\\)(?:{inner}\\)*{last}")
});

/// Backslashes between plain words: `build\package.ps1`.
static BACKSLASHED: Pattern = Pattern::new(|| r"^(?:\.{1,2}\\)?[\w.-]+(?:\\[\w.-]+)+\\?$".into());

/// What may follow a path: the line and the column.
static LINE: Pattern = Pattern::new(|| r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$".into());

/// The characters of one name in a path.
static NAMES: Pattern = Pattern::new(|| r"^[\w.+@~%\[\]{}*$&=,#()-]+$".into());

/// What stands in quotes and begins like a path, and the most bytes that one takes.
static QUOTED: Pattern =
    Pattern::new(|| r#"["`“](?:(?:~|\.{1,2})?/[^"`“”\n]+|[A-Za-z]:\\[^"`“”\n]+)["`”]"#.into());
const LONGEST_QUOTED: usize = 250;

/// Takes the paths of a message, those inside of commands too.
pub(super) fn find(scan: &mut Scan<'_>, code: &[Code]) {
    let text = scan.text;
    let addresses = scan.places(Kind::Url);
    let taken = |place: &Range<usize>| overlaps(&addresses, place);
    let mut found: Vec<Range<usize>> = Vec::new();
    let backslashed =
        if text.contains('\\') { scan.whole.with(&WINDOWS).all(&WINDOWS) } else { Vec::new() };
    for windows in backslashed {
        let end = windows.start()
            + windows.as_str().trim_end_matches(['.', '\'', '!', ']', '}', '”']).len();
        let place = windows.start()..end;
        if !taken(&place) && place.len() <= LONGEST {
            found.push(place);
        }
    }
    let quotes = quoted(scan);
    found.retain(|known| !overlaps(&quotes, known));
    found.extend(quotes);
    found.sort_by_key(|place| place.start);
    let known = found.clone();
    for token in scan.tokens.iter().filter(|token| may_hold_one(text, token)) {
        for place in pieces(text, token.place.range()) {
            let in_code = code::at(code, place.start).is_some();
            if !overlaps(&known, &place)
                && !taken(&place)
                && (is_path(text, &place, in_code) || is_named_so(text, &place, in_code))
                && !is_run(scan, &place)
            {
                found.push(place);
            }
        }
    }
    for place in found {
        if is_searched(text, &place) && scan.is_free(&place) {
            let path = place.start..place.start + without_line(&text[place.clone()]).len();
            scan.block(place, Kind::Path);
            scan.note(path, Kind::Path);
        } else if scan.is_free(&place) {
            scan.claim(place, Kind::Path);
        } else {
            scan.note(place, Kind::Path);
        }
    }
}

/// Whether a word without a slash is the program of a command, which is found by its name: `idf.py flash`, `crontab -l`.
fn is_run(scan: &Scan<'_>, place: &Range<usize>) -> bool {
    let (text, word) = (scan.text, &scan.text[place.clone()]);
    let lead = text[..place.start].trim_end_matches(' ');
    let first = lead.is_empty() || scan.kind_at(lead.len() - 1) != Some(Kind::Command);
    scan.kind_at(place.start) == Some(Kind::Command)
        && !word.contains(['/', '\\'])
        && word.rsplit_once('.').is_none_or(|(_, ending)| ending == "py")
        && text[place.end..].starts_with(' ')
        && (first || lead.ends_with(['|', '&', ';']) || lead.ends_with("sudo"))
}

/// Whether names in small letters are a path because the word in front says so, or because a value is given to them: `the vault
/// path secret/data/salt`, `house/north/status = "offline"`. A share of a host begins with two slashes.
fn is_named_so(text: &str, place: &Range<usize>, in_code: bool) -> bool {
    static SORTS: Words = Words::new("directory folder ordner path pfad share topic verzeichnis");
    let said = &text[place.clone()];
    let is_name = |name: &str| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.".contains(&b))
    };
    let share = said.strip_prefix("//").filter(|_| !in_code);
    let names = share.unwrap_or(said);
    let told = share.is_some()
        || SORTS.hold_lower(word_before(text, place.start))
        || text[place.end..].starts_with(" = \"");
    told && !before(text, place.start).is_some_and(|c| c.is_alphanumeric() || c == ':')
        && names.matches('/').count() > 1
        && names.split('/').all(is_name)
}

/// Whether a path with its line begins a line of what a search found, with what stands in that line right behind, so that the
/// number says nothing: `src/a.rs:19:    let a = 1;`, and not `src/a.rs:19: it failed`.
fn is_searched(text: &str, place: &Range<usize>) -> bool {
    let begins = text[..place.start].is_empty() || text[..place.start].ends_with('\n');
    let behind = text[place.end..].strip_prefix(':').unwrap_or_default();
    let is_code = behind.starts_with("  ")
        || behind.starts_with('\t')
        || behind.starts_with(|c: char| !c.is_whitespace());
    begins && is_code
}

/// Whether a place lies over one of several that stand in order.
fn overlaps(places: &[Range<usize>], place: &Range<usize>) -> bool {
    let after = places.partition_point(|known| known.end <= place.start);
    places.get(after).is_some_and(|known| known.start < place.end)
}

/// Whether there can be a path in a word: it has a slash, a full stop before its end, or is a file's whole name.
fn may_hold_one(text: &str, token: &Token) -> bool {
    let word = &text[token.place.range()];
    if word.len() > LONGEST || token.is_plain() {
        return word.len() <= LONGEST && FILES.holds(word.trim_end_matches(['.', ':']));
    }
    let mut names = word.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    token.has(SLASH | DOT) || names.any(|name| FILES.holds(name))
}

/// Paths with spaces in their names, which only their quotes hold together.
fn quoted(scan: &Scan<'_>) -> Vec<Range<usize>> {
    if !scan.text.contains(['"', '`', '“']) {
        return Vec::new();
    }
    let all = scan.whole.with(&QUOTED).all(&QUOTED);
    let inner = all.iter().filter_map(|one| {
        let (mark, path) =
            (one.as_str().chars().next()?, one.as_str().trim_end_matches(['"', '`', '”']));
        Some((one.start() + mark.len_utf8(), &path[mark.len_utf8()..]))
    });
    let is_one = |path: &str| {
        path.len() <= LONGEST_QUOTED
            && path.contains(' ')
            && !path.contains(" /")
            && !path.contains(" -")
            && has_ending(path)
    };
    inner.filter(|(_, path)| is_one(path)).map(|(at, path)| at..at + path.len()).collect()
}

/// The parts of a word that may be paths: brackets, quotes and assignments come off.
fn pieces(text: &str, token: Range<usize>) -> Vec<Range<usize>> {
    let word = &text[token.clone()];
    let mut found = Vec::new();
    let mut start = token.start;
    let cut = |c: char| "\"'`“”„‘’<>|;«»!?{}".contains(c) || c == ',';
    for (at, sign) in word.char_indices().chain(std::iter::once((word.len(), ' '))) {
        let at_arrow = word[at..].starts_with("->");
        // A bracket behind a letter opens arguments, behind another one the target of a link; behind a slash it is part of
        // a name.
        let opens = sign == '(' && word[..at].ends_with(|c: char| c.is_alphanumeric() || c == ']');
        if cut(sign) || sign == ' ' || at_arrow || opens && word[at..].contains(['/', '.']) {
            push_piece(text, start..token.start + at, &mut found);
            start = token.start + at + sign.len_utf8();
        }
    }
    found
}

fn push_piece(text: &str, place: Range<usize>, found: &mut Vec<Range<usize>>) {
    if place.start >= place.end {
        return;
    }
    let mut piece = &text[place.clone()];
    let mut start = place.start;
    if let Some((name, value)) = piece.split_once('=') {
        let plain = name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        if plain && !value.is_empty() {
            start += name.len() + 1;
            piece = value;
        }
    }
    if let Some((host, rest)) = piece
        .split_once(":/")
        .filter(|(host, _)| host.contains('@') || host.len() > 1 && !host.contains(['/', '.']))
    {
        start += host.len() + 1;
        piece = &piece[piece.len() - rest.len() - 1..];
    }
    if let Some((file, _)) = piece.split_once("::").filter(|(file, _)| has_ending(file)) {
        piece = file;
    }
    let opened = piece.trim_start_matches(['(', '[', '{', '*', '@', '+']);
    // `[id].tsx` and `(group)/page.tsx` keep a bracket that they close themselves.
    let closes = |open: char, close: char| {
        piece.starts_with(open) && piece.contains(close) && !piece.ends_with([close, '.', ':'])
    };
    let own = (closes('(', ')') || closes('[', ']')) && piece.contains(['/', '.']);
    if !own {
        start += piece.len() - opened.len();
        piece = opened;
    }
    let rest = trim_end(piece);
    if !rest.is_empty() {
        found.push(start..start + rest.len());
    }
}

/// Without the signs of the sentence behind it.
fn trim_end(piece: &str) -> &str {
    let mut rest = piece;
    loop {
        let Some(last) = rest.chars().next_back() else { return rest };
        let unopened = |open: char, close: char| last == close && !rest.contains(open);
        let loose =
            ".,:…".contains(last) && !rest.ends_with("..") || last == '*' && !rest.contains('/');
        let whole = rest == "." || rest == "..";
        if whole || !(loose || unopened('(', ')') || unopened('[', ']') || unopened('{', '}')) {
            return rest;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
}

/// Whether a word says what an editor puts for what: `s/old/new/`, `203s/-164/-1640/g`.
fn is_replacement(word: &str) -> bool {
    let bare =
        word.trim_start_matches(['\'', '"']).trim_start_matches(|c: char| c.is_ascii_digit());
    let Some(rest) = bare.trim_start_matches(['$', ',', '%']).strip_prefix("s/") else {
        return false;
    };
    let flags = rest.trim_end_matches(['\'', '"']).rsplit('/').next().unwrap_or_default();
    rest.matches('/').count() > 1 && flags.chars().all(|flag| "giIpm0123456789".contains(flag))
}

fn is_path(text: &str, place: &Range<usize>, in_code: bool) -> bool {
    let whole = &text[place.clone()];
    let called = text[place.end..].starts_with('(');
    // All below a directory, as programs that build are told: `./pkg/...`.
    if whole.ends_with("/...") {
        return false;
    }
    if is_replacement(whole) || !in_code && is_asked_of_chat(text, place) {
        return false;
    }
    // `</key>` closes what a mark opened.
    let closes = whole.starts_with('/')
        && whole.rfind('/') == Some(0)
        && before(text, place.start) == Some('<')
        && text[place.end..].starts_with('>');
    if closes {
        return false;
    }
    let glued = before(text, place.start).is_some_and(|c| c.is_alphanumeric() || "@}".contains(c));
    if called || glued || whole.contains("://") || is_rate(text, place) {
        return false;
    }
    let bare = without_line(whole);
    if bare.contains('\\') {
        return BACKSLASHED.is_in(bare)
            && (has_ending(bare)
                || bare.starts_with('.')
                || in_code && bare.matches('\\').count() > 1);
    }
    if bare.contains('/') {
        is_slashed(bare, in_code)
    } else {
        is_file(bare, whole.len() > bare.len())
    }
}

/// Whether a message begins with what people ask of a chat behind a slash: `/help me`, and not `/tmp is full`.
fn is_asked_of_chat(text: &str, place: &Range<usize>) -> bool {
    const ASKED: [&str; 27] = [
        "agents", "clear", "commit", "compact", "context", "cost", "exit", "export", "fix", "help",
        "init", "login", "logout", "mcp", "memory", "model", "new", "plan", "quit", "reset",
        "resume", "review", "search", "settings", "status", "undo", "usage",
    ];
    /// Bytes of white space in front of it.
    const MOST: usize = 40;
    let word = text[place.clone()].strip_prefix('/').unwrap_or_default();
    place.start <= MOST && text[..place.start].trim_start().is_empty() && ASKED.contains(&word)
}

/// Whether it says of a figure what it counts in which time: `9,800 images/s`.
fn is_rate(text: &str, place: &Range<usize>) -> bool {
    const TIMES: [&str; 12] =
        ["d", "day", "h", "hour", "min", "minute", "month", "ms", "s", "sec", "second", "week"];
    let per = text[place.clone()].split_once('/').map(|(_, per)| per);
    let counted =
        || word_before(text, place.start).ends_with(|c: char| c.is_ascii_digit() || c == 'k');
    per.is_some_and(|per| TIMES.contains(&per)) && counted()
}

fn is_slashed(bare: &str, in_code: bool) -> bool {
    // `/v1/holds/:hold` is a route with a part that varies.
    let varies = |name: &'_ str| bare.starts_with('/') && name.starts_with(':') && name.len() > 1;
    let name = |name| if varies(name) { &name[1..] } else { name };
    let names: Vec<&str> = bare.split('/').filter(|name| !name.is_empty()).map(name).collect();
    let Some(first) = names.first() else { return false };
    if !names.iter().all(|name| NAMES.is_in(name)) || names.iter().all(|name| is_figure(name)) {
        return false;
    }
    let rooted = bare.starts_with('/')
        || bare.starts_with("~/")
        || bare.starts_with("./")
        || bare.starts_with("../");
    if rooted {
        let letters = bare.chars().filter(|c| c.is_alphanumeric()).count();
        return letters > 1 && !bare.starts_with("//");
    }
    let is_medium = MEDIA.contains(first) && names.len() == 2 && !has_ending(bare);
    if is_medium || bare.contains('(') && !has_ending(bare) || bare.contains('=') {
        return false;
    }
    if !has_ending(bare) && !bare.chars().any(char::is_lowercase) {
        return false;
    }
    let directory =
        DIRECTORIES.hold_lower(first) || first.starts_with('.') || first.starts_with('$');
    let telling = bare.ends_with('/') && names.len() > 1
        || names.len() > 2
            && names.iter().any(|name| {
                name.contains(['_', '-', '.']) || name.contains(|c: char| c.is_ascii_digit())
            });
    let plain = first.chars().any(char::is_alphabetic);
    has_ending(bare)
        || plain && seems_a_file(bare)
        || plain && (directory || telling)
        || in_code && plain && names.len() > 1 && bare.ends_with('/')
        || bare.ends_with('/') && names.len() == 1 && first.len() > 1 && (in_code || directory)
}

/// Whether the last of several names has an ending that may be a file's of a type that is not known: `fw/board.kicad_pcb`.
fn seems_a_file(bare: &str) -> bool {
    const LONGEST_ENDING: usize = 12;
    let small = |name: &str| {
        name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
    };
    let Some((directory, file)) = bare.rsplit_once('/') else { return false };
    let Some((stem, ending)) = file.rsplit_once('.') else { return false };
    let is_ending = (2..=LONGEST_ENDING).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_lowercase());
    let is_stem = small(stem) && stem.len() > 1;
    // Of plain words it may be anything: `node/process.env`.
    let is_telling = |part: &str| part.contains('_') || part.bytes().any(|b| b.is_ascii_digit());
    let is_known = || directory.split('/').any(|name| DIRECTORIES.holds(name));
    (is_telling(stem) || is_telling(ending) || is_known())
        && is_ending
        && is_stem
        && small(ending)
        && directory.split('/').all(small)
        && directory.len() > 1
}

/// A bare file name, known by its ending or as a whole.
fn is_file(bare: &str, with_line: bool) -> bool {
    if FILES.holds(bare) || DOTFILES.holds(bare) {
        return true;
    }
    let Some((stem, _)) = bare.rsplit_once('.') else { return false };
    let plain = !stem.is_empty()
        && bare.chars().all(|c| c.is_alphanumeric() || "._-+[]()@#&~".contains(c))
        && stem.chars().any(char::is_alphanumeric);
    if !plain || !has_ending(bare) {
        return stem.is_empty() && with_line;
    }
    let word = stem.to_lowercase();
    let library = LIBRARIES.holds(&word) && bare.rsplit('.').next() == Some("js");
    !library && !OBJECTS.holds(&word)
}

/// A path without the line and the column behind it.
fn without_line(path: &str) -> &str {
    let line = if path.ends_with(char::is_numeric) { LINE.first(path) } else { None };
    line.map_or(path, |line| &path[..line.start()])
}

/// Whether the last name ends like a file of a known type.
fn has_ending(path: &str) -> bool {
    let bare = without_line(path);
    let name = bare.rsplit(['/', '\\']).next().unwrap_or_default();
    if FILES.holds(name) || DOTFILES.holds(name) {
        return true;
    }
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let known = ENDINGS.holds(ending)
        || ENDINGS.hold_lower(ending) && ending.chars().all(char::is_uppercase);
    known && (!stem.is_empty() || name.len() > 3)
}

fn is_figure(name: &str) -> bool {
    !name.chars().any(char::is_alphabetic)
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&WINDOWS, &BACKSLASHED, &LINE, &NAMES, &QUOTED];
