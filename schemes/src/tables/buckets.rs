//! The structure of all schemes that only count: buckets as counters, elements as places.

use std::hint::select_unpredictable;

use super::sub_tables::{SubTable, SubTables};
use super::{Footprint, Geometry, SubTableUse};

/// m buckets of size h as counters, the place of each of n elements, the length of the
/// overflow list. One byte a bucket and four an element.
///
/// The overflow list stands behind the last bucket, as bucket m, so that an element is taken from
/// its place without asking where that is: at loads of interest the answer is hard to guess, and a
/// wrong guess costs the processor more than the work itself.
#[derive(Debug, Clone)]
pub struct Buckets {
    /// The count of bucket m means nothing; `overflow` is the true one.
    counts: Vec<u8>,
    /// Empty where elements stay for good.
    places: Vec<u32>,
    overflow_list: u32,
    size: u8,
    overflow: u32,
}

impl Buckets {
    pub(super) const FOOTPRINT: Footprint = Footprint { element: 4, bucket: 1 };

    /// Empty buckets for elements `0..n`, whose places are kept only if there are `departures`.
    pub fn new(geometry: &Geometry, departures: bool) -> Self {
        let &Geometry { elements, buckets, bucket_size } = geometry;
        let placed = if departures { elements as usize } else { 0 };
        Self {
            counts: vec![0; buckets as usize + 1],
            places: vec![buckets; placed],
            overflow_list: buckets,
            size: bucket_size,
            overflow: 0,
        }
    }

    /// Whether the place of each element is kept.
    pub(crate) fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// Makes room for the places of the elements `0..elements`, if places are kept.
    pub fn reserve(&mut self, elements: u32) {
        if !self.places.is_empty() {
            self.places.resize(elements as usize, self.overflow_list);
        }
    }

    /// Empties every bucket and the overflow list.
    #[inline]
    pub fn clear(&mut self) {
        self.counts.fill(0);
        self.overflow = 0;
    }

    /// The number of elements in a bucket.
    #[inline(always)]
    pub fn load(&self, bucket: u32) -> u8 {
        self.counts[bucket as usize]
    }

    /// Whether a bucket has no room for an element.
    #[inline(always)]
    pub fn is_full(&self, bucket: u32) -> bool {
        self.load(bucket) >= self.size
    }

    /// Puts the element into the bucket, which is not full.
    #[inline]
    pub fn place(&mut self, element: u32, bucket: u32) {
        self.counts[bucket as usize] += 1;
        self.remember(element, bucket);
    }

    /// The number of the overflow list among the places of [`place_at`](Self::place_at).
    #[inline(always)]
    pub(crate) fn overflow_list(&self) -> u32 {
        self.overflow_list
    }

    /// Puts the element on the overflow list.
    #[inline]
    pub fn overflow_with(&mut self, element: u32) {
        self.overflow += 1;
        self.remember(element, self.overflow_list);
    }

    /// As [`place`](Self::place); `place == m` is the overflow list. Whether it is a bucket.
    #[inline(always)]
    pub(crate) fn place_at(&mut self, element: u32, place: u32) -> bool {
        let listed = place == self.overflow_list;
        self.counts[place as usize] = self.counts[place as usize].wrapping_add(1);
        self.overflow += u32::from(listed);
        self.remember(element, place);
        !listed
    }

    /// Puts the element into the bucket, or on the overflow list if that is full; whether it is in
    /// the bucket.
    #[inline(always)]
    pub fn place_or_overflow(&mut self, element: u32, bucket: u32) -> bool {
        let full = self.is_full(bucket);
        self.counts[bucket as usize] += u8::from(!full);
        self.overflow += u32::from(full);
        self.remember(element, if full { self.overflow_list } else { bucket });
        !full
    }

    /// Takes the element off the overflow list and puts it into the bucket, which is not full.
    #[inline]
    pub(crate) fn move_back(&mut self, element: u32, bucket: u32) {
        self.overflow -= 1;
        self.place(element, bucket);
    }

