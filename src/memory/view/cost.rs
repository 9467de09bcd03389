//! What the parts of the window cost as they are sent, which is not always whole.

use super::{SCRATCH_SHOWN, TextView, Tier};
use crate::memory::budget::Plan;
use crate::memory::{Layer, Memory, ScratchItem, Tokens};

impl Memory {
    /// What an effort costs as sent, and whole.
    pub(super) fn costs(&self, plan: &Plan, at: usize, state: Tier) -> (Tokens, Tokens) {
        let effort = &self.efforts[at];
        match state {
            Tier::Active | Tier::Open | Tier::Expanded => {
                let whole = effort.log_tokens();
                let sent = plan.logs.get(&at);
                (sent.map_or(whole, |log| log.iter().map(|one| one.tokens).sum()), whole)
            }
            Tier::Warm => self.summary_costs(plan, at),
            Tier::Evicted => (Tokens(0), effort.line_tokens.unwrap_or_default()),
        }
    }

    /// What a warm summary costs as sent, and whole; each with the specifics that ride beside it.
    fn summary_costs(&self, plan: &Plan, at: usize) -> (Tokens, Tokens) {
        let line = self.efforts[at].line_tokens.unwrap_or_default();
        let beside = self.riding().lines.get(&at).map(|(_, tokens)| *tokens).unwrap_or_default();
        let sent = match (plan.summaries.contains(&at), plan.unaccompanied) {
            (true, _) => Tokens(0),
            (false, true) => line,
            (false, false) => line + beside,
        };
        (sent, line + beside)
    }

    /// Tokens of what is sent beside the items: headings and the lists of names.
    pub(super) fn headings(&self, plan: &Plan) -> Tokens {
        let mut tokens = plan.layers.of(Layer::Lists);
        if self.warm.len() > plan.summaries.len() {
            tokens += self.heading_tokens;
        }
        if self.note_tokens(&plan.notes) > Tokens(0) {
            tokens += self.notes_heading();
        }
        if !plan.unlisted {
            let pointers = self.scratchpad_view(false).iter().map(|text| text.tokens).sum();
            tokens += self.scratchpad_tokens().saturating_sub(pointers);
        }
        tokens
    }

    /// The texts held by reference, each with its pointer's cost: 0 if the index is left out.
    pub(super) fn scratchpad_view(&self, unlisted: bool) -> Vec<TextView> {
        let view = |(item, tokens): (&ScratchItem, Tokens)| {
            let tokens = if unlisted { Tokens(0) } else { tokens };
            TextView { item: item.clone(), tokens }
        };
        self.scratchpad_pointers().take(SCRATCH_SHOWN).map(view).collect()
    }
}
