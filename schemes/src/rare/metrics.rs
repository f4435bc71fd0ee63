//! What trials of a rare event measure, in every family.

crate::metrics! {
    ranks from 900;

    /// Probability that `event` is more than `beyond` in a trial of the workload.
    EVENT_PROBABILITY = "event_probability", "Probability of the event", Share,
        ShareOf(PLAIN_TRIALS, Always);
    /// Trials of the workload that one run of splitting takes, those that were taken up again included.
    SPLITTING_RUNS = "splitting_runs", "Trials per run of splitting", Count, Nothing;
    /// Runs of splitting that ended since no particle got above the lowest peak, as a share of all. What the particles taken
    /// out had counts all the same, so that the estimate is 0 only if none of them could see the event.
    SPLITTING_EXTINCT = "splitting_extinct", "Fraction of runs of splitting that die out", Share,
        Nothing;
    /// Natural logarithm of the estimate of a run of splitting, from which the interval of `event_probability` is made; a run
    /// whose estimate is 0 has none.
    SPLITTING_LN_ESTIMATE = "splitting_ln_estimate", "Logarithm of an estimate", Count, Nothing;
}

/// Trials that see an event or do not: one in each trial of the plain estimator. A run of splitting counts nothing.
pub(super) const PLAIN_TRIALS: &str = "plain trials";
