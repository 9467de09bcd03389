//! The system's words for what went wrong, without the numbers that it puts behind them.

/// How such a number begins: `No such file or directory (os error 2)`.
const BEGINS: &str = " (os error ";

/// A sentence without the numbers of the system's errors, which tell people nothing.
pub fn without_codes(sentence: &str) -> String {
    let mut parts = sentence.split(BEGINS);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len()
            - part.trim_start_matches('-').trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let Some(rest) = part[digits..].strip_prefix(')').filter(|_| digits > 0) {
            plain.push_str(rest);
        } else {
            plain.push_str(BEGINS);
            plain.push_str(part);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_of_errors_leave_a_sentence() {
        for (sentence, plain) in [
            (
                "cannot read a: No such file or directory (os error 2)",
                "cannot read a: No such file or directory",
            ),
            ("denied (os error 13); check it (os error 13).", "denied; check it."),
            ("refused (os error -5)", "refused"),
            ("it says (os error x) and (os error 2", "it says (os error x) and (os error 2"),
            ("all is well", "all is well"),
        ] {
            assert_eq!(without_codes(sentence), plain);
        }
    }
}
