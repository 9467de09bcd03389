//! Whether a summary keeps what matters: the same questions are asked once with the summary alone and once
//! with the whole raw log, and the answers are compared (slice 1, quality preservation test). Unlike the
//! other proofs it needs a model that understands language.

mod answered;
mod facts;
mod said;

pub(super) use answered::ask;

use std::sync::Arc;

use serde::Deserialize;

use self::answered::{answered, prompt_tokens, request};
use self::facts::{Counts, read};
use self::said::said;
use super::{Outcome, spent};
use crate::bill::Sum;
use crate::config::Settings;
use crate::lines::one_line;
use crate::llm::{self, Message, Model, Purpose, Role};
use crate::memory::{CountTokens, Tokens, memory_block};
use crate::orchestrator::prices_of;
use crate::prompt;

/// The share of answers, in percent, that must be the same; one that is partly so counts half.
const ENOUGH: usize = 80;

/// Characters of an answer that the table shows.
const SHOWN: usize = 90;

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
    /// The built-in conversations cannot be read; a test rules it out.
    #[error("assets/quality.yaml: {0}")]
    Subjects(yaml_serde::Error),
}

/// What it shows.
pub const TITLE: &str = "Quality: answers from the summary alone beside answers from the whole log";

/// Who answers and who judges.
struct Asked<'a> {
    model: &'a Arc<dyn Model>,
    judge: Option<&'a str>,
    counter: &'a Arc<dyn CountTokens>,
    /// What summaries and answers took, and what judging took.
    answering: Sum,
    judging: Sum,
}

/// What came of one question.
struct Answered {
    verdict: Verdict,
    /// Of the answers from the summary and from the log.
    facts: [Counts; 2],
    costs: [Tokens; 2],
    measured: String,
}

/// Asks every question both ways, compares the answers and looks for the expected facts in them. The settings say which
/// model judges, if that is another one, and what its tokens cost. Where a request fails, what was answered until then is told, and that it is
/// not all.
///
/// # Errors
/// When a request fails before any question was answered.
pub async fn quality(
    model: &Arc<dyn Model>,
    settings: &Settings,
    counter: &Arc<dyn CountTokens>,
) -> Result<Outcome, QualityError> {
    let subjects: Vec<Subject> = yaml_serde::from_str(include_str!("../../assets/quality.yaml"))
        .map_err(QualityError::Subjects)?;
    let judge = settings.judge_model();
    let (answering, judging) = (Sum::default(), Sum::default());
    let mut asked = Asked { model, judge, counter, answering, judging };
    let mut outcome = Outcome::default();
    let mut all = Vec::new();
    let mut stopped = None;
    for subject in &subjects {
        if let Err(error) = asked.about(subject, &mut outcome, &mut all).await {
            if all.is_empty() {
                return Err(error);
            }
            stopped = Some(format!("{}: {error}", subject.id));
            break;
        }
    }
    let verdicts: Vec<Verdict> = all.iter().map(|answered| answered.verdict).collect();
    let sum = |at: usize| all.iter().map(|answered| answered.costs[at]).sum::<Tokens>();
    let facts = [0, 1].map(|at| all.iter().map(|answered| answered.facts[at]).sum::<Counts>());
    let offline = model.info().offline;
    claim_verdicts(&mut outcome, &verdicts, (sum(0), sum(1)), offline);
    facts::claim(&mut outcome, facts, offline);
    if let Some(why) = stopped {
        let text = "every question is asked; the figures are of those until this failed";
        outcome.claim(text, false, why);
    }
    outcome.remarks.extend(asked.costs(settings));
    Ok(outcome)
}

