//! Code between fences, as Markdown has it: which line begins a block, which one ends it. Whoever reads Markdown line by line
//! asks here; the chat alone has a parser besides, for what it shows within lists and quotations.

use std::fmt;

/// Fewer signs are no fence.
const SHORTEST: usize = 3;

/// What is set in by so many columns is text of what it stands in, and no fence.
const TOO_DEEP: usize = 4;

/// The line that began a block of code: three or more backticks or tildes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    sign: u8,
    signs: usize,
    /// The columns that it is set in.
    column: usize,
    /// A line that is set in by so many columns does not end the block.
    too_deep: usize,
}

impl Fence {
    /// The fence with which a line begins a block wherever it stands, and what is said behind the signs. In a list it may be
    /// set in by any number of columns, and stand behind the sign of an item.
    pub fn begins(line: &str) -> Option<(Self, &str)> {
        let (column, rest) = set_in(line, 0);
        match rest.as_bytes().first()? {
            b'`' | b'~' => Self::of(rest, column),
            b'-' | b'+' | b'*' | b'0'..=b'9' => {
                let (column, rest) = behind_marker(rest, column)?;
                Self::of(rest, column)
            }
            _ => None,
        }
    }

    /// The fence with which a line that stands in no list begins a block, and what is said behind the signs.
    pub fn outermost(line: &str) -> Option<(Self, &str)> {
        let (column, rest) = set_in(line, 0);
        let (fence, info) = Self::of(rest, column).filter(|_| column < TOO_DEEP)?;
        Some((Self { too_deep: TOO_DEEP, ..fence }, info))
    }

    /// That of the signs which a text begins with. Code between backticks within a line is none.
    fn of(text: &str, column: usize) -> Option<(Self, &str)> {
        let sign = *text.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
        let signs = run(text, sign);
        let info = text[signs..].trim_ascii();
        let is_one = signs >= SHORTEST && (sign == b'~' || !info.contains('`'));
        // Of a list only the fence is known here: the words of its item begin in the column of the fence or before.
        let too_deep = column + TOO_DEEP;
        is_one.then_some((Self { sign, signs, column, too_deep }, info))
    }

    /// Whether a line ends the block: as many signs of its sort or more, and nothing behind them.
    pub fn is_ended_by(self, line: &str) -> bool {
        let (column, rest) = set_in(line, 0);
        let signs = run(rest, self.sign);
        signs >= self.signs && column < self.too_deep && rest[signs..].trim_ascii().is_empty()
    }

    /// The columns that it is set in.
    pub fn column(self) -> usize {
        self.column
    }
}

/// Its signs alone, which end the block.
impl fmt::Display for Fence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.signs).try_for_each(|_| fmt::Write::write_char(out, char::from(self.sign)))
    }
}

/// What a line is to the code of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// Beside all code.
    Outside,
    /// It begins a block, of which this is said behind the signs.
    Begins(&'a str),
    /// In a block.
    Inside,
    /// In a block, and another one would begin with it, whose signs would end this one if they stood alone.
    BeginsAgain,
    /// It ends the block.
    Ends,
}

/// The blocks of a text that is read line by line. One that is never ended goes on to the end of the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Blocks(Option<Fence>);

impl Blocks {
    /// What the next line is. Most lines are told by their first byte, right where this is asked.
    #[inline]
    pub fn next<'a>(&mut self, line: &'a str) -> Place<'a> {
        let first = line.bytes().find(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or_default();
        match self.0 {
            None if may_be_first(first) => self.out_of_code(line),
            None => Place::Outside,
            Some(open) if first == open.sign => self.in_code(open, line),
            Some(_) => Place::Inside,
        }
    }

    fn out_of_code<'a>(&mut self, line: &'a str) -> Place<'a> {
        let Some((fence, info)) = Fence::begins(line) else { return Place::Outside };
        self.0 = Some(fence);
        Place::Begins(info)
    }

    /// What a line is that has the signs of the open block at its head.
    fn in_code<'a>(&mut self, open: Fence, line: &'a str) -> Place<'a> {
        if open.is_ended_by(line) {
            self.0 = None;
            return Place::Ends;
        }
        match Fence::begins(line) {
            Some((fence, info)) if fence.signs >= open.signs && !info.is_empty() => {
                Place::BeginsAgain
            }
            _ => Place::Inside,
        }
    }

    /// The fence of the block that is open.
    pub fn open(self) -> Option<Fence> {
        self.0
    }
}

