//! Past conversations of other programs, replayed as a person does.

mod opened;
mod priced;
mod refused;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::cli::Home;
use crate::support::server::{Reply, Server};

/// A session of Claude Code about some topics, a compaction between them.
fn session(id: &str, day: u32, topics: &[&str]) -> String {
    let (mut lines, mut parent, mut at) = (Vec::new(), Value::Null, 0);
    let mut add = |parent: &Value, more: Value| {
        at += 1;
        let uuid = format!("{id}-{at}");
        let mut record = json!({ "uuid": uuid, "parentUuid": parent, "sessionId": id, "cwd": "/project", "timestamp": format!("2026-05-{day:02}T10:{at:02}:00Z") });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        lines.push(format!("{record}\n"));
        json!(uuid)
    };
    for (nth, topic) in topics.iter().enumerate() {
        if nth > 0 {
            let known = json!({ "trigger": "auto", "preTokens": 100_000, "postTokens": 3_000 });
            let boundary = add(
                &Value::Null,
                json!({ "type": "system", "subtype": "compact_boundary", "logicalParentUuid": parent, "compactMetadata": known }),
            );
            parent = add(
                &boundary,
                json!({ "type": "user", "isCompactSummary": true, "message": { "role": "user", "content": "A summary." } }),
            );
        }
        for turn in 0..6 {
            let text = format!(
                "How does the {topic} go on, {topic} part {turn}, in src/{topic}/{turn}.rs?"
            );
            parent = add(
                &parent,
                json!({ "type": "user", "message": { "role": "user", "content": text } }),
            );
            let usage =
                json!({ "input_tokens": 10, "cache_read_input_tokens": 500, "output_tokens": 20 });
            let text = format!("The {topic} takes step {turn}; the {topic} is as it should be. ")
                .repeat(8);
            let message = json!({ "role": "assistant", "id": format!("m-{id}-{nth}-{turn}"), "content": [{ "type": "text", "text": text }], "usage": usage });
            parent = add(&parent, json!({ "type": "assistant", "message": message }));
        }
    }
    lines.concat()
}

/// A home with a folder of three sessions and two compactions.
fn home() -> (Home, PathBuf) {
    let home = Home::new();
    let folder = home.path(".claude/projects/-project");
    fs::create_dir_all(&folder).unwrap();
    for (id, day, topics) in [
        ("a", 1, &["parser", "invoice"][..]),
        ("b", 2, &["harbour"]),
        ("c", 3, &["tomato", "rollout"]),
    ] {
        fs::write(folder.join(format!("{id}.jsonl")), session(id, day, topics)).unwrap();
    }
    (home, folder)
}

