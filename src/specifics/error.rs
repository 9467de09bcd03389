//! Error codes: compilers' and databases' codes, errno names, HTTP statuses, exit codes, signals.

use std::ops::Range;

use super::Kind;
use super::code::Code;
use super::number;
use super::pattern::Pattern;
use super::scan::{Scan, after, lead, stands_alone, word_before};
use super::token::{CAPITAL, DIGIT, WIDE};
use super::words::Words;

/// Names from `errno.h`.
const ERRNO: &str = "E2BIG|EACCES|EADDRINUSE|EADDRNOTAVAIL|EAFNOSUPPORT|EAGAIN|EALREADY|EBADF|EBUSY|ECANCELED|ECHILD|\
    ECONNABORTED|ECONNREFUSED|ECONNRESET|EDEADLK|EDESTADDRREQ|EDOM|EDQUOT|EEXIST|EFAULT|EFBIG|EHOSTDOWN|EHOSTUNREACH|EIDRM|\
    EILSEQ|EINPROGRESS|EINTR|EINVAL|EIO|EISCONN|EISDIR|ELOOP|EMFILE|EMLINK|EMSGSIZE|ENAMETOOLONG|ENETDOWN|ENETRESET|ENETUNREACH|\
    ENFILE|ENOBUFS|ENODATA|ENODEV|ENOENT|ENOEXEC|ENOLCK|ENOMEM|ENOMSG|ENOPROTOOPT|ENOSPC|ENOSYS|ENOTCONN|ENOTDIR|ENOTEMPTY|\
    ENOTFOUND|ENOTSOCK|ENOTSUP|ENOTTY|ENXIO|EOPNOTSUPP|EOVERFLOW|EPERM|EPIPE|EPROTO|EPROTONOSUPPORT|ERANGE|EROFS|ESHUTDOWN|ESPIPE|ESRCH|\
    ESTALE|ETIMEDOUT|ETIME|ETXTBSY|EWOULDBLOCK|EXDEV|EAI_AGAIN|EAI_NONAME|ERESOLVE|ELIFECYCLE|EINTEGRITY|EUSAGE|E401|E403|E404";

/// What servers say with a status.
const REASON: &str = r"(?:Created|Accepted|No\x20Content|Moved\x20Permanently|See\x20Other|Not\x20Modified|Temporary\x20Redirect|Bad\x20Request|Unauthorized|Locked|Precondition\x20Failed|Unsupported\x20Media\x20Type|Payment\x20Required|Forbidden|Not\x20Found|Method\x20Not\x20Allowed|Conflict|Gone|Payload\x20Too\x20Large|Unprocessable\x20(?:Entity|Content)|Too\x20Many\x20Requests|Internal\x20Server\x20Error|Not\x20Implemented|Bad\x20Gateway|Service\x20(?:Temporarily\x20)?Unavailable|Gateway\x20Time-?\x20?out|Request\x20Timeout)";

/// Codes that are errors wherever they stand.
static CODES: Pattern = Pattern::new(|| {
    let families = "ORA|TNS|PLS|MSB|LNK|NETSDK|NU|CS|TS|SC|AADSTS|RUSTSEC|PGRST|JS|CA|MC|BC|FS|DL|FTL|VERR|SFDX|ADB";
    format!(
        r"(?x)
        \bE\d{{4}}\b
        | \b(?:{families})-?\d{{4,6}}(?:-\d{{4}})?\b
        | \b(?:{ERRNO})\b
        | \bSIG(?:SEGV|KILL|TERM|INT|ABRT|BUS|FPE|ILL|PIPE|HUP|TRAP|QUIT|STOP|CHLD|ALRM|SYS|XCPU|USR[12])\b
        | \b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_ERR(?:OR)?(?:_[A-Z0-9]+)*\b
        | \b(?:net::)?ERR_[A-Z0-9]+(?:_[A-Z0-9]+)*\b
        | \bSQLSTATE(?:\[|:|\x20|=){{1,2}}[0-9A-Z]{{5}}\b\]?
        | \b(?:NXDOMAIN|SERVFAIL|OOMKilled|CrashLoopBackOff|ImagePullBackOff|ErrImagePull)\b
        | \b(?i:exit(?:ed|s)?(?:\x20with)?(?:\x20(?:code|status))?(?:\x20of)?:?\x20-?\d{{1,10}}|(?:(?:return|exit)\x20?code|code\x20de\x20sortie|código\x20de\x20salida)(?:\x20of|:|\x20=|\x20is|\x20was|\x20est|\x20es)?\x20-?\d{{1,5}})\b
        | \bHTTP(?:/\d(?:\.\d)?)?\x20?(?i:status\x20(?:code\x20)?|error\x20|code\x20)?[1-5]\d\d\b(?:\x20{REASON}\b)?
        | \b0x[89A-Fa-f][0-9A-Fa-f]{{7}}\b
        | \b[2-5]\d\d\x20{REASON}\b"
    )
});

