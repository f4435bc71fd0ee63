//! Eviction along the shortest sequence of moves that makes room.

use super::slots::{Elements, Insertion, Slots};

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
    pub(super) fn insert(
        &mut self,
        slots: &mut Slots,
        elements: Elements<'_>,
        element: u32,
    ) -> Insertion {
        let found = self.find(slots, elements, element);
        let accesses = self.reached.len() as u32;
        match found {
            true => Insertion { accesses, moves: self.shift(slots, element), left_over: None },
            false => Insertion { accesses, moves: 0, left_over: Some(element) },
        }
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
    fn find(&mut self, slots: &Slots, elements: Elements<'_>, element: u32) -> bool {
        self.begin();
        if self.read(slots, elements.of(element), (NONE, 0), usize::MAX) {
            return true;
        }
        let most = self.reached.len() + self.limit;
        let mut position = 0;
        while position < self.reached.len() && self.reached.len() < most {
            let bucket = self.reached[position].bucket;
            for slot in 0..slots.bucket_size() {
                let choices = elements.of(slots.element(bucket, slot));
                if self.read(slots, choices, (position as u32, slot), most) {
                    return true;
                }
            }
            position += 1;
        }
        false
    }

    /// Reads those of the choices that were not yet read, up to one with room.
    #[inline]
    fn read(
        &mut self,
        slots: &Slots,
        choices: &[u32],
        (origin, slot): (u32, u8),
        most: usize,
    ) -> bool {
        for &bucket in choices {
            let last = std::mem::replace(&mut self.searches[bucket as usize], self.search);
            if last == self.search {
                continue;
            }
            if self.reached.len() == most {
                return false;
            }
            self.reached.push(Reached { bucket, origin, slot });
            if !slots.is_full(bucket) {
                return true;
            }
        }
        false
    }

    /// Moves the elements on the way to the last bucket read, which has room, and puts the new one where the first of
    /// them was; the number of moves.
    #[inline]
    fn shift(&self, slots: &mut Slots, element: u32) -> u32 {
        let Some(&Reached { bucket, mut origin, mut slot }) = self.reached.last() else { return 0 };
        if origin == NONE {
            slots.add(bucket, element);
            return 0;
        }
        let source = |origin: u32| self.reached[origin as usize];
        slots.add(bucket, slots.element(source(origin).bucket, slot));
        let mut moves = 1;
        loop {
            let Reached { bucket, origin: before, slot: slot_before } = source(origin);
            if before == NONE {
                slots.replace(bucket, slot, element);
                return moves;
            }
            let moving = slots.element(source(before).bucket, slot_before);
            slots.replace(bucket, slot, moving);
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
