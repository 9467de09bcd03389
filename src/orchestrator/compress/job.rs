//! What a compression asks of a model: the parts of a text, then one text of theirs.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::Failed;
use crate::llm::{self, Event, EventStream, Model, Purpose};
use crate::memory::{Archived, Block, CountTokens, EffortId, Refused, Tokens};
use crate::orchestrator::allowance::Allowance;
use crate::orchestrator::memory_requests::OwnRequest;
use crate::orchestrator::notice::{Notice, Notices};
use crate::{chunk, prompt};

/// Protects facts and numbers, as in the seed.
const TEMPERATURE: f32 = 0.1;

/// Tokens that a part may always take: with fewer it would lose what the joined text has room for.
const LEAST_SHARE: u64 = 80;

/// The most tokens of one part; half of a request, if that is less. What fits into one request is not read and answered
/// twice, in its parts and joined.
const MOST_PART: u64 = 12_000;

/// Requests under way at once.
const AT_ONCE: usize = 4;

/// One compression, beside the chat.
pub(super) struct Job {
    /// How hard the model thinks in the chat.
    pub(super) effort: Option<llm::Thinking>,
    pub(super) model: Arc<dyn Model>,
    /// Another model than the one that chats.
    pub(super) name: Option<String>,
    pub(super) counter: Arc<dyn CountTokens>,
    /// How much a request may have.
    pub(super) allowance: Allowance,
    /// The most tokens of one of the chat.
    pub(super) limit: Tokens,
    pub(super) notices: Notices,
    pub(super) id: EffortId,
}

impl Job {
    pub(super) async fn run(
        self,
        archived: Archived,
        behind: Option<OwnRequest>,
    ) -> Result<Block, Failed> {
        if let Some(request) = behind {
            self.tell(0, 1);
            if let Ok(text) = self.ask(request).await
                && let Ok(block) = archived.block(&text, &*self.counter)
            {
                return Ok(block);
            }
        }
        let text = self.condense(archived.text(), Some(archived.target())).await?;
        Ok(archived.block(&text, &*self.counter)?)
    }

    /// Map, then reduce until one text is left; once more in smaller parts, where a refusal says that the model takes less.
    pub(super) async fn condense(
        &self,
        text: &str,
        target: Option<Tokens>,
    ) -> Result<String, Failed> {
        loop {
            let most = self.most();
            match self.condense_in(self.part(), text, target).await {
                Err(Failed::Model(_) | Failed::TooLong(..)) if self.most() < most => {}
                condensed => return condensed,
            }
        }
    }

    /// The most tokens of a request.
    fn most(&self) -> Tokens {
        self.allowance.of(&*self.model, self.name.as_deref(), self.limit)
    }

    /// The most tokens of one request's text.
    fn part(&self) -> Tokens {
        Tokens(MOST_PART.min(self.most().0 / 2).max(1))
    }

    /// The same in parts of at most so many tokens.
    async fn condense_in(
        &self,
        most: Tokens,
        text: &str,
        target: Option<Tokens>,
    ) -> Result<String, Failed> {
        let parts = parts(text, most, &*self.counter);
        let target = target.map(|target| target.0);
        let share = target.map(|target| match parts.len() {
            0 | 1 => target,
            many => (target / many as u64).max(LEAST_SHARE),
        });
        // A single part is its own result: there is nothing to join.
        let all = parts.len() + usize::from(parts.len() > 1);
        let part = |part: String| prompt::compress_part(&part, share);
        let mut texts = self.ask_all(parts, 0, all, part).await?;
        let mut done = all - 1;
        while texts.len() > 1 {
            let before = cost(&texts, &*self.counter);
            let groups = groups(&texts, most, &*self.counter);
            let join = |group: Vec<String>| prompt::compress_join(&group, target);
            let count = groups.len();
            texts = self.ask_all(groups, done, done + count, join).await?;
            done += count;
            let after = cost(&texts, &*self.counter);
            if texts.len() > 1 && after >= before {
                // Joining does not shorten it any more; going on would never end.
                texts = vec![texts.join("\n\n")];
            }
        }
        Ok(texts.concat())
    }

