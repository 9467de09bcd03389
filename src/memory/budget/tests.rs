//! The ceiling as a promise: whatever was said, and whatever the model does, a request fits.

mod expanded;
mod lines;
mod long_replies;
mod slots;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::memory::tests::Words;
use crate::memory::{
    CloseSource, CountTokens, Exchange, Frame, Layer, Rejected, Restored, RestoredEffort,
    RestoredExpansion, Rules, Salience, Source, Status, Window,
};

/// The counter of the program, where exactness matters.
struct Cl100k(tiktoken_rs::CoreBPE);

impl CountTokens for Cl100k {
    fn count(&self, text: &str) -> Tokens {
        Tokens(self.0.encode_ordinary(text).len() as u64)
    }
}

const PROMPT: &str = "You are helpful.";
const TOOLS: &str = "[\"open\", \"close\"]";

fn memory(rules: Rules) -> Memory {
    memory_counting(rules, Arc::new(Words))
}

fn memory_counting(rules: Rules, counter: Arc<dyn CountTokens>) -> Memory {
    let frame = Frame { system_prompt: PROMPT.into(), tools: TOOLS.into() };
    Memory::new(rules, frame, counter)
}

fn budget(tokens: u64) -> Rules {
    Rules { token_budget: Tokens(tokens), soft_percent: 70, ..Rules::default() }
}

fn say(memory: &mut Memory, user: &str, assistant: &str) -> Vec<Change> {
    memory.begin_turn();
    memory.end_turn(&Exchange { user: user.into(), assistant: assistant.into() }).changes
}

fn conclude(memory: &mut Memory, id: &str, summary: &str) {
    memory.open(id).unwrap();
    say(memory, &"long talk ".repeat(80), "yes");
    let source: CloseSource = memory.close_source(Some(id), None).unwrap();
    memory.conclude(&source, summary).unwrap();
}

fn words(word: &str, count: usize) -> String {
    let numbered: Vec<String> = (0..count).map(|n| format!("{word}{n}")).collect();
    numbered.join(" ")
}

/// What the window costs, counted from what is sent.
fn sent(memory: &Memory, window: &Window) -> Tokens {
    let messages: Tokens =
        window.messages().iter().map(|(_, text)| memory.counter.count(text)).sum();
    messages + memory.counter.count(TOOLS)
}

fn text_of(window: &Window) -> String {
    window.messages().into_iter().fold(String::new(), |all, (_, text)| all + &text + "\n")
}

#[test]
fn the_least_salient_summary_leaves_first_and_relevance_outweighs_age() {
    let mut memory = memory(budget(4_000));
    conclude(&mut memory, "bread", "Sourdough starter revived with rye flour and patience.");
    for n in 0..6 {
        let filler = words(&format!("filler{n}x"), 22);
        conclude(&mut memory, &format!("job-{n}"), &filler);
    }
    memory.set_rules(budget(400)).unwrap();
    let changes = say(&mut memory, "my starter smells odd today", &words("answer", 150));
    let first = changes.iter().find(|change| change.kind == ChangeKind::SummaryEvicted).unwrap();
    assert_eq!(first.subject.to_string(), "job-0", "older, but the talk is about bread");
    assert!(first.cause.contains("least salient (0.") && first.cause.contains("over the low line"));
    assert!(memory.warm_efforts().any(|effort| effort.id.as_str() == "bread"));
    assert!(memory.layers().total() <= memory.rules().soft_line());
}

