//! The form under which two ways of saying the same are one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::calendar::{MONTHS, WEEKDAYS};
use super::number;
use super::pattern::Pattern;
use super::words::Words;
use super::{Kind, error, unit, worth};
use crate::lines::one_line;
use crate::memory::stem;

/// The form of a specific for comparing.
pub(super) fn key(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Number => quantity(text),
        Kind::Date => date_parts(text, false).into_iter().collect::<Vec<_>>().join(" "),
        Kind::Path => match line(text) {
            Some(line) => format!("{}:{line}", path(text)),
            None => path(text),
        },
        Kind::Url => url(text),
        Kind::Error => error(text),
        Kind::Identifier => identifier(text),
        Kind::Command => one_line(text),
        Kind::Name | Kind::Decision => one_line(text).to_lowercase(),
    }
}

/// Figures, words and signs of a quantity.
static PIECES: Pattern = Pattern::new(|| {
    format!(
        r"(?P<figure>{})|(?P<word>\p{{L}}[\p{{L}}./²³]*|[%‰°€$£¥₹₩₺₿″×Ω¢]\p{{L}}?)|(?P<sign>[-–—/:+*]|\S)",
        number::FIGURE
    )
});

/// `5ms`, `5 ms` and `5 milliseconds`; `$5k`, `5,000 $` and `USD 5000`; `two weeks` and `2 weeks`.
fn quantity(text: &str) -> String {
    let text = &text[number::bound_of(text)..];
    let figure = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let text = &text[number::every(&text[..figure])..];
    let mut currency = "";
    let mut parts: Vec<String> = Vec::new();
    let mut value: Option<f64> = None;
    let flush = |value: &mut Option<f64>, parts: &mut Vec<String>| {
        if let Some(value) = value.take() {
            parts.push(value.to_string());
        }
    };
    for piece in PIECES.groups(
        &text.replace("half an ", "1/2 ").replace("half a ", "1/2 ").replace("mm Hg", "mmHg"),
    ) {
        if let Some(figure) = piece.name("figure") {
            flush(&mut value, &mut parts);
            match worth::of(figure.as_str()) {
                Some(known) => value = Some(known),
                None => parts.push(worth::vulgar(figure.as_str())),
            }
        } else if let Some(word) = piece.name("word") {
            let word = word.as_str();
            if let (Some(known), Some(size)) = (value, worth::magnitude(word, !currency.is_empty()))
            {
                value = Some(known * size);
                continue;
            }
            flush(&mut value, &mut parts);
            match (unit::canonical(word), number::figure_word(&word.to_lowercase())) {
                (Some(unit), _) if unit::is_currency(unit) => currency = unit,
                (_, Some(figure)) => value = Some(f64::from(figure)),
                (Some(unit), _) => parts.push(unit.to_owned()),
                // `port is 8080` is port 8080.
                (None, None) if word == "is" => {}
                _ if matches!(word, "to" | "bis" | "or" | "à") => parts.push("-".into()),
                _ => parts.push(stem(&word.to_lowercase())),
            }
        } else if let Some(sign) = piece.name("sign") {
            flush(&mut value, &mut parts);
            let sign = if matches!(sign.as_str(), "–" | "—") { "-" } else { sign.as_str() };
            parts.push(sign.to_owned());
        }
    }
    flush(&mut value, &mut parts);
    joined(currency, &parts)
}

/// The parts without spaces; a hyphen between a figure and its unit says nothing.
fn joined(currency: &str, parts: &[String]) -> String {
    let mut key = currency.to_owned();
    for (nth, part) in parts.iter().enumerate() {
        let figure =
            |at: Option<&String>| at.is_some_and(|p| p.starts_with(|c: char| c.is_ascii_digit()));
        if part == "-" && !figure(parts.get(nth + 1)) {
            continue;
        }
        if nth > 0 && figure(Some(part)) && figure(parts.get(nth - 1)) {
            key.push('+');
        }
        key.push_str(part);
    }
    key
}

