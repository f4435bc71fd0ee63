//! HeavyKeeper with the keys of its largest flows.

use rand::SeedableRng as _;

use super::flows::{Flows, Hashed};
use super::{KeyedSketch, choose};
use crate::Rng;
use crate::hash::Source;
use crate::sketches::Sketch as _;
use crate::sketches::heap::FlowHeap;
use crate::sketches::heavy_keeper::{Cell, HeavyKeeper};

/// The cells, and a heap of the k largest flows beside a hash table that finds them.
#[derive(Debug, Clone)]
pub struct KeyedHeavyKeeper {
    keeper: HeavyKeeper,
    ranges: Vec<u32>,
    /// The columns of the flow on hand, and its fingerprint.
    choices: Vec<u32>,
    cells: Vec<Cell>,
    flows: Flows,
    top: FlowHeap,
    coin: Rng,
}

impl KeyedHeavyKeeper {
    /// One without flows.
    pub(in crate::sketches) fn new(keeper: &HeavyKeeper) -> Self {
        let ranges = keeper.ranges();
        Self {
            choices: vec![0; ranges.len()],
            ranges,
            cells: keeper.empty_cells(),
            flows: Flows::new(keeper.top()),
            top: FlowHeap::default(),
            coin: Rng::seed_from_u64(0),
            keeper: keeper.clone(),
        }
    }

    /// Takes a flow with this estimate into the heap, if it belongs there, in place of the least one where it is full.
    #[inline(always)]
    fn admit(&mut self, flow: Hashed, estimate: i64) {
        if !self.keeper.admits(&self.top, estimate) {
            return;
        }
        if self.keeper.is_full(&self.top)
            && let Some((_, number)) = self.top.pop()
        {
            self.flows.remove(number);
        }
        self.top.set(self.flows.add(flow), estimate);
    }
}

impl KeyedSketch for KeyedHeavyKeeper {
    fn clear(&mut self, seed: u64) {
        self.cells.fill(Cell::default());
        self.flows.clear();
        self.top.clear();
        self.coin = Rng::seed_from_u64(seed);
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        let flow = Hashed::of(bytes, source);
        choose(&mut source.element(bytes), &self.ranges, &mut self.choices);
        let number = self.flows.number(flow);
        let limit = self.keeper.limit(&self.top, number.is_some());
        let Self { keeper, cells, choices, coin, .. } = self;
        let estimate = keeper.count_packet(cells, choices, limit, coin);
        match number {
            Some(number) => {
                let known = self.top.get(number).unwrap_or(0);
                self.top.set(number, known.max(estimate));
            }
            None => self.admit(flow, estimate),
        }
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        let number = self.flows.number(Hashed::of(bytes, source));
        if let Some(count) = number.and_then(|number| self.top.get(number)) {
            return count;
        }
        choose(&mut source.element(bytes), &self.ranges, &mut self.choices);
        self.keeper.greatest(&self.cells, &self.choices)
    }

    fn bytes(&self) -> u64 {
        size_of_val(&self.cells[..]) as u64 + self.flows.bytes() + self.top.bytes()
    }
}
