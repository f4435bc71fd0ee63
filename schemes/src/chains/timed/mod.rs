//! Chains of keys, to be timed. Each key goes to the bucket to which that of a trial with the same seed goes.

mod lists;
#[cfg(test)]
mod tests;

use self::lists::Lists;
use super::chained::least_loaded;
use crate::hash::{Choices, Source};
use crate::metric::Metric;
use crate::summaries::metrics::PROBES_PER_HIT;
use crate::timed::{ByChoices, Key, key};

/// Buckets with a list of keys each, and the number of keys in it, which is all that an insertion reads to find the
/// shortest one.
#[derive(Debug, Clone)]
pub(super) struct KeyChains {
    /// The first bucket and the number of buckets of each choice's range.
    ranges: Vec<(u32, u32)>,
    loads: Vec<u32>,
    lists: Lists,
    /// The buckets of the key on hand.
    choices: Vec<u32>,
    /// Bytes of a key.
    width: usize,
}

impl KeyChains {
    /// Bytes of a table with so many buckets for so many keys.
    pub(super) fn bytes_of(buckets: u32, elements: u32) -> u64 {
        let of_bucket = Lists::BYTES_OF_BUCKET + size_of::<u32>() as u64;
        u64::from(buckets) * of_bucket + u64::from(elements) * Lists::BYTES_OF_ENTRY
    }

    /// An empty table with room for so many keys.
    pub(super) fn new(ranges: Vec<(u32, u32)>, size: [u32; 2], width: usize) -> Self {
        let [buckets, elements] = size;
        let (loads, choices) = (vec![0; buckets as usize], vec![0; ranges.len()]);
        Self { ranges, loads, lists: Lists::new(buckets, elements), choices, width }
    }

    /// The bucket of each choice, made when it is asked for.
    #[inline(always)]
    fn buckets(&self, mut choices: impl Choices) -> impl Iterator<Item = u32> {
        self.ranges.iter().map(move |&(first, buckets)| first + choices.next(buckets))
    }

    /// Entries read by a look-up of a stored key; the end of each chain before its own is one too.
    fn probes<S: Source>(&self, key: Key, source: &mut S) -> u64 {
        let (bytes, mut probes) = (key.to_ne_bytes(), 0);
        for bucket in self.buckets(source.element(&bytes[..self.width])) {
            match self.lists.keys(bucket).position(|own| own == key) {
                Some(before) => return probes + before as u64 + 1,
                None => probes += u64::from(self.loads[bucket as usize]) + 1,
            }
        }
        probes
    }
}

impl ByChoices for KeyChains {
    fn clear(&mut self, _seed: u64) {
        self.loads.fill(0);
        self.lists.clear();
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let Self { ranges, loads, lists, choices, .. } = self;
        let mut made = source.element(bytes);
        for (choice, &(first, buckets)) in choices.iter_mut().zip(&*ranges) {
            *choice = first + made.next(buckets);
        }
        let bucket = choices[least_loaded(choices, loads)];
        loads[bucket as usize] += 1;
        lists.append(bucket, key(bytes));
    }

    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        let wanted = key(bytes);
        let mut buckets = self.buckets(source.element(bytes));
        buckets.any(|bucket| self.lists.keys(bucket).any(|own| own == wanted))
    }

    #[inline(always)]
    fn delete<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let (wanted, mut made) = (key(bytes), source.element(bytes));
        for &(first, buckets) in &self.ranges {
            let bucket = first + made.next(buckets);
            if self.lists.remove(bucket, wanted) {
                self.loads[bucket as usize] -= 1;
                return;
            }
        }
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.loads[..]) as u64 + self.lists.bytes()
    }

    fn measured<S: Source>(&mut self, _elements: u64, source: &mut S) -> Option<(Metric, f64)> {
        let (mut keys, mut read) = (0_u64, 0);
        for bucket in 0..self.loads.len() as u32 {
            for key in self.lists.keys(bucket) {
                keys += 1;
                read += self.probes(key, source);
            }
        }
        (keys > 0).then(|| (PROBES_PER_HIT, read as f64 / keys as f64))
    }
}
