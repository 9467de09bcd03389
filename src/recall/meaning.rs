//! Nearness in meaning, as vectors of texts tell it, beside the ranking by words.
//!
//! How near unrelated texts are differs from model to model, and from question to question. So nothing is told by a
//! cosine itself, but by how far it stands above those of texts that have nothing to do with the question: some that
//! are always the same ([`BACKGROUND`]), and all the summaries of the session.

use super::said::{Hit, Passage, Place, Source};

/// How much nearness in meaning counts beside the words: so much of the best score by words.
pub const WEIGHT: f64 = 0.5;

/// What people say of all sorts of things: how near it is to a question tells what is no nearness.
pub const BACKGROUND: [&str; 16] = [
    "Thanks, that helps a lot!",
    "How are you today?",
    "What can you do for me?",
    "The weather is nice and the sun is shining.",
    "She took the train to the city on Monday.",
    "The committee will vote on the budget next week.",
    "He plays the guitar in a small band.",
    "The soup needs more salt and a little pepper.",
    "Our team lost the match in the last minute.",
    "The function returns an error if the file is missing.",
    "The cat sleeps on the sofa all day.",
    "They painted the kitchen in a light blue.",
    "The doctor told him to rest for two days.",
    "Prices rose by three percent last year.",
    "The museum opens at nine and closes at five.",
    "Please send me the report before the meeting.",
];

/// How far above the others a text stands that is as near as can be, in their spread.
const AS_NEAR_AS_CAN_BE: f64 = 4.0;

/// The least spread of cosines that is believed: few texts may happen to be equally near.
const LEAST_SPREAD: f64 = 0.04;

/// Efforts that join what was found although they share no word with the query.
const MOST_JOINING: usize = 5;

/// What is near to a query by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    middle: f64,
    spread: f64,
    texts: f64,
}

impl Noise {
    /// Of the cosines of texts most of which have nothing to do with the query: their median and their spread about
    /// it, which a few that are near do not change.
    pub fn of(cosines: &[f64]) -> Self {
        /// From the median deviation to the standard deviation, for what is spread normally.
        const TO_STANDARD: f64 = 1.4826;
        let middle = median(cosines.to_vec());
        let deviation = median(cosines.iter().map(|cosine| (cosine - middle).abs()).collect());
        let spread = (deviation * TO_STANDARD).max(LEAST_SPREAD);
        Self { middle, spread, texts: cosines.len().max(1) as f64 }
    }

    fn height(&self, cosine: f64) -> f64 {
        ((cosine - self.middle) / self.spread).max(0.0)
    }

    /// From 0, no nearer than any text, to 1.
    fn nearness(&self, cosine: f64) -> f64 {
        (self.height(cosine) / AS_NEAR_AS_CAN_BE).min(1.0)
    }

