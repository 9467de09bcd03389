//! A chat outside efforts whose last exchanges do not fit below the soft line.

use super::*;

/// What stands in the front behind the system prompt and the tools.
fn talk_in(memory: &Memory) -> Vec<Arc<str>> {
    let window = memory.window();
    window.front()[2..].iter().map(|item| Arc::clone(&item.content)).collect()
}

fn exchange(memory: &mut Memory, nth: usize, tokens: usize) -> Vec<Change> {
    say(memory, &words(&format!("ask{nth}x"), 10), &words(&format!("say{nth}x"), tokens - 10))
}

fn is_tide(change: &Change) -> bool {
    change.kind == ChangeKind::Tide
}

#[test]
fn long_replies_leave_in_tides_that_are_foretold_and_the_front_lasts_in_between() {
    for size in [1_200, 1_400, 2_400, 3_200] {
        let mut memory = memory(Rules::default());
        let mut tides = 0;
        for nth in 0..40 {
            let at = format!("{size}: turn {nth}");
            let request = memory.window_with(&words("ask", 10), Tokens(0));
            assert!(request.gave_way.is_empty() && sent(&memory, &request) <= Tokens(16_000));
            let before = talk_in(&memory);
            let then = memory.layers().total() + Tokens(size);
            let foretold = memory.next_tide().filter(|next| next.exchanges == 0);
            let foretold = foretold.filter(|next| next.turns == 1).map(|next| next.tokens);
            let changes = exchange(&mut memory, nth, size as usize);
            let (after, total) = (talk_in(&memory), memory.layers().total());
            let lasts = after.starts_with(&before);
            assert_eq!(changes.len(), usize::from(!lasts), "{at}: {changes:?}");
            let Some(tide) = changes.first() else {
                assert_eq!(foretold, None, "{at}");
                continue;
            };
            tides += 1;
            let (low, soft) = (memory.rules().low_line(), memory.rules().soft_line());
            assert!(is_tide(tide) && then > soft, "{at}: {tide:?}");
            assert!(tide.before <= Tokens(16_000) && tide.after == total, "{at}: {tide:?}");
            assert!(total <= low && total.0 + size > low.0, "{at}: no further than {total}");
            let gone = 1 + (before.len() - after.len()) as u64 / 2;
            assert_eq!(then, total + Tokens(gone * size), "{at}");
            let kept = after.len() / 2;
            let cause = format!("tide: {gone} exchanges before the last {kept}, ");
            assert!(tide.cause.starts_with(&cause), "{at}: {}", tide.cause);
            assert!(tide.cause.ends_with("the soft line"), "{at}: {}", tide.cause);
            assert_eq!(foretold, Some(Tokens(then.0.min(16_000) - low.0)), "{at}");
        }
        assert!((3..14).contains(&tides), "{size}: {tides} tides in 40 turns");
    }
}

#[test]
fn short_exchanges_stay_as_many_as_they_should_and_under_the_seeds_long_ones_do() {
    let mut short = memory(Rules::default());
    let mut long = memory(Rules { seeds: true, ..Rules::default() });
    for nth in 0..60 {
        exchange(&mut short, nth, 700);
        assert!(!exchange(&mut long, nth, 2_400).iter().any(is_tide));
        let held = [&short, &long].map(Memory::ambient_messages);
        assert!(nth < 9 || held[0] >= 20 && held[1] == 20, "{held:?}");
    }
}

#[test]
fn in_mode_ask_exchanges_wait_for_consent_and_each_that_the_hard_line_drops_is_told() {
    let ask = || {
        let budget_mode = BudgetMode::Ask;
        let mut memory = memory(Rules { budget_mode, ..Rules::default() });
        for nth in 0..6 {
            assert_eq!(exchange(&mut memory, nth, 2_400), []);
        }
        memory
    };
    let mut memory = ask();
    let warning = memory.warnings().concat();
    assert!(warning.contains(": 3 exchanges would leave and wait for your consent"), "{warning}");
    assert_eq!(memory.view().exchanges_waiting, 3);
    let changes = memory.let_leave();
    assert!(changes.len() == 1 && is_tide(&changes[0]), "{changes:?}");
    assert!(memory.layers().total() <= memory.rules().low_line());
    assert_eq!((memory.exchanges_waiting(), memory.let_leave()), (0, Vec::new()));
    let mut memory = ask();
    for nth in 6..10 {
        let changes = exchange(&mut memory, nth, 2_400);
        let causes: Vec<&str> = changes.iter().map(|change| change.cause.as_str()).collect();
        assert!(causes[0].starts_with(&format!("{} exchange", nth - 5)), "{nth}: {causes:?}");
        assert!(changes[0].after <= Tokens(16_000) && memory.exchanges_waiting() > 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn whatever_leaves_is_told_in_its_turn_with_figures_within_the_budget(
        sizes in proptest::collection::vec(prop_oneof![20..4_000_usize, 20..12_000_usize], 1..30),
        small in any::<bool>(),
    ) {
        let tokens = Tokens(if small { 2_000 } else { 16_000 });
        let mut memory = memory(Rules { token_budget: tokens, ..Rules::default() });
        for (nth, size) in sizes.into_iter().enumerate() {
            let before = talk_in(&memory);
            let changes = exchange(&mut memory, nth, size);
            let (after, total) = (talk_in(&memory), memory.layers().total());
            prop_assert!(total <= tokens);
            let is_told = changes.iter().any(|change| change.subject == Subject::Ambient);
            prop_assert!(is_told || after.starts_with(&before), "turn {}: {:?}", nth, changes);
            for tide in changes.iter().filter(|change| is_tide(change)) {
                prop_assert!(tide.before <= tokens && tide.after <= tokens, "{:?}", tide);
            }
            let later: Vec<(Role, Arc<str>)> = memory.ambient.tail().map(|message| (message.role, Arc::clone(&message.content))).collect();
            let restored = Restored { ambient_messages: 2 * (nth as u64 + 1), ambient: later, turn: memory.turn(), ..Restored::default() };
            let again = Memory::restore(*memory.rules(), memory.frame.clone(), Arc::new(Words), restored);
            prop_assert_eq!(again.window().items, memory.window().items);
        }
    }
}
