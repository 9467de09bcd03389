//! What memory counts in, and what it holds: turns, tokens, messages.

use std::fmt;
use std::sync::Arc;

use crate::counted::grouped;

/// A number of turns, or the number of a turn; the first turn of a session is 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub u64);

impl fmt::Display for Turn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Turn {
    /// Turns from `earlier` to this one; 0 if it is later.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A number of `cl100k_base` tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tokens(pub u64);

/// As people read it: `1,234`. The number itself is for files and programs.
impl fmt::Display for Tokens {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&grouped(self.0))
    }
}

impl std::ops::Add for Tokens {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl std::ops::AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl std::iter::Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        Self(iter.map(|tokens| tokens.0).sum())
    }
}

impl Tokens {
    /// The difference, or 0.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Counts tokens. Pure: the same text always costs the same.
pub trait CountTokens: Send + Sync {
    /// Tokens of a text.
    fn count(&self, text: &str) -> Tokens;
}

/// What sending everything would cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FullHistory {
    /// The tokens that are known.
    pub tokens: Tokens,
    /// Whether all logs have been counted; otherwise it is more.
    pub is_counted: bool,
}

/// Who a message in the window is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The system prompt.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The word used in the logs and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// A logged message with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// User or assistant.
    pub role: Role,
    /// What was said.
    pub content: Arc<str>,
    /// Its cost.
    pub tokens: Tokens,
}
