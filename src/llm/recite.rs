//! Streams an answer that is known beforehand: word by word, as a server would, or all at once.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};

use super::{Completion, Error, Event, EventStream};

/// The events of a finished answer. Each word waits for what `pace` says then; where it says nothing at the beginning,
/// all words come at once. With an error the stream fails behind the text instead of completing.
pub(super) fn recite(
    completion: Completion,
    error: Option<Error>,
    pace: impl Fn() -> Duration + Send + 'static,
) -> EventStream {
    let text = completion.text.as_str();
    let words: Vec<&str> = if pace().is_zero() {
        Some(text).filter(|text| !text.is_empty()).into_iter().collect()
    } else {
        text.split_inclusive(' ').collect()
    };
    let said = words.into_iter().map(|word| Ok(Event::Text(word.to_owned())));
    let mut events: VecDeque<Result<Event, Error>> = said.collect();
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
