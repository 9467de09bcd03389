//! Figures that were said again since a compaction, in sentences of which they are no details: `Again: it stays at 64`.

use std::collections::BTreeSet;

use super::{Forms, form};
use crate::specifics::{Kind, Report, Specific};

/// Bytes of what was said that are looked through.
const MOST: usize = 1 << 20;

/// Adds what was said to the sentences with figures that are known.
pub(super) fn add(since: &mut String, text: &str) {
    for sentence in text.split(['\n', ';']).flat_map(|line| line.split(". ")) {
        if since.len() + sentence.len() < MOST && figures(sentence).next().is_some() {
            since.extend([sentence, "\n"]);
        }
    }
}

/// The numbers and days of a list that are said in one of those sentences.
pub(super) fn figures_said(list: &[Specific], since: &str) -> Forms {
    let is_figure = |one: &&Specific| matches!(one.kind, Kind::Date | Kind::Number);
    let list: Vec<Specific> = list.iter().filter(is_figure).cloned().collect();
    let wanted: BTreeSet<&str> = list.iter().flat_map(|one| figures(&one.text)).collect();
    let is_wanted = |sentence: &&str| figures(sentence).any(|figure| wanted.contains(figure));
    let said: Vec<&str> = since.lines().filter(is_wanted).collect();
    Report::of(&list, &said.join("\n")).kept.iter().map(form).collect()
}

/// The digits of a text that stand side by side.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|figure| !figure.is_empty())
}
