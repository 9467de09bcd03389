//! Files as other programs write them, made by hand: one oddity each.

mod agents;
mod claude_code;
mod counts;
mod damage;
mod eras;
mod exports;
mod hostile;
mod odd;
mod own;
mod packed;
mod pictures;
mod plain;
mod ragged;
mod requests;
mod versions;
mod written_again;

use serde_json::Value;

use super::{Error, Event, Outcome, Reader, Speaker, Used};

/// JSON values as lines.
fn lines(records: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    lines.concat().into_bytes()
}

/// What a reader tells of a file, but for which reply each thing is of, and what it begins with as a copy.
fn told(file: &[u8]) -> Result<(Vec<Event>, Outcome, Vec<Used>), Error> {
    let mut reader = Reader::default();
    let mut events = Vec::new();
    let outcome = reader.read(&file.to_vec(), &mut |event| {
        if !matches!(event, Event::Reply(_) | Event::Copied(_)) {
            events.push(event);
        }
    })?;
    Ok((events, outcome, reader.ledger().requests().0))
}

/// An event on one line.
fn line(event: &Event) -> String {
    match event {
        Event::Begins { id, title, project, .. } => format!("== {id}|{title}|{project}"),
        Event::Said { by: Speaker::Person, text, .. } => format!("person: {text}"),
        Event::Said { by: Speaker::Model, text, .. } => format!("model: {text}"),
        Event::Called { id, name, arguments, .. } => format!("call {id}: {name} {arguments}"),
        Event::Returned { id, text, .. } => format!("result {id}: {text}"),
        Event::Attached { name, text, .. } => format!("file {name}: {}", text.len()),
        Event::Copied(event) => format!("copied {}", line(event)),
        Event::Reply(number) => format!("reply {number}"),
        Event::Branched => "another branch".to_owned(),
        Event::Topic(name) => format!("topic {name}"),
        Event::Compacted(one) => {
            format!("compacted {} {:?} {:?}: {:?}", one.trigger, one.before, one.after, one.summary)
        }
    }
}

/// The listing of a file that can be read.
#[track_caller]
fn listing(file: &[u8]) -> Vec<String> {
    told(file).unwrap().0.iter().map(line).collect()
}

/// What the compactions of a file leave in the window beside their summaries.
#[track_caller]
fn kept_beside(file: &[u8]) -> Vec<String> {
    let compactions = told(file).unwrap().0.into_iter().filter_map(|event| match event {
        Event::Compacted(one) => Some(one.kept),
        _ => None,
    });
    compactions.flatten().map(|event| line(&event)).collect()
}

/// The tokens of all requests: read, written, uncached, output.
#[track_caller]
fn usage(file: &[u8]) -> [u64; 4] {
    sum(&told(file).unwrap().2)
}

fn sum(requests: &[Used]) -> [u64; 4] {
    let add = |sum: [u64; 4], used: &Used| {
        [sum[0] + used.read, sum[1] + used.written, sum[2] + used.uncached, sum[3] + used.output]
    };
    requests.iter().fold([0; 4], add)
}
