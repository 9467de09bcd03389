//! Whatever happened is taken back and repeated: each effort stands where it stood.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::tests::Words;
use super::super::*;
use super::*;

/// Memory with the logs that the store would hold.
struct Session {
    memory: Memory,
    logs: BTreeMap<String, Vec<(Role, Arc<str>)>>,
}

/// Where every effort stands, which one is active, what stands for each, and what is pinned.
type Standing = (Vec<(String, Tier, Option<Arc<str>>, bool)>, Option<EffortId>);

impl Session {
    fn new() -> Self {
        let frame = Frame { system_prompt: "You help.".into(), tools: "[]".into() };
        let rules = Rules { summary_eviction_threshold: 4, ..Rules::default() };
        Self { memory: Memory::new(rules, frame, Arc::new(Words)), logs: BTreeMap::new() }
    }

    /// Three efforts with something said in each; the last one is active.
    fn lively() -> Self {
        let mut session = Self::new();
        for name in ["bread", "harbour", "tax"] {
            session.memory.open(name).unwrap();
            session.say(&format!("{name} {}", "long words ".repeat(70)));
        }
        session
    }

    fn say(&mut self, user: &str) -> Vec<Change> {
        self.memory.begin_turn();
        let exchange = Exchange { user: user.into(), assistant: "ok then".into() };
        let ended = self.memory.end_turn(&exchange);
        if let Some(log) = ended.log {
            let log = self.logs.entry(log.to_string()).or_default();
            log.extend([(Role::User, exchange.user), (Role::Assistant, exchange.assistant)]);
        }
        ended.changes
    }

    fn log(&self, id: &str) -> Vec<(Role, Arc<str>)> {
        self.logs.get(id).cloned().unwrap_or_default()
    }

    fn standing(&self) -> Standing {
        let efforts = self.memory.efforts.iter().enumerate();
        let efforts = efforts.map(|(at, effort)| {
            let state = self.memory.tier_at(at);
            (effort.id.to_string(), state, effort.summary(), effort.pinned)
        });
        (efforts.collect(), self.memory.active().map(|effort| effort.id.clone()))
    }

    /// Does one thing; what makes no sense now does nothing.
    fn act(&mut self, what: u8, which: usize) -> Vec<Change> {
        let id = ["bread", "harbour", "tax"][which % 3];
        let raw = self.log(id);
        let memory = &mut self.memory;
        let change = match what {
            0 => memory.switch(id),
            1 => memory
                .close_source(Some(id), None)
                .and_then(|source| memory.conclude(&source, &format!("Settled the {id}."))),
            2 => memory.expand(id, raw),
            3 => memory.collapse(id),
            4 => memory.reopen(id, raw),
            5 if which.is_multiple_of(2) => memory.pin(id),
            5 => memory.unpin(id),
            6 => memory.edit_summary(id, &format!("Other words for {id}, {which}."), "edited"),
            8 => return memory.evict_now(id).unwrap_or_default(),
            _ => return (0..4).flat_map(|_| self.say("hm")).filter(is_undoable).collect(),
        };
        change.into_iter().collect()
    }

    /// Takes changes back as the driver does: newest first, all or none of them.
    fn take_back(&mut self, changes: &[Change], cause: &str) -> Vec<Change> {
        let back = changes.iter().rev().flat_map(|change| {
            let needed = self.memory.log_for_undo(change);
            let raw = needed.map(|id| self.log(id.as_str())).unwrap_or_default();
            self.memory.take_back(change, cause, raw).expect("nothing was said since")
        });
        back.collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn what_was_done_last_is_undone_and_redone(
        steps in prop::collection::vec((0_u8..9, 0_usize..6), 1..24),
    ) {
        let mut session = Session::lively();
        for (what, which) in steps {
            let before = session.standing();
            let changes = session.act(what, which);
            // Several turns are several deeds, and what they closed or sent away came one by one.
            if changes.is_empty() || what == 7 {
                continue;
            }
            let after = session.standing();
            let undone = session.take_back(&changes, UNDONE);
            prop_assert_eq!(session.standing(), before, "undoing {:?}", changes);
            prop_assert!(undone.iter().all(|change| change.cause == UNDONE && is_undoable(change)));
            let redone = session.take_back(&undone, REDONE);
            prop_assert_eq!(session.standing(), after, "redoing {:?}", undone);
            prop_assert!(redone.iter().all(|change| change.cause == REDONE));
            prop_assert_eq!(session.take_back(&undone, REDONE), vec![], "it is done already");
        }
    }

    #[test]
    fn a_summary_that_left_comes_back_to_stay_a_while(which in 0_usize..3) {
        let mut session = Session::lively();
        session.act(1, which);
        let left = session.act(7, 0);
        let kinds: Vec<ChangeKind> = left.iter().map(|change| change.kind).collect();
        prop_assert_eq!(kinds, [ChangeKind::SummaryEvicted]);
        session.take_back(&left, UNDONE);
        let at = session.memory.warm_efforts().next().expect("it is back");
        prop_assert_eq!(session.memory.turns_left(at), Some(4), "a fresh countdown");
    }
}

#[test]
fn an_expansion_of_what_had_left_is_undone_to_where_it_was() {
    let mut session = Session::lively();
    session.act(1, 2);
    session.act(7, 0);
    let expanded = session.act(2, 2);
    let undone = session.take_back(&expanded, UNDONE);
    let kinds: Vec<ChangeKind> = undone.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::EffortCollapsed, ChangeKind::SummaryEvicted]);
    session.take_back(&undone, REDONE);
    assert_eq!(session.memory.expanded_efforts().count(), 1);
}

#[test]
fn a_reopening_is_not_undone_over_words_that_its_summary_does_not_hold() {
    let mut session = Session::lively();
    session.act(1, 0);
    let reopened = session.act(4, 0);
    session.say("one more thing about the bread");
    let rejected = session.memory.check_undo(&reopened[0]).unwrap_err();
    assert!(rejected.to_string().contains("close_effort(\"bread\")"), "{rejected}");
    assert!(session.memory.take_back(&reopened[0], UNDONE, Vec::new()).is_err());
    assert_eq!(session.memory.effort(&EffortId::stored("bread")).unwrap().status, Status::Open);
}

#[test]
fn opening_storing_and_giving_way_are_not_taken_back() {
    let mut session = Session::new();
    let opened = session.memory.open("bread").unwrap();
    assert!(!is_undoable(&opened));
    let left_out = Change { kind: ChangeKind::LeftOut, ..opened };
    assert!(!is_undoable(&left_out));
}

#[test]
fn an_edit_of_a_summary_that_was_empty_is_undone_and_redone() {
    for was in [None, Some("".into())] {
        let mut session = Session::lively();
        session.act(1, 0);
        let at = session.memory.by_id[&EffortId::stored("bread")];
        session.memory.efforts[at].summary = was.clone().map(Into::into);
        let edited = session.memory.edit_summary("bread", "Rye, 24 hours.", "edited").unwrap();
        let summary = |session: &Session| session.memory.efforts[at].summary();
        let undone = session.memory.take_back(&edited, UNDONE, Vec::new()).unwrap();
        assert_eq!((summary(&session), undone.len()), (was, 1));
        session.memory.take_back(&undone[0], REDONE, Vec::new()).unwrap();
        assert_eq!(summary(&session).as_deref(), Some("Rye, 24 hours."));
        assert_eq!(session.memory.window().layers, session.memory.layers());
    }
}
