//! Word lists for decisions: what denies, what does away with something, what says nothing.

use crate::specifics::words::Words;

/// Words behind which a clause says what is not to be.
pub(super) const NOT: [&str; 34] = [
    "frühestens",
    "not",
    "no",
    "never",
    "without",
    "against",
    "instead",
    "cannot",
    "neither",
    "nobody",
    "nothing",
    "nowhere",
    "except",
    "nicht",
    "nie",
    "niemals",
    "aucun",
    "kein",
    "keinesfalls",
    "keine",
    "keinen",
    "ohne",
    "statt",
    "anstatt",
    "nunca",
    "jamás",
    "sin",
    "ni",
    "lugar",
    "ne",
    "pas",
    "jamais",
    "sans",
    "lieu",
];

/// Words of who decides something, in front of the reason for it.
pub(super) static BINDING: Words = Words::new(
    "agreed always choose chose decided decision freeze keep let let's lets must never picked pin settled stay stays",
);

/// Words of what stays as it is: `leave the schema alone` is `don't touch the schema`.
pub(super) const AS_IT_IS: [&str; 3] = ["alone", "unchanged", "untouched"];

/// The same in several words, at the end of a clause.
pub(super) const AS_THEY_ARE: [&str; 7] = [
    " as is",
    " as it is",
    " as they are",
    " as it was",
    " off limits",
    " on hold",
    " out of scope",
];

/// A clause that denies the one in front of it: `Fireworks: no`.
pub(super) const NO: [&str; 4] = ["nein", "no", "non", "none"];

/// Words with which another clause begins, which says for itself what is to be.
pub(super) const CLAUSES: [&str; 15] = [
    "after", "and", "because", "before", "but", "if", "since", "so", "unless", "until", "when",
    "und", "aber", "oder", "sondern",
];

/// Words that deny what stands before them in their clause as well, as in German.
pub(super) const NOT_EITHER: [&str; 4] = ["frühestens", "nicht", "nie", "niemals"];

/// The stem of what says that something stays.
pub(super) const KEEP: &str = "keep";

/// The stem of what says that something does not.
pub(super) const CHANGE: &str = "chang";

/// Stems, each with those of other words for it.
pub(super) const MEANINGS: [(&str, &[&str]); 10] = [
    ("add", &["introduc"]),
    ("rais", &["increas"]),
    (
        KEEP,
        &[
            "behalten",
            "bleiben",
            "bleibt",
            "conservé",
            "garder",
            "kept",
            "maintain",
            "mantener",
            "preserv",
            "remain",
            "retain",
            "stay",
            "stick",
        ],
    ),
    (CHANGE, &["alter", "edit", "modif", "modifi", "touch"]),
    ("answer", &["repli", "reply", "respond", "respons"]),
    ("stor", &["persist", "sav", "save"]),
    ("new", &["addit", "addition", "extra", "further"]),
    ("show", &["display"]),
    ("buy", &["bought", "purchas"]),
    ("send", &["sent"]),
];

/// Stems of verbs after which something is another one: what is not to be done of these stays.
pub(super) const FREEZING: [&str; 12] = [
    "bump", "chang", "downgrad", "migrat", "move", "mov", "rais", "renam", "replac", "switch",
    "updat", "upgrad",
];

/// Verbs of a sentence that tells how something is.
pub(super) const HOW_IT_IS: [&str; 15] = [
    "are", "breaks", "broke", "can", "costs", "had", "has", "have", "is", "takes", "took", "tried",
    "was", "were", "would",
];

/// Verbs that do away with what they are about together with "out".
pub(super) const OUT: [&str; 5] = ["cut", "left", "phased", "rule", "ruled"];

/// Verbs that say of what stands in front of them that it stays "out".
pub(super) const STAYS_OUT: [&str; 6] = ["keep", "kept", "leave", "remain", "stay", "stays"];

/// Words behind which the only thing stands that a ban does not ban.
pub(super) const BUT: [&str; 8] = [
    " besides ",
    " except for ",
    " except ",
    " other than ",
    " apart from ",
    " außer ",
    " sauf ",
    " salvo ",
];

/// Words that allow something.
pub(super) const ALLOWING: [&str; 10] =
    ["added", "allowed", "can", "darf", "dürfen", "may", "permitted", "peut", "puede", "used"];

/// Words in front of what alone is allowed.
pub(super) const ONLY: [&str; 6] = ["nur", "only", "solo", "sólo", "seul", "seulement"];

