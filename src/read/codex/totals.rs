//! What lines about tokens count.

use serde_json::Value;

use crate::read::value::count;

/// The counts of a line about tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Totals {
    /// What is cached or written is in it.
    pub input: u64,
    pub cached: u64,
    pub written: u64,
    pub output: u64,
    /// Both together; old lines do not add them up, and reasoning is part of the output.
    pub all: u64,
}

impl Totals {
    /// Whether a total tells the sum of its input and output, too, which speaks for both.
    pub(super) fn is_summed(total: &Value) -> bool {
        total.get("total_tokens").is_some_and(Value::is_u64)
    }

    /// Whether it tells both.
    pub(super) fn is_whole(total: &Value) -> bool {
        ["input_tokens", "output_tokens"].iter().all(|key| total[key].is_u64())
    }

    /// Whether either of input and output is less than before.
    pub(super) fn is_below(&self, before: &Self) -> bool {
        self.input < before.input || self.output < before.output
    }

    /// What a request took of which only the total after it is told: what that has grown by. One that fell begins anew, if
    /// input and output add up to what it tells of both; what does not is damaged, and tells nothing.
    pub(super) fn grown(total: &Value, before: Option<&Self>) -> Option<Self> {
        let total = Self::of(total);
        let both = total.input.saturating_add(total.output);
        let grown = match before {
            Some(before) if !total.is_below(before) => total.since(before),
            Some(_) if both != total.all => return None,
            _ => total,
        };
        let cached = grown.cached.min(grown.input);
        let written = grown.written.min(grown.input - cached);
        (both <= total.all).then_some(Self { cached, written, ..grown })
    }

    pub(super) fn of(usage: &Value) -> Self {
        let (input, output) = (count(usage, "input_tokens"), count(usage, "output_tokens"));
        let all = usage.get("total_tokens").and_then(Value::as_u64);
        Self {
            input,
            cached: count(usage, "cached_input_tokens"),
            written: count(usage, "cache_write_input_tokens"),
            output,
            all: all.unwrap_or_else(|| input.saturating_add(output)),
        }
    }

    /// Input and output by kind.
    pub(super) fn counts(&self) -> [u64; 4] {
        [self.input, self.cached, self.written, self.output]
    }

    fn both(&self, other: &Self, of: fn(u64, u64) -> u64) -> Self {
        Self {
            input: of(self.input, other.input),
            cached: of(self.cached, other.cached),
            written: of(self.written, other.written),
            output: of(self.output, other.output),
            all: of(self.all, other.all),
        }
    }

    /// By how much each count has grown; one that fell began anew.
    pub(super) fn since(&self, before: &Self) -> Self {
        self.both(before, |now, before| now.checked_sub(before).unwrap_or(now))
    }

    pub(super) fn at_most(&self, most: &Self) -> Self {
        self.both(most, u64::min)
    }
}
