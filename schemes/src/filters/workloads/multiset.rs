//! Elements that are inserted several times.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::kept::{Kept, Members};
use super::{Asked, Estimates, Outcome, ask};
use crate::Rng;
use crate::filters::{Filter, params};
use crate::hash::Source;
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;
use crate::math::elementary::pow;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "multiset",
    summary: "n different elements are inserted into an empty filter, each as often as `multiplicity` and `exponent` say, all in random order. At the end the filter is asked how often each of them was inserted, and for absent keys, which are those of `membership`. A filter that does not count is refused. Of a trace the elements are its first n distinct keys, and one of fewer is refused; how often they stand there is not looked at, and the i-th arrives when it is inserted first.",
    decides: &[],
    params: &[params::MULTIPLICITY, params::EXPONENT, params::QUERIES],
};

/// How often each element is inserted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiplicities {
    /// How often the first one is.
    pub first: u32,
    /// The i-th is inserted `first/i^exponent` times, at least once.
    pub exponent: f64,
}

impl Multiplicities {
    fn of(&self, element: u32) -> u32 {
        let rank = f64::from(element) + 1.0;
        (f64::from(self.first) / pow(rank, self.exponent)).round().max(1.0) as u32
    }

    /// Insertions of n elements.
    pub(super) fn sum(&self, elements: u32) -> u64 {
        self.runs(elements).map(|(number, often)| u64::from(number) * u64::from(often)).sum()
    }

    /// How many of n elements can be inserted with so many insertions, and at least one of them.
    pub(super) fn elements_of(&self, insertions: u64, elements: u32) -> u32 {
        let mut left = insertions;
        let mut found = 0;
        for (number, often) in self.runs(elements) {
            let of_run = (left / u64::from(often)).min(number.into());
            found += of_run as u32;
            left -= of_run * u64::from(often);
            if of_run < u64::from(number) {
                break;
            }
        }
        found.max(1)
    }

    /// Runs of elements that are inserted equally often: how many there are, and how often.
    fn runs(&self, elements: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut first = 0;
        std::iter::from_fn(move || {
            let length = (first < elements).then(|| self.run_length(first, elements - first))?;
            let often = self.of(first);
            first += length;
            Some((length, often))
        })
    }

    /// How many of so many elements, from this one on, are inserted as often as this one. Doubles the length until it is
    /// too long: most runs are short, the last one may be nearly all.
    fn run_length(&self, first: u32, most: u32) -> u32 {
        let often = self.of(first);
        let is_in = |length: u32| self.of(first + length - 1) == often;
        let (mut within, mut beyond) = (1, 2);
        while beyond <= most && is_in(beyond) {
            (within, beyond) = (beyond, beyond.saturating_mul(2));
        }
        beyond = beyond.min(most + 1);
        while beyond - within > 1 {
            let middle = within + (beyond - within) / 2;
            if is_in(middle) { within = middle } else { beyond = middle }
        }
        within
    }

    /// The elements in the order in which they are inserted, each as often as it is to be.
    fn order(&self, elements: u32, seed: u64) -> Vec<u32> {
        let often = |element| (0..self.of(element)).map(move |_| element);
        let mut order: Vec<u32> = (0..elements).flat_map(often).collect();
        order.shuffle(&mut Rng::seed_from_u64(seed));
        order
    }

    /// One trial, in which `seed` decides the order.
    pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
        &self,
        filter: &F,
        store: &mut F::Store,
        arrivals: &mut A,
        source: &mut S,
        (wanted, choices, seed): (&Asked, u32, u64),
    ) -> Outcome {
        let elements = filter.size().elements;
        let mut members = Members::new(elements, choices);
        let mut is_in = vec![false; elements as usize];
        let mut kept = Vec::new();
        for element in self.order(elements, seed) {
            if is_in[element as usize] {
                filter.insert(store, members.choices(element));
            } else if let Some(key) = arrivals.newcomer(element) {
                kept.clear();
                filter.insert(store, Kept::new(&mut source.element(key), &mut kept));
                members.remember(element, &kept);
                is_in[element as usize] = true;
            }
        }
        let mut estimates = Estimates::default();
        for element in 0..elements {
            if !is_in[element as usize] {
                continue;
            }
            let excess = filter.estimate(store, members.choices(element)) - self.of(element);
            estimates.members += 1;
            estimates.wrong += u32::from(excess > 0);
            estimates.excess += u64::from(excess);
        }
        let arrived = estimates.members;
        let (asked, positive) = ask(filter, store, arrivals, source, wanted);
        let estimates = Some(estimates);
        Outcome { arrived: arrived.into(), asked, positive, estimates, ..Outcome::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs are of any length, and the last one may be cut off anywhere.
    #[test]
    fn the_sum_is_that_of_all_elements() {
        for (first, exponent) in [(1, 0.0), (7, 0.0), (100, 1.0), (1000, 0.3), (50, 4.0)] {
            let multiplicities = Multiplicities { first, exponent };
            let mut sum = 0;
            for elements in 1..700 {
                sum += u64::from(multiplicities.of(elements - 1));
                assert_eq!(multiplicities.sum(elements), sum, "{multiplicities:?} {elements}");
                assert_eq!(multiplicities.elements_of(sum, 1000), elements);
                let fewer = multiplicities.elements_of(sum - 1, 1000);
                assert_eq!(fewer, (elements - 1).max(1), "{multiplicities:?} {sum}");
            }
        }
    }
}
