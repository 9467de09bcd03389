//! `ebbtide config`.

use std::path::PathBuf;

use super::{Arguments, ConfigAction, Error, Host, Streams};
use crate::config::{Paths, Settings, Source, candidates, default_file};

/// Does what `config` was asked for.
pub(super) fn run(
    action: Option<ConfigAction>,
    json: bool,
    arguments: &Arguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if action == Some(ConfigAction::Default) {
        write!(streams.out, "{}", default_file())?;
        return Ok(());
    }
    let file = config_file(arguments, host)?;
    if action == Some(ConfigAction::Path) {
        writeln!(streams.out, "{}", file.display())?;
        return Ok(());
    }
    let settings = Settings::load(&host.environment, &arguments.settings.overrides())?;
    for note in settings.notes() {
        writeln!(streams.err, "{note}")?;
    }
    match action {
        Some(ConfigAction::Check) => {
            candidates(&settings, &host.environment)?;
            let changed =
                settings.list().iter().filter(|row| row.source != Source::Default).count();
            let state = if file.exists() { "" } else { " (there is no such file)" };
            writeln!(streams.out, "ok: {}{state}, settings changed: {changed}", file.display())?;
        }
        _ if json => print_json(&settings, streams)?,
        _ => print_list(&settings, streams)?,
    }
    Ok(())
}

/// The config file that is read.
pub(super) fn config_file(arguments: &Arguments, host: &Host) -> Result<PathBuf, Error> {
    match &arguments.settings.config {
        Some(file) => Ok(file.clone()),
        None => Ok(Paths::of(&host.environment)?.config_file()),
    }
}

fn print_list(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Error> {
    for row in settings.list() {
        let value = if row.value.is_empty() { "\"\"" } else { &row.value };
        writeln!(streams.out, "{:<27} = {value:<12}  ({})", row.key, row.source)?;
    }
    Ok(())
}

fn print_json(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Error> {
    let rows: Vec<serde_json::Value> = settings
        .list()
        .into_iter()
        .map(|row| {
            serde_json::json!({
                "key": row.key,
                "value": row.value,
                "source": row.source.to_string(),
                "doc": row.doc,
            })
        })
        .collect();
    writeln!(streams.out, "{}", serde_json::Value::from(rows))?;
    Ok(())
}
