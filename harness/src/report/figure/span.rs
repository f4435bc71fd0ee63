//! The stretch of values that an axis shows, and where on it a value is.

use std::f64::consts::SQRT_2;

use statrs::function::erf::{erfc, erfc_inv};

use super::Scale;

/// Spans narrower than this share of their values show rounding noise, not data.
const NARROWEST: f64 = 1e-9;

/// How many decades beyond the values that matter a line may stretch a log axis.
const REACH_DECADES: f64 = 2.0;

/// How many standard deviations beyond them it may stretch a probit axis.
const REACH_DEVIATIONS: f64 = 1.0;

/// Share of the span left free at either end.
const MARGIN: f64 = 0.04;

/// What is left free around a single value, in decades or standard deviations.
const NARROW_MARGIN: f64 = 0.5;

/// The values between the two ends of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) scale: Scale,
}

/// How the ends of an axis are chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) scale: Scale,
    /// Whether values are fractions: an axis does not go beyond 1 for its margin alone.
    pub(super) percent: bool,
    /// A linear axis starts at zero if its least value is at most this share of its greatest.
    pub(super) zero_share: f64,
}

/// The values that an axis should show.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    /// Shown whatever it costs.
    pub(super) core: Vec<f64>,
    /// One list per line, shown as far as the core values stay readable.
    pub(super) lines: Vec<Vec<f64>>,
}

impl Scale {
    /// Whether `value` has a place on an axis of this scale.
    pub(super) fn holds(self, value: f64) -> bool {
        match self {
            Scale::Linear => value.is_finite(),
            Scale::Log => value.is_finite() && value > 0.0,
            Scale::Probit => value > 0.0 && value < 1.0,
        }
    }

    /// The coordinate in which equal steps are equally long.
    pub(super) fn flatten(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Log => value.log10(),
            Scale::Probit => -SQRT_2 * erfc_inv(2.0 * value),
        }
    }

    fn restore(self, flat: f64) -> f64 {
        match self {
            Scale::Linear => flat,
            Scale::Log => 10f64.powf(flat),
            Scale::Probit => 0.5 * erfc(-flat / SQRT_2),
        }
    }
}

impl Span {
    /// A span with ends as given; `None` if it is impossible.
    pub(super) fn new(low: f64, high: f64, scale: Scale) -> Option<Self> {
        let width = scale.flatten(high) - scale.flatten(low);
        let valid = scale.holds(low) && scale.holds(high) && width > 0.0 && width.is_finite();
        valid.then_some(Self { low, high, scale })
    }

    /// Where `value` is, from 0 at the low end to 1 at the high end; may be beyond.
    pub(super) fn share(&self, value: f64) -> f64 {
        let [low, high, at] = [self.low, self.high, value].map(|v| self.scale.flatten(v));
        (at - low) / (high - low)
    }

    /// Whether `value` is between the ends.
    pub(super) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The ends that show `values`; `None` when there are none.
///
/// All values must have a place on the scale.
pub(super) fn ends(values: &Values, choice: Choice) -> Option<(f64, f64)> {
    let flat = |values: &[f64]| extent(values.iter().map(|&v| choice.scale.flatten(v)));
    let lines: Vec<(f64, f64)> = values.lines.iter().filter_map(|line| flat(line)).collect();
    let shown = match flat(&values.core) {
        Some(core) => stretch(core, &lines, choice.scale),
        None => extent(lines.iter().flat_map(|&(low, high)| [low, high]))?,
    };
    let padded = match choice.scale {
        Scale::Linear => pad_linear(shown, choice),
        // Short of the least and greatest numbers, which have no logarithm to come back from.
        Scale::Log => pad_within(shown, (-307.0, 308.0)),
        // Short of the probabilities that round to 0 and 1.
        Scale::Probit => pad_within(shown, (-37.0, 8.0)),
    };
    Some((choice.scale.restore(padded.0), choice.scale.restore(padded.1)))
}

fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().fold(None, |extent, v| {
        let (low, high) = extent.unwrap_or((v, v));
        Some((v.min(low), v.max(high)))
    })
}

/// Widens `core` towards lines: at least until a part of each shows, at most by the reach.
fn stretch(core: (f64, f64), lines: &[(f64, f64)], scale: Scale) -> (f64, f64) {
    let reach = match scale {
        Scale::Linear => core.1 - core.0,
        Scale::Log => REACH_DECADES,
        Scale::Probit => REACH_DEVIATIONS,
    };
    lines.iter().fold(core, |shown, &(low, high)| {
        let gap = (low - core.1).max(core.0 - high).max(0.0);
        let reach = if scale == Scale::Linear { reach.max(gap) } else { reach };
        (shown.0.min(low.max(core.0 - reach)), shown.1.max(high.min(core.1 + reach)))
    })
}

fn pad_linear((low, high): (f64, f64), choice: Choice) -> (f64, f64) {
    if low == 0.0 && high == 0.0 {
        return (0.0, 1.0);
    }
    if high - low <= NARROWEST * low.abs().max(high.abs()) {
        return (low - 0.25 * low.abs(), high + 0.25 * high.abs());
    }
    let from_zero = low >= 0.0 && low <= choice.zero_share * high;
    let margin = MARGIN * if from_zero { high } else { high - low };
    let start = if from_zero { 0.0 } else { low - margin };
    let end = high + margin;
    (
        if low >= 0.0 { start.max(0.0) } else { start },
        if choice.percent && high <= 1.0 { end.min(1.0) } else { end },
    )
}

