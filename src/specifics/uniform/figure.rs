//! Figures with what stands around them that says what they count.

use crate::letters::{is_hangul, is_part_of_word, is_unspaced};

use super::tables::{
    ASCII_WORDS, BEHIND_UNITS, CLOCK_WORDS, DAY_HALVES, ERAS, MONTH_WORDS, MONTHS, MYRIADS,
    NO_UNITS, UNITS, digit,
};

/// What is read from a place on.
pub(super) struct Reading {
    /// Where what was said ends.
    pub(super) end: usize,
    /// What stands for it.
    pub(super) text: String,
}

/// Whether anything in a text without letters beyond ASCII may be read otherwise than it is said: it has a word of another
/// language behind a figure, or a per cent sign in front of one.
pub(super) fn may_be_read(said: &str) -> bool {
    let bytes = said.as_bytes();
    let mut at = 0;
    while let Some(first) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + first;
        if start > 0 && bytes[start - 1] == b'%' && is_apart(said, start - 1) {
            return true;
        }
        at = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let word = at + spaces(&said[at..]);
        let rest =
            said[word..].split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if ASCII_WORDS.holds(rest) {
            return true;
        }
    }
    false
}

/// What is read otherwise than it is said from a place on: a figure with its unit, a day or a time. `None` if what stands there
/// is read sign by sign.
pub(super) fn read(said: &str, at: usize) -> Option<Reading> {
    let rest = &said[at..];
    let first = rest.chars().next()?;
    if is_in_word(said, at) {
        return None;
    }
    let told = match first {
        '%' if is_apart(said, at) => percent_in_front(rest),
        'y' | 'Y' if is_apart(said, at) => percent_in_words(rest),
        '百' if rest.starts_with(HUNDREDTHS) => hundredths(rest),
        _ if numeral(first).is_some() => in_words(rest).filter(|_| !is_behind_numeral(said, at)),
        '令' | '平' | '昭' => era(rest),
        '午' | '上' | '下' | '晚' | '早' | '凌' | '오' => half_day(rest),
        _ if digit(first).is_some() => {
            day(rest).or_else(|| clock(rest, None)).or_else(|| amount(rest))
        }
        _ => None,
    };
    told.map(|(len, text)| Reading { end: at + len, text })
}

/// Whether white space stands before a place, or a bracket, or nothing.
fn is_apart(said: &str, at: usize) -> bool {
    said[..at].chars().next_back().is_none_or(|sign| sign.is_whitespace() || sign == '(')
}

/// Whether a place lies within a word of letters that stand apart from others by spaces, or within a figure.
fn is_in_word(said: &str, at: usize) -> bool {
    let mut before = said[..at].chars().rev();
    match before.next() {
        // `第7次` is the seventh.
        Some('_' | '/' | '\\' | '第') => true,
        Some('.' | ',' | ':' | '-' | '٫' | '٬') => {
            before.next().is_some_and(|sign| digit(sign).is_some())
        }
        Some(sign) => digit(sign).is_some() || sign.is_alphabetic() && !is_unspaced(sign),
        None => false,
    }
}

/// Whether a number in Chinese words goes on at a place: `第二百次`.
fn is_behind_numeral(said: &str, at: usize) -> bool {
    said[..at].chars().next_back().and_then(numeral).is_some()
}

/// A figure and its length in bytes.
#[derive(Debug, Clone)]
struct Figure {
    /// In the digits of ASCII, with a dot or a comma where one stands.
    text: String,
    len: usize,
    /// Whether it is written so.
    is_plain: bool,
}

impl Figure {
    /// The one that a text begins with.
    fn of(rest: &str) -> Option<Self> {
        let mut figure = Self { text: String::new(), len: 0, is_plain: true };
        for (at, sign) in rest.char_indices() {
            let next_is_digit =
                || rest[at + sign.len_utf8()..].chars().next().and_then(digit).is_some();
            let written = match sign {
                _ if digit(sign).is_some() => digit(sign)?,
                '.' | ',' if next_is_digit() => sign,
                '٫' | '．' if next_is_digit() => '.',
                '٬' | '，' if next_is_digit() => ',',
                _ => break,
            };
            figure.is_plain &= written == sign;
            figure.text.push(written);
            figure.len = at + sign.len_utf8();
        }
        if is_indian(&figure.text) {
            figure.text.retain(|sign| sign != ',');
            figure.is_plain = false;
        }
        (figure.len > 0).then_some(figure)
    }

