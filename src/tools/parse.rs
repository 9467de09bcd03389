//! From what a model sent to a call that can run.

use serde_json::{Map, Value};

use super::{Call, Kind, Parameter, ToolSpec, find, specs};

/// Words in a list.
const MOST_WORDS: usize = 50;

/// What a list of words must be that has more of them than fit.
const FEW_WORDS: &str = "list of at most 50 words";

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

/// Two numbers are no longer, in bytes.
const LONGEST_RANGE: usize = 64;

/// Parses a call as a model made it. Arguments that the tool does not know are ignored; a number where
/// a text belongs is taken as text, because models send ids such as 42 that way.
///
/// # Errors
/// Every mistake is one that the model can be told about and mend.
pub fn parse(name: &str, arguments: &str) -> Result<Call, Misuse> {
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let Some(spec) = find(name) else {
        let tools: Vec<&str> = specs().iter().map(|spec| spec.name).collect();
        let name = name.chars().take(60).collect();
        return Err(Misuse::UnknownTool { name, tools: tools.join(", ") });
    };
    Arguments::new(spec, object(spec, arguments)?).call()
}

fn object(spec: &'static ToolSpec, arguments: &str) -> Result<Map<String, Value>, Misuse> {
    if matches!(arguments.trim(), "" | "null") {
        return Ok(Map::new());
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(Misuse::NoObject { tool: spec.name, example: example(spec) }),
        Err(error) => Err(Misuse::BrokenJson { tool: spec.name, problem: error.to_string() }),
    }
}

/// The arguments of a call as they came.
#[derive(Debug)]
pub struct Arguments {
    spec: &'static ToolSpec,
    values: Map<String, Value>,
}

impl Arguments {
    pub(super) fn new(spec: &'static ToolSpec, values: Map<String, Value>) -> Self {
        Self { spec, values }
    }

    pub(super) fn call(&self) -> Result<Call, Misuse> {
        (self.spec.call)(self)
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
            (Some(first), Some(last)) if first <= last => Ok(Some((first, last))),
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
        number.filter(|&number| number > 0).ok_or_else(|| self.bad(argument, "number from 1"))
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
        let longest = match self.spec.parameter(argument).map(|parameter| parameter.kind) {
            Some(Kind::Text(longest) | Kind::Words(longest)) => longest,
            Some(Kind::Range) => LONGEST_RANGE,
            Some(Kind::Number | Kind::Stars) | None => 0,
        };
        if text.len() > longest {
            let (tool, length) = (self.spec.name, text.len());
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

    fn bad(&self, argument: &'static str, kind: &'static str) -> Misuse {
        let wanted = self.spec.parameter(argument).map_or("", |parameter| parameter.wanted);
        let example = example(self.spec);
        Misuse::BadArgument { tool: self.spec.name, argument, kind, wanted, example }
    }
}

fn example(spec: &ToolSpec) -> String {
    let required = spec.parameters.iter().filter(|parameter| parameter.required);
    let sample = |parameter: &Parameter| (parameter.name.to_owned(), parameter.sample.into());
    Value::Object(required.map(sample).collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_parses_from_its_own_example() {
        for spec in specs() {
            assert!(parse(spec.name, &example(spec)).is_ok(), "{}", spec.name);
        }
    }

    #[test]
    fn mistakes_are_named_with_a_way_out() {
        for (name, arguments, expected) in [
            ("make_tea", "{}", "there is no tool 'make_tea'; the tools are: open_effort"),
            ("open_effort", "{", "not valid JSON"),
            ("open_effort", "[1]", r#"must be a JSON object like {"name":"auth-bug"}"#),
            ("open_effort", "{}", "needs the argument 'name', a string"),
            ("open_effort", r#"{"name":["x"]}"#, "needs the argument 'name'"),
            ("effort_status", r#"{"page":0}"#, "'page', a number from 1"),
            ("remember", "{}", r#"call it like {"content":"The code freeze is on Friday."}"#),
            ("remember", r#"{"content":"x","tags":[1]}"#, "'tags', a list of words"),
            ("remember", r#"{"content":"x","salience":"high"}"#, "'salience', a number from 1"),
        ] {
            let error = parse(name, arguments).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn each_text_has_its_bound_and_what_is_longer_is_told_so() {
        for spec in specs() {
            for parameter in spec.parameters {
                let Kind::Text(longest) = parameter.kind else { continue };
                let with = |length: usize| {
                    let mut arguments: Map<String, Value> =
                        serde_json::from_str(&example(spec)).unwrap();
                    arguments.insert(parameter.name.to_owned(), "x".repeat(length).into());
                    parse(spec.name, &Value::Object(arguments).to_string())
                };
                assert!(with(longest).is_ok(), "{} {}", spec.name, parameter.name);
                let error = with(longest + 1).unwrap_err().to_string();
                assert!(error.contains(parameter.name) && error.contains("too long"), "{error}");
            }
        }
        let many = format!(r#"{{"content":"x","tags":"{}"}}"#, "t,".repeat(51));
        assert!(parse("remember", &many).unwrap_err().to_string().contains(FEW_WORDS));
        let long = format!(r#"{{"content":"x","tags":["{}"]}}"#, "t".repeat(1_001));
        assert!(matches!(parse("remember", &long), Err(Misuse::TooLong { .. })));
    }

    #[test]
    fn tags_and_stars_are_taken_in_each_form_that_models_send() {
        for (tags, salience) in [
            (r#"["session","insight"]"#, "3"),
            (r#""session, insight""#, r#""★★★""#),
            (r#"["session","insight",""]"#, r#""3""#),
        ] {
            let arguments = format!(r#"{{"content":"x","tags":{tags},"salience":{salience}}}"#);
            let Ok(Call::Remember { tags, salience, .. }) = parse("remember", &arguments) else {
                panic!("{arguments} is understood");
            };
            let tags: Vec<&str> = tags.iter().map(|tag| tag.trim()).collect();
            assert_eq!((tags, salience), (vec!["session", "insight"], Some(3)));
        }
    }

    #[test]
    fn a_numeric_id_is_taken_as_text_and_empty_arguments_as_none() {
        assert_eq!(
            parse("expand_effort", r#"{"id":42,"why":"x"}"#),
            Ok(Call::ExpandEffort { id: "42".into(), messages: None })
        );
        for arguments in ["", "null", " {} ", r#"{"id":null}"#, r#"{"id":""}"#] {
            assert_eq!(parse("close_effort", arguments), Ok(Call::CloseEffort { id: None }));
        }
    }
}
