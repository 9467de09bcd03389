//! `-p`: a message, or a slash command without a screen.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use super::Home;
use super::settings::listed;
use crate::support::server::{Reply, Server, chunk, content};

#[test]
fn commands_work_without_a_screen() {
    let home = Home::new();
    let run = |line: &str| home.run(&["-p", line, "--offline", "-s", "one"], &[]);
    for (line, said) in [
        ("/open green tea", "'green-tea' is open and active"),
        ("/remember the kettle whistles #tea", "n1"),
        ("/notes", "n1 ★★: the kettle whistles #tea\n"),
        ("/status", "green-tea"),
        ("it wants water of 80 degrees", ""),
        ("/close", "green-tea"),
        ("/expand green-tea", "'green-tea' is expanded"),
        ("/pin green-tea", "green-tea"),
        ("/undo", "Undone: "),
        ("/redo", "Redone: "),
        ("/search kettle", "kettle"),
        ("/stats", "\nexpansions "),
        ("/bill", "\nfull history "),
        ("/context", "green-tea"),
        ("/session", "Session one, kept in ~/data/ebbtide/sessions/one\n"),
        ("/model", "The built-in offline model answers."),
        ("/help", "/remember WORDS"),
        ("/export one.md", "one.md"),
        ("/set decay_threshold 5 --save", "decay_threshold is now 5. Kept in ~"),
        ("/effort low --save", "effort is now low. Kept in ~"),
        ("/budget 8k --save", "token_budget is now 8000. Kept in ~"),
        ("/note n1 archive", "n1"),
        (
            "/notes",
            "no notes in the window, and 1 archived note: /search WORDS finds them, /note n1 return",
        ),
        ("/note n1 return", "n1"),
        ("/notes", "n1 ★★: the kettle whistles #tea\n"),
    ] {
        let (out, err, code) = run(line);
        assert_eq!(code, 0, "{line}: {err}");
        assert!(out.contains(said), "{line}: {out}");
    }
    assert!(home.path("one.md").is_file());
    for (line, way_out) in [
        ("/compress", "no effort is open: /open NAME"),
        ("/expand nope", "/search WORDS finds one"),
        ("/export html", "/export md and /export json are there"),
    ] {
        let (_, err, code) = run(line);
        assert!(code == 1 && err.contains(way_out), "{line}: {err}");
    }
    for (line, why) in [
        ("/budget", "/budget needs the screen. `ebbtide config` lists the settings"),
        ("/set slotz 3", "there is no setting \"slotz\". Did you mean slots?"),
        ("/set slots 3", "--save at the end"),
    ] {
        let (_, err, code) = run(line);
        assert!(code == 2 && err.contains(why), "{line}: {err}");
    }
    let (_, err, code) = run("/expand green-tea messages 1");
    assert!(code == 0 && !err.contains("expansion"), "{err}");
    let (out, err, code) = run("/switch nothing");
    assert_eq!((out.as_str(), code), ("", 1), "{err}");
    assert!(err.contains("nothing"), "{err}");
}

#[test]
fn the_help_without_a_screen_lists_what_can_be_done_there() {
    let home = Home::new();
    let (out, _, _) = home.run(&["-p", "/help", "--offline"], &[]);
    let names: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix('/')?.split(' ').next()).collect();
    for (name, listed) in [
        ("remember", true),
        ("set", true),
        ("export", true),
        ("note", true),
        // With --save, as `set`.
        ("budget", true),
        ("effort", true),
        ("panel", false),
        ("past", false),
        ("versus", false),
        ("new", false),
        ("journal", false),
        ("quit", false),
    ] {
        assert_eq!(names.contains(&name), listed, "{name}: {out}");
    }
    assert!(out.contains("More commands are on the screen"), "{out}");
}

