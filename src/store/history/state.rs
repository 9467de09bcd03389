//! What memory held at some point of the journal: the window's items and the last two hundred that left,
//! never one for each effort of the session.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::memory::{ChangeKind, NoteId, NoteState, Tier, Turn};
use crate::store::entry::{Entry, bounded};
use crate::store::journal::{Record, change_kind, object};
use crate::store::note;

/// Evicted efforts that are held; a view lists no more.
const EVICTED_KEPT: usize = 200;

/// Permanent notes that are kept in files, the newest; a view lists no more.
const PERMANENT_KEPT: usize = 200;

/// Fields that every line begins with.
const COMMON_FIELDS: usize = 4;

/// An effort that is in the window or left it lately.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct Held {
    /// As the manifest knew it.
    pub(super) entry: Entry,
    /// Its place among the summaries of the window.
    place: u64,
    /// Bytes of its log at that time, if a turn told.
    pub(super) end: Option<u64>,
}

/// Memory at some point of the journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::store) struct State {
    turn: Turn,
    /// The rules in force; `None` before a line told them.
    pub(super) rules: Option<Map<String, Value>>,
    /// Where the journal tells the system prompt and the tools.
    pub(super) frame: Option<u64>,
    /// Least recently used first.
    pub(super) open: Vec<Held>,
    /// Oldest expansion first.
    pub(super) expanded: Vec<Held>,
    warm: Vec<Held>,
    /// Newest last.
    pub(super) evicted: Vec<Held>,
    /// Bytes of the ambient log.
    pub(super) ambient_end: u64,
    /// Notes of the session and permanent ones, as the journal writes them.
    notes: BTreeMap<NoteId, Value>,
    /// The sums and forms of the last turn.
    pub(super) moment: Map<String, Value>,
}

impl State {
    /// The turn that ended last.
    pub(in crate::store) fn turn(&self) -> Turn {
        self.turn
    }

    /// Warm summaries in window order.
    pub(super) fn warm(&self) -> Vec<&Held> {
        let mut warm: Vec<&Held> = self.warm.iter().collect();
        warm.sort_by_key(|held| held.place);
        warm
    }

    /// The notes, by number.
    pub(super) fn notes(&self) -> impl Iterator<Item = &Value> {
        self.notes.values()
    }

    /// Takes a line of the journal in, which begins at a position.
    pub(super) fn take(&mut self, position: u64, mut record: Record) {
        match record.kind.as_str() {
            "opened" => {
                if let Some(state) = record.fields.get("state").and_then(Self::from_json) {
                    *self = state;
                }
            }
            "frame" => self.frame = Some(position),
            "rules" => self.rules = record.fields.remove("rules").map(object),
            "turn" => self.take_turn(record),
            "moment" => self.moment.extend(record.fields.into_iter().skip(COMMON_FIELDS)),
            "logs_counted" => self.take_sizes(&record),
            "notes_used" => self.take_note_uses(&record),
            kind => {
                if let Some(kind) = change_kind(kind) {
                    self.take_change(kind, &record);
                }
            }
        }
    }

    fn take_turn(&mut self, mut record: Record) {
        self.turn = record.turn;
        let end = record.number("offset").zip(record.number("bytes")).map(|(at, len)| at + len);
        let log = record.fields.get("log").and_then(Value::as_str).map(str::to_owned);
        match log.as_deref().and_then(|id| self.find(id)) {
            Some(held) => {
                held.end = end.or(held.end);
                let size = |at: usize| record.fields.get("log_size").and_then(|s| bounded(&s[at]));
                held.entry.raw_messages = size(0).or(held.entry.raw_messages);
                held.entry.raw_tokens = size(1).or(held.entry.raw_tokens);
            }
            None if log.is_none() => self.ambient_end = end.unwrap_or(self.ambient_end),
            None => {}
        }
        self.take_mentions(&record);
        self.take_note_uses(&record);
        for key in ["seq", "turn", "ts", "kind", "file", "offset", "bytes", "entry", "mentioned"] {
            record.fields.remove(key);
        }
        self.moment = record.fields;
    }

    fn take_note_uses(&mut self, record: &Record) {
        for (id, counts) in note::uses(record) {
            let Some(Value::Object(held)) = self.notes.get_mut(&id) else { continue };
            held.insert("last_used".into(), record.turn.0.into());
            held.extend(counts.and_then(Value::as_object).cloned().unwrap_or_default());
        }
    }

    fn take_mentions(&mut self, record: &Record) {
        let mentioned = record.fields.get("mentioned").and_then(Value::as_object);
        for (id, mention) in mentioned.into_iter().flatten() {
            let Some(held) = self.find(id) else { continue };
            held.entry.last_referenced_turn = bounded(&mention["turn"]);
            held.entry.cause = mention["cause"].as_str().map(str::to_owned);
        }
    }

