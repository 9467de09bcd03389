//! What may happen to the files of a session.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::random::Random;

/// What stands in the place of a value.
const VALUES: &[&str] = &[
    "18446744073709551615",
    "9223372036854775807",
    "9223372036854775808",
    "1099511627776",
    "-1",
    "0",
    "1e999",
    "0.5",
    "null",
    "true",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[[1,9999999]]",
    "[1,[2,{\"a\":3}]]",
    "\"../../x.jsonl\"",
    "\"efforts\"",
    "\"raw.jsonl\"",
    "\"n18446744073709551615\"",
    "\"open\"",
    "\"concluded\"",
    "\"\\u0000\"",
    "\"auth-bug\"",
    "!tag x",
    "*a",
    "&a b",
];

/// Damages some files and tells how.
pub(crate) fn damage(random: &mut Random, files: &mut BTreeMap<String, Vec<u8>>) -> String {
    let mut told = String::new();
    for _ in 0..random.between(1, 4) {
        let names: Vec<String> = files.keys().cloned().collect();
        let Some(name) = names.get(random.below(names.len())) else { break };
        let other = files[&names[random.below(names.len())]].clone();
        let Some(content) = files.get_mut(name) else { continue };
        let how = one(random, content, &other);
        let _ = write!(told, "[{how} {name}]");
        if how == "removed" {
            files.remove(name);
        }
    }
    told
}

fn one(random: &mut Random, content: &mut Vec<u8>, other: &[u8]) -> &'static str {
    let at = random.below(content.len() + 1);
    match random.below(14) {
        0 => {
            content.truncate(at);
            "cut"
        }
        1 => {
            for _ in 0..random.between(1, 8) {
                let at = random.below(content.len());
                if let Some(byte) = content.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            "flipped"
        }
        2 => {
            let bytes: Vec<u8> = (0..random.between(1, 6)).map(|_| random.byte()).collect();
            content.splice(at..at, bytes);
            "sprinkled"
        }
        3 => "removed",
        4 => {
            *content = other.to_vec();
            "replaced"
        }
        5 => {
            nest(random, content);
            "nested"
        }
        6 => {
            content.clear();
            "emptied"
        }
        7..=9 => {
            lines(random, content);
            "mixed the lines of"
        }
        _ => {
            value(random, content);
            "changed a value of"
        }
    }
}

/// Doubles, tears, joins, swaps or drops lines.
fn lines(random: &mut Random, content: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> =
        content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = random.below(lines.len());
    let Some(line) = lines.get(at).cloned() else { return };
    match random.below(5) {
        0 => lines.insert(at, line),
        1 => lines[at].truncate(random.below(line.len())),
        2 => drop(lines.remove(at)),
        3 => {
            let with = random.below(lines.len());
            lines.swap(at, with);
        }
        _ => {
            let end = random.below(line.len());
            lines.push(line[..end].to_vec());
        }
    }
    *content = lines.concat();
}

/// Puts another value behind some colon.
fn value(random: &mut Random, content: &mut Vec<u8>) {
    let colons: Vec<usize> = (0..content.len()).filter(|&at| content[at] == b':').collect();
    if colons.is_empty() {
        return;
    }
    let from = colons[random.below(colons.len())] + 1;
    let length = content[from..].iter().position(|byte| b",}\n".contains(byte)).unwrap_or(0);
    let value = format!(" {}", random.one(VALUES));
    content.splice(from..from + length, value.into_bytes());
}

/// Opens many brackets.
fn nest(random: &mut Random, content: &mut Vec<u8>) {
    let ends: Vec<usize> = (0..content.len()).filter(|&at| b":\n".contains(&content[at])).collect();
    let at = ends.get(random.below(ends.len())).map_or(0, |&at| at + 1);
    let open = random.one(&[
        "[", "{", "{a: ", "[{\"a\":", "- ", "? ", "[\n", "\"[", "!a ", "&a [", "> ", "a: \n ",
    ]);
    let times = random.one(&[3, 200, 3_000, 30_000]);
    content.splice(at..at, format!(" {}", open.repeat(times)).into_bytes());
}
