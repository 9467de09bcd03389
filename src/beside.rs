//! A work queue with one thread, and a task for when it is idle: beside the thread that works, it does what that one will
//! need next, and something else meanwhile.
//!
//! To put a thread to sleep and wake it takes as long as much of what is done here. So both look for each other for a
//! moment before they sleep, what the other thread has not begun when it is needed is done by whoever needs it, and who
//! waits for what it has begun does what is to be done meanwhile.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;
use std::{fmt, hint, io};

use crate::lock::locked;

/// So often a thread looks before it sleeps: for some fifty microseconds.
const LOOKS: u32 = 2_000;

/// So long whoever waits sleeps at most. The end of its own task wakes it, even a panic; but behind a task that panicked the
/// other thread begins nothing more, and nobody tells those that wait for what is still queued.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);

/// Looks for something for a moment; whether it has come.
fn comes(is_there: impl Fn() -> bool) -> bool {
    (0..LOOKS).any(|_| {
        hint::spin_loop();
        is_there()
    })
}

/// The other thread. It ends when this is dropped, which waits for what it has begun.
#[derive(Debug)]
pub struct Beside {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    /// Does a part of what is to be done meanwhile; whether there was any.
    meanwhile: Box<dyn Fn() -> bool + Send + Sync>,
    asked: Mutex<VecDeque<Arc<dyn Run>>>,
    /// Held while something of that is done: one after the other, in order.
    at_it: Mutex<()>,
    is_asked: AtomicBool,
    ends: AtomicBool,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

trait Run: Send + Sync {
    fn run(&self);
}

impl Beside {
    /// Starts the thread. While nothing is asked of it, it calls `meanwhile` as long as that says that there was something
    /// to do; afterwards it sleeps until something is asked of it or it is woken. So does whoever waits for what was asked
    /// for, at the same time.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub fn start(meanwhile: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            meanwhile: Box::new(meanwhile),
            asked: Mutex::default(),
            at_it: Mutex::default(),
            is_asked: AtomicBool::new(false),
            ends: AtomicBool::new(false),
        });
        let own = Arc::clone(&shared);
        let named = thread::Builder::new().name("beside".to_owned());
        let thread = Some(named.spawn(move || own.work())?);
        Ok(Self { shared, thread })
    }

    /// Has something done, behind all that was asked for before.
    pub fn begin<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Begun<T> {
        let task = Arc::new(Task {
            work: Mutex::new(Some(Box::new(work))),
            result: Mutex::new(None),
            is_done: AtomicBool::new(false),
            waits: Mutex::new(None),
        });
        locked(&self.shared.asked).push_back(Arc::clone(&task) as Arc<dyn Run>);
        self.shared.is_asked.store(true, Ordering::Release);
        self.wake();
        Begun { task, shared: Arc::clone(&self.shared) }
    }

    /// Wakes the thread, because there is more to do meanwhile.
    pub fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Release);
        self.wake();
        if let Some(thread) = self.thread.take() {
            // It has said why, if it panicked.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        while !self.ends.load(Ordering::Acquire) {
            let is_at_it = self.is_asked.load(Ordering::Acquire) && self.try_next();
            if is_at_it || (self.meanwhile)() {
                continue;
            }
            if self.is_asked.load(Ordering::Acquire) {
                // Who needs the result is at something already.
                drop(locked(&self.at_it));
            } else if !comes(|| self.is_called()) {
                thread::park();
            }
        }
    }

    fn is_called(&self) -> bool {
        self.is_asked.load(Ordering::Acquire) || self.ends.load(Ordering::Acquire)
    }

    /// Does what was asked for first, unless somebody else is at something; whether there was anything.
    fn try_next(&self) -> bool {
        match self.at_it.try_lock() {
            Ok(at_it) => self.do_next(&at_it),
            Err(TryLockError::Poisoned(at_it)) => self.do_next(&at_it.into_inner()),
            Err(TryLockError::WouldBlock) => false,
        }
    }

    /// Does what was asked for first; whether there was anything.
    fn do_next(&self, _: &MutexGuard<()>) -> bool {
        let mut asked = locked(&self.asked);
        let next = asked.pop_front();
        self.is_asked.store(!asked.is_empty(), Ordering::Release);
        drop(asked);
        if let Some(task) = &next {
            task.run();
        }
        next.is_some()
    }
}

/// Something that was asked for.
#[derive(Debug)]
pub struct Begun<T> {
    task: Arc<Task<T>>,
    shared: Arc<Shared>,
}

struct Task<T> {
    work: Mutex<Option<Work<T>>>,
    result: Mutex<Option<T>>,
    is_done: AtomicBool,
    /// Who sleeps until it is done.
    waits: Mutex<Option<Thread>>,
}

type Work<T> = Box<dyn FnOnce() -> T + Send>;

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("is_done", &self.is_done).finish_non_exhaustive()
    }
}

/// Says that a task is done, however its work ends.
struct Ends<'a, T>(&'a Task<T>);

