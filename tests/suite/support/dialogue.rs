//! Made-up dialogues with known topics, to measure whether references are found and stay precise.
//!
//! A dialogue has a past (concluded efforts) and turns, each about one of the efforts or about nothing.
//! Summaries and messages share a vocabulary but not their wording; everyday words are everywhere. The
//! replies repeat what the message says and never what only the summary holds: a model that does not
//! have the summary cannot know it.
//!
//! However many efforts there are, two messages of ten name the id and four a name that few summaries
//! share; the other four have nothing but words of their area.

mod topics;

use topics::{AREAS, Area, EVERYDAY, SMALL_TALK};

/// A concluded effort of the past.
#[derive(Clone)]
pub(crate) struct Past {
    pub(crate) id: String,
    pub(crate) summary: String,
    area: &'static Area,
    thing: &'static str,
    event: (&'static str, &'static str, &'static str),
    details: [&'static str; 3],
    name: String,
}

/// One turn of the talk.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// The effort that the user's message is about, by its place in the past.
    pub(crate) about: Option<usize>,
    pub(crate) user: String,
    pub(crate) assistant: String,
}

/// Makes dialogues; the same seed makes the same dialogue.
pub(crate) struct Dialogue {
    random: Random,
    pub(crate) past: Vec<Past>,
}

impl Dialogue {
    /// A past of that many efforts.
    pub(crate) fn with_past(seed: u64, efforts: usize) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let past = (0..efforts).map(|nth| Past::make(&mut random, nth)).collect();
        Self { random, past }
    }

    /// Talk that stays with a topic for a few turns, often returns to a recent one, and drifts into
    /// small talk.
    pub(crate) fn talk(&mut self, turns: usize) -> Vec<Said> {
        let mut recent: Vec<usize> = Vec::new();
        let mut topic = self.random.below(self.past.len());
        let mut said = Vec::with_capacity(turns);
        for _ in 0..turns {
            if self.random.chance(20) {
                said.push(self.small_talk());
                continue;
            }
            if self.random.chance(30) {
                let again = !recent.is_empty() && self.random.chance(50);
                topic = if again {
                    recent[self.random.below(recent.len())]
                } else {
                    self.random.below(self.past.len())
                };
            }
            recent.retain(|&other| other != topic);
            recent.insert(0, topic);
            recent.truncate(5);
            said.push(self.about(topic));
        }
        said
    }

    /// One turn about an effort.
    pub(crate) fn about(&mut self, effort: usize) -> Said {
        let past = self.past[effort].clone();
        let random = &mut self.random;
        let [one, two, _] = past.details;
        let (everyday, another) = (random.pick(EVERYDAY), random.pick(EVERYDAY));
        let head = past.thing.rsplit(' ').next().unwrap_or(past.thing);
        let (says, name) = (past.event.1, &past.name);
        let user = match random.below(10) {
            0 => format!("back to {}: {says}, any {everyday}?", past.id),
            1 => format!("the {} {everyday} again, {says}", past.id.replace('-', " ")),
            2 | 3 => format!(
                "I {everyday} about the {} and the {} from {another} time, {says}",
                plural(past.thing),
                plural(one)
            ),
            4 | 5 => format!("{name} asked about that {head} today, what was the {everyday}?"),
            6 | 7 => format!("{says}, do you {everyday} it is the {} or the {two}?", plural(one)),
            _ => format!(
                "quick {everyday}: with the {head}, did we {another} the {two} for {name} last week?"
            ),
        };
        let mut assistant = format!("You mean: {}.", user.trim_end_matches('?'));
        let sentences = if random.chance(25) { 12 } else { 2 };
        for _ in 0..sentences {
            assistant.push_str(&advice(random, past.area));
        }
        Said { about: Some(effort), user, assistant }
    }

    fn small_talk(&mut self) -> Said {
        let user = (*self.random.pick(SMALL_TALK)).to_owned();
        let assistant = format!("Sure, {} {}.", self.random.pick(EVERYDAY), "as you like");
        Said { about: None, user, assistant }
    }
}

impl Past {
    fn make(random: &mut Random, nth: usize) -> Self {
        let area: &'static Area = random.pick(AREAS);
        let thing = *random.pick(area.things);
        let event = *random.pick(area.events);
        let details =
            [*random.pick(area.details), *random.pick(area.details), *random.pick(area.details)];
        let name = random.name();
        let slug = thing.replace(' ', "-").replace('é', "e");
        let id = match nth % 3 {
            0 => format!("{slug}-{}", event.2),
            1 => format!("{slug}-{}", details[0]),
            _ => format!("{}-{}", event.2, name.to_lowercase()),
        };
        let [one, two, three] = details;
        let (everyday, another) = (random.pick(EVERYDAY), random.pick(EVERYDAY));
        let done = event.0;
        let summary = match random.below(4) {
            0 => format!(
                "{done} for the {thing}. {name} found the {everyday} in the {one}; the {two} needed {another} and the {three} stays."
            ),
            1 => format!(
                "{thing}: {}. Decided on {two} over {one} after a {everyday}. Open: {three}, {name} will {another}.",
                done.to_lowercase()
            ),
            2 => format!(
                "With {name} on the {thing}. {done}; the {everyday} was the {one}, now {two}. Next {another}: {three}."
            ),
            _ => format!(
                "{done}. The {thing} had a {everyday} with {one} and {three}. {name} suggested {two} as a {another} way."
            ),
        };
        // Two efforts of one name get a number, as people do it.
        let id = format!("{id}{}", if nth < 150 { String::new() } else { format!("-{nth}") });
        Self { id, summary, area, thing, event, details, name }
    }
}

/// A sentence of general advice: nothing that only the summary knows, many words that others hold.
fn advice(random: &mut Random, area: &Area) -> String {
    let mut word = || *random.pick(EVERYDAY);
    let (one, two, three) = (word(), word(), word());
    match random.below(4) {
        0 => format!(" The {one} {two} is to {three} first."),
        1 => format!(" With a {} you {one} the {two}, then {three}.", random.pick(area.things)),
        2 => format!(" A {} is often the {one}; {two} it and {three}.", random.pick(area.details)),
        _ => {
            let (detail, other) = (random.pick(area.details), random.pick(area.details));
            format!(" Either the {detail} or the {other}: {one} both and {two} what is {three}.")
        }
    }
}

fn plural(words: &str) -> String {
    match words {
        word if word.ends_with('s') => word.to_owned(),
        word if word.ends_with('y') => format!("{}ies", &word[..word.len() - 1]),
        word => format!("{word}s"),
    }
}

/// A small generator of numbers (xorshift): the same everywhere, for ever.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % end.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A name of a person, a firm or a place.
    fn name(&mut self) -> String {
        const FIRST: &[&str] = &[
            "Mar", "Jo", "Ka", "Bren", "Tol", "Vi", "Sun", "Hal", "Ro", "Eli", "Dar", "Nor", "Fe",
            "Wil", "Ga",
        ];
        const MIDDLE: &[&str] = &["ri", "na", "len", "do", "vi", "sto", "ber", "ma", "", "ta"];
        const LAST: &[&str] = &["ek", "son", "a", "ton", "is", "ard", "ini", "ova", "wick", "ez"];
        format!("{}{}{}", self.pick(FIRST), self.pick(MIDDLE), self.pick(LAST))
    }
}
