//! `ebbtide uncompact`: what the compactions of Claude Code, Codex or opencode lost.

mod block;
mod structured;

use std::io::{self, Write};
use std::path::PathBuf;

use structured::as_json;

use super::converse::look_of;
use super::input::{Spooled, Watched, is_standard_input, named};
use super::terminal::columns;
use super::{Arguments, Error, Host, Streams, UncompactArguments, places};
use crate::clock;
use crate::config::Settings;
use crate::counted::{self, grouped};
use crate::read::{Compaction, Event, Format, Outcome, Reader};
use crate::replay::{Loss, Losses};
use crate::specifics::{Kind, Specific};
use crate::text::{clean, fit, one_line, wrap};
use crate::tui::view::ascii;

/// Columns of a title.
const LONGEST_TITLE: usize = 80;

/// What stands before the lines of a compaction.
const INDENT: &str = "  ";

/// Where in them the specifics begin that were lost.
const LISTS_AT: usize = "lost identifiers ".len();

/// Columns that those have at least.
const NARROWEST: usize = 20;

/// Specifics of a kind that are listed of a compaction if nobody says how many.
const MOST: usize = 12;

/// What is not looked for in a session that is mostly written in others than Latin letters.
const OTHER_LETTERS: &str = "Decisions are looked for in English, German, French and Spanish, names where names have capital letters: of this session, mostly in other letters, more of both may be lost than is told.";

/// Prints what was lost.
pub(super) fn run(
    asked: &UncompactArguments,
    arguments: &Arguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let paths = match &asked.path {
        Some(path) if path.is_dir() && !is_standard_input(path) => places::below(path)?,
        Some(path) => vec![path.clone()],
        None => places::of_this_folder(host)?,
    };
    let looked = newest_that_lost(&paths, streams)?;
    let Looked { path, title, outcome, losses } = &looked;
    if asked.json {
        writeln!(streams.out, "{}", as_json(path, outcome, losses, asked.most))?;
        return Ok(());
    }
    let ascii = is_plain(arguments, host);
    let title = &fit(&one_line(title), LONGEST_TITLE);
    let shown = Shown { path, title, outcome, most: asked.most, ascii, columns: columns() };
    shown.print(losses, asked.block, streams)
}

/// Whether signs are not wanted, or the terminal has none. What is set wrong is told by commands that need it.
fn is_plain(arguments: &Arguments, host: &Host) -> bool {
    let settings = Settings::load(&host.environment, &arguments.settings.overrides());
    look_of(&settings.unwrap_or_default(), &host.environment).ascii
}

/// What was read of a session.
struct Looked<'a> {
    path: &'a PathBuf,
    title: String,
    outcome: Outcome,
    losses: Losses,
}

/// Of some sessions the first one that was compacted; where none was, the first one that can be read.
fn newest_that_lost<'a>(
    paths: &'a [PathBuf],
    streams: &mut Streams<'_>,
) -> Result<Looked<'a>, Error> {
    let (mut first, mut newer): (Option<Result<Looked<'a>, Error>>, u64) = (None, 0);
    for path in paths {
        match look(path, streams) {
            Ok(looked) if !looked.losses.found().is_empty() => {
                if newer > 0 {
                    let sessions = counted::counted(newer, "newer session");
                    streams.tell(format_args!("nothing was compacted in {sessions} beside it"));
                }
                return Ok(looked);
            }
            looked => {
                newer += u64::from(looked.is_ok());
                if first.as_ref().is_none_or(|first| first.is_err() && looked.is_ok()) {
                    first = Some(looked);
                }
            }
        }
    }
    first.unwrap_or_else(|| Err(Error::Failed("there is no session".to_owned())))
}

fn look<'a>(path: &'a PathBuf, streams: &mut Streams<'_>) -> Result<Looked<'a>, Error> {
    let mut losses = Losses::default();
    let (mut title, mut begun) = (String::new(), None);
    let mut take = |event: Event| {
        if let Event::Begins { title: found, project, .. } = &event {
            begun = Some(if found.is_empty() { project } else { found }.clone());
        } else if let Event::Said { .. } = &event
            && let Some(found) = begun.take().filter(|found| !found.is_empty())
        {
            // One in which nobody says anything gives no title.
            title = found;
        }
        losses.take(&event);
    };
    let failed = |error| Error::unread(&error, format!("{}: {error}", named(path)));
    let input = is_standard_input(path);
    let spooled = input.then(|| Spooled::standard_input(streams)).transpose()?;
    let source = Watched { path, spooled: spooled.as_ref(), seen: &|_| {} };
    let outcome = Reader::default().read(&source, &mut take).map_err(failed)?;
    Ok(Looked { path, title, outcome, losses })
}

