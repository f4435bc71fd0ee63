//! Trials against what is predicted of them, and points that are refused.

use super::build::{Build, VALUES};
use super::metrics::{FIRST_FUNCTION_GOOD, FIRST_LEVEL_TRIES, GIVEN_UP_FRACTION};
use crate::case::Case;
use crate::chains::metrics::SUM_OF_SQUARES;
use crate::families;
use crate::hash::{Derivation, HashKind, HashSpec};
use crate::keys::{ChoiceStream, KeySource, Seeds, choice_stream};
use crate::measured::{Readings, is_met, split};
use crate::metric::Metric;
use crate::params::Scalar;
use crate::prediction::{Kind, Prediction};
use crate::rare::Event;

/// Standard errors that a mean may be off.
const ERRORS: f64 = 5.0;

/// What three of 1500 trials make of a share: nearly certain events may be seen always.
const TOO_RARE: f64 = 2e-3;

fn case(hash: &str, given: &[(&str, Scalar)]) -> Box<dyn Case> {
    families::case("fks", "perfect-build", hash, given).unwrap()
}

fn sized(elements: i64, buckets_per_element: f64, limit: f64) -> Vec<(&'static str, Scalar)> {
    vec![
        ("elements", elements.into()),
        ("buckets_per_element", buckets_per_element.into()),
        ("square_limit", limit.into()),
    ]
}

fn measured(case: &dyn Case, trials: u64) -> Readings {
    Readings::of(case, &KeySource::Random, 1, 0..trials)
}

/// The mean, and how far the expectation may be off.
fn mean(readings: &Readings, metric: Metric) -> (f64, f64) {
    let (mean, error) = readings.mean(metric).unwrap();
    (mean, ERRORS * error + TOO_RARE)
}

/// Exact values and bounds, with drawn values and with families that are 2-independent and no more.
#[test]
fn tables_are_as_predicted() {
    for hash in ["random", "two-independent", "multiply-shift"] {
        for given in
            [sized(60, 1.0, 4.0), sized(60, 1.0, 2.0), sized(80, 2.0, 2.0), sized(50, 0.5, 5.0)]
        {
            let case = case(hash, &given);
            let readings = measured(&*case, 1500);
            // Of large buckets there are hardly any.
            let is_seen = |own: &Prediction| readings.values(own.metric).len() >= 100;
            for own in case.outlook(&|_| None).predictions.into_iter().filter(is_seen) {
                let (mean, error) = mean(&readings, own.metric);
                let is_met = is_met(&own, mean, error);
                assert!(is_met, "{hash} {given:?} {}: {mean} ± {error}, {own:?}", own.metric);
            }
        }
    }
}

/// A hash function of which nothing is proved is held against the exact values of random choices, and against no bound.
#[test]
fn every_hash_function_is_held_against_random_choices() {
    let of = |hash: &str| {
        let all = case(hash, &sized(60, 1.0, 4.0)).outlook(&|_| None).predictions;
        all.into_iter().partition::<Vec<_>, _>(|own| own.kind == Kind::Exact)
    };
    let (exact, bounds) = of("random");
    assert!(exact.iter().any(|own| own.metric == FIRST_FUNCTION_GOOD));
    assert_eq!(of("two-independent"), (exact.clone(), bounds));
    assert_eq!(of("murmur3"), (exact, Vec::new()));
}

/// A stream that gives every value, and counts those that are wanted.
struct Whole<'s> {
    stream: &'s mut dyn ChoiceStream,
    wanted: usize,
}

impl ChoiceStream for Whole<'_> {
    fn begin(&mut self, seeds: &Seeds) {
        self.stream.begin(seeds);
    }

    fn arrive(&mut self, first: u32, choices: &mut [u32]) -> u32 {
        self.wanted += choices.len();
        self.stream.arrive(first, choices)
    }

    fn arrive_where(&mut self, first: u32, choices: &mut [u32], wanted: &[bool]) -> u32 {
        self.wanted += wanted.iter().filter(|own| **own).count();
        self.stream.arrive(first, choices)
    }

    fn strangers(&mut self, choices: &mut [u32]) -> u32 {
        self.stream.strangers(choices)
    }

    fn depart(&mut self, element: u32) {
        self.stream.depart(element);
    }
}

