//! What a person wrote for every conversation: a file beside the config file, and one in the folder where the program
//! is started.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::{Key, Settings, Source};

/// Bytes of a file that are read; more would fill any window.
const LONGEST: u64 = 64 * 1024;

impl Settings {
    /// Reads the instructions: `instructions.md` beside the config file, and in this folder `.ebbtide.md`, or
    /// `AGENTS.md` if that is wanted and the other is not there. One that cannot be read is a fault.
    pub fn read_instructions(&mut self, folder: &Path) {
        let own = self.config_file().and_then(|file| Some(file.parent()?.join("instructions.md")));
        let mut found: Vec<(String, String)> =
            own.and_then(|file| self.read(&file)).into_iter().collect();
        let of_folder = self.read(&folder.join(".ebbtide.md"));
        let wants_agents = self.text(Key::ReadAgentsMd) == Some("true") && of_folder.is_none();
        let of_agents = wants_agents.then(|| self.read(&folder.join("AGENTS.md"))).flatten();
        found.extend(of_folder.or(of_agents));
        self.instructions = found;
    }

    /// The instructions that were read, each with its file's name.
    pub fn instructions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.instructions.iter().map(|(file, words)| (&**file, &**words))
    }

    fn read(&mut self, file: &Path) -> Option<(String, String)> {
        let name = file.file_name()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        let read =
            fs::File::open(file).and_then(|open| open.take(LONGEST + 1).read_to_end(&mut bytes));
        let fault = match read {
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => return None,
            Err(reason) => Some(format!("cannot be read ({reason})")),
            Ok(_) if bytes.len() as u64 > LONGEST => {
                Some(format!("is longer than {} KiB", LONGEST / 1024))
            }
            Ok(_) => None,
        };
        if let Some(fault) = fault {
            let from = Source::File { path: file.to_owned(), line: 1 };
            self.fault(format!("{} {fault}. It is left out.", file.display()), from);
            return None;
        }
        let words =
            String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').trim().to_owned();
        (!words.is_empty()).then_some((name, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_the_config_file_and_in_the_folder_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, words: &[u8]| fs::write(dir.path().join(name), words).unwrap();
        let read = |agents: &str| {
            let mut settings =
                Settings { file: Some(dir.path().join("config.toml")), ..Settings::default() };
            settings.set("read_agents_md", agents, Source::Chat).unwrap();
            settings.read_instructions(dir.path());
            let words: Vec<String> =
                settings.instructions().map(|(file, words)| format!("{file}: {words}")).collect();
            (words, settings.faults().len())
        };
        assert_eq!(read("true"), (vec![], 0));
        write("instructions.md", b"Be brief.\n");
        write("AGENTS.md", b"Run make.");
        assert_eq!(read("false"), (vec!["instructions.md: Be brief.".to_owned()], 0));
        assert_eq!(read("true").0[1], "AGENTS.md: Run make.");
        write(".ebbtide.md", b"Speak of boats.");
        assert_eq!(read("true").0[1..], [".ebbtide.md: Speak of boats."]);
        write("instructions.md", &vec![b'x'; 70_000]);
        write(".ebbtide.md", b" \n");
        assert_eq!(read("false"), (vec![], 1));
    }
}
