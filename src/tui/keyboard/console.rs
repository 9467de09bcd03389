//! The events of a console that is not read as bytes.

use std::io;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crossterm::event::{self, Event};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;

use crate::tui::burst::Typed;

/// How often it is asked whether the reading is over.
const LOOK: Duration = Duration::from_millis(100);

/// Events that are taken at once at most, so that a flood does not keep the screen waiting.
const MOST: usize = 4096;

/// Dropping it ends the reading.
pub(super) type Stop = Arc<()>;

/// What the person's console says.
pub(super) struct Tty(Weak<()>);

impl Tty {
    /// Reads from now on.
    pub(super) fn open() -> io::Result<(Self, Stop)> {
        let stop = Arc::new(());
        Ok((Self(Arc::downgrade(&stop)), stop))
    }

    /// Waits for what is typed next and takes everything of that moment; nothing if nothing came in time, and
    /// `None` once the reading is over.
    pub(super) fn next(&mut self, until: Option<Instant>) -> io::Result<Option<Vec<Event>>> {
        let patience = until.map(|until| until.saturating_duration_since(Instant::now()));
        let mut events = Vec::new();
        if event::poll(patience.map_or(LOOK, |patience| patience.min(LOOK)))? {
            events.push(event::read()?);
        }
        while !events.is_empty() && events.len() < MOST && event::poll(Duration::ZERO)? {
            events.push(event::read()?);
        }
        Ok(self.0.upgrade().map(|_| events))
    }
}

/// Each new size of the console is among its events.
pub(super) async fn tell_sizes(_: Sender<io::Result<Typed>>) {}
