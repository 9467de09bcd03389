//! The full-screen app: a pure client of the orchestrator. It sends an `Op`, hears a `Notice` and
//! draws.
//!
//! `app` holds the state and is tested without a terminal, `app::layer` what lies over the chat; `view` draws
//! it; `run` is the loop; only `screen` knows the real terminal. Text of a model, a file or a person is made
//! harmless by `text` on its way to the screen.

pub mod answer;
pub mod app;
pub mod burst;
pub mod clipboard;
pub mod command;
pub mod compacted;
pub mod completion;
pub mod course;
pub mod demo;
pub mod editor;
pub mod field;
pub mod flow;
pub mod highlight;
pub mod ink;
pub mod input;
pub mod keyboard;
pub mod keymap;
pub mod look;
pub mod markdown;
pub mod moves;
pub(crate) mod paint;
pub mod panel;
pub mod place;
pub mod queue;
pub mod record;
pub mod rows;
pub mod run;
pub mod screen;
mod share;
pub mod steering;
pub mod theme;
pub mod transcript;
pub mod view;
pub mod views;
pub mod window_layers;
pub mod words;

use std::io;
use std::pin::Pin;

use futures_util::{Stream, stream};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::bill::Paid;
use crate::clock;
use crate::orchestrator::{Drafts, Notice, Op, SessionInfo};
use app::{Action, App, Errand};
use compacted::{Compacted, Compactions};
use demo::DemoControls;
use editor::Editor;
use keyboard::Keyboard;
use keymap::Keymap;
use look::Look;
use record::Recorder;
use run::{Wires, run_on};
use screen::TerminalScreen;

/// How the app looks, what its keys are and what it plays.
#[derive(Debug, Default)]
pub struct AppOptions {
    /// How it looks.
    pub look: Look,
    /// The keys.
    pub keymap: Keymap,
    /// What was wrong with the settings, to be said at the start.
    pub remarks: Vec<String>,
    /// What is to be known of the session, to be said at the start.
    pub notes: Vec<String>,
    /// Changes of memory that were explained in an earlier run, by name.
    pub hinted: Vec<String>,
    /// Begin with the list of sessions, because none is open.
    pub pick: bool,
    /// The programs that can reach the clipboard, best first.
    pub clipboard: Vec<clipboard::Program>,
    /// The editor for longer texts.
    pub editor: Editor,
    /// A demo that plays instead of a person writing.
    pub demo: Option<DemoControls>,
    /// What is drawn is kept by it.
    pub recorder: Recorder,
    /// Where another program compacted the conversation that is replayed.
    pub compactions: Vec<Compacted>,
    /// What that program paid for the conversation, where it is known that it compacted.
    pub compacted_then: Option<Paid>,
}

/// What the app leaves behind.
#[derive(Debug, Default)]
pub struct Left {
    /// The session that was open at the end.
    pub session: Option<SessionInfo>,
    /// Whether anything was said in it.
    pub said: bool,
    /// Changes of memory that were explained in this run, by name.
    pub hinted: Vec<&'static str>,
    /// Problems that were told while the session was closed, when nobody saw them any more.
    pub problems: Vec<String>,
}

/// Why the app ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The user quit.
    Quit,
    /// The user wants something that needs the terminal, and then to come back.
    Errand(Errand),
    /// A signal, by its number, asked for it.
    Signal(i32),
}

