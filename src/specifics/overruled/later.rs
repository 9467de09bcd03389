//! What the next message takes back: `retention 30 days`, answered by `hmm no, 90 days`.

mod choice;
mod subject;

use super::undone;
use crate::memory::stem;
use crate::specifics::words::Words;
use crate::specifics::{Kind, Specific, unit, worth};

/// What people say before they come to it.
static FILLERS: Words =
    Words::new("ach ah ähm also bah eh hm hmm ja oh ok okay oui sí uh um well yeah yes");

/// Words with which an answer says that something else holds.
static BEGINS: Words = Words::new(
    "actually anzi besser better correction eher finalement instead lieber mejor mieux nah nee nein no non nope plutôt rather \
     round scratch sorry wait",
);

/// How a figure is said to be enough.
const ENOUGH: [&str; 13] = [
    " are enough",
    " is enough",
    " is plenty",
    " suffices",
    " will do",
    " genügen",
    " genügt",
    " reichen",
    " reicht",
    " suffit",
    " es suficiente",
    " basta",
    " is genoeg",
];

/// How it is said in several words that something else holds, anywhere in the beginning of an answer.
const PHRASES: [&str; 17] = [
    "ask for ",
    "change to ",
    "drop to ",
    "go down to ",
    "go to ",
    "go up to ",
    "i said ",
    "increase to ",
    "lower to ",
    "make it ",
    "make that ",
    "raise to ",
    "reduce to ",
    "we agreed ",
    "we said ",
    "erst ab ",
    " instead",
];

/// Bytes within which it must be said.
const BEGINNING: usize = 160;

/// What stands in front of the time per which something is.
const PACES: [&str; 7] = ["a ", "an ", "each ", "im ", "par ", "per ", "pro "];

/// What begins a sentence that takes back what stands in front of it, behind the end of that.
const TURNS: [&str; 21] = [
    ". Actually ",
    ". Actually, ",
    ". Correction: ",
    ". Ditch ",
    ". Drop ",
    ". Forget ",
    ". No, ",
    ". No: ",
    ". Nein, ",
    ". Never mind ",
    ". No wait, ",
    ". No, wait, ",
    ". On second thought, ",
    ". Scrap ",
    ". Scratch that, ",
    ". Sorry, ",
    ". Wrong: ",
    ". Wait no, ",
    ". Wait, no, ",
    ". Wait. No, ",
    ". We changed our mind",
];

/// Which details of a message a later sentence of it takes back, that holds others of its own.
pub(in crate::specifics) fn overruled_within(text: &str, all: &[Specific]) -> Vec<Specific> {
    let turn = TURNS.iter().find_map(|turn| text.find(turn).map(|at| at + ". ".len()));
    let Some((lead, rest)) = turn.map(|at| text.split_at(at)) else {
        return renamed(text, all).into_iter().collect();
    };
    let is_later = |one: &&Specific| rest.contains(&one.text);
    let is_before = |one: &&Specific| lead.contains(&one.text) && !is_later(one);
    let before: Vec<Specific> = all.iter().filter(is_before).cloned().collect();
    let now: Vec<Specific> = all.iter().filter(is_later).cloned().collect();
    overruled(lead, &before, rest, &now).into_iter().cloned().collect()
}

/// Who somebody was before a later sentence says who it is now: `The owner is Joris. Now it's Samira`.
fn renamed(text: &str, all: &[Specific]) -> Option<Specific> {
    let (lead, rest) =
        text.split_once(". Now it's ").or_else(|| text.split_once(". Now it is "))?;
    let names = |part: &str| -> Vec<&Specific> {
        all.iter().filter(|one| one.kind == Kind::Name && part.contains(&one.text)).collect()
    };
    let (before, now) = (names(lead), names(rest));
    let ([before], [now]) = (&before[..], &now[..]) else { return None };
    let is_so = lead.ends_with(&format!(" is {}", before.text)) && rest.starts_with(&now.text);
    (is_so && before != now).then(|| (*before).clone())
}

