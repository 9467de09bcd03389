//! The scratchpad as its users need it: whole, safe, and by parts.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use proptest::prelude::*;

use super::super::StopFlag;
use super::*;
use crate::memory::tests::Words;
use crate::store::refused::{Deed, refuse};

fn pad(dir: &Path) -> Scratchpad {
    Scratchpad::open(&Paths::new(dir), &mut Vec::new()).unwrap()
}

const FILE: Label<'_> = Label { key: "big", description: "", what: "the file" };

fn save(pad: &mut Scratchpad, key: &str, text: &str) -> Result<ScratchItem, PadError> {
    let label = Label { key, description: "a text", what: "the text" };
    pad.save(label, Cursor::new(text.as_bytes()), &Words)
}

fn joined(pad: &Scratchpad, item: &ScratchItem) -> String {
    (1..=item.chunks).map(|number| pad.chunk(&item.key, number).unwrap().text).collect()
}

#[test]
fn an_item_survives_a_restart_and_a_lost_index() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = pad(dir.path());
    let item = save(&mut first, "ref:plan", "one two\nthree\n").unwrap();
    assert_eq!((item.bytes, item.lines, item.tokens, item.exact), (14, 2, Tokens(3), true));
    assert_eq!(pad(dir.path()).items(), std::slice::from_ref(&item));
    fs::write(dir.path().join("scratchpad/index.jsonl"), "{\"key\": torn").unwrap();
    fs::write(dir.path().join("scratchpad/half.part"), "half").unwrap();
    let mut problems = Vec::new();
    let again = Scratchpad::open(&Paths::new(dir.path()), &mut problems).unwrap();
    assert_eq!((again.items().len(), problems.len()), (1, 2), "the torn end, the missing item");
    assert_eq!(again.chunk("plan", 1).unwrap().text, "one two\nthree\n");
    assert!(!dir.path().join("scratchpad/half.part").exists());
    let mut problems = Vec::new();
    let third = Scratchpad::open(&Paths::new(dir.path()), &mut problems).unwrap();
    assert_eq!((third.items(), problems.len()), (again.items(), 0), "what was repaired is saved");
}

#[test]
fn what_the_disk_did_not_confirm_is_not_stored() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = pad(dir.path());
    save(&mut first, "one", "one two").unwrap();
    for refused in ["scratchpad", "scratchpad/plan.part"] {
        refuse(&dir.path().join(refused), Deed::Sync, 1);
        assert!(save(&mut first, "plan", "one two").is_err());
        let mut problems = Vec::new();
        let again = Scratchpad::open(&Paths::new(dir.path()), &mut problems).unwrap();
        assert_eq!((again.items().len(), problems.len()), (1, 0), "{refused}");
    }
    refuse(&dir.path().join("scratchpad/plan.txt"), Deed::Read, 1);
    assert!(save(&mut first, "plan", "one two").is_err());
    assert_eq!(pad(dir.path()).items().len(), 1, "what cannot be read back to be counted");
    save(&mut first, "plan", "one two").unwrap();
}

#[test]
fn a_description_in_the_index_is_as_short_as_one_that_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    save(&mut pad(dir.path()), "plan", "one two").unwrap();
    let index = dir.path().join("scratchpad/index.jsonl");
    let line = fs::read_to_string(&index).unwrap();
    fs::write(&index, line.replace("a text", &"[ \\n".repeat(100_000))).unwrap();
    let again = pad(dir.path());
    assert_eq!(&*again.items()[0].description, "[ ".repeat(60));
}

#[test]
fn keys_never_lead_out_and_nothing_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    for key in ["", "..", "a/b", "../x", ".hidden", "a..b", "a\nb", "x y", &"k".repeat(65)] {
        assert!(matches!(save(&mut pad, key, "x"), Err(PadError::BadKey { .. })), "{key}");
        assert!(pad.item(key).is_err());
    }
    let coloured = pad.item("\u{1b}[31mk/\u{9b}0mx").unwrap_err().to_string();
    assert!(coloured.contains("'k/x'"), "{coloured}");
    save(&mut pad, "plan", "first").unwrap();
    let taken = save(&mut pad, "plan", "second").unwrap_err().to_string();
    assert!(taken.contains("ref:plan exists already"), "{taken}");
    assert_eq!(pad.whole("plan", 99).unwrap(), "first");
    assert_eq!((pad.reserve("Plan"), pad.reserve("plan")), ("plan-2".into(), "plan-3".into()));
    assert_eq!(pad.free_key("Plan"), "plan-4");
    let unknown = pad.item("other").unwrap_err().to_string();
    assert!(unknown.contains("no ref:other (the latest are ref:plan)"), "{unknown}");
}

