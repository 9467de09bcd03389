//! The branch of a conversation that was gone on with.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// From a leaf up to the root by each one's parent, and turned round: the messages in reading order. A circle
/// and a parent that is not there end it.
pub(super) fn branch<K: Copy + Eq + Hash>(leaf: K, parents: &HashMap<K, Option<K>>) -> Vec<K> {
    let mut branch = Vec::new();
    let mut seen = HashSet::new();
    let mut at = Some(leaf);
    while let Some(node) = at.filter(|node| parents.contains_key(node) && seen.insert(*node)) {
        branch.push(node);
        at = parents[&node];
    }
    branch.reverse();
    branch
}
