//! What a program's own compaction lost: the specifics of what was in its window that neither its summary holds nor
//! what it kept beside it.

mod arguments;
mod around;
mod bound;
mod letters;
mod paths;
mod since;
#[cfg(test)]
mod tests;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{Compaction, Event, Speaker, is_refused};
use crate::specifics::{self, German, Kind, Report, Specific};
use arguments::Arguments;
use bound::Bound;
use letters::Letters;
use paths::each_path_once;

/// Specifics of one window that are kept; beyond it a list helps nobody.
const MOST: usize = 50_000;

/// A compaction and what it lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What the program says of it.
    pub compaction: Compaction,
    /// Messages and calls that it stands for.
    pub messages: usize,
    /// The specifics by whether the window still holds them, in the order in which they were said last; `None` if the summary
    /// cannot be read.
    pub report: Option<Report>,
    /// Missing figures and days with the words that say what they are of.
    phrases: Phrases,
    /// Those that are missing because the summary says them of something else.
    exchanged: Forms,
}

impl Loss {
    /// How many of a kind were kept, and of how many.
    pub fn kept(&self, kind: Kind) -> (usize, usize) {
        let of = |list: &[Specific]| list.iter().filter(|one| one.kind == kind).count();
        self.report.as_ref().map_or((0, 0), |report| {
            let kept = of(&report.kept);
            (kept, kept + of(&report.missing))
        })
    }

    /// A missing one as it was said: a figure or a day with the words that say what it is of, if there were any.
    pub fn phrase<'a>(&'a self, one: &'a Specific) -> &'a str {
        self.phrases.get(&form(one)).unwrap_or(&one.text)
    }

    /// Whether the summary says one of something else.
    pub fn is_exchanged(&self, one: &Specific) -> bool {
        self.exchanged.contains(&form(one))
    }

    /// The missing ones of a kind, newest first.
    pub fn missing(&self, kind: Kind) -> impl Iterator<Item = &Specific> {
        let missing = self.report.iter().flat_map(|report| report.missing.iter().rev());
        missing.filter(move |one| one.kind == kind)
    }
}

/// Specifics in the form for comparing.
type Forms = BTreeSet<(Kind, String)>;

/// Specifics in the form for comparing, and how each was said last, with the words that say what it is of.
type Phrases = BTreeMap<(Kind, String), String>;

/// When something was said: in which message, and where among its details.
type When = (usize, usize);

/// When something was said first and last.
#[derive(Debug, Clone, Copy)]
struct Said {
    first: When,
    last: When,
}

/// A message that an answer may correct.
#[derive(Debug)]
struct Recent {
    message: usize,
    text: String,
    details: Vec<Specific>,
}

/// Calls without a result yet that are remembered: a refused one was never made.
const OPEN_CALLS: usize = 32;

/// Messages in front of an answer that it may correct: what somebody said, and what was answered to that.
const CORRECTED: usize = 2;

/// Follows a conversation from compaction to compaction.
#[derive(Debug, Default)]
pub struct Losses {
    /// Where the whole session is, if it says so.
    folder: String,
    held: Vec<Specific>,
    known: BTreeMap<(Kind, String), Said>,
    /// Of those that are known.
    phrases: Phrases,
    /// What the values are of that were said.
    bound: Bound,
    /// The last messages that were said, oldest first.
    recent: Vec<Recent>,
    /// The newest calls without a result yet: id, message and details of each.
    calls: Vec<(String, usize, Vec<Specific>)>,
    /// Messages and calls of all windows so far, and how many of them are of windows that were compacted.
    messages: usize,
    before: usize,
    /// The share of German in what was said, in which every noun has a capital: one message may be too short to tell.
    german: German,
    letters: Letters,
    /// What was said since the newest compaction, as far as it is looked through.
    since: String,
    /// Compactions so far.
    found: Vec<Loss>,
}

