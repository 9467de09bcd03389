//! From a state of the journal to memory as it was: the words come from the logs, up to where they
//! reached at that time.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use crate::memory::{
    Block, EffortId, Forms, Frame, Layers, PastEffort, PastMemory, Piece, Role, Rules, ScratchItem,
    Tokens, Turn,
};
use crate::store::disk::files;
use crate::store::journal;
use crate::store::log::{self, LogLine};
use crate::store::manifest::block;
use crate::store::record::{Held, Line, Record, State, StoredRequest};
use crate::store::{Error, LogReader};

/// A log up to this many bytes is read whole; of a longer one only what is needed.
const SMALL_LOG: u64 = 256 * 1024;

/// Text as memory takes it.
type Said = (Role, Arc<str>);

/// The last request of a turn, as it is recorded with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentRequest {
    /// Tokens by layer, as counted here.
    pub layers: Layers,
    /// The fewest tokens that any tokenizer makes of it.
    pub least: Tokens,
    /// Tokens of the request, of the answer and from the cache, if the server measured them.
    pub usage: Option<[u64; 3]>,
    /// How many requests the turn made and what they cost together, if that is recorded.
    pub in_all: Option<(u32, Tokens)>,
}

/// A turn as it was.
#[derive(Debug, Clone)]
pub struct Moment {
    /// Memory after the turn.
    pub past: PastMemory,
    /// The last request of the turn, if the journal tells.
    pub request: Option<SentRequest>,
    /// The model that answered last, if the journal tells.
    pub model: Option<String>,
    /// The first and the last turn that can be looked at.
    pub span: (Turn, Turn),
}

impl LogReader {
    /// When the last turn ended, well or not, as a time stamp: about when its last request went out. `None` if the
    /// journal does not tell.
    pub fn last_asked(&self) -> Option<String> {
        let ended = |record: Record| match record.line {
            Line::Turn(_) | Line::Stopped(_) => Some(record.at),
            _ => None,
        };
        journal::find_last(&self.paths().journal(), ended).ok()?
    }

