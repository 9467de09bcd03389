//! `draft.json`: what was written and has not begun, so that a crash does not cost it.
//!
//! A message goes through four places, and every kill leaves its words in at least one of them:
//!
//! 1. being written: `line`, a moment after the key;
//! 2. entered: `waiting`, in the step in which it leaves the line, before the screen shows it as entered. From
//!    here on it has a number of its own;
//! 3. begun: `pending.json`, which carries the number;
//! 4. over: in its log and as the journal's `turn`, or as the journal's `turn_stopped`. Both lines carry the
//!    number, as do those of the changes that an entered command makes.
//!
//! It leaves a place only when it stands in the next one. So a kill may find it in two; what is read of
//! `waiting` is therefore without the numbers that have begun or are over.
//!
//! The way back goes from `waiting` to `line`, in one step and without the number. While something is changed there,
//! `changing` says what comes back when the change is given up; a message that waited is kept in `aside` as well, for
//! programs that know no changes under way.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::store::disk::{Disk, files};
use crate::store::{Error, Problem, Store};

/// What is written in an input line. A large paste stands in the text as a short label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// The number of a message that was entered: no other one has it, in any session. `None` while it is
    /// being written.
    pub id: Option<u64>,
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

/// What comes back when the change that is under way in the input line is given up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changing {
    /// What stood in the line before.
    pub before: Draft,
    /// The place among what waits, from 0, and the words of a message or command that waited.
    pub queued: Option<(usize, Draft)>,
}

/// Everything that was written and has not begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drafts {
    /// What is being written.
    pub line: Draft,
    /// Whether that is a change of something that is there already.
    pub changing: Option<Box<Changing>>,
    /// What was handed over and has not begun yet; stored before what waits.
    pub sending: Option<Draft>,
    /// What was entered while something was under way, oldest first.
    pub waiting: Vec<Draft>,
    /// What was written and put aside unsent, oldest first.
    pub aside: Vec<Draft>,
    /// Whether what an earlier run left is included; until then it is kept beside. Not stored.
    pub taken_back: bool,
}

impl From<&str> for Draft {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
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

    /// Whether another one says the same. Labels tell nothing: two pastes of one length have the same after a restart.
    pub fn says_as(&self, other: &Self) -> bool {
        match (&*self.pastes, &*other.pastes) {
            ([], []) => self.text == other.text,
            _ => self.whole() == other.whole(),
        }
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
        let pastes: Vec<Value> = self.pastes.iter().map(paste).collect();
        json!({"id": self.id, "text": self.text, "pastes": pastes})
    }

    fn from_json(value: &Value) -> Option<Self> {
        let paste = |value: &Value| {
            let label = value.get("label")?.as_str().filter(|label| !label.is_empty())?.to_owned();
            Some(Paste { label, text: value.get("text")?.as_str()?.into() })
        };
        let pastes = value.get("pastes").and_then(Value::as_array);
        Some(Self {
            id: value.get("id").and_then(Value::as_u64),
            text: value.get("text")?.as_str()?.to_owned(),
            pastes: pastes.into_iter().flatten().map(paste).collect::<Option<_>>()?,
        })
    }
}

impl Changing {
    fn to_json(&self) -> Value {
        let queued = self.queued.as_ref().map(|(_, draft)| draft.to_json());
        let place = self.queued.as_ref().map(|(place, _)| place);
        json!({"before": self.before.to_json(), "place": place, "queued": queued})
    }

    fn from_json(value: &Value) -> Option<Self> {
        let place = value.get("place").and_then(Value::as_u64);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let queued = place.zip(value.get("queued").and_then(Draft::from_json));
        Some(Self { before: Draft::from_json(value.get("before")?)?, queued })
    }
}

