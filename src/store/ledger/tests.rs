use std::fs;
use std::path::PathBuf;

use super::*;
use crate::bill::{Counted, Said};

/// A turn that is not there yet: all that did count.
const END: Turn = Turn(1_000);

struct Session {
    _home: tempfile::TempDir,
    dir: PathBuf,
}

impl Session {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("session");
        Self { _home: home, dir }
    }

    fn open(&self) -> Store {
        Store::open(&self.dir).unwrap().store
    }

    fn file(&self) -> PathBuf {
        self.dir.join("bill.jsonl")
    }
}

fn request(purpose: Purpose, prompt: u64) -> PaidRequest {
    PaidRequest {
        at: "2026-01-01T10:00:00Z".to_owned(),
        turn: Turn(1),
        purpose,
        model: "m".to_owned(),
        paid: Paid::reported(prompt, prompt / 2, 3, 7),
        is_cut: false,
    }
}

/// Plays turns of two requests each.
fn play(store: &mut Store, bill: &mut Bill, turns: u64) {
    for turn in 1..=turns {
        for (purpose, prompt) in [(Purpose::Chat, 100 * turn), (Purpose::Summary, 50)] {
            let request = request(purpose, prompt);
            bill.record(purpose, request.paid);
            store.keep_paid(&[request]).unwrap();
        }
        let said = Said { user: turn, reply: 9, ..Said::default() };
        let counted =
            Counted { fixed: 900, words: 80 * turn, messages: turn, theirs: 1_000 + 80 * turn };
        let said = bill.in_its_tokens(said, "m", counted);
        let counted = bill.end_turn(&said);
        store.keep_bill(Turn(turn), bill, Some(counted)).unwrap();
    }
}

#[test]
fn a_bill_goes_on_where_it_was() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    assert_eq!(store.reader().bill(END).unwrap().bill, bill);
    play(&mut store, &mut bill, 25);
    drop(store);
    let mut store = session.open();
    let stored = store.reader().bill(END).unwrap();
    assert_eq!(stored.bill, bill);
    assert!(stored.last > Some(1_767_261_600));
    // What was paid behind the last sums counts as well.
    let open = request(Purpose::Compression, 10);
    store.keep_paid(std::slice::from_ref(&open)).unwrap();
    bill.record(Purpose::Compression, open.paid);
    let stored = session.open_again(store).reader().bill(END).unwrap();
    assert_eq!(stored.bill, bill);
    assert_eq!(stored.last, Some(1_767_261_600));
}

impl Session {
    fn open_again(&self, store: Store) -> Store {
        drop(store);
        self.open()
    }
}

#[test]
fn what_a_stopped_turn_took_belongs_to_the_next_one_in_another_run_too() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    for counted in [0, 3] {
        play(&mut store, &mut bill, counted);
        let cut = request(Purpose::Chat, 70);
        bill.record(Purpose::Chat, cut.paid);
        store.keep_paid(&[cut]).unwrap();
        bill.stop_turn(&Said { user: 5, output: 7, ..Said::default() });
        store.keep_bill(Turn(counted + 1), &bill, None).unwrap();
        store = session.open_again(store);
        assert_eq!(store.reader().bill(Turn(counted)).unwrap().bill, bill);
    }
    let mut again = store.reader().bill(Turn(3)).unwrap().bill;
    let [own, others] = [&mut again, &mut bill].map(|bill| bill.end_turn(&Said::default()));
    assert_eq!(own, others);
    assert!(own.own.prompt() == 70 && own.full.output == 7);
}

#[test]
fn a_turn_that_did_not_count_after_all_costs_what_it_took_and_counts_once() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    play(&mut store, &mut bill, 12);
    let whole = store.reader().bill(Turn(12)).unwrap().bill;
    // Killed between the line and the exchange of the last turn.
    let without = store.reader().bill(Turn(11)).unwrap().bill;
    assert_eq!((without.turns(), without.all()), (11, whole.all()));
    assert_eq!(without.baselines().with_cache.history, 11 * 9 + 66);
    assert_eq!(store.reader().billed_turns(Turn(11)).unwrap().len(), 11);
    // It is sent again, with a summary that comes after its line.
    let mut bill = without;
    let counted = bill.end_turn(&Said { user: 12, reply: 9, ..Said::default() });
    store.keep_bill(Turn(12), &bill, Some(counted)).unwrap();
    let late = request(Purpose::Compression, 30);
    bill.record(late.purpose, late.paid);
    store.keep_paid(&[late]).unwrap();
    let more = bill.amend_turn().unwrap();
    store.keep_bill(Turn(12), &bill, Some(more)).unwrap();
    assert!(more.own.prompt() == counted.own.prompt() + 30);
    let reader = session.open_again(store).reader();
    assert_eq!(reader.bill(Turn(12)).unwrap().bill, bill);
    let turns = reader.billed_turns(Turn(12)).unwrap();
    assert_eq!((turns.len(), turns[11].bill), (12, more));
    let sum: u64 = turns.iter().map(|turn| turn.bill.own.prompt()).sum();
    assert_eq!(sum, bill.all().paid.prompt());
}

