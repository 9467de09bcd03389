//! The window: exactly what would be sent to the model now, item by item.

use std::sync::Arc;

use super::{Change, EffortId, NoteId, Role, Tokens};

/// The layers of the window, in the order in which they are sent. The tool definitions travel beside
/// the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The system prompt.
    System,
    /// The serialised tool definitions.
    Tools,
    /// The last exchanges that belong to no effort.
    Ambient,
    /// Raw logs of expanded efforts.
    Expanded,
    /// Raw logs of open efforts, the active one last.
    Open,
    /// The warm summaries.
    Summaries,
    /// Remembered notes.
    Notes,
    /// The index of scratchpad items.
    Scratchpad,
    /// Open and expanded efforts by name, and the lines around the memory block.
    Lists,
    /// What was recalled for the newest message.
    Recalled,
}

impl Layer {
    /// All layers, in window order.
    pub const ALL: [Self; 10] = [
        Self::System,
        Self::Tools,
        Self::Ambient,
        Self::Expanded,
        Self::Open,
        Self::Summaries,
        Self::Notes,
        Self::Scratchpad,
        Self::Lists,
        Self::Recalled,
    ];

    /// The name used in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tools => "tools",
            Self::Ambient => "ambient",
            Self::Expanded => "expanded",
            Self::Open => "open",
            Self::Summaries => "summaries",
            Self::Notes => "notes",
            Self::Scratchpad => "scratchpad",
            Self::Lists => "lists",
            Self::Recalled => "recalled",
        }
    }
}

/// Tokens by layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Layers([u64; 10]);

impl Layers {
    /// Adds tokens to a layer.
    pub fn add(&mut self, layer: Layer, tokens: Tokens) {
        self.0[layer as usize] += tokens.0;
    }

    /// Takes tokens from a layer.
    pub(super) fn take(&mut self, layer: Layer, tokens: Tokens) {
        let left = self.of(layer).saturating_sub(tokens);
        self.0[layer as usize] = left.0;
    }

    /// Takes all of a layer.
    pub fn clear(&mut self, layer: Layer) {
        self.0[layer as usize] = 0;
    }

    /// Tokens in one layer.
    pub fn of(&self, layer: Layer) -> Tokens {
        Tokens(self.0[layer as usize])
    }

    /// Tokens in all layers.
    pub fn total(&self) -> Tokens {
        Tokens(self.0.iter().sum())
    }

    /// Each layer with its tokens, in window order.
    pub fn iter(&self) -> impl Iterator<Item = (Layer, Tokens)> + '_ {
        Layer::ALL.into_iter().map(|layer| (layer, self.of(layer)))
    }
}

/// The parts of the window, in the order in which they are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What seldom changes and only grows at its end, so that a provider's prompt cache keeps it: the
    /// system prompt and the tools, then the logs.
    Front,
    /// The memory block: what changes often. It is made anew for each request.
    Block,
    /// The newest user message.
    Message,
}

/// Where an item of the window comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// `prompts/system.md`.
    SystemPrompt,
    /// What a person wrote for every conversation: the file's name.
    Instructions(Arc<str>),
    /// The serialised tool definitions; sent beside the messages, so the item has no text.
    ToolDefinitions,
    /// The first or the last line of the memory block.
    Block,
    /// A heading or a list of open efforts.
    Manifest,
    /// The line of a warm summary.
    Summary(EffortId),
    /// The heading of the notes.
    Notes,
    /// The line of a note.
    Note(NoteId),
    /// The index of the scratchpad.
    Scratchpad,
    /// Something that was recalled for the newest message: an effort's id, `ambient`, a note's number or the
    /// pointer to a text.
    Recalled(Arc<str>),
    /// A message that belongs to no effort.
    Ambient,
    /// A message of an expanded effort.
    Expanded(EffortId),
    /// A message of an open effort.
    Open(EffortId),
    /// The user's message of the turn that is about to be sent.
    NewMessage,
}

impl Source {
    /// The part of the window that it stands in.
    pub fn part(&self) -> Part {
        match self {
            Self::SystemPrompt
            | Self::Instructions(_)
            | Self::ToolDefinitions
            | Self::Ambient
            | Self::Expanded(_)
            | Self::Open(_) => Part::Front,
            Self::Block
            | Self::Manifest
            | Self::Summary(_)
            | Self::Notes
            | Self::Note(_)
            | Self::Recalled(_)
            | Self::Scratchpad => Part::Block,
            Self::NewMessage => Part::Message,
        }
    }
}

