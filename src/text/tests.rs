use std::borrow::Cow;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;

/// Texts of the kinds that break layouts: spaces, wide, combining, joined and control characters.
fn awkward() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-z]{1,12}",
        " {1,5}",
        Just("\n".to_owned()),
        Just("\u{1b}[31m".to_owned()),
        Just("漢字かな。".to_owned()),
        Just("e\u{301}\u{302}".to_owned()),
        Just("👩\u{200d}👩\u{200d}👧".to_owned()),
        Just("🇩🇪🇫🇷".to_owned()),
        Just("ｶﾞ".to_owned()),
        Just("\u{1100}\u{1100}\u{1100}\u{1100}".to_owned()),
        Just("\u{a0}\u{3000}".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(part, 0..30).prop_map(|parts| parts.concat())
}

fn without_white_space(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

proptest! {
    #[test]
    fn no_wrapped_line_is_wider_than_asked(text in awkward(), columns in 3_usize..40) {
        for line in wrap(&clean(&text), columns) {
            prop_assert!(width(&line) <= columns, "{line:?} takes {}", width(&line));
        }
    }

    #[test]
    fn wrapping_loses_nothing_but_white_space(text in awkward(), columns in 3_usize..40) {
        let text = clean(&text);
        let wrapped = wrap(&text, columns).concat();
        prop_assert_eq!(without_white_space(&wrapped), without_white_space(&text));
    }

    #[test]
    fn wrapping_never_splits_a_grapheme_that_fits(text in awkward(), columns in 12_usize..40) {
        let text = clean(&text);
        let whole: Vec<&str> = text.graphemes(true).filter(|part| !part.trim().is_empty()).collect();
        let lines = wrap(&text, columns);
        let kept: Vec<&str> = lines
            .iter()
            .flat_map(|line| line.graphemes(true))
            .filter(|part| !part.trim().is_empty())
            .collect();
        // A mark at the start of a paragraph has nothing to stand on and joins the indentation.
        prop_assume!(whole.iter().all(|part| width(part) > 0 && width(part) <= columns));
        prop_assert_eq!(kept, whole);
    }

    #[test]
    fn nothing_that_acts_on_a_terminal_survives(text in any::<String>(), more in awkward()) {
        let text = text + &more;
        let cleaned = clean(&text);
        let acts = cleaned.contains(|c: char| c != '\n' && c.is_control());
        prop_assert!(!acts, "{:?}", cleaned);
        let misleading = ['\u{202e}', '\u{2066}', '\u{2069}', '\u{200f}', '\u{feff}'];
        prop_assert!(!cleaned.contains(misleading), "{:?}", cleaned);
        prop_assert_eq!(clean(&cleaned), cleaned.clone());
    }

    #[test]
    fn what_fits_is_untouched_and_the_rest_is_cut(text in awkward(), columns in 0_usize..40) {
        let line = one_line(&text);
        let cut = fit(&line, columns);
        prop_assert!(width(&cut) <= columns);
        if width(&line) <= columns {
            prop_assert_eq!(cut, line.clone());
        } else {
            prop_assert!(columns == 0 || cut.ends_with('…'));
        }
        prop_assert_eq!(width(&pad(&line, columns)), columns);
    }

    #[test]
    fn width_is_what_the_screen_buffer_uses(text in awkward()) {
        let line = one_line(&text);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2000, 1));
        let (end, _) = buffer.set_stringn(0, 0, &line, 2000, Style::new());
        prop_assert_eq!(usize::from(end), width(&line));
    }
}

#[test]
fn clean_text_is_not_copied() {
    assert!(matches!(clean("two\nlines, 漢字, 👩\u{200d}👧, e\u{301}"), Cow::Borrowed(_)));
}

#[test]
fn escape_sequences_leave_whole() {
    for (dirty, cleaned) in [
        ("a\u{1b}[1;31mred\u{1b}[0m b", "ared b"),
        ("\u{1b}]0;title\u{7}text", "text"),
        ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}]52;c;ZXZpbA==\u{9c}after", "after"),
        ("\u{9b}2Jx\u{9d}0;t\u{7}y", "xy"),
        ("\u{1b}Pq#0\u{1b}\\z", "z"),
        ("\u{1b}(Bdone\u{1b}7", "done"),
        ("unfinished \u{1b}]0;title\nnext line", "unfinished \nnext line"),
        ("unfinished \u{1b}[31\u{e9}t\u{e9}", "unfinished \u{e9}t\u{e9}"),
        ("cut \u{1b}", "cut "),
        ("\u{1b}]0;a\u{1b}[31mb", "b"),
    ] {
        assert_eq!(clean(dirty), cleaned, "{dirty:?}");
    }
}

