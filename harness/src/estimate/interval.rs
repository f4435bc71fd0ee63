//! Confidence intervals of a mean, and how surprising a t statistic is.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::sync::{Mutex, PoisonError};

use statrs::function::beta::beta_reg;

use super::moments::Moments;

/// Confidence level of every interval in the tables.
pub const LEVEL: f64 = 0.95;

/// Degrees of freedom above which Student's distribution is computed from the normal one: there,
/// the continued fraction of the incomplete beta function begins to converge too slowly.
const LARGE_DF: f64 = 1e4;

/// A confidence interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// How far the further end is from a mean that is inside.
    pub fn half_width(&self, mean: f64) -> f64 {
        (self.high - mean).max(mean - self.low)
    }
}

/// Student's two-sided interval for the mean at [`LEVEL`], or `None` below two trials.
///
/// It rests on trials being independent and on their mean being close to normal, which the central
/// limit theorem gives for all but the rarest events. It is not clipped to the quantity's range: shares
/// have [`share_interval`](super::share::share_interval).
pub fn confidence_interval(moments: &Moments) -> Option<Interval> {
    let half = half_width(moments)?;
    let mean = moments.mean()?;
    Some(Interval { low: mean - half, high: mean + half })
}

/// Wilson's interval of a share of `events`, `quantile` standard errors to each side.
pub(super) fn wilson(share: f64, events: f64, quantile: f64) -> Interval {
    if !events.is_finite() {
        return Interval { low: share, high: share };
    }
    let weight = quantile * quantile / events;
    let centre = (share + weight / 2.0) / (1.0 + weight);
    let variance = share * (1.0 - share) / events + weight / events / 4.0;
    let half = quantile * variance.sqrt() / (1.0 + weight);
    Interval { low: (centre - half).clamp(0.0, share), high: (centre + half).clamp(share, 1.0) }
}

/// Half the width of [`confidence_interval`], or `None` below two trials.
pub fn half_width(moments: &Moments) -> Option<f64> {
    let error = moments.std_error()?;
    Some(error * t_quantile(LEVEL, (moments.count() - 1) as f64))
}

/// The t with which `[-t, t]` holds the share `level` of Student's distribution with `df` degrees
/// of freedom.
///
/// NaN unless `0 < level < 1` and `df` is positive and finite. It is found by bisecting
/// [`p_value`]: the inverse in statrs 0.19 is off from 10⁵ degrees of freedom on, and from 10⁸ on
/// it does not return.
pub fn t_quantile(level: f64, df: f64) -> f64 {
    if !(level > 0.0 && level < 1.0 && df > 0.0 && df.is_finite()) {
        return f64::NAN;
    }
    let key = [level, df].map(f64::to_bits);
    // Nothing under the lock can panic half-way.
    let mut known = QUANTILES.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry(key).or_insert_with(|| bisected_quantile(level, df))
}

/// Quantiles by level and degrees of freedom: a table of many rows asks for the same few, again and again.
static QUANTILES: Mutex<BTreeMap<[u64; 2], f64>> = Mutex::new(BTreeMap::new());

fn bisected_quantile(level: f64, df: f64) -> f64 {
    let is_inside = |t| p_value(t, df) > 1.0 - level;
    let mut outside = 1.0;
    while is_inside(outside) {
        outside *= 2.0;
    }
    let mut inside = 0.0;
    while outside - inside > f64::EPSILON * outside {
        let middle = inside + (outside - inside) / 2.0;
        *(if is_inside(middle) { &mut inside } else { &mut outside }) = middle;
    }
    outside
}

/// Probability of a t statistic at least as far from zero as `t`, on either side, with `df` degrees
/// of freedom.
///
/// NaN unless `df` is positive and finite; it keeps its relative accuracy far into the tail.
pub fn p_value(t: f64, df: f64) -> f64 {
    if t.is_nan() || !df.is_finite() || df <= 0.0 {
        f64::NAN
    } else if df > LARGE_DF {
        libm::erfc(normal_deviate(t, df) / SQRT_2)
    } else {
        beta_reg(df / 2.0, 0.5, df / (df + t * t))
    }
}

/// The standard normal deviate that is as improbable as `t`, for many degrees of freedom: Hill,
/// "Algorithm 395: Student's t-distribution" (1970).
fn normal_deviate(t: f64, df: f64) -> f64 {
    let a = df - 0.5;
    let b = 48.0 * a * a;
    let squared = a * libm::log1p(t * t / df);
    let correction = ((4.0 * squared + 33.0) * squared + 240.0) * squared + 855.0;
    let correction = correction / (10.0 * (b + 0.8 * squared * squared + 100.0));
    squared.sqrt() * (1.0 + (squared + 3.0 - correction) / b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(a: f64, b: f64, relative: f64) {
        assert!((a - b).abs() <= relative * b.abs(), "{a} is not {b}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table = [
            (1.0, 12.706_204_736_432),
            (2.0, 4.302_652_729_911),
            (10.0, 2.228_138_851_965),
            (30.0, 2.042_272_456_301),
            (120.0, 1.979_930_405_052),
            (1e6, 1.959_966_358),
            (1e12, 1.959_963_984_540),
        ];
        for (df, t) in table {
            assert_close(t_quantile(0.95, df), t, 1e-8);
        }
        assert_close(t_quantile(0.99, 10.0), 3.169_272_672_616, 1e-9);
    }

    #[test]
    fn p_values_invert_quantiles_and_hold_far_out() {
        for df in [1.0, 3.0, 29.0, 1e4, 1e7] {
            assert_eq!(p_value(0.0, df), 1.0);
            for level in [0.01, 0.5, 0.95, 0.999_999] {
                let t = t_quantile(level, df);
                assert_close(p_value(t, df), 1.0 - level, 1e-5);
                assert_eq!(p_value(-t, df), p_value(t, df));
            }
        }
        // With one degree of freedom, 1 − (2/π)·atan t, which is (2/π)·atan(1/t).
        let t = 1e8f64;
        assert_close(p_value(t, 1.0), 2.0 / std::f64::consts::PI * (1.0 / t).atan(), 1e-9);
        // The two ways to compute it meet.
        for t in [1e-3, 0.1, 1.0, 3.0, 10.0] {
            assert_close(p_value(t, LARGE_DF), p_value(t, LARGE_DF + 1e-6), 1e-9);
        }
        // The normal distribution's, to which Student's tends.
        assert_close(p_value(6.0, 1e9), 1.973_175_3e-9, 1e-5);
        assert_eq!(p_value(f64::INFINITY, 5.0), 0.0);
    }

    #[test]
    fn what_no_distribution_has_is_not_a_number() {
        for (level, df) in
            [(0.0, 5.0), (1.0, 5.0), (f64::NAN, 5.0), (0.95, 0.0), (0.95, -1.0), (0.95, f64::NAN)]
        {
            assert!(t_quantile(level, df).is_nan(), "{level} {df}");
        }
        for (t, df) in [(f64::NAN, 5.0), (1.0, 0.0), (1.0, f64::NAN), (1.0, f64::INFINITY)] {
            assert!(p_value(t, df).is_nan(), "{t} {df}");
        }
    }

    #[test]
    fn the_interval_of_three_values_by_hand() {
        let moments: Moments = [1.0, 2.0, 3.0].into_iter().collect();
        let interval = confidence_interval(&moments).unwrap();
        let half = 4.302_652_729_911 / 3f64.sqrt();
        assert_close(interval.low, 2.0 - half, 1e-9);
        assert_close(interval.high, 2.0 + half, 1e-9);
        assert_eq!(confidence_interval(&[1.0].into_iter().collect()), None);
    }
}
