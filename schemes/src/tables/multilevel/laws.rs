//! The laws of a multilevel table after a static fill: of the overflow list and of the sub-tables.

use super::Sizes;
use crate::math::elementary::erfc;
use crate::prediction::Prediction;
use crate::rare::metrics::EVENT_PROBABILITY;
use crate::tables::Process;
use crate::tables::laws::{Laws, SubTableLaw};
use crate::tables::metrics;
use crate::tables::outlook;
use crate::tables::theory::multilevel::{
    Count, Fluctuations, InsertionRule, StandardLaw, overflow_law, standard_law,
};

/// Where exact laws come from.
pub(crate) const EXACT: &str = "law of Section 4.11.3";
/// Where the law of the overflow list comes from that is neither exact nor Poisson's.
const TAIL: &str = "saddle point";
/// Where variances come from.
const FLUCTUATIONS: &str = "fluctuation equations";
/// Elements below which a law of many is not held against a table.
const LEAST_ELEMENTS: u32 = 100;
/// What a probability of the overflow list's length is allowed, times n; its variance is allowed the same
/// part of itself. Against the exact law of the standard rule probabilities were off by up to 12.4/n, where
/// only a few places stay free.
const ALLOWED_OF_LIST: f64 = 20.0;
/// The part of itself that the variance of a sub-table is allowed, times n. Against the exact law of the
/// standard rule it was off by up to 163/n, in a crowded table.
const ALLOWED_OF_SUB_TABLE: f64 = 200.0;
/// The law that Section 5.8 takes for sub-tables, with the variance that it does not give.
const NORMAL: &str = "normal, Section 5.8";

/// What theory says of the laws asked for: beside the Poisson law of Section 5.8, that of the overflow
/// list which comes with the fluid limit, or the exact one where that is known, and normal laws of the
/// sub-tables.
///
/// `predictions` are those of the means. Where a law is not computed, as there are too many different
/// outcomes of an insertion or the tail is not resolved, Poisson's is left alone.
pub(crate) fn laws(
    rule: InsertionRule,
    sizes: &Sizes,
    process: Process,
    laws: &Laws,
    predictions: &[Prediction],
) -> Vec<Prediction> {
    let mut found = outlook::poisson_list(process, laws, predictions);
    if process != Process::StaticFill {
        return found;
    }
    let known = match rule {
        InsertionRule::Standard { bucket_size: 1 } if laws.any() => exact(sizes),
        _ => None,
    };
    if let Some(largest) = laws.overflow {
        found.extend(match &known {
            Some(law) => exact_overflow(&law.overflow, largest),
            None => saddle_point(rule, sizes, largest),
        });
    }
    if let Some(sub_table) = &laws.sub_table
        && let Ok(fluctuations) = rule.fluctuations(&sizes.per_element())
    {
        found.extend(sub_tables(sizes, &fluctuations, sub_table));
    }
    if let Some((law, sub_table)) = known.zip(laws.sub_table) {
        found.extend(exact_sub_tables(&law, &sub_table));
    }
    found
}

/// What theory says of the probability that more than `beyond` elements are on the list: Poisson's tail, and the exact
/// one or that of a saddle point.
pub(crate) fn overflow_tail(
    rule: InsertionRule,
    sizes: &Sizes,
    process: Process,
    beyond: u32,
    predictions: &[Prediction],
) -> Vec<Prediction> {
    let poisson = outlook::poisson_tail(process, beyond, predictions);
    let mut found: Vec<Prediction> = poisson.into_iter().collect();
    if process == Process::StaticFill {
        found.extend(match rule {
            InsertionRule::Standard { bucket_size: 1 } => exact(sizes).map(|law| {
                Prediction::exact(EVENT_PROBABILITY, law.overflow.exceeds(beyond), EXACT)
            }),
            _ => tail_of_saddle_point(rule, sizes, beyond),
        });
    }
    found
}

/// Nothing where it is not computed, or for fewer than 100 elements.
fn tail_of_saddle_point(rule: InsertionRule, sizes: &Sizes, beyond: u32) -> Option<Prediction> {
    let n = sizes.geometry.elements;
    let large = n >= LEAST_ELEMENTS;
    let law = large.then(|| overflow_law(rule, n, &sizes.sub_tables.sizes()).ok()).flatten()?;
    let value = law.exceeds(beyond);
    let allowance = value * ALLOWED_OF_LIST / f64::from(n);
    Some(Prediction::asymptotic(EVENT_PROBABILITY, value, TAIL, allowance))
}

/// The exact law of a table that moves nothing and has buckets of one; `None` where the table is too
/// large to compute it.
pub(crate) fn exact(sizes: &Sizes) -> Option<StandardLaw> {
    standard_law(sizes.geometry.elements, &sizes.sub_tables.sizes())
}

