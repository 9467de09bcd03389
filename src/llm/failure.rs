//! Reads what servers say when a request failed, in the many shapes in which they say it.

pub(super) mod takes;

use serde_json::Value;

use super::error::StatusKind;
use crate::escapes::visible;
use crate::lines::one_line;

/// The longest explanation shown to a person, in characters.
const LONGEST: usize = 300;

/// A failure as the server told it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The explanation, as it came.
    pub(crate) message: String,
    /// Codes and types beside it, in lower case.
    pub(crate) codes: String,
    /// A status inside the body, where there is one.
    pub(crate) status: Option<u16>,
    /// Tokens that the model takes, if that is what it is about.
    pub(crate) takes: Option<u64>,
}

impl Report {
    /// Reads the body of a failed request, which may be JSON, text or a web page.
    pub(crate) fn of_body(body: &str) -> Self {
        if let Ok(value) = serde_json::from_str::<Value>(body.trim()) {
            return Self::of_value(&value);
        }
        // In a page signs are no words.
        let is_page = body.trim_start().starts_with('<');
        let takes = if is_page { None } else { takes::in_words(body) };
        Self { message: body.to_owned(), takes, ..Self::default() }
    }

    /// Reads a JSON value that is known to be an error.
    pub(crate) fn of_value(value: &Value) -> Self {
        let message = explain(value, 0).unwrap_or_else(|| value.to_string());
        let takes = takes::in_value(value).or_else(|| takes::in_words(&message));
        Self { message, codes: codes(value), status: status(value), takes }
    }

    /// The error in a chunk or body that came with a success status, if there is one.
    pub(crate) fn in_success(value: &Value) -> Option<Self> {
        let named = ["/error", "/choices/0/error", "/0/error"];
        let named = named.iter().filter_map(|place| value.pointer(place)).any(is_something);
        let wrapped_in_nothing = value.get("choices").is_none()
            && (value.get("object").and_then(Value::as_str) == Some("error")
                || value.get("detail").is_some_and(is_something)
                || value.get("message").is_some_and(is_something));
        (named || wrapped_in_nothing).then(|| {
            // Beside choices only the error itself speaks of the failure.
            let error = ["/error", "/choices/0/error"]
                .iter()
                .find_map(|place| value.pointer(place).filter(|error| is_something(error)));
            Self::of_value(error.unwrap_or(value))
        })
    }

    /// The status that its code or type stands for, where a protocol names its errors.
    pub(crate) fn named_status(&self) -> Option<u16> {
        const NAMED: [(&str, u16); 12] = [
            ("overloaded", 529),
            ("insufficient_quota", 429),
            ("rate_limit", 429),
            ("authentication", 401),
            ("billing", 402),
            ("permission", 403),
            ("not_found", 404),
            ("too_large", 413),
            ("timeout", 504),
            ("api_error", 500),
            ("server_error", 500),
            ("invalid_request", 400),
        ];
        NAMED.iter().find(|(name, _)| self.codes.contains(name)).map(|(_, status)| *status)
    }

    /// Whether what is missing is a model, such as this one, and not the address.
    pub(crate) fn is_about(&self, model: &str) -> bool {
        let words = format!("{} {}", self.message, self.codes).to_lowercase();
        let named = !model.is_empty() && words.contains(&model.to_lowercase());
        named || ["model", "endpoints", "deployment"].iter().any(|word| words.contains(word))
    }

    /// What kind of failure this is inside an answer, where there is no status.
    pub(crate) fn kind_in_stream(&self) -> StatusKind {
        let words = self.message.to_lowercase();
        let passes = PER_MINUTE.iter().any(|phrase| words.contains(phrase));
        match self.kind(200) {
            StatusKind::Refused if words.contains("quota") && !passes => StatusKind::Quota,
            kind => kind,
        }
    }

    /// What kind of failure this is, at an HTTP status.
    pub(crate) fn kind(&self, status: u16) -> StatusKind {
        let words = format!("{} {}", self.message.to_lowercase(), self.codes);
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
        if says(&["tool_use_failed"]) {
            return StatusKind::Slip;
        }
        if says(&NO_CHAT) {
            return StatusKind::NoChat;
        }
        if says(&["try pulling it first"]) {
            return StatusKind::NotPulled;
        }
        if status == 503 && says(&["loading model"]) {
            return StatusKind::Loading;
        }
        // More in one request than a minute allows does not pass with the minute.
        if status == 413 || says(&TOO_LONG) {
            return StatusKind::TooLong;
        }
        // A number that the request had more of, whatever the server calls it.
        let is_refused = matches!(status, 200 | 400 | 422) && !says(&PER_MINUTE);
        // A sum of both is one of the request as well.
        let is_of_request = !says(&OF_ANSWER) || words.contains(" + ");
        let says_what = says(&REQUEST) && says(&["token", "context"]) && says(&MORE);
        if is_refused && self.takes.is_some() && says_what && is_of_request {
            return StatusKind::TooLong;
        }
        if status == 429 && says(&PER_MINUTE) {
            return StatusKind::RateLimit;
        }
        if status == 402 || says(&QUOTA) {
            return StatusKind::Quota;
        }
        match status {
            401 => StatusKind::Key,
            407 => StatusKind::Proxy,
            403 if !says(&["moderation", "flagged"]) => StatusKind::Key,
            400 if says(&KEY) => StatusKind::Key,
            404 => StatusKind::NotFound,
            400 | 422 if says(&["model_not_found"]) => StatusKind::NotFound,
            429 => StatusKind::RateLimit,
            408 | 500..=599 => StatusKind::Server,
            300..=399 => StatusKind::Moved,
            _ => StatusKind::Refused,
        }
    }
}

