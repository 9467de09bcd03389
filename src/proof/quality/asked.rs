//! The questions of the proof, each asked both ways and judged.

use std::sync::Arc;

use super::answered::{answered, prompt_tokens, request};
use super::facts::{Counts, read};
use super::{QualityError, Question, Subject, Verdict, gives_up, messages};
use crate::bill::Sum;
use crate::config::Settings;
use crate::lines::one_line;
use crate::llm::{self, Message, Model, Purpose, Role};
use crate::memory::{CountTokens, Tokens, memory_block};
use crate::orchestrator::prices_of;
use crate::prompt;
use crate::proof::spent;

/// Characters of an answer that the table shows.
const SHOWN: usize = 90;

/// So many requests that fail one after the other end it: there is nothing to be measured.
const IN_A_ROW: u64 = 3;

/// Who answers and who judges, and what came of it.
pub(super) struct Asked<'a> {
    model: &'a Arc<dyn Model>,
    judge: Option<&'a str>,
    counter: &'a Arc<dyn CountTokens>,
    /// Hears how far it is.
    pub(super) tell: &'a mut dyn FnMut(String),
    /// What summaries and answers took, and what judging took.
    answering: Sum,
    judging: Sum,
    /// What came of each question.
    pub(super) all: Vec<Answered>,
    /// Requests that failed, in all and since one did not, and the questions that were answered before the first of these.
    pub(super) failed: u64,
    in_a_row: u64,
    before: usize,
}

/// What came of one question.
pub(super) struct Answered {
    pub(super) step: String,
    pub(super) verdict: Verdict,
    /// Of the answers from the summary and from the log.
    pub(super) facts: [Counts; 2],
    pub(super) costs: [Tokens; 2],
    pub(super) measured: String,
}

/// An answer, or why there is none.
type Said = Result<String, String>;

impl<'a> Asked<'a> {
    /// Nothing was asked yet.
    pub(super) fn of(
        model: &'a Arc<dyn Model>,
        judge: Option<&'a str>,
        counter: &'a Arc<dyn CountTokens>,
        tell: &'a mut dyn FnMut(String),
    ) -> Self {
        let (answering, judging, all) = (Sum::default(), Sum::default(), Vec::new());
        let (failed, in_a_row, before) = (0, 0, 0);
        Self { model, judge, counter, tell, answering, judging, all, failed, in_a_row, before }
    }

    /// Asks every question about every conversation.
    pub(super) async fn about_all(&mut self, subjects: &[Subject]) -> Result<(), QualityError> {
        let of = subjects.iter().map(|subject| subject.questions.len()).sum();
        for subject in subjects {
            let asked = self.about(subject, of).await;
            asked.map_err(|error| QualityError::At(subject.id.clone(), Box::new(error)))?;
        }
        Ok(())
    }

    /// Asks every question about one conversation. Without its summary there is nothing to ask: it is asked for again.
    async fn about(&mut self, subject: &Subject, of: usize) -> Result<(), QualityError> {
        let summary = loop {
            if let Ok(summary) = self.answer(Purpose::Summarize, summary_request(subject)).await? {
                break summary;
            }
        };
        for question in &subject.questions {
            (self.tell)(format!("question {} of {of}: {}", self.all.len() + 1, subject.id));
            let answered = self.both_ways(subject, &summary, question).await?;
            self.all.push(answered);
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
        let verdict = match [&brief, &whole].map(given) {
            [Some(brief), Some(whole)] => {
                Verdict::read(&self.judged(prompt::judge(&question.ask, brief, whole)).await?)
            }
            _ => Verdict::Unanswered,
        };
        let facts = [self.facts(question, &brief).await?, self.facts(question, &whole).await?];
        let (said, found) = (verdict.word(), facts[0].told());
        let measured = match verdict {
            Verdict::Same => format!("{said}, {} tokens; {found}", costs[0]),
            _ => format!("{said}: {} | {}; {found}", shown(&brief), shown(&whole)),
        };
        let step = format!("{}: {}", subject.id, question.ask);
        Ok(Answered { step, verdict, facts, costs, measured })
    }

    /// Which of the expected facts an answer has. One that gives up has none: no judge is asked.
    async fn facts(&mut self, question: &Question, answer: &Said) -> Result<Counts, QualityError> {
        let count = question.facts.len();
        let Some(answer) = given(answer) else { return Ok(Counts::missing(count)) };
        let asked = prompt::judge_facts(&question.ask, answer, &question.facts);
        Ok(read(&self.judged(asked).await?, count))
    }

    async fn answer(
        &mut self,
        purpose: Purpose,
        messages: Vec<Message>,
    ) -> Result<Said, QualityError> {
        let request = request(purpose, messages, None);
        let Self { model, counter, answering, tell, .. } = self;
        let came = answered(model, request, answering, counter, tell).await;
        self.unless_failing(came)
    }

    /// What the judge says; nothing is no verdict.
    async fn judged(
        &mut self,
        prompt: Vec<(&'static str, String)>,
    ) -> Result<String, QualityError> {
        let request = request(Purpose::Chat, messages(prompt), self.judge);
        let Self { model, counter, judging, tell, .. } = self;
        let came = match answered(model, request, judging, counter, tell).await {
            Err(QualityError::Model(llm::Error::Empty { .. })) => Ok(String::new()),
            came => came,
        };
        Ok(self.unless_failing(came)?.unwrap_or_default())
    }

    /// One request may fail. Where one after the other does, what they were asked for does not count.
    fn unless_failing(&mut self, came: Result<String, QualityError>) -> Result<Said, QualityError> {
        let error = match came {
            Ok(said) => {
                self.in_a_row = 0;
                return Ok(Ok(said));
            }
            Err(error) => error,
        };
        if self.in_a_row == 0 {
            self.before = self.all.len();
        }
        (self.failed, self.in_a_row) = (self.failed + 1, self.in_a_row + 1);
        if self.in_a_row < IN_A_ROW {
            return Ok(Err(error.to_string()));
        }
        self.all.truncate(self.before);
        Err(error)
    }

    /// Who answered, who judged, and of each the requests and what they took.
    pub(super) fn costs(&self, settings: &Settings) -> [(u64, String); 2] {
        let info = self.model.info();
        let told =
            |name: &str, sum: &Sum| spent::told(sum, &prices_of(settings, &info.provider, name));
        let judge = self.judge.unwrap_or(&info.name);
        let itself = if judge == info.name { " judged its own answers" } else { " judged" };
        let (name, provider) = (&info.name, &info.provider);
        let answered = format!("{name} of {provider} answered: {}.", told(name, &self.answering));
        let judged = format!("{judge} of {provider}{itself}: {}.", told(judge, &self.judging));
        [(self.answering.requests, answered), (self.judging.requests, judged)]
    }
}

/// What an answer says that is one.
fn given(said: &Said) -> Option<&str> {
    said.as_ref().ok().map(String::as_str).filter(|answer| !gives_up(answer))
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

/// What the conversation in a request costs, without the system prompt that both have.
fn cost(messages: &[Message], counter: &Arc<dyn CountTokens>) -> Tokens {
    let all = prompt_tokens(messages, &**counter);
    all.saturating_sub(counter.count(prompt::system()))
}

/// An answer as the table shows it, or why there is none.
fn shown(said: &Said) -> String {
    match said {
        Ok(answer) => cut(answer),
        Err(why) => format!("({})", one_line(why)),
    }
}

fn cut(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("\"{}...\"", &line[..end]),
        None => format!("\"{line}\""),
    }
}
