//! Compression of open logs: which messages may be compressed, and what then stands for them
//! (scratchpad-and-compression.md, the safety contract; design section 7).
//!
//! The contract is in the types. A [`CompressionSource`] names what may be compressed: nothing but raw messages, never
//! an earlier summary, never a saved result, never the last two user messages of the conversation. Only a source that has been
//! archived becomes [`Archived`], only that has a text to summarise, and the [`Block`] made from it always
//! carries the pointer to the archive and is smaller than what it stands for.

mod block;
mod due;
mod form;
mod part;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use block::Block;
pub(super) use form::CompressedLog;
use form::Form;
pub use part::LogPart;

use super::saved::holds_saved;
use super::{
    Change, ChangeKind, CountTokens, Effort, EffortId, Memory, Message, Rejected, Role, Status,
    Tokens,
};
use crate::counted::{grouped, noun};

/// How a compressed part of a log begins, as in the seed.
pub const CONVERSATION_SUMMARY: &str = "[CONVERSATION SUMMARY]";

/// User messages at the end of a conversation that are never compressed or left out; those at the end of a log that rests
/// give way last.
pub(super) const LAST_USER_MESSAGES: usize = 2;

/// A part of the budget (one in so many) below which compressing is not worth a request.
const LEAST_PART: u64 = 8;

/// Messages of an open log that may be compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompressionSource {
    /// The effort.
    pub id: EffortId,
    /// The messages, with their places in the log from 0.
    messages: Vec<(usize, Message)>,
    /// Their cost.
    pub tokens: Tokens,
    /// What they cost as they are sent, summaries in the place of those that have one: a compressed form costs less.
    sent: Tokens,
    /// What should stand for them may cost about so much.
    pub target: Tokens,
    /// Summaries stand for most of them, and are to be made anew as one.
    pub is_anew: bool,
}

impl CompressionSource {
    /// The messages as one text.
    fn text(&self) -> String {
        transcript(self.messages.iter().map(|(_, message)| message))
    }

    /// Archives the messages: `store` keeps the text whole and returns its key. There is no other way to
    /// the next step.
    ///
    /// # Errors
    /// Whatever `store` fails with; nothing is compressed then.
    pub fn archive<E>(self, store: impl FnOnce(&str) -> Result<String, E>) -> Result<Archived, E> {
        let text = self.text();
        let key = store(&text)?;
        Ok(Archived { source: self, key, text: text.into() })
    }
}

/// Messages whose whole text is in the archive: only these are summarised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    source: CompressionSource,
    key: String,
    text: Arc<str>,
}

/// Why a compressed form is not used; the log stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There are no words in it.
    #[error("the model answered without words")]
    Empty,
    /// It costs as much as what it would replace.
    #[error(
        "the compressed form would cost {block} tokens, no less than the {sent} that it would replace"
    )]
    NotSmaller {
        /// Cost of the compressed form.
        block: Tokens,
        /// Cost of what is sent of the messages now.
        sent: Tokens,
    },
}

impl Archived {
    /// The text to be summarised; the same as in the archive.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The messages, in the order of the log.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.source.messages.iter().map(|(_, message)| message)
    }

    /// The effort.
    pub fn id(&self) -> &EffortId {
        &self.source.id
    }

    /// The cost of the messages.
    pub fn tokens(&self) -> Tokens {
        self.source.tokens
    }

    /// What the summary may cost, about.
    pub fn target(&self) -> Tokens {
        self.source.target
    }

    /// What stands for the messages from now on: the summary, under a line that names its source.
    ///
    /// # Errors
    /// Refuses a summary that is empty or not smaller than what it would replace.
    pub fn block(&self, summary: &str, counter: &dyn CountTokens) -> Result<Block, Refused> {
        let summary = summary.trim();
        if summary.is_empty() {
            return Err(Refused::Empty);
        }
        let places: BTreeSet<usize> = self.source.messages.iter().map(|(at, _)| *at).collect();
        let (count, tokens) = (places.len(), grouped(self.source.tokens.0));
        let content = format!(
            "{CONVERSATION_SUMMARY} of {count} {} ({tokens} tokens) of effort {}; source: ref:{}\n{summary}",
            noun(count as u64, "message"),
            self.source.id,
            self.key,
        );
        let block = counter.count(&content);
        if block >= self.source.sent {
            return Err(Refused::NotSmaller { block, sent: self.source.sent });
        }
        let message = Message { role: Role::User, content: content.into(), tokens: block };
        Ok(Block { id: self.source.id.clone(), places, key: self.key.clone(), message })
    }
}

