//! The table itself, in the order in which keys are looked for.

use super::{Listed, Priced, Protocol, Told};
use crate::bill::Prices;

/// On one's own machine a beginning that is kept costs no waiting, writing an answer does.
pub(super) const LOCAL: Prices = Prices::prefix(0.0, 4.0);

/// What models whose names begin so charge.
const fn of(families: &'static [&'static str], prices: Prices) -> Priced {
    Priced { families, prices }
}

const fn prefix(cached: f64, output: f64) -> Prices {
    Prices::prefix(cached, output)
}

/// Tokens from which on most of those caches keep the beginning of a prompt of which that is known.
const USUAL: u64 = 1_024;

const FREE: &[Priced] = &[of(&[], LOCAL)];

/// Models of Anthropic whose cache keeps nothing shorter, as they and go-betweens write their names.
const FROM_4096: &[&str] = &[
    "claude-haiku-4-5",
    "claude-haiku-4.5",
    "claude-opus-4-5",
    "claude-opus-4.5",
    "claude-opus-4-6",
    "claude-opus-4.6",
    "claude-opus-4-7",
    "claude-opus-4.7",
];

/// A server on this machine: nothing costs money, and what it keeps costs no waiting.
const fn local(
    name: &'static str,
    base_url: &'static str,
    protocol: Protocol,
    told: Told,
) -> Listed {
    Listed {
        name,
        variables: &[],
        base_url,
        protocol,
        model: "",
        context_window: None,
        families: &[],
        prices: FREE,
        told,
    }
}

