//! Runs memory commands, for the model and for the user alike.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{Answer, Refusal};
use super::driver::Driver;
use super::notice::{CallReport, Notice};
use super::turn::{Progress, Stop};
use super::{gatekeeper, listing, notes, specifics};
use crate::counted::counted;
use crate::llm::{FinishReason, ToolCall};
use crate::memory::{ASKED_FOR, Change, EffortId, Rejected, Role};
use crate::store::{Error, Step};
use crate::tools::{self, Call};

impl Driver {
    /// Runs a call of the model. A mistake becomes its result; only a cancel ends the turn.
    pub(super) async fn run_model_call(
        &mut self,
        call: &ToolCall,
        ended: &FinishReason,
        progress: &mut Progress,
    ) -> Result<CallReport, Stop> {
        let parsed = match ended.shortfall() {
            // What a filter does not let through is not mended by being shorter.
            Some(shortfall) if *ended == FinishReason::ContentFilter => {
                Err(format!("the call {shortfall}; put it another way"))
            }
            Some(shortfall) => Err(format!("the call {shortfall}; send it again, shorter")),
            None => tools::parse(&call.name, &call.arguments).map_err(|misuse| misuse.to_string()),
        };
        let outcome = match parsed {
            Ok(parsed) => self.execute(&parsed, progress).await,
            Err(mistake) => Err(Refusal::of(mistake)),
        };
        let (result, ok) = match outcome {
            Ok(answer) => (self.admit_result(&call.name, answer.for_model, progress), true),
            Err(refusal) => (json!({ "error": refusal.for_model()? }), false),
        };
        let arguments = serde_json::from_str(&call.arguments)
            .unwrap_or_else(|_| Value::String(call.arguments.clone()));
        Ok(CallReport { name: call.name.clone(), arguments, result, ok })
    }

    /// Runs a call of the model or of the user.
    pub(super) async fn execute(
        &mut self,
        call: &Call,
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        match &self.resolve(call)? {
            Call::OpenEffort { name } => {
                let change = self.memory.open(name)?;
                let id = self.apply_one(change, progress);
                Ok(Answer {
                    for_model: json!({ "id": id, "status": "open", "active": true }),
                    for_people: format!("'{id}' is open and active."),
                })
            }
            Call::CloseEffort { id } => self.close_effort(id.as_deref(), progress).await,
            Call::EffortStatus { id: None, page } => Ok(listing::all(&self.memory, *page)),
            Call::EffortStatus { id: Some(id), .. } => {
                let id = self.memory.lookup(id)?.id.clone();
                let returned = self.memory.refresh(&id, "status asked");
                self.apply(returned.into_iter().collect(), progress);
                Ok(listing::one(&self.memory, self.memory.lookup(id.as_str())?))
            }
            Call::ExpandEffort { id, messages: Some(range) } => {
                self.tell_messages(id, *range, progress)
            }
            Call::ExpandEffort { id, messages: None } => {
                let id = self.memory.check_expandable(id)?;
                let raw = self.whole_log(&id)?;
                let change = self.memory.expand(id.as_str(), raw)?;
                self.requests.looked_up.logs.push(id.clone());
                self.apply(vec![change], progress);
                Ok(listing::expanded(&self.memory, self.memory.lookup(id.as_str())?))
            }
            Call::CollapseEffort { id } => {
                let change = self.memory.collapse(id)?;
                let id = self.apply_one(change, progress);
                Ok(Answer {
                    for_model: json!({ "id": id, "status": "concluded", "state": "warm" }),
                    for_people: format!("'{id}' is back to its summary."),
                })
            }
            Call::SwitchEffort { id } => {
                let change = self.memory.switch(id)?;
                let id = self.apply_one(change, progress);
                Ok(Answer {
                    for_model: json!({ "id": id, "status": "open", "active": true }),
                    for_people: format!("'{id}' is the active effort."),
                })
            }
            Call::ReopenEffort { id } => self.reopen_effort(id, progress),
            Call::SearchEfforts { query, all, page } => {
                self.search(query, *all, *page, progress).await
            }
            Call::Remember { content, tags, salience } => {
                self.remember(content, tags, *salience, progress)
            }
            Call::WorkingMemoryStats => Ok(notes::told_stats(&self.memory.note_stats())),
            Call::ScratchpadSave { key, content, description } => {
                self.pad_save(key, content, description.as_deref(), progress)
            }
            Call::ScratchpadList { page } => Ok(gatekeeper::list(self.store.scratchpad(), *page)),
            Call::ScratchpadReadChunk { key, chunk_index } => {
                let chunk = self.store.scratchpad().chunk(key, *chunk_index)?;
                Ok(gatekeeper::chunk(key, &chunk))
            }
            Call::ScratchpadSearch { query, key } => self.pad_search(query, key.as_deref()).await,
        }
    }

