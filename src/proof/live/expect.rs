//! What a person would expect memory to do in a turn, and whether it did.

use serde::Deserialize;

use super::called::{Called, shortly};
use super::known::Known;
use crate::memory::{ChangeKind, EffortId, Subject};
use crate::orchestrator::{NOT_MADE, TurnReport};

/// What is expected of one turn. Keys are the conversation's own names of its efforts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Expect {
    /// A new effort begins.
    Open(String),
    /// The effort is concluded.
    Close(String),
    /// The effort becomes the active one.
    Switch(String),
    /// The concluded effort is open again and the active one.
    Reopen(String),
    /// The raw log comes back.
    Expand(String),
    /// What is not in view is looked up, or the reply holds these words.
    Find(String),
    /// Nothing of all that.
    Silent,
}

impl TryFrom<String> for Expect {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let rest = rest.to_owned();
        match (word, rest.is_empty()) {
            ("silent", true) => Ok(Self::Silent),
            ("open", false) => Ok(Self::Open(rest)),
            ("close", false) => Ok(Self::Close(rest)),
            ("switch", false) => Ok(Self::Switch(rest)),
            ("reopen", false) => Ok(Self::Reopen(rest)),
            ("expand", false) => Ok(Self::Expand(rest)),
            ("find", false) => Ok(Self::Find(rest)),
            _ => Err(format!("{text}: nothing that can be expected")),
        }
    }
}

impl Expect {
    /// What can be expected, in the order of the table.
    pub(super) const WORDS: [&'static str; 7] =
        ["open", "close", "switch", "reopen", "expand", "find", "silent"];

    /// Its word.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Open(_) => "open",
            Self::Close(_) => "close",
            Self::Switch(_) => "switch",
            Self::Reopen(_) => "reopen",
            Self::Expand(_) => "expand",
            Self::Find(_) => "find",
            Self::Silent => "silent",
        }
    }

    /// The effort that it is about.
    pub(super) fn key(&self) -> Option<&String> {
        match self {
            Self::Open(key)
            | Self::Close(key)
            | Self::Switch(key)
            | Self::Reopen(key)
            | Self::Expand(key) => Some(key),
            Self::Find(_) | Self::Silent => None,
        }
    }

    /// The expectation as a person would say it.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Silent => "nothing".to_owned(),
            Self::Find(words) => format!("find '{words}'"),
            _ => format!("{} {}", self.word(), self.key().map_or("", String::as_str)),
        }
    }

    /// Tells which efforts were opened; gives one that should have been opened before.
    pub(super) fn tell(&self, known: &mut Known, seen: &Seen) -> Option<EffortId> {
        let opened: Vec<&EffortId> = seen.opened().collect();
        if let Self::Open(key) = self {
            known.expect_open(key, &seen.said, &opened);
            return None;
        }
        known.expect_other(self.key().map(String::as_str), &opened)
    }

    /// Whether it came about; else what happened instead. An effort that is opened is `known` by its key from then on. Where
    /// that is late, it was a miss in its own turn, and is none once more where nothing else is to be done.
    pub(super) fn judge(&self, known: &mut Known, seen: &Seen) -> Result<(), String> {
        let late = self.tell(known, seen);
        let id = match self {
            Self::Silent => late.filter(|id| seen.only_opened(id)),
            _ => self.key().and_then(|key| known.id(key)),
        };
        let id = id.as_ref();
        let has = |kind| seen.acts.iter().any(|(did, of)| *did == kind && Some(of) == id);
        let is_active = id.is_some() && seen.active.as_ref() == id;
        let is_met = match self {
            Self::Open(_) => has(ChangeKind::EffortOpened) && is_active,
            Self::Close(_) => has(ChangeKind::EffortConcluded),
            // That it is active already is nobody's merit.
            Self::Switch(_) | Self::Reopen(_) => {
                is_active && id.is_some_and(|id| seen.acted_on(id))
            }
            Self::Expand(_) => has(ChangeKind::EffortExpanded) || seen.has_read(id),
            Self::Find(words) => seen.looked_up() || seen.replied(words),
            Self::Silent => id.is_some() || seen.acts.is_empty() && seen.calls.is_empty(),
        };
        if is_met && !seen.meddles(id) { Ok(()) } else { Err(seen.told()) }
    }

    /// Why a turn in which it did not come about tells nothing of the model: the server failed at the summary, then or
    /// before.
    pub(super) fn unmade(&self, known: &mut Known, seen: &Seen) -> Option<String> {
        let Some(key) = self.key() else {
            let is_again = *self == Self::Silent && seen.only_concluded(|id| known.is_unmade(id));
            return is_again.then(|| format!("concluded late, as before {NOT_MADE}"));
        };
        let id = known.id(key).filter(|id| !seen.meddles(Some(id)))?;
        match self {
            Self::Close(_) => {
                let why = seen.unmade(&id)?;
                known.stays_open(id);
                Some(why)
            }
            Self::Reopen(_) | Self::Expand(_) if known.is_unmade(&id) => {
                Some(format!("{id} was not concluded, as {NOT_MADE}"))
            }
            _ => None,
        }
    }
}

