//! Numbers that mean something: with a unit, a currency, what they count, or a word that explains them.

mod amount;
mod bare;
mod counted;
mod paced;
mod setting;
mod spelled;
mod words;

use std::ops::Range;

use super::Kind;
use super::pattern::{Pattern, literal};
use super::scan::{Scan, after, before, word_before};
use super::token::COLON;
use super::unit;
use super::words::Words;

use paced::{is_pressure, paced};
use words::{LABELS, OWNERS};

pub(super) use amount::{Amount, bound_of};
pub(super) use bare::find_bare;
pub(super) use counted::{begins_sentence, is_plural};
pub(super) use setting::is_set;
pub(super) use spelled::{Piece, pieces};
pub(super) use words::{figure_word, is_numbering};

/// One figure as any language writes it: `1,234.56`, `1.234,56`, `1'234`, `1 234`, `3/4`, `1 1/2`, `½`, `2:15`.
pub(super) const FIGURE: &str = r"(?:\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,2})?|\d{1,3}(?:[\x20\x{a0}\x{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+\x20\d/\d{1,2}|\d+/\d+|\d+(?:[.,]\d+)?(?:\x20?[½¼¾⅓⅔⅛⅜⅝⅞])?|[½¼¾⅓⅔⅛⅜⅝⅞])";

const CURRENCY: &str = r"(?:US\$|A\$|C\$|NZ\$|HK\$|S\$|R\$|[$€£¥₹₩₺₿]|(?:USD|EUR|GBP|CHF|JPY|NOK|SEK|DKK|PLN|CAD|AUD|NZD|INR|CNY|CZK|HUF|BRL|MXN|ISK|THB|ZAR|AED|SGD|HKD|SFr\.|Fr\.|Rs\.?|BTC|ETH)[\x20\x{a0}]?)";

/// An amount: figures with a currency in front, ranges, products.
static AMOUNT: Pattern = Pattern::new(|| {
    format!(
        r"(?x) (?:{CURRENCY}[\x20\x{{a0}}]?)? [-+−±]? (?:\b{FIGURE}|[½¼¾⅓⅔⅛⅜⅝⅞])
        (?: (?:\x20?(?:k|K|M|m|bn))? (?:\x20?[-–—]\x20?|\x20(?:to|bis|à|or|x|×|by)\x20|\x20?[x×*]\x20?|\+/-) {CURRENCY}? {FIGURE} ){{0,2}}"
    )
});

/// What may stand behind an amount: a magnitude, a unit, what it is per.
static UNIT: Pattern = Pattern::new(|| {
    let units: Vec<String> = unit::spellings().into_iter().map(literal).collect();
    let units = units.join("|");
    format!(
        r"^(?P<gap>[\x20\x{{a0}}\x{{202f}}]{{0,2}}|-)(?:(?P<size>{MAGNITUDE})\x20)?(?P<unit>{units})"
    )
});

const MAGNITUDE: &str = r"(?:millions|million|billion|thousand|hundred|trillion|Mio\.?|Mrd\.?|Millionen|Milliarden|Tausend|milliards|millones|Tsd\.?|mila|lakh|crore|dozen|mn|bn|k|K|M|B)";

/// A magnitude alone: `20 million`, and `$5k` behind a currency.
static SIZE: Pattern = Pattern::new(|| {
    format!(r"^(?:[\x20\x{{a0}}]?{MAGNITUDE}|-(?:million|billion|thousand|hundred))")
});

/// What a unit is measured by: `€/kWh`, `mg per day`.
static PER: Pattern = Pattern::new(|| {
    r"^(?:\x20?/\x20?[A-Za-zµμ²³]{1,12}|/(?:100|1000|10|1\.73)\x20?[A-Za-zµμ²³]{1,12}){1,2}".into()
});

/// The smaller part of a compound: `11 min 20 s`, `5 ft 11 in`.
static REST: Pattern = Pattern::new(|| {
    r"^(?:\x20(?:and\x20)?|,\x20)?\d{1,4}(?:[.,]\d+)?\x20?(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|ms|h|m|s|oz|ounces?|inches|in|″|cents?)\b".into()
});

