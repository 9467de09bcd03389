//! What a conversation costs under other rules: `cargo bench --bench tides`. This is the table that led to the
//! defaults of `ambient_tide` and `low_percent`. Each figure is the cost relative to append-only full history
//! with the same cache, at 30, 100 and 300 turns.
//!
//! With a setting and its values behind `--` (`low_percent 40 60`) it tries these alone.
//! With a shape behind `--` (plain, efforts, pastes) it lists every request under the defaults:
//! what of its prompt was no unchanged beginning, and from where on.
//! With `parts`, conversations (`plain:250`: shape and length of messages in percent; `phases:250:48`: so many messages
//! in so many efforts, one after the other, and how much of it is the user's) and settings (`soft_percent=80`; with `seeds=true` the block stands in front,
//! with `least=4096` caches keep nothing shorter) it tells what is paid for what in 116,000 tokens of each.

#![allow(clippy::expect_used, reason = "a bench ends with a panic, as a test does")]

use std::sync::Arc;

use ebbtide::memory::CountTokens;
use ebbtide::proof::{Billed, Mark, PRICES, Placement, Plan, Shape, Sitting, Until, listing};
use ebbtide::tokens::Cl100k;

const SHAPES: [Shape; 3] = [Shape::Plain, Shape::Efforts, Shape::Pastes];
const TURNS: [Until; 3] = [Until::Turns(30), Until::Turns(100), Until::Turns(300)];

type Setting = (String, String);

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::load());
    // Cargo itself adds `--bench`.
    let mut asked = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let (asked, values) = (asked.next(), asked.collect::<Vec<_>>());
    if asked.as_deref() == Some("parts") {
        return parts(&values, &counter).await;
    }
    if let Some(shape) = SHAPES.into_iter().find(|shape| asked.as_deref() == Some(shape.word())) {
        return list(shape, &counter).await;
    }
    println!(
        "{:<24} {:<8} {:>20} {:>20} {:>20}  unchanged",
        "", "", "at 10 %", "at 2 %", "breakpoints"
    );
    if let Some(key) = asked {
        for value in &values {
            table(&key, value, &counter).await;
        }
        return;
    }
    for exchanges in ["0", "4", "8", "10", "12", "15", "20"] {
        table("ambient_tide", exchanges, &counter).await;
    }
    for percent in ["30", "40", "50", "60"] {
        table("low_percent", percent, &counter).await;
    }
}

async fn table(key: &str, value: &str, counter: &Arc<dyn CountTokens>) {
    let mut worst = [[0.0_f64; 3]; PRICES.len()];
    for shape in SHAPES {
        let setting = vec![(key.to_owned(), value.to_owned())];
        let marks = play(shape, &TURNS, setting, counter).await.marks;
        println!(
            "{key:<16} {value:>7} {:<8} {}",
            shape.word(),
            line(&ratios(&marks), Some(&marks))
        );
        for (worst, own) in worst.iter_mut().flatten().zip(ratios(&marks).into_iter().flatten()) {
            *worst = worst.max(own);
        }
    }
    println!("{key:<16} {value:>7} {:<8} {}", "worst", line(&worst, None));
}

/// By price, then by mark.
fn ratios(marks: &[Mark]) -> [[f64; 3]; PRICES.len()] {
    PRICES.map(|price| {
        let mut own = [0.0; 3];
        for (own, mark) in own.iter_mut().zip(marks) {
            *own = mark.ratios(&price)[0];
        }
        own
    })
}

fn line(ratios: &[[f64; 3]; PRICES.len()], marks: Option<&[Mark]>) -> String {
    let price = |[a, b, c]: [f64; 3]| format!("{a:>6.2} {b:>6.2} {c:>6.2}");
    let [.., tenth, fiftieth, breakpoints] = ratios.map(price);
    let unchanged =
        marks.and_then(<[Mark]>::last).map(|mark| format!("{:.1} %", mark.unchanged_percent()));
    format!("{tenth} {fiftieth} {breakpoints}  {}", unchanged.unwrap_or_default())
}

