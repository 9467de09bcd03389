//! What the orchestrator tells its clients.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{
    UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel,
};

use crate::bill::{Paid, TurnBill};
use crate::config::Settings;
use crate::llm::{Fetched, ModelInfo};
use crate::memory::{
    Change, EffortId, Layer, Layers, MemoryView, Recalled, Source, Tokens, Turn, Window, WindowItem,
};
use crate::plain::without_codes;
use crate::store::{
    BilledTurn, Drafts, FoundSession, JournalEntry, PastCourse, TranscriptEntry, Verdicts,
};

use super::billing::BillView;
use super::inspector::Inspection;
use super::measured::Measured;
use super::op::ItemRef;
use super::past::PastTurn;
use super::versus::Versus;

/// The cause of a turn that somebody stopped, as the journal has it.
pub const CANCELLED: &str = "cancelled";

/// The cause of a turn during which the program was closed, as the journal has it.
pub const ENDED: &str = "the session was closed";

/// One item in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// What it is called.
    pub title: String,
    /// What is shown.
    pub item: ItemRef,
    /// What there is to read, in order.
    pub sections: Vec<Section>,
    /// Which part of how many this is.
    pub parts: (u64, u64),
}

/// A part of a [`Detail`]. Its text may hold control characters: whoever draws it strips them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub heading: String,
    /// Its text.
    pub text: String,
}

/// The session that a client looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// The session's name: the last part of its directory.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// The model that answers.
    pub model: ModelInfo,
}

/// Sessions that were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionList {
    /// What was looked for.
    pub query: String,
    /// What was found, best first.
    pub found: Vec<FoundSession>,
    /// The directory of the session that is open.
    pub current: Option<PathBuf>,
    /// The name that a new session could get from what was looked for.
    pub new_name: Option<String>,
}

/// One tool call of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct CallReport {
    /// The tool's name, as called.
    pub name: String,
    /// The arguments; a JSON string if they were no JSON.
    pub arguments: serde_json::Value,
    /// The result that the model got.
    pub result: serde_json::Value,
    /// Whether the call did what it says.
    pub ok: bool,
}

/// A turn that ended well: what `play --json` prints.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    /// Its number.
    pub turn: Turn,
    /// The effort whose log holds the exchange; none for ambient.
    pub log: Option<EffortId>,
    /// The user's message.
    pub user: Arc<str>,
    /// The final reply.
    pub reply: Arc<str>,
    /// Banners shown in the turn, in order.
    pub banners: Vec<String>,
    /// Tool calls in the order in which they ran.
    pub calls: Vec<CallReport>,
    /// Chat requests that were made.
    pub requests: u32,
    /// The turn's own time: everything but waiting for the model; disk included.
    pub overhead: Duration,
    /// Layers of the first request.
    pub sent: Layers,
    /// What it held of what was said before.
    pub given: Given,
    /// What all chat requests of the turn cost together.
    pub in_all: Tokens,
    /// Layers of the largest request, its tool exchange included.
    pub most: Layers,
    /// Layers of the request that brought the final reply.
    pub answered: Layers,
    /// The last request, as estimated here and as the server measured it.
    pub measured: Measured,
    /// What all requests took that were made since the turn before.
    pub bill: TurnBill,
    /// Memory after the turn.
    pub memory: Arc<MemoryView>,
    /// What memory did, in order.
    pub changes: Vec<Change>,
}

/// What the first request of a turn held of what was concluded and of what was recalled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The efforts whose summaries it held, in window order.
    pub summaries: Vec<EffortId>,
    /// What was recalled for its message, best first.
    pub recalled: Vec<Recalled>,
}

impl Given {
    /// What a window holds, of what was recalled for its message.
    pub fn of(window: &Window, recalled: &[Recalled]) -> Self {
        let summary = |item: &WindowItem| match (&item.source, item.layer) {
            (Source::Summary(id), Layer::Summaries) => Some(id.clone()),
            _ => None,
        };
        let mut summaries: Vec<EffortId> = window.items.iter().filter_map(summary).collect();
        summaries.dedup();
        let is_recalled = |item: &&WindowItem| matches!(item.source, Source::Recalled(_));
        let count = window.items.iter().filter(is_recalled).count();
        Self { summaries, recalled: recalled.iter().take(count).cloned().collect() }
    }
}

/// A turn that did not end well. It is not counted; only what a tool already did remains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The user's message, to go back to the input line.
    pub user: Arc<str>,
    /// The part of the reply that arrived.
    pub partial: Arc<str>,
    /// What happened, or `None` if the user cancelled.
    pub error: Option<String>,
    /// Why it probably happened and what to do about it; empty if there is nothing to say.
    pub advice: String,
    /// What became of the message.
    pub message: Unanswered,
}

