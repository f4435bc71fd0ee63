//! What trials of multilevel tables and their summaries measure.

use crate::filters::metrics::{
    FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS, FILTER_OVERFLOW_FRACTION, MAX_COUNTER,
};
use crate::tables::metrics::{MOVES_PER_DELETION, MOVES_PER_INSERTION};

crate::metrics! {
    ranks from 1500;
    also FALSE_POSITIVE_RATE, FALSE_POSITIVE_RATE_GIVEN_BITS, FILTER_OVERFLOW_FRACTION, MAX_COUNTER,
        MOVES_PER_INSERTION, MOVES_PER_DELETION;

    /// Trials in which some element had no bucket of its own, as a share of all trials.
    CRISIS_FRACTION = "crisis_fraction", "Fraction of trials with a crisis", Share, Ones(Always);
    /// Elements without a bucket of their own: they found all of theirs taken, or share the one that keeps them.
    CRISIS_ELEMENTS = "crisis_elements", "Elements that make a crisis", Count, Ones(Always);
    /// Trials in which the summary told a wrong sub-table of some element, as a share of all trials.
    SUMMARY_FAILURE_FRACTION = "summary_failure_fraction", "Fraction of trials with a failure", Share,
        Ones(Always);
    /// Trials with a failure of the summary or a crisis of the table, as a share of all trials.
    FAILURE_OR_CRISIS_FRACTION = "failure_or_crisis_fraction",
        "Fraction of trials with a failure or a crisis", Share, Ones(Always);
    /// Elements of which the summary told a wrong sub-table.
    FAILING_ELEMENTS = "failing_elements", "Elements that fail", Count, Ones(Always);
    /// Elements of which the summary told a wrong sub-table, as a share of all elements.
    FAILING_FRACTION = "failing_fraction", "Fraction of elements that fail", Share,
        ShareOf(ELEMENTS, Always);
    /// The probability that some element of the trial's types fails, given what the summary holds. Its mean is the
    /// probability of a failure, and it scatters less than what is counted.
    SUMMARY_FAILURE_GIVEN_CELLS = "summary_failure_given_cells",
        "Failure probability given the cells", Share, Nothing;
    /// The expected number of failing elements of the trial's types, given what the summary holds. Its mean, the
    /// expected number of failing elements, is an upper bound on the probability of a failure; for the single filter it
    /// is equation (4.4).
    FAILING_ELEMENTS_GIVEN_CELLS = "failing_elements_given_cells",
        "Expected failing elements given the cells", Count, Nothing;
    /// Buckets read for an element, one after the other from the first sub-table on, where no summary tells which
    /// it is in.
    ACCESSES_PER_HIT = "accesses_per_hit", "Buckets read per look-up of an element", PerEvent,
        ShareOf(ELEMENTS, Always);
    /// Entries that are read in a look-up of an element: those of the summary, slots of a table, or elements of chains, to
    /// which the end of a chain is added where it is reached.
    PROBES_PER_HIT = "probes_per_hit", "Entries read per look-up of an element", PerEvent,
        ShareOf(ELEMENTS, Always);
    /// Entries that are read in a look-up of an absent key: those of the summary, slots of a table, or elements of chains,
    /// with the end of each chain.
    PROBES_PER_MISS = "probes_per_miss", "Entries read per look-up of an absent key", PerEvent,
        ShareOf(QUERIES, Always);
    /// Buckets of the table.
    TABLE_BUCKETS = "table_buckets", "Buckets of the table", Count, Nothing;
    /// Bytes of the summary in fast memory, with a bit for each bucket that says whether it holds an element.
    SUMMARY_BYTES = "summary_bytes", "Bytes of the summary", Count, Nothing;

    /// Elements that were moved when the table was rebuilt, M.
    REBUILD_MOVES = "rebuild_moves", "Elements moved by a rebuild", Count, Ones(Always);
    /// Elements beyond the first sub-table, themselves not deleted, with a deleted element in a bucket before their
    /// own, M'.
    REBUILD_CANDIDATES = "rebuild_candidates", "Elements that a deletion may let move", Count,
        Ones(Always);

    numbered

    /// Trials in which a rebuild moved at least so many elements, as a share of all trials.
    rebuild_moves_at_least = "rebuild_moves_at_least_{}", "Fraction of rebuilds that move at least {}",
        Share, Ones(Always),
        family "rebuild_moves_at_least" ["Fraction of rebuilds", "Elements moved"], up to 9999;

    /// Elements in this sub-table, counted from 1.
    elements_in = "elements_in_{}", "Elements in sub-table {}", Count, Ones(Always),
        family "elements_in" ["Elements in the sub-table", "Sub-table"], up to 64;
    /// Elements that found their buckets in the sub-tables up to this one taken.
    left_after = "left_after_{}", "Elements left over after sub-table {}", Count, Ones(Always),
        family "left_after" ["Elements left over", "Sub-table"], up to 64;
    /// Trials in which some element of this type failed, as a share of all trials.
    failure_of_type = "failure_of_type_{}", "Fraction of trials with a failure of type {}", Share,
        Ones(Always),
        family "failure_of_type" ["Fraction of trials with a failure", "Type"], up to 64;
    /// The expected number of failing elements of this type, given what the summary holds.
    failing_of_type_given_cells = "failing_of_type_{}_given_cells",
        "Expected failing elements of type {} given the cells", Count, Nothing,
        family "failing_of_type_given_cells" ["Expected failing elements", "Type"], up to 64;
    /// The greatest value that a counter of this filter had in a trial, counted from 0; of one filter whose cells have
    /// a counter for each type, that of a counter for this type, counted from 1.
    max_counter = "max_counter_{}", "Greatest counter of filter {}", Count, Nothing,
        family "max_counter" ["Greatest counter", "Filter"], up to 63;
    /// Trials in which some counter of the filter that is looked at had at least this value, as a share of all trials.
    max_counter_at_least = "max_counter_at_least_{}",
        "Fraction of trials with a counter of at least {}", Share, Ones(Always),
        family "max_counter_at_least" ["Fraction of trials", "Value of a counter"], up to 999;
}

/// n.
pub(super) const ELEMENTS: &str = "elements";
/// q.
pub(super) const QUERIES: &str = "queries";
