//! Messages whose speakers take turns: the templates of some models refuse two of one speaker in a row.

use serde_json::Value;

/// What stands between two messages that go out as one.
const BETWEEN: &str = "\n\n";

/// Messages of a body in which a text of the user, or of the model, never follows another one of the same: what stands for a
/// part of a log is followed by what was said next. Calls and their results stay as they are.
pub(super) fn taking_turns(messages: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut sent: Vec<Value> = Vec::new();
    for message in messages {
        match sent.last_mut().filter(|last| is_text_of_same(last, &message)) {
            Some(Value::Object(last)) => {
                let (first, second) = (text(last.get("content")), text(message.get("content")));
                let between = if first.is_empty() || second.is_empty() { "" } else { BETWEEN };
                last.insert("content".to_owned(), format!("{first}{between}{second}").into());
            }
            _ => sent.push(message),
        }
    }
    sent
}

fn is_text_of_same(one: &Value, other: &Value) -> bool {
    let is_text = |message: &Value| {
        message.as_object().is_some_and(|fields| {
            fields.keys().all(|field| field == "role" || field == "content")
                && ["user", "assistant"].contains(&text(fields.get("role")))
        })
    };
    is_text(one) && is_text(other) && one["role"] == other["role"]
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_of_one_speaker_in_a_row_go_out_as_one() {
        let said = |role: &str, text: &str| json!({"role": role, "content": text});
        let calls = json!({"role": "assistant", "content": "", "tool_calls": [{"id": "a"}]});
        let messages = [
            said("system", "s"),
            said("system", "t"),
            said("user", "a"),
            said("user", ""),
            said("user", "b"),
            said("assistant", "c"),
            said("assistant", "d"),
            said("user", "e"),
            calls.clone(),
            said("tool", "f"),
            said("tool", "g"),
            said("assistant", "h"),
            calls.clone(),
        ];
        let expected = [
            said("system", "s"),
            said("system", "t"),
            said("user", "a\n\nb"),
            said("assistant", "c\n\nd"),
            said("user", "e"),
            calls.clone(),
            said("tool", "f"),
            said("tool", "g"),
            said("assistant", "h"),
            calls,
        ];
        assert_eq!(taking_turns(messages), expected);
    }
}
