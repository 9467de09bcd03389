//! The screens that somebody new meets, in every size and look: real sessions of the built-in model and of the demo's
//! story, drawn without a terminal.

mod terminal;
mod versus;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyCode;
use ebbtide::config::{Settings, Source};
use ebbtide::llm::Model;
use ebbtide::llm::offline::Offline;
use ebbtide::llm::scripted::Scripted;
use ebbtide::orchestrator::{Handle, Notice, Op};
use ebbtide::scenario::{self, Scenario, ScriptedTurn};
use ebbtide::tui::app::{Action, App, Msg};
use ebbtide::tui::demo::{Caption, DemoNotice, DemoState};
use ebbtide::tui::keymap::Keymap;
use ebbtide::tui::look::Look;
use insta::assert_snapshot;
use ratatui::buffer::Cell;
use ratatui::style::Color;
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::drive_under;
use super::support::screen::Desk;

/// From the smallest that the app can be used at to a large screen.
const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 36), (200, 60)];

/// The app over a session of its own.
struct Live {
    desk: Desk,
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    _home: tempfile::TempDir,
}

impl Live {
    fn open(app: App, settings: Settings, model: Arc<dyn Model>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (handle, notices) = drive_under(&home.path().join("work"), model, settings);
        Self { desk: Desk::of(app, 120, 36), handle, notices, _home: home }
    }

    /// An empty session of the built-in model.
    async fn empty(dress: Dress) -> Self {
        let app = App::dressed(dress.look(), Keymap::default());
        let mut live = Self::open(app, dress.settings(), Arc::new(Offline::default()));
        live.settle().await;
        live
    }

    fn act(&mut self, actions: Vec<Action>) {
        for action in actions {
            if let Action::Send(op) = action {
                self.handle.send(op);
            }
        }
    }

    /// Takes what the driver says up to a notice.
    async fn take_until(&mut self, is_last: impl Fn(&Notice) -> bool) {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(30), self.notices.recv()).await;
            let notice = next.expect("the driver says something").expect("the driver lives");
            let last = is_last(&notice);
            let actions = self.desk.notice(notice);
            self.act(actions);
            if last {
                return;
            }
        }
    }

    /// Takes everything that is on its way.
    async fn settle(&mut self) {
        self.handle.send(Op::ShowWindow);
        self.take_until(|notice| matches!(notice, Notice::Window(_))).await;
    }

    async fn press(&mut self, key: KeyCode) {
        let actions = self.desk.press(key);
        self.act(actions);
        self.settle().await;
    }

    /// Presses Enter, which sends a message, and waits for the reply.
    async fn send(&mut self) {
        let actions = self.desk.press(KeyCode::Enter);
        self.act(actions);
        self.take_until(|notice| matches!(notice, Notice::TurnEnded(_))).await;
        self.settle().await;
    }
}

/// The screen in every size, one below the other, without what is blank at the ends.
fn sizes(desk: &mut Desk) -> String {
    let mut all = String::new();
    for (width, height) in SIZES {
        desk.resize(width, height);
        writeln!(all, "{width}x{height}\n{}", text(desk)).unwrap();
    }
    desk.resize(120, 36);
    all
}

fn text(desk: &mut Desk) -> String {
    let screen = desk.screen();
    screen.lines().map(|line| line.trim_matches('"').trim_end().to_owned() + "\n").collect()
}

/// What every cell looks like: a letter for each look, then what they mean.
fn styles(desk: &mut Desk) -> String {
    desk.screen();
    let buffer = desk.terminal.backend().buffer();
    let (width, height) = (buffer.area.width, buffer.area.height);
    let mut letters = BTreeMap::new();
    let mut grid = String::new();
    for y in 0..height {
        let mut line = String::new();
        for x in 0..width {
            let cell = &buffer[(x, y)];
            let (blank, ground) = (cell.symbol() == " ", format!("{:?}", cell.bg));
            let ink =
                if blank { String::new() } else { format!("{:?} {:?} ", cell.fg, cell.modifier) };
            let next = char::from(b'a' + letters.len() as u8);
            let plain = blank && ground == "Reset";
            line.push(if plain { ' ' } else { *letters.entry((ink, ground)).or_insert(next) });
        }
        writeln!(grid, "{}", line.trim_end()).unwrap();
    }
    let mut legend: Vec<_> = letters.into_iter().map(|(look, letter)| (letter, look)).collect();
    legend.sort();
    for (letter, (ink, ground)) in legend {
        writeln!(grid, "{letter}: {ink}on {ground}").unwrap();
    }
    grid
}

/// What a person has set, and whether the environment asks for no colours.
#[derive(Clone, Copy)]
struct Dress {
    set: &'static [(&'static str, &'static str)],
    no_color: bool,
}

const DARK: Dress = Dress { set: &[("theme", "dark")], no_color: false };
const LIGHT: Dress = Dress { set: &[("theme", "light")], no_color: false };
const MONO: Dress = Dress { set: &[], no_color: true };
const ASCII: Dress = Dress { set: &[("ascii", "true")], no_color: false };

