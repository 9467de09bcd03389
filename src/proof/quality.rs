//! Whether a summary keeps what matters: the same questions are asked once with the summary alone and once
//! with the whole raw log, and the answers are compared (slice 1, quality preservation test). Unlike the
//! other proofs it needs a model that understands language.

mod answered;
mod asked;
mod facts;
mod said;

pub(super) use answered::ask;

use std::sync::Arc;

use serde::Deserialize;

use self::asked::{Answered, Asked};
use self::facts::Counts;
use self::said::said;
use super::Outcome;
use super::waits::{STOPPED, Stop};
use crate::config::Settings;
use crate::counted::counted;
use crate::llm::{self, Message, Model, Role};
use crate::memory::{CountTokens, Tokens};

/// The share of answers, in percent, that must be the same; one that is partly so counts half.
const ENOUGH: usize = 80;

/// One conversation and what is asked about it.
#[derive(Debug, Deserialize)]
struct Subject {
    id: String,
    messages: Vec<Said>,
    questions: Vec<Question>,
}

/// A question, and what an answer to it must say.
#[derive(Debug, Deserialize)]
struct Question {
    ask: String,
    facts: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    user: String,
    assistant: String,
}

/// How two answers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Partly,
    Different,
    /// One of the answers is none ("I don't know"): two of that kind are equal but tell nothing.
    Unanswered,
    /// The model gave no verdict, or no clear one.
    None,
}

/// Why the proof could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum QualityError {
    /// A request failed.
    #[error("{0}. {advice}", advice = .0.advice())]
    Model(llm::Error),
    /// The stream of an answer ended without it.
    #[error("an answer ended early")]
    Ended,
    /// An answer was cut, so that comparing it would prove nothing.
    #[error("an answer {0}")]
    Cut(&'static str),
    /// What was asked when it failed, and why.
    #[error("{0}: {1}")]
    At(String, Box<QualityError>),
    /// The person has ended it.
    #[error("{STOPPED}")]
    Stopped,
    /// The built-in conversations cannot be read; a test rules it out.
    #[error("assets/quality.yaml: {0}")]
    Subjects(yaml_serde::Error),
}

/// What it shows.
pub const TITLE: &str = "Quality: answers from the summary alone beside answers from the whole log";

/// Asks every question both ways, compares the answers and looks for the expected facts in them. The settings say which
/// model judges, if that is another one, and what its tokens cost. `tell` hears how far it is. An answer that fails counts as
/// none. Where several requests fail one after the other, or once `stop` is there, what was answered until then is told, and
/// that it is not all.
///
/// # Errors
/// When requests fail, or it is stopped, before any question was answered. What was paid by then hears `tell`.
pub async fn quality(
    model: &Arc<dyn Model>,
    settings: &Settings,
    counter: &Arc<dyn CountTokens>,
    tell: &mut dyn FnMut(String),
    stop: Stop<'_>,
) -> Result<Outcome, QualityError> {
    let subjects: Vec<Subject> = yaml_serde::from_str(include_str!("../../assets/quality.yaml"))
        .map_err(QualityError::Subjects)?;
    let mut asked = Asked::of(model, settings.judge_model(), counter, tell);
    let ended = tokio::select! {
        biased;
        () = stop => Err(QualityError::Stopped),
        ended = asked.about_all(&subjects) => ended,
    };
    let costs = asked.costs(settings);
    let Asked { all, failed, tell, .. } = asked;
    let unasked = match ended {
        Err(error) if all.is_empty() => {
            let paid = costs.into_iter().filter(|(requests, _)| *requests > 0);
            paid.for_each(|(_, told)| tell(format!("until then {told}")));
            return Err(error);
        }
        ended => ended.err(),
    };
    let mut outcome = Outcome::default();
    for Answered { step, costs: [_, whole], measured, .. } in &all {
        outcome.row(step, &format!("as from {whole} tokens"), measured.clone());
    }
    let verdicts: Vec<Verdict> = all.iter().map(|answered| answered.verdict).collect();
    let sum = |at: usize| all.iter().map(|answered| answered.costs[at]).sum::<Tokens>();
    let facts = [0, 1].map(|at| all.iter().map(|answered| answered.facts[at]).sum::<Counts>());
    let offline = model.info().offline;
    claim_verdicts(&mut outcome, &verdicts, (sum(0), sum(1)), offline);
    facts::claim(&mut outcome, facts, offline);
    if let Some(why) = unasked {
        let until =
            if matches!(why, QualityError::Stopped) { "it was stopped" } else { "this failed" };
        let text = format!("every question is asked; the figures are of those until {until}");
        outcome.claim(&text, false, why.to_string());
    }
    outcome.remarks.extend(costs.into_iter().map(|(_, told)| told));
    if failed > 0 {
        outcome.remarks.push(format!(
            "{} failed, or brought an answer that was cut or empty: such an answer counts as none, such a verdict too.",
            counted(failed, "request")
        ));
    }
    Ok(outcome)
}

