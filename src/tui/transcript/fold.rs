//! What stands folded until it is opened: the calls and banners of a turn in one line, a large paste by its label, any
//! other long message by its beginning and its end. A search opens everything, so that nothing is hidden from it.

use super::super::ink::{Ink, Joint, Line, Styled, Tone};
use super::super::input::chip;
use super::block::{Block, BlockKind, Fold, Part, Row};
use super::{Cache, Transcript};
use crate::counted::counted;
use crate::text;

/// A message of more lines than this, or of as many characters as make a paste large, is shown by its beginning and its
/// end: people ask before a text that they show, or behind it.
const LONG: usize = 12;

/// The rows of these.
const BEGINNING: usize = 6;
const END: usize = 2;

/// With less room than this a line is counted instead of cut.
const LEAST: usize = 14;

/// Columns kept for how many more there are.
const MORE: usize = 10;

impl Block {
    /// Whether it can be opened: more stands behind it than is shown.
    pub(super) fn is_folded(&self) -> bool {
        !self.fold.open && (!self.fold.under_it.is_empty() || self.is_long())
    }

    /// What stands for its text until it is opened, where pastes have labels.
    pub(super) fn labelled(&self) -> Option<&str> {
        self.fold.labelled.as_deref().filter(|_| !self.fold.open)
    }

    /// Whether a person opened it, so that it can be folded again.
    pub(super) fn can_fold(&self) -> bool {
        self.fold.open
    }

    fn is_long(&self) -> bool {
        let is_own = matches!(self.kind, BlockKind::User | BlockKind::Unanswered);
        let ends = || self.text.bytes().filter(|byte| *byte == b'\n').count();
        self.fold.labelled.is_some()
            || is_own && (chip::has_many_chars(&self.text) || ends() >= LONG)
    }

    /// The one line of a turn's calls and banners, if there are several.
    pub(super) fn folded_line(&self, width: usize) -> Option<Row> {
        let more = self.fold.under_it.len();
        if more == 0 || self.fold.open {
            return None;
        }
        let mut styled = Styled::default();
        let own = (self.kind, self.text.clone());
        // What memory did comes before how it was asked for.
        let all = std::iter::once(&own).chain(&self.fold.under_it);
        let (mut all, calls): (Vec<_>, Vec<_>) =
            all.partition(|(kind, _)| *kind == BlockKind::Banner);
        all.extend(calls);
        for (nth, (kind, words)) in all.iter().enumerate() {
            // Why is told once the line is opened.
            let words = words.trim_matches(['-', ' ']).split(" (").next().unwrap_or_default();
            let words = text::one_line(words);
            let gap = if nth > 0 { 3 } else { 0 };
            let rest = if nth + 1 < all.len() { MORE } else { 0 };
            let room = width.saturating_sub(styled.width() + gap + rest);
            if nth > 0 && text::width(&words) > room && room < LEAST {
                styled.push(&format!("  +{} more", all.len() - nth), Ink::of(Tone::Frame));
                break;
            }
            let tone = if *kind == BlockKind::Banner { Tone::Keyword } else { Tone::Frame };
            styled.push(if nth > 0 { " · " } else { "" }, Ink::of(Tone::Frame));
            styled.push(&text::fit(&words, room), Ink::of(tone));
        }
        Some(Row { part: Part::Body, sign: ' ', line: Line::new(styled) })
    }

    /// Cuts the rows in the middle of a long message and says how many of its lines are not there, or not whole: of one
    /// line how many rows; and where there is room, which keys open it.
    pub(super) fn fold_paste(&mut self, width: usize, opens: &str) {
        let first = self.cache.rows.iter().position(|row| row.part == Part::Body).unwrap_or(0);
        if !self.is_long() || self.fold.open || self.cache.rows.len() <= first + BEGINNING + END + 1
        {
            return;
        }
        let place = first + BEGINNING;
        let hidden: Vec<Row> = self.cache.rows.drain(place..self.cache.rows.len() - END).collect();
        let is_end = |row: &&Row| row.line.joint == Joint::LineEnd;
        let goes_on = hidden.last().is_some_and(|row| !is_end(&row));
        let lines = hidden.iter().filter(is_end).count() + usize::from(goes_on);
        let mut words = match hidden.len() {
            rows if lines == 1 && rows > 1 => format!("… {}", counted(rows as u64, "more row")),
            _ => format!("… {}", counted(lines as u64, "more line")),
        };
        let keys = format!(" · {opens}");
        if !opens.is_empty() && text::width(&words) + text::width(&keys) <= width {
            words.push_str(&keys);
        }
        let styled = Styled::new(&words, Ink::of(Tone::Frame));
        let line = Line { frame: words.len(), ..Line::new(styled) };
        self.cache.rows.insert(place, Row { part: Part::Body, sign: ' ', line });
    }
}

