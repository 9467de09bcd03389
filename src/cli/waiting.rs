//! Work that a signal ends, with all that it has begun cleared away.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{process, thread};

use futures_util::{Stream, StreamExt as _};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use super::Error;
use crate::proof::Stop;
use crate::{store, tui};

/// Somebody waits who hears of a signal.
static IS_WAITED: AtomicBool = AtomicBool::new(false);

/// Waits for something until a signal ends the program.
///
/// # Errors
/// Tells the signal, or that none can be heard.
pub(super) fn waited<T>(runtime: &Runtime, work: impl Future<Output = T>) -> Result<T, Error> {
    IS_WAITED.store(true, Ordering::SeqCst);
    let outcome = runtime.block_on(async {
        let mut signals = tui::signals()?;
        end_between();
        unless_signalled(&mut signals, work).await
    });
    // Whoever heard of a signal clears away what was begun, and is not ended while doing so.
    if !matches!(outcome, Err(Error::Signal(_))) {
        IS_WAITED.store(false, Ordering::SeqCst);
    }
    outcome
}

/// The same for work that hears of a signal itself and ends soon, with what it has: gives the signal with that. A second one
/// is not waited for.
///
/// # Errors
/// As [`waited`].
pub(super) fn stopping<'a, T, F: Future<Output = T>>(
    runtime: &Runtime,
    begin: impl FnOnce(Stop<'a>) -> F,
) -> Result<(T, Option<i32>), Error> {
    IS_WAITED.store(true, Ordering::SeqCst);
    let outcome = runtime.block_on(async {
        let mut signals = tui::signals()?;
        end_between();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let mut work = pin!(begin(Box::pin(stopped)));
        match unless_signalled(&mut signals, work.as_mut()).await {
            Err(Error::Signal(first)) => {
                drop(stop);
                let done = unless_signalled(&mut signals, work).await?;
                Ok((done, Some(first)))
            }
            done => Ok((done?, None)),
        }
    });
    if matches!(outcome, Ok((_, None))) {
        IS_WAITED.store(false, Ordering::SeqCst);
    }
    outcome
}

async fn unless_signalled<T>(
    signals: &mut (impl Stream<Item = i32> + Unpin),
    work: impl Future<Output = T>,
) -> Result<T, Error> {
    tokio::select! {
        biased;
        Some(number) = signals.next() => Err(Error::Signal(number)),
        done = work => Ok(done),
    }
}

/// Does what hears of signals itself, as the full-screen program does: they do not end the program beside it.
pub(super) async fn hearing<T>(work: impl Future<Output = T>) -> T {
    IS_WAITED.store(true, Ordering::SeqCst);
    let done = work.await;
    IS_WAITED.store(false, Ordering::SeqCst);
    done
}

/// A folder from [`store::fresh_dir`] that is gone with this; where a signal ends the program at once, it goes with all of
/// those.
pub(super) struct FolderForNow(PathBuf);

impl FolderForNow {
    /// Takes over a folder that was made for this.
    pub(super) fn of(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for FolderForNow {
    fn drop(&mut self) {
        // What cannot be taken away does no harm in a folder for what is temporary.
        store::clear_away(&self.0);
    }
}

/// Whoever has waited for signals once gets them for good: from now on they end the program where nobody waits, as they
/// did before. Only folders are left then to be cleared away.
fn end_between() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        thread::spawn(|| {
            let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                let Ok(mut signals) = tui::signals() else { return };
                while let Some(number) = signals.next().await {
                    if !IS_WAITED.load(Ordering::SeqCst) {
                        store::clear_fresh_dirs();
                        process::exit(Error::Signal(number).exit_code().into());
                    }
                }
            });
        });
    });
}
