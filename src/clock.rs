//! The only place that reads the wall clock.

/// The present moment as it is written into logs: `2026-01-01T10:00:00Z`.
pub fn timestamp() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
