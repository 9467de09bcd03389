//! What a reply says beside the signs of its calls: `[Bash {"command":"ls"}]` and `[Bash: a.rs b.rs]` stand in it where tools
//! were called.

/// How a result ends that is not there.
const HELD: &str = "tokens, held by reference]";

/// Who says a piece of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Model,
    /// A tool was called with it or returned it.
    Tool,
}

/// The pieces of a reply that say something: all but the names of tools and of their arguments.
pub(super) fn said(reply: &str) -> impl Iterator<Item = (By, &str)> {
    // Whether more of what a tool returned follows.
    let mut returns = false;
    reply.lines().flat_map(move |line| {
        let (by, plain, call) = match tool(line) {
            _ if returns => {
                returns = !line.ends_with(']');
                (By::Tool, line, "")
            }
            Some(rest) if rest.starts_with(": ") && rest.ends_with(HELD) => (By::Tool, "", ""),
            Some(rest) if rest.starts_with(": ") => {
                returns = !line.ends_with(']');
                (By::Tool, &rest[2..], "")
            }
            Some(rest) if rest.starts_with(" {") => (By::Tool, "", rest),
            _ => (By::Model, line, ""),
        };
        std::iter::once(plain).chain(values(call)).map(move |piece| (by, piece))
    })
}

/// What stands behind the name of a tool.
fn tool(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('[')?;
    let end = rest.find(|sign: char| !(sign.is_alphanumeric() || "_-.".contains(sign)))?;
    (end > 0).then(|| &rest[end..])
}

/// The texts in an object that may break off, without the keys.
fn values(object: &str) -> impl Iterator<Item = &str> {
    let mut rest = object;
    std::iter::from_fn(move || {
        loop {
            let from = &rest[rest.find('"')? + 1..];
            let end = closing(from);
            rest = from.get(end + 1..).unwrap_or_default();
            if !rest.trim_start().starts_with(':') {
                return Some(&from[..end]);
            }
        }
    })
}

/// Where the mark stands that closes a text.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    let closes = |byte: u8| {
        let is_it = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_it
    };
    text.bytes().position(closes).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_the_names_of_their_arguments_say_nothing() {
        let reply = "I look.\n\n[Bash {\"command\":\"grep \\\"a: b\\\" x\",\"timeout\":3,\"description\":\"Look at it\"}]\n\n[Bash: two lines\nof it]\n\n[Read: 3799 tokens, held by reference]\n[Read {\"file_path\":\"/src/shop/tot…]\n[1] A note: so";
        let told: Vec<_> = said(reply).filter(|(_, piece)| !piece.is_empty()).collect();
        let expected = [
            (By::Model, "I look."),
            (By::Tool, "grep \\\"a: b\\\" x"),
            (By::Tool, "Look at it"),
            (By::Tool, "two lines"),
            (By::Tool, "of it]"),
            (By::Tool, "/src/shop/tot…]"),
            (By::Model, "[1] A note: so"),
        ];
        assert_eq!(told, expected);
        assert_eq!(said("").count(), 0);
    }
}
