//! Which lines of a conversation somebody said, and which tell what tools were called with and returned.

/// How the line over a compressed part of a log begins.
const OVER_COMPRESSED: &str = "[CONVERSATION SUMMARY] of ";

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Somebody said it.
    Said,
    /// It stands over what was said in short.
    Heading,
    /// It says nothing but where something is.
    Pointer,
    /// A tool was called with it or returned it.
    OfTool,
}

/// Who says a message that begins with a line, and what stands behind that.
pub(super) fn speaker(line: &str) -> Option<(&'static str, &str)> {
    let said_by = |by: &str| line.strip_prefix(by)?.strip_prefix(": ");
    ["user", "assistant", "notes"].into_iter().find_map(|by| Some((by, said_by(by)?)))
}

/// Tells of each line of a conversation what it is.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// A tool returned the line before this one, and more of the same follows.
    returns: bool,
}

impl Spoken {
    /// What a line without its speaker is, the first one of a message or another, before the next one.
    pub(super) fn what(&mut self, line: &str, is_first: bool, next: Option<&str>) -> What {
        let goes_on = std::mem::take(&mut self.returns) && !is_first;
        if goes_on {
            self.returns = !ends(line, next);
            return What::OfTool;
        }
        if !line.starts_with('[') {
            return What::Said;
        }
        if is_heading(line) {
            return What::Heading;
        }
        if line.ends_with(" tokens, held by reference]") {
            return What::Pointer;
        }
        match behind_name(line) {
            Some(returned) if returned.starts_with(": ") => {
                self.returns = !ends(line, next);
                What::OfTool
            }
            Some(call) if is_call(call) => What::OfTool,
            _ => What::Said,
        }
    }
}

/// Whether it is the line over a compressed part, which says how much of what stands below it in short.
fn is_heading(line: &str) -> bool {
    line.starts_with(OVER_COMPRESSED)
}

/// What stands behind the name of a tool, if a line begins with a bracket and what may be one.
fn behind_name(line: &str) -> Option<&str> {
    let inside = line.strip_prefix('[')?;
    let is_of_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '/');
    let rest = inside.trim_start_matches(is_of_name);
    (rest.len() < inside.len()).then_some(rest)
}

/// Whether it is what a tool is called with: JSON, or the text of a change.
fn is_call(arguments: &str) -> bool {
    let begins = arguments.starts_with(" {") || arguments.starts_with(" *** ");
    begins && arguments.ends_with(']')
}

/// Whether what a tool returned ends with a line.
fn ends(line: &str, next: Option<&str>) -> bool {
    line.ends_with(']') && next.is_none_or(|next| next.trim().is_empty() || is_begun(next))
}

/// Whether a line begins a message.
fn is_begun(line: &str) -> bool {
    speaker(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_were_called_with_and_returned_is_told_from_what_was_said() {
        use What::{Heading, OfTool, Pointer, Said};
        for (message, expected) in [
            ("Done.\n[x] It is.\n[see](a.md)", &[Said, Said, Said][..]),
            ("[Bash {\"command\":\"ls\"}]\nThat is all.", &[OfTool, Said]),
            ("[apply_patch *** Begin Patch …]", &[OfTool]),
            ("[Bash: a]\n\nSo.", &[OfTool, Said, Said]),
            ("[Read: let a = [1];\nb[2]\nc]\n\nSo.", &[OfTool, OfTool, OfTool, Said, Said]),
            ("[Bash: 4547 tokens, held by reference]\nSo.", &[Pointer, Said]),
            ("[my notes.txt: 900 tokens, held by reference]", &[Pointer]),
            (
                "[CONVERSATION SUMMARY] of 2 messages (9 tokens) of effort a; source: ref:b\nSo.",
                &[Heading, Said],
            ),
            ("[CONVERSATION SUMMARY] it says.", &[Said]),
        ] {
            let (mut spoken, lines): (_, Vec<&str>) =
                (Spoken::default(), message.lines().collect());
            let found = lines.iter().enumerate();
            let found =
                found.map(|(at, line)| spoken.what(line, at == 0, lines.get(at + 1).copied()));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{message}");
        }
    }
}
