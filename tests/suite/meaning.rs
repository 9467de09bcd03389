//! Texts compared by their meaning: found again is what says the same in other words, if a server for that is set;
//! without it, and with one that fails, everything is as before.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ebbtide::llm::{Embedder, Endpoint, Protocol, Secret};
use ebbtide::orchestrator::{Handle, Notice, Op, TurnReport};
use ebbtide::tools::Call;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::cli::Home;
use super::recall::{QUESTION, session};
use super::support::driver::{client, drive_with};
use super::support::server::{Reply, Server};

/// Shares no word with the effort that it means, `auth-bug`: "Fixed random logouts."
const PARAPHRASE: &str = "Why were people thrown from their accounts?";

/// What words are about; words of no such thing have little to do with anything.
const ABOUT: [&[&str]; 3] = [
    &["logouts", "auth", "thrown", "accounts", "login"],
    &["dough", "bread", "baked", "loaf", "flour"],
    &["clock", "chrony", "late", "behind"],
];

fn vector(text: &str) -> Vec<f64> {
    let mut vector = vec![0.01; ABOUT.len() + 16];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        match ABOUT.iter().position(|words| words.contains(&word)) {
            Some(about) => vector[about] += 1.0,
            None => vector[ABOUT.len() + word.len() % 16] += 0.2,
        }
    }
    vector
}

/// The texts of a request for vectors.
fn inputs(body: &Value) -> Vec<String> {
    let texts = body["input"].as_array().expect("a list of texts");
    texts.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// The answer of an honest server, in both forms, its vectors in reverse.
fn vectors(body: &Value) -> Reply {
    let all: Vec<Vec<f64>> = inputs(body).iter().map(|text| vector(text)).collect();
    if body.get("encoding_format").is_none() {
        return Reply::json(&json!({"model": body["model"], "embeddings": all}));
    }
    let one = |(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector});
    let data: Vec<Value> = all.into_iter().enumerate().map(one).rev().collect();
    Reply::json(&json!({"object": "list", "data": data, "usage": {"prompt_tokens": 9}}))
}

/// A server that chats and makes vectors.
fn server() -> Server {
    let server = Server::following(|_| Reply::text("I see."));
    for path in ["/v1/embeddings", "/api/embed"] {
        server.answer_by(path, vectors);
    }
    server
}

/// The requests for vectors that came.
fn asked(server: &Server) -> Vec<Value> {
    let received = server.received().into_iter();
    received.filter(|one| one.path.contains("embed")).map(|one| one.body).collect()
}

/// A session under way, and what the person was told.
struct Chat {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    told: Vec<String>,
}

impl Chat {
    fn open(directory: &Path, endpoint: Endpoint, set: &[(&str, &str)]) -> Self {
        let (handle, notices) = drive_with(directory, client(endpoint), set);
        Self { handle, notices, told: Vec::new() }
    }

    fn with(directory: &Path, server: &Server) -> Self {
        let endpoint = Endpoint::new(server.base_url(), "strict");
        Self::open(directory, endpoint, &[("embedding_model", "meaning")])
    }

    async fn say(&mut self, message: &str) -> TurnReport {
        self.handle.send(Op::Send(message.to_owned()));
        loop {
            match self.notices.recv().await.expect("the driver lives") {
                Notice::TurnEnded(report) => return *report,
                Notice::TurnStopped(stopped) => panic!("the turn ends well: {stopped:?}"),
                Notice::Info(text) => self.told.push(text),
                _ => {}
            }
        }
    }

    async fn recalls(&mut self, message: &str) -> Vec<(String, String)> {
        let given = self.say(message).await.given.recalled;
        given.into_iter().map(|one| (one.id.to_string(), one.cause)).collect()
    }

    async fn search(&mut self, query: &str) -> String {
        let query = query.to_owned();
        self.handle.send(Op::Run(Call::SearchEfforts { query, all: false, page: 1 }));
        loop {
            if let Notice::CommandDone { text, .. } = self.notices.recv().await.unwrap() {
                return text;
            }
        }
    }

    async fn close(mut self) {
        self.handle.send(Op::Shutdown);
        while !matches!(self.notices.recv().await, Some(Notice::Closed) | None) {}
    }
}

fn meant(id: &str) -> Vec<(String, String)> {
    vec![(id.to_owned(), "its meaning".to_owned())]
}

