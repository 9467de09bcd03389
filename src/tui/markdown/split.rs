//! Where a text is cut into the parts that are laid out by themselves.
//!
//! Each line decides for itself, by what stands before it, whether a part begins there. What follows never
//! changes that, so a text that grows has the same parts as one that came at once. Only a line that begins a
//! block at the outermost level whatever is open before it begins a part; everything else belongs to the part
//! that is open, and the parser finds the blocks within it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::chunk::beginning;
use crate::fence::Fence;

/// No part has more bytes than this: what is open is laid out again each time it grows.
pub(super) const LONGEST: usize = 32 * 1024;

/// What is understood beyond `CommonMark`.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Where the first line begins that is not empty.
pub(super) fn begin(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !is_blank(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Where the part ends with which `text` begins, as far as that is certain: at the line that begins the next
/// one. A last line without an end may still change and decides nothing, unless the text `is_all` there is.
pub(super) fn end(text: &str, is_all: bool) -> Option<usize> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    if first.len() > LONGEST {
        return Some(cut(first));
    }
    let mut part = Part::begin(first);
    let mut end = first.len();
    for line in lines {
        if end + line.len() > LONGEST {
            return Some(end);
        }
        if !line.ends_with('\n') && !is_all {
            return None;
        }
        if part.ends_before(line) {
            return Some(end);
        }
        end += line.len();
    }
    None
}

/// Where a line is cut that is too long for one part: before a word that cannot be taken for markup.
fn cut(line: &str) -> usize {
    let most = beginning(line, LONGEST).len();
    let bytes = line.as_bytes();
    let before_word = |&at: &usize| bytes[at - 1] == b' ' && bytes[at].is_ascii_alphabetic();
    (LONGEST / 2..most).rev().find(before_word).unwrap_or(most)
}

/// The code blocks of a text, as they were written, without their fences.
pub fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                blocks.push(String::new());
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(lines) if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.push_str(&lines);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// What a part began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An item of a list; a line that is set in as far as this belongs to it.
    Item(usize),
    Quote,
    Other,
}

/// The part that is open.
struct Part {
    kind: Kind,
    /// Whether its last line is empty.
    after_blank: bool,
}

impl Part {
    fn begin(line: &str) -> Self {
        let kind = match marker(line) {
            _ if indent(line) >= 4 => Kind::Other,
            _ if line.trim_start().starts_with('>') => Kind::Quote,
            Some(marker) if !is_rule(line) => Kind::Item(marker.indent),
            _ => Kind::Other,
        };
        Self { kind, after_blank: false }
    }

    /// Takes the next line: whether it begins another part.
    fn ends_before(&mut self, line: &str) -> bool {
        if is_blank(line) {
            self.after_blank = true;
            return false;
        }
        let after_blank = std::mem::take(&mut self.after_blank);
        let inside = if let Kind::Item(column) = self.kind { column.min(4) } else { 4 };
        if indent(line) >= inside {
            return false;
        }
        after_blank || self.interrupts(line)
    }

    /// Whether a line begins a block even where it could go on with a paragraph.
    fn interrupts(&self, line: &str) -> bool {
        let in_list = matches!(self.kind, Kind::Item(_));
        let starts_item = marker(line).is_some_and(|it| in_list || it.interrupts);
        let words = line.trim_start();
        // Dashes alone underline a heading.
        let rule = is_rule(line) && !words.starts_with("--");
        let quote = self.kind != Kind::Quote && words.starts_with('>');
        quote || rule || starts_item || is_heading(words) || Fence::outermost(line).is_some()
    }
}

/// The sign of an item.
struct Marker {
    /// The column from which on a line belongs to the item.
    indent: usize,
    /// Whether it begins a list within a paragraph.
    interrupts: bool,
}

fn marker(line: &str) -> Option<Marker> {
    let item = line.trim_start();
    let digits = item.len() - item.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    let signs = if digits == 0 { &['-', '+', '*'][..] } else { &['.', ')'] };
    let beside = item[digits..].strip_prefix(signs).filter(|_| digits < 10)?;
    let is_empty = is_blank(beside);
    if !is_empty && !beside.starts_with([' ', '\t']) {
        return None;
    }
    let spaces = beside.len() - beside.trim_start_matches(' ').len();
    let spaces = if is_empty || spaces > 4 { 1 } else { spaces.max(1) };
    let first = digits == 0 || item[..digits].parse() == Ok(1);
    Some(Marker { indent: indent(line) + digits + 1 + spaces, interrupts: first && !is_empty })
}

fn is_heading(words: &str) -> bool {
    let title = words.trim_start_matches('#');
    let signs = words.len() - title.len();
    (1..=6).contains(&signs) && (title.is_empty() || title.starts_with(char::is_whitespace))
}

fn is_rule(line: &str) -> bool {
    let mut signs = line.chars().filter(|sign| !sign.is_whitespace());
    let first = signs.next();
    let same = signs.clone().all(|sign| Some(sign) == first);
    first.is_some_and(|sign| ['-', '*', '_'].contains(&sign)) && same && signs.count() >= 2
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The columns that a line is set in.
fn indent(line: &str) -> usize {
    let mut column = 0;
    for sign in line.chars() {
        match sign {
            ' ' => column += 1,
            '\t' => column += 4 - column % 4,
            _ => break,
        }
    }
    column
}
