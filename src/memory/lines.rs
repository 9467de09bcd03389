//! Texts on one line each.

use std::fmt;

use crate::lines::one_line;

/// Lines of text in one piece: thousands of efforts have some each.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Lines(Box<str>);

impl Lines {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_terminator('\n')
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// Each text as one line, whatever breaks it has.
impl<T: AsRef<str>> FromIterator<T> for Lines {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let line = |text: T| one_line(text.as_ref()) + "\n";
        Self(texts.into_iter().map(line).collect::<String>().into())
    }
}
