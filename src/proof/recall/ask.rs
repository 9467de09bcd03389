//! Questions asked in a session, through the real driver: what the first request held.

use std::collections::HashMap;
use std::sync::Arc;

use super::figures::At;
use super::set::{Question, Session, Set};
use crate::config::{Settings, Source};
use crate::llm::scripted::{Scripted, ScriptedAnswer};
use crate::memory::{CountTokens, Layer};
use crate::orchestrator::{self, Op, TurnReport};
use crate::scenario::{Play, PlayError, Player, ScriptedTurn};

/// What the first request held for one message.
#[derive(Debug, Clone)]
pub(in crate::proof) struct Asked {
    /// Summaries and what was recalled.
    pub(in crate::proof) at_hand: Vec<At>,
    /// What was recalled alone.
    pub(in crate::proof) recalled: Vec<At>,
    /// What was recalled, in tokens.
    pub(in crate::proof) tokens: u64,
    /// Summaries, notes, indexes and what was recalled, in tokens.
    pub(in crate::proof) memory: u64,
    /// All that the request held, in tokens.
    pub(in crate::proof) window: u64,
    /// What a search finds: sessions, best first.
    pub(in crate::proof) found: Vec<String>,
}

/// Asks messages one after the other in a session that is made for it.
///
/// # Errors
/// When the session cannot be written or a turn fails.
pub(in crate::proof) async fn ask(
    set: &Set,
    others: &[Session],
    messages: &[String],
    counter: &Arc<dyn CountTokens>,
) -> Result<Vec<Asked>, PlayError> {
    let sessions = set.sessions.iter().chain(others);
    let summaries: HashMap<String, String> =
        sessions.map(|session| (session.id.clone(), session.summary.clone())).collect();
    let script = Scripted::new();
    let model = Arc::new(script.clone());
    let turns: Vec<ScriptedTurn> = messages.iter().map(|message| turn(message)).collect();
    let (setup, settings) = (&set.setup(others), settings()?);
    let play = Play::recited(setup, script, model, settings, Arc::clone(counter));
    let mut player = Player::begin(play, turns.into_iter())?;
    player.window().await?;
    let found = search(&player, messages, counter);
    let mut asked = Vec::new();
    while let Some(message) = player.prepare_turn() {
        player.handle().send(Op::Send(message));
        asked.push(Asked::read(&player.await_report().await?, &summaries));
    }
    player.finish().await;
    for (asked, found) in asked.iter_mut().zip(found) {
        asked.found = found;
    }
    Ok(asked)
}

/// What `search` finds for messages before any of them was asked: the ids, best first.
fn search(
    player: &Player,
    messages: &[String],
    counter: &Arc<dyn CountTokens>,
) -> Vec<Vec<String>> {
    const MOST: usize = 10;
    let (directory, settings) = (player.directory(), Settings::default());
    let Ok(session) = orchestrator::inspect_to_search(directory, &settings, Arc::clone(counter))
    else {
        return Vec::new();
    };
    let ids = |query: &String| {
        session.search(query, MOST).into_iter().map(|found| found.id.to_string()).collect()
    };
    messages.iter().map(ids).collect()
}

/// Messages that ask the questions of a set.
pub(in crate::proof) fn texts(questions: &[Question]) -> Vec<String> {
    questions.iter().map(|question| question.text.clone()).collect()
}

fn turn(message: &str) -> ScriptedTurn {
    let answer = ScriptedAnswer { text: "I see.".to_owned(), ..ScriptedAnswer::default() };
    ScriptedTurn { user: message.to_owned(), model: vec![answer], ..ScriptedTurn::default() }
}

fn settings() -> Result<Settings, PlayError> {
    let source = Source::Scenario { file: "proof recall".to_owned(), line: None };
    let mut settings = Settings::default();
    // What a cut of power would leave is nothing that is measured.
    settings.set("durability", "process", source)?;
    Ok(settings)
}

impl Asked {
    fn read(report: &TurnReport, summaries: &HashMap<String, String>) -> Self {
        let given = &report.given;
        let summary = |id: &str| At {
            id: id.to_owned(),
            text: summaries.get(id).cloned().unwrap_or_default(),
        };
        let of = |one: &crate::memory::Recalled| At {
            id: one.id.to_string(),
            text: format!("{} {}", one.day, one.text),
        };
        let recalled: Vec<At> = given.recalled.iter().map(of).collect();
        let warm = given.summaries.iter().map(|id| summary(id.as_str()));
        let tokens = report.sent.of(Layer::Recalled).0;
        let layers = [Layer::Summaries, Layer::Notes, Layer::Scratchpad, Layer::Recalled];
        let memory = layers.into_iter().map(|layer| report.sent.of(layer).0).sum();
        let at_hand = warm.chain(recalled.iter().cloned()).collect();
        let window = report.sent.total().0;
        Self { at_hand, recalled, tokens, memory, window, found: Vec::new() }
    }
}