#[tokio::test]
async fn what_says_the_same_in_other_words_is_found_only_if_texts_are_compared() {
    for protocol in [Protocol::Chat, Protocol::Ollama] {
        let dir = tempfile::tempdir().unwrap();
        session(dir.path());
        let server = server();
        let endpoint = Endpoint { protocol, ..Endpoint::new(server.base_url(), "strict") };
        let mut off = Chat::open(dir.path(), endpoint.clone(), &[]);
        assert_eq!(off.search("thrown out").await, "Nothing matches; try other words.");
        assert_eq!(off.recalls(PARAPHRASE).await, [], "{protocol:?}");
        off.close().await;
        assert!(asked(&server).is_empty(), "nobody is asked where no model is set");
        let mut on = Chat::open(dir.path(), endpoint, &[("embedding_model", "meaning")]);
        assert_eq!(on.recalls(PARAPHRASE).await, meant("auth-bug"), "{protocol:?}");
        assert!(on.search("thrown out").await.contains("auth-bug"), "{protocol:?}");
        assert_eq!(asked(&server)[0]["model"], "meaning");
        assert!(on.told.is_empty(), "{:?}", on.told);
        on.close().await;
    }
}

#[tokio::test]
async fn small_talk_is_not_compared_or_recalls_nothing_and_words_still_find() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    let mut chat = Chat::with(dir.path(), &server);
    let talk = ["Thanks, that helps a lot!", "hm", "How are you?", "How does a lighthouse work?"];
    for small_talk in talk {
        assert_eq!(chat.recalls(small_talk).await, [], "{small_talk}");
    }
    assert!(asked(&server).is_empty(), "{:?}", asked(&server));
    for other in ["Which museum did we visit on Sunday?", "What was the score of the match?"] {
        assert_eq!(chat.recalls(other).await, [], "{other}");
    }
    assert_eq!(asked(&server).len(), 2);
    let found = chat.recalls(QUESTION).await;
    assert_eq!(found[0].0, "auth-bug");
    assert!(found[0].1.contains("'node'"), "{found:?}");
    chat.close().await;
}

#[tokio::test]
async fn a_text_is_sent_once_and_a_long_one_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    let mut chat = Chat::with(dir.path(), &server);
    let long = format!("Who was thrown out? {}", "cæfe ".repeat(500));
    for message in [PARAPHRASE, "Whose accounts were not reachable?", PARAPHRASE, &long] {
        chat.say(message).await;
    }
    let asked: Vec<Vec<String>> = asked(&server).iter().map(inputs).collect();
    assert!(asked[0].len() > 16 && asked[0].contains(&PARAPHRASE.to_owned()));
    assert_eq!(asked[1].len(), 2, "the question, and what was said a turn ago: {:?}", asked[1]);
    let mut all = asked.concat();
    let cut = all.iter().find(|text| text.contains("cæfe")).expect("it is compared");
    assert!((1_997..=2_000).contains(&cut.len()), "{}", cut.len());
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count, "{asked:?}");
    chat.close().await;
}

