//! Which session is open: passes operations to its driver and notices to the client, and changes from
//! one session to another while the client stays.
//!
//! The new session is opened before the old one is closed: if it cannot be, everything stays as it was.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;

use super::drafts::Keeper;
use super::driver::or_never;
use super::handle::{Asked, Handle};
use super::notice::{Notice, Notices, SessionList};
use super::op::{Op, SessionOp};
use super::start::{Setup, start_with};
use crate::clock;
use crate::config::Settings;
use crate::letters::composed;
use crate::store::{self, Deletion, FoundSession, StopFlag};

/// What a session is started with, but for its directory and the settings in force.
pub type MakeSetup = Box<dyn Fn(PathBuf, Settings) -> Setup + Send + Sync>;

/// Opens the first session, if one is named, and stands between it and its client from then on.
///
/// # Errors
/// The session cannot be opened.
pub fn open_hub(
    first: Option<PathBuf>,
    settings: Settings,
    make_setup: MakeSetup,
) -> Result<(Handle, UnboundedReceiver<Notice>), store::Error> {
    let (ops, operations) = unbounded_channel();
    let (notices, receiver) = Notices::new();
    let root = settings.sessions_dir();
    let cleared = root.clone();
    tokio::task::spawn_blocking(move || store::clear_deletions(&cleared));
    let drafts = Keeper::start();
    let handle = Handle::new(ops, drafts.clone());
    let ops = operations;
    let mut hub =
        Hub { current: None, search: None, root, settings, make_setup, notices, ops, drafts };
    if let Some(directory) = first {
        hub.current = Some(hub.open(directory)?);
    }
    tokio::spawn(hub.run());
    Ok((handle, receiver))
}

/// The session that is open.
struct Current {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    directory: PathBuf,
}

/// A search that is under way.
struct Search {
    query: String,
    stop: StopFlag,
    found: JoinHandle<Vec<FoundSession>>,
}

struct Hub {
    current: Option<Current>,
    search: Option<Search>,
    /// The directory of the sessions.
    root: PathBuf,
    /// As last said by a driver: what is set in the chat holds in the next session, too.
    settings: Settings,
    make_setup: MakeSetup,
    notices: Notices,
    ops: UnboundedReceiver<Asked>,
    /// The drafts go along from one session to the next.
    drafts: Keeper,
}

/// What the hub was woken by.
enum Wake {
    Asked(Option<Asked>),
    Notice(Option<Notice>),
    Found(Vec<FoundSession>),
}

impl Hub {
    async fn run(mut self) {
        loop {
            let wake = tokio::select! {
                asked = self.ops.recv() => Wake::Asked(asked),
                notice = or_never(self.current.as_mut().map(|current| current.notices.recv())) => Wake::Notice(notice),
                found = or_never(self.search.as_mut().map(|search| &mut search.found)) => {
                    Wake::Found(found.unwrap_or_default())
                },
            };
            match wake {
                Wake::Asked(None | Some(Asked { op: Op::Shutdown, .. })) => {
                    return self.end().await;
                }
                Wake::Asked(Some(asked)) => self.handle(asked).await,
                Wake::Notice(Some(notice)) => {
                    let over = matches!(notice, Notice::Closed);
                    self.pass_on(notice);
                    if over {
                        return;
                    }
                }
                Wake::Notice(None) => return,
                Wake::Found(found) => self.show(found),
            }
        }
    }

    async fn handle(&mut self, Asked { op, number }: Asked) {
        match op {
            Op::Session(SessionOp::Find(query)) => self.search(query),
            Op::Session(SessionOp::Open(directory)) if !directory.is_dir() => {
                let name = store::name_of(&directory);
                self.refuse(format!("There is no session {name} any more: /sessions lists them."));
            }
            Op::Session(SessionOp::Open(directory)) => self.change_to(directory).await,
            Op::Session(SessionOp::Delete(directory)) => self.delete(&directory).await,
            Op::Session(SessionOp::New(name)) => match self.new_directory(name.as_deref()) {
                Ok(directory) => self.change_to(directory).await,
                Err(text) => self.refuse(text),
            },
            op => {
                if let Some(current) = &self.current {
                    current.handle.pass_on(Asked { op, number });
                }
            }
        }
    }

    fn open(&self, directory: PathBuf) -> Result<Current, store::Error> {
        let setup = (self.make_setup)(directory.clone(), self.settings.clone());
        let (handle, notices) = start_with(setup, self.drafts.clone())?;
        Ok(Current { handle, notices, directory })
    }

