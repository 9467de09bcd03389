//! The terminal's bytes, read as they come.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crossterm::event::Event;
use crossterm::terminal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;

use super::decode::Decoder;
use crate::tui::burst::Typed;

/// How long a further byte of the same moment is waited for. It is there already, if there is one; the time only
/// has to be long enough to look.
const SAME_MOMENT: Duration = Duration::from_micros(400);

/// Bytes that are taken at once at most, so that a flood does not keep the screen waiting.
const MOST: usize = 16 * 1024;

/// Dropping it ends the reading.
pub(super) type Stop = UnixStream;

/// What the person's terminal says.
pub(super) struct Tty {
    terminal: OwnedFd,
    stopped: UnixStream,
    decoder: Decoder,
    /// Until when more of what has begun is waited for.
    until: Option<Instant>,
}

impl Tty {
    /// Reads from now on.
    pub(super) fn open() -> io::Result<(Self, Stop)> {
        let input = io::stdin();
        let terminal = if input.is_terminal() {
            input.as_fd().try_clone_to_owned()?
        } else {
            open("/dev/tty", OFlags::RDONLY, Mode::empty())?
        };
        let (stopped, stop) = UnixStream::pair()?;
        Ok((Self { terminal, stopped, decoder: Decoder::default(), until: None }, stop))
    }

    /// Waits for what is typed next and takes everything of that moment; nothing if nothing came in time, and
    /// `None` once the reading is over.
    pub(super) fn next(&mut self, until: Option<Instant>) -> io::Result<Option<Vec<Event>>> {
        let until = [until, self.until].into_iter().flatten().min();
        let patience = until.map(|until| until.saturating_duration_since(Instant::now()));
        let mut waited = [&self.terminal as &dyn AsFd, &self.stopped]
            .map(|source| PollFd::from_borrowed_fd(source.as_fd(), PollFlags::IN));
        wait(&mut waited, patience)?;
        let [typed, stopped] = waited.map(|source| !source.revents().is_empty());
        if stopped {
            return Ok(None);
        }
        let events = if typed {
            self.decoder.take(&bytes(&self.terminal)?)
        } else if self.until.is_some_and(|until| until <= Instant::now()) {
            self.decoder.release()
        } else {
            return Ok(Some(Vec::new()));
        };
        self.until = self.decoder.wait().map(|pause| Instant::now() + pause);
        Ok(Some(events))
    }
}

/// Tells each new size of the terminal.
pub(super) async fn tell_sizes(out: Sender<io::Result<Typed>>) {
    let Ok(mut resized) = signal(SignalKind::window_change()) else { return };
    while resized.recv().await.is_some() {
        let size = terminal::size().map(|(width, height)| Event::Resize(width, height));
        if out.send(size.map(Typed::Event)).await.is_err() {
            return;
        }
    }
}

/// Everything that was typed in one moment.
fn bytes(terminal: &OwnedFd) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() < MOST {
        if !read(terminal, &mut bytes)? {
            let over = Err(io::ErrorKind::UnexpectedEof.into());
            return if bytes.is_empty() { over } else { Ok(bytes) };
        }
        let mut more = [PollFd::new(terminal, PollFlags::IN)];
        wait(&mut more, Some(SAME_MOMENT))?;
        if more[0].revents().is_empty() {
            break;
        }
    }
    Ok(bytes)
}

/// Waits until one of them has something to say.
fn wait(sources: &mut [PollFd<'_>], patience: Option<Duration>) -> io::Result<()> {
    let patience = patience.map(Timespec::try_from).transpose().unwrap_or_default();
    match poll(sources, patience.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Reads what is there; `false` at the end of the terminal.
fn read(terminal: &OwnedFd, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0; 4096];
    match rustix::io::read(terminal, &mut buffer) {
        Ok(count) => {
            bytes.extend_from_slice(&buffer[..count]);
            Ok(count > 0)
        }
        Err(Errno::INTR | Errno::AGAIN) => Ok(true),
        Err(error) => Err(error.into()),
    }
}