impl Transcript {
    /// Shows the last block with a label in the place of each large paste, until it is opened.
    pub fn label_pastes(&mut self, labelled: &str) {
        if let Some(block) = self.blocks.back_mut() {
            block.fold.labelled = Some(labelled.trim_end().to_owned());
            block.cache = Cache::default();
        }
    }

    /// Puts the last block into the line of its turn, if there is one already.
    pub(super) fn fold_last(&mut self) {
        let Some(block) =
            self.blocks.back().filter(|block| block.kind.folds() && block.turn.is_some())
        else {
            return;
        };
        let (turn, words) = (block.turn, (block.kind, block.text.clone()));
        let is_head = |block: &Block| block.kind.folds() && block.fold.head.is_none();
        let earlier = self.blocks.iter().rev().skip(1).take_while(|block| block.turn == turn);
        let Some(back) = earlier.into_iter().position(is_head) else { return };
        let at = self.blocks.len() - 2 - back;
        let (number, head) = (self.first + at, &mut self.blocks[at]);
        head.fold.under_it.push(words);
        head.cache = Cache::default();
        let hidden = !head.fold.open;
        if let Some(block) = self.blocks.back_mut() {
            block.fold = Fold { head: Some(number), hidden, ..Fold::default() };
        }
    }

    /// Whether the block of a number can be opened, or folded again.
    pub fn can_unfold(&self, number: usize) -> bool {
        let block = self.block(number);
        block.is_some_and(|block| block.is_folded() || block.can_fold() && !block.is_long())
    }

