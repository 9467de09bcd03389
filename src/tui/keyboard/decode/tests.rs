use crossterm::event::{KeyEvent, KeyModifiers, MouseEventKind};
use proptest::prelude::*;

use super::frame::LONGEST;
use super::*;

fn key(code: KeyCode) -> Event {
    Event::Key(code.into())
}

fn paste(text: &str) -> Event {
    Event::Paste(text.to_owned())
}

fn taken(read: &[u8]) -> Vec<Event> {
    Decoder::default().take(read)
}

#[test]
fn keys_and_the_mouse_are_told_from_their_bytes() {
    let held = |code, modifiers| Event::Key(KeyEvent::new(code, modifiers));
    let (ctrl, alt, shift) = (KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SHIFT);
    let letter = KeyCode::Char;
    for (bytes, event) in [
        ("a", key(letter('a'))),
        ("ä", key(letter('ä'))),
        ("\r", key(KeyCode::Enter)),
        ("\n", held(letter('j'), ctrl)),
        ("\x1bx", held(letter('x'), alt)),
        ("\x1b[A", key(KeyCode::Up)),
        ("\x1b[Z", held(KeyCode::BackTab, shift)),
        ("\x1b[1;5C", held(KeyCode::Right, ctrl)),
        ("\x1b[27u", key(KeyCode::Esc)),
        ("\x1b[105;5u", held(letter('i'), ctrl)),
        ("\x1b[27;2;13~", held(KeyCode::Enter, shift)),
        ("\x1b[27;5;97~", held(letter('a'), ctrl)),
        ("\x1b[99;9u\x1b[118;17u\x1b_Gi=1;OK\x1b\\z", key(letter('z'))),
        ("\x1bOP", key(KeyCode::F(1))),
        ("\x1b[21~", key(KeyCode::F(10))),
        ("\x1f", held(letter('7'), ctrl)),
        ("\0", held(letter(' '), ctrl)),
    ] {
        assert_eq!(taken(bytes.as_bytes()), [event], "{bytes:?}");
    }
    let mouse = taken(b"\x1b[<64;3;5M");
    assert!(
        matches!(&mouse[..], [Event::Mouse(mouse)] if mouse.kind == MouseEventKind::ScrollUp
            && (mouse.column, mouse.row) == (2, 4)),
        "{mouse:?}"
    );
    assert_eq!(taken(b"\x1b[<0;0;0M\x1b[1;0;0Mz"), [key(letter('z'))]);
}

/// Whole keys in all the forms that terminals send.
const KEYS: [&str; 22] = [
    "\x1b[A",
    "\x1bOA",
    "\x1bOR",
    "\x1bOd",
    "\x1b[1;5D",
    "\x1b[13;2u",
    "\x1b[99;133u",
    "\x1b[3~",
    "\x1b[3;5~",
    "\x1b[3$",
    "\x1b[8^",
    "\x1b[[A",
    "\x1b[27;2;13~",
    "\x1b[<64;3;5M",
    "\x1b[32;3;5M",
    "\x1b[M!!!",
    "\x1b[I",
    "\x1bx",
    "\x1bä",
    "ä",
    "漢",
    "😀",
];

#[test]
fn a_key_is_the_same_in_however_many_reads_it_comes() {
    for bytes in KEYS {
        let whole = taken(bytes.as_bytes());
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        for byte in bytes.as_bytes() {
            assert_eq!(events, [], "{bytes:?}");
            events = decoder.take(&[*byte]);
        }
        assert_eq!((events, decoder.wait()), (whole, None), "{bytes:?}");
        for (at, _) in bytes.bytes().enumerate().skip(1) {
            let pause = if bytes.as_bytes()[..at] == [ESC] { ESC_PAUSE } else { KEY_PAUSE };
            let mut decoder = Decoder::default();
            decoder.take(&bytes.as_bytes()[..at]);
            assert_eq!(decoder.wait(), Some(pause), "{bytes:?} up to {at}");
        }
    }
}

#[test]
fn what_is_not_whole_in_time_is_a_key_of_its_own_or_nothing() {
    let alt = |letter| Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::ALT));
    for (bytes, events) in [
        ("x\x1b", vec![key(KeyCode::Esc)]),
        ("\x1b[", vec![alt('[')]),
        ("\x1bO", vec![alt('O')]),
        ("\x1b]", vec![alt(']')]),
        ("\x1b[1;5", vec![]),
        ("\x1b]11;rgb:00", vec![]),
    ] {
        let mut decoder = Decoder::default();
        decoder.take(bytes.as_bytes());
        assert_eq!((decoder.release(), decoder.wait()), (events, None), "{bytes:?}");
        assert_eq!(decoder.take(b"x"), [key(KeyCode::Char('x'))]);
    }
    assert_eq!(taken(b"\x1b\x1b"), [key(KeyCode::Esc)]);
    assert_eq!(taken(b"\x1b[1\x1b[A"), [key(KeyCode::Up)], "another key breaks one off");
    assert_eq!(taken(b"\xe6\xbcx"), [key(KeyCode::Char('x'))]);
    let endless = format!("\x1b[{}x", "1".repeat(LONGEST + 1));
    assert!(taken(endless.as_bytes()).contains(&key(KeyCode::Char('x'))));
}

