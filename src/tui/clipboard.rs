//! Copying: by the terminal (OSC 52), which reaches over SSH but never answers, and by a program of the
//! desktop, which says whether it worked.

use std::io::{ErrorKind, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take. One that waits for somebody to paste must not be waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often it is asked whether it has ended.
const POLL: Duration = Duration::from_millis(10);

/// Terminals that limit OSC 52 at all take at least so many bytes.
const LARGE: usize = 74_000;

/// A program that puts its input on the clipboard, and its arguments.
pub type Program = &'static [&'static str];

const MAC: Program = &["pbcopy"];
const WINDOWS: Program = &["clip.exe"];
const WAYLAND: Program = &["wl-copy"];
const X11: [Program; 2] =
    [&["xclip", "-selection", "clipboard"], &["xsel", "--clipboard", "--input"]];

/// The programs that suit an environment, best first. `variable` looks one up. Over SSH those of the
/// machine itself would copy to the wrong desktop.
pub fn programs<'a>(variable: impl Fn(&str) -> Option<&'a str>) -> Vec<Program> {
    let far = variable("SSH_CONNECTION").is_some() || variable("SSH_TTY").is_some();
    let mut programs = Vec::new();
    if cfg!(target_os = "macos") && !far {
        programs.push(MAC);
    }
    if variable("WAYLAND_DISPLAY").is_some() {
        programs.push(WAYLAND);
    }
    if variable("DISPLAY").is_some() {
        programs.extend(X11);
    }
    if (cfg!(windows) || variable("WSL_DISTRO_NAME").is_some()) && !far {
        programs.push(WINDOWS);
    }
    programs
}

/// Something to be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// The text.
    pub text: String,
    /// What it is, for people: `the reply`.
    pub what: String,
    /// The programs to try, best first.
    pub programs: Vec<Program>,
}

/// What became of it, besides that it went to the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No program is there to ask.
    Terminal,
    /// The program took it.
    Taken(&'static str),
    /// The program refused it, with its reason.
    Refused(&'static str, String),
}

impl Clip {
    /// Hands the text to the first program that is there. Blocks for up to two seconds.
    pub fn hand_over(&self) -> Outcome {
        for program in &self.programs {
            let Some((name, arguments)) = program.split_first() else { continue };
            match run(name, arguments, &self.text) {
                Ok(status) if status.success() => return Outcome::Taken(name),
                Ok(status) => return Outcome::Refused(name, status.to_string()),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Outcome::Refused(name, error.to_string()),
            }
        }
        Outcome::Terminal
    }

    /// What the user is told: no more than is known.
    pub fn told(&self, outcome: &Outcome) -> String {
        let (what, size) = (&self.what, size(&self.text));
        match outcome {
            Outcome::Taken(name) => format!("copied {what} ({size}) with {name}"),
            Outcome::Terminal if self.text.len() > LARGE => format!(
                "sent {what} ({size}) to the terminal's clipboard; many terminals refuse so much"
            ),
            Outcome::Terminal => format!(
                "sent {what} ({size}) to the terminal's clipboard; a terminal does not say whether it \
                 took it"
            ),
            Outcome::Refused(name, why) => format!(
                "{name} refused {what} ({why}); it was only sent to the terminal's clipboard"
            ),
        }
    }
}

fn size(text: &str) -> String {
    match (text.lines().count(), text.chars().count()) {
        (0 | 1, 1) => "1 character".to_owned(),
        (0 | 1, characters) => format!("{characters} characters"),
        (lines, _) => format!("{lines} lines"),
    }
}

fn run(name: &str, arguments: &[&str], text: &str) -> std::io::Result<ExitStatus> {
    let mut command = Command::new(name);
    // Programs that stay to serve the clipboard keep what they inherit open.
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take();
    let bytes = if name == WINDOWS[0] { utf16(text) } else { text.as_bytes().to_vec() };
    // A program that does not read must not be waited for, so another thread writes.
    let writing =
        std::thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(&bytes)));
    let status = wait(&mut child)?;
    match writing.join() {
        Ok(Err(error)) if status.success() => Err(error),
        _ => Ok(status),
    }
}

fn wait(child: &mut Child) -> std::io::Result<ExitStatus> {
    let latest = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= latest {
            child.kill()?;
            child.wait()?;
            return Err(std::io::Error::new(ErrorKind::TimedOut, "it did not answer"));
        }
        std::thread::sleep(POLL);
    }
}

/// The one encoding that the clipboard of Windows always takes for what it is.
fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(programs: Vec<Program>) -> Clip {
        Clip { text: "one\ntwo".into(), what: "the reply".into(), programs }
    }

    #[test]
    fn the_programs_follow_from_the_environment() {
        let with =
            |set: &'static [&'static str]| programs(move |name| set.contains(&name).then_some("x"));
        assert!(with(&["WAYLAND_DISPLAY", "DISPLAY"]).starts_with(&[WAYLAND, X11[0], X11[1]]));
        assert_eq!(with(&["WSL_DISTRO_NAME"]).last(), Some(&WINDOWS));
        assert!(with(&["WSL_DISTRO_NAME", "SSH_CONNECTION"]).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_believed_what_it_says() {
        assert_eq!(copy(vec![&["cat"]]).hand_over(), Outcome::Taken("cat"));
        let missing: Program = &["a-program-that-is-not-there"];
        assert_eq!(copy(vec![missing, &["cat"]]).hand_over(), Outcome::Taken("cat"));
        assert_eq!(copy(vec![missing]).hand_over(), Outcome::Terminal);
        assert!(matches!(copy(vec![&["false"]]).hand_over(), Outcome::Refused("false", _)));
    }

    #[test]
    fn nothing_is_told_that_is_not_known() {
        let copy = copy(Vec::new());
        assert_eq!(
            copy.told(&Outcome::Taken("wl-copy")),
            "copied the reply (2 lines) with wl-copy"
        );
        assert!(!copy.told(&Outcome::Terminal).contains("copied"));
        let refused = copy.told(&Outcome::Refused("xclip", "no display".into()));
        assert!(refused.starts_with("xclip refused the reply (no display)"), "{refused}");
    }

    #[test]
    fn windows_gets_its_own_encoding() {
        assert_eq!(utf16("é"), [0xff, 0xfe, 0xe9, 0x00]);
    }
}
