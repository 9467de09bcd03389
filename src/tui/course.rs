//! How the window went, turn by turn: what the tide chart draws and the time machine walks along.
//!
//! One point a turn, added as the turn ends; a frame reads only the points that it shows. What memory did is taken as it
//! happens, and the same when a journal is read, so that both tell alike.

mod marks;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use ratatui::layout::Rect;

use super::window_layers::{beside_fixed, fixed};
use crate::memory::{ChangeKind, Layers, MemoryView, Tokens, Turn, UNDONE};
use crate::orchestrator::{Happening, PastCourse, TurnReport};

pub use marks::Marks;
use marks::{Counts, Told};

/// Columns that one turn takes at most, so that the first turns do not fill the screen each.
const WIDEST: usize = 6;

/// Changes that are kept for a look back.
const LATELY: usize = 200;

/// A turn in the chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// The turn.
    pub turn: Turn,
    /// Tokens of the window by layer.
    pub layers: Layers,
    /// Tokens that full history would send, beside prompt and tools.
    pub full: u64,
}

impl Point {
    fn new(turn: Turn, layers: Layers, full: Tokens) -> Self {
        Self { turn, layers, full: full.0.saturating_sub(fixed(&layers)) }
    }

    /// Memory as it is or was, as the point of a turn.
    pub fn of(memory: &MemoryView, turn: Turn) -> Self {
        Self::new(turn, memory.layers, memory.full_history.tokens)
    }

    /// Tokens of the window beside prompt and tools.
    pub fn window(&self) -> u64 {
        beside_fixed(&self.layers)
    }
}

/// The points of all turns that are known.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// Each turn as it ended, oldest first.
    points: Vec<Point>,
    /// Memory now, in the turn under way or, between two, in the last one.
    now: Option<Point>,
    /// What memory did last, oldest first.
    lately: VecDeque<Told>,
    /// What memory did and nobody undid, by the turn that it belongs to.
    counts: BTreeMap<Turn, Counts>,
}

impl Course {
    /// Takes what the journal tells of what was before.
    pub fn load(&mut self, past: PastCourse) {
        let first = self.points.first().map(|point| point.turn);
        let earlier = past.turns.iter().filter(|turn| first.is_none_or(|first| turn.turn < first));
        let earlier: Vec<Point> =
            earlier.map(|turn| Point::new(turn.turn, turn.layers, turn.full)).collect();
        self.points.splice(0..0, earlier);
        self.counts.clear();
        let since = std::mem::take(&mut self.lately).into_iter().map(|told| told.happened);
        let since: Vec<Happening> = since.collect();
        // What happened while the journal was read may stand in it.
        let is_read = |known: &usize| past.happened.ends_with(&since[..*known]);
        let known = (0..=since.len()).rev().find(is_read).unwrap_or(0);
        let since = since.into_iter().skip(known);
        past.happened.into_iter().chain(since).for_each(|happened| self.happened(happened));
    }

    /// Memory did something.
    pub fn happened(&mut self, happened: Happening) {
        let gone_in = self.taken_back_by(&happened).then_some(happened.turn);
        if gone_in.is_none()
            && let Some(count) = self.counts.entry(happened.turn).or_default().of(happened.kind)
        {
            *count += 1;
        }
        self.lately.push_back(Told { happened, gone_in });
        if self.lately.len() > LATELY {
            self.lately.pop_front();
        }
    }

    /// Takes out of the picture what something undoes; tells whether it undoes anything that is in it.
    fn taken_back_by(&mut self, undoing: &Happening) -> bool {
        if undoing.cause != UNDONE {
            return false;
        }
        // What was undone may take more with it: a summary leaves again, another effort is active.
        let last = self.lately.back();
        let follows = last.is_some_and(|last| {
            last.happened.cause == UNDONE && last.gone_in == Some(undoing.turn)
        });
        let takes_along = |last: &Told| {
            matches!(last.happened.kind, ChangeKind::EffortConcluded | ChangeKind::EffortReopened)
        };
        if follows
            && self.lately.back().is_some_and(takes_along)
            && undoing.kind == ChangeKind::EffortSwitched
        {
            return true;
        }
        let before = self.lately.iter_mut().rev().find(|told| told.is_before(undoing));
        let Some(told) = before.filter(|told| undoing.kind.takes_back(told.happened.kind)) else {
            return follows;
        };
        told.gone_in = Some(undoing.turn);
        let counts = self.counts.entry(told.happened.turn).or_default();
        if let Some(count) = counts.of(told.happened.kind) {
            *count = count.saturating_sub(1);
        }
        true
    }

