use std::sync::Arc;

use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};

use super::*;
use crate::llm::{Event, Message};
use crate::memory::memory_block;

mod languages;
mod lifecycle;
mod phrases;
mod replies;
mod summaries;

/// The answer of the offline model, whose text must have been streamed piece by piece.
fn complete(request: Request) -> Completion {
    let events: Vec<_> =
        Offline::default().stream(request).collect().now_or_never().expect("pace zero never waits");
    let mut streamed = String::new();
    for event in events {
        match event.expect("the offline model never fails") {
            Event::Text(piece) => streamed.push_str(&piece),
            Event::Done(completion) => {
                assert_eq!(streamed, completion.text);
                return completion;
            }
            _ => {}
        }
    }
    panic!("no end of the answer");
}

fn request(purpose: Purpose, messages: Vec<Message>) -> Request {
    Request {
        tools: Some(crate::tools::definitions()),
        may_call: true,
        ..Request::plain(purpose, messages)
    }
}

/// A request in the words of a prompt.
fn asking(prompt: Vec<(&'static str, String)>) -> Request {
    let role = |role| if role == "system" { Role::System } else { Role::User };
    let messages = prompt.into_iter().map(|(by, text)| Message::text(role(by), text)).collect();
    Request { tools: None, ..request(Purpose::Compress, messages) }
}

#[test]
fn a_compressed_form_takes_no_more_room_than_there_is() {
    let fact = |nth| format!("The root cause of fault {nth} was the relay R{nth}, we decided. ");
    let log: String = (0..200).map(fact).collect();
    let length = |target| complete(asking(crate::prompt::compress_part(&log, target))).text.len();
    let (whole, half, small) = (length(None), length(Some(150)), length(Some(40)));
    assert!(whole > 1_000 && length(Some(4_000)) == whole, "{whole}");
    assert!((400..700).contains(&half) && (100..190).contains(&small), "{half}, {small}");
}

/// What the model sees before the user's message.
#[derive(Clone, Copy, Default)]
struct Given {
    /// Open efforts, the active one first.
    open: &'static [&'static str],
    summaries: &'static [(&'static str, &'static str)],
    expanded: &'static [&'static str],
    /// Messages of the user and of a model, in turns.
    said: &'static [&'static str],
}

impl Given {
    fn messages(&self, user: &str) -> Vec<Message> {
        let mut sections = String::new();
        let mut section = |heading: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                sections.push_str(heading);
                sections.extend(lines);
            }
        };
        let summaries = self.summaries.iter().map(|(id, text)| format!("- {id}: {text}\n"));
        section("## Concluded efforts (recently mentioned)\n", summaries.collect());
        let expanded = self.expanded.iter().map(|id| format!("- {id}\n"));
        section("## Expanded efforts (full log above, for a while)\n", expanded.collect());
        let open = self.open.iter().enumerate();
        let open = open.map(|(n, id)| format!("- {id}{}\n", if n == 0 { " (active)" } else { "" }));
        section("## Open efforts\n", open.collect());
        let mut messages = vec![Message::text(Role::System, crate::prompt::system())];
        messages.extend(self.said.iter().enumerate().map(|(at, text)| {
            Message::text(if at % 2 == 0 { Role::User } else { Role::Assistant }, *text)
        }));
        let memory = (!sections.is_empty()).then(|| memory_block(&sections).into());
        messages.push(Message { memory, ..Message::text(Role::User, user) });
        messages
    }

    /// What the model does with a message: `tool {"arguments":..}`, or what it says.
    fn answer(&self, user: &str) -> String {
        shown(&complete(request(Purpose::Chat, self.messages(user))))
    }

    /// The same after calls with these results.
    fn answer_after(&self, user: &str, results: &[Value]) -> Vec<String> {
        let mut messages = self.messages(user);
        let mut answers = Vec::new();
        for result in results {
            let completion = complete(request(Purpose::Chat, messages.clone()));
            answers.push(shown(&completion));
            let Some(call) = completion.calls.first().cloned() else { return answers };
            messages.push(Message {
                calls: vec![call.clone()],
                ..Message::text(Role::Assistant, completion.text)
            });
            messages.push(Message::tool_result(call.id, result.to_string()));
        }
        answers.push(shown(&complete(request(Purpose::Chat, messages))));
        answers
    }
}

fn shown(completion: &Completion) -> String {
    let calls = completion.calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
    calls.chain((!completion.text.is_empty()).then(|| completion.text.clone())).collect()
}

const AUTH: (&str, &str) = (
    "auth-bug",
    "Debugged 401 errors. Root cause: refresh tokens never called. Fix: axios interceptor.",
);
const SAILING: (&str, &str) =
    ("sailing-trip", "Planned two weeks in Norway in June. Booked the boat for 1,200 euros.");

const NOTHING: Given = Given { open: &[], summaries: &[], expanded: &[], said: &[] };
const WORKING: Given = Given {
    open: &["auth-bug", "sailing-trip"],
    said: &["The token expires after an hour.", "Noted."],
    ..NOTHING
};
const CONCLUDED: Given = Given { summaries: &[AUTH, SAILING], ..NOTHING };
const EXPANDED: Given = Given {
    summaries: &[SAILING],
    expanded: &["auth-bug"],
    said: &[
        "Users get error 401 after an hour.",
        "Since when?",
        "Since release 4.2; the refresh endpoint is never called.",
        "Noted.",
        "The fix is an axios interceptor in src/api/client.ts.",
        "Okay.",
    ],
    ..NOTHING
};
