//! On-off flows a block of slots at a time.

use rand::SeedableRng;

use super::averages::Averages;
use super::block::{BLOCK, Block};
use super::runs::{Run, Runs};
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::theory::on_off::OnOff;
use crate::uniform::draw_bits;

/// The process of [`Slots`](super::slots::Slots), with the same law.
pub(super) struct SlotBlocks {
    warm_up: u64,
    end: u64,
    /// Slots that were drawn.
    slot: u64,
    runs: Runs,
    run: Run,
    /// There were never more elements in the system.
    most: u32,
    flows: Rng,
    departures: Rng,
}

impl SlotBlocks {
    pub(super) fn new(flows: &OnOff, warm_up: u64, end: u64) -> Self {
        Self {
            warm_up,
            end,
            slot: 0,
            runs: Runs::new(flows),
            run: Run::default(),
            most: 0,
            flows: Rng::seed_from_u64(0),
            departures: Rng::seed_from_u64(0),
        }
    }

    pub(super) fn begin(&mut self, seeds: &Seeds) {
        self.flows = Rng::seed_from_u64(seeds.arrivals);
        self.departures = Rng::seed_from_u64(seeds.departures);
        self.slot = 0;
        self.run = self.runs.first(&mut self.flows);
    }

    /// The positions of elements were always below this.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// Goes on to the end of the warm-up or of the trial, at most, a block of slots at a time; whether there was one.
    pub(super) fn fill(&mut self, block: &mut Block) -> bool {
        let end = if self.slot < self.warm_up { self.warm_up } else { self.end };
        let slots = (end - self.slot).min(BLOCK as u64);
        block.begins_window = self.slot == self.warm_up;
        self.slot += slots;
        let Self { runs, run, flows, .. } = self;
        *run = runs.draw(*run, slots as usize, &mut block.slots.arriving, flows);
        draw_bits(slots as usize, &mut self.departures, &mut block.slots.bits);
        block.arrivals = block.slots.arriving.iter().sum::<u32>() as usize;
        self.most = self.most.max(block.number + block.arrivals as u32);
        if block.begins_window {
            block.tally.clear(0);
        }
        block.tally.make_room(self.most, slots);
        slots > 0
    }

    /// Reads what was counted, once the trial is over.
    pub(super) fn read(&mut self, block: &mut Block, averages: &mut Averages<'_>) {
        if self.slot == self.end {
            block.tally.add_to(0, averages);
        }
    }
}
