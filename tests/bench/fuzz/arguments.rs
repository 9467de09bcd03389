//! Whatever a model sends as a call of a tool is a call that can run, or a mistake that it can mend.

use ebbtide::tools;
use serde_json::{Map, Value};

use super::random::Random;

/// The longest sentence that a mistake may come to, in bytes.
const LONGEST_SENTENCE: usize = 1_000;

/// Parses a call of any tool with arguments of any kind.
pub(crate) fn case(random: &mut Random) {
    let names: Vec<&str> = tools::specs().iter().map(|spec| spec.name).collect();
    let name = match random.below(12) {
        0 => random.text(8),
        1 => format!("{}_of", random.one(&names)),
        _ => random.one(&names).to_owned(),
    };
    let arguments = match random.below(8) {
        0 => random.text(40),
        1 => nested(random),
        _ => damaged(random, &name),
    };
    match tools::parse(&name, &arguments) {
        Ok(call) => assert!(format!("{call:?}").len() < 8 * arguments.len() + 200, "{call:?}"),
        Err(misuse) => {
            let sentence = misuse.to_string();
            assert!(sentence.len() < LONGEST_SENTENCE, "{sentence}");
        }
    }
}

/// Arguments as they should be, with a wrong value here and there, now and then cut.
fn damaged(random: &mut Random, tool: &str) -> String {
    let parameters: Vec<&str> =
        tools::specs().iter().flat_map(|spec| spec.parameters).map(|one| one.name).collect();
    let mut arguments = Map::new();
    // Most of what the tool takes is there, so that calls come as far as the limits of a value.
    let own = tools::specs().iter().filter(|spec| spec.name == tool);
    for parameter in own.flat_map(|spec| spec.parameters) {
        if !random.once_in(4) {
            let text = random.once_in(2).then(|| random.text(10).into());
            arguments.insert(parameter.name.to_owned(), text.unwrap_or_else(|| value(random, 3)));
        }
    }
    for _ in 0..random.below(3) {
        let name =
            if random.once_in(8) { random.text(3) } else { random.one(&parameters).to_owned() };
        arguments.insert(name, value(random, 3));
    }
    let mut text = Value::Object(arguments).to_string();
    if random.once_in(4) {
        let cut = random.below(text.len() + 1);
        text.truncate((0..=cut).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0));
    }
    if random.once_in(6) {
        text.push_str(random.one(&["}", "{}", " ", "\0", "null", ","]));
    }
    text
}

/// Lists or objects within each other, deeper than any parser goes.
fn nested(random: &mut Random) -> String {
    let depth = random.one(&[1, 60, 126, 127, 128, 129, 1_000]);
    let (open, close) = random.one(&[("[", "]"), ("{\"content\":", "}"), ("{\"tags\":[", "]}")]);
    let closed = if random.once_in(2) { depth } else { random.below(depth) };
    format!("{{\"content\":{}1{}}}", open.repeat(depth), close.repeat(closed))
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => Value::Bool(random.once_in(2)),
        2 => Value::from(random.one(&[0, 1, 3, -1, i64::MAX, i64::MIN])),
        3 => Value::from(random.one(&[u64::MAX, 1 << 53])),
        4 => Value::from(random.one(&[0.5, -0.0, 1e300, f64::MIN_POSITIVE])),
        5 => random.one(&["1", "★★", "****", "ref:x", "a, b", " ", "9".repeat(40).as_str()]).into(),
        6 => {
            let times = if random.once_in(100) { 500 } else { random.between(1, 3) };
            random.text(10).repeat(times).into()
        }
        7 => {
            let most = random.one(&[3, 3, 3, 120]);
            if random.once_in(3) {
                return (0..random.below(most)).map(|_| Value::from(random.text(3))).collect();
            }
            (0..random.below(most)).map(|_| value(random, 0)).collect()
        }
        _ => {
            let mut map = Map::new();
            for _ in 0..random.below(4) {
                map.insert(random.text(3), value(random, depth - 1));
            }
            Value::Object(map)
        }
    }
}