fn claim_verdicts(
    outcome: &mut Outcome,
    verdicts: &[Verdict],
    (short, long): (Tokens, Tokens),
    offline: bool,
) {
    let count = |wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count();
    let (same, partly) = (count(Verdict::Same), count(Verdict::Partly));
    let (different, none) = (count(Verdict::Different), count(Verdict::None));
    let figures = format!(
        "{same} same, {partly} partly, {different} different, {} not answered, {none} without a \
         verdict, of {}; {short} tokens instead of {long}",
        count(Verdict::Unanswered),
        verdicts.len()
    );
    if offline {
        let text = "the path runs; the built-in model understands no language, so its figures mean \
                    nothing about a real model";
        outcome.claim(text, true, figures);
    } else {
        let score = (2 * same + partly) * 100 / (2 * verdicts.len()).max(1);
        let text =
            format!("at least {ENOUGH} % of the answers from the summary are as from the log");
        outcome.claim(&text, score >= ENOUGH, figures);
    }
    outcome.claim("the summary costs less than the log", short < long, format!("{short} < {long}"));
}

impl Verdict {
    /// The one of the four words that the model's answer says.
    fn read(text: &str) -> Self {
        match said(text, &["SAME", "PARTLY", "DIFFERENT", "UNANSWERED"]) {
            Some("SAME") => Self::Same,
            Some("PARTLY") => Self::Partly,
            Some("DIFFERENT") => Self::Different,
            Some("UNANSWERED") => Self::Unanswered,
            _ => Self::None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Partly => "partly",
            Self::Different => "different",
            Self::Unanswered => "not answered",
            Self::None => "no verdict",
        }
    }
}

/// Whether an answer begins by saying that it is none, and goes on with no "but". The judge is told to notice this in any
/// words and language; these a lenient judge must not overlook.
fn gives_up(answer: &str) -> bool {
    const TURNS: [&str; 6] = [" but ", "however", "though", " aber ", "jedoch", " only "];
    const WORDS: [&str; 22] = [
        "don't know",
        "do not know",
        "don't have",
        "do not have",
        "no information",
        "not mentioned",
        "doesn't mention",
        "does not mention",
        "doesn't say",
        "does not say",
        "can't tell",
        "cannot tell",
        "can't say",
        "cannot say",
        "no record",
        "not in the summary",
        "not in the conversation",
        "not in the log",
        "weiß nicht",
        "weiß ich nicht",
        "keine information",
        "nicht erwähnt",
    ];
    let answer = answer.trim().to_lowercase().replace('\u{2019}', "'");
    let first = answer.split(['.', '!', '\n', ',', ';']).next().unwrap_or_default();
    let turns = TURNS.iter().any(|turn| answer.contains(turn));
    let is_unknown = first == "unknown" || WORDS.iter().any(|words| first.contains(words));
    first.is_empty() || is_unknown && !turns
}