/// The figures from which and to which an answer says that what it names is changed: `raise the attempts from 7 to 12`.
fn changed(answer: &str) -> Option<(String, &str)> {
    const LINKS: [(&str, &str); 3] = [(" from ", " to "), (" von ", " auf "), (" de ", " à ")];
    LINKS.iter().find_map(|(from, to)| {
        let (lead, rest) = answer.split_once(from)?;
        let (old, new) = rest.split_once(to)?;
        let is_figure = |said: &str| said.starts_with(|c: char| c.is_ascii_digit());
        let named = lead.rsplit(|c: char| !c.is_alphanumeric()).next()?;
        let is_old = is_figure(old) && !old.contains([' ', ',']);
        (is_old && is_figure(new) && named.len() > 2).then(|| (stem(&named.to_lowercase()), old))
    })
}

/// Whether a number is so many of something: `7 attempts`.
fn is_count_of(one: &Specific, (thing, figure): &(String, &str)) -> bool {
    let rest = one.text.strip_prefix(figure).and_then(|rest| rest.strip_prefix(' '));
    one.kind == Kind::Number && rest.is_some_and(|rest| stem(&rest.to_lowercase()) == *thing)
}

/// Words of an answer that is nothing but another figure, at most.
const SHORT: usize = 8;

/// Which of some details of the messages before it an answer takes back, that holds others of its own. What it says them of
/// has to be what `lead`, in which they stand, did.
pub(in crate::specifics) fn overruled<'a>(
    lead: &str,
    before: &'a [Specific],
    answer: &str,
    now: &[Specific],
) -> Vec<&'a Specific> {
    let undone = choice::undone(lead, before, answer);
    let values = values_overruled(lead, before, answer, now);
    before.iter().filter(|one| undone.contains(one) || values.contains(one)).collect()
}

/// Of the values that were said before it, those that an answer takes back, with what was decided with them.
fn values_overruled<'a>(
    lead: &str,
    before: &'a [Specific],
    answer: &str,
    now: &[Specific],
) -> Vec<&'a Specific> {
    if let Some(figure) = refused(answer) {
        // Of several nobody knows which is meant.
        let back: Vec<&Specific> = before.iter().filter(|one| is_refused(one, figure)).collect();
        return if back.len() == 1 { back } else { Vec::new() };
    }
    if let Some(change) = changed(answer) {
        let back: Vec<&Specific> = before.iter().filter(|one| is_count_of(one, &change)).collect();
        if !back.is_empty() {
            return back;
        }
    }
    let Some(said) = correction(answer).filter(|_| !before.is_empty()) else { return Vec::new() };
    let subjects = subject::of(said);
    let is_repeated = |one: &Specific| now.iter().any(|other| is_same(one, other));
    let is_back = |one: &&Specific| {
        let Some(sort) = sort(one) else { return false };
        let alike = |other: &&Specific| self::sort(other).as_ref() == Some(&sort);
        let is_sole = before.iter().filter(alike).all(|other| is_same(other, one));
        // Of several it is the one behind what the answer speaks of: `connect 3 s, read 20 s`.
        let is_led = !is_sole && subjects.lead_to(lead, &one.text);
        let is_bare = sort.0 == Kind::Number && sort.1.is_empty();
        let new = now.iter().filter(alike).filter(|new| said.contains(&new.text));
        let new = new.filter(|new| !is_bare || are_as_large(one, new)).count();
        (is_sole || is_led)
            && !is_repeated(one)
            && (new == 1
                || is_led && new > 0
                || new == 0 && is_other_figure(one, before, said, now))
            && subjects.are_shared(lead, &one.text)
    };
    let back: Vec<&Specific> = before.iter().filter(is_back).collect();
    // Nor does what was decided hold with the value that it had.
    let is_decided = |one: &&Specific| {
        one.kind == Kind::Decision && back.iter().any(|value| one.text.contains(&value.text))
    };
    let is_any = |one: &&Specific| back.contains(one) || is_decided(one);
    before.iter().filter(is_any).collect()
}

fn is_same(one: &Specific, other: &Specific) -> bool {
    one.kind == other.kind && one.key() == other.key()
}

/// Whether a figure is the one that was refused, with words around it alone: `size to 20`, `20 workers`.
fn is_refused(one: &Specific, figure: &str) -> bool {
    let has_digit = |words: &str| words.contains(|c: char| c.is_ascii_digit());
    let around = one.text.split_once(figure);
    one.kind == Kind::Number
        && around.is_some_and(|(lead, rest)| {
            !has_digit(lead)
                && !has_digit(rest)
                && (lead.is_empty() || lead.ends_with(' '))
                && (rest.is_empty() || rest.starts_with(' '))
        })
}

