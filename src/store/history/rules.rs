//! The rules in force, as the journal holds them.

use serde_json::{Map, Value, json};

use crate::memory::{BudgetMode, NoteLimits, NoteOrder, Rules, Tokens};
use crate::store::journal::object;

/// Rules and limits as fields.
pub(in crate::store) fn rules_fields(rules: &Rules, limits: &NoteLimits) -> Map<String, Value> {
    object(json!({
        "decay_threshold": rules.decay_threshold,
        "summary_eviction_threshold": rules.summary_eviction_threshold,
        "ambient_window": rules.ambient_window,
        "min_keyword_overlap": rules.min_keyword_overlap,
        "token_budget": rules.token_budget.0,
        "soft_percent": rules.soft_percent,
        "budget_mode": mode_name(rules.budget_mode),
        "slots": rules.slots,
        "context_window": rules.context_window.map(|tokens| tokens.0),
        "specifics_in_window": rules.specifics_in_window.0,
        "notes": {
            "enabled": limits.enabled,
            "soft_limit": limits.soft_limit,
            "hard_limit": limits.hard_limit,
            "adaptive": limits.adaptive,
            "batch_size": limits.batch_size,
            "tag_aware": limits.tag_aware,
            "order": limits.order.as_str(),
            "threads": limits.threads,
            "archive_with_effort": limits.archive_with_effort,
            "protected_tags": limits.protected_tags,
        },
    }))
}

/// Reads what [`rules_fields`] wrote; a field that is missing has its default.
pub(super) fn read(fields: &Map<String, Value>) -> (Rules, NoteLimits) {
    let mut rules = Rules::default();
    let set = |field: &mut u64, key: &str| {
        *field = fields.get(key).and_then(Value::as_u64).unwrap_or(*field);
    };
    set(&mut rules.decay_threshold, "decay_threshold");
    set(&mut rules.summary_eviction_threshold, "summary_eviction_threshold");
    set(&mut rules.soft_percent, "soft_percent");
    set(&mut rules.token_budget.0, "token_budget");
    set(&mut rules.specifics_in_window.0, "specifics_in_window");
    let count = |key: &str| fields.get(key).and_then(Value::as_u64).map(|count| count as usize);
    rules.ambient_window = count("ambient_window").unwrap_or(rules.ambient_window);
    rules.min_keyword_overlap = count("min_keyword_overlap").unwrap_or(rules.min_keyword_overlap);
    rules.slots = count("slots");
    rules.context_window = fields.get("context_window").and_then(Value::as_u64).map(Tokens);
    rules.budget_mode = mode(fields.get("budget_mode").and_then(Value::as_str).unwrap_or_default());
    let limits = fields.get("notes").map(read_limits).unwrap_or_default();
    (rules, limits)
}

fn read_limits(fields: &Value) -> NoteLimits {
    let mut limits = NoteLimits::default();
    let flag = |key: &str, usual: bool| fields[key].as_bool().unwrap_or(usual);
    let count = |key: &str, usual: usize| fields[key].as_u64().map_or(usual, |n| n as usize);
    limits.enabled = flag("enabled", limits.enabled);
    limits.adaptive = flag("adaptive", limits.adaptive);
    limits.tag_aware = flag("tag_aware", limits.tag_aware);
    limits.threads = flag("threads", limits.threads);
    limits.archive_with_effort = flag("archive_with_effort", limits.archive_with_effort);
    limits.soft_limit = count("soft_limit", limits.soft_limit);
    limits.hard_limit = count("hard_limit", limits.hard_limit);
    limits.batch_size = count("batch_size", limits.batch_size);
    let order = fields["order"].as_str().and_then(|name| NoteOrder::from_name(name).ok());
    limits.order = order.unwrap_or(limits.order);
    if let Some(tags) = fields["protected_tags"].as_array() {
        limits.protected_tags =
            tags.iter().filter_map(|tag| tag.as_str().map(str::to_owned)).collect();
    }
    limits
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
        assert_eq!(read(&rules_fields(&rules, &limits)), (rules, limits));
        let usual = (Rules::default(), NoteLimits::default());
        assert_eq!(read(&rules_fields(&usual.0, &usual.1)), usual);
        assert_eq!(read(&Map::new()), usual);
    }
}
