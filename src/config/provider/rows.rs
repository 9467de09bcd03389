//! The providers of this run: those of the table, changed by the config file's `[providers.NAME]`, with the
//! person's own before them.

use super::manner::Manner;
use super::{ApiKey, Provider, key_from, ollama_url, server};
use crate::address::Address;
use crate::config::kind::{EFFORTS, Kind, PROTOCOLS};
use crate::config::{Custom, Environment, Error, Settings, Source};
use crate::providers::{LISTED, Listed, Protocol, Thinking};

/// What the config file says of a provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::config) struct Own {
    name: String,
    base_url: Option<String>,
    variable: Option<String>,
    model: Option<String>,
    context_window: Option<u64>,
    protocol: Option<Protocol>,
    manner: Manner,
}

/// What may stand in such a table; where nothing stands it is `auto`.
const FIELDS: [(&str, Kind); 8] = [
    ("base_url", Kind::Url),
    ("api_key_env", Kind::Name),
    ("model", Kind::Name),
    ("context_window", Kind::Number(0, 1, 100_000_000)),
    ("protocol", Kind::Choice(PROTOCOLS.split_at(1).1)),
    ("effort", Kind::Choice(EFFORTS.split_at(1).1)),
    ("temperature", Kind::Price),
    ("max_tokens", Kind::Number(0, 1, 10_000_000)),
];

/// The provider's name and its field in `lab.model`; for what stands in a table of its own, `lab.headers.x-title`,
/// the table, and what remains.
fn place(name: &str) -> (&str, &str, Option<&str>) {
    for table in ["headers", "body"] {
        if let Some((provider, inner)) = name.split_once(&format!(".{table}.")) {
            return (provider, table, Some(inner));
        }
    }
    let (provider, field) = name.rsplit_once('.').unwrap_or((name, ""));
    (provider, field, None)
}

/// What of a table `[providers.NAME]` makes no sense.
#[derive(Debug)]
pub(in crate::config) struct TableFault {
    name: String,
    /// The field is unknown, and all others of the table count.
    is_field: bool,
    /// Why.
    pub(in crate::config) error: Error,
}

impl TableFault {
    /// Whether it may decide who answers: the table is chosen, or it might be what is taken where nothing is.
    pub(in crate::config) fn decides(&self, settings: &Settings) -> bool {
        let known = |name: &str| Listed::named(name).map(|listed| listed.name);
        let own = known(&self.name);
        match settings.provider() {
            _ if settings.base_url().is_some() => false,
            Some(chosen) => {
                chosen.eq_ignore_ascii_case(&self.name) || own.is_some() && known(chosen) == own
            }
            // A known one without its line may be asked at another address than meant.
            None => !self.is_field || own.is_some(),
        }
    }

    /// The sentence about one that decides nothing.
    pub(in crate::config) fn told(&self) -> String {
        let what = if self.is_field { "line" } else { "table" };
        format!("{}. The {what} has no effect.", self.error)
    }
}

impl Own {
    /// Reads the tables `[providers.NAME]`, in the order of the file; one with a value that does not fit, or without an
    /// address, is passed over.
    pub(in crate::config) fn read(entries: &[Custom]) -> (Vec<Self>, Vec<TableFault>) {
        let (mut found, mut faults): (Vec<(Self, Source)>, Vec<TableFault>) = Default::default();
        for entry in entries {
            let (name, field, inner) = place(&entry.name);
            let at = found.iter().position(|(own, _)| own.name == name).unwrap_or_else(|| {
                found.push((
                    Self { name: name.to_owned(), ..Self::default() },
                    entry.source.clone(),
                ));
                found.len() - 1
            });
            let own = &mut found[at].0;
            if let Some(inner) = inner {
                own.manner.add(field, inner, &entry.values);
            } else if let Err(error) = own.set(field, entry) {
                let is_field = FIELDS.iter().all(|(known, _)| *known != field);
                faults.push(TableFault { name: own.name.clone(), is_field, error });
            }
        }
        let is_bad = |own: &Self, faults: &[TableFault]| {
            faults.iter().any(|fault| fault.name == own.name && !fault.is_field)
        };
        for (own, from) in &found {
            let is_lost = own.base_url.is_none() && own.listed().is_none();
            if is_lost && !is_bad(own, &faults) {
                let why = "it needs a base_url, because no provider of this name is known";
                let (name, why, from) = (own.name.clone(), why.to_owned(), from.clone());
                let error = Error::Provider { name: name.clone(), why, from };
                faults.push(TableFault { name, is_field: false, error });
            }
        }
        let good = found.into_iter().map(|(own, _)| own).filter(|own| !is_bad(own, &faults));
        (good.collect(), faults)
    }

