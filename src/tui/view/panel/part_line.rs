//! The rows of what is in the window besides efforts and notes.

use ratatui::text::{Line, Span};

use super::line::{LABEL, Sheet, WITH_WORDS, first_that_fits, justify};
use crate::counted::{counted, grouped};
use crate::memory::{Layer, NextTide, TextView};
use crate::text;

impl Sheet<'_> {
    /// The message and the tool exchange of the turn under way.
    pub(super) fn under_way(&self) -> Line<'static> {
        let texts = ["its message and tool calls", "message, calls"].map(str::to_owned).into();
        self.part(("▸ ", Layer::Open), "this turn", texts, self.view.under_way.0)
    }

    /// What was recalled for the newest message: from where, and why the best of it.
    pub(super) fn recalled(&self) -> Line<'static> {
        let recalled = &self.view.recalled;
        let mut ids: Vec<&str> = Vec::new();
        for one in recalled {
            if !ids.contains(&&*one.id) {
                ids.push(&one.id);
            }
        }
        let (all, count) = (ids.join(", "), ids.len());
        let cause = recalled.first().map_or("", |one| one.cause.as_str());
        let first = ids.first().copied().unwrap_or_default();
        let texts = vec![
            format!("for this message by {cause}: {all}"),
            format!("for this message: {all}"),
            format!("for this message: {first} and {} more", count - 1),
            format!("for this message: {count}"),
            format!("{count} for this"),
        ];
        let cost = self.view.layers.of(Layer::Recalled).0;
        self.part(("↺ ", Layer::Recalled), "recalled", texts, cost)
    }

    /// What every request carries, whatever memory does.
    pub(super) fn besides(&self) -> Line<'static> {
        let [prompt, tools] =
            [Layer::System, Layer::Tools].map(|layer| self.view.layers.of(layer).0);
        let headings = self.view.headings.0;
        let all = prompt + tools + headings;
        let [prompt, tools, headings] = [prompt, tools, headings].map(grouped);
        // What the cost is the sum of stays when names have to go.
        let rest = |words: &str| match self.view.headings.0 {
            0 => String::new(),
            _ => format!("{words}{headings}"),
        };
        let texts = vec![
            format!("prompt {prompt}, tools {tools}{}", rest(", headings ")),
            format!("prompt {prompt}, tools {tools}{}", rest(", +")),
            format!("{prompt} + {tools}{}", rest(" + ")),
            "prompt and tools".to_owned(),
            "prompt, tools".to_owned(),
        ];
        self.part(("· ", Layer::Lists), "besides", texts, all)
    }

    /// A part of the window that is no item: its name, what it is, and what it costs.
    fn part(
        &self,
        (sign, layer): (&'static str, Layer),
        name: &'static str,
        texts: Vec<String>,
        cost: u64,
    ) -> Line<'static> {
        let label = if self.width >= WITH_WORDS { LABEL - 2 } else { text::width(name) + 1 };
        let cost = grouped(cost);
        let room = self.width.saturating_sub(2 + label + text::width(&cost) + 1);
        let left = vec![
            Span::styled(sign, self.theme.layer(layer)),
            Span::styled(text::pad(name, label), self.theme.text),
            Span::styled(first_that_fits(texts, room), self.theme.dim),
        ];
        justify(left, vec![Span::styled(cost, self.theme.text)], self.width)
    }

    /// The ambient exchanges in the window, of all there are.
    pub(super) fn ambient(&self) -> Line<'static> {
        let shown = grouped(self.view.ambient_messages.div_ceil(2) as u64);
        let all = grouped(self.view.logs.ambient_messages.div_ceil(2));
        let mut texts = match self.view.logs.ambient_messages {
            0 => vec!["nothing yet".to_owned(), "none".to_owned()],
            _ if all == "1" => vec!["the only exchange".to_owned(), "all 1".to_owned()],
            _ if shown == all => vec![format!("all {all} exchanges"), format!("all {all}")],
            _ => vec![
                format!("last {shown} of {all} exchanges"),
                format!("last {shown} of {all}"),
                format!("{shown} of {all}"),
                format!("{shown}/{all}"),
            ],
        };
        if let Some(least) = self.view.kept_for_cache {
            let why = format!(", kept for the cache ({} tokens)", grouped(least.0));
            let long = texts.iter().take(2).map(|text| format!("{text}{why}"));
            let short = texts.iter().map(|text| format!("{text}, for the cache"));
            let told: Vec<String> = long.chain(short).collect();
            texts.splice(..0, told);
        }
        self.part(("~ ", Layer::Ambient), "ambient", texts, self.view.ambient_tokens.0)
    }

    /// When the next tide is and what it takes, or what it waits for.
    pub(super) fn tide(&self, tide: &NextTide) -> Line<'static> {
        let NextTide { turns, exchanges, tokens, waits } = *tide;
        let taken = match exchanges {
            0 => "at the soft line".to_owned(),
            _ => counted(exchanges as u64, "exchange"),
        };
        // What has not been said yet has no length.
        let is_said = exchanges * 2 <= self.view.ambient_messages;
        let about = if is_said { text::about(tokens.0) } else { taken.clone() };
        let taken = if is_said { format!("{taken}, {about}") } else { taken };
        let (is_now, turns) = (turns == 0, counted(turns, "turn"));
        let texts = if is_now {
            let about = text::about(tokens.0);
            let goes = match exchanges {
                0 => about.clone(),
                _ => format!("{}, {about}", counted(exchanges as u64, "exchange")),
            };
            vec![
                format!("tide with your next message, as the cache is cold: {goes}"),
                format!("tide with your next message: {goes}"),
                format!("tide with the next: {about}"),
                "tide with the next".to_owned(),
            ]
        } else if waits {
            vec![
                format!("tide after {turns} outside efforts: {taken}"),
                format!("tide after {turns} outside efforts"),
                "tide waits for the effort".to_owned(),
                "tide waits".to_owned(),
            ]
        } else {
            vec![
                format!("tide in {turns}: {taken}"),
                format!("tide in {turns}: {about}"),
                format!("tide in {turns}"),
            ]
        };
        self.aside(texts)
    }

    /// A text held by reference: what its pointer costs, of what the text would.
    pub(super) fn scratch(&self, TextView { item, tokens }: &TextView) -> Line<'static> {
        let mark = self.theme.layer(Layer::Scratchpad);
        let label =
            if self.width >= WITH_WORDS { text::pad("by ref", LABEL - 2) } else { String::new() };
        let about = if item.exact { "" } else { "~" };
        let left = vec![
            Span::styled("≡ ", mark),
            Span::styled(label, self.theme.dim),
            Span::styled(text::one_line(&format!("ref:{}", item.key)), self.theme.text),
        ];
        justify(left, self.cost(*tokens, self.theme.text, item.tokens, about), self.width)
    }
}
