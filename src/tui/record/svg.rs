//! An animated SVG. Each row is cut into pieces; a piece of the screen is a strip of all that it ever showed, and
//! jumps from one to the next. What looks alike is drawn once. If it would be too large it shows fewer frames.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::markup::{HEIGHT, WIDTH, ground, piece};

/// The most that a picture may have, in bytes.
const MOST: usize = 950_000;

/// Columns of a piece.
const COLUMNS: u16 = 40;

/// Around the screen.
const MARGIN: f32 = 12.0;

/// How long the last frame stays before the film begins again.
const LAST: Duration = Duration::from_secs(5);

/// The shortest time between two frames of the picture, and by how much more it grows while the picture is too
/// large.
const FINEST: Duration = Duration::from_millis(60);
const COARSER: f64 = 1.5;

/// A film of the screen, as far as it has been taken.
#[derive(Debug)]
pub(super) struct Film {
    light: bool,
    area: Rect,
    shown: Option<Buffer>,
    /// All that pieces ever showed, and their numbers.
    drawn: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The frames: when, and the number of each piece.
    frames: Vec<(Duration, Vec<u32>)>,
}

impl Film {
    pub(super) fn new(light: bool) -> Self {
        let (drawn, numbers) = (Vec::new(), HashMap::new());
        Self { light, area: Rect::default(), shown: None, drawn, numbers, frames: Vec::new() }
    }

    /// Keeps a frame. The picture is as large as the first one; of a larger one its corner is kept.
    pub(super) fn frame(&mut self, at: Duration, buffer: &Buffer) {
        if self.frames.is_empty() {
            self.area = buffer.area;
        }
        if self.shown.as_ref() == Some(buffer) {
            return;
        }
        let same = self.shown.as_ref().is_some_and(|shown| shown.area == buffer.area);
        let places: Vec<(u16, u16)> = self.places().collect();
        let mut numbers =
            self.frames.last().map(|(_, numbers)| numbers.clone()).unwrap_or_default();
        numbers.resize(places.len(), u32::MAX);
        for (place, number) in places.into_iter().zip(&mut numbers) {
            let range = self.range(buffer, place);
            let cells = &buffer.content[range.clone()];
            let before = self.shown.as_ref().filter(|_| same).map(|shown| &shown.content[range]);
            if before != Some(cells) {
                *number = self.number(piece(cells, self.light));
            }
        }
        self.shown = Some(buffer.clone());
        self.frames.push((at, numbers));
    }

    /// Where the pieces begin, row by row.
    fn places(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let Rect { width, height, .. } = self.area;
        (0..height).flat_map(move |y| (0..width).step_by(usize::from(COLUMNS)).map(move |x| (x, y)))
    }

    /// The cells of a piece; none where the screen has become smaller.
    fn range(&self, buffer: &Buffer, (x, y): (u16, u16)) -> std::ops::Range<usize> {
        let width = self.area.width.min(buffer.area.width);
        if y >= buffer.area.height || x >= width {
            return 0..0;
        }
        let start = usize::from(y) * usize::from(buffer.area.width) + usize::from(x);
        start..start + usize::from(COLUMNS.min(width - x))
    }

    fn number(&mut self, drawn: String) -> u32 {
        if let Some(number) = self.numbers.get(&drawn) {
            return *number;
        }
        let number = u32::try_from(self.drawn.len()).unwrap_or(u32::MAX);
        self.drawn.push(drawn.clone());
        self.numbers.insert(drawn, number);
        number
    }

    /// The picture, with as many frames as there is room for.
    pub(super) fn drawn(&self) -> String {
        let mut apart = FINEST;
        loop {
            let svg = self.at_intervals(apart);
            if svg.len() <= MOST || apart > Duration::from_secs(3_600) {
                return svg;
            }
            apart = apart.mul_f64(COARSER);
        }
    }

    /// The frames that are shown if there is one at most in each interval: the last one of it.
    fn chosen(&self, apart: Duration) -> Vec<&(Duration, Vec<u32>)> {
        let slot = |at: Duration| at.as_millis() / apart.as_millis().max(1);
        let mut chosen: Vec<&(Duration, Vec<u32>)> = Vec::new();
        for frame in &self.frames {
            let is_first = chosen.len() == 1;
            match chosen.last_mut() {
                Some(last) if slot(last.0) == slot(frame.0) && !is_first => *last = frame,
                _ => chosen.push(frame),
            }
        }
        chosen
    }