#[test]
fn the_hard_line_takes_background_logs_then_summaries_then_ambient_then_the_active_log() {
    let mut memory = memory(budget(2_000));
    conclude(&mut memory, "old", "Something that was concluded once.");
    conclude(&mut memory, "pinned", "Something that stays.");
    memory.efforts[1].pinned = true;
    memory.expiry.clear();
    conclude(&mut memory, "log", "Something with a log.");
    for n in 0..6 {
        say(&mut memory, &words(&format!("ambient{n}x"), 20), "ok");
    }
    for name in ["back", "front"] {
        memory.open(name).unwrap();
        for n in 0..4 {
            say(&mut memory, &words(&format!("{name}{n}x"), 50), &words("reply", 20));
        }
    }
    let order = |reserved: u64| -> Vec<String> {
        let window = memory.window_with("and now", Tokens(reserved));
        assert!(sent(&memory, &window) + Tokens(reserved) <= Tokens(2_000));
        window.gave_way.iter().map(|change| change.subject.to_string()).collect()
    };
    assert_eq!(order(0), [""; 0]);
    let names = order(1_620);
    let expected = ["back", "log", "old", "ambient", "front"];
    let mut firsts: Vec<&str> = Vec::new();
    for name in &names {
        if !firsts.contains(&name.as_str()) {
            firsts.push(name);
        }
    }
    firsts[1..3].sort_unstable();
    assert_eq!(firsts, expected);
    let window = memory.window_with("and now", Tokens(1_620));
    assert!(text_of(&window).contains("- pinned: Something that stays."));
    assert!(text_of(&window).contains("front3x49") && text_of(&window).contains("front2x0"));
}

#[test]
fn a_long_open_log_is_shown_by_its_ends_with_a_pointer_and_keeps_its_true_size() {
    let mut memory = memory(budget(600));
    memory.open("auth-bug").unwrap();
    for n in 0..30 {
        say(&mut memory, &words(&format!("user{n}x"), 20), &words(&format!("reply{n}x"), 20));
    }
    let window = memory.window();
    let text = text_of(&window);
    assert!(window.layers.total() <= Tokens(420) && window.layers.total() > Tokens(250));
    assert!(text.contains("tokens left out; full text in the log of effort auth-bug, messages "));
    assert!(text.contains("user0x0") && text.contains("user29x19") && !text.contains("user12x3"));
    let effort = memory.active().unwrap();
    assert_eq!((effort.raw_tokens, effort.raw().len()), (Some(Tokens(1_200)), 60));
    assert_eq!(window.layers, memory.layers());
}

#[test]
fn a_message_larger_than_the_window_is_shown_by_its_ends() {
    let mut memory = memory(budget(500));
    say(&mut memory, "hello", "hi");
    let text = words("pasted", 5_000);
    let window = memory.window_with(&text, Tokens(100));
    assert!(sent(&memory, &window) <= Tokens(400));
    let last = window.items.last().unwrap();
    assert_eq!(last.source, Source::NewMessage);
    assert!(last.content.starts_with("pasted0 ") && last.content.ends_with("pasted4999"));
    assert!(last.content.contains("this message alone is larger than the window"));
    assert!(window.gave_way.iter().any(|change| change.subject == Subject::Message));
}

#[test]
fn a_reply_larger_than_the_window_is_no_reason_for_what_is_small_to_leave() {
    let mut memory = memory(budget(1_000));
    conclude(&mut memory, "old", "Something that was concluded once.");
    say(&mut memory, "and now", &words("reply", 5_000));
    let window = memory.window_with("what else", Tokens(0));
    assert!(sent(&memory, &window) <= Tokens(1_000));
    let text = text_of(&window);
    assert!(text.contains("concluded once"), "{:?}", window.gave_way);
    assert!(text.contains("reply0 ") && text.contains("reply4999"));
}

#[test]
fn mode_ask_announces_and_waits_while_the_hard_line_holds() {
    let mut memory = memory(Rules { budget_mode: BudgetMode::Ask, ..budget(400) });
    for n in 0..8 {
        conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 30));
    }
    say(&mut memory, "hello", &words("talk", 60));
    assert!(memory.layers().total() > memory.rules().soft_line());
    assert!(memory.layers().total() <= Tokens(400));
    let announced = memory.waiting_for_consent();
    assert!(!announced.is_empty() && memory.warnings().len() == 1);
    let left: Vec<EffortId> =
        memory.let_leave().iter().filter_map(Change::effort).cloned().collect();
    assert!(left.iter().all(|id| announced.contains(id)));
    assert!(memory.layers().total() <= memory.rules().soft_line());
    assert_eq!(memory.waiting_for_consent(), []);
}

#[test]
fn mode_off_warns_and_drops_nothing_before_the_models_own_limit() {
    let off = Rules { budget_mode: BudgetMode::Off, ..budget(300) };
    let mut memory = memory(off);
    for n in 0..8 {
        conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 60));
    }
    assert_eq!(memory.warm_efforts().count(), 8);
    assert!(memory.warnings()[0].contains("over token_budget"));
    memory.set_rules(Rules { context_window: Some(Tokens(350)), ..off }).unwrap();
    assert!(memory.window_with("hm", Tokens(0)).layers.total() <= Tokens(350));
}

