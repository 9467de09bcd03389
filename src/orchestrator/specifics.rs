//! What a summary kept of its log: lifted when an effort is concluded, told to the model and to the person,
//! kept with the effort, and put back into the summary on request.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;
use tokio::task::JoinHandle;

use super::answer::Refusal;
use super::driver::Driver;
use super::notice::Notice;
use super::op::SpecificsCommand;
use super::turn::Progress;
use crate::memory::{Change, CloseSource, Effort, EffortId, Status, Tokens, without_labels};
use crate::specifics::{self, Report, Specific};

/// Characters of the missing specifics in a tool result.
const TOLD_CHARS: usize = 240;

/// The same in a notice, which is one line.
const LINE_CHARS: usize = 48;

/// Missing specifics that a list shows; the numbers of the others can still be added.
const MOST_MISSING_LISTED: usize = 60;

/// Kept specifics that a list shows.
const MOST_KEPT_LISTED: usize = 40;

/// What stands between a summary and the specifics that were added to it.
const OPENING: &str = " [Specifics: ";

/// What ends them.
const CLOSING: &str = "]";

/// The specifics of a log that are being looked for.
pub(super) type Lifting = JoinHandle<Vec<Specific>>;

impl Driver {
    /// Begins to look for the specifics of a log beside the rest: while its summary is written there is time.
    pub(super) fn lifting(&self, source: &CloseSource) -> Lifting {
        // The label over a text that is held by reference is nobody's words.
        let texts: Vec<Arc<str>> =
            source.messages.iter().map(|one| without_labels(&one.content)).collect();
        let finds = self.audience.finds();
        tokio::task::spawn_blocking(move || {
            specifics::extract_knowing(texts.iter().map(|text| &**text), &finds)
        })
    }

    /// Keeps the most telling specifics of a log that was just summarised with its effort; the change that is recorded
    /// next carries them to the disk.
    pub(super) async fn lift_specifics(&mut self, id: &EffortId, lifting: Lifting) -> Report {
        // A search that panicked has found nothing.
        let found = self.wanted(id, lifting.await.unwrap_or_default());
        self.keep_specifics(id, &found)
    }

    /// The specifics of the kinds that are wanted. The effort's own id is none: the model made it up.
    fn wanted(&self, id: &EffortId, mut found: Vec<Specific>) -> Vec<Specific> {
        let kinds: Vec<&str> = self.settings.specifics_kinds().collect();
        found.retain(|one| {
            kinds.contains(&one.kind.as_str()) && !one.text.eq_ignore_ascii_case(id.as_str())
        });
        found
    }

    fn keep_specifics(&mut self, id: &EffortId, found: &[Specific]) -> Report {
        let summary = self.memory.effort(id).and_then(Effort::summary);
        let report = Report::of(found, &summary.unwrap_or_default());
        // Where nobody watches, none are looked at later, and thousands of efforts have some each.
        if self.is_watched || self.memory.rules().specifics_in_window > Tokens(0) {
            let texts: Vec<String> =
                specifics::compact(&report).into_iter().map(|one| one.text).collect();
            self.memory.set_specifics(id, &texts);
        }
        report
    }

    /// Tells the person what a summary lost; when it lost nothing there is nothing to do.
    pub(super) fn tell_kept(&self, id: &EffortId, report: &Report) {
        if !report.missing.is_empty() {
            self.notify(Notice::Info(format!(
                "Its summary {}. Missing: {}. /specifics {id} adds them.",
                report.headline(),
                report.missing_line(LINE_CHARS)
            )));
        }
    }

    /// Judges the summaries that were made with the user's message, now that it is known whose log it joins: those of
    /// other efforts by what these hold without it.
    pub(super) fn judge_summaries(&mut self, log: Option<&EffortId>, progress: &mut Progress) {
        for (id, report) in std::mem::take(&mut progress.kept) {
            let report = match log {
                Some(log) if *log == id => Ok(report),
                _ => self.judge_without_newest(&id, progress),
            };
            // One that is open again has no summary.
            if let Ok(report) = report {
                self.tell_kept(&id, &report);
            }
        }
    }

    fn judge_without_newest(
        &mut self,
        id: &EffortId,
        progress: &mut Progress,
    ) -> Result<Report, Refusal> {
        let source = self.memory.raw_source(id.as_str(), self.store.read_log(id)?)?;
        let found = self.specifics_of(id)?;
        let edited = self.memory.judge_summary(&source);
        Ok(match edited {
            Some(edited) => self.store_edited(id, edited, &found, progress),
            None => self.keep_specifics(id, &found),
        })
    }

    /// Lists the specifics of a concluded effort, or changes which of them its summary holds.
    pub(super) fn change_specifics(
        &mut self,
        id: Option<&str>,
        command: &SpecificsCommand,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let id = self.concluded_or_newest(id)?;
        let found = self.specifics_of(&id)?;
        let effort = self.memory.lookup(id.as_str())?;
        let summary = effort.summary().unwrap_or_default();
        let report = Report::of(&found, &summary);
        let edited = match command {
            SpecificsCommand::List => return Ok(listed(&id, &report)),
            SpecificsCommand::Add(numbers) => {
                let chosen = chosen(&id, &report, numbers)?;
                let summary = with_added(&summary, &chosen);
                self.check_smaller(effort, &summary)?;
                self.memory.edit_summary(id.as_str(), &summary, "specifics added by hand")?
            }
            SpecificsCommand::Drop => {
                let Some((plain, _)) = divided(&summary) else {
                    let text = format!("No specifics were added to the summary of '{id}'.");
                    return Err(Refusal::of(text));
                };
                self.memory.edit_summary(id.as_str(), plain, "added specifics taken out by hand")?
            }
        };
        let report = self.store_edited(&id, edited, &found, progress);
        Ok(format!("The summary of '{id}' {} now.", report.headline()))
    }

