//! `ebbtide export`, `ebbtide import` and `ebbtide sessions rename`.

use std::io::{ErrorKind, Read};
use std::path::Path;

use super::input::{is_standard_input, named};
use super::session::{directory_of, existing, shell_word};
use super::{Error, Format, Job, Streams};
use crate::escapes::visible;
use crate::orchestrator::{ExportError, ExportFormat, export as write_session, export_to_file};
use crate::store::{self, Archive, ArchiveError};

/// Writes the session that is meant into a new file, or to the output.
pub(super) fn export(
    job: &Job<'_>,
    format: Option<Format>,
    file: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let dir = job.session_directory()?;
    let format = match format {
        Some(Format::Json) => ExportFormat::Json,
        Some(Format::Markdown) => ExportFormat::Markdown,
        None => file.map(ExportFormat::of_file).unwrap_or_default(),
    };
    // As `import -` reads the standard input.
    let Some(file) = file.filter(|file| !is_standard_input(file)) else {
        return write_session(&dir, format, &mut *streams.out).map_err(failed);
    };
    export_to_file(&dir, format, file).map_err(failed)?;
    let name = visible(&store::name_of(&dir));
    streams.tell(format_args!("{name} is exported to {}", named(file)));
    Ok(())
}

fn failed(error: ExportError) -> Error {
    match error {
        ExportError::Output(reason) => Error::Output(reason),
        ExportError::Session(error) => error.into(),
        error @ (ExportError::Exists { .. } | ExportError::NoFolder { .. }) => {
            Error::Usage(error.to_string())
        }
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
    let refused = |error: ArchiveError| Error::Failed(format!("{}: {error}", named(file)));
    let archive = Archive::from_json(&text).map_err(refused)?;
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
