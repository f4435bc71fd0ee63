//! From the limit of a multilevel table to predictions.

use super::Sizes;
use crate::metric::Metric;
use crate::prediction::Prediction;
use crate::tables::metrics;
use crate::tables::outlook;
use crate::tables::theory::TheoryError;
use crate::tables::theory::multilevel::{FirstOrder, InsertionRule, Multilevel};
use crate::tables::theory::refined::Refined;

/// How far a finite table may be from its limit.
#[derive(Debug, Clone)]
pub(crate) struct Accuracy {
    /// What first order says, where it does: the limit is allowed its deviation.
    pub(crate) first_order: FirstOrder,
    /// What the overflow fraction is allowed where first order says nothing.
    pub(crate) overflow: f64,
}

/// Everything that is known of a static fill by this rule, whose limit is `limit`, with so many `accesses`
/// where that is known.
///
/// # Errors
/// Where the limit could not be computed.
pub(crate) fn static_fill(
    rule: InsertionRule,
    sizes: &Sizes,
    limit: Result<(Multilevel, Option<f64>), TheoryError>,
    source: &'static str,
) -> Result<Vec<Prediction>, TheoryError> {
    let (limit, accesses) = limit?;
    let buckets = sizes.sub_tables.sizes();
    let found = rule.first_order(sizes.geometry.elements, &buckets, &limit, accesses);
    let accuracy = Accuracy {
        // A limit is as good without it.
        first_order: found.unwrap_or_default(),
        overflow: one_bucket(sizes),
    };
    let mut predictions = predictions(sizes, &limit, source, &accuracy);
    predictions.extend(accesses.into_iter().flat_map(|accesses| {
        self::accesses(sizes, accesses, source, accuracy.first_order.accesses)
    }));
    Ok(predictions)
}

/// What the fluid limit says of overflow, moves, occupancy, and the loads of sub-tables.
///
/// Where first order says nothing, the allowance is `1/m` for occupancy and `(d − 1)/m` for moves. It is
/// measured, not derived: the greatest deviations seen were `0.9/m` and `0.7·(d − 1)/m`, in simulations of
/// second chance in eleven tables with 64 to 4,096 buckets, 2 to 16 choices, factors 1/2 to 10 and loads 0.2
/// to 3.
pub(crate) fn predictions(
    sizes: &Sizes,
    limit: &Multilevel,
    source: &'static str,
    accuracy: &Accuracy,
) -> Vec<Prediction> {
    let (geometry, first_order) = (&sizes.geometry, &accuracy.first_order);
    let of_overflow = first_order.overflow.map_or(accuracy.overflow, Refined::from_limit);
    let mut found = outlook::overflow_limit(limit.overflow, geometry, source, of_overflow).to_vec();
    if let Some(by) = first_order.overflow {
        found.extend(outlook::overflow_refined(limit.overflow, by, geometry, source));
    }
    let one = one_bucket(sizes);
    let of_moves = f64::from(sizes.choices - 1) * one;
    let metric = metrics::MOVES_PER_INSERTION;
    found.extend(known(metric, limit.moves, source, first_order.moves, of_moves));
    let by = first_order.occupancy.iter().copied().chain(std::iter::repeat(None));
    for ((k, share), by) in (0..).zip(occupancy(sizes, limit)).zip(by) {
        found.extend(known(metrics::occupancy(k), share, source, by, one));
    }
    let loads = &first_order.loads;
    let of_loads = outlook::sub_table_loads(&sizes.sub_tables, &limit.occupancy, source, loads);
    found.extend(of_loads);
    found
}

/// What is known of the accesses per insertion.
pub(crate) fn accesses(
    sizes: &Sizes,
    limit: f64,
    source: &'static str,
    by: Option<Refined>,
) -> impl Iterator<Item = Prediction> {
    let later = sizes.sub_tables.iter().skip(1);
    let allowance = later.map(|sub_table| 1.0 / f64::from(sub_table.buckets)).sum();
    known(metrics::ACCESSES_PER_INSERTION, limit, source, by, allowance)
}