#[test]
fn what_a_terminal_answers_is_no_key() {
    for answer in [
        "\x1b[24;80R",
        "\x1b[1;1R",
        "\x1b[1;17R",
        "\x1b[?1;2c",
        "\x1b[>41;354;0c",
        "\x1b[?2026;2$y",
        "\x1b[0n",
        "\x1b]11;rgb:0000/0000/0000\x07",
        "\x1b]11;rgb:00/00/00\x1b\\",
        "\x1bP>|XTerm(370)\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b[<0;+0;1M",
        "\x1b[32;+0;1M",
        "\x1b[<0;0;0M",
        "\x1b[M!  ",
    ] {
        let read = format!("{answer}z");
        assert_eq!(taken(read.as_bytes()), [key(KeyCode::Char('z'))], "{answer:?}");
    }
    let shift = Event::Key(KeyEvent::new(KeyCode::F(3), KeyModifiers::SHIFT));
    assert_eq!(taken(b"\x1b[1;2R"), [shift]);
}

#[test]
fn a_paste_is_text_in_however_many_reads_it_comes() {
    let whole = b"a\x1b[200~one\r\x1b[A\x03two\x1b[201~\r";
    let expected = [key(KeyCode::Char('a')), paste("one\r\x1b[A\x03two"), key(KeyCode::Enter)];
    for at in 1..whole.len() {
        let (first, second) = whole.split_at(at);
        let mut decoder = Decoder::default();
        let mut events = decoder.take(first);
        events.extend(decoder.take(second));
        assert_eq!(events, expected, "cut at {at}");
        assert_eq!(decoder.wait(), None);
    }
}

#[test]
fn a_mark_of_the_end_with_another_behind_it_is_text() {
    let events = taken(b"\x1b[200~one\x1b[201~\rtwo\x1b[201~x\x1b[200~three\x1b[201~");
    let expected = [paste("one\x1b[201~\rtwo"), key(KeyCode::Char('x')), paste("three")];
    assert_eq!(events, expected);
    // The rest comes later: its mark says that it was pasted.
    let mut decoder = Decoder::default();
    assert_eq!(decoder.take(b"\x1b[200~one\x1b[201~"), [paste("one")]);
    assert_eq!(decoder.take(b"\rtwo\x1b[201~"), [paste("\rtwo")]);
}

#[test]
fn a_paste_without_an_end_is_handed_over_after_a_pause() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.take(b"\x1b[200~first\r\x1b[20"), []);
    assert_eq!(decoder.wait(), Some(PASTE_PAUSE));
    assert_eq!(decoder.release(), [paste("first\r")]);
    assert_eq!(decoder.take(b"x"), [key(KeyCode::Char('x'))]);
    assert_eq!(decoder.take(b"yz"), [key(KeyCode::Char('y')), key(KeyCode::Char('z'))]);
    assert_eq!(decoder.take(b"\x1b[200~"), []);
    assert_eq!((decoder.release(), decoder.wait()), (vec![], None));
}

#[test]
fn a_key_by_itself_ends_a_paste_without_an_end() {
    for bytes in
        ["\x03", "\x03\x03", "\x7f", "\x1b[99;5u", "\x1b[99;133u", "\x1b[D", "\x1b[<0;3;4M"]
    {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.take(b"\x1b[200~first"), []);
        let mut expected = vec![paste("first")];
        expected.extend(taken(bytes.as_bytes()));
        assert_eq!(decoder.take(bytes.as_bytes()), expected, "{bytes:?}");
    }
    let mut decoder = Decoder::default();
    decoder.take(b"\x1b[200~first");
    assert_eq!(decoder.take(b"\x1b"), [], "an end may begin so");
    assert_eq!(decoder.release(), [paste("first"), key(KeyCode::Esc)]);
}

#[test]
fn the_rest_of_a_paste_that_was_given_up_is_text() {
    let mut decoder = Decoder::default();
    decoder.take(b"\x1b[200~make al\xc3");
    assert_eq!(decoder.release(), [paste("make al")]);
    assert_eq!(decoder.take(b"\xa4l\r"), []);
    assert_eq!(decoder.release(), [paste("äl\r")]);
    assert_eq!(decoder.take(b"make install\r"), []);
    assert_eq!(
        decoder.take(b"done\x1b[201~\r"),
        [paste("make install\rdone"), key(KeyCode::Enter)]
    );
    assert_eq!(decoder.take(b"ab"), [key(KeyCode::Char('a')), key(KeyCode::Char('b'))]);
}

#[test]
fn a_paste_without_an_end_takes_no_more_memory_than_the_longest_one() {
    let mut decoder = Decoder::default();
    decoder.take(BEGIN);
    let piece = vec![b'x'; 1024 * 1024];
    for _ in 0..40 {
        assert_eq!(decoder.take(&piece), []);
    }
    let held = decoder.pasted.as_ref().map_or(0, Vec::capacity);
    assert!(held <= 2 * (MOST_PASTED + 1), "{held}");
    let released = decoder.release();
    let [Event::Paste(text)] = &released[..] else { panic!("no paste") };
    assert_eq!(text.len(), MOST_PASTED + 1);
}

proptest! {
    /// Whatever bytes come, in whatever pieces: nothing panics and nothing is waited for in vain.
    #[test]
    fn any_bytes_leave_a_decoder_that_hears_the_next_key(
        pieces in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..12),
            "(\x1b\\[[0-9;<?]{0,5}[A-Za-z~]?){0,3}".prop_map(String::into_bytes),
            Just(BEGIN.to_vec()),
            Just(END.to_vec()),
        ], 0..12),
    ) {
        let mut decoder = Decoder::default();
        for piece in pieces {
            decoder.take(&piece);
            prop_assert!(decoder.bytes.len() <= LONGEST);
        }
        decoder.release();
        // Half a character of a paste waits once more.
        decoder.release();
        prop_assert_eq!(decoder.wait(), None);
        prop_assert_eq!(decoder.take(b"x"), [key(KeyCode::Char('x'))]);
    }
}
