//! The gatekeeper: what is too large for the window is stored whole and shown by pointer and preview
//! (design section 7). And the tools that read what is stored.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::driver::Driver;
use super::execute::Refusal;
use super::notice::Notice;
use super::turn::Progress;
use crate::memory::{Change, CountTokens, ScratchItem, Tokens, sandwich};
use crate::store::{Chunk, PadError, PadHit, Scratchpad};

/// No token of English or code is longer on average; a text with more bytes than this for each token of
/// a limit is over it without being counted.
const MOST_BYTES_PER_TOKEN: u64 = 16;

/// Items on one page of a list.
const ITEMS_PER_PAGE: usize = 10;

/// Results of a search.
const MOST_RESULTS: usize = 5;

/// Bytes of a text that a reference inside an argument may bring in.
const MOST_RESOLVED: u64 = 4 * 1024 * 1024;

/// Typed text above this size is logged by its pointer alone: the item is the log of it.
const MOST_LOGGED: usize = 1024 * 1024;

/// A user's message behind the gatekeeper.
#[derive(Debug)]
pub(super) struct Admitted {
    /// What goes on disk as typed.
    pub(super) typed: Arc<str>,
    /// What the window holds.
    pub(super) shown: Arc<str>,
    /// What was stored.
    pub(super) changes: Vec<Change>,
}

impl From<PadError> for Refusal {
    fn from(error: PadError) -> Self {
        Self::Reply(error.to_string())
    }
}

impl Driver {
    /// Lets a user's message in: attached files (`@path`) and a text over the limit become pointers. A
    /// disk that takes nothing more does not keep the message back: the window's ceiling holds anyway.
    pub(super) fn admit(&mut self, text: &Arc<str>) -> Admitted {
        let mut admitted =
            Admitted { typed: Arc::clone(text), shown: Arc::clone(text), changes: Vec::new() };
        for path in mentioned_files(text) {
            match self.store.scratchpad_mut().attach(&path, &*self.memory.counter()) {
                Ok(item) => {
                    let preview = self.preview(&item, "Attached file");
                    admitted.shown = format!("{}\n\n{preview}", admitted.shown).into();
                    admitted.changes.extend(self.newly_saved(item));
                }
                Err(error) => self.tell_unstored(&error),
            }
        }
        if !self.is_over(text, self.settings.input_limit()) {
            return admitted;
        }
        let stored = self.store.scratchpad().same_text(text).cloned();
        let item = match stored {
            Some(item) => item,
            None => match self.keep("input", &first_words(text), text) {
                Ok(item) => {
                    admitted.changes.push(self.memory.scratchpad_saved(item.clone()));
                    item
                }
                Err(error) => {
                    self.tell_unstored(&error);
                    return admitted;
                }
            },
        };
        admitted.shown = self.preview(&item, "Full input").into();
        if text.len() > MOST_LOGGED {
            admitted.typed = Arc::clone(&admitted.shown);
        }
        admitted
    }

    /// Takes an item into memory, unless it was there already.
    fn newly_saved(&mut self, item: ScratchItem) -> Option<Change> {
        let known = self.memory.scratchpad().iter().any(|old| old.key == item.key);
        (!known).then(|| self.memory.scratchpad_saved(item))
    }

    fn tell_unstored(&self, error: &PadError) {
        let advice = "The message is sent as it is, cut to the budget where it must be.".to_owned();
        self.notify(Notice::Problem { what: error.to_string(), advice });
    }

    /// A tool's result that is too large becomes a pointer with a preview.
    pub(super) fn admit_result(
        &mut self,
        tool: &str,
        result: Value,
        progress: &mut Progress,
    ) -> Value {
        // What reads the scratchpad is bounded already, and must not be put on it again.
        if tool.starts_with("scratchpad_") {
            return result;
        }
        let text = result.to_string();
        if !self.is_over(&text, self.settings.tool_output_limit()) {
            return result;
        }
        let pretty = serde_json::to_string_pretty(&result).unwrap_or(text);
        let item = match self.keep(tool, &format!("result of {tool}"), &pretty) {
            Ok(item) => item,
            Err(error) => {
                self.tell_unstored(&error);
                return result;
            }
        };
        let preview = self.preview(&item, "Full result");
        let change = self.memory.scratchpad_saved(item);
        self.apply(vec![change], progress);
        json!({ "result": preview })
    }

