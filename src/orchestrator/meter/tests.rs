use futures_util::{FutureExt, StreamExt};

use super::*;
use crate::llm::scripted::{Scripted, ScriptedAnswer};
use crate::llm::{Completion, Error, Event};
use crate::memory::tests::Words;

/// Answers with a usage.
struct Telling(Usage);

impl Model for Telling {
    fn info(&self) -> ModelInfo {
        Scripted::new().info()
    }
    fn stream(&self, _: Request) -> EventStream {
        let done = Completion { usage: Some(self.0), ..Completion::default() };
        Box::pin(futures_util::stream::iter([Ok(Event::Done(done))]))
    }
}

fn request(purpose: llm::Purpose, words: &str) -> Request {
    Request {
        purpose,
        messages: vec![Message::text(Role::User, words)],
        tools: None,
        may_call: false,
        effort: None,
        budget: None,
        cache_key: None,
        keeps_hour: false,
        temperature: None,
        model: None,
    }
}

fn meter() -> Meter {
    Meter::new(Arc::new(Words), 300, &StoredBill::default())
}

fn usage(cached: Option<u64>) -> Usage {
    Usage { prompt: 1_000, completion: 20, cached, written: 0, hour: None }
}

#[tokio::test]
async fn a_request_that_failed_or_was_stopped_counts_if_its_prompt_was_read() {
    let (meter, script) = (meter(), Scripted::new());
    let model = meter.before(Arc::new(script.clone()));
    let broken = |text: &str| ScriptedAnswer {
        text: text.into(),
        error: Some(Error::Script("gone".into())),
        ..ScriptedAnswer::default()
    };
    let whole = ScriptedAnswer { text: "all of it".into(), ..ScriptedAnswer::default() };
    script.set_turn(1, vec![broken(""), broken("a b"), whole], vec!["sum".into()], Vec::new());
    let mut over = Vec::new();
    for words in ["one", "one two", "one two three"] {
        meter.expect(words.len() as u64, CacheKind::Prefix, 300);
        let mut events = model.stream(request(llm::Purpose::Chat, words));
        while events.next().await.is_some_and(|event| event.is_ok()) {}
        drop(events);
        over.push(meter.take());
    }
    let told: Vec<Vec<_>> = over
        .iter()
        .map(|some| some.iter().map(|it| (it.paid.prompt(), it.paid.output, it.is_cut)).collect())
        .collect();
    assert_eq!(told, [vec![], vec![(7, 2, true)], vec![(13, 3, false)]]);
    assert!(over.iter().flatten().all(|it| it.paid.estimated));
}

/// Sends some events, and then nothing more.
struct Stalling(Vec<Event>);

impl Model for Stalling {
    fn info(&self) -> ModelInfo {
        Scripted::new().info()
    }
    fn stream(&self, _: Request) -> EventStream {
        let events = self.0.clone().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events).chain(futures_util::stream::pending()))
    }
}

#[tokio::test]
async fn a_request_that_was_dropped_counts_if_a_server_may_charge_for_it() {
    use llm::Purpose::{Chat, Compress};
    let word = || vec![Event::Text("well".into())];
    let again = Event::Retrying {
        wait: std::time::Duration::from_secs(9),
        attempt: 1,
        reason: "refused".into(),
    };
    for (purpose, events, polls, counts) in [
        (Chat, vec![], 0, false),
        (Chat, vec![], 1, true),
        (Chat, vec![again], 2, false),
        (Chat, word(), 1, true),
        (Compress, vec![], 1, false),
        (Compress, word(), 1, true),
    ] {
        let meter = meter();
        let mut stream =
            meter.before(Arc::new(Stalling(events.clone()))).stream(request(purpose, "one"));
        for _ in 0..polls {
            let _ = stream.next().now_or_never();
        }
        drop(stream);
        let over = meter.take();
        assert_eq!(over.len(), usize::from(counts), "{purpose:?} {events:?} {polls}");
        assert!(over.iter().all(|it| it.is_cut && it.paid.prompt() == 1));
    }
}

#[tokio::test]
async fn an_answer_that_broke_off_is_billed_by_what_the_server_told_before() {
    let told = Event::Usage(Usage {
        prompt: 3_000,
        completion: 0,
        cached: Some(100),
        written: 2_900,
        hour: None,
    });
    let words = Event::Text("well then".into());
    let meter = meter();
    let model = meter.before(Arc::new(Stalling(vec![told, words])));
    let mut stream = model.stream(request(llm::Purpose::Chat, &"the same words ".repeat(800)));
    for _ in 0..2 {
        let _ = stream.next().now_or_never();
    }
    drop(stream);
    let it = &meter.take()[0];
    let paid = (it.paid.read, it.paid.written, it.paid.output, it.paid.estimated, it.is_cut);
    assert_eq!(paid, (100, 2_900, 2, true, true));
}

