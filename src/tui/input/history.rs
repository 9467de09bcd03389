//! What was sent before, and the search in it.

use crate::orchestrator::Draft;
use crate::tui::field::Field;

/// Messages that are held; older ones are in the transcript.
const MOST: usize = 500;

/// Earlier messages, oldest first.
#[derive(Debug, Default)]
pub struct History {
    entries: Vec<Draft>,
}

impl History {
    /// Adds a message; the same one twice in a row counts once.
    pub fn remember(&mut self, message: Draft) {
        let repeated = self.entries.last().is_some_and(|last| last.says_as(&message));
        if message.text.trim().is_empty() || repeated {
            return;
        }
        self.entries.push(message);
        if self.entries.len() > MOST {
            self.entries.remove(0);
        }
    }

    /// Lets some go; gives where what stood at a place stands now.
    pub fn drop_all(&mut self, goes: impl Fn(&Draft) -> bool, at: Option<usize>) -> Option<usize> {
        let now = at.map(|at| self.entries.iter().take(at).filter(|entry| !goes(entry)).count());
        self.entries.retain(|entry| !goes(entry));
        now
    }

    /// How many there are.
    #[allow(
        clippy::len_without_is_empty,
        reason = "a place in it is asked for, never its emptiness"
    )]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// One of them.
    pub fn get(&self, at: usize) -> Option<&Draft> {
        self.entries.get(at)
    }

    /// The newest one that was sent as exactly this text.
    pub fn sent_as(&self, text: &str) -> Option<&Draft> {
        let same = |entry: &&Draft| {
            if entry.pastes.is_empty() { entry.text == text } else { entry.whole() == text }
        };
        self.entries.iter().rev().find(same)
    }

    /// The next one from a place on, backwards or forwards, that holds the words; a text already shown is
    /// passed over. Small letters match both.
    fn find(&self, query: &str, from: usize, back: bool, shown: Option<&str>) -> Option<usize> {
        let matches = |at: &usize| {
            self.get(*at).is_some_and(|entry| {
                place_of(&entry.text, query).is_some() && shown != Some(entry.text.as_str())
            })
        };
        if back {
            (0..from.min(self.len())).rev().find(matches)
        } else {
            (from..self.len()).find(matches)
        }
    }
}

/// Where the words stand, in bytes.
fn place_of(text: &str, query: &str) -> Option<usize> {
    if query.chars().any(char::is_uppercase) {
        return text.find(query);
    }
    // A folded text may be longer or shorter than its original; then only exact places are known.
    let folded = text.to_lowercase();
    let at = folded.find(query)?;
    Some(if folded.len() == text.len() && text.is_char_boundary(at) { at } else { 0 })
}

/// A search through the history, from the newest message backwards.
#[derive(Debug)]
pub struct Search {
    query: Field,
    /// Bytes of the words that were looked for last.
    looked_for: usize,
    at: Option<usize>,
    missed: bool,
    before: Draft,
    is_of_marked: bool,
}

impl Search {
    /// A search that began while `before` was written.
    pub fn new(before: Draft) -> Self {
        let query = Field::open("");
        Self { query, looked_for: 0, at: None, missed: false, before, is_of_marked: false }
    }

    /// The search where all of what was written was marked.
    #[must_use]
    pub fn of_marked(self) -> Self {
        Self { is_of_marked: true, ..self }
    }

    /// Whether all of what was written was marked.
    pub fn is_of_marked(&self) -> bool {
        self.is_of_marked
    }

    /// What was written when it began, while it goes on.
    pub fn draft(&self) -> &Draft {
        &self.before
    }

    /// What was written when it began.
    pub fn before(self) -> Draft {
        self.before
    }

    /// The words that are looked for.
    pub fn query(&self) -> &str {
        self.query.words()
    }

    /// The words that are looked for, to be written.
    pub fn field(&mut self) -> &mut Field {
        &mut self.query
    }

    /// Whether no message, or no further one, holds the words.
    pub fn missed(&self) -> bool {
        self.missed
    }

