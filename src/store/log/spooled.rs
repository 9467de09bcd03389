//! The logs of a session that is gone in the end, one behind the other in a file without a name: nobody makes, finds or
//! opens a file for each of its efforts.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::LogLine;
use crate::memory::EffortId;
use crate::store::disk::spool::Spool;
use crate::store::{Error, log};

/// The logs, for whoever writes them and for their readers on any thread.
#[derive(Debug)]
pub(in crate::store) struct SpooledLogs(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    spool: Spool,
    /// Where each exchange stands: the length of its two lines in bytes, and they.
    ambient: Vec<u64>,
    efforts: BTreeMap<EffortId, Vec<u64>>,
}

/// Bytes of a length.
const LENGTH: usize = size_of::<u64>();

/// Messages of an exchange.
const EACH: u64 = 2;

impl SpooledLogs {
    /// Logs without a line.
    pub(in crate::store) fn new() -> Result<Self, Error> {
        let spool = Spool::new("logs").map_err(Error::write(&std::env::temp_dir()))?;
        let inner = Inner { spool, ambient: Vec::new(), efforts: BTreeMap::new() };
        Ok(Self(Mutex::new(inner)))
    }

    /// Appends the lines of an exchange to a log; `None` is the ambient one.
    pub(in crate::store) fn append(
        &self,
        log: Option<&EffortId>,
        lines: &[u8],
    ) -> Result<(), Error> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let exchange = inner.spool.end();
        let length = (lines.len() as u64).to_le_bytes();
        let added = inner.spool.add(&length).and_then(|()| inner.spool.add(lines));
        added.map_err(Error::write(&std::env::temp_dir()))?;
        match log {
            None => inner.ambient.push(exchange),
            Some(id) => match inner.efforts.get_mut(id) {
                Some(log) => log.push(exchange),
                None => drop(inner.efforts.insert(id.clone(), vec![exchange])),
            },
        }
        Ok(())
    }

    /// Messages of a log by their numbers, counted from 0. What is not there is left out.
    pub(in crate::store) fn messages(
        &self,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<LogLine>, Error> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.messages(log, range).map_err(Error::read(&std::env::temp_dir()))
    }
}

impl Inner {
    fn messages(&mut self, log: Option<&EffortId>, range: Range<u64>) -> io::Result<Vec<LogLine>> {
        let exchanges: &[u64] = match log {
            None => &self.ambient,
            Some(id) => self.efforts.get(id).map_or(&[], Vec::as_slice),
        };
        let upto = (range.end.div_ceil(EACH) as usize).min(exchanges.len());
        let from = ((range.start / EACH) as usize).min(upto);
        let mut found = Vec::new();
        for (number, &at) in (from as u64..).zip(&exchanges[from..upto]) {
            let length = self.spool.read(at, LENGTH)?;
            let length = length.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            let lines = self.spool.read(at + LENGTH as u64, length as usize)?;
            let lines = lines.split(|&byte| byte == b'\n');
            let said = lines.filter_map(|line| log::parse(line).message());
            let numbered = (number * EACH..).zip(said);
            found.extend(numbered.filter(|(at, _)| range.contains(at)).map(|(_, line)| line));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Role, Turn};

    #[test]
    fn messages_are_read_by_their_numbers_from_logs_that_take_turns() {
        let logs = SpooledLogs::new().unwrap();
        let ids = [None, Some(EffortId::stored("a")), Some(EffortId::stored("b"))];
        let word =
            |log: usize, number: u64| format!("{log} \"says\" {number}\n").repeat(number as usize);
        for number in 0..60 {
            for (nth, id) in ids.iter().enumerate() {
                let line = |role, number| log::line(role, &word(nth, number), "2026", Turn(7));
                let lines = [line(Role::User, 2 * number), line(Role::Assistant, 2 * number + 1)];
                logs.append(id.as_ref(), &lines.concat()).unwrap();
            }
        }
        for (nth, id) in ids.iter().enumerate() {
            for range in [0..1, 1..2, 3..8, 118..130, 120..130, 0..120] {
                let read = logs.messages(id.as_ref(), range.clone()).unwrap();
                let said: Vec<String> =
                    range.take_while(|&at| at < 120).map(|at| word(nth, at)).collect();
                assert_eq!(read.iter().map(|line| &*line.content).collect::<Vec<_>>(), said);
                assert!(read.iter().all(|line| (line.turn, &*line.at) == (Turn(7), "2026")));
            }
        }
        assert_eq!(logs.messages(Some(&EffortId::stored("c")), 0..9).unwrap(), []);
    }
}