    fn set(&mut self, field: &str, entry: &Custom) -> Result<(), Error> {
        let text = entry.text();
        let name = self.name.clone();
        let bad =
            |why: String| Error::Provider { name: name.clone(), why, from: entry.source.clone() };
        let Some((_, kind)) = FIELDS.iter().find(|(name, _)| *name == field) else {
            let known = FIELDS.iter().map(|(name, _)| *name).chain(["headers", "body"]);
            let known = known.collect::<Vec<_>>().join(", ");
            let written = if field.is_empty() { &name } else { field };
            return Err(bad(format!("it has no field {written:?}; it may have {known}")));
        };
        if kind.is_words() && !entry.is_words {
            return Err(bad(format!("{field} must be words in quotes, not {text}")));
        }
        let value = kind.parse(&text).map(|value| value.exact()).filter(|text| !text.is_empty());
        let value = value.ok_or_else(|| bad(format!("{field} {}", kind.misfit(&text))))?;
        match field {
            "base_url" => self.base_url = Some(value),
            "api_key_env" => self.variable = Some(value),
            "model" => self.model = Some(value),
            "protocol" => self.protocol = Protocol::from_word(&value),
            "effort" => self.manner.effort = Thinking::from_word(&value),
            "temperature" => self.manner.temperature = value.parse().ok(),
            "max_tokens" => self.manner.max_tokens = value.parse().ok(),
            _ => self.context_window = value.parse().ok(),
        }
        Ok(())
    }

    fn listed(&self) -> Option<&'static Listed> {
        Listed::named(&self.name)
    }
}

/// One provider of this run.
#[derive(Debug, Clone)]
pub(in crate::config) struct Row {
    pub(super) name: String,
    /// Where its key is looked for.
    pub(super) variables: Vec<String>,
    pub(super) key: Option<ApiKey>,
    /// It is at another address than usual, which is used without a key as well.
    pub(super) moved: bool,
    base_url: String,
    model: Option<String>,
    context_window: Option<u64>,
    listed: Option<&'static Listed>,
    protocol: Protocol,
    pub(super) manner: Manner,
}

/// The providers of this run, in the order in which they are tried.
pub(super) fn rows(settings: &Settings, environment: &Environment) -> Vec<Row> {
    let own = settings.own_providers();
    let of_table = |listed: &'static Listed| {
        let changed = own.iter().find(|own| own.listed() == Some(listed));
        Row::of_table(listed, changed, environment).changed_by(changed, environment)
    };
    let added = own.iter().filter(|own| own.listed().is_none());
    let added = added.map(|own| Row::of_person(own).changed_by(Some(own), environment));
    added.chain(LISTED.iter().map(of_table)).collect()
}

impl Row {
    /// A provider of the table, as far as nothing changes it.
    fn of_table(listed: &'static Listed, own: Option<&Own>, environment: &Environment) -> Self {
        let elsewhere = own.and_then(|own| own.base_url.clone());
        let elsewhere = elsewhere.or_else(|| elsewhere_of(listed, environment));
        let base_url = elsewhere.as_deref().unwrap_or(listed.base_url).trim_end_matches('/');
        let secure = base_url.starts_with("https://");
        let at_home = listed.is_local() || secure && Address::of(base_url).host() == listed.host();
        // The key of a known provider stays with its host; only the variables of its own tools may say otherwise.
        let moved = !at_home && elsewhere.is_some() && own.is_none();
        let keys = match listed.name {
            "Anthropic" if moved => ANTHROPIC_ELSEWHERE,
            _ if at_home || moved => listed.variables,
            _ => &[],
        };
        // Gateways for Claude speak what Claude does; where OpenAI is said to be stands whatever speaks Chat Completions.
        let speaks_own = moved && listed.protocol == Protocol::Messages;
        Self {
            name: listed.name.to_owned(),
            variables: keys.iter().map(|&name| name.to_owned()).collect(),
            key: None,
            moved,
            base_url: base_url.to_owned(),
            model: if speaks_own {
                environment.var("ANTHROPIC_MODEL").map(str::to_owned)
            } else {
                Some(listed.model).filter(|name| at_home && !name.is_empty()).map(str::to_owned)
            },
            context_window: listed.context_window.filter(|_| at_home),
            listed: Some(listed).filter(|_| at_home),
            protocol: if at_home || speaks_own { listed.protocol } else { Protocol::Chat },
            manner: Manner::default(),
        }
    }

