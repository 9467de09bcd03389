//! Memory: the allocator, and what of it is given back.
//!
//! The allocator is mimalloc, which works in a quarter less time than that of glibc where millions of small things are made
//! and freed, and on several threads. Each program chooses its own: that of this package does in `main.rs`, as do the suite
//! of tests and the benches. Under another one, what is told to mimalloc here does nothing.

use std::ffi::{c_int, c_long};

use libmimalloc_sys::mi_option_set;

/// The option that [`mi_option_set`] is told of here, `mi_option_purge_delay`: its bindings name others alone.
const PURGE_DELAY: c_int = 15;

/// Milliseconds after which what was freed is given back. Later, it stays for whatever comes next; at once, each piece is
/// taken from the system anew.
const SOON: c_long = 10;

/// From now on, gives memory that was freed back to the system soon, where the allocator would keep it for a second: before
/// work that takes and frees much all the time, a fifth of whose memory would be such.
#[expect(unsafe_code, reason = "the allocator is a C library, and nothing safe tells it this")]
pub fn give_back_soon() {
    // SAFETY: it takes no pointer, may be called at any time and from any thread, and moves nothing that is in use.
    unsafe {
        mi_option_set(PURGE_DELAY, SOON);
    }
}

/// Gives back the memory of the program's constants, which the system reads anew from its file where they are needed again:
/// after something large was made of one of them.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "nothing safe tells the system that pages are not needed")]
pub fn give_back_constants() {
    use rustix::mm::{Advice, madvise};
    /// It lies among the constants.
    static ONE_OF_THEM: [u8; 16] = *b"a constant of it";
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let Some(range) = mapping(&maps, ONE_OF_THEM.as_ptr().addr()) else { return };
    let begin = std::ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: the pages are those of a file and nobody may write to them, so that they hold just what is in the file, from
    // which the system takes them when they are read again. Those that the loader writes addresses into before it takes the
    // right to write away are a mapping of their own. A system that does not want to give them back need not.
    let _ = unsafe { madvise(begin, range.len(), Advice::LinuxDontNeed) };
}

/// Gives back the memory of the program's constants: other systems do so by themselves.
#[cfg(not(target_os = "linux"))]
pub fn give_back_constants() {}

/// The addresses of the mapping around one, if it is that of a file and cannot be written to.
#[cfg(target_os = "linux")]
fn mapping(maps: &str, address: usize) -> Option<std::ops::Range<usize>> {
    maps.lines().find_map(|line| {
        let mut parts = line.split_whitespace();
        let (begin, end) = parts.next()?.split_once('-')?;
        let hex = |text| usize::from_str_radix(text, 16).ok();
        let range = hex(begin)?..hex(end)?;
        let is_read_only = !parts.next()?.contains('w');
        let is_of_file = parts.nth(2)? != "0";
        (range.contains(&address) && is_read_only && is_of_file).then_some(range)
    })
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use libmimalloc_sys::mi_option_get;

    use super::*;

    #[global_allocator]
    static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

    /// Says that a process runs one test alone.
    const ALONE: &str = "EBBTIDE_TEST_ALONE";

    /// Runs a test of this module, by its name, in a process of its own: whatever runs beside it takes memory too, and sets
    /// the same options.
    fn alone(name: &str, test: fn()) {
        if std::env::var_os(ALONE).is_some() {
            return test();
        }
        let name = format!("heap::tests::{name}");
        let mut process = Command::new(std::env::current_exe().unwrap());
        let ended = process.args(["--exact", &name]).env(ALONE, "1").output().unwrap();
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success() && told.contains("1 passed"), "{told}");
    }

    /// MB in memory that no file backs.
    fn taken() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Whether so much is given back while the program goes on.
    fn gives_back(megabytes: u64, before: u64) -> bool {
        let began = Instant::now();
        while taken() + megabytes > before {
            drop(black_box(vec![1_u8; 100_000]));
            if began.elapsed() > Duration::from_secs(20) {
                return false;
            }
        }
        true
    }

    #[test]
    fn the_option_that_is_set_is_the_one_that_is_meant() {
        alone("the_option_that_is_set_is_the_one_that_is_meant", || {
            // SAFETY: it takes no pointer and changes nothing.
            #[allow(unsafe_code, reason = "nothing safe tells what was set")]
            let delay = || unsafe { mi_option_get(PURGE_DELAY) };
            // Of all options, this one alone is of a second by default.
            assert_eq!(delay(), 1_000);
            give_back_soon();
            assert_eq!(delay(), SOON);
        });
    }

    #[test]
    fn what_is_large_is_given_back_when_it_is_freed_however_often_that_was() {
        alone("what_is_large_is_given_back_when_it_is_freed_however_often_that_was", || {
            give_back_soon();
            drop(vec![1_u8; 30 << 20]);
            // What stands behind each would keep it from being given back.
            let all: Vec<_> =
                (0..12).map(|_| (vec![1_u8; 20 << 20], Box::new([1_u8; 1_000]))).collect();
            let before = taken();
            let behind: Vec<_> = all.into_iter().map(|(_, behind)| behind).collect();
            assert!(gives_back(100, before), "{} of {before} MB are left", taken());
            assert_eq!(behind.len(), 12);
        });
    }

    #[test]
    fn what_was_freed_below_something_in_use_is_given_back() {
        alone("what_was_freed_below_something_in_use_is_given_back", || {
            give_back_soon();
            let all: Vec<Box<[u8]>> = (0..200_000).map(|_| vec![1; 1_000].into()).collect();
            let before = taken();
            // Every thousandth stays.
            let kept: Vec<Box<[u8]>> = all.into_iter().step_by(1_000).collect();
            assert!(gives_back(100, before), "{} of {before} MB are left", taken());
            assert_eq!(kept.len(), 200);
        });
    }

    #[test]
    fn the_constant_of_which_the_table_of_tokens_is_made_is_given_back() {
        alone("the_constant_of_which_the_table_of_tokens_is_made_is_given_back", || {
            // Whoever makes the table gives it back.
            let _ = crate::tokens::Cl100k::load();
            let text = include_str!("../assets/alike.txt");
            let kept = of_mapping(text.as_ptr().addr());
            assert!(kept < 12_000, "{kept} kB of the constants are in memory");
            let sum = || black_box(text).bytes().map(u64::from).sum::<u64>();
            let before = sum();
            give_back_constants();
            assert_eq!(sum(), before);
        });
    }

    /// The kB in memory of the mapping around an address.
    fn of_mapping(address: usize) -> u64 {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let range = mapping(&maps, address).unwrap();
        let head = format!("{:x}-{:x} ", range.start, range.end);
        let told = maps.lines().skip_while(|line| !line.starts_with(&head));
        let size = told.skip(1).find_map(|line| line.strip_prefix("Rss:")).unwrap();
        size.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    #[test]
    fn a_mapping_is_told_by_its_addresses_and_by_what_it_is() {
        let maps = "1000-3000 r--p 00000000 fe:00 77  /bin/it\n3000-4000 rw-p 00002000 fe:00 77  /bin/it\n\
                    5000-6000 r--p 00000000 00:00 0\nwhat else\n";
        assert_eq!(mapping(maps, 0x2fff), Some(0x1000..0x3000));
        for other in [0xfff, 0x3000, 0x5000] {
            assert_eq!(mapping(maps, other), None, "{other:x}");
        }
    }
}
