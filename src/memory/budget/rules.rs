//! Which rules hold the ceiling, and which make no sense.

use crate::counted::counted;
use crate::memory::{Memory, Rules, Tokens};

/// Tokens that two short exchanges need: less leaves no room to talk.
const TWO_EXCHANGES: u64 = 200;

/// What happens when the window grows over the lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BudgetMode {
    /// The least salient items leave by themselves.
    #[default]
    Auto,
    /// What would leave at the soft line is announced and waits for consent; the hard line holds.
    Ask,
    /// Nothing leaves before the model's own limit; there are warnings instead.
    Off,
}

impl BudgetMode {
    /// The word for it in settings and as stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ask => "ask",
            Self::Off => "off",
        }
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Auto, Self::Ask, Self::Off].into_iter().find(|mode| mode.as_str() == name)
    }
}

/// Rules that were refused; the old ones hold on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The budget has no room for what every request needs.
    #[error(
        "token_budget of {budget} is too small: the system prompt and the tools take {fixed} tokens \
         and two exchanges need {TWO_EXCHANGES}; choose at least {}", *fixed + Tokens(TWO_EXCHANGES)
    )]
    BudgetTooSmall {
        /// What was asked for.
        budget: Tokens,
        /// System prompt and tools.
        fixed: Tokens,
    },
    /// The model takes less than every request needs.
    #[error(
        "context_window of {window} is too small: the system prompt and the tools take {fixed} tokens \
         and two exchanges need {TWO_EXCHANGES}; choose a model that takes at least {}",
        *fixed + Tokens(TWO_EXCHANGES)
    )]
    ModelTooSmall {
        /// What the model takes.
        window: Tokens,
        /// System prompt and tools.
        fixed: Tokens,
    },
    /// The soft line lies above the hard one, or there is none.
    #[error(
        "soft_percent of {percent} makes no sense: choose a share of token_budget from 1 to 100"
    )]
    SoftAboveHard {
        /// What was asked for.
        percent: u64,
    },
    /// No summary could ever be in the window.
    #[error("slots of 0 would keep every summary out: choose 1 or more, or leave it unset")]
    NoSlots,
}

impl RulesError {
    /// The fewest tokens with which every request has room, where it is they that are missing.
    pub fn least(&self) -> Option<Tokens> {
        match self {
            Self::BudgetTooSmall { fixed, .. } | Self::ModelTooSmall { fixed, .. } => {
                Some(*fixed + Tokens(TWO_EXCHANGES))
            }
            Self::SoftAboveHard { .. } | Self::NoSlots => None,
        }
    }
}

impl Rules {
    /// The soft line in tokens.
    pub fn soft_line(&self) -> Tokens {
        Tokens(self.token_budget.0.saturating_mul(self.soft_percent) / 100)
    }

    /// The low line in tokens, never above the soft one.
    pub fn low_line(&self) -> Tokens {
        let percent = self.low_percent.min(self.soft_percent);
        Tokens(self.token_budget.0.saturating_mul(percent) / 100)
    }

    /// Exchanges that gather before a tide.
    pub fn tide(&self) -> usize {
        if self.seeds { 0 } else { self.ambient_tide }
    }

    /// The most that what is recalled for a message may cost.
    pub fn recall(&self) -> Tokens {
        if self.seeds { Tokens(0) } else { self.recall_tokens }
    }

    /// The most that a request may cost: the budget, but never more than the model takes. With the
    /// budget switched off only the model's own limit holds.
    pub fn limit(&self) -> Tokens {
        let window = self.context_window.unwrap_or(Tokens(u64::MAX));
        match self.budget_mode {
            BudgetMode::Off => window,
            BudgetMode::Auto | BudgetMode::Ask => self.token_budget.min(window),
        }
    }
}

impl Memory {
    /// Whether rules make sense for this session.
    ///
    /// # Errors
    /// Refuses a budget without room for the system prompt, the tools and two exchanges, a soft line
    /// above the hard one, and no slots at all. The text names the setting.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), RulesError> {
        let fixed = self.frame_layers.total();
        let least = fixed + Tokens(TWO_EXCHANGES);
        if !(1..=100).contains(&rules.soft_percent) {
            return Err(RulesError::SoftAboveHard { percent: rules.soft_percent });
        }
        if rules.slots == Some(0) {
            return Err(RulesError::NoSlots);
        }
        if rules.token_budget < least {
            return Err(RulesError::BudgetTooSmall { budget: rules.token_budget, fixed });
        }
        match rules.context_window {
            Some(window) if window < least => Err(RulesError::ModelTooSmall { window, fixed }),
            _ => Ok(()),
        }
    }

    /// Changes the rules; they hold from the next turn on, the limit from the next request on.
    ///
    /// # Errors
    /// As [`Memory::check_rules`]; the old rules hold on.
    pub fn set_rules(&mut self, rules: Rules) -> Result<(), RulesError> {
        self.check_rules(&rules)?;
        self.rules = rules;
        self.ambient.set_window(&rules);
        self.replan();
        Ok(())
    }

    /// What the user should know while the budget does not act by itself, or cannot: sentences, usually none.
    pub fn warnings(&self) -> Vec<String> {
        let (total, budget) = (self.layers().total(), self.rules.token_budget);
        let nothing_waits = || self.exchanges_waiting() == 0 && self.waiting_to_leave().is_empty();
        match self.rules.budget_mode {
            BudgetMode::Auto | BudgetMode::Ask
                if total > self.rules.soft_line() && nothing_waits() =>
            {
                self.warning_of_pins().into_iter().collect()
            }
            BudgetMode::Off if total > budget => vec![format!(
                "The window has {total} tokens, {} over token_budget, and nothing leaves by itself. \
                 Set budget_mode to auto, or collapse or evict something.",
                total.saturating_sub(budget)
            )],
            BudgetMode::Ask if total > self.rules.soft_line() => vec![format!(
                "The window is {} tokens over the soft line: {} would leave and wait for your consent. \
                 /let-leave lets them go.",
                total.saturating_sub(self.rules.soft_line()),
                self.waiting_in_words()
            )],
            _ => Vec::new(),
        }
    }

    /// That the window is over the soft line because of what is pinned, if without that it would not be.
    fn warning_of_pins(&self) -> Option<String> {
        let over = self.layers().total().saturating_sub(self.rules.soft_line());
        let (items, tokens) = self.pinned();
        (tokens >= over).then(|| {
            format!(
                "The window is {over} tokens over the soft line, and what is left to leave it is pinned: {} with {tokens} \
                 tokens. /unpin ID lets one go, /budget TOKENS gives more room.",
                counted(items as u64, "item")
            )
        })
    }

    /// How much waits for consent.
    fn waiting_in_words(&self) -> String {
        let items = self.waiting_to_leave().len() as u64;
        match (self.exchanges_waiting() as u64, items) {
            (0, _) => counted(items, "item"),
            (exchanges, 0) => counted(exchanges, "exchange"),
            (exchanges, _) => {
                format!("{} and {}", counted(exchanges, "exchange"), counted(items, "item"))
            }
        }
    }
}
