//! Texts compared by their meaning, where a model for that is set: one request, with what is not known yet. Whatever
//! fails, words alone rank, and the person hears of it once.

use std::time::Duration;

use super::Texts;
use crate::chunk::beginning;
use crate::clock::Stopwatch;
use crate::llm::{self, Embedder};
use crate::memory::{Effort, Status};
use crate::orchestrator::driver::Driver;
use crate::orchestrator::notice::Notice;
use crate::orchestrator::turn::{Progress, Stop};
use crate::recall::Vectors;
use crate::recall::meaning::{BACKGROUND, Compared, cosine, weighed};
use crate::recall::said::Hit;

/// How long a message waits for it, at most.
const PATIENCE: Duration = Duration::from_secs(3);

/// Passages of what was found by words that are compared.
const MOST_PASSAGES: usize = 32;

/// Summaries that are compared, of the efforts that came up last.
const MOST_SUMMARIES: usize = 256;

/// Of a longer text only so many bytes from its beginning are compared.
const MOST_BYTES: usize = 2_000;

/// Bytes of texts in one request. A server without a graphics card reads some thousand tokens in [`PATIENCE`]: what has
/// no room in a request waits for the next one, and the room follows what the server can do.
const LEAST_ROOM: usize = 1024;
const FIRST_ROOM: usize = 8 * 1024;
const MOST_ROOM: usize = 64 * 1024;

/// Messages that are not compared after a failure, twice as many after each further one: a server that is away costs
/// patience seldom.
const REST: u32 = 4;
const LONGEST_REST: u32 = 64;

/// Who compares texts, and what is known of it.
#[derive(Default)]
pub(in crate::orchestrator) struct Comparing {
    /// What `embedder` was made for: the model, its address, and who chats.
    of: Option<(String, Option<String>, String)>,
    embedder: Option<Embedder>,
    vectors: Vectors,
    room: usize,
    /// Messages that are not compared yet, and how many will not be after the next failure.
    resting: u32,
    next_rest: u32,
    /// The person has heard that it does not work, as it is set.
    told: bool,
}

impl Comparing {
    /// Sends more next time if the server was quick, and less if it was slow; nothing for a while if it failed.
    fn learn(&mut self, took: Duration, has_failed: bool) {
        let room = match took {
            took if took > PATIENCE * 9 / 10 => self.room / 4,
            took if took > PATIENCE / 2 => self.room / 2,
            took if took < PATIENCE / 4 && !has_failed => self.room * 2,
            _ => self.room,
        };
        self.room = room.clamp(LEAST_ROOM, MOST_ROOM);
        if has_failed {
            self.resting = self.next_rest;
            self.next_rest = (self.next_rest * 2).min(LONGEST_REST);
        } else {
            self.next_rest = REST;
        }
    }

    /// Takes the vectors of texts.
    ///
    /// # Errors
    /// They are of another model than those before.
    fn take(
        &mut self,
        embedder: &Embedder,
        texts: &[String],
        vectors: Vec<Vec<f32>>,
    ) -> Result<(), llm::Error> {
        let mut both = texts.iter().zip(vectors);
        if both.all(|(text, vector)| self.vectors.take(text, vector)) {
            return Ok(());
        }
        Err(embedder.unusable("they have another length than before"))
    }
}

/// A query and what it is compared with, each as it is sent.
struct Comparison {
    query: String,
    background: Vec<String>,
    /// Of hits, by their numbers.
    passages: Vec<(usize, usize, String)>,
    /// By their efforts.
    summaries: Vec<(String, String)>,
}

impl Comparison {
    /// What is not known yet, as much as has room, what counts most first.
    fn unknown(&self, known: &Vectors, room: usize) -> Vec<String> {
        let always = std::iter::once(&self.query).chain(&self.background);
        let passages = self.passages.iter().map(|(.., text)| text);
        let others = passages.chain(self.summaries.iter().map(|(_, text)| text));
        let is_new = |text: &&String| !known.holds(text);
        let mut used = 0;
        let has_room = |text: &&String| {
            used += text.len();
            used <= room
        };
        let others = others.filter(is_new).take_while(has_room);
        let mut unknown: Vec<String> = always.filter(is_new).chain(others).cloned().collect();
        let mut seen = std::collections::HashSet::new();
        unknown.retain(|text| seen.insert(text.clone()));
        unknown
    }

    /// How near each is that is known by now; `None` as long as the query is not.
    fn compared(&self, known: &mut Vectors) -> Option<Compared> {
        let query = known.of(&self.query)?;
        let mut near = |text: &String| known.of(text).map(|vector| cosine(&query, &vector));
        Some(Compared {
            passages: (self.passages.iter())
                .filter_map(|(hit, passage, text)| Some((*hit, *passage, near(text)?)))
                .collect(),
            summaries: (self.summaries.iter())
                .filter_map(|(id, text)| Some((id.clone(), near(text)?)))
                .collect(),
            background: self.background.iter().filter_map(near).collect(),
        })
    }
}

