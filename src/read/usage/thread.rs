//! Conversations whose lines tell running totals, and those that begin with a copy of another one.

use std::collections::{BTreeSet, HashMap};

use super::Used;
use crate::read::value::hash;

/// A conversation whose lines tell running totals.
#[derive(Debug, Default)]
pub(in crate::read) struct Thread {
    /// What it is called.
    pub id: String,
    /// The conversations that it may begin with a copy of.
    pub parents: BTreeSet<String>,
    /// Its requests.
    pub steps: Vec<Step>,
}

/// A request of a conversation with running totals.
#[derive(Debug, Clone, Copy)]
pub(in crate::read) struct Step {
    /// The total after it.
    pub total: u64,
    /// What its line tells of it alone, as a number.
    pub last: u64,
    /// What it took.
    pub used: Used,
}

/// Conversations of the same parent that one is compared with; if the parent is not there, one of them has it whole.
const MOST_SIBLINGS: usize = 8;

/// Steps that may be lost between two that a conversation and its copy share.
const MOST_LOST: usize = 2;

/// Bytes at either end of an id that name it: where one end is damaged, the other one is not.
const END: usize = 18;

/// A conversation that another one is compared with. Where only their own ids are alike, one of these may be damaged, or
/// they are two: then they have to tell of the same at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Other {
    at: usize,
    is_only_alike: bool,
}

/// Tells of each request once: those that a conversation begins with as a copy of another's are the other's. Conversations
/// that name each other, or the same parent, are compared; one whose own line is damaged names nobody, and is
/// compared with all.
pub(super) fn own(threads: &[Thread], mut take: impl FnMut(Used)) {
    let mut order: Vec<&Thread> = threads.iter().collect();
    order.sort_by_key(|thread| thread.parents.len());
    let mut known: HashMap<u64, Vec<(usize, bool)>> = HashMap::new();
    let mut nameless: Vec<usize> = Vec::new();
    for (at, thread) in order.iter().enumerate() {
        let own = ends(&thread.id).map(|end| (end, true));
        let parents = thread.parents.iter().flat_map(|id| ends(id)).map(|end| (end, false));
        let names: Vec<(u64, bool)> = own.chain(parents).collect();
        let certain = |at| Other { at, is_only_alike: false };
        let mut others: Vec<Other> = nameless.iter().copied().map(certain).collect();
        for (name, is_own) in &names {
            others.extend(known.get(name).into_iter().flatten().map(|&(at, is_others_own)| {
                let is_only_alike = *is_own && is_others_own && order[at].id != thread.id;
                Other { at, is_only_alike }
            }));
        }
        if names.is_empty() {
            others = (0..at).map(certain).collect();
        }
        // What is certain comes first.
        others.sort_unstable();
        others.dedup_by_key(|other| other.at);
        let mut copied = vec![false; thread.steps.len()];
        for other in others {
            mark(&thread.steps, &order[other.at].steps, other.is_only_alike, &mut copied);
        }
        let own = thread.steps.iter().zip(copied).filter(|(_, copied)| !copied);
        own.for_each(|(step, _)| take(step.used));
        if names.is_empty() {
            nameless.push(at);
        }
        for (nth, (name, is_own)) in names.into_iter().enumerate() {
            let those = known.entry(name).or_default();
            if nth < 2 || those.len() < MOST_SIBLINGS {
                those.push((at, is_own));
            }
        }
    }
}

/// The two ends of an id, as numbers; none of an empty one.
fn ends(id: &str) -> impl Iterator<Item = u64> {
    let (bytes, end) = (id.as_bytes(), END.min(id.len()));
    let both = [(false, &bytes[..end]), (true, &bytes[bytes.len() - end..])];
    both.into_iter().filter(|(_, end)| !end.is_empty()).map(hash)
}

/// Marks the steps that a conversation begins with as a copy of another one's. A step is the same if its total is, or
/// what is told of it alone: one of both may be damaged. So may whole lines be. Of two that are `only_alike` it is at the
/// same time, too.
fn mark(steps: &[Step], others: &[Step], only_alike: bool, copied: &mut [bool]) {
    let is_then = |one: &Step, other: &Step| !only_alike || one.used.at == other.used.at;
    let same = |at: usize, there: usize| {
        let both = steps.get(at).zip(others.get(there));
        both.is_some_and(|(one, other)| one.total == other.total && is_then(one, other))
    };
    let (mut at, mut there) = (0, 0);
    while let (Some(step), Some(other)) = (steps.get(at), others.get(there)) {
        let lost = (1..=MOST_LOST).flat_map(|lost| [(lost, 0), (0, lost)]);
        let mut around = std::iter::once((0, 0)).chain(lost);
        if let Some((here, beyond)) = around.find(|(here, beyond)| same(at + here, there + beyond))
        {
            (at, there) = (at + here, there + beyond);
        } else if step.last != other.last || !is_then(step, other) {
            break;
        }
        copied[at] = true;
        (at, there) = (at + 1, there + 1);
    }
}
