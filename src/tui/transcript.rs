//! The conversation as rows on the screen.
//!
//! Each block keeps its wrapped rows for one width. A frame lays out only the blocks that it shows,
//! so its cost does not grow with the conversation; a reply that grows is wrapped from its last
//! complete line on. While a block is the first on screen its place is kept, whatever arrives below.

use super::text;

/// Columns that the text of a message is set in.
const INDENT: usize = 2;

/// What a block of the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The first words of the program.
    Welcome,
    /// A message of the user.
    User,
    /// A message that was never answered.
    Unanswered,
    /// A reply.
    Assistant,
    /// What arrived of a reply that was cut off.
    Partial,
    /// A line about memory.
    Banner,
    /// A tool call, in one line.
    Tool,
    /// What the model thought, in one line.
    Reasoning,
    /// The numbers of a turn, in one line.
    Footnote,
    /// The result of a command or a note of the program.
    Info,
    /// A failure.
    Error,
}

impl BlockKind {
    fn is_one_line(self) -> bool {
        matches!(self, Self::Tool | Self::Reasoning | Self::Footnote)
    }

    /// What stands before its first row, so that colour is never the only sign; `INDENT` wide.
    fn marker(self) -> &'static str {
        match self {
            Self::Error => "! ",
            Self::Info => "· ",
            _ => "  ",
        }
    }

    /// Whether an empty row stands before it, after a block of another kind.
    fn stands_apart(self) -> bool {
        !matches!(self, Self::Tool | Self::Reasoning | Self::Footnote | Self::Banner)
    }
}

/// What a row of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The empty row before a block.
    Gap,
    /// Who speaks.
    Label,
    /// What is said.
    Body,
}

/// One row, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub part: Part,
    /// Its text, harmless and no wider than asked for.
    pub text: String,
}

/// One block of the conversation.
#[derive(Debug, Clone)]
pub struct Block {
    kind: BlockKind,
    label: Option<String>,
    text: String,
    gap: bool,
    cache: Cache,
}

/// Rows for one width. Rows up to `stable_rows` come from the first `stable_bytes` of the text, which
/// end a line and so never change while the text grows.
#[derive(Debug, Clone, Default)]
struct Cache {
    width: usize,
    bytes: usize,
    rows: Vec<Row>,
    stable_bytes: usize,
    stable_rows: usize,
}

impl Block {
    /// What it is.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Its text, as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn lay_out(&mut self, width: usize) -> usize {
        if self.cache.width != width || self.cache.bytes > self.text.len() {
            self.cache = Cache { width, bytes: usize::MAX, ..Cache::default() };
            self.head(width);
        }
        if self.cache.bytes != self.text.len() {
            self.cache.bytes = self.text.len();
            self.cache.rows.truncate(self.cache.stable_rows);
            if self.kind.is_one_line() {
                self.one_line(width);
            } else {
                self.body(width);
            }
        }
        self.cache.rows.len()
    }

    fn head(&mut self, width: usize) {
        let rows = &mut self.cache.rows;
        if self.gap {
            rows.push(Row { part: Part::Gap, text: String::new() });
        }
        if let Some(label) = &self.label {
            rows.push(Row { part: Part::Label, text: text::fit(&text::one_line(label), width) });
        }
        self.cache.stable_rows = rows.len();
    }

    fn body(&mut self, width: usize) {
        let room = width.saturating_sub(INDENT).max(1);
        let rest = self.text.get(self.cache.stable_bytes..).unwrap_or_default();
        let (stable, open) = rest.rsplit_once('\n').unwrap_or(("", rest));
        let mut marker = match self.cache.stable_bytes {
            0 => self.kind.marker(),
            _ => "  ",
        };
        let mut indented = |line: String| {
            let indent = std::mem::replace(&mut marker, "  ");
            Row { part: Part::Body, text: format!("{indent}{}", line.trim_end()) }
        };
        if rest.contains('\n') {
            // The second half of a line end that stands at the cut is no line end of its own.
            let whole = stable.strip_suffix('\r').unwrap_or(stable);
            let rows = text::wrap(&text::clean(whole), room).into_iter().map(&mut indented);
            self.cache.rows.extend(rows);
            self.cache.stable_bytes += stable.len() + 1;
            self.cache.stable_rows = self.cache.rows.len();
        }
        let open = open.strip_suffix('\r').unwrap_or(open);
        if !open.is_empty() {
            self.cache.rows.extend(text::wrap(&text::clean(open), room).into_iter().map(indented));
        }
    }

    fn one_line(&mut self, width: usize) {
        let room = width.saturating_sub(INDENT);
        let start: String = self.text.chars().take(width * 2).collect();
        let line = text::one_line(&start);
        let line = if self.kind == BlockKind::Reasoning {
            format!("thinking: {}", line.trim())
        } else {
            line
        };
        let text = format!("{}{}", " ".repeat(INDENT), text::fit(line.trim(), room));
        self.cache.rows.push(Row { part: Part::Body, text });
    }
}

