//! The models that can be chosen while chatting: those of every provider whose key is there, and of every server
//! that runs here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt, stream};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::timeout;

use super::endpoint::{client, endpoint_of, how_told, with_facts};
use crate::config::{Candidate, Environment, Provider, Settings, all_candidates, pointed_at};
use crate::llm::discover;
use crate::llm::{
    Embedder, Endpoint, Error, EventStream, Fetched, Later, Model, ModelInfo, Offers, Purpose,
    Request, Shop, pull,
};
use crate::lock::locked;
use crate::orchestrator::flag_before;
use crate::providers::Protocol;
use crate::text::joined;

/// How long a list waits for a server.
const LISTING: Duration = Duration::from_secs(4);

/// A model, with all others that can be had.
pub(super) struct Chosen {
    model: Arc<dyn Model>,
    shop: Arc<Market>,
}

/// All that can be had.
pub(super) struct Market {
    settings: Settings,
    environment: Environment,
    /// Models of other providers that are asked beside the one that chats, by what a person calls them.
    beside: Mutex<BTreeMap<String, Arc<dyn Model>>>,
}

impl Market {
    /// What these settings and variables lead to.
    pub(super) fn of(settings: &Settings, environment: &Environment) -> Arc<Self> {
        let (settings, environment) = (settings.clone(), environment.clone());
        Arc::new(Self { settings, environment, beside: Mutex::default() })
    }

    /// The model with the others behind it.
    pub(super) fn around(self: &Arc<Self>, model: Arc<dyn Model>) -> Arc<dyn Model> {
        Arc::new(Chosen { model, shop: Arc::clone(self) })
    }

    fn providers(&self) -> Vec<Provider> {
        let provider = |candidate| match candidate {
            Candidate::Server(provider) | Candidate::IfRunning(provider) => Some(provider),
            Candidate::Offline => None,
        };
        all_candidates(&self.settings, &self.environment).into_iter().filter_map(provider).collect()
    }

    /// A model for vectors at an address, with the key of a provider that is known there.
    pub(super) fn embedder_at(&self, name: &str, url: &str) -> Result<Embedder, String> {
        let known = self.providers();
        let mut known =
            known.iter().map(|provider| endpoint_of(&self.settings, provider, name.to_owned()));
        let known = known.find(|endpoint| endpoint.is_at(url));
        let endpoint = known.unwrap_or_else(|| Endpoint::new(url, name));
        Embedder::beside(&endpoint, name, Some(url))
    }

    async fn offers_of(&self, provider: Provider) -> Offers {
        let endpoint = endpoint_of(&self.settings, &provider, String::new());
        let asked = discover::offers(&endpoint, how_told(&provider));
        let answered = timeout(LISTING, asked).await;
        // Who does not run, or has no list, is none to speak of.
        let refused = match &answered {
            Ok(Err(error)) if error.wants_key() => {
                let (what, name) = (error.to_string(), &provider.name);
                // A server without a name is called by its address.
                let what = if what.starts_with(name) { what } else { format!("{name}: {what}") };
                vec![joined(&what, &error.advice())]
            }
            _ => Vec::new(),
        };
        let mut all = answered.ok().and_then(Result::ok).unwrap_or_default();
        for offer in &mut all {
            let is_usual = provider.listed.is_some_and(|listed| listed.model == offer.name);
            let usual = provider.listed.and_then(|listed| listed.context_window);
            offer.context = offer.context.or(usual.filter(|_| is_usual));
        }
        Offers { all, refused }
    }

    /// The provider of this name, if it can be asked.
    fn provider(&self, name: &str) -> Result<Provider, String> {
        if self.settings.offline() {
            return Err("`offline` keeps the program from asking any server".to_owned());
        }
        let known = self.providers().into_iter().find(|known| known.is_called(name));
        known.ok_or_else(|| format!("no provider {name:?} can be asked; is its key set?"))
    }

    /// The server that answers in a session which remembers this provider and this model; `None` where what is set for this
    /// run answers instead.
    pub(super) fn remembered(&self, (name, model): (String, String)) -> Option<Provider> {
        let set = pointed_at(&self.settings, &self.environment);
        let began_with = set.map(|provider| provider.name).unwrap_or_default();
        if flag_before(&self.settings, &began_with, &name).is_some() {
            return None;
        }
        Some(Provider { model: Some(model), ..self.provider(&name).ok()? })
    }

