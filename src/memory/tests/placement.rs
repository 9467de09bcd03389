//! Where an expanded log breaks the front of the window least.

use super::*;

/// Where the expanded logs stand.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// As the window is laid out: where the front ended when they entered.
    Anchored,
    /// In front of the open logs.
    BeforeOpen,
    /// Behind all logs.
    BehindAll,
}

/// The front of a request that carries a message, with the expanded logs at a place, and the message behind it.
fn sent(memory: &Memory, message: &str, place: Place) -> Vec<(Arc<str>, Tokens)> {
    let window = memory.window_with(message, Tokens(0));
    let is = |layer: Layer| move |item: &&WindowItem| item.layer == layer;
    let front = window.front();
    let of = |layers: &[Layer]| -> Vec<&WindowItem> {
        layers.iter().flat_map(|&layer| front.iter().filter(is(layer))).collect()
    };
    let items = match place {
        Place::Anchored => front.iter().collect(),
        Place::BeforeOpen => {
            of(&[Layer::System, Layer::Tools, Layer::Ambient, Layer::Expanded, Layer::Open])
        }
        Place::BehindAll => {
            of(&[Layer::System, Layer::Tools, Layer::Ambient, Layer::Open, Layer::Expanded])
        }
    };
    let items = items.into_iter().chain(window.message());
    items.map(|item| (Arc::clone(&item.content), item.tokens)).collect()
}

/// A talk about a concluded effort of `old` words: after so many turns of other talk its log is expanded, and `then`
/// turns follow, in which it collapses. Returns the tokens that had to be read anew since.
fn read_anew(efforts: u64, talk: u64, old: usize, then: u64, place: Place) -> u64 {
    let mut memory = memory();
    conclude(&mut memory, "auth-bug", AUTH);
    for nth in 0..efforts {
        memory.open(&format!("work-{nth}")).unwrap();
        for turn in 0..talk {
            say(&mut memory, &format!("{nth} {turn} {}", "word ".repeat(40)), &"reply ".repeat(60));
        }
    }
    let words = |side: &str| format!("{side} {}", "old ".repeat(old));
    let mut before = Vec::new();
    let mut anew = 0;
    for turn in 0..=then {
        let user = format!("next {turn} {}", "word ".repeat(40));
        memory.begin_turn();
        for round in 0..2 {
            let now = sent(&memory, &user, place);
            let same = now.iter().zip(&before).take_while(|(new, old)| new == old).count();
            let first = turn == 0 && round == 0;
            anew += now[same..].iter().filter(|_| !first).map(|(_, tokens)| tokens.0).sum::<u64>();
            before = now;
            if first {
                memory.expand("auth-bug", raw(&[&words("user"), &words("reply")])).unwrap();
            }
        }
        memory.end_turn(&Exchange { user: user.into(), assistant: "reply ".repeat(60).into() });
    }
    anew
}

#[test]
fn an_expanded_log_breaks_least_where_the_front_ended_when_it_entered() {
    for (shape, efforts, talk, old) in [
        ("talk without an effort", 0, 0, 300),
        ("a young effort", 1, 3, 300),
        ("a long effort", 1, 30, 300),
        ("a long effort, a long log", 1, 30, 2_000),
        ("three efforts", 3, 10, 300),
    ] {
        let [anchored, before, behind] = [Place::Anchored, Place::BeforeOpen, Place::BehindAll]
            .map(|place| read_anew(efforts, talk, old, 5, place));
        println!("{shape}: {anchored} anchored, {before} before open logs, {behind} behind all");
        assert!(anchored <= before && anchored < behind, "{shape}: {anchored} {before} {behind}");
        assert!(efforts == 0 || anchored < before, "{shape}: {anchored} {before}");
    }
}
