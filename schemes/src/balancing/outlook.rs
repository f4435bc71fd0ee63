//! From forecasts to predictions.

use super::metrics;
use super::params::Size;
use super::rule::{Kind, Rule};
use super::theory::forecast::{self, Attempts, Forecast};
use super::theory::{bound, one_choice, scatter};
use crate::case::Means;
use crate::math::demand::Demand;
use crate::metric::Metric;
use crate::prediction::{Kind as Strictness, Prediction};
use crate::tables::metrics::{ACCESSES_PER_INSERTION, MAX_LOAD, OVERFLOW_FRACTION, occupancy};

/// The source of limits.
pub(super) const LIMIT: &str = "differential equations, solved";

/// What is known for these finite n and m.
pub(super) struct Finite {
    pub(super) values: Vec<(Metric, f64)>,
    pub(super) open: Open,
    pub(super) source: &'static str,
}

/// What the values for finite n and m leave open.
pub(super) enum Open {
    /// Nothing: they are exact.
    Nothing,
    /// A part of the distance from the limit, which is a deviation of first order.
    PartOfDistance,
    /// What other values, which these may as well be, are away from them.
    Others(Vec<Vec<(Metric, f64)>>),
}

impl Finite {
    /// How far a limit may be off.
    fn away(&self, metric: Metric, limit: f64) -> Option<f64> {
        let value = value_of(&self.values, metric)?;
        Some((value - limit).abs() + self.open.allowance(metric, value, 0.0))
    }
}

impl Open {
    fn kind(&self) -> Strictness {
        match self {
            Self::Nothing => Strictness::Exact,
            Self::PartOfDistance | Self::Others(_) => Strictness::Refined,
        }
    }

    /// What a value may be off that is so far from its limit.
    fn allowance(&self, metric: Metric, value: f64, distance: f64) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::PartOfDistance => distance * LEFT_OF_DISTANCE,
            Self::Others(others) => {
                let away =
                    |other: &Vec<_>| value_of(other, metric).map_or(0.0, |own| (own - value).abs());
                others.iter().map(away).sum()
            }
        }
    }
}

/// The variance of the mean load where so many attempts fall on all buckets alike.
pub(super) fn scatter_of_mean(attempts: f64, size: &Size, rule: &Rule) -> f64 {
    let m = f64::from(size.buckets);
    scatter::variance_of_refused(attempts / m, rule.taking()) / m
}

/// What sums of some hundred terms of order 1 are off.
const ROUNDING: f64 = 1e-12;

/// What a deviation of first order leaves open, as a part of itself.
const LEFT_OF_DISTANCE: f64 = 0.1;

/// The least probability of a load that is predicted.
const RARE: f64 = 1e-9;

/// What is said after so many arrivals, where `finite` is known.
pub(super) fn predictions(
    rule: &Rule,
    size: &Size,
    arrivals: f64,
    finite: Option<Finite>,
    limit_source: &'static str,
) -> Vec<Prediction> {
    let limit = forecast::limit(rule, size, arrivals);
    let scatter = match rule.kind {
        Kind::Single => scatter_of_mean(arrivals, size, rule),
        Kind::Sequential | Kind::Multilevel | Kind::Offline => 0.0,
    };
    let values = values(&limit, scatter);
    let shifted = shifted(rule, size, arrivals, &limit);
    let mut predictions = Vec::new();
    if let Some(Finite { values: near, open, source }) = &finite {
        for (metric, value) in near {
            let distance = value_of(&values, *metric).map_or(0.0, |limit| (value - limit).abs());
            let allowance = open.allowance(*metric, *value, distance) + ROUNDING * value.max(1.0);
            let prediction = Prediction::exact(*metric, *value, source);
            predictions.push(Prediction { kind: open.kind(), allowance, ..prediction });
        }
    }
    for (metric, value) in &values {
        let away = finite.as_ref().and_then(|finite| finite.away(*metric, *value));
        let away = away.unwrap_or_else(|| of_finite_size(*value, size));
        let by_budget = shifted.as_ref().and_then(|shifted| value_of(shifted, *metric));
        let by_budget = by_budget.map_or(0.0, |shifted| (shifted - value).abs());
        predictions.push(Prediction::asymptotic(*metric, *value, limit_source, away + by_budget));
    }
    predictions.extend(most(rule));
    predictions
}

/// A limit is off by some parts in m.
fn of_finite_size(value: f64, size: &Size) -> f64 {
    (1.0 + 4.0 * value.abs()) / f64::from(size.buckets)
}

fn value_of(values: &[(Metric, f64)], metric: Metric) -> Option<f64> {
    values.iter().find(|(own, _)| *own == metric).map(|(_, value)| *value)
}

