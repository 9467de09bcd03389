use crossterm::event::{KeyCode, KeyModifiers};

use super::*;

fn written(text: &str) -> InputLine {
    let mut input = InputLine::default();
    input.set(text);
    input
}

#[test]
fn history_keeps_the_draft_it_was_left_from() {
    let mut input = written("draft");
    input.remember("one".into());
    input.remember("two\nlines".into());
    input.remember("two\nlines".into());
    input.up();
    assert_eq!(input.text(), "two\nlines");
    input.up();
    assert_eq!(input.text(), "one");
    input.up();
    assert_eq!(input.text(), "one");
    input.down();
    input.down();
    assert_eq!(input.text(), "two\nlines", "down moves inside a message first");
    input.down();
    assert_eq!(input.text(), "draft");
}

#[test]
fn pastes_of_one_length_are_two_though_their_labels_of_two_runs_are_one() {
    let of_run = |line: &str| chip::draft_of(&line.repeat(20), 1);
    let (alpha, bravo) = (of_run("alpha line\n"), of_run("bravo line\n"));
    assert_eq!(alpha.text, bravo.text);
    let mut input = InputLine::default();
    input.put_aside(alpha.clone());
    input.put_aside(bravo.clone());
    assert_eq!(input.aside(), [alpha.clone(), bravo.clone()]);
    input.remember(bravo.clone());
    assert_eq!(
        input.aside(),
        std::slice::from_ref(&alpha),
        "what is sent is not put away any more"
    );
    input.up();
    assert_eq!(input.draft(), bravo);
    input.up();
    assert_eq!(input.draft(), alpha);
    // One that is found takes the place of one that says something else.
    let mut input = InputLine::default();
    input.remember(alpha.clone());
    input.put(bravo.clone());
    input.search_older();
    input.search_field().unwrap().insert("paste");
    input.search_again();
    assert_eq!(input.draft(), alpha);
    input.end_search(true);
    assert_eq!(input.aside(), [bravo]);
    input.take();
    input.paste(&"delta line\n".repeat(20));
    assert!(input.text().starts_with("[paste 2: "), "{}", input.text());
}

#[test]
fn the_cursor_never_comes_to_stand_within_a_sign() {
    for sign in ["👨‍👩‍👧‍👦", "👍🏽", "🇫🇷", "e\u{301}", "नि"] {
        for column in 0..8 {
            let mut input = written(&format!("abcdefgh\n{sign}{sign}{sign}"));
            input.up();
            input.line_start();
            let right = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
            (0..column).for_each(|_| input.key(right));
            input.down();
            input.insert("|");
            let second = input.text().split_off("abcdefgh\n".len());
            assert_eq!(second.replace('|', ""), sign.repeat(3));
            assert_eq!(second.replace(sign, "").len(), 1, "{second:?}");
        }
    }
}

type Does = Box<dyn Fn(&mut InputLine)>;

#[test]
fn a_draft_is_put_away_when_an_earlier_message_is_edited_sent_or_cleared_in_its_place() {
    let key =
        |code, modifiers| move |input: &mut InputLine| input.key(KeyEvent::new(code, modifiers));
    let found = |input: &mut InputLine, keep| {
        input.search_older();
        input.search_field().unwrap().insert("one");
        input.search_again();
        assert_eq!(input.text(), "one");
        input.end_search(keep);
    };
    let edits: [Does; 9] = [
        Box::new(key(KeyCode::Char('!'), KeyModifiers::NONE)),
        Box::new(key(KeyCode::Backspace, KeyModifiers::NONE)),
        Box::new(|input| input.paste("more")),
        Box::new(InputLine::newline),
        Box::new(InputLine::delete_to_start),
        Box::new(|input| drop(input.take())),
        Box::new(|input| input.set("/pin ")),
        Box::new(move |input| found(input, true)),
        Box::new(|input| {
            input.search_older();
            drop(input.take());
        }),
    ];
    for (nth, edit) in edits.iter().enumerate() {
        let mut input = written("draft");
        input.remember("zero".into());
        input.remember("one".into());
        input.up();
        edit(&mut input);
        let aside: Vec<&str> = input.aside().iter().map(|draft| &*draft.text).collect();
        assert_eq!(aside, ["draft"], "{nth}");
        input.take();
        input.up();
        assert_eq!(input.text(), "draft", "{nth}");
    }
    let moves: [Does; 6] = [
        Box::new(key(KeyCode::Left, KeyModifiers::NONE)),
        Box::new(key(KeyCode::Home, KeyModifiers::NONE)),
        Box::new(key(KeyCode::Delete, KeyModifiers::NONE)),
        Box::new(key(KeyCode::Char('d'), KeyModifiers::CONTROL)),
        Box::new(InputLine::line_start),
        Box::new(move |input| {
            found(input, false);
            assert_eq!(input.text(), "draft");
        }),
    ];
    for (nth, step) in moves.iter().enumerate() {
        let mut input = written("draft");
        input.remember("zero".into());
        input.remember("one".into());
        input.up();
        step(&mut input);
        assert!(input.aside().is_empty(), "{nth}");
        assert_eq!(input.own_draft().text, "draft", "{nth}");
        input.down();
        assert_eq!(input.text(), "draft", "{nth}");
    }
}

