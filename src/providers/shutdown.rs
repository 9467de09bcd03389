//! Until when models are there, as far as their providers have said.

/// The announced end of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shutdown {
    provider: &'static str,
    model: &'static str,
    /// The day from which on it does not answer: `2027-01-14`.
    pub date: &'static str,
    /// The model that takes its place.
    pub instead: &'static str,
}

const fn shutdown(
    provider: &'static str,
    model: &'static str,
    date: &'static str,
    instead: &'static str,
) -> Shutdown {
    Shutdown { provider, model, date, instead }
}

const SHUTDOWNS: &[Shutdown] = &[
    shutdown("DeepSeek", "deepseek-chat", "2026-07-24", "deepseek-flash"),
    shutdown("DeepSeek", "deepseek-reasoner", "2026-07-24", "deepseek-flash"),
    shutdown("OpenAI", "o1", "2026-10-23", "gpt-5.6-sol"),
    shutdown("OpenAI", "o3-mini", "2026-10-23", "gpt-5.6-sol"),
    shutdown("OpenAI", "o4-mini", "2026-10-23", "gpt-5.6-terra"),
    shutdown("OpenAI", "gpt-3.5-turbo", "2026-10-23", "gpt-5.6-terra"),
    shutdown("OpenAI", "gpt-4", "2026-10-23", "gpt-5.6-sol"),
    shutdown("OpenAI", "gpt-4-turbo", "2026-10-23", "gpt-5.6-sol"),
    shutdown("OpenAI", "gpt-4.1-nano", "2026-10-23", "gpt-5.6-luna"),
    shutdown("OpenAI", "gpt-5", "2026-12-11", "gpt-6.1-sol"),
    shutdown("OpenAI", "gpt-5-mini", "2026-12-11", "gpt-6.1-terra"),
    shutdown("OpenAI", "gpt-5-nano", "2026-12-11", "gpt-6-luna"),
    shutdown("OpenAI", "o3", "2026-12-11", "gpt-5.6-sol"),
    shutdown("OpenAI", "gpt-4.1", "2027-01-14", "gpt-6-luna"),
    shutdown("OpenAI", "gpt-4.1-mini", "2027-01-14", "gpt-6-luna"),
    shutdown("OpenAI", "gpt-4o", "2027-01-14", "gpt-6-luna"),
    shutdown("OpenAI", "gpt-4o-mini", "2027-01-14", "gpt-6-luna"),
    shutdown("Anthropic", "claude-sonnet-4", "2026-06-15", "claude-sonnet-5-5"),
    shutdown("Anthropic", "claude-opus-4", "2026-06-15", "claude-opus-5-5"),
    shutdown("Anthropic", "claude-sonnet-4-5", "2026-11-30", "claude-sonnet-5-5"),
    shutdown("Gemini", "gemini-2.0-flash", "2026-06-01", "gemini-3.1-flash-lite"),
    shutdown("Gemini", "gemini-2.5-pro", "2026-12-01", "gemini-3.8-flash"),
    shutdown("Gemini", "gemini-2.5-flash", "2026-12-01", "gemini-3.5-flash-lite"),
    shutdown("Groq", "llama-3.3-70b-versatile", "2026-08-16", "openai/gpt-oss-120b"),
    shutdown("Groq", "llama-3.1-8b-instant", "2026-08-16", "openai/gpt-oss-20b"),
    shutdown("xAI", "grok-3", "2026-05-15", "grok-4.3"),
    shutdown("xAI", "grok-4-0709", "2026-05-15", "grok-4.3"),
    shutdown("Moonshot", "kimi-k2-0905-preview", "2026-05-25", "kimi-k2.6"),
];

/// The announced end of a provider's model, or of the model that it is a dated snapshot of.
pub fn shutdown_of(provider: &str, model: &str) -> Option<&'static Shutdown> {
    let is = |end: &&Shutdown| {
        let dated = |rest: &str| {
            rest.strip_prefix('-').is_some_and(|date| {
                date.starts_with("20") && date.chars().all(|c| c.is_ascii_digit() || c == '-')
            })
        };
        end.provider == provider
            && model.strip_prefix(end.model).is_some_and(|rest| rest.is_empty() || dated(rest))
    };
    SHUTDOWNS.iter().find(is)
}
