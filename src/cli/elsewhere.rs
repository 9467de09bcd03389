//! What people type as other programs take it, and what does the same here: the parser knows only what is spelt alike.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::nearest::nearest;
use crate::shell::shell_word;

/// The most of a message that is written out again, in bytes.
const MOST: usize = 60;

/// How somebody is told what to do with other names.
type Instead = (&'static [&'static str], &'static str);

const COMMANDS: [Instead; 8] = [
    (&["chat", "start", "tui"], "`ebbtide` alone opens the chat, `ebbtide -s NAME` a session"),
    (
        &["resume", "continue"],
        "`ebbtide -c` goes on with the session used last, `ebbtide -r NAME` with another one",
    ),
    (
        &["run", "exec", "ask", "prompt", "print", "send"],
        "`ebbtide -p TEXT` sends one message and prints the reply",
    ),
    (
        &["models", "model"],
        "`ebbtide -p /model` lists the models that can be had, and so does `/model` in the chat",
    ),
    (&["version"], "`ebbtide --version` prints it"),
    (&["man", "manual"], "`ebbtide --help` and `ebbtide COMMAND --help` say what there is"),
    (&["login", "auth", "setup"], "`ebbtide connect` finds a model, tests it and keeps it"),
    (&["list", "ls", "history"], "`ebbtide sessions` lists the sessions"),
];

/// Those behind `config`.
const OF_CONFIG: [Instead; 3] = [
    (
        &["get", "list", "show"],
        "`ebbtide config` lists every setting with its value, `ebbtide config --json` for programs",
    ),
    (
        &["create", "init", "new"],
        "`ebbtide config default` prints a file to start from, `ebbtide config path` where it belongs",
    ),
    (
        &["edit", "open"],
        "`ebbtide config set KEY VALUE` changes a setting, `ebbtide config path` prints where the file is",
    ),
];

const FLAGS: [Instead; 15] = [
    (
        &["--system", "--system-prompt", "--append-system-prompt", "--instructions"],
        "what you want in every conversation stands in `instructions.md` beside the config file (`ebbtide config path`), \
         what you want in one folder in `.ebbtide.md` there",
    ),
    (
        &["--output-format", "--output", "--format"],
        "`--json` behind a command, as in `ebbtide context --json`, prints JSON; a reply is printed as text",
    ),
    (
        &["--list-models", "--models"],
        "`ebbtide -p /model` lists the models that can be had, and so does `/model` in the chat",
    ),
    (&["--list-sessions", "--list", "--sessions"], "`ebbtide sessions` lists them"),
    (&["--stream", "--no-stream"], "a reply is printed as it comes, always"),
    (
        &["--no-color", "--no-colour", "--color", "--colour"],
        "`--theme mono` draws without colours, and so does NO_COLOR=1 in the environment",
    ),
    (&["--light-mode", "--light"], "`--theme light` does it"),
    (&["--dark-mode", "--dark"], "`--theme dark` does it"),
    (
        &["--debug", "--verbose", "--log-level"],
        "`--set log_level=debug --log-file FILE` keeps a log that tells more",
    ),
    (
        &["--data-dir", "--sessions-dir"],
        "`--set sessions_dir=DIR` says where sessions are kept, and `--session DIR` opens one wherever it is",
    ),
    (
        &["--no-alt-screen", "--inline"],
        "the chat takes the whole screen; `ebbtide -p TEXT` prints into the terminal, `ebbtide export` a whole session",
    ),
    (
        &["--no-memory", "--ephemeral", "--no-session"],
        "every conversation is kept; `--session DIR` keeps it in a folder of its own, which can be deleted",
    ),
    (
        &["--timeout"],
        "the time-outs are settings (`ebbtide config` lists them), as in `--set first_byte_timeout_seconds=60`",
    ),
    (
        &["--temperature", "--max-tokens"],
        "it belongs to a provider: set it below [providers.NAME] in the config file",
    ),
    (
        &["--message", "--text", "--query"],
        "`ebbtide -p TEXT` sends one message and prints the reply",
    ),
];

/// The complaint of the parser, in other words where it is known what was meant.
pub(super) fn told(error: Error, line: &[OsString], parser: &mut Command) -> Error {
    match instead(&error, line, parser) {
        Some(words) => parser.error(error.kind(), words),
        None => error,
    }
}

