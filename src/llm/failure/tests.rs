use serde_json::{Value, json};

use super::{Report, StatusKind, presentable};

#[test]
fn every_error_shape_gives_its_words() {
    let cases = [
        ("OpenAI", r#"{"error":{"message":"m","type":"t","param":null,"code":null}}"#, "m"),
        ("65 bare", r#"{"object":"error","message":"m","code":400}"#, "m"),
        ("65 doubleword", r#"{"code":"c","message":"m","type":"t"}"#, "m"),
        ("66 text", r#"{"error":"m"}"#, "m"),
        ("66 detail", r#"{"detail":"m"}"#, "m"),
        ("66 detail list", r#"{"detail":[{"loc":["body","tools"],"msg":"m"}]}"#, "body.tools: m"),
        (
            "66 message.detail",
            r#"{"message":{"detail":[{"loc":["body",0],"msg":"m"}]}}"#,
            "body.0: m",
        ),
        ("66 array", r#"[{"error":{"code":400,"message":"m","status":"INVALID"}}]"#, "m"),
        ("66 success false", r#"{"success":false,"error":{"message":"m"}}"#, "m"),
        ("66 both", r#"{"error":{"message":"m"},"message":"n"}"#, "m"),
        ("66 plain text", "Internal Server Error", "Internal Server Error"),
        ("66 page", "<html><head><title>502 Bad Gateway</title></head></html>", "502 Bad Gateway"),
        ("66 page without title", "<html><b>Bad</b> luck</html>", "Bad luck"),
        ("67 param None", r#"{"error":{"message":"m","param":"None","code":"400"}}"#, "m"),
        ("param", r#"{"error":{"message":"m","param":"tools[0]"}}"#, "tools[0]: m"),
        (
            "OpenRouter raw",
            r#"{"error":{"message":"Provider error","code":400,
            "metadata":{"raw":"{\"error\":{\"message\":\"m\"}}"}}}"#,
            "Provider error: m",
        ),
        ("unknown object", r#"{"a":1}"#, r#"{"a":1}"#),
        ("control characters", "a\u{1b}[31m\nb\u{7}c", "a b c"),
    ];
    for (name, body, expected) in cases {
        assert_eq!(presentable(&Report::of_body(body).message), expected, "{name}");
    }
    let long = presentable(&"é".repeat(1000));
    assert_eq!(long.chars().count(), 301);
}

#[test]
fn an_error_at_a_success_status_is_told_from_a_chunk() {
    let errors = [
        json!({"error": {"message": "m", "code": 502}}),
        json!({"error": "m"}),
        json!({"choices": [{"delta": {}}], "error": {"message": "m"}, "usage": {}}),
        json!({"choices": [{"error": {"message": "m"}}]}),
        json!({"object": "error", "message": "m"}),
        json!({"detail": "m"}),
        json!({"message": "m", "code": "c"}),
        json!([{"error": {"message": "m"}}]),
    ];
    for value in errors {
        let message = Report::in_success(&value).map(|report| report.message);
        assert_eq!(message.as_deref(), Some("m"), "{value}");
    }
    let chunks = [
        json!({"choices": [], "error": null}),
        json!({"choices": [{"delta": {"content": "x"}}], "error": ""}),
        json!({"choices": [{"message": {"content": "x"}}], "message": "x"}),
        json!({"type": "ping"}),
        json!({"usage": {"prompt_tokens": 1}}),
    ];
    for value in chunks {
        assert_eq!(Report::in_success(&value), None, "{value}");
    }
}

#[test]
fn kinds_follow_status_and_words() {
    let error = |message: &str, code: &str| json!({"error": {"message": message, "code": code}});
    let cases: Vec<(u16, Value, StatusKind)> = vec![
        (401, error("m", ""), StatusKind::Key),
        (403, error("m", ""), StatusKind::Key),
        (403, error("Input was flagged by moderation", ""), StatusKind::Refused),
        (400, error("Incorrect API key provided", ""), StatusKind::Key),
        (400, error("No connected db.", ""), StatusKind::Key),
        (402, error("m", ""), StatusKind::Quota),
        (429, error("m", "insufficient_quota"), StatusKind::Quota),
        (429, error("m", "rate_limit_exceeded"), StatusKind::RateLimit),
        (404, error("m", ""), StatusKind::NotFound),
        (400, error("m", "model_not_found"), StatusKind::NotFound),
        (400, error("m", "context_length_exceeded"), StatusKind::TooLong),
        (400, error("This model's maximum context length is 8192 tokens", ""), StatusKind::TooLong),
        (413, error("m", ""), StatusKind::TooLong),
        (408, error("m", ""), StatusKind::Server),
        (500, error("m", ""), StatusKind::Server),
        (529, error("m", ""), StatusKind::Server),
        (400, error("m", ""), StatusKind::Refused),
        (422, error("m", ""), StatusKind::Refused),
        (301, error("m", ""), StatusKind::Moved),
        (407, error("m", ""), StatusKind::Proxy),
        (
            400,
            error("Your credit balance is too low to access the Anthropic API", ""),
            StatusKind::Quota,
        ),
        (429, error("m", "exceeded_current_quota_error"), StatusKind::Quota),
    ];
    for (status, body, kind) in cases {
        assert_eq!(Report::of_value(&body).kind(status), kind, "{status} {body}");
    }
}

#[test]
fn a_status_in_the_body_may_be_number_or_text() {
    let cases = [
        (json!({"error": {"code": 429}}), Some(429)),
        (json!({"code": "503"}), Some(503)),
        (json!({"raw_status_code": 422}), Some(422)),
        (json!({"error": {"code": "rate_limit"}}), None),
        (json!({"error": {"code": 3230}}), None),
    ];
    for (body, status) in cases {
        assert_eq!(Report::of_value(&body).status, status, "{body}");
    }
}

#[test]
fn what_is_too_long_is_recognised_in_the_words_of_every_provider() {
    for (status, words) in [
        (400, "Your input exceeds the context window of this model."),
        (400, "prompt is too long: 3333404 tokens > 200000 maximum"),
        (
            400,
            "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).",
        ),
        (400, "the input length exceeds the context length"),
        (400, "prompt too long; exceeded max context length by 12 tokens"),
        (400, "the request exceeds the available context size. try increasing it"),
        (400, "The decoder prompt (length 9000) is longer than the maximum model length of 8192"),
        (
            400,
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        ),
        (400, "Prompt exceeds max length"),
        (400, "Invalid request: Your request exceeded model token limit: 8192"),
        (400, "Range of input length should be [1, 30720]"),
        (400, "Please reduce the length of the messages or completion."),
        (422, "Input validation error: `inputs` must have less than 6000 tokens. Given: 9000"),
        (400, "The prompt must have fewer than 6 000 tokens"),
        (400, "This model supports up to 6000 tokens, and the prompt has 9000."),
        (
            429,
            "Request too large for gpt-6-luna on tokens per min (TPM): Limit 30000, Requested 40000.",
        ),
        (
            413,
            "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000",
        ),
    ] {
        let report = Report::of_value(&json!({"error": {"message": words}}));
        assert_eq!(report.kind(status), StatusKind::TooLong, "{words}");
    }
}

#[test]
fn a_limit_for_a_minute_is_waited_for_and_one_for_good_is_not() {
    let google = |id: &str| {
        let violation =
            json!({"quotaId": format!("GenerateRequests{id}PerProjectPerModel-FreeTier")});
        json!([{"error": {
            "code": 429, "message": "You exceeded your current quota, please check your plan.",
            "details": [{"violations": [violation]}, {"retryDelay": "34s"}],
        }}])
    };
    let error = |message: &str| json!({"error": {"message": message}});
    let cases = [
        (google("PerMinute"), StatusKind::RateLimit),
        (google("PerDay"), StatusKind::Quota),
        (
            error("Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000"),
            StatusKind::RateLimit,
        ),
        (
            error("would exceed your rate limit of 30,000 input tokens per minute"),
            StatusKind::RateLimit,
        ),
        (
            error("request reached max organization RPM rate limit, please try again"),
            StatusKind::RateLimit,
        ),
        (error("You exceeded your current quota, check your billing details"), StatusKind::Quota),
        (error("Insufficient balance or no resource package"), StatusKind::Quota),
    ];
    for (body, kind) in cases {
        assert_eq!(Report::of_value(&body).kind(429), kind, "{body}");
    }
}
