use proptest::prelude::*;
use ratatui::style::Modifier;

use super::super::ink::{Ink, Tone};
use super::*;
use crate::text;

/// The rows of a text that came at once.
fn rows(text: &str, width: usize) -> Vec<Line> {
    let mut advance = Markdown::default().advance(text, width);
    advance.settled.append(&mut advance.open);
    advance.settled
}

fn shown(text: &str, width: usize) -> Vec<String> {
    rows(text, width).iter().map(|line| line.styled.text().trim_end().to_owned()).collect()
}

/// The parts of the first row with their inks.
fn inks(text: &str) -> Vec<(String, Ink)> {
    let rows = rows(text, 80);
    rows[0].styled.parts().map(|(part, ink)| (part.to_owned(), ink)).collect()
}

/// The rows of a text that came letter by letter.
fn grown(text: &str, width: usize) -> Vec<Line> {
    let mut markdown = Markdown::default();
    let (mut settled, mut open) = (Vec::new(), Vec::new());
    for (at, letter) in text.char_indices() {
        let advance = markdown.advance(&text[..at + letter.len_utf8()], width);
        settled.extend(advance.settled);
        open = advance.open;
    }
    settled.extend(open);
    settled
}

#[test]
fn emphasis_code_and_links_have_their_inks() {
    let plain = Ink::default();
    let bold = plain.with(Modifier::BOLD);
    assert_eq!(
        inks("a **b** *c* ~~d~~ `e`"),
        [
            ("a ".into(), plain),
            ("b".into(), bold),
            (" ".into(), plain),
            ("c".into(), plain.with(Modifier::ITALIC)),
            (" ".into(), plain),
            ("d".into(), plain.with(Modifier::CROSSED_OUT)),
            (" ".into(), plain),
            ("e".into(), Ink::of(Tone::Code)),
        ]
    );
    assert_eq!(inks("**a *b***")[1].1, bold.with(Modifier::ITALIC));
    let link = Ink::of(Tone::Link).with(Modifier::UNDERLINED);
    assert_eq!(
        inks("[x](http://y) <http://z>"),
        [
            ("x".into(), link),
            (" (http://y)".into(), Ink::of(Tone::Frame)),
            (" ".into(), plain),
            ("http://z".into(), link),
        ]
    );
}

#[test]
fn headings_differ_without_colours() {
    let inks = ["# a", "## a", "### a"].map(|text| inks(text)[0].1);
    let bold = Modifier::BOLD;
    let emphasis = [bold | Modifier::UNDERLINED, bold, bold | Modifier::ITALIC];
    assert_eq!(inks.map(|ink| ink.emphasis), emphasis);
    assert!(inks.iter().all(|ink| ink.tone == Tone::Heading));
}

#[test]
fn lists_are_set_in_and_keep_their_numbers() {
    let text = "Intro:\n- one two three\n  - deep\n    still deep\n- [x] done\n\n3. three\n4. four\n\n   more";
    assert_eq!(
        shown(text, 12),
        [
            "Intro:",
            "• one two",
            "  three",
            "  • deep",
            "    still",
            "    deep",
            "• [x] done",
            "",
            "3. three",
            "4. four",
            "",
            "   more",
        ]
    );
}

#[test]
fn quotations_have_a_bar_at_every_row() {
    let text = "> one two three\n>\n> - four\n>> five";
    assert_eq!(shown(text, 10), ["│ one two", "│ three", "│", "│ • four", "│ │ five"]);
}

#[test]
fn code_keeps_its_spaces_and_marks_the_rows_that_go_on() {
    let text = "See:\n```rust\nfn main() {\n    let x = 12345;\n}\n```\nEnd.";
    assert_eq!(
        shown(text, 12),
        ["See:", "┌ rust", "│ fn main()", "↳ {", "│     let x", "↳ = 12345;", "│ }", "└", "End.",]
    );
    let keyword = rows(text, 80)[2].styled.parts().nth(1).unwrap().1;
    assert_eq!(keyword, Ink::of(Tone::Keyword));
    assert_eq!(
        shown("- a\n\n  ```py\n  x = 1\n  ```", 20),
        ["• a", "", "  ┌ py", "  │ x = 1", "  └"]
    );
    // A fence that a tab sets in ends nothing.
    assert_eq!(
        shown("```{.sh}\n\t```\nls\n```\nEnd.", 20),
        ["┌ sh", "│     ```", "│ ls", "└", "End."]
    );
    assert_eq!(shown("    indented\n      more", 20), ["┌", "│ indented", "│   more", "└"]);
}