#[test]
fn what_is_typed_takes_the_place_of_what_is_marked_and_other_keys_let_it_stay() {
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let marked = || {
        let mut input = written("about rivers\nand seas");
        input.mark();
        input
    };
    for (code, expected) in
        [(KeyCode::Char('x'), "x"), (KeyCode::Backspace, ""), (KeyCode::Delete, "")]
    {
        let mut input = marked();
        input.key(key(code));
        assert_eq!(input.text(), expected);
    }
    let mut input = marked();
    input.paste("lakes");
    assert_eq!(input.text(), "lakes");
    let moves: [fn(&mut InputLine); 5] = [
        |input| input.key(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE)),
        InputLine::up,
        InputLine::down,
        InputLine::line_start,
        InputLine::line_end,
    ];
    for step in moves {
        let mut input = marked();
        step(&mut input);
        input.insert("!");
        assert_eq!(input.text().len(), "about rivers\nand seas!".len(), "{:?}", input.text());
    }
    assert_eq!(marked().take().text, "about rivers\nand seas", "it can be sent as it is");
}

#[test]
fn a_backslash_before_enter_becomes_a_line_end() {
    let mut input = written("one\\");
    assert!(input.newline_after_backslash());
    assert_eq!(input.text(), "one\n");
    assert!(!input.newline_after_backslash());
}

#[test]
fn pasted_escape_sequences_are_harmless() {
    let mut input = InputLine::default();
    input.insert("a\u{1b}]0;title\u{7}\r\nb\u{202e}c\rd");
    assert!(!input.text().contains(['\u{1b}', '\u{7}', '\r']));
    assert_eq!(input.area().lines().len(), 3);
}

#[test]
fn what_is_written_stays_as_it_is_however_it_came() {
    let text = "\tif\ta\u{200b}\u{200f}\n\t\tb\u{ad}";
    let ways: [fn(&mut InputLine, &str); 5] = [
        InputLine::set,
        InputLine::insert,
        InputLine::paste,
        InputLine::put_back,
        InputLine::put_edited,
    ];
    for way in ways {
        let mut input = InputLine::default();
        way(&mut input, text);
        assert_eq!(input.draft().whole(), text);
    }
    let mut input = InputLine::default();
    let large = format!("{text}\n").repeat(10);
    input.paste(&large);
    assert_eq!(input.open_paste(), Ok(()));
    assert_eq!(input.draft().whole(), large);
}

#[test]
fn a_key_takes_what_is_not_seen_with_the_character_before_it() {
    let mut input = written("a\u{200b}\u{200f}bc\u{feff}");
    press(&mut input, KeyModifiers::NONE, KeyCode::Backspace);
    assert_eq!(input.text(), "a\u{200b}\u{200f}b");
    press(&mut input, KeyModifiers::NONE, KeyCode::Left);
    press(&mut input, KeyModifiers::NONE, KeyCode::Left);
    assert_eq!(input.position(), (0, 0));
    press(&mut input, KeyModifiers::NONE, KeyCode::Right);
    assert_eq!(input.position(), (0, 3));
    press(&mut input, KeyModifiers::NONE, KeyCode::Left);
    press(&mut input, KeyModifiers::NONE, KeyCode::Delete);
    assert_eq!(input.text(), "b");
}

#[test]
fn one_key_deletes_what_is_seen_as_one_character() {
    let mut input = written("ab👩‍👩‍👧e\u{301}");
    let backspace = KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE);
    input.key(backspace);
    assert_eq!(input.text(), "ab👩‍👩‍👧");
    input.key(backspace);
    assert_eq!(input.text(), "ab");
}

/// Forty lines, more than is shown.
fn long() -> String {
    (1..=40).fold(String::new(), |all, n| all + &format!("line {n}\n"))
}

fn press(input: &mut InputLine, modifiers: KeyModifiers, code: KeyCode) {
    input.key(KeyEvent::new(code, modifiers));
}

#[test]
fn a_large_paste_is_a_label_and_is_sent_whole() {
    let mut input = written("look at ");
    input.paste(&long().replace('\n', "\r\n"));
    input.insert(", please");
    assert_eq!(input.text(), "look at [paste 1: 40 lines, 311 bytes], please");
    assert_eq!(input.draft().whole(), format!("look at {}, please", long()));
    input.paste("small\rone");
    assert_eq!(input.area().lines().len(), 2);
    input.paste(&"x".repeat(5000));
    assert!(input.text().ends_with("one[paste 2: 1 line, 5,000 bytes]"));
    let draft = input.take();
    assert_eq!(draft.whole().len(), 8 + 311 + 8 + 9 + 5000);
    assert!(input.is_empty());
    input.paste(&long());
    assert!(input.text().starts_with("[paste 3: "), "the next message counts on");
}