/// The figure of which an answer says that it is too large or too small, before it says another one: `20 is too many, make it
/// 12`.
fn refused(answer: &str) -> Option<&str> {
    let is_sign = |c: char| !c.is_alphanumeric();
    let mut begin = answer.trim_start_matches(is_sign);
    while let Some(at) = begin.find(is_sign).filter(|&at| FILLERS.hold_lower(&begin[..at])) {
        begin = begin[at..].trim_start_matches(is_sign);
    }
    let digits = begin.bytes().take_while(u8::is_ascii_digit).count();
    let (figure, rest) = begin.split_at(digits);
    let (_, rest) = rest.strip_prefix(" is too ")?.split_once(", ")?;
    let other = ["make it ", "make that ", "set it to ", "use "];
    let other = other.iter().find_map(|other| rest.strip_prefix(other))?;
    let is_another = other.starts_with(|c: char| c.is_ascii_digit()) && !other.starts_with(figure);
    (digits > 0 && is_another).then_some(figure)
}

/// Where in the beginning of a message it is said that something else holds: all of its first sentence, or a clause of that.
fn correction(answer: &str) -> Option<&str> {
    let line = answer.trim_start().split(['\n', '?']).next().unwrap_or_default();
    let end = (BEGINNING.min(line.len())..=line.len()).find(|&end| line.is_char_boundary(end));
    let beginning = &line[..end.unwrap_or(line.len())];
    let mut words = beginning.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.find(|word| !FILLERS.hold_lower(word)).unwrap_or_default();
    if BEGINS.hold_lower(first) {
        // A sentence of a word says only that something does not hold.
        let ends = beginning.match_indices([' ']).map(|(at, _)| at);
        let mut ends = ends.filter(|&at| beginning[..at].ends_with(['.', '!', ';']));
        let end = ends.find(|&at| beginning[..at].contains(' '));
        return Some(&beginning[..end.unwrap_or(beginning.len())]);
    }
    if undone::is_undone(answer) {
        return Some(beginning);
    }
    if is_of_another(beginning) {
        return None;
    }
    let clauses = beginning.split(", ").flat_map(|part| part.split(". "));
    let says = |clause: &&str| {
        let lower = clause.to_lowercase();
        let is_whole = |phrase: &str| {
            lower.match_indices(phrase).any(|(at, _)| {
                let lead = &lower[..at];
                let begins = phrase.starts_with(' ') || !lead.ends_with(char::is_alphanumeric);
                // What is enough is a figure: `the hotel is enough with 74 euros` is about another one.
                let is_value =
                    !ENOUGH.contains(&phrase) || lead.contains(|c: char| c.is_ascii_digit());
                begins && is_value
            })
        };
        ENOUGH.iter().chain(&PHRASES).any(|phrase| is_whole(phrase))
    };
    clauses.into_iter().find(says)
}

/// Whether an answer turns to something else, by the words that it begins with: `and the price, we said 14.99`.
fn is_of_another(beginning: &str) -> bool {
    static AND: Words = Words::new("and auch e en et ook und y");
    static OF: Words =
        Words::new("as das de den der die el for für het il la las le les los of the");
    let mut words = beginning.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| AND.hold_lower(word))
        && words.next().is_some_and(|word| OF.hold_lower(word))
}

/// Whether two figures by themselves may be values of the same: both are about as large.
fn are_as_large(one: &Specific, other: &Specific) -> bool {
    const LARGEST: f64 = 100.0;
    let figure = |one: &Specific| {
        let begin = one.text.find(|c: char| c.is_ascii_digit())?;
        let digits = one.text[begin..].trim_end_matches(|c: char| !c.is_ascii_digit());
        worth::of(digits)
    };
    let (Some(one), Some(other)) = (figure(one), figure(other)) else { return true };
    one <= other * LARGEST && other <= one * LARGEST
}