/// Whether the end of a text is in a block.
pub fn is_open_behind(text: &str) -> bool {
    let mut blocks = Blocks::default();
    for line in text.split_inclusive('\n') {
        blocks.next(line);
    }
    blocks.open().is_some()
}

/// The language that is named behind a fence: `rust` of `rust,ignore`, `bash title="x"` and `{.bash}`; empty if none is.
pub fn language(info: &str) -> &str {
    let info = info.trim_ascii();
    let info = info.strip_prefix('{').map_or(info, |named| named.trim_start_matches([' ', '.']));
    info.split([' ', '\t', ',', '{', '}']).next().unwrap_or_default()
}

/// Whether the first byte of a line may be that of a fence, or of the sign of an item before one.
fn may_be_first(byte: u8) -> bool {
    matches!(byte, b'`' | b'~' | b'-' | b'+' | b'*' | b'0'..=b'9')
}

/// How often a sign of one byte stands at the beginning of a text.
fn run(text: &str, sign: u8) -> usize {
    text.bytes().take_while(|byte| *byte == sign).count()
}

/// The column where the words of a line begin, and the line from there on.
fn set_in(line: &str, from: usize) -> (usize, &str) {
    let mut column = from;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b' ' => column += 1,
            b'\t' => column += TOO_DEEP - column % TOO_DEEP,
            _ => return (column, &line[at..]),
        }
    }
    (column, "")
}

