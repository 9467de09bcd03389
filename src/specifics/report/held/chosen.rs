//! Whether a summary holds what was chosen in a few words.

use super::super::decision::wants;
use super::super::form::{chosen, chosen_figure, figure_instead, lettered};
use super::super::log::Log;
use super::super::text::{holds_word, is_letter, words};
use super::Held;
use crate::specifics::number::Amount;
use crate::specifics::{Kind, Specific, extract, named};

/// Words of a decision that settles little but the value that it names, at most.
const FEW: usize = 6;

/// A decision without what stands in its brackets, which only tells what it is about.
fn without_brackets(decision: &str) -> Option<String> {
    let (before, rest) = decision.split_once(" (")?;
    let (_, behind) = rest.split_once(')')?;
    Some(format!("{before}{behind}"))
}

impl Held {
    /// Whether it holds a decision in other words, with the letter that says which of several it means.
    pub(super) fn holds_decision(&self, text: &str, said: &str, log: &Log<'_>) -> bool {
        // A letter alone may mean it where no other one is named; `A` is an article.
        let is_told = |which: &str| {
            let (sort, letter) = which.rsplit_once(' ').unwrap_or_default();
            let names_other = || ('a'..='z').any(|other| self.says(&format!("{sort} {other}")));
            self.says(&which.to_lowercase())
                || letter != "A" && holds_word(&self.said, letter, |_, _| true) && !names_other()
        };
        if lettered(text).is_some_and(|which| !is_told(which)) {
            return false;
        }
        let bare = without_brackets(said);
        bare.is_some_and(|bare| self.holds_decision(&bare, &bare, log))
            || self.sentences.hold(text)
            || self.sentences.ban(text)
            || self.sentences.ban_in_a_phrase(text)
            || self.tells_choice(said)
            || self.holds_chosen(text, log)
            || chosen_figure(said).is_some_and(|figure| self.says(figure))
            || figure_instead(said)
                .is_some_and(|(refused, figure)| self.tells_instead(refused, figure))
            || chosen(said)
                .filter(|day| day.contains(char::is_alphabetic))
                .is_some_and(|day| self.holds_date(day))
    }

    /// Whether it says nothing of somebody or something by name that a decision wants: `use the method of Croot`.
    pub(super) fn lacks_wanted(&self, decision: &str, log: &Log<'_>) -> bool {
        let is_name = |one: &Specific| matches!(one.kind, Kind::Identifier | Kind::Name);
        let is_lost = |one: &Specific| wants(decision, &one.text) && !self.holds(one, log);
        named(decision).iter().any(|one| is_name(one) && is_lost(one))
    }

    /// Whether a statement tells a short figure as the value of something, or beside a word of what was too much.
    fn tells_instead(&self, refused: &str, figure: &str) -> bool {
        const LINKS: [&str; 16] = [
            "at", "had", "has", "have", "is", "keep", "now", "of", "run", "runs", "to", "use",
            "uses", "was", "with", "→",
        ];
        const LITTLE: [&str; 8] = ["few", "high", "large", "long", "many", "much", "small", "too"];
        let is_telling = |word: &&str| word.len() > 1 && *word != "is" && !LITTLE.contains(word);
        let about: Vec<&str> = words(refused).filter(is_telling).collect();
        self.statements.iter().any(|said| {
            let shares = || words(said).any(|word| about.contains(&word));
            // What goes on with no word counts nothing: `pool size 12`.
            let is_value = |before: &str, after: &str| {
                let bare = before.trim_end_matches([' ', '`', '*', '"']);
                let last = bare.rsplit(' ').next().unwrap_or_default();
                let counts =
                    after.strip_prefix(' ').is_some_and(|rest| rest.starts_with(is_letter));
                bare.is_empty() || bare.ends_with([':', '=']) || LINKS.contains(&last) || !counts
            };
            holds_word(said, figure, |before, after| is_value(before, after) || shares())
        })
    }

    /// Whether it tells in another unit what was chosen: `0.08 s` for `make it 80 ms`.
    fn tells_choice(&self, said: &str) -> bool {
        let meant = chosen(said).map(Amount::all_of).unwrap_or_default();
        matches!(&meant[..], [meant] if meant.is_measured() && self.tells(meant))
    }

    /// A release or a name with a number that a few words settle on, by that alone: `release as 2.11.0` for `let's ship as
    /// v2.11.0`.
    fn holds_chosen(&self, decision: &str, log: &Log<'_>) -> bool {
        if decision.split(' ').count() > FEW {
            return false;
        }
        let denies = |word: &str| {
            matches!(word, "kein" | "keine" | "never" | "nicht" | "no" | "not" | "pas" | "without")
                || word.ends_with("n't")
        };
        if decision.to_lowercase().split(' ').any(denies) {
            return false;
        }
        let all = extract([decision]);
        let mut named = all.iter().filter(|one| one.kind != Kind::Decision);
        let (one, other) = (named.next(), named.next());
        let is_telling = |text: &str| text.matches(|c: char| c.is_ascii_digit()).count() > 2;
        one.filter(|one| one.kind == Kind::Identifier && is_telling(&one.text) && other.is_none())
            .is_some_and(|one| self.holds(one, log))
    }
}
