//! Commands over several lines, each of which but the last one ends with a backslash.

use std::borrow::Cow;

/// The length of the line that a text begins with, and of those that go on behind a backslash at its end, as commands do.
pub(in crate::specifics) fn length(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

/// The lines of a script, those as one that go on behind a backslash.
pub(in crate::specifics) fn lines(script: &str) -> impl Iterator<Item = &str> {
    let mut rest = script;
    std::iter::from_fn(move || {
        let (line, behind) = rest.split_at(length(rest));
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// The lines of a command as one: what a shell reads.
pub(in crate::specifics) fn joined(command: Cow<'_, str>) -> Cow<'_, str> {
    if !command.contains('\n') {
        return command;
    }
    let parts = command.lines().map(str::trim_end);
    let parts = parts.map(|line| line.strip_suffix('\\').unwrap_or(line));
    Cow::Owned(parts.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use crate::specifics::{Kind, Report, extract};

    #[test]
    fn a_command_over_several_lines_is_told_in_one() {
        let told = "docker run -d --name web -p 8080:80 nginx";
        let lines = "docker run -d \\\n  --name web \\\r\n  -p 8080:80 nginx";
        for text in [
            lines.to_owned(),
            format!("$ {lines}\n"),
            format!("Run this:\n```sh\n{lines}\n```\nand wait."),
            format!("Run this:\n\n    {lines}\n\nand wait for it \\\nto end."),
        ] {
            let all = extract([text.as_str()]);
            let commands: Vec<&str> =
                all.iter().filter(|one| one.kind == Kind::Command).map(|one| &*one.text).collect();
            assert_eq!(commands, [told], "{text}");
            assert_eq!(Report::of(&all, &text).missing, [], "{text}");
        }
        let both: Vec<&str> = super::lines("a \\\nb\nc\n").collect();
        assert_eq!(both, ["a \\\nb\n", "c\n"]);
    }

    #[test]
    fn a_text_of_nothing_but_ends_of_lines_is_looked_through_once() {
        let text = "docker is fine \\\n".repeat(20_000);
        assert!(extract([text.as_str()]).len() < 3);
    }
}
