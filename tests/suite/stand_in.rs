//! The built-in model never takes the place of another one without a word.

use super::cli::Home;
use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};

#[test]
fn a_model_that_no_server_is_known_for_is_told_and_not_passed_over() {
    let home = Home::new();
    let (out, err, code) = home.run(&["-s", "one", "-m", "nobody", "-p", "hello"], &[]);
    assert_eq!((code, out.as_str()), (2, ""), "a script could not tell who answered: {err}");
    assert!(err.contains("no server is known that could be asked for nobody"), "{err}");
    assert!(err.contains("--base-url URL"), "{err}");
    for model in [&["-m", "gpt-4o"], &["--set", "model=gpt-4o"]] {
        let (_, err, code) = home.run(&[&["-s", "one", "-p", "hello"], &model[..]].concat(), &[]);
        assert!(code == 2 && err.contains("Set OPENAI_API_KEY or"), "{err}");
        let (out, _, code) = home.run(&[&["doctor"], &model[..]].concat(), &[]);
        let fault =
            "!!  model      no server is known that could be asked for gpt-4o. Set OPENAI_API_KEY";
        assert!(code == 1 && out.contains(fault), "{out}");
    }
    let (out, err, code) = home.run(&["-s", "one", "-p", "hello"], &[("EBBTIDE_MODEL", "nobody")]);
    assert_eq!((code, out.is_empty()), (0, false), "{err}");
    assert!(err.contains("No server is known that could be asked for nobody"), "{err}");

    let both = ["-s", "one", "--offline", "-m", "nobody", "-p", "hello"];
    let (_, err, _) = home.run(&both, &[]);
    assert!(err.contains("nobody is not asked") && err.contains("Leave --offline or"), "{err}");
    // Named for other times, it is no contradiction.
    let offline = ["-s", "one", "--offline", "-p", "hello"];
    let (_, err, _) = home.run(&offline, &[("EBBTIDE_MODEL", "nobody")]);
    assert!(!err.contains("nobody"), "{err}");
}

#[test]
fn the_chat_tells_of_a_model_that_no_server_is_known_for() {
    let home = tempfile::tempdir().unwrap();
    let args = ["-m", "nobody"];
    let terminal =
        Terminal::start(&Start { args: &args, home: home.path(), size: (100, 30), env: &[] });
    terminal.wait_for("asked for nobody");
}

#[test]
fn a_session_of_a_server_tells_once_that_the_built_in_model_answers_now() {
    let home = Home::new();
    let server = Server::replying([Reply::text("Fine.")]);
    let url = server.base_url();
    let (_, err, _) = home.run(&["--base-url", &url, "-m", "big", "-s", "one", "-p", "hello"], &[]);
    assert!(!err.contains("answered here last"), "{err}");
    let offline = home.run(&["--offline", "-s", "one", "-p", "/remember tea"], &[]).1;
    assert!(!offline.contains("answered here last"), "it was asked for: {offline}");
    let told = "big answered here last, and no server is known to ask for it";
    let (_, err, code) = home.run(&["-s", "one", "-p", "hello again"], &[]);
    assert!(code == 0 && err.matches(told).count() == 1, "{err}");
    assert!(err.contains("Start with --base-url URL and --model NAME"), "{err}");
    let (_, err, _) = home.run(&["-s", "one", "-p", "and again"], &[]);
    assert!(!err.contains("answered here last"), "{err}");
}