/// One item of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowItem {
    /// The layer that its tokens count for.
    pub layer: Layer,
    /// The role under which it is sent. Only the system prompt is of the system; the memory block goes
    /// with the user's message.
    pub role: Role,
    /// Where it comes from.
    pub source: Source,
    /// Its text, exactly as sent.
    pub content: Arc<str>,
    /// Its cost.
    pub tokens: Tokens,
}

/// The working context of one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window {
    /// Items in the order in which they are sent.
    pub items: Vec<WindowItem>,
    /// Their cost by layer.
    pub layers: Layers,
    /// What gave way in this request alone, because of its message or its tool exchange.
    pub gave_way: Vec<Change>,
}

impl Window {
    /// Appends an item and counts it.
    pub(super) fn push(&mut self, item: WindowItem) {
        self.layers.add(item.layer, item.tokens);
        self.items.push(item);
    }

    /// The items of the front.
    pub fn front(&self) -> &[WindowItem] {
        self.part(Part::Front)
    }

    /// The items of the memory block; none if there is nothing in it.
    pub fn block(&self) -> &[WindowItem] {
        self.part(Part::Block)
    }

    /// The newest user message; `None` at rest.
    pub fn message(&self) -> Option<&WindowItem> {
        self.part(Part::Message).first()
    }

    /// This window of an earlier request of the turn, to be sent again instead of the one that memory has now, so that
    /// the requests of the turn extend each other: if nothing entered the front since. What left it goes with the
    /// turn, and counts for its layer; beside the window, how much that is.
    pub fn instead_of(&self, now: &Self, layer: Layer) -> Option<(Self, Tokens)> {
        let words = |items: &[WindowItem]| -> Vec<(Role, Arc<str>)> {
            items.iter().map(|item| (item.role, Arc::clone(&item.content))).collect()
        };
        let (own, others) = (words(self.front()), words(now.front()));
        let mut left = own.iter();
        let is_held = others.iter().all(|item| left.any(|one| one == item));
        if !is_held || words(self.part(Part::Message)) != words(now.part(Part::Message)) {
            return None;
        }
        let mut kept = self.clone();
        if own.len() == others.len() {
            return Some((kept, Tokens(0)));
        }
        let more = self.layers.total().0.checked_sub(now.layers.total().0).map(Tokens)?;
        kept.layers = now.layers;
        kept.layers.add(layer, more);
        Some((kept, more))
    }

    fn part(&self, part: Part) -> &[WindowItem] {
        let start = self.items.partition_point(|item| item.source.part() < part);
        let end = self.items.partition_point(|item| item.source.part() <= part);
        &self.items[start..end]
    }

    /// The messages of the front: one of the system, with the person's instructions, then the logs. The tool
    /// definitions are none: they are sent beside the messages.
    pub fn front_messages(&self) -> impl Iterator<Item = (Role, Arc<str>)> + '_ {
        let logs = self.front().iter().filter(|item| item.role != Role::System);
        let system = self.front().iter().filter(|item| item.role == Role::System);
        let texts: Vec<&Arc<str>> =
            system.map(|item| &item.content).filter(|text| !text.is_empty()).collect();
        let first = match texts[..] {
            [] => None,
            [prompt] => Some(Arc::clone(prompt)),
            _ => Some(texts.iter().map(|text| &***text).collect::<String>().into()),
        };
        let first = first.map(|text| (Role::System, text));
        first.into_iter().chain(logs.map(|item| (item.role, Arc::clone(&item.content))))
    }

    /// The text of the memory block; `None` if there is nothing in it.
    pub fn block_text(&self) -> Option<Arc<str>> {
        let texts: Vec<&str> = self.block().iter().map(|item| &*item.content).collect();
        let text = texts.concat();
        (!text.is_empty()).then(|| text.into())
    }

    /// The messages as they are sent: the front, then the memory block and the user's words as one.
    pub fn messages(&self) -> Vec<(Role, Arc<str>)> {
        let words = self.message().map(|item| Arc::clone(&item.content));
        let last = match (self.block_text(), words) {
            (Some(block), Some(words)) => Some(format!("{block}{words}").into()),
            (block, words) => block.or(words),
        };
        self.front_messages().chain(last.map(|text| (Role::User, text))).collect()
    }
}