impl<T> Drop for Ends<'_, T> {
    fn drop(&mut self) {
        self.0.is_done.store(true, Ordering::Release);
        locked(&self.0.waits).iter().for_each(Thread::unpark);
    }
}

impl<T: Send> Run for Task<T> {
    fn run(&self) {
        let work = locked(&self.work).take();
        let _ends = Ends(self);
        let result = work.map(|work| work());
        *locked(&self.result) = result;
    }
}

impl<T> Begun<T> {
    /// Whether it need not be waited for.
    pub fn is_done(&self) -> bool {
        self.task.is_done.load(Ordering::Acquire)
    }

    /// The result; `None` if the work panicked on the other thread. What that thread has not begun is done here, behind what
    /// was asked for before it, and a panic of it is one of this thread. If the other thread is at it, this does what is to
    /// be done meanwhile, and waits.
    pub fn result(self) -> Option<T> {
        while !self.is_done() {
            let is_at_it = self.shared.try_next() || (self.shared.meanwhile)();
            if !is_at_it && !comes(|| self.is_done()) {
                *locked(&self.task.waits) = Some(thread::current());
                if !self.is_done() {
                    thread::park_timeout(LONGEST_SLEEP);
                }
            }
        }
        locked(&self.task.result).take()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_other_thread_does_what_is_asked_of_it_before_what_it_does_meanwhile() {
        let (told, hears) = mpsc::channel();
        let (go, may_go) = mpsc::channel::<()>();
        let own = told.clone();
        let (left, here) = (Mutex::new((3, may_go)), thread::current().id());
        let beside = Beside::start(move || {
            // Who waits for a result does none of it here: the test could go on too soon.
            if thread::current().id() == here {
                return false;
            }
            let (left, may_go) = &mut *left.lock().unwrap();
            let goes_on = *left > 0 && may_go.recv().is_ok();
            if goes_on {
                *left -= 1;
                own.send("meanwhile").unwrap();
            }
            goes_on
        })
        .unwrap();
        go.send(()).unwrap();
        assert_eq!(hears.recv(), Ok("meanwhile"));
        let begun = beside.begin(move || {
            told.send("asked").unwrap();
            thread::current().id()
        });
        // It waits for this one, and asks for no more before what was asked for.
        go.send(()).unwrap();
        let mut both = [hears.recv().unwrap(), hears.recv().unwrap()];
        both.sort_unstable();
        assert_eq!(both, ["asked", "meanwhile"]);
        assert_ne!(begun.result(), Some(here));
        go.send(()).unwrap();
        assert_eq!(hears.recv(), Ok("meanwhile"));
        let again = beside.begin(|| 7);
        assert_eq!(again.result(), Some(7), "nothing more is done meanwhile, and it was woken");
    }

    #[test]
    fn what_is_not_begun_is_done_by_whoever_needs_it_in_the_order_in_which_it_was_asked_for() {
        let (go, may_go) = mpsc::channel::<()>();
        let (at_it, is_at_it) = mpsc::channel();
        let may_go = Mutex::new(may_go);
        let beside = Beside::start(move || {
            let _ = at_it.send(());
            let _ = may_go.lock().unwrap().recv();
            false
        })
        .unwrap();
        is_at_it.recv().unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let ask = |nth: u32| {
            let order = Arc::clone(&order);
            beside.begin(move || {
                order.lock().unwrap().push(nth);
                thread::current().id()
            })
        };
        let [first, second, third] = [1, 2, 3].map(ask);
        let here = Some(thread::current().id());
        assert_eq!((second.result(), first.result()), (here, here));
        assert_eq!((order.lock().unwrap().clone(), third.is_done()), (vec![1, 2], false));
        drop(go);
        assert!(third.result().is_some());
    }

    #[test]
    fn who_waits_does_what_is_to_be_done_meanwhile() {
        let (go, may_go) = mpsc::channel();
        let (at_it, is_at_it) = mpsc::channel();
        let is_begun = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&is_begun);
        // The other thread is at what was asked for, and goes on with it only once this is done.
        let beside = Beside::start(move || {
            own.load(Ordering::Acquire) && go.send(thread::current().id()).is_ok()
        });
        let begun = beside.as_ref().unwrap().begin(move || {
            is_begun.store(true, Ordering::Release);
            at_it.send(()).unwrap();
            may_go.recv().unwrap()
        });
        is_at_it.recv().unwrap();
        assert_eq!(begun.result(), Some(thread::current().id()));
    }

    #[test]
    fn work_that_panics_has_no_result_and_what_comes_behind_it_is_done_all_the_same() {
        let (at_it, is_at_it) = mpsc::channel();
        let beside = Beside::start(|| false).unwrap();
        let broken = beside.begin(move || {
            at_it.send(()).unwrap();
            panic!("as it must");
        });
        is_at_it.recv().unwrap();
        assert_eq!(broken.result(), None::<()>);
        assert_eq!(beside.begin(|| 7).result(), Some(7));
    }
}
