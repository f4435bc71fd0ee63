//! What trials of tables with chains measure.

use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{MAX_LOAD, occupancy};

pub(super) use crate::tables::metrics::{BUCKETS, ELEMENTS};

/// Absent keys that are asked for.
pub(super) const QUERIES: &str = "queries";

crate::metrics! {
    ranks from 2200;
    also PROBES_PER_HIT, PROBES_PER_MISS, MAX_LOAD, occupancy(0);

    /// Pairs of elements that share a bucket, divided by all pairs of elements.
    COLLISION_FRACTION = "collision_fraction", "Fraction of pairs that share a bucket", Share, Nothing;
    /// Sum of the squares of the loads of all buckets, Σ nᵢ².
    SUM_OF_SQUARES = "sum_of_squares", "Σ nᵢ²", Square, Ones(Always);
    /// Elements in the fullest bucket beyond the mean load n/m.
    LOAD_GAP = "load_gap", "Greatest load beyond the mean", Count, Nothing;

    numbered

    /// Share of trials in which no bucket holds more than this many elements.
    max_load_at_most = "max_load_at_most_{}", "Fraction of trials with a greatest load of at most {}",
        Share, Ones(Always),
        family "max_load_at_most" ["Fraction of trials", "Greatest load"], up to 255;
}
