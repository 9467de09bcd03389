//! Archives and packed files, and what is wrong with some.

use std::io::{Cursor, Write};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{lines, listing, told};

/// An archive of files.
fn zipped(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A conversation of Claude.ai.
fn talk(text: &str) -> Value {
    json!({ "uuid": text, "name": text, "chat_messages": [{ "uuid": "1", "sender": "human", "text": text, "content": [] }] })
}

fn shard(texts: &[&str]) -> Vec<u8> {
    let talks: Vec<Value> = texts.iter().map(|text| talk(text)).collect();
    json!(talks).to_string().into_bytes()
}

#[track_caller]
fn refused(file: &[u8], expected: &str) {
    let error = told(file).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn the_shards_of_an_archive_are_read_in_order_and_nothing_else_of_it() {
    let (first, second) = (shard(&["one", "two"]), shard(&["three"]));
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let files: [(&str, &[u8]); 3] = [
            ("export/conversations-001.json", &second),
            ("export/users.json", b"[]"),
            ("export/conversations-000.json", &first),
        ];
        let file = zipped(&files, method);
        let said = listing(&file).into_iter().filter(|line| line.starts_with("person"));
        assert_eq!(said.collect::<Vec<_>>(), ["person: one", "person: two", "person: three"]);
    }
}

#[test]
fn one_damaged_shard_of_an_archive_is_skipped_and_told() {
    let shards = [shard(&["one"]), shard(&["two"]), shard(&["three"])];
    let names = [0, 1, 2].map(|nth| format!("conversations-00{nth}.json"));
    let files: Vec<(&str, &[u8])> =
        names.iter().zip(&shards).map(|(name, shard)| (name.as_str(), &shard[..])).collect();
    let whole = zipped(&files, CompressionMethod::Deflated);
    let places = |name: &str| {
        let is_name = |at: &usize| whole[*at..].starts_with(name.as_bytes());
        (0..whole.len()).filter(is_name).collect::<Vec<_>>()
    };
    let damaged = |file: &mut Vec<u8>, name: &str| {
        let data = places(name)[0] + name.len();
        file[data..data + 9].fill(0xff);
    };
    let mut one = whole.clone();
    damaged(&mut one, &names[1]);
    // The flag of an encrypted file stands before its name, in both places.
    let mut locked = whole.clone();
    let [local, central] = places(&names[1])[..] else { panic!("{names:?}") };
    locked[local - 24] |= 1;
    locked[central - 38] |= 1;
    // Its own head is gone.
    let mut headless = whole.clone();
    headless[local - 30] = 0;
    for file in [one.clone(), locked, headless] {
        let said = listing(&file).into_iter().filter(|line| line.starts_with("person"));
        assert_eq!(said.collect::<Vec<_>>(), ["person: one", "person: three"]);
        let tally = told(&file).unwrap().1.tally.to_string();
        assert!(tally.contains("skipped 1 (1 unreadable conversations-001.json)"), "{tally}");
    }
    for name in [&names[0], &names[2]] {
        damaged(&mut one, name);
    }
    refused(&one, "it cannot be read: ");
}

#[test]
fn a_member_that_is_not_what_was_packed_is_refused() {
    let whole =
        zipped(&[("conversations.json", &shard(&["one", "two"]))], CompressionMethod::Stored);
    let at = whole.windows(3).position(|three| three == b"two").unwrap();
    let mut flipped = whole.clone();
    flipped[at] ^= 1;
    assert!(listing(&whole).contains(&"person: two".to_owned()));
    refused(&flipped, "the ZIP archive is damaged");
}

#[test]
fn a_packed_rollout_is_read_like_a_plain_one() {
    let line = |kind: &str, payload: Value| json!({ "type": kind, "payload": payload });
    let mut records = vec![line("session_meta", json!({ "id": "c" }))];
    records.extend((0..5_000).map(|nth| {
        line("event_msg", json!({ "type": "user_message", "message": format!("Question {nth}") }))
    }));
    let plain = lines(&records);
    let packed = compress_to_vec(plain.as_slice(), CompressionLevel::Fastest);
    assert!(packed.len() < plain.len() / 2);
    assert_eq!(listing(&packed), listing(&plain));
    for end in [10, packed.len() / 2, packed.len() - 8] {
        refused(&packed[..end], "Zstandard data is damaged or breaks off");
    }
}

#[test]
fn all_frames_of_a_packed_rollout_are_read() {
    let said = |nth: u32| json!({ "type": "event_msg", "payload": { "type": "user_message", "message": format!("Question {nth}") } });
    let mut records = vec![json!({ "type": "session_meta", "payload": { "id": "c" } })];
    records.extend((0..60).map(said));
    let plain = lines(&records);
    let frame = |part: &[u8]| compress_to_vec(part, CompressionLevel::Fastest);
    let skipped = |length: u32| [&[0x5a, 0x2a, 0x4d, 0x18], &length.to_le_bytes()[..]].concat();
    // A frame to be skipped at the beginning and in between, an empty one, and a border within a line.
    let parts: Vec<Vec<u8>> = plain.chunks(1_001).map(frame).collect();
    assert!(parts.len() > 3);
    let packed = [
        [skipped(3), b"any".to_vec(), frame(b"")].concat(),
        parts[0].clone(),
        skipped(0),
        parts[1..].concat(),
    ]
    .concat();
    assert_eq!(listing(&packed), listing(&plain));
    assert_eq!(listing(&packed).last().unwrap(), "person: Question 59");
    // It breaks off in a later frame, and another thing stands behind the last one.
    refused(&packed[..packed.len() - 8], "Zstandard data is damaged or breaks off");
    refused(&[packed.clone(), skipped(9)].concat(), "Zstandard data is damaged or breaks off");
    refused(&[packed, b"more".to_vec()].concat(), "Zstandard data is damaged or breaks off");
}

/// A sentence that says what to do, and no word of a library's.
const BROKEN: &str = "it cannot be read: the ZIP archive is damaged, breaks off or is one of several parts; download it again, or \
                      unpack it and name the folder that comes of it";

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let line = b"{\"type\":\"session_meta\",\"payload\":{\"id\":\"c\"}}\n";
    let blanks = vec![b' '; 2 << 20];
    let packed = |times: usize| {
        compress_to_vec(
            [&line[..], &blanks[..times << 16]].concat().as_slice(),
            CompressionLevel::Fastest,
        )
    };
    assert!(packed(32).len() < 2_000);
    refused(&packed(32), "it unpacks to more than a hundred times its size");
    refused(&packed(8), "nobody says anything in it");
}

