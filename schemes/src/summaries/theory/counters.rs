//! The largest counter of a filter that counts: Sections 2.1.2 and 4.10.2.

use nalgebra::Complex;

use super::bounds::Bounds;
use crate::math::bins::covered;
use crate::math::complex;
use crate::math::depoissonised::depoissonised;
use crate::math::distribution::Distribution;
use crate::math::elementary::{exp_m1, ln_1p};

/// Counters of a filter, with the choices of an element among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterArray {
    /// b, at least 1.
    pub counters: u32,
    /// k.
    pub choices: u32,
}

impl CounterArray {
    /// The probability that some counter reaches a value after so many elements, exactly: each element increases k
    /// counters, drawn with replacement, and a counter once for each time it is drawn.
    ///
    /// ```
    /// use loadfactor_schemes::summaries::theory::counters::CounterArray;
    ///
    /// // Both balls in one of 365 bins.
    /// let days = CounterArray { counters: 365, choices: 1 };
    /// assert!((days.reaches(2, 2) * 365.0 - 1.0).abs() < 1e-12);
    /// ```
    pub fn reaches(&self, elements: u32, value: u32) -> f64 {
        let balls = u64::from(self.choices) * u64::from(elements);
        match u64::from(value) {
            0 => 1.0,
            value if value > balls => 0.0,
            _ => depoissonised(balls, |mean| self.poissonised(mean, value)).min(1.0),
        }
    }

    /// The same for a random number of elements.
    pub fn reaches_after(&self, elements: &Distribution, value: u32) -> f64 {
        elements.mean_of(|number| self.reaches(number, value))
    }

    /// The same where each choice of an element has a group of ⌊b/k⌋ counters of its own.
    pub fn reaches_in_groups(&self, elements: u32, value: u32) -> f64 {
        let group = Self { counters: self.counters / self.choices, choices: 1 };
        -exp_m1(f64::from(self.choices) * ln_1p(-group.reaches(elements, value)))
    }

    /// The same for a random number of elements.
    pub fn reaches_in_groups_after(&self, elements: &Distribution, value: u32) -> f64 {
        elements.mean_of(|number| self.reaches_in_groups(number, value)).min(1.0)
    }

    /// Counters of a Poisson number of elements are independent.
    fn poissonised(&self, mean: Complex<f64>, value: u32) -> Complex<f64> {
        let counters = f64::from(self.counters);
        -complex::exp_m1(complex::ln_1p(-at_least(mean / counters, value)) * counters)
    }

    /// The probability that some counter reaches a value after 0, 1, …, `most` elements, where an element
    /// increases each of its counters once, however often it was drawn.
    ///
    /// From the probabilities that one counter and that two given ones reach it, which are exact, by the
    /// inequality of Dawson and Sankoff from below and that of Kounias from above.
    pub fn reaches_once(&self, value: u32, most: u32) -> Vec<Bounds> {
        let mut pair = Pair::new(self, value);
        let mut next = |elements: u32| {
            if elements > 0 {
                pair.add();
            }
            match value {
                0 => Bounds::exactly(1.0),
                1 => Bounds::exactly(f64::from(elements.min(1))),
                _ => self.any(pair.one_reaches(), pair.both_reach()),
            }
        };
        (0..=most).map(&mut next).collect()
    }

    /// The same for a random number of elements.
    pub fn reaches_once_after(&self, elements: &Distribution, value: u32) -> Bounds {
        let given = self.reaches_once(value, elements.last());
        elements.iter().rev().map(|(number, p)| given[number as usize].times(p)).sum()
    }

    /// From what is known of one counter and of two.
    fn any(&self, one: f64, both: f64) -> Bounds {
        let b = f64::from(self.counters);
        let (sum, pairs) = (b * one, b * (b - 1.0) / 2.0 * both);
        if sum == 0.0 {
            return Bounds::default();
        }
        let level = 1.0 + (2.0 * pairs / sum).floor();
        let lower = 2.0 / (level + 1.0) * (sum - pairs / level);
        let upper = (sum - 2.0 / b * pairs).min(1.0);
        Bounds { lower: lower.min(upper), upper }
    }
}

