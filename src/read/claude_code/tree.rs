//! The tree that the records of a file make, and which of them its sessions consist of.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::tie::{Hash, Node};

/// The leaves that the program named, in the order of the file, and their sessions.
pub(super) type Leaves = Vec<(Option<Hash>, Hash)>;

/// The records of a file, and which of them are on the way to the newest leaf of a session, or of the same reply as one
/// that is, or what its tools answered.
pub(super) struct Tree<'a> {
    nodes: &'a [Node],
    /// Compactions, and the last record that each leaves in the window.
    tails: &'a [(usize, Hash)],
    /// Where each record stands.
    pub places: HashMap<Hash, usize>,
    /// Of each record, the session that it is kept for: 1 and up, or 0 for none.
    pub kept: Vec<u32>,
    /// The sessions, that of the newest leaf first.
    pub sessions: Vec<Option<Hash>>,
    /// Where in the file they stand.
    taken: Vec<Range<usize>>,
}

impl<'a> Tree<'a> {
    pub(super) fn of(nodes: &'a [Node], tails: &'a [(usize, Hash)], leaves: &Leaves) -> Self {
        let (kept, places) = (vec![0; nodes.len()], places_of(nodes));
        let (sessions, taken) = (Vec::new(), Vec::new());
        let mut tree = Self { nodes, tails, places, kept, sessions, taken };
        let everywhere = 0..nodes.len();
        let named = leaves.last().map(|(_, leaf)| *leaf);
        if let Some(leaf) = tree.newest(named, &everywhere) {
            tree.keep(leaf, everywhere);
        }
        for (session, place) in tree.others() {
            let is_apart =
                |taken: &Range<usize>| place.end <= taken.start || taken.end <= place.start;
            if !tree.taken.iter().all(is_apart) {
                continue;
            }
            let own = leaves.iter().rev().find(|(of, _)| *of == Some(session));
            let newest = tree.newest(own.map(|(_, leaf)| *leaf), &place);
            if let Some(leaf) = newest.filter(|at| nodes[*at].is_said && place.contains(at)) {
                tree.keep(leaf, place);
            }
        }
        tree
    }

