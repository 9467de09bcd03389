//! Secrets behind the flags of programs: `mysql -pSecret`, `curl -u user:secret`.

/// How a program takes its password.
pub(super) struct Taker {
    /// The programs.
    names: &'static [&'static str],
    /// The flag behind which it stands.
    pub(super) flag: &'static str,
    /// How it stands there.
    pub(super) manner: Manner,
}

/// Where a password stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// In the same word only: a word by itself is something else.
    Glued,
    /// In the same word or in the next one.
    Either,
    /// The same, behind the name of a user and a colon.
    BehindUser,
}

use Manner::{BehindUser, Either, Glued};

/// The programs that take one.
static TAKERS: [Taker; 9] = [
    Taker {
        names: &[
            "mysql",
            "mysqladmin",
            "mysqldump",
            "mysqlimport",
            "mysqlsh",
            "mariadb",
            "mariadb-dump",
        ],
        flag: "-p",
        manner: Glued,
    },
    Taker { names: &["7z", "7za"], flag: "-p", manner: Glued },
    Taker { names: &["sshpass"], flag: "-p", manner: Either },
    Taker {
        names: &["mongo", "mongodump", "mongoexport", "mongoimport", "mongorestore", "mongosh"],
        flag: "-p",
        manner: Either,
    },
    Taker { names: &["zip", "unzip", "sqlcmd"], flag: "-P", manner: Either },
    Taker { names: &["redis-cli"], flag: "-a", manner: Either },
    Taker { names: &["ldapadd", "ldapmodify", "ldapsearch"], flag: "-w", manner: Either },
    Taker { names: &["curl"], flag: "-u", manner: BehindUser },
    Taker { names: &["curl", "wget"], flag: "--user", manner: BehindUser },
];

/// How one takes it that logs in somewhere: `docker login -p secret`.
static LOGIN: Taker = Taker { names: &[], flag: "-p", manner: Either };

/// Programs that log in somewhere.
const LOG_IN: [&str; 10] =
    ["az", "buildah", "cf", "crane", "docker", "helm", "nerdctl", "oc", "podman", "skopeo"];

/// Whether a program logs in somewhere.
pub(super) fn logs_in(program: &str) -> bool {
    LOG_IN.contains(&program)
}

/// Whether a program takes a password by a flag of its own.
pub(super) fn takes(program: &str) -> bool {
    TAKERS.iter().any(|taker| taker.names.contains(&program))
}

/// Whether some program takes a password by a word.
pub(super) fn may_be_one(word: &str) -> bool {
    TAKERS.iter().any(|taker| word.starts_with(taker.flag))
}

/// How a program takes its password by a word, if it does.
pub(super) fn taker(program: &str, logs_in: bool, word: &str) -> Option<&'static Taker> {
    let is_its = |taker: &&Taker| taker.names.contains(&program) && word.starts_with(taker.flag);
    let logs_in = logs_in && word == LOGIN.flag;
    TAKERS.iter().find(is_its).or_else(|| logs_in.then_some(&LOGIN))
}
