//! How the small values of the core are stored: by their names, tokens by their number.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::memory::{BudgetMode, ChangeKind, EffortId, NoteOrder, NoteState, Status, Tier, Tokens};

/// Stores values by their names; one that has another name makes no sense.
macro_rules! named {
    ($($type:ident: $of_name:path;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                $of_name(&name).ok_or_else(|| D::Error::custom("nothing has this name"))
            }
        }
    )*};
}

named! {
    BudgetMode: BudgetMode::named;
    ChangeKind: ChangeKind::named;
    EffortId: effort_id;
    NoteOrder: note_order;
    NoteState: NoteState::from_name;
    Status: Status::named;
    Tier: tier;
}

#[allow(clippy::unnecessary_wraps, reason = "other names may be of nothing")]
fn effort_id(id: &str) -> Option<EffortId> {
    Some(EffortId::stored(id))
}

fn note_order(name: &str) -> Option<NoteOrder> {
    NoteOrder::from_name(name).ok()
}

fn tier(name: &str) -> Option<Tier> {
    Tier::ALL.into_iter().find(|tier| tier.as_str() == name)
}

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self)
    }
}
