//! Which program wrote a file, by what is in it: names tell nothing, two programs call theirs alike.

use std::io::{self, BufRead};

use serde_json::Value;

use super::value::{list, text};
use super::{Error, Format, cut, dialogue, lines, markdown};

/// Bytes at the beginning that tell the format of nearly everything.
const HEAD: usize = 64 << 10;

/// Bytes at the beginning that are looked at where the first records are longer: pictures stand in them.
const MOST: u64 = 8 << 20;

/// Records at the beginning that are looked at.
const RECORDS: usize = 50;

/// Finds out what something is.
pub(super) fn format_of(bytes: &mut dyn BufRead) -> Result<Format, Error> {
    let head = head_of(bytes)?;
    let whole = head.len() < HEAD;
    let head = lines::unmarked(&head);
    if head.trim_ascii().is_empty() {
        return Err(if whole { Error::Empty } else { Error::Unknown });
    }
    refuse_binary(head)?;
    let found = match lines::first_sign(head) {
        Some(b'{') => of_json(head, &mut io::Read::take(bytes, MOST))?,
        Some(b'[') => of_json(head, &mut io::empty())?,
        _ => of_other(head, bytes)?,
    };
    found.ok_or(Error::Unknown)
}

fn head_of(bytes: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(bytes, HEAD as u64), &mut head)?;
    Ok(head)
}

fn refuse_binary(head: &[u8]) -> Result<(), Error> {
    let packed = |packing, command| Err(Error::Packed { packing, command });
    match head {
        [b'S', b'Q', b'L', b'i', b't', b'e', b' ', ..] => Err(Error::Sqlite),
        [b'P', b'K', 3, 4, ..] => packed("ZIP", "unzip FILE"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => packed("Zstandard", "zstd -d FILE"),
        [0x1f, 0x8b, ..] => packed("gzip", "gunzip FILE"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Error::Utf16),
        _ => Ok(()),
    }
}

/// What does not begin as JSON: a text, or a log whose first line is damaged.
fn of_other(head: &[u8], bytes: &mut dyn BufRead) -> io::Result<Option<Format>> {
    if let Some(found) = of_text(&String::from_utf8_lossy(head)) {
        return Ok(Some(found));
    }
    let mut all = head.to_vec();
    io::Read::read_to_end(&mut io::Read::take(bytes, MOST), &mut all)?;
    let lines = all.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default();
    if lines.trim_ascii_start().starts_with(b"{") {
        return of_json(lines, &mut io::empty());
    }
    // What was said first may be long.
    Ok(of_text(&String::from_utf8_lossy(&all)))
}

fn of_text(text: &str) -> Option<Format> {
    if text.lines().any(|line| line.starts_with("# aider chat started at ")) {
        return Some(Format::Aider);
    }
    markdown::has_speakers(text).then_some(Format::Markdown)
}

/// Lines first: an object that ends with its line is a record.
fn of_json(head: &[u8], rest: &mut dyn BufRead) -> io::Result<Option<Format>> {
    let mut bytes = io::Read::chain(head, rest);
    let (mut first, mut found) = (None, None);
    let (mut line, mut looked_at) = (Vec::new(), 0);
    while looked_at < RECORDS && found.is_none() && next_line(&mut bytes, &mut line)? {
        let Some(record) = lines::record::<Value>(&line) else {
            first = None;
            break;
        };
        found = of_record(&record);
        first = (looked_at == 0).then_some(record);
        looked_at += 1;
    }
    let of_first = match first {
        // The only line may be a whole conversation.
        Some(first) if !next_line(&mut bytes, &mut line)? => of_whole(&first),
        _ if found.is_some() => None,
        _ => of_object(&String::from_utf8_lossy(head)),
    };
    Ok(of_first.or(found))
}

/// Reads the next line that is not blank; `false` at the end.
fn next_line(bytes: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        line.clear();
        if bytes.read_until(b'\n', line)? == 0 {
            return Ok(false);
        }
        if !line.trim_ascii().is_empty() {
            return Ok(true);
        }
    }
}