/// Each metric of a forecast, where the mean load scatters from trial to trial with this variance, which the loads of one
/// trial do not show.
pub(super) fn values(forecast: &Forecast, scatter_of_mean: f64) -> Vec<(Metric, f64)> {
    let law = forecast.occupancy();
    let (mean, square) = (one_choice::mean(&law), one_choice::mean_square(&law));
    let mut values = vec![
        (OVERFLOW_FRACTION, forecast.overflow.max(0.0)),
        (ACCESSES_PER_INSERTION, forecast.accesses),
        (metrics::LOAD_SQUARE, square),
        (metrics::LOAD_VARIANCE, (square - mean * mean - scatter_of_mean).max(0.0)),
        (metrics::ACCESSES_PER_ABSENT_LOOKUP, forecast.absent_accesses),
    ];
    let loads = (0..=255_u16).zip(&law).filter(|(_, p)| **p > RARE);
    values.extend(loads.map(|(load, p)| (occupancy(load), *p)));
    values
}

/// Where a budget may be spent before the last element or not, the accesses that are asked for scatter by this much.
fn shifted(
    rule: &Rule,
    size: &Size,
    arrivals: f64,
    limit: &Forecast,
) -> Option<Vec<(Metric, f64)>> {
    if rule.kind == Kind::Offline || rule.budget.is_none() {
        return None;
    }
    let attempts: Attempts = forecast::attempts(rule, size, arrivals);
    let deviation = (limit.variance_of_accesses() * arrivals).sqrt();
    let share = 1.0 - deviation / attempts.accesses;
    let fewer = forecast::of_attempts(rule, size, arrivals, &attempts, share.max(0.0));
    Some(values(&fewer, 0.0))
}

/// No bucket takes more than h + 1 elements.
fn most(rule: &Rule) -> Option<Prediction> {
    let threshold = rule.threshold.filter(|_| rule.kind != Kind::Offline)?;
    let most = Prediction::exact(MAX_LOAD, f64::from(threshold) + 1.0, "threshold");
    Some(Prediction { kind: Strictness::UpperBound, ..most })
}

/// The metric that Theorem 1 bounds from below, and what a bucket of so many elements adds to it.
pub(super) type Bounded<'c> = (Metric, &'c dyn Fn(u32) -> f64);

/// Theorem 1 at the measured accesses and overflow, or at the predicted ones: no scheme has a lower mean of a convex
/// cost, such as the square of the load. `None` where the cost is not convex.
///
/// It holds for so many attempts that fall on all buckets alike. Those on d sub-tables are even in each of them, and so
/// more even in all: of λ attempts per bucket, each sub-table takes λ off the variance of a table that has as many
/// buckets. And attempts among all buckets end with the last element, sooner where buckets were found to have room: what
/// that makes of the bound is allowed, see [`of_stopping`].
pub(super) fn lower_bound(
    rule: &Rule,
    size: &Size,
    arrivals: f64,
    measured: Means<'_>,
    predictions: &[Prediction],
    (metric, cost): Bounded<'_>,
) -> Option<Prediction> {
    let predicted = |metric| predictions.iter().find(|p| p.metric == metric).map(|p| p.value);
    let of = |metric| measured(metric).or_else(|| predicted(metric));
    let (accesses, overflow) = (of(ACCESSES_PER_INSERTION)?, of(OVERFLOW_FRACTION)?);
    let attempts = (accesses * arrivals).round();
    let (load, each) = (arrivals / f64::from(size.buckets), attempts / f64::from(size.buckets));
    let (demand, allowance) = match rule.kind {
        Kind::Multilevel => {
            let of_parts = f64::from(rule.choices()) * each / f64::from(size.buckets);
            (Demand::poisson(each, 0), of_parts)
        }
        _ => (one_choice::binomial(attempts as u64, size.buckets, (None, 1.0)), 0.0),
    };
    let law = |overflow: f64| bound::law(&demand, load * (1.0 - overflow));
    let law_here = law(overflow);
    let bend = greatest_bend(cost, law_here.len() as u32)?;
    let least = |overflow: f64| -> f64 {
        (0..).zip(law(overflow)).map(|(load, share)| cost(load) * share).sum()
    };
    let step = (overflow * 1e-4).max(1e-9);
    let slope = (least(overflow + step) - least(overflow)) / step;
    let bound = Prediction::exact(metric, least(overflow), "Theorem 1");
    let rests_on = Some((OVERFLOW_FRACTION, slope));
    let stopping = match rule.kind {
        Kind::Sequential => {
            let variance = forecast::limit(rule, size, arrivals).variance_of_accesses() * arrivals;
            let buckets = f64::from(size.buckets);
            variance.sqrt() / buckets * of_stopping(&demand, law_here.len(), cost) / buckets.sqrt()
        }
        Kind::Single | Kind::Multilevel | Kind::Offline => 0.0,
    };
    Some(Prediction {
        kind: Strictness::LowerBound,
        rests_on,
        allowance: allowance * bend / 2.0 + stopping,
        ..bound
    })
}

