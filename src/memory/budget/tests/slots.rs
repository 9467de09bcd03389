//! How many items the window holds at most.

use super::*;

#[test]
fn slots_limit_the_number_of_items() {
    let mut memory = memory(Rules { slots: Some(4), ..Rules::default() });
    for n in 0..9 {
        conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 10));
    }
    memory.expand("job-2", vec![(Role::User, "the log".into())]).unwrap();
    say(&mut memory, "hm", "ok");
    assert_eq!(memory.warm.len() + memory.expanded.len(), 4);
}

#[test]
fn where_much_was_concluded_and_what_is_needed_is_recalled_a_few_items_are_enough() {
    let held = |rules: Rules, count: usize| {
        let mut memory = memory(rules);
        for n in 0..count {
            conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 10));
        }
        say(&mut memory, "hm", "ok");
        memory.warm.len()
    };
    let rules = Rules { summary_eviction_threshold: 1_000, ..Rules::default() };
    assert_eq!([held(rules, 8), held(rules, 9), held(rules, 40)], [8, 3, 3]);
    assert_eq!(held(Rules { recall_tokens: Tokens(0), ..rules }, 40), 40);
    assert_eq!(held(Rules { seeds: true, ..rules }, 40), 40);
}

#[test]
fn what_is_pinned_takes_no_place_unless_places_are_set() {
    let held = |slots: Option<usize>| {
        let rules = Rules { slots, summary_eviction_threshold: 1_000, ..Rules::default() };
        let mut memory = memory(rules);
        for n in 0..3 {
            conclude(&mut memory, &format!("pinned-{n}"), &words(&format!("pin{n}x"), 10));
            memory.pin(&format!("pinned-{n}")).unwrap();
        }
        for n in 0..20 {
            conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 10));
        }
        say(&mut memory, "hm", "ok");
        memory.warm.len()
    };
    assert_eq!([held(None), held(Some(4))], [6, 4]);
}

#[test]
fn what_leaves_when_one_more_comes_in_is_told_before() {
    let mut memory = memory(Rules { slots: Some(3), ..Rules::default() });
    assert_eq!(memory.view().slots.map(|slots| (slots.taken, slots.next)), Some((0, None)));
    for n in 0..3 {
        conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 10));
        say(&mut memory, "hm", "ok");
    }
    memory.pin("job-0").unwrap();
    let slots = memory.view().slots.unwrap();
    let next = slots.next.unwrap();
    assert_eq!((slots.taken, slots.most, next.as_str()), (3, 3, "job-1"));
    conclude(&mut memory, "job-3", &words("word3x", 10));
    say(&mut memory, "hm", "ok");
    assert_eq!(memory.tier(memory.effort(&next).unwrap()), Tier::Evicted);
    memory.set_rules(Rules { seeds: true, ..Rules::default() }).unwrap();
    assert_eq!(memory.view().slots, None, "their number is not limited");
}

#[test]
fn what_somebody_expanded_is_sent_until_its_turns_are_over() {
    for is_cold in [false, true] {
        let mut memory = memory(Rules::default());
        for n in 0..16 {
            conclude(&mut memory, &format!("job-{n}"), &words(&format!("word{n}x"), 10));
            say(&mut memory, &format!("what of job-{n}"), "ok");
        }
        memory.expand("job-2", vec![(Role::User, words("lexer", 900).into())]).unwrap();
        if is_cold {
            memory.leave_while_cold();
        }
        let mut sent = Vec::new();
        for _ in 0..4 {
            sent.push(text_of(&memory.window_with("hm", Tokens(0))).contains("lexer7 lexer8"));
            say(&mut memory, "hm", "ok");
        }
        assert_eq!(sent, [true, true, true, false], "cold: {is_cold}");
        assert!(memory.warm.len() + memory.expanded.len() <= MOST_WITH_RECALL);
    }
}
