//! Failures of the summaries made of filters, exactly.
//!
//! The number of failing elements has an exact mean, and the probability of a failure close bounds, see
//! [`chances`](super::chances). Elements in a crisis are recorded with type d and do not count as failing; type
//! d never fails.

use super::bounds::Bounds;
use super::chances::{Chance, Moments};
use super::law::{Coming, FillLaw};

pub use super::chances::{FilterSize, Layout};
pub use super::union_bound::{FailureBound, multiple_filters_bound, single_filter_bound};

/// Failures of the elements of one type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypeFailures {
    /// The expected number of elements that fail.
    pub expected: f64,
    /// The expected square of their expected number given what elements of later types did.
    pub square: f64,
    /// The probability that any fails.
    pub any: Bounds,
}

/// Failures of types 1, …, d − 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Failures {
    /// Of type i at index i − 1.
    pub per_type: Vec<TypeFailures>,
    /// The expected number of elements that fail.
    pub expected: f64,
    /// The probability that any fails.
    pub any: Bounds,
}

/// The single filter. The types fail through the same cells, so that any failure is only known to be at least
/// as likely as one of the likeliest type, and at most as likely as all types together; for skewed tables these
/// are close.
pub fn single_filter(law: &FillLaw, size: &FilterSize, layout: Layout) -> Failures {
    let moments = Moments::new(size, layout);
    let types = (1..law.sub_tables()).map(|i| OfType::new(law, i, &moments));
    let per_type: Vec<TypeFailures> = types.map(|of_type| of_type.failures(law)).collect();
    let any = per_type.iter().rev().fold(Bounds::default(), |any, one| any.union(one.any));
    Failures { expected: per_type.iter().rev().map(|one| one.expected).sum(), per_type, any }
}

/// The filters B_0, B_1, …, of which B_i decides on type i. Given |S_0|, …, |S_d| the filters are independent,
/// so that the probability of any failure follows from the chain of these numbers, backwards. Types without a
/// filter of their own are left out.
pub fn multiple_filters(law: &FillLaw, filters: &[FilterSize], layout: Layout) -> Failures {
    let sizes = filters.iter().enumerate().take(law.sub_tables()).skip(1);
    let types: Vec<OfType> =
        sizes.map(|(i, size)| OfType::new(law, i, &Moments::new(size, layout))).collect();
    let per_type: Vec<TypeFailures> = types.iter().map(|one| one.failures(law)).collect();
    let none_later = vec![Bounds::default(); numbers_left(law, types.len())];
    let from_last = types.iter().rev();
    let any = from_last.fold(none_later, |later, of_type| of_type.any_from(law, &later));
    Failures {
        expected: per_type.iter().rev().map(|one| one.expected).sum(),
        per_type,
        any: any.first().copied().unwrap_or_default(),
    }
}

/// How many values of |S_i| matter.
fn numbers_left(law: &FillLaw, i: usize) -> usize {
    law.left_law(i).probabilities().len()
}

/// One type, with what each number of later elements means for it.
struct OfType {
    i: usize,
    /// The least |S_i| that matters.
    first: u32,
    /// For |S_i| from there on.
    chances: Vec<Chance>,
}

impl OfType {
    fn new(law: &FillLaw, i: usize, moments: &Moments) -> Self {
        let left = law.left_law(i);
        let chances = left.iter().map(|(later, _)| moments.chance(later)).collect();
        Self { i, first: left.first(), chances }
    }

    fn failures(&self, law: &FillLaw) -> TypeFailures {
        let mut failures = TypeFailures { expected: 0.0, square: 0.0, any: Bounds::default() };
        law.each_coming(self.i, |coming| {
            for pair in self.pairs(&coming) {
                let probability = coming.probability * pair.probability;
                let own = f64::from(pair.own);
                failures.expected += probability * own * pair.chance.mean;
                failures.square += probability * own * own * pair.chance.square;
                failures.any = failures.any + pair.chance.any_of(pair.own).times(probability);
            }
        });
        failures
    }

    /// For each |S_{i−1}| that matters, the probability that an element of this type or a later one fails,
    /// where that of a later one is known for each |S_i|.
    fn any_from(&self, law: &FillLaw, later: &[Bounds]) -> Vec<Bounds> {
        let mut found = Vec::with_capacity(numbers_left(law, self.i - 1));
        law.each_coming(self.i, |coming| {
            let of_pair = |pair: Pair<'_>| {
                let any = pair.chance.any_of(pair.own).or(later[pair.index]);
                any.times(pair.probability)
            };
            found.push(self.pairs(&coming).map(of_pair).sum());
        });
        found
    }

    /// Each |S_i| that matters after so many coming elements.
    fn pairs<'s>(&'s self, coming: &Coming<'s>) -> impl Iterator<Item = Pair<'s>> {
        let (elements, least) = (coming.elements, self.first);
        let of_left = move |(left, probability): (u32, f64)| {
            let index = left.checked_sub(least)? as usize;
            let chance = self.chances.get(index)?;
            Some(Pair { index, probability, own: elements - left, chance })
        };
        coming.each_left().filter_map(of_left)
    }
}