    fn keep(
        &mut self,
        words: &str,
        description: &str,
        text: &str,
    ) -> Result<ScratchItem, PadError> {
        let counter = self.memory.counter();
        let pad = self.store.scratchpad_mut();
        let key = pad.free_key(words);
        pad.save(&key, description, "the text", text.as_bytes(), &*counter)
    }

    fn is_over(&self, text: &str, limit: Tokens) -> bool {
        let bytes = text.len() as u64;
        bytes > limit.0
            && (bytes > limit.0.saturating_mul(MOST_BYTES_PER_TOKEN)
                || self.memory.count(text) > limit)
    }

    /// The pointer to an item, with a preview of it.
    fn preview(&self, item: &ScratchItem, what: &str) -> String {
        let pointer = format!(
            "[{what} saved as ref:{}: {}, {}. Below are its beginning, a part of its middle and its end; \
             scratchpad_read_chunk and scratchpad_search give the rest.]",
            item.key,
            item.description,
            item.size()
        );
        let counter: Arc<dyn CountTokens> = self.memory.counter();
        let target = self.settings.preview();
        match self.store.scratchpad().sample(&item.key) {
            Ok(sample) => sandwich(&sample.text, &pointer, target, &*counter),
            Err(error) => {
                tracing::warn!("no preview: {error}");
                pointer
            }
        }
    }

    /// Stores a text for the model or the user. `ref:key` as content is a copy.
    pub(super) fn pad_save(
        &mut self,
        key: &str,
        content: &str,
        description: Option<&str>,
        progress: &mut Progress,
    ) -> Result<Value, Refusal> {
        let resolved = self.resolve(content)?;
        let content = resolved.as_deref().unwrap_or(content);
        let counter = self.memory.counter();
        let words = first_words(content);
        let description = description.unwrap_or(&words);
        let pad = self.store.scratchpad_mut();
        let item = pad.save(key, description, "the content", content.as_bytes(), &*counter)?;
        let result = json!({ "saved": format!("ref:{}", item.key), "size": item.size() });
        let change = self.memory.scratchpad_saved(item);
        self.apply(vec![change], progress);
        Ok(result)
    }

    /// The text behind an argument that is exactly `ref:key`; `None` for any other argument. It is looked
    /// up only now that the tool runs.
    pub(super) fn resolve(&self, argument: &str) -> Result<Option<String>, PadError> {
        if !argument.starts_with("ref:") || argument.contains(char::is_whitespace) {
            return Ok(None);
        }
        self.store.scratchpad().whole(argument, MOST_RESOLVED).map(Some)
    }

    /// Stores a file that the user attached.
    pub(super) async fn attach(&mut self, path: PathBuf) {
        let path = path.to_str().map_or_else(|| path.clone(), at_home);
        let counter = self.memory.counter();
        let reader = self.store.scratchpad().reader();
        let mut pad = std::mem::replace(self.store.scratchpad_mut(), reader);
        let stored = tokio::task::spawn_blocking(move || {
            let item = pad.attach(&path, &*counter);
            (pad, item)
        })
        .await;
        let (ok, text) = match stored {
            Ok((pad, item)) => {
                *self.store.scratchpad_mut() = pad;
                self.attached(item)
            }
            Err(panic) => (false, format!("the file could not be stored: {panic}")),
        };
        self.notify(Notice::CommandDone { ok, text });
        self.show_memory();
    }

