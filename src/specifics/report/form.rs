//! Forms of specifics under which a summary may tell them.

use super::setting::in_words;
use crate::specifics::error;

/// The figures of a ratio behind the word for it, or of three: `ratio 1:5`, `1:5:5`.
pub(super) fn ratio(said: &str) -> Option<&str> {
    let last = said.rsplit(' ').next().filter(|last| last.contains(':'))?;
    let is_bare = || said.split(':').count() > 2 && said.split(':').all(|part| part.len() == 1);
    (said.starts_with(char::is_alphabetic) || is_bare()).then_some(last)
}

/// A blood pressure as people say it too: `148 over 86`.
pub(super) fn pressure(said: &str) -> Option<String> {
    let (upper, lower) = said.split_once('/').filter(|(upper, _)| upper.len() == 3)?;
    (is_digits(upper) && is_digits(lower)).then(|| format!("{upper} over {lower}"))
}

/// The first letters of the words that a plural in capitals stands for, in small letters: `SCCs` for standard contractual
/// clauses. Of fewer than three letters, or of one, it may be anything.
pub(super) fn initials(name: &str) -> Option<String> {
    let letters = name.strip_suffix('s')?;
    let is_short = (3..=5).contains(&letters.len());
    let is_capitals = letters.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_short && is_capitals).then(|| letters.to_lowercase())
}

/// What has a number under a short name in full: `pull request 1206` for `PR 1206`.
pub(super) fn numbered_in_full(key: &str) -> Option<String> {
    const SHORT: [(&str, &str); 6] = [
        ("cr", "change request"),
        ("mr", "merge request"),
        ("po", "purchase order"),
        ("pr", "pull request"),
        ("sr", "service request"),
        ("wo", "work order"),
    ];
    let (short, number) = key.split_once([' ', '-']).filter(|(_, number)| is_digits(number))?;
    let (_, full) = SHORT.iter().find(|(known, _)| *known == short)?;
    Some(format!("{full} {number}"))
}

/// What somebody settled on in so many words: `make it 192`, `so make it 15 November`, `20 is too many, use 12`.
pub(super) fn chosen(said: &str) -> Option<&str> {
    if let Some(instead) = instead(said) {
        return Some(instead);
    }
    let said = said.strip_prefix("so ").unwrap_or(said);
    let said = said.strip_prefix("let's ").unwrap_or(said);
    Some(said.strip_prefix("make it ")?.trim_end_matches(['.', '!']))
}

/// What is said to be instead of what is too much or too little.
fn instead(said: &str) -> Option<&str> {
    let (refused, said) = said.split_once(", ")?;
    let chosen = ["make it ", "make that ", "set it to ", "use "];
    let chosen = chosen.iter().find_map(|chosen| said.strip_prefix(chosen));
    chosen.filter(|_| refused.contains(" too ")).map(|said| said.trim_end_matches(['.', '!']))
}

/// The figure of it, one that does not stand everywhere as those of two digits do.
pub(super) fn chosen_figure(said: &str) -> Option<&str> {
    chosen(said).filter(|figure| figure.len() > 2 && is_digits(figure))
}

/// A short one for which another one was too much or too little, with what is said of that: `20 is too many, make it 12`.
pub(super) fn figure_instead(said: &str) -> Option<(&str, &str)> {
    let (refused, _) = said.split_once(", ")?;
    let figure = instead(said).filter(|figure| figure.len() <= 2 && is_digits(figure))?;
    Some((refused, figure))
}

/// What a decision tells from others of its sort by a letter: `option B` of `let's go with option B`.
pub(super) fn lettered(text: &str) -> Option<&str> {
    let is_sort = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    text.match_indices(' ').find_map(|(at, _)| {
        let sort = text[..at].rsplit(' ').next().filter(|word| is_sort(word))?;
        let word = text[at + 1..].split(' ').next().unwrap_or_default();
        let letter = word.trim_end_matches(['.', ',', ':', ';', '!', '?', ')']);
        let is_letter =
            letter.len() == 1 && letter != "I" && letter.starts_with(char::is_uppercase);
        is_letter.then(|| &text[at - sort.len()..at + 1 + letter.len()])
    })
}

