//! What trials of filters in blocks measure.

use crate::case::Record;
use crate::math::elementary::pow;

crate::metrics! {
    ranks from 1350;

    /// The false positive rate that the loads of the blocks give by equation (9) of "Access-Efficient Balanced Bloom
    /// Filters", which takes the bits of a block for independent.
    FALSE_POSITIVE_RATE_OF_LOADS = "false_positive_rate_of_loads",
        "False positive rate by equation (9)", Share, Nothing;

    numbered

    /// Trials whose false positive rate, given the bits, is at most 10^(−k/10), as a share of all trials: its law
    /// over the trials, whose median is where this is one half.
    rate_at_most = "rate_at_most_{}", "Fraction of filters with a rate of at most 10^(−{}/10)", Share,
        Ones(Always),
        family "rate_at_most" ["Fraction of filters with at most this rate", "−10·log10 of the rate"],
        up to 300;
}

/// Hands over where the rate stands in its law.
pub(super) fn rate_law(rate: f64, last: u16, out: &mut dyn Record) {
    for tenths in 0..=last {
        let is_below = rate <= pow(10.0, -f64::from(tenths) / 10.0);
        out.reading(rate_at_most(tenths), Some(f64::from(u8::from(is_below))));
    }
}
