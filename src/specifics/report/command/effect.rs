//! Whether a text tells what a command did, with all that it did it to: `Renamed a.rs to b.rs` for `mv a.rs b.rs`.

use super::super::form::is_hash;
use super::super::text::is_letter;
use super::{bare, denies};

/// What a program does once.
struct Deed {
    program: &'static str,
    /// The flags that do not change what that is.
    flags: &'static str,
    /// The words for it.
    verbs: &'static [&'static str],
    /// What may stand right behind those, in front of what it is done to. Any other one makes that a place: `removed a test
    /// from a.rs`.
    to: &'static [&'static str],
}

const DEEDS: [Deed; 6] = [
    Deed { program: "cp", flags: "aprv", verbs: &["copied", "copy"], to: &["from"] },
    Deed { program: PUSH, flags: "u", verbs: &["pushed", "push"], to: &["to"] },
    Deed { program: "git mv", flags: "v", verbs: &["renamed", "moved"], to: &["from"] },
    Deed { program: "mkdir", flags: "pv", verbs: &["created", "made"], to: &[] },
    Deed { program: "mv", flags: "fv", verbs: &["renamed", "moved"], to: &["from"] },
    Deed { program: "rm", flags: "frv", verbs: &["removed", "deleted", "dropped"], to: &[] },
];

/// What is done to branches, which are plain words.
const PUSH: &str = "git push";

/// Words that say that something is still to be done.
const PLANS: [&str; 13] = [
    "be", "cannot", "could", "later", "might", "need", "needs", "pending", "plan", "should",
    "todo", "will", "would",
];

/// Words between a verb and what it is done to, at most.
const MOST_BETWEEN: usize = 3;

/// The message of a commit.
fn message(command: &str) -> Option<&str> {
    const COMMITS: [&str; 3] = ["git commit -m ", "git commit -am ", "git commit -a -m "];
    let rest = COMMITS.iter().find_map(|commit| command.strip_prefix(commit))?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let message = rest.strip_prefix(mark)?.strip_suffix(mark)?;
    (message.contains(' ') && !message.contains(mark)).then_some(message)
}

/// Whether one of some statements does. Takes small letters.
pub(super) fn is_told(statements: &[String], command: &str) -> bool {
    if let Some(message) = message(command) {
        return statements.iter().any(|said| is_committed(said, message));
    }
    let deed = DEEDS.iter().find_map(|deed| {
        let rest = command.strip_prefix(deed.program)?.strip_prefix(' ')?;
        Some((operands(rest, deed.flags)?, deed))
    });
    let Some((operands, deed)) = deed.filter(|(operands, _)| !operands.is_empty()) else {
        return false;
    };
    statements.iter().flat_map(|said| said.split("; ")).any(|said| is_done(said, &operands, deed))
}

/// Whether a statement tells that something was committed with a message: it says so, or quotes that, or tells the commit.
fn is_committed(said: &str, message: &str) -> bool {
    said.match_indices(message).any(|(at, _)| {
        let Some(commit) = said[..at].rfind("commit") else { return false };
        let (lead, rest) = (&said[commit..at], &said[at + message.len()..]);
        let is_quoted =
            lead.ends_with(['"', '\'', '`', '“']) && rest.starts_with(['"', '\'', '`', '”']);
        let is_near = lead.split(' ').count() <= MOST_BETWEEN + 2 && !lead.contains(';');
        let is_said = lead.starts_with("committed") && is_near || lead.trim_end().ends_with(':');
        let clause = &said[clause_start(said, commit)..at];
        (is_said || is_quoted || lead.split(' ').any(|word| is_hash(bare(word))))
            && !is_open(clause)
    })
}

/// Where the clause begins in which a place is.
fn clause_start(said: &str, at: usize) -> usize {
    let ends = [", ", " but ", " and "].into_iter();
    ends.filter_map(|end| said[..at].rfind(end).map(|begin| begin + end.len())).max().unwrap_or(0)
}

/// What belongs to a clause of the words behind it.
fn clause_rest(rest: &str) -> &str {
    let ends =
        [", ", " (", " and ", " because ", " but ", " since ", " so ", " which "].into_iter();
    &rest[..ends.filter_map(|end| rest.find(end)).min().unwrap_or(rest.len())]
}

/// Whether some words say that something was not done, or not yet.
fn is_open(clause: &str) -> bool {
    let mut words = clause.split(' ').map(bare);
    words.any(|word| denies(word) || PLANS.contains(&word))
}

/// Whether the words behind what something was done to say that this failed.
fn fails(rest: &str) -> bool {
    const NEAR: usize = 4;
    let mut words = rest.split(' ').map(bare).take(NEAR);
    words.any(|word| matches!(word, "failed" | "fails" | "not") || word.ends_with("n't"))
}

