//! The proof runs of the seeds: each plays a scenario or measures the core, puts what was measured beside
//! what the seed expects, and checks its claims. System prompt and tool definitions are not counted, as in the seeds.

mod bill;
mod budget;
mod data;
mod far;
mod growth;
mod live;
mod paper;
mod quality;
pub mod recall;
mod scratchpad;
mod slices;
mod spent;
mod table;
mod waits;

use std::path::Path;
use std::sync::Arc;

use crate::config::Settings;
use crate::memory::{CountTokens, Layer, Layers};
use crate::scenario::{self, PlayError, Played, Player, Scenario};

pub use bill::{
    Billed, Mark, PRICES, Part, Parts, Placement, Plan, Price, Sent, Shape, Sitting, Until, listing,
};
pub use data::{LAYOUT as DATA_LAYOUT, Stopped as DataStopped, TITLE as DATA_TITLE, data};
pub use far::Far;
pub use live::{TITLE as LIVE_TITLE, live};
pub use quality::{QualityError, TITLE as QUALITY_TITLE, quality};
pub use table::{outcome_json, outcome_text};
pub use waits::Stop;

/// A proof that can be asked for.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    /// The word on the command line.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    kind: Kind,
}

/// How a proof is run.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A scenario is played and its turns are checked.
    Played { scenario: &'static str, check: fn(&[Played]) -> Outcome },
    /// The same with a scenario that is made, because its texts are large.
    Made { scenario: fn() -> String, check: fn(&[Played]) -> Outcome },
    /// Conversations are played and what they cost is compared.
    Billed(bill::Extent),
    /// Conversations of published sizes are played.
    Published,
    /// Questions are asked and what is at hand is compared.
    Recalled,
    /// The core is measured directly.
    Measured(fn(&Arc<dyn CountTokens>) -> Outcome),
}

/// One line of a proof's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What happened.
    pub step: String,
    /// What the seed expects.
    pub expected: String,
    /// What was measured.
    pub measured: String,
}

/// One claim and whether it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The claim, as a sentence.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// The figures behind it.
    pub figures: String,
}

/// What a proof run found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The table.
    pub rows: Vec<Row>,
    /// The claims.
    pub claims: Vec<Claim>,
    /// How it was obtained, and what else is to be known.
    pub remarks: Vec<String>,
}

/// All proofs, in order.
pub const PROOFS: &[Proof] = &[
    Proof {
        name: "1",
        title: "Slice 1: concluding an effort takes about 80 % off the context",
        kind: Kind::Played {
            scenario: include_str!("../assets/scenarios/slice-1.yaml"),
            check: slices::compaction,
        },
    },
    Proof {
        name: "2",
        title: "Slice 2: expansion is lossless, several efforts coexist",
        kind: Kind::Played {
            scenario: include_str!("../assets/scenarios/slice-2.yaml"),
            check: slices::expansion,
        },
    },
    Proof {
        name: "3",
        title: "Slice 3: an expanded log fades on exactly the third turn without a reference",
        kind: Kind::Played {
            scenario: include_str!("../assets/scenarios/slice-3.yaml"),
            check: slices::decay,
        },
    },
    Proof {
        name: "4",
        title: "Slice 4: working memory is bounded, and search finds what was evicted",
        kind: Kind::Played {
            scenario: include_str!("../assets/scenarios/slice-4.yaml"),
            check: slices::bounded,
        },
    },
    Proof {
        name: "5",
        title: "Reopening: a concluded effort continues its log",
        kind: Kind::Played {
            scenario: include_str!("../assets/scenarios/slice-5.yaml"),
            check: slices::reopening,
        },
    },
    Proof {
        name: "budget",
        title: "Notes: archived at the soft limit, removed at the hard one",
        kind: Kind::Measured(budget::life_cycle),
    },
    Proof {
        name: "scratchpad",
        title: "Large texts: held by reference, compressed safely",
        kind: Kind::Made { scenario: scratchpad::scenario, check: scratchpad::safe },
    },
    Proof {
        name: "bill",
        title: "The bill, in short: what memory costs beside sending everything, and the most that it may",
        kind: Kind::Billed(bill::Extent::Short),
    },
];

