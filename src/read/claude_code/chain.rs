//! Which lines of a session are the conversation: from the newest leaf up to the first message, over compactions,
//! and without what was taken back.

use std::collections::{HashMap, HashSet};
use std::io;
use std::num::NonZero;

use serde::Deserialize;
use serde_json::Value;

use super::record::QUEUED;
use crate::read::lines::{self, Line};
use crate::read::value::{hash, list, loose_flag, loose_moment, loose_text, text};
use crate::read::{Bytes, Moment, Tally};

/// What ties a record to others.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Tie {
    #[serde(rename = "type", deserialize_with = "loose_text")]
    kind: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    subtype: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    parent_uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    logical_parent_uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    leaf_uuid: Option<String>,
    #[serde(deserialize_with = "loose_flag")]
    is_sidechain: bool,
    #[serde(deserialize_with = "loose_flag")]
    is_compact_summary: bool,
    #[serde(deserialize_with = "loose_moment")]
    timestamp: Moment,
    #[serde(deserialize_with = "loose_text")]
    custom_title: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    ai_title: Option<String>,
    message: Option<MessageTie>,
    compact_metadata: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MessageTie {
    #[serde(deserialize_with = "loose_text")]
    id: Option<String>,
}

/// A hash, so that none at all takes no room: there may be millions of records.
type Hash = NonZero<u64>;

fn hashed(text: &str) -> Hash {
    Hash::new(hash(text)).unwrap_or(Hash::MIN)
}

/// A record that has a place in the tree.
#[expect(clippy::struct_excessive_bools, reason = "as its line has them")]
#[derive(Debug, Clone, Copy)]
struct Node {
    uuid: Hash,
    /// The record before it, if it names one.
    parent: Option<Hash>,
    /// The message that it is a line of, for a reply.
    message: Option<Hash>,
    /// Its line, from 1, and what stands there, as a number.
    line: u32,
    words: u32,
    is_reply: bool,
    /// Somebody says something in it, or what was said is compacted.
    is_said: bool,
    /// A tool's answer.
    is_result: bool,
    /// Of a subagent.
    aside: bool,
    /// A compaction, or the summary of one, which goes on from what stands before it in the file if it does not say from
    /// what: old ones have nothing but the summary.
    is_boundary: bool,
}

/// The lines of the conversation.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// Whether each line belongs to it, by number.
    lines: Vec<bool>,
    /// Lines of records that another line tells, ascending, and whether in the same words.
    again: Vec<(u64, bool)>,
    /// No record has a place: all of them are the conversation.
    everything: bool,
    /// Its moments are told to the millisecond: most are no whole seconds.
    pub is_exact: bool,
    /// What the session is called; may be empty.
    pub title: String,
}

impl Chain {
    /// Finds them.
    pub(super) fn of(source: &dyn Bytes) -> io::Result<Self> {
        let (mut nodes, mut tails): (Vec<Node>, Vec<(usize, Hash)>) = (Vec::new(), Vec::new());
        let (mut leaf, mut titles) = (None, [String::new(), String::new()]);
        let (mut exact, mut whole) = (0_u64, 0_u64);
        lines::each(source, &mut Tally::default(), |line, tie: Tie, _| {
            if let Some(node) = tie.node(&line) {
                tails.extend(tie.tail().map(|tail| (nodes.len(), tail)));
                nodes.push(node);
            }
            if tie.kind.as_deref() == Some("last-prompt") {
                leaf = tie.leaf_uuid.as_deref().map(hashed).or(leaf);
            }
            match tie.timestamp {
                Some(at) if at % 1_000 != 0 => exact += 1,
                at => whole += u64::from(at.is_some()),
            }
            for (title, found) in titles.iter_mut().zip([tie.custom_title, tie.ai_title]) {
                *title = found.unwrap_or_else(|| std::mem::take(title));
            }
        })?;
        let title = titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default();
        let mut lines = vec![false; nodes.last().map_or(0, |node| node.line as usize + 1)];
        let places = places_of(&nodes);
        let mut again = Vec::new();
        for (at, kept) in on_the_way_to(leaf, &nodes, &places, &tails).into_iter().enumerate() {
            let (node, place) = (nodes[at], places[&nodes[at].uuid]);
            lines[node.line as usize] = kept;
            if !kept && place != at {
                again.push((node.line.into(), nodes[place].words == node.words));
            }
        }
        Ok(Self { everything: nodes.is_empty(), lines, again, is_exact: exact > whole, title })
    }

    /// Whether a line that does not belong to the conversation is the same as the one of its record that counts; `None` if
    /// it is the only one of it.
    pub(super) fn repeats(&self, line: u64) -> Option<bool> {
        let found = self.again.binary_search_by_key(&line, |(line, _)| *line);
        found.ok().map(|at| self.again[at].1)
    }

    /// Whether a line belongs to the conversation.
    pub(super) fn holds(&self, line: u64) -> bool {
        self.everything || self.lines.get(line as usize) == Some(&true)
    }
}

impl Node {
    /// Whether something stands before it, even if that is not told or not there any more.
    fn follows(&self) -> bool {
        self.parent.is_some() || self.is_boundary
    }
}

impl Tie {
    /// The last record that a compaction leaves in the window, which what follows may hang on.
    fn tail(&self) -> Option<Hash> {
        let known = self.compact_metadata.as_ref()?;
        let named = text(&known["preservedSegment"], "tailUuid");
        let last = || list(&known["preservedMessages"], "uuids").last().and_then(Value::as_str);
        Some(named).filter(|named| !named.is_empty()).or_else(last).map(hashed)
    }

