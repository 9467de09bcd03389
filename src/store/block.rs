//! The compressed parts of an open log, as the manifest's entry and the journal hold them:
//! `{"messages": [[1, 40], [43, 44]], "source": "auth-bug-log", "text": "..."}`. Messages are counted from
//! 1, both ends included.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::memory::{Block, EffortId};

/// More messages than any log has; a stored range beyond is none of ours.
const MOST_MESSAGES: u64 = 10_000_000;

/// The blocks of a log, for its entry; `Null` without any.
pub(super) fn write(blocks: &[Block]) -> Value {
    let one = |block: &Block| {
        json!({
            "messages": ranges(block.places()),
            "source": block.key(),
            "text": &*block.message().content,
        })
    };
    match blocks {
        [] => Value::Null,
        blocks => blocks.iter().map(one).collect(),
    }
}

/// Reads the blocks of an entry; what makes no sense is left out, so that its messages are sent raw.
pub(super) fn read(id: &EffortId, stored: &[Value]) -> Vec<Block> {
    stored.iter().filter_map(|value| read_one(id, value)).collect()
}

fn read_one(id: &EffortId, value: &Value) -> Option<Block> {
    let mut places = BTreeSet::new();
    for range in value.get("messages")?.as_array()? {
        let end =
            |nth: usize| range.get(nth)?.as_u64().filter(|&n| (1..MOST_MESSAGES).contains(&n));
        places.extend((end(0)?..=end(1)?).map(|number| number as usize - 1));
    }
    let text = |key: &str| value.get(key)?.as_str();
    Some(Block::stored(id.clone(), places, text("source")?.to_owned(), text("text")?.into()))
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
        assert_eq!(read(&id, stored.as_array().unwrap()), [block]);
        let bad = [json!(7), json!({"messages": [[0, 3]], "source": "k", "text": "t"}), json!({})];
        assert_eq!(read(&id, &bad), []);
        assert_eq!(write(&[]), Value::Null);
    }
}
