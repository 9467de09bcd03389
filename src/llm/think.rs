//! Parts reasoning from answer where a server sends both in one text, between tags.
//!
//! Tags count only at the start of an answer, so that an answer may speak of them.

use super::limits::BLANK;
use crate::fence;

/// The tags that models use.
const TAGS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
];

/// A piece of what came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Part of the answer.
    Text(String),
    /// Part of the reasoning.
    Reasoning(String),
}

#[derive(Debug, Default)]
enum State {
    /// Only white space so far, or the beginning of an opening tag.
    #[default]
    Start,
    /// After an opening tag, before any reasoning.
    Opened(&'static str),
    /// Inside the reasoning; the tag that closes it is known.
    Inside(&'static str),
    /// Between a closing tag and whatever comes next.
    Closed,
    /// The answer itself.
    Answer,
}

/// Splits a text that arrives in pieces. Holds back what may be the beginning of a tag.
#[derive(Debug, Default)]
pub(crate) struct ThinkSplitter {
    state: State,
    held: String,
}

impl ThinkSplitter {
    /// Takes more text and gives the pieces that are certain.
    pub(crate) fn feed(&mut self, text: &str) -> Vec<Piece> {
        self.held.push_str(text);
        let mut pieces = Vec::new();
        while self.step(&mut pieces) {}
        pieces
    }

    /// Ends the text: what is held back is what it seems to be.
    pub(crate) fn finish(&mut self) -> Option<Piece> {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Inside(_) if !held.is_empty() => Some(Piece::Reasoning(held)),
            _ if held.is_empty() => None,
            _ => Some(Piece::Text(held)),
        }
    }

    /// Moves one state on; `false` when more text is needed.
    fn step(&mut self, pieces: &mut Vec<Piece>) -> bool {
        match self.state {
            State::Start | State::Closed => self.step_before_answer(),
            State::Opened(closing) => {
                self.held = self.held.trim_start().to_owned();
                let begun = !self.held.is_empty();
                if begun {
                    self.state = State::Inside(closing);
                }
                begun
            }
            State::Inside(closing) => self.step_inside(closing, pieces),
            State::Answer => {
                if !self.held.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut self.held)));
                }
                false
            }
        }
    }

    fn step_before_answer(&mut self) -> bool {
        let begun = self.held.trim_start();
        if self.held.len() - begun.len() > BLANK && matches!(self.state, State::Start) {
            self.state = State::Answer;
            return true;
        }
        if matches!(self.state, State::Closed) && begun.len() < self.held.len() {
            // The blank lines after the reasoning belong to nobody.
            self.held = begun.to_owned();
            return !self.held.is_empty();
        }
        if let Some((opening, closing)) = TAGS.iter().find(|(open, _)| begun.starts_with(open)) {
            self.held = begun[opening.len()..].to_owned();
            self.state = State::Opened(closing);
            return true;
        }
        if TAGS.iter().any(|(opening, _)| opening.starts_with(begun)) {
            return false;
        }
        self.state = State::Answer;
        true
    }

    fn step_inside(&mut self, closing: &'static str, pieces: &mut Vec<Piece>) -> bool {
        if let Some(at) = self.held.find(closing) {
            let after = self.held.split_off(at).split_off(closing.len());
            let reasoning = std::mem::replace(&mut self.held, after);
            push_reasoning(reasoning, pieces);
            self.state = State::Closed;
            return true;
        }
        let kept = tail_that_may_begin(closing, &self.held);
        let kept = self.held.split_off(self.held.len() - kept);
        push_reasoning(std::mem::replace(&mut self.held, kept), pieces);
        false
    }
}

fn push_reasoning(text: String, pieces: &mut Vec<Piece>) {
    if !text.is_empty() {
        pieces.push(Piece::Reasoning(text));
    }
}

/// The length of the longest end of `text` that is a beginning of `tag`.
fn tail_that_may_begin(tag: &str, text: &str) -> usize {
    (1..tag.len()).rev().find(|&length| text.ends_with(&tag[..length])).unwrap_or(0)
}

