//! The program killed at any instant, in a pseudo-terminal and outside: what stood on the screen as entered is
//! found afterwards, once.
//!
//! Each message carries a mark that no other has, so that its words are told apart from all others wherever they
//! are. The lives of the program are chosen by a seed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ebbtide::orchestrator::Drafts;
use ebbtide::store::{Store, TranscriptKind, look};
use serde_json::{Value, json};

use super::pty::{Start, Terminal};
use super::server::{Reply, Server, said};

/// A draft is on disk 200 ms after the key. What has stood in the line for so much longer must be there: the
/// time is taken from outside, on a machine that may be busy.
const LINE: Duration = Duration::from_secs(1);

/// Small enough for a log to be compressed every few lives, in tokens.
const BUDGET: &str = "4000";

/// A small generator of numbers that look random and are the same in each run.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// What the lives in a terminal came to.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Kills.
    pub(crate) kills: usize,
    /// Marks that stood on the screen as entered when the program was killed.
    pub(crate) entered: usize,
    /// Of these, how many waited in the queue.
    pub(crate) waiting: usize,
    /// Marks that stood in the message line long enough to be kept.
    pub(crate) written: usize,
    /// What was missing or doubled, each once, in words, with all that was there to be seen.
    pub(crate) wrong: Vec<String>,
}

/// Types at the program and kills it, again and again.
pub(crate) fn in_terminal(kills: usize, mut seed: u64) -> Seen {
    let server = Server::following(|request| model(request).after(pause(request)));
    let home = tempfile::tempdir().expect("a temporary directory");
    write_big(home.path());
    let mut all = Seen::default();
    let (mut marks, mut told) = (BTreeSet::new(), BTreeSet::new());
    for life in 0..kills {
        let (typed, shown) = live(&server, home.path(), life, &mut seed);
        all.kills += 1;
        all.entered += shown.entered.len();
        all.waiting += shown.waiting.len();
        all.written += shown.line.len();
        let left = Left::read(&session(home.path()));
        let kept = Kept::read(&session(home.path()));
        let mut tell = |mark: &String, wrong: &str| {
            if told.insert(mark.clone()) {
                let scene = format!("typed: {typed:#?}\n{}\n{left}\n{kept:?}", shown.screen);
                all.wrong.push(format!("life {life}: {mark} {wrong}\n{scene}"));
            }
        };
        for mark in shown.entered.iter().filter(|mark| !kept.has(mark)) {
            tell(mark, "was entered and is gone");
        }
        for mark in shown.line.iter().filter(|mark| !kept.has(mark)) {
            tell(mark, "stood in the line and is gone");
        }
        marks.extend(shown.entered.iter().cloned());
        for (mark, wrong) in kept.doubled(&marks) {
            tell(&mark, &wrong);
        }
    }
    assert_eq!(server.take_violations(), Vec::<String>::new());
    all
}

/// What stood on the screen when the program was killed.
#[derive(Default)]
struct Shown {
    /// The marks of what was entered: in the chat and in the queue.
    entered: Vec<String>,
    /// Those in the queue.
    waiting: Vec<String>,
    /// The marks in the message line.
    line: Vec<String>,
    /// All of it.
    screen: String,
}

/// Of the message line's box: what was being changed when the program ended is being changed again.
const TITLES: [&str; 3] = ["┌ Message ", "┌ Edit ", "┌ Search back"];

impl Shown {
    /// Reads a screen from the top of the message line's box, up and down. Where something else covers it,
    /// nothing is known to be entered.
    fn read(screen: String) -> Self {
        let top = TITLES.iter().filter_map(|title| screen.rfind(title)).max();
        let Some(top) = top else { return Self { screen, ..Self::default() } };
        let (above, below) = screen.split_at(top);
        let above = &without_errors(above);
        let queued = |row: &&str| row.contains(" next: ") || row.contains(" not sent: ");
        let waiting = above.lines().filter(queued).flat_map(marks).collect();
        Self { entered: marks(above), waiting, line: marks(below), screen }
    }
}

