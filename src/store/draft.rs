//! `draft.json`: what was written and not sent yet, so that a crash does not cost it.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Error, Problem, Store, files};

/// What is written in an input line. A large paste stands in the text as a short label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// The text, with the label of each paste in its place.
    pub text: String,
    /// The pastes whose labels may stand in the text.
    pub pastes: Vec<Paste>,
}

/// A large text that was pasted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paste {
    /// What stands for it: `[paste 1: 812 lines, 30,012 bytes]`.
    pub label: String,
    /// All of it.
    pub text: Arc<str>,
}

/// Everything that waits to be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drafts {
    /// What is being written.
    pub line: Draft,
    /// What was sent while a turn was under way, oldest first.
    pub waiting: Vec<Draft>,
}

impl From<&str> for Draft {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), pastes: Vec::new() }
    }
}

impl Draft {
    /// The text with every paste in the place of its label. A label inside a paste is just text.
    pub fn whole(&self) -> String {
        let mut whole = String::new();
        let mut rest = self.text.as_str();
        while let Some((at, paste)) = self.first_label(rest) {
            whole.push_str(&rest[..at]);
            whole.push_str(&paste.text);
            rest = &rest[at + paste.label.len()..];
        }
        whole + rest
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn first_label<'a>(&'a self, text: &str) -> Option<(usize, &'a Paste)> {
        let found = |paste: &'a Paste| Some((text.find(&paste.label)?, paste));
        self.pastes.iter().filter_map(found).min_by_key(|(at, _)| *at)
    }

    fn to_json(&self) -> Value {
        let paste = |paste: &Paste| json!({"label": paste.label, "text": &*paste.text});
        json!({"text": self.text, "pastes": self.pastes.iter().map(paste).collect::<Vec<_>>()})
    }

    fn from_json(value: &Value) -> Option<Self> {
        let paste = |value: &Value| {
            let label = value.get("label")?.as_str().filter(|label| !label.is_empty())?.to_owned();
            Some(Paste { label, text: value.get("text")?.as_str()?.into() })
        };
        let pastes = value.get("pastes").and_then(Value::as_array);
        Some(Self {
            text: value.get("text")?.as_str()?.to_owned(),
            pastes: pastes.into_iter().flatten().map(paste).collect::<Option<_>>()?,
        })
    }
}

impl Drafts {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty() && self.waiting.is_empty()
    }
}

impl Drafts {
    /// Takes out a message that is known otherwise, where it would stand if it had just been sent.
    pub(super) fn forget(&mut self, sent: &str) {
        if self.line.whole().trim() == sent {
            self.line = Draft::default();
        }
        if self.waiting.first().is_some_and(|draft| draft.whole().trim() == sent) {
            self.waiting.remove(0);
        }
    }
}

/// The file of a session that keeps its drafts; may be written beside the store, on any thread.
#[derive(Debug)]
pub struct DraftFile {
    path: PathBuf,
}

impl Store {
    /// The file that keeps the session's drafts.
    pub fn draft_file(&self) -> DraftFile {
        DraftFile { path: self.paths.drafts() }
    }
}

impl DraftFile {
    /// What was kept last. A file that makes no sense is set aside and reported.
    ///
    /// # Errors
    /// When the file cannot be read, or not be set aside.
    pub fn read(&self, problems: &mut Vec<Problem>) -> Result<Drafts, Error> {
        let Some(bytes) = files::read(&self.path)? else { return Ok(Drafts::default()) };
        if let Some(drafts) = serde_json::from_slice(&bytes).ok().and_then(|value| drafts(&value)) {
            return Ok(drafts);
        }
        let kept = files::set_aside(&self.path, &bytes, "broken")?;
        files::remove(&self.path)?;
        problems.push(Problem(format!(
            "draft.json, what was written and not sent, is broken: it was set aside as {kept}"
        )));
        Ok(Drafts::default())
    }

    /// Keeps drafts in place of those before, in one step. Without any the file goes.
    ///
    /// # Errors
    /// When the file cannot be written; it holds what it held before then.
    pub fn keep(&self, drafts: &Drafts) -> Result<(), Error> {
        if drafts.is_empty() {
            return files::remove(&self.path);
        }
        let waiting: Vec<Value> = drafts.waiting.iter().map(Draft::to_json).collect();
        let record = json!({"line": drafts.line.to_json(), "waiting": waiting});
        files::replace(&self.path, record.to_string().as_bytes())
    }
}

fn drafts(value: &Value) -> Option<Drafts> {
    let waiting = value.get("waiting").and_then(Value::as_array);
    Some(Drafts {
        line: Draft::from_json(value.get("line")?)?,
        waiting: waiting.into_iter().flatten().map(Draft::from_json).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn pasted() -> Draft {
        let paste = |label: &str, text: &str| Paste { label: label.into(), text: text.into() };
        Draft {
            text: "see [paste 1: x] and [paste 2: y], again [paste 1: x]".into(),
            pastes: vec![paste("[paste 1: x]", "a [paste 2: y] b"), paste("[paste 2: y]", "c\nd")],
        }
    }

    #[test]
    fn each_label_becomes_its_paste_and_a_label_inside_a_paste_stays() {
        let whole = pasted().whole();
        assert_eq!(whole, "see a [paste 2: y] b and c\nd, again a [paste 2: y] b");
        assert_eq!(Draft::from("plain").whole(), "plain");
    }

    #[test]
    fn drafts_come_back_as_they_were_kept_and_an_empty_one_leaves_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = DraftFile { path: dir.path().join("draft.json") };
        let mut problems = Vec::new();
        assert!(file.read(&mut problems).unwrap().is_empty());
        let drafts = Drafts { line: pasted(), waiting: vec!["/budget 8k".into(), "next".into()] };
        file.keep(&drafts).unwrap();
        assert_eq!(file.read(&mut problems).unwrap(), drafts);
        file.keep(&Drafts::default()).unwrap();
        assert!(!file.path.exists());
        file.keep(&Drafts::default()).unwrap();
        assert!(problems.is_empty());
    }

    #[test]
    fn a_broken_draft_is_set_aside_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let file = DraftFile { path: dir.path().join("draft.json") };
        for broken in ["{\"line\": {\"te", "[]", r#"{"line": {"text": 3}}"#] {
            fs::write(&file.path, broken).unwrap();
            let mut problems = Vec::new();
            assert!(file.read(&mut problems).unwrap().is_empty());
            assert!(problems[0].0.contains("set aside as draft.json.broken-"), "{problems:?}");
            assert!(!file.path.exists());
        }
        assert_eq!(fs::read(dir.path().join("draft.json.broken-2")).unwrap(), b"[]");
    }
}
