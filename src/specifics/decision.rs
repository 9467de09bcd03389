//! Decisions: the sentences in which something is settled.

pub(super) mod settles;

use std::ops::Range;

use super::Kind;
use super::pattern::Pattern;
use super::scan::Scan;
use super::stretch::Stretches;
use super::words::Words;
use settles::{HINT, settles_in_words};

/// The longest decision in bytes; a longer sentence is cut at a word.
const LONGEST: usize = 200;

/// An order that stands behind something else in a sentence.
static LATER_ORDER: Pattern =
    Pattern::new(|| format!(r"(?i),\x20{JOINING}(?<order>{}|{NOWHERE})", order()));

/// What is never or always to be done.
fn order() -> String {
    format!(r"(?:never|always|don['’]t|do\x20not)\x20(?:ever\x20)?(?:{VERBS})\b")
}

/// What is to be nowhere.
const NOWHERE: &str =
    r"no\x20(?:[\w-]+\x20){1,4}(?:anywhere|any\x20?more|whatsoever|beyond|during)\b";

/// Words that join an order to what stands before it.
const JOINING: &str = r"(?:(?:and|but|so)\x20)?";

/// Words for what an order is, in front of a colon.
const LABELS: &str = "achtung|attention|caution|constraint|constraints|hard|important|importante|note|policy|regel|regeln|reminder|requirement|requirements|rule|rules|wichtig";

/// What people want always or never to be done.
const VERBS: &str = "accept|back|add|allow|answer|archive|ask|assume|attend|automate|backfill|block|book|build|bump|buy|bypass|cache|call|cancel|change|charge|clone|close|commit|compress|convert|cook|copy|create|delete|deploy|disable|disclose|discuss|downgrade|downscale|drop|duplicate|edit|email|embed|enable|enforce|export|expose|extend|feed|fix|fly|force|format|freeze|generate|give|grant|guess|hand|hardcode|heat|hide|hire|host|ignore|import|include|increase|inline|install|introduce|invent|invite|keep|kick|kill|leave|lift|load|log|lower|mail|mention|merge|migrate|mix|mock|modify|mount|move|mutate|offer|open|order|override|overwrite|parse|patch|pay|pin|plant|poll|port|post|print|promote|propose|provide|prune|publish|purge|push|put|quote|raise|rate|rebase|rebuild|recommend|recreate|redeploy|reduce|refactor|reindex|release|rely|remove|rename|renew|rent|repeat|replace|reply|report|reset|restart|restore|retry|reuse|reveal|revert|rewrite|roll|rotate|route|run|save|scale|schedule|scrape|seed|sell|send|serve|set|share|ship|show|sign|skip|spend|split|squash|start|stop|store|strip|suggest|support|swap|switch|sync|tag|target|tell|touch|translate|trim|truncate|trust|try|tune|turn|unpin|update|upgrade|upload|use|vendor|wait|wash|water|wear|whitelist|wipe|write";

/// Takes the decisions of a message; their places stay free for the details in them.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    let hints = scan.whole.ends(&HINT);
    if hints.is_empty() {
        return;
    }
    let is_hinted = |sentence: &Range<usize>| {
        let next = hints.partition_point(|end| *end <= sentence.start);
        hints.get(next).is_some_and(|end| *end <= sentence.end)
    };
    for sentence in sentences(text).into_iter().filter(is_hinted) {
        let said = &text[sentence.clone()];
        let open = said.trim_end().ends_with('?')
            || said.contains("haven't")
            || said.contains("not yet")
            || is_courtesy(said)
            || is_remark(said);
        if !open && settles(said) {
            let core = unquoted(text, trimmed(text, sentence.clone()), sentence.end);
            for part in from_order(text, core) {
                scan.note(shortened(text, part), Kind::Decision);
            }
        }
    }
}

/// Whether a sentence that denies something only is polite, or says how things are: `No hurry, please`, `Not Installed`.
fn is_courtesy(said: &str) -> bool {
    static COURTESIES: Words = Words::new(
        "acceptable ahnung allowed angabe angaben angst antwort antworten applicable available chance daten dateien ding eile \
         einwände ergebnis ergebnisse fehler found frage fragen gefahr hurry idea idee interesse kommentar lust meinung need \
         offense panik plan problem probleme problems ready really rush rückmeldung scherz set sinn sorge sorgen spaß stress sure \
         thanks thema treffer ursache verbindung warnungen witz worries worry wunder yet zeit zugriff zweifel änderung änderungen",
    );
    const DENYING: [&str; 5] = ["kein", "keine", "keinen", "nicht", "no"];
    const ENDINGS: [&str; 3] = ["able", "ed", "ing"];
    let mut words = said.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_lowercase();
    let is_state = |word: &str| word.len() < 3 || ENDINGS.iter().any(|end| word.ends_with(end));
    let is_polite = |word: &str| COURTESIES.hold_lower(word);
    match words.next() {
        Some(what) if first == "not" => is_polite(what) || is_state(what),
        Some(what) if DENYING.contains(&&*first) => {
            is_polite(what) || first.starts_with("kein") && words.next().is_some_and(is_polite)
        }
        _ => false,
    }
}

