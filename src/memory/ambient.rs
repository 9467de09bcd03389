//! Exchanges that belong to no effort: the window holds the last few, the log all of them.

use std::collections::VecDeque;

use super::{Message, Tokens};

/// The tail of the ambient log, and the size of the whole.
#[derive(Debug, Default)]
pub(super) struct Ambient {
    tail: VecDeque<Message>,
    tail_tokens: Tokens,
    /// Messages in the window: two for each exchange.
    window: usize,
    messages: u64,
    /// Messages before those that were said since it was restored.
    restored: u64,
    /// Of all messages; until they are counted, of those that were said since it was restored.
    tokens: Tokens,
    counted: bool,
}

impl Ambient {
    pub(super) fn restored(tail: Vec<Message>, messages: u64, tokens: Option<Tokens>) -> Self {
        let mut ambient = Self { window: usize::MAX, ..Self::default() };
        ambient.extend(tail);
        (ambient.messages, ambient.restored) = (messages, messages);
        ambient.tokens = tokens.unwrap_or_default();
        ambient.counted = tokens.is_some();
        ambient
    }

    /// Sets how many exchanges the window holds. A larger window fills again as the talk goes on.
    pub(super) fn set_window(&mut self, exchanges: usize) {
        self.window = exchanges.saturating_mul(2);
        self.counted |= self.messages == 0;
        self.trim();
    }

    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.messages += 1;
            self.tokens += message.tokens;
            self.tail_tokens += message.tokens;
            self.tail.push_back(message);
        }
        self.trim();
    }

    pub(super) fn tail(&self) -> impl Iterator<Item = &Message> {
        self.tail.iter()
    }

    pub(super) fn tail_len(&self) -> usize {
        self.tail.len()
    }

    pub(super) fn tail_tokens(&self) -> Tokens {
        self.tail_tokens
    }

    /// Messages and tokens of the whole log, as far as they are counted.
    pub(super) fn total(&self) -> (u64, Tokens) {
        (self.messages, self.tokens)
    }

    pub(super) fn is_counted(&self) -> bool {
        self.counted
    }

    /// Takes the size that the log had when it was restored.
    pub(super) fn set_total(&mut self, messages: u64, tokens: Tokens) {
        if !self.counted {
            self.messages = messages + (self.messages - self.restored);
            self.tokens += tokens;
            self.counted = true;
        }
    }

    fn trim(&mut self) {
        while self.tail.len() > self.window {
            if let Some(gone) = self.tail.pop_front() {
                self.tail_tokens = self.tail_tokens.saturating_sub(gone.tokens);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Role;

    #[test]
    fn what_is_said_while_the_log_of_another_program_is_counted_is_counted_too() {
        let message =
            |tokens| Message { role: Role::User, content: "hm".into(), tokens: Tokens(tokens) };
        let mut ambient = Ambient::restored(vec![message(3)], 400, None);
        ambient.set_window(10);
        ambient.extend([message(5), message(7)]);
        assert!(!ambient.is_counted());
        ambient.set_total(300, Tokens(1000));
        assert_eq!(ambient.total(), (302, Tokens(1012)), "300 of 400 lines hold a message");
    }
}
