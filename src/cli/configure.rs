//! `ebbtide config`.

use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Arc;

use super::error::sentence;
use super::{Arguments, ConfigAction, Error, Host, Streams};
use crate::config::{
    Beside, Custom, Error as Fault, Key, Paths, Settings, Source, candidates, default_file,
    models_beside, set_in_file, unset_in_file,
};
use crate::counted::counted;
use crate::memory::CountTokens;
use crate::orchestrator::{check_settings, misfit};
use crate::tokens::Cl100k;
use crate::tui::keymap::{Keymap, Scope};
use crate::tui::look::Look;
use crate::tui::theme::{Theme, ThemeChoice};

/// What in the config file makes no sense and was passed over, as sentences with file, line and key.
pub(super) fn faults(settings: &Settings) -> Vec<String> {
    let mut look = Look::default();
    look.follow(settings);
    let (_, keys) = Keymap::with(settings.keys());
    let (_, colours) = look.theme();
    settings.faults().iter().cloned().chain(keys).chain(colours).collect()
}

/// Does what `config` was asked for.
pub(super) fn run(
    action: Option<&ConfigAction>,
    json: bool,
    arguments: &Arguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if action == Some(&ConfigAction::Default) {
        write!(streams.out, "{}", default_file())?;
        return Ok(());
    }
    let file = config_file(arguments, host)?;
    match action {
        Some(ConfigAction::Path) => writeln!(streams.out, "{}", file.display())?,
        Some(ConfigAction::Set { key, value }) => {
            let key = known(key, &file)?;
            if key == Key::Provider {
                let mut settings =
                    Settings::load(&host.environment, &arguments.settings.overrides())?;
                settings.set(key.name(), value, Source::Change)?;
            }
            let line = set_in_file(&file, key, value)?;
            streams.tell(format_args!("{}: {line}", file.display()));
            tell_doubts_of(key, arguments, host, streams);
        }
        Some(ConfigAction::Unset { key }) => {
            let key = known(key, &file)?;
            let was = if unset_in_file(&file, key)? { "is no longer" } else { "was not" };
            streams.tell(format_args!("{} {was} set in {}", key.name(), file.display()));
        }
        action => show(action, json, &file, arguments, host, streams)?,
    }
    Ok(())
}

/// What is odd about a setting that was written, beside the others too.
fn tell_doubts_of(key: Key, arguments: &Arguments, host: &Host, streams: &mut Streams<'_>) {
    // Where the settings cannot be read, whoever starts the program is told why.
    let Ok(settings) = Settings::load(&host.environment, &arguments.settings.overrides()) else {
        return;
    };
    for fault in settings.faults().iter().filter(|fault| fault.contains(key.name())) {
        streams.tell(fault);
    }
    let of_key = |named: &Beside<'_>| named.key == key;
    for named in models_beside(&settings, &host.environment).into_iter().filter(of_key) {
        if let Err(error) = named.provider {
            streams.tell(sentence(&error.to_string()));
        }
    }
    if matches!(key, Key::TokenBudget | Key::ContextWindow) {
        tell_room(&settings, streams);
    }
}

/// Tells what leaves no room for what every request needs.
fn tell_room(settings: &Settings, streams: &mut Streams<'_>) {
    if let Some(fault) = misfit(settings, &(Arc::new(Cl100k::lazy()) as Arc<dyn CountTokens>)) {
        streams.tell(fault);
    }
}

/// The setting of a name; what stands in a table of the file is written there by hand.
fn known(name: &str, file: &Path) -> Result<Key, Error> {
    let in_table = |table: &str, lists: &str| {
        name.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')).map(|inner| {
            let file = file.display();
            format!(
                "{name} stands in a table: write {inner} below [{table}] in {file} by hand. {lists}"
            )
        })
    };
    let by_hand = in_table("theme", "`ebbtide config roles` prints the names")
        .or_else(|| in_table("keys", "`ebbtide config keys` prints the names"))
        .or_else(|| in_table("providers", "`ebbtide config default` shows the form"));
    Key::named(name).ok_or_else(|| Error::Usage(by_hand.unwrap_or_else(|| Fault::no_setting(name))))
}

