//! What leaves at the soft line, in which order, and what does not.

use super::*;
use crate::memory::ASKED_FOR;

/// Rules under which no summary leaves by its countdown, or because there are many.
fn patient() -> Rules {
    let recall_tokens = Tokens(0);
    Rules { summary_eviction_threshold: 1_000, soft_percent: 70, recall_tokens, ..Rules::default() }
}

fn with_summaries(rules: Rules, count: usize) -> Memory {
    let mut memory = memory(rules);
    for n in 0..count {
        conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 60));
    }
    memory
}

fn kinds(changes: &[Change]) -> Vec<ChangeKind> {
    changes.iter().map(|change| change.kind).collect()
}

fn front(memory: &Memory) -> Vec<(Role, Arc<str>)> {
    let window = memory.window();
    let front = window.front_messages();
    front.map(|(role, text)| (role, text.to_string().into())).collect()
}

#[test]
fn a_growing_effort_gives_way_itself_down_to_the_low_line_and_keeps_its_form_while_it_grows() {
    let mut memory = with_summaries(patient(), 10);
    memory.open("work").unwrap();
    let mut crossed = 0;
    for n in 0..40 {
        let before = front(&memory);
        let user = words(&format!("ask{n}x"), 50);
        let changes = say(&mut memory, &user, &words(&format!("say{n}x"), 1_000));
        let total = memory.layers().total();
        assert_eq!(memory.warm.len(), 10, "turn {n}");
        if changes.is_empty() {
            let after = front(&memory);
            assert!(total <= memory.rules().soft_line(), "turn {n}: {total}");
            assert_eq!(after[..before.len()], before, "turn {n}: it only grew");
        } else {
            crossed += 1;
            assert_eq!(kinds(&changes), [ChangeKind::EffortShortened], "turn {n}");
            assert!(total <= memory.rules().low_line(), "turn {n}: {total}");
            assert!(total.0 + 1_200 > memory.rules().low_line().0, "no further: {total}");
            assert_eq!(changes[0].after, total);
        }
    }
    assert!((4..14).contains(&crossed), "it left in one go, not each turn: {crossed}");
    assert_eq!(memory.active().unwrap().raw().len(), 80, "the log itself is whole");
}

#[test]
fn an_expanded_log_of_any_size_is_there_for_three_turns_and_leaves_its_summary() {
    for size in [500, 2_000, 9_000, 14_400, 40_000, 100_000] {
        let mut memory = memory(Rules::default());
        conclude(&mut memory, "auth", "The tokens had expired and are refreshed now.");
        for n in 0..10 {
            say(&mut memory, &words(&format!("talk{n}x"), 100), &words("answer", 200));
        }
        let raw: Vec<(Role, Arc<str>)> =
            (0..size / 100).map(|n| (Role::User, words(&format!("log{n}x"), 100).into())).collect();
        memory.begin_turn();
        let change = memory.expand("auth", raw).unwrap();
        let shown = memory.layers().of(Layer::Expanded).0;
        let whole = size / 100 * 100;
        assert!(shown == whole || shown > 3_500, "{size}: {shown}");
        assert_eq!(change.cause == ASKED_FOR, shown == whole, "{}", change.cause);
        assert_eq!(memory.lookup("auth").unwrap().has_excerpt(), shown < whole);
        let listed = memory.window().block_text().unwrap();
        let told = "- auth (its middle is left out)\n";
        assert!(listed.contains("- auth") && listed.contains(told) == (shown < whole), "{listed}");
        let exchange = Exchange { user: "show it".into(), assistant: "there".into() };
        memory.end_turn(&exchange);
        for turn in 1..=3 {
            assert_eq!(memory.expanded.len(), 1, "{size}: turn {turn}");
            assert_eq!(memory.layers().of(Layer::Expanded).0, shown, "{size}: turn {turn}");
            let request = memory.window_with("and what else", Tokens(2_000));
            assert!(sent(&memory, &request) <= Tokens(14_000));
            let changes = say(&mut memory, "what else", "nothing");
            let expected: &[ChangeKind] =
                if turn < 3 { &[] } else { &[ChangeKind::EffortAutoCollapsed] };
            assert_eq!(kinds(&changes), expected, "{size}: turn {turn}");
        }
        assert_eq!((memory.expanded.len(), memory.warm.len()), (0, 1), "{size}");
        assert_eq!(memory.metrics().budget_collapses, 0);
    }
}

