//! Distributions that are known by the ratios of neighbouring probabilities.

/// The distribution on `0..=ratios.len()` with `p[k + 1] / p[k] = ratios[k]`.
///
/// The ratios must cross 1 at most once, downwards, as those of all log-concave laws do. They may be
/// zero or infinite. Weights are taken relative to the mode, so that nothing overflows and a tail
/// keeps its relative precision down to the smallest floating-point number.
pub(crate) fn distribution(ratios: &[f64]) -> Vec<f64> {
    let mode = ratios.iter().take_while(|&&ratio| ratio >= 1.0).count();
    let mut weights = vec![1.0; ratios.len() + 1];
    for k in mode..ratios.len() {
        weights[k + 1] = weights[k] * ratios[k];
    }
    for k in (0..mode).rev() {
        weights[k] = weights[k + 1] / ratios[k];
    }
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_weights_on_both_sides_of_the_mode() {
        assert_eq!(distribution(&[2.0, 0.5]), [0.25, 0.5, 0.25]);
    }

    #[test]
    fn infinite_and_zero_ratios_cut_the_support() {
        assert_eq!(distribution(&[f64::INFINITY, 1.0, 0.0]), [0.0, 0.5, 0.5, 0.0]);
    }

    #[test]
    fn long_chains_neither_overflow_nor_vanish() {
        let ratios: Vec<f64> = (1..=100_000).map(|k| 50_000.0 / f64::from(k)).collect();
        let law = distribution(&ratios);
        let mean: f64 = law.iter().zip(0..).map(|(p, k)| p * f64::from(k)).sum();
        assert!((mean - 50_000.0).abs() < 1e-6, "{mean}");
    }
}
