//! Which part of an open log is compressed next.

use super::{Block, CompressionSource, LAST_USER_MESSAGES, LEAST_PART, may_compress};
use crate::memory::{BudgetMode, Effort, Memory, Role, Tokens};

/// A part of the budget (one in so many) that the summaries of one log may take, once they are many, before some are made
/// anew from their raw messages; and one that they never take for long.
const MOST_SUMMARIES_PART: u64 = 4;
const NEVER_PART: u64 = 2;

/// Fewer summaries in one log are left alone.
const MANY_SUMMARIES: usize = 4;

/// A compressed form is so many times shorter, where there is no room for more.
const SHORTER: u64 = 6;

/// The part of the budget (one in so many) that one which is made anew may take, however much it stands for; half of what it
/// replaces, if that is less.
const ANEW_PART: u64 = 32;

impl Memory {
    /// What should be compressed now by itself: nothing below the soft line, unless the middle of a log was left out
    /// in this turn, so that it costs no break of its own; above it a single message of over three quarters of the window
    /// first, then background logs, the least recently used first, then the active log. Small or lately refused sources
    /// are not worth a request.
    pub fn compression_due(&self) -> Option<CompressionSource> {
        if self.rules.budget_mode != BudgetMode::Auto || self.open.is_empty() {
            return None;
        }
        let is_over = self.whole_layers().total() > self.rules.soft_line();
        let due = |at: &&usize| is_over || self.efforts[**at].log.compressed.is_fresh;
        let mut open = self.open.iter().filter(due);
        let worth = |source: &CompressionSource| self.is_worth(source);
        let heavy = open.clone().find_map(|&at| self.heavy_node(at).filter(worth));
        heavy.or_else(|| {
            open.find_map(|&at| {
                let anew = self.many_summaries(at).filter(worth);
                anew.or_else(|| self.needed_part(at).filter(worth))
            })
        })
    }

    /// Whether a source is large enough for a request, and did not lead to nothing lately.
    fn is_worth(&self, source: &CompressionSource) -> bool {
        let least = Tokens(self.rules.limit().0 / LEAST_PART);
        let not_below = self.effort(&source.id).map(|effort| effort.log.compressed.not_below);
        source.tokens >= least && (source.is_anew || Some(source.tokens) >= not_below)
    }

    /// As many of the oldest messages that nothing stands for as have to be compressed so that the excerpts of a log are not
    /// needed; without any, all but the last.
    fn needed_part(&self, at: usize) -> Option<CompressionSource> {
        let (effort, free) = (&self.efforts[at], self.free_part(at)?);
        if !effort.has_excerpt() {
            return Some(free);
        }
        let whole: Tokens = effort.without_excerpts().iter().map(|(_, one)| one.tokens).sum();
        let beside = self.whole_layers().total().saturating_sub(effort.log_tokens());
        let needed = (beside + whole).saturating_sub(self.rules.low_line()).0;
        Some(free.shortened_by(needed))
    }

    /// What may be compressed of a log but for its last messages: some of its summaries made anew, if they are many, else
    /// what nothing stands for yet.
    pub(super) fn older_part(&self, at: usize) -> Option<CompressionSource> {
        self.many_summaries(at).or_else(|| self.free_part(at))
    }

    /// The messages before the last two user messages that nothing stands for yet.
    fn free_part(&self, at: usize) -> Option<CompressionSource> {
        let effort = &self.efforts[at];
        let places = (0..effort.protected_from()).filter(|&place| !effort.is_compressed(place));
        self.source_of(at, places)
    }

    /// The messages of summaries that are many and take much room, to be made anew as one, with those behind them that
    /// nothing stands for yet. It is the newest summaries: each that stands for no more than all behind it together, so that
    /// a message is read again when what stands for it has doubled, and not each time. The last two are made anew in any
    /// case before they fill the window.
    fn many_summaries(&self, at: usize) -> Option<CompressionSource> {
        let (effort, limit) = (&self.efforts[at], self.rules.limit().0);
        let end = effort.protected_from();
        let is_older = |block: &&Block| block.places.last().is_some_and(|&last| last < end);
        let mut blocks: Vec<&Block> = effort.compressed_parts().filter(is_older).collect();
        let cost = |blocks: &[&Block]| blocks.iter().map(|one| one.message.tokens).sum::<Tokens>();
        if blocks.len() < MANY_SUMMARIES || cost(&blocks).0 <= limit / MOST_SUMMARIES_PART {
            return None;
        }
        blocks.sort_by_key(|block| block.places.first().copied());
        let said = |place: usize| effort.log.raw[place].tokens;
        let is_free = |place: &usize| !effort.is_compressed(*place);
        let last = *blocks.last()?.places.first()?;
        let free: Tokens = (last..end).filter(is_free).map(said).sum();
        let sizes: Vec<Tokens> = blocks
            .iter()
            .map(|block| block.places.iter().map(|&place| said(place)).sum())
            .collect();
        let first = newest(&sizes, free, cost(&blocks).0 > limit / NEVER_PART);
        let anew = &blocks[first..];
        let start = *anew.first()?.places.first()?;
        let holds = |place: &usize| anew.iter().any(|block| block.places.contains(place));
        let places = (start..end).filter(|place| is_free(place) || holds(place));
        let source = self.source_of(at, places)?;
        let compressed = sizes[first..].iter().copied().sum();
        let sent = source.tokens.saturating_sub(compressed) + cost(anew);
        let target = Tokens((sent.0 / 2).min(limit / ANEW_PART));
        let source = CompressionSource { is_anew: true, sent, target, ..source };
        (source.tokens >= effort.log.compressed.anew_not_below).then_some(source)
    }

