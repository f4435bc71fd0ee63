//! What trials of balancing schemes measure.

use crate::metric::Metric;
use crate::tables::metrics::{
    ACCESSES_PER_INSERTION, BUCKETS, MAX_LOAD, OVERFLOW_ELEMENTS, OVERFLOW_FRACTION, occupancy,
};

/// What events may count.
pub(super) const EVENTS: &[Metric] = &[OVERFLOW_ELEMENTS, MAX_LOAD];

crate::metrics! {
    ranks from 1300;
    also OVERFLOW_FRACTION, ACCESSES_PER_INSERTION, MAX_LOAD, occupancy(0);

    /// Square of the number of elements in a bucket, on average over the buckets: a convex cost.
    LOAD_SQUARE = "load_square", "Mean square of a bucket's load", Square,
        ShareOf(BUCKETS, Always);
    /// Variance of the number of elements in a bucket, over the buckets of a trial.
    LOAD_VARIANCE = "load_variance", "Variance of the load of buckets", Square,
        ShareOf(BUCKETS, Never);
    /// Cost φ of a bucket, as `cost` or `cost_bits` and `cost_choices` say, on average over the buckets.
    MEAN_COST = "mean_cost", "Mean cost of a bucket", Count, Nothing;
    /// Buckets that a look-up of an absent element reads, on average, E(P): it goes on while the bucket it reads
    /// has h elements or more. As the loads say it; nothing is looked up.
    ACCESSES_PER_ABSENT_LOOKUP = "accesses_per_absent_lookup",
        "Accesses per look-up of an absent element E(P) [buckets]", PerEvent,
        ShareOf(BUCKETS, Never);
}
