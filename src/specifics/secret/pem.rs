//! Private keys as files hold them.

use std::ops::Range;

/// What stands at the end of the line above one.
const ABOVE: &str = "PRIVATE KEY-----";

/// What begins the line below it.
const BELOW: &str = "-----END";

/// The places of the keys between the lines above and below them; one whose end is missing goes on to that of the text.
pub(super) fn bodies(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(above) = text[at..].find(ABOVE) {
        let start = at + above + ABOVE.len();
        let end = text[start..].find(BELOW).map_or(text.len(), |below| start + below);
        let body = text[start..end].trim();
        if !body.is_empty() {
            let begin = start + (text[start..end].len() - text[start..end].trim_start().len());
            found.push(begin..begin + body.len());
        }
        // Behind the line below, which ends like the one above.
        at = (end + BELOW.len()).min(text.len());
        at += text[at..]
            .find('\n')
            .unwrap_or_else(|| text[at..].find(ABOVE).map_or(0, |to| to + ABOVE.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_lines_and_in_one() {
        for (text, expected) in [
            (
                "a\n-----BEGIN PRIVATE KEY-----\nMIIEvQ\nabc=\n-----END PRIVATE KEY-----\nb",
                "MIIEvQ\nabc=",
            ),
            ("-----BEGIN RSA PRIVATE KEY----- MIIEvQ -----END RSA PRIVATE KEY----- b", "MIIEvQ"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", "b3Bl"),
        ] {
            let found: Vec<&str> = bodies(text).into_iter().map(|place| &text[place]).collect();
            assert_eq!(found, [expected], "{text}");
        }
        let two = "-----BEGIN PRIVATE KEY-----\na\n-----END PRIVATE KEY-----\n".repeat(2);
        assert_eq!(bodies(&two).len(), 2);
        assert!(bodies("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----").is_empty());
    }
}