impl Drafts {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        let none_entered = self.sending.is_none() && self.waiting.is_empty();
        self.line.is_empty() && none_entered && self.aside.is_empty()
    }

    /// What was entered, the next one first.
    pub fn entered(&self) -> impl Iterator<Item = &Draft> {
        self.sending.iter().chain(&self.waiting)
    }

    /// These with what an earlier run left, where both are not known to be one yet.
    #[must_use]
    pub fn beside(mut self, left: &Self) -> Self {
        self.aside.splice(0..0, left.aside.iter().cloned());
        match (self.line.is_empty(), left.line.is_empty()) {
            (_, true) => {}
            (true, false) => {
                self.line = left.line.clone();
                self.changing.clone_from(&left.changing);
            }
            (false, false) => self.aside.push(left.line.clone()),
        }
        self.waiting.splice(0..0, left.entered().cloned());
        self
    }

    /// Takes out what was put aside; what is being changed in the line waits on.
    pub(crate) fn take_aside(&mut self) -> Vec<Draft> {
        let queued = self.changing.as_ref().and_then(|changing| changing.queued.as_ref());
        let is_changed = |draft: &Draft| queued.is_some_and(|(_, queued)| draft.says_as(queued));
        let (changed, aside) = std::mem::take(&mut self.aside).into_iter().partition(is_changed);
        self.aside = changed;
        aside
    }

    /// Takes out what has begun or is over, by its number.
    pub(in crate::store) fn without(&mut self, begun: &BTreeSet<u64>) {
        self.waiting.retain(|draft| draft.id.is_none_or(|id| !begun.contains(&id)));
    }

    /// Takes out a message that was under way, where a program that gave no numbers would have left it.
    pub(in crate::store) fn forget(&mut self, sent: &str) {
        if self.line.whole().trim() == sent {
            (self.line, self.changing) = (Draft::default(), None);
        }
        let same = |draft: &Draft| draft.id.is_none() && draft.whole().trim() == sent;
        if self.waiting.first().is_some_and(same) {
            self.waiting.remove(0);
        }
    }
}

/// The file of a session that keeps its drafts; may be written beside the store, on any thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftFile {
    path: PathBuf,
    disk: Disk,
}

impl Store {
    /// The file that keeps the session's drafts.
    pub fn draft_file(&self) -> DraftFile {
        DraftFile { path: self.paths.drafts(), disk: self.paths.disk.clone() }
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
        let waiting: Vec<Value> = drafts.entered().map(Draft::to_json).collect();
        let aside: Vec<Value> = drafts.aside.iter().map(Draft::to_json).collect();
        let changing = drafts.changing.as_deref().map(Changing::to_json);
        let line = drafts.line.to_json();
        let record =
            json!({"line": line, "changing": changing, "waiting": waiting, "aside": aside});
        self.disk.replace_for_good(&self.path, record.to_string().as_bytes())
    }
}

fn drafts(value: &Value) -> Option<Drafts> {
    let list = |key: &str| {
        let list = value.get(key).and_then(Value::as_array);
        list.into_iter().flatten().map(Draft::from_json).collect::<Option<_>>()
    };
    Some(Drafts {
        line: Draft::from_json(value.get("line")?)?,
        changing: value.get("changing").and_then(Changing::from_json).map(Box::new),
        waiting: list("waiting")?,
        aside: list("aside")?,
        ..Drafts::default()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn pasted() -> Draft {
        let paste = |label: &str, text: &str| Paste { label: label.into(), text: text.into() };
        Draft {
            id: None,
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
        let file = DraftFile { path: dir.path().join("draft.json"), disk: Disk::default() };
        let mut problems = Vec::new();
        assert!(file.read(&mut problems).unwrap().is_empty());
        let sent = Draft { id: Some(7), ..pasted() };
        let drafts = Drafts {
            line: pasted(),
            changing: Some(Box::new(Changing {
                before: "before".into(),
                queued: Some((2, pasted())),
            })),
            waiting: vec!["/budget 8k".into(), "next".into()],
            aside: vec!["put aside".into()],
            ..Drafts::default()
        };
        file.keep(&Drafts { sending: Some(sent.clone()), ..drafts.clone() }).unwrap();
        let waiting = [vec![sent], drafts.waiting.clone()].concat();
        assert_eq!(file.read(&mut problems).unwrap(), Drafts { waiting, ..drafts });
        file.keep(&Drafts::default()).unwrap();
        assert!(!file.path.exists());
        file.keep(&Drafts::default()).unwrap();
        assert!(problems.is_empty());
    }

    #[test]
    fn a_broken_draft_is_set_aside_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let file = DraftFile { path: dir.path().join("draft.json"), disk: Disk::default() };
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