/// A screen without what could not be done: an error may quote the command that failed, and is not kept.
fn without_errors(screen: &str) -> String {
    let mut in_error = false;
    let rows = screen.lines().filter(|row| {
        let begins = row.starts_with(" ! ");
        in_error = begins || in_error && row.starts_with("   ") && !row[3..].starts_with("  ");
        !in_error
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// One life: rapid typing until the kill, most of it entered. Returns what was typed last, too.
fn live(server: &Server, home: &Path, life: usize, seed: &mut u64) -> (Vec<String>, Shown) {
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let env = [("EBBTIDE_TOKEN_BUDGET", BUDGET)];
    let mut terminal = Terminal::start(&Start { args: &args, home, size: (100, 40), env: &env });
    let is_ready = |screen: &str| TITLES.iter().any(|title| screen.contains(title));
    terminal.wait_until("the message line", is_ready);
    let writes_only = next(seed).is_multiple_of(4);
    let span = if writes_only { 2_500 + next(seed) % 1_000 } else { 50 + next(seed) % 2_500 };
    let end = Instant::now() + Duration::from_millis(span);
    let mut typing = Typing { terminal: &mut terminal, end, before: None };
    let mut typed = Vec::new();
    for number in 0.. {
        let kind = if writes_only { 9 } else { next(seed) % 12 };
        let message = message(kind, &format!("k{life}q{number}z"));
        let done = typing.write(&message, seed);
        typed.push(message);
        if !done {
            break;
        }
    }
    let before = typing.before.map(|(_, line)| line).unwrap_or_default();
    let mut shown = Shown::read(terminal.screen());
    terminal.kill();
    shown.line.retain(|mark| before.contains(mark));
    (typed.split_off(typed.len().saturating_sub(5)), shown)
}

/// Someone who types until the program is killed.
struct Typing<'a> {
    terminal: &'a mut Terminal,
    end: Instant,
    /// What stood in the line, and when, [`LINE`] or more before the end.
    before: Option<(Instant, Vec<String>)>,
}

impl Typing<'_> {
    /// Types a message, in one of the ways in which keys arrive; returns whether there was time for all of it.
    fn write(&mut self, message: &str, seed: &mut u64) -> bool {
        if next(seed).is_multiple_of(3) {
            self.terminal.send(message);
            self.pass(Duration::from_millis(next(seed) % 120));
            return Instant::now() < self.end;
        }
        for key in keys(message) {
            if Instant::now() >= self.end {
                return false;
            }
            self.terminal.send(key);
            self.pass(Duration::from_micros(next(seed) % 6_000));
        }
        true
    }

    /// Lets time pass, and looks at the line while it is early enough.
    fn pass(&mut self, time: Duration) {
        std::thread::sleep(time);
        let now = Instant::now();
        let seen_lately = self.before.as_ref().is_some_and(|(at, _)| now < *at + LINE / 10);
        if now + LINE < self.end && !seen_lately {
            self.before = Some((now, Shown::read(self.terminal.screen()).line));
        }
    }
}

/// A text in keys: one that is several bytes is never torn.
fn keys(message: &str) -> impl Iterator<Item = &str> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let letter = rest.chars().next()?.len_utf8();
        let (key, after) =
            rest.split_at(if rest.starts_with(LAST_WAITING) { LAST_WAITING.len() } else { letter });
        rest = after;
        Some(key)
    })
}

/// What the lives outside a terminal came to.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Messages that the server received, or commands that ended well.
    pub(crate) sent: usize,
    /// Lives that ended by themselves.
    pub(crate) finished: usize,
    /// What was missing or doubled, in words.
    pub(crate) wrong: Vec<String>,
}

/// Runs single turns and commands, each killed somewhere between its start and its end.
pub(crate) fn outside(kills: usize, mut seed: u64) -> Outside {
    let server = Server::following(model);
    let home = tempfile::tempdir().expect("a temporary directory");
    write_big(home.path());
    let mut whole_life = whole_life(&server, home.path());
    let mut all = Outside::default();
    let mut sent = BTreeSet::new();
    for number in 0..kills {
        let mark = format!("k0q{number}z");
        let (text, received) = (message_outside(number, &mark), server.requests().len());
        let mut child = program(&server, home.path(), &["-p", &text]).spawn().expect("a start");
        // From the start of the program to well behind the end of the turn, most often within it.
        let life = Duration::from_micros(whole_life / 3 + next(&mut seed) % whole_life);
        wait(&mut child, life);
        let _ = child.kill();
        let ended = child.wait().expect("an exit status").success();
        // A request of the life before may be read only now: what counts is whose words it carries.
        let was_sent =
            server.requests()[received..].iter().any(|request| said(request).contains(&mark));
        all.finished += usize::from(ended);
        if ended {
            sent.insert(mark);
        }
        // The machine's pace changes with its load: lives follow it, so that most end within a turn.
        whole_life = match (was_sent, ended) {
            (false, false) => whole_life * 21 / 20,
            (_, true) => whole_life * 19 / 20,
            (true, false) => whole_life,
        };
        if number % 20 == 19 {
            let opened = program(&server, home.path(), &["stats"]).output().expect("a start");
            let words = String::from_utf8_lossy(&opened.stderr).into_owned();
            assert!(opened.status.success(), "kill {number} after {life:?}: {words}");
        }
    }
    finish(&server, home.path());
    let kept = Kept::read(&session(home.path()));
    // Some arrived when their life was over.
    sent.extend(server.requests().iter().flat_map(|request| marks(&said(request))));
    let gone = sent.iter().filter(|mark| !kept.has(mark));
    all.wrong.extend(gone.map(|mark| format!("{mark} was sent and is gone")));
    all.wrong
        .extend(kept.doubled(&sent).into_iter().map(|(mark, wrong)| format!("{mark} {wrong}")));
    all.sent = sent.len();
    assert_eq!(server.take_violations(), Vec::<String>::new());
    all
}

