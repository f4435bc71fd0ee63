//! Covariances in an equilibrium, and what they consist of.

use nalgebra::{DMatrix, DVector};

use crate::tables::theory::TheoryError;

/// The solution `C` of `J·C + C·Jᵀ + noise = 0`, by Smith's doubling: with a shift `μ > 0` and
/// `A = (J − μ)⁻¹(J + μ)`, `C = A·C·Aᵀ + 2μ·(J − μ)⁻¹·noise·(J − μ)⁻ᵀ`.
///
/// The eigenvalues of `−J` are from about `slowest` up to the norm of `J`.
pub(super) fn stationary(
    drift: &DMatrix<f64>,
    noise: DMatrix<f64>,
    slowest: f64,
) -> Result<DMatrix<f64>, TheoryError> {
    let shift = (slowest * drift.norm()).sqrt();
    let identity = DMatrix::identity(drift.nrows(), drift.ncols());
    let inverse = (drift - &identity * shift).try_inverse().ok_or(TheoryError::Unstable)?;
    let mut step = &inverse * (drift + identity * shift);
    let mut covariance = &inverse * noise * inverse.transpose() * (2.0 * shift);
    for _ in 0..DOUBLINGS {
        let more = &step * &covariance * step.transpose();
        covariance += &more;
        if more.norm() <= 1e-12 * covariance.norm() {
            return Ok(covariance);
        }
        step = &step * &step;
    }
    Err(TheoryError::Unstable)
}

/// Enough for eigenvalues that are twelve orders of magnitude apart.
const DOUBLINGS: u32 = 30;

/// The least part of the greatest variance that is told from rounding.
const ROUNDING: f64 = 1e-13;

/// Columns whose outer products sum up to this covariance: Cholesky's, without those that rounding has made
/// imaginary.
pub(super) fn factor(covariance: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let mut left = covariance.clone();
    let least = ROUNDING * covariance.diagonal().max();
    let mut columns = Vec::new();
    for i in 0..left.nrows() {
        let pivot = left[(i, i)];
        if pivot > least {
            let column = left.column(i) / pivot.sqrt();
            left.ger(-1.0, &column, &column, 1.0);
            columns.push(column);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_without_the_directions_in_which_nothing_varies() {
        let covariance =
            DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 9.0]);
        let columns = factor(&covariance);
        assert_eq!(columns.len(), 2);
        let product = columns.iter().fold(DMatrix::zeros(3, 3), |sum, c| sum + c * c.transpose());
        assert!((product - covariance).norm() < 1e-14);
    }
}
