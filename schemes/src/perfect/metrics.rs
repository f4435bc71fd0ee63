//! What trials of perfect hash tables measure.

use crate::chains::metrics::SUM_OF_SQUARES;

crate::metrics! {
    ranks from 2400;
    also SUM_OF_SQUARES;

    /// First-level functions drawn until Σ nᵢ² was below its limit.
    FIRST_LEVEL_TRIES = "first_level_tries", "First-level functions tried", Count, Ones(Always);
    /// Share of trials whose first first-level function had Σ nᵢ² below the limit.
    FIRST_FUNCTION_GOOD = "first_function_good", "Fraction of first functions that are good", Share,
        Ones(Always);
    /// Σ nᵢ² under the first-level function that was taken: places of the second level.
    ACCEPTED_SUM_OF_SQUARES = "accepted_sum_of_squares", "Σ nᵢ² of the function taken", Square, Nothing;
    /// First-level buckets and second-level places, per element.
    PLACES_PER_ELEMENT = "places_per_element", "Places per element", PerEvent, Nothing;
    /// Second-level functions drawn per bucket of two or more elements.
    TRIES_PER_BUCKET = "tries_per_bucket", "Functions tried per bucket", PerEvent, Nothing;
    /// Share of trials that were given up, as one level was drawn 1000 times in vain.
    GIVEN_UP_FRACTION = "given_up_fraction", "Fraction of trials given up", Share, Ones(Always);

    numbered

    /// Second-level functions drawn per bucket of exactly this many elements.
    tries_of_size = "tries_of_size_{}", "Functions tried per bucket of {} elements", PerEvent, Nothing,
        family "tries_of_size" ["Functions tried per bucket", "Elements in the bucket"], up to 16;
    /// Share of the buckets of exactly this many elements, k, whose first function had no collision in k² places.
    collision_free = "collision_free_{}", "Fraction of buckets of {} elements free of collisions at once",
        Share, Nothing,
        family "collision_free" ["Fraction free of collisions at once", "Elements in the bucket"], up to 16;
}
