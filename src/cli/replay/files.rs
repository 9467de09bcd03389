//! Finding the files that are to be replayed.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::left_out::LeftOut;
use crate::cli::input::{is_standard_input, named};
use crate::cli::places;
use crate::cli::{Error, Host, Origin, ReplayArguments, Since, Streams};
use crate::counted::counted;
use crate::read;

/// The files that are meant, each once, in the order in which they were named, and those of a folder in the order in which
/// they were written; a folder that cannot be read is told.
pub(super) fn found(
    replay: &ReplayArguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut closed, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
    // Whoever names several means all of them; one alone is told where it is read.
    let is_missing = |path: &&PathBuf| !is_standard_input(path) && !path.exists();
    if (replay.paths.len() > 1 || replay.from.is_some())
        && let Some(path) = replay.paths.iter().find(is_missing)
    {
        return Err(Error::Usage(format!(
            "there is no {}, so nothing was replayed; leave it out, or see what there is: `ebbtide replay --from NAME --list`",
            named(path)
        )));
    }
    for path in &replay.paths {
        if path.is_dir() && !is_standard_input(path) {
            let below = places::Below::of(path);
            passed_over.extend(below.files_passed_over().cloned());
            files.extend(by_time(below.found));
            closed.extend(below.closed);
        } else {
            files.push(path.clone());
        }
    }
    if let Some(origin) = replay.from {
        let kept = by_time(places::files_of(origin, replay.project.as_deref(), host));
        if kept.is_empty() && !files.is_empty() {
            streams.tell(nothing_kept(origin, replay, host));
        }
        files.extend(kept);
    }
    let since = replay.since.as_ref().map(Since::begins);
    let before = files.len();
    files.retain(|file| {
        since.is_none_or(|since| places::written(file).is_none_or(|at| at >= since))
    });
    if files.is_empty() {
        return Err(Error::Usage(nothing_found(replay, before, host)));
    }
    closed.sort_by(|one: &(PathBuf, io::Error), other| one.0.cmp(&other.0));
    for (folder, reason) in closed {
        streams.tell(format_args!("left out {}: it cannot be read: {reason}", named(&folder)));
    }
    tell_passed_over(&passed_over, streams);
    let mut known = HashSet::new();
    files.retain(|file| known.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    let mut left_out = LeftOut::default();
    let mut taken_over = HashSet::new();
    for (rollout, session) in places::taken_over(&files) {
        // What was named is read, whoever's it is.
        if replay.paths.contains(&rollout) {
            continue;
        }
        let why = format!("Codex took it over from {}, which is read", named(&session));
        left_out.name(&rollout, why, streams);
        taken_over.insert(rollout);
    }
    files.retain(|file| !taken_over.contains(file));
    left_out.tell_others(" that Codex took over from others", streams);
    Ok(files)
}

/// Tells of files in a folder that are not looked into: what is packed may well be a conversation, and is named.
fn tell_passed_over(files: &[PathBuf], streams: &mut Streams<'_>) {
    let (packed, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| places::Below::is_packed(file));
    let mut left_out = LeftOut::default();
    for file in packed {
        let why = read::Error::Packed { packing: "gzip", command: "gunzip FILE" };
        left_out.name(file, why, streams);
    }
    left_out.tell_others(" that are packed by gzip", streams);
    if let Some(first) = others.first() {
        streams.tell(format_args!(
            "passed over {}, such as {}: of a folder, what ends in {} is read; to read another file, name it",
            counted(others.len() as u64, "file"),
            named(first),
            places::endings()
        ));
    }
}

/// Files in the order in which they were written.
fn by_time(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    files.sort_by_cached_key(|file| (places::written(file), file.clone()));
    files
}

/// Where a program keeps conversations.
fn home_of(origin: Origin, replay: &ReplayArguments, host: &Host) -> String {
    match (origin, &replay.project) {
        (Origin::Aider, Some(about)) => named(about),
        _ => places::told(&places::homes_of(origin, host)),
    }
}

/// What conversations are to be about, as part of a sentence. A history of Aider stands in what it is about.
fn about(replay: &ReplayArguments) -> String {
    let about = replay.project.as_ref().filter(|_| replay.from != Some(Origin::Aider));
    about.map_or_else(String::new, |about| format!(" about {}", named(&whole(about))))
}

/// A folder by its whole name: `.` tells nobody which one was meant.
fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// That a program keeps none of those that are meant, where others are named beside it.
fn nothing_kept(origin: Origin, replay: &ReplayArguments, host: &Host) -> String {
    let (about, home) = (about(replay), home_of(origin, replay, host));
    format!("no conversation was found{about} in {home}; what was named beside it is read")
}

/// What to try where a program keeps no conversation about a folder.
fn what_else(replay: &ReplayArguments, host: &Host) -> Option<String> {
    let origin = replay.from?;
    let folder = replay.project.as_deref().map(whole);
    let keeps_any = |folder: &&Path| !places::files_of(origin, Some(folder), host).is_empty();
    let around = folder.as_deref().and_then(|folder| folder.ancestors().skip(1).find(keeps_any));
    Some(around.map_or_else(
        || "; if they are kept elsewhere, name the folder: `ebbtide replay PATH`".to_owned(),
        |around| {
            format!("; there are some about the folder around it: --project {}", named(around))
        },
    ))
}

/// Why there is no file.
fn nothing_found(replay: &ReplayArguments, before: usize, host: &Host) -> String {
    let mut places: Vec<String> = replay.paths.iter().map(|path| named(path)).collect();
    places.extend(replay.from.map(|origin| home_of(origin, replay, host)));
    let place = places.join(" and ");
    if let (Some(since), true) = (&replay.since, before > 0) {
        let files = counted(before as u64, "file");
        return format!(
            "no conversation was found in {place} that was written {since} (--since), of {files} in all"
        );
    }
    let why = replay.paths.iter().find_map(|path| places::why_nothing(path, |_| true));
    let why = why.map(|why| format!("; {why}")).or_else(|| what_else(replay, host));
    format!("no conversation was found{} in {place}{}", about(replay), why.unwrap_or_default())
}
