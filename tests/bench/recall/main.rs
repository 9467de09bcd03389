//! What the search finds: recall at 1, 3 and 5 and evidence per token, on the talk in `tests/fixtures/recall`,
//! beside plain BM25; and what the index of everything said costs at scale.
//!
//! Run with `cargo bench --bench recall`. Every figure comes with the interval that holds it in 95 of 100 drawings
//! of the questions. The weights of the ranking were set with the questions of even number; those of odd
//! number are held out.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

mod fixture;
mod measure;
mod plain;
mod scale;
mod ways;

use std::path::Path;

use ebbtide::memory::CountTokens;
use ebbtide::recall::said::{self, Hit, Weights};
use ebbtide::tokens::Cl100k;

use fixture::{Question, Session};
use measure::{Answer, Figures};

fn main() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recall");
    let sessions = fixture::sessions(&fixtures);
    let questions = fixture::questions(&fixtures);
    let half = |odd: usize| -> Vec<&Question> { questions.iter().skip(odd).step_by(2).collect() };
    for (name, questions) in [("tuned on", half(0)), ("held out", half(1))] {
        println!("\n{} questions {name}", questions.len());
        compare(&sessions, &questions);
    }
    let directory = tempfile::tempdir().expect("a directory");
    let index = ways::index(directory.path(), &sessions);
    println!();
    kinds(&index, &sessions, &half(1));
    let stands_out = |text: &str| index.search(text, 1, None).first().is_some_and(Hit::stands_out);
    let asked = half(1).iter().filter(|question| stands_out(&question.text)).count();
    let talk = fixture::small_talk(&fixtures);
    let chatted = talk.iter().filter(|text| stands_out(text)).count();
    println!(
        "\nstands out from chance: {asked} of {} questions, {chatted} of {} messages of small talk\n",
        half(1).len(),
        talk.len()
    );
    for (efforts, most) in [(10_000, 10.0), (100_000, 40.0)] {
        let directory = tempfile::tempdir().expect("a directory");
        scale::measure(directory.path(), efforts, most);
    }
}

fn row(name: &str, questions: &[&Question], way: &dyn Fn(&str) -> Answer) {
    let counter = Cl100k::lazy();
    let count = |text: &str| counter.count(text).0 as usize;
    let of = |question: &&Question| measure::figures(question, &way(&question.text), &count);
    let all: Vec<Figures> = questions.iter().map(of).collect();
    println!("{}", measure::table_row(name, &all));
}

fn compare(sessions: &[Session], questions: &[&Question]) {
    let heads = ["R@1", "R@3", "R@5", "in 500", "in 1,000", "in 2,000"];
    println!("{:34}{}", "", heads.map(|head| format!(" {head:17}")).concat());
    let directory = tempfile::tempdir().expect("a directory");
    let index = ways::index(directory.path(), sessions);
    let by = |weights: Weights| {
        let (index, sessions) = (&index, sessions);
        move |query: &str| ways::by_index(index, sessions, query, weights)
    };
    let usual = Weights::default();
    row("the last that was said", questions, &ways::recency(sessions));
    row("two shared words, summaries", questions, &ways::seeds_rule(sessions));
    row("plain BM25, summaries", questions, &ways::plain_summaries(sessions));
    row("plain BM25, what was said", questions, &ways::plain_said(sessions));
    row("this index, passages", questions, &by(usual));
    let summaries = |query: &str| ways::with_summaries(by(usual)(query), sessions);
    row("this index, summaries", questions, &summaries);
    row("  without the best passage", questions, &by(Weights { passage: 0.0, ..usual }));
    row("  without pairs of words", questions, &by(Weights { pair: 0.0, ..usual }));
    row("  without words that look alike", questions, &by(Weights { alike: 0.0, ..usual }));
    row("  without days", questions, &by(Weights { day: 0.0, ..usual }));
}

fn kinds(index: &said::Index, sessions: &[Session], questions: &[&Question]) {
    for kind in ["direct", "paraphrase", "temporal", "updated", "two", "ambient"] {
        let own: Vec<&Question> =
            questions.iter().copied().filter(|one| one.kind == kind).collect();
        row(kind, &own, &|query| ways::by_index(index, sessions, query, Weights::default()));
    }
}
