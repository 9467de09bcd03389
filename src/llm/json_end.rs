//! Follows a JSON object as it arrives, to know when it has ended without reading it again each time.

/// Where the text of an object stands. Counts brackets outside of strings; whether the text is valid is for
/// the parser to say, once, at the end.
#[derive(Debug, Default)]
pub(crate) struct JsonEnd {
    /// Brackets that are open.
    depth: usize,
    in_string: bool,
    escaped: bool,
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// Only white space so far.
    #[default]
    Before,
    /// Inside.
    Open,
    /// An object came to its end, with nothing but white space behind it.
    Ended,
    /// Something that is no single object.
    Other,
}

impl JsonEnd {
    /// Takes the next part of the text.
    pub(crate) fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            match self.state {
                State::Other => return,
                State::Open => self.inside(byte),
                State::Before | State::Ended if byte.is_ascii_whitespace() => {}
                State::Before if byte == b'{' => {
                    self.state = State::Open;
                    self.depth = 1;
                }
                State::Before | State::Ended => self.state = State::Other,
            }
        }
    }

    /// Whether the text so far is one whole object.
    pub(crate) fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    fn inside(&mut self, byte: u8) {
        if self.in_string {
            let closes = byte == b'"' && !self.escaped;
            self.in_string = !closes;
            self.escaped = byte == b'\\' && !self.escaped;
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            self.state = State::Ended;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::JsonEnd;

    #[test]
    fn an_object_has_ended_at_its_last_bracket_and_in_any_pieces() {
        for (text, ended) in [
            ("{}", true),
            (" {\"a\": [1, {\"b\": \"}\"}]}\n", true),
            (r#"{"a":"\"}"}"#, true),
            (r#"{"a":"\\"}"#, true),
            ("", false),
            ("{", false),
            (r#"{"a":"}"#, false),
            (r#"{"a":"\"}"#, false),
            ("{}{", false),
            ("{} {}", false),
            ("[{}]", false),
        ] {
            let mut whole = JsonEnd::default();
            whole.push(text);
            let mut pieces = JsonEnd::default();
            text.split_inclusive(|_: char| true).for_each(|piece| pieces.push(piece));
            assert_eq!((whole.has_ended(), pieces.has_ended()), (ended, ended), "{text}");
        }
    }
}
