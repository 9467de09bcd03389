//! Nouns that people use for the same.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::memory::stem;

/// Each list in any order; a noun may stand in several.
const ALIKE: [&str; 27] = [
    "times cycles iterations occurrences repetitions rounds runs uses",
    "times attempts retries tries",
    "times veces intentos reintentos",
    "times fois essais tentatives",
    "times mal versuche wiederholungen",
    "people customers clients subscribers",
    "people users players testers",
    "people employees workers colleagues staff",
    "people patients residents",
    "people students pupils learners",
    "people members volunteers respondents",
    "devices units boards machines boxes appliances",
    "servers machines hosts nodes instances boxes",
    "rows records entries lines",
    "parcels packages shipments deliveries",
    "flats apartments homes",
    "chairs seats",
    "items entries elements",
    "people persons guests attendees participants visitors invitees",
    "gäste leute people personen teilnehmer",
    "invitados personas comensales asistentes people",
    "invités personnes convives people",
    "images pictures photos photographs",
    "customers clients",
    "issues problems findings defects",
    "trucks lorries",
    "calls requests",
];

/// Whether two nouns in the form for comparing mean the same.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    static LISTS: OnceLock<BTreeMap<String, u32>> = OnceLock::new();
    let lists = LISTS.get_or_init(|| {
        let mut lists = BTreeMap::new();
        for (nth, nouns) in ALIKE.iter().enumerate() {
            for noun in nouns.split(' ') {
                *lists.entry(stem(noun)).or_default() |= 1 << nth;
            }
        }
        lists
    });
    let of = |noun: &str| lists.get(noun).copied().unwrap_or_default();
    of(one) & of(other) != 0
}
