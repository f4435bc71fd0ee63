//! The union bounds on failures that the chapter calculates: equations (4.4) and (4.5), corrected.
//!
//! As printed, a factor is lost in both. The probability that some of j − l elements of type i fails, where l
//! elements have later types, is at most `(j − l)·q_l`, and
//!
//! ```text
//! f_i = Σ_j Pr(|S_{i−1}| = j) · Σ_{l=1}^{j−1} Pr(|S_i| = l | j) · (j − l) · q_l
//! ```

use super::chances::FilterSize;
use super::law::FillLaw;

/// f_1, …, f_{d−1} and their sum f.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureBound {
    /// f_i at index i − 1.
    pub per_type: Vec<f64>,
    /// f.
    pub total: f64,
}

/// The single filter of so many cells, with `q_l = (1 − (1 − k/m)^l)^k` for every type.
///
/// ```
/// use loadfactor_schemes::summaries::theory::{law::FillLaw, union_bound::single_filter_bound};
///
/// let law = FillLaw::new(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500]);
/// let bound = single_filter_bound(&law, 120_000, 15);
/// assert_eq!(format!("{:.2e}", bound.total + law.crisis_probability()), "7.64e-10");
/// ```
pub fn single_filter_bound(law: &FillLaw, cells: u32, choices: u32) -> FailureBound {
    let size = FilterSize { bits: cells, choices };
    bound((1..law.sub_tables()).map(|i| of_type(law, i, &size)))
}

/// The filters B_0, B_1, … of these sizes, with the `q_l` of B_i for type i. Types without a filter of their
/// own are left out.
pub fn multiple_filters_bound(law: &FillLaw, filters: &[FilterSize]) -> FailureBound {
    let sizes = filters.iter().enumerate().take(law.sub_tables()).skip(1);
    bound(sizes.map(|(i, size)| of_type(law, i, size)))
}

fn bound(per_type: impl Iterator<Item = f64>) -> FailureBound {
    let per_type: Vec<f64> = per_type.collect();
    FailureBound { total: per_type.iter().rev().sum(), per_type }
}

/// f_i.
fn of_type(law: &FillLaw, i: usize, size: &FilterSize) -> f64 {
    let chances: Vec<f64> =
        (0..=law.left_law(i).last()).map(|left| size.chance_in_groups(left)).collect();
    let mut sum = 0.0;
    law.each_coming(i, |coming| {
        let pairs = coming.each_left().zip(&chances[(coming.first as usize).min(chances.len())..]);
        let failing =
            pairs.map(|((left, p), chance)| p * f64::from(coming.elements - left) * chance);
        sum += coming.probability * failing.sum::<f64>();
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two elements in T_1 = 2 buckets, T_2 = 1: with probability 1/2 the second is in T_2, and then the first
    /// fails if each of its two cells, of three in a group, was chosen.
    #[test]
    fn a_bound_by_hand() {
        let bound = single_filter_bound(&FillLaw::new(2, &[2, 1]), 6, 2);
        assert!((bound.total - 0.5 / 9.0).abs() < 1e-15 && bound.per_type.len() == 1);
    }

    fn law_10k() -> FillLaw {
        FillLaw::new(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500])
    }

    fn published(bound: &FailureBound, law: &FillLaw) -> String {
        format!("{:.2e}", bound.total + law.crisis_probability())
    }

    /// Table 4.3 and Section 4.9, failure and crisis together, for 10,000 elements.
    #[test]
    fn published_bounds_of_10k() {
        let law = law_10k();
        assert_eq!(published(&single_filter_bound(&law, 120_000, 15), &law), "7.64e-10");
        let filters = [(106_000, 7), (87_500, 49), (5_500, 49), (500, 49), (100, 49)]
            .map(|(bits, choices)| FilterSize { bits, choices });
        assert_eq!(published(&multiple_filters_bound(&law, &filters), &law), "4.97e-12");
        // "Just over 2.1·10⁻⁶".
        let variant = single_filter_bound(&law, 100_000, 10).total;
        assert!((2.1e-6..2.2e-6).contains(&variant), "{variant}");
    }

    /// Table 4.3 for 100,000 elements. Type 1 all but decides, so that the third filter may have the 550k bits
    /// that are printed as well as 55k, ten times those for 10,000 elements, or the 495k that fit the printed
    /// bytes.
    #[test]
    fn published_bounds_of_100k() {
        let law = FillLaw::new(100_000, &[400_000, 100_000, 50_000, 25_000, 12_500, 12_500]);
        assert_eq!(published(&single_filter_bound(&law, 1_200_000, 15), &law), "7.27e-9");
        for third in [550_000, 55_000, 495_000] {
            let filters = [(1_060_000, 7), (875_000, 49), (third, 49), (1_000, 49), (1_000, 49)]
                .map(|(bits, choices)| FilterSize { bits, choices });
            assert_eq!(published(&multiple_filters_bound(&law, &filters), &law), "1.38e-11");
        }
    }
}
