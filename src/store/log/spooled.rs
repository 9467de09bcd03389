//! The logs of a session that is gone in the end, one behind the other in a file without a name: nobody makes, finds or
//! opens a file for each of its efforts.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use super::LogLine;
use crate::lock::locked;
use crate::memory::tight;
use crate::memory::{EffortId, Role, Shelf};
use crate::store::disk::spool::Spool;
use crate::store::{Error, log};

/// The logs, for whoever writes them and for their readers on any thread.
#[derive(Debug)]
pub(in crate::store) struct SpooledLogs(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    spool: Spool,
    /// Where each exchange stands, counted in [`STEP`]s: the length of its two lines in bytes, and they.
    ambient: Vec<u32>,
    efforts: BTreeMap<EffortId, Vec<u32>>,
    /// The last exchanges that were read as a whole, each with its place: what is found is read to see what it is, and again to
    /// be recalled, and of a large one mostly several parts are.
    recent: VecDeque<(u32, Lines)>,
    /// Bytes of them.
    recent_bytes: usize,
}

/// Messages of an exchange, each with its place in it.
type Lines = Vec<(u64, LogLine)>;

/// An exchange of so many bytes is large, and read as a whole whatever is wanted of it.
const LARGE: usize = 1 << 16;

/// So many exchanges are kept that were read last, and so many bytes beside the last one.
const MOST_RECENT: usize = 32;
const MOST_RECENT_BYTES: usize = 1 << 18;

/// An exchange begins at a place that so many bytes divide: a place takes half the room then.
const STEP: u64 = 16;

/// Bytes of a length.
const LENGTH: usize = size_of::<u64>();

/// Who says the messages of an exchange, and how many there are.
const WHO: [Role; 2] = [Role::User, Role::Assistant];
const EACH: u64 = WHO.len() as u64;

impl SpooledLogs {
    /// Logs without a line.
    pub(in crate::store) fn new() -> Result<Self, Error> {
        let spool = Spool::new("logs").map_err(Error::write(&std::env::temp_dir()))?;
        let (ambient, efforts, recent) = (Vec::new(), BTreeMap::new(), VecDeque::new());
        let inner = Inner { spool, ambient, efforts, recent, recent_bytes: 0 };
        Ok(Self(Mutex::new(inner)))
    }

    /// Appends the lines of an exchange to a log, that of the user and that of the model; `None` is the ambient one.
    pub(in crate::store) fn append(
        &self,
        log: Option<&EffortId>,
        lines: &[u8],
    ) -> Result<(), Error> {
        let mut inner = self.inner();
        let exchange = inner.add(lines).map_err(Error::write(&std::env::temp_dir()))?;
        match log {
            None => tight::push(&mut inner.ambient, exchange),
            Some(id) => match inner.efforts.get_mut(id) {
                Some(log) => log.push(exchange),
                None => drop(inner.efforts.insert(id.clone(), vec![exchange])),
            },
        }
        Ok(())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        locked(&self.0)
    }

