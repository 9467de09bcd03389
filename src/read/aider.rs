//! Histories of Aider: Markdown, in which what a person typed begins with `#### ` and what the program says
//! with `> `.

use super::lines::{Line, Lines};
use super::{Bytes, Error, Event, Ledger, Moment, Speaker, Take, Tally};
use crate::clock;

/// How a session begins.
const SESSION: &str = "# aider chat started at ";

/// Reads a history.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut talk = Talk { take, said: None, at: None };
    let mut lines = Lines::of(source)?;
    let mut last = 0;
    while let Some(line) = lines.next(&mut tally)? {
        // Blank lines are left out on the way; within a message one counts.
        let apart = line.number > last + 1;
        last = line.number;
        talk.take_line(line, apart, &mut tally);
    }
    talk.flush();
    Ok(tally)
}

struct Talk<'a, 't> {
    take: &'a mut Take<'t>,
    said: Option<(Speaker, String)>,
    at: Moment,
}

impl Talk<'_, '_> {
    fn take_line(&mut self, line: Line<'_>, apart: bool, tally: &mut Tally) {
        let text = line.text();
        if let Some(when) = text.strip_prefix(SESSION) {
            tally.read_one();
            self.flush();
            self.at = clock::millis_of(&when.trim().replacen(' ', "T", 1));
            let (id, title, project) = (String::new(), String::new(), String::new());
            (self.take)(Event::Begins { id, title, project, at: self.at });
        } else if let Some(typed) =
            text.strip_prefix("####").filter(|rest| rest.is_empty() || rest.starts_with(' '))
        {
            match typed.trim() {
                "" | "<blank>" => {}
                command if command.starts_with('/') => {
                    tally.read_one();
                    tally.skip("command");
                }
                typed => self.add(Speaker::Person, typed, false, tally),
            }
        } else if text.starts_with("> ") {
            tally.read_one();
            tally.skip("tool line");
        } else {
            self.add(Speaker::Model, &text, apart, tally);
        }
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

    fn flush(&mut self) {
        if let Some((by, text)) = self.said.take() {
            (self.take)(Event::Said { by, text, at: self.at });
        }
    }
}
