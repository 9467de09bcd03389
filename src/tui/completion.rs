//! The list above the message line while a slash command is typed.

use crate::config::Key;
use crate::memory::{ItemView, MemoryView};
use crate::orchestrator::opens_mention;
use crate::tools::Names;

use super::command::{self, CommandSpec};
use super::place::Place;

/// Most efforts offered for an argument; the list scrolls no further.
const MOST_IDS: usize = 50;

/// One offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The line after accepting it.
    pub line: String,
    /// What the list shows.
    pub label: String,
    /// What it is, dimmed.
    pub help: String,
    /// Whether the accepted line is ready to be sent.
    pub complete: bool,
}

/// The list, empty when there is nothing to offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    offers: Vec<Offer>,
    selected: Place,
    moved: bool,
    dismissed: bool,
    commands: bool,
}

impl Completion {
    /// Makes the offers for a line as typed. A dismissed list stays away until the line changes.
    pub fn update(&mut self, line: &str, memory: &MemoryView) {
        let (offers, commands) = offers(line, memory);
        *self = Self { offers, commands, ..Self::default() };
    }

    /// Whether the list is on screen.
    pub fn is_open(&self) -> bool {
        !self.dismissed && !self.offers.is_empty()
    }

    /// Hides the list until the line changes.
    pub fn dismiss(&mut self) {
        self.dismissed = true;
    }

    /// Moves the choice, around the ends.
    pub fn step(&mut self, forward: bool) {
        self.selected.step_around(forward, self.offers.len());
        self.moved = true;
    }

    /// The chosen offer.
    pub fn selected(&self) -> Option<&Offer> {
        self.is_open().then(|| self.offers.get(self.selected.at)).flatten()
    }

    /// The offer that Enter takes: always for a command's name, for an argument only after the
    /// choice was moved, because an argument may be new.
    pub fn on_enter(&self) -> Option<&Offer> {
        self.selected().filter(|_| self.commands || self.moved)
    }

    /// Whether it is beyond doubt that the chosen offer is meant, so that Enter may also send it.
    pub fn is_certain(&self) -> bool {
        self.moved || self.offers.len() == 1
    }

    /// All offers and the place of the chosen one.
    pub fn list(&self) -> (&[Offer], Place) {
        (&self.offers, self.selected)
    }
}

/// The path that is being written at the end of a line: behind an `@`, or as the argument of `/attach`.
/// Returns what stands before it as well.
pub fn begun_path(line: &str) -> Option<(&str, &str)> {
    if let Some(path) = line.strip_prefix("/attach ") {
        return Some((&line[..line.len() - path.len()], path));
    }
    let opens = |at: &usize| opens_mention(line[..*at].chars().next_back());
    let mentions = || line.rmatch_indices('@').map(|(at, _)| at).filter(opens);
    let quote = |at: usize| line[at + 1..].chars().next().filter(|sign| "\"'".contains(*sign));
    let is_open = |at: &usize| quote(*at).is_some_and(|quote| !line[at + 2..].contains(quote));
    let in_word =
        |at: &usize| quote(*at).is_none() && !line[at + 1..].contains(char::is_whitespace);
    let at = mentions().find(is_open).or_else(|| mentions().find(in_word))?;
    let path = &line[at + 1..];
    let path = quote(at).map_or(path, |_| &path[1..]);
    Some((&line[..at], path))
}

impl Completion {
    /// Offers files for the path at the end of a line, as it was when they were asked for.
    pub fn offer_files(&mut self, line: &str, begun: &str, paths: &[String]) {
        let Some((before, path)) = begun_path(line).filter(|(_, path)| *path == begun) else {
            return;
        };
        let written = |path: &str| match (before.starts_with("/attach "), path.contains(' ')) {
            (true, _) => path.to_owned(),
            (false, true) => format!("@\"{path}{}", if path.ends_with('/') { "" } else { "\" " }),
            (false, false) => format!("@{path}{}", if path.ends_with('/') { "" } else { " " }),
        };
        let others = paths.iter().filter(|one| one.as_str() != path);
        self.offers = others
            .map(|path| Offer {
                line: format!("{before}{}", written(path)),
                label: path.clone(),
                help: if path.ends_with('/') { "directory" } else { "file" }.to_owned(),
                complete: false,
            })
            .collect();
        (self.selected, self.commands) = (Place::default(), false);
    }
}

fn offers(line: &str, memory: &MemoryView) -> (Vec<Offer>, bool) {
    let Some(typed) = line.strip_prefix(['/', '／']).filter(|rest| !rest.starts_with('/')) else {
        return (Vec::new(), true);
    };
    match typed.split_once(' ') {
        None => (command_offers(typed), true),
        Some((name, argument)) => {
            let spec = command::find(name);
            (spec.map(|spec| id_offers(name, spec, argument, memory)).unwrap_or_default(), false)
        }
    }
}

