//! The extreme second chance rule: every element met may move to any sub-table further right.

use super::Multilevel;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// The extreme second chance scheme after a static fill of sub-tables of single slots with `sizes`
/// buckets per element: at least one, each more than 0 (Section 5.6).
///
/// Of `x` and the elements `y_1..y_d` in its choices, that with a free choice furthest left gets it, where
/// `x` comes first in a tie, and then `y_1`, `y_2` and so on. If it is `y_j`, `x` takes its place.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn extreme_second_chance(sizes: &[f64]) -> Result<Multilevel, TheoryError> {
    let d = sizes.len();
    let start = vec![0.0; d * d + 2];
    let end = ode::integrate(start, 1.0, ode::Precision::Fine, |state, rate| {
        fill(sizes, state, rate);
    })?;
    let taken: Vec<f64> = (0..d).map(|i| end[i * d + i]).collect();
    Ok(Multilevel::single_slots([end[d * d], end[d * d + 1]], &taken))
}

/// Writes the derivatives of the fractions `g_{i,≥j}`, of the overflow and of the moves, all per
/// insertion and element.
///
/// `g_{i,≥j}` is the fraction of buckets of `T_i` with an element whose choices in `T_1..T_j` have been
/// found taken, so that `g_{i,≥i}` is the fraction taken. It is at `i·d + j`, and not used for `j < i`.
pub(super) fn fill(sizes: &[f64], state: &[f64], rate: &mut [f64]) {
    let d = sizes.len();
    let (mut passed, mut moves) = (1.0, 0.0);
    // That the choice of the new element is taken by one with no free choice up to the present `T_j`.
    let mut stuck = vec![0.0; d];
    rate.fill(0.0);
    for j in 0..d {
        let taken = state[j * d + j];
        let placed = (1.0 - taken) * passed;
        let between = products_to_the_right(&stuck[..j]);
        let mut before = taken;
        let mut followed = 0.0;
        for i in 0..j {
            let unseen = stuck[i] - state[i * d + j];
            let looked_at = before * unseen * between[i];
            rate[i * d + j] = looked_at / sizes[i];
            followed += (1.0 - taken) * looked_at;
            stuck[i] = state[i * d + j] + unseen * taken;
            before *= stuck[i];
        }
        rate[j * d + j] = (placed + followed) / sizes[j];
        stuck[j] = taken;
        passed = before;
        moves += followed;
    }
    rate[d * d] = passed;
    rate[d * d + 1] = moves;
}

/// For each factor, the product of those after it.
fn products_to_the_right(factors: &[f64]) -> Vec<f64> {
    let mut products = vec![1.0; factors.len()];
    for i in (1..factors.len()).rev() {
        products[i - 1] = products[i] * factors[i];
    }
    products
}