/// Words behind which a clause says where, or to whom.
pub(super) const PLACES: [&str; 16] = [
    "at", "auf", "aus", "during", "en", "from", "im", "in", "inside", "into", "on", "sur", "to",
    "under", "unter", "within",
];

/// What people write for long words.
pub(super) const ABBREVIATED: [(&str, &str); 14] = [
    ("admin", "administrator"),
    ("app", "application"),
    ("auth", "authentication"),
    ("conf", "configuration"),
    ("config", "configuration"),
    ("db", "database"),
    ("deps", "dependencies"),
    ("dev", "development"),
    ("docs", "documentation"),
    ("env", "environment"),
    ("perf", "performance"),
    ("prod", "production"),
    ("repo", "repository"),
    ("repos", "repositories"),
];

/// What stands between two things that one sentence decides.
pub(super) const JOINTS: [&str; 13] = [
    "; ",
    ". ",
    ", and ",
    ", but ",
    ", und ",
    " and we ",
    " and i ",
    " and never ",
    " and always ",
    " and please ",
    " und wir ",
    " y no ",
    " et ne ",
];

/// What is behind it exceeds something.
pub(super) const MORE: [&str; 15] = [
    " dépasser ",
    " exceed ",
    " go above ",
    " go over ",
    " superar ",
    " überschreiten",
    " more than ",
    " worse than ",
    " longer than ",
    " larger than ",
    " higher than ",
    " mehr als ",
    " länger als ",
    " más de ",
    " plus de ",
];

/// What is behind it bounds something.
pub(super) const MOST: [&str; 9] = [
    "at most ",
    " limit ",
    " limited to ",
    "a maximum of ",
    "no later than ",
    "höchstens ",
    "maximal ",
    "como máximo ",
    "au plus ",
];

/// Words with which something else is done by what stands behind them: `removed with filter-repo`.
pub(super) const MEANS: [&str; 6] = ["avec", "con", "mit", "using", "via", "with"];

/// Verbs that do away with what they are about.
pub(super) const AWAY: [&str; 28] = [
    "abandon",
    "avoid",
    "ban",
    "declin",
    "delet",
    "destroy",
    "disabl",
    "disallow",
    "discard",
    "drop",
    "elimin",
    "eras",
    "exclud",
    "forbid",
    "forbidden",
    "off",
    "omit",
    "prohibit",
    "prun",
    "purg",
    "reject",
    "remov",
    "replac",
    "scrap",
    "skip",
    "stop",
    "refus",
    "wip",
];

/// How such verbs begin in German, Spanish and French.
pub(super) const AWAY_ABROAD: [&str; 12] = [
    "abgelehnt",
    "ausgeschlossen",
    "descart",
    "entfall",
    "gestrichen",
    "rechaz",
    "verboten",
    "verwirf",
    "verworf",
    "verzicht",
    "écart",
    "évit",
];

/// Words that exclude each other, in the form for comparing.
pub(super) const SCALES: [&[&str]; 7] = [
    &["low", "medium", "high", "critic"],
    &["minor", "major"],
    &["small", "medium", "larg"],
    &["daili", "weekli", "monthli", "hourli", "nightli"],
    &["strict", "lenient"],
    &["public", "privat"],
    &["sync", "async"],
];

/// Verbs that say nothing beside "off" and "on".
pub(super) const TURNED: [&str; 4] = ["switch", "switched", "turn", "turned"];

/// Words with which something is settled, whatever it is.
pub(super) static SETTLING: Words = Words::new(
    "acordado agree agreed always bitte choose chose chosen conclude concluded decide decided decidido decidimos decision \
     elegido final finally go going let leave let let's lets opt opted pick picked plan planned please resolve resolved \
     settle settled take taken team took use used uses using usar want went \
     benutzen beschlossen choisi convenu décidé décidons entschieden nehmen nutzen verwenden",
);

/// Words that say nothing by themselves, beyond the English ones.
pub(super) static FILLERS: Words = Words::new(
    "anything anywhere auch i've i'll i'm now run we'll we're we've will called named auf bei brauche brauchen circumstances con das dass dem den der des die ein eine einen einer el es everywhere fall für haben hat hemos hin ich im ist \
     las los mit möchte möchten nach noch nur para por prend prendre que se sind su sie und una uns vom von vor werden will wir wird wieder wollen zum zur",
);

/// Words with which a remark on what is settled begins.
pub(super) static REMARKS: Words = Words::new(
    "das der die es he il it la las legal les los she that the there they this those una which",
);
