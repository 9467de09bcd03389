//! How many tokens a model takes, where a server says so because a request had more.

use serde_json::Value;

use super::OF_ANSWER;

/// Fewer tokens than any model takes.
const LEAST: u64 = 256;

/// Words that tell a limit, whatever it is of.
const LIMIT: [&str; 10] =
    ["maximum", "max", "limit", "n_ctx", "range", "only", "most", "less", "fewer", "supports"];

/// Words that do so where no other does: what was sent may be called that, too.
const PERHAPS: [&str; 4] = ["context", "exceed", "exceeds", "exceeded"];

/// Words that may stand between these and their number.
const BETWEEN: [&str; 25] = [
    "is",
    "up",
    "than",
    "of",
    "to",
    "the",
    "a",
    "at",
    "be",
    "must",
    "should",
    "allowed",
    "available",
    "tokens",
    "token",
    "number",
    "length",
    "size",
    "window",
    "len",
    "seq",
    "input",
    "prompt",
    "model",
    "context",
];

/// What a request is called, and what it has to fit into.
const OF_REQUEST: [&str; 6] = ["context", "n_ctx", "window", "input", "prompt", "messages"];

/// What follows a number of something else than tokens of a request.
const OF_OTHERS: [&str; 20] = [
    "output",
    "completion",
    "bytes",
    "kb",
    "mb",
    "mib",
    "characters",
    "chars",
    "requests",
    "prompts",
    "messages",
    "images",
    "pixels",
    "items",
    "elements",
    "ms",
    "s",
    "seconds",
    "minutes",
    "days",
];

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Number(u64),
    Word(&'a str),
    Sign(char),
}

use Piece::{Number, Sign, Word};

/// The number in an error, where it has a field of its own.
pub(super) fn in_value(value: &Value) -> Option<u64> {
    let places = ["/error/n_ctx", "/n_ctx"];
    let told = places.iter().find_map(|place| value.pointer(place)?.as_u64());
    told.filter(|tokens| *tokens >= LEAST)
}

/// The number in the words of an error: the first that is told as a limit, before one that may be. That of an answer goes
/// behind that of a context.
pub(super) fn in_words(words: &str) -> Option<u64> {
    let words = words.to_lowercase();
    let pieces = pieces(&words);
    let sure = |word: &str| LIMIT.contains(&word);
    let context = |word: &str| word == "context";
    let perhaps = |word: &str| sure(word) || PERHAPS.contains(&word);
    limit(&pieces, &sure, is_of_answer)
        .or_else(|| limit(&pieces, &context, is_of_answer))
        .or_else(|| limit(&pieces, &sure, |_| false))
        .or_else(|| limit(&pieces, &perhaps, |_| false))
}

/// What the numbers of an error leave for an answer for which so many tokens were asked, where the whole of that and the
/// prompt was more than there may be: the limit and the tokens of the prompt.
pub(crate) fn sum_in(words: &str, asked: u64) -> Option<(u64, u64)> {
    let takes = in_words(words)?;
    let words = words.to_lowercase();
    let pieces = pieces(&words);
    let numbers =
        || pieces.iter().filter_map(|piece| if let Number(n) = piece { Some(*n) } else { None });
    let is_prompt =
        |n: &u64| *n < takes && *n >= LEAST && *n > takes.saturating_sub(asked) && *n != asked;
    numbers().any(|n| n == asked).then(|| numbers().find(is_prompt))?.map(|prompt| (takes, prompt))
}

