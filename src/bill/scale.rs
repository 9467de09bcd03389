//! How a server counts beside us: the system prompt and the tools otherwise than words, and something for each message.

use super::Said;

/// Times that a server may count as more or fewer tokens than we do: counts that are further apart are of something
/// else.
const APART: u64 = 3;

/// Tokens of words by which two prompts differ at least that tell how words are counted.
const TELLS: f64 = 200.0;

/// The most tokens that a server adds to a message.
const MOST_ADDED: f64 = 32.0;

/// How sure it is, before anything is seen, that words count as they do here and that nothing is added to a message: servers
/// differ by a fifth of the one and by four tokens of the other, and a single prompt by five tokens from what they say of it.
const SURE: [f64; 2] = [25.0 / 0.04, 25.0 / 16.0];

/// What the prompts of a model show of how its server counts. Tools above all are far more or fewer tokens there than here;
/// were they counted like words, what is said once would seem to be. Were what a template adds to each message, what is said
/// at length would seem to be more than it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scale {
    model: String,
    /// Tokens of the system prompt and the tools, by our count.
    fixed: u64,
    /// Prompts that were counted.
    prompts: u64,
    /// Sums over them of words, messages and what the server counted.
    sums: [u64; 3],
    /// The same of products: words by words, words by messages, messages by messages.
    squares: [u64; 3],
    /// Of what the server counted: by words, by messages.
    products: [u64; 2],
}

/// A prompt as it is counted here and there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Tokens of the system prompt and the tools, by our count.
    pub fixed: u64,
    /// Tokens of all that stands behind them, by our count.
    pub words: u64,
    /// Messages in which those stand.
    pub messages: u64,
    /// Tokens of the whole, by that of the server.
    pub theirs: u64,
}

impl Counted {
    fn ours(&self) -> u64 {
        self.fixed.saturating_add(self.words)
    }

    /// Whether both counted the same.
    fn is_alike(&self) -> bool {
        are_like(self.theirs, self.ours())
    }
}

/// How a server counts.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Times that it counts words.
    words: f64,
    /// Tokens that it adds to each message.
    added: f64,
    /// Tokens of the system prompt and the tools.
    fixed: f64,
}

impl Way {
    /// So many tokens of words in a message, if there are any.
    fn message(self, tokens: u64) -> u64 {
        if tokens == 0 { 0 } else { whole(tokens as f64 * self.words + self.added) }
    }
}

impl Scale {
    /// What was known of a model's server, as [`Scale::figures`] told it.
    pub fn restored(model: String, figures: [[u64; 3]; 4]) -> Self {
        let [[fixed, prompts, _], sums, squares, [words, messages, _]] = figures;
        Self { model, fixed, prompts, sums, squares, products: [words, messages] }
    }

    /// The sums as numbers, in the order of their names.
    pub fn figures(&self) -> [[u64; 3]; 4] {
        let [words, messages] = self.products;
        [[self.fixed, self.prompts, 0], self.sums, self.squares, [words, messages, 0]]
    }

    /// A model's server has counted a prompt.
    pub fn learn(&mut self, model: &str, counted: Counted) {
        let Counted { fixed, words, messages, theirs } = counted;
        if self.model != model || self.fixed != fixed {
            *self = Self { model: model.to_owned(), fixed, ..Self::default() };
        }
        if !counted.is_alike() {
            return;
        }
        let add = |sum: &mut u64, one: u64, other: u64| {
            *sum = sum.saturating_add(one.saturating_mul(other));
        };
        self.prompts += 1;
        let all = [words, messages, theirs];
        self.sums.iter_mut().zip(all).for_each(|(sum, one)| add(sum, one, 1));
        let pairs = [(words, words), (words, messages), (messages, messages)];
        self.squares.iter_mut().zip(pairs).for_each(|(sum, (one, other))| add(sum, one, other));
        self.products.iter_mut().zip(all).for_each(|(sum, one)| add(sum, one, theirs));
    }

