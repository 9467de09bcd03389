//! The model that answers: the first candidate that can.

use std::sync::Arc;
use std::time::Duration;

use super::{Error, Job};
use crate::config::{Candidate, Provider};
use crate::llm::discover::{find, first_that_chats};
use crate::llm::offline::Offline;
use crate::llm::{Endpoint, Model, OpenAi, Secret, Timeouts};

impl Job<'_> {
    /// The model of this run. A server that is named is taken at its word; one that is only looked for
    /// counts if it answers.
    pub(super) async fn model(&self) -> Result<Arc<dyn Model>, Error> {
        self.model_at(self.settings.offline_pace()).await
    }

    /// The same, where nobody watches the built-in model speak.
    pub(super) async fn unhurried_model(&self) -> Result<Arc<dyn Model>, Error> {
        self.model_at(Duration::ZERO).await
    }

    async fn model_at(&self, offline_pace: Duration) -> Result<Arc<dyn Model>, Error> {
        for candidate in self.candidates()? {
            match candidate {
                Candidate::Server(provider) => return self.server(&provider).await,
                Candidate::IfRunning(provider) => {
                    let Some(models) = find(&provider.base_url).await else { continue };
                    let chosen = provider.model.clone().or_else(|| first_that_chats(models));
                    let Some(model) = chosen else { continue };
                    return self.endpoint(&provider, model);
                }
                Candidate::Offline => break,
            }
        }
        Ok(Arc::new(Offline::new(offline_pace)))
    }

    async fn server(&self, provider: &Provider) -> Result<Arc<dyn Model>, Error> {
        if let Some(model) = provider.model.clone() {
            return self.endpoint(provider, model);
        }
        let unnamed = self.client(provider, String::new())?;
        let listed = unnamed.list_models().await.map_err(|error| {
            Error::Failed(format!(
                "{error}. No model is named, so the server was asked for its \
                                   list; name one with --model NAME"
            ))
        })?;
        let first = first_that_chats(listed).ok_or_else(|| {
            Error::Failed(format!("{} lists no models; name one with --model NAME", provider.name))
        })?;
        self.endpoint(provider, first)
    }

    fn endpoint(&self, provider: &Provider, model: String) -> Result<Arc<dyn Model>, Error> {
        Ok(Arc::new(self.client(provider, model)?))
    }

    fn client(&self, provider: &Provider, model: String) -> Result<OpenAi, Error> {
        let timeouts = self.settings.timeouts();
        let endpoint = Endpoint {
            api_key: provider.key.as_ref().map(|key| Secret::new(key.secret.expose())),
            provider: provider.name.clone(),
            context_window: self.settings.context_window().or(provider.context_window),
            timeouts: Timeouts {
                connect: timeouts.connect,
                first_byte: timeouts.first_byte,
                silence: timeouts.silence,
                keepalive_only: timeouts.keepalive,
            },
            ..Endpoint::new(provider.base_url.clone(), model)
        };
        OpenAi::new(endpoint).map_err(|error| Error::Usage(format!("{error}. {}", error.advice())))
    }
}
