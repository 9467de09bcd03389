//! Keeps what is written and has not begun, beside everything else: it waits for no turn and no loading.
//!
//! What is being written is on disk [`LATEST`] after the key, however fast the keys come. What is entered is
//! on disk when [`Keeper::keep`] returns, so before anything shows it as entered. Drafts belong to the client:
//! they go along when it opens another session or renames this one. Only what was put aside stays where it was written.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;

use super::notice::{Notice, Notices, WeakNotices};
use crate::lock::locked;
use crate::store::{DraftFile, Drafts, Error};

/// How long a draft may wait for the keys that follow at once.
const LATEST: Duration = Duration::from_millis(100);

/// Where a client's drafts are kept; shared with the driver of the session that is open.
#[derive(Debug, Clone)]
pub(super) struct Keeper(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    latest: Mutex<Latest>,
    /// Whoever writes holds it, so that an older state never overtakes a newer one.
    place: Mutex<Place>,
    changed: watch::Sender<()>,
}

/// What is to be kept.
#[derive(Debug, Default)]
struct Latest {
    drafts: Drafts,
    /// What an earlier run left and the client has not taken back yet.
    left: Drafts,
    unwritten: bool,
}

/// Where it is kept.
#[derive(Debug, Default)]
struct Place {
    /// Of the session that is open; a driver that has ended hears of nothing any more.
    session: Option<(DraftFile, WeakNotices)>,
    /// The user knows that it fails.
    told: bool,
}

impl Keeper {
    /// Starts it on the current runtime.
    pub(super) fn start() -> Self {
        let (changed, receiver) = watch::channel(());
        let (latest, place) = (Mutex::default(), Mutex::default());
        let keeper = Self(Arc::new(Shared { latest, place, changed }));
        tokio::spawn(write_later(Arc::downgrade(&keeper.0), receiver));
        keeper
    }

    /// Keeps these from now on. What was entered since the last time is on disk when this returns, if the disk
    /// takes it.
    pub(super) fn keep(&self, drafts: Drafts) {
        let mut latest = self.latest();
        let known: Vec<Option<u64>> = latest.drafts.entered().map(|draft| draft.id).collect();
        let entered = drafts.entered().any(|draft| !known.contains(&draft.id));
        if drafts.taken_back {
            latest.left = Drafts::default();
        }
        latest.drafts = drafts;
        latest.unwritten = true;
        drop(latest);
        if entered {
            self.write();
        } else {
            self.0.changed.send_replace(());
        }
    }

    /// The number of what was handed over and has not begun yet.
    pub(super) fn sending(&self) -> Option<u64> {
        self.latest().drafts.sending.as_ref()?.id
    }

    /// Another session is open: what is written goes there, beside what an earlier run left in it.
    pub(super) fn move_to(&self, file: DraftFile, left: Drafts, notices: &Notices) {
        let before = self.place().session.replace((file, notices.downgrade()));
        let mut latest = self.latest();
        let left_there = std::mem::replace(&mut latest.left, left);
        let stays = match before {
            Some(_) => latest.drafts.take_aside(),
            None => Vec::new(),
        };
        latest.unwritten = !latest.drafts.is_empty();
        drop(latest);
        self.write();
        // It leaves the one only when it is in the other.
        let stays = Drafts { aside: stays, ..Drafts::default() }.beside(&left_there);
        if let Some((file, _)) = before.filter(|_| !self.latest().unwritten)
            && let Err(error) = file.keep(&stays)
        {
            tracing::warn!("drafts are kept in two sessions: {error}");
        }
    }

    /// Follows the session to its new name; nothing is written meanwhile.
    pub(super) fn follow(
        &self,
        rename: impl FnOnce() -> Result<DraftFile, Error>,
    ) -> Result<(), Error> {
        let mut place = self.place();
        let renamed = rename()?;
        if let Some((file, _)) = &mut place.session {
            *file = renamed;
        }
        Ok(())
    }

    /// Writes what was not written yet. If the session is still the one of this file, it is closing: nothing
    /// is written there any more.
    pub(super) fn finish(&self, file: &DraftFile) {
        self.write();
        self.place().session.take_if(|(open, _)| open == file);
    }

    fn write(&self) {
        let mut place = self.place();
        let Place { session: Some((file, notices)), told } = &mut *place else { return };
        let mut latest = self.latest();
        if !std::mem::take(&mut latest.unwritten) {
            return;
        }
        let drafts = latest.drafts.clone().beside(&latest.left);
        drop(latest);
        match file.keep(&drafts) {
            Ok(()) => *told = false,
            Err(error) => {
                self.latest().unwritten = true;
                if let Some(notices) = notices.upgrade().filter(|_| !std::mem::replace(told, true))
                {
                    let advice = "What you write now would be lost in a crash; sent messages are not affected. \
                         It is tried again with the next key.";
                    notices.tell(Notice::problem(error.to_string(), advice));
                }
            }
        }
    }

    // A panic elsewhere cannot have left either half changed.
    fn latest(&self) -> MutexGuard<'_, Latest> {
        locked(&self.0.latest)
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        locked(&self.0.place)
    }
}

