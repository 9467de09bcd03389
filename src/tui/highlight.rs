//! Colours for code: comments, texts, numbers and the words of the language.
//!
//! A small lexer over a table of languages, line by line, so that code which is still being written
//! costs one line at a time. It knows no grammar: what it takes for code is at worst coloured wrongly,
//! never lost. (A library of full grammars would weigh more than the rest of the program and take
//! longer to load than the first frame.)

mod languages;

use languages::{LANGUAGES, Language, Quote, Shape};

use super::ink::{Ink, Styled, Tone};

/// Bytes from which on a line gets no colours: nobody reads code in such a line, and every row of it
/// would be cut out of all its coloured parts.
const LONGEST_COLOURED: usize = 8 * 1024;

/// Reads code line by line and remembers what goes on over a line's end.
#[derive(Debug, Clone, Default)]
pub struct Highlighter {
    language: Option<&'static Language>,
    inside: Inside,
}

/// What the next line begins in.
#[derive(Debug, Clone, Copy, Default)]
enum Inside {
    #[default]
    Code,
    /// A comment that ends with this.
    Comment(&'static str),
    /// A text in these quotes.
    Text(&'static Quote),
    /// A tag of a markup language.
    Tag,
}

impl Highlighter {
    /// For the language that a code block names, such as `rust` or `py`; unknown ones get no colours.
    pub fn new(name: &str) -> Self {
        let name = name.trim().to_ascii_lowercase();
        let language = LANGUAGES.iter().find(|language| language.names.contains(&&*name));
        Self { language, inside: Inside::Code }
    }

    /// Colours one line, without its line end. The text stays as it is.
    pub fn line(&mut self, line: &str) -> Styled {
        let language = self.language.filter(|_| line.len() <= LONGEST_COLOURED);
        let Some(language) = language else { return Styled::new(line, Ink::of(Tone::Plain)) };
        if language.shape == Shape::Diff {
            return Styled::new(line, Ink::of(diff_tone(line)));
        }
        let mut lexer =
            Lexer { language, line, at: 0, inside: self.inside, out: Styled::default() };
        lexer.run();
        self.inside = lexer.inside;
        lexer.out
    }
}

fn diff_tone(line: &str) -> Tone {
    match line.as_bytes().first() {
        _ if line.starts_with("+++") || line.starts_with("---") => Tone::Keyword,
        Some(b'+') => Tone::Added,
        Some(b'-') => Tone::Removed,
        Some(b'@') => Tone::Keyword,
        _ => Tone::Plain,
    }
}

/// One line on its way.
struct Lexer<'a> {
    language: &'static Language,
    line: &'a str,
    at: usize,
    inside: Inside,
    out: Styled,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while self.at < self.line.len() {
            match self.inside {
                Inside::Comment(close) => self.until(close, Tone::Comment),
                Inside::Text(quote) => self.text(quote),
                Inside::Code | Inside::Tag => self.code(),
            }
        }
        if let Inside::Text(quote) = self.inside
            && !quote.spans_lines
        {
            self.inside = Inside::Code;
        }
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Writes so many bytes; they always end with a character.
    fn take(&mut self, bytes: usize, tone: Tone) {
        let end = self.line.len().min(self.at + bytes);
        self.out.push(self.line.get(self.at..end).unwrap_or_default(), Ink::of(tone));
        self.at = end;
    }

    /// The rest of a comment.
    fn until(&mut self, close: &str, tone: Tone) {
        let found = self.rest().find(close);
        if found.is_some() {
            self.inside = Inside::Code;
        }
        self.take(found.map_or(self.line.len(), |at| at + close.len()), tone);
    }

    /// The rest of a text in quotes.
    fn text(&mut self, quote: &'static Quote) {
        let rest = self.rest();
        let mut skipped = false;
        let close = rest.char_indices().find(|&(at, character)| {
            let escaped = std::mem::take(&mut skipped);
            skipped = !escaped && quote.escapes && character == '\\';
            !escaped && rest[at..].starts_with(quote.close)
        });
        if close.is_some() {
            self.inside =
                if self.language.shape == Shape::Markup { Inside::Tag } else { Inside::Code };
        }
        self.take(close.map_or(self.line.len(), |(at, _)| at + quote.close.len()), Tone::Literal);
    }

    fn code(&mut self) {
        let language = self.language;
        let rest = self.rest();
        let in_text = language.shape == Shape::Markup && !matches!(self.inside, Inside::Tag);
        if !in_text && language.line_comments.iter().any(|sign| self.is_comment(sign)) {
            return self.take(self.line.len(), Tone::Comment);
        }
        if let Some((open, close)) = language.block_comment
            && rest.starts_with(open)
        {
            self.inside = Inside::Comment(close);
            return self.take(open.len(), Tone::Comment);
        }
        let quote = language.quotes.iter().find(|quote| rest.starts_with(quote.open));
        if let Some(quote) = quote.filter(|quote| !in_text && !is_lifetime(quote, rest)) {
            let is_key = language.shape == Shape::Json && is_key(rest);
            self.inside = Inside::Text(quote);
            if is_key {
                let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                self.inside = Inside::Code;
                return self.take(end, Tone::Keyword);
            }
            return self.take(quote.open.len(), Tone::Literal);
        }
        if language.shape == Shape::Markup && rest.starts_with(['<', '>']) {
            self.inside = if rest.starts_with('<') { Inside::Tag } else { Inside::Code };
            return self.take(1, Tone::Plain);
        }
        self.word(in_text);
    }

    /// A word, a number, or one sign.
    fn word(&mut self, in_text: bool) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let word = if first.is_ascii_digit() { number(rest) } else { self.identifier(rest) };
        let tone = match word {
            0 => Tone::Plain,
            _ if in_text => Tone::Plain,
            _ if first.is_ascii_digit() => Tone::Number,
            _ if self.is_keyword(&rest[..word], &rest[word..]) => Tone::Keyword,
            _ => Tone::Plain,
        };
        self.take(word.max(first.len_utf8()), tone);
    }

