//! Threads: notes that belong together, seen as one. Pure choice: nothing is changed here.
//!
//! Half of what was noted of a matter may mislead where all or nothing of it would not. Threads are off unless
//! set (`working_memory_threads = true`): that each note leaves by itself is easier to foresee.
//!
//! What makes a thread. Each note in the window belongs to one:
//!
//! 1. notes that were made in the same effort are one thread;
//! 2. a note of no effort joins the thread of the first note that shares a tag with it; tags that protect
//!    do not count, since they tell how much a note matters and not what it is about;
//! 3. else it joins the thread of the note with which it shares most telling words, at least two, of
//!    equals the first; a word tells if no more than a quarter of the notes hold it, or three of a few;
//! 4. else it is a thread of its own.
//!
//! The notes of efforts are looked at first, then the others, each by number, so that the same notes make
//! the same threads whatever happened in between.
//!
//! How a thread leaves. Its place among the others is that of the note which would leave last. The thread
//! in use is the very last to leave: that of the active effort, or without one that whose note was used
//! last. At the soft limit the whole thread leaves, even if that makes more than a batch, but for what is
//! pinned or protected, and while half of the soft limit stays (a thread may be all there is). The hard
//! limit removes a batch and no more: it is a promise, and what it destroys is not rounded up.
//!
//! How it returns. With an archived note that somebody brings back or a search finds, the archived ones of
//! its thread return, those used last first, as long as the next check would leave them in: those that
//! left with it, and those of its effort.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{EffortId, Memory};
use super::collection::Held;
use super::{Note, NoteId, NoteState, Notes};

/// Telling words that two notes must share.
const SHARED_WORDS: usize = 2;

/// So many notes may always hold a word that tells, and never more than the second.
const HOLDERS: (usize, usize) = (3, 20);

/// The threads of the notes in the window, each known by the number of the note that began it.
#[derive(Debug, Default)]
pub(super) struct Threads {
    by_note: BTreeMap<NoteId, NoteId>,
    notes: BTreeMap<NoteId, Vec<NoteId>>,
}

impl Threads {
    fn new(by_note: BTreeMap<NoteId, NoteId>) -> Self {
        let mut notes: BTreeMap<NoteId, Vec<NoteId>> = BTreeMap::new();
        for (&note, &thread) in &by_note {
            notes.entry(thread).or_default().push(note);
        }
        Self { by_note, notes }
    }

    /// The thread of a note; one that is not known is its own.
    pub(super) fn of(&self, id: NoteId) -> NoteId {
        self.by_note.get(&id).copied().unwrap_or(id)
    }

    /// The notes of a note's thread, by number.
    fn fellows(&self, id: NoteId) -> &[NoteId] {
        self.notes.get(&self.of(id)).map_or(&[], Vec::as_slice)
    }

    /// Whether other notes belong to a note's thread.
    pub(super) fn is_shared(&self, id: NoteId) -> bool {
        self.fellows(id).len() > 1
    }
}

/// Notes on their way into threads, with what joins them.
#[derive(Default)]
struct Sorting<'a> {
    threads: BTreeMap<NoteId, NoteId>,
    by_effort: BTreeMap<&'a EffortId, NoteId>,
    by_tag: BTreeMap<&'a str, NoteId>,
    by_word: BTreeMap<&'a str, Vec<NoteId>>,
}

impl<'a> Sorting<'a> {
    fn place(&mut self, held: &'a Held, topics: &[&'a str], telling: &[&'a str]) {
        let id = held.note.id;
        let joined = match &held.note.effort {
            Some(effort) => Some(*self.by_effort.entry(effort).or_insert(id)),
            None => self.by_tag(topics).or_else(|| self.by_words(telling)),
        };
        let thread = joined.map_or(id, |other| self.threads.get(&other).copied().unwrap_or(other));
        self.threads.insert(id, thread);
        for tag in topics {
            self.by_tag.entry(tag).or_insert(id);
        }
        for word in telling {
            self.by_word.entry(word).or_default().push(id);
        }
    }

    fn by_tag(&self, topics: &[&str]) -> Option<NoteId> {
        topics.iter().filter_map(|tag| self.by_tag.get(tag)).min().copied()
    }

    fn by_words(&self, telling: &[&str]) -> Option<NoteId> {
        let mut shared: BTreeMap<NoteId, usize> = BTreeMap::new();
        for id in telling.iter().filter_map(|word| self.by_word.get(word)).flatten() {
            *shared.entry(*id).or_default() += 1;
        }
        let near = shared.into_iter().filter(|&(_, words)| words >= SHARED_WORDS);
        near.max_by_key(|&(id, words)| (words, std::cmp::Reverse(id))).map(|(id, _)| id)
    }
}

