//! The command line that goes on with a session, with the same model.

use std::path::Path;

use super::Job;
use super::session::check_name;
use crate::address::without_password;
use crate::config::{Candidate, Key, Provider, Source};
use crate::llm::ModelInfo;
use crate::orchestrator::SessionInfo;
use crate::providers::Protocol;
use crate::shell::shell_word;
use crate::store::name_of;

/// What stands for a password in an address.
const MASK: &str = "***";

impl Job<'_> {
    /// How to go on with a session: the command line, and what has to be put into it first.
    pub(super) fn to_go_on(&self, session: &SessionInfo) -> String {
        let command = self.command_for(session);
        let masked = command.contains(MASK);
        let rest = if masked {
            "\nFirst put in what *** stands for: a password is not shown."
        } else {
            ""
        };
        format!("To go on: {command}{rest}")
    }

    /// The command line that opens a session again, and has the model answer that answers now.
    fn command_for(&self, session: &SessionInfo) -> String {
        let mut words = vec!["ebbtide".to_owned(), self.session_flag(&session.directory)];
        let config = self.arguments.settings.config.as_deref();
        words.extend(config.map(|file| format!("--config {}", absolute(file))));
        words.extend(self.model_flags(&session.model).into_iter().map(
            |(flag, value)| match value {
                Some(value) => format!("{flag} {}", shell_word(&value)),
                None => flag.to_owned(),
            },
        ));
        words.join(" ")
    }

    fn session_flag(&self, directory: &Path) -> String {
        let flags = &self.arguments.settings;
        // Where the sessions are may have been said for this run alone.
        let usual =
            flags.config.is_none() && flags.set.iter().all(|(key, _)| key != "sessions_dir");
        let name = name_of(directory);
        let named = usual && self.settings.sessions_dir().join(&name) == directory;
        if named && check_name(&name).is_ok() {
            return format!("-s {}", shell_word(&name));
        }
        format!("--session {}", absolute(directory))
    }

    /// The flags of this run without which another model would answer. Of a key only the name of its variable is
    /// among them.
    fn model_flags(&self, now: &ModelInfo) -> Vec<(&'static str, Option<String>)> {
        let settings = &self.settings;
        let is_flag = |key: Key| matches!(settings.source(key), Source::Flag(_));
        if now.offline {
            let flag = is_flag(Key::Offline) && settings.offline();
            return flag.then_some(("--offline", None)).into_iter().collect();
        }
        let named = self.named_server();
        let is_asked = named.as_ref().is_none_or(|server| server.name == now.provider);
        let server_flags = self.server_flags();
        let is_chosen = settings.model().is_some_and(|name| name != now.name);
        // What was chosen while chatting the session remembers, unless a flag says something else.
        if !is_asked || (is_chosen && server_flags.is_empty()) {
            return Vec::new();
        }
        let mut flags = server_flags;
        let usual = named.and_then(|server| server.model);
        let by_flag =
            is_flag(Key::Model) || (!flags.is_empty() && usual.as_ref() != Some(&now.name));
        flags.extend(by_flag.then(|| ("-m", Some(now.name.clone()))));
        flags
    }

    /// The flags of this run that say which server is asked.
    fn server_flags(&self) -> Vec<(&'static str, Option<String>)> {
        let settings = &self.settings;
        let set = |key: Key, value: &str| Some(format!("{}={value}", key.name()));
        let protocol = settings.protocol().map(Protocol::as_str);
        let flags = [
            (Key::BaseUrl, "--base-url", settings.base_url().map(without_password)),
            (Key::Provider, "--set", settings.provider().and_then(|it| set(Key::Provider, it))),
            (Key::Protocol, "--set", protocol.and_then(|it| set(Key::Protocol, it))),
            (Key::ApiKeyEnv, "--api-key-env", settings.api_key_env().map(str::to_owned)),
        ];
        let given = flags.into_iter().filter(|(key, _, value)| {
            value.is_some() && matches!(settings.source(*key), Source::Flag(_))
        });
        given.map(|(_, flag, value)| (flag, value)).collect()
    }

    /// The server that flags, settings and keys name, if they name one.
    fn named_server(&self) -> Option<Provider> {
        match self.candidates().ok()?.into_iter().next()? {
            Candidate::Server(server) => Some(server),
            Candidate::IfRunning(_) | Candidate::Offline => None,
        }
    }
}

/// A path as a word of the shell, from wherever the command is run.
fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    shell_word(&path.display().to_string())
}