/// A code that a word in front of it explains. The first group is what a purely numeric code needs.
pub(super) static NAMED: Pattern = Pattern::new(|| {
    let word = "(?i:errors?|error codes?|error no\\.?|err(?:no|or number)?|fault codes?|fault|trouble code|fehler|fehlercode|erreur|codice|errore|failure code|warning|alarm|stop code|bug ?check|sense code|diagnostic code|dtc|code)"
        .replace(' ', "\\x20");
    format!(
        r"\b({word}[\x20:#=\[(]{{1,3}}(?:is\x20|was\x20|of\x20|number\x20)?[#`]?-?)((?:[A-Z]{{1,6}}[-_]?)?\d[A-Z0-9]*(?:[-.:/]\d[A-Z0-9]*)*|0x[0-9A-Fa-f]+)\b"
    )
});

/// `status 503`, and the statuses that people name without "HTTP".
pub(super) static STATUS: Pattern = Pattern::new(|| {
    let words = r"(?i:status(?:\x20code)?|response(?:\x20code)?|respond(?:s|ed|ing)?(?:\x20with)?|returns?|returned|returning|gets?|got|getting|gives?|gave|throws?|threw|an?|the|with|occasional|random|many|these|those|those|some|only|see|saw|seeing|of|and|or|no|more)";
    let codes = "40[0-9]|41[0-8]|42[1-9]|431|451|50[0-8]|511|52[0-6]";
    format!(r"\b(?:{words})[\x20:=]{{1,2}}(?:an?\x20)?((?:{codes}))(?:s|'s)?\b")
});

/// Several statuses in a row, which explain each other.
pub(super) static LISTED: Pattern = Pattern::new(|| {
    let codes = "(?:40[0-9]|41[0-8]|42[1-9]|431|451|50[0-8]|511)";
    format!(r"\b({codes})s?(?:,\x20|/|\x20(?:and|or|und|oder|&)\x20)({codes})s?\b")
});

/// Takes the codes of a message.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    // Four words at most lead to a code, as in "exited with code of 1", and three say what it is.
    for code in scan.around(DIGIT | CAPITAL | WIDE, 4, 3).all(&CODES) {
        let place = code.range();
        if stands_alone(text, &place) {
            scan.claim_free(with_minus(text, place), Kind::Error);
        }
    }
    for groups in scan.coded.groups(&NAMED) {
        let (Some(whole), Some(code)) = (groups.get(0), groups.get(2)) else { continue };
        let numeric = code.as_str().bytes().all(|b| b.is_ascii_digit());
        let place = if numeric { whole.range() } else { code.range() };
        let measured = after(text, place.end).is_some_and(|c| c == '%' || c == '°')
            || numeric && number::is_measured(text, place.end);
        let worded = whole.as_str().to_lowercase();
        let plain_code = worded.starts_with("code") && numeric && code.as_str().len() > 4;
        let plural = worded.starts_with("errors") || worded.starts_with("warning") && numeric;
        let time = code.as_str().contains(':') && !code.as_str().contains(char::is_alphabetic);
        let other = worded.starts_with("code") && is_other_code(text, whole.start(), code.as_str());
        // A page of a manual: `error(1715)`.
        let opened = whole.as_str().find('(').filter(|_| numeric);
        let is_page = opened.is_some_and(|at| !whole.as_str()[..at].ends_with(' '));
        if stands_alone(text, &place)
            && !is_page
            && !measured
            && !plain_code
            && !plural
            && !other
            && !time
        {
            scan.claim_free(place, Kind::Error);
        }
    }
}

/// The name of an errno with the minus with which a kernel returns it: `-EAGAIN`.
fn with_minus(text: &str, place: Range<usize>) -> Range<usize> {
    let lead = text[..place.start].strip_suffix('-');
    let is_apart =
        lead.is_some_and(|lead| lead.is_empty() || lead.ends_with([' ', '(', '`', '\n']));
    let is_name = is_apart && is_errno(&text[place.clone()].to_lowercase());
    place.start - usize::from(is_name)..place.end
}

