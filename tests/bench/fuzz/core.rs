//! Any sequence of what may be done to memory: nothing gets lost, the sums are right, no request is too large.

use std::collections::BTreeMap;
use std::sync::Arc;

use ebbtide::memory::{
    BudgetMode, Change, CountTokens, EffortId, Exchange, Frame, Memory, NoteId, NoteState, Role,
    Rules, Salience, Status, Tokens, UNDONE, Window, is_undoable,
};

use super::random::Random;

/// One token for each word.
struct Words;

impl CountTokens for Words {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.split_whitespace().count() as u64)
    }
}

const NAMES: &[&str] =
    &["auth bug", "perf", "guild", "Übung", "e1", "e2", "a/b", "", "  ", "-", "漢字"];

const WORDS: &[&str] = &[
    "auth",
    "perf ",
    "guild ",
    "word ",
    "token ",
    "refresh ",
    "n1 ",
    "see e1 ",
    "\n",
    "{",
    "a b c d e f g h ",
    "x",
];

/// Memory with the logs that the store would hold.
struct Played {
    memory: Memory,
    logs: BTreeMap<EffortId, Vec<(Role, Arc<str>)>>,
    history: Vec<Change>,
}

/// Does a few dozen things and looks after each.
pub(crate) fn case(random: &mut Random) {
    let frame = Frame { system_prompt: "You help.".into(), tools: "[]".into() };
    let memory = Memory::new(rules(random), frame, Arc::new(Words));
    let mut played = Played { memory, logs: BTreeMap::new(), history: Vec::new() };
    for _ in 0..random.between(1, 40) {
        let efforts = played.memory.efforts().len();
        let changes = played.act(random);
        assert!(played.memory.efforts().len() >= efforts, "an effort is gone");
        if let Some(last) = changes.last() {
            assert_eq!(last.after, played.memory.layers().total(), "{last:?}");
        }
        assert!(changes.iter().all(|change| !change.cause.is_empty()), "{changes:?}");
        played.history.extend(changes);
    }
    played.check(random);
}

fn rules(random: &mut Random) -> Rules {
    Rules {
        decay_threshold: random.one(&[1, 3, 50]),
        summary_eviction_threshold: random.one(&[1, 4, 20]),
        ambient_window: random.one(&[0, 1, 10]),
        min_keyword_overlap: random.one(&[1, 2]),
        token_budget: Tokens(random.one(&[200, 400, 16_000])),
        soft_percent: random.one(&[10, 70, 100]),
        budget_mode: random.one(&[BudgetMode::Auto, BudgetMode::Auto, BudgetMode::Ask]),
        slots: random.one(&[None, Some(1), Some(4)]),
        specifics_in_window: Tokens(random.one(&[0, 20])),
        ..Rules::default()
    }
}

impl Played {
    fn act(&mut self, random: &mut Random) -> Vec<Change> {
        let id = self.any_id(random);
        let meant = self.memory.lookup(&id).map(|effort| effort.id.clone());
        let raw = meant.ok().and_then(|id| self.logs.get(&id).cloned()).unwrap_or_default();
        let words = random.text_of(WORDS, 30);
        let note = NoteId(random.below(6) as u64 + 1);
        let memory = &mut self.memory;
        let done = match random.below(20) {
            0..=4 => return self.say(random, &words),
            5 | 6 => memory.open(random.one(NAMES)),
            7 | 8 => match memory.close_source(Some(&id), random.one(&[None, Some("so")])) {
                Ok(source) => memory.conclude(&source, &words),
                Err(rejected) => Err(rejected),
            },
            9 => memory.expand(&id, raw),
            10 => memory.collapse(&id),
            11 => memory.switch(&id),
            12 => memory.reopen(&id, raw),
            13 if random.once_in(2) => memory.pin(&id),
            13 => memory.unpin(&id),
            14 if random.once_in(2) => memory.keep(&id),
            14 => return memory.evict_now(&id).unwrap_or_default(),
            15 => memory.edit_summary(&id, &words, "edited"),
            16 => {
                let stars = Salience::new(random.below(6) as u64).unwrap_or_default();
                memory.remember(&words, &[random.one(&["insight", "a", "X y"]).into()], stars)
            }
            17 => return self.note(random, note, &words),
            18 => return self.undo(random),
            _ => {
                let _ = memory.set_rules(rules(random));
                return Vec::new();
            }
        };
        done.into_iter().collect()
    }

