//! The `ebbtide` program.

use std::io;
use std::process::ExitCode;

use clap::Parser;
use color_eyre::config::HookBuilder;
use ebbtide::cli::{self, Arguments, Host, Streams};

fn main() -> ExitCode {
    // A panic is a fault of the program: it is told with its place, without the environment.
    if let Err(error) = HookBuilder::default().display_env_section(false).install() {
        eprintln!("ebbtide: {error}");
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let mut streams = Streams { out: &mut out, err: &mut err };
    match cli::run(&arguments, &Host::of_process(ebbtide::store::sessions), &mut streams) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_silent() {
                eprintln!("ebbtide: {}", error.sentence());
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Help and version end well; everything else that the parser stops at is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell if the terminal is gone.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
