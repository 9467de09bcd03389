//! Markdown in which a heading or a bold word tells who speaks. One of the two in a file: the one that comes first.

pub(super) mod own;

use std::cell::Cell;

use super::lines::Lines;
use super::{Bytes, Error, Event, Ledger, Speaker, Take, Tally};
use crate::fence::{self, Blocks, Place};
use own::OwnExport;

/// What a person is called.
const PERSONS: &[&str] = &["user", "you", "human", "me", "prompt", "question"];

/// What a model is called.
const MODELS: &[&str] = &[
    "assistant",
    "claude",
    "chatgpt",
    "deepseek",
    "gemini",
    "gpt",
    "grok",
    "model",
    "ai",
    "bot",
    "copilot",
    "answer",
    "response",
    "reply",
];

/// What may stand behind a name. Anything else is a heading about something: `User authentication`.
const BEHIND: &[&str] = &[
    "said", "says", "wrote", "asked", "replied", "answered", "am", "pm", "code", "sonnet", "opus",
    "haiku", "pro", "flash", "turbo", "mini", "cut", "off",
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
struct Code {
    blocks: Blocks,
    /// It shows Markdown, where headings and further code may stand.
    is_markdown: bool,
}

impl Code {
    /// What the next line is.
    fn next<'a>(&mut self, line: &'a str) -> Place<'a> {
        let place = self.blocks.next(line);
        match place {
            Place::Begins(info) => {
                let language = fence::language(info);
                self.is_markdown =
                    ["md", "markdown"].iter().any(|name| language.eq_ignore_ascii_case(name));
                place
            }
            Place::BeginsAgain if self.is_markdown => Place::Inside,
            _ => place,
        }
    }
}

/// Code in code in which speakers are looked for.
const DEEPEST: usize = 3;

/// What somebody says.
type Said = (Speaker, String);

/// Hears who says what, line by line.
#[derive(Debug, Default)]
struct Hearing {
    /// How the file marks speakers.
    convention: Option<Mark>,
    code: Code,
    /// What is being said.
    said: Option<Said>,
    /// What somebody says in the code under way.
    in_code: Option<Box<InCode>>,
    /// In how much code this is said.
    depth: usize,
}

/// What would be said if code did not end: a reply that broke off leaves its code open.
#[derive(Debug)]
struct InCode {
    /// Bytes of what is said before it.
    from: usize,
    /// What was said.
    told: Vec<Said>,
    rest: Hearing,
}

impl Hearing {
    /// Hears a line, which may stand apart from the one before. What was said by then is told.
    fn line(&mut self, text: &str, apart: bool, tell: &mut dyn FnMut(Said)) {
        let place = self.code.next(text);
        if place == Place::BeginsAgain && self.leave_code(tell) {
            return self.line(text, apart, tell);
        }
        let begins = speaker(text).filter(|(mark, ..)| match place {
            Place::Outside => *mark == *self.convention.get_or_insert(*mark),
            _ => Some(*mark) == self.convention,
        });
        match (place, begins) {
            (Place::Outside, Some((_, by, first))) => {
                // Code may begin right behind the name.
                self.code.next(first);
                self.said.replace((by, first.to_owned())).map(tell);
                return;
            }
            (Place::Ends, _) => self.in_code = None,
            (Place::Inside | Place::BeginsAgain, begins) => {
                if let Some(InCode { told, rest, .. }) = self.in_code.as_deref_mut() {
                    rest.line(text, apart, &mut |said| told.push(said));
                } else if let Some((_, by, first)) = begins.filter(|_| self.depth < DEEPEST) {
                    let from = self.said.as_ref().map_or(0, |(_, words)| words.len());
                    let said = Some((by, first.to_owned()));
                    let (convention, depth) = (self.convention, self.depth + 1);
                    let rest = Self { convention, said, depth, ..Self::default() };
                    self.in_code = Some(Box::new(InCode { from, told: Vec::new(), rest }));
                }
            }
            _ => {}
        }
        if let Some((_, words)) = &mut self.said {
            words.push_str(if apart { "\n\n" } else { "\n" });
            words.push_str(text);
        }
    }

