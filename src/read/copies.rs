//! Conversations that stand in several files: exports of different months, or an archive beside what was unpacked of it.

use std::collections::HashMap;

use super::usage::LeftOut;
use super::value::hash;
use super::{Event, Format, Ledger, SAID_ALREADY, Take, Tally};

/// Which conversations were told, of programs that keep each of them in one place. One is known by its name and by what
/// was said first in it, and when: a later export goes on behind that.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The file in which each stood first.
    known: HashMap<u64, u32>,
    files: u32,
    /// Only one file is read: it need not be remembered what it tells.
    is_alone: bool,
}

impl Format {
    /// Whether its program keeps each conversation in one place, with a name of its own.
    fn keeps_them_whole(self) -> bool {
        matches!(
            self,
            Self::ChatGpt
                | Self::ClaudeAi
                | Self::Opencode
                | Self::Gemini
                | Self::OpenWebUi
                | Self::LmStudio
        )
    }
}

impl Copies {
    /// Those of a single file.
    pub(super) fn of_one() -> Self {
        Self { is_alone: true, ..Self::default() }
    }

    /// There are several files after all.
    pub(super) fn expect_others(&mut self) {
        self.is_alone = false;
    }

    /// Passes on what a file of a format tells, but for conversations that another file told; returns what `read` does.
    pub(super) fn leave_out<T>(
        &mut self,
        format: Format,
        take: &mut Take<'_>,
        ledger: &mut Ledger,
        read: impl FnOnce(&mut Take<'_>, &mut Ledger) -> T,
    ) -> T {
        let left_out = ledger.left_out().clone();
        left_out.set(false);
        if self.is_alone || !format.keeps_them_whole() {
            return read(take, ledger);
        }
        self.files += 1;
        let mut file = File { copies: self, take, state: State::Told, left_out };
        let outcome = read(&mut |event| file.hear(event), ledger);
        file.tell_what_waits();
        outcome
    }
}

/// Counts a conversation of a file, all of whose records but so many were used in it, as told of another file if it is left
/// out.
pub(super) fn count_left_out(tally: &mut Tally, used_before: u64, ledger: &Ledger) {
    if ledger.left_out().is_set() {
        tally.skip_many(SAID_ALREADY, tally.used().saturating_sub(used_before));
    }
}

/// What becomes of the conversation under way.
enum State {
    /// Nothing was said in it yet: it waits.
    Begun(Vec<Event>),
    Told,
    LeftOut,
}

struct File<'a, 't> {
    copies: &'a mut Copies,
    take: &'a mut Take<'t>,
    state: State,
    /// Tells the reader what becomes of it.
    left_out: LeftOut,
}

impl File<'_, '_> {
    fn hear(&mut self, event: Event) {
        if matches!(event, Event::Begins { .. }) {
            self.tell_what_waits();
            self.state = State::Begun(vec![event]);
            self.left_out.set(false);
            return;
        }
        let is_said = matches!(event, Event::Said { .. });
        if let State::Begun(waiting) = &mut self.state {
            let is_copy = is_said && self.copies.knows(&waiting[0], &event);
            if is_copy {
                self.state = State::LeftOut;
                self.left_out.set(true);
            } else if is_said {
                self.tell_what_waits();
            } else {
                return waiting.push(event);
            }
        }
        if !matches!(self.state, State::LeftOut) {
            (self.take)(event);
        }
    }

    fn tell_what_waits(&mut self) {
        if let State::Begun(waiting) = std::mem::replace(&mut self.state, State::Told) {
            waiting.into_iter().for_each(&mut *self.take);
        }
    }
}

impl Copies {
    /// Whether another file told the conversation that begins so; from now on one did.
    fn knows(&mut self, begins: &Event, first: &Event) -> bool {
        let (Event::Begins { id, at: begun, .. }, Event::Said { text, at, .. }) = (begins, first)
        else {
            return false;
        };
        // Without a name or a moment the same words may begin two of them.
        if id.is_empty() && begun.or(*at).is_none() {
            return false;
        }
        let file = *self.known.entry(hash((id, begun, text, at))).or_insert(self.files);
        file != self.files
    }
}
