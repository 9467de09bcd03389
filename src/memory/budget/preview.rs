//! The preview form of one text: its head, a representative middle and its tail, with a pointer to
//! where the whole is. Cuts at line ends, else at sentence ends, else between words, and never inside
//! what a reader sees as one character. The work grows with the preview, not with the text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use unicode_segmentation::GraphemeCursor;

use crate::memory::{CountTokens, Tokens, words};

/// Places at which a representative middle is looked for.
const MIDDLES: usize = 24;

/// Bytes of a place that are read to judge it.
const JUDGED_BYTES: usize = 300;

/// A preview of a text of so many tokens within `target` tokens: head, a representative middle and tail,
/// behind a line that says where the whole is.
pub fn sandwich(text: &str, pointer: &str, target: Tokens, counter: &dyn CountTokens) -> String {
    let own = counter.count(pointer);
    let room = target.saturating_sub(own + Tokens(2));
    let tokens = counter.count(text);
    let left_out = |_: Tokens| "[…]".to_owned();
    let body = preview((text, tokens), room, counter, &left_out).filter(|body| body != "[…]");
    match body {
        Some(body) => format!("{pointer}\n{body}"),
        None => pointer.to_owned(),
    }
}

/// A text within `target` tokens; `pointer` words where the whole is, given the tokens left out.
/// `None` if not even the pointer fits.
pub(super) fn preview(
    (text, tokens): (&str, Tokens),
    target: Tokens,
    counter: &dyn CountTokens,
    pointer: &dyn Fn(Tokens) -> String,
) -> Option<String> {
    if tokens <= target {
        return Some(text.to_owned());
    }
    let bare = pointer(tokens);
    let mut room = target.0.checked_sub(counter.count(&bare).0)?;
    while room >= 8 {
        let bytes = text.len() as u64 * room / tokens.0.max(1);
        let pieces = Pieces::cut(text, bytes as usize);
        let left_out = tokens.saturating_sub(counter.count(&pieces.joined("")));
        let shown = pieces.joined(&pointer(left_out));
        if counter.count(&shown) <= target && shown.len() < text.len() {
            return Some(shown);
        }
        room = room * 3 / 4;
    }
    Some(bare)
}

/// The three parts that are kept.
struct Pieces<'a> {
    head: &'a str,
    middle: &'a str,
    tail: &'a str,
}

impl<'a> Pieces<'a> {
    /// Half for the head, a fifth for the middle, the rest for the tail.
    fn cut(text: &'a str, bytes: usize) -> Self {
        let head = head_of(text, bytes / 2);
        let rest = &text[head.len()..];
        let tail = tail_of(rest, bytes * 3 / 10);
        let between = &rest[..rest.len() - tail.len()];
        Self { head, middle: middle_of(between, bytes / 5, head, tail), tail }
    }

    fn joined(&self, pointer: &str) -> String {
        let parts = [self.head.trim_end(), pointer, self.middle.trim(), "[…]", self.tail.trim()];
        let no_middle = self.middle.trim().is_empty();
        let kept = parts
            .iter()
            .enumerate()
            .filter(|(nth, part)| !(part.is_empty() || (no_middle && (*nth == 2 || *nth == 3))));
        kept.map(|(_, part)| *part).collect::<Vec<_>>().join("\n")
    }
}

/// At most that many bytes from the start, ending well.
pub(super) fn head_of(text: &str, bytes: usize) -> &str {
    let end = boundary(text, bytes, Way::Back);
    let cut = &text[..end];
    if end == text.len() {
        return cut;
    }
    &cut[..good_end(cut).unwrap_or(end)]
}

/// At most that many bytes from the end, beginning well.
fn tail_of(text: &str, bytes: usize) -> &str {
    let start = boundary(text, text.len().saturating_sub(bytes), Way::On);
    let cut = &text[start..];
    &cut[good_begin(cut)..]
}

/// What stands between two sentences.
const SENTENCE_ENDS: [&str; 7] = [". ", "! ", "? ", "。", "！", "？", "।"];

/// Where the first line, sentence or word in the first half of a cut begins; its start without one.
fn good_begin(cut: &str) -> usize {
    let line = cut.find('\n').map(|at| at + 1);
    let sentence = || SENTENCE_ENDS.iter().filter_map(|end| Some(cut.find(end)? + end.len())).min();
    let word = || cut.find(char::is_whitespace);
    let early = |at: &usize| *at < cut.len() / 2;
    let begin = line.filter(early).or_else(|| sentence().filter(early));
    begin.or_else(|| word().filter(early)).unwrap_or(0)
}

