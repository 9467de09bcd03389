//! How well a few typed letters fit a text: what lists are narrowed by.

/// How well every word of `query` fits `text`: more is better, `None` if one does not. A word fits best at
/// the beginning of one in the text, then inside, then as letters in the same order. Capitals do not matter.
pub fn score(query: &str, text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    query.to_lowercase().split_whitespace().try_fold(0, |sum, word| Some(sum + fit(word, &text)?))
}

fn fit(word: &str, text: &str) -> Option<u32> {
    let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
    let mut places = text.match_indices(word).map(|(at, _)| at).peekable();
    let first = places.peek().copied();
    if let Some(at) = places.find(|at| begins(*at)) {
        return Some(1_000 + nearness(at));
    }
    first.map(|at| 500 + nearness(at)).or_else(|| in_order(word, text))
}

/// Earlier is better.
fn nearness(at: usize) -> u32 {
    100 - at.min(100) as u32
}

/// The letters in their order; the fewer others between them the better.
fn in_order(word: &str, text: &str) -> Option<u32> {
    let mut rest = text.char_indices();
    let mut places = Vec::new();
    for letter in word.chars() {
        places.push(rest.find(|(_, other)| *other == letter)?.0);
    }
    let spread = places.last()? - places.first()?;
    Some(100 - spread.min(99) as u32)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn the_beginning_of_a_word_goes_before_its_middle_and_that_before_scattered_letters() {
        let best = score("exp", "/expand ID").unwrap();
        let middle = score("exp", "unexpected").unwrap();
        let scattered = score("exp", "event x in a pipe").unwrap();
        assert!(best > middle && middle > scattered, "{best} {middle} {scattered}");
        assert_eq!(score("exp", "pxe"), None);
    }

    #[test]
    fn every_word_has_to_fit_and_nothing_fits_everything() {
        assert!(score("mem SHOW", "show or hide the Memory panel").is_some());
        assert_eq!(score("mem zebra", "show or hide the memory panel"), None);
        assert_eq!(score("", "anything"), Some(0));
        assert!(score("ß世", "straße 世界").is_some());
    }
}
