use super::*;

fn shown(transcript: &mut Transcript, width: usize, height: usize) -> Vec<String> {
    let rows = transcript.visible(width, height);
    let text = |shown: &Shown<'_>| {
        let text = shown.row.line.styled.text();
        if shown.row.part == Part::Body {
            format!("{} {text}", shown.row.sign)
        } else {
            text.to_owned()
        }
    };
    rows.iter().map(text).collect()
}

fn numbered(count: usize) -> Transcript {
    let mut transcript = Transcript::default();
    for number in 0..count {
        transcript.push(BlockKind::Banner, None, &format!("line {number}"));
    }
    transcript
}

#[test]
fn the_newest_rows_are_shown_and_followed() {
    let mut transcript = numbered(10);
    assert_eq!(shown(&mut transcript, 20, 3), ["  line 7", "  line 8", "  line 9"]);
    transcript.push(BlockKind::Banner, None, "line 10");
    assert_eq!(shown(&mut transcript, 20, 2), ["  line 9", "  line 10"]);
    assert_eq!(transcript.new_below(), None);
}

#[test]
fn scrolling_back_stays_put_while_more_arrives() {
    let mut transcript = numbered(10);
    shown(&mut transcript, 20, 3);
    transcript.scroll_up(2);
    let before = shown(&mut transcript, 20, 3);
    assert_eq!(before, ["  line 5", "  line 6", "  line 7"]);
    transcript.push(BlockKind::Banner, None, "new");
    assert_eq!(shown(&mut transcript, 20, 3), before);
    assert_eq!(transcript.new_below(), Some(1));
    transcript.scroll_down(3);
    assert_eq!(shown(&mut transcript, 20, 3), ["  line 8", "  line 9", "  new"]);
    assert_eq!(transcript.new_below(), None);
}

#[test]
fn scrolling_ends_at_both_ends_and_does_nothing_when_all_fits() {
    let mut transcript = numbered(3);
    shown(&mut transcript, 20, 5);
    transcript.scroll_up(4);
    assert_eq!(transcript.new_below(), None);
    let mut transcript = numbered(30);
    shown(&mut transcript, 20, 5);
    transcript.scroll_up(1000);
    assert_eq!(shown(&mut transcript, 20, 5)[0], "  line 0");
    transcript.scroll_down(1000);
    assert_eq!(shown(&mut transcript, 20, 5)[4], "  line 29");
}

#[test]
fn a_reply_that_grows_by_letters_looks_like_one_that_came_at_once() {
    let text = "A first line that must wrap somewhere.\n\n- 世界 and e\u{301}\n\nThe end, almost.";
    let mut grown = Transcript::default();
    for letter in text.chars() {
        grown.grow(BlockKind::Assistant, || Some("model".into()), &letter.to_string());
        shown(&mut grown, 16, 30);
    }
    let mut whole = Transcript::default();
    whole.push(BlockKind::Assistant, Some("model".into()), text);
    assert_eq!(shown(&mut grown, 16, 30), shown(&mut whole, 16, 30));
    assert_eq!(shown(&mut grown, 9, 30), shown(&mut whole, 9, 30));
}

#[test]
fn a_frame_lays_out_only_what_it_shows() {
    let mut transcript = numbered(5000);
    shown(&mut transcript, 40, 20);
    let laid_out = |transcript: &Transcript| {
        transcript.blocks.iter().filter(|block| !block.cache.rows.is_empty()).count()
    };
    assert!(laid_out(&transcript) <= 20, "{}", laid_out(&transcript));
    transcript.scroll_up(10);
    shown(&mut transcript, 40, 20);
    assert!(laid_out(&transcript) <= 60, "{}", laid_out(&transcript));
}

#[test]
fn a_resize_keeps_the_place() {
    let mut transcript = Transcript::default();
    for number in 0..50 {
        let text = format!("message {number} {}", "word ".repeat(30));
        transcript.push(BlockKind::User, Some("You".into()), &text);
    }
    shown(&mut transcript, 60, 10);
    transcript.scroll_to_start();
    transcript.scroll_down(40);
    let place = transcript.top.unwrap().block;
    shown(&mut transcript, 20, 10);
    shown(&mut transcript, 90, 30);
    assert_eq!(transcript.top.unwrap().block, place);
}