    async fn change_to(&mut self, directory: PathBuf) {
        if self.current.as_ref().is_some_and(|current| current.directory == directory) {
            let name = store::name_of(&directory);
            let text = format!("{name} is open already.");
            return self.tell(Notice::CommandDone { ok: true, text });
        }
        match self.open(directory) {
            Ok(next) => {
                if let Some(old) = self.current.replace(next) {
                    self.close(old, false).await;
                }
            }
            Err(store::Error::InUse { dir, pid }) => {
                let instead = ", or choose another one: /sessions lists them";
                self.refuse(in_use(&store::name_of(&dir), pid, instead));
            }
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// Deletes a session of the list, never the one that is open.
    async fn delete(&self, directory: &Path) {
        let name = store::name_of(directory);
        // Nothing outside the directory of the sessions can be named.
        let directory = self.root.join(&name);
        let is_current = |current: &Current| current.directory == directory;
        let (ok, text) = if self.current.as_ref().is_some_and(is_current) {
            (false, format!("{name} is the session that is open: open another one first."))
        } else {
            let delete = move || Deletion::of(&directory)?.carry_out();
            match tokio::task::spawn_blocking(delete).await {
                Ok(Ok(())) => (true, format!("{name} is deleted.")),
                Ok(Err(store::Error::InUse { pid, .. })) => (false, in_use(&name, pid, "")),
                Ok(Err(error)) => (false, error.to_string()),
                Err(panic) => (false, format!("{name} could not be deleted: {panic}")),
            }
        };
        self.tell(Notice::SessionDeleted { ok, text });
    }

    /// Where a new session goes; without a name it is called after the day.
    fn new_directory(&self, name: Option<&str>) -> Result<PathBuf, String> {
        let Some(name) = name else { return Ok(free_directory(&self.root, &clock::today())) };
        store::check_name(name).map_err(|error| error.to_string())?;
        let directory = self.root.join(&*composed(name));
        if directory.exists() {
            return Err(format!("There is a session {name} already: /sessions {name} finds it."));
        }
        Ok(directory)
    }

    /// Waits until a session is saved and its lock released. What it has to say is passed on, its end only
    /// if it is the end of everything.
    async fn close(&self, mut old: Current, for_good: bool) {
        old.handle.send(Op::Shutdown);
        while let Some(notice) = old.notices.recv().await {
            let closed = matches!(notice, Notice::Closed);
            let worth_it = matches!(notice, Notice::Info(_) | Notice::Problem { .. });
            if for_good || worth_it {
                self.tell(notice);
            }
            if closed {
                break;
            }
        }
    }

    async fn end(mut self) {
        self.stop_search();
        match self.current.take() {
            Some(current) => self.close(current, true).await,
            None => self.tell(Notice::Closed),
        }
    }

    fn search(&mut self, query: String) {
        self.stop_search();
        let root = self.root.clone();
        let stop = StopFlag::default();
        let (wanted, stopped) = (query.clone(), stop.clone());
        let found = tokio::task::spawn_blocking(move || store::find(&root, &wanted, &stopped));
        self.search = Some(Search { query, stop, found });
    }

    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.stop();
        }
    }

    fn show(&mut self, found: Vec<FoundSession>) {
        let Some(Search { query, .. }) = self.search.take() else { return };
        let current = self.current.as_ref().map(|current| current.directory.clone());
        let new_name = self.new_directory(Some(&query)).ok().map(|dir| store::name_of(&dir));
        let list = SessionList { query, found, current, new_name };
        self.tell(Notice::Sessions(Arc::new(list)));
    }

    fn pass_on(&mut self, notice: Notice) {
        match &notice {
            Notice::Settings(settings) => {
                self.settings = Settings::clone(settings);
                // Who was chosen is of that session alone.
                self.settings.tell_chosen(None);
            }
            Notice::Renamed(session) => {
                if let Some(current) = &mut self.current {
                    current.directory.clone_from(&session.directory);
                }
            }
            _ => {}
        }
        self.tell(notice);
    }

    fn refuse(&self, text: String) {
        self.tell(Notice::CommandDone { ok: false, text });
    }

    fn tell(&self, notice: Notice) {
        self.notices.tell(notice);
    }
}

/// That somebody else has a session open, and what to do.
fn in_use(name: &str, pid: Option<u32>, instead: &str) -> String {
    let process = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
    format!("{name} is already open in another Ebbtide{process}: close it there{instead}.")
}

/// A name that no session has: the base, or `BASE-2` and so on.
fn free_directory(root: &Path, base: &str) -> PathBuf {
    let named = root.join(base);
    if named.exists() { store::free_place(root, base) } else { named }
}
