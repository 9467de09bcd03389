use super::*;
use crate::read::Speaker;

fn said(text: &str) -> Event {
    Event::Said { by: Speaker::Person, text: text.to_owned(), at: None }
}

fn called(arguments: &str) -> Event {
    let (id, name) = (String::new(), "shell".to_owned());
    Event::Called { id, name, arguments: arguments.to_owned(), at: None }
}

/// What a summary that says nothing loses of some events.
fn lost(events: &[Event]) -> Vec<String> {
    let mut losses = Losses::default();
    for event in events {
        losses.take(event);
    }
    let summary = Some("Nothing.".to_owned());
    losses.take(&Event::Compacted(Compaction { summary, ..Compaction::default() }));
    let lost = losses.lost_now();
    lost.iter().map(|one| format!("{} {}", one.kind, one.text)).collect()
}

#[test]
fn what_somebody_takes_back_was_not_lost_wherever_it_was_said() {
    let both = [said("The bus leaves at 8:15 am."), said("No, at 7:50 am, not 8:15 am.")];
    assert_eq!(lost(&both), ["date 7:50 am"]);
    assert_eq!(lost(&both[..1]), ["date 8:15 am"]);
    let again = [&both[..], &[said("Back to 8:15 am.")]].concat();
    assert_eq!(lost(&again), ["date 8:15 am", "date 7:50 am"]);
}

#[test]
fn what_the_next_message_corrects_was_not_lost() {
    let reply = |text: &str| Event::Said { by: Speaker::Model, text: text.to_owned(), at: None };
    let answer = said("hmm no, 21 days");
    let asked = [said("Keep backups for 14 days."), answer.clone()];
    assert_eq!(lost(&asked), ["number 21 days"]);
    let replied =
        [said("Keep backups for 14 days."), reply("Fine, 14 days it is."), answer.clone()];
    assert_eq!(lost(&replied), ["number 21 days"]);
    // What held before is none of what is corrected, nor what a model says of it.
    let earlier = [
        said("Trials last 14 days."),
        reply("Good."),
        said("Keep backups for 14 days."),
        answer.clone(),
    ];
    assert!(lost(&earlier).contains(&"number 14 days".to_owned()));
    let model = [said("Backups last 14 days."), reply("No, 21 days.")];
    assert_eq!(lost(&model), ["number 21 days", "number 14 days"]);
}

#[test]
fn a_decision_that_the_next_message_undoes_was_not_lost() {
    let undone = [said("We decided to use Redis."), said("Forget that, we use Valkey.")];
    assert_eq!(lost(&undone), ["name Valkey"]);
    for (before, answer, left) in [
        ("We decided to use Redis.", "Scrap that, we use Valkey.", "name Valkey"),
        ("We decided to use Redis.", "Forget Redis, we use Valkey.", "name Valkey"),
        ("We decided to use Redis.", "We changed our mind: Valkey.", ""),
        ("We decided to use 8 shards.", "Forget that, we use 16 shards.", "number 16 shards"),
        ("We go with Pinia for state.", "Scrap that.", ""),
        ("We go with Pinia for state.", "Forget about that, please.", ""),
        (
            "We decided to use Kafka for events.",
            "Never mind Kafka; NATS it is.",
            "decision NATS it is",
        ),
        ("We chose Tailwind for styling.", "On second thought, no Tailwind. Plain CSS.", ""),
        ("We go with gRPC between services.", "Drop gRPC. REST everywhere.", ""),
        ("We use Redis 7.2 on port 6390.", "Forget Redis, we use Valkey.", "name Valkey"),
    ] {
        let both = [said(before), said(answer)];
        assert_eq!(lost(&both).join("; "), left, "{before} {answer}");
        let one = said(&format!("{before} {answer}"));
        assert_eq!(lost(&[one]).join("; "), left, "{before} {answer}");
    }
    let others = [
        ("We decided to use 8 shards.", "Forget the 3 old shards. We go on Monday."),
        ("We decided to use Redis.", "Forget Mongo, we use Valkey."),
        ("We decided to use Redis.", "Don't forget Redis needs 512 MB."),
        ("We decided to use Redis.", "Should we forget Redis?"),
        ("We decided to use Redis.", "Forget Redis?"),
        ("We decided to use Redis.", "Forget about lunch, I eat later."),
        ("We decided to use Redis.", "Bob said: \"Forget Redis, we use Valkey\", but it stays."),
        ("We decided to use Redis.", "> Forget Redis, we use Valkey\nI disagree."),
        ("We decided to use Redis.", "\"Scrap that, we use Valkey\", says Bob."),
        ("We decided to use Redis.", "Never mind Redis, it works now."),
        ("We decided to use Redis.", "No Redis changes yet, please."),
        ("We decided to use Redis.", "Go back to main, no Redis changes there."),
        ("We decided to index users.name.", "Drop the column users.name"),
        ("We decided to partition ORDERS.", "Drop ORDERS. Then make it again."),
    ];
    for (before, answer) in others {
        let all = lost(&[said(before), said(answer)]);
        assert!(all.iter().any(|one| one.starts_with("decision We decided")), "{answer}: {all:?}");
    }
    let back = [
        said("We decided to shard by tenant_id."),
        said("Go back to one database, no sharding by tenant_id."),
    ];
    assert!(!lost(&back).iter().any(|one| one.starts_with("decision We decided")));
    let both = [
        said("We use Redis on port 6390 and RabbitMQ on port 5673."),
        said("Forget Redis, we use Valkey."),
    ];
    assert_eq!(lost(&both), ["name Valkey", "number port 5673", "name RabbitMQ"]);
    // What is asked in between is what is not wanted.
    let asked = "Shall I write tests, too?".to_owned();
    let asked = Event::Said { by: Speaker::Model, text: asked, at: None };
    let answered = [said("We go with Pinia for state."), asked, said("Scrap that.")];
    assert!(lost(&answered).contains(&"decision We go with Pinia for state".to_owned()));
    let other = [said("We decided to use Redis."), said("Forget that we use it.")];
    assert!(lost(&other).contains(&"decision We decided to use Redis".to_owned()));
}

