//! What the commands tell of sessions: their numbers, their bill, their names.

use std::fs;

use ebbtide::store::Store;
use serde_json::json;

use super::Home;

#[test]
fn a_session_goes_out_and_comes_in_again_and_nothing_is_replaced() {
    let home = Home::new();
    home.run(&["-p", "Hello from the shell", "--offline", "-s", "one"], &[]);
    let (text, err, code) = home.run(&["export", "-s", "one", "--format", "json"], &[]);
    assert_eq!(code, 0, "{err}");
    let (_, err, code) = home.run(&["export", "-s", "one", "one.json"], &[]);
    assert_eq!((code, err.as_str()), (0, "one is exported to one.json\n"));
    assert_eq!(fs::read_to_string(home.path("one.json")).unwrap(), text);
    let (dashed, err, code) = home.run(&["export", "-s", "one", "--format", "json", "-"], &[]);
    assert_eq!((dashed.as_str(), err.as_str(), code), (text.as_str(), "", 0));
    let (_, err, code) = home.run(&["-p", "/export -", "--offline", "-s", "one"], &[]);
    assert!(code == 1 && err.contains("`ebbtide export -`"), "{err}");
    assert!(!home.path("-").exists());

    let (_, err, code) = home.run(&["export", "-s", "one", "no/dir/x.md"], &[]);
    let no_folder = "ebbtide: cannot write no/dir/x.md: there is no folder no/dir; make it, or name another place.\n";
    assert_eq!((code, err.as_str()), (2, no_folder));

    let (_, err, code) = home.run(&["import", "one.json"], &[]);
    assert_eq!(code, 2);
    assert!(err.contains("already, and an import never replaces anything"), "{err}");
    let (_, err, code) = home.run(&["import", "one.json", "--name", "two"], &[]);
    assert_eq!((code, err.as_str()), (0, "two is imported; `ebbtide -r two` opens it\n"));
    let (again, _, _) = home.run(&["export", "-s", "two", "--format", "json"], &[]);
    assert_eq!(again, text.replace("\"name\":\"one\"", "\"name\":\"two\""));
    let (read, _, _) = home.run(&["export", "-s", "two"], &[]);
    assert!(read.starts_with("# Hello from the shell\n"), "{read}");

    let (_, err, code) = home.run(&["import", "one.json", "--session", "far/away"], &[]);
    assert_eq!(
        (code, err.as_str()),
        (0, "away is imported; `ebbtide --session far/away` opens it\n")
    );
    let (again, _, _) = home.run(&["export", "--session", "far/away", "--format", "json"], &[]);
    assert_eq!(again, text.replace("\"name\":\"one\"", "\"name\":\"away\""));
    let (_, err, code) = home.run(&["import", "one.json", "--session", "far/away"], &[]);
    assert!(code == 2 && err.contains("never replaces anything: name another directory"), "{err}");

    let (_, err, code) = home.run(&["import", "one.json", "--name", "../two"], &[]);
    assert_eq!(code, 2, "{err}");
    fs::write(home.path("bad.json"), "{\"format\": \"other\"}").unwrap();
    let (_, err, code) = home.run(&["import", "bad.json"], &[]);
    assert_eq!(code, 1);
    assert!(err.starts_with("ebbtide: bad.json: this is no exported session: "), "{err}");
    let (_, err, _) = home.run(&["import", "none.json"], &[]);
    assert!(err.starts_with("ebbtide: cannot read none.json: "), "{err}");
}

#[test]
fn a_number_is_found_however_its_thousands_are_set_apart() {
    let home = Home::new();
    for (name, said) in [
        ("plain", "The pump takes 1850 litres."),
        ("grouped", "The pump takes 1,850 litres."),
        ("german", "Die Pumpe schafft 1.850 Liter."),
        ("other", "The pump takes 850 litres on day 1."),
    ] {
        let (_, err, code) = home.run(&["-p", said, "--offline", "-s", name], &[]);
        assert_eq!(code, 0, "{err}");
    }
    for query in ["1850", "1,850", "1.850"] {
        for name in ["plain", "grouped", "german"] {
            let (out, err, _) = home.run(&["search", query, "-s", name], &[]);
            assert!(out.contains("850 "), "{query} in {name}: {out}{err}");
        }
    }
    let (out, ..) = home.run(&["search", "1850", "-s", "other"], &[]);
    assert!(!out.contains("litres"), "{out}");
}