const QUOTA: [&str; 8] = [
    "insufficient_quota",
    "insufficient balance",
    "insufficient credit",
    "exceeded your current quota",
    "exceeded_current_quota",
    "credit balance is too low",
    "arrearage",
    "overdue-payment",
];

/// A model that is there and does not chat.
const NO_CHAT: [&str; 6] = [
    "does not support chat",
    "not a chat model",
    "not allowed to sample from this model",
    "does not support completions",
    "is not supported for generatecontent",
    "embedding model",
];

/// Limits that pass while one waits, though some servers call them a quota.
const PER_MINUTE: [&str; 7] =
    ["per minute", "per-minute", "perminute", "per min", "(tpm)", "(rpm)", "rpm rate limit"];

const TOO_LONG: [&str; 20] = [
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context length",
    "context window",
    "context size",
    "exceed context limit",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input token count",
    "maximum number of tokens allowed",
    "maximum prompt length",
    "maximum model length",
    "prompt exceeds max length",
    "exceeded model token limit",
    "range of input length",
    "request_too_large",
    "request too large for",
    "reduce the length of the messages",
];

/// What a request is called that has too many tokens.
const REQUEST: [&str; 3] = ["input", "prompt", "tokens in the messages"];

/// How it is said that there are more than there may be.
const MORE: [&str; 11] = [
    "exceed",
    "too long",
    "too large",
    "too many",
    "longer than",
    "larger than",
    "greater than",
    "must be <=",
    "less than",
    "fewer than",
    "supports up to",
];

/// Limits that are none of the request, but of the answer that is asked for.
const OF_ANSWER: [&str; 5] =
    ["max_tokens", "maxtokens", "max_new_tokens", "max_completion_tokens", "max_output_tokens"];

const KEY: [&str; 6] = [
    "invalid_api_key",
    "incorrect api key",
    "invalid api key",
    "api key not valid",
    "no api key",
    "no connected db",
];

/// Makes server text fit to show: one line, without markup and control characters, not too long.
pub(crate) fn presentable(text: &str) -> String {
    let text =
        if text.trim_start().starts_with('<') { without_markup(text) } else { text.to_owned() };
    let mut line = one_line(&visible(&text));
    // Whoever puts it into a sentence ends that.
    if line.ends_with('.') && !line.ends_with("..") {
        line.pop();
    }
    if let Some((cut, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

/// The title of a web page, or else its text without tags.
fn without_markup(page: &str) -> String {
    let title = page
        .split_once("<title>")
        .and_then(|(_, after)| after.split_once("</title>"))
        .map(|(title, _)| title.trim())
        .filter(|title| !title.is_empty());
    if let Some(title) = title {
        return title.to_owned();
    }
    page.split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// The words for people in an error of any shape.
fn explain(value: &Value, depth: u8) -> Option<String> {
    if depth > 8 {
        return None;
    }
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(entries) => {
            let all: Vec<String> =
                entries.iter().take(5).filter_map(|entry| explain(entry, depth + 1)).collect();
            (!all.is_empty()).then(|| all.join("; "))
        }
        Value::Object(map) => {
            let keys = ["error", "message", "detail", "details", "msg", "errors"];
            let said = keys.iter().find_map(|key| explain(map.get(*key)?, depth + 1))?;
            let raw = value.pointer("/metadata/raw").and_then(Value::as_str).map(explain_text);
            let place = map.get("loc").map(location).or_else(|| {
                let param = map.get("param")?.as_str()?;
                (!said.contains(param) && param != "None").then(|| param.to_owned())
            });
            Some(match (place, raw) {
                (Some(place), _) if !place.is_empty() => format!("{place}: {said}"),
                (_, Some(raw)) => format!("{said}: {raw}"),
                _ => said,
            })
        }
        _ => None,
    }
}

/// The words in a text that may itself be JSON, as the server behind a gateway sent it.
fn explain_text(text: &str) -> String {
    serde_json::from_str(text)
        .ok()
        .and_then(|value: Value| explain(&value, 1))
        .unwrap_or_else(|| text.to_owned())
}

/// A place in the request: `["body", "stream_options"]` becomes `body.stream_options`.
fn location(place: &Value) -> String {
    let parts = place.as_array().map(Vec::as_slice).unwrap_or_default();
    let parts =
        parts.iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
    parts.collect::<Vec<_>>().join(".")
}

fn codes(value: &Value) -> String {
    let places = ["/code", "/type", "/error/code", "/error/type", "/0/error/status"];
    let words = places.iter().filter_map(|place| value.pointer(place)?.as_str().map(str::to_owned));
    let details = ["/error/details", "/0/error/details"];
    let details = details.iter().filter_map(|place| Some(value.pointer(place)?.to_string()));
    words.chain(details).collect::<Vec<_>>().join(" ").to_lowercase()
}

fn status(value: &Value) -> Option<u16> {
    let keys = ["code", "status", "status_code", "raw_status_code"];
    let parents = ["", "/error", "/0/error"];
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    parents
        .iter()
        .flat_map(|parent| keys.iter().map(move |key| format!("{parent}/{key}")))
        .filter_map(|place| number(value.pointer(&place)?))
        .find(|code| (400..600).contains(code))
        .and_then(|code| u16::try_from(code).ok())
}

#[cfg(test)]
mod tests;