/// What a whole turn takes here, in microseconds.
fn whole_life(server: &Server, home: &Path) -> u64 {
    let begun = Instant::now();
    (0..3).for_each(|_| finish(server, home));
    u64::try_from(begun.elapsed().as_micros()).expect("less than an age") / 3
}

/// A turn that nobody kills.
fn finish(server: &Server, home: &Path) {
    let whole = program(server, home, &["-p", "hello"]).output().expect("a start");
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
}

/// The program without a terminal.
pub(crate) fn program(server: &Server, home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).env("EBBTIDE_TOKEN_BUDGET", BUDGET).current_dir(home);
    command.args(["--base-url", &server.base_url(), "--model", "m"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Lets the program live for a while, less if it ends by itself.
pub(crate) fn wait(child: &mut Child, life: Duration) {
    let end = Instant::now() + life;
    while Instant::now() < end && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// A message of each kind: talk, work, a file, a note.
fn message_outside(number: usize, mark: &str) -> String {
    match number % 6 {
        0 => format!("Let's debug the parser crash, {mark}"),
        1 => format!("It fails at line 57 of src/parse.rs, {mark}, {}", "again and ".repeat(12)),
        2 => format!("What does @big.txt say of pump 7, {mark}?"),
        3 => format!("We're done with it, {mark}"),
        4 => format!("/remember the pump of {mark} is old"),
        _ => format!("Some small talk, {mark}"),
    }
}

/// A file to attach, too large for the window by far.
fn write_big(home: &Path) {
    let line = "pump 7 of the north wing was seen at 3.4 bar, said the log of the night shift. ";
    fs::write(home.join("big.txt"), line.repeat(20_000)).expect("a file to attach");
}

/// Ctrl+U until the line is empty: a command that comes behind other words makes no sense, and stays.
const CLEAR: &str = "\x15\x15\x15\x15\x15\x15";

/// Alt+Up: to the queue, at its last entry.
const LAST_WAITING: &str = "\x1b[1;3A";

/// What is typed, by its kind: talk, work, a file, a note, something taken back, words that are not sent.
fn message(kind: u64, mark: &str) -> String {
    match kind {
        0 => format!("Let's debug the parser crash, {mark}\r"),
        1 => format!("We're done with it, {mark}\r"),
        2 => format!("What does @big.txt say of pump 7, {mark}?\r"),
        3 => format!("{CLEAR}/remember the pump of {mark} is old\r"),
        // What waits last comes back to the line and is entered again with more words.
        4 => format!("{LAST_WAITING}\r and {mark}\r"),
        // Esc stops the turn; Enter on an empty line sends what waits.
        5 => format!("\x1b\r{mark} once more\r"),
        6 => format!("{CLEAR}/attach big.txt\r{CLEAR}and {mark}\r"),
        9 => format!("words that stay {mark} "),
        _ => format!("It fails at line 57 of src/parse.rs, {mark}, {}\r", "again and ".repeat(12)),
    }
}

/// The marks in a text.
fn marks(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_mark = |word: &&str| {
        let digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let inner = word.strip_prefix('k').and_then(|word| word.strip_suffix('z'));
        inner.and_then(|inner| inner.split_once('q')).is_some_and(|(a, b)| digits(a) && digits(b))
    };
    words.filter(is_mark).map(str::to_owned).collect()
}

/// The directory of the session.
pub(crate) fn session(home: &Path) -> PathBuf {
    home.join(".local/share/ebbtide/sessions/default")
}

/// What the next start of the program would find, by marks.
#[derive(Debug, Default)]
struct Kept {
    /// In messages that were answered and logged.
    logged: Vec<String>,
    /// In messages that were stopped, which stay readable.
    stopped: Vec<String>,
    /// In what is still to be sent: the line and the queue.
    live: Vec<String>,
    /// In notes.
    noted: Vec<String>,
    /// In what was put aside unsent.
    aside: Vec<String>,
}

impl Kept {
    /// Opens a copy of a session, so that the program itself meets it as the kill left it.
    fn read(session: &Path) -> Self {
        let copy = tempfile::tempdir().expect("a temporary directory");
        copy_all(session, copy.path());
        let opened = Store::open(copy.path()).expect("the session opens after a kill");
        let Drafts { line, waiting, aside, .. } = &opened.drafts;
        let mut kept = Self::default();
        kept.live.extend(marks(&line.whole()));
        kept.live.extend(waiting.iter().flat_map(|draft| marks(&draft.whole())));
        kept.live.extend(opened.interrupted.iter().flat_map(|turn| marks(&turn.user)));
        kept.aside.extend(aside.iter().flat_map(|draft| marks(&draft.whole())));
        drop(opened);
        let looked = look(copy.path(), 10).expect("the session is read");
        for entry in looked.transcript().expect("the transcript is read") {
            match entry.kind {
                TranscriptKind::User => kept.logged.extend(marks(&entry.text)),
                TranscriptKind::Unanswered => kept.stopped.extend(marks(&entry.text)),
                _ => {}
            }
        }
        let notes = looked.restored.notes.iter();
        kept.noted.extend(notes.flat_map(|note| marks(&note.content)));
        kept
    }

    fn has(&self, mark: &String) -> bool {
        let places = [&self.logged, &self.stopped, &self.live, &self.noted, &self.aside];
        places.iter().any(|place| place.contains(mark))
    }

    /// What is logged or noted twice, would be sent twice, or is there and would be sent again.
    fn doubled(&self, marks: &BTreeSet<String>) -> Vec<(String, String)> {
        let count = |place: &[String], mark: &String| place.iter().filter(|it| *it == mark).count();
        let wrong = |mark: &String| {
            let done = count(&self.logged, mark) + count(&self.noted, mark);
            let live = count(&self.live, mark);
            let wrong = || format!("is logged {done} and waits {live} times");
            (done + live > 1).then(|| (mark.clone(), wrong()))
        };
        marks.iter().filter_map(wrong).collect()
    }
}

/// The files of a session that tell what became of a message, as a kill left them.
struct Left(String);

impl Left {
    fn read(session: &Path) -> Self {
        let text = |name: &str| fs::read_to_string(session.join(name)).unwrap_or_default();
        let last = |name: &str| {
            let text = text(name);
            let lines: Vec<&str> = text.lines().rev().take(15).collect();
            let short = |line: &&str| line.chars().take(600).collect::<String>();
            lines.iter().rev().map(short).collect::<Vec<_>>().join("\n")
        };
        let (draft, pending) = (text("draft.json"), text("pending.json"));
        let journal = last("journal.jsonl");
        Self(format!("draft.json: {draft}\npending.json: {pending}\njournal.jsonl:\n{journal}"))
    }
}

impl std::fmt::Display for Left {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

fn copy_all(from: &Path, to: &Path) {
    for item in fs::read_dir(from).expect("a directory") {
        let item = item.expect("an item");
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            fs::create_dir_all(&target).expect("a directory can be made");
            copy_all(&item.path(), &target);
        } else if item.file_name() != "lock" {
            fs::copy(item.path(), target).expect("a file can be copied");
        }
    }
}

/// What a model would do: open and close efforts, else talk.
pub(crate) fn model(request: &Value) -> Reply {
    let messages = request["messages"].as_array().expect("messages");
    let is_answer = messages.last().is_some_and(|message| message["role"] == "tool");
    let is_for_summary = request["tools"].is_null() || request["tool_choice"] == "none";
    let said = said(request);
    match said.split(' ').next() {
        _ if is_answer || is_for_summary => Reply::text("The parser crashed, fixed."),
        Some("Let's") => {
            let name = format!("crash-{}", said.len() + messages.len());
            Reply::calls(&[("open_effort", json!({ "name": name }))])
        }
        Some("We're") => Reply::calls(&[("close_effort", json!({}))]),
        _ => Reply::text("I see, the parser fails there, and the pump is old. ".repeat(8)),
    }
}

/// How long it thinks: another time for each message, so that some wait behind it.
fn pause(request: &Value) -> Duration {
    Duration::from_millis(said(request).len() as u64 * 137 % 2_000)
}
