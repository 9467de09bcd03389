//! Which model answers, chosen while chatting; what others are asked beside it; and what a person wrote for all.

use std::fs;

use serde_json::{Value, json};

use super::cli::Home;
use super::support::server::{Reply, Server, said};

/// Two servers of different protocols, in a config file.
fn two() -> (Home, Server, Server) {
    let answer = |request: &Value| {
        let said = said(request);
        if request["tools"].is_null() || said.contains("The program asks") {
            return Reply::text("The kettle is settled.");
        }
        let last = request["messages"].as_array().unwrap().last().unwrap();
        match &*said {
            _ if last["role"] == "tool" => Reply::text("Done."),
            "open" => Reply::calls(&[("open_effort", json!({"name": "kettle"}))]),
            "close" => Reply::calls(&[("close_effort", json!({}))]),
            other => Reply::text(format!("As for {other}")),
        }
    };
    let (first, second) = (Server::following(answer), Server::following(answer));
    first.set_models(&["small", "other", "nomic-embed-text"]);
    second.set_models(&["claude-opus-5-5"]);
    let home = Home::new();
    home.write_config(&format!(
        "[providers.first]\nbase_url = \"{}\"\nmodel = \"small\"\ntemperature = 0.5\napi_key_env = \"K\"\n\
         [providers.second]\nbase_url = \"{}\"\nprotocol = \"messages\"\n\
         headers = {{ x-own = \"h\" }}\nbody = {{ output_config = {{ effort = \"high\" }} }}\n",
        first.base_url(),
        second.base_url()
    ));
    (home, first, second)
}

fn run(home: &Home, line: &[&str]) -> String {
    let (out, err, code) = home.run(line, &[("EBBTIDE_EFFORT", "low"), ("K", "k")]);
    assert_eq!(code, 0, "{line:?}: {err}");
    out
}

#[test]
fn a_model_is_listed_and_chosen_and_the_session_remembers_it() {
    let (home, first, second) = two();
    let list = run(&home, &["-s", "one", "-p", "/model"]);
    for words in ["small from first answers", "\nfirst other\n", "\nsecond claude-opus-5-5\n"] {
        assert!(list.contains(words), "{list}");
    }
    assert!(!list.contains("embed"), "{list}");
    let found = run(&home, &["-s", "one", "-p", "/model first"]);
    assert!(found.contains("first other") && !found.contains("claude"), "{found}");
    let chosen = run(&home, &["-s", "one", "-p", "/model opus"]);
    assert!(chosen.contains("claude-opus-5-5 from second answers"), "{chosen}");
    run(&home, &["-s", "one", "-p", "hello"]);
    assert_eq!((first.requests().len(), second.requests().len()), (0, 1));
    let sent = &second.requests()[0];
    assert_eq!(
        (&sent["output_config"]["effort"], &sent["thinking"]["type"]),
        (&json!("high"), &json!("adaptive"))
    );
    let received = second.received();
    assert!(received.iter().any(|one| one.header("x-own") == Some("h")));
    // A flag goes before what the session remembers, and another session knows nothing of it.
    run(&home, &["-s", "one", "--model", "small", "-p", "hello"]);
    run(&home, &["-s", "two", "-p", "hello"]);
    assert_eq!((first.requests().len(), second.requests().len()), (2, 1));
    let sent = &first.requests()[0];
    assert_eq!((&sent["reasoning_effort"], &sent["temperature"]), (&json!("low"), &json!(0.5)));
    // One for the server leaves it in force where it is the same server, and says so where it is not.
    let of_run = run(&home, &["-s", "three", "--set", "provider=first", "-p", "/model other"]);
    assert!(of_run.ends_with("The session remembers it.\n"), "{of_run}");
    run(&home, &["-s", "three", "--set", "provider=first", "-p", "hello"]);
    assert_eq!(first.requests()[2]["model"], "other");
    let elsewhere = run(&home, &["-s", "three", "--set", "provider=first", "-p", "/model opus"]);
    let told = "The session remembers it for a start without --set provider.\n";
    assert!(elsewhere.ends_with(told), "{elsewhere}");
    let env = [("EBBTIDE_EFFORT", "low"), ("K", "k")];
    let base_url = first.base_url();
    let (_, err, _) = home.run(&["-s", "three", "--base-url", &base_url, "-p", "hello"], &env);
    let told = "This session was with claude-opus-5-5 from second; --base-url names another server";
    assert!(err.contains(told), "{err}");
    assert_eq!(first.requests()[3]["model"], "small");
    let (_, err, code) = home.run(&["-s", "one", "-p", "/model nobody"], &[("K", "k")]);
    assert!(code != 0 && err.contains("nobody"), "{err}");
}

