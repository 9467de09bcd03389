//! The model client against a server that does what real servers were seen to do.
//!
//! The numbers in the names of cases are those of the list of observed behaviours.

mod dialects;
mod failures;
mod hostile;
mod native;
mod patience;
mod recorded;
mod refusals;
mod requests;
mod streams;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use ebbtide::llm::wire::Purpose;
use ebbtide::llm::{
    Client, Completion, Endpoint, Error, Event, Message, Model, Request, Retries, Role, Timeouts,
};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::server::{Reply, Server};

/// All that a stream gave.
#[derive(Debug)]
struct Answer {
    /// The events before the last item.
    events: Vec<Event>,
    result: Result<Completion, Error>,
}

impl Answer {
    /// The text that was shown while it came.
    fn shown(&self) -> String {
        let text = |event: &Event| {
            if let Event::Text(text) = event { text.clone() } else { String::new() }
        };
        self.events.iter().map(text).collect()
    }

    /// The completion, which must be there.
    fn complete(self) -> Completion {
        self.result.unwrap()
    }

    /// The failure, which must be there.
    fn failure(&self) -> &Error {
        self.result.as_ref().unwrap_err()
    }

    fn notices(&self) -> Vec<&str> {
        let notices = self.events.iter().map(|event| match event {
            Event::Notice(text) => Some(text.as_str()),
            _ => None,
        });
        notices.flatten().collect()
    }

    /// The wait, number and reason of each further attempt.
    fn retries(&self) -> Vec<(Duration, u32, &str)> {
        let retries = self.events.iter().map(|event| match event {
            Event::Retrying { wait, attempt, reason } => Some((*wait, *attempt, reason.as_str())),
            _ => None,
        });
        retries.flatten().collect()
    }
}

/// An endpoint that waits long enough for any machine, and repeats at once.
fn endpoint(server: &Server) -> Endpoint {
    let patient = Duration::from_secs(20);
    Endpoint {
        timeouts: Timeouts {
            connect: patient,
            first_byte: patient,
            silence: patient,
            keepalive_only: patient,
        },
        retries: Retries { backoff: Duration::from_millis(1), ..Retries::default() },
        ..Endpoint::new(server.base_url(), "test-model")
    }
}

fn model(server: &Server) -> Client {
    Client::new(endpoint(server)).unwrap()
}

fn tools() -> Value {
    let parameters = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    json!([{"type": "function", "function": {
        "name": "open_effort", "description": "Opens an effort.", "parameters": parameters,
    }}])
}

fn request() -> Request {
    Request {
        tools: Some(Arc::new(tools())),
        may_call: true,
        ..Request::plain(
            Purpose::Chat,
            vec![Message::text(Role::System, "You help."), Message::text(Role::User, "Hi")],
        )
    }
}

/// Sends a request and collects everything.
async fn ask(model: &Client, request: Request) -> Answer {
    let mut stream = model.stream(request);
    let mut events = Vec::new();
    while let Some(item) = stream.next().await {
        let result = match item {
            Ok(Event::Done(completion)) => Ok(completion),
            Ok(event) => {
                events.push(event);
                continue;
            }
            Err(error) => Err(error),
        };
        assert_eq!(stream.next().await, None, "something followed the last item");
        return Answer { events, result };
    }
    panic!("the stream ended without a last item");
}

/// What a client makes of one reply.
async fn answer_to(reply: Reply) -> Answer {
    let server = Server::replying([reply]);
    let answer = ask(&model(&server), request()).await;
    assert_eq!(server.requests().len(), 1);
    answer
}