/// Commands whose name begins with what was typed, then those with such an alias. A name or alias
/// that is complete comes first, so that Enter runs it.
fn command_offers(typed: &str) -> Vec<Offer> {
    let typed = typed.to_lowercase();
    let mut found: Vec<(u8, CommandSpec, &str)> = command::specs()
        .filter_map(|spec| {
            let named = |name: &&str| name.starts_with(&typed);
            if spec.aliases.contains(&typed.as_str()) {
                return Some((0, spec, spec.name));
            }
            if spec.name.starts_with(&typed) {
                return Some((u8::from(spec.name != typed), spec, spec.name));
            }
            Some((2, spec, spec.aliases.iter().copied().find(named)?))
        })
        .collect();
    found.sort_by_key(|(rank, _, _)| *rank);
    found
        .into_iter()
        .map(|(_, spec, name)| {
            let also = if name == spec.name { String::new() } else { format!(" (/{})", spec.name) };
            Offer {
                line: format!("/{name}{}", if spec.arguments.is_empty() { "" } else { " " }),
                label: format!("/{name} {}", spec.arguments).trim_end().to_owned(),
                help: format!("{}{also}", spec.help),
                complete: !spec.needs_argument(),
            }
        })
        .collect()
}

fn id_offers(name: &str, spec: CommandSpec, typed: &str, memory: &MemoryView) -> Vec<Offer> {
    let open = memory.open.iter();
    let expanded = memory.expanded.iter();
    let concluded = memory.warm.iter().chain(&memory.manifest.recent);
    let items: Box<dyn Iterator<Item = &ItemView>> = match spec.names {
        Names::Nothing => return Vec::new(),
        Names::Setting => return setting_offers(name, typed),
        Names::Open => Box::new(open),
        Names::Expanded => Box::new(expanded),
        Names::Folded => Box::new(concluded),
        Names::Concluded => Box::new(expanded.chain(concluded)),
        Names::Any => Box::new(open.chain(expanded).chain(concluded)),
    };
    items
        .filter(|item| {
            let id = item.id.as_str();
            id != typed && id.contains(typed.trim())
        })
        .take(MOST_IDS)
        .map(|item| Offer {
            line: format!("/{name} {}", item.id),
            label: item.id.to_string(),
            help: match &item.summary {
                Some(summary) => format!("{} · {summary}", item.state.as_str()),
                None => item.state.as_str().to_owned(),
            },
            complete: true,
        })
        .collect()
}

/// Settings whose key holds what was typed so far.
fn setting_offers(name: &str, typed: &str) -> Vec<Offer> {
    let typed = typed.trim().replace('-', "_");
    let keys = Key::all().iter().filter(|key| key.name().contains(&typed) && key.name() != typed);
    keys.map(|key| Offer {
        line: format!("/{name} {} ", key.name()),
        label: key.name().to_owned(),
        help: key.doc().to_owned(),
        complete: false,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(line: &str) -> Vec<String> {
        let mut completion = Completion::default();
        completion.update(line, &MemoryView::default());
        completion.list().0.iter().map(|offer| offer.label.clone()).collect()
    }

    #[test]
    fn names_come_before_aliases_and_a_complete_name_first() {
        assert_eq!(labels("/cl"), ["/close [ID]", "/clear"]);
        assert_eq!(labels("/session"), ["/session", "/sessions [WORDS]"]);
        assert_eq!(labels("/comp"), ["/compress [ID]", "/compact [ID]", "/compare QUESTION"]);
        assert_eq!(labels("/q"), ["/quit"]);
        assert_eq!(labels("/resume"), ["/sessions [WORDS]"]);
    }

    #[test]
    fn the_key_of_a_setting_is_offered_and_its_value_is_not() {
        assert_eq!(labels("/set decay"), ["decay_threshold"]);
        assert_eq!(labels("/set token-b"), ["token_budget"]);
        assert_eq!(labels("/set decay_threshold 5"), Vec::<String>::new());
    }

    #[test]
    fn a_path_is_completed_where_it_is_being_written() {
        assert_eq!(begun_path("look at @src/ma"), Some(("look at ", "src/ma")));
        assert_eq!(begun_path("/attach north ea"), Some(("/attach ", "north ea")));
        assert_eq!(begun_path("see @\"north ea"), Some(("see ", "north ea")));
        assert_eq!(begun_path("see @'north ea"), Some(("see ", "north ea")));
        assert_eq!(begun_path("see (@src/ma"), Some(("see (", "src/ma")));
        assert_eq!(begun_path("see @a.rs,@src/ma"), Some(("see @a.rs,", "src/ma")));
        for line in ["mail me@home.org", "@done and more", "see @\"a b\" now"] {
            assert_eq!(begun_path(line), None, "{line}");
        }
        let paths = ["src/main.rs".to_owned(), "src/my notes.md".into(), "src/maps/".into()];
        let mut completion = Completion::default();
        completion.offer_files("look at @src/m", "src/m", &paths);
        let lines: Vec<&str> = completion.list().0.iter().map(|offer| &*offer.line).collect();
        let expected =
            ["look at @src/main.rs ", "look at @\"src/my notes.md\" ", "look at @src/maps/"];
        assert_eq!(lines, expected);
        assert_eq!(completion.on_enter(), None, "Enter sends unless one was chosen");
        completion.offer_files("look at @src/ma", "src/m", &[]);
        assert_eq!(completion.list().0.len(), 3, "an answer that comes too late does not count");
    }

    #[test]
    fn nothing_is_offered_for_a_message_or_an_escaped_slash() {
        assert!(labels("hello /open").is_empty());
        assert!(labels("//open").is_empty());
    }

    #[test]
    fn a_dismissed_list_comes_back_when_the_line_changes() {
        let mut completion = Completion::default();
        completion.update("/o", &MemoryView::default());
        completion.dismiss();
        assert_eq!(completion.selected(), None);
        completion.update("/op", &MemoryView::default());
        assert!(completion.is_open());
    }
}
