//! What grammar adds to words of some scripts.

/// A word without case and accents, and without the endings or the beginnings that grammar gives it in Russian, Arabic and
/// Hebrew. Other words stay as they are.
pub fn without_endings(word: &str) -> &str {
    match word.chars().next() {
        Some('\u{400}'..='\u{4ff}') => russian(word),
        Some('\u{590}'..='\u{5ff}') => hebrew(word),
        Some('\u{600}'..='\u{6ff}') => arabic(word),
        _ => word,
    }
}

/// A Russian word without the letters that its endings are made of.
fn russian(word: &str) -> &str {
    const KEPT: usize = 3;
    const MOST_CUT: usize = 3;
    let letters = word.chars().count();
    let cut = word.chars().rev().take_while(|&c| "аеиоуыэюяйьмхв".contains(c)).count();
    let kept = letters - cut.min(MOST_CUT).min(letters.saturating_sub(KEPT));
    word.char_indices().nth(kept).map_or(word, |(end, _)| &word[..end])
}

/// An Arabic word without its article, and without what says whose something is, or how many there are.
fn arabic(word: &str) -> &str {
    const BEFORE: [&str; 6] = ["وال", "بال", "فال", "كال", "لل", "ال"];
    const BEHIND: [&str; 12] =
        ["ها", "نا", "هم", "كم", "ات", "ون", "ين", "ان", "يه", "تي", "ه", "ي"];
    let is_long = |rest: &&str| rest.chars().count() > 2;
    let bare = BEFORE.iter().find_map(|article| word.strip_prefix(article)).filter(is_long);
    let bare = bare.unwrap_or(word);
    let ends = BEHIND.iter().filter_map(|ending| bare.strip_suffix(ending));
    ends.filter(is_long).min_by_key(|rest| rest.len()).unwrap_or(bare)
}

/// A Hebrew word without the article and the words of grammar that are written as one with it.
fn hebrew(word: &str) -> &str {
    const KEPT: usize = 3;
    let joined = ['ה', 'ו', 'ב', 'ל', 'ש', 'כ', 'מ'];
    let bare = word.strip_prefix(joined).filter(|bare| bare.chars().count() >= KEPT);
    bare.map_or(word, hebrew)
}

/// Whether a text has letters that hardly any other language has: there the endings of Turkish are known.
pub fn is_turkish(text: &str) -> bool {
    !text.is_ascii() && text.contains(['ı', 'ğ', 'ş', 'İ', 'Ğ', 'Ş'])
}

/// A word without case and accents, and without the endings of Turkish, which stand one behind the other.
pub(super) fn without_turkish_endings(word: &str) -> &str {
    const KEPT: usize = 4;
    const ENDINGS: [&str; 46] = [
        "lar", "ler", "dan", "den", "tan", "ten", "nin", "nun", "yla", "yle", "nda", "nde", "miz",
        "muz", "niz", "nuz", "da", "de", "ta", "te", "in", "un", "im", "um", "si", "su", "yi",
        "yu", "ya", "ye", "na", "ne", "la", "le", "ni", "nu", "di", "du", "ti", "tu", "ki", "i",
        "u", "a", "e", "n",
    ];
    // These begin with a letter that parts two vowels.
    let fits = |bare: &str, ending: &str| {
        !ending.starts_with(['s', 'y', 'n']) || bare.ends_with(['a', 'e', 'i', 'o', 'u'])
    };
    let bare = ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|bare| fits(bare, ending)));
    let is_word = |bare: &&str| bare.len() >= KEPT && word.bytes().all(|c| c.is_ascii_lowercase());
    bare.filter(is_word).map_or(word, without_turkish_endings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_the_endings_of_turkish_in_whatever_number_they_stand() {
        for (one, other) in [
            ("marangoz", "marangozu"),
            ("fayansi", "fayanslarla"),
            ("kedimizin", "kedilerimizin"),
            ("veritabani", "veritabanini"),
            ("alerjisi", "alerjileri"),
            ("disci", "discisi"),
        ] {
            assert_eq!(without_turkish_endings(one), without_turkish_endings(other), "{one}");
        }
        for same in ["", "ev", "kedi", "v2da", "istanbul'da"] {
            assert_eq!(without_turkish_endings(same), same);
        }
        assert!(is_turkish("Işık hızı") && !is_turkish("la niña") && !is_turkish("plain"));
    }

    #[test]
    fn forms_of_a_word_lose_what_grammar_adds() {
        for (one, other) in [
            ("базы", "базами"),
            ("خزنه", "الخزنه"),
            ("خزنه", "بالخزنه"),
            ("خزنه", "للخزنه"),
            ("قطتي", "قطتنا"),
            ("حساسيه", "حساسه"),
            ("בית", "הבית"),
            ("מחשב", "והמחשב"),
        ] {
            assert_eq!(without_endings(one), without_endings(other), "{one}");
        }
        for same in ["", "plain", "größe", "数据库", "ال", "ב"] {
            assert_eq!(without_endings(same), same);
        }
    }
}
