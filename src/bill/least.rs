//! From how many tokens on a server's cache keeps the beginning of a prompt.
//!
//! Of a shorter one it keeps nothing and says nothing: that a short window was not read tells nothing of a long history,
//! which may have been.

/// Tokens below which no miss tells anything.
const TELLS: u64 = 1_024;

/// The most tokens that any server is known to ask for: whose cache reads nothing of as many is cold, or has none.
const MOST: u64 = 4_096;

/// What servers are known to ask for.
const LEASTS: [u64; 3] = [TELLS, 2_048, MOST];

/// What a server's cache did for a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looked {
    /// Tokens of the prompt.
    pub prompt: u64,
    /// Tokens of it that came from the cache.
    pub read: u64,
    /// Tokens of it that had been sent before and would have come from one that is warm, as the server counts; `None`
    /// where it does not say what came from there.
    pub expected: Option<u64>,
    /// Whether what was sent last was sent so lately that a cache still holds it; `None` if nothing was.
    pub is_soon: Option<bool>,
}

/// What is known of the least that a model's cache keeps, and how many requests were smaller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Least {
    model: String,
    /// What is known of the model; 0 where nobody knows.
    told: u64,
    /// The fewest tokens that were ever read; 0 if none were yet.
    read: u64,
    /// The most that were expected and not read while they say nothing else.
    missed: u64,
    small: u64,
    asked: u64,
    /// Requests since the last one that read something, of which a warm cache would surely have read some.
    cold: u64,
    /// Requests that came after another one, and how many of them too late for a cache, whatever its model; the latest weigh
    /// most.
    rhythm: [u64; 2],
}

/// After so many of these in a row a cache is taken for none.
const NONE_AFTER: u64 = 3;

/// When so many requests make the rhythm, each counts half from then on.
const MOST_OF_RHYTHM: u64 = 32;

/// Requests that are taken to have come soon, beside those that did.
const EXPECTED_SOON: u64 = 4;

impl Least {
    /// What was known of a model's server, as [`Least::figures`] told it.
    pub fn restored(model: String, figures: [u64; 8]) -> Self {
        let [told, read, missed, small, asked, cold, all, late] = figures;
        Self { model, told, read, missed, small, asked, cold, rhythm: [all, late] }
    }

    /// What is known as numbers, for the ledger: told, read, missed, small, asked, cold, and the requests of the rhythm,
    /// all and late.
    pub fn figures(&self) -> [u64; 8] {
        let Self { told, read, missed, small, asked, cold, rhythm: [all, late], .. } = *self;
        [told, read, missed, small, asked, cold, all, late]
    }

    /// The model that it is known of.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether it is known that it keeps anything.
    pub fn is_known(&self) -> bool {
        self.told > 0 || self.read > 0
    }

    /// The least that it keeps; 0 where nobody knows.
    pub fn tokens(&self) -> u64 {
        let least = match (self.told, self.missed) {
            (0, 0) => 0,
            (0, missed) => LEASTS.into_iter().find(|one| *one > missed).unwrap_or(MOST),
            (told, _) => told,
        };
        if self.read > 0 { least.min(self.read) } else { least }
    }

    /// The least that a model's cache keeps, of which its provider tells so much: what was learned of it where it is this
    /// model.
    pub fn of(&self, model: &str, told: u64) -> u64 {
        if self.model == model { Self { told, ..self.clone() }.tokens() } else { told }
    }

    /// The least that a model's cache keeps, of which its provider tells so much; 0 where it is not known to keep
    /// anything, or did not lately.
    pub fn sure(&self, model: &str, told: u64) -> u64 {
        if self.model != model {
            return told;
        }
        let own = Self { told, ..self.clone() };
        if own.is_known() && own.cold < NONE_AFTER { own.tokens() } else { 0 }
    }

    /// Of a hundred requests of the person, about how many come so late that a cache has forgotten what it held, in steps.
    pub fn late_percent(&self) -> u64 {
        /// Steps, so that the figure is seldom another.
        const STEP: u64 = 10;
        let [all, late] = self.rhythm;
        late.saturating_mul(100) / all.saturating_add(EXPECTED_SOON) / STEP * STEP
    }

