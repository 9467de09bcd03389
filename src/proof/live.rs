//! Whether a model uses its memory as a person would expect: the slices' conversations in natural language, in several
//! wordings and with asides, said to the model that is configured. Unlike the other proofs it needs one that
//! understands language, and what it costs is paid.

mod called;
mod expect;
mod known;
mod tally;

use std::sync::Arc;

use serde::Deserialize;

use self::expect::{Expect, Seen};
use self::known::Known;
use self::tally::{Tally, Turned};
use super::Outcome;
use super::waits::{STOPPED, Stop, waiting};
use crate::bill::Sum;
use crate::config::Settings;
use crate::llm::Model;
use crate::llm::scripted::Scripted;
use crate::memory::CountTokens;
use crate::orchestrator::{Notice, Op, prices_of};
use crate::scenario::{Play, PlayError, Player, Scenario, ScriptedTurn};
use crate::store;

/// What it shows.
pub const TITLE: &str = "Live: whether the model opens, closes, switches, reopens, expands and looks up where a person \
    would expect it, and else leaves memory alone";

/// Wordings of each message.
const WORDINGS: usize = 3;

/// One conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversation {
    name: String,
    /// What the session holds before its first turn.
    #[serde(default)]
    past: Option<Scenario>,
    turns: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    /// Its wordings.
    say: Vec<String>,
    expect: Expect,
}

/// What conversations are said with.
struct With<'a> {
    model: &'a Arc<dyn Model>,
    settings: &'a Settings,
    counter: &'a Arc<dyn CountTokens>,
}

/// Why not all was said.
enum Ended {
    /// Nothing more could be said.
    Failed(PlayError),
    /// Somebody had enough.
    Stopped,
}

/// Says every conversation to the model so many times, each time in a new session and, as far as there are any, in other
/// words. `tell` hears how far it is, and what went wrong without ending a turn. A turn that fails counts as a miss. Where
/// the next one fails too, or once `stop` is there, what was said until then is told, and that it is not all.
///
/// # Errors
/// When a setting is wrong, or a session cannot be written or requests fail before any turn ended well, or it is stopped
/// before. What was paid by then hears `tell`.
pub async fn live(
    model: &Arc<dyn Model>,
    settings: &Settings,
    counter: &Arc<dyn CountTokens>,
    runs: usize,
    tell: &mut dyn FnMut(String),
    mut stop: Stop<'_>,
) -> Result<Outcome, PlayError> {
    let conversations = conversations()?;
    let with = With { model, settings, counter };
    let (mut tally, mut unsaid) = (Tally::default(), None);
    for (run, conversation) in
        (0..runs).flat_map(|run| conversations.iter().map(move |one| (run, one)))
    {
        let place = format!("run {} of {runs}: {}", run + 1, conversation.name);
        tell(place.clone());
        let Said { turned, paid, ended } =
            with.say(conversation, run, tell, &mut stop).await.unwrap_or_else(Said::nothing);
        tally.add(run, &conversation.name, turned, paid);
        if let Err(ended) = ended {
            unsaid = Some((place, ended));
            break;
        }
    }
    let info = model.info();
    let prices = prices_of(settings, &info.provider, &info.name);
    if let Some((_, ended)) = unsaid.take_if(|_| tally.is_empty()) {
        if tally.has_paid() {
            tell(format!("until then {}", tally.costs(&info, &prices)));
        }
        return Err(ended.into());
    }
    if matches!(unsaid, Some((_, Ended::Failed(_)))) {
        tally.stop();
    }
    let mut outcome = tally.outcome(&info, &prices);
    if let Some((place, ended)) = unsaid {
        let (until, why) = match ended {
            Ended::Failed(error) => ("this failed", error.to_string()),
            Ended::Stopped => ("it was stopped", STOPPED.to_owned()),
        };
        let text = format!("everything is said; the figures are of what was said until {until}");
        outcome.claim(&text, false, format!("{place}: {why}"));
    }
    if runs > WORDINGS {
        outcome.remarks.push(format!(
            "Each message has {WORDINGS} wordings: runs above {WORDINGS} say them again, which tells less than new ones, \
             so that the intervals are narrower than they should be."
        ));
    }
    Ok(outcome)
}

fn conversations() -> Result<Vec<Conversation>, PlayError> {
    let text = include_str!("../../assets/live.yaml");
    yaml_serde::from_str(text)
        .map_err(|error| PlayError::Script(format!("assets/live.yaml: {error}")))
}