#[test]
fn what_is_no_text_is_refused_with_its_place_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    for (bytes, words) in [
        (&b"ab\0cd"[..], "byte 2 is zero"),
        (b"ab\xff", "byte 2 is no UTF-8"),
        (b"caf\xc3", "byte 3 is no UTF-8"),
        (b"", "empty"),
    ] {
        let refused = pad.save(FILE, Cursor::new(bytes), &Words).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
    assert_eq!(fs::read_dir(dir.path().join("scratchpad")).unwrap().count(), 0);
    let directory = pad.attach(dir.path(), &Words, &StopFlag::default()).unwrap_err().to_string();
    assert!(directory.contains("is a directory"), "{directory}");
    assert!(pad.attach(&dir.path().join("gone"), &Words, &StopFlag::default()).is_err());
}

/// A source that fails in the middle, as a disk or a network does.
struct Failing(usize);

impl std::io::Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.0 -= 1;
        buffer.fill(b'x');
        Ok(buffer.len())
    }
}

#[test]
fn a_copy_that_fails_leaves_nothing_half_stored() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    assert!(pad.save(FILE, Failing(3), &Words).is_err());
    assert!(pad.items().is_empty());
    assert_eq!(fs::read_dir(dir.path().join("scratchpad")).unwrap().count(), 0);
}

#[test]
fn chunks_out_of_range_name_the_range_and_copies_do_not_overwrite() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    let text = "A line of some length.\n".repeat(300);
    save(&mut pad, "long", &text).unwrap();
    for number in [0, 5, u64::MAX] {
        let error = pad.chunk("long", number).unwrap_err().to_string();
        assert!(error.contains("its chunks are 1 to 4"), "{error}");
    }
    let target = dir.path().join("out.txt");
    pad.copy_out("ref:long", &target).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), text);
    assert!(matches!(pad.copy_out("long", &target), Err(PadError::Exists(_))));
}

#[test]
fn a_search_finds_the_chunk_and_a_sample_holds_both_ends() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    let mut lines: Vec<String> = (0..9_000).map(|n| format!("filler line {n}.")).collect();
    lines[6_000] = "The rotation key is stored in vault seven.".into();
    let item = save(&mut pad, "log", &lines.join("\n")).unwrap();
    let hits =
        pad.search("where is the rotation key stored", None, 3, &StopFlag::default()).unwrap();
    assert_eq!(hits[0].snippet, "The rotation key is stored in vault seven.");
    assert!(pad.chunk("log", hits[0].chunk).unwrap().text.contains("vault seven"));
    let sample = pad.sample(&item.key).unwrap();
    assert!(sample.text.starts_with("filler line 0.") && sample.text.ends_with("line 8999."));
    assert!(!sample.whole);
}

#[test]
fn a_search_finds_what_stands_in_a_text_in_any_script() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    let lines = [
        "山小屋の暗証番号は4471番で、鍵は植木鉢の下です。",
        "木工师傅星期二来安装抽油烟机。",
        "กุญแจอยู่ใต้กระถางต้นไม้",
        "자전거를 역에서 잃어버렸다.",
        "المفتاح في الخزنة القديمة.",
        "Плитка на кухне серая.",
        "Der Schlüssel liegt unter der Fußmatte.",
    ];
    save(&mut pad, "log", &lines.join("\n")).unwrap();
    let asked = ["暗証番号", "抽油烟机", "กุญแจ", "자전거", "خزنة", "плитку", "SCHLU\u{308}SSEL"];
    for (words, line) in asked.into_iter().zip(lines) {
        let hits = pad.search(words, None, 3, &StopFlag::default()).unwrap();
        assert_eq!(hits.first().map(|hit| &*hit.snippet), Some(line), "{words}");
    }
    let long = format!(
        "{}鍵は植木鉢の下です。{}",
        "台所のタイルは灰色です。".repeat(30),
        "床は木です。".repeat(30)
    );
    save(&mut pad, "long", &long).unwrap();
    let hits = pad.search("植木鉢", Some("long"), 3, &StopFlag::default()).unwrap();
    assert!(hits[0].snippet.starts_with("鍵は植木鉢の下です。"), "{}", hits[0].snippet);
    for nothing in ["換気扇", "เครื่องดูดควัน", "수박"] {
        assert!(pad.search(nothing, None, 3, &StopFlag::default()).unwrap().is_empty());
    }
}