/// What became of a message without an answer. Where else it goes is the client's affair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// The session keeps it, marked as unanswered.
    Kept,
    /// The session does not hold it.
    Unsaved,
}

/// What came of concluding the effort that was still active behind what was told again. It is no turn.
#[derive(Debug, Clone)]
pub struct Concluded {
    /// What memory did.
    pub changes: Vec<Change>,
    /// Memory afterwards.
    pub memory: Arc<MemoryView>,
    /// What it took.
    pub paid: Paid,
}

/// What the orchestrator tells its client. Notices arrive in the order in which things happened.
#[derive(Debug, Clone)]
pub enum Notice {
    /// The session is open: its directory is locked and the end of its transcript read. The manifest
    /// is still being read; messages may be sent already and wait for it.
    Opened {
        /// The session.
        session: SessionInfo,
        /// The end of the transcript, oldest first.
        transcript: Vec<TranscriptEntry>,
        /// A message that was typed but never answered, to go back to the input line.
        draft: Option<String>,
    },
    /// The part of the transcript before what was told so far.
    Earlier {
        /// Oldest first; empty if nothing comes before.
        entries: Vec<TranscriptEntry>,
        /// Whether there is more before it.
        more: bool,
    },
    /// What was written and not sent when the program ended last.
    Drafts(Drafts),
    /// Memory as it is now.
    Memory(Arc<MemoryView>),
    /// What was paid so far.
    Bill(Arc<BillView>),
    /// What each turn took that counted, oldest first.
    BilledTurns(Arc<Vec<BilledTurn>>),
    /// A turn began; its user message is on disk.
    TurnStarted {
        /// Its number, if it ends well.
        turn: Turn,
        /// The user's message.
        user: Arc<str>,
    },
    /// A request went out.
    RequestSent {
        /// From 1 within the turn.
        round: u32,
        /// Tokens by layer.
        layers: Layers,
    },
    /// More of the reply, without what steers a terminal.
    Text(String),
    /// More of the model's reasoning.
    Reasoning(String),
    /// The answer is this alone: what [`Notice::Text`] told of it before was reasoning, whose server does not mark where it
    /// begins.
    Reworded(String),
    /// What the last complete request of a turn cost that does not end well.
    Measured(Measured),
    /// The model is writing a tool call.
    CallStarted {
        /// The tool's name.
        name: String,
    },
    /// A tool call of the model has run.
    CallFinished(CallReport),
    /// Memory did something; its banner is shown.
    Changed(Change),
    /// A model is being fetched.
    Fetching {
        /// Its name.
        model: String,
        /// How far it is.
        fetched: Fetched,
    },
    /// A request failed in a way that passes and will be repeated.
    Retrying {
        /// Time until then.
        wait: Duration,
        /// The attempt's number, from 2.
        attempt: u32,
        /// Why, as a sentence.
        reason: String,
    },
    /// A compression goes on beside the chat; [`Notice::CompressionEnded`] follows.
    Compressing {
        /// The effort.
        id: EffortId,
        /// Requests that have been answered.
        done: usize,
        /// Requests in all, as far as known.
        of: usize,
    },
    /// No compression is under way any more: its change was told before, or here is why there is none,
    /// as sentences.
    CompressionEnded(Option<String>),
    /// Something worth knowing that is no failure.
    Info(String),
    /// Something failed that did not end a turn: what happened and what to do.
    Problem {
        /// What happened.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// A turn ended well.
    TurnEnded(Box<TurnReport>),
    /// Behind what was told again the active effort is concluded.
    Concluded(Box<Concluded>),
    /// A turn failed or was cancelled.
    TurnStopped(Stopped),
    /// A memory command of the user has run; the text is its result, for people.
    CommandDone {
        /// Whether it did what it says.
        ok: bool,
        /// The result, as lines for the transcript.
        text: String,
    },
    /// The session is closed, and the disk did not take all that was told as done; a [`Notice::Problem`] says why.
    Unkept,
    /// What was told of a command that was in memory only: the disk took it at the end after all.
    SavedLate(String),
    /// A setting was changed, or refused: a sentence.
    SettingDone {
        /// Whether it was changed.
        ok: bool,
        /// What changed, or why not.
        text: String,
    },
    /// Files and directories whose path begins like this, as they would be written.
    Files {
        /// What was written.
        begun: String,
        /// The paths; directories end with a slash.
        paths: Vec<String>,
    },
    /// One item in full.
    Detail(Arc<Detail>),
    /// The settings in force, at the start and after each change.
    Settings(Arc<Settings>),
    /// The session has another name, or another model answers in it.
    Renamed(SessionInfo),
    /// The session was copied.
    Forked {
        /// Where the copy is.
        directory: PathBuf,
        /// What was copied, and what opens it: sentences.
        text: String,
    },
    /// Another session was to be deleted.
    SessionDeleted {
        /// Whether it is.
        ok: bool,
        /// What was deleted, or why not: a sentence.
        text: String,
    },
    /// Sessions that were looked for.
    Sessions(Arc<SessionList>),
    /// The window as the next turn would start from it.
    Window(Arc<Window>),
    /// All changes of memory, oldest first.
    Journal(Arc<Vec<JournalEntry>>),
    /// How the window went over the last turns, and what memory did, up to when it was asked for.
    Course(PastCourse),
    /// A turn as it was.
    Past(Arc<PastTurn>),
    /// A turn cannot be looked at: why, as a sentence.
    NoPast(String),
    /// Something of a question that is put twice.
    Versus(Versus),
    /// How such questions were judged so far.
    Verdicts(Verdicts),
    /// A request laid open.
    Inspection(Arc<Inspection>),
    /// Everything is saved and the driver has ended.
    Closed,
}

impl Notice {
    /// The same without the numbers of the system's errors. What a command has found is as it was said.
    pub(super) fn in_plain_words(self) -> Self {
        let plain = |text: String| without_codes(&text);
        match self {
            Self::Info(text) => Self::Info(plain(text)),
            Self::Problem { what, advice } => Self::Problem { what: plain(what), advice },
            Self::NoPast(text) => Self::NoPast(plain(text)),
            Self::CommandDone { ok: false, text } => {
                Self::CommandDone { ok: false, text: plain(text) }
            }
            Self::SessionDeleted { ok: false, text } => {
                Self::SessionDeleted { ok: false, text: plain(text) }
            }
            Self::SettingDone { ok: false, text } => {
                Self::SettingDone { ok: false, text: plain(text) }
            }
            Self::TurnStopped(stopped) => {
                Self::TurnStopped(Stopped { error: stopped.error.map(plain), ..stopped })
            }
            other => other,
        }
    }

