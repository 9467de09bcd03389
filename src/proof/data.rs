//! Public data sets that people fetch themselves: the window beside the size of the history, and what is found of
//! what their questions cite, beside the seeds' rule and plain BM25. No model judges, and nothing is sent.

mod beam;
mod cited;
mod locomo;
mod read;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use self::cited::{Cited, left_out};
use self::read::{DataError, read};
use super::bill::Remembering;
use super::quality::messages;
use super::recall::{
    Asked, At, Mean, Plain, Question, Seeds, Session, Set, Way, ask, evidence, fill, texts,
};
use super::{Outcome, quality};
use crate::config::Settings;
use crate::counted::counted;
use crate::llm::offline::Offline;
use crate::llm::{Model, Purpose};
use crate::memory::CountTokens;
use crate::prompt;
use crate::scenario::PlayError;

pub use self::read::LAYOUT;

/// What it shows.
pub const TITLE: &str = "Public conversations: the window beside the history, and what is found of what their questions cite";

/// Among how many of the best something is looked for.
const TOPS: [usize; 4] = [1, 3, 5, 10];

/// How much larger the mean window of any conversation may be than that of the smallest, in percent.
const FLAT: f64 = 125.0;

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: every session of a conversation is a concluded effort with its log and \
    its summary (the data set's own, else sentences taken from the log), and its questions are asked one after the \
    other through the real driver at default settings. Window is all that the first request of a question held, \
    history all that was said. Evidence is the share of the cited sessions of which something was there: recalled for the \
    question, or in the window before the first one; what other questions left there does not count. The other \
    ways get as many tokens as both took: as were recalled on average, with what stands around the texts, and the \
    summaries that were in the window before the first question; the row of a conversation tells how many. R@k is recall at k: of all cited sessions the share that is among the best k (where more than k are \
    cited, it cannot be 1); hit@k, whether any is. In brackets the interval that holds the mean in 95 of 100 drawings of the \
    questions.";

/// Why it could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// There is nothing to play.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A conversation could not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// A question that was asked, and what each way made of it.
struct Answer {
    question: Question,
    /// In the order of [`WAYS`]: what was at hand, and the sessions by rank.
    ways: [(Vec<At>, Vec<String>); 3],
}

/// The ways that are compared.
const WAYS: [&str; 3] = ["recall and search", "plain BM25, passages", "seeds' rule"];

/// Plays every conversation in a folder. `tell` hears how far it is.
///
/// # Errors
/// When the folder holds none of the known layouts, or a session cannot be written.
pub async fn data(
    directory: &Path,
    counter: &Arc<dyn CountTokens>,
    tell: &mut dyn FnMut(String),
) -> Result<Outcome, Stopped> {
    let counter = Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>;
    let (mut sets, skipped) = read(directory)?;
    for cited in &mut sets {
        summarize(&mut cited.set).await;
    }
    let (mut outcome, mut answers, mut windows) = (Outcome::default(), Vec::new(), Vec::new());
    let has_questions = |cited: &&Cited| !cited.set.questions.is_empty();
    let count = sets.iter().filter(has_questions).count();
    for (nth, cited) in sets.iter().filter(has_questions).enumerate() {
        tell(format!("{} of {count}: {}", nth + 1, cited.set.name));
        let asked = ask(&cited.set, &[], &texts(&cited.set.questions), &counter).await?;
        let given = Given::of(&asked, &*counter);
        windows.extend(size(&mut outcome, cited, &asked, &given, &*counter));
        answers.extend(compare(cited, asked, &given, &*counter));
    }
    let all: Vec<&Answer> = answers.iter().collect();
    for (at, way) in WAYS.into_iter().enumerate() {
        outcome.row(way, "", found(&all, at));
    }
    for (kind, answers) in by_kind(&answers) {
        let asked = counted(answers.len() as u64, "question");
        outcome.row(&format!("  {}: {kind}, {asked}", WAYS[0]), "", found(&answers, 0));
    }
    claims(&mut outcome, &windows, &answers);
    outcome.remarks.push(OBTAINED.to_owned());
    outcome.remarks.push(format!("Questions asked: {}; {}.", answers.len(), left_out(&sets)));
    let unasked: Vec<&str> =
        sets.iter().filter(|cited| !has_questions(cited)).map(|cited| &*cited.set.name).collect();
    if !unasked.is_empty() {
        outcome.remarks.push(format!("Nothing is asked of {}.", unasked.join(", ")));
    }
    if !skipped.is_empty() {
        outcome.remarks.push(format!("Not all of it: {}.", skipped.join("; ")));
    }
    Ok(outcome)
}

/// Gives the sessions summaries that have none: sentences of their own.
async fn summarize(set: &mut Set) {
    let model: Arc<dyn Model> = Arc::new(Offline::new(Duration::ZERO));
    for session in set.sessions.iter_mut().filter(|session| session.summary.is_empty()) {
        let said = session.messages.iter();
        let said = said.map(|(user, text)| (if *user { "user" } else { "assistant" }, &**text));
        let request = messages(prompt::summarize(said));
        // The built-in model always answers; without a summary the log would be looked into all the same.
        session.summary =
            quality::ask(&model, Purpose::Summarize, request).await.unwrap_or_default();
    }
}

/// The sizes of the windows of one conversation, on average and at most, in tokens.
struct Window {
    mean: f64,
    most: u64,
}

fn size(
    outcome: &mut Outcome,
    cited: &Cited,
    asked: &[Asked],
    given: &Given,
    counter: &dyn CountTokens,
) -> Option<Window> {
    let said = cited.set.sessions.iter().flat_map(|session| &session.messages);
    let history: u64 = said.map(|(_, text)| counter.count(text).0).sum();
    let all: u64 = asked.iter().map(|asked| asked.window).sum();
    let most = asked.iter().map(|asked| asked.window).max()?;
    let mean = all as f64 / asked.len() as f64;
    let [sessions, questions] = [(cited.set.sessions.len(), "session"), (asked.len(), "question")]
        .map(|(count, what)| counted(count as u64, what));
    let step = format!("{}: {sessions}, {questions}", cited.set.name);
    let Given { recalled, summaries, .. } = given;
    let figures = format!(
        "window {mean:.0} tokens on average, {most} at most; history {history}; recalled {recalled} on average beside \
         summaries of {summaries}, as many as both for each other way"
    );
    outcome.row(&step, "", figures);
    Some(Window { mean, most })
}

/// What questions were given, in tokens.
struct Given {
    /// The summaries that the window held before anything was asked.
    before: Vec<At>,
    summaries: u64,
    /// What was recalled for a question on average.
    recalled: u64,
}

impl Given {
    fn of(asked: &[Asked], counter: &dyn CountTokens) -> Self {
        let before = before(asked);
        let summaries = before.iter().map(|at| counter.count(&at.text).0).sum();
        let recalled: u64 = asked.iter().map(|asked| asked.tokens).sum();
        let recalled = recalled.div_ceil(asked.len().max(1) as u64);
        Self { before, summaries, recalled }
    }
}

/// What each way has for each question; the others get as many tokens as both took.
fn compare(
    cited: &Cited,
    asked: Vec<Asked>,
    given: &Given,
    counter: &dyn CountTokens,
) -> Vec<Answer> {
    let mut all: Vec<Session> = cited.set.sessions.clone();
    all.sort_by(|a, b| a.day.cmp(&b.day));
    let (plain, seeds) = (Plain::of_passages(&all), Seeds::new(&all));
    let tokens = given.recalled + given.summaries;
    let other = |way: &dyn Way, question: &Question| {
        let ranked = way.rank(&question.text);
        (fill(&ranked, tokens, counter), by_rank(&ranked))
    };
    let both = cited.set.questions.iter().zip(asked);
    let answer = |(question, asked): (&Question, Asked)| Answer {
        question: question.clone(),
        ways: [brought(&given.before, asked), other(&plain, question), other(&seeds, question)],
    };
    both.map(answer).collect()
}

/// The summaries that the window held before anything was asked.
fn before(asked: &[Asked]) -> Vec<At> {
    let Some(first) = asked.first() else { return Vec::new() };
    let summaries = first.at_hand.len() - first.recalled.len();
    first.at_hand[..summaries].to_vec()
}

/// What was at hand for a question, and what is found for it. What earlier questions left in the window is none of it.
fn brought(before: &[At], asked: Asked) -> (Vec<At>, Vec<String>) {
    (before.iter().cloned().chain(asked.recalled).collect(), asked.found)
}

/// The sessions of texts, each where it comes first.
fn by_rank(texts: &[&At]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for at in texts {
        if ids.len() < TOPS[TOPS.len() - 1] && !ids.contains(&at.id) {
            ids.push(at.id.clone());
        }
    }
    ids
}

/// The answers to the questions of each kind.
fn by_kind(answers: &[Answer]) -> BTreeMap<&str, Vec<&Answer>> {
    let mut kinds: BTreeMap<&str, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        kinds.entry(&answer.question.kind).or_default().push(answer);
    }
    kinds
}

