//! What is shown adds up, whatever happened, and follows each change at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ebbtide::memory::{
    Exchange, Frame, ItemView, Layer, Memory, MemoryView, Role, Rules, Salience, ScratchItem,
    Source, Tier, Tokens, Window,
};
use ebbtide::orchestrator::{Measured, Notice, Op, TurnReport};
use ebbtide::tui::panel::PanelState;
use ebbtide::tui::rows;
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view::gauge::Gauge;
use ebbtide::tui::view::panel;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

use super::support::driver::{Bench, call, text};
use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};
use super::support::session::Words;

type Logs = BTreeMap<String, Vec<(Role, Arc<str>)>>;

/// One thing that may happen in a session; efforts are named by a number.
#[derive(Debug, Clone)]
enum Step {
    Open(u8),
    Close(usize),
    Expand(u8),
    Collapse(u8),
    Reopen(u8),
    Switch(u8),
    Pin(u8),
    Remember(usize),
    Keep(bool),
    Say(u8, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let id = 0..6_u8;
    prop_oneof![
        3 => id.clone().prop_map(Step::Open),
        3 => (1..12_usize).prop_map(Step::Close),
        2 => id.clone().prop_map(Step::Expand),
        1 => id.clone().prop_map(Step::Collapse),
        1 => id.clone().prop_map(Step::Reopen),
        1 => id.clone().prop_map(Step::Switch),
        1 => id.clone().prop_map(Step::Pin),
        1 => (1..9_usize).prop_map(Step::Remember),
        1 => any::<bool>().prop_map(Step::Keep),
        6 => (id, 1..60_usize).prop_map(|(id, words)| Step::Say(id, words)),
    ]
}

fn name(id: u8) -> String {
    format!("topic{id}")
}

fn long(word: &str, count: usize) -> String {
    let words: Vec<String> = (0..count).map(|nth| format!("{word}{nth}")).collect();
    words.join(" ")
}

/// Does a step; what makes no sense now is refused, as in the program.
fn take(memory: &mut Memory, logs: &mut Logs, step: &Step) {
    let log_of = |id: u8| logs.get(&name(id)).cloned().unwrap_or_default();
    match step {
        Step::Open(id) => drop(memory.open(&name(*id))),
        Step::Close(words) => {
            let Ok(source) = memory.close_source(None, None) else { return };
            if memory.conclude(&source, &long("sum", *words)).is_ok() {
                let specifics = ["port 8080".to_owned(), "15 minutes".to_owned()];
                memory.set_specifics(&source.id, &specifics);
            }
        }
        Step::Expand(id) => drop(memory.expand(&name(*id), log_of(*id))),
        Step::Collapse(id) => drop(memory.collapse(&name(*id))),
        Step::Reopen(id) => drop(memory.reopen(&name(*id), log_of(*id))),
        Step::Switch(id) => drop(memory.switch(&name(*id))),
        Step::Pin(id) => drop(memory.pin(&name(*id))),
        Step::Remember(words) => {
            let salience = Salience::new(2).expect("two stars");
            drop(memory.remember(&long("note", *words), &[], salience));
        }
        Step::Keep(archive) => {
            let nth = memory.scratchpad().len();
            let key = if *archive { format!("archive-{nth}") } else { format!("text-{nth}") };
            let (description, tokens) = (Arc::from("a long text"), Tokens(9_000));
            let (bytes, lines, chunks) = (40_000, 700, 18);
            let key = key.into();
            drop(memory.scratchpad_saved(ScratchItem {
                key,
                description,
                bytes,
                lines,
                chunks,
                tokens,
                exact: true,
            }));
        }
        Step::Say(id, words) => {
            memory.begin_turn();
            let user = format!("about topic{id} {}", long("word", *words));
            let exchange = Exchange { user: user.into(), assistant: long("reply", *words).into() };
            if let Some(id) = memory.log_of_turn() {
                let log = logs.entry(id.to_string()).or_default();
                log.push((Role::User, Arc::clone(&exchange.user)));
                log.push((Role::Assistant, Arc::clone(&exchange.assistant)));
            }
            memory.end_turn(&exchange);
        }
    }
}

/// What the rows of the panel add up to.
fn sum_of_rows(view: &MemoryView) -> Tokens {
    rows::rows(view).iter().filter_map(|row| row.tokens(view)).sum()
}

fn from(window: &Window, source: &Source) -> Tokens {
    window.items.iter().filter(|item| item.source == *source).map(|item| item.tokens).sum()
}

fn gauge_says(view: &MemoryView, request: Option<&Measured>) -> String {
    let area = Rect::new(0, 0, 120, 2);
    let mut buffer = Buffer::empty(area);
    let theme = Theme::detect(true, ThemeChoice::Dark, None);
    let gauge = Gauge { view, request, model_window: None, peak: 0, flow: None, theme: &theme };
    gauge.render(area, &mut buffer);
    buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

fn panel_says(view: &MemoryView) -> String {
    let area = Rect::new(0, 0, 60, 300);
    let mut buffer = Buffer::empty(area);
    let theme = Theme::detect(true, ThemeChoice::Dark, None);
    panel::render(view, &mut PanelState::default(), false, &theme, area, &mut buffer);
    buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

fn grouped(tokens: Tokens) -> String {
    ebbtide::counted::grouped(tokens.0)
}

/// Each row shows what the window holds of it, and together they are the total that panel and gauge show.
fn check(view: &MemoryView, window: &Window, exchanged: Tokens) -> Result<(), TestCaseError> {
    let total = view.layers.total();
    prop_assert_eq!(window.layers.total() + exchanged, total);
    prop_assert_eq!(sum_of_rows(view), total);
    let of_effort = |item: &ItemView| {
        let id = item.id.clone();
        match item.state {
            Tier::Active | Tier::Open => Source::Open(id),
            Tier::Expanded => Source::Expanded(id),
            Tier::Warm | Tier::Evicted => Source::Summary(id),
        }
    };
    for item in view.open.iter().chain(&view.expanded).chain(&view.warm) {
        prop_assert_eq!(item.tokens, from(window, &of_effort(item)), "{}", item.id);
    }
    for note in &view.notes.session {
        prop_assert_eq!(note.tokens, from(window, &Source::Note(note.note.id)));
    }
    prop_assert_eq!(view.ambient_tokens, from(window, &Source::Ambient));
    let message = from(window, &Source::NewMessage);
    prop_assert_eq!(view.under_way, message + exchanged);
    for (layer, tokens) in view.layers.iter().filter(|(layer, _)| *layer == Layer::Summaries) {
        let sent = view.warm.iter().any(|item| item.tokens > Tokens(0));
        prop_assert_eq!(tokens > Tokens(0), sent, "{} without a summary", layer.as_str());
    }
    let gauge = gauge_says(view, None);
    prop_assert!(gauge.contains(&format!("~{} of", grouped(total))), "{}", gauge);
    let panel = panel_says(view);
    prop_assert!(panel.contains(&format!("next ~{} tokens", grouped(total))), "{}", panel);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_rows_of_the_panel_add_up_to_what_panel_and_gauge_show(
        steps in prop::collection::vec(step(), 1..50),
        budget in prop_oneof![120..400_u64, Just(16_000)],
        specifics in prop_oneof![Just(0_u64), Just(30)],
        said in 1..200_usize,
        exchanged in 0..60_u64,
    ) {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let rules = Rules {
            token_budget: Tokens(budget),
            specifics_in_window: Tokens(specifics),
            ..Rules::default()
        };
        let mut memory = Memory::new(rules, frame, Arc::new(Words));
        let mut logs = Logs::new();
        for step in &steps {
            take(&mut memory, &mut logs, step);
            check(&memory.view(), &memory.window(), Tokens(0))?;
        }
        let message = long("new", said);
        let exchanged = Tokens(exchanged).min(memory.room_for_tools(&message));
        let within = memory.view_within(&message, exchanged);
        check(&within, &memory.window_with(&message, exchanged), exchanged)?;
    }
}

/// Everything that was told until the turn ended.
async fn told(bench: &mut Bench) -> (Vec<Notice>, TurnReport) {
    let mut told = Vec::new();
    loop {
        match bench.notices.recv().await.expect("the driver lives") {
            Notice::TurnEnded(report) => return (told, *report),
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            notice => told.push(notice),
        }
    }
}

#[tokio::test]
async fn memory_is_told_at_each_change_within_a_turn_and_equals_each_request() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "tea"})), text("opened")];
    bench.turn(&format!("let's talk about tea {}", long("leaf", 60)), open, "").await;
    let answers = vec![
        call("remember", json!({"content": "the pot holds a litre"})),
        call("close_effort", json!({})),
        call("open_effort", json!({"name": "bread"})),
        text("done"),
    ];
    bench.script.set_turn(2, answers, vec!["Green tea at 70 degrees.".into()], Vec::new());
    bench.handle.send(Op::Send("note the pot, done with tea, now bread".into()));
    let (told, report) = told(&mut bench).await;
    let mut shown: Option<&MemoryView> = None;
    let mut requests = Vec::new();
    for (nth, notice) in told.iter().enumerate() {
        let next = told[nth + 1..].iter().find_map(|notice| match notice {
            Notice::Memory(view) => Some(view),
            _ => None,
        });
        match notice {
            Notice::Memory(view) => {
                assert_eq!(sum_of_rows(view), view.layers.total());
                shown = Some(view);
            }
            Notice::RequestSent { round, layers } => {
                requests.push(layers.total());
                let view = next.expect("memory is told with the request");
                // A later request may keep the memory block of an earlier one.
                let is_same = |view: &MemoryView| {
                    let parts = view.layers.iter().zip(layers.iter());
                    parts
                        .filter(|((layer, _), _)| *round == 1 || *layer < Layer::Summaries)
                        .all(|(a, b)| a == b)
                };
                assert!(is_same(view), "request {round} is what the panel shows");
                if *round > 1 {
                    let before = shown.expect("memory was told before");
                    assert!(is_same(before), "the panel told what request {round} would be");
                }
            }
            Notice::Changed(change) if change.effort().is_some_and(|id| id.as_str() == "tea") => {
                let mut open = next.expect("memory follows").open.iter();
                let is_open = open.any(|one| Some(&one.id) == change.effort());
                assert!(!is_open, "the panel shows tea as open after {:?}", change.kind);
            }
            _ => {}
        }
    }
    assert_eq!(requests.len(), 4);
    assert_eq!(report.in_all, requests.iter().copied().sum(), "what the turn sent");
    assert_eq!(report.memory.open[0].id.as_str(), "bread");
    assert_eq!(report.memory.under_way, Tokens(0));
    bench.close().await;
}

