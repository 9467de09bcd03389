//! Chats of SillyTavern: a header, then a message a line, each with the reply that was chosen.

use serde_json::Value;

use super::copies::count_left_out;
use super::value::{is, moment, text};
use super::{Bytes, Error, Event, Ledger, Speaker, Take, Tally, lines};

/// What a header has in place of names since the messages alone tell them.
const UNUSED: &str = "unused";

/// Lines among which somebody else than the person says something.
const FIRST: usize = 50;

/// Reads a chat.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let character = character(source)?;
    let mut tally = Tally::default();
    let mut begun = false;
    lines::each(source, &mut tally, |_, record: Value, tally| {
        let said = match record.get("mes") {
            Some(Value::Object(_)) => text(&record["mes"], "message"),
            _ => text(&record, "mes"),
        };
        if !std::mem::replace(&mut begun, true) {
            take(Event::Begins {
                id: text(&record["chat_metadata"], "chat_id_hash").to_owned(),
                title: match text(&record, "character_name") {
                    "" | UNUSED => character.clone(),
                    name => name.to_owned(),
                },
                project: String::new(),
                at: moment(&record, "create_date"),
            });
        }
        if record.get("mes").is_none() {
            return tally.skip("header");
        }
        if is(&record, "is_system") || said.trim().is_empty() {
            return tally.skip("hidden");
        }
        let by = if is(&record, "is_user") { Speaker::Person } else { Speaker::Model };
        take(Event::Said { by, text: said.to_owned(), at: moment(&record, "send_date") });
        let has_picture = !text(&record["extra"], "image").is_empty();
        tally.leave_out(has_picture.then_some("image"));
    })?;
    count_left_out(&mut tally, 0, ledger);
    Ok(tally)
}

/// Who first says something that is not the person; empty if nobody does.
fn character(source: &dyn Bytes) -> Result<String, Error> {
    let mut lines = lines::Lines::of(source)?;
    for _ in 0..FIRST {
        let Some(line) = lines.next(&mut Tally::default())? else { break };
        let record: Value = lines::record(line.bytes).unwrap_or_default();
        let is_said = record.get("mes").is_some() && !is(&record, "is_system");
        if is_said && !is(&record, "is_user") && !text(&record, "name").is_empty() {
            return Ok(text(&record, "name").to_owned());
        }
    }
    Ok(String::new())
}
