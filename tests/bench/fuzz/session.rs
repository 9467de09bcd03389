//! A session's directory, damaged in every way: whoever looks changes nothing, a refusal leaves every byte, and
//! the words of untouched lines are all still there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ebbtide::config::Settings;
use ebbtide::memory::{Exchange, Salience, Turn};
use ebbtide::orchestrator::{ExportFormat, export, inspect};
use ebbtide::store::{Changing, Draft, Drafts, Label, Paste, Step};
use tempfile::TempDir;

use super::damage::damage;
use super::played::{Command, Session, Words};
use super::random::Random;

/// The files of a session by their names below its directory.
type Files = BTreeMap<String, Vec<u8>>;

/// Damages a session, looks at it, opens it, plays a turn, closes it and opens it again.
pub(crate) fn case(random: &mut Random) {
    let bases = bases();
    let mut files = bases[random.below(bases.len())].clone();
    let whole = files.clone();
    let told = damage(random, &mut files);
    let dir = directory();
    write(dir.path(), &files);
    let told = if random.once_in(20) { told + &unusual(random, dir.path()) } else { told };
    let before = read(dir.path());
    look(random, dir.path());
    let by_looking = changed(&before, &read(dir.path()));
    assert!(by_looking.is_empty(), "looking has changed {by_looking:?}: {told}");
    let Some(mut session) = open(dir.path()) else {
        let by_opening = changed(&before, &read(dir.path()));
        assert!(by_opening.is_empty(), "refused, and {by_opening:?} changed: {told}");
        return;
    };
    let handed_back = session.interrupted.take();
    session.turn("a message afterwards", "and its answer", &[]);
    session.close();
    look(random, dir.path());
    let session = open(dir.path()).unwrap_or_else(|| panic!("not opened a second time: {told}"));
    let said = said(&session);
    let after = read(dir.path());
    for (name, line) in untouched(&whole, &before) {
        // Words without their reply go back to the line, and stand in the journal.
        if handed_back.is_some() && words_of(line) == handed_back {
            continue;
        }
        let is_kept = after.values().any(|content| contains(content, line));
        assert!(is_kept, "a line of {name} is gone: {}: {told}", String::from_utf8_lossy(line));
        let Some(words) = words_of(line) else { continue };
        assert!(said.contains(&words), "{words:?} of {name} is in no log: {told}");
    }
    assert!(said.contains("and its answer"), "the turn afterwards is gone: {told}");
}

/// Puts something that is no file in the place of one, and tells what.
fn unusual(random: &mut Random, dir: &Path) -> String {
    let name = random.one(&[
        "journal.jsonl",
        "manifest.yaml",
        "raw.jsonl",
        "efforts/auth-bug.jsonl",
        "efforts/guild.jsonl",
        "efforts",
        "notes.json",
        "memory_state.json",
        "session_state.json",
        "pending.json",
        "draft.json",
        "counts.json",
        "scratchpad",
        "scratchpad/index.jsonl",
        "history",
    ]);
    let path = dir.join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    // Where a file of that name cannot be, nothing is put.
    let (what, _) = match random.below(3) {
        0 => ("a directory", fs::create_dir(&path)),
        1 => ("a link to nothing", std::os::unix::fs::symlink("nowhere", &path)),
        _ => ("a link to itself", std::os::unix::fs::symlink(&path, &path)),
    };
    format!("[{what} in the place of {name}]")
}

/// The names of the files that are not as they were. What the index of everything said lacks is added to it by whoever
/// searches first; it is made of the others alone.
fn changed(before: &Files, after: &Files) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let is_made_of_others = |name: &&String| name.starts_with("index/");
    let changed = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    changed.filter(|name| !is_made_of_others(name)).cloned().collect()
}

/// Opens and loads a session as the program does; `None` if it is refused.
fn open(dir: &Path) -> Option<Session> {
    let mut session = Session::try_open(dir).ok()?;
    session.store.note_opening(&session.memory).ok()?;
    Some(session)
}

