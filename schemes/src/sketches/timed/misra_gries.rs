//! The algorithm of Misra and Gries with the keys of its flows.

use super::KeyedSketch;
use super::flows::{Flows, Hashed};
use crate::hash::Source;
use crate::sketches::heap::FlowHeap;

/// A heap of k counters, each with `taken` on top, beside a hash table of their flows.
#[derive(Debug, Clone)]
pub struct KeyedMisraGries {
    entries: u32,
    flows: Flows,
    raised: FlowHeap,
    taken: i64,
}

impl KeyedMisraGries {
    /// One without flows.
    pub(in crate::sketches) fn new(entries: u32) -> Self {
        Self { entries, flows: Flows::new(entries), raised: FlowHeap::default(), taken: 0 }
    }

    /// Takes one from each counter; those that come to 0 are free again.
    #[inline(always)]
    fn take_one(&mut self) {
        self.taken += 1;
        while self.raised.min().is_some_and(|(least, _)| least <= self.taken) {
            if let Some((_, number)) = self.raised.pop() {
                self.flows.remove(number);
            }
        }
    }
}

impl KeyedSketch for KeyedMisraGries {
    fn clear(&mut self, _seed: u64) {
        self.flows.clear();
        self.raised.clear();
        self.taken = 0;
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let flow = Hashed::of(bytes, source);
        match self.flows.number(flow) {
            Some(number) => {
                let count = self.raised.get(number).unwrap_or(self.taken);
                self.raised.set(number, count + 1);
            }
            None if self.raised.len() < self.entries as usize => {
                self.raised.set(self.flows.add(flow), self.taken + 1);
            }
            None => self.take_one(),
        }
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        let number = self.flows.number(Hashed::of(bytes, source));
        let raised = number.and_then(|number| self.raised.get(number));
        raised.map_or(0, |raised| raised - self.taken)
    }

    fn bytes(&self) -> u64 {
        self.flows.bytes() + self.raised.bytes()
    }
}