#[test]
fn a_folder_is_replayed_in_the_order_of_its_days() {
    let (home, folder) = home();
    let before = Kept::of(&folder);
    let (out, err, code) = home.run(&["replay", "--from", "claude-code"], &[]);
    assert_eq!(code, 0, "{err}");
    let names: Vec<&str> = ["parser", "invoice", "harbour", "tomato", "rollout"].to_vec();
    let places: Vec<usize> = names
        .iter()
        .map(|name| out.find(name).unwrap_or_else(|| panic!("{name}\n{out}")))
        .collect();
    assert!(places.is_sorted(), "{out}");
    for told in [
        "30 turns, 5 topics",
        "2 compactions of the program itself",
        "30 requests, 15,000 tokens from the cache",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    // No terminal says how wide it is: rows, which end in no sentence, have 80 columns.
    let mut rows = out.lines().filter(|line| !line.ends_with('.'));
    assert!(rows.all(|row| row.chars().count() <= 80), "{out}");
    assert!(err.contains("3 of 3 files: read 64, used 64"), "{err}");
    assert_eq!(Kept::of(&folder), before);
    // The same again gives the same.
    assert_eq!(home.run(&["replay", "--from", "claude-code"], &[]).0, out);
}

/// A session in which tools answer at length, each twice as much as the one before.
fn session_of_tools() -> String {
    let (mut lines, mut parent) = (Vec::new(), Value::Null);
    let mut add = |role: &str, content: Value| {
        let uuid = json!(format!("u-{}", lines.len()));
        let message = json!({ "role": role, "id": uuid, "content": content });
        let record = json!({
            "uuid": uuid, "parentUuid": parent, "sessionId": "tools", "cwd": "/project", "type": role, "message": message,
            "timestamp": "2026-05-01T10:00:00Z",
        });
        lines.push(format!("{record}\n"));
        parent = uuid;
    };
    for nth in 0..6 {
        let id = format!("call-{nth}");
        let text = "The parser takes a step. ".repeat(40 << nth);
        add("user", json!(format!("Look into part {nth} of the parser.")));
        add("assistant", json!([{ "type": "tool_use", "id": id, "name": "Read", "input": {} }]));
        add("user", json!([{ "type": "tool_result", "tool_use_id": id, "content": text }]));
        add("assistant", json!([{ "type": "text", "text": "It is as it should be." }]));
    }
    lines.concat()
}

#[test]
fn each_value_gives_what_it_gives_alone() {
    let home = Home::new();
    fs::write(home.path("tools.jsonl"), session_of_tools()).unwrap();
    let rows = |limits: &str| {
        let set = format!("tool_output_limit_tokens={limits}");
        let line = ["replay", "tools.jsonl", "--csv", "--set", "slots=4,5", "--set", &set];
        let (csv, err, code) = home.run(&line, &[]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(err.matches("1 of 1 file").count(), 1, "{err}");
        csv.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let together = rows("1000,500,4000");
    let mut alone = Vec::new();
    for slots in ["4", "5"] {
        let mut before = None;
        for limit in ["1000", "500", "4000"] {
            let row = rows(limit).into_iter().find(|row| row.starts_with(&format!("{slots},")));
            let (_, figures) = row.as_deref().and_then(|row| row.split_once(',')).unwrap();
            alone.push(format!("{slots},{limit},{figures}"));
            let figures = Some(figures.to_owned());
            assert_ne!(before, figures, "{limit}");
            before = figures;
        }
    }
    assert_eq!(together, alone);
}

#[test]
fn a_cache_that_keeps_nothing_holds_nothing_and_another_one_does_not_outlast_the_pauses_of_the_log()
{
    let (home, _) = home();
    let bill = |lifetime: &str| {
        let set = format!("cache_lifetime={lifetime}");
        let (out, err, _) = home.run(&["replay", ".claude", "--set", &set, "--json"], &[]);
        let told: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        told["bill"].clone()
    };
    let none = bill("0");
    for who in ["own", "full_history", "compacting"] {
        assert_eq!((&none[who]["cached"], &none[who]["written"]), (&json!(0), &json!(0)), "{none}");
    }
    assert_eq!(bill("0"), none);
    let warm = bill("300");
    assert!(warm["own"]["cached"].as_u64() > Some(1_000), "{warm}");
    // Two of three days, whatever time the play takes itself; and a minute between any two turns.
    assert_eq!(warm["cold"]["turns"], 2);
    let (cold, minutes) = (bill("1"), bill("59"));
    assert_eq!((&cold["cold"]["turns"], &cold["own"]), (&json!(29), &minutes["own"]));
    assert_eq!(cold["full_history"]["cached"], 0);
    assert!(cold["own"]["cached"].as_u64() < warm["own"]["cached"].as_u64(), "{cold}");
}

#[test]
fn settings_with_several_values_are_played_beside_each_other() {
    let (home, _) = home();
    let line = [
        "replay",
        ".claude",
        "--set",
        "ambient_window=5,10",
        "--set",
        "summary_eviction_threshold=5,20",
    ];
    let (out, err, code) = home.run(&line, &[]);
    assert_eq!(code, 0, "{err}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 4, "{out}");
    assert!(rows[0].ends_with("ambient_window=5 summary_eviction_threshold=5"), "{out}");
    // Fewer summaries stay where they leave sooner.
    let end =
        |row: &str| row.split_whitespace().next().unwrap().replace(',', "").parse::<u64>().unwrap();
    assert!(end(rows[0]) < end(rows[1]), "{out}");
    assert!(out.contains("faults") && err.contains("not in the window"), "{out}{err}");
    let (json, _, _) = home.run(&[&line[..], &["--json"]].concat(), &[]);
    let told: Value = serde_json::from_str(&json).unwrap();
    let first = &told["combinations"][0];
    assert_eq!(first["settings"]["summary_eviction_threshold"], "5");
    assert_eq!((&first["end"], &first["money"]), (&json!(end(rows[0])), &Value::Null));
    assert!(first["tokens"].as_u64() > Some(1_000) && first["page_faults"]["missed"].is_u64());
    let priced = ["--set", "price_input=3", "--set", "currency=EUR"];
    let (money, err, _) = home.run(&[&line[..], &priced].concat(), &[]);
    assert!(money.lines().nth(1).is_some_and(|row| row.contains(" EUR ")), "{money}{err}");
    let (csv, _, _) = home.run(&[&line[..], &["--csv"]].concat(), &[]);
    assert!(csv.starts_with("ambient_window,summary_eviction_threshold,end,"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
}

/// One talk that nobody divided, about two topics.
fn undivided(home: &Home) {
    let say = |topic: &str, turn: usize| {
        let asks =
            json!({ "role": "user", "content": format!("Go on with the {topic}, part {turn}.") });
        let text =
            format!("The {topic} takes step {turn}; the {topic} is as it should be. ").repeat(8);
        format!("{asks}\n{}\n", json!({ "role": "assistant", "content": text }))
    };
    let turns = |topic| (0..6).map(move |turn| say(topic, turn));
    fs::write(home.path("talk.jsonl"), turns("parser").chain(turns("harbour")).collect::<String>())
        .unwrap();
}

#[test]
fn a_model_finds_topics_and_writes_summaries_only_where_it_is_asked_for() {
    let home = Home::new();
    undivided(&home);
    let is_about_topics = |request: &Value| request.to_string().contains("Find its topics");
    let server = Server::following(move |request| {
        Reply::text(if is_about_topics(request) {
            "Here they are:\n1-5 reading of words\n6-12 ships and piers"
        } else {
            "A summary by the model."
        })
    });
    let url = server.base_url();
    let line = ["replay", "talk.jsonl", "--model", "m", "--base-url", &url];
    let (without, err, code) = home.run(&line, &[]);
    assert!(code == 0 && without.contains("extracts made without a model"), "{err}");
    assert!(server.requests().is_empty(), "nothing is sent without being asked for");
    let (out, err, code) = home.run(&[&line[..], &["--with-model"]].concat(), &[]);
    assert_eq!(code, 0, "{err}");
    let requests = server.requests();
    assert_eq!((requests.len(), is_about_topics(&requests[0])), (3, true));
    assert!(out.contains("reading-of-words") && out.contains("ships-and-piers"), "{out}");
    assert!(out.contains("Topics are from m (") && out.contains("Summaries are from m ("), "{out}");
    for said in ["is sent 1 request of about", "is sent 2 requests of about", "ctrl+c stops it"] {
        assert!(err.contains(said), "{said}\n{err}");
    }
    let (json, _, _) = home.run(&[&line[..], &["--with-model", "--json"]].concat(), &[]);
    let told: Value = serde_json::from_str(&json).unwrap();
    assert!(told["made_by"].as_str().unwrap().contains("Summaries are from m ("), "{told}");
    let short = |told: &Value| told["phases"][0]["summary"].as_u64().unwrap();
    assert!((1..20).contains(&short(&told)), "the model's own summary stands there: {told}");
}

#[test]
fn what_a_model_does_not_answer_is_made_without_it() {
    let home = Home::new();
    undivided(&home);
    let server = Server::following(|_| Reply::text(" "));
    let url = server.base_url();
    let line = ["replay", "talk.jsonl", "--json", "--model", "m", "--base-url", &url];
    let told = |more: &[&str]| -> Value {
        let (out, err, code) = home.run(&[&line[..], more].concat(), &[]);
        let in_vain = err.contains("the model wrote no summary: all 2 requests failed");
        assert_eq!((code, in_vain), (i32::from(!more.is_empty()), !more.is_empty()), "{err}");
        serde_json::from_str(&out).unwrap()
    };
    let (mut without, mut with) = (told(&[]), told(&["--with-model"]));
    let said = with["made_by"].take();
    let topics = "Topics are from what words tell, and none from m (";
    let failed = "1 of 1 request led to none (the answer was empty).";
    let summaries = "No summary is from m (";
    let all = "all 2 requests failed (the answer was empty), and all are extracts made without";
    for words in [topics, failed, summaries, all] {
        assert!(said.as_str().unwrap().contains(words), "{words}: {said}");
    }
    without["made_by"].take();
    assert_eq!(with, without);
    let offline = ["replay", "talk.jsonl", "--with-model", "--offline"];
    let (_, err, code) = home.run(&offline, &[]);
    assert!(
        code == 2 && err.contains("`offline` keeps the program from asking any"),
        "{code} {err}"
    );
    let several = [&line[..], &["--with-model", "--set", "ambient_window=5,9"]].concat();
    assert_eq!(home.run(&several, &[]).2, 2);
}

#[test]
fn files_without_times_stand_in_the_order_in_which_they_were_named() {
    let home = Home::new();
    let talk = |topic: &str, turns: usize| -> String {
        let turn = |nth: usize| {
            let asked = json!({ "role": "user", "content": format!("How does the {topic} do part {nth}?") });
            let said = json!({ "role": "assistant", "content": format!("The {topic} does it.") });
            format!("{asked}\n{said}\n")
        };
        (0..turns).map(turn).collect()
    };
    let older = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for (name, topic, turns) in [("first", "harbour", 4), ("second", "parser", 3)] {
        fs::write(home.path(&format!("{name}.jsonl")), talk(topic, turns)).unwrap();
    }
    let second = fs::File::options().append(true).open(home.path("second.jsonl")).unwrap();
    second.set_modified(older).unwrap();
    let (out, err, code) = home.run(&["replay", "first.jsonl", "second.jsonl", "--json"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("turns 1-4: first.jsonl\n"), "{err}");
    assert!(err.contains("turns 5-7: second.jsonl\n"), "{err}");
    let told: Value = serde_json::from_str(&out).unwrap();
    let span = |file: &str, from: u64, to: u64| json!({ "file": file, "from": from, "to": to });
    let spans = json!([span("first.jsonl", 1, 4), span("second.jsonl", 5, 7)]);
    assert_eq!(told["read"]["turns"], spans);
    let (_, err, _) = home.run(&["replay", "second.jsonl", "first.jsonl", "--json"], &[]);
    assert!(err.contains("turns 1-3: second.jsonl\n"), "{err}");
    assert!(
        !home.run(&["replay", "first.jsonl"], &[]).1.contains("turns 1"),
        "one file has them all"
    );
}

#[test]
fn copies_of_a_session_are_replayed_once_and_stand_in_the_order_of_time() {
    let home = Home::new();
    let whole = session("a", 1, &["harbour", "garden"]);
    let cut: String = whole.split_inclusive('\n').take(7).collect();
    fs::write(home.path("cut.jsonl"), cut).unwrap();
    fs::write(home.path("whole.jsonl"), &whole).unwrap();
    fs::write(home.path("later.jsonl"), session("b", 2, &["kitchen"])).unwrap();
    let alone = home.run(&["replay", "whole.jsonl", "later.jsonl", "--csv"], &[]);
    let copies = ["replay", "cut.jsonl", "whole.jsonl", "./whole.jsonl", "later.jsonl"];
    let all = home.run(&[&copies[..], &["--csv"]].concat(), &[]);
    assert!(alone.2 == 0 && all.0 == alone.0, "{} {}", alone.1, all.1);
    assert!(all.1.contains("3 of 3 files"), "{}", all.1);
    assert!(all.1.contains("7 said in another file already"), "{}", all.1);
}

/// What other programs keep: every file of a folder with its bytes and when it was written.
#[derive(Debug, PartialEq)]
struct Kept(Vec<(PathBuf, Vec<u8>, SystemTime)>);

impl Kept {
    fn of(folder: &Path) -> Self {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let written = fs::metadata(&path).unwrap().modified().unwrap();
                (path.clone(), fs::read(path).unwrap(), written)
            })
            .collect();
        files.sort();
        Self(files)
    }
}

#[test]
fn what_other_programs_keep_stays_as_it_is_to_the_byte_and_the_second() {
    let (home, folder) = home();
    let talk = json!([{ "uuid": "z", "name": "Zipped", "chat_messages": [{ "uuid": "1", "sender": "human", "text": "Hello", "content": [] }] }]);
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.join("export.zip")).unwrap());
    zip.start_file("conversations.json", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(talk.to_string().as_bytes()).unwrap();
    zip.finish().unwrap();
    let codex =
        json!({ "type": "event_msg", "payload": { "type": "user_message", "message": "Hello" } });
    let fastest = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec(format!("{codex}\n").as_bytes(), fastest);
    fs::write(folder.join("rollout-1.jsonl.zst"), packed).unwrap();
    fs::write(folder.join("notes.md"), "## User\n\nHello\n\n## Assistant\n\nHi\n").unwrap();
    fs::write(folder.join("broken.jsonl"), "nothing").unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for (path, ..) in &Kept::of(&folder).0 {
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let before = Kept::of(&folder);
    let place = folder.to_str().unwrap();
    let each: Vec<String> =
        before.0.iter().map(|(path, ..)| path.to_str().unwrap().to_owned()).collect();
    let mut named = vec!["replay"];
    named.extend(each.iter().map(String::as_str));
    let session = folder.join("a.jsonl");
    for (line, read) in [
        (named, "6 of 7 files"),
        (vec!["replay", place, "--keep", "past", "--svg", "card.svg"], "of "),
        (vec!["uncompact", session.to_str().unwrap(), "--block"], "a Claude Code session"),
        (vec!["uncompact", place], ""),
    ] {
        let (_, err, code) = home.run(&line, &[]);
        assert!(code == 0 && err.contains(read), "{line:?}: {err}");
        assert!(Kept::of(&folder) == before, "{line:?}");
    }
}

#[test]
fn recall_is_as_in_a_chat_and_where_it_was_off_every_output_says_so() {
    let (home, folder) = home();
    // Back to what was said days ago, outside of its topic.
    let back = session("d", 4, &["again"]).replace(
        "How does the again go on",
        "What was it with the parser, the invoice and the harbour",
    );
    fs::write(folder.join("d.jsonl"), back).unwrap();
    let run = |more: &[&str]| {
        let (out, err, code) = home.run(&[&["replay", ".claude"], more].concat(), &[]);
        assert_eq!(code, 0, "{err}");
        out
    };
    let told = |more: &[&str]| -> Value { serde_json::from_str(&run(more)).unwrap() };
    let off = "recall_tokens=0";
    let (by_default, without) = (told(&["--json"]), told(&["--json", "--set", off]));
    assert_eq!(told(&["--json", "--set", "recall_tokens=800"]), by_default);
    assert_eq!(told(&["--json", "--keep", "kept"]), by_default);
    let cost = |told: &Value| told["bill"]["cost"].as_f64().unwrap();
    assert!(cost(&by_default) > cost(&without), "{} {}", cost(&by_default), cost(&without));
    assert_eq!((&by_default["recall"], &without["recall"]), (&json!("on"), &json!("off")));
    assert_eq!(by_default["recall_tokens"], 800);
    let says = |text: &str| text.contains("Recall was off") || text.contains("recall was off");
    assert!(says(&run(&["--set", off])) && !says(&run(&[])));
    let recall = |line: &str| line.split(',').nth(5).map(str::to_owned);
    assert!(run(&["--csv"]).lines().skip(1).all(|line| recall(line).as_deref() == Some("on")));
    let csv = run(&["--csv", "--set", off]);
    assert!(csv.lines().skip(1).all(|line| recall(line).as_deref() == Some("off")), "{csv}");
    for (file, more, expected) in [("on.svg", &[][..], false), ("off.svg", &["--set", off], true)] {
        run(&[&["--svg", file], more].concat());
        assert_eq!(says(&fs::read_to_string(home.path(file)).unwrap()), expected, "{file}");
    }
    let tried = run(&["--set", "recall_tokens=0,800", "--set", "ambient_window=5"]);
    let rows: Vec<bool> = tried.lines().skip(1).map(says).collect();
    assert_eq!(rows, [true, false], "{tried}");
    let tried = run(&["--set", "ambient_window=5,10", "--set", off]);
    assert!(tried.lines().skip(1).all(says), "{tried}");
}

#[test]
fn what_costs_more_is_dearer_and_saves_nothing_wherever_it_is_said() {
    let home = Home::new();
    let talk = [("user", "Hello, who are you?"), ("assistant", "Nobody.")];
    let talk =
        talk.map(|(role, content)| format!("{}\n", json!({ "role": role, "content": content })));
    fs::write(home.path("short.jsonl"), talk.concat().repeat(3)).unwrap();
    let (out, err, code) = home.run(&["replay", "short.jsonl", "--svg", "card.svg"], &[]);
    assert_eq!(code, 0, "{err}");
    let net = out.split("Net ").nth(1).and_then(|rest| rest.split_once(". ")).unwrap().0;
    assert!(net.ends_with(" % dearer than full history") && !net.contains('-'), "{net}");
    assert!(out.contains(" were said: none saved."), "{out}");
    let card = fs::read_to_string(home.path("card.svg")).unwrap();
    let (dearer, than) = net.split_once(" than ").unwrap();
    for told in ["none saved", dearer, &format!("in net cost, than {than}")] {
        assert!(card.contains(&format!(">{told}</text>")), "{told}: {card}");
    }
    let (out, _, _) = home.run(&["replay", "short.jsonl", "--set", "ambient_window=5,10"], &[]);
    for row in out.lines().skip(1) {
        assert!(
            row.contains(" none ") && row.contains(" % dearer ") && !row.contains('-'),
            "{out}"
        );
    }
}