/// The first row on screen: a block and a row within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    block: usize,
    row: usize,
}

/// The conversation, and how far it is scrolled.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    blocks: Vec<Block>,
    live: Option<usize>,
    top: Option<Place>,
    seen: usize,
    width: usize,
    height: usize,
}

impl Transcript {
    /// All blocks, oldest first.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Whether nothing has been said.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Appends a block and ends the one that was growing.
    pub fn push(&mut self, kind: BlockKind, label: Option<String>, text: &str) {
        self.live = None;
        let before = self.blocks.last().map(|block| block.kind);
        let gap = match before {
            None => false,
            Some(_) if label.is_some() => true,
            Some(before) => kind != before && (kind.stands_apart() || before.stands_apart()),
        };
        let text = text.trim_end().to_owned();
        self.blocks.push(Block { kind, label, text, gap, cache: Cache::default() });
    }

    /// Appends to the growing block of that kind, beginning one if another kind was growing. The
    /// label is asked for only then.
    pub fn grow(&mut self, kind: BlockKind, label: impl FnOnce() -> Option<String>, text: &str) {
        let growing = self.live.filter(|&live| self.blocks[live].kind == kind);
        if growing.is_none() {
            let text = text.trim_start_matches('\n');
            if text.is_empty() {
                return;
            }
            self.push(kind, label(), "");
            self.live = Some(self.blocks.len() - 1);
            self.append(text);
        } else {
            self.append(text);
        }
    }

    /// Whether a block of that kind is growing.
    pub fn is_growing(&self, kind: BlockKind) -> bool {
        self.live.is_some_and(|live| self.blocks[live].kind == kind)
    }

    fn append(&mut self, text: &str) {
        if let Some(block) = self.live.and_then(|live| self.blocks.get_mut(live)) {
            block.text.push_str(text);
        }
    }

    /// Ends the growing block, so that the next words begin a new one.
    pub fn settle(&mut self) {
        self.live = None;
    }

    /// Turns the latest block of one kind at or after `from` into another, with a new label.
    /// Says whether there was one.
    pub fn relabel(&mut self, from: usize, old: BlockKind, new: BlockKind, label: String) -> bool {
        let found = self.blocks.iter_mut().skip(from).rev().find(|block| block.kind == old);
        if let Some(block) = found {
            block.kind = new;
            block.label = Some(label);
            block.cache = Cache::default();
            return true;
        }
        false
    }

    /// Removes the welcome, if it still stands alone.
    pub fn drop_welcome(&mut self) {
        if matches!(self.blocks.as_slice(), [only] if only.kind == BlockKind::Welcome) {
            self.blocks.clear();
            self.top = None;
        }
    }

