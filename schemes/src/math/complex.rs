//! Elementary functions of complex numbers, from those that give the same digits on every processor.

use nalgebra::Complex;

use super::elementary;

/// `e^z`.
pub(crate) fn exp(z: Complex<f64>) -> Complex<f64> {
    let size = elementary::exp(z.re);
    let (sin, cos) = elementary::sin_cos(z.im);
    Complex::new(size * cos, size * sin)
}

/// `e^z − 1`, also where that is small.
pub(crate) fn exp_m1(z: Complex<f64>) -> Complex<f64> {
    let half = elementary::sin(z.im / 2.0);
    let (sin, cos) = elementary::sin_cos(z.im);
    let real = elementary::exp_m1(z.re) * cos - 2.0 * half * half;
    Complex::new(real, elementary::exp(z.re) * sin)
}

/// The principal logarithm.
pub(crate) fn ln(z: Complex<f64>) -> Complex<f64> {
    Complex::new(elementary::ln(z.norm_sqr()) / 2.0, elementary::atan2(z.im, z.re))
}

/// The principal logarithm of `1 + z`, also where that is small.
pub(crate) fn ln_1p(z: Complex<f64>) -> Complex<f64> {
    let real = elementary::ln_1p(2.0 * z.re + z.norm_sqr()) / 2.0;
    Complex::new(real, elementary::atan2(z.im, 1.0 + z.re))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: Complex<f64>, expected: Complex<f64>) {
        let apart = (found - expected).norm_sqr().sqrt();
        assert!(apart <= 1e-14 * expected.norm_sqr().sqrt(), "{found} {expected}");
    }

    #[test]
    fn logarithms_undo_exponentials() {
        for (re, im) in [(0.5, 0.25), (-3.0, 2.0), (1.0, -3.0)] {
            let z = Complex::new(re, im);
            assert_close(ln(exp(z)), z);
            assert_close(ln_1p(exp_m1(z)), z);
        }
    }

    /// To second order.
    #[test]
    fn small_arguments_keep_their_digits() {
        let z = Complex::new(3e-9, -4e-9);
        assert_close(exp_m1(z), z + z * z / 2.0);
        assert_close(ln_1p(z), z - z * z / 2.0);
    }
}
