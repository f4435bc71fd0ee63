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
