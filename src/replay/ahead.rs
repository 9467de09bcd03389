//! What another thread does with messages before they are said: it counts them, reads their words and looks for their
//! specifics. That is a third of the work of a replay, and whatever one thread counted or found the others find done. The
//! thread that says them helps while it waits for the other one.

use std::collections::VecDeque;
use std::io;
use std::iter::Fuse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::conversation::Conversation;
use crate::beside::Beside;
use crate::llm::Model;
use crate::lock::locked;
use crate::memory::{CountTokens, WordsAhead};
use crate::scenario::ScriptedTurn;
use crate::specifics::Finds;

/// Turns that are read before they are said, at most.
const MOST_AHEAD: usize = 64;

/// Bytes of them at most, what tools returned among them, beside the last one.
const MOST_BYTES: usize = 1 << 19;

/// Turns that are read before the first one is said: what was counted and found in so many is remembered.
const FIRST: usize = 1_024;

/// Reads messages ahead.
pub(super) struct Ahead {
    pub(super) counter: Arc<dyn CountTokens>,
    /// Where what they hold is kept, if somebody will ask for it.
    pub(super) finds: Option<Arc<Finds>>,
    /// Where their words are kept, of those that are said soon.
    pub(super) words: Option<Arc<WordsAhead>>,
    /// What will summarise them.
    pub(super) summaries: Option<Arc<dyn Model>>,
}

/// Turns, and those of them that are being read.
struct Source<I: Iterator> {
    turns: Fuse<I>,
    made: VecDeque<ScriptedTurn>,
    /// Bytes of those.
    bytes: usize,
    /// Nobody reads more of them before some are said.
    waits: bool,
}

/// Turns that are read ahead, for whoever says them.
struct Said<I: Iterator> {
    source: Arc<Mutex<Source<I>>>,
    beside: Arc<Beside>,
}

impl Ahead {
    /// Passes turns on that another thread reads before they are said, as far as it gets to that; and that thread.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub(super) fn of<I>(
        self,
        turns: I,
    ) -> io::Result<(impl Iterator<Item = ScriptedTurn> + Send, Arc<Beside>)>
    where
        I: Iterator<Item = ScriptedTurn> + Send + 'static,
    {
        let source = Source { turns: turns.fuse(), made: VecDeque::new(), bytes: 0, waits: false };
        let source = Arc::new(Mutex::new(source));
        let own = Arc::clone(&source);
        let beside = Arc::new(Beside::start(move || self.read_next(&own))?);
        Ok((Said { source, beside: Arc::clone(&beside) }, beside))
    }

    /// Reads the next turn; whether there was one, and so few are read that one more is worth it.
    fn read_next<I: Iterator<Item = ScriptedTurn>>(&self, source: &Mutex<Source<I>>) -> bool {
        let texts: Option<Vec<String>> = locked(source).next_to_read().map(said);
        texts.iter().flatten().for_each(|text| self.read(text));
        texts.is_some()
    }

    fn read(&self, text: &str) {
        self.counter.count(text);
        if let Some(finds) = &self.finds {
            finds.look(text);
        }
        if let Some(words) = &self.words {
            words.read(text);
        }
        if let Some(model) = &self.summaries {
            model.foretell(text);
        }
    }
}

impl<I: Iterator<Item = ScriptedTurn>> Source<I> {
    fn next_to_read(&mut self) -> Option<&ScriptedTurn> {
        if self.is_full() {
            self.waits = true;
            return None;
        }
        let next = self.turns.next()?;
        self.bytes += bytes_of(&next);
        self.made.push_back(next);
        // Whoever reads next finds that there are enough.
        self.waits = self.is_full();
        self.made.back()
    }

    fn is_full(&self) -> bool {
        self.made.len() >= MOST_AHEAD || self.bytes >= MOST_BYTES
    }

    /// The next turn to be said, and whether whoever reads is to be woken for more.
    fn pass_on(&mut self) -> (Option<ScriptedTurn>, bool) {
        let made = self.made.pop_front();
        self.bytes -= made.as_ref().map_or(0, bytes_of);
        let next = made.or_else(|| self.turns.next());
        let are_few = self.made.len() <= MOST_AHEAD / 2 && self.bytes <= MOST_BYTES / 2;
        (next, are_few && std::mem::take(&mut self.waits))
    }
}

/// Bytes of what is said and returned in a turn.
fn bytes_of(turn: &ScriptedTurn) -> usize {
    let said: usize = turn.model.iter().map(|answer| answer.text.len()).sum();
    let returned = turn.returned.iter().filter_map(|one| one.text.as_ref());
    turn.user.len() + said + returned.map(String::len).sum::<usize>()
}

impl<I: Iterator<Item = ScriptedTurn>> Iterator for Said<I> {
    type Item = ScriptedTurn;

    fn next(&mut self) -> Option<ScriptedTurn> {
        let (next, wakes) = locked(&self.source).pass_on();
        if wakes {
            self.beside.wake();
        }
        next
    }
}

/// What is said in a turn.
fn said(turn: &ScriptedTurn) -> Vec<String> {
    let replies = turn.model.iter().map(|answer| answer.text.trim());
    let said = std::iter::once(&*turn.user).chain(replies.filter(|reply| !reply.is_empty()));
    said.map(str::to_owned).collect()
}

