use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::llm::ToolCall;
use crate::memory::tests::Words;
use crate::memory::{Layer, Layers, Role, Source, WindowItem};
use crate::orchestrator::sealed;

fn exchange(room: u64) -> ToolExchange {
    ToolExchange::new(Tokens(room), Arc::new(Words))
}

fn words(count: usize) -> String {
    "word ".repeat(count)
}

fn call(nth: usize, arguments: usize) -> ToolCall {
    let arguments = json!({ "content": words(arguments) }).to_string();
    ToolCall { id: format!("id-{nth}"), name: "search".into(), arguments, extra: Map::new() }
}

/// Takes a round of calls with such long arguments and results.
fn take(exchange: &mut ToolExchange, calls: &[(usize, usize)], reasoning: usize) {
    take_sealed(exchange, calls, reasoning, 0);
}

/// The same with so many bytes of sealed reasoning.
fn take_sealed(
    exchange: &mut ToolExchange,
    calls: &[(usize, usize)],
    reasoning: usize,
    sealed: usize,
) {
    let made = calls.iter().enumerate().map(|(nth, (arguments, _))| call(nth, *arguments));
    let mut completion = Completion { calls: made.collect(), ..Completion::default() };
    completion.replay.insert("reasoning_content".into(), words(reasoning).into());
    if sealed > 0 {
        let details = json!([{ "data": "x".repeat(sealed) }]);
        completion.replay.insert("reasoning_details".into(), details);
    }
    exchange.begin(&mut completion);
    for (call, (_, result)) in completion.calls.iter().zip(calls) {
        exchange.answer(call, &json!(words(*result)));
    }
}

/// The results that are sent, by round.
fn results(exchange: &ToolExchange) -> Vec<Vec<String>> {
    let of = |round: &Round| {
        let results = round.messages().skip(1);
        results.map(|message| message.content.to_string()).collect()
    };
    exchange.rounds.iter().map(of).collect()
}

#[test]
fn the_oldest_rounds_give_way_first_and_the_newest_stays_whole_while_they_can() {
    let mut exchange = exchange(600);
    for _ in 0..4 {
        take(&mut exchange, &[(10, 100), (10, 100)], 10);
    }
    exchange.keep_to(Tokens(600));
    let shown = results(&exchange);
    assert!(exchange.cost() <= Tokens(600) && exchange.cost() > Tokens(350), "{}", exchange.cost());
    assert!(shown[0].iter().all(|result| result.contains("left out")), "{shown:?}");
    assert_eq!(shown[3], [json!(words(100)).to_string(), json!(words(100)).to_string()]);
    exchange.keep_to(Tokens(300));
    let shown = results(&exchange);
    assert_eq!(shown.last().unwrap()[0], json!(words(100)).to_string(), "{shown:?}");
}

#[test]
fn calls_of_several_rounds_are_told_apart_however_a_server_names_them() {
    let mut exchange = exchange(9_000);
    for _ in 0..3 {
        take(&mut exchange, &[(1, 1), (1, 1)], 1);
    }
    let messages = exchange.messages();
    let made = messages.iter().flat_map(|message| &message.calls).map(|call| call.id.as_str());
    let answered = messages.iter().filter_map(|message| message.call_id.as_deref());
    let (made, answered): (Vec<&str>, Vec<&str>) = (made.collect(), answered.collect());
    assert_eq!(made, answered);
    assert_eq!(made.iter().collect::<std::collections::BTreeSet<_>>().len(), 6, "{made:?}");
}

#[test]
fn the_results_of_one_round_share_the_room_and_say_how_to_read_the_rest() {
    let mut exchange = exchange(1_000);
    take(&mut exchange, &[(1, 5), (1, 400), (1, 2_000), (1, 2_000)], 3_000);
    exchange.keep_to(Tokens(1_000));
    let shown = results(&exchange);
    let [short, middle, long, other] = shown[0].as_slice() else { panic!("{shown:?}") };
    assert_eq!(*short, json!(words(5)).to_string());
    let sizes = [middle, long, other].map(|text| Words.count(text).0);
    assert!(sizes.iter().all(|size| (150..=400).contains(size)), "{sizes:?}");
    for cut in [long, other] {
        assert!(cut.contains("fewer calls beside it") && cut.contains("word word"), "{cut}");
    }
    assert!(exchange.cost() <= Tokens(1_000));
}

