//! Recall and search through the driver: what was ever said is at hand when it is asked for.

mod forms;
mod settled;
mod worded;

use std::path::Path;

use ebbtide::config::{Settings, Source};
use ebbtide::memory::{CountTokens, Layer, Role, Status, Tokens, Turn};
use ebbtide::orchestrator::{Notice, Op, TurnReport};
use ebbtide::store::{Setup, SetupEffort, create};
use ebbtide::tokens::Cl100k;
use ebbtide::tools::Call;
use serde_json::json;

use super::support::driver::{Bench, call, text};

/// Two efforts that left the window long ago.
pub(super) fn session(directory: &Path) {
    let effort = |id: &str, summary: &str, said: [&str; 2]| {
        let message =
            |(role, text): (Role, &str)| (role, text.to_owned(), "2026-01-07T10:00:00".to_owned());
        SetupEffort {
            id: id.to_owned(),
            status: Status::Concluded,
            summary: Some(summary.to_owned()),
            tags: Vec::new(),
            last_referenced_turn: Some(Turn(0)),
            messages: [Role::User, Role::Assistant].into_iter().zip(said).map(message).collect(),
        }
    };
    let clock = [
        "Node three is 94 seconds behind, chrony was off.",
        "Enable chrony and set a leeway of 120 seconds.",
    ];
    let dough = ["The dough is too wet.", "Use 650 g of water for a kilo of flour."];
    let efforts = vec![
        effort("auth-bug", "Fixed random logouts.", clock),
        effort("bread", "Baked a loaf.", dough),
    ];
    create(directory, &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
}

async fn say(bench: &mut Bench, message: &str) -> TurnReport {
    bench.turn = 30.max(bench.turn);
    bench.turn(message, vec![text("I see.")], "").await
}

fn recalled(report: &TurnReport) -> Vec<&str> {
    report.given.recalled.iter().map(|one| &*one.id).collect()
}

pub(super) const QUESTION: &str = "By how many seconds was node three behind?";

#[tokio::test]
async fn a_message_finds_what_it_needs_in_its_first_request_and_the_next_one_does_not() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let report = say(&mut bench, QUESTION).await;
    assert_eq!(recalled(&report)[0], "auth-bug");
    let best = &report.given.recalled[0];
    assert!(best.text.contains("94 seconds") && best.day == "2026-01-07", "{best:?}");
    assert!(best.cause.contains("'node'"), "{best:?}");
    assert!(report.sent.of(Layer::Recalled) > Tokens(0));
    assert_eq!(report.memory.layers.of(Layer::Recalled), Tokens(0), "it leaves with the turn");
    let warm: Vec<&str> = report.memory.warm.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(warm, ["auth-bug"], "it counts as mentioned");
    for small_talk in ["Thanks, that helps a lot!", "hm"] {
        assert!(recalled(&say(&mut bench, small_talk).await).is_empty(), "{small_talk}");
    }
    let again = say(&mut bench, QUESTION).await;
    assert!(!recalled(&again).contains(&"ambient"), "what the window holds is not recalled");
    bench.close().await;
}

#[tokio::test]
async fn a_question_that_goes_on_recalls_what_the_exchange_before_it_is_about() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    assert!(recalled(&say(&mut bench, "And why?").await).is_empty(), "nothing was said before");
    say(&mut bench, QUESTION).await;
    let report = say(&mut bench, "And why?").await;
    let best = &report.given.recalled[0];
    assert!(&*best.id == "auth-bug" && best.text.contains("chrony was off"), "{best:?}");
    say(&mut bench, "Thanks, that helps a lot!").await;
    assert!(recalled(&say(&mut bench, "And you?").await).is_empty());
    say(&mut bench, QUESTION).await;
    let why = say(&mut bench, "Why?").await;
    assert_eq!(
        why.given.recalled[0].cause, "the question before",
        "by itself it calls for nothing"
    );
    say(&mut bench, QUESTION).await;
    bench.close().await;
    // What was said before is known when the session is opened again.
    let mut bench = Bench::open(dir.path());
    assert_eq!(recalled(&say(&mut bench, "And what did we set?").await)[0], "auth-bug");
    bench.close().await;
}

#[tokio::test]
async fn small_numbers_by_themselves_recall_nothing() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    say(&mut bench, "Rest it seven hours at 3 degrees, 44 minutes in the oven, 12 of them.").await;
    for log in ["12:07:44 3 of 7 failed", "Was it 3, 7, 12 or 44?", "3 7\n12 44\n44 7 3?"] {
        assert!(recalled(&say(&mut bench, log).await).is_empty(), "{log}");
    }
    assert!(!recalled(&say(&mut bench, "Was node 3 late, by 94 seconds?").await).is_empty());
    bench.close().await;
}

