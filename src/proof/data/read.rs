//! Which data sets a folder holds.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::cited::{Cited, only_left_out};
use super::{beam, locomo};

/// The files that are expected, as the help tells them.
pub const LAYOUT: &str = "DIR is the folder of a data set as its authors publish it: \
    locomo10.json of LoCoMo (in DIR or DIR/data, or named itself; a corrected copy may have any name that begins with locomo), or \
    chats/SIZE/N/chat.json with chats/SIZE/N/probing_questions/probing_questions.json of BEAM (DIR may be chats or \
    chats/SIZE, too)";

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// It is not there.
    #[error("there is no folder {}. {LAYOUT}", .0.display())]
    Missing(PathBuf),
    /// It is a file that needs others beside it.
    #[error("{} is a file: name the folder that it stands in. {LAYOUT}", .0.display())]
    File(PathBuf),
    /// It holds nothing that is known.
    #[error("{} holds no data set that is known. {LAYOUT}", .0.display())]
    Unknown(PathBuf),
    /// Nothing in it is asked that could be looked for.
    #[error("{} holds conversations, but no question that cites any of them{}", .0.display(), because(.1))]
    Unasked(PathBuf, Vec<String>),
    /// A file cannot be read.
    #[error("{} cannot be read: {why}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{} is not as it is published: {why}", path.display())]
    Layout {
        /// The file.
        path: PathBuf,
        /// What is missing, or where it is no JSON.
        why: String,
    },
}

impl DataError {
    /// Whether another folder is to be named; else what is in it is at fault.
    pub fn is_about_the_folder(&self) -> bool {
        match self {
            Self::Missing(_) | Self::File(_) | Self::Unknown(_) => true,
            Self::Unasked(..) | Self::Read { .. } | Self::Layout { .. } => false,
        }
    }
}

/// What was skipped, as the reason why nothing is left.
fn because(skipped: &[String]) -> String {
    if skipped.is_empty() { String::new() } else { format!(": {}", skipped.join("; ")) }
}

/// All conversations of a folder, or of a file of `LoCoMo`, in the order of their names, and which were skipped for what.
/// What is not as it is published is skipped as long as anything else can be read.
pub(super) fn read(place: &Path) -> Result<(Vec<Cited>, Vec<String>), DataError> {
    let mut found = Found::default();
    match fs::metadata(place) {
        Ok(known) if known.is_dir() => found.look_into(place),
        Ok(_) if is_of_beam(place) => return Err(DataError::File(place.to_owned())),
        Ok(_) => found.take(locomo(place), place),
        Err(_) => return Err(DataError::Missing(place.to_owned())),
    }
    let Found { sets, mut skipped, faults } = found;
    let mut faults = faults.into_iter();
    let fault = if sets.is_empty() { faults.next() } else { None };
    if let Some(fault) = fault {
        return Err(fault);
    }
    skipped.extend(faults.map(|fault| format!("{fault}, and is skipped")));
    let has_questions = sets.iter().any(|cited: &Cited| !cited.set.questions.is_empty());
    if has_questions {
        return Ok((sets, skipped));
    }
    let place = place.to_owned();
    let is_unknown = sets.is_empty() && skipped.is_empty();
    skipped.extend(only_left_out(&sets));
    Err(if is_unknown { DataError::Unknown(place) } else { DataError::Unasked(place, skipped) })
}

/// What was found in a folder.
#[derive(Default)]
struct Found {
    sets: Vec<Cited>,
    skipped: Vec<String>,
    /// What could not be read.
    faults: Vec<DataError>,
}

impl Found {
    fn look_into(&mut self, directory: &Path) {
        let folders = [directory.to_owned(), directory.join("data")];
        let mut paths: Vec<PathBuf> = folders.iter().flat_map(|in_| locomos(in_)).collect();
        // What was corrected has the longer name, and is the better one.
        paths.sort_by_key(|path| Reverse(name(path).len()));
        for path in paths {
            self.take(locomo(&path), &path);
        }
        for (name, folder) in beams(directory) {
            let (chat, asked) = (folder.join(CHAT), folder.join(QUESTIONS));
            if let Some(missing) = [&chat, &asked].into_iter().find(|path| !path.is_file()) {
                self.skip(format!("{name} is skipped, as there is no {}", missing.display()));
                continue;
            }
            match beam(&name, chat, &asked) {
                Ok(cited) if self.sets.iter().any(|known| cited.is_copy_of(known)) => {
                    self.skip(format!("{name} is skipped, as it is the same as another one"));
                }
                Ok(cited) => self.sets.push(cited),
                Err(fault) => self.faults.push(fault),
            }
        }
    }

