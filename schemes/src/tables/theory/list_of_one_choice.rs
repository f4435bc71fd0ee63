//! The exact law of the overflow list where each element has one choice, down to tails that no simulation sees.
//!
//! Let x = α·z/m. With w_j(u) = Σ_k P(k of j elements that chose a bucket are on the list)·u^k,
//!
//! P(k elements on the list) = n! \[z^n u^k\] e^{(1−α)·z·u}·(Σ_j x^j/j!·w_j(u))^m.
//!
//! Both coefficients are taken by sums over circles through the saddle point, on which everything adds up and nothing
//! is lost to cancellation: a tail of 1e-30 is as exact as one of a half.

use std::f64::consts::TAU;

use nalgebra::Complex;

use crate::math::bisect::bisect;
use crate::math::complex;
use crate::math::elementary::{exp, ln};

/// Where the law is from.
pub(crate) const GENERATING: &str = "coefficients of the generating function";

/// Standard deviations of the tilted law from its mean, beyond which nothing is left.
const DEVIATIONS: f64 = 15.0;

/// What is smaller than this part of the greatest term adds nothing.
const NEGLIGIBLE: f64 = 1e-20;

/// The greatest logarithm of a radius. Larger ones belong to lists that hold nearly all elements.
const LARGEST: f64 = 30.0;

/// n elements, each of which tries one of m buckets with probability α. A bucket takes an element if it has fewer than
/// h, and with probability p if it has exactly h.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneChoice {
    /// n.
    pub elements: u32,
    /// m.
    pub buckets: u32,
    /// h.
    pub threshold: u32,
    /// p.
    pub probability: f64,
    /// α.
    pub tried: f64,
}

impl OneChoice {
    /// The probability of more than so many elements on the list.
    pub fn exceeds(&self, beyond: u32) -> f64 {
        if beyond >= self.most() {
            return 0.0;
        }
        if self.tried == 0.0 {
            return 1.0;
        }
        Saddle::new(self, f64::from(beyond) + 1.0).exceeds(f64::from(beyond)).clamp(0.0, 1.0)
    }

    /// The probabilities of some lengths of the list, which are chosen by its mean and standard deviation.
    pub(crate) fn law(&self, lengths: impl Fn(f64, f64) -> Vec<u64>) -> Vec<(u64, f64)> {
        let saddle = Saddle::at(self, 0.0);
        let (mean, deviation) = saddle.list();
        let circle = saddle.circle((2.0 * DEVIATIONS * deviation).ceil() as u32 + 15);
        let probability = |length: u64| saddle.of_length(length as f64, &circle);
        let lengths = lengths(mean, deviation).into_iter();
        lengths.map(|length| (length, probability(length).max(0.0))).collect()
    }

    /// The longest list that there may be.
    fn most(&self) -> u32 {
        let taken = match () {
            () if self.tried < 1.0 => 0,
            () if self.probability < 1.0 => self.threshold,
            () => self.threshold.saturating_add(1),
        };
        self.elements.saturating_sub(taken)
    }
}

/// What may have become of a bucket: this many elements chose it, and so many of them are on the list.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    chose: f64,
    listed: f64,
    probability: f64,
}

/// The law of a bucket with as many elements, and as many of them on the list, as `z` and `u` make likely.
#[derive(Debug)]
struct Tilted {
    outcomes: Vec<Outcome>,
    /// The logarithm of what their probabilities were divided by.
    ln_total: f64,
}

impl Tilted {
    /// # Parameters
    /// The logarithms of x and u.
    fn new(rule: &OneChoice, ln_x: f64, ln_u: f64) -> Self {
        let (h, ln_refused) = (f64::from(rule.threshold), ln(1.0 - rule.probability));
        let rate = exp(ln_x + ln_u.max(0.0));
        let last = (rate.max(h) + DEVIATIONS * rate.sqrt() + 2.0 * DEVIATIONS).ceil() as u32;
        let mut outcomes = Vec::new();
        let mut ln_term = 0.0;
        for j in 0..=last {
            let chose = f64::from(j);
            ln_term += if j == 0 { 0.0 } else { ln_x - ln(chose) };
            let mut add = |listed: f64, ln_share: f64| {
                let probability = ln_term + listed * ln_u + ln_share;
                outcomes.push(Outcome { chose, listed, probability });
            };
            let over = chose - h;
            if over <= 0.0 {
                add(0.0, 0.0);
                continue;
            }
            // All of those that come beyond h toss a coin, until one of them is taken.
            let ln_all_refused = over * ln_refused;
            if rule.probability < 1.0 {
                add(over, ln_all_refused);
            }
            if rule.probability > 0.0 {
                add(over - 1.0, ln(1.0 - exp(ln_all_refused)));
            }
        }
        Self::normalised(outcomes)
    }

