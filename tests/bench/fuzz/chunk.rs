//! Chunks of any text are cut where nothing is split, and joined they are the text.

use ebbtide::chunk;

use super::random::Random;

/// Cuts a text in memory and, as a file is read, piece by piece: the cuts are the same.
pub(crate) fn case(random: &mut Random) {
    let text = random.text(200);
    let size = random.between(8, 300);
    let ranges: Vec<_> = chunk::ranges(&text, size).collect();
    let joined: String = ranges.iter().map(|range| &text[range.clone()]).collect();
    assert_eq!(joined, text, "size {size}");
    assert!(ranges.len() as u64 <= chunk::count(text.len() as u64, size as u64));
    for range in &ranges {
        assert!(range.len() <= size + size / 2 + 1, "{range:?} of {text:?} at {size}");
    }
    let even = (random.below(20) * size) as u64;
    if even > 0 && even < text.len() as u64 {
        let (from, upto) = chunk::around(even, size as u64, text.len() as u64);
        let read = &text.as_bytes()[from as usize..upto as usize];
        let cut = from as usize + chunk::cut(read, (even - from) as usize);
        let is_border = ranges.iter().any(|range| range.start == cut || range.end == cut);
        assert!(is_border, "{cut} is no border of {text:?} at {size}");
    }
    if random.once_in(3) {
        // Bytes that are no text, as a broken file has them.
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.byte()).collect();
        let border = random.below(50);
        assert!(chunk::cut(&bytes, border) <= bytes.len());
    }
}