/// What can end the app against the user's will. The terminal has been given back by then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal could not be taken over.
    #[error("the terminal cannot show a full-screen program")]
    SetUp(#[source] io::Error),
    /// A frame could not be written.
    #[error("the screen could not be drawn")]
    Draw(#[source] io::Error),
    /// Keys could not be read.
    #[error("the keyboard could not be read")]
    Input(#[source] io::Error),
    /// What was drawn could not be kept.
    #[error("the recording could not be written")]
    Record(#[source] io::Error),
    /// The orchestrator is gone.
    #[error("the conversation ended unexpectedly; everything sent so far is saved")]
    DriverEnded,
    /// A part of the program panicked; its report is on the terminal.
    #[error("a part of the program failed; everything sent so far is saved")]
    Panicked,
}

/// Runs the full-screen app on the real terminal until it quits. `send` hands an operation to the
/// orchestrator, `keep` has it keep what is written and not sent, `notices` is what it says.
///
/// # Errors
/// Says which of the things that the app stands on failed; the terminal is given back first.
pub async fn run(
    send: impl Fn(Op),
    keep: impl Fn(Drafts),
    notices: UnboundedReceiver<Notice>,
    options: AppOptions,
    left: &mut Left,
) -> Result<Exit, Error> {
    let mut app = App::dressed(options.look, options.keymap);
    if options.demo.is_some() {
        app = app.in_demo();
    }
    app.remark(options.remarks);
    app.tell(options.notes);
    app.skip_hints(&options.hinted);
    app.copy_with(options.clipboard);
    app.mark(Compactions::new(options.compactions), options.compacted_then);
    app.number_from(clock::micros());
    if options.pick {
        for action in app.pick_session("") {
            if let Action::Send(op) = action {
                send(op);
            }
        }
    }
    let signals = signals().map_err(Error::SetUp)?;
    let mut screen = TerminalScreen::take().map_err(Error::SetUp)?;
    screen.record_with(options.recorder);
    let wires = Wires {
        events: Keyboard::new(),
        notices,
        send,
        keep,
        signals,
        demo: options.demo,
        editor: options.editor,
    };
    let exit = run_on(&mut screen, &mut app, wires).await;
    let exit = exit.map(|exit| match (exit, app.errand()) {
        (Exit::Quit, Some(errand)) => Exit::Errand(errand),
        (exit, _) => exit,
    });
    *left = Left {
        session: app.session().cloned(),
        said: app.has_said(),
        hinted: app.hinted(),
        problems: app.told_last,
    };
    let kept = screen.end_recording().map_err(Error::Record);
    exit.and_then(|exit| kept.map(|()| exit))
}

/// Numbers of signals as they come.
pub(crate) type Signals = Pin<Box<dyn Stream<Item = i32> + Send>>;

/// Signals that ask a program to end, by number.
#[cfg(unix)]
pub(crate) fn signals() -> io::Result<Signals> {
    use tokio::signal::unix::SignalKind;
    heard(&[
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
    ])
}

/// Those that ask a program without a screen to stop what it does, as Ctrl+C does, by number; that the terminal has gone
/// is one of them unless the program is to outlive it.
#[cfg(unix)]
pub(crate) fn interrupts(outlives_terminal: bool) -> io::Result<Signals> {
    use tokio::signal::unix::SignalKind;
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    if !outlives_terminal {
        kinds.push(SignalKind::hangup());
    }
    heard(&kinds)
}

#[cfg(unix)]
fn heard(kinds: &[tokio::signal::unix::SignalKind]) -> io::Result<Signals> {
    let mut streams: Vec<Signals> = Vec::new();
    for kind in kinds {
        let number = kind.as_raw_value();
        let listener = tokio::signal::unix::signal(*kind)?;
        streams.push(Box::pin(stream::unfold(listener, move |mut listener| async move {
            listener.recv().await.map(|()| (number, listener))
        })));
    }
    Ok(Box::pin(stream::select_all(streams)))
}

#[cfg(not(unix))]
pub(crate) fn signals() -> io::Result<Signals> {
    Ok(Box::pin(stream::pending()))
}

#[cfg(not(unix))]
pub(crate) fn interrupts(_: bool) -> io::Result<Signals> {
    const NUMBER: i32 = 2;
    let next = |()| async { tokio::signal::ctrl_c().await.ok().map(|()| (NUMBER, ())) };
    Ok(Box::pin(stream::unfold((), next)))
}
