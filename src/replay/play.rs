//! Plays the turns through the real driver and takes down what came of it.

use std::path::Path;
use std::sync::Arc;

use super::ahead::Ahead;
use super::billing::Billing;
use super::conversation::Conversation;
use super::phases::Phase;
use super::replayed::{Pauses, Replayed};
use super::staging::{self, Replaying, Unread, staged};
use crate::bill::Prices;
use crate::config::{Settings, Source};
use crate::llm::Model;
use crate::llm::scripted::Scripted;
use crate::memory::{CountTokens, WordsAhead};
use crate::orchestrator::{Audience, Unwatched};
use crate::scenario::{Play, PlayError, Player};
use crate::store;

/// The longest time for which a cache can be set to keep what it holds, in seconds.
const ALWAYS: &str = "31536000";

/// A conversation that can be played, as often as one likes.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What is said in it.
    pub conversation: Arc<Conversation>,
    /// Its topics.
    pub phases: Arc<[Phase]>,
}

impl Replay {
    /// How many turns belong to no topic.
    pub fn turns_without_topic(&self) -> u64 {
        let with: usize = self.phases.iter().map(|phase| phase.to - phase.from).sum();
        (self.conversation.len() - with) as u64
    }
}

/// What it is played with.
pub struct With {
    /// The settings.
    pub settings: Settings,
    /// Counts tokens.
    pub counter: Arc<dyn CountTokens>,
    /// Writes the summaries.
    pub summaries: Arc<dyn Model>,
    /// The prices of the bill.
    pub prices: Prices,
}

impl Replay {
    /// Plays it, in a session that stays if a directory is named; `told` hears how many turns of how many are done.
    ///
    /// # Errors
    /// A setting makes no sense, the session cannot be written, or a turn fails.
    pub async fn play(
        &self,
        with: With,
        directory: Option<&Path>,
        told: &mut dyn FnMut(usize, usize),
    ) -> Result<Replayed, PlayError> {
        let (unread, lifetime) = (Unread::default(), with.settings.cache_lifetime());
        let turns = staged(
            Arc::clone(&self.conversation),
            Arc::clone(&self.phases),
            lifetime,
            unread.clone(),
        );
        let finds = self.conversation.finds();
        // Where somebody watches, a topic's end is no hurry.
        let looked_for = directory.is_none().then(|| Arc::clone(&finds));
        let words = Arc::new(WordsAhead::default());
        let ahead = Ahead {
            counter: Arc::clone(&with.counter),
            summaries: looked_for.is_some().then(|| Arc::clone(&with.summaries)),
            words: looked_for.is_some().then(|| Arc::clone(&words)),
            finds: looked_for,
        };
        let (turns, beside) = ahead.of(turns).map_err(|reason| {
            PlayError::Script(format!("the system starts no more threads: {reason}"))
        })?;
        let lasts = staging::lasts(self.conversation.len(), &self.phases);
        let scripted = Scripted::new();
        let model = Arc::new(Replaying { script: scripted.clone(), summaries: with.summaries });
        let recall = with.settings.rules().recall();
        let billing = Billing {
            conversation: &self.conversation,
            counter: Arc::clone(&with.counter),
            limit: with.settings.input_limit(),
            budget: with.settings.rules().limit(),
            cache: with.prices.cache,
            least: with.prices.least,
            lifetime,
        };
        let (mut settings, counter) = (with.settings, with.counter);
        settings.set_prices(&with.prices, &Source::Flag("replay"))?;
        if !settings.cache_lifetime().is_zero() {
            // Nobody pauses here, however long the play takes: the log's own pauses are counted apart.
            settings.set("cache_lifetime", ALWAYS, Source::Flag("replay"))?;
        }
        let setup = &store::Setup::default();
        let audience = match directory {
            Some(_) => Audience::Recited,
            None => Audience::Nobody(Unwatched { finds, words, beside }),
        };
        let play = Play { directory, setup, script: scripted, model, settings, counter, audience };
        let mut player = Player::begin(play, turns)?;
        let pauses = Pauses { lifetime: billing.lifetime.as_secs(), turns: 0 };
        let mut replayed = Replayed { pauses, recall, ..Replayed::default() };
        let ended = billing.play_turns(&mut player, &mut replayed, lasts, told).await;
        player.finish().await;
        ended?;
        unread.told()?;
        if let Some(directory) = directory {
            store::keep_prices(directory, &with.prices)?;
        }
        replayed.place(&self.phases);
        Ok(replayed)
    }
}
