//! What in the file or the environment makes no sense: a sentence and the default, or nobody who answers.

use super::provider::TableFault;
use super::{Error, Key, Settings, Slot, Source};

impl Settings {
    /// What makes no sense is a fault, not the end.
    pub(super) fn assign_or_tell(&mut self, name: &str, text: &str, source: Source) {
        let Err(error) = self.assign(name, text, source) else { return };
        match Key::named(name) {
            Some(key) if key.decides_who_answers() => self.doubt(Some(key), &error),
            Some(key) => {
                let holds = match self.slot(key) {
                    Slot { value, source: Source::Default } if value.shown().is_empty() => {
                        format!("The default holds: no {}", key.name())
                    }
                    Slot { value, source: Source::Default } => {
                        format!("The default holds: {}", value.shown())
                    }
                    Slot { value, source } => {
                        format!("It stays {} (from: {source})", value.shown())
                    }
                };
                self.faults.push(format!("{error}. {holds}."));
            }
            None => self.faults.push(format!("{error} The line has no effect.")),
        }
    }

    /// What of the tables of providers makes no sense is the end only where it may decide who answers.
    pub(super) fn take_odd_tables(&mut self, odd: Vec<TableFault>) {
        for fault in odd {
            if fault.decides(self) {
                self.doubt(None, &fault.error);
            } else {
                self.faults.push(fault.told());
            }
        }
    }

    /// The default is no safe way out where the conversation could go to somebody else than meant.
    pub(super) fn doubt(&mut self, key: Option<Key>, error: &Error) {
        self.doubts.push((key, error.to_string()));
    }

    /// What says who answers and makes no sense, as sentences; no server is asked before that is mended.
    pub fn doubts(&self) -> impl Iterator<Item = String> + '_ {
        self.doubts
            .iter()
            .map(|(_, why)| format!("{why}. No server is asked before that is mended."))
    }

    /// Why nobody may be asked; a flag that says it anew goes before what makes no sense.
    pub(super) fn in_doubt(&self) -> Option<&str> {
        let is_open = |key: Option<Key>| {
            key.is_none_or(|key| !matches!(self.source(key), Source::Flag(_) | Source::Chat))
        };
        self.doubts.iter().find(|(key, _)| is_open(*key)).map(|(_, why)| &**why)
    }
}