impl Conversation {
    /// Does something while another thread reads what is said first, as far as it comes and a thousand turns at most: a
    /// replay finds it done.
    pub fn while_read_ahead<T>(
        &self,
        counter: &Arc<dyn CountTokens>,
        work: impl FnOnce() -> T,
    ) -> T {
        let is_done = AtomicBool::new(false);
        let (counter, finds) = (Arc::clone(counter), Some(self.finds()));
        let ahead = Ahead { counter, finds, words: None, summaries: None };
        let read = || {
            let first = 0..self.len().min(FIRST);
            for turn in first.take_while(|_| !is_done.load(Ordering::Relaxed)) {
                // What cannot be read is told where it is said.
                let Ok((user, reply)) = self.both(turn) else { break };
                ahead.read(&user);
                ahead.read(reply.trim());
            }
        };
        thread::scope(|scope| {
            scope.spawn(read);
            let done = work();
            is_done.store(true, Ordering::Relaxed);
            done
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread::{self, ThreadId};

    use super::*;
    use crate::memory::Tokens;
    use crate::read::{Event, Speaker};
    use crate::replay::staging::scripted;
    use crate::replay::{Texts, Turns};

    /// Who counted what.
    #[derive(Debug, Default)]
    struct Told(Mutex<Vec<(ThreadId, String)>>);

    impl CountTokens for Told {
        fn count(&self, text: &str) -> Tokens {
            self.0.lock().unwrap().push((thread::current().id(), text.to_owned()));
            Tokens(1)
        }
    }

    #[test]
    fn what_is_said_first_is_read_by_another_thread_until_the_work_is_done() {
        let told = Arc::new(Told::default());
        let counter: Arc<dyn CountTokens> = told.clone();
        let mut texts = Texts::new().unwrap();
        let mut turns = Turns::new(&*counter, 500, &mut texts);
        for nth in 0..3 {
            for by in [Speaker::Person, Speaker::Model] {
                turns.take(Event::Said {
                    by,
                    text: format!("{by:?} {nth} at 10:3{nth}"),
                    at: None,
                });
            }
        }
        let part = turns.finish();
        let talk = Conversation::of(texts, [part]).unwrap();
        let all_are_read = || {
            while told.0.lock().unwrap().len() < 6 {
                thread::yield_now();
            }
            "done"
        };
        assert_eq!(talk.while_read_ahead(&counter, all_are_read), "done");
        let told = told.0.lock().unwrap();
        let read: Vec<&str> = told.iter().map(|(_, text)| &**text).collect();
        assert_eq!((read[0], read[5]), ("Person 0 at 10:30", "Model 2 at 10:32"));
        assert!(told.iter().all(|(by, _)| *by != thread::current().id()));
    }

    /// Has turns counted that say their numbers behind some words, and returns them and what was counted.
    fn counted(
        turns: usize,
        user: String,
    ) -> (impl Iterator<Item = ScriptedTurn>, Arc<Told>, Arc<Beside>) {
        let told = Arc::new(Told::default());
        let turn = move |at| scripted(format!("{user} {at}"), Vec::new(), format!("reply {at}"));
        let ahead = Ahead { counter: told.clone(), finds: None, words: None, summaries: None };
        let (turns, beside) = ahead.of((0..turns).map(turn)).unwrap();
        (turns, told, beside)
    }

    fn wait_for(count: usize, told: &Told) {
        while told.0.lock().unwrap().len() < count {
            thread::yield_now();
        }
    }

    #[test]
    fn turns_are_counted_by_another_thread_before_they_are_said_but_not_far_ahead() {
        const TURNS: usize = 9 * MOST_AHEAD;
        let (turns, told, _beside) = counted(TURNS, "user".to_owned());
        wait_for(2 * MOST_AHEAD, &told);
        for (at, turn) in turns.enumerate() {
            // Whoever comes too soon for the other thread takes a turn that was not read.
            wait_for(2 * (at + MOST_AHEAD / 2).min(TURNS), &told);
            let told = told.0.lock().unwrap();
            assert_eq!(
                (&*told[2 * at].1, &*told[2 * at + 1].1),
                (&*turn.user, &*turn.model[0].text)
            );
            assert!(told.len() <= 2 * (at + 1 + MOST_AHEAD), "{} are counted at {at}", told.len());
        }
        let told = told.0.lock().unwrap();
        assert_eq!(told.len(), 2 * TURNS);
        assert!(told.iter().all(|(by, _)| *by != thread::current().id()));
    }

    #[test]
    fn few_long_turns_are_read_ahead() {
        const LONG: usize = MOST_BYTES / 8;
        let (turns, told, _beside) = counted(64, "long ".repeat(LONG / 5));
        wait_for(2, &told);
        for (at, _) in turns.enumerate() {
            wait_for(2 * (at + 2).min(64), &told);
            let read = told.0.lock().unwrap().len() / 2;
            assert!(read <= at + 2 + MOST_BYTES / LONG, "{read} are read at {at}");
        }
    }
}
