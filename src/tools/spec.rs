//! One table of all tools: it makes the definitions for the model, the slash commands and the help.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

/// One argument of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its JSON type: `string`, `integer`, or `array`, which is one of strings.
    pub kind: &'static str,
    /// What it means, for the model.
    pub description: &'static str,
    /// Whether the call makes no sense without it.
    pub required: bool,
    /// The longest text that is taken, in bytes; each word of a list, for one.
    pub longest: usize,
}

/// An id, a key, a page, a word: what is meant to be short.
const SHORT: usize = 1_000;
/// A sentence or two.
const SENTENCE: usize = 4_000;
/// A text to be kept by reference.
const LARGE: usize = 1_000_000;
/// Words in a list.
pub(super) const MOST_WORDS: usize = 50;

/// One tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolSpec {
    /// Its name for the model: `open_effort`.
    pub name: &'static str,
    /// The slash command that does the same, without the slash: `open`.
    pub command: &'static str,
    /// What it does and when to call it, for the model.
    pub description: &'static str,
    /// What it does, for the help screen.
    pub help: &'static str,
    /// Its arguments, in the order in which the slash command takes them.
    pub parameters: &'static [Parameter],
}

const ID: Parameter = Parameter {
    name: "id",
    kind: "string",
    description: "The effort's id, such as auth-bug",
    required: true,
    longest: SHORT,
};

const KEY: Parameter = Parameter {
    name: "key",
    kind: "string",
    description: "The text's key, such as ref:report",
    required: true,
    longest: SHORT,
};

const PAGE: Parameter = Parameter {
    name: "page",
    kind: "integer",
    description: "Page of a long list, from 1",
    required: false,
    longest: SHORT,
};

