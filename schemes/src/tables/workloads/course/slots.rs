//! On-off flows: in each slot some elements arrive, and one of all departs.

use std::collections::VecDeque;

use crate::Rng;
use crate::hash::reduce;
use crate::tables::theory::on_off::OnOff;
use rand::{Rng as _, SeedableRng};

use super::runs::Runs;
use super::slot_blocks::SlotBlocks;
use super::system::System;
use super::{Clock, Flows, Queue, Step};
use crate::keys::Seeds;

/// The queue of "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VIII-C,
/// from an empty system with flows in equilibrium.
pub(super) struct Slots {
    law: OnOff,
    /// Probabilities of at most 0, 1, … flows on.
    flows_on: Vec<u64>,
    /// The same for the next slot, given how many are on.
    transitions: Vec<Vec<u64>>,
    /// Mean number of slots that an element stays.
    lifetime: f64,
    queue: Queue,
    warm_up: u64,
    end: u64,
    slot: u64,
    on: usize,
    system: System,
    flows: Rng,
    departures: Rng,
}

impl Slots {
    pub(super) fn new(flows: &OnOff, warm_up: u64, slots: u64) -> Self {
        Self {
            law: *flows,
            flows_on: cumulated(&flows.flows_on()),
            transitions: flows.transitions().iter().map(|row| cumulated(row)).collect(),
            lifetime: lifetime(flows),
            queue: queue(flows),
            warm_up,
            end: warm_up.saturating_add(slots),
            slot: 0,
            on: 0,
            system: System::default(),
            flows: Rng::seed_from_u64(0),
            departures: Rng::seed_from_u64(0),
        }
    }

    pub(super) fn flows(&self) -> Flows {
        let Self { law, warm_up, end, .. } = *self;
        Flows { law, runs: Runs::new(&law).into(), warm_up, slots: end - warm_up }
    }

    /// The same process in blocks.
    pub(super) fn in_blocks(&self) -> SlotBlocks {
        SlotBlocks::new(&self.law, self.warm_up, self.end)
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.branch(seeds);
        self.slot = 0;
        self.system.clear();
        self.on = drawn(&self.flows_on, &mut self.flows);
    }

    pub(super) fn branch(&mut self, seeds: &Seeds) {
        self.flows = Rng::seed_from_u64(seeds.arrivals);
        self.departures = Rng::seed_from_u64(seeds.departures);
    }

    /// A tick is a slot.
    pub(super) fn clock(&self) -> Clock {
        Clock { number: self.end, window: self.warm_up, lifetime: self.lifetime }
    }

    pub(super) fn queue(&self) -> Queue {
        self.queue
    }

    /// The last slot.
    pub(super) fn tick(&self) -> u64 {
        self.slot.saturating_sub(1)
    }

    /// Adds the steps of the next slot; whether there was one before the end.
    pub(super) fn advance(&mut self, steps: &mut VecDeque<Step>) -> bool {
        if self.slot == self.end {
            return false;
        }
        if self.slot == self.warm_up {
            steps.push_back(Step::Measure);
        }
        self.on = drawn(&self.transitions[self.on], &mut self.flows);
        for _ in 0..self.on {
            steps.push_back(Step::Insert(self.system.arrive()));
        }
        steps.extend(self.depart().map(Step::Delete));
        if self.slot >= self.warm_up {
            steps.push_back(Step::Read(1.0));
        }
        self.slot += 1;
        true
    }

    /// A uniformly random element departs, if there is any.
    fn depart(&mut self) -> Option<u32> {
        let number = self.system.number();
        (number > 0).then(|| {
            let position = reduce(self.departures.next_u64(), number);
            self.system.depart(position)
        })
    }
}

/// A variance that is not 0 where flows bring elements one after the other.
const LEAST_VARIANCE: f64 = 0.01;

fn queue(flows: &OnOff) -> Queue {
    Queue { slack: 1.0 - flows.arrivals(), variance: flows.variance().max(LEAST_VARIANCE) }
}

/// By Little's law, and at least a slot.
fn lifetime(flows: &OnOff) -> f64 {
    (flows.mean() / flows.arrivals()).max(1.0)
}

/// Probabilities of at most 0, 1, …, as fractions of 2⁶⁴.
fn cumulated(law: &[f64]) -> Vec<u64> {
    let sums = law.iter().scan(0.0, |sum, p| {
        *sum += p;
        Some(*sum)
    });
    sums.map(|sum| (sum * 2.0_f64.powi(64)) as u64).collect()
}

/// A number drawn from a law, the last one for all that its sum leaves over.
fn drawn(cumulated: &[u64], rng: &mut Rng) -> usize {
    let value = rng.next_u64();
    let found = cumulated.iter().position(|&most| value < most);
    found.unwrap_or(cumulated.len().saturating_sub(1))
}
