//! How memory is seen to move: frame by frame, at times that the test gives.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyCode;
use ebbtide::memory::{
    FullHistory, ItemView, Layer, Layers, ManifestView, MemoryView, Tier, Tokens, Turn,
};
use ebbtide::orchestrator::Notice;
use ebbtide::tui::app::{App, Msg};
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view;

use super::support::screen::{Desk, item, model, opened};

/// Three summaries in the window, or the last of them only in the manifest.
fn memory(evicted: bool) -> MemoryView {
    let warm = |id: &str, left| item(id, Tier::Warm, Some((left, 20)));
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(1_000));
    layers.add(Layer::Ambient, Tokens(700));
    layers.add(Layer::Summaries, Tokens(if evicted { 240 } else { 360 }));
    let mut all = vec![warm("leaving-now", 1), warm("in-the-middle", 9), warm("just-made", 20)];
    let gone = if evicted { vec![all.remove(0)] } else { Vec::new() };
    let gone = gone.into_iter().map(|item| ItemView {
        state: Tier::Evicted,
        tokens: Tokens(0),
        turns_left: None,
        ..item
    });
    MemoryView {
        turn: Turn(30),
        layers,
        budget: Tokens(16_000),
        soft_line: Tokens(11_200),
        full_history: FullHistory { tokens: Tokens(9_000), is_counted: true },
        warm: all,
        manifest: ManifestView {
            concluded: 3,
            evicted: usize::from(evicted),
            recent: gone.collect(),
        },
        ..MemoryView::default()
    }
}

fn desk(animations: bool, (width, height): (u16, u16)) -> Desk {
    let theme = Theme::detect(true, ThemeChoice::Auto, None);
    let app = App::new(theme);
    let mut desk = Desk::of(if animations { app } else { app.still() }, width, height);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    desk.notice(Notice::Memory(Arc::new(memory(false))));
    desk.screen();
    desk.app.update(Msg::Tick(Duration::from_secs(10)));
    desk.notice(Notice::Memory(Arc::new(memory(true))));
    desk
}

fn frame(desk: &mut Desk, millis: u64) -> String {
    desk.app.update(Msg::Tick(Duration::from_millis(10_000 + millis)));
    desk.screen()
}

fn row(screen: &str, words: &str) -> usize {
    screen
        .lines()
        .position(|line| line.contains(words))
        .unwrap_or_else(|| panic!("{words}:\n{screen}"))
}

#[test]
fn what_leaves_sinks_across_the_shore_while_its_tokens_run_down_and_swell_the_logs() {
    let mut desk = desk(true, (120, 36));
    let (mut rows, mut tokens) = (Vec::new(), Vec::new());
    for millis in (0..800).step_by(40) {
        let screen = frame(&mut desk, millis);
        let at = row(&screen, "▼ leaving-now");
        rows.push(at);
        let line = screen.lines().nth(at).unwrap().trim_end_matches('"');
        tokens.push(line.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
        assert!(millis < 200 || row(&screen, "RAW LOGS +") > at, "{screen}");
    }
    let still = frame(&mut desk, 5_000);
    let shore = row(&still, "SHORE");
    assert!(rows.is_sorted() && rows[0] <= shore && *rows.last().unwrap() > shore, "{rows:?}");
    assert!(tokens.is_sorted_by(|one, next| one >= next) && tokens[0] == 120, "{tokens:?}");
    assert!(*tokens.last().unwrap() < 10, "{tokens:?}");
    assert!(row(&still, "▫ leaving-now") > shore && !still.contains("RAW LOGS +"), "{still}");
    assert!(!desk.app.is_animated(), "a screen at rest draws nothing");
}

#[test]
fn what_returns_rises_into_the_window() {
    let mut desk = desk(true, (120, 36));
    frame(&mut desk, 5_000);
    desk.notice(Notice::Memory(Arc::new(memory(false))));
    let rows: Vec<usize> =
        (5_000..5_800).step_by(40).map(|at| row(&frame(&mut desk, at), "▲ leaving-now")).collect();
    let shore = row(&frame(&mut desk, 9_000), "SHORE");
    assert!(rows.is_sorted_by(|one, next| one >= next), "{rows:?}");
    assert!(rows[0] > shore && *rows.last().unwrap() < shore, "{rows:?}, shore {shore}");
}

#[test]
fn without_animations_everything_is_in_its_place_at_once() {
    let mut desk = desk(false, (120, 36));
    let screen = desk.screen();
    assert!(row(&screen, "▫ leaving-now") > row(&screen, "SHORE"), "{screen}");
    assert!(
        !screen.contains("▼ leaving") && !screen.contains('−') && !desk.app.is_animated(),
        "{screen}"
    );
}

/// The screen at a moment as it is drawn over what stood there before, by differences alone.
fn over_old_cells(desk: &mut Desk, millis: u64) -> String {
    let app = &mut desk.app;
    app.update(Msg::Tick(Duration::from_millis(10_000 + millis)));
    desk.terminal.draw(|frame| view::render(app, frame)).unwrap();
    desk.terminal.backend().to_string()
}

#[test]
fn a_resize_at_any_moment_of_it_breaks_nothing() {
    let sizes = [(40, 12), (300, 100), (80, 24), (100, 13), (200, 60), (99, 18), (120, 36)];
    for start in sizes {
        let mut desk = desk(true, start);
        for (nth, (width, height)) in sizes.into_iter().cycle().take(28).enumerate() {
            desk.resize(width, height);
            for millis in [nth as u64 * 40, nth as u64 * 40 + 20] {
                let over = over_old_cells(&mut desk, millis);
                assert_eq!(over.lines().count(), usize::from(height));
                assert_eq!(over, desk.screen(), "{width}x{height} after {start:?}, {millis} ms");
            }
        }
    }
}

#[test]
fn what_moved_while_one_looked_away_is_told_in_one_line() {
    let theme = Theme::detect(true, ThemeChoice::Auto, None);
    let mut desk = Desk::of(App::new(theme), 120, 36);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    desk.notice(Notice::Memory(Arc::new(memory(false))));
    desk.press(KeyCode::F(1));
    desk.notice(Notice::Memory(Arc::new(memory(true))));
    assert!(!desk.screen().contains("meanwhile"));
    desk.press(KeyCode::Esc);
    let screen = desk.screen();
    assert!(screen.contains("meanwhile: ▼ leaving-now"), "{screen}");
    assert!(screen.contains("▫ leaving-now"), "it does not move any more:\n{screen}");
}