    /// Outcomes with the logarithms of their weights.
    fn normalised(mut outcomes: Vec<Outcome>) -> Self {
        let largest = outcomes.iter().map(|own| own.probability).fold(f64::NEG_INFINITY, f64::max);
        outcomes.iter_mut().for_each(|own| own.probability = exp(own.probability - largest));
        let total: f64 = outcomes.iter().map(|own| own.probability).sum();
        outcomes.iter_mut().for_each(|own| own.probability /= total);
        outcomes.retain(|own| own.probability > NEGLIGIBLE);
        Self { outcomes, ln_total: largest + ln(total) }
    }

    fn mean(&self, of: impl Fn(&Outcome) -> f64) -> f64 {
        self.outcomes.iter().map(|own| own.probability * of(own)).sum()
    }

    /// Its characteristic function.
    fn turned(&self, theta: f64, phi: f64) -> Complex<f64> {
        let turn = |own: &Outcome| {
            let angle = Complex::new(0.0, own.chose * theta + own.listed * phi);
            complex::exp(angle) * own.probability
        };
        self.outcomes.iter().map(turn).sum()
    }
}

/// Means, variances and covariance of n and of the length of the list, all buckets and those that try none together.
#[derive(Debug, Clone, Copy)]
struct Moments {
    elements: f64,
    listed: f64,
    of_elements: f64,
    of_listed: f64,
    of_both: f64,
}

/// The radii of both circles, and the law that belongs to them.
#[derive(Debug)]
struct Saddle {
    elements: f64,
    buckets: f64,
    /// How many elements try no bucket, on average.
    untried: f64,
    tilted: Tilted,
    ln_u: f64,
    /// The logarithm of what the sums over both circles are multiplied by.
    ln_factor: f64,
}

impl Saddle {
    /// Circles of such radii that a list of this length is the usual one, or u = 1 where it is longer all by itself.
    fn new(rule: &OneChoice, length: f64) -> Self {
        let ln_u = bisect(0.0, LARGEST, |ln_u| Self::at(rule, ln_u).moments().listed - length);
        Self::at(rule, ln_u)
    }

    /// The circle of z through the saddle point where that of u is given.
    fn at(rule: &OneChoice, ln_u: f64) -> Self {
        let ln_n = ln(rule.elements.into());
        let elements = |ln_z: f64| Self::with(rule, ln_z, ln_u).moments().elements;
        let n = f64::from(rule.elements);
        let ln_z = bisect(ln_n - 2.0 * LARGEST, ln_n + 4.0, |ln_z| elements(ln_z) - n);
        Self::with(rule, ln_z, ln_u)
    }

    fn with(rule: &OneChoice, ln_z: f64, ln_u: f64) -> Self {
        let (n, m) = (f64::from(rule.elements), f64::from(rule.buckets));
        let tilted = Tilted::new(rule, ln_z + ln(rule.tried / m), ln_u);
        let untried = (1.0 - rule.tried) * exp(ln_z + ln_u);
        let ln_factor = stirling(n) - n * (ln_z - ln(n)) + (untried + m * tilted.ln_total - n);
        Self { elements: n, buckets: m, untried, tilted, ln_u, ln_factor }
    }

    fn moments(&self) -> Moments {
        let Self { tilted, buckets, untried, .. } = self;
        let (chose, listed) = (tilted.mean(|own| own.chose), tilted.mean(|own| own.listed));
        let apart = |of: fn(f64, f64) -> f64| {
            tilted.mean(|own| of(own.chose - chose, own.listed - listed)) * buckets + untried
        };
        Moments {
            elements: buckets * chose + untried,
            listed: buckets * listed + untried,
            of_elements: apart(|chose, _| chose * chose),
            of_listed: apart(|_, listed| listed * listed),
            of_both: apart(|chose, listed| chose * listed),
        }
    }

