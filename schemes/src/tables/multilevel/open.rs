//! Multilevel tables in the open model, where the number of elements varies.

use super::{Sizes, accesses, in_equilibrium, predictions};
use crate::prediction::{Kind, Prediction};
use crate::tables::theory::TheoryError;
use crate::tables::theory::multilevel::{InsertionRule, Multilevel};
use crate::tables::theory::second_chance::Arrivals;

/// What is said of the open model, whose limit is `limit` with so many accesses: "The Power of One Move",
/// Section 5.9, has the same equations for it as for alternation.
///
/// Accesses are among it where first order says something of them.
///
/// # Errors
/// Where the limit of more or fewer elements could not be computed.
pub(crate) fn open(
    rule: InsertionRule,
    sizes: &Sizes,
    (limit, read): (&Multilevel, f64),
) -> Result<Vec<Prediction>, TheoryError> {
    let source = "Section 5.9, Poisson arrivals";
    let accuracy = in_equilibrium(rule, sizes, (limit, read), Arrivals::Poisson);
    let of_accesses = accuracy.first_order.accesses;
    let mut found = predictions(sizes, limit, source, &accuracy);
    if let Some(change) = of_number(rule, sizes, limit)? {
        allow(&mut found, &predictions(sizes, &change, source, &accuracy));
    }
    found.extend(of_accesses.into_iter().flat_map(|by| accesses(sizes, read, source, Some(by))));
    Ok(found)
}

/// Allows the `changes` to those quantities of which first order says nothing.
fn allow(found: &mut [Prediction], changes: &[Prediction]) {
    let is_refined = |prediction: &Prediction| prediction.kind == Kind::Refined;
    let refined: Vec<_> = found.iter().filter(|p| is_refined(p)).map(|p| p.metric).collect();
    for prediction in found.iter_mut().filter(|p| !refined.contains(&p.metric)) {
        let change = changes.iter().find(|change| change.metric == prediction.metric);
        prediction.allowance += change.map_or(0.0, |change| change.value);
    }
}

/// The mean change of each quantity when the number of elements is one standard deviation, √n, above or below n:
/// the limit is that of n elements, while their number is Poisson. `None` where no limit is known.
fn of_number(
    rule: InsertionRule,
    sizes: &Sizes,
    limit: &Multilevel,
) -> Result<Option<Multilevel>, TheoryError> {
    let n = f64::from(sizes.geometry.elements);
    let with = |elements: f64| {
        let sizes = sizes.per_element();
        let sizes: Vec<f64> = sizes.iter().map(|size| size * n / elements).collect();
        rule.alternation(&sizes).transpose()
    };
    let around = with((n - n.sqrt()).max(n / 2.0))?.zip(with(n + n.sqrt())?);
    Ok(around.map(|(few, many)| change(&few, limit, &many, n.sqrt().recip())))
}