    fn note(&mut self, random: &mut Random, id: NoteId, words: &str) -> Vec<Change> {
        let memory = &mut self.memory;
        let done = match random.below(6) {
            0 => memory.edit_note(id, words),
            1 => memory.pin_note(id, random.once_in(2)),
            2 => memory.delete_note(id),
            3 => memory.archive_note(id),
            4 => return memory.return_note(id, "asked for").unwrap_or_default(),
            _ => return memory.check_notes().changes,
        };
        done.into_iter().collect()
    }

    /// Takes something back; what cannot be is refused and changes nothing.
    fn undo(&mut self, random: &mut Random) -> Vec<Change> {
        if self.history.is_empty() {
            return Vec::new();
        }
        let change =
            self.history[self.history.len() - 1 - random.below(self.history.len().min(6))].clone();
        if !is_undoable(&change) {
            return Vec::new();
        }
        let raw = change.effort().and_then(|id| self.logs.get(id)).cloned().unwrap_or_default();
        self.memory.take_back(&change, UNDONE, raw).unwrap_or_default()
    }

    fn say(&mut self, random: &mut Random, words: &str) -> Vec<Change> {
        self.memory.begin_turn();
        if random.once_in(8) {
            self.memory.abandon_turn();
            return Vec::new();
        }
        let reply = random.text_of(WORDS, 20);
        let exchange = Exchange { user: words.into(), assistant: reply.as_str().into() };
        let ended = self.memory.end_turn(&exchange);
        if let Some(id) = &ended.log {
            let said = [(Role::User, exchange.user), (Role::Assistant, exchange.assistant)];
            self.logs.entry(id.clone()).or_default().extend(said);
        }
        ended.changes
    }

    fn any_id(&self, random: &mut Random) -> String {
        let efforts = self.memory.efforts();
        match efforts.get(random.below(efforts.len() + 1)) {
            Some(effort) => effort.id.to_string(),
            None => random.one(NAMES).to_owned(),
        }
    }

    /// What must hold after any sequence.
    fn check(&self, random: &mut Random) {
        let memory = &self.memory;
        let resting = memory.window();
        assert_eq!(resting.layers, memory.layers());
        let user = random.text_of(WORDS, 30);
        let most = memory.room_for_tools(&user).0 as usize;
        let reserved = Tokens(random.below(most + 1) as u64);
        let window = memory.window_with(&user, reserved);
        let cost = cost(&window) + Words.count(&memory.frame().tools);
        assert_eq!(cost, window.layers.total(), "counted as sent");
        let limit = memory.rules().token_budget;
        assert!(cost + reserved <= limit, "{cost} and {reserved} of {limit}");
        let (concluded, out) = memory.concluded_count();
        let are = memory.efforts().iter().filter(|one| one.status == Status::Concluded).count();
        let inside = memory.warm_efforts().count() + memory.expanded_efforts().count();
        assert_eq!((concluded, concluded - out), (are, inside), "where the concluded efforts are");
        for effort in memory.efforts() {
            let logged = self.logs.get(&effort.id).map_or(0, Vec::len) as u64;
            assert_eq!(effort.raw_messages, logged, "messages of {}", effort.id);
        }
        let _ = memory.view();
        let states: Vec<NoteState> = (1..=memory.last_note())
            .filter_map(|id| Some(memory.note(NoteId(id))?.state))
            .collect();
        assert!(states.iter().all(|state| *state != NoteState::Removed));
    }
}

/// What a window costs as it is sent.
fn cost(window: &Window) -> Tokens {
    let sent = window.messages();
    sent.iter().map(|(_, content)| Words.count(content)).sum()
}
