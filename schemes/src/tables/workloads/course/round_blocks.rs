//! Elements of which there are always as many, a block of rounds at a time.

use rand::SeedableRng;

use super::averages::Averages;
use super::block::{Block, BlockStep};
use super::times::Times;
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::workloads::Span;
use crate::uniform::{two_below, with_own};

/// The process of [`Timed`](super::timed::Timed), with the same law.
///
/// What is left of an exponential lifetime does not depend on how long it has lasted. So the next departure comes after an
/// exponential time of mean 1/n, whatever was before, and is that of each element with the same probability.
pub(super) struct RoundBlocks {
    /// n.
    elements: u32,
    times: Times,
    departures: Rng,
}

impl RoundBlocks {
    pub(super) fn new(elements: u32, span: Span) -> Self {
        Self { elements, times: Times::new(span), departures: Rng::seed_from_u64(0) }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.times.begin(seeds);
        self.departures = Rng::seed_from_u64(seeds.departures);
    }

    /// Elements that arrive at time 0.
    pub(super) fn first(&self) -> u32 {
        self.elements
    }

    /// The overflow list has this length when they have arrived.
    pub(super) fn look(&mut self, length: u32) {
        self.times.look(length);
    }

    /// Draws the next block; whether there was one before the end.
    pub(super) fn fill(&mut self, block: &mut Block) -> bool {
        let Some(begins_window) = self.times.next_block() else { return false };
        let n = self.elements;
        let rounds = self.times.pass(&mut (), |()| n.into(), |(), _| {});
        block.begins_window = begins_window;
        block.arrivals = rounds;
        block.steps.resize(rounds.next_multiple_of(2), BlockStep::default());
        let pairs = block.steps.as_chunks_mut().0;
        with_own(&mut self.departures, |departures| {
            for [one, other] in pairs {
                [one.departing, other.departing] = two_below([n, n], departures);
            }
        });
        block.steps.truncate(rounds);
        true
    }

    /// Reads the lengths of the overflow list after each round of the block.
    pub(super) fn read(&mut self, steps: &[BlockStep], averages: &mut Averages<'_>) {
        let system = self.times.lasting() * f64::from(self.elements);
        self.times.read(steps, system, averages);
    }
}