#[tokio::test]
async fn what_is_told_of_an_answer_that_broke_off_is_what_it_took() {
    let told =
        |completion| Usage { prompt: 3_000, completion, cached: Some(0), written: 0, hour: None };
    let events = [
        Event::Text("half ".into()),
        Event::Usage(told(1)),
        Event::Text("an answer".into()),
        Event::Usage(told(400)),
    ];
    let meter = meter();
    let model = meter.before(Arc::new(Stalling(events.to_vec())));
    let mut stream = model.stream(request(llm::Purpose::Chat, &"the same words ".repeat(800)));
    for _ in 0..4 {
        let _ = stream.next().now_or_never();
    }
    drop(stream);
    let it = &meter.take()[0];
    assert_eq!((it.paid.uncached, it.paid.output, it.paid.estimated), (3_000, 400, false));
}

#[tokio::test]
async fn an_answer_is_counted_where_the_count_of_its_prompt_cannot_be_true() {
    let words = "the same words ".repeat(4_000);
    for (told, output) in [
        (Some(Usage { prompt: 15, completion: 500, cached: None, written: 0, hour: None }), 500),
        (Some(Usage { prompt: 0, completion: 77, cached: None, written: 0, hour: None }), 77),
        (Some(Usage { prompt: 15, completion: 0, cached: None, written: 0, hour: None }), 3),
        (None, 3),
    ] {
        let done = Completion { text: "all of it".into(), usage: told, ..Completion::default() };
        let meter = meter();
        let model = meter.before(Arc::new(Stalling(vec![Event::Done(done)])));
        let mut stream = model.stream(request(llm::Purpose::Chat, &words));
        let _ = stream.next().await;
        let it = &meter.take()[0];
        let paid = (it.paid.prompt(), it.paid.output, it.paid.estimated);
        assert_eq!(paid, (Words.count(&words).0, output, true), "{told:?}");
    }
}

#[tokio::test]
async fn the_cache_of_another_model_is_cold() {
    for (model, cold) in [("scripted", false), ("another", true)] {
        let (last, model) = (Some(clock::seconds()), Some(model.to_owned()));
        let bill = StoredBill { last, model, ..StoredBill::default() };
        let meter = Meter::new(Arc::new(Words), 300, &bill);
        let counted = meter.before(Arc::new(Telling(usage(None))));
        let _: Vec<_> = counted.stream(request(llm::Purpose::Chat, "one")).collect().await;
        assert_eq!(meter.is_cold(), cold, "{bill:?}");
        let _: Vec<_> = counted.stream(request(llm::Purpose::Chat, "one")).collect().await;
        assert!(!meter.is_cold(), "it has answered since");
    }
}

#[tokio::test]
async fn what_memory_alone_asks_shortens_no_pause() {
    let (last, model) = (Some(clock::seconds() - 301), Some("scripted".to_owned()));
    let bill = StoredBill { last, model, ..StoredBill::default() };
    let meter = Meter::new(Arc::new(Words), 300, &bill);
    let counted = meter.before(Arc::new(Telling(usage(None))));
    for purpose in [llm::Purpose::Compress, llm::Purpose::Summarize, llm::Purpose::Chat] {
        let _: Vec<_> = counted.stream(request(purpose, "one")).collect().await;
    }
    assert!(meter.is_cold());
}

#[tokio::test]
async fn what_a_server_still_holds_after_a_pause_shows_that_it_forgot_nothing() {
    let ask = || request(llm::Purpose::Chat, &"the same words ".repeat(500));
    let first = meter();
    let _: Vec<_> = first.before(Arc::new(Telling(usage(Some(0))))).stream(ask()).collect().await;
    let (_, sent) = first.last_sent().unwrap();
    let at = clock::seconds() - 1_000;
    for (model, last, cached, kept) in [
        ("scripted", at, Some(1_000), true),
        ("scripted", at, Some(800), true),
        ("scripted", at, Some(400), false),
        ("scripted", at, Some(0), false),
        ("scripted", at, None, false),
        ("another", at, Some(1_000), false),
    ] {
        let model = Some(model.to_owned());
        let bill = StoredBill { last: Some(last), model, sent: sent.clone(), ..Default::default() };
        let meter = Meter::new(Arc::new(Words), 300, &bill);
        let counted = meter.before(Arc::new(Telling(usage(cached))));
        let _: Vec<_> = counted.stream(ask()).collect().await;
        assert!(meter.is_cold());
        assert_eq!(meter.take()[0].has_kept(), kept, "{cached:?}");
    }
}