/// Words of such a message, and words in front of one.
static FAULT: Pattern = Pattern::new(|| {
    r"(?i)\b(?:errors?|exception|fatal|panic(?:ked)?|warnings?|fail(?:s|ed|ure)?|crash(?:es|ed)?|not found|no such|no .+ found|cannot|can't|could not|unable to|denied|refused|exceeded|timed? ?out|deadlock|invalid|undefined|unknown|unexpected|locked|conflicts?|unauthorized|forbidden|expired|rejected|mismatch|missing|fehler|fehlgeschlagen|nicht gefunden)\b".replace(' ', "\\x20")
});

/// The longest message of a program, in bytes.
const LONGEST: usize = 160;

/// Takes what programs said went wrong; the codes and names in it stay finds of their own.
pub(super) fn find_messages(scan: &mut Scan<'_>, code: &[Code]) {
    let text = scan.text;
    let spans = code.iter().filter(|span| span.fence.is_none()).map(|span| span.place.clone());
    // A mark right before a word opens, and does not close.
    let closes =
        |place: &Range<usize>| !text[place.end..].chars().nth(1).is_some_and(char::is_alphanumeric);
    let marked = spans.chain(quotations(text)).filter(closes).map(|place| sentence(text, place));
    // What tells no fault is sorted out first: most of what is marked.
    let told = marked.filter(|place| place.len() <= LONGEST && has_words(&text[place.clone()]));
    let told = told.filter(|place| tells_fault(text, place) && is_message(&text[place.clone()]));
    let told: Vec<Range<usize>> = told.collect();
    // What is a part of another one says no more.
    let is_new = |place: &Range<usize>| {
        !told.iter().any(|told| told.start <= place.start && place.end <= told.end)
    };
    let raised: Vec<Range<usize>> = raised(text).into_iter().filter(is_new).collect();
    for place in told.into_iter().chain(raised) {
        if !matches!(scan.kind_at(place.start), Some(Kind::Command | Kind::Path | Kind::Url)) {
            scan.note(place, Kind::Error);
        }
    }
}

/// What stands between quotation marks on one line.
fn quotations(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open) = (Vec::new(), None);
    if !text.contains('"') && !text.contains('“') {
        return found;
    }
    for (at, sign) in text.match_indices(['"', '“', '”', '„', '\n']) {
        match open.take() {
            Some(start) if sign != "\n" && sign != "„" => found.push(start..at),
            _ => open = (sign != "\n").then_some(at + sign.len()),
        }
    }
    found
}

/// What the system says of why a program failed, behind a colon.
const REASONS: [&str; 9] = [
    "Address already in use",
    "Connection refused",
    "Device or resource busy",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Operation not permitted",
    "Permission denied",
    "command not found",
];

/// What stands behind the name of an error: `ValueError: could not convert`; and what shells say: `find: '': No such file or
/// directory`.
fn raised(text: &str) -> Vec<Range<usize>> {
    let place = |at: usize| {
        let behind = at + ": ".len();
        // What is longer is none: a line may be as long as a file.
        let end = (behind + LONGEST + 1).min(text.len());
        let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        let (lead, text) = (&text[..at], &text[..end]);
        let rest = &text[behind..];
        if lead.ends_with("Error") || lead.ends_with("Exception") {
            let name = lead.trim_end_matches(|c: char| c.is_alphanumeric() || "_.".contains(c));
            let end = rest.find(['\n', '`', '"', '“', '”']).unwrap_or(rest.len());
            return Some(sentence(text, name.len()..text.len() - rest.len() + end));
        }
        let reason = REASONS.iter().find(|reason| rest.starts_with(**reason))?;
        Some(told_by(lead)..text.len() - rest.len() + reason.len())
    };
    let all = text.match_indices(": ").filter_map(|(at, _)| place(at));
    all.filter(|place| place.len() <= LONGEST && is_message(&text[place.clone()])).collect()
}