#[test]
fn a_collapse_by_the_budget_is_none_by_decay() {
    let mut memory = memory(budget(4_000));
    conclude(&mut memory, "bread", "Sourdough starter revived with rye flour and patience.");
    let raw = vec![(Role::User, words("dough", 10).into()); 30];
    memory.begin_turn();
    memory.expand("bread", raw).unwrap();
    say(&mut memory, "what now", "this");
    memory.set_rules(budget(230)).unwrap();
    let changes = say(&mut memory, "something else", "yes");
    assert!(changes.iter().any(|change| change.kind == ChangeKind::EffortAutoCollapsed));
    let metrics = memory.metrics();
    assert_eq!((metrics.auto_collapses, metrics.budget_collapses), (0, 1));
    assert_eq!((metrics.tokens_saved_by_decay, metrics.avg_expansion_duration()), (0, 1.0));
}

#[test]
fn rules_that_make_no_sense_are_refused_by_name_and_the_old_ones_hold() {
    let mut memory = memory(Rules::default());
    for (rules, setting) in [
        (budget(100), "token_budget"),
        (Rules { soft_percent: 101, ..Rules::default() }, "soft_percent"),
        (Rules { soft_percent: 0, ..Rules::default() }, "soft_percent"),
        (Rules { slots: Some(0), ..Rules::default() }, "slots"),
        (Rules { context_window: Some(Tokens(50)), ..Rules::default() }, "context_window"),
    ] {
        let refused = memory.set_rules(rules).unwrap_err().to_string();
        assert!(refused.contains(setting), "{refused}");
        assert_eq!(*memory.rules(), Rules::default());
    }
    memory.set_rules(budget(1_000)).unwrap();
}

#[test]
fn of_summaries_that_no_counted_turn_mentioned_only_a_handful_starts_warm() {
    let start = |efforts: usize, turn: u64| {
        let stored = (0..efforts).map(|n| RestoredEffort {
            id: EffortId::stored(&format!("job-{n}")),
            status: Status::Concluded,
            summary: Some("A summary.".into()),
            tags: Vec::new(),
            specifics: Vec::new(),
            pinned: false,
            last_referenced: None,
            cause: None,
            last_used: Turn(0),
            nth_used: 0,
            raw_tokens: Some(Tokens(9)),
            raw_messages: 2,
            evicted: false,
            raw: Vec::new(),
            turns: Vec::new(),
            blocks: Vec::new(),
        });
        let restored =
            Restored { turn: Turn(turn), efforts: stored.collect(), ..Restored::default() };
        let frame = Frame { system_prompt: PROMPT.into(), tools: TOOLS.into() };
        let memory = Memory::restore(Rules::default(), frame, Arc::new(Words), restored);
        (memory.warm_efforts().count(), memory.evicted_efforts().count())
    };
    assert_eq!(start(5, 0), (5, 0));
    assert_eq!(start(100, 3), (12, 88));
    assert_eq!(start(5_000, 3), (12, 200));
    assert_eq!(start(5, 20), (0, 5));
}

#[derive(Debug, Clone)]
enum Step {
    Open(usize),
    Close(usize, usize),
    Expand(usize),
    Switch(usize),
    Reopen(usize),
    Pin(usize),
    Say(String, String),
    Rules(u64, u8),
    Remember(String, bool),
    CheckNotes,
}

/// Text of a size from nothing to far more than any budget, of everyday words and ids.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof!["plan", "test e1", "the e2 plan", "größe 設計", "👩‍👩‍👧", "a.\n", "e5, e0"];
    let size = prop_oneof![6 => 0..20_usize, 2 => 20..300_usize, 1 => 300..3_000_usize];
    (proptest::collection::vec(word, 1..8), size).prop_map(|(words, size)| {
        let repeated: Vec<&str> = words.iter().map(String::as_str).cycle().take(size).collect();
        repeated.join(" ")
    })
}

