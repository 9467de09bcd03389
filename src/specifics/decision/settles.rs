//! The words with which a sentence settles something.

use super::{JOINING, LABELS, NOWHERE, VERBS, order};
use crate::specifics::pattern::Pattern;
use crate::specifics::stretch::in_ascii;

/// One way to settle something.
struct Way {
    place: Place,
    words: &'static str,
    /// What lines are looked for by, where other words stand between those that settle something.
    hint: &'static str,
}

/// Where in a sentence a way to settle something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// Where it begins, behind [`OPENINGS`].
    First,
    /// There, or behind a comma and what joins it.
    Joined,
}

const fn anywhere(words: &'static str) -> Way {
    Way { place: Place::Anywhere, words, hint: words }
}

const fn first(words: &'static str) -> Way {
    Way { place: Place::First, words, hint: words }
}

const fn joined(words: &'static str) -> Way {
    Way { place: Place::Joined, words, hint: words }
}

impl Way {
    const fn seen_by(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }
}

/// The ways in which people settle something.
const WAYS: &[Way] = &[
    anywhere(r"\b(?:we|i)(?:['’]ve|\x20have)?(?:\x20(?:both|all|finally|now|just|already|then|also|therefore|jointly))?\x20(?:decided|agreed|chose|settled|opted|picked|went\x20with|concluded|resolved)\b"),
    anywhere(r"\blet['’]s\x20(?:go\x20(?:with|for)|use|keep|stick|skip|switch|drop|take|make\x20it|stay|leave\x20it|do|move|call\x20it|settle|book|not|ship|merge|put|set|change|start\x20with|postpone|plan\x20on|target|aim)\b"),
    anywhere(r"\b(?:we|i)(?:['’]ll|\x20will)\x20(?:go\x20(?:with|for|ahead\x20with)|stick|stay|switch\x20to|settle|opt|keep|set\x20it)\b"),
    anywhere(r"\b(?:i['’]m|we['’]re|we\x20are|i\x20am)\x20going\x20(?:with|for)\b"),
    first(r"going\x20with\b"),
    first(r"(?:final\x20)?(?:decision|decided|agreed|resolution)\s*:"),
    anywhere(r"\b(?:it|that)(?:['’]s|\x20is)\x20(?:decided|settled|agreed)\b"),
    anywhere(r"\b(?:decision|plan|verdict|conclusion)\x20(?:is|was)\x20(?:to|that)\b"),
    anywhere(r"\b(?:the\x20)?(?:board|committee|family|team)\x20(?:decided|agreed|voted)\b"),
    first(r"(?:the\x20)?(?:client|customer|design|engineering|finance|legal|management|marketing|product|security)\x20(?:agreed|decided|voted)\x20(?:against|for|on|that|to)\b"),
    first(r"(?:stay|stick)\x20(?:on|to|with)\x20"),
    first(r"(?:he|she)\x20refuses\x20"),
    anywhere(r"\b(?:we|i)\x20(?:go|stay|stick)\x20(?:with|on|at)\b"),
    anywhere(r"\bmust(?:n['’]t|\x20(?:never|not|always|keep|stay|remain))\b"),
    anywhere(r"\b(?:never\x20ever|from\x20now\x20on|ab\x20jetzt|a\x20partir\x20de\x20ahora)\b"),
    anywhere(r"\b(?:we|i)\x20(?:don['’]t|do\x20not)\x20want\b"),
    joined(r"ORDER"),
    first(r"(?:nie|niemals|nunca|nada\x20de|no\x20(?:TABU))\x20"),
    anywhere(r"\bno\x20(?:FORBIDDEN)\b"),
    anywhere(r"\bagreed\x20(?:to|that|no|none)\b"),
    anywhere(r"\b(?:we['’]re|i['’]m|we\x20are|i\x20am)\x20not\x20(?:accepting|adding|applying|buying|changing|deploying|doing|going\x20to|merging|moving|paying|releasing|shipping|signing|switching|touching|upgrading|using)\b"),
    anywhere(r"\bwe\x20(?:don['’]t|do\x20not)\x20(?:VERBS)\b"),
    joined(r"no\x20(?:additional|extra|further|new)\x20"),
    joined(r"no\x20(?:changes|edits)\x20(?:in|to)\x20"),
    joined(r"keep\x20(?:my|our|the)\x20(?:current|existing|new|old|original|present)\b"),
    first(r"(?:make\x20it|dann\x20(?:machen|nehmen)\x20wir)\b"),
    anywhere(r"\b(?:no|nunca)\x20deben?\b"),
    first(r"(?:turn|switch)\x20off\x20"),
    anywhere(r"(?:,|\band)\x20(?:turn|switch)\x20off\x20"),
    anywhere(r"\b(?:we|i)\x20(?:won['’]t|will\x20not)\x20(?:ever\x20)?(?:do|VERBS)\b"),
    anywhere(r"\b(?:under\x20no\x20circumstances|auf\x20keinen\x20fall|en\x20ningún\x20caso|en\x20aucun\x20cas)\b"),
    first(r"decided\x20(?:to|on|against|that)\b"),
    anywhere(r"\bnie(?:mals)?\x20(?:unter|über|ohne|mehr\x20als|vor|nach|mit)\x20"),
    anywhere(r"\b(?:said|says|asked|told|wants?|wanted|insists?|insisted)\x20(?:(?:us|me|you|that\x20we)\x20)?(?:to\x20)?(?:always|never)\b"),
    anywhere(r"\b(?:on\x20a|nous\x20avons)\x20(?:décidé|choisi|convenu)\b"),
    anywhere(r"\b(?:hemos\x20(?:decidido|acordado|elegido|optado)|decidimos|acordamos|nos\x20quedamos\x20con)\b"),
    anywhere(r"\bwir\x20(?:nehmen|behalten|verwenden|verzichten\x20auf|bleiben\x20bei)\b"),
    first(r"(?:VERBS|take|resume|whitelist)\x20[^,.;]{1,40}(?:,\x20not|\x20instead\x20of|\x20rather\x20than)\x20").seen_by(r"(?:,\x20not|instead\x20of|rather\x20than)\x20"),
    anywhere(r"(?:,\x20(?:VERBS|take|resume|whitelist)|\bmust\x20be|\b(?:we|i)\x20use)\x20[^,.;]{1,40}(?:,\x20not|\x20instead\x20of|\x20rather\x20than)\x20").seen_by(r"(?:,\x20not|instead\x20of|rather\x20than)\x20"),
    joined(r"(?:leave|turn|switch)\x20[^,.;]{1,50}\x20(?:off|on)(?:\W*$|[,.;]|\x20again\b)").seen_by(r"\b(?:leave|turn|switch)\x20"),
    anywhere(r"\balways\x20(?:VERBS|as|in|with)\b[^.;]{0,60},\x20never\x20").seen_by(r",\x20never\x20"),
    first(r"(?:VERBS)\x20[^,.;]{1,60}\x20and\x20(?:never|always)\x20(?:VERBS)\b").seen_by(r"\x20and\x20(?:never|always)\x20"),
    first(r"(?:(?:alright|fine|good|great|perfect|sure|yes),\x20)?[\w.@:-]+(?:\x20[\w.@:-]+){0,2}\x20it\x20is(?:,?\x20(?:thanks|then))?\W*$").seen_by(r"\x20it\x20is\b"),
    first(r"keine?n?\x20(?:\p{L}+\x20)?(?-i:[A-ZÄÖÜ])[\p{L}-]+\W*$").seen_by(r"\bkeine?n?\x20"),
    first(r"(?-i:[Nn]ot|[Nn]icht)\x20(?-i:[A-Z])[\w.-]+\W*$").seen_by(r"\b(?:not|nicht)\x20"),
    first(r"no\x20[\w-]+(?:\x20[\w-]+){0,3},\x20please\W*$").seen_by(r",\x20please\b"),
    anywhere(r"\x20too\x20(?:big|few|high|large|little|long|low|many|much|short|small),\x20(?:make\x20(?:it|that)|set\x20it\x20to|use)\x20\d").seen_by(r"\x20too\x20(?:big|few|high|large|little|long|low|many|much|short|small),\x20"),
    first(r"(?:VERBS)\x20[^,.;]{1,60}\x20only\W*$").seen_by(r"\x20only\b"),
    joined(r"no\x20(?:new\x20|third-party\x20|external\x20|extra\x20|more\x20)[^,.;]{1,40}\x20(?:besides|except|other\x20than|apart\x20from)\x20").seen_by(r"\b(?:besides|except|other\x20than|apart\x20from)\x20"),
    anywhere(r"\b(?:wir|ich)\x20(?:wollen|will|möchten?|brauchen?)\x20(?:\S+\x20){0,2}keine?n?\b").seen_by(r"\bkeine?n?\b"),
    anywhere(r"\bdarf\x20(?:\S+\x20){0,3}(?:nicht|nie|niemals)\b").seen_by(r"\bdarf\x20"),
    anywhere(r"\bon\x20ne\x20\p{L}+\x20(?:jamais|pas|plus)\b").seen_by(r"\bon\x20ne\x20"),
    first(r"bitte\x20(?:\S+\x20){0,4}(?:nicht|nie|niemals|keine?n?)\b").seen_by(r"\bbitte\x20"),
    first(r"ne\x20(?:pas|jamais|\p{L}+\x20(?:surtout\x20)?(?:pas|jamais))\x20").seen_by(r"\x20(?:pas|jamais)\x20"),
    anywhere(r"\bwir\x20haben\x20(?:uns\x20)?(?:\S+\x20){0,6}(?:entschieden|beschlossen|geeinigt)\b").seen_by(r"\b(?:entschieden|beschlossen|geeinigt)\b"),
    joined(r"NOWHERE").seen_by(r"\b(?:anywhere|any\x20?more|whatsoever|beyond|during)\b"),
    first(r"leave\x20[^,.;]{1,50}\x20(?:alone|unchanged|untouched)\b").seen_by(r"\b(?:alone|unchanged|untouched)\b"),
];

