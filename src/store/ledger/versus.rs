//! `versus.jsonl`: what comparisons of window and full history took, and how they were judged, a line each.

use serde_json::{Value, json};

use crate::bill::{Paid, Sum};
use crate::clock;
use crate::store::disk::appender::Appender;
use crate::store::disk::files;
use crate::store::{Error, LogReader, Store};

/// Which of two answers to the same question a person found better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The one that was made with the window.
    Window,
    /// The one that was made with the full history.
    FullHistory,
    /// Neither.
    Same,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Window, Self::FullHistory, Self::Same];

    /// The word for it in files and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::FullHistory => "full_history",
            Self::Same => "same",
        }
    }
}

/// How often each verdict was given, and what the comparisons took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdicts {
    counts: [u64; 3],
    /// All requests that were made for comparisons; none of them is in the bill.
    pub paid: Sum,
}

impl Verdicts {
    /// How often a verdict was given.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.counts[verdict as usize]
    }

    /// Whether nothing was ever compared.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn take(&mut self, line: &Value) {
        let judged = line["verdict"].as_str();
        let judged = Verdict::ALL.into_iter().find(|one| judged == Some(one.as_str()));
        if let Some(verdict) = judged {
            self.counts[verdict as usize] += 1;
        }
        for figures in line["compared"].as_array().into_iter().flatten() {
            let [read, written, uncached, output] =
                [0, 1, 2, 3].map(|at| super::bounded(&figures[at]).unwrap_or(0));
            let estimated = figures[4].as_bool().unwrap_or(false);
            self.paid.add(Paid { read, written, uncached, output, estimated });
        }
    }
}

impl Store {
    /// Keeps what the requests of a comparison took.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_compared(&mut self, paid: &[Paid]) -> Result<(), Error> {
        let figures =
            |one: &Paid| json!([one.read, one.written, one.uncached, one.output, one.estimated]);
        let compared: Vec<Value> = paid.iter().map(figures).collect();
        self.append_versus(&json!({ "at": clock::timestamp(), "compared": compared }))
    }

    /// Keeps a verdict.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_verdict(&mut self, verdict: Verdict) -> Result<(), Error> {
        self.append_versus(&json!({ "at": clock::timestamp(), "verdict": verdict.as_str() }))
    }

    fn append_versus(&mut self, line: &Value) -> Result<(), Error> {
        let path = self.paths.versus();
        let mut file = Appender::open(&path, &self.paths.disk, &mut self.problems)?;
        file.append(format!("{line}\n").as_bytes()).map(drop)
    }
}

impl LogReader {
    /// The verdicts so far; lines that make no sense are left out.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn verdicts(&self) -> Result<Verdicts, Error> {
        let bytes = files::read(&self.paths().versus())?.unwrap_or_default();
        let mut verdicts = Verdicts::default();
        let lines = bytes.split(|&byte| byte == b'\n');
        for line in lines.filter_map(|line| serde_json::from_slice(line).ok()) {
            verdicts.take(&line);
        }
        Ok(verdicts)
    }
}
