use futures_util::{FutureExt, StreamExt};
use serde_json::json;

use super::*;
use crate::llm::Event;

fn ask(model: &Scripted, purpose: Purpose) -> Vec<Result<Event, Error>> {
    let request = Request { may_call: true, ..Request::plain(purpose, Vec::new()) };
    model.stream(request).collect().now_or_never().expect("nothing to wait for at pace zero")
}

fn done(events: &[Result<Event, Error>]) -> &Completion {
    let Some(Ok(Event::Done(completion))) = events.last() else { panic!("{events:?}") };
    completion
}

fn says(text: &str) -> ScriptedAnswer {
    ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() }
}

#[test]
fn each_purpose_is_answered_from_its_own_list_in_order() {
    let model = Scripted::new();
    let lists = (vec![says("one"), says("two")], vec!["sum".into()], vec!["map".into()]);
    model.clone().set_turn(3, lists.0, lists.1, lists.2);
    assert_eq!(done(&ask(&model, Purpose::Chat)).text, "one");
    assert_eq!(done(&ask(&model, Purpose::Compress)).text, "map");
    assert_eq!(done(&ask(&model, Purpose::Summarize)).text, "sum");
    assert_eq!(done(&ask(&model, Purpose::Chat)).text, "two");
    assert_eq!(model.take_leftovers(), None);
}

#[test]
fn a_script_that_runs_short_names_the_turn_and_the_request() {
    let model = Scripted::new();
    model.set_turn(7, vec![says("only")], vec![], vec![]);
    ask(&model, Purpose::Chat);
    let short = |text: &str| vec![Err(Error::Script(text.into()))];
    assert_eq!(
        ask(&model, Purpose::Chat),
        short("turn 7: the script has no answer left for request 2 of the turn")
    );
    assert_eq!(
        ask(&model, Purpose::Summarize),
        short("turn 7: the script has no summary left for summary request 1 of the turn")
    );
}

#[test]
fn leftovers_are_counted_once() {
    let model = Scripted::new();
    model.set_turn(2, vec![says("a"), says("b")], vec!["s".into()], vec!["c".into()]);
    assert_eq!(
        model.take_leftovers().as_deref(),
        Some("turn 2: the script has 2 answers and 1 summary left over")
    );
    assert_eq!(model.take_leftovers(), None);
}

#[test]
fn calls_get_ids_of_nine_letters_and_digits_that_never_repeat() {
    let model = Scripted::new();
    let call = |arguments| ScriptedCall { name: "open_effort".into(), arguments };
    let calls = vec![call(json!({"name": "x"})), call(json!("{broken"))];
    for turn in 1..=2 {
        let answer = ScriptedAnswer { calls: calls.clone(), ..ScriptedAnswer::default() };
        model.set_turn(turn, vec![answer], vec![], vec![]);
        let events = ask(&model, Purpose::Chat);
        let made: Vec<(&str, &str)> =
            done(&events).calls.iter().map(|c| (c.id.as_str(), c.arguments.as_str())).collect();
        let expected = match turn {
            1 => [("call00001", r#"{"name":"x"}"#), ("call00002", "{broken")],
            _ => [("call00003", r#"{"name":"x"}"#), ("call00004", "{broken")],
        };
        assert_eq!(made, expected);
        assert_eq!(done(&events).finish, FinishReason::ToolCalls);
        assert_eq!(events[0], Ok(Event::ToolCallStarted { name: "open_effort".into() }));
    }
}

#[test]
fn an_answer_may_break_behind_its_text() {
    let model = Scripted::new();
    let cut = Error::Cut { address: "test".into() };
    let answer = ScriptedAnswer { error: Some(cut.clone()), ..says("half a sentence") };
    model.set_turn(1, vec![answer], vec![], vec![]);
    let events = ask(&model, Purpose::Chat);
    assert_eq!(events.len(), 2);
    assert_eq!(events[1], Err(cut));
}

#[tokio::test(start_paused = true)]
async fn words_arrive_at_the_pace_that_was_asked_for() {
    let model = Scripted::new().with_pace(Duration::from_millis(50));
    model.set_turn(1, vec![says("three words here")], vec![], vec![]);
    let request = Request { may_call: true, ..Request::plain(Purpose::Chat, Vec::new()) };
    let start = tokio::time::Instant::now();
    let pieces: Vec<_> = model.stream(request).collect().await;
    assert_eq!(pieces.len(), 4);
    assert_eq!(start.elapsed(), Duration::from_millis(150));
}
