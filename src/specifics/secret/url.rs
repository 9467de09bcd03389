//! Secrets in addresses: the password of a user, and the keys among the parameters.

use std::ops::Range;

use super::known::{self, is_key};
use super::name::guards;
use super::value::{self, is_random, stands_for_one};

/// Behind the scheme of an address.
const BEGINS: &str = "://";

/// Signs that end the value of a parameter.
const ENDS: [char; 7] = ['&', '#', '"', '\'', '>', ')', '|'];

/// Names of parameters whose values are secrets if they are as good as random.
const SIGNED: [&str; 6] =
    ["code", "key", "sig", "signature", "x-amz-signature", "x-goog-signature"];

/// The addresses of webhooks up to what is secret.
const HOOKS: [&str; 8] = [
    "hooks.slack.com/services/",
    "hooks.slack.com/triggers/",
    "hooks.slack.com/workflows/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "hooks.zapier.com/hooks/catch/",
    ".webhook.office.com/webhookb2/",
    "outlook.office.com/webhook/",
];

/// Behind the user and the password of a data source.
const SOURCES: [&str; 2] = ["@tcp(", "@unix("];

/// Adds the secrets of the addresses in a word that begins somewhere; `false` if there is no address.
pub(super) fn find(word: &str, start: usize, found: &mut Vec<Range<usize>>) -> bool {
    let mut is_address = false;
    for (at, sign) in word.match_indices(BEGINS) {
        is_address = true;
        let at = at + sign.len();
        let rest = &word[at..];
        let rest = &rest[..rest.find(BEGINS).unwrap_or(rest.len())];
        let end = rest.find(['/', '?', '#', '"', '\'', '`']).unwrap_or(rest.len());
        let secrets = of_user(&rest[..end]).or_else(|| of_user_with_slash(rest, end)).into_iter();
        for secret in secrets.chain(of_hook(rest)) {
            found.push(start + at + secret.start..start + at + secret.end);
        }
        known::find_in_address(rest, start + at, found);
        for secret in of_parameters(rest) {
            found.push(start + at + secret.start..start + at + secret.end);
        }
    }
    is_address
}

/// The password of a user: `user:password@host`.
fn of_user(authority: &str) -> Option<Range<usize>> {
    let user = &authority[..authority.rfind('@')?];
    let start = match user.find(':') {
        Some(at) => at + 1,
        None => is_key(user).then_some(0)?,
    };
    (!stands_for_one(&user[start..])).then_some(start..user.len())
}

/// The same where a slash stands in the password that nobody wrote as `%2F`: what else stands behind a colon is a port.
fn of_user_with_slash(address: &str, slash: usize) -> Option<Range<usize>> {
    let colon = address[..slash].find(':')?;
    let lead = &address[colon + 1..slash];
    let end =
        address[slash..].find(['?', '#', '"', '\'', '`']).map_or(address.len(), |at| slash + at);
    let at = slash + address[slash..end].rfind('@')?;
    let is_port = lead.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = address[at + 1..].starts_with(char::is_alphanumeric);
    let is_it = !is_port && is_host && !stands_for_one(&address[colon + 1..at]);
    is_it.then_some(colon + 1..at)
}

/// What stands behind the address of a webhook: who knows that may call it.
fn of_hook(address: &str) -> Option<Range<usize>> {
    let (at, hook) = HOOKS.iter().find_map(|hook| Some((address.find(hook)?, hook)))?;
    let start = at + hook.len();
    let ends = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '/' | '_' | '-' | '@' | '.');
    let end = address[start..].find(ends).map_or(address.len(), |at| start + at);
    let bare = address[start..end].trim_end_matches(['.', '/']);
    (bare.contains('/') && !bare.is_empty()).then_some(start..start + bare.len())
}

/// Adds the password of a data source of Go: `user:password@tcp(host)/name`.
pub(super) fn find_in_source(word: &str, start: usize, found: &mut Vec<Range<usize>>) {
    let Some(at) = SOURCES.iter().find_map(|source| word.find(source)) else { return };
    let lead = &word[..at];
    let open = lead.rfind(['"', '\'', '`']).map_or(0, |at| at + 1);
    let Some(colon) = lead[open..].find(':') else { return };
    let place = open + colon + 1..at;
    if !stands_for_one(&word[place.clone()]) {
        found.push(start + place.start..start + place.end);
    }
}

/// The secrets among the parameters of an address.
fn of_parameters(address: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in address.match_indices('=') {
        let Some(name) = name_before(address, at) else { continue };
        let (place, _) = value::at(address, at + 1..address.len(), &ENDS);
        let given = &address[place.clone()];
        // The signature of a shared access of Azure says so by the version in front of it.
        let is_shared = || name == "sig" && ["?sv=", "&sv="].iter().any(|sv| address.contains(sv));
        let is_signed = || {
            let is_one = SIGNED.contains(&&*name.to_ascii_lowercase());
            is_one && (is_random(&unescaped(given)) || is_shared())
        };
        let is_given = !stands_for_one(given) && !value::is_count(given);
        if is_given && (guards(name).is_some() || is_signed()) {
            found.push(place);
        }
    }
    found
}

/// A value without the signs that are written as their numbers: `%2F`.
fn unescaped(value: &str) -> String {
    let mut parts = value.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.get(2..).unwrap_or_default())
}

/// The name of the parameter whose value begins behind a place.
fn name_before(address: &str, at: usize) -> Option<&str> {
    const LONGEST: usize = 64;
    let from = at.saturating_sub(LONGEST);
    let begins = |byte: &u8| matches!(byte, b'?' | b'&' | b'#' | b';');
    let sign = address.as_bytes()[from..at].iter().rposition(begins)?;
    Some(&address[from + sign + 1..at])
}
