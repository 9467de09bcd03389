//! What the fake server answers, built piece by piece.

use std::time::Duration;

use serde_json::{Value, json};

/// One answer: a status, headers, and steps that write its body.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// Before the first byte, headers included.
    pub(super) delay: Duration,
    pub(super) framing: Framing,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    Chunked,
    /// The connection closes without a byte.
    Nothing,
    /// The headers never end.
    EndlessHead,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Bytes(Vec<u8>),
    /// These bytes, whatever the protocol is.
    Raw(Vec<u8>),
    Pause(Duration),
    /// The same bytes again and again.
    Forever(Vec<u8>, Duration),
    /// Nothing more, with the connection open.
    Hang,
    /// The connection closes in the middle.
    Cut,
}

/// How a server sends its tool calls in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallStyle {
    /// Name first, then the arguments in pieces: as documented.
    Fragments,
    /// Each call whole, all in one chunk.
    Whole,
    /// Each call whole, in a chunk of its own, without index.
    NoIndex,
    /// As fragments, every call with index 0.
    AllIndexZero,
    /// As fragments, with the id and the name in every one.
    Repeating,
    /// As fragments, with an empty id and name after the first.
    EmptyLater,
    /// As fragments, without any id.
    NoId,
    /// Whole, with the arguments as an object.
    ObjectArguments,
    /// The first call alone, in the old form.
    OldForm,
}

impl CallStyle {
    /// All styles.
    pub(crate) const ALL: [Self; 9] = [
        Self::Fragments,
        Self::Whole,
        Self::NoIndex,
        Self::AllIndexZero,
        Self::Repeating,
        Self::EmptyLater,
        Self::NoId,
        Self::ObjectArguments,
        Self::OldForm,
    ];
}

/// What [`Reply::answer`] says that it used.
const NOMINAL_USAGE: &str = r#"{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}"#;

impl Reply {
    /// A streamed answer that is only text, word by word, with usage in a chunk of its own.
    pub(crate) fn text(text: impl AsRef<str>) -> Self {
        let words = text.as_ref().split_inclusive(' ').map(content);
        Self::answer(words.collect(), "stop")
    }

    /// The same with one chunk a character.
    pub(crate) fn text_by_character(text: &str) -> Self {
        let characters = text.chars().map(|character| content(&character.to_string()));
        Self::answer(characters.collect(), "stop")
    }

    /// A streamed answer that calls tools, in the documented style.
    pub(crate) fn calls(calls: &[(&str, Value)]) -> Self {
        Self::calls_in(CallStyle::Fragments, calls)
    }

    /// A streamed answer that calls tools.
    pub(crate) fn calls_in(style: CallStyle, calls: &[(&str, Value)]) -> Self {
        Self::answer(call_chunks(style, calls), "tool_calls")
    }

    /// Text, then tool calls.
    pub(crate) fn text_and_calls(text: &str, calls: &[(&str, Value)]) -> Self {
        let mut chunks = vec![content(text)];
        chunks.extend(call_chunks(CallStyle::Fragments, calls));
        Self::answer(chunks, "tool_calls")
    }

    /// These chunks, then the finish reason, usage and the end mark.
    pub(crate) fn answer(mut chunks: Vec<Value>, finish: &str) -> Self {
        chunks.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
        chunks.push(json!({
            "choices": [],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }));
        Self::chunks(chunks).then("data: [DONE]\n\n")
    }

    /// The usage of [`Reply::answer`], of a request that is larger than it says: an honest server counts.
    pub(super) fn measuring(mut self, request: &Value) -> Self {
        let counted =
            (request["messages"].to_string().len() + request["tools"].to_string().len()) / 4;
        if counted > 1_000 {
            for step in &mut self.steps {
                if let Step::Bytes(bytes) = step {
                    let text = String::from_utf8_lossy(bytes);
                    let honest = format!(
                        "{{\"prompt_tokens\":{counted},\"completion_tokens\":10,\"total_tokens\":{}}}",
                        counted + 10
                    );
                    if text.contains(NOMINAL_USAGE) {
                        *bytes = text.replace(NOMINAL_USAGE, &honest).into_bytes();
                    }
                }
            }
        }
        self
    }

    /// The same text from a server that read only so many tokens of the request.
    pub(crate) fn cut_to(text: &str, prompt_tokens: u64) -> Self {
        let finish = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        let usage = json!({"prompt_tokens": prompt_tokens, "completion_tokens": 1});
        let usage = json!({"choices": [], "usage": usage});
        Self::chunks([content(text), finish, usage]).then("data: [DONE]\n\n")
    }

    /// These chunks as events, one network write each, and nothing else.
    pub(crate) fn chunks(chunks: impl IntoIterator<Item = Value>) -> Self {
        let events =
            chunks.into_iter().map(|chunk| Step::Bytes(format!("data: {chunk}\n\n").into()));
        Self { steps: events.collect(), ..Self::raw("") }
    }

