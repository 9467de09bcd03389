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

/// Asks the allocator to take what is large from the system each time and to give it back when it is freed. glibc does so until
/// something large is freed for the first time; from then on it keeps ever larger pieces, and what grows leaves holes
/// behind: a fifth of the memory of a long replay.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator is a C library's, and nothing safe asks it for this")]
pub fn keep_large_apart() {
    /// Where it begins to do so by itself, in bytes.
    const LARGE: libc::c_int = 128 << 10;
    // SAFETY: it takes no pointer and changes where later allocations are made, not those that are in use.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Asks the allocator to give back what is large when it is freed: others than glibc need not be asked.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_large_apart() {}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// One test measures at a time.
    static MEASURING: Mutex<()> = Mutex::new(());

    /// MB in memory that no file backs.
    fn taken() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    #[test]
    fn what_is_large_is_given_back_when_it_is_freed_however_often_that_was() {
        let _measuring = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
        keep_large_apart();
        drop(vec![1_u8; 30 << 20]);
        // What stands behind each would keep it from being given back.
        let all: Vec<_> =
            (0..12).map(|_| (vec![1_u8; 20 << 20], Box::new([1_u8; 1_000]))).collect();
        let before = taken();
        let behind: Vec<_> = all.into_iter().map(|(_, behind)| behind).collect();
        assert!(taken() + 100 < before, "{} of {before} MB are left", taken());
        assert_eq!(behind.len(), 12);
    }

    #[test]
    fn what_was_freed_below_something_in_use_is_given_back() {
        let _measuring = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Box<[u8]>> = (0..200_000).map(|_| vec![1; 1_000].into()).collect();
        // Every thousandth stays.
        let kept: Vec<Box<[u8]>> = all.drain(..).step_by(1_000).collect();
        let before = taken();
        give_back();
        assert!(taken() + 100 < before, "{} of {before} MB are left", taken());
        assert_eq!(kept.len(), 200);
    }
}