    /// The turns that the journal can tell about, the first and the last; `None` if it tells of none.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn span(&self) -> Result<Option<(Turn, Turn)>, Error> {
        super::span(self.paths())
    }

    /// Memory as it was after a turn; `None` if the journal does not tell. `scratchpad` is what is held by
    /// reference today, oldest first.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn moment(&self, turn: Turn, scratchpad: &[ScratchItem]) -> Result<Option<Moment>, Error> {
        let Some(span) = self.span()? else { return Ok(None) };
        let Some(state) = super::state_after(self.paths(), turn)? else { return Ok(None) };
        let Some(frame) = self.frame(&state)? else { return Ok(None) };
        let past = self.past(&state, frame, scratchpad)?;
        Ok(Some(Moment {
            past,
            request: state.moment.request.as_ref().map(SentRequest::read),
            model: state.model,
            span,
        }))
    }

    /// The last request of a turn, if the journal tells.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn request(&self, turn: Turn) -> Result<Option<SentRequest>, Error> {
        let state = super::state_after(self.paths(), turn)?;
        Ok(state.and_then(|state| state.moment.request.as_ref().map(SentRequest::read)))
    }

    /// The model that answered last by the end of a turn, and the rules by then; `None` where the journal does not tell both.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn last_rules(&self, turn: Turn) -> Result<Option<(String, Rules)>, Error> {
        let state = super::state_after(self.paths(), turn)?;
        Ok(state.and_then(|state| Some((state.model?, state.rules?.read().0))))
    }

    fn frame(&self, state: &State) -> Result<Option<Frame>, Error> {
        let Some(at) = state.frame else { return Ok(None) };
        super::read_frame(self.paths(), at)
    }

    fn past(
        &self,
        state: &State,
        frame: Frame,
        scratchpad: &[ScratchItem],
    ) -> Result<PastMemory, Error> {
        let (rules, limits) = state.rules.clone().unwrap_or_default().read();
        let pieces = state.moment.forms.as_ref().map(Forms::from).unwrap_or_default();
        let totals = state.moment.totals();
        let ambient = self.ambient(state)?;
        let shown = shown_pieces(state, &pieces);
        let forms = Forms {
            ambient: pieces.ambient.as_ref().map(|shown| pick(shown, &ambient, &[])),
            logs: self.shown_logs(state, &shown)?,
            specifics: pieces.specifics.clone(),
            summaries: pieces.summaries.clone(),
            notes: pieces.notes.clone(),
            unlisted: pieces.unlisted,
            anchors: pieces.anchors.clone(),
            runs: pieces.runs.clone(),
        };
        let whole = |held: &Held| -> Result<PastEffort, Error> {
            let is_short = forms.logs.iter().any(|(id, _)| id.as_str() == held.entry.id);
            let raw = if is_short { Vec::new() } else { self.whole_log(held)? };
            let cost = state.moment.compressed.get(&held.entry.id).copied();
            let compressed = (blocks_of(held), Tokens(cost.unwrap_or(0)));
            Ok(PastEffort { raw, compressed, ..effort(held) })
        };
        let count = totals.scratchpad.min(scratchpad.len());
        Ok(PastMemory {
            turn: Turn(state.turn),
            open: state.open.iter().map(whole).collect::<Result<_, _>>()?,
            expanded: state.expanded.iter().map(whole).collect::<Result<_, _>>()?,
            warm: state.warm().into_iter().map(effort).collect(),
            evicted: state.evicted.iter().map(effort).collect(),
            notes: state.notes.values().map(|stored| stored.note.clone()).collect(),
            scratchpad: scratchpad[..count].to_vec(),
            waiting: state.moment.waiting.clone(),
            rules,
            limits,
            frame,
            ambient,
            forms,
            pieces: shown,
            totals,
        })
    }

    fn ambient(&self, state: &State) -> Result<Vec<Said>, Error> {
        let most = state.moment.ambient as usize;
        let tail = log::read_tail(&self.paths().ambient(), Some(state.ambient_end), most)?;
        Ok(log::plain(tail.messages))
    }

    /// What was sent of the logs that were not sent whole.
    fn shown_logs(
        &self,
        state: &State,
        pieces: &[(EffortId, Vec<Piece>)],
    ) -> Result<Vec<(EffortId, Vec<Said>)>, Error> {
        let mut logs = Vec::new();
        for held in state.open.iter().chain(&state.expanded) {
            let shown = pieces.iter().find(|(id, _)| id.as_str() == held.entry.id);
            if let Some((id, shown)) = shown {
                logs.push((id.clone(), self.shown_log(held, shown, &blocks_of(held))?));
            }
        }
        Ok(logs)
    }

    fn shown_log(
        &self,
        held: &Held,
        shown: &[Piece],
        blocks: &[Block],
    ) -> Result<Vec<Said>, Error> {
        let path = self.path_of(held)?;
        let end = held.end.unwrap_or(files::length(&path)?);
        if end <= SMALL_LOG {
            return Ok(pick(shown, &self.whole_log(held)?, blocks));
        }
        let total = held.entry.raw_messages.unwrap_or(0) as usize;
        let mut said = Vec::new();
        for piece in shown {
            match piece {
                Piece::Words(..) | Piece::Block(_) => {
                    said.extend(pick(std::slice::from_ref(piece), &[], blocks));
                }
                Piece::Whole { from, count } if from * 2 < total => {
                    said.extend(first_messages(&path, *from, *count)?);
                }
                Piece::Whole { from, count } => {
                    let last = log::read_tail(&path, Some(end), total.saturating_sub(*from))?;
                    said.extend(log::plain(last.messages).into_iter().take(*count));
                }
            }
        }
        Ok(said)
    }

    /// A log as far as it went.
    fn whole_log(&self, held: &Held) -> Result<Vec<Said>, Error> {
        let path = self.path_of(held)?;
        let Some(mut file) = files::open_existing(&path)? else { return Ok(Vec::new()) };
        let end = held.end.unwrap_or(u64::MAX);
        let bytes = files::read_range(&mut file, 0, end).map_err(Error::read(&path))?;
        let lines = bytes.split(|&byte| byte == b'\n').filter_map(message);
        let most = held.entry.raw_messages.map_or(usize::MAX, |count| count as usize);
        Ok(log::plain(lines.take(most).collect()))
    }

    fn path_of(&self, held: &Held) -> Result<std::path::PathBuf, Error> {
        self.path_of_log(&EffortId::stored(&held.entry.id))
    }
}