/// What stands for messages that are left out, by their places in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) places: BTreeSet<usize>,
    pub(super) message: Message,
}

impl Effort {
    /// The log as it is sent while there is room for it: raw, but for its compressed parts.
    pub(super) fn log(&self) -> &[Message] {
        if self.log.compressed.blocks.is_empty() {
            &self.log.raw
        } else {
            &self.log.compressed.sent
        }
    }

    /// What [`Effort::log`] costs.
    pub fn log_tokens(&self) -> Tokens {
        if self.log.compressed.blocks.is_empty() {
            self.raw_tokens.unwrap_or_default()
        } else {
            self.log.compressed.tokens
        }
    }

    /// What stands for parts of its log, oldest first; empty unless it is open or expanded.
    pub fn blocks(&self) -> &[Block] {
        &self.log.compressed.blocks
    }

    /// Messages of its log that a compressed form stands for.
    pub fn compressed_messages(&self) -> usize {
        self.compressed_parts().map(|block| block.places.len()).sum()
    }

    fn compressed_parts(&self) -> impl Iterator<Item = &Block> {
        self.log.compressed.blocks.iter().filter(|block| !block.is_excerpt())
    }

    /// Whether the middle of its log is left out.
    pub fn has_excerpt(&self) -> bool {
        self.log.compressed.blocks.iter().any(Block::is_excerpt)
    }

    /// The log with its compressed parts alone, each message with its place if it is raw.
    pub(super) fn without_excerpts(&self) -> Vec<(Option<usize>, &Message)> {
        let part = |place: usize| self.compressed_parts().find(|b| b.places.contains(&place));
        let sent =
            self.log.raw.iter().enumerate().filter_map(|(place, message)| match part(place) {
                Some(block) if block.places.first() == Some(&place) => Some((None, &block.message)),
                Some(_) => None,
                None => Some((Some(place), message)),
            });
        sent.collect()
    }

    /// From now on excerpts stand for these messages, in place of the earlier excerpts. They stay while the log
    /// grows behind them.
    pub(super) fn leave_out(&mut self, excerpts: Vec<Excerpt>) {
        self.log.compressed.blocks.retain(|block| !block.is_excerpt());
        let id = &self.id;
        let block = |Excerpt { places, message }| Block {
            id: id.clone(),
            places,
            key: String::new(),
            message,
        };
        self.log.compressed.blocks.extend(excerpts.into_iter().map(block));
        self.log.compressed.is_fresh = true;
        let log = &mut *self.log;
        log.compressed.put_together(&log.raw);
    }

    /// What stands for parts of its log was sent.
    pub(super) fn form_is_sent(&mut self) {
        self.log.compressed.is_sent();
    }

    /// The form of its log, to be taken again.
    pub(super) fn clone_form(&self) -> CompressedLog {
        self.log.compressed.clone()
    }

    /// The form of its log is what it was.
    pub(super) fn take_form(&mut self, form: CompressedLog) {
        self.log.compressed = form;
    }

    /// The compressed parts of a log that is looked at later, and what it cost with them.
    pub(super) fn compressed_as_it_was(&mut self, blocks: Vec<Block>, tokens: Tokens) {
        self.log.compressed = Form { blocks, tokens, ..Form::default() }.into();
    }