    fn take_sizes(&mut self, record: &Record) {
        let entries = record.fields.get("entries").and_then(Value::as_array);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object) {
            let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
            if let Some(held) = self.find(id) {
                held.entry.merge(entry.clone());
            }
        }
    }

    fn take_change(&mut self, kind: ChangeKind, record: &Record) {
        use ChangeKind as Kind;
        if let Some(edit) = record.fields.get("note") {
            self.hold_note(edit["after"].clone());
            return;
        }
        let id = record.text("id");
        let tier = match kind {
            Kind::EffortOpened | Kind::EffortSwitched | Kind::EffortReopened => Tier::Open,
            Kind::EffortExpanded => Tier::Expanded,
            Kind::EffortConcluded
            | Kind::EffortCollapsed
            | Kind::EffortAutoCollapsed
            | Kind::SummaryReturned => Tier::Warm,
            // Pinning brings one that had left back.
            Kind::EffortPinned if !self.has_log(id) => Tier::Warm,
            Kind::SummaryEvicted => Tier::Evicted,
            // Nothing moved.
            _ => {
                if let Some(held) = self.find(id) {
                    held.merge(record);
                }
                return;
            }
        };
        let mut held = self.remove(id).unwrap_or_else(|| Held::new(id));
        held.merge(record);
        self.put(tier, held);
    }

    /// Whether an effort's log is in the window.
    fn has_log(&self, id: &str) -> bool {
        self.open.iter().chain(&self.expanded).any(|held| held.entry.id == id)
    }

    fn put(&mut self, tier: Tier, held: Held) {
        match tier {
            Tier::Active | Tier::Open => self.open.push(held),
            Tier::Expanded => self.expanded.push(held),
            Tier::Warm => self.warm.push(held),
            Tier::Evicted => self.push_evicted(held),
        }
    }

    fn push_evicted(&mut self, held: Held) {
        self.evicted.push(held);
        if self.evicted.len() > EVICTED_KEPT {
            self.evicted.remove(0);
        }
    }

    fn find(&mut self, id: &str) -> Option<&mut Held> {
        let lists = [&mut self.open, &mut self.expanded, &mut self.warm, &mut self.evicted];
        lists.into_iter().flatten().find(|held| held.entry.id == id)
    }

    fn remove(&mut self, id: &str) -> Option<Held> {
        let lists = [&mut self.open, &mut self.expanded, &mut self.warm, &mut self.evicted];
        for list in lists {
            if let Some(at) = list.iter().position(|held| held.entry.id == id) {
                return Some(list.remove(at));
            }
        }
        None
    }

    /// Puts an effort where it belongs; `end` is the length of its log in bytes, if known.
    pub(super) fn hold(
        &mut self,
        tier: Tier,
        fields: Map<String, Value>,
        place: Option<u64>,
        end: Option<u64>,
    ) {
        if let Some(entry) = Entry::from_fields(fields) {
            self.put(tier, Held { entry, place: place.unwrap_or(0), end });
        }
    }

    /// Takes a note as the journal writes it; a removed one is held no longer.
    pub(super) fn hold_note(&mut self, fields: Value) {
        let Some(id) = fields["id"].as_str().and_then(NoteId::parse) else { return };
        if fields["state"] == NoteState::Removed.as_str() {
            self.notes.remove(&id);
        } else {
            self.notes.insert(id, fields);
        }
    }

    /// Sets what everything else is seen under.
    pub(super) fn set_basis(
        &mut self,
        turn: Turn,
        rules: Map<String, Value>,
        frame: u64,
        ambient_end: u64,
    ) {
        (self.turn, self.ambient_end) = (turn, ambient_end);
        (self.rules, self.frame) = (Some(rules), Some(frame));
    }

    /// Sets the sums and forms of the moment.
    pub(super) fn set_moment(&mut self, moment: Map<String, Value>) {
        self.moment = moment;
    }

    /// The state as it is kept in files.
    pub(in crate::store) fn to_json(&self) -> Value {
        let list = |held: &[Held]| held.iter().map(Held::to_json).collect::<Value>();
        json!({
            "turn": self.turn.0, "rules": self.rules, "frame": self.frame,
            "open": list(&self.open), "expanded": list(&self.expanded), "warm": list(&self.warm),
            "evicted": list(&self.evicted), "ambient_end": self.ambient_end,
            "notes": self.notes_kept(), "moment": self.moment,
        })
    }

    /// Notes of the session and the newest permanent ones.
    fn notes_kept(&self) -> Vec<&Value> {
        let is_permanent = |note: &&Value| note["state"] == NoteState::Permanent.as_str();
        let permanent = self.notes.values().filter(is_permanent).count();
        let mut skip = permanent.saturating_sub(PERMANENT_KEPT);
        let kept = |note: &&Value| {
            let skipped = skip > 0 && is_permanent(note);
            skip -= usize::from(skipped);
            !skipped
        };
        self.notes.values().filter(kept).collect()
    }

    /// Reads what [`State::to_json`] made.
    pub(in crate::store) fn from_json(value: &Value) -> Option<Self> {
        let list = |key: &str| -> Vec<Held> {
            let items = value[key].as_array().into_iter().flatten();
            items.filter_map(Held::from_json).collect()
        };
        let mut state = Self {
            turn: Turn(bounded(&value["turn"])?),
            rules: value["rules"].as_object().cloned(),
            frame: bounded(&value["frame"]),
            open: list("open"),
            expanded: list("expanded"),
            warm: list("warm"),
            evicted: list("evicted"),
            ambient_end: bounded(&value["ambient_end"])?,
            notes: BTreeMap::new(),
            moment: value["moment"].as_object().cloned().unwrap_or_default(),
        };
        let notes = value["notes"].as_array().into_iter().flatten();
        notes.for_each(|note| state.hold_note(note.clone()));
        Some(state)
    }
}

