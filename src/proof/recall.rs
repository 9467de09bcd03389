//! What is at hand when a question is answered: beside the seeds' rule, recency and plain BM25 with the same tokens,
//! and among many other sessions.

mod ask;
mod crowd;
mod figures;
mod set;
mod ways;

pub use crowd::crowd;
pub use figures::{Mean, recall};
pub use set::{Question, Session, Set, friends, own, small_talk};

use std::sync::Arc;

use super::bill::Remembering;
use super::{Far, Outcome};
use crate::counted::counted;
use crate::memory::CountTokens;
use crate::scenario::PlayError;
use figures::answered;
use set::languages;
use ways::Recency;

pub(super) use ask::{Asked, ask, texts};
pub(super) use figures::{At, evidence};
pub(super) use ways::{Plain, Seeds, Way, fill};

/// Sessions among which those of a conversation are looked for.
const MANY: usize = 272;
const VERY_MANY: usize = 10_000;

/// The least that must hold among [`MANY`]: evidence, answers.
const EVIDENCE: f64 = 0.85;
const ANSWERS: f64 = 0.60;

/// The least evidence among [`VERY_MANY`].
const EVIDENCE_AMONG_VERY_MANY: f64 = 0.70;

/// The least share of answers that must be recalled in other languages than English, and the most that is recalled for
/// what needs nothing, as a part of that.
const ANSWERS_IN_OTHERS: f64 = 0.75;
const MOST_UNRELATED: f64 = 0.25;

/// The most that memory may cost, in tokens.
const MEMORY: f64 = 2_800.0;

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: the questions are asked one after the other in one session, through \
    the real driver at default settings; what counts is what the first request held. Evidence is the share of the \
    efforts that a question takes of which something was there (of ambient talk, the answer itself); answers, that \
    the words of the answer stand there side by side. The other ways get as many tokens as all that is recalled took on \
    average, with the marks around its texts; a row tells the tokens of the texts alone, and what they had to fit in. \
    R@k is recall at k: of the efforts that a question takes the share that is among the best k of a search. \
    The other efforts are made up: half of them in sentences like those of the conversation with other names, \
    numbers and half of the words, half of them in words that nobody knows. What is claimed counts what was recalled for \
    the question itself, as the row recall does. The ranking was made with the first set; \
    the second was looked at to check it, and decided how little a word of every day counts. The conversations in \
    other languages are small and stand alone. In brackets the interval that holds the mean in 95 of 100 drawings of the questions.";

/// A set of questions that was asked among so many sessions.
struct Run {
    set: Set,
    sessions: usize,
    asked: Vec<Asked>,
}

/// Asks the questions of both sets among other sessions, and checks the claims.
pub(super) async fn run(counter: &Arc<dyn CountTokens>, far: &Far) -> Result<Outcome, PlayError> {
    far.expect(2 * (MANY + VERY_MANY) as u64);
    let counter = Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>;
    let mut outcome = Outcome::default();
    for set in [own(), friends()] {
        for sessions in [MANY, VERY_MANY] {
            let others = sessions.saturating_sub(set.efforts());
            let others = crowd(&set.sessions, others);
            let asked = ask(&set, &others, &texts(&set.questions), &counter).await?;
            let run = Run { set: set.clone(), sessions, asked };
            compare(&mut outcome, &run, &others, &*counter);
            claims(&mut outcome, &run);
            far.add(sessions as u64);
        }
    }
    check_small_talk(&mut outcome, &counter).await?;
    for (set, unrelated) in languages() {
        check_language(&mut outcome, &set, &unrelated, &counter).await?;
    }
    outcome.remarks.push(OBTAINED.to_owned());
    Ok(outcome)
}