/// The deviation between buckets of what one attempt more changes in the bound.
///
/// Let s be what the element above k0 adds to the cost φ, and ψ(i) = φ(i) − s·i, which falls up to k0. As φ is convex,
/// the cost of a trial is at least that of its stored elements at s each, plus the sum of ψ(min(X, k0)) over the buckets
/// that were read X times. One attempt more changes that sum by the mean of D = ψ(X + 1) − ψ(X) over the m buckets, D
/// being 0 from k0 on, and that mean scatters by √(Var D / m) between trials. By Cauchy and Schwarz a number of attempts
/// that scatters and goes by D moves the mean cost by no more than the product of both deviations, divided by m.
fn of_stopping(demand: &Demand, loads: usize, cost: &dyn Fn(u32) -> f64) -> f64 {
    // The loads are those up to k0 + 1.
    let k0 = loads.saturating_sub(2) as u32;
    let adds = |load: u32| cost(load + 1) - cost(load);
    let change = |x: u64| u32::try_from(x).map_or(0.0, |x| adds(x.min(k0)) - adds(k0));
    let mean = demand.mean_of(change);
    let square = demand.mean_of(|x| change(x) * change(x));
    (square - mean * mean).max(0.0).sqrt()
}

/// The greatest difference between what two elements add to a cost that follow on each other, up to so many; `None`
/// where one of them adds less than the one before.
fn greatest_bend(cost: &dyn Fn(u32) -> f64, most: u32) -> Option<f64> {
    let bend = |load: u32| cost(load + 2) - 2.0 * cost(load + 1) + cost(load);
    let bends: Vec<f64> = (0..most).map(bend).collect();
    let is_convex = bends.iter().all(|bend| *bend > -ROUNDING);
    is_convex.then(|| bends.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::super::params::Target;
    use super::*;
    use crate::Rng;

    const SIZE: Size = Size { elements: 2400, buckets: 300 };

    fn bound(measured: [Option<f64>; 2], predictions: &[Prediction]) -> Prediction {
        let measured = |metric| measured[usize::from(metric != ACCESSES_PER_INSERTION)];
        let target = Target {
            choices: 2,
            accesses: None,
            overflow: None,
            threshold: Some((9, 0.5)),
            budget: false,
            sub_tables: None,
        };
        let rule = Rule::new(Kind::Sequential, &SIZE, &target).unwrap();
        let square = |load: u32| f64::from(load).powi(2);
        let bounded: Bounded<'_> = (metrics::LOAD_SQUARE, &square);
        lower_bound(&rule, &SIZE, 2400.0, &measured, predictions, bounded).unwrap()
    }

    /// How the bound moves with the overflow is known where nothing overflows, and where something does.
    #[test]
    fn the_slope_is_that_of_the_bound() {
        for overflow in [0.0, 1e-6, 0.01, 0.2] {
            let at = |overflow| bound([Some(1.2), Some(overflow)], &[]);
            let step = 1e-5;
            let difference = (at(overflow + step).value - at(overflow).value) / step;
            let (_, slope) = at(overflow).rests_on.unwrap();
            assert!((slope / difference - 1.0).abs() < 1e-3, "{overflow}: {slope} {difference}");
        }
    }

    /// 100,000 trials of 30 elements in 30 buckets of one element, with three choices: where attempts end with the last
    /// element, the mean square of the load is below the bound, and within the allowance.
    #[test]
    fn a_small_table_is_below_the_bound_by_what_is_allowed() {
        let size = Size { elements: 30, buckets: 30 };
        let target = Target {
            choices: 3,
            accesses: None,
            overflow: None,
            threshold: Some((1, 0.0)),
            budget: false,
            sub_tables: None,
        };
        let rule = Rule::new(Kind::Sequential, &size, &target).unwrap();
        let mut rng = Rng::seed_from_u64(5);
        let (mut accesses, mut stored) = (0.0, 0.0);
        let trials = 100_000;
        for _ in 0..trials {
            let mut taken = [false; 30];
            for _ in 0..size.elements {
                for _ in 0..3 {
                    accesses += 1.0;
                    let bucket = &mut taken[rng.random_range(0..30)];
                    if !std::mem::replace(bucket, true) {
                        stored += 1.0;
                        break;
                    }
                }
            }
        }
        let per_element = f64::from(trials) * 30.0;
        let means = [accesses / per_element, 1.0 - stored / per_element];
        let measured = |metric| Some(means[usize::from(metric != ACCESSES_PER_INSERTION)]);
        let square = |load: u32| f64::from(load).powi(2);
        let bounded: Bounded<'_> = (metrics::LOAD_SQUARE, &square);
        let bound = lower_bound(&rule, &size, 30.0, &measured, &[], bounded).unwrap();
        let below = bound.value - stored / per_element;
        assert!(below > bound.allowance / 3.0 && below < bound.allowance, "{below} {bound:?}");
    }

    /// What was not measured stands in the predictions; what was measured comes before them.
    #[test]
    fn predictions_stand_in_for_what_was_not_measured() {
        let predicted = [(OVERFLOW_FRACTION, 0.01), (ACCESSES_PER_INSERTION, 1.2)]
            .map(|(metric, value)| Prediction::exact(metric, value, "a test"));
        let expected = bound([Some(1.2), Some(0.01)], &[]);
        assert_eq!(bound([None, None], &predicted), expected);
        assert_eq!(bound([None, Some(0.01)], &predicted), expected);
        assert!(bound([Some(1.0), None], &predicted).value > expected.value);
    }
}
