//! What somebody may have meant who typed no command.

use super::{find, specs};
use crate::nearest;

/// The command whose name or alias is closest to what was typed, if any is close.
pub fn nearest(typed: &str) -> Option<&'static str> {
    let names =
        specs().flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()));
    let words = names.filter(|name| name.len() > 1);
    let found = nearest::nearest(&typed.to_lowercase(), words)?;
    find(found).map(|spec| spec.name)
}
