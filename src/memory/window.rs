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
    /// The warm summaries.
    Summaries,
    /// Open and expanded efforts by name.
    Lists,
    /// Remembered notes.
    Notes,
    /// The index of scratchpad items.
    Scratchpad,
    /// The last exchanges that belong to no effort.
    Ambient,
    /// Raw logs of expanded efforts.
    Expanded,
    /// Raw logs of open efforts, the active one last.
    Open,
}

impl Layer {
    /// All layers, in window order.
    pub const ALL: [Self; 9] = [
        Self::System,
        Self::Tools,
        Self::Summaries,
        Self::Lists,
        Self::Notes,
        Self::Scratchpad,
        Self::Ambient,
        Self::Expanded,
        Self::Open,
    ];

    /// The name used in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tools => "tools",
            Self::Summaries => "summaries",
            Self::Lists => "lists",
            Self::Notes => "notes",
            Self::Scratchpad => "scratchpad",
            Self::Ambient => "ambient",
            Self::Expanded => "expanded",
            Self::Open => "open",
        }
    }
}

/// Tokens by layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Layers([u64; 9]);

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

/// Where an item of the window comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// `prompts/system.md`.
    SystemPrompt,
    /// The serialised tool definitions; sent beside the messages, so the item has no text.
    ToolDefinitions,
    /// A heading or a list of open efforts inside the summaries layer.
    Manifest,
    /// The line of a warm summary.
    Summary(EffortId),
    /// The heading of the notes.
    Notes,
    /// The line of a note.
    Note(NoteId),
    /// The index of the scratchpad.
    Scratchpad,
    /// A message that belongs to no effort.
    Ambient,
    /// A message of an expanded effort.
    Expanded(EffortId),
    /// A message of an open effort.
    Open(EffortId),
    /// The user's message of the turn that is about to be sent.
    NewMessage,
}

/// One item of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowItem {
    /// The layer that its tokens count for.
    pub layer: Layer,
    /// The role under which it is sent. All `System` items stand at the front and are sent as one
    /// system message, their contents joined without a separator.
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

    /// The messages as they are sent: the system items joined into one, then the others in order.
    pub fn messages(&self) -> Vec<(Role, Arc<str>)> {
        let system: String = self
            .items
            .iter()
            .filter(|item| item.role == Role::System)
            .map(|item| &*item.content)
            .collect();
        let rest = self.items.iter().filter(|item| item.role != Role::System);
        let system: Arc<str> = system.into();
        std::iter::once((Role::System, system))
            .filter(|(_, text)| !text.is_empty())
            .chain(rest.map(|item| (item.role, Arc::clone(&item.content))))
            .collect()
    }
}