#[test]
fn commands_that_need_the_screen_or_do_not_exist_say_so() {
    let home = Home::new();
    for (line, named) in [
        ("/panel", "/panel needs the screen"),
        ("/journal", "/journal needs the screen"),
        ("/past 3", "`ebbtide context --turn N`"),
        ("/sessions", "`ebbtide sessions`"),
        ("/settings", "`ebbtide config`"),
        ("/new other", "`ebbtide -s NAME -p TEXT`"),
        ("/set decay_threshold 5", "`ebbtide config set KEY VALUE`"),
        ("/remembr tea", "There is no command /remembr. Did you mean /remember?"),
        ("/remember", "/remember needs something to remember"),
    ] {
        let (out, err, code) = home.run(&["-p", line, "--offline", "-s", "one"], &[]);
        assert_eq!((out.as_str(), code), ("", 2), "{line}: {err}");
        assert!(err.contains(named), "{line}: {err}");
    }
    assert!(!home.path("data").exists());
}

#[test]
fn a_message_may_begin_with_a_slash_and_come_from_the_standard_input() {
    let home = Home::new();
    let (_, err, code) = home.run(&["-p", "//usr/bin is full", "--offline", "-s", "one"], &[]);
    assert_eq!(code, 0, "{err}");
    fs::write(home.path("message.txt"), "/etc is a directory").unwrap();
    let mut piped = home.command(&["-p", "-", "--offline", "-s", "one"], &[]);
    let file = fs::File::open(home.path("message.txt")).unwrap();
    assert!(piped.stdin(file).output().unwrap().status.success());
    let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
    let said: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said[0]["content"], "/usr/bin is full");
    assert_eq!(said[2]["content"], "/etc is a directory");
}

#[test]
fn words_behind_a_call_and_those_of_the_next_round_stand_in_lines_of_their_own() {
    let home = Home::new();
    let calls = [("effort_status", serde_json::json!({}))];
    let behind = Reply::answer(
        vec![
            chunk(serde_json::json!({"tool_calls": [{"index": 0, "id": "a", "function":
            {"name": calls[0].0, "arguments": "{}"}}]})),
            content("after text"),
        ],
        "tool_calls",
    );
    let server = Server::replying([behind, Reply::text("done")]);
    let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", "look"];
    let (out, err, _) = home.run(&line, &[]);
    assert_eq!(out, "after text\ndone\n", "{err}");
}

#[test]
fn a_reply_and_what_is_told_beside_it_stand_in_lines_of_their_own() {
    let home = Home::new();
    let server = Server::replying([
        Reply::answer(vec![content("half of it")], "content_filter"),
        Reply::answer(vec![content("half of it")], "error"),
    ]);
    let shown = |text: &str| {
        let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", text];
        let file = fs::File::create(home.path("shown")).unwrap();
        let mut command = home.command(&line, &[]);
        command.stdout(file.try_clone().unwrap()).stderr(file);
        command.status().unwrap();
        fs::read_to_string(home.path("shown")).unwrap()
    };
    let filtered = shown("first");
    assert!(filtered.contains("half of it\nThe reply was cut short"), "{filtered}");
    let broken = shown("second");
    assert!(broken.contains("half of it\n"), "{broken}");
    assert!(broken.contains("Your message is kept in the session, with what came of"), "{broken}");
    assert!(!broken.contains("without an answer"), "{broken}");
    assert!(!broken.contains("input line"), "{broken}");
    let session = home.path("data/ebbtide/sessions/one");
    let journal = fs::read_to_string(session.join("journal.jsonl")).unwrap();
    assert!(journal.contains("\"user\":\"second\""), "{journal}");
}

#[test]
fn a_message_says_which_session_it_went_to_unless_a_flag_names_it() {
    let home = Home::new();
    let told = |line: &[&str]| {
        let (_, err, code) = home.run(&[line, &["--offline", "-p", "hello"]].concat(), &[]);
        assert_eq!(code, 0, "{err}");
        err
    };
    assert_eq!(told(&[]), "The session is default; -s NAME takes another.\n");
    assert_eq!(told(&["-s", "my work"]), "");
    assert_eq!(told(&["-r", "my work"]), "");
    assert_eq!(told(&["-c"]), "The session is my work; -s NAME takes another.\n");
}

