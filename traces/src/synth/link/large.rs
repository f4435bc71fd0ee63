//! The ten largest flows.

use super::solve::rising_to;

/// How many flows last throughout the capture.
pub(super) const LARGE: usize = 10;
/// The exponent of Zipf's law, the steepest that those behind the largest follow.
const ZIPF: f64 = 1.0;

/// Shares of the packets, the largest first, that sum to `ten`: a power law of the rank from the largest on. Where it
/// would be steeper than Zipf's law, the largest stands out, and the others follow that law.
///
/// `ten` is between `largest` and ten times it.
pub(super) fn shares(largest: f64, ten: f64) -> [f64; LARGE] {
    let power = |rank: usize, exponent: f64| libm::pow(rank as f64, -exponent);
    let others = |exponent: f64| (2..=LARGE).map(|rank| power(rank, exponent)).sum::<f64>();
    let ratio = (ten - largest) / largest;
    let exponent = rising_to(-ratio, 0.0, ZIPF, |exponent| -others(exponent));
    let scale = (ten - largest) / others(exponent);
    std::array::from_fn(|index| match index {
        0 => largest,
        _ => scale * power(index + 1, exponent),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_and_the_sum_are_as_asked() {
        for (largest, ten) in [(0.136, 0.19), (0.015, 0.069), (0.02, 0.2), (0.3, 0.3)] {
            let shares = shares(largest, ten);
            assert_eq!(shares[0], largest);
            assert!((shares.iter().sum::<f64>() - ten).abs() < 1e-12);
            assert!(shares.windows(2).all(|pair| pair[0] >= pair[1] * (1.0 - 1e-9)), "{shares:?}");
        }
    }
}