    /// The sessions of which nothing is kept, and where they stand, the last one first: files that somebody put behind each
    /// other.
    fn others(&self) -> Vec<(Hash, Range<usize>)> {
        let mut places: HashMap<Hash, Range<usize>> = HashMap::new();
        let own = self.nodes.iter().enumerate().filter(|(_, node)| !node.aside);
        for (at, session) in own.filter_map(|(at, node)| Some((at, node.session?))) {
            places.entry(session).or_insert(at..at).end = at + 1;
        }
        for (node, _) in self.nodes.iter().zip(&self.kept).filter(|(_, kept)| **kept > 0) {
            node.session.map(|session| places.remove(&session));
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_unstable_by_key(|(_, place)| std::cmp::Reverse(place.end));
        places
    }

    /// The record that counts as the newest within a place: the newest that goes on from the leaf that is named, or the
    /// last one.
    fn newest(&self, named: Option<Hash>, place: &Range<usize>) -> Option<usize> {
        let named = named.and_then(|leaf| self.places.get(&leaf).copied());
        let own = |at: usize| !self.nodes[at].aside && self.places[&self.nodes[at].uuid] == at;
        let last_own = |is_leaf: &dyn Fn(usize) -> bool| {
            place.clone().rev().find(|at| own(*at) && is_leaf(*at))
        };
        // What a program notes at the end hangs on nothing, sometimes.
        let last = || {
            let said = last_own(&|at| self.nodes[at].is_said);
            said.or_else(|| last_own(&|_| true)).or(place.end.checked_sub(1))
        };
        let named = named.filter(|at| place.contains(at));
        named.map(|leaf| self.newest_behind(leaf, place)).or_else(last)
    }

    /// The newest record that goes on from a leaf: the leaf is named when a prompt is sent, and what came of it is not.
    fn newest_behind(&self, leaf: usize, place: &Range<usize>) -> usize {
        let is_aside = self.nodes[leaf].aside;
        let mut behind: HashSet<usize> = HashSet::from([leaf]);
        let (mut newest, mut above) = (leaf, None);
        for at in place.clone().filter(|at| self.nodes[*at].aside == is_aside) {
            let node = self.nodes[at];
            let earlier = self.before(node).filter(|known| *known < at || *known == leaf);
            let is_of_it = |above: &usize| self.nodes[*above].session == node.session;
            let before = earlier.or(above.filter(is_of_it).filter(|_| node.follows()));
            if before.is_some_and(|before| behind.contains(&before)) {
                behind.insert(at);
                newest = newest.max(at);
            }
            above = Some(at);
        }
        newest
    }

    /// The record that a record names as the one before it.
    fn before(&self, node: Node) -> Option<usize> {
        node.parent.and_then(|parent| self.places.get(&parent).copied())
    }

    /// Keeps what leads to a leaf as the next session.
    fn keep(&mut self, leaf: usize, place: Range<usize>) {
        self.sessions.push(self.nodes[leaf].session);
        let number = self.sessions.len() as u32;
        // A subagent's own file has nothing else in it.
        let own_aside = self.nodes[leaf].aside;
        let mut at = Some(leaf);
        while let Some(here) = at.filter(|at| self.kept[*at] == 0) {
            self.kept[here] = number;
            let node = self.nodes[here];
            at = match self.before(node).filter(|known| self.kept[*known] != number) {
                Some(known) => Some(known),
                // The record before is not there, or leads back: the nearest one above it in the file.
                None if node.follows() => (0..here).rev().find(|above| {
                    let other = self.nodes[*above];
                    let is_of_it = other.aside == own_aside && other.session == node.session;
                    is_of_it && self.kept[*above] == 0
                }),
                None => None,
            };
        }
        self.add_compactions(number, &place);
        self.add_siblings(number, &place, own_aside);
        let mut kept = place.filter(|at| self.kept[*at] == number);
        let first = kept.next().unwrap_or(leaf);
        self.taken.push(first..kept.next_back().unwrap_or(first) + 1);
    }

    /// Keeps compactions, with their summaries, of which what follows hangs on what they left in the window.
    fn add_compactions(&mut self, number: u32, place: &Range<usize>) {
        for (at, tail) in self.tails.iter().filter(|(at, _)| place.contains(at)) {
            let is_kept =
                |named: Hash| self.places.get(&named).is_some_and(|at| self.kept[*at] == number);
            let node = self.nodes[*at];
            if self.kept[*at] > 0 || !is_kept(*tail) || !node.parent.is_none_or(is_kept) {
                continue;
            }
            self.kept[*at] = number;
            let end = self.nodes.len().min(at + 1 + NEAR);
            let is_next = |next: &usize| self.nodes[*next].parent == Some(node.uuid);
            if let Some(summary) = (at + 1..end).find(is_next) {
                self.kept[summary] = number;
            }
        }
    }

    /// A reply is several records, and calls that ran beside each other make a fork of each. What is told again beside the
    /// conversation is none of them.
    fn add_siblings(&mut self, number: u32, place: &Range<usize>, own_aside: bool) {
        let on_the_way = place.clone().filter(|at| self.kept[*at] == number);
        let messages: HashSet<Hash> = on_the_way.filter_map(|at| self.nodes[at].message).collect();
        for at in place.clone().filter(|at| self.nodes[*at].aside == own_aside) {
            let node = self.nodes[at];
            let is_current = self.kept[at] == 0 && self.places[&node.uuid] == at;
            let same_reply = || node.message.is_some_and(|message| messages.contains(&message));
            let answers = || {
                let asked = self.before(node).filter(|_| node.is_result);
                asked.is_some_and(|at| self.kept[at] == number && self.nodes[at].is_reply)
            };
            if is_current && (same_reply() || answers()) {
                self.kept[at] = number;
            }
        }
    }
}

/// Records behind a compaction among which its summary stands.
const NEAR: usize = 16;

/// Where each record stands. The last line of one counts, but what is only written again, or has been gone on from, stays
/// where it was.
fn places_of(nodes: &[Node]) -> HashMap<Hash, usize> {
    let mut places: HashMap<Hash, usize> = HashMap::with_capacity(nodes.len());
    let mut gone_on_from: HashSet<Hash> = HashSet::new();
    for (at, node) in nodes.iter().enumerate() {
        let place = places.entry(node.uuid).or_insert(at);
        if nodes[*place].words != node.words && !gone_on_from.contains(&node.uuid) {
            *place = at;
        }
        gone_on_from.extend(node.parent);
    }
    places
}