/// What was said of a conversation.
struct Said {
    turned: Vec<Turned>,
    /// What all its requests took.
    paid: Sum,
    /// Whether it was all.
    ended: Result<(), Ended>,
}

impl Said {
    /// It could not even begin.
    fn nothing(why: PlayError) -> Self {
        Self { turned: Vec::new(), paid: Sum::default(), ended: Err(Ended::Failed(why)) }
    }
}

impl From<Ended> for PlayError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Failed(error) => error,
            Ended::Stopped => Self::Stopped(STOPPED.to_owned()),
        }
    }
}

impl With<'_> {
    /// Plays one conversation in the wordings of one run.
    async fn say(
        &self,
        conversation: &Conversation,
        run: usize,
        tell: &mut dyn FnMut(String),
        stop: &mut Stop<'_>,
    ) -> Result<Said, PlayError> {
        let setup =
            conversation.past.as_ref().map_or_else(store::Setup::default, Scenario::session);
        let words: Vec<String> = conversation.turns.iter().map(|turn| turn.worded(run)).collect();
        let turns: Vec<ScriptedTurn> = words.iter().map(|words| unscripted(words)).collect();
        let (model, counter) = (Arc::clone(self.model), Arc::clone(self.counter));
        let (setup, script, settings) = (&setup, Scripted::new(), self.settings.clone());
        let play = Play::recited(setup, script, model, settings, counter);
        let mut player = Player::begin(play, turns.into_iter())?;
        let mut turned = Vec::new();
        let ended = tokio::select! {
            biased;
            () = stop => Err(Ended::Stopped),
            ended = turns_of(conversation, &mut player, &mut turned, tell) => {
                ended.map_err(Ended::Failed)
            }
        };
        player.take_problems().into_iter().for_each(tell);
        let bill = player.finish().await;
        let paid = bill.map_or_else(Sum::default, |view| view.bill.all());
        Ok(Said { turned, paid, ended })
    }
}

async fn turns_of(
    conversation: &Conversation,
    player: &mut Player,
    turned: &mut Vec<Turned>,
    tell: &mut dyn FnMut(String),
) -> Result<(), PlayError> {
    let mut known = Known::default();
    let mut has_failed = false;
    for turn in &conversation.turns {
        let Some(user) = player.prepare_turn() else { break };
        player.handle().send(Op::Send(user.clone()));
        let expected = turn.expect.clone();
        let hear = |notice: &Notice| {
            if let Notice::Retrying { wait, attempt, reason } = notice {
                tell(waiting(*wait, *attempt, reason));
            }
        };
        match player.await_report_hearing(hear).await {
            Ok(report) => {
                has_failed = false;
                turned.push(Turned::judged(user, expected, &mut known, &report));
            }
            // Once is the model's fault, or an accident; twice in a row there is nothing to be measured.
            Err(PlayError::Stopped(why)) if !has_failed => {
                has_failed = true;
                // What should have been opened may be opened later.
                expected.tell(&mut known, &Seen::failed(&user));
                turned.push(Turned::failed(user, expected, &why));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Turn {
    fn worded(&self, run: usize) -> String {
        self.say.get(run % self.say.len().max(1)).cloned().unwrap_or_default()
    }
}

/// A turn whose answers come from the model itself.
fn unscripted(user: &str) -> ScriptedTurn {
    ScriptedTurn { user: user.to_owned(), ..ScriptedTurn::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_has_wordings_and_every_key_is_opened_before() {
        let conversations = conversations().expect("the file can be read");
        for conversation in &conversations {
            let past = conversation.past.as_ref().map(Scenario::session).unwrap_or_default();
            let mut known: Vec<String> =
                past.efforts.iter().map(|effort| effort.id.clone()).collect();
            for turn in &conversation.turns {
                assert_eq!(turn.say.len(), WORDINGS, "{turn:?}");
                match &turn.expect {
                    Expect::Open(key) => known.push(key.clone()),
                    other => assert!(other.key().is_none_or(|key| known.contains(key)), "{turn:?}"),
                }
            }
        }
        let kinds = conversations.iter().flat_map(|one| &one.turns).map(|turn| turn.expect.word());
        let kinds: std::collections::BTreeSet<&str> = kinds.collect();
        assert_eq!(kinds.len(), Expect::WORDS.len());
    }
}
