//! Which part of an open log is compressed next.

use super::{Block, CompressionSource, LAST_USER_MESSAGES, LEAST_PART, may_compress};
use crate::memory::{BudgetMode, Effort, Memory, Role, Tokens};

/// A part of the budget (one in so many) that the summaries of all open logs may take, once they are many, before some are
/// made anew from their raw messages; and one that they never take for long. Each log has an even share of it.
const MOST_SUMMARIES_PART: u64 = 4;
const NEVER_PART: u64 = 2;

/// Fewer summaries in one log are left alone: where it is the only one that is open, and where there are others.
const MANY_SUMMARIES: usize = 4;
const MANY_SUMMARIES_OF_SEVERAL: usize = 2;

/// Fewer tokens are not worth a request, however many logs are open: a compressed form has a line of some thirty of its own.
const LEAST_SOURCE: u64 = 400;

/// A compressed form is so many times shorter, where there is no room for more.
const SHORTER: u64 = 6;

/// The part of the budget (one in so many) that one which is made anew may take, however much it stands for, and that of a
/// log's share of it; half of what it replaces, if that is less.
const ANEW_PART: u64 = 32;
const ANEW_PART_OF_SHARE: u64 = 16;

/// Whose last user messages stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protected {
    /// Each log's own, so that each can be gone on with.
    OfTheLog,
    /// The conversation's, wherever they stand: all that the seed asks for. Many open efforts would fill the window with
    /// the last words of each.
    OfTheConversation,
}

/// When the summaries of a log are many.
struct Share {
    /// How many are.
    many: usize,
    /// The share of the budget that counts for them, in tokens.
    budget: u64,
    /// What those of all logs cost.
    of_all_logs: Tokens,
}

impl Memory {
    /// What should be compressed now by itself: nothing below the soft line, unless the middle of a log was left out
    /// in this turn, so that it costs no break of its own; above it a single message of over three quarters of the window
    /// first, then background logs, the least recently used first, then the active log, then the last words of background
    /// logs, in the same order. Small or lately refused sources are not worth a request.
    pub fn compression_due(&self) -> Option<CompressionSource> {
        if self.rules.budget_mode != BudgetMode::Auto || self.open.is_empty() {
            return None;
        }
        let is_over = self.whole_layers().total() > self.rules.soft_line();
        let due = |at: &&usize| is_over || self.efforts[**at].log.compressed.is_fresh;
        let open = self.open.iter().filter(due);
        let worth = |source: &CompressionSource| self.is_worth(source);
        let heavy = open.clone().find_map(|&at| self.heavy_node(at).filter(worth));
        let older = || {
            open.clone().find_map(|&at| {
                let anew = self.many_summaries(at).filter(worth);
                anew.or_else(|| self.needed_part(at, Protected::OfTheLog).filter(worth))
            })
        };
        let last = |&at: &usize| self.needed_part(at, Protected::OfTheConversation).filter(worth);
        heavy.or_else(older).or_else(|| self.background().filter(due).find_map(last))
    }

    /// The open logs but the active one, the least recently used first.
    fn background(&self) -> impl Iterator<Item = &usize> {
        self.open.iter().take(self.open.len().saturating_sub(1))
    }

    /// Whether a source is large enough for a request, and did not lead to nothing lately.
    fn is_worth(&self, source: &CompressionSource) -> bool {
        let least = self.least_source();
        let not_below = self.effort(&source.id).map(|effort| effort.log.compressed.not_below);
        source.tokens >= least && (source.is_anew || Some(source.tokens) >= not_below)
    }

    /// The fewest tokens that are worth a request: fewer where many logs are open, as what is too short in each is much
    /// together.
    pub(super) fn least_source(&self) -> Tokens {
        let limit = self.rules.limit().0;
        let part = limit / LEAST_PART.max(4 * self.open.len() as u64);
        Tokens(part.max(LEAST_SOURCE.min(limit / LEAST_PART)))
    }