    /// Takes stored blocks whose places exist and do not overlap.
    pub(super) fn restore_blocks(&mut self, blocks: Vec<Block>, counter: &dyn CountTokens) {
        let mut taken = BTreeSet::new();
        for mut block in blocks {
            let fits = block.places.last().is_some_and(|&last| last < self.log.raw.len());
            if fits && taken.is_disjoint(&block.places) {
                taken.extend(block.places.iter().copied());
                block.message.tokens = counter.count(&block.message.content);
                self.log.compressed.blocks.push(block);
            }
        }
        let log = &mut *self.log;
        log.compressed.put_together(&log.raw);
    }
}

impl Memory {
    /// What a person asks to compress: the named open effort or the active one.
    ///
    /// # Errors
    /// Rejects an unknown or concluded effort, and a log of which nothing may be compressed.
    pub fn compression_source(&self, id: Option<&str>) -> Result<CompressionSource, Rejected> {
        let at = self.open_at(id)?;
        let effort = &self.efforts[at];
        self.older_part(at)
            .or_else(|| self.heavy_node(at))
            .ok_or_else(|| Rejected::NothingToCompress(effort.id.clone()))
    }

    /// Swaps a compressed part in, in one step. A block from which a later one was made anew gives way
    /// to it.
    ///
    /// # Errors
    /// Rejects it when the effort is no longer open or no longer holds the messages.
    pub fn compress(&mut self, block: Block) -> Result<Change, Rejected> {
        let at = self.resolve(block.id.as_str())?;
        let effort = &self.efforts[at];
        let holds = block.places.last().is_some_and(|&last| last < effort.log.raw.len());
        if effort.status != Status::Open || !holds {
            return Err(Rejected::NotOpen(effort.id.clone()));
        }
        let before = self.before(at);
        let cause = self.words_for(at, &block);
        let most = self.whole_layers().total().max(self.rules.low_line());
        let effort = &mut self.efforts[at];
        let was_cut = effort.has_excerpt();
        effort.log.compressed.blocks.retain(|old| old.places.is_disjoint(&block.places));
        effort.log.compressed.blocks.push(block);
        let log = &mut *effort.log;
        log.compressed.not_below = Tokens(0);
        log.compressed.anew_not_below = Tokens(0);
        log.compressed.put_together(&log.raw);
        self.replan();
        if was_cut {
            self.shorten_again(at, most);
        }
        Ok(self.change(at, ChangeKind::EffortCompressed, cause, before))
    }

    /// A source led to nothing: the same is not tried again before the log has grown.
    pub fn compression_failed(&mut self, id: &EffortId, tokens: Tokens) {
        let least = self.least_source();
        if let Some(&at) = self.by_id.get(id) {
            self.efforts[at].log.compressed.not_below = tokens + least;
        }
    }

    /// Summaries of so many raw tokens could not be made anew: it is tried again with half as much more, and what nothing
    /// stands for is compressed meanwhile.
    pub fn not_made_anew(&mut self, id: &EffortId, tokens: Tokens) {
        if let Some(&at) = self.by_id.get(id) {
            self.efforts[at].log.compressed.anew_not_below = tokens + Tokens(tokens.0 / 2);
        }
    }

    fn words_for(&self, at: usize, block: &Block) -> String {
        let raw = &self.efforts[at].log.raw;
        let source: Tokens = block.places.iter().map(|&place| raw[place].tokens).sum();
        let (source, now) = (grouped(source.0), grouped(block.message.tokens.0));
        format!("{source} tokens to {now}, source ref:{}", block.key)
    }
}

/// Messages as one text, a paragraph each.
pub(super) fn transcript<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut text = String::new();
    for message in messages {
        let between = if text.is_empty() { "" } else { "\n\n" };
        for part in [between, message.role.as_str(), ": ", message.content.trim_end()] {
            text.push_str(part);
        }
    }
    text
}

/// Summaries are never summarised again, nor is what stands for a saved text.
pub(super) fn may_compress(message: &Message) -> bool {
    let text = message.content.trim_start();
    let is_summary = text.starts_with(CONVERSATION_SUMMARY);
    !is_summary && !holds_saved(text)
}

#[cfg(test)]
mod tests;
