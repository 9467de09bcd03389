//! Two answers to the same question over the chat, and the key that says which is better. Until then nothing on
//! the screen tells which of them was made with the window.

use std::sync::Arc;

use super::{Level, Overlay, Taken};
use crate::orchestrator::{Op, Side, SideAnswer, Verdict, Versus};
use crate::tui::app::{Action, App};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;

/// How far one of the answers is.
#[derive(Debug, Clone)]
pub struct Seat {
    /// What it is made with.
    pub side: Side,
    /// What came so far.
    pub text: String,
    /// How it ended; an error is a sentence.
    pub ended: Option<Result<SideAnswer, String>>,
}

/// Two answers side by side.
#[derive(Debug, Clone)]
pub struct VersusPage {
    /// The question.
    pub question: Arc<str>,
    /// The left one and the right one.
    pub seats: [Seat; 2],
    /// Which is better, once a key has said so.
    pub verdict: Option<Verdict>,
    /// The first line on screen of both.
    pub place: Place,
    /// How many lines can be the first one on screen, as last drawn.
    pub places: usize,
}

impl VersusPage {
    fn new(question: Arc<str>, left: Side) -> Self {
        let right = if left == Side::Window { Side::FullHistory } else { Side::Window };
        let seats = [left, right].map(|side| Seat { side, text: String::new(), ended: None });
        Self { question, seats, verdict: None, place: Place::default(), places: 0 }
    }

    fn seat(&mut self, side: Side) -> &mut Seat {
        let [left, right] = &mut self.seats;
        if left.side == side { left } else { right }
    }

    /// Whether both have ended, well or not.
    pub fn is_over(&self) -> bool {
        self.seats.iter().all(|seat| seat.ended.is_some())
    }

    /// Whether it may be told which is which: after the verdict, and where there is nothing to judge.
    pub fn is_open(&self) -> bool {
        self.verdict.is_some() || self.seats.iter().any(|seat| matches!(seat.ended, Some(Err(_))))
    }

    fn judge(&mut self, better: Option<usize>, app: &mut App) -> Taken {
        if !self.is_over() {
            app.show_hint("both answers must be there first");
        }
        if !self.is_over() || self.is_open() {
            return Taken::STAYS;
        }
        let verdict = match better.map(|at| self.seats[at].side) {
            Some(Side::Window) => Verdict::Window,
            Some(Side::FullHistory) => Verdict::FullHistory,
            None => Verdict::Same,
        };
        self.verdict = Some(verdict);
        Taken::Stays(vec![Action::Send(Op::Judge(verdict))])
    }
}

impl App {
    /// Something of a question that is put twice.
    pub(in crate::tui::app) fn take_versus(&mut self, news: Versus) {
        if let Versus::Began { question, left } = news {
            return self.stack.put(VersusPage::new(question, left));
        }
        let Some(page) = self.stack.get_mut::<VersusPage>() else { return };
        match news {
            Versus::Began { .. } => {}
            Versus::Text(side, text) => page.seat(side).text.push_str(&text),
            Versus::Answered(side, answer) => {
                let seat = page.seat(side);
                seat.text.clone_from(&answer.text);
                seat.ended = Some(Ok(answer));
            }
            Versus::Failed(side, why) => page.seat(side).ended = Some(Err(why)),
        }
    }
}

impl Overlay for VersusPage {
    fn level(&self) -> Level {
        Level::Dialog
    }

    fn scope(&self) -> Scope {
        Scope::Versus
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        Some((&mut self.place, self.places))
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match action {
            KeyAction::LeftBetter => self.judge(Some(0), app),
            KeyAction::RightBetter => self.judge(Some(1), app),
            KeyAction::NoDifference => self.judge(None, app),
            KeyAction::Cancel if !self.is_over() => Taken::Closes(vec![Action::Send(Op::Cancel)]),
            _ => Taken::Ignored,
        }
    }
}
