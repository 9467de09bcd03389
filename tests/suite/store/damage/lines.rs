//! Lines of logs that are torn, unreadable or impossible.

use std::fs;

use ebbtide::store::Label;

use super::*;
use crate::support::program::copy_program;

#[test]
fn a_torn_log_line_swallows_nothing() {
    for name in ["raw.jsonl", "efforts/guild.jsonl", "journal.jsonl"] {
        let dir = played();
        let path = dir.path().join(name);
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"role\":\"user\",\"content\":\"ha");
        fs::write(&path, &text).unwrap();
        let mut session = Session::open(dir.path());
        assert_eq!(session.problems.len(), 1, "{name}: {:?}", session.problems);
        assert!(session.problems[0].0.contains(name.rsplit('/').next().unwrap()));
        session.turn("next", "message", &[]);
        drop(session);
        let session = Session::open(dir.path());
        assert_eq!(session.problems, [], "{name}");
        assert_eq!(session.log("guild"), ["g1", "ok", "g2", "ok", "next", "message"]);
        let torn = dir.path().join(format!("{name}.torn-1"));
        assert_eq!(fs::read_to_string(torn).unwrap(), "{\"role\":\"user\",\"content\":\"ha");
    }
}

#[test]
fn an_unreadable_line_in_the_middle_is_skipped_reported_and_kept() {
    let dir = played();
    for name in ["raw.jsonl", "efforts/guild.jsonl"] {
        let path = dir.path().join(name);
        let text = fs::read(&path).unwrap();
        let end = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let bad = b"{\"role\":\"user\",\"content\":\"\xff\xfe\n";
        fs::write(&path, [&text[..end], bad, &text[end..]].concat()).unwrap();
    }
    let mut session = Session::open(dir.path());
    assert_eq!(session.problems.len(), 2, "{:?}", session.problems);
    session.turn("g3", "ok", &[]);
    assert_eq!(session.log("guild"), ["g1", "ok", "g2", "ok", "g3", "ok"]);
    let text = fs::read(dir.path().join("efforts/guild.jsonl")).unwrap();
    assert!(text.windows(2).any(|pair| pair == b"\xff\xfe"));
}

#[test]
fn what_was_appended_to_a_torn_line_is_read() {
    for name in ["raw.jsonl", "efforts/guild.jsonl"] {
        let dir = played();
        let path = dir.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let torn = "{\"role\":\"user\",\"content\":\"half of \\\"{\\\"ro";
        let later = said("said later: {\"role\": 1}") + &answered("and answered");
        fs::write(&path, format!("{text}{torn}{later}")).unwrap();
        let looked = look(dir.path(), 10).unwrap();
        let all: Vec<String> = looked
            .restored
            .ambient
            .iter()
            .chain(looked.restored.efforts.iter().flat_map(|e| &e.raw))
            .map(|(_, text)| text.to_string())
            .collect();
        assert!(all.contains(&"said later: {\"role\": 1}".to_owned()), "{name}: {all:?}");
        assert!(all.contains(&"and answered".to_owned()), "{name}: {all:?}");
        assert_eq!(looked.problems.len(), 1, "{name}: {:?}", looked.problems);
        let session = Session::open(dir.path());
        assert_eq!(session.problems.len(), 1, "{name}");
        assert!(fs::read_to_string(&path).unwrap().contains(torn), "what is torn stays");
    }
}

#[test]
fn a_torn_line_of_the_scratchpads_index_costs_no_other_item() {
    let dir = played();
    let label = |key| Label { key, description: "said so", what: key };
    let mut session = Session::open(dir.path());
    for key in ["one", "two", "three"] {
        let text = format!("the text of {key}");
        let counter = crate::support::session::Words;
        session.store.scratchpad_mut().save(label(key), text.as_bytes(), &counter).unwrap();
    }
    session.close();
    let path = dir.path().join("scratchpad/index.jsonl");
    let lines: Vec<String> =
        fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let described = |dir: &Path| {
        let session = Session::open(dir);
        let items = session.store.scratchpad().items().iter();
        (items.filter(|item| &*item.description == "said so").count(), session.problems.len())
    };
    // Another program appended behind a torn line.
    fs::write(&path, format!("{}{}\n{}\n", &lines[0][..20], lines[1], lines[2])).unwrap();
    assert_eq!(described(dir.path()), (2, 1), "one is found by its file");
    // The last line is torn: it is set aside, and the next one stands alone.
    fs::write(&path, format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..20])).unwrap();
    assert_eq!(described(dir.path()), (2, 2));
    assert_eq!(
        fs::read_to_string(dir.path().join("scratchpad/index.jsonl.torn-1")).unwrap(),
        lines[2][..20]
    );
    let mut session = Session::open(dir.path());
    let counter = crate::support::session::Words;
    session.store.scratchpad_mut().save(label("four"), &b"four"[..], &counter).unwrap();
    session.close();
    assert_eq!(described(dir.path()).0, 3);
}

