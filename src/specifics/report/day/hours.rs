//! Hours and days of a month in figures that only what stands around them shows to be ones: `17 bis 20 Uhr`, `2/5 a las 21:00`.

use super::{is_hour_or_day, is_month, weekday_before};
use crate::specifics::automaton::Groups;
use crate::specifics::calendar::is_weekday;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::word_before;
use crate::specifics::words::Words;

/// From which hour to which, with what shows them to be hours: `17 bis 20 Uhr`, `23-7 h`, `entre 8 et 10 heures`.
pub(in crate::specifics) static SPANS: Pattern = Pattern::new(|| {
    r"(?:^|[\s(])(\d{1,2})(?:[:.]([0-5]\d))?(?:\x20?[-–—]\x20?|\x20(?:to|and|bis|und|à|et|a|y|e|tot)\x20(?:las\x20)?)(\d{1,2})(?:[:.]([0-5]\d))?\x20?((?i:uhr|uur|h|heures|horas|ore)|[aApP]\.?[mM])\b"
        .into()
});

/// An hour in front of a zone: `15h UTC`.
pub(in crate::specifics) static ZONED: Pattern = Pattern::new(|| {
    r"(?:^|[\s(])([01]?\d|2[0-4])\x20?h\x20(UTC|GMT|CES?T|BST|IST|JST|AEST|[ECMP][SD]T)\b".into()
});

/// A day and its month between a slash, with what stands in front and behind: the time too shows them to be ones.
pub(in crate::specifics) static SLASHED: Pattern = Pattern::new(|| {
    let time = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d|\x20?(?:h|Uhr|uur)\b)";
    let link =
        r"(?:,?\x20(?:at|um|à|a\x20las|alle|om|from|ab|de|desde)?\x20?|\x20\(|\x20[@–-]\x20)";
    format!(r"(?:^|[\s(])(\d{{1,2}})/(\d{{1,2}})(?:{link}({time}))?(?:[\s,;:.)]|$)")
});

/// Words behind which two figures between a slash are a day and its month.
static LEADS: Words =
    Words::new("al am bis by dal de del desde du el from il le on op since tot until vanaf vom");

/// Words in front of hours that are no length of time.
static WHEN: Words = Words::new(
    "ab abierto between daily dalle de desde entre from geöffnet les open ouvert täglich tra tussen van von zwischen",
);

/// What happens at a time without a word between.
static HAPPENS: Words = Words::new(
    "arrives begins closes departs ends leaves opens starts beginnt endet empieza commence",
);

/// All of them.
pub(super) fn told(summary: &str) -> Vec<String> {
    let mut told: Vec<String> = spans(summary);
    told.extend(slashed(summary));
    told.extend(dotted(summary));
    let zoned = |found: Groups<'_>| {
        Some(format!("{}:00 {}", found.get(1)?.as_str(), found.get(2)?.as_str()))
    };
    told.extend(ZONED.groups(summary).filter_map(zoned));
    told
}

/// Both ends of each span of hours.
fn spans(summary: &str) -> Vec<String> {
    let of = |found: &Groups<'_>, nth| found.get(nth).map_or("", |part| part.as_str()).to_owned();
    let ends = |found: Groups<'_>| -> Option<[String; 2]> {
        let (first, last, unit) = (of(&found, 1), of(&found, 3), of(&found, 5));
        let (from, upto): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
        if from > 24 || upto > 24 {
            return None;
        }
        let is_half = unit.starts_with(['a', 'A', 'p', 'P']);
        let start = found.get(1)?.start();
        // So many hours are a length of time as well.
        let is_sure = is_half
            || unit.starts_with(['u', 'U'])
            || from > upto
            || upto > 12 && (summary[..start].ends_with('(') || is_joined(summary, &found))
            || WHEN.hold_lower(word_before(summary, start));
        let minutes = |nth| Some(of(&found, nth)).filter(|some| !some.is_empty());
        let time = |hour: u8, nth| format!("{hour}:{}", minutes(nth).unwrap_or("00".to_owned()));
        if is_half {
            let half = if unit.starts_with(['p', 'P']) { 12 } else { 0 };
            let of_half = |hour: u8, half: u8| hour % 12 + half;
            let begins = if from % 12 < upto % 12 { half } else { 12 - half };
            return Some([time(of_half(from, begins), 2), time(of_half(upto, half), 4)]);
        }
        is_sure.then(|| [time(from, 2), time(upto, 4)])
    };
    SPANS.groups(summary).filter_map(ends).flatten().collect()
}

