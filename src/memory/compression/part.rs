//! A log as it is read for its summary.

use crate::memory::{CloseSource, Memory, Message, Status, Tokens};

/// A part of a log, as it is read for its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPart<'a> {
    /// Who said it: a role, or `notes`.
    pub by: &'static str,
    /// What was said, or what stands for messages that were compressed, without the line that names their source.
    pub text: &'a str,
    /// Its cost, about.
    pub tokens: Tokens,
    /// It stands for messages that were compressed.
    pub is_compressed: bool,
}

impl LogPart<'_> {
    /// It as a paragraph of a text.
    pub fn told(&self) -> String {
        let text = self.text.trim_end();
        if self.is_compressed { text.to_owned() } else { format!("{}: {text}", self.by) }
    }
}

impl Memory {
    /// A log that is summarised, in its order: raw if it costs no more than `most`, else with what was compressed of it in
    /// that form.
    pub fn parts_for_summary<'a>(
        &'a self,
        source: &'a CloseSource,
        most: Tokens,
    ) -> Vec<LogPart<'a>> {
        let is_long = source.tokens > most;
        let effort =
            self.effort(&source.id).filter(|effort| is_long && effort.status == Status::Open);
        let block =
            |place: usize| effort?.compressed_parts().find(|block| block.places.contains(&place));
        let part = |(place, message): (usize, &'a Message)| {
            let (by, tokens) = (message.role.as_str(), message.tokens);
            let Some(block) = block(place) else {
                return Some(LogPart { by, text: &message.content, tokens, is_compressed: false });
            };
            let (content, tokens) = (&*block.message.content, block.message.tokens);
            let text = content.split_once('\n').map_or(content, |(_, text)| text);
            let is_first = block.places.first() == Some(&place);
            is_first.then_some(LogPart { by: "notes", text, tokens, is_compressed: true })
        };
        source.messages.iter().enumerate().filter_map(part).collect()
    }
}
