//! The time machine: every turn of a session can be seen as it was, and undo and redo walk through what
//! memory did.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ebbtide::config::{Settings, Source};
use ebbtide::llm::scripted::ScriptedAnswer;
use ebbtide::memory::{ChangeKind, EffortId, MemoryView, Turn, Window};
use ebbtide::orchestrator::{EffortCommand, NoteCommand, Notice, Op, PastTurn, TranscriptKind};
use ebbtide::tools::Call;
use proptest::prelude::*;
use serde_json::json;

use super::support::driver::{Bench, call, text};
use super::support::session::{Command, Session};

fn with(settings: &[(&str, &str)]) -> Settings {
    let mut all = Settings::default();
    for (key, value) in settings {
        all.set(key, value, Source::Chat).expect("the setting exists");
    }
    all
}

/// A session whose every turn is remembered from outside, to be compared with what the session tells.
struct Witness {
    bench: Bench,
    seen: Vec<(Turn, Arc<MemoryView>, Arc<Window>)>,
}

impl Witness {
    fn open(dir: &Path, settings: &Settings) -> Self {
        Self { bench: Bench::with(dir, settings.clone(), None), seen: Vec::new() }
    }

    async fn say(&mut self, user: &str, answers: Vec<ScriptedAnswer>, summary: &str) {
        let report = self.bench.turn(user, answers, summary).await;
        self.bench.handle.send(Op::ShowWindow);
        let window = loop {
            if let Notice::Window(window) = self.bench.notices.recv().await.unwrap() {
                break window;
            }
        };
        self.seen.push((report.turn, report.memory, window));
    }

    async fn chat(&mut self, user: &str) {
        self.say(user, vec![text(&format!("I see: {user}."))], "").await;
    }

    async fn command(&mut self, call: Call) {
        let (ok, said) = self.bench.command(Op::Run(call)).await;
        assert!(ok, "{said}");
    }

    async fn look_back(&mut self, turn: Turn) -> Arc<PastTurn> {
        look_back(&mut self.bench, turn).await.unwrap_or_else(|why| panic!("turn {turn}: {why}"))
    }

    /// Every turn looks as it did.
    async fn assert_all_as_they_were(&mut self) {
        for (turn, memory, window) in std::mem::take(&mut self.seen) {
            let past = self.look_back(turn).await;
            assert_eq!(past.window.items, window.items, "the window after turn {turn}");
            assert_eq!(*past.memory, *memory, "memory after turn {turn}");
            assert_eq!(past.window.layers, window.layers);
            self.seen.push((turn, memory, window));
        }
    }

    async fn reopen(self, dir: &Path, settings: &Settings) -> Self {
        let (turn, seen) = (self.bench.turn, self.seen);
        let compressions = self.bench.compressions.clone();
        self.bench.close().await;
        let mut bench = Bench::with(dir, settings.clone(), None);
        (bench.turn, bench.compressions) = (turn, compressions);
        Self { bench, seen }
    }
}

async fn look_back(bench: &mut Bench, turn: Turn) -> Result<Arc<PastTurn>, String> {
    bench.handle.send(Op::LookBack(Some(turn)));
    loop {
        match bench.notices.recv().await.unwrap() {
            Notice::Past(past) => return Ok(past),
            Notice::NoPast(why) => return Err(why),
            _ => {}
        }
    }
}

