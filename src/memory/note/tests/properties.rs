//! What holds for any history of notes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// One thing that may happen to notes.
#[derive(Debug, Clone)]
enum Step {
    Remember(Vec<String>, u64),
    Edit(u64),
    Pin(u64, bool),
    Delete(u64),
    Archive(u64),
    Return(u64),
    Use(u64),
    Undo(usize),
    Check,
    Say(String),
    /// Many turns pass.
    Wait,
}

fn step() -> impl Strategy<Value = Step> {
    let id = 1..12_u64;
    let label = prop_oneof![Just("insight"), Just("todo"), Just("Insight")].prop_map(str::to_owned);
    prop_oneof![
        8 => (proptest::collection::vec(label, 0..3), 1..4_u64)
            .prop_map(|(tags, stars)| Step::Remember(tags, stars)),
        1 => id.clone().prop_map(Step::Edit),
        1 => (id.clone(), any::<bool>()).prop_map(|(id, pinned)| Step::Pin(id, pinned)),
        1 => id.clone().prop_map(Step::Delete),
        1 => id.clone().prop_map(Step::Archive),
        1 => id.clone().prop_map(Step::Return),
        1 => id.prop_map(Step::Use),
        1 => (0..40_usize).prop_map(Step::Undo),
        3 => Just(Step::Check),
        2 => "(a fact|n[1-9]|hm)".prop_map(Step::Say),
        1 => Just(Step::Wait),
    ]
}

fn apply(memory: &mut Memory, step: &Step, history: &[Change]) -> Vec<Change> {
    let outcome = match step {
        Step::Remember(tags, stars) => {
            memory.remember("a certain fact", tags, Salience::new(*stars).unwrap())
        }
        Step::Edit(id) => memory.edit_note(NoteId(*id), "another fact entirely"),
        Step::Pin(id, pinned) => memory.pin_note(NoteId(*id), *pinned),
        Step::Delete(id) => memory.delete_note(NoteId(*id)),
        Step::Archive(id) => memory.archive_note(NoteId(*id)),
        Step::Return(id) => {
            return memory.return_note(NoteId(*id), "back on request").unwrap_or_default();
        }
        Step::Use(id) => {
            memory.use_note(NoteId(*id));
            return Vec::new();
        }
        Step::Undo(back) => {
            let change = history.iter().rev().nth(*back);
            let edit = change.and_then(|change| change.note.as_deref());
            return edit.map(|edit| memory.undo_note(edit)).into_iter().collect();
        }
        Step::Check => return memory.check_notes().changes,
        Step::Say(text) => {
            say(memory, text);
            return Vec::new();
        }
        Step::Wait => {
            (0..20).for_each(|_| say(memory, "hm"));
            return Vec::new();
        }
    };
    outcome.into_iter().collect()
}

fn small() -> NoteLimits {
    NoteLimits { soft_limit: 5, hard_limit: 8, batch_size: 3, ..NoteLimits::default() }
}

/// Small limits of every kind.
fn limits() -> impl Strategy<Value = NoteLimits> {
    let order = proptest::sample::select(NoteOrder::ALL.to_vec());
    (any::<bool>(), order, any::<bool>()).prop_map(|(adaptive, order, threads)| NoteLimits {
        adaptive,
        order,
        threads,
        ..small()
    })
}

