//! From the limit of a multilevel table to predictions.

use super::Sizes;
use crate::prediction::Prediction;
use crate::tables::metrics;
use crate::tables::outlook;
use crate::tables::theory::multilevel::Multilevel;

/// What the fluid limit says of overflow, moves, occupancy, and the loads of sub-tables.
///
/// The allowance is `1/m` for overflow and occupancy and `(d − 1)/m` for moves. It is measured, not
/// derived: the greatest deviations seen were `0.9/m` and `0.7·(d − 1)/m`, in simulations of second
/// chance in eleven tables with 64 to 4,096 buckets, 2 to 16 choices, factors 1/2 to 10 and loads 0.2
/// to 3. Where overflow is rarer than one element in m, its allowance exceeds the value itself and the
/// prediction cannot be contradicted.
pub(crate) fn predictions(
    sizes: &Sizes,
    limit: &Multilevel,
    source: &'static str,
) -> Vec<Prediction> {
    let m = f64::from(sizes.geometry.buckets);
    let of_moves = f64::from(sizes.choices - 1) / m;
    let mut predictions =
        outlook::overflow_limit(limit.overflow, &sizes.geometry, source, 1.0 / m).to_vec();
    let metric = metrics::MOVES_PER_INSERTION;
    predictions.push(Prediction::asymptotic(metric, limit.moves, source, of_moves));
    predictions.extend(
        (0..).zip(occupancy(sizes, limit)).map(|(k, share)| {
            Prediction::asymptotic(metrics::occupancy(k), share, source, 1.0 / m)
        }),
    );
    predictions.extend(outlook::sub_table_loads(&sizes.sub_tables, &limit.occupancy, source));
    predictions
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
    use crate::metric::Metric;
    use crate::tables::Geometry;
    use crate::tables::sub_tables::SubTables;
    use crate::tables::theory::second_chance;

    fn allowed(choices: u32, metric: Metric) -> f64 {
        let geometry = Geometry { elements: 600, buckets: 500, bucket_size: 1 };
        let sub_tables = SubTables::new(500, choices, 1.0).unwrap();
        let sizes = Sizes { geometry, choices, sub_tables };
        let limit = second_chance::static_fill(&sizes.per_element()).unwrap().into();
        let found = predictions(&sizes, &limit, "");
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
}
