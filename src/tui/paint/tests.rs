use std::cell::RefCell;
use std::rc::Rc;

use proptest::prelude::*;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::*;

const WIDTH: u16 = 24;
const HEIGHT: u16 = 3;

/// Clusters that the terminal of the tests takes for wider or narrower, and some of which it does not.
const CLUSTERS: [&str; 12] = [
    "👍🏽",
    "👨\u{200d}👩\u{200d}👧",
    "❤\u{fe0f}",
    "1\u{fe0f}\u{20e3}",
    "🇩🇪",
    "दी",
    "น้ำ",
    "漢",
    "e\u{301}",
    "a",
    " ",
    "שָׁ",
];

/// What was written.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A terminal with other widths than ours, and what is drawn on it.
struct Screen {
    written: Written,
    terminal: Terminal<Painter<Written>>,
    parser: vt100::Parser,
}

impl Screen {
    fn new() -> Self {
        let written = Written::default();
        let painter = Painter::new(written.clone());
        painter.width.set(WIDTH);
        let viewport = Viewport::Fixed(Rect::new(0, 0, WIDTH, HEIGHT));
        let terminal = Terminal::with_options(painter, TerminalOptions { viewport }).unwrap();
        Self { written, terminal, parser: vt100::Parser::new(HEIGHT, WIDTH, 0) }
    }

    /// Draws lines and returns what was written.
    fn draw(&mut self, lines: &[&str]) -> String {
        let draw = |frame: &mut ratatui::Frame<'_>| {
            for (y, line) in (0..).zip(lines) {
                frame.buffer_mut().set_stringn(0, y, line, WIDTH.into(), Style::new());
            }
        };
        self.terminal.draw(draw).unwrap();
        let bytes = std::mem::take(&mut *self.written.0.borrow_mut());
        self.parser.process(&bytes);
        String::from_utf8(bytes).unwrap()
    }

    fn rows(&self) -> Vec<String> {
        self.parser.screen().rows(0, WIDTH).map(|row| row.trim_end().to_owned()).collect()
    }
}

#[test]
fn a_cluster_that_the_terminal_takes_for_wider_leaves_nothing_behind() {
    let mut screen = Screen::new();
    screen.draw(&["well done 👍🏽", "plain"]);
    assert_eq!(screen.rows()[0], "well done 👍");
    screen.draw(&["well", "plain"]);
    assert_eq!(screen.rows(), ["well", "plain", ""]);
}

#[test]
fn what_stands_behind_a_cluster_stands_where_it_is_counted_to() {
    let mut screen = Screen::new();
    for cluster in CLUSTERS {
        for behind in ["│", "│ next"] {
            screen.draw(&[&format!("{cluster}{cluster}{behind}")]);
            let at = (cluster.cell_width() * 2).min(WIDTH - 1);
            let cell = screen.parser.screen().cell(0, at).unwrap().contents();
            assert_eq!(cell, "│", "{cluster}");
        }
    }
}

#[test]
fn a_cluster_at_the_edge_stays_in_its_row() {
    let mut screen = Screen::new();
    let line = format!("{}👍🏽", "x".repeat(usize::from(WIDTH) - 2));
    let written = screen.draw(&[&line, "below"]);
    let (off, on) = (written.find("\u{1b}[?7l"), written.find("\u{1b}[?7h"));
    assert!(off < written.find("👍🏽") && written.find("👍🏽") < on, "{written:?}");
}

#[test]
fn a_row_of_agreed_clusters_is_written_by_what_has_changed() {
    let mut screen = Screen::new();
    screen.draw(&["the naïve cafe\u{301} of 漢字", "दी and more"]);
    let written = screen.draw(&["the naïve cafe\u{301} of 漢字!", "दी and more"]);
    assert!(written.contains("\u{1b}[1;23H!") && !written.contains("\u{1b}[K"), "{written:?}");
    assert!(!written.contains("naïve") && !written.contains('द'), "{written:?}");
    let written = screen.draw(&["the naïve cafe\u{301} of 漢字!", "दी and less"]);
    assert!(written.contains("\u{1b}[2;1H\u{1b}[K") && written.contains("दी"), "{written:?}");
}

#[test]
fn the_ground_of_a_cluster_is_painted_under_it() {
    let mut screen = Screen::new();
    let chosen = Style::new().bg(Color::Blue);
    let draw = |frame: &mut ratatui::Frame<'_>| {
        frame.buffer_mut().set_stringn(0, 0, "❤\u{fe0f}x", WIDTH.into(), chosen);
    };
    screen.terminal.draw(draw).unwrap();
    let bytes = std::mem::take(&mut *screen.written.0.borrow_mut());
    screen.parser.process(&bytes);
    for column in 0..3 {
        let cell = screen.parser.screen().cell(0, column).unwrap();
        assert_eq!(cell.bgcolor(), vt100::Color::Idx(4), "{column}");
    }
}

proptest! {
    #[test]
    fn after_any_rows_an_agreed_one_stands_alone(
        frames in prop::collection::vec(
            prop::collection::vec(prop::sample::select(CLUSTERS.as_slice()), 0..8),
            1..6,
        ),
    ) {
        let mut screen = Screen::new();
        for clusters in &frames {
            let line = clusters.concat();
            screen.draw(&["first", &line, &line]);
            prop_assert_eq!(&screen.rows()[0], "first");
        }
        screen.draw(&["first", "second", ""]);
        prop_assert_eq!(screen.rows(), ["first", "second", ""]);
    }
}
