//! The prices of a replay: set, those of a provider, or what most charge; and of the session that it leaves.

use std::fs;

use serde_json::{Value, json};

use super::home;

#[test]
fn a_replay_is_told_at_the_prices_that_are_set_or_of_the_provider_or_at_what_most_charge() {
    let (home, _) = home();
    let key = &[("DEEPSEEK_API_KEY", "x")];
    let told = |more: &[&str], variables: &[(&str, &str)]| {
        let (out, err, code) = home.run(&[&["replay", ".claude"], more].concat(), variables);
        assert_eq!(code, 0, "{err}");
        out
    };
    let deepseek = "from cache 0.02 times, output 2 times";
    let anthropic = "from cache 0.1 times, written to it 1.25 times, output 5 times";
    for (more, variables, expected) in [
        (&[][..], &[][..], "from cache 0.1 times, output 4 times"),
        (&["--offline"], key, "from cache 0.1 times, output 4 times"),
        (&[], key, deepseek),
        (&["--set", "provider=deepseek"], &[], deepseek),
        (&["--set", "provider=anthropic"], key, anthropic),
        (
            &["--set", "provider=deepseek", "--set", "price_output=3"],
            &[],
            "0.02 times, output 3 times",
        ),
        (
            &["--set", "price_cache=breakpoints"],
            &[],
            "from cache 0.1 times, written to it 1.25 times, output 4 times",
        ),
    ] {
        let out = told(more, variables);
        assert!(out.contains(expected), "{more:?}: {expected}\n{out}");
    }
    for (more, variables, expected) in [
        (&[][..], &[][..], "most providers, as none is set;"),
        (&["--offline"], key, "most providers, as none is set;"),
        (&[], key, "DeepSeek, whose key is in DEEPSEEK_API_KEY;"),
        (&["--set", "provider=deepseek"], &[], "DeepSeek, which is set;"),
        (&["--base-url", "http://models.example/v1"], &[], "most providers, as those of models."),
        (&["--set", "price_output=3"], &[], "most providers, as none is set, but for what is set;"),
        (&["--set", "price_output=3", "--set", "price_cached=0.2"], key, "the settings;"),
    ] {
        let out = told(more, variables);
        assert!(out.contains(&format!("(prices of {expected}")), "{more:?}: {expected}\n{out}");
    }
    let bill = |more: &[&str]| -> Value {
        serde_json::from_str::<Value>(&told(&[&["--json"], more].concat(), &[])).unwrap()["bill"]
            .clone()
    };
    let [one, other] =
        ["deepseek", "anthropic"].map(|name| bill(&["--set", &format!("provider={name}")]));
    assert!(one["own"]["written"] == 0 && other["own"]["written"].as_u64() > Some(0), "{other}");
    // Beside each other they are as alone.
    let both = told(&["--set", "provider=deepseek,anthropic", "--json"], &[]);
    let both: Value = serde_json::from_str(&both).unwrap();
    for (nth, alone) in [one, other].iter().enumerate() {
        assert_eq!(both["combinations"][nth]["net"], alone["net"], "{nth}");
    }
}

#[test]
fn a_provider_that_there_is_not_is_refused_before_anything_is_read() {
    let (home, _) = home();
    for set in ["provider=antropic", "provider=deepseek,antropic"] {
        let (out, err, code) = home.run(&["replay", ".claude", "--set", set], &[]);
        assert_eq!((&*out, code), ("", 2), "{set}: {err}");
        let told = "there is no provider \"antropic\" (from: flag --set). Did you mean Anthropic?";
        assert!(err.contains(told) && !err.contains("read"), "{set}: {err}");
    }
    // Another one answers, or nobody: the name decides nothing.
    for more in [&["--offline"][..], &["--base-url", "http://models.example/v1"]] {
        let line = [&["replay", ".claude", "--set", "provider=antropic"], more].concat();
        let (_, err, code) = home.run(&line, &[]);
        assert_eq!(code, 0, "{more:?}: {err}");
    }
}

#[test]
fn a_kept_session_is_told_at_the_prices_of_its_replay_until_a_server_answers_in_it() {
    let (home, _) = home();
    let run = |line: &[&str]| {
        let (out, err, code) = home.run(line, &[]);
        assert_eq!(code, 0, "{line:?}: {err}");
        out
    };
    run(&["replay", ".claude", "--keep", "plain"]);
    run(&[
        "replay",
        ".claude",
        "--keep",
        "marked",
        "--set",
        "provider=anthropic",
        "--set",
        "price_input=3",
    ]);
    let bill = |name: &str, more: &[&str]| run(&[&["-p", "/bill", "-s", name], more].concat());
    let plain = "one from the cache counts 0.1, one written to it 1, one of the answer 4.";
    let marked = "one from the cache counts 0.1, one written to it 1.25, one of the answer 5.";
    assert!(bill("plain", &[]).contains(plain), "{}", bill("plain", &[]));
    let told = bill("marked", &[]);
    assert!(told.contains(marked) && told.contains("Costs are in $"), "{told}");
    // What is set now goes before.
    assert!(bill("plain", &["--set", "price_output=7"]).contains("one of the answer 7."));
    let stats = |name: &str| -> Value {
        let told: Value = serde_json::from_str(&run(&["stats", "-s", name, "--json"])).unwrap();
        told["bill"].clone()
    };
    let all = stats("plain")["all"].clone();
    let sum = |key: &str| all[key].as_f64().unwrap();
    let expected = 0.1 * sum("cached") + sum("written") + sum("uncached") + 4.0 * sum("output");
    assert!((sum("cost") - expected).abs() < 1e-6, "{all}");
    run(&["-p", "Good morning", "-s", "plain", "--offline"]);
    // The built-in model has no prices at which what others said could be told.
    assert!(bill("plain", &[]).contains(plain), "{}", bill("plain", &[]));
}

#[test]
fn money_is_told_wherever_input_has_a_price_and_each_row_has_its_own() {
    let (home, _) = home();
    let run = |more: &[&str]| {
        let (out, err, code) = home.run(&[&["replay", ".claude"], more].concat(), &[]);
        assert_eq!(code, 0, "{err}");
        (out, err)
    };
    let (rows, legend) = run(&["--set", "price_input=1", "--set", "currency=EUR,USD"]);
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    assert!(rows[0].contains(" EUR ") && rows[1].contains(" USD "), "{rows:?}");
    assert!(legend.contains("are in money"), "{legend}");
    let (out, _) = run(&["--set", "price_input=3,15", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let cost = |nth: usize| told["combinations"][nth]["money"]["cost"].as_f64().unwrap();
    assert!((5.0 * cost(0) - cost(1)).abs() < 1e-9 && cost(0) > 0.0, "{told}");
    let (out, _) = run(&["--set", "price_input=3", "--svg", "card.svg"]);
    assert!(out.contains("In money: this memory $"), "{out}");
    assert!(fs::read_to_string(home.path("card.svg")).unwrap().contains("In money: $"));
    let (out, _) = run(&["--set", "price_input=3", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["bill"]["money"]["currency"], json!("$"));
}
