//! What is as good as random although it has slashes or other signs of Base64, and is therefore no path and no name.

use super::value::has_both;
use crate::specifics::words::Words;

/// Lengths of such keys, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=512;

/// The same of one that begins as the path of a file does.
const LONG: usize = 32;

/// Signs between the parts of a key, or of a path or a name.
const BETWEEN: [char; 7] = ['/', '+', '_', '-', '.', '~', '='];

/// The shortest word that is one for certain, in letters; of the first part of a path, and of another one.
const SHORTEST_FIRST: usize = 3;
const SHORTEST: usize = 5;

/// Consonants that stand side by side in words.
static PAIRS: Words = Words::new(
    "bb bc bl br bs cc cd ch ck cl cr cs ct db dd df dg dl dn dr ds dt fd ff fg fl fr fs ft gg gh gl gn gr gs gt hd hl hm hn hr hs \
     ht kl ks lb lc ld lf ll lm lp ls lt lv mb ml mm mp ms nb nc nd nf ng nh nk nl nm nn np nr ns nt nv nw pc pf ph pl pp pr ps pt \
     rb rc rd rf rg rk rl rm rn rp rr rs rt rv sc sd sg sh sk sl sm sn sp sq ss st sw tc td tf th tl tm tn tp tr ts tt tw wh wn wr \
     ws xc xp xt",
);

/// Whether a value has small letters, capitals and digits in an order that no words have: `kD8s/Vn3mXw7+Rt==`.
pub(super) fn is_random_key(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let is_mixed = has_both(value) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    if !LENGTHS.contains(&value.len()) || !value.is_ascii() || !is_mixed || is_of_file(value) {
        return false;
    }
    // Objects in JSON begin so in Base64.
    let known = usize::from(value.starts_with("eyJ"));
    let parts = || value.split(BETWEEN).filter(|part| !part.is_empty()).skip(known);
    let is_word = |(nth, part): (usize, &str)| {
        let shortest = if nth + known == 0 { SHORTEST_FIRST } else { SHORTEST };
        part.len() >= shortest && is_of_one_case(part) && may_be_word(part)
    };
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let in_words: usize = parts().map(letters_in_words).sum();
    // A few letters of what is random may be a word by chance.
    let most = if value.starts_with('/') { 0 } else { letters / 4 };
    in_words <= most && !parts().enumerate().any(is_word)
}

/// Whether a value begins or ends as the path of a file does, or is a number of code.
fn is_of_file(value: &str) -> bool {
    const LONGEST_ENDING: usize = 5;
    let is_ending = |end: &str| {
        let is_of_it = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        (1..=LONGEST_ENDING).contains(&end.len()) && end.bytes().all(is_of_it)
    };
    value.starts_with(['.', '~'])
        || value.starts_with("0x")
        || value.starts_with('/') && value.len() < LONG
        || value.rsplit_once('.').is_some_and(|(_, end)| is_ending(end))
}

/// Whether a part but for the digits at its end is in small letters, in capitals, or begins with one of those.
fn is_of_one_case(part: &str) -> bool {
    let part = part.trim_end_matches(|c: char| c.is_ascii_digit()).as_bytes();
    let rest = part.get(1..).unwrap_or_default();
    part.len() >= SHORTEST_FIRST
        && (rest.iter().all(u8::is_ascii_lowercase) && part[0].is_ascii_alphabetic()
            || part.iter().all(u8::is_ascii_uppercase))
}

/// Letters of a part that are in words, as names in code have them: 8 of `KeyStoreV3`.
fn letters_in_words(part: &str) -> usize {
    let bytes = part.as_bytes();
    let (mut at, mut letters, mut others) = (0, 0, 0);
    while at < bytes.len() {
        let start = at;
        at += 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let piece = &part[start..at];
        if bytes[start].is_ascii_alphabetic() && piece.len() >= SHORTEST_FIRST && may_be_word(piece)
        {
            letters += piece.len();
        } else {
            others += piece.bytes().filter(u8::is_ascii_alphabetic).count();
        }
    }
    // Where others prevail it is one by chance.
    if letters >= 2 * others { letters } else { 0 }
}

/// Whether letters may be a word: some vowel, and no consonants side by side that never are.
fn may_be_word(letters: &str) -> bool {
    let letters = letters.trim_end_matches(|c: char| c.is_ascii_digit()).as_bytes();
    let is_vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte);
    let fits = |pair: &[u8]| {
        pair.iter().any(is_vowel)
            || std::str::from_utf8(pair).is_ok_and(|pair| PAIRS.hold_lower(pair))
    };
    letters.iter().any(is_vowel) && letters.windows(2).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_random_and_paths_and_names_are_not() {
        for key in [
            "kD8sLq2/Vn3mXw7RtY5uZp/Bc9eFgHjK4aQ1oI6s",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "abcdEFGHijkl/MNOPqrst1234/uvwxYZ5678abcd90",
            "Zm9vYmFyYmF6cXV4Zm9v/YmFyYmF6cXV4Zm9vYmE+bc==",
            "eyJabc/def123456789ABCDEFG",
            "/KVnvKuR54xA8JMLuo4zgj7XpWa1wdbMfjEIILX3",
            "d4+BCE/REjcL1I9Qy2FigDDe4/LoidO+jS7DvXZc",
            "8Q~gtcdZFGH1274hjklMNOP5678qrst",
        ] {
            assert!(is_random_key(key), "{key}");
        }
        for other in [
            "config/keys/Prod2024.pem",
            "src/auth/TokenStoreV2",
            "MyApp2/KeyStoreV3/SecretManager",
            "Users/Ann/Keys2/kD8sLq2Vn3mXw7Rt",
            "docs/kD8sLq2Vn3mXw7RtY5uZp",
            "kD8sLq2Vn3mXw7RtY5uZp.json",
            "./kD8sLq2Vn3mXw7RtY5uZp",
            "~/kD8sLq2Vn3mXw7RtY5uZp",
            "/kD8sLq2Vn3mXw7RtY",
            "/etc/kD8sLq2Vn3mXw7RtY5uZp",
            "sha256-kD8sLq2/Vn3mXw7RtY5uZp",
            "AuthTokenV2Provider",
            "getUserById2AndSecret",
            "0x3F3E03FE000000E0a",
            "3f9a8b7c6d5e4f30a1b2c3d4",
            "kD8sLq2Vn",
            "…äkD8sLq2Vn3mXw7RtY",
            "",
        ] {
            assert!(!is_random_key(other), "{other}");
        }
    }
}
