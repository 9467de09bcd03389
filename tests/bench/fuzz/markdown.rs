//! A text that streams in is laid out as one that came at once, and what reaches a row is harmless.

use ebbtide::tui::ink::Line;
use ebbtide::tui::markdown::Markdown;

use super::random::Random;

const PIECES: &[&str] = &[
    "word",
    "two words",
    " ",
    " ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n- ",
    "\n  - ",
    "\n    - ",
    "\n* ",
    "\n+ ",
    "\n1. ",
    "\n10) ",
    "\n> ",
    "\n>> ",
    "\n# ",
    "\n### ",
    "\n```rust\n",
    "\n```\n",
    "\n~~~\n",
    "```",
    "\n---\n",
    "\n***\n",
    "\n===\n",
    "| a | b |\n|---|---|\n| c | d |\n",
    "\n|",
    "|",
    "**bold** ",
    "*",
    "_",
    "~~",
    "`code` ",
    "`",
    "[link](http://x) ",
    "[one]: http://x\n",
    "[one]:",
    "[one]",
    "[^1]",
    "[^1]: note\n",
    "\n[^note]: ",
    "![p](q)",
    "<b>",
    "<!--",
    "-->",
    "<br>",
    "<div>",
    "</div>",
    "<?",
    "&amp;",
    "&#x1b;",
    "&copy",
    "\\",
    "- [x] ",
    "- [ ] ",
    "!",
    ":",
    "'title'",
    "\"t\"",
    "(",
    ")",
    "<http://z>",
    "漢字かな。",
    "👩\u{200d}👩\u{200d}👧",
    "e\u{301}",
    "\r\n",
    "  \n",
];

/// Lays a text out at once and as it grows.
pub(crate) fn case(random: &mut Random) {
    let text = random.text_of(PIECES, 40);
    let width = random.between(1, 60);
    let at_once = grown(&[text.as_bytes()], &text, width);
    let parts = random.split(text.as_bytes());
    assert!(grown(&parts, &text, width) == at_once, "differs at width {width}: {text:?}");
    for line in &at_once {
        let row = line.styled.text();
        assert!(!row.chars().any(char::is_control), "{row:?} of {text:?}");
        assert!(width < 6 || line.styled.width() <= width, "{row:?} of {text:?} at {width}");
    }
}

/// The rows of a text that comes in parts. A part that ends inside a character shows what is whole of it.
fn grown(parts: &[&[u8]], text: &str, width: usize) -> Vec<Line> {
    let mut markdown = Markdown::default();
    let (mut settled, mut open, mut length) = (Vec::new(), Vec::new(), 0);
    for part in parts {
        length += part.len();
        if text.is_char_boundary(length) {
            let advance = markdown.advance(&text[..length], width);
            settled.extend(advance.settled);
            open = advance.open;
        }
    }
    settled.extend(open);
    settled
}