/// A number word before a unit of measure.
pub(super) static WORDED: Pattern = Pattern::new(|| {
    let units = unit::worded().join("|").replace(' ', "\\x20");
    let numbers = words::figure_words().map(|(word, _)| word).collect::<Vec<_>>().join("|");
    format!(
        r"\b(?i:half\x20an?|a\x20quarter\x20of\x20an?|three\x20quarters\x20of\x20an?|(?:{numbers})(?:(?:[-\x20](?:to|or)[-\x20]|[-–])(?:{numbers})|\x20and\x20a\x20half)?)[\x20-](?i:{units})\b"
    )
});

/// A duration, pace or ratio that is written like a time of day: `2:15 h`, `6:30 min/km`, `ratio 1:5:5`, `1:2:2`.
static PACED: Pattern = Pattern::new(|| {
    r"\b\d{1,3}:\d{2}(?::\d{2})?\x20?(?:min(?:utes)?(?:/(?:km|mi|mile|100m))?|/km|/mi|/mile|hours|hrs?|h)\b|\b(?i:ratio|odds|scale)\x20(?:of\x20)?\d{1,4}(?::\d{1,4})+\b|\b\d:\d:\d\b".into()
});

/// A figure behind the sign of its scale.
pub(super) static SCALED: Pattern = Pattern::new(|| {
    r"\b\d['′]\x20?(?:1[01]|\d)(?:″|''|\x22)|\b(?:[89]\d|[12]\d\d)\x20over\x20(?:[4-9]\d|1[0-4]\d)\b|\bpH(?:\x20(?:of|value))?\x20?\d{1,2}(?:[.,]\d+)?(?:\x20?[-–]\x20?\d{1,2}(?:[.,]\d+)?)?\b"
        .into()
});

/// Takes what looks like a time and is a duration; comes before the dates.
pub(super) fn find_paced(scan: &mut Scan<'_>) {
    let text = scan.text;
    for scaled in scan.coded.all(&SCALED) {
        if begins_here(text, &scaled.range()) {
            scan.claim_free(scaled.range(), Kind::Number);
        }
    }
    for paced in scan.around(COLON, 2, 1).all(&PACED) {
        let lead = word_before(text, paced.start()).to_lowercase();
        let clock = matches!(
            lead.as_str(),
            "at" | "um" | "las" | "gegen" | "until" | "ab" | "by" | "before" | "after" | "bis"
        );
        // A part of a list of figures, or of a place in a file, is none: `[1:5:2]`, `a.rs:1:2:3`.
        let is_bare = paced.as_str().starts_with(|c: char| c.is_ascii_digit())
            && !paced.as_str().contains(char::is_alphabetic);
        let is_alone = before(text, paced.start()).is_none_or(|c| c.is_whitespace() || c == '(')
            && !after(text, paced.end()).is_some_and(|c| ":]".contains(c));
        if clock && paced.as_str().ends_with('h') || is_bare && !is_alone {
            continue;
        }
        scan.claim_free(paced.range(), Kind::Number);
    }
}

/// Takes the numbers of a message.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    let mut from = 0;
    // From one figure to the next of a range there are three words at most: `5 k x CHF 6`.
    for amount in scan.figures.all(&AMOUNT) {
        let priced = amount.as_str().contains(is_of_currency);
        let mut place = whole_figure(text, amount.range());
        place.start -= usize::from(is_dotted(text, place.start));
        let taken = place.start < from || !scan.is_free(&place);
        if taken || !begins_here(text, &place) || text[place.start..].starts_with("0x") {
            continue;
        }
        for place in apart(text, place, priced) {
            if let Some(found) = quantity(scan, place, priced) {
                from = found.end;
                scan.claim_free(found, Kind::Number);
            }
        }
    }
    for words in scan.whole.with(&WORDED).all(&WORDED) {
        let said = words.as_str().to_lowercase();
        let idiom = matches!(
            said.as_str(),
            "one day" | "one time" | "one minute" | "one second" | "one night" | "one year"
        );
        if !idiom {
            scan.claim_free(words.range(), Kind::Number);
        }
    }
}

