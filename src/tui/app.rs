//! The app's state and what changes it: `update` takes a message and returns what must be done.
//!
//! Holds view state only. It reads no clock (time comes as [`Msg::Tick`]), touches no file, terminal
//! or network, and knows memory as the last [`MemoryView`] that it was told.

mod chart;
mod chat;
mod commands;
mod drafts;
mod editing;
mod hints;
mod history;
mod keys;
mod labels;
mod layer;
mod mouse;
mod notices;
mod offers;
mod panel;
mod queue;
mod turn;
mod writing;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyEvent, KeyEventKind};
use ratatui::layout::{Position, Rect};

use crate::bill::Paid;
use crate::config::Settings;
use crate::memory::{EffortId, Layer, MemoryView};
use crate::orchestrator::{BillView, BilledTurn, Measured, Notice, Op, SessionInfo, Verdicts};

use super::clipboard::{Clip, Outcome};
use super::compacted::Compactions;
use super::completion::{Completion, begun_path};
use super::demo::{Caption, DemoCommand, DemoNotice, DemoState};
use super::flow::Flow;
use super::input::InputLine;
use super::keymap::{Keymap, Scope};
use super::look::Look;
use super::moves::Move;
use super::panel::{PanelHints, PanelState};
use super::queue::Queue;
use super::theme::Theme;
use super::transcript::{Block, BlockKind, Transcript};
use crate::text;

use chart::Chart;
use drafts::DraftState;
use hints::Hints;

pub use super::queue::Queued;
pub use chat::ChatState;
pub use editing::Editing;
pub use layer::{
    BillPage, Finding, JournalView, Level, LineStyle, Listing, Over, Overlay, Palette, Past, Seat,
    SessionPicker, SettingsView, Stack, Taken, VersusPage, kind_words,
};
pub use offers::{CHOSEN_OFFER, Errand};
pub(super) use panel::WIDE;
pub use turn::{Activity, Phase, Running};

/// The program, in the terminal's title.
const PROGRAM: &str = "Ebbtide";

/// How a message that is folded is opened.
const OPENS: &str = "{global.chat} to choose · {chat.open} to open";

/// How long a passing hint stays, and how long a first Ctrl+C counts.
const HINT: Duration = Duration::from_secs(2);

/// How long the answer to something that was asked for stays.
const TOAST: Duration = Duration::from_secs(5);

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Msg {
    /// The terminal: a key, a paste, the wheel, a new size.
    Terminal(Event),
    /// The terminal: keys that arrived together and are a paste if text is being written.
    Burst(Vec<KeyEvent>),
    /// The orchestrator.
    Notice(Notice),
    /// A demo.
    Demo(DemoNotice),
    /// What became of a text that was to be copied.
    Copied(Clip, Outcome),
    /// A text that was edited elsewhere, or why not.
    Edited(Result<String, String>),
    /// Time since the app began.
    Tick(Duration),
    /// The program was asked to end from outside.
    Terminate,
}

/// Something to be done.
#[derive(Debug, Clone)]
pub enum Action {
    /// To be handed to the orchestrator.
    Send(Op),
    /// To be handed to the demo.
    Demo(DemoCommand),
    /// To be put on the clipboard; answered by [`Msg::Copied`].
    Copy(Clip),
    /// Take the mouse, or give it back to the terminal.
    Mouse(bool),
    /// Let the person edit a text in an editor of their own.
    Edit(String),
    /// Draw everything anew.
    Redraw,
    /// Give the terminal back until the program is continued.
    Suspend,
    /// Everything is saved; leave.
    Quit,
}

/// Who has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    /// The message line.
    #[default]
    Input,
    /// The conversation.
    Chat,
    /// The memory panel.
    Panel,
    /// What waits behind the turn.
    Queue,
}

