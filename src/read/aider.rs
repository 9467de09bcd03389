//! Histories of Aider: Markdown, in which what a person typed begins with `#### ` and what the program says
//! with `> `.

use super::copies::count_left_out;
use super::lines::{Line, Lines};
use super::usage::Line as Paid;
use super::{Bytes, Error, Event, Ledger, Moment, Speaker, Take, Tally, Used};
use crate::clock;

/// How a session begins.
const SESSION: &str = "# aider chat started at ";

/// How a line begins that tells what a request cost.
const USAGE: &str = "> Tokens: ";

/// Reads a history.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut talk = Talk {
        take,
        ledger,
        said: None,
        at: None,
        session: String::new(),
        is_begun: false,
        requests: 0,
        used_before: 0,
    };
    let mut lines = Lines::of(source)?;
    let mut last = 0;
    while let Some(line) = lines.next(&mut tally)? {
        // Blank lines are left out on the way; within a message one counts.
        let apart = line.number > last + 1;
        last = line.number;
        talk.take_line(line, apart, &mut tally);
    }
    talk.end(&mut tally);
    Ok(tally)
}

struct Talk<'a, 't> {
    take: &'a mut Take<'t>,
    ledger: &'a mut Ledger,
    said: Option<(Speaker, String)>,
    at: Moment,
    /// How the session begins: when, and with what, once that was typed.
    session: String,
    is_begun: bool,
    /// Requests of it so far.
    requests: u64,
    /// Records that were used of the sessions before.
    used_before: u64,
}

impl Talk<'_, '_> {
    fn take_line(&mut self, line: Line<'_>, apart: bool, tally: &mut Tally) {
        let text = line.text();
        if let Some(when) = text.strip_prefix(SESSION) {
            self.end(tally);
            tally.read_one();
            when.trim().clone_into(&mut self.session);
            (self.requests, self.is_begun) = (0, false);
            self.at = clock::millis_of(&when.trim().replacen(' ', "T", 1));
            let (id, title, project) = (String::new(), String::new(), String::new());
            (self.take)(Event::Begins { id, title, project, at: self.at });
        } else if let Some(typed) =
            text.strip_prefix("####").filter(|rest| rest.is_empty() || rest.starts_with(' '))
        {
            match prompt(typed.trim()) {
                "" | "<blank>" => {}
                command if command.starts_with(['/', '!']) => {
                    tally.read_one();
                    tally.skip("command");
                }
                typed => self.add(Speaker::Person, typed, false, tally),
            }
        } else if text.starts_with("> ") || text == ">" {
            tally.read_one();
            // What was typed is over, whether or not there is a reply.
            if matches!(self.said, Some((Speaker::Person, _))) {
                self.flush();
            }
            if !self.count_usage(&text) {
                tally.skip("tool line");
            }
        } else {
            self.add(Speaker::Model, &text, apart, tally);
        }
    }

    /// Takes what a request cost, which has no name: it is told by its place in the session, and by what was typed first in
    /// that. A copy that breaks off may have less of the line.
    fn count_usage(&mut self, line: &str) -> bool {
        let Some(used) = line.strip_prefix(USAGE).map(|report| used(report, self.at)) else {
            return false;
        };
        self.requests += 1;
        let own = format!("{} {}", self.session, self.requests);
        self.ledger.reply(&Paid { own: &own, ..Paid::default() }, &used).is_some()
    }

    fn add(&mut self, by: Speaker, line: &str, apart: bool, tally: &mut Tally) {
        match &mut self.said {
            Some((speaker, said)) if *speaker == by => {
                said.push_str(if apart { "\n\n" } else { "\n" });
                said.push_str(line);
            }
            _ => {
                tally.read_one();
                self.flush();
                self.said = Some((by, line.to_owned()));
            }
        }
    }

    /// The session ends.
    fn end(&mut self, tally: &mut Tally) {
        self.flush();
        count_left_out(tally, self.used_before, self.ledger);
        self.used_before = tally.used();
    }

    fn flush(&mut self) {
        if let Some((by, text)) = self.said.take() {
            if by == Speaker::Person && !std::mem::replace(&mut self.is_begun, true) {
                self.session.push_str(&text);
            }
            (self.take)(Event::Said { by, text, at: self.at });
        }
    }
}

/// What is asked for behind a command that only tells how it is to be answered: `/ask why did it fail?`
fn prompt(typed: &str) -> &str {
    const MODES: [&str; 4] = ["/architect ", "/ask ", "/code ", "/context "];
    let asked = MODES.iter().find_map(|mode| typed.strip_prefix(mode)).map(str::trim);
    asked.filter(|asked| !asked.is_empty()).unwrap_or(typed)
}

/// `12k sent, 3k cache write, 2k cache hit, 1.2k received. Cost: $0.03 message, $0.10 session.` What went to the cache and
/// came from it was sent as well.
fn used(report: &str, at: Moment) -> Used {
    let counts = report.split(" Cost:").next().unwrap_or_default();
    let count = |names: &[&str]| {
        let parts = counts.split(", ").filter_map(|part| part.split_once(' '));
        let mut named = parts.filter(|(_, name)| names.contains(&name.trim_end_matches('.')));
        named.next().map_or(0, |(number, _)| tokens(number))
    };
    let sent = count(&["sent"]);
    let read = count(&["cache hit", "cached"]).min(sent);
    let written = count(&["cache write"]).min(sent - read);
    Used { at, read, written, uncached: sent - read - written, output: count(&["received"]) }
}

/// `500`, `1,250`, `1.2k`
fn tokens(number: &str) -> u64 {
    let digits = number.replace(',', "");
    let thousands = digits.strip_suffix('k').map(|digits| (digits, 1_000.0));
    let (digits, unit) = thousands.unwrap_or((digits.as_str(), 1.0));
    digits.parse::<f64>().map_or(0, |tokens| (tokens * unit).round() as u64)
}
