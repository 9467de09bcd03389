//! `ebbtide export`, `ebbtide import` and `ebbtide sessions rename`.

use std::io::{ErrorKind, Read};
use std::path::Path;

use super::input::{is_standard_input, named};
use super::session::{directory_of, existing};
use super::{Error, Format as Wanted, Job, Streams};
use crate::escapes::visible;
use crate::orchestrator::{
    ExportError, ExportFormat, Target, export as write_session, export_to_file,
};
use crate::read::{Format, format};
use crate::shell::shell_word;
use crate::store::{self, Archive, ArchiveError};

/// Writes the session that is meant into a new file, or to the output.
pub(super) fn export(
    job: &Job<'_>,
    format: Option<Wanted>,
    file: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let dir = job.session_directory()?;
    let said = format.map(|format| match format {
        Wanted::Json => ExportFormat::Json,
        Wanted::Markdown => ExportFormat::Markdown,
    });
    // As `import -` reads the standard input.
    let words = file.filter(|file| !is_standard_input(file));
    let target = words.map(|words| Target::read(words, said, &dir, "ebbtide export"));
    let (file, format) = match target.transpose().map_err(Error::Usage)? {
        Some(Target::File(file, format)) => (file, format),
        to_output => {
            let format = match to_output {
                Some(Target::Form(format)) => format,
                _ => said.unwrap_or_default(),
            };
            return write_session(&dir, format, &mut *streams.out).map_err(failed);
        }
    };
    export_to_file(&dir, format, &file).map_err(failed)?;
    let name = visible(&store::name_of(&dir));
    streams.tell(format_args!("{name} is exported to {}", named(&file)));
    Ok(())
}

fn failed(error: ExportError) -> Error {
    match error {
        ExportError::Output(reason) => Error::Output(reason),
        ExportError::Session(error) => error.into(),
        error @ (ExportError::Exists { .. }
        | ExportError::Folder(_)
        | ExportError::NoFolder { .. }) => Error::Usage(error.to_string()),
        ExportError::Write { ref source, .. } => Error::at_named(source, error.to_string()),
    }
}

/// Makes a new session from an exported one.
pub(super) fn import(
    job: &Job<'_>,
    file: &Path,
    name: Option<&str>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let text = read(file)?;
    let archive =
        Archive::from_json(&text).map_err(|error| refused(&error, file, format(&text).ok()))?;
    if let Some(dir) = &job.arguments.session.directory {
        archive.unpack(dir).map_err(|error| match error {
            ArchiveError::Taken(_) => Error::Usage(format!(
                "there is something at {} already, and an import never replaces anything: name another directory",
                dir.display()
            )),
            other => other.into(),
        })?;
        let (name, shown) = (visible(&store::name_of(dir)), visible(&dir.display().to_string()));
        streams.tell(format_args!(
            "{name} is imported; `ebbtide --session {}` opens it",
            shell_word(&shown)
        ));
        return Ok(());
    }
    let name = name.unwrap_or(&archive.name);
    let dir = directory_of(&job.sessions_dir()?, name)?;
    archive.unpack(&dir)?;
    streams.tell(format_args!("{name} is imported; `ebbtide -r {}` opens it", shell_word(name)));
    Ok(())
}

/// Why a file of this form is not imported: the conversation of another program becomes a session another way.
fn refused(error: &ArchiveError, file: &Path, form: Option<Format>) -> Error {
    let is_foreign = matches!(error, ArchiveError::NotJson(_) | ArchiveError::NotOurs(_));
    let known = form.filter(|form| is_foreign && *form != Format::Export);
    Error::Failed(match known {
        Some(known) => format!(
            "{}: this is no exported session, but {}: `ebbtide replay {} --keep NAME` makes a session of it; nothing \
             was imported",
            named(file),
            known.row().name,
            shell_word(&visible(&file.display().to_string()))
        ),
        None => format!("{}: {error}", named(file)),
    })
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let read = if is_standard_input(file) {
        std::io::stdin().lock().read_to_end(&mut text).map(drop)
    } else {
        std::fs::read(file).map(|content| text = content)
    };
    let failed = |reason: std::io::Error| {
        let help = match reason.kind() {
            ErrorKind::NotFound => "; check the name: it is a file that `ebbtide export` wrote",
            _ => "",
        };
        Error::at_named(&reason, format!("cannot read {}: {reason}{help}", named(file)))
    };
    read.map(|()| text).map_err(failed)
}

/// Gives a session another name.
pub(super) fn rename(
    job: &Job<'_>,
    old: &str,
    new: &str,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let root = job.sessions_dir()?;
    let to = directory_of(&root, new)?;
    let known = (job.host.sessions)(&root);
    let from = existing(old, &root, &known)?;
    store::rename(&from.directory, &to)?;
    streams.tell(format_args!("{} is now {new}", from.name));
    Ok(())
}
