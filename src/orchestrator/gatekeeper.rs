//! The gatekeeper: what is too large for the window is stored whole and shown by pointer and preview
//! (design section 7). And the tools that read what is stored.

use serde_json::{Value, json};

use super::answer::{self, Answer, Refusal};
use super::driver::Driver;
use super::intake::PadWork;
use super::notice::Notice;
use super::turn::Progress;
use crate::counted::{grouped, noun};
use crate::home::at_home;
use crate::memory::{CountTokens, ScratchItem, Tokens, sandwich};
use crate::store::{Chunk, Label, PadError, PadHit, Scratchpad, StopFlag};
use crate::tools::{self, Gives};

/// No token of English or code is longer on average; a text with more bytes than this for each token of
/// a limit is over it without being counted.
const MOST_BYTES_PER_TOKEN: u64 = 16;

/// Items on one page of a list.
const ITEMS_PER_PAGE: usize = 10;

/// Results of a search.
const MOST_RESULTS: usize = 5;

impl Driver {
    /// A text that could not be stored is sent as it is; the user hears why.
    pub(super) fn tell_unstored(&self, error: &PadError) {
        let advice = "The message is sent as it is, cut to the budget where it must be.";
        self.notify(Notice::problem(error.to_string(), advice));
    }

    /// A tool's result that is too large becomes a pointer with a preview.
    pub(super) fn admit_result(
        &mut self,
        tool: &str,
        result: Value,
        progress: &mut Progress,
    ) -> Value {
        // What reads is bounded already: it must not be put on the scratchpad again, and a page of results that
        // is cut says less than it found.
        if tools::find(tool).is_some_and(|tool| tool.gives != Gives::Answer) {
            return result;
        }
        let (text, counter) = (result.to_string(), self.memory.counter());
        if !is_over(&text, self.settings.tool_output_limit(), &*counter) {
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
        let (pad, target) = (self.store.scratchpad(), self.settings.preview());
        let preview = preview(pad, &item, "Full result", target, &*counter);
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
        let label = Label { key: &key, description, what: "the text" };
        pad.save(label, text.as_bytes(), &*counter)
    }

    /// Stores a text for the model or the user.
    pub(super) fn pad_save(
        &mut self,
        key: &str,
        content: &str,
        description: Option<&str>,
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        let counter = self.memory.counter();
        let words = first_words(content);
        let description = description.unwrap_or(&words);
        let pad = self.store.scratchpad_mut();
        let label = Label { key, description, what: "the content" };
        let item = pad.save(label, content.as_bytes(), &*counter)?;
        let (key, size) = (format!("ref:{}", item.key), item.size());
        let change = self.memory.scratchpad_saved(item);
        self.apply(vec![change], progress);
        let for_people = format!("Kept as {key} ({size}).");
        Ok(Answer { for_model: json!({ "saved": key, "size": size }), for_people })
    }

    /// Writes an item out for the user.
    pub(super) fn copy_out(&self, key: &str, path: &std::path::Path) -> Result<String, Refusal> {
        let path = at_home(path);
        let bytes = self.store.scratchpad().copy_out(key, &path)?;
        Ok(format!("{bytes} bytes written to {}.", path.display()))
    }

    /// Searches beside the async runtime, and can be stopped: the texts may be large.
    pub(super) async fn pad_search(
        &mut self,
        query: &str,
        key: Option<&str>,
    ) -> Result<Answer, Refusal> {
        let (wanted, key) = (query.to_owned(), key.map(str::to_owned));
        let search = move |pad: &mut Scratchpad, stop: &StopFlag| {
            pad.search(&wanted, key.as_deref(), MOST_RESULTS, stop)
        };
        let PadWork { done: hits, stopped } = self.with_pad(search).await;
        stopped.map_err(Refusal::Stop)?;
        let failed = |panic| Refusal::of(format!("the search failed: {panic}"));
        Ok(found(query, &hits.map_err(failed)??))
    }
}

/// Whether a text costs more than a limit.
pub(super) fn is_over(text: &str, limit: Tokens, counter: &dyn CountTokens) -> bool {
    let bytes = text.len() as u64;
    bytes > limit.0
        && (bytes > limit.0.saturating_mul(MOST_BYTES_PER_TOKEN) || counter.count(text) > limit)
}

/// The pointer to an item, with a preview of it, or with all of it if that is no longer.
pub(super) fn preview(
    pad: &Scratchpad,
    item: &ScratchItem,
    what: &str,
    target: Tokens,
    counter: &dyn CountTokens,
) -> String {
    let pointer = |follows: &str| {
        let ScratchItem { key, description, .. } = item;
        format!("[{what} saved as ref:{key}: {description}, {}. {follows}]", item.size())
    };
    let parts = pointer(
        "Below are its beginning, a part of its middle and its end; scratchpad_read_chunk and scratchpad_search give \
         the rest.",
    );
    match pad.sample(&item.key) {
        Ok(sample) => {
            let whole = format!("{}\n{}", pointer("All of it stands below."), sample.text);
            if sample.whole && counter.count(&whole) <= target {
                return whole;
            }
            sandwich(&sample.text, &parts, target, counter)
        }
        Err(error) => {
            tracing::warn!("no preview: {error}");
            parts
        }
    }
}

/// A page of the items, newest first.
pub(super) fn list(pad: &Scratchpad, page: usize) -> Answer {
    let items = pad.items();
    let pages = items.len().div_ceil(ITEMS_PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let shown = items.iter().rev().skip((page - 1) * ITEMS_PER_PAGE).take(ITEMS_PER_PAGE);
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for ScratchItem { key, description, tokens, bytes, chunks, .. } in shown {
        rows.push(json!({
            "key": format!("ref:{key}"), "description": &**description,
            "tokens": tokens.0, "bytes": bytes, "chunks": chunks,
        }));
        let noun = noun(*chunks, "chunk");
        let size = grouped(tokens.0);
        lines.push(format!("ref:{key}: {description} ({size} tokens, {chunks} {noun})"));
    }
    let mut for_model = json!({ "items": rows, "page": page, "pages": pages });
    if page < pages {
        for_model["more"] = format!("call scratchpad_list with page {}", page + 1).into();
    }
    let empty = "Nothing is held by reference. /attach FILE keeps a file so.";
    Answer { for_model, for_people: answer::page(lines, page, pages, empty) }
}

/// One chunk, and how to get the next.
pub(super) fn chunk(key: &str, chunk: &Chunk) -> Answer {
    let Chunk { number, of, text, .. } = chunk;
    let mut for_model = json!({ "key": key, "chunk_index": number, "chunks": of, "content": text });
    if number < of {
        for_model["more"] = format!("the next one is chunk_index {}", number + 1).into();
    }
    Answer { for_model, for_people: format!("{key}, chunk {number} of {of}:\n{text}") }
}

fn found(query: &str, hits: &[PadHit]) -> Answer {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for PadHit { key, chunk, score, snippet, .. } in hits {
        rows.push(json!({
            "key": format!("ref:{key}"), "chunk_index": chunk,
            "score": (score * 100.0).round() / 100.0, "snippet": snippet,
        }));
        lines.push(format!("ref:{key}, chunk {chunk}: {snippet}"));
    }
    let note = if hits.is_empty() {
        "nothing on the scratchpad holds these words; try others, or scratchpad_list"
    } else {
        "scratchpad_read_chunk reads a chunk whole"
    };
    let query: String = query.chars().take(200).collect();
    let for_people = answer::page(lines, 1, 1, "Nothing holds these words; try others.");
    Answer { for_model: json!({ "query": query, "results": rows, "note": note }), for_people }
}

/// The beginning of a text, as a description of it.
pub(super) fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    words.join(" ").chars().take(60).collect()
}
