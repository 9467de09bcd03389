//! What a person changes about the session itself: settings, its name, a copy of it.

use std::mem::discriminant;
use std::path::{Path, PathBuf};

use super::answer::Refusal;
use super::driver::Driver;
use super::export::{ExportFormat, Target, export_to_file};
use super::loading::fitting;
use super::notice::{Notice, SessionInfo};
use super::turn::Progress;
use crate::config::{self, Key, Source};
use crate::home::at_home;
use crate::letters::composed;
use crate::memory::RulesError;
use crate::store;

impl Driver {
    /// Changes a setting for this run.
    pub(super) fn set(&mut self, key: &str, value: &str) {
        let kept = " It counts from the next start on, if it is kept: /set with --save at the end.";
        let done = self.change(key, value);
        let later = |key: Option<Key>| key.is_some_and(Key::counts_at_start);
        self.settled(done.map(|(key, said)| if later(key) { said + kept } else { said }));
    }

    /// Changes a setting and keeps it in the config file.
    pub(super) fn set_for_good(&mut self, key: &str, value: &str) {
        let done = self.change(key, value).and_then(|(key, said)| {
            let (Some(file), Some(known)) = (self.settings.config_file(), key) else {
                return Err("There is no config file to keep it in.".into());
            };
            config::set_in_file(file, known, value)
                .map_err(|error| format!("{said} It was not kept: {error}"))?;
            let when = if known.counts_at_start() { ", for the next start" } else { "" };
            Ok(format!("{said} Kept in {}{when}.", file.display()))
        });
        self.settled(done);
    }

    fn settled(&mut self, done: Result<String, String>) {
        let (ok, text) = match done {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        self.notify(Notice::SettingDone { ok, text });
        self.show_settings();
        if ok {
            self.tell_forms();
            self.show_memory();
        }
    }

    /// Other rules hold: what has no room any more, or has it again, is told like everything that leaves.
    pub(super) fn tell_forms(&mut self) {
        let changes = self.memory.forms_changed();
        self.apply(changes, &mut Progress::new("".into()));
    }

    /// Changes a setting, and tells which it is; one that memory refuses is as it was.
    fn change(&mut self, key: &str, value: &str) -> Result<(Option<Key>, String), String> {
        let mut settings = self.settings.clone();
        settings.set(key, value, Source::Chat).map_err(|error| error.to_string())?;
        let (before, was_refused) = fitting(&self.memory, &self.settings);
        let (rules, refused) = fitting(&self.memory, &settings);
        // What was wrong before stays so, however small the model is.
        let is_old = |why: &RulesError| {
            was_refused.is_some_and(|was| discriminant(&was) == discriminant(why))
        };
        if let Some(why) = refused.filter(|why| !is_old(why)) {
            return Err(why.to_string());
        }
        self.memory.set_rules(rules).map_err(|error| error.to_string())?;
        if let Err(refused) = self.memory.set_note_limits(settings.note_limits()) {
            // The rules were good a moment ago.
            let _ = self.memory.set_rules(before);
            return Err(refused.to_string());
        }
        self.fill_ambient(settings.rules().ambient_window);
        self.settings = settings;
        self.store.set_durability(super::loading::durability(&self.settings));
        Ok((Key::named(key), format!("{key} is now {value}.")))
    }

    /// A larger window holds as many exchanges at once.
    fn fill_ambient(&mut self, window: usize) {
        if window <= self.settings.rules().ambient_window {
            return;
        }
        match self.store.reader().ambient_tail(window.saturating_mul(2)) {
            Ok(last) => self.memory.fill_ambient(last),
            Err(error) => tracing::warn!("the larger window fills with time: {error}"),
        }
    }

    pub(super) fn show_settings(&self) {
        self.notify(Notice::Settings(std::sync::Arc::new(self.settings.clone())));
        self.show_bill();
    }

    /// Waits until nothing reads or writes the session's files beside the turns. The index is closed; keeping it begins anew.
    async fn leave_files(&mut self) {
        self.await_checkpoint().await;
        self.take_sizes(true).await;
        self.take_back_ahead();
        if let Some(said) = self.said.take() {
            said.close().await;
        }
    }

    /// Gives the session another name.
    pub(super) async fn rename(&mut self, name: &str) -> Result<String, Refusal> {
        let name = &*composed(name);
        let to = self.store.dir().with_file_name(name);
        let drafts = self.drafts.clone();
        store::check_name(name)?;
        self.leave_files().await;
        let renamed = drafts.follow(|| self.store.rename(&to).map(|()| self.store.draft_file()));
        self.keep_said(self.store.reader());
        renamed?;
        let model = self.model.info();
        let session = SessionInfo { name: name.to_owned(), directory: to, model };
        self.notify(Notice::Renamed(session));
        Ok(format!("The session is now {name}."))
    }

    /// Copies the session as it is now under a name of its own; returns what is told of it.
    pub(super) async fn fork(&mut self, name: Option<&str>) -> Result<Notice, Refusal> {
        if !self.store.is_kept() {
            return Err(Refusal::of("This session is not kept, so there is nothing to copy."));
        }
        let (from, root) = (self.store.dir().to_owned(), self.settings.sessions_dir());
        let old = store::name_of(&from);
        let to = match name {
            Some(name) => root.join(&*composed(name)),
            None => store::free_place(&root, &old),
        };
        let new = store::name_of(&to);
        store::check_name(name.unwrap_or(&new))?;
        self.leave_files().await;
        let target = to.clone();
        let copied = tokio::task::spawn_blocking(move || store::fork(&from, &target)).await;
        self.keep_said(self.store.reader());
        copied
            .map_err(|panic| Refusal::of(format!("The session could not be copied: {panic}")))??;
        let word = if new.contains(' ') { format!("\"{new}\"") } else { new.clone() };
        let text = format!(
            "{old} is copied to {new}, kept in {}: `ebbtide -s {word}` opens it.",
            to.display()
        );
        Ok(Notice::Forked { directory: to, text })
    }

    /// Writes the session into a new file; without one, into one named after it.
    pub(super) async fn export(&mut self, path: Option<PathBuf>) -> Result<String, Refusal> {
        let dir = self.store.dir().to_owned();
        let name = store::name_of(&dir);
        let target = match path.map(at_home) {
            None => Target::Form(ExportFormat::Markdown),
            Some(output) if output == Path::new("-") => {
                return Err(Refusal::of(
                    "/export writes a file, and - is none: name one. `ebbtide export -` writes to the standard output.",
                ));
            }
            Some(words) => {
                Target::read(&words, None, &dir, "/export").map_err(|why| Refusal::of(why + "."))?
            }
        };
        let (path, format) = match target {
            Target::Form(format) => (free_file(&name, format.ending()), format),
            Target::File(path, format) => (path, format),
        };
        let target = path.clone();
        let written = tokio::task::spawn_blocking(move || export_to_file(&dir, format, &target));
        match written.await {
            Ok(Ok(())) => Ok(format!("The session is exported to {}.", path.display())),
            Ok(Err(error)) => Err(Refusal::of(error.to_string())),
            Err(panic) => Err(Refusal::of(format!("The session could not be exported: {panic}"))),
        }
    }
}

/// `NAME.md` in the working directory, or the first of `NAME-2.md` and so on that no file has.
fn free_file(name: &str, ending: &str) -> PathBuf {
    let numbered = |number: u32| match number {
        1 => PathBuf::from(format!("{name}.{ending}")),
        more => PathBuf::from(format!("{name}-{more}.{ending}")),
    };
    (1..1_000).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(1))
}
