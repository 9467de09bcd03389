//! The lines of a turn: one that counted, one that did not end well, and the sums of a moment.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::forms::StoredForms;
use super::note::NoteUses;
use super::sane::{Listed, bounded, count, fields_only, list, number, numbers, sane, scalar};
use crate::memory::{
    EffortId, Faults, FullHistory, Layer, Layers, LogsView, Memory, Metrics, Tokens, Totals,
};

/// What the line of a turn tells.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TurnLine {
    /// The effort whose log holds the exchange; `None` for ambient.
    #[serde(default, deserialize_with = "scalar")]
    pub(crate) log: Option<String>,
    /// The log, inside the session.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
    /// Where in it the exchange begins, in bytes.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// The length of the exchange there.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    /// The turn was counted when the session was opened again, or with the next turn.
    #[serde(skip_deserializing, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) recovered: bool,
    /// As in [`super::Record`].
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) entered: Option<u64>,
    /// The model that wrote the reply.
    #[serde(default, deserialize_with = "scalar", skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Tokens of the window by layer.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Listed::is_empty")]
    pub(crate) layers: Listed<u64>,
    /// Tokens of the window, for people.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<u64>,
    /// The sums and forms at the end of the turn.
    #[serde(flatten)]
    pub(crate) moment: Option<Moment>,
    /// How many changes at its end follow.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<u64>,
    /// The last request.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<StoredRequest>,
    /// What it missed: looked up, mentioned in vain, unanswered.
    #[serde(default, deserialize_with = "some_numbers", skip_serializing_if = "Option::is_none")]
    pub(crate) faults: Option<[u64; 3]>,
    /// Efforts that were mentioned.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Listed::is_empty")]
    pub(crate) mentioned: Listed<Mention>,
    /// Notes that were used.
    #[serde(flatten)]
    pub(crate) used: NoteUses,
    /// What it made of its effort's entry in the manifest.
    #[serde(default, deserialize_with = "fields_only", skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<Map<String, Value>>,
    /// Messages and tokens of its effort's log from here on.
    #[serde(default, deserialize_with = "size", skip_serializing_if = "Option::is_none")]
    pub(crate) log_size: Option<[Option<u64>; 2]>,
}

/// When an effort was mentioned, and what the mention was.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mention {
    #[serde(default, deserialize_with = "number")]
    pub(crate) turn: Option<u64>,
    #[serde(default, deserialize_with = "scalar")]
    pub(crate) cause: Option<String>,
}

/// What the line of a turn that did not end well tells.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stopped {
    /// The user's message.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) user: String,
    /// What had arrived of the reply.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) partial: String,
    /// Why, in words.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) cause: String,
    /// As in [`super::Record`].
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) entered: Option<u64>,
    /// The model that wrote what had arrived.
    #[serde(default, deserialize_with = "scalar", skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
}

/// The sums of a moment and the form in which the window was sent: never more than the window holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Moment {
    #[serde(default, deserialize_with = "count")]
    full_history: u64,
    /// Ambient messages in the window.
    #[serde(default, deserialize_with = "count")]
    pub(crate) ambient: u64,
    #[serde(default, deserialize_with = "numbers")]
    efforts: [u64; 2],
    #[serde(default, deserialize_with = "numbers")]
    logs: [u64; 5],
    /// One that is no number is `None`.
    #[serde(default, deserialize_with = "figures")]
    metrics: Option<[Option<u64>; 6]>,
    /// What answers needed and the window did not hold; `None` if there was nothing of the kind.
    #[serde(default, deserialize_with = "some_numbers", skip_serializing_if = "Option::is_none")]
    page_faults: Option<[u64; 3]>,
    #[serde(default, deserialize_with = "numbers")]
    kept: [u64; 2],
    /// Not all logs had been counted.
    #[serde(default, deserialize_with = "flag", skip_serializing_if = "std::ops::Not::not")]
    uncounted: bool,
    /// What was sent in another form than whole.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    pub(crate) forms: Option<StoredForms>,
    /// Tokens of logs with compressed parts.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Listed::is_empty")]
    pub(crate) compressed: Listed<u64>,
    /// What waited for consent.
    #[serde(default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    pub(crate) waiting: Vec<EffortId>,
    /// The last request of the turn, in a state that is kept.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<StoredRequest>,
}

/// The last request of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredRequest {
    #[serde(default, deserialize_with = "sane")]
    layers: Listed<u64>,
    #[serde(default, deserialize_with = "count")]
    pub(crate) least: u64,
    #[serde(default, deserialize_with = "some_numbers")]
    pub(crate) usage: Option<[u64; 3]>,
    #[serde(default, deserialize_with = "some_numbers")]
    pub(crate) in_all: Option<[u64; 2]>,
}

