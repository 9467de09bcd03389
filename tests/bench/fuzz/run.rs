//! Runs the cases of a target on all processors and watches them.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Target;
use super::child::Record;
use super::random::Random;

/// What one case may cost of a processor's time.
const LIMIT: Duration = Duration::from_secs(1);

/// On the wall, where a machine may be busy with other things: after this a case is given up.
const GIVE_UP: Duration = Duration::from_secs(15);

/// More findings of one target than these are not told one by one.
const TOLD: usize = 20;

/// What a worker has to say.
enum Report {
    Found { seed: u64, what: String },
    Finished,
}

/// The case that a worker is at, and since when.
type AtWork = Arc<Mutex<Option<(u64, Instant)>>>;

thread_local! {
    /// Where the last panic of this thread happened, and its words.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs so many cases of a target and returns how many broke a promise.
pub(crate) fn run(target: Target, first: u64, cases: u64, record: &Arc<Record>) -> usize {
    std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
    let started = Instant::now();
    let next = Arc::new(Mutex::new(0));
    let (sender, reports) = channel();
    let start = |number: usize| {
        let (next, record) = (Arc::clone(&next), Arc::clone(record));
        Worker { number, target, first, cases, next, record, sender: sender.clone() }.start()
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    let workers = (0..count).map(start).collect();
    let found = watch(target.name, workers, &reports, start);
    let _ = std::panic::take_hook();
    let (name, took) = (target.name, started.elapsed());
    println!("  {name:<10} {cases:>8} cases, {found} found, {:.1} s", took.as_secs_f64());
    found
}

/// Waits for all workers; one that hangs is told, left alone and replaced.
fn watch(
    name: &str,
    mut workers: Vec<AtWork>,
    reports: &Receiver<Report>,
    replace: impl Fn(usize) -> AtWork,
) -> usize {
    let (mut found, mut running) = (0, workers.len());
    let mut tell = |seed: u64, what: &str| {
        found += 1;
        if found <= TOLD {
            println!("  {name}: {what}\n    again: --target {name} --cases 1 --seed {seed}");
        }
    };
    while running > 0 {
        match reports.recv_timeout(Duration::from_millis(200)) {
            Ok(Report::Found { seed, what }) => tell(seed, &what),
            Ok(Report::Finished) => running -= 1,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        for (number, worker) in workers.iter_mut().enumerate() {
            let at = *worker.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((seed, _)) = at.filter(|(_, since)| since.elapsed() > GIVE_UP) {
                tell(seed, &format!("hangs, given up after {} s", GIVE_UP.as_secs()));
                *worker = replace(number);
            }
        }
    }
    found
}

struct Worker {
    number: usize,
    target: Target,
    first: u64,
    cases: u64,
    next: Arc<Mutex<u64>>,
    record: Arc<Record>,
    sender: Sender<Report>,
}

impl Worker {
    fn start(self) -> AtWork {
        let at_work = AtWork::default();
        let shown = Arc::clone(&at_work);
        thread::spawn(move || self.work(&shown));
        at_work
    }

    fn work(self, shown: &AtWork) {
        while let Some(seed) = self.take() {
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = Some((seed, Instant::now()));
            self.record.note(self.number, self.target.name, seed);
            let before = processor_time();
            let outcome =
                catch_unwind(AssertUnwindSafe(|| (self.target.case)(&mut Random::new(seed))));
            let took = processor_time().saturating_sub(before);
            let begun = shown.lock().unwrap_or_else(PoisonError::into_inner).take();
            if begun.is_some_and(|(_, since)| since.elapsed() > GIVE_UP) {
                return; // Told and replaced already.
            }
            let what = match outcome {
                Err(_) => PANIC.take(),
                Ok(()) if took > LIMIT => format!("takes {:.1} s", took.as_secs_f64()),
                Ok(()) => continue,
            };
            let _ = self.sender.send(Report::Found { seed, what });
        }
        let _ = self.sender.send(Report::Finished);
    }

    /// The number of the next case.
    fn take(&self) -> Option<u64> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let nth = (*next < self.cases).then_some(*next)?;
        *next += 1;
        Some(self.first.wrapping_add(nth))
    }
}

/// How long this thread has run so far.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where that is not told, the time on the wall must do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}