impl Held {
    fn new(id: &str) -> Self {
        Self { entry: Entry::new(id.to_owned()), place: 0, end: None }
    }

    fn merge(&mut self, record: &Record) {
        if let Some(Value::Object(entry)) = record.fields.get("entry") {
            self.entry.merge(entry.clone());
        }
        self.place = record.number("place").unwrap_or(self.place);
    }

    fn to_json(&self) -> Value {
        json!({"entry": self.entry.fields(), "place": self.place, "end": self.end})
    }

    fn from_json(value: &Value) -> Option<Self> {
        let entry = Entry::from_fields(value["entry"].as_object()?.clone())?;
        Some(Self { entry, place: bounded(&value["place"])?, end: bounded(&value["end"]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: &str, turn: u64, fields: Value) -> Record {
        let mut all = object(json!({"seq": 1, "turn": turn, "ts": "", "kind": kind}));
        all.extend(object(fields));
        Record::parse(Value::Object(all).to_string().as_bytes()).unwrap()
    }

    fn change(kind: ChangeKind, turn: u64, id: &str, place: u64) -> Record {
        let entry = json!({"id": id, "summary": format!("about {id}")});
        line(kind.as_str(), turn, json!({"id": id, "place": place, "entry": entry}))
    }

    fn ids(held: &[Held]) -> Vec<&str> {
        held.iter().map(|held| held.entry.id.as_str()).collect()
    }

    #[test]
    fn changes_move_efforts_between_the_tiers_and_the_rest_only_learns() {
        use ChangeKind as Kind;
        let mut state = State::default();
        for (kind, id, place) in [
            (Kind::EffortOpened, "a", 0),
            (Kind::EffortOpened, "b", 0),
            (Kind::EffortSwitched, "a", 0),
            (Kind::EffortConcluded, "b", 2),
            (Kind::EffortOpened, "c", 0),
            (Kind::EffortConcluded, "c", 1),
            (Kind::EffortExpanded, "c", 1),
            (Kind::LeftOut, "a", 0),
            (Kind::EffortOpened, "d", 0),
            (Kind::EffortConcluded, "d", 3),
            (Kind::SummaryEvicted, "d", 3),
        ] {
            state.take(0, change(kind, 1, id, place));
        }
        assert_eq!((ids(&state.open), ids(&state.expanded)), (vec!["a"], vec!["c"]));
        assert_eq!((ids(&state.warm), ids(&state.evicted)), (vec!["b"], vec!["d"]));
        state.take(0, change(Kind::EffortAutoCollapsed, 1, "c", 1));
        state.take(0, change(Kind::SummaryReturned, 1, "d", 4));
        let warm: Vec<&str> = state.warm().iter().map(|held| &*held.entry.id).collect();
        assert_eq!(warm, ["c", "b", "d"], "in window order");
        assert_eq!(State::from_json(&state.to_json()), Some(state));
    }

    #[test]
    fn a_turn_tells_where_its_words_are_and_what_it_mentioned() {
        let mut state = State::default();
        state.take(0, change(ChangeKind::EffortOpened, 1, "a", 0));
        let fields = json!({
            "log": "a", "file": "efforts/a.jsonl", "offset": 10, "bytes": 90, "log_size": [2, 31],
            "mentioned": {"a": {"turn": 1, "cause": "'x'"}}, "full_history": 5,
        });
        state.take(0, line("turn", 1, fields));
        let held = &state.open[0];
        assert_eq!(
            (held.end, held.entry.raw_messages, held.entry.raw_tokens),
            (Some(100), Some(2), Some(31))
        );
        assert_eq!(held.entry.cause.as_deref(), Some("'x'"));
        state.take(
            0,
            line("turn", 2, json!({"log": null, "file": "raw.jsonl", "offset": 0, "bytes": 7})),
        );
        assert_eq!((state.turn(), state.ambient_end), (Turn(2), 7));
    }

    #[test]
    fn only_the_last_evicted_efforts_are_held() {
        let mut state = State::default();
        for nth in 0..300 {
            state.take(0, change(ChangeKind::SummaryEvicted, 1, &format!("e{nth}"), 0));
        }
        assert_eq!((state.evicted.len(), &*state.evicted[0].entry.id), (200, "e100"));
    }
}
