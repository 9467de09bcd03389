//! Words of small letters that are said to be a password: `password: geheim`, `the passphrase is sesame`.

use crate::specifics::words::Words;

/// Words that stand there and are none: what sort of value it is, where it is kept, or how it is with it.
static OTHERS: Words = Words::new(
    "ablauf above abgelaufen again alike alphanumeric also always anders anyone app argon ascii ask auth authentication available bad \
     bcrypt below blank boolean bound broken browser byte case char chars check choice classified clear cleartext common compromised config \
     confirm confirmation constant correct credential credentials crypt current data dead default different digest dynamic each easy \
     email empty encoded encryption entry enough everything everywhere exactly example expiry external fail fails fake falsch fast \
     faux field file fine first fixed forgotten form format fresh from gleich gone good given guest hash hard header here hers hidden his \
     identical illegal important incorrect input internal invalid invalide irrelevant itself just keychain kept keyring known korrekt \
     label last ldap leaked leer length less letter letters like line link list literal local lokal long longer lost manager manual \
     mask mine minimum missing mixed more name necessary needed never new next nobody none normal nothing notwendig nowhere null \
     nullable object obsolete obvious often okay old only open opaque option ours outdated param parameter part pass passwd \
     password passwort path pending placeholder plain plaintext policy private process prompt property public query random raw \
     read readonly ready real record redundant regex requirement requirements reset richtig right root's rule rules safe salt salted \
     same saml schema secret secure sensitive sent session setting settings shadow short shorter shown sicher simple something \
     split sso stale standard still store strength strong such taken temporary test text the theirs then there this token todo too tokens tote \
     totp true trivial type typo undefined unknown unnecessary unset unsafe user username username's valid valide value values \
     varchar vault verify visible void weak what where written wrong yes your yours",
);

/// Ends of words that say what was done to it.
const DONE: [&str; 2] = ["ed", "iert"];

/// Ends of words that say how it is.
const HOW: [&str; 22] = [
    "able", "aire", "ally", "ant", "ary", "bar", "eful", "eless", "elt", "ent", "ert", "ful",
    "ible", "ical", "ing", "ional", "isch", "ive", "less", "lich", "los", "ous",
];

/// Letters of the shortest and the longest one.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=24;

/// Words with hyphens between them of which so many are one: `correct-horse-battery-staple`.
const MANY: usize = 4;

/// Whether a value is a word that may be a password, or several with hyphens between them; a sentence may say instead how it is.
pub(super) fn is_password(value: &str, in_sentence: bool) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(char::is_lowercase);
    if value.contains('-') {
        return value.split('-').count() >= MANY && value.split('-').all(is_word);
    }
    LETTERS.contains(&value.len())
        && is_word(value)
        && !OTHERS.holds(value)
        && !DONE.iter().any(|end| value.ends_with(end))
        && !(in_sentence && HOW.iter().any(|end| value.ends_with(end)))
}

/// Whether a clause ends in front of what stands behind a value: what goes on says something of it.
pub(super) fn ends_in_front(rest: &str) -> bool {
    let bare = rest.trim_start_matches(['"', '\'', '`', '*', '”', '’']);
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    match bare.chars().next() {
        None | Some('\n' | ';' | '}' | ')' | ']' | ',') => true,
        Some('.' | '!') => is_end(&bare[1..]),
        // What is marked as code ends with the mark.
        Some(_) if bare.len() < rest.len() => is_end(bare),
        Some(_) => bare.trim_start().is_empty() || bare.trim_start().starts_with('#'),
    }
}
