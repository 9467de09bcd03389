//! What can be wrong with a setting.

use std::io;
use std::path::PathBuf;

use super::no_place::NoPlace;
use super::{Key, Source};
use crate::address::{HOLDS_USER, without_password};
use crate::memory::RulesError;
use crate::nearest::nearest;

/// A setting that makes no sense, or a config file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No setting has this key.
    #[error("there is no setting {key:?} (from: {from}). {hint}")]
    Unknown {
        /// The key as written.
        key: String,
        /// Where it stands.
        from: Source,
        /// What was probably meant, or where to look.
        hint: String,
    },
    /// What says who answers makes no sense, so nobody is asked.
    #[error("{0}")]
    WhoAnswers(String),
    /// The value does not fit its key.
    #[error("{} must be {}, not {value:?} (from: {from})", key.name(), key.kind().expected())]
    Bad {
        /// The setting.
        key: Key,
        /// The value as written, shortened.
        value: String,
        /// Where it stands.
        from: Source,
    },
    /// The address holds a name or a password.
    #[error("{} {HOLDS_USER} (from: {from})", key.name())]
    Password {
        /// The setting.
        key: Key,
        /// Where it stands.
        from: Source,
    },
    /// A number, a date or a table stands in the file where words belong.
    #[error("{} must be words in quotes, not {value} (from: {from})", key.name())]
    NoWords {
        /// The setting.
        key: Key,
        /// The value as written.
        value: String,
        /// Where it stands.
        from: Source,
    },
    /// Two values that fit their keys do not fit each other.
    #[error(
        "{} is {} (from: {}), more than {}, which is {} (from: {}). Lower the first or raise the \
         second",
        small.0.name(), small.1, small.2, large.0.name(), large.1, large.2
    )]
    Conflict {
        /// The one that must not be greater.
        small: (Key, u64, Source),
        /// The one that it must not exceed.
        large: (Key, u64, Source),
    },
    /// A value that fits its key leaves no room for what every request needs.
    #[error("{why} (from: {from})")]
    NoRoom {
        /// The sentence, which names the setting.
        why: RulesError,
        /// Where it stands.
        from: Source,
    },
    /// The limits of the notes contradict each other.
    #[error(
        "working_memory_soft_limit is {soft} (from: {soft_from}), which is not below \
         working_memory_hard_limit, {hard} (from: {hard_from}). Lower the first or raise the second"
    )]
    SoftNotBelowHard {
        /// The soft limit, in notes.
        soft: u64,
        /// Where it stands.
        soft_from: Source,
        /// The hard limit, in notes.
        hard: u64,
        /// Where it stands.
        hard_from: Source,
    },
    /// The config file is not TOML.
    #[error("{}:{line}: this is not TOML: {detail}. `ebbtide config default` shows the form", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser says.
        detail: String,
    },
    /// The config file cannot be read.
    #[error("cannot read the config file {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: io::Error,
    },
    /// The config file cannot be written; it is as it was.
    #[error("cannot write the config file {}: {reason}; check its permissions", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: io::Error,
    },
    /// The setting stands in a table of the config file.
    #[error("{}:{line}: {} stands in a table there: change it by hand", path.display(), key.name())]
    InTable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The setting.
        key: Key,
    },
    /// There is no home directory to find the files in.
    #[error("{0}")]
    NoHome(NoPlace),
    /// `api_key_env` names a variable that is not there.
    #[error(
        "{variable} is to hold the key (from: {from}), but it is not set. Set it, or correct api_key_env"
    )]
    NoKey {
        /// The variable.
        variable: String,
        /// Where its name stands.
        from: Source,
    },
    /// A table `[providers.NAME]` makes no sense.
    #[error("[providers.{name}]: {why} (from: {from})")]
    Provider {
        /// The provider's name.
        name: String,
        /// What is wrong, and what would do.
        why: String,
        /// Where it stands.
        from: Source,
    },
    /// `provider` names none that there is.
    #[error("there is no provider {name:?} (from: {from}). {hint}")]
    NoProvider {
        /// The name as written.
        name: String,
        /// Where it stands.
        from: Source,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// A model beside the one that chats is of a provider that cannot be asked.
    #[error(
        "{} is {called:?} (from: {from}), and no provider {provider:?} can be asked. {hint}", key.name()
    )]
    NobodyFor {
        /// The setting.
        key: Key,
        /// What it says.
        called: String,
        /// The provider as written.
        provider: String,
        /// Where it stands.
        from: Source,
        /// What was probably meant, or what is missing.
        hint: String,
    },
    /// The provider that was asked for wants a key.
    #[error(
        "{name} wants a key, and {variable} is not set. Set it to your key, or name another provider"
    )]
    KeyMissing {
        /// The provider.
        name: String,
        /// The variable that its key is looked for in.
        variable: String,
    },
    /// There is a key but no server.
    #[error(
        "{variable} holds a key, but nothing says for which server. Set base_url (--base-url URL) too"
    )]
    NoServer {
        /// The variable that holds the key.
        variable: String,
    },
}