impl Losses {
    /// Takes the next event. What a tool answered does not count: a listing's thousand numbers are nobody's loss.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Begins { project, .. } => {
                self.folder.clone_from(project);
                self.forget();
            }
            Event::Compacted(compaction) => self.compact(compaction),
            Event::Returned { id, text, .. } => self.returned(id, text),
            event => {
                if let Event::Said { text, .. } = event {
                    self.german.read(text);
                    self.letters.read(text);
                    if !self.found.is_empty() {
                        since::add(&mut self.since, text);
                    }
                }
                if let Some([mut details, taken_back]) = details(event, self.german.prevails()) {
                    if matches!(event, Event::Called { .. }) {
                        // A call that goes there says only where it works.
                        details.retain(|one| one.kind != Kind::Path || !self.is_folder(&one.text));
                    }
                    self.let_go(&taken_back);
                    self.keep_phrases(event, &details);
                    if let Event::Said { text, .. } = event {
                        self.bound.take(text, &details);
                    }
                    self.correct(event, &details);
                    self.call(event, &details);
                    self.hold(details);
                }
            }
        }
    }

    fn is_folder(&self, path: &str) -> bool {
        !path.is_empty() && path.trim_end_matches('/') == self.folder.trim_end_matches('/')
    }

    /// Whether a good part of what was said is in letters other than Latin ones: figures, days, paths and names of code are found
    /// in it, but no decision, and few names of people.
    pub fn are_in_other_letters(&self) -> bool {
        self.letters.are_others()
    }

    /// The compactions that were met, oldest first.
    pub fn found(&self) -> &[Loss] {
        &self.found
    }

    /// What was lost by any of the compactions and is neither in the newest readable summary nor said since, newest
    /// first.
    pub fn lost_now(&self) -> Vec<Specific> {
        let readable = |loss: &&Loss| loss.report.is_some();
        let newest = self.found.iter().rfind(readable);
        let mut exchanged = newest.map(|loss| loss.exchanged.clone()).unwrap_or_default();
        let newest = newest.and_then(|loss| loss.compaction.summary.as_deref());
        let missing = self
            .found
            .iter()
            .filter_map(|loss| loss.report.as_ref())
            .flat_map(|report| report.missing.clone());
        let mut seen: Forms = self.known.keys().cloned().collect();
        let mut all: Vec<Specific> = missing.collect();
        // What a summary held for a while was said before all that was said since.
        all.sort_by_key(|one| one.message);
        let newest_first = all.into_iter().rev();
        let each: Vec<Specific> = newest_first.filter(|one| seen.insert(form(one))).collect();
        let report = Report::of(&each, newest.unwrap_or_default());
        exchanged.extend(self.bound.exchanged(&report.kept, newest.unwrap_or_default()));
        let missing = without(&each, report, &exchanged).missing;
        paths::longest(self.unsaid_since(missing))
    }

    /// One of those as it was said, with the words that say what it is of.
    pub fn phrase<'a>(&'a self, one: &'a Specific) -> &'a str {
        let newest_first = self.found.iter().rev();
        let known = newest_first.filter_map(|loss| loss.phrases.get(&form(one)));
        known.map(String::as_str).next().unwrap_or(&one.text)
    }

    /// Those of a list that were not said since the newest compaction, in another form either. A decision settles more than
    /// its words, and is told by another one only.
    fn unsaid_since(&self, list: Vec<Specific>) -> Vec<Specific> {
        let said = |decides: bool| -> String {
            let since = self.held.iter().filter(|one| one.message >= self.before);
            let said = since.filter(|one| (one.kind == Kind::Decision) == decides);
            said.flat_map(|one| [one.text.as_str(), "\n"]).collect()
        };
        let unsaid = [false, true].map(|decides| -> Forms {
            Report::of(&list, &said(decides)).missing.iter().map(form).collect()
        });
        let of_kind = |one: &Specific| usize::from(one.kind == Kind::Decision);
        let mut list = list;
        list.retain(|one| unsaid[of_kind(one)].contains(&form(one)));
        let again = since::figures_said(&list, &self.since);
        list.retain(|one| !again.contains(&form(one)));
        list
    }

    /// What a message takes back was not lost where it was said first either.
    fn let_go(&mut self, taken_back: &[Specific]) {
        for one in taken_back {
            let form = form(one);
            self.held.retain(|held| held.kind != form.0 || held.key() != form.1);
            self.known.remove(&form);
        }
    }

    /// What a person puts something else for was not lost either, if it was first said in the messages right before that.
    fn correct(&mut self, event: &Event, details: &[Specific]) {
        let Event::Said { by, text, .. } = event else { return };
        let is_of_person = *by == Speaker::Person;
        let recent = if is_of_person { std::mem::take(&mut self.recent) } else { Vec::new() };
        // What is answered to a question is said of that: `Shall I write tests, too?`, `Scrap that.`
        let is_asked = recent.last().is_some_and(|last| last.text.trim_end().ends_with('?'));
        let is_answer = is_asked && specifics::only_undoes(text);
        for before in recent.iter().filter(|_| !is_answer) {
            let mut back: Vec<Specific> = Vec::new();
            for one in specifics::overruled(&before.text, &before.details, text, details) {
                let first = self.known.get(&form(one)).map(|said| said.first.0);
                let is_recent = |first| first >= recent[0].message && first <= before.message;
                if first.is_some_and(is_recent) {
                    back.push(one.clone());
                }
            }
            self.let_go(&back);
        }
        if is_of_person {
            self.recent = recent;
        }
        let details = details.to_vec();
        self.recent.push(Recent { message: self.messages, text: text.clone(), details });
        if self.recent.len() > CORRECTED {
            self.recent.remove(0);
        }
    }

    /// Keeps of what is said how it is said, as a summary may lose it.
    fn keep_phrases(&mut self, event: &Event, details: &[Specific]) {
        let Event::Said { text, .. } = event else { return };
        let text = &*specifics::without_secrets(text);
        for one in details.iter().take(MOST.saturating_sub(self.phrases.len())) {
            match around::with_its_words(text, one) {
                Some(phrase) => _ = self.phrases.insert(form(one), phrase),
                // What somebody did not want may be wanted now.
                None if matches!(one.kind, Kind::Identifier | Kind::Name) => {
                    self.phrases.remove(&form(one));
                }
                None => {}
            }
        }
    }

    fn call(&mut self, event: &Event, details: &[Specific]) {
        let Event::Called { id, .. } = event else { return };
        if self.calls.len() == OPEN_CALLS {
            self.calls.remove(0);
        }
        self.calls.push((id.clone(), self.messages, details.to_vec()));
    }

    /// What a call said first that the person refused was not lost: it never came about.
    fn returned(&mut self, id: &str, text: &str) {
        let Some(at) = self.calls.iter().rposition(|(known, ..)| known == id) else { return };
        let (_, message, details) = self.calls.remove(at);
        if is_refused(text) {
            let is_its_own = |one: &Specific| {
                self.known.get(&form(one)).is_some_and(|said| said.first.0 == message)
            };
            let own: Vec<Specific> = details.into_iter().filter(is_its_own).collect();
            self.let_go(&own);
        }
    }

    fn hold(&mut self, details: Vec<Specific>) {
        let message = self.messages;
        self.messages += 1;
        for (nth, mut one) in details.into_iter().enumerate() {
            let when = (message, nth);
            if let Some(said) = self.known.get_mut(&form(&one)) {
                said.last = when;
            } else if self.held.len() < MOST {
                self.known.insert(form(&one), Said { first: when, last: when });
                one.message = message;
                self.held.push(one);
            }
        }
    }

    /// Puts what is held in the order in which it was said last.
    fn order(&mut self) {
        let last = |one: Specific| {
            let said = self.known.get(&form(&one));
            (said.map_or((one.message, 0), |said| said.last), one)
        };
        let mut all: Vec<(When, Specific)> =
            std::mem::take(&mut self.held).into_iter().map(last).collect();
        all.sort_by_key(|(last, _)| *last);
        let told = |((message, _), one)| Specific { message, ..one };
        self.held = all.into_iter().map(told).collect();
    }

    /// The window holds the summary from now on, and of what was there before what the summary holds or stays beside it.
    fn compact(&mut self, compaction: &Compaction) {
        self.order();
        let german = self.german.prevails();
        let beside = compaction.kept.iter().filter_map(|event| details(event, german));
        let beside = beside.flat_map(|[details, _]| details);
        let beside = beside.map(|one| form(&one)).collect();
        let summary = compaction.summary.as_deref().filter(|summary| !summary.trim().is_empty());
        let held = Report::of(&self.held, summary.unwrap_or_default());
        let exchanged = self.bound.exchanged(&held.kept, summary.unwrap_or_default());
        let held = without(&self.held, held, &exchanged);
        let report = self.with(held, &beside);
        let told = each_path_once(&report);
        let (mut kept, report) = (report.kept, told);
        let known: Forms = kept.iter().map(form).collect();
        kept.extend(report.kept.iter().filter(|one| !known.contains(&form(one))).cloned());
        let compaction = Compaction { kept: Vec::new(), ..compaction.clone() };
        let missing: Forms = report.missing.iter().map(form).collect();
        // What is kept is known further on.
        let all = std::mem::take(&mut self.phrases);
        let (phrases, still) = all.into_iter().partition(|(form, _)| missing.contains(form));
        let exchanged = exchanged.into_iter().filter(|form| missing.contains(form)).collect();
        let lost = self.found.iter().filter_map(|loss| loss.report.as_ref());
        let lost = lost.flat_map(|report| &report.missing);
        self.bound.keep(lost.chain(&report.kept).chain(&report.missing));
        let (messages, report) = (self.messages - self.before, summary.map(|_| report));
        self.found.push(Loss { compaction, messages, report, phrases, exchanged });
        let bound = std::mem::take(&mut self.bound);
        self.forget();
        (self.phrases, self.bound) = (still, bound);
        let said = |(nth, one): (usize, &Specific)| {
            let when = (one.message, nth);
            (form(one), Said { first: when, last: when })
        };
        self.known = kept.iter().enumerate().map(said).collect();
        self.held = kept;
    }

    /// A report in which what stays in the window beside the summary is kept too.
    fn with(&self, report: Report, beside: &Forms) -> Report {
        if beside.is_empty() {
            return report;
        }
        let forms = report.missing.iter().map(form);
        let lost: Forms = forms.filter(|form| !beside.contains(form)).collect();
        let (missing, kept) = self.held.iter().cloned().partition(|one| lost.contains(&form(one)));
        Report { kept, missing }
    }

    fn forget(&mut self) {
        self.held.clear();
        self.known.clear();
        self.phrases.clear();
        self.bound.clear();
        self.recent.clear();
        self.calls.clear();
        self.since.clear();
        self.before = self.messages;
    }
}

/// The report of a list in which some that the summary holds are missing, too.
fn without(list: &[Specific], report: Report, some: &Forms) -> Report {
    if some.is_empty() {
        return report;
    }
    let mut gone = some.clone();
    gone.extend(report.missing.iter().map(form));
    let (missing, kept) = list.iter().cloned().partition(|one| gone.contains(&form(one)));
    Report { kept, missing }
}

fn form(one: &Specific) -> (Kind, String) {
    (one.kind, one.key())
}

/// The specifics of an event, and those that it takes back; none if it is not one that is looked at.
fn details(event: &Event, german: bool) -> Option<[Vec<Specific>; 2]> {
    match event {
        Event::Said { text, .. } => Some(specifics::extract_both(text, german)),
        Event::Called { arguments, .. } => Some([Arguments::of(arguments).details(), Vec::new()]),
        _ => None,
    }
}
