//! The budget follows what the model takes.

use super::{Key, Settings, Slot, Source, Value};

/// Tokens that a budget leaves for an answer, at most.
const LONGEST_ANSWER: u64 = 4_096;

/// One in so many tokens is little.
const LITTLE: u64 = 16;

/// Times that a server counts as many tokens as we do at most.
const AS_MANY: u64 = 3;

/// What a model that takes so many tokens leaves a request, beside an answer.
pub fn room_in(context: u64) -> u64 {
    context - (context / 4).min(LONGEST_ANSWER)
}

/// Whether a request of so many tokens may have been refused for a limit of so many. Where it was far below that, it passed
/// perhaps the room for its answer.
fn is_about_length(takes: u64, sent: u64) -> bool {
    takes > 0 && takes <= sent.saturating_mul(AS_MANY)
}

/// The most tokens of the next request, as we count, to a model that takes so many as its server counts, where one of `sent`
/// was refused: less than that in any case. `None` where that was not what it was refused for.
pub fn after_refusal(takes: u64, sent: u64) -> Option<u64> {
    if !is_about_length(takes, sent) {
        return None;
    }
    // What is no smaller than the request was would be refused again.
    [room_in(takes), sent / 10 * 9].into_iter().find(|most| *most < sent)
}

impl Settings {
    /// Takes over what the model takes, in tokens, as the server or a table says, unless the person said it. Gives
    /// a sentence where the window becomes smaller by it.
    pub fn fit_to(&mut self, context: u64, source: Source) -> Option<String> {
        if *self.source(Key::ContextWindow) != Source::Default || context == 0 {
            return None;
        }
        let before = self.number(Key::TokenBudget);
        let slot = Slot { value: Value::Number(context), source };
        *self.slot_mut(Key::ContextWindow) = slot;
        self.follow_context();
        let now = self.number(Key::TokenBudget).min(context);
        (now < before).then(|| {
            format!(
                "The model takes {context} tokens, so the window keeps to {now} instead of {before}. If it \
                 takes more, set context_window."
            )
        })
    }

    /// Takes over what the model takes as the refusal of a request of `sent` tokens says, unless the person said it. Where that
    /// was kept to, its server counts more tokens than we do, and the window becomes smaller all the same. Gives a sentence
    /// where it does.
    pub fn fit_to_refusal(&mut self, takes: u64, sent: u64) -> Option<String> {
        let kept_to = |settings: &Self| {
            let most = settings.context_window().unwrap_or(u64::MAX);
            settings.number(Key::TokenBudget).min(most)
        };
        let source = self.source(Key::ContextWindow);
        let is_ours = matches!(source, Source::Default | Source::Server | Source::Table);
        if !is_ours || !is_about_length(takes, sent) {
            return None;
        }
        let before = kept_to(self);
        let known = self.context_window().unwrap_or(u64::MAX);
        // What is no smaller than the request was would be refused again. A tenth less is tried, with the room for an answer
        // that a budget leaves which nobody set, or without.
        for context in [takes.min(known), sent / 5 * 6, sent / 10 * 9] {
            let slot = Slot { value: Value::Number(context.max(1)), source: Source::Server };
            *self.slot_mut(Key::ContextWindow) = slot;
            self.follow_context();
            let now = kept_to(self);
            if now < before.min(sent) {
                return Some(format!(
                    "The model takes {takes} tokens as its server counts them, so the window keeps to {now} instead of \
                     {before}, and the request goes out again."
                ));
            }
        }
        None
    }

    /// Forgets what a server said before, and takes over what another model takes, if that is known.
    pub fn fit_anew(&mut self, context: Option<u64>) {
        self.forget_context();
        if let Some(context) = context {
            self.fit_to(context, Source::Server);
        }
    }

    /// Takes over from how many tokens on, as we count, the cache of the model keeps the beginning of a prompt, and what a token
    /// from there costs, in percent of another; with 0 tokens, that nobody knows. What differs little is no change.
    pub fn fit_cache(&mut self, least: u64, percent: u64) {
        let (before, was) = self.cache_rules;
        let is_like = before.abs_diff(least) < before.div_ceil(LITTLE);
        if !is_like || percent != was {
            self.cache_rules = (least, percent);
        }
    }

    /// Forgets what a server, or the table, said that its model takes.
    pub fn forget_context(&mut self) {
        if matches!(self.source(Key::ContextWindow), Source::Server | Source::Table) {
            let value = Key::ContextWindow.kind().default_value();
            *self.slot_mut(Key::ContextWindow) = Slot { value, source: Source::Default };
        }
        self.follow_context();
    }

    /// The list tells the provider and the model that a person chose in the session, which answer whatever is set; `None`
    /// where those answer that are set.
    pub fn tell_chosen(&mut self, chosen: Option<(String, String)>) {
        self.chosen = chosen;
    }

    /// What answers because it was chosen in the session, where this setting names such a thing. What is set since counts
    /// from the next start on, and is told as that.
    pub(super) fn chosen_here(&self, key: Key) -> Option<&str> {
        let (provider, model) = self.chosen.as_ref()?;
        let chosen = match key {
            Key::Provider => provider,
            Key::Model => model,
            _ => return None,
        };
        (*self.source(key) != Source::Chat).then_some(chosen)
    }

    /// Where a value came from, as people are told: a budget that nobody set may be what a model leaves room for.
    pub(super) fn shown_source(&self, key: Key) -> Source {
        if self.chosen_here(key).is_some() {
            return Source::Session;
        }
        let told = matches!(self.source(Key::ContextWindow), Source::Server | Source::Table);
        let slot = self.slot(key);
        let is_usual = slot.value.shown() == key.default_value();
        match &slot.source {
            Source::Default if key == Key::TokenBudget && told && !is_usual => Source::Model,
            source => source.clone(),
        }
    }

    /// A budget that nobody set leaves the model room for its answer.
    pub(super) fn follow_context(&mut self) {
        if *self.source(Key::TokenBudget) == Source::Default {
            let fit = self.context_window().map_or(u64::MAX, room_in);
            let usual = Key::TokenBudget.default_value().parse().unwrap_or(fit);
            self.slot_mut(Key::TokenBudget).value = Value::Number(fit.min(usual));
        }
    }
}
