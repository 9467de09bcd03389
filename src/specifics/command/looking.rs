//! Commands that change nothing: what they show is found again by anybody.

/// Programs that show what a file or a folder holds, and those through which that may go.
const LOOKS: [&str; 22] = [
    "bat", "cat", "cd", "column", "cut", "egrep", "fgrep", "grep", "head", "less", "ls", "more",
    "nl", "pwd", "rg", "sleep", "sort", "tail", "tree", "uniq", "wc", "which",
];

/// Programs that show how a machine is, too, or write nothing but what they are given.
const SHOWS: [&str; 30] = [
    "awk",
    "basename",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "env",
    "fd",
    "file",
    "free",
    "hostname",
    "id",
    "jq",
    "lsof",
    "md5sum",
    "nproc",
    "pgrep",
    "printenv",
    "printf",
    "ps",
    "realpath",
    "sha256sum",
    "stat",
    "tr",
    "true",
    "uname",
    "uptime",
    "whoami",
];

/// Those of them that show the file itself, as it would be read.
const READS: [&str; 7] = ["bat", "cat", "head", "less", "more", "nl", "sed"];

/// Of which programs the word behind them says that they only look.
const VERBS: [(&str, &[&str]); 4] = [
    ("docker", &["images", "inspect", "logs", "ps", "stats", "top"]),
    ("kubectl", &["describe", "get", "logs", "top"]),
    ("podman", &["images", "inspect", "logs", "ps", "stats", "top"]),
    ("systemctl", &["is-active", "is-enabled", "list-units", "status"]),
];

/// What git only shows.
const OF_HISTORY: [&str; 6] = ["blame", "diff", "log", "show", "status", "grep"];

/// Where a command's output may go without changing anything.
const NOWHERE: [&str; 5] = ["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"];

/// Whether a command only shows what a file, a folder or a history holds, in each of its parts: the paths and names in it
/// are told by themselves.
pub(super) fn only_looks(command: &str) -> bool {
    parts(command).is_some_and(|parts| parts.iter().all(|part| looks(part)))
}

/// Whether a command that somebody ran says nothing that a search does not say: it shows how something is, or what was found
/// in many files. What reads one file says which.
pub(in crate::specifics) fn only_shows(command: &str) -> bool {
    let Some(parts) = parts(command) else { return false };
    let reads = |part: &str| READS.contains(&words(part).next().unwrap_or_default());
    let rest: Vec<&str> = parts.iter().copied().filter(|part| !part.starts_with("cd ")).collect();
    let is_reading = matches!(rest[..], [part] if reads(part));
    !is_reading && parts.iter().all(|part| changes_nothing(part))
}

/// Whether a part of a command only shows something.
pub(in crate::specifics) fn changes_nothing(part: &str) -> bool {
    looks(part) || shows(part)
}

pub(super) fn looks(part: &str) -> bool {
    let mut words = words(part);
    let (program, verb) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    LOOKS.contains(&program)
        || program == "git" && OF_HISTORY.contains(&verb)
        || program == "sed" && verb == "-n" && !part.contains(" -i")
}

pub(super) fn shows(part: &str) -> bool {
    const CHANGES: [&str; 5] = ["-delete", "-exec", "-execdir", "-ok", "-fprint"];
    let program = words(part).next().unwrap_or_default();
    let verbs = VERBS.iter().find(|(known, _)| *known == program);
    // Its verb may stand behind the flags for where: `kubectl -n shop get pods`.
    SHOWS.contains(&program)
        || program == "find" && !words(part).any(|word| CHANGES.contains(&word))
        || verbs.is_some_and(|(_, verbs)| {
            let says = |among: &[&str]| words(part).skip(1).any(|word| among.contains(&word));
            says(verbs) && !says(&CHANGING)
        })
}

/// Verbs of such programs that change something, wherever they stand.
const CHANGING: [&str; 12] = [
    "apply", "build", "create", "delete", "edit", "exec", "patch", "restart", "rm", "run", "scale",
    "start",
];

/// The words of a part behind what may stand in front of its program.
pub(super) fn words(part: &str) -> impl Iterator<Item = &str> {
    part.split_whitespace().skip_while(|word| matches!(*word, "$" | "sudo" | "time"))
}

/// The parts of a command that run one after the other or hand on what they show; `None` if it writes somewhere, or does
/// what is not told so simply.
pub(super) fn parts(command: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, sign) in command.char_indices() {
        let is_open = quote.is_some();
        match sign {
            '\'' | '"' if quote == Some(sign) => quote = None,
            '\'' | '"' if !is_open => quote = Some(sign),
            '`' if quote != Some('\'') => return None,
            '$' if quote != Some('\'') && command[at..].starts_with("$(") => return None,
            _ if is_open => {}
            '<' => return None,
            '>' if !goes_nowhere(command, at) => return None,
            '|' | '&' | ';' | '\n' => {
                let is_part_of_output = sign == '&' && command[..at].ends_with('>');
                if !is_part_of_output {
                    parts.push(&command[start..at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    parts.push(&command[start..]);
    let told = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<&str> = told.collect();
    (!parts.is_empty()).then_some(parts)
}

/// Whether what a sign at a place writes is nothing that anybody keeps.
fn goes_nowhere(command: &str, at: usize) -> bool {
    NOWHERE.iter().any(|way| {
        let start = (at + 1).saturating_sub(way.find('>').map_or(0, |sign| sign + 1));
        command.get(start..).is_some_and(|rest| rest.starts_with(way))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_looks_if_all_its_parts_do() {
        for command in [
            "ls -la",
            "cat notes.md | head -20",
            "cd api && ls",
            "tail -f log/worker.log 2>&1 | grep -i 'a && b > c'",
            "git diff --stat; git status",
            "sed -n 1,20p a.rs",
            "sleep 30",
        ] {
            assert!(only_looks(command), "{command}");
        }
        for command in [
            "cat a.txt > b.txt",
            "cd api && make install",
            "cat $(which make)",
            "git diff | git apply",
            "sed -n -i 1p a.rs",
            "tail -1 a | tee b",
            "docker ps",
        ] {
            assert!(!only_looks(command), "{command}");
        }
    }

    #[test]
    fn a_command_that_was_run_shows_something_without_reading_one_file() {
        for command in [
            "docker ps -a",
            "ps aux | grep node",
            "kubectl -n shop get pods -o wide",
            "kubectl -n shop logs deploy/api --since=30m | tail -60",
            "find . -name '*.rs' | wc -l",
            "rg -n pool src/ | head -40",
            "env | grep PORT",
            "cat Cargo.lock | grep serde",
        ] {
            assert!(only_shows(command), "{command}");
        }
        for command in [
            "cat src/a.rs",
            "cd api && sed -n 1,40p src/b.rs",
            "find . -name '*.tmp' -delete",
            "kubectl delete pod get",
            "docker run redis",
            "env PORT=1 > all.txt",
            "make",
            "",
        ] {
            assert!(!only_shows(command), "{command}");
        }
    }
}