    /// How many of the texts would be as near by chance: an upper bound, by Chernoff. Cosines lie somewhat wider than
    /// what is spread normally: by `all-MiniLM-L6-v2` everyday questions come to a sixth of a text without the factor.
    fn chance(&self, cosine: f64) -> f64 {
        const WIDER: f64 = 5.0;
        WIDER * self.texts * (-self.height(cosine).powi(2) / 2.0).exp()
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

/// The cosine of two vectors of length 1; 0 if they cannot be compared.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// How near what was found, and what was not found by words, is to the query.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Passages of hits: the number of the hit, that of the passage in it, and the cosine.
    pub passages: Vec<(usize, usize, f64)>,
    /// Summaries of efforts, found or not, with their cosines.
    pub summaries: Vec<(String, f64)>,
    /// The cosines of [`BACKGROUND`].
    pub background: Vec<f64>,
}

/// Ranks what was found by words anew, by words and meaning together: score + [`WEIGHT`] × best score × nearness. A few
/// efforts join that stand out by their summaries alone.
pub fn weighed(mut hits: Vec<Hit>, compared: &Compared) -> Vec<Hit> {
    let others = compared.summaries.iter().map(|(_, cosine)| *cosine);
    let noise = Noise::of(&compared.background.iter().copied().chain(others).collect::<Vec<_>>());
    let best = |scores: &mut dyn Iterator<Item = f64>| scores.fold(0.0, f64::max);
    let best_hit = Some(best(&mut hits.iter().map(|hit| hit.score))).filter(|&best| best > 0.0);
    let passages = |hit: &Hit| best(&mut hit.passages.iter().map(|one| one.score));
    let best_passage = Some(best(&mut hits.iter().map(passages))).filter(|&best| best > 0.0);
    let worth = |best: Option<f64>, near: f64| WEIGHT * best.unwrap_or(1.0) * near;
    let mut nearest = vec![f64::NEG_INFINITY; hits.len()];
    for &(hit, passage, cosine) in &compared.passages {
        let found = hits.get_mut(hit).and_then(|hit| hit.passages.get_mut(passage));
        let Some(passage) = found else { continue };
        passage.score += worth(best_passage, noise.nearness(cosine));
        passage.meaning = Some(noise.chance(cosine));
        nearest[hit] = nearest[hit].max(cosine);
    }
    let mut joining = Vec::new();
    for (id, cosine) in &compared.summaries {
        let source = Source::Effort(id.clone());
        let Some(at) = hits.iter().position(|hit| hit.source == source) else {
            let near = noise.nearness(*cosine);
            let scores = [worth(best_hit, near), worth(best_passage, near)];
            joining.push(joined(source, scores, noise.chance(*cosine)));
            continue;
        };
        nearest[at] = nearest[at].max(*cosine);
    }
    for (hit, &cosine) in hits.iter_mut().zip(&nearest) {
        hit.score += worth(best_hit, noise.nearness(cosine));
        hit.passages.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    joining.retain(Hit::stands_out);
    joining.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    hits.extend(joining.into_iter().take(MOST_JOINING));
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits
}

/// An effort that shares no word with the query, by its summary.
fn joined(source: Source, [score, of_passage]: [f64; 2], chance: f64) -> Hit {
    let passages = vec![by_meaning(of_passage, chance)];
    Hit { source, score, chance, passages, later: Vec::new() }
}

/// A summary that holds no word of the query.
pub(super) fn by_meaning(score: f64, chance: f64) -> Passage {
    Passage { score, meaning: Some(chance), ..Passage::at(Place::Summary) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(id: &str, score: f64) -> Hit {
        let mut hit = joined(Source::Effort(id.to_owned()), [score, score], 1.0);
        hit.passages[0].meaning = None;
        hit.passages[0].words = vec!["word".into()];
        hit
    }

    fn compared(passages: &[f64], summaries: &[(&str, f64)]) -> Compared {
        let background = (0..16).map(|nth| 0.30 + f64::from(nth % 5) / 50.0).collect();
        let summaries = summaries.iter().map(|(id, cosine)| ((*id).to_owned(), *cosine)).collect();
        let passages = passages.iter().enumerate().map(|(hit, &cosine)| (hit, 0, cosine)).collect();
        Compared { passages, summaries, background }
    }

    fn ids(hits: &[Hit]) -> Vec<String> {
        hits.iter().map(|hit| hit.source.to_string()).collect()
    }

    #[test]
    fn what_is_near_comes_before_what_shares_about_as_many_words() {
        let hits = || vec![hit("a", 4.0), hit("b", 3.5), hit("c", 0.5)];
        assert_eq!(ids(&weighed(hits(), &compared(&[0.3, 0.7, 0.7], &[]))), ["b", "a", "c"]);
        assert_eq!(ids(&weighed(hits(), &compared(&[0.3, 0.32, 0.34], &[]))), ["a", "b", "c"]);
        assert_eq!(ids(&weighed(hits(), &Compared::default())), ["a", "b", "c"]);
    }

    #[test]
    fn a_summary_joins_only_if_it_stands_out_whatever_the_model_takes_for_far() {
        for far in [0.0, 0.3, 0.6] {
            let shift = |cosine: f64| cosine + far;
            let mut all = compared(&[], &[("near", 0.65), ("far", 0.36), ("farther", 0.29)]);
            all.background.iter_mut().for_each(|cosine| *cosine = shift(*cosine));
            all.summaries.iter_mut().for_each(|(_, cosine)| *cosine = shift(*cosine));
            let found = weighed(Vec::new(), &all);
            assert_eq!(ids(&found), ["near"], "{far}");
            assert!(found[0].passages[0].meaning.unwrap() < 0.01);
        }
        let none = compared(&[], &[("a", 0.36), ("b", 0.29)]);
        assert!(weighed(Vec::new(), &none).is_empty());
        // What everything is near to stands out from nothing.
        let alike: Vec<(String, f64)> = (0..60).map(|nth| (format!("e{nth}"), 0.65)).collect();
        assert!(weighed(Vec::new(), &Compared { summaries: alike, ..none }).is_empty());
    }

    #[test]
    fn vectors_that_cannot_be_compared_are_not_near() {
        let is = |a: &[f32], b: &[f32], expected: f64| (cosine(a, b) - expected).abs() < 1e-6;
        assert!(is(&[1.0, 0.0], &[0.6, 0.8], 0.6) && is(&[1.0, 0.0], &[1.0], 0.0));
    }
}
