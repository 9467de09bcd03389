//! Logs that were expanded when a session was read.

use std::sync::Arc;

use super::super::{
    Anchor, Block, Change, ChangeKind, EffortId, Memory, Role, Status, Subject, Tier, Was,
};

/// Why an effort is not expanded any more that was so when the session was closed.
const LEFT_EXPANDED: &str = "an expansion ends when its session is closed";

/// A log that stands in the window of a chat that goes on.
#[derive(Debug, Clone)]
pub struct RestoredExpansion {
    /// The effort.
    pub id: EffortId,
    /// Its raw log.
    pub raw: Vec<(Role, Arc<str>)>,
    /// The log that it stands in (`None`: ambient), and the messages of it that stand behind; `None` where it stands at the
    /// end of what was said.
    pub place: Option<(Option<EffortId>, usize)>,
    /// What stands for what is left out of it; blocks that do not fit the log are left out.
    pub blocks: Vec<Block>,
}

impl Memory {
    /// Takes over what is expanded elsewhere, as it stands there: it is no mention and nothing new.
    pub(super) fn take_expansions(&mut self, expanded: Vec<RestoredExpansion>) {
        for expansion in expanded {
            let Some(&at) = self.by_id.get(&expansion.id) else { continue };
            if !matches!(self.tier_at(at), Tier::Warm | Tier::Evicted) {
                continue;
            }
            self.load_raw(at, expansion.raw);
            let counter = Arc::clone(&self.counter);
            self.efforts[at].restore_blocks(expansion.blocks, &*counter);
            let anchor = match expansion.place {
                Some((log, later)) => {
                    let log = log.and_then(|id| self.by_id.get(&id)).copied();
                    Anchor { log, later }
                }
                None => Anchor { log: self.order.end(), later: 0 },
            };
            let effort = &mut self.efforts[at];
            effort.log.expanded_at = Some(effort.last_referenced);
            effort.log.anchor = anchor;
            self.expanded.push(at);
        }
    }

    /// Ends the expansions that the session was closed with: they are transient. None was restored, so nothing moves;
    /// what it tells makes that known, and lets it be undone.
    pub fn end_left_expansions(&self, left: &[EffortId]) -> Vec<Change> {
        let expanded = left.iter().filter_map(|id| self.by_id.get(id)).copied();
        let concluded = expanded.filter(|&at| self.efforts[at].status == Status::Concluded);
        let after = self.layers().total();
        let ended = concluded.map(|at| {
            let effort = &self.efforts[at];
            let log = effort
                .raw_tokens
                .map(|raw| raw.saturating_sub(effort.line_tokens.unwrap_or_default()));
            let before = (after + log.unwrap_or_default()).min(self.rules.limit());
            let was = Was { state: Tier::Expanded, ..self.was(at) };
            let (kind, tokens) = (ChangeKind::EffortAutoCollapsed, (before.max(after), after));
            let subject = Subject::Effort(effort.id.clone());
            Change::new(self.turn, kind, subject, LEFT_EXPANDED, tokens).with_was(Some(was))
        });
        ended.collect()
    }
}