    /// Messages of a log by their numbers, counted from 0. What is not there is left out.
    pub(in crate::store) fn messages(
        &self,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<LogLine>, Error> {
        Ok(self.numbered(None, log, range)?.into_iter().map(|(_, line)| line).collect())
    }

    /// The same with their numbers, of somebody or of everybody.
    pub(in crate::store) fn numbered(
        &self,
        of: Option<Role>,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<(u64, LogLine)>, Error> {
        self.inner().numbered(of, log, range).map_err(Error::read(&std::env::temp_dir()))
    }
}

/// Between the exchanges there is room for other texts of the session.
impl Shelf for Arc<SpooledLogs> {
    fn put(&self, text: &str) -> Option<u64> {
        let mut inner = self.inner();
        let place = inner.spool.end();
        inner.spool.add(text.as_bytes()).ok().map(|()| place)
    }

    fn get(&self, place: u64, bytes: usize) -> Arc<str> {
        let read = self.inner().spool.read(place, bytes);
        let text = read.and_then(|text| String::from_utf8(text).map_err(io::Error::other));
        text.unwrap_or_else(|reason| {
            tracing::warn!("a summary cannot be read: {reason}");
            String::new()
        })
        .into()
    }
}

impl Inner {
    /// Adds the lines of an exchange, and says where they stand.
    fn add(&mut self, lines: &[u8]) -> io::Result<u32> {
        let end = self.spool.end();
        let place = u32::try_from(end.div_ceil(STEP)).map_err(io::Error::other)?;
        let gap = u64::from(place) * STEP - end;
        self.spool.add(&[0; STEP as usize][..gap as usize])?;
        self.spool.add(&(lines.len() as u64).to_le_bytes())?;
        self.spool.add(lines)?;
        Ok(place)
    }

    fn numbered(
        &mut self,
        of: Option<Role>,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> io::Result<Vec<(u64, LogLine)>> {
        let exchanges: &[u32] = match log {
            None => &self.ambient,
            Some(id) => self.efforts.get(id).map_or(&[], Vec::as_slice),
        };
        let upto = (range.end.div_ceil(EACH) as usize).min(exchanges.len());
        let from = ((range.start / EACH) as usize).min(upto);
        let is_of = |nth: u64| of.is_none_or(|role| role == WHO[nth as usize]);
        let (places, mut found) = (exchanges[from..upto].to_vec(), Vec::new());
        for (exchange, place) in (from as u64..).zip(places) {
            let number = |nth| exchange * EACH + nth;
            let wanted = |nth| range.contains(&number(nth)) && is_of(nth);
            let lines = self.exchange(place, wanted)?;
            found.extend(lines.into_iter().map(|(nth, line)| (number(nth), line)));
        }
        Ok(found)
    }

    /// The messages of the exchange at a place that are wanted.
    fn exchange(&mut self, place: u32, wanted: impl Fn(u64) -> bool) -> io::Result<Lines> {
        let of = |lines: &Lines| lines.iter().filter(|(nth, _)| wanted(*nth)).cloned().collect();
        if let Some((_, lines)) = self.recent.iter().find(|(known, _)| *known == place) {
            return Ok(of(lines));
        }
        let at = u64::from(place) * STEP;
        let length = self.spool.read(at, LENGTH)?;
        let length = length.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)) as usize;
        let bytes = self.spool.read(at + LENGTH as u64, length)?;
        let is_whole = length >= LARGE || (0..EACH).all(&wanted);
        let lines = (0..EACH).zip(bytes.split(|&byte| byte == b'\n'));
        let lines = lines.filter(|(nth, _)| is_whole || wanted(*nth));
        let read = lines.filter_map(|(nth, line)| Some((nth, log::parse(line).message()?)));
        let lines: Lines = read.collect();
        let found = of(&lines);
        if is_whole {
            self.keep_recent(place, lines);
        }
        Ok(found)
    }

    /// Keeps an exchange that was read.
    fn keep_recent(&mut self, place: u32, lines: Lines) {
        let bytes = |lines: &Lines| lines.iter().map(|(_, line)| line.content.len()).sum::<usize>();
        while self.recent.len() >= MOST_RECENT || self.recent_bytes > MOST_RECENT_BYTES {
            let Some((_, first)) = self.recent.pop_front() else { break };
            self.recent_bytes -= bytes(&first);
        }
        self.recent_bytes += bytes(&lines);
        self.recent.push_back((place, lines));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Turn;

    #[test]
    fn messages_are_read_by_their_numbers_from_logs_that_take_turns() {
        let (logs, mut shelved) = (Arc::new(SpooledLogs::new().unwrap()), Vec::new());
        let ids = [None, Some(EffortId::stored("a")), Some(EffortId::stored("b"))];
        let word =
            |log: usize, number: u64| format!("{log} \"says\" {number}\n").repeat(number as usize);
        for number in 0..60 {
            for (nth, id) in ids.iter().enumerate() {
                let line = |role, number| log::line(role, &word(nth, number), "2026", Turn(7));
                let lines = [line(Role::User, 2 * number), line(Role::Assistant, 2 * number + 1)];
                logs.append(id.as_ref(), &lines.concat()).unwrap();
                shelved.push(logs.put(&word(nth, number)).unwrap());
            }
        }
        let texts = (0..60).flat_map(|number| (0..ids.len()).map(move |nth| word(nth, number)));
        for (place, text) in shelved.into_iter().zip(texts) {
            assert_eq!(*logs.get(place, text.len()), *text);
        }
        assert_eq!(&*logs.get(u64::MAX >> 30, 7), "", "what is not there is empty");
        for (nth, id) in ids.iter().enumerate() {
            for range in [0..1, 1..2, 3..8, 118..130, 120..130, 0..120] {
                for of in [None, Some(Role::User), Some(Role::Assistant)] {
                    let read = logs.numbered(of, id.as_ref(), range.clone()).unwrap();
                    let is_of = |at: &u64| of.is_none_or(|role| role == WHO[(at % EACH) as usize]);
                    let there = range.clone().filter(|at| *at < 120 && is_of(at));
                    let said: Vec<(u64, String)> = there.map(|at| (at, word(nth, at))).collect();
                    let text = |(at, line): &(u64, LogLine)| (*at, line.content.to_string());
                    assert_eq!(read.iter().map(text).collect::<Vec<_>>(), said);
                    let is_as_stored = |line: &LogLine| (line.turn, &*line.at) == (Turn(7), "2026");
                    assert!(read.iter().all(|(_, line)| is_as_stored(line)));
                }
            }
        }
        assert_eq!(logs.messages(Some(&EffortId::stored("c")), 0..9).unwrap(), []);
    }

    #[test]
    fn the_exchanges_that_were_read_last_as_a_whole_are_known_and_the_last_large_one() {
        let logs = SpooledLogs::new().unwrap();
        for word in 0..=MOST_RECENT {
            let line = |role| log::line(role, &format!("short {word}"), "2026", Turn(7));
            logs.append(None, &[line(Role::User), line(Role::Assistant)].concat()).unwrap();
        }
        let read = |number: u64| logs.messages(None, number..number + 2).unwrap().remove(0).content;
        let first = read(0);
        (2..2 * MOST_RECENT as u64).step_by(2).for_each(|number| drop(read(number)));
        assert!(Arc::ptr_eq(&first, &read(0)));
        let _ = read(2 * MOST_RECENT as u64);
        assert!(!Arc::ptr_eq(&first, &read(0)), "another one took its place");
        let logs = SpooledLogs::new().unwrap();
        let long = |word: &str| format!("{word} ").repeat(LARGE / 3);
        for word in ["one", "two"] {
            let line = |role| log::line(role, &long(word), "2026", Turn(7));
            logs.append(None, &[line(Role::User), line(Role::Assistant)].concat()).unwrap();
        }
        for (range, word) in [(0..1, "one"), (1..2, "one"), (3..4, "two"), (0..1, "one")] {
            let read = |of| logs.numbered(of, None, range.clone()).unwrap().remove(0).1.content;
            let (once, again) = (read(None), read(Some(WHO[(range.start % EACH) as usize])));
            assert_eq!(*once, *long(word));
            assert!(Arc::ptr_eq(&once, &again), "it is not read again");
        }
    }
}