impl Moment {
    /// This moment.
    pub(crate) fn of(memory: &Memory) -> Self {
        let totals = memory.totals();
        let (logs, metrics, shown) = (totals.logs, totals.metrics, memory.forms());
        let in_window = memory.open_efforts().chain(memory.expanded_efforts());
        let compressed = in_window.filter(|effort| !effort.blocks().is_empty());
        let compressed = compressed.map(|effort| (effort.id.to_string(), effort.log_tokens().0));
        Self {
            full_history: totals.full_history.tokens.0,
            ambient: memory.ambient_messages() as u64,
            efforts: [totals.concluded.0, totals.concluded.1].map(|count| count as u64),
            logs: [
                logs.efforts as u64,
                logs.effort_messages,
                logs.effort_tokens.0,
                logs.ambient_messages,
                logs.ambient_tokens.0,
            ],
            metrics: Some(metrics.figures().map(Some)),
            page_faults: metrics.faults.stored(),
            kept: [totals.permanent_notes, totals.scratchpad].map(|count| count as u64),
            uncounted: !totals.full_history.is_counted,
            forms: (!shown.is_whole()).then(|| StoredForms::from(&shown)),
            compressed: Listed(compressed.collect()),
            waiting: memory.waiting_for_consent(),
            request: None,
        }
    }

    /// The same with the last request of its turn.
    pub(crate) fn with(self, request: Option<StoredRequest>) -> Self {
        Self { request, ..self }
    }

    /// The metrics, if it tells all of them.
    pub(crate) fn metrics(&self) -> Option<Metrics> {
        let figures = self.metrics.filter(|figures| figures.iter().all(Option::is_some))?;
        Some(metrics(figures, self.page_faults))
    }

    /// The sums.
    pub(crate) fn totals(&self) -> Totals {
        let [efforts, effort_messages, effort_tokens, ambient_messages, ambient_tokens] = self.logs;
        let [concluded, evicted, permanent, scratchpad] =
            [self.efforts[0], self.efforts[1], self.kept[0], self.kept[1]].map(|n| n as usize);
        Totals {
            concluded: (concluded, evicted),
            full_history: FullHistory {
                tokens: Tokens(self.full_history),
                is_counted: !self.uncounted,
            },
            logs: LogsView {
                efforts: efforts as usize,
                effort_messages,
                effort_tokens: Tokens(effort_tokens),
                damaged: 0,
                ambient_messages,
                ambient_tokens: Tokens(ambient_tokens),
            },
            metrics: metrics(self.metrics.unwrap_or_default(), self.page_faults),
            permanent_notes: permanent,
            scratchpad,
        }
    }
}

fn metrics(figures: [Option<u64>; 6], faults: Option<[u64; 3]>) -> Metrics {
    let faults = Faults::from_stored(faults.unwrap_or_default());
    Metrics::from_figures(figures.map(|figure| figure.unwrap_or(0)), faults)
}

impl StoredRequest {
    /// A request of so many tokens.
    pub(crate) fn new(
        layers: &Layers,
        least: Tokens,
        usage: Option<[u64; 3]>,
        in_all: Option<(u32, Tokens)>,
    ) -> Self {
        let in_all = in_all.map(|(requests, tokens)| [requests.into(), tokens.0]);
        let named = layers.iter().filter(|(_, tokens)| tokens.0 > 0);
        Self { layers: by_layer(named), least: least.0, usage, in_all }
    }

    /// Tokens by layer.
    pub(crate) fn layers(&self) -> Layers {
        of_names(&self.layers)
    }
}

impl TurnLine {
    /// Tokens of the window by layer.
    pub(crate) fn layers(&self) -> Layers {
        of_names(&self.layers)
    }
}

fn of_names(named: &Listed<u64>) -> Layers {
    let mut layers = Layers::default();
    for layer in Layer::ALL {
        layers.add(layer, Tokens(named.get(layer.as_str()).copied().unwrap_or(0)));
    }
    layers
}

/// Tokens by the names of their layers.
pub(crate) fn by_layer(layers: impl Iterator<Item = (Layer, Tokens)>) -> Listed<u64> {
    Listed(layers.map(|(layer, cost)| (layer.as_str().to_owned(), cost.0)).collect())
}

/// The line of a moment, which says as well what there is none of: a reader may take it over field by field.
#[allow(clippy::borrowed_box, reason = "serde hands it over like that")]
pub(super) fn cleared<S: Serializer>(
    moment: &Box<Moment>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let fields = serde_json::to_value(moment).map_err(serde::ser::Error::custom)?;
    let Value::Object(mut fields) = fields else { return fields.serialize(serializer) };
    for key in ["forms", "waiting", "compressed", "uncounted"] {
        fields.entry(key).or_insert(Value::Null);
    }
    fields.serialize(serializer)
}

/// A flag that anything but nothing sets.
fn flag<'de, D: Deserializer<'de>>(field: D) -> Result<bool, D::Error> {
    Ok(!Value::deserialize(field)?.is_null())
}

/// Figures that a list may tell; one that it is too short for is 0.
fn figures<'de, D: Deserializer<'de>>(field: D) -> Result<Option<[Option<u64>; 6]>, D::Error> {
    let list = Value::deserialize(field)?;
    let figure = |at: usize| list.get(at).map_or(Some(0), bounded);
    Ok(list.is_array().then(|| std::array::from_fn(figure)))
}

fn size<'de, D: Deserializer<'de>>(field: D) -> Result<Option<[Option<u64>; 2]>, D::Error> {
    let size = Value::deserialize(field)?;
    Ok(Some([0, 1].map(|at| size.get(at).and_then(bounded))))
}

fn some_numbers<'de, D, const N: usize>(field: D) -> Result<Option<[u64; N]>, D::Error>
where
    D: Deserializer<'de>,
{
    let list = Value::deserialize(field)?;
    Ok(list.is_array().then(|| numbers(list).unwrap_or([0; N])))
}
