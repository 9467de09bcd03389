//! The rules in force.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::sane::{list, sane};
use crate::memory::{BudgetMode, NoteLimits, NoteOrder, Rules, Tokens};

/// Rules and limits; what is missing has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredRules {
    #[serde(default, deserialize_with = "sane")]
    decay_threshold: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    summary_eviction_threshold: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    ambient_window: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    min_keyword_overlap: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    token_budget: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    soft_percent: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    budget_mode: String,
    #[serde(default, deserialize_with = "sane")]
    slots: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    context_window: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    specifics_in_window: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    notes: StoredLimits,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct StoredLimits {
    #[serde(default, deserialize_with = "sane")]
    enabled: Option<bool>,
    #[serde(default, deserialize_with = "sane")]
    soft_limit: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    hard_limit: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    adaptive: Option<bool>,
    #[serde(default, deserialize_with = "sane")]
    batch_size: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    tag_aware: Option<bool>,
    #[serde(default, deserialize_with = "sane")]
    order: String,
    #[serde(default, deserialize_with = "sane")]
    threads: Option<bool>,
    #[serde(default, deserialize_with = "sane")]
    archive_with_effort: Option<bool>,
    #[serde(default, deserialize_with = "some_list")]
    protected_tags: Option<Vec<String>>,
}

fn some_list<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Vec<String>>, D::Error> {
    let field = Value::deserialize(field)?;
    Ok(field.is_array().then(|| list(field).unwrap_or_default()))
}

impl StoredRules {
    /// Rules and limits as they are stored.
    pub(crate) fn new(rules: &Rules, limits: &NoteLimits) -> Self {
        Self {
            decay_threshold: Some(rules.decay_threshold),
            summary_eviction_threshold: Some(rules.summary_eviction_threshold),
            ambient_window: Some(rules.ambient_window as u64),
            min_keyword_overlap: Some(rules.min_keyword_overlap as u64),
            token_budget: Some(rules.token_budget.0),
            soft_percent: Some(rules.soft_percent),
            budget_mode: mode_name(rules.budget_mode).to_owned(),
            slots: rules.slots.map(|slots| slots as u64),
            context_window: rules.context_window.map(|tokens| tokens.0),
            specifics_in_window: Some(rules.specifics_in_window.0),
            notes: StoredLimits::new(limits),
        }
    }

    /// The rules and limits that they stand for.
    pub(crate) fn read(&self) -> (Rules, NoteLimits) {
        let usual = Rules::default();
        let count = |field: Option<u64>, usual: usize| field.map_or(usual, |count| count as usize);
        let rules = Rules {
            decay_threshold: self.decay_threshold.unwrap_or(usual.decay_threshold),
            summary_eviction_threshold: self
                .summary_eviction_threshold
                .unwrap_or(usual.summary_eviction_threshold),
            ambient_window: count(self.ambient_window, usual.ambient_window),
            min_keyword_overlap: count(self.min_keyword_overlap, usual.min_keyword_overlap),
            token_budget: self.token_budget.map_or(usual.token_budget, Tokens),
            soft_percent: self.soft_percent.unwrap_or(usual.soft_percent),
            budget_mode: mode(&self.budget_mode),
            slots: self.slots.map(|slots| slots as usize),
            context_window: self.context_window.map(Tokens),
            specifics_in_window: self.specifics_in_window.map_or(usual.specifics_in_window, Tokens),
        };
        (rules, self.notes.read())
    }
}

impl StoredLimits {
    fn new(limits: &NoteLimits) -> Self {
        Self {
            enabled: Some(limits.enabled),
            soft_limit: Some(limits.soft_limit as u64),
            hard_limit: Some(limits.hard_limit as u64),
            adaptive: Some(limits.adaptive),
            batch_size: Some(limits.batch_size as u64),
            tag_aware: Some(limits.tag_aware),
            order: limits.order.as_str().to_owned(),
            threads: Some(limits.threads),
            archive_with_effort: Some(limits.archive_with_effort),
            protected_tags: Some(limits.protected_tags.clone()),
        }
    }

    fn read(&self) -> NoteLimits {
        let usual = NoteLimits::default();
        let count = |field: Option<u64>, usual: usize| field.map_or(usual, |count| count as usize);
        NoteLimits {
            enabled: self.enabled.unwrap_or(usual.enabled),
            soft_limit: count(self.soft_limit, usual.soft_limit),
            hard_limit: count(self.hard_limit, usual.hard_limit),
            adaptive: self.adaptive.unwrap_or(usual.adaptive),
            batch_size: count(self.batch_size, usual.batch_size),
            tag_aware: self.tag_aware.unwrap_or(usual.tag_aware),
            order: NoteOrder::from_name(&self.order).unwrap_or(usual.order),
            threads: self.threads.unwrap_or(usual.threads),
            archive_with_effort: self.archive_with_effort.unwrap_or(usual.archive_with_effort),
            protected_tags: self.protected_tags.clone().unwrap_or(usual.protected_tags),
        }
    }
}

fn mode_name(mode: BudgetMode) -> &'static str {
    match mode {
        BudgetMode::Auto => "auto",
        BudgetMode::Ask => "ask",
        BudgetMode::Off => "off",
    }
}

fn mode(name: &str) -> BudgetMode {
    match name {
        "ask" => BudgetMode::Ask,
        "off" => BudgetMode::Off,
        _ => BudgetMode::Auto,
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
            min_keyword_overlap: 1,
            token_budget: Tokens(7_777),
            soft_percent: 55,
            budget_mode: BudgetMode::Ask,
            slots: Some(4),
            context_window: Some(Tokens(8_192)),
            specifics_in_window: Tokens(90),
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
