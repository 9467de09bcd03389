//! Asks work on another thread to end before it is done.

use std::io::{self, Cursor, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use crate::store::Error;

/// How often whoever waits for work looks whether the end was asked for.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes that are read at a time apart from whoever needs them, and how many such blocks are read ahead.
const BLOCK: usize = 256 * 1024;
const BLOCKS_AHEAD: usize = 2;

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

    /// The same of a source that may keep its reader waiting for ever, as a file on a network that is gone: it is
    /// read by a thread of its own, which holds nothing else and is left behind with it.
    pub(super) fn reading_apart(&self, source: impl Read + Send + 'static) -> impl Read {
        let (blocks, read) = sync_channel(BLOCKS_AHEAD);
        thread::spawn(move || send_blocks(source, &blocks));
        Apart { read, block: Cursor::default(), stop: self.clone() }
    }
}

/// Sends what a source holds, up to its end, its first error, or until nobody takes it any more.
fn send_blocks(mut source: impl Read, blocks: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = match source.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_last = !matches!(read, Ok(bytes) if bytes > 0);
        let block = read.map(|bytes| {
            block.truncate(bytes);
            block
        });
        if blocks.send(block).is_err() || is_last {
            return;
        }
    }
}

/// What another thread reads, block by block.
struct Apart {
    read: Receiver<io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    stop: StopFlag,
}

impl Read for Apart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.stop.is_stopped() {
            let bytes = self.block.read(buffer)?;
            if bytes > 0 {
                return Ok(bytes);
            }
            match self.read.recv_timeout(LOOK) {
                Ok(block) => self.block = Cursor::new(block?),
                Err(RecvTimeoutError::Timeout) => continue,
                // The thread ends behind an empty block or an error; whoever reads on past them is at the end.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.block.get_ref().is_empty() {
                return Ok(0);
            }
        }
        Err(io::Error::other("stopped"))
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
