//! What a server refuses in a request, and how a refusal says so.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::Value;

use super::Request;
use crate::counted::grouped;
use crate::lock::locked;

/// A field that some servers refuse and that a request can do without, or that some want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// The wish for the usage, in Chat Completions.
    StreamOptions,
    ToolChoice,
    Temperature,
    /// The most tokens of the answer.
    MaxTokens,
    /// The older name for it, which some servers take no more.
    OldLimit,
    Tools,
    /// How hard to think.
    Effort,
    /// The word for it that says not to think.
    NoEffort,
    /// Thinking itself.
    Thinking,
    /// Thinking that goes back though nobody signed it.
    UnsignedThinking,
    /// Thinking that goes back, signed or not.
    Thoughts,
    /// A budget for thinking, which models that decide it themselves take no more.
    ThinkingBudget,
    /// Rules that stand in a message of their own, which no one says.
    SystemRole,
    /// An answer in pieces.
    Stream,
    /// The word that says not to think, which is sent to servers that take tools only with it.
    NoThinking,
    /// The wish to see a summary of the reasoning.
    ReasoningSummary,
    /// The wish for the sealed reasoning, to send it back.
    SealedReasoning,
    /// The name under which the server keeps the beginnings of our prompts.
    CacheKey,
    /// The marks up to which it keeps them.
    CacheMarks,
    /// The wish that it keeps them for an hour.
    CacheHour,
    /// The empty reasoning of an answer without any, which is sent to servers that want it back.
    EmptyReasoning,
}

impl Field {
    const COUNT: usize = Self::EmptyReasoning as usize + 1;

    /// What leaving it out means, or sending it, for people.
    pub(crate) fn notice(self) -> &'static str {
        match self {
            Self::StreamOptions => {
                "The server takes no stream_options, so it may not say how many tokens it used."
            }
            Self::ToolChoice => {
                "The server takes no tool_choice, so it cannot be told to answer without tools."
            }
            Self::Temperature => "The server takes no temperature, so it uses its own.",
            Self::MaxTokens => "The server takes no limit for the answer, so it uses its own.",
            Self::OldLimit => "The model takes the limit of its answer under its newer name alone.",
            Self::Tools => {
                "The server takes no tools, so the model cannot open or close efforts itself; use \
                 the slash commands."
            }
            Self::Effort | Self::NoEffort => {
                "The model takes no effort, so it thinks as much as it likes."
            }
            Self::Thinking => "The model does not think before it answers, so it answers at once.",
            Self::ThinkingBudget => {
                "The model decides by itself how long it thinks, so it is told only how hard."
            }
            Self::SystemRole => {
                "The model takes no system prompt, so its rules stand before the first message of the chat."
            }
            Self::Stream => {
                "The server does not send answers in pieces, so each is shown when it is complete."
            }
            Self::UnsignedThinking | Self::Thoughts => {
                "The server does not take back what the model thought, so the model thinks anew after each \
                 tool call."
            }
            Self::NoThinking => {
                "Over this protocol the model takes tools only without thinking, so it answers without."
            }
            Self::ReasoningSummary => "The server does not show what the model thinks.",
            Self::SealedReasoning => {
                "The server does not hand out the model's reasoning, so the model thinks anew after each \
                 tool call."
            }
            Self::EmptyReasoning => {
                "The server wants reasoning back with each tool call, so an empty one is sent where it gave none."
            }
            Self::CacheHour => {
                "The server cannot be asked to keep what it has read for an hour, so it reads the whole prompt anew after \
                 a pause of some minutes; `/set cache_lifetime 300` reckons with that."
            }
            Self::CacheKey | Self::CacheMarks => {
                "The server takes no marks for its cache, so it may read the whole prompt anew each time."
            }
        }
    }
}

/// What is told where a server takes no answer as long as was asked for.
pub(crate) fn shorter(most: u64) -> String {
    format!("The model takes no limit as high for its answer, so it is {} tokens.", grouped(most))
}

/// What is told where the prompt leaves less of a context than was asked for.
pub(crate) fn shorter_beside(room: Room, left: u64) -> String {
    format!(
        "Prompt and answer share {} tokens, so the answer may have {}.",
        grouped(room.context),
        grouped(left)
    )
}

/// The fields that a server refused for a model; for [`Field::NoThinking`] and [`Field::EmptyReasoning`], that it wants
/// them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Omitted {
    fields: [bool; Field::COUNT],
    /// The most tokens that an answer may be asked for with.
    most: Option<u64>,
    /// What is known of the room for one.
    room: Option<Room>,
}

/// The room for an answer in a context, as it was told of a request that left too little of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    /// Tokens of prompt and answer together.
    pub(crate) context: u64,
    /// Tokens of the request, as the server counts them.
    pub(crate) prompt: u64,
    /// Bytes of the request.
    pub(crate) bytes: u64,
}

impl Room {
    /// An answer that is no shorter is worth to be asked for, whatever the context is.
    pub(crate) const LEAST: u64 = 256;

    /// Tokens that a request of so many bytes leaves, where that may have some more tokens than its bytes tell.
    pub(crate) fn left(self, bytes: u64) -> u64 {
        const MORE: [u128; 2] = [33, 32];
        let prompt = u128::from(self.prompt) * u128::from(bytes) * MORE[0];
        let prompt = prompt.div_ceil(u128::from(self.bytes.max(1)) * MORE[1]);
        self.context.saturating_sub(u64::try_from(prompt).unwrap_or(u64::MAX))
    }
}

