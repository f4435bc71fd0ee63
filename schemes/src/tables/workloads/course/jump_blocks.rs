//! Poisson arrivals by the jumps of their number, a block of steps at a time.

use rand::SeedableRng;

use super::averages::Averages;
use super::block::{BLOCK, Block, BlockStep};
use super::times::Times;
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::workloads::Span;
use crate::uniform::{below, draw_bits};

/// The process of [`Jumps`](super::jumps::Jumps), with the same law.
pub(super) struct JumpBlocks {
    /// n.
    elements: u32,
    /// Elements that arrive at time 0.
    first: u32,
    times: Times,
    events: Rng,
    bits: Vec<u32>,
    /// Elements in the system.
    number: u32,
    /// There were never more.
    most: u32,
    /// The integral of the number over the times of the block.
    area: f64,
}

impl JumpBlocks {
    pub(super) fn new(elements: u32, first: u32, span: Span) -> Self {
        Self {
            elements,
            first,
            times: Times::new(span),
            events: Rng::seed_from_u64(0),
            bits: Vec::new(),
            number: 0,
            most: first,
            area: 0.0,
        }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.number = self.first;
        self.times.begin(seeds);
        self.events = Rng::seed_from_u64(seeds.departures);
    }

    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// The positions of elements were always below this.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// The overflow list has this length when they have arrived.
    pub(super) fn look(&mut self, length: u32) {
        self.times.look(length);
    }

    /// Draws the next block; whether there was one before the end.
    pub(super) fn fill(&mut self, block: &mut Block) -> bool {
        let Some(begins_window) = self.times.next_block() else { return false };
        block.begins_window = begins_window;
        block.steps.resize(BLOCK, BlockStep::default());
        let (before, jumps) = (self.number as usize, self.jump(&mut block.steps));
        block.steps.truncate(jumps);
        block.arrivals = (jumps + self.number as usize - before) / 2;
        self.most = self.most.max((before + block.arrivals) as u32);
        true
    }

    /// Makes as many jumps as there are steps, or those up to the end; how many. A departure has the position of who
    /// departs, and an arrival one that nobody has.
    fn jump(&mut self, steps: &mut [BlockStep]) -> usize {
        let Self { elements: n, times, bits, events, .. } = self;
        draw_bits(steps.len(), events, bits);
        let mut of_steps = steps.iter_mut().zip(&*bits);
        let mut system = (self.number, 0.0);
        let jumps = times.pass(
            &mut system,
            |&(number, _)| f64::from(*n + number),
            |(number, area), time| {
                let Some((step, &bits)) = of_steps.next() else { return };
                *area += time * f64::from(*number);
                step.departing = below(*n + *number, bits, events).wrapping_sub(*n);
                *number = *number + 1 - 2 * u32::from(step.departing < *number);
            },
        );
        let (number, area) = system;
        (self.number, self.area) = (number, area + self.times.rest(jumps) * f64::from(number));
        jumps
    }

    /// Reads the lengths of the overflow list after each jump of the block.
    pub(super) fn read(&mut self, steps: &[BlockStep], averages: &mut Averages<'_>) {
        self.times.read(steps, self.area, averages);
    }
}