    fn node(&self, line: &Line<'_>) -> Option<Node> {
        let uuid = hashed(self.uuid.as_deref()?);
        let parent = self.parent_uuid.as_deref().or(self.logical_parent_uuid.as_deref());
        let is_reply = self.kind.as_deref() == Some("assistant");
        let is_boundary = self.subtype.as_deref() == Some("compact_boundary");
        let is_user = self.kind.as_deref() == Some("user");
        // What was typed while the model worked.
        let is_queued = || {
            self.kind.as_deref() == Some("attachment")
                && parent.is_some()
                && line.holds(QUEUED.as_bytes())
        };
        let message = self.message.as_ref().and_then(|message| message.id.as_deref());
        Some(Node {
            uuid,
            parent: parent.map(hashed),
            line: u32::try_from(line.number).ok()?,
            words: hash(line.bytes) as u32,
            message: message.filter(|_| is_reply).map(hashed),
            is_reply,
            is_said: is_reply || is_boundary || is_user || is_queued(),
            is_result: !is_reply && line.holds(b"\"tool_result\""),
            aside: self.is_sidechain,
            is_boundary: is_boundary || is_user && self.is_compact_summary,
        })
    }
}

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

/// Of each record whether it is on the way to a leaf, or of the same reply as one that is, or what its tools answered.
fn on_the_way_to(
    leaf: Option<Hash>,
    nodes: &[Node],
    places: &HashMap<Hash, usize>,
    tails: &[(usize, Hash)],
) -> Vec<bool> {
    let named = leaf.and_then(|leaf| places.get(&leaf).copied());
    let own = |at: usize| !nodes[at].aside && places[&nodes[at].uuid] == at;
    let last_own = |is_leaf: &dyn Fn(usize) -> bool| {
        (0..nodes.len()).rev().find(|at| own(*at) && is_leaf(*at))
    };
    // What a program notes at the end hangs on nothing, sometimes.
    let last = || {
        let said = last_own(&|at| nodes[at].is_said);
        said.or_else(|| last_own(&|_| true)).or(nodes.len().checked_sub(1))
    };
    let mut kept = vec![false; nodes.len()];
    let mut at = named.map(|leaf| newest_behind(leaf, nodes, places)).or_else(last);
    // A subagent's own file has nothing else in it.
    let own_aside = at.is_some_and(|at| nodes[at].aside);
    while let Some(place) = at {
        if std::mem::replace(&mut kept[place], true) {
            break;
        }
        let named = nodes[place].parent.and_then(|parent| places.get(&parent).copied());
        at = match named.filter(|known| !kept[*known]) {
            Some(known) => Some(known),
            // The record before is not there, or leads back: the nearest one above it in the file.
            None if nodes[place].follows() => {
                (0..place).rev().find(|above| nodes[*above].aside == own_aside && !kept[*above])
            }
            None => None,
        };
    }
    add_compactions(nodes, places, tails, &mut kept);
    add_siblings(nodes, places, own_aside, &mut kept);
    kept
}

/// Records behind a compaction among which its summary stands.
const NEAR: usize = 16;

/// Compactions, with their summaries, of which what follows hangs on what they left in the window.
fn add_compactions(
    nodes: &[Node],
    places: &HashMap<Hash, usize>,
    tails: &[(usize, Hash)],
    kept: &mut [bool],
) {
    for (at, tail) in tails {
        let is_kept = |named: Hash| places.get(&named).is_some_and(|place| kept[*place]);
        let node = nodes[*at];
        if kept[*at] || !is_kept(*tail) || !node.parent.is_none_or(is_kept) {
            continue;
        }
        kept[*at] = true;
        let end = nodes.len().min(at + 1 + NEAR);
        if let Some(summary) = (at + 1..end).find(|next| nodes[*next].parent == Some(node.uuid)) {
            kept[summary] = true;
        }
    }
}

/// The newest record that goes on from a leaf: the leaf is named when a prompt is sent, and what came of it is not.
fn newest_behind(leaf: usize, nodes: &[Node], places: &HashMap<Hash, usize>) -> usize {
    let mut behind = vec![false; nodes.len()];
    behind[leaf] = true;
    let (mut newest, mut above) = (leaf, None);
    for (at, node) in nodes.iter().enumerate().filter(|(_, node)| node.aside == nodes[leaf].aside) {
        let named = node.parent.and_then(|parent| places.get(&parent).copied());
        let earlier = named.filter(|known| *known < at || *known == leaf);
        let before = earlier.or(above.filter(|_| node.follows()));
        if before.is_some_and(|before| behind[before]) {
            behind[at] = true;
            newest = newest.max(at);
        }
        above = Some(at);
    }
    newest
}

/// A reply is several records, and calls that ran beside each other make a fork of each. What is told again beside the
/// conversation is none of them.
fn add_siblings(nodes: &[Node], places: &HashMap<Hash, usize>, own_aside: bool, kept: &mut [bool]) {
    let on_the_way = nodes.iter().zip(&*kept).filter(|(_, kept)| **kept);
    let messages: HashSet<Hash> = on_the_way.filter_map(|(node, _)| node.message).collect();
    for (at, node) in nodes.iter().enumerate() {
        let current = places[&node.uuid] == at && node.aside == own_aside;
        let same_reply = node.message.is_some_and(|message| messages.contains(&message));
        let answers = node.is_result
            && node.parent.is_some_and(|parent| {
                places.get(&parent).is_some_and(|place| kept[*place] && nodes[*place].is_reply)
            });
        if current && (same_reply || answers) {
            kept[at] = true;
        }
    }
}
