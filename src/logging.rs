//! The log file: one line per event, `2026-01-01T10:00:00Z [INFO] message`.
//!
//! Nothing is ever logged to the terminal, which belongs to the screen. A log that cannot be written
//! never stops the program: the reason comes back as a sentence, to be shown once. Keys are scrubbed
//! from every line, whoever wrote them there.

use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::clock;
use crate::escapes::visible;
use crate::secret::Secret;

/// Beginnings after which the rest of the word is a key, whoever issued it.
const KEY_SIGNS: &[&str] = &["sk-", "Bearer "];

/// The file that is logged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The usual one, whose folder is made if it is missing.
    Usual(&'a Path),
    /// One that somebody named. Its folder is not made: a slip in the path would leave folders behind.
    Named(&'a Path),
}

impl<'a> Place<'a> {
    /// Its path.
    pub fn path(self) -> &'a Path {
        match self {
            Self::Usual(path) | Self::Named(path) => path,
        }
    }
}

/// Begins to log to a file, for the rest of the process.
///
/// # Errors
/// A sentence that says why there is no log. The program goes on without.
pub fn start(place: Place<'_>, level: Level, secrets: Vec<Secret>) -> Result<(), String> {
    let file = open(place).map_err(|reason| {
        format!(
            "There is no log: {} cannot be written ({reason}). Name another file with --log-file.",
            place.path().display()
        )
    })?;
    let subscriber = subscriber(LogFile(file), level, secrets);
    tracing::subscriber::set_global_default(subscriber)
        .map_err(|_| "There is no log of its own: this process logs already.".to_owned())
}

/// Whether a log file could be written; creates nothing that is not needed for that.
///
/// # Errors
/// The system's words.
pub fn check(place: Place<'_>) -> io::Result<()> {
    open(place).map(drop)
}

fn open(place: Place<'_>) -> io::Result<File> {
    if let Place::Usual(path) = place
        && let Some(directory) = path.parent()
    {
        fs::create_dir_all(directory)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(place.path())
}

fn subscriber<W>(writer: W, level: Level, secrets: Vec<Secret>) -> impl Subscriber + Send + Sync
where
    W: Write + Send + 'static,
{
    tracing_subscriber::fmt()
        .with_max_level(level)
        .event_format(Lines { secrets })
        .with_writer(Mutex::new(writer))
        .finish()
}

/// The file; a full disk is no reason to complain on the screen, so failed writes are dropped.
struct LogFile(File);

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Lines {
    secrets: Vec<Secret>,
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        // Other crates log what they send; only our own lines are sure to be without content.
        let metadata = event.metadata();
        if !metadata.target().starts_with(env!("CARGO_PKG_NAME")) && *metadata.level() > Level::WARN
        {
            return Ok(());
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        // Nothing can forge a line or reach the terminal of whoever reads the log, nor hide a key.
        let text = scrub(&visible(&message.0), &self.secrets);
        writeln!(out, "{} [{}] {text}", clock::timestamp(), metadata.level())
    }
}

/// The message, then the fields as `name=value`.
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let gap = if self.0.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = if field.name() == "message" {
            write!(self.0, "{gap}{value:?}")
        } else {
            write!(self.0, "{gap}{}={value:?}", field.name())
        };
    }
}

/// The text without the secrets and without anything that looks like a key.
fn scrub(text: &str, secrets: &[Secret]) -> String {
    let mut clean = text.to_owned();
    for secret in secrets.iter().map(Secret::expose).filter(|key| key.len() >= Secret::SHORTEST) {
        clean = clean.replace(secret, Secret::MASK);
    }
    for sign in KEY_SIGNS {
        clean = scrub_after(&clean, sign);
    }
    clean
}

/// Replaces the word behind each appearance of a key's beginning.
fn scrub_after(text: &str, sign: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(sign) {
        let starts_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric());
        let (before, behind) = rest.split_at(at + sign.len());
        let is_key = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=".contains(c);
        let end = behind.find(|c| !is_key(c)).unwrap_or(behind.len());
        clean.push_str(before);
        let long = end >= Secret::SHORTEST && starts_word;
        clean.push_str(if long { Secret::MASK } else { &behind[..end] });
        rest = &behind[end..];
    }
    clean + rest
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(level: Level, log: impl FnOnce()) -> Vec<String> {
        let written = Shared::default();
        let secrets = vec![Secret::new("my-own-key"), Secret::new("x")];
        tracing::subscriber::with_default(subscriber(written.clone(), level, secrets), log);
        let bytes = written.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_is_time_level_and_message() {
        let lines = logged(Level::INFO, || {
            tracing::info!("[turn 14]  context: 140");
            tracing::debug!("left out");
            tracing::warn!(tries = 2, "again");
        });
        let behind_time: Vec<&str> = lines.iter().map(|line| &line[20..]).collect();
        assert_eq!(behind_time, [" [INFO] [turn 14]  context: 140", " [WARN] again tries=2"]);
        assert!(lines[0].as_bytes()[19] == b'Z' && lines[0].as_bytes()[10] == b'T', "{}", lines[0]);
    }

    #[test]
    fn keys_never_reach_the_log() {
        let lines = logged(Level::INFO, || {
            tracing::info!("sent my-own-\u{1b}[1mkey to x");
            tracing::info!("Authorization: Bearer abcdef.123456, then risk-free sk-ant-0123456789");
        });
        assert!(lines[0].ends_with("sent [secret] to x"), "{}", lines[0]);
        assert!(lines[1].ends_with("Bearer [secret], then risk-free sk-[secret]"), "{}", lines[1]);
    }

    #[test]
    fn a_message_cannot_forge_a_line_or_steer_a_terminal() {
        let lines = logged(Level::INFO, || tracing::info!("a\n2026 [INFO] b \u{1b}[2J\u{7}c"));
        assert_eq!(lines.len(), 1);
        assert!(lines[0].ends_with("a 2026 [INFO] b  c"), "{}", lines[0]);
    }

    #[test]
    fn a_log_that_cannot_be_written_is_a_sentence() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        let below_a_file = file.join("ebbtide.log");
        let reason = start(Place::Usual(&below_a_file), Level::INFO, Vec::new()).unwrap_err();
        assert!(
            reason.starts_with("There is no log: ") && reason.contains("--log-file"),
            "{reason}"
        );
    }

    #[test]
    fn the_folder_of_the_usual_log_is_made_and_that_of_a_named_one_is_not() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/ebbtide.log");
        assert_eq!(check(Place::Named(&path)).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(!home.path().join("state").exists());
        check(Place::Usual(&path)).unwrap();
        check(Place::Named(&path)).unwrap();
    }
}
