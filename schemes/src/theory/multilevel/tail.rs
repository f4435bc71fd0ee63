//! The law of the length of the overflow list, far into its tail.
//!
//! For a Poisson law `ln E[e^(θ|L|)] = λ·(e^θ − 1)`. For a multilevel table that is `λ(θ)·(e^θ − 1)` with
//! a smooth function `λ`, which [`path`](super::path) gives up to `O(1/n)`, and the tail follows by the
//! saddlepoint formula for lattices (Daniels, "Tail Probability Approximations", 1987, with his second
//! correction for continuity) around a Poisson law instead of the normal one (Wood, Booth and Butler,
//! "Saddlepoint Approximations to the CDF of Some Statistics with Nonnormal Limit Distributions", 1993):
//!
//! `P(|L| > k) ≈ P(Poisson > k) + φ(w)·(1/u − 1/u')`, `w² = 2(θx − K(θ))`, `u = 2·sinh(θ/2)·√K″(θ)`,
//!
//! where `K` is the logarithm, `x = k + ½`, `K′(θ) = x`, and the mean of the Poisson law is such that its
//! `w` is the same. Its `u` is `u'`.

use super::chebyshev::Chebyshev;
use super::hamiltonian::Hamiltonian;
use super::outcomes::Outcomes;
use super::path::Path;
use super::{InsertionRule, ode};
use crate::theory::bisect;
use crate::theory::occupancy::Demand;

/// Values of `θ` at which `λ(θ)` is computed; where they do not suffice, the next number of them.
const NODES: [usize; 3] = [12, 24, 48];
/// The relative error of the tail up to which they do.
const PRECISION: f64 = 1e-3;
/// The tail is computed down to about this.
const LEAST: f64 = 1e-22;
/// A `θ` near 0.
const NEAR: f64 = 0.05;

/// The law of the length of the overflow list after a static fill.
#[derive(Debug, Clone, PartialEq)]
pub struct OverflowLaw {
    n: u32,
    /// `ln λ`.
    equivalent: Chebyshev,
}

/// The law of `|L|` after a static fill of sub-tables with these numbers of buckets, each at least one,
/// with `n` elements.
///
/// The relative error of its mean and variance is of the order `1/n²`. [`exceeds`](OverflowLaw::exceeds)
/// says how good the tail is.
///
/// # Errors
/// [`ode::Error`] when the equations cannot be solved, or have too many terms as in
/// [`InsertionRule::fluctuations`].
pub fn overflow_law(
    rule: InsertionRule,
    n: u32,
    buckets: &[u32],
) -> Result<OverflowLaw, ode::Error> {
    let outcomes = Outcomes::new(rule, buckets.len())?;
    let hamiltonian = Hamiltonian::new(&outcomes, &sizes(n, buckets));
    let fluid = Path::fluid(&hamiltonian)?;
    let near = fluid.continued(&hamiltonian, NEAR)?;
    let [low, guess] = tilts(n, &fluid, &near);
    let high = reach(n, &hamiltonian, near, guess);
    let low = within_reach(&hamiltonian, &fluid, low.min(-0.25 * high));
    let found = |nodes| equivalent(n, &hamiltonian, &fluid, [low, high], nodes);
    let mut equivalent = found(NODES[0])?;
    for nodes in &NODES[1..] {
        let law = OverflowLaw { n, equivalent };
        if law.uncertainty() < PRECISION {
            return Ok(law);
        }
        equivalent = found(*nodes)?;
    }
    Ok(OverflowLaw { n, equivalent })
}

