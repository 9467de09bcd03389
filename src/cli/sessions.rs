//! `ebbtide sessions`.

use super::{Error, SessionSummary, Streams};
use crate::counted::noun;
use crate::escapes::visible;
use crate::store::numbers;

/// Prints the sessions.
pub(super) fn print(
    sessions: &[SessionSummary],
    root: &std::path::Path,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if json {
        let rows: Vec<_> = sessions.iter().zip(numbers(sessions)).map(as_json).collect();
        writeln!(streams.out, "{}", serde_json::Value::from(rows))?;
        return Ok(());
    }
    if sessions.is_empty() {
        streams.tell(format_args!("No sessions in {} yet.", root.display()));
    }
    for line in numbered(sessions) {
        writeln!(streams.out, "{line}")?;
    }
    Ok(())
}

/// The sessions, a line each that begins with the number that `-r` takes, if there is one.
pub(super) fn numbered(sessions: &[SessionSummary]) -> impl Iterator<Item = String> {
    sessions.iter().zip(numbers(sessions)).map(|(session, number)| {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        format!("{number:>4}  {}", line(session))
    })
}

/// One session on one line, without anything that could steer the terminal.
fn line(session: &SessionSummary) -> String {
    let SessionSummary { name, turns, updated, title, .. } = session;
    let unit = noun(*turns, "turn");
    let line = format!("{name:<20}  {turns:>6} {unit:<5}  {updated:<20}  {title}");
    visible(&line).trim_end().to_owned()
}

fn as_json((session, number): (&SessionSummary, Option<usize>)) -> serde_json::Value {
    serde_json::json!({
        "number": number,
        "name": session.name,
        "directory": session.directory.display().to_string(),
        "turns": session.turns,
        "updated": session.updated,
        "title": session.title,
    })
}
