//! The wire between a demo that plays a scenario and the app that shows it.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What the viewer of a demo asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoCommand {
    /// Stops the demo, or lets it go on.
    TogglePause,
    /// Plays one turn and stops.
    Step,
    /// Plays faster.
    Faster,
    /// Plays slower.
    Slower,
}

/// What a demo tells the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DemoNotice {
    /// The input line as typed so far; empty once the message is sent.
    Typing(String),
    /// How it plays, in a few words: `paused`, `playing, speed 2`.
    State(String),
    /// The demo is over; from here on the keys work as in a chat. The text says so to the viewer.
    Finished(String),
}

/// Both ends that the app needs while a demo plays.
#[derive(Debug)]
pub struct DemoControls {
    /// Where the viewer's keys go.
    pub commands: UnboundedSender<DemoCommand>,
    /// What the demo says.
    pub notices: UnboundedReceiver<DemoNotice>,
}
