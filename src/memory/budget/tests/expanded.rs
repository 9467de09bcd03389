//! Logs that somebody expanded while there was little room.

use super::*;
use crate::memory::Effort;

/// Two concluded efforts and long replies outside any, the first of them longer.
fn after_replies(of: [usize; 2]) -> Memory {
    let mut memory = memory(Rules::default());
    conclude(&mut memory, "roof", "Tiles were chosen.");
    conclude(&mut memory, "boat", "Paint was bought.");
    for (nth, words_of) in of.into_iter().enumerate() {
        say(&mut memory, &format!("essay {nth}"), &words(&format!("say{nth}x"), words_of));
    }
    memory
}

fn expand(memory: &mut Memory, tokens: usize) {
    let message = |n| (Role::User, words(&format!("tile{n}x"), 100).into());
    memory.expand("roof", (0..tokens / 100).map(message).collect()).unwrap();
}

fn expanded(memory: &Memory) -> u64 {
    memory.layers().of(Layer::Expanded).0
}

fn kinds(changes: &[Change]) -> Vec<ChangeKind> {
    changes.iter().map(|change| change.kind).collect()
}

#[test]
fn what_was_expanded_only_now_gives_way_no_further_than_the_soft_line_needs() {
    for is_cold in [false, true] {
        // The low line cannot be reached.
        let mut memory = after_replies([10, 10_500]);
        expand(&mut memory, 2_500);
        assert_eq!(expanded(&memory), 2_500, "there is room");
        let mut shown = Vec::new();
        for turn in 0..2 {
            memory.begin_turn();
            if is_cold && turn == 0 {
                assert_eq!(memory.leave_while_cold(), []);
            }
            shown.push(expanded(&memory));
            say(&mut memory, "hm", "ok");
        }
        assert_eq!(shown, [2_500; 2], "cold: {is_cold}");
    }
    // Where it does not fit, it is as long as it may be.
    let mut memory = after_replies([10, 13_000]);
    expand(&mut memory, 2_500);
    say(&mut memory, "hm", "ok");
    let (total, soft) = (memory.layers().total(), memory.rules().soft_line());
    assert!(total <= soft && total.0 + 200 > soft.0, "{total}");
}

#[test]
fn a_log_without_its_middle_is_whole_again_with_the_tide_that_made_the_room() {
    let mut memory = after_replies([9_000, 4_000]);
    expand(&mut memory, 2_600);
    assert!(expanded(&memory) < 2_300);
    let changes = say(&mut memory, "hm", "ok");
    assert_eq!(kinds(&changes), [ChangeKind::Tide, ChangeKind::WholeAgain], "{changes:?}");
    assert_eq!(changes[1].subject.to_string(), "roof");
    assert_eq!(changes[1].after, memory.layers().total());
    assert_eq!(expanded(&memory), 2_600);
    assert!(!memory.lookup("roof").unwrap().has_excerpt());
}

#[test]
fn between_two_tides_a_log_without_its_middle_breaks_the_front_for_nothing() {
    let mut memory = after_replies([9_000, 4_000]);
    expand(&mut memory, 2_600);
    let shown = expanded(&memory);
    memory.set_rules(Rules { token_budget: Tokens(40_000), ..Rules::default() }).unwrap();
    assert_eq!(say(&mut memory, "hm", "ok"), []);
    assert_eq!(expanded(&memory), shown, "there is room, and the cache keeps the front");
}

#[test]
fn what_is_expanded_elsewhere_is_restored_without_its_middle_and_beside_all_summaries() {
    let mut memory = after_replies([3_000, 9_000]);
    expand(&mut memory, 3_000);
    let (roof, boat) = (memory.effort(&EffortId::stored("roof")), &memory.efforts[1]);
    let roof = roof.unwrap();
    assert!(roof.has_excerpt());
    let raw: Vec<(Role, Arc<str>)> =
        roof.raw().iter().map(|one| (one.role, Arc::clone(&one.content))).collect();
    let stored = |effort: &Effort| RestoredEffort {
        id: effort.id.clone(),
        status: Status::Concluded,
        summary: effort.summary(),
        tags: Vec::new(),
        specifics: Vec::new(),
        pinned: false,
        last_referenced: Some(effort.last_referenced),
        cause: None,
        last_used: effort.last_used,
        nth_used: 0,
        raw_tokens: effort.raw_tokens,
        raw_messages: effort.raw_messages,
        evicted: false,
        raw: Vec::new(),
        turns: Vec::new(),
        blocks: Vec::new(),
    };
    let ambient: Vec<(Role, Arc<str>)> =
        memory.ambient.tail().map(|one| (one.role, Arc::clone(&one.content))).collect();
    let expansion =
        RestoredExpansion { id: roof.id.clone(), raw, place: None, blocks: roof.blocks().to_vec() };
    let restored = Restored {
        turn: memory.turn(),
        efforts: vec![stored(roof), stored(boat)],
        expanded: vec![expansion],
        ambient_messages: ambient.len() as u64,
        ambient,
        ..Restored::default()
    };
    let seen = Memory::restore(*memory.rules(), memory.frame().clone(), Arc::new(Words), restored);
    assert_eq!(seen.layers(), memory.layers());
    assert_eq!(text_of(&seen.window()), text_of(&memory.window()));
}

#[test]
fn the_panel_tells_what_the_next_request_begins_with_once_the_cache_is_cold() {
    let mut memory = after_replies([4_000, 9_000]);
    assert_eq!(memory.view_at_rest(false).next_request(), memory.layers().total());
    for n in 0..9 {
        say(&mut memory, &format!("hm {n}"), "ok");
    }
    let view = memory.view_at_rest(true);
    let mut next = memory.clone();
    next.leave_while_cold();
    assert_eq!(view.next_request(), next.layers().total());
    assert!(view.next_request() < view.layers.total(), "something leaves");
}