    /// Asks for every text, several at once; the answers come in the order of the texts.
    async fn ask_all<T>(
        &self,
        texts: Vec<T>,
        before: usize,
        of: usize,
        prompt: impl Fn(T) -> Vec<(&'static str, String)>,
    ) -> Result<Vec<String>, Failed> {
        self.tell(before, of);
        let requests =
            texts.into_iter().map(|text| OwnRequest::alone(prompt(text), &*self.counter));
        let requests: Vec<OwnRequest> = requests.collect();
        let answers = stream::iter(requests).map(|request| self.ask(request)).buffered(AT_ONCE);
        answers
            .enumerate()
            .map(|(nth, answer)| {
                self.tell(before + nth + 1, of);
                answer
            })
            .try_collect()
            .await
    }

    /// Asks for one text; no request goes out that is over the limit.
    async fn ask(&self, request: OwnRequest) -> Result<String, Failed> {
        let (cost, most) = (request.cost, self.most());
        if cost > most {
            return Err(Failed::TooLong(cost, most));
        }
        let mut request = request.request(Purpose::Compress, Some(TEMPERATURE), self.name.clone());
        request.effort = self.effort;
        request.budget = Some(self.limit.0);
        let answered = answer(self.model.stream(request)).await;
        if let Err(Failed::Model(refusal)) = &answered {
            let own = self.model.info().name;
            let name = self.name.as_deref().unwrap_or(&own);
            if let Some(told) = self.allowance.learn(name, refusal, cost) {
                self.notices.tell(Notice::Info(told));
            }
        }
        answered
    }

    /// How far it is.
    fn tell(&self, done: usize, of: usize) {
        self.notices.tell(Notice::Compressing { id: self.id.clone(), done, of });
    }
}

/// Waits for the words of one answer.
async fn answer(mut events: EventStream) -> Result<String, Failed> {
    while let Some(event) = events.next().await {
        if let Event::Done(completion) = event? {
            if let Some(why) = completion.finish.unfit() {
                return Err(Failed::Unfit(why));
            }
            let text = completion.text.trim().to_owned();
            return if text.is_empty() { Err(Refused::Empty.into()) } else { Ok(text) };
        }
    }
    Err(Failed::Ended)
}

/// A text in parts of at most `most` tokens each, cut at the best borders.
fn parts(text: &str, most: Tokens, counter: &dyn CountTokens) -> Vec<String> {
    let tokens = counter.count(text).0.max(1);
    // Nine tenths of what would fit on average: a part with more tokens than most still fits.
    let mut size = (text.len() as u64).saturating_mul(most.0) / tokens / 10 * 9;
    loop {
        let size_here = usize::try_from(size).unwrap_or(usize::MAX);
        let ranges: Vec<_> = chunk::ranges(text, size_here).collect();
        let fits = |range: &std::ops::Range<usize>| counter.count(&text[range.clone()]) <= most;
        // No text has more tokens than bytes, so this ends.
        if size <= most.0 / 2 + 1 || ranges.iter().all(fits) {
            return ranges.into_iter().map(|range| text[range].to_owned()).collect();
        }
        size = size / 4 * 3;
    }
}

/// Neighbouring texts in groups of at most `most` tokens, at least two in each.
fn groups(texts: &[String], most: Tokens, counter: &dyn CountTokens) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut room = Tokens(0);
    for text in texts {
        let tokens = counter.count(text);
        match groups.last_mut() {
            Some(group) if group.len() < 2 || tokens <= room => group.push(text.clone()),
            _ => {
                groups.push(vec![text.clone()]);
                room = most;
            }
        }
        room = room.saturating_sub(tokens);
    }
    if let [.., before, last] = groups.as_mut_slice()
        && last.len() == 1
    {
        // One text alone needs no joining.
        before.append(last);
        groups.pop();
    }
    groups
}

fn cost(texts: &[String], counter: &dyn CountTokens) -> Tokens {
    texts.iter().map(|text| counter.count(text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Completion, FinishReason};
    use crate::memory::tests::Words;

    /// A byte a token: the worst there is.
    struct Bytes;

    impl CountTokens for Bytes {
        fn count(&self, text: &str) -> Tokens {
            Tokens(text.len() as u64)
        }
    }

    #[tokio::test]
    async fn an_answer_that_was_cut_is_no_compression() {
        let unknown = FinishReason::from_word("abort");
        for finish in
            [FinishReason::Length, FinishReason::ContentFilter, FinishReason::Refusal, unknown]
        {
            let cut = Completion { text: "half of it".into(), finish, ..Completion::default() };
            let events = stream::iter([Ok(Event::Done(cut))]);
            assert!(matches!(answer(Box::pin(events)).await, Err(Failed::Unfit(_))));
        }
    }

    #[test]
    fn no_part_is_larger_than_asked_and_nothing_is_lost() {
        let text = "A sentence of some words. ".repeat(400);
        for counter in [&Words as &dyn CountTokens, &Bytes] {
            let parts = parts(&text, Tokens(200), counter);
            assert!(parts.iter().all(|part| counter.count(part) <= Tokens(200)));
            assert_eq!(parts.concat(), text);
        }
    }

    #[test]
    fn groups_hold_all_texts_in_order_and_get_fewer() {
        let texts: Vec<String> = (0..9).map(|n| format!("text {n} ").repeat(20)).collect();
        for most in [10, 100, 1_000] {
            let groups = groups(&texts, Tokens(most), &Words);
            assert!(groups.len() < texts.len() && groups[0].len() >= 2, "{most}");
            assert_eq!(groups.concat(), texts);
        }
    }
}