/// What memory costs and what others would have paid, in conversations of all shapes and up to 2,000,000
/// tokens.
pub const BILL: Proof = Proof {
    name: "bill",
    title: "The bill: what memory costs beside sending everything, and the most that it may",
    kind: Kind::Billed(bill::Extent::Full),
};

/// The published case study, beside conversations of the same sizes.
pub const PAPER: Proof = Proof {
    name: "paper",
    title: "The published case study: working memory and what it saves, theirs and ours",
    kind: Kind::Published,
};

/// What is at hand when a question is answered.
pub const RECALL: Proof = Proof {
    name: "recall",
    title: "Recall: what a question needs is in the window when it is answered",
    kind: Kind::Recalled,
};

/// Slice 4 at scale: the same claim for sessions of up to a hundred thousand efforts.
pub const SCALE: Proof = Proof {
    name: "4 --scale",
    title: "Slice 4 at scale: the window of 100,000 efforts is that of 100",
    kind: Kind::Measured(growth::to_a_hundred_thousand),
};

impl Proof {
    /// The scenario that it plays, also the material of `ebbtide demo`; `None` if it plays none.
    ///
    /// # Errors
    /// Fails only if the built-in file is broken, which a test rules out.
    pub fn scenario(&self) -> Option<Result<Scenario, scenario::Error>> {
        match self.kind {
            Kind::Played { scenario, .. } => {
                Some(Scenario::parse(scenario, Path::new(&self.file())))
            }
            Kind::Made { scenario, .. } => {
                Some(Scenario::parse(&scenario(), Path::new(&self.file())))
            }
            Kind::Billed(_) | Kind::Published | Kind::Recalled | Kind::Measured(_) => None,
        }
    }

    /// Plays the scenario, or measures the core, and checks the claims. What takes long tells how far it is.
    ///
    /// # Errors
    /// Fails when the scenario cannot be played to its end.
    pub async fn run(
        &self,
        counter: Arc<dyn CountTokens>,
        far: &Far,
    ) -> Result<Outcome, PlayError> {
        match self.kind {
            Kind::Played { scenario, check } => self.play(scenario, check, counter).await,
            Kind::Made { scenario, check } => self.play(&scenario(), check, counter).await,
            Kind::Billed(extent) => bill::run(extent, &counter, far).await,
            Kind::Published => paper::run(&counter, far).await,
            Kind::Recalled => recall::run(&counter, far).await,
            Kind::Measured(measure) => Ok(measure(&counter)),
        }
    }

    async fn play(
        &self,
        scenario: &str,
        check: fn(&[Played]) -> Outcome,
        counter: Arc<dyn CountTokens>,
    ) -> Result<Outcome, PlayError> {
        let file = self.file();
        let scenario = Scenario::parse(scenario, Path::new(&file))
            .map_err(|error| PlayError::Script(error.to_string()))?;
        let settings = scenario::settings(&scenario, Path::new(&file), Settings::default())?;
        let mut player = Player::start(&scenario, settings, None, counter)?;
        let mut turns = vec![];
        while let Some(turn) = player.next_turn().await? {
            turns.push(turn);
        }
        player.finish().await;
        Ok(check(&turns))
    }

    fn file(&self) -> String {
        format!("slice-{}.yaml", self.name)
    }
}

impl Outcome {
    /// Whether every claim holds.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }

    fn row(&mut self, step: &str, expected: &str, measured: impl Into<String>) {
        let (step, expected) = (step.to_owned(), expected.to_owned());
        self.rows.push(Row { step, expected, measured: measured.into() });
    }

    fn claim(&mut self, text: &str, holds: bool, figures: impl Into<String>) {
        self.claims.push(Claim { text: text.to_owned(), holds, figures: figures.into() });
    }
}

/// Tokens without system prompt and tools.
fn context(layers: &Layers) -> u64 {
    let fixed = layers.of(Layer::System) + layers.of(Layer::Tools);
    layers.total().saturating_sub(fixed).0
}
