//! Codes that are worth nothing but whole: of bookings, tickets and customers, numbers of phones, DOIs. They come before the
//! numbers and dates, which would tear them.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::specifics::Kind;
use crate::specifics::scan::Scan;
use crate::specifics::token::{COLON, DIGIT, Token};
use crate::specifics::unit;
use crate::specifics::words::Words;

/// Signs around a code that are none of it.
const MARKS: [char; 16] =
    ['`', '"', '\'', '“', '”', '„', '(', ')', '[', ']', ',', ';', ':', '.', '!', '?'];

/// What has a code.
static CODED: Words = Words::new(
    "account aktenzeichen antrag application auftrag az bestellung booking buchung case certificate claim code confirmation \
     contract customer emergency form formular id invoice issue kennung kundennr licence license locator manuscript member membership \
     model order parcel part passport permit planning policy ref reference referenz registration reservation serial \
     shipment ticket tracking vat vertrag voucher vorgang",
);

/// What has a number that is dialled.
static DIALLED: Words = Words::new(
    "appelle appeler bel call celular chiama contact durchwahl emergency ext extension fax handy helpline hotline mobil mobile notruf phone rufnummer telefon \
     telephone tel teléfono telefono telefoon téléphone llamar llamo llámalo llámala llámame móvil numéro número portable whatsapp",
);

/// Words that may stand between both.
static LINKS: Words = Words::new("= code id is ist lautet n no nr num number nummer was");

/// Of which of them a code is one without a word for what has it.
static NUMBERS: Words = Words::new("id n no nr number nummer ref reference");

/// Words behind the last of several groups of digits, or the only one, that are counted by none.
static BEHIND: Words = Words::new("and but if oder or und which");

/// Words of a sentence through which the number of a phone may be told.
const REACH: usize = 6;

/// Takes the codes of a message.
pub(in crate::specifics) fn find(scan: &mut Scan<'_>) {
    let (text, tokens) = (scan.text, scan.tokens);
    let mut nth = 0;
    while nth < tokens.len() {
        let found = if tokens[nth].has(DIGIT) { code(text, tokens, nth) } else { None };
        let Some(place) = found else {
            nth += 1;
            continue;
        };
        nth += tokens[nth..].partition_point(|token| token.place.start() < place.end);
        scan.claim_free(place, Kind::Identifier);
    }
}

/// The code that begins with a word.
fn code(text: &str, tokens: &[Token], nth: usize) -> Option<Range<usize>> {
    let place = tokens[nth].place.range();
    if let Some(doi) = doi(&text[place.clone()]) {
        return Some(place.start + doi.start..place.start + doi.end);
    }
    let bare = bare(text, &place);
    let said = &text[bare.clone()];
    if is_stamped(said) {
        return Some(bare);
    }
    if is_whole(said) || tokens[nth].has(COLON) && is_address(said) {
        return Some(bare);
    }
    if let Some(end) = account_end(text, tokens, nth) {
        return Some(bare.start..end);
    }
    let before = &tokens[nth.saturating_sub(REACH)..nth];
    if is_mixed(said) {
        return (is_led(text, before) || ends_so(text, before)).then_some(bare);
    }
    let digits = said.trim_start_matches(['-', '+']);
    let is_figure = |said: &str| !said.is_empty() && said.bytes().all(|b| b.is_ascii_digit());
    if !is_figure(digits) {
        return None;
    }
    let (end, groups) = groups(text, tokens, nth);
    let country = if groups > 1 { country(text, before) } else { None };
    let before = if country.is_some() { &before[..before.len() - 1] } else { before };
    let count = text[bare.start..end].bytes().filter(u8::is_ascii_digit).count();
    let is_long = groups > 2 && (8..=13).contains(&count) && !is_grouped(&text[bare.start..end]);
    let is_card =
        groups == 4 && count == 16 && text[bare.start..end].split(' ').all(|one| one.len() == 4);
    let told = is_card
        || groups > 1 && count > 5 && is_numbered(text, before)
        || is_long && is_dialled(text, before)
        || groups == 1
            && count > 2
            && (count > 3 && is_numbered(text, before)
                || is_called(text, before)
                || is_extension(text, before))
            && ends(text, tokens, nth)
        || groups == 1 && count == 4 && ends_so(text, before);
    let start = place.start
        + (text[place.clone()].len()
            - text[place.clone()].trim_start_matches(['-', '(', '"', '`']).len());
    told.then(|| country.unwrap_or(start)..end)
}

