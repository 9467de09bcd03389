//! `replay --open`: the replayed session in the full-screen app.

use std::path::Path;
use std::sync::Arc;

use super::reading::Read;
use crate::cli::converse::{end_of_app, run};
use crate::cli::uncompact::{headline, losses_told};
use crate::cli::waiting::hearing;
use crate::cli::{Error, Job, Streams};
use crate::memory::{Turn, counted};
use crate::orchestrator::{self, Op, Setup};
use crate::tokens::Cl100k;
use crate::tui::{self, AppOptions, compacted::Compacted};

/// Specifics of a kind that are named at most.
const MOST: usize = 12;

/// Shows the session in a directory until it is left.
pub(super) fn open(
    job: &Job<'_>,
    directory: &Path,
    read: &Read,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let compactions = compactions(read);
    run(async {
        let model = job.model(streams).await?;
        let (settings, remark) = job.fitted_to(&*model);
        let mut options = AppOptions { compactions, ..job.app_options() };
        options.remarks.extend(job.found.take().into_iter().chain(remark));
        options.remarks.push(hint(&options));
        let setup = Setup {
            directory: directory.to_owned(),
            model,
            settings,
            counter: Arc::new(Cl100k::lazy()),
            count_first: false,
            check_notes_every: Some(orchestrator::NOTES_CHECK),
            compress_in_turn: false,
        };
        let (handle, notices) =
            orchestrator::start(setup).map_err(|error| Error::Failed(error.to_string()))?;
        let mut left = tui::Left::default();
        let exit = hearing(tui::run(|op: Op| handle.send(op), notices, options, &mut left)).await;
        end_of_app(exit)
    })
}

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
    let one = |(mark, loss): (&crate::replay::Mark, &crate::replay::Loss)| Compacted {
        turn: Turn((mark.turn + 1).min(turns.max(1)) as u64),
        title: format!("The program itself compacted here{}", headline(&mark.compaction)),
        lines: losses_told(loss, MOST),
    };
    read.conversation.marks().iter().zip(&read.losses).map(one).collect()
}
