//! A text in pieces that are counted one by one.

/// The text line by line, each with its end: no token spans a line end with a visible sign behind it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_border = |at: &usize| !rest[at + 1..].starts_with(char::is_whitespace);
        let end = rest.match_indices('\n').map(|(at, _)| at).find(is_border);
        let (line, behind) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// A line sentence by sentence, each with its mark: no token spans a mark with a space behind it.
pub(super) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_end = |two: &[u8]| matches!(two, [b'.' | b'!' | b'?' | b':' | b';', b' ']);
        let end = rest.as_bytes().windows(2).position(is_end);
        let (sentence, behind) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
        rest = behind;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// The text in pieces: cut where no token can span two signs.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(first_piece(rest));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Where the first piece ends.
pub(super) fn first_piece(text: &str) -> usize {
    // Most of what is written has one byte a sign.
    let bytes = text.as_bytes();
    match bytes.windows(2).position(|two| stops(two[0], two[1])) {
        None => bytes.len(),
        Some(before) if bytes[before].is_ascii() && bytes[before + 1].is_ascii() => before + 1,
        Some(_) => first_piece_of_signs(text),
    }
}

pub(super) fn first_piece_of_signs(text: &str) -> usize {
    let signs = text.char_indices();
    let two = signs.clone().zip(signs.skip(1));
    let mut borders = two.filter(|((_, before), (_, after))| is_border(*before, *after));
    borders.next().map_or(text.len(), |(_, (at, _))| at)
}

/// What a byte is: a letter, white space within a line, an end of a line, a part of a longer sign, a digit, or anything
/// else.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

const LETTER: u8 = 0;
const SPACE: u8 = 1;
const LINE_END: u8 = 2;
const LONGER: u8 = 3;
const OTHER: u8 = 4;
const DIGIT: u8 = 5;

const fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => LETTER,
        b' ' | b'\t' | 0x0b | 0x0c => SPACE,
        b'\n' | b'\r' => LINE_END,
        0x80.. => LONGER,
        b'0'..=b'9' => DIGIT,
        _ => OTHER,
    }
}

/// For each class a bit for each class that no token reaches from it, see [`is_border`]; also where a longer sign has to
/// be looked at.
static STOPS: [u8; 6] = [
    // From letters, white space, line ends, parts of longer signs, others and digits.
    1 << SPACE | 1 << LINE_END | 1 << LONGER | 1 << OTHER | 1 << DIGIT,
    1 << LONGER,
    1 << LONGER,
    u8::MAX,
    1 << SPACE | 1 << LONGER | 1 << DIGIT,
    1 << SPACE | 1 << LINE_END | 1 << LONGER | 1 << OTHER | 1 << LETTER,
];

/// Whether a piece may end between two bytes.
pub(super) fn stops(before: u8, after: u8) -> bool {
    let class = |byte: u8| CLASSES[usize::from(byte)];
    STOPS[usize::from(class(before))] >> class(after) & 1 == 1
}

/// Whether no token can span these two neighbours. Sure, but not complete: the tokenizer parts at
/// some other places too, depending on what stands around them.
pub(super) fn is_border(before: char, after: char) -> bool {
    let ends_word = !before.is_whitespace() && after.is_whitespace();
    // Punctuation keeps the line ends behind it.
    let line_end = matches!(after, '\r' | '\n');
    (ends_word && !line_end)
        || (is_plain_letter(before) && !after.is_alphabetic())
        // Digits keep to themselves, but white space in front of them hangs on what is before it.
        || (before.is_ascii_digit() && !after.is_numeric())
        || (after.is_ascii_digit() && !before.is_numeric() && !before.is_whitespace())
}

/// The tokens of a number, or of a space and one: three digits are one token, whichever they are.
pub(super) fn of_number(piece: &str) -> Option<u64> {
    let digits = piece.strip_prefix(' ').unwrap_or(piece);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (piece.len() - digits.len() + digits.len().div_ceil(3)) as u64)
}

/// Letters of the scripts that are written in long runs, without their marks and signs.
fn is_plain_letter(sign: char) -> bool {
    sign.is_ascii_alphabetic()
        || matches!(sign, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
        || matches!(sign, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}
