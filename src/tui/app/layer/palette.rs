//! The command palette: every command and every key action, found by a few letters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Level, Overlay, Taken};
use crate::fuzzy;
use crate::tui::app::{Action, App, Focus, Queued};
use crate::tui::command::{self, Command, CommandSpec};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Keymap, Scope};
use crate::tui::place::Place;
use crate::tui::views::View;

/// What an entry does.
#[derive(Debug, Clone, Copy)]
pub enum Choice {
    /// A slash command.
    Command(CommandSpec),
    /// What a key does.
    Key(Scope, KeyAction),
}

/// One entry.
#[derive(Debug, Clone)]
pub struct PaletteEntry {
    /// What is typed for it: a command, or a key.
    pub label: String,
    /// What it does.
    pub help: String,
    /// What it does, to be done.
    pub choice: Choice,
}

/// The open palette.
#[derive(Debug, Clone)]
pub struct Palette {
    query: Field,
    all: Vec<PaletteEntry>,
    /// Places in `all` of what fits the query, best first.
    found: Vec<usize>,
    /// The chosen one of these.
    place: Place,
}

impl Palette {
    /// A palette with everything.
    pub fn new(keymap: &Keymap) -> Self {
        let commands = command::specs().map(|spec| PaletteEntry {
            label: spec.usage(),
            help: spec.help.to_owned(),
            choice: Choice::Command(spec),
        });
        let keys = [Scope::Input, Scope::Global].into_iter().flat_map(|scope| {
            keymap.bindings(scope).filter(|binding| is_listed(binding.action)).map(move |binding| {
                PaletteEntry {
                    label: binding.label.clone(),
                    help: keymap.help(binding),
                    choice: Choice::Key(scope, binding.action),
                }
            })
        });
        let all: Vec<PaletteEntry> = commands.chain(keys).collect();
        let found = (0..all.len()).collect();
        Self { query: Field::open(""), all, found, place: Place::default() }
    }

    /// What is looked for.
    pub fn query(&self) -> &Field {
        &self.query
    }

    /// What fits, best first, and the place of the chosen one.
    pub fn entries(&mut self) -> (impl ExactSizeIterator<Item = &PaletteEntry>, &mut Place) {
        (self.found.iter().map(|at| &self.all[*at]), &mut self.place)
    }

    /// The chosen entry.
    pub fn chosen(&self) -> Option<&PaletteEntry> {
        self.found.get(self.place.at).map(|at| &self.all[*at])
    }

    /// A command's own name counts more than words of its explanation.
    fn find(&mut self) {
        let query = self.query.words();
        let fit = |entry: &PaletteEntry| {
            let named = fuzzy::score(query, &entry.label).map(|score| score * 2);
            named.max(fuzzy::score(query, &format!("{} {}", entry.label, entry.help)))
        };
        let mut found: Vec<(u32, usize)> = (0..self.all.len())
            .filter_map(|at| fit(&self.all[at]).map(|score| (score, at)))
            .collect();
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        self.found = found.into_iter().map(|(_, at)| at).collect();
        self.place.at = 0;
    }
}

impl App {
    /// Opens the command palette.
    pub(super) fn open_palette(&mut self) {
        if self.demo.is_some() {
            self.show_hint("a demo is only watched");
        } else {
            self.stack.put(Palette::new(&self.keymap));
        }
    }

    fn take_from_palette(&mut self, choice: Choice) -> Vec<Action> {
        match choice {
            Choice::Command(spec) if spec.needs_argument() => self.fill_line(spec),
            Choice::Command(spec) => return self.run_typed(&format!("/{}", spec.name)),
            Choice::Key(Scope::Global, action) => return self.global_key(action),
            Choice::Key(_, action) => {
                self.focus = Focus::Input;
                let none = KeyEvent::new(KeyCode::Null, KeyModifiers::NONE);
                return self.input_key(Some(action), none);
            }
        }
        Vec::new()
    }

    /// A command that needs more is written out; what was written goes into the history.
    fn fill_line(&mut self, spec: CommandSpec) {
        let draft = self.input.take();
        self.input.put_aside(draft);
        self.input.set(&format!("/{} ", spec.name));
        self.refresh_completion();
        self.focus = Focus::Input;
    }

    /// Runs a command beside what is being written. It acts on the present, and so says its answer there.
    fn run_typed(&mut self, typed: &str) -> Vec<Action> {
        self.stack.close(Level::Past);
        match command::parse(typed) {
            Ok(Command::App(app)) => self.app_command(app),
            Ok(Command::Ask(op)) => self.queue_or_dispatch(Queued::command(typed, op)),
            Err(complaint) => {
                self.complain(&complaint.to_string());
                Vec::new()
            }
        }
    }
}

impl Overlay for Palette {
    fn level(&self) -> Level {
        Level::Palette
    }

    fn scope(&self) -> Scope {
        Scope::Palette
    }

    fn field(&mut self) -> Option<&mut Field> {
        Some(&mut self.query)
    }

    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        self.find();
        Vec::new()
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        Some((&mut self.place, self.found.len()))
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match (action, self.chosen()) {
            (KeyAction::Send, Some(entry)) => Taken::Closes(app.take_from_palette(entry.choice)),
            _ => Taken::Ignored,
        }
    }
}

/// Whether a key does something that is looked for by its name; editing keys are not.
fn is_listed(action: KeyAction) -> bool {
    use KeyAction as Do;
    !matches!(
        action,
        Do::Send
            | Do::Newline
            | Do::Up
            | Do::Down
            | Do::Complete
            | Do::Cancel
            | Do::QuitIfEmpty
            | Do::HelpIfEmpty
            | Do::DeleteToStart
            | Do::Yank
            | Do::Undo
            | Do::LineStart
            | Do::LineEnd
            | Do::Edit
            | Do::Interrupt
            | Do::Show(View::Palette)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(palette: &mut Palette, query: &str) {
        palette.query.insert(query);
        palette.find();
    }

    fn first(query: &str) -> String {
        let mut palette = Palette::new(&Keymap::default());
        write(&mut palette, query);
        palette.chosen().map(|entry| entry.label.clone()).unwrap_or_default()
    }

    #[test]
    fn commands_and_keys_are_found_by_name_and_by_what_they_do() {
        assert_eq!(first("stats"), "/stats");
        assert_eq!(first("coll"), "/collapse ID");
        assert_eq!(first("own editor"), "/editor");
        assert_eq!(first("search your messages"), "Ctrl+R");
        assert_eq!(first("zzz"), "");
    }

    #[test]
    fn every_command_is_there_and_nothing_is_chosen_where_nothing_fits() {
        let mut palette = Palette::new(&Keymap::default());
        let labels: Vec<String> = palette.entries().0.map(|entry| entry.label.clone()).collect();
        for spec in command::specs() {
            assert!(labels.contains(&spec.usage()), "{}", spec.name);
        }
        write(&mut palette, "zzz\u{1b}");
        palette.place.act(KeyAction::Down, palette.found.len());
        assert!(palette.chosen().is_none());
        assert_eq!(palette.query().words(), "zzz");
    }
}
