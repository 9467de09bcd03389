//! What was recalled for the user's message: words from the past that stand in the memory block of this turn's
//! requests, and leave with the turn.
//!
//! Somebody else finds them, best first; here they are kept to what they may cost, and they give way before anything
//! else does.

use std::sync::Arc;

use super::budget::Plan;
use super::turn::UnderWay;
use super::{EffortId, Layer, Memory, Role, Source, Tokens, Turn, Window, WindowItem};

/// The line above them. What was said on other days is dated, so it tells the day from which to count.
fn heading(found: &[Recalled], today: &str) -> String {
    let is_dated = |one: &Recalled| !one.day.is_empty() && one.day != today;
    let dated = !today.is_empty() && found.iter().any(is_dated);
    let today = if dated { format!("; today is {today}") } else { String::new() };
    format!("## Recalled for this message (from earlier, oldest first{today})\n")
}

/// What is recalled of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecalledKind {
    /// What stands for all of it: the summary of an effort, the words of a note.
    Summary,
    /// A part of what was said.
    Passage,
}

impl RecalledKind {
    /// The word used in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Passage => "passage",
        }
    }
}

/// What was recalled for a message.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    /// Best first.
    items: Vec<Recalled>,
    /// Each as it is sent.
    lines: Vec<Arc<str>>,
    /// What stands above them, and what it costs.
    heading: (Arc<str>, Tokens),
}

/// Something that was recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// An effort's id, `ambient`, a note's number or the pointer to a text.
    pub id: Arc<str>,
    /// The effort, if it is of one.
    pub effort: Option<EffortId>,
    /// A summary or a passage.
    pub kind: RecalledKind,
    /// When it was said, if that is known.
    pub turn: Option<Turn>,
    /// The day on which it was said, such as `2026-01-31`; empty if unknown.
    pub day: String,
    /// The words of the message that brought it: `'clock' and 'node'`.
    pub cause: String,
    /// What was said.
    pub text: Arc<str>,
    /// It counts as mentioned in this turn.
    pub mentions: bool,
    /// What it costs in the window; counted when it is taken.
    pub tokens: Tokens,
}

impl Recalled {
    /// As it is sent. Further lines are indented, so that no line of it can pass for one of the block.
    pub(super) fn line(&self) -> String {
        let turn = || self.turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
        let when = if self.day.is_empty() { turn() } else { format!(", {}", self.day) };
        let kind = if self.kind == RecalledKind::Summary { ", summary" } else { "" };
        let text = self.text.trim().replace('\n', "\n  ");
        format!("- [{}{kind}{when}]\n  {text}\n", self.id)
    }
}

impl Memory {
    /// Takes what was recalled for the message of the turn under way, best first, in place of what was before: as
    /// much as fits in `recall_tokens`. Today is a day such as `2026-01-31`, empty if unknown: it is told beside what
    /// is of another one.
    pub fn recall(&mut self, found: Vec<Recalled>, today: &str) {
        let of_all = heading(&found, today);
        let most = self.counter.count(&of_all);
        let mut room = self.rules.recall().saturating_sub(most);
        self.recalled = Held::default();
        for mut one in found {
            let line = one.line();
            one.tokens = self.counter.count(&line);
            if one.tokens <= room {
                room = room.saturating_sub(one.tokens);
                self.recalled.items.push(one);
                self.recalled.lines.push(line.into());
            }
        }
        // What did not fit may have been all that is of another day.
        let heading = heading(&self.recalled.items, today);
        let cost = if heading == of_all { most } else { self.counter.count(&heading) };
        self.recalled.heading = (heading.into(), cost);
    }

    /// The window of the first request of a turn with this message, where so much was found for it on this day. Nothing
    /// of it stays: the turn does not begin.
    pub fn window_recalling(
        &mut self,
        user_message: &str,
        found: Vec<Recalled>,
        today: &str,
    ) -> Window {
        let under_way = self.under_way.replace(UnderWay::default());
        let recalled = std::mem::take(&mut self.recalled);
        self.recall(found, today);
        let window = self.window_with(user_message, Tokens(0));
        (self.under_way, self.recalled) = (under_way, recalled);
        window
    }

    /// The efforts of which something was recalled that counts as mentioned, each with why.
    pub(super) fn recalled_mentions(&self) -> Vec<(usize, String)> {
        let some = self.recalled.items.iter().filter(|one| one.mentions);
        let at = |one: &Recalled| self.by_id.get(one.effort.as_ref()?).copied();
        some.filter_map(|one| Some((at(one)?, format!("recalled for {}", one.cause)))).collect()
    }

    /// What was recalled for the newest message, until the next one.
    pub fn recalled(&self) -> &[Recalled] {
        &self.recalled.items
    }

    /// How much of it belongs in a request of the turn under way.
    pub(super) fn recalled_now(&self) -> usize {
        if self.under_way.is_some() { self.recalled.items.len() } else { 0 }
    }

    /// What the first ones cost, with their heading.
    pub(super) fn recalled_tokens(&self, count: usize) -> Tokens {
        let some = &self.recalled.items[..count.min(self.recalled.items.len())];
        let heading = (!some.is_empty()).then_some(self.recalled.heading.1);
        heading.into_iter().chain(some.iter().map(|one| one.tokens)).sum()
    }

    /// The turn in which something was said that is recalled; of a summary the last one that it stands for.
    pub fn last_said(&self, one: &Recalled) -> Turn {
        let of_effort = || Some(self.effort(one.effort.as_ref()?)?.last_used);
        one.turn.or_else(of_effort).unwrap_or_default()
    }