async fn list(shape: Shape, counter: &Arc<dyn CountTokens>) {
    let Billed { marks, sent, .. } = play(shape, &TURNS, vec![], counter).await;
    print!("{}", listing(&sent));
    for mark in &marks {
        println!("{} turns, {} tokens: {}", mark.turns, mark.history, line(&ratios(&marks), None));
    }
}

async fn play(
    shape: Shape,
    marks: &[Until],
    settings: Vec<Setting>,
    counter: &Arc<dyn CountTokens>,
) -> Billed {
    let sitting = Sitting { settings, ..Sitting::as_sent(shape, marks) };
    sitting.play(counter).await.expect("the conversation plays to its end")
}

/// What is paid for what in conversations of the published size.
async fn parts(asked: &[String], counter: &Arc<dyn CountTokens>) {
    let settings = asked.iter().filter_map(|word| word.split_once('='));
    let (least, settings): (Vec<Setting>, Vec<Setting>) = settings
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .partition(|(key, _)| key == "least");
    let least = least.first().and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    for word in asked.iter().filter(|word| !word.contains('=')) {
        let (marks, mut sitting) = (published(word), conversation(word));
        (sitting.marks, sitting.settings, sitting.least) = (&marks, settings.clone(), least);
        if settings.iter().any(|(key, _)| key == "seeds") {
            sitting.placement = Placement::InFront;
        }
        let played = sitting.play(counter).await.expect("the conversation plays to its end");
        for mark in &played.marks {
            let others = mark.own().baselines().with_cache.paid();
            let ratios = PRICES.map(|price| format!("{:.3}", mark.ratios(&price)[0])).join(" ");
            println!(
                "{word} {settings:?}: {} turns, {} tokens: {ratios}, of {:.3} at least; {:.1} % unchanged; window {}, at most {}; full \
                 history reads {} and pays {}; answers of memory's own {} * 4",
                mark.turns,
                mark.history,
                mark.floor(&PRICES[2]),
                mark.unchanged_percent(),
                mark.window,
                mark.most_window,
                others.read,
                others.uncached,
                mark.extra
            );
        }
        println!("{}", played.parts.table(0.1));
    }
}

/// Where a conversation ends.
fn published(word: &str) -> Vec<Until> {
    let numbers = word.split(':').skip(1).filter_map(|number| number.parse().ok());
    let numbers: Vec<u64> = numbers.collect();
    match (word.starts_with("phases"), &numbers[..]) {
        (true, &[messages, _, ..]) => vec![Until::Turns(messages)],
        (_, &[_, turns]) if turns < 1_000 => vec![Until::Turns(turns)],
        (_, &[_, tokens]) => vec![Until::Tokens(tokens)],
        _ => vec![Until::Tokens(116_000)],
    }
}

fn conversation(word: &str) -> Sitting<'static> {
    let mut words = word.split(':');
    let name = words.next().unwrap_or_default();
    let mut number = || words.next().and_then(|number| number.parse().ok());
    let shapes = [Shape::Plain, Shape::Efforts, Shape::Pastes, Shape::Mixed];
    let shape = shapes.into_iter().find(|shape| shape.word() == name);
    let (first, second, own) = (number(), number(), number());
    let plan = match (shape, first, second) {
        (None, Some(messages), Some(phases)) => {
            let (messages, phases) = (messages as u64, phases as u64);
            let own_percent = own.unwrap_or(25) as u64;
            Some(Plan { messages, tokens: 116_000, phases, nth: 0, own_percent })
        }
        _ => None,
    };
    let length = if plan.is_some() { 100 } else { first.unwrap_or(100) };
    Sitting { plan, length, ..Sitting::as_sent(shape.unwrap_or(Shape::Efforts), &[]) }
}