    #[inline(always)]
    fn remember(&mut self, element: u32, place: u32) {
        if !self.places.is_empty() {
            self.places[element as usize] = place;
        }
    }

    /// The bucket in which the element is; `None` where it is on the overflow list.
    #[inline]
    pub(crate) fn bucket_of(&self, element: u32) -> Option<u32> {
        Some(self.places[element as usize]).filter(|&place| place != self.overflow_list)
    }

    /// Where the element is: m, the number of buckets, is the overflow list.
    #[inline(always)]
    pub(crate) fn place_of(&self, element: u32) -> u32 {
        self.places[element as usize]
    }

    /// Takes an element off the overflow list, and gives it the place of one that leaves: its own, if that is who leaves.
    #[inline(always)]
    pub(crate) fn hand_over(&mut self, place: u32, element: u32) {
        self.overflow -= 1;
        self.places[element as usize] = place;
    }

    /// Takes the element out of its bucket or off the overflow list.
    #[inline(always)]
    pub fn remove(&mut self, element: u32) {
        let place = self.places[element as usize];
        self.counts[place as usize] = self.counts[place as usize].wrapping_sub(1);
        self.overflow -= u32::from(place == self.overflow_list);
    }

    /// As [`remove`](Self::remove), and the `last` element takes the name of this one.
    #[inline(always)]
    pub(crate) fn remove_and_rename(&mut self, element: u32, last: u32) {
        self.remove(element);
        self.places[element as usize] = self.places[last as usize];
    }

    /// Without a branch, either of two: the element `number` goes to this place, or another leaves its own and the one before
    /// `number` takes its name.
    #[inline(always)]
    pub(crate) fn place_or_remove(&mut self, leaves: Option<u32>, number: u32, place: u32) {
        let arrives = leaves.is_none();
        let element = select_unpredictable(arrives, number, leaves.unwrap_or(0));
        let place = select_unpredictable(arrives, place, self.places[element as usize]);
        let more = select_unpredictable(arrives, 1, u32::MAX);
        let count = &mut self.counts[place as usize];
        *count = count.wrapping_add(more as u8);
        let listed = u32::from(place == self.overflow_list);
        self.overflow = self.overflow.wrapping_add(more & listed.wrapping_neg());
        let last = self.places[(number - u32::from(!arrives)) as usize];
        self.places[element as usize] = select_unpredictable(arrives, place, last);
    }

    /// Takes an element out of a slot of the bucket, if one is there: its elements are in the first slots.
    #[inline(always)]
    pub(crate) fn vacate(&mut self, bucket: u32, slot: u32) -> bool {
        let count = &mut self.counts[bucket as usize];
        let taken = slot < u32::from(*count);
        *count -= u8::from(taken);
        taken
    }

    /// Takes one of the elements out of the bucket, whichever that is.
    #[inline]
    pub(crate) fn take(&mut self, bucket: u32) {
        self.counts[bucket as usize] -= 1;
    }

    /// Takes one of the elements off the overflow list.
    #[inline(always)]
    pub(crate) fn unlist(&mut self) {
        self.overflow -= 1;
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&self.counts[..]) + size_of_val(&self.places[..])) as u64
    }

    /// Elements on the overflow list.
    #[inline]
    pub fn overflow(&self) -> u32 {
        self.overflow
    }

    /// How many buckets hold k elements, k = 0..=h.
    #[inline]
    pub fn occupancy(&self) -> Vec<u64> {
        occupancy(&self.counts[..self.overflow_list as usize], self.size)
    }

    /// How full each sub-table is.
    pub fn sub_tables(&self, sub_tables: &SubTables) -> Vec<SubTableUse> {
        let in_use = |&SubTable { first, buckets }: &SubTable| {
            let counts = &self.counts[first as usize..][..buckets as usize];
            let elements = counts.iter().map(|&count| u64::from(count)).sum();
            SubTableUse { elements, places: u64::from(buckets) * u64::from(self.size) }
        };
        sub_tables.iter().map(in_use).collect()
    }
}

