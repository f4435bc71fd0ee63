//! How many elements get past the first sub-tables: Section 4.11.3.

use crate::math::collisions::{Collisions, NEGLIGIBLE};
use crate::math::distribution::Distribution;

/// The laws of |S_0|, …, |S_d|.
///
/// Given |S_{i−1}|, the elements that leave T_i behind are the balls that fall into an occupied bin, of so many
/// balls in m_i bins. All sums are over positive terms and leave out only what is below 10⁻³⁰⁰, so that the
/// tails have their relative precision.
///
/// ```
/// use loadfactor_schemes::summaries::theory::law::FillLaw;
///
/// // All three elements choose the same of 10 buckets, and the two that are left the same of 5.
/// let law = FillLaw::new(3, &[10, 5]);
/// assert!((law.crisis_probability() - 0.002).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FillLaw {
    sizes: Vec<u32>,
    /// Of |S_0|, …, |S_d|.
    left: Vec<Distribution>,
}

/// What follows from so many elements that come to a sub-table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coming<'l> {
    /// |S_{i−1}| = j.
    pub elements: u32,
    /// The probability of it.
    pub probability: f64,
    /// The least |S_i| that matters.
    pub first: u32,
    /// Given j, the probabilities of |S_i| from `first` on.
    pub left: &'l [f64],
}

impl Coming<'_> {
    /// Each |S_i|, with its probability given |S_{i−1}|.
    pub fn each_left(&self) -> impl Iterator<Item = (u32, f64)> {
        (self.first..).zip(self.left.iter().copied())
    }
}

impl FillLaw {
    /// Of a table with sub-tables of these sizes, none of them 0, after so many elements. Takes about n·√n steps.
    pub fn new(elements: u32, sizes: &[u32]) -> Self {
        let mut left = vec![Distribution::certain(elements)];
        for (before, &size) in sizes.iter().enumerate() {
            left.push(after(&left[before], size));
        }
        Self { sizes: sizes.to_vec(), left }
    }

    /// n.
    pub fn elements(&self) -> u32 {
        self.left[0].first()
    }

    /// m_1, …, m_d.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// d.
    pub fn sub_tables(&self) -> usize {
        self.sizes.len()
    }

    /// The law of |S_i|, for i = 0, …, d.
    pub fn left_law(&self, i: usize) -> &Distribution {
        &self.left[i]
    }

    /// E|S_i|, for i = 0, …, d.
    pub fn expected_left(&self, i: usize) -> f64 {
        self.left[i].mean()
    }

    /// The expected number of elements in T_i, for i = 1, …, d: "exact" in Tables 4.1 and 4.2.
    pub fn expected_in(&self, sub_table: usize) -> f64 {
        self.expected_left(sub_table - 1) - self.expected_left(sub_table)
    }

    /// The law of the number of elements of type i, for i = 1, …, d: those in T_i, and for i = d those in a crisis too.
    pub fn type_law(&self, i: usize) -> Distribution {
        let before = &self.left[i - 1];
        if i == self.sub_tables() {
            return before.clone();
        }
        let mut sums = vec![0.0; before.last() as usize + 1];
        self.each_coming(i, |coming| {
            for (left, p) in coming.each_left() {
                sums[(coming.elements - left) as usize] += coming.probability * p;
            }
        });
        trimmed(sums)
    }

    /// The probability that some element finds no room. Not `1 − Pr(|S_d| = 0)`, which has no digits below 10⁻¹⁶.
    pub fn crisis_probability(&self) -> f64 {
        self.left[self.sub_tables()].at_least(1)
    }

