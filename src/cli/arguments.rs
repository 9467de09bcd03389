//! The arguments and commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::Since;
use crate::config::{Override, Overrides};

/// A full-screen terminal chat whose memory you can watch.
///
/// Without a command it opens the chat: the session used last, or the one named.
#[derive(Debug, Clone, Parser)]
#[command(name = "ebbtide", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do; without one, the chat.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Send one message, print the reply and end; what is piped in goes along behind TEXT, or alone for `-`. As in the
    /// chat, `/remember WORDS` is a command, and `//TEXT` sends "/TEXT" as a message; a path is one by itself
    #[arg(short, long = "print", value_name = "TEXT", visible_alias = "prompt")]
    pub prompt: Option<String>,

    /// Which session.
    #[command(flatten)]
    pub session: SessionArguments,

    /// Settings for this run.
    #[command(flatten)]
    pub settings: SettingArguments,

    /// Write the log to this file
    #[arg(long, value_name = "FILE", global = true, help_heading = "Settings")]
    pub log_file: Option<PathBuf>,
}

/// Which session is meant. At most one of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Session")]
pub struct SessionArguments {
    /// The session of this name; a new one if there is none
    #[arg(short = 's', long = "session-name", value_name = "NAME", global = true)]
    pub name: Option<String>,

    /// The session used last
    #[arg(short = 'c', long = "continue", global = true)]
    pub latest: bool,

    /// An existing session, by its name or its number; without either, choose from the list
    #[arg(short = 'r', long, value_name = "NAME", num_args = 0..=1, global = true)]
    #[allow(clippy::option_option, reason = "the flag may stand without its value")]
    pub resume: Option<Option<String>>,

    /// The session in this directory, wherever it is
    #[arg(long = "session", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
}

/// Settings given as flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Settings")]
pub struct SettingArguments {
    /// The model that answers
    #[arg(short, long, value_name = "NAME", global = true)]
    pub model: Option<String>,

    /// The address of the server to ask, often ending in /v1
    #[arg(long, value_name = "URL", global = true)]
    pub base_url: Option<String>,

    /// The environment variable that holds the server's key
    #[arg(long, value_name = "VARIABLE", global = true)]
    pub api_key_env: Option<String>,

    /// Use the built-in model: no key, no network
    #[arg(long, global = true)]
    pub offline: bool,

    /// The colours: auto, light, dark or mono
    #[arg(long, value_name = "THEME", global = true)]
    pub theme: Option<String>,

    /// Draw without lines, arrows and emoji
    #[arg(long, global = true)]
    pub ascii: bool,

    /// Any setting, as `ebbtide config` lists them; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value, global = true)]
    pub set: Vec<(String, String)>,

    /// Read this config file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Watch a scripted conversation in the full-screen app
    Demo(DemoArguments),
    /// Play a scripted conversation without a screen
    Play(PlayArguments),
    /// Show that memory keeps its promises
    Proof(ProofArguments),
    /// Find efforts by what was said
    Search(SearchArguments),
    /// Show the window: exactly what would be sent to the model now
    Context(ContextArguments),
    /// Show the numbers of a session's memory, and its bill
    Stats {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Print a line of CSV for each turn: what it took, and what full history would have paid
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// List the sessions, the one used last first; tell of one, rename or delete them
    Sessions {
        /// What about them; without one, the list
        #[command(subcommand)]
        action: Option<SessionsAction>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a session as Markdown to read, or as JSON to import
    Export {
        /// The form; without it, JSON for a FILE that ends in .json, else Markdown
        #[arg(long, value_enum)]
        format: Option<Format>,
        /// The new file; `-`, or none, means the standard output
        file: Option<PathBuf>,
    },
    /// Make a session from an exported JSON file; never replaces one
    Import {
        /// The file; `-` reads the standard input
        file: PathBuf,
        /// The session's name; without it, the one in the file
        // An id of its own: under the field's name it would be taken for -s.
        #[arg(
            id = "imported_name",
            long = "name",
            value_name = "NAME",
            conflicts_with = "directory"
        )]
        name: Option<String>,
    },
    /// Find a model on this machine, test it, and write it into the config file
    Connect,
    /// Play past conversations of other programs under this memory: what they would have cost
    #[command(
        after_help = "Several values of a setting with commas between them are played beside each other: --set \
                            ambient_window=5,10. A setting that is itself a list, such as specifics_kinds, is one value."
    )]
    Replay(ReplayArguments),
    /// Say what the compactions of Claude Code, Codex or opencode lost, and give it back
    #[command(after_help = "opencode's sessions are exported first: `opencode export ID > FILE`.")]
    Uncompact(UncompactArguments),
    /// Check files, terminal, tokenizer and model, and say what to do
    Doctor,
    /// Show the settings and where each came from
    Config {
        /// What about them; without one, the list
        #[command(subcommand)]
        action: Option<ConfigAction>,
        /// Print the list as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the completions for a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// What `sessions` can do; without a word it lists.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum SessionsAction {
    /// List them, as without a word
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Tell of one: when it began, its turns and efforts, where it is, its size
    Show {
        /// Its name, or its number in the list
        #[arg(id = "session_to_show", value_name = "NAME")]
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete sessions for good; asks first
    Delete(DeleteArguments),
    /// Give a session another name
    Rename {
        /// Its name, or its number in the list
        old: String,
        /// The name that it gets
        new: String,
    },
}

/// What `sessions delete` takes.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct DeleteArguments {
    /// Their names, or their numbers in the list
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Print what was deleted as JSON
    #[arg(long)]
    pub json: bool,
}

