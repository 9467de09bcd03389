//! Why nobody knows where files are.

use std::fmt;
use std::path::PathBuf;

/// Neither of two variables says where files are, each with what it holds instead of an absolute path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPlace(pub(super) [(&'static str, Option<PathBuf>); 2]);

impl fmt::Display for NoPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([(xdg, None), (home, None)]) = self else {
            let [xdg, home] = self.0.each_ref().map(|(name, held)| match held {
                Some(held) => format!("{name} is \"{}\", which is not absolute", held.display()),
                None => format!("{name} is not set"),
            });
            return write!(
                out,
                "{xdg}, and {home}, so there is no place for files. Set one of them to an absolute path"
            );
        };
        write!(
            out,
            "neither {xdg} nor {home} is set, so there is no place for files. Set one of them"
        )
    }
}