#[test]
fn a_document_of_too_many_values_is_refused() {
    for head in [
        "{\"info\":{},\"messages\":[{\"parts\":[]},",
        "{\"name\":\"n\",\"messages\":[{\"versions\":[]},",
    ] {
        let file = [head.as_bytes(), &b"1,".repeat(4_000_000), b"1]}"].concat();
        refused(&file, "let the program export fewer conversations");
        // Signs within texts are no values.
        let file = [head.as_bytes(), b"\"\\\"", &b"[,".repeat(4_000_000), b"\"]}"].concat();
        refused(&file, "nobody says anything in it");
    }
}

#[test]
fn what_is_wrong_with_an_archive_is_told() {
    let text = shard(&["one"]);
    let deflated = |name: &str, bytes: &[u8]| zipped(&[(name, bytes)], CompressionMethod::Deflated);
    let whole = deflated("conversations.json", &text);
    refused(&whole[..whole.len() - 30], BROKEN);
    refused(&deflated("photo.png", &text), "without conversations.json");
    refused(&deflated("photo.png", &text), "(in it: photo.png); if other files");
    refused(&zipped(&[], CompressionMethod::Stored), "without conversations.json");
    refused(&zipped(&[], CompressionMethod::Stored), "(in it: nothing)");
    let directory = whole.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    let mut encrypted = whole.clone();
    encrypted[6] |= 1;
    encrypted[directory + 8] |= 1;
    refused(&encrypted, "conversations.json in the archive is encrypted");
    // Four gigabytes, says the directory, of a few bytes.
    let mut bomb = whole.clone();
    bomb[directory + 24..directory + 28].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    refused(&bomb, "more than a hundred times its size");
    // A directory that points behind the end, an archive in several parts, and packed bytes that are none.
    for (at, bytes) in [
        (directory + 42, &[0xff, 0xff, 0xff, 0x7f][..]),
        (whole.len() - 18, &[3, 0, 1, 0]),
        (30 + "conversations.json".len(), &[0xff; 8]),
    ] {
        let mut broken = whole.clone();
        broken[at..at + bytes.len()].copy_from_slice(bytes);
        refused(&broken, BROKEN);
    }
    let mut odd = whole;
    odd[directory + 10] = 12;
    refused(&odd, "unpack the archive first");
}