fn compare(outcome: &mut Outcome, run: &Run, others: &[Session], counter: &dyn CountTokens) {
    let mut all: Vec<Session> = run.set.sessions.iter().chain(others).cloned().collect();
    all.sort_by(|a, b| a.day.cmp(&b.day));
    let tokens = mean(&run.of(|_, asked| asked.tokens as f64)).ceil() as u64;
    let ways: [Box<dyn Way>; 4] = [
        Box::new(Seeds::new(&all)),
        Box::new(Recency::new(&all)),
        Box::new(Plain::of_summaries(&all)),
        Box::new(Plain::of_passages(&all)),
    ];
    for way in &ways {
        let at_hand = |question: &Question| fill(&way.rank(&question.text), tokens, counter);
        let at_hand: Vec<Vec<At>> = run.set.questions.iter().map(at_hand).collect();
        run.row(outcome, way.name(), &at_hand, &format!(" within {tokens}"), counter);
    }
    let recalled: Vec<Vec<At>> = run.asked.iter().map(|asked| asked.recalled.clone()).collect();
    run.row(outcome, "recall", &recalled, &format!(", {tokens} with marks"), counter);
    let at_hand: Vec<Vec<At>> = run.asked.iter().map(|asked| asked.at_hand.clone()).collect();
    run.row(outcome, "recall and summaries", &at_hand, "", counter);
    run.kinds(outcome);
    let found = |most| Mean::of(&run.of(|question, asked| recall(question, &asked.found, most)));
    let found = format!("R@1 {}, R@3 {}, R@5 {}", found(1), found(3), found(5));
    outcome.row(&run.step("search"), "", found);
}

fn claims(outcome: &mut Outcome, run: &Run) {
    let evidence = Mean::of(&run.of(|question, asked| evidence(question, &asked.recalled)));
    let figures = evidence.to_string();
    let memory = mean(&run.of(|_, asked| asked.memory as f64));
    let least = if run.sessions == MANY { EVIDENCE } else { EVIDENCE_AMONG_VERY_MANY };
    let text = |what: &str| format!("{}: {what}", run.step(""));
    outcome.claim(&text(&format!("evidence for {least:.2}")), evidence.value >= least, figures);
    if run.sessions == MANY {
        let answers = Mean::of(&run.of(|question, asked| answered(question, &asked.recalled)));
        let what = text(&format!("answers for {ANSWERS:.2}"));
        outcome.claim(&what, answers.value >= ANSWERS, answers.to_string());
    }
    let text = text(&format!("memory of at most {MEMORY} tokens"));
    outcome.claim(&text, memory <= MEMORY, format!("{memory:.0} on average"));
}

async fn check_small_talk(
    outcome: &mut Outcome,
    counter: &Arc<dyn CountTokens>,
) -> Result<(), PlayError> {
    let set = own();
    let others = crowd(&set.sessions, MANY - set.efforts());
    let talk: Vec<String> = small_talk().map(str::to_owned).collect();
    let asked = ask(&set, &others, &talk, counter).await?;
    let tokens = mean(&asked.iter().map(|asked| asked.tokens as f64).collect::<Vec<_>>());
    let some = asked.iter().filter(|asked| asked.tokens > 0).count();
    let figures = format!("{tokens:.1} tokens a message, something for {some} of {}", talk.len());
    outcome.claim("small talk recalls next to nothing", 10 * some <= talk.len(), figures);
    Ok(())
}

