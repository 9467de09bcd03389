//! The wire between a demo that plays a scenario and the app that shows it.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What the viewer of a demo asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoCommand {
    /// Stops the demo, or lets it go on.
    TogglePause,
    /// Goes on at once; while stopped, plays one turn and stops.
    Step,
    /// Plays faster.
    Faster,
    /// Plays slower.
    Slower,
    /// Goes to a chapter, from 1.
    Chapter(usize),
    /// Ends the demo and leaves its session to the viewer.
    Live,
}

/// What the viewer is asked to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// Which chapter of how many.
    pub place: (usize, usize),
    /// What the chapter is called.
    pub chapter: String,
    /// What to look at.
    pub text: String,
}

/// What a demo tells the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DemoNotice {
    /// The input line as typed so far; empty once the message is sent.
    Typing(String),
    /// A text is pasted behind what is typed.
    Pasted(String),
    /// What to look at from now on; `None` for nothing.
    Caption(Option<Caption>),
    /// How it plays, in a few words: `paused`, `playing, speed 2`.
    State(String),
    /// The demo is over; from here on the keys work as in a chat.
    Finished {
        /// What is said to the viewer.
        words: String,
        /// Chapters that a digit plays again, as long as nothing else was pressed; 0 for none.
        again: usize,
    },
}

/// Both ends that the app needs while a demo plays.
#[derive(Debug)]
pub struct DemoControls {
    /// Where the viewer's keys go.
    pub commands: UnboundedSender<DemoCommand>,
    /// What the demo says.
    pub notices: UnboundedReceiver<DemoNotice>,
}
