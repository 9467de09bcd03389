//! Sessions that Ebbtide exported: the lines of their logs. Each effort has a log of its own, and beside them is what was
//! said outside of any; together they are one conversation, in the order of its turns.

use std::borrow::Cow;

use serde_json::Value;

use super::usage::Line;
use super::value::{count, is, list, moment, text};
use super::{
    Bytes, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally, Used, items, lines,
};

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let broken =
        |why: serde_json::Error| Error::Broken { format: Format::Export, why: why.to_string() };
    let export = items::whole(source)?.map_err(broken)?;
    let name = text(&export, "name");
    let (mut title, mut tally, mut exchanges) = (name, Tally::default(), Vec::new());
    for file in list(&export, "files") {
        match text(file, "path") {
            "bill.jsonl" => count_usage(file, ledger),
            "session_state.json" => {
                let known = text(&file["json"], "title");
                title = if known.is_empty() { title } else { known };
            }
            path => gather(file, path, &mut exchanges, &mut tally),
        }
    }
    put_in_order(&mut exchanges);
    exchanges.pop_if(|last| last.is_unsaid());
    tell(&exchanges, name, title, take);
    Ok(tally)
}

/// What was said in a turn.
struct Exchange<'a> {
    /// 0 where nobody wrote it down.
    turn: u64,
    at: Moment,
    /// The effort that it belongs to; empty for small talk.
    topic: &'a str,
    said: Vec<(Speaker, Cow<'a, Value>)>,
}

/// What both sides say in a turn behind a replayed conversation, which concludes its last topic and which nobody said.
pub const END: &str = "(end)";

impl Exchange<'_> {
    /// Whether a replay made it.
    fn is_unsaid(&self) -> bool {
        self.said.len() > 1 && self.said.iter().all(|(_, line)| text(line, "content") == END)
    }
}

/// Adds what a file of the session says, if it is a log.
fn gather<'a>(
    file: &'a Value,
    path: &'a str,
    exchanges: &mut Vec<Exchange<'a>>,
    tally: &mut Tally,
) {
    let topic = path.strip_prefix("efforts/").unwrap_or_default().trim_end_matches(".jsonl");
    let first = exchanges.len();
    for line in records(file).filter(|line| line.get("role").is_some_and(Value::is_string)) {
        tally.read_one();
        let by = match text(&line, "role") {
            "user" => Speaker::Person,
            "assistant" => Speaker::Model,
            other => {
                tally.skip(other);
                continue;
            }
        };
        let turn = count(&line, "turn");
        let under_way = exchanges[first..].last().is_some_and(|last| last.turn == turn);
        if by == Speaker::Person || !under_way {
            let at = moment(&line, "ts");
            exchanges.push(Exchange { turn, at, topic, said: Vec::new() });
        }
        if let Some(last) = exchanges.last_mut() {
            last.said.push((by, line));
        }
    }
}

/// The lines of a file. One that another program wrote, or that is not whole, stands in the export as a text.
fn records(file: &Value) -> impl Iterator<Item = Cow<'_, Value>> {
    let of_text = |line: &str| lines::record(line.as_bytes()).map(Cow::Owned);
    let lines = list(file, "lines").iter().filter_map(move |line| match line {
        Value::String(line) => of_text(line),
        line => Some(Cow::Borrowed(line)),
    });
    let is_log = text(file, "path").strip_suffix(".jsonl").is_some();
    let torn = if is_log { text(file, "text") } else { "" };
    lines.chain(torn.lines().filter_map(of_text))
}

/// By their turns, or by their moments where those before turns were written down are among them.
fn put_in_order(exchanges: &mut [Exchange<'_>]) {
    if exchanges.iter().all(|one| one.turn > 0) {
        exchanges.sort_by_key(|one| one.turn);
    } else if exchanges.iter().all(|one| one.at.is_some()) {
        exchanges.sort_by_key(|one| one.at);
    }
}

fn tell(exchanges: &[Exchange<'_>], name: &str, title: &str, take: &mut Take<'_>) {
    let Some(first) = exchanges.first() else { return };
    take(Event::Begins {
        id: name.to_owned(),
        title: title.to_owned(),
        project: String::new(),
        at: first.at,
    });
    // A session without efforts tells nothing of its topics.
    let tells_topics = exchanges.iter().any(|one| !one.topic.is_empty());
    let mut before = None;
    for one in exchanges {
        if tells_topics && before.replace(one.topic) != Some(one.topic) {
            take(Event::Topic(one.topic.to_owned()));
        }
        for (by, line) in &one.said {
            let (text, at) = (text(line, "content").to_owned(), moment(line, "ts"));
            take(Event::Said { by: *by, text, at });
        }
    }
}

/// What the requests took, as far as their provider told: what was estimated is no record.
fn count_usage(file: &Value, ledger: &mut Ledger) {
    for (nth, line) in records(file).enumerate() {
        if line.get("purpose").is_none() || is(&line, "estimated") {
            continue;
        }
        let used = Used {
            at: moment(&line, "at"),
            read: count(&line, "read"),
            written: count(&line, "written"),
            uncached: count(&line, "uncached"),
            output: count(&line, "output"),
        };
        // A copy of the session says the same in the same place.
        let message = &format!("{nth} {line}");
        ledger.reply(&Line { message, ..Line::default() }, &used);
    }
}