/// What people call that which has a number behind a `#`.
pub(super) const ISSUES: [&str; 6] = ["issue", "request", "pr", "mr", "ticket", "bug"];

/// What stands behind the name of a company.
pub(super) const FIRMS: [&str; 15] = [
    "ag", "bv", "co", "corp", "gmbh", "inc", "kg", "limited", "llc", "llp", "ltd", "plc", "sa",
    "sarl", "srl",
];

/// Products that have several names.
pub(super) const OTHER_NAMES: [&[&str]; 6] = [
    &["pg", "postgres", "postgresql"],
    &["js", "javascript"],
    &["ts", "typescript"],
    &["kubernetes", "k8s"],
    &["node", "nodejs", "node.js"],
    &["elastic", "elasticsearch"],
];

/// Hosts that are this machine.
pub(super) const LOCAL: [&str; 4] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"];

/// Behind what the parts of a repository stand in its address.
pub(super) const OF_REPOSITORIES: [&str; 9] =
    ["-", "actions", "blob", "commit", "issues", "merge_requests", "pull", "releases", "tree"];

/// The fewest digits by which people name a commit.
pub(super) const SHORTEST_HASH: usize = 7;

/// Whether a word is the hash of a commit, or the beginning of one.
pub(super) fn is_hash(word: &str) -> bool {
    word.len() >= SHORTEST_HASH
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}

/// Whether a word begins with a figure.
pub(super) fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// An error whose class is told without the package that it is in.
pub(super) fn unqualified(said: &str) -> Option<&str> {
    let class = said.split([':', ' ']).next()?;
    let dots =
        class.rfind('.').filter(|_| class.ends_with("exception") || class.ends_with("error"));
    dots.map(|at| &said[at + 1..])
}

/// Classes of errors that say nothing by themselves: what is behind them does.
const PLAIN_CLASSES: [&str; 26] = [
    "argumenterror",
    "assertionerror",
    "attributeerror",
    "databaseerror",
    "error",
    "exception",
    "httperror",
    "illegalargumentexception",
    "illegalstateexception",
    "importerror",
    "indexerror",
    "integrityerror",
    "ioexception",
    "keyerror",
    "nameerror",
    "nullpointerexception",
    "operationalerror",
    "oserror",
    "rangeerror",
    "referenceerror",
    "runtimeerror",
    "runtimeexception",
    "sqlexception",
    "syntaxerror",
    "typeerror",
    "valueerror",
];

/// The class that an error is of, without the package, module or owner that it is in; `None` if it has none.
pub(super) fn class_of(said: &str) -> Option<&str> {
    let class = said.split([' ', '(']).next()?.trim_end_matches(':');
    let class = class.rsplit(['.', ':']).next()?;
    let humps = class.chars().filter(|sign| sign.is_uppercase()).count();
    let is_name = class.chars().all(char::is_alphanumeric) && class.contains(char::is_lowercase);
    (humps > 1 && is_name).then_some(class)
}

/// Whether the class of an error says what went wrong.
pub(super) fn is_telling_class(class: &str) -> bool {
    let lower = class.to_lowercase();
    // What was not found stands behind it.
    !PLAIN_CLASSES.contains(&lower.as_str()) && !lower.contains("notfound")
}

/// A class of errors in words, without those that only say that it is one: `ReadTimeout` is "read timeout".
pub(super) fn class_in_words(class: &str) -> Option<String> {
    let bare = class.strip_suffix("Error").or_else(|| class.strip_suffix("Exception"));
    in_words(bare.unwrap_or(class))
}

