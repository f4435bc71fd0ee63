//! What theory says of FKS.

use super::build::MOST_TRIES;
use super::case::{PerfectCase, SIZES};
use super::metrics::{
    ACCEPTED_SUM_OF_SQUARES, FIRST_FUNCTION_GOOD, FIRST_LEVEL_TRIES, GIVEN_UP_FRACTION,
    PLACES_PER_ELEMENT, TRIES_PER_BUCKET, collision_free, tries_of_size,
};
use super::theory;
use crate::chains::metrics::SUM_OF_SQUARES;
use crate::hash::HashKind;
use crate::math::elementary::pow;
use crate::metric::Metric;
use crate::prediction::{Kind, Outlook, Prediction};

const PAIRS: &str = "pairs collide with probability 1/m";
const MARKOV: &str = "Markov's inequality";
const LEMMA: &str = "Lemma 7.3.1";

/// Everything that is said of this case: with a hash function of which nothing is proved, nothing.
pub(super) fn of(case: &PerfectCase) -> Outlook {
    let kind = case.hash.hash();
    if kind.independence() < 2 || case.hash.choice_bits() < 32 {
        return Outlook::default();
    }
    let mut predictions = of_first_level(case);
    for size in SIZES {
        let bound = theory::collision_free_bound(size.into());
        predictions.push(lower(collision_free(size), bound, LEMMA));
        predictions.push(upper(tries_of_size(size), 1.0 / bound, LEMMA));
        if kind == HashKind::Random {
            let free = theory::collision_free(size.into());
            predictions.push(Prediction::exact(collision_free(size), free, "Π (1 − j/k²)"));
            predictions.push(Prediction::exact(
                tries_of_size(size),
                1.0 / free,
                "1 / Π (1 − j/k²)",
            ));
        }
    }
    Outlook { predictions, missing: None }
}

fn of_first_level(case: &PerfectCase) -> Vec<Prediction> {
    let (n, m, limit) = (f64::from(case.elements), f64::from(case.buckets), case.limit());
    let (squares, good) = (theory::squares(n, m), theory::good(n, m, limit));
    vec![
        Prediction::exact(SUM_OF_SQUARES, squares, PAIRS),
        lower(FIRST_FUNCTION_GOOD, good, MARKOV),
        upper(FIRST_LEVEL_TRIES, 1.0 / good, MARKOV),
        upper(ACCEPTED_SUM_OF_SQUARES, squares.min(limit), "mean of a smaller half"),
        upper(PLACES_PER_ELEMENT, (m + squares.min(limit)) / n, "mean of a smaller half"),
        upper(TRIES_PER_BUCKET, 2.0, LEMMA),
        upper(GIVEN_UP_FRACTION, pow(1.0 - good, MOST_TRIES.into()), MARKOV),
    ]
}

fn lower(metric: Metric, value: f64, source: &'static str) -> Prediction {
    Prediction { kind: Kind::LowerBound, ..Prediction::exact(metric, value, source) }
}

fn upper(metric: Metric, value: f64, source: &'static str) -> Prediction {
    Prediction { kind: Kind::UpperBound, ..Prediction::exact(metric, value, source) }
}