/// A limit and, where there is one, its deviation of first order; else the limit with this allowance.
fn known(
    metric: Metric,
    limit: f64,
    source: &'static str,
    by: Option<Refined>,
    allowance: f64,
) -> impl Iterator<Item = Prediction> {
    let allowance = by.map_or(allowance, Refined::from_limit);
    let refined = by.map(|by| outlook::refined(metric, limit, by, source));
    std::iter::once(Prediction::asymptotic(metric, limit, source, allowance)).chain(refined)
}

/// `1/m`.
pub(super) fn one_bucket(sizes: &Sizes) -> f64 {
    f64::from(sizes.geometry.buckets).recip()
}

/// Fractions of all buckets with exactly k elements.
fn occupancy(sizes: &Sizes, limit: &Multilevel) -> Vec<f64> {
    let m = f64::from(sizes.geometry.buckets);
    let mut shares = vec![0.0; usize::from(sizes.geometry.bucket_size) + 1];
    for (sub_table, law) in sizes.sub_tables.iter().zip(&limit.occupancy) {
        let weight = f64::from(sub_table.buckets) / m;
        shares.iter_mut().zip(law).for_each(|(share, p)| *share += weight * p);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Geometry;
    use crate::tables::sub_tables::SubTables;
    use crate::tables::theory::second_chance;

    fn sizes(choices: u32) -> Sizes {
        let geometry = Geometry { elements: 600, buckets: 500, bucket_size: 1 };
        Sizes { geometry, choices, sub_tables: SubTables::new(500, choices, 1.0).unwrap() }
    }

    fn allowed(choices: u32, metric: Metric) -> f64 {
        let sizes = sizes(choices);
        let limit = second_chance::alternation(&sizes.per_element()).unwrap().into();
        let accuracy = Accuracy { first_order: FirstOrder::default(), overflow: 0.002 };
        let found = predictions(&sizes, &limit, "", &accuracy);
        found.iter().find(|prediction| prediction.metric == metric).unwrap().allowance
    }

    /// The unit in which deviations were measured; with one sub-table nothing moves, exactly.
    #[test]
    fn moves_are_allowed_one_of_m_for_each_sub_table_after_the_first() {
        for (choices, allowance) in [(1, 0.0), (2, 0.002), (3, 0.004), (5, 0.008)] {
            let found = allowed(choices, metrics::MOVES_PER_INSERTION);
            assert!((found - allowance).abs() < 1e-15, "{choices}: {found}");
        }
    }

    #[test]
    fn overflow_and_occupancy_are_allowed_one_of_m() {
        for metric in [metrics::OVERFLOW_FRACTION, metrics::occupancy(0), metrics::occupancy(1)] {
            assert!((allowed(4, metric) - 0.002).abs() < 1e-15, "{metric:?}");
        }
        assert!((allowed(4, metrics::OVERFLOW_ELEMENTS) - 1.2).abs() < 1e-12);
    }

    /// A limit is allowed to be off by what first order says it is, and by what that leaves.
    #[test]
    fn a_limit_is_allowed_its_deviation() {
        let sizes = sizes(3);
        let limit = second_chance::static_fill(&sizes.per_element()).unwrap();
        let accesses = limit.accesses;
        let limit = Ok((limit.into(), Some(accesses)));
        let found = static_fill(InsertionRule::SecondChance, &sizes, limit, "").unwrap();
        let (refined, limits): (Vec<_>, Vec<_>) =
            found.iter().partition(|p| p.kind == crate::prediction::Kind::Refined);
        assert_eq!(refined.len(), 3 + 1 + 2 + 3 + 1);
        assert_eq!(refined.len(), limits.len());
        for (limit, refined) in limits.iter().flat_map(|limit| {
            refined.iter().filter(|p| p.metric == limit.metric).map(move |p| (limit, p))
        }) {
            let apart = (limit.value - refined.value).abs() + refined.allowance;
            assert!((limit.allowance - apart).abs() < 1e-12, "{limit:?} {refined:?}");
        }
    }
}