    /// Mean and standard deviation of the length of the list, given n.
    fn list(&self) -> (f64, f64) {
        let Moments { listed, of_listed, of_both, of_elements, .. } = self.moments();
        (listed, (of_listed - of_both * (of_both / of_elements)).max(0.0).sqrt())
    }

    fn exceeds(&self, beyond: f64) -> f64 {
        let (listed, deviation) = self.list();
        // Lists of beyond + 1 to beyond + lengths have all that counts, and as many points tell them apart.
        let lengths = ((listed - beyond).max(1.0) + DEVIATIONS * deviation).ceil() + 15.0;
        let circle = self.circle((lengths + DEVIATIONS * deviation).ceil() as u32);
        let ln_scale = self.ln_factor - (beyond + 1.0) * self.ln_u;
        circle.sum_of(|phi| self.of_lists(beyond, lengths, phi)) * exp(ln_scale)
    }

    /// The probability of this length, where u = 1.
    fn of_length(&self, length: f64, circle: &Circle) -> f64 {
        let turn = |phi: f64| complex::exp(Complex::new(0.0, -length * phi));
        circle.sum_of(turn) * exp(self.ln_factor)
    }

    /// The points of the circle of u that count, of so many on each side of the first.
    fn circle(&self, half: u32) -> Circle {
        let Moments { of_elements, of_both, .. } = self.moments();
        let slope = of_both / of_elements;
        let step = step(half);
        let mut points = Vec::new();
        let mut greatest = 0.0_f64;
        for i in 0..=half {
            let phi = f64::from(i) * step;
            let of_elements = self.of_elements(phi, -slope * phi, of_elements.sqrt());
            points.push((phi, of_elements));
            let size = size(of_elements);
            greatest = greatest.max(size);
            if size < NEGLIGIBLE * greatest {
                break;
            }
        }
        Circle { points, step }
    }

    /// What a point of the circle of u counts in the lists of beyond + 1 to beyond + `lengths`, as multiples of the first.
    fn of_lists(&self, beyond: f64, lengths: f64, phi: f64) -> Complex<f64> {
        let first = complex::exp(Complex::new(0.0, -(beyond + 1.0) * phi));
        let ln_ratio = Complex::new(-self.ln_u, -phi);
        if size(ln_ratio) < 1e-12 {
            return first * lengths;
        }
        first * complex::exp_m1(ln_ratio * lengths) / complex::exp_m1(ln_ratio)
    }

    /// The sum over the circle of z, from where it is greatest to both sides.
    fn of_elements(&self, phi: f64, centre: f64, deviation: f64) -> Complex<f64> {
        let half = (DEVIATIONS * deviation).ceil() as u32 + 32;
        let step = step(half);
        let mut sum = self.term(centre, phi);
        let mut greatest = size(sum);
        for i in 1..=half {
            let apart = f64::from(i) * step;
            let pair = [self.term(centre + apart, phi), self.term(centre - apart, phi)];
            sum += pair[0] + pair[1];
            let larger = size(pair[0]).max(size(pair[1]));
            greatest = greatest.max(larger);
            if larger < NEGLIGIBLE * greatest {
                break;
            }
        }
        sum * (step / TAU)
    }

    fn term(&self, theta: f64, phi: f64) -> Complex<f64> {
        let untried = (complex::exp(Complex::new(0.0, theta + phi)) - 1.0) * self.untried;
        let of_buckets = complex::ln(self.tilted.turned(theta, phi)) * self.buckets;
        complex::exp(untried + of_buckets - Complex::new(0.0, self.elements * theta))
    }
}

/// What the sums over z are at angles of u.
#[derive(Debug)]
struct Circle {
    points: Vec<(f64, Complex<f64>)>,
    step: f64,
}

impl Circle {
    /// The mean over the circle, with a factor at each angle.
    fn sum_of(&self, factor: impl Fn(f64) -> Complex<f64>) -> f64 {
        let mut sum = 0.0;
        for (i, (phi, of_elements)) in self.points.iter().enumerate() {
            // Its mirror image on the other side of the circle is the conjugate.
            let both = if i == 0 { 1.0 } else { 2.0 };
            sum += both * (factor(*phi) * of_elements).re;
        }
        sum * (self.step / TAU)
    }
}

