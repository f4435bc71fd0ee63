//! How far the overflow of a multilevel table under alternation may be from its limit.

use super::Sizes;
use super::predictions::{Accuracy, one_bucket};
use crate::math::elementary::ln;
use crate::tables::theory::TheoryError;
use crate::tables::theory::multilevel::{InsertionRule, Multilevel};
use crate::tables::theory::second_chance::Arrivals;

/// What the overflow fraction is allowed, as a part of itself times n, for each square of its elasticity.
const ALLOWED: f64 = 1.0;

/// The part of the elements that are added and taken away to see how the overflow changes.
const STEP: f64 = 0.01;

/// What first order says of the equilibrium with this `limit` and so many `accesses`, where it does.
///
/// Where it does not, the overflow fraction `w` is allowed `E²/n` of itself, with its elasticity `E`: 1 % more
/// elements make it `E` % more. The counts of a table fluctuate like the square root of the number of elements,
/// and `w` with them. It is never allowed more than `1/m`, which covered every deviation that was seen.
pub(crate) fn in_equilibrium(
    rule: InsertionRule,
    sizes: &Sizes,
    (limit, accesses): (&Multilevel, f64),
    arrivals: Arrivals,
) -> Accuracy {
    let (elements, buckets) = (sizes.geometry.elements, sizes.sub_tables.sizes());
    let found = rule.first_order_in_equilibrium(arrivals, elements, &buckets, (limit, accesses));
    let n = f64::from(elements);
    let part = elasticity(rule, sizes).map_or(f64::INFINITY, |by| ALLOWED * (by * by).max(1.0) / n);
    let overflow = (limit.overflow * part).min(one_bucket(sizes));
    // A limit is as good without it.
    Accuracy { first_order: found.and_then(Result::ok).unwrap_or_default(), overflow }
}

fn elasticity(rule: InsertionRule, sizes: &Sizes) -> Result<f64, TheoryError> {
    let ln_overflow = |more: f64| -> Result<f64, TheoryError> {
        let sizes: Vec<f64> = sizes.per_element().iter().map(|size| size / (1.0 + more)).collect();
        let limit = rule.alternation(&sizes).transpose()?;
        Ok(limit.map_or(f64::NAN, |limit| ln(limit.overflow)))
    };
    Ok((ln_overflow(STEP)? - ln_overflow(-STEP)?) / (2.0 * STEP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Geometry;
    use crate::tables::sub_tables::SubTables;

    fn accuracy(elements: u32) -> (f64, f64) {
        let geometry = Geometry { elements, buckets: 1000, bucket_size: 1 };
        let sub_tables = SubTables::new(1000, 4, 2.0).unwrap();
        let sizes = Sizes { geometry, choices: 4, sub_tables };
        let rule = InsertionRule::SecondChance;
        let limit = rule.alternation(&sizes.per_element()).unwrap().unwrap();
        let accuracy = in_equilibrium(rule, &sizes, (&limit, 2.0), Arrivals::OneForOne);
        (limit.overflow, accuracy.overflow)
    }

    /// A constant would say nothing of a list that is hardly ever used.
    #[test]
    fn what_is_allowed_follows_the_overflow() {
        for elements in [300, 500, 700] {
            let (overflow, allowance) = accuracy(elements);
            assert!(allowance < 5.0 * overflow, "{elements}: {overflow} ± {allowance}");
        }
        let (_, allowance) = accuracy(900);
        assert_eq!(allowance, 1e-3);
    }
}
