//! What is different between two windows: the one that would be sent now and one that was.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{Layer, Part, Source, Window, WindowItem};

/// How an item stands to the window that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// It was there, word for word.
    Same,
    /// It was not there.
    Added,
    /// It was there with this other text.
    Changed(Arc<str>),
    /// It was there and no longer is; it would not be sent.
    Removed,
}

impl Mark {
    /// The word used in JSON and on screen.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Added => "added",
            Self::Changed(_) => "changed",
            Self::Removed => "removed",
        }
    }
}

/// An item with its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The item; of a removed one, as it was.
    pub item: WindowItem,
    /// What happened to it.
    pub mark: Mark,
}

/// All items of `now` in their order, each beside its like in `before`; what is gone stands where it
/// stood. The same words from the same side are the same item, wherever they have moved to: a message
/// that was new in one request is part of a log in the next.
pub fn compare(now: &Window, before: &Window) -> Vec<Compared> {
    let mut partners = partners(now, before);
    pair_by_source(now, before, &mut partners);
    let mut gone = removed(now, before, &partners);
    let mut compared = gone.remove(&None).unwrap_or_default();
    for (at, item) in now.items.iter().enumerate() {
        let mark = match partners[at] {
            None => Mark::Added,
            Some(other) if before.items[other].content == item.content => Mark::Same,
            Some(other) => Mark::Changed(Arc::clone(&before.items[other].content)),
        };
        compared.push(Compared { item: item.clone(), mark });
        compared.extend(gone.remove(&Some(at)).unwrap_or_default());
    }
    compared
}

/// All items, unmarked: there is nothing to compare with.
pub fn unmarked(now: &Window) -> Vec<Compared> {
    now.items.iter().map(|item| Compared { item: item.clone(), mark: Mark::Same }).collect()
}

/// For each item of `now` the place of the same words in `before`; each place serves once.
fn partners(now: &Window, before: &Window) -> Vec<Option<usize>> {
    let mut places: BTreeMap<(&'static str, bool, bool, &str), VecDeque<usize>> = BTreeMap::new();
    for (at, item) in before.items.iter().enumerate() {
        places.entry(words_of(item)).or_default().push_back(at);
    }
    let mut partners = Vec::with_capacity(now.items.len());
    for item in &now.items {
        partners.push(places.get_mut(&words_of(item)).and_then(VecDeque::pop_front));
    }
    partners
}

/// Who says what, and in which part; the tool definitions stand beside the messages and match themselves
/// alone.
fn words_of(item: &WindowItem) -> (&'static str, bool, bool, &str) {
    let in_block = item.source.part() == Part::Block;
    (item.role.as_str(), item.layer == Layer::Tools, in_block, &item.content)
}

/// Items that stand for one thing and have other words now.
fn pair_by_source(now: &Window, before: &Window, partners: &mut [Option<usize>]) {
    let taken: Vec<usize> = partners.iter().flatten().copied().collect();
    for (item, partner) in now.items.iter().zip(partners) {
        let is_single = matches!(
            item.source,
            Source::SystemPrompt | Source::Instructions(_) | Source::Summary(_) | Source::Note(_)
        );
        if partner.is_none() && is_single {
            let mut others = before.items.iter().enumerate();
            let like = others.find(|(at, old)| old.source == item.source && !taken.contains(at));
            *partner = like.map(|(at, _)| at);
        }
    }
}

/// What has no partner, by the item of `now` behind which it stands.
fn removed(
    now: &Window,
    before: &Window,
    partners: &[Option<usize>],
) -> BTreeMap<Option<usize>, Vec<Compared>> {
    let place_of: BTreeMap<usize, usize> =
        (0..now.items.len()).filter_map(|at| Some((partners[at]?, at))).collect();
    let mut gone: BTreeMap<Option<usize>, Vec<Compared>> = BTreeMap::new();
    let mut behind = None;
    for (at, item) in before.items.iter().enumerate() {
        if let Some(place) = place_of.get(&at) {
            behind = Some(*place);
        } else {
            let compared = Compared { item: item.clone(), mark: Mark::Removed };
            gone.entry(behind).or_default().push(compared);
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{EffortId, Role, Tokens};

    fn window(items: &[(Source, Role, &str)]) -> Window {
        let mut window = Window::default();
        for (source, role, content) in items {
            let layer = if *role == Role::System { Layer::Summaries } else { Layer::Ambient };
            window.push(WindowItem {
                layer,
                role: *role,
                source: source.clone(),
                content: (*content).into(),
                tokens: Tokens(1),
            });
        }
        window
    }

    fn marks(now: &Window, before: &Window) -> Vec<(String, &'static str)> {
        let compared = compare(now, before);
        compared.iter().map(|one| (one.item.content.to_string(), one.mark.as_str())).collect()
    }

    #[test]
    fn each_item_is_the_same_added_changed_or_removed() {
        let summary = |id: &str| Source::Summary(EffortId::stored(id));
        let before = window(&[
            (summary("a"), Role::System, "- a: one\n"),
            (summary("b"), Role::System, "- b: two\n"),
            (Source::Ambient, Role::User, "hello"),
            (Source::Ambient, Role::Assistant, "hi"),
            (Source::NewMessage, Role::User, "how are you"),
        ]);
        let now = window(&[
            (summary("b"), Role::System, "- b: two, edited\n"),
            (Source::Ambient, Role::Assistant, "hi"),
            (Source::Ambient, Role::User, "how are you"),
            (Source::Ambient, Role::Assistant, "fine"),
        ]);
        let expected = [
            ("- a: one\n", "removed"),
            ("- b: two, edited\n", "changed"),
            ("hello", "removed"),
            ("hi", "same"),
            ("how are you", "same"),
            ("fine", "added"),
        ];
        let expected = expected.map(|(text, mark)| (text.to_owned(), mark));
        assert_eq!(marks(&now, &before), expected);
        let same = marks(&now, &now);
        assert!(same.iter().all(|(_, mark)| *mark == "same"));
    }

    #[test]
    fn the_same_words_twice_are_two_items_and_each_side_has_its_own() {
        let said = |times: usize, role| vec![(Source::Ambient, role, "ok"); times];
        let two = window(&said(2, Role::User));
        let three = window(&said(3, Role::User));
        let other = window(&said(2, Role::Assistant));
        let count = |marks: Vec<(String, &str)>, mark: &str| {
            marks.iter().filter(|(_, one)| *one == mark).count()
        };
        assert_eq!(count(marks(&three, &two), "added"), 1);
        assert_eq!(count(marks(&two, &three), "removed"), 1);
        assert_eq!(count(marks(&two, &other), "added"), 2);
        assert_eq!(count(marks(&two, &other), "removed"), 2);
    }
}
