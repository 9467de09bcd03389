//! The conversation as rows on the screen.
//!
//! Each block keeps its rows for one width. A frame lays out only the blocks that it shows, so its cost
//! does not grow with the conversation; of a reply that grows, only the part that is still open is laid
//! out anew. While a block is the first on screen its place is kept, whatever arrives above or below.

mod block;
mod find;
mod fold;
mod scroll;
mod select;
mod window;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ops::Range;

use crate::escapes;
use crate::memory::{MemoryView, Turn};

pub use block::{Block, BlockKind, INDENT, Part, Row};
pub use select::Spot;
pub use window::Home;

use block::{Cache, Fold, Form};
use find::Find;
use scroll::Place;
use select::Stretch;
use window::Presence;

/// The number of the first block. Older blocks that are read later get smaller ones, so that a block
/// keeps its number whatever is read.
const FIRST: usize = usize::MAX / 2;

/// Blocks above the screen below which earlier ones are asked for.
const NEAR: usize = 40;

/// A row on screen and what it belongs to.
#[derive(Debug, Clone)]
pub struct Shown<'a> {
    /// The number of its block.
    pub block: usize,
    /// What the block is.
    pub kind: BlockKind,
    /// Whether the model gets the block word for word; true for what nobody said.
    pub in_window: bool,
    /// Its place among the rows of its block.
    pub nth: usize,
    /// The row.
    pub row: &'a Row,
    /// Whether keys have chosen its block.
    pub chosen: bool,
    /// Whether it is the first row of the block's own words.
    pub begins: bool,
    /// What stands at the right of its label.
    pub aside: Option<&'a str>,
    /// Columns of the chat that the mouse has marked.
    pub marked: Option<Range<usize>>,
    /// Bytes of its text that a search has found, and whether that match is the one shown.
    pub found: Vec<(Range<usize>, bool)>,
}

/// The conversation, and how far it is scrolled.
#[derive(Debug, Clone)]
pub struct Transcript {
    blocks: VecDeque<Block>,
    /// The number of the oldest block.
    first: usize,
    live: Option<usize>,
    top: Option<Place>,
    /// The number behind the last block that was seen.
    seen: usize,
    width: usize,
    height: usize,
    /// Whether Markdown is shown as it came.
    raw: bool,
    /// Whether nothing is folded, because a search goes through everything.
    whole: bool,
    /// The keys that open what is folded, in words.
    opens: String,
    presence: Presence,
    /// The turn that new blocks belong to, if any.
    turn: Option<Turn>,
    /// The turn of the past that is shown, and the block that the conversation had reached by then.
    past: Option<(Turn, usize)>,
    chosen: Option<usize>,
    stretch: Option<Stretch>,
    find: Option<Find>,
}

impl Default for Transcript {
    fn default() -> Self {
        Self {
            blocks: VecDeque::new(),
            first: FIRST,
            live: None,
            top: None,
            seen: FIRST,
            width: 0,
            height: 0,
            raw: false,
            whole: false,
            opens: String::new(),
            presence: Presence::default(),
            turn: None,
            past: None,
            chosen: None,
            stretch: None,
            find: None,
        }
    }
}

impl Transcript {
    /// Whether the last block says just this.
    pub fn ends_with(&self, text: &str) -> bool {
        self.blocks.back().is_some_and(|block| block.text() == text)
    }

    /// Whether nothing has been said.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The number that the next block will have.
    pub fn end(&self) -> usize {
        self.first + self.blocks.len()
    }

    /// The blocks from a number on, oldest first.
    pub fn since(&self, number: usize) -> impl DoubleEndedIterator<Item = &Block> {
        let skipped = number.saturating_sub(self.first).min(self.blocks.len());
        self.blocks.range(skipped..)
    }

    /// The block of a number.
    pub fn block(&self, number: usize) -> Option<&Block> {
        self.blocks.get(number.checked_sub(self.first)?)
    }

    /// Shows Markdown as it came, or laid out.
    pub fn show_raw(&mut self, raw: bool) {
        self.raw = raw;
    }

    /// Whether Markdown is shown as it came.
    pub fn is_raw(&self) -> bool {
        self.raw
    }

    /// Says which keys open what is folded: it stands behind how much is not shown.
    pub fn opened_by(&mut self, keys: String) {
        self.opens = keys;
    }

    /// Takes over what the model gets now.
    pub fn set_window(&mut self, memory: &MemoryView) {
        self.presence.set(memory);
    }

    /// Says which turn the blocks belong to that come next; none, if they are between turns.
    pub fn set_turn(&mut self, turn: Option<Turn>) {
        self.turn = turn;
    }

    /// Shows the conversation as it was when a turn had ended, with what the model got then; from its end.
    pub fn look_back(&mut self, turn: Turn, memory: &MemoryView) {
        let end = self.end_of_turn(turn);
        self.past = Some((turn, end));
        self.presence.look_back(memory, end);
        self.follow();
    }

    /// Shows all of the conversation again, from its end.
    pub fn return_to_now(&mut self) {
        self.past = None;
        self.presence.return_to_now();
        self.follow();
    }

