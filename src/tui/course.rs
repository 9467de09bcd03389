//! How the window went, turn by turn: what the tide chart draws and the time machine walks along.
//!
//! One point a turn, added as the turn ends; a frame reads only the points that it shows.

use ratatui::layout::Rect;

use super::window_layers::{beside_fixed, fixed};
use crate::memory::{ChangeKind, Layers, Leads, MemoryView, Tier, Turn};
use crate::orchestrator::{CourseTurn, Happening, TurnReport};

/// Columns that one turn takes at most, so that the first turns do not fill the screen each.
const WIDEST: usize = 6;

/// Changes that are kept for a look back.
const LATELY: usize = 200;

/// What memory did in a turn, as far as a chart can mark it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// A log gave way to its summary.
    pub concluded: bool,
    /// Something left the window.
    pub left: bool,
    /// Something came back into it.
    pub returned: bool,
}

impl Marks {
    fn of(happened: impl Iterator<Item = ChangeKind>) -> Self {
        let mut marks = Self::default();
        for kind in happened {
            let (concluded, left, returned) = match (kind, kind.row().leads) {
                (_, Leads::Ends) => (true, false, false),
                (ChangeKind::SummaryReturned, _)
                | (_, Leads::To(Tier::Expanded) | Leads::GoesOn) => (false, false, true),
                (ChangeKind::Tide | ChangeKind::LeftOut | ChangeKind::NoteArchived, _)
                | (_, Leads::To(Tier::Evicted | Tier::Warm)) => (false, true, false),
                _ => (false, false, false),
            };
            marks.concluded |= concluded;
            marks.left |= left;
            marks.returned |= returned;
        }
        marks
    }
}

/// A turn in the chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// The turn.
    pub turn: Turn,
    /// Tokens of the window by layer.
    pub layers: Layers,
    /// Tokens that full history would send, beside prompt and tools.
    pub full: u64,
    /// What memory did.
    pub marks: Marks,
}

impl Point {
    /// Memory as it is now, as the point of a turn.
    fn of(memory: &MemoryView, turn: Turn, marks: Marks) -> Self {
        let full = memory.full_history.0.0.saturating_sub(fixed(&memory.layers));
        // Within a turn the window holds words that are in no log yet.
        let full = full.max(beside_fixed(&memory.layers));
        Self { turn, layers: memory.layers, full, marks }
    }

    /// Tokens of the window beside prompt and tools.
    pub fn window(&self) -> u64 {
        beside_fixed(&self.layers)
    }
}

/// The points of all turns that are known.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// Oldest first, by turn.
    points: Vec<Point>,
    /// Memory now, if it is past the last turn that ended.
    now: Option<Point>,
    /// What memory did last, oldest first.
    lately: Vec<(Turn, Happening)>,
}

impl Course {
    /// Takes what the journal tells of earlier turns.
    pub fn load(&mut self, turns: Vec<CourseTurn>) {
        let first = self.points.first().map(|point| point.turn);
        let earlier = turns.into_iter().filter(|turn| first.is_none_or(|first| turn.turn < first));
        let mut lately = Vec::new();
        let mut points = Vec::new();
        for turn in earlier {
            points.push(Point {
                turn: turn.turn,
                layers: turn.layers,
                full: turn.full.0.saturating_sub(fixed(&turn.layers)),
                marks: Marks::of(turn.happened.iter().map(|one| one.kind)),
            });
            lately.extend(turn.happened.into_iter().map(|one| (turn.turn, one)));
        }
        self.points.splice(0..0, points);
        let begin = lately.len().saturating_sub(LATELY);
        self.lately.splice(0..0, lately.drain(begin..));
    }

    /// A turn has ended.
    pub fn end_turn(&mut self, report: &TurnReport) {
        let marks = Marks::of(report.changes.iter().map(|change| change.kind));
        if self.points.last().is_none_or(|last| last.turn < report.turn) {
            self.points.push(Point::of(&report.memory, report.turn, marks));
        }
        let happened = report.changes.iter().map(|change| {
            let (id, cause) = (change.subject.to_string(), change.cause.clone());
            (report.turn, Happening { kind: change.kind, id, cause })
        });
        self.lately.extend(happened);
        let too_many = self.lately.len().saturating_sub(LATELY);
        self.lately.drain(..too_many);
    }

    /// Memory has changed. Between turns the last point is what it is now; within one there is one more.
    pub fn set_now(&mut self, memory: &MemoryView) {
        self.now = None;
        let is_empty = self.points.is_empty() && memory.turn.0 == 0 && memory.under_way.0 == 0;
        if memory.budget.0 == 0 || is_empty {
            return;
        }
        match self.points.last_mut() {
            Some(last) if last.turn == memory.turn && memory.under_way.0 == 0 => {
                *last = Point::of(memory, last.turn, last.marks);
            }
            _ => self.now = Some(Point::of(memory, Turn(memory.turn.0 + 1), Marks::default())),
        }
    }

    /// What memory did up to a turn, the last one first.
    pub fn lately(&self, until: Turn) -> impl Iterator<Item = &(Turn, Happening)> {
        self.lately.iter().rev().skip_while(move |(turn, _)| *turn > until)
    }

    /// How many points there are, that of the turn under way included.
    pub fn len(&self) -> usize {
        self.points.len() + usize::from(self.now.is_some())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point by its place from the oldest on.
    pub fn point(&self, at: usize) -> Option<&Point> {
        self.points.get(at).or(self.now.as_ref().filter(|_| at == self.points.len()))
    }

    /// The place of a turn, or of the first one after it.
    pub fn place_of(&self, turn: Turn) -> usize {
        self.points.partition_point(|point| point.turn < turn)
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
    use crate::memory::{Layer, Tokens};

    fn course(turns: u64) -> Course {
        let mut layers = Layers::default();
        layers.add(Layer::System, Tokens(300));
        layers.add(Layer::Ambient, Tokens(40));
        let turn = |turn| CourseTurn {
            turn: Turn(turn),
            layers,
            full: Tokens(300 + turn * 50),
            happened: vec![Happening {
                kind: ChangeKind::SummaryEvicted,
                id: "tea".into(),
                cause: String::new(),
            }],
        };
        let mut course = Course::default();
        course.load((1..=turns).map(turn).collect());
        course
    }

    #[test]
    fn what_everyone_pays_is_left_out_and_what_left_is_marked() {
        let course = course(3);
        let last = course.point(2).unwrap();
        assert_eq!((last.window(), last.full), (40, 150));
        assert_eq!(last.marks, Marks { left: true, ..Marks::default() });
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
        let mut late = Course::default();
        late.points.push(Point { turn: Turn(3), ..Point::default() });
        late.load(vec![CourseTurn {
            turn: Turn(3),
            layers: Layers::default(),
            full: Tokens(9),
            happened: vec![],
        }]);
        assert_eq!(late.len(), 1);
    }
}
