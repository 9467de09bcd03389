//! Words as a shell has them.

use crate::letters::is_part_of_word;

/// A word as a shell reads it back: in quotes where it needs them.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| is_part_of_word(c) || "-_./:~+,=@%".contains(c);
    match () {
        () if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        () if word.chars().all(|c| plain(c) || c == ' ') => format!("\"{word}\""),
        () => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_each_word_as_it_was() {
        for (word, written) in [
            ("notes.md", "notes.md"),
            ("my notes.md", "\"my notes.md\""),
            ("", "\"\""),
            ("it's a $bug.md", r"'it'\''s a $bug.md'"),
        ] {
            assert_eq!(shell_word(word), written);
        }
    }
}