/// What memory did in a turn.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What the model did with efforts, in order.
    acts: Vec<(ChangeKind, EffortId)>,
    /// The tools that it called, in order.
    calls: Vec<Called>,
    /// The effort that is active at the end.
    active: Option<EffortId>,
    /// What the person said.
    said: String,
    reply: String,
}

/// The tool that searches.
const SEARCH: &str = "search_efforts";

/// What changes what is being worked on.
const COURSE: [ChangeKind; 3] =
    [ChangeKind::EffortOpened, ChangeKind::EffortConcluded, ChangeKind::EffortReopened];

/// What a model does with efforts by its tools.
const ACTS: [ChangeKind; 5] = [
    ChangeKind::EffortOpened,
    ChangeKind::EffortConcluded,
    ChangeKind::EffortSwitched,
    ChangeKind::EffortReopened,
    ChangeKind::EffortExpanded,
];

impl Seen {
    /// What a report tells of a turn in which this was said.
    pub(super) fn of(said: &str, report: &TurnReport) -> Self {
        let acts = report.changes.iter().filter_map(|change| match &change.subject {
            Subject::Effort(id) if ACTS.contains(&change.kind) => Some((change.kind, id.clone())),
            _ => None,
        });
        let active = report.memory.open.first();
        let active = active.filter(|item| item.state == crate::memory::Tier::Active);
        Self {
            acts: acts.collect(),
            calls: report.calls.iter().map(Called::of).collect(),
            active: active.map(|item| item.id.clone()),
            said: said.to_owned(),
            reply: report.reply.to_lowercase(),
        }
    }

    /// What is known of a turn that failed.
    pub(super) fn failed(said: &str) -> Self {
        Self { said: said.to_owned(), ..Self::default() }
    }

    /// The efforts that were opened, in order.
    pub(super) fn opened(&self) -> impl Iterator<Item = &EffortId> {
        self.acts.iter().filter(|(did, _)| *did == ChangeKind::EffortOpened).map(|(_, id)| id)
    }

    /// Whether an effort was opened and nothing else was done.
    fn only_opened(&self, id: &EffortId) -> bool {
        self.calls.len() < 2 && self.acts.iter().all(|(_, of)| of == id)
    }

    /// Whether nothing was done but to conclude efforts of some kind.
    fn only_concluded(&self, is_one: impl Fn(&EffortId) -> bool) -> bool {
        let concluded =
            |(did, id): &(ChangeKind, EffortId)| *did == ChangeKind::EffortConcluded && is_one(id);
        let is_close = |call: &Called| call.name == "close_effort";
        !self.acts.is_empty() && self.acts.iter().all(concluded) && self.calls.iter().all(is_close)
    }

    /// Why an effort is not concluded, where the server failed at its summary.
    fn unmade(&self, id: &EffortId) -> Option<String> {
        self.calls.iter().find_map(|call| call.unmade(id)).map(shortly)
    }

    fn last(&self, kind: ChangeKind) -> Option<&EffortId> {
        self.acts.iter().rev().find(|(did, _)| *did == kind).map(|(_, id)| id)
    }

    fn looked_up(&self) -> bool {
        let is_search = |call: &Called| call.is_well && call.name == SEARCH;
        self.calls.iter().any(is_search) || self.last(ChangeKind::EffortExpanded).is_some()
    }

    fn acted_on(&self, id: &EffortId) -> bool {
        self.acts.iter().any(|(_, of)| of == id)
    }

    /// Whether all messages of an effort were read.
    fn has_read(&self, id: Option<&EffortId>) -> bool {
        let is_it =
            |call: &Called| call.is_well && call.read.as_deref() == id.map(EffortId::as_str);
        id.is_some() && self.calls.iter().any(is_it)
    }

    /// Whether the course of another effort was changed beside the one that it is about.
    fn meddles(&self, id: Option<&EffortId>) -> bool {
        self.acts.iter().any(|(did, of)| COURSE.contains(did) && Some(of) != id)
    }

    fn replied(&self, words: &str) -> bool {
        says(&self.reply, words)
    }

    fn told(&self) -> String {
        let act = |(kind, id): &(ChangeKind, EffortId)| {
            format!("{} {id}", kind.row().name.replace('_', " "))
        };
        let mut told: Vec<String> = self.acts.iter().map(act).collect();
        // What the others did is told by that.
        let did_nothing = self.acts.is_empty();
        let some =
            self.calls.iter().filter(|call| !call.is_well || did_nothing || !is_act(&call.name));
        told.extend(some.map(Called::told));
        told.dedup();
        if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
    }
}

