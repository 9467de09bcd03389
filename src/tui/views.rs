//! What stands over the chat when a key or a command opens it.

/// What a key or a command can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The keys and the commands.
    Help,
    /// What would be sent to the model now.
    Inspect,
    /// All that memory did.
    Journal,
    /// What the requests cost.
    Bill,
    /// The last turn as it was.
    Past,
    /// The line that words to be found are written in.
    Find,
    /// Every command and key, to be found by a few letters.
    Palette,
    /// Other sessions.
    Sessions,
    /// The settings.
    Settings,
}
