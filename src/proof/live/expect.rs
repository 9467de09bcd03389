//! What a person would expect memory to do in a turn, and whether it did.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::memory::{ChangeKind, EffortId, Subject};
use crate::orchestrator::TurnReport;

/// What is expected of one turn. Keys are the conversation's own names of its efforts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Expect {
    /// A new effort begins.
    Open(String),
    /// The effort is concluded.
    Close(String),
    /// The effort is the active one.
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

    /// Whether it came about; else what happened instead. An effort that is opened where one is expected is `known`
    /// by its key from then on.
    pub(super) fn judge(
        &self,
        known: &mut BTreeMap<String, EffortId>,
        seen: &Seen,
    ) -> Result<(), String> {
        if let (Self::Open(key), Some(id)) = (self, seen.last(ChangeKind::EffortOpened)) {
            known.insert(key.clone(), id.clone());
        }
        let id = self
            .key()
            .and_then(|key| known.get(key).cloned().or_else(|| EffortId::from_name(key).ok()));
        let has = |kind| seen.acts.iter().any(|(did, of)| *did == kind && Some(of) == id.as_ref());
        let is_met = match self {
            Self::Open(_) => has(ChangeKind::EffortOpened),
            Self::Close(_) => has(ChangeKind::EffortConcluded),
            Self::Switch(_) | Self::Reopen(_) => id.is_some() && seen.active == id,
            Self::Expand(_) => has(ChangeKind::EffortExpanded),
            Self::Find(words) => seen.looked_up() || seen.replied(words),
            Self::Silent => seen.acts.is_empty() && seen.searched.is_none(),
        };
        if is_met { Ok(()) } else { Err(seen.told()) }
    }
}

/// What memory did in a turn.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What the model did with efforts, in order.
    acts: Vec<(ChangeKind, EffortId)>,
    /// If it searched, whether that went well.
    searched: Option<bool>,
    /// The effort that is active at the end.
    active: Option<EffortId>,
    reply: String,
}

/// What a model does with efforts by its tools.
const ACTS: [ChangeKind; 5] = [
    ChangeKind::EffortOpened,
    ChangeKind::EffortConcluded,
    ChangeKind::EffortSwitched,
    ChangeKind::EffortReopened,
    ChangeKind::EffortExpanded,
];

impl Seen {
    /// What a report tells.
    pub(super) fn of(report: &TurnReport) -> Self {
        let acts = report.changes.iter().filter_map(|change| match &change.subject {
            Subject::Effort(id) if ACTS.contains(&change.kind) => Some((change.kind, id.clone())),
            _ => None,
        });
        let searches = report.calls.iter().filter(|call| call.name == "search_efforts");
        let active = report.memory.open.first();
        let active = active.filter(|item| item.state == crate::memory::Tier::Active);
        Self {
            acts: acts.collect(),
            searched: searches.map(|call| call.ok).max(),
            active: active.map(|item| item.id.clone()),
            reply: report.reply.to_lowercase(),
        }
    }

    fn last(&self, kind: ChangeKind) -> Option<&EffortId> {
        self.acts.iter().rev().find(|(did, _)| *did == kind).map(|(_, id)| id)
    }

    fn looked_up(&self) -> bool {
        self.searched == Some(true) || self.last(ChangeKind::EffortExpanded).is_some()
    }

    fn replied(&self, words: &str) -> bool {
        self.reply.contains(&words.to_lowercase())
    }

    fn told(&self) -> String {
        let act = |(kind, id): &(ChangeKind, EffortId)| {
            format!("{} {id}", kind.row().name.replace('_', " "))
        };
        let mut told: Vec<String> = self.acts.iter().map(act).collect();
        let search = |is_well| if is_well { "searched" } else { "a search that was refused" };
        told.extend(self.searched.map(|is_well| search(is_well).to_owned()));
        if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut known = BTreeMap::new();
        let opened = seen(&[(ChangeKind::EffortOpened, "Login 401")], Some("Login 401"));
        assert_eq!(expect("open auth").judge(&mut known, &opened), Ok(()));
        assert_eq!(expect("switch auth").judge(&mut known, &seen(&[], Some("Login 401"))), Ok(()));
        let closed = seen(&[(ChangeKind::EffortConcluded, "Login 401")], None);
        assert_eq!(expect("close auth").judge(&mut known, &closed), Ok(()));
        let other = seen(&[(ChangeKind::EffortConcluded, "kitchen")], None);
        let told = Err("effort concluded kitchen".to_owned());
        assert_eq!(expect("close auth").judge(&mut known, &other), told);
    }

    #[test]
    fn nothing_is_a_miss_where_something_is_expected_and_right_where_not() {
        let mut known = BTreeMap::new();
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
        let mut known = BTreeMap::new();
        let answered = Seen { reply: "it was 1.4 bar.".to_owned(), ..Seen::default() };
        assert_eq!(expect("find 1.4 Bar").judge(&mut known, &answered), Ok(()));
        let searched = Seen { searched: Some(true), ..Seen::default() };
        assert_eq!(expect("find 1.4 bar").judge(&mut known, &searched), Ok(()));
        assert!(expect("silent").judge(&mut known, &searched).is_err());
        let refused = Seen { searched: Some(false), ..Seen::default() };
        let told = Err("a search that was refused".to_owned());
        assert_eq!(expect("find 1.4 bar").judge(&mut known, &refused), told);
        assert_eq!(expect("silent").judge(&mut known, &refused), told);
    }

    #[test]
    fn what_cannot_be_expected_is_refused() {
        for text in ["", "open", "silent night", "hope for"] {
            assert!(Expect::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