    /// A turn has ended.
    pub fn end_turn(&mut self, report: &TurnReport) {
        if self.points.last().is_none_or(|last| last.turn < report.turn) {
            self.points.push(Point::of(&report.memory, report.turn));
        }
    }

    /// Memory has changed. Between turns the last point is what it is now; within one there is one more.
    pub fn set_now(&mut self, memory: &MemoryView) {
        self.now = None;
        let is_empty = self.points.is_empty() && memory.turn.0 == 0 && memory.under_way.0 == 0;
        if memory.budget.0 == 0 || is_empty {
            return;
        }
        let last = self.points.last().map(|last| last.turn);
        let has_ended = last == Some(memory.turn) && memory.under_way.0 == 0;
        let turn = if has_ended { memory.turn } else { Turn(memory.turn.0 + 1) };
        self.now = Some(Point::of(memory, turn));
    }

    /// What memory did, up to a turn where one is looked at, the last one first; not what was undone by then.
    pub fn lately(&self, until: Option<Turn>) -> impl Iterator<Item = &Happening> {
        let is_before = move |turn: Turn| until.is_some_and(|until| turn > until);
        let is_later = move |told: &&Told| is_before(told.happened.turn);
        let told = self.lately.iter().rev().skip_while(is_later);
        let stands = move |told: &&Told| told.gone_in.is_none_or(is_before);
        told.filter(stands).map(|told| &told.happened)
    }

    /// What memory did in a turn that is shown and until the next one; what a stopped turn did counts for the one
    /// before until it is sent again.
    pub fn marks(&self, turn: Turn) -> Marks {
        let next = self.point(self.place_of(turn) + 1).map(|point| point.turn);
        let until = next.map_or(Bound::Unbounded, Bound::Excluded);
        let counts = self.counts.range((Bound::Included(turn), until));
        counts.fold(Counts::default(), |all, (_, counts)| all.and(*counts)).marks()
    }

    /// How many points there are, that of the turn under way included.
    pub fn len(&self) -> usize {
        let last = self.points.last().map(|last| last.turn);
        self.points.len() + usize::from(self.now.is_some_and(|now| last != Some(now.turn)))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point by its place from the oldest on.
    pub fn point(&self, at: usize) -> Option<&Point> {
        let now = self
            .now
            .as_ref()
            .filter(|now| at + 1 >= self.points.len() && self.place_of(now.turn) == at);
        now.or(self.points.get(at))
    }

    /// The place of a turn, or of the first one after it.
    pub fn place_of(&self, turn: Turn) -> usize {
        self.points.partition_point(|point| point.turn < turn)
    }

    /// Whether a turn was before all that are known: before anything was said, or before what was read.
    pub fn begins_after(&self, turn: Turn) -> bool {
        self.point(0).is_none_or(|first| turn < first.turn)
    }

    /// The most that the window held in the last turns that fit a chart of so many columns.
    pub fn peak(&self, columns: usize) -> u64 {
        let span = Span::of(self, None, columns);
        span.points(self).map(Point::window).max().unwrap_or(0)
    }
}

/// Which turns stand in which columns of a chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The place of the first turn.
    first: usize,
    /// How many turns.
    turns: usize,
    /// Columns that they fill, from the left.
    pub columns: usize,
}

impl Span {
    /// The last turns that fit, or those around a chosen one.
    pub fn of(course: &Course, chosen: Option<Turn>, columns: usize) -> Self {
        let turns = course.len().min(columns);
        let last = course.len() - turns;
        let first = match chosen.map(|turn| course.place_of(turn)) {
            Some(at) if at < last => at.saturating_sub(turns / 3),
            _ => last,
        };
        Self { first, turns, columns: columns.min(turns * WIDEST) }
    }

