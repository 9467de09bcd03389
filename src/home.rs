//! `~/` at the beginning of a path, as a shell reads it. A shell reads it only where a word begins: who writes
//! `--session=~/work`, or a path in the chat, means the same.

use std::path::{Path, PathBuf};

/// A path with `~` at its beginning meaning this home; without one it stays as it is.
pub fn expanded(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// A path with `~` at its beginning meaning the person's home.
pub fn at_home(path: impl AsRef<Path>) -> PathBuf {
    expanded(path.as_ref(), std::env::home_dir().as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tilde_of_its_own_at_the_beginning_is_the_home() {
        let home = Path::new("/home/me");
        for (path, expected) in [
            ("~/a b/c.md", "/home/me/a b/c.md"),
            ("~", "/home/me"),
            ("~ann/c.md", "~ann/c.md"),
            ("./~/c.md", "./~/c.md"),
            ("/a/~/c.md", "/a/~/c.md"),
        ] {
            assert_eq!(expanded(Path::new(path), Some(home)), Path::new(expected), "{path}");
        }
        assert_eq!(expanded(Path::new("~/c.md"), None), Path::new("~/c.md"));
    }
}
