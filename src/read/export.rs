//! Sessions that Ebbtide exported: the lines of their logs. The efforts' logs stand for themselves, and beside them
//! what was said outside of any.

use serde_json::Value;

use super::value::{list, moment, text};
use super::{Bytes, Error, Event, Format, Ledger, Speaker, Take, Tally, items};

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let broken =
        |why: serde_json::Error| Error::Broken { format: Format::Export, why: why.to_string() };
    let export = items::whole(source)?.map_err(broken)?;
    let mut tally = Tally::default();
    for file in list(&export, "files") {
        let said = list(file, "lines")
            .iter()
            .filter(|line| line.get("role").is_some() && line.get("content").is_some());
        let said: Vec<&Value> = said.collect();
        if said.is_empty() {
            continue;
        }
        let path = text(file, "path");
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".jsonl");
        take(Event::Begins {
            id: name.to_owned(),
            title: name.to_owned(),
            project: text(&export, "name").to_owned(),
            at: moment(said[0], "ts"),
        });
        for line in said {
            tally.read_one();
            let by = match text(line, "role") {
                "user" => Speaker::Person,
                "assistant" => Speaker::Model,
                other => {
                    tally.skip(other);
                    continue;
                }
            };
            take(Event::Said {
                by,
                text: text(line, "content").to_owned(),
                at: moment(line, "ts"),
            });
        }
    }
    Ok(tally)
}
