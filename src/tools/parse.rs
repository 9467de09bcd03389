//! From what a model sent to a call that can run.

use serde_json::{Map, Value};

use super::arguments::Misuse;
use super::parameter::example;
use super::table::{find, specs};
use super::{Call, ToolSpec};

/// Parses a call as a model made it. Arguments that the tool does not know are ignored; a number where
/// a text belongs is taken as text, because models send ids such as 42 that way.
///
/// # Errors
/// Every mistake is one that the model can be told about and mend.
pub fn parse(name: &str, arguments: &str) -> Result<Call, Misuse> {
    let Some(spec) = find(name) else {
        let tools: Vec<&str> = specs().iter().map(|spec| spec.name).collect();
        let name = name.chars().take(60).collect();
        return Err(Misuse::UnknownTool { name, tools: tools.join(", ") });
    };
    spec.call_with(object(spec, arguments)?)
}

fn object(spec: &'static ToolSpec, arguments: &str) -> Result<Map<String, Value>, Misuse> {
    if matches!(arguments.trim(), "" | "null") {
        return Ok(Map::new());
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(Misuse::NoObject { tool: spec.name, example: example(spec.parameters) }),
        Err(error) => Err(Misuse::BrokenJson { tool: spec.name, problem: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Kind;

    #[test]
    fn every_tool_parses_from_its_own_example() {
        for spec in specs() {
            assert!(parse(spec.name, &example(spec.parameters)).is_ok(), "{}", spec.name);
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
            ("effort_status", r#"{"page":18446744073709551615}"#, "a number from 1 to 1000000000"),
            (
                "expand_effort",
                r#"{"id":"x","messages":"18446744073709551615"}"#,
                "a number from 1 to 1000000000",
            ),
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
                        serde_json::from_str(&example(spec.parameters)).unwrap();
                    arguments.insert(parameter.name.to_owned(), "x".repeat(length).into());
                    parse(spec.name, &Value::Object(arguments).to_string())
                };
                assert!(with(longest).is_ok(), "{} {}", spec.name, parameter.name);
                let error = with(longest + 1).unwrap_err().to_string();
                assert!(error.contains(parameter.name) && error.contains("too long"), "{error}");
            }
        }
        let many = format!(r#"{{"content":"x","tags":"{}"}}"#, "t,".repeat(51));
        assert!(
            parse("remember", &many).unwrap_err().to_string().contains("list of at most 50 words")
        );
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
    fn a_great_last_message_stands_for_the_end() {
        let call = parse("expand_effort", r#"{"id":"x","messages":"3-18446744073709551615"}"#);
        let messages = Some((3, 1_000_000_000));
        assert_eq!(call, Ok(Call::ExpandEffort { id: "x".into(), messages }));
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