impl Asked<'_> {
    /// Asks every question about one conversation.
    async fn about(
        &mut self,
        subject: &Subject,
        outcome: &mut Outcome,
        all: &mut Vec<Answered>,
    ) -> Result<(), QualityError> {
        let request = summary_request(subject);
        let summary = self.answer(Purpose::Summarize, request).await?;
        for question in &subject.questions {
            let answered = self.both_ways(subject, &summary, question).await?;
            let step = format!("{}: {}", subject.id, question.ask);
            let expected = format!("as from {} tokens", answered.costs[1]);
            outcome.row(&step, &expected, answered.measured.clone());
            all.push(answered);
        }
        Ok(())
    }

    async fn both_ways(
        &mut self,
        subject: &Subject,
        summary: &str,
        question: &Question,
    ) -> Result<Answered, QualityError> {
        let brief = with_summary(subject, summary, &question.ask);
        let whole = with_log(subject, &question.ask);
        let costs = [&brief, &whole].map(|messages| cost(messages, self.counter));
        let brief = self.answer(Purpose::Chat, brief).await?;
        let whole = self.answer(Purpose::Chat, whole).await?;
        let verdict = if gives_up(&brief) || gives_up(&whole) {
            Verdict::Unanswered
        } else {
            Verdict::read(&self.judged(prompt::judge(&question.ask, &brief, &whole)).await?)
        };
        let facts = [self.facts(question, &brief).await?, self.facts(question, &whole).await?];
        let (said, found) = (verdict.word(), facts[0].told());
        let measured = match verdict {
            Verdict::Same => format!("{said}, {} tokens; {found}", costs[0]),
            _ => format!("{said}: {} | {}; {found}", cut(&brief), cut(&whole)),
        };
        Ok(Answered { verdict, facts, costs, measured })
    }

    /// Which of the expected facts an answer has. One that gives up has none: no judge is asked.
    async fn facts(&mut self, question: &Question, answer: &str) -> Result<Counts, QualityError> {
        let count = question.facts.len();
        if gives_up(answer) {
            return Ok(Counts::missing(count));
        }
        let asked = prompt::judge_facts(&question.ask, answer, &question.facts);
        Ok(read(&self.judged(asked).await?, count))
    }

    async fn answer(
        &mut self,
        purpose: Purpose,
        messages: Vec<Message>,
    ) -> Result<String, QualityError> {
        let request = request(purpose, messages, None);
        answered(self.model, request, |paid| self.answering.add(paid), self.counter).await
    }

    /// Who answered, who judged, and what each of both took.
    fn costs(&self, settings: &Settings) -> [String; 2] {
        let info = self.model.info();
        let told =
            |name: &str, sum: &Sum| spent::told(sum, &prices_of(settings, &info.provider, name));
        let judge = self.judge.unwrap_or(&info.name);
        let itself = if judge == info.name { " judged its own answers" } else { " judged" };
        [
            format!(
                "{} of {} answered: {}.",
                info.name,
                info.provider,
                told(&info.name, &self.answering)
            ),
            format!("{judge} of {}{itself}: {}.", info.provider, told(judge, &self.judging)),
        ]
    }

    /// What the judge says; nothing is no verdict.
    async fn judged(
        &mut self,
        prompt: Vec<(&'static str, String)>,
    ) -> Result<String, QualityError> {
        let request = request(Purpose::Chat, messages(prompt), self.judge);
        match answered(self.model, request, |paid| self.judging.add(paid), self.counter).await {
            Err(QualityError::Model(llm::Error::Empty { .. })) => Ok(String::new()),
            said => said,
        }
    }
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

fn summary_request(subject: &Subject) -> Vec<Message> {
    let said = subject.messages.iter();
    let said = said.flat_map(|said| [("user", &*said.user), ("assistant", &*said.assistant)]);
    messages(prompt::summarize(said))
}

/// The window as it is after the conclusion: the summary's line in the manifest.
fn with_summary(subject: &Subject, summary: &str, question: &str) -> Vec<Message> {
    let summary = one_line(summary);
    let sections = format!("## Concluded efforts\n- {}: {summary}\n", subject.id);
    vec![Message::text(Role::System, prompt::system()), asked(&sections, question)]
}

/// The window as it was before: the whole log of the open effort.
fn with_log(subject: &Subject, question: &str) -> Vec<Message> {
    let mut all = vec![Message::text(Role::System, prompt::system())];
    for said in &subject.messages {
        all.push(Message::text(Role::User, &*said.user));
        all.push(Message::text(Role::Assistant, &*said.assistant));
    }
    all.push(asked(&format!("## Open efforts\n- {} (active)\n", subject.id), question));
    all
}

/// A question behind a memory block.
fn asked(sections: &str, question: &str) -> Message {
    let memory = Some(memory_block(sections).into());
    Message { memory, ..Message::text(Role::User, question) }
}

pub(super) fn messages(prompt: Vec<(&'static str, String)>) -> Vec<Message> {
    let role = |word: &str| if word == "system" { Role::System } else { Role::User };
    prompt.into_iter().map(|(word, text)| Message::text(role(word), text)).collect()
}

/// What the conversation in a request costs, without the system prompt that both have.
fn cost(messages: &[Message], counter: &Arc<dyn CountTokens>) -> Tokens {
    let all = prompt_tokens(messages, &**counter);
    all.saturating_sub(counter.count(prompt::system()))
}

fn cut(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("\"{}...\"", &line[..end]),
        None => format!("\"{line}\""),
    }
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
        let outcome = quality(&model, &Settings::default(), &counter()).await.unwrap();
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
        let outcome = quality(&model, &Settings::default(), &counter()).await.unwrap();
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
        let outcome = quality(&model, &Settings::default(), &counter()).await.unwrap();
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
        let outcome = quality(&model, &Settings::default(), &counter()).await.unwrap();
        assert_eq!(outcome.rows.len(), 1);
        // A judge that says nothing has given no verdict.
        let figures = &outcome.claims[0].figures;
        assert!(figures.contains("1 without a verdict, of 1"), "{outcome:?}");
        let last = outcome.claims.last().unwrap();
        assert!(!last.holds && last.text.starts_with("every question is asked"), "{outcome:?}");
        // Nothing was answered at all: the reason alone.
        assert!(quality(&model, &Settings::default(), &counter()).await.is_err());
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
        let outcome = quality(&model, &Settings::default(), &counter()).await.unwrap();
        assert!(outcome.holds() && outcome.claims[0].text.contains("mean nothing"));
    }
}
