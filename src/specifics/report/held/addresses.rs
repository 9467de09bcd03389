//! Whether a summary holds an address.

use super::super::form::{ISSUES, LOCAL, OF_REPOSITORIES, is_digits};
use super::super::text::{holds_word, is_letter};
use super::Held;
use crate::specifics::number::Amount;

impl Held {
    /// An address without its scheme; a port of this machine by its number; an issue as people name it.
    pub(super) fn holds_address(&self, said: &str, key: &str) -> bool {
        let apart = |before: &str, after: &str| {
            let inside = |c: char| is_letter(c) || c == '-';
            let host =
                before.strip_suffix(['.', '-', '@']).is_some_and(|lead| lead.ends_with(inside));
            let path = before.strip_suffix('/').is_some_and(|lead| lead.ends_with(inside));
            // Below a place of a host there is another one; what a repository has is in it.
            let below = after.strip_prefix('/').is_some_and(|rest| {
                let part = rest.split(|c: char| !inside(c)).next().unwrap_or_default();
                key.contains('/')
                    && !part.is_empty()
                    && !OF_REPOSITORIES.contains(&part)
                    && !is_repository(key)
            });
            !host
                && !path
                && !below
                && !after.strip_prefix(['-', '.', '=']).is_some_and(|rest| rest.starts_with(inside))
        };
        let says =
            |address: &str| self.words.may_hold(address) && holds_word(&self.text, address, apart);
        if says(said) || says(key) {
            return true;
        }
        let port = key.rsplit_once(':').filter(|(host, _)| LOCAL.contains(host));
        if let Some(port) = port.and_then(|(_, port)| port.parse().ok()) {
            return self.tells(&Amount::labelled("port", port));
        }
        if self.holds_host(key, apart) {
            return true;
        }
        let mut parts = key.split('/').skip(1).filter(|part| *part != "-");
        match [parts.next(), parts.next(), parts.next(), parts.next()] {
            [Some(owner), Some(name), Some("issues" | "pull" | "merge_requests"), Some(number)] => {
                let named = || number.parse().is_ok_and(|number| self.tells_issue(number));
                self.says(&format!("{owner}/{name}#{number}")) || self.says(name) && named()
            }
            _ => false,
        }
    }

    /// A host with its port near behind it: `db-3.internal (port 5432)`.
    fn holds_host(&self, key: &str, apart: impl Fn(&str, &str) -> bool) -> bool {
        const NEAR: usize = 16;
        let Some((host, port)) = key.rsplit_once(':').filter(|(_, port)| is_digits(port)) else {
            return false;
        };
        let is_told = |before: &str, after: &str| {
            let behind: String = after.chars().take(NEAR).collect();
            let has_port = behind
                .strip_prefix(':')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            !has_port && apart(before, after) && holds_word(&behind, port, |_, _| true)
        };
        self.words.may_hold(key) && holds_word(&self.text, host, is_told)
    }

    /// Whether it names something by the number that stands behind a `#`.
    pub(super) fn tells_issue(&self, number: f64) -> bool {
        ISSUES.iter().any(|label| self.tells(&Amount::labelled(label, number)))
    }
}

/// Whether an address is that of a repository where many have theirs: whatever is below it is in it.
fn is_repository(key: &str) -> bool {
    const FORGES: [&str; 4] = ["bitbucket.org", "codeberg.org", "github.com", "gitlab.com"];
    let mut parts = key.split('/');
    parts.next().is_some_and(|host| FORGES.contains(&host)) && parts.count() == 2
}
