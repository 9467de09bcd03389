//! Which arguments of a call may be given by reference.

use super::Call;

impl Call {
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
            Self::CloseEffort { id: Some(id) }
            | Self::EffortStatus { id: Some(id), .. }
            | Self::ExpandEffort { id }
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
            Self::CloseEffort { id: None }
            | Self::EffortStatus { id: None, .. }
            | Self::WorkingMemoryStats
            | Self::ScratchpadList { .. }
            | Self::ScratchpadReadChunk { .. } => Vec::new(),
        }
    }
}
