//! How a server counts beside us: the system prompt and the tools otherwise than words.

use super::Said;

/// Times that a server may count as more or fewer tokens than we do: counts that are further apart are of something
/// else.
const APART: u64 = 3;

/// Tokens of words by which two prompts differ at least that tell how words are counted.
const TELLS: u64 = 200;

/// What the prompts of a model show of how its server counts. Tools above all are far more or fewer tokens there than here;
/// were they counted like words, what is said once would seem to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scale {
    model: String,
    /// The prompts with the fewest and with the most words.
    least: Counted,
    most: Counted,
}

/// A prompt as it is counted here and there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Tokens of the system prompt and the tools, by our count.
    pub fixed: u64,
    /// Tokens of all that stands behind them, by our count.
    pub words: u64,
    /// Tokens of the whole, by that of the server.
    pub theirs: u64,
}

impl From<[u64; 3]> for Counted {
    fn from([fixed, words, theirs]: [u64; 3]) -> Self {
        Self { fixed, words, theirs }
    }
}

impl Counted {
    fn ours(&self) -> u64 {
        self.fixed.saturating_add(self.words)
    }
}

impl Scale {
    /// What was known of a model's server, as [`Scale::figures`] told it.
    pub fn restored(model: String, [least, most]: [[u64; 3]; 2]) -> Self {
        Self { model, least: least.into(), most: most.into() }
    }

    /// The two prompts as numbers, in the order of their names.
    pub fn figures(&self) -> [[u64; 3]; 2] {
        [self.least, self.most].map(|Counted { fixed, words, theirs }| [fixed, words, theirs])
    }

    /// A model's server has counted a prompt.
    pub fn learn(&mut self, model: &str, counted: Counted) {
        let is_known = self.model == model && self.least.fixed == counted.fixed;
        if !is_known {
            *self = Self { model: model.to_owned(), least: counted, most: counted };
        } else if counted.words < self.least.words {
            self.least = counted;
        } else if counted.words >= self.most.words {
            self.most = counted;
        }
    }

    /// What a turn said, in the tokens of the server that counted its last prompt so: what others would have paid is to be
    /// told in the tokens of what was paid.
    #[must_use]
    pub fn of(&self, said: Said, counted: Counted) -> Said {
        let Counted { words, theirs, .. } = counted;
        if theirs == counted.ours() || !are_like(theirs, counted.ours()) {
            return said;
        }
        let fixed = self.fixed(counted).min(theirs);
        let behind = theirs - fixed;
        // A template adds to few words as much as they are.
        let tells = words >= TELLS && are_like(behind, words);
        let scaled = |tokens| if tells { part(tokens, behind, words) } else { tokens };
        let Said { user, looked_up, reply, .. } = said;
        let [user, looked_up, reply] = [user, looked_up, reply].map(scaled);
        Said { user, looked_up, reply, fixed, ..said }
    }

    /// The server's tokens of the system prompt and the tools. Two prompts of different length tell them; of a single one
    /// with few words the rest are those, and of one with many nobody knows.
    fn fixed(&self, counted: Counted) -> u64 {
        let Self { least, most, .. } = *self;
        let (longer, dearer) =
            (most.words.saturating_sub(least.words), most.theirs.saturating_sub(least.theirs));
        let words = if longer >= TELLS {
            part(least.words, dearer, longer)
        } else if least.words <= TELLS {
            least.words
        } else {
            return part(counted.fixed, counted.theirs, counted.ours());
        };
        least.theirs.saturating_sub(words)
    }
}

fn are_like(one: u64, other: u64) -> bool {
    one <= other.saturating_mul(APART) && other <= one.saturating_mul(APART)
}

/// Such a part of some tokens.
fn part(tokens: u64, part: u64, whole: u64) -> u64 {
    let tokens = u128::from(tokens) * u128::from(part) + u128::from(whole / 2);
    u64::try_from(tokens / u128::from(whole.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: u64 = 1_400;

    /// A prompt to a server that counts tools `tools` times and words `words` times as we do, in hundredths.
    fn counted(words: u64, [of_tools, of_words]: [u64; 2]) -> Counted {
        let theirs = (FIXED * of_tools + words * of_words) / 100;
        Counted { fixed: FIXED, words, theirs }
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
        let odd = Counted { fixed: FIXED, words: 5_000, theirs: 100_000 };
        scale.learn("m", odd);
        assert_eq!(scale.of(said, odd), said);
        assert_eq!(Scale::default().of(said, Counted::default()), said);
    }
}