/// The pieces in which logs were sent that were not sent whole: as recorded, or with their compressed parts.
fn shown_pieces(state: &State, recorded: &Forms<Piece>) -> Vec<(EffortId, Vec<Piece>)> {
    let pieces = |held: &Held| {
        let (id, blocks) = (EffortId::stored(&held.entry.id), blocks_of(held));
        let known = recorded.logs.iter().find(|(other, _)| *other == id);
        let messages = held.entry.raw_messages.unwrap_or(0) as usize;
        let shown = match known {
            Some((_, shown)) => shown.clone(),
            None if blocks.is_empty() => return None,
            None => Piece::compressed(messages, &blocks),
        };
        Some((id, shown))
    };
    state.open.iter().chain(&state.expanded).filter_map(pieces).collect()
}

/// Messages from the beginning of a log.
fn first_messages(path: &Path, from: usize, count: usize) -> Result<Vec<Said>, Error> {
    let Some(file) = files::open_existing(path)? else { return Ok(Vec::new()) };
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let messages = lines.filter_map(|line| message(&line));
    Ok(log::plain(messages.skip(from).take(count).collect()))
}

fn message(line: &[u8]) -> Option<LogLine> {
    log::parse(line).message()
}

/// The pieces of a log that is at hand.
fn pick(shown: &[Piece], log: &[Said], blocks: &[Block]) -> Vec<Said> {
    let block = |block: &Block| (block.message().role, Arc::clone(&block.message().content));
    let piece = |piece: &Piece| match piece {
        Piece::Block(nth) => blocks.get(*nth).map(block).into_iter().collect(),
        Piece::Words(role, words) => vec![(*role, Arc::clone(words))],
        Piece::Whole { from, count } => {
            log.iter().skip(*from).take(*count).cloned().collect::<Vec<_>>()
        }
    };
    shown.iter().flat_map(piece).collect()
}

fn blocks_of(held: &Held) -> Vec<Block> {
    let messages = held.entry.raw_messages.unwrap_or(0);
    block::read(&EffortId::stored(&held.entry.id), &held.entry.compressed, messages)
}

fn effort(held: &Held) -> PastEffort {
    let entry = &held.entry;
    PastEffort {
        id: entry.id.clone(),
        summary: entry.summary.as_deref().map(Into::into),
        pinned: entry.pinned,
        last_referenced: Turn(entry.last_referenced_turn.unwrap_or(0)),
        cause: entry.cause.as_deref().unwrap_or("stored").into(),
        raw_tokens: entry.raw_tokens.map(Tokens),
        raw_messages: entry.raw_messages.unwrap_or(0),
        line_tokens: entry.summary_tokens.map(Tokens),
        raw: Vec::new(),
        compressed: Default::default(),
    }
}

impl SentRequest {
    pub(in crate::store) fn stored(&self) -> StoredRequest {
        StoredRequest::new(&self.layers, self.least, self.usage, self.in_all)
    }

    fn read(stored: &StoredRequest) -> Self {
        let in_all = stored
            .in_all
            .and_then(|[requests, tokens]| Some((u32::try_from(requests).ok()?, Tokens(tokens))));
        let (layers, least) = (stored.layers(), Tokens(stored.least));
        Self { layers, least, usage: stored.usage, in_all }
    }
}