#[test]
fn a_session_gets_another_name() {
    let home = Home::new();
    for name in ["one", "two"] {
        home.run(&["-p", "Hello", "--offline", "-s", name], &[]);
    }
    let (_, err, code) = home.run(&["sessions", "rename", "one", "trip"], &[]);
    assert_eq!((code, err.as_str()), (0, "one is now trip\n"));
    let (_, err, code) = home.run(&["sessions", "rename", "trip", "two"], &[]);
    assert_eq!(code, 2);
    assert_eq!(err, "ebbtide: there is a session two already: choose another name.\n");
    let (_, err, code) = home.run(&["sessions", "rename", "trap", "three"], &[]);
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean trip?"), "{err}");
    let (_, _, code) = home.run(&["sessions", "rename", "trip", "a/b"], &[]);
    assert_eq!(code, 2);
    let (out, _, _) = home.run(&["sessions"], &[]);
    let names: Vec<_> = out.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&"trip") && names.contains(&"two"), "{out}");
}

fn names(home: &Home) -> Vec<String> {
    let (out, err, code) = home.run(&["sessions", "list", "--json"], &[]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(out, home.run(&["sessions", "--json"], &[]).0);
    let listed: serde_json::Value = serde_json::from_str(&out).unwrap();
    let names = listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().into());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn sessions_are_deleted_all_that_are_named_or_none() {
    let home = Home::new();
    for name in ["one", "two", "three"] {
        home.run(&["-p", "Hello there", "--offline", "-s", name], &[]);
    }
    let root = home.path("data/ebbtide/sessions");
    let held = Store::open(&root.join("three")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("two"), root.join("link")).unwrap();
    for (named, code, told) in [
        (&["two"][..], 2, "nothing was deleted: there is no terminal to ask on. With --yes it is"),
        (&["--yes", "two", "tow"], 2, "there is no session \"tow\" in "),
        (&["--yes", "two", "../one"], 2, "there is no session \"../one\" in "),
        (&["--yes", "two", "0"], 2, "there is no session \"0\" in "),
        (
            &["--yes", "two", "three"],
            1,
            "nothing was deleted: three is open in another Ebbtide (process ",
        ),
        #[cfg(unix)]
        (&["--yes", "one", "link"], 1, "link is a link to a session that is somewhere else"),
    ] {
        let line = [&["sessions", "delete"], named].concat();
        let (out, err, ended) = home.run(&line, &[]);
        assert_eq!((out.as_str(), ended), ("", code), "{named:?}: {err}");
        assert!(err.contains(told), "{named:?}: {err}");
    }
    #[cfg(unix)]
    fs::remove_file(root.join("link")).unwrap();
    assert_eq!(names(&home), ["one", "three", "two"]);
    drop(held);

    let (_, err, _) = home.run(&["sessions", "delete", "one"], &[]);
    assert!(err.starts_with("one                      1 turn      "), "{err}");
    assert!(err.contains(" KB  Hello there\n"), "{err}");
    let (out, err, code) = home.run(&["sessions", "delete", "two", "two", "--yes", "--json"], &[]);
    assert_eq!((err.as_str(), code), ("", 0));
    let gone: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(gone.as_array().unwrap().len(), 1, "{gone}");
    assert_eq!((&gone[0]["name"], &gone[0]["turns"]), (&"two".into(), &1.into()));
    assert!(gone[0]["bytes"].as_u64() > Some(1_000), "{gone}");
    let (out, err, code) = home.run(&["sessions", "delete", "1", "2", "-y"], &[]);
    assert_eq!((out.as_str(), code), ("", 0));
    assert_eq!((err.lines().count(), err.contains("three is deleted\n")), (2, true), "{err}");
    assert_eq!(names(&home), [""; 0]);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing hidden is left");
}

#[test]
fn a_session_is_shown_with_its_times_its_efforts_and_its_place() {
    let home = Home::new();
    home.run(&["-p", "New topic: green tea ceremony", "--offline", "-s", "my tea"], &[]);
    let (out, err, code) = home.run(&["sessions", "show", "my tea"], &[]);
    assert_eq!(code, 0, "{err}");
    let lines = [
        "session          my tea\n",
        "title            New topic: green tea ceremony\n",
        "begun            2",
        "last written     2",
        "turns            1\n",
        "efforts          1 open, 0 expanded, 0 warm, 0 evicted\n",
        "files            ~/data/ebbtide/sessions/my tea\n",
        "size             ",
    ];
    for line in lines {
        assert!(out.contains(line), "{line}: {out}");
    }
    let (out, _, _) = home.run(&["sessions", "show", "1", "--json"], &[]);
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&told["name"], &told["efforts"]["open"]), (&"my tea".into(), &1.into()));
    assert!(told["begun"].as_str() <= told["updated"].as_str(), "{told}");
    let (_, err, code) = home.run(&["sessions", "show", "my te"], &[]);
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean my tea?"), "{err}");
}