fn instead(error: &Error, line: &[OsString], parser: &Command) -> Option<String> {
    // The program's own name is no word of it.
    let line = line.get(1..)?;
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let find = |table: &'static [Instead], name: &str| {
        table.iter().find(|(names, _)| names.contains(&name)).map(|(_, instead)| *instead)
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let flag = named(ContextKind::InvalidArg)?;
            let flag = flag.split('=').next().unwrap_or(flag);
            Some(format!("there is no flag {flag}: {}", find(&FLAGS, flag)?))
        }
        ErrorKind::InvalidSubcommand => {
            let word = named(ContextKind::InvalidSubcommand)?;
            let at = line.iter().position(|one| one == word)?;
            let of_config = match &line[..at] {
                [.., flag, _] if flag.to_string_lossy().starts_with('-') => false,
                [.., before] => before == "config",
                [] => false,
            };
            let table: &[Instead] = if of_config { &OF_CONFIG } else { &COMMANDS };
            let instead = match find(table, word) {
                Some(instead) => instead.to_owned(),
                None => as_message(word, line, at, parser)?,
            };
            Some(format!("there is no command {word:?}: {instead}"))
        }
        ErrorKind::InvalidValue
            if named(ContextKind::InvalidArg)?.starts_with("--print")
                && named(ContextKind::InvalidValue).is_none_or(str::is_empty) =>
        {
            Some("-p needs the message behind it; `-p -` sends what is piped in".to_owned())
        }
        _ => None,
    }
}

/// How words are sent that are no command's name, nor nearly so.
fn as_message(word: &str, line: &[OsString], at: usize, parser: &Command) -> Option<String> {
    let known = || parser.get_subcommands().map(Command::get_name);
    let is_first = !line[..at].iter().any(|one| known().any(|name| one == name));
    if !is_first || nearest(word, known()).is_some() {
        return None;
    }
    let words = line[at..].iter().map(|one| one.to_string_lossy());
    let message = words.take_while(|one| !one.starts_with('-')).collect::<Vec<_>>().join(" ");
    let quoted = if message.len() > MOST { "TEXT".to_owned() } else { shell_word(&message) };
    Some(format!("`ebbtide -p {quoted}` sends it as a message and prints the reply"))
}

#[cfg(test)]
mod tests {
    use crate::cli::Arguments;

    fn complaint(line: &[&str]) -> String {
        let line = [&["ebbtide"], line].concat();
        Arguments::read(line).unwrap_err().to_string()
    }

    #[test]
    fn what_other_programs_take_is_told_as_it_is_called_here() {
        for (line, told) in [
            (&["hello there"][..], "`ebbtide -p \"hello there\"` sends it"),
            (&["what", "is", "tea", "-m", "x"], "`ebbtide -p \"what is tea\"` sends it"),
            (&["-s", "one", "what's up"], r"`ebbtide -p 'what'\''s up'` sends it"),
            (&["chat"], "`ebbtide` alone opens the chat"),
            (&["ebbtide"], "`ebbtide -p ebbtide` sends it"),
            (&["-s", "config", "list"], "`ebbtide sessions` lists the sessions"),
            (&["run", "tests"], "`ebbtide -p TEXT` sends one message"),
            (&["models"], "`ebbtide -p /model` lists"),
            (&["version"], "`ebbtide --version`"),
            (&["man"], "`ebbtide --help`"),
            (&["config", "get", "theme"], "`ebbtide config` lists every setting"),
            (&["config", "init"], "`ebbtide config default` prints"),
            (&["-p"], "`-p -` sends what is piped in"),
            (&["--system", "be brief", "-p", "hi"], "`instructions.md`"),
            (&["stats", "--output-format=json"], "no flag --output-format: `--json`"),
            (&["--list-sessions"], "`ebbtide sessions`"),
            (&["--no-color"], "NO_COLOR"),
            (&["--dark-mode"], "`--theme dark`"),
            (&["--data-dir", "x"], "sessions_dir=DIR"),
            (&["--timeout", "5"], "first_byte_timeout"),
        ] {
            let found = complaint(line);
            assert!(found.contains(told) && !found.contains("similar"), "{line:?}: {found}");
        }
        let long = complaint(&[&"word ".repeat(40)]);
        assert!(long.contains("`ebbtide -p TEXT` sends it"), "{long}");
        // What is only mistyped is told as such.
        for (line, meant) in [(&["sesions"][..], "sessions"), (&["config", "chekc"], "check")] {
            let found = complaint(line);
            assert!(found.contains(&format!("'{meant}'")) && !found.contains("-p"), "{found}");
        }
    }
}
