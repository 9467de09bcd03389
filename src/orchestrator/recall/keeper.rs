//! Keeps the index of everything said: opened beside the first screen, brought up to date, and from then on told of
//! each turn. One thing at a time holds it, off the async runtime where that may take long and somebody watches.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::names::tell_names_ahead;
use super::wanted::Wanted;
use crate::beside::{Begun, Beside};
use crate::clock;
use crate::lock::locked;
use crate::orchestrator::notice::{Notice, Notices};
use crate::recall::said::{Date, Hit, Index, Problem};
use crate::store::{SaidReader, StopFlag};

/// Bytes of an index, and among them of what it only has to write, that are kept in memory where nobody watches.
const MOST_HELD: u64 = 2 << 20;
const MOST_UNSAVED: u64 = 1 << 19;

/// So many turns wait until they are taken in together where nobody watches: beside the turns after them, unless a
/// search comes first.
const AT_ONCE: usize = 32;

/// So many wait at most while others are being taken in.
const MOST_LATE: usize = 4 * AT_ONCE;

/// How far the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Opening,
    /// It can be searched; what is missing is being added.
    Opened,
    /// It holds everything.
    Whole,
}

/// The index, shared with the task that brings it up to date.
#[derive(Debug)]
pub(super) struct Shared {
    index: Mutex<Option<Index>>,
    /// Locked behind the index, if both are.
    late: Mutex<Late>,
    logs: SaidReader,
    /// Somebody waits for the screen meanwhile, and the index is opened again.
    is_watched: bool,
}

/// What has come up and is not in the index yet.
#[derive(Debug)]
struct Late {
    /// What came up together, oldest first.
    waiting: Vec<Vec<Wanted>>,
    /// The task that brings the index up to date takes it in.
    is_catching_up: bool,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::orchestrator) struct Sought {
    query: String,
    /// So many documents at most.
    most: usize,
    /// The day from which "yesterday" counts.
    today: Option<Date>,
}

impl Sought {
    pub(super) fn new(query: &str, most: usize, today: Option<Date>) -> Self {
        Self { query: query.to_owned(), most, today }
    }
}

/// What was looked for before it was asked for.
#[derive(Debug)]
pub(super) struct FoundAhead {
    pub(super) sought: Sought,
    /// What was found, best first.
    pub(super) hits: Vec<Hit>,
    /// It is told whether one of them matches by a name.
    pub(super) names_are_told: bool,
}

/// The driver's end.
#[derive(Debug)]
pub(in crate::orchestrator) struct SaidKeeper {
    shared: Arc<Shared>,
    stage: watch::Receiver<Stage>,
    task: Option<JoinHandle<()>>,
    /// Searches before it is asked for, where nobody watches.
    beside: Option<Arc<Beside>>,
    /// The searches for the turns to come, in their order; none for one that needs none.
    early: VecDeque<Begun<Option<FoundAhead>>>,
    stop: StopFlag,
    notices: Notices,
}

impl SaidKeeper {
    /// Opens the index of a session and brings it up to date. Where nobody watches, it is in memory as long as it is
    /// small.
    pub(in crate::orchestrator::recall) fn start(
        logs: SaidReader,
        wanted: Vec<Wanted>,
        notices: Notices,
        beside: Option<Arc<Beside>>,
    ) -> Self {
        let is_watched = beside.is_none();
        let late = Mutex::new(Late { waiting: Vec::new(), is_catching_up: true });
        let shared = Arc::new(Shared { index: Mutex::new(None), late, logs, is_watched });
        let (sender, stage) = watch::channel(Stage::Opening);
        let stop = StopFlag::default();
        let job = Job { shared: Arc::clone(&shared), stage: sender, stop: stop.clone() };
        let told = notices.clone();
        let task = tokio::task::spawn_blocking(move || job.run(wanted, &told));
        Self { shared, stage, task: Some(task), beside, early: VecDeque::new(), stop, notices }
    }

    /// Waits until it holds everything.
    pub(in crate::orchestrator) async fn is_whole(&mut self) {
        // A task that panicked leaves what there is.
        let _ = self.stage.wait_for(|stage| *stage == Stage::Whole).await;
    }