/// Pr(Poisson(mean) ≥ value) for a complex mean, from the first term of the tail on.
fn at_least(mean: Complex<f64>, value: u32) -> Complex<f64> {
    if mean == Complex::default() {
        return mean;
    }
    let value = f64::from(value);
    let first = complex::exp(complex::ln(mean) * value - mean - libm::lgamma(value + 1.0));
    let (mut sum, mut term, mut next) = (Complex::default(), Complex::new(1.0, 0.0), value);
    while term.norm_sqr() > f64::EPSILON * f64::EPSILON * 1e-4 * Complex::norm_sqr(&sum) {
        sum += term;
        next += 1.0;
        term *= mean / next;
    }
    first * sum
}

/// The law of two given counters, element by element, up to the value that is asked for.
struct Pair {
    /// Where the counters stop.
    value: usize,
    /// The probability that an element increases a given one of the two alone.
    alone: f64,
    /// The probability that it increases both.
    both: f64,
    /// Probabilities of the two values, row by row.
    law: Vec<f64>,
}

impl Pair {
    fn new(of: &CounterArray, value: u32) -> Self {
        let (choices, counters) = (f64::from(of.choices), f64::from(of.counters));
        let both = if of.counters > 1 { covered(2, choices, counters) } else { 0.0 };
        let alone = covered(1, choices, counters) - both;
        let value = value as usize;
        let mut law = vec![0.0; (value + 1) * (value + 1)];
        law[0] = 1.0;
        Self { value, alone, both, law }
    }

    /// One more element. From the greatest values down, so that none is increased twice.
    fn add(&mut self) {
        let (side, value) = (self.value + 1, self.value);
        let neither = 1.0 - 2.0 * self.alone - self.both;
        for at in (0..self.law.len()).rev() {
            let (row, column) = (at / side, at % side);
            let (below, right) = ((row + 1).min(value) * side, (column + 1).min(value));
            let p = std::mem::take(&mut self.law[at]);
            self.law[at] += p * neither;
            self.law[below + column] += p * self.alone;
            self.law[row * side + right] += p * self.alone;
            self.law[below + right] += p * self.both;
        }
    }

    fn one_reaches(&self) -> f64 {
        self.law[self.value * (self.value + 1)..].iter().sum()
    }

