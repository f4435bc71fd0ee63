//! Derivatives of functions that are polynomials: differences are as good, up to a small term.

use nalgebra::{DMatrix, DVector};

use super::covariance::factor;

/// The part of a direction, or of a standard deviation, along which differences are taken.
const STEP: f64 = 1e-3;

/// The derivative along `direction`, which has this `length`, more than 0.
pub(super) fn along(
    of: impl Fn(&DVector<f64>) -> DVector<f64>,
    at: &DVector<f64>,
    direction: &DVector<f64>,
    length: f64,
) -> DVector<f64> {
    let aside = direction * (STEP / length);
    (of(&(at + &aside)) - of(&(at - aside))) * (length / (2.0 * STEP))
}

/// The derivatives with respect to each variable, in columns.
pub(super) fn slopes(
    of: impl Fn(&DVector<f64>) -> DVector<f64>,
    at: &DVector<f64>,
) -> DMatrix<f64> {
    let slope = |i: usize| {
        let mut direction = DVector::zeros(at.len());
        direction[i] = 1.0;
        along(&of, at, &direction, 1.0)
    };
    let columns: Vec<DVector<f64>> = (0..at.len()).map(slope).collect();
    DMatrix::from_columns(&columns)
}

/// Half of the second derivatives, times the covariance of the first of the variables.
pub(super) fn curvature(
    of: impl Fn(&DVector<f64>) -> DVector<f64>,
    at: &DVector<f64>,
    covariance: &DMatrix<f64>,
) -> DVector<f64> {
    let twice = of(at) * 2.0;
    let mut sum = DVector::zeros(twice.len());
    for column in factor(covariance) {
        let aside = (column * STEP).resize_vertically(at.len(), 0.0);
        sum += of(&(at + &aside)) + of(&(at - aside)) - &twice;
    }
    sum / (2.0 * STEP * STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x²y` and `y`, of which the second derivatives are `2y`, `2x` and 0.
    fn polynomials(at: &DVector<f64>) -> DVector<f64> {
        DVector::from_vec(vec![at[0] * at[0] * at[1], at[1]])
    }

    #[test]
    fn differences_of_polynomials_are_derivatives() {
        let at = DVector::from_vec(vec![2.0, 3.0]);
        let expected = DMatrix::from_row_slice(2, 2, &[12.0, 4.0, 0.0, 1.0]);
        assert!((slopes(polynomials, &at) - expected).norm() < 1e-9);
        let covariance = DMatrix::from_row_slice(2, 2, &[0.5, 0.2, 0.2, 0.7]);
        let found = curvature(polynomials, &at, &covariance);
        assert!((found[0] - (3.0 * 0.5 + 4.0 * 0.2)).abs() < 1e-6, "{found}");
        assert!(found[1].abs() < 1e-6, "{found}");
    }
}
