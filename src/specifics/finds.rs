//! What messages hold, found before anybody asks: by a thread that knows what will be said.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::FixedState;

use super::scan::German;
use super::{Kind, of_message};

/// Messages of which it is kept: those of a long topic, or of many. What nobody asked for until then is looked for anew.
const MOST: usize = 4_096;

/// One message's, and how much of it is German, as which it was read if that prevails.
type Found = (German, Vec<(Kind, String)>);

/// What messages hold that are to be summarised soon. A message is told by its hash: that of another one is the same
/// once in 2^64 times.
#[derive(Debug, Default)]
pub struct Finds(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    #[allow(
        clippy::disallowed_types,
        reason = "it is only looked up in, so its order never shows"
    )]
    by_hash: std::collections::HashMap<u64, Found, foldhash::fast::FixedState>,
    /// Oldest first; of those that were taken too.
    order: VecDeque<u64>,
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

impl Finds {
    /// Looks for what a message holds, and keeps it until it is asked for.
    pub fn look(&self, text: &str) {
        let hash = hash(text);
        if self.held().by_hash.contains_key(&hash) {
            return;
        }
        let german = German::of(text);
        let found = of_message(text, german.prevails());
        let mut held = self.held();
        held.by_hash.insert(hash, (german, found));
        held.order.push_back(hash);
        if held.order.len() > MOST
            && let Some(oldest) = held.order.pop_front()
        {
            held.by_hash.remove(&oldest);
        }
    }

    /// How much of a message is German.
    pub(super) fn german(&self, text: &str) -> German {
        let known = self.held().by_hash.get(&hash(text)).map(|(german, _)| *german);
        known.unwrap_or_else(|| German::of(text))
    }

    /// What a message of a log holds that is German or not.
    pub(super) fn of(&self, text: &str, german: bool) -> Vec<(Kind, String)> {
        let known = self.held().by_hash.remove(&hash(text));
        match known {
            Some((read_as, found)) if read_as.prevails() == german => found,
            _ => of_message(text, german),
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{extract, extract_knowing};
    use super::*;

    const LOG: [&str; 4] = [
        "Deploy build 4711 to db-7.example.org at 10:30 on 2026-03-04.",
        "The pool has 250 connections; see src/pool/limits.rs:42 and ERR_POOL_FULL.",
        "Wir haben uns entschieden: der Zug nach Hamburg fährt um 14:05 von Gleis 7 und das Ticket ist bezahlt.",
        "Deploy build 4711 to db-7.example.org at 10:30 on 2026-03-04.",
    ];

    #[test]
    fn a_log_holds_the_same_whether_its_messages_were_looked_at_before_or_not() {
        for log in [&LOG[..], &LOG[..2], &LOG[2..3], &[]] {
            for looked_at in 0..=log.len() {
                let finds = Finds::default();
                log[..looked_at].iter().for_each(|text| finds.look(text));
                let knowing = extract_knowing(log.iter().copied(), &finds);
                assert_eq!(knowing, extract(log.iter().copied()), "{looked_at} of {log:?}");
            }
        }
    }

    #[test]
    fn what_was_found_before_is_taken_once_and_kept_for_so_many_messages() {
        let finds = Finds::default();
        finds.look(LOG[0]);
        let planted = vec![(Kind::Name, "planted".to_owned())];
        finds.held().by_hash.insert(hash(LOG[0]), (German::default(), planted.clone()));
        assert_ne!(finds.of(LOG[1], false), planted);
        assert_eq!(finds.of(LOG[0], false), planted);
        assert_ne!(finds.of(LOG[0], false), planted);
        for nth in 0..=MOST {
            finds.look(&format!("{nth} ms"));
        }
        let held = finds.held();
        assert!(!held.by_hash.contains_key(&hash("0 ms")));
        assert!(held.by_hash.len() == MOST && held.order.len() == MOST);
    }
}
