//! The form under which words are compared: without the endings of grammar, so that "tokens" and
//! "token", "migrated" and "migration" are one word.
//!
//! For words of plain English letters this is the suffix stripping that M. F. Porter published in
//! 1980, without its last two steps, which cut so deep that different words meet ("universe",
//! "university"). Other words only lose a plural or possessive ending.

/// Shorter words keep their form.
const MIN_LETTERS: usize = 4;

/// The stem of a lower-case word. Not always a word itself; only good for comparing.
pub fn stem(word: &str) -> String {
    let mut stem = String::new();
    stem_into(word, &mut stem);
    stem
}

/// Puts the stem of a lower-case word in place of what stands in `stem`, so that many words share the room.
pub(super) fn stem_into(word: &str, stem: &mut String) {
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    stem.clear();
    if word.len() < MIN_LETTERS || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return stem.push_str(other(word));
    }
    stem.push_str(word);
    plural(stem);
    verb(stem);
    let end = stem.len();
    if stem.ends_with('y') && end > 2 && !is_vowel(stem.as_bytes(), end - 2) {
        stem.pop();
        stem.push('i');
    }
    replace_first(stem, double_endings(stem), 0);
    replace_first(stem, noun_endings(stem), 0);
    replace_first(stem, late_endings(stem), 1);
    if stem.ends_with('e') && stem.len() > MIN_LETTERS - 1 {
        stem.pop();
    }
}

/// Endings, each with what is left of it; the longest that fits comes first.
type Endings = &'static [(&'static str, &'static str)];

/// Endings made of two, as far as the last two letters of a word admit them.
fn double_endings(word: &str) -> Endings {
    match word.as_bytes() {
        [.., b'a', b'l'] => &[("ational", "ate"), ("tional", "tion")],
        [.., b'o', b'n'] => &[("ization", "ize"), ("isation", "ize"), ("ation", "ate")],
        [.., b's', b's'] => &[("fulness", "ful"), ("ousness", "ous"), ("iveness", "ive")],
        [.., b't', b'i'] => &[("biliti", "ble"), ("aliti", "al"), ("iviti", "ive")],
        [.., b's', b'm'] => &[("alism", "al")],
        [.., b'l', b'i'] => {
            &[("entli", "ent"), ("ousli", "ous"), ("alli", "al"), ("bli", "ble"), ("eli", "e")]
        }
        [.., b'o', b'r'] => &[("ator", "ate")],
        [.., b'e', b'r'] => &[("izer", "ize"), ("iser", "ize")],
        [.., b's', b'e'] => &[("ise", "ize")],
        _ => &[],
    }
}

fn noun_endings(word: &str) -> Endings {
    match word.as_bytes() {
        [.., b't', b'e'] => &[("icate", "ic")],
        [.., b'v', b'e'] => &[("ative", "")],
        [.., b'z', b'e'] => &[("alize", "al")],
        [.., b't', b'i'] => &[("iciti", "ic")],
        [.., b'a', b'l'] => &[("ical", "ic")],
        [.., b's', b's'] => &[("ness", "")],
        [.., b'u', b'l'] => &[("ful", "")],
        _ => &[],
    }
}

/// Endings that go only where enough of the word remains.
fn late_endings(word: &str) -> Endings {
    match word.as_bytes() {
        [.., b'n', b't'] => &[("ement", ""), ("ment", "")],
        [.., b't', b'e'] => &[("ate", "")],
        [.., b'z', b'e'] => &[("ize", "")],
        [.., b'o', b'n'] => &[("ion", "")],
        [.., b'e', b'r'] => &[("er", "")],
        [.., b'o', b'r'] => &[("or", "")],
        _ => &[],
    }
}

/// Replaces the first ending that fits where what precedes it holds more than `least` runs of vowels
/// followed by consonants.
fn replace_first(word: &mut String, endings: Endings, least: usize) {
    let Some((ending, left)) = endings.iter().find(|(ending, _)| word.ends_with(ending)) else {
        return;
    };
    let head = word.len() - ending.len();
    let long_enough = measure(&word[..head]) > least;
    let after_s_or_t = *ending != "ion" || matches!(word.as_bytes()[..head], [.., b's' | b't']);
    if long_enough && after_s_or_t {
        word.truncate(head);
        word.push_str(left);
    }
}

