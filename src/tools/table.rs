//! One table of all tools: it makes the definitions for the model, the slash commands and the help, and
//! reads the calls of both.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::Call;
use super::parameter::{Kind, Parameter};
use super::spec::{Gives, Names, ToolSpec};

/// An id, a key, a word: what is meant to be short, in bytes.
const SHORT: usize = 1_000;
/// A sentence or two.
const SENTENCE: usize = 4_000;
/// A text to be kept by reference.
const LARGE: usize = 1_000_000;

const ID: Parameter = Parameter {
    name: "id",
    kind: Kind::Text(SHORT),
    description: "The effort's id, such as auth-bug",
    wanted: "an effort's id",
    sample: "auth-bug",
    required: true,
};

const KEY: Parameter = Parameter {
    name: "key",
    description: "The text's key, such as ref:report",
    wanted: "a text's key",
    sample: "ref:report",
    ..ID
};

const QUERY: Parameter = Parameter {
    name: "query",
    kind: Kind::Text(SENTENCE),
    wanted: "something to look for",
    sample: "login error",
    ..ID
};

const CONTENT: Parameter = Parameter {
    name: "content",
    kind: Kind::Text(SENTENCE),
    sample: "The code freeze is on Friday.",
    ..ID
};

const PAGE: Parameter = Parameter {
    name: "page",
    kind: Kind::Number,
    description: "Page of a long list, from 1",
    wanted: "a page number from 1",
    required: false,
    ..ID
};

