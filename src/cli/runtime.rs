//! The threads on which the commands wait and work.

use tokio::runtime::Runtime;

use super::Error;

/// The async runtime; two workers serve a terminal and a stream.
pub(super) fn runtime() -> Result<Runtime, Error> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|reason| Error::Failed(format!("the program cannot start its threads: {reason}")))
}

/// Threads for what such work does beside itself: what one of them has set free is of no use to the others.
const BESIDE: usize = 3;

/// The same for work that waits for nobody: one thread, so that nothing is handed from one to the other.
pub(super) fn alone() -> Result<Runtime, Error> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let built = runtime.max_blocking_threads(BESIDE).enable_all().build();
    built.map_err(|reason| Error::Failed(format!("the program cannot start: {reason}")))
}

/// The signal that ends a program whose file grows over the limit that is set for it, as all the systems know it that this
/// program is made for.
#[cfg(unix)]
const FILE_LIMIT: i32 = 25;

/// A file that grows over a limit is an error of its writing, as a full disk is, and ends nothing.
fn hear_of_limits() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // The handler stays; that it was called needs nobody to hear. Without one it is as it was.
        let _ = signal(SignalKind::from_raw(FILE_LIMIT));
    }
}

/// Runs some work to its end, in a runtime of its own. When it ends everything is saved; whatever still reads or
/// counts beside it need not be waited for.
pub(super) fn run<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        hear_of_limits();
        work.await
    });
    runtime.shutdown_background();
    ended
}
