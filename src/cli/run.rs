//! From arguments to what is done.

use super::job::load_settings;
use super::{
    Arguments, Command, DemoArguments, Error, Host, Job, Streams, command, configure, connect,
    context, converse, demo, doctor, inspect, parser, proof, replay, scripted, sessions, transfer,
    uncompact,
};
use crate::tui::app::Errand;

/// Does what the arguments ask for.
///
/// # Errors
/// Whatever kept it from being done; [`Error::exit_code`] is the status to end with.
pub fn run(arguments: &Arguments, host: &Host, streams: &mut Streams<'_>) -> Result<(), Error> {
    refuse_prompt_beside_command(arguments)?;
    refuse_session_beside_command(arguments)?;
    let prepare = |streams: &mut Streams<'_>| Job::prepare(arguments, host, streams);
    match &arguments.command {
        None => {
            let job = prepare(streams)?;
            if let Some(text) = &arguments.prompt {
                return command::print_turn(&job, text, streams);
            }
            needs_terminal(&job, "To send one message, use `ebbtide -p TEXT`")?;
            chat(job, streams)
        }
        Some(Command::Demo(arguments)) => {
            let job = prepare(streams)?;
            needs_terminal(&job, "To play a scenario without one, use `ebbtide play SCENARIO`")?;
            demo::demo(&job, arguments)
        }
        Some(Command::Play(play)) => scripted::play(&prepare(streams)?, play, streams),
        Some(Command::Proof(asked)) => proof::run(&prepare(streams)?, asked, streams),
        Some(Command::Search(search)) => inspect::search(&prepare(streams)?, search, streams),
        Some(Command::Context(arguments)) => {
            context::context(&prepare(streams)?, arguments, streams)
        }
        Some(Command::Stats { json, csv }) => {
            let form = inspect::Form::of(*json, *csv);
            inspect::stats(&prepare(streams)?, form, streams)
        }
        Some(Command::Sessions { action, json }) => {
            sessions::run(&prepare(streams)?, action.as_ref(), *json, streams)
        }
        Some(Command::Export { format, file }) => {
            transfer::export(&prepare(streams)?, *format, file.as_deref(), streams)
        }
        Some(Command::Import { file, name }) => {
            transfer::import(&prepare(streams)?, file, name.as_deref(), streams)
        }
        Some(Command::Connect) => {
            let done = connect::connect(&prepare(streams)?, &mut std::io::stdin().lock(), streams);
            done.map(|_| ())
        }
        Some(Command::Replay(asked)) => {
            let (arguments, tried) = replay::what_if(arguments);
            let job = Job::prepare(&arguments, host, streams)?;
            if asked.open {
                needs_terminal(&job, "Without --open, `ebbtide replay` prints the figures")?;
            }
            replay::run(&job, asked, &tried, streams)
        }
        Some(Command::Uncompact(asked)) => uncompact::run(asked, arguments, host, streams),
        Some(Command::Doctor) => doctor::run(arguments, host, streams),
        Some(Command::Config { action, json }) => {
            configure::run(action.as_ref(), *json, arguments, host, streams)
        }
        Some(Command::Completions { shell }) => completions(*shell, streams),
    }
}

/// The chat; whoever leaves it for the demo or to connect a model comes back to it, and to what was open in it.
fn chat(mut job: Job<'_>, streams: &mut Streams<'_>) -> Result<(), Error> {
    let mut open = None;
    while let Some((errand, left)) = converse::chat(&job, open, streams)? {
        open = left;
        // What the demo comes to stands on its own screen.
        let (done, mut is_to_be_read) = match errand {
            Errand::Demo => (demo::demo(&job, &DemoArguments::default()), false),
            Errand::Connect => {
                let done = connect::connect(&job, &mut std::io::stdin().lock(), streams);
                let is_to_be_read = !matches!(done, Ok(connect::Done::Nothing));
                (done.map(drop), is_to_be_read)
            }
        };
        if let Err(error) = done {
            streams.tell(error);
        }
        // A file that was broken meanwhile is no reason to end a chat.
        match load_settings(job.arguments, job.host) {
            Ok(settings) => job.settings = settings,
            Err(error) => {
                streams.tell(error.sentence() + " The settings are as they were.");
                is_to_be_read = true;
            }
        }
        if is_to_be_read {
            write!(streams.out, "An empty line opens the chat again: ")?;
            streams.out.flush()?;
            std::io::stdin().read_line(&mut String::new())?;
        }
    }
    Ok(())
}

/// `-p` sends a message; a command beside it would be left undone.
fn refuse_prompt_beside_command(arguments: &Arguments) -> Result<(), Error> {
    match (&arguments.prompt, &arguments.command) {
        (Some(_), Some(_)) => Err(Error::Usage(
            "-p sends a message to the model and goes with no other command".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Which session is meant says nothing to a command that looks at none: it would be left undone.
fn refuse_session_beside_command(arguments: &Arguments) -> Result<(), Error> {
    let session = &arguments.session;
    let by_name = session.name.is_some() || session.latest || session.resume.is_some();
    let Some(command) = arguments.command.as_ref().map(name) else { return Ok(()) };
    if !parser::is_without(command, "name") {
        return Ok(());
    }
    let takes_folder = !parser::is_without(command, "directory");
    let instead = match command {
        "replay" => "; name the session's folder, or its export, as a PATH",
        "import" => "; --name NAME says what it is called here, --session DIR where it is kept",
        _ if takes_folder && by_name => "; --session DIR says where it is kept",
        _ => "",
    };
    if !by_name && (takes_folder || session.directory.is_none()) {
        return Ok(());
    }
    let flags = if takes_folder { "-s, -c or -r" } else { "-s, -c, -r or --session" };
    Err(Error::Usage(format!("`{command}` looks at no session that {flags} name{instead}")))
}

/// What a command is called.
fn name(command: &Command) -> &'static str {
    match command {
        Command::Demo(_) => "demo",
        Command::Play(_) => "play",
        Command::Proof(_) => "proof",
        Command::Search(_) => "search",
        Command::Context(_) => "context",
        Command::Stats { .. } => "stats",
        Command::Sessions { .. } => "sessions",
        Command::Export { .. } => "export",
        Command::Import { .. } => "import",
        Command::Connect => "connect",
        Command::Replay(_) => "replay",
        Command::Uncompact(_) => "uncompact",
        Command::Doctor => "doctor",
        Command::Config { .. } => "config",
        Command::Completions { .. } => "completions",
    }
}

fn completions(shell: clap_complete::Shell, streams: &mut Streams<'_>) -> Result<(), Error> {
    // The generator panics if it cannot write, so it writes to memory first.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut parser::command(), "ebbtide", &mut script);
    streams.out.write_all(&script)?;
    Ok(())
}

fn needs_terminal(job: &Job<'_>, instead: &str) -> Result<(), Error> {
    let why = match job.host.environment.var("TERM") {
        _ if !job.host.interactive => "this needs a terminal to draw on, and there is none",
        Some("dumb") => {
            "TERM=dumb says that this terminal cannot place its cursor: set it to what the terminal is, such as \
             xterm-256color"
        }
        _ => return Ok(()),
    };
    Err(Error::Usage(format!("{why}. {instead}")))
}