    /// Of how many requests, how many were smaller and read nothing.
    pub fn small(&self) -> (u64, u64) {
        (self.small, self.asked)
    }

    /// A model's server has answered a request. Returns whether its cache should have held the beginning and did not, so that
    /// it would have held no longer one either.
    pub fn learn(&mut self, model: &str, told: u64, looked: &Looked) -> bool {
        if self.model != model {
            *self = Self { model: model.to_owned(), rhythm: self.rhythm, ..Self::default() };
        }
        self.told = told;
        let Looked { prompt, read, expected, is_soon } = *looked;
        self.keep_time(is_soon);
        // Who says nothing of so long a prompt has no cache, or none that is known of.
        let says_nothing = expected.is_none() && is_soon == Some(true) && prompt >= self.surely();
        let expected = expected.filter(|expected| *expected >= TELLS);
        let is_cold = expected.is_some_and(|expected| read == 0 && expected >= self.surely());
        if expected.is_some() && read > 0 {
            self.read = if self.read == 0 { read } else { self.read.min(read) };
        }
        self.cold = match read {
            0 => self.cold.saturating_add((is_cold || says_nothing).into()),
            _ => 0,
        };
        let is_short = expected.filter(|_| read == 0 && !is_cold);
        self.missed = self.missed.max(is_short.unwrap_or(0));
        self.asked = self.asked.saturating_add(1);
        let is_small = read == 0 && (is_short.is_some() || prompt < self.tokens());
        self.small = self.small.saturating_add(is_small.into());
        is_cold
    }

    fn keep_time(&mut self, is_soon: Option<bool>) {
        let Some(is_soon) = is_soon else { return };
        if self.rhythm[0] >= MOST_OF_RHYTHM {
            self.rhythm = self.rhythm.map(|requests| requests / 2);
        }
        self.rhythm[0] += 1;
        self.rhythm[1] += u64::from(!is_soon);
    }

    /// Tokens of which a warm cache surely reads some.
    fn surely(&self) -> u64 {
        let told = if self.told > 0 { self.told } else { MOST };
        // What is expected is our own count as far as its words go.
        let told = told.saturating_add(told / 8);
        if self.read > 0 { told.min(self.read) } else { told }
    }
}

/// Windows that are too small at least before that is worth a word.
const SEVERAL: u64 = 5;