    /// A single message of over three quarters of the window, wherever it stands.
    pub(super) fn heavy_node(&self, at: usize) -> Option<CompressionSource> {
        let effort = &self.efforts[at];
        let protected = effort.protected_from();
        let large = Tokens(self.rules.limit().0 / 4 * 3);
        let is_heavy = |place: &usize| {
            let message = &effort.log.raw[*place];
            let may = *place < protected || message.role != Role::User;
            may && message.tokens > large && may_compress(message) && !effort.is_compressed(*place)
        };
        let place = (0..effort.log.raw.len()).find(is_heavy)?;
        self.source_of(at, std::iter::once(place))
    }

    fn source_of(
        &self,
        at: usize,
        places: impl Iterator<Item = usize>,
    ) -> Option<CompressionSource> {
        let effort = &self.efforts[at];
        let messages: Vec<_> = places
            .map(|place| (place, effort.log.raw[place].clone()))
            .filter(|(_, message)| may_compress(message))
            .collect();
        let tokens: Tokens = messages.iter().map(|(_, message)| message.tokens).sum();
        let (id, target) = (effort.id.clone(), Tokens(tokens.0 / SHORTER));
        let source =
            CompressionSource { id, messages, tokens, sent: tokens, target, is_anew: false };
        (!source.messages.is_empty()).then_some(source)
    }
}

impl CompressionSource {
    /// As many of the oldest messages as make the log so many tokens shorter once they are compressed.
    fn shortened_by(mut self, needed: u64) -> Self {
        let mut sum = 0;
        self.messages.retain(|(_, message)| {
            let is_needed = sum < needed + needed / (SHORTER - 1);
            sum += if is_needed { message.tokens.0 } else { 0 };
            is_needed
        });
        (self.tokens, self.sent) = (Tokens(sum), Tokens(sum));
        self.target = Tokens(sum.saturating_sub(needed).max(sum / SHORTER));
        self
    }
}

impl Effort {
    fn is_compressed(&self, place: usize) -> bool {
        self.compressed_parts().any(|block| block.places.contains(&place))
    }

    /// Where the last two user messages begin.
    fn protected_from(&self) -> usize {
        let users = self.log.raw.iter().enumerate().rev();
        let users = users.filter(|(_, message)| message.role == Role::User);
        users.take(LAST_USER_MESSAGES).last().map_or(0, |(place, _)| place)
    }
}

/// Where those of some sizes begin that are each no larger than all behind it together, so much behind the last among that;
/// the last two in any case, if that is `forced`.
fn newest(sizes: &[Tokens], mut behind: Tokens, forced: bool) -> usize {
    let mut first = sizes.len();
    while let Some(before) = first.checked_sub(1)
        && (sizes[before] <= behind || forced && first + 2 > sizes.len())
    {
        (first, behind) = (before, behind + sizes[before]);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_anew_has_doubled_unless_it_must_be() {
        let newest = |sizes: &[u64], behind, forced| {
            let sizes: Vec<Tokens> = sizes.iter().copied().map(Tokens).collect();
            super::newest(&sizes, Tokens(behind), forced)
        };
        assert_eq!(newest(&[40, 20, 10], 5, false), 3, "nothing");
        assert_eq!(newest(&[40, 20, 10], 10, false), 0, "each is as large as all behind it");
        assert_eq!(newest(&[90, 20, 10], 10, false), 1);
        assert_eq!(newest(&[90, 20, 10], 5, true), 1, "the last two");
        assert_eq!(newest(&[30, 20, 10], 5, true), 0, "and what is no larger than these");
        assert_eq!(newest(&[], 5, true), 0);
    }
}
