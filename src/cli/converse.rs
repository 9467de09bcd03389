//! What talks to a model: the full-screen chat, and one thing that is done in a session without it.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::sync::mpsc::UnboundedReceiver;

use super::runtime::run;
use super::{Error, Job, SessionArguments, Streams, configure, editor, hints};
use crate::config::{Environment, Settings};
use crate::llm;
use crate::orchestrator::{
    self, Audience, CallReport, Handle, Notice, Op, Setup, Stopped, Unanswered,
};
use crate::store;
use crate::text::{clean, fit, joined, one_line};
use crate::tokens::Cl100k;
use crate::tools;
use crate::tui::app::Errand;
use crate::tui::keymap::Keymap;
use crate::tui::look::Look;
use crate::tui::{self, AppOptions, Exit, Left, Signals};

impl Job<'_> {
    /// Opens a session and starts its driver, without a screen.
    fn start(
        &self,
        directory: PathBuf,
        model: Arc<dyn llm::Model>,
        compress_in_turn: bool,
    ) -> Result<(Handle, UnboundedReceiver<Notice>), Error> {
        let setup = Setup {
            directory,
            settings: self.fitted_to(&*model).0,
            model,
            counter: Arc::new(Cl100k::lazy()),
            count_first: false,
            check_notes_every: Some(orchestrator::NOTES_CHECK),
            compress_in_turn,
            audience: Audience::Person,
        };
        Ok(orchestrator::start(setup)?)
    }

    /// How the full-screen app looks.
    pub(super) fn app_options(&self) -> AppOptions {
        let environment = &self.host.environment;
        let look = look_of(&self.settings, environment);
        let (keymap, _) = Keymap::with(self.settings.keys());
        AppOptions {
            look,
            keymap,
            remarks: configure::faults(&self.settings),
            clipboard: tui::clipboard::programs(|name| environment.var(name)),
            editor: editor::editor(environment),
            ..AppOptions::default()
        }
    }
}

/// What the settings and the terminal say of the look.
pub(super) fn look_of(settings: &Settings, environment: &Environment) -> Look {
    let mut look = Look {
        colorfgbg: environment.var("COLORFGBG").map(str::to_owned),
        no_color: has_no_colour(environment),
        no_unicode: has_no_unicode(environment),
        ..Look::default()
    };
    look.follow(settings);
    look
}

/// Whether colours are not wanted, or the terminal is of a kind that has none: `dumb`, a VT100, `xterm-mono`.
pub(super) fn has_no_colour(environment: &Environment) -> bool {
    let set = |name| environment.var(name);
    if set("NO_COLOR").is_some() || set("COLORTERM").is_some() {
        return set("NO_COLOR").is_some();
    }
    let kind = set("TERM").unwrap_or_default();
    let of_one_ink = kind.ends_with("-m") || kind.ends_with("-mono") || kind == "dumb";
    let is_vt = kind.strip_prefix("vt").is_some_and(|rest| rest.starts_with(char::is_numeric));
    of_one_ink || is_vt
}

/// Whether the locale that is in force says what letters there are, and Unicode is not among them: `LANG=C`,
/// `de_DE.ISO-8859-1`.
fn has_no_unicode(environment: &Environment) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| environment.var(name));
    let has_none = |locale: &str| match locale.split_once('.') {
        Some((_, letters)) => !letters.to_lowercase().starts_with("utf"),
        None => matches!(locale, "C" | "POSIX"),
    };
    locale.is_some_and(has_none)
}

/// The full-screen chat, until it is left for good or for something else that needs the terminal: for what, and where the
/// session is that was open then. `back_in` is one that was left so; without it `-r` without a name begins with the list
/// of sessions.
pub(super) fn chat(
    job: &Job<'_>,
    back_in: Option<PathBuf>,
    streams: &mut Streams<'_>,
) -> Result<Option<(Errand, Option<PathBuf>)>, Error> {
    // The tokenizer's table loads beside the first frame, not before it.
    std::thread::spawn(Cl100k::load);
    run(async {
        let first = match back_in {
            Some(directory) => Some(directory),
            None => job.first_directory()?,
        };
        let (model, found) = job.model(streams).await?;
        let (settings, remark) = job.fitted_to(&*model);
        let mut options = AppOptions {
            pick: first.is_none(),
            hinted: hints::given(job.host),
            ..job.app_options()
        };
        options.remarks.extend(found.into_iter().chain(remark));
        let make_setup = Box::new(move |directory, settings| Setup {
            directory,
            model: Arc::clone(&model),
            settings,
            counter: Arc::new(Cl100k::lazy()),
            count_first: false,
            check_notes_every: Some(orchestrator::NOTES_CHECK),
            compress_in_turn: false,
            audience: Audience::Person,
        });
        let (handle, notices) = orchestrator::open_hub(first, settings, make_setup)?;
        let mut left = Left::default();
        let (send, keep) = (|op| handle.send(op), |drafts| handle.keep_drafts(drafts));
        let exit = tui::run(send, keep, notices, options, &mut left).await;
        hints::keep(job.host, &left.hinted);
        left.problems.iter().for_each(|problem| streams.tell(clean(problem)));
        if let (Ok(Exit::Quit), Some(session), true) = (&exit, &left.session, left.said) {
            if !session.directory.is_dir() {
                let moved = store::Error::Moved(session.directory.clone());
                return Err(Error::Failed(moved.to_string()));
            }
            writeln!(streams.out, "{}", clean(&job.to_go_on(session)))?;
        }
        if let Ok(Exit::Errand(errand)) = exit {
            return Ok(Some((errand, left.session.map(|session| session.directory))));
        }
        end_of_app(exit).map(|()| None)
    })
}