    /// Times that the model's server counts a prompt as we do, on the average; 1 where nobody knows.
    pub fn ratio(&self, model: &str) -> f64 {
        let [words, _, theirs] = self.sums;
        let ours = self.fixed.saturating_mul(self.prompts).saturating_add(words);
        if self.model == model && ours > 0 { theirs as f64 / ours as f64 } else { 1.0 }
    }

    /// What a turn said, in the tokens of the server that counted its last prompt so: what others would have paid is to be
    /// told in the tokens of what was paid.
    #[must_use]
    pub fn of(&self, said: Said, counted: Counted) -> Said {
        if self.prompts == 0 || !counted.is_alike() {
            return said;
        }
        let way = self.way(counted);
        let Said { user, looked_up, reply, .. } = said;
        let [user, looked_up, reply] = [user, looked_up, reply].map(|tokens| way.message(tokens));
        Said { user, looked_up, reply, fixed: whole(way.fixed).min(counted.theirs), ..said }
    }

    /// How the server counts. Prompts of different length tell it; of those with many words that are all alike nobody knows
    /// what of them is what.
    fn way(&self, counted: Counted) -> Way {
        let prompts = self.prompts.max(1) as f64;
        let [words, messages, theirs] = self.sums.map(|sum| sum as f64 / prompts);
        let [of_words, of_both, of_messages] = self.squares_about();
        if of_words < TELLS * TELLS / 2.0 && words > TELLS {
            let words = counted.theirs as f64 / counted.ours().max(1) as f64;
            return Way { words, added: 0.0, fixed: counted.fixed as f64 * words };
        }
        let [by_words, by_messages] = self.more();
        let (sure, sure_added) = (of_words + SURE[0], of_messages + SURE[1]);
        let added = (by_messages * sure - by_words * of_both)
            / (sure * sure_added - of_both * of_both).max(1.0);
        let added = added.clamp(0.0, MOST_ADDED);
        let more = (by_words - added * of_both) / sure;
        let apart = APART as f64;
        let ratio = (1.0 + more).clamp(1.0 / apart, apart);
        Way { words: ratio, added, fixed: (theirs - ratio * words - added * messages).max(0.0) }
    }

    /// The sums of the squares about their means.
    fn squares_about(&self) -> [f64; 3] {
        let [words, messages, _] = self.sums;
        let [of_words, of_both, of_messages] = self.squares;
        [(of_words, words, words), (of_both, words, messages), (of_messages, messages, messages)]
            .map(|(square, one, other)| self.about(square, one, other))
    }

    /// The same of words and of messages by what the server counted beyond the words.
    fn more(&self) -> [f64; 2] {
        let [words, messages, theirs] = self.sums;
        let [of_words, of_both, _] = self.squares_about();
        let [by_words, by_messages] = self.products;
        [
            self.about(by_words, words, theirs) - of_words,
            self.about(by_messages, messages, theirs) - of_both,
        ]
    }

    /// A sum of products about the means of both.
    fn about(&self, products: u64, one: u64, other: u64) -> f64 {
        let prompts = i128::from(self.prompts.max(1));
        let about = i128::from(products) * prompts - i128::from(one) * i128::from(other);
        about as f64 / prompts as f64
    }
}

fn are_like(one: u64, other: u64) -> bool {
    one <= other.saturating_mul(APART) && other <= one.saturating_mul(APART)
}