/// What one line of a log tells.
fn of_record(record: &Value) -> Option<Format> {
    let has = |key: &str| record.get(key).is_some();
    let kind = text(record, "type");
    // The first line of an old rollout: outside of a repository it tells of none.
    let is_bare_head = || {
        has("instructions")
            && (has("git") || has("id") && has("timestamp"))
            && !dialogue::is_one(record)
    };
    let found = if has("payload") && has("type") || has("record_type") || is_bare_head() {
        Format::Codex
    } else if has("sessionId") && has("projectHash") || kind == "gemini" && has("id") {
        Format::Gemini
    } else if has("sessionId") && (has("uuid") || !kind.is_empty()) && !dialogue::is_one(record)
        || has("leafUuid") && kind == "summary"
    {
        Format::ClaudeCode
    } else if has("character_name") || has("mes") || has("user_name") && has("chat_metadata") {
        Format::SillyTavern
    } else {
        return of_exported(record)
            .or_else(|| dialogue::is_one(record).then_some(Format::Dialogue));
    };
    Some(found)
}

/// What a whole conversation tells.
fn of_exported(object: &Value) -> Option<Format> {
    let has = |key: &str| object.get(key).is_some();
    let messages = list(object, "messages");
    let first = messages.first();
    let first_has = |key: &str| first.is_some_and(|message| message.get(key).is_some());
    let is_gemini = |message: &Value| text(message, "type") == "gemini";
    // Of a chat of which only the question is there.
    let is_begun = |message: &Value| text(message, "type") == "user" && has("sessionId");
    // Who writes dialogues adds whatever there is beside them.
    let is_dialogue = dialogue::is_one(object);
    let found = if has("mapping") && !is_dialogue {
        Format::ChatGpt
    } else if has("chat_messages") && !is_dialogue {
        Format::ClaudeAi
    } else if (has("chat") || has("history")) && !is_dialogue {
        Format::OpenWebUi
    } else if text(object, "format") == "ebbtide-session" {
        Format::Export
    } else if has("info") && (first_has("parts") || first_has("info")) {
        // What was changed for a message stands before its parts, and may be long.
        Format::Opencode
    } else if first_has("versions") {
        Format::LmStudio
    } else if has("projectHash")
        || messages.iter().take(RECORDS).any(is_gemini)
        || first.is_some_and(is_begun)
    {
        Format::Gemini
    } else {
        return None;
    };
    Some(found)
}

/// The keys that tell the format of one long value whose end is not in sight, in the order in which they are
/// looked for.
const KEYS: &[(&str, Format)] = &[
    ("\"parentUuid\":", Format::ClaudeCode),
    ("\"type\":\"session_meta\"", Format::Codex),
    ("\"type\":\"response_item\"", Format::Codex),
    ("\"format\":\"ebbtide-session\"", Format::Export),
    ("\"mapping\":", Format::ChatGpt),
    ("\"chat_messages\":", Format::ClaudeAi),
    ("\"versions\":", Format::LmStudio),
    ("\"parts\":", Format::Opencode),
    ("\"projectHash\":", Format::Gemini),
    ("\"currentId\":", Format::OpenWebUi),
    ("\"history\":", Format::OpenWebUi),
    ("\"mes\":", Format::SillyTavern),
    ("\"conversations\":", Format::Dialogue),
    ("\"role\":", Format::Dialogue),
    ("\"from\":", Format::Dialogue),
];

fn of_object(head: &str) -> Option<Format> {
    if let Ok(value) = serde_json::from_str::<Value>(head) {
        return of_whole(&value);
    }
    let structured = cut::closed(head).and_then(|head| serde_json::from_str::<Value>(&head).ok());
    if let Some(found) = structured.as_ref().and_then(of_whole) {
        return Some(found);
    }
    let squeezed: String = head.split_whitespace().collect();
    KEYS.iter().find(|(key, _)| squeezed.contains(key)).map(|(_, format)| *format)
}

fn of_whole(value: &Value) -> Option<Format> {
    let those = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    // What is odd about one of them tells nothing of the others.
    those.iter().take(RECORDS).find_map(|one| {
        let mut inner = list(one, "conversations").iter().take(RECORDS);
        of_exported(one)
            .or_else(|| inner.find_map(of_exported))
            .or_else(|| dialogue::is_one(one).then_some(Format::Dialogue))
    })
}
