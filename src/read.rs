//! Conversations that other programs keep, read as a stream of events.
//!
//! [`Reader::read`] finds out by content what it is given, and tells of each message, tool call, compaction and
//! new conversation in reading order. It changes nothing, holds one record at a time, and what it does not
//! know it skips and counts. What the recorded requests cost is kept apart in a [`Ledger`], because every one
//! of these programs writes it more than once.
//!
//! Bytes in, events out: no files, no clock. A format is a file of its own, and all of them stand in one table
//! in [`Format`].

mod aider;
mod array;
mod bytes;
mod chat_gpt;
mod claude_ai;
mod claude_code;
mod codex;
mod copies;
mod cut;
mod dialogue;
mod error;
mod event;
mod export;
mod format;
mod gap;
mod gemini;
mod injected;
mod items;
mod lines;
mod lm_studio;
mod markdown;
mod open_webui;
mod opencode;
mod packed;
mod readers;
mod silly_tavern;
mod sniff;
mod splitter;
mod talks;
mod tally;
mod tree;
mod turn;
mod turns;
mod usage;
mod value;

#[cfg(test)]
mod tests;

pub use bytes::{Bytes, Seekable};
pub use error::Error;
pub use event::{Compaction, Event, Speaker};
pub use export::END;
pub use format::Format;
pub use gap::Gap;
pub(crate) use injected::is_refused;
pub use markdown::own::exported;
pub use packed::unpacked;
pub use tally::Tally;
pub use usage::{Ledger, Used};
pub use value::Moment;

use copies::Copies;
use packed::{Packing, Unpacked};

/// Which program wrote something that is no archive.
///
/// # Errors
/// It cannot be read, or is of no known format.
pub fn format(source: &dyn Bytes) -> Result<Format, Error> {
    sniff::format_of(&mut *unpacked(source)?)
}

/// What a message counts as that was told of another file.
const SAID_ALREADY: &str = "said in another file already";

/// Takes what is read, in order.
pub type Take<'a> = dyn FnMut(Event) + 'a;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Which program wrote it.
    pub format: Format,
    /// How many records there were, and what became of them.
    pub tally: Tally,
}

/// What the files of an archive told together; one that cannot be read is skipped as long as another one is read.
fn together(files: Vec<(String, Result<Outcome, Error>)>) -> Result<Outcome, Error> {
    let (mut all, mut tally, mut first) = (None, Tally::default(), None);
    for (name, file) in files {
        match file {
            Ok(mut one) => {
                one.tally.gaps.iter_mut().for_each(|gap| gap.member.clone_from(&name));
                tally.add(&one.tally);
                all.get_or_insert(one.format);
            }
            Err(reason) => {
                tally.read_one();
                tally.skip(&format!("unreadable {}", name.rsplit('/').next().unwrap_or(&name)));
                first.get_or_insert(reason);
            }
        }
    }
    all.map(|format| Outcome { format, tally }).ok_or(first.unwrap_or(Error::Empty))
}

/// Reads files one after the other. What they cost is counted once, whichever of them say so, and a message of which
/// they hold copies is told of the first one alone.
#[derive(Debug, Default)]
pub struct Reader {
    ledger: Ledger,
    copies: Copies,
}

impl Reader {
    /// One for a single file: it need not remember which messages were said.
    pub fn of_one() -> Self {
        Self { ledger: Ledger::of_one(), copies: Copies::of_one() }
    }

    /// Reads one file to its end.
    ///
    /// # Errors
    /// It cannot be read, is of no known format, or holds no message. What was told before that stands. That all of
    /// its messages were told of another file is no error.
    pub fn read(&mut self, source: &dyn Bytes, take: &mut Take<'_>) -> Result<Outcome, Error> {
        let mut said = 0_u64;
        let mut counted = |event: Event| {
            said += u64::from(matches!(event, Event::Said { .. }));
            take(event);
        };
        let Outcome { format, tally } = self.read_any(source, &mut counted)?;
        if said == 0 && !tally.skipped.contains_key(SAID_ALREADY) {
            return Err(Error::Nothing { format, tally });
        }
        Ok(Outcome { format, tally })
    }

    /// Reads only what a file's requests cost: for a conversation beside the one that is read, such as a
    /// subagent's.
    ///
    /// # Errors
    /// It cannot be read, is of no known format, or holds neither a message nor a call.
    pub fn read_usage(&mut self, source: &dyn Bytes) -> Result<Outcome, Error> {
        let said = std::mem::take(self.ledger.said());
        let mut is_told = false;
        let outcome = self.read_any(source, &mut |event| is_told |= event.text().is_some());
        *self.ledger.said() = said;
        let Outcome { format, tally } = outcome?;
        if !is_told && !tally.skipped.contains_key(SAID_ALREADY) {
            return Err(Error::Nothing { format, tally });
        }
        Ok(Outcome { format, tally })
    }

    /// Reads what may be packed; of an archive all that it holds of conversations.
    fn read_any(&mut self, source: &dyn Bytes, take: &mut Take<'_>) -> Result<Outcome, Error> {
        match packed::packing(source)? {
            None => self.read_plain(source, take),
            Some(Packing::Zstandard) => self.read_plain(&Unpacked(source), take),
            Some(Packing::Zip) => {
                self.copies.expect_others();
                let mut all = Vec::new();
                for (name, member) in packed::members(source)? {
                    all.push((name, member.and_then(|member| self.read_plain(&member, take))));
                }
                together(all)
            }
        }
    }

    fn read_plain(&mut self, source: &dyn Bytes, take: &mut Take<'_>) -> Result<Outcome, Error> {
        let format = sniff::format_of(&mut *source.open()?)?;
        self.ledger.begin();
        let (copies, ledger) = (&mut self.copies, &mut self.ledger);
        let tally = copies.leave_out(format, take, ledger, |take, ledger| {
            readers::of(format)(source, take, ledger)
        })?;
        Ok(Outcome { format, tally })
    }

    /// What the requests cost that were read of, each once.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
