//! What a person does with efforts by hand, between turns.

use super::driver::Driver;
use super::execute::Refusal;
use super::notice::{EffortCommand, Notice};
use super::turn::{Progress, Stop};
use crate::memory::Change;

impl Driver {
    /// Carries a person's command for an effort out and says what came of it.
    pub(super) async fn effort_command(&mut self, id: &str, command: EffortCommand) {
        let mut progress = Progress::new("".into());
        let (ok, text) = match self.steer(id, command, &mut progress).await {
            Ok(changes) => {
                let said: Vec<String> = changes.iter().map(plain).collect();
                self.apply(changes, &mut progress);
                (true, said.join(" "))
            }
            Err(Refusal::Reply(sentence)) => (false, sentence),
            Err(Refusal::Stop(Stop::Cancelled)) => (false, "cancelled".to_owned()),
            Err(Refusal::Stop(Stop::Failed(what, _) | Stop::ScriptShort(what))) => (false, what),
        };
        self.notify(Notice::CommandDone { ok, text });
        self.show_memory();
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
                let raw = self.store.read_log(&id)?;
                let source = self.memory.raw_source(id.as_str(), raw)?;
                let summary = self.summarize(&source, progress).await?;
                let cost = self.memory.count(&summary);
                if cost >= source.tokens && !source.may_stand_for_itself() {
                    return Err(Refusal::Reply(format!(
                        "the new summary of '{id}' has {cost} tokens and its log only {}: the old one \
                         stays",
                        source.tokens
                    )));
                }
                let cause = "summarised again from the raw log";
                let edited = self.memory.edit_summary(id.as_str(), &summary, cause)?;
                let report = self.lift_specifics(&source);
                self.tell_kept(&id, &report);
                vec![Change { after: self.memory.layers().total(), ..edited }]
            }
        })
    }
}

/// A banner's words as a sentence.
fn plain(change: &Change) -> String {
    format!("{}.", change.banner().trim_matches(['-', ' ']))
}