/// Whether the point in front of a figure is that of its decimals: `.5`.
fn is_dotted(text: &str, at: usize) -> bool {
    let lead = text[..at].strip_suffix('.');
    let digit = text[at..].starts_with(|c: char| c.is_ascii_digit());
    digit
        && lead
            .is_some_and(|lead| !lead.ends_with(|c: char| c.is_alphanumeric() || ".)]".contains(c)))
}

/// Whether a sign of an amount is its currency's; K and M are the only other capitals in one.
fn is_of_currency(sign: char) -> bool {
    "$€£¥₹₩₺₿".contains(sign) || sign.is_ascii_uppercase() && !matches!(sign, 'K' | 'M')
}

/// A price that goes from one to another is two prices, and no range: `from £18 to £46`.
fn apart(text: &str, place: Range<usize>, priced: bool) -> Vec<Range<usize>> {
    let goes = priced && word_before(text, place.start).eq_ignore_ascii_case("from");
    // A year is none of an amount: `gibt es 2024 bis 1.774 Euro`.
    if let Some((year, most)) = text[place.clone()].split_once(" bis ")
        && is_year(year)
        && most.contains(['.', ','])
    {
        let start = place.start + year.len() + " bis ".len();
        return std::iter::once(start..place.end).collect();
    }
    match text[place.clone()].find(" to ").filter(|_| goes) {
        Some(at) => vec![place.start..place.start + at, place.start + at + 4..place.end],
        None => vec![place],
    }
}

fn is_year(figure: &str) -> bool {
    figure.len() == 4 && figure.parse().is_ok_and(|year: u32| (1_950..2_100).contains(&year))
}

/// Without a group of three digits that belongs to a longer number, as in `12 5000`; with all digits of a fraction.
fn whole_figure(text: &str, mut place: Range<usize>) -> Range<usize> {
    let more = text[place.end..].bytes().take_while(u8::is_ascii_digit).count();
    let figure = &text[place.clone()];
    if more > 0 && figure.matches(['.', ',']).count() == 1 && !figure.contains(' ') {
        place.end += more;
    } else if more > 0
        && let Some(at) = figure.rfind([' ', '\u{a0}', '\u{202f}', '.', ','])
    {
        place.end = place.start + at;
    }
    place
}

/// Whether an amount begins at a place, and is no part of a word, a version or a longer number.
fn begins_here(text: &str, place: &Range<usize>) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "_#@!\\".contains(c);
    match before(text, place.start) {
        Some(c) if inside(c) => false,
        Some('.' | ',' | ':' | '/' | '-') => {
            let at = place.start - 1;
            // `63 °C/145 °F` are two; a letter before a slash or a dash is the end of a unit or a word.
            let slash = text[at..].starts_with('/');
            !before(text, at)
                .is_some_and(|c| c.is_alphanumeric() && !(slash && c.is_alphabetic()) || c == '/')
        }
        _ => true,
    }
}

/// The place of the whole quantity of which the amount is known; `None` if it is only a figure.
fn quantity(scan: &Scan<'_>, place: Range<usize>, priced: bool) -> Option<Range<usize>> {
    let text = scan.text;
    if priced {
        let end = priced_end(text, place.end);
        let before = amount::bound(&text[..place.start]);
        return ends_here(text, end).then_some(place.start - before..end);
    }
    if is_status(text, &place) {
        return None;
    }
    if let Some(end) = powered(text, &place) {
        return Some(place.start..end);
    }
    if let Some(end) = measured(text, place.end) {
        let lasts = unit_behind(text, place.end).is_some_and(|(_, unit, _)| unit::is_of_time(unit));
        let every = if lasts { every(&text[..place.start]) } else { 0 };
        let before = if every > 0 { every } else { amount::bound(&text[..place.start]) };
        return Some(place.start - before..end);
    }
    if let Some(start) = labelled(text, &place) {
        return Some(start..place.end);
    }
    if let Some(size) = SIZE.first(&text[place.end..]) {
        let end = place.end + size.end();
        if ends_here(text, end)
            && (size.as_str().len() > 1 && !size.as_str().ends_with(" B")
                || size.as_str().len() == 1)
        {
            return Some(place.start..counted::end(scan, &(place.start..end)).unwrap_or(end));
        }
    }
    if let Some(end) = counted::end(scan, &place) {
        return Some(place.start - amount::bound(&text[..place.start])..end);
    }
    if let Some(start) = numbered(text, &place) {
        return Some(start..place.end);
    }
    if let Some(start) = setting::start(text, &place) {
        return Some(start..place.end);
    }
    grouped(text, &place)
        .then(|| place.clone())
        .or_else(|| paced(text, &place))
        .or_else(|| is_pressure(text, &place).then(|| place.clone()))
        .or_else(|| pair(text, place))
}