/// What stands behind the sign of an item with which a text begins, and in which column.
fn behind_marker(text: &str, column: usize) -> Option<(usize, &str)> {
    const MOST_DIGITS: usize = 9;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_marker = match text.as_bytes().get(digits)? {
        b'.' | b')' => (1..=MOST_DIGITS).contains(&digits),
        b'-' | b'+' | b'*' => digits == 0,
        _ => false,
    };
    if !is_marker {
        return None;
    }
    let end = column + digits + 1;
    let (column, rest) = set_in(&text[digits + 1..], end);
    // Further in it would be code by its columns.
    (1..=TOO_DEEP).contains(&(column - end)).then_some((column, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag};

    use super::*;

    /// What the lines of a text are: `-` beside code, `<` begins, `|` inside, `+` begins again, `>` ends.
    fn places(text: &str) -> String {
        let mut blocks = Blocks::default();
        let sign = |line| match blocks.next(line) {
            Place::Outside => '-',
            Place::Begins(_) => '<',
            Place::Inside => '|',
            Place::BeginsAgain => '+',
            Place::Ends => '>',
        };
        text.split_inclusive('\n').map(sign).collect()
    }

    #[test]
    fn blocks_begin_and_end_as_commonmark_has_it() {
        // The numbers are those of the examples in its 31st version.
        for (text, expected) in [
            ("```\n<\n >\n```", "<||>"),          // 119
            ("~~~\n<\n >\n~~~", "<||>"),          // 120
            ("``\nfoo\n``", "---"),               // 121
            ("```\naaa\n~~~\n```", "<||>"),       // 122
            ("~~~\naaa\n```\n~~~", "<||>"),       // 123
            ("````\naaa\n```\n``````", "<||>"),   // 124
            ("~~~~\naaa\n~~~\n~~~~", "<||>"),     // 125
            ("```", "<"),                         // 126
            ("`````\n\n```\naaa", "<|||"),        // 127
            ("```\n\n  \n```", "<||>"),           // 129
            ("```\n```", "<>"),                   // 130
            (" ```\n aaa\naaa\n```", "<||>"),     // 131
            ("```\naaa\n  ```", "<|>"),           // 135
            ("   ```\naaa\n  ```", "<|>"),        // 136
            ("```\naaa\n    ```", "<||"),         // 137
            ("``` ```\naaa", "--"),               // 138
            ("~~~~~~\naaa\n~~~ ~~", "<||"),       // 139
            ("foo\n```\nbar\n```\nbaz", "-<|>-"), // 140
            ("```ruby\ndef f\nend\n```", "<||>"), // 142
            ("``` aa ```\nfoo", "--"),            // 145
            ("~~~ aa ``` ~~~\nfoo\n~~~", "<|>"),  // 146
            ("```\n``` aaa\n```", "<+>"),         // 147
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_parser_of_commonmark_finds_the_same_blocks(
            lines in prop::collection::vec(" {0,3}(`{1,5}|~{1,5}|a)( ?`?~?[ab]?)", 0..12)
        ) {
            let text = lines.join("\n") + "\n";
            let count = |sign: &str| places(&text).matches(|place| sign.contains(place)).count();
            let (mut begun, mut inside, mut is_in) = (0, 0, false);
            for event in Parser::new(&text) {
                match event {
                    Event::Start(Tag::CodeBlock(_)) => (begun, is_in) = (begun + 1, true),
                    Event::End(_) => is_in = false,
                    Event::Text(words) if is_in => inside += words.matches('\n').count(),
                    _ => {}
                }
            }
            prop_assert_eq!((count("<"), count("|+")), (begun, inside), "{}", text);
        }
    }

    #[test]
    fn fences_stand_in_lists_and_behind_the_signs_of_their_items() {
        for (text, expected) in [
            ("- ```sh\n  make\n  ```\nSo.", "<|>-"),
            ("1. ```sh\n   make\n   ```\n2. So.", "<|>-"),
            // Its lines are often set in by less than what stands behind the sign.
            ("- ```sh\nmake\n```\nSo.", "<|>-"),
            ("10)\t~~~\n\tmake\n\t~~~", "<|>"),
            ("1. a\n   - b\n\n     ```\n     ls\n     ```\nSo.", "---<|>-"),
            ("\t```\n\tls\n\t```", "<|>"),
            // An end further out ends it as well, and one further in does not.
            ("   ```\nls\n```", "<|>"),
            ("```py\n\"\"\"\n    ```\n    f()\n    ```\n\"\"\"\n```", "<|||||>"),
            ("```\n- ```\n```", "<|>"),
            ("-```\n1.```\n1234567890. ```\n-      ```\n- a ```", "-----"),
            ("-\n1\n12\n*\n", "----"),
            ("```\r\nls\r\n```\r\nSo.\r\n", "<|>-"),
            ("````\n```\na\n```sh\n`````  \nSo.", "<|||>-"),
            ("é```\n```é\n```", "-<>"),
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }

    #[test]
    fn outside_lists_only_so_much_is_a_fence() {
        let columns = |line: &'static str| Fence::outermost(line).map(|it| (it.0.column(), it.1));
        assert_eq!(columns("   ```rust,ignore \n"), Some((3, "rust,ignore")));
        assert_eq!(columns("~~~ a ` b"), Some((0, "a ` b")));
        for line in ["    ```", "\t```", "  \t```", "- ```", "``", "", "``` a ` b", "```a```"] {
            assert_eq!(columns(line), None, "{line}");
        }
        let (fence, _) = Fence::outermost("   ````").unwrap();
        assert_eq!(fence.to_string(), "````");
        for (line, ends) in
            [("   ````", true), ("`````\t\r\n", true), ("    ````", false), ("\t````", false)]
        {
            assert_eq!(fence.is_ended_by(line), ends, "{line}");
        }
        for line in ["```", "~~~~", "```` a", "````\u{a0}", ""] {
            assert!(!fence.is_ended_by(line), "{line}");
        }
    }

    #[test]
    fn whether_a_text_ends_in_code_is_told() {
        for text in ["```", "a\n~~~\nb", "````\n```\na", "```\na\n```\n```b"] {
            assert!(is_open_behind(text), "{text}");
        }
        for text in ["", "a ``` b", "```\na\n```", "~~~\n```\n~~~", "```ls```\n`a`"] {
            assert!(!is_open_behind(text), "{text}");
        }
    }

    #[test]
    fn a_language_is_the_first_word() {
        for (info, expected) in [
            ("rust", "rust"),
            ("rust,ignore", "rust"),
            (" bash title=\"x\"", "bash"),
            ("js{1,3}", "js"),
            ("{.bash}", "bash"),
            ("{ .bash .wide}", "bash"),
            ("{r, echo=FALSE}", "r"),
            ("c++", "c++"),
            (".env", ".env"),
            ("", ""),
        ] {
            assert_eq!(language(info), expected, "{info}");
        }
    }
}
