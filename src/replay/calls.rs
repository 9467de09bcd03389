//! How calls of tools and what they return are said.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::chunk::beginning;
use crate::lines::one_line;
use crate::memory::CountTokens;

/// Longest part of a call's arguments in bytes that stays in the conversation.
const LONGEST_CALL: usize = 400;

/// Names of the calls without a result yet, by id, the newest last.
#[derive(Debug, Default)]
pub(super) struct Calls(HashMap<String, Vec<String>>);

impl Calls {
    /// A tool was called.
    pub(super) fn add(&mut self, id: String, name: String) {
        self.0.entry(id).or_default().push(name);
    }

    /// What the newest call of an id was for, which has its result now.
    pub(super) fn returned(&mut self, id: String) -> String {
        let name = match self.0.entry(id) {
            Entry::Occupied(mut calls) => {
                let name = calls.get_mut().pop();
                if calls.get().is_empty() {
                    calls.remove();
                }
                name
            }
            Entry::Vacant(_) => None,
        };
        name.unwrap_or_else(|| "tool".to_owned())
    }
}

/// What a model calls a tool with, as it is said.
pub(super) fn call_line(name: &str, arguments: &str) -> String {
    format!("[{name} {}]", shortened(arguments))
}

/// Tokens of a call that are not said.
pub(super) fn cut_of(arguments: &str, counter: &dyn CountTokens) -> u64 {
    if arguments.len() <= LONGEST_CALL {
        return 0;
    }
    counter.count(arguments).0.saturating_sub(counter.count(&shortened(arguments)).0)
}

/// Tokens of a result, if it has so many that it is held by reference. No text has more tokens than bytes.
pub(super) fn held_of(text: &str, counter: &dyn CountTokens, limit: u64) -> Option<u64> {
    let tokens = || counter.count(text).0;
    (text.len() as u64 >= limit).then(tokens).filter(|tokens| *tokens >= limit)
}

/// A result as it is said, where so many tokens of it are held by reference.
pub(super) fn result_line(name: &str, text: &str, held: Option<u64>) -> String {
    match held {
        Some(tokens) => format!("[{name}: {tokens} tokens, held by reference]"),
        None => format!("[{name}: {}]", text.trim()),
    }
}

/// Tokens of what stands for a result of so many that is held by reference: nobody else reads that.
pub(super) fn pointer(name: &str, tokens: u64, counter: &dyn CountTokens) -> u64 {
    let [pointer, empty] =
        [Some(tokens), None].map(|held| counter.count(&result_line(name, "", held)).0);
    pointer.saturating_sub(empty)
}

fn shortened(text: &str) -> String {
    let line = one_line(text);
    let cut = beginning(&line, LONGEST_CALL);
    if cut.len() < line.len() { format!("{cut} …") } else { line }
}