#[test]
fn hostile_text_never_reaches_a_row() {
    let mut transcript = Transcript::default();
    let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}31m\u{202e}abc\u{2066}\u{0}\u{8}";
    for kind in [BlockKind::Assistant, BlockKind::Tool, BlockKind::Reasoning, BlockKind::Error] {
        transcript.push(kind, Some(hostile.into()), hostile);
    }
    for row in shown(&mut transcript, 30, 40) {
        let harmful = |c: char| c.is_control() || "\u{202e}\u{2066}".contains(c);
        assert!(!row.chars().any(harmful), "{row:?}");
    }
}

fn said(texts: &[&str]) -> Transcript {
    let mut transcript = Transcript::default();
    for text in texts {
        transcript.push(BlockKind::Assistant, Some("model".into()), text);
    }
    transcript
}

/// Searches to the end.
fn find(transcript: &mut Transcript, query: &str) -> (usize, usize) {
    transcript.find(query);
    while transcript.is_searching() {
        transcript.search_on();
    }
    transcript.found().unwrap()
}

/// The words on screen that a search marks, and those of the match shown.
fn marks(transcript: &mut Transcript, width: usize) -> (Vec<String>, Vec<String>) {
    let rows = transcript.visible(width, 12);
    let mut found = (Vec::new(), Vec::new());
    for shown in rows {
        for (bytes, current) in shown.found {
            let word = shown.row.line.styled.text()[bytes].to_owned();
            if current { found.1.push(word) } else { found.0.push(word) }
        }
    }
    found
}

#[test]
fn what_is_shown_is_found_however_it_is_emphasised_and_broken() {
    let text = "The **cache** size is *too* small.\n\n```rust\nlet cache_size = 1;\n```";
    let mut transcript = said(&[text, "Nothing.", "CACHE\nsize"]);
    shown(&mut transcript, 12, 12);
    assert_eq!(find(&mut transcript, "cache size"), (1, 2));
    assert_eq!(find(&mut transcript, "  Cache  "), (1, 3));
    assert_eq!(find(&mut transcript, "is too small"), (1, 1));
    let (others, shown) = marks(&mut transcript, 12);
    assert_eq!((others.len(), shown.concat()), (0, "istoo small".to_owned()));
    assert_eq!(find(&mut transcript, "not there"), (0, 0));
}

#[test]
fn words_are_found_that_marks_cut_in_two() {
    let mut transcript = said(&["We re**read** an &eacute;tude in the caf&eacute;."]);
    shown(&mut transcript, 40, 12);
    for word in ["reread", "café", "étude", "read an"] {
        assert_eq!(find(&mut transcript, word), (1, 1), "{word}");
    }
}

#[test]
fn words_are_found_in_any_case_width_and_digits_and_without_their_accents() {
    let mut transcript =
        said(&["Właścicielka cafe\u{301}s, İSTASYON, тёмно, ٢٥٠ and Ｗｉｄｅ strasse."]);
    shown(&mut transcript, 60, 12);
    for (word, marked) in [
        ("wlascicielka", "Właścicielka"),
        ("CAFÉ", "cafe\u{301}"),
        ("istasyon", "İSTASYON"),
        ("темно", "тёмно"),
        ("250", "٢٥٠"),
        ("wide", "Ｗｉｄｅ"),
        ("Straße", "strasse"),
    ] {
        assert_eq!(find(&mut transcript, word), (1, 1), "{word}");
        assert_eq!(marks(&mut transcript, 60).1, [marked]);
    }
}

