//! Secrets that are known by their own shape.

use std::ops::Range;

/// The beginnings of keys that nobody should copy anywhere.
const BEGINNINGS: [&str; 32] = [
    "AGE-SECRET-KEY-",
    "AIza",
    "AKIA",
    "ASIA",
    "SG.",
    "dckr_pat_",
    "dop_v1_",
    "ghp_",
    "gho_",
    "ghr_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "glrt-",
    "gsk_",
    "hf_",
    "nvapi-",
    "pypi-",
    "rk_live_",
    "rk_test_",
    "shpat_",
    "sk-",
    "sk_",
    "tskey-",
    "whsec_",
    "xapp-",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxs-",
    "ya29.",
];

/// Signs of the shortest part of a key behind its beginning.
const SHORTEST: usize = 9;

/// Whether a word begins as keys do, and is as long as they are.
pub(in crate::specifics) fn is_secret(word: &str) -> bool {
    BEGINNINGS.iter().any(|start| word.starts_with(start) && word.len() >= start.len() + SHORTEST)
}

/// Whether a word is a key for certain: packages have names that begin like one, too, `sk-learn-contrib`.
pub(super) fn is_key(word: &str) -> bool {
    word.len() > SHORTEST
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && (is_secret(word) || is_web_token(word))
}

/// Whether it is a web token in JSON: three parts, of which the first two are objects in Base64.
fn is_web_token(word: &str) -> bool {
    const OPENS: &str = "eyJ";
    let mut parts = word.split('.');
    let is_object = |part: Option<&str>| part.is_some_and(|part| part.len() > SHORTEST);
    word.starts_with(OPENS) && is_object(parts.next()) && is_object(parts.next())
}

/// Adds the places of the keys in a word that begins somewhere.
pub(super) fn find(word: &str, start: usize, found: &mut Vec<Range<usize>>) {
    if word.len() < SHORTEST {
        return;
    }
    let mut at = 0;
    for part in word.split(|c: char| !is_of_key(c)) {
        let bare = part.trim_end_matches('.');
        // A hyphen or a point may stand in front of it, as in `--key-sk-…` none does.
        if is_key(bare) {
            found.push(start + at..start + at + bare.len());
        }
        at += part.len();
        at += word[at..].chars().next().map_or(0, char::len_utf8);
    }
}

fn is_of_key(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.')
}
