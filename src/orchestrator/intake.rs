//! Taking in what a person sends: attached files and long texts go on the scratchpad, beside the async
//! runtime, because they may be hundreds of megabytes. The words of a message are on disk before.

mod mentioned;

use std::path::PathBuf;
use std::sync::Arc;

use super::answer::Refusal;
use super::audience::Audience;
use super::driver::Driver;
use super::gatekeeper;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::counted::grouped;
use crate::home::at_home;
use crate::memory::{Change, CountTokens, INPUT, ScratchItem, Tokens};
use crate::store::{Label, MOST_LOGGED, PadError, Scratchpad, StopFlag};
use mentioned::Mentioned;
pub use mentioned::opens_mention;

/// Bytes of a text that is counted at once, in about a millisecond; a longer one is counted beside everything else.
const SHORT: usize = 16 * 1024;

/// Characters of a path that a pointer tells.
const MOST_TOLD: usize = 100;

/// Characters that the screen shows of a text which is logged by its pointer alone.
const SHOWN_OF_HUGE: usize = 2_000;

/// A user's message on its way past the gatekeeper.
struct Intake {
    text: Arc<str>,
    /// Whether a path in it attaches the file.
    attaches: bool,
    /// Tokens that stay in the window as they are.
    limit: Tokens,
    /// Tokens of a preview.
    preview: Tokens,
    counter: Arc<dyn CountTokens>,
    /// What the window holds.
    shown: Arc<str>,
    /// What is on the scratchpad now.
    kept: Vec<ScratchItem>,
    /// What could not be put there.
    failed: Vec<PadError>,
    /// What looks like a file in it and is none, as written.
    missing: Vec<String>,
    /// Folders that it names, as written.
    folders: Vec<String>,
}

impl Driver {
    /// Lets a user's message in: attached files (`@path`) and a text over the limit become pointers. A
    /// disk that takes nothing more does not keep the message back: the window's ceiling holds anyway.
    ///
    /// # Errors
    /// The user stopped the turn. What is on the scratchpad by then stays there.
    pub(super) async fn admit(&mut self, progress: &mut Progress) -> Result<(), Stop> {
        let (text, limit) = (Arc::clone(&progress.typed), self.settings.input_limit());
        let is_over = || gatekeeper::is_over(&text, limit, &*self.memory.counter());
        let attaches = matches!(self.audience, Audience::Person);
        if text.len() <= SHORT && !(attaches && text.contains('@')) && !is_over() {
            return Ok(());
        }
        let intake = Intake {
            attaches,
            shown: Arc::clone(&text),
            text,
            limit,
            preview: self.settings.preview(),
            counter: self.memory.counter(),
            kept: Vec::new(),
            failed: Vec::new(),
            missing: Vec::new(),
            folders: Vec::new(),
        };
        let PadWork { done, stopped } = self.with_pad(move |pad, stop| intake.run(pad, stop)).await;
        let taken = done.map_err(Stop::without_advice)?;
        for item in taken.kept {
            let change = self.newly_kept(item);
            self.apply(change.into_iter().collect(), progress);
        }
        for error in &taken.failed {
            self.tell_unstored(error);
        }
        for told in [told_missing(&taken.missing), told_folders(&taken.folders)] {
            told.filter(|_| self.is_watched)
                .into_iter()
                .for_each(|it| self.notify(Notice::Info(it)));
        }
        stopped?;
        progress.user = taken.shown;
        if progress.typed.len() > MOST_LOGGED {
            progress.typed = Arc::clone(&progress.user);
        }
        Ok(())
    }

    /// Stores a file that the user attached.
    pub(super) async fn attach(
        &mut self,
        path: PathBuf,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let path = at_home(&path);
        let counter = self.memory.counter();
        let work = move |pad: &mut Scratchpad, stop: &StopFlag| pad.attach(&path, &*counter, stop);
        // Whatever else stopped it has been noted where it counts.
        let PadWork { done, .. } = self.with_pad(work).await;
        let failed = |panic| Refusal::of(format!("the file could not be stored: {panic}"));
        let item = done.map_err(failed)??;
        let text = format!(
            "Kept as ref:{} ({}). Mention it in a message; /pad-read {} shows it.",
            item.key,
            item.size(),
            item.key
        );
        let change = self.newly_kept(item);
        self.apply(change.into_iter().collect(), progress);
        Ok(text)
    }

    /// Takes an item into memory, unless it was there already.
    fn newly_kept(&mut self, item: ScratchItem) -> Option<Change> {
        let known = self.memory.scratchpad().iter().any(|old| old.key == item.key);
        (!known).then(|| self.memory.scratchpad_saved(item))
    }

