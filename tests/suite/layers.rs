//! What lies on top gets what is pasted and what the mouse does, and nothing below it: each layer of the built
//! program in a real pseudo-terminal.

use super::hands_on::open;
use super::support::pty::Terminal;

/// A layer, and how to come there and back.
struct Layer {
    name: &'static str,
    /// Keys, each with what the screen shows then.
    opens: &'static [(&'static str, &'static str)],
    /// What the screen shows of a paste; nothing where nothing is written.
    pasted: Option<&'static str>,
    /// How often Esc is pressed to leave it, and what is gone then.
    leaves: (usize, &'static str),
}

const fn layer(
    name: &'static str,
    opens: &'static [(&'static str, &'static str)],
    pasted: Option<&'static str>,
    leaves: (usize, &'static str),
) -> Layer {
    Layer { name, opens, pasted, leaves }
}

const HELP: (&str, &str) = ("\u{1b}OP", "Just write.");
const INSPECTOR: (&str, &str) = ("\u{1b}OR", "What the model would get");
const JOURNAL: (&str, &str) = ("\u{1b}OS", "Journal: ");
const PAST: (&str, &str) = ("\u{1b}[15~", "Turn 0 of 0, as it was");
const SESSIONS: (&str, &str) = ("\u{1b}[17~", "+ new session");
const SETTINGS: (&str, &str) = ("\u{1b}[18~", "Find: ");
const PALETTE: (&str, &str) = ("\u{10}", "Commands and keys");

/// Every layer that lies over the chat.
const LAYERS: &[Layer] = &[
    layer("palette", &[PALETTE], Some("> pasted words"), (1, "Commands and keys")),
    layer("help", &[HELP], None, (1, "Just write.")),
    layer("inspector", &[INSPECTOR], None, (1, "What the model would get")),
    layer("sessions", &[SESSIONS], Some("Find: pasted words"), (1, "Find: ")),
    layer("settings", &[SETTINGS], Some("Find: pasted words"), (1, "Find: ")),
    layer("journal", &[JOURNAL], None, (1, "Journal: ")),
    layer("the past", &[PAST], None, (1, "as it was")),
    layer("inspector of the past", &[PAST, INSPECTOR_PAST], None, (2, "as it was")),
    layer(
        "palette over the journal",
        &[JOURNAL, PALETTE],
        Some("> pasted words"),
        (2, "Journal: "),
    ),
];

const INSPECTOR_PAST: (&str, &str) = ("\u{1b}OR", "What the model would have got");

/// Every line that is written in, beside those of [`LAYERS`].
const LINES: &[Layer] = &[
    layer(
        "filter of the panel",
        &[("\t", "Tab back"), ("/", "keeps it")],
        Some("/pasted words▏"),
        (2, "Tab back"),
    ),
    layer(
        "filter of the help",
        &[HELP, ("/", "Help: ▏")],
        Some("Help: pasted words▏"),
        (2, "scroll"),
    ),
    layer(
        "filter of the journal",
        &[JOURNAL, ("/", "keeps the filter")],
        Some("· pasted words▏"),
        (2, "Journal: "),
    ),
    layer("words to be found", &[("\u{6}", "Find: ")], Some("Find: pasted words"), (1, "Find: ")),
    layer(
        "value of a setting",
        &[SETTINGS, ("decay_thr", "Find: decay_thr"), ("\r", "takes it")],
        Some("3pasted words"),
        (2, "Find: "),
    ),
    layer(
        "search in the history",
        &[("\u{12}", "Search back: ")],
        Some("Search back: pasted words"),
        (1, "Search back: "),
    ),
];

fn come(terminal: &mut Terminal, layer: &Layer) {
    for (keys, sign) in layer.opens {
        terminal.send(keys);
        terminal.wait_for(sign);
    }
}

/// Leaves a layer: the message line has the keys again and holds nothing.
#[track_caller]
fn leave(terminal: &mut Terminal, layer: &Layer) {
    for _ in 0..layer.leaves.0 {
        let before = terminal.screen();
        terminal.send("\u{1b}");
        terminal.wait_until("another screen", |screen| screen != before);
    }
    let screen = terminal.wait_gone(layer.leaves.1);
    assert!(screen.contains("Enter send"), "{}: who has the keys?\n{screen}", layer.name);
    assert!(screen.contains("Write a message"), "{}: what is written?\n{screen}", layer.name);
}

#[test]
fn a_paste_goes_into_the_line_on_top_and_nowhere_else() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path());
    // As terminals mark it, and as one that does not.
    for paste in ["\u{1b}[200~pasted\rwords\r\u{1b}[201~", "pasted\rwords"] {
        for layer in LAYERS.iter().chain(LINES) {
            let is_marked = paste.starts_with('\u{1b}');
            if layer.pasted.is_none() && !is_marked {
                continue;
            }
            come(&mut terminal, layer);
            terminal.send(paste);
            if let Some(pasted) = layer.pasted {
                terminal.wait_for(pasted);
            }
            leave(&mut terminal, layer);
        }
    }
}

#[test]
fn a_click_and_the_wheel_reach_nothing_below_what_lies_on_top() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path());
    let screen = terminal.wait_for("○ pumps");
    let row_of = |words: &str| screen.lines().position(|line| line.contains(words)).unwrap() + 1;
    let (item, chat) = (row_of("○ pumps"), row_of("what went wrong"));
    for layer in LAYERS {
        come(&mut terminal, layer);
        for (column, row) in [(120, item), (10, chat)] {
            terminal.send(&format!("\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"));
        }
        leave(&mut terminal, layer);
    }
    // The wheel moves the list on top by three.
    terminal.send(PALETTE.0);
    terminal.wait_for("1 of ");
    terminal.send("\u{1b}[<65;120;20M");
    terminal.wait_for(" 4 of ");
}