    fn both_reach(&self) -> f64 {
        self.law[self.law.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::poisson;
    use crate::summaries::theory::enumerated::all_of;
    use crate::summaries::theory::law::FillLaw;

    /// The share of outcomes in which the greatest counter reaches the value.
    fn enumerated(of: &CounterArray, elements: usize, value: usize, once: bool) -> f64 {
        let ranges = vec![of.counters; of.choices as usize];
        let (mut all, mut such) = (0.0, 0.0);
        for choices in all_of(elements, &ranges) {
            let times = |own: &Vec<u32>, counter| own.iter().filter(|&&c| c == counter).count();
            let counted =
                |own, counter| if once { times(own, counter).min(1) } else { times(own, counter) };
            let count = |counter| choices.iter().map(|own| counted(own, counter)).sum::<usize>();
            all += 1.0;
            such += f64::from(u8::from((0..of.counters).any(|counter| count(counter) >= value)));
        }
        such / all
    }

    #[test]
    fn counters_are_those_of_all_outcomes() {
        for (counters, choices, elements) in [(3, 2, 3), (5, 1, 5), (4, 3, 2), (1, 2, 2), (2, 1, 7)]
        {
            let array = CounterArray { counters, choices };
            for value in 0..=7 {
                let (n, v) = (elements as usize, value as usize);
                let exact = array.reaches(elements, value);
                let all = enumerated(&array, n, v, false);
                assert!((exact - all).abs() < 1e-12, "{array:?} {value}: {exact} {all}");
                let once = array.reaches_once(value, elements)[n];
                let all = enumerated(&array, n, v, true);
                assert!(
                    once.lower <= all + 1e-12 && all <= once.upper + 1e-12,
                    "{array:?} {once:?}"
                );
            }
        }
    }

    /// The union bound is close where few counters reach the value, as is its lower companion.
    #[test]
    fn rare_values_are_known_closely() {
        let array = CounterArray { counters: 500, choices: 49 };
        for (elements, value) in [(2, 2), (5, 4), (30, 16)] {
            let once = array.reaches_once(value, elements)[elements as usize];
            let width = once.upper - once.lower;
            assert!(width <= once.upper * once.upper + 1e-14 * once.upper, "{once:?}");
        }
        let array = CounterArray { counters: 106_000, choices: 7 };
        let [exact, union] =
            [array.reaches(10_000, 16), 106_000.0 * poisson::exceeds(70.0 / 106.0, 15)];
        assert!(exact < union && exact > 0.99 * union, "{exact} {union}");
    }

    /// Section 2.1.2, where 1.78·10⁻¹¹ is printed, a rounding error.
    #[test]
    fn sixteen_of_a_sample_filter() {
        let estimate = 80_000.0 * poisson::exceeds(std::f64::consts::LN_2, 15);
        assert_eq!(format!("{estimate:.2e}"), "5.66e-12");
    }

    const FILTERS: [(u32, u32); 5] =
        [(106_000, 7), (87_500, 49), (5_500, 49), (500, 49), (100, 49)];

    /// The probability that a counter of B_i reaches the value, where the last two filters count an element once.
    fn reached(law: &FillLaw, i: usize, value: u32) -> f64 {
        let (counters, choices) = FILTERS[i];
        let array = CounterArray { counters, choices };
        match i {
            0..=2 => array.reaches_after(law.left_law(i), value),
            _ => array.reaches_once_after(law.left_law(i), value).middle(),
        }
    }

    /// Section 4.10.2: the largest counters of a million tables. About one table or more of these is expected
    /// to have such a counter, and less than one a greater one. The exception is v_2: a counter of 12 is seen
    /// in one of fifty such experiments.
    #[test]
    fn published_largest_counters() {
        let law = FillLaw::new(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500]);
        for (i, largest) in [12, 11, 12, 4, 1].into_iter().enumerate() {
            let expected = [largest, largest + 1].map(|value| 1e6 * reached(&law, i, value));
            let least = if i == 2 { 0.015 } else { 0.5 };
            assert!(expected[0] > least && expected[1] < 1.0, "v_{i}: {expected:?}");
        }
    }

    /// Its conservative widths overflow about as rarely as the filters fail; of the others the single bits of
    /// B_4 overflow a thousand times as often.
    #[test]
    fn published_widths() {
        let law = FillLaw::new(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500]);
        let overflow = |bits: [u32; 5]| -> f64 {
            bits.iter().enumerate().map(|(i, bits)| reached(&law, i, 1 << bits)).sum()
        };
        assert_eq!(format!("{:.1e}", overflow([4, 4, 4, 4, 2])), "5.8e-12");
        assert_eq!(format!("{:.1e}", overflow([4, 4, 4, 3, 1])), "2.5e-9");
    }

    /// A law of the number of elements mixes what follows from each.
    #[test]
    fn laws_of_elements_are_mixed() {
        let array = CounterArray { counters: 50, choices: 3 };
        let law = Distribution::new(4, vec![0.25, 0.75]);
        let mixed = 0.25 * array.reaches(4, 3) + 0.75 * array.reaches(5, 3);
        assert!((array.reaches_after(&law, 3) - mixed).abs() < 1e-15);
        let given = array.reaches_once(3, 5);
        let mixed = given[4].times(0.25) + given[5].times(0.75);
        assert_eq!(array.reaches_once_after(&law, 3).lower, mixed.lower);
    }
}