fn plural(word: &mut String) {
    let left_out = match word.as_bytes() {
        [.., b's', b's', b'e', b's'] | [_, _, .., b'i', b'e', b's'] => 2,
        [.., b's' | b'u' | b'i', b's'] => 0,
        [.., b's'] => 1,
        _ => 0,
    };
    word.truncate(word.len() - left_out);
}

fn verb(word: &mut String) {
    let ending = match word.as_bytes() {
        [.., b'e', b'e', b'd'] => {
            let is_long = measure(&word[..word.len() - 3]) > 0;
            return word.truncate(word.len() - usize::from(is_long));
        }
        [.., b'e', b'd'] => 2,
        [.., b'i', b'n', b'g'] => 3,
        _ => return,
    };
    let head = word.len() - ending;
    if !has_vowel(&word[..head]) {
        return;
    }
    word.truncate(head);
    match word.as_bytes() {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z' | b's'] => word.push('e'),
        [.., last] if ends_double(word) && !matches!(last, b'l' | b's' | b'z') => {
            word.pop();
        }
        _ if measure(word) == 1 && ends_short(word) => word.push('e'),
        _ => {}
    }
}

/// Words in other letters, with digits or signs, or too short to have an ending.
fn other(word: &str) -> &str {
    let long = word.chars().count() > MIN_LETTERS - 1;
    let kept = matches!(word.as_bytes(), [.., b's' | b'u' | b'i', b's']);
    match word.strip_suffix('s') {
        Some(singular) if long && !kept => singular,
        _ => word,
    }
}

fn is_vowel(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        b'y' => at > 0 && !is_vowel(word, at - 1),
        _ => false,
    }
}

fn has_vowel(word: &str) -> bool {
    (0..word.len()).any(|at| is_vowel(word.as_bytes(), at))
}

/// How often a run of vowels is followed by a run of consonants.
fn measure(word: &str) -> usize {
    let letters = word.as_bytes();
    let mut before = false;
    let mut count = 0;
    for at in 0..letters.len() {
        let vowel = is_vowel(letters, at);
        count += usize::from(before && !vowel);
        before = vowel;
    }
    count
}

fn ends_double(word: &str) -> bool {
    let letters = word.as_bytes();
    let end = letters.len();
    end >= 2 && letters[end - 1] == letters[end - 2] && !is_vowel(letters, end - 1)
}

/// Consonant, vowel, consonant: "hop", as in "hoping".
fn ends_short(word: &str) -> bool {
    let letters = word.as_bytes();
    let end = letters.len();
    end >= 3
        && !is_vowel(letters, end - 1)
        && is_vowel(letters, end - 2)
        && !is_vowel(letters, end - 3)
        && !b"wxy".contains(&letters[end - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_are_compared_as_one() {
        for forms in [
            &["token", "tokens"][..],
            &["query", "queries"],
            &["user", "user's", "users"],
            &["migrate", "migrated", "migrating", "migration", "migrations"],
            &["debug", "debugged", "debugging", "debugs"],
            &["cache", "cached", "caching", "caches"],
            &["deploy", "deployed", "deployment", "deployments"],
            &["configure", "configured", "configuring"],
            &["optimize", "optimise", "optimized", "optimising", "optimization"],
            &["plan", "planned", "planning", "plans"],
            &["bake", "baked", "baking"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms:?}: {stems:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (one, other) in [
            ("station", "state"),
            ("status", "statue"),
            ("bus", "bu"),
            ("universe", "universal"),
            ("sing", "sin"),
            ("red", "r"),
            ("policy", "police"),
            ("wedding", "wednesday"),
        ] {
            assert_ne!(stem(one), stem(other), "{one}, {other}");
        }
    }

    #[test]
    fn any_text_has_a_stem() {
        for word in ["", "s", "ss", "größen", "設計", "v2s", "401", "eed", "ing", "ed", "ies", "y"]
        {
            assert!(stem(word).len() <= word.len() + 1, "{word}");
        }
    }
}
