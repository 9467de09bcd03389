//! Where other programs keep their conversations: all of them, or the one that was written last.

mod below;
mod codex;

use std::fs;
use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::input::{OnDisk, named};
use super::{Error, Host, Origin};
use crate::read::{self, Format, unpacked};
pub(super) use below::{Below, endings, is_session, why_nothing};
use below::{ends_with, files_below};
pub(super) use codex::{Names, taken_over};

/// Rollouts of Codex that are asked for their folder; it keeps them all in one place.
const MOST_ROLLOUTS: usize = 500;

/// First lines of a session that are looked at for its folder.
const MOST_HEADS: usize = 40;

/// Bytes in front of an export's messages that are looked at.
const LONGEST_INFO: u64 = 1 << 14;

/// Longest first line in bytes that is looked at.
const LONGEST_HEAD: u64 = 8 << 20;

/// The folders in which a program keeps its conversations.
pub(super) fn homes_of(origin: Origin, host: &Host) -> Vec<PathBuf> {
    let home = host.environment.var("HOME").map(PathBuf::from).unwrap_or_default();
    match origin {
        Origin::ClaudeCode => {
            let named = host.environment.var("CLAUDE_CONFIG_DIR").unwrap_or_default();
            let named = named.split(',').map(str::trim).filter(|place| !place.is_empty());
            let mut places: Vec<PathBuf> = named.map(PathBuf::from).collect();
            if places.is_empty() {
                places = vec![home.join(".claude"), home.join(".config/claude")];
            }
            places.into_iter().map(|place| place.join("projects")).collect()
        }
        Origin::Codex => {
            let place = host.environment.var("CODEX_HOME");
            let place = place.map_or_else(|| home.join(".codex"), PathBuf::from);
            vec![place.join("sessions"), place.join("archived_sessions")]
        }
        Origin::Gemini => vec![home.join(".gemini/tmp")],
        Origin::Aider => vec![PathBuf::from(".")],
    }
}

/// The same as a text: those that are there, or the usual one.
pub(super) fn told(homes: &[PathBuf]) -> String {
    let there: Vec<&PathBuf> = homes.iter().filter(|home| home.is_dir()).collect();
    let all = if there.is_empty() { homes.iter().take(1).collect() } else { there };
    all.iter().map(|home| named(home)).collect::<Vec<_>>().join(" and ")
}

/// The files of a program, of one project if one is named, the one that was written last first.
pub(super) fn files_of(origin: Origin, project: Option<&Path>, host: &Host) -> Vec<PathBuf> {
    let about = project.map(real);
    let mut homes: Vec<PathBuf> = Vec::new();
    for home in homes_of(origin, host) {
        // One may be a link to the other.
        let home = home.canonicalize().unwrap_or(home);
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    let files = homes.iter().flat_map(|home| files_in(home, origin, about.as_deref()));
    let mut files: Vec<PathBuf> = files.collect();
    // A file may be written, or gone, while they are put in order.
    files.sort_by_cached_key(|path| (std::cmp::Reverse(written(path)), path.clone()));
    files
}

/// The real path of a folder; of one that is gone the path as it is written, without a slash at its end.
fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.components().collect())
}

fn files_in(home: &Path, origin: Origin, about: Option<&Path>) -> Vec<PathBuf> {
    let mut files = match (origin, about) {
        (Origin::ClaudeCode, Some(about)) => {
            let named = home.join(slug(about));
            let mut files = files_below(&named);
            // Several folders have this name.
            files.retain(|path| began_in(path).is_none_or(|folder| real(&folder) == *about));
            files.extend(elsewhere(home, &named, about));
            files
        }
        (Origin::Aider, about) => {
            let file = about.unwrap_or(home).join(".aider.chat.history.md");
            return if file.is_file() { vec![file] } else { Vec::new() };
        }
        _ => files_below(home),
    };
    let project = about.map(|about| (about, hash(about)));
    files.retain(|path| match origin {
        Origin::Gemini => {
            is_chat(path)
                && project.as_ref().is_none_or(|project| is_chat_about(path, home, project))
        }
        Origin::Codex => is_log(path) && about.is_none_or(|about| is_about(path, about)),
        _ => is_log(path),
    });
    files
}

