//! Prepares the HTTP client of an endpoint.

use std::net::IpAddr;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::endpoint::is_loopback;
use super::error::Obstacle;
use super::{Endpoint, Error};
use crate::providers::Protocol;

/// Makes a client that sends the endpoint's key and headers; connects to nothing yet.
///
/// # Errors
/// Fails with [`Error::Setup`] when the key or a header cannot be sent.
pub(crate) fn client(endpoint: &Endpoint, url: &Url) -> Result<Client, Error> {
    // Fails only when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("ebbtide/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(endpoint.timeouts.connect)
        // A redirect would lose the body or carry the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .default_headers(headers(endpoint, url)?);
    if is_loopback(url) {
        // No proxy serves this machine's own servers, and without TLS no certificates are needed.
        builder = builder.no_proxy();
        if url.scheme() == "http" {
            builder = builder.tls_certs_only([]);
        }
    }
    builder.build().map_err(|error| {
        Error::Setup(format!("the connection cannot be prepared: {}", error.without_url()))
    })
}

/// What stands in the way of a connection, and the words for it: of the system's the innermost, which are
/// the ones that say it ("connection refused").
pub(crate) fn obstacle(error: &reqwest::Error, url: &Url) -> (Obstacle, String) {
    let mut words = vec![error.to_string()];
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        words.push(cause.to_string());
        source = cause.source();
    }
    obstacle_in(&words, proxy_variable(url))
}

fn obstacle_in(words: &[String], proxy: Option<&str>) -> (Obstacle, String) {
    let detail = words.last().cloned().unwrap_or_default();
    let all = words.join(" ").to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| all.contains(phrase));
    if says(&["certificate", "unknownissuer", "notvalidforname"]) {
        let reason = if says(&["unknownissuer"]) { "nobody here vouches for it" } else { &*detail };
        return (Obstacle::Certificate, format!("its certificate is not trusted ({reason})"));
    }
    if let Some(variable) = proxy {
        let why =
            format!("the proxy that {variable} names did not let the request through ({detail})");
        return (Obstacle::Proxy, why);
    }
    if says(&["invalidcontenttype", "corrupt message", "wrong version number"]) {
        return (Obstacle::NoTls, "there is a server, but it does not speak https".to_owned());
    }
    if says(&["invalid http version", "invalid http status", "http parse", "message head"]) {
        return (Obstacle::NoHttp, "there is something, but it does not answer in http".to_owned());
    }
    if says(&[
        "connection closed before message",
        "connection reset",
        "unexpected eof",
        "incompletemessage",
    ]) {
        return (Obstacle::HungUp, "it closed the connection before it answered".to_owned());
    }
    (Obstacle::Nobody, detail)
}

/// The variable by which the environment sends requests for this address through a proxy.
pub(super) fn proxy_variable(url: &Url) -> Option<&'static str> {
    let names: [&'static str; 4] = if url.scheme() == "https" {
        ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    } else {
        ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
    };
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let around =
        std::env::var("NO_PROXY").or_else(|_| std::env::var("no_proxy")).unwrap_or_default();
    let host = url.host_str().unwrap_or_default();
    names.into_iter().find(is_set).filter(|_| !is_loopback(url) && !is_direct(host, &around))
}

/// Whether what stands in `NO_PROXY` names a host, or a domain or a net that it is in, as the HTTP client reads it: a star
/// stands there for all, and for nothing before a name.
fn is_direct(host: &str, around: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    let names = |entry: &str| {
        let entry = entry.trim().to_lowercase();
        let domain = entry.trim_start_matches('.');
        let is_in = |before: &str| before.is_empty() || before.ends_with('.');
        let is_named = !domain.is_empty() && host.strip_suffix(domain).is_some_and(is_in);
        entry == "*" || is_named || is_in_net(host, &entry).unwrap_or(false)
    };
    around.split(',').any(names)
}

/// Whether an address is in a net, such as `10.0.0.0/8`; `None` where they are no address and no net.
fn is_in_net(host: &str, net: &str) -> Option<bool> {
    let (net, bits) = net.split_once('/')?;
    let bits: u32 = bits.parse().ok()?;
    Some(match (host.parse().ok()?, net.parse().ok()?) {
        (IpAddr::V4(host), IpAddr::V4(net)) => {
            let differs = host.to_bits() ^ net.to_bits();
            differs.checked_shr(32_u32.checked_sub(bits)?).unwrap_or(0) == 0
        }
        (IpAddr::V6(host), IpAddr::V6(net)) => {
            let differs = host.to_bits() ^ net.to_bits();
            differs.checked_shr(128_u32.checked_sub(bits)?).unwrap_or(0) == 0
        }
        _ => false,
    })
}

