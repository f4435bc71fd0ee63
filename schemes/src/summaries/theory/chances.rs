//! The probability that one element fails, which depends on the bits that others have set.
//!
//! An element of type i fails if all of its k cells have a value above i (single filter), or if all of its k
//! bits of B_i are set (several filters). Given what the elements of later types did, elements of type i fail
//! independently, each with the same probability X. That at least one of N fails has the probability
//! `E[1 − (1 − X)^N]`.

use super::bounds::Bounds;
use crate::math::bins;
use crate::math::elementary::{exp_m1, ln_1p, pow};
use crate::math::hits::Hits;

/// Bits, or cells, and choices of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilterSize {
    /// m, or b_i: at least k where the filter is in groups.
    pub bits: u32,
    /// k, or k_i, at least 1.
    pub choices: u32,
}

/// Where the choices of an element fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each into a group of its own of ⌊m/k⌋ bits.
    Partitioned,
    /// All into the whole filter, with replacement.
    Unpartitioned,
}

impl FilterSize {
    /// The probability that all bits of an absent key are set, as if bits were independent or the filter in groups:
    /// `(1 − (1 − k/m)^l)^k` of Lemma 4.7.1, for l elements.
    pub fn chance_in_groups(&self, elements: u32) -> f64 {
        let group = f64::from(self.bits) / f64::from(self.choices);
        pow(bins::filled(elements.into(), group.max(1.0)), self.choices.into())
    }
}

/// Moments of X that are looked at.
const MOMENTS: u32 = 4;

/// The moments of X for any number of later elements.
pub(super) struct Moments {
    layout: Layout,
    choices: u32,
    /// For 1, 2, … elements that fail together.
    hits: Vec<Hits>,
}

impl Moments {
    pub(super) fn new(size: &FilterSize, layout: Layout) -> Self {
        let hits = |together| match layout {
            Layout::Partitioned => Hits::new(together, size.bits / size.choices),
            Layout::Unpartitioned => Hits::new(together * size.choices, size.bits),
        };
        Self { layout, choices: size.choices, hits: (1..=MOMENTS).map(hits).collect() }
    }

    /// E[X], …, E[X⁴], where so many elements have set their bits. The r-th is the probability that r elements fail
    /// together.
    fn after(&self, elements: u32) -> [f64; MOMENTS as usize] {
        let choices = u64::from(self.choices);
        std::array::from_fn(|together| match self.layout {
            Layout::Partitioned => {
                pow(self.hits[together].all_hit(elements.into()), self.choices.into())
            }
            Layout::Unpartitioned => self.hits[together].all_hit(choices * u64::from(elements)),
        })
    }

    /// What follows from so many later elements.
    pub(super) fn chance(&self, elements: u32) -> Chance {
        if elements == 0 {
            return Chance::default();
        }
        Chance::new(self.after(elements))
    }
}

/// The law of X, as far as its first moments say.
///
/// `(1 − x)^N` has derivatives of alternating signs, so that the rule of Gauss with the moments of X is a lower
/// bound of its mean, and the rule of Radau with a node at 0 an upper one. Both rules have two nodes beside
/// that, and differ by the fourth order of the relative scatter of X only.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Chance {
    /// E[X].
    pub(super) mean: f64,
    /// E[X²].
    pub(super) square: f64,
    gauss: [Node; 2],
    radau: [Node; 2],
}

/// X is `x` with this weight.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Node {
    weight: f64,
    /// `−ln(1 − x)`.
    rate: f64,
}

impl Chance {
    fn new([one, two, three, four]: [f64; 4]) -> Self {
        let node = |(weight, x): (f64, f64)| Node { weight, rate: -ln_1p(-x) };
        let beside_zero =
            |(weight, x): (f64, f64)| node((if x > 0.0 { weight / x } else { 0.0 }, x));
        Self {
            mean: one,
            square: two,
            gauss: nodes([1.0, one, two, three]).map(node),
            radau: nodes([one, two, three, four]).map(beside_zero),
        }
    }

    /// The probability that at least one of so many fails.
    pub(super) fn any_of(&self, elements: u32) -> Bounds {
        if elements == 0 {
            return Bounds::default();
        }
        let elements = f64::from(elements);
        let of = |nodes: &[Node; 2]| nodes.iter().map(|node| node.any_of(elements)).sum::<f64>();
        let upper = of(&self.gauss).min(1.0);
        Bounds { lower: of(&self.radau).min(upper), upper }
    }
}

impl Node {
    #[inline]
    fn any_of(&self, elements: f64) -> f64 {
        let exponent = self.rate * elements;
        // Three terms of the series are as good below, and this is most of the work.
        let any = match exponent < 1e-5 {
            true => exponent * (1.0 - exponent / 2.0 * (1.0 - exponent / 3.0)),
            false => -exp_m1(-exponent),
        };
        self.weight * any
    }
}

