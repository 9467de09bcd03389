//! What Open WebUI folds into the words of a reply, as HTML: thinking, code that ran, and calls of tools with what these
//! returned.

use serde_json::Value;

/// What stands in a reply as folded HTML, by how it begins and what it is called.
const FOLDED: [(&str, &str); 3] = [
    ("<details type=\"reasoning\"", "thinking"),
    (CALLED, "tool_calls"),
    ("<details type=\"code_interpreter\"", "code_interpreter"),
];

/// How a call begins.
const CALLED: &str = "<details type=\"tool_calls\"";

/// How each of these ends.
const END: &str = "</details>";

/// How the signs are written that mean something in HTML.
const ESCAPED: [(&str, char); 5] =
    [("&quot;", '"'), ("&#x27;", '\''), ("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&')];

/// A part of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Words, as they stand.
    Words(String),
    /// A call of a tool, with what it returned.
    Call { name: String, arguments: String, result: Option<String> },
    /// Something folded that is not told, by what it is called.
    Folded(&'static str),
}

/// The parts of a reply: what is folded begins a line and has an end. Anything else is words.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let (mut parts, mut words) = (Vec::new(), String::new());
    let (mut rest, last) = (text, text.rfind(END).unwrap_or(0));
    while !rest.is_empty() {
        // Behind the last end nothing has one.
        let may_end = text.len() - rest.len() < last;
        let begun = FOLDED
            .iter()
            .filter(|_| may_end)
            .find(|(head, _)| rest.trim_start_matches(' ').starts_with(head));
        let ended = begun.and_then(|(_, kind)| Some((rest.split_once(END)?, *kind)));
        if let Some(((folded, behind), kind)) = ended {
            let part = call(folded).unwrap_or(Part::Folded(kind));
            if matches!(part, Part::Call { .. }) {
                parts.push(Part::Words(std::mem::take(&mut words)));
            }
            parts.push(part);
            rest = behind.strip_prefix('\n').unwrap_or(behind);
        } else {
            let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
            words.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    parts.push(Part::Words(words));
    parts
}

/// The call that a folded text tells, if it names one.
fn call(folded: &str) -> Option<Part> {
    let head = folded.trim_start().strip_prefix(CALLED)?;
    // No value of an attribute holds the sign as it is.
    let (head, _) = head.split_once('>')?;
    let name = attribute(head, "name").filter(|name| !name.is_empty())?;
    let arguments = attribute(head, "arguments").map(told).unwrap_or_default();
    Some(Part::Call { name, arguments, result: attribute(head, "result").map(told) })
}

/// The value of an attribute.
fn attribute(head: &str, name: &str) -> Option<String> {
    let (_, value) = head.split_once(&format!(" {name}=\""))?;
    let (mut rest, _) = value.split_once('"')?;
    let mut plain = String::with_capacity(rest.len());
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = ESCAPED.iter().find(|(escaped, _)| rest.starts_with(escaped));
        let (length, sign) = known.map_or((1, '&'), |(escaped, sign)| (escaped.len(), *sign));
        plain.push(sign);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    Some(plain)
}

/// A value without the quotes that it has as JSON.
fn told(value: String) -> String {
    match serde_json::from_str(&value) {
        Ok(Value::String(text)) => text,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_as_it_was_made() {
        let head = r#"<details type="tool_calls" done="true" id="x" name="search" arguments="&quot;{\&quot;q\&quot;: \&quot;a &amp;lt; b\&quot;}&quot;" result="[1, &#x27;2&#x27;, &lt;3&gt; &x]" files="">"#;
        let text = format!("Let me see.\n{head}\n<summary>Done</summary>\n</details>\nIt is so.");
        let called = Part::Call {
            name: "search".to_owned(),
            arguments: r#"{"q": "a &lt; b"}"#.to_owned(),
            result: Some("[1, '2', <3> &x]".to_owned()),
        };
        let [before, behind] = ["Let me see.\n", "It is so."].map(|it| Part::Words(it.to_owned()));
        assert_eq!(parts(&text), [before, called, behind]);
        let unnamed = "<details type=\"tool_calls\" id=\"x\">\n</details>";
        let nothing = Part::Words(String::new());
        assert_eq!(parts(unnamed), [Part::Folded("tool_calls"), nothing]);
        let running = "<details type=\"tool_calls\" name=\"a\">\n</details>";
        let call = Part::Call { name: "a".to_owned(), arguments: String::new(), result: None };
        let empty = || Part::Words(String::new());
        assert_eq!(parts(running), [empty(), call, empty()]);
    }
}