    /// Something failed: what happened, and what to do about it.
    pub(super) fn problem(what: impl Into<String>, advice: &str) -> Self {
        Self::Problem { what: what.into(), advice: advice.to_owned() }
    }
}

/// The way to a client, who hears all in plain words; cheap to clone and to send. One that has gone needs no notice: what
/// it asked for is done all the same.
#[derive(Debug, Clone)]
pub(super) struct Notices(UnboundedSender<Notice>);

/// The same, which does not keep the way open.
#[derive(Debug)]
pub(super) struct WeakNotices(WeakUnboundedSender<Notice>);

impl Notices {
    /// A way, and its end for the client.
    pub(super) fn new() -> (Self, UnboundedReceiver<Notice>) {
        let (sender, receiver) = unbounded_channel();
        (Self(sender), receiver)
    }

    /// Tells something.
    pub(super) fn tell(&self, notice: Notice) {
        let _ = self.0.send(notice.in_plain_words());
    }

    /// Tells what is found out beside the chat, where it may take its time.
    pub(super) fn answer_beside<T: IntoIterator<Item = Notice>>(
        &self,
        answer: impl FnOnce() -> T + Send + 'static,
    ) {
        let notices = self.clone();
        tokio::task::spawn_blocking(move || {
            for notice in answer() {
                notices.tell(notice);
            }
        });
    }

    /// The way for whoever does not keep it open.
    pub(super) fn downgrade(&self) -> WeakNotices {
        WeakNotices(self.0.downgrade())
    }
}

impl WeakNotices {
    /// The way, if it is still open.
    pub(super) fn upgrade(&self) -> Option<Notices> {
        self.0.upgrade().map(Notices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn all_that_is_told_is_in_plain_words_and_nobody_need_listen() {
        let (notices, mut receiver) = Notices::new();
        let text = |end: &str| format!("the index could not be read: Permission denied{end}");
        let coded = text(" (os error 13)");
        let problem = Notice::Problem { what: coded.clone(), advice: String::new() };
        let all = [Notice::Info(coded.clone()), Notice::NoPast(coded), problem];
        let plain = [
            Notice::Info(text("")),
            Notice::NoPast(text("")),
            Notice::Problem { what: text(""), advice: String::new() },
        ];
        let told = all.clone();
        notices.answer_beside(move || told);
        for expected in plain {
            let told = receiver.recv().await.unwrap();
            assert_eq!(format!("{told:?}"), format!("{expected:?}"));
        }
        drop(receiver);
        for notice in all {
            notices.tell(notice);
        }
    }
}