#[test]
fn what_was_said_is_of_the_day_where_the_person_is() {
    let home = Home::new();
    let said = ["the oven is broken", "the bus was late"].map(|text| {
        json!({ "role": "user", "content": text, "timestamp": "2026-11-19T04:00:00Z" }).to_string()
            + "\n"
            + &json!({ "role": "assistant", "content": "I see." }).to_string()
    });
    fs::write(home.path("log.jsonl"), said.join("\n")).unwrap();
    let named = |zone: &str| fs::exists(format!("/usr/share/zoneinfo/{zone}")).unwrap();
    let mut zones = vec![("PST+8", "2026-11-18"), ("JST-9", "2026-11-19")];
    if named("America/Los_Angeles") {
        zones.push(("America/Los_Angeles", "2026-11-18"));
    }
    for (zone, day) in zones {
        let zone = [("TZ", zone)];
        let (_, err, code) = home.run(&["replay", "log.jsonl", "--keep", day, "--offline"], &zone);
        assert_eq!(code, 0, "{err}");
        let (out, err, _) = home.run(&["search", "oven", "-s", day], &zone);
        assert!(out.contains(&format!(", {day}")), "{zone:?}: {out}{err}");
        fs::remove_dir_all(home.path("data/ebbtide/sessions").join(day)).unwrap();
    }
}

#[test]
fn doctor_says_where_a_time_zone_is_none() {
    let home = Home::new();
    let doctor = |zone| home.run(&["doctor", "--offline"], &[("TZ", zone)]);
    let (out, _, code) = doctor("Nowhere/Land");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("!!  days       TZ=Nowhere/Land is no time zone that this"), "{out}");
    let (out, _, code) = doctor("PST+8");
    assert_eq!((code, out.contains("days")), (0, false), "{out}");
}

#[test]
fn several_words_are_one_query_without_quotes() {
    let home = Home::new();
    home.run(&["-p", "New topic: green tea ceremony", "--offline", "-s", "one"], &[]);
    let quoted = home.run(&["search", "green tea ceremony", "-s", "one"], &[]);
    assert!(quoted.0.contains("green-tea-ceremony"), "{quoted:?}");
    assert_eq!(home.run(&["search", "green", "tea", "ceremony", "-s", "one"], &[]), quoted);
}

#[test]
fn stats_count_the_log_of_another_program_once() {
    let home = Home::new();
    let session = home.path("foreign");
    fs::create_dir(&session).unwrap();
    let line = "{\"role\":\"user\",\"content\":\"hello world\",\"ts\":\"\"}\n";
    fs::write(session.join("raw.jsonl"), line.repeat(100)).unwrap();
    let stats = || {
        let (out, err, code) = home.run(&["stats", "--json", "--session", "foreign"], &[]);
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["full_history"].clone()
    };
    let open = Store::open(&session).unwrap();
    let counted = stats();
    assert!(!session.join("counts.json").exists(), "it is for whoever has the session open");
    drop(open);
    assert_eq!(stats(), counted);
    let kept = fs::read_to_string(session.join("counts.json")).unwrap();
    // What it goes by from now on is what was kept.
    fs::write(session.join("counts.json"), kept.replace("\"tokens\":200", "\"tokens\":300"))
        .unwrap();
    assert_eq!(stats().as_u64(), counted.as_u64().map(|tokens| tokens + 100));
}

#[test]
fn stats_count_the_efforts_of_another_program_once() {
    let home = Home::new();
    let session = home.path("foreign");
    fs::create_dir_all(session.join("efforts")).unwrap();
    let manifest = "efforts:\n  - id: tea\n    status: concluded\n    summary: Tea.\n    raw_file: efforts/tea.jsonl\n";
    fs::write(session.join("manifest.yaml"), manifest).unwrap();
    let line = "{\"role\":\"user\",\"content\":\"hello world\",\"ts\":\"\"}\n";
    let write = |times| fs::write(session.join("efforts/tea.jsonl"), line.repeat(times)).unwrap();
    let stats = || {
        let (out, err, code) = home.run(&["stats", "--json", "--session", "foreign"], &[]);
        assert_eq!(code, 0, "{err}");
        let stats = serde_json::from_str::<serde_json::Value>(&out).unwrap();
        stats["full_history"].as_u64().unwrap()
    };
    write(100);
    let counted = stats();
    let kept = session.join("effort_counts.json");
    let other = fs::read_to_string(&kept).unwrap().replace(",100,200]", ",100,300]");
    fs::write(&kept, other).unwrap();
    assert_eq!(stats(), counted + 100, "what was kept is gone by");
    write(101);
    assert_eq!(stats(), counted + 2, "a log that has grown is counted anew");
    fs::write(&kept, "no counts").unwrap();
    assert_eq!(stats(), counted + 2);
}

