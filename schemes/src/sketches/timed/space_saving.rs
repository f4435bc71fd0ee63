//! Space-Saving with the keys of its flows.

use super::KeyedSketch;
use super::flows::{Flows, Hashed};
use crate::hash::Source;
use crate::sketches::heap::FlowHeap;

/// A heap of k counters beside a hash table of their flows.
#[derive(Debug, Clone)]
pub struct KeyedSpaceSaving {
    entries: u32,
    flows: Flows,
    counters: FlowHeap,
}

impl KeyedSpaceSaving {
    /// One without flows.
    pub(in crate::sketches) fn new(entries: u32) -> Self {
        Self { entries, flows: Flows::new(entries), counters: FlowHeap::default() }
    }

    /// Gives a flow without a counter that of the least one, or a free one; its number and what the counter has.
    #[inline(always)]
    fn admit(&mut self, flow: Hashed) -> (u32, i64) {
        let mut count = 0;
        if self.counters.len() >= self.entries as usize
            && let Some((least, number)) = self.counters.pop()
        {
            self.flows.remove(number);
            count = least;
        }
        (self.flows.add(flow), count)
    }
}

impl KeyedSketch for KeyedSpaceSaving {
    fn clear(&mut self, _seed: u64) {
        self.flows.clear();
        self.counters.clear();
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let flow = Hashed::of(bytes, source);
        let (number, count) = match self.flows.number(flow) {
            Some(number) => (number, self.counters.get(number).unwrap_or(0)),
            None => self.admit(flow),
        };
        self.counters.set(number, count + 1);
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        let number = self.flows.number(Hashed::of(bytes, source));
        number.and_then(|number| self.counters.get(number)).unwrap_or(0)
    }

    fn bytes(&self) -> u64 {
        self.flows.bytes() + self.counters.bytes()
    }
}
