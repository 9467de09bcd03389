//! The bill as a person sees it, on a drawn screen and in the built program on a pseudo-terminal.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyModifiers};
use ebbtide::bill::{Bill, Money, Paid, Prices, Purpose, Said};
use ebbtide::memory::{MemoryView, Tokens, Turn};
use ebbtide::orchestrator::{BillView, BilledTurn, Notice, Op};
use ebbtide::tui::app::{Action, App};
use ebbtide::tui::compacted::Compactions;
use ebbtide::tui::keymap::Keymap;
use ebbtide::tui::look::Look;
use insta::assert_snapshot;
use serde_json::Value;

use super::support::pty::{Start, Terminal};
use super::support::screen::Desk;
use super::tui::{memory, opened};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// A bill of so many turns, all numbers of which are multiplied, and what each turn took.
fn bill(turns: u64, times: u64) -> (Bill, Vec<BilledTurn>) {
    let mut bill = Bill::default();
    let billed = (1..=turns).map(|turn| {
        let read = if turn == 1 { 0 } else { 5_600 };
        bill.record(Purpose::Chat, Paid::reported(7_000 * times, read * times, 0, 200 * times));
        if turn % 5 == 0 {
            let paid = Paid::reported(2_000 * times, 900 * times, 100 * times, 60 * times);
            bill.record(Purpose::Summary, Paid { estimated: true, ..paid });
        }
        let [user, reply] = [90 * times, 180 * times];
        let fixed = 1_360 * times;
        let said = Said { user, reply, output: 200 * times, fixed, ..Said::default() };
        BilledTurn { turn: Turn(turn), bill: bill.end_turn(&said) }
    });
    let billed = billed.collect();
    (bill, billed)
}

fn priced() -> Prices {
    let money = Some(Money { per_million: 2.5, currency: "USD".into() });
    Prices { money, ..Prices::default() }
}

/// The bill, opened by its key.
fn shown(look: Look, (width, height): (u16, u16), turns: u64, times: u64, prices: Prices) -> Desk {
    let mut desk = Desk::of(App::dressed(look, Keymap::default()), width, height);
    desk.notice(opened(Vec::new(), false));
    desk.notice(Notice::Memory(Arc::new(MemoryView {
        unsaid: Tokens(30_012 * times),
        ..memory()
    })));
    let (bill, billed) = bill(turns, times);
    desk.notice(Notice::Bill(Arc::new(BillView { bill, prices, last: None })));
    assert!(matches!(desk.press(KeyCode::F(8))[..], [Action::Send(Op::Bill)]));
    desk.notice(Notice::BilledTurns(Arc::new(billed)));
    desk
}

fn plain() -> Look {
    Look { animations: false, ..Look::default() }
}

#[test]
fn the_bill_is_shown_at_every_size() {
    for (width, height) in SIZES {
        let size = (width, height);
        let mut desk = shown(plain(), size, 40, 1, priced());
        assert_snapshot!(format!("bill_{width}x{height}"), desk.screen());
        let mut desk = shown(Look { ascii: true, ..plain() }, size, 40, 1, priced());
        let screen = desk.screen();
        assert!(screen.is_ascii(), "{screen}");
        if size == SIZES[0] {
            assert_snapshot!("bill_80x24_in_ascii", screen);
        }
    }
    assert_snapshot!("bill_40x12", shown(plain(), (40, 12), 40, 1, priced()).screen());
}

#[test]
fn a_session_that_has_paid_nothing_says_so() {
    let mut desk = shown(plain(), (80, 24), 0, 1, Prices::default());
    desk.assert_shows("Nothing has been paid for yet in this session.");
    desk.assert_shows("Bill: 0 turns, 0 requests");
}

#[test]
fn numbers_of_any_size_keep_their_columns() {
    for size in [(40, 12), (80, 24), (120, 36), (200, 60)] {
        let mut desk = shown(plain(), size, 300, 1_000_000_000, priced());
        let screen = desk.screen();
        let row = |name: &str| screen.lines().find(|line| line.contains(name)).map(str::to_owned);
        let all = row("all with memory");
        // On the smallest screen it is scrolled to.
        let Some(all) = all else {
            assert_eq!(size, (40, 12), "{screen}");
            desk.press(KeyCode::PageDown);
            desk.assert_shows("all with memory   ");
            continue;
        };
        let number = if size.0 < 200 { "P" } else { ",000,000,000,000" };
        assert!(all.contains(number), "{all}");
    }
}

#[test]
fn memory_that_has_cost_more_says_so_and_when_it_will_have_paid() {
    let mut desk = shown(plain(), (200, 60), 10, 1, Prices::default());
    desk.assert_shows("Memory has cost ");
    desk.assert_shows("it will have paid by turn ");
    let mut desk = shown(plain(), (120, 36), 300, 1, Prices::default());
    desk.assert_shows("Memory has saved ");
}