/// What a check must do, counted without the code under test: a full batch at the hard limit (pinned
/// ones only as far as it takes), at the soft limit at least one if any may leave, else nothing.
fn expected_to_leave(memory: &Memory) -> std::ops::RangeInclusive<usize> {
    let notes: Vec<&Note> = memory.notes.in_session().map(|held| &held.note).collect();
    let (limits, stats) = (memory.note_limits(), memory.note_stats());
    let free = notes.iter().filter(|note| !note.pinned).count();
    let loose = notes.iter().filter(|note| !note.pinned && !note.tags.contains(&"insight".into()));
    if notes.len() >= stats.hard_limit {
        let least = limits.batch_size.min(free.max(notes.len() - stats.hard_limit + 1));
        least..=limits.batch_size
    } else if notes.len() >= stats.soft_limit {
        let loose = loose.count();
        // Whole threads leave, as long as half of the soft limit stays.
        let above_half = if limits.threads { notes.len() - stats.soft_limit / 2 } else { 0 };
        loose.min(1)..=limits.batch_size.max(above_half).min(loose)
    } else {
        0..=0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_check_takes_one_batch_and_repeated_checks_end_below_the_hard_limit(
        steps in proptest::collection::vec(step(), 0..80),
        limits in limits(),
    ) {
        let mut memory = with(limits);
        let mut history = Vec::new();
        for step in &steps {
            let expected = expected_to_leave(&memory);
            let changes = apply(&mut memory, step, &history);
            if matches!(step, Step::Check) {
                prop_assert!(expected.contains(&changes.len()), "{expected:?}: {changes:?}");
            }
            history.extend(changes);
        }
        let count = memory.note_stats().current;
        for _ in 0..=count {
            memory.check_notes();
        }
        // Below the hard limit whatever is pinned or protected; at or above the soft limit only if
        // nothing that is left may leave.
        let stats = memory.note_stats();
        prop_assert!(stats.current < stats.hard_limit);
        let loose = memory
            .view().notes
            .session
            .into_iter()
            .any(|view| !view.protected && !view.note.pinned);
        prop_assert!(stats.current < stats.soft_limit || !loose);
    }

    #[test]
    fn every_note_is_in_the_session_permanent_or_held_by_the_change_that_removed_it(
        steps in proptest::collection::vec(step(), 0..80),
        limits in limits(),
    ) {
        let mut memory = with(limits);
        let mut last: BTreeMap<NoteId, Note> = BTreeMap::new();
        let mut history: Vec<Change> = Vec::new();
        for step in &steps {
            let changes = apply(&mut memory, step, &history);
            for change in &changes {
                let edit = change.note.as_deref().unwrap();
                prop_assert!(!change.cause.is_empty());
                let known = last.get(&edit.after.id);
                let known = known.filter(|note| note.state != NoteState::Removed);
                if let (Some(known), Some(before)) = (known, &edit.before) {
                    // Use moves no tokens and is no change; all else is as the last change left it.
                    let (last_used, usage) = (known.last_used, known.usage);
                    let before = Note { last_used, usage, ..before.clone() };
                    prop_assert_eq!(&before, known);
                }
                last.insert(edit.after.id, edit.after.clone());
            }
            if let Some(change) = changes.last() {
                prop_assert_eq!(change.after, memory.layers().total());
            }
            history.extend(changes);
            prop_assert_eq!(memory.window().layers, memory.layers());
            for (id, note) in &last {
                let held = memory.note(*id).map(|held| held.state);
                let expected = (note.state != NoteState::Removed).then_some(note.state);
                prop_assert_eq!(held, expected);
                prop_assert_eq!(
                    memory.notes.session.contains(id),
                    note.state == NoteState::Session
                );
            }
        }
        prop_assert_eq!(memory.last_note(), last.len() as u64);
        prop_assert_eq!(reloaded(&memory).view().notes.session.len(), memory.note_stats().current);
    }

    #[test]
    fn undoing_everything_backwards_ends_without_a_note(
        steps in proptest::collection::vec(step(), 0..60),
        limits in limits(),
    ) {
        let mut memory = with(limits);
        let mut history: Vec<Change> = Vec::new();
        for step in steps.iter().filter(|step| !matches!(step, Step::Undo(_))) {
            history.extend(apply(&mut memory, step, &[]));
        }
        for change in history.iter().rev() {
            let edit = change.note.as_deref().unwrap();
            memory.undo_note(edit);
            let now = memory.note(edit.after.id).map(|note| (&note.content, note.state, note.pinned));
            let then = edit.before.as_ref().map(|note| (&note.content, note.state, note.pinned));
            prop_assert_eq!(now, then);
        }
        prop_assert_eq!(memory.searchable_notes().count(), 0);
    }

    #[test]
    fn at_the_soft_limit_whole_threads_leave_but_nothing_pinned_or_protected(
        steps in proptest::collection::vec(step(), 0..60),
        limits in limits(),
    ) {
        let mut memory = with(NoteLimits { threads: true, ..limits });
        for step in &steps {
            let (threads, stats) = (memory.notes.threads(), memory.note_stats());
            let notes: Vec<Note> =
                memory.notes.in_session().map(|held| held.note.clone()).collect();
            let changes = apply(&mut memory, step, &[]);
            let archived = changes.iter().all(|change| change.kind == ChangeKind::NoteArchived);
            if !matches!(step, Step::Check) || !archived {
                continue;
            }
            let left: Vec<&Note> =
                changes.iter().map(|change| &change.note.as_ref().unwrap().after).collect();
            let stays = |note: &Note| note.pinned || note.tags.contains(&"insight".into());
            prop_assert!(!left.iter().any(|note| stays(note)));
            let of = |note: &Note| threads.of(note.id);
            let torn = notes.iter().filter(|note| {
                let has_left = left.iter().any(|one| one.id == note.id);
                !has_left && !stays(note) && left.iter().any(|one| of(one) == of(note))
            });
            let half = left.len() >= 3 && notes.len() - left.len() <= stats.soft_limit / 2;
            prop_assert!(half || torn.count() == 0, "{left:?}");
        }
    }

    #[test]
    fn what_returns_with_its_thread_stays_at_the_next_check(
        steps in proptest::collection::vec(step(), 0..60),
        limits in limits(),
        id in 1..12_u64,
    ) {
        let mut memory = with(NoteLimits { threads: true, ..limits });
        for step in &steps {
            apply(&mut memory, step, &[]);
        }
        let before = memory.note_stats().current;
        let returned = memory.return_note(NoteId(id), "back on request").unwrap_or_default();
        let stats = memory.note_stats();
        prop_assert_eq!(stats.current, before + returned.len());
        prop_assert!(returned.len() <= 1 || stats.current < stats.soft_limit);
        prop_assert!(returned.len() <= 1 || memory.check_notes().changes.is_empty());
    }

    #[test]
    fn a_restart_changes_neither_the_limits_nor_what_leaves_next(
        steps in proptest::collection::vec(step(), 0..60),
        limits in limits(),
    ) {
        let mut memory = with(limits.clone());
        let mut history = Vec::new();
        for step in &steps {
            history.extend(apply(&mut memory, step, &history));
        }
        let mut again = reloaded(&memory);
        again.set_note_limits(limits).unwrap();
        prop_assert_eq!(again.view().notes, memory.view().notes);
        for _ in 0..3 {
            // The restored memory has no ambient talk, so the window costs less.
            let [left, expected] = [again.check_notes(), memory.check_notes()];
            prop_assert_eq!(left.lines, expected.lines);
            let edits = |changes: Vec<Change>| -> Vec<(String, Option<Box<NoteEdit>>)> {
                changes.into_iter().map(|change| (change.cause, change.note)).collect()
            };
            prop_assert_eq!(edits(left.changes), edits(expected.changes));
        }
        prop_assert_eq!(again.view().notes, memory.view().notes);
    }

    #[test]
    fn the_same_steps_give_the_same_notes(
        steps in proptest::collection::vec(step(), 0..60),
        limits in limits(),
    ) {
        let (mut one, mut two) = (with(limits.clone()), with(limits));
        let mut history = Vec::new();
        for step in &steps {
            let changes = apply(&mut one, step, &history);
            prop_assert_eq!(&changes, &apply(&mut two, step, &history));
            history.extend(changes);
        }
        prop_assert_eq!(one.window(), two.window());
        prop_assert_eq!(one.view().notes, two.view().notes);
    }

    #[test]
    fn any_text_makes_one_line_or_is_refused(
        content in any::<String>(),
        tag in any::<String>(),
        stars in any::<u64>(),
    ) {
        let mut memory = memory();
        let salience = Salience::new(stars % 5).unwrap_or_default();
        if memory.remember(&content, &[tag], salience).is_ok() {
            let line = memory.note(NoteId(1)).unwrap().line();
            prop_assert_eq!(line.lines().count(), 1);
            prop_assert!(line.ends_with('\n') && !line.trim_end().contains(char::is_control));
            prop_assert!(line.starts_with("- [n1 ★"));
        }
    }
}
