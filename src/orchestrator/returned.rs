//! What tools returned in a conversation that is told again, held by reference as in a live chat.

use super::driver::Driver;
use super::op::Returned;
use super::turn::Stop;
use crate::memory::{RETURNED, ScratchItem};
use crate::store::{Label, PadError, Scratchpad};

impl Driver {
    /// Holds what came in the turn under way. Nobody is told, and it is not searched: it is no news.
    pub(super) fn hold_returned(&mut self) -> Result<(), Stop> {
        for text in std::mem::take(&mut self.running.returned) {
            let item = self.returned_item(text).map_err(|error| Stop::Failed {
                what: error.to_string(),
                advice: "Mend the cause, then tell it again.".to_owned(),
            })?;
            drop(self.memory.scratchpad_saved(item));
        }
        Ok(())
    }

    fn returned_item(&mut self, text: Returned) -> Result<ScratchItem, PadError> {
        let Returned { name, description, text, bytes, tokens } = text;
        let counter = self.memory.counter();
        let pad = self.store.scratchpad_mut();
        let key = pad.free_key(&format!("{name}{RETURNED}"));
        if let Some(text) = text {
            let label = Label { key: &key, description: &description, what: &name };
            let item = pad.save(label, text.as_bytes(), &*counter)?;
            // It was counted, however long it is.
            return Ok(ScratchItem { tokens, exact: true, ..item });
        }
        let (key, description) = (key.into(), Scratchpad::described(&description).into());
        let chunks = Scratchpad::chunks(bytes);
        Ok(ScratchItem { key, description, bytes, lines: 0, chunks, tokens, exact: true })
    }
}
