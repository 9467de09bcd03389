//! Whether what was found matches by a name, which people type without its capital: what was said tells.

use std::convert::Infallible;

use super::texts::{Texts, logged};
use crate::recall::said::{Hit, Passage, Source};
use crate::recall::{is_named_in, may_be_of_name};
use crate::store::SaidReader;

/// The words of a passage are not there yet.
struct NotLogged;

impl Texts<'_> {
    /// Tells of the best hits for a message whether one matches by a name.
    pub(super) fn tell_names(&self, message: &str, hits: &mut [Hit]) {
        let words = |source: &Source, passage: &Passage| {
            Ok::<_, Infallible>(self.of(source, passage).map(|told| told.text))
        };
        let Ok(()) = tell(message, hits, words);
    }
}

/// The same before all of them can be read; whether it is told.
pub(super) fn tell_names_ahead(logs: &SaidReader, message: &str, hits: &mut [Hit]) -> bool {
    let words = |source: &Source, passage: &Passage| match logged(logs, source, passage) {
        Some(text) => Ok(Some(text)),
        None => Err(NotLogged),
    };
    tell(message, hits, words).is_ok()
}

fn tell<E>(
    message: &str,
    hits: &mut [Hit],
    words: impl Fn(&Source, &Passage) -> Result<Option<String>, E>,
) -> Result<(), E> {
    for hit in may_be_of_name(message, hits) {
        let Some(word) = hit.passages.first().and_then(|best| best.words.first()).cloned() else {
            continue;
        };
        // At the beginning of a sentence any word has one.
        for one in hit.passages.iter().filter(|one| one.words.contains(&word)) {
            if words(&hit.source, one)?.is_some_and(|text| is_named_in(&word, &text)) {
                hit.passages[0].is_of_name = true;
                return Ok(());
            }
        }
    }
    Ok(())
}
