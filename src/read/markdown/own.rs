//! A session that this program exported as Markdown, both ways: a line of a message that would pass for one of the export
//! stands there behind a backslash, as Markdown has it, and loses it when it is read.

use std::fmt::Write as _;

use crate::fence::{Blocks, Place};

/// A line of a file, and whether it stands apart from the one before.
type Line = (String, bool);

/// A session that this program exported: what stands in it beside what was said.
#[derive(Debug, Default)]
pub(super) struct OwnExport {
    /// The line that follows the title was there.
    has_name: bool,
    /// Its conversation has begun.
    is_one: bool,
    /// What stands behind the conversation, unless somebody speaks there again.
    behind: Vec<Line>,
}

impl OwnExport {
    /// The head of the conversation, and those of what stands behind it.
    const BEGINS: &'static str = "## Conversation";
    const ENDS: [&'static str; 3] = ["## Efforts", "## Notes", "## Texts held by reference"];

    /// Whether what is heard now was said in such a session.
    pub(super) fn is_one(&self) -> bool {
        self.is_one
    }

    /// The lines that are heard now.
    pub(super) fn take(&mut self, line: Line) -> Vec<Line> {
        let text = &*line.0;
        if !self.is_one {
            self.has_name |= text.starts_with("Session `") && text.ends_with('.');
            self.is_one = self.has_name && text == Self::BEGINS;
            return if self.is_one { Vec::new() } else { vec![line] };
        }
        if is_banner(text) {
            return Vec::new();
        }
        let speaks = speaks(text);
        // Any other heading stands in what was said, whoever it seems to name.
        let line = if text.starts_with('#') && !speaks && !Self::ENDS.contains(&text) {
            (format!("\\{text}"), line.1)
        } else {
            line
        };
        let text = &*line.0;
        if !speaks && (!self.behind.is_empty() || Self::ENDS.contains(&text)) {
            self.behind.push(line);
            return Vec::new();
        }
        // Such a heading stood in what was said.
        let escaped =
            |(text, apart): Line| (if is_mark(&text) { format!("\\{text}") } else { text }, apart);
        let mut lines: Vec<Line> =
            std::mem::take(&mut self.behind).into_iter().map(escaped).collect();
        lines.push(line);
        lines
    }
}

/// Whether somebody begins to speak with a line.
fn speaks(line: &str) -> bool {
    ["### You", "### Reply", "### Reply, cut off"].contains(&line) || line.starts_with("### You · ")
}

/// Whether a line tells what memory did.
fn is_banner(line: &str) -> bool {
    line.starts_with("> --- ") && line.ends_with(" ---")
}

/// Whether a line may be one of the export.
fn is_mark(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("> --- ")
}

/// A message as an export has it: no line of it is taken for one of the export, and its code ends with it.
pub fn exported(message: &str) -> String {
    let (mut out, mut blocks) = (String::with_capacity(message.len()), Blocks::default());
    for (nth, line) in message.lines().enumerate() {
        let is_text = blocks.next(line) == Place::Outside;
        let bare = line.trim_start_matches('\\');
        let is_escaped = bare.len() < line.len() && is_mark(bare);
        let end = line.trim_end();
        let is_own = speaks(end) || is_banner(end) || OwnExport::ENDS.contains(&end);
        let escape = if is_escaped || is_text && is_own { "\\" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(out, "{}{escape}{line}", if nth > 0 { "\n" } else { "" });
    }
    if let Some(open) = blocks.open() {
        let _ = write!(out, "\n{open}");
    }
    out
}

/// A message as it was said, of what an export has.
pub(super) fn as_said(exported: &str) -> String {
    let line = |line: &str| {
        let bare = line.strip_prefix('\\').filter(|bare| is_mark(bare.trim_start_matches('\\')));
        bare.unwrap_or(line).to_owned()
    };
    exported.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
