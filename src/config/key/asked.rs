//! When a setting is asked for, and what a wrong one could do.

use super::Key;

impl Key {
    /// Whether a wrong value could send the conversation to somebody else than meant: then the default is
    /// no safe way out.
    pub(in crate::config) fn decides_who_answers(self) -> bool {
        use Key::{ApiKeyEnv, BaseUrl, CompressionModel, Model, Offline, Provider, SummaryModel};
        let by_a_model = matches!(self, Model | SummaryModel | CompressionModel);
        by_a_model || matches!(self, Provider | BaseUrl | Self::Protocol | ApiKeyEnv | Offline)
    }

    /// Whether a change counts from the next start on only, because the program asks once.
    pub fn counts_at_start(self) -> bool {
        use Key::{ConnectTimeoutSeconds, FirstByteTimeoutSeconds};
        use Key::{KeepaliveTimeoutSeconds, LogLevel, OfflinePaceMs, SessionsDir};
        let timing = matches!(
            self,
            ConnectTimeoutSeconds
                | FirstByteTimeoutSeconds
                | Key::SilenceTimeoutSeconds
                | KeepaliveTimeoutSeconds
                | OfflinePaceMs
        );
        timing
            || matches!(self, LogLevel | SessionsDir | Self::ReadAgentsMd)
            || self.is_asked_once()
    }

    /// Who answers is decided at the start; who summarises and compresses with each request.
    fn is_asked_once(self) -> bool {
        let with_each = matches!(self, Self::SummaryModel | Self::CompressionModel);
        self.decides_who_answers() && !with_each
    }
}