#[test]
fn those_that_compacted_stand_beside_full_history_once_they_did() {
    let mut short = shown(plain(), (120, 40), 40, 1, priced());
    short.assert_shows("compacting 160k: not yet");
    short.assert_hides("Beside ");
    let mut long = shown(plain(), (120, 40), 40, 100, priced());
    long.assert_shows("Beside compacting at 160,000 tokens");
    long.assert_hides("not yet");
    let paid = Paid::reported(3_000, 2_000, 0, 500);
    short.app.mark(Compactions::default(), Some(paid));
    short.assert_shows("Beside the program itself, which");
    let screen = short.screen();
    let row = screen.lines().find(|line| line.contains("as it compacted then")).unwrap();
    let numbers: Vec<&str> = row.split_whitespace().skip(5).take(4).collect();
    assert_eq!(numbers, ["2,000", "0", "1,000", "500"], "{row}");
}

#[test]
fn it_is_opened_closed_and_scrolled_by_keys_and_goes_on_when_a_turn_ends() {
    let mut desk = shown(plain(), (80, 24), 40, 1, priced());
    let top = desk.screen();
    desk.press(KeyCode::End);
    desk.assert_shows("turn 40");
    desk.press(KeyCode::Home);
    assert_eq!(desk.screen(), top);
    let (bill, billed) = bill(41, 1);
    let view = BillView { bill, prices: priced(), last: billed.last().copied() };
    for _ in 0..2 {
        // What is told twice, with more in it, is one turn.
        let asked = desk.notice(Notice::Bill(Arc::new(view.clone())));
        assert!(asked.is_empty(), "nothing is read for it");
        desk.press(KeyCode::End);
        desk.assert_shows("turn 41");
    }
    // What was read before the turn ended lacks it.
    desk.notice(Notice::BilledTurns(Arc::new(billed[..40].to_vec())));
    desk.press(KeyCode::End);
    desk.assert_shows("turn 41");
    desk.press(KeyCode::F(8));
    desk.assert_hides("all with memory");
    let (bill, _) = self::bill(42, 1);
    let view = BillView { bill, prices: priced(), last: None };
    assert!(desk.notice(Notice::Bill(Arc::new(view))).is_empty(), "nobody looks");
    assert!(matches!(desk.run("/bill")[..], [Action::Send(Op::Bill)]));
    desk.assert_shows("all with memory");
    desk.chord(KeyModifiers::NONE, KeyCode::Esc);
    desk.assert_shows("Write a message");
}

/// Runs the built program; what it prints.
fn run(home: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.args(args).env_clear().env("HOME", home).current_dir(home);
    let out = command.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The numbers of a row of the table, estimates without their mark.
fn numbers(screen: &str, name: &str) -> Vec<u64> {
    let of_row = |line: &str| -> Option<Vec<u64>> {
        let words = line.trim_start_matches(['│', ' ']).strip_prefix(name)?.split_whitespace();
        let numbers = words.map(|word| word.replace(['~', ','], "")).filter(|word| word != "│");
        numbers.map(|number| number.parse().ok()).collect()
    };
    screen.lines().find_map(of_row).expect(name)
}

#[test]
fn the_figures_on_the_screen_are_those_of_stats() {
    let home = tempfile::tempdir().unwrap();
    let session = home.path().join("one").display().to_string();
    for text in ["Hello", "Let's work on the login bug", "The login bug is done"] {
        run(home.path(), &["-p", text, "--offline", "--session", &session]);
    }
    let args = ["--offline", "--session", &session];
    let start = Start { args: &args, home: home.path(), size: (120, 40), env: &[] };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("The login bug is done");
    terminal.send("\u{1b}[19~");
    let screen = terminal.wait_until("the bill with its chart", |screen| {
        screen.contains("all with memory") && screen.contains("turn 3")
    });
    let stats = run(home.path(), &["stats", "--json", "--offline", "--session", &session]);
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let bill = &stats["bill"];
    // At which prices it is the cheaper one.
    let told = run(home.path(), &["stats", "--offline", "--session", &session]);
    assert!(told.contains("Prices beside that of input: from cache 0 times, output 4"), "{told}");
    for (name, object, has_requests) in [
        ("messages", &bill["by_purpose"]["chat"], true),
        ("tool rounds", &bill["by_purpose"]["tool_round"], true),
        ("summaries", &bill["by_purpose"]["summary"], true),
        ("all with memory", &bill["all"], true),
        ("full history", &bill["others"]["full_history"], false),
        ("without a cache", &bill["others"]["without_cache"], false),
        ("its prompt and tools", &bill["shared"], false),
    ] {
        let of = |key: &str| object[key].as_u64().unwrap();
        let mut expected = if has_requests { vec![of("requests")] } else { Vec::new() };
        expected.extend(["cached", "written", "uncached", "output"].map(of));
        expected.push(object["cost"].as_f64().unwrap().round() as u64);
        assert_eq!(numbers(&screen, name), expected, "{name}:\n{screen}");
    }
    assert!(screen.contains("compacting 160k: not yet"), "{screen}");
    assert!(bill["all"]["requests"].as_u64() > Some(3), "{bill}");
}
