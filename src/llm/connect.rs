//! Prepares the HTTP client of an endpoint.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::endpoint::is_loopback;
use super::{Endpoint, Error};

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
        .default_headers(headers(endpoint)?);
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

fn headers(endpoint: &Endpoint) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    let value = |text: &str, what: &str| {
        let mut value = HeaderValue::from_str(text).map_err(|_| {
            Error::Setup(format!("{what} holds characters that no HTTP header may hold"))
        })?;
        value.set_sensitive(true);
        Ok::<_, Error>(value)
    };
    if let Some(key) = endpoint.api_key.as_ref().filter(|key| !key.expose().is_empty()) {
        let bearer = value(&format!("Bearer {}", key.expose()), "the API key")?;
        headers.insert(reqwest::header::AUTHORIZATION, bearer);
    }
    for (name, secret) in &endpoint.headers {
        let value = value(secret.expose(), &format!("the value of the header {name:?}"))?;
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Error::Setup(format!("{name:?} is no name of an HTTP header")))?;
        headers.insert(name, value);
    }
    Ok(headers)
}
