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

use super::InsertionRule;
use super::hamiltonian::Hamiltonian;
use super::outcomes::Outcomes;
use super::path::Path;
use crate::math::bisect::{bisect, smallest};
use crate::math::chebyshev::Chebyshev;
use crate::math::elementary::{exp, exp_m1, ln, sinh};
use crate::math::poisson;
use crate::tables::theory::TheoryError;

/// Values of `θ` at which `λ(θ)` is computed; where they do not suffice, the next number of them.
const NODES: [usize; 3] = [12, 24, 48];
/// The relative error of the tail up to which they do.
const PRECISION: f64 = 1e-3;
/// The tail is computed down to about this.
const LEAST: f64 = 1e-22;
/// Where no paths are found that far, it is at least to be known down to this.
const FAR: f64 = 1e-9;
/// The mean below which the tail is checked against it.
const RARE: f64 = 0.01;
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
/// [`TheoryError`] when the equations cannot be solved, have too many terms as in
/// [`InsertionRule::fluctuations`] or would take minutes, or do not resolve the tail.
pub fn overflow_law(
    rule: InsertionRule,
    n: u32,
    buckets: &[u32],
) -> Result<OverflowLaw, TheoryError> {
    let outcomes = Outcomes::new(rule, buckets.len())?;
    let hamiltonian = Hamiltonian::new(&outcomes, &sizes(n, buckets));
    let fluid = Path::fluid(&hamiltonian)?;
    let near = fluid.continued(&hamiltonian, NEAR)?;
    let [low, guess] = tilts(n, &fluid, &near)?;
    let high = reach(n, &hamiltonian, near, guess);
    let low = within_reach(&hamiltonian, &fluid, low.min(-0.25 * high));
    let mut law = Err(TheoryError::NoTail);
    for nodes in NODES {
        let equivalent = equivalent(n, &hamiltonian, &fluid, [low, high], nodes)?;
        let found = OverflowLaw { n, equivalent };
        let precise = found.uncertainty() < PRECISION;
        law = if found.is_sound() { Ok(found) } else { Err(TheoryError::NoTail) };
        if precise {
            break;
        }
    }
    law
}

