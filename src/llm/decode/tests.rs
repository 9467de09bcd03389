use proptest::prelude::*;

use super::{Decoder, Protocol};
use crate::llm::ids::Ids;
use crate::llm::{Completion, Error, Event, FinishReason, Usage};

/// A stream with everything that can be cut in the wrong place.
const RECORDED: &str = concat!(
    "\u{feff}: PROCESSING\r\n\r\n",
    "data: {\"choices\":[],\"id\":\"\"}\r\n\r\n",
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"überlegt\"}}]}\n\n",
    "data:{\"choices\":[{\"delta\":{\"content\":\"<think>日本\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"語</th\"}}]}\r\r",
    "data: {\"choices\":[{\"delta\":{\"content\":\"ink>\\n\\nJa \\ud83d\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"\\ude42 🎉\"}}]}\n\n: ping\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":",
    "{\"name\":\"open_effort\",\"arguments\":\"{\\\"name\\\":\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":",
    "{\"arguments\":\"\\\"é\\\"}\"}},{\"index\":1,\"function\":{\"name\":\"x\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":4}}\n\n",
    "data: [DONE]\n\n",
);

/// Values that no field may be hurt by.
const SHAPES: [&str; 16] = [
    "null",
    "true",
    "-1",
    "0",
    "1e99",
    "\"\"",
    "\"x\"",
    "\"{}\"",
    "\"{\\\"a\\\":\"",
    "\"\\ud83d\"",
    "\"<think>\"",
    "[]",
    "{}",
    "[null,{}]",
    "[{\"type\":\"text\",\"text\":\"y\"}]",
    "{\"name\":\"f\",\"arguments\":{}}",
];

type Outcome = (Vec<Event>, Result<Completion, Error>);

fn decode(pieces: &[&[u8]], whole: bool) -> Outcome {
    let mut decoder = Decoder::new("host", Ids::seeded(3), Protocol::Chat, "m");
    let mut events = Vec::new();
    for piece in pieces {
        if let Err(error) = decoder.feed(piece, &mut events) {
            return (events, Err(error));
        }
    }
    let result = decoder.finish(whole, &mut events);
    (events, result)
}

fn texts(events: &[Event]) -> String {
    let text =
        |event: &Event| if let Event::Text(text) = event { text.clone() } else { String::new() };
    events.iter().map(text).collect()
}

#[test]
fn what_surrounds_an_answer_has_its_bound_as_well() {
    let mut decoder = Decoder::new("host", Ids::seeded(3), Protocol::Chat, "m");
    let comment = format!(": {}\n\n", "still here ".repeat(1_000));
    decoder.read = crate::llm::limits::ANSWER - comment.len();
    assert_eq!(decoder.feed(comment.as_bytes(), &mut Vec::new()), Ok(()));
    let refused = decoder.feed(comment.as_bytes(), &mut Vec::new());
    assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?}");
}

#[test]
fn a_recorded_stream_gives_its_answer() {
    let (events, result) = decode(&[RECORDED.as_bytes()], true);
    let completion = result.unwrap();
    assert_eq!(completion.text, "Ja 🙂 🎉");
    assert_eq!(texts(&events), completion.text);
    assert_eq!(completion.reasoning, "überlegt日本語");
    assert_eq!(completion.finish, FinishReason::ToolCalls);
    assert_eq!(
        completion.usage,
        Some(Usage { prompt: 5, completion: 4, cached: None, written: 0, hour: None })
    );
    assert_eq!(completion.calls[0].arguments, "{\"name\":\"é\"}");
    assert_eq!((completion.calls[1].name.as_str(), completion.calls[1].id.len()), ("x", 9));
    let expected = serde_json::json!({"reasoning_content": "überlegt"});
    assert_eq!(serde_json::Value::Object(completion.replay), expected);
}

#[test]
fn one_byte_at_a_time_gives_the_same() {
    let pieces: Vec<&[u8]> = RECORDED.as_bytes().chunks(1).collect();
    assert_eq!(decode(&pieces, true), decode(&[RECORDED.as_bytes()], true));
}

#[test]
fn a_half_character_at_the_end_is_shown_as_missing() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"},\"finish_reason\":\"stop\"}]}\n\n";
    let (events, result) = decode(&[stream.as_bytes()], true);
    assert_eq!(
        (texts(&events).as_str(), result.unwrap().text.as_str()),
        ("a\u{fffd}", "a\u{fffd}")
    );
}

