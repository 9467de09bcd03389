//! When a setting is asked for, and what a wrong one could do.

use super::Key;

impl Key {
    /// Whether a wrong value could send the conversation to somebody else than meant: then the default is
    /// no safe way out.
    pub(in crate::config) fn decides_who_answers(self) -> bool {
        use Key::{ApiKeyEnv, BaseUrl, Model, Offline, Provider};
        // What is said is found by its words where nobody compares texts by their meaning.
        let compares = matches!(self, Self::EmbeddingModel | Self::EmbeddingUrl);
        let by_a_model = matches!(self, Model) || self.is_asked_with_each() && !compares;
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

    /// Who answers is decided at the start.
    fn is_asked_once(self) -> bool {
        self.decides_who_answers() && !self.is_asked_with_each()
    }

    /// Who summarises, compresses, judges and compares texts is decided with each request.
    fn is_asked_with_each(self) -> bool {
        let by_a_model = matches!(self, Self::SummaryModel | Self::CompressionModel);
        by_a_model || matches!(self, Self::JudgeModel | Self::EmbeddingModel | Self::EmbeddingUrl)
    }
}
