//! What can be done with an item of the memory panel: one table for the keys, the footer and the help.

use crate::memory::{ItemView, NoteState, NoteView, Tier};
use crate::orchestrator::{EffortCommand, ItemRef, NoteCommand, Op};
use crate::tools::Call;
use crate::tui::keymap::KeyAction;
use crate::tui::rows::Item;

/// Something that a key does with the selected item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// One word for the footer.
    pub word: &'static str,
    /// What is to be done.
    pub what: What,
}

/// The ways in which a deed is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Ask the orchestrator; the text is the command as a person would type it.
    Ask(String, Op),
    /// Show it in full.
    Look(ItemRef),
    /// Put a command into the message line, to be finished there.
    Draft(String),
}

/// What an action does with an item; `None` if it is not possible now.
pub fn deed(action: KeyAction, item: &Item<'_>) -> Option<Deed> {
    match item {
        Item::Effort(item) => of_effort(action, item),
        Item::Note(note) => of_note(action, note),
        Item::Scratch(text) => (action == KeyAction::Open).then(|| {
            let subject = ItemRef::Text { key: text.item.key.to_string(), part: 1 };
            Deed { word: "read", what: What::Look(subject) }
        }),
    }
}

fn of_effort(action: KeyAction, item: &ItemView) -> Option<Deed> {
    use Tier::{Active, Evicted, Expanded, Open, Warm};
    let id = item.id.to_string();
    let run = |word, name: &str, call| ask(word, format!("/{name} {}", item.id), Op::Run(call));
    let steer = |word, name: &str, command| {
        let op = Op::Effort { id: item.id.to_string(), command };
        ask(word, format!("/{name} {}", item.id), op)
    };
    let concluded = matches!(item.state, Warm | Evicted | Expanded);
    let deed = match (action, item.state) {
        (KeyAction::Open, _) => Deed { word: "details", what: What::Look(ItemRef::Effort(id)) },
        (KeyAction::Expand, Warm | Evicted) => {
            run("expand", "expand", Call::ExpandEffort { id, messages: None })
        }
        (KeyAction::Collapse, Expanded) => run("collapse", "collapse", Call::CollapseEffort { id }),
        (KeyAction::Collapse, Active | Open) => {
            run("conclude", "close", Call::CloseEffort { id: Some(id) })
        }
        (KeyAction::Pin, _) if concluded && item.pinned => {
            steer("unpin", "unpin", EffortCommand::Unpin)
        }
        (KeyAction::Pin, _) if concluded => steer("pin", "pin", EffortCommand::Pin),
        (KeyAction::Keep, _) if concluded => steer("keep", "keep", EffortCommand::Keep),
        (KeyAction::Evict, Warm | Expanded) if !item.pinned => {
            steer("evict", "evict", EffortCommand::Evict)
        }
        (KeyAction::Switch, Open) => run("switch", "switch", Call::SwitchEffort { id }),
        (KeyAction::Reopen, _) if concluded => run("reopen", "reopen", Call::ReopenEffort { id }),
        (KeyAction::EditText, _) if concluded => {
            draft("edit", &id, item.summary.as_deref().unwrap_or_default())
        }
        (KeyAction::SummarizeAgain, _) if concluded => {
            steer("resummarize", "resummarize", EffortCommand::SummarizeAgain)
        }
        _ => return None,
    };
    Some(deed)
}

fn of_note(action: KeyAction, view: &NoteView) -> Option<Deed> {
    let note = &view.note;
    let id = note.id.to_string();
    let in_window = note.state == NoteState::Session;
    let change = |word, name: &str, command| {
        let op = Op::Note { id: note.id.to_string(), command };
        ask(word, format!("/note {} {name}", note.id), op)
    };
    let deed = match action {
        KeyAction::Open => Deed { word: "details", what: What::Look(ItemRef::Note(id)) },
        KeyAction::Expand if !in_window => change("return", "return", NoteCommand::Return),
        KeyAction::Pin if in_window && note.pinned => change("unpin", "unpin", NoteCommand::Unpin),
        KeyAction::Pin if in_window => change("pin", "pin", NoteCommand::Pin),
        KeyAction::Evict if in_window => change("archive", "archive", NoteCommand::Archive),
        KeyAction::Evict => change("delete", "delete", NoteCommand::Delete),
        KeyAction::EditText => draft("edit", &id, &note.content),
        _ => return None,
    };
    Some(deed)
}

fn ask(word: &'static str, typed: String, op: Op) -> Deed {
    Deed { word, what: What::Ask(typed, op) }
}

fn draft(word: &'static str, id: &str, text: &str) -> Deed {
    Deed { word, what: What::Draft(format!("/edit {id} {text}")) }
}

#[cfg(test)]
pub(in crate::tui) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::memory::{EffortId, Tokens, Turn, Verbatim};

    /// A concluded effort.
    pub(in crate::tui) fn item(state: Tier, pinned: bool) -> ItemView {
        ItemView {
            id: EffortId::stored("tea"),
            state,
            tokens: Tokens(10),
            whole: Tokens(10),
            verbatim: Verbatim::default(),
            raw_tokens: None,
            turns_left: None,
            last_referenced: Turn(1),
            cause: Arc::from("opened"),
            pinned,
            summary: Some(Arc::from("Green tea.")),
            compressed: 0,
        }
    }

    const ACTIONS: [KeyAction; 9] = [
        KeyAction::Open,
        KeyAction::Expand,
        KeyAction::Collapse,
        KeyAction::Pin,
        KeyAction::Keep,
        KeyAction::Evict,
        KeyAction::Switch,
        KeyAction::Reopen,
        KeyAction::SummarizeAgain,
    ];

    fn words(state: Tier, pinned: bool) -> Vec<&'static str> {
        let item = item(state, pinned);
        let deeds = ACTIONS.into_iter().filter_map(|action| deed(action, &Item::Effort(&item)));
        deeds.map(|deed| deed.word).collect()
    }

    #[test]
    fn only_what_is_possible_is_offered() {
        use Tier::{Active, Evicted, Expanded, Open, Warm};
        assert_eq!(words(Active, false), ["details", "conclude"]);
        assert_eq!(words(Open, false), ["details", "conclude", "switch"]);
        let warm = ["details", "expand", "pin", "keep", "evict", "reopen", "resummarize"];
        assert_eq!(words(Warm, false), warm);
        let pinned = ["details", "expand", "unpin", "keep", "reopen", "resummarize"];
        assert_eq!(words(Warm, true), pinned);
        let expanded = ["details", "collapse", "pin", "keep", "evict", "reopen", "resummarize"];
        assert_eq!(words(Expanded, false), expanded);
        assert!(!words(Evicted, false).contains(&"evict"));
    }

    #[test]
    fn editing_begins_with_what_is_there() {
        let item = item(Tier::Evicted, false);
        let deed = deed(KeyAction::EditText, &Item::Effort(&item)).unwrap();
        assert_eq!(deed.what, What::Draft("/edit tea Green tea.".into()));
    }
}
