//! The conservative rule: where all choices are taken, one element may be bumped to the right.

use super::Multilevel;
use crate::math::ode;
use crate::tables::theory::TheoryError;

/// The conservative scheme after a static fill of sub-tables of single slots with `sizes` buckets per
/// element: at least one, each more than 0 (Section 5.4).
///
/// When all choices of `x` are taken, the first unmarked one among those in `T_1..T_{d−1}` is marked. Its
/// element moves to the first free choice it has further right, and `x` takes its place; if there
/// is none, or all are marked, `x` goes on the overflow list.
///
/// # Errors
/// [`TheoryError`] when the equations cannot be integrated.
pub fn conservative(sizes: &[f64]) -> Result<Multilevel, TheoryError> {
    let d = sizes.len();
    let end = ode::integrate(vec![0.0; 2 * d + 2], 1.0, ode::Precision::Fine, |state, rate| {
        fill(sizes, state, rate);
    })?;
    Ok(Multilevel::single_slots([end[2 * d], end[2 * d + 1]], &end[..d]))
}

/// Writes the derivatives of the fractions taken, of those marked (the last one is unused), of the
/// overflow and of the moves, all per insertion and element.
pub(super) fn fill(sizes: &[f64], state: &[f64], rate: &mut [f64]) {
    let d = sizes.len();
    let (taken, marked) = state.split_at(d);
    rate.fill(0.0);
    // That the new element arrives here, that a bumped one does, and that all before are marked.
    let (mut new, mut bumped, mut all_marked) = (1.0, 0.0, 1.0);
    for i in 0..d {
        rate[i] = (1.0 - taken[i]) * (new + bumped) / sizes[i];
        rate[2 * d + 1] += (1.0 - taken[i]) * bumped;
        new *= taken[i];
        bumped *= taken[i];
        if i + 1 < d {
            let right: f64 = taken[i + 1..].iter().product();
            let bump = all_marked * (taken[i] - marked[i]) * right;
            rate[d + i] = bump / sizes[i];
            bumped += bump;
            all_marked *= marked[i];
        }
    }
    rate[2 * d] = bumped + all_marked * taken.last().copied().unwrap_or(1.0);
}
