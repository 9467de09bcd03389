//! Taking in what a person sends: attached files and long texts go on the scratchpad, beside the async
//! runtime, because they may be hundreds of megabytes. The words of a message are on disk before.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answer::Refusal;
use super::driver::Driver;
use super::gatekeeper;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::counted::grouped;
use crate::memory::{Change, CountTokens, INPUT, ScratchItem, Tokens};
use crate::store::{MOST_LOGGED, PadError, Scratchpad, StopFlag};

/// Files that one message attaches.
const MOST_FILES: usize = 8;

/// Bytes of a text that is counted at once, in about a millisecond; a longer one is counted beside everything else.
const SHORT: usize = 16 * 1024;

/// Characters that the screen shows of a text which is logged by its pointer alone.
const SHOWN_OF_HUGE: usize = 2_000;

/// A user's message on its way past the gatekeeper.
struct Intake {
    text: Arc<str>,
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
        if text.len() <= SHORT && !text.contains('@') && !is_over() {
            return Ok(());
        }
        let intake = Intake {
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
        let path = path.to_str().map_or_else(|| path.clone(), at_home);
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
        let text = Arc::clone(&self.text);
        // To ask for a file on a network that is gone may take as long as to read it.
        let mentioned = stop.leaving(move || Mentioned::in_text(&text)).unwrap_or_default();
        (self.missing, self.folders) = (mentioned.missing, mentioned.folders);
        for path in mentioned.files {
            let kept = pad.attach(&path, &*self.counter, stop);
            if let Some(pointer) = self.keep(pad, kept, "Attached file") {
                self.shown = format!("{}\n\n{pointer}", self.shown).into();
            }
        }
        if !stop.is_stopped() && gatekeeper::is_over(&self.text, self.limit, &*self.counter) {
            let kept = self.keep_text(pad, stop);
            if let Some(pointer) = self.keep(pad, kept, "Full input") {
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
        let key = pad.free_key(INPUT);
        pad.save_unless(stop, &key, &words, "the text", self.text.as_bytes(), &*self.counter)
    }

    /// Notes what became of an item; the pointer to it with a preview, if it is there.
    fn keep(
        &mut self,
        pad: &Scratchpad,
        item: Result<ScratchItem, PadError>,
        what: &str,
    ) -> Option<String> {
        match item {
            Ok(item) => {
                let pointer = gatekeeper::preview(pad, &item, what, self.preview, &*self.counter);
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

/// Files that a message names as `@path`, or as `@"path"` where the path holds spaces.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mentioned {
    files: Vec<PathBuf>,
    /// What looks like a path and is no file, as written; anything else that names no file is just words.
    missing: Vec<String>,
    /// What is a folder, as written.
    folders: Vec<String>,
}

impl Mentioned {
    fn in_text(text: &str) -> Self {
        let words = text.split_whitespace().filter_map(|word| word.strip_prefix('@'));
        let plain = words.map(|word| word.trim_end_matches([',', ';', ':', '?', '!']));
        let quoted = text.split("@\"").skip(1).filter_map(|rest| rest.split('"').next());
        let mut found = Self::default();
        for written in plain.chain(quoted) {
            found.take(written, text.len() <= SHORT);
        }
        found
    }

    /// Takes what stands behind an `@`. In a long text it is hardly ever typed by hand, and names no file of this machine.
    fn take(&mut self, written: &str, is_short: bool) {
        let path = at_home(written);
        if path.is_file() {
            if self.files.len() < MOST_FILES && !self.files.contains(&path) {
                self.files.push(path);
            }
            return;
        }
        if !is_short {
            return;
        }
        let is_named = written.contains(|sign| !"./~".contains(sign));
        let is_folder = is_named && at_home(written.trim_end_matches('.')).is_dir();
        let told = if is_folder { &mut self.folders } else { &mut self.missing };
        if (is_folder || looks_like_path(written)) && told.len() < MOST_FILES {
            let written = written.trim_end_matches('.').to_owned();
            if !told.contains(&written) {
                told.push(written);
            }
        }
    }
}

/// Whether a word behind an `@` means a file and nothing else: it holds a slash, or ends like a file's name. A handle, an
/// address or a piece of code does not.
fn looks_like_path(written: &str) -> bool {
    let written = written.trim_end_matches('.');
    let is_code = |c: char| "@()[]{}<>=\"'`|\\".contains(c);
    if written.is_empty() || written.contains(is_code) {
        return false;
    }
    let name = written.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    let ends_like_a_file = ending.is_some_and(|(_, ending)| {
        (1..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    written.contains('/') || ends_like_a_file
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

/// A path with `~/` meaning the person's home, as in a shell.
fn at_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
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
        assert_eq!(found.files, [there]);
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
}