/// What only looks: of the forms of an export and the turns of the past one each, since these cost most.
fn look(random: &mut Random, dir: &Path) {
    let settings = Settings::default();
    if let Ok(inspected) = inspect(dir, &settings, Arc::new(Words)) {
        let _ = inspected.search("auth word3", 5);
        let _ = (inspected.memory.view(), inspected.memory.window());
        if let Some((first, last)) = inspected.time_machine.span().ok().flatten() {
            let _ = inspected.time_machine.turn(random.one(&[first, Turn(last.0 / 2), last]));
        }
    }
    let format = random.one(&[ExportFormat::Json, ExportFormat::Markdown]);
    let _ = export(dir, format, &mut Vec::new());
}

/// All that the logs of a session hold, as one text.
fn said(session: &Session) -> String {
    let reader = session.store.reader();
    let mut all = String::new();
    for (_, text) in reader.ambient_log().unwrap_or_default() {
        all.push_str(&text);
        all.push('\n');
    }
    for effort in session.memory.efforts() {
        for (_, text) in reader.read_log(&effort.id).unwrap_or_default() {
            all.push_str(&text);
            all.push('\n');
        }
    }
    all
}

/// The whole lines of logs that stand in the damaged files as they stood before.
fn untouched<'a>(whole: &'a Files, damaged: &Files) -> Vec<(&'a str, &'a [u8])> {
    let is_log = |name: &str| name == "raw.jsonl" || name.starts_with("efforts/");
    let mut lines = Vec::new();
    for (name, content) in whole.iter().filter(|(name, _)| is_log(name)) {
        let Some(now) = damaged.get(name) else { continue };
        let end = now.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let now: Vec<&[u8]> = now[..end].split(|&byte| byte == b'\n').collect();
        let old = content.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.extend(old.filter(|line| now.contains(line)).map(|line| (name.as_str(), line)));
    }
    lines
}

fn words_of(line: &[u8]) -> Option<String> {
    let fields: serde_json::Value = serde_json::from_slice(line).ok()?;
    let role = fields["role"].as_str()?;
    let said = fields["content"].as_str().filter(|_| role == "user" || role == "assistant")?;
    Some(said.to_owned())
}

fn contains(content: &[u8], part: &[u8]) -> bool {
    content.windows(part.len()).any(|window| window == part)
}

/// In memory where the system has such a place, so that a case costs no disk.
fn directory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary directory")
}

fn write(dir: &Path, files: &Files) {
    for (name, content) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("the file is written");
    }
}

fn read(dir: &Path) -> Files {
    let mut files = Files::new();
    let mut waiting = vec![String::new()];
    while let Some(below) = waiting.pop() {
        for item in fs::read_dir(dir.join(&below)).expect("a directory") {
            let item = item.expect("an item");
            let name = format!("{below}{}", item.file_name().to_string_lossy());
            let kind = item.file_type().expect("a kind");
            if kind.is_dir() {
                waiting.push(format!("{name}/"));
            } else if kind.is_symlink() {
                let target = fs::read_link(item.path()).expect("the link is read");
                files.insert(name, target.into_os_string().into_encoded_bytes());
            } else if name != "lock" {
                files.insert(name, fs::read(item.path()).expect("the file is read"));
            }
        }
    }
    files
}

/// Sessions as the program and as another one left them; made once.
fn bases() -> &'static [Files] {
    static BASES: OnceLock<Vec<Files>> = OnceLock::new();
    BASES.get_or_init(|| {
        let (begun, replied) = under_way();
        vec![played(), foreign(), interrupted(), begun, replied]
    })
}

fn played() -> Files {
    let dir = directory();
    let mut session = open(dir.path()).expect("the session opens");
    let long = "many words that make it worth a summary ".repeat(12);
    session.turn("word1 hi", "word2 hello", &[]);
    session.turn(&format!("word3 {long}"), "word4 ok", &[Command::Open("auth-bug")]);
    session.turn("word5 more", "word6 ok", &[Command::Close("auth-bug", "Fixed auth with word3.")]);
    session.turn("word7 go", "word8 ok", &[Command::Open("perf")]);
    let kept = session.memory.remember("the port is 8080", &["fact".into()], Salience::default());
    session.record(&[kept.expect("a note")], Step::Done);
    session.turn("word9 go", "word10 ok", &[Command::Close("perf", "Made fast.")]);
    session.turn("word11 show", "word12 here", &[Command::Expand("auth-bug")]);
    session.turn("word13 { [ \" \\", "word14 é漢👍🏽\n\n", &[Command::Open("guild")]);
    let text = "a large text ".repeat(400);
    let pad = session.store.scratchpad_mut();
    let label = Label { key: "facts", description: "all facts", what: "facts" };
    pad.save(label, text.as_bytes(), &Words).expect("it is saved");
    session.turn("word15 on", "word16 on", &[]);
    session.store.draft_file().keep(&drafts()).expect("the drafts are kept");
    session.close();
    read(dir.path())
}

