//! Work that a signal ends, with all that it has begun cleared away.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{process, thread};

use futures_util::StreamExt as _;
use tokio::runtime::{Builder, Runtime};

use super::Error;
use crate::tui;

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
        tokio::select! {
            biased;
            Some(number) = signals.next() => Err(Error::Signal(number)),
            done = work => Ok(done),
        }
    });
    // Whoever heard of a signal clears away what was begun, and is not ended while doing so.
    if !matches!(outcome, Err(Error::Signal(_))) {
        IS_WAITED.store(false, Ordering::SeqCst);
    }
    outcome
}

/// Whoever has waited for signals once gets them for good: from now on they end the program where nobody waits, as they
/// did before. There is nothing to be cleared away then.
fn end_between() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        thread::spawn(|| {
            let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                let Ok(mut signals) = tui::signals() else { return };
                while let Some(number) = signals.next().await {
                    if !IS_WAITED.load(Ordering::SeqCst) {
                        process::exit(Error::Signal(number).exit_code().into());
                    }
                }
            });
        });
    });
}