#[test]
fn an_effort_that_grows_evicts_no_summary_before_its_own_log_was_shortened() {
    let mut memory = with_summaries(patient(), 10);
    memory.open("work").unwrap();
    let mut first = Vec::new();
    for n in 0..60 {
        let (user, reply) = (words(&format!("ask{n}x"), 50), words(&format!("say{n}x"), 1_000));
        first.extend(kinds(&say(&mut memory, &user, &reply)));
        assert_eq!(memory.warm.len(), 10, "turn {n}: {first:?}");
    }
    assert_eq!(first.first(), Some(&ChangeKind::EffortShortened));
    assert!(memory.active().unwrap().log_tokens() > Tokens(3_500), "it is not cut to nothing");
}

#[test]
fn nothing_leaves_where_that_does_not_help() {
    let mut memory = with_summaries(patient(), 10);
    memory.open("work").unwrap();
    for n in 0..3 {
        say(&mut memory, &words(&format!("paste{n}x"), 6_000), "ok");
    }
    assert!(memory.layers().total() > memory.rules().soft_line(), "the last words stay");
    assert_eq!(memory.warm.len(), 10, "ten small summaries would free too little");
    let next = say(&mut memory, "and now", "yes");
    assert!(!kinds(&next).contains(&ChangeKind::SummaryEvicted), "{next:?}");
}

#[test]
fn ambient_goes_down_to_its_window_before_an_expanded_log_or_a_summary_leaves() {
    let mut memory = with_summaries(Rules { token_budget: Tokens(8_000), ..patient() }, 10);
    let mut changes = Vec::new();
    while changes.is_empty() {
        changes = say(&mut memory, &words("ask", 100), &words("say", 190));
    }
    assert_eq!(kinds(&changes), [ChangeKind::Tide]);
    assert!(changes[0].cause.contains("tokens over the soft line"), "{}", changes[0].cause);
    assert_eq!((memory.ambient_messages(), memory.warm.len()), (20, 10));
}

#[test]
fn what_is_compressed_is_as_much_as_is_needed_and_may_fill_the_room() {
    let mut memory = memory(patient());
    memory.open("work").unwrap();
    while !memory.active().unwrap().has_excerpt() {
        assert_eq!(memory.compression_due(), None);
        say(&mut memory, &words("ask", 50), &words("say", 1_000));
    }
    let before = memory.layers().total();
    let source = memory.compression_due().expect("its middle is left out");
    let raw = memory.active().unwrap().raw_tokens.unwrap();
    assert!(source.tokens.0 < raw.0 / 3 * 2, "{} of {raw}", source.tokens);
    assert!(source.target.0 >= source.tokens.0 / 6 && source.target < source.tokens);
    let target = source.target.0 as usize;
    let kept = source.archive(|_| Ok::<_, std::convert::Infallible>("kept".to_owned())).unwrap();
    let block = kept.block(&words("fact", target - 20), &Words).unwrap();
    memory.compress(block).unwrap();
    let after = memory.layers().total();
    assert!(!memory.active().unwrap().has_excerpt());
    assert!(after <= memory.rules().low_line() && after.0 + 2_000 > before.0, "{before} {after}");
    let mut memory = self::memory(patient());
    memory.open("work").unwrap();
    while !memory.active().unwrap().has_excerpt() {
        say(&mut memory, &words("ask", 50), &words("say", 1_000));
    }
    say(&mut memory, "and", "so");
    assert_eq!(memory.compression_due(), None, "later it would break the front once more");
}

#[test]
fn a_tide_that_takes_little_breaks_no_front_at_the_soft_line() {
    for (gathered, size, ebbs) in [(1, 560, false), (10, 360, true)] {
        let mut memory = memory(patient());
        for n in 0..10 + gathered {
            say(&mut memory, &words(&format!("talk{n}x"), 40), &words("answer", size));
        }
        memory.open("work").unwrap();
        let mut changes = Vec::new();
        while changes.is_empty() {
            changes = say(&mut memory, "go on", &words("say", 1_000));
        }
        assert_eq!(kinds(&changes)[0], ChangeKind::EffortShortened);
        assert_eq!(kinds(&changes).contains(&ChangeKind::Tide), ebbs, "{gathered}: {changes:?}");
    }
}

#[test]
fn an_exchange_of_no_tokens_does_not_leave_to_make_room() {
    for (oldest, gone) in [("", 0), ("hello there", 1)] {
        let mut memory = memory(patient());
        say(&mut memory, oldest, "");
        for _ in 0..8 {
            say(&mut memory, "", "");
        }
        let mut changes = say(&mut memory, &words("long", 60_000), "");
        changes.extend(say(&mut memory, "", ""));
        let ebbs = changes.iter().filter(|change| change.kind == ChangeKind::Tide);
        assert_eq!(ebbs.count(), gone, "{changes:?}");
        assert_eq!(memory.ambient_messages(), 22 - 2 * gone);
    }
}