/// Questions in another language than English find what they ask for, and those that ask for nothing of it find next to
/// nothing.
async fn check_language(
    outcome: &mut Outcome,
    set: &Set,
    unrelated: &[&str],
    counter: &Arc<dyn CountTokens>,
) -> Result<(), PlayError> {
    let related = ask(set, &[], &texts(&set.questions), counter).await?;
    let both = set.questions.iter().zip(&related);
    let answers =
        Mean::of(&both.map(|(one, asked)| answered(one, &asked.recalled)).collect::<Vec<_>>());
    let unrelated: Vec<String> = unrelated.iter().map(ToString::to_string).collect();
    let unrelated = ask(set, &[], &unrelated, counter).await?;
    let tokens =
        |asked: &[Asked]| mean(&asked.iter().map(|one| one.tokens as f64).collect::<Vec<_>>());
    let (cost, idle) = (tokens(&related), tokens(&unrelated));
    let some = unrelated.iter().filter(|asked| asked.tokens > 0).count();
    let figures = format!(
        "{answers}, {cost:.0} tokens a question; unrelated {idle:.0} tokens a message, something for {some} of {}",
        unrelated.len()
    );
    let holds = answers.value >= ANSWERS_IN_OTHERS && idle <= MOST_UNRELATED * cost;
    let text = format!(
        "{}: answers for {ANSWERS_IN_OTHERS:.2}, and little for what needs nothing",
        set.name
    );
    outcome.claim(&text, holds, figures);
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

impl Run {
    fn step(&self, what: &str) -> String {
        let colon = if what.is_empty() { "" } else { ": " };
        format!("{}, {} efforts{colon}{what}", self.set.name, self.sessions)
    }

    fn of(&self, figure: impl Fn(&Question, &Asked) -> f64) -> Vec<f64> {
        let both = self.set.questions.iter().zip(&self.asked);
        both.map(|(question, asked)| figure(question, asked)).collect()
    }

    fn row(
        &self,
        outcome: &mut Outcome,
        name: &str,
        at_hand: &[Vec<At>],
        beside: &str,
        counter: &dyn CountTokens,
    ) {
        let both = || self.set.questions.iter().zip(at_hand);
        let found: Vec<f64> = both().map(|(one, at_hand)| evidence(one, at_hand)).collect();
        let answers: Vec<f64> = both().map(|(one, at_hand)| answered(one, at_hand)).collect();
        let texts = at_hand.iter().flatten();
        let tokens: u64 = texts.map(|at| counter.count(&at.text).0).sum();
        let tokens = tokens / at_hand.len().max(1) as u64;
        let (found, answers) = (Mean::of(&found), Mean::of(&answers));
        let figures =
            format!("evidence {found}, answers {answers}, {tokens} tokens of text{beside}");
        outcome.row(&self.step(name), "", figures);
    }

    fn kinds(&self, outcome: &mut Outcome) {
        let mut kinds: Vec<&str> = self.set.questions.iter().map(|one| one.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let both = || {
                let both = self.set.questions.iter().zip(&self.asked);
                both.filter(|(question, _)| question.kind == kind)
            };
            let mean = |figure: fn(&Question, &[At]) -> f64| {
                Mean::of(
                    &both().map(|(one, asked)| figure(one, &asked.at_hand)).collect::<Vec<_>>(),
                )
            };
            let (evidence, answers) = (mean(evidence), mean(answered));
            let questions = counted(both().count() as u64, "question");
            let figures = format!("evidence {evidence}, answers {answers}, {questions}");
            outcome.row(&self.step(&format!("  {kind}")), "", figures);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_questions_left_counts_in_no_claim() {
        for (set, sessions) in [(own(), VERY_MANY), (friends(), MANY), (friends(), VERY_MANY)] {
            let left = |question: &Question| {
                let at = |id: &String| At { id: id.clone(), text: question.answer.clone() };
                let at_hand = question.ids.iter().map(at).collect();
                let (tokens, memory, window) = (0, 0, 0);
                let (recalled, found) = (Vec::new(), Vec::new());
                Asked { at_hand, recalled, tokens, memory, window, found }
            };
            let asked = set.questions.iter().map(left).collect();
            let mut outcome = Outcome::default();
            claims(&mut outcome, &Run { set, sessions, asked });
            let claim = &outcome.claims[0];
            assert!(claim.text.contains(": evidence for 0."), "{claim:?}");
            assert!(!claim.holds, "{claim:?}");
        }
    }

    #[test]
    fn every_answer_stands_in_what_it_is_said_to_stand_in_and_in_nothing_else_of_the_crowd() {
        for set in [own(), friends()] {
            let others = crowd(&set.sessions, 100);
            assert_eq!(others.len(), 100);
            for question in &set.questions {
                let texts = |sessions: &[Session]| -> Vec<At> {
                    let at = |one: &Session| At {
                        id: one.id.clone(),
                        text: one
                            .messages
                            .iter()
                            .flat_map(|(_, text)| [text.as_str(), "\n"])
                            .collect(),
                    };
                    sessions.iter().map(at).collect()
                };
                let all = texts(&set.sessions);
                assert!(evidence(question, &all) >= 1.0, "{}", question.text);
                assert!(evidence(question, &texts(&others)) <= 0.0, "{}", question.text);
            }
        }
    }
}
