//! Where the elements of a JSON array begin and end, without reading what is in them.

use super::lines::LONGEST;

/// Splits the bytes of an array into its elements.
#[derive(Debug)]
pub(super) struct Splitter {
    /// Brackets that are open around this byte, those of the array included.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The element so far.
    pub item: Vec<u8>,
    /// It is longer than what is looked at.
    pub too_long: bool,
}

/// What a byte brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// It is of the element.
    Nothing,
    /// It ends the element, and another one follows.
    Element,
    /// It ends the array.
    End,
}

impl Splitter {
    /// Behind the first bracket of an array.
    pub(super) fn new() -> Self {
        Self { depth: 1, in_string: false, escaped: false, item: Vec::new(), too_long: false }
    }

    /// The next byte is the first one of an element.
    pub(super) fn begin(&mut self) {
        (self.depth, self.in_string, self.escaped, self.too_long) = (1, false, false, false);
        self.item.clear();
    }

    /// Takes the next byte.
    pub(super) fn take(&mut self, byte: u8) -> Found {
        if self.in_string {
            self.keep(&[byte]);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Found::Nothing;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return Found::End;
                }
            }
            b',' if self.depth == 1 => return Found::Element,
            _ => {}
        }
        self.keep(&[byte]);
        Found::Nothing
    }

    /// Takes what of a string changes nothing, in one go; how many bytes that is.
    pub(super) fn skip_in_string(&mut self, bytes: &[u8]) -> usize {
        if !self.in_string || self.escaped {
            return 0;
        }
        let telling = bytes.iter().position(|&byte| matches!(byte, b'"' | b'\\'));
        let length = telling.unwrap_or(bytes.len());
        self.keep(&bytes[..length]);
        length
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST - self.item.len();
        self.item.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.too_long |= bytes.len() > room;
    }
}
