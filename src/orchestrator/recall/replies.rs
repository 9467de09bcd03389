//! How much is recalled of replies: people ask for what they told more often than for what was said to it.

use std::borrow::Cow;
use std::sync::Arc;

use super::texts::Told;
use crate::memory::Role;
use crate::recall::{asks, excerpt};

/// Bytes of a reply to what told something: what was told stands before it.
const OF_COMMENT: usize = 220;

/// Bytes of one that answers a question, or holds a word that matches and nobody else said: what is asked for may be there.
const OF_ANSWER: usize = 420;

/// A passage in which no reply takes more room than it is worth.
pub(super) fn with_short_replies<'a>(told: &'a Told, words: &[Arc<str>]) -> Cow<'a, str> {
    let Told { text, messages, .. } = told;
    if messages.len() < 2 {
        return Cow::Borrowed(text);
    }
    let said = messages.iter().filter(|(role, _)| *role != Role::Assistant);
    let said: String = said.map(|(_, range)| text[range.clone()].to_lowercase()).collect();
    let of_replies: Vec<Arc<str>> =
        words.iter().filter(|word| !said.contains(&word.to_lowercase())).cloned().collect();
    let mut answers = false;
    let lines = messages.iter().map(|(role, range)| {
        let line = &text[range.clone()];
        if *role != Role::Assistant {
            answers = asks(line.split_once(": ").map_or(line, |(_, said)| said));
            return line.to_owned();
        }
        let lower = line.to_lowercase();
        let matches = of_replies.iter().any(|word| lower.contains(&word.to_lowercase()));
        excerpt(line, &of_replies, if answers || matches { OF_ANSWER } else { OF_COMMENT })
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is recalled of an exchange for the word "slate"; the reply is long and ends with that word.
    fn recalled(user: &str, end: &str) -> String {
        let user = format!("user: {user}");
        let reply = format!("assistant: {}{end}", "The weather matters as well. ".repeat(30));
        let text = format!("{user}\n{reply}");
        let places = [0..user.len(), user.len() + 1..text.len()];
        let messages = [Role::User, Role::Assistant].into_iter().zip(places).collect();
        let told = Told { text, messages, turn: None, day: String::new() };
        with_short_replies(&told, &["slate".into()]).into_owned()
    }

    #[test]
    fn a_reply_is_short_but_where_it_answers_or_matches_by_itself() {
        let comment = recalled("The slate costs 2,380 euros.", "So take the slate.");
        assert!(comment.starts_with("user: The slate costs 2,380 euros.\nassistant: The weather"));
        assert!(comment.len() < 300 && comment.ends_with(" …"), "{comment}");
        let answer = recalled("What does the slate cost?", "It is 2,380.");
        assert!(answer.len() > 350 && answer.len() < 500, "{answer}");
        let found = recalled("The roof leaks.", "So take the slate.");
        assert!(found.ends_with("So take the slate.") && found.len() < 500, "{found}");
    }

    #[test]
    fn what_is_no_exchange_stays_as_it_is() {
        let text = "The weather. ".repeat(80);
        let told =
            Told { text: text.clone(), messages: Vec::new(), turn: None, day: String::new() };
        assert_eq!(with_short_replies(&told, &[]), text);
    }
}
