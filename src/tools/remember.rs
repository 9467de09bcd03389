//! The arguments of `remember`, in all the forms in which models and people give them.

use serde_json::Value;

use super::Call;
use super::parse::{Arguments, Misuse};
use crate::memory::Salience;

/// The call with its defaults. Labels and stars at the end of the content, as people type them
/// (`deploys are on Mondays #decision ★★★`), count as tags and salience.
pub(super) fn call(arguments: &Arguments) -> Result<Call, Misuse> {
    let content = arguments.text("content")?;
    let (content, mut typed, stars) = split_marks(&content);
    let mut tags = match arguments.values.get("tags") {
        None | Some(Value::Null) => Vec::new(),
        Some(value) => {
            tags(value).ok_or_else(|| arguments.bad("tags", "list of words like [\"decision\"]"))?
        }
    };
    tags.append(&mut typed);
    let salience = match arguments.values.get("salience") {
        None | Some(Value::Null) => stars,
        Some(value) => {
            let bad = || arguments.bad("salience", "number from 1 to 3");
            Some(salience(value).ok_or_else(bad)?)
        }
    };
    let (content, salience) = (content.to_owned(), salience.unwrap_or_default());
    Ok(Call::Remember { content, tags, salience })
}

/// Tags as a list, as a list written into a string, or as words with commas or `#` between them.
fn tags(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.iter().map(|value| value.as_str().map(tidy)).collect(),
        Value::String(text) if text.trim_start().starts_with('[') => {
            let list: Vec<String> = serde_json::from_str(text).ok()?;
            Some(list.iter().map(|tag| tidy(tag)).collect())
        }
        Value::String(text) => Some(text.split([',', '#']).map(tidy).collect()),
        _ => None,
    }
    .map(|tags: Vec<String>| tags.into_iter().filter(|tag| !tag.is_empty()).collect())
}

/// A tag is one word: "root cause" becomes `root-cause`.
fn tidy(tag: &str) -> String {
    let words: Vec<&str> = tag.trim().trim_start_matches('#').split_whitespace().collect();
    words.join("-")
}

/// A salience as a number, as digits or as stars.
fn salience(value: &Value) -> Option<Salience> {
    let number = match value {
        Value::String(text) => {
            return stars(text.trim()).or_else(|| Salience::new(text.trim().parse().ok()?).ok());
        }
        value => value.as_f64()?,
    };
    (number.fract() == 0.0 && number >= 0.0).then(|| Salience::new(number as u64).ok())?
}

/// The salience that one to three stars stand for; hollow ones behind them do not count.
fn stars(text: &str) -> Option<Salience> {
    let full = text.trim_end_matches('☆');
    full.chars().all(|c| c == '★').then(|| Salience::new(full.chars().count() as u64).ok())?
}

/// Splits labels and stars from the end of a text; the first word always stays.
fn split_marks(text: &str) -> (&str, Vec<String>, Option<Salience>) {
    let (mut rest, mut tags, mut salience) = (text, Vec::new(), None);
    while let Some((before, last)) = rest.rsplit_once(char::is_whitespace) {
        let label = last.strip_prefix('#').filter(|label| label.starts_with(char::is_alphabetic));
        match (label, stars(last)) {
            (Some(label), _) => tags.insert(0, label.to_owned()),
            (None, Some(stars)) if salience.is_none() => salience = Some(stars),
            _ => break,
        }
        rest = before.trim_end();
    }
    (rest, tags, salience)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn remembered(arguments: &str) -> (String, Vec<String>, u8) {
        match parse("remember", arguments) {
            Ok(Call::Remember { content, tags, salience }) => (content, tags, salience.get()),
            other => panic!("{arguments}: {other:?}"),
        }
    }

    #[test]
    fn tags_and_salience_come_in_many_forms() {
        for (arguments, tags, salience) in [
            (r#"{"content":"x y"}"#, vec![], 2),
            (r#"{"content":"x y","tags":null,"salience":null}"#, vec![], 2),
            (r##"{"content":"x y","tags":["a","#B"," "],"salience":3}"##, vec!["a", "B"], 3),
            (
                r#"{"content":"x y","tags":"a, root cause","salience":"1"}"#,
                vec!["a", "root-cause"],
                1,
            ),
            (r##"{"content":"x y","tags":"#a #b","salience":"★★★"}"##, vec!["a", "b"], 3),
            (r#"{"content":"x y","tags":"[\"a\",\"b\"]","salience":1.0}"#, vec!["a", "b"], 1),
            (r#"{"content":"x y","salience":"★☆☆"}"#, vec![], 1),
            (r#"{"content":"x y #a #b ★★★"}"#, vec!["a", "b"], 3),
            (r#"{"content":"x y ★ #b","tags":["a"],"salience":2}"#, vec!["a", "b"], 2),
        ] {
            let expected =
                ("x y".to_owned(), tags.into_iter().map(str::to_owned).collect(), salience);
            assert_eq!(remembered(arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn a_number_sign_inside_a_sentence_is_no_tag() {
        for text in ["see issue #12", "#first", "C # is a language", "★★"] {
            let arguments = serde_json::json!({ "content": text }).to_string();
            assert_eq!(remembered(&arguments), (text.to_owned(), Vec::new(), 2), "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (arguments, expected) in [
            ("{}", "needs the argument 'content', a string"),
            (r#"{"content":" "}"#, "'content'"),
            (r#"{"content":"x","salience":0}"#, "'salience', a number from 1 to 3"),
            (r#"{"content":"x","salience":2.5}"#, "'salience'"),
            (r#"{"content":"x","salience":-1}"#, "'salience'"),
            (r#"{"content":"x","salience":"★★★★"}"#, "'salience'"),
            (r#"{"content":"x","salience":"high"}"#, "'salience'"),
            (r#"{"content":"x","tags":{"a":1}}"#, "'tags', a list of words"),
            (r#"{"content":"x","tags":[["a"]]}"#, "'tags'"),
            (r#"{"content":"x","tags":"[1"}"#, "'tags'"),
        ] {
            let error = parse("remember", arguments).unwrap_err().to_string();
            assert!(error.contains(expected), "{arguments}: {error}");
        }
    }

    #[test]
    fn the_statistics_take_no_arguments() {
        assert_eq!(parse("working_memory_stats", ""), Ok(Call::WorkingMemoryStats));
    }
}
