//! Other sessions, to find the right one among: half of them talk of the same things in sentences like those of the
//! conversation, with other names, numbers and matters; half of them of something else.

use super::set::Session;
use crate::memory;
use crate::random::Random;

/// Neighbouring sessions that are about one domain.
const DOMAIN: usize = 10;

/// Of a hundred words that say something, so many are another one of the domain.
const OTHERS: usize = 50;

/// One of so many is about the same people.
const SAME: usize = 40;

const NAMES: [&str; 40] = [
    "Agnes", "Bruno", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Imani", "Jorge",
    "Katya", "Liam", "Marta", "Nils", "Olga", "Paolo", "Quentin", "Rosa", "Sven", "Talia",
    "Umberto", "Vera", "Wanda", "Xavier", "Yara", "Zoltan", "Anselmo", "Birgit", "Cosmo", "Dalia",
    "Egon", "Fatima", "Gustav", "Hedda", "Ivo", "Judith", "Kofi", "Lotte", "Milo", "Nadia",
];

const SYLLABLES: [&str; 24] = [
    "ba", "chor", "dren", "fal", "gim", "hup", "jor", "kel", "lim", "mor", "nax", "pel", "quo",
    "rin", "sul", "tev", "ul", "vash", "wen", "xo", "yar", "zim", "osk", "ent",
];

/// So many sessions beside those of a conversation; the same in every run.
pub fn crowd(own: &[Session], count: usize) -> Vec<Session> {
    let own: Vec<&Session> = own.iter().filter(|session| session.id != "ambient").collect();
    let domains: Vec<Domain> = own.chunks(DOMAIN).map(Domain::of).collect();
    let mut random = Random::new(11);
    (0..count)
        .map(|number| {
            let domain = random.pick(&domains);
            let mut other = domain.session(&mut random, number % 2 == 1);
            other.id = format!("other-{number}");
            other
        })
        .collect()
}

/// Sessions of one domain and the words that they say something with.
struct Domain<'a> {
    sessions: &'a [&'a Session],
    words: Vec<&'a str>,
}

impl<'a> Domain<'a> {
    fn of(sessions: &'a [&'a Session]) -> Self {
        let texts = sessions.iter().flat_map(|session| &session.messages).map(|(_, text)| text);
        let words = texts.flat_map(|text| text.split_whitespace()).filter(|word| is_matter(word));
        Self { sessions, words: words.collect() }
    }

    fn session(&self, random: &mut Random, is_strange: bool) -> Session {
        let like = *random.pick(self.sessions);
        let mut other = Other { domain: self, names: random.below(1 << 20), is_strange, random };
        let summary = other.random.pick(self.sessions).summary.clone();
        let summary = other.text(&summary);
        let messages = like.messages.iter().map(|(is_user, _)| {
            let said = *other.random.pick(self.sessions);
            let (_, text) = other.random.pick(&said.messages);
            (*is_user, other.text(text))
        });
        let messages = messages.collect();
        let (month, day) = (1 + other.random.below(12), 1 + other.random.below(28));
        let year = 2023 + other.random.below(3);
        Session { id: String::new(), day: format!("{year}-{month:02}-{day:02}"), summary, messages }
    }
}

/// How one session differs from what it is made of.
struct Other<'a, 'b> {
    domain: &'a Domain<'a>,
    names: usize,
    is_strange: bool,
    random: &'b mut Random,
}

impl Other<'_, '_> {
    fn text(&mut self, text: &str) -> String {
        let words: Vec<String> = text.split_whitespace().map(|word| self.word(word)).collect();
        words.join(" ")
    }

    fn word(&mut self, word: &str) -> String {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let other = if bare.starts_with(|c: char| c.is_ascii_digit()) {
            let digit = |c: char| if c.is_ascii_digit() { self.digit() } else { c };
            bare.chars().map(digit).collect()
        } else if !is_matter(word) {
            return word.to_owned();
        } else if self.is_strange {
            let syllables = 2 + self.random.below(2);
            (0..syllables).map(|_| *self.random.pick(&SYLLABLES)).collect()
        } else if bare.starts_with(char::is_uppercase) && !self.names.is_multiple_of(SAME) {
            NAMES[(self.names + bare.bytes().map(usize::from).sum::<usize>()) % NAMES.len()]
                .to_owned()
        } else if self.random.below(100) < OTHERS {
            self.random
                .pick(&self.domain.words)
                .trim_matches(|c: char| !c.is_alphanumeric())
                .to_owned()
        } else {
            return word.to_owned();
        };
        word.replacen(bare, &other, 1)
    }

    fn digit(&mut self) -> char {
        char::from(b'0' + self.random.below(10) as u8)
    }
}

fn is_matter(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    bare.chars().count() > 2 && !memory::is_stop_word(&bare)
}
