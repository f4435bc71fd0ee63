//! What trials of open addressing measure, beside probes and moves, which other families measure too.

use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{MOVES_PER_DELETION, MOVES_PER_INSERTION};

pub(super) use crate::tables::metrics::{ARRIVALS, BUCKETS, ELEMENTS};

/// Absent keys that are asked for.
pub(super) const QUERIES: &str = "queries";

crate::metrics! {
    ranks from 2000;
    also PROBES_PER_HIT, PROBES_PER_MISS, MOVES_PER_INSERTION, MOVES_PER_DELETION;

    /// Slots read per insertion, up to and with the free one that the insertion takes.
    PROBES_PER_INSERTION = "probes_per_insertion", "Slots read per insertion", PerEvent,
        ShareOf(ARRIVALS, AtOneMoment);
    /// Variance of the slots read in a look-up of an element, over the elements of one table, in slots².
    PROBE_VARIANCE = "probe_variance", "Variance of the slots read per look-up of an element",
        Square, Nothing;
    /// Most slots read in a look-up of an element.
    LONGEST_PROBE = "longest_probe", "Most slots read in a look-up of an element", Count,
        Ones(Always);
    /// Most slots in a row, the first one following the last, that are not empty: they hold an element or a tombstone.
    LONGEST_CLUSTER = "longest_cluster", "Slots of the longest cluster", Count, Ones(Always);
    /// Slots that hold a tombstone, as a share of all slots.
    TOMBSTONE_FRACTION = "tombstone_fraction", "Fraction of slots with a tombstone", Share,
        ShareOf(BUCKETS, Always);
    /// Arriving elements that found no slot that they may use, as a share of all arrivals.
    FAILED_INSERTION_FRACTION = "failed_insertion_fraction", "Fraction of insertions that fail",
        Share, ShareOf(ARRIVALS, AtOneMoment);
    /// Arriving elements that found no slot that they may use. Counted for rare events.
    FAILED_INSERTIONS = "failed_insertions", "Insertions that fail", Count, Ones(Always);
}
