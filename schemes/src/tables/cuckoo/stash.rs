//! The overflow list where it has room for some elements only.

use super::super::Footprint;

/// An overflow list for the elements `0..n`, and those that did not fit.
#[derive(Debug, Clone)]
pub(super) struct Stash {
    size: u32,
    held: u32,
    /// Elements that did not fit and have not departed.
    missing: u32,
    /// Whether an element did not fit when it last overflowed.
    lost: Vec<bool>,
}

impl Stash {
    pub(super) const FOOTPRINT: Footprint = Footprint { element: 1, bucket: 0 };

    pub(super) fn new(elements: u32, size: u32) -> Self {
        Self { size, held: 0, missing: 0, lost: vec![false; elements as usize] }
    }

    pub(super) fn reserve(&mut self, elements: u32) {
        self.lost.resize(self.lost.len().max(elements as usize), false);
    }

    pub(super) fn clear(&mut self) {
        (self.held, self.missing) = (0, 0);
    }

    /// Adds an element; whether it was lost, as it did not fit.
    #[inline]
    pub(super) fn insert(&mut self, element: u32) -> bool {
        let lost = self.held == self.size;
        self.held += u32::from(!lost);
        self.missing += u32::from(lost);
        self.lost[element as usize] = lost;
        lost
    }

    /// Lets an element depart that was added.
    #[inline]
    pub(super) fn remove(&mut self, element: u32) {
        let lost = self.lost[element as usize];
        self.held -= u32::from(!lost);
        self.missing -= u32::from(lost);
    }

    /// Elements that overflowed, the lost ones included.
    #[inline]
    pub(super) fn overflow(&self) -> u32 {
        self.held + self.missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_element_leaves_no_room_when_it_departs() {
        let mut stash = Stash::new(5, 2);
        assert_eq!([0, 1, 2].map(|element| stash.insert(element)), [false, false, true]);
        assert_eq!(stash.overflow(), 3);
        stash.remove(2);
        assert!(stash.insert(3));
        stash.remove(0);
        assert!(!stash.insert(4));
        assert_eq!(stash.overflow(), 3);
    }

    /// Where the number of elements varies there may be more than at first, and those there are stay what they are.
    #[test]
    fn room_for_more_elements_changes_none() {
        let mut stash = Stash::new(2, 1);
        assert_eq!([0, 1].map(|element| stash.insert(element)), [false, true]);
        stash.reserve(4);
        stash.reserve(3);
        stash.remove(1);
        assert!(stash.insert(3));
        stash.remove(0);
        assert_eq!((stash.overflow(), stash.insert(2)), (1, false));
    }
}
