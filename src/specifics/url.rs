//! Addresses: with a scheme, with `www.`, bare domains, and hosts with a port.

use super::Kind;
use super::pattern::Pattern;
use super::scan::{Scan, before};
use super::token::{COLON, DOT};

/// Top-level domains under which people write addresses without a scheme. Short on purpose: `main.rs` and
/// `notes.md` are files.
const DOMAINS: &str = "(?:gov|co|com|org|ac|edu|net)\\.[a-z]{2}|com|org|net|edu|gov|io|dev|app|ai|de|at|ch|fr|es|it|nl|eu|co\\.uk|uk|us|ca|jp|se|no|dk|fi|pl|\
    info|example|test|svc\\.cluster\\.local|svc|localdomain|local|internal|lan|travel|blog|shop|store|cloud|tech|online|site|me|tv|\
    xyz|news|report|guide|page|wiki|world|life|live|health|bank|finance|team|systems|solutions|network|studio|design|art|events|\
    agency|works|ly|gg|cz|pt|gr|ie|nz|au|za|br|mx|ar|cl|cn|kr|tr|ru|ua|ro|hu|sk|si|hr|bg|lt|lv|ee|lu|li|sg|hk|tw|vn|ae|il";

static ADDRESS: Pattern = Pattern::new(|| {
    let rest = r#"[^\s<>"`“”„«»|\\^{}]"#;
    let schemes = "abfss?|adl|az|hdfs|https?|ftps?|sftp|ssh|wss?|git|s3|gs|postgres(?:ql)?|mysql|mongodb(?:\\+srv)?|rediss?|amqps?|file|res|user|tcp|udp|grpc|mqtts?|ldaps?|oci|nats";
    format!(
        r"(?x) (?i:\b(?:{schemes})://)(?:{rest}|\{{\w+\}})+
        | (?i:\bwww\.){rest}+\.{rest}+
        | \b(?:\[::1\]|localhost|\d{{1,3}}(?:\.\d{{1,3}}){{3}}):\d{{2,5}}(?:/{rest}*)?
        | \bgit@[\w.-]+:[\w./-]+
        | \b(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:{DOMAINS})\b(?::\d{{2,5}})?(?:/{rest}*)?"
    )
});

/// The longest address in bytes; what is longer is data.
const LONGEST: usize = 2_000;

/// Takes the addresses of a message.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    for address in scan.around(DOT | COLON, 0, 0).all(&ADDRESS) {
        let mut place = address.range();
        if place.len() > LONGEST {
            scan.block(place, Kind::Url);
            continue;
        }
        place.end = place.start + trimmed(address.as_str()).len();
        let schemed = address.as_str().contains("://");
        if schemed || !is_part_of_more(text, &place) {
            scan.claim(place, Kind::Url);
        }
    }
}

/// Whether a bare domain is only a piece of a mail address, a file name or a call.
fn is_part_of_more(text: &str, place: &std::ops::Range<usize>) -> bool {
    let glued = |c: char| c.is_alphanumeric() || "@._-/\\~$".contains(c);
    if is_reversed(&text[place.clone()]) || is_versioned(&text[place.clone()]) {
        return true;
    }
    let mut rest = text[place.end..].chars();
    let goes_on = match rest.next() {
        Some(':') => rest.next() == Some(':'),
        Some('.' | '-') => rest.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || "_@\\(=".contains(next),
        None => false,
    };
    goes_on || before(text, place.start).is_some_and(glued)
}

/// Whether a name begins as addresses end, and ends as apps do and most addresses do not: `de.example.app`.
fn is_reversed(address: &str) -> bool {
    const ENDS: [&str; 8] = ["com", "de", "dev", "fr", "io", "net", "org", "uk"];
    const APPS: [&str; 5] = ["app", "shop", "store", "studio", "travel"];
    let mut names = address.split('.');
    let begins = names.next().is_some_and(|first| ENDS.contains(&first));
    let last = names.next_back().is_some_and(|last| APPS.contains(&last));
    begins && last && names.count() == 1
}

/// Whether a name without a port or a path has a version in front of its last word, as topics of messages have:
/// `refunds.v2.events`. Addresses have it in front of two words.
fn is_versioned(address: &str) -> bool {
    const LONGEST: usize = 3;
    let mut names = address.rsplit('.');
    let last = names.next().unwrap_or_default();
    let version = names.next().and_then(|name| name.strip_prefix('v')).unwrap_or_default();
    last.len() > LONGEST
        && last.bytes().all(|byte| byte.is_ascii_lowercase())
        && (1..=LONGEST).contains(&version.len())
        && version.bytes().all(|byte| byte.is_ascii_digit())
        && names.next().is_some()
}

/// Without the punctuation of the sentence around it, and without a bracket that it did not open.
fn trimmed(address: &str) -> &str {
    let mut rest = address;
    loop {
        let Some(last) = rest.chars().next_back() else { return rest };
        let unopened = |open: char, close: char| {
            last == close && rest.matches(close).count() > rest.matches(open).count()
        };
        let loose = ".,;:!?'’*_…".contains(last);
        if !(loose || unopened('(', ')') || unopened('[', ']')) {
            return rest;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&ADDRESS];
