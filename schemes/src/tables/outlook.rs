//! From theory's numbers to the predictions that schemes share.

use crate::hash::Spread;
use crate::math::poisson;
use crate::metric::Metric;
use crate::prediction::{Kind, Outlook, Prediction};
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::tables::Process;
use crate::tables::laws::Laws;
use crate::tables::metrics;
use crate::tables::sub_tables::SubTables;
use crate::tables::theory::allowance::{Allowance, FirstOrder};
use crate::tables::theory::refined::Refined;
use crate::tables::theory::{FluidLimit, bounds};
use crate::tables::{Geometry, Scheme, on_off};

/// The source of the bound on every scheme that never moves an element back.
const DYNAMIC_BOUND: &str = "Theorem 6";
/// The bound that Section IV compares it with.
const STATIC_BOUND: &str = "Section IV, static lower bound";

/// Why nothing is predicted of a scheme that is known for buckets that are chosen alike alone.
pub(super) const UNKNOWN: &str = "the hash function has so few bits that it does not choose all buckets alike, which the predictions of this scheme take for granted";

/// Everything that theory says of what a trial of this process measures, laws included, with a hash function
/// that has a `spread` if it does not choose all buckets alike.
///
/// # Errors
/// Why nothing is said: the scheme is not known for such a hash function.
pub fn outlook_of<S: Scheme>(
    scheme: &S,
    process: Process,
    laws: &Laws,
    spread: Option<&Spread>,
) -> Result<Outlook, &'static str> {
    let mut outlook = match (process, spread) {
        (Process::OnOff { flows, bins, .. }, _) => on_off::outlook(scheme, &flows, &bins),
        (_, Some(spread)) => match scheme.uneven_outlook(process, spread) {
            Some(outlook) => outlook,
            None => return Err(UNKNOWN),
        },
        (_, None) => scheme.outlook(process),
    };
    if process == Process::Open {
        let mean = f64::from(scheme.geometry().elements);
        let system =
            Prediction::exact(metrics::SYSTEM_ELEMENTS, mean, "Poisson number of elements");
        outlook.predictions.push(system);
    }
    let of_laws = scheme.laws(process, laws, &outlook.predictions);
    outlook.predictions.extend(of_laws);
    outlook.predictions.retain(|prediction| process.measures(prediction.metric));
    Ok(outlook)
}

/// An exact overflow fraction, and what follows from it.
pub fn exact_overflow(overflow: f64, geometry: &Geometry, source: &'static str) -> Vec<Prediction> {
    overflow_metrics(overflow, geometry)
        .map(|(metric, value)| Prediction::exact(metric, value, source))
        .to_vec()
}

/// A limit of the overflow fraction, and what follows from it.
pub fn overflow_limit(
    overflow: f64,
    geometry: &Geometry,
    source: &'static str,
    allowance: f64,
) -> [Prediction; 3] {
    let values = overflow_metrics(overflow, geometry);
    let allowances = overflow_metrics(allowance, geometry);
    [0, 1, 2].map(|i| {
        let ((metric, value), (_, allowance)) = (values[i], allowances[i]);
        Prediction::asymptotic(metric, value, source, allowance)
    })
}

/// As [`overflow_limit`], with the deviation of first order.
pub(super) fn overflow_refined(
    limit: f64,
    refined: Refined,
    geometry: &Geometry,
    source: &'static str,
) -> [Prediction; 3] {
    overflow_limit(limit + refined.by, geometry, source, refined.allowance)
        .map(|limit| Prediction { kind: Kind::Refined, ..limit })
}

/// A limit of `metric` with the deviation of first order.
pub(super) fn refined(
    metric: Metric,
    limit: f64,
    refined: Refined,
    source: &'static str,
) -> Prediction {
    Prediction::refined(metric, limit + refined.by, source, refined.allowance)
}

/// An exact distribution of the occupancy of one bucket.
pub fn exact_occupancy(shares: &[f64], source: &'static str) -> Vec<Prediction> {
    occupancy_metrics(shares)
        .map(|(metric, value)| Prediction::exact(metric, value, source))
        .collect()
}