/// The sessions of Claude Code that began in a folder and stand below another name than that has: a long one is cut, and the
/// folder may have been called otherwise.
fn elsewhere(home: &Path, named: &Path, about: &Path) -> Vec<PathBuf> {
    let began_here = |path: &PathBuf| began_in(path).is_some_and(|folder| real(&folder) == *about);
    let folders = fs::read_dir(home).into_iter().flatten().flatten().map(|item| item.path());
    let others = folders.filter(|folder| folder != named && folder.is_dir());
    // The newest session speaks for the folder: there may be thousands.
    let is_session = |path: &&PathBuf| is_log(path) && !is_placed_aside(path);
    others
        .map(|folder| files_below(&folder))
        .filter(|files| files.iter().find(is_session).is_some_and(began_here))
        .flat_map(|files| files.into_iter().filter(began_here))
        .collect()
}

/// Whether a file is a log of lines, and nothing that stands beside one.
fn is_log(path: &Path) -> bool {
    ["jsonl", "ndjson", "zst"].iter().any(|ending| ends_with(path, ending))
}

fn is_chat(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "chats")
}

/// Whether a chat of Gemini is about a folder with this hash, by the name of the folder that it stands in: the hash, or a
/// word, beside which a note names the folder that it is about. Without either the first line of the chat tells.
fn is_chat_about(path: &Path, home: &Path, (about, hash): &(&Path, String)) -> bool {
    let below = path.strip_prefix(home).ok().and_then(|below| below.components().next());
    let Some(name) = below else { return false };
    let name = name.as_os_str();
    if name == hash.as_str() {
        return true;
    }
    match fs::read_to_string(home.join(name).join(".project_root")) {
        Ok(root) => Path::new(root.trim()) == *about,
        Err(_) => head(path).is_some_and(|head| head["projectHash"] == hash.as_str()),
    }
}

/// The SHA-256 of a folder's path, as Gemini names what it keeps of a project.
fn hash(folder: &Path) -> String {
    let hash = digest(&SHA256, folder.as_os_str().as_encoded_bytes());
    let digits = hash.as_ref().iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// Sessions of a folder that are looked through for a compaction.
const MOST_SESSIONS: usize = 50;

/// The newest sessions below a folder, of programs that compact, the newest first.
///
/// # Errors
/// There is none.
pub(super) fn below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let known = files_below(folder).into_iter().filter(|path| compacts(path));
    let known: Vec<PathBuf> = known.take(MOST_SESSIONS).collect();
    if known.is_empty() {
        let why = why_nothing(folder, Format::tells_compactions);
        let why = why.map(|why| format!("; {why}")).unwrap_or_default();
        return Err(Error::Usage(format!(
            "{}: no conversation is in it of a program whose compactions are known: Claude Code, Codex or opencode{why}",
            named(folder)
        )));
    }
    Ok(known)
}

/// The newest sessions of Claude Code and Codex about the folder in which the program was started, or the nearest one
/// around it that has any; the newest first.
///
/// # Errors
/// There is none, or the folder cannot be read.
pub(super) fn of_this_folder(host: &Host) -> Result<Vec<PathBuf>, Error> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here =
        here.map_err(|reason| Error::Failed(format!("cannot read the current folder: {reason}")))?;
    let mut rollouts = files_of(Origin::Codex, None, host);
    rollouts.truncate(MOST_ROLLOUTS);
    let about = |folder: &Path| {
        let own = files_of(Origin::ClaudeCode, Some(folder), host).into_iter();
        let others = rollouts.iter().filter(|path| is_about(path, folder)).cloned();
        let mut all: Vec<PathBuf> = own.chain(others).filter(|path| compacts(path)).collect();
        all.sort_by_cached_key(|path| (std::cmp::Reverse(written(path)), path.clone()));
        all.truncate(MOST_SESSIONS);
        all
    };
    here.ancestors().map(about).find(|all| !all.is_empty()).ok_or_else(|| {
        let place = |home: PathBuf| home.join(slug(&here));
        let claude_code: Vec<PathBuf> =
            homes_of(Origin::ClaudeCode, host).into_iter().map(place).collect();
        Error::Usage(format!(
            "no session of Claude Code is in {} and none of Codex about this folder in {}; name a file: `ebbtide \
             uncompact PATH`",
            told(&claude_code),
            told(&homes_of(Origin::Codex, host))
        ))
    })
}

/// Whether a file is a session, and no subagent's, of a program whose compactions are known.
fn compacts(path: &Path) -> bool {
    let known = || read::format(&OnDisk(path)).is_ok_and(Format::tells_compactions);
    !is_aside(path) && known()
}

/// The folder's name in Claude Code: every unit that is no letter or digit is a dash.
fn slug(folder: &Path) -> String {
    let plain =
        |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    folder.to_string_lossy().encode_utf16().map(plain).collect()
}

