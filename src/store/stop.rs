//! Asks work on another thread to end before it is done.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
