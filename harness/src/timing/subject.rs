//! Of which operation the numbers speak that are measured of full structures.

use loadfactor_schemes::timed::Operation;

/// The metric of look-ups of elements.
const OF_HITS: &str = "probes_per_hit";

/// The look-up that is set against a metric in the figure: what is read for an element says nothing of absent keys.
pub(super) fn look_up(metric: Option<&str>) -> Operation {
    if metric == Some(OF_HITS) { Operation::Hit } else { Operation::Miss }
}

/// Whether a metric may stand beside the time of an operation.
pub(super) fn speaks_of(metric: &str, operation: &str) -> bool {
    metric != OF_HITS || operation == Operation::Hit.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries read for an element are no reason for the time of an absent key.
    #[test]
    fn entries_read_in_hits_stand_beside_hits_alone() {
        assert_eq!(look_up(Some("probes_per_hit")), Operation::Hit);
        assert_eq!(look_up(Some("overflow_fraction")), Operation::Miss);
        assert_eq!(look_up(None), Operation::Miss);
        assert!(speaks_of("probes_per_hit", "hit") && !speaks_of("probes_per_hit", "miss"));
        assert!(speaks_of("overflow_fraction", "miss"));
    }
}