/// The form of an exported session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// To read
    Markdown,
    /// To import again
    Json,
}

/// A program that keeps conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Origin {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// The Gemini command line
    Gemini,
    /// Aider, in this folder or in that of --project
    Aider,
}

/// What `proof` takes.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ProofArguments {
    /// Which promise
    #[arg(default_value = "all", value_parser = ["1", "2", "3", "4", "5", "budget", "scratchpad", "bill", "recall", "paper", "quality", "live", "data", "all"])]
    pub which: String,
    /// With data: the folder of a data set
    // An id of its own: under the field's name it would be taken for --session.
    #[arg(id = "data_set", value_name = "DIR", help = crate::proof::DATA_LAYOUT)]
    pub directory: Option<PathBuf>,
    /// With 4: grow a session to 100,000 efforts (some seconds)
    #[arg(long)]
    pub scale: bool,
    /// With live: how many times each conversation is said, in other words each time up to 3, then
    /// again in the same [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub runs: Option<u8>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What `replay` takes.
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct ReplayArguments {
    /// Files that hold conversations, or folders of them; `-` reads one from the standard input. Several are played in the
    /// order of their times, those without times as they are named
    pub paths: Vec<PathBuf>,
    /// Take what this program keeps, beside PATHS if any are named
    #[arg(long, value_enum)]
    pub from: Option<Origin>,
    /// Only files that were written since then: 30d, 2w, yesterday, 2026-11-01
    #[arg(long, value_name = "WHEN", value_parser = Since::read)]
    pub since: Option<Since>,
    /// Of what --from takes, only conversations about this folder
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Only list what was found
    #[arg(long, conflicts_with_all = ["json", "csv", "svg", "keep"])]
    pub list: bool,
    /// Take the topics from this file: a line FROM-TO NAME each, turns from 1
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub phases: Option<PathBuf>,
    /// Let the configured model find the topics where the log tells none, and write the summaries; says first what is
    /// sent to it
    #[arg(long, conflicts_with = "list")]
    pub with_model: bool,
    /// Write a card with the curves and the figures, as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Keep the replayed session under this name, to look at it in the chat: ebbtide -s NAME
    #[arg(long, value_name = "NAME")]
    pub keep: Option<String>,
    /// Show the replayed session in the full-screen app, with what the program's own compactions lost; it is gone
    /// afterwards unless --keep names it
    #[arg(long, conflicts_with = "list")]
    pub open: bool,
    /// Print JSON
    ///
    /// What this memory reads anew is `bill.own.uncached` and `bill.by_reference` together, or `bill.own.written` with it
    /// at the prices of a cache that takes more for what is written: results of tools that it holds by reference are read
    /// once. The tables tell the sum. `full_history` of a turn, here and in CSV, is all that was said until then, and
    /// `conversation_history` that of the conversation under way.
    #[arg(long)]
    pub json: bool,
    /// Print a line of CSV for each turn
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// What the parser of arguments complains about, with numbers called what people call them.
pub fn in_our_words(complaint: &str) -> String {
    const WORDS: [(&str, &str); 4] = [
        ("invalid digit found in string", "a whole number is needed"),
        ("cannot parse integer from empty string", "a whole number is needed"),
        ("number too large to fit in target type", "a smaller number is needed"),
        ("number too small to fit in target type", "a larger number is needed"),
    ];
    WORDS.iter().fold(complaint.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// A number of things of which at least one is wanted.
fn some(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a whole number from 1 on is needed, for example 12".to_owned())
}

/// What `uncompact` takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct UncompactArguments {
    /// A session's file, or a folder, of which the newest session that was compacted is taken, or `-` for the standard
    /// input; without one, the newest such session about this folder or one around it
    pub path: Option<PathBuf>,
    /// Print only what to paste back
    #[arg(long)]
    pub block: bool,
    /// List at most so many of each kind, and paste back as many; without it 12 are listed, and all are pasted back
    #[arg(long, value_name = "N", value_parser = some)]
    pub most: Option<usize>,
    /// Print JSON
    #[arg(long, conflicts_with = "block")]
    pub json: bool,
}

/// What `demo` takes.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct DemoArguments {
    /// story, week, another built-in scenario's name or a file; without one, story
    pub scenario: Option<String>,
    /// Begin at this speed; 1 is reading speed
    #[arg(long, value_name = "N", value_parser = speed)]
    pub speed: Option<f64>,
    /// Record the screen into a new file as an asciicast (version 2)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Record the screen into a new file as an animated SVG, under a megabyte
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "expected a number, for example 2".to_owned())?;
    let may = (0.1..=1_000.0).contains(&speed);
    may.then_some(speed).ok_or_else(|| "expected a number from 0.1 to 1000".to_owned())
}