    /// For each |S_i| that matters, the mean of a function of |S_d| given it.
    pub fn means_of_last(&self, i: usize, function: impl Fn(u32) -> f64) -> Vec<f64> {
        let last = self.left_law(self.sub_tables());
        let of_last = last.iter().map(|(left, _)| function(left)).collect();
        (i + 1..=self.sub_tables()).rev().fold(of_last, |of_next: Vec<f64>, sub_table| {
            let first = self.left_law(sub_table).first();
            let mut means = Vec::new();
            self.each_coming(sub_table, |coming| {
                let of_left = |(left, probability): (u32, f64)| {
                    let index = left.checked_sub(first)? as usize;
                    of_next.get(index).map(|mean| probability * mean)
                };
                means.push(coming.each_left().filter_map(of_left).sum());
            });
            means
        })
    }

    /// Visits the joint law of |S_{i−1}| and |S_i|, for i = 1, …, d, as |S_{i−1}| increases.
    pub fn each_coming(&self, sub_table: usize, mut visit: impl FnMut(Coming<'_>)) {
        let (before, next) = (&self.left[sub_table - 1], &self.left[sub_table]);
        match before.probabilities() {
            // Already the law given that number, which takes long for all elements.
            [_] => visit(Coming {
                elements: before.first(),
                probability: 1.0,
                first: next.first(),
                left: next.probabilities(),
            }),
            _ => each_of(before, self.sizes[sub_table - 1], visit),
        }
    }
}

/// Visits what follows from each number of elements that come to a sub-table of this size.
fn each_of(before: &Distribution, size: u32, mut visit: impl FnMut(Coming<'_>)) {
    let mut collisions = Collisions::new(size);
    for (elements, probability) in before.iter() {
        collisions.go_to(elements);
        let (first, left) = collisions.law();
        visit(Coming { elements, probability, first, left });
    }
}

/// The law of the elements left behind a sub-table.
fn after(before: &Distribution, size: u32) -> Distribution {
    let mut sums = vec![0.0; before.last() as usize + 1];
    each_of(before, size, |coming| {
        let from_first = sums[coming.first as usize..].iter_mut();
        from_first.zip(coming.left).for_each(|(sum, p)| *sum += coming.probability * p);
    });
    trimmed(sums)
}

/// The law with these probabilities of 0, 1, …, without those that are negligible at both ends.
fn trimmed(sums: Vec<f64>) -> Distribution {
    let matters = |p: &f64| *p >= NEGLIGIBLE;
    let first = sums.iter().position(matters).unwrap_or(0);
    let end = sums.iter().rposition(matters).map_or(1, |last| last + 1);
    Distribution::new(first as u32, sums[first..end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summaries::theory::enumerated::fillings;

    /// All choices of all elements in all sub-tables.
    #[test]
    fn laws_are_those_of_all_outcomes() {
        for (elements, sizes) in
            [(4, vec![3, 2]), (3, vec![4, 1, 2]), (5, vec![2, 3]), (1, vec![1]), (2, vec![3, 2, 2])]
        {
            let law = FillLaw::new(elements, &sizes);
            let outcomes = fillings(elements as usize, &sizes);
            let left = |refusals: &Vec<usize>, i| refusals.iter().filter(|&&r| r >= i).count();
            for i in 0..=sizes.len() {
                for number in 0..=elements {
                    let such = outcomes.iter().filter(|r| left(r, i) == number as usize).count();
                    let expected = such as f64 / outcomes.len() as f64;
                    let found = law.left_law(i).at(number);
                    assert!((found - expected).abs() < 1e-14, "{sizes:?} {i} {number}");
                }
            }
        }
    }

    /// The joint law has the law of |S_i| as its margin, also where it is taken from there.
    #[test]
    fn the_joint_law_has_both_margins() {
        let law = FillLaw::new(60, &[50, 30, 8]);
        for i in 1..=3 {
            let mut left = [0.0; 61];
            let mut before = 0.0;
            law.each_coming(i, |coming| {
                before += coming.probability * coming.left.iter().sum::<f64>();
                for (number, p) in coming.each_left() {
                    left[number as usize] += coming.probability * p;
                }
            });
            assert!((before - 1.0).abs() < 1e-13);
            for (number, p) in law.left_law(i).iter() {
                assert!((left[number as usize] / p - 1.0).abs() < 1e-10, "{i} {number}");
            }
        }
    }

    /// One of five elements is in a crisis if all choose one bucket in the first sub-table, the four that are
    /// left one in the second, and so on.
    #[test]
    fn crises_next_to_impossible_keep_their_digits() {
        let law = FillLaw::new(5, &[1 << 30; 4]);
        assert!((law.crisis_probability() / 2.0_f64.powi(-300) - 1.0).abs() < 1e-12);
        assert_eq!(FillLaw::new(4, &[1 << 30; 4]).crisis_probability(), 0.0);
    }

    /// Against rational numbers: the probability of a crisis, of ten elements left behind T_2, and of
    /// thirty in a crisis.
    #[test]
    fn tails_are_those_of_rational_arithmetic() {
        let law = FillLaw::new(40, &[160, 40, 20, 10, 10]);
        for (found, expected) in [
            (law.crisis_probability(), 2.306932544585958e-11),
            (law.left_law(2).at(10), 2.5038858775865792e-14),
            (law.left_law(5).at(30), 3.206384176100178e-193),
        ] {
            assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
        }
    }

    /// Of every outcome, how many elements are of each type.
    #[test]
    fn types_are_those_of_all_outcomes() {
        let (elements, sizes) = (5, [3, 2, 2]);
        let law = FillLaw::new(elements, &sizes);
        let outcomes = fillings(elements as usize, &sizes);
        for own in 1..=3 {
            for number in 0..=elements {
                // An element that was refused by i sub-tables is of type i + 1, by all of them of the last.
                let of_type =
                    |r: &&Vec<usize>| r.iter().filter(|&&r| (r + 1).min(3) == own).count();
                let such = outcomes.iter().filter(|r| of_type(r) == number as usize).count();
                let expected = such as f64 / outcomes.len() as f64;
                let found = law.type_law(own).at(number);
                assert!((found - expected).abs() < 1e-14, "{own} {number}: {found} {expected}");
            }
        }
    }

    /// Section 4.5.1, as printed.
    #[test]
    fn tables_4_1_and_4_2() {
        for (sizes, printed) in [
            ([30_000, 15_000, 7_500, 3_750, 1_875], ["8504.18", "1423.67", "71.80", "0.35"]),
            ([40_000, 10_000, 5_000, 2_500, 2_500], ["8848.07", "1088.08", "63.45", "0.41"]),
        ] {
            let law = FillLaw::new(10_000, &sizes);
            let found = [1, 2, 3, 4].map(|i| format!("{:.2}", law.expected_in(i)));
            assert_eq!(found, printed);
        }
    }

    /// The last columns of both tables, and Section 4.8.
    #[test]
    fn what_comes_to_the_last_sub_table() {
        let of = |sizes: &[u32]| FillLaw::new(10_000, sizes);
        let first = of(&[30_000, 15_000, 7_500, 3_750, 1_875]);
        assert_eq!(format!("{:.2e}", first.expected_in(5)), "1.62e-5");
        let second = of(&[40_000, 10_000, 5_000, 2_500, 2_500]);
        assert_eq!(format!("{:.2e}", second.expected_in(5)), "3.37e-5");
        assert_eq!(format!("{:.3e}", second.crisis_probability()), "1.007e-12");
    }

    /// Section 4.8 has "less than 7.78·10⁻¹⁶", which is a rounding error of 1 − Pr(|S_d| = 0).
    #[test]
    fn the_crisis_of_100k_is_far_below_the_printed_bound() {
        let law = FillLaw::new(100_000, &[400_000, 100_000, 50_000, 25_000, 12_500, 12_500]);
        assert_eq!(format!("{:.3e}", law.crisis_probability()), "6.641e-24");
        let total: f64 = law.left_law(6).probabilities().iter().sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
    }
}