/// Everything that a fluid limit says.
pub(super) fn fluid(
    limit: &FluidLimit,
    geometry: &Geometry,
    source: &'static str,
    allowance: &Allowance,
) -> Vec<Prediction> {
    let overflow = overflow_limit(limit.overflow, geometry, source, allowance.overflow);
    let accesses = Prediction::asymptotic(
        metrics::ACCESSES_PER_INSERTION,
        limit.accesses,
        source,
        allowance.accesses,
    );
    let shares = occupancy_metrics(&limit.occupancy).zip(&allowance.occupancy);
    let occupancy = shares.map(|((metric, value), &allowance)| {
        Prediction::asymptotic(metric, value, source, allowance)
    });
    let first_order = first_order(limit, geometry, source, &allowance.refined);
    overflow.into_iter().chain([accesses]).chain(occupancy).chain(first_order).collect()
}

/// The value of each quantity that a fluid limit gives.
pub(super) fn fluid_values(limit: &FluidLimit, geometry: &Geometry) -> Vec<(Metric, f64)> {
    overflow_metrics(limit.overflow, geometry)
        .into_iter()
        .chain([(metrics::ACCESSES_PER_INSERTION, limit.accesses)])
        .chain(occupancy_metrics(&limit.occupancy))
        .collect()
}

/// The limits of a fluid limit with their deviation of first order.
fn first_order(
    limit: &FluidLimit,
    geometry: &Geometry,
    source: &'static str,
    first_order: &FirstOrder,
) -> Vec<Prediction> {
    let overflow =
        first_order.overflow.map(|by| overflow_refined(limit.overflow, by, geometry, source));
    let accesses = first_order
        .accesses
        .map(|by| refined(metrics::ACCESSES_PER_INSERTION, limit.accesses, by, source));
    let shares = occupancy_metrics(&limit.occupancy).zip(&first_order.occupancy);
    let occupancy =
        shares.filter_map(|((metric, share), by)| Some(refined(metric, share, (*by)?, source)));
    overflow.into_iter().flatten().chain(accesses).chain(occupancy).collect()
}

/// The loads of sub-tables, from the limits of the fractions of their buckets with exactly k elements, and
/// with their deviations of first order where there are any.
///
/// Else the allowance is `1/m_i`, with `m_i` buckets in sub-table i. It is measured, not derived: the greatest
/// deviation seen was `0.7/m_i`, in simulations of second chance in eleven tables with 64 to 4,096
/// buckets, 2 to 16 choices, factors 1/2 to 10 and loads 0.2 to 3.
pub(super) fn sub_table_loads(
    sub_tables: &SubTables,
    occupancy: &[Vec<f64>],
    source: &'static str,
    first_order: &[Option<Refined>],
) -> Vec<Prediction> {
    let by = first_order.iter().copied().chain(std::iter::repeat(None));
    let mut found = Vec::new();
    for (((sub_table, law), by), i) in sub_tables.iter().zip(occupancy).zip(by).zip(1..) {
        let mean: f64 = (0_u32..).zip(law).map(|(k, p)| f64::from(k) * p).sum();
        let (metric, load) = (metrics::sub_table_load(i), mean / (law.len() - 1) as f64);
        let allowance = by.map_or(1.0 / f64::from(sub_table.buckets), Refined::from_limit);
        found.push(Prediction::asymptotic(metric, load, source, allowance));
        found.extend(by.map(|by| refined(metric, load, by, source)));
    }
    found
}

/// Everything that an approximate model of a scheme with moving back says.
pub(super) fn approximate(
    limit: &FluidLimit,
    geometry: &Geometry,
    source: &'static str,
) -> Vec<Prediction> {
    let [fraction, elements, _] = overflow_metrics(limit.overflow, geometry);
    let accesses = (metrics::ACCESSES_PER_INSERTION, limit.accesses);
    let values = [fraction, elements, accesses].into_iter();
    values
        .chain(occupancy_metrics(&limit.occupancy))
        .map(|(metric, value)| Prediction::approximate(metric, value, source))
        .collect()
}