/// A memory whose one log is beyond half of the way to the soft line, and not beyond that.
fn half_full() -> Memory {
    let mut memory = memory(patient());
    memory.open("work").unwrap();
    while memory.layers().total() <= Tokens(9_700) {
        assert_eq!(say(&mut memory, "go on", &words("say", 500)), []);
    }
    memory
}

#[test]
fn with_a_cold_cache_long_logs_give_way_early_and_only_if_that_is_soon_needed() {
    let mut memory = half_full();
    memory.begin_turn();
    let changes = memory.leave_while_cold();
    assert_eq!(kinds(&changes), [ChangeKind::EffortShortened]);
    assert!(memory.layers().total() <= memory.rules().low_line());
    assert_eq!(memory.leave_while_cold(), [], "there is nothing left to leave");
    for rules in [
        Rules { token_budget: Tokens(18_000), ..patient() },
        Rules { seeds: true, ..patient() },
        Rules { budget_mode: BudgetMode::Ask, ..patient() },
    ] {
        let mut memory = half_full();
        memory.set_rules(rules).unwrap();
        assert_eq!(memory.leave_while_cold(), []);
    }
}

#[test]
fn where_the_front_breaks_near_its_beginning_long_logs_give_way_in_the_same_break() {
    for is_early in [true, false] {
        let mut memory = memory(patient());
        conclude(&mut memory, "auth", "The tokens had expired.");
        let raw = || vec![(Role::User, words("old", 300).into())];
        if is_early {
            memory.expand("auth", raw()).unwrap();
        }
        memory.open("work").unwrap();
        let mut changes = Vec::new();
        for turn in 0..3 {
            changes = say(&mut memory, &format!("go on {turn}"), &words("say", 3_300));
        }
        let shortened = kinds(&changes).contains(&ChangeKind::EffortShortened);
        assert_eq!(shortened, is_early, "{changes:?}");
        assert!(memory.layers().total() <= memory.rules().soft_line());
    }
}