/// Where a figure ends that a power of ten is a part of, with what that is per: `100 x10^9/L`.
fn powered(text: &str, place: &Range<usize>) -> Option<usize> {
    let said = &text[place.clone()];
    let is_ten = ["x10", "×10", "x 10", "× 10"].iter().any(|ten| said.ends_with(ten));
    let rest = text[place.end..].strip_prefix('^').filter(|_| is_ten)?;
    let digits = rest.strip_prefix(['-', '−']).unwrap_or(rest);
    let end = digits.bytes().take_while(u8::is_ascii_digit).count();
    (end > 0).then(|| per_end(text, text.len() - digits.len() + end))
}

/// Whether a figure has thousands apart, as `1,204,551` has: so exact a number says something without a unit too.
fn grouped(text: &str, place: &Range<usize>) -> bool {
    let said = &text[place.clone()];
    let mut parts = said.split(',');
    let first =
        parts.next().is_some_and(|part| (1..=3).contains(&part.len()) && !part.starts_with('0'));
    // A row of a table, or what is given to a function, is none.
    let led = text[..place.start].strip_suffix([' ', '\t']).is_some_and(|lead| {
        lead.trim_end_matches(' ').ends_with(|c: char| c.is_alphabetic() || c == ':')
    });
    let is_three = |part: &str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let rest: Vec<&str> = parts.collect();
    led && first
        && !rest.is_empty()
        && rest.iter().all(|part| is_three(part))
        && ends_here(text, place.end)
}

/// Words in front of the statuses of a server's answers.
static ANSWERS: Words = Words::new(
    "get gets getting got many occasional of random return returned returning returns saw see seeing some the these those \
     throw throwing throws with",
);

/// Whether a figure is the status of a server's answers: `502s`.
fn is_status(text: &str, place: &Range<usize>) -> bool {
    const STATUSES: [&str; 14] = [
        "400", "401", "403", "404", "409", "410", "422", "429", "500", "501", "502", "503", "504",
        "520",
    ];
    let ends = text[place.end..]
        .strip_prefix('s')
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    ends && STATUSES.contains(&&text[place.clone()])
        && ANSWERS.hold_lower(word_before(text, place.start))
}

/// The length of the words in front of a figure that say how often something happens: `every 7 days`.
pub(super) fn every(lead: &str) -> usize {
    const WORDS: [&str; 6] = ["every ", "each ", "alle ", "cada ", "toutes les ", "tous les "];
    let is_last = |word: &&str| {
        let at = lead.len().checked_sub(word.len()).filter(|&at| lead.is_char_boundary(at));
        at.is_some_and(|at| {
            let apart = !before(lead, at).is_some_and(char::is_alphanumeric);
            apart && lead[at..].eq_ignore_ascii_case(word)
        })
    };
    WORDS.iter().find(|word| is_last(word)).map_or(0, |word| word.len())
}

/// Two figures that say something together: a product, or from what to what something went.
fn pair(text: &str, place: Range<usize>) -> Option<Range<usize>> {
    let said = &text[place.clone()];
    let went = || word_before(text, place.start).eq_ignore_ascii_case("from");
    let paired = said.contains(['x', '×']) || said.contains(" to ") && went();
    (paired && ends_here(text, place.end)).then_some(place)
}