/// Variances so much smaller than the square of the mean are rounding errors, as the third moment is.
const NO_SCATTER: f64 = 1e-8;

/// Weights and nodes in (0, 1] of the rule of Gauss for a measure with these moments 0, …, 3; a single node
/// where hardly anything scatters, or where moments are too small for a double.
fn nodes([all, one, two, three]: [f64; 4]) -> [(f64, f64); 2] {
    if one == 0.0 {
        return [(all, 0.0), (0.0, 0.0)];
    }
    let mean = one / all;
    let (second, third) = (two / one / mean, three / one / mean / mean);
    let variance = second - 1.0;
    if three < f64::MIN_POSITIVE || variance <= NO_SCATTER {
        return [(all, mean.min(1.0)), (0.0, 0.0)];
    }
    let skewness = (third - 3.0 * second + 2.0) / (2.0 * variance);
    let apart = (skewness * skewness + variance).sqrt();
    // The two products are −variance: each from the sum that does not cancel.
    let (low, high) = match skewness > 0.0 {
        true => (-variance / (skewness + apart), skewness + apart),
        false => (skewness - apart, variance / (apart - skewness)),
    };
    let weight_of_high = -low / (high - low);
    let x = |from_mean: f64| (mean * (1.0 + from_mean)).clamp(0.0, 1.0);
    [(all * (1.0 - weight_of_high), x(low)), (all * weight_of_high, x(high))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bins::occupied;

    fn moments(law: &[(f64, f64)]) -> [f64; 4] {
        [1, 2, 3, 4].map(|r| law.iter().map(|(p, x)| p * x.powi(r)).sum())
    }

    /// A law on two numbers is known by its moments; one of them is 0 here for the other rule.
    #[test]
    fn laws_on_two_numbers_are_known_exactly() {
        for law in
            [[(0.3, 0.2), (0.7, 0.001)], [(0.999, 0.0), (0.001, 0.5)], [(1.0, 0.1), (0.0, 0.0)]]
        {
            let chance = Chance::new(moments(&law));
            for elements in [1, 3, 1000] {
                let expected: f64 =
                    law.iter().map(|(p, x)| p * (1.0 - (1.0 - x).powi(elements as i32))).sum();
                let found = chance.any_of(elements);
                assert!((found.lower / expected - 1.0).abs() < 1e-9, "{found:?} {expected}");
                assert!((found.upper / expected - 1.0).abs() < 1e-9, "{found:?} {expected}");
            }
        }
    }

    /// The law of the bits that few elements set, from its recurrence.
    #[test]
    fn bounds_hold_and_are_close() {
        let size = FilterSize { bits: 60, choices: 5 };
        let hits = Moments::new(&size, Layout::Unpartitioned);
        for later in [1, 4, 12] {
            let set = occupied(5 * later, 60.0);
            for elements in [1, 10, 100, 10_000] {
                let fails = |set: usize| {
                    let x: f64 = (set as f64 / 60.0).powi(5);
                    -(f64::from(elements) * (-x).ln_1p()).exp_m1()
                };
                let expected: f64 = set.iter().enumerate().map(|(s, p)| p * fails(s)).sum();
                let found = hits.chance(later).any_of(elements);
                assert!(found.lower <= expected * (1.0 + 1e-12), "{found:?} {expected}");
                assert!(found.upper >= expected * (1.0 - 1e-12), "{found:?} {expected}");
                // Where one nearly always fails, small X matter, of which moments say little.
                let width = if expected > 0.9 { 0.05 } else { 1e-3 };
                assert!(found.upper - found.lower < width * expected, "{found:?} {expected}");
            }
        }
    }

    /// In groups X is a product of independent fractions, and its mean that of the lemma.
    #[test]
    fn the_mean_in_groups_is_that_of_the_lemma() {
        let size = FilterSize { bits: 120_000, choices: 15 };
        let hits = Moments::new(&size, Layout::Partitioned);
        for elements in [1, 50, 1_152, 10_000] {
            let (found, expected) = (hits.chance(elements).mean, size.chance_in_groups(elements));
            assert!((found / expected - 1.0).abs() < 1e-11, "{elements}: {found} {expected}");
        }
    }

    /// Nobody fails where there are no later elements; everybody where all bits are set.
    #[test]
    fn certain_and_impossible_failures() {
        let hits = Moments::new(&FilterSize { bits: 1, choices: 1 }, Layout::Unpartitioned);
        assert_eq!(hits.chance(0).any_of(100), Bounds::default());
        assert_eq!(hits.chance(1).any_of(1), Bounds::exactly(1.0));
        assert_eq!(hits.chance(1).any_of(0), Bounds::exactly(0.0));
    }
}
