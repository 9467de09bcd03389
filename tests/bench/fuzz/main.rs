//! Attacks with random cases what reads the words of strangers, and what must always hold.
//!
//! Run with `cargo bench --bench fuzz -- --cases N [--target NAME] [--seed S]`. Each case is made from its
//! own number alone: the first is the seed, the others follow it. A case must neither panic (a broken promise
//! is a panic) nor take over a second; one that does is told with the command that runs it again. Ends with 1
//! if there was any. The cases run in a process of their own: if one of them ends it, the cases that were under way
//! are told.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

mod arguments;
mod child;
mod chunk;
mod config;
mod core;
mod damage;
mod markdown;
#[path = "../../suite/support/session.rs"]
#[allow(dead_code, reason = "the suite needs more of it")]
mod played;
mod random;
mod run;
mod session;
mod stream;

use std::process::ExitCode;
use std::sync::Arc;

use random::Random;

/// One thing that is attacked.
#[derive(Clone, Copy)]
struct Target {
    name: &'static str,
    /// Its part of the cases, beside those of the others: what is quick gets many.
    share: u64,
    /// Makes one case and tries it; panics when a promise is broken.
    case: fn(&mut Random),
}

/// All targets. Each has a file of its own.
const TARGETS: &[Target] = &[
    Target { name: "session", share: 4, case: session::case },
    Target { name: "config", share: 10, case: config::case },
    Target { name: "core", share: 20, case: core::case },
    Target { name: "markdown", share: 20, case: markdown::case },
    Target { name: "chunk", share: 15, case: chunk::case },
    Target { name: "stream", share: 20, case: stream::case },
    Target { name: "arguments", share: 20, case: arguments::case },
];

/// What the command line asks for.
struct Wanted {
    cases: u64,
    target: Option<String>,
    seed: u64,
}

fn main() -> ExitCode {
    let wanted = match wanted(std::env::args().skip(1)) {
        Ok(wanted) => wanted,
        Err(what) => {
            eprintln!("fuzz: {what}. Usage: --cases N [--target NAME] [--seed S]");
            return ExitCode::from(2);
        }
    };
    match child::Record::of_child() {
        Some(Ok(record)) => attack(&wanted, record),
        Some(Err(reason)) => unable(&reason),
        None => child::run().unwrap_or_else(|reason| unable(&reason)),
    }
}

fn unable(reason: &std::io::Error) -> ExitCode {
    eprintln!("fuzz: cannot run the cases in a process of their own: {reason}");
    ExitCode::FAILURE
}

/// Runs all that is wanted.
fn attack(wanted: &Wanted, record: child::Record) -> ExitCode {
    let record = Arc::new(record);
    let of_name = |target: &&Target| wanted.target.as_deref().is_none_or(|it| it == target.name);
    let targets: Vec<Target> = TARGETS.iter().filter(of_name).copied().collect();
    let shares: u64 = targets.iter().map(|target| target.share).sum();
    println!("\n{} cases from seed {}:", wanted.cases, wanted.seed);
    let mut found = 0;
    for target in targets {
        let cases = (wanted.cases * target.share).div_ceil(shares);
        found += run::run(target, wanted.seed, cases, &record);
    }
    println!("{}", if found == 0 { "ok: nothing was found" } else { "MISS: see above" });
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn wanted(mut arguments: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = now.map_or(0, |since| since.as_secs());
    let mut wanted = Wanted { cases: 20_000, target: None, seed };
    while let Some(name) = arguments.next() {
        if name == "--bench" {
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{name} takes a number"));
        match name.as_str() {
            "--cases" => wanted.cases = number()?,
            "--seed" => wanted.seed = number()?,
            "--target" if TARGETS.iter().any(|target| target.name == value) => {
                wanted.target = Some(value);
            }
            "--target" => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                return Err(format!("the targets are {}", names.join(", ")));
            }
            _ => return Err(format!("{name} is not known")),
        }
    }
    Ok(wanted)
}