/// The `θ` at which the tail has fallen to about [`LEAST`], searched from a path and the `guess` of a
/// Poisson law. The guess is too small where overflow scatters less than Poisson, too large where it
/// scatters more, as it does once the last sub-tables are full. Where no path leads that far, it is the
/// furthest one that is found.
fn reach(n: u32, hamiltonian: &Hamiltonian, near: Path, guess: f64) -> f64 {
    let root_of_rate = |path: &Path| (f64::from(n) * path.rate() / -ln(LEAST)).sqrt();
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

/// `tilt`, or 0.9 of the furthest `θ` towards it for which a path is found: where nearly every table
/// overflows there is no path to a much shorter list.
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
) -> Result<Chebyshev, TheoryError> {
    let nodes = Chebyshev::nodes(low, high, nodes);
    let mut values = vec![0.0; nodes.len()];
    // From the fluid limit outwards, so that each path is found from the one before.
    let middle = nodes.partition_point(|&tilt| tilt < 0.0);
    for side in [(middle..nodes.len()).collect::<Vec<_>>(), (0..middle).rev().collect()] {
        let mut path = fluid.clone();
        for i in side {
            path = path.continued(hamiltonian, nodes[i])?;
            values[i] = ln(cumulant(n, &path) / exp_m1(nodes[i]));
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
/// a probability of [`LEAST`]. These are those of a Poisson law whose mean is the mean or the variance,
/// whichever is less, as two paths show them, for `θ = 0` and [`NEAR`].
///
/// # Errors
/// [`TheoryError::NoTail`] where all of it is less likely than that.
fn tilts(n: u32, fluid: &Path, near: &Path) -> Result<[f64; 2], TheoryError> {
    let variance = (near.overflow() - fluid.overflow()) / NEAR;
    let mean = f64::from(n) * fluid.overflow().min(variance);
    if mean.is_nan() || mean < LEAST {
        return Err(TheoryError::NoTail);
    }
    let rate = |tilt: f64| mean * (tilt * exp(tilt) - exp_m1(tilt));
    let high = bisect(0.0, 700.0, |tilt| rate(tilt) + ln(LEAST));
    let low = bisect(-700.0, 0.0, |tilt| ln(1e6_f64) - rate(tilt));
    Ok([low.max(ln(0.25 / mean)), high])
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
    /// Below about 1e-22, or 1e-9 where no paths are found that far, it goes on with the slope it has
    /// there, which makes it too large. The relative error elsewhere is small unless so few elements
    /// look at the last sub-table that their number is no matter of large numbers: means far below one
    /// in tables of some hundred elements.
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
            return exp(self.value(high) - high * (f64::from(k) + 0.5)).min(1.0);
        }
        let last = end as u32;
        self.exceeds(last) * exp(-high * f64::from(k - last))
    }

    /// The relative error of the tail that there may be for want of values of `θ`.
    fn uncertainty(&self) -> f64 {
        let [_, high] = self.equivalent.domain();
        self.equivalent.last_terms() * self.slopes(high)[0].abs()
    }

    /// Whether this is a law at all: known far enough into the tail, with probabilities that add up. It is
    /// not where no paths are found, or where no polynomial follows `ln λ`.
    fn is_sound(&self) -> bool {
        let [_, high] = self.equivalent.domain();
        self.rate(high) > -ln(FAR) && self.adds_up()
    }

    /// Whether the probabilities of more than 0, 1, … elements add up to about the mean. Tested only where
    /// overflow is rare: elsewhere they always did, but there the sum was up to ten times the mean.
    fn adds_up(&self) -> bool {
        let (mean, sum) = (self.mean(), (0..20).map(|k| self.exceeds(k)).sum::<f64>());
        mean > RARE || (sum / mean - 1.0).abs() < 0.3
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
        exp_m1(tilt) * exp(self.equivalent.derivatives(tilt)[0])
    }

    /// `K′(θ)` and `K″(θ)`.
    fn slopes(&self, tilt: f64) -> [f64; 2] {
        let [log, log_slope, log_bend] = self.equivalent.derivatives(tilt);
        let mean = exp(log);
        let (slope, bend) = (mean * log_slope, mean * (log_bend + log_slope * log_slope));
        let (power, power_less_1) = (exp(tilt), exp_m1(tilt));
        let first = power * mean + power_less_1 * slope;
        [first, power * (mean + 2.0 * slope) + power_less_1 * bend]
    }

    /// The tail beyond `k`, which is `K′(θ) − ½`.
    fn saddlepoint(&self, tilt: f64, k: u32) -> f64 {
        let rate = self.rate(tilt);
        let base = poisson::exceeds(poisson_mean(f64::from(k) + 0.5, rate.copysign(tilt)), k);
        // The two terms cancel where θ is 0, and their difference is smooth.
        let [low, high] = self.equivalent.domain();
        let near = 0.02 * (high - low);
        let correction = if tilt.abs() < near {
            let s = (tilt + near) / (2.0 * near);
            self.correction(-near) * (1.0 - s) + self.correction(near) * s
        } else {
            self.correction(tilt)
        };
        (base + exp(-rate) / std::f64::consts::TAU.sqrt() * correction).clamp(0.0, 1.0)
    }

    /// `θ·K′(θ) − K(θ)`.
    fn rate(&self, tilt: f64) -> f64 {
        (tilt * self.slopes(tilt)[0] - self.value(tilt)).max(0.0)
    }

    /// `1/u` less that of the Poisson law.
    fn correction(&self, tilt: f64) -> f64 {
        let [x, variance] = self.slopes(tilt);
        let poisson = ln(x / poisson_mean(x, self.rate(tilt).copysign(tilt)));
        let u = |tilt: f64, variance: f64| 2.0 * sinh(tilt / 2.0) * variance.sqrt();
        1.0 / u(tilt, variance) - 1.0 / u(poisson, x)
    }
}

/// The mean of the Poisson law with the rate `x·ln(x/λ) − x + λ`: less than `x` if the rate is positive,
/// more if it is negative and to be taken without the sign.
fn poisson_mean(x: f64, rate: f64) -> f64 {
    let by_tilt = |tilt: f64| x * (tilt + exp_m1(-tilt));
    let tilt = if rate < 0.0 {
        bisect(-700.0, 0.0, |tilt| -rate - by_tilt(tilt))
    } else {
        bisect(0.0, 700.0, |tilt| by_tilt(tilt) - rate)
    };
    x * exp(-tilt)
}

#[cfg(test)]
mod tests;
