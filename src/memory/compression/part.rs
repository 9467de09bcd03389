//! A log as it is read for its summary.

use crate::memory::{CloseSource, Memory, Message, Status, Tokens};

/// A part of a log, as it is read for its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogPart<'a> {
    /// A message as it was said.
    Raw(&'a Message),
    /// What stands for messages that were compressed, without the line that names their source.
    Compressed(&'a str),
}

impl<'a> LogPart<'a> {
    /// Its words.
    pub fn text(&self) -> &'a str {
        match self {
            Self::Raw(message) => &message.content,
            Self::Compressed(text) => text,
        }
    }

    /// Who said it: a role, or `notes`.
    pub fn by(&self) -> &'static str {
        self.raw().map_or("notes", |message| message.role.as_str())
    }

    /// The message, if it is raw.
    pub fn raw(&self) -> Option<&'a Message> {
        if let Self::Raw(message) = self { Some(message) } else { None }
    }

    /// The words, if it was compressed.
    pub fn compressed(&self) -> Option<&'a str> {
        if let Self::Compressed(text) = self { Some(text) } else { None }
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
        let part = |(place, message): (usize, &'a Message)| match block(place) {
            None => Some(LogPart::Raw(message)),
            Some(block) if block.places.first() == Some(&place) => {
                let content = &*block.message.content;
                Some(LogPart::Compressed(
                    content.split_once('\n').map_or(content, |(_, text)| text),
                ))
            }
            Some(_) => None,
        };
        source.messages.iter().enumerate().filter_map(part).collect()
    }
}
