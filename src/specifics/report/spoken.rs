//! Whether a text speaks of a file or a name in code by the words that it is made of.

use super::setting::in_words;
use super::text::words;

/// Parts of a name beyond which people do not say all of them.
const MOST_PARTS: usize = 5;

/// Of so many parts, a name in any order is no chance: `the hall reverb golden test` is `golden_reverb_hall`.
const TELLING_PARTS: usize = 3;

/// What people call a file, or what is in it.
const KINDS: [&str; 16] = [
    "class",
    "component",
    "config",
    "configuration",
    "controller",
    "file",
    "fixture",
    "helper",
    "hook",
    "manifest",
    "migration",
    "module",
    "script",
    "template",
    "widget",
    "workflow",
];

/// Signs between words that belong together.
const BETWEEN: [char; 6] = [' ', '-', '`', '"', '\'', '*'];

/// Verbs that are also what they make.
const DEEDS: [&str; 11] = [
    "backup", "export", "import", "lookup", "report", "retry", "search", "sort", "sync", "update",
    "upload",
];

/// The words of a text in small letters, for many questions.
pub(super) struct Spoken(Vec<String>);

impl Spoken {
    /// Between words that other signs part stands an empty one: no name goes on over it.
    pub(super) fn of(text: &str) -> Self {
        let mut all = Vec::new();
        let mut end = 0;
        for word in words(text) {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            if !text[end..start].chars().all(|c| BETWEEN.contains(&c)) {
                all.push(String::new());
            }
            all.push(word.to_owned());
            end = start + word.len();
        }
        Self(all)
    }

    /// Whether it speaks of a file: by all words of its name, if these are three at least, or by those, or its directory and
    /// those, in any order before what it is: `the prod values file`, `the price cell component`, `the invoicing tasks
    /// module`, `the e2e workflow`.
    pub(super) fn tells_file(&self, path: &str) -> bool {
        let mut names = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']);
        // What is behind a colon is a line.
        let file = names.next().unwrap_or_default().split(':').next().unwrap_or_default();
        let directory = names.next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim_start_matches('.');
        // A date or a version may be told of anything.
        let is_word = |part: &String| part.len() > 2 && part.starts_with(char::is_alphabetic);
        let Some(parts) = parts(stem).filter(|parts| parts.iter().any(is_word)) else {
            return false;
        };
        let sort = directory.strip_suffix('s').filter(|sort| sort.len() > 2);
        let is_of_sort =
            || sort.is_some_and(|sort| self.holds(&[&parts[..], &[sort.to_owned()]].concat()));
        let is_file = file.contains('.');
        let all = || [&[directory.to_owned()], &parts[..]].concat();
        let telling = parts.iter().filter(|part| is_word(part)).count();
        is_file && telling >= TELLING_PARTS && self.holds(&parts)
            || is_of_sort()
            || is_file && (self.holds_before_kind(&parts) || self.holds_before_kind(&all()))
    }

    /// Whether it speaks of a name in code by all its words, three at least; of what has two and begins with a verb, as
    /// what that makes: `the CSV export` is `exportCsv`.
    pub(super) fn tells_name(&self, name: &str) -> bool {
        let is_word = |part: &String| part.len() > 2 && part.chars().all(char::is_alphabetic);
        let Some(parts) = parts(name).filter(|parts| parts.iter().all(is_word)) else {
            return false;
        };
        if let [verb, what] = &parts[..] {
            let is_done = DEEDS.contains(&verb.as_str()) && !name.contains('_');
            return is_done && self.holds(&[what.clone(), verb.clone()]);
        }
        parts.len() >= TELLING_PARTS && self.places(&parts).next().is_some()
    }

    /// Whether words follow each other in it.
    fn holds(&self, parts: &[String]) -> bool {
        self.0.windows(parts.len()).any(|said| said == parts)
    }

    /// Where words follow each other in any order: the place behind them.
    fn places<'a>(&'a self, parts: &'a [String]) -> impl Iterator<Item = usize> + 'a {
        let is_there = move |said: &[String]| {
            let all = parts.iter().all(|part| said.contains(part));
            all && said.iter().all(|word| parts.contains(word))
        };
        let ends = self.0.windows(parts.len()).zip(parts.len()..);
        ends.filter(move |(said, _)| is_there(said)).map(|(_, end)| end)
    }

    fn holds_before_kind(&self, parts: &[String]) -> bool {
        let is_kind = |end: usize| self.0.get(end).is_some_and(|word| KINDS.contains(&&**word));
        parts.len() > 1 && self.places(parts).any(is_kind)
    }
}

/// The words that a name is made of, in small letters; one of a single word is that. `None` if it has none, or too many.
fn parts(name: &str) -> Option<Vec<String>> {
    let name = name.replace(['.', '-'], "_");
    let spaced = in_words(&name).unwrap_or_else(|| name.to_lowercase());
    let parts: Vec<String> = words(&spaced).map(str::to_owned).collect();
    let is_plain = parts.iter().all(|part| !part.contains('_'));
    (is_plain && (1..=MOST_PARTS).contains(&parts.len())).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_by_its_words() {
        let told = |text: &str, path: &str| Spoken::of(text).tells_file(path);
        for (text, path) in [
            ("the voice allocator class did 1,900 allocations", "engine/src/voice_allocator.cpp"),
            ("the price cell component called it", "apps/components/PriceCell.tsx"),
            ("in the invoicing tasks module", "services/invoicing/tasks.py"),
            ("moved the e2e workflow to node 20", ".github/workflows/e2e.yml"),
            ("1750mib in the prod values file", "deploy/geo/values-prod.yaml"),
            ("deny list in the ota rollout file", "ota/rollout.toml"),
            ("the network stack's state", "stacks/network"),
            ("the price list export test", "tests/price_list_export.rs"),
        ] {
            assert!(told(text, path), "{path}: {text}");
        }
        for (text, path) in [
            ("the tasks of invoicing are many", "services/invoicing/tasks.py"),
            ("the allocator of a voice", "engine/src/voice_allocator.cpp"),
            ("the voice allocator did 1,900 allocations", "engine/src/voice_allocator.cpp"),
            ("app/legacy/rates.py, a module", "app/domain/legacy_rates.py"),
            ("the workflow runs e2e tests", ".github/workflows/e2e.yml"),
            ("values of prod", "deploy/geo/values-prod.yaml"),
            ("said on 2026-08-11", "journal/2026-08-11.md"),
            ("released as 2.4.0", "releases/2.4.0.md"),
            ("the network is down", "stacks/network"),
            ("the rollout begins, see the file", "ota/rollout.toml"),
        ] {
            assert!(!told(text, path), "{path}: {text}");
        }
    }

    #[test]
    fn a_name_of_three_words_is_told_in_any_order() {
        let told = |text: &str, name: &str| Spoken::of(text).tells_name(name);
        assert!(told("the hall reverb golden test fails", "golden_reverb_hall"));
        assert!(!told("the golden reverb fails", "golden_reverb_hall"));
        assert!(!told("the retry count", "retry_count"), "two may be anything");
    }
}
