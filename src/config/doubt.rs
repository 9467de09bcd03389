//! What in the file or the environment makes no sense: a sentence and the default, or nobody who answers.

use super::file::Entry;
use super::provider::TableFault;
use super::{Error, Key, Settings, Slot, Source};

impl Settings {
    /// What makes no sense is a fault, not the end.
    pub(super) fn assign_or_tell(&mut self, name: &str, text: &str, source: Source) {
        if let Err(error) = self.assign(name, text, source) {
            self.tell_of(name, &error);
        }
    }

    /// A line of the file; a number or a table where words belong makes no sense.
    pub(super) fn take_line(&mut self, line: Entry) {
        let Entry { name, value, is_words, source } = line;
        match Key::named(&name).filter(|key| !is_words && key.kind().is_words()) {
            Some(key) => self.tell_of(&name, &Error::NoWords { key, value, from: source }),
            None => self.assign_or_tell(&name, &value, source),
        }
    }

    fn tell_of(&mut self, name: &str, error: &Error) {
        match Key::named(name) {
            Some(key) if key.decides_who_answers() => self.doubt(Some(key), error),
            // The server that chats is another one than meant, and would be sent all that was said.
            Some(Key::EmbeddingUrl) if *self.source(Key::EmbeddingUrl) == Source::Default => {
                self.no_comparing = true;
                let holds = "Until that is mended, what was said is found by its words alone.";
                self.fault(format!("{error}. {holds}"), error.stands_at());
            }
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
                self.fault(format!("{error}. {holds}."), error.stands_at());
            }
            None => {
                self.fault(format!("{error} The line has no effect."), error.stands_at());
            }
        }
    }

    /// What of the tables of providers makes no sense is the end only where it may decide who answers.
    pub(super) fn take_odd_tables(&mut self, odd: Vec<TableFault>) {
        for fault in odd {
            if fault.decides(self) {
                self.doubt(None, &fault.error);
            } else {
                self.fault(fault.told(), fault.error.stands_at());
            }
        }
    }

    /// The default is no safe way out where the conversation could go to somebody else than meant.
    pub(super) fn doubt(&mut self, key: Option<Key>, error: &Error) {
        self.doubts.push((key, error.to_string(), error.stands_at()));
    }

    /// Something that makes no sense was passed over.
    pub(super) fn fault(&mut self, told: String, from: Source) {
        self.faults.push(told);
        self.fault_sources.push(from);
    }

    /// Where what [`Settings::faults`] tells stands, in the same order.
    pub fn fault_sources(&self) -> &[Source] {
        &self.fault_sources
    }

    /// Where what [`Settings::doubts`] tells stands, in the same order.
    pub fn doubt_sources(&self) -> impl Iterator<Item = &Source> {
        self.doubts.iter().map(|(_, _, from)| from)
    }

    /// Where no server is asked in any case, who would answer decides nothing.
    pub(super) fn doubts_are_faults(&mut self) {
        let told: Vec<String> = self.doubts().collect();
        let from: Vec<Source> = self.doubt_sources().cloned().collect();
        self.faults.extend(told);
        self.fault_sources.extend(from);
    }

    /// What says who answers and makes no sense, as sentences; no server is asked before that is mended.
    pub fn doubts(&self) -> impl Iterator<Item = String> + '_ {
        self.doubts
            .iter()
            .map(|(_, why, _)| format!("{why}. No server is asked before that is mended."))
    }

    /// Why nobody may be asked; a flag that says it anew goes before what makes no sense.
    pub(super) fn in_doubt(&self) -> Option<&str> {
        let is_open = |key: Option<Key>| {
            key.is_none_or(|key| !matches!(self.source(key), Source::Flag(_) | Source::Chat))
        };
        self.doubts.iter().find(|(key, ..)| is_open(*key)).map(|(_, why, _)| &**why)
    }
}
