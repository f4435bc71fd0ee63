//! What trials of filters measure.

use super::block_metrics::{FALSE_POSITIVE_RATE_OF_LOADS, rate_at_most};
use crate::balancing::metrics::ACCESSES_PER_ABSENT_LOOKUP;
use crate::case::Record;
use crate::metric::{MetricInfo, joined};
use crate::tables::metrics::{ACCESSES_PER_INSERTION, MAX_LOAD, OVERFLOW_FRACTION};

crate::metrics! {
    ranks from 1000;
    also OVERFLOW_FRACTION, ACCESSES_PER_INSERTION, MAX_LOAD, ACCESSES_PER_ABSENT_LOOKUP,
        FALSE_POSITIVE_RATE_OF_LOADS, rate_at_most(0);

    /// Absent keys to which the filter says yes, as a share of all absent keys that it is asked for.
    FALSE_POSITIVE_RATE = "false_positive_rate", "False positive rate", Share,
        ShareOf(QUERIES, Always);
    /// The false positive rate of the trial's filter as its bits say it: the probability that it says yes to
    /// an absent key of independent choices. No key is asked for.
    FALSE_POSITIVE_RATE_GIVEN_BITS = "false_positive_rate_given_bits",
        "False positive rate given the bits", Share, Nothing;
    /// Bits that are set, as a share of all bits.
    BITS_SET_FRACTION = "bits_set_fraction", "Fraction of bits set", Share, ShareOf(BITS, Always);
    /// Trials whose false positive rate, given the bits, is further than `deviation` from the limit of the false
    /// positive probability, as a share of all trials.
    RATE_DEVIATION_FRACTION = "rate_deviation_fraction",
        "Fraction of filters whose rate is off the limit", Share, Ones(Always);
    /// Trials whose share of false positives among the answers is further than `deviation` from that limit,
    /// as a share of all trials.
    ANSWERS_DEVIATION_FRACTION = "answers_deviation_fraction",
        "Fraction of trials whose answers are off the limit", Share, Ones(Always);

    numbered

    /// Trials with exactly this many false positives among the absent keys asked for, as a share of all
    /// trials.
    false_positives = "false_positives_{}", "Fraction of trials with {} false positives", Share,
        Ones(Always),
        family "false_positives" ["Fraction of trials", "False positives Q"], up to 999;
}

/// What filters of counters measure beside that.
mod of_counters {
    use super::{COUNTERS, ELEMENTS};

    crate::metrics! {
        ranks from 1100;

        /// Elements of the filter of which it says that they are absent, as a share of all elements.
        FALSE_NEGATIVE_FRACTION = "false_negative_fraction", "Fraction of elements denied", Share,
            ShareOf(ELEMENTS, Always);
        /// Counters that are not 0, as a share of all counters.
        COUNTERS_SET_FRACTION = "counters_set_fraction", "Fraction of counters above 0", Share,
            ShareOf(COUNTERS, Always);
        /// Counters that were to go beyond their greatest value at some time, as a share of all counters.
        COUNTER_OVERFLOW_FRACTION = "counter_overflow_fraction", "Fraction of counters that overflowed",
            Share, ShareOf(COUNTERS, Always);
        /// Trials in which some counter was to go beyond its greatest value, as a share of all trials.
        FILTER_OVERFLOW_FRACTION = "filter_overflow_fraction",
            "Fraction of filters with a counter that overflowed", Share, Ones(Always);
        /// The greatest value of a counter at the end of a trial.
        MAX_COUNTER = "max_counter", "Greatest counter", Count, Nothing;
        /// Elements that the filter takes for more often inserted than they were, as a share of all elements.
        WRONG_ESTIMATE_FRACTION = "wrong_estimate_fraction", "Fraction of wrong estimates", Share,
            ShareOf(ELEMENTS, Always);
        /// By how much the filter overestimates how often an element was inserted, as a mean over elements.
        ESTIMATE_ERROR = "estimate_error", "Mean error of estimates", Count, Nothing;

        numbered

        /// Counters with exactly this value at the end of a trial, as a share of all counters.
        counters_at = "counters_at_{}", "Fraction of counters that are {}", Share,
            ShareOf(COUNTERS, Always),
            family "counters_at" ["Fraction of counters", "Value of a counter"], up to 999;
    }
}

/// What joins measure beside that.
mod of_joins {
    crate::metrics! {
        ranks from 1200;

        /// Bytes that go from machine to machine for a join: the filter, the rows that match and those that are false
        /// positives.
        BYTES_SENT = "bytes_sent", "Bytes sent", Count, Nothing;
        /// The same divided by what goes where the smaller table sends its keys: these, and the rows that match.
        BYTES_SENT_RATIO = "bytes_sent_ratio", "Bytes sent, by those of sending keys", PerEvent, Nothing;
    }
}

pub use of_counters::{
    COUNTER_OVERFLOW_FRACTION, COUNTERS_SET_FRACTION, ESTIMATE_ERROR, FALSE_NEGATIVE_FRACTION,
    FILTER_OVERFLOW_FRACTION, MAX_COUNTER, WRONG_ESTIMATE_FRACTION, counters_at,
};
pub use of_joins::{BYTES_SENT, BYTES_SENT_RATIO};

/// The declarations of filters of counters and of joins.
static OTHERS: [&MetricInfo; of_counters::METRICS.len() + of_joins::METRICS.len()] =
    joined(of_counters::METRICS, of_joins::METRICS);

/// The declarations of all lists, in the order of rows.
pub(super) static ALL: [&MetricInfo; METRICS.len() + OTHERS.len()] = joined(METRICS, &OTHERS);

/// n.
pub(super) const ELEMENTS: &str = "elements";
/// Counters in place of the bits.
pub(super) const COUNTERS: &str = "counters";
/// q.
pub(super) const QUERIES: &str = "queries";
/// m.
pub(super) const BITS: &str = "bits";

/// Hands over how many of all bits are set.
pub(super) fn bits_set(set: u64, bits: u32, out: &mut dyn Record) {
    out.reading(BITS_SET_FRACTION, Some(set as f64 / f64::from(bits)));
}