#[tokio::test]
async fn only_what_a_server_began_to_answer_warms_its_cache() {
    let (meter, words) = (meter(), "the same words ".repeat(100));
    let script = Scripted::new();
    let refused = ScriptedAnswer {
        error: Some(Error::Script("connection refused".into())),
        ..ScriptedAnswer::default()
    };
    script.set_turn(1, vec![refused], vec![], vec![]);
    let told = usage(None);
    let models: [Arc<dyn Model>; 4] = [
        Arc::new(script),
        Arc::new(Telling(told)),
        Arc::new(Telling(told)),
        Arc::new(Stalling(vec![])),
    ];
    let mut read = Vec::new();
    for model in models {
        let mut stream = meter.before(model).stream(request(llm::Purpose::Chat, &words));
        let _ = stream.next().now_or_never();
        drop(stream);
        read.extend(meter.take().into_iter().map(|it| (it.paid.read, it.paid.uncached)));
    }
    let prompt = Words.count(&words).0;
    assert_eq!(read, [(0, 1_000), (1_000, 0), (prompt, 0)]);
}

#[tokio::test]
async fn a_count_that_cannot_be_true_is_estimated() {
    let words = "the same words ".repeat(1_000);
    let cases = [(3_000, 20, false), (1_000_000_000, 20, true), (100, 20, false), (0, 20, true)];
    let told = cases.map(|(prompt, completion, _)| Usage {
        prompt,
        completion,
        cached: Some(0),
        written: 0,
        hour: None,
    });
    for (usage, (prompt, _, estimated)) in told.into_iter().zip(cases) {
        let meter = meter();
        let model = meter.before(Arc::new(Telling(usage)));
        let _: Vec<_> = model.stream(request(llm::Purpose::Chat, &words)).collect().await;
        assert_eq!(meter.take()[0].paid.estimated, estimated, "{prompt}");
    }
    let huge =
        Usage { prompt: 3_000, completion: u64::MAX, cached: Some(0), written: 0, hour: None };
    let meter = meter();
    let model = meter.before(Arc::new(Telling(huge)));
    let _: Vec<_> = model.stream(request(llm::Purpose::Chat, &words)).collect().await;
    assert_eq!(meter.take()[0].paid.output, 0);
}

#[tokio::test]
async fn a_server_that_told_of_its_cache_once_is_believed_when_it_is_silent() {
    let meter = meter();
    let mut paid = Vec::new();
    for cached in [None, None, Some(640), None] {
        let model = meter.before(Arc::new(Telling(usage(cached))));
        let words = "the same words ".repeat(100);
        let _: Vec<_> = model.stream(request(llm::Purpose::Chat, &words)).collect().await;
        let it = meter.take()[0].paid;
        paid.push((it.read, it.uncached, it.output, it.estimated));
    }
    let guessed = [(0, 1_000, 20, true), (1_000, 0, 20, true)];
    assert_eq!(paid[..2], guessed);
    assert_eq!(paid[2..], [(640, 360, 20, false), (0, 1_000, 20, false)]);
}

/// Two signs a token in a text of digits, and eight in any other.
struct Dense;

impl CountTokens for Dense {
    fn count(&self, text: &str) -> crate::memory::Tokens {
        let each = if text.starts_with(|sign: char| sign.is_ascii_digit()) { 2 } else { 8 };
        crate::memory::Tokens((text.len() / each) as u64)
    }
}

#[tokio::test]
async fn what_is_read_again_is_counted_by_its_tokens_and_not_by_its_bytes() {
    let meter = Meter::new(Arc::new(Dense), 300, &StoredBill::default());
    let script = Scripted::new();
    let model = meter.before(Arc::new(script.clone()));
    let answer = || ScriptedAnswer { text: "well".into(), ..ScriptedAnswer::default() };
    script.set_turn(1, vec![answer(), answer()], Vec::new(), Vec::new());
    let ask = |last: String| Request {
        messages: vec![
            Message::text(Role::System, "a".repeat(4_000)),
            Message::text(Role::User, last),
        ],
        tools: Some(Arc::new(Value::String("b".repeat(3_998)))),
        ..request(llm::Purpose::Chat, "")
    };
    // Of each 1,000 tokens are tools and system prompt, and 2,000 a message of half as many bytes.
    for first in ["1", "2"] {
        meter.expect(3_000, CacheKind::Prefix, 300);
        let _: Vec<_> = model.stream(ask(first.repeat(4_000))).collect().await;
    }
    let read: Vec<_> = meter.take().iter().map(|it| (it.paid.read, it.paid.uncached)).collect();
    assert_eq!(read, [(0, 3_000), (1_000, 2_000)]);
}
