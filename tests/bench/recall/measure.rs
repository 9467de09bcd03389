//! What a way of finding is worth: recall at 1, 3 and 5, and evidence in a given number of tokens.

use crate::fixture::Question;

/// What a way of finding answers to one question.
#[derive(Default)]
pub(crate) struct Answer {
    /// Ids, best first, each once.
    pub(crate) ids: Vec<String>,
    /// Texts, best first, each with its id.
    pub(crate) texts: Vec<(String, String)>,
}

/// Tokens in which evidence is looked for.
pub(crate) const BUDGETS: [usize; 3] = [500, 1_000, 2_000];

/// For one question: recall at 1, 3, 5; then, for each budget, whether the words of the answer are there.
pub(crate) type Figures = [f64; 6];

pub(crate) fn figures(
    question: &Question,
    answer: &Answer,
    count: &dyn Fn(&str) -> usize,
) -> Figures {
    let at = |most: usize| {
        let top = &answer.ids[..most.min(answer.ids.len())];
        let found = question.ids.iter().filter(|id| top.contains(id)).count();
        found as f64 / question.ids.len().min(most) as f64
    };
    let within = |budget: usize| {
        let mut left = budget;
        let mut said = |text: &str| {
            let tokens = count(text);
            let fits = tokens <= left;
            left -= if fits { tokens } else { 0 };
            fits && text.to_lowercase().contains(&question.answer)
        };
        let evidence = answer.texts.iter().filter(|(_, text)| said(text)).count();
        f64::from(u8::from(evidence > 0))
    };
    let [a, b, c] = BUDGETS.map(within);
    [at(1), at(3), at(5), a, b, c]
}

/// The mean of each figure, with the interval that holds it in 95 of 100 drawings with replacement.
pub(crate) fn table_row(name: &str, all: &[Figures]) -> String {
    let column = |at: usize| {
        let values: Vec<f64> = all.iter().map(|figures| figures[at]).collect();
        let (low, high) = interval(&values);
        format!(" {:.3} [{low:.2} {high:.2}]", mean(&values))
    };
    format!("{name:34}{}", [0, 1, 2, 3, 4, 5].map(column).concat())
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn interval(values: &[f64]) -> (f64, f64) {
    const DRAWINGS: usize = 1_000;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[(state % values.len() as u64) as usize]
    };
    let mut one = || mean(&(0..values.len()).map(|_| draw()).collect::<Vec<f64>>());
    let mut means: Vec<f64> = (0..DRAWINGS).map(|_| one()).collect();
    means.sort_by(f64::total_cmp);
    (means[DRAWINGS / 40], means[DRAWINGS - 1 - DRAWINGS / 40])
}
