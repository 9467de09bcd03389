//! Counts logs that another program wrote, beside the chat: until that is done, what the full history
//! would cost is a lower bound.

use std::sync::Arc;

use super::driver::Driver;
use crate::memory::{CountTokens, EffortId, Memory, Role, Tokens};
use crate::store::LogReader;

/// Sizes of logs: messages and tokens.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    efforts: Vec<(EffortId, u64, Tokens)>,
    /// Comes with the bytes that the log had before.
    ambient: Option<(u64, u64, Tokens)>,
}

impl Driver {
    pub(super) fn start_counting(&mut self, reader: LogReader) {
        if let Some(wanted) = Wanted::of(&self.memory) {
            self.counted = Some(tokio::task::spawn_blocking(move || wanted.count(&reader)));
        }
    }

    pub(super) async fn take_sizes(&mut self, wait: bool) {
        let ready = self.counted.as_ref().is_some_and(|task| wait || task.is_finished());
        if let Some(task) = self.counted.take_if(|_| ready) {
            self.apply_sizes(task.await.unwrap_or_default());
        }
    }

    pub(super) fn apply_sizes(&mut self, sizes: Sizes) {
        if let Err(error) = self.store.record_log_sizes(&sizes.efforts) {
            tracing::warn!("the sizes of older logs were not kept: {error}");
        }
        if let Some((bytes, messages, tokens)) = sizes.ambient {
            self.store.keep_ambient_size(bytes, messages, tokens);
        }
        apply(&mut self.memory, sizes);
    }
}

/// Gives memory the sizes that were counted.
pub(super) fn apply(memory: &mut Memory, sizes: Sizes) {
    for (id, messages, tokens) in sizes.efforts {
        memory.set_log_size(&id, messages, tokens);
    }
    if let Some((_, messages, tokens)) = sizes.ambient {
        memory.set_ambient_size(messages, tokens);
    }
}

/// Counts all that nobody has counted yet.
pub(super) fn count_all(reader: &LogReader, memory: &Memory) -> Sizes {
    Wanted::of(memory).map(|wanted| wanted.count(reader)).unwrap_or_default()
}

/// The logs that nobody has counted yet.
struct Wanted {
    efforts: Vec<EffortId>,
    ambient: bool,
    counter: Arc<dyn CountTokens>,
}

impl Wanted {
    fn of(memory: &Memory) -> Option<Self> {
        let (_, exact) = memory.full_history();
        let wanted = || Self {
            efforts: memory.uncounted().map(|effort| effort.id.clone()).collect(),
            ambient: !memory.is_ambient_counted(),
            counter: memory.counter(),
        };
        (!exact).then(wanted)
    }

    /// A log that cannot be read counts as empty; reading it later says why.
    fn count(&self, reader: &LogReader) -> Sizes {
        let sum = |messages: &[(Role, Arc<str>)]| {
            let tokens = messages.iter().map(|(_, text)| self.counter.count(text)).sum();
            (messages.len() as u64, tokens)
        };
        let size_of = |id: &EffortId| {
            let (messages, tokens) = sum(&reader.read_log(id).unwrap_or_default());
            (id.clone(), messages, tokens)
        };
        let ambient = || {
            let bytes = reader.ambient_bytes().ok()?;
            let (messages, tokens) = sum(&reader.ambient_log().ok()?);
            Some((bytes, messages, tokens))
        };
        Sizes {
            efforts: self.efforts.iter().map(size_of).collect(),
            ambient: self.ambient.then(ambient).flatten(),
        }
    }
}
