//! What another thread does with messages before they are said: it counts them and looks for their specifics. That is a
//! third of the work of a replay, and whatever one thread counted or found the others find done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use super::turns::Conversation;
use crate::memory::CountTokens;
use crate::scenario::ScriptedTurn;
use crate::specifics::Finds;

/// Turns that are read and handed over together, while those before them are said.
const TOGETHER: usize = 32;

/// Turns that are read before the first one is said: what was counted and found in so many is remembered.
const FIRST: usize = 1_024;

/// Reads messages ahead.
pub(super) struct Ahead {
    pub(super) counter: Arc<dyn CountTokens>,
    /// Where what they hold is kept, if somebody will ask for it.
    pub(super) finds: Option<Arc<Finds>>,
}

impl Ahead {
    /// Passes turns on, some of them read before they are said.
    pub(super) fn of(
        self,
        turns: impl Iterator<Item = ScriptedTurn> + Send + 'static,
    ) -> impl Iterator<Item = ScriptedTurn> + Send {
        let (ready, made) = mpsc::sync_channel::<Vec<_>>(1);
        // What could not be read ends them.
        let mut turns = turns.fuse();
        tokio::task::spawn_blocking(move || {
            loop {
                let next: Vec<_> = turns.by_ref().take(TOGETHER).collect();
                next.iter().flat_map(said).for_each(|text| self.read(text));
                // Nothing is left to say, or the play ended early.
                if next.is_empty() || ready.send(next).is_err() {
                    break;
                }
            }
        });
        made.into_iter().flatten()
    }

    fn read(&self, text: &str) {
        self.counter.count(text);
        if let Some(finds) = &self.finds {
            finds.look(text);
        }
    }
}

/// What is said in a turn.
fn said(turn: &ScriptedTurn) -> impl Iterator<Item = &str> {
    let replies = turn.model.iter().map(|answer| answer.text.trim());
    std::iter::once(&*turn.user).chain(replies.filter(|reply| !reply.is_empty()))
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
        let ahead = Ahead { counter: Arc::clone(counter), finds: Some(self.finds()) };
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

    #[tokio::test]
    async fn a_turn_is_counted_by_another_thread_before_it_is_said() {
        let told = Arc::new(Told::default());
        let turn = |at: usize| scripted(format!("user {at}"), Vec::new(), format!("reply {at}"));
        let turns = Ahead { counter: told.clone(), finds: None }.of((0..9 * TOGETHER).map(turn));
        for (at, turn) in turns.enumerate() {
            let told = told.0.lock().unwrap();
            assert_eq!(turn.user, format!("user {at}"));
            assert_eq!(
                (&*told[2 * at].1, &*told[2 * at + 1].1),
                (&*turn.user, &*turn.model[0].text)
            );
            assert!(told.iter().all(|(thread, _)| *thread != thread::current().id()));
            assert!(told.len() <= 2 * (at + 4 * TOGETHER), "{} are counted at {at}", told.len());
        }
    }
}
