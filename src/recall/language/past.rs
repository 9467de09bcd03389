//! The simple past of English verbs, which no other word stands beside: "who came", "which one leaked".

use std::sync::OnceLock;

use super::{Set, Wording};

/// Forms of verbs that end otherwise than in "ed" and are hardly ever something else.
const IRREGULAR: &str = "became began bent bit blew bought broke brought built came caught chose crept dealt drank drew drove \
    fed fell felt fled flew forgave forgot fought froze gave got grew heard held hid hung kept knelt knew laid led left lent \
    lost made meant met paid ran rang rode said sang sank sat sent shook shot shrank slept slid sold sought spent spoke stole \
    stood struck stuck swam swept swore taught threw told took tore understood went withdrew woke won wore wrote";

/// Beside one of these the same form is a participle: "how are tiles made".
const BESIDE: &str =
    "am are be been being get gets getting is isn't aren't what's who's how's isnt arent";

/// Letters of a word that ends in "ed" at least: "owed".
const LEAST: usize = 4;

impl Wording {
    /// Whether it is about what has been, or about what belongs to people, or its verb alone tells of what has been, which may
    /// be anybody's: "Who came?"
    pub(in crate::recall) fn tells_of_past(&self) -> bool {
        let is_told = || self.language.nth == 0 && is_told_in(&self.words);
        self.is_about_past() || !self.asks_advice() && is_told()
    }
}

/// Whether one of the words of an English text tells of what has been.
pub(super) fn is_told_in(words: &[String]) -> bool {
    static SETS: OnceLock<[Set; 2]> = OnceLock::new();
    let [irregular, beside] = SETS.get_or_init(|| {
        [IRREGULAR, BESIDE].map(|some| some.split_whitespace().map(str::to_owned).collect())
    });
    let is_regular = |word: &str| {
        word.len() >= LEAST && word.ends_with("ed") && !word.ends_with("eed") && word != "hundred"
    };
    let mut told = words.iter().filter(|word| irregular.contains(*word) || is_regular(word));
    told.next().is_some() && !words.iter().any(|word| beside.contains(word))
}
