//! The compressed parts of an open log, as the manifest's entry and the journal hold them:
//! `{"messages": [[1, 40], [43, 44]], "source": "auth-bug-log", "text": "..."}`. Messages are counted from
//! 1, both ends included. What only says that they are left out has no source.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::memory::{Block, EffortId, Role};

/// Where it is not known how many messages a log has: more than any has.
const MOST_MESSAGES: u64 = 10_000_000;

/// The blocks of a log, for its entry; `Null` without any.
pub(crate) fn write(blocks: &[Block]) -> Value {
    let one = |block: &Block| {
        let mut value = json!({
            "messages": ranges(block.places()),
            "source": block.key(),
            "text": &*block.message().content,
        });
        if block.message().role == Role::Assistant {
            value["role"] = "assistant".into();
        }
        value
    };
    match blocks {
        [] => Value::Null,
        blocks => blocks.iter().map(one).collect(),
    }
}

/// Reads the blocks of an entry whose log has so many messages; what makes no sense is left out, so that
/// its messages are sent raw. A range begins behind the one before it, as they are written: reading costs
/// no more than the log has messages.
pub(crate) fn read(id: &EffortId, stored: &[Value], messages: u64) -> Vec<Block> {
    let most = messages.min(MOST_MESSAGES);
    stored.iter().filter_map(|value| read_one(id, value, most)).collect()
}

fn read_one(id: &EffortId, value: &Value, most: u64) -> Option<Block> {
    let (mut places, mut before) = (BTreeSet::new(), 0);
    for range in value.get("messages")?.as_array()? {
        let end = |nth: usize| range.get(nth)?.as_u64().filter(|&number| number <= most);
        let (first, last) = (end(0).filter(|&first| first > before)?, end(1)?);
        places.extend((first..=last).map(|number| number as usize - 1));
        before = last;
    }
    let text = |key: &str| value.get(key)?.as_str();
    let block = Block::stored(id.clone(), places, text("source")?.to_owned(), text("text")?.into());
    let is_reply = text("role") == Some("assistant");
    Some(if is_reply { block.said_by(Role::Assistant) } else { block })
}

fn ranges(places: &BTreeSet<usize>) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for place in places {
        let number = place + 1;
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number, number]),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_as_they_were_and_nonsense_is_left_out() {
        let id = EffortId::stored("plan");
        let places: BTreeSet<usize> = [0, 1, 2, 5, 7, 8].into();
        let block = Block::stored(id.clone(), places, "plan-log".into(), "said".into());
        let stored = write(std::slice::from_ref(&block));
        assert_eq!(stored[0]["messages"], json!([[1, 3], [6, 6], [8, 9]]));
        assert_eq!(read(&id, stored.as_array().unwrap(), 9), [block]);
        assert_eq!(read(&id, stored.as_array().unwrap(), 8), [], "beyond the log");
        let bad = [
            json!(7),
            json!({"messages": [[0, 3]], "source": "k", "text": "t"}),
            json!({}),
            json!({"messages": [[1, 3], [2, 4]], "source": "k", "text": "t"}),
        ];
        assert_eq!(read(&id, &bad, 9), []);
        let excerpt = Block::stored(id.clone(), [3].into(), String::new(), "left out".into());
        let excerpt = excerpt.said_by(Role::Assistant);
        let stored = write(std::slice::from_ref(&excerpt));
        assert_eq!(read(&id, stored.as_array().unwrap(), 9), [excerpt]);
        assert_eq!(write(&[]), Value::Null);
    }
}
