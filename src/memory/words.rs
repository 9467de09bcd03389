//! From text to the words that can refer to something (slice 3, reference detection).

mod run;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use super::by_word::Words;
use super::stem::stem_into;
use crate::letters::{self, Piece};
use run::{PART, PLAIN, Run, TOKEN, runs};

/// Words that say nothing about a topic. Sorted.
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

/// Whether a stem is that of a word that everybody uses every day.
pub(super) fn is_everyday_stem(stem: &str) -> bool {
    static STEMS: OnceLock<Words> = OnceLock::new();
    let read = || EVERYDAY.split_whitespace().map(|word| super::stem(word).into()).collect();
    STEMS.get_or_init(read).contains(stem)
}

/// Whether a word is made of digits alone.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The shortest word that counts, in characters (slice 3).
const MIN_CHARS: usize = 3;

/// Bytes of the longest of them.
const LONGEST_STOP_WORD: usize = 8;

/// The first bytes of a word as one number, which orders words as their letters do.
pub(super) const fn key(word: &[u8]) -> u64 {
    if let Some(first) = word.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    if let (Some(first), Some(last)) = (word.first_chunk(), word.last_chunk()) {
        // The two overlap: what is in both is shifted out of the latter.
        let (first, last) = (u32::from_be_bytes(*first), u32::from_be_bytes(*last));
        let behind = (last as u64) << (8 * (8 - word.len()));
        return (first as u64) << 32 | behind & 0xffff_ffff;
    }
    match word {
        [one, two, three] => u32::from_be_bytes([*one, *two, *three, 0]) as u64,
        [one, two] => u32::from_be_bytes([*one, *two, 0, 0]) as u64,
        [one] => u32::from_be_bytes([*one, 0, 0, 0]) as u64,
        _ => 0,
    }
    .wrapping_shl(32)
}

/// Places for stop words. A power of two, and so many that most have one to themselves.
const PLACES: usize = 1 << 10;

/// The stop words by their keys: each at its place, or behind it if others were there first. No word has the key 0.
static PLACED: [u64; PLACES] = {
    let mut placed = [0; PLACES];
    let mut nth = 0;
    while nth < STOP_WORDS.len() {
        let key = key(STOP_WORDS[nth].as_bytes());
        let mut at = place(key);
        while placed[at] != 0 {
            at = (at + 1) % PLACES;
        }
        placed[at] = key;
        nth += 1;
    }
    placed
};

const fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

/// Whether a lower-case word says nothing about a topic.
pub fn is_stop_word(word: &str) -> bool {
    // A key does not tell a word from the same one with zeros behind it.
    if word.len() > LONGEST_STOP_WORD || word.ends_with('\0') {
        return false;
    }
    let key = key(word.as_bytes());
    let mut at = place(key);
    while PLACED[at] != 0 && PLACED[at] != key {
        at = (at + 1) % PLACES;
    }
    PLACED[at] == key && key != 0
}

/// A word in lower case without signs around it, if it can refer to something.
fn keyword(run: Run<'_>) -> Option<Cow<'_, str>> {
    let word = run.trimmed().lower();
    // There are no more characters than bytes.
    let is_long = word.len() >= MIN_CHARS && (word.is_ascii() || word.chars().count() >= MIN_CHARS);
    (is_long && !is_stop_word(&word)).then_some(word)
}

/// The salient words of a text: split at white space, lower case, punctuation stripped at both ends,
/// at least three characters, no stop words. In order of appearance, repeated ones included.
pub fn keywords(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    runs(text, TOKEN).filter_map(keyword)
}

/// The words that somebody looks for in a text: short ones as well, such as `42`, and those that say nothing about a topic
/// only where there are no others.
pub fn sought_words(query: &str) -> Vec<Cow<'_, str>> {
    let words = runs(query, TOKEN).map(|run| run.trimmed().lower());
    let (salient, others): (Vec<_>, Vec<_>) =
        words.filter(|word| !word.is_empty()).partition(|word| !is_stop_word(word));
    if salient.is_empty() { others } else { salient }
}

/// The salient words of a text with inner signs as borders too: "rate-limiter" is two words.
pub fn word_parts(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    runs(text, PART).filter_map(keyword)
}

/// The stems of the salient words of a text, each with the bytes of the text in which the word stands. Words with other
/// letters than those of ASCII are compared without case, accents and endings, and in scripts without spaces each two
/// neighbouring characters.
pub(super) fn each_stem(text: &str, mut found: impl FnMut(Range<usize>, &str)) {
    let mut stem = String::new();
    let is_turkish = letters::is_turkish(text);
    for run in runs(text, PART) {
        let place = run.place_in(text);
        if is_turkish || run.is_of_other_letters() {
            let run = (&text[place.clone()], is_turkish);
            each_other_stem(run, place.start, &mut stem, &mut found);
        } else if let Some(word) = keyword(run) {
            stem_into(&word, &mut stem);
            found(run.trimmed().place_in(text), &stem);
        }
    }
}

/// The same of a run of other letters, or of Turkish, which begins at a place.
fn each_other_stem(
    (run, is_turkish): (&str, bool),
    start: usize,
    stem: &mut String,
    found: &mut impl FnMut(Range<usize>, &str),
) {
    let is_usual = matches!(letters::usual(run), Cow::Borrowed(_));
    let is_quote = ['\'', '’'];
    letters::each_piece_of(run, is_turkish, |piece, mut place| {
        if is_usual {
            let word = &run[place.clone()];
            place.start += word.len() - word.trim_start_matches(is_quote).len();
            place.end = place.start + word.trim_matches(is_quote).len();
        }
        // What was written otherwise stands somewhere in the run.
        let place = if is_usual {
            start + place.start..start + place.end
        } else {
            start..start + run.len()
        };
        match piece {
            Piece::Characters(two) if two.chars().nth(1).is_some() => found(place, two),
            Piece::Characters(_) => {}
            Piece::Word(word) if word.chars().count() < MIN_CHARS || is_stop_word(word) => {}
            Piece::Word(word) => {
                stem_into(letters::without_endings(word), stem);
                found(place, stem);
            }
        }
        true
    });
}

/// A word in lower case, as [`word_parts`] tells it.
pub(super) fn lower(word: &str) -> Cow<'_, str> {
    Run::of(word).lower()
}

/// All words of a text for id matching: runs of letters and digits, lower case. Hyphens, underscores
/// and every other sign separate, so that `auth-bug` and "auth bug" read alike.
pub(super) fn plain_words(text: &str) -> impl Iterator<Item = Cow<'_, str>> + Clone {
    runs(text, PLAIN).map(Run::lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_known_and_no_others() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST_STOP_WORD));
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
        let others = ["", "token", "zebra", "th", "that\0", "themselves", "doesn't!"];
        assert!(!others.into_iter().any(is_stop_word));
    }

    #[test]
    fn keys_are_ordered_as_the_beginnings_of_their_words() {
        let words = ["", "a", "aa", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefgh", "abcdeg"];
        assert!(words.is_sorted_by_key(|word| key(word.as_bytes())));
        assert_eq!(key(b"abcdefg"), key(b"abcdefg\0"));
        assert_eq!(key(b"abcdefghi"), key(b"abcdefghj"));
    }

    #[test]
    fn keywords_are_lower_case_long_enough_stripped_and_say_something() {
        let words: Vec<Cow<str>> =
            keywords("Debugged 401 errors. \"Root\" cause: the (refresh) tokens, an API!")
                .collect();
        assert_eq!(
            words,
            ["debugged", "401", "errors", "root", "cause", "refresh", "tokens", "api"]
        );
    }
}
