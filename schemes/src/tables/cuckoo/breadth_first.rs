//! Eviction along the shortest sequence of moves.

use super::super::{Footprint, Geometry};
use super::eviction::{Eviction, Placement};
use super::shelf::Shelf;
use crate::Rng;

/// The choices of the new element are read, then the choices of the elements in these buckets, then
/// those of the elements in the buckets thus reached, each bucket once, until one has room. The
/// elements on the way there move. If none is found nothing moves, and the new element is left over.
#[derive(Debug, Clone)]
pub(super) struct BreadthFirst {
    /// Buckets that may be read beyond the choices of the new element.
    limit: usize,
    /// The buckets of this search in the order in which they were read.
    reached: Vec<Reached>,
    /// The last search that read each bucket.
    searches: Vec<u32>,
    /// The number of this search.
    search: u32,
}

/// A bucket that was read.
#[derive(Debug, Clone, Copy)]
struct Reached {
    bucket: u32,
    /// Where the element is that has it among its choices; `None` for the new element.
    origin: Option<Origin>,
}

/// A slot of a bucket that was read.
#[derive(Debug, Clone, Copy)]
struct Origin {
    /// The position of the bucket among those read.
    position: u32,
    slot: u8,
}

impl BreadthFirst {
    /// Memory that grows with the table. What a search reached is left out: that is a few buckets.
    pub(super) const FOOTPRINT: Footprint = Footprint { element: 0, bucket: 4 };

    pub(super) fn new(geometry: &Geometry, choices: u32, limit: u32) -> Self {
        let (m, limit) = (geometry.buckets as usize, limit as usize);
        let most = m.min(choices as usize + limit);
        Self { limit, reached: Vec::with_capacity(most), searches: vec![0; m], search: 0 }
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
    fn find<S: Shelf>(&mut self, slots: &mut S, element: S::Element) -> bool {
        self.begin();
        if self.read_choices(slots, element, None, usize::MAX) {
            return true;
        }
        let most = self.reached.len() + self.limit;
        let mut position = 0;
        while position < self.reached.len() && self.reached.len() < most {
            if self.read_beyond(slots, position, most) {
                return true;
            }
            position += 1;
        }
        false
    }

    /// Reads the choices of all elements of a bucket, which is full.
    #[inline]
    fn read_beyond<S: Shelf>(&mut self, slots: &mut S, position: usize, most: usize) -> bool {
        let bucket = self.reached[position].bucket;
        (0..slots.bucket_size()).any(|slot| {
            let origin = Origin { position: position as u32, slot };
            let element = slots.element(bucket, slot);
            slots.look_at(element);
            self.read_choices(slots, element, Some(origin), most)
        })
    }

    /// Reads the choices of an element that were not yet read, up to one with room.
    #[inline]
    fn read_choices<S: Shelf>(
        &mut self,
        slots: &S,
        element: S::Element,
        origin: Option<Origin>,
        most: usize,
    ) -> bool {
        for number in 0..slots.choices() {
            let bucket = slots.choice(element, number);
            let last = std::mem::replace(&mut self.searches[bucket as usize], self.search);
            if last == self.search {
                continue;
            }
            if self.reached.len() == most {
                return false;
            }
            self.reached.push(Reached { bucket, origin });
            if !slots.is_full(bucket) {
                return true;
            }
        }
        false
    }

    /// Moves the elements on the way to the last bucket read, which has room, and puts the new one
    /// where the first of them was; the number of moves.
    #[inline]
    fn shift<S: Shelf>(&self, slots: &mut S, position: usize, element: S::Element) -> u32 {
        let Reached { mut bucket, mut origin } = self.reached[position];
        let mut slot = slots.open(bucket);
        let mut moves = 0;
        while let Some(source) = origin {
            let before = self.reached[source.position as usize];
            let moving = slots.element(before.bucket, source.slot);
            slots.replace(bucket, slot, moving);
            (bucket, slot, origin) = (before.bucket, source.slot, before.origin);
            moves += 1;
        }
        slots.replace(bucket, slot, element);
        moves
    }
}

impl Eviction for BreadthFirst {
    #[inline]
    fn place<S: Shelf>(
        &mut self,
        slots: &mut S,
        element: S::Element,
        _rng: &mut Rng,
    ) -> Placement<S::Element> {
        let found = self.find(slots, element);
        let accesses = self.reached.len() as u32;
        if !found {
            return Placement { accesses, moves: 0, left_over: Some(element) };
        }
        let moves = self.shift(slots, self.reached.len() - 1, element);
        Placement { accesses, moves, left_over: None }
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.searches[..]) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_former_searches_do_not_come_back() {
        let geometry = Geometry { elements: 1, buckets: 2, bucket_size: 1 };
        let mut eviction = BreadthFirst::new(&geometry, 2, 2);
        eviction.begin();
        eviction.searches[0] = eviction.search;
        eviction.search = u32::MAX;
        eviction.begin();
        assert_ne!(eviction.searches[0], eviction.search);
    }
}
