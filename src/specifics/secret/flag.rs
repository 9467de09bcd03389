//! Secrets behind the flags of programs: `mysql -pSecret`, `curl -u user:secret`.

/// How a program takes its password.
struct Taker {
    /// The programs.
    names: &'static [&'static str],
    /// The flag behind which it stands.
    flag: &'static str,
    /// Flags of a letter each that may stand in front of it in the same word.
    switches: &'static str,
    /// How it stands there.
    manner: Manner,
}

/// Where a password stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// In the same word only: a word by itself is something else.
    Glued,
    /// In the same word or in the next one.
    Either,
    /// In the next word only: `-storepass:env` says where it is.
    Apart,
    /// In the same word or in the next one, behind a sign that stands behind the name of a user.
    Behind(char),
}

use Manner::{Apart, Behind, Either, Glued};

/// Programs for the keys of Java.
const KEYTOOLS: &[&str] = &["jarsigner", "keytool"];

/// Short flags of `curl` that take nothing: they may stand in front of another one in the same word.
const SWITCHES_OF_CURL: &str = "0123456BGIJLMNORSafgijklnpqsvZ#";

/// The programs that take one.
static TAKERS: [Taker; 23] = [
    Taker::of(
        &["mysql", "mysqladmin", "mysqldump", "mysqlimport", "mysqlsh", "mariadb", "mariadb-dump"],
        "-p",
        Glued,
    ),
    Taker::of(&["7z", "7za"], "-p", Glued),
    Taker::of(&["sshpass", "twine"], "-p", Either),
    Taker::of(
        &["mongo", "mongodump", "mongoexport", "mongoimport", "mongorestore", "mongosh"],
        "-p",
        Either,
    ),
    Taker::of(&["zip", "unzip", "sqlcmd"], "-P", Either),
    Taker::of(&["redis-cli"], "-a", Either),
    Taker::of(&["ldapadd", "ldapmodify", "ldapsearch"], "-w", Either),
    Taker { switches: SWITCHES_OF_CURL, ..Taker::of(&["curl"], "-u", Behind(':')) },
    Taker { switches: SWITCHES_OF_CURL, ..Taker::of(&["curl"], "-U", Behind(':')) },
    Taker::of(&["curl", "wget"], "--user", Behind(':')),
    Taker::of(&["curl"], "--proxy-user", Behind(':')),
    Taker::of(&["curl"], "--oauth2-bearer", Either),
    Taker::of(&["http", "https", "xh", "xhs"], "-a", Behind(':')),
    Taker::of(&["http", "https", "xh", "xhs"], "--auth", Behind(':')),
    // `pass:secret`
    Taker::of(&["openssl"], "-passin", Behind(':')),
    Taker::of(&["openssl"], "-passout", Behind(':')),
    Taker::of(&["openssl"], "-pass", Behind(':')),
    Taker::of(&["smbclient", "rpcclient"], "-U", Behind('%')),
    Taker::of(&["aws"], "--secret-string", Either),
    Taker::of(KEYTOOLS, "-storepass", Apart),
    Taker::of(KEYTOOLS, "-keypass", Apart),
    Taker::of(KEYTOOLS, "-srcstorepass", Apart),
    Taker::of(KEYTOOLS, "-deststorepass", Apart),
];

impl Taker {
    const fn of(names: &'static [&'static str], flag: &'static str, manner: Manner) -> Self {
        Self { names, flag, switches: "", manner }
    }

    /// The length of its flag in a word that begins with it, perhaps behind others.
    fn length_in(&self, word: &str) -> Option<usize> {
        if word.starts_with(self.flag) {
            return Some(self.flag.len());
        }
        let letters = word.strip_prefix('-').filter(|_| !self.switches.is_empty())?;
        let at = letters.find(|c: char| !self.switches.contains(c))?;
        let flag = &self.flag[1..];
        letters[at..].starts_with(flag).then_some(1 + at + flag.len())
    }
}

/// The flag of one that logs in somewhere: `docker login -p secret`.
const OF_LOGIN: &str = "-p";

/// Programs that log in somewhere.
const LOG_IN: [&str; 10] =
    ["az", "buildah", "cf", "crane", "docker", "helm", "nerdctl", "oc", "podman", "skopeo"];

/// The flags of one that sets a secret: `gh secret set NAME --body secret`.
const OF_SETTING: [&str; 2] = ["--body", "-b"];

/// Programs that set secrets so.
const SET: [&str; 1] = ["gh"];

/// What a command does for which it takes a password by a flag that is another one elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Does {
    /// It logs in somewhere.
    LogIn,
    /// It sets a secret.
    SetSecret,
    #[default]
    Other,
}

/// What a program does with two words of its command, of which the second may name that alone.
pub(super) fn done_by(program: &str, words: [&str; 2]) -> Does {
    match words {
        [_, "login"] if logs_in(program) => Does::LogIn,
        ["secret", "set"] if SET.contains(&program) => Does::SetSecret,
        _ => Does::Other,
    }
}

/// Whether a program logs in somewhere.
fn logs_in(program: &str) -> bool {
    LOG_IN.contains(&program)
}

/// Whether a program takes a password by a flag of its own.
pub(super) fn takes(program: &str) -> bool {
    SET.contains(&program) || TAKERS.iter().any(|taker| taker.names.contains(&program))
}

/// Whether some program takes a password by a word.
pub(super) fn may_be_one(word: &str) -> bool {
    of_setting(word).is_some() || TAKERS.iter().any(|taker| taker.length_in(word).is_some())
}

/// The length of the flag in a word by which a program takes its password, if it does, and how.
pub(super) fn taken(program: &str, does: Does, word: &str) -> Option<(usize, Manner)> {
    let of = |taker: &Taker| {
        let length = taker.names.contains(&program).then(|| taker.length_in(word))??;
        Some((length, taker.manner))
    };
    let of_what_it_does = || match does {
        Does::LogIn => (word == OF_LOGIN).then_some((OF_LOGIN.len(), Either)),
        Does::SetSecret => of_setting(word).map(|length| (length, Either)),
        Does::Other => None,
    };
    TAKERS.iter().find_map(of).or_else(of_what_it_does)
}

/// The length of the flag in a word by which a secret is set.
fn of_setting(word: &str) -> Option<usize> {
    let is_it = |flag: &&&str| word.split('=').next() == Some(flag);
    OF_SETTING.iter().find(is_it).map(|flag| flag.len())
}