/// The first number that is told as a limit, but for those that stand behind what is left out.
fn limit(
    pieces: &[Piece<'_>],
    tells: &dyn Fn(&str) -> bool,
    is_left_out: fn(&[Piece<'_>]) -> bool,
) -> Option<u64> {
    pieces.iter().enumerate().find_map(|(at, piece)| {
        let Number(number) = *piece else { return None };
        let (before, after) = (&pieces[..at], &pieces[at + 1..]);
        let is_other = after.iter().find_map(|piece| match piece {
            Word("token" | "tokens") => None,
            Word(word) => Some(OF_OTHERS.contains(word)),
            _ => Some(false),
        });
        let is_part = before.last() == Some(&Sign('+')) || after.first() == Some(&Sign('+'));
        let is_it = !is_code(before, after)
            && (is_told_before(before, tells) || is_told_behind(before, after, tells));
        let counts = is_other != Some(true) && number >= LEAST && !is_left_out(before);
        (is_it && !is_part && counts).then_some(number)
    })
}

/// Whether what stands before a number, back to another or to the end of a clause, is about an answer and not about a
/// request.
fn is_of_answer(before: &[Piece<'_>]) -> bool {
    let ends = |piece: &Piece<'_>| matches!(piece, Number(_) | Sign('.' | ',' | ';'));
    let clause = before.rsplit(ends).next().unwrap_or_default();
    let is_request = clause.iter().any(|piece| match piece {
        Word(word) => OF_REQUEST.iter().any(|name| word.contains(name)),
        sign => *sign == Sign('+'),
    });
    let is_answer = |piece: &Piece<'_>| matches!(piece, Word(word) if OF_ANSWER.contains(word));
    let most = |pair: &[Piece<'_>]| matches!(pair, [Word("max" | "maximum"), Word("tokens")]);
    !is_request && (clause.iter().any(is_answer) || clause.windows(2).any(most))
}

/// Whether what stands before a number says that it is a limit.
fn is_told_before(before: &[Piece<'_>], tells: &dyn Fn(&str) -> bool) -> bool {
    if matches!(before, [.., Sign('>' | '≤')] | [.., Sign('<' | '>'), Sign('=')]) {
        return true;
    }
    // That is of an answer.
    if matches!(before, [.., Word("max"), Word("tokens")]) {
        return false;
    }
    // Of a range it is the end.
    let ([before @ .., Sign('['), Number(_), Sign(',')] | before) = before;
    let told = before.iter().rev().find_map(|piece| match piece {
        Word(word) if tells(word) => Some(true),
        Word(word) if BETWEEN.contains(word) => None,
        Sign('(' | ':' | '=' | '`' | '"') => None,
        _ => Some(false),
    });
    told == Some(true)
}

/// Whether a number stands in brackets behind nothing but the word for a limit, as the code of an error does in `exceeds
/// limit (2013)`.
fn is_code(before: &[Piece<'_>], after: &[Piece<'_>]) -> bool {
    matches!((before, after), ([.., Word("limit"), Sign('(')], [Sign(')'), ..]))
}

/// Whether what stands behind a number does, as in `32768 maximum context length`. The end of a name is no number.
fn is_told_behind(before: &[Piece<'_>], after: &[Piece<'_>], tells: &dyn Fn(&str) -> bool) -> bool {
    if before.last() == Some(&Sign('-')) {
        return false;
    }
    let told = after.iter().find_map(|piece| match piece {
        Word("token" | "tokens") | Sign('-') => None,
        Word(word) => Some(tells(word) && !word.starts_with("exceed")),
        _ => Some(false),
    });
    told == Some(true)
}

fn pieces(words: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some(first) = rest.chars().next() {
        let goes_on = |sign: char| sign.is_alphanumeric() || sign == '_';
        let end = rest.find(|sign| !goes_on(sign)).unwrap_or(rest.len());
        let number = number(rest);
        if let Some((number, length)) = number {
            pieces.push(Number(number));
            rest = &rest[length..];
        } else if end > 0 {
            pieces.push(Word(&rest[..end]));
            rest = &rest[end..];
        } else {
            if !first.is_whitespace() {
                pieces.push(Sign(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    pieces
}

/// The number at the beginning of a text, perhaps in groups of three or in thousands, and its length; `None` where a word
/// goes on.
fn number(text: &str) -> Option<(u64, usize)> {
    let is_digit = |sign: char| sign.is_ascii_digit();
    let digits = |text: &str| text.find(|sign| !is_digit(sign)).unwrap_or(text.len());
    let mut length = digits(text);
    while let Some(group) = text[length..].strip_prefix(GROUPS)
        && (1..=3).contains(&digits(text))
        && digits(group) == 3
    {
        length = text.len() - group.len() + 3;
    }
    let plain: String = text[..length].chars().filter(char::is_ascii_digit).collect();
    let times = match text[length..].chars().next() {
        // The smaller of both that may be meant.
        Some('k') => 1_000,
        Some('m') => 1_000_000,
        _ => 1,
    };
    // `3 128k` are two numbers.
    let times = if plain.len() == length { times } else { 1 };
    length += usize::from(times > 1);
    let is_word = text[length..].starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
    let number = plain.parse::<u64>().ok().filter(|_| !is_word)?;
    Some((number.checked_mul(times)?, length))
}

/// What may stand between groups of digits: a sign, or a space of some width.
const GROUPS: [char; 6] = [',', '_', ' ', '\u{a0}', '\u{202f}', '\u{2009}'];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_number_is_found_in_the_words_of_every_provider() {
        for (words, takes) in [
            (
                "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8001 in the \
                 messages, 1000 in the completion).",
                Some(8_192),
            ),
            ("prompt is too long: 3333404 tokens > 200000 maximum", Some(200_000)),
            (
                "input length and `max_tokens` exceed context limit: 198000 + 8000 > 200000, decrease input length",
                Some(200_000),
            ),
            (
                "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).",
                Some(1_048_576),
            ),
            (
                "The decoder prompt (length 9000) is longer than the maximum model length of 8192",
                Some(8_192),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
                Some(131_072),
            ),
            (
                "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
                Some(32_768),
            ),
            ("Your request exceeded model token limit: 8192 (requested: 9000)", Some(8_192)),
            ("Range of input length should be [1, 30720]", Some(30_720)),
            ("Requested tokens (5000) exceed context window of 4096", Some(4_096)),
            (
                "request (9000 tokens) exceeds the available context size (4,096 tokens)",
                Some(4_096),
            ),
            (
                "You passed 9000 input tokens and requested 0 output tokens. However, the model's context length is only \
                 6000 tokens, resulting in a maximum input length of 6000 tokens.",
                Some(6_000),
            ),
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 6000. Given: 9000 `inputs` tokens",
                Some(6_000),
            ),
            ("Current length is 9000 while limit is 6000", Some(6_000)),
            ("is greater than the context length (n_keep: 9000>= n_ctx: 6000)", Some(6_000)),
            (
                "Input tokens exceed the configured limit of 6000 tokens. Your messages resulted in 9000 tokens.",
                Some(6_000),
            ),
            ("The prompt is too long: 9000, model maximum context length: 6000", Some(6_000)),
            ("prompt token count of 9000 exceeds the limit of 6000", Some(6_000)),
            (
                "total number of tokens in the prompt cannot exceed 6000 - received 9000.",
                Some(6_000),
            ),
            (
                "Input length (9000 tokens) exceeds the maximum allowed length (6000 tokens).",
                Some(6_000),
            ),
            ("prompt tokens 9000 exceeds model max seq len 6000", Some(6_000)),
            ("tokens per minute (TPM): Limit 6000, Requested 9000", Some(6_000)),
            ("Your 9000 token context exceeds the 6000-token limit", Some(6_000)),
            (
                "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with \
                 context length of only 6000 tokens",
                Some(6_000),
            ),
            ("invalid params, context window exceeds limit (2013)", None),
            ("The body exceeds the limit of 1048576 bytes", None),
            ("at most 4096 completion tokens", None),
            ("Prompt processing exceeded the maximum of 1800 seconds", None),
            ("You have exceeded your daily limit of 2000 prompts", None),
            ("Requested max tokens 2048 must be less than the context", None),
            ("Your input exceeds the context window of this model.", None),
            ("prompt too long; exceeded max context length by 12 tokens", None),
            ("the input length exceeds the context length", None),
            ("Please reduce the length of the messages.", None),
        ] {
            assert_eq!(in_words(words), takes, "{words}");
        }
    }

    #[test]
    fn a_number_is_found_however_it_is_written_and_led_up_to() {
        for (words, takes) in [
            (
                "Unable to submit request because the input token count is 9000 but model only supports up to 6000. Reduce \
                 the input token count and try again.",
                Some(6_000),
            ),
            ("This model supports up to 6000 tokens, and the prompt has 9000.", Some(6_000)),
            ("This model supports up to 6000 output tokens", None),
            (
                "Input validation error: `inputs` must have less than 6000 tokens. Given: 9000",
                Some(6_000),
            ),
            ("the prompt must have fewer than 6 000 tokens, got 9 000", Some(6_000)),
            ("maximum context length is 13\u{a0}000 tokens", Some(13_000)),
            ("maximum context length is 1\u{202f}048\u{202f}576 tokens", Some(1_048_576)),
            ("The prompt exceeds the 128k context limit", Some(128_000)),
            ("Maximum context: 2K tokens, given: 3K", Some(2_000)),
            ("The prompt of 2M tokens is over the limit of 1M", Some(1_000_000)),
            ("small 3 128k maximum context length", Some(128_000)),
            ("model small-32k maximum context length is 6000", Some(6_000)),
            ("The body exceeds the limit of 128k bytes or 128kb", None),
        ] {
            assert_eq!(in_words(words), takes, "{words}");
        }
    }

    #[test]
    fn the_number_of_an_answer_is_not_taken_for_that_of_the_context() {
        for words in [
            "This model's context length is 8192, but max tokens is 4096 and the prompt has 6000",
            "max tokens (4096) and prompt exceed the context length of 8192",
            "The context length is 8192 and max_completion_tokens is at most 4096",
            "max_tokens must be at most 4096 (context length 8192)",
            "`max_completion_tokens` has a maximum of 4096, and the maximum context length is 8192",
            "maximum context length is 8192 tokens, however you requested max tokens: 4096",
            "context length exceeded (9000 tokens), max tokens: 8192",
            "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 8192 \
             tokens and your request has 6000 input tokens (4096 > 8192 - 6000).",
            "the sum of prompt and max_tokens cannot exceed 8192",
        ] {
            assert_eq!(in_words(words), Some(8_192), "{words}");
        }
    }

    #[test]
    fn a_field_of_its_own_goes_before_words() {
        let told =
            json!({"error": {"message": "too long", "n_prompt_tokens": 9000, "n_ctx": 4096}});
        assert_eq!(in_value(&told), Some(4_096));
        assert_eq!(in_value(&json!({"error": {"n_ctx": 0}})), None);
    }

    #[test]
    fn the_tokens_of_a_prompt_are_known_where_those_of_the_answer_stand_beside_them() {
        let words = "input length and `max_tokens` exceed context limit: 6500 + 8192 > 12000, decrease input length";
        assert_eq!(sum_in(words, 8_192), Some((12_000, 6_500)));
        assert_eq!(sum_in(words, 1_000), None, "that is another answer");
        assert_eq!(sum_in("prompt is too long: 13000 tokens > 12000 maximum", 8_192), None);
    }
}
