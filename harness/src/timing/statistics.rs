//! Medians with bootstrap intervals, of samples in layouts.
//!
//! Samples of one layout share what its keys, its hash functions and its place in memory do to them, so that they
//! say less of the next layout than as many independent ones would. The bootstrap therefore draws layouts first, and
//! then samples of each.

use loadfactor_schemes::Rng;
use rand::{RngExt, SeedableRng};

use crate::estimate::interval::{Interval, LEVEL};

/// Samples that the bootstrap makes.
const RESAMPLES: usize = 2000;

/// A median with its interval at [`LEVEL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Median {
    /// Of all samples.
    pub value: f64,
    /// Where the medians of resampled layouts and samples lie.
    pub interval: Interval,
}

/// The median of these samples, layout by layout. `None` where there are none.
pub fn median_of(layouts: &[Vec<f64>], seed: u64) -> Option<Median> {
    let value = median(&mut layouts.concat())?;
    let filled: Vec<&Vec<f64>> = layouts.iter().filter(|layout| !layout.is_empty()).collect();
    let mut rng = Rng::seed_from_u64(seed);
    let mut medians: Vec<f64> =
        (0..RESAMPLES).filter_map(|_| median(&mut resampled(&filled, &mut rng))).collect();
    medians.sort_unstable_by(f64::total_cmp);
    let low = medians.get(rank((1.0 - LEVEL) / 2.0)).copied()?;
    let high = medians.get(rank((1.0 + LEVEL) / 2.0)).copied()?;
    Some(Median { value, interval: Interval { low: low.min(value), high: high.max(value) } })
}

/// The samples divided by those of the same round.
pub fn ratios(samples: &[Vec<f64>], baseline: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of_layout =
        |(own, other): (&Vec<f64>, &Vec<f64>)| own.iter().zip(other).map(|(a, b)| a / b).collect();
    samples.iter().zip(baseline).map(of_layout).collect()
}

fn resampled(layouts: &[&Vec<f64>], rng: &mut Rng) -> Vec<f64> {
    let mut drawn = Vec::new();
    for _ in layouts {
        let layout = layouts[rng.random_range(0..layouts.len())];
        drawn.extend(layout.iter().map(|_| layout[rng.random_range(0..layout.len())]));
    }
    drawn
}

/// The place of a quantile among the resampled medians.
fn rank(share: f64) -> usize {
    ((share * RESAMPLES as f64) as usize).min(RESAMPLES - 1)
}

/// The middle of the values, or of the two in the middle; `None` where there is none.
fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    let is_even = values.len().is_multiple_of(2);
    if values.is_empty() {
        return None;
    }
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even) {
        Some(lower) => Some(f64::midpoint(lower, upper)),
        None => Some(upper),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_a_few() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut []), None);
        assert_eq!(median_of(&[Vec::new()], 1), None);
    }

    /// Samples around 10, of which an eighth was disturbed and took much longer, in layouts that differ by some
    /// parts in a thousand.
    fn samples(seed: u64) -> Vec<Vec<f64>> {
        let mut rng = Rng::seed_from_u64(seed);
        let mut noise = |width: f64| width * (rng.random::<f64>() - 0.5);
        let mut layout = |_| {
            let centre = 10.0 * (1.0 + noise(0.02));
            let sample = |_| {
                let disturbed = noise(1.0) > 0.375;
                centre * (1.0 + noise(0.06)) + if disturbed { 8.0 } else { 0.0 }
            };
            (0..10).map(sample).collect()
        };
        (0..6).map(&mut layout).collect()
    }

    /// The median of what the samples are drawn from: of an eighth disturbed, the 4/7 quantile of the others.
    #[test]
    fn intervals_hold_the_median_about_as_often_as_they_say() {
        let all: Vec<f64> = (0..2000).flat_map(|seed| samples(50_000 + seed).concat()).collect();
        let truth = median(&mut all.clone()).unwrap();
        let held = (0..200).filter(|&seed| {
            let Interval { low, high } = median_of(&samples(seed), seed).unwrap().interval;
            low <= truth && truth <= high
        });
        // Six layouts are few: the bootstrap promises 190 of 200, and five standard errors are 15.
        let held = held.count();
        assert!((165..=200).contains(&held), "{held}");
    }

    #[test]
    fn what_slows_both_leaves_their_ratio_alone() {
        let slow = vec![vec![2.0, 20.0, 2.0], vec![4.0, 2.0]];
        let half: Vec<Vec<f64>> =
            slow.iter().map(|layout| layout.iter().map(|x| x / 2.0).collect()).collect();
        assert_eq!(ratios(&slow, &half), vec![vec![2.0; 3], vec![2.0; 2]]);
        let ratio = median_of(&ratios(&slow, &half), 1).unwrap();
        assert_eq!((ratio.value, ratio.interval.low, ratio.interval.high), (2.0, 2.0, 2.0));
    }

    #[test]
    fn the_seed_decides_the_interval() {
        let of = |seed| median_of(&samples(3), seed).unwrap();
        assert_eq!(of(5), of(5));
        assert_eq!(of(5).value, of(6).value);
    }
}
