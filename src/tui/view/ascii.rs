//! A screen without lines, arrows and emoji, for terminals and readers that have none.
//!
//! Works on the finished frame, so that nothing can be forgotten. Letters of all languages stay as they
//! are; only signs are replaced, each by one that takes no more room.

use ratatui::buffer::Buffer;

/// Replaces every sign that is no letter by one that every terminal has.
pub fn simplify(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        if let Some(plain) = symbol.chars().next().and_then(plain) {
            cell.set_symbol(plain);
        }
    }
}

/// A text with every sign that is no letter replaced by one that every terminal has.
pub fn simplified(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match plain(sign).filter(|_| !sign.is_ascii()) {
            Some(plain) => out.push_str(plain),
            None => out.push(sign),
        }
    }
    out
}

/// What stands for a sign; `None` for letters, which stay.
fn plain(sign: char) -> Option<&'static str> {
    Some(match sign {
        '─' | '╌' | '┄' | '–' | '—' | '―' | '−' | '▫' | '⠹' | '⠸' | '⠧' => {
            "-"
        }
        '━' | '═' | '≡' => "=",
        '│' | '┃' | '║' | '▌' | '▐' | '▏' | '▎' | '▍' | '⠏' => "|",
        '┊' | '┆' | '╎' | '┇' | '░' => ":",
        '…' | '·' | '•' | '∙' | '‥' | '▁' | '▂' => ".",
        '▒' => "%",
        '⠋' | '⠙' | '⠦' | '╱' => "/",
        '‘' | '’' | '▔' => "'",
        '\u{2500}'..='\u{257f}' => "+",
        '\u{2580}'..='\u{259f}' | '▪' => "#",
        '⠼' | '⠴' | '⠇' => "\\",
        '←' | '◀' | '◂' | '‹' | '«' | '⏪' => "<",
        '→' | '▶' | '▸' | '›' | '»' | '⏩' => ">",
        '↑' | '▲' | '▴' | '⌃' => "^",
        '↓' | '▼' | '▾' | '⌄' | '✓' | '✔' => "v",
        '\u{2194}'..='\u{21ff}' => "~",
        '✗' | '✘' | '✕' | '✖' | '×' => "x",
        '☆' | '○' | '◌' | '◯' | '□' | '▢' | '◇' => "o",
        '“' | '”' | '„' => "\"",
        '\u{00a0}' | '\u{2000}'..='\u{200a}' => " ",
        // Technical signs, blocks, shapes, dingbats, stars, and all of the emoji.
        '\u{2300}'..='\u{23ff}'
        | '\u{2800}'..='\u{28ff}'
        | '\u{25a0}'..='\u{27bf}'
        | '\u{2900}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' => "*",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn signs_are_replaced_and_letters_stay() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 1));
        buffer.set_string(0, 0, "┌─━┐│┊ ★ ⚙ → … é 界 ß 👩‍👩‍👧 ok", Style::new());
        simplify(&mut buffer);
        let row: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(row.trim_end(), "+-=+|: * * > . é 界  ß *  ok");
    }

    #[test]
    fn what_is_where_is_told_apart() {
        let signs: Vec<_> = ['●', '○', '▾', '▪', '▫'].into_iter().filter_map(plain).collect();
        assert_eq!(signs, ["*", "o", "v", "#", "-"], "active, open, expanded, warm, evicted");
    }
}
