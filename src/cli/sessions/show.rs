//! `ebbtide sessions show`: what a session is, and where.

use std::sync::Arc;

use serde_json::json;

use crate::cli::session::existing;
use crate::cli::{Error, Job, Streams};
use crate::counted::{grouped, size};
use crate::escapes::visible;
use crate::orchestrator::inspect;
use crate::store::{begun, bytes_of};
use crate::text::clean;
use crate::tokens::Cl100k;

/// Prints title, times, turns, efforts by their state, place and size of a session.
pub(super) fn show(
    job: &Job<'_>,
    name: &str,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let root = job.sessions_dir()?;
    let known = (job.host.sessions)(&root);
    let session = existing(name, &root, &known)?;
    let directory = &session.directory;
    let counter = Arc::new(Cl100k::lazy());
    let inspected = inspect(directory, &job.settings_of_person(), counter)?;
    for problem in &inspected.problems {
        streams.tell(clean(problem));
    }
    let view = inspected.memory.view();
    let (open, warm, expanded) = (view.open.len(), view.warm.len(), view.expanded.len());
    let evicted = view.manifest.evicted;
    let (begun, bytes) = (begun(directory).unwrap_or_default(), bytes_of(directory));
    if json {
        let told = json!({
            "name": session.name,
            "title": session.title,
            "begun": begun,
            "updated": session.updated,
            "turns": session.turns,
            "efforts": { "open": open, "expanded": expanded, "warm": warm, "evicted": evicted },
            "directory": directory.display().to_string(),
            "bytes": bytes,
            "in_use": session.in_use,
        });
        writeln!(streams.out, "{told}")?;
        return Ok(());
    }
    let in_use = if session.in_use { ", open now" } else { "" };
    let lines = [
        ("session", format!("{}{in_use}", session.name)),
        ("title", session.title.clone()),
        ("begun", begun),
        ("last written", session.updated.clone()),
        ("turns", grouped(session.turns)),
        ("efforts", format!("{open} open, {expanded} expanded, {warm} warm, {evicted} evicted")),
        ("files", directory.display().to_string()),
        ("size", size(bytes)),
    ];
    for (what, told) in lines.iter().filter(|(_, told)| !told.is_empty()) {
        writeln!(streams.out, "{what:<15}  {}", visible(told))?;
    }
    Ok(())
}