impl Dress {
    fn settings(self) -> Settings {
        let mut settings = Settings::default();
        let given = self.set.iter().chain(&[("animations", "false")]);
        let given = given.map(|(key, value)| ((*key).into(), (*value).into(), Source::Default));
        settings.set_all(given.collect::<Vec<_>>()).unwrap();
        settings
    }

    fn look(self) -> Look {
        let mut look = Look { no_color: self.no_color, ..Look::default() };
        look.follow(&self.settings());
        look
    }
}

/// The demo's story on a stage without pauses.
struct Story {
    live: Live,
    script: Scripted,
    turns: Vec<ScriptedTurn>,
    chapters: Vec<String>,
    played: usize,
    chapter: usize,
}

impl Story {
    async fn open(dress: Dress) -> Self {
        let text = include_str!("../../assets/stories/story.yaml");
        let (story, path) =
            (Scenario::parse(text, Path::new("story")).unwrap(), Path::new("story"));
        let settings = scenario::settings(&story, path, dress.settings()).unwrap();
        let script = Scripted::new();
        let app = App::dressed(dress.look(), Keymap::default()).in_demo();
        let mut live = Live::open(app, settings, Arc::new(script.clone()));
        live.settle().await;
        let (turns, chapters) =
            (story.turns(1).collect(), story.chapters().map(str::to_owned).collect());
        let mut story = Self { live, script, turns, chapters, played: 0, chapter: 0 };
        story.say(DemoNotice::State(DemoState::Paused(None)));
        story
    }

    fn say(&mut self, notice: DemoNotice) {
        self.live.desk.app.update(Msg::Demo(notice));
    }

    fn caption(&mut self, text: &str) {
        self.say(DemoNotice::Caption(Some(Caption {
            place: (self.chapter, self.chapters.len()),
            chapter: self.chapters[self.chapter - 1].clone(),
            text: text.to_owned(),
        })));
    }

    async fn play_to(&mut self, turn: usize) {
        while self.played < turn {
            let ScriptedTurn { user, stage, model, summaries, compressions, .. } =
                self.turns[self.played].clone();
            self.played += 1;
            self.chapter += usize::from(stage.chapter.is_some());
            self.script.set_turn(self.played as u64, model, summaries, compressions);
            if let Some(caption) = &stage.caption {
                self.caption(caption);
            }
            self.live.handle.send(Op::Send(user));
            self.live.take_until(|notice| matches!(notice, Notice::TurnEnded(_))).await;
            self.live.settle().await;
            if let Some(then) = &stage.then {
                self.caption(then);
            }
        }
    }
}

#[tokio::test]
async fn the_first_minute_in_every_size() {
    let mut live = Live::empty(DARK).await;
    assert_snapshot!("first_minute", sizes(&mut live.desk));
    live.press(KeyCode::F(1)).await;
    assert_snapshot!("help", sizes(&mut live.desk));
    live.press(KeyCode::Esc).await;
    live.press(KeyCode::Enter).await;
    live.send().await;
    live.send().await;
    assert_snapshot!("try_after_two", sizes(&mut live.desk));
    for _ in 2..5 {
        live.send().await;
    }
    assert_snapshot!("try_over", sizes(&mut live.desk));
}

#[tokio::test]
async fn the_story_in_every_size() {
    let mut story = Story::open(DARK).await;
    for (turn, name) in [(5, "concluded"), (10, "ebbed"), (14, "returned"), (17, "attacked")] {
        story.play_to(turn).await;
        assert_snapshot!(format!("story_{name}"), sizes(&mut story.live.desk));
    }
    story.live.desk.resize(300, 100);
    let huge = text(&mut story.live.desk);
    let mut rows = huge.lines();
    let beside = rows.find(|row| row.contains("WORKING MEMORY")).expect("the items");
    assert!(
        beside.contains("LATELY") && beside.chars().count() > 290,
        "all of it is used: {beside}"
    );
    assert_snapshot!("story_on_a_huge_screen", huge);
    story.say(DemoNotice::Finished { words: "The session is yours.".into(), again: 0 });
    story.live.desk.write("/context");
    story.live.press(KeyCode::Enter).await;
    assert_snapshot!("context", sizes(&mut story.live.desk));
    story.live.desk.screen();
    let words = |cell: &&Cell| cell.symbol().starts_with(char::is_alphabetic);
    let mut words = story.live.desk.terminal.backend().buffer().content.iter().filter(words);
    assert!(words.all(|cell| cell.fg != Color::DarkGray), "words too faint to read");
}

#[tokio::test]
async fn the_first_minute_and_an_ebb_in_every_look() {
    for (name, dress) in [("light", LIGHT), ("mono", MONO), ("ascii", ASCII)] {
        let mut live = Live::empty(dress).await;
        let mut story = Story::open(dress).await;
        story.play_to(10).await;
        for (scene, live) in [("first_minute", &mut live), ("ebb", &mut story.live)] {
            live.desk.resize(80, 24);
            let (text, styles) = (text(&mut live.desk), styles(&mut live.desk));
            assert!(name != "ascii" || text.is_ascii(), "{text}");
            assert_eq!(styles.contains("Blue"), name != "mono", "{styles}");
            let shown = if name == "light" { styles } else { text };
            assert_snapshot!(format!("{scene}_{name}"), shown);
        }
    }
}