/// Whether a sentence only says how something is, or asks somebody to stay: `That's what it is`, where `Third order it is`
/// settles which.
fn is_remark(said: &str) -> bool {
    static REMARKS: Words = Words::new(
        "amazing and as bad because believe but done error good guess here hope how however i if is know like nice now sad see since so \
         sure that that's then there think though too way weird what whatever what's where which who whose why yes",
    );
    static SOMEBODY: Words = Words::new("her him it me our that the them this top topic us");
    static NOTHING: Words =
        Words::new("again ever happen happens it may must never no not of should so that this");
    let mut words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    if words.clone().all(|word| NOTHING.hold_lower(word)) {
        return true;
    }
    if words.next().is_some_and(|first| ["stay", "stick"].contains(&&*first.to_lowercase())) {
        return words.nth(1).is_some_and(|whom| SOMEBODY.hold_lower(whom));
    }
    let end = said.trim_end_matches(|c: char| !c.is_alphanumeric());
    end.strip_suffix(" it is").is_some_and(|lead| {
        lead.split_whitespace().any(|word| REMARKS.hold_lower(word.trim_matches('"')))
    })
}

/// Whether a sentence, or a part of it, settles something.
fn settles(said: &str) -> bool {
    settles_in_words(said) || is_order(said)
}

/// Words behind "don't" with which a sentence begins that orders nothing.
static NO_ORDERS: Words = Words::new(
    "be believe bother care feel forget get have hear hesitate hold know let like look make mind need panic recall recognise \
     recognize remember see seem take tell they think understand want we worry you",
);

/// The same behind "never".
static NO_NEVERS: Words = Words::new(
    "again been before came could did do does even ever fails felt gets goes got had happens has heard knew made mind once ran \
     really returns runs said saw seen seems should stops was went were will works would",
);

/// The same behind "keep".
static NO_KEEPS: Words = Words::new(
    "a an both calm fit her his in it me on safe that the their this track up us well you your",
);

/// Whether a sentence begins with what is not to be done, whatever that is, or with what is to be kept.
fn is_order(said: &str) -> bool {
    // What is longer explains how something is done.
    const LONGEST: usize = 7;
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').to_lowercase()
    };
    // A word for what it is may stand in front: `Rules: never touch it`.
    let is_label = |label: &str| {
        let first = bare(label.trim_start().split(' ').next().unwrap_or_default());
        LABELS.split('|').any(|known| known == first) && label.split(' ').count() < LONGEST
    };
    let label = said.split_once(": ").filter(|(label, _)| is_label(label));
    let ordered = label.map_or(said, |(_, rest)| rest);
    // Behind a comma stands why.
    let parts = ordered.trim_start().split(", ");
    let order = parts.into_iter().find(|part| !LEADS.contains(&&*bare(part))).unwrap_or_default();
    let words = order.split_whitespace().map(bare);
    let words: Vec<String> =
        words.skip_while(|word| word.is_empty() || LEADS.contains(&word.as_str())).collect();
    let is_verb = |verb: &str| {
        let is_word = |part: &str| part.len() > 1 && part.chars().all(char::is_lowercase);
        verb.split('-').all(is_word) && !NO_ORDERS.holds(verb)
    };
    let told: Vec<&str> = words.iter().map(String::as_str).collect();
    let begins = bare(order.split(' ').next().unwrap_or_default());
    match told[..] {
        _ if told.len() > LONGEST => false,
        ["don't" | "don’t", verb, _, ..] | ["do", "not", verb, ..] => is_verb(verb),
        // What is taken up again needs no object: `don't re-key`.
        ["don't" | "don’t", verb] => verb.starts_with("re-") && is_verb(verb),
        // `keep 12`, `keep -O2`
        ["keep", what] => {
            let is_figure = !what.is_empty() && what.bytes().all(|byte| byte.is_ascii_digit());
            is_figure || order.contains(" -")
        }
        ["never", verb, _, ..] if begins == "never" => {
            is_verb(verb) && !is_report(verb) && !NO_NEVERS.holds(verb)
        }
        ["keep", what, _, ..] => {
            let is_short = said.split_whitespace().count() <= LONGEST + 1;
            is_short && !NO_KEEPS.holds(what) && !what.ends_with("ing")
        }
        _ => false,
    }
}

/// Whether a verb tells what happens, or what did.
fn is_report(verb: &str) -> bool {
    let is_third = verb.ends_with('s') && !verb.ends_with("ss");
    is_third || verb.ends_with("ed") || verb.ends_with("ing")
}

/// Words in front of an order.
const LEADS: [&str; 14] = [
    "also", "and", "but", "fine", "good", "great", "no", "ok", "okay", "please", "so", "sure",
    "yeah", "yes",
];

