//! Chats of SillyTavern: a header, then a message a line, each with the reply that was chosen.

use serde_json::Value;

use super::copies::count_left_out;
use super::value::{is, moment, text};
use super::{Bytes, Error, Event, Ledger, Speaker, Take, Tally, lines};

/// Reads a chat.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
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
                title: text(&record, "character_name").to_owned(),
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