    /// Takes the code under way for no code, if somebody speaks in it.
    fn leave_code(&mut self, tell: &mut dyn FnMut(Said)) -> bool {
        let Some(InCode { from, told, rest }) = self.in_code.take().map(|found| *found) else {
            return false;
        };
        if let Some((by, mut words)) = self.said.take() {
            words.truncate(from);
            tell((by, words));
        }
        told.into_iter().for_each(tell);
        *self = Self { depth: self.depth, ..rest };
        true
    }

    /// Tells what is left.
    fn end(mut self, tell: &mut dyn FnMut(Said)) {
        while self.leave_code(tell) {}
        self.said.into_iter().for_each(tell);
    }
}

/// Whether both a person and a model speak in it.
pub(super) fn has_speakers(head: &str) -> bool {
    let (mut hearing, mut speakers) = (Hearing::default(), Vec::new());
    let mut tell = |(by, _): Said| speakers.push(by);
    head.lines().for_each(|line| hearing.line(line, false, &mut tell));
    hearing.end(&mut tell);
    speakers.iter().any(|by| *by != speakers[0])
}

/// Who begins to speak in a line, how that is marked, and what is said on the line itself.
fn speaker(line: &str) -> Option<(Mark, Speaker, &str)> {
    let line = line.trim_end();
    if let Some(rest) = line.strip_prefix('#') {
        let name = rest.trim_start_matches('#').trim().trim_matches(['*', ':', '_']).trim();
        // Some put a picture of who speaks before the name.
        let name = name.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        return Some((Mark::Heading, named(name)?, ""));
    }
    if let Some(rest) = line.strip_prefix("**").or_else(|| line.strip_prefix("_**")) {
        let (name, rest) = rest.split_once("**")?;
        let rest = if line.starts_with('_') { rest.strip_prefix('_')? } else { rest };
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

/// `Claude`, `ChatGPT said`, `User (10:31)`, `You · turn 3`
fn named(name: &str) -> Option<Speaker> {
    let plain = name.split(['(', '·']).next()?.to_lowercase();
    let mut words = plain.split([' ', ',', ':']).filter(|word| !word.is_empty());
    let word = words.next()?;
    let is_behind =
        |word: &str| BEHIND.contains(&word) || word.contains(|sign: char| sign.is_ascii_digit());
    let short = plain.chars().count() <= 40 && words.all(is_behind);
    match () {
        () if short && PERSONS.contains(&word) => Some(Speaker::Person),
        () if short && MODELS.contains(&word) => Some(Speaker::Model),
        () => None,
    }
}

/// A message without the rule that stands apart at its end: many programs draw one between messages.
fn without_rule(text: &str) -> &str {
    let text = text.trim();
    let rules = ["---", "***", "___"];
    let before = rules.iter().find_map(|rule| text.strip_suffix(rule));
    let before = before.filter(|before| before.is_empty() || before.ends_with("\n\n"));
    before.map_or(text, str::trim_end)
}

/// Reads a file.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let (mut tally, mut spoken) = (Tally::default(), 0);
    let (id, title, project) = (String::new(), String::new(), String::new());
    take(Event::Begins { id, title, project, at: None });
    let is_own = Cell::new(false);
    let mut tell = |(by, text): Said| {
        let text = without_rule(&text);
        if !text.is_empty() {
            spoken += 1;
            let text = if is_own.get() { own::as_said(text) } else { text.to_owned() };
            take(Event::Said { by, text, at: None });
        }
    };
    let (mut lines, mut last, mut hearing) = (Lines::of(source)?, 0, Hearing::default());
    let mut own = OwnExport::default();
    while let Some(line) = lines.next(&mut tally)? {
        let apart = line.number > last + 1;
        last = line.number;
        let heard = own.take((line.text().into_owned(), apart));
        is_own.set(own.is_one());
        for (text, apart) in heard {
            hearing.line(&text, apart, &mut tell);
        }
    }
    hearing.end(&mut tell);
    (0..spoken).for_each(|_| tally.read_one());
    Ok(tally)
}