#[test]
fn a_label_is_one_character_to_every_key() {
    let none = KeyModifiers::NONE;
    for (modifiers, code) in [
        (none, KeyCode::Backspace),
        (KeyModifiers::CONTROL, KeyCode::Char('w')),
        (KeyModifiers::CONTROL, KeyCode::Char('h')),
        (KeyModifiers::ALT, KeyCode::Backspace),
    ] {
        let mut input = written("ab ");
        input.paste(&long());
        press(&mut input, modifiers, code);
        assert_eq!(input.text(), "ab ", "{code:?}");
        input.undo();
        assert_eq!(input.draft().whole(), format!("ab {}", long()), "{code:?}");
    }
    let mut input = written("ab");
    input.paste(&long());
    input.insert("cd");
    for _ in 0..3 {
        press(&mut input, none, KeyCode::Left);
    }
    input.insert("|");
    assert!(input.text().starts_with("ab|[paste 1"), "{}", input.text());
    press(&mut input, none, KeyCode::Right);
    input.insert("|");
    assert!(input.text().ends_with("bytes]|cd"), "{}", input.text());
    press(&mut input, none, KeyCode::Left);
    press(&mut input, none, KeyCode::Left);
    press(&mut input, none, KeyCode::Delete);
    assert_eq!(input.text(), "ab||cd");
}

#[test]
fn steps_by_words_and_rows_never_end_inside_a_label() {
    let mut input = written("word ");
    input.paste(&long());
    input.insert(" end");
    for _ in 0..3 {
        press(&mut input, KeyModifiers::ALT, KeyCode::Char('b'));
        input.insert("~");
        press(&mut input, KeyModifiers::NONE, KeyCode::Backspace);
        assert_eq!(input.draft().pastes.len(), 1, "{}", input.text());
    }
    input.set("");
    input.paste(&long());
    input.insert("\n0123456789");
    input.up();
    input.insert("~");
    assert!(input.text().starts_with("~[paste") || input.text().contains("]~"), "{}", input.text());
}

#[test]
fn a_word_key_before_a_gap_takes_the_label_behind_it() {
    let mut input = InputLine::default();
    input.paste(&long());
    input.insert("  ");
    press(&mut input, KeyModifiers::CONTROL, KeyCode::Char('w'));
    assert_eq!(input.text(), "");
}

#[test]
fn a_paste_is_opened_and_edited_in_place() {
    let mut input = written("see ");
    input.paste(&long());
    input.insert(" and ");
    input.paste(&"z".repeat(2000));
    input.line_start();
    for _ in 0..4 {
        press(&mut input, KeyModifiers::NONE, KeyCode::Right);
    }
    assert_eq!(input.open_paste(), Ok(()));
    assert!(input.text().starts_with("see line 1\nline 2\n"));
    assert!(input.text().contains("[paste 2: 1 line, 2,000 bytes]"));
    assert_eq!(input.open_paste(), Ok(()));
    assert!(input.open_paste().unwrap_err().contains("no paste"));
    input.paste(&"y".repeat(chip::MOST_EDITED + 1));
    assert!(input.open_paste().unwrap_err().contains("too large"));
}

#[test]
fn a_message_with_a_paste_comes_back_from_the_history_as_it_was_written() {
    let mut input = written("see ");
    input.paste(&long());
    let sent = input.take();
    input.remember(sent.clone());
    input.up();
    assert_eq!(input.draft(), sent);
    input.set("");
    input.put_back(&sent.whole());
    assert_eq!(input.draft(), sent);
    input.put_back(&"q\n".repeat(30));
    assert_eq!(input.text(), "[paste 2: 30 lines, 60 bytes]");
    input.put_back("short");
    assert_eq!(input.text(), "short");
}

#[test]
fn a_search_shows_what_it_finds_and_gives_the_draft_back() {
    let mut input = written("draft");
    input.remember("first\nsecond line".into());
    input.remember("other".into());
    input.search_older();
    for letter in ["sec", "ond"] {
        input.search_field().unwrap().insert(letter);
        input.search_again();
    }
    assert_eq!((input.text().as_str(), input.found_ago()), ("first\nsecond line", Some(2)));
    assert_eq!(input.position(), (1, 0));
    input.end_search(false);
    assert_eq!(input.text(), "draft");
    input.search_older();
    input.search_field().unwrap().insert("o");
    input.search_again();
    input.end_search(true);
    assert_eq!((input.text().as_str(), input.search().is_none()), ("other", true));
}

#[test]
fn what_comes_back_from_an_editor_keeps_its_pastes() {
    let mut input = written("see ");
    input.paste(&long());
    let shown = input.draft().whole();
    input.put_edited(&format!("Now {shown}\n\n"));
    assert_eq!(input.text(), "Now see [paste 1: 40 lines, 311 bytes]\n");
    input.put_edited("gone\r\n");
    assert_eq!(input.text(), "gone");
    assert!(input.draft().pastes.is_empty());
}