    fn take(&mut self, read: Result<Vec<Cited>, DataError>, path: &Path) {
        match read {
            Ok(read) => self.skipped.extend(take_new(read, &mut self.sets, path)),
            Err(fault) => self.faults.push(fault),
        }
    }

    fn skip(&mut self, told: String) {
        self.skipped.push(told);
    }
}

fn locomo(path: &Path) -> Result<Vec<Cited>, DataError> {
    let read = locomo::read(&json(path)?);
    read.map_err(|why| DataError::Layout { path: path.to_owned(), why })
}

fn beam(name: &str, chat: PathBuf, asked: &Path) -> Result<Cited, DataError> {
    let (said, questions) = (json(&chat)?, json(asked)?);
    beam::read(name, &said, &questions).map_err(|why| DataError::Layout { path: chat, why })
}

/// Takes the conversations of a file that are not there yet: to ask of one twice would only narrow the intervals. Tells which
/// are skipped for what.
fn take_new(read: Vec<Cited>, sets: &mut Vec<Cited>, path: &Path) -> Vec<String> {
    let (all, before) = (read.len(), sets.len());
    let (mut elsewhere, mut twice) = (0, 0);
    for one in read {
        let has_name = one.set.name != locomo::UNNAMED;
        if has_name && sets[..before].iter().any(|known| known.set.name == one.set.name) {
            elsewhere += 1;
        } else if sets.iter().any(|known| one.is_copy_of(known)) {
            twice += 1;
        } else {
            sets.push(one);
        }
    }
    let told = |(count, why): (usize, &str)| {
        let path = path.display();
        format!("{count} of {all} conversations of {path} are skipped, as {why}")
    };
    let skipped = [
        (elsewhere, "another file holds conversations of these names"),
        (twice, "they are the same as others"),
    ];
    skipped.into_iter().filter(|(count, _)| *count > 0).map(told).collect()
}

/// What is in the folder of a conversation of BEAM.
const CHAT: &str = "chat.json";
const QUESTIONS: &str = "probing_questions/probing_questions.json";

/// Whether a file is one of these two, of which each needs the other.
fn is_of_beam(path: &Path) -> bool {
    [CHAT, QUESTIONS].map(Path::new).iter().any(|known| path.file_name() == known.file_name())
}

fn json(path: &Path) -> Result<Value, DataError> {
    let text = fs::read(path).map_err(|why| DataError::Read { path: path.to_owned(), why })?;
    let wrong = |error: serde_json::Error| {
        let why = format!("it is no JSON ({error})");
        DataError::Layout { path: path.to_owned(), why }
    };
    // A mark of the order of bytes, as some editors write it, is no part of the text.
    serde_json::from_slice(text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text)).map_err(wrong)
}

/// What a folder holds, by name; nothing if it is none.
fn items(folder: &Path) -> Vec<PathBuf> {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut items: Vec<PathBuf> = items.map(|item| item.path()).collect();
    items.sort_by_key(|path| (name(path).len(), name(path)));
    items
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn locomos(folder: &Path) -> Vec<PathBuf> {
    let is_one = |path: &PathBuf| {
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        is_json && name(path).to_lowercase().starts_with("locomo")
    };
    items(folder).into_iter().filter(is_one).collect()
}

/// The folders of BEAM's conversations, each with its name; one of the two files may be missing.
fn beams(directory: &Path) -> Vec<(String, PathBuf)> {
    let is_one = |path: &PathBuf| path.join(CHAT).is_file() || path.join(QUESTIONS).is_file();
    let within = |folder: &Path| items(folder).into_iter().filter(is_one).collect::<Vec<_>>();
    let named = |path: PathBuf| {
        let size = path.parent().map(name).unwrap_or_default();
        (format!("BEAM {size}/{}", name(&path)), path)
    };
    let sizes = [directory.to_owned(), directory.join("chats")];
    let deeper = sizes.iter().flat_map(|folder| items(folder)).flat_map(|size| within(&size));
    within(directory).into_iter().chain(deeper).map(named).collect()
}