/// What other programs have as settings, and where it stands here.
const ELSEWHERE: [(&[&str], &str); 2] = [
    (
        &["temperature", "max_tokens", "headers", "body"],
        "It belongs to a provider: set it below [providers.NAME] in the config file.",
    ),
    (
        &["system", "system_prompt", "instructions", "prompt"],
        "What you want in every conversation stands in `instructions.md` beside the config file (`ebbtide config path` \
         prints where), what you want in one folder in `.ebbtide.md` there.",
    ),
];

/// Characters of a bad value that are shown.
const SHOWN: usize = 80;

impl Error {
    /// The error for a key that no setting has.
    pub(crate) fn unknown(key: &str, from: Source) -> Self {
        Self::Unknown { key: shortened(key), from, hint: Self::hint_for(key) }
    }

    /// The same as a sentence, where the key stands nowhere yet.
    pub(crate) fn no_setting(key: &str) -> String {
        format!("there is no setting {:?}. {}", shortened(key), Self::hint_for(key))
    }

    fn hint_for(key: &str) -> String {
        let lower = key.to_lowercase().replace('-', "_");
        if lower.contains("api_key") {
            "Keys of servers are read from environment variables only; api_key_env names one."
                .to_owned()
        } else if let Some((_, place)) = ELSEWHERE.iter().find(|(keys, _)| keys.contains(&&*lower))
        {
            (*place).to_owned()
        } else {
            match nearest(&lower, Key::all().iter().map(|key| key.name())) {
                Some(name) => format!("Did you mean {name}?"),
                None => "`ebbtide config` lists them all.".to_owned(),
            }
        }
    }

    /// Where what is wrong stands; of two settings that contradict each other, the first that somebody set.
    pub fn stands_at(&self) -> Source {
        let set = |first: &Source, second: &Source| {
            if *first == Source::Default { second.clone() } else { first.clone() }
        };
        match self {
            Self::Unknown { from, .. }
            | Self::Bad { from, .. }
            | Self::NoWords { from, .. }
            | Self::Password { from, .. }
            | Self::NoRoom { from, .. }
            | Self::NoKey { from, .. }
            | Self::Provider { from, .. }
            | Self::NobodyFor { from, .. }
            | Self::NoProvider { from, .. } => from.clone(),
            Self::Conflict { small, large } => set(&small.2, &large.2),
            Self::SoftNotBelowHard { soft_from, hard_from, .. } => set(soft_from, hard_from),
            Self::Syntax { path, line, .. } | Self::InTable { path, line, .. } => {
                Source::File { path: path.clone(), line: *line }
            }
            _ => Source::Default,
        }
    }

    pub(super) fn bad(key: Key, value: &str, from: Source) -> Self {
        if key.kind().is_password_refused(value) {
            return Self::Password { key, from };
        }
        Self::Bad { key, value: shortened(&without_password(value)), from }
    }
}

/// The beginning of what was written, where that is long.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
