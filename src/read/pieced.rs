//! A list in pieces: it grows without being copied, and nothing large is given back at once. An allocator that once
//! got a large piece of memory back may keep as much for itself from then on.

use std::ops::Index;

/// Items of a piece.
const PIECE: usize = 1 << 10;

/// Items in the order in which they were added.
#[derive(Debug)]
pub(super) struct Pieced<T> {
    pieces: Vec<Vec<T>>,
}

impl<T> Default for Pieced<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T> Pieced<T> {
    pub(super) fn push(&mut self, item: T) {
        match self.pieces.last_mut().filter(|piece| piece.len() < PIECE) {
            Some(piece) => piece.push(item),
            None => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(item);
                self.pieces.push(piece);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        let full = self.pieces.len().saturating_sub(1) * PIECE;
        full + self.pieces.last().map_or(0, Vec::len)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.pieces.iter().flatten()
    }

    /// The places of the items in the order of what tells them apart; of those that it does not, as they were added.
    pub(super) fn order<K: Ord>(&self, key: impl Fn(&T) -> K) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&at| (key(&self[at as usize]), at));
        order
    }
}

impl<T> Extend<T> for Pieced<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T> Index<usize> for Pieced<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.pieces[at / PIECE][at % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_where_they_were_added_and_are_put_in_order() {
        for count in [0, 1, PIECE, 2 * PIECE + 7] {
            let mut all = Pieced::default();
            all.extend((0..count).map(|nth| nth % 10));
            assert_eq!((all.len(), all.is_empty()), (count, count == 0));
            assert!(all.iter().copied().eq((0..count).map(|nth| nth % 10)));
            assert!((0..count).all(|at| all[at] == at % 10));
            let order = all.order(|item| *item);
            assert!(order.is_sorted_by_key(|&at| (at % 10, at)) && order.len() == count);
        }
    }
}
