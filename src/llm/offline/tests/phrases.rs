//! What a newcomer would type, in many words, and what has to happen.

use super::*;

/// Each message, with the call or the start of the reply that it must lead to.
fn check(given: &Given, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (message, expected) in table {
        let answer = given.answer(message);
        if !answer.starts_with(expected) {
            wrong.push(format!("{message:?}\n  expected {expected}\n  but got  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Messages that must not lead to any call.
fn check_no_call(given: &Given, messages: &[&str]) {
    let mut wrong = Vec::new();
    for message in messages {
        let completion = complete(request(Purpose::Chat, given.messages(message)));
        if !completion.calls.is_empty() || completion.text.is_empty() {
            wrong.push(format!("{message:?} led to {}", shown(&completion)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wish_to_work_on_something_opens_an_effort_with_a_short_name() {
    let opens = |name: &str| format!("open_effort {}", json!({ "name": name }));
    let table = [
        ("Let's debug the auth bug", "auth-bug"),
        ("lets work on the login page", "login-page"),
        ("I want to plan my sailing trip", "sailing-trip"),
        ("Hi! I'd like to plan a birthday party for my mum", "birthday-party"),
        ("Can you help me with my taxes?", "taxes"),
        ("Could we talk about the kitchen renovation?", "kitchen-renovation"),
        ("New topic: garden shed", "garden-shed"),
        ("new topic garden shed", "garden-shed"),
        ("Start a new effort called quarterly report", "quarterly-report"),
        ("start sailing trip", "sailing-trip"),
        ("Begin budget review", "budget-review"),
        ("Okay, let's start planning the wedding.", "wedding"),
        ("I need to fix the slow dashboard queries", "slow-dashboard-queries"),
        ("Help me write a cover letter", "cover-letter"),
        ("I need some help with my knee pain", "knee-pain"),
        ("I'm working on a blog post about Rust", "blog-post-rust"),
        ("We have to prepare for the board meeting", "board-meeting"),
        ("Let's cook a Thai curry tonight", "thai-curry"),
        ("I have a problem with my landlord", "landlord"),
        ("Let’s tackle the database migration, it is overdue", "database-migration"),
        ("let's organise the team offsite", "team-offsite"),
        ("LET'S DEBUG THE AUTH BUG!!!", "auth-bug"),
        ("Debug the payment timeout", "payment-timeout"),
        ("I am trying to save for a new car", "car"),
        ("Let's get started on the novel", "novel"),
        ("I'd like to discuss something else: my savings plan", "savings-plan"),
        ("could you help me plan the move to Berlin", "move-berlin"),
        ("let's look into the flaky tests", "flaky-tests"),
        ("Shall we work on the résumé?", "résumé"),
        ("My laptop keeps crashing, can you help me fix it?", "laptop"),
        ("let's do some meal planning", "meal-planning"),
        ("I need a recipe for lasagne", "lasagne"),
        ("we should finally fix the heating", "heating"),
        ("Hey, I'm planning a road trip through Portugal", "road-trip-portugal"),
        ("can you help me debug a segfault in my parser?", "segfault-parser"),
        ("today I want to work on the garden", "garden"),
        ("I want to learn Spanish", "spanish"),
    ];
    for (message, name) in table {
        check(&NOTHING, &[(message, &opens(name))]);
    }
}

#[test]
fn small_talk_and_passing_remarks_open_nothing() {
    check_no_call(
        &NOTHING,
        &[
            "Hi",
            "hello there!",
            "How are you?",
            "Good morning",
            "thanks!",
            "thank you very much",
            "ok",
            "lol",
            "I had pizza for lunch",
            "The weather is great today",
            "I don't want to work on the bug",
            "Let's see",
            "let me think about it",
            "I need to go now",
            "Let's not start anything",
            "who are you?",
            "What can you do?",
            "help",
            "can you help me?",
            "bye",
            "It was a long day.",
            "The plan is to leave on Friday.",
            "I am tired",
            "done, thanks",
            "Really?",
            "?",
            "...",
            "👍",
            "Start date is Monday",
            "tell me a joke",
            "I remember that I liked tea",
            "let's start",
            "Works!",
            "That's sorted then",
            "I think we're finished. Thanks for the help!",
            "that's fine",
        ],
    );
}

#[test]
fn a_step_of_the_work_under_way_opens_nothing() {
    check_no_call(
        &WORKING,
        &[
            "Let's look at the server log",
            "I need to fix the interceptor",
            "We should write a test",
            "Let's debug the auth token refresh",
            "Let's work on the token first",
            "Let me check the code",
            "I will start with the client",
            "Fix: a retry",
            "Plan: ask the team",
            "It now fails with a 403",
            "Let's fix that",
            "I'm going to add a retry",
        ],
    );
}

#[test]
fn a_new_topic_opens_beside_the_work_under_way() {
    check(
        &WORKING,
        &[
            ("Let's plan the wedding", r#"open_effort {"name":"wedding"}"#),
            ("New topic: groceries", r#"open_effort {"name":"groceries"}"#),
            ("Let's move on to the quarterly report", r#"open_effort {"name":"quarterly-report"}"#),
            ("Can you help me with my taxes too?", r#"open_effort {"name":"taxes"}"#),
        ],
    );
}

#[test]
fn an_end_of_work_concludes_the_active_effort_or_the_named_one() {
    let active = [
        "That fixed it!",
        "that fixed it, looks good",
        "Great, that fixed it. Thanks!",
        "We're done",
        "I'm done with the auth bug",
        "done, thanks",
        "Done.",
        "close the auth bug",
        "close it",
        "Let's wrap this up",
        "wrap up the auth bug please",
        "That's settled.",
        "looks good, ship it",
        "Conclude auth-bug",
        "OK we can close this",
        "Can we close the auth bug?",
        "that did the trick",
        "It works now, thank you!",
        "The auth bug is fixed.",
        "finish the auth bug",
        "All done!",
        "I think we're done here",
        "mark it as done",
        "Problem solved.",
        "that's it for the auth bug",
        "LGTM",
        "You can close it now",
        "Perfect, that solved it",
        "we are finished with this",
        "Let's call it done",
        "that is all",
        "Nailed it",
        "Works!",
        "the tests pass now, we can close this one",
        "bug's fixed",
        "fixed!",
        "ok that's done, next: plan the holiday",
        "That's enough for the auth bug, close it",
    ];
    for message in active {
        check(&WORKING, &[(message, "close_effort {}")]);
    }
    let named = r#"close_effort {"id":"sailing-trip"}"#;
    check(
        &WORKING,
        &[
            ("We're done with the sailing trip", named),
            ("close sailing-trip", named),
            ("The sailing trip is settled", named),
            ("wrap up the sailing trip", named),
        ],
    );
}

#[test]
fn closing_something_closes_exactly_that_or_nothing() {
    let several =
        Given { open: &["auth", "login-bug", "search-bug"], summaries: &[SAILING], ..WORKING };
    let unknown = "I know of no open effort of that name. Open now: auth, login-bug, search-bug.";
    check(
        &several,
        &[
            ("close auth", "close_effort {}"),
            ("close auth tokens", unknown),
            ("We're done with the auth tokens", unknown),
            ("done with the garden", unknown),
            ("close the garden", unknown),
            ("close the old one", unknown),
            ("close login", "Do you mean login-bug? "),
            ("The login is fixed", "Do you mean login-bug? "),
            ("Close LOGIN BUG", r#"close_effort {"id":"login-bug"}"#),
            ("done with the login bug", r#"close_effort {"id":"login-bug"}"#),
            ("close the bug", "Which effort do you mean: login-bug or search-bug? "),
            ("close the sailing trip", "That effort is concluded already."),
            ("close the auth and the login bug", unknown),
        ],
    );
    check(&NOTHING, &[("done with the garden", "Nothing is open now.")]);
}

#[test]
fn an_effort_may_be_called_like_a_word_that_means_the_active_one() {
    let given = Given { open: &["parser", "work", "it", "garden-wall", "chapter-3"], ..WORKING };
    let closes = |id: &str| format!("close_effort {}", json!({ "id": id }));
    let (work, wall, chapter) = (closes("work"), closes("garden-wall"), closes("chapter-3"));
    let garden = "Do you mean garden-wall? ";
    check(
        &given,
        &[
            ("I'm done with work", &work),
            ("close work", &work),
            ("finish Work, please", &work),
            ("we're done with the work", &work),
            ("close it", &closes("it")),
            ("We are done with it", &closes("it")),
            ("close this", "close_effort {}"),
            ("close garden", garden),
            ("done with the garden", garden),
            ("finish garden", garden),
            ("we're done with the garden", garden),
            ("close the work garden", garden),
            ("close Garden Wall", &wall),
            ("we're done with the garden-wall effort", &wall),
            ("close chapter 3", &chapter),
            ("done with chapter 3", &chapter),
        ],
    );
    let parser = Given { open: &["parser"], ..WORKING };
    let unknown = "I know of no open effort of that name. Open now: parser.";
    check(
        &parser,
        &[
            ("I'm done with work", unknown),
            ("finish work", unknown),
            ("done with my work", unknown),
            ("That's it for work", "I am not sure whether that concludes parser."),
            ("we're done with this work", "close_effort {}"),
            ("close the old parser", "Do you mean parser? "),
            ("close it", "close_effort {}"),
        ],
    );
}

#[test]
fn a_doubt_a_question_or_a_condition_concludes_nothing() {
    check_no_call(
        &WORKING,
        &[
            "I'm not done",
            "Is it done?",
            "We are not done yet",
            "almost done",
            "That didn't fix it",
            "Did that fix it?",
            "If that fixed it, we can ship",
            "When we're done, remind us",
            "I'm done for today",
            "The migration step is done",
            "That should be done tomorrow",
            "Nothing is done",
            "It isn't fixed",
            "It is never finished",
            "Are we done?",
            "I'm done reading the file",
            "Once it works, we close it",
            "not settled",
            "Is the auth bug fixed?",
            "I hope that fixed it",
        ],
    );
}

#[test]
fn going_back_switches_or_reopens() {
    let switch = r#"switch_effort {"id":"sailing-trip"}"#;
    check(
        &WORKING,
        &[
            ("Back to the sailing trip", switch),
            ("let's go back to sailing", switch),
            ("switch to the trip", switch),
            ("Let's return to the sailing trip, please", switch),
            ("Okay, let's continue with the sailing trip", switch),
            ("Let's work on the sailing trip", switch),
            ("can we switch to sailing-trip?", switch),
            ("Back to the auth bug", "We are already on auth-bug"),
        ],
    );
    let reopen = r#"reopen_effort {"id":"auth-bug"}"#;
    check(
        &CONCLUDED,
        &[
            ("Reopen the auth bug", reopen),
            ("Let's pick up the auth bug again", reopen),
            ("let's continue with the auth bug", reopen),
            ("I want to go on with the auth bug, it is back", reopen),
            ("Let's work on the auth bug again", reopen),
            ("Let's debug the auth bug", reopen),
            ("back to auth", reopen),
            ("Reopen the tax return", r#"search_efforts {"query":"tax return"}"#),
        ],
    );
    check_no_call(
        &WORKING,
        &["I'll get back to you", "back to work", "continue", "I went back to bed"],
    );
}

#[test]
fn the_state_of_the_work_is_asked_for_in_many_ways() {
    let all = "effort_status {}";
    check(
        &WORKING,
        &[
            ("What am I working on?", all),
            ("what are we working on right now", all),
            ("Which efforts are open?", all),
            ("status", all),
            ("Status?", all),
            ("where were we?", all),
            ("List my efforts", all),
            ("what's still open?", all),
            ("what have we talked about so far?", all),
            ("status of the sailing trip", r#"effort_status {"id":"sailing-trip"}"#),
            ("What is the status of the auth bug?", r#"effort_status {"id":"auth-bug"}"#),
        ],
    );
}

#[test]
fn a_question_that_a_summary_answers_is_answered_from_it() {
    let auth = "From the summary of auth-bug: Debugged 401 errors. Root cause";
    let trip = "From the summary of sailing-trip: Planned two weeks";
    check(
        &CONCLUDED,
        &[
            ("What was the fix for the auth bug?", auth),
            ("what was the fix for the auth thing", auth),
            ("Remind me what we decided on the sailing trip", trip),
            ("do you remember the auth bug?", auth),
            ("How did we fix the 401 errors?", auth),
            ("How much was the boat?", trip),
            ("What about the refresh tokens?", auth),
            ("tell me about the sailing trip", trip),
            ("When do we go to Norway?", trip),
        ],
    );
}

#[test]
fn a_question_about_something_that_is_not_shown_is_searched_for() {
    check(
        &CONCLUDED,
        &[
            (
                "What did we decide about the kitchen tiles?",
                r#"search_efforts {"query":"decide kitchen tiles"}"#,
            ),
            ("Remind me what the tax deadline was", r#"search_efforts {"query":"tax deadline"}"#),
            ("Do you remember the wedding menu?", r#"search_efforts {"query":"wedding menu"}"#),
            ("search for database migration", r#"search_efforts {"query":"database migration"}"#),
            ("Find what we said about curry", r#"search_efforts {"query":"curry"}"#),
            (
                "Which port does the staging server use?",
                r#"search_efforts {"query":"port staging server use"}"#,
            ),
            (
                "Show me the full log of the curry recipe",
                r#"search_efforts {"query":"curry recipe"}"#,
            ),
        ],
    );
}

#[test]
fn details_are_expanded_and_an_expanded_log_is_collapsed_on_request() {
    let expand = r#"expand_effort {"id":"auth-bug"}"#;
    check(
        &CONCLUDED,
        &[
            ("Show me the details of the auth bug", expand),
            ("What exactly was the fix for the auth bug?", expand),
            ("expand auth-bug", expand),
            ("Give me everything about the auth bug", expand),
            ("I need the full log of the auth bug", expand),
            ("What did we say about the auth bug, word for word?", expand),
        ],
    );
    let collapse = r#"collapse_effort {"id":"auth-bug"}"#;
    check(
        &EXPANDED,
        &[
            ("Collapse the auth bug", collapse),
            ("hide auth-bug", collapse),
            ("That's enough of the auth bug", collapse),
            ("collapse it", collapse),
            ("Can you collapse it again?", collapse),
            ("That's enough, thanks", collapse),
        ],
    );
    check(&CONCLUDED, &[("collapse it", "Nothing is expanded")]);
}

#[test]
fn an_expanded_or_open_log_answers_by_itself() {
    check(
        &EXPANDED,
        &[
            (
                "What was the fix for the auth bug?",
                "In the log: The fix is an axios interceptor in src/api/client.ts.",
            ),
            ("Since which release did the auth bug happen?", "In the log: Since release 4.2"),
            ("What exactly was never called?", "In the log: the refresh endpoint is never called."),
        ],
    );
    check(
        &WORKING,
        &[("After how long did the token expire?", "In the log: The token expires after an hour.")],
    );
}
