//! How the overflow list grows in trials with seeds of their own, from which the score is made.

use std::sync::{Arc, OnceLock};

use super::chance::Chance;
use super::steps::{Drawn, Steps};
use crate::hash::derive_seed;
use crate::rare::MadeFor;
use crate::tables::Table;

/// Trials of a fill.
const FILLS: u32 = 32;

/// Lifetimes of an element that a trial with departures lasts, in which the list forgets its beginning.
pub(super) const LIFETIMES: u32 = 10;

/// Intervals of time at whose ends the list is looked at.
const INTERVALS: u64 = 256;

/// The seed of all of them. No estimate depends on it but by its variance.
const SEED: u64 = 0x9110_7511_0750_1107;

/// The mean length of the list, found once for all batches of a point.
#[derive(Debug, Clone, Default)]
pub(in crate::tables) struct Pilots(Arc<OnceLock<Vec<f64>>>);

impl Pilots {
    /// The mean length of the list in the beginning and after each of the intervals.
    pub(super) fn lengths<T: Table, C: Chance>(
        &self,
        table: &mut T,
        steps: &Steps,
        of: &MadeFor,
    ) -> &[f64] {
        self.0.get_or_init(|| {
            let trials = if steps.fills() { FILLS } else { 1 };
            let steps = steps.shortened(LIFETIMES);
            let mut lengths = vec![0.0; INTERVALS as usize + 1];
            for trial in 0..trials {
                let drawn = Drawn::<C>::new(of, derive_seed(SEED, trial.into()));
                add_lengths(table, &steps, drawn, &mut lengths);
            }
            lengths.iter().map(|sum| sum / f64::from(trials)).collect()
        })
    }

    /// The mean length in equilibrium, where a trial of this seed says it.
    pub(super) fn mean(&self, of_trial: impl FnOnce(u64) -> f64) -> f64 {
        Self::equilibrium(self.0.get_or_init(|| vec![of_trial(SEED)]))
    }

    /// How many elements are still to overflow, of a fill with these mean lengths, after each of the intervals.
    ///
    /// An element overflows where all `places` that it may have are taken. Where no pilot saw one, that they fill up
    /// alike says when it will; half an element in all trials is taken for what they did not see.
    pub(super) fn left(lengths: &[f64], places: u32) -> Vec<f64> {
        let last = lengths.last().copied().unwrap_or_default();
        let intervals = (lengths.len() - 1) as f64;
        let unseen = |i: usize| 1.0 - (i as f64 / intervals).powi(places as i32 + 1);
        let of = |(i, length): (usize, &f64)| last - length + 0.5 / f64::from(FILLS) * unseen(i);
        lengths.iter().enumerate().map(of).collect()
    }

    /// The mean length in equilibrium, of trials with these mean lengths.
    pub(super) fn equilibrium(lengths: &[f64]) -> f64 {
        let late = &lengths[lengths.len() / 2..];
        late.iter().sum::<f64>() / late.len() as f64
    }
}

fn add_lengths<T: Table, C: Chance>(
    table: &mut T,
    steps: &Steps,
    mut drawn: Drawn<C>,
    lengths: &mut [f64],
) {
    steps.begin(table);
    let mut made = 0;
    for (i, length) in (0..).zip(lengths) {
        let end = (u128::from(steps.number) * u128::from(i as u64) / u128::from(INTERVALS)) as u64;
        (made..end).for_each(|step| steps.make(step, table, &mut drawn));
        *length += f64::from(table.overflow());
        made = end;
    }
}
