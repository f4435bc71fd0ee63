//! What trials of sketches measure.
//!
//! Shares and means are over the flows of the stream, each counted once whatever its packets, unless a metric says
//! that it is over absent keys.

crate::metrics! {
    ranks from 3000;

    /// Average absolute error (AAE): the absolute difference between the estimate of a flow's count and the count, as
    /// a mean over the flows of the stream.
    AAE = "aae", "Average absolute error", Count, Nothing;
    /// Average relative error (ARE): the absolute difference between estimate and count divided by the count, as a mean
    /// over the flows of the stream.
    ARE = "are", "Average relative error", PerEvent, Nothing;
    /// Flows whose estimate is off by more than ε‖a‖₁, as a share of the flows of the stream.
    ERROR_EXCEEDS = "error_exceeds", "Fraction of flows with an error above ε‖a‖₁", Share,
        ShareOf(FLOWS, Always);
    /// The greatest absolute error of a flow of the stream in a trial.
    MAX_ERROR = "max_error", "Greatest error of a flow", Count, Nothing;
    /// The absolute value of the estimate of an absent key, as a mean over the absent keys that are asked for.
    ABSENT_ERROR = "absent_error", "Average error of absent keys", Count, Nothing;
    /// Absent keys whose estimate is off by more than ε‖a‖₁, as a share of the absent keys that are asked for.
    ABSENT_ERROR_EXCEEDS = "absent_error_exceeds",
        "Fraction of absent keys with an error above ε‖a‖₁", Share, ShareOf(QUERIES, Always);
    /// Flows that are reported and are heavy hitters, as a share of those that are reported.
    PRECISION = "precision", "Precision of heavy hitters", Share, Nothing;
    /// Heavy hitters that are reported, as a share of all heavy hitters: flows with a count of φ‖a‖₁ or more, or the
    /// `first` flows by their counts.
    RECALL = "recall", "Recall of heavy hitters", Share, Nothing;
    /// The harmonic mean of precision and recall.
    F1 = "f1", "F1 score of heavy hitters", Share, Nothing;
    /// Flows that are reported as heavy hitters.
    REPORTED_FLOWS = "reported_flows", "Reported flows", Count, Nothing;
    /// The estimate of the number of flows divided by their number, less 1.
    CARDINALITY_ERROR = "cardinality_error", "Relative error of the number of flows", PerEvent, Nothing;
    /// The square of `cardinality_error`; its root over the trials is the standard error.
    CARDINALITY_SQUARE_ERROR = "cardinality_square_error",
        "Square of the relative error of the number of flows", PerEvent, Nothing;
    /// The mean of `aae` over fully random hash functions, computed from the true counts of the trial.
    AAE_GIVEN_COUNTS = "aae_given_counts", "Average absolute error given the counts", Count, Nothing;
    /// The mean of `are` over fully random hash functions, computed from the true counts of the trial.
    ARE_GIVEN_COUNTS = "are_given_counts", "Average relative error given the counts", PerEvent, Nothing;
    /// The standard deviation of `aae` over fully random hash functions, or somewhat more, computed likewise.
    AAE_DEVIATION_GIVEN_COUNTS = "aae_deviation_given_counts",
        "Standard deviation of the average absolute error given the counts", Count, Nothing;
    /// The standard deviation of `are` over fully random hash functions, or somewhat more, computed likewise.
    ARE_DEVIATION_GIVEN_COUNTS = "are_deviation_given_counts",
        "Standard deviation of the average relative error given the counts", PerEvent, Nothing;
    /// By how much the estimate of the inner product of two streams is above it, divided by ‖a‖₁‖b‖₁.
    INNER_PRODUCT_ERROR = "inner_product_error", "Error of the inner product by ‖a‖₁‖b‖₁", PerEvent,
        Nothing;
    /// Trials in which it is above it by more than ε‖a‖₁‖b‖₁, as a share of all trials.
    INNER_PRODUCT_EXCEEDS = "inner_product_exceeds",
        "Fraction of inner products with an error above ε‖a‖₁‖b‖₁", Share, Ones(Always);
    /// Flows whose estimate is above their count, as a share of the flows of the stream.
    OVERESTIMATED = "overestimated", "Fraction of flows that are overestimated", Share,
        ShareOf(FLOWS, Always);
    /// What is counted in the light part of the sketch, as a share of ‖a‖₁.
    LIGHT_FRACTION = "light_fraction", "Fraction of packets in the light part", Share, Nothing;
    /// Flows that are decoded from the table, as a share of the flows of the stream.
    DECODED_FRACTION = "decoded_fraction", "Fraction of flows that are decoded", Share,
        ShareOf(FLOWS, Always);
    /// Trials in which not all flows are decoded, as a share of all trials.
    DECODING_FAILURE = "decoding_failure", "Fraction of trials with flows that are not decoded",
        Share, Ones(Always);
    /// The average relative error over the flows that are reported as the `first` ones.
    REPORTED_ARE = "reported_are", "Average relative error of reported flows", PerEvent, Nothing;
    /// ‖a‖₁, the sum of all counts of the stream, in packets or bytes; read where the trace decides it: with
    /// `weights = "bytes"`, `windows` or `window`.
    NORM = "stream_norm", "Sum of all counts ‖a‖₁", Count, Nothing;

    numbered

    /// The absolute error that so many per cent of the flows of the stream do not exceed.
    error_quantile = "error_quantile_{}", "Error of flows, quantile of {} %", Count, Nothing,
        family "error_quantile" ["Error of flows", "Per cent of the flows"], up to 100;
}

/// Distinct flows of the stream.
pub(super) const FLOWS: &str = "flows";
/// Absent keys that are asked for.
pub(super) const QUERIES: &str = "queries";
