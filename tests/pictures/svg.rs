//! A terminal's screen as SVG.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// The size of one cell in user units, and where its base line is.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
const BASE: f32 = 13.5;

/// Around the screen.
const MARGIN: f32 = 12.0;

/// The sixteen named colours on dark and on light.
const DARK: [&str; 16] = [
    "#22262e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
    "#6b7280", "#ff7b86", "#b5e08c", "#ffd58a", "#7cc4ff", "#de8ff5", "#6fd3e0", "#ffffff",
];
const LIGHT: [&str; 16] = [
    "#24292f", "#c0273c", "#1a7f37", "#8a6100", "#0550ae", "#8250df", "#0b7285", "#6e7781",
    "#57606a", "#a40e26", "#116329", "#6c4a00", "#033d8b", "#6639ba", "#095c6b", "#24292f",
];

/// Draws a screen.
pub(crate) fn draw(screen: &Screen, light: bool) -> String {
    let (rows, columns) = screen.size();
    let width = f32::from(columns) * WIDTH + 2.0 * MARGIN;
    let height = f32::from(rows) * HEIGHT + 2.0 * MARGIN;
    let back = if light { "#ffffff" } else { "#11151c" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{back}\"/>\n"
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            column += run(screen, row, column, columns, light, &mut svg);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws the cells from a place on that look alike, and returns how many they are.
fn run(screen: &Screen, row: u16, column: u16, columns: u16, light: bool, svg: &mut String) -> u16 {
    let Some(first) = screen.cell(row, column) else { return 1 };
    let look = Look::of(first, light);
    let mut text = String::new();
    let mut count = 0;
    while column + count < columns {
        let Some(cell) = screen.cell(row, column + count) else { break };
        if Look::of(cell, light) != look {
            break;
        }
        if !cell.is_wide_continuation() {
            text.push_str(if cell.has_contents() { cell.contents() } else { " " });
        }
        count += 1;
    }
    let x = f32::from(column) * WIDTH + MARGIN;
    let y = f32::from(row) * HEIGHT + MARGIN;
    let width = f32::from(count) * WIDTH;
    if let Some(back) = &look.back {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"{back}\"/>"
        );
    }
    if !text.trim().is_empty() {
        let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
             fill=\"{}\"{weight} xml:space=\"preserve\">{}</text>",
            y + BASE,
            look.fore,
            escape(&text)
        );
    }
    count.max(1)
}

/// How a cell is drawn.
#[derive(PartialEq)]
struct Look {
    fore: String,
    back: Option<String>,
    bold: bool,
}

impl Look {
    fn of(cell: &Cell, light: bool) -> Self {
        let own = if light { "#24292f" } else { "#d5d9e0" };
        let paper = if light { "#ffffff" } else { "#11151c" };
        let fore = hex(cell.fgcolor(), light).unwrap_or_else(|| own.to_owned());
        let back = hex(cell.bgcolor(), light);
        let fore = if cell.dim() { faded(light) } else { fore };
        let (fore, back) = if cell.inverse() {
            (back.unwrap_or_else(|| paper.to_owned()), Some(fore))
        } else {
            (fore, back)
        };
        Self { fore, back, bold: cell.bold() }
    }
}

fn faded(light: bool) -> String {
    if light { "#8c959f" } else { "#7a828e" }.to_owned()
}

fn hex(colour: Color, light: bool) -> Option<String> {
    let named = if light { &LIGHT } else { &DARK };
    match colour {
        Color::Default => None,
        Color::Idx(index @ 0..16) => Some(named[usize::from(index)].to_owned()),
        Color::Idx(index @ 16..232) => {
            let (cube, level) = (index - 16, |step: u8| if step == 0 { 0 } else { 55 + 40 * step });
            let (red, green, blue) = (level(cube / 36), level(cube / 6 % 6), level(cube % 6));
            Some(format!("#{red:02x}{green:02x}{blue:02x}"))
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