/// The header by which Anthropic is told which form is spoken.
pub(super) const MESSAGES_VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

fn headers(endpoint: &Endpoint, url: &Url) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    let value = |text: &str, what: &str| {
        let mut value = HeaderValue::from_str(text).map_err(|_| {
            Error::Setup(format!("{what} holds characters that no HTTP header may hold"))
        })?;
        value.set_sensitive(true);
        Ok::<_, Error>(value)
    };
    let speaks_messages = endpoint.protocol == Protocol::Messages;
    if speaks_messages {
        headers.insert(MESSAGES_VERSION.0, HeaderValue::from_static(MESSAGES_VERSION.1));
    }
    if let Some(key) = endpoint.api_key.as_ref().filter(|key| !key.expose().is_empty()) {
        let key = key.expose();
        if speaks_messages {
            headers.insert("x-api-key", value(key, "the API key")?);
        }
        // Where the protocol comes from it is one header or the other; those who speak it as well want either.
        if !(speaks_messages && url.host_str() == Some("api.anthropic.com")) {
            let bearer = value(&format!("Bearer {key}"), "the API key")?;
            headers.insert(reqwest::header::AUTHORIZATION, bearer);
        }
    }
    for (name, secret) in &endpoint.headers {
        let value = value(secret.expose(), &format!("the value of the header {name:?}"))?;
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Error::Setup(format!("{name:?} is no name of an HTTP header")))?;
        headers.insert(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_proxy_names_hosts_and_whole_domains_and_a_gap_in_it_names_none() {
        for (around, host, direct) in [
            ("foo.com", "foo.com", true),
            ("a, .Foo.com", "x.foo.com", true),
            ("*.foo.com", "x.foo.com", false),
            ("foo.com", "barfoo.com", false),
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/8, 192.0.2.7", "192.0.2.7", true),
            ("10.0.0.0/8", "11.1.2.3", false),
            ("0.0.0.0/0", "11.1.2.3", true),
            ("10.0.0.0/33", "10.1.2.3", false),
            ("fd00::/8", "[fd12::1]", true),
            ("fd00::/8", "[fe80::1]", false),
            ("*.foo.com,", "bar.org", false),
            ("a, *", "bar.org", true),
            ("", "bar.org", false),
        ] {
            assert_eq!(is_direct(host, around), direct, "{around}: {host}");
        }
    }

    #[test]
    fn what_stands_in_the_way_is_told_in_words_and_only_what_passes_is_tried_again() {
        let cases = [
            ("invalid peer certificate: UnknownIssuer", None, Obstacle::Certificate, "vouches"),
            ("invalid peer certificate: Expired", None, Obstacle::Certificate, "Expired"),
            (
                "invalid peer certificate: UnknownIssuer",
                Some("X"),
                Obstacle::Certificate,
                "vouches",
            ),
            ("tunnel error: unsuccessful", Some("HTTPS_PROXY"), Obstacle::Proxy, "HTTPS_PROXY"),
            ("received corrupt message of type InvalidContentType", None, Obstacle::NoTls, "https"),
            ("invalid HTTP version parsed", None, Obstacle::NoHttp, "in http"),
            ("Connection refused (os error 111)", None, Obstacle::Nobody, "refused"),
            ("connection closed before message completed", None, Obstacle::HungUp, "closed"),
        ];
        for (words, proxy, expected, told) in cases {
            let (obstacle, detail) = obstacle_in(&["error".to_owned(), words.to_owned()], proxy);
            assert!(
                obstacle == expected && detail.contains(told),
                "{words}: {obstacle:?} {detail}"
            );
            let error = Error::Connect { address: "h".to_owned(), detail, obstacle };
            let passes = matches!(obstacle, Obstacle::Nobody | Obstacle::HungUp);
            assert_eq!(error.is_transient(), passes, "{words}");
            assert!(!error.advice().is_empty());
        }
    }
}