    /// How many messages ago the one that is shown was sent, from 1.
    pub fn ago(&self, history: &History) -> Option<usize> {
        self.at.map(|at| history.len() - at)
    }

    /// What is shown: the message found, and where in its text the words stand, in bytes.
    pub fn shown<'a>(&'a self, history: &'a History) -> (&'a Draft, usize) {
        let found = self.at.and_then(|at| history.get(at));
        found.map_or((&self.before, 0), |entry| {
            (entry, place_of(&entry.text, self.query()).unwrap_or(0))
        })
    }

    /// Looks for words that are different: the message that is shown stays if it has more of them as well, and
    /// with less of them it is looked for from the newest on.
    pub fn look(&mut self, history: &History) {
        let length = self.query.words().len();
        let more = length > std::mem::replace(&mut self.looked_for, length);
        let from = self.at.filter(|_| more).map_or(history.len(), |at| at + 1);
        let found = history.find(self.query.words(), from, true, None).filter(|_| length > 0);
        // What does not hold the words is no answer to them.
        self.at = found;
        self.take(found);
        self.missed &= length > 0;
    }

    /// The next one that holds the words: older, or newer.
    pub fn step(&mut self, older: bool, history: &History) {
        let from = match (self.at, older) {
            (None, _) => history.len(),
            (Some(at), true) => at,
            (Some(at), false) => at + 1,
        };
        let shown = self.at.and_then(|at| history.get(at)).map(|entry| entry.text.as_str());
        self.take(history.find(self.query(), from, older, shown));
    }

    fn take(&mut self, found: Option<usize>) {
        self.missed = found.is_none();
        self.at = found.or(self.at);
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent};

    use super::*;

    fn history(texts: &[&str]) -> History {
        let mut history = History::default();
        for text in texts {
            history.remember((*text).into());
        }
        history
    }

    fn typed(query: &str, history: &History) -> Search {
        let mut search = Search::new("draft".into());
        for letter in query.chars() {
            search.field().insert(letter.encode_utf8(&mut [0; 4]));
            search.look(history);
        }
        search
    }

    fn erase(search: &mut Search, history: &History) {
        search.field().key(&KeyEvent::from(KeyCode::Backspace), None);
        search.look(history);
    }

    #[test]
    fn letters_narrow_and_the_key_goes_further_back() {
        let history = history(&["auth one", "deploy", "Auth two", "other", "auth one"]);
        let mut search = typed("auth", &history);
        assert_eq!(
            (search.shown(&history).0.text.as_str(), search.ago(&history)),
            ("auth one", Some(1))
        );
        search.step(true, &history);
        assert_eq!(search.shown(&history).0.text, "Auth two");
        search.step(true, &history);
        assert_eq!(search.shown(&history).0.text, "auth one");
        search.step(true, &history);
        assert!(search.missed());
        assert_eq!(search.shown(&history).0.text, "auth one", "the last one found stays");
        search.step(false, &history);
        assert_eq!(search.shown(&history).0.text, "Auth two");
    }

    #[test]
    fn what_is_not_found_is_said_and_a_letter_less_finds_again() {
        let history = history(&["deploy to staging"]);
        let mut search = typed("stagx", &history);
        assert!(search.missed());
        assert_eq!((search.ago(&history), search.shown(&history).0.text.as_str()), (None, "draft"));
        erase(&mut search, &history);
        assert!(!search.missed());
        assert_eq!(search.shown(&history), (&"deploy to staging".into(), 10));
        for _ in 0..4 {
            erase(&mut search, &history);
        }
        assert_eq!((search.missed(), search.shown(&history).0.text.as_str()), (false, "draft"));
        assert_eq!(search.before().text, "draft");
    }

    #[test]
    fn capitals_are_looked_for_as_written_and_folding_never_splits_a_letter() {
        let history = history(&["İİİ straße ok", "ALL", "all"]);
        assert_eq!(typed("ALL", &history).ago(&history), Some(2));
        let (found, place) = (typed("ok", &history).ago(&history), typed("ok", &history));
        assert_eq!(found, Some(3));
        let (entry, at) = place.shown(&history);
        assert!(entry.text.is_char_boundary(at));
    }
}