#[test]
fn what_another_thing_has_a_value_of_is_not_corrected() {
    for (before, answer, stays) in [
        ("The price is $40.", "Actually shipping costs $5.", "number $40"),
        ("Keep it for 14 days.", "Actually the frontend needs 21 days of logs.", "number 14 days"),
        ("Our deadline is 5 May.", "No, wait, the demo is on 9 May; that stays.", "date 5 May"),
    ] {
        let told = lost(&[said(before), said(answer)]);
        assert!(told.contains(&stays.to_owned()), "{told:?}");
    }
    let told = lost(&[said("The pool size is 20."), said("20 is too many, make it 12")]);
    assert_eq!(told, ["decision 20 is too many, make it 12"]);
}

#[test]
fn what_was_said_since_in_another_form_is_not_lost_now() {
    let summed = Event::Compacted(Compaction {
        summary: Some("Nothing.".to_owned()),
        ..Compaction::default()
    });
    let now = |before: &str, since: &str| {
        let mut losses = Losses::default();
        for event in [said(before), summed.clone(), said(since)] {
            losses.take(&event);
        }
        losses.lost_now().into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    let before = "Set MAX_RETRIES=5, see src/a/b.rs, timeout 90 seconds.";
    let since = "MAX_RETRIES: 5 stays; /home/u/shop/src/a/b.rs has the timeout of 1.5 min";
    assert_eq!(now(before, since), [""; 0]);
    assert_eq!(now("Set MAX_RETRIES=5.", "set MAX_RETRIES=7 now"), ["MAX_RETRIES=5"]);
    assert_eq!(now("The pool size is 64.", "Again: pool size stays at 64."), [""; 0]);
    let decided = "Decided: PostgreSQL, pool size 20";
    assert_eq!(now(decided, "pool_size=20"), [decided]);
}

#[test]
fn what_a_refused_call_would_have_done_was_not_lost() {
    let command = "make -C build/old wipe";
    let run = called(&serde_json::json!({ "command": command }).to_string());
    let returned =
        |text: &str| Event::Returned { id: String::new(), text: text.to_owned(), at: None };
    let refused = returned("The user doesn't want to proceed with this tool use. Why not?");
    let done = lost(&[run.clone(), returned("ok")]);
    assert!(!done.is_empty());
    assert_eq!(lost(&[run.clone(), refused.clone()]), [""; 0]);
    let said_before = [said(&format!("Run `{command}`.")), run, refused];
    assert_eq!(lost(&said_before), done, "somebody else said it");
}

#[test]
fn what_was_said_last_stands_first_wherever_it_was_said_before() {
    let all = [said("See src/a.rs and src/b.rs."), said("Then src/c.rs, and src/a.rs again.")];
    assert_eq!(lost(&all), ["path src/a.rs", "path src/c.rs", "path src/b.rs"]);
}

#[test]
fn what_a_call_only_shows_is_no_detail() {
    let run = |command: &str| called(&serde_json::json!({ "command": command }).to_string());
    for command in [
        "docker ps -a",
        "cat notes/plan.md | head -20",
        "cd src && ls -la",
        "kubectl -n shop get pods",
        "sleep 5",
    ] {
        assert_eq!(lost(&[run(command)]), [""; 0], "{command}");
    }
    assert_eq!(lost(&[run("sed -n 1,20p src/pool.rs")]), ["path src/pool.rs"]);
    let built = "make all --out=/tmp/all.tar";
    assert_eq!(lost(&[run(built)]), [format!("command {built}")]);
    assert_eq!(lost(&[run("ls -la\nmake all")]), ["command make all"]);
}

#[test]
fn what_a_call_writes_names_nobody_and_where_it_works_is_no_detail() {
    let run = r#"{"command":["bash","-lc","cargo check"],"workdir":"/project"}"#;
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n+make all\n*** End Patch";
    assert_eq!(lost(&[called(run), called(patch)]), ["path src/a.rs", "command cargo check"]);
}

#[test]
fn the_folder_of_the_session_is_no_detail_of_a_call() {
    let begins = |project: &str| Event::Begins {
        id: String::new(),
        title: String::new(),
        project: project.to_owned(),
        at: None,
    };
    let goes = called(r#"{"command":"cd /srv/shop && make all"}"#);
    let command = "command cd /srv/shop && make all";
    assert_eq!(lost(&[begins("/srv/shop"), goes.clone()]), [command]);
    assert_eq!(lost(&[begins("/srv"), goes]), ["path /srv/shop", command]);
    let told = lost(&[begins("/srv/shop"), said("It is in /srv/shop now.")]);
    assert_eq!(told, ["path /srv/shop"]);
}

#[test]
fn of_code_that_is_written_in_a_file_only_its_settings_and_numbers_are_told() {
    let write = |file: &str, text: &str| {
        called(&serde_json::json!({ "file_path": file, "content": text }).to_string())
    };
    let code = "let at = DateTime::from_utf8(vpc_id);\nMAX_RETRIES=5 on db-prod-02 --quiet\n#define I2C_SDA GPIO_NUM_21";
    let kept = [
        "path src/at.rs",
        "identifier MAX_RETRIES=5",
        "identifier db-prod-02",
        "identifier I2C_SDA",
        "identifier GPIO_NUM_21",
    ];
    let told = lost(&[write("src/at.rs", code)]);
    assert!(kept.iter().all(|one| told.contains(&(*one).to_owned())), "{told:?}");
    assert_eq!(told.len(), kept.len(), "{told:?}");
    let told = lost(&[write("notes.md", "Ask for vpc_id with --quiet.")]);
    assert!(told.contains(&"identifier vpc_id".to_owned()), "{told:?}");
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n+import x from './reports/Reports'\n+  points.last_one()\n*** End Patch";
    assert_eq!(lost(&[called(patch)]), ["path src/a.rs"]);
}

#[test]
fn a_call_of_a_command_over_several_lines_is_told_in_one() {
    for (command, told) in [
        ("docker run -d \\\n  --name web \\\n  nginx:1.25", "docker run -d --name web nginx:1.25"),
        ("cd /srv\ndocker run -d \\\n  --name web \\\n  nginx", "docker run -d --name web nginx"),
    ] {
        let run = called(&serde_json::json!({ "command": command }).to_string());
        assert!(lost(&[run]).contains(&format!("command {told}")), "{command}");
    }
}

#[test]
fn what_a_call_only_asks_for_is_no_command() {
    let run = |command: &str| called(&serde_json::json!({ "command": command }).to_string());
    assert_eq!(lost(&[run("psql hooks -c 'select count(*) from events'")]), [""; 0]);
    let changes = "psql hooks -c 'truncate events'";
    assert_eq!(lost(&[run(changes)]), [format!("command {changes}")]);
}

#[test]
fn a_path_is_told_once_beside_the_whole_way_to_it() {
    let mut losses = Losses::default();
    losses.take(&said("See src/pool.rs, in full /srv/app/src/pool.rs, and src/other.rs."));
    let summary = Some("Nothing.".to_owned());
    losses.take(&Event::Compacted(Compaction { summary, ..Compaction::default() }));
    let told: Vec<&str> =
        losses.found()[0].missing(Kind::Path).map(|one| one.text.as_str()).collect();
    assert_eq!(told, ["src/other.rs", "/srv/app/src/pool.rs"]);
}

#[test]
fn what_an_edit_takes_out_is_not_written() {
    let edit = serde_json::json!({
        "file_path": "plan.md", "old_string": "It takes 14 days.", "new_string": "It takes 21 days."
    });
    let told = lost(&[called(&edit.to_string())]);
    assert!(told.contains(&"number 21 days".to_owned()), "{told:?}");
    assert!(!told.contains(&"number 14 days".to_owned()), "{told:?}");
    let patch = "*** Begin Patch\n*** Update File: plan.md\n-It takes 14 days.\n+It takes 21 days.\n*** End Patch";
    assert_eq!(lost(&[called(patch)]), ["number 21 days", "path plan.md"]);
}

#[test]
fn what_a_call_looks_for_and_where_is_no_detail() {
    let search =
        r#"{"pattern":"construct_event","path":"api/app","output_mode":"files_with_matches"}"#;
    assert_eq!(lost(&[called(search)]), [""; 0]);
}

#[test]
fn what_an_argument_calls_a_secret_is_no_detail() {
    let query = r#"{"url":"db-7.example.org:5432","auth":{"password":"geheimArg99","apiKey":"kR7xPq2mZt9w"}}"#;
    assert_eq!(lost(&[called(query)]), ["url db-7.example.org:5432"]);
}

#[test]
fn what_a_summary_held_for_a_while_stands_behind_what_was_said_since() {
    let summed = |summary: &str| {
        let summary = Some(summary.to_owned());
        Event::Compacted(Compaction { summary, ..Compaction::default() })
    };
    let events = [
        said("See src/oldest.rs first."),
        said("Then src/middle.rs."),
        summed("src/oldest.rs was read."),
        said("And src/newest.rs."),
    ];
    let paths = ["path src/newest.rs", "path src/middle.rs", "path src/oldest.rs"];
    assert_eq!(lost(&events), paths);
}

#[test]
fn each_line_of_a_shell_is_a_command_whatever_its_program() {
    let run = r#"{"command":"mytool push booted"}"#;
    assert_eq!(lost(&[called(run)]), ["command mytool push booted"]);
    let writes = r#"{"command":"cat > /etc/foo.conf <<'EOF'\na = 1\nEOF"}"#;
    assert_eq!(lost(&[called(writes)]), ["path /etc/foo.conf"]);
}

#[test]
fn a_short_message_of_a_german_log_is_read_as_german() {
    let short = "Bei Regen bleibt Durchwahl und Aktenzeichen offen.";
    assert_eq!(lost(&[said(short)]).len(), 2);
    let first = said("Der Zug fährt nicht, und er kommt auch heute nicht mit.");
    assert_eq!(lost(&[first, said(short)]), [""; 0]);
}

#[test]
fn what_a_summary_exchanges_is_lost_until_one_tells_it_rightly() {
    let compacted = |summary: &str, kept: &[Event]| {
        let (summary, kept) = (Some(summary.to_owned()), kept.to_vec());
        Event::Compacted(Compaction { summary, kept, ..Compaction::default() })
    };
    let talk = said("Connect takes 3 s, read takes 25 s.");
    let wrong = compacted("connect 25 s, read 3 s", &[]);
    let after = |events: &[&Event]| {
        let mut losses = Losses::default();
        for event in events {
            losses.take(event);
        }
        losses
    };
    let lost = |losses: &Losses| losses.lost_now().len();
    let once = after(&[&talk, &wrong]);
    let missing = &once.found()[0].report.as_ref().unwrap().missing;
    assert!(missing.len() == 2 && missing.iter().all(|one| once.found()[0].is_exchanged(one)));
    assert_eq!(lost(&once), 2);
    let again = after(&[&talk, &wrong, &said("Fine."), &wrong]);
    assert_eq!(lost(&again), 2, "the second one tells it as wrongly");
    // What stands for it may be none of the details: `90`.
    let shares = said("Priority 100 for the console and 90 for the backup.");
    let shares = after(&[&shares, &compacted("priority: console 90, backup 100", &[])]);
    assert_eq!(lost(&shares), 1);
    let mended = after(&[&talk, &wrong, &said("Fine."), &compacted("connect 3 s, read 25 s", &[])]);
    assert_eq!(lost(&mended), 0);
    // What stays in the window beside the summary is not lost.
    let beside = after(&[&talk, &compacted("connect 25 s, read 3 s", std::slice::from_ref(&talk))]);
    let found = &beside.found()[0];
    assert!(found.report.as_ref().unwrap().kept.iter().all(|one| !found.is_exchanged(one)));
    assert_eq!(lost(&beside), 0);
}