#[test]
fn a_path_at_the_beginning_is_a_message_and_an_unknown_word_is_not() {
    let home = Home::new();
    for path in ["/usr/bin is full", "  /tmp/ebbtide"] {
        let (out, err, code) = home.run(&["-p", path, "--offline", "-s", "one"], &[]);
        assert_eq!(code, 0, "{path}: {err}");
        assert!(!out.is_empty(), "{path}");
        let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
        assert!(log.contains(&format!("\"content\":\"{}\"", path.trim())), "{log}");
    }
    let (_, err, code) = home.run(&["-p", "/stat", "--offline", "-s", "one"], &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("There is no command /stat. Did you mean /stats?"), "{err}");
    let (help, _, _) = home.run(&["--help"], &[]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("`//TEXT` sends \"/TEXT\" as a message"), "{help}");
}

#[test]
fn a_small_model_starts_with_nothing_but_its_context_window_set() {
    let server = Server::replying([Reply::answer(vec![content("Hello")], "stop")]);
    let home = Home::new();
    home.write_config("context_window = 4096\n");
    let base_url = server.base_url();
    let line = ["--base-url", &base_url, "--model", "m", "-p", "hello"];
    let (out, err, code) = home.run(&line, &[]);
    assert_eq!((out.as_str(), code), ("Hello\n", 0), "{err}");
    let (list, _, _) = home.run(&["config"], &[]);
    assert!(listed(&list, "token_budget").contains("3072"), "{list}");
}

