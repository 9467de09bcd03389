//! Texts on one line.

/// A text on one line: every run of white space becomes one space.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_of_white_space_becomes_one_space_and_none_stands_at_an_end() {
        assert_eq!(one_line("  two\r\n\t lines "), "two lines");
        assert_eq!(one_line(" \n"), "");
    }
}
