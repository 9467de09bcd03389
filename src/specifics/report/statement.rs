//! The sentences of a text one by one, those of a list behind the line that leads it.

/// A paragraph, a heading or an item of a list, on one line.
struct Block {
    text: String,
    /// How far an item stands in.
    indent: Option<usize>,
    is_heading: bool,
}

impl Block {
    /// Whether it may lead a list: by a colon, or as a few words alone.
    fn leads(&self) -> bool {
        const FEW: usize = 5;
        let is_short =
            || self.text.split(' ').count() <= FEW && !self.text.ends_with(['.', '!', '?']);
        self.is_heading || self.text.ends_with(':') || self.indent.is_none() && is_short()
    }
}

/// What a text says sentence by sentence, in small letters: `deleted: build/old` for an item below `Deleted:`.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut lead: Option<Block> = None;
    for block in blocks(text) {
        // What leads an item leads those below it alone.
        let leads =
            |lead: &Block| lead.indent.is_none_or(|at| block.indent.is_some_and(|own| own > at));
        lead = lead.filter(|lead| block.indent.is_some() && leads(lead));
        let item = lead.as_ref().map(|lead| format!("{}: {}", lead.text, block.text));
        let said = item.as_deref().unwrap_or(&block.text);
        all.extend(said.split(". ").map(str::to_lowercase));
        if block.leads() {
            let text = block.text.trim_end_matches(':').to_owned();
            lead = Some(Block { text, ..block });
        }
    }
    all
}

fn blocks(text: &str) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let bare = line.trim();
        let indent = line.len() - line.trim_start().len();
        let item = item(bare);
        let is_heading = bare.starts_with('#');
        let goes_on = is_open && item.is_none() && bare.starts_with(continues);
        if let Some(last) = all.last_mut().filter(|_| goes_on) {
            last.text.push(' ');
            last.text.push_str(bare);
        } else if !bare.is_empty() {
            let text = item.unwrap_or(bare.trim_start_matches('#').trim_start()).to_owned();
            all.push(Block { text, indent: item.map(|_| indent), is_heading });
        }
        is_open = !bare.is_empty() && !is_heading && !bare.starts_with('|');
    }
    all
}

/// Whether a line that begins so goes on with the one before it.
fn continues(sign: char) -> bool {
    sign.is_lowercase() || sign.is_ascii_digit() || "`\"'(/.~".contains(sign)
}

/// An item of a list without its sign.
fn item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix(['.', ')']).filter(|_| rest.len() < line.len())
    });
    rest?.strip_prefix(' ').map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_a_statement_behind_what_leads_it() {
        for (text, said) in [
            ("Done. It\nruns.\nNext", &["done", "it runs.", "next"][..]),
            ("- A b\n- C\n  d", &["a b", "c d"]),
            ("## Gone\n\n1. a/b\n2) c\n\nEnd", &["gone", "gone: a/b", "gone: c", "end"]),
            ("All is gone\n- a\nNo.\n- b", &["all is gone", "all is gone: a", "no.", "b"]),
            ("- Gone:\n  - a\n- b", &["gone:", "gone: a", "b"]),
            ("", &[]),
        ] {
            assert_eq!(statements(text), said, "{text}");
        }
    }
}