fn ends_here(text: &str, end: usize) -> bool {
    let mut rest = text[end..].chars();
    match rest.next() {
        Some(c) if c.is_alphanumeric() || c == '_' => false,
        Some('.' | ',' | ':' | '-' | '/') => !rest.next().is_some_and(|c| c.is_ascii_digit()),
        _ => true,
    }
}

fn priced_end(text: &str, mut end: usize) -> usize {
    if let Some(size) = SIZE.first(&text[end..]).or_else(|| SMALL_M.first(&text[end..])) {
        let candidate = end + size.end();
        if ends_here(text, candidate) {
            end = candidate;
        }
    }
    per_end(text, end)
}

/// A million in a price may be a small letter: `$4m`.
static SMALL_M: Pattern = Pattern::new(|| r"^(?:m|mil|mln)\b".into());

fn per_end(text: &str, end: usize) -> usize {
    let per = PER.first(&text[end..]).map(|per| end + per.end());
    per.filter(|&end| ends_here(text, end)).unwrap_or(end)
}

/// Whether a unit stands behind a figure.
pub(super) fn is_measured(text: &str, end: usize) -> bool {
    measured(text, end).is_some()
}

/// The end of the unit behind an amount.
fn measured(text: &str, end: usize) -> Option<usize> {
    let (_, spelling, stop) = unit_behind(text, end)?;
    let mut end = per_end(text, stop);
    for _ in 0..2 {
        let Some(rest) = REST.first(&text[end..]).filter(|_| is_splittable(spelling)) else {
            break;
        };
        end += rest.end();
    }
    Some(end)
}

/// Whether what stands behind a dollar is the name of a variable, and not of a country: `--keep 18 $TARGET`, `18 $US`.
fn is_variable(behind: &str) -> bool {
    const COUNTRY: usize = 2;
    let name = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let name = &behind[..name.unwrap_or(behind.len())];
    behind.starts_with(['{', '(']) || !matches!(name.len(), 0 | COUNTRY)
}

/// The magnitude and the unit behind a figure, and where the unit ends.
fn unit_behind(text: &str, end: usize) -> Option<(Option<&str>, &str, usize)> {
    let rest = &text[end..];
    let parts = UNIT.is_in(rest).then(|| UNIT.parts(rest))??;
    let (gap, unit) = (parts.name("gap")?, parts.name("unit")?);
    let digit = |c: char| c.is_ascii_digit();
    // `m2` is no unit in `13m20s`.
    let is_cut = unit.as_str().ends_with(digit) && rest[unit.end()..].starts_with(digit);
    let unit = unit.start()..unit.end() - usize::from(is_cut);
    let spelling = &rest[unit.clone()];
    // The dot of an abbreviation is the sentence's own when a new one begins behind it.
    let next = rest[unit.end..].trim_start();
    let closes = next.is_empty() || next.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let stop = end + unit.end - usize::from(closes && spelling.ends_with('.'));
    let worded = gap.as_str() == "-" && spelling.chars().count() < 2;
    // Days and months may be short behind a space where nothing follows: `(120 d)`.
    let ends = matches!(spelling, "d" | "mo") && !text[stop..].starts_with([' ', '\'', '’'])
        || spelling == "t" && text[stop..].starts_with('/');
    let weak = unit::is_weak(spelling) && !gap.as_str().is_empty() && !ends
        || !unit::is_of_data(spelling, &text[stop..])
        || spelling == "\"" && is_quoted(&text[..end])
        || spelling == "$" && is_variable(&text[stop..]);
    let sign = !spelling.ends_with(char::is_alphanumeric);
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let stops = sign && !spelling.ends_with('.') || !after(text, stop).is_some_and(letter);
    // A smaller unit may follow without a space: `1h30m`.
    let goes_on = || is_splittable(spelling) && REST.is_in(&text[stop..]);
    let size = parts.name("size").map(|size| size.as_str());
    (!worded && !weak && (stops || goes_on())).then_some((size, spelling, stop))
}

/// Whether a quotation is open at the end of a text: what closes it is no inch.
fn is_quoted(lead: &str) -> bool {
    // In its line: the last of these signs is the one that counts.
    let at = lead.rfind(['"', '\n']).filter(|&at| lead[at..].starts_with('"'));
    at.is_some_and(|at| !lead[..at].ends_with(|c: char| c.is_alphanumeric()))
}