#[test]
fn arguments_reasoning_and_what_is_sealed_give_way_to_the_results_of_their_round() {
    let mut exchange = exchange(400);
    let mut long = call(0, 5_000);
    long.extra.insert("extra_content".into(), json!({ "signature": words(5_000) }));
    let mut completion = Completion { calls: vec![long.clone()], ..Completion::default() };
    completion.text = words(5_000);
    completion.replay.insert("reasoning_content".into(), words(5_000).into());
    completion.replay.insert("reasoning_details".into(), json!([{ "data": words(5_000) }]));
    exchange.begin(&mut completion);
    exchange.answer(&long, &json!(words(100)));
    assert!(exchange.cost() > Tokens(25_000), "all of it counts");
    exchange.keep_to(Tokens(400));
    assert_eq!(results(&exchange)[0][0], json!(words(100)).to_string());
    let asks = &exchange.messages()[0];
    assert!(serde_json::from_str::<Map<String, Value>>(&asks.calls[0].arguments).is_ok());
    assert_eq!(Value::Object(asks.replay.clone()), json!({ "reasoning_content": "" }));
}

#[test]
fn what_is_sealed_of_the_newest_round_stays_while_anything_else_can_go() {
    let sealed = |exchange: &ToolExchange| {
        let asks = exchange.rounds.iter().filter_map(|round| round.messages().next());
        asks.map(|asks| asks.replay.contains_key("reasoning_details")).collect::<Vec<_>>()
    };
    let mut exchange = exchange(1_000);
    take_sealed(&mut exchange, &[(50, 200)], 10, 1_000);
    take_sealed(&mut exchange, &[(50, 200)], 10, 4_600);
    exchange.keep_to(Tokens(1_000));
    assert_eq!(sealed(&exchange), [true], "the older round goes, {}", exchange.cost());
    assert!(exchange.cost() <= Tokens(1_000));
    exchange.keep_to(Tokens(940));
    assert_eq!(sealed(&exchange), [true], "the result goes, {}", exchange.cost());
    exchange.keep_to(Tokens(900));
    assert_eq!(sealed(&exchange), [false]);
}

#[test]
fn fewer_calls_are_run_where_their_results_could_not_be_read() {
    let most = [0, 150, 1_000, 10_000].map(|room| exchange(room).most_calls());
    assert_eq!(most, [1, 2, 15, 32]);
}

/// A window that costs so much whatever is reserved beside it.
fn stubborn(tokens: u64) -> impl Fn(Tokens) -> Window {
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(tokens));
    move |_| Window { layers, ..Window::default() }
}

/// A window whose one log is cut to what is left of the limit beside what is reserved and a memory block of so many
/// tokens.
fn yielding(log: u64, limit: u64, block: u64) -> impl Fn(Tokens) -> Window {
    move |reserved| {
        let shown = Tokens(log.min((limit - block).saturating_sub(reserved.0)));
        let item = |source: Source, tokens: Tokens| WindowItem {
            layer: Layer::Ambient,
            role: Role::User,
            content: format!("{tokens} of {source:?}").into(),
            source,
            tokens,
        };
        let items = [item(Source::Ambient, shown), item(Source::Block, Tokens(block))];
        let mut layers = Layers::default();
        for item in &items {
            layers.add(item.layer, item.tokens);
        }
        Window { items: items.into(), layers, ..Window::default() }
    }
}

