//! Reads a body that is no answer: the text of a failure, or a list of models.

use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use tokio::time::{Instant, timeout_at};

/// How a body ended that was read as text.
pub(crate) enum BodyEnd {
    /// In order.
    Whole,
    /// It is longer than what was read.
    TooLong,
    /// The rest did not come in time.
    TooLate,
    /// The connection broke.
    Cut,
}

/// Reads at most `limit` bytes of a body as text, until a deadline.
pub(crate) async fn read_text(
    mut response: Response,
    limit: usize,
    deadline: Instant,
) -> (String, BodyEnd) {
    let mut bytes = Vec::new();
    let end = loop {
        match timeout_at(deadline, response.chunk()).await {
            Err(_) => break BodyEnd::TooLate,
            Ok(Err(_)) => break BodyEnd::Cut,
            Ok(Ok(None)) => break BodyEnd::Whole,
            Ok(Ok(Some(more))) => bytes.extend_from_slice(&more),
        }
        if bytes.len() > limit {
            bytes.truncate(limit);
            break BodyEnd::TooLong;
        }
    };
    (String::from_utf8_lossy(&bytes).into_owned(), end)
}

/// How a body is compressed, though nobody asked for that. Some servers name the letters there: `utf-8`.
pub(crate) fn encoding(response: &Response) -> Option<String> {
    const COMPRESSED: [&str; 7] =
        ["br", "compress", "deflate", "gzip", "x-compress", "x-gzip", "zstd"];
    let named = response.headers().get(CONTENT_ENCODING)?.to_str().ok()?.to_lowercase();
    named.split(',').map(str::trim).find(|named| COMPRESSED.contains(named)).map(str::to_owned)
}
