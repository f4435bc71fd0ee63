//! What theory says of FKS.

use super::build::MOST_TRIES;
use super::metrics::{
    ACCEPTED_SUM_OF_SQUARES, FIRST_FUNCTION_GOOD, FIRST_LEVEL_TRIES, GIVEN_UP_FRACTION,
    PLACES_PER_ELEMENT, TRIES_PER_BUCKET, collision_free, tries_of_size,
};
use super::point::{Point, SIZES};
use super::theory;
use crate::chains::metrics::SUM_OF_SQUARES;
use crate::math::elementary::pow;
use crate::prediction::{Outlook, Prediction};
use crate::rare::Event;
use crate::rare::metrics::EVENT_PROBABILITY;

const PAIRS: &str = "pairs collide with probability 1/m";
const MARKOV: &str = "Markov's inequality";
const LOADS: &str = "law of the loads, bucket by bucket";
const LEMMA: &str = "Lemma 7.3.1";
const SMALLER_SUMS: &str = "mean of a smaller half";

/// Everything that is said of this point: bounds for hash functions of which they are proved, and for every hash function
/// what random choices make exact.
pub(super) fn of(point: &Point) -> Outlook {
    let is_proved = point.hash.hash().independence() >= 2;
    let mut predictions = if is_proved { bounds(point) } else { Vec::new() };
    predictions.extend(exact(point));
    Outlook { predictions, missing: None }
}

/// The probability that Σ nᵢ² of the first function is greater than the event says.
pub(super) fn of_event(point: &Point, event: &Event) -> Outlook {
    let (n, m) = (f64::from(point.elements), f64::from(point.buckets));
    let least = event.beyond as f64 + 1.0;
    let bound = Prediction::upper_bound(EVENT_PROBABILITY, 1.0 - theory::good(n, m, least), MARKOV);
    let exact = theory::squares_exceed(point.elements, point.buckets, event.beyond)
        .map(|value| Prediction::exact(EVENT_PROBABILITY, value, LOADS));
    Outlook { predictions: exact.into_iter().chain([bound]).collect(), missing: None }
}

/// What random choices make exact; of Σ nᵢ² pairs of independent values do.
fn exact(point: &Point) -> Vec<Prediction> {
    let squares = theory::squares(point.elements.into(), point.buckets.into());
    let mut predictions = vec![Prediction::exact(SUM_OF_SQUARES, squares, PAIRS)];
    predictions.extend(law_of_first_level(point));
    for size in SIZES {
        let free = theory::collision_free(size.into());
        predictions.push(Prediction::exact(collision_free(size), free, "Π (1 − j/k²)"));
        predictions.push(Prediction::exact(tries_of_size(size), 1.0 / free, "1 / Π (1 − j/k²)"));
    }
    predictions
}

/// How often the first function is good, by the law of Σ nᵢ².
fn law_of_first_level(point: &Point) -> Vec<Prediction> {
    let beyond = point.limit().ceil() as u64 - 1;
    let Some(bad) = theory::squares_exceed(point.elements, point.buckets, beyond) else {
        return Vec::new();
    };
    vec![
        Prediction::exact(FIRST_FUNCTION_GOOD, 1.0 - bad, LOADS),
        Prediction::exact(FIRST_LEVEL_TRIES, 1.0 / (1.0 - bad), LOADS),
    ]
}

/// What is proved of 2-independent functions.
fn bounds(point: &Point) -> Vec<Prediction> {
    let mut bounds = bounds_of_first_level(point);
    for size in SIZES {
        let free = theory::collision_free_bound(size.into());
        bounds.push(Prediction::lower_bound(collision_free(size), free, LEMMA));
        bounds.push(Prediction::upper_bound(tries_of_size(size), 1.0 / free, LEMMA));
    }
    bounds
}

fn bounds_of_first_level(point: &Point) -> Vec<Prediction> {
    let (n, m, limit) = (f64::from(point.elements), f64::from(point.buckets), point.limit());
    let (squares, good) = (theory::squares(n, m), theory::good(n, m, limit));
    vec![
        Prediction::lower_bound(FIRST_FUNCTION_GOOD, good, MARKOV),
        Prediction::upper_bound(FIRST_LEVEL_TRIES, 1.0 / good, MARKOV),
        Prediction::upper_bound(ACCEPTED_SUM_OF_SQUARES, squares.min(limit), SMALLER_SUMS),
        Prediction::upper_bound(PLACES_PER_ELEMENT, (m + squares.min(limit)) / n, SMALLER_SUMS),
        Prediction::upper_bound(TRIES_PER_BUCKET, 2.0, LEMMA),
        Prediction::upper_bound(GIVEN_UP_FRACTION, pow(1.0 - good, MOST_TRIES.into()), MARKOV),
    ]
}
