//! Decisions: the sentences in which something is settled.

use std::ops::Range;

use super::Kind;
use super::pattern::{Pattern, either};
use super::scan::Scan;

/// The longest decision in bytes; a longer sentence is cut at a word.
const LONGEST: usize = 200;

/// The words with which people settle something.
static SETTLING: Pattern = Pattern::new(|| {
    r"(?ix)
    \b(?:we|i)(?:['’]ve|\x20have)?(?:\x20(?:both|all|finally|now|just|already|then|also|therefore|jointly))?\x20(?:decided|agreed|chose|settled|opted|picked|went\x20with|concluded|resolved)\b
    | \blet['’]s\x20(?:go\x20(?:with|for)|use|keep|stick|skip|switch|drop|take|make\x20it|stay|leave\x20it|do|move|call\x20it|settle|book|not|ship|merge|put|set|change|start\x20with|postpone|plan\x20on|target|aim)\b
    | \b(?:we|i)(?:['’]ll|\x20will)\x20(?:go\x20(?:with|for|ahead\x20with)|stick|stay\x20with|switch\x20to|settle|opt|keep)\b
    | \b(?:i['’]m|we['’]re|we\x20are|i\x20am)\x20going\x20(?:with|for)\b
    | ^\W*going\x20with\b
    | ^\W*(?:final\x20)?(?:decision|decided|agreed|resolution)\s*:
    | \b(?:it|that)(?:['’]s|\x20is)\x20(?:decided|settled|agreed)\b
    | \b(?:decision|plan|verdict|conclusion)\x20(?:is|was)\x20(?:to|that)\b
    | \b(?:the\x20)?(?:team|family|board|committee)\x20(?:decided|agreed|voted)\b
    | \b(?:must\x20never|never\x20ever|from\x20now\x20on|ab\x20jetzt|a\x20partir\x20de\x20ahora)\b
    | \b(?:we|i)\x20(?:don['’]t|do\x20not)\x20want\b
    | ^\W*OPENING(?:never|always|don['’]t|do\x20not)\x20(?:ever\x20)?(?:add|answer|call|change|commit|create|delete|deploy|drop|edit|expose|force|include|keep|log|mention|merge|modify|move|push|remove|rename|reply|run|send|share|show|store|touch|use|write)\b
    | ^\W*OPENING(?:nie|niemals|nunca)\x20
    | \b(?:said|says|asked|told|wants?|wanted|insists?|insisted)\x20(?:(?:us|me|you|that\x20we)\x20)?(?:to\x20)?(?:always|never)\b
    | \bwir\x20(?:haben\x20(?:uns\x20)?(?:\S+\x20){0,6}(?:entschieden|beschlossen|geeinigt)|nehmen|behalten|verwenden|verzichten\x20auf|bleiben\x20bei)\b
    | \b(?:on\x20a|nous\x20avons)\x20(?:décidé|choisi|convenu)\b
    | \b(?:hemos\x20(?:decidido|acordado|elegido|optado)|decidimos|acordamos|nos\x20quedamos\x20con)\b"
        .replace("OPENING", OPENING)
});

/// Words with which a sentence begins that says what is always or never to be done.
const OPENING: &str = r"(?:(?:please|but|also|and|so|no|ok|okay|bitte),?\x20)*";

/// The same wherever in a sentence it stands.
pub(super) static HINT: Pattern =
    Pattern::new(|| either(&[&SETTLING]).replace(OPENING, "").replace(r"^\W*", ""));

/// Takes the decisions of a message; their places stay free for the details in them.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    let lines = scan.phrases.with(&HINT);
    if lines.is_empty() {
        return;
    }
    for sentence in sentences(text).into_iter().filter(|sentence| lines.meet(sentence)) {
        let said = &text[sentence.clone()];
        let open =
            said.trim_end().ends_with('?') || said.contains("haven't") || said.contains("not yet");
        if !open && SETTLING.is_in(said) {
            let core = unquoted(text, trimmed(text, sentence.clone()), sentence.end);
            scan.note(shortened(text, core), Kind::Decision);
        }
    }
}

/// The sentences of a text: they end at a line's end or at a mark with white space behind it.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        if matches!(sign, '.' | '!' | '?')
            && let Some((end, quote)) = signs.next_if(|(_, next)| matches!(next, '"' | '”'))
            && signs.peek().is_none_or(|(_, next)| next.is_whitespace())
        {
            found.push(start..end + quote.len_utf8());
            start = end + quote.len_utf8();
            continue;
        }
        let next = signs.peek().map(|(_, next)| *next);
        let mark = matches!(sign, '.' | '!' | '?' | ';') && next.is_none_or(char::is_whitespace);
        if sign == '\n' && next.is_none_or(|next| next == '\n' || !next.is_lowercase()) || mark {
            found.push(start..at + sign.len_utf8());
            start = at + sign.len_utf8();
        }
    }
    found.push(start..text.len());
    found
}

/// Without the white space and the closing marks around it.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let said = &text[place.clone()];
    let body = said.trim_start_matches(|c: char| c.is_whitespace() || "-*>#\"“".contains(c));
    let start = place.end - body.len();
    let rest = body.trim_end_matches(|c: char| c.is_whitespace() || ".!;\"”*".contains(c));
    start..start + rest.len()
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
    if SETTLING.is_in(&text[inside.clone()]) { inside } else { outside }
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
pub(super) const PATTERNS: &[&Pattern] = &[&SETTLING, &HINT];
