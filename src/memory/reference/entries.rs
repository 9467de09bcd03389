//! What is kept for each concluded effort.

use crate::memory::ascending::{Ascending, numbers};
use crate::memory::tight;

/// What is kept for one effort.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The words of the summary, ascending, and behind them those that only the id has, ascending as well.
    words: Box<[u8]>,
    /// Bytes of those of the summary.
    of_summary: u32,
}

impl Entry {
    /// Of the words of the summary and those that only the id has, both ascending.
    pub(super) fn new(of_summary: &[u32], of_id: &[u32]) -> Self {
        let bytes = |words: &[u32]| words.iter().copied().collect::<Ascending>().into_bytes();
        let (summary, id) = (bytes(of_summary), bytes(of_id));
        let of_summary = summary.len() as u32;
        Self { words: [summary, id].concat().into(), of_summary }
    }

    /// The words of the summary, ascending.
    pub(super) fn summary(&self) -> impl Iterator<Item = u32> + '_ {
        numbers(&self.words[..self.of_summary as usize])
    }

    /// The words of the summary, and behind them those that only the id has.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        self.summary().chain(numbers(&self.words[self.of_summary as usize..]))
    }
}

/// There may be as many as efforts.
const _: () = assert!(size_of::<Option<Entry>>() <= 24);

/// The entries by the positions of their efforts, most of which have one.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    all: Vec<Option<Entry>>,
    count: usize,
}

impl Entries {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds that of an effort that has none.
    pub(super) fn insert(&mut self, effort: u32, entry: Entry) {
        let at = effort as usize;
        if at >= self.all.len() {
            let more = at + 1 - self.all.len();
            tight::make_room(&mut self.all, more);
            self.all.resize_with(at + 1, || None);
        }
        self.all[at] = Some(entry);
        self.count += 1;
    }

    /// Takes out that of an effort, if it has one.
    pub(super) fn remove(&mut self, effort: u32) -> Option<Entry> {
        let entry = self.all.get_mut(effort as usize)?.take()?;
        self.count -= 1;
        Some(entry)
    }

    /// That of an effort.
    pub(super) fn get(&self, effort: u32) -> Option<&Entry> {
        self.all.get(effort as usize)?.as_ref()
    }

    /// All of them, in the order of their efforts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Entry)> {
        (0..).zip(&self.all).filter_map(|(effort, entry)| Some((effort, entry.as_ref()?)))
    }
}
