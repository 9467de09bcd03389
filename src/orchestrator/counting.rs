//! Counts logs that another program wrote, beside the chat: until that is done, what the full history
//! would cost is a lower bound.

use std::sync::Arc;

use tokio::task::JoinHandle;

use super::driver::Driver;
use crate::memory::{CountTokens, EffortId, Memory, Role, Tokens};
use crate::store::{LogReader, StopFlag};

/// Sizes of logs: messages and tokens.
#[derive(Debug, Default, Clone)]
pub(super) struct Sizes {
    efforts: Vec<(EffortId, u64, Tokens)>,
    /// Comes with the bytes that the log had before.
    ambient: Option<(u64, u64, Tokens)>,
}

/// A count under way. It ends with whoever waits for it, within the message that it is at.
pub(super) struct Counting {
    task: JoinHandle<Sizes>,
    stop: StopFlag,
}

impl Counting {
    /// Waits for the sizes; there are none if the count came to grief.
    pub(super) async fn done(&mut self) -> Sizes {
        (&mut self.task).await.unwrap_or_default()
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Driver {
    pub(super) fn start_counting(&mut self, reader: LogReader) {
        if let Some(wanted) = Wanted::of(&self.memory) {
            let stop = StopFlag::default();
            let flag = stop.clone();
            let task = tokio::task::spawn_blocking(move || wanted.count(&reader, &flag));
            self.counted = Some(Counting { task, stop });
        }
    }

    pub(super) async fn take_sizes(&mut self, wait: bool) {
        let is_done = |counting: &Counting| counting.task.is_finished();
        let ready = self.counted.as_ref().is_some_and(|counting| wait || is_done(counting));
        if let Some(mut counting) = self.counted.take_if(|_| ready) {
            self.apply_sizes(counting.done().await);
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
    let count = |wanted: Wanted| wanted.count(reader, &StopFlag::default());
    Wanted::of(memory).map(count).unwrap_or_default()
}

/// Keeps what was counted of the ambient log for whoever comes next, unless somebody has the session open.
pub(super) fn keep(reader: &LogReader, sizes: &Sizes) {
    if let Some((bytes, messages, tokens)) = sizes.ambient {
        reader.keep_ambient_size(bytes, messages, tokens);
    }
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

    /// A log that cannot be read counts as empty; reading it later says why. Logs that are not counted whole
    /// when the end is asked for are left out.
    fn count(&self, reader: &LogReader, stop: &StopFlag) -> Sizes {
        let size_of = |id: &EffortId| {
            let (messages, tokens) = self.sum(&reader.read_log(id).unwrap_or_default(), stop)?;
            Some((id.clone(), messages, tokens))
        };
        let ambient = || {
            let bytes = reader.ambient_bytes().ok()?;
            let (messages, tokens) = self.sum(&reader.ambient_log().ok()?, stop)?;
            Some((bytes, messages, tokens))
        };
        Sizes {
            efforts: self.efforts.iter().map_while(size_of).collect(),
            ambient: (self.ambient && !stop.is_stopped()).then(ambient).flatten(),
        }
    }

    /// The messages and tokens of a whole log; none if the end is asked for before.
    fn sum(&self, log: &[(Role, Arc<str>)], stop: &StopFlag) -> Option<(u64, Tokens)> {
        let count =
            |(_, text): &(Role, Arc<str>)| (!stop.is_stopped()).then(|| self.counter.count(text));
        let tokens = log.iter().map(count).sum::<Option<Tokens>>()?;
        Some((log.len() as u64, tokens))
    }
}
