//! Memory that was freed and that the allocator keeps for later.

/// Gives memory that was freed back to the system, where the allocator would keep it: after work that took much for a
/// short while. glibc keeps what lies below anything that is still in use, tens of megabytes in a long replay; others
/// give back by themselves.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator is a C library's, and nothing safe asks it for this")]
pub fn give_back() {
    // SAFETY: it takes no pointer and may be called at any time, from any thread; nothing in use is moved.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Gives memory that was freed back to the system, where the allocator would keep it: others than glibc do not.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// MB in memory that no file backs.
    fn taken() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    #[test]
    fn what_was_freed_below_something_in_use_is_given_back() {
        let mut all: Vec<Box<[u8]>> = (0..200_000).map(|_| vec![1; 1_000].into()).collect();
        // Every thousandth stays.
        let kept: Vec<Box<[u8]>> = all.drain(..).step_by(1_000).collect();
        let before = taken();
        give_back();
        assert!(taken() + 100 < before, "{} of {before} MB are left", taken());
        assert_eq!(kept.len(), 200);
    }
}
