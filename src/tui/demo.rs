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

/// How a demo plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DemoState {
    /// It has told nothing yet.
    Begins,
    /// It plays, so many times as fast as usual, if that was told.
    Plays(Option<f64>),
    /// It waits for the viewer, and goes on as fast.
    Paused(Option<f64>),
}

impl DemoState {
    /// What the status line says: `playing`, `demo, speed 2`, `demo paused, speed 2`.
    pub fn label(self) -> String {
        let (words, speed) = match self {
            Self::Begins => ("playing", None),
            Self::Plays(speed) => ("demo", speed),
            Self::Paused(speed) => ("demo paused", speed),
        };
        speed.map_or_else(|| words.to_owned(), |speed| format!("{words}, speed {speed}"))
    }
}

/// What a demo tells the app.
#[derive(Debug, Clone, PartialEq)]
pub enum DemoNotice {
    /// The input line as typed so far; empty once the message is sent.
    Typing(String),
    /// A text is pasted behind what is typed.
    Pasted(String),
    /// What to look at from now on; `None` for nothing.
    Caption(Option<Caption>),
    /// How it plays.
    State(DemoState),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_demo_plays_is_told_in_a_few_words() {
        for (state, label) in [
            (DemoState::Begins, "playing"),
            (DemoState::Plays(None), "demo"),
            (DemoState::Plays(Some(1.0)), "demo, speed 1"),
            (DemoState::Paused(Some(0.25)), "demo paused, speed 0.25"),
        ] {
            assert_eq!(state.label(), label);
        }
    }
}
