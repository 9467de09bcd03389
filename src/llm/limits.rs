//! What a server may send and how long it may take: the one list of these bounds.
//!
//! A server that is broken, or means harm, must neither fill the memory nor hold the program. Each bound is
//! well above what any model was seen to send. What passes one ends the answer with a sentence: what came
//! before stays, and the rest is not read. Time-outs that a person can set are in [`super::Timeouts`].

use std::fmt;
use std::time::Duration;

use serde_json::Value;

/// A JSON text that is read in one piece, which is an event of a stream or a whole completion, in bytes.
/// Parsed, it takes at worst forty times as much memory.
pub(crate) const PIECE: usize = 8 * MIB;
/// All that is read of one answer, with comments and whatever else surrounds the words, in bytes.
pub(crate) const ANSWER: usize = 256 * MIB;
/// The text of an answer, in bytes: half a million tokens.
pub(crate) const TEXT: usize = 2 * MIB;
/// The reasoning of an answer, as shown and as kept to be sent back, in bytes each.
pub(crate) const REASONING: usize = 4 * MIB;
/// Entries of `reasoning_details` in one answer.
pub(crate) const DETAIL_ENTRIES: usize = 256;
/// Tool calls in one answer. The driver runs fewer.
pub(crate) const CALLS: usize = 256;
/// Pieces in which the calls of one answer come; one a token is usual.
pub(crate) const FRAGMENTS: usize = 128 * 1024;
/// Arguments and all else that the calls of one answer hold, in bytes.
pub(crate) const ARGUMENTS: usize = 2 * MIB;
/// The name of a tool or of a model, in bytes.
pub(crate) const NAME: usize = 256;
/// White space before an answer's first word that may still be followed by a tag, in bytes.
pub(crate) const BLANK: usize = 4096;
/// Halves of characters that wait for their other halves, each under a key of at most as many bytes.
pub(crate) const HALVES: usize = 64;
/// A count of tokens that is believed.
pub(crate) const TOKENS: f64 = 1e9;
/// The text of a failure, in bytes.
pub(crate) const FAILURE: usize = 64 * 1024;
/// A list of models, in bytes.
pub(crate) const MODELS: usize = 4 * MIB;
/// A text's vector, in bytes of JSON: ten thousand numbers.
pub(crate) const VECTOR: usize = 256 * 1024;

/// The vectors of all texts of a request, in bytes of JSON.
pub(crate) const MOST_VECTORS: usize = 64 * MIB;
/// How much of a body is kept to show when it makes no sense, in bytes.
pub(crate) const HEAD: usize = 4096;

/// From a request to the end of its answer, however steadily words come.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(6 * 3600);
/// For the text of a failure, once its status is there.
pub(crate) const FAILURE_TIME: Duration = Duration::from_secs(3);
/// For the usage, once the answer is complete.
pub(crate) const AFTER_FINISH: Duration = Duration::from_secs(2);
/// For the last bytes of a body whose end was announced.
pub(crate) const TAIL: Duration = Duration::from_millis(20);

const MIB: usize = 1024 * 1024;

/// A bound that was passed. Its words say what came, as in "the server sent ...".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// [`PIECE`].
    Piece,
    /// [`ANSWER`].
    Answer,
    /// [`TEXT`].
    Text,
    /// [`REASONING`] or [`DETAIL_ENTRIES`].
    Reasoning,
    /// [`CALLS`].
    Calls,
    /// [`FRAGMENTS`].
    Fragments,
    /// [`ARGUMENTS`].
    Arguments,
    /// [`NAME`].
    Name,
    /// [`MODELS`].
    Models,
    /// [`VECTOR`] for each text, or [`MOST_VECTORS`].
    Vectors,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Piece => write!(f, "more than {} MiB without a break", PIECE / MIB),
            Self::Answer => write!(f, "more than {} MiB for one answer", ANSWER / MIB),
            Self::Text => write!(f, "an answer of more than {} MiB of text", TEXT / MIB),
            Self::Reasoning => write!(f, "more than {} MiB of reasoning", REASONING / MIB),
            Self::Calls => write!(f, "more than {CALLS} tool calls in one answer"),
            Self::Fragments => write!(f, "tool calls in more than {FRAGMENTS} pieces"),
            Self::Arguments => {
                write!(f, "tool calls with more than {} MiB of arguments", ARGUMENTS / MIB)
            }
            Self::Name => write!(f, "a tool call whose name has more than {NAME} bytes"),
            Self::Vectors => write!(f, "more than {} KiB of vectors for each text", VECTOR / 1024),
            Self::Models => write!(f, "more than {} MiB as its list of models", MODELS / MIB),
        }
    }
}

/// About how many bytes a value holds: a bound on what keeping it takes.
pub(crate) fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => 8 + text.len(),
        Value::Array(values) => 8 + values.iter().map(weight).sum::<usize>(),
        Value::Object(map) => {
            8 + map.iter().map(|(key, value)| 8 + key.len() + weight(value)).sum::<usize>()
        }
    }
}
