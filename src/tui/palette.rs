//! The command palette: every command and every key action, found by a few letters.

use unicode_segmentation::UnicodeSegmentation;

use super::command::{self, CommandSpec};
use super::keymap::{KeyAction, Keymap, Scope};
use crate::fuzzy;

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
pub struct Entry {
    /// What is typed for it: a command, or a key.
    pub label: String,
    /// What it does.
    pub help: String,
    /// The same, to be done.
    pub choice: Choice,
}

/// The open palette.
#[derive(Debug, Clone)]
pub struct Palette {
    query: String,
    all: Vec<Entry>,
    /// Places in `all` of what fits the query, best first.
    found: Vec<usize>,
    chosen: usize,
}

impl Palette {
    /// A palette with everything.
    pub fn new(keymap: &Keymap) -> Self {
        let commands = command::specs().map(|spec| Entry {
            label: spec.usage(),
            help: spec.help.to_owned(),
            choice: Choice::Command(spec),
        });
        let keys = [Scope::Input, Scope::Global].into_iter().flat_map(|scope| {
            keymap.bindings(scope).filter(|binding| is_listed(binding.action)).map(move |binding| {
                Entry {
                    label: binding.label.clone(),
                    help: keymap.help(binding),
                    choice: Choice::Key(scope, binding.action),
                }
            })
        });
        let all: Vec<Entry> = commands.chain(keys).collect();
        let found = (0..all.len()).collect();
        Self { query: String::new(), all, found, chosen: 0 }
    }

    /// What is looked for.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// More of what is looked for.
    pub fn write(&mut self, text: &str) {
        self.query.extend(text.chars().filter(|letter| !letter.is_control()));
        self.find();
    }

    /// Takes the last sign back.
    pub fn erase(&mut self) {
        let end = self.query.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        self.query.truncate(end);
        self.find();
    }

    /// Chooses another entry, so many places on, or back if negative.
    pub fn choose(&mut self, steps: isize) {
        let last = self.found.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(steps).min(last);
    }

    /// What fits, best first, and the place of the chosen one.
    pub fn list(&self) -> (impl ExactSizeIterator<Item = &Entry>, usize) {
        (self.found.iter().map(|at| &self.all[*at]), self.chosen)
    }

    /// The chosen entry.
    pub fn chosen(&self) -> Option<&Entry> {
        self.found.get(self.chosen).map(|at| &self.all[*at])
    }

    /// A command's own name counts more than words of its explanation.
    fn find(&mut self) {
        let fit = |entry: &Entry| {
            let named = fuzzy::score(&self.query, &entry.label).map(|score| score * 2);
            named.max(fuzzy::score(&self.query, &format!("{} {}", entry.label, entry.help)))
        };
        let mut found: Vec<(u32, usize)> = (0..self.all.len())
            .filter_map(|at| fit(&self.all[at]).map(|score| (score, at)))
            .collect();
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        self.found = found.into_iter().map(|(_, at)| at).collect();
        self.chosen = 0;
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
            | Do::Palette
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str) -> String {
        let mut palette = Palette::new(&Keymap::default());
        palette.write(query);
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
    fn every_command_is_there_and_the_choice_stays_inside() {
        let mut palette = Palette::new(&Keymap::default());
        let labels: Vec<String> = palette.list().0.map(|entry| entry.label.clone()).collect();
        for spec in command::specs() {
            assert!(labels.contains(&spec.usage()), "{}", spec.name);
        }
        palette.choose(isize::MAX);
        assert_eq!(palette.list().1, labels.len() - 1);
        palette.choose(isize::MIN);
        assert_eq!(palette.list().1, 0);
        palette.write("zzz\u{1b}");
        palette.choose(1);
        assert!(palette.chosen().is_none());
        assert_eq!(palette.query(), "zzz");
        palette.erase();
        assert_eq!(palette.query(), "zz");
    }
}
