//! `ebbtide sessions delete`: says what would go, asks, and deletes all of it or nothing.

use std::io::BufRead;

use serde_json::{Value, json};

use crate::cli::session::existing;
use crate::cli::{DeleteArguments, Error, Job, SessionSummary, Streams};
use crate::counted::{counted, size};
use crate::escapes::visible;
use crate::store::{self, Deletion, bytes_of, check_deletable};

/// A session that is to go, with its size in bytes.
struct Chosen<'a> {
    session: &'a SessionSummary,
    bytes: u64,
}

/// Deletes the sessions that are named; all are looked at before the first goes.
pub(super) fn delete(
    job: &Job<'_>,
    asked: &DeleteArguments,
    input: &mut dyn BufRead,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let root = job.sessions_dir()?;
    let known = (job.host.sessions)(&root);
    let chosen = choose(&asked.names, &root, &known)?;
    for it in &chosen {
        check_deletable(&it.session.directory).map_err(|error| refused(&error))?;
    }
    if !asked.yes {
        confirm(&chosen, job.host.interactive, input, streams)?;
    }
    // Somebody may have opened one while the question stood there.
    let held = chosen.iter().map(|it| Deletion::of(&it.session.directory));
    let held: Vec<Deletion> = held.collect::<Result<_, _>>().map_err(|error| refused(&error))?;
    carry_out(&chosen, held, asked.json, streams)
}

/// The sessions by their names or numbers, each once.
fn choose<'a>(
    names: &[String],
    root: &std::path::Path,
    known: &'a [SessionSummary],
) -> Result<Vec<Chosen<'a>>, Error> {
    let mut chosen: Vec<Chosen<'a>> = Vec::new();
    for name in names {
        let session = existing(name, root, known)?;
        if chosen.iter().all(|it| it.session.directory != session.directory) {
            chosen.push(Chosen { session, bytes: bytes_of(&session.directory) });
        }
    }
    Ok(chosen)
}

/// Says what would go and asks. Whoever cannot be asked has not agreed.
fn confirm(
    chosen: &[Chosen<'_>],
    interactive: bool,
    input: &mut dyn BufRead,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    for it in chosen {
        streams.tell(it.line());
    }
    if !interactive {
        return Err(Error::Usage(
            "nothing was deleted: there is no terminal to ask on. With --yes it is done without asking"
                .to_owned(),
        ));
    }
    let what = if chosen.len() == 1 { "it" } else { "all of them" };
    write!(streams.err, "Delete {what} for good? [y/N] ")?;
    streams.err.flush()?;
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        // Nobody ended the line of the question.
        writeln!(streams.err)?;
    }
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Error::Failed("nothing was deleted".to_owned())),
    }
}

fn carry_out(
    chosen: &[Chosen<'_>],
    held: Vec<Deletion>,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let mut gone = Vec::new();
    let mut outcome = Ok(());
    for (it, deletion) in chosen.iter().zip(held) {
        outcome = deletion.carry_out().map_err(Error::from);
        if outcome.is_err() {
            break;
        }
        if !json {
            streams.tell(format_args!("{} is deleted", it.session.name));
        }
        gone.push(it.as_json());
    }
    // What went is told also where something stayed.
    if json {
        writeln!(streams.out, "{}", Value::from(gone))?;
    }
    outcome
}

impl Chosen<'_> {
    /// Name, turns, size and title, without anything that could steer the terminal.
    fn line(&self) -> String {
        let SessionSummary { name, turns, title, .. } = self.session;
        let (turns, size) = (counted(*turns, "turn"), size(self.bytes));
        visible(&format!("{name:<20}  {turns:>9}  {size:>9}  {title}")).trim_end().to_owned()
    }

    fn as_json(&self) -> Value {
        json!({
            "name": self.session.name,
            "directory": self.session.directory.display().to_string(),
            "turns": self.session.turns,
            "title": self.session.title,
            "bytes": self.bytes,
        })
    }
}

/// Why a session is not deleted, in words about deleting.
fn refused(error: &store::Error) -> Error {
    Error::Failed(match error {
        store::Error::InUse { dir, pid } => {
            let process = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
            let name = store::name_of(dir);
            format!(
                "nothing was deleted: {name} is open in another Ebbtide{process}; close it there first"
            )
        }
        other => format!("nothing was deleted: {other}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_on_a_terminal_is_consent() {
        let session = SessionSummary {
            name: "trip".to_owned(),
            directory: "/sessions/trip".into(),
            turns: 1,
            updated: String::new(),
            title: "Hello\u{1b}[2J there".to_owned(),
            in_use: false,
        };
        let chosen = [Chosen { session: &session, bytes: 1_500 }];
        for (interactive, said, code) in [
            (true, "y\n", None),
            (true, " Yes \n", None),
            (true, "\n", Some(1)),
            (true, "", Some(1)),
            (true, "yellow\n", Some(1)),
            (false, "y\n", Some(2)),
        ] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut streams = Streams { out: &mut out, err: &mut err };
            let result = confirm(&chosen, interactive, &mut said.as_bytes(), &mut streams);
            assert_eq!(result.err().map(|error| error.exit_code()), code, "{said:?}");
            let told = String::from_utf8(err).unwrap();
            let line = "trip                     1 turn       2 KB  Hello there\n";
            assert!(told.starts_with(line), "{told:?}");
            assert_eq!((told.contains("[y/N]"), out.len()), (interactive, 0));
        }
    }
}
