//! What a person does with efforts by hand, between turns.

use super::answer::Refusal;
use super::driver::Driver;
use super::op::EffortCommand;
use super::turn::Progress;
use crate::memory::Change;

impl Driver {
    /// Carries a person's command for an effort out and says what came of it.
    pub(super) async fn effort_command(
        &mut self,
        id: &str,
        command: EffortCommand,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let changes = self.steer(id, command, progress).await?;
        let said: Vec<String> = changes.iter().map(plain).collect();
        self.apply(changes, progress);
        Ok(said.join(" "))
    }

    async fn steer(
        &mut self,
        id: &str,
        command: EffortCommand,
        progress: &mut Progress,
    ) -> Result<Vec<Change>, Refusal> {
        Ok(match command {
            EffortCommand::Pin => vec![self.memory.pin(id)?],
            EffortCommand::Unpin => vec![self.memory.unpin(id)?],
            EffortCommand::Keep => vec![self.memory.keep(id)?],
            EffortCommand::Evict => self.memory.evict_now(id)?,
            EffortCommand::Edit(summary) => {
                vec![self.memory.edit_summary(id, &summary, "worded by hand")?]
            }
            EffortCommand::SummarizeAgain => {
                let id = self.memory.concluded_id(id)?;
                let raw = self.whole_log(&id)?;
                let source = self.memory.raw_source(id.as_str(), raw)?;
                let lifting = self.lifting(&source);
                let summary = self.summarize(&source, progress).await?;
                let cost = self.memory.count(&summary);
                if cost >= source.tokens && !source.is_itself(&summary) {
                    return Err(Refusal::of(format!(
                        "the new summary of '{id}' has {cost} tokens and its log only {}: the old one \
                         stays",
                        source.tokens
                    )));
                }
                let cause = "summarised again from the raw log";
                let edited = self.memory.edit_summary(id.as_str(), &summary, cause)?;
                let report = self.lift_specifics(&id, lifting).await;
                self.tell_kept(&id, &report);
                vec![Change { after: self.memory.layers().total(), ..edited }]
            }
        })
    }
}

/// A banner's words as a sentence.
fn plain(change: &Change) -> String {
    format!("{}.", change.words())
}