#[test]
fn matches_are_stepped_through_from_the_newest_and_go_round() {
    let mut texts = vec!["needle one, needle two"];
    texts.extend(["hay"; 60]);
    texts.push("a newer Needle");
    let mut transcript = said(&texts);
    shown(&mut transcript, 30, 12);
    assert_eq!(find(&mut transcript, "needle"), (1, 3));
    assert_eq!(marks(&mut transcript, 30).1, ["Needle"]);
    transcript.step_match(true);
    assert_eq!(transcript.found(), Some((2, 3)));
    assert_eq!(shown(&mut transcript, 30, 12)[1], "  needle one, needle two");
    transcript.step_match(true);
    transcript.step_match(true);
    assert_eq!(transcript.found(), Some((1, 3)));
    transcript.step_match(false);
    assert_eq!(transcript.found(), Some((3, 3)));
    assert_eq!(marks(&mut transcript, 30), (vec!["needle".into()], vec!["needle".into()]));
}

#[test]
fn a_search_takes_in_what_arrives_and_keeps_its_match() {
    let mut transcript = said(&["needle one", "hay"]);
    shown(&mut transcript, 30, 12);
    assert_eq!(find(&mut transcript, "needle"), (1, 1));
    transcript.grow(BlockKind::Assistant, || None, "another need");
    transcript.grow(BlockKind::Assistant, || None, "le");
    assert!(!transcript.is_searching(), "a reply that grows is searched when it is complete");
    transcript.settle();
    while transcript.is_searching() {
        transcript.search_on();
    }
    assert_eq!(transcript.found(), Some((2, 2)));
}

#[test]
fn one_step_of_a_search_is_bounded() {
    let long = "word ".repeat(2_000);
    let mut transcript = said(&[&*long; 100]);
    shown(&mut transcript, 40, 12);
    transcript.find("word");
    transcript.search_on();
    let (_, found) = transcript.found().unwrap();
    assert!(found < 20_000, "{found}");
    assert!(transcript.is_searching());
    let kept = transcript.blocks.iter().filter(|block| !block.cache.rows.is_empty()).count();
    assert!(kept <= 30, "rows off the screen are not kept: {kept}");
}

fn marked(transcript: &mut Transcript, from: (usize, usize), to: (usize, usize)) -> String {
    let from = transcript.spot(from.0, from.1).unwrap();
    let to = transcript.spot(to.0, to.1).unwrap();
    transcript.mark(from, to);
    transcript.marked().unwrap_or_default()
}

#[test]
fn what_is_marked_is_copied_without_frames_and_breaks() {
    let text = "One two three four.\n\n```rust\nfn f() {\n    1234567890123456;\n}\n```\n\n> quoted words here";
    let mut transcript = said(&[text]);
    let rows = shown(&mut transcript, 20, 20);
    let all = marked(&mut transcript, (1, 0), (rows.len() - 1, 19));
    assert_eq!(
        all,
        "One two three four.\n\n\nfn f() {\n    1234567890123456;\n}\n\n\nquoted words here"
    );
    assert_eq!(marked(&mut transcript, (1, 6), (1, 8)), "two");
    assert_eq!(marked(&mut transcript, (1, 8), (1, 6)), "two", "backwards is the same");
}

#[test]
fn a_table_of_two_columns_goes_on_under_its_second_one() {
    let mut transcript = Transcript::default();
    let text = "page faults      0 looked up, 0 mentioned and not recalled";
    transcript.push(BlockKind::Info, None, text);
    let hanging = [
        "· page faults      0 looked up, 0",
        "                   mentioned and not",
        "                   recalled",
    ];
    assert_eq!(shown(&mut transcript, 40, 5)[..3], hanging);
    assert_eq!(marked(&mut transcript, (0, 2), (2, 30)), text);
    let narrow = shown(&mut transcript, 30, 5);
    assert_eq!(narrow[1], "  up, 0 mentioned and not", "no half of the width is left");
}

#[test]
fn the_end_of_a_banner_never_stands_alone() {
    let text = "--- Evicted summary: piano (least salient (0.48), more than 3 items) ---";
    for width in 20..80 {
        let mut transcript = Transcript::default();
        transcript.push(BlockKind::Banner, None, text);
        let rows = shown(&mut transcript, width, 8);
        let end = rows.iter().rfind(|row| !row.trim().is_empty()).unwrap();
        assert!(
            end.trim_end().ends_with(") ---") || end.contains("items) ---"),
            "{width}: {rows:#?}"
        );
        assert!(!rows.concat().contains('\u{a0}'), "what is copied is what was written");
    }
}

