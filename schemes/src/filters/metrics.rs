//! What trials of filters measure.

crate::metrics! {
    ranks from 1000;

    /// Absent keys to which the filter says yes, as a share of all absent keys that it is asked for.
    FALSE_POSITIVE_RATE = "false_positive_rate", "False positive rate", Share,
        ShareOf(QUERIES, Always);
    /// Bits that are set, as a share of all bits.
    BITS_SET_FRACTION = "bits_set_fraction", "Fraction of bits set", Share, ShareOf(BITS, Always);
}

/// q.
pub(super) const QUERIES: &str = "queries";
/// m.
pub(super) const BITS: &str = "bits";
