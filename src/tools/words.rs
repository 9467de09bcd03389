//! From the words behind a slash command to a call that can run.

use serde_json::{Map, Value};

use super::{Call, Kind, Misuse, Parameter, ToolSpec};

/// Reads what a person wrote. Every text that is needed takes one word, the last one the rest; numbers are
/// named: `page 2`, `messages 3-9`. Where there are labels and stars, words with a # are labels and signs alone are stars:
/// `the code freeze is on Friday #decision ***`.
///
/// # Errors
/// As for a call of a model.
pub fn read(tool: &'static ToolSpec, words: &str) -> Result<Call, Misuse> {
    let mut values = Map::new();
    let mut rest = words.to_owned();
    for parameter in tool.parameters {
        let (value, others) = match parameter.kind {
            Kind::Text(_) => continue,
            Kind::Number => {
                let number = |word: &str| Some(word.parse::<u64>().ok()?.into());
                match named(&rest, parameter.name, number) {
                    // A key is one word: the number behind it needs no name.
                    (Value::Null, text) if texts(tool).iter().all(|one| one.name == "key") => {
                        numbered(&text, number)
                    }
                    found => found,
                }
            }
            Kind::Range => named(&rest, parameter.name, |word| {
                word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.into())
            }),
            Kind::Words(_) => labels(&rest),
            Kind::Stars => stars(&rest),
        };
        values.insert(parameter.name.to_owned(), value);
        rest = others;
    }
    let mut rest = rest.as_str();
    let texts = texts(tool);
    for (nth, text) in texts.iter().enumerate() {
        let last = nth + 1 == texts.len();
        let cut = if last { None } else { rest.split_once(char::is_whitespace) };
        let (word, others) = cut.unwrap_or((rest, ""));
        values.insert(text.name.to_owned(), word.into());
        rest = others.trim_start();
    }
    tool.call_with(values)
}

/// The texts that are written: those that are needed, or all if none is.
fn texts(tool: &'static ToolSpec) -> Vec<&'static Parameter> {
    let mut texts: Vec<&Parameter> =
        tool.parameters.iter().filter(|one| matches!(one.kind, Kind::Text(_))).collect();
    if texts.iter().any(|text| text.required) {
        texts.retain(|text| text.required);
    }
    texts
}

/// Splits `words page 2` into 2 and `words`.
fn named(text: &str, name: &str, read: impl Fn(&str) -> Option<Value>) -> (Value, String) {
    let found = text.rsplit_once(char::is_whitespace).and_then(|(before, word)| {
        let value = read(word)?;
        let before = before.trim_end().strip_suffix(name)?;
        let ends_word = before.is_empty() || before.ends_with(char::is_whitespace);
        ends_word.then(|| (value, before.trim_end().to_owned()))
    });
    found.unwrap_or_else(|| (Value::Null, text.to_owned()))
}

/// Splits `key 2` into 2 and `key`.
fn numbered(text: &str, read: impl Fn(&str) -> Option<Value>) -> (Value, String) {
    let found = text.rsplit_once(char::is_whitespace);
    let found = found.and_then(|(key, word)| Some((read(word)?, key.trim_end().to_owned())));
    found.unwrap_or_else(|| (Value::Null, text.to_owned()))
}

/// Words that begin with a #, and the others.
fn labels(text: &str) -> (Value, String) {
    let is_label = |word: &&str| word.len() > 1 && word.starts_with('#');
    let (labels, others): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_label);
    let labels = labels.iter().map(|label| label.trim_start_matches('#')).collect();
    (labels, others.join(" "))
}

/// The last word that is nothing but stars, and the words that are none.
fn stars(text: &str) -> (Value, String) {
    let is_stars = |word: &&str| word.chars().all(|sign| "★*".contains(sign));
    let (stars, others): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_stars);
    (stars.last().map(|stars| stars.chars().count()).into(), others.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::find;

    #[test]
    fn a_range_is_named() {
        let expand = |words: &str| read(find("expand_effort").unwrap(), words);
        let call = |messages| Ok(Call::ExpandEffort { id: "auth-bug".to_owned(), messages });
        assert_eq!(expand("auth-bug messages 3-9"), call(Some((3, 9))));
        assert_eq!(expand("auth-bug messages 3"), call(Some((3, 3))));
        assert_eq!(expand("auth-bug"), call(None));
        assert!(expand("auth-bug messages 9-3").is_err());
    }

    #[test]
    fn tags_and_stars_are_told_from_words() {
        let remember = |words: &str| read(find("remember").unwrap(), words);
        let call = remember("Freeze on Friday, issue # 5 #decision ★★★ #team");
        let tags = vec!["decision".to_owned(), "team".to_owned()];
        let content = "Freeze on Friday, issue # 5".to_owned();
        assert_eq!(call, Ok(Call::Remember { content, tags, salience: Some(3) }));
        let wanted = "something to remember";
        let missing = remember(" #only ** ");
        assert!(
            matches!(missing, Err(Misuse::BadArgument { wanted: w, .. }) if w == wanted),
            "{missing:?}"
        );
    }
}
