//! The Elastic Sketch with the keys of its flows.

use super::{KeyedSketch, choose};
use crate::hash::{Choices as _, Source};
use crate::sketches::elastic_parts::{Bucket, LightPart, Vote};
use crate::sketches::rows::Rows;
use crate::timed::{Key, key};

/// Both parts. A flow that leaves its bucket is hashed anew to find its counters in the light part, as in a switch.
#[derive(Debug, Clone)]
pub struct KeyedElastic {
    lambda: i64,
    heavy: Vec<Bucket<Key>>,
    light: LightPart,
    /// Of the light part.
    ranges: Vec<u32>,
    /// The columns of the flow on hand.
    columns: Vec<u32>,
}

impl KeyedElastic {
    /// One without flows.
    pub(in crate::sketches) fn new(buckets: u32, lambda: i64, light: Rows) -> Self {
        let ranges = light.ranges();
        Self {
            lambda,
            heavy: vec![Bucket::default(); buckets as usize],
            light: LightPart::new(light),
            columns: vec![0; ranges.len()],
            ranges,
        }
    }

    /// Moves the packets of a flow that left its bucket to the light part.
    #[inline(always)]
    fn evict<S: Source>(&mut self, left: Bucket<Key>, width: usize, source: &mut S) {
        let bytes = left.flow.to_ne_bytes();
        let mut choices = source.element(&bytes[..width]);
        choices.pass_over(1);
        choose(&mut choices, &self.ranges, &mut self.columns);
        self.light.add(&self.columns, left.own);
    }
}

impl KeyedSketch for KeyedElastic {
    fn clear(&mut self, _seed: u64) {
        self.heavy.fill(Bucket::default());
        self.light.clear();
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let mut choices = source.element(bytes);
        let bucket = choices.next(self.heavy.len() as u32) as usize;
        match self.heavy[bucket].vote(key(bytes), 1, self.lambda) {
            Vote::Positive => {}
            Vote::Negative => {
                choose(&mut choices, &self.ranges, &mut self.columns);
                self.light.add(&self.columns, 1);
            }
            Vote::Takes(left) if left.own == 0 => {}
            Vote::Takes(left) => {
                drop(choices);
                self.evict(left, bytes.len(), source);
            }
        }
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        let Self { heavy, light, ranges, columns, .. } = self;
        let mut choices = source.element(bytes);
        let bucket = choices.next(heavy.len() as u32) as usize;
        heavy[bucket].estimate(key(bytes), || {
            choose(&mut choices, ranges, columns);
            light.estimate(columns)
        })
    }

    fn bytes(&self) -> u64 {
        (size_of_val(&self.heavy[..]) + size_of_val(&self.light.counters[..])) as u64
    }
}
