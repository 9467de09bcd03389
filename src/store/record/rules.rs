//! The rules in force.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::sane::sane;
use crate::memory::{BudgetMode, NoteLimits, NoteOrder, Rules, Tokens};

/// Rules and limits; what is missing or makes no sense has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredRules {
    #[serde(flatten)]
    budget: StoredBudget,
    #[serde(default, deserialize_with = "limits")]
    notes: StoredLimits,
}

/// Stores settings of the core, field by field; those that came later only where they are not the usual ones.
macro_rules! stored {
    ($stored:ident for $core:ident { $($field:ident: $type:ty,)* }
     later { $($later:ident: $later_type:ty,)* }) => {
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        struct $stored {
            $(#[serde(default, deserialize_with = "sane")]
            $field: Option<$type>,)*
            $(#[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
            $later: Option<$later_type>,)*
        }

        impl From<$core> for $stored {
            fn from(core: $core) -> Self {
                Self {
                    $($field: Some(core.$field),)*
                    $($later: Some(core.$later).filter(|own| *own != $core::default().$later),)*
                }
            }
        }

        impl From<$stored> for $core {
            fn from(stored: $stored) -> Self {
                let usual = Self::default();
                Self {
                    $($field: stored.$field.unwrap_or(usual.$field),)*
                    $($later: stored.$later.unwrap_or(usual.$later),)*
                }
            }
        }
    };
}

stored!(StoredBudget for Rules {
    decay_threshold: u64,
    summary_eviction_threshold: u64,
    ambient_window: usize,
    min_keyword_overlap: usize,
    token_budget: Tokens,
    soft_percent: u64,
    budget_mode: BudgetMode,
    slots: Option<usize>,
    context_window: Option<Tokens>,
    specifics_in_window: Tokens,
} later {
    ambient_tide: usize,
    low_percent: u64,
    recall_tokens: Tokens,
    cache_least: Tokens,
    cached_percent: u64,
    seeds: bool,
});

stored!(StoredLimits for NoteLimits {
    enabled: bool,
    soft_limit: usize,
    hard_limit: usize,
    adaptive: bool,
    batch_size: usize,
    tag_aware: bool,
    order: NoteOrder,
    threads: bool,
    archive_with_effort: bool,
    protected_tags: Vec<String>,
} later {});

/// Limits; of the protected tags those count that make sense.
fn limits<'de, D: Deserializer<'de>>(field: D) -> Result<StoredLimits, D::Error> {
    let mut limits = Value::deserialize(field)?;
    if let Some(tags) = limits.get_mut("protected_tags").and_then(Value::as_array_mut) {
        tags.retain(Value::is_string);
    }
    Ok(serde_json::from_value(limits).unwrap_or_default())
}

impl StoredRules {
    /// Rules and limits as they are stored.
    pub(crate) fn new(rules: &Rules, limits: &NoteLimits) -> Self {
        Self { budget: (*rules).into(), notes: limits.clone().into() }
    }

    /// The rules and limits that they stand for.
    pub(crate) fn read(self) -> (Rules, NoteLimits) {
        (self.budget.into(), self.notes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(rules: &Rules, limits: &NoteLimits) -> (Rules, NoteLimits) {
        let text = serde_json::to_string(&StoredRules::new(rules, limits)).unwrap();
        serde_json::from_str::<StoredRules>(&text).unwrap().read()
    }

    #[test]
    fn rules_come_back_as_they_were() {
        let rules = Rules {
            decay_threshold: 4,
            summary_eviction_threshold: 9,
            ambient_window: 3,
            ambient_tide: 2,
            min_keyword_overlap: 1,
            token_budget: Tokens(7_777),
            soft_percent: 55,
            low_percent: 33,
            budget_mode: BudgetMode::Ask,
            slots: Some(4),
            context_window: Some(Tokens(8_192)),
            specifics_in_window: Tokens(90),
            recall_tokens: Tokens(70),
            cache_least: Tokens(4_352),
            cached_percent: 10,
            seeds: true,
        };
        let limits = NoteLimits {
            enabled: false,
            soft_limit: 3,
            hard_limit: 5,
            adaptive: true,
            batch_size: 2,
            tag_aware: false,
            order: NoteOrder::LeastRecentlyUsed,
            threads: true,
            archive_with_effort: true,
            protected_tags: vec!["team".into()],
        };
        assert_eq!(again(&rules, &limits), (rules, limits));
        let usual = (Rules::default(), NoteLimits::default());
        assert_eq!(again(&usual.0, &usual.1), usual);
        assert_eq!(StoredRules::default().read(), usual);
    }
}
