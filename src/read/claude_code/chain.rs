//! Which lines of a file are the conversation: from the newest leaf up to the first message, over compactions, and without
//! what was taken back. Of a file in which sessions stand behind each other it is that of each.

use std::collections::{HashMap, HashSet};
use std::io;

use super::tie::{Hash, Node, Tie, hashed};
use super::tree::{Leaves, Tree};
use crate::read::lines;
use crate::read::{Bytes, Tally};

/// The lines of the conversation.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// Which session each line belongs to, by number: 1 and up, 0 for none.
    lines: Vec<u32>,
    /// Lines of records that another line tells, ascending, and whether in the same words.
    again: Vec<(u64, bool)>,
    /// No record has a place: all of them are the conversation.
    everything: bool,
    /// Its moments are told to the millisecond: most are no whole seconds.
    pub is_exact: bool,
    /// What each session is called; may be empty.
    titles: Vec<String>,
}

impl Chain {
    /// Finds them.
    pub(super) fn of(source: &dyn Bytes) -> io::Result<Self> {
        let (mut nodes, mut tails): (Vec<Node>, Vec<(usize, Hash)>) = (Vec::new(), Vec::new());
        let (mut leaves, mut titles) = (Leaves::default(), Titles::default());
        let (mut exact, mut whole) = (0_u64, 0_u64);
        lines::each(source, &mut Tally::default(), |line, tie: Tie, _| {
            if let Some(node) = tie.node(&line) {
                tails.extend(tie.tail().map(|tail| (nodes.len(), tail)));
                nodes.push(node);
            }
            if tie.kind.as_deref() == Some("last-prompt")
                && let Some(leaf) = tie.leaf_uuid.as_deref().map(hashed)
            {
                leaves.push((tie.session(), leaf));
            }
            match tie.timestamp {
                Some(at) if at % 1_000 != 0 => exact += 1,
                at => whole += u64::from(at.is_some()),
            }
            titles.take(tie);
        })?;
        adopt(&mut nodes);
        let tree = Tree::of(&nodes, &tails, &leaves);
        let mut lines = vec![0; nodes.last().map_or(0, |node| node.line as usize + 1)];
        let mut again = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let (kept, place) = (tree.kept[at], tree.places[&node.uuid]);
            lines[node.line as usize] = kept;
            if kept == 0 && place != at {
                again.push((node.line.into(), nodes[place].words == node.words));
            }
        }
        let titles = titles.of(&tree.sessions);
        Ok(Self { everything: nodes.is_empty(), lines, again, is_exact: exact > whole, titles })
    }

    /// Whether a line that does not belong to the conversation is the same as the one of its record that counts; `None` if
    /// it is the only one of it.
    pub(super) fn repeats(&self, line: u64) -> Option<bool> {
        let found = self.again.binary_search_by_key(&line, |(line, _)| *line);
        found.ok().map(|at| self.again[at].1)
    }

    /// Which session of the file a line of the conversation belongs to, from 1.
    pub(super) fn session(&self, line: u64) -> Option<u32> {
        if self.everything {
            return Some(1);
        }
        self.lines.get(line as usize).copied().filter(|session| *session > 0)
    }

    /// What a session is called; may be empty.
    pub(super) fn title(&self, session: u32) -> &str {
        self.titles.get(session as usize - 1).map_or("", String::as_str)
    }
}

/// Takes a record that names no session for one of that above it, and a compaction for one of what it goes on from.
fn adopt(nodes: &mut [Node]) {
    let of_talk = nodes.iter().filter(|node| !node.is_boundary);
    let known: HashSet<Hash> = of_talk.filter_map(|node| node.session).collect();
    let mut above = None;
    for node in nodes {
        if node.session.is_none_or(|session| !known.contains(&session)) {
            node.session = above.or(node.session);
        }
        above = node.session;
    }
}

/// What sessions are called: what the person named them before what the model did.
#[derive(Debug, Default)]
struct Titles {
    of: HashMap<Option<Hash>, [String; 2]>,
    /// The last of any.
    last: [String; 2],
}

impl Titles {
    fn take(&mut self, tie: Tie) {
        if tie.custom_title.is_none() && tie.ai_title.is_none() {
            return;
        }
        let own = self.of.entry(tie.session()).or_default();
        for (nth, found) in [tie.custom_title, tie.ai_title].into_iter().enumerate() {
            if let Some(title) = found {
                own[nth].clone_from(&title);
                self.last[nth] = title;
            }
        }
    }

    /// The title of each session; whatever is told in the file is that of the only one.
    fn of(mut self, sessions: &[Option<Hash>]) -> Vec<String> {
        if sessions.len() < 2 {
            return vec![first_of(self.last)];
        }
        let own = |session| self.of.remove(session).map(first_of).unwrap_or_default();
        sessions.iter().map(own).collect()
    }
}

fn first_of(titles: [String; 2]) -> String {
    titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default()
}
