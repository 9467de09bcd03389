//! What text, card, JSON and CSV say of the end and of several conversations.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::{called, said};
use super::{replied, talk, turns_of, with};
use crate::bill::{Money, Paid, Prices};
use crate::counted::grouped;
use crate::memory::{EffortId, Faults, Tokens};
use crate::read::{Compaction, Event, Used};
use crate::replay::{
    Phase, PhaseRow, Priced, Replay, Replayed, Report, Rows, Step, card, given, text, write_csv,
    write_json,
};
use crate::text::width;

/// What is written as JSON where the logs tell of no request.
fn as_json(replay: &Replay, replayed: &Replayed, priced: &Priced) -> Value {
    let (recorded, read) = (&Rows::default(), &json!(null));
    let report = Report { replay, replayed, recorded, priced, made_by: "", read };
    let mut written = Vec::new();
    write_json(&report, &mut written).unwrap();
    serde_json::from_slice(&written).unwrap()
}

/// Two conversations, the last topic of which lasts to the end.
async fn two_conversations() -> (Replay, Replayed) {
    let begins = || Event::Begins {
        id: String::new(),
        title: String::new(),
        project: String::new(),
        at: None,
    };
    let of = |topic, count| [vec![begins()], talk(topic, count)].concat();
    let turns = turns_of([of("parser", 30), of("harbour", 8)].concat(), 500);
    let phases = given("1-30 a\n31-38 the harbour-with-a-long-name and its tides", 38).unwrap();
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    (replay, played)
}

#[tokio::test]
async fn the_last_turn_and_the_end_and_what_was_said_and_full_history_are_told_apart() {
    let (replay, played) = two_conversations().await;
    let [last, end] = played.ends().collect::<Vec<_>>()[..] else { panic!("{played:?}") };
    assert!(last.window > end.window && last.under_way() < last.full_history);
    let none = Rows::default();
    let prices = Priced::default();
    let [above, below] = text(&replay, &played, &none, &prices, usize::MAX);
    let row = |name: &str| {
        let of = above.lines().find(|line| line.trim_start().starts_with(name));
        of.unwrap_or_else(|| panic!("{name}\n{above}")).split_whitespace().collect::<Vec<_>>()
    };
    let (turn, concluded) = (row("38 "), row("end "));
    assert_eq!(turn[1..4], [last.full_history, last.under_way(), last.window].map(grouped));
    assert_eq!(concluded[1..3], turn[1..3]);
    assert_eq!(concluded[3], grouped(end.window));
    let ratio = |row: &[&str]| row[4].trim_end_matches('x').parse::<f64>().unwrap();
    let expected = last.under_way() as f64 / last.window as f64;
    assert!((ratio(&turn) - expected).abs() < 0.06, "{above}");
    for told in [
        format!("after turn 38 the window holds {} tokens", grouped(last.window)),
        format!("where {} were said in 2 conversations:", grouped(played.said)),
        format!("Once the last topic is concluded it holds {}: ", grouped(end.window)),
        format!(" of the {} of the last conversation.", grouped(last.under_way())),
    ] {
        assert!(below.contains(&told), "{told}\n{below}");
    }
    let mut csv = Vec::new();
    write_csv(&played, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.starts_with("turn,full_history,window,warm,evicted,recall,conversation_history\n"));
    assert!(csv.ends_with(&format!(",{}\n", last.under_way())), "{csv}");
    let told = as_json(&replay, &played, &prices);
    assert_eq!(told["end"]["window"], end.window);
    assert_eq!(told["end"]["full_history"], played.said);
    assert_eq!(told["end"]["conversation_history"], last.under_way());
    assert_eq!(told["end"]["last_topic_concluded"], true);
    assert_eq!(told["after_last_turn"]["window"], last.window);
    assert_eq!(told["turns"][37]["conversation_history"], last.under_way());
}