/// Whether the ends of a span of hours stand together with their unit, and no word says that it lasts so long: `9–17h`.
fn is_joined(summary: &str, found: &Groups<'_>) -> bool {
    const LASTING: [&str; 8] =
        ["about", "après", "environ", "for", "needs", "nach", "takes", "within"];
    let (Some(first), Some(last), Some(unit)) = (found.get(1), found.get(3), found.get(5)) else {
        return false;
    };
    let together = last.end() == unit.start() && unit.as_str() == "h";
    let lead = word_before(summary, first.start()).to_lowercase();
    together && !summary[first.end()..last.start()].contains(' ') && !LASTING.contains(&&*lead)
}

/// Days of a month between a slash, with their time if one stands behind. The day comes first: where it may be the other
/// way round, another pattern reads it in both.
fn slashed(summary: &str) -> Vec<String> {
    let day = |found: Groups<'_>| -> Option<String> {
        let (first, second) = (found.get(1)?, found.get(2)?);
        let (day, month): (u8, u8) = (first.as_str().parse().ok()?, second.as_str().parse().ok()?);
        let fits = (1..=31).contains(&day) && (1..=12).contains(&month);
        let time = found.get(3).map_or(String::new(), |time| format!(" {}", time.as_str()));
        let is_led = || LEADS.hold_lower(word_before(summary, first.start()));
        (fits && (!time.is_empty() || is_led())).then(|| {
            let weekday = weekday_before(summary, first.start());
            let weekday = weekday.map_or(String::new(), |weekday| format!("{weekday} "));
            format!("{weekday}{day}.{month}.{time}")
        })
    };
    SLASHED.groups(summary).filter_map(day).collect()
}

/// Times with a dot behind a day, or behind what happens then: `June 23, 9.30`, `starts 9.30`.
fn dotted(summary: &str) -> Vec<String> {
    let words: Vec<&str> = summary.split([' ', '\n']).filter(|word| !word.is_empty()).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_day = |nth: usize| {
        let digits = bare(words[nth]);
        let digits = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
        is_hour_or_day(digits, 31) && nth > 0 && is_month(&bare(words[nth - 1]))
    };
    let time = |nth: usize| -> Option<String> {
        let said = words[nth].trim_end_matches([',', ';', ')', '.', ':', '!', '?']);
        let (hour, minute) = said.split_once('.')?;
        let before = bare(words[nth.checked_sub(1)?]);
        let is_led =
            is_weekday(&before) || is_month(&before) || HAPPENS.holds(&before) || is_day(nth - 1);
        let is_time = minute.len() == 2 && is_hour_or_day(hour, 24) && is_hour_or_day(minute, 59);
        (is_led && is_time && !hour.is_empty()).then(|| format!("{hour}:{minute}"))
    };
    (0..words.len()).filter_map(time).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_span_of_hours_are_times() {
        for (text, both) in [
            ("von 17 bis 20 Uhr", ["17:00", "20:00"]),
            ("de noche (23-7 h) no", ["23:00", "7:00"]),
            ("entre 8 et 10 heures", ["8:00", "10:00"]),
            ("open 9-5 pm", ["9:00", "17:00"]),
            ("Büro 9–17h", ["9:00", "17:00"]),
            ("from 2 to 5:30 pm", ["14:00", "17:30"]),
        ] {
            assert_eq!(spans(text), both, "{text}");
        }
        for text in
            ["it takes 2 to 3 h", "it takes 17 to 20 h", "takes 9-17h", "pages 17 to 20", "30-40 h"]
        {
            assert_eq!(spans(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_day_between_a_slash_is_shown_by_its_lead_or_its_time() {
        assert_eq!(slashed("2/5 a las 21:00, 3/5 14h30"), ["2.5. 21:00", "3.5. 14h30"]);
        assert_eq!(slashed("el 2/5 pasada"), ["2.5."]);
        assert_eq!(slashed("3/5 tests pass at 21:00; 3/12 regions"), [""; 0]);
    }

    #[test]
    fn a_time_with_a_dot_is_shown_by_its_day() {
        assert_eq!(dotted("Castellane: June 23, 9.30."), ["9:30"]);
        assert_eq!(dotted("it starts 9.30"), ["9:30"]);
        assert_eq!(dotted("it costs 9.30, page 23, 9.30"), [""; 0]);
    }
}
