//! Names of what holds a secret: `PGPASSWORD`, `--api-key`, `clientSecret`.

use crate::specifics::words::Words;

/// Last words of the names of passwords.
static PASSWORDS: Words =
    Words::new("kennwort pass passcode passphrase passwd password passwort psk pswd pw pwd");

/// Last words of the names of tokens.
static TOKENS: Words =
    Words::new("apikey authtoken accesstoken credential credentials pat secret token");

/// Words in front of a key that nobody should copy; other keys are those of tables, maps and keyboards.
static GUARDED: Words = Words::new(
    "access account admin api app auth client deploy encryption hmac license master private secret service shared signing storage \
     subscription",
);

/// Ends of names that are written as one word.
const ENDS: [&str; 8] =
    ["apikey", "passphrase", "passwd", "password", "passwort", "secret", "secretkey", "token"];

/// Names that hold a secret by themselves.
const WHOLE: [&str; 4] = ["mysql_pwd", "rediscli_auth", "secret_key_base", "sshpass"];

/// The longest name in bytes.
const LONGEST: usize = 64;

/// What a name says its value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    /// A password, which may be a number.
    Password,
    /// A key or a token, which is long: a short number counts them.
    Token,
}

/// What is guarded by the value of a name; `None` if it is no secret.
pub(super) fn guards(name: &str) -> Option<Guards> {
    let name = name.trim_start_matches(['-', '_', '.']);
    if name.len() > LONGEST || !name.is_ascii() || !may_guard(name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let parts = parts_of(name);
    // A header says whether they may be sent: `Access-Control-Allow-Credentials: true`.
    if parts.iter().any(|part| part == "allow") {
        return None;
    }
    let last = parts.last()?.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_password = PASSWORDS.holds(last) || lower.ends_with("password");
    if is_password || WHOLE.contains(&lower.as_str()) {
        return Some(Guards::Password);
    }
    let is_key = last == "key" && parts.iter().any(|part| GUARDED.holds(part));
    // `tokens` are counted.
    let is_token = TOKENS.holds(last) || ENDS.iter().any(|end| last.ends_with(end));
    (is_key || is_token).then_some(Guards::Token)
}

/// Whether a name has two letters side by side that each name of a secret has.
fn may_guard(name: &str) -> bool {
    const PAIRS: [&[u8; 2]; 9] = [b"au", b"cr", b"ke", b"pa", b"ps", b"pw", b"se", b"to", b"wd"];
    let lower = |pair: &[u8]| [pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase()];
    name.as_bytes().windows(2).any(|pair| PAIRS.contains(&&lower(pair)))
}

/// The words of a name in small letters: `client`, `secret`.
pub(super) fn parts_of(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = ' ';
    for sign in name.chars() {
        let begins = sign.is_ascii_uppercase() && before.is_ascii_lowercase();
        if begins || matches!(sign, '_' | '-' | '.') {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut()
            && sign.is_ascii_alphanumeric()
        {
            part.push(sign.to_ascii_lowercase());
        }
        before = sign;
    }
    parts.retain(|part| !part.is_empty());
    parts
}