/// Whether a tool, where it does what it says, changes an effort.
fn is_act(tool: &str) -> bool {
    ["open_effort", "close_effort", "switch_effort", "reopen_effort", "expand_effort"]
        .contains(&tool)
}

/// Whether a reply says some words as a whole: however they are spaced and set, and not within a longer number or word.
fn says(reply: &str, words: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['*', '`', '_'], "");
    let (reply, words) = (plain(reply), plain(words));
    let parts: Vec<&str> = words.split_whitespace().collect();
    let Some((first, others)) = parts.split_first() else { return false };
    reply.match_indices(first).any(|(at, _)| {
        let behind = others.iter().try_fold(&reply[at + first.len()..], |rest, part| {
            rest.trim_start().strip_prefix(part)
        });
        begins(&reply[..at]) && behind.is_some_and(ends)
    })
}

/// Whether no number or word goes on behind a text.
fn begins(before: &str) -> bool {
    let within = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    !before.ends_with(char::is_alphanumeric) && !before.strip_suffix(['.', ',']).is_some_and(within)
}

/// The same in front of one.
fn ends(behind: &str) -> bool {
    let within = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    !behind.starts_with(char::is_alphanumeric)
        && !behind.strip_prefix(['.', ',']).is_some_and(within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orchestrator::CallReport;

    fn id(name: &str) -> EffortId {
        EffortId::from_name(name).expect("a name")
    }

    fn seen(acts: &[(ChangeKind, &str)], active: Option<&str>) -> Seen {
        let acts = acts.iter().map(|(kind, name)| (*kind, id(name))).collect();
        Seen { acts, active: active.map(id), ..Seen::default() }
    }

    fn expect(text: &str) -> Expect {
        Expect::try_from(text.to_owned()).expect("it can be expected")
    }

    #[test]
    fn an_effort_is_known_by_the_key_of_where_it_was_opened() {
        let mut known = Known::default();
        let opened = seen(&[(ChangeKind::EffortOpened, "Login 401")], Some("Login 401"));
        assert_eq!(expect("open auth").judge(&mut known, &opened), Ok(()));
        let switched = seen(&[(ChangeKind::EffortSwitched, "Login 401")], Some("Login 401"));
        assert_eq!(expect("switch auth").judge(&mut known, &switched), Ok(()));
        // It was active before.
        assert!(expect("switch auth").judge(&mut known, &seen(&[], Some("Login 401"))).is_err());
        let closed = seen(&[(ChangeKind::EffortConcluded, "Login 401")], None);
        assert_eq!(expect("close auth").judge(&mut known, &closed), Ok(()));
        let other = seen(&[(ChangeKind::EffortConcluded, "kitchen")], None);
        let told = Err("effort concluded kitchen".to_owned());
        assert_eq!(expect("close auth").judge(&mut known, &other), told);
    }

    fn heard(said: &str, seen: Seen) -> Seen {
        Seen { said: said.to_owned(), ..seen }
    }

    #[test]
    fn an_effort_that_is_opened_late_is_one_miss() {
        let opened = |name: &str| seen(&[(ChangeKind::EffortOpened, name)], Some(name));
        let concluded = |name: &str| seen(&[(ChangeKind::EffortConcluded, name)], None);
        let missed = |known: &mut Known, word: &str, said: &str| {
            let told = expect(word).judge(known, &heard(said, seen(&[], None)));
            assert_eq!(told, Err("nothing".to_owned()), "{word}");
        };
        let silent = expect("silent");
        for name in ["work-on-auth", "logout bug", "401 errors"] {
            let mut known = Known::default();
            missed(&mut known, "open auth", "The logout bug: 401 after an hour.");
            assert_eq!(silent.judge(&mut known, &opened(name)), Ok(()), "{name}");
            // Once is enough.
            assert!(silent.judge(&mut known, &opened(&format!("{name} again"))).is_err());
            assert_eq!(expect("close auth").judge(&mut known, &concluded(name)), Ok(()), "{name}");
        }
        // However it is called, until another one is expected; but what has nothing to do with it is not excused.
        let mut known = Known::default();
        missed(&mut known, "open auth", "The logout bug: 401 after an hour.");
        assert!(silent.judge(&mut known, &opened("penguins")).is_err());
        assert_eq!(expect("close auth").judge(&mut known, &concluded("penguins")), Ok(()));
        assert!(silent.judge(&mut known, &opened("auth bug")).is_ok());
        assert_eq!(expect("close auth").judge(&mut known, &concluded("auth bug")), Ok(()));
        // After that by its words only.
        let mut known = Known::default();
        missed(&mut known, "open auth", "The logout bug: 401 after an hour.");
        missed(&mut known, "open guild", "Now a guild feature.");
        assert_eq!(silent.judge(&mut known, &opened("fix logout")), Ok(()));
        assert!(silent.judge(&mut known, &opened("players")).is_err(), "it fits no words");
        assert_eq!(expect("close auth").judge(&mut known, &concluded("fix logout")), Ok(()));
        assert_eq!(expect("close guild").judge(&mut known, &concluded("players")), Ok(()));
        assert!(expect("close guild").judge(&mut known, &concluded("fix logout")).is_err());
    }

    #[test]
    fn nothing_is_a_miss_where_something_is_expected_and_right_where_not() {
        let mut known = Known::default();
        let nothing = seen(&[], None);
        for word in ["open a", "close a", "switch a", "reopen a", "expand a", "find a"] {
            assert_eq!(
                expect(word).judge(&mut known, &nothing),
                Err("nothing".to_owned()),
                "{word}"
            );
        }
        assert_eq!(expect("silent").judge(&mut known, &nothing), Ok(()));
        let busy = seen(&[(ChangeKind::EffortOpened, "penguins")], Some("penguins"));
        let told = Err("effort opened penguins".to_owned());
        assert_eq!(expect("silent").judge(&mut known, &busy), told);
    }

    #[test]
    fn what_is_answered_need_not_be_looked_up() {
        let mut known = Known::default();
        let answered = Seen { reply: "it was 1.4 bar.".to_owned(), ..Seen::default() };
        assert_eq!(expect("find 1.4 Bar").judge(&mut known, &answered), Ok(()));
        let called = |name: &str, is_well| Seen {
            calls: vec![Called { name: name.to_owned(), is_well, ..Called::default() }],
            ..Seen::default()
        };
        let searched = called(SEARCH, true);
        assert_eq!(expect("find 1.4 bar").judge(&mut known, &searched), Ok(()));
        assert!(expect("silent").judge(&mut known, &searched).is_err());
        let refused = called(SEARCH, false);
        let told = Err("search efforts, which was refused".to_owned());
        assert_eq!(expect("find 1.4 bar").judge(&mut known, &refused), told);
        assert_eq!(expect("silent").judge(&mut known, &refused), told);
    }

    #[test]
    fn whoever_does_more_than_is_expected_misses() {
        let mut known = Known::default();
        let junk = [(ChangeKind::EffortOpened, "junk"), (ChangeKind::EffortConcluded, "junk")];
        let opened = [&junk[..], &[(ChangeKind::EffortOpened, "auth")]].concat();
        assert!(expect("open auth").judge(&mut known, &seen(&opened, Some("auth"))).is_err());
        let at_once = [(ChangeKind::EffortOpened, "auth"), (ChangeKind::EffortConcluded, "auth")];
        assert!(expect("open auth").judge(&mut known, &seen(&at_once, None)).is_err());
        let noted = Seen {
            calls: vec![Called { name: "remember".to_owned(), is_well: true, ..Called::default() }],
            ..Seen::default()
        };
        assert_eq!(expect("silent").judge(&mut known, &noted), Err("remember".to_owned()));
    }

    #[test]
    fn a_log_that_is_read_message_by_message_is_read() {
        let mut known = Known::default();
        let read = |messages: &str| {
            let call = CallReport {
                name: "expand_effort".to_owned(),
                arguments: serde_json::Value::Null,
                result: serde_json::json!({ "id": "auth", "messages": messages, "of": 12 }),
                ok: true,
            };
            Seen { calls: vec![Called::of(&call)], ..Seen::default() }
        };
        assert_eq!(expect("expand auth").judge(&mut known, &read("1-12")), Ok(()));
        assert!(expect("expand auth").judge(&mut known, &read("1-4")).is_err());
        assert!(expect("expand boiler").judge(&mut known, &read("1-12")).is_err());
    }

    #[test]
    fn words_are_said_however_they_are_set_and_not_within_others() {
        for reply in
            ["It was **1.4** bar.", "1.4\u{202f}bar", "1.4\u{a0}Bar", "to 1.4bar", "`1.4 bar`"]
        {
            assert!(says(reply, "1.4 bar"), "{reply}");
        }
        for reply in ["21.4 bar", "1.4 barrels", "14 bar", "11.4 bar", "1.4 or bar", ""] {
            assert!(!says(reply, "1.4 bar"), "{reply}");
        }
        assert!(says("873 euros", "873") && says("873.", "873") && says("€873, I think", "873"));
        assert!(!says("18730", "873") && !says("2873.5", "873") && !says("873.5", "873"));
    }

    #[test]
    fn what_cannot_be_expected_is_refused() {
        for text in ["", "open", "silent night", "hope for"] {
            assert!(Expect::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
