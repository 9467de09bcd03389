//! The gauge's arithmetic: parts of a whole that always add up to it.

use crate::memory::Layer;

/// Shares out a total in the proportion of the parts. What rounding leaves over goes to the parts that
/// lost most by it, so that the shares add up.
pub(in crate::tui) fn scale(parts: &[(Layer, u64)], total: u64) -> Vec<(Layer, u64)> {
    let sum: u128 = parts.iter().map(|(_, part)| u128::from(*part)).sum();
    if sum == 0 {
        return Vec::new();
    }
    let exact = |part: u64| u128::from(part) * u128::from(total);
    let mut shares: Vec<(Layer, u64)> =
        parts.iter().map(|&(layer, part)| (layer, (exact(part) / sum) as u64)).collect();
    let given: u64 = shares.iter().map(|(_, share)| share).sum();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(exact(parts[at].1) % sum));
    for at in order.into_iter().take((total - given) as usize) {
        shares[at].1 += 1;
    }
    shares
}

/// Columns of the bar for each layer. A layer that holds anything gets at least one, as long as there
/// are enough.
pub(in crate::tui) fn columns(
    layers: &[(Layer, u64)],
    total: u64,
    budget: u64,
    width: usize,
) -> Vec<(Layer, usize)> {
    let used = position(total, budget, width).max(layers.len()).min(width);
    let mut columns: Vec<(Layer, usize)> = scale(layers, used as u64)
        .into_iter()
        .map(|(layer, columns)| (layer, columns as usize))
        .collect();
    while let Some(none) = columns.iter().position(|(_, count)| *count == 0) {
        let Some(most) = (0..columns.len()).max_by_key(|&at| columns[at].1) else { break };
        if columns[most].1 < 2 {
            break;
        }
        columns[most].1 -= 1;
        columns[none].1 += 1;
    }
    columns
}

/// Where an amount stands on a scale of so many columns, rounded and never beyond its end.
pub(in crate::tui) fn position(amount: u64, whole: u64, width: usize) -> usize {
    let whole = u128::from(whole.max(1));
    let at = (u128::from(amount) * width as u128 + whole / 2) / whole;
    at.min(width as u128) as usize
}

/// A share for people: `8 %`, `<1 %`.
pub(in crate::tui) fn percent(part: u64, whole: u64) -> String {
    let whole = u128::from(whole.max(1));
    let share = (u128::from(part) * 100 + whole / 2) / whole;
    if share == 0 && part > 0 { "<1 %".to_owned() } else { format!("{share} %") }
}

/// What is saved by sending a part instead of the whole, rounded down; `None` below one percent.
pub(in crate::tui) fn percent_saved(part: u64, whole: u64) -> Option<String> {
    let saved = u128::from(whole.checked_sub(part)?) * 100 / u128::from(whole.max(1));
    (saved > 0).then(|| format!("{saved} %"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(tokens: &[u64]) -> Vec<(Layer, u64)> {
        Layer::ALL.into_iter().zip(tokens.iter().copied()).collect()
    }

    proptest! {
        #[test]
        fn shares_add_up_and_differ_from_the_exact_ones_by_less_than_one(
            tokens in prop::collection::vec(1_u64..1_000_000, 1..8),
            total in 0_u64..10_000_000,
        ) {
            let parts = parts(&tokens);
            let shares = scale(&parts, total);
            prop_assert_eq!(shares.iter().map(|(_, share)| share).sum::<u64>(), total);
            let sum: u64 = tokens.iter().sum();
            for ((_, part), (_, share)) in parts.iter().zip(&shares) {
                let exact = *part as f64 * total as f64 / sum as f64;
                prop_assert!((exact - *share as f64).abs() < 1.0);
            }
        }

        #[test]
        fn the_bar_never_outgrows_its_width_and_leaves_no_layer_out(
            tokens in prop::collection::vec(1_u64..100_000, 1..8),
            width in 1_usize..200,
        ) {
            let total = tokens.iter().sum();
            let columns = columns(&parts(&tokens), total, 16_000, width);
            prop_assert!(columns.iter().map(|(_, count)| count).sum::<usize>() <= width);
            let shown = columns.iter().filter(|(_, count)| *count > 0).count();
            prop_assert_eq!(shown, tokens.len().min(width));
        }
    }

    #[test]
    fn percentages_are_honest_at_their_ends() {
        assert_eq!(percent(0, 16_000), "0 %");
        assert_eq!(percent(1, 16_000), "<1 %");
        assert_eq!(percent(1_234, 16_000), "8 %");
        assert_eq!(percent(5, 0), "500 %");
        assert_eq!(percent_saved(1, 1_000_000).as_deref(), Some("99 %"));
        assert_eq!(percent_saved(1_000, 1_000), None);
        assert_eq!(percent_saved(2_000, 1_000), None);
    }
}
