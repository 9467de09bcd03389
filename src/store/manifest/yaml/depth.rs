//! How deep lists and maps in brackets stand within each other in a text that is YAML.
//!
//! The parser takes a time for each of its signs that grows with the depth, before it refuses anything. So
//! the text is walked through first, sign by sign, as the parser does it: a bracket counts where a value may
//! begin, and is a letter like others within quotation marks, in a comment and in a text without quotation marks.

/// Lists and maps in brackets within each other that the parser may get to see; it refuses more, but late.
pub(super) const DEEPEST: usize = 128;

/// Whether more than `most` lists and maps in brackets stand within each other.
pub(super) fn is_too_deep(text: &str, most: usize) -> bool {
    let mut scanner = Scanner { rest: text, column: 0, depth: 0, least: 0, key: None };
    while scanner.token() {
        if scanner.depth > most {
            return true;
        }
    }
    false
}

/// A place in the text, and what the parser knows there.
struct Scanner<'a> {
    rest: &'a str,
    column: usize,
    /// Brackets that are open.
    depth: usize,
    /// The first column in which a line goes on with the text of the lines before.
    least: usize,
    /// Where in the line something began that is a key if a colon follows.
    key: Option<usize>,
}

impl Scanner<'_> {
    /// Goes over one token; `false` at the end.
    fn token(&mut self) -> bool {
        self.skip_space();
        let (sign, column) = (self.sign(), self.column);
        let is_alone = self.rest.chars().nth(1).is_none_or(is_space);
        match sign {
            None => return false,
            Some(_) if self.is_document_mark() => {
                (0..3).for_each(|_| self.step());
                self.least = 0;
            }
            Some('-' | '?') if is_alone && self.depth == 0 => {
                (self.least, self.key) = (column + 1, None);
                self.step();
            }
            Some(':') if is_alone && self.depth == 0 => {
                self.least = self.key.take().unwrap_or(column) + 1;
                self.step();
            }
            Some(sign) => {
                self.key.get_or_insert(column);
                self.value(sign);
            }
        }
        true
    }

    /// Goes over a scalar, a bracket or what belongs to one of them.
    fn value(&mut self, sign: char) {
        let in_brackets = self.depth > 0;
        match sign {
            '"' | '\'' => return self.quoted(sign),
            '|' | '>' if !in_brackets => return self.block(),
            '!' => return self.tag(),
            '%' if self.column == 0 => return self.skip_line(),
            '[' | '{' => self.depth += 1,
            ']' | '}' => self.depth = self.depth.saturating_sub(1),
            '&' | '*' => {
                self.step();
                return self.skip(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            }
            ',' => {}
            '?' | ':' if in_brackets => {}
            _ => return self.plain(),
        }
        self.step();
    }

    /// A text without quotation marks, over as many lines as it has.
    fn plain(&mut self) {
        while let Some(sign) = self.sign() {
            let is_alone = self.rest.chars().nth(1).is_none_or(is_space);
            if is_space(sign) {
                let line = self.rest;
                self.skip(is_space);
                let is_new_line = line[..line.len() - self.rest.len()].contains(is_break);
                let is_over = self.column < self.least || self.is_document_mark();
                if self.sign() == Some('#') || is_new_line && self.depth == 0 && is_over {
                    return;
                }
            } else if sign == ':' && is_alone || self.depth > 0 && ",[]{}".contains(sign) {
                return;
            } else {
                self.step();
            }
        }
    }

    fn quoted(&mut self, quote: char) {
        self.step();
        while let Some(sign) = self.sign() {
            self.step();
            if sign == '\\' && quote == '"' {
                self.step();
            } else if sign == quote {
                if quote == '"' || self.sign() != Some(quote) {
                    return;
                }
                self.step();
            }
        }
    }

    /// A text in lines of its own, by their indentation.
    fn block(&mut self) {
        self.skip_line();
        while self.sign().is_some() {
            self.skip(|c| c == ' ');
            if self.column < self.least.max(1) && !self.sign().is_some_and(is_break) {
                return;
            }
            self.skip_line();
            self.step();
        }
    }

    fn tag(&mut self) {
        if self.rest.starts_with("!<") {
            self.skip(|c| c != '>' && !is_space(c));
        }
        let in_brackets = self.depth > 0;
        self.skip(|c| !(is_space(c) || in_brackets && c == ','));
    }

    /// Goes over spaces, line ends and comments.
    fn skip_space(&mut self) {
        loop {
            self.skip(|c| is_space(c) || c == '\u{feff}');
            if self.sign() != Some('#') {
                return;
            }
            self.skip_line();
        }
    }

    fn is_document_mark(&self) -> bool {
        let is_mark = self.rest.starts_with("---") || self.rest.starts_with("...");
        self.column == 0 && is_mark && self.rest.chars().nth(3).is_none_or(is_space)
    }

    fn skip_line(&mut self) {
        self.skip(|c| !is_break(c));
    }

    fn skip(&mut self, fits: impl Fn(char) -> bool) {
        while self.sign().is_some_and(&fits) {
            self.step();
        }
    }

    fn sign(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn step(&mut self) {
        let mut rest = self.rest.chars();
        let Some(sign) = rest.next() else { return };
        self.rest = rest.as_str();
        self.column += 1;
        if is_break(sign) {
            self.column = 0;
            if self.depth == 0 {
                self.key = None;
            }
        }
    }
}

fn is_break(sign: char) -> bool {
    matches!(sign, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_space(sign: char) -> bool {
    sign == ' ' || sign == '\t' || is_break(sign)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use yaml_serde::Value;

    use super::*;

    /// Lists and maps within each other, of all kinds.
    fn depth(value: &Value) -> usize {
        match value {
            Value::Sequence(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            Value::Mapping(fields) => {
                let parts = fields.iter().map(|(key, value)| depth(key).max(depth(value)));
                1 + parts.max().unwrap_or(0)
            }
            Value::Tagged(tagged) => depth(&tagged.value),
            _ => 0,
        }
    }

    #[test]
    fn brackets_in_a_text_are_letters() {
        let brackets = "[ { ".repeat(100);
        for text in [
            format!("summary: \"code is {brackets}\"\n"),
            format!("summary: 'it''s {brackets}'\n"),
            format!("summary: code is {brackets}\n"),
            format!("summary: code\n  {brackets}\n\n  {brackets}\n"),
            format!("- summary: |\n    code\n\n    {brackets}\n  x: 1\n"),
            format!("- summary:\n    >-\n    {brackets}\n  x: 1\n"),
            format!("- |2\n   {brackets}\n- x\n"),
            format!("# {brackets}\na: [b, # {brackets}\n c]\n"),
            format!("a: [\"{brackets}\", '{brackets}']\n"),
            format!("\"{brackets}\": [b]\n"),
        ] {
            let found: Result<Value, _> = yaml_serde::from_str(&text);
            assert!(found.is_ok(), "{text}: {found:?}");
            assert!(!is_too_deep(&text, DEEPEST), "{text}");
        }
    }

    #[test]
    fn brackets_of_lists_count_wherever_a_value_may_begin() {
        let brackets = "[".repeat(100_000);
        for before in [
            "",
            "a: ",
            "- ",
            "- - ",
            "? ",
            "a: \"'\"\nb: ",
            "a: '\"'\nb: ",
            "a: |\n  \"\nb: ",
            "a: it's\nb: ",
            "a: >\n  '\nb:\n ",
            "a: &x ",
            "a: !t ",
            "a: !<t'> ",
            "[#'\n",
            "[!t',",
            "--- ",
            "x\n---\n",
            "a\u{85}---\u{85}",
            "'a':\n  - ",
            "a: b # \"\nc: ",
            "a: [b, \"]\", ",
            "{a: ",
            "{'a':",
        ] {
            assert!(is_too_deep(&format!("{before}{brackets}"), DEEPEST), "{before:?}");
        }
    }

    /// Bits that YAML is made of, in any order.
    fn soup() -> impl Strategy<Value = String> {
        let bits = [
            "a", "b", ": ", ":", "\n", "\n  ", "\n    ", "- ", "[", "]", "{", "}", ", ", ",", "\"",
            "'", "#", " # ", "|\n    ", ">\n  ", "&x ", "!t ", "? ", " ", "\\", "\nc: ", "\n  d: ",
            "\n  - ", "é",
        ];
        prop::collection::vec(prop::sample::select(bits.to_vec()), 1..14)
            .prop_map(|bits| format!("k: {}", bits.concat()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn what_the_parser_takes_is_as_deep_as_it_says(text in soup()) {
            if let Ok(value) = yaml_serde::from_str::<Value>(&text) {
                prop_assert!(!is_too_deep(&text, depth(&value)), "{text}");
                let deep = format!("{text}\nz: {}", "[".repeat(40));
                prop_assert!(is_too_deep(&deep, 39), "{deep}");
            }
        }
    }
}