/// Where the number of a bank account ends that begins with the letters of a country and two digits, in groups of four: `ES91 2100
/// 0418 4502 0005 1332`.
fn account_end(text: &str, tokens: &[Token], nth: usize) -> Option<usize> {
    const GROUP: usize = 4;
    const FEWEST: usize = 3;
    let head = bare(text, &tokens[nth].place.range());
    let (country, check) = text[head.clone()].split_at_checked(2)?;
    let begins = country.bytes().all(|b| b.is_ascii_uppercase())
        && check.len() == 2
        && check.bytes().all(|b| b.is_ascii_digit());
    let (mut end, mut groups, mut is_open) = (head.end, 0, begins);
    for next in tokens[nth + 1..].iter().take_while(|_| begins) {
        let group = bare(text, &next.place.range());
        let is_group = (1..=GROUP).contains(&group.len())
            && group.start == end + 1
            && text[group.clone()].bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        if !is_open || !is_group {
            break;
        }
        is_open = group.len() == GROUP;
        (end, groups) = (group.end, groups + 1);
    }
    (groups >= FEWEST).then_some(end)
}

/// Where the letters of a country begin that a word is, in front of a number: `GB 384 2217 09`.
fn country(text: &str, words: &[Token]) -> Option<usize> {
    let place = words.last()?.place.range();
    let is_one = place.len() == 2 && text[place.clone()].bytes().all(|b| b.is_ascii_uppercase());
    is_one.then_some(place.start)
}

fn bare(text: &str, place: &Range<usize>) -> Range<usize> {
    let word = &text[place.clone()];
    let end = place.start + word.trim_end_matches(MARKS).len();
    let start = place.end - word.trim_start_matches(MARKS).len();
    start.min(end)..end
}

/// Whether a word is a name that ends with the day and the time at which it was made: `etcd-2026-03-20T18-00`.
fn is_stamped(word: &str) -> bool {
    const STAMP: &str = "0000-00-00T00";
    let is_like = |stamp: &str, form: &str| {
        stamp.len() >= form.len()
            && stamp.bytes().zip(form.bytes()).all(|(sign, form)| match form {
                b'0' => sign.is_ascii_digit(),
                b'T' => matches!(sign, b'T' | b't' | b'_'),
                form => sign == form,
            })
    };
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_rest = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || "-_:Z".contains(c));
    word.match_indices(['-', '_']).any(|(at, _)| {
        let (name, stamp) = (&word[..at], &word[at + 1..]);
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(is_sign)
            && is_like(stamp, STAMP)
            && is_rest(&stamp[STAMP.len()..])
    })
}

/// A DOI, also in brackets: `10.5281/zenodo.1388812`.
fn doi(word: &str) -> Option<Range<usize>> {
    let at = word.find("10.")?;
    let behind = &word[at + 3..];
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let is_doi = (4..=9).contains(&digits) && behind[digits..].starts_with('/');
    if !is_doi || word[..at].ends_with(|c: char| c.is_alphanumeric() || "./-".contains(c)) {
        return None;
    }
    let end = behind.find(['}', '"', '\'', '>', ']', '`', '“', '”']).unwrap_or(behind.len());
    let rest = behind[..end].trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
    (rest.len() > digits + 1).then_some(at..at + 3 + rest.len())
}