    /// As a whole number of few digits.
    fn whole(&self, most: u32) -> Option<u32> {
        self.text.parse().ok().filter(|&whole| whole <= most)
    }
}

/// Whether a figure is grouped as in India, where only the last three digits stand together: `12,50,000`.
fn is_indian(figure: &str) -> bool {
    let groups: Vec<&str> = figure.split(',').collect();
    groups.len() > 2
        && groups.last().is_some_and(|last| last.len() == 3)
        && groups[1..groups.len() - 1].iter().all(|group| group.len() == 2)
        && groups[0].len() < 3
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What stands behind a figure and one of some words, and perhaps a space, and the length of all of it.
fn number_behind(rest: &str, from: usize, most: u32, words: &[&str]) -> Option<(u32, usize)> {
    let from = from + spaces(&rest[from..]);
    let figure = Figure::of(&rest[from..])?;
    let number = figure.whole(most)?;
    let word = words.iter().find(|word| rest[from + figure.len..].starts_with(**word))?;
    Some((number, from + figure.len + word.len()))
}

fn spaces(rest: &str) -> usize {
    usize::from(rest.starts_with(' '))
}

/// `2026年5月12日`, `5월 12일`, `12 maja`, `12 tháng 5 năm 2026`.
fn day(rest: &str) -> Option<(usize, String)> {
    if let Some((year, end)) =
        number_behind(rest, 0, 2_999, &["年", "년"]).filter(|&(year, _)| year > 1_000)
    {
        return month_and_day(rest, end, Some(year));
    }
    month_and_day(rest, 0, None).or_else(|| day_and_month(rest))
}

/// The rest of a day behind its year, if that is told.
fn month_and_day(rest: &str, from: usize, year: Option<u32>) -> Option<(usize, String)> {
    let (month, end) = number_behind(rest, from, 12, &["月", "월"])?;
    let (day, end) = number_behind(rest, end, 31, &["日", "号", "號", "일"])?;
    let told =
        year.map_or(format!("{month}月{day}日"), |year| format!("{year}-{month:02}-{day:02}"));
    Some((end, told))
}

/// A day in front of its month, in a language of which the finders know no month.
fn day_and_month(rest: &str) -> Option<(usize, String)> {
    let figure = Figure::of(rest)?;
    let day = figure.whole(31)?;
    let behind = rest[figure.len..].strip_prefix(' ')?;
    let from = figure.len + 1;
    if let Some(month) = behind.strip_prefix("tháng ") {
        let number = Figure::of(month)?;
        let (name, _) = MONTHS.iter().find(|(_, nth)| Some(*nth) == number.whole(12))?;
        let end = from + "tháng ".len() + number.len;
        let year = rest[end..].strip_prefix(" năm ").and_then(Figure::of);
        let year_len = year.as_ref().map_or(0, |year| " năm ".len() + year.len);
        let year = year.map(|year| format!(" {}", year.text)).unwrap_or_default();
        return Some((end + year_len, format!("{day} {name}{year}")));
    }
    let (word, month) = word_of(behind, MONTH_WORDS)?;
    let (name, _) = MONTHS.iter().find(|(_, nth)| nth == month)?;
    let end = from + word;
    let year = rest[end..].strip_prefix(' ').and_then(Figure::of);
    match year.as_ref().and_then(|year| year.whole(2_999)) {
        // Of the era of the Buddha.
        Some(late) if late > 2_400 => {
            let year_len = year.map_or(0, |year| 1 + year.len);
            Some((end + year_len, format!("{day} {name} {}", late - 543)))
        }
        _ => Some((end, format!("{day} {name}"))),
    }
}

/// The entry of a table that a text begins with, and its length; the longest one. In scripts with spaces it ends a word.
fn word_of<'a, T>(rest: &str, table: &'a [(&str, T)]) -> Option<(usize, &'a T)> {
    let is_whole = |word: &str| {
        let mut behind = rest[word.len()..].chars();
        let next = behind.next();
        let mut is_joined =
            || next.is_some_and(is_joint) && behind.next().is_some_and(is_part_of_word);
        word.ends_with(is_unspaced) || !(next.is_some_and(is_part_of_word) || is_joined())
    };
    let found =
        table.iter().flat_map(|(words, what)| words.split(' ').map(move |word| (word, what)));
    found
        .filter(|(word, _)| rest.starts_with(word) && is_whole(word))
        .max_by_key(|(word, _)| word.len())
        .map(|(word, what)| (word.len(), what))
}