impl Driver {
    /// What was found by words, ranked by meaning as well, and what is near in meaning beside it. As it was, where
    /// nobody is set for that or it fails.
    ///
    /// # Errors
    /// The user cancelled.
    pub(super) async fn compare(
        &mut self,
        query: &str,
        hits: Vec<Hit>,
        progress: &mut Progress,
    ) -> Result<Vec<Hit>, Stop> {
        let Some(embedder) = self.embedder() else { return Ok(hits) };
        let Some(comparison) = self.comparison(&embedder, query, &hits) else { return Ok(hits) };
        let texts = comparison.unknown(&self.comparing.vectors, self.comparing.room);
        if !texts.is_empty() {
            let waiting = Stopwatch::start();
            let vectors = self.unless_stopped(embedder.embed(&texts, PATIENCE)).await?;
            let took = waiting.elapsed();
            progress.model_time += took;
            let taken = vectors.and_then(|vectors| self.comparing.take(&embedder, &texts, vectors));
            self.comparing.learn(took, taken.is_err());
            if let Err(error) = taken {
                self.tell_once(&error.to_string());
                return Ok(hits);
            }
        }
        let compared = comparison.compared(&mut self.comparing.vectors);
        Ok(match compared {
            Some(compared) => weighed(hits, &compared),
            None => hits,
        })
    }

    /// Who is set to compare texts; nobody while it rests after a failure.
    fn embedder(&mut self) -> Option<Embedder> {
        let model = self.settings.embedding_model()?.to_owned();
        let url = self.settings.embedding_url().map(str::to_owned);
        let wanted = Some((model.clone(), url.clone(), self.model.info().provider));
        if self.comparing.of != wanted {
            let made = self.model.embedder(&model, url.as_deref());
            let was_set = |(before, at, _): &(String, _, _)| (before, at) == (&model, &url);
            let told = self.comparing.told && self.comparing.of.as_ref().is_some_and(was_set);
            let (room, next_rest) = (FIRST_ROOM, REST);
            self.comparing =
                Comparing { of: wanted, room, next_rest, told, ..Comparing::default() };
            match made {
                Ok(embedder) => self.comparing.embedder = embedder,
                Err(why) => self.tell_once(&why),
            }
        }
        if self.comparing.resting > 0 {
            self.comparing.resting -= 1;
            return None;
        }
        self.comparing.embedder.clone()
    }

    /// The person hears once that words alone rank.
    fn tell_once(&mut self, why: &str) {
        tracing::warn!("texts were not compared by meaning: {why}");
        if !std::mem::replace(&mut self.comparing.told, true) {
            self.notify(Notice::Info(format!(
                "Texts cannot be compared by their meaning: {why}. What was said is found by its words, as without \
                 embedding_model. It is tried again now and then; `ebbtide doctor` checks embedding_model and \
                 embedding_url."
            )));
        }
    }

    /// `None` where there is nothing to compare.
    fn comparison(&self, embedder: &Embedder, query: &str, hits: &[Hit]) -> Option<Comparison> {
        let texts = self.texts()?;
        let summaries = self.memory.efforts().iter().rev().filter(|effort| has_summary(effort));
        let summary = |effort: &Effort| {
            let summary = effort.summary().unwrap_or_default();
            let words = format!("{}: {summary}", effort.id.as_str().replace(['-', '_'], " "));
            (effort.id.to_string(), embedder.as_text(beginning(&words, MOST_BYTES)))
        };
        let comparison = Comparison {
            query: embedder.as_question(beginning(query, MOST_BYTES)),
            background: BACKGROUND.iter().map(|text| embedder.as_text(text)).collect(),
            passages: passages(&texts, embedder, hits),
            summaries: summaries.take(MOST_SUMMARIES).map(summary).collect(),
        };
        let is_empty = comparison.passages.is_empty() && comparison.summaries.is_empty();
        (!is_empty && !query.trim().is_empty()).then_some(comparison)
    }
}

fn has_summary(effort: &Effort) -> bool {
    effort.status == Status::Concluded
        && effort.summary().is_some_and(|summary| !summary.trim().is_empty())
}

/// The passages of hits that are compared: the best one of each, then the second of each, and so on.
fn passages(texts: &Texts<'_>, embedder: &Embedder, hits: &[Hit]) -> Vec<(usize, usize, String)> {
    let deepest = hits.iter().map(|hit| hit.passages.len()).max().unwrap_or(0);
    let all = (0..deepest).flat_map(|nth| (0..hits.len()).map(move |hit| (hit, nth)));
    let told = |(at, nth): (usize, usize)| {
        let hit: &Hit = &hits[at];
        let told = texts.of(&hit.source, hit.passages.get(nth)?)?;
        Some((at, nth, embedder.as_text(beginning(&told.text, MOST_BYTES))))
    };
    all.filter_map(told).take(MOST_PASSAGES).collect()
}