    /// Bytes of the word that the text begins with.
    fn identifier(&self, rest: &str) -> usize {
        let hyphens = matches!(self.language.shape, Shape::Markup | Shape::Settings);
        let belongs = |c: char| c.is_alphanumeric() || c == '_' || (hyphens && c == '-');
        rest.find(|character| !belongs(character)).unwrap_or(rest.len())
    }

    fn is_keyword(&self, word: &str, after: &str) -> bool {
        let language = self.language;
        let begins_line = self.line[..self.at].trim_matches([' ', '-']).is_empty();
        let is_word = |keyword: &str| {
            keyword == word || (language.ignores_case && keyword.eq_ignore_ascii_case(word))
        };
        let listed = language.keywords.split(' ').any(is_word);
        match language.shape {
            Shape::Markup => matches!(self.inside, Inside::Tag),
            Shape::Settings => {
                listed || (begins_line && after.trim_start().starts_with([':', '=']))
            }
            _ => listed,
        }
    }

    /// Whether a comment begins here. A `#` within a word, as in `$#` or `a#b`, begins none.
    fn is_comment(&self, sign: &str) -> bool {
        let before = self.line[..self.at].chars().next_back();
        self.rest().starts_with(sign)
            && (sign != "#" || before.is_none_or(|character| " \t;(),".contains(character)))
    }
}

/// Whether a single quote begins the name of a lifetime instead of a character.
fn is_lifetime(quote: &Quote, rest: &str) -> bool {
    quote.one_character && !rest[1..].starts_with('\\') && rest.chars().nth(2) != Some('\'')
}

/// Whether a quoted text is the key of an object.
fn is_key(rest: &str) -> bool {
    let inner = rest.get(1..).unwrap_or_default();
    inner.split_once('"').is_some_and(|(_, after)| after.trim_start().starts_with(':'))
}

/// Bytes of the number that the text begins with; `1..2` is a number, two points and a number.
fn number(rest: &str) -> usize {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
    let number = &rest[..end.unwrap_or(rest.len())];
    number.find("..").unwrap_or_else(|| number.trim_end_matches('.').len())
}

#[cfg(test)]
mod tests;