/// A life with everything in it: efforts that open, switch, close, leave and return, expansions, notes,
/// texts by reference, settings that change, two restarts.
async fn live(dir: &Path, settings: &Settings) -> Witness {
    let mut life = Witness::open(dir, settings);
    life.chat("hello there").await;
    for name in ["auth-bug", "sailing-trip", "bread"] {
        let open = vec![call("open_effort", json!({ "name": name })), text("Opened.")];
        life.say(&format!("let's talk about the {name}"), open, "").await;
        life.chat(&format!("the {name} needs {}", "many careful words ".repeat(25))).await;
    }
    let note = call("remember", json!({ "content": "The user likes tea", "tags": ["taste"] }));
    life.say("remember that I like tea", vec![note, text("Noted.")], "").await;
    life.command(Call::SwitchEffort { id: "auth-bug".into() }).await;
    life.chat("back to the token").await;
    let close = vec![call("close_effort", json!({ "id": "bread" })), text("Closed.")];
    life.say("the bread is done", close, "Sourdough at 230 degrees.").await;
    let close = vec![call("close_effort", json!({})), text("Closed.")];
    life.say("that fixed it", close, "Token expired; an interceptor refreshes it.").await;
    let mut life = life.reopen(dir, settings).await;
    life.chat("what was that sourdough at 230 degrees?").await;
    life.command(Call::ExpandEffort { id: "auth-bug".into(), messages: None }).await;
    life.chat("so the interceptor refreshes the expired token").await;
    let set = Op::Set { key: "decay_threshold".into(), value: "2".into() };
    assert!(life.bench.command(set).await.0);
    let big = "one of the many lines of a long log\n".repeat(400);
    let save = json!({ "key": "server-log", "content": big, "description": "a log" });
    life.say("keep this", vec![call("scratchpad_save", save), text("Kept.")], "").await;
    for nth in 0..8 {
        life.chat(&format!("filler number {nth} about nothing")).await;
    }
    let note = Op::Note { id: "n1".into(), command: NoteCommand::Archive };
    assert!(life.bench.command(note).await.0);
    life.chat("hm").await;
    let mut life = life.reopen(dir, settings).await;
    life.command(Call::SearchEfforts { query: "interceptor token".into(), all: false, page: 1 })
        .await;
    life.chat("the interceptor for the token once more").await;
    life.command(Call::ReopenEffort { id: "auth-bug".into() }).await;
    life.chat("it came back").await;
    life
}

#[tokio::test]
async fn every_turn_is_seen_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("summary_eviction_threshold", "6"), ("ambient_window", "4")]);
    let mut life = live(dir.path(), &settings).await;
    life.assert_all_as_they_were().await;
    let last = life.seen.last().unwrap().0;
    let past = life.look_back(last).await;
    assert_eq!(past.span, (Turn(0), last));
    assert!(past.inspection.compared_with.as_deref() == Some(&format!("turn {}", last.0 - 1)));
    assert!(past.request.is_some_and(|request| request.layers.total().0 > 0));
    let beyond = look_back(&mut life.bench, Turn(last.0 + 1)).await.unwrap_err();
    assert!(beyond.contains("has not been yet"), "{beyond}");
    life.bench.close().await;
}

#[tokio::test]
async fn before_a_turn_has_ended_there_is_nothing_to_look_back_at() {
    let dir = tempfile::tempdir().unwrap();
    let mut fresh = Witness::open(dir.path(), &Settings::default());
    for turn in [0, 3] {
        let why = look_back(&mut fresh.bench, Turn(turn)).await.unwrap_err();
        assert_eq!(why, "There is nothing to look back at yet: no turn has ended.");
    }
    fresh.bench.close().await;
}

#[tokio::test]
async fn what_gave_way_is_seen_as_it_was_sent() {
    for mode in ["auto", "ask"] {
        let dir = tempfile::tempdir().unwrap();
        let settings = with(&[
            ("summary_eviction_threshold", "30"),
            ("token_budget", "3600"),
            ("soft_percent", "55"),
            ("budget_mode", mode),
        ]);
        let mut life = live(dir.path(), &settings).await;
        for nth in 0..6 {
            life.chat(&format!("part {nth}: {}", "words that fill the window ".repeat(30))).await;
        }
        life.assert_all_as_they_were().await;
        let journal = fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
        assert!(journal.contains("\"forms\":{"), "the budget was too large to show anything");
        assert!(mode == "auto" || journal.contains("\"waiting\":["), "nothing waited");
        life.bench.close().await;
    }
}

