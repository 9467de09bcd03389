//! How what memory held follows from the lines of the journal.

use serde_json::{Map, Value};

use crate::memory::{Leads, MOST_LISTED, Tier, Turn};
use crate::store::record::entry::Entry;
use crate::store::record::{
    ChangeLine, Held, Line, Listed, Mention, NoteUses, Opened, Record, State, StoredNote, TurnLine,
};

impl State {
    /// Warm summaries in window order.
    pub(super) fn warm(&self) -> Vec<&Held> {
        let mut warm: Vec<&Held> = self.warm.iter().collect();
        warm.sort_by_key(|held| held.place);
        warm
    }

    /// Takes a line of the journal in, which begins at a position.
    pub(super) fn take(&mut self, position: u64, record: Record) {
        match record.line {
            Line::Opened(Opened { state: Some(state) }) => {
                // It tells what memory held, not who answered.
                let model = self.model.take();
                *self = *state;
                self.model = self.model.take().or(model);
            }
            Line::Frame(_) => self.frame = Some(position),
            Line::Rules(line) => self.rules = line.rules.map(|rules| *rules),
            Line::Turn(line) => self.take_turn(record.turn.0, *line),
            Line::Moment(moment) => {
                let request = self.moment.request.take();
                self.moment = moment.with(request);
            }
            Line::LogsCounted(line) => self.take_sizes(line.entries),
            Line::NotesUsed(used) => self.take_note_uses(record.turn, &used),
            Line::Change(line) => self.take_change(*line),
            Line::Opened(_) | Line::Stopped(_) | Line::MentionsTaken(_) | Line::Other => {}
        }
    }

    fn take_turn(&mut self, turn: u64, line: TurnLine) {
        self.turn = turn;
        let end = line.offset.zip(line.bytes).map(|(at, len)| at + len);
        match line.log.as_deref().and_then(|id| self.find(id)) {
            Some(held) => {
                let [messages, tokens] = line.log_size.unwrap_or_default();
                held.end = end.or(held.end);
                held.entry.raw_messages = messages.or(held.entry.raw_messages);
                held.entry.raw_tokens = tokens.or(held.entry.raw_tokens);
            }
            None if line.log.is_none() => self.ambient_end = end.unwrap_or(self.ambient_end),
            None => {}
        }
        self.model = line.model.or(self.model.take());
        self.take_mentions(line.mentioned);
        self.take_note_uses(Turn(turn), &line.used);
        let ambient = self.moment.ambient + if line.log.is_none() { 2 } else { 0 };
        self.moment = line.moment.unwrap_or_default().with(line.request);
        if self.moment.metrics().is_none() {
            // It was counted without its sums, because the program was killed.
            self.moment.ambient = ambient;
        }
    }

    fn take_note_uses(&mut self, turn: Turn, used: &NoteUses) {
        for (id, usage) in used.iter() {
            let Some(StoredNote { note, .. }) = self.notes.get_mut(&id) else { continue };
            note.last_used = turn;
            note.usage = usage.unwrap_or(note.usage);
        }
    }

    fn take_mentions(&mut self, mentioned: Listed<Mention>) {
        for (id, mention) in mentioned.0 {
            let Some(held) = self.find(&id) else { continue };
            held.entry.last_referenced_turn = mention.turn;
            held.entry.cause = mention.cause;
        }
    }

    fn take_sizes(&mut self, entries: Vec<Map<String, Value>>) {
        for entry in entries {
            let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
            if let Some(held) = self.find(id) {
                held.entry.merge(entry);
            }
        }
    }

    fn take_change(&mut self, line: ChangeLine) {
        if let Some(edit) = line.note {
            self.hold_note(edit.after);
            return;
        }
        if let Some(ambient) = line.ambient {
            self.moment.ambient = ambient;
        }
        let id = line.id.as_str();
        let tier = match line.kind.row().leads {
            Leads::Back if self.has_log(id) => None,
            leads => leads.tier(),
        };
        let Some(tier) = tier else {
            if let Some(held) = self.find(id) {
                held.merge(line);
            }
            return;
        };
        let mut held = self.remove(id).unwrap_or_else(|| Held::new(id));
        held.merge(line);
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
        if self.evicted.len() > MOST_LISTED {
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
}

impl Held {
    fn new(id: &str) -> Self {
        Self { entry: Entry::new(id.to_owned()), place: 0, end: None }
    }

    fn merge(&mut self, line: ChangeLine) {
        if let Some(entry) = line.entry {
            self.entry.merge(entry);
        }
        self.place = line.place.unwrap_or(self.place);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::memory::ChangeKind;

    use super::*;

    fn line(kind: &str, turn: u64, fields: &Value) -> Record {
        let mut all = json!({"seq": 1, "turn": turn, "ts": "", "kind": kind});
        let fields = fields.as_object().unwrap().iter();
        fields.for_each(|(key, value)| all[key] = value.clone());
        Record::parse(all.to_string().as_bytes()).unwrap()
    }

    fn change(kind: ChangeKind, turn: u64, id: &str, place: u64) -> Record {
        let entry = json!({"id": id, "summary": format!("about {id}")});
        line(kind.as_str(), turn, &json!({"id": id, "place": place, "entry": entry}))
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
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
    }

    #[test]
    fn a_turn_tells_where_its_words_are_and_what_it_mentioned() {
        let mut state = State::default();
        state.take(0, change(ChangeKind::EffortOpened, 1, "a", 0));
        let fields = json!({
            "log": "a", "file": "efforts/a.jsonl", "offset": 10, "bytes": 90, "log_size": [2, 31],
            "mentioned": {"a": {"turn": 1, "cause": "'x'"}}, "full_history": 5,
        });
        state.take(0, line("turn", 1, &fields));
        let held = &state.open[0];
        assert_eq!(
            (held.end, held.entry.raw_messages, held.entry.raw_tokens),
            (Some(100), Some(2), Some(31))
        );
        assert_eq!(held.entry.cause.as_deref(), Some("'x'"));
        state.take(
            0,
            line("turn", 2, &json!({"log": null, "file": "raw.jsonl", "offset": 0, "bytes": 7})),
        );
        assert_eq!((state.turn, state.ambient_end), (2, 7));
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
