//! What simulations showed of an overflow list.

use super::cumulants::{Cumulants, PowerSums};

/// Lengths of the overflow list in independent groups of simulations.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Of each table.
    pub elements: u32,
    /// Static fills, or lifetimes of the elements in which the list was read after every operation.
    pub trials: u64,
    groups: Vec<Group>,
}

/// Simulations that depend on each other, but on no other group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Group {
    pub(super) lengths: PowerSums,
    pub(super) insertions: u64,
    pub(super) moves: u64,
}

impl Group {
    /// In which nothing was seen so far, of lists near this length.
    pub(super) fn near(length: u32) -> Self {
        Self { lengths: PowerSums::near(length), insertions: 0, moves: 0 }
    }
}

/// A measured number with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Measure {
    /// So many times the number.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, error: self.error * factor }
    }

    /// Whether it is more than `most`: at all, where it is known well, else by more than chance explains.
    pub(super) fn is_above(self, most: f64) -> bool {
        let chance = if self.error < PRECISE * most { 0.0 } else { MOST_ERRORS * self.error };
        self.value > most + chance
    }

    /// Whether it is less than `most` by more than its precision.
    pub(super) fn is_far_below(self, most: f64) -> bool {
        self.value < most * (1.0 - PRECISE) - MOST_ERRORS * self.error
    }
}

/// A share of a number of elements that costs hardly any space.
const PRECISE: f64 = 0.03;

/// Standard errors that chance explains.
const MOST_ERRORS: f64 = 2.5;

impl Sample {
    /// Of tables of so many elements; `None` of fewer than two groups in which something was seen.
    pub(super) fn new(elements: u32, mut groups: Vec<Group>) -> Option<Self> {
        groups.retain(|group| Cumulants::of(std::iter::once(&group.lengths)).is_some());
        let insertions: u64 = groups.iter().map(|group| group.insertions).sum();
        let trials = (insertions / u64::from(elements)).max(1);
        (groups.len() > 1).then_some(Self { elements, trials, groups })
    }

    /// The moments of the list's length over all groups.
    pub fn cumulants(&self) -> Cumulants {
        self.without(usize::MAX)
    }

    /// The moments over all groups but one.
    fn without(&self, left_out: usize) -> Cumulants {
        let kept = self.groups.iter().enumerate().filter(move |(i, _)| *i != left_out);
        let none = Cumulants { mean: 0.0, variance: 0.0, third: 0.0 };
        Cumulants::of(kept.map(|(_, group)| &group.lengths)).unwrap_or(none)
    }

    /// Elements on the list, the error from the means of the groups.
    pub fn mean(&self) -> Measure {
        self.estimate(|cumulants| cumulants.mean)
    }

    /// A number made of the moments, its error from leaving out one group at a time (the jackknife).
    pub fn estimate(&self, of: impl Fn(Cumulants) -> f64) -> Measure {
        let groups = self.groups.len() as f64;
        let partial: Vec<f64> = (0..self.groups.len()).map(|i| of(self.without(i))).collect();
        let mean = partial.iter().sum::<f64>() / groups;
        let squares: f64 = partial.iter().map(|value| (value - mean).powi(2)).sum();
        Measure { value: of(self.cumulants()), error: (squares * (groups - 1.0) / groups).sqrt() }
    }

    /// Elements moved, per insertion.
    pub fn moves(&self) -> f64 {
        let sum = |of: fn(&Group) -> u64| self.groups.iter().map(of).sum::<u64>() as f64;
        sum(|group| group.moves) / sum(|group| group.insertions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(lengths: &[u32]) -> Group {
        let mut group = Group::near(0);
        group.insertions = 10 * lengths.len() as u64;
        lengths.iter().for_each(|&length| group.lengths.push(length));
        group
    }

    /// For a mean the jackknife is the usual standard error: here √(((1 − 3)² + 0 + (5 − 3)²)/(3·2)).
    #[test]
    fn the_error_of_the_mean_is_that_of_the_means_of_groups() {
        let sample = Sample::new(10, vec![group(&[0, 2]), group(&[3, 3]), group(&[4, 6])]).unwrap();
        let mean = sample.mean();
        assert!((mean.value - 3.0).abs() < 1e-12, "{mean:?}");
        assert!((mean.error - (8.0_f64 / 6.0).sqrt()).abs() < 1e-12, "{mean:?}");
    }

    /// A hundred elements known to one, and one that was seen once or twice.
    #[test]
    fn a_number_is_compared_as_well_as_it_is_known() {
        let precise = Measure { value: 100.5, error: 1.0 };
        assert!(precise.is_above(100.0) && !precise.is_far_below(101.0));
        assert!(precise.is_far_below(107.0));
        let rough = Measure { value: 2.0, error: 1.0 };
        assert!(!rough.is_above(1.0) && rough.is_above(-1.0) && !rough.is_far_below(4.0));
    }

    #[test]
    fn one_group_has_no_error_and_an_empty_one_is_left_out() {
        assert_eq!(Sample::new(10, vec![group(&[1, 2])]), None);
        assert_eq!(Sample::new(10, vec![group(&[1, 2]), group(&[])]), None);
        let all = vec![group(&[1, 2]), group(&[]), group(&[3])];
        assert_eq!(Sample::new(10, all).map(|sample| sample.trials), Some(3));
    }
}
