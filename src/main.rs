//! The `ebbtide` program.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use color_eyre::config::{HookBuilder, Theme};
use ebbtide::cli::{self, Arguments, Cleaned, Host, Streams};
use ebbtide::text::clean;

/// Works in a quarter less time than that of the system where millions of small things are made and freed.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tell_panics();
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let (mut out, mut err) = (Cleaned::of(io::stdout()), Cleaned::of(io::stderr()));
    let mut streams = Streams { out: &mut out, err: &mut err };
    let done = cli::run(&arguments, &Host::of_process(ebbtide::store::sessions), &mut streams);
    // Only what a signal has ended leaves any.
    ebbtide::store::clear_fresh_dirs();
    // What waits in the stream would be lost at the end without a word.
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_silent() {
                // Nobody is left to tell if the terminal is gone.
                let _ = writeln!(err, "ebbtide: {}", error.sentence());
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// A panic is a fault of the program: it is told with its place, without the environment. Its words may
/// be anybody's, so they come without colours where a terminal would obey them.
fn tell_panics() {
    let hooks = HookBuilder::default().display_env_section(false);
    let hooks = if io::stderr().is_terminal() { hooks.theme(Theme::new()) } else { hooks };
    let (panics, errors) = hooks.into_hooks();
    if let Err(error) = errors.install() {
        eprintln!("ebbtide: {error}");
    }
    std::panic::set_hook(Box::new(move |panic| {
        let _ = writeln!(Cleaned::of(io::stderr()), "{}", panics.panic_report(panic));
    }));
}

/// Help and version end well; everything else that the parser stops at is a usage error. It repeats what was
/// typed: where that holds more than text, it is told without colours.
fn usage(error: &clap::Error) -> ExitCode {
    let theirs = error.render().to_string();
    let told = cli::in_our_words(&theirs);
    // Nobody is left to tell if the terminal is gone.
    let _ = match clean(&told) {
        text if text == theirs => error.print(),
        _ if error.use_stderr() => Cleaned::of(io::stderr()).write_all(told.as_bytes()),
        _ => Cleaned::of(io::stdout()).write_all(told.as_bytes()),
    };
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