    /// A provider that only the config file knows.
    fn of_person(own: &Own) -> Self {
        Self {
            name: own.name.clone(),
            variables: Vec::new(),
            key: None,
            moved: false,
            base_url: own.base_url.clone().unwrap_or_default(),
            model: None,
            context_window: None,
            listed: None,
            protocol: Protocol::Chat,
            manner: Manner::default(),
        }
    }

    /// The same as the person wants it, with its key.
    fn changed_by(mut self, own: Option<&Own>, environment: &Environment) -> Self {
        if let Some(variable) = own.and_then(|own| own.variable.clone()) {
            self.variables = vec![variable];
        }
        if let Some(model) = own.and_then(|own| own.model.clone()) {
            self.context_window = None;
            self.model = Some(model);
        }
        self.context_window = own.and_then(|own| own.context_window).or(self.context_window);
        self.protocol = own.and_then(|own| own.protocol).unwrap_or(self.protocol);
        self.manner = own.map(|own| own.manner.clone()).unwrap_or_default();
        self.key = self.variables.iter().find_map(|variable| key_from(variable, environment));
        if self.name == "Ollama" && self.key.is_none() {
            self.key = key_from("OLLAMA_API_KEY", environment);
        }
        self
    }

    /// Whether it is used as soon as its key is there; else it is asked whether it runs.
    pub(super) fn wants_key(&self) -> bool {
        !self.variables.is_empty()
    }

    /// Whether this is its name, however it is written.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let known = Listed::named(name).is_some_and(|listed| listed.name == self.name);
        known || self.name.eq_ignore_ascii_case(name)
    }

    /// Its name, for a sentence about all of them.
    pub(in crate::config) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a model's name looks like one of its own, or of the provider in whose place it is.
    pub(super) fn serves(&self, model: &str) -> bool {
        let listed = self.listed.or_else(|| Listed::named(&self.name).filter(|_| self.moved));
        self.model.as_deref() == Some(model) || listed.is_some_and(|listed| listed.serves(model))
    }

    /// Whether it speaks what its provider does, though it is elsewhere.
    pub(super) fn speaks_own(&self) -> bool {
        self.moved && self.protocol == Protocol::Messages
    }

    /// The provider, because it was named.
    ///
    /// # Errors
    /// Its key is missing.
    pub(super) fn asked_for(
        &self,
        key: Option<ApiKey>,
        settings: &Settings,
    ) -> Result<Provider, Error> {
        let provider = self.provider(key, settings);
        match self.variables.first() {
            Some(variable) if provider.key.is_none() && !self.moved => {
                Err(Error::KeyMissing { name: self.name.clone(), variable: variable.clone() })
            }
            _ => Ok(provider),
        }
    }

    /// The provider with this key, or its own.
    pub(super) fn provider(&self, key: Option<ApiKey>, settings: &Settings) -> Provider {
        let key = key.or_else(|| self.key.clone());
        if self.moved {
            let moved = server(&self.base_url, key, settings);
            let protocol = settings.protocol().unwrap_or(self.protocol);
            let model = moved.model.clone().or_else(|| self.model.clone());
            return if self.speaks_own() { Provider { model, protocol, ..moved } } else { moved };
        }
        let asked_for = settings.model().filter(|model| Some(*model) != self.model.as_deref());
        let window = if asked_for.is_none() { self.context_window } else { None };
        Provider {
            name: self.name.clone(),
            base_url: self.base_url.clone(),
            key,
            model: asked_for.map(str::to_owned).or_else(|| self.model.clone()),
            context_window: settings.context_window().or(window),
            listed: self.listed,
            protocol: self.protocol,
            manner: self.manner.clone(),
        }
    }
}

/// Where the key of a gateway for Claude is looked for: its own tools send the first one to gateways only.
const ANTHROPIC_ELSEWHERE: &[&str] = &["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"];

/// The address of `ANTHROPIC_BASE_URL`, which its own tools want without the version.
fn anthropic_url(address: &str) -> String {
    let address = address.trim().trim_end_matches('/');
    let is_whole = ["/v1", "/v1/messages"].iter().any(|end| address.ends_with(end));
    if is_whole || address.contains('?') { address.to_owned() } else { format!("{address}/v1") }
}

/// Another address for the same protocol, from the variables that the provider's own tools read.
fn elsewhere_of(listed: &Listed, environment: &Environment) -> Option<String> {
    match listed.name {
        "OpenAI" => {
            let named = environment.var("OPENAI_BASE_URL");
            named.or_else(|| environment.var("OPENAI_API_BASE")).map(str::to_owned)
        }
        "Anthropic" => environment.var("ANTHROPIC_BASE_URL").map(anthropic_url),
        "Ollama" => environment.var("OLLAMA_HOST").map(ollama_url),
        _ => None,
    }
}