#[test]
fn a_search_finds_words_among_signs() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    let lines = [
        "cause=timeout; after:30s",
        r#"{"retries":3,"backend":"Postgres"}"#,
        "include /etc/nginx/nginx.conf,",
        "set MAX_TOKENS=90",
        "the rate-limiters of the maxtokens kind, nginx.config",
    ];
    save(&mut pad, "log", &lines.join("\n")).unwrap();
    let asked = ["timeouts", "retries postgres", "nginx.conf", "max_tokens", "rate-limiter"];
    for (words, line) in asked.into_iter().zip(lines) {
        let hits = pad.search(words, None, 3, &StopFlag::default()).unwrap();
        assert_eq!(hits.first().map(|hit| &*hit.snippet), Some(line), "{words}");
    }
    save(&mut pad, "build", "\u{1b}[1m\u{1b}[32mreactor\u{1b}[0m is hot").unwrap();
    let hits = pad.search("reactor", None, 3, &StopFlag::default()).unwrap();
    assert_eq!(hits.first().map(|hit| &*hit.snippet), Some("reactor is hot"));
    assert!(pad.search("max-tokens ginx", None, 3, &StopFlag::default()).unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_text_comes_back_byte_for_byte(
        piece in "(\\PC|[ .\n\r\t]|é|設計|👩‍👩‍👧|\u{1b}){1,200}",
        times in 1..60_usize,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut pad = pad(dir.path());
        let text = piece.repeat(times);
        let item = save(&mut pad, "any", &text).unwrap();
        prop_assert_eq!(joined(&pad, &item), text.clone());
        prop_assert_eq!(pad.whole("any", u64::MAX).unwrap(), text.clone());
        // A search reads the same chunks.
        for hit in pad.search(&text, Some("any"), 50, &StopFlag::default()).unwrap() {
            prop_assert!(hit.chunk >= 1 && hit.chunk <= item.chunks);
        }
    }
}

#[test]
fn a_file_cut_short_behind_our_back_is_searched_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let mut pad = pad(dir.path());
    save(&mut pad, "log", &"a line of words\n".repeat(4_000)).unwrap();
    let file = fs::File::options().write(true).open(dir.path().join("scratchpad/log.txt")).unwrap();
    for length in [5_000, 3_000, 1_999, 20, 0] {
        file.set_len(length).unwrap();
        let hits = pad.search("words", None, 9, &StopFlag::default()).unwrap();
        assert_eq!(hits.is_empty(), length == 0, "{length} bytes");
        for number in [1, 2, 3, 32] {
            assert!(pad.chunk("log", number).unwrap().text.len() as u64 <= length);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_instead_of_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [&*socket, Path::new("/dev/null")] {
        let refused = pad(dir.path()).attach(path, &Words, &StopFlag::default()).unwrap_err();
        assert!(matches!(refused, PadError::NoFile(_)), "{refused}");
    }
}

/// Text without an end, of which somebody has enough after the first part.
struct Endless(StopFlag);

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.stop();
        buffer.fill(b'x');
        Ok(buffer.len())
    }
}

#[test]
fn storing_stops_in_the_middle_of_a_text_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (mut pad, stop) = (pad(dir.path()), StopFlag::default());
    let source = Endless(stop.clone());
    let stopped = pad.save_unless(&stop, FILE, source, &Words).unwrap_err();
    assert!(matches!(stopped, PadError::Stopped(_)), "{stopped}");
    assert!(pad.items().is_empty());
    assert_eq!(fs::read_dir(dir.path().join("scratchpad")).unwrap().count(), 0);
}

/// A source that lets somebody know that it is read, and never answers as long as the test lasts.
struct Hanging {
    reached: Sender<()>,
    forever: Receiver<()>,
}

impl std::io::Read for Hanging {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.reached.send(()).unwrap();
        let _ = self.forever.recv();
        Ok(0)
    }
}

#[test]
fn a_source_that_never_answers_is_left_behind_and_nothing_of_it_shows() {
    let dir = tempfile::tempdir().unwrap();
    let (mut pad, stop) = (pad(dir.path()), StopFlag::default());
    let ((reached, at_source), (held, forever)) = (channel(), channel());
    let flag = stop.clone();
    let waiter = std::thread::spawn(move || {
        at_source.recv().unwrap();
        flag.stop();
    });
    let source = Hanging { reached, forever };
    let stopped = pad.save_source(&stop, "far.log", source, &Words).unwrap_err();
    assert!(matches!(stopped, PadError::Stopped(_)), "{stopped}");
    waiter.join().unwrap();
    // It was still waiting; whatever it says now, nobody listens.
    drop(held);
    assert!(pad.items().is_empty());
    assert_eq!(fs::read_dir(dir.path().join("scratchpad")).unwrap().count(), 0);
}

#[test]
fn a_source_that_is_read_apart_is_stored_whole_or_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let (mut pad, stop) = (pad(dir.path()), StopFlag::default());
    let text = "a line of words\n".repeat(60_000);
    let item = pad.save_source(&stop, "long.log", Cursor::new(text.clone()), &Words).unwrap();
    assert_eq!((item.lines, joined(&pad, &item)), (60_000, text));
    let broken = pad.save_source(&stop, "broken", Broken, &Words).unwrap_err().to_string();
    assert!(broken.contains("the cable is out"), "{broken}");
}

struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the cable is out"))
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_of_the_system_that_never_ends_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("kernel.log");
    std::os::unix::fs::symlink("/proc/kmsg", &link).unwrap();
    // Without a /proc there is none to refuse.
    if link.exists() {
        let refused = pad(dir.path()).attach(&link, &Words, &StopFlag::default()).unwrap_err();
        assert!(matches!(refused, PadError::NoFile(_)), "{refused}");
    }
}
