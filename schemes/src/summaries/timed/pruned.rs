//! The fast hash table of Song et al. with keys.

use super::buckets::Buckets;
use crate::hash::{Choices, Source};
use crate::summaries::pruned::{Kept, PrunedTable};
use crate::timed::Structure;

/// The counters, in fast memory; the pruned table, whose buckets hold a key each; and the copy of the table before
/// pruning, in which an element with its key is in all its buckets.
///
/// Of several elements that are kept in one bucket, which is a crisis, the others are found by way of the copy.
pub(super) struct PrunedKeys<H> {
    copy: PrunedTable,
    /// The key of each element, and whose place is free.
    keys: Vec<u8>,
    free: Vec<u32>,
    width: usize,
    counters: Vec<u16>,
    buckets: Buckets,
    /// Buckets that an insertion or deletion put an element into, or took one out of.
    touched: Touched,
    source: H,
}

/// Those buckets.
#[derive(Default)]
struct Touched(Vec<u32>);

impl Kept for Touched {
    fn kept(&mut self, bucket: u32) {
        self.0.push(bucket);
    }
}

impl<H: Source> PrunedKeys<H> {
    /// With the empty table `copy` of so many elements and buckets, for keys of so many bytes.
    pub(super) fn new(
        copy: PrunedTable,
        (elements, buckets): (u32, u32),
        source: H,
        width: usize,
    ) -> Self {
        let mut table = Self {
            copy,
            keys: vec![0; elements as usize * width],
            free: Vec::with_capacity(elements as usize),
            width,
            counters: vec![0; buckets as usize],
            buckets: Buckets::new(buckets, width),
            touched: Touched::default(),
            source,
        };
        table.free.extend((0..elements).rev());
        table
    }

    /// The counter of a bucket.
    #[cfg(test)]
    pub(super) fn counter(&self, bucket: u32) -> u16 {
        self.counters[bucket as usize]
    }

    /// Elements that a bucket keeps.
    #[cfg(test)]
    pub(super) fn elements_in(&self, bucket: u32) -> u32 {
        self.copy.elements_in(bucket)
    }

    /// The key of an element.
    fn key(&self, element: u32) -> &[u8] {
        &self.keys[element as usize * self.width..][..self.width]
    }

    /// The bucket that the counters tell of a key: the least one, of several the first. `None` where one of them says
    /// that the key is absent.
    #[inline(always)]
    fn told(&mut self, key: &[u8]) -> Option<u32> {
        let all = self.counters.len() as u32;
        let mut choices = self.source.element(key);
        let mut least = (u16::MAX, u32::MAX);
        for _ in 0..self.copy.choices() {
            let bucket = choices.next(all);
            let counter = self.counters[bucket as usize];
            if counter == 0 {
                return None;
            }
            least = least.min((counter, bucket));
        }
        Some(least.1)
    }

    /// The element of this key that the bucket keeps.
    fn find(&self, bucket: u32, key: &[u8]) -> Option<u32> {
        self.copy.kept_in(bucket).find(|&element| self.key(element) == key)
    }

    /// Brings counters and buckets up to date, once this element has come or gone.
    fn follow(&mut self, element: u32) {
        for &bucket in self.copy.chosen(element) {
            // A counter has 16 bits at most.
            self.counters[bucket as usize] = self.copy.counter(bucket) as u16;
        }
        let mut touched = std::mem::take(&mut self.touched.0);
        for bucket in touched.drain(..) {
            match self.copy.kept_in(bucket).next() {
                Some(kept) => {
                    let key = &self.keys[kept as usize * self.width..][..self.width];
                    self.buckets.put(bucket, key);
                }
                None => self.buckets.take(bucket),
            }
        }
        self.touched.0 = touched;
    }
}

impl<H: Source> Structure for PrunedKeys<H> {
    fn clear(&mut self) {
        let elements = (self.keys.len() / self.width.max(1)) as u32;
        self.copy.clear();
        self.free.clear();
        self.free.extend((0..elements).rev());
        self.counters.fill(0);
        self.buckets.clear();
    }

    fn insert(&mut self, key: &[u8]) {
        let Some(element) = self.free.pop() else { return };
        self.keys[element as usize * self.width..][..self.width].copy_from_slice(key);
        self.copy.insert(element, self.source.element(key), &mut self.touched);
        self.follow(element);
    }

    #[inline(always)]
    fn contains(&mut self, key: &[u8]) -> bool {
        let Some(bucket) = self.told(key) else { return false };
        self.buckets.holds(bucket, key)
            || self.copy.elements_in(bucket) > 1 && self.find(bucket, key).is_some()
    }

    fn delete(&mut self, key: &[u8]) {
        let Some(element) = self.told(key).and_then(|bucket| self.find(bucket, key)) else {
            return;
        };
        self.copy.delete(element, &mut self.touched);
        self.follow(element);
        self.free.push(element);
    }

    fn bytes(&self) -> u64 {
        let counters = size_of_val(&self.counters[..]) + size_of_val(&self.free[..]);
        let of_table = self.buckets.bytes_of_keys() + self.counters.len().div_ceil(8) as u64;
        of_table + (counters + self.keys.len()) as u64 + self.copy.bytes()
    }
}
