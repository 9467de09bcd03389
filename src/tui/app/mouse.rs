//! What the mouse does: the wheel scrolls what is under it, a drag over the chat copies.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::layer::Reach;
use super::{Action, App, Focus, Past};
use crate::tui::keymap::KeyAction;
use crate::tui::transcript::Spot;
use crate::tui::words;

/// Rows that one step of the wheel scrolls.
const WHEEL: usize = 3;

impl App {
    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent) -> Vec<Action> {
        let place = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => return self.wheel(place, true),
            MouseEventKind::ScrollDown => return self.wheel(place, false),
            MouseEventKind::Down(MouseButton::Left) => {
                self.chart.ruling = self.reaches_chart(place);
                if self.chart.ruling {
                    return self.look_along(place);
                }
                self.press(place);
            }
            MouseEventKind::Drag(MouseButton::Left) if self.chart.ruling => {
                return self.look_along(place);
            }
            MouseEventKind::Drag(MouseButton::Left) => self.drag(place),
            MouseEventKind::Up(MouseButton::Left) if self.chart.ruling => self.chart.ruling = false,
            MouseEventKind::Up(MouseButton::Left) => return self.release(),
            _ => {}
        }
        Vec::new()
    }

    /// Whether a place is on the chart, and nothing but the time machine lies over it.
    fn reaches_chart(&self, place: Position) -> bool {
        // Its heading, where it has one, is a word like others.
        let is_heading = self.chart.place.area.height > 1 && place.y == self.chart.place.area.y;
        self.stack.reach() >= Reach::Wheel && self.chart.place.area.contains(place) && !is_heading
    }

    /// Shows the turn at a place of the chart as it was; the last one is now.
    fn look_along(&mut self, place: Position) -> Vec<Action> {
        let Some(turn) = self.chart.place.turn(&self.chart.course, place.x) else {
            return Vec::new();
        };
        let now = turn >= self.memory.turn;
        match self.past().map(Past::turn) {
            Some(shown) if shown == turn => Vec::new(),
            Some(_) if now => self.act_on_top(KeyAction::Cancel).unwrap_or_default(),
            None if now => Vec::new(),
            _ => self.look_back(Some(turn)),
        }
    }

    fn wheel(&mut self, place: Position, back: bool) -> Vec<Action> {
        if self.stack.reach() == Reach::Nothing {
            let step = if back { KeyAction::Up } else { KeyAction::Down };
            return (0..WHEEL).filter_map(|_| self.act_on_top(step)).flatten().collect();
        }
        if self.panel_area.is_some_and(|area| area.contains(place)) {
            self.scroll_panel(back);
        } else if back {
            self.transcript.scroll_up(WHEEL);
        } else {
            self.transcript.scroll_down(WHEEL);
        }
        Vec::new()
    }

    /// The wheel over the panel moves the selection while the panel has the keys, else the rows.
    fn scroll_panel(&mut self, back: bool) {
        let rows = if back { -WHEEL.cast_signed() } else { WHEEL.cast_signed() };
        if self.focus == Focus::Panel {
            let listed = self.filtered.as_ref().unwrap_or(&self.memory);
            self.panel.step(rows, listed);
        } else {
            self.panel.offset = self.panel.offset.saturating_add_signed(rows);
        }
    }

    /// The chat's area, while the mouse can reach it.
    fn chat_area(&self) -> Option<Rect> {
        self.chat.area.filter(|_| self.stack.reach() == Reach::All)
    }

    fn press(&mut self, place: Position) {
        self.transcript.unmark();
        self.chat.drag = None;
        if self.stack.reach() < Reach::All {
            return self.stack.click(place);
        }
        if self.panel_area.is_some_and(|area| area.contains(place)) {
            self.transcript.leave();
            return self.click_panel(place);
        }
        let written = self.chat.written;
        if written.contains(place) && self.demo.is_none() {
            self.transcript.leave();
            self.focus = Focus::Input;
            return self.input.click(place.y - written.y, place.x - written.x);
        }
        if place.y == self.segments.0
            && let Some((layer, _)) = self.segments.1.iter().find(|(_, end)| place.x < *end)
        {
            let says = words::of_layer(*layer);
            return self.toast(&says);
        }
        let Some(area) = self.chat.area.filter(|area| area.contains(place)) else {
            self.asked = Some(place);
            return;
        };
        self.chat.drag = self.spot(place, area).map(|spot| (spot, false));
    }

    /// Marks from where the button was pressed; at the edges the conversation scrolls.
    fn drag(&mut self, place: Position) {
        let (Some((from, _)), Some(area)) = (self.chat.drag, self.chat_area()) else { return };
        if place.y < area.y {
            self.transcript.scroll_up(1);
        } else if place.y >= area.bottom() {
            self.transcript.scroll_down(1);
        }
        let x = place.x.clamp(area.x, area.right().saturating_sub(1));
        let y = place.y.clamp(area.y, area.bottom().saturating_sub(1));
        if let Some(to) = self.spot(Position::new(x, y), area) {
            self.chat.drag = Some((from, true));
            self.transcript.mark(from, to);
        }
    }

    /// What is marked is copied; a press without a move chooses the message.
    fn release(&mut self) -> Vec<Action> {
        let Some((spot, moved)) = self.chat.drag.take() else { return Vec::new() };
        if !moved {
            if self.stack.top().is_none() {
                self.focus = Focus::Chat;
                self.transcript.choose_at(spot);
            }
            return Vec::new();
        }
        match self.transcript.marked() {
            Some(text) => self.copy(text, "the selection"),
            None => Vec::new(),
        }
    }

    fn spot(&mut self, place: Position, area: Rect) -> Option<Spot> {
        let row = usize::from(place.y.saturating_sub(area.y));
        let column = usize::from(place.x.saturating_sub(area.x));
        self.transcript.spot(row, column)
    }
}
