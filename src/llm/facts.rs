//! What a server tells of a model: how much it takes, and what it can do.

use serde_json::Value;

use super::names::entries;

/// What is known of a model; `None` where the server does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether the server has a model of this name.
    pub there: Option<bool>,
    /// Tokens that it takes, prompt and answer together.
    pub context: Option<u64>,
    /// The most tokens of an answer.
    pub most_output: Option<u64>,
    /// Whether it decides by itself how much it thinks.
    pub adapts: Option<bool>,
    /// Whether it is for chatting, and not for embeddings or pictures.
    pub chats: Option<bool>,
    /// Whether it takes tools.
    pub tools: Option<bool>,
    /// Whether it can think before it answers.
    pub thinks: Option<bool>,
    /// The day of its announced end: `2027-01-14`.
    pub shutdown: Option<String>,
    /// What the server has instead, where it has no such model.
    pub others: Vec<String>,
    /// What it tells of all models that it has.
    pub listed: Listed,
}

/// What the models of a list take, as far as that tells.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Listed(Vec<(String, u64)>);

impl Listed {
    /// Reads a list in any of the known forms.
    pub(super) fn of(list: &Value) -> Self {
        let entries = entries(list).map_or(&[][..], Vec::as_slice);
        let takes = entries.iter().flat_map(|entry| {
            let context = context(entry);
            let named = ["id", "name"].iter().filter_map(|key| entry.get(key)?.as_str());
            named.filter_map(move |name| Some((name.to_owned(), context?)))
        });
        Self(takes.collect())
    }

    /// Tokens that the model of this name takes.
    pub fn takes(&self, model: &str) -> Option<u64> {
        self.0.iter().find(|(name, _)| name == model).map(|(_, context)| *context)
    }
}

impl std::fmt::Debug for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} models", self.0.len())
    }
}

/// What an entry of a list says that its model takes.
fn context(entry: &Value) -> Option<u64> {
    let told = CONTEXT.iter().find_map(|place| entry.pointer(place)?.as_u64());
    told.filter(|&tokens| tokens > 0)
}

/// Where servers write how much a model takes: what it has now before what it could have.
const CONTEXT: [&str; 14] = [
    "/meta/n_ctx",
    "/default_generation_settings/n_ctx",
    "/max_model_len",
    "/loaded_context_length",
    "/loaded_instances/0/config/context_length",
    "/top_provider/context_length",
    "/context_length",
    "/context_window",
    "/max_context_length",
    "/max_input_tokens",
    "/inputTokenLimit",
    "/model_info/max_input_tokens",
    "/capabilities/limits/max_prompt_tokens",
    "/meta/n_ctx_train",
];

/// Where servers write how long an answer may be.
const MOST_OUTPUT: [&str; 4] = [
    "/max_tokens",
    "/outputTokenLimit",
    "/top_provider/max_completion_tokens",
    "/max_completion_tokens",
];

impl Facts {
    /// Reads what an entry of a list of models says, in any of the known forms.
    pub(super) fn of_entry(entry: &Value) -> Self {
        let at = |place: &str| entry.pointer(place).and_then(Value::as_bool);
        let listed = |place: &str, word: &str| {
            let words = entry.pointer(place)?.as_array()?;
            Some(words.iter().any(|one| one.as_str() == Some(word)))
        };
        let kind = entry.get("type").and_then(Value::as_str);
        // LM Studio lists other words at the same place, and tells the kind besides.
        let can = |word: &str| if kind.is_none() { listed("/capabilities", word) } else { None };
        Self {
            there: Some(true),
            context: context(entry),
            most_output: MOST_OUTPUT.iter().find_map(|place| entry.pointer(place)?.as_u64()),
            adapts: at("/capabilities/thinking/types/adaptive/supported"),
            chats: can("completion")
                .or_else(|| at("/capabilities/completion_chat"))
                .or_else(|| listed("/supportedGenerationMethods", "generateContent"))
                .or_else(|| kind.filter(|kind| kind.contains("embed")).map(|_| false)),
            tools: can("tools")
                .or_else(|| listed("/capabilities", "tool_use"))
                .or_else(|| at("/capabilities/function_calling"))
                .or_else(|| listed("/supported_parameters", "tools")),
            thinks: can("thinking")
                .or_else(|| at("/capabilities/thinking/supported"))
                .or_else(|| at("/capabilities/reasoning"))
                .or_else(|| listed("/supported_parameters", "reasoning"))
                .or_else(|| at("/thinking")),
            shutdown: entry.get("shutdown_date").and_then(Value::as_str).map(str::to_owned),
            others: Vec::new(),
            listed: Listed::default(),
        }
    }