    /// The number behind the last block of a turn or of one before it.
    fn end_of_turn(&self, turn: Turn) -> usize {
        let said = |block: &Block| block.turn.is_some_and(|of| of <= turn);
        let last = self.blocks.iter().rposition(said);
        // What another program logged has no turn and comes before all that have one.
        let foreign = || self.blocks.iter().take_while(|block| block.turn.is_none()).count();
        self.first + last.map_or_else(foreign, |last| last + 1)
    }

    /// The number behind the last block that is shown.
    fn shown_end(&self) -> usize {
        self.past.map_or(self.end(), |(_, end)| end)
    }

    /// Puts an earlier part of the conversation before this one. Every block keeps its number.
    pub fn prepend(&mut self, earlier: Self) {
        let last = earlier.blocks.back().map(|block| block.kind);
        if let Some(block) = self.blocks.front_mut().filter(|_| last.is_some()) {
            block.gap = has_gap(last, block.kind, block.label.is_some());
            block.cache = Cache::default();
            let shifted = usize::from(block.gap);
            if let Some(top) = self.top.as_mut().filter(|top| top.block == self.first) {
                top.row += shifted;
            }
            self.place_match();
        }
        for block in earlier.blocks.into_iter().rev() {
            self.first -= 1;
            if block.home != Home::Unknown && block.kind.is_said() {
                self.presence.note(self.first, &block.home);
            }
            self.blocks.push_front(block);
        }
        if let Some((turn, _)) = self.past {
            self.past = Some((turn, self.end_of_turn(turn)));
            self.presence.move_end(self.end_of_turn(turn));
        }
    }

    /// Whether the reader, or a search, is about to reach the oldest block.
    pub fn nears_start(&self) -> bool {
        let near = self.first + NEAR;
        self.past.is_some_and(|(_, end)| end < near)
            || self.top.is_some_and(|top| top.block < near)
            || self.find.as_ref().is_some_and(|find| find.needs_earlier(self.first))
    }

    /// Says where the messages from a number on are logged that are not yet known to be logged.
    pub fn set_home(&mut self, from: usize, home: &Home) {
        let mut speaker = None;
        for number in from.max(self.first)..self.end() {
            let Some(block) = self.blocks.get_mut(number - self.first) else { continue };
            if block.kind.is_said() && block.home == Home::Unknown {
                block.home.clone_from(home);
                // What a tool call interrupts is one message all the same.
                if speaker.replace(block.kind) != Some(block.kind) {
                    self.presence.note(number, home);
                }
            }
        }
    }

    /// Appends a block and ends the one that was growing.
    pub fn push(&mut self, kind: BlockKind, label: Option<String>, text: &str) {
        self.live = None;
        let before = self.blocks.back().map(|block| block.kind);
        let gap = has_gap(before, kind, label.is_some());
        // A sequence that steers a terminal must not be cut apart by signs of Markdown that stand in it.
        let text = escapes::without(text.trim_end()).into_owned();
        let (home, cache, turn) = (Home::Unknown, Cache::default(), self.turn);
        let (aside, fold) = (None, Fold::default());
        self.blocks.push_back(Block { kind, label, text, gap, turn, home, aside, fold, cache });
        self.fold_last();
    }

    /// Appends a block about an effort.
    pub fn push_of(&mut self, kind: BlockKind, text: &str, effort: Home) {
        self.push(kind, None, text);
        if let Some(block) = self.blocks.back_mut() {
            block.home = effort;
        }
    }

    /// Gives the latest block of a kind about an effort, from a number on, another text. Says whether there is one.
    pub fn reword(&mut self, from: usize, kind: BlockKind, effort: &Home, text: &str) -> bool {
        let skipped = from.saturating_sub(self.first).min(self.blocks.len());
        let fits = |block: &&mut Block| block.kind == kind && block.home == *effort;
        let Some(block) = self.blocks.range_mut(skipped..).rev().find(fits) else { return false };
        if block.text != text {
            (block.text, block.cache) = (text.to_owned(), Cache::default());
        }
        true
    }

    /// Appends to the growing block of that kind, beginning one if another kind was growing. The
    /// label is asked for only then.
    pub fn grow(&mut self, kind: BlockKind, label: impl FnOnce() -> Option<String>, text: &str) {
        if self.is_growing(kind) {
            return self.append(text);
        }
        let text = text.trim_start_matches('\n');
        if !text.is_empty() {
            self.push(kind, label(), "");
            self.live = Some(self.end() - 1);
            self.append(text);
        }
    }

    /// Whether a block of that kind is growing.
    pub fn is_growing(&self, kind: BlockKind) -> bool {
        self.live.and_then(|live| self.block(live)).is_some_and(|block| block.kind == kind)
    }

    fn append(&mut self, text: &str) {
        let index = self.live.map(|live| live - self.first);
        if let Some(block) = index.and_then(|index| self.blocks.get_mut(index)) {
            block.text.push_str(text);
        }
    }