#[test]
fn the_words_of_a_record_behind_the_counted_turns_are_not_thrown_away() {
    let record = "{\"turn\":3,\"user\":\"typed\",\"ts\":\"\",\"reply\":";
    let dir = played();
    fs::remove_file(dir.path().join("journal.jsonl")).unwrap();
    fs::write(dir.path().join("pending.json"), format!("{record}null}}")).unwrap();
    assert_eq!(Session::open(dir.path()).interrupted.as_deref(), Some("typed"));
    for file in ["efforts/guild.jsonl", "raw.jsonl", "../out.jsonl", "scratchpad/x.txt"] {
        let dir = played();
        let reply = format!(
            "{{\"text\":\"replied\",\"ts\":\"\",\"log\":null,\"file\":\"{file}\",\"offset\":7}}}}"
        );
        fs::write(dir.path().join("pending.json"), record.to_owned() + &reply).unwrap();
        look(dir.path(), 10).unwrap();
        let session = Session::open(dir.path());
        assert_eq!(session.memory.turn(), turn(8), "{file}");
        session.close();
        let logs = content(dir.path());
        let holds = |word: &[u8]| {
            logs.values().flatten().any(|log| log.windows(word.len()).any(|part| part == word))
        };
        assert!(holds(b"\"content\":\"typed\"") && holds(b"\"content\":\"replied\""), "{file}");
    }
}

#[test]
fn the_words_of_a_record_with_impossible_numbers_are_kept() {
    for number in ["4503599627370496", "18446744073709551615", "-1", "1e300", "\"x\"", "null"] {
        let dir = played();
        let pending = dir.path().join("pending.json");
        let unanswered = format!("{{\"turn\":{number},\"user\":\"typed\",\"reply\":null}}");
        fs::write(&pending, unanswered).unwrap();
        assert_eq!(Session::open(dir.path()).interrupted.as_deref(), Some("typed"), "{number}");

        let dir = played();
        let pending = dir.path().join("pending.json");
        let answered = format!(
            "{{\"turn\":{number},\"user\":\"typed\",\"reply\":{{\"text\":\"replied\",\"log\":\"guild\",\
             \"file\":\"efforts/guild.jsonl\",\"offset\":{number}}}}}"
        );
        fs::write(&pending, &answered).unwrap();
        assert_eq!(look(dir.path(), 10).unwrap().restored.turn, turn(9), "{number}");
        let session = Session::open(dir.path());
        assert_eq!(session.memory.turn(), turn(9), "{number}");
        assert_eq!(session.log("guild")[4..], ["typed", "replied"], "{number}");
        session.close();
        // The end of the process may have come between the log and the journal: said once, all the same.
        let again = answered.replacen(number, "9", 1);
        fs::write(&pending, again).unwrap();
        let session = Session::open(dir.path());
        assert_eq!(session.log("guild").len(), 6, "{number}");
        session.close();
    }
}

#[test]
fn a_log_that_an_effort_no_longer_names_stays_with_the_one_that_took_it_up() {
    let dir = tempdir().unwrap();
    let manifest =
        "efforts:\n- id: auth\n  status: concluded\n  summary: Fixed.\n  raw_file: efforts/au";
    fs::create_dir(dir.path().join("efforts")).unwrap();
    fs::write(dir.path().join("manifest.yaml"), manifest).unwrap();
    fs::write(dir.path().join("efforts/auth.jsonl"), said("logged") + &answered("yes")).unwrap();
    for _ in 0..3 {
        let mut session = Session::open(dir.path());
        assert_eq!(session.log("auth-recovered")[..2], ["logged", "yes"]);
        session.turn("on", "we go", &[]);
        session.close();
    }
}