/// Whether a change makes room at a line of the budget, and down to which tokens it was needed for.
fn line_of(memory: &Memory, change: &Change) -> Option<Tokens> {
    let rules = memory.rules();
    let evicts =
        matches!(change.kind, ChangeKind::SummaryEvicted | ChangeKind::EffortAutoCollapsed);
    match &*change.cause {
        cause if evicts && cause.ends_with("over the low line") => Some(rules.low_line()),
        cause if evicts && cause.ends_with("over the soft line") => Some(rules.soft_line()),
        cause if evicts && cause.ends_with("over the budget") => Some(rules.limit()),
        _ if change.kind == ChangeKind::EffortShortened => Some(rules.low_line()),
        cause if cause.ends_with("over the soft line") => Some(rules.low_line()),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_leaves_at_a_line_leaves_in_one_go_and_only_as_far_as_that_helps(
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let mut session = Session::new(Arc::new(Words));
        for step in steps {
            let is_turn = matches!(step, Step::Say(..));
            let changes = session.take(&step);
            let memory = &session.memory;
            if !is_turn || memory.rules().budget_mode != BudgetMode::Auto {
                continue;
            }
            let made: Vec<(&Change, Tokens)> =
                changes.iter().filter_map(|one| Some((one, line_of(memory, one)?))).collect();
            // A tide tells what was sent and what is sent, which the hard line keeps small too.
            let tides = made.iter().filter(|(one, _)| one.kind == ChangeKind::Tide);
            for (tide, _) in tides {
                let limit = memory.rules().limit();
                prop_assert!(tide.before <= limit && tide.after <= limit, "{tide:?}");
            }
            let others = made.iter().filter(|(one, _)| one.kind != ChangeKind::Tide);
            for (change, goal) in others {
                prop_assert!(change.before > *goal, "nothing beyond what is needed: {change:?}");
                prop_assert!(change.after < change.before, "{change:?}");
            }
            let total = memory.whole_layers().total();
            for (change, goal) in &made {
                let evicted = change.kind == ChangeKind::SummaryEvicted;
                prop_assert!(!evicted || total <= *goal, "{total} after {change:?}");
            }
            let turn = memory.current_turn();
            let message = memory.index.weigh(&memory.last_said);
            if !made.is_empty() && total > memory.rules().soft_line() {
                let goals = [memory.rules().low_line(), memory.rules().soft_line()];
                let more = memory.leaving(&goals, true, turn, &message);
                prop_assert_eq!(more, [], "in one go: {} of {:?}", total, memory.rules());
            }
        }
    }
}

#[test]
fn where_the_budget_sends_a_summary_away_the_soft_line_sends_others_in_the_same_turn() {
    for (said, left) in [(160, vec!["small"]), (260, vec![])] {
        let mut memory = memory(patient());
        memory.open("big").unwrap();
        say(&mut memory, &words("talk", 800), "yes");
        let source = memory.close_source(Some("big"), None).unwrap();
        memory.conclude(&source, &words("large", 350)).unwrap();
        conclude(&mut memory, "small", &words("tiny", 110));
        say(&mut memory, "and small", "yes");
        memory.set_rules(Rules { token_budget: Tokens(550), ..patient() }).unwrap();
        // What is mentioned stays at the soft line, and leaves at the budget.
        say(&mut memory, "and now", &format!("that is big {}", words("reply", said)));
        let warm = memory.warm.iter().map(|&at| memory.efforts[at].id.as_str());
        assert_eq!(warm.collect::<Vec<_>>(), left, "{said}");
        assert!(memory.layers().total() <= memory.rules().soft_line(), "{said}");
    }
}

#[test]
fn a_pinned_log_gives_way_behind_all_that_is_not_pinned() {
    let mut memory = memory(Rules { token_budget: Tokens(2_000), ..patient() });
    for id in ["held", "loose"] {
        conclude(&mut memory, id, "Concluded once.");
        let raw = (0..4).map(|n| (Role::User, words(&format!("{id}{n}x"), 100).into()));
        memory.expand(id, raw.collect()).unwrap();
    }
    memory.pin("held").unwrap();
    let whole = |window: &Window| {
        let held = Source::Expanded(EffortId::stored("held"));
        let items = window.items.iter().filter(|item| item.source == held);
        items.map(|item| item.tokens).sum::<Tokens>() >= Tokens(400)
    };
    let named = |changes: &[Change]| -> Vec<String> {
        changes.iter().map(|change| change.subject.to_string()).collect()
    };
    let changes = say(&mut memory, "mention loose and held", &words("reply", 600));
    let named_at_line = named(&changes);
    assert!(named_at_line.contains(&"loose".to_owned()), "{changes:?}");
    assert!(!named_at_line.contains(&"held".to_owned()) && whole(&memory.window()), "{changes:?}");
    // Beside a large tool exchange the replies leave before it, and what is left of the other log.
    let request = |reserved| memory.window_with("and now", Tokens(reserved));
    for reserved in [0, 500, 1_000, 1_450] {
        assert!(whole(&request(reserved)), "{reserved}: {:?}", named(&request(reserved).gave_way));
    }
    let window = request(1_800);
    assert!(named(&window.gave_way).contains(&"held".to_owned()));
    assert!(sent(&memory, &window) + Tokens(1_800) <= Tokens(2_000));
}

#[test]
fn another_budget_tells_at_once_what_it_leaves_out_and_what_is_whole_again() {
    let mut memory = memory(Rules { token_budget: Tokens(4_000), ..patient() });
    for n in 0..8 {
        say(&mut memory, &words(&format!("ask{n}x"), 20), &words("reply", 80));
    }
    let set = |memory: &mut Memory, tokens| {
        memory.set_rules(Rules { token_budget: Tokens(tokens), ..patient() }).unwrap();
        memory.forms_changed()
    };
    let changes = set(&mut memory, 500);
    assert_eq!(kinds(&changes), [ChangeKind::Shortened]);
    assert_eq!(changes[0].subject, Subject::Ambient);
    assert!(changes[0].cause.contains("exchanges left out"), "{changes:?}");
    assert_eq!(memory.forms_changed(), [], "it is told once");
    assert_eq!(kinds(&set(&mut memory, 4_000)), [ChangeKind::WholeAgain]);
    let changes = set(&mut memory, 790);
    assert!(changes[0].cause.starts_with("1 exchange left out"), "{changes:?}");
    let changes = say(&mut memory, "hm", "ok");
    assert!(kinds(&changes).contains(&ChangeKind::Tide), "{changes:?}");
    assert!(!kinds(&changes).contains(&ChangeKind::WholeAgain), "they have left: {changes:?}");
}

#[test]
fn where_all_that_could_leave_is_pinned_that_is_said_and_nobody_is_asked_for_consent() {
    for budget_mode in [BudgetMode::Auto, BudgetMode::Ask] {
        let mut memory = memory(Rules { budget_mode, ..budget(700) });
        for n in 0..8 {
            let id = format!("kept-{n}");
            conclude(&mut memory, &id, &words(&format!("word{n}x"), 60));
            memory.pin(&id).unwrap();
        }
        let told = memory.warnings().concat();
        assert!(told.contains("is pinned: 8 items with ") && told.contains("/unpin ID"), "{told}");
        for n in 0..8 {
            memory.unpin(&format!("kept-{n}")).unwrap();
        }
        let told = memory.warnings().concat();
        assert!(!told.contains("pinned") && !told.contains("0 items"), "{told}");
    }
}
