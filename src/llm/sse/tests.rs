use proptest::prelude::*;

use super::{Excess, PIECE, SseEvent, SseParser};

fn data(text: &str) -> SseEvent {
    SseEvent::Data(text.to_owned())
}

fn error(text: &str) -> SseEvent {
    SseEvent::Error(text.to_owned())
}

fn parse(pieces: &[&[u8]]) -> Vec<SseEvent> {
    let mut parser = SseParser::default();
    let mut out = Vec::new();
    for piece in pieces {
        parser.feed(piece, &mut out).unwrap();
    }
    parser.finish(&mut out);
    out
}

#[test]
fn every_form_of_an_event_is_read() {
    let cases: &[(&str, &str, Vec<SseEvent>)] = &[
        ("comments", ": ping\n:\ndata: 1\n\n: x\n", vec![data("1")]),
        ("no space", "data:1\n\n", vec![data("1")]),
        ("one space only is taken", "data:  1\n\n", vec![data(" 1")]),
        ("CRLF", "data: 1\r\n\r\ndata: 2\r\n\r\n", vec![data("1"), data("2")]),
        ("CR", "data: 1\r\rdata: 2\r\r", vec![data("1"), data("2")]),
        ("empty data and blank lines", "\n\ndata:\n\ndata: \n\n\ndata: 1\n\n", vec![data("1")]),
        (
            "event: error",
            "event: error\ndata: {\"a\":1}\n\ndata: 2\n\n",
            vec![error("{\"a\":1}"), data("2")],
        ),
        (
            "error: field",
            "data: 1\nerror: {\"code\":500}\n",
            vec![data("1"), error("{\"code\":500}")],
        ),
        ("several data lines", "data: {\ndata: }\n\n", vec![data("{\n}")]),
        (
            "no blank line",
            "data: {}\ndata: {}\ndata: [DONE]\n",
            vec![data("{}"), data("{}"), data("[DONE]")],
        ),
        (
            "bare JSON line",
            "data: {\"a\":1}\n{\"error\":\"x\"}\n",
            vec![data("{\"a\":1}"), data("{\"error\":\"x\"}")],
        ),
        ("other fields", "id: 7\nretry: 10\nnonsense\ndata: 1\n\n", vec![data("1")]),
        ("byte order mark", "\u{feff}data: 1\n\n", vec![data("1")]),
        ("no end of line at the end", "data: 1", vec![data("1")]),
    ];
    for (name, input, expected) in cases {
        assert_eq!(&parse(&[input.as_bytes()]), expected, "{name}");
    }
}

#[test]
fn comments_are_counted() {
    let mut parser = SseParser::default();
    parser.feed(b": a\n:\n\n: b\ndata: 1\n", &mut Vec::new()).unwrap();
    assert_eq!(parser.comments(), 3);
}

#[test]
fn a_line_without_end_is_an_error_and_not_a_full_memory() {
    let mut parser = SseParser::default();
    let mut out = Vec::new();
    parser.feed(b"data: 1\n\ndata: ", &mut out).unwrap();
    assert_eq!(parser.feed(&vec![b'x'; PIECE], &mut out), Err(Excess::Piece));
    assert_eq!(out, [data("1")]);
}

#[test]
fn damaged_characters_do_not_stop_the_stream() {
    assert_eq!(parse(&[b"data: a\xffb\n\n"]), [data("a\u{fffd}b")]);
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "data: {\"é\":\"😀\"}", "data:x", "", "", ": ping", "event: error", "error: {}",
                "data: [DONE]", "{\"a\":1}",
            ]),
            0..12,
        ),
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", "\r"]), 12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let text: String = lines.iter().zip(&ends).flat_map(|(line, end)| [*line, *end]).collect();
        let bytes = text.as_bytes();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(parse(&pieces), parse(&[bytes]));
    }
}
