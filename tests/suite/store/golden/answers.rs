//! What the readers of the journal answer, as text.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ebbtide::memory::{
    Change, ChangeKind, EffortId, FullHistory, Memory, Note, Subject, Tier, Tokens, Turn, Was,
    Window,
};
use ebbtide::store::{ChangeSet, Store, look, sessions};

use super::life;
use crate::support::session::Words;

/// Longest text that is shown whole.
const SHOWN: usize = 90;

fn short(text: &str) -> String {
    let plain = text.escape_debug().to_string();
    match plain.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &plain[..end]),
        None => plain,
    }
}

fn tokens(tokens: Option<Tokens>) -> String {
    tokens.map_or_else(|| "?".into(), |tokens| tokens.0.to_string())
}

fn window(window: &Window) -> String {
    let mut out = String::new();
    for item in &window.items {
        let (layer, role) = (item.layer.as_str(), item.role.as_str());
        let _ =
            writeln!(out, "  {layer:<9} {role:<9} {:>3} {}", item.tokens.0, short(&item.content));
    }
    out
}

fn note(note: &Note) -> String {
    let Note { id, content, tags, salience, created, entered, last_used, pinned, .. } = note;
    let effort = note.effort.as_ref().map_or("-", EffortId::as_str);
    let (state, usage, thread) = (note.state.as_str(), note.usage, note.thread.map(|id| id.0));
    format!(
        "{id} {state} '{content}' {tags:?} {} of {created}, in since {entered}, used {last_used}, pinned \
         {pinned}, {effort}, {usage:?}, {thread:?}",
        salience.stars()
    )
}

fn memory(memory: &Memory) -> String {
    let active = memory.active().map_or("-", |effort| effort.id.as_str());
    let mut out = format!("turn {}, active {active}, {:?}\n", memory.turn(), memory.metrics());
    for effort in memory.efforts() {
        let (status, raw) = (effort.status.as_str(), effort.raw().len());
        let _ = writeln!(
            out,
            "{} {status} warm {} pinned {} referenced {} ({}) used {} log {} of {} tokens, {raw} here, {} \
             blocks, {:?}, {:?}: {}",
            effort.id,
            memory.tier(effort) == Tier::Warm,
            effort.pinned,
            effort.last_referenced,
            effort.cause,
            effort.last_used,
            effort.raw_messages,
            tokens(effort.raw_tokens),
            effort.blocks().len(),
            effort.tags,
            effort.specifics,
            effort.summary().as_deref().unwrap_or("-"),
        );
    }
    memory.searchable_notes().for_each(|one| out.extend([note(one), "\n".into()]));
    let _ = writeln!(out, "last note {}", memory.last_note());
    out + &window(&memory.window())
}

/// Memory as it is after opening, and how the session tells of what is broken.
pub(super) fn loaded(dir: &Path) -> String {
    let session = life::open(dir);
    let mut out = memory(&session.memory);
    session.problems.iter().for_each(|problem| out.extend([&*problem.0, "\n"]));
    let _ = writeln!(out, "interrupted: {:?}", session.interrupted);
    let totals = session.memory.totals();
    let FullHistory { tokens, is_counted } = totals.full_history;
    let _ = writeln!(out, "{:?} {:?}", (tokens, is_counted), totals.logs);
    session.close();
    let manifest = std::fs::read_to_string(dir.join("manifest.yaml")).unwrap();
    out + &super::at_one_moment(&manifest)
}

fn was(was: &Was) -> String {
    let active = was.active.as_ref().map_or("-", EffortId::as_str);
    let (turn, cause) = was.referenced.clone().unzip();
    format!(
        "{} active {active} {} messages, referenced {:?} {:?}, {:?}",
        was.state.as_str(),
        was.messages,
        turn.map(|turn| turn.0),
        cause.as_deref(),
        was.summary.as_deref().map(short)
    )
}

fn change(change: &Change) -> String {
    let mut out = format!(
        "  turn {} {} ({}) {} -> {}\n",
        change.turn,
        change.banner(),
        short(&change.cause),
        change.before,
        change.after
    );
    if let Some(before) = &change.was {
        let _ = writeln!(out, "    was {}", was(before));
    }
    if let Some(edit) = &change.note {
        let before = edit.before.as_ref().map(note);
        let _ = writeln!(out, "    note {before:?}\n    then {}", note(&edit.after));
    }
    out
}

fn set(set: &ChangeSet) -> String {
    let changes: String = set.changes.iter().map(change).collect();
    format!("{}:\n{changes}", set.batch)
}

/// All deeds that can be undone; then what some steps back and forth do.
pub(super) fn undo_and_redo(dir: &Path) -> String {
    let mut session = life::open(dir);
    let mut out = String::from("can be undone\n");
    let mut before = None;
    while let Some(found) = session.store.undoable(before).unwrap() {
        before = Some(found.batch);
        out += &set(&found);
    }
    let redoable = session.store.redoable().unwrap();
    let _ = writeln!(out, "can be redone: {:?}", redoable.as_ref().map(set));
    for _ in 0..12 {
        let Some(undone) = life::undo(&mut session) else { break };
        let _ = writeln!(out, "undone {}", undone.batch);
    }
    for _ in 0..5 {
        let Some(redone) = life::redo(&mut session) else { break };
        let _ = writeln!(out, "redone {}", redone.batch);
    }
    out + &memory(&session.memory)
}