    /// The same, with what another answer of the server says before it.
    pub(super) fn after(self, first: Self) -> Self {
        Self {
            there: first.there.or(self.there),
            context: first.context.or(self.context),
            most_output: first.most_output.or(self.most_output),
            adapts: first.adapts.or(self.adapts),
            chats: first.chats.or(self.chats),
            tools: first.tools.or(self.tools),
            thinks: first.thinks.or(self.thinks),
            shutdown: first.shutdown.or(self.shutdown),
            others: first.others,
            listed: self.listed,
        }
    }
}

/// The tokens that Ollama gives a model which is not told otherwise, on most machines.
const OLLAMA_USUAL: u64 = 4_096;

/// What Ollama says of a model: in `/api/show`, and in `/api/ps` of those that are loaded. `chosen` says that each
/// request chooses the context, up to what the model takes.
pub(super) fn of_ollama(model: &str, show: &Value, loaded: &Value, chosen: bool) -> Facts {
    let running = loaded.get("models").and_then(Value::as_array).into_iter().flatten();
    let mut running = running.filter(|one| is_named(one, model));
    let now = running.find_map(|one| one.get("context_length")?.as_u64());
    let parameters = show.get("parameters").and_then(Value::as_str).unwrap_or_default();
    let set = parameters
        .lines()
        .find_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok());
    let info = show.get("model_info").and_then(Value::as_object).into_iter().flatten();
    let mut most = info.filter(|(key, _)| key.ends_with(".context_length"));
    let most = most.find_map(|(_, value)| value.as_u64());
    let has = now.or(set).unwrap_or(OLLAMA_USUAL).min(most.unwrap_or(u64::MAX));
    let context = if chosen { most } else { Some(has) };
    Facts { context, ..Facts::of_entry(show) }
}

/// The entry of a model in a list, in any of the known forms.
pub(super) fn entry<'a>(list: &'a Value, model: &str) -> Option<&'a Value> {
    entries(list)?.iter().find(|entry| is_named(entry, model))
}