/// Where the programs and files begin that say a reason, each with a colon behind it.
fn told_by(lead: &str) -> usize {
    let from = lead.len().saturating_sub(LONGEST + 1);
    let from = (from..=lead.len()).find(|&at| lead.is_char_boundary(at)).unwrap_or(lead.len());
    let line = lead[from..].rfind('\n').map_or(from, |end| from + end + 1);
    let last = |text: &str| text.rfind([' ', '`', '"', '(']).map_or(0, |at| at + 1);
    if lead.ends_with('"') {
        // The name of a file within what the program said.
        return line + lead[line..].rfind(": ").map_or(0, |at| at + 2);
    }
    let mut start = line + last(lead[line..].trim_end_matches('`'));
    while let Some(before) = lead[line..start].strip_suffix(": ") {
        let named = line + last(before);
        let is_program = lead[named..].starts_with(|c: char| c.is_ascii_lowercase() || c == '/');
        if !is_program || matches!(&lead[named..line + before.len()], "with" | "says" | "said") {
            break;
        }
        start = named;
    }
    start
}

/// The first sentence of a place, without its full stop.
fn sentence(text: &str, place: Range<usize>) -> Range<usize> {
    let said = &text[place.clone()];
    let first = said.split(". ").next().unwrap_or(said);
    place.start..place.start + first.trim_end_matches(['.', ' ']).len()
}

/// Whether a message or the words in front of it say that something went wrong.
fn tells_fault(text: &str, place: &Range<usize>) -> bool {
    const NEAR: usize = 40;
    let lead = lead(text, place.start, NEAR);
    let lead = lead.rfind(['\n', '.']).map_or(lead.len(), |end| lead.len() - end - 1);
    FAULT.is_in(&text[place.start - lead..place.end])
}

/// Whether an error is told by what a program said, and not by a code.
pub(super) fn is_message(error: &str) -> bool {
    let coded = |pattern: &Pattern| pattern.first(error).is_some_and(|code| code.as_str() == error);
    has_words(error) && !coded(&NAMED) && !coded(&CODES)
}

/// Whether a text has so many words that it says something.
fn has_words(text: &str) -> bool {
    text.split(' ').filter(|word| word.contains(char::is_alphabetic)).nth(2).is_some()
}

/// Whether a word in small letters is the name of an errno.
pub(super) fn is_errno(word: &str) -> bool {
    word.starts_with('e')
        && word.len() > 3
        && ERRNO.split('|').any(|name| name.eq_ignore_ascii_case(word))
}

/// What the name of an errno says in words.
pub(super) fn words_for(name: &str) -> Option<&'static str> {
    Some(match name {
        "eacces" => "permission denied",
        "eaddrinuse" => "address already in use",
        "econnrefused" => "connection refused",
        "econnreset" => "connection reset",
        "enoent" => "no such file",
        "enomem" => "out of memory",
        "enospc" => "no space left",
        "etimedout" => "timed out",
        _ => return None,
    })
}

/// Whether a "code" is one that opens, books or sends something, and none of a fault.
fn is_other_code(text: &str, at: usize, code: &str) -> bool {
    static OTHERS: Words = Words::new(
        "access area bar booking checkin confirmation country coupon discount door dress entry gate \
         gift lock order pickup pin post postal promo qr redemption reference reservation security \
         source ticket tracking voucher zip",
    );
    code.len() > 6 || OTHERS.hold_lower(word_before(text, at))
}

/// Takes the statuses that only their neighbours explain; comes after the numbers, whose units are surer.
pub(super) fn find_statuses(scan: &mut Scan<'_>) {
    let text = scan.text;
    for groups in scan.coded.groups(&LISTED) {
        let (one, other) = (groups.get(1), groups.get(2));
        // How fast a line is: `500/500`.
        if one.zip(other).is_some_and(|(one, other)| one.as_str() == other.as_str()) {
            continue;
        }
        for code in (1..groups.len()).filter_map(|nth| groups.get(nth)) {
            scan.claim_free(code.range(), Kind::Error);
        }
    }
    for groups in scan.coded.groups(&STATUS) {
        let Some(code) = groups.get(1) else { continue };
        // How many of how many: `280 of 400`.
        let whole = groups.get(0).map_or("", |whole| whole.as_str());
        let is_share = whole.to_lowercase().starts_with("of ")
            && word_before(text, code.start() - "of ".len()).parse::<u32>().is_ok();
        if is_share {
            continue;
        }
        let next = text[code.end()..].trim_start_matches(['s', '\'']);
        let counted = next.starts_with(['.', ',', ':'])
            && next[1..].starts_with(|c: char| c.is_ascii_digit())
            || next.starts_with(['%', '°', '€', '/', '-']);
        if !counted {
            scan.claim_free(code.range(), Kind::Error);
        }
    }
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&CODES, &NAMED, &STATUS, &LISTED, &FAULT];