#[test]
fn an_answer_in_another_protocol_is_told_as_such_and_not_as_cut_off() {
    let streams = [
        (
            Protocol::Chat,
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n\
             data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        ),
        (
            Protocol::Responses,
            "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{}}\n\n\
             data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n",
        ),
        (
            Protocol::Messages,
            "data: {\"type\":\"message_start\",\"message\":{}}\n\n\
             data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n\
             data: {\"type\":\"message_stop\"}\n\n",
        ),
        (
            Protocol::Ollama,
            "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true}\n",
        ),
    ];
    for (spoken, stream) in streams {
        for (asked, _) in streams.into_iter().filter(|(asked, _)| *asked != spoken) {
            let (_, result) = super::replay_as(asked, [stream.as_bytes()], super::Ended::InOrder);
            let error = result.unwrap_err();
            let told = matches!(error, Error::Foreign { asked: a, spoken: s, .. } if (a, s) == (asked, spoken));
            assert!(told, "{asked:?} {spoken:?}: {error:?}");
            let advice = format!("--set protocol={} ", spoken.as_str());
            assert!(error.advice().contains(&advice), "{}", error.advice());
        }
        let (_, own) = super::replay_as(spoken, [stream.as_bytes()], super::Ended::InOrder);
        assert!(!matches!(own, Err(Error::Foreign { .. })), "{own:?}");
    }
}

#[test]
fn a_web_page_is_told_as_one_whatever_its_lines_look_like() {
    let page = "<!DOCTYPE html>\n<title>Sign in</title>\n<style>\n:root { color: red }\n</style>\n<script>\n";
    for asked in [Protocol::Chat, Protocol::Responses, Protocol::Messages, Protocol::Ollama] {
        for rest in ["", "{ let a = 1 }\n", "{}\n"] {
            for ended in [super::Ended::InOrder, super::Ended::Broken] {
                let body = [page.as_bytes(), rest.as_bytes()];
                let error = super::replay_as(asked, body, ended).1.unwrap_err();
                let told = matches!(&error, Error::Unreadable { detail, .. } if detail.contains("Sign in"));
                assert!(told, "{asked:?} {rest:?}: {error:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events_and_answer(
        cuts in prop::collection::vec(0..=RECORDED.len(), 0..12),
    ) {
        let bytes = RECORDED.as_bytes();
        let mut at = cuts;
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(decode(&pieces, true), decode(&[bytes], true));
    }

    #[test]
    fn a_stream_cut_anywhere_keeps_its_text_and_never_completes(cut in 0..RECORDED.len()) {
        let finish = RECORDED.find("\"finish_reason\"").unwrap_or_default();
        let whole = texts(&decode(&[RECORDED.as_bytes()], true).0);
        let (events, result) = decode(&[&RECORDED.as_bytes()[..cut]], false);
        let shown = texts(&events);
        let is_prefix = whole.starts_with(shown.trim_end_matches('\u{fffd}'));
        prop_assert!(is_prefix, "{}", shown);
        if cut < finish {
            prop_assert_eq!(result, Err(Error::Cut { address: "host".to_owned() }));
        }
    }

    #[test]
    fn no_shape_of_a_chunk_makes_it_panic(
        values in prop::collection::vec(prop::sample::select(SHAPES.to_vec()), 14),
        finish in prop::sample::select(vec!["null", "\"stop\"", "\"length\"", "7"]),
    ) {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = std::array::from_fn(|at| values[at]);
        let call = format!(
            r#"{{"id":{a},"index":{b},"function":{{"name":{c},"arguments":{d}}},"extra":{e}}}"#
        );
        let delta = format!(
            r#"{{"content":{f},"reasoning":{g},"reasoning_content":{h},"reasoning_details":{i},
            "refusal":{j},"tool_calls":[{call},{k}],"function_call":{l}}}"#
        ).replace('\n', "");
        let chunk = format!(
            "data: {{\"choices\":[{{\"delta\":{delta},\"finish_reason\":{finish}}},{m}],\"usage\":{n}}}\n\n"
        );
        let pieces = [chunk.as_bytes(), chunk.as_bytes(), b"data: [DONE]\n\n"];
        let (events, result) = decode(&pieces, true);
        if let Ok(completion) = result {
            let shown = texts(&events);
            prop_assert_eq!(shown, completion.text);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&[&bytes], true);
        let mut stream = b"data: ".to_vec();
        stream.extend(bytes);
        let _ = decode(&[&stream], true);
    }
}