/// One answer for each way in which it can go wrong, and what is told of it.
fn failures() -> Vec<(Reply, &'static str)> {
    let vectors = |vectors: Value| Reply::json(&json!({"embeddings": vectors}));
    let many =
        |one: Value| json!([json!([1, 2]), one].into_iter().cycle().take(19).collect::<Vec<_>>());
    vec![
        (Reply::status(404, r#"{"error":"model not found"}"#), "404"),
        (Reply::status(401, r#"{"error":"no key"}"#), "401"),
        (Reply::status(500, "broken"), "500"),
        (Reply::status(307, "").header("location", "http://127.0.0.1:9/"), "moved"),
        (Reply::raw("<html>"), "cannot be read"),
        (Reply::nothing(), "no answer from"),
        (vectors(json!([[1, 2]])), "1 for 19"),
        (vectors(many(json!([1, 2, 3]))), "one length"),
        (vectors(many(json!([]))), "one length"),
        (vectors(many(json!([0, 0]))), "no direction"),
        (vectors(many(json!([null, 1]))), "cannot be read"),
        (Reply::raw("{\"embeddings\":[").cut(), "cut off"),
    ]
}

#[tokio::test]
async fn a_server_that_fails_is_told_once_asked_seldom_and_words_find_all_the_same() {
    for (failure, told) in failures() {
        let dir = tempfile::tempdir().unwrap();
        session(dir.path());
        let server = server();
        server.answer_at("/v1/embeddings", [failure]);
        let mut chat = Chat::with(dir.path(), &server);
        assert_eq!(chat.recalls(PARAPHRASE).await, [], "{told}");
        assert_eq!(chat.recalls(QUESTION).await[0].0, "auth-bug", "{told}");
        for _ in 0..4 {
            let found = chat.recalls(PARAPHRASE).await;
            assert!(found.iter().all(|(_, cause)| cause == "the question before"), "{told}");
        }
        assert_eq!(asked(&server).len(), 2, "{told}: not for each message");
        let all = chat.told.join("\n");
        assert_eq!(chat.told.len(), 1, "{all}");
        assert!(all.contains(told) && all.contains("found by its words"), "{all}");
        assert!(all.contains("doctor"), "{all}");
        chat.close().await;
    }
    let nobody = "http://127.0.0.1:9/v1";
    let (dir, server) = (tempfile::tempdir().unwrap(), server());
    session(dir.path());
    let endpoint = Endpoint::new(server.base_url(), "strict");
    let set = [("embedding_model", "meaning"), ("embedding_url", nobody)];
    let mut chat = Chat::open(dir.path(), endpoint, &set);
    assert_eq!(chat.recalls(QUESTION).await[0].0, "auth-bug");
    assert!(chat.told[0].contains("127.0.0.1:9"), "{:?}", chat.told);
    chat.close().await;
}

#[tokio::test]
async fn a_server_that_is_back_is_used_again() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    let is_away = Arc::new(AtomicBool::new(true));
    let away = Arc::clone(&is_away);
    server.answer_by("/v1/embeddings", move |body| {
        let reply = vectors(body);
        if away.load(Ordering::Relaxed) { Reply::status(503, "busy") } else { reply }
    });
    let mut chat = Chat::with(dir.path(), &server);
    assert_eq!(chat.recalls(PARAPHRASE).await, []);
    is_away.store(false, Ordering::Relaxed);
    for _ in 0..4 {
        assert_eq!(chat.recalls(PARAPHRASE).await, [], "it rests");
    }
    assert_eq!(chat.recalls(PARAPHRASE).await, meant("auth-bug"));
    chat.close().await;
}

#[tokio::test]
async fn a_server_that_never_answers_is_waited_for_so_long_and_not_longer() {
    let server = server();
    server.answer_at("/v1/embeddings", [Reply::raw("{").hang()]);
    let embedder = Embedder::beside(&Endpoint::new(server.base_url(), "m"), "e", None);
    let texts = ["a".to_owned()];
    let late = embedder.ok().unwrap().embed(&texts, Duration::from_millis(30)).await.unwrap_err();
    assert!(late.to_string().contains("for 0 seconds"), "{late}");
}

#[tokio::test]
async fn a_cancel_ends_the_turn_while_texts_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    server.answer_by("/v1/embeddings", |_| Reply::raw("{").hang());
    let mut chat = Chat::with(dir.path(), &server);
    chat.handle.send(Op::Send(PARAPHRASE.to_owned()));
    server.wait_for_requests(1).await;
    chat.handle.send(Op::Cancel);
    loop {
        match chat.notices.recv().await.unwrap() {
            Notice::TurnStopped(stopped) => break assert_eq!(stopped.error, None),
            Notice::TurnEnded(report) => panic!("{report:?}"),
            _ => {}
        }
    }
    server.wait_for_hang_ups(1).await;
    assert!(server.requests().is_empty(), "no request for an answer went out");
    chat.close().await;
}

#[tokio::test]
async fn what_was_recalled_is_told_again_without_asking_anybody() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    let mut chat = Chat::with(dir.path(), &server);
    let report = chat.say(PARAPHRASE).await;
    let effort = |report: &TurnReport| {
        report.memory.warm.iter().map(|item| item.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(effort(&report), ["auth-bug"], "it counts as mentioned");
    let turn = report.turn;
    chat.say("Thanks!").await;
    let count = asked(&server).len();
    chat.handle.send(Op::LookBack(Some(turn)));
    let past = loop {
        if let Notice::Past(past) = chat.notices.recv().await.unwrap() {
            break past;
        }
    };
    let then = past.window.items.iter().map(|item| &*item.content).collect::<String>();
    assert!(then.contains("Fixed random logouts."), "{then}");
    for op in [Op::Undo, Op::Redo] {
        chat.handle.send(op);
        while !matches!(chat.notices.recv().await.unwrap(), Notice::CommandDone { .. }) {}
    }
    chat.close().await;
    let mut again = Chat::with(dir.path(), &server);
    let view = again.say("Nice weather.").await;
    assert_eq!(effort(&view), ["auth-bug"], "and after a restart");
    assert_eq!(asked(&server).len(), count);
    again.close().await;
}

#[tokio::test]
async fn the_key_of_the_chat_goes_to_its_own_server_only() {
    const KEY: &str = "sk-very-secret-key-1";
    for is_own in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        session(dir.path());
        let (chats, others) = (server(), server());
        let api_key = Some(Secret::new(KEY));
        let endpoint = Endpoint { api_key, ..Endpoint::new(chats.base_url(), "strict") };
        let at = if is_own { &chats } else { &others };
        let url = at.base_url();
        let set = [("embedding_model", "meaning"), ("embedding_url", &url)];
        let mut chat = Chat::open(dir.path(), endpoint, &set);
        chat.say(PARAPHRASE).await;
        chat.close().await;
        let all = at.received();
        let request = all.iter().find(|one| one.path.contains("embed")).expect("it is asked");
        assert_eq!(format!("{request:?}").contains(KEY), is_own);
    }
}

#[test]
fn the_doctor_asks_the_server_for_vectors_where_a_model_is_set() {
    let (home, server) = (Home::new(), server());
    let url = server.base_url();
    let doctor = |set: &[&str]| {
        let set = set.iter().flat_map(|one| ["--set", one]);
        let line = ["doctor", "--base-url", &url, "-m", "strict"].into_iter().chain(set);
        home.run(&line.collect::<Vec<_>>(), &[]).0
    };
    assert!(!doctor(&[]).contains("embedding") && asked(&server).is_empty());
    let found = doctor(&["embedding_model=meaning"]);
    let told = format!("ok  embeddings meaning at {} makes vectors of 19", server.address());
    assert!(found.contains(&told), "{found}");
    let nobody = doctor(&["embedding_model=meaning", "embedding_url=http://127.0.0.1:9"]);
    assert!(nobody.contains("!!  embeddings could not connect to 127.0.0.1:9"), "{nobody}");
    assert!(nobody.contains("ollama pull"), "{nobody}");
    assert!(!doctor(&["embedding_model=meaning", "offline=true"]).contains("embeddings"));
}

#[test]
fn an_address_that_is_none_is_told_and_nobody_is_asked_for_vectors() {
    let (home, server) = (Home::new(), server());
    let url = server.base_url();
    let say = |more: &[&str]| {
        let line = [&["--base-url", &url, "-m", "strict", "-p", "Where was it?"], more].concat();
        let (_, err, code) = home.run(&line, &[]);
        assert!(err.contains("embedding_url") && err.contains("http://"), "{err}");
        (err, code)
    };
    assert_ne!(say(&["--set", "embedding_url=nonsense"]).1, 0);
    assert!(server.received().is_empty());
    // A line of the file stops nobody: the words find what was said, and no other server is sent it.
    home.write_config("embedding_model = \"meaning\"\nembedding_url = \"ftp://h\"\n");
    let (err, code) = say(&[]);
    assert!(code == 0 && err.contains("found by its words alone"), "{err}");
    assert_eq!((server.requests().len(), asked(&server)), (1, Vec::new()));
}

#[tokio::test]
async fn looking_at_what_would_be_sent_asks_nobody_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let server = server();
    for (set, says_so) in [(&[("embedding_model", "meaning")][..], true), (&[], false)] {
        let endpoint = Endpoint::new(server.base_url(), "strict");
        let mut chat = Chat::open(dir.path(), endpoint, set);
        for (draft, may_be_meant) in [(PARAPHRASE, true), ("hm", false)] {
            chat.handle.send(Op::Inspect(draft.to_owned()));
            let inspection = loop {
                if let Notice::Inspection(shown) = chat.notices.recv().await.unwrap() {
                    break shown;
                }
            };
            assert_eq!(inspection.asks_meaning, says_so && may_be_meant, "{draft}");
        }
        chat.close().await;
    }
    assert!(asked(&server).is_empty(), "{:?}", asked(&server));
}