/// A function of the second level is worked out for the elements of buckets that still need one, and for no others; the
/// table is the one of values of all elements.
#[test]
fn only_elements_that_still_collide_are_hashed_again() {
    const ELEMENTS: u32 = 600;
    for kind in [HashKind::Random, HashKind::Murmur3] {
        let hash = HashSpec::new(kind, Derivation::Seeds, 1, 16).unwrap();
        choice_stream(&hash, &KeySource::Random, ELEMENTS, vec![VALUES], &mut |stream| {
            for trial in 0..5 {
                let (seeds, limit) = (Seeds::of(3, trial), 2.2 * f64::from(ELEMENTS));
                let mut builds = [(); 2].map(|()| Build::new(ELEMENTS, ELEMENTS));
                assert!(builds[0].build(stream, &seeds, limit));
                let mut whole = Whole { stream, wanted: 0 };
                assert!(builds[1].build(&mut whole, &seeds, limit));
                let tries = &builds[0].tries;
                let again = tries.iter().map(|own| (own.elements * own.functions) as usize);
                let first = (builds[0].first_level_tries * ELEMENTS) as usize;
                assert_eq!(whole.wanted, first + again.sum::<usize>());
                assert_eq!(*tries, builds[1].tries);
                assert_eq!(builds[0].by_bucket, builds[1].by_bucket);
            }
        });
    }
}

/// The number of functions tried is geometric: its mean is the inverse of the share of those that are good.
#[test]
fn tries_are_geometric() {
    let readings = measured(&*case("random", &sized(60, 1.0, 2.0)), 4000);
    let [good, tries] =
        [FIRST_FUNCTION_GOOD, FIRST_LEVEL_TRIES].map(|metric| mean(&readings, metric));
    let error = tries.1 + good.1 / (good.0 * good.0);
    assert!((tries.0 - 1.0 / good.0).abs() < error, "{good:?} {tries:?}");
}

fn sum_beyond(beyond: u64) -> Event {
    Event { metric: SUM_OF_SQUARES, beyond, ever: false }
}

/// 40 runs of splitting within 4.5 standard errors of the exact law, down to some 1e-9; Markov's bound is far above.
#[test]
fn large_sums_are_as_their_exact_law() {
    let case = case("random", &sized(40, 1.0, 4.0));
    let mut least = 1.0_f64;
    for beyond in [110, 150, 190] {
        let predictions = case.event_outlook(&sum_beyond(beyond)).predictions;
        let value = |kind| predictions.iter().find(|own| own.kind == kind).unwrap().value;
        let (exact, bound) = (value(Kind::Exact), value(Kind::UpperBound));
        let mut rare = case.rare(&sum_beyond(beyond)).unwrap();
        let (mean, error) = split(&mut *rare, 60, 1..41);
        assert!((mean - exact).abs() < 4.5 * error, "{beyond}: {mean} ± {error}, not {exact}");
        assert!(error < 0.3 * exact, "{beyond}: {mean} ± {error} decides nothing of {exact}");
        assert!(exact < bound, "{beyond}: {exact} {bound}");
        least = least.min(exact);
    }
    assert!(least < 1e-8, "{least}");
}

#[test]
fn sums_that_cannot_be_are_refused() {
    let refused = |hash: &str, event: Event| {
        case(hash, &sized(40, 1.0, 4.0)).check_rare(&event).unwrap_err().param
    };
    assert_eq!(refused("random", sum_beyond(39)), "beyond");
    assert_eq!(refused("random", sum_beyond(1600)), "beyond");
    assert_eq!(refused("xxh3", sum_beyond(100)), "hash");
    let other = Event { metric: FIRST_LEVEL_TRIES, ..sum_beyond(100) };
    assert_eq!(refused("random", other), "event");
}

#[test]
fn a_limit_below_the_mean_is_refused() {
    let refused = families::case("fks", "perfect-build", "random", &sized(100, 0.5, 2.5));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`square_limit`: Σ nᵢ² is 298 on average, so that hardly a function may be below 250"
    );
}

#[test]
fn slices_that_are_too_narrow_are_refused_with_a_remedy() {
    let sliced = |more: &[(&'static str, Scalar)]| {
        let own = vec![("choices_from", "slices".into())];
        let given = [sized(100, 1.0, 4.0), own, more.to_vec()].concat();
        families::case("fks", "perfect-build", "xxh3", &given)
    };
    assert_eq!(
        sliced(&[]).unwrap_err().to_string(),
        "`slice_bits`: a place follows from a value of 32 bits, and a slice has 16; use `slice_bits = 32` or `choices_from = \"seeds\"`"
    );
    sliced(&[("slice_bits", 32_i64.into())]).unwrap();
}

/// Pairs alone say little of a limit that is hardly above the mean: (1 − 1/1000)^1000 is no proof that a function is found.
#[test]
fn giving_up_is_bounded_by_what_pairs_prove() {
    let bound = |limit: f64| {
        let predictions =
            case("multiply-shift", &sized(1000, 1.0, limit)).outlook(&|_| None).predictions;
        let given_up = predictions.into_iter().find(|own| own.metric == GIVEN_UP_FRACTION).unwrap();
        assert_eq!(given_up.kind, Kind::UpperBound);
        given_up.value
    };
    assert!((bound(2.0) - 0.999_f64.powi(1000)).abs() < 1e-9 && bound(4.0) < 1e-300);
}