/// The angle between neighbours of an odd number of points on a circle: one, and so many on each side of it.
fn step(half: u32) -> f64 {
    TAU / (2.0 * f64::from(half) + 1.0)
}

fn size(z: Complex<f64>) -> f64 {
    z.norm_sqr().sqrt()
}

/// ln(n!) − n·ln n + n, which is small.
fn stirling(n: f64) -> f64 {
    if n < 30.0 {
        return libm::lgamma(n + 1.0) - if n > 0.0 { n * ln(n) - n } else { 0.0 };
    }
    let square = n * n;
    ln(TAU * n) / 2.0 + (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::multilevel::standard_law;

    /// P(the list has k elements) for all k: the buckets one after the other.
    fn enumerated(rule: &OneChoice) -> Vec<f64> {
        let n = rule.elements as usize;
        let mut factorial = vec![1.0; n + 1];
        (1..=n).for_each(|j| factorial[j] = factorial[j - 1] * j as f64);
        // By elements placed so far and list: Σ of Π 1/j!.
        let mut ways = vec![vec![0.0; n + 1]; n + 1];
        for (refused, row) in ways.iter_mut().enumerate() {
            row[refused] = (1.0 - rule.tried).powi(refused as i32) / factorial[refused];
        }
        for _ in 0..rule.buckets {
            let mut next = vec![vec![0.0; n + 1]; n + 1];
            for placed in 0..=n {
                for listed in 0..=placed {
                    for j in 0..=n - placed {
                        let weight = ways[placed][listed] / factorial[j]
                            * (rule.tried / f64::from(rule.buckets)).powi(j as i32);
                        let over = j.saturating_sub(rule.threshold as usize);
                        let refused = (1.0 - rule.probability).powi(over as i32);
                        next[placed + j][listed + over] += weight * refused;
                        if over > 0 {
                            next[placed + j][listed + over - 1] += weight * (1.0 - refused);
                        }
                    }
                }
            }
            ways = next;
        }
        ways[n].iter().map(|ways| ways * factorial[n]).collect()
    }

    #[test]
    fn it_is_the_law_of_all_outcomes_of_small_tables() {
        for (elements, buckets, threshold) in
            [(1, 1, 1), (7, 3, 1), (12, 4, 2), (15, 1, 4), (9, 30, 0)]
        {
            for (probability, tried) in [(0.0, 1.0), (0.3, 1.0), (1.0, 1.0), (0.0, 0.6), (0.7, 0.2)]
            {
                let rule = OneChoice { elements, buckets, threshold, probability, tried };
                let law = enumerated(&rule);
                // Every third length, as each is a sum over two circles.
                for beyond in (0..=elements).step_by(3) {
                    let expected: f64 = law[beyond as usize + 1..].iter().rev().sum();
                    let found = rule.exceeds(beyond);
                    assert!(
                        (found - expected).abs() <= 1e-11 * expected + 1e-300,
                        "{rule:?} {beyond}: {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_law_is_that_of_all_outcomes() {
        for (elements, buckets, threshold) in [(12, 4, 2), (15, 1, 4), (40, 30, 1)] {
            let rule = OneChoice { elements, buckets, threshold, probability: 0.3, tried: 1.0 };
            let law = rule.law(|_, _| (0..=u64::from(elements)).collect());
            for ((length, found), expected) in law.into_iter().zip(enumerated(&rule)) {
                assert!((found - expected).abs() < 1e-11, "{rule:?} {length}: {found} {expected}");
            }
        }
    }

    /// Buckets of one have a law of their own, in positive terms.
    #[test]
    fn tails_of_buckets_of_one_keep_their_digits() {
        let law = standard_law(300, &[300]).unwrap();
        let rule =
            OneChoice { elements: 300, buckets: 300, threshold: 1, probability: 0.0, tried: 1.0 };
        for beyond in [0, 90, 110, 118, 135, 148] {
            let (found, expected) = (rule.exceeds(beyond), law.overflow.exceeds(beyond));
            assert!((found / expected - 1.0).abs() < 1e-9, "{beyond}: {found} {expected}");
        }
    }
}