#[test]
fn stats_are_lines_to_read_unless_json_is_asked_for() {
    let home = Home::new();
    home.run(&["-p", "Hello", "--offline", "-s", "one"], &[]);
    let (out, err, code) = home.run(&["stats", "-s", "one"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(!out.contains(['{', '}', '"']), "{out}");
    assert!(
        out.contains("\nexpansions       0 ended by decay, 0 by the budget, 0 by hand"),
        "{out}"
    );
    assert!(out.contains("\nsaved by decay   0 tokens\n"), "{out}");
    assert!(out.contains(" tokens beside prompt and tools (0.0 % saved)\n"), "{out}");
    home.run(&["-p", "/remember the port is 8080", "--offline", "-s", "one"], &[]);
    let (out, _, _) = home.run(&["stats", "-s", "one"], &[]);
    assert!(out.contains(" more: lists and notes come on top)") && !out.contains("(-"), "{out}");
    let (out, _, _) = home.run(&["-p", "/memory-stats", "--offline", "-s", "one"], &[]);
    assert!(out.contains("1 note, soft limit"), "{out}");
    let (out, _, _) = home.run(&["stats", "--json", "-s", "one"], &[]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["metrics"]["auto_collapses"], 0);
}

#[test]
fn a_session_may_have_spaces_in_its_name() {
    let home = Home::new();
    let (_, err, code) = home.run(&["-p", "Hello", "--offline", "-s", "my work"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(home.path("data/ebbtide/sessions/my work/session_state.json").is_file());
    let (_, err, _) = home.run(&["export", "-r", "my work", "one.json"], &[]);
    assert_eq!(err, "my work is exported to one.json\n");
    let (_, err, _) = home.run(&["sessions", "rename", "my work", "my old work"], &[]);
    assert_eq!(err, "my work is now my old work\n");
    let (_, err, _) = home.run(&["import", "one.json"], &[]);
    assert_eq!(err, "my work is imported; `ebbtide -r \"my work\"` opens it\n");
    let (out, _, _) = home.run(&["sessions", "--json"], &[]);
    let sessions: serde_json::Value = serde_json::from_str(&out).unwrap();
    let mut names: Vec<&str> =
        sessions.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["my old work", "my work"]);
    for name in ["my  work", "my work ", " my work"] {
        let (_, err, code) = home.run(&["-p", "Hello", "--offline", "-s", name], &[]);
        assert_eq!(code, 2, "{name:?}: {err}");
    }
}

#[test]
fn a_bill_is_told_in_words_in_numbers_and_turn_by_turn() {
    let home = Home::new();
    let stats = |form: &str| home.run(&["stats", form, "-s", "one"], &[]).0;
    for text in ["Hello", "The port is 8080", "Good night"] {
        home.run(&["-p", text, "--offline", "-s", "one"], &[]);
    }
    let rows = stats("--csv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][0], rows[3][0]), (4, "turn", "3"));
    let column = |name: &str| {
        let at = rows[0].iter().position(|column| *column == name).unwrap();
        rows[1..].iter().map(|row| row[at].parse::<u64>().unwrap()).sum::<u64>()
    };
    let json: serde_json::Value = serde_json::from_str(&stats("--json")).unwrap();
    for name in ["cached", "written", "uncached", "output"] {
        assert_eq!(json["bill"]["all"][name], column(name), "{name}");
        assert_eq!(json["bill"]["others"]["full_history"][name], column(&format!("full_{name}")));
    }
    // The system prompt and the tools are read again, by this program and by the others.
    assert!(column("cached") > 2_000 && column("full_cached") > 2_000);
    assert_eq!(
        (&json["bill"]["all"]["requests"], &json["bill"]["all"]["estimates"]),
        (&3.into(), &3.into())
    );
    let (words, _, _) = home.run(&["-p", "/bill", "--offline", "-s", "one"], &[]);
    for part in ["messages", "~", "all with memory", "compacting 160k", "Memory has ", "as input"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let priced = ["-p", "/bill", "--offline", "-s", "one", "--set", "price_input=2.5"];
    assert!(home.run(&priced, &[]).0.contains("Costs are in $"));
    let (_, err, code) = home.run(&["stats", "-s", "one", "--set", "price_cached=-1"], &[]);
    assert!(code != 0 && err.contains("price_cached") && err.contains("a number from 0"), "{err}");
}

#[test]
fn a_file_that_nobody_read_is_no_saving() {
    let home = Home::new();
    let file = home.path("report.txt");
    fs::write(&file, "A line of the report.\n".repeat(2_000)).unwrap();
    let attach = format!("/attach {}", file.display());
    let (out, err, code) = home.run(&["-p", &attach, "--offline", "-s", "one"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    let (out, _, _) = home.run(&["stats", "-s", "one"], &[]);
    assert!(out.contains("\nnot said         1") && !out.contains(" % saved"), "{out}");
    let (json, _, _) = home.run(&["stats", "--json", "-s", "one"], &[]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["bill"]["unsaid"].as_u64() > Some(10_000), "{json}");
    assert!(json["full_history"].as_u64() < Some(5_000), "{json}");
}
