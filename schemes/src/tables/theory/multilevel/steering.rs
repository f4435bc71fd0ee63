//! How to steer a simulation to an overflow list of a given length.
//!
//! Where the counts per element are `u` after `t·n` insertions, the probability that the list gets as
//! long as `x` is about `e^(n·S_θ(t, u) − θx)` with that `θ` for which this is least (Legendre's
//! transform; `S_θ` is from [`path`](super::path)), and the likeliest way there has the momentum
//! `∂S_θ/∂u`. So `θ` is chosen again and again: more where the list is behind, none once it is long
//! enough. Dupuis and Wang, "Subsolutions of an Isaacs Equation and Efficient Schemes for Importance
//! Sampling" (2007), show that such schemes are efficient. With one `θ` for all, most runs would miss the
//! length or go far beyond it, with very different weights.

use nalgebra::DVector;

use super::hamiltonian::Hamiltonian;
use super::path::Path;
use super::tail::OverflowLaw;
use crate::math::elementary::ln;
use crate::tables::theory::TheoryError;

/// The lengths for whose `θ` there are paths, as multiples of the one that is aimed at.
const MULTIPLES: [f64; 5] = [0.25, 0.5, 1.0, 1.6, 2.5];

/// The least distance between them.
const LEAST_STEP: f64 = 1e-3;

pub(super) struct Steering {
    n: f64,
    /// The length of the list.
    aim: f64,
    /// In increasing order of `θ`, from 0.
    paths: Vec<Path>,
}

impl Steering {
    /// Towards a list of more than `k` elements. Without any steering where `k` is below the mean.
    pub(super) fn new(
        hamiltonian: &Hamiltonian,
        law: &OverflowLaw,
        n: u32,
        k: u32,
    ) -> Result<Self, TheoryError> {
        let aim = f64::from(k) + 1.0;
        let mut paths = vec![Path::fluid(hamiltonian)?];
        let tilts = MULTIPLES.map(|multiple| law.tilt(multiple * aim));
        for tilt in tilts.into_iter().filter(|_| law.tilt(aim) > 0.0) {
            let last = &paths[paths.len() - 1];
            if tilt > last.tilt + LEAST_STEP {
                let next = last.furthest(hamiltonian, tilt);
                paths.push(next);
            }
        }
        Ok(Self { n: n.into(), aim, paths })
    }

    /// Whether runs are left to themselves.
    pub(super) fn idle(&self) -> bool {
        self.paths.len() == 1
    }

    /// The momentum at time `t` where the counts per element are `means`.
    pub(super) fn momentum(&self, t: f64, means: &DVector<f64>) -> DVector<f64> {
        let outlooks: Vec<_> = self.paths.iter().map(|path| path.outlook(t, means)).collect();
        let values: Vec<[f64; 2]> = self
            .paths
            .iter()
            .zip(&outlooks)
            .map(|(path, (value, _))| [path.tilt, self.n * value])
            .collect();
        let tilt = tilt(&values, self.aim);
        let after = self.paths.partition_point(|path| path.tilt < tilt).max(1);
        if after >= self.paths.len() {
            return outlooks[self.paths.len() - 1].1.clone();
        }
        let [low, high] = [after - 1, after].map(|i| self.paths[i].tilt);
        let part = (tilt - low) / (high - low);
        &outlooks[after - 1].1 * (1.0 - part) + &outlooks[after].1 * part
    }
}

/// The `θ` at which the cumulant generating function with these values `[θ, K(θ)]` has the slope `aim`,
/// between the least and the greatest. The slopes between the values are taken to be powers of e.
fn tilt(values: &[[f64; 2]], aim: f64) -> f64 {
    let slopes: Vec<[f64; 2]> = values
        .windows(2)
        .map(|pair| {
            let width = pair[1][0] - pair[0][0];
            let slope = (pair[1][1] - pair[0][1]) / width;
            [pair[0][0] + width / 2.0, ln(slope.max(f64::MIN_POSITIVE))]
        })
        .collect();
    let most = values[values.len() - 1][0];
    let aim = ln(aim);
    let after = slopes.partition_point(|&[_, slope]| slope < aim);
    if slopes.len() < 2 {
        return if after > 0 { most } else { 0.0 };
    }
    let at = after.clamp(1, slopes.len() - 1);
    let [[low, from], [high, to]] = [slopes[at - 1], slopes[at]];
    if to > from {
        (low + (high - low) * (aim - from) / (to - from)).clamp(0.0, most)
    } else if after > 0 {
        most
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Poisson law with mean 2.
    #[test]
    fn tilts_of_a_poisson_law() {
        let values = [0.0, 0.5, 1.0, 1.5, 2.0].map(|tilt: f64| [tilt, 2.0 * tilt.exp_m1()]);
        for (aim, expected) in [(1.0, 0.0), (2.0, 0.0), (4.0, 2.0_f64.ln()), (9.0, 4.5_f64.ln())] {
            assert!((tilt(&values, aim) - expected).abs() < 0.02, "{aim} {}", tilt(&values, aim));
        }
        assert_eq!(tilt(&values, 30.0), 2.0);
    }

    /// At the end the length of the list is known.
    #[test]
    fn nothing_is_left_to_steer() {
        let values = [0.0, 0.5, 1.0].map(|tilt: f64| [tilt, 3.0 * tilt]);
        assert_eq!((tilt(&values, 3.0), tilt(&values, 4.0)), (0.0, 1.0));
        assert_eq!(tilt(&[[0.0, 0.0]], 3.0), 0.0);
    }
}
