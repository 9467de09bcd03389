//! Reads the YAML that programs write by themselves, a field a line, many times faster than a whole YAML parser. What
//! is not beyond doubt is left to that.

use std::iter::Peekable;
use std::str::Lines;

use serde_json::{Map, Value};

use super::{Content, is_word};

/// Reads a manifest; `None` if there is anything in it that a plain list of entries has not.
pub(super) fn read(text: &str) -> Option<Content> {
    if text.contains(is_odd) {
        return None;
    }
    let mut reader = Reader { lines: text.lines().peekable() };
    while reader.lines.next_if(|line| line.starts_with('#')).is_some() {}
    let mut content = Content::default();
    content.entries.reserve_exact(text.matches("- id:").count());
    let mut has_efforts = false;
    while let Some(line) = reader.lines.next() {
        let (key, value) = field(line)?;
        if key != "efforts" {
            let before = content.fields.insert(key.to_owned(), scalar(value.strip_prefix(' ')?)?);
            before.is_none().then_some(())?;
            continue;
        }
        (!std::mem::replace(&mut has_efforts, true)).then_some(())?;
        match value {
            "" => reader.efforts(&mut content)?,
            " []" => {}
            _ => return None,
        }
    }
    has_efforts.then_some(content)
}

/// What YAML reads in ways of its own.
fn is_odd(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

struct Reader<'a> {
    lines: Peekable<Lines<'a>>,
}

impl Reader<'_> {
    /// Reads the entries, a dash in front of the first field of each.
    fn efforts(&mut self, content: &mut Content) -> Option<()> {
        let dash = ["- ", "  - "].into_iter().find(|dash| self.follows(dash))?;
        let indent = dash.len();
        while let Some(line) = self.lines.next_if(|line| line.starts_with(dash)) {
            let mut fields = Map::new();
            self.take(&line[indent..], indent, &mut fields)?;
            while let Some(line) = self.lines.next_if(|line| indent_of(line) == indent) {
                self.take(&line[indent..], indent, &mut fields)?;
            }
            content.push(Value::Object(fields));
        }
        Some(())
    }

    fn follows(&mut self, start: &str) -> bool {
        self.lines.peek().is_some_and(|line| line.starts_with(start))
    }

    fn follows_deeper(&mut self, indent: usize) -> bool {
        self.lines.peek().is_some_and(|line| indent_of(line) > indent)
    }

    /// Takes a field whose key stands so deep.
    fn take(&mut self, line: &str, indent: usize, fields: &mut Map<String, Value>) -> Option<()> {
        let (key, value) = field(line)?;
        let value = match value.strip_prefix(' ') {
            None => self.list(indent)?,
            Some(text) if self.follows_deeper(indent) => self.folded(text, indent)?.into(),
            Some(text) => scalar(text)?,
        };
        fields.insert(key.to_owned(), value).is_none().then_some(())
    }

    /// A list of scalars, a line each; nothing at all is null.
    fn list(&mut self, indent: usize) -> Option<Value> {
        let dashes = [indent, indent + 2].map(|indent| " ".repeat(indent) + "- ");
        let Some(dash) = dashes.iter().find(|dash| self.follows(dash)) else {
            return (!self.follows_deeper(indent)).then_some(Value::Null);
        };
        let mut items = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.starts_with(dash.as_str())) {
            items.push(scalar(&line[dash.len()..])?);
        }
        (!self.follows_deeper(indent)).then_some(Value::Array(items))
    }

    /// A text without quotes that goes on in deeper lines.
    fn folded(&mut self, first: &str, indent: usize) -> Option<String> {
        let mut whole = plain(first)?.to_owned();
        while let Some(line) = self.lines.next_if(|line| indent_of(line) > indent) {
            whole.push(' ');
            whole.push_str(plain(line.trim_start_matches(' '))?);
        }
        Some(whole)
    }
}

/// How deep a line stands.
fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A key, and what stands behind its colon: nothing, or a space and more.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    (is_word(key) && (value.is_empty() || value.starts_with(' '))).then_some((key, value))
}

fn scalar(text: &str) -> Option<Value> {
    match text.as_bytes().first()? {
        b'"' if !text.contains('\\') => {
            serde_json::from_str::<String>(text).ok().map(Value::String)
        }
        b'"' => escaped(text).map(Value::String),
        b'\'' => single_quoted(text).map(Value::String),
        b'[' => (text == "[]").then(|| Value::Array(Vec::new())),
        b'0'..=b'9' => number_or_time(text),
        _ if is_word(text) => Some(text.into()),
        _ => match text {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            "null" => Some(Value::Null),
            _ => plain(text).filter(|text| text.contains(' ')).map(Value::from),
        },
    }
}