    /// What a query means on a day, best first; it waits until the index is open. Nothing, if it cannot be opened.
    pub(in crate::orchestrator) async fn search(&mut self, sought: Sought) -> Vec<Hit> {
        let _ = self.stage.wait_for(|stage| *stage >= Stage::Opened).await;
        if !self.shared.is_watched {
            return self.shared.search(&sought);
        }
        let shared = Arc::clone(&self.shared);
        let search = move || shared.search(&sought);
        tokio::task::spawn_blocking(search).await.unwrap_or_default()
    }

    /// Whether it can search before it is asked.
    pub(super) fn searches_ahead(&self) -> bool {
        self.beside.is_some() && *self.stage.borrow() == Stage::Whole
    }

    /// Searches for a turn to come, beside everything else and behind the searches for those before it; what is wanted
    /// is taken in before.
    pub(super) fn search_ahead(&mut self, wanted: Option<Wanted>, sought: Option<Sought>) {
        let Some(beside) = &self.beside else { return };
        let shared = Arc::clone(&self.shared);
        self.early.push_back(beside.begin(move || {
            shared.take_in(wanted);
            sought.map(|sought| {
                let mut hits = shared.search(&sought);
                let names_are_told = tell_names_ahead(&shared.logs, &sought.query, &mut hits);
                FoundAhead { sought, hits, names_are_told }
            })
        }));
    }

    /// For how many turns to come it searches, or has searched.
    pub(super) fn is_ahead_by(&self) -> usize {
        self.early.len()
    }

    /// What was found for the next turn, and for what; nothing where nothing was looked for.
    pub(super) fn found_ahead(&mut self) -> Option<FoundAhead> {
        self.early.pop_front()?.result()?
    }

    /// Whether it holds what stands for something, with all that has come up.
    pub(super) fn sums_up(&self, wanted: &Wanted) -> bool {
        let mut index = locked(&self.shared.index);
        self.shared.take_in_late_to(index.as_mut());
        index.as_ref().is_some_and(|index| wanted.is_summed_up(index))
    }

    /// Takes in what has changed, so that it is found from now on.
    pub(in crate::orchestrator::recall) fn take_in(&mut self, wanted: Vec<Wanted>) {
        let mut late = locked(&self.shared.late);
        late.waiting.push(wanted);
        let (is_catching_up, count) = (late.is_catching_up, late.waiting.len());
        drop(late);
        // Whoever searches takes it in first: nobody waits here until the index is in order.
        if is_catching_up || (self.shared.is_watched && self.is_busy()) {
            return;
        }
        if self.shared.is_watched || count >= MOST_LATE {
            return self.shared.take_in_late();
        }
        if count < AT_ONCE || self.is_busy() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        self.task = Some(tokio::task::spawn_blocking(move || shared.take_in_late()));
    }

    fn is_busy(&self) -> bool {
        self.task.as_ref().is_some_and(|task| !task.is_finished())
            || self.early.back().is_some_and(|last| !last.is_done())
    }

    /// In a quiet moment: puts the index in order if it has grown, and makes it anew if it turned out to be broken.
    pub(in crate::orchestrator::recall) fn settle(&mut self, all: impl FnOnce() -> Vec<Wanted>) {
        if self.is_busy() {
            return;
        }
        let index = locked(&self.shared.index);
        let is_damaged = index.as_ref().is_some_and(Index::is_damaged);
        let is_untidy = index.as_ref().is_some_and(Index::is_untidy);
        drop(index);
        let is_tidied = is_untidy && self.shared.is_watched;
        if !(is_damaged || is_tidied) {
            return;
        }
        let shared = Arc::clone(&self.shared);
        if !is_damaged {
            let stop = self.stop.clone();
            self.task = Some(tokio::task::spawn_blocking(move || shared.tidy(&stop)));
            return;
        }
        locked(&self.shared.late).is_catching_up = true;
        let (stop, wanted) = (self.stop.clone(), all());
        let text = "The search index was damaged; it is made anew from the session. Nothing that was said is lost.";
        self.notices.tell(Notice::Info(text.to_owned()));
        self.task = Some(tokio::task::spawn_blocking(move || {
            shared.clear();
            shared.catch_up(wanted, &stop);
        }));
    }

