//! The prompts: the only place that includes the files of `prompts/`, one typed function for each.

/// What every chat request begins with; the sections of memory follow it.
pub fn system() -> &'static str {
    include_str!("../prompts/system.md").trim_ascii_end()
}

/// The messages, as role and content, that ask for the summary of a conversation. `log` holds the
/// role and the content of each message of the conversation, in order.
pub fn summarize<'a>(
    log: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<(&'static str, String)> {
    let said: Vec<String> =
        log.into_iter().map(|(role, content)| format!("{role}: {}", content.trim())).collect();
    let instructions = include_str!("../prompts/summarize.md").trim_ascii_end();
    vec![("system", instructions.to_owned()), ("user", said.join("\n\n"))]
}

/// The same request when its answer was too long.
pub fn shorter(mut request: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    if let Some((_, instructions)) = request.first_mut() {
        instructions.push_str("\n\n");
        instructions.push_str(include_str!("../prompts/summarize-shorter.md").trim_ascii_end());
    }
    request
}

/// The messages that ask for the compressed form of one part of a long conversation.
pub fn compress_part(part: &str) -> Vec<(&'static str, String)> {
    asking(include_str!("../prompts/compress-part.md"), part)
}

/// The messages that ask to join the compressed forms of several parts, in order, into one.
pub fn compress_join(parts: &[String]) -> Vec<(&'static str, String)> {
    asking(include_str!("../prompts/compress-join.md"), &parts.join("\n\n"))
}

/// The messages that ask whether two answers to a question say the same.
pub fn judge(question: &str, first: &str, second: &str) -> Vec<(&'static str, String)> {
    let text = format!(
        "Question: {question}\n\nFirst answer: {}\n\nSecond answer: {}",
        first.trim(),
        second.trim()
    );
    asking(include_str!("../prompts/judge.md"), &text)
}

fn asking(instructions: &str, text: &str) -> Vec<(&'static str, String)> {
    vec![("system", instructions.trim_ascii_end().to_owned()), ("user", text.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> usize {
        tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len()
    }

    #[test]
    fn the_prompts_stay_small_because_every_request_pays_for_them() {
        assert!(tokens(system()) < 300, "{}", tokens(system()));
        assert!(tokens(&summarize([])[0].1) < 100);
    }

    #[test]
    fn the_system_prompt_names_every_tool() {
        for spec in crate::tools::specs() {
            assert!(system().contains(spec.name), "{}", spec.name);
        }
    }

    #[test]
    fn the_summary_request_holds_every_message_in_order() {
        let messages = summarize([("user", "It fails.\n"), ("assistant", "Since when?")]);
        assert_eq!(messages[0].0, "system");
        assert_eq!(messages[1], ("user", "user: It fails.\n\nassistant: Since when?".to_owned()));
        assert_eq!(messages.len(), 2);
    }
}