/// The overflow list of a multilevel table as "The Power of One Move" has it, where its limit is
/// among the predictions: as long as a Poisson number with the mean n·w. The paper expects that by
/// a heuristic, as if elements overflowed independently of each other.
pub(super) fn poisson_list(
    process: Process,
    laws: &Laws,
    predictions: &[Prediction],
) -> Vec<Prediction> {
    let Some((largest, (mean, source))) = laws.overflow.zip(poisson_mean(process, predictions))
    else {
        return Vec::new();
    };
    let shares = (0..=largest).map(metrics::overflow_at_most).zip(poisson::cumulative(mean));
    std::iter::once((metrics::OVERFLOW_VARIANCE, mean))
        .chain(shares)
        .map(|(metric, value)| Prediction::approximate(metric, value, source))
        .collect()
}

/// The probability of a longer list, of the same law.
pub(super) fn poisson_tail(
    process: Process,
    beyond: u32,
    predictions: &[Prediction],
) -> Option<Prediction> {
    let (mean, source) = poisson_mean(process, predictions)?;
    let value = poisson::exceeds(mean, beyond);
    Some(Prediction::approximate(EVENT_PROBABILITY, value, source))
}

/// The mean of that law, and where it comes from.
fn poisson_mean(process: Process, predictions: &[Prediction]) -> Option<(f64, &'static str)> {
    let source = match process {
        Process::StaticFill => "Poisson, Section 5.8",
        Process::Alternation | Process::Continuous => "Poisson, Section 5.10",
        Process::Open | Process::Relaxation { .. } | Process::OnOff { .. } => return None,
    };
    let is_mean =
        |p: &&Prediction| p.metric == metrics::OVERFLOW_ELEMENTS && p.kind == Kind::Asymptotic;
    predictions.iter().find(is_mean).map(|p| (p.value, source))
}

/// The lower bound on the overflow fraction at `accesses` accesses per insertion: Theorem 6 of
/// "Hash Tables With Finite Buckets Are Less Resistant to Deletions" (Eq. (6)), or its static
/// counterpart.
///
/// The bound is that of the fluid limit. A finite table may undercut it by as much as its overflow
/// and its accesses may be away from their own fluid limits, which are among its `predictions`:
/// the allowance is that of the overflow, and that of the accesses times the slope of the bound.
///
/// `None` while the table is on its way to equilibrium, where the number of elements varies, and where the
/// bound is 0, which says nothing.
pub fn lower_bound(
    process: Process,
    accesses: f64,
    geometry: &Geometry,
    predictions: &[Prediction],
) -> Option<Prediction> {
    let (c, h) = (geometry.load(), u32::from(geometry.bucket_size));
    let (value, slope, source) = match process {
        Process::Alternation | Process::Continuous => {
            (bounds::dynamic(accesses, c, h), bounds::dynamic_slope(accesses, c, h), DYNAMIC_BOUND)
        }
        Process::StaticFill => {
            (bounds::fill(accesses, c, h), bounds::fill_slope(accesses, c, h), STATIC_BOUND)
        }
        Process::Open | Process::Relaxation { .. } | Process::OnOff { .. } => return None,
    };
    let of_limit = |metric| {
        let limit = predictions.iter().find(|p| p.metric == metric && p.kind == Kind::Asymptotic);
        limit.map_or(0.0, |prediction| prediction.allowance)
    };
    if value <= 0.0 {
        return None;
    }
    let metric = metrics::OVERFLOW_FRACTION;
    let allowance = of_limit(metric) + slope.abs() * of_limit(metrics::ACCESSES_PER_INSERTION);
    let rests_on = Some((metrics::ACCESSES_PER_INSERTION, slope));
    let kind = Kind::LowerBound;
    Some(Prediction { kind, allowance, rests_on, ..Prediction::exact(metric, value, source) })
}

/// The overflow fraction as each metric; that of arrivals is equal as long as nothing is moved back.
fn overflow_metrics(overflow: f64, geometry: &Geometry) -> [(Metric, f64); 3] {
    [
        (metrics::OVERFLOW_FRACTION, overflow),
        (metrics::OVERFLOW_ELEMENTS, overflow * f64::from(geometry.elements)),
        (metrics::ARRIVAL_OVERFLOW_FRACTION, overflow),
    ]
}