#[test]
fn what_the_session_remembers_answers_in_the_commands_of_the_shell_too() {
    let (home, first, second) = two();
    let config = fs::read_to_string(home.path("config/ebbtide/config.toml")).unwrap();
    home.write_config(
        &config.replace("second", "anthropic").replace("\"small\"", "\"gpt-5-mini\""),
    );
    first.set_models(&["gpt-5-mini"]);
    let told = |flags: &[&str]| {
        let stats = run(&home, &[&["stats", "-s", "one"], flags].concat());
        let doctor = run(&home, &[&["doctor", "-s", "one"], flags].concat());
        let at = doctor.find("ok  model").unwrap();
        format!("{stats}{}", &doctor[at..])
    };
    run(&home, &["-s", "one", "-p", "hello"]);
    let small = ["output 8 times", "first at http", "gpt-5-mini takes"];
    let large = ["output 5 times", "with /model", "Anthropic at http", "claude-opus-5-5 takes"];
    let holds = |told: &str, words: &[&str]| words.iter().all(|word| told.contains(word));
    let before = told(&[]);
    assert!(holds(&before, &small) && !before.contains("claude"), "{before}");
    run(&home, &["-s", "one", "-p", "/model opus"]);
    let after = told(&[]);
    assert!(holds(&after, &large) && !after.contains("gpt-5-mini"), "{after}");
    for flags in [["--model", "gpt-5-mini"], ["--set", "provider=first"]] {
        assert_eq!(told(&flags), before, "a flag goes before what the session remembers");
    }
    // Where no server is to be asked, the one that is remembered is not, either.
    let asked = second.received().len();
    let env = [("EBBTIDE_OFFLINE", "true"), ("K", "k")];
    let (_, err, code) = home.run(&["-s", "one", "-p", "hello"], &env);
    assert!(code == 0 && err.contains("cannot be had now (`offline` keeps"), "{err}");
    assert_eq!(second.received().len(), asked);
    let (doctor, ..) = home.run(&["doctor", "-s", "one"], &env);
    assert!(doctor.contains("the built-in offline model answers"), "{doctor}");
}

#[test]
fn summaries_may_come_from_a_model_of_another_provider() {
    let (home, first, second) = two();
    let beside = ["--set", "summary_model=second claude-opus-5-5", "-s", "one", "-p"];
    // Of a shorter log nobody is asked for a summary.
    let long = "tell me of kettles ".repeat(20);
    for said in ["open", long.trim(), "close"] {
        run(&home, &[&beside[..], &[said]].concat());
    }
    assert_eq!(second.requests().len(), 1);
    assert!(second.requests()[0].to_string().contains("tell me of kettles"));
    assert!(first.requests().iter().all(|request| request["model"] == "small"));
    let found = run(&home, &["-s", "one", "-p", "/search kettle"]);
    assert!(found.contains("The kettle is settled."), "{found}");
    // Where no server is to be asked, that one is not, either.
    for said in ["Let us open effort kettle", "/close"] {
        let line = ["--offline", beside[0], beside[1], "-s", "two", "-p", said];
        run(&home, &line);
    }
    assert_eq!(second.requests().len(), 1);
}

#[test]
fn what_a_person_wrote_for_every_conversation_is_in_front_of_it_with_its_cost() {
    let (home, first, _second) = two();
    fs::write(home.path("config/ebbtide/instructions.md"), "Be brief.\n").unwrap();
    fs::write(home.path(".ebbtide.md"), "Speak of boats.").unwrap();
    run(&home, &["-p", "hello"]);
    let system = first.requests()[0]["messages"][0].clone();
    let text = system["content"].as_str().unwrap();
    assert!(
        text.contains("(instructions.md)\n\nBe brief.")
            && text.contains("(.ebbtide.md)\n\nSpeak of boats."),
        "{text}"
    );
    let context = run(&home, &["context", "--json"]);
    let context: Value = serde_json::from_str(&context).unwrap();
    let items = context["items"].as_array().unwrap();
    let costs = items.iter().filter(|item| item["source"] == "instructions");
    let costs: Vec<(&str, bool)> = costs
        .map(|item| (item["id"].as_str().unwrap(), item["tokens"].as_u64() > Some(5)))
        .collect();
    assert_eq!(costs, [("instructions.md", true), (".ebbtide.md", true)]);
}
