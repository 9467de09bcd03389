//! The arguments of a call, and what may be wrong with them.

use serde_json::{Map, Value};

use super::parameter::{Kind, Parameter, example};

/// Words in a list.
const MOST_WORDS: usize = 50;

/// What a list of words must be that has more of them than fit.
const FEW_WORDS: &str = "list of at most 50 words";

/// No page, chunk or message has a greater number: whoever reckons with one must not run over.
const GREATEST: u64 = 1_000_000_000;

/// What a number must be that is greater.
const SMALL_NUMBER: &str = "number from 1 to 1000000000";

/// Two numbers are no longer, in bytes.
const LONGEST_RANGE: usize = 64;

/// A call that makes no sense. The text goes back to the model and says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// No tool has that name.
    #[error("there is no tool '{name}'; the tools are: {tools}")]
    UnknownTool {
        /// The name, shortened.
        name: String,
        /// The names that exist.
        tools: String,
    },
    /// The arguments are no JSON.
    #[error("the arguments of {tool} are not valid JSON ({problem}); send the call again")]
    BrokenJson {
        /// The tool.
        tool: &'static str,
        /// The parser's words.
        problem: String,
    },
    /// The arguments are JSON, but no object.
    #[error("the arguments of {tool} must be a JSON object like {example}")]
    NoObject {
        /// The tool.
        tool: &'static str,
        /// What they look like.
        example: String,
    },
    /// A required argument is missing or of the wrong type.
    #[error("{tool} needs the argument '{argument}', a {kind}: call it like {example}")]
    BadArgument {
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: &'static str,
        /// Its type.
        kind: &'static str,
        /// The same for a person.
        wanted: &'static str,
        /// What a good call looks like.
        example: String,
    },
    /// An argument is longer than anything that it is for.
    #[error(
        "the argument '{argument}' of {tool} is too long: {length} bytes, of which {longest} fit; shorten \
         it, or keep a long text with scratchpad_save"
    )]
    TooLong {
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: &'static str,
        /// Its length in bytes.
        length: usize,
        /// What fits.
        longest: usize,
    },
}

/// The arguments of a call as they came.
#[derive(Debug)]
pub struct Arguments {
    tool: &'static str,
    parameters: &'static [Parameter],
    values: Map<String, Value>,
}

impl Arguments {
    /// Those of a call of a tool, which has these parameters.
    pub(super) fn new(
        tool: &'static str,
        parameters: &'static [Parameter],
        values: Map<String, Value>,
    ) -> Self {
        Self { tool, parameters, values }
    }

    /// A text that is needed.
    pub(super) fn text(&self, argument: &'static str) -> Result<String, Misuse> {
        self.optional_text(argument)?.ok_or_else(|| self.bad(argument, "string"))
    }

    /// A text that may be left out.
    pub(super) fn optional_text(&self, argument: &'static str) -> Result<Option<String>, Misuse> {
        match self.values.get(argument) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => self.bounded(argument, text.trim()).map(Some),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(self.bad(argument, "string")),
        }
    }

    /// The first and the last of some messages, counted from 1: `3-9`, or one number.
    pub(super) fn range(&self, argument: &'static str) -> Result<Option<(u64, u64)>, Misuse> {
        let Some(text) = self.optional_text(argument)? else { return Ok(None) };
        let (first, last) = text.split_once(['-', '–']).unwrap_or((&text, &text));
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
        match (number(first), number(last)) {
            (Some(first), Some(_)) if first > GREATEST => Err(self.bad(argument, SMALL_NUMBER)),
            // A great one stands for the end.
            (Some(first), Some(last)) if first <= last => Ok(Some((first, last.min(GREATEST)))),
            _ => Err(self.bad(argument, "range such as 3-9")),
        }
    }

    /// The page, 1 if none was given.
    pub(super) fn page(&self) -> Result<usize, Misuse> {
        let page = self.counted("page")?;
        usize::try_from(page).map_err(|_| self.bad("page", "number from 1"))
    }

    /// A number from 1, which is meant if none was given.
    pub(super) fn counted(&self, argument: &'static str) -> Result<u64, Misuse> {
        let number = match self.values.get(argument) {
            None | Some(Value::Null) => Some(1),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(value) => value.as_u64(),
        };
        match number {
            Some(number) if number > GREATEST => Err(self.bad(argument, SMALL_NUMBER)),
            Some(number) if number > 0 => Ok(number),
            _ => Err(self.bad(argument, "number from 1")),
        }
    }

    /// A list of words; models send lists also as one text with commas.
    pub(super) fn words(&self, argument: &'static str) -> Result<Vec<String>, Misuse> {
        let bad = || self.bad(argument, "list of words");
        let word = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(bad);
        let words: Vec<String> = match self.values.get(argument) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
            Some(Value::Array(items)) => items.iter().map(word).collect::<Result<_, _>>()?,
            Some(_) => return Err(bad()),
        };
        let words = words.into_iter().filter(|word| !word.trim().is_empty());
        let words: Vec<String> =
            words.map(|word| self.bounded(argument, &word)).collect::<Result<_, _>>()?;
        if words.len() > MOST_WORDS { Err(self.bad(argument, FEW_WORDS)) } else { Ok(words) }
    }

    /// A text of a length that the argument may have.
    fn bounded(&self, argument: &'static str, text: &str) -> Result<String, Misuse> {
        let longest = match self.parameter(argument).map(|parameter| parameter.kind) {
            Some(Kind::Text(longest) | Kind::Words(longest)) => longest,
            Some(Kind::Range) => LONGEST_RANGE,
            Some(Kind::Number | Kind::Stars) | None => 0,
        };
        if text.len() > longest {
            let (tool, length) = (self.tool, text.len());
            return Err(Misuse::TooLong { tool, argument, length, longest });
        }
        Ok(text.to_owned())
    }

    /// A number of stars, also drawn as such: `★★`.
    pub(super) fn stars(&self, argument: &'static str) -> Result<Option<u64>, Misuse> {
        let drawn = |text: &str| {
            let all = !text.is_empty() && text.chars().all(|sign| "★*".contains(sign));
            all.then(|| text.chars().count() as u64)
        };
        match self.values.get(argument) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::String(text)) => {
                let text = text.trim();
                drawn(text).or_else(|| text.parse().ok())
            }
            Some(value) => value.as_u64(),
        }
        .map(Some)
        .ok_or_else(|| self.bad(argument, "number from 1 to 3"))
    }

    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    fn bad(&self, argument: &'static str, kind: &'static str) -> Misuse {
        let wanted = self.parameter(argument).map_or("", |parameter| parameter.wanted);
        let example = example(self.parameters);
        Misuse::BadArgument { tool: self.tool, argument, kind, wanted, example }
    }
}
