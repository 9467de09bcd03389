//! Counts logs that another program wrote, beside the chat: until that is done, what the full history
//! would cost is a lower bound.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::task::JoinHandle;

use super::driver::Driver;
use crate::lock::locked;
use crate::memory::{CountTokens, EffortId, Memory, Role, Tokens};
use crate::store::{Counted, LogReader, StopFlag};

/// Sizes of logs: messages and tokens.
#[derive(Debug, Default, Clone)]
pub(super) struct Sizes {
    efforts: Vec<(EffortId, u64, Tokens)>,
    /// Of the whole ambient log.
    ambient: Option<Counted>,
}

/// A count under way. It ends with whoever waits for it, within the message that it is at.
pub(super) struct Counting {
    task: JoinHandle<Sizes>,
    progress: Progress,
}

/// What is known of a count while it goes on.
#[derive(Debug, Clone, Default)]
struct Progress {
    stop: StopFlag,
    /// What has been counted in this run: of the ambient log so much, of the efforts each whole.
    sizes: Arc<Mutex<Sizes>>,
}

impl Progress {
    /// Takes one step; whether to go on.
    fn step(&self, counted: Counted) -> bool {
        self.sizes().ambient = Some(counted);
        !self.stop.is_stopped()
    }

    fn sizes(&self) -> MutexGuard<'_, Sizes> {
        locked(&self.sizes)
    }
}

impl Counting {
    /// Waits for the sizes; there are none if the count panicked.
    pub(super) async fn done(&mut self) -> Sizes {
        (&mut self.task).await.unwrap_or_default()
    }

    /// What has been counted, of the ambient log perhaps a part.
    fn so_far(&self) -> Sizes {
        self.progress.sizes().clone()
    }
}

impl Drop for Counting {
    fn drop(&mut self) {
        self.progress.stop.stop();
    }
}

impl Driver {
    pub(super) fn start_counting(&mut self, reader: LogReader) {
        if let Some(wanted) = Wanted::of(&self.memory, &reader) {
            let progress = Progress::default();
            let told = progress.clone();
            let task = tokio::task::spawn_blocking(move || wanted.count(&reader, &told));
            self.counted = Some(Counting { task, progress });
        }
    }

    /// Ends the count; what it came to is gone on from the next time.
    pub(super) fn stop_counting(&mut self) {
        if let Some(counting) = self.counted.take() {
            self.keep_sizes(&counting.so_far());
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
        self.keep_sizes(&sizes);
        apply(&mut self.memory, sizes);
    }

    fn keep_sizes(&mut self, sizes: &Sizes) {
        if let Err(error) = self.store.record_log_sizes(&sizes.efforts) {
            tracing::warn!("the sizes of older logs were not kept: {error}");
        }
        if let Some(counted) = sizes.ambient {
            self.store.keep_counted(counted);
        }
    }
}

/// Gives memory the sizes that were counted.
pub(super) fn apply(memory: &mut Memory, sizes: Sizes) {
    for (id, messages, tokens) in sizes.efforts {
        memory.set_log_size(&id, messages, tokens);
    }
    if let Some(counted) = sizes.ambient {
        memory.set_ambient_size(counted.messages, counted.tokens);
    }
}

/// Counts all that nobody has counted yet.
pub(super) fn count_all(reader: &LogReader, memory: &Memory) -> Sizes {
    let count = |wanted: Wanted| wanted.count(reader, &Progress::default());
    Wanted::of(memory, reader).map(count).unwrap_or_default()
}

/// Keeps what was counted for whoever comes next, unless somebody has the session open.
pub(super) fn keep(reader: &LogReader, sizes: &Sizes) {
    reader.keep_counted(sizes.ambient, &sizes.efforts);
}

/// The logs that nobody has counted yet.
struct Wanted {
    efforts: Vec<EffortId>,
    /// The length of the ambient log, if it is wanted.
    ambient: Option<u64>,
    counter: Arc<dyn CountTokens>,
}

impl Wanted {
    fn of(memory: &Memory, reader: &LogReader) -> Option<Self> {
        let exact = memory.full_history().is_counted;
        let wanted = || Self {
            efforts: memory.uncounted().map(|effort| effort.id.clone()).collect(),
            ambient: reader.ambient_bytes().ok().filter(|_| !memory.is_ambient_counted()),
            counter: memory.counter(),
        };
        (!exact).then(wanted)
    }

    /// A log that cannot be read counts as empty; reading it later says why. Logs that are not counted whole
    /// when the end is asked for are left out.
    fn count(&self, reader: &LogReader, progress: &Progress) -> Sizes {
        let ambient = self.ambient.and_then(|upto| {
            let more = &mut |counted| progress.step(counted);
            let counted = reader.count_on(reader.counted(), upto, &*self.counter, more).ok()?;
            (counted.bytes >= upto).then_some(counted)
        });
        let known = reader.counted_efforts();
        for id in &self.efforts {
            let counted = known.size(reader, id);
            let Some((messages, tokens)) = counted.or_else(|| self.size(reader, id, progress))
            else {
                break;
            };
            progress.sizes().efforts.push((id.clone(), messages, tokens));
        }
        Sizes { ambient, ..progress.sizes().clone() }
    }

    fn size(
        &self,
        reader: &LogReader,
        id: &EffortId,
        progress: &Progress,
    ) -> Option<(u64, Tokens)> {
        let log = (!progress.stop.is_stopped()).then(|| reader.read_log(id))?;
        self.sum(&log.unwrap_or_default(), &progress.stop)
    }

    /// The messages and tokens of a whole log; none if the end is asked for before.
    fn sum(&self, log: &[(Role, Arc<str>)], stop: &StopFlag) -> Option<(u64, Tokens)> {
        let count =
            |(_, text): &(Role, Arc<str>)| (!stop.is_stopped()).then(|| self.counter.count(text));
        let tokens = log.iter().map(count).sum::<Option<Tokens>>()?;
        Some((log.len() as u64, tokens))
    }
}
