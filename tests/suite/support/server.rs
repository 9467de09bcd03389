//! A small, strict, OpenAI-compatible server on this machine, in a thread of its own.
//!
//! It checks each request as the strictest known provider would, answers 400 to a bad one, and
//! panics when it is dropped after one, so that every test of the program also tests the protocol.
//! Replies come from a queue, or from a rule that plays a model:
//!
//! ```ignore
//! let server = Server::replying([Reply::text("Hello."), Reply::status(500, "broken")]);
//! let server = Server::following(|request| Reply::text(format!("{} messages", request["messages"].as_array().unwrap().len())));
//! run_program(&["--base-url", &server.base_url()]);
//! assert_eq!(server.requests().len(), 2);
//! ```

mod dialect;
mod hostile;
mod http;
mod reply;
mod strict;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub(crate) use reply::{CallStyle, Reply, chunk, content};

/// What one connection asked for.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Received {
    /// A header's value, by its lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The path alone.
    fn path(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// The newest words of the user in a request, without the memory block in front of them.
pub(crate) fn said(request: &Value) -> String {
    let messages = request["messages"].as_array().expect("messages");
    let user = messages.iter().rev().find(|message| message["role"] == "user");
    let content = user.and_then(|user| user["content"].as_str()).unwrap_or_default();
    let block = ebbtide::memory::memory_block("");
    let last_line = block.lines().last().expect("a block has lines");
    let words = content.split_once(&format!("{last_line}\n"));
    words.map_or(content, |(_, words)| words).to_owned()
}

type Rule = Box<dyn Fn(&Value) -> Reply + Send + Sync>;

/// Where the replies come from.
enum Source {
    Queue(VecDeque<Reply>),
    Rule(Arc<Rule>),
}

/// What the server's thread and its handle share.
struct Shared {
    source: Mutex<Source>,
    models: Mutex<Vec<String>>,
    /// What is answered at paths at which no model is asked: in order, the last one again and again.
    beside: Mutex<BTreeMap<&'static str, VecDeque<Reply>>>,
    /// What is answered at such a path by a rule from request to reply.
    beside_by: Mutex<BTreeMap<&'static str, Rule>>,
    /// Words of a request that are refused, and how.
    refusal: Mutex<Option<(&'static str, Reply)>>,
    received: Mutex<Vec<Received>>,
    violations: Mutex<Vec<String>>,
    /// Counts (requests received, replies given up because the client went away).
    progress: watch::Sender<(usize, usize)>,
}

/// The running server; stops when dropped, and fails the test if a request was bad.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server without replies; queue them with [`Server::push`].
    pub(crate) fn start() -> Self {
        Self::replying([])
    }

    /// A server that gives these replies, one a request, in order.
    pub(crate) fn replying(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with_source(Source::Queue(replies.into_iter().collect()))
    }

    /// A server whose model is a rule from request to reply.
    pub(crate) fn following(rule: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> Self {
        Self::with_source(Source::Rule(Arc::new(Box::new(rule))))
    }

    /// A server that gives this refusal to every request in which these words stand, and answers others.
    pub(crate) fn refusing(words: &'static str, refusal: Reply) -> Self {
        let server = Self::following(|_| Reply::text("Hello"));
        *lock(&server.shared.refusal) = Some((words, refusal));
        server
    }

    fn with_source(source: Source) -> Self {
        let shared = Arc::new(Shared {
            source: Mutex::new(source),
            models: Mutex::new(vec!["test-model".to_owned()]),
            beside: Mutex::default(),
            beside_by: Mutex::default(),
            refusal: Mutex::default(),
            received: Mutex::default(),
            violations: Mutex::default(),
            progress: watch::channel((0, 0)).0,
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = watch::channel(false);
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || run(listener, for_thread, stopped));
        Self { address, shared, stop, thread: Some(thread) }
    }

    /// The address for `--base-url`.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// Queues one more reply.
    pub(crate) fn push(&self, reply: Reply) {
        match &mut *lock(&self.shared.source) {
            Source::Queue(queue) => queue.push_back(reply),
            Source::Rule(_) => panic!("this server follows a rule and has no queue"),
        }
    }

    /// Sets what `GET /v1/models` lists.
    pub(crate) fn set_models(&self, models: &[&str]) {
        *lock(&self.shared.models) = models.iter().map(|&name| name.to_owned()).collect();
    }

    /// Sets what `GET /v1/models` answers instead of a list.
    pub(crate) fn answer_models_with(&self, reply: Reply) {
        self.answer_at("/v1/models", [reply]);
    }

    /// Sets what is answered at a path at which no model is asked: in order, the last one again and again.
    pub(crate) fn answer_at(&self, path: &'static str, replies: impl IntoIterator<Item = Reply>) {
        lock(&self.shared.beside).insert(path, replies.into_iter().collect());
    }

    /// Sets a rule for what is answered at a path at which no model is asked.
    pub(crate) fn answer_by(
        &self,
        path: &'static str,
        rule: impl Fn(&Value) -> Reply + Send + Sync + 'static,
    ) {
        lock(&self.shared.beside_by).insert(path, Box::new(rule));
    }

    /// The bodies of all chat requests so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let received = lock(&self.shared.received);
        let chats = received.iter().filter(|one| one.method == "POST" && is_chat(one.path()));
        chats.map(|one| one.body.clone()).collect()
    }

    /// All that was received so far, headers included.
    pub(crate) fn received(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// Replies that were not asked for yet.
    pub(crate) fn replies_left(&self) -> usize {
        match &*lock(&self.shared.source) {
            Source::Queue(queue) => queue.len(),
            Source::Rule(_) => 0,
        }
    }

    /// Takes the violations, for tests that provoke them; those left over fail the test.
    pub(crate) fn take_violations(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.shared.violations))
    }

    /// Waits until this many chat requests arrived; fails the test after ten seconds.
    pub(crate) async fn wait_for_requests(&self, count: usize) {
        self.wait(|(requests, _)| requests >= count, "requests").await;
    }

    /// Waits until the client went away during this many replies; fails the test after ten seconds.
    pub(crate) async fn wait_for_hang_ups(&self, count: usize) {
        self.wait(|(_, hang_ups)| hang_ups >= count, "hang-ups").await;
    }

    async fn wait(&self, reached: impl Fn((usize, usize)) -> bool, what: &str) {
        let mut progress = self.shared.progress.subscribe();
        let waiting = progress.wait_for(|&counts| reached(counts));
        let waited = tokio::time::timeout(Duration::from_secs(10), waiting).await;
        assert!(waited.is_ok(), "the server saw too few {what}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        let ended = self.thread.take().map(JoinHandle::join);
        if std::thread::panicking() {
            return;
        }
        assert!(matches!(ended, Some(Ok(()))), "the fake server itself failed");
        let violations = self.take_violations();
        assert!(violations.is_empty(), "requests that a provider would refuse: {violations:#?}");
    }
}

impl Shared {
    /// Decides the reply to a chat request, after checking it, in the protocol in which it came.
    fn chat(&self, received: &Received) -> Reply {
        if let Some((words, refusal)) = &*lock(&self.refusal)
            && received.body.to_string().contains(words)
        {
            return refusal.clone();
        }
        let Some(dialect) = dialect::of_path(received.path()) else {
            if let Some(words) = strict::thinks_beside_tools(&received.body) {
                return Reply::status(400, &words);
            }
            let violations = strict::violations(&received.body);
            return match self.refused(violations) {
                Some(text) => Reply::status(400, &error_body(&text)),
                None => self.reply(&received.body).measuring(&received.body),
            };
        };
        let request = dialect.as_chat(&received.body);
        let mut violations = dialect.violations(received);
        violations.extend(strict::violations(&request));
        match self.refused(violations) {
            Some(text) => Reply::status(400, &dialect.refusal(&text)),
            None => dialect::translated(dialect, self.reply(&request), &received.body),
        }
    }

    /// Notes what is wrong with a request; the words for it, if anything is.
    fn refused(&self, violations: Vec<String>) -> Option<String> {
        let text = (!violations.is_empty()).then(|| violations.join("; "));
        lock(&self.violations).extend(violations);
        text
    }

    fn reply(&self, request: &Value) -> Reply {
        let rule = match &mut *lock(&self.source) {
            Source::Rule(rule) => Arc::clone(rule),
            Source::Queue(queue) => {
                return queue.pop_front().unwrap_or_else(|| {
                    lock(&self.violations)
                        .push("a request came for which no reply was queued".to_owned());
                    Reply::status(400, &error_body("no reply queued"))
                });
            }
        };
        rule(request)
    }

    fn beside(&self, path: &str) -> Reply {
        let mut beside = lock(&self.beside);
        let replies = beside.get_mut(path).expect("it is there");
        let next = if replies.len() > 1 { replies.pop_front() } else { replies.front().cloned() };
        next.expect("there is always one")
    }

    /// Answers any request.
    fn respond(&self, received: &Received) -> Reply {
        lock(&self.received).push(received.clone());
        match (received.method.as_str(), received.path()) {
            ("POST", path) if is_chat(path) => {
                let reply = self.chat(received);
                self.progress.send_modify(|(requests, _)| *requests += 1);
                reply
            }
            (_, path) if lock(&self.beside).contains_key(path) => self.beside(path),
            (_, path) if lock(&self.beside_by).contains_key(path) => {
                let reply = lock(&self.beside_by)[path](&received.body);
                self.progress.send_modify(|(requests, _)| *requests += 1);
                reply
            }
            ("GET", "/v1/models") => {
                let models = lock(&self.models);
                let data: Vec<Value> = models
                    .iter()
                    .map(|name| serde_json::json!({"id": name, "object": "model"}))
                    .collect();
                Reply::json(&serde_json::json!({"object": "list", "data": data}))
            }
            (_, path) => Reply::status(404, &error_body(&format!("no such path: {path}"))),
        }
    }
}

/// Whether a model is asked at this path.
fn is_chat(path: &str) -> bool {
    path == "/v1/chat/completions" || dialect::of_path(path).is_some()
}

fn error_body(message: &str) -> String {
    serde_json::json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The server's thread: accepts until it is stopped.
fn run(listener: std::net::TcpListener, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async move {
        let listener = TcpListener::from_std(listener).unwrap();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopped.wait_for(|&stop| stop) => return,
            };
            if let Ok((socket, _)) = accepted {
                tokio::spawn(http::serve(socket, Arc::clone(&shared)));
            }
        }
    });
    // Replies that hang or pause end with their runtime.
    runtime.shutdown_background();
}
