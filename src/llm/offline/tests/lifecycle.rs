//! The whole life of an effort in natural language, against the real memory.

use std::collections::BTreeMap;

use super::*;
use crate::memory::tests::Words;
use crate::memory::{
    ChangeKind, Exchange, Frame, Memory, Rejected, Role as Speaker, Rules, Tokens, Window,
};
use crate::prompt;
use crate::tools::{self, Call};

/// What a turn did.
#[derive(Debug, Default)]
struct Outcome {
    /// `tool argument`, in order.
    calls: Vec<String>,
    reply: String,
    changes: Vec<ChangeKind>,
}

/// A turn's driver, as small as can be: memory, its logs in place of files, and the model.
struct Session {
    memory: Memory,
    logs: BTreeMap<String, Vec<(Speaker, Arc<str>)>>,
}

impl Session {
    fn new() -> Self {
        Self::under(Rules::default())
    }

    fn under(rules: Rules) -> Self {
        let tools = tools::definitions().to_string().into();
        let frame = Frame { system_prompt: prompt::system().into(), tools };
        let memory = Memory::new(rules, frame, Arc::new(Words));
        Self { memory, logs: BTreeMap::new() }
    }

    fn say(&mut self, user: &str) -> Outcome {
        self.memory.begin_turn();
        let mut outcome = Outcome::default();
        let mut rounds: Vec<Message> = Vec::new();
        let completion = loop {
            let mut messages = sent(&self.memory.window_with(user, Tokens(0)));
            messages.extend(rounds.iter().cloned());
            let completion = complete(request(Purpose::Chat, messages));
            let Some(call) = completion.calls.first() else { break completion };
            let result = self.run(user, call, &mut outcome);
            rounds.push(Message {
                calls: completion.calls.clone(),
                ..Message::text(Role::Assistant, completion.text.clone())
            });
            rounds.push(Message::tool_result(call.id.clone(), result.to_string()));
        };
        if completion.aside {
            self.memory.set_aside();
        }
        let (user, assistant): (Arc<str>, Arc<str>) = (user.into(), completion.text.clone().into());
        let ended = self
            .memory
            .end_turn(&Exchange { user: Arc::clone(&user), assistant: Arc::clone(&assistant) });
        let log = ended.log.map_or_else(String::new, |id| id.to_string());
        let log = self.logs.entry(log).or_default();
        log.extend([(Speaker::User, user), (Speaker::Assistant, assistant)]);
        outcome.changes.extend(ended.changes.iter().map(|change| change.kind));
        Outcome { reply: completion.text, ..outcome }
    }

    fn run(&mut self, user: &str, call: &ToolCall, outcome: &mut Outcome) -> Value {
        let parsed = tools::parse(&call.name, &call.arguments).expect("a call that makes sense");
        let arguments: Value = serde_json::from_str(&call.arguments).expect("JSON");
        let argument =
            arguments.as_object().and_then(|a| a.values().next()).and_then(Value::as_str);
        outcome.calls.push(format!("{} {}", call.name, argument.unwrap_or_default()).trim().into());
        if let Call::SearchEfforts { query, .. } = &parsed {
            return self.search(query, outcome);
        }
        let change = match &parsed {
            Call::OpenEffort { name } => self.memory.open(name),
            Call::CloseEffort { id } => self.close(id.as_deref(), user),
            Call::ExpandEffort { id, .. } => self.memory.expand(id, self.logs[id].clone()),
            Call::CollapseEffort { id } => self.memory.collapse(id),
            Call::SwitchEffort { id } => self.memory.switch(id),
            Call::ReopenEffort { id } => self.memory.reopen(id, self.logs[id].clone()),
            _ => return json!({ "efforts": [] }),
        };
        match change {
            Ok(change) => {
                outcome.changes.push(change.kind);
                json!({ "id": change.subject.to_string() })
            }
            Err(error) => json!({ "error": error.to_string() }),
        }
    }

    fn close(&mut self, id: Option<&str>, user: &str) -> Result<crate::memory::Change, Rejected> {
        let source = self.memory.close_source(id, Some(user))?;
        let log = source.messages.iter().map(|m| (m.role.as_str(), &*m.content));
        let messages = prompt::summarize(log).into_iter().map(|(role, text)| {
            Message::text(if role == "system" { Role::System } else { Role::User }, text)
        });
        let summary = complete(request(Purpose::Summarize, messages.collect())).text;
        self.memory.conclude(&source, &summary)
    }

    /// Every effort that shares a word with the query, and the refresh that a search means.
    fn search(&mut self, query: &str, outcome: &mut Outcome) -> Value {
        let shares = |text: &str| {
            query
                .split(' ')
                .any(|word| text.to_lowercase().split(['-', ' ', '.']).any(|w| w == word))
        };
        let efforts = self.memory.efforts().to_vec();
        let mut results = Vec::new();
        for effort in efforts {
            let summary = effort.summary().unwrap_or_default();
            if shares(&summary) || shares(effort.id.as_str()) {
                let returned = self.memory.refresh(&effort.id, "searched for");
                outcome.changes.extend(returned.into_iter().map(|change| change.kind));
                results.push(json!({
                    "id": effort.id.as_str(), "summary": &*summary,
                    "status": effort.status.as_str(), "score": 1.0, "snippet": "",
                }));
            }
        }
        json!({ "query": query, "results": results })
    }