/// Splits a whole answer whose opening tag the server swallowed: reasoning, then answer.
///
/// A closing tag counts only outside code, on a line of its own or right behind the last word of the reasoning, so that
/// an answer may mention it.
pub(crate) fn split_unopened(text: &str) -> Option<(&str, &str)> {
    TAGS.iter().find_map(|(opening, closing)| {
        let (before, after) = text.split_once(closing)?;
        let own_line = before.ends_with('\n') || before.is_empty();
        let ends_line = after.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let own_line = own_line && (ends_line || after.is_empty());
        let in_code = fence::is_open_behind(before) || before.contains(opening);
        ((own_line || is_end_of_words(before, after, closing)) && !in_code)
            .then(|| (before.trim_end(), after.trim_start()))
    })
}

/// Whether a closing tag between these two ends what comes before it. One that is mentioned stands behind a space or
/// between signs, in a pair of them within a line, or more than once.
fn is_end_of_words(before: &str, after: &str, closing: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || ".!?…)*。！？".contains(c);
    let line = before.rsplit('\n').next().unwrap_or_default();
    before.ends_with(is_word)
        && !after.starts_with(['`', '"', '\'', ')', ','])
        && line.matches('`').count().is_multiple_of(2)
        && !after.contains(closing)
}

#[cfg(test)]
mod tests {
    use super::{Piece, ThinkSplitter, split_unopened};

    /// Feeds the text in pieces of `size` characters; gives reasoning and answer.
    fn split(text: &str, size: usize) -> (String, String) {
        let characters: Vec<char> = text.chars().collect();
        let mut splitter = ThinkSplitter::default();
        let (mut reasoning, mut answer) = (String::new(), String::new());
        let mut pieces: Vec<Piece> = characters
            .chunks(size)
            .flat_map(|piece| splitter.feed(&piece.iter().collect::<String>()))
            .collect();
        pieces.extend(splitter.finish());
        for piece in pieces {
            match piece {
                Piece::Text(text) => answer.push_str(&text),
                Piece::Reasoning(text) => reasoning.push_str(&text),
            }
        }
        (reasoning, answer)
    }

    #[test]
    fn reasoning_and_answer_part_at_any_cut() {
        let cases = [
            ("<think>a b</think>\n\nc", "a b", "c"),
            ("\n <think>\na</think>c", "a", "c"),
            ("<thinking>a < b</thinking>c", "a < b", "c"),
            ("[THINK]é[/THINK]c", "é", "c"),
            ("<think>a</think>\n<think>b</think>\nc", "ab", "c"),
            ("<think></think>c", "", "c"),
            ("<think>never closed </thi", "never closed </thi", ""),
            ("plain", "", "plain"),
            (" \n plain", "", " \n plain"),
            ("<b>not a tag</b>", "", "<b>not a tag</b>"),
            ("<thi", "", "<thi"),
            ("answer with <think>tags</think>", "", "answer with <think>tags</think>"),
            ("", "", ""),
        ];
        for (text, reasoning, answer) in cases {
            for size in [1, 2, 3, 7, 100] {
                let expected = (reasoning.to_owned(), answer.to_owned());
                assert_eq!(split(text, size), expected, "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn a_missing_opening_tag_is_noticed_but_a_mention_is_not() {
        assert_eq!(split_unopened("so it is\n</think>\n\nYes."), Some(("so it is", "Yes.")));
        for (text, parts) in [
            ("Okay.\nLet me see.</think>Visible", ("Okay.\nLet me see.", "Visible")),
            ("Hm, `a` it is</think>\n\nYes.", ("Hm, `a` it is", "Yes.")),
            ("我明白了。</think>好", ("我明白了。", "好")),
            ("I will call it.</think>", ("I will call it.", "")),
            ("A ``` begins it.\nSo.</think>Yes.", ("A ``` begins it.\nSo.", "Yes.")),
        ] {
            assert_eq!(split_unopened(text), Some(parts), "{text}");
        }
        for text in [
            "Close it with `</think>` then.",
            "The tag </think> closes it.",
            "It ends with \"</think>\".",
            "Write `a</think>b` there.",
            "```\nso</think>\n```",
            "~~~\nso</think>\n~~~",
            "````\n```\nso</think>\n```\n````",
            "Either a</think> or b</think>",
        ] {
            assert_eq!(split_unopened(text), None, "{text}");
        }
        assert_eq!(split_unopened("```\n</think>\n```"), None);
        assert_eq!(split_unopened("<think>\na\n</think>\nis how it looks"), None);
    }
}
