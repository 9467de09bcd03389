//! Markdown in which a heading or a bold word tells who speaks. One of the two in a file: the one that comes first.

use super::lines::Lines;
use super::{Bytes, Error, Event, Ledger, Speaker, Take, Tally};

/// What a person is called.
const PERSONS: &[&str] = &["user", "you", "human", "me", "prompt", "question"];

/// What a model is called.
const MODELS: &[&str] = &[
    "assistant",
    "claude",
    "chatgpt",
    "gemini",
    "gpt",
    "model",
    "ai",
    "bot",
    "copilot",
    "answer",
    "response",
];

/// What may stand behind a name. Anything else is a heading about something: `User authentication`.
const BEHIND: &[&str] = &[
    "said", "says", "wrote", "asked", "replied", "answered", "am", "pm", "code", "sonnet", "opus",
    "haiku", "pro", "flash", "turbo", "mini",
];

/// How a file marks a speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `## User`
    Heading,
    /// `**You:** words`
    Bold,
    /// `**You** words`
    BoldAlone,
    /// `Human: words`
    Plain,
}

/// Code in a message, between lines of backticks or tildes: who speaks there speaks in the code.
#[derive(Debug, Default)]
struct Fence(Option<(char, usize)>);

impl Fence {
    /// Whether the next line belongs to code.
    fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let signs = sign.map_or(0, |sign| line.chars().take_while(|next| *next == sign).count());
        match (self.0, sign) {
            (Some((open, least)), Some(sign)) => {
                if sign == open && signs >= least && line.len() == signs {
                    self.0 = None;
                }
                true
            }
            (None, Some(sign)) if signs > 2 => {
                self.0 = Some((sign, signs));
                true
            }
            (open, _) => open.is_some(),
        }
    }
}

/// Whether both a person and a model speak in it.
pub(super) fn has_speakers(head: &str) -> bool {
    let mut fence = Fence::default();
    let mut spoken = head.lines().filter(|line| !fence.holds(line)).filter_map(speaker);
    let Some((mark, first, _)) = spoken.next() else { return false };
    spoken.any(|(other, speaker, _)| other == mark && speaker != first)
}

/// Who begins to speak in a line, how that is marked, and what is said on the line itself.
fn speaker(line: &str) -> Option<(Mark, Speaker, &str)> {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix('#') {
        let name = rest.trim_start_matches('#').trim().trim_matches(['*', ':']).trim();
        return Some((Mark::Heading, named(name)?, ""));
    }
    if let Some(rest) = line.strip_prefix("**") {
        let (name, rest) = rest.split_once("**")?;
        let said = rest.strip_prefix(':').unwrap_or(rest);
        let bare = name.trim_end_matches(':');
        // A word in bold type at the head of a line may be any word.
        let is_closed = said.len() < rest.len() || bare.len() < name.len();
        let mark = if is_closed { Mark::Bold } else { Mark::BoldAlone };
        return Some((mark, named(bare)?, said.trim_start()));
    }
    let (name, said) = line.split_once(':')?;
    Some((Mark::Plain, named(name)?, said.trim_start()))
}

/// `Claude`, `ChatGPT said`, `User (10:31)`
fn named(name: &str) -> Option<Speaker> {
    let plain = name.split('(').next()?.to_lowercase();
    let mut words = plain.split([' ', ',', ':']).filter(|word| !word.is_empty());
    let word = words.next()?;
    let is_behind =
        |word: &str| BEHIND.contains(&word) || word.contains(|sign: char| sign.is_ascii_digit());
    let short = name.chars().count() <= 40 && words.all(is_behind);
    match () {
        () if short && PERSONS.contains(&word) => Some(Speaker::Person),
        () if short && MODELS.contains(&word) => Some(Speaker::Model),
        () => None,
    }
}

/// Reads a file.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let (mut convention, mut said): (Option<Mark>, Option<(Speaker, String)>) = (None, None);
    let (id, title, project) = (String::new(), String::new(), String::new());
    take(Event::Begins { id, title, project, at: None });
    let mut flush = |said: Option<(Speaker, String)>, tally: &mut Tally| {
        let words = said.filter(|(_, text)| !text.trim().is_empty());
        if let Some((by, text)) = words {
            tally.read_one();
            take(Event::Said { by, text: text.trim().to_owned(), at: None });
        }
    };
    let (mut lines, mut last, mut fence) = (Lines::of(source)?, 0, Fence::default());
    while let Some(line) = lines.next(&mut tally)? {
        let apart = line.number > last + 1;
        last = line.number;
        let text = line.text();
        let in_code = fence.holds(&text);
        let begins = speaker(&text)
            .filter(|_| !in_code)
            .filter(|(mark, ..)| *mark == *convention.get_or_insert(*mark));
        if let Some((_, by, first)) = begins {
            flush(said.replace((by, first.to_owned())), &mut tally);
        } else if let Some((_, words)) = &mut said {
            words.push_str(if apart { "\n\n" } else { "\n" });
            words.push_str(&text);
        }
    }
    flush(said, &mut tally);
    Ok(tally)
}