#[tokio::test]
async fn the_rows_of_the_text_fit_sixty_columns_and_no_word_is_broken() {
    let (replay, played) = two_conversations().await;
    let none = Rows::default();
    let of = |width| text(&replay, &played, &none, &Priced::default(), width).concat();
    let rows = |text: &str| -> Vec<String> {
        let is_told = |line: &&str| line.ends_with('.');
        text.lines().filter(|line| !is_told(line)).map(str::to_owned).collect()
    };
    let narrow = of(60);
    assert!(rows(&narrow).iter().all(|row| row.chars().count() <= 60), "{narrow}");
    assert!(rows(&of(usize::MAX)).iter().any(|row| row.len() > 60));
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> =
            text.replace('-', " ").split_whitespace().map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    assert_eq!(words(&narrow), words(&of(usize::MAX)));
    // Long figures with a column more have no room beside the names.
    let mut played = played;
    for (read, width) in [(4_498_212, 60), (294_498_212, 64), (294_498_212_000, 60)] {
        let (written, uncached, output) = (1_778_348, 735_788, 25_135);
        played.own = Paid { read, written, uncached, output, ..Paid::default() };
        let narrow = text(&replay, &played, &none, &Priced::default(), width).concat();
        assert!(rows(&narrow).iter().all(|row| row.chars().count() <= width), "{narrow}");
        let wide = text(&replay, &played, &none, &Priced::default(), usize::MAX).concat();
        assert_eq!(words(&narrow), words(&wide));
    }
}

#[tokio::test]
async fn the_curves_of_the_card_end_where_their_names_stand() {
    let (replay, played) = two_conversations().await;
    let card = card(&replay, &played, &Priced::default());
    let [last, end] = played.ends().collect::<Vec<_>>()[..] else { panic!("{played:?}") };
    assert!(card.contains(" tokens said in 2 conversations, "), "{card}");
    let told = format!(
        "Window: {} after turn 38, {} once the last topic is concluded.",
        last.window, end.window
    );
    assert!(card.contains(&told), "{card}");
    let after = |text: &str, key: &str| -> f64 {
        let rest = text.split(key).nth(1).unwrap_or_else(|| panic!("{key}\n{text}"));
        rest.split('"').next().and_then(|number| number.parse().ok()).unwrap()
    };
    let end_of = |class: &str| -> f64 {
        let curve = card.split(&format!("<polyline class=\"{class}\" points=\"")).nth(1).unwrap();
        let points = curve.split('"').next().unwrap();
        assert_eq!(points.split(' ').count(), 39, "each turn and the end: {points}");
        points.rsplit(',').next().unwrap().parse().unwrap()
    };
    let name =
        |class: &str| after(card.split(&format!("class=\"{class}\"")).nth(1).unwrap(), "y=\"");
    let ends = ["full", "window"].map(end_of);
    let names = ["fulltext", "windowtext"].map(name);
    assert_eq!(ends[0] < ends[1], names[0] < names[1], "{card}");
    assert!((names[0] - names[1]).abs() >= 43.0, "{card}");
}

/// The tables of a replay of topics with these names, in 80 columns.
fn tables(names: impl Iterator<Item = String>) -> String {
    let row = |(nth, name): (u64, String)| PhaseRow {
        name: EffortId::from_name(&name).unwrap(),
        turns: (1 + 9_000 * nth, 9_000 * nth),
        raw: 34_992,
        summary: 1_212,
    };
    let replayed = Replayed { phases: (0..).zip(names).map(row).collect(), ..Replayed::default() };
    text(&one_turn(), &replayed, &Rows::default(), &Priced::default(), 80).concat()
}

#[test]
fn wide_names_do_not_move_their_rows_and_no_topics_have_no_heading() {
    let names = ["parser", "日本語の長い話題についての会話とその続き-港湾管理", "港湾-管理"];
    let told = tables(names.map(str::to_owned).into_iter());
    let rows: Vec<&str> = told.lines().filter(|line| line.contains("34,992")).collect();
    assert_eq!(rows.len(), 3, "{told}");
    assert!(rows.iter().all(|row| width(row) == 80), "{told}");
    assert!(told.lines().all(|line| line.ends_with('.') || width(line) <= 80), "{told}");
    assert!(!tables(std::iter::empty()).contains("topic"));
}