/// The unit that a text begins with, and its length; not one that other words begin with: `3次元`, `2분기`.
fn unit_of(rest: &str) -> Option<(usize, &'static &'static str)> {
    let (len, unit) = word_of(rest, UNITS)?;
    let next = rest[len..].chars().next();
    let goes_on = rest[..len].ends_with(is_hangul)
        && next.is_some_and(|next| is_hangul(next) && !BEHIND_UNITS.contains(next));
    (!goes_on && !NO_UNITS.iter().any(|word| rest.starts_with(word))).then_some((len, unit))
}

/// Whether a sign joins a word to another one: `maja.rs`.
fn is_joint(sign: char) -> bool {
    matches!(sign, '.' | '-' | '_' | '/' | '@' | '\\')
}

/// `令和8年5月12日`.
fn era(rest: &str) -> Option<(usize, String)> {
    let (name, before) = ERAS.iter().find(|(name, _)| rest.starts_with(name))?;
    let from = name.len();
    let (nth, end) = match rest[from..].strip_prefix("元年") {
        Some(_) => (1, from + "元年".len()),
        None => number_behind(rest, from, 99, &["年"])?,
    };
    month_and_day(rest, end, Some(before + nth))
}

/// `午後3時半`, `오후 3시`.
fn half_day(rest: &str) -> Option<(usize, String)> {
    let (word, later) = DAY_HALVES.iter().find(|(word, _)| rest.starts_with(word))?;
    let (end, time) = clock(&rest[word.len()..], Some(*later))?;
    Some((word.len() + end, time))
}

/// `14時30分`, `3点半`, so many hours later than it says if the half of the day is known.
fn clock(rest: &str, later: Option<u32>) -> Option<(usize, String)> {
    let (hour, end) = number_behind(rest, 0, 24, CLOCK_WORDS)?;
    let behind = &rest[end..];
    // How long something takes: `3時間`.
    if behind.starts_with(['間', '间']) {
        return None;
    }
    let hour = if hour < 12 { hour + later.unwrap_or_default() } else { hour };
    if behind.starts_with('半') {
        return Some((end + '半'.len_utf8(), format!("{hour}:30")));
    }
    let minutes = number_behind(rest, end, 59, &["分", "분"]);
    let (minute, end) =
        match minutes.filter(|(_, end)| !rest[*end..].starts_with(['間', '钟', '鐘'])) {
            Some(minutes) => minutes,
            // Points that are made are counted so, too.
            None if later.is_none() && rest[..end].ends_with(['点', '點']) => return None,
            None => (0, end),
        };
    Some((end, format!("{hour}:{minute:02}")))
}

/// `%3,5` as Turkish has it.
fn percent_in_front(rest: &str) -> Option<(usize, String)> {
    let figure = Figure::of(&rest[1..])?;
    let end = 1 + figure.len;
    // A code: `%20b`, `%5d`.
    (!rest[end..].starts_with(is_part_of_word)).then(|| (end, format!("{}%", figure.text)))
}

/// `yüzde 3,5` as Turkish has it, too.
fn percent_in_words(rest: &str) -> Option<(usize, String)> {
    let word = ["yüzde ", "Yüzde "].into_iter().find(|word| rest.starts_with(word))?;
    let figure = Figure::of(&rest[word.len()..])?;
    Some((word.len() + figure.len, format!("{}%", figure.text)))
}

/// What stands in front of a percentage in Chinese.
const HUNDREDTHS: &str = "百分之";

/// `百分之八十七`, `百分之87`.
fn hundredths(rest: &str) -> Option<(usize, String)> {
    let behind = &rest[HUNDREDTHS.len()..];
    let (number, len) = match Figure::of(behind) {
        Some(figure) => (figure.text, figure.len),
        None => Numeral::of(behind).map(|numeral| (numeral.value.to_string(), numeral.len))?,
    };
    Some((HUNDREDTHS.len() + len, format!("{number}%")))
}