/// Whether a short answer names just one figure, which is another one than the only figure that was said, and about as large:
/// `30000 is enough`.
fn is_other_figure(one: &Specific, before: &[Specific], said: &str, now: &[Specific]) -> bool {
    const LARGEST: f64 = 10.0;
    let figures = |text: &str| -> Vec<f64> {
        let words = text.split([' ', '?', '!', '(', ')']);
        let bare = words.map(|word| word.trim_end_matches(['.', ',', ';', ':']));
        bare.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .filter_map(worth::of)
            .collect()
    };
    let is_bare = sort(one).is_some_and(|(_, sort)| sort.is_empty());
    let is_sole = || {
        let mut others = before.iter().filter(|other| other.kind == Kind::Number);
        is_bare || others.all(|other| is_same(one, other))
    };
    // What has a unit is only taken back by a figure without one behind a word for that: `no, 21`.
    let mut words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.find(|word| !FILLERS.hold_lower(word)).unwrap_or_default();
    if !is_bare && !BEGINS.hold_lower(first) {
        return false;
    }
    let (old, new) = (figures(&one.text), figures(said));
    let is_short = said.split_whitespace().count() <= SHORT;
    match (&old[..], &new[..]) {
        ([old], [new]) if one.kind == Kind::Number && is_short => {
            #[allow(clippy::float_cmp, reason = "the same figure is read in the same way")]
            let is_other = old != new;
            let counts = |one: &Specific| {
                one.kind == Kind::Number
                    && said.contains(&one.text)
                    && sort(one).is_some_and(|(_, sort)| !sort.is_empty())
            };
            // A figure may be a part of something else: `from 15 September`.
            let is_other_kind = |one: &Specific| {
                one.kind != Kind::Number && one.kind != Kind::Decision && said.contains(&one.text)
            };
            is_other
                && !now.iter().any(counts)
                && !now.iter().any(is_other_kind)
                && *new <= old * LARGEST
                && *old <= new * LARGEST
                && is_sole()
        }
        _ => false,
    }
}

/// What something is but for its value: what a figure counts, whether a date is a day or a time, the signs of a name
/// without its digits.
fn sort(one: &Specific) -> Option<(Kind, String)> {
    let sort = match one.kind {
        Kind::Number => {
            let behind = one.text.rsplit(|c: char| c.is_ascii_digit()).next()?.trim();
            let begins = one.text.find(|c: char| c.is_ascii_digit())?;
            // A label tells what it is, and nothing behind it does.
            let said = if behind.is_empty() { one.text[..begins].trim() } else { behind };
            // Per which time it is may be left out of it.
            let said = if PACES.iter().any(|pace| said.starts_with(pace)) { "" } else { said };
            unit::canonical(said).map_or_else(|| said.to_lowercase(), str::to_owned)
        }
        Kind::Date => {
            let mut signs: Vec<char> = one.key().split(' ').filter_map(sign).collect();
            signs.sort_unstable();
            signs.dedup();
            signs.into_iter().collect()
        }
        Kind::Identifier | Kind::Url => {
            let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
            let mut signs: Vec<char> = one.text.to_lowercase().chars().map(digits).collect();
            signs.dedup_by(|next, last| *next == '0' && *last == '0');
            if !signs.contains(&'0') {
                return None;
            }
            signs.into_iter().collect()
        }
        _ => return None,
    };
    Some((one.kind, sort))
}

