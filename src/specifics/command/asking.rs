//! Commands that ask a program or a server for something, and change nothing: what they were answered counts, not they.

use super::looking::{changes_nothing, parts, words};

/// Programs to which a statement for a database is given.
const DATABASES: [&str; 6] = ["clickhouse-client", "duckdb", "mariadb", "mysql", "psql", "sqlite3"];

/// With what a statement begins that only asks, and what in one changes something, in small letters.
const ASKS: [&str; 5] = ["\\d", "\\l", "describe ", "select ", "show "];
const CHANGES: [&str; 12] = [
    "alter ",
    "create ",
    "delete ",
    "drop ",
    "grant ",
    "insert ",
    "into ",
    "pg_",
    "refresh ",
    "setval",
    "truncate ",
    "update ",
];

/// Of which programs which words behind them say that they only ask; all words of one have to follow each other.
const VERBS: [(&str, &[&str]); 9] = [
    ("cargo", &["metadata", "tree"]),
    (
        "gh",
        &[
            "issue list",
            "issue view",
            "pr checks",
            "pr diff",
            "pr list",
            "pr status",
            "pr view",
            "run list",
            "run view",
            "run watch",
        ],
    ),
    ("git", &["branch --list", "blame", "diff", "grep", "log", "remote -v", "show", "status"]),
    ("helm", &["get", "history", "list", "status"]),
    ("npm", &["ls", "outdated", "view"]),
    ("pip", &["freeze", "list", "show"]),
    ("terraform", &["output", "show", "state list", "state show"]),
    ("tofu", &["output", "show", "state list", "state show"]),
    ("vault", &["list", "read", "status"]),
];

/// With what the words of a server's programs begin that only ask, and those programs.
const QUERIES: [&str; 3] = ["describe-", "get-", "list-"];
const SERVICES: [&str; 3] = ["aliyun", "aws", "oci"];

/// Flags with which an address is given something, or what it answers is kept.
const SENDS: [&str; 12] = [
    "--data",
    "--data-binary",
    "--data-raw",
    "--form",
    "--output",
    "--request",
    "-F",
    "-O",
    "-T",
    "-X",
    "-d",
    "-o",
];

/// Whether a command that somebody ran only asks for something, in each of its parts.
pub(in crate::specifics) fn only_asks(command: &str) -> bool {
    let command = command.trim().trim_start_matches("$ ");
    let Some(parts) = parts(command) else { return false };
    let is_piped = parts.len() > 1;
    let asks = |part: &str| asks(part) || is_piped && fetches(part);
    parts.iter().any(|part| asks(part))
        && parts.iter().all(|part| changes_nothing(part) || asks(part))
}

fn asks(part: &str) -> bool {
    let mut all = words(part);
    let program = all.next().unwrap_or_default();
    let rest: Vec<&str> = all.collect();
    let is_version = || matches!(rest[..], ["--version" | "-V" | "version"]);
    let is_query = || rest.iter().any(|word| QUERIES.iter().any(|start| word.starts_with(start)));
    SERVICES.contains(&program) && is_query()
        || DATABASES.contains(&program) && asks_database(part)
        || is_version()
        || says_verb(program, &rest)
        || program == "ssh" && quoted(part).is_some_and(asks_elsewhere)
}

/// Whether the words behind a program, but for its flags for where, begin with a verb of it that only asks.
fn says_verb(program: &str, rest: &[&str]) -> bool {
    let Some((_, verbs)) = VERBS.iter().find(|(known, _)| *known == program) else { return false };
    let is_where = |nth: usize| nth > 0 && matches!(rest[nth - 1], "-C" | "-n" | "-R" | "--repo");
    let first = (0..rest.len()).find(|&nth| !rest[nth].starts_with('-') && !is_where(nth));
    let said = first.map(|first| rest[first..].join(" ")).unwrap_or_default();
    verbs.iter().any(|verb| {
        said.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Whether the statement that a database is given only asks.
fn asks_database(part: &str) -> bool {
    let statement = quoted(part).unwrap_or_default().trim().to_lowercase();
    ASKS.iter().any(|begin| statement.starts_with(begin))
        && !CHANGES.iter().any(|word| statement.contains(word))
}

/// Whether an address is only read.
fn fetches(part: &str) -> bool {
    let mut all = words(part);
    all.next() == Some("curl") && !all.any(|word| SENDS.contains(&word))
}

/// Whether all that is run on another machine only looks or asks.
fn asks_elsewhere(command: &str) -> bool {
    let told = parts(command).unwrap_or_default();
    !told.is_empty() && told.iter().all(|part| changes_nothing(part) || asks(part))
}

/// What stands between the first quotation marks and the last ones.
fn quoted(part: &str) -> Option<&str> {
    let start = part.find(['\'', '"'])?;
    let sign = &part[start..=start];
    let end = part.rfind(sign).filter(|end| *end > start)?;
    Some(&part[start + 1..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_asks_changes_nothing() {
        for command in [
            "psql hooks -c 'select count(*) from events'",
            "psql -h db-05 -Atc \"select state from subs group by 1\" | wc -l",
            "aws rds describe-db-instances --region eu-west-1",
            "terraform -chdir=envs/staging state list | head -40",
            "git -C /srv/app diff --stat",
            "curl -s https://example.org/api | jq .total",
            "ssh ops@10.7.3.45 'psql --version; df -h /var/lib'",
            "gh run watch 8841",
        ] {
            assert!(only_asks(command), "{command}");
        }
        for command in [
            "psql hooks -c 'delete from events'",
            "psql hooks -c 'select pg_promote()'",
            "psql -f fix.sql",
            "aws rds reboot-db-instance",
            "terraform apply show.plan",
            "git -C /srv/app commit -m diff",
            "curl -s https://example.org/api",
            "curl -X POST https://example.org/api | jq .total",
            "ssh ops@10.7.3.45 'systemctl restart app'",
            "gh run rerun 8841",
            "docker ps",
        ] {
            assert!(!only_asks(command), "{command}");
        }
    }
}