/// What `play` takes.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PlayArguments {
    /// A built-in scenario's name or a file
    pub scenario: String,
    /// Print one JSON object for each turn
    #[arg(long)]
    pub json: bool,
    /// With --json, print the messages of the window too
    #[arg(long, requires = "json")]
    pub messages: bool,
}

/// What `context` takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct ContextArguments {
    /// As it would be sent with this message
    #[arg(long, value_name = "TEXT")]
    pub with: Option<String>,
    /// As it was after this turn
    #[arg(long, value_name = "TURN", conflicts_with = "with")]
    pub turn: Option<u64>,
    /// Mark what is new or changed since the turn before, and print what was sent then and no longer is
    #[arg(long)]
    pub diff: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What `search` takes: a query or a file of them.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SearchArguments {
    /// What to look for, in as many words as it takes
    #[arg(required_unless_present = "queries", conflicts_with = "queries")]
    pub query: Vec<String>,
    /// A file with one query in each line
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// The most results for each query
    #[arg(short = 'k', value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// Look in all sessions
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object for each query
    #[arg(long)]
    pub json: bool,
}

/// What `config` can do besides listing.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ConfigAction {
    /// Print where the config file is
    Path,
    /// Print a commented config file with the defaults
    Default,
    /// Check the config file, the environment and the flags
    Check,
    /// Write a setting into the config file; all other lines stay as they are
    Set {
        /// Its key
        key: String,
        /// Its value
        value: String,
    },
    /// Take a setting out of the config file
    Unset {
        /// Its key
        key: String,
    },
    /// Print the keys by their names, for `[keys]` in the config file
    Keys,
    /// Print the roles of colours, for `[theme]` in the config file
    Roles,
}

impl SettingArguments {
    /// The flags as settings; `--set` goes before the flags with names of their own.
    pub fn overrides(&self) -> Overrides {
        let named = [
            ("model", self.model.clone(), "--model"),
            ("base_url", self.base_url.clone(), "--base-url"),
            ("api_key_env", self.api_key_env.clone(), "--api-key-env"),
            ("offline", self.offline.then(|| "true".to_owned()), "--offline"),
            ("theme", self.theme.clone(), "--theme"),
            ("ascii", self.ascii.then(|| "true".to_owned()), "--ascii"),
        ];
        let named = named.into_iter().filter_map(|(key, value, flag)| {
            Some(Override { key: key.to_owned(), value: value?, flag })
        });
        let set = self.set.iter().map(|(key, value)| Override {
            key: key.clone(),
            value: value.clone(),
            flag: "--set",
        });
        Overrides { config_file: self.config.clone(), values: named.chain(set).collect() }
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected KEY=VALUE, for example token_budget=8000".to_owned()),
    }
}