/// A number in Chinese words with its unit, if it is no small one: those stand in other words, too.
fn in_words(rest: &str) -> Option<(usize, String)> {
    const LEAST: u64 = 20;
    let numeral = Numeral::of(rest).filter(|numeral| numeral.value >= LEAST)?;
    let (len, unit) = unit_of(&rest[numeral.len..])?;
    Some((numeral.len + len, format!("{} {unit}", numeral.value)))
}

/// A number in Chinese words and its length in bytes.
struct Numeral {
    value: u64,
    len: usize,
}

/// What a sign of such a number is: a digit, or what the digit before it is multiplied by.
fn numeral(sign: char) -> Option<u64> {
    const DIGITS: &str = "〇一二三四五六七八九";
    let digit = DIGITS.chars().position(|digit| digit == sign).map(|digit| digit as u64);
    digit.or(match sign {
        '两' => Some(2),
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1_000),
        '万' | '萬' => Some(10_000),
        '億' | '亿' => Some(100_000_000),
        _ => None,
    })
}

impl Numeral {
    fn of(rest: &str) -> Option<Self> {
        const MYRIAD: u64 = 10_000;
        // Longer ones are no numbers.
        const MOST_SIGNS: usize = 16;
        let signs = rest.chars().map_while(numeral).take(MOST_SIGNS);
        let (mut sum, mut part, mut digit) = (0_u64, 0_u64, 0_u64);
        let mut count = 0;
        for sign in signs {
            count += 1;
            match sign {
                0..=9 => digit = digit.checked_mul(10)?.checked_add(sign)?,
                10..MYRIAD => {
                    part = part.checked_add(digit.max(1).checked_mul(sign)?)?;
                    digit = 0;
                }
                _ => {
                    sum = sum.checked_add(part.checked_add(digit)?.max(1).checked_mul(sign)?)?;
                    (part, digit) = (0, 0);
                }
            }
        }
        let len = rest.chars().take(count).map(char::len_utf8).sum();
        Some(Self { value: sum.checked_add(part)?.checked_add(digit)?, len }).filter(|_| count > 0)
    }
}

/// A figure with its unit, or one that is not written as the finders read it.
fn amount(rest: &str) -> Option<(usize, String)> {
    let mut figure = Figure::of(rest)?;
    let is_great = in_myriads(rest, &mut figure);
    let gap = spaces(&rest[figure.len..]);
    let unit = unit_of(&rest[figure.len + gap..]);
    // A year is none, nor is a number by which something goes: `2026 года`, `8443번`.
    let is_few = |unit: &str| !["times", "years"].contains(&unit) || figure.text.len() < 4;
    // Letters right behind a figure are part of a name: `1.9sn`.
    let is_apart = |len: usize| gap > 0 || !rest[figure.len..figure.len + len].is_ascii();
    let unit = unit.filter(|(len, unit)| is_few(unit) && is_apart(*len));
    match unit {
        Some((len, unit)) => Some((figure.len + gap + len, format!("{} {unit}", figure.text))),
        None if figure.is_plain && !is_great => None,
        None => {
            let percent =
                ['%', '％', '٪'].into_iter().find(|sign| rest[figure.len..].starts_with(*sign));
            let len = figure.len + percent.map_or(0, char::len_utf8);
            Some((len, figure.text + if percent.is_some() { "%" } else { "" }))
        }
    }
}

/// Takes what a figure is multiplied by, and what is added to it: `1億2000万`. Whether it is.
fn in_myriads(rest: &str, figure: &mut Figure) -> bool {
    let mut sum = 0.0;
    let mut len = 0;
    let mut last: f64 = f64::INFINITY;
    while let Some(part) = Figure::of(&rest[len..])
        && let Some((sign, times)) =
            MYRIADS.iter().find(|(sign, _)| rest[len + part.len..].starts_with(*sign))
        && let Ok(count) = part.text.replace(',', "").parse::<f64>()
        && *times < last
    {
        sum += count * times;
        last = *times;
        len += part.len + sign.len_utf8();
    }
    if len > 0 {
        *figure = Figure { text: format!("{}", sum.round()), len, is_plain: false };
    }
    len > 0
}
