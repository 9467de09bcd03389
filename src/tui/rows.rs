//! The panel as a list of rows, before any of them is text.

use crate::memory::{
    ItemView, Layer, MemoryView, NextTide, NoteState, NoteView, SlotsView, TextView, Tier, Tokens,
};
use crate::tui::window_layers::fixed;

/// Texts held by reference that are shown, as many as the window lists; `/pad-list` shows all.
const SCRATCH_ROWS: usize = 6;

/// A tide that is more turns away is not foretold: what will have been said by then is a guess.
const IN_SIGHT: u64 = 12;

/// The parts of the panel, one for each tier of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What is in the window now.
    Working,
    /// What is concluded, with a summary for each.
    Manifest,
    /// Every word that was said.
    Logs,
}

/// One row of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row<'a> {
    /// The heading of a part.
    Heading(Section),
    /// An effort.
    Item {
        /// Its place among [`items`].
        index: usize,
        /// What is shown of it.
        item: &'a ItemView,
    },
    /// Why an effort's countdown is where it is, and what its log would cost.
    Cause(&'a ItemView),
    /// A line, from 0, of the words that stand for an effort.
    Words(&'a ItemView, usize),
    /// Below an open effort of whose log a part is compressed.
    Compressed(&'a ItemView),
    /// How many summaries and expanded efforts the window holds of the most that it may, and which leaves next.
    Slots(&'a SlotsView),
    /// How many items wait at the soft line for consent.
    Waiting(usize),
    /// How many notes there are, and their limits.
    Notes,
    /// How full the notes' budget is.
    NotesBudget,
    /// A note.
    Note {
        /// Its place among [`items`].
        index: usize,
        /// What is shown of it.
        note: &'a NoteView,
    },
    /// A text that is held by reference.
    Scratch {
        /// Its place among [`items`].
        index: usize,
        /// The text.
        text: &'a TextView,
    },
    /// How many of these are not listed.
    MoreScratch(usize),
    /// The ambient exchanges in the window.
    Ambient,
    /// When the next tide is, and what it takes.
    Tide(&'a NextTide),
    /// The message and the tool exchange of the turn under way.
    UnderWay,
    /// What was recalled for the newest message.
    Recalled,
    /// What every request carries besides: prompt, tools, headings and lists of names.
    Besides,
    /// How something evicted comes back.
    HowBack,
    /// How many evicted efforts and permanent notes are not listed.
    Unlisted(usize),
    /// How much the logs hold.
    Logs,
}

impl Row<'_> {
    /// The place among [`items`] of what the row shows first.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Item { index, .. } | Self::Note { index, .. } | Self::Scratch { index, .. } => {
                Some(*index)
            }
            _ => None,
        }
    }

    /// Whether the row belongs to the item above it.
    pub fn is_detail(&self) -> bool {
        matches!(self, Self::Cause(_) | Self::Words(..) | Self::Compressed(_))
    }

    /// Whether the row says nothing without the one above it.
    pub fn leans(&self) -> bool {
        self.is_detail() || matches!(self, Self::NotesBudget | Self::Tide(_))
    }

    /// What the row stands for in the window; these add up to the window's total. `None` for a row that
    /// stands for nothing there.
    pub fn tokens(&self, view: &MemoryView) -> Option<Tokens> {
        match self {
            Self::Item { item, .. } => Some(item.tokens),
            Self::Note { note, .. } => Some(note.tokens),
            Self::Scratch { text, .. } => Some(text.tokens),
            Self::Ambient => Some(view.ambient_tokens),
            Self::UnderWay => Some(view.under_way),
            Self::Recalled => Some(view.layers.of(Layer::Recalled)),
            Self::Besides => Some(view.headings + Tokens(fixed(&view.layers))),
            _ => None,
        }
    }
}

/// Something in the panel that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// An effort.
    Effort(&'a ItemView),
    /// A note.
    Note(&'a NoteView),
    /// A text that is held by reference.
    Scratch(&'a TextView),
}

impl Item<'_> {
    /// The effort's id, the note's number or the text's key.
    pub fn id(&self) -> String {
        match self {
            Self::Effort(item) => item.id.to_string(),
            Self::Note(view) => view.note.id.to_string(),
            Self::Scratch(text) => format!("ref:{}", text.item.key),
        }
    }
}

/// Everything that can be selected, in the order shown: what leaves the window next stands last in it.
pub fn items(view: &MemoryView) -> impl Iterator<Item = Item<'_>> {
    let logs = view.open.iter().chain(&view.expanded).map(Item::Effort);
    let notes = view.notes.session.iter().map(Item::Note);
    let texts = view.scratchpad.0.iter().take(SCRATCH_ROWS).map(Item::Scratch);
    let warm = view.warm.iter().rev().map(Item::Effort);
    let evicted = view.manifest.recent.iter().map(Item::Effort);
    let permanent = view.notes.permanent.iter().map(Item::Note);
    logs.chain(notes).chain(texts).chain(warm).chain(evicted).chain(permanent)
}