/// The windows of the requests of a turn with such rounds, while the memory block grows by some tokens with each.
fn sent(exchange: &mut ToolExchange, rounds: usize, arguments: usize, block: u64) -> Vec<Window> {
    let limit = Tokens(1_000);
    let mut sent: Vec<Window> = Vec::new();
    for nth in 0..=rounds as u64 {
        let window = yielding(900, 1_000, nth * block);
        let now = window(Tokens(0));
        let kept = sent
            .last()
            .and_then(|earlier| exchange.kept(earlier, &now, Layer::Ambient))
            .map(|kept| kept.0);
        let next = match kept.filter(|kept| exchange.goes_with(kept, limit)) {
            Some(kept) => kept,
            None => exchange.beside(limit, sent.last(), window).unwrap(),
        };
        assert!(next.layers.total() + exchange.cost() <= limit);
        sent.push(next);
        take(exchange, &[(arguments, 1)], 1);
    }
    sent
}

#[test]
fn a_window_gives_way_to_the_rounds_of_a_turn_twice_at_most_and_not_a_little_each() {
    for (rounds, arguments, block) in [(8, 20, 0), (8, 20, 5), (8, 90, 5), (40, 20, 2)] {
        let mut exchange = exchange(950);
        let sent = sent(&mut exchange, rounds, arguments, block);
        let cuts = sent.windows(2).filter(|pair| pair[0].items != pair[1].items).count();
        let least = sent.last().unwrap().layers.total();
        assert!(exchange.cost() > Tokens(200), "{}", exchange.cost());
        assert!((1..=2).contains(&cuts) && least >= Tokens(100), "{cuts} cuts, {least} left");
    }
}

#[test]
fn the_oldest_rounds_give_way_seldom_and_what_was_sent_stays_as_it_was_meanwhile() {
    let mut exchange = exchange(1_000);
    let (mut sent, mut broken) = (Vec::new(), 0);
    for _ in 0..80 {
        take(&mut exchange, &[(2, 40)], 0);
        exchange.keep_to(Tokens(1_000));
        let messages = exchange.messages();
        broken += usize::from(!messages.starts_with(&sent));
        sent = messages;
    }
    assert!((1..=20).contains(&broken), "{broken} of 80 requests");
}

#[test]
fn a_window_that_does_not_give_way_leaves_the_exchange_what_is_left_of_the_limit() {
    let mut exchange = exchange(5_000);
    take(&mut exchange, &[(10, 3_000)], 10);
    let window = exchange.beside(Tokens(1_000), None, stubborn(700)).unwrap();
    assert!(exchange.cost() > Tokens(100));
    assert!(window.layers.total() + exchange.cost() <= Tokens(1_000));
    assert_eq!(exchange.beside(Tokens(1_000), None, stubborn(1_001)), Err(Tokens(1_001)));
    assert!(exchange.rounds.is_empty());
}

proptest! {
    #[test]
    fn an_exchange_keeps_to_any_room_and_every_call_keeps_its_result(
        rounds in prop::collection::vec(
            (prop::collection::vec((0..300_usize, 0..300_usize), 1..6), 0..300_usize, 0..3_000_usize),
            1..6,
        ),
        room in 0..2_000_u64,
    ) {
        let mut exchange = exchange(room);
        for (calls, reasoning, sealed) in &rounds {
            take_sealed(&mut exchange, calls, *reasoning, *sealed);
            exchange.keep_to(Tokens(room));
            let texts: Tokens = exchange.texts().iter().map(|(text, _)| Words.count(text)).sum();
            let messages = exchange.messages();
            let kept = messages.iter().flat_map(|message| message.replay.values());
            let seals: Tokens = kept.map(|value| sealed::split(value).1).sum();
            prop_assert_eq!(texts + seals, exchange.cost());
            prop_assert!(exchange.cost() <= Tokens(room));
            for round in &exchange.rounds {
                let asked = round.messages().next().unwrap().calls.iter().map(|call| &call.id);
                let answered = round.messages().skip(1).filter_map(|one| one.call_id.as_ref());
                prop_assert!(asked.eq(answered));
            }
        }
    }
}