/// The class that is in a file of its own: `PreisClient` of `PreisClient.java`.
pub(super) fn class_in_file(path: &str) -> Option<&str> {
    let (name, ending) = path.rsplit(['/', '\\']).next()?.rsplit_once('.')?;
    let humps = name.chars().filter(|sign| sign.is_uppercase()).count();
    let is_name = name.chars().all(char::is_alphanumeric) && name.contains(char::is_lowercase);
    (humps > 1 && is_name && ending.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(name)
}

/// The serial number that ends a long name of a part: `VK0B7` of `WDC_WD80EFZX_VK0B7`.
pub(super) fn serial(name: &str) -> Option<&str> {
    const SHORTEST: usize = 5;
    let (head, serial) = name.rsplit_once('_')?;
    let is_both = serial.contains(|c: char| c.is_ascii_digit())
        && serial.contains(|c: char| c.is_ascii_uppercase());
    let is_plain = serial.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    (head.contains('_') && serial.len() >= SHORTEST && is_both && is_plain).then_some(serial)
}

/// A name without the first of its parts, where two are left and one of them has a figure: `stg-2` of `ingest-stg-2`.
pub(super) fn short_name(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once('-')?;
    let (head, last) = rest.rsplit_once('-')?;
    let is_word =
        head.len() > 2 && head.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_word && is_digits(last)).then_some(rest)
}

/// What a spot is called without its sort: `B12` of `gate b12`.
pub(super) fn spot(key: &str) -> Option<&str> {
    let (_, spot) = key.rsplit_once(' ')?;
    let digits = spot.strip_prefix(|c: char| c.is_ascii_lowercase())?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(spot)
}

/// Whether the name of a file says which one it is without its ending: by words and a figure, or by three words. A date is
/// that of anything.
pub(super) fn is_telling_stem(stem: &str) -> bool {
    const SHORTEST: usize = 6;
    let has_digit = |part: &str| part.contains(|c: char| c.is_ascii_digit());
    // A part of letters and one of digits may be a ticket, which is told of anything, too.
    let is_mixed = |part: &str| has_digit(part) && part.contains(char::is_alphabetic);
    stem.contains('_') && has_digit(stem)
        || stem.matches('_').count() > 1 && stem.len() > 2 * SHORTEST
        || stem.contains('-') && stem.len() >= SHORTEST && stem.split('-').any(is_mixed)
}

/// What an instance of a server is called without what runs on it: `r6g.2xlarge` of `db.r6g.2xlarge`.
pub(super) fn instance(key: &str) -> Option<&str> {
    const SIZES: [&str; 6] = ["nano", "micro", "small", "medium", "large", "metal"];
    let (_, rest) = key.split_once('.')?;
    let (_, size) = rest.split_once('.')?;
    SIZES.iter().any(|known| size.ends_with(known)).then_some(rest)
}

/// Whether the ending of a path is telling enough to stand for it: `pool.py` is, `server` is a word.
pub(super) fn tells(tail: &str) -> bool {
    /// A shorter name with a digit may be anything: `mx2`.
    const LONG: usize = 5;
    let has_digit = || tail.contains(|c: char| c.is_ascii_digit());
    tail.contains(['.', '_', '/', '-']) || tail.len() >= LONG && has_digit()
}

/// The name and the version of a release: `nixos-23.11`, `churn-api:1.9.2`.
pub(super) fn release(key: &str) -> Option<(&str, &str)> {
    let (name, version) = key.rsplit_once([':', '-'])?;
    (is_figure(version) && version.contains('.')).then_some((name, version))
}

/// A branch of releases as people speak of it: `the 2.3 release branch` is `release/2.3`.
pub(super) fn branch(key: &str) -> Option<[String; 3]> {
    let (name, version) = key.rsplit_once('/')?;
    (is_figure(version) && version.contains('.')).then(|| {
        [
            format!("{version} {name} branch"),
            format!("{name} branch {version}"),
            format!("{name} {version}"),
        ]
    })
}