    /// Ids of the open efforts (active first), of warm summaries and of expanded efforts.
    fn state(&self) -> String {
        let ids = |ids: Vec<String>| ids.join(" ");
        let memory = &self.memory;
        format!(
            "open: {}; warm: {}; expanded: {}",
            ids(memory.open_efforts().rev().map(|e| e.id.to_string()).collect()),
            ids(memory.warm_efforts().map(|e| e.id.to_string()).collect()),
            ids(memory.expanded_efforts().map(|e| e.id.to_string()).collect()),
        )
    }
}

fn sent(window: &Window) -> Vec<Message> {
    let role = |speaker| match speaker {
        Speaker::System => Role::System,
        Speaker::User => Role::User,
        Speaker::Assistant => Role::Assistant,
    };
    let front = window.front_messages().map(|(speaker, text)| Message::text(role(speaker), text));
    let words = Arc::clone(&window.message().unwrap().content);
    let newest = Message { memory: window.block_text(), ..Message::text(Role::User, words) };
    front.chain([newest]).collect()
}

const SMALL_TALK: &[&str] = &[
    "I had soup for lunch.",
    "It is raining.",
    "My neighbour plays the piano.",
    "Nice music though.",
    "I slept well.",
    "The cat sat down on my keyboard.",
    "Coffee is ready.",
    "Hello again!",
];

#[test]
fn an_effort_lives_its_whole_life_in_natural_language() {
    let mut session = Session::new();
    assert!(session.say("Hi there!").reply.contains("no language model"));

    assert_eq!(session.say("Let's debug the auth bug").calls, ["open_effort auth-bug"]);
    for work in [
        "Users are thrown out with error 401 after about an hour of work in the web client.",
        "I looked around in the server log for quite a while, and there was nothing unusual in it.",
        "The root cause: the refresh token is never sent to the server.",
        "We fix it with an axios interceptor in src/api/client.ts that asks for a new one.",
    ] {
        assert_eq!(session.say(work).calls, [""; 0], "{work}");
    }
    assert_eq!(session.say("Let's plan my sailing trip").calls, ["open_effort sailing-trip"]);
    session.say("It should be Norway in June, two weeks, four people.");
    assert_eq!(session.state(), "open: sailing-trip auth-bug; warm: ; expanded: ");
    assert_eq!(session.say("Back to the auth bug").calls, ["switch_effort auth-bug"]);
    assert_eq!(
        session.say("What was the root cause?").reply,
        "In the log: The root cause: the refresh token is never sent to the server."
    );
    assert_eq!(session.say("That fixed it, thanks!").calls, ["close_effort"]);
    assert_eq!(session.state(), "open: sailing-trip; warm: auth-bug; expanded: ");
    let answer = session.say("What was the fix for the auth bug?");
    assert_eq!(answer.calls, [""; 0]);
    assert!(answer.reply.contains("axios interceptor"), "{}", answer.reply);
    let asked = session.say("We're done with the trip.");
    assert!(asked.calls.is_empty() && asked.reply.starts_with("Do you mean sailing-trip?"));
    assert_eq!(session.say("We're done with the sailing trip.").calls, ["close_effort"]);

    chat_until_evicted(&mut session);

    let found = session.say("What was the fix for the auth bug?");
    assert_eq!(found.calls, ["search_efforts fix auth bug"]);
    assert!(found.reply.contains("axios interceptor"), "{}", found.reply);
    assert_eq!(session.state(), "open: ; warm: auth-bug; expanded: ");

    let details =
        session.say("Which file exactly did we change for the auth bug? Show me the full log.");
    assert_eq!(details.calls, ["expand_effort auth-bug"]);
    assert!(details.reply.contains("src/api/client.ts"), "{}", details.reply);
    let drift: Vec<_> = SMALL_TALK.iter().take(3).map(|talk| session.say(talk).changes).collect();
    assert_eq!(drift, [vec![], vec![], vec![ChangeKind::EffortAutoCollapsed]]);
}

/// More than twenty turns of small talk, after which both summaries have left.
fn chat_until_evicted(session: &mut Session) {
    let mut evicted = 0;
    for talk in SMALL_TALK.iter().cycle().take(22) {
        let outcome = session.say(talk);
        assert_eq!(outcome.calls, [""; 0], "{talk}");
        evicted +=
            outcome.changes.iter().filter(|kind| **kind == ChangeKind::SummaryEvicted).count();
        assert!(!outcome.changes.contains(&ChangeKind::SummaryReturned), "{}", outcome.reply);
    }
    assert_eq!(evicted, 2);
    assert_eq!(session.state(), "open: ; warm: ; expanded: ");
}