fn whole(tokens: f64) -> u64 {
    tokens.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: u64 = 1_400;

    /// A prompt to a server that counts tools `tools` times and words `words` times as we do, in hundredths.
    fn counted(words: u64, [of_tools, of_words]: [u64; 2]) -> Counted {
        let theirs = (FIXED * of_tools + words * of_words) / 100;
        Counted { fixed: FIXED, words, messages: 0, theirs }
    }

    #[test]
    fn tools_and_words_are_scaled_apart() {
        let said = Said { user: 100, reply: 300, fixed: FIXED, ..Said::default() };
        for ratios in [[200, 100], [50, 100], [100, 130], [210, 80], [100, 100]] {
            let mut scale = Scale::default();
            for words in [100, 500, 2_000, 9_000] {
                let counted = counted(words, ratios);
                scale.learn("m", counted);
                let told = scale.of(said, counted);
                let [fixed, user, reply] =
                    [FIXED * ratios[0], 100 * ratios[1], 300 * ratios[1]].map(|all| all / 100);
                // Of the first prompt alone its few words are taken to count as they do here.
                let off = if words == 100 { 30 } else { 1 };
                assert!(told.fixed.abs_diff(fixed) <= off, "{ratios:?} {words}: {told:?}");
                assert!(words == 100 || told.user.abs_diff(user) <= 1, "{ratios:?} {told:?}");
                assert!(words == 100 || told.reply.abs_diff(reply) <= 1, "{ratios:?} {told:?}");
            }
        }
    }

    #[test]
    fn a_prompt_is_so_many_times_as_large_there() {
        let mut scale = Scale::default();
        assert!((scale.ratio("m") - 1.0).abs() < f64::EPSILON);
        for words in [1_400, 2_800] {
            scale.learn("m", counted(words, [200, 100]));
        }
        let expected = (2.0 * FIXED as f64 + 2_100.0) / (FIXED as f64 + 2_100.0);
        assert!((scale.ratio("m") - expected).abs() < 0.01, "{}", scale.ratio("m"));
        assert!((scale.ratio("n") - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_session_that_goes_on_learns_from_its_second_prompt() {
        let said = Said { user: 100, fixed: FIXED, ..Said::default() };
        let mut scale = Scale::default();
        let first = counted(5_000, [200, 100]);
        scale.learn("m", first);
        // Nobody knows yet what of it is what.
        let told = scale.of(said, first);
        assert_eq!((told.fixed, told.user), (FIXED * 7_800 / 6_400, 122));
        let second = counted(5_400, [200, 100]);
        scale.learn("m", second);
        assert_eq!(scale.of(said, second), Said { fixed: 2 * FIXED, ..said });
        // Another model's server counts otherwise.
        let other = counted(150, [100, 100]);
        scale.learn("n", other);
        assert_eq!(scale.of(said, other), said);
    }

    #[test]
    fn counts_that_are_far_apart_are_of_something_else() {
        let said = Said { user: 100, reply: 300, fixed: FIXED, ..Said::default() };
        let mut scale = Scale::default();
        let odd = Counted { fixed: FIXED, words: 5_000, messages: 0, theirs: 100_000 };
        scale.learn("m", odd);
        assert_eq!(scale.of(said, odd), said);
        assert_eq!(Scale::default().of(said, Counted::default()), said);
    }

    /// Turns of short messages to a server that adds so many tokens to each, with a long one beside them at times; of what is
    /// said the window holds the newest messages.
    fn of_short_messages(added: u64, long: u64) -> (Scale, Counted) {
        let (mut scale, mut last) = (Scale::default(), Counted::default());
        for turn in 0..40 {
            let messages = 1 + 2 * (turn % 13);
            // Some have a word more than others.
            let words = messages * 5 + turn % 3 + if turn % 10 == 9 { long } else { 0 };
            let theirs = FIXED + words + messages * added;
            last = Counted { fixed: FIXED, words, messages, theirs };
            scale.learn("m", last);
        }
        (scale, last)
    }

    #[test]
    fn what_is_added_to_each_message_makes_no_word_of_a_long_one() {
        let said = Said { user: 7_000, reply: 5, fixed: FIXED, ..Said::default() };
        for added in [0, 3, 4, 8] {
            for (long, off) in [(300, 1), (0, 10)] {
                let (scale, last) = of_short_messages(added, long);
                let told = scale.of(said, last);
                // Where no message was ever long, it is all but taken for a template's.
                assert!(told.user.abs_diff(7_000 + added) <= 70 * off, "{added} {long}: {told:?}");
                assert!(told.reply.abs_diff(5 + added) <= 1, "{added} {long}: {told:?}");
                assert!(told.fixed.abs_diff(FIXED) <= 8, "{added} {long}: {told:?}");
            }
        }
        // A server that counts as we do is taken at its word.
        let (scale, last) = of_short_messages(0, 0);
        assert_eq!(scale.of(said, last), said);
        assert_eq!(Scale::restored("m".into(), scale.figures()), scale);
    }
}