/// The place in the middle third that says most of what is not shown around it; of equals the one nearest
/// to the centre.
fn middle_of<'a>(text: &'a str, bytes: usize, head: &str, tail: &str) -> &'a str {
    if bytes < 20 || text.len() <= bytes {
        return "";
    }
    let known = |part| words::keywords(head_of(part, JUDGED_BYTES * 2));
    let shown: BTreeSet<Cow<str>> = known(head).chain(known(tail)).collect();
    let third = text.len() / 3;
    let count = (third / bytes).clamp(1, MIDDLES);
    let centre = text.len().saturating_sub(bytes) / 2;
    let mut places: Vec<usize> = (0..=count).map(|nth| third + third * nth / (count + 1)).collect();
    places.sort_by_key(|place| place.abs_diff(centre));
    let mut best = (0, "");
    for place in places {
        let from = &text[boundary(text, place, Way::On)..];
        let from = &from[..boundary(from, bytes * 2, Way::Back)];
        let piece = head_of(&from[good_begin(from)..], bytes);
        let said: BTreeSet<Cow<str>> = words::keywords(head_of(piece, JUDGED_BYTES)).collect();
        let new = said.difference(&shown).count();
        if best.1.is_empty() || new > best.0 {
            best = (new, piece);
        }
    }
    best.1
}

/// A line end, sentence end or space in the second half of a cut.
fn good_end(cut: &str) -> Option<usize> {
    let late = |at: &usize| *at > cut.len() / 2;
    let line = cut.rfind('\n').map(|at| at + 1).filter(late);
    let sentence = || {
        let ends = SENTENCE_ENDS.iter();
        ends.filter_map(|end| Some(cut.rfind(end)? + end.len())).max().filter(late)
    };
    line.or_else(sentence).or_else(|| cut.rfind(char::is_whitespace).filter(late))
}

#[derive(Clone, Copy)]
enum Way {
    Back,
    On,
}

/// The nearest border between two visible characters.
fn boundary(text: &str, at: usize, way: Way) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let mut at = at;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) && matches!(way, Way::Back) {
        return at;
    }
    let found = match way {
        Way::Back => cursor.prev_boundary(text, 0),
        Way::On => cursor.next_boundary(text, 0),
    };
    found.ok().flatten().unwrap_or(match way {
        Way::Back => 0,
        Way::On => text.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Chars;

    impl CountTokens for Chars {
        fn count(&self, text: &str) -> Tokens {
            Tokens(text.chars().count() as u64)
        }
    }

    fn shown(text: &str, target: u64) -> Option<String> {
        let tokens = Chars.count(text);
        preview((text, tokens), Tokens(target), &Chars, &|left| format!("[… {left} left out]"))
    }

    #[test]
    fn a_preview_keeps_head_middle_and_tail_at_line_ends() {
        let text: String =
            (1..=200).map(|n| format!("This is line {n}.")).collect::<Vec<_>>().join("\n");
        let shown = shown(&text, 400).unwrap();
        assert!(shown.starts_with("This is line 1.\n") && shown.ends_with("This is line 200."));
        assert!(shown.contains("left out]") && shown.contains("[…]"), "{shown}");
        assert!(shown.lines().all(|line| text.contains(line) || line.starts_with('[')), "{shown}");
        assert!(Chars.count(&shown) <= Tokens(400));
    }

    #[test]
    fn the_middle_is_from_the_middle_and_says_what_head_and_tail_do_not() {
        let same = |count: usize| "The pump ran at four bar, all quiet.\n".repeat(count);
        let strange = "Ingrid replaced valve nine after a leak.\n";
        let early = "Weather report: thunder, hail, fog, sleet.\n".repeat(6);
        let text = same(40) + &early + &same(60) + &strange.repeat(6) + &same(90);
        let shown = shown(&text, 600).unwrap();
        assert!(shown.contains("Ingrid") && !shown.contains("Weather"), "{shown}");
        // Where everything is alike, it is the centre.
        let lines: Vec<String> = (0..999).map(|n| format!("It is {n:03} now.")).collect();
        let lines = lines.join("\n");
        let pieces = Pieces::cut(&lines, 400);
        let first = pieces.middle.split(' ').nth(2).unwrap().parse::<u32>().unwrap();
        assert!((480..520).contains(&first), "{}", pieces.middle);
    }

    #[test]
    fn a_preview_never_splits_what_a_reader_sees_as_one_character() {
        let family = "👨‍👩‍👧‍👦";
        for target in 30..90 {
            let shown = shown(&family.repeat(60), target).unwrap();
            let kept = shown.replace("[…]", "").replace(family, "").replace('\n', "");
            assert!(kept.starts_with("[… ") && kept.ends_with("left out]"), "{kept}");
        }
    }

    #[test]
    fn a_text_that_fits_is_shown_as_it_is_and_no_room_shows_nothing() {
        assert_eq!(shown("short", 5).as_deref(), Some("short"));
        assert_eq!(shown(&"long ".repeat(50), 3), None);
    }
}
