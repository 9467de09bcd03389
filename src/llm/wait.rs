//! How long a server asks us to wait, in the many places where it says so.
//!
//! Points in time are measured from the response's own `Date`, so that neither clock needs to be
//! right; where it has none, from this machine's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;

/// A year: what is further away is nonsense.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reads the wait from the headers of a response, found by their lower-case name, and its body, at so many seconds
/// since 1970.
pub(crate) fn requested_wait(
    header: impl Fn(&str) -> Option<String>,
    body: Option<&Value>,
    clock: u64,
) -> Option<Duration> {
    let dated = header("date").and_then(|date| parse_date(&date));
    let now = dated.or_else(|| Timestamp::from_second(i64::try_from(clock).ok()?).ok());
    if let Some(wait) = header("retry-after-ms").and_then(|text| milliseconds(&text)) {
        return Some(wait);
    }
    if let Some(wait) = header("retry-after").and_then(|text| retry_after(&text, now)) {
        return Some(wait);
    }
    let in_body = |name| {
        let headers = body?.pointer("/error/metadata/headers")?.as_object()?;
        let (_, value) = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let from_body = in_body("retry-after").and_then(|text| retry_after(&text, now));
    from_body
        .or_else(|| point_or_span(&in_body("x-ratelimit-reset")?, now))
        .or_else(|| google_delay(body?))
        .or_else(|| wait_in_words(body?.pointer("/error/message")?.as_str()?))
        .or_else(|| limit_reset(&header, now))
}

/// The reset of the limits that are used up, or of all when the server does not say which are.
fn limit_reset(
    header: &impl Fn(&str) -> Option<String>,
    now: Option<Timestamp>,
) -> Option<Duration> {
    let limits = ["", "-requests", "-tokens", "-input-tokens", "-output-tokens"];
    let names = limits.iter().flat_map(|limit| {
        let usual = |what: &str| format!("x-ratelimit-{what}{limit}");
        let anthropic = |what: &str| format!("anthropic-ratelimit{limit}-{what}");
        [[usual("reset"), usual("remaining")], [anthropic("reset"), anthropic("remaining")]]
    });
    let limits = names.filter_map(|[reset, remaining]| {
        let wait = point_or_span(&header(&reset)?, now)?;
        Some((header(&remaining).as_deref() == Some("0"), wait))
    });
    limits.max().map(|(_, wait)| wait)
}

fn retry_after(text: &str, now: Option<Timestamp>) -> Option<Duration> {
    span(text).or_else(|| until(parse_date(text)?, now))
}

/// A span, or a point in time: in seconds or milliseconds since 1970, or as a date.
fn point_or_span(text: &str, now: Option<Timestamp>) -> Option<Duration> {
    let point = match text.trim().parse::<i64>() {
        Ok(number @ 100_000_000_000..) => Timestamp::from_millisecond(number).ok()?,
        Ok(number @ 1_000_000_000..) => Timestamp::from_second(number).ok()?,
        _ => match text.trim().parse() {
            Ok(point) => point,
            Err(_) => return span(text),
        },
    };
    until(point, now)
}

fn until(point: Timestamp, now: Option<Timestamp>) -> Option<Duration> {
    let wait = point.duration_since(now?);
    Some(Duration::try_from(wait).unwrap_or_default().min(LONGEST))
}

fn parse_date(text: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(text.trim()).ok()
}

fn milliseconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    seconds(number / 1000.0)
}

/// Google's `RetryInfo`.
fn google_delay(body: &Value) -> Option<Duration> {
    let error = body.pointer("/error").or_else(|| body.pointer("/0/error"))?;
    let details = error.get("details")?.as_array()?;
    details.iter().find_map(|detail| span(detail.get("retryDelay")?.as_str()?))
}

/// The wait that stands in an explanation: `Please try again in 2.5s.`
pub(crate) fn wait_in_words(text: &str) -> Option<Duration> {
    let text = text.to_lowercase();
    let (_, rest) = ["try again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|phrase| text.split_once(phrase))?;
    let mut words = rest.split_whitespace();
    let first = words.next()?.trim_end_matches(['.', ',', ';', ')']);
    let unit = match words.next().unwrap_or_default() {
        unit if unit.starts_with("second") => "s",
        unit if unit.starts_with("minute") => "m",
        unit if unit.starts_with("hour") => "h",
        unit if unit.starts_with("milli") => "ms",
        _ => "",
    };
    // A number alone may be of anything.
    let is_number = first.parse::<f64>().is_ok();
    if is_number && unit.is_empty() { None } else { span(&format!("{first}{unit}")) }
}

/// Reads `30`, `1.5`, `20ms`, `6m0s` or `1h2m3.5s`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    if let Ok(number) = rest.parse() {
        return seconds(number);
    }
    let mut total = 0.0;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c != '.' && !c.is_ascii_digit())?;
        let number: f64 = rest[..unit].parse().ok()?;
        rest = &rest[unit..];
        let units = [("ms", 0.001), ("h", 3600.0), ("m", 60.0), ("s", 1.0), ("d", 86400.0)];
        let (name, factor) = units.iter().find(|(name, _)| rest.starts_with(name))?;
        rest = &rest[name.len()..];
        total += number * factor;
    }
    seconds(total)
}