#[tokio::test]
async fn little_is_recalled_for_a_statement_and_nothing_where_the_active_log_answers() {
    let matter = "chrony on node three was 94 seconds behind its leeway, as wet dough with flour";
    for (message, most) in
        [(format!("It seems {matter}."), 3), (format!("Was it that {matter}?"), 9)]
    {
        let dir = tempfile::tempdir().unwrap();
        session(dir.path());
        let mut bench = Bench::open(dir.path());
        let report = say(&mut bench, &message).await;
        let count = recalled(&report).len();
        assert!((1..=most).contains(&count), "{message}: {:?}", recalled(&report));
        bench.close().await;
    }
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "lighthouse-lens"})), text("Noted.")];
    bench.turn("The Fresnel lens of the lighthouse has 94 prisms.", open, "").await;
    let asked =
        say(&mut bench, "Did the Fresnel lens have 94 prisms, seconds behind the first look?")
            .await;
    assert!(recalled(&asked).is_empty(), "{:?}", recalled(&asked));
    bench.close().await;
}

#[tokio::test]
async fn what_the_log_holds_outside_the_window_is_recalled_though_as_good_a_match_is_in_it() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut settings = Settings::default();
    settings.set("token_budget", "3000", Source::Flag("--set")).unwrap();
    let mut bench = Bench::with(dir.path(), settings, None);
    let open = vec![call("open_effort", json!({"name": "old-boat"})), text("Noted.")];
    let first = "No sanding in the shed, says Dirk: the paint on the hull has tin in it.";
    bench.turn(first, open, "").await;
    for day in 0..12 {
        let talk =
            format!("{day} {}", "We looked at the mast and had our tea by the water. ".repeat(18));
        say(&mut bench, &talk).await;
    }
    say(&mut bench, "Sanding outside the shed today, my arms hurt.").await;
    let report = say(&mut bench, "Why was there no sanding in the shed?").await;
    let texts: Vec<&str> = report.given.recalled.iter().map(|one| &*one.text).collect();
    assert!(texts.iter().any(|text| text.contains("tin")), "{texts:?}");
    bench.close().await;
}

#[tokio::test]
async fn what_somebody_is_going_to_do_recalls_what_speaks_against_it_within_an_effort_too() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "lighthouse-lens"})), text("Noted.")];
    bench.turn("The Fresnel lens of the lighthouse has 94 prisms.", open, "").await;
    let plan = "On Friday I'll switch chrony off while we take the lens out, so that nobody is woken at night.";
    let best = &say(&mut bench, plan).await.given.recalled[0];
    assert!(best.text.contains("chrony was off"), "{best:?}");
    let nothing = say(&mut bench, "It rains, and we all go to bed early today.").await;
    assert!(recalled(&nothing).is_empty(), "{:?}", recalled(&nothing));
    bench.close().await;
}

#[tokio::test]
async fn nothing_is_recalled_under_the_seeds_or_without_tokens_for_it() {
    for (key, value) in [("seeds", "true"), ("recall_tokens", "0")] {
        let dir = tempfile::tempdir().unwrap();
        session(dir.path());
        let mut settings = Settings::default();
        settings.set(key, value, Source::Flag("--set")).unwrap();
        let mut bench = Bench::with(dir.path(), settings, None);
        assert!(recalled(&say(&mut bench, QUESTION).await).is_empty(), "{key}");
        bench.close().await;
    }
}

#[tokio::test]
async fn what_was_said_a_turn_ago_is_found_and_so_it_is_after_a_restart_with_a_broken_index() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    say(&mut bench, "My sister bought a Dobsonian telescope.").await;
    let search = || {
        let query = "Dobsonian".to_owned();
        Op::Run(Call::SearchEfforts { query, all: false, page: 1 })
    };
    let (_, found) = bench.command(search()).await;
    assert!(found.starts_with("ambient (ambient"), "{found}");
    bench.close().await;
    for break_it in
        [&(|index: &Path| std::fs::remove_dir_all(index).unwrap()) as &dyn Fn(&Path), &|index| {
            std::fs::write(index.join("said.log"), "no index").unwrap();
        }]
    {
        break_it(&dir.path().join("index"));
        let mut bench = Bench::open(dir.path());
        let (_, found) = bench.command(search()).await;
        assert!(found.starts_with("ambient (ambient"), "{found}");
        bench.close().await;
    }
}