/// What needs the settings themselves.
fn show(
    action: Option<&ConfigAction>,
    json: bool,
    file: &Path,
    arguments: &Arguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let settings = Settings::load(&host.environment, &arguments.settings.overrides())?;
    let mut faults = faults(&settings);
    faults.extend(settings.doubts().filter(|_| !settings.offline()));
    let nobodies = nobodies(&settings, host);
    faults.extend(nobodies.iter().map(|error| sentence(&error.to_string())));
    for remark in settings.notes().iter().chain(&faults) {
        streams.tell(remark);
    }
    match action {
        Some(ConfigAction::Check) if !faults.is_empty() => {
            let counter = Arc::new(Cl100k::lazy()) as Arc<dyn CountTokens>;
            let no_room = check_settings(&settings, &counter).err();
            if let Some(error) = &no_room {
                streams.tell(sentence(&error.to_string()));
            }
            let more: Vec<Source> = nobodies.iter().chain(&no_room).map(Fault::stands_at).collect();
            let all = faults.len() + usize::from(no_room.is_some());
            return Err(Error::Usage(in_all(&settings, &more, all, file)));
        }
        Some(ConfigAction::Check) => {
            candidates(&settings, &host.environment)?;
            check_settings(&settings, &(Arc::new(Cl100k::lazy()) as Arc<dyn CountTokens>))?;
            let changed =
                settings.list().iter().filter(|row| row.source != Source::Default).count();
            let state = if file.exists() { "" } else { " (there is no such file)" };
            writeln!(streams.out, "ok: {}{state}, settings changed: {changed}", file.display())?;
        }
        Some(ConfigAction::Keys) => print_keys(&settings, streams)?,
        Some(ConfigAction::Roles) => {
            for role in Theme::roles() {
                writeln!(streams.out, "theme.{role}")?;
            }
        }
        _ => {
            tell_room(&settings, streams);
            if json {
                print_json(&settings, streams)?;
            } else {
                print_list(&settings, streams)?;
            }
        }
    }
    Ok(())
}

/// Models beside the one that chats that nobody can be asked for.
fn nobodies(settings: &Settings, host: &Host) -> Vec<Fault> {
    let named = models_beside(settings, &host.environment).into_iter();
    named.filter_map(|named| named.provider.err()).collect()
}

/// How much makes no sense of the file, the environment and the flags: of so many faults, `more` of which the settings do
/// not know of.
fn in_all(settings: &Settings, more: &[Source], faults: usize, file: &Path) -> String {
    let doubts = settings.doubt_sources().filter(|_| !settings.offline());
    let known: Vec<&Source> = settings.fault_sources().iter().chain(doubts).chain(more).collect();
    let of = |is_it: fn(&Source) -> bool| known.iter().filter(|source| is_it(source)).count();
    let variables = of(|source| matches!(source, Source::Environment(_)));
    let flags = of(|source| matches!(source, Source::Flag(_)));
    let others = of(|source| {
        !matches!(source, Source::File { .. } | Source::Environment(_) | Source::Flag(_))
    });
    // Keys and colours stand in the file alone.
    let lines = faults - variables - flags - others;
    let of_file = |what: String| format!("{what} of {}", file.display());
    let parts: Vec<String> = [
        (lines > 0).then(|| of_file(counted(lines as u64, "line"))),
        (variables > 0).then(|| counted(variables as u64, "environment variable")),
        (flags > 0).then(|| counted(flags as u64, "flag")),
        (others > 0).then(|| counted(others as u64, "setting")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let verb = if lines + variables + flags + others == 1 { "makes" } else { "make" };
    format!("{} {verb} no sense", parts.join(" and "))
}

fn print_keys(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Error> {
    let (keymap, _) = Keymap::with(settings.keys());
    for scope in Scope::ALL {
        for bound in keymap.bindings(scope).filter(|bound| bound.can_change()) {
            let name = format!("keys.{}", bound.name());
            writeln!(streams.out, "{name:<27} = {:<24}  {}", bound.label, keymap.help(bound))?;
        }
    }
    Ok(())
}

/// Keys and colours of the config file that are in force, with the names of their tables.
fn customs(settings: &Settings) -> impl Iterator<Item = (String, &Custom)> {
    let (keymap, _) = Keymap::with(settings.keys());
    let keys = settings.keys().iter().filter(move |custom| keymap.obeys(custom));
    let keys = keys.map(|custom| (format!("keys.{}", custom.name), custom));
    let mono = || Theme::detect(true, ThemeChoice::Mono, None);
    let is_one = move |custom: &&Custom| mono().with(from_ref(*custom), false).1.is_empty();
    let colours = settings.colours().iter().filter(is_one);
    keys.chain(colours.map(|custom| (format!("theme.{}", custom.name), custom)))
}

/// The config file that is read.
pub(super) fn config_file(arguments: &Arguments, host: &Host) -> Result<PathBuf, Error> {
    match &arguments.settings.config {
        Some(file) => Ok(file.clone()),
        None => Ok(Paths::of(&host.environment).config_file()?),
    }
}

fn print_list(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Error> {
    for row in settings.list() {
        let value = if row.value.is_empty() { "\"\"" } else { &row.value };
        writeln!(streams.out, "{:<27} = {value:<12}  ({})", row.key, row.source)?;
    }
    for (name, custom) in customs(settings) {
        writeln!(streams.out, "{name:<27} = {:<12}  ({})", custom.text(), custom.source)?;
    }
    Ok(())
}

fn print_json(settings: &Settings, streams: &mut Streams<'_>) -> Result<(), Error> {
    let tables = customs(settings).map(|(name, custom)| {
        serde_json::json!({
            "key": name,
            "value": custom.text(),
            "source": custom.source.to_string(),
            "doc": "",
        })
    });
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
        .chain(tables)
        .collect();
    writeln!(streams.out, "{}", serde_json::Value::from(rows))?;
    Ok(())
}
