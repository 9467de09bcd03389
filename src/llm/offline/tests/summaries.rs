//! Summaries of conversations, and compressed parts of them.

use super::*;

pub(super) fn summary_of(log: &[(&str, &str)], purpose: Purpose) -> String {
    let messages = crate::prompt::summarize(log.iter().copied());
    let messages = messages.into_iter().map(|(role, text)| {
        Message::text(if role == "system" { Role::System } else { Role::User }, text)
    });
    complete(request(purpose, messages.collect())).text
}

#[test]
fn what_stands_above_is_summarised_like_the_same_in_a_text_of_its_own() {
    let (last, log) = DEBUGGING.split_last().unwrap();
    let said = |(role, text): &(&str, &str)| {
        Message::text(if *role == "user" { Role::User } else { Role::Assistant }, *text)
    };
    let mut messages = vec![Message::text(Role::System, "Be helpful.")];
    messages.push(Message::text(Role::User, "The budget of the other trip is 4,000 euros."));
    messages.push(Message::text(Role::Assistant, "Noted."));
    messages.extend(log.iter().map(said));
    let asked = crate::prompt::summarize_above("auth-bug", &[], log.len(), Some(last.1.to_owned()));
    messages.push(Message::text(Role::User, asked));
    let summary = complete(request(Purpose::Summarize, messages)).text;
    assert_eq!(summary, summary_of(DEBUGGING, Purpose::Summarize));
}

#[test]
fn what_is_named_above_is_compressed_like_the_same_in_a_text_of_its_own() {
    let said = |(role, text): &(&str, &str)| {
        Message::text(if *role == "user" { Role::User } else { Role::Assistant }, *text)
    };
    let before = ("user", "The budget of the other trip is 4,000 euros.");
    let mut messages: Vec<Message> = [before].iter().chain(DEBUGGING).map(said).collect();
    let last = DEBUGGING.last().unwrap().1.to_owned();
    let runs = [(DEBUGGING.len(), DEBUGGING[0].1.to_owned(), last)];
    let asked = crate::prompt::compress_above("auth-bug", &runs, None, 60);
    messages.push(Message::text(Role::User, asked));
    let compressed = complete(request(Purpose::Compress, messages)).text;
    assert!(compressed.contains("src/api/client.ts line 80"), "{compressed}");
    assert_eq!(compressed, summary_of(DEBUGGING, Purpose::Compress));
}

const DEBUGGING: &[(&str, &str)] = &[
    ("user", "Let's debug the auth bug"),
    ("assistant", "Started auth-bug. What do you have so far?"),
    ("user", "Users are thrown out with error 401 after about an hour of work."),
    ("assistant", "Noted."),
    (
        "user",
        "I looked at the log for a while. It only happens in the web client, not on the phone.",
    ),
    ("assistant", "Go on."),
    ("user", "What could that be? I had lunch in between and thought about it."),
    ("assistant", "I see."),
    ("user", "The root cause: the refresh token is never sent, see src/api/client.ts line 80."),
    ("assistant", "Noted."),
    (
        "user",
        "We decided to fix it with an axios interceptor that refreshes 60 seconds before expiry.",
    ),
    ("assistant", "Noted."),
    ("user", "That fixed it, thanks!"),
];

#[test]
fn a_summary_keeps_what_matters_and_nothing_of_the_small_talk() {
    assert_eq!(
        summary_of(DEBUGGING, Purpose::Summarize),
        "Users are thrown out with error 401 after about an hour of work. The root cause: the refresh \
         token is never sent, see src/api/client.ts line 80. We decided to fix it with an axios \
         interceptor that refreshes 60 seconds before expiry."
    );
}

/// Eight turns of work with tools, of which those before the last two are compressed.
fn with_tools(turns: usize) -> Vec<(&'static str, String)> {
    let heading = "[CONVERSATION SUMMARY] of 36 messages (8,072 tokens) of effort a; source: ref:archive-a\nThe refund is sent twice where the gateway at pay-2 times out.";
    let mut log = vec![("assistant", heading.to_owned())];
    for nth in 0..turns {
        log.push(("user", format!("Now step {nth} in src/pay/f{nth}.rs of the refund, please.")));
        let tools = format!(
            "[Bash {{\"command\":\"grep -n error src/pay/f{nth}.rs\"}}]\n\n[Bash: error E0{nth}: failed because\nof the fixed budget {nth}.]\n\n[Read: 454{nth} tokens, held by reference]"
        );
        let outcome = if nth + 1 == turns { "The refund now carries a key." } else { "Next." };
        log.push(("assistant", format!("{tools}\n\n{outcome}")));
    }
    log
}