/// The `θ` with which the probability is about [`LEAST`], from a path and a guess: not where a Poisson law
/// has it if the overflow scatters less, or, once the last sub-tables are full, much more. Less if no
/// path is found so far.
fn reach(n: u32, hamiltonian: &Hamiltonian, near: Path, guess: f64) -> f64 {
    let root_of_rate = |path: &Path| (f64::from(n) * path.rate() / -LEAST.ln()).sqrt();
    let (mut inner, mut outer, mut tilt) = (near, None, guess);
    for _ in 0..10 {
        let path = inner.furthest(hamiltonian, tilt);
        let (reached, root) = (path.tilt, root_of_rate(&path));
        if (0.95..1.2).contains(&root) || (reached != tilt && root < 1.2) {
            return reached;
        }
        if root < 1.0 {
            inner = path;
        } else {
            outer = Some((reached, root));
        }
        let root = root_of_rate(&inner);
        tilt = match outer {
            None => tilt * (1.05 / root).clamp(1.1, 2.0),
            Some((outer, beyond)) => {
                let part = ((1.05 - root) / (beyond - root)).clamp(0.1, 0.9);
                inner.tilt + part * (outer - inner.tilt)
            }
        };
    }
    inner.tilt
}

/// The `θ`, or where no path is found somewhat less: of tables that all but must overflow, shorter lists
/// have none.
fn within_reach(hamiltonian: &Hamiltonian, fluid: &Path, tilt: f64) -> f64 {
    let reached = fluid.furthest(hamiltonian, tilt).tilt;
    if reached == tilt { tilt } else { 0.9 * reached }
}

/// `ln λ` between two values of `θ`.
fn equivalent(
    n: u32,
    hamiltonian: &Hamiltonian,
    fluid: &Path,
    [low, high]: [f64; 2],
    nodes: usize,
) -> Result<Chebyshev, ode::Error> {
    let nodes = Chebyshev::nodes(low, high, nodes);
    let mut values = vec![0.0; nodes.len()];
    // From the fluid limit outwards, so that each path is found from the one before.
    let middle = nodes.partition_point(|&tilt| tilt < 0.0);
    for side in [(middle..nodes.len()).collect::<Vec<_>>(), (0..middle).rev().collect()] {
        let mut path = fluid.clone();
        for i in side {
            path = path.continued(hamiltonian, nodes[i])?;
            values[i] = (cumulant(n, &path) / nodes[i].exp_m1()).ln();
        }
    }
    Ok(Chebyshev::through(low, high, &values))
}

/// Buckets per element.
pub(super) fn sizes(n: u32, buckets: &[u32]) -> Vec<f64> {
    buckets.iter().map(|&m| f64::from(m) / f64::from(n)).collect()
}

/// `ln E[e^(θ|L|)]`.
fn cumulant(n: u32, path: &Path) -> f64 {
    f64::from(n) * path.start().value + path.start().correction
}

/// The values of `θ` that matter, as far as one can guess: from a mean of ¼ or a probability of 1e-6 to
/// a probability of [`LEAST`]. These are those of a Poisson law whose mean is the mean or the variance, whichever is
/// less, as two paths show them, for `θ = 0` and [`NEAR`].
fn tilts(n: u32, fluid: &Path, near: &Path) -> [f64; 2] {
    let variance = (near.overflow() - fluid.overflow()) / NEAR;
    let mean = (f64::from(n) * fluid.overflow().min(variance)).max(f64::MIN_POSITIVE);
    let rate = |tilt: f64| mean * (tilt * tilt.exp() - tilt.exp_m1());
    let high = bisect(0.0, 700.0, |tilt| rate(tilt) + LEAST.ln());
    let low = bisect(-700.0, 0.0, |tilt| 1e6_f64.ln() - rate(tilt));
    [low.max((0.25 / mean).ln()), high]
}

impl OverflowLaw {
    /// The mean.
    pub fn mean(&self) -> f64 {
        self.slopes(0.0)[0]
    }

    /// The variance.
    pub fn variance(&self) -> f64 {
        self.slopes(0.0)[1]
    }

    /// Probability of more than `k` elements on the list.
    ///
    /// Below about 1e-22 it goes on with the slope it has there, which makes it too large. The relative
    /// error elsewhere is small unless so few elements look at the last sub-table that their number is no
    /// matter of large numbers: means far below one in tables of some hundred elements.
    pub fn exceeds(&self, k: u32) -> f64 {
        if k >= self.n {
            return 0.0;
        }
        let x = f64::from(k) + 0.5;
        let [low, high] = self.equivalent.domain();
        let end = self.slopes(high)[0] - 0.5;
        if f64::from(k) > end {
            return self.beyond(end, k);
        }
        let tilt = bisect(low, high, |tilt| self.slopes(tilt)[0] - x);
        if tilt <= low + 1e-9 {
            return 1.0;
        }
        self.saddlepoint(tilt, k)
    }