    /// As many of the oldest messages that nothing stands for as have to be compressed so that the excerpts of a log are not
    /// needed; without any, all but the last.
    fn needed_part(&self, at: usize, protected: Protected) -> Option<CompressionSource> {
        let (effort, free) = (&self.efforts[at], self.free_part(at, protected)?);
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
        self.many_summaries(at).or_else(|| self.free_part(at, Protected::OfTheLog))
    }

    /// The messages before the last user messages that nothing stands for yet.
    fn free_part(&self, at: usize, protected: Protected) -> Option<CompressionSource> {
        let effort = &self.efforts[at];
        let last = match protected {
            Protected::OfTheLog => LAST_USER_MESSAGES,
            Protected::OfTheConversation => self.recent_in(Some(at)),
        };
        let places = (0..effort.last_from(last)).filter(|&place| !effort.is_compressed(place));
        self.source_of(at, places)
    }

    /// The messages of summaries that are many and take much room, to be made anew as one, with those behind them that
    /// nothing stands for yet. It is the newest summaries: each that stands for no more than all behind it together, so that
    /// a message is read again when what stands for it has doubled, and not each time. The last two are made anew in any
    /// case before they fill the window.
    fn many_summaries(&self, at: usize) -> Option<CompressionSource> {
        let (effort, limit) = (&self.efforts[at], self.rules.limit().0);
        let end = effort.last_from(LAST_USER_MESSAGES);
        let is_older = |block: &&Block| block.places.last().is_some_and(|&last| last < end);
        let mut blocks: Vec<&Block> = effort.compressed_parts().filter(is_older).collect();
        let cost = |blocks: &[&Block]| blocks.iter().map(|one| one.message.tokens).sum::<Tokens>();
        let Share { many, budget: share, of_all_logs } = self.share_of_summaries(limit);
        if blocks.len() < many || cost(&blocks).0 <= share / MOST_SUMMARIES_PART {
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
        // Those of one log may have its share for long, as long as all together leave room.
        let forced = cost(&blocks).0 > share / NEVER_PART && of_all_logs.0 > limit / NEVER_PART;
        let first = newest(&sizes, free, forced);
        let anew = &blocks[first..];
        let start = *anew.first()?.places.first()?;
        let holds = |place: &usize| anew.iter().any(|block| block.places.contains(place));
        let places = (start..end).filter(|place| is_free(place) || holds(place));
        let source = self.source_of(at, places)?;
        let compressed = sizes[first..].iter().copied().sum();
        let sent = source.tokens.saturating_sub(compressed) + cost(anew);
        let room = (limit / ANEW_PART).min(share / ANEW_PART_OF_SHARE);
        let target = Tokens((sent.0 / 2).min(room));
        let source = CompressionSource { is_anew: true, sent, target, ..source };
        (source.tokens >= effort.log.compressed.anew_not_below).then_some(source)
    }

    /// What a log may have of summaries: all of the budget counts for them, unless those of several logs are many together.
    fn share_of_summaries(&self, limit: u64) -> Share {
        let logs = self.open.len();
        let all = self.open.iter().flat_map(|&at| self.efforts[at].compressed_parts());
        let all: Tokens = all.map(|block| block.message.tokens).sum();
        if logs < 2 || all.0 <= limit / MOST_SUMMARIES_PART {
            return Share { many: MANY_SUMMARIES, budget: limit, of_all_logs: all };
        }
        Share { many: MANY_SUMMARIES_OF_SEVERAL, budget: limit / logs as u64, of_all_logs: all }
    }

    /// A single message of over three quarters of the window, wherever it stands.
    pub(super) fn heavy_node(&self, at: usize) -> Option<CompressionSource> {
        let effort = &self.efforts[at];
        let protected = effort.last_from(LAST_USER_MESSAGES);
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

    /// Where so many of the last user messages begin; behind the log, if it is none of them.
    fn last_from(&self, count: usize) -> usize {
        let users = self.log.raw.iter().enumerate().rev();
        let users = users.filter(|(_, message)| message.role == Role::User);
        let from = users.take(count).last().map(|(place, _)| place);
        from.unwrap_or(if count == 0 { self.log.raw.len() } else { 0 })
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