/// The sentences of a text: they end at a line's end or at a mark with white space behind it.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut signs = text.char_indices().peekable();
    let mut in_code = false;
    while let Some((at, sign)) = signs.next() {
        // A mark that nothing closes in its line opens nothing.
        in_code = match sign {
            '`' if !in_code => text[at + 1..]
                .find(['`', '\n'])
                .is_some_and(|end| text[at + 1 + end..].starts_with('`')),
            '`' | '\n' => false,
            _ => in_code,
        };
        if matches!(sign, '.' | '!' | '?')
            && let Some((end, quote)) = signs.next_if(|(_, next)| matches!(next, '"' | '”'))
            && signs.peek().is_none_or(|(_, next)| next.is_whitespace())
        {
            found.push(start..end + quote.len_utf8());
            start = end + quote.len_utf8();
            continue;
        }
        let next = signs.peek().map(|(_, next)| *next);
        let initial = sign == '.' && is_initial(&text[start..at]);
        let mark = matches!(sign, '.' | '!' | '?' | ';')
            && next.is_none_or(char::is_whitespace)
            && !initial
            && !in_code;
        let is_line = sign == '\n'
            && next.is_none_or(|next| {
                next == '\n' || !next.is_lowercase() || is_labelled(&text[at + 1..])
            });
        if is_line || mark {
            found.push(start..at + sign.len_utf8());
            start = at + sign.len_utf8();
        }
    }
    found.push(start..text.len());
    found
}

/// Whether a line begins with a word and a colon, as one that somebody says does: `user: go on`.
fn is_labelled(line: &str) -> bool {
    let word = line.len() - line.trim_start_matches(char::is_alphabetic).len();
    word > 0 && line[word..].starts_with(": ")
}

/// Whether a dot behind a text is that of an initial: `R. Okafor`.
fn is_initial(text: &str) -> bool {
    let mut signs = text.chars().rev();
    signs.next().is_some_and(char::is_uppercase)
        && signs.next().is_some_and(|c| matches!(c, ' ' | '(' | '.'))
}

/// Without the white space and the closing marks around it.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let said = &text[place.clone()];
    let body = said.trim_start_matches(|c: char| c.is_whitespace() || "-*>#\"“".contains(c));
    let body = CHEERS.iter().find_map(|cheer| after_cheer(body, cheer)).unwrap_or(body);
    let start = place.end - body.len();
    let rest = body.trim_end_matches(|c: char| c.is_whitespace() || ".!;\"”*".contains(c));
    start..start + rest.len()
}

/// What people say before they settle something.
const CHEERS: [&str; 14] = [
    "agreed", "alright", "cool", "fine", "good", "great", "gut", "nice", "ok", "okay", "perfect",
    "sure", "thanks", "yes",
];

/// What stands behind such a word and its comma.
fn after_cheer<'t>(said: &'t str, cheer: &str) -> Option<&'t str> {
    let (head, rest) = said.split_at_checked(cheer.len())?;
    rest.strip_prefix(", ").filter(|_| head.eq_ignore_ascii_case(cheer))
}

/// A sentence whose quotation marks have partners: with the closing one, if it ends the sentence; else the side
/// of the lone mark on which something is settled.
fn unquoted(text: &str, place: Range<usize>, end: usize) -> Range<usize> {
    let said = &text[place.clone()];
    let straight = said.matches('"').count() % 2 == 1;
    let lone = if straight { said.rfind('"') } else { None };
    let curly = said.rfind('“').filter(|&at| !said[at..].contains('”'));
    let Some(lone) = lone.max(curly) else { return place };
    if let Some(at) = text[place.end..end].find(['"', '”']) {
        let mark = text[place.end + at..].chars().next().map_or(0, char::len_utf8);
        return place.start..place.end + at + mark;
    }
    let inside = trimmed(text, place.start + lone..place.end);
    let outside = trimmed(text, place.start..place.start + lone);
    if settles(&text[inside.clone()]) { inside } else { outside }
}

/// A sentence from its order on, and what stands before that if it settles something for itself.
fn from_order(text: &str, place: Range<usize>) -> Vec<Range<usize>> {
    let said = &text[place.clone()];
    let orders = Stretches::once(said).groups(&LATER_ORDER);
    let order =
        orders.first().and_then(|parts| Some(parts.whole().start()..parts.name("order")?.start()));
    let Some(order) = order else { return vec![place] };
    // What is ordered of what stands before says nothing alone: `we support iOS 15, don't raise that`.
    if refers_back(&said[order.end..]) {
        return vec![place];
    }
    let head = place.start..place.start + order.start;
    let rest = place.start + order.end..place.end;
    if settles(&text[head.clone()]) { vec![head, rest] } else { vec![rest] }
}

/// Whether an order is about what was named before it, and nothing else.
fn refers_back(order: &str) -> bool {
    let mut words = order.split_whitespace();
    let last = words.next_back().unwrap_or_default();
    matches!(last, "it" | "that" | "them" | "this" | "those") && words.count() < 4
}

fn shortened(text: &str, place: Range<usize>) -> Range<usize> {
    if place.len() <= LONGEST {
        return place;
    }
    let mut end = place.start + LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = text[place.start..end].rfind(char::is_whitespace).map_or(end, |at| place.start + at);
    place.start..cut
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[&LATER_ORDER];