fn drafts() -> Drafts {
    let paste = Paste { label: "[paste 1: 1 line, 5 bytes]".into(), text: "pasted".into() };
    let line = Draft { text: format!("see {}", paste.label), pastes: vec![paste], id: None };
    let before = Changing { before: "before".into(), queued: Some((1, "waited".into())) };
    Drafts {
        line,
        changing: Some(Box::new(before)),
        waiting: vec![Draft { id: Some(7), ..Draft::from("word40 waits") }, "/budget 8k".into()],
        aside: vec!["waited".into()],
        ..Drafts::default()
    }
}

/// A turn under way: its words are on disk, and then its reply as well, logged but not counted.
fn under_way() -> (Files, Files) {
    let dir = directory();
    write(dir.path(), &played());
    let mut session = open(dir.path()).expect("the session opens");
    let turn = session.memory.begin_turn();
    let log = session.memory.log_of_turn().cloned();
    session.store.begin_turn(turn, "word32 typed", log.as_ref()).expect("the turn begins");
    let begun = read(dir.path());
    session.store.note_finish(Some("length"));
    let exchange = Exchange { user: "word32 typed".into(), assistant: "word33 said".into() };
    session.store.log_exchange(turn, log.as_ref(), &exchange).expect("the exchange is logged");
    (begun, read(dir.path()))
}

/// As another program writes it, without a journal; counted once.
fn foreign() -> Files {
    let line = |role: &str, text: &str| {
        format!(
            "{{\"role\": \"{role}\", \"content\": \"{text}\", \"ts\": \"2026-01-01T10:00:00\"}}\n"
        )
    };
    let log = |from: usize| {
        let pair = |n: usize| {
            line("user", &format!("word{n} a")) + &line("assistant", &format!("word{n} b"))
        };
        (from..from + 3).map(pair).collect::<String>().into_bytes()
    };
    let manifest = "efforts:\n- id: auth-bug\n  status: concluded\n  summary: 'Tokens: fixed.'\n  raw_file: \
         efforts/auth-bug.jsonl\n  tags: [a, b]\n- id: guild\n  status: open\n  summary: null\n  raw_file: \
         efforts/guild.jsonl\n  theirs: {deep: [1, {x: y}]}\n";
    let memory = "{\"expanded\": [\"auth-bug\"], \"last_referenced_turn\": {\"auth-bug\": 3}}";
    let files = Files::from([
        ("manifest.yaml".into(), manifest.into()),
        ("raw.jsonl".into(), log(1)),
        ("efforts/auth-bug.jsonl".into(), log(10)),
        ("efforts/guild.jsonl".into(), log(20)),
        ("session_state.json".into(), "{\"turn_count\": 9, \"updated\": \"x\"}".into()),
        ("memory_state.json".into(), memory.into()),
    ]);
    let dir = directory();
    write(dir.path(), &files);
    let inspected = inspect(dir.path(), &Settings::default(), Arc::new(Words));
    inspected.expect("the session is read").keep_sizes();
    read(dir.path())
}

/// As a kill leaves it: the reply is complete and not logged.
fn interrupted() -> Files {
    let mut files = played();
    let at = files["efforts/guild.jsonl"].len();
    let pending = format!(
        "{{\"turn\":9,\"user\":\"word30 typed\",\"shown\":null,\"ts\":\"t\",\"reply\":{{\"text\":\"word31 \
         said\",\"ts\":\"t\",\"log\":\"guild\",\"file\":\"efforts/guild.jsonl\",\"offset\":{at}}}}}"
    );
    files.insert("pending.json".into(), pending.into());
    files
}
