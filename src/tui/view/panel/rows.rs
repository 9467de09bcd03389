//! The panel as a list of rows, before any of them is text.

use crate::memory::{ItemState, ItemView, MemoryView};

/// The three tiers of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
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
    /// The heading of a tier.
    Heading(Tier),
    /// An effort.
    Item {
        /// Its place among [`items`].
        index: usize,
        /// What is shown of it.
        item: &'a ItemView,
    },
    /// The second row of an expanded or warm effort: its countdown and what refreshed it last.
    Countdown(&'a ItemView),
    /// The ambient exchanges in the window.
    Ambient,
    /// How many evicted efforts are not listed.
    Unlisted(usize),
    /// The logs of all efforts.
    EffortLogs,
    /// The log of ambient exchanges.
    AmbientLog,
    /// An empty row between tiers.
    Gap,
}

/// Everything that can be selected, in the order shown.
pub fn items(view: &MemoryView) -> impl Iterator<Item = &ItemView> {
    view.open.iter().chain(&view.expanded).chain(&view.warm).chain(&view.manifest.recent)
}

/// All rows of the panel, top down.
pub fn rows(view: &MemoryView) -> Vec<Row<'_>> {
    let manifest = &view.manifest;
    let mut rows = vec![Row::Heading(Tier::Working)];
    let mut evicted = Vec::with_capacity(manifest.recent.len());
    for (index, item) in items(view).enumerate() {
        match item.state {
            ItemState::Active | ItemState::Open => rows.push(Row::Item { index, item }),
            ItemState::Expanded | ItemState::Warm => {
                rows.extend([Row::Item { index, item }, Row::Countdown(item)]);
            }
            ItemState::Evicted => evicted.push(Row::Item { index, item }),
        }
    }
    rows.extend([Row::Ambient, Row::Gap, Row::Heading(Tier::Manifest)]);
    let unlisted = manifest.evicted.saturating_sub(evicted.len());
    rows.append(&mut evicted);
    if unlisted > 0 {
        rows.push(Row::Unlisted(unlisted));
    }
    rows.extend([Row::Gap, Row::Heading(Tier::Logs), Row::EffortLogs, Row::AmbientLog]);
    rows
}