    /// The rows on screen, with what they belong to. Also remembers the size for scrolling.
    pub fn visible(&mut self, width: usize, height: usize) -> Vec<(BlockKind, &Row)> {
        self.resize(width, height);
        let mut place = self.first_place();
        self.settle_at_end(place);
        if self.top.is_none() {
            place = self.last_screen();
        }
        let mut room = height;
        let mut last = place.block;
        let mut skip = place.row;
        while room > 0 && last < self.blocks.len() {
            room = room.saturating_sub(self.blocks[last].lay_out(width) - skip);
            skip = 0;
            last += 1;
        }
        let shown = self.blocks.get(place.block..last).unwrap_or_default();
        shown
            .iter()
            .flat_map(|block| block.cache.rows.iter().map(move |row| (block.kind, row)))
            .skip(place.row)
            .take(height)
            .collect()
    }

    /// What arrived below while scrolled up: `None` while following, else the number of new blocks.
    pub fn new_below(&self) -> Option<usize> {
        self.top.map(|_| self.blocks.len().saturating_sub(self.seen))
    }

    /// Scrolls back by rows and stops following.
    pub fn scroll_up(&mut self, rows: usize) {
        let mut place = self.first_place();
        let start = place;
        let mut left = rows;
        while left > place.row && place.block > 0 {
            left -= place.row;
            place.block -= 1;
            place.row = self.blocks[place.block].lay_out(self.width);
        }
        place.row = place.row.saturating_sub(left);
        if place != start {
            self.stop_following(place);
        }
    }

    /// Scrolls on by rows; at the end it follows again.
    pub fn scroll_down(&mut self, rows: usize) {
        let Some(mut place) = self.top else { return };
        place.row += rows;
        while place.block < self.blocks.len() {
            let height = self.blocks[place.block].lay_out(self.width);
            if place.row < height {
                break;
            }
            place.row -= height;
            place.block += 1;
        }
        self.top = Some(place);
        self.settle_at_end(place);
    }

    /// Scrolls back by a screen.
    pub fn page_up(&mut self) {
        self.scroll_up(self.height.saturating_sub(1).max(1));
    }

    /// Scrolls on by a screen.
    pub fn page_down(&mut self) {
        self.scroll_down(self.height.saturating_sub(1).max(1));
    }

    /// To the beginning.
    pub fn scroll_to_start(&mut self) {
        let start = Place { block: 0, row: 0 };
        if self.first_place() != start {
            self.stop_following(start);
        }
    }

    /// To the end, and follows again.
    pub fn follow(&mut self) {
        self.top = None;
    }

    fn stop_following(&mut self, place: Place) {
        if self.top.is_none() {
            self.seen = self.blocks.len();
        }
        self.top = Some(place);
    }

    /// Keeps the place in the conversation when the width changes.
    fn resize(&mut self, width: usize, height: usize) {
        self.height = height;
        if self.width == width {
            return;
        }
        if let Some(place) = &mut self.top
            && let Some(block) = self.blocks.get_mut(place.block)
        {
            let before = block.lay_out(self.width).max(1);
            place.row = place.row * block.lay_out(width) / before;
        }
        self.width = width;
    }

    fn first_place(&mut self) -> Place {
        self.top.unwrap_or_else(|| self.last_screen())
    }

    /// Where the screen begins that ends with the last row.
    fn last_screen(&mut self) -> Place {
        let mut rows = 0;
        for block in (0..self.blocks.len()).rev() {
            rows += self.blocks[block].lay_out(self.width);
            if rows >= self.height {
                return Place { block, row: rows - self.height };
            }
        }
        Place { block: 0, row: 0 }
    }

    /// Follows again when nothing is left below a screen that begins at `place`.
    fn settle_at_end(&mut self, place: Place) {
        if self.top.is_none() {
            return;
        }
        let mut rows = 0;
        for block in place.block..self.blocks.len() {
            rows += self.blocks[block].lay_out(self.width);
            if rows > place.row + self.height {
                return;
            }
        }
        self.top = None;
    }
}

#[cfg(test)]
mod tests;