/// What a part of a date says: a day's number, or what the letter in front of its figures stands for.
fn sign(part: &str) -> Option<char> {
    let first = part.chars().next()?;
    Some(if first.is_ascii_digit() { '0' } else { first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specifics::extract;

    fn back(said: &str, answer: &str) -> Vec<String> {
        let (before, now) = (extract([said]), extract([answer]));
        let back = overruled(said, &before, answer, &now);
        back.into_iter().map(|one| one.text.clone()).collect()
    }

    #[test]
    fn an_answer_takes_back_what_it_puts_another_value_for() {
        for (before, answer, old) in [
            ("Keep backups for 14 days.", "hmm no, 21 days", "14 days"),
            ("Shall it run at 04:30?", "No, at 05:15 please.", "04:30"),
            ("It stays on db.t3.medium.", "no, go to db.t4.medium", "db.t3.medium"),
            ("I suggest maxconn 20000.", "15000 is enough, the boxes have 4 GB", "20000"),
            ("The cache takes 8 GB.", "The others need it, lower to 4 GB.", "8 GB"),
            ("Plan with 26,000.", "24,000 a year is enough", "26,000"),
            ("Plan with 26,000.", "I said 24,000.", "26,000"),
            ("The hall takes 44 chairs.", "We said 48 chairs.", "44 chairs"),
            ("Alarm ab 4 Minuten?", "5 Minuten reicht", "4 Minuten"),
            ("Keep backups for 14 days.", "Actually the backups need 21 days.", "14 days"),
            ("The price is $40.", "No, it is $45.", "$40"),
            ("Set the pool size to 20.", "20 is too many, make it 12", "size to 20"),
            ("Use 20 workers.", "20 is too many, make it 12", "20 workers"),
            ("The retention is 30 days.", "No, the actual number is 90 days.", "30 days"),
            ("The retention is 30 days.", "Sorry, the latest figure is 90 days.", "30 days"),
            ("The deadline is 5 May.", "No, my boss says 9 May.", "5 May"),
            ("The price is $40.", "Actually the client wants $45.", "$40"),
            ("Keep logs for 30 days.", "No, the retention is 90 days.", "30 days"),
            ("The retention is 30 days.", "No, the retention period is 90 days.", "30 days"),
            ("Set the pool size to 20.", "hmm, 20 is too much, use 12.", "size to 20"),
            ("Connect 3 s, read 20 s.", "Actually read should be 25 s", "20 s"),
            ("It gives up after 7 attempts.", "Raise the attempts from 7 to 12.", "7 attempts"),
            ("Kyoto 6 nuits, Nara 2 nuits.", "Finalement Kyoto c'est 5 nuits.", "6 nuits"),
        ] {
            let told = back(before, answer);
            assert!(told.iter().any(|one| one.contains(old)), "{before} // {answer}: {told:?}");
        }
    }

    #[test]
    fn a_later_sentence_takes_back_a_host() {
        let text = "It runs on db-old-03.example.org:5432. Wait no, it moved to db-old-07.example.org:5432.";
        let all = extract([text]);
        let back = overruled_within(text, &all);
        assert_eq!(back.len(), 1, "{all:?}");
        assert_eq!(back[0].text, "db-old-03.example.org:5432");
        assert_eq!(overruled_within("It runs on db-old-03.example.org:5432. Fine.", &all), []);
        for (text, old) in [
            ("Use pg-03. No, wrong: use pg-04.", "pg-03"),
            ("The owner is Joris de Vries. Now it's Samira Lund.", "Joris de Vries"),
        ] {
            let back = overruled_within(text, &extract([text]));
            assert!(back.len() == 1 && back[0].text == old, "{text}: {back:?}");
        }
        for text in
            ["It fits 5 files. No, we need 3 chairs.", "Joris de Vries left. Now it's Samira Lund."]
        {
            assert_eq!(overruled_within(text, &extract([text])), [], "{text}");
        }
    }

    #[test]
    fn an_answer_that_corrects_nothing_takes_nothing_back() {
        for (before, answer) in [
            ("We keep backups for 14 days.", "And logs for 21 days."),
            ("The cache takes 1.3 GB.", "15000 is enough, the boxes have 4 GB."),
            ("The job takes 48 s.", "The test system only works instead from 15 September"),
            ("The fuse has 80 A.", "not yet, the charger takes 32 A"),
            ("We keep backups for 14 days.", "No, 14 days for all, 21 days for the database."),
            ("Backups for 14 days, logs for 7 days.", "no, 21 days"),
            ("The hall takes 44 chairs.", "No, it costs 90 euros."),
            ("It stays on db.t3.medium.", "no, it is on web-01.example.com"),
            ("The depot is 2948172.", "we said 14.99"),
            ("The deposit is 25 percent.", "And the discount, we agreed 30 percent."),
            ("The flight is 431 euros.", "the hotel is enough with 74 euros"),
            ("The price is $40.", "Actually shipping costs $5."),
            ("Keep backups for 14 days.", "Actually the frontend needs 21 days of logs."),
            ("Keep backups for 14 days.", "No, 21 days for the logs."),
            ("Our deadline is 5 May.", "No, wait, the demo is on 9 May; the deadline stays."),
            ("Keep backups for 14 days.", "Actually the new frontend only needs 21 days."),
            ("Our deadline is 5 May.", "No, the demo is on 9 May."),
            ("Use 120 workers.", "20 is too many, make it 12"),
            ("Set the pool size to 120.", "20 is too many, make it 12"),
            ("Connect 3 s, read 20 s.", "Actually write should be 25 s"),
            ("It gives up after 7 attempts.", "Raise the limit from 7 to 12."),
            ("It gives up after 8 attempts.", "Raise the attempts from 7 to 12."),
        ] {
            assert_eq!(back(before, answer), [""; 0], "{before} // {answer}");
        }
    }
}