struct Shown<'a> {
    path: &'a PathBuf,
    title: &'a str,
    outcome: &'a Outcome,
    /// Specifics of a kind that are told, if somebody says how many.
    most: Option<usize>,
    /// Without signs; the block is as it was said.
    ascii: bool,
    /// Columns to which all but the block is fitted, if there is a terminal.
    columns: Option<usize>,
}

impl Shown<'_> {
    fn print(
        &self,
        losses: &Losses,
        block_only: bool,
        streams: &mut Streams<'_>,
    ) -> Result<(), Error> {
        let Outcome { format, tally } = self.outcome;
        let name = format.row().name;
        let mut head = format!("{}: {name}{}\n{tally}", named(self.path), titled(self.title));
        if losses.found().is_empty() {
            head += "\n";
            head += &nothing(*format);
        }
        let head = self.plain(head);
        if block_only {
            streams.tell(head);
        } else {
            writeln!(streams.out, "{head}")?;
        }
        if losses.found().is_empty() {
            return Ok(());
        }
        if !block_only {
            writeln!(
                streams.out,
                "Of what was said and of the calls of tools; what tools answered does not count."
            )?;
            if losses.are_in_other_letters() {
                writeln!(streams.out, "{OTHER_LETTERS}")?;
            }
            for (nth, loss) in losses.found().iter().enumerate() {
                self.print_loss(nth + 1, loss, streams.out)?;
            }
        }
        let lost = losses.lost_now();
        if lost.is_empty() {
            if block_only {
                let is_unread = losses.found().iter().all(|loss| loss.report.is_none());
                streams.tell(if is_unread {
                    UNREAD
                } else {
                    "there is nothing to give back: nothing was lost"
                });
            }
            return Ok(());
        }
        if !block_only {
            writeln!(streams.out, "\nTo paste back:\n")?;
        }
        let phrase = |one: &Specific| clean(losses.phrase(one)).into_owned();
        streams.out.write_all(block::of(&lost, self.most, phrase).as_bytes())?;
        Ok(())
    }

    fn print_loss(&self, nth: usize, loss: &Loss, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\nCompaction {nth}{}", self.plain(headline(&loss.compaction)))?;
        let told = losses_told(loss, self.most.unwrap_or(MOST));
        told.into_iter().try_for_each(|line| writeln!(out, "{}", self.laid_out(&self.plain(line))))
    }

    /// A line of a compaction, indented; what does not fit stands below the list that it belongs to.
    fn laid_out(&self, line: &str) -> String {
        let Some(columns) = self.columns else { return format!("{INDENT}{line}") };
        let hangs = if line.starts_with("lost ") { LISTS_AT } else { 0 };
        let (head, list) = line.split_at_checked(hangs).unwrap_or(("", line));
        let room = columns.saturating_sub(INDENT.len() + hangs).max(NARROWEST);
        let below = format!("\n{INDENT}{:hangs$}", "");
        format!("{INDENT}{head}{}", wrap(list, room).join(&below))
    }

    fn plain(&self, text: String) -> String {
        if self.ascii { ascii::simplified(&text) } else { text }
    }
}

/// What is said of a compaction whose summary nobody can read.
const UNREAD: &str = "Its summary is encrypted or was not kept: nothing can be said of it.";

/// What is said where no compaction was found.
fn nothing(format: Format) -> String {
    if format.tells_compactions() {
        return "Nothing was compacted in it.".to_owned();
    }
    let name = format.row().name;
    format!("No compactions are told of in {name}; Claude Code, Codex and opencode tell of theirs.")
}

