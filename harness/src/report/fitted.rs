//! Laws with the parameters of a measured distribution function, to be drawn beside it.

use std::f64::consts::SQRT_2;

use statrs::function::erf::erfc;
use statrs::function::gamma::ln_gamma;

use super::figure::{Curve, Measured};
use crate::definition::FittedLaw;

/// Vertices of the normal law.
const STEPS: u32 = 200;

/// Distance of the upper quartile of the normal law from its mean, in standard deviations.
const QUARTILE: f64 = 0.674_489_750_196_082;

/// Between two vertices that are not joined.
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// The law that fits what was measured of a distribution function; `None` where too little was.
pub(super) fn curve(law: FittedLaw, label: &str, measured: &[Measured]) -> Option<Curve> {
    let (law, points) = match law {
        FittedLaw::Normal => ("normal law with its quartiles", normal(measured)?),
        FittedLaw::Poisson => ("Poisson law with its mean", poisson(measured)?),
    };
    Some(Curve { label: format!("{label}, {law}"), points })
}

fn normal(measured: &[Measured]) -> Option<Vec<(f64, f64)>> {
    let (low, high) = (quantile(measured, 0.25)?, quantile(measured, 0.75)?);
    let (mean, deviation) = (f64::midpoint(low, high), (high - low) / 2.0 / QUARTILE);
    let (first, last) = (measured.first()?.x, measured.last()?.x);
    let at = |step: u32| first + (last - first) * f64::from(step) / f64::from(STEPS);
    let below = |x: f64| 0.5 * erfc((mean - x) / deviation / SQRT_2);
    Some((0..=STEPS).map(at).map(|x| (x, below(x))).collect())
}

/// Where the measured function crosses `share`, on a line between the two places around it.
fn quantile(measured: &[Measured], share: f64) -> Option<f64> {
    let pair = measured.windows(2).find(|pair| pair[0].y <= share && share <= pair[1].y)?;
    let rise = pair[1].y - pair[0].y;
    let part = if rise > 0.0 { (share - pair[0].y) / rise } else { 0.5 };
    Some(pair[0].x + (pair[1].x - pair[0].x) * part)
}

/// The mean is the sum of the shares above each number, so that all of them from 0 on must be there.
fn poisson(measured: &[Measured]) -> Option<Vec<(f64, f64)>> {
    let from_zero = (0u32..).zip(measured).all(|(number, m)| f64::from(number) == m.x);
    let mean: f64 = measured.iter().map(|m| 1.0 - m.y).sum();
    let reaches_one = measured.last().is_some_and(|m| m.y >= 1.0);
    if !(from_zero && reaches_one && mean > 0.0) {
        return None;
    }
    let term = |x: f64| (x * mean.ln() - mean - ln_gamma(x + 1.0)).exp();
    let below = measured.iter().scan(0.0, |sum, m| {
        *sum += term(m.x);
        Some((m.x, f64::min(*sum, 1.0)))
    });
    Some(below.flat_map(|vertex| [vertex, BREAK]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(law: impl Fn(f64) -> f64) -> Vec<Measured> {
        let at = |x: u32| f64::from(x);
        (0..60).map(at).map(|x| Measured { x, y: law(x), low: f64::NAN, high: f64::NAN }).collect()
    }

    /// Fitted to a law of its own kind, each gives it back.
    #[test]
    fn a_law_fits_itself() {
        let normal = |x: f64| 0.5 * erfc((30.0 - x) / 6.0 / SQRT_2);
        let found = curve(FittedLaw::Normal, "a", &measured(normal)).unwrap();
        assert!(found.points.iter().all(|&(x, y)| (y - normal(x)).abs() < 5e-3));
        let terms = |x: f64| {
            (0..=x as u32).map(|k| 7f64.powf(k.into()) / (1..=k).map(f64::from).product::<f64>())
        };
        let poisson = |x: f64| (terms(x).sum::<f64>() * (-7f64).exp()).min(1.0);
        let mut all = measured(poisson);
        all.last_mut().unwrap().y = 1.0;
        let found = curve(FittedLaw::Poisson, "a", &all).unwrap();
        let drawn = found.points.iter().filter(|point| point.0.is_finite());
        assert!(
            drawn.clone().count() == 60
                && drawn.clone().all(|&(x, y)| (y - poisson(x)).abs() < 1e-6)
        );
    }

    #[test]
    fn what_was_not_measured_far_enough_has_no_law() {
        let part = &measured(|x| 0.01 * x)[..20];
        assert!(curve(FittedLaw::Normal, "a", part).is_none());
        assert!(curve(FittedLaw::Poisson, "a", part).is_none());
    }
}