    /// Ends it; what it holds is on disk then.
    pub(in crate::orchestrator) async fn close(mut self) {
        self.stop.stop();
        // Nobody asks for them any more.
        self.early.clear();
        if let Some(task) = self.task.take() {
            let _ = task.await;
        }
        let shared = Arc::clone(&self.shared);
        let _ = tokio::task::spawn_blocking(move || shared.close()).await;
    }
}

impl Drop for SaidKeeper {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// Opens the index, beside everything else.
struct Job {
    shared: Arc<Shared>,
    stage: watch::Sender<Stage>,
    stop: StopFlag,
}

impl Job {
    fn run(self, wanted: Vec<Wanted>, notices: &Notices) {
        let directory = self.shared.logs.index_directory();
        let (index, problem) = Index::open(&directory, clock::micros());
        *locked(&self.shared.index) = Some(index);
        if let Some(problem) = problem {
            notices.tell(Notice::Info(sentence(&problem)));
        }
        let _ = self.stage.send(Stage::Opened);
        self.shared.catch_up(wanted, &self.stop);
        let _ = self.stage.send(Stage::Whole);
        self.shared.tidy(&self.stop);
    }
}

fn sentence(problem: &Problem) -> String {
    let text = problem.to_string();
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

impl Shared {
    fn search(&self, sought: &Sought) -> Vec<Hit> {
        let mut index = locked(&self.index);
        self.take_in_late_to(index.as_mut());
        let Sought { query, most, today } = sought;
        index.as_ref().map_or_else(Vec::new, |index| index.search(query, *most, *today))
    }

    /// Adds something behind all that has come up.
    fn take_in(&self, wanted: Option<Wanted>) {
        let mut index = locked(&self.index);
        self.take_in_late_to(index.as_mut());
        if let (Some(index), Some(wanted)) = (index.as_mut(), wanted)
            && let Some(problem) = self.bring_up(index, &[wanted])
        {
            tracing::warn!("{problem}");
        }
    }

    /// Adds what is missing, what came up last before all else, until nothing is left or somebody asks for the end.
    fn catch_up(&self, wanted: Vec<Wanted>, stop: &StopFlag) {
        let mut wanted = wanted.into_iter();
        while !stop.is_stopped() {
            self.take_in_late();
            let Some(one) = wanted.next() else {
                let mut late = locked(&self.late);
                late.is_catching_up = !late.waiting.is_empty();
                if late.is_catching_up {
                    continue;
                }
                break;
            };
            if let Some(index) = locked(&self.index).as_mut() {
                one.bring_up(index, &self.logs);
            }
        }
        if let Some(Err(problem)) = locked(&self.index).as_mut().map(Index::save) {
            tracing::warn!("{problem}");
        }
    }

    fn take_in_late(&self) {
        self.take_in_late_to(locked(&self.index).as_mut());
    }

    /// Adds what has come up, one turn after the other as if each had been added when it ended.
    fn take_in_late_to(&self, index: Option<&mut Index>) {
        let Some(index) = index else { return };
        let late = std::mem::take(&mut locked(&self.late).waiting);
        for wanted in late {
            if let Some(problem) = self.bring_up(index, &wanted) {
                tracing::warn!("{problem}");
            }
        }
    }

    fn bring_up(&self, index: &mut Index, wanted: &[Wanted]) -> Option<Problem> {
        for one in wanted {
            one.bring_up(index, &self.logs);
        }
        if !self.is_watched && index.held() > MOST_HELD {
            index.put_away().err()
        } else if self.is_watched || index.unsaved() > MOST_UNSAVED {
            index.save().err()
        } else {
            None
        }
    }

    fn tidy(&self, stop: &StopFlag) {
        let tidy = |index: &mut Index| index.tidy(|| !stop.is_stopped());
        if let Some(Err(problem)) = locked(&self.index).as_mut().map(tidy) {
            tracing::warn!("{problem}");
        }
    }

    fn clear(&self) {
        let mut held = locked(&self.index);
        let Some((index, problem)) = held.take().map(|index| index.clear(clock::micros())) else {
            return;
        };
        *held = Some(index);
        if let Some(problem) = problem {
            tracing::warn!("{problem}");
        }
    }

    fn close(&self) {
        self.take_in_late();
        let mut index = locked(&self.index).take();
        if let Some(Err(problem)) = index.as_mut().map(Index::save) {
            tracing::warn!("{problem}");
        }
    }
}
