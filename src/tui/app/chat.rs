//! The conversation while it has the keys: choosing and copying messages.

use ratatui::layout::Rect;

use super::{Action, App, Focus};
use crate::orchestrator::{ItemRef, Op};
use crate::tui::clipboard::{Clip, Program};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::markdown::code_blocks;
use crate::tui::transcript::{Block, BlockKind, Home, Spot};

/// What the app knows of the chat pane besides the conversation.
#[derive(Debug, Default)]
pub struct ChatState {
    /// Where its text was drawn last, if it was.
    pub(in crate::tui) area: Option<Rect>,
    /// Where the text of the message line was drawn last.
    pub(in crate::tui) written: Rect,
    /// Whether the screen is too small for anything to be drawn.
    pub(in crate::tui) unseen: bool,
    /// Where the mouse was pressed, and whether it has moved since.
    pub(super) drag: Option<(Spot, bool)>,
    /// The block that code was copied from last, and how many blocks of it.
    copied_code: Option<(usize, usize)>,
    /// The programs that can reach the clipboard, best first.
    programs: Vec<Program>,
    /// What comes before the oldest message that was read.
    pub(super) earlier: Earlier,
    /// Whether the mouse is the terminal's.
    pub(in crate::tui) mouse_given: bool,
}

/// What comes before the oldest message that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Earlier {
    /// Perhaps more, which has not been asked for.
    #[default]
    Unread,
    /// It has been asked for.
    Asked,
    /// Nothing.
    Nothing,
}

impl ChatState {
    /// What stays when another session is opened.
    pub(super) fn for_another_session(self) -> Self {
        let Self { area, unseen, programs, mouse_given, .. } = self;
        Self { area, unseen, programs, mouse_given, ..Self::default() }
    }
}

impl App {
    /// Names the programs that can reach the clipboard, best first.
    pub fn copy_with(&mut self, programs: Vec<Program>) {
        self.chat.programs = programs;
    }

    /// Asks for earlier messages when the reader, or a search, comes near the oldest one.
    pub(super) fn ask_for_earlier(&mut self) -> Option<Action> {
        let asks = self.session.is_some() && self.chat.earlier == Earlier::Unread;
        if !asks || !self.transcript.nears_start() {
            return None;
        }
        self.chat.earlier = Earlier::Asked;
        Some(Action::Send(Op::ReadEarlier))
    }

    pub(super) fn enter_chat(&mut self) {
        self.focus = Focus::Chat;
        self.transcript.enter();
    }

    fn leave_chat(&mut self) {
        self.focus = Focus::Input;
        self.transcript.leave();
    }

    pub(super) fn chat_key(&mut self, action: KeyAction) -> Vec<Action> {
        match action {
            KeyAction::Down => self.transcript.choose(true),
            KeyAction::Up => self.transcript.choose(false),
            KeyAction::Top => self.transcript.choose_end(false),
            KeyAction::Bottom => self.transcript.choose_end(true),
            KeyAction::Copy => return self.copy_chosen(),
            KeyAction::CopyCode => return self.copy_code(),
            KeyAction::Open => return self.open_chosen(),
            KeyAction::Raw => self.transcript.show_raw(!self.transcript.is_raw()),
            KeyAction::Leave => self.leave_chat(),
            _ => return self.global_key(action),
        }
        Vec::new()
    }

    /// Copies the last reply.
    pub(super) fn copy_last_reply(&mut self) -> Vec<Action> {
        let Some(number) = self.transcript.last_reply() else {
            self.show_hint("there is no reply to copy yet");
            return Vec::new();
        };
        self.copy_block(number)
    }

    fn copy_chosen(&mut self) -> Vec<Action> {
        match self.transcript.chosen() {
            Some(number) => self.copy_block(number),
            None => self.copy_last_reply(),
        }
    }

    fn copy_block(&mut self, number: usize) -> Vec<Action> {
        let Some(block) = self.transcript.block(number) else { return Vec::new() };
        let (text, what) = (block.text().to_owned(), name(block));
        self.copy(text, what)
    }

    /// Copies a code block of the chosen message, or of the last one that has any; the next one when it
    /// is asked for again.
    fn copy_code(&mut self) -> Vec<Action> {
        let chosen = self.transcript.chosen().or_else(|| self.transcript.last_reply());
        let Some(number) = chosen else { return Vec::new() };
        let blocks = self.transcript.block(number).map(|block| code_blocks(block.text()));
        let blocks = blocks.unwrap_or_default();
        let before = self.chat.copied_code.filter(|(block, _)| *block == number);
        let nth = before.map_or(0, |(_, nth)| nth) % blocks.len().max(1);
        let Some(code) = blocks.get(nth) else {
            self.show_hint("this message has no code block · {chat.copy} copies it as it is");
            return Vec::new();
        };
        self.chat.copied_code = Some((number, nth + 1));
        let what = match blocks.len() {
            1 => "the code block".to_owned(),
            many => format!("code block {} of {many}", nth + 1),
        };
        self.copy(code.clone(), what)
    }

    pub(super) fn copy(&mut self, text: String, what: impl Into<String>) -> Vec<Action> {
        let programs = self.chat.programs.clone();
        vec![Action::Copy(Clip { text, what: what.into(), programs })]
    }

    /// Whether there is something to open at what is chosen.
    pub(in crate::tui) fn can_open_chosen(&self) -> bool {
        let Some(number) = self.transcript.chosen() else { return false };
        let home = self.transcript.block(number).map(Block::home);
        self.transcript.can_unfold(number) || matches!(home, Some(Home::Effort(_)))
    }

    /// Enter opens what is folded; on a divider, or on a message of an effort, it shows the effort in full.
    fn open_chosen(&mut self) -> Vec<Action> {
        if self.transcript.chosen().is_some_and(|number| self.transcript.unfold(number)) {
            return Vec::new();
        }
        let block = self.transcript.chosen().and_then(|number| self.transcript.block(number));
        let Some(Home::Effort(id)) = block.map(Block::home) else {
            self.show_hint("this message is in no effort");
            return Vec::new();
        };
        vec![Action::Send(Op::Show(ItemRef::Effort(id.to_string())))]
    }

    /// Gives the mouse to the terminal, so that it selects as it does elsewhere, or takes it back.
    pub(super) fn toggle_mouse(&mut self) -> Vec<Action> {
        self.chat.mouse_given = !self.chat.mouse_given;
        if self.chat.mouse_given {
            let key = self.keymap.label(Scope::Global, KeyAction::Mouse);
            self.toast(&format!("the mouse is the terminal's now · {key} takes it back"));
        } else {
            self.toast("the mouse scrolls and selects here again");
        }
        vec![Action::Mouse(!self.chat.mouse_given)]
    }
}

/// What a block is, for people.
fn name(block: &Block) -> &'static str {
    match block.kind() {
        BlockKind::User | BlockKind::Unanswered => "your message",
        BlockKind::Assistant => "the reply",
        BlockKind::Partial => "the part of the reply",
        _ => "the line",
    }
}
