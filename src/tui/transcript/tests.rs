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
