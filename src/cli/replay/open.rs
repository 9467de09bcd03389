//! `replay --open`: the replayed session in the full-screen app.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::reading::Read;
use crate::cli::converse::end_of_app;
use crate::cli::input::{is_standard_input, named};
use crate::cli::runtime::run;
use crate::cli::uncompact::{goes_on_at, headline, losses_told};
use crate::cli::waiting::hearing;
use crate::cli::{Error, Job, Streams};
use crate::counted::counted;
use crate::memory::Turn;
use crate::orchestrator::{self, Audience, Setup};
use crate::replay::{Loss, Mark, Replayed};
use crate::shell::shell_word;
use crate::specifics::Kind;
use crate::tokens::Cl100k;
use crate::tui::{self, AppOptions, compacted::Compacted};

/// Specifics of a kind that are named at most.
const MOST: usize = 12;

/// Shows the session in a directory, which came of a replay, until it is left.
pub(super) fn open(
    job: &Job<'_>,
    directory: &Path,
    read: &Read,
    replayed: &Replayed,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let compactions = compactions(read);
    let compacted_then = (replayed.compacted > 0).then(|| replayed.then.paid());
    run(async {
        let (model, found) = job.model(streams).await?;
        let (settings, remark) = job.fitted_to(&*model);
        let mut options = AppOptions { compactions, compacted_then, ..job.app_options() };
        options.remarks.extend(found.into_iter().chain(remark));
        options.notes.push(hint(&options));
        options.notes.extend(replayed.concluded.map(|_| OF_THE_END.to_owned()));
        let setup = Setup {
            directory: directory.to_owned(),
            model,
            settings,
            counter: Arc::new(Cl100k::lazy()),
            count_first: false,
            check_notes_every: Some(orchestrator::NOTES_CHECK),
            compress_in_turn: false,
            audience: Audience::Person,
        };
        let (handle, notices) = orchestrator::start(setup)?;
        let mut left = tui::Left::default();
        let (send, keep) = (|op| handle.send(op), |drafts| handle.keep_drafts(drafts));
        let exit = hearing(tui::run(send, keep, notices, options, &mut left)).await;
        end_of_app(exit)
    })
}

/// What came behind the last turn.
const OF_THE_END: &str = "Behind the last turn the topic that was still open is concluded.";

fn hint(options: &AppOptions) -> String {
    let walk = options.keymap.fill("{global.past}");
    match options.compactions.len() {
        0 => format!("{walk} walks through the turns as they were."),
        count => format!(
            "{} {} the program itself compacted: {walk} walks through the turns as they were, {} to the last \
             compaction and to what it lost.",
            tui::compacted::SIGN,
            counted(count as u64, "time"),
            options.keymap.fill("{past.last_mark}"),
        ),
    }
}

/// Where the program that kept the conversation compacted, and what that lost.
fn compactions(read: &Read) -> Vec<Compacted> {
    let turns = read.conversation.len();
    let one = |(mark, (loss, file)): (&Mark, &(Loss, PathBuf))| Compacted {
        turn: Turn((mark.turn + 1).min(turns.max(1)) as u64),
        title: format!("The program compacted here{}", headline(&mark.compaction)),
        lines: losses_told(loss, MOST).into_iter().map(|line| (goes_on_at(&line), line)).collect(),
        all: printing_all(loss, file),
    };
    read.conversation.marks().iter().zip(&read.losses).map(one).collect()
}

/// The command that prints all that a compaction lost; the standard input is gone.
fn printing_all(loss: &Loss, file: &Path) -> String {
    if is_standard_input(file) {
        return String::new();
    }
    let most = Kind::ALL.into_iter().map(|kind| loss.missing(kind).count()).max().unwrap_or(0);
    let most = if most > MOST { format!("--most {most} ") } else { String::new() };
    format!("ebbtide uncompact {most}{}", shell_word(&named(file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Compaction, Event, Speaker};
    use crate::replay::Losses;

    #[test]
    fn the_command_that_prints_all_names_the_file_and_how_many() {
        let lost = |paths: usize| {
            let paths: Vec<String> = (0..paths).map(|nth| format!("src/{nth}/a.rs")).collect();
            let mut losses = Losses::default();
            losses.take(&Event::Said { by: Speaker::Person, text: paths.join(" "), at: None });
            let summary = Some("Nothing much.".to_owned());
            losses.take(&Event::Compacted(Compaction { summary, ..Compaction::default() }));
            losses.found()[0].clone()
        };
        let told = |paths, file: &str| printing_all(&lost(paths), Path::new(file));
        assert_eq!(told(3, "logs/a.jsonl"), "ebbtide uncompact logs/a.jsonl");
        assert_eq!(told(40, "my logs/a"), "ebbtide uncompact --most 40 \"my logs/a\"");
        assert_eq!(told(3, "-"), "");
    }
}
