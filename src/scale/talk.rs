//! Made-up efforts and messages about them, the same for the same seed.

/// Words that stand in every third summary and message, whatever the topic.
const EVERYDAY: &[&str] = &[
    "problem", "fixed", "time", "work", "plan", "check", "found", "change", "need", "start",
    "first", "next", "good", "week", "part", "look", "point", "question",
];

/// Pieces of made-up topical words and names: 24 * 20 * 16 words.
const FIRST: &[&str] = &[
    "bar", "cor", "del", "fen", "gal", "hor", "jin", "kel", "lam", "mor", "nor", "pel", "quin",
    "rav", "sol", "tam", "ul", "ver", "wol", "xan", "yor", "zim", "bru", "cla",
];
const MIDDLE: &[&str] = &[
    "a", "e", "i", "o", "u", "ala", "ere", "ini", "oro", "ulu", "and", "est", "ilt", "omb", "urk",
    "ast", "elm", "irn", "ost", "unt",
];
const LAST: &[&str] = &[
    "bo", "dek", "fix", "gan", "lit", "mund", "nak", "po", "rit", "sto", "tel", "vik", "wen",
    "zor", "kam", "lup",
];

/// Topical words in use; the rest of the made-up words are names.
const TOPICAL: usize = 900;

/// An effort that can be talked about.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    pub(super) id: String,
    pub(super) summary: String,
    words: [String; 3],
    name: String,
}

/// Makes topics and messages.
#[derive(Debug)]
pub(super) struct Talk(u64);

impl Talk {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % end.max(1) as u64) as usize
    }

    pub(super) fn topic(&mut self, nth: usize) -> Topic {
        let words = [self.topical(), self.topical(), self.topical()];
        let name = self.name();
        let (one, two, three) = (self.everyday(), self.everyday(), self.everyday());
        let [a, b, c] = &words;
        let summary =
            format!("The {one} with the {a} was in the {b}. {name} {two} the {c} as a {three}.");
        Topic { id: format!("{a}-{b}-{nth}"), summary, words, name }
    }

    /// What a person says about a topic.
    pub(super) fn about(&mut self, topic: &Topic) -> String {
        let (one, two) = (self.everyday(), self.everyday());
        let [a, b, c] = &topic.words;
        let name = &topic.name;
        match self.below(4) {
            0 => format!("back to {}: what is the {one}?", topic.id),
            1 => format!("{name} asked about the {a} again, a {one} or a {two}?"),
            2 => format!("I {one} about the {b} and the {c}, {name} wants to {two} it"),
            _ => format!("the {one} with {a}s, {b}s and {c}s, how did {two} go?"),
        }
    }

    /// A reply that repeats the message among everyday words.
    pub(super) fn reply(&mut self, message: &str) -> String {
        let mut reply = format!("You mean: {message}");
        for _ in 0..8 {
            let (one, two, three) = (self.everyday(), self.everyday(), self.topical());
            reply.extend([" The ", one, " is to ", two, " what a ", &three, " does."]);
        }
        reply
    }

    fn everyday(&mut self) -> &'static str {
        EVERYDAY[self.below(EVERYDAY.len())]
    }

    fn topical(&mut self) -> String {
        let nth = self.below(TOPICAL);
        made_up(nth)
    }

    fn name(&mut self) -> String {
        let all = FIRST.len() * MIDDLE.len() * LAST.len();
        let nth = TOPICAL + self.below(all - TOPICAL);
        made_up(nth)
    }
}

/// One of the made-up words.
fn made_up(nth: usize) -> String {
    let (first, rest) = (nth % FIRST.len(), nth / FIRST.len());
    let (middle, last) = (rest % MIDDLE.len(), rest / MIDDLE.len());
    format!("{}{}{}", FIRST[first], MIDDLE[middle], LAST[last % LAST.len()])
}
