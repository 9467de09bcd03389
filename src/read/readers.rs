//! Who reads which format.

use super::{Bytes, Error, Format, Ledger, Take, Tally};
use super::{
    aider, chat_gpt, claude_ai, claude_code, codex, dialogue, export, gemini, lm_studio, markdown,
    open_webui, opencode, silly_tavern,
};

/// Reads a file of one format.
pub(super) type Read = fn(&dyn Bytes, &mut Take<'_>, &mut Ledger) -> Result<Tally, Error>;

/// Who reads the files of a format.
pub(super) fn of(format: Format) -> Read {
    match format {
        Format::ClaudeCode => claude_code::read,
        Format::Codex => codex::read,
        Format::ChatGpt => chat_gpt::read,
        Format::ClaudeAi => claude_ai::read,
        Format::Opencode => opencode::read,
        Format::Gemini => gemini::read,
        Format::OpenWebUi => open_webui::read,
        Format::LmStudio => lm_studio::read,
        Format::Aider => aider::read,
        Format::SillyTavern => silly_tavern::read,
        Format::Dialogue => dialogue::read,
        Format::Export => export::read,
        Format::Markdown => markdown::read,
    }
}
