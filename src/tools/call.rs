//! A call that can run, and which of its arguments may be given by reference.

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
        /// Only these messages, the first and the last, counted from 1: they are told, and the log stays out.
        messages: Option<(u64, u64)>,
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
    /// Finds what was said before.
    SearchEfforts {
        /// What to look for.
        query: String,
        /// In all sessions.
        all: bool,
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

impl Call {
    /// Whether a turn that makes it goes on with the effort that it names.
    pub fn turns_to_an_effort(&self) -> bool {
        matches!(
            self,
            Self::OpenEffort { .. } | Self::SwitchEffort { .. } | Self::ReopenEffort { .. }
        )
    }

    /// The call with other words where `resolve` knows some for an argument, which it is told by name. Keys are
    /// not asked about: they name a text and do not stand for it. A tag may become several.
    ///
    /// # Errors
    /// The first failure of `resolve`.
    pub fn resolved<E>(
        &self,
        mut resolve: impl FnMut(&'static str, &str) -> Result<Option<String>, E>,
    ) -> Result<Self, E> {
        let mut call = self.clone();
        for (argument, text) in call.texts_mut() {
            if let Some(words) = resolve(argument, text)? {
                *text = words;
            }
        }
        if let Self::Remember { tags, .. } = &mut call {
            let mut all = Vec::with_capacity(tags.len());
            for tag in std::mem::take(tags) {
                match resolve("tags", tag.trim())? {
                    Some(words) => {
                        let words = words.split([',', '\n']).map(str::trim);
                        all.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
                    }
                    None => all.push(tag),
                }
            }
            *tags = all;
        }
        Ok(call)
    }

    fn texts_mut(&mut self) -> Vec<(&'static str, &mut String)> {
        match self {
            Self::OpenEffort { name } => vec![("name", name)],
            Self::CloseEffort { id } | Self::EffortStatus { id, .. } => {
                id.iter_mut().map(|id| ("id", id)).collect()
            }
            Self::ExpandEffort { id, .. }
            | Self::CollapseEffort { id }
            | Self::SwitchEffort { id }
            | Self::ReopenEffort { id } => vec![("id", id)],
            Self::SearchEfforts { query, .. } | Self::ScratchpadSearch { query, .. } => {
                vec![("query", query)]
            }
            Self::Remember { content, .. } => vec![("content", content)],
            Self::ScratchpadSave { content, description, .. } => {
                let described = description.iter_mut().map(|text| ("description", text));
                std::iter::once(("content", content)).chain(described).collect()
            }
            Self::WorkingMemoryStats
            | Self::ScratchpadList { .. }
            | Self::ScratchpadReadChunk { .. } => Vec::new(),
        }
    }
}