/// Where all values are beyond an end, what is next to that end is shown.
fn pad_within((low, high): (f64, f64), (least, greatest): (f64, f64)) -> (f64, f64) {
    let width = high - low;
    let margin = if width <= NARROWEST { NARROW_MARGIN } else { MARGIN * width };
    (
        (low - margin).clamp(least, greatest - NARROW_MARGIN),
        (high + margin).clamp(least + NARROW_MARGIN, greatest),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEAR: Choice = Choice { scale: Scale::Linear, percent: false, zero_share: 0.5 };
    const LOG: Choice = Choice { scale: Scale::Log, ..LINEAR };

    fn core(values: &[f64], choice: Choice) -> (f64, f64) {
        ends(&Values { core: values.to_vec(), lines: vec![] }, choice).unwrap()
    }

    #[test]
    fn data_near_zero_start_at_zero_and_others_have_margins() {
        assert_eq!(core(&[0.1, 1.0], LINEAR), (0.0, 1.04));
        assert_eq!(core(&[9.0, 10.0], LINEAR), (8.96, 10.04));
        let percent = Choice { percent: true, ..LINEAR };
        assert_eq!(core(&[0.1, 0.99], percent), (0.0, 1.0));
        assert_eq!(core(&[-1.0, 1.0], LINEAR), (-1.08, 1.08));
    }

    #[test]
    fn equal_values_have_an_axis_around_them() {
        assert_eq!(core(&[0.0], LINEAR), (0.0, 1.0));
        assert_eq!(core(&[4.0, 4.0], LINEAR), (3.0, 5.0));
        assert_eq!(core(&[-4.0], LINEAR), (-5.0, -3.0));
        let (low, high) = core(&[10.0], LOG);
        assert!(low < 4.0 && high > 30.0);
        assert_eq!(ends(&Values::default(), LINEAR), None);
    }

    #[test]
    fn a_line_does_not_squeeze_the_data() {
        let values = Values { core: vec![1.0, 2.0], lines: vec![vec![1.5, 1e6]] };
        let (_, high) = ends(&values, LINEAR).unwrap();
        assert!(high > 3.0 && high < 3.5);
        let values = Values { core: vec![0.1, 1.0], lines: vec![vec![1e-30, 0.5]] };
        let (low, _) = ends(&values, LOG).unwrap();
        assert!(low < 1e-3 && low > 1e-4);
    }

    #[test]
    fn a_line_far_from_the_data_is_still_seen() {
        let values = Values { core: vec![10.0, 11.0], lines: vec![vec![1.0, 2.0]] };
        let (low, high) = ends(&values, LINEAR).unwrap();
        assert!(low < 2.0 && high > 11.0);
    }

    #[test]
    fn impossible_spans_are_refused() {
        assert!(Span::new(1.0, 1.0, Scale::Linear).is_none());
        assert!(Span::new(2.0, 1.0, Scale::Linear).is_none());
        assert!(Span::new(0.0, 1.0, Scale::Log).is_none());
        assert!(Span::new(-f64::MAX, f64::MAX, Scale::Linear).is_none());
        assert!(Span::new(f64::NAN, 1.0, Scale::Linear).is_none());
    }

    #[test]
    fn a_probit_axis_holds_what_is_between_0_and_1() {
        assert!([f64::NAN, -0.1, 0.0, 1.0, 1.5].iter().all(|&value| !Scale::Probit.holds(value)));
        assert!(Span::new(0.0, 0.5, Scale::Probit).is_none());
        let probit = Choice { scale: Scale::Probit, ..LINEAR };
        for values in [&[0.5][..], &[1e-12, 1.0 - 1e-12], &[0.01, 0.99]] {
            let (low, high) = core(values, probit);
            let span = Span::new(low, high, Scale::Probit).unwrap();
            assert!(values.iter().all(|&v| span.contains(v)), "{values:?}");
        }
    }

    /// The law of a list that is sure to be long, or sure to be short.
    #[test]
    fn a_probit_axis_can_show_the_ends_of_a_law() {
        let probit = Choice { scale: Scale::Probit, ..LINEAR };
        for values in [&[1e-110, 3e-102][..], &[1e-9, 1e-102], &[1.0 - 1e-15, 1.0 - 1e-12]] {
            let (low, high) = core(values, probit);
            let span = Span::new(low, high, Scale::Probit).unwrap();
            assert!(values.iter().all(|&v| span.contains(v)), "{values:?}");
        }
        let next_to_an_end = [f64::MIN_POSITIVE, 5e-324, 1.0 - f64::EPSILON / 2.0];
        for value in next_to_an_end {
            let (low, high) = core(&[value], probit);
            assert!(Span::new(low, high, Scale::Probit).is_some(), "{value:e}");
        }
        let (low, high) = core(&[1.0 - f64::EPSILON, 1.0 - f64::EPSILON / 2.0], probit);
        assert!(Span::new(low, high, Scale::Probit).is_some());
    }

    /// Quantiles of the normal law are equally far apart.
    #[test]
    fn the_normal_law_is_straight_on_a_probit_axis() {
        let probit =
            Span::new(0.022_750_131_948_179, 0.977_249_868_051_821, Scale::Probit).unwrap();
        for (probability, share) in
            [(0.158_655_253_931_457, 0.25), (0.5, 0.5), (0.841_344_746_068_543, 0.75)]
        {
            assert!((probit.share(probability) - share).abs() < 1e-9);
            let back = Scale::Probit.restore(Scale::Probit.flatten(probability));
            assert!((back - probability).abs() < 1e-9);
        }
    }

    #[test]
    fn shares_follow_the_scale() {
        let log = Span::new(1.0, 100.0, Scale::Log).unwrap();
        assert!((log.share(10.0) - 0.5).abs() < 1e-12);
        let linear = Span::new(0.0, 100.0, Scale::Linear).unwrap();
        assert!((linear.share(10.0) - 0.1).abs() < 1e-12);
        assert!(linear.contains(100.0) && !linear.contains(101.0));
    }
}