fn step() -> impl Strategy<Value = Step> {
    let n = 0..8_usize;
    prop_oneof![
        3 => n.clone().prop_map(Step::Open),
        2 => (n.clone(), 1..90_usize).prop_map(|(n, size)| Step::Close(n, size)),
        2 => n.clone().prop_map(Step::Expand),
        1 => n.clone().prop_map(Step::Switch),
        1 => n.clone().prop_map(Step::Reopen),
        1 => n.prop_map(Step::Pin),
        3 => ("[a-zé ]{1,500}x", any::<bool>()).prop_map(|(text, pin)| Step::Remember(text, pin)),
        1 => Just(Step::CheckNotes),
        7 => (text(), text()).prop_map(|(user, model)| Step::Say(user, model)),
        1 => (210..3_000_u64, 0..2_u8).prop_map(|(budget, mode)| Step::Rules(budget, mode)),
    ]
}

/// A session as a person and a model make it: the logs are kept as the store keeps them.
struct Session {
    memory: Memory,
    logs: BTreeMap<String, Vec<(Role, Arc<str>)>>,
    users: Vec<Arc<str>>,
}

impl Session {
    fn new(counter: Arc<dyn CountTokens>) -> Self {
        let memory = memory_counting(budget(800), counter);
        Self { memory, logs: BTreeMap::new(), users: Vec::new() }
    }

    fn take(&mut self, step: &Step) -> Vec<Change> {
        let id = |n: &usize| format!("e{n}");
        let log = |n: &usize| self.logs.get(&id(n)).cloned().unwrap_or_default();
        let outcome: Result<Change, Rejected> = match step {
            Step::Open(n) => self.memory.open(&id(n)),
            Step::Close(n, size) => {
                self.memory.close_source(Some(&id(n)), None).and_then(|source| {
                    let short = "plan test the same words ".repeat(*size);
                    let small = source.may_stand_for_itself();
                    self.memory.conclude(&source, &if small { source.text() } else { short })
                })
            }
            Step::Expand(n) => self.memory.expand(&id(n), log(n)),
            Step::Switch(n) => self.memory.switch(&id(n)),
            Step::Reopen(n) => self.memory.reopen(&id(n), log(n)),
            Step::Pin(n) => {
                if let Some(&at) = self.memory.by_id.get(&EffortId::stored(&id(n))) {
                    let effort = &mut self.memory.efforts[at];
                    effort.pinned = true;
                    let last = effort.last_referenced;
                    self.memory.expiry.remove(&(last, at));
                }
                return Vec::new();
            }
            Step::Say(user, model) => return self.say(user, model),
            Step::Remember(text, pin) => {
                let made = self.memory.remember(text, &[], Salience::default());
                if let (Ok(change), true) = (&made, pin) {
                    let id = self.memory.find_note(&change.subject.to_string()).unwrap();
                    return vec![self.memory.pin_note(id, true).unwrap()];
                }
                made
            }
            Step::CheckNotes => return self.memory.check_notes().changes,
            Step::Rules(tokens, mode) => {
                let budget_mode = [BudgetMode::Auto, BudgetMode::Ask][usize::from(*mode)];
                let _ = self.memory.set_rules(Rules { budget_mode, ..budget(*tokens) });
                return Vec::new();
            }
        };
        outcome.into_iter().collect()
    }

    fn say(&mut self, user: &str, model: &str) -> Vec<Change> {
        self.memory.begin_turn();
        let exchange = Exchange { user: user.into(), assistant: model.into() };
        let ended = self.memory.end_turn(&exchange);
        if let Some(id) = &ended.log {
            let log = self.logs.entry(id.to_string()).or_default();
            log.push((Role::User, Arc::clone(&exchange.user)));
            log.push((Role::Assistant, exchange.assistant));
        }
        self.users.push(exchange.user);
        ended.changes
    }

