//! What is given to the name of a secret and only names one: that of Kubernetes, or a variable.

use super::name::{guards, parts_of};
use super::value::is_named;

/// Words of names that stand for the names of secrets: `existingSecret`, `imagePullSecret`.
const OF_NAMES: [&str; 4] = ["existing", "image", "pull", "tls"];

/// Last words of names of secrets that may stand for the names of those.
const SECRETS: [&str; 3] = ["credential", "credentials", "secret"];

/// Flags that give secrets by their names: `--set-secrets=API_KEY=key:latest`.
const FLAGS: [&str; 3] = ["--secrets", "--set-secrets", "--update-secrets"];

/// Beginnings of what says with what a secret is built in: `--secret id=npm,src=.npmrc`.
const BUILT_IN: [&str; 3] = ["id=", "src=", "type="];

/// Whether a word is such a flag, perhaps with what it gives.
pub(super) fn is_flag(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    word.starts_with("--") && FLAGS.contains(&name)
}

/// Whether a value that is given to a name, perhaps in quotation marks, only names a secret.
pub(super) fn is_reference(name: &str, value: &str, quoted: bool) -> bool {
    // The variables of an environment hold values.
    if !name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let parts = parts_of(name.trim_start_matches('-'));
    let is_of_names = |part: &String| OF_NAMES.contains(&part.as_str());
    let of_names = parts.iter().any(is_of_names);
    let is_secret = parts.last().is_some_and(|last| SECRETS.contains(&last.as_str()));
    of_names && is_secret
        || is_secret && parts.len() == 1 && (is_named(value) || is_built_in(value))
        || !quoted && is_variable(value)
}

fn is_built_in(value: &str) -> bool {
    BUILT_IN.iter().any(|begin| value.starts_with(begin))
}

/// Whether a value is a variable that holds one: `db_password`, `cfg.apiToken`.
pub(super) fn is_variable(value: &str) -> bool {
    let value = value.trim_end_matches('!');
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    };
    value.split('.').all(is_part) && parts_of(value).len() > 1 && guards(value).is_some()
}

/// Whether a value is called like the name to which it is given, as types and variables are: `secret: V1Secret`.
pub(super) fn is_called_like(name: &str, value: &str) -> bool {
    let is_name = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let last = parts_of(name).pop().unwrap_or_default();
    let bare = value.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    is_name && !last.is_empty() && bare.ends_with(&last)
}
