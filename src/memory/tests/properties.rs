//! What holds whatever a client does to memory.

use proptest::prelude::*;

use super::*;

/// One thing that a client may do to memory.
#[derive(Debug, Clone)]
enum Step {
    Open(usize),
    Close(usize),
    Expand(usize),
    Collapse(usize),
    Switch(usize),
    Reopen(usize),
    Refresh(usize),
    Say(String, String),
    /// What is done in a turn, before its reply.
    Within(Vec<Step>),
    Fail,
}

fn command() -> impl Strategy<Value = Step> {
    let n = 0..6_usize;
    prop_oneof![
        2 => n.clone().prop_map(Step::Open),
        2 => n.clone().prop_map(Step::Close),
        1 => n.clone().prop_map(Step::Expand),
        1 => n.clone().prop_map(Step::Collapse),
        1 => n.clone().prop_map(Step::Switch),
        1 => n.clone().prop_map(Step::Reopen),
        1 => n.prop_map(Step::Refresh),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let words = proptest::collection::vec("(e[0-5]|token|refresh|cause|ok|the)", 0..8)
        .prop_map(|words| words.join(" "));
    let concluded = (0..6_usize).prop_map(|n| vec![Step::Close(n), Step::Expand(n)]);
    let commands = prop_oneof![concluded, proptest::collection::vec(command(), 1..5)];
    prop_oneof![
        8 => command(),
        3 => commands.prop_map(Step::Within),
        6 => (words.clone(), words).prop_map(|(user, model)| Step::Say(user, model)),
        1 => Just(Step::Fail),
    ]
}

fn apply(memory: &mut Memory, step: &Step) -> Vec<Change> {
    let id = |n: usize| format!("e{n}");
    let log = || raw(&["it answers 401", "check the token refresh"]);
    let outcome = match step {
        Step::Open(n) => memory.open(&id(*n)),
        Step::Close(n) => memory.close_source(Some(&id(*n)), None).and_then(|source| {
            let summary =
                if source.may_stand_for_itself() { source.text() } else { "short".into() };
            memory.conclude(&source, &summary)
        }),
        Step::Expand(n) => memory.expand(&id(*n), log()),
        Step::Collapse(n) => memory.collapse(&id(*n)),
        Step::Switch(n) => memory.switch(&id(*n)),
        Step::Reopen(n) => memory.reopen(&id(*n), log()),
        Step::Refresh(n) => {
            return memory.refresh(&EffortId::stored(&id(*n)), "asked").into_iter().collect();
        }
        Step::Say(user, model) => return say(memory, user, model),
        Step::Within(commands) => {
            memory.begin_turn();
            for command in commands {
                apply(memory, command);
            }
            let exchange = Exchange { user: "so be it".into(), assistant: "it is done".into() };
            return memory.end_turn(&exchange).changes;
        }
        Step::Fail => {
            memory.begin_turn();
            memory.abandon_turn();
            return Vec::new();
        }
    };
    outcome.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_books_balance(steps in proptest::collection::vec(step(), 0..80)) {
        let mut memory = memory();
        for step in &steps {
            apply(&mut memory, step);
            let window = memory.window();
            prop_assert_eq!(window.layers, memory.layers(), "kept sums are the window's");
            let counted: Tokens = window.items.iter().map(|i| Words.count(&i.content)).sum();
            prop_assert_eq!(counted + Tokens(1), window.layers.total(), "each item at its cost");
            for effort in memory.efforts() {
                let places = [
                    effort.status == Status::Open,
                    effort.expanded_at().is_some(),
                    effort.warm,
                    memory.evicted_efforts().any(|gone| gone.id == effort.id),
                ];
                prop_assert_eq!(places.iter().filter(|&&here| here).count(), 1, "{:?}", effort);
            }
        }
    }

    #[test]
    fn the_same_input_gives_the_same_output(steps in proptest::collection::vec(step(), 0..60)) {
        let (mut one, mut two) = (memory(), memory());
        for step in &steps {
            prop_assert_eq!(apply(&mut one, step), apply(&mut two, step));
        }
        prop_assert_eq!(one.window(), two.window());
    }

    #[test]
    fn every_change_that_moves_tokens_says_so(steps in proptest::collection::vec(step(), 0..60)) {
        let mut memory = memory();
        for step in &steps {
            let changes = apply(&mut memory, step);
            if let Some(last) = changes.last() {
                prop_assert_eq!(last.after, memory.layers().total());
            }
            prop_assert!(changes.iter().all(|change| !change.cause.is_empty()));
        }
    }
}
