//! Asks work on another thread to end before it is done.

use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::Error;

/// How often whoever waits for work looks whether the end was asked for.
const LOOK: Duration = Duration::from_millis(20);

/// Shared by whoever does long work and whoever may want it to end. Work looks at it often enough to end
/// within a fraction of a second.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks for the end, for good.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked for the end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does work that changes nothing but what it was given, on a thread of its own: it is left behind once the
    /// end is asked for, wherever it is then.
    ///
    /// # Errors
    /// The end was asked for before it was done.
    pub fn leaving<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (done, result) = channel();
        // Nobody may be there any more to take the result.
        let working = thread::spawn(move || drop(done.send(work())));
        while !self.is_stopped() {
            match result.recv_timeout(LOOK) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    working.join().unwrap_or_else(|panic| resume_unwind(panic));
                    break;
                }
            }
        }
        Err(Error::Stopped)
    }

    /// A source that fails from the moment on at which the end is asked for.
    pub(super) fn reading<Source: Read>(&self, source: Source) -> impl Read {
        Stoppable { source, stop: self.clone() }
    }
}

struct Stoppable<Source> {
    source: Source,
    stop: StopFlag,
}

impl<Source: Read> Read for Stoppable<Source> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::Error::other("stopped"));
        }
        self.source.read(buffer)
    }
}
