//! The tools: what the model may call and what a slash command does. Describes them, parses their
//! arguments, executes nothing.

mod parse;
mod resolve;
mod spec;

pub use parse::{Misuse, parse};
pub use spec::{Parameter, ToolSpec, definitions, find, specs};

/// One memory command, from the model or from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// Starts an effort.
    OpenEffort {
        /// What to call it.
        name: String,
    },
    /// Concludes an effort.
    CloseEffort {
        /// Which one; the active one if `None`.
        id: Option<String>,
    },
    /// Tells about one effort, or lists all, a page at a time.
    EffortStatus {
        /// Which one; all if `None`.
        id: Option<String>,
        /// The page of the list, from 1.
        page: usize,
    },
    /// Puts a concluded effort's raw log into the window for a while.
    ExpandEffort {
        /// Which one.
        id: String,
    },
    /// Sends an expanded raw log out again.
    CollapseEffort {
        /// Which one.
        id: String,
    },
    /// Makes an open effort the active one.
    SwitchEffort {
        /// Which one.
        id: String,
    },
    /// Goes on with a concluded effort.
    ReopenEffort {
        /// Which one.
        id: String,
    },
    /// Finds efforts by topic.
    SearchEfforts {
        /// What to look for.
        query: String,
        /// The page of the results, from 1.
        page: usize,
    },
    /// Makes a note.
    Remember {
        /// What is remembered.
        content: String,
        /// Its labels.
        tags: Vec<String>,
        /// Its weight, 1 to 3 stars.
        salience: Option<u64>,
    },
    /// Tells how full the notes' budget is.
    WorkingMemoryStats,
    /// Keeps a text on the scratchpad.
    ScratchpadSave {
        /// Its name.
        key: String,
        /// The text.
        content: String,
        /// What it is.
        description: Option<String>,
    },
    /// Lists what is on the scratchpad, a page at a time.
    ScratchpadList {
        /// The page of the list, from 1.
        page: usize,
    },
    /// Reads a part of a text on the scratchpad.
    ScratchpadReadChunk {
        /// Which text.
        key: String,
        /// Which part, from 1.
        chunk_index: u64,
    },
    /// Finds the parts of texts on the scratchpad that hold some words.
    ScratchpadSearch {
        /// What to look for.
        query: String,
        /// Only in this text.
        key: Option<String>,
    },
}
