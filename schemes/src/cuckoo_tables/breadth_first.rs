//! Eviction along the shortest sequence of moves that makes room.

use std::ops::ControlFlow::{Break, Continue};

use super::shelf::{Insertion, Shelf};

/// The origin of an element's own choices.
const NONE: u32 = u32::MAX;

/// A search over the buckets that can be reached by moves.
#[derive(Debug)]
pub(super) struct BreadthFirst {
    /// Buckets read beyond an element's own before it is left over.
    limit: usize,
    reached: Vec<Reached>,
    /// For each bucket the number of the last search that reached it.
    searches: Vec<u32>,
    search: u32,
}

/// A bucket that was read, and the slot whose element can move there.
#[derive(Debug, Clone, Copy)]
struct Reached {
    bucket: u32,
    /// Where the bucket of that slot stands among those reached.
    origin: u32,
    slot: u8,
}

impl BreadthFirst {
    pub(super) fn new(buckets: u32, limit: u32) -> Self {
        let searches = vec![0; buckets as usize];
        Self { limit: limit as usize, reached: Vec::with_capacity(64), searches, search: 0 }
    }

    #[inline]
    pub(super) fn insert<B: Shelf>(
        &mut self,
        shelf: &mut B,
        element: B::Element,
    ) -> Insertion<B::Element> {
        let found = self.find(shelf, element);
        let accesses = self.reached.len() as u64;
        match found {
            true => Insertion { accesses, moves: self.shift(shelf, element), left_over: None },
            false => Insertion { accesses, moves: 0, left_over: Some(element) },
        }
    }

    /// Bytes of memory, that of a search aside.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&self.searches[..]) as u64
    }

    /// Begins a search that has read no bucket.
    #[inline]
    fn begin(&mut self) {
        self.reached.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.searches.fill(0);
            self.search = 1;
        }
    }

    /// Whether a bucket with room is found, which is then the last one read.
    #[inline]
    fn find<B: Shelf>(&mut self, shelf: &mut B, element: B::Element) -> bool {
        self.begin();
        if self.read(shelf, element, (NONE, 0), usize::MAX) {
            return true;
        }
        let most = self.reached.len() + self.limit;
        let mut position = 0;
        while position < self.reached.len() && self.reached.len() < most {
            let bucket = self.reached[position].bucket;
            for slot in 0..shelf.bucket_size() {
                let element = shelf.element(bucket, slot);
                if self.read(shelf, element, (position as u32, slot), most) {
                    return true;
                }
            }
            position += 1;
        }
        false
    }

    /// Reads those of the element's choices that were not yet read, up to one with room; whether there is one.
    #[inline]
    fn read<B: Shelf>(
        &mut self,
        shelf: &mut B,
        element: B::Element,
        (origin, slot): (u32, u8),
        most: usize,
    ) -> bool {
        let Self { searches, search, reached, .. } = self;
        let mut found = false;
        shelf.each_choice(element, |bucket, is_full| {
            let last = std::mem::replace(&mut searches[bucket as usize], *search);
            if last == *search {
                return Continue(());
            }
            if reached.len() == most {
                return Break(());
            }
            reached.push(Reached { bucket, origin, slot });
            found = !is_full;
            if found { Break(()) } else { Continue(()) }
        });
        found
    }

    /// Moves the elements on the way to the last bucket read, which has room, and puts the new one where the first of
    /// them was; the number of moves.
    #[inline]
    fn shift<B: Shelf>(&self, shelf: &mut B, element: B::Element) -> u32 {
        let Some(&Reached { bucket, mut origin, mut slot }) = self.reached.last() else { return 0 };
        if origin == NONE {
            shelf.add(bucket, element);
            return 0;
        }
        let source = |origin: u32| self.reached[origin as usize];
        let moving = shelf.element(source(origin).bucket, slot);
        shelf.add(bucket, moving);
        let mut moves = 1;
        loop {
            let Reached { bucket, origin: before, slot: slot_before } = source(origin);
            if before == NONE {
                shelf.replace(bucket, slot, element);
                return moves;
            }
            let moving = shelf.element(source(before).bucket, slot_before);
            shelf.replace(bucket, slot, moving);
            moves += 1;
            (origin, slot) = (before, slot_before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_former_searches_do_not_come_back() {
        let mut search = BreadthFirst::new(2, 2);
        search.begin();
        search.searches[0] = search.search;
        search.search = u32::MAX;
        search.begin();
        assert_ne!(search.searches[0], search.search);
    }
}
