//! What is meant by the words behind `export`: a form, or the file that is to be made.

use std::path::{Path, PathBuf};

use super::ExportFormat;
use crate::memory::EffortId;
use crate::shell::shell_word;
use crate::store::is_session;

/// Where an export goes, as its words say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Wherever such exports go, in this form.
    Form(ExportFormat),
    /// Into this file, in this form.
    File(PathBuf, ExportFormat),
}

/// Forms that people export elsewhere, and that nobody means as a file's name.
const OTHER_FORMS: [&str; 7] = ["csv", "docx", "html", "jsonl", "pdf", "xml", "yaml"];

impl Target {
    /// Reads the words behind a command, for the session in this directory; `said` is the form that was asked for beside
    /// them.
    ///
    /// # Errors
    /// In words: they name a form that there is none of, or something else than a file.
    pub fn read(
        words: &Path,
        said: Option<ExportFormat>,
        dir: &Path,
        command: &str,
    ) -> Result<Self, String> {
        let text = words.to_string_lossy();
        let (first, more) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        if let Some(form) = form(first) {
            return match () {
                () if !more.trim().is_empty() => Err(format!(
                    "{command} {first} takes nothing behind it: all of the session is exported, and the name of a file \
                     stands alone, as in {}",
                    written(command, &format!("talk.{}", form.ending()))
                )),
                () if said.is_some_and(|said| said != form) => Err(format!(
                    "{first} is not the form that --format asks for: leave one of them out"
                )),
                () => Ok(Self::Form(form)),
            };
        }
        let own = match words.extension().map(|ending| ending.to_string_lossy().to_lowercase()) {
            Some(ending) if ending == "txt" => ExportFormat::Markdown,
            Some(ending) => match form(&ending) {
                Some(form) => form,
                // What is no form that a talk is wanted in belongs to the name: `v1.2`, `Dr. Smith`.
                None if said.is_none() && OTHER_FORMS.contains(&&*ending) => {
                    return Err(none_as(&ending, command));
                }
                None => ExportFormat::Markdown,
            },
            None if OTHER_FORMS.contains(&&*text.to_lowercase()) => {
                return Err(none_as(&text, command));
            }
            None => match named(&text, dir, command) {
                Some(why) => return Err(why),
                None => ExportFormat::Markdown,
            },
        };
        Ok(Self::File(words.to_owned(), said.unwrap_or(own)))
    }
}

fn none_as(form: &str, command: &str) -> String {
    format!(
        "nothing is exported as {form}: {} and {} are there, or the name of a file that ends in .md, .txt or .json",
        written(command, "md"),
        written(command, "json")
    )
}

/// A whole command, set off where it is one of a shell.
fn written(command: &str, words: &str) -> String {
    if command.starts_with('/') {
        format!("{command} {words}")
    } else {
        format!("`{command} {}`", shell_word(words))
    }
}

/// The form that a word or the ending of a name means.
fn form(word: &str) -> Option<ExportFormat> {
    match &*word.to_lowercase() {
        "md" | "markdown" => Some(ExportFormat::Markdown),
        "json" => Some(ExportFormat::Json),
        _ => None,
    }
}

/// What a word names in the session or beside it, where that is hardly meant as the name of a new file.
fn named(word: &str, dir: &Path, command: &str) -> Option<String> {
    if word.contains('/') {
        return None;
    }
    let file = written(command, &format!("{word}.md"));
    let instead = format!("{file} writes all of this session into a file of that name");
    let effort = EffortId::from_name(word).ok().map(|id| dir.join(format!("efforts/{id}.jsonl")));
    if let Some(log) = effort.filter(|log| log.is_file()) {
        return Some(format!(
            "{word} is an effort, and a session is exported whole. What was said in it stands in {}. {instead}",
            log.display()
        ));
    }
    let beside = dir.with_file_name(word);
    let name = shell_word(word);
    is_session(&beside)
        .then(|| format!("{word} is a session: `ebbtide export -s {name}` exports it. {instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ExportFormat::{Json, Markdown};

    #[test]
    fn a_word_that_is_a_form_is_that_form_and_an_ending_tells_one() {
        let read =
            |words: &str| Target::read(Path::new(words), None, Path::new("/none"), "/export");
        for (word, form) in [("md", Markdown), ("Markdown", Markdown), ("json", Json)] {
            assert_eq!(read(word), Ok(Target::Form(form)), "{word}");
        }
        for (name, form) in [
            ("talk", Markdown),
            ("my talk", Markdown),
            ("talk-1.2", Markdown),
            ("talk.txt", Markdown),
            ("talk.MD", Markdown),
            ("a/talk.JSON", Json),
        ] {
            assert_eq!(read(name), Ok(Target::File(name.into(), form)), "{name}");
        }
        for (words, why) in [
            ("md 5", "/export md takes nothing behind it"),
            ("html", "nothing is exported as html: /export md and /export json are there"),
            ("out.html", "nothing is exported as html"),
        ] {
            assert!(read(words).unwrap_err().starts_with(why), "{words}: {:?}", read(words));
        }
        let json = |words: &str| {
            Target::read(Path::new(words), Some(Json), Path::new("/none"), "ebbtide export")
        };
        assert_eq!(json("json"), Ok(Target::Form(Json)));
        assert_eq!(json("out.html"), Ok(Target::File("out.html".into(), Json)));
        assert!(json("md").unwrap_err().starts_with("md is not the form"));
    }

    #[test]
    fn the_name_of_an_effort_or_of_a_session_is_no_file() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("one");
        for (folder, log) in
            [("one", "efforts/auth-bug.jsonl"), ("w", "raw.jsonl"), ("my w", "raw.jsonl")]
        {
            let file = root.path().join(folder).join(log);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let read = |words: &str| Target::read(Path::new(words), None, &dir, "/export");
        for effort in ["auth-bug", "Auth Bug"] {
            let why = read(effort).unwrap_err();
            assert!(
                why.contains("is an effort") && why.contains("efforts/auth-bug.jsonl"),
                "{why}"
            );
        }
        let why = read("w").unwrap_err();
        assert!(why.starts_with("w is a session: `ebbtide export -s w`"), "{why}");
        let why = Target::read(Path::new("my w"), None, &dir, "ebbtide export").unwrap_err();
        let told = "`ebbtide export -s \"my w\"` exports it. `ebbtide export \"my w.md\"` writes";
        assert!(why.contains(told), "{why}");
        for file in ["./w", "w.md", "auth-bug.json", "other"] {
            assert!(matches!(read(file), Ok(Target::File(..))), "{file}");
        }
    }
}