/// The journal as people read it.
pub(super) fn journal(dir: &Path) -> String {
    let session = life::open(dir);
    let line = |entry: ebbtide::store::JournalEntry| {
        let (kind, cause) = (entry.kind.as_str(), short(&entry.cause));
        let (turn, at, id, standing) = (entry.turn, entry.at, entry.id, entry.standing);
        format!(
            "{turn} {at} {kind} {id:?} ({cause}) {} -> {} {standing:?}\n",
            entry.before, entry.after
        )
    };
    session.store.reader().journal().unwrap().into_iter().map(line).collect()
}

/// The changes of single items, newest first.
pub(super) fn changes(dir: &Path) -> String {
    let session = life::open(dir);
    let mut out = String::new();
    for id in ["auth-bug", "n1", "bread", "message", "no-such"] {
        let subject = Subject::stored(ChangeKind::LeftOut, id);
        let (found, all) = session.store.changes_of(&subject, 100).unwrap();
        let _ = writeln!(out, "{id}: {}, all {all}", found.len());
        for past in found {
            let summary = past.summary.as_deref().map(short);
            let _ = write!(out, "  {} {summary:?}\n{}", past.at, change(&past.change));
        }
    }
    out
}

/// What was said and what happened, page by page.
pub(super) fn transcript(dir: &Path) -> String {
    let reader = Store::open(dir).unwrap().store.reader();
    let (mut out, mut before) = (String::new(), None);
    loop {
        let page = reader.transcript_before(before.as_ref(), 25).unwrap();
        for entry in page.entries {
            let turn = entry.turn.map(|turn| turn.0);
            let log = entry.log.as_ref().map(EffortId::as_str);
            let text = short(&entry.text);
            let _ = writeln!(out, "{:?} {turn:?} {log:?} {:?} {text}", entry.kind, entry.at);
        }
        out.push_str("--\n");
        before = page.earlier;
        if before.is_none() {
            return super::at_one_moment(&out);
        }
    }
}

/// Lines beside those before: `=3` stands for three at the beginning or the end that are the same.
fn since(before: &mut String, lines: String) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), lines.lines().collect());
    let most = old.len().min(new.len());
    let first = (0..most).find(|&at| old[at] != new[at]).unwrap_or(most);
    let is_other = |at: &usize| old[old.len() - 1 - at] != new[new.len() - 1 - at];
    let last = (0..most - first).find(is_other).unwrap_or(most - first);
    let same = |count: usize| if count > 0 { format!("={count}\n") } else { String::new() };
    let other: String = new[first..new.len() - last].iter().flat_map(|line| [line, "\n"]).collect();
    let told = same(first) + &other + &same(last);
    *before = lines;
    told
}

/// Memory and window as they were after each turn, each as what differs from the turn before.
pub(super) fn past(dir: &Path) -> String {
    let session = life::open(dir);
    let reader = session.store.reader();
    let span = reader.span().unwrap();
    let mut out = format!("{span:?}\n");
    let (first, last) = span.unwrap();
    let (mut rules, mut items, mut sent) = (String::new(), String::new(), String::new());
    for turn in first.0..=last.0 + 1 {
        let moment = reader.moment(Turn(turn), session.memory.scratchpad()).unwrap();
        let Some(moment) = moment else {
            let _ = writeln!(out, "turn {turn}: nothing is told");
            continue;
        };
        let _ = writeln!(out, "turn {turn}: {:?}\n{:?}", moment.request, moment.past.totals);
        let these = format!("{:?}\n{:?}\n", moment.past.rules, moment.past.limits);
        if rules != these {
            out += &these;
            rules = these;
        }
        let mut told = String::new();
        moment.past.notes.iter().for_each(|one| told.extend([note(one), "\n".into()]));
        let (view, then) = Memory::as_it_was(moment.past, Arc::new(Words));
        let lists = [("open", view.open), ("expanded", view.expanded), ("warm", view.warm)];
        for (tier, items) in lists.into_iter().chain([("evicted", view.manifest.recent)]) {
            for item in items {
                let (id, turn, cause) = (item.id, item.last_referenced, item.cause);
                let (whole, summary) = (item.whole, item.summary.unwrap_or_default());
                let _ = writeln!(
                    told,
                    "{tier} {id} {turn} ({cause}) {} of {whole}: {summary}",
                    item.tokens
                );
            }
        }
        let _ = writeln!(told, "waiting {:?}", view.waiting);
        out += &since(&mut items, told);
        out += &since(&mut sent, window(&then));
    }
    out
}

/// A session that is only looked at, and its line in the list.
pub(super) fn looked(dir: &Path) -> String {
    let looked = look(dir, 10).unwrap();
    let restored = looked.restored;
    let mut out = format!("{} {} {:?}\n", looked.title, restored.turn, restored.active);
    for effort in &restored.efforts {
        let (id, summary) = (&effort.id, effort.summary.as_deref().unwrap_or("-"));
        let turn = effort.last_referenced.map(|turn| turn.0);
        let _ = writeln!(out, "{id} {turn:?} {:?} {}: {summary}", effort.cause, effort.raw.len());
    }
    restored.notes.iter().for_each(|one| out.extend([note(one), "\n".into()]));
    looked.problems.iter().for_each(|problem| out.extend([&*problem.0, "\n"]));
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("it");
    std::fs::create_dir(&home).unwrap();
    std::fs::copy(dir.join("journal.jsonl"), home.join("journal.jsonl")).unwrap();
    for session in sessions(root.path()) {
        let _ = writeln!(out, "{} {} {:?}", session.name, session.turns, session.title);
    }
    out
}

/// The export for people.
pub(super) fn exported(dir: &Path) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    let home = tempfile::tempdir().unwrap();
    program.env_clear().env("HOME", home.path()).arg("export").arg("--session").arg(dir);
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let name = dir.file_name().unwrap().to_str().unwrap();
    super::at_one_moment(&text).replace(name, "NAME")
}