    /// Works on the scratchpad beside the async runtime, and goes on listening: whatever would stop a turn
    /// stops the work.
    pub(super) async fn with_pad<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Scratchpad, &StopFlag) -> T + Send + 'static,
    ) -> PadWork<T> {
        let (stop, mut stopped) = (StopFlag::default(), Ok(()));
        let reader = self.store.scratchpad().reader();
        let mut pad = std::mem::replace(self.store.scratchpad_mut(), reader);
        let flag = stop.clone();
        let mut working = tokio::task::spawn_blocking(move || {
            let done = work(&mut pad, &flag);
            (pad, done)
        });
        let ended = loop {
            tokio::select! {
                biased;
                asked = self.ops.recv(), if stopped.is_ok() => {
                    stopped = self.interrupt(asked);
                    if stopped.is_err() {
                        stop.stop();
                    }
                }
                ended = &mut working => break ended,
            }
        };
        let done = ended.map_err(|panic| panic.to_string()).map(|(pad, done)| {
            *self.store.scratchpad_mut() = pad;
            done
        });
        PadWork { done, stopped }
    }
}

/// What came of work on the scratchpad.
pub(super) struct PadWork<T> {
    /// The result, or the words of a panic.
    pub(super) done: Result<T, String>,
    /// Why it was to stop, if it was.
    pub(super) stopped: Result<(), Stop>,
}

impl Intake {
    fn run(mut self, pad: &mut Scratchpad, stop: &StopFlag) -> Self {
        let text = if self.attaches { Arc::clone(&self.text) } else { "".into() };
        // To ask for a file on a network that is gone may take as long as to read it.
        let mentioned = stop.leaving(move || Mentioned::in_text(&text)).unwrap_or_default();
        (self.missing, self.folders) = (mentioned.missing, mentioned.folders);
        for file in mentioned.files {
            let kept = pad.attach(&file.path, &*self.counter, stop);
            if let Some(pointer) = self.keep(pad, kept, "Attached file", Some(&file.written)) {
                self.shown = format!("{}\n\n{pointer}", self.shown).into();
            }
        }
        if !stop.is_stopped() && gatekeeper::is_over(&self.text, self.limit, &*self.counter) {
            let kept = self.keep_text(pad, stop);
            if let Some(pointer) = self.keep(pad, kept, "Full input", None) {
                self.shown = pointer.into();
            }
        }
        self
    }

    /// The whole text as an item, the one that holds it already if there is one.
    fn keep_text(&self, pad: &mut Scratchpad, stop: &StopFlag) -> Result<ScratchItem, PadError> {
        if let Some(item) = pad.same_text(&self.text) {
            return Ok(item.clone());
        }
        let words = gatekeeper::first_words(&self.text);
        let label = Label { key: &pad.free_key(INPUT), description: &words, what: "the text" };
        pad.save_unless(stop, label, self.text.as_bytes(), &*self.counter)
    }

    /// Notes what became of an item; the pointer to it with a preview, if it is there. A file is told by the path that the
    /// message has: its text may be kept under the name of another one that holds the same.
    fn keep(
        &mut self,
        pad: &Scratchpad,
        item: Result<ScratchItem, PadError>,
        what: &str,
        written: Option<&str>,
    ) -> Option<String> {
        match item {
            Ok(item) => {
                let description = written.map_or_else(|| Arc::clone(&item.description), told_path);
                let told = ScratchItem { description, ..item.clone() };
                let pointer = gatekeeper::preview(pad, &told, what, self.preview, &*self.counter);
                self.kept.push(item);
                Some(pointer)
            }
            Err(PadError::Stopped(_)) => None,
            Err(error) => {
                self.failed.push(error);
                None
            }
        }
    }
}

/// What the screen shows of a message while it is taken in: all of it, unless it is huge.
pub(super) fn on_screen(text: &Arc<str>) -> Arc<str> {
    if text.len() <= MOST_LOGGED {
        return Arc::clone(text);
    }
    let head: String = text.chars().take(SHOWN_OF_HUGE).collect();
    format!("{head}\n[… {} bytes in all, kept whole]", grouped(text.len() as u64)).into()
}

/// What is said where files were meant and none are there.
fn told_missing(missing: &[String]) -> Option<String> {
    let (named, is) = match missing {
        [] => return None,
        [_] => (named(missing), "is no file, so it goes"),
        _ => (named(missing), "are no files, so they go"),
    };
    let place =
        std::env::current_dir().map_or_else(|_| ".".into(), |dir| dir.display().to_string());
    Some(format!("{named} {is} as plain words. A path begins in {place}."))
}

/// What is said where folders are named: a file is attached, not all that a folder holds.
fn told_folders(folders: &[String]) -> Option<String> {
    let first = folders.first()?.trim_end_matches('/');
    let is = if folders.len() == 1 { "is a folder, so it goes" } else { "are folders, so they go" };
    let named = named(folders);
    Some(format!(
        "{named} {is} as plain words. {} attaches a file of it.",
        at(&format!("{first}/NAME"))
    ))
}

fn named(written: &[String]) -> String {
    written.iter().map(|written| at(written)).collect::<Vec<_>>().join(", ")
}

/// A path as a message names it.
fn at(path: &str) -> String {
    if path.contains(' ') { format!("@\"{path}\"") } else { format!("@{path}") }
}