#[test]
fn tables_share_the_width_and_become_lists_where_there_is_none() {
    let text =
        "| Name | What it is |\n|:-----|-----------:|\n| a | `short` |\n| bee | 世界 and more |";
    assert_eq!(
        shown(text, 40),
        [
            "Name │    What it is",
            "─────┼──────────────",
            "a    │         short",
            "bee  │ 世界 and more",
        ]
    );
    assert_eq!(
        shown(text, 13),
        [
            "Name │   What",
            "     │  it is",
            "─────┼───────",
            "a    │  short",
            "bee  │   世界",
            "     │    and",
            "     │   more",
        ]
    );
    assert_eq!(
        shown(text, 9),
        ["Name: a", "What it", "is: short", "", "Name: bee", "What it", "is: 世界", "and more"]
    );
}

#[test]
fn what_a_table_or_a_list_holds_never_gets_lost_however_narrow() {
    let text = "| alpha | beta |\n|---|---|\n| gamma | delta |\n\n- one\n  - two\n    - three\n      - four";
    for width in 3..30 {
        let all: String = shown(text, width).concat();
        let letters: String = all.chars().filter(char::is_ascii_alphabetic).collect();
        for word in ["gamma", "delta", "one", "two", "three", "four"] {
            assert!(letters.contains(word) || width < 20, "{word} at {width}: {letters}");
        }
    }
}

#[test]
fn a_link_definition_and_markup_stay_readable() {
    let text =
        "See [one].\n\n[one]: http://x\n[two]: http://y\n\nEnd <b>bold</b> a<br>b &amp; &copy;";
    assert_eq!(
        shown(text, 60),
        ["See [one].", "", "[one]: http://x", "[two]: http://y", "", "End <b>bold</b> a", "b & ©",]
    );
}

#[test]
fn nothing_that_an_entity_hides_reaches_a_row() {
    for row in shown("a&#x1b;[31mb&#x202e;c `&#7;` \u{9b}2J\n```\n\u{1b}]0;x\u{7}code\n```", 40) {
        let harmful = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!row.chars().any(harmful), "{row:?}");
    }
}

#[test]
fn settled_parts_are_not_laid_out_again() {
    let paragraphs = "A paragraph, **bold**.\n\n".repeat(500);
    let text = format!("{paragraphs}```rust\n{}", "let x = 1;\n".repeat(500));
    let mut markdown = Markdown::default();
    markdown.advance(&text, 80);
    let longer = format!("{text}let y");
    let advance = markdown.advance(&longer, 80);
    assert!(advance.settled.is_empty());
    assert_eq!(advance.open.len(), 2, "the open line of code, and the end of the frame");
}

#[test]
fn hostile_nesting_stays_cheap_and_bounded() {
    for text in [">".repeat(5_000), "- ".repeat(5_000), "[".repeat(5_000), "*a".repeat(5_000)] {
        let rows = rows(&text, 40);
        assert!(rows.iter().all(|line| line.styled.width() <= 40));
    }
    assert_eq!(shown("1.     code", 6), ["┌", "│ code", "└"], "no room for the item's number");
}

#[test]
fn a_link_definition_behind_an_item_is_shown_however_the_text_came() {
    for (text, expected) in [
        ("-\n[e]:x\nt\n", &["• ", "[e]:x", "t"][..]),
        ("+\n[1]:\u{301}\n\"\n", &["• ", "[1]:\u{301}", "\""]),
        ("0)\n[e]::\ne\n", &["0) ", "[e]::", "e"]),
        ("    a\n[b]: c\nd\n", &["┌", "│ a", "└", "[b]: c", "d"]),
        ("- [a]: b\n- c\n", &["• [a]: b", "• c"]),
        ("- a\n\n  [b]: c\n\nd\n", &["• a", "", "  [b]: c", "", "d"]),
        ("> [a]: b\n> c\n", &["│ [a]: b", "│ c"]),
        ("a\n\n[b]: c\n\td\n[e]: f\n", &["a", "", "[b]: c", "d", "[e]: f"]),
    ] {
        let expected: Vec<&str> = expected.iter().map(|row| row.trim_end()).collect();
        assert_eq!(shown(text, 40), expected, "{text:?}");
    }
}