fn found(answers: &[&Answer], way: usize) -> String {
    let mean = |of: &dyn Fn(&Answer) -> f64| {
        Mean::of(&answers.iter().map(|one| of(one)).collect::<Vec<_>>())
    };
    let evidence = mean(&|one| evidence(&one.question, &one.ways[way].0));
    let mut text = format!("evidence {evidence}");
    for top in TOPS {
        let share = mean(&|one| super::recall::recall(&one.question, &one.ways[way].1, top));
        let hit = mean(&|one| hit(&one.question, &one.ways[way].1, top));
        let _ = write!(text, "; R@{top} {share}, hit@{top} {hit}");
    }
    text
}

/// Whether any cited session is among the first so many.
fn hit(question: &Question, found: &[String], most: usize) -> f64 {
    let is_cited = found.iter().take(most).any(|id| question.ids.contains(id));
    f64::from(u8::from(is_cited))
}

fn claims(outcome: &mut Outcome, windows: &[Window], answers: &[Answer]) {
    let budget = Settings::default().rules().token_budget.0;
    let most = windows.iter().map(|window| window.most).max().unwrap_or_default();
    let text = format!("no request is larger than the budget of {budget} tokens");
    outcome.claim(&text, most <= budget, format!("{most} at most"));
    let means = || windows.iter().map(|window| window.mean);
    let (least, most) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let text =
        format!("the window is flat: the largest at most {FLAT:.0} % of the smallest, on average");
    outcome.claim(&text, most * 100.0 <= least * FLAT, format!("{least:.0} to {most:.0} tokens"));
    let evidence = |way: usize| {
        let of = |one: &Answer| evidence(&one.question, &one.ways[way].0);
        Mean::of(&answers.iter().map(of).collect::<Vec<_>>())
    };
    let (own, plain) = (evidence(0), evidence(1));
    // Who finds nothing is not as good as another who finds nothing.
    let text = "some evidence is in the window, and at least as often as with plain BM25 and as many tokens";
    let holds = own.value > 0.0 && own.value >= plain.value;
    outcome.claim(text, holds, format!("{own}, plain BM25 {plain}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word is a token.
    struct Words;

    impl CountTokens for Words {
        fn count(&self, text: &str) -> crate::memory::Tokens {
            crate::memory::Tokens(text.split_whitespace().count() as u64)
        }
    }

    #[test]
    fn the_other_ways_get_the_tokens_of_the_summaries_too() {
        let at = |text: &str| At { id: String::new(), text: text.to_owned() };
        let asked = |tokens| {
            let (recalled, found, memory, window) = (vec![at("a b")], Vec::new(), 0, 0);
            let at_hand = vec![at("one two three"), at("a b")];
            Asked { at_hand, recalled, tokens, memory, window, found }
        };
        let given = Given::of(&[asked(2), asked(5)], &Words);
        assert_eq!((given.recalled, given.summaries), (4, 3));
    }

    #[test]
    fn what_earlier_questions_left_in_the_window_is_no_evidence() {
        let at = |id: &str| At { id: id.to_owned(), text: String::new() };
        let asked = |summaries: &[&str], recalled: &[&str]| {
            let recalled: Vec<At> = recalled.iter().map(|id| at(id)).collect();
            let summaries = summaries.iter().map(|id| at(id));
            let at_hand = summaries.chain(recalled.iter().cloned()).collect();
            let (tokens, memory, window) = (0, 0, 0);
            Asked { at_hand, recalled, tokens, memory, window, found: Vec::new() }
        };
        let all = [asked(&["a"], &["b"]), asked(&["a", "b"], &["c"]), asked(&["b", "c"], &[])];
        let before = before(&all);
        let ids = all.map(|asked| {
            brought(&before, asked).0.into_iter().map(|at| at.id).collect::<Vec<_>>().concat()
        });
        assert_eq!(ids, ["ab", "ac", "a"]);
    }
}
