//! Asciicast, version 2: a line of JSON for the size, then one for each frame with what a terminal takes to get
//! from the frame before to this one.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use serde_json::{Value, json};

/// Nothing on the screen, and no cursor.
const BLANK: &str = "\u{1b}[?25l\u{1b}[0m\u{1b}[2J";

/// A recording that is being written.
#[derive(Debug)]
pub(super) struct Cast<W> {
    out: W,
    shown: Option<Buffer>,
}

impl<W: Write> Cast<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, shown: None }
    }

    /// Writes what is different from the frame before.
    ///
    /// # Errors
    /// Passes on what the file answers.
    pub(super) fn frame(&mut self, at: Duration, buffer: &Buffer) -> io::Result<()> {
        let area = buffer.area;
        let before = self.shown.take();
        let same_size = before.as_ref().is_some_and(|before| before.area == area);
        if before.is_none() {
            let (width, height) = (area.width, area.height);
            let header =
                json!({ "version": 2, "width": width, "height": height, "title": "Ebbtide" });
            self.line(&header)?;
        } else if !same_size {
            self.line(&event(at, "r", &format!("{}x{}", area.width, area.height)))?;
        }
        let bytes = match before.filter(|_| same_size) {
            Some(before) => steps(&before.diff(buffer)),
            None => BLANK.to_owned() + &steps(&Buffer::empty(area).diff(buffer)),
        };
        self.shown = Some(buffer.clone());
        if bytes.is_empty() { Ok(()) } else { self.line(&event(at, "o", &bytes)) }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn line(&mut self, line: &Value) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }
}

fn event(at: Duration, kind: &str, data: &str) -> Value {
    let micros = at.as_micros() as f64;
    json!([micros / 1_000_000.0, kind, data])
}

/// What a terminal takes to show some cells.
fn steps(cells: &[(u16, u16, &Cell)]) -> String {
    let mut bytes = String::new();
    let (mut next, mut style) = (None, None);
    for (x, y, cell) in cells {
        if next != Some((*x, *y)) {
            // Writing to a string cannot fail.
            let _ = write!(bytes, "\u{1b}[{};{}H", y + 1, x + 1);
        }
        let look = (cell.fg, cell.bg, cell.modifier);
        if style != Some(look) {
            bytes.push_str(&sgr(look));
            style = Some(look);
        }
        bytes.push_str(cell.symbol());
        // Behind a wide character the cursor's place is not taken for granted.
        next = (crate::text::width(cell.symbol()) == 1).then(|| (x + 1, *y));
    }
    bytes
}

/// The sequence for a style, from nothing.
fn sgr((fg, bg, modifier): (Color, Color, Modifier)) -> String {
    const MODIFIERS: [(Modifier, u8); 6] = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ];
    let set = MODIFIERS.iter().filter(|(flag, _)| modifier.contains(*flag));
    let codes = set.map(|(_, code)| code.to_string());
    let colours = [colour(fg, 30), colour(bg, 40)].into_iter().flatten();
    let all: Vec<String> = std::iter::once("0".to_owned()).chain(codes).chain(colours).collect();
    format!("\u{1b}[{}m", all.join(";"))
}

/// A colour; `base` is 30 for the letters, 40 for the ground.
fn colour(colour: Color, base: u8) -> Option<String> {
    match colour {
        Color::Reset => None,
        Color::Rgb(red, green, blue) => Some(format!("{};2;{red};{green};{blue}", base + 8)),
        Color::Indexed(index) => Some(format!("{};5;{index}", base + 8)),
        named => {
            let index = super::markup::index(named)?;
            Some(match index {
                0..8 => (base + index).to_string(),
                _ => (base + 52 + index).to_string(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn played(cast: &[u8]) -> vt100::Parser {
        let mut parser: Option<vt100::Parser> = None;
        for line in std::str::from_utf8(cast).unwrap().lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let Some(event) = value.as_array() else {
                let size = |key: &str| u16::try_from(value[key].as_u64().unwrap()).unwrap();
                parser = Some(vt100::Parser::new(size("height"), size("width"), 0));
                continue;
            };
            let parser = parser.as_mut().unwrap();
            let data = event[2].as_str().unwrap();
            match event[1].as_str().unwrap() {
                "r" => {
                    let (width, height) = data.split_once('x').unwrap();
                    let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
                    parser.screen_mut().set_size(height, width);
                }
                _ => parser.process(data.as_bytes()),
            }
        }
        parser.unwrap()
    }

    #[test]
    fn a_cast_played_into_a_terminal_gives_the_same_screen() {
        let mut cast = Cast::new(Vec::new());
        let look = Style::new().fg(Color::LightGreen).bg(Color::Rgb(1, 2, 3));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 3));
        buffer.set_string(0, 0, "ab 世界 cd", look.add_modifier(Modifier::BOLD));
        cast.frame(Duration::ZERO, &buffer).unwrap();
        buffer.set_string(3, 0, "xyz ", Style::new().fg(Color::Indexed(200)));
        buffer.set_string(0, 2, "\"quoted\\", Style::new().bg(Color::Blue));
        cast.frame(Duration::from_millis(40), &buffer).unwrap();
        cast.frame(Duration::from_millis(80), &buffer).unwrap();
        let mut wider = Buffer::empty(Rect::new(0, 0, 24, 2));
        wider.set_string(18, 1, "edge", look);
        let (first, lines) = (cast.out.clone(), 3);
        cast.frame(Duration::from_millis(120), &wider).unwrap();
        assert_eq!(std::str::from_utf8(&first).unwrap().lines().count(), lines, "nothing twice");
        let terminal = played(&first);
        let rows: Vec<String> = terminal.screen().rows(0, 20).collect();
        assert_eq!(rows[0].trim_end(), "ab xyz  cd");
        assert_eq!(rows[2].trim_end(), "\"quoted\\");
        let cell = terminal.screen().cell(0, 0).unwrap();
        assert_eq!((cell.fgcolor(), cell.bold()), (vt100::Color::Idx(10), true));
        assert_eq!(cell.bgcolor(), vt100::Color::Rgb(1, 2, 3));
        assert!(played(&cast.out).screen().contents().contains("edge"));
    }
}
