//! In which letters a session is written: some details are looked for in some languages alone.

/// From this share of letters beyond Latin ones on, in per cent, a session is written in others.
const MOSTLY_PERCENT: u64 = 30;

/// How many letters were said, and how many of them are no Latin ones.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Letters {
    all: u64,
    others: u64,
}

impl Letters {
    /// Counts those of a text.
    pub(super) fn read(&mut self, text: &str) {
        if text.is_ascii() {
            self.all += text.len() as u64;
            return;
        }
        for sign in text.chars() {
            self.all += u64::from(sign.is_alphanumeric());
            self.others += u64::from(sign.is_alphabetic() && !is_latin(sign));
        }
    }

    /// Whether a good part of them are others than Latin ones.
    pub(super) fn are_others(self) -> bool {
        self.others * 100 > self.all * MOSTLY_PERCENT
    }
}

fn is_latin(sign: char) -> bool {
    matches!(sign, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_in_others_if_a_good_part_is() {
        let others = |texts: &[&str]| {
            let mut letters = Letters::default();
            for text in texts {
                letters.read(text);
            }
            letters.are_others()
        };
        assert!(others(&["予算は150万円です。", "src/main.rs"]));
        assert!(others(&["Решили взять SQLite"]));
        for read in [&["Für Größe, đồng và złoty"][..], &["a long English text and 東京"], &[]]
        {
            assert!(!others(read), "{read:?}");
        }
    }
}