fn occupancy_metrics(shares: &[f64]) -> impl Iterator<Item = (Metric, f64)> {
    (0..=u16::from(u8::MAX)).map(metrics::occupancy).zip(shares.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Geometry = Geometry { elements: 400, buckets: 100, bucket_size: 4 };

    /// Twice as many elements on the list are twice as far off.
    #[test]
    fn a_number_of_elements_is_allowed_n_times_what_the_fraction_is() {
        let limits = overflow_limit(0.05, &TABLE, "", 0.001);
        let of = |metric| limits.iter().find(|limit| limit.metric == metric).unwrap();
        let fraction = of(metrics::OVERFLOW_FRACTION);
        let (arrivals, elements) =
            (of(metrics::ARRIVAL_OVERFLOW_FRACTION), of(metrics::OVERFLOW_ELEMENTS));
        assert_eq!((fraction.value, fraction.allowance), (0.05, 0.001));
        assert_eq!((arrivals.value, arrivals.allowance), (0.05, 0.001));
        assert!((elements.value - 20.0).abs() < 1e-12);
        assert!((elements.allowance - 0.4).abs() < 1e-12);
    }

    /// The paper's mean is that of the limit, also where more is known of a finite table.
    #[test]
    fn the_poisson_list_is_as_long_as_the_limit() {
        let predictions = [
            Prediction::exact(metrics::OVERFLOW_ELEMENTS, 3.0, ""),
            Prediction::asymptotic(metrics::OVERFLOW_ELEMENTS, 2.0, "", 1.0),
            Prediction::asymptotic(metrics::OVERFLOW_FRACTION, 0.5, "", 1.0),
        ];
        let laws = Laws { overflow: Some(1), sub_table: None };
        let list = poisson_list(Process::StaticFill, &laws, &predictions);
        let expected = [2.0, (-2.0_f64).exp(), 3.0 * (-2.0_f64).exp()];
        assert_eq!(list.len(), 3);
        for (own, expected) in list.iter().zip(expected) {
            assert!((own.value - expected).abs() < 1e-12, "{own:?} {expected}");
        }
    }

    fn bound(process: Process, accesses: f64, predictions: &[Prediction]) -> Prediction {
        lower_bound(process, accesses, &TABLE, predictions).unwrap()
    }

    #[test]
    fn a_bound_falls_by_its_slope() {
        let step = 1e-5;
        for process in [Process::StaticFill, Process::Alternation, Process::Continuous] {
            for accesses in [0.5, 0.8, 1.0, 1.1] {
                let [low, high] = [-step, step].map(|by| bound(process, accesses + by, &[]).value);
                let slope =
                    bound(process, accesses, &[]).rests_on.map_or(f64::NAN, |(_, slope)| slope);
                assert!(slope < -1e-3, "{process:?} {accesses}: {slope}");
                let difference = (high - low) / (2.0 * step);
                assert!((slope - difference).abs() < 1e-6, "{process:?} {slope} {difference}");
            }
        }
    }

    /// More accesses than measured would lower the bound, and more overflow is allowed as well.
    #[test]
    fn a_bound_is_allowed_what_its_overflow_and_its_accesses_are() {
        let limit = |metric, allowance| Prediction::asymptotic(metric, 0.0, "", allowance);
        let limits =
            [limit(metrics::OVERFLOW_FRACTION, 0.01), limit(metrics::ACCESSES_PER_INSERTION, 0.03)];
        for process in [Process::StaticFill, Process::Alternation] {
            let exact = bound(process, 1.0, &[]);
            let found = bound(process, 1.0, &limits);
            let room = 0.01 + (exact.value - bound(process, 1.03, &[]).value);
            assert_eq!(exact.allowance, 0.0);
            // The bound is not quite straight over the 0.03.
            assert!((found.allowance / room - 1.0).abs() < 0.05, "{found:?} {room}");
        }
    }
}
