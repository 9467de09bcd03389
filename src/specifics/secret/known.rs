//! Secrets that are known by their own shape.

use std::ops::{Range, RangeInclusive};

use super::value::is_random;

/// The beginnings of keys that nobody should copy anywhere.
const BEGINNINGS: [&str; 41] = [
    "AGE-SECRET-KEY-",
    "AIza",
    "AKIA",
    "ASIA",
    "PMAK-",
    "SG.",
    "dckr_pat_",
    "doo_v1_",
    "dop_v1_",
    "dor_v1_",
    "ghp_",
    "gho_",
    "ghr_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "glptt-",
    "glrt-",
    "gsk_",
    "hf_",
    "nvapi-",
    "pypi-",
    "rk_live_",
    "rk_test_",
    "shpca_",
    "shpat_",
    "shppa_",
    "shpss_",
    "sk-",
    "sk_",
    "tskey-",
    "whsec_",
    "xapp-",
    "xoxa-",
    "xoxb-",
    "xoxe-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "ya29.",
];

/// Signs of the shortest part of a key behind its beginning.
const SHORTEST: usize = 9;

/// Beginnings that names of other things have, too, `npm_config_python3`: what stands behind one is random.
const OF_RANDOM: [&str; 35] = [
    "ATATT3",
    "ATCTT3",
    "EAACEdEose0cBA",
    "NRAK-",
    "dp.pt.",
    "dp.st.",
    "figd_",
    "glc_",
    "gldt-",
    "glsa_",
    "hvb.",
    "hvr.",
    "hvs.",
    "lin_api_",
    "lin_oauth_",
    "ntn_",
    "npm_",
    "phx_",
    "pplx-",
    "pscale_pw_",
    "pscale_tkn_",
    "r8_",
    "rubygems_",
    "sb_secret_",
    "sbp_",
    "sntrys_",
    "sntryu_",
    "sq0atp-",
    "sq0csp-",
    "sqa_",
    "sqp_",
    "squ_",
    "tfp_",
    "xai-",
    "xoxe.",
];

/// Signs of the shortest part of such a key behind its beginning.
const SHORTEST_OF_RANDOM: usize = 16;

/// Whether a word begins as keys do, and is as long as they are.
pub(in crate::specifics) fn is_secret(word: &str) -> bool {
    let begins = |start: &&&str| word.starts_with(**start);
    BEGINNINGS.iter().any(|start| begins(&start) && word.len() >= start.len() + SHORTEST)
        || word.len() > SHORTEST_OF_RANDOM
            && OF_RANDOM.iter().find(begins).is_some_and(|start| {
                let rest = &word[start.len()..];
                rest.len() >= SHORTEST_OF_RANDOM && holds_random(rest)
            })
}

/// Whether some part of a word is as good as random.
fn holds_random(word: &str) -> bool {
    word.split(['_', '-', '.']).any(is_random)
}

/// Whether a word is a key for certain: packages have names that begin like one, too, `sk-learn-contrib`.
pub(super) fn is_key(word: &str) -> bool {
    word.len() > SHORTEST
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && (is_secret(word) || is_web_token(word) || is_token_of_bot(word))
}

/// Whether it is a web token in JSON: three parts, of which the first two are objects in Base64.
fn is_web_token(word: &str) -> bool {
    const OPENS: &str = "eyJ";
    let mut parts = word.split('.');
    let is_object = |part: Option<&str>| part.is_some_and(|part| part.len() > SHORTEST);
    word.starts_with(OPENS) && is_object(parts.next()) && is_object(parts.next())
}

/// Whether it is the token of a bot of Discord: its number in Base64, a time and a signature.
fn is_token_of_bot(word: &str) -> bool {
    const LENGTHS: [RangeInclusive<usize>; 3] = [24..=28, 6..=7, 27..=38];
    let fits = |(part, length): (&str, &RangeInclusive<usize>)| length.contains(&part.len());
    word.starts_with(['M', 'N', 'O'])
        && word.split('.').count() == LENGTHS.len()
        && word.split('.').zip(&LENGTHS).all(fits)
}

/// Adds the places of the keys in a word that begins somewhere.
pub(super) fn find(word: &str, start: usize, found: &mut Vec<Range<usize>>) {
    find_those(word, start, is_key, found);
}

/// Adds those in an address, of which more than the beginning says that they are some: pages have names like them, too.
pub(super) fn find_in_address(word: &str, start: usize, found: &mut Vec<Range<usize>>) {
    find_those(word, start, |word| is_key(word) && holds_random(word), found);
    find_of_chat(word, start, found);
}

fn find_those(word: &str, start: usize, is_one: fn(&str) -> bool, found: &mut Vec<Range<usize>>) {
    if word.len() < SHORTEST {
        return;
    }
    let mut at = 0;
    for part in word.split(|c: char| !is_of_key(c)) {
        let bare = part.trim_end_matches('.');
        // A hyphen or a point may stand in front of it, as in `--key-sk-…` none does.
        if is_one(bare) {
            found.push(start + at..start + at + bare.len());
        }
        at += part.len();
        at += word[at..].chars().next().map_or(0, char::len_utf8);
    }
}

/// Adds the tokens of bots of Telegram: the number of one, a colon, and what is secret.
pub(super) fn find_of_chat(word: &str, start: usize, found: &mut Vec<Range<usize>>) {
    const BETWEEN: &str = ":AA";
    const DIGITS: RangeInclusive<usize> = 8..=10;
    const LENGTHS: RangeInclusive<usize> = 30..=40;
    for (at, _) in word.match_indices(BETWEEN) {
        let number = word[..at].bytes().rev().take_while(u8::is_ascii_digit).count();
        let token = &word[at + 1..];
        let length = token.find(|c: char| !is_of_key(c) || c == '.').unwrap_or(token.len());
        if DIGITS.contains(&number) && LENGTHS.contains(&length) {
            found.push(start + at + 1..start + at + 1 + length);
        }
    }
}

fn is_of_key(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.')
}
