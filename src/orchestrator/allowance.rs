//! How much a request of memory's own may have: no more than one of the chat, and no more than the model takes that answers
//! it, as its server tells in its list, or where it refuses a request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::config::{after_refusal, room_in};
use crate::counted::grouped;
use crate::llm::{self, Model};
use crate::lock::locked;
use crate::memory::Tokens;

/// With fewer tokens than this a request holds little beside its instructions.
const LEAST: u64 = 500;

/// The most tokens of a request of memory's own, by the model that is asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Allowance(Arc<Mutex<HashMap<String, u64>>>);

impl Allowance {
    /// The most tokens of a request to this model, or to the one that chats, where those of the chat keep to a limit.
    pub(super) fn of(&self, model: &dyn Model, name: Option<&str>, chat: Tokens) -> Tokens {
        let own = model.info().name;
        let name = name.unwrap_or(&own);
        let listed = if name == own { None } else { model.takes(name) };
        let refused = locked(&self.0).get(name).copied();
        // No model that chats takes less: a list means thousands, or something else, by it.
        let listed = listed.map(room_in).filter(|most| *most >= 2 * LEAST);
        let told = listed.into_iter().chain(refused).min();
        chat.min(Tokens(told.unwrap_or(u64::MAX)))
    }

    /// Remembers what the refusal of a request of so many tokens says that the model takes. Gives what is told of it, where the
    /// next request has less by it.
    pub(super) fn learn(&self, name: &str, refusal: &llm::Error, sent: Tokens) -> Option<String> {
        let takes = refusal.takes()?;
        let most = after_refusal(takes, sent.0).filter(|most| *most >= LEAST)?;
        let mut known = locked(&self.0);
        // Several requests are under way at once.
        if known.get(name).is_some_and(|before| *before <= most) {
            return None;
        }
        known.insert(name.to_owned(), most);
        Some(format!(
            "{name} takes {} tokens as its server counts them, so what it is given to shorten goes out again in requests of \
             at most {}.",
            grouped(takes),
            grouped(most)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::error::StatusKind;
    use crate::llm::{EventStream, ModelInfo, Request};

    struct Listing;

    impl Model for Listing {
        fn info(&self) -> ModelInfo {
            let (name, provider) = ("big".to_owned(), "here".to_owned());
            ModelInfo { name, provider, context_window: None, offline: false }
        }

        fn stream(&self, _: Request) -> EventStream {
            unreachable!("nobody asks it")
        }

        fn takes(&self, model: &str) -> Option<u64> {
            (model == "small").then_some(4_096)
        }
    }

    #[test]
    fn a_request_keeps_to_what_its_model_takes() {
        let allowance = Allowance::default();
        let of = |name| allowance.of(&Listing, name, Tokens(12_000)).0;
        assert_eq!((of(None), of(Some("small")), of(Some("other"))), (12_000, 3_072, 12_000));
        let refusal = |takes| llm::Error::MidStream {
            address: "a:1".to_owned(),
            message: "too long".to_owned(),
            kind: StatusKind::TooLong,
            takes,
        };
        assert_eq!(allowance.learn("other", &refusal(None), Tokens(9_000)), None);
        let told = allowance.learn("other", &refusal(Some(6_000)), Tokens(9_000)).unwrap();
        assert!(told.starts_with("other takes 6,000 tokens"), "{told}");
        assert_eq!((of(Some("other")), of(None)), (4_500, 12_000));
        // Its server counts more tokens than we do.
        allowance.learn("other", &refusal(Some(6_000)), Tokens(4_500)).unwrap();
        assert_eq!(of(Some("other")), 4_050);
        assert_eq!(allowance.learn("other", &refusal(Some(6_000)), Tokens(500)), None);
    }
}
