//! The beginning of a JSON document as a document of its own.

/// A document whose end is not in sight, closed where it breaks off: what is begun and not whole is left out, but for a text,
/// which ends there. `None` if it does not begin as one.
pub(super) fn closed(head: &str) -> Option<String> {
    let mut open = Open::default();
    // How much of it is whole, and how many brackets are open there.
    let (mut whole, mut depth) = (0, 0);
    let mut escape = 0;
    for (at, byte) in head.bytes().enumerate() {
        if byte == b'\\' && !open.escaped {
            escape = at;
        }
        if open.take(byte) {
            let end = if byte == b',' { at } else { at + 1 };
            (whole, depth) = (end, open.brackets.len());
        }
    }
    if open.brackets.is_empty() {
        return None;
    }
    let mut closed = if open.in_string && open.is_value {
        format!("{}\"", unescaped(head, escape))
    } else {
        open.brackets.truncate(depth);
        head[..whole].to_owned()
    };
    closed.extend(open.brackets.iter().rev().map(|bracket| char::from(*bracket)));
    Some(closed)
}

/// What is open at a place.
#[derive(Debug, Default)]
struct Open {
    /// What closes the brackets.
    brackets: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// A colon or a bracket stood before what comes now, and no key does.
    is_value: bool,
}

impl Open {
    /// Takes the next byte; whether what stands before its end, or before it if it is a comma, is whole.
    fn take(&mut self, byte: u8) -> bool {
        if self.in_string {
            (self.in_string, self.escaped) =
                (self.escaped || byte != b'"', !self.escaped && byte == b'\\');
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.brackets.push(b'}'),
            b'[' => self.brackets.push(b']'),
            b'}' | b']' => {
                self.brackets.pop();
            }
            _ => {}
        }
        self.is_value = match byte {
            b':' => true,
            b'{' | b'[' | b',' => self.brackets.last() == Some(&b']'),
            _ => self.is_value,
        };
        matches!(byte, b'{' | b'[' | b'}' | b']' | b',')
    }
}

/// Without the last escape, which begins at a place, if it may not be whole, or another one right before it to which it
/// belongs.
fn unescaped(head: &str, escape: usize) -> &str {
    const LONG: usize = "\\u0000".len();
    if head.len() > escape + LONG {
        return head;
    }
    let mut whole = &head[..escape];
    // A backslash behind an odd number of others is an escaped one, and begins nothing.
    let begins_escape = |text: &str, at: usize| {
        let before = text.bytes().take(at).rev().take_while(|byte| *byte == b'\\').count();
        text.get(at..at + 2) == Some("\\u") && before.is_multiple_of(2)
    };
    let long = |text: &str| text.len().checked_sub(LONG).filter(|at| begins_escape(text, *at));
    while let Some(at) = long(whole) {
        whole = &whole[..at];
    }
    whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn read(head: &str) -> Option<Value> {
        closed(head).map(|text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn what_is_whole_is_left_and_a_text_ends_where_it_breaks_off() {
        for (head, whole) in [
            (r#"{"a":1,"b":[{"c":"d","e"#, json!({"a": 1, "b": [{"c": "d"}]})),
            (r#"[{"role":"user","content":"wor\u00"#, json!([{"role": "user", "content": "wor"}])),
            (r#"["a\\bcdef"#, json!(["a\\bcdef"])),
            (r#"["ab😀\ud83d\ude0"#, json!(["ab😀"])),
            (r#"["a\\uabcd\"#, json!(["a\\uabcd"])),
            (r#"{"a":{"b":tru"#, json!({"a": {}})),
            (r#"{"a":["x","y"#, json!({"a": ["x", "y"]})),
            (r#"[{"a":1},{"b":2}"#, json!([{"a": 1}, {"b": 2}])),
        ] {
            assert_eq!(read(head), Some(whole), "{head}");
        }
        assert_eq!((read("words"), read(r#""a"#)), (None, None));
    }

    proptest! {
        #[test]
        fn any_beginning_of_a_document_is_one(text in r#"[a-z{}\[\]:,"\\ü]{0,12}"#, cut in 1_usize..80) {
            let all = json!([{ "k": [text.clone(), 1, null, { "n": text }] }, "last"]).to_string();
            let cut = (0..=cut.min(all.len())).rev().find(|at| all.is_char_boundary(*at)).unwrap();
            prop_assert!(cut == all.len() || cut == 0 || read(&all[..cut]).is_some());
        }
    }
}