    /// The log of a concluded effort, which shall stand in the window in place of its summary.
    pub(super) fn whole_log(&mut self, id: &EffortId) -> Result<Vec<(Role, Arc<str>)>, Refusal> {
        let raw = self.store.read_log(id)?;
        let checked = self.memory.check_log(id, raw.len());
        if checked.is_err() {
            self.show_memory();
        }
        checked?;
        Ok(raw)
    }

    fn reopen_effort(&mut self, id: &str, progress: &mut Progress) -> Result<Answer, Refusal> {
        let id = self.memory.check_reopenable(id)?;
        let raw = self.whole_log(&id)?;
        let change = self.memory.reopen(id.as_str(), raw)?;
        self.apply(vec![change], progress);
        let messages = self.memory.lookup(id.as_str())?.raw_messages;
        Ok(Answer {
            for_model: json!({ "id": id.as_str(), "status": "open", "active": true, "messages": messages }),
            for_people: format!("'{id}' is open again; its log continues."),
        })
    }

    /// Concludes an effort with a summary of its raw log; a log under a hundred tokens may stand for
    /// itself instead.
    async fn close_effort(
        &mut self,
        id: Option<&str>,
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        let is_of_it = !progress.user.is_empty() && !progress.goes_on;
        let user = is_of_it.then(|| Arc::clone(&progress.user));
        let source = self.memory.close_source(id, user.as_deref())?;
        let lifting = self.lifting(&source);
        let summary = self.summarize(&source, progress).await?;
        let concluded = match self.memory.conclude(&source, &summary) {
            Err(Rejected::SummaryNotSmaller { .. }) if source.may_stand_for_itself() => {
                self.memory.conclude(&source, &source.text())?
            }
            Err(rejected @ Rejected::SummaryNotSmaller { .. }) => {
                return Err(Refusal::of(format!("{rejected}. The effort stays open.")));
            }
            outcome => outcome?,
        };
        let report = self.lift_specifics(&source.id, lifting).await;
        let (before, after) = (concluded.before, self.memory.layers().total());
        let mut changes = vec![Change { after, ..concluded }];
        if self.memory.note_limits().archive_with_effort {
            changes.extend(self.memory.archive_notes_of(&source.id));
        }
        self.apply(changes, progress);
        let summary = self.memory.lookup(source.id.as_str())?.summary().unwrap_or_default();
        let mut for_model = json!({
            "id": source.id.as_str(), "status": "concluded", "summary": &*summary,
            "tokens_before": before.0, "tokens_after": after.0,
        });
        if let Some(lost) = specifics::for_model(&report) {
            for_model["specifics"] = lost;
        }
        if source.holds_newest {
            progress.kept.push((source.id.clone(), report));
        } else {
            self.tell_kept(&source.id, &report);
        }
        let of = if summary.is_empty() { "; nothing was said in it." } else { ": " };
        Ok(Answer { for_model, for_people: format!("'{}' is concluded{of}{summary}", source.id) })
    }

    /// Records a change and says whom it concerns.
    pub(super) fn apply_one(&mut self, change: Change, progress: &mut Progress) -> String {
        let id = change.subject.to_string();
        self.apply(vec![change], progress);
        id
    }

