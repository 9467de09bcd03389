//! Which note leaves first.

use super::*;

#[test]
fn a_used_note_outlives_an_older_one_only_where_the_limits_say_so() {
    for (order, kept) in [(NoteOrder::Oldest, false), (NoteOrder::LeastRecentlyUsed, true)] {
        let mut memory = with(NoteLimits { order, ..NoteLimits::default() });
        memory.remember("the refresh token expires at noon", &[], Salience::default()).unwrap();
        for _ in 0..35 {
            say(&mut memory, "hm");
            remember(&mut memory, &[]);
        }
        // By its words, by its number, by a search.
        say(&mut memory, "why do refresh tokens go stale");
        say(&mut memory, "and N2?");
        assert!(memory.use_note(NoteId(3)) && !memory.use_note(NoteId(99)));
        memory.check_notes();
        let left = session(&memory);
        assert_eq!([1, 2, 3].map(|id| left.contains(&id)), [kept; 3], "{order:?}");
    }
}

#[test]
fn of_notes_used_in_one_turn_the_less_salient_leaves_first() {
    let order = NoteOrder::LeastRecentlyUsed;
    let limits =
        NoteLimits { order, soft_limit: 3, hard_limit: 9, batch_size: 2, ..NoteLimits::default() };
    let mut memory = with(limits);
    for stars in [2, 3, 1] {
        memory.remember("a fact", &[], Salience::new(stars).unwrap()).unwrap();
    }
    assert_eq!(touched(&memory.check_notes().changes, ChangeKind::NoteArchived), [3, 1]);
}

#[test]
fn importance_grows_with_stars_finds_and_mentions_and_later_ones_say_less() {
    let mut memory = memory();
    memory.remember("the refresh token expires at noon", &[], Salience(1)).unwrap();
    let importance = |memory: &Memory| memory.note(NoteId(1)).unwrap().importance();
    assert_eq!(importance(&memory), 2);
    // Question and answer mention it, but it is one turn.
    let both = "why do refresh tokens go stale";
    memory.begin_turn();
    memory.end_turn(&Exchange { user: both.into(), assistant: both.into() });
    assert_eq!(memory.note(NoteId(1)).unwrap().usage.mentions, 1);
    assert_eq!(importance(&memory), 3);
    for _ in 0..14 {
        say(&mut memory, "and n1?");
    }
    assert_eq!(importance(&memory), 2 + 4, "fifteen mentions");
    memory.use_note(NoteId(1));
    assert_eq!(importance(&memory), 2 + 4 + 2, "and a find");
    memory.weigh_note(NoteId(1), Salience(3)).unwrap();
    assert_eq!(importance(&memory), 6 + 4 + 2);
    let most = Usage { mentions: u64::MAX, finds: u64::MAX, last_found: None };
    let note = Note { usage: most, ..memory.note(NoteId(1)).unwrap().clone() };
    assert_eq!(note.importance(), 6 + 63 + 126);
}

#[test]
fn the_least_important_note_leaves_first_where_the_limits_say_so() {
    let order = NoteOrder::Importance;
    let limits =
        NoteLimits { order, soft_limit: 5, hard_limit: 9, batch_size: 3, ..NoteLimits::default() };
    let mut memory = with(limits);
    for stars in [1, 3, 2, 1, 2] {
        memory.remember("a fact", &[], Salience(stars)).unwrap();
    }
    memory.use_note(NoteId(1));
    say(&mut memory, "n1 again");
    let check = memory.check_notes();
    // n4 has one star; of n3 and n5 with two each the older is first; n1 was found and mentioned.
    assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), [4, 3, 5]);
    assert_eq!(check.changes[0].cause, "least important, 5 notes at the soft limit of 5");
}

#[test]
fn a_pinned_note_leaves_by_itself_only_at_the_hard_limit_and_last() {
    let mut memory = filled(NoteLimits::default(), 50, &[]);
    memory.pin_note(NoteId(1), true).unwrap();
    let removed = touched(&memory.check_notes().changes, ChangeKind::NoteRemoved);
    assert_eq!(removed, (2..=11).collect::<Vec<u64>>());
    let archived = touched(&memory.check_notes().changes, ChangeKind::NoteArchived);
    assert_eq!(archived, (12..=20).collect::<Vec<u64>>(), "the oldest ten but the pinned one");

    let mut memory = filled(NoteLimits::default(), 52, &[]);
    for id in 1..=50 {
        memory.pin_note(NoteId(id), true).unwrap();
    }
    let removed = touched(&memory.check_notes().changes, ChangeKind::NoteRemoved);
    assert_eq!(removed, [51, 52, 1], "as few pinned ones as it takes");
    assert_eq!(memory.check_notes().changes, [], "all pinned, below the hard limit");
}
