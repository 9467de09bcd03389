//! The notes' life cycle: what the limits do to so many notes (the working-memory seed).

use std::sync::Arc;

use super::Outcome;
use crate::memory::{
    ChangeKind, CountTokens, Frame, Memory, NoteLimits, NotePreset, Rules, Salience,
};

/// What one check should do to notes of one kind.
struct Case {
    preset: NotePreset,
    notes: usize,
    /// The tags of each, with spaces between.
    tags: &'static str,
    /// Notes archived and removed.
    archived: usize,
    removed: usize,
}

const fn case(
    preset: NotePreset,
    notes: usize,
    tags: &'static str,
    archived: usize,
    removed: usize,
) -> Case {
    Case { preset, notes, tags, archived, removed }
}

use NotePreset::{Interactive, Production, Research};

const CASES: &[Case] = &[
    case(Interactive, 34, "todo", 0, 0),
    case(Interactive, 35, "todo", 10, 0),
    case(Interactive, 35, "insight", 0, 0),
    case(Interactive, 35, "todo insight", 0, 0),
    case(Interactive, 35, "decision todo", 0, 0),
    case(Interactive, 35, "todo debugging", 10, 0),
    case(Interactive, 35, "insightful Insight", 10, 0),
    case(Interactive, 49, "todo", 10, 0),
    case(Interactive, 49, "decision", 0, 0),
    case(Interactive, 50, "todo", 0, 10),
    case(Interactive, 50, "insight", 0, 10),
    case(Interactive, 50, "todo insight", 0, 10),
    case(Interactive, 60, "important", 0, 10),
    case(Production, 24, "todo", 0, 0),
    case(Production, 34, "todo", 10, 0),
    case(Production, 35, "personal", 0, 0),
    case(Production, 49, "todo", 0, 10),
    case(Production, 60, "permanent", 0, 10),
    case(Research, 49, "todo", 0, 0),
    case(Research, 50, "todo", 10, 0),
    case(Research, 60, "architecture", 0, 0),
    case(Research, 75, "insight", 0, 10),
];

/// Checks each preset at and around its limits, with protected tags, with others and with both (each tag is
/// compared by itself), and that whatever left comes back by undoing.
pub(super) fn life_cycle(counter: &Arc<dyn CountTokens>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut off = Vec::new();
    let mut undone = true;
    for case in CASES {
        let step = format!("{} notes tagged {} ({})", case.notes, case.tags, case.preset.as_str());
        let mut memory = filled(case, Arc::clone(counter));
        let before = memory.layers().total();
        let check = memory.check_notes();
        let of = |kind| check.changes.iter().filter(|change| change.kind == kind).count();
        let measured = (of(ChangeKind::NoteArchived), of(ChangeKind::NoteRemoved));
        let after = memory.layers().total();
        outcome.row(
            &step,
            &left(case.archived, case.removed),
            format!("{}; window {before} -> {after} tokens", left(measured.0, measured.1)),
        );
        if measured != (case.archived, case.removed) {
            off.push(step);
        }
        for edit in check.changes.iter().rev().filter_map(|change| change.note.as_deref()) {
            memory.undo_note(edit);
        }
        undone &= memory.note_stats().current == case.notes && memory.layers().total() == before;
    }
    let cases = CASES.len();
    outcome.claim(
        "every limit does what the seed says",
        off.is_empty(),
        match off.len() {
            0 => format!("{cases} of {cases} cases"),
            _ => off.join("; "),
        },
    );
    outcome.claim(
        "undoing brings every note back, at the same cost",
        undone,
        format!("{cases} checks undone"),
    );
    outcome
}

fn filled(case: &Case, counter: Arc<dyn CountTokens>) -> Memory {
    let frame = Frame {
        system_prompt: crate::prompt::system().into(),
        tools: crate::tools::definitions().to_string().into(),
    };
    let mut memory = Memory::new(Rules::default(), frame, counter);
    // The limits of a preset are consistent, and every note is a good one: tests hold both.
    let _ = memory.set_note_limits(NoteLimits::preset(case.preset));
    let tags: Vec<String> = case.tags.split(' ').map(str::to_owned).collect();
    for n in 1..=case.notes {
        let content = format!("Fact number {n} is worth a line.");
        let _ = memory.remember(&content, &tags, Salience::default());
    }
    memory
}

fn left(archived: usize, removed: usize) -> String {
    match (archived, removed) {
        (0, 0) => "all stay".to_owned(),
        (archived, 0) => format!("{archived} archived"),
        (0, removed) => format!("{removed} removed"),
        (archived, removed) => format!("{archived} archived, {removed} removed"),
    }
}