/// A path with forward slashes, in small letters, without its line and a slash at the end.
pub(super) fn path(text: &str) -> String {
    let forward = text.replace('\\', "/").to_lowercase();
    let bare = without_line(forward.trim_end_matches('/').trim_start_matches("./")).0;
    // As a diff names both of its sides.
    let side = bare.strip_prefix("a/").or_else(|| bare.strip_prefix("b/"));
    let bare = side.filter(|rest| rest.contains('/')).unwrap_or(bare);
    bare.trim_end_matches('/').to_owned()
}

/// The line behind a path, the first one of several.
pub(super) fn line(path: &str) -> Option<f64> {
    let line = without_line(path).1.trim_start_matches([':', '#', 'L', 'l']);
    line.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A path, and behind it the line and the column.
fn without_line(path: &str) -> (&str, &str) {
    let mut end = path.len();
    for _ in 0..2 {
        let cut = path[..end].rfind([':', '#']).filter(|&at| {
            let number = path[at + 1..end].trim_start_matches(['L', 'l']);
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b"-lL".contains(&b))
        });
        end = cut.unwrap_or(end);
    }
    path.split_at(end)
}

/// An address without its scheme, `www.` and a slash at the end; a repository is the same however it is fetched.
pub(super) fn url(text: &str) -> String {
    let lower = text.to_lowercase();
    let bare = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    let bare = without_source(bare.strip_prefix("www.").unwrap_or(bare));
    let bare = bare.trim_end_matches('/');
    let bare = bare.strip_suffix(".git").unwrap_or(bare);
    bare.strip_prefix("git@").map_or(bare.to_owned(), |rest| rest.replacen(':', "/", 1))
}

/// An address without what it tells of where somebody found it: `utm_source=news`.
fn without_source(address: &str) -> Cow<'_, str> {
    let Some((place, asked)) = address.split_once('?').filter(|(_, asked)| asked.contains("utm_"))
    else {
        return Cow::Borrowed(address);
    };
    let (asked, part) = asked.split_at(asked.find('#').unwrap_or(asked.len()));
    let kept: Vec<&str> = asked.split('&').filter(|part| !part.starts_with("utm_")).collect();
    let sign = if kept.is_empty() { "" } else { "?" };
    Cow::Owned(format!("{place}{sign}{}{part}", kept.join("&")))
}

/// `HTTP 503`, `503 Service Unavailable` and `503`; `exit code 1` and `exited with 1`. A message is all that it says.
fn error(text: &str) -> String {
    static STATUS: Pattern = Pattern::new(|| {
        r"^(?i:http(?:/[\d.]+)?\s?(?:status\s)?(?:code\s|error\s)?)?([1-5]\d\d)(?:\s[A-Za-z -]+)?$"
            .into()
    });
    static EXIT: Pattern = Pattern::new(|| r"(?i)^(?:exit|return).*?(-?\d+)$".into());
    static LAST: Pattern = Pattern::new(|| r"[\w.-]+$".into());
    if error::is_message(text) {
        return one_line(text).to_lowercase();
    }
    if let Some(status) = STATUS.parts(text).and_then(|parts| parts.get(1)) {
        return format!("http {}", status.as_str());
    }
    if let Some(code) = EXIT.parts(text).and_then(|parts| parts.get(1)) {
        return format!("exit {}", code.as_str());
    }
    LAST.first(text).map_or(text, |last| last.as_str()).trim_start_matches('-').to_lowercase()
}

/// A name in code without its brackets; the length of a type is more than brackets: `varchar(64)`.
pub(super) fn identifier(text: &str) -> String {
    if let Some((_, length)) = text.split_once('(')
        && length.strip_suffix(')').is_some_and(is_length)
    {
        return text.replace(' ', "").to_lowercase();
    }
    let bare = text.split('(').next().filter(|name| name.len() > 1).unwrap_or(text);
    bare.trim_matches(['`', '"']).to_lowercase()
}

/// Whether brackets hold the length of a type: `64`, `14, 4`.
fn is_length(text: &str) -> bool {
    let is_figure = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split(',').all(|part| is_figure(part.trim()))
}