/// Whether a word is the address of a host, or of several, that is in groups with colons: `fe80::1`, `2001:db8::/32`. With two
/// colons and no digit in front of them it may be a path in code: `c::f64`.
fn is_address(word: &str) -> bool {
    let (address, length) = word.split_once('/').unwrap_or((word, "0"));
    let first = address.split(':').next().unwrap_or_default();
    let is_telling =
        address.matches(':').count() > 2 || first.contains(|c: char| c.is_ascii_digit());
    is_telling && address.parse::<Ipv6Addr>().is_ok() && length.parse::<u8>().is_ok()
}

/// Whether a word is a code by its form: three parts or more of capitals or digits each, both of them among these.
fn is_whole(word: &str) -> bool {
    const MONTHS: [&str; 14] = [
        "JAN", "FEB", "MAR", "MRZ", "APR", "MAY", "MAI", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV",
        "DEC",
    ];
    let slashed = word.contains('/');
    let capitals = |part: &&str| part.bytes().all(|b| b.is_ascii_uppercase());
    let digits = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    let parts = || word.split(['-', '/']);
    // With slashes it may be a list of short ones.
    let fewest = if slashed { 4 } else { 3 };
    parts().count() > 2
        && parts()
            .all(|part| !part.is_empty() && (capitals(&part) && part.len() < 7 || digits(&part)))
        && parts().any(|part| digits(&part) && part.len() >= fewest)
        && parts().any(|part| capitals(&part))
        && !parts().any(|part| MONTHS.contains(&part))
}

/// Whether a word may be a code: letters and digits, or long groups of digits, that are no measure, time or word.
fn is_mixed(word: &str) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 4..=40;
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'/');
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !LENGTHS.contains(&word.len())
        || !plain
        || !ends(word.chars().next())
        || !ends(word.chars().next_back())
    {
        return false;
    }
    let mut parts = word.split(['-', '/']);
    if !word.contains(|c: char| c.is_ascii_alphabetic()) {
        // Less may be a date or a range.
        return parts.clone().count() > 1 && parts.any(|part| part.len() > 4)
            || is_numbered_pair(word);
    }
    let is_measure = |part: &str| {
        let unit = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let small = |b: u8| b.is_ascii_lowercase();
        let capital = |b: u8| b.is_ascii_uppercase();
        unit.len() < part.len()
            && unit.len() < 5
            && (unit.bytes().all(small)
                || unit.bytes().all(capital)
                || unit::canonical(unit).is_some())
    };
    let is_word = |part: &str| part.len() > 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let is_measure =
        is_measure(word) || parts.clone().all(|part| part.len() < 5 && is_measure(part));
    has_digit && !is_measure && !parts.any(is_word)
}

/// Whether two groups of digits are a number of a year or of an account: `2024/0093`, `7710-443`; of two years they are a
/// season.
fn is_numbered_pair(word: &str) -> bool {
    const DIGITS: usize = 7;
    let is_year = |part: &str| {
        part.len() == 4 && ["19", "20"].iter().any(|century| part.starts_with(century))
    };
    let parts: Vec<&str> = word.split(['-', '/']).collect();
    let [first, last] = parts[..] else { return false };
    first.len() + last.len() >= DIGITS && first.len() > 2 && !(is_year(first) && is_year(last))
}

/// The word that some end with, without its marks, in small letters; none if a sentence or a clause ends there.
fn last<'t>(text: &'t str, words: &[Token]) -> Option<&'t str> {
    let word = &text[words.last()?.place.range()];
    let closed = word.ends_with([',', ';', '!', '?', ')']);
    (!closed).then(|| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '='))
}

/// The words in front of those between what has a code and the code, and whether one of these is a number.
fn led<'w>(text: &str, words: &'w [Token]) -> (&'w [Token], bool) {
    const MOST: usize = 2;
    let (mut rest, mut numbered) = (words, false);
    for _ in 0..MOST {
        let Some(word) = last(text, rest).filter(|word| word.is_empty() || LINKS.hold_lower(word))
        else {
            break;
        };
        numbered |= NUMBERS.hold_lower(word);
        rest = &rest[..rest.len() - 1];
    }
    (rest, numbered)
}

