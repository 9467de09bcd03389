//! The built program in a real pseudo-terminal: type at it, read its screen.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Longest wait for something to appear, as long as a whole demo takes on a busy machine; a passing test never waits this
/// long.
const PATIENCE: Duration = Duration::from_secs(90);

/// What the program has written so far, as a terminal shows it.
struct Shown {
    parser: vt100::Parser,
    /// All bytes, for what a screen cannot show.
    bytes: Vec<u8>,
    ended: bool,
}

/// A running program on a terminal of its own.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
}

/// How a program is started.
pub(crate) struct Start<'a> {
    /// Arguments.
    pub(crate) args: &'a [&'a str],
    /// The home directory: all files go below it.
    pub(crate) home: &'a Path,
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    /// Further environment variables.
    pub(crate) env: &'a [(&'a str, &'a str)],
}

impl Terminal {
    /// Starts the built program with an environment of its own.
    pub(crate) fn start(start: &Start<'_>) -> Self {
        Self::lead(CommandBuilder::new(env!("CARGO_BIN_EXE_ebbtide")), start)
    }

    /// Runs the built program to its end and returns all that it wrote. A shell leads the terminal meanwhile, as it does
    /// for people: what the leader leaves there unread may be lost with it.
    #[allow(dead_code, reason = "the pictures and the bench run nothing to its end")]
    #[track_caller]
    pub(crate) fn run(start: &Start<'_>) -> Vec<u8> {
        const END: u8 = 5;
        let mut shell = CommandBuilder::new("sh");
        let run = "\"$0\" \"$@\"; printf '\\005'; read -r _";
        shell.args(["-c", run, env!("CARGO_BIN_EXE_ebbtide")]);
        let terminal = Self::lead(shell, start);
        let deadline = Instant::now() + PATIENCE;
        let (lock, changed) = &*terminal.shown;
        let mut shown = lock.lock().expect("no reader panicked");
        while shown.bytes.last() != Some(&END) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !shown.ended, "waited for the end: {:?}", shown.bytes);
            shown = changed.wait_timeout(shown, left).expect("no reader panicked").0;
        }
        let (_, written) = shown.bytes.split_last().expect("the end");
        written.to_vec()
    }

    fn lead(mut command: CommandBuilder, start: &Start<'_>) -> Self {
        let (cols, rows) = start.size;
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        command.args(start.args);
        command.env_clear();
        command.env("HOME", start.home);
        // What a program leaves behind that is killed goes with its home.
        command.env("TMPDIR", start.home);
        command.env("TERM", "xterm-256color");
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("EBBTIDE_OFFLINE_PACE_MS", "0");
        for (key, value) in start.env {
            command.env(key, value);
        }
        command.cwd(start.home);
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let parser = vt100::Parser::new(rows, cols, 0);
        let shown = Shown { parser, bytes: Vec::new(), ended: false };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        let reader = pair.master.try_clone_reader().expect("a reader");
        read_in_background(reader, Arc::clone(&shown));
        let writer = pair.master.take_writer().expect("a writer");
        Self { master: pair.master, writer, child, shown }
    }

    /// Types bytes.
    pub(crate) fn send(&mut self, keys: &str) {
        // A program that has ended takes no keys; what it showed is checked elsewhere.
        let _ = self.writer.write_all(keys.as_bytes());
        let _ = self.writer.flush();
    }

    /// Types a line and presses Enter once it stands before the cursor, as a person does.
    #[track_caller]
    pub(crate) fn send_line(&mut self, line: &str) {
        self.send(line);
        let end = line.get(line.len().saturating_sub(12)..).unwrap_or(line).trim();
        self.wait(&format!("'{end}' before the cursor"), |screen| {
            let (row, column) = screen.cursor_position();
            screen.contents_between(row, 0, row, column).trim_end().ends_with(end)
        });
        self.send("\r");
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(&format!("'{text}' to appear"), |screen| screen.contains(text))
    }

    /// Waits until the screen no longer shows a text.
    #[track_caller]
    pub(crate) fn wait_gone(&self, text: &str) -> String {
        self.wait_until(&format!("'{text}' to go"), |screen| !screen.contains(text))
    }

    /// Waits until the screen's text fulfils a condition, and returns it.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, fulfilled: impl Fn(&str) -> bool) -> String {
        self.wait(what, |screen| fulfilled(&screen.contents()))
    }

    /// Waits until the screen is drawn down to its last row and the cursor stands above that, where one writes.
    #[track_caller]
    pub(crate) fn wait_drawn(&self) -> String {
        self.wait("a whole frame", |screen| {
            let (rows, columns) = screen.size();
            let last = screen.contents_between(rows - 1, 0, rows - 1, columns);
            !last.trim().is_empty() && screen.cursor_position().0 + 1 < rows
        })
    }

    #[track_caller]
    fn wait(&self, what: &str, fulfilled: impl Fn(&vt100::Screen) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        let (lock, changed) = &*self.shown;
        let mut shown = lock.lock().expect("no reader panicked");
        loop {
            let screen = shown.parser.screen();
            if fulfilled(screen) {
                return screen.contents();
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let screen = || shown.parser.screen().contents();
            assert!(
                !left.is_zero() && !shown.ended,
                "waited for {what}; the screen:\n{}",
                screen()
            );
            shown = changed.wait_timeout(shown, left).expect("no reader panicked").0;
        }
    }

    /// The screen with its colours, for a picture.
    #[allow(dead_code, reason = "only the pictures of the README need it")]
    pub(crate) fn picture(&self) -> vt100::Screen {
        self.shown.0.lock().expect("no reader panicked").parser.screen().clone()
    }

    /// What the screen shows now.
    pub(crate) fn screen(&self) -> String {
        self.shown.0.lock().expect("no reader panicked").parser.screen().contents()
    }

    /// Everything the program has written.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.shown.0.lock().expect("no reader panicked").bytes.clone()
    }

    /// Changes the terminal's size. As in a real terminal the screen is resized before the program hears of
    /// it: else its first frame of the new size would be put on a screen of the old one.
    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let mut shown = self.shown.0.lock().expect("no reader panicked");
        shown.parser.screen_mut().set_size(rows, cols);
        self.master.resize(size).expect("a resize");
    }

    /// The program's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().expect("a running program")
    }

    /// Sends the program a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Ends the program at once, as a crash would: the child's own `kill` asks it to hang up first.
    pub(crate) fn kill(&mut self) {
        let runs = matches!(self.child.try_wait(), Ok(None));
        if let Some(pid) = self.child.process_id().filter(|_| runs) {
            // It may end by itself meanwhile.
            let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).output();
        }
        let _ = self.child.wait();
    }

    /// Waits for the program's own end and returns its exit code.
    #[track_caller]
    pub(crate) fn wait_exit(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        let (lock, changed) = &*self.shown;
        let mut shown = lock.lock().expect("no reader panicked");
        while !shown.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            let screen = || shown.parser.screen().contents();
            assert!(!left.is_zero(), "waited for the end; the screen:\n{}", screen());
            shown = changed.wait_timeout(shown, left).expect("no reader panicked").0;
        }
        drop(shown);
        self.child.wait().expect("an exit status").exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.kill();
    }
}