impl Notes {
    /// The threads of the notes in the window; none if each note is taken by itself.
    pub(super) fn threads(&self) -> Threads {
        if !self.limits.threads {
            return Threads::default();
        }
        let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
        for word in self.in_session().flat_map(|held| &held.words) {
            *holders.entry(word).or_default() += 1;
        }
        let most = (self.session.len() / 4).clamp(HOLDERS.0, HOLDERS.1);
        let mut sorting = Sorting::default();
        let (of_efforts, others): (Vec<&Held>, Vec<&Held>) =
            self.in_session().partition(|held| held.note.effort.is_some());
        for held in of_efforts.into_iter().chain(others) {
            let telling = held.words.iter().map(String::as_str);
            let telling: Vec<&str> = telling.filter(|word| holders[word] <= most).collect();
            let topics: Vec<&str> = self.topics(&held.note).collect();
            sorting.place(held, &topics, &telling);
        }
        Threads::new(sorting.threads)
    }

    /// The tags that tell what a note is about.
    fn topics<'a>(&'a self, note: &'a Note) -> impl Iterator<Item = &'a str> {
        let protecting = &self.limits.protected_tags;
        note.tags.iter().filter(|tag| !protecting.contains(tag)).map(String::as_str)
    }

    /// What the threads of several notes are called: by their effort, a tag that joins them, or their
    /// first note.
    pub(super) fn thread_names(&self, threads: &Threads) -> BTreeMap<NoteId, String> {
        let shared = threads.notes.iter().filter(|(_, notes)| notes.len() > 1);
        shared
            .filter_map(|(&first, notes)| Some((first, self.thread_name(first, notes)?)))
            .collect()
    }

    fn thread_name(&self, first: NoteId, notes: &[NoteId]) -> Option<String> {
        let note = self.get(first)?;
        if let Some(effort) = &note.effort {
            return Some(effort.to_string());
        }
        let others = notes.iter().filter(|&&other| other != first);
        let tags: BTreeSet<&str> =
            others.filter_map(|&id| self.get(id)).flat_map(|note| self.topics(note)).collect();
        let joining = self.topics(note).find(|tag| tags.contains(tag));
        Some(joining.map_or_else(|| first.to_string(), |tag| format!("#{tag}")))
    }

    /// The archived notes of an archived note's thread but for itself, those used last first.
    pub(super) fn archived_fellows(&self, note: &Note) -> Vec<NoteId> {
        let is_fellow = |other: &&Note| {
            let together = note.thread.is_some() && other.thread == note.thread;
            let same_effort = note.effort.is_some() && other.effort == note.effort;
            other.id != note.id && other.state == NoteState::Permanent && (together || same_effort)
        };
        let held = self.held.values().map(|held| &held.note);
        let mut fellows: Vec<&Note> = held.filter(is_fellow).collect();
        fellows.sort_by_key(|other| std::cmp::Reverse((other.last_used, other.id)));
        fellows.into_iter().map(|other| other.id).collect()
    }
}

/// A thread that would leave before others if it were not in use.
#[derive(Debug)]
pub(super) struct Spared {
    /// The thread.
    pub(super) thread: NoteId,
    /// The notes that leave before it for that reason alone.
    pub(super) before: BTreeSet<NoteId>,
}

/// Puts the notes of a thread together, the thread in use last; the order is otherwise that given.
pub(super) fn keep_together(notes: &mut [&Note], threads: &Threads, active: Option<&EffortId>) {
    let mut places = places(notes, threads);
    if let Some(in_use) = in_use(notes, threads, active) {
        places.insert(in_use, notes.len());
    }
    notes.sort_by_key(|note| places.get(&threads.of(note.id)));
}

/// The thread in use of notes in the order given, and what stands behind it there.
pub(super) fn spared(
    notes: &[&Note],
    threads: &Threads,
    active: Option<&EffortId>,
) -> Option<Spared> {
    let thread = in_use(notes, threads, active)?;
    let places = places(notes, threads);
    let is_behind = |note: &&&Note| places.get(&threads.of(note.id)) > places.get(&thread);
    let before = notes.iter().filter(is_behind).map(|note| note.id).collect();
    Some(Spared { thread, before })
}

/// The place of each thread: that of the note which would leave last.
fn places(notes: &[&Note], threads: &Threads) -> BTreeMap<NoteId, usize> {
    notes.iter().enumerate().map(|(place, note)| (threads.of(note.id), place)).collect()
}

/// The thread that is being worked with. A note by itself is none.
fn in_use(notes: &[&Note], threads: &Threads, active: Option<&EffortId>) -> Option<NoteId> {
    let shared = || notes.iter().filter(|note| threads.is_shared(note.id));
    let of_active = shared().find(|note| active.is_some() && note.effort.as_ref() == active);
    let found = of_active.or_else(|| shared().max_by_key(|note| (note.last_used, note.id)));
    found.map(|note| threads.of(note.id))
}

impl Memory {
    /// The effort that is being worked on.
    pub(super) fn active_id(&self) -> Option<&EffortId> {
        self.active().map(|effort| &effort.id)
    }

    /// The thread of a note in the window, by its name and its notes; `None` if it is by itself.
    pub fn note_thread(&self, id: NoteId) -> Option<(String, Vec<NoteId>)> {
        let threads = self.notes.threads();
        let name = self.notes.thread_names(&threads).remove(&threads.of(id))?;
        Some((name, threads.fellows(id).to_vec()))
    }
}
