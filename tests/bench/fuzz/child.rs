//! Runs the cases in a process of their own, so that a case that ends the process (an overflow of the stack, an
//! abort, the system's hunt for memory) is told like any other.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};

/// Where the child notes what it is at.
const RECORD: &str = "EBBTIDE_FUZZ_RECORD";

/// Bytes of one worker's note.
const NOTE: usize = 64;

/// The notes of all workers: the case that each is at, or was at last.
#[derive(Debug)]
pub(crate) struct Record(Mutex<File>);

impl Record {
    /// The record of this process, if it is the child.
    pub(crate) fn of_child() -> Option<io::Result<Self>> {
        let path = std::env::var_os(RECORD)?;
        Some(File::options().write(true).open(path).map(|file| Self(Mutex::new(file))))
    }

    /// Notes the case that a worker begins. It stays readable whatever becomes of the process.
    pub(crate) fn note(&self, worker: usize, target: &str, seed: u64) {
        let note = format!("{:<1$}", format!("--target {target} --cases 1 --seed {seed}"), NOTE);
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = SeekFrom::Start((worker * NOTE) as u64);
        file.seek(at).and_then(|_| file.write_all(note.as_bytes())).expect("the case is noted");
    }
}

/// Starts this program again with the same arguments and waits for it.
pub(crate) fn run() -> io::Result<ExitCode> {
    let record = tempfile::NamedTempFile::new()?;
    let mut child = Command::new(std::env::current_exe()?);
    let status = child.args(std::env::args_os().skip(1)).env(RECORD, record.path()).status()?;
    if let Some(code) = status.code() {
        return Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)));
    }
    println!("MISS: the process died ({status}) in one of these cases:");
    for case in cases(record.path())? {
        println!("    again: {case}");
    }
    Ok(ExitCode::FAILURE)
}

fn cases(record: &Path) -> io::Result<Vec<String>> {
    let notes = std::fs::read(record)?;
    let notes = notes.chunks(NOTE).map(|note| String::from_utf8_lossy(note).trim().to_owned());
    Ok(notes.filter(|note| note.starts_with("--")).collect())
}