    /// Records what memory did and tells the client. The change is made even if the disk refuses its
    /// journal line; the user hears of it and the next line carries the state on.
    pub(super) fn apply(&mut self, changes: Vec<Change>, progress: &mut Progress) {
        self.apply_step(changes, Step::Done, progress);
    }

    /// The same for changes that undo or redo earlier ones.
    pub(super) fn apply_step(
        &mut self,
        mut changes: Vec<Change>,
        step: Step,
        progress: &mut Progress,
    ) {
        if changes.is_empty() {
            return;
        }
        if matches!(step, Step::Done) {
            for change in &mut changes {
                self.name_who(change);
            }
        }
        if let Err(error) = self.record_step(&changes, step) {
            let advice = "What you see is right, but a crash now would forget it. It is written with the next change \
                          that the disk takes.";
            self.notify(Notice::problem(error.to_string(), advice));
            progress.unrecorded = true;
        }
        self.index_changes(&changes);
        for change in changes {
            self.notify(Notice::Changed(change.clone()));
            progress.changes.push(change);
        }
        if self.under_way.is_some() {
            self.show_memory();
        }
    }

    /// Records changes behind those that the disk did not take before.
    fn record_step(&mut self, changes: &[Change], step: Step) -> Result<(), Error> {
        self.store.prepare(changes);
        if let Err(error) = self.record_refused() {
            self.refused.push((changes.to_vec(), step));
            return Err(error);
        }
        self.write_step(changes, step)
    }

    /// Records what the disk did not take before, as far as it takes it now.
    pub(super) fn record_refused(&mut self) -> Result<(), Error> {
        let mut refused = std::mem::take(&mut self.refused).into_iter();
        while let Some((changes, step)) = refused.next() {
            if let Err(error) = self.write_step(&changes, step) {
                self.refused.extend(refused);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Records changes, or keeps them for later. What stands in the journal, though nobody knows whether it outlasts a loss
    /// of power, is not written twice.
    fn write_step(&mut self, changes: &[Change], step: Step) -> Result<(), Error> {
        let before = self.store.steps();
        let recorded = self.store.record(changes, &self.memory, step);
        if recorded.is_err() && self.store.steps() == before {
            self.refused.push((changes.to_vec(), step));
        }
        recorded
    }

    /// Answers a command. Where the disk did not take what it did, it is asked once more: whoever hears that it is in memory
    /// only does it again.
    pub(super) fn answer_recorded(&mut self, done: Result<String, Refusal>, progress: &Progress) {
        let is_lost = progress.unrecorded && self.record_refused().is_err();
        let done = match done {
            Ok(told) if is_lost => {
                let why = "It is in memory only: the disk did not take it.";
                let refusal = Refusal::of(format!("{told} {why}"));
                self.told.in_memory_only = Some(told);
                Err(refusal)
            }
            done => done,
        };
        self.answer(done);
    }

    /// The session is closed: a last attempt, and what it means if the disk takes nothing. Tells whether all is kept.
    pub(super) fn leave_refused(&mut self) -> bool {
        let refused = self.record_refused();
        if let (Ok(()), Some(told)) = (&refused, self.told.in_memory_only.take()) {
            self.notify(Notice::SavedLate(told));
        }
        if let Err(error) = &refused {
            let lost = self.refused.iter().map(|(changes, _)| changes.len() as u64).sum();
            let what =
                format!("{error}: what memory did last is lost, {}", counted(lost, "change"));
            let advice = match error {
                // It says what to do itself.
                Error::Moved(_) => "",
                _ => "What was said is in its logs.",
            };
            self.notify(Notice::problem(what, advice));
            self.notify(Notice::Unkept);
        }
        refused.is_ok()
    }

    /// Tells who asked for a change: within a turn the model calls, between two a person does, and what is told again is
    /// opened and concluded by whoever tells it.
    fn name_who(&self, change: &mut Change) {
        if change.cause == ASKED_FOR {
            let who = match self.under_way {
                _ if self.running.retold.is_some() => "by the replay",
                Some(_) => "by the model",
                None => "by you",
            };
            who.clone_into(&mut change.cause);
        }
    }
}
