//! The scratchpad's place in the window: an index line for each large text that is held by reference
//! (design section 7). The texts themselves are on disk.

use std::sync::Arc;

use super::{Change, ChangeKind, Layer, Memory, Role, Source, Subject, Tokens, Window, WindowItem};
use crate::counted::{grouped, noun};

/// Items that are listed in the window; `scratchpad_list` pages through the rest.
const LISTED: usize = 6;

const HEADING: &str = "## Scratchpad (large texts by reference)\n";

/// A large text on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScratchItem {
    /// Its name: `ref:` and this is the pointer.
    pub key: Arc<str>,
    /// What it is, in a few words.
    pub description: Arc<str>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its lines; 0 if not known.
    pub lines: u64,
    /// How many chunks it is read by, from 1.
    pub chunks: u64,
    /// Its cost, if it were sent whole.
    pub tokens: Tokens,
    /// Whether the tokens were counted and not estimated from samples.
    pub exact: bool,
}

/// How the key of archived messages begins.
pub const ARCHIVE: &str = "archive-";

/// The key of a message that is held by reference; further ones have a number behind it.
pub const INPUT: &str = "input";

/// How the keys of texts end that tools returned where a conversation is told again: its history held them. Further ones of
/// a name have a number behind it.
pub const RETURNED: &str = "-returned";

impl ScratchItem {
    /// Whether it is a copy of messages that a log holds as well, made before a compression. It is neither
    /// listed in the window, where the compressed form points to it, nor counted as said once more.
    pub fn is_archive(&self) -> bool {
        self.key.starts_with(ARCHIVE)
    }

    /// Whether a full history would hold it: a person sent it as a message that was too long for the window, or it is
    /// from the history of a conversation that is told again. Everything else was put there to be read in parts: a file
    /// that was attached, what a tool returned.
    pub fn is_said(&self) -> bool {
        let unnumbered = self.key.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let bare = unnumbered.strip_suffix('-').unwrap_or(&self.key);
        bare == INPUT || bare.ends_with(RETURNED)
    }

    /// Its size for people and models: `30,012 tokens, 61 chunks`.
    pub fn size(&self) -> String {
        let about = if self.exact { "" } else { "~" };
        let chunks = noun(self.chunks, "chunk");
        format!("{about}{} tokens, {} {chunks}", grouped(self.tokens.0), self.chunks)
    }
}

/// The items that memory knows of.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Oldest first.
    items: Vec<ScratchItem>,
    /// How many of them are no archives.
    texts: usize,
    /// The lines in the window, and their cost.
    lines: Vec<(String, Tokens)>,
    /// What all messages that are held by reference would cost.
    said: Tokens,
    /// What all other items but the archives would cost.
    unsaid: Tokens,
}

impl Scratch {
    fn add(&mut self, item: ScratchItem) {
        if !item.is_archive() {
            self.texts += 1;
            let sum = if item.is_said() { &mut self.said } else { &mut self.unsaid };
            *sum += item.tokens;
        }
        self.items.push(item);
    }
}

impl Memory {
    /// Takes over what is stored, when a session is opened; oldest first.
    pub fn set_scratchpad(&mut self, items: Vec<ScratchItem>) {
        self.scratch = Scratch::default();
        for item in items {
            self.scratch.add(item);
        }
        self.relist();
    }

    /// Something was stored by reference.
    pub fn scratchpad_saved(&mut self, item: ScratchItem) -> Change {
        let before = self.layers().total();
        let subject = Subject::Text(Arc::clone(&item.key));
        let cause = format!("{}: {}", item.description, item.size());
        self.scratch.add(item);
        self.relist();
        let after = self.layers().total();
        let (turn, kind) = (self.current_turn(), ChangeKind::ScratchpadSaved);
        Change::new(turn, kind, subject, cause, (before, after))
    }

    /// All items, oldest first.
    pub fn scratchpad(&self) -> &[ScratchItem] {
        &self.scratch.items
    }

    /// What all messages that are held by reference would cost if they were sent.
    pub(super) fn scratchpad_said(&self) -> Tokens {
        self.scratch.said
    }

    /// What all other items would cost, the archives apart: nobody said them, and a full history would not hold
    /// them either.
    pub(super) fn scratchpad_unsaid(&self) -> Tokens {
        self.scratch.unsaid
    }

    /// Tokens of the index in the window.
    pub(super) fn scratchpad_tokens(&self) -> Tokens {
        self.scratch.lines.iter().map(|(_, tokens)| *tokens).sum()
    }

    /// All items, those listed in the window first and otherwise the newest in front, with what each costs there.
    pub(super) fn scratchpad_pointers(&self) -> impl Iterator<Item = (&ScratchItem, Tokens)> {
        let newest = || self.scratch.items.iter().rev();
        let texts = newest().filter(|item| !item.is_archive());
        // The heading stands before the first of them.
        let lines = self.scratch.lines.iter().skip(1).take(LISTED).map(|(_, tokens)| *tokens);
        let costs = lines.chain(std::iter::repeat(Tokens(0)));
        let archives = newest().filter(|item| item.is_archive());
        texts.zip(costs).chain(archives.map(|item| (item, Tokens(0))))
    }

    /// Whether there is an index in the window.
    pub(super) fn has_scratchpad(&self) -> bool {
        !self.scratch.lines.is_empty()
    }

    /// Lays the index out.
    pub(super) fn push_scratchpad(&self, window: &mut Window) {
        for (line, tokens) in &self.scratch.lines {
            window.push(WindowItem {
                layer: Layer::Scratchpad,
                role: Role::User,
                source: Source::Scratchpad,
                content: line.as_str().into(),
                tokens: *tokens,
            });
        }
    }

    fn relist(&mut self) {
        let (items, texts) = (&self.scratch.items, self.scratch.texts);
        let mut lines = Vec::new();
        if texts > 0 {
            lines.push(HEADING.to_owned());
        }
        let line = |item: &ScratchItem| {
            format!("- ref:{}: {} ({})\n", item.key, item.description, item.size())
        };
        let newest = items.iter().rev().filter(|item| !item.is_archive());
        lines.extend(newest.take(LISTED).map(line));
        if texts > LISTED {
            lines.push(format!("- and {} more; scratchpad_list shows all\n", texts - LISTED));
        }
        let counted = lines.into_iter().map(|line| {
            let tokens = self.counter.count(&line);
            (line, tokens)
        });
        self.scratch.lines = counted.collect();
        self.replan();
    }
}
