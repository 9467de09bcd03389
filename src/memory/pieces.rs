//! What is sent of a log, as parts of it.

use std::sync::Arc;

use super::{Block, Message, Role};

/// A part of what is sent of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Messages of the log, word for word.
    Whole {
        /// The first of them, from 0.
        from: usize,
        /// How many.
        count: usize,
    },
    /// The compressed part of that number, from 0.
    Block(usize),
    /// Words that stand for others.
    Words(Role, Arc<str>),
}

impl Piece {
    /// A log as it is sent when nothing but compression shortens it: `messages` long, with blocks in the
    /// places of what they stand for.
    pub fn compressed(messages: usize, blocks: &[Block]) -> Vec<Self> {
        let mut pieces: Vec<Self> = Vec::new();
        for at in 0..messages {
            let block = blocks.iter().position(|block| block.places().contains(&at));
            match (block, pieces.last_mut()) {
                (Some(nth), _) if blocks[nth].places().first() == Some(&at) => {
                    pieces.push(Self::Block(nth));
                }
                (Some(_), _) => {}
                (None, Some(Self::Whole { from, count })) if *from + *count == at => *count += 1,
                (None, _) => pieces.push(Self::Whole { from: at, count: 1 }),
            }
        }
        pieces
    }
}

/// What is shown of a log: runs of its messages, and words of our own between them.
pub(super) fn pieces(shown: &[Message], log: &[&Message], blocks: &[Block]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut next = 0;
    for message in shown {
        let is_it = |one: &&Message| Arc::ptr_eq(&one.content, &message.content);
        let Some(ahead) = log[next..].iter().position(is_it) else {
            let is_it = |block: &Block| Arc::ptr_eq(&block.message().content, &message.content);
            pieces.push(match blocks.iter().position(is_it) {
                Some(nth) => Piece::Block(nth),
                None => Piece::Words(message.role, Arc::clone(&message.content)),
            });
            continue;
        };
        let at = next + ahead;
        next = at + 1;
        match pieces.last_mut() {
            Some(Piece::Whole { from, count }) if *from + *count == at => *count += 1,
            _ => pieces.push(Piece::Whole { from: at, count: 1 }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Tokens;

    fn message(text: &str) -> Message {
        Message { role: Role::User, content: text.into(), tokens: Tokens(1) }
    }

    #[test]
    fn a_shortened_log_is_runs_of_its_messages_and_words_between_them() {
        let log: Vec<Message> = ["a", "b", "c", "a", "d"].map(message).into();
        let shown = [log[0].clone(), message("[… left out]"), log[3].clone(), log[4].clone()];
        let expected = [
            Piece::Whole { from: 0, count: 1 },
            Piece::Words(Role::User, "[… left out]".into()),
            Piece::Whole { from: 3, count: 2 },
        ];
        assert_eq!(pieces(&shown, &log.iter().collect::<Vec<_>>(), &[]), expected);
    }
}
