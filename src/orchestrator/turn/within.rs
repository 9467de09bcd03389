//! Requests that keep to what the model takes, as far as its server says how much that is.

use crate::llm::{self, Completion};
use crate::memory::Tokens;
use crate::orchestrator::driver::Driver;
use crate::orchestrator::exchange::ToolExchange;
use crate::orchestrator::loading::fitting;
use crate::orchestrator::notice::Notice;
use crate::orchestrator::turn::{Progress, Stop};

impl Driver {
    /// Sends the next request of the turn. Where it has more tokens than the model takes and the server says how many that
    /// are, it goes out again within them.
    pub(super) async fn ask_within(
        &mut self,
        round: u32,
        may_call: bool,
        exchange: &mut ToolExchange,
        progress: &mut Progress,
    ) -> Result<Completion, Stop> {
        loop {
            let request = self.chat_request(progress, exchange, may_call)?;
            progress.requests = round;
            self.notify(Notice::RequestSent { round, layers: progress.answered.layers });
            self.show_memory();
            let cost = progress.answered.layers.total();
            match self.ask(request, cost, progress).await {
                Err(Stop::Request(error)) if self.keeps_to(&error, cost, progress) => {
                    progress.requests = round - 1;
                }
                answered => return answered,
            }
        }
    }

    /// Whether the window became smaller, because a refusal of a request of that cost says how much the model takes.
    pub(in crate::orchestrator) fn keeps_to(
        &mut self,
        refusal: &llm::Error,
        cost: Tokens,
        progress: &mut Progress,
    ) -> bool {
        let Some(takes) = refusal.takes() else { return false };
        let mut settings = self.settings.clone();
        let Some(told) = settings.fit_to_refusal(takes, cost.0) else { return false };
        let (rules, refused) = fitting(&self.memory, &settings);
        if refused.is_some() || self.memory.set_rules(rules).is_err() {
            return false;
        }
        self.settings = settings;
        self.notify(Notice::Info(told));
        self.show_settings();
        let changes = self.memory.forms_changed();
        self.apply(changes, progress);
        true
    }
}
