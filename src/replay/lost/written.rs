//! What a call writes in files: it stands there, and what a summary may lose of it is little.

use crate::specifics::{self, Kind, Specific};

/// Endings of files that hold what people read.
const PROSE: [&str; 10] =
    ["adoc", "bib", "csv", "markdown", "md", "mdx", "org", "rst", "tex", "txt"];

/// With what a patch begins, and with what the parts of it that are of one file.
const PATCH: &str = "*** Begin Patch";
const HEADS: [&str; 4] =
    ["*** Add File: ", "*** Delete File: ", "*** Move to: ", "*** Update File: "];

/// Texts that stand in files.
#[derive(Default)]
pub(super) struct Written {
    code: Vec<String>,
    prose: Vec<String>,
}

impl Written {
    /// Takes a text that is written in a file.
    pub(super) fn take(&mut self, file: &str, text: &str) {
        let list = if is_prose(file) { &mut self.prose } else { &mut self.code };
        list.push(text.to_owned());
    }

    /// Takes the lines of a patch, and returns those that say of which files it is.
    pub(super) fn patch(&mut self, patch: &str) -> Vec<String> {
        let mut heads = Vec::new();
        let mut file = "";
        for line in patch.lines() {
            match HEADS.iter().find_map(|head| line.strip_prefix(head)) {
                Some(named) => {
                    file = named.trim();
                    heads.push(file.to_owned());
                }
                // What is taken out is not written.
                None if line.starts_with('-') => {}
                None => self.take(file, line.strip_prefix(['+', ' ']).unwrap_or(line)),
            }
        }
        heads
    }

    /// What of them a summary may lose. Code has names of its own in every line.
    pub(super) fn details(&self) -> Vec<Specific> {
        let within = |texts: &[String]| specifics::extract_from(&texts.join("\n"), false);
        let mut found = within(&self.prose);
        found.extend(within(&self.code).into_iter().filter(|one| !is_of_code(one)));
        found.retain(|one| one.kind != Kind::Command);
        found
    }
}

/// Whether a text is a patch of files.
pub(super) fn is_patch(text: &str) -> bool {
    text.contains(PATCH)
}

fn is_prose(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    // Without an ending it may be anything.
    name.rsplit_once('.').is_none_or(|(_, ending)| PROSE.contains(&&*ending.to_lowercase()))
}

/// Whether something is a part of the code that it stands in: a name of a function, a type or a field, a flag without a
/// value, a module by the way to it. A setting with its value is none, nor what has a number: a host, a ticket, a version.
fn is_of_code(one: &Specific) -> bool {
    let text = &*one.text;
    match one.kind {
        Kind::Path => {
            let name = text.rsplit('/').next().unwrap_or_default();
            text.starts_with("./") && !name.contains('.')
                || text.starts_with("../") && !name.contains('.')
        }
        Kind::Identifier => {
            let is_flag = text.starts_with("--") && !text.contains(['=', ' ']);
            let is_product = text.contains(' ') && !text.contains(['=', '.', '-']);
            is_flag || is_product || is_name(text)
        }
        _ => false,
    }
}

/// Whether an identifier is a name in code and nothing else. One of capitals alone is a constant, and so a setting.
fn is_name(text: &str) -> bool {
    let bare = text.split('(').next().unwrap_or_default().trim_matches(['$', '{', '}', '%', '!']);
    let plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || "_.:#<>".contains(c));
    let has_digit = bare.contains(|c: char| c.is_ascii_digit());
    let humps = bare
        .as_bytes()
        .windows(2)
        .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    let has_small = bare.contains(|c: char| c.is_ascii_lowercase());
    plain
        && has_small
        && !text.starts_with('#')
        && (!has_digit || humps || text.contains(['_', '(']) || text.contains("::"))
}