impl Omitted {
    /// The same with one more.
    pub(crate) fn with(mut self, field: Field) -> Self {
        self.fields[field as usize] = true;
        self
    }

    /// The same, with an answer of so many tokens at most.
    pub(crate) fn up_to(self, most: u64) -> Self {
        Self { most: Some(most), ..self }
    }

    /// The same, with what is known of the room for an answer.
    pub(crate) fn within(self, room: Room) -> Self {
        Self { room: Some(room), ..self }
    }

    /// Whether it is among them.
    pub(crate) fn has(self, field: Field) -> bool {
        self.fields[field as usize]
    }

    /// The most tokens that an answer to a request may be asked for with, as far as refusals told.
    pub(crate) fn most(self, request: &Request) -> u64 {
        let left = self.room.map(|room| room.left(request.bytes()).max(Room::LEAST));
        self.most.unwrap_or(u64::MAX).min(left.unwrap_or(u64::MAX))
    }
}

/// What was refused for each model: what one does not know, another may.
#[derive(Debug, Default)]
pub(crate) struct Refused(Mutex<HashMap<String, Omitted>>);

impl Refused {
    /// What is known to be refused for a model.
    pub(crate) fn by(&self, model: &str) -> Omitted {
        let known = locked(&self.0);
        known.get(model).copied().unwrap_or_default()
    }

    /// Remembers what to leave out. What another request learned meanwhile is learned again.
    pub(crate) fn remember(&self, model: &str, omitted: Omitted) {
        if omitted != Omitted::default() {
            let mut known = locked(&self.0);
            known.insert(model.to_owned(), omitted);
        }
    }
}

/// A field of a protocol: what it is called there, as a path in the body, and other words by which servers name it.
pub(crate) struct Named(
    pub(crate) Field,
    pub(crate) &'static str,
    pub(crate) &'static [&'static str],
);

impl Named {
    fn is_in(&self, body: &Value) -> bool {
        let place = format!("/{}", self.1.replace('.', "/"));
        // Marks stand deep inside; looking for them is for refusals only.
        let key = || format!("\"{}\":", self.1);
        body.pointer(&place).is_some() || self.is_deep() && body.to_string().contains(&key())
    }

    fn is_deep(&self) -> bool {
        matches!(self.0, Field::CacheMarks | Field::CacheHour)
    }

    fn is_named_in(&self, refusal: &str) -> bool {
        let deep = self.0 == Field::CacheMarks && refusal.contains(self.1);
        deep || names_word(refusal, self.1) || self.2.iter().any(|phrase| refusal.contains(phrase))
    }
}

/// The first of the fields that is in the body and that the refusal names, if the request can go out without it.
pub(crate) fn refused_field(fields: &[Named], body: &Value, refusal: &str) -> Option<Field> {
    let refusal = refusal.to_lowercase();
    if body["stream"] == true && refuses_stream(&refusal) {
        return Some(Field::Stream);
    }
    let refused = |named: &&Named| named.is_in(body) && named.is_named_in(&refusal);
    let found = fields.iter().filter(refused).map(|named| named.0);
    let mut found = found.filter(|field| *field != Field::Tools || says_without(&refusal));
    found.next()
}

/// Whether a refusal, in lower case, says that an answer may not come in pieces.
fn refuses_stream(refusal: &str) -> bool {
    let names = names_word(refusal, "stream") || names_word(refusal, "streaming");
    let says = [
        "support",
        "not allowed",
        "not permitted",
        "not available",
        "not enabled",
        "verified",
        "must be false",
    ];
    names && says.iter().any(|words| refusal.contains(words))
}

/// Whether a refusal that names something says that there may be none of it, and not that something about it, or
/// beside it, is wrong.
pub(crate) fn says_without(refusal: &str) -> bool {
    const WITHOUT: [&str; 15] = [
        "not support",
        "unsupported",
        "n't support",
        "not permitted",
        "not allowed",
        "unknown",
        "unrecognized",
        "unexpected",
        "extra inputs",
        "no endpoints",
        "requires --",
        "require --",
        "not available",
        "not enabled",
        "not implemented",
    ];
    WITHOUT.iter().any(|words| refusal.contains(words))
}

/// Whether the word occurs and is not part of a longer one, nor the beginning of a place below it, as in
/// `tools[0].function`.
pub(crate) fn names_word(text: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let after = &text[at + word.len()..];
        let below = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(part_of_word));
        let goes_on = below || after.starts_with('[') || after.starts_with(part_of_word);
        !goes_on && !text[..at].ends_with(part_of_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Message, Purpose, Role};

    #[test]
    fn an_answer_gets_what_its_request_leaves_of_the_context() {
        let of = |bytes: usize| {
            let said = vec![Message::text(Role::User, "a".repeat(bytes))];
            Request::plain(Purpose::Chat, said)
        };
        let room = Room { context: 12_000, prompt: 6_500, bytes: 26_000 };
        let omitted = Omitted::default().within(room);
        assert_eq!(omitted.most(&of(26_000)), 5_296);
        assert_eq!(omitted.most(&of(13_000)), 8_648);
        assert_eq!(omitted.most(&of(60_000)), Room::LEAST);
        assert_eq!(omitted.up_to(1_000).most(&of(13_000)), 1_000);
        assert_eq!(Omitted::default().most(&of(1)), u64::MAX);
    }
}
