//! Streams an answer that is known beforehand, word by word, as a server would.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};

use super::{Completion, Error, Event, EventStream};

/// The events of a finished answer. Each word waits for what `pace` says then; zero sends all at once. With an error
/// the stream fails behind the text instead of completing.
pub(super) fn recite(
    completion: Completion,
    error: Option<Error>,
    pace: impl Fn() -> Duration + Send + 'static,
) -> EventStream {
    let mut events: VecDeque<Result<Event, Error>> =
        completion.text.split_inclusive(' ').map(|word| Ok(Event::Text(word.to_owned()))).collect();
    let calls = completion.calls.iter();
    events.extend(calls.map(|call| Ok(Event::ToolCallStarted { name: call.name.clone() })));
    events.push_back(error.map_or(Ok(Event::Done(completion)), Err));
    let paced = stream::iter(events).then(move |event| {
        let pace = pace();
        async move {
            if !pace.is_zero() && matches!(event, Ok(Event::Text(_))) {
                tokio::time::sleep(pace).await;
            }
            event
        }
    });
    Box::pin(paced)
}