#[tokio::test]
async fn details_beside_the_summaries_are_seen_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("specifics_in_window_tokens", "60")]);
    let mut life = Witness::open(dir.path(), &settings);
    for name in ["pumps", "valves"] {
        let open = vec![call("open_effort", json!({ "name": name })), text("Opened.")];
        life.say(&format!("let's look at the {name}"), open, "").await;
        let details = format!("the {name} are in plant/{name}.csv, at 4.2 bar until 14 March, ");
        life.chat(&details.repeat(8)).await;
        let close = vec![call("close_effort", json!({})), text("Closed.")];
        life.say("done", close, &format!("All {name} were looked at.")).await;
    }
    life.chat("and the pumps?").await;
    life.assert_all_as_they_were().await;
    let sent: String = life
        .seen
        .iter()
        .filter_map(|seen| seen.2.block_text())
        .map(|text| text.to_string())
        .collect();
    assert!(sent.contains("* pumps also holds: plant/pumps.csv; 4.2 bar; 14 March"), "{sent}");
    life.bench.close().await;
}

#[tokio::test]
async fn compressed_logs_are_seen_as_they_were_sent() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("token_budget", "4200"), ("soft_percent", "60")]);
    let mut life = Witness::open(dir.path(), &settings);
    life.bench.compressions = vec!["The words went on.".to_owned(); 40];
    let open = vec![call("open_effort", json!({ "name": "long-work" })), text("Opened.")];
    life.say("let's do the long work", open, "").await;
    for nth in 0..10 {
        let part = format!("part {nth}: {}", "words that fill the window ".repeat(40));
        life.chat(&part).await;
        if nth == 6 {
            life = life.reopen(dir.path(), &settings).await;
        }
    }
    life.assert_all_as_they_were().await;
    let compressed = |one: &(Turn, Arc<MemoryView>, Arc<Window>)| one.1.open[0].compressed > 0;
    assert!(life.seen.iter().any(compressed), "nothing was compressed");
    life.bench.close().await;
}

#[tokio::test]
async fn kept_states_may_be_deleted_or_broken_and_the_past_is_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("summary_eviction_threshold", "6")]);
    let mut life = live(dir.path(), &settings).await;
    for nth in 0..250 {
        life.chat(&format!("and {nth}")).await;
    }
    let mut life = life.reopen(dir.path(), &settings).await;
    let last = life.seen.len();
    life.seen = [&life.seen[250..260], &life.seen[last - 3..]].concat();
    life.assert_all_as_they_were().await;
    let kept = dir.path().join("history");
    let names = || fs::read_dir(&kept).unwrap().count();
    assert_eq!(names(), 1, "one for each 256 turns");
    fs::remove_file(kept.join("256.json")).unwrap();
    let reader = ebbtide::store::look(dir.path(), 10).unwrap().reader;
    assert!(reader.moment(Turn(258), &[]).unwrap().is_some());
    assert_eq!(names(), 0, "who only looks writes nothing");
    life.assert_all_as_they_were().await;
    assert_eq!(names(), 1, "made anew");
    fs::write(kept.join("256.json"), "{\"turn\": 256, \"state\"").unwrap();
    life.assert_all_as_they_were().await;
    // A state of another journal is not believed.
    let strange = fs::read_to_string(kept.join("256.json")).unwrap();
    fs::write(kept.join("256.json"), strange.replacen("\"seq\":", "\"seq\":1", 1)).unwrap();
    life.assert_all_as_they_were().await;
    life.bench.close().await;
}

fn effort(id: &str, command: EffortCommand) -> Op {
    Op::Effort { id: id.into(), command }
}

/// What an undo or a redo says.
async fn said(bench: &mut Bench, op: Op) -> String {
    bench.command(op).await.1
}