    /// Ends the growing block, so that the next words begin a new one.
    pub fn settle(&mut self) {
        self.live = None;
    }

    /// Turns the latest block of one kind from a number on into another, with a new label. Says whether
    /// there was one.
    pub fn relabel(&mut self, from: usize, old: BlockKind, new: BlockKind, label: String) -> bool {
        let skipped = from.saturating_sub(self.first).min(self.blocks.len());
        let found = self.blocks.range_mut(skipped..).rev().find(|block| block.kind == old);
        if let Some(block) = found {
            block.kind = new;
            block.label = Some(label);
            block.cache = Cache::default();
            return true;
        }
        false
    }

    /// Puts something at the right of the first label of a kind from a number on; says whether there is one.
    pub fn set_aside(&mut self, from: usize, kind: BlockKind, aside: &str) -> bool {
        let skipped = from.saturating_sub(self.first).min(self.blocks.len());
        let fits = |block: &&mut Block| block.kind == kind && block.label.is_some();
        let found = self.blocks.range_mut(skipped..).find(fits);
        found.map(|block| block.aside = Some(aside.to_owned())).is_some()
    }

    /// Puts what a turn took at the right of its first label of a kind, where nothing stands yet.
    pub fn set_asides(&mut self, kind: BlockKind, told: impl Fn(Turn) -> Option<String>) {
        let mut last = None;
        for block in self.blocks.iter_mut().filter(|b| b.kind == kind && b.label.is_some()) {
            if block.turn.is_some() && block.turn != last && block.aside.is_none() {
                block.aside = block.turn.and_then(&told);
            }
            last = block.turn;
        }
    }

    /// Shows the welcome, or what it says now.
    pub fn set_welcome(&mut self, text: &str) {
        match self.blocks.front_mut().filter(|block| block.kind == BlockKind::Welcome) {
            Some(block) => {
                text.trim_end().clone_into(&mut block.text);
                block.cache = Cache::default();
            }
            None => self.push(BlockKind::Welcome, None, text),
        }
    }

    /// Removes the welcome: what it offers can no longer be had.
    pub fn drop_welcome(&mut self) {
        if self.blocks.front().is_some_and(|block| block.kind == BlockKind::Welcome) {
            self.blocks.pop_front();
            self.first += 1;
            self.top = None;
            if let Some(block) = self.blocks.front_mut() {
                (block.gap, block.cache) = (false, Cache::default());
            }
        }
    }

    /// The rows on screen, with what they belong to. Also remembers the size for scrolling.
    pub fn visible(&mut self, width: usize, height: usize) -> Vec<Shown<'_>> {
        let (place, last) = self.settle_on(width, height);
        self.keep_match();
        let mut rows = Vec::new();
        for number in place.block..last {
            let skipped = if number == place.block { place.row } else { 0 };
            self.show(number, skipped, height - rows.len(), &mut rows);
        }
        rows
    }

    /// The rows of a block that are on screen.
    fn show<'a>(&'a self, number: usize, skipped: usize, room: usize, rows: &mut Vec<Shown<'a>>) {
        let Some(block) = self.block(number) else { return };
        let in_window = !block.kind.is_said() || self.presence.holds(number, &block.home);
        let rows_shown = skipped..skipped + room;
        let marks = self.find.as_ref().map(|find| find.marks(number, block, &rows_shown));
        let marks = marks.unwrap_or_default();
        let found = |nth| {
            let here = marks.iter().filter(|((row, _), _)| *row == nth);
            here.map(|((_, bytes), current)| (bytes.clone(), *current)).collect()
        };
        let first = block.cache.rows.iter().position(|row| row.part == Part::Body).unwrap_or(0);
        let shown = block.cache.rows.iter().enumerate().skip(skipped).take(room);
        rows.extend(shown.map(|(nth, row)| Shown {
            block: number,
            kind: block.kind,
            in_window,
            nth,
            row,
            chosen: self.chosen == Some(number),
            begins: nth == first,
            aside: block.aside.as_deref(),
            marked: self.stretch.and_then(|stretch| stretch.columns(number, nth)),
            found: found(nth),
        }));
    }

    /// Forgets the rows of a block.
    fn forget(&mut self, number: usize) {
        let index = number.wrapping_sub(self.first);
        if let Some(block) = self.blocks.get_mut(index) {
            block.cache = Cache::default();
        }
    }

    /// Makes the rows of a block and returns how many there are; none for a number without a block.
    fn lay_out(&mut self, number: usize) -> usize {
        let index = number.wrapping_sub(self.first);
        let form = Form { width: self.width, raw: self.raw, whole: self.whole };
        let opens = &self.opens;
        self.blocks.get_mut(index).map_or(0, |block| block.lay_out(form, opens))
    }
}

/// Whether an empty row stands between a block and the one before it.
fn has_gap(before: Option<BlockKind>, kind: BlockKind, has_label: bool) -> bool {
    match before {
        None => false,
        Some(_) if has_label => true,
        Some(before) => kind != before && (kind.stands_apart() || before.stands_apart()),
    }
}