#[tokio::test]
async fn a_search_names_places_within_its_limit_and_some_messages_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    bench.turn = 30;
    let long = "the clock of chrony drifts again and again. ".repeat(60);
    for _ in 0..4 {
        say(&mut bench, &long).await;
    }
    let search = vec![call("search_efforts", json!({"query": "chrony leeway"})), text("there")];
    let report = bench.turn("and?", search, "").await;
    let result = &report.calls[0].result;
    assert!(Cl100k::lazy().count(&result.to_string()) <= Tokens(900), "{result}");
    let best = &result["results"][0];
    assert_eq!(
        (&best["id"], &best["passages"][0]["messages"]),
        (&json!("auth-bug"), &json!("1-2"))
    );
    let read = json!({"id": "auth-bug", "messages": "2-9"});
    let report = bench.turn("so?", vec![call("expand_effort", read), text("that")], "").await;
    let result = &report.calls[0].result;
    assert_eq!(result["text"], "assistant: Enable chrony and set a leeway of 120 seconds.");
    assert!(report.memory.expanded.is_empty(), "its log stays out of the window");
    for nonsense in ["the of and", "zxqw", "你好"] {
        let search = Op::Run(Call::SearchEfforts { query: nonsense.into(), all: false, page: 1 });
        let (_, found) = bench.command(search).await;
        assert_eq!(found, "Nothing matches; try other words.", "{nonsense}");
    }
    bench.close().await;
}

#[tokio::test]
async fn a_second_process_searches_what_the_first_one_says() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    say(&mut bench, "My sister bought a Dobsonian telescope.").await;
    let counter = std::sync::Arc::new(Cl100k::lazy());
    let other = ebbtide::orchestrator::inspect(dir.path(), &Settings::default(), counter).unwrap();
    let found = other.search("Dobsonian", 5);
    assert_eq!((&*found[0].id, found[0].passages[0].turn), ("ambient", Some(31)));
    say(&mut bench, "She calls it Saturn.").await;
    let query = "Saturn".to_owned();
    let search = Op::Run(Call::SearchEfforts { query, all: false, page: 1 });
    assert!(bench.command(search).await.1.starts_with("ambient"));
    bench.close().await;
    let mut bench = Bench::open(dir.path());
    bench.handle.send(Op::Shutdown);
    while let Some(notice) = bench.notices.recv().await {
        assert!(!matches!(&notice, Notice::Info(text) if text.contains("index")), "{notice:?}");
    }
}

#[tokio::test]
async fn the_cause_names_words_of_the_message_and_none_that_only_mean_the_same() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let mut bench = Bench::open(dir.path());
    let message = "How much water does it take for our sourdough?";
    let report = say(&mut bench, message).await;
    let bread = report.given.recalled.iter().filter(|one| &*one.id == "bread");
    let causes: Vec<&str> = bread.map(|one| &*one.cause).collect();
    assert!(causes.iter().any(|cause| cause.contains("'sourdough'")), "{causes:?}");
    let said: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).collect();
    for named in causes.iter().flat_map(|cause| cause.split('\'').skip(1).step_by(2)) {
        assert!(said.contains(&named), "{named}: {causes:?}");
    }
    bench.close().await;
}

/// A paste of long ago, as a log holds it: a label of the program's over a part of what was said.
fn session_with_paste(directory: &Path) {
    let pasted = "[Full input saved as ref:input: The heron, 3 KB, 2 chunks. Below are its beginning, a part of \
                  its middle and its end; scratchpad_read_chunk and scratchpad_search give the rest.]\n\
                  The heron nests above the sluice, on the alder.";
    let said = [(Role::User, pasted), (Role::Assistant, "Noted.")];
    let at = "2026-01-07T10:00:00".to_owned();
    let effort = SetupEffort {
        id: "birds".to_owned(),
        status: Status::Concluded,
        summary: Some("What was seen.".to_owned()),
        tags: Vec::new(),
        last_referenced_turn: Some(Turn(0)),
        messages: said.map(|(role, text)| (role, text.to_owned(), at.clone())).into(),
    };
    create(directory, &Setup { turn: Turn(30), efforts: vec![effort], ..Setup::default() })
        .unwrap();
}

#[tokio::test]
async fn the_label_of_a_text_that_is_held_by_reference_is_nobodys_words() {
    let dir = tempfile::tempdir().unwrap();
    session_with_paste(dir.path());
    let mut bench = Bench::open(dir.path());
    for of_label in
        ["What did I say of the input that I saved in chunks?", "Where is my scratchpad?"]
    {
        let report = say(&mut bench, of_label).await;
        assert!(recalled(&report).is_empty(), "{:?}", report.given.recalled);
    }
    let report = say(&mut bench, "Where does our heron nest?").await;
    let best = &report.given.recalled[0];
    assert!(best.text.starts_with("user: The heron nests above the sluice"), "{best:?}");
    let label = "[Full input saved as ref:input-2: Gravel, 3 KB. Below is its heron.]\nGravel?";
    let report = say(&mut bench, label).await;
    assert!(recalled(&report).is_empty(), "{:?}", report.given.recalled);
    bench.close().await;
}