/// What a date says, part by part: `14`, `m3`, `y2026`, `w2`, `t17:00`, `z60`, `tomorrow`. Of two figures between slashes
/// the month is the second one, or the first.
pub(super) fn date_parts(text: &str, month_first: bool) -> BTreeSet<String> {
    static TOKENS: Pattern = Pattern::new(|| {
        r"(?x)
        (?P<dotted>\d{1,2}\.[0-5]\d\s?(?i:uhr\b) | (?:0?\d|1[0-2])\.[0-5]\d\s?(?i:a\.m\b|p\.?m\b))
        | (?P<iso>\d{4}[-/]\d{1,2}[-/]\d{1,2}) | (?P<ym>\d{4}-\d{2}\b) | (?P<my>\b\d{1,2}/(?:19|20)\d{2}\b) | (?P<dmy>\d{1,2}[./-]\d{1,2}[./-]\d{2,4}) | (?P<dm>\d{1,2}[./]\d{1,2}\b\.?)
        | (?P<han>(?:\d{4}年)?\d{1,2}月\d{1,2}日)
        | (?P<zone>[+-]\d{2}:?\d{2}\b|\b(?:UTC|GMT)(?:[+-]\d{1,2})?\b|\b(?:CES?T|BST|IST|JST|AEST|[ECMP][SD]T)\b|Z\b)
        | (?P<hours>\d{1,2}\s?(?:-|–|to|and)\s?\d{1,2}\s?(?i:[ap]\.?m\b) | \d{1,2}\s?(?:-|–|bis|und)\s?\d{1,2}\s?(?i:uhr\b))
        | (?P<clock>\d{1,2}\s?h\s?\d{2}\b | \d{1,2}(?:[:.h]\d{2}(?::\d{2})?)?\s?(?i:a\.?m\b|p\.?m\b|uhr|h\b|heures?\b|o.clock) | \d{1,2}[:h]\d{2}(?::\d{2})?)
        | (?P<year>(?:19|20)\d{2}) | (?P<day>\d{1,2})(?:st|nd|rd|th|\.|\b) | (?P<word>\p{L}[\p{L}']*)"
            .into()
    });
    let mut parts = BTreeSet::new();
    for token in TOKENS.groups(text) {
        let named = |name: &str| token.name(name).map(|part| part.as_str());
        if let Some(hours) = named("hours") {
            parts.extend(hour_parts(hours));
        } else if let Some(clock) = named("dotted").or(named("clock")) {
            parts.insert(clock_part(clock));
        } else if let Some(zone) = named("zone") {
            parts.insert(zone_part(zone, text.contains('T')));
        } else if let Some(year) = named("year") {
            parts.insert(format!("y{year}"));
        } else if let Some(day) = named("day") {
            parts.insert(day.trim_start_matches('0').to_owned());
        } else if let Some(word) = named("word") {
            parts.extend(word_part(&word.to_lowercase()));
        } else if let Some((month, year)) = named("my").and_then(|both| both.split_once('/')) {
            parts.extend([format!("y{year}"), format!("m{}", month.trim_start_matches('0'))]);
        } else if let Some(han) = named("han") {
            let figures: Vec<&str> = han.trim_end_matches('日').rsplit(['年', '月']).collect();
            parts.extend(calendar_parts(&figures.join("."), false, false));
        } else if let Some(figures) = named("iso").or(named("ym")) {
            parts.extend(calendar_parts(figures, true, false));
        } else if let Some(figures) = named("dmy").or(named("dm")) {
            parts.extend(calendar_parts(figures, false, month_first && figures.contains('/')));
        }
    }
    parts
}

fn calendar_parts(figures: &str, year_first: bool, month_first: bool) -> Vec<String> {
    let numbers: Vec<u32> =
        figures.split(['-', '/', '.']).filter_map(|part| part.parse().ok()).collect();
    let (year, month, day) = match (numbers.as_slice(), year_first) {
        ([year, month, day], true) => (Some(*year), *month, Some(*day)),
        ([year, month], true) => (Some(*year), *month, None),
        ([day, month, year], false) => {
            (Some(if *year < 100 { 2000 + year } else { *year }), *month, Some(*day))
        }
        ([day, month], false) => (None, *month, Some(*day)),
        _ => return Vec::new(),
    };
    // 12/31 is read as month and day, because there is no month 31.
    let (month, day) = match day {
        Some(day) if month > 12 || month_first && day <= 12 => (day, Some(month)),
        day => (month, day),
    };
    let texts =
        [year.map(|y| format!("y{y}")), Some(format!("m{month}")), day.map(|d| d.to_string())];
    texts.into_iter().flatten().collect()
}

/// Two hours of which only the later one says in which half of the day it is: `1 to 5 am`, `9-5 pm`.
fn hour_parts(text: &str) -> Vec<String> {
    let mut figures = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let (Some(first), Some(last)) = (figures.next(), figures.next()) else { return Vec::new() };
    if text.to_lowercase().ends_with("uhr") {
        return [first, last].map(clock_part).to_vec();
    }
    let half = if text.contains(['p', 'P']) { "pm" } else { "am" };
    let hour = |figure: &str| figure.parse::<u32>().unwrap_or(0) % 12;
    let other = if half == "pm" { "am" } else { "pm" };
    let begins = if hour(first) < hour(last) { half } else { other };
    vec![clock_part(&format!("{first} {begins}")), clock_part(&format!("{last} {half}"))]
}

fn clock_part(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut digits = lower.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut hour: u32 = digits.next().and_then(|hour| hour.parse().ok()).unwrap_or(0);
    let minute = digits.next().unwrap_or("00");
    if lower.contains('p') && hour < 12 {
        hour += 12;
    } else if lower.contains('a') && hour == 12 {
        hour = 0;
    }
    format!("t{hour}:{minute}")
}

/// The minutes by which a zone is ahead of the time that all others are told by. What looks like a zone behind it is the
/// end of a time, unless the time is written with signs only.
fn zone_part(zone: &str, is_signs: bool) -> String {
    const NAMED: [(&str, i32); 17] = [
        ("Z", 0),
        ("UTC", 0),
        ("GMT", 0),
        ("BST", 60),
        ("CET", 60),
        ("CEST", 120),
        ("IST", 330),
        ("JST", 540),
        ("AEST", 600),
        ("EDT", -240),
        ("EST", -300),
        ("CDT", -300),
        ("CST", -360),
        ("MDT", -360),
        ("MST", -420),
        ("PDT", -420),
        ("PST", -480),
    ];
    let (name, offset) = zone.split_at(zone.find(['+', '-']).unwrap_or(zone.len()));
    if name.is_empty() && offset.starts_with('-') && !is_signs {
        return clock_part(&offset[1..]);
    }
    let known = NAMED.iter().find(|(known, _)| *known == name).map_or(0, |(_, minutes)| *minutes);
    let digits = offset.trim_start_matches(['+', '-']).replace(':', "");
    let (hours, minutes) = digits.split_at(digits.len().min(2));
    let ahead = hours.parse().unwrap_or(0) * 60 + minutes.parse().unwrap_or(0);
    format!("z{}", known + if offset.starts_with('-') { -ahead } else { ahead })
}

fn word_part(word: &str) -> Option<String> {
    static LINKS: Words = Words::new(
        "a about after al alle am and around at au avant après before between bis by de del den der die du dès el early from \
         in la las late le los mid nd of on rd st t th the this through till to uhr um until vers vom z à",
    );
    let numbered = |list: &[(&str, u32)], word: &str| {
        list.iter().find(|(name, _)| *name == word).map(|(_, number)| *number)
    };
    let singular = word.strip_suffix('s').unwrap_or(word);
    match word {
        "noon" => Some("t12:00".into()),
        "midnight" => Some("t0:00".into()),
        "coming" => Some("next".into()),
        _ if word.starts_with("kommende") => Some(word.replace("kommende", "nächste")),
        _ if LINKS.holds(word) => None,
        _ => numbered(MONTHS, word)
            .map(|month| format!("m{month}"))
            .or_else(|| {
                numbered(WEEKDAYS, word)
                    .or_else(|| numbered(WEEKDAYS, singular))
                    .map(|day| format!("w{day}"))
            })
            .or_else(|| Some(word.to_owned())),
    }
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&PIECES];