/// All rows of the panel, top down, without the details for which there may be room.
pub fn rows(view: &MemoryView) -> Vec<Row<'_>> {
    let mut rows = vec![Row::Heading(Section::Working)];
    let (mut warm, mut evicted) = (Vec::with_capacity(view.warm.len()), Vec::new());
    let (mut notes, mut texts) = (Vec::new(), Vec::new());
    for (index, item) in items(view).enumerate() {
        match item {
            Item::Effort(item) => match item.state {
                Tier::Active | Tier::Open | Tier::Expanded => {
                    rows.push(Row::Item { index, item });
                    rows.extend((item.compressed > 0).then_some(Row::Compressed(item)));
                }
                Tier::Warm => warm.push(Row::Item { index, item }),
                Tier::Evicted => evicted.push(Row::Item { index, item }),
            },
            Item::Note(note) if note.note.state == NoteState::Session => {
                notes.push(Row::Note { index, note });
            }
            Item::Note(note) => evicted.push(Row::Note { index, note }),
            Item::Scratch(text) => texts.push(Row::Scratch { index, text }),
        }
    }
    rows.extend((view.under_way > Tokens(0)).then_some(Row::UnderWay));
    rows.extend((!view.recalled.is_empty()).then_some(Row::Recalled));
    rows.push(Row::Ambient);
    let in_sight = |tide: &&NextTide| tide.tokens.0 > 0 && tide.turns <= IN_SIGHT;
    rows.extend(view.next_tide.as_ref().filter(in_sight).map(Row::Tide));
    let stats = &view.notes.stats;
    if stats.current + stats.permanent > 0 {
        rows.extend([Row::Notes, Row::NotesBudget]);
    }
    rows.append(&mut notes);
    let more = view.scratchpad.1.saturating_sub(texts.len());
    rows.append(&mut texts);
    rows.extend((more > 0).then_some(Row::MoreScratch(more)));
    rows.extend(Some(Row::Besides).filter(|row| row.tokens(view) > Some(Tokens(0))));
    let waiting = view.waiting.len() + view.exchanges_waiting;
    rows.extend((waiting > 0).then_some(Row::Waiting(waiting)));
    rows.append(&mut warm);
    rows.extend(view.slots.as_ref().filter(|slots| slots.taken > 0).map(Row::Slots));
    rows.push(Row::Heading(Section::Manifest));
    rows.extend((!evicted.is_empty()).then_some(Row::HowBack));
    let listed = view.manifest.recent.len() + view.notes.permanent.len();
    let unlisted = (view.manifest.evicted + stats.permanent).saturating_sub(listed);
    rows.append(&mut evicted);
    rows.extend((unlisted > 0).then_some(Row::Unlisted(unlisted)));
    rows.extend([Row::Heading(Section::Logs), Row::Logs]);
    rows
}

/// The rows with what there is room for besides: of the selected item always why it is there, then the words
/// of the items, those first that leave next.
pub fn with_details(
    rows: Vec<Row<'_>>,
    selected: Option<usize>,
    height: usize,
    words: impl Fn(&ItemView) -> usize,
) -> Vec<Row<'_>> {
    let mut spare = height.saturating_sub(rows.len());
    let mut details: Vec<usize> = vec![0; rows.len()];
    let chosen = |row: &Row<'_>| selected.is_some() && row.index() == selected;
    let room_for_cause = rows.iter().any(|row| chosen(row) && matches!(row, Row::Item { .. }));
    spare = spare.saturating_sub(usize::from(room_for_cause));
    let shore = rows.iter().position(|row| *row == Row::Heading(Section::Manifest));
    let shore = shore.unwrap_or(rows.len());
    let order = (0..rows.len()).filter(|&at| chosen(&rows[at]));
    let order = order.chain((0..shore).rev()).chain(shore..rows.len());
    for at in order {
        let Row::Item { item, .. } = rows[at] else { continue };
        let lines = if details[at] == 0 { words(item) } else { 0 };
        if lines > 0 && lines <= spare {
            details[at] = lines;
            spare -= lines;
        }
        if spare == 0 {
            break;
        }
    }
    let mut all = Vec::with_capacity(height.max(rows.len()) + 1);
    for (row, lines) in rows.into_iter().zip(details) {
        all.push(row);
        let Row::Item { item, .. } = row else { continue };
        all.extend(chosen(&row).then_some(Row::Cause(item)));
        all.extend((0..lines).map(|line| Row::Words(item, line)));
    }
    all
}
