use crossterm::event::{KeyEvent, KeyModifiers, MouseEventKind};
use proptest::prelude::*;

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
        ("\x1b", key(KeyCode::Esc)),
        ("\x1bx", held(letter('x'), alt)),
        ("\x1b[A", key(KeyCode::Up)),
        ("\x1b[Z", held(KeyCode::BackTab, shift)),
        ("\x1b[1;5C", held(KeyCode::Right, ctrl)),
        ("\x1b[27u", key(KeyCode::Esc)),
        ("\x1b[105;5u", held(letter('i'), ctrl)),
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

#[test]
fn a_key_that_arrives_in_two_reads_is_one_and_half_a_key_holds_nothing_up() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.take(b"x\x1b"), [key(KeyCode::Char('x'))]);
    assert_eq!(decoder.wait(), Some(KEY_PAUSE));
    assert_eq!(decoder.take(b"[A"), [key(KeyCode::Up)]);
    assert_eq!(decoder.wait(), None);
    assert_eq!(decoder.take(b"\x1b\x1b"), [key(KeyCode::Esc)]);
    assert_eq!(decoder.release(), Some(key(KeyCode::Esc)));
    assert_eq!(decoder.take(b"\x1b["), []);
    assert_eq!((decoder.release(), decoder.wait()), (None, None));
    assert_eq!(decoder.take("\u{e4}".as_bytes().split_at(1).0), []);
    assert_eq!(decoder.take(b"\xa4"), [key(KeyCode::Char('ä'))]);
    assert_eq!(decoder.take(b"\x1b["), []);
    assert_eq!(decoder.take(&b"1".repeat(LONGEST_KEY)).len(), 2, "no key is that long");
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
fn a_paste_without_an_end_is_handed_over_after_a_pause_and_at_ctrl_c() {
    let mut decoder = Decoder::default();
    assert_eq!(decoder.take(b"\x1b[200~first\r\x1b[20"), []);
    assert_eq!(decoder.wait(), Some(PASTE_PAUSE));
    assert_eq!(decoder.release(), Some(paste("first\r")));
    assert_eq!(decoder.take(b"x"), [key(KeyCode::Char('x'))]);
    let interrupt = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    for bytes in INTERRUPTS {
        assert_eq!(decoder.take(b"\x1b[200~first"), []);
        assert_eq!(decoder.take(bytes), [paste("first"), interrupt.clone()]);
    }
    assert_eq!(decoder.take(b"\x1b[200~"), []);
    assert_eq!((decoder.release(), decoder.wait()), (None, None));
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
    let Some(Event::Paste(text)) = decoder.release() else { panic!("no paste") };
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
            prop_assert!(decoder.bytes.len() <= LONGEST_KEY.max(END.len()));
        }
        decoder.release();
        prop_assert_eq!(decoder.wait(), None);
        prop_assert_eq!(decoder.take(b"x"), [key(KeyCode::Char('x'))]);
    }
}