#[test]
fn of_many_topics_the_first_and_the_last_ones_are_told_and_how_many_are_not() {
    let of = |count: usize| tables((1..=count).map(|nth| format!("topic-{nth}")));
    let rows = |told: &str| told.lines().filter(|line| line.starts_with("topic-")).count();
    let told = of(3_000);
    assert!(rows(&told) == 24 && told.contains("\n… 2,976 more topics, which --json tells\n"));
    assert!(told.contains("\ntopic-12 ") && told.contains("\ntopic-2989 "), "{told}");
    assert_eq!(rows(&of(25)), 25);
}

#[test]
fn every_number_of_the_text_has_its_separators() {
    let (full_history, window, warm, evicted) = (98_765, 43_210, 1_234, 5_678);
    let step = |turn| Step { turn, full_history, window, warm, evicted, began: 0 };
    let own =
        Paid { read: 1_234_567, uncached: 8_000, written: 1_500, output: 9_999, ..Paid::default() };
    let replayed = Replayed {
        steps: (7_000..7_003).map(step).collect(),
        concluded: Some(step(7_002)),
        own,
        said: 3_987_654,
        conversations: 3_000,
        compacted: 1_500,
        by_reference: 12_345,
        recall: Tokens(1_200),
        faults: Faults { looked_up: 1_000, missed: 2_000, unanswered: 3_000 },
        ..Replayed::default()
    };
    let used = Used { at: None, read: 1_111, written: 2_222, uncached: 3_333, output: 4_444 };
    let used: Rows<Used> = [used].into_iter().collect();
    let told = text(&one_turn(), &replayed, &used, &Priced::default(), 80).concat();
    let is_plain = |run: &str| run.len() > 3;
    assert!(!told.split(|sign: char| !sign.is_ascii_digit()).any(is_plain), "{told}");
}

/// All that a card says, one text behind the other.
fn words(card: &str) -> String {
    let texts = card.split("<text ").skip(1);
    let of = |text: &str| text.split_once('>')?.1.split_once("</text>").map(|one| one.0.to_owned());
    texts.filter_map(of).collect::<Vec<_>>().join(" ")
}