/// Whether so many of all windows are worth a word: the first ones of a session are always small.
pub fn is_often(small: u64, asked: u64) -> bool {
    small >= SEVERAL && small.saturating_mul(4) >= asked
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to requests of which so many tokens were expected and so many read.
    fn after(told: u64, all: &[(u64, u64)]) -> (Least, Vec<bool>) {
        let mut least = Least::default();
        let looked = |(expected, read): (u64, u64)| Looked {
            prompt: expected + 50,
            read,
            expected: Some(expected),
            is_soon: Some(true),
        };
        let cold = all.iter().map(|one| least.learn("m", told, &looked(*one))).collect();
        (least, cold)
    }

    #[test]
    fn a_miss_below_the_least_tells_nothing_of_a_longer_history() {
        // A window that nobody knows the least of, and that never reaches it.
        let (least, cold) = after(0, &[(1_500, 0), (2_800, 0), (1_400, 0), (2_700, 0)]);
        assert_eq!((least.tokens(), cold), (4_096, vec![false; 4]));
        assert_eq!(least.small(), (4, 4));
        // What is read shows what was too short.
        let (least, cold) = after(0, &[(1_500, 0), (2_000, 0), (2_200, 2_176), (1_700, 0)]);
        assert_eq!((least.tokens(), cold), (2_048, vec![false; 4]));
        let (least, cold) = after(4_096, &[(3_900, 0), (4_100, 4_096), (1_400, 0)]);
        assert_eq!((least.tokens(), cold), (4_096, vec![false; 3]));
    }

    #[test]
    fn a_miss_of_what_it_keeps_is_a_cold_cache() {
        for (told, all) in [
            (0, [(2_000, 1_920), (2_500, 0)]),
            (0, [(1_500, 0), (4_608, 0)]),
            (1_024, [(1_100, 0), (1_200, 0)]),
            (4_096, [(4_607, 0), (4_608, 0)]),
        ] {
            let (_, cold) = after(told, &all);
            assert_eq!(cold, [false, true], "{told} {all:?}");
        }
        // A server goes before what is known of it.
        let (least, cold) = after(4_096, &[(2_000, 1_920), (2_500, 0)]);
        assert_eq!((least.tokens(), cold), (1_920, vec![false, true]));
    }

    #[test]
    fn only_a_cache_that_is_known_to_keep_something_keeps_it_surely() {
        let sure = |told, all: &[_]| after(told, all).0.sure("m", told);
        assert_eq!(sure(0, &[(2_000, 0), (3_000, 0)]), 0, "perhaps it has none");
        assert_eq!(sure(0, &[(2_000, 0), (3_000, 2_944)]), 2_048);
        assert_eq!(sure(4_096, &[(3_000, 0); 9]), 4_096);
        assert_eq!(sure(4_096, &[(5_000, 0); 2]), 4_096, "it may have been cold");
        assert_eq!(sure(4_096, &[(5_000, 0); 3]), 0);
        let again = [(5_000, 0), (5_000, 0), (5_000, 0), (5_000, 4_096)];
        assert_eq!(sure(4_096, &again), 4_096);
        assert_eq!(after(4_096, &[(5_000, 0); 3]).0.sure("n", 1_024), 1_024);
    }

    #[test]
    fn who_never_tells_of_a_cache_for_long_prompts_has_none() {
        let mut least = Least::default();
        let mut ask = |prompt, is_soon| {
            let looked = Looked { prompt, is_soon, ..Looked::default() };
            assert!(!least.learn("m", 4_096, &looked));
            least.sure("m", 4_096)
        };
        // Short ones, and one after a pause, would say nothing in any case.
        for (prompt, is_soon) in [(9_000, None), (3_000, Some(true)), (9_000, Some(false))] {
            assert_eq!(
                [ask(prompt, is_soon), ask(prompt, is_soon), ask(prompt, is_soon)],
                [4_096; 3]
            );
        }
        let told = [ask(5_000, Some(true)), ask(5_000, Some(true)), ask(5_000, Some(true))];
        assert_eq!(told, [4_096, 4_096, 0]);
    }

    #[test]
    fn the_rhythm_of_a_person_is_known_whatever_the_model() {
        let mut least = Least::default();
        let mut ask = |model, is_soon, times| {
            let looked = Looked { prompt: 2_000, is_soon, ..Looked::default() };
            for _ in 0..times {
                least.learn(model, 4_096, &looked);
            }
            least.late_percent()
        };
        assert_eq!(
            [ask("m", None, 9), ask("m", Some(true), 30), ask("m", Some(false), 1)],
            [0, 0, 0]
        );
        assert_eq!(ask("n", Some(false), 20), 40, "they weigh more than those before");
        assert_eq!(ask("n", Some(false), 80), 70, "the latest weigh most");
        assert_eq!(ask("n", Some(true), 80), 0);
        assert_eq!(Least::restored("n".into(), least.figures()), least);
    }

    #[test]
    fn another_model_has_another_least() {
        let (mut least, _) = after(0, &[(2_800, 0)]);
        assert_eq!((least.of("m", 0), least.of("n", 0), least.of("n", 1_024)), (4_096, 0, 1_024));
        let silent = Looked { prompt: 2_000, ..Looked::default() };
        assert!(!least.learn("n", 4_096, &silent));
        assert_eq!((least.model(), least.small(), least.tokens()), ("n", (1, 1), 4_096));
        assert_eq!(Least::restored("n".into(), least.figures()), least);
    }
}