    fn attached(&mut self, item: Result<ScratchItem, PadError>) -> (bool, String) {
        match item {
            Ok(item) => {
                let text = format!(
                    "Kept as ref:{} ({}). Mention it in a message; /pad-read {} shows it.",
                    item.key,
                    item.size(),
                    item.key
                );
                let change = self.newly_saved(item);
                self.apply(change.into_iter().collect(), &mut Progress::new("".into()));
                (true, text)
            }
            Err(error) => (false, error.to_string()),
        }
    }

    /// Writes an item out for the user.
    pub(super) fn copy_out(&self, key: &str, path: &std::path::Path) {
        let (ok, text) = match self.store.scratchpad().copy_out(key, path) {
            Ok(bytes) => (true, format!("{bytes} bytes written to {}.", path.display())),
            Err(error) => (false, error.to_string()),
        };
        self.notify(Notice::CommandDone { ok, text });
    }

    /// Searches beside the async runtime: the texts may be large.
    pub(super) async fn pad_search(
        &self,
        query: &str,
        key: Option<&str>,
    ) -> Result<Value, Refusal> {
        let reader = self.store.scratchpad().reader();
        let (wanted, key) = (query.to_owned(), key.map(str::to_owned));
        let search = move || reader.search(&wanted, key.as_deref(), MOST_RESULTS);
        let hits = tokio::task::spawn_blocking(search)
            .await
            .map_err(|panic| Refusal::Reply(format!("the search failed: {panic}")))??;
        Ok(found(query, &hits))
    }
}

/// A page of the items, newest first.
pub(super) fn list(pad: &Scratchpad, page: usize) -> Value {
    let items = pad.items();
    let pages = items.len().div_ceil(ITEMS_PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let shown = items.iter().rev().skip((page - 1) * ITEMS_PER_PAGE).take(ITEMS_PER_PAGE);
    let rows: Vec<Value> = shown
        .map(|item| {
            json!({
                "key": format!("ref:{}", item.key), "description": &*item.description,
                "tokens": item.tokens.0, "bytes": item.bytes, "chunks": item.chunks,
            })
        })
        .collect();
    let mut result = json!({ "items": rows, "page": page, "pages": pages });
    if page < pages {
        result["more"] = format!("call scratchpad_list with page {}", page + 1).into();
    }
    result
}

/// One chunk, and how to get the next.
pub(super) fn chunk(key: &str, chunk: &Chunk) -> Value {
    let mut result = json!({
        "key": key, "chunk_index": chunk.number, "chunks": chunk.of, "content": chunk.text,
    });
    if chunk.number < chunk.of {
        result["more"] = format!("the next one is chunk_index {}", chunk.number + 1).into();
    }
    result
}

fn found(query: &str, hits: &[PadHit]) -> Value {
    let rows: Vec<Value> = hits
        .iter()
        .map(|hit| {
            json!({
                "key": format!("ref:{}", hit.key), "chunk_index": hit.chunk,
                "score": (hit.score * 100.0).round() / 100.0, "snippet": hit.snippet,
            })
        })
        .collect();
    let mut result =
        json!({ "query": query.chars().take(200).collect::<String>(), "results": rows });
    result["note"] = if hits.is_empty() {
        "nothing on the scratchpad holds these words; try others, or scratchpad_list".into()
    } else {
        "scratchpad_read_chunk reads a chunk whole".into()
    };
    result
}

/// Files that a message names as `@path`, or as `@"path"` where the path holds spaces. What names no file is
/// just words.
fn mentioned_files(text: &str) -> Vec<PathBuf> {
    const MOST_FILES: usize = 8;
    let words = text.split_whitespace().filter_map(|word| word.strip_prefix('@'));
    let plain = words.map(|word| word.trim_end_matches([',', ';', ':', '?', '!']));
    let quoted = text.split("@\"").skip(1).filter_map(|rest| rest.split('"').next());
    let paths = plain.chain(quoted).map(at_home);
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths.filter(|path| path.is_file()) {
        if found.len() < MOST_FILES && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// A path with `~/` meaning the person's home, as in a shell.
fn at_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    words.join(" ").chars().take(60).collect()
}