#[test]
fn half_of_a_wide_character_marks_all_of_it() {
    let mut transcript = said(&["a世界b"]);
    shown(&mut transcript, 20, 5);
    assert_eq!(marked(&mut transcript, (1, 4), (1, 5)), "世界");
    assert_eq!(marked(&mut transcript, (1, 3), (1, 3)), "世");
}

#[test]
fn keys_choose_messages_and_show_them() {
    let mut transcript = said(&["one", "two"]);
    transcript.push(BlockKind::Tool, None, "a call");
    transcript.push(BlockKind::Footnote, None, "numbers");
    shown(&mut transcript, 20, 3);
    let text = |transcript: &Transcript| {
        transcript.chosen().and_then(|at| transcript.block(at)).map(|block| block.text().to_owned())
    };
    transcript.enter();
    assert_eq!(text(&transcript).as_deref(), Some("two"));
    transcript.choose(false);
    assert_eq!(text(&transcript).as_deref(), Some("one"));
    assert_eq!(shown(&mut transcript, 20, 3)[0], "model");
    transcript.choose(false);
    assert_eq!(text(&transcript).as_deref(), Some("one"));
    transcript.choose_end(true);
    assert_eq!(text(&transcript).as_deref(), Some("two"));
    assert_eq!(transcript.new_below(), None);
}

#[test]
fn a_reply_that_tool_calls_interrupt_is_one_message_of_its_log() {
    let mut transcript = Transcript::default();
    for turn in 1..=2 {
        let from = transcript.end();
        transcript.push(BlockKind::User, None, &format!("question {turn}"));
        transcript.push(BlockKind::Assistant, None, &format!("let me see {turn}"));
        transcript.push(BlockKind::Tool, None, "a call");
        transcript.push(BlockKind::Assistant, None, &format!("answer {turn}"));
        transcript.set_home(from, &Home::Ambient);
    }
    let memory = |newest| MemoryView {
        budget: crate::memory::Tokens(1),
        ambient_verbatim: crate::memory::Verbatim::newest(newest),
        ..MemoryView::default()
    };
    for (newest, expected) in [
        (3, vec!["question 1"]),
        (2, vec!["question 1", "let me see 1", "answer 1"]),
        (1, vec!["question 1", "let me see 1", "answer 1", "question 2"]),
    ] {
        transcript.set_window(&memory(newest));
        let rows = transcript.visible(40, 40);
        let gone = rows.iter().filter(|row| !row.in_window && row.row.part == Part::Body);
        let gone: Vec<&str> = gone.map(|row| row.row.line.styled.text()).collect();
        assert_eq!(gone, expected, "{newest}");
    }
}

#[test]
fn a_long_line_of_code_is_copied_with_the_blanks_at_which_it_was_broken() {
    let code = (0..14).map(|nth| format!("--opt{nth:02}  v{nth:02}")).collect::<Vec<_>>().join(" ");
    let text = format!("```sh\n{code}\n```");
    for width in 20..40 {
        let mut transcript = said(&[&text]);
        let rows = shown(&mut transcript, width, 40);
        assert!(rows.len() > 6, "{rows:?}");
        let all = marked(&mut transcript, (1, 0), (rows.len() - 1, width - 1));
        assert_eq!(all.trim_matches('\n'), code, "{width}");
    }
}

#[test]
fn a_search_says_whether_a_reply_is_being_written_that_it_leaves_out() {
    let mut transcript = said(&["a slow answer"]);
    assert_eq!(find(&mut transcript, "slow"), (1, 1));
    assert!(!transcript.leaves_unsearched());
    transcript.grow(BlockKind::Assistant, || None, "another slow one");
    assert_eq!(find(&mut transcript, "slow"), (1, 1));
    assert!(transcript.leaves_unsearched());
    transcript.settle();
    assert_eq!(find(&mut transcript, "slow"), (1, 2));
    assert!(!transcript.leaves_unsearched());
}