#[tokio::test]
async fn undo_and_redo_walk_through_what_memory_did_across_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("summary_eviction_threshold", "3")]);
    let mut life = Witness::open(dir.path(), &settings);
    let open = vec![call("open_effort", json!({ "name": "bread" })), text("Opened.")];
    life.say("let's bake", open, "").await;
    life.chat(&"the dough was sticky ".repeat(40)).await;
    let close = vec![call("close_effort", json!({})), text("Closed.")];
    life.say("done", close, "Baked rye at 230 degrees.").await;
    for _ in 0..3 {
        life.chat("hm").await;
    }
    assert_eq!(life.seen.last().unwrap().1.manifest.evicted, 1);
    let mut life = life.reopen(dir.path(), &settings).await;
    let bench = &mut life.bench;
    let evicted = "Evicted summary: bread (not mentioned for 3 turns)";
    assert_eq!(said(bench, Op::Undo).await, format!("Undone: {evicted}."));
    assert_eq!(said(bench, Op::Undo).await, "Undone: Concluded effort: bread.");
    assert_eq!(said(bench, Op::Undo).await, "There is no change of memory to undo.");
    assert_eq!(said(bench, Op::Redo).await, "Redone: Concluded effort: bread.");
    assert_eq!(said(bench, Op::Redo).await, "Redone: Evicted summary: bread (redone).");
    let nothing = said(bench, Op::Redo).await;
    assert!(nothing.starts_with("There is nothing to redo"), "{nothing}");
    said(bench, Op::Undo).await;
    assert!(bench.command(effort("bread", EffortCommand::Pin)).await.0);
    let nothing = said(bench, Op::Redo).await;
    assert!(nothing.starts_with("There is nothing to redo"), "memory changed: {nothing}");
    let edit = effort("bread", EffortCommand::Edit("Rye, 230 degrees.".into()));
    assert!(bench.command(edit).await.0);
    assert_eq!(said(bench, Op::Undo).await, "Undone: New summary: bread (worded by hand).");
    assert_eq!(said(bench, Op::Undo).await, "Undone: Pinned effort: bread.");
    let mut life = life.reopen(dir.path(), &settings).await;
    life.chat("hello again").await;
    let bread = &life.seen.last().unwrap().1.warm[0];
    assert_eq!(
        (bread.summary.as_deref(), bread.pinned),
        (Some("Baked rye at 230 degrees."), false)
    );
    life.assert_all_as_they_were().await;
    life.bench.close().await;
}

#[tokio::test]
async fn undo_refuses_what_would_lose_words_and_passes_over_what_is_undone_already() {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings::default();
    let mut life = Witness::open(dir.path(), &settings);
    let open = vec![call("open_effort", json!({ "name": "bread" })), text("Opened.")];
    life.say("let's bake", open, "").await;
    life.chat(&"the dough was sticky ".repeat(40)).await;
    let close = vec![call("close_effort", json!({})), text("Closed.")];
    life.say("done", close, "Baked rye at 230 degrees.").await;
    life.command(Call::ExpandEffort { id: "bread".into(), messages: None }).await;
    // A restart ends an expansion, which is a change as others are.
    let mut life = life.reopen(dir.path(), &settings).await;
    let ended = "Auto-collapsed effort: bread (an expansion ends when its session is closed)";
    for undone in [ended, "Expanded effort: bread", "Concluded effort: bread"] {
        assert_eq!(said(&mut life.bench, Op::Undo).await, format!("Undone: {undone}."));
    }
    said(&mut life.bench, Op::Redo).await;
    life.command(Call::ReopenEffort { id: "bread".into() }).await;
    life.chat("and the crust?").await;
    let (ok, why) = life.bench.command(Op::Undo).await;
    assert!(!ok && why.contains("was worked on since"), "{why}");
    life.bench.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_expansion_after_an_eviction_gives_back_what_was_said_to_the_byte(
        said in prop::collection::vec(("\\PC{1,60}|[a-z\n\t\"\\\\{}]{1,60}", ".{0,40}"), 1..6),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut session = Session::open(dir.path());
        session.turn("open", "opened", &[Command::Open("topic")]);
        for (user, reply) in &said {
            session.turn(user, reply, &[]);
        }
        let padding = "many words to be summarised ".repeat(12);
        session.turn(&padding, "closed", &[Command::Close("topic", "Settled.")]);
        session.close();
        let mut session = Session::open(dir.path());
        for _ in 0..25 {
            session.turn("zzz", "hm", &[]);
        }
        let id = EffortId::stored("topic");
        let evicted = |session: &Session| {
            let effort = session.memory.effort(&id).unwrap();
            session.memory.tier(effort) == ebbtide::memory::Tier::Evicted && effort.raw().is_empty()
        };
        prop_assert!(evicted(&session), "it left the window");
        session.run(&Command::Expand("topic"), None);
        let raw: Vec<&str> = session.memory.effort(&id).unwrap().raw().iter().map(|m| &*m.content).collect();
        let mut expected = vec!["open", "opened"];
        expected.extend(said.iter().flat_map(|(user, reply)| [user.as_str(), reply.as_str()]));
        expected.extend([padding.as_str(), "closed"]);
        prop_assert_eq!(raw, expected);
    }
}