/// All providers: first those with keys, then the servers that are found by asking.
pub const LISTED: &[Listed] = &[
    Listed {
        name: "DeepSeek",
        variables: &["DEEPSEEK_API_KEY"],
        base_url: "https://api.deepseek.com",
        protocol: Protocol::Chat,
        model: "deepseek-flash",
        context_window: Some(1_000_000),
        families: &["deepseek-"],
        prices: &[of(&[], prefix(0.02, 2.0))],
        told: Told::Nowhere,
    },
    Listed {
        name: "OpenAI",
        variables: &["OPENAI_API_KEY"],
        base_url: "https://api.openai.com/v1",
        protocol: Protocol::Responses,
        model: "gpt-6-luna",
        context_window: Some(1_050_000),
        families: &["gpt-3", "gpt-4", "gpt-5", "gpt-6", "gpt-7", "chatgpt-", "o1", "o3", "o4"],
        prices: &[
            of(&["gpt-5.4", "gpt-5.5"], prefix(0.1, 6.0).from(USUAL)),
            of(&["gpt-5.6"], Prices::breakpoints(6.0).from(USUAL)),
            of(&["gpt-5"], prefix(0.1, 8.0).from(USUAL)),
            of(&["gpt-4.1", "o3", "o4"], prefix(0.25, 4.0).from(USUAL)),
            of(&["gpt-4o", "gpt-3", "gpt-4", "o1", "chatgpt-"], prefix(0.5, 4.0).from(USUAL)),
            of(&[], Prices::breakpoints(6.0).from(USUAL)),
        ],
        told: Told::Nowhere,
    },
    Listed {
        name: "OpenRouter",
        variables: &["OPENROUTER_API_KEY"],
        base_url: "https://openrouter.ai/api/v1",
        protocol: Protocol::Chat,
        model: "openrouter/auto",
        context_window: None,
        families: &[],
        prices: &[],
        told: Told::List,
    },
    Listed {
        name: "Anthropic",
        variables: &["ANTHROPIC_API_KEY"],
        base_url: "https://api.anthropic.com/v1",
        protocol: Protocol::Messages,
        model: "claude-sonnet-5-5",
        context_window: Some(1_000_000),
        families: &["claude-"],
        prices: &[
            of(FROM_4096, Prices::breakpoints(5.0).from(4_096)),
            of(&["claude-opus-5"], Prices::breakpoints(5.0).from(512)),
            of(&[], Prices::breakpoints(5.0).from(USUAL)),
        ],
        told: Told::Anthropic,
    },
    Listed {
        name: "Gemini",
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
        protocol: Protocol::Chat,
        model: "gemini-3.8-flash",
        context_window: Some(1_048_576),
        families: &["gemini-", "gemma-"],
        prices: &[
            of(&["gemini-2.5"], prefix(0.1, 6.0).from(2_048)),
            of(&[], prefix(0.1, 6.0).from(4_096)),
        ],
        told: Told::Gemini,
    },
    Listed {
        name: "Groq",
        variables: &["GROQ_API_KEY"],
        base_url: "https://api.groq.com/openai/v1",
        protocol: Protocol::Chat,
        model: "openai/gpt-oss-120b",
        context_window: Some(131_072),
        families: &["groq/", "llama-"],
        prices: &[of(&[], prefix(0.5, 4.0))],
        told: Told::List,
    },
    Listed {
        name: "Mistral",
        variables: &["MISTRAL_API_KEY"],
        base_url: "https://api.mistral.ai/v1",
        protocol: Protocol::Chat,
        model: "mistral-medium-latest",
        context_window: Some(262_144),
        families: &["mistral-", "ministral-", "magistral-", "codestral-", "devstral-", "open-mi"],
        prices: &[of(&[], prefix(0.1, 5.0))],
        told: Told::List,
    },
    Listed {
        name: "xAI",
        variables: &["XAI_API_KEY"],
        base_url: "https://api.x.ai/v1",
        protocol: Protocol::Responses,
        model: "grok-4.6",
        context_window: Some(500_000),
        families: &["grok-"],
        prices: &[of(&["grok-4.2", "grok-4.3"], prefix(0.16, 2.0)), of(&[], prefix(0.25, 3.0))],
        told: Told::List,
    },
    Listed {
        name: "Z.ai",
        variables: &["ZAI_API_KEY", "Z_AI_API_KEY"],
        base_url: "https://api.z.ai/api/paas/v4",
        protocol: Protocol::Chat,
        model: "glm-5.3",
        context_window: Some(1_000_000),
        families: &["glm-"],
        prices: &[of(&[], prefix(0.19, 3.1))],
        told: Told::List,
    },
    Listed {
        name: "Moonshot",
        variables: &["MOONSHOT_API_KEY"],
        base_url: "https://api.moonshot.ai/v1",
        protocol: Protocol::Chat,
        model: "kimi-k3",
        context_window: Some(1_048_576),
        families: &["kimi-", "moonshot-"],
        prices: &[of(&["kimi-k2", "moonshot-"], prefix(0.17, 4.2)), of(&[], prefix(0.1, 5.0))],
        told: Told::List,
    },
    Listed {
        name: "Alibaba",
        variables: &["DASHSCOPE_API_KEY"],
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        protocol: Protocol::Chat,
        model: "qwen3.8-flash",
        context_window: Some(991_000),
        families: &["qwen", "qwq-"],
        prices: &[of(&[], prefix(0.2, 3.1))],
        told: Told::Nowhere,
    },
    Listed {
        name: "Cerebras",
        variables: &["CEREBRAS_API_KEY"],
        base_url: "https://api.cerebras.ai/v1",
        protocol: Protocol::Chat,
        model: "gpt-oss-120b",
        // Of the free tier; who pays has twice as much.
        context_window: Some(65_536),
        families: &["gpt-oss-"],
        prices: &[of(&[], prefix(1.0, 2.1))],
        told: Told::List,
    },
    local("Ollama", "http://127.0.0.1:11434/v1", Protocol::Ollama, Told::Ollama),
    local("llama.cpp", "http://127.0.0.1:8080/v1", Protocol::Chat, Told::LlamaCpp),
    local("LM Studio", "http://127.0.0.1:1234/v1", Protocol::Chat, Told::LmStudio),
    local("vLLM", "http://127.0.0.1:8000/v1", Protocol::Chat, Told::List),
];