fn seconds(number: f64) -> Option<Duration> {
    // Not-a-number and negative numbers are no spans.
    Duration::try_from_secs_f64(number).ok().map(|span| span.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::requested_wait;

    /// Name, headers, body, milliseconds.
    type Case = (&'static str, Vec<(&'static str, &'static str)>, Value, Option<u64>);

    const DATE: (&str, &str) = ("date", "Thu, 01 Jan 2026 10:00:00 GMT");

    fn wait(headers: &[(&str, &str)], body: &Value) -> Option<Duration> {
        let find = |name: &str| {
            let found = headers.iter().find(|(header, _)| *header == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        // One minute after ten, where the response says nothing else.
        requested_wait(find, Some(body), 1_767_261_660)
    }

    #[test]
    fn every_form_of_a_wait_is_read() {
        let openrouter =
            |reset: &str| json!({"error": {"metadata": {"headers": {"X-RateLimit-Reset": reset}}}});
        let none = json!({});
        let said = |words: &str| json!({"error": {"message": words}});
        let cases: Vec<Case> = vec![
            ("seconds", vec![("retry-after", "7")], none.clone(), Some(7_000)),
            ("fraction", vec![("retry-after", "1.5")], none.clone(), Some(1_500)),
            ("zero", vec![("retry-after", "0")], none.clone(), Some(0)),
            ("milliseconds", vec![("retry-after-ms", "250")], none.clone(), Some(250)),
            (
                "date",
                vec![DATE, ("retry-after", "Thu, 01 Jan 2026 10:01:30 GMT")],
                none.clone(),
                Some(90_000),
            ),
            (
                "date passed",
                vec![DATE, ("retry-after", "Thu, 01 Jan 2026 09:00:00 GMT")],
                none.clone(),
                Some(0),
            ),
            (
                "date by our own clock",
                vec![("retry-after", "Thu, 01 Jan 2026 10:01:30 GMT")],
                none.clone(),
                Some(30_000),
            ),
            ("minutes", vec![("x-ratelimit-reset-requests", "6m0s")], none.clone(), Some(360_000)),
            ("short", vec![("x-ratelimit-reset-tokens", "20ms")], none.clone(), Some(20)),
            (
                "the used-up limit counts",
                vec![
                    ("x-ratelimit-reset-requests", "1h"),
                    ("x-ratelimit-remaining-requests", "9"),
                    ("x-ratelimit-reset-tokens", "2s"),
                    ("x-ratelimit-remaining-tokens", "0"),
                ],
                none.clone(),
                Some(2_000),
            ),
            ("OpenRouter", vec![DATE], openrouter("1767261605000"), Some(5_000)),
            (
                "Google",
                vec![],
                json!({"error": {"details": [{}, {"retryDelay": "34s"}]}}),
                Some(34_000),
            ),
            (
                "OpenAI's words",
                vec![],
                said("Limit 30000. Please try again in 2.5s. Visit"),
                Some(2_500),
            ),
            (
                "words before limits",
                vec![("x-ratelimit-reset-tokens", "6m0s")],
                said("try again in 20ms."),
                Some(20),
            ),
            ("units in words", vec![], said("Rate limited, retry after 20 seconds"), Some(20_000)),
            ("minutes in words", vec![], said("try again in 1m30s"), Some(90_000)),
            ("a number of nobody knows what", vec![], said("try again in 7"), None),
            ("no number", vec![], said("Please try again in a moment."), None),
            ("nonsense", vec![("retry-after", "soon")], none.clone(), None),
            ("negative", vec![("retry-after", "-3")], none.clone(), None),
            ("huge", vec![("retry-after", "1e300")], none.clone(), None),
            ("nothing", vec![], none, None),
        ];
        for (name, headers, body, expected) in cases {
            assert_eq!(wait(&headers, &body), expected.map(Duration::from_millis), "{name}");
        }
    }

    #[test]
    fn the_limit_that_is_used_up_counts_in_anthropics_own_headers_as_well() {
        let headers = [
            DATE,
            ("anthropic-ratelimit-requests-reset", "2026-01-01T10:10:00Z"),
            ("anthropic-ratelimit-requests-remaining", "9"),
            ("anthropic-ratelimit-input-tokens-reset", "2026-01-01T10:00:03Z"),
            ("anthropic-ratelimit-input-tokens-remaining", "0"),
        ];
        assert_eq!(wait(&headers, &json!({})), Some(Duration::from_secs(3)));
        let asked = [&headers[..], &[("retry-after", "7")]].concat();
        assert_eq!(wait(&asked, &json!({})), Some(Duration::from_secs(7)));
    }
}
