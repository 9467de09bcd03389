//! The YAML that we write, and the two ways of reading YAML.
//!
//! What we write is a small part of YAML: one field a line, every value a plain word or JSON (which is
//! YAML too). [`read_own`] reads just that, many times faster than a whole YAML parser; whatever
//! another program wrote goes through [`read_any`].

use std::fmt::Write;

use serde_json::{Map, Value};

use self::depth::{DEEPEST, is_too_deep};
use crate::store::record::entry::Entry;
use crate::store::record::text;

mod depth;
mod simple;

/// The first line of a manifest of ours.
pub(crate) const HEADER: &str =
    "# Kept by Ebbtide. The last line counts the entries, so that a torn file is noticed.";

/// A manifest's content.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Content {
    /// The entries of `efforts` that have an id.
    pub(crate) entries: Vec<Entry>,
    /// Items of `efforts` that are no entries; kept as they are.
    pub(crate) strange: Vec<Value>,
    /// Every other field at the top level.
    pub(crate) fields: Map<String, Value>,
    /// Something was read that [`write`] cannot write, as a part of a sentence.
    pub(crate) lost: Option<&'static str>,
}

impl Content {
    fn push(&mut self, item: Value) {
        match item {
            Value::Object(fields) if fields.get("id").and_then(text).is_some() => {
                self.entries.extend(Entry::from_fields(fields));
            }
            item => self.strange.push(item),
        }
    }
}

/// Writes a manifest: the efforts, the other fields, and last the number of entries.
pub(crate) fn write(content: &Content) -> String {
    let mut out = String::with_capacity(content.entries.len() * 512 + 256);
    let count = content.entries.len() + content.strange.len();
    let list = if count == 0 { "efforts: []" } else { "efforts:" };
    let _ = writeln!(out, "{HEADER}\n{list}");
    for entry in &content.entries {
        let mut lead = "  - ";
        for (key, value) in &entry.fields() {
            let always_quoted = key == "summary";
            let _ = writeln!(out, "{lead}{}: {}", word(key), scalar(value, always_quoted));
            lead = "    ";
        }
    }
    for item in &content.strange {
        let _ = writeln!(out, "  - {}", json(item));
    }
    for (key, value) in &content.fields {
        let _ = writeln!(out, "{}: {}", word(key), scalar(value, false));
    }
    let _ = writeln!(out, "entries: {count}");
    out
}

/// Reads a manifest that [`write`] wrote and nobody changed much; `None` if it is anything else.
pub(crate) fn read_own(text: &str) -> Option<Content> {
    let mut lines = text.strip_prefix(HEADER)?.strip_prefix('\n')?.lines();
    let mut content = Content::default();
    if !lines.next()?.starts_with("efforts:") {
        return None;
    }
    // Room for all at once: growing would take as much again.
    content.entries.reserve_exact(text.matches("\n  - ").count());
    let mut current: Option<Entry> = None;
    for line in lines {
        if let Some(field) = line.strip_prefix("    ") {
            let (key, value) = read_field(field)?;
            current.as_mut()?.set(key, value);
            continue;
        }
        content.entries.extend(current.take());
        if let Some(item) = line.strip_prefix("  - ") {
            match item.strip_prefix("id: ") {
                Some(id) => current = Some(Entry::new(self::text(&read_scalar(id)?)?)),
                None => content.strange.push(serde_json::from_str(item).ok()?),
            }
        } else {
            let (key, value) = read_field(line)?;
            content.fields.insert(key.to_owned(), value);
        }
    }
    content.entries.extend(current);
    Some(content)
}

/// Reads any YAML that has the shape of a manifest.
pub(crate) fn read_any(text: &str) -> Result<Content, String> {
    simple::read(text).map_or_else(|| parse(text), Ok)
}

fn parse(text: &str) -> Result<Content, String> {
    if is_too_deep(text, DEEPEST) {
        return Err(format!("its lists stand more than {DEEPEST} deep within each other"));
    }
    let document: yaml_serde::Value =
        yaml_serde::from_str(text).map_err(|error| error.to_string())?;
    let mut content = Content::default();
    let fields = match plain(document, &mut content.lost) {
        Value::Object(fields) => fields,
        Value::Null => return Err("it is empty".into()),
        _ => return Err("it does not hold a list named efforts".into()),
    };
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("efforts", Value::Array(items)) => items.into_iter().for_each(|i| content.push(i)),
            ("efforts", Value::Null) => {}
            ("efforts", _) => return Err("its efforts are not a list".into()),
            (_, value) => drop(content.fields.insert(key, value)),
        }
    }
    Ok(content)
}

/// YAML as JSON: keys become text, tags are dropped. Tells what JSON cannot hold.
fn plain(value: yaml_serde::Value, lost: &mut Option<&'static str>) -> Value {
    match value {
        yaml_serde::Value::Sequence(items) => {
            items.into_iter().map(|item| plain(item, lost)).collect()
        }
        yaml_serde::Value::Mapping(fields) => {
            let mut plain_fields = Map::new();
            for (key, value) in fields {
                let key = plain(key, lost);
                let key = text(&key).unwrap_or_else(|| key.to_string());
                if plain_fields.insert(key, plain(value, lost)).is_some() {
                    *lost = Some("it has two keys that are one text");
                }
            }
            Value::Object(plain_fields)
        }
        yaml_serde::Value::Tagged(tagged) => {
            *lost = Some("it has tags, which are not kept");
            plain(tagged.value, lost)
        }
        yaml_serde::Value::Number(number) if number.as_f64().is_some_and(|n| !n.is_finite()) => {
            *lost = Some("it has a number without end");
            Value::Null
        }
        scalar => serde_json::to_value(scalar).unwrap_or(Value::Null),
    }
}

