//! Counts logs that another program wrote, beside the chat: until that is done, what the full history
//! would cost is a lower bound.

use super::driver::Driver;
use crate::memory::{CountTokens, EffortId, Tokens};
use crate::store::LogReader;

/// Sizes of logs: messages and tokens.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    efforts: Vec<(EffortId, u64, Tokens)>,
    ambient: Option<(u64, Tokens)>,
}

impl Driver {
    pub(super) fn start_counting(&mut self, reader: LogReader) {
        let ids: Vec<EffortId> = self.memory.uncounted().map(|effort| effort.id.clone()).collect();
        let (_, exact) = self.memory.full_history();
        if exact {
            return;
        }
        let counter = self.memory.counter();
        let count = move || count(&reader, &ids, &*counter);
        self.counted = Some(tokio::task::spawn_blocking(count));
    }

    pub(super) async fn take_sizes(&mut self, wait: bool) {
        let ready = self.counted.as_ref().is_some_and(|task| wait || task.is_finished());
        if let Some(task) = self.counted.take_if(|_| ready) {
            self.apply_sizes(task.await.unwrap_or_default());
        }
    }

    pub(super) fn apply_sizes(&mut self, sizes: Sizes) {
        for (id, messages, tokens) in sizes.efforts {
            self.memory.set_log_size(&id, messages, tokens);
        }
        if let Some((messages, tokens)) = sizes.ambient {
            self.memory.set_ambient_size(messages, tokens);
        }
    }
}

/// A log that cannot be read counts as empty; reading it later says why.
fn count(reader: &LogReader, ids: &[EffortId], counter: &dyn CountTokens) -> Sizes {
    let sum = |messages: &[(crate::memory::Role, std::sync::Arc<str>)]| {
        let tokens = messages.iter().map(|(_, text)| counter.count(text)).sum();
        (messages.len() as u64, tokens)
    };
    let size_of = |id: &EffortId| {
        let (messages, tokens) = sum(&reader.read_log(id).unwrap_or_default());
        (id.clone(), messages, tokens)
    };
    Sizes {
        efforts: ids.iter().map(size_of).collect(),
        ambient: reader.ambient_log().ok().map(|log| sum(&log)),
    }
}
