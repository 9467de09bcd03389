use super::*;

#[test]
fn who_cannot_give_a_model_more_is_not_told_to() {
    let advice = |address: &str| {
        let (address, message) = (address.to_owned(), "too long".to_owned());
        let kind = StatusKind::TooLong;
        Error::Status { address, status: 400, message, retry_after: None, kind, takes: None }
            .advice()
    };
    for near in ["127.0.0.1:8080", "localhost:11434", "[::1]:80", "192.168.1.7:8000", "box.local:1"]
    {
        assert!(advice(near).contains("llama.cpp: -c 16384"), "{near}");
    }
    for far in ["api.anthropic.com", "api.anthropic.com:443", "8.8.8.8:443"] {
        assert!(
            !advice(far).contains("llama.cpp") && advice(far).contains("token_budget="),
            "{far}"
        );
    }
}

#[test]
fn the_budget_of_an_advice_is_one_that_the_model_takes() {
    let advice = |takes: Option<u64>| {
        let (address, message) = ("a:1".to_owned(), "too long".to_owned());
        Error::MidStream { address, message, kind: StatusKind::TooLong, takes }
            .advice()
            .into_owned()
    };
    assert!(!advice(Some(2_048)).contains("token_budget"), "that holds nothing");
    for (takes, budget) in [(None, 8_000), (Some(6_000), 4_500), (Some(200_000), 8_000)] {
        assert!(advice(takes).contains(&format!("token_budget={budget})")), "{takes:?}");
    }
}

#[test]
fn the_advice_names_the_wait_that_the_server_asks_for() {
    let advice = |seconds: Option<u64>, kind: StatusKind| {
        let retry_after = seconds.map(Duration::from_secs);
        let (address, message) = ("a:1".to_owned(), "Quota exhausted".to_owned());
        Error::Status { address, status: 429, message, retry_after, kind, takes: None }.advice()
    };
    for (seconds, told) in [
        (30, "30 seconds"),
        (150, "3 minutes"),
        (7_200, "2 hours"),
        (7_201, "2 hours 1 minute"),
        (86_400, "1 day"),
        (95_000, "1 day 3 hours"),
    ] {
        let said = advice(Some(seconds), StatusKind::RateLimit);
        assert_eq!(said, format!("The server asks to wait: send again in {told}."));
    }
    for seconds in [None, Some(2)] {
        assert_eq!(advice(seconds, StatusKind::RateLimit), "Wait a moment, then send again.");
    }
    assert!(advice(Some(7_200), StatusKind::Quota).contains("in 2 hours, or add credit"));
    // A wait does not mend a wrong key.
    assert!(advice(Some(7_200), StatusKind::Key).starts_with("Check the key"));
}
