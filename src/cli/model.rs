//! The model that answers: the first candidate that can.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use tokio::time::sleep;

use super::endpoint::{client, endpoint_of, how_told, unaskable, with_facts};
use super::market::Market;
use super::{Error, Job, Streams};
use crate::config::{Candidate, Environment, Key, Provider, Settings, Source};
use crate::llm::discover::find;
use crate::llm::offline::{NAME, Offline};
use crate::llm::probe::chosen_of;
use crate::llm::{Client, Endpoint, Model};
use crate::orchestrator::or_never;
use crate::providers::LISTED;

/// How long the start waits for servers on this machine before it says so.
const SILENCE: Duration = Duration::from_secs(1);

const WAITING: &str = "A server on this machine takes its time: it may be loading a model. (--set provider=NAME \
                       names another, --offline asks none.)";

/// The model of a run, with what was found out while it was looked for, as sentences.
pub(super) type Found = (Arc<dyn Model>, Vec<String>);

impl Job<'_> {
    /// The model of this run. A server that is named is taken at its word; one that is only looked for
    /// counts if it answers.
    pub(super) async fn model(&self, streams: &mut Streams<'_>) -> Result<Found, Error> {
        self.model_at(self.settings.offline_pace(), streams).await
    }

    /// The same, where nobody watches the built-in model speak; what was found out is told.
    pub(super) async fn unhurried_model(
        &self,
        streams: &mut Streams<'_>,
    ) -> Result<Arc<dyn Model>, Error> {
        let (model, remarks) = self.model_at(Duration::ZERO, streams).await?;
        for remark in remarks {
            streams.tell(remark);
        }
        Ok(model)
    }

    async fn model_at(
        &self,
        offline_pace: Duration,
        streams: &mut Streams<'_>,
    ) -> Result<Found, Error> {
        let (mut here, mut remarks) = (Vec::new(), Vec::new());
        for candidate in self.candidates()? {
            match candidate {
                // What is named or has a key is not looked for, and comes before what is.
                Candidate::Server(provider) => return Ok((self.server(&provider).await?, remarks)),
                Candidate::IfRunning(provider) => here.push(provider),
                Candidate::Offline => break,
            }
        }
        if let Some((provider, model)) = self.first_here(here, &mut remarks, streams).await? {
            return Ok((self.endpoint(&provider, model).await?, remarks));
        }
        if let Some(why) = nobody_for(&self.settings, &self.host.environment) {
            return Err(Error::Usage(why));
        }
        remarks.extend(self.unasked());
        Ok((self.market().around(Arc::new(Offline::new(offline_pace))), remarks))
    }

    /// What is to be said where the built-in model answers and another one is named. Beside `offline` a model may be
    /// named for other times, unless this very run names both.
    fn unasked(&self) -> Option<String> {
        let model = self.settings.model().filter(|name| *name != NAME)?;
        match self.settings.offline() {
            false => Some(format!(
                "No server is known that could be asked for {model}, so the built-in offline model answers. Give its \
                 address with --base-url URL, or set the key of its provider; `ebbtide connect` finds what there is."
            )),
            true if is_of_run(&self.settings) => Some(format!(
                "{model} is not asked: `offline` keeps the program from asking any server, and the built-in model has \
                 no other name. Leave --offline or --model out."
            )),
            true => None,
        }
    }

    /// The first server on this machine that has a model to chat with. All are asked at once: where none listens that
    /// takes no time, and one that has accepted the connection is waited for.
    async fn first_here(
        &self,
        here: Vec<Provider>,
        remarks: &mut Vec<String>,
        streams: &mut Streams<'_>,
    ) -> Result<Option<(Provider, String)>, Error> {
        remarks.extend(here.iter().filter_map(|provider| unaskable(&self.settings, provider)));
        let asked = here.into_iter().map(|provider| async move {
            let models = find(&provider.base_url).await;
            (provider, models)
        });
        let mut answers: FuturesOrdered<_> = asked.collect();
        let mut patience = Some(Box::pin(sleep(SILENCE)));
        loop {
            let answer = tokio::select! {
                biased;
                answer = answers.next() => answer,
                () = or_never(patience.as_mut()) => {
                    patience = None;
                    streams.tell(WAITING);
                    continue;
                }
            };
            let Some((provider, models)) = answer else { return Ok(None) };
            let Some(models) = models else { continue };
            let chosen = match provider.model.clone() {
                Some(named) => Some(named),
                None => chosen_of(&self.endpoint_of(&provider, String::new()), models).await,
            };
            if let Some(model) = chosen {
                return Ok(Some((provider, model)));
            }
            remarks.push(format!(
                "{} runs and has no model to chat with. /pull NAME fetches one, for example /pull qwen3:8b.",
                provider.name
            ));
        }
    }

    /// The model of a server: the one named, else the first that it lists.
    pub(super) async fn server(&self, provider: &Provider) -> Result<Arc<dyn Model>, Error> {
        if let Some(model) = provider.model.clone() {
            return self.endpoint(provider, model).await;
        }
        let unnamed = self.client(provider, String::new())?;
        let listed = unnamed.list_models().await.map_err(|error| {
            Error::Failed(format!(
                "{error}. No model is named, so the server was asked for its \
                                   list; name one with --model NAME"
            ))
        })?;
        let asked = self.endpoint_of(provider, String::new());
        let first = chosen_of(&asked, listed).await.ok_or_else(|| {
            Error::Usage(format!("{} lists no models; name one with --model NAME", provider.name))
        })?;
        self.endpoint(provider, first).await
    }

    async fn endpoint(&self, provider: &Provider, model: String) -> Result<Arc<dyn Model>, Error> {
        let endpoint = self.endpoint_of(provider, model);
        let keeps = self.settings.context_window().is_some();
        let model = client(with_facts(endpoint, how_told(provider), keeps).await)?;
        Ok(self.market().around(Arc::new(model)))
    }

    fn market(&self) -> Arc<Market> {
        Market::of(&self.settings, &self.host.environment)
    }

    /// The settings as they suit a model, and a sentence where its window is smaller than the budget.
    pub(super) fn fitted_to(&self, model: &dyn Model) -> (Settings, Option<String>) {
        let mut settings = self.settings_of_person();
        let info = model.info();
        let remark = info.context_window.and_then(|context| {
            let is_known = self.known_context(&info.provider) == Some(context);
            settings.fit_to(context, if is_known { Source::Table } else { Source::Server })
        });
        (settings, remark)
    }

    /// Tokens that a provider's model takes, as far as that is known without asking.
    fn known_context(&self, provider: &str) -> Option<u64> {
        let candidates = self.candidates().ok()?;
        candidates.into_iter().find_map(|candidate| match candidate {
            Candidate::Server(known) | Candidate::IfRunning(known) if known.name == provider => {
                known.context_window
            }
            _ => None,
        })
    }

    /// The settings with the instructions that the person wrote for every conversation.
    pub(super) fn settings_of_person(&self) -> Settings {
        let mut settings = self.settings.clone();
        if let Ok(folder) = std::env::current_dir() {
            settings.read_instructions(&folder);
        }
        settings
    }

    fn client(&self, provider: &Provider, model: String) -> Result<Client, Error> {
        client(self.endpoint_of(provider, model))
    }

    fn endpoint_of(&self, provider: &Provider, model: String) -> Endpoint {
        endpoint_of(&self.settings, provider, model)
    }
}