/// What may begin an order, whatever its verb.
const ORDERS: [&str; 3] = [r"\b(?:don['’]t|do[\s\x{a0}]not)\b", r"\bkeep\b", r"\bnever\b"];

/// What shows wherever it stands that something may be settled in its sentence. What may stand between such words is left out:
/// it would take longer than all the rest.
pub(in crate::specifics) static HINT: Pattern =
    Pattern::new(|| any_of(WAYS.iter().map(|way| way.hint).chain(ORDERS)));

static ANYWHERE: Pattern = Pattern::new(|| words_at(&[Place::Anywhere]));
static FIRST: Pattern = Pattern::new(|| words_at(&[Place::First, Place::Joined]));
static BEHIND_COMMA: Pattern =
    Pattern::new(|| format!("(?i){JOINING}(?:{})", words_at(&[Place::Joined])));

fn words_at(places: &[Place]) -> String {
    let ways = WAYS.iter().filter(|way| places.contains(&way.place));
    in_ascii(&any_of(ways.map(|way| way.words))).into_owned()
}

fn any_of<'w>(ways: impl Iterator<Item = &'w str>) -> String {
    let ways = ways.collect::<Vec<_>>().join("|").replace("ORDER", &order());
    let ways = ways.replace("VERBS", VERBS).replace("NOWHERE", NOWHERE);
    format!("(?i){}", ways.replace("TABU", TABU).replace("FORBIDDEN", FORBIDDEN))
}