pub(super) fn messages(prompt: Vec<(&'static str, String)>) -> Vec<Message> {
    let role = |word: &str| if word == "system" { Role::System } else { Role::User };
    prompt.into_iter().map(|(word, text)| Message::text(role(word), text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::offline::Offline;
    use crate::llm::scripted::{Scripted, ScriptedAnswer};
    use crate::tokens::Cl100k;

    fn counter() -> Arc<dyn CountTokens> {
        Arc::new(Cl100k::lazy())
    }

    async fn prove(model: &Arc<dyn Model>) -> Result<Outcome, QualityError> {
        prove_hearing(model, &mut |_| {}).await
    }

    async fn prove_hearing(
        model: &Arc<dyn Model>,
        tell: &mut dyn FnMut(String),
    ) -> Result<Outcome, QualityError> {
        let never = Box::pin(std::future::pending());
        quality(model, &Settings::default(), &counter(), tell, never).await
    }

    #[tokio::test]
    async fn every_question_is_asked_both_ways_and_judged() {
        let script = Scripted::new();
        let say = |text: &str| ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() };
        let verdicts = ["SAME", "**same**", "Partly.", "DIFFERENT", "UNANSWERED", "I cannot say"];
        let answers = (0..12).flat_map(|nth| {
            let verdict = say(verdicts.get(nth).unwrap_or(&"SAME"));
            let facts = [say("1. FOUND\n2: missing"), say("1 FOUND 2 FOUND")];
            [say("brief answer"), say("whole answer"), verdict].into_iter().chain(facts)
        });
        let summaries = vec!["Short.".to_owned(); 3];
        script.set_turn(1, answers.collect(), summaries, Vec::new());
        let model: Arc<dyn Model> = Arc::new(script.clone());
        let outcome = prove(&model).await.unwrap();
        assert_eq!(script.take_leftovers(), None);
        assert_eq!(outcome.rows.len(), 12);
        assert_eq!(
            outcome.rows[2].measured,
            "partly: \"brief answer\" | \"whole answer\"; 1 of 1 fact"
        );
        let claim = &outcome.claims[0];
        let figures = "8 same, 1 partly, 1 different, 1 not answered, 1 without";
        assert!(claim.figures.starts_with(figures), "{claim:?}");
        let facts = &outcome.claims[2];
        let figures = "12 found, 6 missing, 0 contradicted, 0 without a verdict, of 18; from the whole log 18 found";
        assert!(facts.figures.starts_with(figures), "{facts:?}");
    }

    #[tokio::test]
    async fn two_answers_that_are_none_are_a_miss_and_no_judge_is_asked() {
        let script = Scripted::new();
        let say = |text: &str| ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() };
        let none = "I don\u{2019}t know, the conversation does not mention it.";
        let answers = (0..12).flat_map(|_| [say(none), say("I do not know.")]);
        script.set_turn(1, answers.collect(), vec!["Short.".to_owned(); 3], Vec::new());
        let model: Arc<dyn Model> = Arc::new(script.clone());
        let outcome = prove(&model).await.unwrap();
        assert_eq!(script.take_leftovers(), None);
        let figures = "0 same, 0 partly, 0 different, 12 not answered";
        assert!(outcome.claims[0].figures.starts_with(figures), "{outcome:?}");
        assert!(outcome.claims[2].figures.starts_with("0 found, 18 missing"), "{outcome:?}");
        assert!(!gives_up("The port was 8080; the log doesn't say why."));
        assert!(!gives_up("I don't know who wrote it, but the fix was an interceptor."));
        for none in ["I have no record of that.", "Unknown.", "Das weiß ich nicht."] {
            assert!(gives_up(none), "{none}");
        }
    }

    #[tokio::test]
    async fn a_judge_that_denies_certifies_nothing() {
        let script = Scripted::new();
        let say = |text: &str| ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() };
        let answers = (0..12).flat_map(|nth| {
            let verdict = ["The answers are NOT the SAME: DIFFERENT", "not the same"][nth % 2];
            let facts = || say("1. not found\n2. not found");
            [say("brief answer"), say("whole answer"), say(verdict), facts(), facts()]
        });
        script.set_turn(1, answers.collect(), vec!["Short.".to_owned(); 3], Vec::new());
        let model: Arc<dyn Model> = Arc::new(script);
        let outcome = prove(&model).await.unwrap();
        let figures = "0 same, 0 partly, 6 different, 0 not answered, 6 without a verdict";
        assert!(outcome.claims[0].figures.starts_with(figures), "{outcome:?}");
        let figures = "0 found, 0 missing, 0 contradicted, 18 without a verdict";
        assert!(outcome.claims[2].figures.starts_with(figures), "{outcome:?}");
    }

    #[tokio::test]
    async fn what_was_answered_before_a_request_failed_is_told_with_its_reason() {
        let script = Scripted::new();
        let say = |text: &str| ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() };
        let found = || say("1 FOUND 2 FOUND");
        let empty = llm::Error::Empty { address: "here".to_owned(), usage: None, is_ended: true };
        let nothing = ScriptedAnswer { error: Some(empty), ..ScriptedAnswer::default() };
        let answers = vec![say("brief"), say("whole"), nothing, found(), found()];
        script.set_turn(1, answers, vec!["Short.".to_owned()], Vec::new());
        let model: Arc<dyn Model> = Arc::new(script);
        let outcome = prove(&model).await.unwrap();
        assert_eq!(outcome.rows.len(), 1);
        // A judge that says nothing has given no verdict.
        let figures = &outcome.claims[0].figures;
        assert!(figures.contains("1 without a verdict, of 1"), "{outcome:?}");
        let last = outcome.claims.last().unwrap();
        assert!(!last.holds && last.text.starts_with("every question is asked"), "{outcome:?}");
        // Three in a row have ended it, and none of these counts.
        let failed = outcome.remarks.last().unwrap();
        assert!(failed.starts_with("3 requests failed"), "{outcome:?}");
        // Nothing was answered at all: the reason alone.
        assert!(prove(&model).await.is_err());
    }

    #[tokio::test]
    async fn one_request_that_fails_ends_nothing() {
        let script = Scripted::new();
        let say = |text: &str| ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() };
        let cut = || llm::Error::Cut { address: "here".to_owned() };
        let broken = |text: &str| ScriptedAnswer { error: Some(cut()), ..say(text) };
        let facts = || say("1 FOUND 2 FOUND");
        let answers = (0..12).flat_map(|nth| match nth {
            0 => vec![broken("half of"), say("whole"), facts()],
            1 => vec![say("brief"), say("whole"), broken(""), facts(), broken("1 FOUND")],
            _ => vec![say("brief"), say("whole"), say("SAME"), facts(), facts()],
        });
        script.set_turn(1, answers.collect(), vec!["Short.".to_owned(); 3], Vec::new());
        let model: Arc<dyn Model> = Arc::new(script.clone());
        let mut told = Vec::new();
        let outcome = prove_hearing(&model, &mut |far| told.push(far)).await.unwrap();
        assert_eq!((script.take_leftovers(), outcome.rows.len()), (None, 12));
        let figures = "10 same, 0 partly, 0 different, 1 not answered, 1 without a verdict, of 12";
        assert!(outcome.claims[0].figures.starts_with(figures), "{outcome:?}");
        let row = "not answered: (the answer from here was cut off. Send again.) | \"whole\"; 0 of 2 facts";
        assert_eq!(outcome.rows[0].measured, row);
        let figures = "16 found, 2 missing, 0 contradicted, 0 without a verdict, of 18; from the whole log 16 found";
        assert!(outcome.claims[2].figures.starts_with(figures), "{outcome:?}");
        assert_eq!(told[11], "question 12 of 12: sourdough");
        // What broke off was paid for as far as it came; what was refused was not.
        let [answering, judging] = [&outcome.remarks[0], &outcome.remarks[1]];
        assert!(answering.contains(": 27 requests that were answered, "), "{answering}");
        assert!(judging.contains(": 33 requests that were answered, "), "{judging}");
        assert!(outcome.remarks[2].starts_with("3 requests failed"), "{outcome:?}");
    }

    #[test]
    fn the_bar_is_four_fifths_and_half_an_answer_counts_half() {
        let holds = |same, partly, different| {
            let mut verdicts = vec![Verdict::Same; same];
            verdicts.extend(vec![Verdict::Partly; partly]);
            verdicts.extend(vec![Verdict::Different; different]);
            let mut outcome = Outcome::default();
            claim_verdicts(&mut outcome, &verdicts, (Tokens(1), Tokens(9)), false);
            outcome.holds()
        };
        assert!(holds(8, 0, 2) && holds(6, 4, 0) && !holds(7, 1, 2));
    }

    #[tokio::test]
    async fn the_offline_model_runs_the_path_and_says_what_that_is_worth() {
        let model: Arc<dyn Model> = Arc::new(Offline::new(std::time::Duration::ZERO));
        let outcome = prove(&model).await.unwrap();
        assert!(outcome.holds() && outcome.claims[0].text.contains("mean nothing"));
    }
}
