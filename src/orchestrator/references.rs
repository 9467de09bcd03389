//! References in the arguments of a tool: `ref:key` stands for the text that is kept under the key, and is
//! looked up only when the tool runs, so that the model never has to repeat a text to pass it on.

use super::answer::Refusal;
use super::driver::Driver;
use crate::tools::Call;

/// Bytes of a text that may be copied by its reference.
const MOST_COPIED: u64 = 4 * 1024 * 1024;

/// Bytes of a text that may stand for any other argument: a sentence, an id, a query or a tag.
const MOST_BYTES: u64 = 2_000;

impl Driver {
    /// The call with the text behind each argument that is nothing but a reference. What is too large for
    /// its argument, or is not kept, is refused with a sentence that says what to do.
    pub(super) fn resolve(&self, call: &Call) -> Result<Call, Refusal> {
        let is_copy = matches!(call, Call::ScratchpadSave { .. });
        call.resolved(|argument, text| {
            if !text.starts_with("ref:") || text.contains(char::is_whitespace) {
                return Ok(None);
            }
            let pad = self.store.scratchpad();
            let bytes = pad.item(text)?.bytes;
            let most = if is_copy && argument == "content" { MOST_COPIED } else { MOST_BYTES };
            if bytes > most {
                let refused = |search: &str, read: &str| {
                    format!(
                        "{text} has {bytes} bytes, too many for the argument '{argument}', which takes \
                         {most}: find the words you need with {search} or {read} and send those"
                    )
                };
                return Err(Refusal::Reply {
                    for_model: refused("scratchpad_search", "scratchpad_read_chunk"),
                    for_people: refused("/pad-search", "/pad-read"),
                });
            }
            Ok(Some(pad.whole(text, most)?))
        })
    }
}
