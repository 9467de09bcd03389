//! One item in full, as lines.

use super::LineStyle;
use crate::orchestrator::{Detail, ItemRef};
use crate::text;
use crate::tui::keymap::Keymap;

/// The heading of the box.
pub(super) fn title(detail: &Detail, keymap: &Keymap) -> String {
    let title = text::one_line(&detail.title);
    match detail.parts {
        (_, 0 | 1) => title,
        (part, of) => {
            let turn = keymap.fill("{overlay.next_mark} and {overlay.last_mark} turn");
            format!("{title} · part {part} of {of}, {turn}")
        }
    }
}

/// The next part of a long text, or the one before.
pub(super) fn other_part(detail: &Detail, on: bool) -> Option<ItemRef> {
    let ItemRef::Text { key, part } = &detail.item else { return None };
    let part = if on { part + 1 } else { part.checked_sub(1)? };
    (1..=detail.parts.1).contains(&part).then(|| ItemRef::Text { key: key.clone(), part })
}

/// Its sections, wrapped.
pub(super) fn lines(detail: &Detail, width: usize) -> Vec<(LineStyle, String)> {
    let mut lines = Vec::new();
    for section in &detail.sections {
        if !lines.is_empty() {
            lines.push((LineStyle::Plain, String::new()));
        }
        let heading = text::fit(&text::one_line(&section.heading), width);
        lines.push((LineStyle::Heading, heading));
        let body = text::clean(section.text.trim_end());
        if body.is_empty() {
            lines.push((LineStyle::Dim, "nothing".to_owned()));
            continue;
        }
        let wrapped = body.split('\n').flat_map(|line| text::wrap(line, width));
        lines.extend(wrapped.map(|line| (LineStyle::Plain, line)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Custom, Source};
    use crate::orchestrator::Section;

    #[test]
    fn a_long_text_is_turned_part_by_part_and_stops_at_its_ends() {
        let detail = |part| Detail {
            title: "ref:log".into(),
            item: ItemRef::Text { key: "log".into(), part },
            sections: vec![Section { heading: "a log".into(), text: "one\ntwo \u{1b}[31m".into() }],
            parts: (part, 2),
        };
        assert_eq!(other_part(&detail(1), false), None);
        let second = Some(ItemRef::Text { key: "log".into(), part: 2 });
        assert_eq!(other_part(&detail(1), true), second);
        assert_eq!(other_part(&detail(2), true), None);
        let own = Custom {
            name: "overlay.next_mark".into(),
            values: vec!["w".into()],
            is_words: true,
            source: Source::Default,
        };
        let (keymap, faults) = Keymap::with(&[own]);
        assert_eq!(faults, Vec::<String>::new());
        assert_eq!(title(&detail(1), &keymap), "ref:log · part 1 of 2, w and N turn");
        let lines = lines(&detail(1), 40);
        assert_eq!(lines[0], (LineStyle::Heading, "a log".to_owned()));
        assert!(lines.iter().all(|(_, line)| !line.contains('\u{1b}')));
    }
}
