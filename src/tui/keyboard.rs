//! The terminal's events as the loop hears them. Only this file reads them.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crossterm::event::{self, Event, EventStream};
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::burst::{Bursts, Typed};

/// How long a further event of the same moment is waited for. It is there already, if there is one; the
/// time only has to be long enough to look.
const SAME_MOMENT: Duration = Duration::from_micros(400);

/// Events that are taken at once at most, so that a flood does not keep the screen waiting.
const MOST: usize = 4096;

/// What the loop hears the keyboard through.
pub trait Keys: Stream<Item = io::Result<Typed>> + Unpin {
    /// Stops reading, because another program has the terminal.
    fn rest(&mut self) {}

    /// Reads again.
    fn resume(&mut self) {}
}

/// The real keyboard, with mouse and pastes.
#[derive(Default)]
pub struct Keyboard {
    events: Option<EventStream>,
    bursts: Bursts,
    ready: VecDeque<io::Result<Typed>>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Keyboard {
    /// Reads from now on.
    pub fn new() -> Self {
        Self { events: Some(EventStream::new()), ..Self::default() }
    }

    /// Takes everything that arrived in the same moment as an event.
    fn take(&mut self, first: Event) {
        let mut batch = vec![first];
        while batch.len() < MOST {
            match event::poll(SAME_MOMENT).and_then(|more| more.then(event::read).transpose()) {
                Ok(Some(event)) => batch.push(event),
                Ok(None) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => break,
                Err(error) => {
                    self.ready.push_back(Err(error));
                    break;
                }
            }
        }
        let typed = self.bursts.take(batch, Instant::now());
        let errors = std::mem::take(&mut self.ready);
        self.ready.extend(typed.into_iter().map(Ok).chain(errors));
        self.timer = self.bursts.deadline().map(|until| Box::pin(sleep_until(until)));
    }
}

impl Keys for Keyboard {
    fn rest(&mut self) {
        self.events = None;
    }

    fn resume(&mut self) {
        self.events = Some(EventStream::new());
    }
}

impl Stream for Keyboard {
    type Item = io::Result<Typed>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(typed) = self.ready.pop_front() {
                return Poll::Ready(Some(typed));
            }
            let event = match &mut self.events {
                Some(events) => Pin::new(events).poll_next(context),
                None => return Poll::Pending,
            };
            match event {
                Poll::Ready(Some(Ok(event))) => self.take(event),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => {
                    let Some(timer) = &mut self.timer else { return Poll::Pending };
                    if timer.as_mut().poll(context).is_pending() {
                        return Poll::Pending;
                    }
                    self.timer = None;
                    let held = self.bursts.release();
                    self.ready.extend(held.into_iter().map(Ok));
                }
            }
        }
    }
}
