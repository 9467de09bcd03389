//! Plain dialogues: ShareGPT, fine-tuning files and request logs, and a message a line as in Ebbtide's own logs.

use std::cell::Cell;

use serde_json::Value;
use serde_json::value::RawValue;

use super::array::{self, Kind, Wanted};
use super::lines::{self, Lines};
use super::talks::{Beginnings, Talks, Told};
use super::turn::{Talk, content};
use super::turns::{self, Record, TURNS};
use super::value::{list, moment, plain, text, without_words};
use super::{Bytes, Error, Event, Ledger, Take, Tally, items};

/// What a turn counts as that was told of another record.
const ELSEWHERE: &str = "told in another record";

/// Whether a value is a dialogue or a part of one.
pub(super) fn is_one(value: &Value) -> bool {
    let is_turn = |value: &Value| {
        let said =
            ["content", "value", "text", "tool_calls"].iter().any(|key| value.get(key).is_some());
        said && ["role", "from"].iter().any(|key| value.get(key).is_some_and(Value::is_string))
    };
    is_turn(value) || TURNS.iter().any(|key| list(value, key).iter().any(is_turn))
}

/// Reads dialogues, a record a line or in one array. Read twice: the first time for which records are of one talk.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let mut talks = Talks::default();
    each(source, &mut Tally::default(), |nth, written, _| {
        let record = Record::of(written);
        let kind = if record.is_some() { Kind::One } else { kind_of_turn(written) };
        talks.look_at(nth, record);
        kind
    })?;
    talks.settle();
    let mut tally = Tally::default();
    let mut log =
        Log { talk: Talk { take }, alone: false, conversations: 0, told: Beginnings::default() };
    let is_array =
        each(source, &mut tally, |nth, record, tally| log.take(record, talks.told(nth), tally))?;
    if log.conversations == 0 && !is_array {
        // One object over many lines.
        if let Ok(object) = items::whole::<Box<RawValue>>(source)? {
            tally = Tally::default();
            tally.read_one();
            let kind = log.take(object.get().as_bytes(), Told::ALL, &mut tally);
            count(kind, &mut tally);
        }
    }
    Ok(tally)
}

/// What a value that is no turn, and what is no value, count as.
const NO_TURN: &str = "no turn";
const NO_RECORD: &str = "no JSON record";

/// Counts what is no part of a dialogue.
fn count(kind: Kind, tally: &mut Tally) {
    match kind {
        Kind::One => {}
        Kind::Other => tally.skip(NO_TURN),
        Kind::Damaged => tally.skip(NO_RECORD),
    }
}

/// What a record without turns is.
fn kind_of_turn(written: &[u8]) -> Kind {
    match lines::record(written) {
        Some(turn) if is_one(&turn) => Kind::One,
        Some(_) => Kind::Other,
        None => Kind::Damaged,
    }
}

/// Hands on each record as it is written, with its number; returns whether they stand in one array.
fn each(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(usize, &[u8], &mut Tally) -> Kind,
) -> Result<bool, Error> {
    let mut bytes = source.open()?;
    let start = bytes.fill_buf()?;
    let is_array = lines::first_sign(start) == Some(b'[');
    drop(bytes);
    let mut nth = 0;
    let mut take = |record: &[u8], tally: &mut Tally| {
        nth += 1;
        take(nth - 1, record, tally)
    };
    if is_array {
        each_element(source, tally, take)?;
        return Ok(true);
    }
    let mut lines = Lines::of(source)?;
    while let Some(line) = lines.next(tally)? {
        tally.read_one();
        let kind = take(line.bytes, tally);
        count(kind, tally);
    }
    Ok(false)
}

/// Hands on each element of an array. Where its first records hold turns, a turn is a part of a damaged one.
fn each_element(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(&[u8], &mut Tally) -> Kind,
) -> Result<(), Error> {
    let has_turns = Cell::new(None);
    let is_one = |written: &[u8]| match has_turns.get() {
        Some(true) => Record::of(written).is_some(),
        _ => kind_of_turn(written) == Kind::One,
    };
    let wanted = Wanted { is_one: &is_one, damaged: NO_RECORD, other: NO_TURN };
    array::each(source, tally, &wanted, |written, tally| {
        let kind = take(written, tally);
        if kind == Kind::One && has_turns.get().is_none() {
            has_turns.set(Some(Record::of(written).is_some()));
        }
        kind
    })?;
    Ok(())
}

/// How a record tells a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    Own,
    /// Its window holds what another conversation told.
    Copy,
    /// Another record tells it.
    Elsewhere,
}

/// A log under way.
struct Log<'a, 't> {
    talk: Talk<'a, 't>,
    /// Records are turns of one conversation.
    alone: bool,
    conversations: u64,
    told: Beginnings,
}

impl Log<'_, '_> {
    /// Takes a record as it is written.
    fn take(&mut self, written: &[u8], told: Told, tally: &mut Tally) -> Kind {
        if let Told::Elsewhere(turns) = told {
            self.alone = false;
            tally.holds_others();
            tally.read_many(turns.into());
            tally.skip_many(ELSEWHERE, turns.into());
            return Kind::One;
        }
        if let Some(record) = Record::of(written) {
            self.take_turns(&record, told, tally);
            return Kind::One;
        }
        match lines::record(written) {
            Some(turn) if is_one(&turn) => {
                if !std::mem::replace(&mut self.alone, true) {
                    self.begin(&Value::Null);
                }
                self.take_as(As::Own, &turn, tally);
                Kind::One
            }
            Some(_) => Kind::Other,
            None => Kind::Damaged,
        }
    }

    /// Takes the turns of a record that are its own.
    fn take_turns(&mut self, record: &Record, told: Told, tally: &mut Tally) {
        let Told::Here { from, to, goes_on } = told else { return };
        self.alone = false;
        tally.holds_others();
        let shared = self.told.take(record, to);
        let from = if goes_on { from } else { from.max(shared) };
        if !goes_on {
            self.begin(&record.head);
        }
        let mut nth = 0;
        for turn in &record.turns {
            tally.read_one();
            let Some(turn) = turns::turn(turn) else {
                tally.skip("unreadable turn");
                continue;
            };
            let how = match nth {
                nth if nth < from && !goes_on => As::Copy,
                nth if (from..to).contains(&nth) => As::Own,
                _ => As::Elsewhere,
            };
            if self.take_as(how, &turn, tally) {
                nth += 1;
                if how != As::Own {
                    tally.skip(ELSEWHERE);
                }
            }
        }
    }

    fn begin(&mut self, record: &Value) {
        self.conversations += 1;
        let id = plain(record.get("id"));
        (self.talk.take)(Event::Begins {
            id: if id.is_empty() { self.conversations.to_string() } else { id },
            title: text(record, "title").to_owned(),
            project: String::new(),
            at: moment(record, "created_at"),
        });
    }

    /// Takes a turn in one of these ways, and tells whether it tells anything.
    fn take_as(&mut self, how: As, turn: &Value, tally: &mut Tally) -> bool {
        let (take, mut is_told) = (&mut *self.talk.take, false);
        let mut hear = |event: Event| {
            is_told = true;
            match how {
                As::Own => take(event),
                As::Copy if event.text().is_some() => take(event.copied()),
                As::Copy | As::Elsewhere => {}
            }
        };
        Talk { take: &mut hear }.take_turn(turn, tally);
        if is_told && matches!(how, As::Own) {
            tally.leave_out(without_words(content(turn)));
        }
        is_told
    }
}
