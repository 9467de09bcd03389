//! The words of messages, read before anybody weighs these: by a thread that knows what will be said.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use crate::lock::locked;
use crate::memory::by_word::hash_of;
use crate::memory::words;

/// Messages of which they are kept.
const MOST: usize = 256;

/// Longer messages, in bytes, are read when they are weighed: what is kept of them would need much room.
const LONGEST: usize = 1 << 16;

/// A word of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    /// The hash of its stem.
    pub(super) stem: u64,
    start: u32,
    end: u32,
}

impl Said {
    /// As the message has it, in lower case.
    pub(super) fn form<'a>(&self, message: &'a str) -> Cow<'a, str> {
        words::lower(message.get(self.place()).unwrap_or_default())
    }

    /// Where it stands in the message.
    pub(super) fn place(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The words of a message in order, repeated ones included. What lies behind its first 4 GB has none.
pub(super) fn words_of(message: &str) -> Vec<Said> {
    let mut said = Vec::new();
    words::each_stem(message, |place, stem| {
        if let (Ok(start), Ok(end)) = (place.start.try_into(), place.end.try_into()) {
            said.push(Said { stem: hash_of(stem), start, end });
        }
    });
    said
}

/// The words of messages that will be weighed soon. A message is told by its hash: that of another one is the same once in
/// 2^64 times.
#[derive(Debug, Default)]
pub struct WordsAhead(Mutex<VecDeque<(u64, Vec<Said>)>>);

impl WordsAhead {
    /// Reads the words of a message, and keeps them until it is weighed.
    pub fn read(&self, message: &str) {
        if message.len() > LONGEST {
            return;
        }
        let (hash, said) = (hash_of(message), words_of(message));
        let mut held = self.held();
        if held.len() >= MOST {
            held.pop_front();
        }
        held.push_back((hash, said));
    }

    /// The words of a message, read now if they were not before.
    pub(super) fn take(&self, message: &str) -> Vec<Said> {
        let is_kept = message.len() <= LONGEST && !self.held().is_empty();
        let known = is_kept.then(|| hash_of(message)).and_then(|hash| self.remove(hash));
        known.unwrap_or_else(|| words_of(message))
    }

    fn remove(&self, hash: u64) -> Option<Vec<Said>> {
        let mut held = self.held();
        let at = held.iter().position(|(known, _)| *known == hash)?;
        held.remove(at).map(|(_, said)| said)
    }

    fn held(&self) -> MutexGuard<'_, VecDeque<(u64, Vec<Said>)>> {
        locked(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(said: &[Said], message: &str) -> Vec<(u64, String)> {
        said.iter().map(|one| (one.stem, one.form(message).into_owned())).collect()
    }

    #[test]
    fn words_are_those_of_the_message_whether_it_was_read_before_or_not() {
        let ahead = WordsAhead::default();
        for message in
            ["", "Migrated the Tokens, 'ÜBER' the rate-limiter’s", "the of", "x\u{130}yz İSTANBUL"]
        {
            ahead.read(message);
            let (known, now) = (ahead.take(message), words_of(message));
            assert_eq!(read(&known, message), read(&now, message));
            let forms: Vec<String> = words::word_parts(message).map(Cow::into_owned).collect();
            let found: Vec<String> =
                read(&now, message).into_iter().map(|(_, form)| form).collect();
            assert_eq!(found, forms);
            assert!(ahead.held().is_empty(), "it is taken once");
        }
    }

    #[test]
    fn so_many_messages_are_kept_and_none_that_is_very_long() {
        let ahead = WordsAhead::default();
        ahead.read(&"word ".repeat(LONGEST));
        assert!(ahead.held().is_empty());
        for nth in 0..2 * MOST {
            ahead.read(&format!("message {nth}"));
        }
        assert_eq!(ahead.held().len(), MOST);
        let planted = words_of("planted");
        ahead.held().push_back((hash_of("asked"), planted));
        assert_eq!(read(&ahead.take("asked"), "planted")[0].1, "planted", "what is kept is used");
        assert_eq!(ahead.take("asked").len(), 1);
    }
}
