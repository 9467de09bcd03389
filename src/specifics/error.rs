//! Error codes: compilers' and databases' codes, errno names, HTTP statuses, exit codes, signals.

use super::Kind;
use super::pattern::Pattern;
use super::scan::{Scan, after, stands_alone, word_before};
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
const REASON: &str = r"(?:Bad\x20Request|Unauthorized|Payment\x20Required|Forbidden|Not\x20Found|Method\x20Not\x20Allowed|Conflict|Gone|Payload\x20Too\x20Large|Unprocessable\x20(?:Entity|Content)|Too\x20Many\x20Requests|Internal\x20Server\x20Error|Not\x20Implemented|Bad\x20Gateway|Service\x20(?:Temporarily\x20)?Unavailable|Gateway\x20Time-?\x20?out|Request\x20Timeout)";

/// Codes that are errors wherever they stand.
static CODES: Pattern = Pattern::new(|| {
    let families = "ORA|TNS|PLS|MSB|LNK|NETSDK|NU|CS|TS|SC|AADSTS|RUSTSEC|PGRST|JS|CA|MC|BC|FS|DL|FTL|VERR|SFDX|ADB";
    format!(
        r"(?x)
        \bE\d{{4}}\b
        | \b(?:{families})-?\d{{4,6}}\b
        | \b(?:{ERRNO})\b
        | \bSIG(?:SEGV|KILL|TERM|INT|ABRT|BUS|FPE|ILL|PIPE|HUP|TRAP|QUIT|STOP|CHLD|ALRM|SYS|XCPU|USR[12])\b
        | \b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_ERR(?:OR)?(?:_[A-Z0-9]+)*\b
        | \b(?:net::)?ERR_[A-Z0-9]+(?:_[A-Z0-9]+)*\b
        | \bSQLSTATE(?:\[|:|\x20|=){{1,2}}[0-9A-Z]{{5}}\b\]?
        | \b(?:NXDOMAIN|SERVFAIL|OOMKilled|CrashLoopBackOff|ImagePullBackOff|ErrImagePull)\b
        | \b(?i:exit(?:ed|s)?(?:\x20with)?(?:\x20(?:code|status))?(?:\x20of)?:?\x20-?\d{{1,10}}|(?:return|exit)\x20?code(?:\x20of|:|\x20=|\x20is|\x20was)?\x20-?\d{{1,5}})\b
        | \bHTTP(?:/\d(?:\.\d)?)?\x20?(?i:status\x20(?:code\x20)?|error\x20|code\x20)?[1-5]\d\d\b(?:\x20{REASON}\b)?
        | \b0x[89A-Fa-f][0-9A-Fa-f]{{7}}\b
        | \b[45]\d\d\x20{REASON}\b"
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
            scan.claim_free(place, Kind::Error);
        }
    }
    for groups in scan.coded.groups(&NAMED) {
        let (Some(whole), Some(code)) = (groups.get(0), groups.get(2)) else { continue };
        let numeric = code.as_str().bytes().all(|b| b.is_ascii_digit());
        let place = if numeric { whole.range() } else { code.range() };
        let measured = after(text, place.end).is_some_and(|c| c == '%' || c == '°');
        let worded = whole.as_str().to_lowercase();
        let plain_code = worded.starts_with("code") && numeric && code.as_str().len() > 4;
        let plural = worded.starts_with("errors") || worded.starts_with("warning") && numeric;
        let time = code.as_str().contains(':') && !code.as_str().contains(char::is_alphabetic);
        let other = worded.starts_with("code") && is_other_code(text, whole.start(), code.as_str());
        if stands_alone(text, &place) && !measured && !plain_code && !plural && !other && !time {
            scan.claim_free(place, Kind::Error);
        }
    }
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
        for code in groups.iter().skip(1).flatten() {
            scan.claim_free(code.range(), Kind::Error);
        }
    }
    for groups in scan.coded.groups(&STATUS) {
        let Some(code) = groups.get(1) else { continue };
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
pub(super) const PATTERNS: &[&Pattern] = &[&CODES, &NAMED, &STATUS, &LISTED];