fn read_in_background(mut reader: Box<dyn Read + Send>, shown: Arc<(Mutex<Shown>, Condvar)>) {
    std::thread::spawn(move || {
        let mut buffer = [0_u8; 8192];
        let mut waiting = Vec::new();
        loop {
            let count = reader.read(&mut buffer).unwrap_or(0);
            waiting.extend_from_slice(&buffer[..count]);
            let (lock, changed) = &*shown;
            let mut shown = lock.lock().expect("no waiter panicked");
            shown.bytes.extend_from_slice(&buffer[..count]);
            let whole = if count == 0 { waiting.len() } else { whole_frames(&waiting) };
            let frames: Vec<u8> = waiting.drain(..whole).collect();
            shown.parser.process(&frames);
            shown.ended = count == 0;
            changed.notify_all();
            if shown.ended {
                return;
            }
        }
    });
}

/// How many bytes may be shown: a frame is shown whole, as terminals do that know synchronized updates.
fn whole_frames(bytes: &[u8]) -> usize {
    let last = |sign: &[u8]| bytes.windows(sign.len()).rposition(|window| window == sign);
    match (last(b"\x1b[?2026h"), last(b"\x1b[?2026l")) {
        (Some(begin), end) if end.is_none_or(|end| end < begin) => begin,
        _ => bytes.len(),
    }
}