/// How far each quantity's mean over `few` and `many` elements is from the one between; overflow is per
/// element, of which there are `1 ± step` times as many.
fn change(few: &Multilevel, limit: &Multilevel, many: &Multilevel, step: f64) -> Multilevel {
    let apart = |low: f64, middle: f64, high: f64| ((low + high) / 2.0 - middle).abs();
    let [low, high] = [few.overflow * (1.0 - step), many.overflow * (1.0 + step)];
    let laws = few.occupancy.iter().zip(&limit.occupancy).zip(&many.occupancy);
    let law = |((few, limit), many): ((&Vec<f64>, &Vec<f64>), &Vec<f64>)| {
        let shares = few.iter().zip(limit).zip(many);
        shares.map(|((few, limit), many)| apart(*few, *limit, *many)).collect()
    };
    Multilevel {
        overflow: apart(low, limit.overflow, high),
        moves: apart(few.moves, limit.moves, many.moves),
        occupancy: laws.map(law).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::poisson;
    use crate::tables::sub_tables::SubTables;
    use crate::tables::{Geometry, metrics};

    const N: u32 = 400;

    fn sizes() -> Sizes {
        let geometry = Geometry { elements: N, buckets: 300, bucket_size: 1 };
        Sizes { geometry, choices: 3, sub_tables: SubTables::new(300, 3, 1.5).unwrap() }
    }

    /// Overflow and moves at a number of elements, of which those on
    /// the list are counted per element of N.
    fn quantities(rule: InsertionRule, sizes: &Sizes, elements: f64) -> [f64; 2] {
        let n = f64::from(N);
        let per_element: Vec<f64> = sizes.per_element().iter().map(|m| m * n / elements).collect();
        let limit = rule.alternation(&per_element).unwrap().unwrap();
        [limit.overflow * elements / n, limit.moves]
    }

    /// How far means over a Poisson number of elements are from the values at its mean.
    fn spread(rule: InsertionRule, sizes: &Sizes) -> [f64; 2] {
        let at_most: Vec<f64> = poisson::cumulative(N.into()).take(700).collect();
        let mut sums = [0.0; 2];
        for k in 200..700 {
            let weight = at_most[k] - at_most[k - 1];
            let found = quantities(rule, sizes, k as f64);
            sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += weight * value);
        }
        let at_mean = quantities(rule, sizes, N.into());
        [0, 1].map(|i| (sums[i] - at_mean[i]).abs())
    }

    /// What is allowed beyond alternation where first order says nothing is what a Poisson number of elements
    /// changes on average, in the limit: to a tenth, as third and fourth derivatives are left out.
    #[test]
    fn a_poisson_number_of_elements_is_allowed_for() {
        let (rule, sizes) = (InsertionRule::SecondChance, sizes());
        let limit = rule.alternation(&sizes.per_element()).unwrap().unwrap();
        let change = of_number(rule, &sizes, &limit).unwrap().unwrap();
        let found = [change.overflow, change.moves];
        for (found, expected) in found.into_iter().zip(spread(rule, &sizes)) {
            assert!((found / expected - 1.0).abs() < 0.1, "{found} {expected}");
        }
    }

    /// A list so seldom used that first order says nothing of it is allowed what the number of elements changes; the
    /// loads, of which it does, are not.
    #[test]
    fn what_first_order_says_has_the_number_of_elements_in_it() {
        let geometry = Geometry { elements: 100, buckets: 300, bucket_size: 1 };
        let sub_tables = SubTables::new(300, 3, 1.5).unwrap();
        let (rule, sizes) =
            (InsertionRule::SecondChance, Sizes { geometry, choices: 3, sub_tables });
        let limit = rule.alternation(&sizes.per_element()).unwrap().unwrap();
        let accuracy = in_equilibrium(rule, &sizes, (&limit, 2.0), Arrivals::Poisson);
        let change = of_number(rule, &sizes, &limit).unwrap().unwrap();
        let plain = predictions(&sizes, &limit, "", &accuracy);
        let found = open(rule, &sizes, (&limit, 2.0)).unwrap();
        let added = |metric| {
            let of =
                |all: &[Prediction]| all.iter().find(|p| p.metric == metric).unwrap().allowance;
            of(&found) - of(&plain)
        };
        assert!(accuracy.first_order.overflow.is_none());
        assert!((added(metrics::OVERFLOW_FRACTION) / change.overflow - 1.0).abs() < 1e-9);
        assert_eq!(added(metrics::sub_table_load(1)), 0.0);
    }

    /// Where the list grows with the number of elements along a straight line, its mean does not change
    /// with their variance, although its length per element does.
    #[test]
    fn a_list_in_proportion_is_not_changed() {
        let (n, step) = (100.0_f64, 0.1);
        let with = |elements: f64| Multilevel {
            overflow: (elements - 60.0) / elements,
            moves: 0.0,
            occupancy: vec![vec![0.5, 0.5]],
        };
        let found = change(&with(n - n * step), &with(n), &with(n + n * step), step);
        assert!(found.overflow < 1e-15, "{found:?}");
    }
}