fn read_field(line: &str) -> Option<(&str, Value)> {
    let (key, value) = line.split_once(": ")?;
    is_word(key).then_some(())?;
    Some((key, read_scalar(value)?))
}

fn read_scalar(text: &str) -> Option<Value> {
    if is_word(text) {
        return Some(text.into());
    }
    serde_json::from_str(text).ok()
}

fn scalar(value: &Value, always_quoted: bool) -> String {
    match value.as_str() {
        Some(text) if !always_quoted => word(text),
        _ => json(value),
    }
}

/// A text as a plain word where that is beyond doubt, else quoted.
fn word(text: &str) -> String {
    if is_word(text) { text.to_owned() } else { json(&text.into()) }
}

/// Whether every YAML reader takes the text as just that text. A first letter rules out numbers and
/// dates; the words are what some reader takes for a boolean or for nothing.
fn is_word(text: &str) -> bool {
    const NOT_TEXT: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_/.".contains(&byte))
        && !NOT_TEXT.iter().any(|not| not.eq_ignore_ascii_case(text))
}

/// JSON that is YAML as well: what YAML does not take for printable is escaped.
fn json(value: &Value) -> String {
    let text = value.to_string();
    let needs_escape = |c: char| {
        matches!(
            c,
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
    };
    if !text.contains(needs_escape) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if needs_escape(character) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn entry(id: &str, summary: Option<&str>, extra: &[(&str, Value)]) -> Entry {
        let mut entry = Entry::new(id.to_owned());
        entry.set("summary", summary.into());
        for (key, value) in extra {
            entry.set(key, value.clone());
        }
        entry
    }

    fn content(entries: Vec<Entry>) -> Content {
        Content { entries, ..Content::default() }
    }

    /// Both readers must find just what was written.
    fn check(content: &Content) {
        let text = write(content);
        let count = content.entries.len() + content.strange.len();
        let mut expected = content.clone();
        expected.fields.insert("entries".into(), count.into());
        assert_eq!(read_own(&text).as_ref(), Some(&expected), "{text}");
        assert_eq!(read_any(&text).as_ref(), Ok(&expected), "{text}");
    }

    #[test]
    fn both_readers_find_what_was_written() {
        let odd = [
            "42",
            "true",
            "no",
            "Null",
            "~",
            "1e3",
            "0x1f",
            "2026-01-01",
            "- a",
            "a: b",
            "#x",
            "",
            " ",
            "\n",
            "tab\t",
            "é🦀\u{85}\u{2028}\u{feff}\u{7f}",
            "'\"\\",
            "{a}",
            "[b",
            "y",
            "=",
            "<<",
        ];
        let entries = odd.iter().map(|text| {
            entry(
                text,
                Some(text),
                &[
                    (text, json!(text)),
                    ("tags", json!([text])),
                    ("deep", json!({"a": [1, null, {"b": text}]})),
                ],
            )
        });
        let mut content = content(entries.collect());
        content.strange = vec![json!(null), json!("x"), json!({"no": "id"})];
        content.fields.insert("theirs".into(), json!({"kept": [1.5, "yes"]}));
        // A key that is no plain word is beyond the quick reader.
        let text = write(&content);
        let found = read_own(&text).map_or_else(|| read_any(&text), Ok).unwrap();
        assert_eq!(found.entries, content.entries);
        assert_eq!(found.strange, content.strange);
        assert_eq!(found.fields["theirs"], content.fields["theirs"]);
    }

    #[test]
    fn an_id_that_is_a_number_is_text() {
        let found =
            read_any("efforts:\n- id: 42\n  status: open\n- id: true\n- id: 1.5\n").unwrap();
        let ids: Vec<&str> = found.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["42", "true", "1.5"]);
        assert!(write(&found).contains("- id: \"42\"\n"));
    }

    proptest! {
        #[test]
        fn any_text_survives(id in ".{1,20}", summary in "(?s).{0,200}", tag in ".{0,20}", extra in "[a-z]{1,8}") {
            let extra = [("tags", json!([tag])), ("x-other", json!({extra: summary}))];
            check(&content(vec![entry(&id, Some(&summary), &extra), entry("b", None, &[])]));
        }

        #[test]
        fn a_summary_may_hold_any_signs(summary in "([\\[{\"'#:>|\n -]|[\\[{] ){0,600}") {
            let own = write(&content(vec![entry("a", Some(&summary), &[])]));
            prop_assert!(read_any(&own).is_ok(), "{own}");
            let fields = json!({"efforts": [{"id": "a", "summary": summary}]});
            let others = yaml_serde::to_string(&fields).unwrap();
            let found = read_any(&others).map(|found| found.entries[0].fields()["summary"].clone());
            prop_assert_eq!(found, Ok(json!(summary)), "{}", others);
        }

        #[test]
        fn every_cut_of_a_manifest_is_noticed(cut in 0_usize..2000) {
            let entries = (0..6).map(|n| entry(&format!("topic-{n}"), Some("a: \"b\" - c"), &[]));
            let text = write(&content(entries.collect()));
            let cut = cut % (text.len() - 1);
            if let Some(found) = read_own(&text[..cut]) {
                let count = found.fields.get("entries").and_then(Value::as_u64);
                prop_assert_ne!(count, Some(found.entries.len() as u64), "{}", &text[..cut]);
            }
        }
    }
}
