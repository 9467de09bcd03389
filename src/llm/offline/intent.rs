//! What a message may ask for.

use super::recall;

/// How plainly a message asks for a new effort; the weaker, the less it may interrupt other work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// "I need to fix X": a step of the active effort, unless nothing is open.
    Weak,
    /// "Let's plan X": a new effort, unless the active one is about X.
    Work,
    /// "New topic: X".
    Explicit,
}

/// One thing that a message asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Intent {
    /// Start work on a topic, named by its words.
    Open { topic: Vec<String>, strength: Strength },
    /// Work is complete. `said` is all that may be an effort's name; `topic`, what it seems to be about,
    /// is empty for the active effort; `plain` if closing was asked for in so many words.
    Close { said: Vec<String>, topic: Vec<String>, plain: bool },
    /// Go on with something, open or concluded.
    Resume { topic: Vec<String> },
    /// List efforts, or tell about one.
    Status { topic: Vec<String> },
    /// Send an expanded log out.
    Collapse { topic: Vec<String> },
    /// Keep a sentence in view.
    Remember { content: String },
    /// Answer from the past.
    Recall(recall::Query),
    /// A greeting.
    Greeting,
    /// A thank-you or a goodbye.
    Thanks,
    /// A question about the model itself.
    About,
    /// A question about how memory works.
    Memory,
    /// Something that only a language model could do.
    Beyond(Beyond),
    /// A question without a word that points to memory.
    Question(recall::Query),
    /// Anything else.
    Talk,
}

/// Why something cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// It asks about the world.
    World,
    /// It asks what the model likes or feels.
    Taste,
    /// It asks for something to be made up: a joke, a poem, code.
    Making,
}

impl Intent {
    /// Whether something is done for it, and not only answered.
    pub(super) fn acts(&self) -> bool {
        self.rank() == 0
    }

    /// What to answer when nothing acts: the lowest.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::About | Self::Memory => 1,
            Self::Beyond(_) => 2,
            Self::Question(_) => 3,
            Self::Thanks => 4,
            Self::Greeting => 5,
            Self::Talk => 6,
            _ => 0,
        }
    }
}