/// Whether a statement tells that it was done to all of some operands.
fn is_done(said: &str, operands: &[&str], deed: &Deed) -> bool {
    let Some((first, others)) = operands.split_first() else { return false };
    places(said, first, deed).any(|(start, first_end)| {
        let Some(end) = end_of_others(said, first_end, others, deed) else { return false };
        let rest = clause_rest(&said[end..]);
        let verb = verb_before(&said[..start], deed);
        let is_behind =
            || begins_with_verb(&said[first_end..], deed) || begins_with_verb(&said[end..], deed);
        let Some(begin) = verb.or_else(|| is_behind().then_some(start)) else { return false };
        let clause = &said[clause_start(said, begin)..end];
        let is_left = if verb.is_some() { fails(rest) } else { is_open(rest) };
        !is_open(clause) && !is_left
    })
}

/// Where the verb is behind which what follows some words is what it is done to.
fn verb_before(lead: &str, deed: &Deed) -> Option<usize> {
    let found = deed.verbs.iter().flat_map(|verb| lead.match_indices(verb));
    let whole = found.filter(|(at, verb)| {
        let rest = &lead[at + verb.len()..];
        !lead[..*at].ends_with(is_letter) && !rest.starts_with(is_letter)
    });
    let (at, verb) = whole.max_by_key(|(at, _)| *at)?;
    leads_on(&lead[at + verb.len()..], deed).then_some(at)
}

/// Whether some words may stand between a verb and what it is done to: few, or other paths.
fn leads_on(between: &str, deed: &Deed) -> bool {
    const ARTICLES: [&str; 4] = ["a", "an", "both", "the"];
    const PLACES: [&str; 11] =
        ["about", "at", "for", "from", "in", "inside", "into", "of", "on", "to", "with"];
    // What stands behind a colon is what it was done to.
    let (lead, list) = between.rsplit_once(": ").unwrap_or((between, ""));
    let is_plain = |word: &str| !word.contains(['/', '.', '_', '`']) && !bare(word).is_empty();
    let words = |part| -> Vec<&str> {
        let words = str::split(part, ' ').filter(|word| is_plain(word)).map(bare);
        words.filter(|word| *word != "and").collect()
    };
    let (lead, list) = (words(lead), words(list));
    let is_place = |(nth, word): (usize, &&str)| {
        PLACES.contains(word) && !(deed.to.contains(word) && (nth == 0 || deed.program == PUSH))
    };
    lead.len() <= MOST_BETWEEN
        && !lead.iter().enumerate().any(is_place)
        && list.iter().all(|word| ARTICLES.contains(word))
}

/// Whether some words begin with the verb, behind such as `was`.
fn begins_with_verb(rest: &str, deed: &Deed) -> bool {
    const HELPS: [&str; 12] = [
        "",
        "been",
        "directory",
        "file",
        "folder",
        "got",
        "has",
        "have",
        "is",
        "now",
        "was",
        "were",
    ];
    let next = rest.split(' ').map(bare).find(|word| !HELPS.contains(word));
    next.is_some_and(|next| deed.verbs.contains(&next))
}

/// Where the last of some operands ends, if they stand one behind the other.
fn end_of_others(said: &str, from: usize, others: &[&str], deed: &Deed) -> Option<usize> {
    let mut end = from;
    for other in others {
        let (start, next) = places(said, other, deed).find(|(start, _)| *start >= end)?;
        let gap = said[end..start].trim_matches('`');
        // A branch stands right behind where it is.
        if deed.program == PUSH && !matches!(gap, "/" | " " | "` `") {
            return None;
        }
        end = next;
    }
    Some(end)
}

/// Where an operand stands as a whole. One that is a word has a sign there that it is a path.
fn places<'t>(
    said: &'t str,
    operand: &'t str,
    deed: &'t Deed,
) -> impl Iterator<Item = (usize, usize)> + 't {
    let is_word = operand.chars().all(char::is_alphanumeric);
    let found = said.match_indices(operand).map(|(at, found)| (at, at + found.len()));
    found.filter(move |&(at, end)| {
        let (lead, rest) = (&said[..at], &said[end..]);
        let goes_on =
            |sign| rest.strip_prefix(sign).is_some_and(|next: &str| next.starts_with(is_letter));
        let is_whole = !lead.ends_with(|c: char| is_letter(c) || ".-".contains(c))
            && !rest.starts_with(is_letter)
            && !goes_on('-')
            && !goes_on('.');
        is_whole && (deed.program == PUSH || !goes_on('/') && (!is_word || is_marked(lead, rest)))
    })
}

/// Whether what stands around a word shows it to be a path.
fn is_marked(lead: &str, rest: &str) -> bool {
    const NOUNS: [&str; 5] = ["dir", "directories", "directory", "file", "folder"];
    let is_named = |word: Option<&str>| word.is_some_and(|word| NOUNS.contains(&bare(word)));
    let is_inner = lead.strip_suffix('/').is_some_and(|lead| lead.ends_with(is_letter));
    !is_inner
        && (rest.starts_with(['/', '`', '"', '\''])
            || lead.ends_with(['/', '`', '"', '\''])
            || is_named(rest.strip_prefix(' ').and_then(|rest| rest.split(' ').next()))
            || is_named(lead.strip_suffix(' ').and_then(|lead| lead.rsplit(' ').next())))
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
