//! The loop: waits for keys, notices, a demo and signals, and draws what they change.
//!
//! A frame is requested by whatever changes something, and all requests of 16 ms share one (5 ms for keys). Time
//! passes only while something on screen changes with it; an idle app draws nothing.

use std::io;
use std::time::Duration;

use crossterm::event::{Event, MouseEventKind};
use futures_util::{Stream, StreamExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use super::app::{Action, App, Msg};
use super::burst::Typed;
use super::clipboard::{Clip, Outcome};
use super::demo::{DemoCommand, DemoControls, DemoNotice};
use super::editor::{Editing, Editor, edited};
use super::keyboard::Keys;
use super::screen::Screen;
use super::{Error, Exit};
use crate::orchestrator::{Drafts, Notice, Op};

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(16);

/// The same after a key: whoever types sees each letter at once.
const KEY_FRAME: Duration = Duration::from_millis(5);

/// How often what is animated moves.
const TICK: Duration = Duration::from_millis(100);

/// The same while something flows.
const FLOW_TICK: Duration = Duration::from_millis(40);

/// The same, for a screen without motion: seconds still count.
const CALM_TICK: Duration = Duration::from_secs(1);

/// How long saving may take after the program was asked to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The signal that Ctrl+C sends where the terminal is not in our hands; it is for the program that has it.
const INTERRUPT: i32 = 2;

/// Notices that are taken in one go; a flood must not keep keys and frames waiting.
const BATCH: usize = 256;

/// Everything that the loop listens to and talks to.
#[derive(Debug)]
pub struct Wires<Events, Send, Keep, Signals> {
    /// Events of the terminal.
    pub events: Events,
    /// What the orchestrator says.
    pub notices: UnboundedReceiver<Notice>,
    /// How to ask the orchestrator for something.
    pub send: Send,
    /// How to have drafts kept.
    pub keep: Keep,
    /// Numbers of signals that ask the program to end.
    pub signals: Signals,
    /// A demo that plays.
    pub demo: Option<DemoControls>,
    /// The editor for longer texts.
    pub editor: Editor,
}

/// What the loop was woken by.
enum Wake {
    Messages(Vec<Msg>),
    Signal(i32),
    Frame,
    Failed(Error),
    Over,
}

/// Runs the app until it quits. If the terminal fails or a signal asks for the end, everything is
/// saved first.
///
/// # Errors
/// Says which of the things that the app stands on failed.
pub async fn run_on<Events, Send, Keep, Signals>(
    screen: &mut impl Screen,
    app: &mut App,
    wires: Wires<Events, Send, Keep, Signals>,
) -> Result<Exit, Error>
where
    Events: Keys,
    Send: Fn(Op),
    Keep: Fn(Drafts),
    Signals: Stream<Item = i32> + Unpin,
{
    let Wires { mut events, mut notices, send, keep, mut signals, demo, editor } = wires;
    let (demo_out, mut demo_in) = demo.map(|d| (d.commands, d.notices)).unzip();
    let (mut pace, mut ending) = (Pace::new(), Ending::default());
    let mut batch = Vec::new();
    let (copying, mut copied) = unbounded_channel();
    let mut editing: Option<Editing> = None;
    loop {
        let wake = tokio::select! {
            event = events.next(), if ending.failure.is_none() => match event {
                Some(Ok(Typed::Event(event))) if is_noise(&event) => continue,
                Some(Ok(Typed::Event(event))) => Wake::Messages(vec![Msg::Terminal(event)]),
                Some(Ok(Typed::Burst(keys))) => Wake::Messages(vec![Msg::Burst(keys)]),
                Some(Err(error)) => Wake::Failed(Error::Input(error)),
                None => Wake::Failed(Error::Input(io::ErrorKind::UnexpectedEof.into())),
            },
            count = notices.recv_many(&mut batch, BATCH) => match count {
                0 => Wake::Over,
                _ => Wake::Messages(batch.drain(..).map(Msg::Notice).collect()),
            },
            Some(notice) = next_demo(&mut demo_in) => Wake::Messages(vec![Msg::Demo(notice)]),
            Some((clip, outcome)) = copied.recv() => {
                Wake::Messages(vec![Msg::Copied(clip, outcome)])
            }
            Some(signal) = signals.next() => Wake::Signal(signal),
            () = sleep_until(pace.next_frame()), if pace.wanted && editing.is_none() => Wake::Frame,
            outcome = edited(editing.as_mut()) => {
                editing = None;
                events.resume();
                let back = screen.take_back().map(|()| vec![Msg::Edited(outcome)]);
                back.map_or_else(|error| Wake::Failed(Error::Draw(error)), Wake::Messages)
            }
            () = sleep_until(pace.next_tick(app)), if app.is_animated() => {
                pace.ticked = Instant::now();
                Wake::Messages(Vec::new())
            }
            () = sleep_until(ending.latest(pace.start)), if app.is_closing() => Wake::Over,
        };
        let msgs = match wake {
            Wake::Over if app.is_closing() => return ending.result(),
            Wake::Over => return Err(Error::DriverEnded),
            Wake::Messages(msgs) => msgs,
            Wake::Signal(INTERRUPT) if editing.is_some() => continue,
            Wake::Signal(signal) => ending.signalled(signal),
            Wake::Failed(error) => ending.failed(error, app),
            Wake::Frame => {
                pace.drawn();
                match draw(screen, app) {
                    Ok(()) => continue,
                    Err(_) if ending.failure.is_some() => continue,
                    Err(error) => ending.failed(error, app),
                }
            }
        };
        pace.hurried |= msgs.iter().any(|msg| matches!(msg, Msg::Terminal(Event::Key(_))));
        let mut actions = app.update(Msg::Tick(pace.start.elapsed()));
        actions.extend(msgs.into_iter().flat_map(|msg| app.update(msg)));
        pace.wanted = true;
        app.errands().into_iter().for_each(&send);
        app.drafts_to_keep().into_iter().for_each(&keep);
        for action in actions {
            let done = match action {
                Action::Edit(text) => {
                    events.rest();
                    let lent = screen.lend().map(|()| editing = Some(editor.open(text)));
                    lent.map(|()| false).map_err(Error::Draw)
                }
                action => perform(action, screen, &send, demo_out.as_ref(), &copying),
            };
            match done {
                Ok(false) => {}
                Ok(true) => return ending.result(),
                Err(error) => app_failed(&mut ending, error, app, &send),
            }
        }
        if app.is_closing() {
            ending.begin();
        }
    }
}

/// How the app comes to its end: why, and how long it may still take.
#[derive(Default)]
struct Ending {
    signal: Option<i32>,
    failure: Option<Error>,
    latest: Option<Instant>,
}

impl Ending {
    /// The first failure asks for the end; the keys and the screen are not used any more.
    fn failed(&mut self, error: Error, app: &App) -> Vec<Msg> {
        self.failure.get_or_insert(error);
        if app.is_closing() { Vec::new() } else { vec![Msg::Terminate] }
    }

    /// A second signal does not wait for everything to be saved.
    fn signalled(&mut self, signal: i32) -> Vec<Msg> {
        self.signal = Some(signal);
        vec![Msg::Terminate]
    }

    fn begin(&mut self) {
        self.latest.get_or_insert_with(|| Instant::now() + PATIENCE);
    }

    fn latest(&self, start: Instant) -> Instant {
        self.latest.unwrap_or(start)
    }

    fn result(self) -> Result<Exit, Error> {
        match (self.signal, self.failure) {
            (Some(signal), _) => Ok(Exit::Signal(signal)),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(Exit::Quit),
        }
    }
}

/// The terminal failed while an action was done: the app is asked to end.
fn app_failed(ending: &mut Ending, error: Error, app: &mut App, send: &impl Fn(Op)) {
    for msg in ending.failed(error, app) {
        for action in app.update(msg) {
            if let Action::Send(op) = action {
                send(op);
            }
        }
    }
}

/// When to draw next.
struct Pace {
    start: Instant,
    last_frame: Option<Instant>,
    ticked: Instant,
    wanted: bool,
    /// A key waits for the next frame.
    hurried: bool,
}

impl Pace {
    fn new() -> Self {
        let start = Instant::now();
        Self { start, last_frame: None, ticked: start, wanted: true, hurried: false }
    }

    fn next_frame(&self) -> Instant {
        let apart = if self.hurried { KEY_FRAME } else { FRAME };
        self.last_frame.map_or(self.start, |last| last + apart)
    }

    fn next_tick(&self, app: &App) -> Instant {
        self.ticked
            + match app.has_motion() {
                _ if app.is_searching() => FRAME,
                true if app.is_flowing() => FLOW_TICK,
                true => TICK,
                false => CALM_TICK,
            }
    }

    fn drawn(&mut self) {
        self.last_frame = Some(Instant::now());
        self.wanted = false;
        self.hurried = false;
    }
}

fn draw(screen: &mut impl Screen, app: &mut App) -> Result<(), Error> {
    if screen.is_ours() { screen.draw(app).map_err(Error::Draw) } else { Err(Error::Panicked) }
}

/// Does what the app asked for; returns whether it is over.
fn perform(
    action: Action,
    screen: &mut impl Screen,
    send: &impl Fn(Op),
    demo: Option<&UnboundedSender<DemoCommand>>,
    copying: &UnboundedSender<(Clip, Outcome)>,
) -> Result<bool, Error> {
    match action {
        Action::Send(op) => send(op),
        Action::Demo(command) => {
            // A demo that has ended no longer listens, and says so by a notice of its own.
            let _ = demo.map(|demo| demo.send(command));
        }
        Action::Copy(clip) => {
            screen.copy(&clip.text).map_err(Error::Draw)?;
            hand_over(clip, copying.clone());
        }
        Action::Mouse(ours) => screen.take_mouse(ours).map_err(Error::Draw)?,
        // The loop opens the editor itself: it has the keyboard.
        Action::Edit(_) => {}
        Action::Redraw => screen.forget().map_err(Error::Draw)?,
        Action::Suspend => screen.suspend().map_err(Error::Draw)?,
        Action::Quit => return Ok(true),
    }
    Ok(false)
}

/// Hands a text to a program of the desktop beside the loop: the program may take its time.
fn hand_over(clip: Clip, copying: UnboundedSender<(Clip, Outcome)>) {
    tokio::task::spawn_blocking(move || {
        let outcome = clip.hand_over();
        // The loop may have ended meanwhile; then nobody is left to be told.
        let _ = copying.send((clip, outcome));
    });
}

async fn next_demo(demo: &mut Option<UnboundedReceiver<DemoNotice>>) -> Option<DemoNotice> {
    match demo {
        Some(notices) => notices.recv().await,
        None => None,
    }
}

/// Movement of the mouse without a button is reported, too, and means nothing here.
fn is_noise(event: &Event) -> bool {
    matches!(event, Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved)
}

#[cfg(test)]
mod tests;