    /// An event stream in these very words.
    pub(crate) fn raw(body: impl AsRef<[u8]>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            delay: Duration::ZERO,
            framing: Framing::Chunked,
            steps: vec![Step::Bytes(body.as_ref().to_vec())],
        }
    }

    /// A body of JSON that is no stream.
    pub(crate) fn json(body: &Value) -> Self {
        Self::raw(body.to_string()).header("content-type", "application/json")
    }

    /// A failure with a body.
    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self { status, ..Self::raw(body).header("content-type", "application/json") }
    }

    /// Closes the connection without a byte.
    pub(crate) fn nothing() -> Self {
        Self { framing: Framing::Nothing, ..Self::raw("") }
    }

    /// Sets a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(header, _)| header != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Holds the whole answer back, headers included.
    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Adds bytes.
    pub(crate) fn then(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.steps.push(Step::Bytes(bytes.as_ref().to_vec()));
        self
    }

    /// The same reply, in whatever protocol it is asked for.
    pub(crate) fn untranslated(mut self) -> Self {
        for step in &mut self.steps {
            if let Step::Bytes(bytes) = step {
                *step = Step::Raw(std::mem::take(bytes));
            }
        }
        self
    }

    /// Adds bytes that stay as they are, whatever the protocol is.
    pub(crate) fn then_untranslated(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.steps.push(Step::Raw(bytes.as_ref().to_vec()));
        self
    }

    /// Adds the steps of another reply.
    pub(crate) fn then_all(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Adds a pause.
    pub(crate) fn pause(mut self, time: Duration) -> Self {
        self.steps.push(Step::Pause(time));
        self
    }

    /// Ends by closing the connection in the middle.
    pub(crate) fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self
    }

    /// Ends by saying nothing more, with the connection open.
    pub(crate) fn hang(mut self) -> Self {
        self.steps.push(Step::Hang);
        self
    }

    /// Ends with these bytes again and again, until the client goes away.
    pub(crate) fn forever(mut self, bytes: &str, every: Duration) -> Self {
        self.steps.push(Step::Forever(bytes.into(), every));
        self
    }

    /// Writes every byte of the body on its own.
    pub(crate) fn by_byte(mut self) -> Self {
        let split = |step| match step {
            Step::Bytes(bytes) => bytes.into_iter().map(|byte| Step::Bytes(vec![byte])).collect(),
            other => vec![other],
        };
        self.steps = self.steps.into_iter().flat_map(split).collect();
        self
    }

    /// Pauses between the writes of the body, to be watched or interrupted.
    pub(crate) fn slowly(mut self, pause: Duration) -> Self {
        let pair = |step| [step, Step::Pause(pause)];
        self.steps = self.steps.into_iter().flat_map(pair).collect();
        self
    }
}

/// A chunk with this text.
pub(crate) fn content(text: &str) -> Value {
    chunk(json!({"content": text}))
}

/// A chunk with this delta.
pub(crate) fn chunk(delta: Value) -> Value {
    let mut choice = json!({"index": 0, "finish_reason": null});
    choice["delta"] = delta;
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]})
}

fn call_chunks(style: CallStyle, calls: &[(&str, Value)]) -> Vec<Value> {
    let entries = |entries: Vec<Value>| chunk(json!({"tool_calls": entries}));
    let numbered = calls.iter().enumerate();
    match style {
        CallStyle::Whole | CallStyle::ObjectArguments => {
            let whole = numbered.map(|(index, (name, arguments))| {
                let text = json!(arguments.to_string());
                let arguments = if style == CallStyle::Whole { &text } else { arguments };
                json!({"index": index, "id": id(index), "type": "function",
                    "function": {"name": name, "arguments": arguments}})
            });
            vec![entries(whole.collect())]
        }
        CallStyle::NoIndex => numbered
            .map(|(index, (name, arguments))| {
                entries(vec![json!({"id": id(index),
                    "function": {"name": name, "arguments": arguments.to_string()}})])
            })
            .collect(),
        CallStyle::OldForm => {
            let (name, arguments) = &calls[0];
            let function = json!({"name": name, "arguments": arguments.to_string()});
            vec![chunk(json!({"function_call": function}))]
        }
        _ => numbered
            .flat_map(|(index, call)| fragments(style, index, call))
            .map(|entry| entries(vec![entry]))
            .collect(),
    }
}

/// One call: its name first, then its arguments in pieces of five characters.
fn fragments(style: CallStyle, index: usize, (name, arguments): &(&str, Value)) -> Vec<Value> {
    let shown_index = if style == CallStyle::AllIndexZero { 0 } else { index };
    let first = match style {
        CallStyle::NoId => json!({"index": index, "function": {"name": name, "arguments": ""}}),
        _ => json!({"index": shown_index, "id": id(index), "type": "function",
            "function": {"name": name, "arguments": ""}}),
    };
    let text: Vec<char> = arguments.to_string().chars().collect();
    let later = text.chunks(5).map(|piece| {
        let piece: String = piece.iter().collect();
        match style {
            CallStyle::Repeating => json!({"index": index, "id": id(index), "type": "function",
                "function": {"name": name, "arguments": piece}}),
            CallStyle::EmptyLater => json!({"index": index, "id": "", "type": null,
                "function": {"name": "", "arguments": piece}}),
            _ => json!({"index": shown_index, "function": {"arguments": piece}}),
        }
    });
    std::iter::once(first).chain(later).collect()
}

fn id(index: usize) -> String {
    format!("call_{index}")
}