/// What a compaction kept and lost, a line each; at most so many of each kind.
pub(super) fn losses_told(loss: &Loss, most: usize) -> Vec<String> {
    if loss.report.is_none() {
        return vec![UNREAD.to_owned()];
    }
    let kinds = || Kind::ALL.into_iter().filter(|kind| loss.kept(*kind).1 > 0);
    let kept: Vec<String> = kinds().map(|kind| counted(loss, kind)).collect();
    if kept.is_empty() {
        let what = if loss.messages == 1 { "message or call" } else { "messages and calls" };
        return vec![format!("There were no specifics to keep in {} {what}.", loss.messages)];
    }
    let missing = decisions_first().filter_map(|kind| lost(loss, kind, most));
    std::iter::once(format!("kept {}", kept.join(", "))).chain(missing).collect()
}

/// The kinds as they are told: what was decided says most.
fn decisions_first() -> impl Iterator<Item = Kind> {
    let others = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Decision);
    std::iter::once(Kind::Decision).chain(others)
}

/// `lost paths       src/a.rs, src/b.rs and 3 more`
fn lost(loss: &Loss, kind: Kind, most: usize) -> Option<String> {
    let missing: Vec<&Specific> = loss.missing(kind).collect();
    let told = |one: &&Specific| {
        let other = if loss.is_exchanged(one) { " (said of something else)" } else { "" };
        format!("{}{other}", clean(loss.phrase(one)))
    };
    let first: Vec<String> = missing.iter().take(most).map(told).collect();
    let more = match missing.len().saturating_sub(most) {
        0 => String::new(),
        more if first.is_empty() => grouped(more as u64),
        more => format!(" and {} more", grouped(more as u64)),
    };
    let line =
        || format!("{:<LISTS_AT$}{}{more}", format!("lost {}", plural(kind)), first.join(", "));
    (!missing.is_empty()).then(line)
}

/// The column under which such a line goes on: that of its list, if it has one.
pub(super) fn goes_on_at(line: &str) -> usize {
    if line.starts_with("lost ") { LISTS_AT } else { 0 }
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(", {title}") }
}

/// `, 2026-05-01 10:00, auto: 165,000 → 4,000 tokens`
pub(super) fn headline(compaction: &Compaction) -> String {
    let at = compaction.at.and_then(clock::minute_of).map(|at| format!(", {at}"));
    let trigger = clean(&compaction.trigger);
    let trigger = (!trigger.is_empty()).then(|| format!(", {trigger}"));
    let tokens = match (compaction.before, compaction.after) {
        (Some(before), Some(after)) => {
            Some(format!(": {} → {} tokens", grouped(before), grouped(after)))
        }
        (Some(before), None) => Some(format!(": {} tokens before it", grouped(before))),
        (None, _) => None,
    };
    [at, trigger, tokens].into_iter().flatten().collect()
}

/// `41 of 212 paths`
fn counted(loss: &Loss, kind: Kind) -> String {
    let (kept, all) = loss.kept(kind);
    format!("{} of {}", grouped(kept as u64), counted::counted(all as u64, kind.as_str()))
}

fn plural(kind: Kind) -> String {
    format!("{kind}s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    #[test]
    fn what_does_not_fit_stands_below_the_list_that_it_belongs_to() {
        let outcome = Outcome { format: Format::ClaudeCode, tally: crate::read::Tally::default() };
        let path = PathBuf::from("s.jsonl");
        let shown = |columns| Shown {
            path: &path,
            title: "",
            outcome: &outcome,
            most: Some(9),
            ascii: false,
            columns,
        };
        let line = "lost paths       src/a.rs, src/b.rs, src/c.rs, src/d.rs and 3 more";
        assert_eq!(shown(None).laid_out(line), format!("  {line}"));
        let below = "  lost paths       src/a.rs, src/b.rs,\n                   src/c.rs, src/d.rs\n                   and 3 more";
        assert_eq!(shown(Some(40)).laid_out(line), below);
        let kept = shown(Some(30)).laid_out("kept 41 of 212 paths, 3 of 90 numbers, 1 of 2 urls");
        assert!(
            kept.lines().all(|line| line.starts_with("  kept") || line.starts_with("  ")),
            "{kept}"
        );
        assert!(kept.lines().all(|line| width(line) <= 30) && kept.lines().count() == 2, "{kept}");
    }
}
