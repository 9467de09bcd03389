use proptest::prelude::*;

use super::*;

/// The parts of some lines that have a tone.
fn toned(language: &str, tone: Tone, lines: &[&str]) -> Vec<String> {
    let mut highlighter = Highlighter::new(language);
    let mut found = Vec::new();
    for line in lines {
        let styled = highlighter.line(line);
        let parts = styled.parts().filter(|(_, ink)| ink.tone == tone);
        found.extend(parts.map(|(part, _)| part.trim().to_owned()).filter(|part| !part.is_empty()));
    }
    found
}

#[test]
fn keywords_texts_numbers_and_comments_are_told_apart() {
    let line = ["let name = \"a // b\"; // 0x1F times", "for n in 0..0x1F {"];
    assert_eq!(toned("rust", Tone::Keyword, &line), ["let", "for", "in"]);
    assert_eq!(toned("rust", Tone::Literal, &line), ["\"a // b\""]);
    assert_eq!(toned("rust", Tone::Comment, &line), ["// 0x1F times"]);
    assert_eq!(toned("rust", Tone::Number, &line), ["0", "0x1F"]);
}

#[test]
fn what_goes_on_over_a_line_end_is_remembered() {
    let python = ["\"\"\"one", "two # no comment", "three\"\"\" + 'x' # yes"];
    assert_eq!(
        toned("py", Tone::Literal, &python),
        ["\"\"\"one", "two # no comment", "three\"\"\"", "'x'"]
    );
    assert_eq!(toned("py", Tone::Comment, &python), ["# yes"]);
    let c = ["int a; /* one", "two */ int b;"];
    assert_eq!(toned("c", Tone::Comment, &c), ["/* one", "two */"]);
    assert_eq!(toned("c", Tone::Keyword, &c), ["int", "int"]);
}

#[test]
fn an_unclosed_quote_ends_with_its_line_where_the_language_says_so() {
    assert_eq!(toned("js", Tone::Keyword, &["let a = 'open", "return a"]), ["let", "return"]);
}

#[test]
fn an_escaped_quote_does_not_end_a_text() {
    assert_eq!(toned("go", Tone::Literal, &[r#"a := "x\"y\\" + "z""#]), [r#""x\"y\\""#, "\"z\""]);
}

#[test]
fn a_lifetime_is_no_character() {
    let lines = ["fn f<'a>(x: &'a str) -> char { 'x' }", "let n = '\\n';"];
    assert_eq!(toned("rust", Tone::Literal, &lines), ["'x'", "'\\n'"]);
}

#[test]
fn keys_tags_and_changed_lines_have_their_colours() {
    assert_eq!(
        toned("json", Tone::Keyword, &[r#"{"a": ["b"], "c": null}"#]),
        ["\"a\"", "\"c\"", "null"]
    );
    assert_eq!(
        toned("yaml", Tone::Keyword, &["- name: x # y", "  two-words: true"]),
        ["name", "two-words", "true"]
    );
    assert_eq!(
        toned("html", Tone::Keyword, &["<a href=\"x\">if</a> <!-- b -->"]),
        ["a", "href", "a"]
    );
    assert_eq!(toned("diff", Tone::Added, &["+++ b/x", "+new", "-old"]), ["+new"]);
    assert_eq!(toned("diff", Tone::Removed, &["+++ b/x", "+new", "-old"]), ["-old"]);
}

#[test]
fn a_hash_within_a_word_is_no_comment() {
    assert!(toned("sh", Tone::Comment, &["echo $# ${#a} a#b"]).is_empty());
    assert_eq!(toned("SQL", Tone::Keyword, &["Select 1 FROM t"]), ["Select", "FROM"]);
}

#[test]
fn every_name_leads_to_one_language() {
    let mut names: Vec<_> = LANGUAGES.iter().flat_map(|language| language.names).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(LANGUAGES.len() >= 12);
}

proptest! {
    #[test]
    fn the_text_is_never_changed(
        language in 0..LANGUAGES.len(),
        lines in prop::collection::vec("[ -~]{0,20}|.{0,20}|[\"'`#/*<>!\\\\-]{0,12}", 1..6),
    ) {
        let mut highlighter = Highlighter::new(LANGUAGES[language].names[0]);
        for line in lines {
            let styled = highlighter.line(&line);
            prop_assert_eq!(styled.text(), &line);
        }
    }
}

#[test]
fn a_line_of_megabytes_gets_no_colours_and_the_next_one_does() {
    let long = "let a = 1; ".repeat(100_000);
    let mut highlighter = Highlighter::new("rust");
    assert_eq!(highlighter.line(&long).parts().count(), 1);
    assert_eq!(highlighter.line(&long).text(), long);
    assert!(highlighter.line("let a = 1;").parts().count() > 1);
}