/// Whether a sentence, or a part of it, settles something in so many words. It is looked at in the letters of ASCII alone.
pub(super) fn settles_in_words(said: &str) -> bool {
    let said = &*in_ascii(said);
    ANYWHERE.is_in_plain(said)
        || beginnings(said).any(|rest| FIRST.begins_plain(rest))
        || said.match_indices(", ").any(|(at, _)| BEHIND_COMMA.begins_plain(&said[at + 2..]))
}

/// Words with which a sentence may begin before what it says.
const OPENINGS: [&str; 16] = [
    "please",
    "but",
    "also",
    "and",
    "so",
    "no",
    "ok",
    "okay",
    "bitte",
    "und",
    "aber",
    "et",
    "mais",
    "y",
    "pero",
    "por favor",
];

/// Where a sentence may begin to say something: behind what is no word, behind a word for what an order is, and behind each of
/// its openings.
fn beginnings(said: &str) -> impl Iterator<Item = &str> {
    let start = said.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
    let behind_label = start.split_once(": ").filter(|(label, _)| is_label(label));
    let first = behind_label.map_or(start, |(_, rest)| rest);
    let openings = std::iter::successors(Some(first), |rest| behind_opening(rest));
    behind_label.map(|_| start).into_iter().chain(openings)
}

/// Whether it is a word for what an order is, perhaps with some more: `Rule for all of us`.
fn is_label(label: &str) -> bool {
    const MOST_WORDS: usize = 6;
    let mut words = label.split(' ');
    let first = words.next().unwrap_or_default();
    LABELS.split('|').any(|known| known.eq_ignore_ascii_case(first))
        && words.clone().count() < MOST_WORDS
        && words.all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// What stands behind an opening of a sentence, if it begins with one.
fn behind_opening(said: &str) -> Option<&str> {
    OPENINGS.iter().find_map(|opening| {
        let (head, rest) = said.split_at_checked(opening.len())?;
        let rest = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' '))?;
        head.eq_ignore_ascii_case(opening).then_some(rest)
    })
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(in crate::specifics) const PATTERNS: &[&Pattern] = &[&HINT, &ANYWHERE, &FIRST, &BEHIND_COMMA];

/// What is not to be done in Spanish, where a bare "no" is far more often an answer.
const TABU: &str =
    "añadir|borrar|cambiar|eliminar|ejecutar|mezclar|modificar|mover|poner|subir|tocar|usar";

/// The same in the forms of an order.
const FORBIDDEN: &str = "añadas|borres|cambies|compres|despliegues|elimines|ejecutes|envíes|guardes|mezcles|modifiques|muevas|pongas|publiques|reserves|subas|toques|uses";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_settles_something_behind_its_openings_whatever_letters_stand_around() {
        for said in [
            "ok, going with Postgres",
            "And please, never deploy on Friday",
            "Rules for all of us: no new dependencies besides serde",
            "Für Zoë: let's do a round trip for π",
            "Ñandú, never touch it",
            "on a décidé de partir",
            "But also keep the original names",
            "Zoë, I’m not buying it",
        ] {
            assert!(settles_in_words(said), "{said}");
        }
        for said in [
            "it is going with the flow",
            "éwe decided",
            "they said keep the original names",
            "A rule for all of us: no new dependencies besides serde",
            "Rules for each one of the people here: no new dependencies besides serde",
        ] {
            assert!(!settles_in_words(said), "{said}");
        }
    }
}