/// One value of |S_i|, after a given |S_{i−1}|.
struct Pair<'s> {
    /// Of |S_i| among those that matter.
    index: usize,
    /// Of |S_i|, given |S_{i−1}|.
    probability: f64,
    /// Elements of type i.
    own: u32,
    /// What each of them is in for.
    chance: &'s Chance,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summaries::theory::enumerated::{all_of, fillings};

    /// Mean number of failing elements, and share of outcomes with one, where `fails` is given the types (from
    /// 0; the number of sub-tables for a crisis) and the choices of the elements.
    fn enumerated(
        (elements, sizes): (usize, &[u32]),
        ranges: &[u32],
        fails: impl Fn(&[usize], &[Vec<u32>], usize) -> bool,
    ) -> (f64, f64) {
        let (mut failing, mut any, mut outcomes) = (0.0, 0.0, 0.0);
        for types in fillings(elements, sizes) {
            for choices in all_of(elements, ranges) {
                let of_elements = 0..elements;
                let number = of_elements.filter(|&x| fails(&types, &choices, x)).count() as f64;
                failing += number;
                any += number.min(1.0);
                outcomes += 1.0;
            }
        }
        (failing / outcomes, any / outcomes)
    }

    fn assert_bounds(failures: &Failures, (expected, any): (f64, f64)) {
        assert!((failures.expected / expected - 1.0).abs() < 1e-12, "{failures:?} {expected}");
        let Bounds { lower, upper } = failures.any;
        assert!(lower <= any + 1e-12 && any <= upper + 1e-12, "{failures:?} {any}");
    }

    /// Two groups of two cells, or three cells for both choices.
    #[test]
    fn failures_of_the_single_filter_are_those_of_all_outcomes() {
        let (elements, sizes) = (3, [2, 1, 1]);
        let law = FillLaw::new(3, &sizes);
        for (layout, bits, range, group) in
            [(Layout::Partitioned, 4, 2, 2), (Layout::Unpartitioned, 3, 3, 0)]
        {
            let found = single_filter(&law, &FilterSize { bits, choices: 2 }, layout);
            let all = enumerated((elements, &sizes), &[range; 2], |types, choices, x| {
                let cell = |x: usize, c: usize| choices[x][c] + c as u32 * group;
                let type_of = |x: usize| types[x].min(2);
                let is_higher = |place| {
                    let hits =
                        |y: usize| type_of(y) > type_of(x) && (0..2).any(|c| cell(y, c) == place);
                    (0..elements).any(hits)
                };
                types[x] < 3 && (0..2).all(|c| is_higher(cell(x, c)))
            });
            assert_bounds(&found, all);
            assert!(found.any.upper - found.any.lower < 0.1, "{found:?}");
        }
    }

    /// B_1 of three bits for two choices, and B_2 of two bits for one.
    #[test]
    fn failures_of_several_filters_are_those_of_all_outcomes() {
        let (elements, sizes) = (3, [2, 1, 1]);
        let law = FillLaw::new(3, &sizes);
        let filters = [(9, 1), (3, 2), (2, 1)].map(|(bits, choices)| FilterSize { bits, choices });
        let found = multiple_filters(&law, &filters, Layout::Unpartitioned);
        let all = enumerated((elements, &sizes), &[3, 3, 2], |types, choices, x| {
            let of_filter = [&[][..], &[0, 1], &[2], &[]];
            let own = types[x].min(2) + 1;
            let is_set = |&c: &usize| {
                let sets = |y: usize| {
                    types[y] >= own
                        && of_filter[own].iter().any(|&o| choices[y][o] == choices[x][c])
                };
                (0..elements).any(sets)
            };
            own < 3 && of_filter[own].iter().all(is_set)
        });
        assert_bounds(&found, all);
        assert!(found.any.upper - found.any.lower < 0.02 * all.1, "{found:?} {all:?}");
    }

    /// In groups, the expected number of failing elements is the union bound.
    #[test]
    fn the_union_bound_is_the_mean_in_groups() {
        let law = FillLaw::new(500, &[900, 300, 100]);
        let size = FilterSize { bits: 4_000, choices: 8 };
        let found = single_filter(&law, &size, Layout::Partitioned);
        let bound = single_filter_bound(&law, 4_000, 8);
        assert!((found.expected / bound.total - 1.0).abs() < 1e-12);
        assert!(found.any.upper <= bound.total && found.any.lower > 0.9 * bound.total, "{found:?}");
    }

    /// The formula for groups is an upper bound of the whole filters that the chapter has, as its footnote 4
    /// expects, and a close one for the types that matter.
    #[test]
    fn whole_filters_fail_less_often_than_groups() {
        let law = FillLaw::new(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500]);
        let filters = [(106_000, 7), (87_500, 49), (5_500, 49), (500, 49), (100, 49)]
            .map(|(bits, choices)| FilterSize { bits, choices });
        let found = multiple_filters(&law, &filters, Layout::Unpartitioned);
        let bound = multiple_filters_bound(&law, &filters);
        assert_eq!(format!("{:.3e}", found.any.lower), "3.796e-12");
        assert_eq!(format!("{:.3e}", found.any.upper), "3.796e-12");
        for (found, bound) in found.per_type.iter().zip(&bound.per_type) {
            assert!(found.any.upper < *bound, "{found:?} {bound}");
        }
        assert!(found.any.upper > 0.95 * bound.total);
    }
}