/// What the app's end means for the exit status.
pub(super) fn end_of_app(exit: Result<Exit, tui::Error>) -> Result<(), Error> {
    match exit {
        Ok(Exit::Quit | Exit::Errand(_)) => Ok(()),
        Ok(Exit::Signal(number)) => Err(Error::Signal(number)),
        Err(error) => Err(Error::Failed(with_causes(&error))),
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// Opens the session, has one thing done in it and closes it.
pub(super) async fn converse(
    job: &Job<'_>,
    op: Op,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    // A single turn has no later moment to compress in.
    let (model, found) = job.model(streams).await?;
    for remark in found {
        streams.tell(remark);
    }
    let directory = job.session_directory()?;
    let interrupts = tui::interrupts(is_without_hangup())?;
    let (handle, notices) = job.start(directory.clone(), model, true)?;
    if !is_named(&job.arguments.session) {
        let name = store::name_of(&directory);
        let name = clean(&name);
        streams.tell(format_args!("The session is {name}; -s NAME takes another."));
    }
    let compresses = matches!(op, Op::Compress(_));
    handle.send(op);
    let mut heard = Heard { handle, notices, interrupts, interrupted: 0, signal: 2 };
    let outcome = print_outcome(&mut heard, compresses, streams).await;
    if heard.interrupted > 1 {
        return outcome;
    }
    heard.handle.send(Op::Shutdown);
    let (mut saved, mut is_kept) = (None, true);
    while let Some(notice) = heard.next().await? {
        tell(&notice, streams);
        match notice {
            Notice::SavedLate(told) => saved = Some(told),
            Notice::Unkept => is_kept = false,
            _ => {}
        }
    }
    match saved {
        None if outcome.is_ok() && !is_kept => {
            let why = "what was told as done is not kept: when the disk takes it, do it again";
            Err(Error::Failed(why.to_owned()))
        }
        Some(told) => Ok(writeln!(streams.out, "{}", clean(&told))?),
        None => outcome,
    }
}

/// Whether the program was begun with `nohup`, so that it outlives its terminal; where nobody says, it was not.
fn is_without_hangup() -> bool {
    const HANGUP: u64 = 1;
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & HANGUP != 0)
}

/// Whether a flag names the session.
pub(super) fn is_named(session: &SessionArguments) -> bool {
    session.name.is_some() || session.directory.is_some() || matches!(session.resume, Some(Some(_)))
}

/// What is heard while something is done in a session.
struct Heard {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    interrupts: Signals,
    /// How often it was interrupted.
    interrupted: u32,
    /// By what, the first time.
    signal: i32,
}

impl Heard {
    /// The next notice; `None` behind the last one. An interrupt stops what is under way.
    ///
    /// # Errors
    /// A second interrupt does not wait for everything to be saved.
    async fn next(&mut self) -> Result<Option<Notice>, Error> {
        loop {
            tokio::select! {
                notice = self.notices.recv() => return Ok(notice),
                Some(number) = self.interrupts.next() => {
                    if self.interrupted == 0 {
                        self.signal = number;
                    }
                    self.interrupted += 1;
                    if self.interrupted > 1 {
                        return Err(Error::Signal(number));
                    }
                    self.handle.send(Op::Cancel);
                }
            }
        }
    }
}

/// Prints the reply, or what a command came to. A compression is a command that goes on after its answer.
async fn print_outcome(
    heard: &mut Heard,
    compresses: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let mut reply = Reply::default();
    loop {
        match heard.next().await? {
            Some(Notice::Text(text)) => reply.print(&text, streams)?,
            Some(Notice::TurnEnded(report)) => {
                reply.end_line(streams)?;
                failed_calls(&report.calls).for_each(|line| streams.tell(clean(&line)));
                return Ok(());
            }
            Some(Notice::TurnStopped(stopped)) => {
                reply.end_line(streams)?;
                return Err(stopped_error(&stopped, heard.signal));
            }
            Some(Notice::Forked { text, .. }) => {
                return Ok(writeln!(streams.out, "{}", clean(&text))?);
            }
            Some(Notice::CommandDone { ok, text } | Notice::SettingDone { ok, text }) => {
                if !ok {
                    return Err(Error::Failed(text));
                }
                writeln!(streams.out, "{}", clean(&text))?;
                if !compresses {
                    return Ok(());
                }
            }
            Some(Notice::CompressionEnded(why)) if compresses => {
                return why.map_or(Ok(()), |why| Err(Error::Failed(why)));
            }
            Some(Notice::Closed) | None => {
                return Err(Error::Failed("the session could not be used".to_owned()));
            }
            Some(Notice::CallStarted { .. } | Notice::CallFinished(_)) => {
                reply.end_line(streams)?;
            }
            Some(Notice::Fetching { model, fetched }) => {
                let tenths = fetched.percent().map(|percent| percent / 10);
                if tenths.is_none() || tenths != reply.tenths {
                    streams.tell(clean(&format!("{model}: {}", fetched.line())));
                }
                reply.tenths = tenths;
            }
            Some(notice) => reply.tell(notice, streams),
        }
    }
}

/// The reply as far as it is printed. What is to be told beside it waits for the end of a line, so that it stands
/// in a line of its own on a terminal and cuts no line of the reply in two.
#[derive(Default)]
struct Reply {
    /// Tenths of a model that have been fetched.
    tenths: Option<u64>,
    line_open: bool,
    waiting: Vec<Notice>,
}

impl Reply {
    fn print(&mut self, text: &str, streams: &mut Streams<'_>) -> std::io::Result<()> {
        write!(streams.out, "{}", clean(text))?;
        streams.out.flush()?;
        self.line_open = !text.ends_with('\n');
        if self.line_open { Ok(()) } else { self.end_line(streams) }
    }

    fn tell(&mut self, notice: Notice, streams: &mut Streams<'_>) {
        if self.line_open {
            self.waiting.push(notice);
        } else {
            tell(&notice, streams);
        }
    }

    fn end_line(&mut self, streams: &mut Streams<'_>) -> std::io::Result<()> {
        if std::mem::take(&mut self.line_open) {
            writeln!(streams.out)?;
        }
        streams.out.flush()?;
        self.waiting.drain(..).for_each(|notice| tell(&notice, streams));
        Ok(())
    }
}

fn stopped_error(stopped: &Stopped, signal: i32) -> Error {
    let Some(what) = &stopped.error else { return Error::Signal(signal) };
    let message = match stopped.message {
        Unanswered::Kept if stopped.partial.is_empty() => {
            "Your message is kept in the session, without an answer."
        }
        Unanswered::Kept => "Your message is kept in the session, with what came of an answer.",
        Unanswered::Unsaved => "Your message is not kept.",
    };
    Error::Failed(joined(&joined(what, &stopped.advice), message))
}

/// A line about each call of the model that was to change what is kept and did not, unless a later one like it did.
fn failed_calls(calls: &[CallReport]) -> impl Iterator<Item = String> {
    let changes = |name: &str| tools::find(name).is_some_and(|tool| tool.changes);
    let is_made_good =
        |nth: usize, name: &str| calls[nth..].iter().any(|later| later.ok && later.name == name);
    let failed = calls.iter().enumerate().filter(move |(nth, call)| {
        !call.ok && changes(&call.name) && !is_made_good(*nth, &call.name)
    });
    failed.map(|(_, call)| {
        let why = call.result["error"].as_str().unwrap_or("it did not say why");
        format!("{} of the model failed and changed nothing: {}", call.name, one_line(why))
    })
}

/// Signs of a message by which whoever wrote it knows it again.
const SHOWN: usize = 60;

/// What is worth a line beside the reply.
fn tell(notice: &Notice, streams: &mut Streams<'_>) {
    let line = match notice {
        Notice::Changed(change) => change.banner(),
        Notice::Reworded(_) => "What was printed of this answer begins with the model's reasoning: its server does not \
                                mark where that begins. It is not kept as a part of the answer."
            .to_owned(),
        Notice::Info(text) | Notice::CompressionEnded(Some(text)) => text.clone(),
        Notice::Problem { what, advice } => joined(what, advice),
        Notice::Opened { draft: Some(message), .. } => format!(
            "The program ended before the message \"{}\" was answered: it stands in the session without an answer, and is \
             not sent again.",
            fit(&one_line(message), SHOWN)
        ),
        Notice::Retrying { wait, attempt, reason } => {
            format!("{reason}; attempt {attempt} in {} s", wait.as_secs())
        }
        _ => return,
    };
    streams.tell(clean(&line));
}
