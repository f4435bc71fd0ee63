//! The probability that a summary names a sub-table for an absent key, exactly.

use super::chances::{FilterSize, Layout};
use crate::math::bins;
use crate::math::elementary::pow;

/// Of a filter with all n elements: the single filter, whose cells must all be above 0, or B_0 of several.
///
/// ```
/// use loadfactor_schemes::summaries::theory::chances::{FilterSize, Layout};
/// use loadfactor_schemes::summaries::theory::false_positive::of_filter;
///
/// let single = of_filter(10_000, &FilterSize { bits: 120_000, choices: 15 }, Layout::Partitioned);
/// assert_eq!(format!("{single:.3}"), "0.006");
/// ```
pub fn of_filter(elements: u32, size: &FilterSize, layout: Layout) -> f64 {
    let FilterSize { bits, choices } = *size;
    let elements = f64::from(elements);
    match layout {
        Layout::Partitioned => {
            pow(bins::filled(elements, f64::from(bits / choices)), choices.into())
        }
        Layout::Unpartitioned => bins::all_hit(choices, elements * f64::from(choices), bits.into()),
    }
}

/// Of the summary of Song et al.: none of the d counters of an absent key is 0, where each of n elements
/// increased d of m, with multiplicity.
pub fn of_song(elements: u32, buckets: u32, choices: u32) -> f64 {
    of_filter(elements, &FilterSize { bits: buckets, choices }, Layout::Unpartitioned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summaries::theory::enumerated::all_of;

    /// Two elements and an absent key of two choices among four counters.
    #[test]
    fn false_positives_are_those_of_all_outcomes() {
        for (layout, range, group) in [(Layout::Unpartitioned, 4, 0), (Layout::Partitioned, 2, 2)] {
            let outcomes = all_of(3, &[range, range]).map(|choices| {
                let place = |x: usize, c: usize| choices[x][c] + c as u32 * group;
                let is_set = |bit| (0..2).any(|x| (0..2).any(|c| place(x, c) == bit));
                (0..2).all(|c| is_set(place(2, c)))
            });
            let (all, positive) =
                outcomes.fold((0.0, 0.0), |(all, p), is| (all + 1.0, p + f64::from(u8::from(is))));
            let found = of_filter(2, &FilterSize { bits: 4, choices: 2 }, layout);
            assert!((found - positive / all).abs() < 1e-14, "{layout:?}");
        }
    }

    /// Table 4.3.
    #[test]
    fn published_false_positives() {
        let rounded = |value: f64| format!("{value:.3}");
        assert_eq!(rounded(of_song(10_000, 131_072, 10)), "0.002");
        for (elements, bits) in [(10_000, 120_000), (100_000, 1_200_000)] {
            let size = FilterSize { bits, choices: 15 };
            assert_eq!(rounded(of_filter(elements, &size, Layout::Partitioned)), "0.006");
        }
        for (elements, bits) in [(10_000, 106_000), (100_000, 1_060_000)] {
            let size = FilterSize { bits, choices: 7 };
            assert_eq!(rounded(of_filter(elements, &size, Layout::Unpartitioned)), "0.006");
        }
    }
}
