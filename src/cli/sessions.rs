//! `ebbtide sessions`.

mod delete;
mod show;

use super::session::numbered;
use super::{DeleteArguments, Error, Job, SessionSummary, SessionsAction, Streams, transfer};
use crate::store::{self, numbers};

/// Does with the sessions what is asked for; without an action it lists them.
pub(super) fn run(
    job: &Job<'_>,
    action: Option<&SessionsAction>,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let root = job.sessions_dir()?;
    // What a killed deletion left would stay for good where nobody deletes again.
    store::clear_deletions(&root);
    let known = (job.host.sessions)(&root);
    match action {
        None => print(&known, &root, json, streams),
        Some(SessionsAction::List { json: own }) => print(&known, &root, json || *own, streams),
        Some(SessionsAction::Rename { old, new }) => transfer::rename(job, old, new, streams),
        Some(SessionsAction::Show { name, json: own }) => {
            show::show(job, name, json || *own, streams)
        }
        Some(SessionsAction::Delete(asked)) => {
            let asked = DeleteArguments { json: json || asked.json, ..asked.clone() };
            delete::delete(job, &asked, &mut std::io::stdin().lock(), streams)
        }
    }
}

/// Prints the sessions.
fn print(
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