#[test]
fn a_wish_that_may_be_a_topic_of_its_own_says_what_opens_one() {
    let mut session = Session::new();
    assert_eq!(session.say("Let's plan the trip to Lisbon").calls, ["open_effort trip-lisbon"]);
    let asked = session.say("Let's fix the printer");
    assert_eq!(asked.calls, [""; 0], "it may be a step");
    assert!(asked.reply.contains("under trip-lisbon; \"new topic: printer\""), "{}", asked.reply);
    let step = session.say("Let's book the flight to Lisbon");
    assert!(step.calls.is_empty() && !step.reply.contains("new topic"), "{}", step.reply);
    assert_eq!(session.say("new topic: printer").calls, ["open_effort printer"]);
}

#[test]
fn an_expanded_log_is_collapsed_and_a_concluded_effort_reopened_on_request() {
    let mut session = Session::new();
    session.say("I want to plan the garden shed");
    session.say("It costs 800 euros and stands behind the apple tree, because of the wind there.");
    session.say("Aunt Mary would like to see it from her window, she says, and so would I.");
    assert_eq!(session.say("OK, we're done here").calls, ["close_effort"]);
    assert_eq!(
        session.say("Give me the full log of the garden shed").calls,
        ["expand_effort garden-shed"]
    );
    assert_eq!(session.state(), "open: ; warm: ; expanded: garden-shed");
    assert_eq!(session.say("You can hide it now").calls, ["collapse_effort garden-shed"]);
    assert_eq!(
        session.say("Let's work on the garden shed again").calls,
        ["reopen_effort garden-shed"]
    );
    assert_eq!(session.state(), "open: garden-shed; warm: ; expanded: ");
    assert_eq!(session.say("done").calls, ["close_effort"]);
    assert_eq!(session.say("what am I working on?").calls, ["effort_status"]);
    assert_eq!(session.state(), "open: ; warm: garden-shed; expanded: ");
}

#[test]
fn in_a_first_session_of_ten_messages_something_is_concluded_ebbs_and_returns() {
    let rules = Rules { summary_eviction_threshold: 3, ..Rules::default() };
    for (messages, topic, detail) in FIRST_SESSIONS {
        let mut session = Session::under(rules);
        let outcomes: Vec<Outcome> = messages.iter().map(|message| session.say(message)).collect();
        let changes: Vec<ChangeKind> =
            outcomes.iter().flat_map(|outcome| outcome.changes.clone()).collect();
        let at = |kind| changes.iter().position(|change| *change == kind);
        let story = [
            at(ChangeKind::EffortOpened),
            at(ChangeKind::EffortConcluded),
            at(ChangeKind::SummaryEvicted),
            at(ChangeKind::SummaryReturned).or(at(ChangeKind::EffortExpanded)),
        ];
        assert!(story.iter().all(Option::is_some) && story.is_sorted(), "{topic}: {changes:?}");
        let last = &outcomes.last().unwrap().reply;
        assert!(last.contains(detail), "{topic}: {last}");
        let log = &session.logs[*topic];
        assert!(
            !log.iter().any(|(_, text)| text.contains("coffee") || text.contains("haha")),
            "{log:?}"
        );
    }
}

/// Messages of newcomers, the effort that they are about, and a word of the answer to the last one.
const FIRST_SESSIONS: &[(&[&str], &str, &str)] = &[
    (
        &[
            "Hello!",
            "My bike is broken, I would like to have it ready by Sunday",
            "The rear brake squeaks, and the cable is frayed near the lever.",
            "mm, coffee",
            "A new cable costs 9 euros at Velo Kurz, they close at 18:00.",
            "Put it in, brakes like new. Done!",
            "what a grey morning",
            "haha",
            "do you like cycling?",
            "What did the cable cost?",
        ],
        "bike",
        "9 euros",
    ),
    (
        &[
            "hi, what can you do?",
            "I'd like to organise a farewell party for Mira",
            "It is on Friday at 19:00 in the Blue Room, 24 people.",
            "Jonas brings the speakers, I order pizza for 180 euros.",
            "my coffee is cold",
            "That's it for the farewell party, all sorted",
            "is it going to rain?",
            "so tired today",
            "lol",
            "Who brings the speakers to the farewell party?",
        ],
        "farewell-party",
        "Jonas brings the speakers",
    ),
];

#[test]
fn the_label_over_a_text_that_is_held_by_reference_is_no_answer() {
    const PASTED: &str = "The tokens live for 15 minutes.\n\
        [Full input saved as ref:input: rows, 6,157 tokens, 11 chunks. Below is its beginning.]\nrow 0";
    let given = Given { open: &["auth-bug"], said: &[PASTED, "Noted: 15 minutes."], ..NOTHING };
    let answer = given.answer("What about the tokens?");
    assert!(answer.contains("15 minutes") && !answer.contains("chunks"), "{answer}");
}