/// Writes a while after a change, whether or not others follow.
async fn write_later(shared: std::sync::Weak<Shared>, mut changes: watch::Receiver<()>) {
    while changes.changed().await.is_ok() {
        tokio::time::sleep(LATEST).await;
        changes.borrow_and_update();
        let Some(keeper) = shared.upgrade().map(Keeper) else { return };
        if let Err(panic) = tokio::task::spawn_blocking(move || keeper.write()).await {
            tracing::warn!("drafts were not kept: {panic}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::store::{Changing, Draft, Opened, Store};

    fn written(text: &str) -> Drafts {
        Drafts { line: text.into(), ..Drafts::default() }
    }

    fn entered(id: u64, text: &str) -> Drafts {
        let draft = Draft { id: Some(id), ..text.into() };
        Drafts { waiting: vec![draft], ..Drafts::default() }
    }

    fn open(keeper: &Keeper, directory: &Path) -> (Store, Drafts) {
        let Opened { store, drafts, .. } = Store::open(directory).unwrap();
        let (notices, _receiver) = Notices::new();
        keeper.move_to(store.draft_file(), drafts.clone(), &notices);
        (store, drafts)
    }

    /// What a next start of the program would find.
    fn kept(store: &Store) -> Drafts {
        store.draft_file().read(&mut Vec::new()).unwrap()
    }

    #[tokio::test]
    async fn the_last_of_many_keys_is_kept_and_a_line_that_was_emptied_is_not() {
        let home = tempfile::tempdir().unwrap();
        for (texts, expected) in [(vec!["h", "he", "hey"], "hey"), (vec!["cleared", ""], "")] {
            let keeper = Keeper::start();
            let (store, _) = open(&keeper, home.path());
            for text in texts {
                keeper.keep(Drafts { taken_back: true, ..written(text) });
            }
            keeper.finish(&store.draft_file());
            assert_eq!(kept(&store).line.text, expected);
            keeper.keep(written("too late"));
            keeper.finish(&store.draft_file());
            assert_eq!(kept(&store).line.text, expected, "another program may have it open now");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn keys_that_never_pause_are_kept_all_the_same() {
        let home = tempfile::tempdir().unwrap();
        let keeper = Keeper::start();
        let (store, _) = open(&keeper, home.path());
        for number in 0..100 {
            keeper.keep(written(&number.to_string()));
            tokio::time::sleep(Duration::from_millis(20)).await;
            let on_disk: i32 = kept(&store).line.text.parse().unwrap_or(0);
            assert!(number - on_disk <= 10, "{on_disk} is kept 20 ms after {number}");
        }
    }

    #[tokio::test]
    async fn what_is_entered_is_on_disk_at_once() {
        let home = tempfile::tempdir().unwrap();
        let keeper = Keeper::start();
        let (store, _) = open(&keeper, home.path());
        keeper.keep(written("a message"));
        assert!(kept(&store).is_empty(), "nothing waits for a disk while it is written");
        keeper.keep(entered(1, "a message"));
        assert_eq!(kept(&store), entered(1, "a message"));
    }

    #[tokio::test]
    async fn drafts_go_along_to_another_session_and_join_what_was_left_there() {
        let home = tempfile::tempdir().unwrap();
        let (one, two) = (home.path().join("one"), home.path().join("two"));
        let before = Keeper::start();
        let (store, _) = open(&before, &two);
        before.keep(Drafts { line: "left".into(), ..entered(1, "left waiting") });
        drop((before, store));

        let keeper = Keeper::start();
        let (first, _) = open(&keeper, &one);
        keeper.keep(Drafts { line: "half".into(), ..entered(2, "waiting") });
        let (second, left) = open(&keeper, &two);
        assert!(kept(&first).is_empty());
        keeper.finish(&first.draft_file());
        keeper.keep(Drafts { line: "half of it".into(), ..entered(2, "waiting") });
        keeper.write();
        let now = kept(&second);
        assert_eq!((now.line.text.as_str(), &*now.aside), ("half of it", &[left.line][..]));
        let waiting: Vec<Option<u64>> = now.waiting.iter().map(|draft| draft.id).collect();
        assert_eq!(waiting, [Some(1), Some(2)]);
        keeper.keep(Drafts { taken_back: true, ..entered(3, "the client knows") });
        assert_eq!(kept(&second), entered(3, "the client knows"));
    }

    #[tokio::test]
    async fn what_was_put_aside_stays_in_the_session_in_which_it_was_written() {
        let home = tempfile::tempdir().unwrap();
        let (one, two) = (home.path().join("one"), home.path().join("two"));
        let keeper = Keeper::start();
        let aside = |words: &[&str]| words.iter().map(|&text| text.into()).collect::<Vec<Draft>>();
        keeper.keep(Drafts { aside: aside(&["before any"]), ..Drafts::default() });
        let (first, _) = open(&keeper, &one);
        assert_eq!(kept(&first).aside, aside(&["before any"]));
        let queued = Some((0, "waits".into()));
        let changing = Some(Box::new(Changing { before: Draft::default(), queued }));
        let line = "waits on".into();
        let own = aside(&["before any", "of one", "waits"]);
        keeper.keep(Drafts { line, changing, aside: own, taken_back: true, ..Drafts::default() });
        let (second, _) = open(&keeper, &two);
        assert_eq!(
            kept(&first),
            Drafts { aside: aside(&["before any", "of one"]), ..Drafts::default() }
        );
        let there = kept(&second);
        assert_eq!((&*there.line.text, there.aside), ("waits on", aside(&["waits"])));
    }

    #[tokio::test]
    async fn a_disk_that_refuses_is_told_once() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap().store;
        std::fs::create_dir(home.path().join("draft.json.tmp")).unwrap();
        let (notices, mut receiver) = Notices::new();
        let keeper = Keeper::start();
        keeper.move_to(store.draft_file(), Drafts::default(), &notices);
        keeper.keep(written("one"));
        assert!(matches!(receiver.recv().await, Some(Notice::Problem { .. })));
        keeper.keep(written("two"));
        keeper.finish(&store.draft_file());
        drop(notices);
        assert!(receiver.recv().await.is_none());
    }
}
