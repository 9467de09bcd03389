//! What the last request cost, as estimated here and as the server measured it, and whether the two can
//! both be true.

use crate::bill::Paid;
use crate::llm::Usage;
use crate::memory::{Layer, Layers, Tokens, Window};
use crate::store::SentRequest;

/// A server that reports fewer than this share of what was sent, in percent, read only a part of it.
///
/// The estimate counts `cl100k_base`. Other tokenizers read English and code within a quarter of that
/// count, so that 70 % is out of reach of all of them.
const LATIN_PERCENT: u64 = 70;

/// The same for text that is mostly not ASCII: newer vocabularies read Indic and other scripts with up to
/// 4.4 times fewer tokens than `cl100k_base` does.
const OTHER_PERCENT: u64 = 20;

/// And at least this many tokens must be missing: chat templates differ by a few for each message, and on
/// a small request that is a large share.
const LEAST_MISSING: u64 = 500;

/// Beside system prompt and tools a conversation needs so many tokens at least.
const LEAST_ROOM: u64 = 500;

/// The last request: what it cost by layer and what the server said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// Tokens by layer as counted here; the tool exchange of the turn counts for the layer of its log.
    pub layers: Layers,
    /// The fewest tokens that any tokenizer makes of it.
    pub least: Tokens,
    /// What the server measured, if it said.
    pub usage: Option<Usage>,
    /// What it took, once that is known.
    pub paid: Option<Paid>,
}

/// A server counted clearly fewer tokens than were sent: it cut the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Tokens of the request, as estimated here.
    pub sent: Tokens,
    /// Tokens that the server read.
    pub counted: Tokens,
    /// It may have read all and counted less: without the tools, or without what came from its cache.
    pub may_be_its_count: bool,
    /// It counted more than what every request begins with, so that a budget below its count can be kept to.
    pub leaves_room: bool,
}

impl Measured {
    /// Whether the server read clearly less than was sent. A server that reports no tokens at all has
    /// measured nothing.
    pub fn cut(&self) -> Option<Cut> {
        let usage = self.usage.filter(|usage| usage.prompt > 0)?;
        let (sent, counted) = (self.layers.total(), Tokens(usage.prompt));
        let missing = sent.saturating_sub(counted).0;
        let may_be_its_count = self.explains(usage);
        let front = self.layers.of(Layer::System) + self.layers.of(Layer::Tools);
        let leaves_room = counted.0 > front.0 + LEAST_ROOM;
        let cut = Cut { sent, counted, may_be_its_count, leaves_room };
        (counted < self.least && missing > LEAST_MISSING).then_some(cut)
    }

    /// Whether a server that read all may have counted so few: some leave the tools out, some what came from
    /// their cache.
    /// And nobody cuts the system prompt: who counts less than that counts only what is new.
    fn explains(&self, usage: Usage) -> bool {
        if usage.prompt < self.layers.of(Layer::System).0 * OTHER_PERCENT / 100 {
            return true;
        }
        let tools = Tokens(self.layers.of(Layer::Tools).0 * LATIN_PERCENT / 100);
        Tokens(usage.prompt + usage.cached.unwrap_or(0)) + tools >= self.least
    }
}

impl Measured {
    /// Counts the request as it went out without the tools.
    pub(super) fn leave_out_tools(&mut self) {
        self.may_lack_tools();
        self.layers.clear(Layer::Tools);
    }

    /// The server need not have counted the tools: a protocol without a word that forbids calls leaves them out of a
    /// request that wants none.
    pub(super) fn may_lack_tools(&mut self) {
        let tools = self.layers.of(Layer::Tools);
        self.least = self.least.saturating_sub(Tokens(tools.0 * LATIN_PERCENT / 100));
    }

    /// The request as the journal records it, with what its turn sent in so many requests.
    pub(super) fn record(&self, requests: u32, in_all: Tokens) -> SentRequest {
        let usage =
            self.usage.map(|usage| [usage.prompt, usage.completion, usage.cached.unwrap_or(0)]);
        let in_all = Some((requests, in_all));
        SentRequest { layers: self.layers, least: self.least, usage, in_all }
    }
}

impl From<SentRequest> for Measured {
    fn from(sent: SentRequest) -> Self {
        let usage = sent.usage.map(|[prompt, completion, cached]| {
            let cached = Some(cached).filter(|cached| *cached > 0);
            Usage { prompt, completion, cached, written: 0, hour: None }
        });
        let paid = usage.and_then(|usage| {
            Some(Paid::reported(usage.prompt, usage.cached?, usage.written, usage.completion))
        });
        Self { layers: sent.layers, least: sent.least, usage, paid }
    }
}