    fn store_edited(
        &mut self,
        id: &EffortId,
        edited: Change,
        found: &[Specific],
        progress: &mut Progress,
    ) -> Report {
        let report = self.keep_specifics(id, found);
        let after = self.memory.layers().total();
        self.apply(vec![Change { after, ..edited }], progress);
        report
    }

    /// The specifics of the whole raw log.
    fn specifics_of(&self, id: &EffortId) -> Result<Vec<Specific>, Refusal> {
        let log = self.store.read_log(id)?;
        let said: Vec<Arc<str>> = log.iter().map(|(_, content)| without_labels(content)).collect();
        Ok(self.wanted(id, specifics::extract(said.iter().map(|said| &**said))))
    }

    /// The concluded effort that is meant, by default the one that was worked on last.
    fn concluded_or_newest(&self, id: Option<&str>) -> Result<EffortId, Refusal> {
        if let Some(id) = id {
            return Ok(self.memory.concluded_id(id)?);
        }
        let concluded = self.memory.efforts().iter().filter(|one| one.status == Status::Concluded);
        let newest = concluded.max_by_key(|effort| effort.last_used);
        newest
            .map(|effort| effort.id.clone())
            .ok_or_else(|| Refusal::of("No effort is concluded yet, so nothing could get lost."))
    }

    /// A summary is smaller than what it stands for, with its specifics too.
    fn check_smaller(&self, effort: &Effort, summary: &str) -> Result<(), Refusal> {
        let cost = self.memory.count(summary);
        match effort.raw_tokens.filter(|&log| cost >= log) {
            Some(log) => Err(Refusal::of(format!(
                "The summary of '{}' would have {cost} tokens and its log has only {log}: add fewer, or \
                 /reopen the effort.",
                effort.id
            ))),
            None => Ok(()),
        }
    }
}

/// What the model is told in the result of `close_effort`; nothing when nothing is missing.
pub(super) fn for_model(report: &Report) -> Option<Value> {
    if report.missing.is_empty() {
        return None;
    }
    Some(format!("{}; missing: {}", report.headline(), report.missing_line(TOLD_CHARS)).into())
}

/// The missing specifics under their numbers, then the kept ones.
fn listed(id: &EffortId, report: &Report) -> String {
    if report.total() == 0 {
        return format!("The log of '{id}' holds no paths, numbers, commands or other specifics.");
    }
    let mut text = format!("The summary of '{id}' {}.", report.headline());
    for (nth, one) in report.missing.iter().take(MOST_MISSING_LISTED).enumerate() {
        let _ = write!(text, "\n{:>3}. missing {}: {}", nth + 1, one.kind, one.text);
    }
    if let Some(more) = report.missing.len().checked_sub(MOST_MISSING_LISTED + 1) {
        let _ = write!(text, "\n     and {} more missing", more + 1);
    }
    let first = report.missing.len() + 1;
    for (nth, one) in report.kept.iter().take(MOST_KEPT_LISTED).enumerate() {
        let _ = write!(text, "\n{:>3}. kept {}: {}", first + nth, one.kind, one.text);
    }
    if let Some(more) = report.kept.len().checked_sub(MOST_KEPT_LISTED + 1) {
        let _ = write!(text, "\n     and {} more kept", more + 1);
    }
    if !report.missing.is_empty() {
        let _ = write!(
            text,
            "\n/specifics {id} add 1 2 puts those into the summary, add all every missing one."
        );
    }
    text
}

/// The missing specifics of those numbers, or all of them; each number must be one of a missing one.
fn chosen<'a>(
    id: &EffortId,
    report: &'a Report,
    numbers: &[usize],
) -> Result<Vec<&'a Specific>, Refusal> {
    if report.missing.is_empty() {
        let text = format!("The summary of '{id}' {}: none is missing.", report.headline());
        return Err(Refusal::of(text));
    }
    if numbers.is_empty() {
        return Ok(report.missing.iter().collect());
    }
    let pick = |&number: &usize| {
        let found = number.checked_sub(1).and_then(|at| report.missing.get(at));
        found.ok_or_else(|| {
            Refusal::of(format!(
                "There is no missing specific {number}: they are numbered 1 to {}. /specifics {id} \
                 lists them.",
                report.missing.len()
            ))
        })
    };
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.iter().map(pick).collect()
}

/// A summary with specifics behind it, in one pair of brackets with those that were added before.
fn with_added(summary: &str, chosen: &[&Specific]) -> String {
    let texts: Vec<&str> = chosen.iter().map(|one| one.text.as_str()).collect();
    let added = texts.join("; ");
    match divided(summary) {
        Some((plain, before)) => format!("{plain}{OPENING}{before}; {added}{CLOSING}"),
        None => format!("{}{OPENING}{added}{CLOSING}", summary.trim_end()),
    }
}

/// A summary without the specifics that were added to it, and those; `None` if none were.
fn divided(summary: &str) -> Option<(&str, &str)> {
    let inner = summary.strip_suffix(CLOSING)?;
    let at = inner.rfind(OPENING)?;
    Some((&inner[..at], &inner[at + OPENING.len()..]))
}