    /// The tail beyond `k`, which is beyond `end`: a geometric sequence from the last one that is known.
    fn beyond(&self, end: f64, k: u32) -> f64 {
        let [_, high] = self.equivalent.domain();
        if end < 0.0 {
            return (self.value(high) - high * (f64::from(k) + 0.5)).exp().min(1.0);
        }
        let last = end as u32;
        self.exceeds(last) * (-high * f64::from(k - last)).exp()
    }

    /// The relative error of the tail that there may be for want of values of `θ`.
    fn uncertainty(&self) -> f64 {
        let [_, high] = self.equivalent.domain();
        self.equivalent.last_terms() * self.slopes(high)[0].abs()
    }

    /// The smallest list that is exceeded with at most this probability.
    pub fn cam_size(&self, failure: f64) -> u32 {
        smallest(self.n, |k| self.exceeds(k) <= failure)
    }

    /// The `θ` at which the tilted mean is `x`.
    pub(super) fn tilt(&self, x: f64) -> f64 {
        let [low, high] = self.equivalent.domain();
        bisect(low, high, |tilt| self.slopes(tilt)[0] - x)
    }

    /// `K(θ)`.
    fn value(&self, tilt: f64) -> f64 {
        tilt.exp_m1() * self.equivalent.derivatives(tilt)[0].exp()
    }

    /// `K′(θ)` and `K″(θ)`.
    fn slopes(&self, tilt: f64) -> [f64; 2] {
        let [log, log_slope, log_bend] = self.equivalent.derivatives(tilt);
        let mean = log.exp();
        let (slope, bend) = (mean * log_slope, mean * (log_bend + log_slope * log_slope));
        let (power, power_less_1) = (tilt.exp(), tilt.exp_m1());
        let first = power * mean + power_less_1 * slope;
        [first, power * (mean + 2.0 * slope) + power_less_1 * bend]
    }

    /// The tail beyond `k`, which is `K′(θ) − ½`.
    fn saddlepoint(&self, tilt: f64, k: u32) -> f64 {
        let rate = self.rate(tilt);
        let base = poisson_exceeds(poisson_mean(f64::from(k) + 0.5, rate.copysign(tilt)), k);
        // The two terms cancel where θ is 0, and their difference is smooth.
        let [low, high] = self.equivalent.domain();
        let near = 0.02 * (high - low);
        let correction = if tilt.abs() < near {
            let s = (tilt + near) / (2.0 * near);
            self.correction(-near) * (1.0 - s) + self.correction(near) * s
        } else {
            self.correction(tilt)
        };
        (base + (-rate).exp() / std::f64::consts::TAU.sqrt() * correction).clamp(0.0, 1.0)
    }

    /// `θ·K′(θ) − K(θ)`.
    fn rate(&self, tilt: f64) -> f64 {
        (tilt * self.slopes(tilt)[0] - self.value(tilt)).max(0.0)
    }

    /// `1/u` less that of the Poisson law.
    fn correction(&self, tilt: f64) -> f64 {
        let [x, variance] = self.slopes(tilt);
        let poisson = (x / poisson_mean(x, self.rate(tilt).copysign(tilt))).ln();
        let u = |tilt: f64, variance: f64| 2.0 * (tilt / 2.0).sinh() * variance.sqrt();
        1.0 / u(tilt, variance) - 1.0 / u(poisson, x)
    }
}

/// The mean of the Poisson law with the rate `x·ln(x/λ) − x + λ`: less than `x` if the rate is positive,
/// more if it is negative and to be taken without the sign.
fn poisson_mean(x: f64, rate: f64) -> f64 {
    let by_tilt = |tilt: f64| x * (tilt + (-tilt).exp_m1());
    let tilt = if rate < 0.0 {
        bisect(-700.0, 0.0, |tilt| -rate - by_tilt(tilt))
    } else {
        bisect(0.0, 700.0, |tilt| by_tilt(tilt) - rate)
    };
    x * (-tilt).exp()
}

