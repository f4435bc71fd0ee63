//! How many of on-off flows are on, slot after slot.

use std::hint::select_unpredictable;

use crate::Rng;
use crate::tables::theory::on_off::OnOff;
use crate::uniform::with_own;

use super::alias::Aliases;

/// Slots of a run at most: whether it goes on after them is not known yet.
const LONGEST: usize = 15;

/// The chain of [`Slots`](super::slots::Slots), drawn as runs of slots in which as many flows are on.
///
/// How long a run lasts does not depend on how many are on after it. Its length is geometric, so that what comes after the
/// longest that is drawn has the law of a whole run.
#[derive(Debug)]
pub(in crate::tables) struct Runs {
    at_first: Aliases,
    /// Of each number on: a run of 1, 2, … slots, or of more than the longest.
    lengths: Aliases,
    /// Of each number on: another one.
    others: Aliases,
}

/// So many flows are on in some slots, and then as many as the next run says.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tables) struct Run {
    pub(in crate::tables) on: u32,
    /// Slots that are left of it.
    pub(in crate::tables) left: usize,
    next: u32,
}

impl Runs {
    pub(in crate::tables) fn new(flows: &OnOff) -> Self {
        let transitions = flows.transitions();
        let stays = transitions.iter().enumerate().map(|(on, row)| row[on]);
        Self {
            at_first: Aliases::new(&[flows.flows_on()]),
            lengths: Aliases::new(&stays.map(lengths).collect::<Vec<_>>()),
            others: Aliases::new(&(0..).zip(&transitions).map(others).collect::<Vec<_>>()),
        }
    }

    /// Before the first one, in equilibrium: nothing is left of what was before.
    pub(in crate::tables) fn first(&self, rng: &mut Rng) -> Run {
        Run { next: self.at_first.draw(0, rng), ..Run::default() }
    }

    /// The flows that are on in each of the next slots, the first of them in this run; the last run.
    pub(super) fn draw(
        &self,
        mut run: Run,
        slots: usize,
        numbers: &mut Vec<u32>,
        rng: &mut Rng,
    ) -> Run {
        numbers.resize(slots + LONGEST, 0);
        let mut written = run.left;
        numbers[..LONGEST].fill(run.on);
        with_own(rng, |rng| {
            while written < slots {
                run = self.after(run, rng);
                // As many are written in any case, without asking how long the run is.
                numbers[written..][..LONGEST].fill(run.on);
                written += run.left;
            }
        });
        numbers.truncate(slots);
        Run { left: written - slots, ..run }
    }

    /// The next run.
    #[inline(always)]
    pub(in crate::tables) fn after(&self, Run { next: on, .. }: Run, rng: &mut Rng) -> Run {
        let (length, other) = (self.lengths.draw(on, rng) as usize, self.others.draw(on, rng));
        let stays = length == LONGEST;
        Run { on, left: length + usize::from(!stays), next: select_unpredictable(stays, on, other) }
    }
}

/// Probabilities that a run ends after 1, 2, … slots, and that it is longer than the longest.
fn lengths(stays: f64) -> Vec<f64> {
    let mut lasting = 1.0;
    let mut lengths = Vec::with_capacity(LONGEST + 1);
    for _ in 0..LONGEST {
        lengths.push(lasting * (1.0 - stays));
        lasting *= stays;
    }
    lengths.push(lasting);
    lengths
}

/// Probabilities of all numbers but that of the run.
fn others((on, row): (usize, &Vec<f64>)) -> Vec<f64> {
    let mut others = row.clone();
    others[on] = 0.0;
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Each step from slot to slot, in blocks that cut runs, has its probability: within five standard errors.
    #[test]
    fn steps_have_the_probabilities_of_the_chain() {
        let flows = OnOff { flows: 5, rate: 0.15, burst: 8.0 };
        let (runs, mut rng) = (Runs::new(&flows), Rng::seed_from_u64(23));
        let transitions = flows.transitions();
        let mut counts = vec![vec![0.0; transitions.len()]; transitions.len()];
        let (mut before, mut numbers, mut run) = (None, Vec::new(), runs.first(&mut rng));
        for block in 0..40_000 {
            let slots = block % 20 + 1;
            run = runs.draw(run, slots, &mut numbers, &mut rng);
            assert_eq!(numbers.len(), slots);
            for &on in &numbers {
                if let Some(before) = before.replace(on as usize) {
                    counts[before][on as usize] += 1.0;
                }
            }
        }
        for (counts, law) in counts.iter().zip(&transitions) {
            let all: f64 = counts.iter().sum();
            for (&count, p) in counts.iter().zip(law) {
                let room = 5.0 * (all * p * (1.0 - p)).sqrt() + 1.0;
                assert!((count - all * p).abs() < room, "{count} of {all}, {p}");
            }
        }
    }

    /// The number in the first slot is binomial: within five standard errors.
    #[test]
    fn the_first_slot_is_in_equilibrium() {
        let flows = OnOff { flows: 8, rate: 0.06, burst: 4.0 };
        let (runs, mut rng) = (Runs::new(&flows), Rng::seed_from_u64(29));
        let (mut counts, mut numbers) = (vec![0.0; flows.flows_on().len()], Vec::new());
        for _ in 0..100_000 {
            runs.draw(runs.first(&mut rng), 1, &mut numbers, &mut rng);
            counts[numbers[0] as usize] += 1.0;
        }
        for (count, p) in counts.into_iter().zip(flows.flows_on()) {
            let room = 5.0 * (1e5 * p * (1.0 - p)).sqrt() + 1.0;
            assert!((count - 1e5 * p).abs() < room, "{count}, {p}");
        }
    }
}
