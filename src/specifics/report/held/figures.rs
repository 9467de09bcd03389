//! Whether a summary holds a figure that it writes in signs of its own, or turns round: `2³¹−1`, `60×120`, `from 12 to 7`.

use super::super::form::is_digits;
use super::super::text::{holds_word, is_letter, words};
use super::Held;
use crate::specifics::unit;

impl Held {
    /// Whether it tells a change the other way round: `from 12 to 7` for `7 to 12`,
    /// `8 workers decreased to 5` for `5 to 8 workers`.
    pub(super) fn turns_back(&self, said: &str) -> bool {
        let Some((old, new)) = said.split_once(" to ") else { return false };
        let new = new.split(' ').next().unwrap_or_default();
        let is_change = is_digits(old) && is_digits(new) && old != new;
        is_change && self.tells_change(new, old) && !self.tells_change(old, new)
    }

    /// Whether it names what changes apart from how it does: `workers increased from 5 to 8` for `5 to 8 workers`.
    pub(super) fn tells_change_of(&self, said: &str) -> bool {
        let Some((old, (new, noun))) =
            said.split_once(" to ").and_then(|(old, rest)| Some((old, rest.split_once(' ')?)))
        else {
            return false;
        };
        is_digits(old) && is_digits(new) && self.says(noun) && self.tells_change(old, new)
    }

    /// Whether it says that one figure became another one.
    fn tells_change(&self, old: &str, new: &str) -> bool {
        const LINKS: [&str; 5] = [" to ", "→", "->", " auf ", " à "];
        /// Bytes between both, at most.
        const MOST: usize = 40;
        self.text.match_indices(old).any(|(at, _)| {
            let rest = &self.text[at + old.len()..];
            let next = rest.find(|c: char| c.is_ascii_digit()).filter(|next| *next <= MOST);
            let is_whole = !self.text[..at].ends_with(|c: char| is_letter(c) || ".,".contains(c));
            next.filter(|_| is_whole).is_some_and(|next| {
                let (between, behind) = rest.split_at(next);
                let goes_on =
                    behind.strip_prefix(new).is_some_and(|rest| !rest.starts_with(is_letter));
                // Nothing but its own noun and a verb stands between.
                let is_one = !between.contains(['.', ',', ';', ':', '(', ')']);
                let is_linked = LINKS.iter().any(|link| between.trim_end().ends_with(link.trim()));
                let is_apart = between.starts_with([' ', '→', '-']);
                goes_on && is_one && is_linked && is_apart
            })
        })
    }

    /// Whether it has the two sides of something the other way round: `1080x1920` for `1920x1080`.
    pub(super) fn swaps(&self, said: &str) -> bool {
        const TIMES: [&str; 5] = ["x", "×", " x ", " × ", " by "];
        let sides = |sign: &&str| said.split_once(*sign);
        let Some((width, height)) = TIMES.iter().rev().find_map(sides) else {
            return false;
        };
        is_digits(width)
            && is_digits(height)
            && width != height
            && TIMES.iter().any(|sign| self.says(&format!("{height}{sign}{width}")))
            && !TIMES.iter().any(|sign| self.says(&format!("{width}{sign}{height}")))
    }

    /// Whether it writes a power with raised digits: `2³¹−1` for `2^31 - 1`.
    pub(super) fn tells_power(&self, said: &str) -> bool {
        const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let plain = |text: &str| -> String {
            let mut plain = String::with_capacity(text.len());
            let mut is_raised = false;
            for sign in text.chars().filter(|sign| !sign.is_whitespace()) {
                let digit = RAISED.iter().position(|raised| *raised == sign);
                if digit.is_some() && !is_raised {
                    plain.push('^');
                }
                is_raised = digit.is_some();
                let digit = digit.and_then(|digit| char::from_digit(digit as u32, 10));
                plain.push(digit.unwrap_or(if sign == '−' { '-' } else { sign }));
            }
            plain
        };
        // Without spaces: what stands in front may be a word, but no figure behind.
        let (text, said) = (plain(&self.text), plain(said));
        text.match_indices(&said).any(|(at, _)| {
            let digit = |c: char| c.is_ascii_digit();
            !text[..at].ends_with(digit) && !text[at + said.len()..].starts_with(digit)
        })
    }

    /// Whether it tells whole hours with their minutes: `10h00` for `10 h`.
    pub(super) fn says_hour(&self, said: &str) -> bool {
        let hour = said.strip_suffix(['h']).map(str::trim_end).filter(|hour| is_digits(hour));
        hour.is_some_and(|hour| {
            ["h00", " h 00"].iter().any(|end| self.says(&format!("{hour}{end}")))
        })
    }

    /// Whether it tells the two sides of something without their unit: `60×120` for `60 x 120 cm`.
    pub(super) fn tells_sides(&self, said: &str) -> bool {
        const TIMES: [&str; 5] = [" x ", " × ", "x", "×", " by "];
        let sides = |sign: &&str| said.split_once(*sign);
        let Some((width, rest)) = TIMES.iter().find_map(sides) else { return false };
        let Some((height, unit)) = rest.split_once(' ') else { return false };
        // Behind it the same unit may stand, but no other one.
        let apart = |before: &str, after: &str| {
            let word = words(after.strip_prefix(' ').unwrap_or_default()).next();
            let is_other = after.starts_with(' ')
                && word.is_some_and(|word| word != unit && unit::canonical(word).is_some());
            !is_other && !before.ends_with(['.', ',']) && !after.starts_with(['x', '×'])
        };
        is_digits(width)
            && is_digits(height)
            && unit::is_of_length(unit)
            && TIMES
                .iter()
                .any(|sign| holds_word(&self.text, &format!("{width}{sign}{height}"), apart))
    }

    /// Whether it counts as many of something whose name begins with the letter that stands for how many there are: `20
    /// multiple imputations` for `m = 20`.
    pub(super) fn tells_initial(&self, text: &str) -> bool {
        const FEWEST: f64 = 10.0;
        let Some((letter, figure)) = text.split_once(" = ") else { return false };
        let figure = figure.parse().ok().filter(|figure: &f64| *figure >= FEWEST);
        letter.len() == 1
            && letter.chars().all(char::is_alphabetic)
            && figure.is_some_and(|figure| {
                self.amounts.iter().any(|said| said.counts_initial(letter, figure))
            })
    }
}
