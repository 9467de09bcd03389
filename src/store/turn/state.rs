//! The two small files that every turn replaces: `session_state.json` and `memory_state.json`.
//!
//! Both are bounded: they hold what is in the window, never one item for each effort of the session. The journal
//! tells all that is in them but the fields of other programs. So they are synced for these alone: what a cut of
//! power leaves of them otherwise, old, empty or torn, is made good from the journal.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::memory::{Change, EffortId, Faults, Memory, Metrics, Turn};
use crate::store::disk::files;
use crate::store::disk::object::{line, others, read_object, write_object};
use crate::store::disk::paths::Paths;
use crate::store::record::entry::MOST_STATED_TURN;
use crate::store::record::{bounded, text};
use crate::store::{Error, Problem};

/// `session_state.json`: the commit point of a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SessionState {
    /// The last counted turn.
    pub(crate) turn: Turn,
    /// The active effort at its end; only a hint, the manifest and the journal know better.
    pub(crate) active: Option<String>,
    /// The ambient log: messages, tokens if counted, and the length that these numbers hold for.
    pub(crate) ambient: Option<AmbientSize>,
    /// Where the journal tells the system prompt and the tools that were sent last.
    pub(crate) frame: Option<u64>,
    /// The metrics of slice 3.
    pub(crate) metrics: Metrics,
    /// What the session is about: the first message of the user, shortened.
    pub(crate) title: Option<String>,
    /// Fields of other programs.
    pub(crate) other: Map<String, Value>,
}

/// The size of the ambient log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AmbientSize {
    /// Messages.
    pub(crate) messages: u64,
    /// Tokens, once counted.
    pub(crate) tokens: Option<u64>,
    /// Bytes of the file.
    pub(crate) bytes: u64,
}

impl AmbientSize {
    /// What a log lacks that had this size: a log only grows.
    pub(crate) fn lost(self, now: Self) -> Self {
        Self {
            messages: self.messages.saturating_sub(now.messages),
            tokens: None,
            bytes: self.bytes.saturating_sub(now.bytes),
        }
    }
}

const SESSION_FIELDS: [&str; 9] = [
    "frame_at",
    "turn_count",
    "updated",
    "active",
    "ambient_messages",
    "ambient_tokens",
    "ambient_bytes",
    "metrics",
    "title",
];

impl SessionState {
    /// Reads the file. One that makes no sense is set aside and `None`, so that it never keeps a
    /// session from opening.
    pub(crate) fn read(paths: &Paths, problems: &mut Vec<Problem>) -> Result<Option<Self>, Error> {
        let path = paths.session_state();
        let Some(fields) = read_object(&path, paths.mend, problems)? else { return Ok(None) };
        let turn = fields.get("turn_count").and_then(bounded);
        let Some(turn) = turn.filter(|&turn| turn <= MOST_STATED_TURN) else {
            let done = paths.mend.move_aside(&path)?;
            problems.push(Problem(format!(
                "session_state.json names no turn: it {done} and the turn recovered"
            )));
            return Ok(None);
        };
        let number = |key| fields.get(key).and_then(bounded);
        let ambient = number("ambient_messages").zip(number("ambient_bytes"));
        Ok(Some(Self {
            turn: Turn(turn),
            active: fields.get("active").and_then(text),
            ambient: ambient.map(|(messages, bytes)| AmbientSize {
                messages,
                tokens: number("ambient_tokens"),
                bytes,
            }),
            frame: number("frame_at"),
            metrics: fields.get("metrics").map(read_metrics).unwrap_or_default(),
            title: fields.get("title").and_then(text),
            other: others(fields, &SESSION_FIELDS),
        }))
    }

    /// Replaces the file.
    #[cfg_attr(test, track_caller)]
    pub(crate) fn write(&self, paths: &Paths, now: &str) -> Result<(), Error> {
        let mut fields = Map::new();
        fields.insert("turn_count".into(), self.turn.0.into());
        fields.insert("updated".into(), now.into());
        fields.insert("active".into(), self.active.clone().into());
        if let Some(ambient) = self.ambient {
            fields.insert("ambient_messages".into(), ambient.messages.into());
            fields.insert("ambient_tokens".into(), ambient.tokens.into());
            fields.insert("ambient_bytes".into(), ambient.bytes.into());
        }
        if let Some(frame) = self.frame {
            fields.insert("frame_at".into(), frame.into());
        }
        fields.insert("metrics".into(), write_metrics(&self.metrics));
        if let Some(title) = &self.title {
            fields.insert("title".into(), title.as_str().into());
        }
        write_state(paths, &paths.session_state(), fields, &self.other)
    }
}

/// `memory_state.json`: what is expanded, and when what is in the window was last mentioned.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MemoryState {
    /// The turn after which it was written; `None` if another program wrote it.
    pub(crate) turn: Option<Turn>,
    /// What was expanded then, oldest expansion first.
    pub(crate) expanded: Vec<EffortId>,
    /// Turn and cause of the last mention, by id.
    pub(crate) mentions: BTreeMap<EffortId, Mention>,
    /// Fields of other programs.
    other: Map<String, Value>,
}

/// When an effort was last mentioned, and what the mention was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The turn.
    pub(crate) turn: Turn,
    /// In words, if known.
    pub(crate) cause: Option<String>,
}

const MEMORY_FIELDS: [&str; 6] = [
    "expanded",
    "expanded_at",
    "last_referenced_turn",
    "summary_last_referenced_turn",
    "summary_cause",
    "turn",
];