    /// Opens the block of a number, or folds it again; says whether that is what it could do.
    pub fn unfold(&mut self, number: usize) -> bool {
        let index = number.wrapping_sub(self.first);
        if !self.can_unfold(number) {
            return false;
        }
        let Some(block) = self.blocks.get_mut(index) else { return false };
        let opens = block.is_folded();
        block.fold.open = opens;
        block.cache = Cache::default();
        let turn = block.turn;
        for block in self.blocks.range_mut(index + 1..).take_while(|block| block.turn == turn) {
            if block.fold.head == Some(number) {
                block.fold.hidden = !opens;
                block.cache = Cache::default();
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Turn;

    fn shown(transcript: &mut Transcript, width: usize) -> Vec<String> {
        let rows = transcript.visible(width, 60);
        rows.iter().map(|shown| shown.row.line.styled.text().to_owned()).collect()
    }

    fn turn() -> Transcript {
        let mut transcript = Transcript::default();
        transcript.set_turn(Some(Turn(1)));
        transcript.push(BlockKind::User, Some("You".into()), "the logouts?");
        transcript.push(BlockKind::Tool, None, "⚙ search_efforts logouts → ok");
        transcript.push(BlockKind::Tool, None, "⚙ expand_effort auth-bug → ok");
        transcript.push(BlockKind::Assistant, Some("model".into()), "An interceptor.");
        transcript.push(BlockKind::Banner, None, "--- Expanded effort: auth-bug ---");
        transcript
    }

    #[test]
    fn a_turns_calls_and_banners_are_one_line_that_opens_and_folds_again() {
        let mut transcript = turn();
        let folded = shown(&mut transcript, 80);
        let line = "Expanded effort: auth-bug · ⚙ search_efforts logouts → ok · ⚙ expand";
        assert!(folded.iter().any(|row| row.starts_with(line)), "{folded:?}");
        assert!(!folded.iter().any(|row| row.starts_with("---")), "{folded:?}");
        let first = transcript.first;
        let head = (first..first + 9).find(|number| transcript.unfold(*number));
        let opened = shown(&mut transcript, 80);
        assert_eq!(opened.iter().filter(|row| row.starts_with('⚙')).count(), 2, "{opened:?}");
        assert!(opened.contains(&"--- Expanded effort: auth-bug ---".to_owned()), "{opened:?}");
        assert!(transcript.unfold(head.unwrap()));
        assert_eq!(shown(&mut transcript, 80), folded);
        transcript.set_turn(Some(Turn(2)));
        transcript.push(BlockKind::Tool, None, "⚙ effort_status → ok");
        assert_eq!(
            shown(&mut transcript, 80).len(),
            folded.len() + 1,
            "each turn has its own line"
        );
    }

    #[test]
    fn a_search_finds_what_is_folded() {
        let mut transcript = turn();
        shown(&mut transcript, 60);
        transcript.find("expand_effort auth");
        transcript.search_on();
        assert_eq!(transcript.found(), Some((1, 1)));
        assert!(shown(&mut transcript, 60).iter().any(|row| row.starts_with("⚙ expand")));
        transcript.end_find();
        assert!(!shown(&mut transcript, 60).iter().any(|row| row.starts_with("⚙ expand")));
    }

    #[test]
    fn a_large_paste_is_its_label_until_it_is_opened() {
        let mut transcript = Transcript::default();
        let paste = "a line of it\n".repeat(40);
        let text = format!("What is this?\n{paste}\nAnd that?");
        transcript.push(BlockKind::User, Some("You".into()), &text);
        transcript.label_pastes("What is this?\n[paste 1: 40 lines, 520 bytes]\nAnd that?");
        let folded = shown(&mut transcript, 80);
        assert_eq!(folded[1..], ["What is this?", "[paste 1: 40 lines, 520 bytes]", "And that?"]);
        assert!(transcript.unfold(transcript.first));
        assert_eq!(shown(&mut transcript, 80).len(), 44, "whole, once it is opened");
    }

    #[test]
    fn what_is_asked_behind_a_long_text_stays_in_sight() {
        let mut transcript = Transcript::default();
        let text = format!("What is this?\n{}And that?", "a line of it\n".repeat(40));
        transcript.push(BlockKind::User, Some("You".into()), &text);
        let rows = shown(&mut transcript, 80);
        assert!(rows.contains(&"What is this?".to_owned()), "{rows:?}");
        assert_eq!(rows[rows.len() - 3..], ["… 34 more lines", "a line of it", "And that?"]);
    }

    #[test]
    fn the_keys_that_open_a_long_message_stand_where_it_is_cut() {
        let opens = "Shift+Tab to choose · Enter to open";
        for (width, told) in
            [(56, "… 5 more lines · Shift+Tab to choose · Enter to open"), (40, "… 5 more lines")]
        {
            let mut transcript = Transcript::default();
            transcript.opened_by(opens.to_owned());
            transcript.push(BlockKind::User, Some("You".into()), &"a line of it\n".repeat(13));
            let rows = shown(&mut transcript, width);
            assert!(rows.iter().any(|row| row == told), "{rows:?}");
            transcript.find("line");
            assert!(!shown(&mut transcript, width).iter().any(|row| row.starts_with('…')));
        }
    }

    #[test]
    fn a_long_message_is_shown_by_its_ends_until_it_is_opened() {
        let lines = |count: usize| "a line of it\n".repeat(count);
        for (count, folds) in [(12, false), (13, true), (5_000, true)] {
            let mut transcript = Transcript::default();
            transcript.push(BlockKind::User, Some("You".into()), &lines(count));
            let rows = shown(&mut transcript, 40);
            assert_eq!(rows.iter().any(|row| row.contains("more lines")), folds, "{count}");
            assert_eq!(transcript.unfold(transcript.first), folds);
            let rows = shown(&mut transcript, 40);
            assert!(!rows.iter().any(|row| row.contains("more lines")), "{count}");
        }
    }

    #[test]
    fn a_long_line_is_shown_by_its_ends_however_it_came_in() {
        for (words, told) in
            [(200, None), (201, Some("… 5 more rows")), (1_500, Some("… 86 more rows"))]
        {
            for kind in [BlockKind::User, BlockKind::Unanswered] {
                let mut transcript = Transcript::default();
                transcript.push(kind, Some("You".into()), &"word ".repeat(words));
                let rows = shown(&mut transcript, 82);
                let row = rows.iter().find(|row| row.contains("more"));
                assert_eq!(row.map(String::as_str), told, "{rows:?}");
                assert_eq!(transcript.unfold(transcript.first), told.is_some());
                assert!(!shown(&mut transcript, 82).iter().any(|row| row.contains("more")));
            }
        }
        let mut transcript = Transcript::default();
        transcript.push(BlockKind::Assistant, Some("model".into()), &"word ".repeat(1_500));
        assert!(!transcript.unfold(transcript.first), "a reply is shown whole");
    }

    #[test]
    fn what_is_missing_of_a_long_paste_is_counted_in_its_own_lines() {
        let wrapped = format!("{}\n", "a longer line ".repeat(6));
        for (width, told) in [(200, "… 12 more lines"), (40, "… 18 more lines")] {
            let mut transcript = Transcript::default();
            transcript.push(BlockKind::User, Some("You".into()), &wrapped.repeat(20));
            let rows = shown(&mut transcript, width);
            assert!(rows.iter().any(|row| row.trim() == told), "{rows:?}");
        }
        let mut transcript = Transcript::default();
        let text = format!("{}{}", "\n".repeat(11), "a longer line ".repeat(6) + "\nend");
        transcript.push(BlockKind::User, Some("You".into()), &text);
        assert!(shown(&mut transcript, 80).iter().any(|row| row.contains("more lines")));
    }
}
