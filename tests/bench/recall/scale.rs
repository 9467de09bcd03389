//! The index at 10,000 and 100,000 efforts of twenty messages, made in code.

use std::path::Path;

use crate::said::{Index, Said, Source};

const MESSAGES: usize = 20;
const WORDS: usize = 50_000;
const TOPIC: usize = 30;

/// The processor's time of this thread so far, in milliseconds.
#[cfg(unix)]
fn processor() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// The memory of this process in megabytes, where the system tells.
fn megabytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: Option<f64> = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.map_or(f64::NAN, |pages| pages * 4096.0 / 1e6)
}

/// A made word: the rarer, the longer.
fn word(number: usize) -> String {
    const PARTS: [&str; 15] =
        ["ba", "ke", "li", "mo", "nu", "ra", "te", "vi", "so", "du", "pa", "ge", "fi", "zo", "hu"];
    let mut left = number + PARTS.len();
    let mut word = String::new();
    while left > 0 {
        word.push_str(PARTS[left % PARTS.len()]);
        left /= PARTS.len();
    }
    word
}

/// A quarter of the words are of the topic, the others as common as words are.
fn message(random: &mut fastrand::Rng, topic: &[usize]) -> String {
    let mut one = || match random.usize(..4) {
        0 => topic[random.usize(..topic.len())],
        _ => ((WORDS as f64).ln() * random.f64()).exp() as usize - 1,
    };
    let count = 15 + one() % 20;
    (0..count).map(|_| word(one())).collect::<Vec<_>>().join(" ")
}

fn topic(random: &mut fastrand::Rng) -> Vec<usize> {
    (0..TOPIC).map(|_| random.usize(..WORDS)).collect()
}

/// Builds an index of so many efforts and prints what it costs. `most` is the bound of a query in milliseconds
/// of the processor.
pub(crate) fn measure(directory: &Path, efforts: usize, most: f64) {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut index, _) = Index::open(directory, 1);
    let (mut queries, mut building) = (Vec::new(), 0.0);
    for number in 0..efforts {
        let topic = topic(&mut random);
        let said: Vec<String> = (0..MESSAGES).map(|_| message(&mut random, &topic)).collect();
        let messages: Vec<&str> = said.iter().map(String::as_str).collect();
        let source = Source::Effort(format!("effort-{number}"));
        if number % (efforts / 50) == 0 {
            let common = (0..4).map(|_| random.usize(..60));
            let words: Vec<String> = topic[..5].iter().copied().chain(common).map(word).collect();
            queries.push((source.clone(), words.join(" ")));
        }
        let start = processor();
        index.add(Said { source: &source, turn: number as u64, day: None }, 0, &messages);
        if number % 100 == 0 {
            index.tidy(|| true).expect("the disk holds it");
        }
        building += processor() - start;
    }
    index.save().expect("the disk holds it");
    drop(index);
    let start = processor();
    let (mut index, problem) = Index::open(directory, 1);
    assert!(problem.is_none(), "{problem:?}");
    let opening = processor() - start;
    let start = processor();
    let mut first = 0;
    for (source, query) in &queries {
        first += usize::from(
            index.search(query, 5, None).first().is_some_and(|hit| hit.source == *source),
        );
    }
    let asking = (processor() - start) / queries.len() as f64;
    let adding = add_turns(&mut index, &mut random);
    println!(
        "{efforts} efforts: building {:.1} s, opening {opening:.0} ms, a query {asking:.2} ms (at most {most}), \
         a turn {adding:.3} ms (at most 1), {:.0} MB in all; the effort meant came first {first} times of {}",
        building / 1e3,
        megabytes(),
        queries.len(),
    );
    assert!(asking <= most && adding <= 1.0, "too slow");
}

/// What a turn adds, in milliseconds of the processor.
fn add_turns(index: &mut Index, random: &mut fastrand::Rng) -> f64 {
    const TURNS: u32 = 1_000;
    let topic = topic(random);
    let source = Source::Effort("another".to_owned());
    let mut adding = 0.0;
    for turn in 0..TURNS {
        let both = [message(random, &topic), message(random, &topic)];
        let start = processor();
        let said = Said { source: &source, turn: turn.into(), day: None };
        index.add(said, turn * 2, &[&both[0], &both[1]]);
        index.save().expect("the disk holds it");
        adding += processor() - start;
    }
    adding / f64::from(TURNS)
}