impl MemoryState {
    /// Reads the file, or `expanded.json`, which older programs wrote in its place.
    pub(crate) fn read(paths: &Paths, problems: &mut Vec<Problem>) -> Result<Self, Error> {
        let mut fields = read_object(&paths.memory_state(), paths.mend, problems)?;
        if fields.is_none() {
            fields = read_object(&paths.dir.join("expanded.json"), paths.mend, problems)?;
        }
        let Some(fields) = fields else { return Ok(Self::default()) };
        let mut mentions: BTreeMap<EffortId, Mention> = BTreeMap::new();
        for key in ["last_referenced_turn", "summary_last_referenced_turn"] {
            for (id, turn) in fields.get(key).and_then(Value::as_object).into_iter().flatten() {
                let Some(turn) = bounded(turn).map(Turn) else { continue };
                let cause = fields.get("summary_cause").and_then(|causes| text(causes.get(id)?));
                let mention = Mention { turn, cause };
                let known = mentions.entry(EffortId::stored(id)).or_insert_with(|| mention.clone());
                if known.turn < turn {
                    *known = mention;
                }
            }
        }
        let turn = fields.get("turn").and_then(bounded).map(Turn);
        let ids = fields.get("expanded").and_then(Value::as_array).into_iter().flatten();
        let expanded = ids.filter_map(|id| text(id).map(|id| EffortId::stored(&id))).collect();
        Ok(Self { turn, expanded, mentions, other: others(fields, &MEMORY_FIELDS) })
    }

    /// Takes over what is in memory's window now. `expanded_at` gives the time stamps of expansions.
    pub(crate) fn update(&mut self, memory: &Memory) {
        self.turn = Some(memory.turn());
        self.expanded = memory.expanded_efforts().map(|effort| effort.id.clone()).collect();
        self.mentions = memory
            .warm_efforts()
            .chain(memory.expanded_efforts())
            .map(|effort| {
                let mention =
                    Mention { turn: effort.last_referenced, cause: Some(effort.cause.to_string()) };
                (effort.id.clone(), mention)
            })
            .collect();
    }

    /// Takes over when the efforts of changes were last mentioned that undo or redo earlier ones: it may be longer ago
    /// than it was. Tells whether anything is different. Of all else that moved since the last turn its line tells.
    pub(crate) fn mend_mentions(&mut self, changes: &[Change], memory: &Memory) -> bool {
        let mut is_different = false;
        for effort in changes.iter().filter_map(|change| memory.effort(change.effort()?)) {
            let Some(known) = self.mentions.get_mut(&effort.id) else { continue };
            let (turn, cause) = (effort.last_referenced, Some(effort.cause.to_string()));
            let mention = Mention { turn, cause };
            is_different |= *known != mention;
            *known = mention;
        }
        is_different
    }

    /// Replaces the file.
    #[cfg_attr(test, track_caller)]
    pub(crate) fn write(
        &self,
        paths: &Paths,
        expanded_at: &BTreeMap<EffortId, String>,
    ) -> Result<(), Error> {
        let expanded = &self.expanded;
        let turn_of = |id: &EffortId| self.mentions.get(id).map_or(0, |mention| mention.turn.0);
        let names: Vec<&str> = expanded.iter().map(EffortId::as_str).collect();
        let times: Map<String, Value> = expanded
            .iter()
            .filter_map(|id| Some((id.to_string(), expanded_at.get(id)?.clone().into())))
            .collect();
        let referenced: Map<String, Value> =
            expanded.iter().map(|id| (id.to_string(), turn_of(id).into())).collect();
        let summaries: Map<String, Value> =
            self.mentions.iter().map(|(id, m)| (id.to_string(), m.turn.0.into())).collect();
        let causes: Map<String, Value> = self
            .mentions
            .iter()
            .filter_map(|(id, m)| Some((id.to_string(), m.cause.clone()?.into())))
            .collect();
        let mut fields = Map::new();
        fields.insert("expanded".into(), names.into());
        fields.insert("expanded_at".into(), times.into());
        fields.insert("last_referenced_turn".into(), referenced.into());
        fields.insert("summary_last_referenced_turn".into(), summaries.into());
        fields.insert("summary_cause".into(), causes.into());
        fields.insert("turn".into(), self.turn.unwrap_or_default().0.into());
        write_state(paths, &paths.memory_state(), fields, &self.other)
    }
}

/// Replaces a file that the journal makes good, but for the fields of other programs.
#[cfg_attr(test, track_caller)]
fn write_state(
    paths: &Paths,
    path: &Path,
    mut fields: Map<String, Value>,
    others: &Map<String, Value>,
) -> Result<(), Error> {
    if others.is_empty() {
        return files::replace_unsynced(path, line(fields).as_bytes());
    }
    fields.extend(others.clone());
    write_object(&paths.disk, path, fields)
}

fn write_metrics(metrics: &Metrics) -> Value {
    let mut fields: Value = Metrics::NAMES.into_iter().zip(metrics.figures()).collect();
    if let Some(faults) = metrics.faults.stored() {
        fields["page_faults"] = json!(faults);
    }
    fields
}

fn read_metrics(fields: &Value) -> Metrics {
    let number = |key: &str| fields.get(key).and_then(bounded).unwrap_or(0);
    let faults = fields.get("page_faults");
    let fault = |at: usize| faults.and_then(|faults| bounded(faults.get(at)?)).unwrap_or(0);
    let faults = Faults::from_stored([0, 1, 2].map(fault));
    Metrics::from_figures(Metrics::NAMES.map(number), faults)
}