/// The whole state of the screen.
#[derive(Debug)]
pub struct App {
    pub(super) theme: Theme,
    pub(super) look: Look,
    pub(super) keymap: Keymap,
    pub(super) session: Option<SessionInfo>,
    pub(super) memory: Arc<MemoryView>,
    /// The last request, or the one under way.
    pub(super) request: Option<Measured>,
    /// What was paid so far.
    pub(super) bill: Option<Arc<BillView>>,
    /// How comparisons were judged.
    verdicts: Verdicts,
    pub(super) chart: Chart,
    /// The row of the gauge's bar, and its layers with the columns behind their last ones, as drawn last.
    pub(super) segments: (u16, Vec<(Layer, u16)>),
    /// Where a click asks for the meaning of a word.
    pub(super) asked: Option<Position>,
    /// A change of the window that is being shown.
    pub(super) flow: Option<Flow>,
    pub(super) transcript: Transcript,
    pub(super) chat: ChatState,
    pub(super) input: InputLine,
    pub(super) completion: Completion,
    /// The beginning of a path for which files are to be looked for.
    pub(super) wanted_files: Option<String>,
    /// What is being changed in the message line.
    pub(super) editing: Option<Editing>,
    pub(super) queue: Queue,
    /// The queue waits for the user, because the turn before it did not end well.
    pub(super) queue_held: bool,
    /// Problems that were told while it closes.
    pub(crate) told_last: Vec<String>,
    pub(super) phase: Phase,
    /// What lies over the chat.
    pub(super) stack: Stack,
    pub(super) settings: Option<Arc<Settings>>,
    /// What is to be said below the transcript of the first session.
    pub(super) remarks: Vec<(BlockKind, String)>,
    pub(super) panel: PanelState,
    /// Memory as the panel's filter lets it through; `None` without one.
    pub(super) filtered: Option<Arc<MemoryView>>,
    /// Shown or hidden by the user; `None` leaves it to the width.
    pub(super) panel_wanted: Option<bool>,
    /// Where the panel was drawn last, if it was.
    pub(super) panel_area: Option<Rect>,
    pub(super) focus: Focus,
    pub(super) hint: Option<(String, Duration)>,
    /// How a demo plays, while one does.
    pub(super) demo: Option<DemoState>,
    /// What a demo asks the viewer to look at.
    pub(super) caption: Option<Caption>,
    /// Of a demo that is over: the chapters that a digit plays again, none once something else is pressed.
    encore: Option<usize>,
    /// Which offer of an empty session is chosen.
    offer: usize,
    /// Settings that are changed for the first try, which says so itself.
    untold: usize,
    /// The first try, while it lasts.
    guide: Option<offers::Guide>,
    errand: Option<Errand>,
    /// The inspector was asked for in a turn, after so many edits of the message line.
    inspect_late: Option<u64>,
    /// What the last turns took, as the session has it.
    billed: Arc<[BilledTurn]>,
    hints: Hints,
    /// The compression under way, in words.
    pub(super) compressing: Option<String>,
    pub(super) closing: bool,
    pub(super) now: Duration,
    interrupted: Option<Duration>,
    drafts: DraftState,
    /// Items that moved while something else was looked at.
    missed: Vec<Move>,
    /// Efforts that were concluded since memory was told last, or in this turn.
    concluded: Vec<EffortId>,
    /// What is to be asked for that nobody waits for.
    wanted: Vec<Op>,
}

impl App {
    /// An app that waits for the session to open, with the built-in keys and moving parts.
    pub fn new(theme: Theme) -> Self {
        Self { theme, ..Self::dressed(Look::default(), Keymap::default()) }
    }

    /// The app without moving parts.
    #[must_use]
    pub fn still(mut self) -> Self {
        self.look.animations = false;
        self
    }

    /// The app for a demo, whose keys are those of its viewer.
    #[must_use]
    pub fn in_demo(mut self) -> Self {
        self.demo = Some(DemoState::Begins);
        self
    }

