//! Names that only make sense letter by letter: names in code, environment variables, hashes, versions,
//! tickets, booking codes, mail and IP addresses, phone numbers. Keys and passwords are left alone.

pub(super) mod coded;
mod common;
mod product;
pub(super) mod schedule;
mod setting;

use std::ops::Range;

use super::Kind;
use super::code::{Code, is_of_code};
use super::pattern::Pattern;
use super::scan::{Scan, stands_alone, word_before};
use super::secret::is_secret;
use super::token::{CAPITAL, CODE, COLON, DIGIT, DOT, SLASH, WIDE};
use super::words::Words;

pub(super) use product::{is_product, is_versioned};

/// The longest identifier in bytes.
const LONGEST: usize = 80;

/// What is an identifier wherever it stands.
static SHAPES: Pattern = Pattern::new(|| {
    r"(?x)
    \b[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b
    | \b[A-Za-z0-9_.-]+@\d+(?:\.\d+)+\b
    | \b(?:[A-Z][A-Z0-9_]+|[A-Za-z][\w.]*_\w+)=(?:[^\s`'\x22,;()=][^\s`'\x22,;()]*)?[\w/]
    | \b[A-Za-z][\w.-]{2,}=\d[\w.]*\b
    | \b(?:[A-Za-z]\w*(?:[.-]\w+)+|[A-Za-z]\w*[a-z][A-Z]\w*)=[A-Za-z][\w-]*\w\b
    | --[a-z][a-z0-9-]+(?:=(?:[^\s`'\x22,;()=][^\s`'\x22,;()]*)?[\w/]|\x20\d[\w.]*\b)
    | \b0\d{2,4}[\x20/-]\d{3,}(?:[\x20-]\d{2,})*\b
    | \b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b
    | \b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\b
    | \+\d{1,3}(?:[\x20\-./()]{0,2}\d{2,5}){2,6}\b
    | \b[A-Z]{2}\d{2}(?:\x20?[A-Z0-9]{4}){2,7}(?:\x20?[A-Z0-9]{1,3})?\b
    | \b[A-Z]{2,3}\x20\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\b
    | \b[A-Za-z]{0,3}\d+\.\d+\.\d+(?:(?:alpha|beta|rc|a|b|f|p)\d{1,3}|[-+.][\w.+-]*\w)?\b
    | \bv\d+(?:\.\d+)+\b
    | \bv\d{2,5}\b
    | \b(?:19|20)\d{2}-\d{3}\b
    | \bCVE-\d{4}-\d{4,7}\b
    | \b\d{4}-\d{2}-\d{2}\.[a-z]{3,12}\b
    | \bGHSA(?:-[0-9a-z]{4}){3}\b
    | \b(?:sha\d{1,3}|md5):[0-9a-f]{6,128}\b
    | \b[A-Z]{2,10}(?:-[A-Z]{1,10})+-\d{1,6}\b
    | \b[a-z]{4}\.\d{3}\.\d{3}\.\d{2}\b
    | \b[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+\.v\d{1,3}\b
    | \b[a-z][a-z0-9]*(?:-[a-z0-9]+)*\#\d{2,7}\b
    | \b[A-Z][A-Z0-9]{0,9}-\d{2,4}-\d{1,6}[A-Z]\b
    | \bEPSG:\d{4,6}\b
    | \barXiv:\d{4}\.\d{4,5}(?:v\d{1,2})?\b
    | \b(?:ASTM|DIN|EN|IEC|IEEE|ISO)(?:[/\x20](?:EN|IEC|ISO))*\x20\d{3,6}(?:-\d{1,3}){1,3}\b
    | \b[a-z][a-z0-9]*(?:[-./][a-z0-9]+)+:v?\d{1,4}(?:\.\d{1,4}){1,3}\b
    | \b[a-z][a-z0-9]{2,}:v?\d{1,4}(?:\.\d{1,4}){2}\b
    | \b[A-Z]{2,}[A-Za-z]*ErrorDomain\x20-?\d{1,5}\b
    | \b\d{2,3}/\d{3,4}/\d{5}\b
    | \b[A-Z][A-Z0-9]{0,9}(?:-\d{2,4})?-\d{1,12}\b
    | \b[A-Z]{2,}-[A-Z]+\d+\b
    | \b[A-Z]+\d+-[A-Z]{2,}\b
    | \b[A-Z]{2,10}-\d+[A-Z][0-9A-Z]*\b
    | -X(?:mn|ms|mx|ss)\d+[gkmGKM]?\b
    | \b[A-Z]\w*\#[a-z]\w*_\w+
    | \b(?:[A-Z][a-z0-9]+){2,}\#[a-z]\w*
    | \b(?:atomic|bytes|context|errors|exec|filepath|fmt|http|json|net|os|reflect|rpc|sql|strings|sync|tls|unsafe|url|xml|zip)\.(?:[A-Z][a-z]+(?:\d+|[A-Z]\w*)|[A-Z]{2,}[a-z]\w*)\b
    | \bC\+\+\d{2}\b
    | \b(?:bugfix|chore|feat|feature|fix|hotfix|perf|refactor|release|spike|wip)/\w*[-\d][\w.-]*\w\b
    | \b[A-Z][a-z]{2,}-\d[0-9A-Z]{2,}\b
    | \b(?:Get|Import|Export|Invoke|Register|Set|Unregister|Write)-[A-Z][a-z]{2,}[A-Za-z]*\b
    | \b(?:Add|Clear|Disable|Enable|Install|New|Remove|Restart|Start|Stop|Test|Update)-(?:[A-Z][a-z]+){2,}\b
    | \b(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific)/[A-Z][A-Za-z_]+\b
    | \b[a-z][a-z0-9]*-\d+\.\d+\b
    | \b[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[a-z]*\d[a-z0-9]*(?:-[a-z0-9]+)*\b
    | \b\d{1,6}(?:-\d{1,7}){2,5}(?:-[A-Z]{1,3})?\b
    | \b\d{3,}-[A-Z]{1,3}\b
    | \b\d{2,3}-\d{5,8}\b
    | \b\d{4}:\d{6,12}\b
    | \b[a-z][a-z0-9-]*\[0\d{1,3}:\d{2,4}\]
    | @[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b
    | \b[a-z][a-z0-9_]+(?:\.[a-z][a-z0-9_]+){2,5}\b
    | \#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?\b
    | \#[a-z][a-z0-9_]*(?:-[a-z0-9_]+)*\b
    | [\#!]\d{2,7}\b
    | §§?\x20?\d{1,4}[a-z]?(?:\x20[A-Z][A-Za-z]{1,6})?\b
    | \b0x[0-9A-Fa-f]+\b
    | \b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b
    | \bX-[A-Za-z]+(?:-[A-Za-z0-9]+)*\b
    | \b(?:arn|urn):[\w:/.*-]+\w
    | \bU\+[0-9A-F]{4,6}\b
    | \b\d{3}-\d{4}\b
    | \b\d{1,3}\([a-z]\)
    | \b[A-Z](?:[a-z]{2,}-\d{1,4}|[a-z]-\d{2,3})\b
    | \b[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:api|bucket|db|lru|proxy|queue|srv|svc|worker)\b
    | \b[a-z][a-z0-9]*(?:-[a-z0-9]+)+-(?:eu|prod|staging|stg)\b
    | \b(?:[a-z]{2,5}\.)?[a-z]{1,3}\d[a-z]{0,3}\.(?:nano|micro|small|medium|(?:\d{0,2}x)?large|metal)\b
    | \b[A-Za-z_][\w.:]*\(\)
    | \b[A-Za-z]\w*(?:::\w+)+(?:\(\))?
    | \$\{?[A-Z_][A-Z0-9_]*\}?
    | %[A-Z_]{2,}%
    | \b[a-z][a-z0-9]*(?:__?[a-z0-9]+)+\b
    | \b_?[A-Za-z0-9]+(?:__?[A-Za-z0-9]+)+\b
    | \b[a-z]+[a-z0-9]*(?:[A-Z]+[a-z0-9]+)+_?\b
    | \b(?:[A-Z][a-z0-9]+){2,}(?:[A-Z]{2,4})?\b
    | \b[A-Z]{2,}[a-z]+[0-9]*(?:[A-Z]+[a-z0-9]+)+\b
    | \b[A-Z]{3,}[a-z]{3,}[0-9]*\b
    | \b(?:com|de|dev|fr|io|net|org|uk)(?:\.[a-z][a-z0-9_-]*)+\.[A-Za-z]\w*\b
    | \b(?i:bit|n?char|datetime2?|decimal|number|numeric|time|timestamp|varbinary|n?varchar2?)\(\d{1,4}(?:,\x20?\d{1,3})?\)
    | \b(?:[A-Z]+\d|\d+[A-Z])[A-Z0-9]*(?:-[A-Z0-9]{2,8}){2,}\b
    | \b[A-Z]{2,6}\x20\d{3,5}-\d{3,5}\b
    | \b\d{1,3}\.\d{1,3}-\d{2,5}/\d{2,4}\b
    | \b[A-Z]{2,3}\x20?\d{3,4}\b
    | \b(?:COM|GPIO|P[ABDEF]|UART)\d{1,2}\b
    | \b[A-Z]{2,4}/\d{2,4}/\d{3,6}\b
    | \b\d{2}-\d{4}/\d{1,2}\b
    | \b[A-Z]\d{3}\b
    | \b[A-Z]{2,3}\d{3,4}[a-z]\b
    | \b[a-z]\d{4,}\b
    | \b[A-Z0-9]{5,20}\b
    | \b[0-9a-f]{7,64}\b
    | \b[a-z]{2,}\d{2,}[a-z]?\b
    | --[a-z][a-z0-9-]+\b"
        .into()
});

/// A version that the word before it explains: `Python 3.12`, `version 2`.
static VERSION: Pattern = Pattern::new(|| {
    r"\b(?:(?i:version|release|v\.|python|node|ruby|php|java|go|rust|react|pandas|numpy|postgres|django|npm|kernel)|[A-Z][A-Za-z+#.]+)\x20(\d{1,4}\.\d{1,3}(?:\.\d{1,4})*(?:-?(?:rc|beta|alpha|b|a)\.?\d*)?)\b".into()
});

/// What may be set.
static VALUE: Pattern = Pattern::new(|| {
    r"^\x20=\x20(?:(?:false\x20->\x20true|true\x20->\x20false)|\d[\w.]*|(?i:true|false|none|null)|on|off)\b".into()
});

/// A name that the word before it explains: `namespace payments-prod`, `the branch is feature/login`.
static NAMED: Pattern = Pattern::new(|| {
    r"\b(?i:branch|bucket|cluster|container|database|deployment|host|image|index|label|namespace|package|pod|project|queue|repo|repository|secret|service|tag|topic|volume|wachtrij|(?:check|job|policy|profile|role|rule|schedule|secret|stage|step|work|workflow)\x20name)(?:\x20is|\x20called|\x20named|:)?\x20([A-Za-z0-9][\w.]*(?:[-/][\w.]+)+)|\b(?i:app|channel|group|host|lane|name|queue|schedule|server|table|workspace)(?:\x20is|\x20called|\x20named|:)?\x20[\x22“]([a-z0-9]+(?:-[a-z0-9]+)+)[\x22”]"
        .into()
});

/// One word of code.
static WORD: Pattern =
    Pattern::new(|| r"^[@$#.\\]?[A-Za-z_][\w.:@/$+<>*-]*(?:\(.{0,60}\)|\[\w*\]|!)?$".into());

/// What stands behind a `#` in code, and is no channel.
static DIRECTIVES: Words = Words::new(
    "define elif else endif endregion error file ifdef ifndef include line pragma region undef warning",
);

fn is_small(sign: char) -> bool {
    sign.is_ascii_lowercase()
}

/// Takes the identifiers of a message.
pub(super) fn find(scan: &mut Scan<'_>, code: &[Code]) {
    let text = scan.text;
    setting::find_switches(scan, code);
    for span in code.iter().filter(|span| span.fence.is_none()) {
        let place = span.place.clone();
        let word = &text[place.clone()];
        let fits = word.len() <= LONGEST && word.len() > 1 && !is_secret(word);
        if fits && (WORD.is_in(word) || setting::is_given(word) && !is_kept_secret(word)) {
            scan.claim_free(place, Kind::Identifier);
        }
    }
    for shape in scan.around(DIGIT | CAPITAL | CODE | COLON | DOT | WIDE, 0, 0).all(&SHAPES) {
        let (place, word) = (shape.range(), shape.as_str());
        let place = if is_of_code(word) { with_value(text, place) } else { place };
        let place = with_rest(text, with_groups(text, place));
        // The word in front of an address is none of it: `DNS 10.0.0.1`.
        let named = word.split_once(' ').filter(|(name, rest)| {
            rest.contains('.') && name.bytes().all(|byte| byte.is_ascii_uppercase())
        });
        let place = place.start + named.map_or(0, |(name, _)| name.len() + 1)..place.end;
        let word = &text[place.clone()];
        // Of what has a value that is a path or a secret, only the name.
        let name = word.split('=').next().unwrap_or_default();
        let bare = name.len() < word.len()
            && (!scan.is_free(&place) || is_kept_secret(word) || goes_on(&text[place.end..]));
        let (place, word) =
            if bare { (place.start..place.start + name.len(), name) } else { (place, word) };
        let fits = word.len() <= LONGEST
            && stands_alone(text, &place)
            && !is_secret(word)
            && !(word.starts_with('@') && text[place.end..].starts_with('/'))
            && !(word.contains(' ') && has_decimals(&text[place.end..]));
        if fits && common::is_common(word) {
            scan.block(place, Kind::Identifier);
            continue;
        }
        if fits && says_something(word) {
            take(scan, place);
        }
    }
    for named in scan
        .around(CODE | SLASH, 2, 0)
        .groups(&NAMED)
        .iter()
        .filter_map(|groups| groups.get(1).or_else(|| groups.get(2)))
    {
        let bare = named.as_str().trim_end_matches('.');
        if bare.len() <= LONGEST && !is_secret(bare) {
            scan.claim_free(named.start()..named.start() + bare.len(), Kind::Identifier);
        }
    }
    let figures = scan.around(DOT | WIDE, 1, 0);
    for version in figures.groups(&VERSION).iter().filter_map(|groups| groups.get(1)) {
        // Less than one it is hardly a version without the name of what has that: `OR 0.84`.
        let is_share = version.as_str().starts_with("0.")
            && version.as_str().matches('.').count() == 1
            && version.as_str().ends_with(|c: char| c.is_ascii_digit())
            && product::with_name(text, &version.range(), scan.german).is_none();
        let told =
            || matches!(&*word_before(text, version.start()).to_lowercase(), "release" | "version");
        if !is_amount(text, &version.range()) && (!is_share || told()) {
            take(scan, version.range());
        }
    }
    product::find(scan);
}

/// Whether what may be a version has thousands apart, or decimals behind them: `Furniture 1.231,20`.
fn is_amount(text: &str, place: &Range<usize>) -> bool {
    let parts: Vec<&str> = text[place.clone()].split('.').collect();
    let rest = text[place.end..].strip_prefix(',');
    let has_cents = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_thousands = matches!(parts[..], [_, last] if last.len() == 3);
    let told = matches!(&*word_before(text, place.start).to_lowercase(), "release" | "version");
    has_cents || is_thousands && !told
}

/// Takes an identifier if nobody has claimed its place; of a version the product too, which may be a name by itself.
fn take(scan: &mut Scan<'_>, place: Range<usize>) {
    if !scan.is_free(&place) {
        return;
    }
    match product::with_name(scan.text, &place, scan.german) {
        Some(whole) => {
            scan.block(place, Kind::Identifier);
            scan.note(whole, Kind::Identifier);
        }
        None => scan.claim(place, Kind::Identifier),
    }
}

/// Whether a word of a suspicious shape is one in truth: codes and hashes mix letters and digits.
fn says_something(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric());
    if let Some(channel) = word.strip_prefix('#').filter(|word| word.starts_with(is_small)) {
        return channel.contains('-') || channel.len() > 3 && !DIRECTIVES.holds(channel);
    }
    if !plain {
        // `diff --git` heads what a program wrote.
        return letters + digits > 1 && word != "--git";
    }
    if word.chars().all(|c| c.is_ascii_digit()) {
        return word.starts_with('0') && digits > 5 || digits > 7;
    }
    let lower = word.chars().any(|c| c.is_ascii_lowercase());
    let upper = word.chars().any(|c| c.is_ascii_uppercase());
    if upper && lower {
        return true;
    }
    letters > 0 && digits > 0
}

/// Whether what stands behind a value is more of it: the arguments of a call, the day of a month.
fn goes_on(rest: &str) -> bool {
    let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    rest.starts_with(['(', '[']) || rest.starts_with(' ') && digit(rest.trim_start_matches(' '))
}

/// A name with the value that stands behind it: `max_connections = 250`.
fn with_value(text: &str, place: Range<usize>) -> Range<usize> {
    let value =
        if text[place.end..].starts_with(" = ") { VALUE.first(&text[place.end..]) } else { None };
    place.start..place.end + value.map_or(0, |value| value.end())
}

/// A number with the groups of digits that a hyphen joins to it: `ID 8841-22-0907`.
fn with_groups(text: &str, place: Range<usize>) -> Range<usize> {
    let is_number = text[..place.end].ends_with(|c: char| c.is_ascii_digit());
    let mut end = place.end;
    // The rest of a version, too: `BL-1.6`.
    let joints: &[char] =
        if is_named_by_hyphen(&text[place.clone()]) { &['-', '.'] } else { &['-'] };
    // What is longer is none: whether more belongs to it need not be known.
    while is_number
        && end - place.start <= LONGEST
        && let Some(rest) = text[end..].strip_prefix(joints)
    {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || rest[digits..].starts_with(char::is_alphabetic) {
            break;
        }
        end += 1 + digits;
    }
    place.start..end
}

/// Whether letters and a short number with a hyphen between them are the beginning of a word.
fn is_named_by_hyphen(word: &str) -> bool {
    const LONGEST: usize = 3;
    let (name, digits) = word.split_once('-').unwrap_or_default();
    let is_version =
        |digits: &str| digits.split('.').all(|part| (1..=LONGEST).contains(&part.len()));
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && is_version(digits)
}

/// A name with what belongs to it on both sides.
fn with_rest(text: &str, place: Range<usize>) -> Range<usize> {
    let word = &text[place.clone()];
    let is_name = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        && word.bytes().any(|b| b.is_ascii_lowercase());
    if is_name { start_of(text, &place)..end_of(text, place.end) } else { place }
}

/// Where a name ends with what a hyphen joins to it: `NodeRole-orbital`.
fn end_of(text: &str, mut end: usize) -> usize {
    let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    while let Some(rest) = text[end..].strip_prefix('-').filter(|rest| rest.starts_with(is_small)) {
        let part = rest.split(|c| !goes_on(c)).next().unwrap_or_default();
        let ends = !rest[part.len()..].starts_with(char::is_alphanumeric);
        let says_how = part.ends_with("ed") || part.ends_with("ing") || SUFFIXES.holds(part);
        if says_how || !ends {
            break;
        }
        end += 1 + part.len();
    }
    end
}

/// Where a name that has a hyphen or an underscore begins with the names in front of it: `distroless/cc-debian12`,
/// `auth.jwt.allow_unsigned`.
fn start_of(text: &str, place: &Range<usize>) -> usize {
    let word = &text[place.clone()];
    let joint = if word.contains('_') { '.' } else { '/' };
    let lead = &text[..place.start];
    if !word.contains(['-', '_']) || !lead.ends_with(joint) {
        return place.start;
    }
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint;
    let before = lead.trim_end_matches(is_part);
    let names = &lead[before.len()..place.start - 1];
    let is_whole = names.starts_with(is_small)
        && names.split(joint).all(|name| !name.is_empty())
        && before.chars().next_back().is_none_or(|c| c.is_whitespace() || "`\"'(".contains(c));
    if is_whole { before.len() } else { place.start }
}

/// Words behind a hyphen that say of what sort something is, and are no part of its name: `SQLite3-based`.
static SUFFIXES: Words = Words::new(
    "aware bound class compatible compliant dependent driven first free heavy in is ish level like long native off on only or \
     out part per ready safe side specific style to up wide",
);

/// The longest value of digits that is surely no secret: `max_tokens=512`.
const LONGEST_NUMBER: usize = 8;

/// Whether the name of a setting says that nobody should copy its value, or the value does.
fn is_kept_secret(setting: &str) -> bool {
    const NAMES: [&str; 5] = ["key", "pass", "pwd", "secret", "token"];
    let (name, value) = setting.split_once('=').unwrap_or_default();
    let name = name.to_lowercase();
    let number = value.len() <= LONGEST_NUMBER && value.bytes().all(|byte| byte.is_ascii_digit());
    is_secret(value) || !number && NAMES.iter().any(|secret| name.contains(secret))
}

/// Whether decimals stand behind a figure: `AIC 1502,6`.
fn has_decimals(rest: &str) -> bool {
    let digits = rest.strip_prefix([',', '.']).unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&SHAPES, &VERSION, &NAMED, &VALUE, &WORD];
