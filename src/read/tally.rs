//! How many records were read, and what became of them.

use std::collections::BTreeMap;
use std::fmt;

use super::gap::Gap;
use crate::counted::{counted, grouped};
use crate::escapes::visible;

/// Kinds that are told apart; a file that makes up new ones cannot make this grow.
const MOST_KINDS: usize = 40;

/// Longest name of a kind in characters.
const LONGEST: usize = 40;

/// Damaged places that are told in sentences.
const MOST_TOLD: usize = 3;

/// Records of a file by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records in all.
    pub read: u64,
    /// Records skipped, by kind.
    pub skipped: BTreeMap<String, u64>,
    /// Parts of the file that could not be read, by their places; of very many the first ones.
    pub gaps: Vec<Gap>,
}

impl Tally {
    /// A record was read.
    pub(super) fn read_one(&mut self) {
        self.read += 1;
    }

    /// So many records were read.
    pub(super) fn read_many(&mut self, count: u64) {
        self.read += count;
    }

    /// What was read as a record holds records of its own.
    pub(super) fn holds_others(&mut self) {
        self.read = self.read.saturating_sub(1);
    }

    /// Records that were read are not used.
    pub(super) fn skip_many(&mut self, kind: &str, count: u64) {
        if count == 0 {
            return;
        }
        let kind: String = visible(kind).chars().take(LONGEST).collect();
        let known = self.skipped.contains_key(&kind) || self.skipped.len() < MOST_KINDS;
        let kind = if known { kind } else { "other kinds".to_owned() };
        *self.skipped.entry(kind).or_default() += count;
    }

    /// A record that was read is not used.
    pub(super) fn skip(&mut self, kind: &str) {
        self.skip_many(kind, 1);
    }

    /// Of what a record says, so much has no words: pictures, recordings and files, by kind.
    pub(super) fn leave_out(&mut self, kinds: impl IntoIterator<Item = &'static str>) {
        for kind in kinds {
            self.read_one();
            self.skip(kind);
        }
    }

    /// Records that were used.
    pub fn used(&self) -> u64 {
        self.read.saturating_sub(self.skipped.values().sum())
    }

    /// Takes another file's in.
    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        for (kind, count) in &other.skipped {
            self.skip_many(kind, *count);
        }
        self.gaps.extend_from_slice(&other.gaps);
    }

    fn write_gaps(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told_gaps().try_for_each(|gap| write!(out, "; {gap}"))
    }

    /// Where it is damaged, in sentences; of many places the first ones.
    pub fn told_gaps(&self) -> impl Iterator<Item = String> {
        let more = self.gaps.len().saturating_sub(MOST_TOLD) as u64;
        let more = (more > 0).then(|| format!("and at {}", counted(more, "other place")));
        self.gaps.iter().take(MOST_TOLD).map(Gap::to_string).chain(more)
    }
}

/// Kinds that are told in the plural where there are several; others are what programs call their records.
const NOUNS: [&str; 10] = [
    "damaged conversation",
    "damaged message",
    "no conversation",
    "no JSON record",
    "no turn",
    "unreadable turn",
    "image",
    "file",
    "recording",
    "document",
];

fn named(kind: &str, count: u64) -> String {
    if NOUNS.contains(&kind) { counted(count, kind) } else { format!("{} {kind}", grouped(count)) }
}

impl fmt::Display for Tally {
    /// `read 12, used 9, skipped 3 (2 progress, 1 mode)`
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped: u64 = self.skipped.values().sum();
        let [read, used, all] = [self.read, self.used(), skipped].map(grouped);
        write!(out, "read {read}, used {used}, skipped {all}")?;
        if skipped == 0 {
            return self.write_gaps(out);
        }
        let mut kinds: Vec<_> = self.skipped.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| named(kind, **count)).collect();
        write!(out, " ({})", kinds.join(", "))?;
        self.write_gaps(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_kind_is_known_again_and_many_files_have_no_more_kinds_than_one() {
        let (long, mut tally) = ("long ".repeat(20), Tally::default());
        tally.skip(&long);
        for nth in 0..MOST_KINDS {
            tally.skip(&nth.to_string());
        }
        tally.skip(&long);
        assert_eq!(tally.skipped[&long[..LONGEST]], 2);
        assert_eq!((tally.skipped.len(), tally.skipped["other kinds"]), (MOST_KINDS + 1, 1));
        let mut all = tally.clone();
        for nth in 0..MOST_KINDS {
            let mut other = Tally::default();
            other.skip(&format!("of another file {nth}"));
            all.add(&other);
        }
        assert_eq!(all.skipped.len(), MOST_KINDS + 1);
        assert_eq!(all.skipped["other kinds"], 1 + MOST_KINDS as u64);
    }
}