#[test]
fn a_compression_that_led_to_nothing_is_remembered_until_one_does() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    let id = EffortId::stored("pumps");
    play(&mut store, &mut bill, 2);
    store.keep_refused(&id, Tokens(4_000)).unwrap();
    play(&mut store, &mut bill, 2);
    store = session.open_again(store);
    let stored = store.reader().bill(END).unwrap();
    assert_eq!(stored.refused, BTreeMap::from([(id.clone(), Tokens(4_000))]));
    store.keep_refused(&id, Tokens(0)).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().refused[&id], Tokens(0));
}

#[test]
fn what_a_cache_holds_is_kept_until_something_else_is_sent() {
    let session = Session::new();
    let mut store = session.open();
    store.keep_sent("2026-01-01T10:00:00Z", &[1, u64::MAX]).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().sent, [1, u64::MAX]);
    store.keep_paid(&[request(Purpose::Chat, 8)]).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().sent, [0; 0]);
}

#[test]
fn a_torn_last_line_and_nonsense_cost_no_more_than_themselves() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    play(&mut store, &mut bill, 3);
    let whole = fs::read_to_string(session.file()).unwrap();
    let nonsense = "{\"purpose\":5}\n[1]\nnot json\n{\"purpose\":\"chat\",\"read\":-4}\n";
    fs::write(session.file(), format!("{whole}{nonsense}{{\"purpose\":\"ch")).unwrap();
    let mut store = session.open_again(store);
    let stored = store.reader().bill(END).unwrap();
    assert_eq!((stored.bill, stored.odd), (bill.clone(), 5));
    let next = request(Purpose::Chat, 8);
    store.keep_paid(std::slice::from_ref(&next)).unwrap();
    bill.record(Purpose::Chat, next.paid);
    assert!(store.take_problems()[0].0.contains("bill.jsonl"));
    assert_eq!(session.open_again(store).reader().bill(END).unwrap().bill, bill);
}

#[test]
fn only_the_end_of_a_long_bill_is_read() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    play(&mut store, &mut bill, 12);
    let end = fs::read(session.file()).unwrap();
    // What comes before is never looked at: it could be a hundred thousand turns.
    fs::write(session.file(), [b"broken\n".repeat(1_000_000), end].concat()).unwrap();
    let stored = session.open_again(store).reader().bill(END).unwrap();
    assert_eq!(stored.bill, bill);
}

#[test]
fn a_line_has_the_same_length_whatever_the_session_holds() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    play(&mut store, &mut bill, 400);
    let text = fs::read_to_string(session.file()).unwrap();
    let longest = text.lines().map(str::len).max().unwrap();
    assert!(longest < 600, "{longest}");
    assert_eq!(store.reader().billed_turns(END).unwrap().len(), 400);
}

#[test]
fn the_prices_of_a_replay_hold_until_a_model_of_a_server_answers() {
    let session = Session::new();
    let (mut store, mut bill) = (session.open(), Bill::default());
    play(&mut store, &mut bill, 3);
    assert_eq!(store.reader().bill(END).unwrap().prices, None);
    drop(store);
    let money = crate::bill::Money { per_million: 0.28, currency: "EUR".into() };
    let prices = Prices { money: Some(money), ..Prices::breakpoints(5.0) };
    replayed::keep_prices(&session.dir, &Prices::default()).unwrap();
    replayed::keep_prices(&session.dir, &prices).unwrap();
    let mut store = session.open();
    let stored = store.reader().bill(END).unwrap();
    assert_eq!((stored.bill, stored.prices, stored.odd), (bill.clone(), Some(prices.clone()), 0));
    // The session is opened and left, and an effort is concluded in it.
    store.keep_sent("2026-01-01T10:00:01Z", &[1, 2]).unwrap();
    store.keep_paid(&[request(Purpose::Summary, 5)]).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().prices, Some(prices.clone()));
    // What the built-in model answers costs nothing.
    let built_in = PaidRequest { model: "offline".to_owned(), ..request(Purpose::Chat, 8) };
    store.keep_paid(std::slice::from_ref(&built_in)).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().prices, Some(prices));
    store.keep_paid(&[request(Purpose::Chat, 8), built_in]).unwrap();
    assert_eq!(store.reader().bill(END).unwrap().prices, None);
}