static SPECS: &[ToolSpec] = &[
    ToolSpec {
        name: "open_effort",
        command: "open",
        description: "Start focused work on a topic. The conversation then belongs to it until it \
                      is closed or another one becomes active.",
        help: "start an effort: /open auth bug",
        parameters: &[Parameter {
            name: "name",
            kind: "string",
            description: "A short name for the topic, such as auth-bug",
            required: true,
            longest: SHORT,
        }],
    },
    ToolSpec {
        name: "close_effort",
        command: "close",
        description: "Conclude an effort when the user says that the work is complete. Its log is \
                      summarised and leaves the context.",
        help: "conclude the active effort, or the named one",
        parameters: &[Parameter {
            required: false,
            description: "The effort's id; without it the active one",
            ..ID
        }],
    },
    ToolSpec {
        name: "effort_status",
        command: "status",
        description: "Tell about one effort, or list the efforts with their state and cost.",
        help: "tell about one effort, or list all",
        parameters: &[
            Parameter { required: false, description: "The effort's id; without it all", ..ID },
            PAGE,
        ],
    },
    ToolSpec {
        name: "expand_effort",
        command: "expand",
        description: "Load a concluded effort's full log when its summary is not enough to answer. \
                      It leaves again by itself after a few turns without mention.",
        help: "load a concluded effort's full log for a while",
        parameters: &[ID],
    },
    ToolSpec {
        name: "collapse_effort",
        command: "collapse",
        description: "Send an expanded log out of the context again; its summary stays.",
        help: "send an expanded log out again",
        parameters: &[ID],
    },
    ToolSpec {
        name: "switch_effort",
        command: "switch",
        description: "Make another open effort the active one.",
        help: "make another open effort the active one",
        parameters: &[ID],
    },
    ToolSpec {
        name: "reopen_effort",
        command: "reopen",
        description: "Go on working on a concluded effort. Its log continues where it ended.",
        help: "go on with a concluded effort",
        parameters: &[ID],
    },
    ToolSpec {
        name: "search_efforts",
        command: "search",
        description: "Search past efforts by topic. Use when the user asks about something not \
                      shown in the concluded efforts list. Returns matching effort summaries from \
                      the full manifest.",
        help: "find past efforts by topic",
        parameters: &[
            Parameter {
                name: "query",
                kind: "string",
                description: "What to search for (topic, keywords, effort name)",
                required: true,
                longest: SENTENCE,
            },
            PAGE,
        ],
    },
    ToolSpec {
        name: "remember",
        command: "remember",
        description: "Note one sentence that should stay in view: a fact, a preference, a decision. \
                      Old notes leave by themselves; the tags insight, decision, personal, \
                      architecture, important and permanent keep one longer.",
        help: "note a sentence: /remember the code freeze is on Friday #decision ***",
        parameters: &[
            Parameter {
                name: "content",
                kind: "string",
                description: "The sentence, understandable by itself",
                required: true,
                longest: SENTENCE,
            },
            Parameter {
                name: "tags",
                kind: "array",
                description: "Labels, one word each",
                required: false,
                longest: SHORT,
            },
            Parameter {
                name: "salience",
                kind: "integer",
                description: "How much it matters, 1 to 3",
                required: false,
                longest: SHORT,
            },
        ],
    },
    ToolSpec {
        name: "working_memory_stats",
        command: "memory-stats",
        description: "Tell how many notes there are and when they begin to leave.",
        help: "how full the notes' budget is",
        parameters: &[],
    },
    ToolSpec {
        name: "scratchpad_save",
        command: "pad-save",
        description: "Keep a long text by reference; the pointer ref:key stands for it.",
        help: "keep a text by reference: /pad-save KEY TEXT",
        parameters: &[
            Parameter { description: "A short name for the text", ..KEY },
            Parameter {
                name: "content",
                kind: "string",
                description: "The text, or ref:key for a copy",
                required: true,
                longest: LARGE,
            },
            Parameter {
                name: "description",
                kind: "string",
                description: "What it is, in a few words",
                required: false,
                longest: SENTENCE,
            },
        ],
    },
    ToolSpec {
        name: "scratchpad_list",
        command: "pad-list",
        description: "List the texts that are held by reference, newest first.",
        help: "list the texts that are held by reference",
        parameters: &[PAGE],
    },
    ToolSpec {
        name: "scratchpad_read_chunk",
        command: "pad-read",
        description: "Read one chunk of a text held by reference. Chunks are numbered from 1.",
        help: "read a chunk of a text: /pad-read KEY chunk_index 3",
        parameters: &[
            KEY,
            Parameter {
                name: "chunk_index",
                kind: "integer",
                description: "Which chunk; 1 without it",
                required: false,
                longest: SHORT,
            },
        ],
    },
    ToolSpec {
        name: "scratchpad_search",
        command: "pad-search",
        description: "Find the chunks of texts held by reference that hold some words.",
        help: "find a place in the texts that are held by reference",
        parameters: &[
            Parameter {
                name: "query",
                kind: "string",
                description: "Words that stand there",
                required: true,
                longest: SENTENCE,
            },
            Parameter { description: "Only in this text", required: false, ..KEY },
        ],
    },
];

/// All tools, in the order in which they are offered.
pub fn specs() -> &'static [ToolSpec] {
    SPECS
}

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static ToolSpec> {
    SPECS.iter().find(|spec| spec.name == name)
}

/// The definitions in the protocol's form, made once.
pub fn definitions() -> Arc<Value> {
    static DEFINITIONS: OnceLock<Arc<Value>> = OnceLock::new();
    Arc::clone(DEFINITIONS.get_or_init(|| Arc::new(SPECS.iter().map(definition).collect())))
}

fn definition(spec: &ToolSpec) -> Value {
    let describe = |parameter: &Parameter| {
        let mut schema = json!({ "type": parameter.kind, "description": parameter.description });
        if parameter.kind == "array" {
            schema["items"] = json!({ "type": "string" });
        }
        (parameter.name.to_owned(), schema)
    };
    let properties: serde_json::Map<String, Value> = spec.parameters.iter().map(describe).collect();
    let required: Vec<&str> =
        spec.parameters.iter().filter(|parameter| parameter.required).map(|p| p.name).collect();
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": { "type": "object", "properties": properties, "required": required },
        },
    })
}