/// The points of a curve of a card.
fn curve(card: &str, class: &str) -> Vec<(f64, f64)> {
    let curve = card.split(&format!("<polyline class=\"{class}\" points=\"")).nth(1).unwrap();
    let point = |point: &str| {
        let (x, y) = point.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    curve.split('"').next().unwrap().split(' ').map(point).collect()
}

/// A conversation of one turn that no topic has.
fn one_turn() -> Replay {
    let turns = turns_of(talk("parser", 1), 500);
    Replay { conversation: Arc::new(turns), phases: [].into() }
}

#[tokio::test]
async fn one_turn_is_one_and_has_a_line() {
    let replay = one_turn();
    let mut played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let prices = Priced::default();
    let card = card(&replay, &played, &prices);
    for class in ["full", "window"] {
        let points = curve(&card, class);
        assert!(points.len() == 2 && points[0].0 < points[1].0, "{points:?}");
        assert!((points[0].1 - points[1].1).abs() < 0.05, "{points:?}");
    }
    assert!(card.contains(">1 turn, 0 topics</text>"), "{card}");
    played.faults.missed = 1;
    let told = text(&replay, &played, &Rows::default(), &prices, 80).concat();
    assert!(told.contains("not in the window: 1 time (looked up 0, missed 1,"), "{told}");
}

#[tokio::test]
async fn turns_of_no_topic_the_largest_request_and_what_was_written_to_a_cache_are_told() {
    let turns = turns_of([talk("parser", 6), talk("harbour", 2)].concat(), 500);
    let phases = given("1-5 a", 8).unwrap();
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let mut played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let prices = Priced::default();
    let told = |played: &Replayed| text(&replay, played, &Rows::default(), &prices, 100).concat();
    let plain = told(&played);
    assert!(plain.contains("8 turns, 1 topic (3 turns belong to none), "), "{plain}");
    let largest = format!(
        "the largest request of the chat, with the message and what it recalled, had {}.",
        grouped(played.largest_request)
    );
    assert!(plain.contains(&largest) && !plain.contains(" written "), "{plain}");
    let json = as_json(&replay, &played, &prices);
    assert_eq!(json["turns_without_topic"], 3);
    assert_eq!(json["largest_request"], played.largest_request);
    let most = played.steps.iter().map(|step| step.window).max();
    assert_eq!(json["largest_window"].as_u64(), most);
    // Who pays for writing sees it apart from what is read anew.
    played.own = Paid { read: 1, written: 8_472, uncached: 34, output: 5, ..Paid::default() };
    played.by_reference = 0;
    let written = told(&played);
    let row = written.lines().find(|line| line.starts_with("this memory")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().skip(2).take(4).collect();
    assert_eq!(cells, ["1", "8,472", "34", "5"], "{written}");
}

#[test]
fn prompts_that_nobody_answered_are_told() {
    let told = |events: Vec<Event>| {
        let turns = turns_of(events, 500);
        let replay = Replay { conversation: Arc::new(turns), phases: [].into() };
        let (none, prices) = (Rows::default(), Priced::default());
        text(&replay, &Replayed::default(), &none, &prices, 80).concat()
    };
    let asked = || talk("harbour", 1).remove(0);
    let begins = || Event::Topic(String::new());
    assert!(!told(talk("parser", 2)).contains("no reply"));
    // Two in a row are one message.
    let one = told([talk("parser", 1), vec![asked(), asked()]].concat());
    assert!(one.contains(" 1 prompt has no reply in the log: "), "{one}");
    let two = told(vec![asked(), begins(), asked()]);
    assert!(two.contains(" 2 prompts have no reply in the log: "), "{two}");
}

#[test]
fn a_long_curve_has_the_most_of_each_of_its_stretches() {
    let peak = 343;
    let step = |turn: u64| {
        let window = if turn == peak { 9_000 } else { 100 + turn };
        Step { turn, window, full_history: turn, ..Step::default() }
    };
    let replayed = Replayed { steps: (1..=1_000).map(step).collect(), ..Replayed::default() };
    let points = curve(&card(&one_turn(), &replayed, &Priced::default()), "window");
    assert!(points.len() <= 203, "{}", points.len());
    assert!((points[0].0 - 120.0).abs() < 0.05, "it begins at its first turn: {:?}", points[0]);
    let top = points.iter().map(|(_, y)| *y).reduce(f64::min).unwrap();
    assert!((top - 284.0).abs() < 0.05, "the peak reaches the top: {top}");
    assert!(points.windows(2).all(|two| two[0].0 < two[1].0));
}

#[tokio::test]
async fn what_it_cost_is_told_in_the_currency_once_input_has_a_price() {
    let (replay, played) = two_conversations().await;
    let none = Rows::default();
    let told = |prices: &Prices| {
        let prices = &Priced { prices: prices.clone(), ..Priced::default() };
        let json = as_json(&replay, &played, prices);
        let text = text(&replay, &played, &none, prices, usize::MAX).concat();
        (text, card(&replay, &played, prices), json["bill"].clone())
    };
    let (text, card, bill) = told(&Prices::default());
    assert!(!text.contains("In money") && !card.contains("In money") && bill["money"].is_null());
    // A thousandth of the currency for each: what is told stays below a thousand.
    let money = Money { per_million: 1e3, currency: "<A&B>".into() };
    let prices = Prices { money: Some(money), ..Prices::breakpoints(5.0) };
    let (text, card, bill) = told(&prices);
    let costs = played.costs(&prices);
    let expected = format!(
        "In money: this memory <A&B>{:.4}, full history <A&B>{:.4}.",
        costs.own / 1e3,
        costs.full / 1e3
    );
    assert!(text.contains(&expected), "{expected}\n{text}");
    let ratios = "from cache 0.1 times, written to it 1.25 times, output 5 times";
    assert!(text.contains(ratios) && card.contains(ratios), "{text}\n{card}");
    assert!(
        card.contains(&format!(" In money: &lt;A&amp;B>{:.4}, full", costs.own / 1e3)),
        "{card}"
    );
    assert_eq!(bill["money"]["currency"], "<A&B>");
    let close =
        |key: &str, cost: f64| (bill["money"][key].as_f64().unwrap() - cost / 1e3).abs() < 1e-6;
    assert!(close("cost", costs.own) && close("full_history", costs.full), "{bill}");
    assert_eq!(
        (&bill["prices"]["written"], &bill["prices"]["cache"]),
        (&json!(1.25), &json!("breakpoints"))
    );
}

#[tokio::test]
async fn a_compaction_in_a_last_turn_is_paid_by_its_conversation_and_by_no_other() {
    let begins = || Event::Begins {
        id: String::new(),
        title: String::new(),
        project: String::new(),
        at: None,
    };
    let compacted = || {
        let summary = Some("word ".repeat(40));
        Event::Compacted(Compaction { summary, ..Compaction::default() })
    };
    let of = |first: Vec<Event>, second: Vec<Event>| async {
        let one = [vec![begins()], talk("parser", 9), first].concat();
        let turns = turns_of([one, vec![begins()], talk("harbour", 4), second].concat(), 500);
        let replay = Replay { conversation: Arc::new(turns), phases: Arc::default() };
        replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap()
    };
    let plain = of(vec![], vec![]).await;
    let first = of(vec![compacted()], vec![]).await;
    let second = of(vec![], vec![compacted()]).await;
    assert_eq!([plain.compacted, first.compacted, second.compacted], [0, 1, 1]);
    // The summary is paid for, and the other conversation goes on without it.
    let [plain, first, second] = [plain, first, second].map(|played| played.then);
    assert_eq!(first.paid().output, plain.paid().output + 40);
    assert_eq!(second.paid().output, plain.paid().output + 40);
    assert_eq!((first.history, second.history), (plain.history, 40));
}

#[tokio::test]
async fn each_round_of_tools_is_a_request_that_reads_again_what_came_before() {
    let result = |words| Event::Returned { id: String::new(), text: words, at: None };
    let rounds = || (0..10).flat_map(|_| [called("x"), result("word ".repeat(20))]);
    let with_tools = [talk("parser", 4), rounds().collect(), vec![replied("Done.")]].concat();
    let played = async |events: Vec<Event>| {
        let turns = turns_of(events, 500);
        let phases = [Phase { name: "parser".to_owned(), from: 0, to: turns.len() }].into();
        let replay = Replay { conversation: Arc::new(turns), phases };
        let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
        let told = text(&replay, &played, &Rows::default(), &Priced::default(), 80).concat();
        (played, told)
    };
    let (plain, told) = played(talk("parser", 4)).await;
    assert_eq!((plain.again.requests, plain.again.tokens(&plain)), (4, [0; 4]));
    assert!(!told.contains("each round of tools"), "{told}");
    let (played, told) = played(with_tools).await;
    assert_eq!(played.again.requests, 4 + 10);
    let sent = played.others.with_cache;
    // Each reads the prompt that the first one sent at least, and at most all there is at the end.
    let prompt = sent.history - 10 * 20;
    let (least, most) = (10 * (prompt - 60), 10 * (sent.history + 2_000));
    let again = played.again.tokens(&played)[1];
    assert!((least..most).contains(&again), "{again}, {prompt}");
    assert!(told.contains("With a request for each round of tools, 14 in all"), "{told}");
    let full = played.again.costs(&played, &Prices::default()).full;
    // What is read again is cheap; what was called last is new in the last request, and in none of the rows.
    let expected = played.costs(&Prices::default()).full + again as f64 / 10.0;
    assert!((full - expected).abs() < 30.0, "{full}, {expected}");
}

#[tokio::test]
async fn who_compacted_is_compared_with_per_request_and_who_never_did_is_not() {
    let result = |words| Event::Returned { id: String::new(), text: words, at: None };
    let rounds = || (0..6).flat_map(|_| [called("x"), result("word ".repeat(20))]);
    let summary = Some("word ".repeat(40));
    let compacted = Event::Compacted(Compaction { summary, ..Compaction::default() });
    let with_tools = [rounds().collect(), vec![replied("Done.")]].concat();
    let events = [talk("parser", 8), vec![compacted], talk("harbour", 2), with_tools].concat();
    let replay = Replay { conversation: Arc::new(turns_of(events, 500)), phases: [].into() };
    let mut played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let money = Some(Money { per_million: 3.0, currency: "EUR".into() });
    let priced = Priced {
        prices: Prices { money, ..Prices::default() },
        of: "Somebody <&>".to_owned(),
        why: "who is set".to_owned(),
    };
    let told = |played: &Replayed| {
        let none = Rows::default();
        let json = as_json(&replay, played, &priced);
        let text = text(&replay, played, &none, &priced, usize::MAX).concat();
        (text, card(&replay, played, &priced), json["bill"].clone())
    };
    let (text, card, bill) = told(&played);
    let costs = played.again.costs(&played, &priced.prices);
    let then = costs.then.unwrap();
    // It sends less with each request than full history, and more than nothing.
    let [_, full_again, _, then_again] = played.again.tokens(&played);
    assert!(0 < then_again && then_again < full_again, "{then_again}, {full_again}");
    let expected = played.costs(&priced.prices).then.unwrap() + then_again as f64 / 10.0;
    assert!((then - expected).abs() < 30.0, "{then}, {expected}");
    let rounds = text.lines().find(|line| line.starts_with("With a request for each")).unwrap();
    let cost = grouped(then.round() as u64);
    assert!(rounds.contains(&format!(", as it compacted then {cost}; ")), "{rounds}");
    assert!(rounds.contains(" compacting where the program itself did. The others"), "{rounds}");
    let by_request = &bill["by_request"];
    assert_eq!(by_request["as_compacted_then"], json!(then));
    assert_eq!(by_request["net_of_compacted_then"], json!(1.0 - costs.own / then));
    assert_eq!(by_request["read_again"]["as_compacted_then"], then_again);
    assert!(bill["money"]["as_compacted_then"].as_f64() > Some(0.0), "{bill}");
    assert_eq!(bill["prices"]["of"], "Somebody <&>");
    assert!(text.contains("(prices of Somebody <&>, who is set; `--set provider=NAME`"), "{text}");
    assert!(card.contains(" of Somebody &lt;&amp;>: from cache"), "{card}");
    assert!(words(&card).contains(" compacting where the program itself did "), "{card}");
    // Nothing was as long as that.
    assert!(!text.contains("compacting at 160,000") && !rounds.contains(", compacting "), "{text}");
    assert!(text.contains(" No prompt reached 160,000 tokens: compacting there "), "{text}");
    let nets =
        |bill: &serde_json::Value| (bill["compactions"].clone(), bill["net_of_compacting"].clone());
    assert_eq!(nets(&bill), (json!(0), json!(null)));
    assert!(by_request["net_of_compacting"].is_null(), "{bill}");
    played.others.compactions = 1;
    played.again.others.compactions = 1;
    let (text, card, bill) = told(&played);
    assert!(text.contains("\ncompacting at 160,000 to 12,000 "), "{text}");
    assert_eq!(text.matches(" compacting at 160,000, ").count(), 2, "{text}");
    assert!(!text.contains("No prompt reached"), "{text}");
    assert!(words(&card).contains(" compacting at 160,000 "), "{card}");
    assert!(nets(&bill).1.is_f64(), "{bill}");
}

#[tokio::test]
async fn of_a_compaction_without_a_summary_no_more_was_written_than_is_usual() {
    let compaction = Compaction { after: Some(9_000), ..Compaction::default() };
    let long = |word: &str| said(&format!("{word} ").repeat(10_000));
    let events = [talk("parser", 1), vec![long("parser"), replied("Fine.")]].concat();
    let of = |compactions: Vec<Event>| async {
        let all = [events.clone(), compactions, talk("harbour", 1)].concat();
        let turns = Arc::new(turns_of(all, 500));
        let replay = Replay { conversation: turns, phases: [].into() };
        replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap().then
    };
    let (plain, then) = (of(vec![]).await, of(vec![Event::Compacted(compaction)]).await);
    assert_eq!(then.paid().output, plain.paid().output + 9_000 / 4);
    assert!((9_000..9_200).contains(&then.history), "{then:?}");
}