/// All tools, in the order in which they are offered.
static TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "open_effort",
        changes: true,
        gives: Gives::Answer,
        command: "open",
        aliases: &[],
        usage: "NAME",
        names: Names::Nothing,
        description: "Start focused work on a topic. The conversation then belongs to it until it \
                      is closed or another one becomes active.",
        help: "start an effort: /open auth bug",
        parameters: &[Parameter {
            name: "name",
            description: "A short name for the topic, such as auth-bug",
            wanted: "a name",
            ..ID
        }],
        call: |given| Ok(Call::OpenEffort { name: given.text("name")? }),
    },
    ToolSpec {
        name: "close_effort",
        changes: true,
        gives: Gives::Answer,
        command: "close",
        aliases: &["conclude", "compact", "summarize"],
        usage: "[ID]",
        names: Names::Open,
        description: "Conclude an effort when the user says that the work is complete. Its log is \
                      summarised and leaves the context.",
        help: "conclude the active effort, or the named one",
        parameters: &[Parameter {
            required: false,
            description: "The effort's id; without it the active one",
            ..ID
        }],
        call: |given| Ok(Call::CloseEffort { id: given.optional_text("id")? }),
    },
    ToolSpec {
        name: "effort_status",
        changes: false,
        gives: Gives::Answer,
        command: "status",
        aliases: &["efforts"],
        usage: "[ID] [page N]",
        names: Names::Any,
        description: "Tell about one effort, or list the efforts with their state and cost.",
        help: "tell about one effort, or list all",
        parameters: &[
            Parameter { required: false, description: "The effort's id; without it all", ..ID },
            PAGE,
        ],
        call: |given| {
            Ok(Call::EffortStatus { id: given.optional_text("id")?, page: given.page()? })
        },
    },
    ToolSpec {
        name: "expand_effort",
        changes: true,
        gives: Gives::Answer,
        command: "expand",
        aliases: &[],
        usage: "ID [messages A-B]",
        names: Names::Folded,
        description: "Load a concluded effort's full log when its summary is not enough to answer. \
                      It leaves again by itself after a few turns without mention. With messages \
                      only those are told.",
        help: "load a concluded effort's full log for a while, or read some messages of it",
        parameters: &[
            ID,
            Parameter {
                name: "messages",
                kind: Kind::Range,
                description: "Only these, such as 3-9, around a place that search_efforts names",
                wanted: "the numbers of the first and the last message, such as 3-9",
                sample: "3-9",
                required: false,
            },
        ],
        call: |given| {
            Ok(Call::ExpandEffort { id: given.text("id")?, messages: given.range("messages")? })
        },
    },
    ToolSpec {
        name: "collapse_effort",
        changes: true,
        gives: Gives::Answer,
        command: "collapse",
        aliases: &[],
        usage: "ID",
        names: Names::Expanded,
        description: "Send an expanded log out of the context again; its summary stays.",
        help: "send an expanded log out again",
        parameters: &[ID],
        call: |given| Ok(Call::CollapseEffort { id: given.text("id")? }),
    },
    ToolSpec {
        name: "switch_effort",
        changes: true,
        gives: Gives::Answer,
        command: "switch",
        aliases: &[],
        usage: "ID",
        names: Names::Open,
        description: "Make another open effort the active one.",
        help: "make another open effort the active one",
        parameters: &[ID],
        call: |given| Ok(Call::SwitchEffort { id: given.text("id")? }),
    },
    ToolSpec {
        name: "reopen_effort",
        changes: true,
        gives: Gives::Answer,
        command: "reopen",
        aliases: &[],
        usage: "ID",
        names: Names::Concluded,
        description: "Go on working on a concluded effort. Its log continues where it ended.",
        help: "go on with a concluded effort",
        parameters: &[ID],
        call: |given| Ok(Call::ReopenEffort { id: given.text("id")? }),
    },
    ToolSpec {
        name: "search_efforts",
        changes: false,
        gives: Gives::Bounded,
        command: "search",
        aliases: &["find"],
        usage: "[--all] QUERY [page N]",
        names: Names::Nothing,
        description: "Search everything said before. Use when the user asks about something not \
                      shown above. Returns matching efforts, notes and texts with the passages \
                      that match.",
        help: "find what was said before; --all looks in all sessions",
        parameters: &[
            Parameter { description: "What to search for (topic, keywords, effort name)", ..QUERY },
            PAGE,
        ],
        call: |given| {
            let query = given.text("query")?;
            let (query, all) = match query.strip_prefix("--all ") {
                Some(query) => (query.trim().to_owned(), true),
                None => (query, false),
            };
            Ok(Call::SearchEfforts { query, all, page: given.page()? })
        },
    },
    ToolSpec {
        name: "remember",
        changes: true,
        gives: Gives::Answer,
        command: "remember",
        aliases: &["memo"],
        usage: "WORDS [#TAG ...] [***]",
        names: Names::Nothing,
        description: "Note one sentence that should stay in view: a fact, a preference, a decision. \
                      Old notes leave by themselves; the tags insight, decision, personal, \
                      architecture, important and permanent keep one longer.",
        help: "note a sentence: /remember the code freeze is on Friday #decision ***",
        parameters: &[
            Parameter {
                description: "The sentence, understandable by itself",
                wanted: "something to remember",
                ..CONTENT
            },
            Parameter {
                name: "tags",
                kind: Kind::Words(SHORT),
                description: "Labels, one word each",
                wanted: "at most 50 tags",
                required: false,
                ..ID
            },
            Parameter {
                name: "salience",
                kind: Kind::Stars,
                description: "How much it matters, 1 to 3",
                wanted: "one to three stars",
                required: false,
                ..ID
            },
        ],
        call: |given| {
            Ok(Call::Remember {
                content: given.text("content")?,
                tags: given.words("tags")?,
                salience: given.stars("salience")?,
            })
        },
    },
    ToolSpec {
        name: "working_memory_stats",
        changes: false,
        gives: Gives::Answer,
        command: "memory-stats",
        aliases: &[],
        usage: "",
        names: Names::Nothing,
        description: "Tell how many notes there are and when they begin to leave.",
        help: "how full the notes' budget is",
        parameters: &[],
        call: |_| Ok(Call::WorkingMemoryStats),
    },
    ToolSpec {
        name: "scratchpad_save",
        changes: true,
        gives: Gives::Bounded,
        command: "pad-save",
        aliases: &[],
        usage: "KEY TEXT",
        names: Names::Nothing,
        description: "Keep a long text by reference; the pointer ref:key stands for it.",
        help: "keep a text by reference: /pad-save KEY TEXT",
        parameters: &[
            Parameter { description: "A short name for the text", ..KEY },
            Parameter {
                kind: Kind::Text(LARGE),
                description: "The text, or ref:key for a copy",
                wanted: "a text behind the key",
                ..CONTENT
            },
            Parameter {
                name: "description",
                description: "What it is, in a few words",
                wanted: "a description",
                required: false,
                ..CONTENT
            },
        ],
        call: |given| {
            Ok(Call::ScratchpadSave {
                key: given.text("key")?,
                content: given.text("content")?,
                description: given.optional_text("description")?,
            })
        },
    },
    ToolSpec {
        name: "scratchpad_list",
        changes: false,
        gives: Gives::Bounded,
        command: "pad-list",
        aliases: &["scratchpad"],
        usage: "[page N]",
        names: Names::Nothing,
        description: "List the texts that are held by reference, newest first.",
        help: "list the texts that are held by reference",
        parameters: &[PAGE],
        call: |given| Ok(Call::ScratchpadList { page: given.page()? }),
    },
    ToolSpec {
        name: "scratchpad_read_chunk",
        changes: false,
        gives: Gives::Text,
        command: "pad-read",
        aliases: &[],
        usage: "KEY [chunk_index N]",
        names: Names::Nothing,
        description: "Read one chunk of a text held by reference. Chunks are numbered from 1.",
        help: "read a chunk of a text: /pad-read KEY chunk_index 3",
        parameters: &[
            KEY,
            Parameter {
                name: "chunk_index",
                description: "Which chunk; 1 without it",
                wanted: "the number of a chunk, from 1",
                ..PAGE
            },
        ],
        call: |given| {
            Ok(Call::ScratchpadReadChunk {
                key: given.text("key")?,
                chunk_index: given.counted("chunk_index")?,
            })
        },
    },
    ToolSpec {
        name: "scratchpad_search",
        changes: false,
        gives: Gives::Text,
        command: "pad-search",
        aliases: &[],
        usage: "QUERY",
        names: Names::Nothing,
        description: "Find the chunks of texts held by reference that hold some words.",
        help: "find a place in the texts that are held by reference",
        parameters: &[
            Parameter { description: "Words that stand there", ..QUERY },
            Parameter { description: "Only in this text", required: false, ..KEY },
        ],
        call: |given| {
            Ok(Call::ScratchpadSearch {
                query: given.text("query")?,
                key: given.optional_text("key")?,
            })
        },
    },
];

/// All tools, in the order in which they are offered.
pub fn specs() -> &'static [ToolSpec] {
    TOOLS
}

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static ToolSpec> {
    TOOLS.iter().find(|spec| spec.name == name)
}

/// The definitions in the protocol's form, made once.
pub fn definitions() -> Arc<Value> {
    static DEFINITIONS: OnceLock<Arc<Value>> = OnceLock::new();
    Arc::clone(
        DEFINITIONS.get_or_init(|| Arc::new(TOOLS.iter().map(ToolSpec::definition).collect())),
    )
}