    pub(super) fn push_recalled(&self, window: &mut Window, plan: &Plan) {
        let item = |source, content, tokens| WindowItem {
            layer: Layer::Recalled,
            role: Role::User,
            source,
            content,
            tokens,
        };
        let Held { items, lines, heading } = &self.recalled;
        let some = items.iter().zip(lines).take(plan.recalled);
        let mut some: Vec<_> = some.collect();
        // What holds now was said last.
        some.sort_by_key(|(one, _)| self.last_said(one));
        for (nth, (one, line)) in some.into_iter().enumerate() {
            if nth == 0 {
                window.push(item(Source::Manifest, Arc::clone(&heading.0), heading.1));
            }
            let source = Source::Recalled(Arc::clone(&one.id));
            window.push(item(source, Arc::clone(line), one.tokens));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{ChangeKind, Exchange, Frame, Rules, Subject};

    fn memory(recall: u64) -> Memory {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let rules = Rules { recall_tokens: Tokens(recall), ..Rules::default() };
        Memory::new(rules, frame, Arc::new(Words))
    }

    fn passage(id: &str, text: &str) -> Recalled {
        Recalled {
            id: id.into(),
            effort: Some(EffortId::stored(id)),
            kind: RecalledKind::Passage,
            turn: Some(Turn(3)),
            day: "2026-01-31".into(),
            cause: "'clock'".into(),
            text: text.into(),
            mentions: true,
            tokens: Tokens(0),
        }
    }

    fn sources(window: &Window) -> Vec<String> {
        let of = |item: &WindowItem| match &item.source {
            Source::Recalled(id) => Some(id.to_string()),
            _ => None,
        };
        window.items.iter().filter_map(of).collect()
    }

    #[test]
    fn it_stands_right_before_the_message_and_leaves_with_the_turn() {
        let mut memory = memory(60);
        memory.begin_turn();
        let long = "word ".repeat(100);
        let found = [("a", "user: the clock"), ("b", &*long), ("c", "assistant: it\nis late")];
        memory.recall(found.map(|(id, text)| passage(id, text)).into(), "");
        let window = memory.window_with("what about the clock", Tokens(0));
        assert_eq!(sources(&window), ["a", "c"], "what does not fit is passed over");
        let text = window.block_text().unwrap();
        assert!(text.contains("- [c, 2026-01-31]\n  assistant: it\n  is late\n"));
        assert!(window.layers.of(Layer::Recalled) <= Tokens(60));
        let counted = memory.count(&text) + memory.count("what about the clock");
        let layers = window.layers;
        assert_eq!(layers.total(), memory.frame_layers.total() + counted);
        let view = memory.view_within("what about the clock", Tokens(0));
        assert_eq!((view.layers, view.recalled.len()), (layers, 2));
        memory
            .end_turn(&Exchange { user: "what about the clock".into(), assistant: "late".into() });
        assert!(sources(&memory.window()).is_empty());
        memory.begin_turn();
        assert!(memory.recalled().is_empty());
    }

    #[test]
    fn what_was_said_last_stands_last_however_well_it_matches() {
        let mut memory = memory(80);
        memory.begin_turn();
        let of = |(id, turn)| Recalled { turn: Some(Turn(turn)), ..passage(id, "words") };
        memory.recall([("b", 7), ("a", 3), ("c", 9)].map(of).into(), "");
        assert_eq!(sources(&memory.window_with("hello", Tokens(0))), ["a", "b", "c"]);
        let view = memory.view_within("hello", Tokens(0));
        assert_eq!(&*view.recalled[0].id, "b", "the panel shows the best one first");
    }

    #[test]
    fn it_gives_way_first_and_only_as_far_as_needed() {
        let mut memory = memory(80);
        memory.begin_turn();
        memory.recall(["a", "b", "c"].map(|id| passage(id, &"word ".repeat(12))).into(), "");
        let whole = memory.window_with("hello", Tokens(0)).layers.total();
        let room = memory.rules.limit().saturating_sub(whole);
        let window = memory.window_with("hello", room + Tokens(5));
        assert_eq!(sources(&window), ["a", "b"], "the last is the least");
        let gave = &window.gave_way[0];
        assert_eq!((gave.kind, &gave.subject), (ChangeKind::LeftOut, &Subject::Recalled));
        assert!(window.layers.total() <= memory.rules.limit());
    }

    #[test]
    fn what_was_said_on_another_day_tells_from_which_one_to_count() {
        for (today, tells) in [("2026-02-02", true), ("2026-01-31", false), ("", false)] {
            let mut memory = memory(60);
            memory.begin_turn();
            memory.recall(vec![passage("a", "user: the clock")], today);
            let window = memory.window_with("hello", Tokens(0));
            let text = window.block_text().unwrap();
            assert_eq!(text.contains("; today is 2026-02-02)\n- [a, 2026-01-31]\n"), tells);
            assert_eq!(
                window.layers.total(),
                memory.frame_layers.total() + memory.count(&text) + memory.count("hello")
            );
            let drafted = memory.window_recalling("hello", memory.recalled().to_vec(), today);
            assert_eq!(drafted.block_text(), window.block_text());
        }
    }

    #[test]
    fn without_room_nothing_is_recalled() {
        for mut memory in [memory(0), memory(3)] {
            memory.begin_turn();
            memory.recall(vec![passage("a", "user: the clock")], "");
            assert!(memory.recalled().is_empty());
            assert_eq!(
                memory.window_with("hello", Tokens(0)).layers.of(Layer::Recalled),
                Tokens(0)
            );
        }
    }
}
