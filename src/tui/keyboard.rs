//! The terminal's events as the loop hears them. Only this file and those below it read them.
//!
//! They are read beside the loop, so that two lines that someone types while the loop draws do not look like one
//! piece that was pasted.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;

use futures_util::Stream;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::burst::{Bursts, Typed};

#[cfg(unix)]
mod decode;
#[cfg_attr(not(unix), path = "keyboard/console.rs")]
mod tty;

use tty::{Stop, Tty, tell_sizes};

/// Events that wait for the loop at most; the rest waits in the terminal.
const WAITING: usize = 4096;

/// What the loop hears the keyboard through.
pub trait Keys: Stream<Item = io::Result<Typed>> + Unpin {
    /// Stops reading, because another program has the terminal.
    fn rest(&mut self) {}

    /// Reads again.
    fn resume(&mut self) {}
}

/// The real keyboard, with mouse and pastes.
pub struct Keyboard {
    typed: Receiver<io::Result<Typed>>,
    out: Sender<io::Result<Typed>>,
    sizes: JoinHandle<()>,
    stop: Option<Stop>,
}

impl Keyboard {
    /// Reads from now on.
    pub fn new() -> Self {
        let (out, typed) = channel(WAITING);
        let sizes = tokio::spawn(tell_sizes(out.clone()));
        Self { typed, sizes, stop: listen(&out), out }
    }
}

impl Default for Keyboard {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.sizes.abort();
    }
}

impl Keys for Keyboard {
    fn rest(&mut self) {
        self.stop = None;
    }

    fn resume(&mut self) {
        self.stop = listen(&self.out);
    }
}

impl Stream for Keyboard {
    type Item = io::Result<Typed>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.typed.poll_recv(context)
    }
}

/// Reads the terminal from now on, in a thread of its own: reading waits, and the loop never does.
fn listen(out: &Sender<io::Result<Typed>>) -> Option<Stop> {
    let out = out.clone();
    match Tty::open() {
        Ok((tty, stop)) => {
            thread::spawn(move || read(tty, &out));
            Some(stop)
        }
        Err(error) => {
            // A full channel has keys for the loop, which then learns the reason from the next attempt.
            let _ = out.try_send(Err(error));
            None
        }
    }
}

/// Reads until the terminal fails or nobody listens.
fn read(mut tty: Tty, out: &Sender<io::Result<Typed>>) {
    let mut bursts = Bursts::default();
    loop {
        let typed = match tty.next(bursts.deadline()) {
            Ok(None) => return,
            Ok(Some(batch)) => bursts.take(batch, Instant::now()),
            Err(error) => {
                // If nobody listens any more, nobody is left to be told.
                let _ = out.blocking_send(Err(error));
                return;
            }
        };
        for typed in typed {
            if out.blocking_send(Ok(typed)).is_err() {
                return;
            }
        }
    }
}