/// Probability that a Poisson variable is more than `k`.
pub fn poisson_exceeds(mean: f64, k: u32) -> f64 {
    Demand::poisson(mean, k.saturating_add(1)).at_least(k.saturating_add(1))
}

/// The smallest `k` that a Poisson variable exceeds with at most this probability.
pub fn poisson_cam_size(mean: f64, failure: f64) -> u32 {
    smallest(u32::MAX, |k| poisson_exceeds(mean, k) <= failure)
}

/// The smallest `k` that satisfies a condition which all greater ones satisfy as well; at most `most`.
fn smallest(most: u32, satisfies: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, 1);
    while high < most && !satisfies(high) {
        (low, high) = (high, high.saturating_mul(2).min(most));
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if satisfies(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::super::standard_law;
    use super::*;

    const STANDARD: InsertionRule = InsertionRule::Standard { bucket_size: 1 };
    /// Table 5.1(b) with 10,000 elements.
    const BUCKETS: [u32; 4] = [7867, 5149, 3152, 1782];

    /// Section 5.8, where the last probability is printed as 3.77e-15.
    #[test]
    fn poisson_of_section_5_8() {
        assert_eq!(format!("{:.3e}", poisson_exceeds(20.0, 64)), "1.319e-15");
        assert_eq!(poisson_cam_size(20.0, 1.319e-15), 65);
        assert_eq!(poisson_cam_size(20.0, 1.32e-15), 64);
        assert_eq!(poisson_cam_size(1e-9, 1e-8), 0);
    }

    #[test]
    fn the_tail_of_the_standard_scheme() {
        let exact = standard_law(10_000, &BUCKETS).unwrap().overflow;
        let law = overflow_law(STANDARD, 10_000, &BUCKETS).unwrap();
        assert!((law.mean() / exact.mean() - 1.0).abs() < 2e-6);
        assert!((law.variance() / exact.variance() - 1.0).abs() < 2e-6);
        for k in [5, 15, 19, 20, 25, 30, 40, 50, 60, 70] {
            let ratio = law.exceeds(k) / exact.exceeds(k);
            assert!((ratio - 1.0).abs() < 5e-4, "{k} {ratio}");
        }
        for failure in [0.3, 1e-3, 1e-6, 1e-12, 1e-15] {
            let least = (0..).find(|&k| exact.exceeds(k) <= failure);
            assert_eq!(Some(law.cam_size(failure)), least);
        }
    }

    /// Where hardly any element overflows, and where most do.
    #[test]
    fn short_and_long_lists() {
        for (n, buckets) in [
            (1000, &[1500, 1000, 600][..]),
            (1000, &[1000, 800, 600, 400]),
            (2000, &[900, 300]),
            (3000, &[1000]),
        ] {
            let exact = standard_law(n, buckets).unwrap().overflow;
            let law = overflow_law(STANDARD, n, buckets).unwrap();
            assert!(
                (law.mean() / exact.mean() - 1.0).abs() < 2e-3,
                "{} {}",
                law.mean(),
                exact.mean()
            );
            assert!((law.variance() / exact.variance() - 1.0).abs() < 0.02, "{n} {buckets:?}");
            for failure in [0.1, 1e-3, 1e-9] {
                let k = law.cam_size(failure);
                let ratio = law.exceeds(k) / exact.exceeds(k);
                assert!((ratio - 1.0).abs() < 0.02, "{n} {buckets:?} {k} {ratio}");
            }
        }
    }

    /// Where the overflow scatters much less than a Poisson law, down to 1e-21.
    #[test]
    fn the_far_tail_of_full_tables() {
        for (n, buckets) in [(143, &[119, 119][..]), (574, &[161; 5]), (800, &[100; 7])] {
            let exact = standard_law(n, buckets).unwrap().overflow;
            let law = overflow_law(STANDARD, n, buckets).unwrap();
            for failure in [1e-6, 1e-12, 1e-15, 1e-20] {
                let k = law.cam_size(failure);
                let ratio = law.exceeds(k) / exact.exceeds(k);
                assert!((ratio - 1.0).abs() < 0.01, "{n} {buckets:?} {k} {ratio}");
            }
        }
    }

    /// Where the last sub-table is small, and once it is full there is no end of the overflow.
    #[test]
    fn tails_fall_where_a_small_sub_table_fills() {
        for (rule, n, buckets) in [
            (InsertionRule::ExtremeSecondChance, 534, [223, 212, 155, 58]),
            (InsertionRule::SecondChanceOfTwo, 465, [80, 82, 49, 20]),
        ] {
            let law = overflow_law(rule, n, &buckets).unwrap();
            let most = law.cam_size(1e-30).max(law.mean() as u32 + 20);
            let tails: Vec<f64> = (0..most).map(|k| law.exceeds(k)).collect();
            let rises = tails.windows(2).position(|pair| pair[1] > pair[0]);
            assert_eq!(rises, None, "{rule:?} {buckets:?}");
        }
    }

    /// With one element in thirty tables.
    #[test]
    fn tails_of_small_means() {
        let (n, buckets) = (267, [179; 4]);
        let exact = standard_law(n, &buckets).unwrap().overflow;
        let law = overflow_law(STANDARD, n, &buckets).unwrap();
        assert!(exact.mean() < 0.04, "{}", exact.mean());
        for failure in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
            let k = law.cam_size(failure);
            let ratio = law.exceeds(k) / exact.exceeds(k);
            assert!((ratio - 1.0).abs() < 0.03, "{k} {ratio}");
        }
    }

    /// Four sub-tables of extreme second chance, eight of second chance, and a small last sub-table that
    /// few elements look at.
    #[test]
    fn many_and_small_sub_tables() {
        for (rule, n, buckets) in [
            (InsertionRule::ExtremeSecondChance, 10_000, &[2900, 2900, 2900, 2900][..]),
            (InsertionRule::SecondChance, 27_000, &[4400; 8]),
            (STANDARD, 100_000, &[150_000, 100_000, 60_000, 90]),
        ] {
            let law = overflow_law(rule, n, buckets).unwrap();
            let sizes: Vec<f64> = buckets.iter().map(|&m| f64::from(m) / f64::from(n)).collect();
            let mean = f64::from(n) * rule.static_fill(&sizes).unwrap().overflow;
            assert!((law.mean() / mean - 1.0).abs() < 0.02, "{rule:?} {} {mean}", law.mean());
        }
    }

    #[test]
    fn large_tables_have_gaussian_fluctuations() {
        for (rule, buckets) in [
            (InsertionRule::SecondChance, [500_000, 400_000, 200_000]),
            (InsertionRule::SecondChanceOfTwo, [250_000, 200_000, 100_000]),
        ] {
            let law = overflow_law(rule, 1_000_000, &buckets).unwrap();
            let limit = rule.fluctuations(&buckets.map(|m| f64::from(m) / 1e6)).unwrap().overflow;
            assert!((law.mean() / 1e6 / limit.mean - 1.0).abs() < 1e-4, "{rule:?}");
            assert!((law.variance() / 1e6 / limit.variance - 1.0).abs() < 1e-4, "{rule:?}");
        }
    }

    #[test]
    fn the_list_is_not_longer_than_the_elements() {
        let law = overflow_law(STANDARD, 100, &[60, 30]).unwrap();
        assert_eq!((law.exceeds(100), law.exceeds(u32::MAX)), (0.0, 0.0));
        assert!(law.cam_size(0.0) <= 100);
        assert_eq!(law.cam_size(1.0), 0);
    }

    #[test]
    fn unusable_tables_are_errors() {
        for (n, buckets) in [(10, &[5, 0][..]), (10_000, &[9999, 1])] {
            assert!(overflow_law(STANDARD, n, buckets).is_err(), "{n} {buckets:?}");
        }
    }
}
