//! The report on a log: what its summary keeps and loses, and the short list of it.

use super::*;

/// The report on a log of one message.
fn report(log: &str, summary: &str) -> Report {
    Report::of(&extract([log]), summary)
}

#[test]
fn a_name_that_was_a_place_or_a_firm_before_is_no_last_name() {
    let log = [
        "We stay near Tavira.",
        "So you call the company Rádio Táxis Tavira in the morning, and you ask for Ada Lovell there.",
    ];
    let report = Report::of(&extract(log), "They stay near Tavira; Lovell knows.");
    let kept: Vec<&str> = report.kept.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(kept, ["Tavira", "Ada Lovell"]);
    assert!(report.missing.iter().any(|one| one.text == "Rádio Táxis Tavira"));
    let report = Report::of(&extract(["Ask Ada Lovell.", "Lovell knows."]), "Lovell knows.");
    assert!(report.missing.is_empty(), "{:?}", report.missing);
}

#[test]
fn a_summary_may_say_the_same_in_another_way() {
    for (log, summary) in [
        ("latency 5ms", "latency of 5 ms"),
        ("burn is $5k", "burn is $5,000"),
        ("it took two weeks", "took 2 weeks"),
        ("1.234,56 € in all", "€1,234.56"),
        ("a 30-minute rest", "rest 30 minutes"),
        ("see src/app/pool.py:57", "fixed in pool.py, line 57"),
        ("see src/app/pool.py:57:9", "fixed at pool.py:57"),
        (r"see C:\work\a.txt", "C:/work/a.txt"),
        ("https://www.a.example/x/", "a.example/x"),
        ("on 14 March 2026", "on March 14"),
        ("at 5pm", "at 17:00"),
        ("status HTTP 503", "503 Service Unavailable"),
        ("exited with 137", "exit code 137"),
        ("call `get_client()`", "get_client"),
        ("run `cargo  test --lib`", "cargo test --lib passes"),
        ("We decided to keep the pool at size three", "Decided: keep pool size three"),
        ("We decided on 4 workers and $5k", "Decided: four workers, $5,000"),
        ("it has 4 workers and 3 replicas", "Four workers, three replicas."),
        ("tagged v2.4.1", "tag 2.4.1"),
        ("tagged 2.4.1", "tag v2.4.1"),
        ("in commit 9f8e7d6c5b", "see 9f8e7d6"),
        ("in commit 9f8e7d6", "see 9f8e7d6c5b4a"),
        ("it said HTTP 503", "many 503 errors"),
        ("in app/config.toml", "see config.toml."),
        ("in web/app/index.ts", "see ./app/index.ts"),
        ("in src/a.rs", "/home/me/src/a.rs is it"),
        ("in /home/me/src/a.rs", "~/src/a.rs is it"),
        ("in ~/src/a.rs", "/home/me/src/a.rs is it"),
        ("in src/app/pool.rs", "die pool.rs-Datei"),
        ("in src/app/pool.rs", "…/pool.rs"),
        ("on March 14, 2027", "on 14 March"),
        ("from 3 to 9 May 2026", "on 3 May, and 9 May as well"),
        ("on 14 March at 17:00", "14 March, room 5, at 17:00"),
        ("from 3 March to 14 April", "from March 3 until April 14, 2026"),
    ] {
        let report = report(log, summary);
        assert!(report.total() > 0 && report.missing.is_empty(), "{log}: {report:?}");
    }
}

#[test]
fn what_only_looks_alike_is_lost() {
    for (log, summary) in [
        ("on March 14, 2027", "on March 14, 2025"),
        ("on March 14", "from March 3 on, and on April 14"),
        ("on March 14", "from March 3 to April 14"),
        ("on 14 March at 17:00", "14 March at 9:00, 15 March at 17:00"),
        ("in app/config.toml", "in vendor/config.toml"),
        ("in app/config.toml", "in my-config.toml"),
        ("in src/app/index.ts", "in web/index.ts"),
        ("see src/app/pool.py:57", "fixed in pool.py"),
        ("see src/app/pool.py:57", "fixed at pool.py:157"),
        ("in src/server/pool.rs", "in src/server/pool.rs.bak"),
        ("in src/server/pool.rs", "in pool.rs.bak"),
        ("in /srv/a.rs", "in /old/srv/a.rs"),
        ("We decided 600 seconds for the cache", "We decided 900 seconds for the cache"),
        ("tagged v2.4.1", "tag 2.4.10"),
        ("in commit 9f8e7d6c5b", "see 9f8e7d7"),
        ("it said HTTP 503", "503 users"),
        ("it has 4 workers", "Fourteen workers, four replicas."),
    ] {
        let report = report(log, summary);
        assert!(report.total() > 0 && report.kept.is_empty(), "{log}: {report:?}");
    }
}