    async fn find(&self, provider: &str, name: &str) -> Result<Arc<dyn Model>, String> {
        let provider = self.provider(provider)?;
        let mut settings = self.settings.clone();
        settings.forget_context();
        let endpoint = endpoint_of(&settings, &provider, name.to_owned());
        let endpoint = with_facts(endpoint, how_told(&provider), false).await;
        Ok(Arc::new(client(endpoint).map_err(|error| error.to_string())?))
    }

    /// The model that `PROVIDER NAME` means.
    async fn beside(&self, called: &str) -> Result<Arc<dyn Model>, String> {
        let lock = || locked(&self.beside);
        if let Some(model) = lock().get(called) {
            return Ok(Arc::clone(model));
        }
        let (provider, name) = called.rsplit_once(' ').unwrap_or(("", called));
        let model = self.find(provider.trim(), name).await?;
        lock().insert(called.to_owned(), Arc::clone(&model));
        Ok(model)
    }
}

impl Shop for Chosen {
    fn offers(&self) -> Later<Offers> {
        let shop = Arc::clone(&self.shop);
        Box::pin(async move {
            if shop.settings.offline() {
                return Offers::default();
            }
            let lists = shop.providers().into_iter().map(|provider| shop.offers_of(provider));
            join_all(lists).await.into_iter().fold(Offers::default(), |mut every, one| {
                every.all.extend(one.all);
                every.refused.extend(one.refused);
                every
            })
        })
    }

    fn open(&self, provider: &str, name: &str) -> Later<Result<Arc<dyn Model>, String>> {
        let (shop, provider, name) = (Arc::clone(&self.shop), provider.to_owned(), name.to_owned());
        Box::pin(async move {
            let model = shop.find(&provider, &name).await?;
            Ok(shop.around(model))
        })
    }

    fn pull(
        &self,
        provider: &str,
        name: &str,
        tell: UnboundedSender<Fetched>,
    ) -> Later<Result<String, String>> {
        let (shop, provider, name) = (Arc::clone(&self.shop), provider.to_owned(), name.to_owned());
        Box::pin(async move { shop.pull(&provider, &name, tell).await })
    }
}

impl Market {
    /// Has a server fetch a model: that of this provider, if it is one that can.
    async fn pull(
        &self,
        provider: &str,
        name: &str,
        tell: UnboundedSender<Fetched>,
    ) -> Result<String, String> {
        if self.settings.offline() {
            return Err("--offline keeps the program from asking any server.".to_owned());
        }
        let mut able = self.providers();
        able.retain(|known| known.protocol == Protocol::Ollama);
        able.sort_by_key(|known| known.name != provider);
        let able = able.first().ok_or("No server that fetches models is known.")?;
        let endpoint = endpoint_of(&self.settings, able, name.to_owned());
        pull(&endpoint, &tell).await.map(|()| able.name.clone())
    }
}

impl Model for Chosen {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    /// A request for a model of another provider goes there.
    fn stream(&self, mut request: Request) -> EventStream {
        let elsewhere = request.model.take_if(|name| name.trim().contains(' '));
        // Where no server is to be asked, the built-in model does this, too.
        let elsewhere = elsewhere.filter(|_| !self.shop.settings.offline());
        let Some(called) = elsewhere else { return self.model.stream(request) };
        let shop = Arc::clone(&self.shop);
        let opened = async move {
            match shop.beside(called.trim()).await {
                Ok(model) => model.stream(request),
                Err(why) => stream::iter([Err(Error::Setup(format!("{called}: {why}")))]).boxed(),
            }
        };
        opened.into_stream().flatten().boxed()
    }

    fn answers(&self, purpose: Purpose) -> bool {
        self.model.answers(purpose)
    }

    fn takes(&self, name: &str) -> Option<u64> {
        match locked(&self.shop.beside).get(name.trim()) {
            Some(elsewhere) => elsewhere.info().context_window,
            None => self.model.takes(name),
        }
    }

    /// A key goes along where it is for the very server that is named.
    fn embedder(&self, name: &str, base_url: Option<&str>) -> Result<Option<Embedder>, String> {
        if self.shop.settings.offline() {
            return Ok(None);
        }
        let Some(url) = base_url else {
            let here = self.model.embedder(name, None)?;
            let nobody = "no server chats here that could be asked; name one with embedding_url";
            return here.map(Some).ok_or_else(|| nobody.to_owned());
        };
        self.shop.embedder_at(name, url).map(Some)
    }

    fn shop(&self) -> Option<Arc<dyn Shop>> {
        let (model, shop) = (Arc::clone(&self.model), Arc::clone(&self.shop));
        Some(Arc::new(Self { model, shop }))
    }
}
