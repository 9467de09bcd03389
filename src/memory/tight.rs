//! Lists that may grow very long and never shrink: with room for twice as many, much of it would be empty.

/// Room for so many more at least.
const LEAST: usize = 16;

/// Adds one at the end. Where there is no room for it, room for an eighth more is made.
pub(crate) fn push<T>(all: &mut Vec<T>, one: T) {
    make_room(all, 1);
    all.push(one);
}

/// Makes room for so many more, and where there is none, for an eighth of what is there.
pub(crate) fn make_room<T>(all: &mut Vec<T>, more: usize) {
    if all.capacity() - all.len() < more {
        all.reserve_exact(more.max(LEAST).max(all.len() / 8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_has_little_room_to_spare() {
        let mut all = Vec::new();
        for nth in 0..100_000 {
            push(&mut all, nth);
            assert!(all.capacity() <= all.len() + LEAST.max(all.len() / 8), "{nth}");
        }
        make_room(&mut all, 50_000);
        assert!(all.capacity() >= 150_000 && all.iter().copied().eq(0..100_000));
    }
}
