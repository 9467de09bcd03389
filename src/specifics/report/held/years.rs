//! Years, which count nothing: `in 2027 we have items`.

use std::borrow::Cow;

use crate::specifics::scan::word_before;
use crate::specifics::words::Words;

/// Words in front of a year.
static LEADS: Words = Words::new("bis by depuis during en im in jahr seit since until year");

/// Words behind one with which a clause begins.
static CLAUSE: Words = Words::new(
    "and he i it on nous she the there they we wir you and but est gibt haben ist und was will is",
);

/// A text with a sign in the place of each year behind which nothing stands that could be counted.
pub(super) fn without_years(text: &str) -> Cow<'_, str> {
    const DIGITS: usize = 4;
    let is_digit = |c: char| c.is_ascii_digit();
    let is_year = |at: &usize| {
        let (lead, rest) = (&text[..*at], &text[*at..]);
        let length = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
        let behind = &rest[length..];
        let next = behind.trim_start().split(|c: char| !c.is_alphabetic()).next();
        let is_apart =
            behind.strip_prefix(['.', ',']).is_none_or(|rest| !rest.starts_with(is_digit));
        let ends = behind.is_empty() || behind.starts_with(['.', ',', ';', '!', '?', ')', '\n']);
        length == DIGITS
            && lead.ends_with(' ')
            && LEADS.hold_lower(word_before(text, *at))
            && (ends && is_apart
                || behind.starts_with(' ') && next.is_some_and(|next| CLAUSE.hold_lower(next)))
    };
    let begins = ["19", "20"].iter().flat_map(|century| text.match_indices(century));
    let mut years: Vec<usize> = begins.map(|(at, _)| at).filter(is_year).collect();
    if years.is_empty() {
        return text.into();
    }
    years.sort_unstable();
    let (mut told, mut at) = (String::with_capacity(text.len()), 0);
    for year in years {
        told.push_str(&text[at..year]);
        told.push('—');
        at = year + DIGITS;
    }
    told.push_str(&text[at..]);
    told.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_years_are_left_out() {
        for (text, told) in [
            ("In 2027 we have items, since 1999.", "In — we have items, since —."),
            (
                "in 2027 rows, by 2000,5 and 2027 items in all",
                "in 2027 rows, by 2000,5 and 2027 items in all",
            ),
            ("in 20270 and in2027.", "in 20270 and in2027."),
        ] {
            assert_eq!(without_years(text), told, "{text}");
        }
    }
}