    /// Whether a request fits, and holds what must stay as far as there is room for it at all.
    fn check(&self, user: &str, reserved: u64) {
        let memory = &self.memory;
        let reserved = Tokens(reserved.min(memory.room_for_tools(user).0));
        let window = memory.window_with(user, reserved);
        let cost = sent(memory, &window);
        assert_eq!(cost, window.layers.total(), "counted as sent");
        let limit = memory.rules.limit();
        assert!(cost + reserved <= limit, "{cost} and {reserved} of {limit}");
        assert!(window.items[0].content.starts_with(PROMPT));
        // Whatever a tool exchange takes of what it may have.
        let room = limit.saturating_sub(memory.frame_layers.total());
        let own = memory.counter.count(user);
        let newest = &*window.items.last().unwrap().content;
        if own.0 <= room.0 / 4 * 3 || own <= room.saturating_sub(reserved) {
            assert!(newest == user, "the newest message is whole");
        }
        assert_eq!(newest.trim().is_empty(), user.trim().is_empty(), "something of it is said");
        let resting = memory.window();
        assert_eq!(resting.layers, memory.layers());
        assert!(sent(memory, &resting) <= limit);
    }
}

fn run(steps: &[Step], user: &str, reserved: u64, counter: Arc<dyn CountTokens>) {
    let mut session = Session::new(counter);
    for step in steps {
        let changes = session.take(step);
        for change in &changes {
            assert!(!change.cause.is_empty());
        }
        if let Some(last) = changes.last() {
            assert_eq!(last.after, session.memory.layers().total());
        }
        session.check(user, reserved);
        for change in changes.iter().filter(|change| change.kind == ChangeKind::SummaryEvicted) {
            undo(&mut session.memory, change.effort().unwrap());
        }
    }
}

/// A summary that left comes back as it was.
fn undo(memory: &mut Memory, id: &EffortId) {
    let effort = memory.effort(id).unwrap();
    if effort.warm || effort.status == Status::Open || effort.expanded_at().is_some() {
        return;
    }
    let summary = effort.summary();
    assert!(memory.refresh(id, "asked").is_some());
    let effort = memory.effort(id).unwrap();
    assert!(effort.warm && effort.summary() == summary);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_request_never_exceeds_the_budget(
        steps in proptest::collection::vec(step(), 0..50),
        user in text(),
        reserved in 0..1_500_u64,
    ) {
        run(&steps, &user, reserved, Arc::new(Words));
    }

    #[test]
    fn the_two_messages_before_the_newest_stay_whole_while_they_fit(
        steps in proptest::collection::vec(step(), 0..40),
        last in ("[a-m]{4,9}( [a-m]{4,9}){9}", "[n-z]{4,9}( [n-z]{4,9}){9}"),
    ) {
        let mut session = Session::new(Arc::new(Words));
        for step in &steps {
            session.take(step);
        }
        session.memory.rules.token_budget = Tokens(400);
        session.memory.replan();
        session.say(&last.0, "ok");
        session.say(&last.1, "ok");
        let text = text_of(&session.memory.window_with("and now", Tokens(0)));
        prop_assert!(text.contains(&last.0) && text.contains(&last.1), "{text}");
    }

    #[test]
    fn the_same_input_gives_the_same_requests(steps in proptest::collection::vec(step(), 0..40)) {
        let (mut one, mut two) = (Session::new(Arc::new(Words)), Session::new(Arc::new(Words)));
        for step in &steps {
            prop_assert_eq!(one.take(step), two.take(step));
            let request = |session: &Session| session.memory.window_with("plan e1", Tokens(70));
            prop_assert_eq!(request(&one), request(&two));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_budget_holds_in_the_tokens_of_the_program(
        steps in proptest::collection::vec(step(), 0..25),
        user in text(),
        reserved in 0..1_500_u64,
    ) {
        let bpe = tiktoken_rs::cl100k_base().unwrap();
        run(&steps, &user, reserved, Arc::new(Cl100k(bpe)));
    }
}

#[test]
fn rapid_alternation_among_all_efforts_and_equal_summaries_stay_below_the_line() {
    let mut memory = memory(budget(2_000));
    for n in 0..60 {
        conclude(
            &mut memory,
            &format!("plan-{n}"),
            "The plan was to test the plan and plan the test",
        );
    }
    for turn in 0..180 {
        let user = format!("plan-{} and the test plan", turn % 60);
        let window = memory.window_with(&user, Tokens(0));
        assert!(sent(&memory, &window) <= Tokens(2_000));
        say(&mut memory, &user, &format!("plan-{}", (turn + 7) % 60));
        assert!(memory.layers().of(Layer::Summaries) < Tokens(1_400));
    }
}