#[test]
fn whoever_waits_for_a_pipe_is_told_and_what_comes_goes_along() {
    let home = Home::new();
    let mut command = home.command(&["-p", "hello there", "--offline", "-s", "one"], &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let mut told = BufReader::new(running.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.contains("waiting for the end of the standard input"), "{line}");
    let mut pipe = running.stdin.take().unwrap();
    pipe.write_all(b"piped in\n").unwrap();
    drop(pipe);
    assert!(running.wait().unwrap().success());
    let said = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
    assert!(said.contains("hello there\\n\\npiped in"), "{said}");
}

#[test]
fn what_is_piped_in_and_is_no_text_is_told() {
    let home = Home::new();
    let mut command = home.command(&["-p", "hello there", "--offline", "-s", "one"], &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(b"caf\xe9 and na\xefve\n").unwrap();
    let ended = running.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("no UTF-8 text in 2 places"), "{told}");
    assert!(ended.status.success());
}

#[test]
fn a_file_that_is_not_there_is_told_and_the_message_goes_out() {
    let home = Home::new();
    let line = ["-p", "Read @nofile.txt please", "--offline", "-s", "one"];
    let (out, err, code) = home.run(&line, &[]);
    assert!(code == 0 && !out.is_empty(), "{err}");
    assert!(err.contains("@nofile.txt is no file, so it goes as plain words."), "{err}");
}

#[test]
fn an_expansion_that_ends_with_the_program_says_so() {
    let home = Home::new();
    let run = |line: &str| home.run(&["-p", line, "--offline", "-s", "one"], &[]);
    for line in ["/open tea", "It steeps for three minutes.", "/close"] {
        assert_eq!(run(line).2, 0, "{line}");
    }
    let (_, err, _) = run("/expand tea");
    assert!(err.contains("An expansion ends when its session is closed"), "{err}");
    let (_, err, _) = run("/status");
    assert!(err.contains("--- Auto-collapsed effort: tea (an expansion ends"), "{err}");
    assert!(!run("/status").1.contains("collapsed"), "it is told once");
}

#[test]
fn what_was_half_written_when_the_program_was_killed_is_cleared_away() {
    let home = Home::new();
    let run = || home.run(&["-p", "/remember the kettle whistles", "--offline", "-s", "one"], &[]);
    assert_eq!(run().2, 0);
    let session = home.path("data/ebbtide/sessions/one");
    let half = ["manifest.yaml.tmp", "notes.json.tmp", "session_state.json.tmp"];
    for name in half {
        fs::write(session.join(name), "half").unwrap();
    }
    fs::write(session.join("mine.tmp"), "whole").unwrap();
    assert_eq!(run().2, 0);
    for name in half {
        assert!(!session.join(name).exists(), "{name}");
    }
    assert!(session.join("mine.tmp").exists(), "it is somebody else's");
}

#[test]
fn a_short_file_is_given_as_a_whole_and_said_to_be_one() {
    let home = Home::new();
    fs::write(home.path("short.txt"), "The valve is\tin the north wing.").unwrap();
    fs::write(home.path("long.txt"), "The valve is in the north wing. ".repeat(400)).unwrap();
    let line = ["-p", "Read @short.txt and @long.txt", "--offline", "-s", "one"];
    let (_, err, code) = home.run(&line, &[]);
    assert_eq!(code, 0, "{err}");
    let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
    let whole = "All of it stands below.]\\nThe valve is\\tin the north wing.";
    assert!(log.contains(whole), "{log}");
    assert_eq!(log.matches("Below are its beginning").count(), 1, "{log}");
}

#[test]
fn a_call_of_the_model_that_changed_nothing_is_told() {
    let home = Home::new();
    let server = Server::replying([
        Reply::calls(&[("switch_effort", serde_json::json!({"id": "nowhere"}))]),
        Reply::text("We are there."),
        Reply::calls(&[("open_effort", serde_json::json!({"title": "tea"}))]),
        Reply::calls(&[("open_effort", serde_json::json!({"name": "tea"}))]),
        Reply::text("Now we are."),
    ]);
    let run = |text: &str| {
        let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", text];
        home.run(&line, &[])
    };
    let (out, err, code) = run("go there");
    assert_eq!((out.as_str(), code), ("We are there.\n", 0), "{err}");
    let told = "switch_effort of the model failed and changed nothing: ";
    assert!(err.contains(told) && err.contains("nowhere"), "{err}");
    // What was done after all has not failed.
    assert!(!run("go there").1.contains("failed"));
}

#[test]
fn a_message_that_is_too_long_goes_out_again_within_the_limit_that_is_named() {
    let server = Server::following(|request| {
        let tokens = request.to_string().len() / 4;
        let words = format!(
            "This model's maximum context length is 4000 tokens. However, you requested {tokens} tokens."
        );
        let refusal =
            serde_json::json!({"error": {"message": words, "code": "context_length_exceeded"}});
        if tokens > 4_000 {
            Reply::status(400, &refusal.to_string())
        } else {
            Reply::text("Noted.")
        }
    });
    let home = Home::new();
    let told: Vec<String> = ["oak", "elm", "ash", "fir"]
        .into_iter()
        .map(|tree| {
            let words: Vec<String> = (0..400).map(|nth| format!("{tree}{nth}")).collect();
            let text = words.join(" ");
            let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", &text];
            let (out, err, code) = home.run(&line, &[]);
            assert_eq!((out.as_str(), code), ("Noted.\n", 0), "{err}");
            err
        })
        .collect();
    let last = &told[3];
    assert!(last.contains("The model takes 4000 tokens as its server counts them"), "{last}");
    let sent = server.requests();
    let last = sent.last().unwrap().to_string();
    assert!(last.contains("fir399") && last.len() / 4 <= 4_000, "{}", last.len());
}

#[test]
fn a_limit_that_the_message_is_far_below_makes_no_window_smaller() {
    let words = "This model's maximum context length is 16384 tokens, but 20000 were requested for the answer.";
    let refusal =
        serde_json::json!({"error": {"message": words, "code": "context_length_exceeded"}});
    let server = Server::following(move |_| Reply::status(400, &refusal.to_string()));
    let home = Home::new();
    let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", "hello"];
    let (out, err, code) = home.run(&line, &[]);
    assert_eq!((out.as_str(), code, server.requests().len()), ("", 1, 1), "{err}");
    assert!(err.contains("16384") && !err.contains("keeps to"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_message_that_is_ended_by_a_signal_is_billed_and_kept() {
    for (signal, status) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let home = Home::new();
        let reply = Reply::chunks([content("slowly")]).hang();
        let server = Server::replying([reply]);
        let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", "tell"];
        let mut command = home.command(&line, &[]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        let mut shown = [0; 6];
        std::io::Read::read_exact(running.stdout.as_mut().unwrap(), &mut shown).unwrap();
        let id = running.id().to_string();
        assert!(
            std::process::Command::new("kill")
                .args(["-s", signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let ended = running.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(status), "{signal}: {ended:?}");
        let bill = fs::read_to_string(home.path("data/ebbtide/sessions/one/bill.jsonl")).unwrap();
        assert!(bill.contains("\"purpose\":\"chat\""), "{signal}: {bill}");
    }
}