#[test]
fn line_ends_tabs_and_invisible_characters_are_made_plain() {
    assert_eq!(clean("a\r\nb\rc\u{2028}d\te"), "a\nb\nc\nd   e");
    for (tabs, spaces) in [
        ("\tx", "    x"),
        ("ab\tc\n\td\te", "ab  c\n    d   e"),
        ("abcd\te\r\nx\ty", "abcd    e\nx   y"),
        ("世\tx\t\ty", "世  x       y"),
        ("\u{1b}[1mab\u{1b}[0m\tc", "ab  c"),
    ] {
        assert_eq!(clean(tabs), spaces, "{tabs:?}");
    }
    assert_eq!(clean("\u{202e}evil\u{2066}\u{200b}\u{feff}\u{e0041}!"), "evil!");
    assert_eq!(clean("\u{0}\u{8}👩\u{200d}👧 ❤\u{fe0f}"), "👩\u{200d}👧 ❤\u{fe0f}");
    assert_eq!(one_line("  two\r\n\t lines \u{1b}[2J "), "two lines");
}

#[test]
fn words_wrap_at_spaces_and_keep_their_indentation() {
    assert_eq!(wrap("one two three", 8), ["one two", "three"]);
    assert_eq!(wrap("  - one two three", 9), ["  - one", "  two", "  three"]);
    assert_eq!(wrap("a\n\nb", 5), ["a", "", "b"]);
    assert_eq!(wrap("", 5), [""]);
    assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(wrap("see abcdefghij", 6), ["see", "abcdef", "ghij"]);
}

#[test]
fn indentation_gives_way_to_a_character_that_needs_its_room() {
    let wide = "\u{1100}\u{1100}\u{1100}\u{1100}";
    assert_eq!(wrap(&format!("     {wide}a"), 12), [wide.to_owned() + "a"]);
}

#[test]
fn words_of_scripts_with_tall_letters_are_not_broken_and_brackets_open_no_line_that_they_end() {
    for text in ["पंक्तियाँ नहीं चाहिए और अक्षर दिखाएँ", "สำเนา คำถาม ทำงาน น้ำ"]
    {
        for columns in 12..40 {
            assert_eq!(wrap(text, columns).join(" "), text, "{columns}");
        }
    }
    assert_eq!(wrap("東京「駅前」へ", 6), ["東京", "「駅", "前」へ"]);
}

#[test]
fn wide_characters_wrap_between_each_other_and_keep_their_punctuation() {
    assert_eq!(wrap("漢字漢字", 5), ["漢字", "漢字"]);
    assert_eq!(wrap("ab漢字。", 6), ["ab漢", "字。"]);
}

#[test]
fn cutting_counts_columns_not_characters() {
    assert_eq!(fit("auth-token", 6), "auth-…");
    assert_eq!(fit("漢字漢字", 6), "漢字…");
    assert_eq!(fit("漢字", 4), "漢字");
    assert_eq!(fit("abc", 0), "");
    assert_eq!(pad("漢", 4), "漢  ");
}

#[test]
fn of_keys_that_do_not_fit_the_last_one_stays() {
    let keys = " / filter · Enter opens · u undo · Esc closes ";
    for (width, shown) in [
        (46, keys),
        (45, " / filter · Enter opens · Esc closes "),
        (30, " / filter · Esc closes "),
        (12, "Esc closes "),
        (5, "Esc…"),
    ] {
        assert_eq!(fit_keys(keys, width), shown);
    }
    assert_eq!(fit_keys("", 3), "");
}

proptest! {
    #[test]
    fn columns_are_whole_characters(text in awkward(), start in 0_usize..20, more in 0_usize..20) {
        let text = clean(&text).replace('\n', " ");
        let bytes = bytes_of_columns(&text, start..start + more);
        prop_assert!(text.get(bytes.clone()).is_some(), "{bytes:?} of {text:?}");
        prop_assert!(width(&text[..bytes.start]) <= start.min(width(&text)) || bytes.is_empty());
        prop_assert!(width(&text[..bytes.end]) >= (start + more).min(width(&text)));
        prop_assert_eq!(bytes_of_columns(&text, 0..usize::MAX), 0..text.len());
    }

    #[test]
    fn chopping_loses_nothing(text in awkward(), columns in 4_usize..30) {
        let text = clean(&text).replace('\n', " ");
        let parts: Vec<&str> = chop(&text, columns).into_iter().map(|part| &text[part]).collect();
        prop_assert_eq!(parts.concat(), text.as_str());
        prop_assert!(parts.iter().all(|part| width(part) <= columns || part.graphemes(true).count() == 1));
    }
}

#[test]
fn a_number_is_told_in_few_letters() {
    for (number, told) in [
        (0, "0"),
        (999, "999"),
        (4_199, "4.1k"),
        (99_999, "99.9k"),
        (160_000, "160k"),
        (2_345_678, "2.3M"),
        (u64::MAX, "18.4E"),
    ] {
        assert_eq!(about(number), told);
    }
}