#[test]
fn what_a_summary_does_not_say_is_missing() {
    for (log, summary) in [
        ("latency 5ms", "latency 50 ms"),
        ("version 1.3.0 broke", "version 1.3.01"),
        ("at 5pm", "at 5am"),
        ("see src/api/mod.rs and src/tui/mod.rs", "see mod.rs"),
        ("see /opt/app/server", "the server"),
        ("on 14 March", "in March"),
        ("https://a.example/x", "on a.example"),
    ] {
        let report = report(log, summary);
        assert!(report.kept.is_empty() && report.total() > 0, "{log}: {report:?}");
    }
}

#[test]
fn the_report_counts_and_its_line_is_bounded() {
    let log = "Set port 5432 in config/db.toml, run `make migrate`, wait 30 s, see https://a.example/doc.";
    let report = report(log, "port 5432, 30 s");
    assert_eq!(report.headline(), "kept 2 of 5 specifics");
    assert_eq!(report.missing_line(200), "config/db.toml, make migrate, https://a.example/doc");
    assert_eq!(report.missing_line(20), "config/db.toml and 2 more");
}

#[test]
fn the_short_list_holds_the_missing_first_and_is_bounded() {
    let log = many(0..90, |n| format!("It took {n} ms in src/file_{n}.rs. "));
    let kept = many(0..60, |n| format!("src/file_{n}.rs "));
    let chosen = compact(&report(&log, &kept));
    assert_eq!(chosen.len(), MOST_ITEMS);
    assert!(chosen.iter().map(|one| one.text.len()).sum::<usize>() <= MOST_BYTES);
    assert!((60..90).all(|n| chosen.iter().any(|one| one.text == format!("src/file_{n}.rs"))));
    assert!(!chosen.iter().any(|one| one.text == "src/file_3.rs"));
}

/// What comparing looks for, and letters that take other bytes in small ones.
const FRAGMENTS: [&str; 89] = [
    "at most ",
    "nunca más de ",
    "du 4/4/2027 au ",
    "−40…+85 °C",
    "x342",
    "q8h ",
    " (ms): 80, 9",
    "in ms: 3",
    "AB-101 to AB-103",
    "10.0.0.1-5",
    "9月1日",
    "9/1 ",
    "2^31 - 1",
    "2³¹−1",
    "readTimeoutMs: 3000",
    "ES91 2100 0418 4502",
    "mardi 9/12",
    "from 7 to 12",
    "80/120/9 ms",
    "mil euros",
    "Dr. Anna Maria Schmidt",
    "18.75m euros",
    "İ at least 5 m",
    "15h UTC",
    "İ",
    "ẞ",
    "é",
    "👩‍👧",
    "e\u{301}",
    "\u{a0}",
    "’",
    "“",
    " ",
    "\n",
    "-",
    ". ",
    ", ",
    ":",
    "(",
    "|",
    "5",
    "502s",
    "12",
    "3½ h",
    "1,204,551",
    "600/",
    "60B tokens",
    "2.1T-tokens",
    "GQ >= 20",
    "n = 6",
    "about ",
    "just over ",
    "~",
    "€",
    "101 of 104 pass",
    "3 failed",
    "0 allocs/op",
    "warnings to none",
    "um zehn Uhr",
    "ten past two",
    "the third of",
    "Montagvormittag",
    "heute 9:40",
    "don't ",
    "keep ",
    "leave é off",
    "no é besides ü",
    "set prevent",
    "E11000 dup",
    "Net::ReadTimeout",
    "edge-fra-01/02",
    "src/ä/ö/",
    "`cd é && make 2>&1 | tail; 'ü`",
    "option B ",
    "+49 170 1234567",
    "550e8400-e29b-41d4-a716-446655440000",
    "550e8400…",
    "http://é.de/a?utm_x=1&b",
    "db.internal:5432",
    "2026年3月5日",
    "_é 5_",
    "user\\_é",
    "**make é**",
    "<code>é</code>",
    "| é (ms) |\n|---|\n| 840 |\n",
    "é_é is set to ",
    "`mv é ü` renamed é to ü",
    "git commit -m \"é ü\" ",
    "etcd-2026-03-20T18-00é",
];

proptest! {
    #[test]
    fn any_text_is_compared_with_any_summary(
        raw in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..60),
        summary in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..60),
    ) {
        let (raw, summary) = (raw.concat(), summary.concat());
        let found = extract([raw.as_str()]);
        let report = Report::of(&found, &summary);
        prop_assert_eq!(report.total(), found.len());
    }
}
