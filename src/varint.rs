//! Numbers in few bytes: seven bits a byte, the lowest first, so that small ones take one.

/// Appends a number.
#[inline]
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes the next number from the front. Nothing it is given makes it panic: at the end of the bytes, and for bytes that
/// nobody wrote, it says `None`.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 { Some(u64::from(first)) } else { long(first, bytes) }
}

fn long(first: u8, bytes: &mut &[u8]) -> Option<u64> {
    let mut number = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        // Of the tenth byte, one bit belongs to the number.
        if shift == 63 && byte > 1 {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_bytes_that_nobody_wrote_are_none() {
        let numbers = [0, 1, 127, 128, 300, 65_536, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put(&mut bytes, number);
        }
        let mut left = bytes.as_slice();
        assert!(numbers.iter().all(|&number| take(&mut left) == Some(number)));
        let with_tenth = |last| [[0xff; 9].as_slice(), &[last]].concat();
        let too_large = [2, 0x7f, 0x80, 0x81].map(with_tenth);
        let nothing = [&[][..], &[0x80], &[0xff; 20]];
        for bytes in nothing.into_iter().chain(too_large.iter().map(Vec::as_slice)) {
            assert_eq!(take(&mut &*bytes), None, "{bytes:x?}");
        }
        assert_eq!(take(&mut &*with_tenth(1)), Some(u64::MAX));
    }
}
