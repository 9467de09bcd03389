//! Secrets among the values of a row: `INSERT INTO users (name, password) VALUES ('joe', 'secret')`.

use std::ops::Range;

use super::Line;
use crate::chunk::beginning;
use crate::specifics::secret::name::guards;
use crate::specifics::secret::value::{LONGEST, stands_for_one};

/// What stands in front of the values.
const VALUES: &str = "values";

/// Whether values may stand behind a word.
pub(super) fn may_lead(word: &str) -> bool {
    word.get(..VALUES.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(VALUES))
}

impl Line<'_> {
    /// Adds what stands in the places of those columns whose names are those of secrets.
    pub(super) fn find_inserted(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let place = self.words[nth].clone();
        let from = self.words[0].start.max(place.start.saturating_sub(LONGEST));
        let Some(lead) = self.text.get(from..place.start) else { return };
        let Some((_, columns)) =
            lead.trim_end().strip_suffix(')').and_then(|lead| lead.rsplit_once('('))
        else {
            return;
        };
        let is_secret =
            |name: &str| guards(name.trim().trim_matches(['`', '"', '[', ']'])).is_some();
        let secret: Vec<bool> = columns.split(',').map(is_secret).collect();
        if !secret.contains(&true) {
            return;
        }
        let start = place.start + VALUES.len();
        for (column, value) in values(beginning(&self.text[start..self.end], LONGEST)) {
            let value = start + value.start..start + value.end;
            if secret.get(column) == Some(&true) && !stands_for_one(&self.text[value.clone()]) {
                found.push(value);
            }
        }
    }
}

/// The texts of some rows in brackets, without their quotation marks, and in which column each stands.
fn values(rows: &str) -> Vec<(usize, Range<usize>)> {
    let (mut found, mut column, mut open, mut depth) = (Vec::new(), 0, None, 0_usize);
    for (at, sign) in rows.char_indices() {
        match (sign, open) {
            ('\'', None) => open = Some(at + 1),
            ('\'', Some(start)) => {
                // What a function is given stands in the column of its result: `crypt('secret', gen_salt('bf'))`.
                found.push((column, start..at));
                open = None;
            }
            ('(', None) => {
                depth += 1;
                column = if depth == 1 { 0 } else { column };
            }
            (')', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 1 => column += 1,
            (';', None) => break,
            _ => {}
        }
    }
    found
}
