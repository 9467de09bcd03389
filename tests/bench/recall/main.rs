//! What each kind of evidence brings the ranking: recall at 1, 3 and 5 without it, on both sets of questions among other
//! sessions; and what the index of everything said costs at scale.
//!
//! Run with `cargo bench --bench recall`; with `weights`, `misses` or `scale` behind `--` only that. Every figure comes
//! with the interval that holds it in 95 of 100 drawings of the questions. The weights were set with `work and life`;
//! `friends` was looked at once, to check them. What is in the window when a question is answered, `ebbtide proof recall`
//! tells.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

mod scale;

use ebbtide::proof::recall::{Mean, Question, Session, Set, crowd, friends, own, recall};
use ebbtide::recall::said::{self, Index, Said, Source, Weights};

/// Sessions among which those of a set are looked for.
const AMONG: [usize; 2] = [272, 10_000];

/// Results of a search.
const MOST: usize = 20;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    // Cargo itself adds `--bench`.
    let asked = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let is_asked = |part: &str| asked.as_deref().is_none_or(|asked| asked == part);
    for set in [own(), friends()] {
        for among in AMONG.into_iter().filter(|_| is_asked("weights")) {
            println!("\n{}: {} questions among {among} sessions", set.name, set.questions.len());
            weights(&set, &index(&set, among));
        }
        if asked.as_deref() == Some("misses") {
            misses(&set, &index(&set, AMONG[0]));
        }
    }
    let efforts = [(10_000, 10.0), (100_000, 40.0)];
    for (efforts, most) in efforts.into_iter().filter(|_| is_asked("scale")) {
        let directory = tempfile::tempdir().expect("a directory");
        scale::measure(directory.path(), efforts, most);
    }
}

/// Everything said, indexed, among other sessions.
fn index(set: &Set, among: usize) -> Index {
    let mut index = Index::in_memory();
    let others = crowd(&set.sessions, among - set.efforts());
    for (turn, session) in (1..).zip(set.sessions.iter().chain(&others)) {
        add(&mut index, turn, session);
    }
    index
}

fn add(index: &mut Index, turn: u64, session: &Session) {
    let source = match session.id.as_str() {
        "ambient" => Source::Ambient,
        id => Source::Effort(id.to_owned()),
    };
    let said = Said { source: &source, turn, day: session.day.parse().ok() };
    let messages: Vec<&str> = session.messages.iter().map(|(_, text)| text.as_str()).collect();
    index.add(said, index.messages(&source), &messages);
    if !session.summary.is_empty() {
        index.add_summary(said, &format!("{} {}", session.id, session.summary));
    }
}

fn weights(set: &Set, index: &Index) {
    let usual = Weights::default();
    let ways = [
        ("this ranking", usual),
        ("  without the best passage", Weights { passage: 0.0, ..usual }),
        ("  without pairs of words", Weights { pair: 0.0, ..usual }),
        ("  without words that look alike", Weights { alike: 0.0, ..usual }),
        ("  without related words", Weights { related: 0.0, ..usual }),
        ("  without days", Weights { day: 0.0, ..usual }),
        ("  words alone", Weights { passage: 0.0, pair: 0.0, alike: 0.0, related: 0.0, day: 0.0 }),
    ];
    for (name, weights) in ways {
        let found = |question: &Question| found(index, question, weights);
        let found: Vec<Vec<String>> = set.questions.iter().map(found).collect();
        let at = |most: usize| {
            let both = set.questions.iter().zip(&found);
            Mean::of(&both.map(|(one, found)| recall(one, found, most)).collect::<Vec<_>>())
        };
        println!("{name:34} R@1 {}  R@3 {}  R@5 {}", at(1), at(3), at(5));
    }
}

fn found(index: &Index, question: &Question, weights: Weights) -> Vec<String> {
    let hits = index.search_by(&question.text, MOST, None, weights);
    let mut ids: Vec<String> = Vec::new();
    for id in hits.iter().map(|hit| hit.source.to_string()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The questions whose evidence does not come first: what does, and what matched there and in the right ones.
fn misses(set: &Set, index: &Index) {
    for question in &set.questions {
        let hits = index.search(&question.text, MOST, None);
        let is_right = |hit: &said::Hit| question.ids.contains(&hit.source.to_string());
        if hits.first().is_some_and(is_right) {
            continue;
        }
        println!("\n{}: {} ({})", question.kind, question.text, question.ids.join(", "));
        for (nth, hit) in (1..).zip(&hits).filter(|(nth, hit)| *nth <= 5 || is_right(hit)) {
            let words = hit.passages.first().map(|passage| passage.words.join(" "));
            let (score, words) = (hit.score, words.unwrap_or_default());
            println!(
                "  {nth:2} {:24} {score:7.2} chance {:8.2} {words}",
                hit.source.to_string(),
                hit.chance
            );
        }
    }
}