    /// An app as a person has set it up.
    pub fn dressed(look: Look, keymap: Keymap) -> Self {
        let panel = PanelState { hints: PanelHints::of(&keymap), ..PanelState::default() };
        let mut transcript = Transcript::default();
        transcript.show_raw(look.raw);
        transcript.opened_by(keymap.fill(OPENS));
        Self {
            theme: look.theme().0,
            look,
            keymap,
            session: None,
            memory: Arc::default(),
            request: None,
            bill: None,
            verdicts: Verdicts::default(),
            chart: Chart::default(),
            segments: (0, Vec::new()),
            asked: None,
            flow: None,
            transcript,
            chat: ChatState::default(),
            input: InputLine::default(),
            completion: Completion::default(),
            wanted_files: None,
            editing: None,
            queue: Queue::default(),
            queue_held: false,
            told_last: Vec::new(),
            phase: Phase::Idle,
            stack: Stack::default(),
            settings: None,
            remarks: Vec::new(),
            panel,
            filtered: None,
            panel_wanted: None,
            panel_area: None,
            focus: Focus::Input,
            hint: None,
            demo: None,
            caption: None,
            encore: None,
            offer: 0,
            untold: 0,
            guide: None,
            errand: None,
            inspect_late: None,
            billed: Arc::default(),
            hints: Hints::default(),
            compressing: None,
            closing: false,
            now: Duration::ZERO,
            interrupted: None,
            drafts: DraftState::default(),
            missed: Vec::new(),
            concluded: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// Takes one message.
    pub fn update(&mut self, msg: Msg) -> Vec<Action> {
        let mut actions = self.take(msg);
        self.tell_missed();
        actions.extend(self.ask_for_earlier());
        actions
    }

    fn take(&mut self, msg: Msg) -> Vec<Action> {
        match msg {
            Msg::Terminal(event) => self.handle_event(event),
            Msg::Burst(keys) => self.burst(&keys),
            Msg::Notice(notice) => self.handle_notice(notice),
            Msg::Demo(notice) => {
                self.handle_demo(notice);
                Vec::new()
            }
            Msg::Copied(clip, outcome) => {
                self.toast(&clip.told(&outcome));
                Vec::new()
            }
            Msg::Edited(outcome) => {
                self.draft_edited(outcome);
                Vec::new()
            }
            Msg::Tick(now) => {
                self.transcript.search_on();
                self.now = now;
                self.settle_moves();
                if self.hint.as_ref().is_some_and(|(_, until)| *until <= now) {
                    self.hint = None;
                }
                Vec::new()
            }
            Msg::Terminate => self.close(),
        }
    }

    /// Shows replies as they came instead of laid out as Markdown.
    pub fn show_raw(&mut self, raw: bool) {
        self.transcript.show_raw(raw);
    }

    /// Whether something on screen changes with time alone.
    pub fn is_animated(&self) -> bool {
        let moving = self.hint.is_some() || !self.panel.moves.is_empty() || self.flow.is_some();
        let working = self.compressing.is_some() || self.is_searching();
        moving || working || !matches!(self.phase, Phase::Idle)
    }

    /// Whether something flows or is on its way, so that frames must follow each other closely.
    pub fn is_flowing(&self) -> bool {
        self.flow.is_some()
    }

    /// Whether a search goes on between frames.
    pub fn is_searching(&self) -> bool {
        self.transcript.is_searching()
    }

    /// Whether moving parts are wanted.
    pub fn has_motion(&self) -> bool {
        self.look.animations
    }

    /// Says what was found wrong before the app began, as soon as the session is there.
    pub fn remark(&mut self, remarks: Vec<String>) {
        self.remarks.extend(remarks.into_iter().map(|remark| (BlockKind::Error, remark)));
    }

    /// Says what is to be known of the session, as soon as it is there.
    pub fn tell(&mut self, notes: Vec<String>) {
        self.remarks.extend(notes.into_iter().map(|note| (BlockKind::Info, note)));
    }

    /// Where another program compacted the conversation, and what it paid for it.
    pub fn mark(&mut self, compactions: Compactions, paid: Option<Paid>) {
        (self.chart.compactions, self.chart.paid_then) = (compactions, paid);
    }

    /// Whether the app waits for everything to be saved.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// The part of the screen that has the keys.
    pub fn scope(&self) -> Scope {
        if let Some(layer) = self.stack.top() {
            return layer.scope();
        }
        match self.focus {
            Focus::Panel if self.panel.filter.is_writing() => Scope::Filter,
            Focus::Panel => Scope::Panel,
            Focus::Chat => Scope::Chat,
            Focus::Queue => Scope::Queue,
            Focus::Input if self.demo.is_some() => Scope::Demo,
            Focus::Input => Scope::Input,
        }
    }

    /// The model's name, as a label.
    pub fn model_name(&self) -> &str {
        self.session.as_ref().map_or("model", |session| &session.model.name)
    }

    fn handle_event(&mut self, event: Event) -> Vec<Action> {
        match self.cut(event) {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.handle_key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Mouse(mouse) => self.handle_mouse(mouse),
            Event::Resize(width, _) => {
                self.leave_hidden_panel(width);
                // A terminal that was made narrower and wide again in one instant has lost a column, and its size
                // tells nothing of it.
                vec![Action::Redraw]
            }
            _ => Vec::new(),
        }
    }

    fn handle_demo(&mut self, notice: DemoNotice) {
        match notice {
            DemoNotice::Typing(text) => self.input.set(&text),
            DemoNotice::Pasted(text) => self.input.paste(&text),
            DemoNotice::Caption(caption) => self.caption = caption,
            DemoNotice::State(state) => self.demo = Some(state),
            DemoNotice::Finished { words, again } => {
                (self.demo, self.caption) = (None, None);
                self.encore = Some(again);
                self.input.set("");
                self.note(&words);
                self.transcript.follow();
            }
        }
    }

    /// Asks the orchestrator to save everything; a second request does not wait for it.
    fn close(&mut self) -> Vec<Action> {
        if self.closing {
            return vec![Action::Quit];
        }
        self.closing = true;
        vec![Action::Send(Op::Shutdown)]
    }

    /// What the terminal's title is to say, without anything that could steer the terminal; `None` to leave it
    /// alone.
    pub fn title(&self) -> Option<String> {
        let name = self.session.as_ref().map(|session| text::one_line(&session.name));
        let title = name.map_or_else(|| PROGRAM.to_owned(), |name| format!("{name} · {PROGRAM}"));
        self.look.title.then_some(title)
    }

    /// The session that is open.
    pub fn session(&self) -> Option<&SessionInfo> {
        self.session.as_ref()
    }

    /// Whether something was said in it, and not in a demo.
    pub fn has_said(&self) -> bool {
        let said = |block: &Block| matches!(block.kind(), BlockKind::User | BlockKind::Unanswered);
        let any = self.memory.turn.0 > 0 || self.transcript.since(0).any(said);
        any && self.demo.is_none()
    }

    /// Whether the session is a demo's, also once the demo is over: then there are no others.
    fn is_of_demo(&self) -> bool {
        self.demo.is_some() || self.encore.is_some()
    }

    fn show_hint(&mut self, text: &str) {
        self.hint = Some((self.keymap.fill(text), self.now + HINT));
    }

    pub(super) fn toast(&mut self, text: &str) {
        self.hint = Some((text.to_owned(), self.now + TOAST));
    }

    fn note(&mut self, text: &str) {
        self.transcript.push(BlockKind::Info, None, text);
    }

    fn note_with_keys(&mut self, text: &str) {
        let text = self.keymap.fill(text);
        self.note(&text);
    }

    fn complain(&mut self, text: &str) {
        self.transcript.push(BlockKind::Error, None, text);
        self.transcript.follow();
    }

    fn refresh_completion(&mut self) {
        let line = self.input.text();
        if self.input.is_single_line() {
            self.completion.update(&line, &self.memory);
            // A label of a paste would not survive that its line is set anew.
            let plain = self.input.own_draft().pastes.is_empty() && self.session.is_some();
            let begun = begun_path(&line).filter(|_| plain);
            self.wanted_files = begun.map(|(_, path)| path.to_owned());
        } else {
            self.completion = Completion::default();
        }
    }
}