fn exact_overflow(law: &Count, largest: u16) -> Vec<Prediction> {
    let variance = Prediction::exact(metrics::OVERFLOW_VARIANCE, law.variance(), EXACT);
    let at_most = |k: u16| {
        let value = law.at_most(k.into());
        Prediction::exact(metrics::overflow_at_most(k), value, EXACT)
    };
    std::iter::once(variance).chain((0..=largest).map(at_most)).collect()
}

fn exact_sub_tables(law: &StandardLaw, asked: &SubTableLaw) -> Vec<Prediction> {
    let mut found = Vec::new();
    for (count, i) in law.sub_tables.iter().zip(1..) {
        found.push(Prediction::exact(metrics::sub_table_elements(i), count.mean(), EXACT));
        found.push(Prediction::exact(metrics::sub_table_variance(i), count.variance(), EXACT));
        if i == asked.sub_table {
            found.extend(asked.counts.iter().map(|x| {
                let value = count.at_most(x.into());
                Prediction::exact(metrics::sub_table_elements_at_most(x), value, EXACT)
            }));
        }
    }
    found
}

/// The law is that of a large table up to an error of order 1/n, of which [`ALLOWED_OF_LIST`] is allowed.
///
/// Nothing where it is not computed, or for fewer than 100 elements.
fn saddle_point(rule: InsertionRule, sizes: &Sizes, largest: u16) -> Vec<Prediction> {
    let n = sizes.geometry.elements;
    if n < LEAST_ELEMENTS {
        return Vec::new();
    }
    let Ok(law) = overflow_law(rule, n, &sizes.sub_tables.sizes()) else { return Vec::new() };
    let share = ALLOWED_OF_LIST / f64::from(n);
    let variance = law.variance();
    let variance =
        Prediction::asymptotic(metrics::OVERFLOW_VARIANCE, variance, TAIL, variance * share);
    let at_most = |k: u16| {
        let above = law.exceeds(k.into());
        Prediction::asymptotic(metrics::overflow_at_most(k), 1.0 - above, TAIL, share)
    };
    std::iter::once(variance).chain((0..=largest).map(at_most)).collect()
}

/// Means and variances of all sub-tables, and the normal law of the one asked for.
///
/// Allowed are one element of the mean, as for loads, and [`ALLOWED_OF_SUB_TABLE`] of the variance.
fn sub_tables(sizes: &Sizes, fluctuations: &Fluctuations, law: &SubTableLaw) -> Vec<Prediction> {
    let n = f64::from(sizes.geometry.elements);
    let mut found = Vec::new();
    for (spread, i) in fluctuations.sub_tables.iter().zip(1..) {
        let (mean, variance) = (n * spread.mean, n * spread.variance);
        found.push(Prediction::asymptotic(metrics::sub_table_elements(i), mean, FLUCTUATIONS, 1.0));
        let allowance = ALLOWED_OF_SUB_TABLE * spread.variance;
        let metric = metrics::sub_table_variance(i);
        found.push(Prediction::asymptotic(metric, variance, FLUCTUATIONS, allowance));
        if i == law.sub_table {
            found.extend(law.counts.iter().map(|x| {
                let value = normal((f64::from(x) + 0.5 - mean) / variance.sqrt());
                Prediction::approximate(metrics::sub_table_elements_at_most(x), value, NORMAL)
            }));
        }
    }
    found
}

/// Φ(z).
fn normal(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::methodology::assert_states;

    fn of_list(elements: i64) -> Vec<Prediction> {
        let given = [
            ("elements", elements.into()),
            ("buckets", elements.into()),
            ("bucket_size", 1_i64.into()),
            ("choices", 2_i64.into()),
            ("overflow_law", 3_i64.into()),
        ];
        let case = crate::families::case("second-chance", "static-fill", "random", &given).unwrap();
        case.outlook(&|_| None).predictions.into_iter().filter(|own| own.source == TAIL).collect()
    }

    /// The law of a list is an expansion in 1/n: from 100 elements on, and allowed [`ALLOWED_OF_LIST`]/n, the variance
    /// of itself.
    #[test]
    fn the_law_of_the_list_is_allowed_a_part_in_n() {
        assert_eq!([of_list(99).len(), of_list(100).len()], [0, 5]);
        for own in of_list(400) {
            let whole = if own.metric == metrics::OVERFLOW_VARIANCE { own.value } else { 1.0 };
            assert!((own.allowance / whole - 0.05).abs() < 1e-12, "{own:?}");
        }
    }

    #[test]
    fn methodology_states_what_is_allowed() {
        assert_states(&format!(
            "a probability is allowed {ALLOWED_OF_LIST}/n, the variance {ALLOWED_OF_LIST}/n of itself, \
             a sub-table's variance {ALLOWED_OF_SUB_TABLE}/n of itself."
        ));
    }
}
