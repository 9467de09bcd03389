//! The pieces of the extraction; its precision and recall are measured in `tests/suite/specifics.rs`.

mod elsewhere;
mod lifted;
mod reported;
mod retold;
mod shown;

use super::automaton::Match;
use super::pattern::Pattern;
use super::*;

fn patterns() -> impl Iterator<Item = &'static Pattern> {
    [
        command::PATTERNS,
        date::PATTERNS,
        decision::PATTERNS,
        decision::settles::PATTERNS,
        error::PATTERNS,
        identifier::PATTERNS,
        normal::PATTERNS,
        number::PATTERNS,
        number::AMOUNT_PATTERNS,
        number::PACE_PATTERNS,
        path::PATTERNS,
        report::PATTERNS,
        url::PATTERNS,
        PATTERNS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

#[test]
fn every_pattern_compiles_and_matches_something() {
    for pattern in patterns() {
        assert_eq!(pattern.complaint(), None);
    }
}

#[test]
fn every_pattern_matches_the_same_in_stretches() {
    for text in [
        "We decided on Postgres, and I’ll go with version 2.14.1; Let's use src/main.rs:42 at 10:30 on 3 May 2026.",
        "Zoë: We decided on Größe XL. never deploy on Friday, don't touch db-7.example.org, set max_size = 250 or --limit=5",
        "für Zoë, wir haben uns entschieden: 1.250,50 € bis 14. März um 14 Uhr; half an hour, exit code 3, ERR_POOL_FULL \u{e9}",
        "“/tmp/ä b” \"/a\" `/x` “/y C:\\Users\\é\\b.txt $HOME 0x1f a@bé.de user@example.com #42 Q3 2026, next Tuesday",
    ] {
        let stretches = Stretches::once(text);
        for pattern in patterns() {
            let expected: Vec<_> =
                pattern.groups(text).map(|groups| groups.whole().range()).collect();
            let all: Vec<_> = stretches.all(pattern).iter().map(Match::range).collect();
            assert_eq!(all, expected, "{text}");
            let groups = stretches.groups(pattern);
            assert!(groups.iter().map(|one| one.whole().range()).eq(expected.iter().cloned()));
        }
    }
}

/// An automaton that has learnt two megabytes begins anew, and is a hundred times slower if it does so again and again.
#[test]
fn what_shows_a_decision_learns_little_of_real_texts() {
    let texts = [
        include_str!("../../README.md"),
        include_str!("../cli/arguments.rs"),
        include_str!("../recall/said/rank.rs"),
        include_str!("../../tests/fixtures/recall/talk.txt"),
        include_str!("../../tests/fixtures/recall/friends.txt"),
        include_str!("decision.rs"),
    ];
    let lines: Vec<&str> = texts.into_iter().flat_map(str::lines).collect();
    for form in [decision::settles::HINT.plain(), decision::settles::HINT.loose()] {
        let learnt = form.unwrap().learns_of(&lines);
        assert!(learnt < 1_000_000, "{learnt} bytes are learnt");
    }
}

#[test]
fn many_quotes_that_no_path_ends_take_no_longer_than_they_are() {
    let log = format!("\"/etc/hosts\" {}", "“/x ".repeat(50_000));
    assert_eq!(texts(Kind::Path, &log)[0], "/etc/hosts");
}

#[test]
fn a_decision_beside_a_letter_beyond_ascii_is_one() {
    let log = "Zoë: We decided on Postgres. Let's use Redis.";
    assert_eq!(texts(Kind::Decision, log), ["Zoë: We decided on Postgres", "Let's use Redis"]);
}

use proptest::prelude::*;

fn texts(kind: Kind, log: &str) -> Vec<String> {
    extract([log]).into_iter().filter(|one| one.kind == kind).map(|one| one.text).collect()
}

#[test]
fn numbers_are_found_as_many_languages_write_them() {
    for (text, expected) in [
        ("It costs 1,234.56 dollars", "1,234.56 dollars"),
        ("Das macht 1.234,56 € im Jahr", "1.234,56 €"),
        ("about $5k a month", "$5k"),
        ("add 3/4 cup of milk", "3/4 cup"),
        ("bake at 180 °C", "180 °C"),
        ("take 2×500 mg", "2×500 mg"),
        ("120/80 mmHg is fine", "120/80 mmHg"),
        ("walk 5 km/h", "5 km/h"),
        ("CHF 1'250.50 in all", "CHF 1'250.50"),
        ("rund 12 500 kr", "12 500 kr"),
        ("it listens on port 5432", "port 5432"),
        ("half an hour later", "half an hour"),
        ("it took 1 h 20 min", "1 h 20 min"),
    ] {
        assert_eq!(texts(Kind::Number, text), [expected], "{text}");
    }
}

#[test]
fn dates_keep_their_time_and_ranges_are_one() {
    for (text, expected) in [
        ("see you next Tuesday at 5pm", "next Tuesday at 5pm"),
        ("on 14 March we leave", "14 March"),
        ("due 2026-03-14", "2026-03-14"),
        ("at 10:30 sharp", "10:30"),
        ("from 3 to 9 May 2026", "3 to 9 May 2026"),
        ("logged 2026-03-14T10:22:31Z here", "2026-03-14T10:22:31Z"),
        ("Termin am 14.03. um 16 Uhr", "14.03. um 16 Uhr"),
    ] {
        assert_eq!(texts(Kind::Date, text), [expected], "{text}");
    }
    for text in
        ["a ratio of 16:9", "may I ask", "march on", "version 3.1.", "I sat on the sun deck"]
    {
        assert_eq!(texts(Kind::Date, text), [""; 0], "{text}");
    }
}

#[test]
fn paths_of_every_system_are_found_and_other_slashes_are_not() {
    for (text, expected) in [
        ("see src/a.rs:12 and", "src/a.rs:12"),
        ("in ~/x/notes", "~/x/notes"),
        ("open (file.txt).", "file.txt"),
        (r"at C:\Users\Ana\tax.xlsx.", r"C:\Users\Ana\tax.xlsx"),
        (r"under \\nas\share\film.mkv", r"\\nas\share\film.mkv"),
        ("`./run.sh`", "./run.sh"),
        ("\"/srv/my files/a b.pdf\" is it", "/srv/my files/a b.pdf"),
        ("edit .gitignore", ".gitignore"),
    ] {
        assert_eq!(texts(Kind::Path, text), [expected], "{text}");
    }
    for text in [
        "and/or",
        "24/7",
        "km/h",
        "TCP/IP",
        "client/server",
        "Node.js",
        "application/json",
        "1/2",
        "e.g. this",
    ] {
        assert_eq!(texts(Kind::Path, text), [""; 0], "{text}");
    }
}

#[test]
fn addresses_end_where_their_sentence_goes_on() {
    for (text, expected) in [
        ("(see https://a.example/x?y=1).", "https://a.example/x?y=1"),
        ("[docs](https://a.example/b_(c))", "https://a.example/b_(c)"),
        ("on localhost:8080, then", "localhost:8080"),
        ("visit www.a.example/de!", "www.a.example/de"),
        ("api.v2.example.com", "api.v2.example.com"),
    ] {
        assert_eq!(texts(Kind::Url, text), [expected], "{text}");
    }
    for text in
        ["a@b.com", "main.rs", "end of it.So", "std.io::x", "math.test.js", "refunds.v2.events"]
    {
        assert_eq!(texts(Kind::Url, text), [""; 0], "{text}");
    }
}

#[test]
fn commands_are_found_in_code_behind_prompts_and_in_sentences() {
    for (text, expected) in [
        ("run `cargo build --release` now", "cargo build --release"),
        ("I ran git rebase -i HEAD~3 and it broke", "git rebase -i HEAD~3"),
        ("$ du -sh /tmp\n4K /tmp", "du -sh /tmp"),
        ("```sh\nmake -j4\n```", "make -j4"),
        ("```console\n$ npm ci\nadded 3 packages\n```", "npm ci"),
        ("ana@box:~/src$ make test", "make test"),
        ("```bash\ndocker run \\\n  -p 80:80 nginx\n```", "docker run -p 80:80 nginx"),
    ] {
        assert_eq!(texts(Kind::Command, text), [expected], "{text}");
    }
    // What only looks is found again by anybody.
    assert_eq!(texts(Kind::Command, "$ cat src/lines.rs"), [""; 0]);
    for text in
        ["make sure it works", "find the others", "go home", "I like python", "$5 each", "`config`"]
    {
        assert_eq!(texts(Kind::Command, text), [""; 0], "{text}");
    }
}

#[test]
fn error_codes_are_found_and_other_codes_are_not() {
    for (text, expected) in [
        ("rustc says E0382", "E0382"),
        ("an HTTP 503 from it", "HTTP 503"),
        ("open: ENOENT", "ENOENT"),
        ("exit code 137", "exit code 137"),
        ("the washer shows error E18", "E18"),
        ("it returns a 404", "404"),
    ] {
        assert_eq!(texts(Kind::Error, text), [expected], "{text}");
    }
    for text in
        ["confirmation code X7K2PL", "404 euros", "EVERYTHING", "3 errors", "postal code 79100"]
    {
        assert_eq!(texts(Kind::Error, text), [""; 0], "{text}");
    }
}

#[test]
fn keys_are_no_identifiers() {
    assert_eq!(texts(Kind::Identifier, "use sk-abcdefgh12345678XYZ here"), [""; 0]);
}

/// A long text of many like parts.
#[test]
fn greetings_parts_of_programs_and_german_nouns_are_no_names() {
    let names = |log| texts(Kind::Name, log);
    assert_eq!(
        names("Hey Mel! Thanks Caroline, bye Jon. Wow, that was good."),
        ["Mel", "Caroline", "Jon"]
    );
    assert_eq!(names("So the Auth Module calls the Billing service."), [] as [&str; 0]);
    // With what a sentence begins is no part of a name, but a first name is.
    for (log, name) in [
        ("Contact Maria Lindqvist before Friday.", "Maria Lindqvist"),
        ("- Email Maria Lindqvist", "Maria Lindqvist"),
        ("Done: Ping Maria Lindqvist", "Maria Lindqvist"),
        ("Yesterday Maria Lindqvist called.", "Maria Lindqvist"),
        ("Emily Lindqvist called.", "Emily Lindqvist"),
        ("Mark Lindqvist called.", "Mark Lindqvist"),
    ] {
        assert_eq!(names(log), [name], "{log}");
    }
    let german =
        extract(["Das ist nicht schlimm und wir warten auf den Arzt.", "Keine Taubheit im Bein."]);
    assert_eq!(german.iter().filter(|one| one.kind == Kind::Name).count(), 0, "{german:?}");
}

#[test]
fn no_find_keeps_a_quotation_mark_that_lost_its_partner() {
    let decisions = |log| texts(Kind::Decision, log);
    assert_eq!(decisions("He said \"let's use Redis.\""), ["He said \"let's use Redis.\""]);
    assert_eq!(decisions("\"We decided on plan B.\" So he said."), ["We decided on plan B"]);
    assert_eq!(decisions("He said “let's use Redis.”"), ["He said “let's use Redis.”"]);
}

fn many(numbers: std::ops::Range<usize>, part: impl Fn(usize) -> String) -> String {
    numbers.map(part).collect::<Vec<_>>().concat()
}

#[test]
fn the_same_detail_is_listed_once_where_it_was_said_first() {
    let found = extract(["it took 5ms", "really 5 ms, see a.txt"]);
    let all: Vec<(&str, usize)> =
        found.iter().map(|one| (one.text.as_str(), one.message)).collect();
    assert_eq!(all, [("5ms", 0), ("a.txt", 1)]);
}

#[test]
fn a_log_yields_a_bounded_number_of_specifics() {
    let log = many(0..3_000, |n| format!("{n} kg "));
    assert_eq!(extract([log.as_str()]).len(), MOST_SPECIFICS);
}

/// Pieces that come close to what the finders look for, so that random texts reach their inner cases.
fn pieces() -> impl Strategy<Value = String> {
    let near = prop::sample::select(vec![
        "5",
        "12:3",
        "1.2.",
        "½",
        "€",
        "°C",
        " km/h",
        "/",
        "\\",
        "C:\\",
        "~/",
        "`",
        "```",
        "```sh\n",
        "$ ",
        "http://",
        "www.",
        ".rs",
        ":12",
        "E0382",
        "HTTP ",
        "14",
        " March",
        "next ",
        "Friday",
        " at ",
        "5pm",
        "we decided",
        ".",
        "(",
        ")",
        "\n",
        "\u{a0}",
        "_",
        "--",
        "git ",
        "ß",
        "日本",
        "30秒",
        "午後3時",
        "2026年5月12日",
        "150万",
        "百五十",
        "万円",
        "٣٫٥",
        "٪",
        "%3,5",
        "12 maja",
        " prób",
        "를",
        "。",
        "\u{301}",
        "👩‍💻",
        "\"",
        "error ",
        " to ",
        "-",
        "T",
        "Dr. ",
        "İ",
    ]);
    prop::collection::vec(prop_oneof![near.prop_map(str::to_owned), "\\PC{0,6}"], 0..40)
        .prop_map(|all| all.concat())
}

proptest! {
    #[test]
    fn every_specific_is_said_in_its_message_and_nothing_panics(log in prop::collection::vec(pieces(), 0..4), summary in pieces()) {
        let found = extract(log.iter().map(String::as_str));
        for one in &found {
            prop_assert!(!one.text.is_empty());
            // Commands over several lines are told in one.
            let message = [&*log[one.message], &log[one.message].replace("\\\n", "\n")].map(one_line);
            let is_said = |part: &str| message.iter().any(|message| message.contains(part));
            prop_assert!(one.text.split(secret::MASK).all(is_said), "{one:?}");
        }
        let report = Report::of(&found, &summary);
        prop_assert_eq!(report.total(), found.len());
        prop_assert!(compact(&report).len() <= MOST_ITEMS);
        // Each message for itself: one that opens a block of code would swallow the next.
        for text in &log {
            let said = extract([text.as_str()]);
            let whole = Report::of(&said, text);
            let lost: Vec<_> = whole.missing.iter().filter(|one| one.kind != Kind::Decision).collect();
            prop_assert!(lost.is_empty(), "{:?}", lost);
        }
    }
}

#[test]
fn measures_that_stand_side_by_side_are_apart_and_ratios_are_one() {
    for (text, expected) in [
        ("63 °C/145 °F inside", vec!["63 °C", "145 °F"]),
        ("28C / 82F outside", vec!["28C", "82F"]),
        ("above 60 mL/min/1.73m²", vec!["60 mL/min/1.73m²"]),
        ("it was 128 over 82", vec!["128 over 82"]),
        ("I am 5'10\" and 190 lbs. Sure", vec!["5'10\"", "190 lbs"]),
        ("over €748,500 over 36 months", vec!["€748,500", "36 months"]),
        ("it is 3x faster", vec!["3x"]),
        ("about 50k by then", vec!["50k"]),
    ] {
        assert_eq!(texts(Kind::Number, text), expected, "{text}");
    }
}

#[test]
fn figures_behind_other_figures_and_words_are_whole() {
    for (text, expected) in [
        ("Vitamin B12 1000 mcg", "1000 mcg"),
        ("4 garlic cloves and salt", "4 garlic cloves"),
        ("a 3-lb pork shoulder", "3-lb"),
        ("rund EUR 2,5 Mio. Umsatz", "EUR 2,5 Mio."),
        ("see pp. 12-15 there", "pp. 12-15"),
        ("it fails at row 10,231", "row 10,231"),
    ] {
        assert_eq!(texts(Kind::Number, text), [expected], "{text}");
    }
    assert_eq!(texts(Kind::Date, "a ratio of 1:15, ratio 1:15"), [""; 0]);
    assert_eq!(texts(Kind::Path, "the import (exports/2026/a.csv, large)"), ["exports/2026/a.csv"]);
}

#[test]
fn what_only_looks_like_a_day_or_an_hour_is_no_date() {
    for text in [
        "the limit of 2048",
        "it shrank (to 1912)",
        "from 1912 to 2048 bytes",
        "Kotlin 1.9.22 and up",
        "pendant 3 h 30",
        "un vin à 18,50 €",
    ] {
        assert_eq!(texts(Kind::Date, text), [""; 0], "{text}");
    }
    for (text, expected) in [
        ("built in 1912", "1912"),
        ("moved to 2019", "2019"),
        ("on 1.9.22", "1.9.22"),
        ("le train de 3 h 30", "3 h 30"),
    ] {
        assert_eq!(texts(Kind::Date, text), [expected], "{text}");
    }
}

#[test]
fn what_a_program_wants_is_no_command_and_a_plan_of_a_query_counts_no_costs() {
    let found =
        texts(Kind::Command, "The terraform plan wants to destroy it, so I ran cargo test.");
    assert_eq!(found, ["cargo test"]);
    let plan = "Seq Scan on events (cost=0.00..481221.10 rows=312 width=88)";
    assert!(!texts(Kind::Number, plan).iter().any(|one| one.contains("10 rows")), "{plan}");
    let offers = "We asked around: Meyer wants 28.50 per head, Olivo 24 per head.";
    assert!(texts(Kind::Identifier, offers).is_empty());
    let whole = "We support iOS 15 and up, don't raise that.";
    assert_eq!(texts(Kind::Decision, whole), [whole.trim_end_matches('.')]);
}