/// A path as a pointer tells it: what is too long loses its beginning.
fn told_path(path: &str) -> Arc<str> {
    let long = path.char_indices().rev().nth(MOST_TOLD).map(|(at, _)| &path[at..]);
    let path = long.map_or_else(|| path.to_owned(), |end| format!("…{end}"));
    Scratchpad::described(&path).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_file_and_is_none_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let there = dir.path().join("there.txt");
        std::fs::write(&there, "here").unwrap();
        let folder = dir.path().join("plans");
        std::fs::create_dir(&folder).unwrap();
        let text = format!(
            "Read @{} and @nofile.txt, then @src/lost. Ask @ann or bob@mail.example, and @app.route('/x'). \
             Also @\"no such.md\" and @nofile.txt again, @ and @... or @. and @.., but @{}, please",
            there.display(),
            folder.display()
        );
        let found = Mentioned::in_text(&text);
        assert_eq!(found.files.iter().map(|file| &file.path).collect::<Vec<_>>(), [&there]);
        assert_eq!(found.missing, ["nofile.txt", "src/lost", "no such.md"]);
        // A log that was pasted is no list of files.
        let long = format!("{} @nofile.txt", "many words of a log ".repeat(1_000));
        assert_eq!(Mentioned::in_text(&long), Mentioned::default());
        let told = told_missing(&found.missing).unwrap();
        assert!(told.starts_with("@nofile.txt, @src/lost, @\"no such.md\" are no"), "{told}");
        let told = told_folders(&found.folders).unwrap();
        let folder = folder.display();
        assert!(told.starts_with(&format!("@{folder} is a folder, so it goes as")), "{told}");
        let spaced = told_folders(&["my docs/".to_owned()]).unwrap();
        assert!(spaced.ends_with(". @\"my docs/NAME\" attaches a file of it."), "{spaced}");
        assert_eq!((told_missing(&[]), told_folders(&[])), (None, None));
    }

    #[test]
    fn a_file_is_attached_wherever_it_stands_in_a_sentence() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        for name in ["plain.txt", "plain", "with space.txt", "odd (1).txt", "v1.2.", "a.b"] {
            std::fs::write(dir.path().join(name), "here").unwrap();
        }
        let plain = path("plain.txt");
        let spaced = path("with space.txt");
        let escaped = spaced.replace(' ', "\\ ");
        for (text, name) in [
            (format!("look at @{plain}."), &plain),
            (format!("look at @{plain}…"), &plain),
            (format!("look at `@{plain}`, please"), &plain),
            (format!("look at \"@{plain}\""), &plain),
            (format!("look at [@{plain}]"), &plain),
            (format!("look at (@{plain})..."), &plain),
            (format!("look at *@{plain}*"), &plain),
            (format!("@{plain}'s first line"), &plain),
            (format!("看 @{plain}。"), &plain),
            (format!("看 @{plain}是什么"), &plain),
            (format!("@{plain}:12: is wrong"), &plain),
            (format!("@'{spaced}' and @\"{spaced}\""), &spaced),
            (format!("@{escaped}."), &spaced),
            (format!("@{}.", path("v1.2.")), &path("v1.2.")),
            (format!("@{}", path("odd (1).txt").replace(' ', "\\ ")), &path("odd (1).txt")),
        ] {
            let found = Mentioned::in_text(&text);
            let files: Vec<&str> = found.files.iter().map(|file| &*file.written).collect();
            assert_eq!(files, [name.as_str()], "{text}");
            assert_eq!((found.missing.len(), found.folders.len()), (0, 0), "{text}");
        }
        // A name that is not there is not cut down to one that is.
        for text in [
            format!("@{}", path("plain.md")),
            format!("ann@{plain}"),
            format!("@{}", path("plain-b")),
        ] {
            assert_eq!(Mentioned::in_text(&text).files, [], "{text}");
        }
        let two = Mentioned::in_text(&format!("@{plain},@{}", path("a.b")));
        assert_eq!(two.files.len(), 2);
    }

    #[test]
    fn a_file_is_told_by_its_own_path_though_another_one_holds_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        for name in ["a", "b"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("config.toml"), "same").unwrap();
        }
        let mut store = crate::store::Store::open(&dir.path().join("session")).unwrap().store;
        let (one, other) = (path("a/config.toml"), path("b/config.toml"));
        let text: Arc<str> = format!("compare @{one} with @{other}.").into();
        let intake = Intake {
            attaches: true,
            shown: Arc::clone(&text),
            text,
            limit: Tokens(1_000),
            preview: Tokens(100),
            counter: Arc::new(crate::memory::tests::Words),
            kept: Vec::new(),
            failed: Vec::new(),
            missing: Vec::new(),
            folders: Vec::new(),
        };
        let shown = intake.run(store.scratchpad_mut(), &StopFlag::default()).shown;
        for path in [one, other] {
            let told = format!("[Attached file saved as ref:config-toml: {}", told_path(&path));
            assert!(shown.contains(&told), "{told} in {shown}");
        }
        assert_eq!(&*told_path("a/config.toml"), "a/config.toml");
        let long = told_path(&format!("{}/config.toml", "deep/".repeat(60)));
        assert!(long.starts_with('…') && long.ends_with("deep//config.toml"), "{long}");
    }
}
