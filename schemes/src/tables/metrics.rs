//! What trials of tables measure.

crate::metrics! {
    ranks from 0;

    /// Elements on the overflow list divided by all elements, γ.
    OVERFLOW_FRACTION = "overflow_fraction", "Overflow fraction γ", Share,
        ShareOf(ELEMENTS, AtOneMoment);
    /// Elements on the overflow list.
    OVERFLOW_ELEMENTS = "overflow_elements", "Elements on the overflow list", Count,
        Ones(AtOneMoment);
    /// Variance over the trials of the overflow list's length at the end of a trial, in elements².
    OVERFLOW_VARIANCE = "overflow_variance", "Variance of the overflow list's length", Square,
        HalvedSquares;
    /// Arriving elements that went to the overflow list, as a share of all arrivals.
    ARRIVAL_OVERFLOW_FRACTION = "arrival_overflow_fraction", "Fraction of arrivals that overflow",
        Share, ShareOf(ARRIVALS, AtOneMoment);
    /// Buckets read per arriving element, a.
    ACCESSES_PER_INSERTION = "accesses_per_insertion", "Accesses per insertion a [buckets]",
        PerEvent, ShareOf(ARRIVALS, Never);
    /// Elements moved from bucket to bucket, per arriving element.
    MOVES_PER_INSERTION = "moves_per_insertion", "Moves per insertion", PerEvent,
        ShareOf(ARRIVALS, AtOneMoment);
    /// Elements moved from bucket to bucket, per departing element.
    MOVES_PER_DELETION = "moves_per_deletion", "Moves per deletion", PerEvent, Nothing;
    /// Arrivals for which an element was lost, as the overflow list was full, as a share of all
    /// arrivals.
    LOST_FRACTION = "lost_fraction", "Fraction of arrivals with a loss", Share, Nothing;
    /// Trials in which an element was lost, as a share of all trials.
    FAILURE_FRACTION = "failure_fraction", "Fraction of trials with a loss", Share, Ones(Always);
    /// Elements moved back from the overflow list to a bucket, per departing element.
    MOVES_BACK_PER_DELETION = "moves_back_per_deletion", "Elements moved back per deletion",
        PerEvent, ShareOf(ARRIVALS, Never);
    /// Look-ups in the auxiliary CAM for an element to move back, per departing element.
    CAM_LOOKUPS_PER_DELETION = "cam_lookups_per_deletion",
        "Look-ups in the auxiliary CAM per deletion", PerEvent, ShareOf(ARRIVALS, Never);
    /// Entries of the auxiliary CAM that hold a bucket.
    CAM_ENTRIES = "cam_entries", "Entries of the auxiliary CAM in use", Count,
        Ones(AtOneMoment);
    /// Entries that the primary CAM needs: the greatest extent of those in use.
    CAM_EXTENT = "cam_extent", "Entries that the primary CAM needs", Count, Nothing;
    /// Most elements in one bucket.
    MAX_LOAD = "max_load", "Most elements in one bucket", Count, Ones(AtOneMoment);
    /// Elements that arrive per slot.
    ARRIVALS_PER_SLOT = "arrivals_per_slot", "Arrivals per slot", PerEvent, Nothing;
    /// Elements in the system, where their number varies, N.
    SYSTEM_ELEMENTS = "system_elements", "Elements in the system", Count, Nothing;
    /// Elements expected on the overflow list if each number in the system came with the overflow
    /// fraction of a constant load.
    HEURISTIC_OVERFLOW_ELEMENTS = "heuristic_overflow_elements",
        "Elements on the overflow list, from constant loads", Count, Nothing;

    numbered

    /// Share of buckets that hold exactly this many elements.
    occupancy = "occupancy_{}", "Fraction of buckets with {} elements", Share,
        ShareOf(BUCKETS, Always),
        family "occupancy" ["Fraction of buckets", "Elements in the bucket"], up to 255;
    /// Elements in this sub-table, counted from 1, as a share of its places.
    sub_table_load = "subtable_{}_load", "Load of sub-table {}", Share,
        ShareOf(PLACES, Always),
        family "subtable_load" ["Load of the sub-table", "Sub-table"], up to 1024;
    /// Share of the time in which the number of elements in the system is in the interval that begins
    /// with this number.
    system_share = "system_share_{}", "Share of the time with {} elements or some more", Share,
        ShareOf(EXCURSIONS, Never),
        family "system_share" ["Share of the time", "Elements in the system"], up to u16::MAX;
    /// Overflow fraction while the number of elements in the system is in the interval that begins with
    /// this number.
    overflow_fraction_at = "overflow_fraction_at_{}",
        "Overflow fraction γ with {} elements or some more", Share, ShareOf(ARRIVALS_THEN, Never),
        family "overflow_fraction_at" ["Overflow fraction γ", "Elements in the system"],
        up to u16::MAX;
    /// Trials that end with at most this many elements on the overflow list, as a share of all
    /// trials.
    overflow_at_most = "overflow_at_most_{}",
        "Fraction of trials with at most {} elements on the overflow list", Share, Ones(Always),
        family "overflow_at_most"
            ["Fraction of trials with at most so many", "Elements on the overflow list"],
        up to u16::MAX;
    /// Elements in this sub-table, counted from 1, at the end of a trial.
    sub_table_elements = "subtable_{}_elements", "Elements in sub-table {}", Count, Ones(Always),
        family "subtable_elements" ["Elements in the sub-table", "Sub-table"], up to 1024;
    /// Variance over the trials of the number of elements in this sub-table, in elements².
    sub_table_variance = "subtable_{}_variance", "Variance of the elements in sub-table {}",
        Square, HalvedSquares,
        family "subtable_variance" ["Variance of the elements in the sub-table", "Sub-table"],
        up to 1024;
    /// Trials that end with at most this many elements in the sub-table that is looked at, as a
    /// share of all trials.
    sub_table_elements_at_most = "subtable_elements_at_most_{}",
        "Fraction of trials with at most {} elements in the sub-table", Share, Ones(Always),
        family "subtable_elements_at_most"
            ["Fraction of trials with at most so many", "Elements in the sub-table"],
        up to u16::MAX;
}

/// n.
pub(crate) const ELEMENTS: &str = "elements";
/// Elements that arrive in the measuring window, at most n: what later ones find is not independent.
pub(crate) const ARRIVALS: &str = "arrivals";
/// m.
pub(crate) const BUCKETS: &str = "buckets";
/// Places of a sub-table.
pub(super) const PLACES: &str = "places";
/// How often the number in the system begins anew.
pub(super) const EXCURSIONS: &str = "excursions";
/// Elements that arrive while the number in the system is in an interval.
pub(super) const ARRIVALS_THEN: &str = "arrivals then";