#[test]
fn a_summary_tells_what_was_said_first_and_last_and_nothing_of_tools_and_bookkeeping() {
    let log = with_tools(8);
    let log: Vec<_> = log.iter().map(|(by, text)| (*by, &**text)).collect();
    for purpose in [Purpose::Summarize, Purpose::Compress] {
        let summary = summary_of(&log, purpose);
        assert!(summary.starts_with("The refund is sent twice"), "{summary}");
        assert!(summary.ends_with("The refund now carries a key."), "{summary}");
        assert!(!summary.contains(['[', '{']) && !summary.contains("held by"), "{summary}");
        assert!(!summary.contains("E0"), "{summary}");
    }
    // Where nobody says anything else, what tools return is all there is.
    let result =
        "[Bash: error E0502: cannot borrow `ledger` in src/pay/f1.rs\nand nothing more of it]";
    let summary = summary_of(&[("user", "hi"), ("assistant", result)], Purpose::Summarize);
    assert!(summary.contains("E0502"), "{summary}");
}

#[test]
fn a_polite_request_is_what_a_summary_begins_with_and_no_greeting() {
    for (greeting, request) in [
        ("Good morning, team!", "Could you please write a unit test for the CSV importer?"),
        ("Guten Morgen!", "Kannst du die Umsatzsteuer bis Freitag für mich vorbereiten?"),
    ] {
        let asked = format!("{greeting} {request}");
        let log = [
            ("user", &*asked),
            (
                "assistant",
                "The importer reads amounts with a comma as text, so the test in tests/csv.rs fails.",
            ),
            ("user", "Yes, and the columns may come in any order, as the bank likes it."),
            ("assistant", "Done: tests/csv.rs now covers both, and the importer passes."),
        ];
        let summary = summary_of(&log, Purpose::Summarize);
        assert!(summary.starts_with(request), "{summary}");
    }
}

#[test]
fn of_sentences_that_differ_in_figures_alone_one_comes_before_the_others() {
    let log: Vec<_> = (0..6)
        .map(|nth| {
            ("user", format!("For billing: step {nth}, change the code in src/b{nth}.rs please."))
        })
        .chain([("user", "The invoices go out on Mondays, by mail.".to_owned())])
        .collect();
    let log: Vec<_> = log.iter().map(|(by, text)| (*by, &**text)).collect();
    let summary = summary_of(&log, Purpose::Summarize);
    assert!(summary.contains("step 0") && summary.contains("on Mondays"), "{summary}");
}

#[test]
fn a_summary_is_one_line_and_clearly_smaller_than_its_source() {
    let count = |text: &str| tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len();
    let long: Vec<(&str, &str)> = DEBUGGING.iter().cycle().take(200).copied().collect();
    let wall = "word ".repeat(5_000);
    let codes = "7f3a/9b_2c.0d 4411 ".repeat(300);
    let chinese = "\u{6211}\u{4eec}\u{51b3}\u{5b9a}".repeat(400);
    let logs: [&[(&str, &str)]; 6] = [
        DEBUGGING,
        &DEBUGGING[..5],
        &long,
        &[("user", &wall)],
        &[("user", &codes)],
        &[("user", &chinese)],
    ];
    for log in logs {
        let source: usize = log.iter().map(|(_, text)| count(text)).sum();
        for (purpose, most) in [(Purpose::Summarize, 400), (Purpose::Compress, 1_700)] {
            let summary = summary_of(log, purpose);
            assert!(!summary.is_empty() && !summary.contains('\n'));
            assert!(count(&summary) < source * 2 / 3, "{} of {source}: {summary}", count(&summary));
            assert!(summary.chars().count() <= most);
        }
    }
    assert!(count(&summary_of(DEBUGGING, Purpose::Summarize)) < 80);
}