/// Whether a smaller unit may follow without a comma.
fn is_splittable(unit: &str) -> bool {
    matches!(unit::canonical(unit), Some("h" | "min" | "s" | "day" | "ft" | "lb" | "€" | "$" | "m"))
}

/// The start of the word that explains a figure: `port 5432`.
fn labelled(text: &str, place: &Range<usize>) -> Option<usize> {
    const SHORT: [&str; 8] = ["pp. ", "p. ", "ch. ", "vol. ", "fig. ", "sec. ", "ext. ", "S. "];
    let lead = &text[..place.start];
    if let Some(short) = SHORT.into_iter().find(|short| lead.ends_with(short)) {
        let start = place.start - short.len();
        let apart = !before(text, start).is_some_and(char::is_alphanumeric);
        return (apart && ends_here(text, place.end)).then_some(start);
    }
    let is_plain = |said: &str| said.bytes().all(|b| b.is_ascii_digit() || b"-,.".contains(&b));
    let said = &text[place.clone()];
    // `pages 118 to 141`
    let is_range =
        || word_before(text, place.start).ends_with('s') && said.split(" to ").all(is_plain);
    let plain = is_plain(said) || is_range() || said.contains('–');
    let ends = plain && ends_here(text, place.end);
    ends.then(|| label_before(text, place.start, &LABELS).map(|at| named(text, at)))?
        .or_else(|| ends.then(|| price_of_somebody(text, place))?)
}

/// Where the name begins of which a label in capitals is a part: `Harcourt Row 12`.
fn named(text: &str, at: usize) -> usize {
    let name = word_before(text, at);
    let start = at.saturating_sub(name.len() + 1);
    let is_name = |word: &str| word.len() > 2 && word.starts_with(char::is_uppercase);
    let adjacent = text.get(start..at).is_some_and(|gap| gap.starts_with(name));
    let is_part = is_name(&text[at..]) && is_name(name) && adjacent;
    if is_part && !begins_sentence(text, start) { start } else { at }
}

/// The start of a figure that somebody pays, told by the words in front of it: `costs me 735`.
fn price_of_somebody(text: &str, place: &Range<usize>) -> Option<usize> {
    const SOMEBODY: [&str; 7] = ["her", "him", "mich", "me", "them", "uns", "us"];
    static COSTS: Words = Words::new("cost costing costs kosten kostet kostete");
    let whom = word_before(text, place.start);
    let at = place.start.checked_sub(whom.len() + 1)?;
    let is_priced = SOMEBODY.contains(&whom) && COSTS.holds(word_before(text, at));
    (place.len() > 1 && is_priced && !text[place.end..].starts_with(" more")).then_some(place.start)
}

/// The start of the word that says whose number a figure is: `customer 4471`.
fn numbered(text: &str, place: &Range<usize>) -> Option<usize> {
    let plain = place.len() > 1 && text[place.clone()].bytes().all(|b| b.is_ascii_digit());
    let ends = ends_here(text, place.end) && !text[place.end..].starts_with('-');
    (plain && ends).then(|| label_before(text, place.start, &OWNERS))?
}

/// The start of the word right in front of a place, if it is one of some.
fn label_before(text: &str, at: usize, labels: &Words) -> Option<usize> {
    let label = word_before(text, at);
    let start = at.checked_sub(label.len() + 1)?;
    (text.get(start..at)?.starts_with(label) && labels.hold_lower(label)).then_some(start)
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[
    &AMOUNT,
    &UNIT,
    &SIZE,
    &PER,
    &REST,
    &counted::COUNTED,
    &WORDED,
    &PACED,
    &SMALL_M,
    &SCALED,
    &bare::BARE,
];

/// Those of what amounts are compared by.
#[cfg(test)]
pub(super) use amount::PATTERNS as AMOUNT_PATTERNS;
#[cfg(test)]
pub(super) use paced::PATTERNS as PACE_PATTERNS;
