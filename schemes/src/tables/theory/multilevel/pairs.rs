//! Second chance with two elements per bucket.

use super::Multilevel;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// Second chance with buckets of two, after a static fill of sub-tables with `sizes` buckets per element:
/// at least one, each more than 0 (Section 5.7).
///
/// Where the choices of `x` in `T_i` and `T_{i+1}` are full, the first of the two elements in the former
/// whose own choice in `T_{i+1}` is not full moves there, and `x` takes its place.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn second_chance_of_two(sizes: &[f64]) -> Result<Multilevel, TheoryError> {
    let d = sizes.len();
    let end = ode::integrate(vec![0.0; 4 * d + 2], 1.0, ode::Precision::Fine, |state, rate| {
        fill(sizes, state, rate);
    })?;
    let occupancy = |level: &[f64]| vec![1.0 - level[0], level[0] - level[1], level[1]];
    Ok(Multilevel {
        overflow: end[4 * d],
        moves: end[4 * d + 1],
        occupancy: end[..4 * d].chunks_exact(4).map(occupancy).collect(),
    })
}

/// Writes the derivatives of four fractions for each sub-table, of the overflow and of the moves, all per
/// insertion and element.
///
/// The four are the fractions of buckets with at least one element, with two, and with two of which
/// at least one, or both, have had their choice in the next sub-table found full; the last sub-table does
/// not use the latter two.
pub(super) fn fill(sizes: &[f64], state: &[f64], rate: &mut [f64]) {
    let d = sizes.len();
    // Elements per insertion that look at a bucket of the sub-table, new ones and others, and the
    // probability that the new one gets past those before.
    let (mut looks, mut moved_looks, mut passed) = (1.0, 0.0, 1.0);
    rate.fill(0.0);
    for i in 0..d {
        let [one, two, seen, both] = [0, 1, 2, 3].map(|k| state[4 * i + k]);
        rate[4 * i] = (1.0 - one) * looks / sizes[i];
        rate[4 * i + 1] = (one - two) * looks / sizes[i];
        rate[4 * d + 1] += (1.0 - two) * moved_looks;
        let Some(full) = state[..4 * d].get(4 * i + 5) else {
            passed *= two;
            break;
        };
        let [unseen, half] = [two - seen, seen - both];
        rate[4 * i + 2] = passed * unseen * full / sizes[i];
        rate[4 * i + 3] = passed * (unseen * full + half) * full / sizes[i];
        moved_looks = passed * full * (unseen * (1.0 + full) + half);
        looks = passed * two + moved_looks;
        passed *= unseen * full * full + half * full + both;
    }
    rate[4 * d] = passed;
}
