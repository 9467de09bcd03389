//! Keeps what is written and not sent yet, beside everything else: no key and no turn waits for it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::notice::Notice;
use crate::store::{DraftFile, Drafts, Error};

/// How long a pause in writing is waited for before the draft is written; what a crash may cost at most.
const PAUSE: Duration = Duration::from_millis(400);

/// The task that writes drafts.
pub(super) struct Keeper {
    latest: watch::Sender<Drafts>,
    task: JoinHandle<()>,
}

impl Keeper {
    /// Starts it on the current runtime.
    pub(super) fn start(file: DraftFile, notices: UnboundedSender<Notice>) -> Self {
        let (latest, changes) = watch::channel(Drafts::default());
        Self { latest, task: tokio::spawn(keep(Arc::new(file), changes, notices)) }
    }

    /// Keeps these from now on. Sent messages are forgotten at once, others after a pause.
    pub(super) fn keep(&self, drafts: Drafts) {
        self.latest.send_replace(drafts);
    }

    /// Writes what was not written yet and ends.
    pub(super) async fn finish(self) {
        drop(self.latest);
        if let Err(panic) = self.task.await {
            tracing::warn!("drafts were not kept: {panic}");
        }
    }
}

async fn keep(
    file: Arc<DraftFile>,
    mut changes: watch::Receiver<Drafts>,
    notices: UnboundedSender<Notice>,
) {
    let mut told = false;
    while changes.changed().await.is_ok() {
        // Ends early when nothing is left to be kept, or when the session closes.
        let _ = tokio::time::timeout(PAUSE, changes.wait_for(Drafts::is_empty)).await;
        let drafts = changes.borrow_and_update().clone();
        let file = Arc::clone(&file);
        let written = tokio::task::spawn_blocking(move || file.keep(&drafts)).await;
        match written {
            Ok(Err(error)) if !told => {
                told = true;
                let _ = notices.send(problem(&error));
            }
            Ok(Err(_)) | Err(_) => {}
            Ok(Ok(())) => told = false,
        }
    }
}

fn problem(error: &Error) -> Notice {
    let advice =
        "What you write now would be lost in a crash; sent messages are not affected. It is \
                  tried again with the next key."
            .to_owned();
    Notice::Problem { what: error.to_string(), advice }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::store::Store;

    fn written(text: &str) -> Drafts {
        Drafts { line: text.into(), waiting: Vec::new() }
    }

    /// What a next start of the program would find.
    fn kept(directory: &std::path::Path) -> String {
        let store = Store::open(directory).unwrap();
        store.drafts.line.text
    }

    #[tokio::test]
    async fn the_last_of_many_keys_is_kept_and_a_sent_message_is_not() {
        let home = tempfile::tempdir().unwrap();
        for (texts, expected) in [(vec!["h", "he", "hey"], "hey"), (vec!["sent", ""], "")] {
            let store = Store::open(home.path()).unwrap().store;
            let (notices, _receiver) = unbounded_channel();
            let keeper = Keeper::start(store.draft_file(), notices);
            for text in texts {
                keeper.keep(written(text));
            }
            keeper.finish().await;
            drop(store);
            assert_eq!(kept(home.path()), expected);
        }
    }

    #[tokio::test]
    async fn a_disk_that_refuses_is_told_once() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap().store;
        std::fs::create_dir(home.path().join("draft.json.tmp")).unwrap();
        let (notices, mut receiver) = unbounded_channel();
        let keeper = Keeper::start(store.draft_file(), notices);
        keeper.keep(written("one"));
        assert!(matches!(receiver.recv().await, Some(Notice::Problem { .. })));
        keeper.keep(written("two"));
        keeper.finish().await;
        assert!(receiver.recv().await.is_none());
    }
}
