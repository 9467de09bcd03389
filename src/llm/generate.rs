//! Makes a stream of events from an async function that emits them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::Stream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Completion, Error, Event, EventStream};

type Work = Pin<Box<dyn Future<Output = Result<Completion, Error>> + Send>>;

/// Takes the events of one answer.
#[derive(Debug)]
pub(crate) struct Emitter {
    sender: UnboundedSender<Event>,
    produced: Arc<AtomicBool>,
}

impl Emitter {
    /// Hands an event to whoever reads the stream.
    pub(crate) fn send(&self, event: Event) {
        if matches!(event, Event::Text(_) | Event::Reasoning(_) | Event::ToolCallStarted { .. }) {
            self.produced.store(true, Ordering::Relaxed);
        }
        // Without a reader nothing runs this any more, so no event is lost.
        let _ = self.sender.send(event);
    }

    /// Whether any part of an answer went out, after which nothing may be repeated.
    pub(crate) fn has_produced(&self) -> bool {
        self.produced.load(Ordering::Relaxed)
    }
}

/// Runs `work` while the stream is read; its result is the last item. Dropping the stream drops the
/// work, and with it the request.
pub(crate) fn generate<F, W>(work: F) -> EventStream
where
    F: FnOnce(Emitter) -> W,
    W: Future<Output = Result<Completion, Error>> + Send + 'static,
{
    let (sender, receiver) = unbounded_channel();
    let emitter = Emitter { sender, produced: Arc::default() };
    Box::pin(Generated { work: Some(Box::pin(work(emitter))), receiver, last: None })
}

struct Generated {
    work: Option<Work>,
    receiver: UnboundedReceiver<Event>,
    last: Option<Result<Event, Error>>,
}

impl Stream for Generated {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Ok(event) = self.receiver.try_recv() {
            return Poll::Ready(Some(Ok(event)));
        }
        let Some(work) = &mut self.work else { return Poll::Ready(self.last.take()) };
        let polled = work.as_mut().poll(context);
        if let Poll::Ready(result) = polled {
            self.work = None;
            self.last = Some(result.map(Event::Done));
        }
        match self.receiver.try_recv() {
            Ok(event) => Poll::Ready(Some(Ok(event))),
            Err(_) if self.work.is_none() => Poll::Ready(self.last.take()),
            Err(_) => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::generate;
    use crate::llm::{Completion, Error, Event};

    fn text(text: &str) -> Event {
        Event::Text(text.to_owned())
    }

    #[tokio::test]
    async fn events_come_before_the_result_and_each_once() {
        let stream = generate(|out| async move {
            out.send(text("a"));
            tokio::task::yield_now().await;
            out.send(text("b"));
            out.send(text("c"));
            Ok(Completion::default())
        });
        let events: Vec<_> = stream.collect().await;
        let done = Event::Done(Completion::default());
        assert_eq!(events, [text("a"), text("b"), text("c"), done].map(Ok));
    }

    #[tokio::test]
    async fn a_failure_is_the_last_item() {
        let failure = || Error::Script("over".to_owned());
        let stream = generate(|out| async move {
            out.send(text("a"));
            assert!(out.has_produced());
            Err(failure())
        });
        let events: Vec<_> = stream.collect().await;
        assert_eq!(events, [Ok(text("a")), Err(failure())]);
    }
}
