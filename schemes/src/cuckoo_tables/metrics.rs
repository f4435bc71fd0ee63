//! What building a cuckoo table measures.

use crate::metric::Metric;
use crate::tables::metrics::{
    ACCESSES_PER_INSERTION, FAILURE_FRACTION, MOVES_PER_INSERTION, OVERFLOW_ELEMENTS,
};

/// What events may count.
pub(super) const EVENTS: &[Metric] = &[EXCESS_ELEMENTS];

crate::metrics! {
    ranks from 2600;
    also OVERFLOW_ELEMENTS, ACCESSES_PER_INSERTION, MOVES_PER_INSERTION, FAILURE_FRACTION;

    /// Times that a build was begun anew with other hash functions, as the one before had failed.
    REHASHES = "rehashes", "Rehashes per build", Count, Ones(Always);
    /// Most elements that one insertion moved, in all builds of a trial.
    LONGEST_INSERTION = "longest_insertion", "Moves of the longest insertion", Count, Nothing;
    /// Elements that not even the best placement stores, of those of the first build: what a stash has to hold. With
    /// two choices and buckets of one they are the edges of each component of the graph beyond its vertices.
    EXCESS_ELEMENTS = "excess_elements", "Elements that no placement stores", Count, Ones(Always);
    /// Trials in which the last element of the first build closes a loop, so that no moves make room for it, as a
    /// share of all trials.
    CLOSED_LOOP_FRACTION = "closed_loop_fraction",
        "Fraction of trials in which the last element closes a loop", Share, Ones(Always);
}
