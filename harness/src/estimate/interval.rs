//! Confidence intervals of a mean, and how surprising a t statistic is.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;

use super::moments::Moments;

/// Confidence level of every interval in the tables.
pub const LEVEL: f64 = 0.95;

/// A confidence interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Student's two-sided interval for the mean at [`LEVEL`], or `None` below two trials.
///
/// It rests on trials being independent and on their mean being close to normal, which the central
/// limit theorem gives for all but the rarest events. It is not clipped to the quantity's range.
pub fn confidence_interval(moments: &Moments) -> Option<Interval> {
    let half = half_width(moments)?;
    let mean = moments.mean()?;
    Some(Interval { low: mean - half, high: mean + half })
}

/// Half the width of [`confidence_interval`], or `None` below two trials.
pub fn half_width(moments: &Moments) -> Option<f64> {
    let error = moments.std_error()?;
    Some(error * t_quantile(LEVEL, (moments.count() - 1) as f64))
}

/// The t with which `[-t, t]` holds the share `level` of Student's distribution with `df` degrees
/// of freedom.
///
/// NaN unless `0 < level < 1` and `df > 0`.
pub fn t_quantile(level: f64, df: f64) -> f64 {
    if !(level > 0.0 && level < 1.0) {
        return f64::NAN;
    }
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| -t.inverse_cdf((1.0 - level) / 2.0))
}

/// Probability of a t statistic at least as far from zero as `t`, on either side, with `df` degrees
/// of freedom.
///
/// NaN unless `df > 0`; it keeps its relative accuracy far into the tail.
pub fn p_value(t: f64, df: f64) -> f64 {
    if t.is_nan() || !(df > 0.0) {
        return f64::NAN;
    }
    beta_reg(df / 2.0, 0.5, df / (df + t * t))
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
        for (t, df) in [(f64::NAN, 5.0), (1.0, 0.0), (1.0, f64::NAN)] {
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