/// How many of the counts are k, k = 0..=`size`.
pub(crate) fn occupancy(counts: &[u8], size: u8) -> Vec<u64> {
    (0..=size).map(|load| buckets_with(counts, load)).collect()
}

/// How many of the counts are `load`. A pass for each load, many counts at a time, is faster than
/// one pass that sorts count by count: all passes together cost a fraction of filling the places.
pub(crate) fn buckets_with(counts: &[u8], load: u8) -> u64 {
    // As many as a byte can count.
    let blocks = counts.chunks(u8::MAX.into());
    blocks
        .map(|block| u64::from(block.iter().map(|&count| u8::from(count == load)).sum::<u8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets_of(elements: u32, buckets: u32, bucket_size: u8, departures: bool) -> Buckets {
        Buckets::new(&Geometry { elements, buckets, bucket_size }, departures)
    }

    #[test]
    fn what_does_not_fit_overflows_and_leaves_again() {
        let mut buckets = buckets_of(4, 3, 2, true);
        let stored = [0, 1, 2].map(|element| buckets.place_or_overflow(element, 1));
        buckets.overflow_with(3);
        assert_eq!((stored, buckets.overflow()), ([true, true, false], 2));
        assert_eq!(buckets.occupancy(), [2, 0, 1]);
        buckets.remove(2);
        buckets.remove(0);
        assert_eq!((buckets.load(1), buckets.is_full(1), buckets.overflow()), (1, false, 1));
        assert_eq!(buckets.occupancy(), [2, 1, 0]);
    }

    /// Elements that go to buckets 0, 1, 2 and the list, 3, and elements that leave, whose names the last ones take.
    #[test]
    fn a_jump_is_an_arrival_or_a_departure() {
        let [mut at_once, mut one_by_one] = [(); 2].map(|()| buckets_of(5, 3, 2, true));
        let jumps = [
            Err(0),
            Err(3),
            Err(1),
            Ok(1),
            Err(3),
            Ok(0),
            Err(2),
            Err(2),
            Ok(2),
            Ok(0),
            Err(3),
            Ok(2),
            Ok(1),
            Ok(0),
        ];
        let mut number = 0;
        for jump in jumps {
            at_once.place_or_remove(jump.ok(), number, jump.err().unwrap_or(1));
            match jump {
                Ok(element) => {
                    number -= 1;
                    one_by_one.remove_and_rename(element, number);
                }
                Err(place) => {
                    one_by_one.place_at(number, place);
                    number += 1;
                }
            }
            let state = |buckets: &Buckets| {
                let places =
                    (0..number).map(|element| buckets.place_of(element)).collect::<Vec<_>>();
                (places, buckets.overflow(), buckets.occupancy())
            };
            assert_eq!(state(&at_once), state(&one_by_one));
        }
        assert_eq!((number, at_once.overflow(), at_once.occupancy()), (0, 0, vec![3, 0, 0]));
    }

    #[test]
    fn an_overflow_list_longer_than_a_byte_counts() {
        let mut buckets = buckets_of(1000, 1, 1, true);
        (0..1000).for_each(|element| buckets.overflow_with(element));
        (300..1000).for_each(|element| buckets.remove(element));
        assert_eq!((buckets.overflow(), buckets.occupancy()), (300, vec![1, 0]));
    }

    #[test]
    fn occupancy_of_more_buckets_than_a_byte_counts() {
        let mut buckets = buckets_of(1, 1000, 255, false);
        buckets.place(0, 999);
        let occupancy = buckets.occupancy();
        assert_eq!((occupancy[0], occupancy[1], occupancy.len()), (999, 1, 256));
    }
}