    /// The place of the turn in a column.
    pub fn place(&self, column: usize) -> usize {
        self.first + column * self.turns / self.columns.max(1)
    }

    /// The first column of a place, if it is shown.
    pub fn column(&self, place: usize) -> Option<usize> {
        let nth = place.checked_sub(self.first).filter(|nth| *nth < self.turns)?;
        Some((nth * self.columns).div_ceil(self.turns))
    }

    /// The turns that are shown.
    pub fn points<'a>(&self, course: &'a Course) -> impl Iterator<Item = &'a Point> {
        (self.first..self.first + self.turns).filter_map(|at| course.point(at))
    }
}

/// Where the chart was drawn last, for the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChartPlace {
    /// Its columns and rows on the screen.
    pub area: Rect,
    /// The turns in the columns.
    pub span: Span,
}

impl ChartPlace {
    /// The turn at a column of the screen; at the edges the first and the last one shown.
    pub fn turn(&self, course: &Course, x: u16) -> Option<Turn> {
        let column = usize::from(x.saturating_sub(self.area.x));
        let column = column.min(self.span.columns.saturating_sub(1));
        course.point(self.span.place(column)).map(|point| point.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Layer;
    use crate::orchestrator::CourseTurn;

    fn happening(turn: u64, kind: ChangeKind) -> Happening {
        Happening { turn: Turn(turn), kind, id: "tea".into(), cause: String::new() }
    }

    fn course(turns: u64) -> Course {
        let mut layers = Layers::default();
        layers.add(Layer::System, Tokens(300));
        layers.add(Layer::Ambient, Tokens(40));
        let turn = |turn| CourseTurn { turn: Turn(turn), layers, full: Tokens(300 + turn * 50) };
        let mut course = Course::default();
        course.load(PastCourse {
            turns: (1..=turns).map(turn).collect(),
            happened: (1..=turns).map(|turn| happening(turn, ChangeKind::SummaryEvicted)).collect(),
        });
        course
    }

    #[test]
    fn what_everyone_pays_is_left_out_and_what_left_is_marked() {
        let course = course(3);
        let last = course.point(2).unwrap();
        assert_eq!((last.window(), last.full), (40, 150));
        assert_eq!(course.marks(last.turn), Marks { left: true, ..Marks::default() });
    }

    #[test]
    fn full_history_is_told_as_it_is_where_the_window_holds_more() {
        let mut layers = Layers::default();
        layers.add(Layer::System, Tokens(300));
        layers.add(Layer::Lists, Tokens(35));
        let point = Point::new(Turn(1), layers, Tokens(320));
        assert_eq!((point.window(), point.full), (35, 20));
    }

    #[test]
    fn what_happened_since_is_marked_and_told_as_if_it_had_been_read() {
        let kinds = [
            (0, ChangeKind::EffortOpened),
            (1, ChangeKind::EffortConcluded),
            (2, ChangeKind::EffortExpanded),
            (4, ChangeKind::Tide),
        ];
        let all = kinds.map(|(turn, kind)| happening(turn, kind));
        let read = |upto: usize| {
            let told = |turn| CourseTurn { turn, layers: Layers::default(), full: Tokens(9) };
            let turns = [1, 2, 3].map(|turn| told(Turn(turn))).into();
            PastCourse { turns, happened: all[..upto].to_vec() }
        };
        let mut whole = Course::default();
        whole.load(read(4));
        for (upto, known) in (0..4).flat_map(|upto| (upto..=4).map(move |known| (upto, known))) {
            let mut course = Course::default();
            // What happens while the journal is read comes first, and may stand in it.
            all[upto..].iter().for_each(|one| course.happened(one.clone()));
            course.load(read(known));
            assert!(course.lately(None).eq(whole.lately(None)), "{upto} {known}");
            for turn in [1, 2, 3].map(Turn) {
                assert_eq!(course.marks(turn), whole.marks(turn), "{upto} {turn}");
            }
        }
        let told = |until| whole.lately(until).map(|one| one.turn.0).collect::<Vec<_>>();
        assert_eq!((told(None), told(Some(Turn(2)))), (vec![4, 2, 1, 0], vec![2, 1, 0]));
        let of = |turn| {
            let Marks { concluded, left, returned } = whole.marks(Turn(turn));
            [concluded, left, returned]
        };
        assert_eq!([of(1), of(2)], [[true, false, false], [false, false, true]]);
        assert_eq!(of(3), [false, true, false], "turn 4 was stopped");
    }

    #[test]
    fn what_was_undone_is_neither_marked_nor_told_and_what_was_done_again_is() {
        use ChangeKind as Kind;
        let undone = |turn, kind| Happening { cause: UNDONE.into(), ..happening(turn, kind) };
        let mut course = course(3);
        let told = |course: &Course, until: Option<u64>| -> Vec<Kind> {
            course
                .lately(until.map(Turn))
                .map(|one| one.kind)
                .take_while(|kind| *kind != Kind::SummaryEvicted)
                .collect()
        };
        let marks = |course: &Course| course.marks(Turn(3));
        let before = marks(&course);
        course.happened(happening(3, Kind::EffortConcluded));
        // It had left, so it leaves again; then it is done again.
        for (one, lately) in [
            (happening(3, Kind::EffortExpanded), vec![Kind::EffortExpanded, Kind::EffortConcluded]),
            (undone(3, Kind::EffortCollapsed), vec![Kind::EffortConcluded]),
            (undone(3, Kind::SummaryEvicted), vec![Kind::EffortConcluded]),
            (happening(3, Kind::EffortExpanded), vec![Kind::EffortExpanded, Kind::EffortConcluded]),
            (undone(5, Kind::EffortCollapsed), vec![Kind::EffortConcluded]),
            (undone(5, Kind::EffortReopened), vec![]),
            (undone(5, Kind::EffortSwitched), vec![]),
        ] {
            let returned = one.kind == Kind::EffortExpanded;
            course.happened(one);
            assert_eq!(told(&course, None), lately);
            assert_eq!(marks(&course).returned, returned);
        }
        assert_eq!(marks(&course), before);
        let then = vec![Kind::EffortExpanded, Kind::EffortConcluded];
        assert_eq!(told(&course, Some(4)), then, "as it was told then");
    }

    #[test]
    fn columns_and_turns_find_each_other() {
        for (turns, columns) in [(1, 40), (7, 40), (40, 40), (5_000, 40), (3, 1)] {
            let course = course(turns);
            let span = Span::of(&course, None, columns);
            assert!(span.columns <= columns);
            assert_eq!(course.point(span.place(span.columns - 1)).unwrap().turn, Turn(turns));
            for point in span.points(&course) {
                let place = course.place_of(point.turn);
                assert_eq!(span.place(span.column(place).unwrap()), place);
            }
        }
        let course = course(5_000);
        let back = Span::of(&course, Some(Turn(17)), 40);
        assert!(back.column(course.place_of(Turn(17))).is_some());
        assert!(Span::of(&Course::default(), None, 40).points(&course).next().is_none());
    }

    #[test]
    fn within_a_turn_there_is_one_more_point_and_what_ended_before_the_journal_was_read_stays() {
        let mut course = course(3);
        let memory = |turn, under_way| MemoryView {
            turn: Turn(turn),
            budget: Tokens(9),
            under_way: Tokens(under_way),
            ..MemoryView::default()
        };
        course.set_now(&memory(3, 5));
        assert_eq!(course.point(3).map(|now| now.turn), Some(Turn(4)));
        course.set_now(&memory(3, 0));
        assert_eq!((course.len(), course.point(2).unwrap().window()), (3, 0));
        course.set_now(&memory(3, 5));
        assert_eq!(course.point(2).unwrap().window(), 40, "as the turn ended");
        let mut late = Course::default();
        late.points.push(Point { turn: Turn(3), ..Point::default() });
        let told = CourseTurn { turn: Turn(3), layers: Layers::default(), full: Tokens(9) };
        late.load(PastCourse { turns: vec![told], happened: Vec::new() });
        assert_eq!(late.len(), 1);
    }
}
