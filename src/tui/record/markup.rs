//! Cells as pieces of an SVG: text with its colours, and blocks as boxes, so that a bar has no gaps.

use std::fmt::Write as _;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use crate::xml;

/// The size of a cell in user units, and where its base line is.
pub(super) const WIDTH: f32 = 8.4;
pub(super) const HEIGHT: f32 = 18.0;
const BASE: f32 = 13.5;

/// The ground and the letters, dark and light.
const DARK_GROUND: (&str, &str) = ("#11151c", "#d5d9e0");
const LIGHT_GROUND: (&str, &str) = ("#ffffff", "#24292f");

/// The sixteen named colours on dark and on light.
const DARK: [&str; 16] = [
    "#22262e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
    "#6b7280", "#ff7b86", "#b5e08c", "#ffd58a", "#7cc4ff", "#de8ff5", "#6fd3e0", "#ffffff",
];
const LIGHT: [&str; 16] = [
    "#24292f", "#c0273c", "#1a7f37", "#8a6100", "#0550ae", "#8250df", "#0b7285", "#6e7781",
    "#57606a", "#a40e26", "#116329", "#6c4a00", "#033d8b", "#6639ba", "#095c6b", "#24292f",
];

/// The number of a named colour, 0 to 15.
pub(super) fn index(colour: Color) -> Option<u8> {
    Some(match colour {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        Color::Reset | Color::Rgb(..) | Color::Indexed(_) => return None,
    })
}

/// The ground of a picture.
pub(super) fn ground(light: bool) -> &'static str {
    if light { LIGHT_GROUND.0 } else { DARK_GROUND.0 }
}

/// How a cell is drawn.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    fore: String,
    back: Option<String>,
    bold: bool,
    faint: bool,
}

impl Look {
    fn of(cell: &Cell, light: bool) -> Self {
        let (paper, own) = if light { LIGHT_GROUND } else { DARK_GROUND };
        let fore = hex(cell.fg, light).unwrap_or_else(|| own.to_owned());
        let back = hex(cell.bg, light);
        let (fore, back) = if cell.modifier.contains(Modifier::REVERSED) {
            (back.unwrap_or_else(|| paper.to_owned()), Some(fore))
        } else {
            (fore, back)
        };
        let has = |flag| cell.modifier.contains(flag);
        Self { fore, back, bold: has(Modifier::BOLD), faint: has(Modifier::DIM) }
    }
}

/// The part of a block character that is filled: left, top, width and height in eighths, and how densely.
fn block(symbol: &str) -> Option<([u8; 4], f32)> {
    let mut chars = symbol.chars();
    let (letter, None) = (chars.next()?, chars.next()) else { return None };
    let code = u32::from(letter);
    let eighths = |from: u32| u8::try_from(code - from + 1).unwrap_or(8);
    Some(match letter {
        '▁'..='█' => ([0, 8 - eighths(0x2581), 8, eighths(0x2581)], 1.0),
        '▉'..='▏' => ([0, 0, 8 - eighths(0x2589), 8], 1.0),
        '▀' => ([0, 0, 8, 4], 1.0),
        '▐' => ([4, 0, 4, 8], 1.0),
        '░' => ([0, 0, 8, 8], 0.25),
        '▒' => ([0, 0, 8, 8], 0.5),
        '▓' => ([0, 0, 8, 8], 0.75),
        _ => return None,
    })
}

/// A piece of a row, its cells from the left, as SVG around the origin.
pub(super) fn piece(cells: &[Cell], light: bool) -> String {
    let mut svg = String::new();
    let mut at = 0;
    while at < cells.len() {
        let look = Look::of(&cells[at], light);
        let kind = block(cells[at].symbol());
        let alike = |cell: &&Cell| Look::of(cell, light) == look && block(cell.symbol()) == kind;
        let count = cells[at..].iter().take_while(alike).count().max(1);
        run(&cells[at..at + count], at, &look, kind, &mut svg);
        at += count;
    }
    svg
}

/// Cells that look alike.
fn run(cells: &[Cell], at: usize, look: &Look, kind: Option<([u8; 4], f32)>, svg: &mut String) {
    let (x, width) = (at as f32 * WIDTH, cells.len() as f32 * WIDTH);
    // Writing to a string cannot fail.
    if let Some(back) = &look.back {
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"{back}\"/>"
        );
    }
    let faint = if look.faint { " opacity=\".6\"" } else { "" };
    if let Some(([left, top, wide, high], dense)) = kind {
        let part = |eighths: u8, whole: f32| f32::from(eighths) / 8.0 * whole;
        // A part of a cell's width is drawn cell by cell.
        let boxes = if wide == 8 { 1 } else { cells.len() };
        for nth in 0..boxes {
            let x = x + nth as f32 * WIDTH + part(left, WIDTH);
            let width = if wide == 8 { width } else { part(wide, WIDTH) };
            let dense =
                if dense < 1.0 { format!(" opacity=\"{dense}\"") } else { faint.to_owned() };
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"{dense}/>",
                part(top, HEIGHT),
                part(high, HEIGHT),
                look.fore
            );
        }
        return;
    }
    let text: String = cells.iter().map(Cell::symbol).collect();
    let (skipped, said) = (text.len() - text.trim_start().len(), text.trim());
    if said.is_empty() {
        return;
    }
    // Spaces at the ends need not be drawn; what is left is one column a character but for wide ones.
    let x = x + skipped as f32 * WIDTH;
    let columns = crate::text::width(said);
    let length = if columns > 2 {
        format!(" textLength=\"{:.1}\"", columns as f32 * WIDTH)
    } else {
        String::new()
    };
    let bold = if look.bold { " font-weight=\"bold\"" } else { "" };
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{BASE}\"{length} fill=\"{}\"{bold}{faint}>{}</text>",
        look.fore,
        escape(said)
    );
}

fn hex(colour: Color, light: bool) -> Option<String> {
    let named = if light { &LIGHT } else { &DARK };
    match colour {
        Color::Reset => None,
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Indexed(number @ 0..16) => Some(named[usize::from(number)].to_owned()),
        Color::Indexed(number @ 16..232) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = number - 16;
            let (red, green, blue) = (level(cube / 36), level(cube / 6 % 6), level(cube % 6));
            Some(format!("#{red:02x}{green:02x}{blue:02x}"))
        }
        Color::Indexed(number) => {
            let grey = 8 + 10 * (number - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
        colour => index(colour).map(|number| named[usize::from(number)].to_owned()),
    }
}

/// What is on the screen, as such documents have it.
fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    xml::escape(&plain).replace('>', "&gt;")
}