/// A time zone as people speak of it, by its city: `Madrid time` is `Europe/Madrid`.
pub(super) fn zone(key: &str) -> Option<[String; 9]> {
    const PARTS: [&str; 7] =
        ["africa", "america", "asia", "atlantic", "australia", "europe", "pacific"];
    let is_zone = |(part, city): &(&str, &str)| PARTS.contains(part) && !city.contains('/');
    let city = key.split_once('/').filter(is_zone)?.1.replace('_', " ");
    Some([
        format!("{city} time"),
        format!("{city} timezone"),
        format!("{city} zone"),
        format!("zone of {city}"),
        format!("timezone {city}"),
        format!("zona de {city}"),
        format!("zona horaria de {city}"),
        format!("hora de {city}"),
        format!("zeitzone {city}"),
    ])
}

/// What a file is about that many projects have, and that people call by its first part: `CHANGELOG.md`.
pub(super) fn document(path: &str) -> Option<&'static str> {
    const DOCUMENTS: [&str; 2] = ["changelog", "readme"];
    let (name, ending) = path.split_once('.').unwrap_or((path, ""));
    let is_plain = matches!(ending, "" | "md" | "rst" | "txt");
    DOCUMENTS.into_iter().find(|document| is_plain && *document == name)
}

/// The codes in what a program said, in small letters: the name of an errno, a code in square brackets, the number of
/// one at the end.
pub(super) fn codes_in(said: &str) -> Vec<&str> {
    let bracketed = said.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    let is_code = |code: &str| {
        code.contains('_') && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b))
    };
    let mut codes: Vec<&str> =
        bracketed.map(|(code, _)| code).filter(|code| is_code(code)).collect();
    let words = said.split(|c: char| !c.is_ascii_alphanumeric());
    codes.extend(words.filter(|word| error::is_errno(word)));
    codes.extend(mail_code(said));
    let number = said.strip_suffix(')').and_then(|said| said.rsplit_once("(code "));
    if let Some((head, number)) = number.filter(|(_, number)| number.parse::<u32>().is_ok()) {
        let at = head.len() + 1;
        codes.push(&said[at..at + "code ".len() + number.len()]);
    }
    codes
}

/// The code with which a program begins to tell of an error, in small letters: `E11000` of `MongoServerError: E11000 duplicate
/// key`.
pub(super) fn leading_code(text: &str) -> Option<String> {
    const DIGITS: usize = 4;
    const LETTERS: usize = 4;
    let is_code = |word: &&str| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let letters = word.len() - digits.len();
        let digits = digits.strip_prefix('-').unwrap_or(digits);
        (1..=LETTERS).contains(&letters) && digits.len() >= DIGITS && is_digits(digits)
    };
    let mut words = text.split(' ').take(2).map(|word| word.trim_end_matches([':', ',']));
    words.find(is_code).map(str::to_lowercase)
}

/// The code with which a mail server refuses something: `535 5.7.8`.
fn mail_code(said: &str) -> Option<&str> {
    let is_reply = |word: &str| word.len() == 3 && word.starts_with(['4', '5']) && is_digits(word);
    let is_class = |word: &str| {
        let mut parts = word.split('.');
        word.starts_with(['4', '5']) && parts.clone().count() == 3 && parts.all(is_digits)
    };
    let mut at = said.match_indices(' ').map(|(at, _)| at + 1).chain([0]);
    at.find_map(|at| {
        let mut words = said[at..].split(' ');
        let (reply, class) = (words.next()?, words.next()?);
        (is_reply(reply) && is_class(class)).then(|| &said[at..at + reply.len() + 1 + class.len()])
    })
}

/// Whether a word is all figures.
pub(super) fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A code in square brackets as people write it: `SQLSTATE 23000`.
pub(super) fn bracketed(said: &str) -> Option<String> {
    let (head, code) = said.strip_suffix(']')?.split_once('[')?;
    Some(format!("{head} {code}"))
}

/// What a program said without what it tells between braces: `Fragment Pix{a1b2} not attached`.
pub(super) fn unbraced(said: &str) -> Option<String> {
    let (head, rest) = said.split_once('{')?;
    let (_, tail) = rest.split_once('}')?;
    Some(format!("{head}{tail}"))
}
