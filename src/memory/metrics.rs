//! The metrics of slice 3: what decay did, and whether it was too eager.

mod fault;

pub use fault::{Faults, Needed, knows_nothing};

/// Counters since the session began; they survive a restart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Expansions that decay ended.
    pub auto_collapses: u64,
    /// Expansions that somebody ended.
    pub manual_collapses: u64,
    /// Expansions that the budget ended, to keep the window within its lines.
    pub budget_collapses: u64,
    /// Turns that all ended expansions lasted, added up.
    pub expansion_turns: u64,
    /// Efforts expanded again within two turns of an automatic collapse.
    pub false_decays: u64,
    /// Tokens of all raw logs that decay took out of the window.
    pub tokens_saved_by_decay: u64,
    /// What was needed and not in the window.
    pub faults: Faults,
}

impl Metrics {
    /// The names of the counters beside the faults, in the order in which they are stored.
    pub(crate) const NAMES: [&str; 6] = [
        "auto_collapses",
        "manual_collapses",
        "expansion_turns",
        "false_decays",
        "tokens_saved_by_decay",
        "budget_collapses",
    ];

    /// These counters, in that order.
    pub(crate) fn figures(&self) -> [u64; 6] {
        [
            self.auto_collapses,
            self.manual_collapses,
            self.expansion_turns,
            self.false_decays,
            self.tokens_saved_by_decay,
            self.budget_collapses,
        ]
    }

    /// The metrics with these counters.
    pub(crate) fn from_figures(figures: [u64; 6], faults: Faults) -> Self {
        let [auto, manual, expansion_turns, false_decays, saved, budget] = figures;
        Self {
            auto_collapses: auto,
            manual_collapses: manual,
            budget_collapses: budget,
            expansion_turns,
            false_decays,
            tokens_saved_by_decay: saved,
            faults,
        }
    }

    /// Average turns that an expansion stayed in the window; 0 before the first has ended.
    pub fn avg_expansion_duration(&self) -> f64 {
        let ended = self.auto_collapses + self.manual_collapses + self.budget_collapses;
        ratio(self.expansion_turns, ended)
    }

    /// Explicit collapses for each automatic one; just their number while there is no automatic one.
    pub fn manual_vs_auto_collapse(&self) -> f64 {
        ratio(self.manual_collapses, self.auto_collapses.max(1))
    }

    /// Share of automatic collapses that were undone within two turns, 0 to 1.
    pub fn false_decay_rate(&self) -> f64 {
        ratio(self.false_decays, self.auto_collapses)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
