//! What only a terminal shows: how a demo ends, and how a model is found, asked and written down.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::SIZES;
use crate::support::pty::{Start, Terminal};
use crate::support::server::{Reply, Server};

/// The demo on a terminal of a size, up to its closing table.
fn demo(set: &[&str], env: &[(&str, &str)], size: (u16, u16)) -> (Terminal, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let args = [&["--set", "animations=false"], set, &["demo", "--speed", "100"]].concat();
    let terminal = Terminal::start(&Start { args: &args, home: home.path(), size, env });
    terminal.wait_until("the end", |screen| screen.contains("again.") && screen.contains("ready"));
    (terminal, home)
}

fn without_blanks(screen: &str) -> String {
    screen.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn the_closing_table_in_every_size() {
    let (terminal, _home) = demo(&[], &[], SIZES[0]);
    let mut all = String::new();
    for (width, height) in SIZES {
        terminal.resize(width, height);
        let screen = without_blanks(&terminal.wait_drawn());
        writeln!(all, "{width}x{height}\n{screen}").unwrap();
    }
    assert_snapshot!("closing", all);
}

#[test]
fn the_closing_table_in_every_look() {
    for (name, theme, variable) in [
        ("light", "light", ("LANG", "")),
        ("mono", "auto", ("NO_COLOR", "1")),
        ("vt100", "auto", ("TERM", "vt100")),
        ("ascii", "auto", ("LANG", "C")),
    ] {
        let theme = format!("theme={theme}");
        let (terminal, _home) = demo(&["--set", &theme], &[variable], (80, 24));
        terminal.wait_drawn();
        let picture = terminal.picture();
        let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
        let inks: Vec<_> = cells.filter_map(|(row, column)| picture.cell(row, column)).collect();
        let plain = |ink: &&vt100::Cell| {
            ink.fgcolor() == vt100::Color::Default && ink.bgcolor() == vt100::Color::Default
        };
        assert_eq!(inks.iter().all(plain), ["mono", "vt100"].contains(&name), "{name}");
        let screen = without_blanks(&picture.contents());
        assert!(name != "ascii" || screen.is_ascii(), "{screen}");
        // Colours apart, one look is as the other.
        let name = if name == "vt100" { "mono" } else { name };
        assert_snapshot!(format!("closing_{name}"), screen);
    }
}

#[test]
fn a_model_is_connected_in_every_size() {
    let server = Server::following(|_| Reply::text("Hello there, nice to meet you."));
    let address = server.base_url();
    let port = address.split([':', '/']).nth(4).unwrap().to_owned();
    let mut all = String::new();
    for size in SIZES {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("config.toml"), "").unwrap();
        let env = [("DEEPSEEK_API_KEY", "sk-secret"), ("LANG", "C"), ("NO_COLOR", "1")];
        let args = &["--config", "config.toml", "connect"];
        let mut terminal = Terminal::start(&Start { args, home: home.path(), size, env: &env });
        terminal.wait_for("as it is:");
        terminal.send(&format!("{address}\r"));
        terminal.wait_for("it lists:");
        terminal.send("small-one\r");
        terminal.wait_for("model = \"small-one\"");
        assert_eq!(terminal.wait_exit(), 0);
        let screen = terminal.screen();
        assert!(screen.is_ascii() && !screen.contains("sk-secret"), "{screen}");
        // What else runs on this machine is found as well.
        let lines = screen.lines().filter(|line| !line.contains("without a key"));
        let screen: String = lines.map(|line| line.trim_end().to_owned() + "\n").collect();
        writeln!(all, "{}x{}\n{}", size.0, size.1, screen.replace(&port, "12345")).unwrap();
    }
    assert_snapshot!("connect", all);
}
