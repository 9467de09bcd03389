//! The formats that can be read, and what is fixed about each.

/// What is fixed about a format.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What people call it.
    pub name: &'static str,
    /// What a file of it holds.
    pub expected: &'static str,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident { $name:literal, $expected:literal })*) => {
        /// The formats that can be read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// Every format, in the order in which they are named to people.
            pub const ALL: &'static [Self] = &[$(Self::$format,)*];

            /// What is fixed about it.
            pub const fn row(self) -> Row {
                match self {
                    $(Self::$format => Row { name: $name, expected: $expected },)*
                }
            }
        }
    };
}

formats! {
    /// A session of Claude Code.
    ClaudeCode { "a Claude Code session", "a JSON record a line, of type user and assistant" }
    /// A rollout of Codex, of any era.
    Codex { "a Codex rollout", "a JSON record a line, of type response_item and event_msg" }
    /// An export of ChatGPT, or a shard of it.
    ChatGpt { "a ChatGPT export", "conversations with a `mapping` of messages" }
    /// An export of Claude.ai.
    ClaudeAi { "a Claude.ai export", "conversations with `chat_messages`" }
    /// What `opencode export` prints.
    Opencode { "an opencode export", "`info` and `messages` with `parts`" }
    /// A chat of the Gemini command line, as lines or as one object.
    Gemini { "a Gemini CLI chat", "messages of type user and gemini" }
    /// An export of Open WebUI.
    OpenWebUi { "an Open WebUI export", "chats with a `history` of messages" }
    /// A conversation of LM Studio.
    LmStudio { "an LM Studio conversation", "messages with `versions`" }
    /// A history of Aider.
    Aider { "an Aider history", "lines that begin with `#### ` for what was typed" }
    /// A chat of SillyTavern.
    SillyTavern { "a SillyTavern chat", "a header and lines with `mes`" }
    /// ShareGPT, fine-tuning files and plain logs, Ebbtide's own among them.
    Dialogue { "ShareGPT, OpenAI or role/content JSON", "objects with `conversations`, `messages` or `role`" }
    /// A session that Ebbtide exported.
    Export { "an Ebbtide export", "the files of a session" }
    /// Markdown with a heading or a bold word for each speaker.
    Markdown { "Markdown with speakers", "headings or bold words such as `## User` and `## Assistant`" }
}

impl Format {
    /// Whether it tells what its program compacted.
    pub fn tells_compactions(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Codex | Self::Opencode)
    }

    /// All of them in one line.
    pub fn names() -> String {
        Self::ALL.iter().map(|format| format.row().name).collect::<Vec<_>>().join(", ")
    }
}