impl Cut {
    /// The sentence for the chat: what happened, why, and what to do.
    pub fn sentence(&self) -> String {
        let budget = if self.leaves_room {
            format!(", or set token_budget below {}", self.counted)
        } else {
            String::new()
        };
        if self.may_be_its_count {
            return format!(
                "The server counted {} of about {} tokens. It may leave the tools, or what came from its \
                 cache, out of its count; or it cut the prompt. If answers miss what the window shows, raise \
                 its context window (Ollama: num_ctx){budget}.",
                self.counted, self.sent
            );
        }
        format!(
            "The server read only {} of about {} tokens: it cut the prompt, so the model has not seen \
             all of it. Its context window is smaller than what it was sent: raise it there (Ollama: \
             num_ctx){budget}.",
            self.counted, self.sent
        )
    }
}

/// The fewest tokens that any tokenizer makes of a window and of a tool exchange beside it.
pub(super) fn least(window: &Window, tools: Tokens, exchanged: &[(&str, Tokens)]) -> Tokens {
    let items = window.items.iter().map(|item| (&*item.content, item.tokens));
    let items = items.filter(|(text, _)| !text.is_empty());
    let texts = items.chain(exchanged.iter().copied());
    let least: u64 = texts.map(|(text, tokens)| tokens.0 * percent(text)).sum();
    Tokens((least + tools.0 * LATIN_PERCENT) / 100)
}

fn percent(text: &str) -> u64 {
    // Most texts are ASCII, which is told much faster than how much of one is.
    let is_latin = || text.bytes().filter(u8::is_ascii).count() * 10 >= text.len() * 9;
    if text.is_ascii() || is_latin() { LATIN_PERCENT } else { OTHER_PERCENT }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(sent: u64, least: u64, prompt: u64) -> Measured {
        let mut layers = Layers::default();
        layers.add(Layer::Open, Tokens(sent));
        let usage = Some(Usage { prompt, completion: 1, cached: None, written: 0, hour: None });
        Measured { layers, least: Tokens(least), usage, paid: None }
    }

    #[test]
    fn only_a_count_that_no_tokenizer_makes_is_an_alarm() {
        for (sent, prompt, cut) in [
            (8_000, 4_096, true),
            (8_000, 5_601, false),
            (8_000, 5_599, true),
            (8_000, 11_000, false),
            (1_600, 1_000, true),
            (1_600, 1_101, false),
            (700, 250, false),
            (8_000, 0, false),
        ] {
            let one = measured(sent, sent * 70 / 100, prompt);
            assert_eq!(one.cut().is_some(), cut, "{prompt} of {sent}");
        }
        assert_eq!(Measured { usage: None, ..measured(8_000, 5_600, 1) }.cut(), None);
    }

    #[test]
    fn what_may_be_the_servers_way_of_counting_is_not_called_a_cut() {
        let with = |tools: u64, cached: u64| {
            let mut one = measured(8_000 - tools, 5_600, 4_096);
            one.layers.add(Layer::Tools, Tokens(tools));
            one.usage = one.usage.map(|usage| Usage { cached: Some(cached), ..usage });
            one.cut().unwrap()
        };
        for (tools, cached, counted_only) in [
            (0, 0, false),
            (1_000, 0, false),
            (2_200, 0, true),
            (0, 1_600, true),
            (0, 1_400, false),
        ] {
            let cut = with(tools, cached);
            assert_eq!(cut.may_be_its_count, counted_only, "{tools} {cached}");
            assert_eq!(cut.sentence().contains("has not seen"), !counted_only);
            assert_eq!(
                cut.sentence().contains("The server counted 4,096 of about 8,000"),
                counted_only
            );
        }
    }

    #[test]
    fn a_count_below_the_system_prompt_is_no_cut() {
        for (prompt, may_be_its_count) in [(3, true), (139, true), (140, false), (600, false)] {
            let mut one = measured(7_300, 5_600, prompt);
            one.layers.add(Layer::System, Tokens(700));
            let cut = one.cut().unwrap();
            assert_eq!(cut.may_be_its_count, may_be_its_count, "{prompt}");
            assert!(!cut.sentence().contains("token_budget"), "no budget is that small: {prompt}");
        }
    }

    #[test]
    fn text_in_other_scripts_may_cost_a_fifth() {
        assert_eq!(percent("plain words and code: fn main() {}"), 70);
        assert_eq!(percent("naïve café, mostly plain words all the same"), 70);
        assert_eq!(percent("तकनीक के बारे में बात करते हैं"), 20);
        assert_eq!(percent("設計は短く"), 20);
        let window = Window::default();
        assert_eq!(least(&window, Tokens(1_000), &[("設計", Tokens(100))]), Tokens(720));
    }

    #[test]
    fn the_sentence_names_both_counts_and_the_way_out() {
        let cut = measured(8_000, 5_600, 4_096).cut().unwrap().sentence();
        for words in ["4,096", "8,000", "num_ctx", "token_budget"] {
            assert!(cut.contains(words), "{cut}");
        }
    }
}
