//! In which steps elements of on-off flows arrive and depart, each lane at its own pace.

use rand::SeedableRng;

use super::draws::BLOCK;
use crate::Rng;
use crate::keys::Seeds;
use crate::tables::workloads::course::{Flows, Run, Runs};

/// The slots of one trial, of which each takes as many steps as elements arrive in it, or one step where none does: in a step
/// one element arrives at most, and then one departs at most, with which the slot ends.
///
/// A block of steps ends with the warm-up and with the window, though steps may be left. So what happens in a step depends on
/// nothing but the trial.
pub(super) struct Slots {
    rng: Rng,
    run: Run,
    /// Elements that have arrived in a slot that is not over.
    arrived: u32,
    /// Slots that are left of the warm-up or of the window.
    left: u64,
    /// Those of the window, before it begins.
    window: Option<u64>,
}

/// The steps of a block, that of the highest bit first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct StepBits {
    /// In which an element arrives.
    pub(super) arrives: u32,
    /// In which a slot ends.
    pub(super) ends: u32,
}

/// Bits 0, s, 2s, …, by s.
const EVERY: [u64; BLOCK + 1] = {
    let mut all = [0; BLOCK + 1];
    let mut s = 1;
    while s <= BLOCK {
        let mut bit = 0;
        while bit < u64::BITS as usize {
            all[s] |= 1 << bit;
            bit += s;
        }
        s += 1;
    }
    all
};

impl Slots {
    pub(super) fn new(flows: &Flows, seeds: &Seeds) -> Self {
        let mut rng = Rng::seed_from_u64(seeds.arrivals);
        let run = flows.runs.first(&mut rng);
        Self { rng, run, arrived: 0, left: flows.warm_up, window: Some(flows.slots) }
    }

    /// Whether a slot is left.
    pub(super) fn is_running(&self) -> bool {
        self.left > 0 || self.window.is_some()
    }

    /// To be asked before each block: whether the window begins with it.
    pub(super) fn begins_window(&mut self) -> bool {
        let begins = self.window.take_if(|_| self.left == 0);
        self.left = begins.unwrap_or(self.left);
        begins.is_some()
    }

    /// What happens in the steps of the next block. Not more flows are on at a time than it has steps: of flows that bring less
    /// than one element in a slot, on average, twenty hardly ever are, and [`OnOff`](crate::tables::theory::on_off::OnOff) leaves
    /// such numbers out.
    pub(super) fn block(&mut self, runs: &Runs) -> StepBits {
        let (mut arrives, mut ends, mut steps) = (0, 0, 0);
        while steps < BLOCK as u32 && self.left > 0 {
            if self.run.left == 0 {
                self.run = runs.after(self.run, &mut self.rng);
            }
            let of_slot = self.run.on.max(1);
            debug_assert!(
                of_slot as usize <= BLOCK,
                "more elements in a slot than steps in a block"
            );
            let slots = self.left.min(self.run.left as u64) as u32;
            let number = (slots * of_slot - self.arrived).min(BLOCK as u32 - steps);
            let these = (1_u64 << number) - 1;
            let ended = EVERY[of_slot as usize] << (of_slot - 1 - self.arrived) & these;
            ends |= ended << steps;
            arrives |= if self.run.on > 0 { these << steps } else { 0 };
            let over = ended.count_ones();
            self.arrived = self.arrived + number - over * of_slot;
            self.left -= u64::from(over);
            self.run.left -= over as usize;
            steps += number;
        }
        let from_the_highest = |bits: u64| (bits as u32).reverse_bits();
        StepBits { arrives: from_the_highest(arrives), ends: from_the_highest(ends) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;
    use crate::tables::theory::on_off::OnOff;

    proptest! {
        /// Elements arrive in the slots as the runs say, whatever the blocks: each slot ends once its last element has arrived,
        /// and no block goes on beyond the warm-up or the window.
        #[test]
        fn steps_are_those_of_the_runs(
            // Also of more than one element in a slot.
            (flows, rate, burst) in (1..=BLOCK as u32, 0.01..0.5, 1.0..20.0),
            (warm_up, slots) in (0_u64..100, 1_u64..200),
            seed: u64,
        ) {
            let (law, seeds) = (OnOff { flows, rate, burst }, Seeds::of(seed, 0));
            let flows = Flows { law, runs: Runs::new(&law).into(), warm_up, slots };
            let (mut steps, runs) = (Slots::new(&flows, &seeds), &flows.runs);
            let (mut ended, mut arrived, mut begun, mut taken) = (Vec::new(), 0, Vec::new(), 0);
            while steps.is_running() {
                if steps.begins_window() {
                    begun.push(ended.len() as u64);
                }
                let StepBits { arrives, ends } = steps.block(runs);
                for bit in (0..32).rev().map(|bit| 1 << bit) {
                    arrived += u32::from(arrives & bit > 0);
                    taken += u64::from((arrives | ends) & bit > 0);
                    if ends & bit > 0 {
                        ended.push(std::mem::take(&mut arrived));
                    }
                }
            }
            let mut rng = Rng::seed_from_u64(seeds.arrivals);
            let (mut run, mut expected) = (runs.first(&mut rng), Vec::new());
            while (expected.len() as u64) < warm_up + slots {
                run = runs.after(run, &mut rng);
                expected.extend(std::iter::repeat_n(run.on, run.left));
            }
            expected.truncate(ended.len());
            prop_assert_eq!(ended.len() as u64, warm_up + slots);
            prop_assert_eq!(taken, expected.iter().map(|&on| u64::from(on.max(1))).sum::<u64>());
            prop_assert_eq!((ended, begun, arrived), (expected, vec![warm_up], 0));
        }
    }
}