#[tokio::test]
async fn what_was_done_between_turns_belongs_to_no_turn_of_the_transcript() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    for (name, words) in [("tea", "green leaves "), ("bread", "sour dough ")] {
        let open = vec![call("open_effort", json!({ "name": name })), text("Opened.")];
        bench.turn(&format!("the {name}: {}", words.repeat(40)), open, "").await;
    }
    let (ok, said) = bench.command(Op::Run(Call::SwitchEffort { id: "tea".into() })).await;
    assert!(ok, "{said}");
    bench.turn("how hot", vec![text("Seventy degrees.")], "").await;
    bench.close().await;
    let mut bench = Bench::open(dir.path());
    let entries = loop {
        if let Notice::Opened { transcript, .. } = bench.notices.recv().await.unwrap() {
            break transcript;
        }
    };
    let told = entries.iter().filter(|entry| entry.kind != TranscriptKind::Assistant);
    let told: Vec<_> = told
        .map(|entry| {
            (entry.text.chars().take(12).collect::<String>(), entry.turn.map(|turn| turn.0))
        })
        .collect();
    let expected = [
        ("the tea: gre", Some(1)),
        ("--- Started ", Some(1)),
        ("the bread: s", Some(2)),
        ("--- Started ", Some(2)),
        ("--- Switched", None),
        ("how hot", Some(3)),
    ];
    assert_eq!(told, expected.map(|(text, turn)| (text.to_owned(), turn)));
    bench.close().await;
}

#[tokio::test]
async fn a_turn_tells_which_model_answered_and_what_it_took_also_before_a_session_was_opened_again()
{
    let dir = tempfile::tempdir().unwrap();
    for (nth, window) in ["32000", "128000"].into_iter().enumerate() {
        let mut bench = Bench::with(dir.path(), with(&[("context_window", window)]), None);
        bench.turn = nth as u64;
        bench.turn("hello", vec![text("hi")], "").await;
        // Opened again and looked at before another turn.
        bench.close().await;
        let mut bench = Bench::with(dir.path(), with(&[("context_window", "64000")]), None);
        for turn in 0..=nth {
            let past = look_back(&mut bench, Turn(turn as u64 + 1)).await.unwrap();
            let told = past.model.as_ref().expect("the journal tells");
            assert!(!told.name.is_empty());
            assert_eq!(told.context_window, Some([32_000, 128_000][turn]));
        }
        bench.close().await;
    }
}

#[tokio::test]
async fn the_course_tells_of_each_turn_what_the_window_held_and_what_memory_did() {
    let dir = tempfile::tempdir().unwrap();
    let mut witness = Witness::open(dir.path(), &Settings::default());
    witness.chat("good morning").await;
    let open =
        vec![call("open_effort", json!({"name": "tea"})), text("opened, at length and with care")];
    witness.say("let's talk about tea", open, "").await;
    let close = vec![call("close_effort", json!({})), text("done")];
    witness.say("done with tea", close, "Green tea.").await;
    witness.bench.handle.send(Op::Course);
    let course = loop {
        if let Notice::Course(course) = witness.bench.notices.recv().await.unwrap() {
            break course;
        }
    };
    assert_eq!(course.turns.len(), witness.seen.len());
    for (told, (turn, memory, _)) in course.turns.iter().zip(&witness.seen) {
        assert_eq!(
            (told.turn, told.layers, told.full),
            (*turn, memory.layers, memory.full_history.tokens)
        );
    }
    let happened: Vec<_> =
        course.happened.iter().map(|one| (one.turn.0, one.kind, one.id.as_str())).collect();
    let expected = [(2, ChangeKind::EffortOpened, "tea"), (3, ChangeKind::EffortConcluded, "tea")];
    assert_eq!(happened, expected);
    witness.bench.close().await;
}