/// Whether an entry is of this model; `models/` before a name, and `latest` or the day of a snapshot after it,
/// are left out by many.
fn is_named(entry: &Value, model: &str) -> bool {
    let bare = |name: &str| {
        let name = name.trim_start_matches("models/").trim_end_matches(":latest");
        name.trim_end_matches("-latest").to_owned()
    };
    let is_day = |rest: &str| rest.len() == 8 && rest.bytes().all(|b| b.is_ascii_digit());
    let asked = bare(model);
    let is_it = |name: &str| {
        let name = bare(name);
        name.strip_prefix(&asked)
            .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_day))
    };
    let names = ["id", "name", "model", "key"].iter().filter_map(|key| entry.get(key)?.as_str());
    names.chain(entry.as_str()).any(is_it)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_model_takes_and_can_is_read_as_every_server_tells_it() {
        let facts = |entry: &Value| {
            let Facts { context, chats, tools, thinks, .. } = Facts::of_entry(entry);
            (context, chats, tools, thinks)
        };
        let (yes, no) = (Some(true), Some(false));
        let cases = [
            (
                "llama.cpp",
                json!({"meta": {"n_ctx": 4096, "n_ctx_train": 40960}}),
                (Some(4096), None, None, None),
            ),
            (
                "/props",
                json!({"default_generation_settings": {"n_ctx": 8192}}),
                (Some(8192), None, None, None),
            ),
            ("vLLM", json!({"max_model_len": 32768}), (Some(32768), None, None, None)),
            (
                "LM Studio",
                json!({"type": "llm", "loaded_context_length": 4096, "max_context_length": 131_072,
                    "capabilities": ["tool_use"]}),
                (Some(4096), None, yes, None),
            ),
            ("LM Studio", json!({"type": "embeddings"}), (None, no, None, None)),
            (
                "OpenRouter",
                json!({"context_length": 1_000_000, "top_provider": {"context_length": 200_000},
                    "supported_parameters": ["tools", "reasoning"]}),
                (Some(200_000), None, yes, yes),
            ),
            ("Groq", json!({"context_window": 131_072}), (Some(131_072), None, None, None)),
            (
                "Mistral",
                json!({"max_context_length": 262_144, "capabilities":
                    {"completion_chat": true, "function_calling": true, "reasoning": false}}),
                (Some(262_144), yes, yes, no),
            ),
            (
                "Anthropic",
                json!({"max_input_tokens": 1_000_000, "capabilities": {"thinking": {"supported": true}}}),
                (Some(1_000_000), None, None, yes),
            ),
            (
                "Gemini",
                json!({"inputTokenLimit": 1_048_576, "thinking": true,
                    "supportedGenerationMethods": ["embedContent"]}),
                (Some(1_048_576), no, None, yes),
            ),
            ("OpenAI", json!({"id": "m", "object": "model"}), (None, None, None, None)),
            (
                "nonsense",
                json!({"context_length": "big", "capabilities": 7}),
                (None, None, None, None),
            ),
        ];
        for (name, entry, expected) in cases {
            assert_eq!(facts(&entry), expected, "{name}");
        }
    }

    #[test]
    fn a_list_tells_what_each_of_its_models_takes() {
        let list = json!({"data": [{"id": "big", "max_model_len": 100_000}, {"id": "small", "max_model_len": 4096},
            {"id": "other"}]});
        let listed = Listed::of(&list);
        let takes = ["big", "small", "other", "none"].map(|name| listed.takes(name));
        assert_eq!(takes, [Some(100_000), Some(4_096), None, None]);
        assert_eq!(Listed::of(&json!({"error": 1})), Listed::default());
    }

    #[test]
    fn ollama_is_believed_for_what_a_model_has_and_not_for_what_it_could_have() {
        let show = |parameters: &str| {
            json!({"capabilities": ["completion", "tools"], "parameters": parameters,
                "model_info": {"qwen3.context_length": 40960}})
        };
        let loaded = json!({"models": [{"name": "qwen3:latest", "context_length": 32768}]});
        let context = |parameters, loaded: &Value| {
            of_ollama("qwen3", &show(parameters), loaded, false).context
        };
        assert_eq!(context("", &json!({})), Some(4096));
        assert_eq!(context("stop x\nnum_ctx    16384", &json!({})), Some(16384));
        assert_eq!(context("num_ctx 16384", &loaded), Some(32768));
        assert_eq!(context("num_ctx 99999", &json!({})), Some(40960));
        let facts = of_ollama("qwen3", &show(""), &json!({}), false);
        assert_eq!((facts.chats, facts.tools, facts.thinks), (Some(true), Some(true), Some(false)));
    }

    #[test]
    fn an_entry_is_found_by_its_name_in_every_form() {
        let list = json!({"data": [{"id": "a"}, {"id": "models/gemini"}, {"id": "qwen3:latest"},
            {"id": "claude-9-20260901"}]});
        for name in ["a", "gemini", "models/gemini", "qwen3", "qwen3:latest", "claude-9"] {
            assert!(entry(&list, name).is_some(), "{name}");
        }
        for name in ["b", "claude", "qwen"] {
            assert_eq!(entry(&list, name), None, "{name}");
        }
        assert_eq!(entry(&json!({"error": 1}), "b"), None);
    }
}
