//! Multilevel tables in the open model, where the number of elements varies.

use super::{Sizes, predictions};
use crate::prediction::Prediction;
use crate::tables::metrics;
use crate::theory::multilevel::{InsertionRule, Multilevel};
use crate::theory::ode;

/// What the fluid limit says of the open model: "The Power of One Move", Section 5.9, has the same
/// equations for it as for alternation.
///
/// Beside what is allowed under alternation, the allowance has the mean change of each quantity when
/// the number of elements is one standard deviation, √n, above or below n: the limit is that of n
/// elements, while their number is Poisson. Nothing where no limit is known.
///
/// # Errors
/// Where it could not be computed.
pub(crate) fn open(rule: InsertionRule, sizes: &Sizes) -> Result<Vec<Prediction>, ode::Error> {
    let n = f64::from(sizes.geometry.elements);
    let with = |elements: f64| {
        let sizes = sizes.per_element();
        let sizes: Vec<f64> = sizes.iter().map(|size| size * n / elements).collect();
        rule.alternation(&sizes).transpose()
    };
    let [few, limit, many] = [with((n - n.sqrt()).max(n / 2.0))?, with(n)?, with(n + n.sqrt())?];
    let Some(((few, many), limit)) = few.zip(many).zip(limit) else { return Ok(Vec::new()) };
    let source = "Section 5.9, Poisson arrivals";
    let change = change(&few, &limit, &many, n.sqrt().recip());
    let mut found = predictions(sizes, &limit, source);
    for (prediction, change) in found.iter_mut().zip(predictions(sizes, &change, source)) {
        prediction.allowance += change.value;
    }
    if matches!(rule, InsertionRule::Standard { .. }) {
        found.retain(|prediction| prediction.metric != metrics::MOVES_PER_INSERTION);
    }
    Ok(found)
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