#[test]
fn what_follows_a_link_definition_changes_nothing_before_it() {
    for text in [
        "\n[one]: http://x\n\t漢字かな。\n[one]: http://x\n\n```rust\n",
        "- a\n[b]: c\n    'd\n\n  e'\n- f\n",
        "> [a]:\nb\n'c\n# d\n'\n",
        "[^1]\n\n[^1]: a note\n    and more\n\n    and code\nend\n",
    ] {
        for width in [8, 40] {
            assert_eq!(grown(text, width), rows(text, width), "{text:?}");
        }
    }
}

#[test]
fn a_paragraph_without_end_is_laid_out_in_parts() {
    for piece in ["wordy ", "wordy\n", "語", "- wordy\n  ", "> wordy "] {
        let text = piece.repeat(40_000);
        let mut markdown = Markdown::default();
        let (half, _) = text.split_at(piece.len() * 20_000);
        let mut advance = markdown.advance(half, 80);
        let settled: usize = advance.settled.iter().map(|line| line.styled.text().len()).sum();
        assert!(settled > half.len() / 4, "{piece:?}: {settled} of {}", half.len());
        let open: usize = advance.open.iter().map(|line| line.styled.text().len()).sum();
        assert!(open <= 2 * split::LONGEST, "{piece:?}: {open} bytes are laid out again");
        let then = markdown.advance(&text, 80);
        advance.settled.extend(then.settled);
        advance.settled.extend(then.open);
        assert_eq!(advance.settled, rows(&text, 80), "{piece:?}");
        let shown: String = advance.settled.iter().map(|line| line.styled.text()).collect();
        let letters = |text: &str| text.matches(['w', '語']).count();
        assert_eq!(letters(&shown), letters(&text), "{piece:?}");
    }
}

fn markdown() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-z]{1,9}( [a-z]{1,9}){0,6}",
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\n- ".to_owned()),
        Just("\n  - ".to_owned()),
        Just("\n1. ".to_owned()),
        Just("\n> ".to_owned()),
        Just("\n# ".to_owned()),
        Just("\n```rust\n".to_owned()),
        Just("\n```\n".to_owned()),
        Just("\n---\n".to_owned()),
        Just("\n| a | b |\n|---|---|\n| c | d |\n".to_owned()),
        Just("**bold** ".to_owned()),
        Just("`code` ".to_owned()),
        Just("[link](http://x) ".to_owned()),
        Just("\n-\n[one]: http://x\n".to_owned()),
        Just("[one]: http://x\n".to_owned()),
        Just("\n\n[one]: http://x\n".to_owned()),
        Just("\n[^1]: a note ".to_owned()),
        Just("[one] ".to_owned()),
        Just("[^1] ".to_owned()),
        Just("'title' ".to_owned()),
        Just("<!-- ".to_owned()),
        Just("漢字かな。".to_owned()),
        Just("👩\u{200d}👩\u{200d}👧 e\u{301}".to_owned()),
        Just("\t".to_owned()),
        Just("    ".to_owned()),
        "[*_`~\\[\\]()<>#|:!\\\\-]{1,4}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_text_that_grows_looks_like_one_that_came_at_once(text in markdown(), width in 8_usize..50) {
        prop_assert_eq!(grown(&text, width), rows(&text, width));
    }

    #[test]
    fn no_row_is_wider_than_asked(text in markdown(), width in 8_usize..50) {
        for line in rows(&text, width) {
            prop_assert!(line.styled.width() <= width, "{:?}", line.styled.text());
            prop_assert!(line.frame <= line.styled.text().len());
        }
    }

    #[test]
    fn no_word_gets_lost(text in "([a-z]{3,8}( |\n|\n\n|\n- |\n> |, |\n1\\. )){1,20}") {
        let all = shown(&text, 30).join(" ");
        for word in text.split(|c: char| !c.is_ascii_lowercase()).filter(|word| word.len() > 2) {
            prop_assert!(all.contains(word), "{word} of {text:?} in {all:?}");
        }
    }

    #[test]
    fn any_text_at_all_is_laid_out(text in ".{0,200}", width in 1_usize..60) {
        for line in rows(&text, width) {
            prop_assert!(!line.styled.text().chars().any(char::is_control));
            prop_assert!(width < 6 || text::width(line.styled.text()) <= width);
        }
    }
}