/// A text in double quotes with the escapes that JSON and YAML share.
fn escaped(text: &str) -> Option<String> {
    let mut behind = text.split('\\').skip(1);
    // Two in a row leave nothing between them.
    let is_shared =
        |part: &str| part.is_empty() || part.starts_with(['"', 'n', 't', 'r', 'b', 'f']);
    behind.all(is_shared).then(|| serde_json::from_str(text).ok())?
}

/// A text in single quotes, which stand twice within it.
fn single_quoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let without = inner.replace("''", "");
    (!without.contains('\'')).then(|| inner.replace("''", "'"))
}

/// A whole number without signs in front, or a time stamp, which is a text.
fn number_or_time(text: &str) -> Option<Value> {
    const DIGITS: usize = 18;
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number {
        let fits = text.len() <= DIGITS && (text == "0" || !text.starts_with('0'));
        return text.parse::<u64>().ok().filter(|_| fits).map(Value::from);
    }
    let is_date = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        0..10 => byte.is_ascii_digit(),
        _ => byte.is_ascii_digit() || b"T:.+Z-".contains(&byte),
    };
    let is_time = text.len() >= 10 && !text.ends_with(':') && text.bytes().enumerate().all(is_date);
    is_time.then(|| text.into())
}

/// A text without quotes that is nothing else: it begins with a letter, or within it with a digit.
fn plain(text: &str) -> Option<&str> {
    let begins = text.starts_with(char::is_alphanumeric);
    let means_more = text.contains(": ") || text.contains(" #") || text.ends_with([':', ' ']);
    (begins && !means_more).then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::parse;
    use super::*;

    fn agree(text: &str) -> bool {
        let quick = read(text);
        quick.is_none_or(|quick| parse(text).as_ref() == Ok(&quick))
    }

    #[test]
    fn what_programs_write_is_read_quickly() {
        let text = "version: 1\nefforts:\n- id: auth-bug\n  status: concluded\n  summary: Fixed the token, which\n    \
                    was 401 (and more)\n  tags:\n  - api\n  created: 2026-01-01T10:00:00\n  raw_tokens: 40\n- id: b\n  \
                    summary: 'it''s: a \"b\"'\n  note: \"two\\nlines\"\n  tags: []\n  x:\n  pinned: true\n";
        let content = read(text).unwrap();
        assert_eq!(parse(text), Ok(content.clone()));
        assert_eq!(content.entries.len(), 2);
        let fields = content.entries[0].fields();
        assert_eq!(fields["summary"], "Fixed the token, which was 401 (and more)");
        let indented =
            "# by hand\nefforts:\n  - id: a\n    tags:\n      - b\n      - c d\n    summary: x\n";
        assert_eq!(read(indented).map(Ok), Some(parse(indented)));
    }

    #[test]
    fn what_is_not_beyond_doubt_is_left_to_the_parser() {
        for value in [
            "&a b",
            "*a",
            "!x y",
            "|",
            ">",
            "yes",
            "~",
            "0x1f",
            "012",
            "1e3",
            "1.5",
            "-1",
            "a: b",
            "a #b",
            "'a'b'",
            "\"a",
            "\"\\x41\"",
            "\"\\u0041\"",
            "{a: b}",
            "[a, b]",
            "a:",
            "true ",
            "\"a\" b",
            "12 a",
        ] {
            let text = format!("efforts:\n- id: a\n  summary: {value}\n");
            assert_eq!(read(&text), None, "{value}");
        }
        for text in [
            "",
            "efforts",
            "---\nefforts: []\n",
            "efforts: []\nefforts: []\n",
            "a: b\n",
            "efforts:\n- id: a\n  id: b\n",
            "efforts:\n- id: a\n\n  x: b\n",
            "efforts:\n- a\n",
            "efforts:\n- id: a\n   x: b\n",
            "efforts:\r\n- id: a\r\n",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_never_disagrees_with_the_parser(
            summary in "(?s)[ a-z:#'\"\\\\\\[\\]{}&*!|>%@,?\n0-9é-]{0,120}", tag in "[ a-z0-9:.T-]{0,12}", cut in 0_usize..400, put in "[ a-z:#'\"\n-]{0,3}"
        ) {
            let fields = json!({"efforts": [{"id": "a", "summary": summary, "tags": [tag], "raw_tokens": 7}, {"id": tag, "x": null}]});
            let text = yaml_serde::to_string(&fields).unwrap();
            prop_assert!(agree(&text), "{}", text);
            let bare = format!("efforts:\n- id: a\n  summary: {summary}\n  x: {tag}\n");
            prop_assert!(agree(&bare), "{}", bare);
            let mut at = cut % text.len();
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let changed = [&text[..at], &put, &text[at..]].concat();
            prop_assert!(agree(&changed), "{}", changed);
        }
    }
}
