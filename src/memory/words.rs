//! From text to the words that can refer to something (slice 3, reference detection).

use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Words that say nothing about a topic. Sorted, for binary search.
const STOP_WORDS: &[&str] = &[
    "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are",
    "aren't", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do", "does",
    "doesn't", "doing", "don't", "down", "during", "each", "few", "for", "from", "further", "get",
    "got", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i",
    "i'm", "if", "in", "into", "is", "isn't", "it", "it's", "its", "itself", "just", "let",
    "let's", "like", "may", "me", "might", "more", "most", "must", "my", "no", "nor", "not", "now",
    "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own", "same",
    "shall", "she", "should", "so", "some", "such", "than", "that", "that's", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "won't", "would", "you", "your", "yours",
];

/// Words that English has a lot of, the commonest first, beyond those that say nothing at all. Only good
/// for a rough idea of how common a word is before a session is large enough to tell.
pub const EVERYDAY: &str = "one time say go know see make think take year good people come want use find tell \
    day way look thing work need new try give back long call last well great first old big world life \
    even feel place week ask show many two little right keep home part really leave start put hand child \
    mean high small number night point turn month play move case problem question help talk fact set \
    change end bit nice hope sure lot love run week yes okay thank sound idea plan today tomorrow morning \
    yesterday next job name room house friend family mother father man woman kid money book food water car \
    phone write read hear happen bring sit stand lose pay meet include continue learn lead understand \
    watch follow stop create speak allow add spend grow open walk win offer remember consider appear buy \
    wait serve die send expect build stay fall cut reach kill remain suggest raise pass sell require \
    report decide pull different early young important public bad same able late hard local real best \
    easy full clear recent certain free strong true whole white black short low possible fine hot cold \
    school state student group country city company system program government story result information \
    area line word business issue side kind head service eye face reason research girl guy moment air \
    teacher force order list minute hour second half top door body level office art war history party \
    support answer check test fix error file code data user server version key email message page list \
    note step simple quick ready happy together always never often usually maybe already still away \
    enough almost actually probably definitely something anything everything nothing someone everyone \
    two three four five six seven eight nine ten less hello hi hey please sorry bye welcome explain detail \
    summarise summarize translate recommend difference belong far mention describe compare love hate enjoy \
    favourite favorite special certain common similar opinion sentence paragraph text title topic example \
    thought whatever somehow anyway instead else again later soon ago evening weekend january february march \
    april may june july august september october november december monday tuesday wednesday thursday friday \
    saturday sunday spring summer autumn winter type sort lots piece amount reply response conversation chat \
    guess wonder agree forget sleep drink cook drive travel visit arrive return choose pick carry catch hold \
    grab drop push laugh smile smell taste touch feel finish begin happen matter count paint draw sing dance \
    blue red green yellow colour color brown grey gray warm cool cold dark light heavy fast slow wide deep \
    clean dirty rich poor cheap expensive nearby outside inside upstairs morning noon midnight sky sun moon \
    rain snow weather earth tree flower animal dog cat bird fish fruit apple bread milk coffee tea dinner \
    lunch breakfast meal kitchen table chair bed window street road bus train shop store price cheap euro \
    dollar percent \
    said made came went found knew took saw gave felt kept began begun told brought bought caught ran sat stood \
    met paid sent spent won lost built fell fallen wrote written spoke spoken heard held understood became \
    become broke broken chose chosen drove driven ate eaten drank drew drawn flew grew grown led lay rose sang \
    slept taught threw wore woke known taken seen given gone shown shot struck forgot forgotten meant sold \
    stuck swam dealt every much seem round across along among though although whether since without within \
    toward towards either neither rather quite yet twice perhaps therefore however thus hence upon per via \
    ahead apart besides beyond despite except near onto past throughout unless whenever wherever whose \
    left close conclude wrap finish done";

/// Whether a lower-case word is one that everybody uses every day, in English.
pub(super) fn is_everyday(word: &str) -> bool {
    static STEMS: OnceLock<BTreeSet<String>> = OnceLock::new();
    let stems = STEMS.get_or_init(|| EVERYDAY.split_whitespace().map(super::stem).collect());
    stems.contains(&super::stem(word)) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The shortest word that counts, in characters (slice 3).
const MIN_CHARS: usize = 3;

/// Bytes of the longest of them.
const LONGEST_STOP_WORD: usize = 8;

/// The stop words as numbers, in the same order, which compare at once.
const KEYS: [u64; STOP_WORDS.len()] = {
    let mut keys = [0; STOP_WORDS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(STOP_WORDS[at].as_bytes());
        at += 1;
    }
    keys
};

/// The first bytes of a word as one number.
const fn key(word: &[u8]) -> u64 {
    let mut bytes = [0; LONGEST_STOP_WORD];
    let mut at = 0;
    while at < word.len() && at < bytes.len() {
        bytes[at] = word[at];
        at += 1;
    }
    u64::from_be_bytes(bytes)
}

/// Whether a lower-case word says nothing about a topic.
pub fn is_stop_word(word: &str) -> bool {
    let found = KEYS.binary_search(&key(word.as_bytes()));
    found.is_ok_and(|at| STOP_WORDS[at].len() == word.len())
}

/// The salient words of a text: split at white space, lower case, punctuation stripped at both ends,
/// at least three characters, no stop words. In order of appearance, repeated ones included.
pub fn keywords(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().filter_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        (word.chars().count() >= MIN_CHARS && !is_stop_word(&word)).then_some(word)
    })
}

/// The salient words of a text with inner signs as borders too: "rate-limiter" is two words.
pub(super) fn word_parts(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace()
        .filter(|word| word.len() > LONGEST_STOP_WORD || !is_stop_word(&word.to_lowercase()))
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’'))
        .flat_map(keywords)
}

/// All words of a text for id matching: runs of letters and digits, lower case. Hyphens, underscores
/// and every other sign separate, so that `auth-bug` and "auth bug" read alike.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST_STOP_WORD));
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        let others = ["", "token", "zebra", "th", "that\0", "themselves", "doesn't!"];
        assert!(!others.into_iter().any(is_stop_word));
    }

    #[test]
    fn keywords_are_lower_case_long_enough_stripped_and_say_something() {
        let words: Vec<String> =
            keywords("Debugged 401 errors. \"Root\" cause: the (refresh) tokens, an API!")
                .collect();
        assert_eq!(
            words,
            ["debugged", "401", "errors", "root", "cause", "refresh", "tokens", "api"]
        );
    }
}
