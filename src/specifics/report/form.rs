//! Forms of specifics under which a summary may tell them.

/// The figures of a ratio behind the word for it: `ratio 1:5:5`.
pub(super) fn ratio(said: &str) -> Option<&str> {
    let last = said.rsplit(' ').next().filter(|last| last.contains(':'))?;
    said.starts_with(char::is_alphabetic).then_some(last)
}

/// What people call that which has a number behind a `#`.
pub(super) const ISSUES: [&str; 6] = ["issue", "request", "pr", "mr", "ticket", "bug"];

/// Products that have several names.
pub(super) const OTHER_NAMES: [&[&str]; 4] = [
    &["postgres", "postgresql"],
    &["kubernetes", "k8s"],
    &["node", "nodejs"],
    &["elastic", "elasticsearch"],
];

/// Hosts that are this machine.
pub(super) const LOCAL: [&str; 4] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"];

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

/// What a spot is called without its sort: `B12` of `gate b12`.
pub(super) fn spot(key: &str) -> Option<&str> {
    let (_, spot) = key.rsplit_once(' ')?;
    let digits = spot.strip_prefix(|c: char| c.is_ascii_lowercase())?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(spot)
}

/// Whether the ending of a path is telling enough to stand for it: `pool.py` is, `server` is a word.
pub(super) fn tells(tail: &str) -> bool {
    tail.contains(['.', '_', '/', '-']) || tail.contains(|c: char| c.is_ascii_digit())
}