    fn at_intervals(&self, apart: Duration) -> String {
        let frames = self.chosen(apart);
        let (width, height) = (
            f32::from(self.area.width) * WIDTH + 2.0 * MARGIN,
            f32::from(self.area.height) * HEIGHT + 2.0 * MARGIN,
        );
        let begin = frames.first().map_or(Duration::ZERO, |(at, _)| *at);
        let all = frames.last().map_or(LAST, |(at, _)| at.saturating_sub(begin) + LAST);
        let (mut body, mut style) = (String::new(), String::new());
        let mut used = vec![false; self.drawn.len()];
        for (nth, place) in self.places().enumerate() {
            let strip = Strip::of(nth, place, &frames, begin, all);
            strip.draw(nth, &mut body, &mut style, &mut used);
        }
        let mut defs = String::new();
        for (number, drawn) in self.drawn.iter().enumerate().filter(|(number, _)| used[*number]) {
            // Writing to a string cannot fail.
            let _ = write!(defs, "<g id=\"p{number}\">{drawn}</g>");
        }
        let seconds = all.as_secs_f32();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\" \
             xml:space=\"preserve\"><style>.s{{animation-duration:{seconds:.2}s;\
             animation-iteration-count:infinite;animation-timing-function:step-end}}{style}</style>\
             <defs>{defs}</defs><rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>{body}</svg>\n",
            ground(self.light)
        )
    }
}

/// All that a piece of the screen shows in its time.
struct Strip {
    x: f32,
    y: f32,
    /// From which part of the film on, in percent, which drawing.
    shown: Vec<(f32, u32)>,
}

impl Strip {
    fn of(
        nth: usize,
        (x, y): (u16, u16),
        frames: &[&(Duration, Vec<u32>)],
        begin: Duration,
        all: Duration,
    ) -> Self {
        let mut shown: Vec<(f32, u32)> = Vec::new();
        for (at, numbers) in frames {
            if shown.last().is_none_or(|(_, last)| *last != numbers[nth]) {
                let part = at.saturating_sub(begin).as_secs_f32() / all.as_secs_f32() * 100.0;
                shown.push((part, numbers[nth]));
            }
        }
        Self { x: f32::from(x) * WIDTH + MARGIN, y: f32::from(y) * HEIGHT + MARGIN, shown }
    }

    /// Its drawings lie side by side behind a window of a piece's size.
    fn draw(&self, nth: usize, body: &mut String, style: &mut String, used: &mut [bool]) {
        let (wide, high) = (f32::from(COLUMNS) * WIDTH, HEIGHT);
        let mut lying: Vec<u32> = Vec::new();
        let mut frames = String::new();
        for (part, number) in &self.shown {
            used[*number as usize] = true;
            let place = lying.iter().position(|known| known == number).unwrap_or_else(|| {
                lying.push(*number);
                lying.len() - 1
            });
            let _ = write!(frames, "{part:.2}%{{transform:translate({}px)}}", place as f32 * -wide);
        }
        let (x, y) = (self.x, self.y);
        if let [only] = lying[..] {
            let _ = write!(body, "<use href=\"#p{only}\" x=\"{x:.1}\" y=\"{y:.1}\"/>");
            return;
        }
        let _ = write!(style, "@keyframes k{nth}{{{frames}}}");
        let _ = write!(
            body,
            "<svg x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high}\"><g class=\"s\" \
             style=\"animation-name:k{nth}\">"
        );
        for (place, number) in lying.iter().enumerate() {
            let _ = match place {
                0 => write!(body, "<use href=\"#p{number}\"/>"),
                _ => write!(body, "<use href=\"#p{number}\" x=\"{}\"/>", place as f32 * wide),
            };
        }
        body.push_str("</g></svg>");
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Style};

    use super::*;

    fn film(frames: u64, words: impl Fn(u64, u16) -> String) -> String {
        let mut film = Film::new(false);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 100, 30));
        for nth in 0..frames {
            for y in 0..30 {
                buffer.set_string(0, y, words(nth, y), Style::new().fg(Color::Cyan));
            }
            film.frame(Duration::from_millis(nth * 70), &buffer);
        }
        film.drawn()
    }

    #[test]
    fn what_does_not_change_is_drawn_once_and_what_changes_is_animated() {
        let svg = film(3, |nth, y| format!("row {}", if y == 4 { nth } else { 0 }));
        assert_eq!(svg.matches("row 0").count(), 1);
        assert_eq!(svg.matches("@keyframes").count(), 1);
        assert!(svg.contains("row 1") && svg.contains("row 2"));
        assert!(film(1, |_, _| "a < b & c".to_owned()).contains("a &lt; b &amp; c"));
    }

    #[test]
    fn a_film_of_any_length_stays_under_a_megabyte_and_ends_with_its_last_frame() {
        let svg =
            film(300, |nth, y| format!("{:>90}", (nth * 31 + u64::from(y) * 7_919) * 1_000_003));
        assert!(svg.len() < 1_000_000, "{}", svg.len());
        assert!(svg.contains(&(299 * 31 * 1_000_003_u64).to_string()));
    }

    #[test]
    fn a_bar_is_made_of_boxes_without_gaps() {
        let svg = film(1, |_, _| "██████▌".to_owned());
        assert!(svg.contains("width=\"50.4\" height=\"18.0\"") && !svg.contains('█'), "{svg}");
        assert!(svg.contains("width=\"4.2\""));
    }
}
