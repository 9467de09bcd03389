//! What a conversation costs under other rules: `cargo bench --bench tides`. This is the table that led to the
//! defaults of `ambient_tide` and `low_percent`. Each figure is the cost relative to append-only full history
//! with the same cache, at 30, 100 and 300 turns.
//!
//! With a setting and its values behind `--` (`low_percent 40 60`) it tries these alone.
//! With a shape behind `--` (plain, efforts, pastes) it lists every request under the defaults:
//! what of its prompt was no unchanged beginning, and from where on.

#![allow(clippy::expect_used, reason = "a bench ends with a panic, as a test does")]

use std::sync::Arc;

use ebbtide::memory::CountTokens;
use ebbtide::proof::{Mark, PRICES, Shape, Sitting, Until, listing};
use ebbtide::tokens::Cl100k;

const SHAPES: [Shape; 3] = [Shape::Plain, Shape::Efforts, Shape::Pastes];
const TURNS: [Until; 3] = [Until::Turns(30), Until::Turns(100), Until::Turns(300)];

type Setting = (String, String);

#[tokio::main]
async fn main() {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::load());
    // Cargo itself adds `--bench`.
    let mut asked = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let (asked, values) = (asked.next(), asked.collect::<Vec<_>>());
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
        let (marks, _) =
            play(shape, &TURNS, vec![(key.to_owned(), value.to_owned())], counter).await;
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
    let (marks, sent) = play(shape, &TURNS, vec![], counter).await;
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
) -> (Vec<Mark>, Vec<ebbtide::proof::Sent>) {
    let sitting = Sitting { settings, ..Sitting::as_sent(shape, marks) };
    sitting.play(counter).await.expect("the conversation plays to its end")
}