#[test]
fn a_turn_that_was_read_is_read_again_however_large_it_is() {
    let huge = |exponent: u32| 1_u64 << exponent;
    for number in [huge(38), huge(39), huge(40) - 1, huge(40), huge(40) + 1] {
        let dir = played();
        let state = dir.path().join("session_state.json");
        let mut fields: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
        fields["turn_count"] = number.into();
        fs::write(&state, fields.to_string()).unwrap();
        // What the first opening puts right stays right.
        for nth in 0..4 {
            let mut session = Session::open(dir.path());
            let told = session.problems.iter().any(|it| it.to_string().contains("names no turn"));
            assert!(!told || nth < 2, "{number}, opening {nth}: {:?}", session.problems);
            session.turn(&format!("words {nth}"), "so be it", &[]);
            session.close();
        }
        assert!(!dir.path().join("session_state.json.broken-2").exists(), "{number}");
        let said = fs::read_to_string(dir.path().join("efforts/guild.jsonl")).unwrap();
        assert!((0..4).all(|nth| said.contains(&format!("words {nth}"))), "{number}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_log_that_may_not_be_read_refuses_the_session_before_anything_changes() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    /// Who has no rights but its own; root may read everything.
    const NOBODY: u32 = 65_534;
    let dir = played();
    let log = dir.path().join("efforts/guild.jsonl");
    assert!(log.exists());
    let mut torn = fs::read(dir.path().join("journal.jsonl")).unwrap();
    torn.extend_from_slice(b"{\"torn");
    fs::write(dir.path().join("journal.jsonl"), torn).unwrap();
    let unlocked = || {
        let mut content = content(dir.path());
        content.remove(&dir.path().join("lock").display().to_string());
        content
    };
    let before = unlocked();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o000)).unwrap();
    let program = tempfile::tempdir().unwrap();
    let copy = program.path().join("ebbtide");
    copy_program(&copy);
    let mut command = std::process::Command::new(&copy);
    command.args(["--offline", "-p", "hello", "--session"]).arg(dir.path());
    command.env_clear().env("HOME", program.path());
    if fs::metadata(dir.path()).unwrap().uid() == 0 {
        let below = [dir.path().to_owned(), dir.path().join("efforts"), program.path().to_owned()];
        let files = below.iter().flat_map(|dir| fs::read_dir(dir).unwrap());
        let files = files.map(|item| item.unwrap().path());
        for path in files.chain(below.clone()) {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("guild.jsonl"), "{error}");
    fs::set_permissions(&log, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(unlocked(), before, "{error}");
}

/// What was said in [`played`], in its order.
const SAID: [&str; 16] = [
    "hi", "hello", "a1", "ok", "a2", "ok", "p1", "ok", "p2", "ok", "chat", "sure", "g1", "ok",
    "g2", "ok",
];

/// What is told of the past when a session is opened whose journal was changed, and how often a journal that does not tell
/// everything is spoken of.
fn told_with(change: impl FnOnce(Vec<String>) -> String) -> (Vec<String>, usize) {
    let dir = played();
    let path = dir.path().join("journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(journal.split_inclusive('\n').map(str::to_owned).collect())).unwrap();
    let session = Session::open(dir.path());
    let spoken = session.problems.iter().filter(|it| it.0.contains("their own turn numbers"));
    let told = session.opened.iter().filter(|text| SAID.contains(&text.as_str())).cloned();
    (told.collect(), spoken.count())
}

#[test]
fn what_a_damaged_or_cut_journal_does_not_tell_of_is_shown_in_its_place() {
    let whole = told_with(|lines| lines.concat());
    assert_eq!(whole, (SAID.map(str::to_owned).to_vec(), 0));
    let dir = played();
    let journal = fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    let is_turn = |line: &str| line.contains("\"kind\":\"turn\"");
    for (at, line) in journal.lines().enumerate() {
        if is_turn(line) {
            for damaged in ["\"kind\":\"turl\"", "\"kind\":\"tu\u{fffd}"] {
                let (told, spoken) = told_with(|mut lines| {
                    lines[at] = lines[at].replace("\"kind\":\"turn\"", damaged);
                    lines.concat()
                });
                assert_eq!(
                    (told.as_slice(), spoken),
                    (whole.0.as_slice(), 1),
                    "{damaged} in {line}"
                );
            }
        }
        let (told, spoken) = told_with(|lines| lines[..at].concat());
        assert_eq!(told, SAID, "cut before line {at}");
        let cuts_turns = journal.lines().skip(at).any(is_turn) && at > 0;
        assert_eq!(spoken, usize::from(cuts_turns), "cut before line {at}");
    }
}