#[test]
fn the_panel_follows_a_conclusion_while_the_turn_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::replying([
        Reply::calls(&[("open_effort", json!({"name": "tea"}))]),
        Reply::text("Opened."),
        Reply::calls(&[("close_effort", json!({}))]),
        Reply::text("Green tea at 70 degrees."),
        Reply::text("All done.").after(Duration::from_secs(600)),
    ]);
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let size = (120, 36);
    let mut terminal = Terminal::start(&Start { args: &args, home: home.path(), size, env: &[] });
    terminal.wait_for("· ready");
    // Of a shorter log nobody is asked for a summary.
    let kinds = "green tea, black tea, white tea, the water for each of them, ".repeat(4);
    terminal.send_line(&format!("let's talk about tea, {kinds}and pots"));
    terminal.wait_for("turn 1 · ready");
    terminal.wait_for("● tea");
    terminal.send_line("done with tea");
    terminal.wait_for("Concluded effort: tea");
    // The last request is not answered: all of this is within the turn.
    let screen = terminal.wait_for("▪ tea");
    assert!(screen.contains("waiting") && screen.contains("1 concluded, 0 evicted"), "{screen}");
    assert!(!screen.contains(" active "), "{screen}");
    let screen = terminal.wait_until("panel and gauge to agree", |screen| {
        let number = |before: &str| {
            let rest = &screen[screen.rfind(before)? + before.len()..];
            rest.split_whitespace().next().map(str::to_owned)
        };
        number("last ~").is_some() && number("next ~") == number("last ~")
    });
    assert!(screen.contains("▸ this turn"), "{screen}");
}