/// Whether words say that a code stands behind them: `confirmation number is`, `Ticket`, `ref:`.
fn is_led(text: &str, words: &[Token]) -> bool {
    let (rest, numbered) = led(text, words);
    let in_between = rest.len() < words.len();
    numbered
        || last(text, rest).is_some_and(|word| CODED.hold_lower(word) || is_number(word))
        || in_between && last(text, &words[..=rest.len()]).is_some_and(|word| word == "code")
}

/// Whether words say that the number of something stands behind them: `Kundennummer ist`, `emergency number is`.
fn is_numbered(text: &str, words: &[Token]) -> bool {
    let (rest, numbered) = led(text, words);
    let named = |word: &str| CODED.hold_lower(word) || DIALLED.hold_lower(word);
    last(text, rest).is_some_and(|word| is_number(word) || numbered && named(word))
}

/// Whether a word is the number of something: `Kundennummer`.
fn is_number(word: &str) -> bool {
    const SHORTEST: usize = 9;
    let lower = word.to_lowercase();
    lower.len() > SHORTEST && lower.ends_with("nummer")
        || lower.len() > 5 && (lower.ends_with("-nr") || lower.ends_with("nr."))
}

/// The same for what somebody is called by, which may be short: `the emergency number is 112`.
fn is_called(text: &str, words: &[Token]) -> bool {
    let (rest, numbered) = led(text, words);
    numbered && last(text, rest).is_some_and(|word| DIALLED.hold_lower(word))
}

/// The same for what is called by it: `the extension is`, `Durchwahl`. Right behind `extension` it is a number with a label.
fn is_extension(text: &str, words: &[Token]) -> bool {
    let (rest, _) = led(text, words);
    let told = |word: &str| match &*word.to_lowercase() {
        "durchwahl" | "hotline" | "notruf" => true,
        "extension" | "ext" => rest.len() < words.len(),
        _ => false,
    };
    last(text, rest).is_some_and(told)
}

/// Whether words say that somebody may be called.
fn is_dialled(text: &str, words: &[Token]) -> bool {
    words.iter().any(|word| {
        let word = text[word.place.range()].trim_matches(|c: char| !c.is_alphanumeric());
        DIALLED.hold_lower(word) || word == "number" || is_number(word)
    })
}

/// Whether words say with what a code ends: `the key ends in 9fQx`.
fn ends_so(text: &str, words: &[Token]) -> bool {
    let [.., verb, link] = words else { return false };
    let (verb, link) = (&text[verb.place.range()], &text[link.place.range()]);
    matches!(verb, "ends" | "ending" | "endet" | "endend") && matches!(link, "in" | "with" | "auf")
}

/// Where groups of digits end that begin with a word, and how many they are.
fn groups(text: &str, tokens: &[Token], nth: usize) -> (usize, usize) {
    const LONGEST: usize = 5;
    let mut end = bare(text, &tokens[nth].place.range()).end;
    let mut groups = 1;
    for pair in tokens[nth..].windows(2) {
        let (before, next) = (pair[0].place.range(), pair[1].place.range());
        let group = bare(text, &next);
        let is_next = before.end == end && end + 1 == next.start && group.start == next.start;
        let is_group = (2..=LONGEST).contains(&group.len())
            && text[group.clone()].bytes().all(|b| b.is_ascii_digit());
        if !is_next || !is_group {
            break;
        }
        (end, groups) = (group.end, groups + 1);
    }
    (end, groups)
}

/// Whether groups of digits are those of one number: `1 234 567`.
fn is_grouped(said: &str) -> bool {
    let mut groups = said.split(' ');
    groups.next().is_some_and(|first| first.len() < 4) && groups.all(|group| group.len() == 3)
}

/// Whether nothing stands behind a word that it may count.
fn ends(text: &str, tokens: &[Token], nth: usize) -> bool {
    let place = tokens[nth].place.range();
    text[place.clone()].ends_with(['.', ',', ';', '!', '?', ')', '"'])
        || tokens
            .get(nth + 1)
            .is_none_or(|next| next.begins_line || BEHIND.holds(&text[next.place.range()]))
}
