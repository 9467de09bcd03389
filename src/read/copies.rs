//! Conversations that stand in several files: exports of different months, or an archive beside what was unpacked of it.

use std::collections::HashMap;

use super::usage::LeftOut;
use super::value::hash;
use super::{Event, Format, Ledger, SAID_ALREADY, Speaker, Take, Tally};

/// Which conversations were told, of programs that keep each of them in one place. One is known by its name and by what
/// was said first in it, and when: a later export goes on behind that, and tells what is new in it.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The file in which each stood first.
    known: HashMap<u64, u32>,
    /// How many things were told behind all that the person had said until then, by a number for the conversation and that.
    told: HashMap<u64, u32>,
    files: u32,
    /// Only one file is read: it need not be remembered what it tells.
    is_alone: bool,
}

impl Format {
    /// Whether its program keeps each conversation in one place, with a name of its own or the moment when it began.
    fn keeps_them_whole(self) -> bool {
        matches!(
            self,
            Self::Aider
                | Self::ChatGpt
                | Self::ClaudeAi
                | Self::Opencode
                | Self::Gemini
                | Self::OpenWebUi
                | Self::LmStudio
                | Self::SillyTavern
        )
    }

    /// Whether a branch of a conversation has a name of its own, so that only what was said first, and when, tells of what.
    fn branches_into_files(self) -> bool {
        matches!(self, Self::SillyTavern)
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
        left_out.set(0);
        if self.is_alone || !format.keeps_them_whole() {
            return read(take, ledger);
        }
        self.files += 1;
        let (state, asked, nth, copied) = (State::Alone, 0, 0, 0);
        let mut file = File { copies: self, format, take, state, asked, nth, copied, left_out };
        let outcome = read(&mut |event| file.hear(event), ledger);
        file.tell_what_waits();
        outcome
    }
}

/// Counts the messages of a conversation that was told of another file as left out: all records but so many were used in it.
pub(super) fn count_left_out(tally: &mut Tally, used_before: u64, ledger: &Ledger) {
    let used = tally.used().saturating_sub(used_before);
    tally.skip_many(SAID_ALREADY, ledger.left_out().get().min(used));
}

/// What becomes of the conversation under way.
enum State {
    /// It is told, and nothing is remembered of it.
    Alone,
    /// Nothing was said in it yet: it waits.
    Begun(Vec<Event>),
    /// It is told.
    Told,
    /// Another file told all of it up to here; how it begins, and what of it stands in the window.
    Copied(Vec<Event>),
    /// It goes on behind what another file told of it.
    GoneOn,
}

struct File<'a, 't> {
    copies: &'a mut Copies,
    format: Format,
    take: &'a mut Take<'t>,
    state: State,
    /// The conversation and all that the person said in it up to here, as a number.
    asked: u64,
    /// How many things came behind that.
    nth: u32,
    /// Messages of the conversation that another file told.
    copied: u64,
    /// Tells the reader what becomes of it.
    left_out: LeftOut,
}

impl File<'_, '_> {
    fn hear(&mut self, event: Event) {
        if matches!(event, Event::Begins { .. }) {
            self.tell_what_waits();
            self.state = State::Begun(vec![event]);
            self.copied = 0;
            self.left_out.set(0);
            return;
        }
        if let State::Begun(waiting) = &mut self.state {
            if !matches!(event, Event::Said { .. }) {
                return waiting.push(event);
            }
            let place = self.copies.place(self.format, &waiting[0], &event);
            self.asked = place.map_or(0, |(conversation, _)| conversation);
            self.nth = 0;
            if let Some((_, true)) = place {
                self.state = State::Copied(std::mem::take(waiting));
                // All of it, as long as nothing is new.
                self.left_out.set(u64::MAX);
            } else {
                self.tell_what_waits();
                self.state = if place.is_some() { State::Told } else { State::Alone };
            }
        }
        self.tell(event);
    }

    /// Tells what no other file told.
    fn tell(&mut self, event: Event) {
        let is_alone = matches!(self.state, State::Alone) || matches!(event, Event::Reply(_));
        let is_known = !is_alone && self.knows(&event);
        match &mut self.state {
            State::Copied(waiting) if is_alone => waiting.push(event),
            State::Copied(waiting) if is_known => {
                self.copied += u64::from(matches!(event, Event::Said { .. }));
                waiting.push(event.copied());
            }
            State::GoneOn if is_known => {
                self.copied += u64::from(matches!(event, Event::Said { .. }));
                self.left_out.set(self.copied);
                (self.take)(event.copied());
            }
            State::Copied(waiting) => {
                waiting.drain(..).for_each(&mut *self.take);
                self.state = State::GoneOn;
                self.left_out.set(self.copied);
                (self.take)(event);
            }
            _ => (self.take)(event),
        }
    }

    /// Whether it was told already; from now on it was. The person's words are known by all that the person had said until
    /// then, and what came of them by how much had come before it: a reply may be written otherwise in a copy.
    fn knows(&mut self, event: &Event) -> bool {
        let told = &mut self.copies.told;
        if matches!(event, Event::Said { by: Speaker::Person, .. }) {
            (self.asked, self.nth) = (hash((self.asked, event.number())), 0);
            let is_known = told.contains_key(&self.asked);
            told.entry(self.asked).or_default();
            return is_known;
        }
        self.nth += 1;
        let most = told.entry(self.asked).or_default();
        let is_known = self.nth <= *most;
        *most = self.nth.max(*most);
        is_known
    }

    /// The conversation ends: one in which nobody said anything is told, and one in which nothing is new is not.
    fn tell_what_waits(&mut self) {
        if let State::Begun(waiting) = std::mem::replace(&mut self.state, State::Alone) {
            waiting.into_iter().for_each(&mut *self.take);
        }
    }
}

impl Copies {
    /// A number for the conversation that begins so, and whether another file told it; from now on one did. `None` if
    /// nothing tells which it is: without a name or a moment the same words may begin two of them.
    fn place(&mut self, format: Format, begins: &Event, first: &Event) -> Option<(u64, bool)> {
        let (Event::Begins { id, title, at: begun, .. }, Event::Said { text, at, .. }) =
            (begins, first)
        else {
            return None;
        };
        let number = if format.branches_into_files() {
            hash((title, text, (*at)?))
        } else if id.is_empty() && begun.or(*at).is_none() {
            return None;
        } else {
            hash((id, begun, text, at))
        };
        let file = *self.known.entry(number).or_insert(self.files);
        Some((number, file != self.files))
    }
}