/// The folder in which a session of Claude Code began, if one of its first records tells.
fn began_in(path: &Path) -> Option<PathBuf> {
    let file = OnDisk(path);
    let mut lines = io::BufReader::new(unpacked(&file).ok()?.take(LONGEST_HEAD)).lines();
    let folder = |line: io::Result<String>| {
        let record: Value = serde_json::from_str(&line.ok()?).ok()?;
        record["cwd"].as_str().map(PathBuf::from)
    };
    lines.by_ref().take(MOST_HEADS).find_map(folder)
}

/// Whether a file is a subagent's, by its place or by what its first line says.
pub(super) fn is_aside(path: &Path) -> bool {
    is_placed_aside(path)
        || head(path).is_some_and(|head| is_subagents(&head))
        || is_child_of_opencode(path)
}

/// Whether a file is what opencode exports of a session that another one began, as the object beside its messages says.
fn is_child_of_opencode(path: &Path) -> bool {
    let (file, mut front) = (OnDisk(path), Vec::new());
    let Ok(bytes) = unpacked(&file) else { return false };
    if bytes.take(LONGEST_INFO).read_to_end(&mut front).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(&front);
    if text
        .trim_start()
        .strip_prefix('{')
        .is_some_and(|text| text.trim_start().starts_with(MESSAGES))
    {
        return text.contains("\"parts\"") && is_child_by_its_end(&file);
    }
    let front = text.split(MESSAGES).next().unwrap_or_default();
    let parent = front.split("\"parentID\"").nth(1).map(|rest| rest.trim_start_matches([':', ' ']));
    text.len() > front.len()
        && front.contains("\"info\"")
        && parent.is_some_and(|parent| parent.starts_with('"') && !parent.starts_with("\"\""))
}

/// What opencode calls the messages of a session.
const MESSAGES: &str = "\"messages\"";

/// The same of one whose messages come first.
fn is_child_by_its_end(file: &OnDisk<'_>) -> bool {
    #[derive(Deserialize)]
    struct Export {
        #[serde(rename = "messages")]
        _messages: IgnoredAny,
        info: Value,
    }
    let export: Option<Export> =
        unpacked(file).ok().and_then(|bytes| serde_json::from_reader(bytes).ok());
    export.is_some_and(|export| export.info["parentID"].as_str().is_some_and(|id| !id.is_empty()))
}

/// Whether a file is Claude Code's and stands where that keeps those of subagents.
pub(super) fn is_placed_aside(path: &Path) -> bool {
    let agent = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
    let is_there = agent || path.components().any(|part| part.as_os_str() == "subagents");
    is_there && is_claude_codes(path)
}

/// Whether a first line, of Codex or Gemini, is that of a subagent's conversation.
fn is_subagents(head: &Value) -> bool {
    let meta = head.get("payload").unwrap_or(head);
    let says = |value: &Value| value == "subagent";
    meta["source"].get("subagent").is_some()
        || says(&meta["source"])
        || says(&meta["thread_source"])
        || says(&head["kind"])
}

/// What a rollout of Codex is called, and the one that it goes on from, if it does; `None` for what is none.
pub(super) fn fork(path: &Path) -> Option<(String, Option<String>)> {
    let head = head(path)?;
    let meta = head.get("payload").unwrap_or(&head);
    let named = |key: &str| meta[key].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
    Some((named("id")?, named("forked_from_id")))
}

/// The first line of a file, if it is JSON.
fn head(path: &Path) -> Option<Value> {
    let (file, mut line) = (OnDisk(path), Vec::new());
    let bytes = unpacked(&file).ok()?;
    bytes.take(LONGEST_HEAD).read_until(b'\n', &mut line).ok()?;
    // An export of one line is no head.
    (line.first() == Some(&b'{')).then(|| serde_json::from_slice(&line).ok()).flatten()
}

/// Whether a rollout's first line names the folder.
fn is_about(path: &Path, folder: &Path) -> bool {
    let head = head(path);
    let about =
        head.as_ref().and_then(|head| head["payload"]["cwd"].as_str().or(head["cwd"].as_str()));
    about.is_some_and(|about| Path::new(about) == folder || real(Path::new(about)) == *folder)
}

/// Whether a file is a log of Claude Code, by what is in it.
fn is_claude_codes(path: &Path) -> bool {
    path.is_file() && read::format(&OnDisk(path)).is_ok_and(|format| format == Format::ClaudeCode)
}

/// When a file was written last, or a session.
pub(super) fn written(path: &Path) -> Option<SystemTime> {
    let state = path.join("session_state.json");
    let of_session = fs::metadata(state);
    of_session.or_else(|_| fs::metadata(path)).and_then(|known| known.modified()).ok()
}
