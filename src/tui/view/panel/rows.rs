//! The panel as a list of rows, before any of them is text.

use crate::memory::{
    ItemView, Layer, MemoryView, NextTide, NoteState, NoteView, TextView, Tier, Tokens,
};

/// Texts held by reference that are shown, as many as the window lists; `/pad-list` shows all.
const SCRATCH_ROWS: usize = 6;

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
    /// The second row of an expanded or warm effort: its countdown and what refreshed it last.
    Countdown(&'a ItemView),
    /// The second row of an open effort of whose log a part is compressed.
    Compressed(&'a ItemView),
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
    /// Headings and the lists of names.
    Headings,
    /// The system prompt.
    System,
    /// The tool definitions.
    Tools,
    /// How many evicted efforts and permanent notes are not listed.
    Unlisted(usize),
    /// The logs of all efforts.
    EffortLogs,
    /// The log of ambient exchanges.
    AmbientLog,
    /// An empty row between tiers.
    Gap,
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
}

impl Row<'_> {
    /// What the row stands for in the window; these add up to the window's total. `None` for a row that
    /// stands for nothing there.
    pub fn tokens(&self, view: &MemoryView) -> Option<Tokens> {
        match self {
            Self::Item { item, .. } => Some(item.tokens),
            Self::Note { note, .. } => Some(note.tokens),
            Self::Scratch { text, .. } => Some(text.tokens),
            Self::Ambient => Some(view.ambient_tokens),
            Self::UnderWay => Some(view.under_way),
            Self::Headings => Some(view.headings),
            Self::System => Some(view.layers.of(Layer::System)),
            Self::Tools => Some(view.layers.of(Layer::Tools)),
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

/// Everything that can be selected, in the order shown.
pub fn items(view: &MemoryView) -> impl Iterator<Item = Item<'_>> {
    let working = view.open.iter().chain(&view.expanded).chain(&view.warm).map(Item::Effort);
    let notes = view.notes.session.iter().map(Item::Note);
    let evicted = view.manifest.recent.iter().map(Item::Effort);
    let texts = view.scratchpad.0.iter().take(SCRATCH_ROWS).map(Item::Scratch);
    working
        .chain(notes)
        .chain(texts)
        .chain(evicted)
        .chain(view.notes.permanent.iter().map(Item::Note))
}

/// All rows of the panel, top down.
pub fn rows(view: &MemoryView) -> Vec<Row<'_>> {
    let mut rows = vec![Row::Heading(Section::Working)];
    let mut manifest = Vec::with_capacity(view.manifest.recent.len());
    let (mut notes, mut texts) = (Vec::new(), Vec::new());
    for (index, item) in items(view).enumerate() {
        match item {
            Item::Effort(item) => match item.state {
                Tier::Active | Tier::Open => {
                    rows.push(Row::Item { index, item });
                    rows.extend((item.compressed > 0).then_some(Row::Compressed(item)));
                }
                Tier::Expanded | Tier::Warm => {
                    rows.extend([Row::Item { index, item }, Row::Countdown(item)]);
                }
                Tier::Evicted => manifest.push(Row::Item { index, item }),
            },
            Item::Note(note) if note.note.state == NoteState::Session => {
                notes.push(Row::Note { index, note });
            }
            Item::Note(note) => manifest.push(Row::Note { index, note }),
            Item::Scratch(text) => texts.push(Row::Scratch { index, text }),
        }
    }
    if !view.waiting.is_empty() {
        rows.push(Row::Waiting(view.waiting.len()));
    }
    let stats = &view.notes.stats;
    if stats.current + stats.permanent > 0 {
        rows.extend([Row::Notes, Row::NotesBudget]);
    }
    rows.append(&mut notes);
    let more = view.scratchpad.1.saturating_sub(texts.len());
    rows.append(&mut texts);
    if more > 0 {
        rows.push(Row::MoreScratch(more));
    }
    rows.push(Row::Ambient);
    rows.extend(view.next_tide.as_ref().filter(|tide| tide.tokens.0 > 0).map(Row::Tide));
    let others = [Row::UnderWay, Row::Headings, Row::System, Row::Tools];
    rows.extend(others.into_iter().filter(|row| row.tokens(view) > Some(Tokens(0))));
    rows.extend([Row::Gap, Row::Heading(Section::Manifest)]);
    let listed = view.manifest.recent.len() + view.notes.permanent.len();
    let unlisted = (view.manifest.evicted + stats.permanent).saturating_sub(listed);
    rows.append(&mut manifest);
    if unlisted > 0 {
        rows.push(Row::Unlisted(unlisted));
    }
    rows.extend([Row::Gap, Row::Heading(Section::Logs), Row::EffortLogs, Row::AmbientLog]);
    rows
}