/// Whether this very run names the model.
fn is_of_run(settings: &Settings) -> bool {
    matches!(settings.source(Key::Model), Source::Flag(_))
}

/// Why a run that names a model cannot go on where no server is known that could be asked: another one's answer would pass
/// for that of the model. `None` where none is named, or only for other times.
pub(super) fn nobody_for(settings: &Settings, environment: &Environment) -> Option<String> {
    let model = settings.model().filter(|name| *name != NAME && is_of_run(settings))?;
    if settings.offline() {
        return None;
    }
    let owner = LISTED.iter().find(|listed| listed.serves(model) && !listed.is_local());
    let key = owner.and_then(|owner| owner.variables.first());
    let key = match key.filter(|variable| environment.var(variable).is_none()) {
        Some(variable) => format!("Set {variable} or the key of another provider that has it"),
        None => "Set the key of a provider that has it".to_owned(),
    };
    Some(format!(
        "no server is known that could be asked for {model}. {key}, start its server on this machine, or give the address \
         of one with --base-url URL; `ebbtide connect` finds what there is. Without --model the built-in offline model answers"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Arguments;

    #[test]
    fn what_is_offered_to_who_waits_are_flags_that_there_are() {
        let known = Arguments::command();
        let flags = WAITING.split(|c: char| !c.is_alphanumeric() && c != '-');
        let flags: Vec<&str> = flags.filter_map(|word| word.strip_prefix("--")).collect();
        assert_eq!(flags.len(), 2);
        for flag in flags {
            assert!(known.get_arguments().any(|one| one.get_long() == Some(flag)), "--{flag}");
        }
    }
}
