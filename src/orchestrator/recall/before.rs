//! What the question before called for stays for the next one, where that may be about the same and does not name it.

use std::sync::Arc;

use super::texts::Texts;
use crate::memory::{Memory, Recalled, Role, without_labels};
use crate::orchestrator::driver::Driver;
use crate::recall::said::Hit;
use crate::recall::{GoesOn, asks};

/// Why something is recalled that the question before called for.
const STILL_MEANT: &str = "the question before";

impl Driver {
    /// What was recalled for the question before, where a message may go on with it. What nothing points back to stays for
    /// one question.
    pub(in crate::orchestrator) fn still_meant(&self, message: &str) -> Vec<Recalled> {
        let recalled = self.memory.recalled();
        // In most turns nothing was.
        if recalled.is_empty() {
            return Vec::new();
        }
        let goes_on = GoesOn::of(message);
        if question_before(&self.memory, goes_on).is_none() {
            return Vec::new();
        }
        let may_stay = |one: &&Recalled| goes_on == GoesOn::Surely || one.cause != STILL_MEANT;
        recalled.iter().filter(may_stay).cloned().map(still_meant).collect()
    }

    /// Adds to what a message calls for what is still meant. Where the session was just opened, and what was recalled for the
    /// question before is not known, that is what the question calls for.
    pub(super) async fn add_still_meant(
        &mut self,
        message: &str,
        known: Vec<Recalled>,
        hits: &[Hit],
        found: &mut Vec<Recalled>,
    ) {
        let is_known = self.requests.asked_at.is_some();
        if is_known && known.is_empty() {
            return;
        }
        let goes_on = GoesOn::of(message).where_found(message, hits);
        if !takes_more(goes_on, found) {
            return;
        }
        let others = if is_known { known } else { self.meant_before(goes_on).await };
        add(found, others);
    }

    async fn meant_before(&mut self, goes_on: GoesOn) -> Vec<Recalled> {
        let Some(before) = question_before(&self.memory, goes_on) else { return Vec::new() };
        let hits = self.hits_for(&before).await;
        self.texts().map_or_else(Vec::new, |texts| texts.meant_by(&before, hits))
    }
}

impl Texts<'_> {
    /// The same where nobody has the session open.
    pub(super) fn add_still_meant(
        &self,
        message: &str,
        hits: &[Hit],
        search: impl FnOnce(&str) -> Vec<Hit>,
        found: &mut Vec<Recalled>,
    ) {
        let goes_on = GoesOn::of(message).where_found(message, hits);
        let before = question_before(self.memory, goes_on).filter(|_| takes_more(goes_on, found));
        if let Some(before) = before {
            add(found, self.meant_by(&before, search(&before)));
        }
    }

    /// What is recalled of the hits for the question before.
    fn meant_by(&self, before: &str, mut hits: Vec<Hit>) -> Vec<Recalled> {
        self.leave_out_what_is_there(&mut hits);
        self.worth_recalling(before, &hits).into_iter().map(still_meant).collect()
    }
}

/// The user's message of the exchange before, where it is a question and another message may go on with it.
fn question_before(memory: &Memory, goes_on: GoesOn) -> Option<Arc<str>> {
    let before = || memory.last_exchange().into_iter().find(|said| said.role == Role::User);
    let said = Some(goes_on).filter(|goes_on| *goes_on != GoesOn::Not).and_then(|_| before());
    said.map(|said| without_labels(&said.content)).filter(|said| asks(said))
}

fn still_meant(one: Recalled) -> Recalled {
    Recalled { cause: STILL_MEANT.to_owned(), ..one }
}

/// A message that calls for something by itself has to point back for more.
fn takes_more(goes_on: GoesOn, found: &[Recalled]) -> bool {
    goes_on == GoesOn::Surely || (goes_on == GoesOn::Perhaps && found.is_empty())
}

/// Adds what is not there already, behind all else.
fn add(found: &mut Vec<Recalled>, others: Vec<Recalled>) {
    for other in others {
        if !found.iter().any(|one| one.text == other.text) {
            found.push(other);
        }
    }
}
