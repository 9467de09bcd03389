//! The program killed at any instant, as often as is asked for, in a pseudo-terminal and outside: with files
//! taken in, compressions, notes, a queue behind the turn and rapid typing. What stood on the screen as entered
//! is neither missing nor doubled afterwards.
//!
//! Run with `cargo bench --bench kill -- --kills 500 --seed 1`.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]
#![allow(clippy::unwrap_used, reason = "the support of the tests is shared")]

#[path = "../suite/support"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the bench needs a part of it")]
mod support {
    pub(crate) mod kills;
    pub(crate) mod pty;
    pub(crate) mod server;
}

use support::kills::{in_terminal, outside};

fn main() {
    let kills = argument("--kills").unwrap_or(50);
    // A seed of zero would stay zero.
    let seed = argument("--seed").unwrap_or(1).max(1);
    println!("\n{kills} kills each, seed {seed}:");
    let times = usize::try_from(kills).expect("a number of kills");
    let found = in_terminal(times, seed);
    println!(
        "in a terminal: {} marks stood on the screen as entered, {} of them in the queue; {} stood in the \
         line; {} missing or doubled",
        found.entered,
        found.waiting,
        found.written,
        found.wrong.len()
    );
    let sent = outside(times, seed);
    println!(
        "outside: {} were sent, {} lives ended by themselves; {} missing or doubled",
        sent.sent,
        sent.finished,
        sent.wrong.len()
    );
    let wrong = [found.wrong, sent.wrong].concat();
    for wrong in &wrong {
        println!("  {wrong}");
    }
    assert!(wrong.is_empty(), "words were lost or doubled");
}

/// The number after an option.
fn argument(name: &str) -> Option<u64> {
    let given: Vec<String> = std::env::args().collect();
    let at = given.iter().position(|word| word == name)?;
    Some(given.get(at + 1)?.parse().expect("a number"))
}
